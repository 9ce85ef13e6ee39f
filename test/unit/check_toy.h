/* A hand-written model for tests of the checker: a pseudo-random graph over 0..n-1, whose
 * successors, constraints and faults follow from a few numbers. Next to it, the same search written
 * as plainly as possible, to compare with. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"
#include "check/check.h"
#include "model/model.h"
#include "test.h"

enum { TOY_ACTIONS = 3, TOY_SLOTS = 5, TOY_DEGREE_MAX = 64 };
#define TOY_NONE UINT32_MAX

struct toy {
    struct model model;
    uint32_t n;      /* states */
    uint32_t ninit;  /* initial states are 0..ninit-1, some twice */
    uint32_t degree; /* successors of a state at most */
    uint32_t
        spread; /* successors of s lie in s+1..s+spread (mod n): small = deep graph; 0 = anywhere */
    bool lattice;        /* instead: counters in base `degree`, digits 0..spread-1 */
    uint32_t outside;    /* s % outside == 5 is not in the model; 0 = all are */
    uint32_t bad_state;  /* violates the invariant */
    uint32_t bad_step;   /* a step into it violates the action property */
    uint32_t dead;       /* has no successors */
    uint32_t error_next; /* evaluating its successors fails half way */
    uint32_t error_inv;  /* evaluating the invariant on it fails */
    uint32_t view;       /* states s with the same s / view have one fingerprint; 0 = none */
    uint32_t pad;        /* bytes added to a state */
    uint32_t batch;  /* all successors at once, so many batches valid together; 0 = one by one */
    unsigned spin;   /* work done per successor, to make states expensive */
    bool loaded;     /* from a checkpoint */
    int freed, made; /* workers */
};

struct toy_batch {
    uint32_t state;
    uint32_t next[TOY_DEGREE_MAX];
    struct candidate cands[TOY_DEGREE_MAX];
};

struct toy_worker {
    struct mworker head;
    uint32_t current, candidate;
    uint64_t level;
    bool in_init;
    uint32_t last; /* batch */
    struct toy_batch batches[TOY_SLOTS];
};

static const struct mprop toy_props[2] = {
    {.kind = MPROP_INVARIANT, .name = "Inv"},
    {.kind = MPROP_ACTION,    .name = "Act"}
};
static const struct maction toy_actions[TOY_ACTIONS] = {
    {.name = "To"}, {.name = "To"}, {.name = "To"}};

static inline uint64_t toy_fp(uint32_t s)
{
    return hash_mix(s + UINT64_C(0x1234567));
}
static inline uint64_t toy_view(const struct toy *toy, uint32_t s)
{
    return toy_fp(toy->view ? s / toy->view : s);
}

/* The k-th successor of s, or TOY_NONE. */
static inline uint32_t toy_succ(const struct toy *toy, uint32_t s, uint32_t k)
{
    if (s == toy->dead) {
        return TOY_NONE;
    }
    if (toy->lattice) {
        uint32_t weight = 1;
        for (uint32_t i = 0; i < k; i++) {
            weight *= toy->spread;
        }
        return s / weight % toy->spread + 1 < toy->spread ? s + weight : TOY_NONE;
    }
    uint64_t h = hash_mix(s * UINT64_C(1000003) + k);
    if (h % 5 == 0 && k > 0) {
        return TOY_NONE;
    }
    if (toy->spread) {
        return (uint32_t)((s + 1 + (h >> 20) % toy->spread) % toy->n);
    }
    return (uint32_t)((h >> 20) % toy->n);
}

static inline bool toy_inside(const struct toy *toy, uint32_t s)
{
    return !toy->outside || s % toy->outside != 5;
}

static inline int toy_fail(struct toy_worker *w, const char *text)
{
    w->head.error = (struct merror){.code = 2103, .exit_status = 75, .text = text};
    return MODEL_ERROR;
}

static inline struct toy *toy_of(const struct mworker *w)
{
    return (struct toy *)(void *)w->model;
}

