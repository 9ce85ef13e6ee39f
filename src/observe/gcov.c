/* Counters of gcov in memory: see gcov.h.
 *
 * A program built with --coverage holds a list of records, one for each object file, that libgcov
 * writes to files when the program ends: __gcov_master, its roots, their records, their functions,
 * the counters (gcc's libgcov.h). The list does not change while the program runs, so it is read
 * once for each program and place; the counters lie close together and are read as one piece.
 *
 * What is read is added up, each time all of it: a state that many cases go through counts for each
 * of them. What matters is that the counts of one reading belong together, since gcov derives the
 * other arcs of a function from those that have a counter. */
#include "observe/gcov.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "observe/gcov_int.h"
#include "world/world.h"

/* More of them is no program, but memory that was misread. */
enum { ROOTS_MOST = 1000, OBJECTS_MOST = 100000, FUNCTIONS_MOST = 1000000, NAME_MOST = 4096 };
#define ARCS_MOST    (UINT32_C(1) << 20) /* of a function */
#define SPREAD_MOST  (UINT64_C(256) << 20)
#define PROGRAM_MOST (UINT64_C(4) << 30)

/* Of the files; lengths are in bytes since version 12. */
#define FILE_MAGIC   UINT32_C(0x67636461)
#define TAG_SUMMARY  UINT32_C(0xa1000000)
#define TAG_FUNCTION UINT32_C(0x01000000)
#define TAG_ARCS     UINT32_C(0x01a10000)

struct function {
    uint32_t ident, lineno_checksum, cfg_checksum, n;
    uint64_t addr;  /* of its counters */
    size_t first;   /* in counts */
    bool elsewhere; /* another object has it */
};
struct object {
    char *file; /* that libgcov would write */
    uint32_t version, stamp, checksum;
    VEC(struct function) functions;
};
/* A program at a place in memory. */
struct program {
    const char *path;
    uint64_t bias;
    VEC(struct object) objects;
    VEC(uint64_t) counts;
    uint64_t begin, end; /* of the counters */
    uint8_t *bytes;      /* for reading them */
    bool counted;
};
struct symbol { /* where the list begins, in a file */
    const char *path;
    uint64_t master, load; /* 0: it does not count; first address of the file in memory */
};
struct gcov {
    struct arena *arena;
    struct llvm *llvm;
    struct gocover *go;
    struct pycover *py;
    VEC(struct symbol) symbols;
    VEC(struct program *) programs;
    struct strbuf trouble;
};

struct gcov *gcov_new(struct arena *arena)
{
    struct gcov *g = ARENA_NEW(arena, struct gcov);
    *g = (struct gcov){.arena = arena,
                       .llvm = llvm_new(arena),
                       .go = gocover_new(arena),
                       .py = pycover_new(arena)};
    return g;
}

void gcov_done(struct gcov *g)
{
    for (size_t i = 0; g != NULL && i < g->programs.n; i++) {
        struct program *p = g->programs.v[i];
        for (size_t k = 0; k < p->objects.n; k++) {
            VEC_DONE(&p->objects.v[k].functions);
        }
        VEC_DONE(&p->objects);
        VEC_DONE(&p->counts);
        vec_release(p->bytes);
    }
    if (g != NULL) {
        llvm_done(g->llvm);
        gocover_done(g->go);
        pycover_done(g->py);
        VEC_DONE(&g->programs);
        VEC_DONE(&g->symbols);
        strbuf_done(&g->trouble);
    }
}

const char *gcov_trouble(const struct gcov *g)
{
    return g->trouble.n != 0 ? g->trouble.p : "";
}

/* ---- the symbol ---- */

static void find_symbol(struct str file, struct symbol *s)
{
    Elf64_Ehdr h;
    if (elf_header(file, &h)) {
        s->load = elf_first_load(file, &h);
        s->master = elf_symbol(file, &h, "__gcov_master");
    }
}

static const struct symbol *symbol_of(struct gcov *g, const char *path)
{
    for (size_t i = 0; i < g->symbols.n; i++) {
        if (strcmp(g->symbols.v[i].path, path) == 0) {
            return &g->symbols.v[i];
        }
    }
    struct symbol s = {.path = arena_strndup(g->arena, path, strlen(path))};
    struct arena arena;
    struct str file;
    struct err err;
    arena_init(&arena, 0);
    if (file_read(&arena, path, PROGRAM_MOST, &file, &err) == 0) {
        find_symbol(file, &s);
    }
    arena_done(&arena);
    VEC_PUSH(&g->symbols, s);
    return &VEC_LAST(&g->symbols);
}

/* ---- the list ---- */

struct reading {
    struct world *world;
    uint32_t node;
    bool failed;
};

static uint64_t read_word(struct reading *r, uint64_t addr)
{
    uint64_t word = 0;
    r->failed =
        r->failed || world_read_memory(r->world, r->node, addr, &word, sizeof word) != sizeof word;
    return r->failed ? 0 : word;
}

