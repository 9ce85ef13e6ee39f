/* A lasso out of a fair component.
 *
 * Prefix: breadth first through the product from the initial nodes to the nearest node of the
 * component. Cycle: from there, breadth first inside the component to the nearest step or node that
 * fulfils something not yet fulfilled ([]<>A, the q of a Streett pair, a promise of the tableau),
 * again until nothing is left, then back to the start. Greedy, so not always the shortest, but each
 * piece is.
 *
 * Then tableau nodes are forgotten and steps from a state to itself dropped: they are stuttering.
 * In the cycle they stay if only they fulfil some condition. The part of the prefix that goes round
 * the cycle already is folded into it.
 *
 * A state where stuttering alone violates the property makes the plainest counterexample, whether
 * it belongs to the component or not: the first search looks out for one and goes on looking as far
 * as the lasso is long. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/err.h"
#include "base/vec.h"
#include "check/live_int.h"

enum { NONE = UINT32_MAX };

struct visit { /* an entry of a breadth-first queue */
    uint32_t state, t;
    uint32_t from;  /* entry it was reached from, or NONE */
    uint32_t label; /* of the step that reached it */
    uint32_t depth; /* number of steps */
};

struct hop { /* a step of the cycle: the state it leaves, and its label */
    uint32_t state, label;
};

struct path {
    struct hunt *s;
    struct err *err;
    struct big met;           /* prefix: product nodes in the queue */
    VEC(struct visit) queue;  /* of the prefix */
    uint32_t at;              /* its next entry to look at */
    VEC(uint32_t) prefix;     /* states */
    struct big seen;          /* cycle: product nodes in the queue */
    VEC(struct visit) inside; /* queue of a piece of the cycle */
    VEC(struct hop) cycle;
    VEC(uint64_t) duty;    /* [words]: mask bits the cycle must show */
    VEC(uint64_t) left;    /* [words]: of those, not yet shown */
    VEC(uint64_t) promise; /* [promise_words]: promises not yet kept */
};

static uint64_t comp_pos(const struct hunt *s, uint32_t state, uint32_t place)
{
    return (uint64_t)state * s->comp->n + place;
}

/* ---- stuttering ---- */

/* Does a cycle of one step with this label fulfil everything. */
static bool step_suffices(const struct hunt *s, uint32_t label)
{
    const struct branch *b = s->branch;
    const uint64_t *mask = (const uint64_t *)s->mask.p + (uint64_t)label * s->words;
    if (!((const uint8_t *)s->ok.p)[label]) {
        return false;
    }
    for (uint32_t w = 0; w < s->words; w++) {
        if ((mask[w] & s->goal[w]) != s->goal[w]) {
            return false;
        }
    }
    for (uint32_t i = 0; i < b->nst; i++) {
        if (!bit_get(mask, b->nae + i) && !bit_get(mask, b->nae + b->nst + i)) {
            return false;
        }
    }
    return true;
}

/* Can the behaviour stay at this product node (t of the whole tableau) for ever. */
static bool stutters(const struct hunt *s, uint32_t state, uint32_t t)
{
    bool loops = false;
    for (uint32_t k = s->tab->succ_at[t]; k < s->tab->succ_at[t + 1]; k++) {
        loops = loops || s->tab->succ[k] == t;
    }
    for (uint32_t p = 0; p < s->tab->npromise && loops; p++) {
        loops = bit_get(s->tab->kept + (size_t)t * s->tab->promise_words, p);
    }
    const uint32_t *block = live_block(s->live, state);
    for (uint32_t e = 0; loops && e <= block_edges(block); e++) {
        if (block_target(block, e) == state && step_suffices(s, block_label(block, e))) {
            return true;
        }
    }
    return false;
}

/* ---- prefix ---- */

/* Adds a product node (t of the whole tableau) to the queue. */
static void prefix_visit(struct path *p, struct visit visit)
{
    const struct hunt *s = p->s;
    const uint32_t *block = live_block(s->live, visit.state);
    uint64_t pos = (uint64_t)visit.state * s->tab->nnode + visit.t;
    if (block && !bit_get(p->met.p, pos) && hunt_agrees(s, block[2], visit.t)) {
        bit_set(p->met.p, pos);
        VEC_PUSH(&p->queue, visit);
    }
}

static int prefix_start(struct path *p)
{
    const struct hunt *s = p->s;
    uint64_t words = (uint64_t)s->live->nnode * s->tab->nnode / 64 + 1;
    int rc = big_reserve(&p->met, words * sizeof(uint64_t), p->err);
    for (size_t i = 0; rc == 0 && i < s->live->inits.n; i++) {
        for (uint32_t k = 0; k < s->tab->ninit; k++) {
            prefix_visit(p, (struct visit){s->live->inits.v[i], s->tab->init[k], NONE, 0, 0});
        }
    }
    return rc;
}

