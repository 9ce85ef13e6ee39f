/* The instance of a class: all objects of the heap are looked at, one behind the other, as they
 * stand.
 *
 * Only the serial collector's heap is known, which is also what HotSpot chooses where it sees one
 * processor. Of the part in which each thread allocates (its TLAB) what is not used yet holds
 * anything, and is left out. An object that nothing refers to is there until the collector runs. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "lang/java_int.h"
#include "lang/lang_int.h"

enum { CHUNK = 65536, KNOWN = 4096, THREADS_MOST = 4096, TLABS_MOST = 512 };
#define OBJECTS_MOST UINT64_C(200000000)

struct jkind { /* of the objects of a class */
    uint64_t klass;
    int32_t layout; /* how large they are: see object_size */
    bool mirror;    /* java.lang.Class: each says its own size */
    bool wanted;
};
struct gap {
    uint64_t begin, end;
};
struct walk {
    struct lreader *rd;
    const struct java *java;
    struct str name;
    struct jkind kinds[KNOWN];
    struct gap gaps[TLABS_MOST];
    size_t n_gaps;
    uint8_t chunk[CHUNK];
    uint64_t chunk_at, chunk_n;
    uint64_t found, others;
    int32_t mirror_size;
};

/* From a copy of the neighbourhood. */
static int near_read(struct walk *w, uint64_t addr, uint64_t end, void *buf, size_t n)
{
    if (addr < w->chunk_at || addr + n > w->chunk_at + w->chunk_n) {
        uint64_t most = end - addr < CHUNK ? end - addr : CHUNK;
        w->chunk_n = 0;
        if (n > most) {
            return err_set(w->rd->err, ERR_CORRUPT, 0, "an object goes beyond the heap");
        }
        int status = lread(w->rd, addr, w->chunk, most);
        if (status != 0) {
            return status;
        }
        w->chunk_at = addr;
        w->chunk_n = most;
    }
    memcpy(buf, w->chunk + (addr - w->chunk_at), n);
    return 0;
}

static int kind_of(struct walk *w, uint64_t klass, struct jkind **ret)
{
    struct jkind *k = &w->kinds[(klass >> 3) % KNOWN];
    struct str name;
    *ret = k;
    if (k->klass == klass) {
        return 0;
    }
    int status = java_klass_name(w->rd, klass, &name);
    status = status != 0
                 ? status
                 : lread(w->rd, klass + w->java->at.klass_layout, &k->layout, sizeof k->layout);
    if (status == 0) {
        k->klass = klass;
        k->mirror = str_is(name, "java/lang/Class");
        k->wanted = k->layout > 0 && java_derives(w->rd, klass, w->name);
    }
    return status;
}

/* A class's layout helper: bytes of an instance (the lowest bit says something else), or, below 0,
 * the header and the logarithm of the element's size of an array. */
static int object_size(struct walk *w, uint64_t at, uint64_t end, const struct jkind *k,
                       uint64_t *ret)
{
    bool narrow = w->java->narrow_klasses;
    int32_t n = 0;
    int status = 0;
    *ret = 0;
    if (k->mirror) {
        status = near_read(w, at + (uint64_t)w->mirror_size, end, &n, sizeof n);
        *ret = n > 0 ? 8 * (uint64_t)n : 0;
    } else if (k->layout > 0) {
        *ret = (uint64_t)k->layout & ~UINT64_C(7);
    } else {
        uint64_t header = (uint64_t)(k->layout >> 16) & 255;
        unsigned log2 = (unsigned)k->layout & 63;
        status = near_read(w, at + (narrow ? 12 : 16), end, &n, sizeof n);
        *ret = n >= 0 && log2 < 4 ? (header + ((uint64_t)n << log2) + 7) & ~UINT64_C(7) : 0;
    }
    if (status == 0 && (*ret < 16 || *ret > end - at)) {
        status = err_set(
            w->rd->err, ERR_CORRUPT, 0,
            "the heap cannot be followed: an object of %" PRIu64 " bytes at 0x%" PRIx64, *ret, at);
    }
    return status;
}

static uint64_t behind_gap(const struct walk *w, uint64_t at)
{
    for (size_t i = 0; i < w->n_gaps; i++) {
        if (w->gaps[i].begin == at) {
            return w->gaps[i].end;
        }
    }
    return at;
}

