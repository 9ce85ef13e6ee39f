/* The fingerprint set: see fpset.h.
 *
 * A key is the fingerprint passed through a bijection, so that any model's fingerprints spread
 * evenly. Keys live in a table (fptable.c); the few that find no room there in a small map under a
 * lock, the stash, so that a state with millions of successors cannot break the table while other
 * threads have not come to a stop yet.
 *
 * Disk: when the table may not grow, all its keys become one sorted file (fprun.c), and the table
 * starts empty again. Files are merged so that each is at least twice as large as the one after it;
 * their number is logarithmic. Keys that turn out to be in a file already stay in the table as a
 * cache. */
#include "check/fpset.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "check/fprun.h"
#include "check/fptable.h"
#include "check/store.h"

#ifdef ASSAY_TINY
enum { BUCKETS_MIN = 2, NOTE_MAX = 1, STASH_MIN = 0 };
#else
enum {
    BUCKETS_MIN = 1024, /* 64 KiB */
    NOTE_MAX = 256,     /* additions a thread may keep to itself */
    STASH_MIN = 64
};
#endif
enum { RUNS_MAX = 64 }; /* sizes double from one to the next */

struct fpset {
    struct fptable table;
    uint64_t note;      /* additions a thread tells together */
    uint64_t limit;     /* full above it; written alone */
    uint64_t stash_max; /* and above it */
    struct store *store;
    struct fprun runs[RUNS_MAX]; /* written alone; oldest and largest first */
    size_t nrun;
    uint64_t next_run;

    alignas(128) _Atomic uint64_t count; /* keys in the table, but for what threads keep back */
    _Atomic uint64_t nstash;
    pthread_mutex_t stash_lock;
    struct u64map stash;           /* under stash_lock */
    _Atomic uint64_t memory, disk; /* figures for other threads */
};

/* Keys in a table that is full. */
static uint64_t limit_of(uint64_t slots)
{
    return slots / 20 * 17 + slots % 20 * 17 / 20;
}

/* Sets the sizes that follow from the table's. */
static void set_limits(struct fpset *set)
{
    uint64_t slots = fptable_slots(&set->table);
    set->limit = limit_of(slots);
    set->stash_max = slots / 50 + STASH_MIN;
    set->note = slots / 256 < 1 ? 1 : slots / 256 > NOTE_MAX ? NOTE_MAX : slots / 256;
}

/* Publishes the figures that other threads may read at any time. */
static void set_figures(struct fpset *set)
{
    uint64_t memory = fptable_bytes(&set->table);
    uint64_t disk = 0;
    for (size_t i = 0; i < set->nrun; i++) {
        memory += set->runs[i].index_cap * sizeof(uint64_t);
        disk += set->runs[i].n * sizeof(uint64_t);
    }
    atomic_store_explicit(&set->memory, memory, memory_order_relaxed);
    atomic_store_explicit(&set->disk, disk, memory_order_relaxed);
}

int fpset_new(struct store *store, uint64_t cap_bytes, struct fpset **ret_set, struct err *err)
{
    (void)err;
    struct fpset *set = memory_map(sizeof *set);
    uint64_t max = cap_bytes / sizeof(struct fpbucket);
    set->store = store;
    fptable_init(&set->table, BUCKETS_MIN, max < BUCKETS_MIN ? BUCKETS_MIN : max);
    pthread_mutex_init(&set->stash_lock, NULL);
    set_limits(set);
    set_figures(set);
    *ret_set = set;
    return 0;
}

void fpset_free(struct fpset *set)
{
    if (!set) {
        return;
    }
    for (size_t i = 0; i < set->nrun; i++) {
        fprun_drop(set->store, &set->runs[i]);
    }
    fptable_done(&set->table);
    u64map_done(&set->stash);
    pthread_mutex_destroy(&set->stash_lock);
    memory_unmap(set, sizeof *set);
}

/* ---- inserting ---- */

/* True when the key was not there. */
static bool stash_insert(struct fpset *set, uint64_t key)
{
    uint64_t value = 0;
    pthread_mutex_lock(&set->stash_lock);
    bool added = !u64map_get(&set->stash, key, &value);
    if (added) {
        u64map_put(&set->stash, key, 1);
        atomic_store_explicit(&set->nstash, set->stash.n, memory_order_relaxed);
    }
    pthread_mutex_unlock(&set->stash_lock);
    return added;
}

