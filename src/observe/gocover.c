/* Counters of Go in memory (go build -cover).
 *
 * The linker puts the counters of all packages between runtime.covctrs and runtime.ecovctrs: for
 * each function that was called the number of its counters, its package, its own number, and the
 * counters; of one that was not, zeros. What they belong to is a blob for each package, which its
 * initialization adds to internal/coverage/rtcov.Meta (Go's internal/coverage has the formats,
 * which are those of its files, version 1).
 *
 * Written are the lines and functions as lcov has them, so that nobody needs the Go tool to read
 * them, and what the program itself would write when it ends: covmeta.HASH, covcounters.HASH.1.1.
 */
#include <elf.h>
#include <inttypes.h>
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

/* More of them is no program, but memory that was misread. */
#define PROGRAM_MOST (UINT64_C(4) << 30)
#define WORDS_MOST   (UINT64_C(64) << 20)
#define BLOB_MOST    (UINT32_C(256) << 20)
enum { PACKAGES_MOST = 100000, LINES_MOST = 1000000 };

enum { HASH_BYTES = 16, BLOB_RECORD = 64 };
enum { AT_LENGTH = 8, AT_HASH = 12, AT_ID = 48, AT_MODE = 56, AT_GRAIN = 57 }; /* in a record */
enum { HEAD_BYTES = 44, HEAD_FUNCTIONS = 40 }; /* of a blob, and where it has their number */
enum { IN_COUNTERS = 3 };                      /* words before the counters of a function */

struct package {
    uint8_t hash[HASH_BYTES];
    struct str blob;
    int64_t id; /* given by the compiler, or -1 */
};
struct called {     /* a function */
    uint32_t at, n; /* its counters: in the words */
    uint32_t package, number;
};
struct program {
    const char *path;
    uint64_t load, begin, end, meta; /* begin 0: it does not count */
    uint32_t *now;                   /* [words] */
    uint64_t *sums;                  /* [words] */
    uint32_t *known;                 /* [words]: number in called + 1 */
    uint8_t mode, grain;
    VEC(struct package) packages;
    VEC(struct called) called;
    bool any;
};
struct gocover {
    struct arena *arena;
    VEC(struct program *) programs;
};

struct gocover *gocover_new(struct arena *arena)
{
    struct gocover *go = ARENA_NEW(arena, struct gocover);
    *go = (struct gocover){.arena = arena};
    return go;
}

void gocover_done(struct gocover *go)
{
    for (size_t i = 0; i < go->programs.n; i++) {
        VEC_DONE(&go->programs.v[i]->packages);
        VEC_DONE(&go->programs.v[i]->called);
    }
    VEC_DONE(&go->programs);
}

/* ---- the program's file ---- */

static size_t words_of(const struct program *p)
{
    return (p->end - p->begin) / sizeof(uint32_t);
}

static void read_file(struct gocover *go, struct str file, struct program *p)
{
    Elf64_Ehdr h;
    if (!elf_header(file, &h)) {
        return;
    }
    p->load = elf_first_load(file, &h);
    p->begin = elf_symbol(file, &h, "runtime.covctrs");
    p->end = p->begin != 0 ? elf_symbol(file, &h, "runtime.ecovctrs") : 0;
    p->meta = p->begin != 0 ? elf_symbol(file, &h, "internal/coverage/rtcov.Meta") : 0;
    if (p->end <= p->begin || words_of(p) > WORDS_MOST) { /* equal: built without -cover */
        p->begin = 0;
        return;
    }
    size_t n = words_of(p);
    p->now = ARENA_ARRAY(go->arena, uint32_t, n);
    p->sums = ARENA_ARRAY(go->arena, uint64_t, n);
    p->known = ARENA_ARRAY(go->arena, uint32_t, n);
    memset(p->sums, 0, n * sizeof *p->sums);
    memset(p->known, 0, n * sizeof *p->known);
}

