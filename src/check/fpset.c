/* The fingerprint set: see fpset.h.
 *
 * Memory: one array of buckets of eight words, each bucket one cache line. A key is the fingerprint
 * passed through a bijection, so that any model's fingerprints spread evenly; its bucket is the
 * high part of key x number of buckets. Therefore
 *   - the table may have any size, not only powers of two, and
 *   - going through the buckets yields the keys nearly sorted: growing copies forward and gives
 * pages back behind it (no moment at which old and new table are both whole in memory), and writing
 * a sorted file needs only a local sort. A full bucket overflows into the next ones, at most
 * PROBE_BUCKETS away; what finds no room even there goes to a small map under a lock, so that a
 * state with millions of successors cannot break the table while other threads have not come to a
 * stop yet. Slots are filled in order and never emptied: a thread that meets an empty slot knows
 * that the key is not there, and a compare-and-swap settles races. Key 0 means empty; the
 * fingerprint that maps to it has a flag of its own.
 *
 * Disk: when the table may not grow, all its keys become one sorted file (fprun.c), and the table
 * starts empty again. Files are merged so that each is at least twice as large as the one after it;
 * their number is logarithmic. Keys that turn out to be in a file already stay in the table as a
 * cache. */
#include "check/fpset.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/mman.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "check/fprun.h"
#include "check/store.h"

enum { SLOTS = 8 }; /* in a bucket: 64 bytes */
#ifdef ASSAY_TINY
enum { PROBE_BUCKETS = 2, BUCKETS_MIN = 2, NOTE_MAX = 1 };
#else
enum {
    PROBE_BUCKETS = 16,
    BUCKETS_MIN = 1024, /* 64 KiB */
    NOTE_MAX = 256      /* additions a thread may keep to itself */
};
#endif
enum { RUNS_MAX = 64 }; /* sizes double from one to the next */

struct bucket {
    _Atomic uint64_t slot[SLOTS];
};

struct fpset {
    struct bucket *table; /* nbucket + PROBE_BUCKETS: the last ones overflow without wrapping */
    uint64_t nbucket;
    uint64_t nbucket_max;
    uint64_t note;           /* additions a thread tells together */
    _Atomic uint64_t count;  /* keys in the table, up to what threads keep to themselves */
    uint64_t limit;          /* full above it; written alone */
    _Atomic bool zero;       /* whether key 0 is in the set */
    _Atomic bool stash_used; /* something is in the stash */
    pthread_mutex_t stash_lock;
    struct u64map stash; /* under stash_lock */
    struct store *store;
    struct fprun runs[RUNS_MAX]; /* written alone; oldest and largest first */
    size_t nrun;
    uint64_t next_run;
    _Atomic uint64_t memory, disk; /* figures for other threads */
};

static size_t table_bytes(uint64_t nbucket)
{
    return (size_t)(nbucket + PROBE_BUCKETS) * sizeof(struct bucket);
}

static uint64_t home(uint64_t nbucket, uint64_t key)
{
    return (uint64_t)(((unsigned __int128)key * nbucket) >> 64);
}

static struct bucket *table_new(uint64_t nbucket)
{
    struct bucket *table = memory_map(table_bytes(nbucket));
    if (table_bytes(nbucket) >= (size_t)8 << 20) {
        (void)madvise(table, table_bytes(nbucket), MADV_HUGEPAGE); /* only a hint */
    }
    return table;
}

/* Sets the sizes that follow from nbucket. Tables that may still grow do so at three quarters; the
 * last one is used further. */
static void set_limits(struct fpset *set)
{
    uint64_t slots = set->nbucket * SLOTS;
    set->limit = set->nbucket < set->nbucket_max ? slots / 4 * 3 : slots / 8 * 7;
    set->note = slots / 256 < 1 ? 1 : slots / 256 > NOTE_MAX ? NOTE_MAX : slots / 256;
}

