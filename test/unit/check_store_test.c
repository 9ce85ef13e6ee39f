/* The parts below the search: fingerprint set (threads, growth, files), queue (order, spilling,
 * claims), log of states. */
#include <pthread.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/rng.h"
#include "check/fpset.h"
#include "check/fptable.h"
#include "check/queue.h"
#include "check/store.h"
#include "check/tracelog.h"
#include "test.h"

#ifdef ASSAY_TINY
enum { KEYS = 3000, BUDGET = 4 << 10 };
#else
enum { KEYS = 300000, BUDGET = 128 << 10 };
#endif

/* ---- fingerprint set ---- */

struct inserter {
    struct fpset *set;
    unsigned index;
    uint64_t fresh;
};

static void *insert_all(void *arg)
{
    struct inserter *in = arg;
    struct fpset_local local = {0};
    for (uint64_t i = 0; i < KEYS; i++) {
        uint64_t k =
            (i + in->index * (KEYS / 4)) % KEYS; /* all the same keys, from different ends */
        in->fresh += fpset_insert(in->set, &local, hash_mix(k)) != FPSET_SEEN;
    }
    return NULL;
}

/* Four threads insert the same keys; each key is new for exactly one of them, also when the table
 * overflows. */
TEST(fpset_threads)
{
    struct store store;
    struct err err = {0};
    struct fpset *set = NULL;
    store_init(&store, NULL, NULL, 0);
    CHECK_EQ(fpset_new(&store, BUDGET, &set, &err), 0);
    pthread_t threads[4];
    struct inserter in[4];
    for (unsigned i = 0; i < 4; i++) {
        in[i] = (struct inserter){.set = set, .index = i};
        CHECK_EQ(pthread_create(&threads[i], NULL, insert_all, &in[i]), 0);
    }
    uint64_t fresh = 0;
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        fresh += in[i].fresh;
    }
    CHECK_EQ(fresh, KEYS);
    CHECK(fpset_full(set));
    CHECK_EQ(fpset_make_room(set, NULL, &err), 0); /* far more than the budget: to disk */
    CHECK(fpset_has_files(set));
    for (uint64_t k = 1; k < KEYS; k += 7) { /* 0 is never in a file */
        CHECK_EQ(fpset_find(set, hash_mix(k), &err), 1);
        CHECK_EQ(fpset_find(set, hash_mix(k + KEYS), &err), 0);
    }
    fpset_free(set);
    store_done(&store);
}

struct found {
    uint64_t n, sum;
    uint8_t *seen; /* a key may be in more than one file */
};
static void on_found(void *arg, uint64_t tag)
{
    struct found *f = arg;
    if (!f->seen[tag]) {
        f->seen[tag] = 1;
        f->n++;
        f->sum += tag;
    }
}
/* Stands for helpers: all parts one after the other. */
static void three_parts(void *self, void (*fn)(void *arg, unsigned part, unsigned nparts),
                        void *arg)
{
    (void)self;
    for (unsigned i = 0; i < 3; i++) {
        fn(arg, i, 3);
    }
}

/* Many rounds to disk; batches of old and new keys, dense and sparse, are told apart. */
TEST(fpset_files)
{
    struct store store;
    struct err err = {0};
    struct fpset *set = NULL;
    struct fpset_local local = {0};
    struct helpers helpers = {three_parts, NULL};
    uint64_t next = 0;
    struct rng rng;
    rng_seed(&rng, 3);
    store_init(&store, NULL, NULL, 0);
    CHECK_EQ(fpset_new(&store, BUDGET, &set, &err), 0);
    for (int round = 0; round < 30; round++) {
        size_t n = round % 3 == 0 ? 10 : KEYS / 60;
        struct fpset_query *q = calloc(n, sizeof *q);
        size_t asked = 0;
        uint64_t want_n = 0;
        uint64_t want_sum = 0;
        for (size_t i = 0; i < n; i++) {
            bool old = next > 0 && rng_below(&rng, 2) == 0;
            uint64_t k = old ? rng_below(&rng, next) : next++;
            enum fpset_answer answer = fpset_insert(set, &local, hash_mix(k));
            CHECK(old || answer != FPSET_SEEN);
            if (answer == FPSET_MAYBE) {
                q[asked++] = (struct fpset_query){hash_mix(k), k};
                want_n += old;
                want_sum += old ? k : 0;
            } else {
                CHECK(!old || answer == FPSET_SEEN);
            }
        }
        struct found f = {.seen = calloc(KEYS + 1, 1)};
        struct fpset_batch batch = {q, asked, on_found, &f};
        CHECK_EQ(fpset_resolve(set, &batch, round % 2 ? &helpers : NULL, &err), 0);
        CHECK_EQ(f.n, want_n);
        CHECK_EQ(f.sum, want_sum);
        while (fpset_full(set)) {
            CHECK_EQ(fpset_make_room(set, round % 2 ? &helpers : NULL, &err), 0);
        }
        free(q);
        free(f.seen);
    }
    CHECK(fpset_has_files(set));
    CHECK(fpset_disk(set) > 0);
    fpset_free(set);
    store_done(&store);
}