static struct program *program_of(struct gocover *go, const char *path)
{
    for (size_t i = 0; i < go->programs.n; i++) {
        if (strcmp(go->programs.v[i]->path, path) == 0) {
            return go->programs.v[i];
        }
    }
    struct program *p = ARENA_NEW(go->arena, struct program);
    *p = (struct program){.path = arena_strndup(go->arena, path, strlen(path))};
    struct arena arena;
    struct str file;
    struct err err;
    arena_init(&arena, 0);
    if (file_read(&arena, path, PROGRAM_MOST, &file, &err) == 0) {
        read_file(go, file, p);
    }
    arena_done(&arena);
    VEC_PUSH(&go->programs, p);
    return p;
}

/* ---- memory ---- */

struct place {
    struct world *world;
    uint32_t node;
};

static bool get(const struct place *at, uint64_t addr, void *to, size_t n)
{
    return world_read_memory(at->world, at->node, addr, to, n) == n;
}

static bool read_package(struct gocover *go, struct program *p, const struct place *at,
                         uint64_t addr)
{
    uint8_t record[BLOB_RECORD];
    uint64_t blob = 0;
    uint32_t n = 0;
    struct package package = {0};
    if (!get(at, addr, record, sizeof record)) {
        return false;
    }
    memcpy(&blob, record, sizeof blob);
    memcpy(&n, record + AT_LENGTH, sizeof n);
    memcpy(package.hash, record + AT_HASH, HASH_BYTES);
    memcpy(&package.id, record + AT_ID, sizeof package.id);
    p->mode = record[AT_MODE];
    p->grain = record[AT_GRAIN];
    if (n < HEAD_BYTES || n > BLOB_MOST) {
        return false;
    }
    char *bytes = arena_alloc(go->arena, n);
    package.blob = (struct str){bytes, n};
    if (!get(at, blob, bytes, n)) {
        return false;
    }
    VEC_PUSH(&p->packages, package);
    return true;
}

/* The list grows while the program starts, and only then. */
static bool read_packages(struct gocover *go, struct program *p, const struct place *at,
                          uint64_t bias)
{
    uint64_t list[2] = {0}; /* where it is, and how long */
    if (!get(at, p->meta + bias, list, sizeof list) || list[1] > PACKAGES_MOST) {
        return false;
    }
    bool good = true;
    for (uint64_t i = p->packages.n; good && i < list[1]; i++) {
        good = read_package(go, p, at, list[0] + i * BLOB_RECORD);
    }
    return good;
}

/* Packages of the runtime have numbers below zero that the compiler gave them; the others theirs in
 * the list, from 1 on. UINT32_MAX: there is no such package. */
static uint32_t package_of(const struct program *p, uint32_t id)
{
    if ((int32_t)id > 0) {
        return id <= p->packages.n ? id - 1 : UINT32_MAX;
    }
    for (size_t i = 0; i < p->packages.n; i++) {
        if (p->packages.v[i].id != -1 && p->packages.v[i].id == (int32_t)id) {
            return (uint32_t)i;
        }
    }
    return UINT32_MAX;
}

static bool add_counters(struct program *p)
{
    size_t n = words_of(p);
    for (size_t i = 0; i < n; i++) {
        if (p->now[i] == 0) {
            continue; /* of a function that was not called */
        }
        if (n - i < IN_COUNTERS || p->now[i] > n - i - IN_COUNTERS) {
            return false;
        }
        struct called f = {(uint32_t)i + IN_COUNTERS, p->now[i], package_of(p, p->now[i + 1]),
                           p->now[i + 2]};
        if (f.package == UINT32_MAX) {
            return false;
        }
        if (p->known[i] == 0) {
            VEC_PUSH(&p->called, f);
            p->known[i] = (uint32_t)p->called.n;
        }
        for (uint32_t k = 0; k < f.n; k++) {
            p->sums[f.at + k] += p->now[f.at + k];
        }
        i += IN_COUNTERS + f.n - 1;
    }
    return true;
}

