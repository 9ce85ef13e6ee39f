/* The frontier: see queue.h. */
#include "check/queue.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/store.h"

#ifdef ASSAY_TINY
enum { SLAB_BYTES = 64, SEG_RECORDS = 2 };
#else
enum { SLAB_BYTES = 256 << 10, SEG_RECORDS = 32 };
#endif

/* In front of each record's bytes, unaligned. Where all records have one length, it is left out. */
struct __attribute__((packed)) header {
    uint64_t fp;
    uint64_t link;
    uint32_t len;
};

struct slab {
    const struct queue *queue;
    struct strbuf buf;      /* the records; empty when they are in the file */
    VEC(uint32_t) segments; /* offset of every SEG_RECORDS-th record */
    uint32_t nrecord;
    uint32_t claimed;      /* segments; under the queue's lock */
    _Atomic uint32_t left; /* segments not yet given back */
    VEC(uint64_t) dropped; /* a bit for each record; empty when none is dropped */
    bool spilled;
    uint64_t offset, bytes; /* in the level's file */
};

struct level {
    VEC(struct slab *) slabs;
    size_t next;  /* first slab with unclaimed segments */
    int fd;       /* -1: nothing is spilled */
    uint64_t id;  /* of the file */
    uint64_t end; /* of the file */
};

struct queue {
    struct store *store;
    uint64_t share;
    size_t fixed;  /* length of every record; 0: they differ */
    size_t header; /* bytes of it that are there */
    pthread_mutex_t lock;
    struct level in, out;     /* under lock */
    VEC(struct slab *) spare; /* under lock */
    _Atomic uint64_t memory;  /* of sealed slabs that are in memory */
    uint64_t next_id;
};

void queue_new(struct store *store, uint64_t share_bytes, size_t record_bytes,
               struct queue **ret_queue)
{
    struct queue *queue = memory_map(sizeof *queue);
    queue->store = store;
    queue->share = share_bytes;
    queue_resize(queue, record_bytes);
    queue->in.fd = queue->out.fd = -1;
    pthread_mutex_init(&queue->lock, NULL);
    *ret_queue = queue;
}

void queue_resize(struct queue *queue, size_t record_bytes)
{
    queue->fixed = record_bytes;
    queue->header = record_bytes ? offsetof(struct header, len) : sizeof(struct header);
}

static struct slab *slab_new(const struct queue *queue)
{
    size_t cap = 0;
    struct slab *slab = vec_grow(NULL, &cap, 1, sizeof *slab);
    *slab = (struct slab){.queue = queue};
    return slab;
}

static void slab_free(struct slab *slab)
{
    if (slab) {
        strbuf_done(&slab->buf);
        VEC_DONE(&slab->segments);
        VEC_DONE(&slab->dropped);
        vec_release(slab);
    }
}

static void level_file_name(uint64_t id, char *name, size_t cap)
{
    (void)snprintf(name, cap, "queue-%llu.spill", (unsigned long long)id);
}

static void level_done(struct queue *queue, struct level *level)
{
    for (size_t i = 0; i < level->slabs.n; i++) {
        slab_free(level->slabs.v[i]);
    }
    VEC_DONE(&level->slabs);
    if (level->fd >= 0) {
        char name[40];
        level_file_name(level->id, name, sizeof name);
        store_close(queue->store, level->fd);
        store_remove(queue->store, name);
    }
    *level = (struct level){.fd = -1};
}

void queue_free(struct queue *queue)
{
    if (!queue) {
        return;
    }
    level_done(queue, &queue->in);
    level_done(queue, &queue->out);
    for (size_t i = 0; i < queue->spare.n; i++) {
        slab_free(queue->spare.v[i]);
    }
    VEC_DONE(&queue->spare);
    pthread_mutex_destroy(&queue->lock);
    memory_unmap(queue, sizeof *queue);
}

/* ---- putting in ---- */

static struct slab *spare_slab(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    struct slab *slab = queue->spare.n > 0 ? VEC_POP(&queue->spare) : NULL;
    pthread_mutex_unlock(&queue->lock);
    return slab ? slab : slab_new(queue);
}

/* Under lock. Keeps a slab for reuse, with its memory unless that has become too large. */
static void spare_put(struct queue *queue, struct slab *slab)
{
    strbuf_reset(&slab->buf);
    if (slab->buf.cap > 2 * (size_t)SLAB_BYTES) {
        strbuf_done(&slab->buf);
    }
    VEC_RESET(&slab->segments);
    VEC_DONE(&slab->dropped);
    slab->nrecord = 0;
    slab->claimed = 0;
    slab->spilled = false;
    VEC_PUSH(&queue->spare, slab);
}

struct strbuf *queue_begin(struct queue *queue, struct queue_out *out, uint64_t fp, uint64_t link)
{
    if (!out->slab) {
        out->slab = spare_slab(queue);
    }
    struct slab *slab = out->slab;
    struct header header = {.fp = fp, .link = link};
    out->head = slab->buf.n;
    strbuf_add(&slab->buf, (const char *)&header, queue->header);
    return &slab->buf;
}