static int toy_worker_new(struct model *model, unsigned index, uint64_t seed, struct mworker **ret,
                          struct err *err)
{
    (void)index;
    (void)seed;
    (void)err;
    struct toy_worker *w = calloc(1, sizeof *w);
    w->head.model = model;
    *ret = &w->head;
    __atomic_fetch_add(&((struct toy *)(void *)model)->made, 1, __ATOMIC_RELAXED);
    return 0;
}
static void toy_worker_free(struct mworker *w)
{
    __atomic_fetch_add(&toy_of(w)->freed, 1, __ATOMIC_RELAXED);
    free(w);
}
static int toy_init(struct mworker *head, model_sink sink, void *arg)
{
    struct toy_worker *w = (struct toy_worker *)(void *)head;
    const struct toy *toy = toy_of(head);
    w->in_init = true;
    for (uint32_t i = 0; i < toy->ninit + toy->ninit / 2; i++) {
        w->candidate = i < toy->ninit ? i : (i - toy->ninit) * 2;
        struct candidate cand = {.fp = toy_view(toy, w->candidate)};
        if (sink(arg, head, &cand)) {
            return MODEL_STOPPED;
        }
    }
    return MODEL_OK;
}
static int toy_load(struct mworker *head, const void *bytes, size_t len, uint64_t level)
{
    struct toy_worker *w = (struct toy_worker *)(void *)head;
    if (len < 4) {
        return toy_fail(w, "short state");
    }
    memcpy(&w->current, bytes, 4);
    w->level = level;
    return MODEL_OK;
}
static int toy_some(struct mworker *head, uint32_t from, uint32_t to, model_sink sink, void *arg)
{
    struct toy_worker *w = (struct toy_worker *)(void *)head;
    const struct toy *toy = toy_of(head);
    w->in_init = false;
    for (uint32_t k = from; k < to; k++) {
        for (volatile unsigned i = 0; i < toy->spin; i++) {
        }
        if (w->current == toy->error_next && k == 1) {
            return toy_fail(w, "cannot go on");
        }
        uint32_t s = toy_succ(toy, w->current, k);
        if (s == TOY_NONE) {
            continue;
        }
        w->candidate = s;
        struct candidate cand = {.fp = toy_view(toy, s), .action = k % TOY_ACTIONS};
        if (sink(arg, head, &cand)) {
            return MODEL_STOPPED;
        }
    }
    return MODEL_OK;
}
static int toy_next(struct mworker *head, model_sink sink, void *arg)
{
    return toy_some(head, 0, toy_of(head)->degree, sink, arg);
}
static int toy_next_action(struct mworker *head, uint32_t action, model_sink sink, void *arg)
{
    for (uint32_t k = action; k < toy_of(head)->degree; k += TOY_ACTIONS) {
        int status = toy_some(head, k, k + 1, sink, arg);
        if (status != MODEL_OK) {
            return status;
        }
    }
    return MODEL_OK;
}
static int toy_next_batch(struct mworker *head, struct mbatch *ret)
{
    struct toy_worker *w = (struct toy_worker *)(void *)head;
    const struct toy *toy = toy_of(head);
    if (w->current == toy->error_next || w->current % 11 == 3) { /* some need `next` */
        return w->current == toy->error_next ? toy_fail(w, "cannot go on") : MODEL_STOPPED;
    }
    for (volatile unsigned i = 0; i < toy->spin * toy->degree; i++) {
    }
    w->in_init = false;
    w->last = (w->last + 1) % toy->batch;
    struct toy_batch *b = &w->batches[w->last];
    uint32_t n = 0;
    b->state = w->current;
    for (uint32_t k = 0; k < toy->degree; k++) {
        uint32_t s = toy_succ(toy, w->current, k);
        if (s != TOY_NONE) {
            b->next[n] = s;
            b->cands[n++] = (struct candidate){.fp = toy_view(toy, s), .action = k % TOY_ACTIONS};
        }
    }
    w->candidate = TOY_NONE; /* whoever forgets to select gets nonsense */
    *ret = (struct mbatch){.n = n, .cands = b->cands, .slot = w->last};
    return MODEL_OK;
}
static void toy_select(struct mworker *head, uint32_t i)
{
    struct toy_worker *w = (struct toy_worker *)(void *)head;
    w->candidate = w->batches[w->last].next[i];
}
static void toy_recall(struct mworker *head, uint32_t slot)
{
    struct toy_worker *w = (struct toy_worker *)(void *)head;
    w->last = slot;
    w->current = w->batches[slot].state;
}
static int toy_in_model(struct mworker *head)
{
    return toy_inside(toy_of(head), ((struct toy_worker *)(void *)head)->candidate);
}
static int toy_check(struct mworker *head, unsigned kinds, int from, int *ret_prop)
{
    struct toy_worker *w = (struct toy_worker *)(void *)head;
    const struct toy *toy = toy_of(head);
    *ret_prop = -1;
    for (int i = from; i < (int)toy->model.nprop; i++) {
        if (!(kinds >> toy_props[i].kind & 1)) {
            continue;
        }
        if (toy_props[i].kind == MPROP_INVARIANT) {
            if (w->candidate == toy->error_inv) {
                return toy_fail(w, "cannot tell");
            }
            if (w->candidate == toy->bad_state) {
                *ret_prop = i;
                return MODEL_OK;
            }
        } else if (w->candidate == toy->bad_step) {
            *ret_prop = i;
            return MODEL_OK;
        }
    }
    return MODEL_OK;
}
static void toy_save(struct mworker *head, struct strbuf *out)
{
    uint32_t s = ((struct toy_worker *)(void *)head)->candidate;
    strbuf_add(out, (const char *)&s, 4);
    strbuf_pad(out, 'x', toy_of(head)->pad ? s % toy_of(head)->pad : 0);
}
static void toy_label(struct mworker *head, struct strbuf *out)
{
    strbuf_printf(out, "To(%u)", ((struct toy_worker *)(void *)head)->candidate);
}

