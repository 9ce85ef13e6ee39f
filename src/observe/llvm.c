/* Counters of clang in memory (-fprofile-instr-generate).
 *
 * A program built so holds its counters in one section, __llvm_prf_cnts, and in two others, which
 * never change, what they belong to. Its runtime writes all three to a file when it ends, after a
 * header (compiler-rt's InstrProfData.inc). Here the counters are read from memory and added up;
 * the rest comes from the program's file. */
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "observe/gcov_int.h"
#include "world/world.h"

#define PROGRAM_MOST  (UINT64_C(4) << 30)
#define COUNTERS_MOST (UINT64_C(256) << 20)
#define RAW_MAGIC     UINT64_C(0xff6c70726f667281) /* "\377lprofr\201" */

struct section {
    uint64_t addr, at, n; /* in memory, in the file; bytes */
};
struct counted { /* a program */
    const char *path;
    uint64_t load, version; /* version 0: it does not count so */
    struct section counters, data, names;
    struct str data_bytes, names_bytes;
    uint64_t *sums; /* [counters.n / 8] */
    uint64_t *now;
    bool any;
};
struct llvm {
    struct arena *arena;
    VEC(struct counted) programs;
};

struct llvm *llvm_new(struct arena *arena)
{
    struct llvm *l = ARENA_NEW(arena, struct llvm);
    *l = (struct llvm){.arena = arena};
    return l;
}

void llvm_done(struct llvm *l)
{
    VEC_DONE(&l->programs);
}

/* ---- the program's file ---- */

static bool get_section(struct str file, const Elf64_Ehdr *h, size_t i, Elf64_Shdr *ret)
{
    uint64_t at = h->e_shoff + i * sizeof *ret;
    if (i >= h->e_shnum || !elf_part_there(file, at, sizeof *ret)) {
        return false;
    }
    memcpy(ret, file.p + at, sizeof *ret);
    return ret->sh_type == SHT_NOBITS || elf_part_there(file, ret->sh_offset, ret->sh_size);
}

static bool is_named(struct str file, const Elf64_Shdr *names, uint64_t at, const char *name)
{
    size_t n = strlen(name) + 1;
    return at < names->sh_size && names->sh_size - at >= n &&
           memcmp(file.p + names->sh_offset + at, name, n) == 0;
}

/* The value of the variable that says which version of the format it is. */
static uint64_t read_version(struct str file, const Elf64_Ehdr *h, const Elf64_Shdr *symbols)
{
    Elf64_Shdr names, in;
    if (!get_section(file, h, symbols->sh_link, &names)) {
        return 0;
    }
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols->sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym sym;
        uint64_t version = 0;
        memcpy(&sym, file.p + symbols->sh_offset + at, sizeof sym);
        if (is_named(file, &names, sym.st_name, "__llvm_profile_raw_version") &&
            get_section(file, h, sym.st_shndx, &in) && in.sh_type != SHT_NOBITS &&
            sym.st_value >= in.sh_addr && sym.st_value - in.sh_addr + 8 <= in.sh_size) {
            memcpy(&version, file.p + in.sh_offset + (sym.st_value - in.sh_addr), sizeof version);
            return version;
        }
    }
    return 0;
}

static void read_file(struct llvm *l, struct str file, struct counted *p)
{
    Elf64_Ehdr h;
    Elf64_Shdr names, s;
    if (!elf_header(file, &h)) {
        return;
    }
    p->load = elf_first_load(file, &h);
    for (size_t i = 0; get_section(file, &h, h.e_shstrndx, &names) && i < h.e_shnum; i++) {
        if (!get_section(file, &h, i, &s)) {
            continue;
        }
        struct section *to = is_named(file, &names, s.sh_name, "__llvm_prf_cnts")    ? &p->counters
                             : is_named(file, &names, s.sh_name, "__llvm_prf_data")  ? &p->data
                             : is_named(file, &names, s.sh_name, "__llvm_prf_names") ? &p->names
                                                                                     : NULL;
        if (to != NULL) {
            *to = (struct section){s.sh_addr, s.sh_offset, s.sh_size};
        }
        p->version = s.sh_type == SHT_SYMTAB ? read_version(file, &h, &s) : p->version;
    }
    uint32_t number = (uint32_t)p->version;
    if (p->counters.n == 0 || p->counters.n > COUNTERS_MOST || number < 8 || number > 10) {
        p->version = 0;
        return;
    }
    size_t n = p->counters.n / 8;
    p->data_bytes = str_dup(l->arena, (struct str){file.p + p->data.at, p->data.n});
    p->names_bytes = str_dup(l->arena, (struct str){file.p + p->names.at, p->names.n});
    p->sums = ARENA_ARRAY(l->arena, uint64_t, n);
    p->now = ARENA_ARRAY(l->arena, uint64_t, n);
    memset(p->sums, 0, n * sizeof *p->sums);
}