/* Queues the successors of the entry `at`. */
static int prefix_expand(struct path *p)
{
    const struct hunt *s = p->s;
    struct visit v = p->queue.v[p->at];
    const uint32_t *block = live_block(s->live, v.state);
    for (uint32_t e = 0; e <= block_edges(block); e++) {
        for (uint32_t i = s->tab->succ_at[v.t]; i < s->tab->succ_at[v.t + 1]; i++) {
            prefix_visit(p, (struct visit){block_target(block, e), s->tab->succ[i], p->at,
                                           block_label(block, e), v.depth + 1});
        }
    }
    p->at++;
    return hunt_poll(p->s, p->err);
}

/* Goes on until the entry `at` stutters (*ret_stutter) or, with `component`, is part of the
 * component; or all entries up to depth_max have been seen. */
static int prefix_search(struct path *p, bool component, size_t depth_max, bool *ret_stutter)
{
    const struct hunt *s = p->s;
    int rc = 0;
    *ret_stutter = false;
    while (rc == 0 && p->at < p->queue.n && p->queue.v[p->at].depth <= depth_max) {
        struct visit v = p->queue.v[p->at];
        *ret_stutter = stutters(s, v.state, v.t);
        uint32_t place = s->place[v.t];
        if (*ret_stutter || (component && place != NONE && hunt_in_found(s, v.state, place))) {
            return 0;
        }
        rc = prefix_expand(p);
    }
    return rc;
}

/* The states on the way to the entry `at`, without its own. */
static void prefix_take(struct path *p)
{
    VEC_RESET(&p->prefix);
    for (uint32_t i = p->queue.v[p->at].from; i != NONE; i = p->queue.v[i].from) {
        VEC_PUSH(&p->prefix, p->queue.v[i].state);
    }
    for (size_t i = 0, j = p->prefix.n; i + 1 < j; i++) {
        uint32_t state = p->prefix.v[--j];
        p->prefix.v[j] = p->prefix.v[i];
        p->prefix.v[i] = state;
    }
}

/* ---- cycle ---- */

/* Would this step, or the node it leads to, show something that is left. */
static bool step_helps(const struct path *p, uint32_t label, uint32_t place)
{
    const struct hunt *s = p->s;
    const uint64_t *mask = (const uint64_t *)s->mask.p + (uint64_t)label * s->words;
    const uint64_t *kept = s->tab->kept + (size_t)s->comp->node[place] * s->tab->promise_words;
    uint64_t help = 0;
    for (uint32_t w = 0; w < s->words; w++) {
        help |= mask[w] & p->left.v[w];
    }
    for (uint32_t w = 0; w < s->tab->promise_words; w++) {
        help |= kept[w] & p->promise.v[w];
    }
    return help != 0;
}

static void step_count(struct path *p, uint32_t label, uint32_t place)
{
    const struct hunt *s = p->s;
    const uint64_t *mask = (const uint64_t *)s->mask.p + (uint64_t)label * s->words;
    const uint64_t *kept = s->tab->kept + (size_t)s->comp->node[place] * s->tab->promise_words;
    for (uint32_t w = 0; w < s->words; w++) {
        p->left.v[w] &= ~mask[w];
    }
    for (uint32_t w = 0; w < s->tab->promise_words; w++) {
        p->promise.v[w] &= ~kept[w];
    }
}

static bool anything_left(const struct path *p)
{
    uint64_t left = 0;
    for (size_t w = 0; w < p->left.n; w++) {
        left |= p->left.v[w];
    }
    for (size_t w = 0; w < p->promise.n; w++) {
        left |= p->promise.v[w];
    }
    return left != 0;
}

/* Appends the way from the first entry of the queue to the entry `at`. */
static void cycle_append(struct path *p, uint32_t at)
{
    size_t start = p->cycle.n;
    for (uint32_t i = at; p->inside.v[i].from != NONE; i = p->inside.v[i].from) {
        const struct visit *v = &p->inside.v[i];
        VEC_PUSH(&p->cycle, (struct hop){p->inside.v[v->from].state, v->label});
        step_count(p, v->label, v->t);
    }
    for (size_t i = start, j = p->cycle.n; i + 1 < j; i++) {
        struct hop hop = p->cycle.v[--j];
        p->cycle.v[j] = p->cycle.v[i];
        p->cycle.v[i] = hop;
    }
}

