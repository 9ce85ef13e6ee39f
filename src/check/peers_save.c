/* Checkpoints of several processes.
 *
 * Each rank has a directory of its own in that of the search, where it writes a file of the states
 * that wait, with its figures and how far its file of origins (kin.h) counts. When all have done
 * so, rank 0 writes the manifest under another name and renames it: until then the checkpoint
 * before is whole. The manifest begins like that of one process (checkpoint.c) and has no number.
 *
 * Whoever goes on reads what all ranks have left, and takes what is its own, however many there
 * were and are. The fingerprints are those of the files of origins. So all must see the directory.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check/fpset.h"
#include "check/kin.h"
#include "check/peers.h"
#include "check/peers_int.h"
#include "check/queue.h"
#include "check/store.h"
#include "dist/parcel.h"
#include "dist/ranks.h"
#include "model/model.h"

/* At the head of every file; a whole number of words. */
struct saved_head {
    uint64_t number, generation; /* of this checkpoint; of the file of origins */
    uint64_t kin_count, levels;
    uint64_t in_records, out_records;
    uint64_t level, depth, generated, distinct, init_generated, init_distinct, elapsed_ns;
    uint64_t naction;
};

const char *peers_dir(struct arena *arena, const char *dir, unsigned rank, unsigned size)
{
    return arena_printf(arena, "%s/rank-%u-of-%u", dir, rank, size);
}

static void states_name(uint64_t number, char name[48])
{
    (void)snprintf(name, 48, "states-%llu.ckpt", (unsigned long long)number);
}

void peers_kin_name(uint64_t generation, char name[48])
{
    (void)snprintf(name, 48, "kin-%llu.log", (unsigned long long)generation);
}

static void put(struct strbuf *out, uint64_t value)
{
    strbuf_add(out, (const char *)&value, sizeof value);
}

/* ---- writing ---- */

enum { PART = 1 << 20 };

struct writing {
    struct store *store;
    int fd;
    uint64_t at, sum;
    struct strbuf buf;
    uint64_t *count;
};

static int write_part(struct writing *w, struct err *err)
{
    w->sum = hash_bytes(w->buf.p, w->buf.n, w->sum);
    int status = store_write(w->store, w->fd, w->buf.p, w->buf.n, w->at, err);
    w->at += w->buf.n;
    strbuf_reset(&w->buf);
    return status;
}

/* A part is its length and its bytes, so that sums are made of the same pieces. */
static int end_part(struct writing *w, struct err *err)
{
    uint64_t n = w->buf.n - sizeof n;
    memcpy(w->buf.p, &n, sizeof n);
    int status = write_part(w, err);
    put(&w->buf, 0);
    return status;
}

static int write_state(void *arg, const struct queue_record *record, struct err *err)
{
    struct writing *w = arg;
    (*w->count)++;
    put(&w->buf, record->fp);
    put(&w->buf, record->len);
    strbuf_add(&w->buf, (const char *)record->bytes, record->len);
    return w->buf.n >= PART ? end_part(w, err) : 0;
}

static int write_waiting(struct search *s, struct writing *w, struct saved_head *head,
                         struct err *err)
{
    int status = 0;
    struct queue_claim rest = s->workers[0].claim; /* a copy: the worker goes on from its own */
    struct queue_record record;
    w->count = &head->in_records;
    while (status == 0 && queue_next(&rest, &record)) {
        status = write_state(w, &record, err);
    }
    status = status < 0 ? status : queue_each(s->queue, false, write_state, w, err);
    w->count = &head->out_records;
    return status < 0 ? status : queue_each(s->queue, true, write_state, w, err);
}

static void put_head(struct search *s, const struct saved_head *head, struct strbuf *out)
{
    const struct worker *w = &s->workers[0];
    struct kin *kin = s->peers->kin;
    strbuf_add(out, (const char *)head, sizeof *head);
    for (uint64_t l = 1; l <= head->levels; l++) {
        put(out, kin_count(kin, l));
    }
    for (uint64_t a = 0; a < head->naction; a++) {
        put(out, w->action_generated[a]);
        put(out, w->action_distinct[a]);
    }
}

/* The states first, since the head tells how many; then the head, its length, and a sum over all.
 */
static int write_states(struct search *s, struct saved_head *head, struct err *err)
{
    char name[48];
    struct writing w = {.store = &s->store, .fd = -1};
    states_name(head->number, name);
    int status = store_create(&s->store, name, &w.fd, err);
    if (status < 0) {
        return status;
    }
    put(&w.buf, 0);
    status = write_waiting(s, &w, head, err);
    status = status < 0 ? status : end_part(&w, err);
    if (status == 0) {
        strbuf_reset(&w.buf);
        put_head(s, head, &w.buf);
        uint64_t n = w.buf.n;
        put(&w.buf, n);
        put(&w.buf, hash_bytes(w.buf.p, w.buf.n, w.sum));
        status = store_write(&s->store, w.fd, w.buf.p, w.buf.n, w.at, err);
    }
    status = status < 0 ? status : store_sync(&s->store, w.fd, err);
    store_close(&s->store, w.fd);
    strbuf_done(&w.buf);
    return status;
}