static const struct model_ops toy_ops = {
    .worker_new = toy_worker_new,
    .worker_free = toy_worker_free,
    .init = toy_init,
    .load = toy_load,
    .next = toy_next,
    .next_action = toy_next_action,
    .in_model = toy_in_model,
    .check = toy_check,
    .save = toy_save,
    .label = toy_label,
};

/* What a checkpoint keeps of the model: its numbers, which the loader must have too. */
static void toy_persist_save(struct model *model, struct strbuf *out)
{
    const struct toy *toy = (const struct toy *)(void *)model;
    strbuf_printf(out, "toy %u %u", toy->n, toy->degree);
}
static int toy_persist_load(struct model *model, const void *bytes, size_t len, struct err *err)
{
    struct toy *toy = (struct toy *)(void *)model;
    SCOPED_STRBUF want = {0};
    toy_persist_save(model, &want);
    if (len != want.n || memcmp(bytes, want.p, len) != 0) {
        return err_set(err, ERR_CORRUPT, 0, "not of this toy");
    }
    toy->loaded = true;
    return 0;
}

static const struct model_ops toy_batch_ops = {
    .worker_new = toy_worker_new,
    .worker_free = toy_worker_free,
    .init = toy_init,
    .load = toy_load,
    .next = toy_next,
    .next_action = toy_next_action,
    .next_batch = toy_next_batch,
    .select = toy_select,
    .recall = toy_recall,
    .persist_save = toy_persist_save,
    .persist_load = toy_persist_load,
    .in_model = toy_in_model,
    .check = toy_check,
    .save = toy_save,
    .label = toy_label,
};

/* Fills in what follows from the numbers; call it after every change. */
static inline void toy_ready(struct toy *toy)
{
    toy->model.ops = toy->batch ? &toy_batch_ops : &toy_ops;
    toy->model.name = "Toy";
    toy->model.actions = toy_actions;
    toy->model.naction = TOY_ACTIONS;
    toy->model.props = toy_props;
    /* Without an action property, steps to states seen before are left out. */
    toy->model.nprop = toy->batch && toy->bad_step == TOY_NONE ? 1 : 2;
    toy->model.batch_slots = toy->batch;
    toy->model.state_size = toy->pad ? 0 : 4;
    toy->model.has_constraint = toy->outside != 0;
}

static inline struct toy toy_graph(uint32_t n, uint32_t degree, uint32_t spread)
{
    struct toy toy = {.n = n, .ninit = 3, .degree = degree, .spread = spread, .pad = 7};
    toy.bad_state = toy.bad_step = toy.dead = toy.error_next = toy.error_inv = TOY_NONE;
    toy_ready(&toy);
    return toy;
}
/* `digits` counters, each up to base - 1: base^digits states. */
static inline struct toy toy_lattice(uint32_t base, uint32_t digits)
{
    struct toy toy = toy_graph(UINT32_MAX, digits, base);
    toy.lattice = true;
    toy.ninit = 1;
    toy_ready(&toy);
    return toy;
}

/* ---- the plain search ---- */