TEST(fpset_zero_and_growth)
{
    struct store store;
    struct err err = {0};
    struct fpset *set = NULL;
    struct fpset_local local = {0};
    struct helpers helpers = {three_parts, NULL};
    store_init(&store, NULL, NULL, 0);
    CHECK_EQ(fpset_new(&store, 64 << 20, &set, &err), 0);
    CHECK_EQ(fpset_insert(set, &local, 0), FPSET_NEW);
    CHECK_EQ(fpset_insert(set, &local, 0), FPSET_SEEN);
    for (uint64_t k = 1; k < KEYS; k++) {
        CHECK_EQ(fpset_insert(set, &local, k),
                 FPSET_NEW); /* not spread at all: the set does that */
        if (fpset_full(set)) {
            CHECK_EQ(fpset_make_room(set, k % 2 ? &helpers : NULL, &err), 0);
        }
    }
    for (uint64_t k = 0; k < KEYS; k++) {
        CHECK_EQ(fpset_insert(set, &local, k), FPSET_SEEN);
    }
    CHECK(!fpset_has_files(set));
    CHECK(fpset_distance(set, 3) > 0);
    fpset_free(set);
    store_done(&store);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The least distance is that of a sorted list, by any number of threads. */
TEST(fpset_distance_is_the_least)
{
    for (uint64_t n = 2; n <= 300000; n = n * 7 + 1) {
        struct store store;
        struct err err = {0};
        struct fpset *set = NULL;
        struct fpset_local local = {0};
        uint64_t *keys = calloc(n, sizeof *keys), least = UINT64_MAX;
        store_init(&store, NULL, NULL, 0);
        CHECK_EQ(fpset_new(&store, 64 << 20, &set, &err), 0);
        CHECK(fpset_distance(set, 1) == UINT64_MAX);
        for (uint64_t k = 0; k < n; k++) {
            keys[k] = hash_mix(k * 3 + n);
            CHECK_EQ(fpset_insert(set, &local, k * 3 + n), FPSET_NEW); /* kept as its hash */
            CHECK(k != 0 || fpset_distance(set, 3) == UINT64_MAX);
            if (fpset_full(set)) {
                CHECK_EQ(fpset_make_room(set, NULL, &err), 0);
            }
        }
        qsort(keys, n, sizeof *keys, by_value);
        for (uint64_t k = 1; k < n; k++) {
            least = keys[k] - keys[k - 1] < least ? keys[k] - keys[k - 1] : least;
        }
        for (unsigned threads = 0; threads <= 20; threads += 5) {
            CHECK(fpset_distance(set, threads) == least);
        }
        free(keys);
        fpset_free(set);
        store_done(&store);
    }
}

struct table_keys {
    uint64_t last, n;
};
static int next_key(void *arg, uint64_t key)
{
    struct table_keys *keys = arg;
    CHECK(keys->n == 0 || key > keys->last);
    keys->last = key;
    keys->n++;
    return 0;
}
static void count_lost(void *arg, uint64_t key)
{
    uint64_t *n = arg;
    (void)key;
    (*n)++;
}

/* Every layout of buckets: keys are found again after growing within it and to the next one. Only
 * some buckets are used, those closely, so that large tables cost no memory. */
TEST(fptable_layouts)
{
    static const uint64_t sizes[][3] = {
        {2,       3,        70      },
        {1 << 17, 200000,   1 << 18 },
        {1 << 18, 300000,   1 << 19 },
#ifndef __SANITIZE_THREAD__  /* which would remember every bucket looked at */
        {1 << 20, 1 << 26,  70000000},
        {1 << 26, 70000000, 86000000},
#endif
    };
    struct helpers helpers = {three_parts, NULL};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct fptable table;
        fptable_init(&table, sizes[i][0], sizes[i][2]);
        uint64_t range = UINT64_MAX / sizes[i][0] * (sizes[i][0] < 1000 ? sizes[i][0] : 1000);
        uint64_t want = fptable_slots(&table) < 5000 ? 8 : 2500;
        uint64_t held = 0;
        uint64_t lost = 0;
        for (uint64_t k = 0; k < want; k++) {
            uint64_t key = UINT64_MAX - hash_mix(k) % range;
            held += fptable_insert(&table, key) == FPTABLE_NEW;
            CHECK_EQ(fptable_insert(&table, key), FPTABLE_SEEN);
        }
        CHECK_EQ(held, want);
        for (int step = 0; step < 3; step++) {
            struct table_keys keys = {0};
            CHECK_EQ(fptable_each(&table, 0, table.geo.nbucket, next_key, &keys), 0);
            CHECK_EQ(keys.n, want);
            for (uint64_t k = 0; k < want; k++) {
                uint64_t key = UINT64_MAX - hash_mix(k) % range;
                CHECK_EQ(fptable_insert(&table, key), FPTABLE_SEEN);
            }
            if (step < 2) {
                fptable_grow(&table, sizes[i][step + 1], step ? &helpers : NULL, count_lost, &lost);
            }
        }
        CHECK_EQ(lost, 0);
        fptable_done(&table);
    }
}