static int write_own(struct search *s, uint64_t number, struct err *err)
{
    struct peers *p = s->peers;
    struct check_progress progress;
    struct peers_told told = peers_told_now(s);
    search_progress(s, &progress);
    struct saved_head head = {.number = number,
                              .generation = p->generation,
                              .kin_count = kin_count(p->kin, UINT64_MAX),
                              .levels = kin_levels(p->kin),
                              .level = s->level,
                              .depth = progress.depth,
                              .generated = told.generated,
                              .distinct = told.distinct,
                              .init_generated = s->init_generated,
                              .init_distinct = s->init_distinct,
                              .elapsed_ns = progress.elapsed_ns,
                              .naction = s->model->naction};
    int status = kin_flush(p->kin, err);
    return status < 0 ? status : write_states(s, &head, err);
}

/* Goes on only if all have done it. */
static int meet(struct search *s, int status, struct err *err)
{
    struct err other = {0};
    int met = ranks_meet(s->peers->ranks, status < 0 ? err->text : NULL, status < 0 ? &other : err);
    return status < 0 ? status : met;
}

/* The files of the run before: rank 0 removes them for all, who may be others now. */
static void forget_old(struct search *s)
{
    struct peers *p = s->peers;
    struct err ignored = {0};
    char name[48];
    for (unsigned rank = 0; rank < p->old.size && p->me == 0; rank++) {
        struct store store;
        const char *dir = peers_dir(&s->box->arena, s->opt->dir, rank, p->old.size);
        store_init(&store, dir, NULL, 0);
        if (store_make(&store, &ignored) == 0) {
            states_name(p->old.number, name);
            store_remove(&store, name);
            peers_kin_name(p->old.generation, name);
            store_remove(&store, name);
        }
        store_done(&store);
        (void)rmdir(dir); /* stays if it is in use */
    }
    p->old = (struct peers_old){0};
}

int peers_save(struct search *s, struct err *err)
{
    struct peers *p = s->peers;
    struct checkpoint_ranks manifest = {.number = p->saved + 1, .size = p->n};
    char name[48];
    int status = meet(s, write_own(s, manifest.number, err), err);
    if (status == 0) {
        status = p->me == 0 ? checkpoint_write_ranks(s->opt, &manifest, err) : 0;
        status = meet(s, status, err);
    }
    /* What counts no more. */
    states_name(status == 0 ? p->saved : manifest.number, name);
    store_remove(&s->store, name);
    if (status == 0) {
        p->saved = manifest.number;
        forget_old(s);
    }
    return status;
}

void peers_forget(struct search *s)
{
    struct peers *p = s->peers;
    char name[48];
    if (!s->opt->dir) {
        return;
    }
    states_name(p->saved, name);
    store_remove(&s->store, name);
    peers_kin_name(p->generation, name);
    store_remove(&s->store, name);
    forget_old(s);
    if (p->me == 0) {
        checkpoint_forget_ranks(s->opt);
    }
    checkpoint_remove_logs(&s->store);
    if (s->store.made) {
        (void)rmdir(s->store.dir); /* unless the user has put something there */
    }
}

/* ---- reading ---- */

struct restoring {
    struct search *s;
    struct worker *w;
    struct store store; /* of the rank that wrote it */
    unsigned rank;
    int fd;
    struct saved_head head;
    const uint64_t *ends, *counts; /* [levels], [2 * naction] */
    uint64_t states_end;           /* where the states end in the file */
    uint64_t sum;
    uint64_t generated, distinct; /* of all ranks */
    uint64_t level;               /* whose origins are wanted */
    bool out;                     /* states of the out level are wanted */
};

static int damaged(const struct restoring *r, struct err *err)
{
    return err_set(err, ERR_CORRUPT, 0, "the checkpoint in %s is damaged", r->store.dir);
}

static bool mine(const struct restoring *r, uint64_t fp)
{
    const struct peers *p = r->s->peers;
    return parcel_owner(fp, p->n) == p->me;
}

