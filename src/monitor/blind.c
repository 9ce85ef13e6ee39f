/* Blindness: what a node did was not seen for a while, so its state is not known.
 *
 * A gap keeps the spots where the node could have been as guesses: perhaps nothing that matters was
 * lost. All that was to be sent may have left, connections may stand or not. Values that were
 * observed in the node are guesses, too, and surer ones: the node is there at one of the events
 * around them. What the node sends without an explanation is passed over while blind, at a price;
 * a guess that has explained enough since the last such message ends the blindness.
 *
 * While blind, and after a guess that only fits, nothing is an alarm: what contradicts the guess
 * shows that it was wrong, and the monitor is blind again. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/eval.h"
#include "model/model.h"
#include "monitor/monitor_int.h"
#include "value/value.h"

enum {
    GUESSES_MOST = 32,
    GUESS_COST = 8,    /* dearer explanations are no guesses */
    AROUND = 32,       /* events before and after observed values, at which they may hold */
    PROOF_SENDS = 8,   /* messages that must be explained, */
    PROOF_EVENTS = 32, /* of so many events, before a guess is believed */
    TRUST = 256,
    REST_FIRST = 16,
    REST_MOST = 4096
};

static void go_blind(struct monitor *m)
{
    if (!m->blind) {
        m->rest = 0;
        m->rests = m->rests > REST_FIRST ? m->rests / 2 : 0; /* what was found was wrong soon */
        m->blind = true;
        m->base = m->last != NULL ? m->last->state : m->base;
        m->counts.blind_times++;
        m->blind_since_ns = m->now_ns;
    }
    m->doubt = false;
}

static void drop_spots(struct monitor *m)
{
    for (size_t i = 0; i < m->heap.n; i++) {
        vec_release(m->heap.v[i]);
    }
    m->heap.n = 0;
    vec_release(m->last);
    vec_release(m->shown);
    m->last = m->shown = NULL;
}

/* Nobody knows what has left and who is connected. */
static void loosen(struct monitor *m, struct spot *x)
{
    for (uint32_t i = 0; i < x->n_out; i++) {
        x->p[i].flags |= PEND_MAYBE;
        x->p[i].flags &= (uint8_t)~PEND_UNSYNCED;
    }
    x->down = m->peers;
    x->broken = x->fresh = 0;
    x->bad = 0;
    x->from = VAL_UNDEF;
    memset(x->since, 0, sizeof x->since);
    x->unsynced = x->behind = x->sure = false;
    x->cost = x->odd = x->depth = 0;
    x->proof = 0;
    x->proof_from = x->i;
    x->stage = 0;
}

void mblind_gap(struct monitor *m)
{
    struct spot *kept[GUESSES_MOST];
    uint64_t end = msearch_end(m);
    size_t n = 0;
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < m->heap.n; i++) {
        const struct spot *x = m->heap.v[i];
        least = x->i == end && x->cost < least ? x->cost : least;
    }
    for (size_t i = 0; i < m->heap.n && n < GUESSES_MOST; i++) {
        const struct spot *x = m->heap.v[i];
        if (x->i == end && x->cost <= least + GUESS_COST) {
            kept[n] = spot_new(m, x, 0, 0);
            loosen(m, kept[n++]);
        }
    }
    drop_spots(m);
    go_blind(m);
    m->best = end;
    for (size_t i = 0; i < n; i++) {
        msearch_guess(m, kept[i]);
    }
}

void mblind_lost(struct monitor *m, bool skip)
{
    uint64_t end = msearch_end(m);
    struct spot *x = m->last != NULL ? spot_new(m, m->last, 0, 0) : NULL;
    if (m->blind && end > m->trust_until) { /* a guess that led nowhere */
        m->rests = m->rests == 0 ? REST_FIRST : 2 * m->rests < REST_MOST ? 2 * m->rests : REST_MOST;
        m->rest = m->rests;
    }
    m->counts.contradicted += m->doubt ? 1 : 0;
    go_blind(m);
    drop_spots(m);
    m->best = end;
    if (x != NULL) {
        x->i = skip ? end : x->i;
        loosen(m, x);
        msearch_guess(m, x);
    }
}

void mblind_progress(struct monitor *m, const struct spot *x)
{
    if (!m->blind || m->best <= m->first) {
        return;
    }
    bool known = x->sure && x->forgot; /* nothing of before is left */
    if (known || (x->proof >= PROOF_SENDS && x->i >= x->proof_from + PROOF_EVENTS)) {
        m->blind = false;
        m->doubt = !x->sure;
        m->counts.blind_ns += m->now_ns > m->blind_since_ns ? m->now_ns - m->blind_since_ns : 0;
        m->counts.rejoined++;
    }
}

/* ---- values that were observed ---- */

struct building {
    struct monitor *m;
    struct val observed, state;
};