/* Millions of keys, through the layouts up to the second, in one thread and in several. */
TEST(fpset_large)
{
    struct store store;
    struct err err = {0};
    struct fpset *set = NULL;
    struct fpset_local local = {0};
    struct helpers helpers = {three_parts, NULL};
    store_init(&store, NULL, NULL, 0);
    CHECK_EQ(fpset_new(&store, 256 << 20, &set, &err), 0);
    for (uint64_t k = 0; k < 8 * KEYS; k++) {
        CHECK_EQ(fpset_insert(set, &local, k), FPSET_NEW);
        if (fpset_full(set)) {
            CHECK_EQ(fpset_make_room(set, k % 2 ? &helpers : NULL, &err), 0);
        }
    }
    for (uint64_t k = 0; k < 8 * KEYS; k++) {
        CHECK_EQ(fpset_insert(set, &local, k), FPSET_SEEN);
    }
    CHECK(!fpset_has_files(set));
    fpset_free(set);
    store_done(&store);
}

TEST(fpset_disk_full)
{
    for (uint64_t at = 1; at < 6; at++) {
        struct store store;
        struct err err = {0};
        struct fpset *set = NULL;
        struct fpset_local local = {0};
        int status = 0;
        store_init(&store, NULL, NULL, at);
        CHECK_EQ(fpset_new(&store, BUDGET, &set, &err), 0);
        for (uint64_t k = 0; k < 10 * KEYS && status == 0; k++) {
            (void)fpset_insert(set, &local, k);
            status = fpset_full(set) ? fpset_make_room(set, NULL, &err) : 0;
        }
        CHECK(status < 0);
        CHECK_EQ(err.code, ERR_IO);
        fpset_free(set);
        store_done(&store);
    }
}

/* ---- queue ---- */

static void put(struct queue *queue, struct queue_out *out, uint64_t i)
{
    struct err err = {0};
    struct strbuf *bytes = queue_begin(queue, out, hash_mix(i), i);
    for (uint64_t k = 0; k < i % 40; k++) {
        strbuf_addc(bytes, (char)('a' + i % 26));
    }
    CHECK_EQ(queue_commit(queue, out, &err), 0);
}

static void get(const struct queue_record *record, uint64_t i)
{
    CHECK_EQ(record->link, i);
    CHECK(record->fp == hash_mix(i));
    CHECK_EQ(record->len, i % 40);
    for (size_t k = 0; k < record->len; k++) {
        CHECK_EQ(record->bytes[k], 'a' + i % 26);
    }
}

static int each_record(void *arg, const struct queue_record *record, struct err *err)
{
    uint64_t *n = arg;
    (void)err;
    (void)record;
    (*n)++;
    return 0;
}

/* First in, first out, whatever is spilled; dropped records do not come out. */
TEST(queue_order)
{
    uint64_t shares[] = {1 << 30, 1 << 20, 0};
    for (int i = 0; i < 3; i++) {
        struct store store;
        struct err err = {0};
        struct queue *queue = NULL;
        struct queue_out out = {0};
        struct queue_claim claim = {0};
        store_init(&store, NULL, NULL, 0);
        queue_new(&store, shares[i], 0, &queue);
        for (int level = 0; level < 3; level++) {
            for (uint64_t k = 0; k < KEYS / 4; k++) {
                struct slab *slab = NULL;
                uint32_t number = 0;
                queue_position(queue, &out, &slab, &number);
                put(queue, &out, k);
                if (k % 5 == 1) {
                    queue_drop(slab, number);
                }
            }
            CHECK_EQ(queue_seal(queue, &out, &err), 0);
            uint64_t listed = 0;
            CHECK_EQ(queue_each(queue, true, each_record, &listed, &err), 0);
            CHECK_EQ(listed, KEYS / 4 - KEYS / 20);
            queue_advance(queue);
            uint64_t k = 0;
            while (queue_claim(queue, 1, &claim, &err) == 1) {
                struct queue_record record;
                while (queue_next(&claim, &record)) {
                    k += k % 5 == 1;
                    get(&record, k++);
                }
                queue_release(queue, &claim);
            }
            CHECK_EQ(k, KEYS / 4);
        }
        queue_free(queue);
        store_done(&store);
    }
}