enum fpset_answer fpset_insert(struct fpset *set, struct fpset_local *local, uint64_t fp)
{
    uint64_t key = hash_mix(fp);
    switch (fptable_insert(&set->table, key)) {
    case FPTABLE_SEEN: return FPSET_SEEN;
    case FPTABLE_NEW:
        if (++local->added >= set->note) {
            atomic_fetch_add_explicit(&set->count, local->added, memory_order_relaxed);
            local->added = 0;
        }
        break;
    case FPTABLE_NO_ROOM:
        if (!stash_insert(set, key)) {
            return FPSET_SEEN;
        }
        break;
    }
    return set->nrun == 0 ? FPSET_NEW : FPSET_MAYBE;
}

bool fpset_seen(struct fpset *set, uint64_t fp)
{
    return fptable_has(&set->table, hash_mix(fp));
}

/* Asks for the line to write to it: a locked instruction on a line that another core holds too
 * would wait. Processors that do not know the instruction do nothing. */
#ifdef __x86_64__
__attribute__((target("prfchw")))
#endif
void fpset_prefetch(const struct fpset *set, uint64_t fp)
{
    fptable_prefetch(&set->table, hash_mix(fp));
}

bool fpset_full(const struct fpset *set)
{
    return atomic_load_explicit(&set->count, memory_order_relaxed) > set->limit ||
           atomic_load_explicit(&set->nstash, memory_order_relaxed) > set->stash_max;
}

bool fpset_has_files(const struct fpset *set)
{
    return set->nrun > 0;
}

/* ---- growing ---- */

static void to_stash(void *arg, uint64_t key)
{
    struct fpset *set = arg;
    (void)stash_insert(set, key);
}

static void grow(struct fpset *set, uint64_t nbucket, const struct helpers *helpers)
{
    struct u64map stash = set->stash;
    uint64_t total = atomic_load(&set->count) + stash.n;
    set->stash = (struct u64map){0};
    atomic_store(&set->nstash, 0);
    fptable_grow(&set->table, nbucket, helpers, to_stash, set);
    set_limits(set);
    for (size_t i = 0; i < stash.n; i++) {
        enum { AHEAD = 16 };
        if (i + AHEAD < stash.n) {
            fptable_prefetch(&set->table, stash.entries[i + AHEAD].key);
        }
        if (fptable_insert(&set->table, stash.entries[i].key) == FPTABLE_NO_ROOM) {
            (void)stash_insert(set, stash.entries[i].key);
        }
    }
    u64map_done(&stash);
    atomic_store(&set->count, total - set->stash.n);
}

/* ---- moving to disk ---- */

static void sort_by_insertion(struct fpset_query *q, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct fpset_query one = q[i];
        size_t at = i;
        for (; at > 0 && q[at - 1].key > one.key; at--) {
            q[at] = q[at - 1];
        }
        q[at] = one;
    }
}

/* One pass of American flag sort: moves each query to the part of its byte at `shift`. start[b] is
 * where part b begins. */
static void sort_pass(struct fpset_query *q, size_t n, int shift, size_t start[257])
{
    size_t count[256] = {0};
    size_t next[256];
    for (size_t i = 0; i < n; i++) {
        count[(q[i].key >> shift) & 255]++;
    }
    start[0] = 0;
    for (int b = 0; b < 256; b++) {
        next[b] = start[b];
        start[b + 1] = start[b] + count[b];
    }
    for (size_t b = 0; b < 256; b++) {
        while (next[b] < start[b + 1]) {
            struct fpset_query one = q[next[b]];
            for (size_t to = (one.key >> shift) & 255; to != b; to = (one.key >> shift) & 255) {
                struct fpset_query other = q[next[to]];
                q[next[to]++] = one;
                one = other;
            }
            q[next[b]++] = one;
        }
    }
}

/* Sorts by key, in place. */
static void sort_queries(struct fpset_query *q, size_t n, int shift)
{
    enum { SMALL = 48 };
    if (n < SMALL || shift < 0) {
        sort_by_insertion(q, n);
        return;
    }
    size_t start[257];
    sort_pass(q, n, shift, start);
    for (int b = 0; b < 256; b++) {
        sort_queries(q + start[b], start[b + 1] - start[b], shift - 8);
    }
}

/* The keys of the stash, sorted; [n] in a block of the caller's to release. */
static struct fpset_query *stash_sorted(struct fpset *set)
{
    size_t cap = 0;
    struct fpset_query *keys = vec_grow(NULL, &cap, set->stash.n + 1, sizeof *keys);
    for (size_t i = 0; i < set->stash.n; i++) {
        keys[i] = (struct fpset_query){.key = set->stash.entries[i].key};
    }
    sort_queries(keys, set->stash.n, 56);
    return keys;
}