struct plain {
    uint64_t generated, distinct, depth, queued;
    uint64_t degrees[32];
    uint64_t action_generated[TOY_ACTIONS], action_distinct[TOY_ACTIONS];
    enum verdict verdict;
    uint32_t at;    /* state with the violation */
    uint64_t trace; /* its trace's length */
};

struct plain_run {
    struct plain r;
    uint8_t *seen;
    uint32_t *queue;
    uint32_t *level; /* of a state */
    size_t head, tail;
};

static inline bool plain_see(struct plain_run *p, uint32_t s, uint32_t level)
{
    if (p->seen[s]) {
        return false;
    }
    p->seen[s] = 1;
    p->level[s] = level;
    p->r.distinct++;
    p->r.depth = level > p->r.depth ? level : p->r.depth;
    return true;
}

static inline void plain_end(struct plain_run *p, enum verdict verdict, uint32_t at, uint64_t trace)
{
    p->r.verdict = verdict;
    p->r.at = at;
    p->r.trace = trace;
}

/* Expands one state; returns false when the search ends. */
static inline bool plain_expand(const struct toy *toy, struct plain_run *p, uint32_t s)
{
    uint64_t fresh = 0;
    bool any = false;
    for (uint32_t k = 0; k < toy->degree; k++) {
        if (s == toy->error_next && k == 1) {
            plain_end(p, VERDICT_EVAL_ERROR, s, p->level[s]);
            return false;
        }
        uint32_t t = toy_succ(toy, s, k);
        if (t == TOY_NONE) {
            continue;
        }
        any = true;
        p->r.generated++;
        p->r.action_generated[k % TOY_ACTIONS]++;
        bool inside = toy_inside(toy, t);
        bool is_new = !inside || plain_see(p, t, p->level[s] + 1);
        if (inside && is_new) {
            fresh++;
            p->r.action_distinct[k % TOY_ACTIONS]++;
        }
        if (is_new && (t == toy->error_inv || t == toy->bad_state)) {
            plain_end(p, t == toy->error_inv ? VERDICT_EVAL_ERROR : VERDICT_INVARIANT, t,
                      p->level[s] + 1);
            return false;
        }
        if (t == toy->bad_step) {
            plain_end(p, VERDICT_ACTION_PROPERTY, t, p->level[s] + 1);
            return false;
        }
        if (inside && is_new) {
            p->queue[p->tail++] = t;
        }
    }
    if (!any && toy->model.check_deadlock) {
        plain_end(p, VERDICT_DEADLOCK, s, p->level[s]);
        return false;
    }
    p->r.degrees[fresh < 32 ? fresh : 31]++;
    return true;
}

static inline struct plain plain_search(const struct toy *toy)
{
    uint32_t n = toy->n;
    if (toy->lattice) {
        n = 1;
        for (uint32_t i = 0; i < toy->degree; i++) {
            n *= toy->spread;
        }
    }
    struct plain_run p = {.seen = calloc(n, 1), .queue = malloc(n * 4ULL), .level = calloc(n, 4)};
    for (uint32_t i = 0; i < toy->ninit + toy->ninit / 2; i++) {
        uint32_t s = i < toy->ninit ? i : (i - toy->ninit) * 2;
        p.r.generated++;
        if (toy_inside(toy, s) && plain_see(&p, s, 1)) {
            p.queue[p.tail++] = s;
        }
    }
    while (p.head < p.tail && plain_expand(toy, &p, p.queue[p.head++])) {
    }
    p.r.queued = p.tail - p.head;
    free(p.seen);
    free(p.queue);
    free(p.level);
    return p.r;
}

/* A behaviour of the graph that ends at a state. */
static inline void toy_check_trace(const struct toy *toy, const struct check_trace *trace,
                                   uint32_t at)
{
    uint32_t previous = 0;
    for (size_t i = 0; i < trace->nstep; i++) {
        uint32_t s = 0;
        CHECK(trace->steps[i].len >= 4);
        memcpy(&s, trace->steps[i].bytes, 4);
        CHECK(trace->steps[i].fp == toy_view(toy, s));
        bool is_step = i == 0 && s < toy->ninit;
        for (uint32_t k = 0; i > 0 && k < toy->degree; k++) {
            is_step = is_step || (toy_succ(toy, previous, k) == s &&
                                  trace->steps[i].action == k % TOY_ACTIONS);
        }
        CHECK(is_step);
        previous = s;
    }
    CHECK_EQ(previous, at);
}