static struct counted *program_of(struct llvm *l, const char *path)
{
    for (size_t i = 0; i < l->programs.n; i++) {
        if (strcmp(l->programs.v[i].path, path) == 0) {
            return &l->programs.v[i];
        }
    }
    struct counted p = {.path = arena_strndup(l->arena, path, strlen(path))};
    struct arena arena;
    struct str file;
    struct err err;
    arena_init(&arena, 0);
    if (file_read(&arena, path, PROGRAM_MOST, &file, &err) == 0) {
        read_file(l, file, &p);
    }
    arena_done(&arena);
    VEC_PUSH(&l->programs, p);
    return &VEC_LAST(&l->programs);
}

void llvm_note(struct llvm *l, struct world *world, uint32_t node)
{
    const char *path = world_executable(world, node);
    struct counted *p = path != NULL ? program_of(l, path) : NULL;
    uint64_t bias = 0;
    if (p == NULL || p->version == 0 || !elf_bias(world, node, p->path, p->load, &bias) ||
        world_read_memory(world, node, p->counters.addr + bias, p->now, p->counters.n) !=
            p->counters.n) {
        return;
    }
    for (size_t i = 0; i < p->counters.n / 8; i++) {
        p->sums[i] += p->now[i];
    }
    p->any = true;
}

/* ---- files ---- */

static void put(struct strbuf *out, uint64_t word)
{
    strbuf_add(out, (const char *)&word, sizeof word);
}

/* Values that were seen (of calls through pointers) are not written: their numbers become 0. */
static void put_data(const struct counted *p, size_t record, struct strbuf *out)
{
    size_t sites = record == 48 ? 44 : 52, n = record == 48 || (uint32_t)p->version == 9 ? 4 : 6;
    size_t begin = out->n;
    strbuf_addstr(out, p->data_bytes);
    for (size_t at = begin; at + record <= out->n; at += record) {
        memset(out->p + at + sites, 0, n);
    }
}

static void put_header(const struct counted *p, size_t records, struct strbuf *out)
{
    uint32_t number = (uint32_t)p->version;
    put(out, RAW_MAGIC);
    put(out, p->version);
    put(out, 0); /* identities of builds */
    put(out, records);
    put(out, 0); /* between data and counters */
    put(out, p->counters.n / 8);
    put(out, 0); /* behind them */
    if (number >= 9) {
        put(out, 0); /* bitmaps, and what is behind them */
        put(out, 0);
    }
    put(out, p->names_bytes.n);
    put(out, p->counters.addr - p->data.addr);
    if (number >= 9) {
        put(out, 0);
    }
    put(out, p->names.addr);
    if (number >= 10) {
        put(out, 0); /* tables of virtual functions, and their names */
        put(out, 0);
    }
    put(out, number >= 10 ? 2 : 1); /* the last kind of values */
}

static int write_program(const struct counted *p, size_t number, const char *dir, struct err *err)
{
    SCOPED_STRBUF raw = {0}, to = {0}, from = {0};
    size_t record = (uint32_t)p->version == 8 ? 48 : 64;
    put_header(p, p->data.n / record, &raw);
    put_data(p, record, &raw);
    strbuf_add(&raw, (const char *)p->sums, p->counters.n / 8 * 8);
    strbuf_addstr(&raw, p->names_bytes);
    while (raw.n % 8 != 0) {
        strbuf_addc(&raw, '\0');
    }
    strbuf_printf(&to, "%s/%zu.program", dir, number);
    strbuf_adds(&from, p->path);
    int status = file_write(strbuf_cstr(&to), strbuf_str(&from), err);
    strbuf_reset(&to);
    strbuf_printf(&to, "%s/%zu.profraw", dir, number);
    return status != 0 ? status : file_write(strbuf_cstr(&to), strbuf_str(&raw), err);
}

int llvm_write(const struct llvm *l, const char *dir, struct err *err)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < l->programs.n; i++) {
        const struct counted *p = &l->programs.v[i];
        status = p->any ? dir_make(dir, err) : 0;
        status = status == 0 && p->any ? write_program(p, i + 1, dir, err) : status;
    }
    return status;
}