/* The head of the file at hand, whose sum is looked at when its states are read. */
static int read_head(struct restoring *r, struct arena *arena, uint64_t size, struct err *err)
{
    uint64_t tail[2];
    if (size < sizeof tail + sizeof r->head) {
        return damaged(r, err);
    }
    int status = store_read(&r->store, r->fd, tail, sizeof tail, size - sizeof tail, err);
    if (status < 0 || tail[0] > size - sizeof tail || tail[0] < sizeof r->head || tail[0] % 8) {
        return status < 0 ? status : damaged(r, err);
    }
    size_t n = (size_t)tail[0];
    char *bytes = arena_alloc(arena, n + sizeof tail[0]);
    r->states_end = size - sizeof tail - n;
    status = store_read(&r->store, r->fd, bytes, n + sizeof tail[0], r->states_end, err);
    if (status < 0) {
        return status;
    }
    memcpy(&r->head, bytes, sizeof r->head);
    uint64_t words = (n - sizeof r->head) / 8;
    r->ends = (const uint64_t *)(const void *)(bytes + sizeof r->head);
    r->counts = r->ends + r->head.levels;
    if (r->head.naction != r->s->model->naction || r->head.levels > words ||
        words - r->head.levels != 2 * r->head.naction) {
        return damaged(r, err);
    }
    r->sum = tail[1] - hash_bytes(bytes, n + sizeof tail[0], r->sum); /* 0 when it is right */
    return 0;
}

static int read_states(struct restoring *r, struct strbuf part, uint64_t *number, struct err *err)
{
    struct search *s = r->s;
    struct worker *w = r->w;
    size_t at = 0;
    while (at < part.n) {
        uint64_t head[2];
        if (part.n - at < sizeof head) {
            return damaged(r, err);
        }
        memcpy(head, part.p + at, sizeof head);
        at += sizeof head;
        if (head[1] > part.n - at || (s->model->state_size && head[1] != s->model->state_size)) {
            return damaged(r, err);
        }
        bool of_out = *number >= r->head.in_records;
        (*number)++;
        if (of_out == r->out && mine(r, head[0])) {
            strbuf_add(queue_begin(s->queue, &w->out, head[0], 0), part.p + at, (size_t)head[1]);
            int status = queue_commit(s->queue, &w->out, err);
            if (status < 0) {
                return status;
            }
            bump(&w->enqueued);
        }
        at += (size_t)head[1];
    }
    return 0;
}

/* Reads all parts, for their sum and their states. */
static int read_parts(struct restoring *r, struct err *err)
{
    SCOPED_STRBUF part = {0};
    uint64_t number = 0;
    uint64_t sum = 0;
    int status = 0;
    for (uint64_t at = 0; at < r->states_end && status == 0;) {
        uint64_t n = 0;
        status = store_read(&r->store, r->fd, &n, sizeof n, at, err);
        if (status < 0 || n > r->states_end - at - sizeof n) {
            return status < 0 ? status : damaged(r, err);
        }
        strbuf_reset(&part);
        put(&part, n);
        strbuf_reserve(&part, (size_t)n);
        status = store_read(&r->store, r->fd, part.p + sizeof n, (size_t)n, at + sizeof n, err);
        part.n = sizeof n + (size_t)n;
        sum = hash_bytes(part.p, part.n, sum);
        at += part.n;
        struct strbuf states = {.p = part.p + sizeof n, .n = (size_t)n};
        status = status < 0 ? status : read_states(r, states, &number, err);
    }
    r->sum = sum;
    return status < 0                                           ? status
           : number == r->head.in_records + r->head.out_records ? 0
                                                                : damaged(r, err);
}

static int open_states(struct restoring *r, const struct checkpoint_ranks *manifest, unsigned rank,
                       struct arena *arena, uint64_t *ret_size, struct err *err)
{
    char name[48];
    store_init(&r->store, peers_dir(arena, r->s->opt->dir, rank, manifest->size), NULL, 0);
    states_name(manifest->number, name);
    r->rank = rank;
    return store_open(&r->store, name, false, &r->fd, ret_size, err);
}

/* Calls `what` with every file of the checkpoint, its head read. */
static int each_file(struct restoring *r, const struct checkpoint_ranks *manifest,
                     int (*what)(struct restoring *r, struct err *err), struct err *err)
{
    int status = 0;
    struct arena arena;
    arena_init(&arena, 0);
    for (unsigned rank = 0; rank < manifest->size && status == 0; rank++) {
        uint64_t size = 0;
        status = open_states(r, manifest, rank, &arena, &size, err);
        if (status == 0) {
            status = read_head(r, &arena, size, err);
            status = status == 0 ? what(r, err) : status;
            store_close(&r->store, r->fd);
        }
        store_done(&r->store);
    }
    arena_done(&arena);
    return status;
}