static int walk_space(struct walk *w, uint64_t begin, uint64_t end)
{
    int status = 0;
    w->chunk_n = 0;
    for (uint64_t at = begin, n = 0; status == 0 && at < end; n++) {
        uint64_t next = behind_gap(w, at), klass = 0, size = 0;
        struct jkind *kind = NULL;
        if (next != at) {
            at = next;
            continue;
        }
        if (n == OBJECTS_MOST) {
            return err_set(w->rd->err, ERR_LIMIT, 0, "too many objects");
        }
        uint32_t narrow = 0;
        status = w->java->narrow_klasses ? near_read(w, at + 8, end, &narrow, sizeof narrow)
                                         : near_read(w, at + 8, end, &klass, sizeof klass);
        if (w->java->narrow_klasses) {
            klass = w->java->klass_base + ((uint64_t)narrow << w->java->klass_shift);
        }
        status = status != 0 ? status : kind_of(w, klass, &kind);
        status = status != 0 ? status : object_size(w, at, end, kind, &size);
        if (status == 0 && kind->wanted) {
            w->others += w->found != 0 ? 1 : 0;
            w->found = w->found != 0 ? w->found : at;
        }
        at += size;
    }
    return status;
}

/* What of the threads' parts is not used: from the top to the end, and what is kept free behind it,
 * for an object that fills it up and for prefetching. */
static int find_gaps(struct walk *w)
{
    const struct jlayout *at = &w->java->at;
    uint64_t list = 0, threads = 0, thread = 0;
    uint32_t n = 0;
    uint64_t reserve = 0, align = 0; /* words */
    int status = at->tlab_reserve == 0 ? 0 : lread(w->rd, at->tlab_reserve, &reserve, 4);
    status =
        status != 0 || at->tlab_align == 0 ? status : lread_word(w->rd, at->tlab_align, &align);
    status = status != 0 ? status : lread_word(w->rd, at->threads, &list);
    reserve = reserve > align ? reserve : align;
    reserve = 8 * (reserve > 2 ? reserve : 2);
    status = status != 0 ? status : lread(w->rd, list + at->list_length, &n, sizeof n);
    status = status != 0 ? status : lread_word(w->rd, list + at->list_threads, &threads);
    for (uint32_t i = 0; status == 0 && i < n && i < THREADS_MOST && w->n_gaps < TLABS_MOST; i++) {
        struct gap gap = {0, 0};
        status = lread_word(w->rd, threads + 8 * (uint64_t)i, &thread);
        uint64_t tlab = thread + at->thread_tlab;
        status = status != 0 ? status : lread_word(w->rd, tlab + at->tlab_top, &gap.begin);
        status = status != 0 ? status : lread_word(w->rd, tlab + at->tlab_end, &gap.end);
        if (status == 0 && gap.begin != 0 && gap.end >= gap.begin) {
            gap.end += reserve;
            w->gaps[w->n_gaps++] = gap;
        }
    }
    return status;
}

static int walk_spaces(struct walk *w)
{
    const struct jlayout *at = &w->java->at;
    uint64_t heap = 0, young = 0, old = 0, spaces[4] = {0};
    int status = lread_word(w->rd, at->heap, &heap);
    status = status != 0 ? status : lread_word(w->rd, heap + at->young, &young);
    status = status != 0 ? status : lread_word(w->rd, heap + at->old, &old);
    status = status != 0 ? status : lread_word(w->rd, young + at->eden, &spaces[0]);
    status = status != 0 ? status : lread_word(w->rd, young + at->from, &spaces[1]);
    status = status != 0 ? status : lread_word(w->rd, young + at->to, &spaces[2]);
    status = status != 0 ? status : lread_word(w->rd, old + at->tenured, &spaces[3]);
    for (size_t i = 0; status == 0 && i < 4; i++) {
        uint64_t bottom = 0, top = 0;
        status = lread_word(w->rd, spaces[i] + at->space_bottom, &bottom);
        status = status != 0 ? status : lread_word(w->rd, spaces[i] + at->space_top, &top);
        status = status != 0 ? status : walk_space(w, bottom, top);
    }
    return status;
}

int java_instance(struct lreader *rd, struct str name, uint64_t *ret)
{
    const struct java *java = (const struct java *)rd->runtime;
    uint64_t known = lfound_get(rd, name);
    if (known != 0) {
        *ret = known;
        return 0;
    }
    if (!java->serial || java->at.young == 0 || java->at.space_top == 0) {
        return err_set(rd->err, ERR_UNSUPPORTED, 0,
                       "instances are found in the heap of the serial collector only: "
                       "-XX:+UseSerialGC, or begin with a static field");
    }
    struct walk *w = ARENA_NEW(rd->arena, struct walk);
    w->rd = rd;
    w->java = java;
    w->name = name;
    int status = java->at.mirror_size == 0
                     ? 0
                     : lread(rd, java->at.mirror_size, &w->mirror_size, sizeof w->mirror_size);
    status = status != 0 ? status : find_gaps(w);
    status = status != 0 ? status : walk_spaces(w);
    if (status != 0) {
        return status;
    }
    if (w->found == 0) {
        return lread_none(rd, "there is no instance of", name);
    }
    if (w->others != 0) {
        return err_set(rd->err, ERR_INVALID, 0, "there are %" PRIu64 " instances of %.*s",
                       w->others + 1, STR_ARG(name));
    }
    lfound_put(rd, name, w->found);
    *ret = w->found;
    return 0;
}