static uint32_t read_half(struct reading *r, uint64_t addr)
{
    uint32_t half = 0;
    r->failed =
        r->failed || world_read_memory(r->world, r->node, addr, &half, sizeof half) != sizeof half;
    return r->failed ? 0 : half;
}

static char *read_name(struct reading *r, uint64_t addr)
{
    char name[NAME_MOST];
    size_t n = world_read_memory(r->world, r->node, addr, name, sizeof name), cap = 0;
    const char *end = memchr(name, '\0', n);
    r->failed = r->failed || end == NULL;
    if (r->failed) {
        return NULL;
    }
    n = (size_t)(end - name) + 1;
    return memcpy(vec_grow(NULL, &cap, n, 1), name, n);
}

/* "B22*" is 12.2. */
static unsigned major_of(uint32_t version)
{
    unsigned tens = version >> 24, ones = version >> 16 & 0xff;
    return tens >= 'A' && tens <= 'Z' && ones >= '0' && ones <= '9' ? (tens - 'A') * 10 + ones - '0'
                                                                    : 0;
}

/* Kinds of counters, of which each function has those that the object has. */
static unsigned kinds_of(unsigned major)
{
    return major <= 13 ? 8 : major == 14 ? 9 : 10;
}

static void read_function(struct reading *r, struct program *p, struct object *o, uint64_t info,
                          uint64_t addr)
{
    struct function f = {.elsewhere = addr == 0 || read_word(r, addr) != info};
    if (!f.elsewhere) {
        f.ident = read_half(r, addr + 8);
        f.lineno_checksum = read_half(r, addr + 12);
        f.cfg_checksum = read_half(r, addr + 16);
        f.n = read_half(r, addr + 24);
        f.addr = read_word(r, addr + 32);
        f.first = p->counts.n;
        r->failed = r->failed || f.n > ARCS_MOST;
        for (uint32_t i = 0; !r->failed && i < f.n; i++) {
            VEC_PUSH(&p->counts, 0);
        }
        p->begin = f.addr < p->begin ? f.addr : p->begin;
        p->end = f.addr + f.n * UINT64_C(8) > p->end ? f.addr + f.n * UINT64_C(8) : p->end;
    }
    VEC_PUSH(&o->functions, f);
}

/* One object file; the address of the next. */
static uint64_t read_object(struct gcov *g, struct reading *r, struct program *p, uint64_t info)
{
    struct object o = {.version = read_half(r, info),
                       .stamp = read_half(r, info + 16),
                       .checksum = read_half(r, info + 20)};
    unsigned major = major_of(o.version);
    if (!r->failed && (major < 12 || major > 15)) {
        strbuf_reset(&g->trouble);
        strbuf_printf(&g->trouble, "%s counts as version %u of gcc, known are 12 to 15", p->path,
                      major);
        r->failed = true;
    }
    uint64_t kinds = info + 32, counts = kinds + UINT64_C(8) * kinds_of(major);
    uint64_t list = read_word(r, counts + 8);
    uint32_t n = read_half(r, counts);
    bool arcs = read_word(r, kinds) != 0;
    r->failed = r->failed || n > FUNCTIONS_MOST;
    char *name = read_name(r, read_word(r, info + 24));
    for (uint32_t i = 0; arcs && !r->failed && i < n; i++) {
        read_function(r, p, &o, info, read_word(r, list + UINT64_C(8) * i));
    }
    if (name != NULL) {
        o.file = arena_strndup(g->arena, name, strlen(name));
        vec_release(name);
    }
    VEC_PUSH(&p->objects, o);
    return read_word(r, info + 8);
}

static void read_list(struct gcov *g, struct reading *r, struct program *p, uint64_t master)
{
    uint64_t root = read_word(r, master + 8);
    for (unsigned i = 0; !r->failed && root != 0 && i < ROOTS_MOST; i++) {
        uint64_t info = read_word(r, root);
        for (unsigned k = 0; !r->failed && info != 0 && k < OBJECTS_MOST; k++) {
            info = read_object(g, r, p, info);
        }
        root = read_word(r, root + 16);
    }
}

/* NULL: it cannot be read, now or ever. */
static struct program *program_of(struct gcov *g, struct reading *r, const struct symbol *s)
{
    uint64_t bias = 0;
    if (!elf_bias(r->world, r->node, s->path, s->load, &bias)) {
        return NULL;
    }
    for (size_t i = 0; i < g->programs.n; i++) {
        struct program *p = g->programs.v[i];
        if (p->bias == bias && strcmp(p->path, s->path) == 0) {
            return p;
        }
    }
    struct program *p = ARENA_NEW(g->arena, struct program);
    *p = (struct program){.path = s->path, .bias = bias, .begin = UINT64_MAX};
    read_list(g, r, p, s->master + bias);
    bool some = !r->failed && p->counts.n != 0 && p->end - p->begin <= SPREAD_MOST;
    if (!some && g->trouble.n == 0 && r->failed) {
        strbuf_printf(&g->trouble, "the counters of %s cannot be read", s->path);
    }
    if (!some) { /* constructors have not run yet, or it is another version */
        for (size_t k = 0; k < p->objects.n; k++) {
            VEC_DONE(&p->objects.v[k].functions);
        }
        VEC_DONE(&p->objects);
        VEC_DONE(&p->counts);
        return NULL;
    }
    size_t cap = 0;
    p->bytes = vec_grow(NULL, &cap, p->end - p->begin, 1);
    VEC_PUSH(&g->programs, p);
    return p;
}