/* The in level or the out level; then the sum is known, and compared. */
static int take_states(struct restoring *r, struct err *err)
{
    struct arena arena;
    arena_init(&arena, 0);
    int status = read_parts(r, err);
    status = status < 0 ? status
                        : read_head(r, &arena,
                                    r->states_end + sizeof r->head + 8 * r->head.levels +
                                        16 * r->head.naction + 16,
                                    err);
    arena_done(&arena);
    return status < 0 ? status : r->sum == 0 ? 0 : damaged(r, err);
}

static int take_origin(void *arg, const struct kin_record *record, struct err *err)
{
    struct restoring *r = arg;
    struct search *s = r->s;
    if (!mine(r, record->fp) || fpset_insert(s->fps, &r->w->local, record->fp) == FPSET_SEEN) {
        return 0;
    }
    s->base_distinct++;
    int status = kin_add(s->peers->kin, record, err);
    return status == 0 && fpset_full(s->fps) ? fpset_make_room(s->fps, NULL, err) : status;
}

/* Origins of one level of every rank; of the level that is not finished: all the rest. */
static int take_level(struct restoring *r, struct err *err)
{
    char name[48];
    const struct saved_head *head = &r->head;
    uint64_t level = r->level;
    uint64_t begin = level > 1 ? r->ends[level - 2] : 0;
    uint64_t end = level <= head->levels ? r->ends[level - 1] : head->kin_count;
    peers_kin_name(head->generation, name);
    if (begin > end) {
        return damaged(r, err);
    }
    return begin == end ? 0 : kin_read(&r->store, name, begin, end, take_origin, r, err);
}

/* Figures of all ranks; rank 0 has them from now on. */
static int take_figures(struct restoring *r, struct err *err)
{
    struct search *s = r->s;
    const struct saved_head *head = &r->head;
    (void)err;
    r->generated += head->generated;
    r->distinct += head->distinct;
    s->level = head->level;
    atomic_store(&s->depth, head->depth);
    s->init_distinct = head->init_distinct;
    if (s->peers->me != 0) {
        return 0;
    }
    s->base_generated += head->generated;
    s->init_generated += head->init_generated;
    if (r->rank == 0) {
        s->elapsed_before = head->elapsed_ns;
    }
    for (uint64_t a = 0; a < head->naction; a++) {
        r->w->action_generated[a] += r->counts[2 * a];
        r->w->action_distinct[a] += r->counts[2 * a + 1];
    }
    return 0;
}

static int read_all(struct restoring *r, const struct checkpoint_ranks *manifest, struct err *err)
{
    struct search *s = r->s;
    int status = each_file(r, manifest, take_figures, err);
    for (r->level = 1; r->level <= r->head.levels + 1 && status == 0; r->level++) {
        status = each_file(r, manifest, take_level, err);
        if (status == 0 && r->level <= r->head.levels) {
            kin_next_level(s->peers->kin);
        }
    }
    status = status == 0 ? each_file(r, manifest, take_states, err) : status;
    status = status == 0 ? queue_seal(s->queue, &r->w->out, err) : status;
    if (status == 0) {
        queue_advance(s->queue);
        r->out = true;
        status = each_file(r, manifest, take_states, err);
    }
    return status;
}

int peers_restore(struct search *s, struct worker *w, struct err *err)
{
    struct peers *p = s->peers;
    struct checkpoint_ranks manifest = {0};
    struct restoring r = {.s = s, .w = w, .fd = -1};
    struct strbuf *all = vec_grow(NULL, &(size_t){0}, p->n, sizeof *all);
    memset(all, 0, p->n * sizeof *all);
    int status = checkpoint_read_ranks(s->opt, &manifest, err);
    char name[48];
    if (status == 0) {
        p->saved = manifest.number;
        p->generation = manifest.number;
        peers_kin_name(p->generation, name);
        status = kin_new(&s->store, name, &p->kin, err);
    }
    status = status == 0 ? read_all(&r, &manifest, err) : status;
    status = meet(s, status, err);
    p->old = (struct peers_old){manifest.size, manifest.number, r.head.generation};
    /* All that they had is somebody's now. */
    struct peers_told told = peers_told_now(s);
    struct str own = {(const char *)&told, sizeof told};
    status = status == 0 ? ranks_gather(p->ranks, own, all, err) : status;
    uint64_t sum = 0;
    for (unsigned i = 0; i < p->n; i++) {
        if (all[i].n == sizeof told) {
            memcpy(&p->of[i].told, all[i].p, sizeof told);
        }
        sum += p->of[i].told.distinct;
        strbuf_done(&all[i]);
    }
    vec_release(all);
    if (status == 0 && sum != r.distinct) {
        status =
            err_set(err, ERR_CORRUPT, 0, "the checkpoint in %s is damaged: %llu states of %llu",
                    s->opt->dir, (unsigned long long)sum, (unsigned long long)r.distinct);
    }
    s->box->result.recovered = status == 0;
    return status;
}
