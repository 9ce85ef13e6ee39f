/* Counters of branches, found by the section headers of the program's file: they need neither
 * symbols nor anything of the program's help. Where the program lies in memory is asked each time:
 * a restored process lies where it lay, but a restarted one need not. */
#include "explore/cover.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "world/world.h"

/* The counters of a program. */
enum { FILE_MOST = 1 << 30 };

struct table {
    struct strbuf path;
    uint64_t program; /* hash of its path */
    uint64_t addr, n; /* of the section, as the file has it; n 0: there is none */
    bool anywhere;    /* it may lie anywhere: addresses count from where it begins */
};
struct xcover {
    VEC(struct table) tables;
};

struct xcover *xcover_new(void)
{
    size_t cap = 0;
    struct xcover *cover = vec_grow(NULL, &cap, 1, sizeof *cover);
    memset(cover, 0, sizeof *cover);
    return cover;
}

void xcover_free(struct xcover *cover)
{
    if (cover == NULL) {
        return;
    }
    for (size_t i = 0; i < cover->tables.n; i++) {
        strbuf_done(&cover->tables.v[i].path);
    }
    VEC_DONE(&cover->tables);
    vec_release(cover);
}

/* ---- the file ---- */

/* A part of the file as a value; false: the file ends before. */
static bool part(struct str file, uint64_t at, void *to, size_t n)
{
    if (at > file.n || file.n - at < n) {
        return false;
    }
    memcpy(to, file.p + at, n);
    return true;
}

static bool is_counters(struct str file, const Elf64_Shdr *names, const Elf64_Shdr *section)
{
    static const char name[] = "__sancov_cntrs";
    char found[sizeof name];
    return part(file, names->sh_offset + section->sh_name, found, sizeof found) &&
           memcmp(found, name, sizeof name) == 0;
}

static void find_counters(struct str file, struct table *t)
{
    Elf64_Ehdr head;
    Elf64_Shdr names, section;
    if (!part(file, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_shentsize != sizeof section ||
        !part(file, head.e_shoff + (uint64_t)head.e_shstrndx * sizeof names, &names,
              sizeof names)) {
        return;
    }
    t->anywhere = head.e_type == ET_DYN;
    for (uint64_t i = 0; i < head.e_shnum && t->n == 0; i++) {
        if (part(file, head.e_shoff + i * sizeof section, &section, sizeof section) &&
            is_counters(file, &names, &section)) {
            t->addr = section.sh_addr;
            t->n = section.sh_size;
        }
    }
}

static int table_of(struct xcover *cover, const char *path, struct table **ret, struct err *err)
{
    for (size_t i = 0; i < cover->tables.n; i++) {
        if (str_is(strbuf_str(&cover->tables.v[i].path), path)) {
            *ret = &cover->tables.v[i];
            return 0;
        }
    }
    struct table t = {.program = hash_bytes(path, strlen(path), 0)};
    struct arena arena;
    struct str file = {0};
    arena_init(&arena, 0);
    int status = file_read(&arena, path, FILE_MOST, &file, err);
    if (status == 0) {
        find_counters(file, &t);
        strbuf_adds(&t.path, path);
        VEC_PUSH(&cover->tables, t);
        *ret = &VEC_LAST(&cover->tables);
    }
    arena_done(&arena);
    return status;
}

/* ---- memory ---- */

/* Where the first mapping of the program begins; maps: "ADDRESS-... PATH" in lines. */
static uint64_t begin_of(struct str maps, const char *path)
{
    size_t n = strlen(path);
    while (maps.n != 0) {
        const char *end = memchr(maps.p, '\n', maps.n);
        size_t line = end != NULL ? (size_t)(end - maps.p) : maps.n;
        if (line > n && memcmp(maps.p + line - n, path, n) == 0) {
            uint64_t addr = 0;
            for (size_t i = 0; i < line && maps.p[i] != '-'; i++) {
                char c = maps.p[i];
                addr = addr << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
            }
            return addr;
        }
        line += end != NULL ? 1 : 0;
        maps = (struct str){maps.p + line, maps.n - line};
    }
    return 0;
}

static unsigned about(uint8_t count)
{
    static const uint8_t least[] = {1, 2, 3, 4, 8, 16, 32, 128};
    unsigned i = 0;
    while (i + 1 < sizeof least && count >= least[i + 1]) {
        i++;
    }
    return i;
}

int xcover_read(struct xcover *cover, struct world *world, uint32_t node, xcover_fn tell, void *arg,
                struct err *err)
{
    const char *path = world_executable(world, node);
    struct table *t = NULL;
    int status = path != NULL ? table_of(cover, path, &t, err) : 0;
    if (t == NULL || t->n == 0) {
        return status;
    }
    struct arena arena;
    arena_init(&arena, 0);
    uint64_t base = t->anywhere ? begin_of(world_memory_maps(world, node, &arena), path) : 0;
    uint8_t *counts = arena_alloc(&arena, t->n);
    size_t n = world_read_memory(world, node, base + t->addr, counts, t->n);
    for (size_t i = 0; i < n; i++) {
        if (counts[i] != 0) {
            tell(arg, hash_combine(hash_combine(t->program, i), about(counts[i])));
        }
    }
    arena_done(&arena);
    return 0;
}