int queue_commit(struct queue *queue, struct queue_out *out, struct err *err)
{
    struct slab *slab = out->slab;
    uint32_t len = (uint32_t)(slab->buf.n - out->head - queue->header);
    if (queue->fixed) {
        ASSERTF(len == queue->fixed, "a state of %u bytes instead of %zu", len, queue->fixed);
    } else {
        memcpy(slab->buf.p + out->head + offsetof(struct header, len), &len, sizeof len);
    }
    if (slab->nrecord % SEG_RECORDS == 0) {
        VEC_PUSH(&slab->segments, (uint32_t)out->head);
    }
    slab->nrecord++;
    return slab->buf.n >= SLAB_BYTES ? queue_seal(queue, out, err) : 0;
}

void queue_position(struct queue *queue, struct queue_out *out, struct slab **ret_slab,
                    uint32_t *ret_record)
{
    if (!out->slab) {
        out->slab = spare_slab(queue);
    }
    *ret_slab = out->slab;
    *ret_record = out->slab->nrecord;
}

void queue_drop(struct slab *slab, uint32_t record)
{
    while (slab->dropped.n <= record / 64) {
        VEC_PUSH(&slab->dropped, 0);
    }
    slab->dropped.v[record / 64] |= UINT64_C(1) << (record % 64);
}

/* Under lock. Moves the bytes of a slab to the file of the out level. */
static int spill(struct queue *queue, struct slab *slab, struct err *err)
{
    struct level *out = &queue->out;
    int status = 0;
    if (out->fd < 0) {
        char name[40];
        out->id = queue->next_id++;
        level_file_name(out->id, name, sizeof name);
        status = store_create(queue->store, name, &out->fd, err);
    }
    status = status < 0
                 ? status
                 : store_write(queue->store, out->fd, slab->buf.p, slab->buf.n, out->end, err);
    if (status < 0) {
        return status;
    }
    slab->spilled = true;
    slab->offset = out->end;
    slab->bytes = slab->buf.n;
    out->end += slab->buf.n;
    /* The memory goes to the next slab. */
    struct slab *spare = slab_new(queue);
    spare->buf = slab->buf;
    slab->buf = (struct strbuf){0};
    spare_put(queue, spare);
    return 0;
}

int queue_seal(struct queue *queue, struct queue_out *out, struct err *err)
{
    struct slab *slab = out->slab;
    int status = 0;
    if (!slab || slab->nrecord == 0) {
        return 0;
    }
    out->slab = NULL;
    pthread_mutex_lock(&queue->lock);
    atomic_store_explicit(&slab->left, (uint32_t)slab->segments.n, memory_order_relaxed);
    uint64_t memory = atomic_load_explicit(&queue->memory, memory_order_relaxed);
    if (memory + slab->buf.cap > queue->share) {
        status = spill(queue, slab, err);
    } else {
        atomic_store_explicit(&queue->memory, memory + slab->buf.cap, memory_order_relaxed);
    }
    VEC_PUSH(&queue->out.slabs, slab);
    pthread_mutex_unlock(&queue->lock);
    return status;
}

void queue_discard(struct queue_out *out)
{
    slab_free(out->slab);
    out->slab = NULL;
}

/* ---- taking out ---- */

/* Brings the bytes of a spilled slab into `buf`. */
static int slab_read(struct queue *queue, const struct level *level, const struct slab *slab,
                     struct strbuf *buf, struct err *err)
{
    strbuf_reset(buf);
    strbuf_reserve(buf, slab->bytes);
    int status = store_read(queue->store, level->fd, buf->p, slab->bytes, slab->offset, err);
    buf->n = status < 0 ? 0 : slab->bytes;
    return status;
}

/* Under lock. */
static int slab_load(struct queue *queue, struct slab *slab, struct err *err)
{
    if (slab->buf.cap == 0 && queue->spare.n > 0) {
        struct slab *spare = VEC_POP(&queue->spare);
        slab->buf = spare->buf;
        spare->buf = (struct strbuf){0};
        slab_free(spare);
    }
    int status = slab_read(queue, &queue->in, slab, &slab->buf, err);
    if (status == 0) {
        slab->spilled = false;
        atomic_fetch_add_explicit(&queue->memory, slab->buf.cap, memory_order_relaxed);
    }
    return status;
}

/* How many segments to take at once: large levels in large pieces, the end of a level in small
 * ones. */
static uint32_t claim_size(const struct queue *queue, const struct slab *slab, unsigned threads)
{
    uint32_t here = (uint32_t)slab->segments.n - slab->claimed;
    size_t slabs_left = queue->in.slabs.n - queue->in.next;
    if (threads == 1 || slabs_left > 8 * (size_t)threads) {
        return here;
    }
    uint32_t part = here / (2 * threads);
    return part > 1 ? part : 1;
}