struct taker {
    struct queue *queue;
    uint64_t n, sum;
};
static void *take_all(void *arg)
{
    struct taker *taker = arg;
    struct queue_claim claim = {0};
    struct err err = {0};
    while (queue_claim(taker->queue, 4, &claim, &err) == 1) {
        struct queue_record record;
        while (queue_next(&claim, &record)) {
            taker->n++;
            taker->sum += record.link;
        }
        queue_release(taker->queue, &claim);
    }
    return NULL;
}

TEST(queue_threads)
{
    struct store store;
    struct err err = {0};
    struct queue *queue = NULL;
    struct queue_out out[3] = {{0}};
    store_init(&store, NULL, NULL, 0);
    queue_new(&store, 256 << 10, 0, &queue);
    for (uint64_t k = 0; k < KEYS / 2; k++) {
        put(queue, &out[k % 3], k);
    }
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(queue_seal(queue, &out[i], &err), 0);
    }
    queue_advance(queue);
    pthread_t threads[4];
    struct taker takers[4];
    uint64_t n = 0;
    uint64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        takers[i] = (struct taker){.queue = queue};
        CHECK_EQ(pthread_create(&threads[i], NULL, take_all, &takers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        n += takers[i].n;
        sum += takers[i].sum;
    }
    CHECK_EQ(n, KEYS / 2);
    CHECK_EQ(sum, (uint64_t)(KEYS / 2) * (KEYS / 2 - 1) / 2);
    queue_free(queue);
    store_done(&store);
}

/* ---- log ---- */

struct appender {
    struct tracelog *log;
    unsigned index;
    uint64_t last;
};
/* Numbers that fit into a link, and some that do not. */
static uint64_t chain_ordinal(uint64_t i)
{
    return i % 100 == 99 ? TRACE_FAR + i : i;
}
static void *append_chain(void *arg)
{
    struct appender *a = arg;
    struct err err = {0};
    uint64_t parent = TRACE_ROOT;
    for (uint64_t i = 0; i < KEYS / 3; i++) {
        uint64_t fp = hash_mix(a->index * UINT64_C(1000000007) + i);
        CHECK_EQ(tracelog_append(a->log, a->index, fp, trace_link(parent, chain_ordinal(i)),
                                 &parent, &err),
                 0);
    }
    a->last = parent;
    return NULL;
}

static void check_chain(struct tracelog *log, unsigned index, uint64_t at, bool keep_fps)
{
    struct err err = {0};
    for (uint64_t k = KEYS / 3; k-- > 0;) {
        struct trace_record record;
        CHECK_EQ(tracelog_get(log, at, &record, &err), 0);
        uint64_t ordinal = chain_ordinal(k);
        CHECK_EQ(record.has_fp, keep_fps || ordinal >= TRACE_FAR);
        if (record.has_fp) {
            CHECK(record.fp == hash_mix(index * UINT64_C(1000000007) + k));
        }
        CHECK_EQ(trace_ordinal(record.link), ordinal < TRACE_FAR ? ordinal : TRACE_FAR);
        at = trace_parent(record.link);
    }
    CHECK(at == TRACE_ROOT);
}

TEST(log_chains)
{
    for (int keep_fps = 0; keep_fps < 2; keep_fps++) {
        struct store store;
        struct err err = {0};
        struct tracelog *log = NULL;
        pthread_t threads[3];
        struct appender a[3];
        store_init(&store, NULL, NULL, 0);
        CHECK_EQ(tracelog_new(&store, 3, keep_fps, &log, &err), 0);
        for (unsigned i = 0; i < 3; i++) {
            a[i] = (struct appender){.log = log, .index = i};
            CHECK_EQ(pthread_create(&threads[i], NULL, append_chain, &a[i]), 0);
        }
        for (unsigned i = 0; i < 3; i++) {
            pthread_join(threads[i], NULL);
        }
        for (unsigned i = 0; i < 3; i++) {
            check_chain(log, i, a[i].last, keep_fps);
        }
        tracelog_free(log);
        store_done(&store);
    }
    CHECK_EQ(trace_ordinal(trace_link(TRACE_ROOT, TRACE_FAR + 5)), TRACE_FAR + 5);
}