void gocover_note(struct gocover *go, struct world *world, uint32_t node,
                  struct strbuf *ret_trouble)
{
    const char *path = world_executable(world, node);
    struct program *p = path != NULL ? program_of(go, path) : NULL;
    struct place at = {world, node};
    uint64_t bias = 0;
    if (p == NULL || p->begin == 0) {
        return;
    }
    if (p->meta == 0) {
        strbuf_reset(ret_trouble);
        strbuf_printf(ret_trouble, "%s counts as a version of Go that is not known", path);
        return;
    }
    if (!elf_bias(world, node, p->path, p->load, &bias)) {
        return;
    }
    bool good = read_packages(go, p, &at, bias) &&
                get(&at, p->begin + bias, p->now, words_of(p) * sizeof *p->now);
    if (!good || !add_counters(p)) {
        strbuf_reset(ret_trouble);
        strbuf_printf(ret_trouble, "the counters of %s cannot be read", path);
        return;
    }
    p->any = p->any || p->packages.n != 0;
}

/* ---- blobs ---- */

struct blob {
    struct str bytes;
    size_t at;
    bool bad;
    struct str *texts; /* [n_texts] */
    uint32_t n_texts, n_functions;
};

static uint32_t take_half(struct blob *b, size_t at)
{
    uint32_t half = 0;
    b->bad = b->bad || at > b->bytes.n || b->bytes.n - at < sizeof half;
    if (!b->bad) {
        memcpy(&half, b->bytes.p + at, sizeof half);
    }
    return half;
}

/* Seven bits a byte, the lowest first. */
static uint32_t take_number(struct blob *b)
{
    uint64_t ret = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        if (b->at >= b->bytes.n) {
            break;
        }
        uint8_t byte = (uint8_t)b->bytes.p[b->at++];
        ret |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return (uint32_t)ret;
        }
    }
    b->bad = true;
    return 0;
}

static struct str take_text(struct blob *b)
{
    uint32_t n = take_number(b);
    b->bad = b->bad || n > b->bytes.n - b->at;
    if (b->bad) {
        return STR("");
    }
    struct str text = {b->bytes.p + b->at, n};
    b->at += n;
    return text;
}

static struct str text_of(struct blob *b, uint32_t number)
{
    b->bad = b->bad || number >= b->n_texts;
    return b->bad ? STR("") : b->texts[number];
}

static bool open_blob(struct blob *b, struct str bytes, struct arena *arena)
{
    *b = (struct blob){.bytes = bytes};
    b->n_functions = take_half(b, HEAD_FUNCTIONS);
    b->bad = b->bad || b->n_functions > bytes.n / sizeof(uint32_t);
    b->at = HEAD_BYTES + sizeof(uint32_t) * (size_t)b->n_functions;
    uint32_t n = b->bad ? 0 : take_number(b);
    b->bad = b->bad || n > bytes.n;
    b->texts = ARENA_ARRAY(arena, struct str, b->bad ? 1 : n + 1);
    for (; !b->bad && b->n_texts < n; b->n_texts++) {
        b->texts[b->n_texts] = take_text(b);
    }
    return !b->bad;
}

/* ---- lines ---- */

struct line {
    uint32_t line;
    uint64_t count;
};
struct lines {
    VEC(struct line) all; /* of a function, in order */
};

static void note_line(struct lines *l, uint32_t line, uint64_t count)
{
    size_t i = l->all.n;
    while (i > 0 && l->all.v[i - 1].line >= line) {
        i--;
    }
    if (i == l->all.n || l->all.v[i].line != line) {
        VEC_PUSH(&l->all, ((struct line){0, 0}));
        memmove(l->all.v + i + 1, l->all.v + i, (l->all.n - 1 - i) * sizeof *l->all.v);
        l->all.v[i] = (struct line){line, 0};
    }
    l->all.v[i].count = count > l->all.v[i].count ? count : l->all.v[i].count;
}

/* Of one package, by the numbers of its functions; NULL: it was never called. */
static const struct called **calls_of(const struct program *p, uint32_t package, uint32_t n,
                                      struct arena *arena)
{
    const struct called **ret = ARENA_ARRAY(arena, const struct called *, n + 1);
    memset(ret, 0, (n + 1) * sizeof(const struct called *));
    for (size_t i = 0; i < p->called.n; i++) {
        const struct called *f = &p->called.v[i];
        if (f->package == package && f->number < n) {
            ret[f->number] = f;
        }
    }
    return ret;
}