void gcov_note(struct gcov *g, struct world *world, uint32_t node)
{
    const char *path = world_executable(world, node);
    llvm_note(g->llvm, world, node);
    gocover_note(g->go, world, node, &g->trouble);
    pycover_note(g->py, world, node, &g->trouble);
    const struct symbol *s = path != NULL ? symbol_of(g, path) : NULL;
    struct reading r = {.world = world, .node = node};
    struct program *p = s != NULL && s->master != 0 ? program_of(g, &r, s) : NULL;
    if (p == NULL || world_read_memory(world, node, p->begin, p->bytes, p->end - p->begin) !=
                         p->end - p->begin) {
        return;
    }
    for (size_t k = 0; k < p->objects.n; k++) {
        for (size_t i = 0; i < p->objects.v[k].functions.n; i++) {
            const struct function *f = &p->objects.v[k].functions.v[i];
            for (uint32_t a = 0; a < f->n; a++) {
                uint64_t count = 0;
                memcpy(&count, p->bytes + (f->addr - p->begin) + a * UINT64_C(8), 8);
                p->counts.v[f->first + a] += count;
            }
        }
    }
    p->counted = true;
}

/* ---- files ---- */

static void put(struct strbuf *out, uint32_t half)
{
    strbuf_add(out, (const char *)&half, sizeof half);
}

static void put_object(const struct program *p, const struct object *o, struct strbuf *out)
{
    put(out, FILE_MAGIC);
    put(out, o->version);
    put(out, o->stamp);
    put(out, o->checksum);
    put(out, TAG_SUMMARY);
    put(out, 8);
    put(out, 1); /* runs */
    put(out, 0); /* the greatest sum: nobody here needs it */
    for (size_t i = 0; i < o->functions.n; i++) {
        const struct function *f = &o->functions.v[i];
        put(out, TAG_FUNCTION);
        put(out, f->elsewhere ? 0 : 12);
        if (!f->elsewhere) {
            put(out, f->ident);
            put(out, f->lineno_checksum);
            put(out, f->cfg_checksum);
            put(out, TAG_ARCS);
            put(out, f->n * 8);
            strbuf_add(out, (const char *)(p->counts.v + f->first), f->n * (size_t)8);
        }
    }
    put(out, 0);
}

/* The path as one name, as `gcov --preserve-paths` writes it. */
static void put_name(const char *path, const char *suffix, struct strbuf *out)
{
    size_t n = strlen(path);
    n -= n > 5 && strcmp(path + n - 5, ".gcda") == 0 ? 5 : 0;
    for (size_t i = 0; i < n; i++) {
        strbuf_addc(out, path[i] == '/' ? '#' : path[i]);
    }
    strbuf_adds(out, suffix);
}

static int write_object(const struct program *p, const struct object *o, const char *dir,
                        struct err *err)
{
    SCOPED_STRBUF data = {0}, to = {0}, notes = {0}, link = {0};
    size_t n = strlen(o->file);
    put_object(p, o, &data);
    strbuf_printf(&to, "%s/", dir);
    put_name(o->file, ".gcda", &to);
    strbuf_printf(&link, "%s/", dir);
    put_name(o->file, ".gcno", &link);
    strbuf_printf(&notes, "%.*s.gcno", (int)(n > 5 ? n - 5 : n), o->file);
    if (symlink(strbuf_cstr(&notes), strbuf_cstr(&link)) != 0 && errno != EEXIST) {
        return err_set(err, ERR_IO, errno, "making %s", strbuf_cstr(&link));
    }
    return file_write(strbuf_cstr(&to), strbuf_str(&data), err);
}

int gcov_write(const struct gcov *g, const char *dir, struct err *err)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < g->programs.n; i++) {
        const struct program *p = g->programs.v[i];
        status = p->counted ? dir_make(dir, err) : 0;
        for (size_t k = 0; status == 0 && p->counted && k < p->objects.n; k++) {
            status = write_object(p, &p->objects.v[k], dir, err);
        }
    }
    status = status != 0 ? status : llvm_write(g->llvm, dir, err);
    status = status != 0 ? status : gocover_write(g->go, dir, err);
    return status != 0 ? status : pycover_write(g->py, dir, err);
}