/* Looks at the steps out of an entry. *ret_hit: entry of the goal when one was met: a step that
 * helps or, with `home`, a step to that node. */
static int cycle_expand(struct path *p, uint32_t at, const struct vertex *home, uint32_t *ret_hit)
{
    struct hunt *s = p->s;
    struct visit v = p->inside.v[at];
    const uint32_t *block = live_block(s->live, v.state);
    for (uint32_t e = 0; e <= block_edges(block); e++) {
        uint32_t label = block_label(block, e);
        uint32_t state = block_target(block, e);
        if (!hunt_ok(s, label)) {
            continue;
        }
        for (uint32_t k = s->succ_at[v.t]; k < s->succ_at[v.t + 1]; k++) {
            uint32_t place = s->succ[k];
            if (!hunt_in_found(s, state, place)) {
                continue;
            }
            bool hit =
                home ? state == home->state && place == home->t : step_helps(p, label, place);
            uint64_t pos = comp_pos(s, state, place);
            if (hit || !bit_get(p->seen.p, pos)) {
                bit_set(p->seen.p, pos);
                VEC_PUSH(&p->inside, (struct visit){state, place, at, label, 0});
            }
            if (hit) {
                *ret_hit = (uint32_t)p->inside.n - 1;
                return 0;
            }
        }
    }
    return hunt_poll(s, p->err);
}

/* One piece of the cycle, from `here` to the nearest help or home. Updates `here`. */
static int cycle_piece(struct path *p, struct vertex *here, const struct vertex *home)
{
    uint32_t hit = NONE;
    int rc = 0;
    VEC_RESET(&p->inside);
    VEC_PUSH(&p->inside, (struct visit){here->state, here->t, NONE, 0, 0});
    bit_set(p->seen.p, comp_pos(p->s, here->state, here->t));
    for (uint32_t at = 0; rc == 0 && hit == NONE; at++) {
        ASSERT(at < p->inside.n); /* the component is strongly connected and shows everything */
        rc = cycle_expand(p, at, home, &hit);
    }
    for (size_t i = 0; i < p->inside.n; i++) {
        uint64_t pos = comp_pos(p->s, p->inside.v[i].state, p->inside.v[i].t);
        ((uint64_t *)p->seen.p)[pos >> 6] = 0;
    }
    if (rc == 0) {
        cycle_append(p, hit);
        *here = (struct vertex){p->inside.v[hit].state, p->inside.v[hit].t};
    }
    return rc;
}

/* What the cycle must show: all []<>A; q of the pairs whose p is not true throughout. */
static void duties(struct path *p)
{
    const struct hunt *s = p->s;
    const struct branch *b = s->branch;
    for (uint32_t w = 0; w < s->words; w++) {
        VEC_PUSH(&p->duty, s->goal[w]);
    }
    for (uint32_t i = 0; i < b->nst; i++) {
        if (!bit_get(s->all, b->nae + b->nst + i)) {
            bit_set(p->duty.v, b->nae + i);
        }
    }
    for (uint32_t w = 0; w < s->words; w++) {
        VEC_PUSH(&p->left, p->duty.v[w]);
    }
    for (uint32_t w = 0; w < s->tab->promise_words; w++) {
        VEC_PUSH(&p->promise, 0);
    }
    for (uint32_t i = 0; i < s->tab->npromise; i++) {
        bit_set(p->promise.v, i);
    }
}

/* The cycle through the entry `at` of the prefix. */
static int cycle_find(struct path *p)
{
    struct hunt *s = p->s;
    uint64_t words = comp_pos(s, s->live->nnode, 0) / 64 + 1;
    int rc = big_reserve(&p->seen, words * sizeof(uint64_t), p->err);
    if (rc < 0) {
        return rc;
    }
    duties(p);
    struct vertex home = {p->queue.v[p->at].state, s->place[p->queue.v[p->at].t]};
    struct vertex here = home;
    while (rc == 0 && anything_left(p)) {
        rc = cycle_piece(p, &here, NULL);
    }
    bool closed = here.state == home.state && here.t == home.t && p->cycle.n > 0;
    if (rc == 0 && !closed) {
        rc = cycle_piece(p, &here, &home);
    }
    return rc;
}

/* ---- the result ---- */