/* One function at b->at; its lines have the greatest count of the blocks that they are in. A
 * function was called as often as its first block was. */
static void put_function(const struct program *p, struct blob *b, const struct called *f,
                         struct lines *l, struct strbuf *out)
{
    uint32_t units = take_number(b);
    uint32_t name = take_number(b), file = take_number(b), begin = 0;
    uint64_t calls = 0;
    VEC_RESET(&l->all);
    for (uint32_t u = 0; !b->bad && u < units; u++) {
        uint32_t from = take_number(b);
        (void)take_number(b); /* columns */
        uint32_t to = take_number(b);
        (void)take_number(b);
        (void)take_number(b); /* statements */
        uint64_t count = f != NULL && u < f->n ? p->sums[f->at + u] : 0;
        begin = u == 0 ? from : begin;
        calls = u == 0 ? count : calls;
        b->bad = b->bad || to < from || to - from > LINES_MOST;
        for (uint32_t line = from; !b->bad && line <= to; line++) {
            note_line(l, line, count);
        }
    }
    struct str named = text_of(b, name), source = text_of(b, file);
    if (b->bad) {
        return;
    }
    strbuf_printf(out, "SF:%.*s\nFN:%" PRIu32 ",%.*s\n", STR_ARG(source), begin, STR_ARG(named));
    strbuf_printf(out, "FNDA:%" PRIu64 ",%.*s\n", calls, STR_ARG(named));
    for (size_t i = 0; i < l->all.n; i++) {
        strbuf_printf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", l->all.v[i].line, l->all.v[i].count);
    }
    strbuf_adds(out, "end_of_record\n");
}

static int put_lines(const struct program *p, struct strbuf *out, struct err *err)
{
    struct arena arena;
    struct lines lines = {0};
    int status = 0;
    arena_init(&arena, 0);
    for (uint32_t i = 0; status == 0 && i < p->packages.n; i++) {
        struct blob b;
        (void)open_blob(&b, p->packages.v[i].blob, &arena);
        const struct called **calls = calls_of(p, i, b.bad ? 0 : b.n_functions, &arena);
        for (uint32_t k = 0; !b.bad && k < b.n_functions; k++) {
            b.at = take_half(&b, HEAD_BYTES + sizeof(uint32_t) * (size_t)k);
            put_function(p, &b, calls[k], &lines, out);
        }
        status = b.bad ? err_set(err, ERR_CORRUPT, 0, "%s: what its counters belong to is damaged",
                                 p->path)
                       : 0;
    }
    VEC_DONE(&lines.all);
    arena_done(&arena);
    return status;
}

/* ---- files of Go ---- */

static void put(struct strbuf *out, uint64_t number, size_t bytes)
{
    strbuf_add(out, (const char *)&number, bytes);
}

/* FNV-1a of 128 bits; its prime is 2^88 + 0x13b. */
static void hash_add(uint64_t half[2], const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t lo = half[0] ^ bytes[i];
        uint64_t low = (lo & UINT32_MAX) * 0x13b, high = (lo >> 32) * 0x13b + (low >> 32);
        half[1] = half[1] * 0x13b + (high >> 32) + (lo << 24);
        half[0] = high << 32 | (low & UINT32_MAX);
    }
}

static void hash_of(const struct program *p, uint8_t ret[HASH_BYTES])
{
    static const char *const modes[] = {"<invalid>", "set", "count", "atomic"};
    static const char *const grains[] = {"<invalid>", "perblock", "perfunc"};
    const char *mode = modes[p->mode < 4 ? p->mode : 0];
    const char *grain = grains[p->grain < 3 ? p->grain : 0];
    uint64_t half[2] = {UINT64_C(0x62b821756295c58d), UINT64_C(0x6c62272e07bb0142)};
    for (size_t i = 0; i < p->packages.n; i++) {
        hash_add(half, p->packages.v[i].hash, HASH_BYTES);
    }
    hash_add(half, (const uint8_t *)mode, strlen(mode));
    hash_add(half, (const uint8_t *)grain, strlen(grain));
    for (unsigned i = 0; i < HASH_BYTES; i++) {
        ret[i] = (uint8_t)(half[i < 8 ? 1 : 0] >> (56 - 8 * (i % 8)));
    }
}

