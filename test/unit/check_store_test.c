/* The parts below the search: fingerprint set (threads, growth, files), queue (order, spilling,
 * claims), log of states. */
#include <pthread.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/rng.h"
#include "check/fpset.h"
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
    CHECK(fpset_distance(set) > 0);
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
        queue_new(&store, shares[i], &queue);
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
    queue_new(&store, 256 << 10, &queue);
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
static void *append_chain(void *arg)
{
    struct appender *a = arg;
    struct err err = {0};
    uint64_t parent = TRACE_ROOT;
    for (uint64_t i = 0; i < KEYS / 10; i++) {
        struct trace_record record = {hash_mix(a->index * UINT64_C(1000000007) + i),
                                      trace_link(parent, i)};
        CHECK_EQ(tracelog_append(a->log, a->index, record, &parent, &err), 0);
    }
    a->last = parent;
    return NULL;
}

TEST(log_chains)
{
    struct store store;
    struct err err = {0};
    struct tracelog *log = NULL;
    pthread_t threads[3];
    struct appender a[3];
    store_init(&store, NULL, NULL, 0);
    CHECK_EQ(tracelog_new(&store, 3, &log, &err), 0);
    for (unsigned i = 0; i < 3; i++) {
        a[i] = (struct appender){.log = log, .index = i};
        CHECK_EQ(pthread_create(&threads[i], NULL, append_chain, &a[i]), 0);
    }
    for (unsigned i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    for (unsigned i = 0; i < 3; i++) {
        uint64_t at = a[i].last;
        for (uint64_t k = KEYS / 10; k-- > 0;) {
            struct trace_record record;
            CHECK_EQ(tracelog_get(log, at, &record, &err), 0);
            CHECK(record.fp == hash_mix(i * UINT64_C(1000000007) + k));
            CHECK_EQ(trace_ordinal(record.link), k);
            at = trace_parent(record.link);
        }
        CHECK(at == TRACE_ROOT);
    }
    tracelog_free(log);
    store_done(&store);
}