/* Publishes the figures that other threads may read at any time. */
static void set_figures(struct fpset *set)
{
    uint64_t memory = table_bytes(set->nbucket);
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
    uint64_t max = cap_bytes / sizeof(struct bucket);
    set->store = store;
    set->nbucket = BUCKETS_MIN;
    set->nbucket_max = max < BUCKETS_MIN ? BUCKETS_MIN : max;
    set->table = table_new(set->nbucket);
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
    memory_unmap(set->table, table_bytes(set->nbucket));
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
        atomic_store_explicit(&set->stash_used, true, memory_order_relaxed);
    }
    pthread_mutex_unlock(&set->stash_lock);
    return added;
}

/* Relaxed orders are enough: a key stands for itself and publishes no other memory; states travel
 * through the queue's lock. */
static bool table_insert(struct fpset *set, uint64_t key)
{
    struct bucket *bucket = set->table + home(set->nbucket, key);
    for (int probe = 0; probe < PROBE_BUCKETS; probe++, bucket++) {
        for (int i = 0; i < SLOTS; i++) {
            uint64_t have = atomic_load_explicit(&bucket->slot[i], memory_order_relaxed);
            if (have == 0 && atomic_compare_exchange_strong_explicit(&bucket->slot[i], &have, key,
                                                                     memory_order_relaxed,
                                                                     memory_order_relaxed)) {
                return true;
            }
            if (have == key) {
                return false;
            }
        }
    }
    return stash_insert(set, key);
}

enum fpset_answer fpset_insert(struct fpset *set, struct fpset_local *local, uint64_t fp)
{
    uint64_t key = hash_mix(fp);
    if (key == 0) {
        return atomic_exchange_explicit(&set->zero, true, memory_order_relaxed) ? FPSET_SEEN
                                                                                : FPSET_NEW;
    }
    if (!table_insert(set, key)) {
        return FPSET_SEEN;
    }
    if (++local->added >= set->note) {
        atomic_fetch_add_explicit(&set->count, local->added, memory_order_relaxed);
        local->added = 0;
    }
    return set->nrun == 0 ? FPSET_NEW : FPSET_MAYBE;
}

bool fpset_full(const struct fpset *set)
{
    return atomic_load_explicit(&set->count, memory_order_relaxed) > set->limit ||
           atomic_load_explicit(&set->stash_used, memory_order_relaxed);
}

bool fpset_has_files(const struct fpset *set)
{
    return set->nrun > 0;
}

/* ---- growing ---- */

struct growing {
    struct fpset *set;
    struct bucket *old;
    uint64_t nold; /* buckets */
    _Atomic uint64_t count;
};

/* Moves one part of the old table. Parts write to different regions of the new one, but for their
 * edges, so inserting is as between workers. */
static void grow_part(void *arg, unsigned part, unsigned nparts)
{
    enum { RELEASE = (4 << 20) / sizeof(struct bucket) }; /* pages go back in steps of 4 MiB */
    struct growing *growing = arg;
    uint64_t first = growing->nold * part / nparts;
    uint64_t end = growing->nold * (part + 1) / nparts;
    uint64_t count = 0;
    for (uint64_t b = first; b < end; b++) {
        for (int i = 0; i < SLOTS; i++) {
            uint64_t key = atomic_load_explicit(&growing->old[b].slot[i], memory_order_relaxed);
            if (key) {
                (void)table_insert(growing->set, key); /* all keys are different */
                count++;
            }
        }
        if (b % RELEASE == RELEASE - 1 && b + 1 - first >= RELEASE) {
            (void)madvise(growing->old + (b + 1 - RELEASE), RELEASE * sizeof(struct bucket),
                          MADV_DONTNEED);
        }
    }
    atomic_fetch_add(&growing->count, count);
}