static const char no_texts[2] = {1, 0}; /* a table with one text, which is empty */

static void put_meta(const struct program *p, const uint8_t hash[HASH_BYTES], struct strbuf *out)
{
    enum { HEADER = 56 };
    uint64_t texts = HEADER + 16 * (uint64_t)p->packages.n;
    uint64_t begin = texts + sizeof no_texts, end = begin;
    for (size_t i = 0; i < p->packages.n; i++) {
        end += p->packages.v[i].blob.n;
    }
    strbuf_add(out, "\0cvm", 4);
    put(out, 1, 4);
    put(out, end, 8);
    put(out, p->packages.n, 8);
    strbuf_add(out, (const char *)hash, HASH_BYTES);
    put(out, texts, 4);
    put(out, sizeof no_texts, 4);
    put(out, p->mode, 1);
    put(out, p->grain, 1);
    put(out, 0, 6);
    for (size_t i = 0; i < p->packages.n; i++) {
        put(out, begin, 8);
        begin += p->packages.v[i].blob.n;
    }
    for (size_t i = 0; i < p->packages.n; i++) {
        put(out, p->packages.v[i].blob.n, 8);
    }
    strbuf_add(out, no_texts, sizeof no_texts);
    for (size_t i = 0; i < p->packages.n; i++) {
        strbuf_addstr(out, p->packages.v[i].blob);
    }
}

static void put_counters(const struct program *p, const uint8_t hash[HASH_BYTES],
                         struct strbuf *out)
{
    strbuf_add(out, "\0cwm", 4);
    put(out, 1, 4);
    strbuf_add(out, (const char *)hash, HASH_BYTES);
    put(out, 1, 8); /* as they are, the lowest byte first */
    put(out, p->called.n, 8);
    put(out, sizeof no_texts, 4);
    put(out, 2, 4); /* no arguments, to the next word */
    strbuf_add(out, no_texts, sizeof no_texts);
    put(out, 0, 2);
    for (size_t i = 0; i < p->called.n; i++) {
        const struct called *f = &p->called.v[i];
        put(out, f->n, 4);
        put(out, f->package, 4);
        put(out, f->number, 4);
        for (uint32_t k = 0; k < f->n; k++) {
            uint64_t sum = p->sums[f->at + k];
            put(out, sum < UINT32_MAX ? sum : UINT32_MAX, 4);
        }
    }
    strbuf_add(out, "\0cwm", 4);
    put(out, 0, 4);
    put(out, 1, 8); /* segments */
}

static int write_program(const struct program *p, size_t number, const char *dir, struct err *err)
{
    SCOPED_STRBUF lines = {0}, meta = {0}, counters = {0}, to = {0}, name = {0};
    uint8_t hash[HASH_BYTES];
    hash_of(p, hash);
    for (unsigned i = 0; i < HASH_BYTES; i++) {
        strbuf_printf(&name, "%02x", hash[i]);
    }
    int status = put_lines(p, &lines, err);
    put_meta(p, hash, &meta);
    put_counters(p, hash, &counters);
    strbuf_printf(&to, "%s/go%zu.lcov", dir, number);
    status = status != 0 ? status : file_write(strbuf_cstr(&to), strbuf_str(&lines), err);
    strbuf_reset(&to);
    strbuf_printf(&to, "%s/covmeta.%s", dir, strbuf_cstr(&name));
    status = status != 0 ? status : file_write(strbuf_cstr(&to), strbuf_str(&meta), err);
    strbuf_reset(&to);
    strbuf_printf(&to, "%s/covcounters.%s.1.1", dir, strbuf_cstr(&name));
    return status != 0 ? status : file_write(strbuf_cstr(&to), strbuf_str(&counters), err);
}

int gocover_write(const struct gocover *go, const char *dir, struct err *err)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < go->programs.n; i++) {
        const struct program *p = go->programs.v[i];
        status = p->any ? dir_make(dir, err) : 0;
        status = status == 0 && p->any ? write_program(p, i + 1, dir, err) : status;
    }
    return status;
}