int queue_claim(struct queue *queue, unsigned threads, struct queue_claim *claim, struct err *err)
{
    int status = 0;
    HOT_ASSERT(!claim->slab);
    pthread_mutex_lock(&queue->lock);
    struct level *in = &queue->in;
    if (in->next < in->slabs.n) {
        struct slab *slab = in->slabs.v[in->next];
        status = slab->spilled ? slab_load(queue, slab, err) : 0;
        if (status == 0) {
            uint32_t first = slab->claimed;
            uint32_t take = claim_size(queue, slab, threads);
            uint32_t end = first + take;
            slab->claimed = end;
            *claim = (struct queue_claim){
                .slab = slab,
                .at = slab->segments.v[first],
                .end = end < slab->segments.n ? slab->segments.v[end] : slab->buf.n,
                .record = first * SEG_RECORDS,
                .nseg = take,
            };
            if (end == slab->segments.n) {
                in->slabs.v[in->next++] = NULL; /* the claims own it now */
            }
            status = 1;
        }
    }
    pthread_mutex_unlock(&queue->lock);
    return status;
}

static bool is_dropped(const struct slab *slab, uint32_t record)
{
    return slab->dropped.n > record / 64 &&
           (slab->dropped.v[record / 64] >> (record % 64) & 1) != 0;
}

/* Reads the record at *at and moves on. */
static void record_at(const struct queue *queue, const struct strbuf *buf, size_t *at,
                      struct queue_record *ret_record)
{
    struct header header = {.len = (uint32_t)queue->fixed};
    memcpy(&header, buf->p + *at, queue->fixed ? offsetof(struct header, len) : sizeof header);
    *ret_record = (struct queue_record){
        .fp = header.fp,
        .link = header.link,
        .bytes = (const uint8_t *)buf->p + *at + queue->header,
        .len = header.len,
    };
    *at += queue->header + header.len;
}

bool queue_next(struct queue_claim *claim, struct queue_record *ret_record)
{
    while (claim->slab && claim->at < claim->end) {
        record_at(claim->slab->queue, &claim->slab->buf, &claim->at, ret_record);
        if (!is_dropped(claim->slab, claim->record++)) {
            return true;
        }
    }
    return false;
}

void queue_release(struct queue *queue, struct queue_claim *claim)
{
    struct slab *slab = claim->slab;
    if (!slab) {
        return;
    }
    claim->slab = NULL;
    /* The last one to give back must see that all others have read what they needed. */
    if (atomic_fetch_sub_explicit(&slab->left, claim->nseg, memory_order_acq_rel) == claim->nseg) {
        pthread_mutex_lock(&queue->lock);
        atomic_fetch_sub_explicit(&queue->memory, slab->buf.cap, memory_order_relaxed);
        spare_put(queue, slab);
        pthread_mutex_unlock(&queue->lock);
    }
}

void queue_advance(struct queue *queue)
{
    ASSERT(queue->in.next == queue->in.slabs.n);
    VEC_RESET(&queue->in.slabs);
    struct level used = queue->in;
    queue->in = queue->out;
    queue->in.next = 0;
    if (used.fd >= 0) {
        level_done(queue, &used);
    }
    used.next = 0;
    queue->out = used; /* keeps the array of slabs */
    /* Slabs kept for reuse are memory too: a few are enough. */
    while (queue->spare.n > 16) {
        slab_free(VEC_POP(&queue->spare));
    }
}

uint64_t queue_segments(const struct queue *queue)
{
    uint64_t n = 0;
    for (size_t i = queue->in.next; i < queue->in.slabs.n; i++) {
        n += queue->in.slabs.v[i]->segments.n - queue->in.slabs.v[i]->claimed;
    }
    return n;
}

uint64_t queue_memory(const struct queue *queue)
{
    return atomic_load_explicit(&queue->memory, memory_order_relaxed);
}

int queue_each(struct queue *queue, bool out,
               int (*each)(void *arg, const struct queue_record *record, struct err *err),
               void *arg, struct err *err)
{
    struct level *level = out ? &queue->out : &queue->in;
    SCOPED_STRBUF read = {0};
    for (size_t i = level->next; i < level->slabs.n; i++) {
        const struct slab *slab = level->slabs.v[i];
        const struct strbuf *buf = &slab->buf;
        if (slab->spilled) {
            int status = slab_read(queue, level, slab, &read, err);
            if (status < 0) {
                return status;
            }
            buf = &read;
        }
        uint32_t record = slab->claimed * SEG_RECORDS;
        size_t at = slab->claimed < slab->segments.n ? slab->segments.v[slab->claimed] : buf->n;
        while (at < buf->n) {
            struct queue_record one;
            record_at(queue, buf, &at, &one);
            int status = is_dropped(slab, record++) ? 0 : each(arg, &one, err);
            if (status < 0) {
                return status;
            }
        }
    }
    return 0;
}