/* A function of the nodes with another value for the node. */
static struct val with_slice(struct vctx *ctx, const struct own_var *v, struct val fcn,
                             struct val slice)
{
    const struct vobj *old = val_obj(fcn);
    size_t words = old->kind == VK_TUPLE ? old->n : 2 * (size_t)old->n;
    struct vobj *new = arena_alloc(ctx->arena, sizeof *new + words * sizeof new->v[0]);
    *new = (struct vobj){.kind = old->kind, .n = old->n};
    memcpy(new->v, old->v, words * sizeof new->v[0]);
    new->v[v->slice] = slice;
    return val_of_obj(new);
}

static void run_build(struct vctx *ctx, void *arg)
{
    struct building *b = arg;
    struct monitor *m = b->m;
    const struct vobj *base = val_obj(m->base);
    for (uint32_t i = 0; i < m->o.model->nvar; i++) {
        const struct own_var *v = &m->vars[i];
        struct val value = VAL_UNDEF;
        uint32_t name = strtab_intern(ctx->strings, str_of(m->o.model->vars[i]));
        m->cur[i] = base->v[i];
        if ((int)i == m->net.var || v->forget || !val_is_kind(b->observed, VK_RECORD) ||
            !record_get(ctx, b->observed, name, &value)) {
            continue;
        }
        m->cur[i] = v->sliced ? with_slice(ctx, v, base->v[i], value) : value;
    }
    b->state = vpool_intern(&m->pool, ctx, tuple_make(ctx, m->cur, m->o.model->nvar));
}

static struct spot *guess(struct monitor *m, struct val state, uint64_t at, uint32_t cost)
{
    struct spot *x = spot_new(m, NULL, 0, 0);
    x->i = at;
    x->state = state;
    x->sent = set_empty();
    x->from = VAL_UNDEF;
    x->down = m->peers;
    x->sure = true;
    x->cost = cost;
    x->proof_from = x->born = at;
    msearch_guess(m, x);
    return x;
}

/* What is not among the values is as in the state that was known last. */
int mblind_observed(struct monitor *m, struct val values)
{
    if (!m->blind) {
        return 0;
    }
    struct building b = {m, values, VAL_UNDEF};
    model_at(m->worker, val_obj(m->base)->v, 1);
    if (model_with_values(m->worker, run_build, &b) != MODEL_OK) {
        return monitor_failed(m);
    }
    monitor_ready(m);
    m->observed = b.state;
    m->observed_left = AROUND;
    m->rest = m->rests = 0;
    m->trust_until = msearch_end(m) + TRUST;
    drop_spots(m);
    uint64_t end = msearch_end(m), from = end > m->first + AROUND ? end - AROUND : m->first;
    m->best = end;
    for (uint64_t at = from; at <= end; at++) {
        (void)guess(m, m->observed, at, (uint32_t)(end - at) / 8);
    }
    return 0;
}

bool mblind_rests(struct monitor *m, enum monitor_kind kind)
{
    if (m->rest == 0 || m->observed_left != 0) {
        return false;
    }
    bool again = kind == MONITOR_RESTART || kind == MONITOR_CRASH || m->last == NULL;
    m->rest = again ? 0 : m->rest - 1;
    if (again) {
        return false;
    }
    struct spot *x = spot_new(m, m->last, 0, 0);
    drop_spots(m);
    x->i = msearch_end(m);
    loosen(m, x);
    x->n_out = x->n_in = 0;
    m->best = x->i;
    m->last = spot_new(m, x, 0, 0);
    msearch_guess(m, x);
    return true;
}

void mblind_next(struct monitor *m, enum monitor_kind kind)
{
    m->counts.blind_events++;
    if (m->observed_left > 0) {
        m->observed_left--;
        (void)guess(m, m->observed, msearch_end(m), (AROUND - m->observed_left) / 8);
    }
    if (kind == MONITOR_RESTART && !m->persists) {
        drop_spots(m);
        guess(m, m->initial, msearch_end(m), 0)->forgot = true;
    }
}

void mblind_begin(struct monitor *m)
{
    m->base = m->initial;
    m->observed = m->initial;
    for (uint32_t i = 0; i < m->o.model->naction; i++) {
        m->persists |= m->actions[i].role == ROLE_CRASH;
    }
    for (uint32_t i = 0; i < m->o.model->nvar; i++) {
        m->persists |= m->vars[i].persist;
    }
    if (m->o.middle) {
        mblind_gap(m);
    }
}

bool monitor_blind(const struct monitor *m)
{
    return m->blind;
}

uint64_t monitor_blind_since(const struct monitor *m)
{
    return m->blind_since_ns;
}

void monitor_resume(struct monitor *m)
{
    if (m->verdict != MONITOR_OK) {
        m->verdict = MONITOR_OK;
        m->violated = 0;
        mblind_lost(m, true);
    }
}