static void grow(struct fpset *set, uint64_t nbucket, const struct helpers *helpers)
{
    enum { ALONE_BUCKETS = 1 << 14 }; /* below 1 MiB helpers are not worth waking */
    struct growing growing = {.set = set, .old = set->table, .nold = set->nbucket + PROBE_BUCKETS};
    struct u64map stash = set->stash;
    set->stash = (struct u64map){0};
    atomic_store(&set->stash_used, false);
    set->table = table_new(nbucket);
    set->nbucket = nbucket;
    set_limits(set);
    if (helpers && growing.nold >= ALONE_BUCKETS) {
        helpers->run(helpers->self, grow_part, &growing);
    } else {
        grow_part(&growing, 0, 1);
    }
    for (size_t i = 0; i < stash.n; i++) {
        (void)table_insert(set, stash.entries[i].key);
    }
    atomic_store(&set->count, atomic_load(&growing.count) + stash.n);
    u64map_done(&stash);
    memory_unmap(growing.old, (size_t)growing.nold * sizeof(struct bucket));
}

/* ---- moving to disk ---- */

/* Sorts keys that are nearly in order. */
static void sort_nearly(uint64_t *keys, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t key = keys[i];
        size_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
        }
        keys[at] = key;
    }
}

/* Moves the keys of the table to its front, sorted. The table is no table afterwards. */
static size_t compact(struct fpset *set, uint64_t **ret_keys)
{
    void *table = set->table;
    uint64_t *keys = table; /* alone, so plain words will do */
    uint64_t nslot = (set->nbucket + PROBE_BUCKETS) * SLOTS;
    size_t n = 0;
    for (uint64_t i = 0; i < nslot; i++) {
        if (keys[i]) {
            keys[n++] = keys[i];
        }
    }
    sort_nearly(keys, n);
    *ret_keys = keys;
    return n;
}

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

static int write_run(struct fpset *set, struct fprun *ret_run, struct err *err)
{
    struct fprun_writer writer;
    int status = fprun_begin(set->store, set->next_run++, &writer, err);
    if (status < 0) {
        return status;
    }
    uint64_t *keys = NULL;
    size_t n = compact(set, &keys);
    struct fpset_query *extra = stash_sorted(set);
    size_t e = 0;
    for (size_t i = 0; i < n && status == 0; i++) {
        while (e < set->stash.n && extra[e].key < keys[i] && status == 0) {
            status = fprun_put(&writer, extra[e++].key, err);
        }
        status = status < 0 ? status : fprun_put(&writer, keys[i], err);
    }
    while (e < set->stash.n && status == 0) {
        status = fprun_put(&writer, extra[e++].key, err);
    }
    vec_release(extra);
    if (status < 0) {
        fprun_abandon(&writer);
        return status;
    }
    return fprun_end(&writer, ret_run, err);
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
    memset((void *)set->table, 0, table_bytes(set->nbucket));
    u64map_done(&set->stash);
    atomic_store(&set->stash_used, false);
    atomic_store(&set->count, 0);
    return merge_runs(set, err);
}

int fpset_make_room(struct fpset *set, const struct helpers *helpers, struct err *err)
{
    uint64_t want = set->nbucket * (set->nbucket * sizeof(struct bucket) < (1 << 20) ? 4 : 2);
    while (want * SLOTS / 2 < atomic_load(&set->count) + set->stash.n) {
        want *= 2; /* the stash may hold more than the table */
    }
    want = want < set->nbucket_max ? want : set->nbucket_max;
    if (want > set->nbucket + set->nbucket / 8 &&
        want * SLOTS / 8 * 7 > atomic_load(&set->count) + set->stash.n) {
        grow(set, want, helpers);
        set_figures(set);
        return 0;
    }
    int status = move_to_disk(set, err);
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

uint64_t fpset_distance(struct fpset *set)
{
    uint64_t *keys = NULL;
    uint64_t least = UINT64_MAX;
    size_t n = compact(set, &keys);
    for (size_t i = 1; i < n; i++) {
        uint64_t gap = keys[i] - keys[i - 1];
        least = gap < least ? gap : least;
    }
    return least;
}