/* Writes the keys of the table and, between them, those of the stash. */
struct run_source {
    struct fprun_writer writer;
    const struct fpset_query *extra; /* sorted */
    size_t nextra, at;
    struct err *err;
};

static int write_key(void *arg, uint64_t key)
{
    struct run_source *source = arg;
    int status = 0;
    while (status == 0 && source->at < source->nextra && source->extra[source->at].key < key) {
        status = fprun_put(&source->writer, source->extra[source->at++].key, source->err);
    }
    return status < 0 ? status : fprun_put(&source->writer, key, source->err);
}

static int write_run(struct fpset *set, struct fprun *ret_run, struct err *err)
{
    struct run_source source = {.nextra = set->stash.n, .err = err};
    int status = fprun_begin(set->store, set->next_run++, &source.writer, err);
    if (status < 0) {
        return status;
    }
    struct fpset_query *extra = stash_sorted(set);
    source.extra = extra;
    status = fptable_each(&set->table, 0, set->table.geo.nbucket, write_key, &source);
    while (source.at < source.nextra && status == 0) {
        status = fprun_put(&source.writer, extra[source.at++].key, err);
    }
    vec_release(extra);
    if (status < 0) {
        fprun_abandon(&source.writer);
        return status;
    }
    return fprun_end(&source.writer, ret_run, err);
}

/* Keeps the number of runs logarithmic. */
static int merge_runs(struct fpset *set, struct err *err)
{
    while (set->nrun >= 2 &&
           (set->runs[set->nrun - 2].n < 2 * set->runs[set->nrun - 1].n || set->nrun == RUNS_MAX)) {
        struct fprun merged;
        int status = fprun_merge(set->store, &set->runs[set->nrun - 2], &set->runs[set->nrun - 1],
                                 set->next_run++, &merged, err);
        if (status < 0) {
            return status;
        }
        fprun_drop(set->store, &set->runs[set->nrun - 2]);
        fprun_drop(set->store, &set->runs[set->nrun - 1]);
        set->runs[set->nrun - 2] = merged;
        set->nrun--;
    }
    return 0;
}

static int move_to_disk(struct fpset *set, struct err *err)
{
    struct fprun run;
    int status = write_run(set, &run, err);
    if (status < 0) {
        return status;
    }
    set->runs[set->nrun++] = run;
    fptable_clear(&set->table);
    u64map_done(&set->stash);
    atomic_store(&set->nstash, 0);
    atomic_store(&set->count, 0);
    return merge_runs(set, err);
}

/* Small tables double. Large ones grow by less, so that they are never much larger than needed:
 * growing goes through all keys, but in order, which costs little next to finding them. */
static uint64_t next_size(const struct fpset *set)
{
    uint64_t nbucket = set->table.geo.nbucket;
    uint64_t max = set->table.nbucket_max;
    uint64_t bytes = nbucket * sizeof(struct fpbucket);
    uint64_t want = bytes < UINT64_C(1) << 20   ? nbucket * 4
                    : bytes < UINT64_C(1) << 28 ? nbucket * 2
                                                : nbucket / 4 * 5;
    uint64_t keys = atomic_load(&set->count) + set->stash.n;
    while (limit_of(fptable_slots_of(want)) <= keys) { /* the stash may hold more than the table */
        want *= 2;
    }
    /* A last step that would be too small for its cost is taken with this one. */
    return want > max - max / 16 ? max : want;
}

int fpset_make_room(struct fpset *set, const struct helpers *helpers, struct err *err)
{
    uint64_t want = next_size(set);
    uint64_t keys = atomic_load(&set->count) + set->stash.n;
    int status = 0;
    if (want > set->table.geo.nbucket + set->table.geo.nbucket / 16 &&
        limit_of(fptable_slots_of(want)) > keys) {
        grow(set, want, helpers);
    } else {
        status = move_to_disk(set, err);
    }
    set_figures(set);
    return status;
}

/* ---- asking the files ---- */

int fpset_find(struct fpset *set, uint64_t fp, struct err *err)
{
    uint64_t key = hash_mix(fp);
    for (size_t i = set->nrun; i-- > 0;) {
        int found = fprun_find(set->store, &set->runs[i], key, err);
        if (found != 0) {
            return found;
        }
    }
    return 0;
}

int fpset_contains(struct fpset *set, uint64_t fp, struct err *err)
{
    uint64_t key = hash_mix(fp);
    uint64_t value = 0;
    if (fptable_has(&set->table, key) ||
        (set->stash.n > 0 && u64map_get(&set->stash, key, &value))) {
        return 1;
    }
    return set->nrun > 0 ? fpset_find(set, fp, err) : 0;
}