/* Drops stuttering steps of the cycle, unless a condition needs one of them. */
static void cycle_shorten(struct path *p)
{
    const struct hunt *s = p->s;
    memcpy(p->left.v, p->duty.v, s->words * sizeof *p->left.v);
    size_t moves = 0;
    for (size_t i = 0; i < p->cycle.n; i++) {
        uint32_t next = p->cycle.v[i + 1 < p->cycle.n ? i + 1 : 0].state;
        if (next != p->cycle.v[i].state) {
            moves++;
            const uint64_t *mask =
                (const uint64_t *)s->mask.p + (uint64_t)p->cycle.v[i].label * s->words;
            for (uint32_t w = 0; w < s->words; w++) {
                p->left.v[w] &= ~mask[w];
            }
        }
    }
    if (moves == 0) {
        p->cycle.n = 1;
        return;
    }
    for (uint32_t w = 0; w < s->words; w++) {
        if (p->left.v[w]) {
            return;
        }
    }
    /* The first hop leaves the first state last: keep the state, whichever step leaves it. */
    size_t kept = 1;
    for (size_t i = 1; i < p->cycle.n; i++) {
        if (p->cycle.v[i].state != p->cycle.v[kept - 1].state) {
            p->cycle.v[kept++] = p->cycle.v[i];
        }
    }
    while (kept > 1 && p->cycle.v[kept - 1].state == p->cycle.v[0].state) {
        kept--;
    }
    p->cycle.n = kept;
}

/* A cycle that repeats itself is as good as its first turn. */
static void cycle_unroll(struct path *p)
{
    for (size_t turn = 1; turn <= p->cycle.n / 2; turn++) {
        bool repeats = p->cycle.n % turn == 0;
        for (size_t i = turn; repeats && i < p->cycle.n; i++) {
            repeats = memcmp(&p->cycle.v[i], &p->cycle.v[i - turn], sizeof *p->cycle.v) == 0;
        }
        if (repeats) {
            p->cycle.n = turn;
            return;
        }
    }
}

/* While the prefix ends in the last state of the cycle, it is going round already. Stuttering in it
 * is dropped before. */
static void prefix_fold(struct path *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->prefix.n; i++) {
        uint32_t next = i + 1 < p->prefix.n ? p->prefix.v[i + 1] : p->cycle.v[0].state;
        if (p->prefix.v[i] != next) {
            p->prefix.v[kept++] = p->prefix.v[i];
        }
    }
    p->prefix.n = kept;
    while (p->prefix.n > 0 && VEC_LAST(&p->prefix) == VEC_LAST(&p->cycle).state) {
        struct hop last = VEC_LAST(&p->cycle);
        memmove(p->cycle.v + 1, p->cycle.v, (p->cycle.n - 1) * sizeof last);
        p->cycle.v[0] = last;
        p->prefix.n--;
    }
}

static void lasso_write(const struct path *p, struct lasso *ret)
{
    const uint64_t *fps = p->s->live->fps.p;
    for (size_t i = 0; i < p->prefix.n; i++) {
        VEC_PUSH(&ret->fps, fps[p->prefix.v[i]]);
    }
    ret->loop = ret->fps.n;
    for (size_t i = 0; i < p->cycle.n; i++) {
        VEC_PUSH(&ret->fps, fps[p->cycle.v[i].state]);
    }
}

static void path_done(struct path *p)
{
    big_done(&p->met);
    big_done(&p->seen);
    VEC_DONE(&p->queue);
    VEC_DONE(&p->prefix);
    VEC_DONE(&p->inside);
    VEC_DONE(&p->cycle);
    VEC_DONE(&p->duty);
    VEC_DONE(&p->left);
    VEC_DONE(&p->promise);
}

int live_lasso_build(struct hunt *s, struct lasso *ret_lasso, struct err *err)
{
    struct path p = {.s = s, .err = err};
    big_init(&p.met, s->mem);
    big_init(&p.seen, s->mem);
    bool stutter = false;
    int rc = prefix_start(&p);
    if (rc == 0) {
        rc = prefix_search(&p, true, SIZE_MAX, &stutter);
    }
    if (rc == 0 && !stutter) {
        ASSERT(p.at < p.queue.n); /* the component is part of what is reachable */
        prefix_take(&p);
        rc = cycle_find(&p);
        if (rc == 0) {
            cycle_shorten(&p);
            cycle_unroll(&p);
            prefix_fold(&p);
            rc = prefix_search(&p, false, p.prefix.n + p.cycle.n - 1, &stutter);
        }
    }
    if (rc == 0 && stutter) {
        prefix_take(&p);
        p.cycle.n = 0;
        VEC_PUSH(&p.cycle, (struct hop){p.queue.v[p.at].state, 0});
        prefix_fold(&p);
    }
    if (rc == 0) {
        lasso_write(&p, ret_lasso);
    }
    path_done(&p);
    return rc;
}