struct resolving {
    struct fpset *set;
    const struct fpset_batch *batch;
    size_t start[257]; /* parts of the queries by their first byte */
    pthread_mutex_t lock;
    int status; /* under lock: the first failure */
    struct err err;
};

/* Sorts and matches the queries of some first bytes. */
static void resolve_part(void *arg, unsigned part, unsigned nparts)
{
    struct resolving *r = arg;
    struct fpset *set = r->set;
    size_t first = (size_t)256 * part / nparts;
    size_t end = (size_t)256 * (part + 1) / nparts;
    for (size_t b = first; b < end; b++) {
        sort_queries(r->batch->queries + r->start[b], r->start[b + 1] - r->start[b], 48);
    }
    struct fpset_batch own = *r->batch;
    struct err err = {0};
    int status = 0;
    own.queries += r->start[first];
    own.n = r->start[end] - r->start[first];
    for (size_t i = 0; i < set->nrun && status == 0 && own.n > 0; i++) {
        status = fprun_match(set->store, &set->runs[i], &own, &err);
    }
    if (status < 0) {
        pthread_mutex_lock(&r->lock);
        r->status = status;
        r->err = err;
        pthread_mutex_unlock(&r->lock);
    }
}

int fpset_resolve(struct fpset *set, const struct fpset_batch *batch, const struct helpers *helpers,
                  struct err *err)
{
    struct resolving r = {.set = set, .batch = batch};
    pthread_mutex_init(&r.lock, NULL);
    for (size_t i = 0; i < batch->n; i++) {
        batch->queries[i].key = hash_mix(batch->queries[i].key);
    }
    sort_pass(batch->queries, batch->n, 56, r.start);
    if (helpers) {
        helpers->run(helpers->self, resolve_part, &r);
    } else {
        resolve_part(&r, 0, 1);
    }
    pthread_mutex_destroy(&r.lock);
    if (r.status < 0) {
        *err = r.err;
    }
    return r.status;
}

/* ---- figures ---- */

uint64_t fpset_memory(const struct fpset *set)
{
    return atomic_load_explicit(&set->memory, memory_order_relaxed);
}

uint64_t fpset_disk(const struct fpset *set)
{
    return atomic_load_explicit(&set->disk, memory_order_relaxed);
}

/* The keys of some buckets, by a thread of its own. */
struct gaps {
    const struct fpset *set;
    uint64_t first_bucket, end_bucket;
    uint64_t first, last, least;
    bool any;
};

static int note_gap(void *arg, uint64_t key)
{
    struct gaps *gaps = arg;
    uint64_t gap = key - gaps->last;
    if (!gaps->any) {
        gaps->first = key;
        gaps->any = true;
    } else if (gap < gaps->least) {
        gaps->least = gap;
    }
    gaps->last = key;
    return 0;
}

static void *find_gaps(void *arg)
{
    struct gaps gaps = *(struct gaps *)arg; /* a copy of its own, in no one's cache line */
    int status =
        fptable_each(&gaps.set->table, gaps.first_bucket, gaps.end_bucket, note_gap, &gaps);
    (void)status; /* note_gap does not stop it */
    *(struct gaps *)arg = gaps;
    return NULL;
}

uint64_t fpset_distance(const struct fpset *set, unsigned threads)
{
    enum { PARTS = 16, ALONE = 1 << 16 };
    struct gaps gaps[PARTS];
    pthread_t thread[PARTS] = {0};
    bool started[PARTS] = {0};
    uint64_t nbucket = set->table.geo.nbucket;
    unsigned parts = nbucket < ALONE || threads < 1 ? 1 : threads < PARTS ? threads : PARTS;
    for (unsigned i = parts; i-- > 0;) {
        gaps[i] = (struct gaps){.set = set,
                                .first_bucket = nbucket * i / parts,
                                .end_bucket = nbucket * (i + 1) / parts,
                                .least = UINT64_MAX};
        started[i] = i > 0 && pthread_create(&thread[i], NULL, find_gaps, &gaps[i]) == 0;
        if (!started[i]) {
            (void)find_gaps(&gaps[i]);
        }
    }
    struct gaps all = {.least = UINT64_MAX};
    for (unsigned i = 0; i < parts; i++) {
        if (started[i]) {
            (void)pthread_join(thread[i], NULL);
        }
        if (gaps[i].any) {
            (void)note_gap(&all, gaps[i].first);
            all.last = gaps[i].last;
            all.least = gaps[i].least < all.least ? gaps[i].least : all.least;
        }
    }
    return all.least;
}
