/* Deciding a branch: is there a fair component of graph x tableau.
 *
 * First, labels. By label of a step: is it allowed in the cycle (all <>[]A), which []<>A and which
 * sides of Streett pairs it fulfils. By label of a state: which tableau nodes it agrees with.
 * Everything after this looks at labels only.
 *
 * Second, the reachable part of the product, as a bit map. When all states are known to be
 * reachable, a tableau node without demands that may be kept for ever is reached with every state,
 * and so is (by stuttering) what it leads to there; only the rest has to be searched for.
 *
 * Third, for each component of the tableau that can keep its promises: nodes that are no part of
 * larger components are taken away (live_trim.c); of what is left, strongly connected components of
 * the product over it, with allowed steps only (live_scc.c), and whether they are fair
 * (live_judge.c). Product nodes are numbered by their rank in the bit map, so the arrays are as
 * long as the part that exists.
 *
 * The stuttering step of every expanded state is an edge like the others. States that were never
 * expanded are no part of the product. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/err.h"
#include "base/vec.h"
#include "check/live_int.h"

/* A function that only prefetches has no effect in the eyes of gcc, which then drops calls of it.
 */
#define PREFETCHER static inline __attribute__((always_inline)) void

int hunt_tick(const struct hunt *s, uint32_t *ticks, struct err *err)
{
    if ((++*ticks & 0x3fff) != 0) {
        return 0;
    }
    int rc = live_poll(s->interrupt, err);
    if (rc < 0) {
        return rc;
    }
    if (s->winner && atomic_load_explicit(s->winner, memory_order_relaxed) < s->number) {
        return err_set(err, ERR_INTERRUPTED, 0, "no longer needed");
    }
    if ((*ticks & 0xfffff) == 0) {
        mem_trim(s->mem);
    }
    return 0;
}

/* ---- 1. labels ---- */

void *hunt_scratch(size_t n, size_t bytes)
{
    size_t cap = 0;
    void *p = vec_grow(NULL, &cap, n ? n : 1, bytes);
    memset(p, 0, (n ? n : 1) * bytes);
    return p;
}

static void hunt_alloc(struct hunt *s)
{
    struct big *bigs[] = {&s->ok,  &s->mask, &s->agree, &s->reach_own,
                          &s->dom, &s->base, &s->rindex};
    for (size_t i = 0; i < sizeof bigs / sizeof *bigs; i++) {
        big_init(bigs[i], s->mem);
    }
    const struct tableau *tab = s->tab;
    s->place = hunt_scratch(tab->nnode, sizeof *s->place);
    s->succ_at = hunt_scratch((size_t)tab->nnode + 1, sizeof *s->succ_at);
    s->succ = hunt_scratch(tab->succ_at[tab->nnode], sizeof *s->succ);
}

static void label_mask(struct hunt *s, uint32_t label, const uint64_t *state,
                       const uint64_t *action)
{
    const struct branch *b = s->branch;
    uint64_t *mask = (uint64_t *)s->mask.p + (uint64_t)label * s->words;
    bool ok = true;
    for (uint32_t i = 0; i < b->nea && ok; i++) {
        ok = form_eval(b->ea[i], state, action);
    }
    ((uint8_t *)s->ok.p)[label] = ok;
    for (uint32_t i = 0; i < b->nae && ok; i++) {
        if (form_eval(b->ae[i], state, action)) {
            bit_set(mask, i);
        }
    }
    for (uint32_t i = 0; i < b->nst && ok; i++) {
        if (form_eval(b->st[i].q, state, action)) {
            bit_set(mask, b->nae + i);
        }
        if (form_eval(b->st[i].p, state, action)) {
            bit_set(mask, b->nae + b->nst + i);
        }
    }
}

static void label_agree(struct hunt *s, uint32_t label, const uint64_t *state, uint64_t *holds)
{
    const struct tableau *tab = s->tab;
    uint8_t *agree = (uint8_t *)s->agree.p + (uint64_t)label * s->row;
    memset(holds, 0, tab->pred_words * sizeof *holds);
    for (uint32_t p = 0; p < tab->npred; p++) {
        if (form_eval(tab->preds[p], state, NULL)) {
            bit_set(holds, p);
        }
    }
    for (uint32_t t = 0; t < tab->nnode; t++) {
        const uint64_t *lits = tab->lits + (size_t)t * tab->pred_words;
        bool all = true;
        for (uint32_t w = 0; w < tab->pred_words && all; w++) {
            all = (lits[w] & ~holds[w]) == 0;
        }
        if (all) {
            agree[t / 8] |= (uint8_t)(1 << t % 8);
        }
    }
}

int hunt_labels(struct hunt *s, struct err *err)
{
    hunt_alloc(s);
    const struct live *live = s->live;
    s->nlabel = live->labels.n;
    s->words = (s->branch->nae + 2 * s->branch->nst + 63) / 64;
    s->words = s->words ? s->words : 1;
    s->row = (s->tab->nnode + 7) / 8;
    int rc = big_reserve(&s->ok, s->nlabel, err);
    if (rc == 0) {
        rc = big_reserve(&s->mask, (uint64_t)s->nlabel * s->words * sizeof(uint64_t), err);
    }
    if (rc == 0) {
        rc = big_reserve(&s->agree, (uint64_t)s->nlabel * s->row, err);
    }
    if (rc < 0) {
        return rc;
    }
    uint64_t *holds = hunt_scratch(s->tab->pred_words, sizeof *holds);
    for (uint32_t i = 0; i < s->nlabel && rc == 0; i++) {
        const uint64_t *state = live->labels.bits.v + (size_t)i * live->labels.words;
        label_mask(s, i, state, state + live->state_words);
        label_agree(s, i, state, holds);
        rc = hunt_poll(s, err);
    }
    vec_release(holds);
    return rc;
}

/* ---- 2. reachability ---- */

/* A row holds one bit for each tableau node; a state has three, side by side:
 *   agree    the tableau nodes it agrees with; none when it is not expanded
 *   reached  the result
 *   pending  bits not yet passed on to its successors
 * States wait in a front while they have pending bits, and pass them on together. */
struct reach {
    struct big rows;
    uint8_t *succ;          /* [tab->nnode] rows: successors in the tableau */
    uint8_t *next;          /* row: what the successors of the current state may get */
    VEC(uint32_t) front[2]; /* the front being left, and the one being made */
    unsigned made;          /* which is being made */
};

static uint8_t *reach_rows(const struct hunt *s, const struct reach *r, uint32_t state)
{
    return (uint8_t *)r->rows.p + (uint64_t)state * 3 * s->row;
}

/* An initial tableau node without demands that may be kept for ever, or UINT32_MAX. */
static uint32_t tableau_idle(const struct tableau *tab)
{
    for (uint32_t i = 0; i < tab->ninit; i++) {
        uint32_t t = tab->init[i];
        bool idle = false;
        for (uint32_t k = tab->succ_at[t]; k < tab->succ_at[t + 1]; k++) {
            idle = idle || tab->succ[k] == t;
        }
        for (uint32_t w = 0; w < tab->pred_words; w++) {
            idle = idle && tab->lits[(size_t)t * tab->pred_words + w] == 0;
        }
        if (idle) {
            return t;
        }
    }
    return UINT32_MAX;
}

/* Of the tableau nodes that a state with this label agrees with: those that are reached from `idle`
 * without leaving the state. */
static void idle_closure(const struct hunt *s, const struct reach *r, uint32_t idle, uint32_t label,
                         uint8_t *row)
{
    const uint8_t *agree = (const uint8_t *)s->agree.p + (uint64_t)label * s->row;
    memset(row, 0, s->row);
    row[idle / 8] |= (uint8_t)(1 << idle % 8);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t t = 0; t < s->tab->nnode; t++) {
            for (uint32_t b = 0; (row[t / 8] >> t % 8 & 1) && b < s->row; b++) {
                uint8_t fresh = r->succ[(size_t)t * s->row + b] & agree[b] & (uint8_t)~row[b];
                row[b] |= fresh;
                more = more || fresh;
            }
        }
    }
}

/* Reaches `idle` with every state, and what follows from it there. Bits whose successors are among
 * those of `idle` need not be passed on. */
static int reach_idle(struct hunt *s, struct reach *r, uint32_t idle, struct err *err)
{
    uint8_t *rows = hunt_scratch((size_t)s->nlabel * s->row, 1);
    uint8_t *quiet = hunt_scratch(s->row, 1);
    const uint8_t *known = r->succ + (size_t)idle * s->row;
    int rc = 0;
    for (uint32_t i = 0; i < s->nlabel; i++) {
        idle_closure(s, r, idle, i, rows + (size_t)i * s->row);
    }
    for (uint32_t t = 0; t < s->tab->nnode; t++) {
        bool all = true;
        for (uint32_t b = 0; b < s->row; b++) {
            all = all && (r->succ[(size_t)t * s->row + b] & ~known[b]) == 0;
        }
        quiet[t / 8] |= (uint8_t)(all << t % 8);
    }
    const uint32_t *blocks = s->live->blocks.p;
    for (uint64_t at = 1; rc == 0 && at < s->live->nword; at += block_words(blocks + at)) {
        uint8_t *reached = reach_rows(s, r, blocks[at]) + s->row;
        const uint8_t *row = rows + (size_t)blocks[at + 2] * s->row;
        uint8_t waiting = 0;
        uint8_t before = 0;
        for (uint32_t b = 0; b < s->row; b++) {
            before |= reached[s->row + b]; /* a state may have several blocks */
            reached[b] = row[b];
            reached[s->row + b] = row[b] & (uint8_t)~quiet[b];
            waiting |= reached[s->row + b];
        }
        if (waiting && !before) {
            VEC_PUSH(&r->front[r->made], blocks[at]);
        }
        rc = hunt_poll(s, err);
    }
    vec_release(rows);
    vec_release(quiet);
    return rc;
}

static int reach_start(struct hunt *s, struct reach *r, struct err *err)
{
    const struct tableau *tab = s->tab;
    int rc = big_reserve(&r->rows, (uint64_t)s->live->nnode * 3 * s->row, err);
    if (rc < 0) {
        return rc;
    }
    /* In the order of the blocks, which need not be that of the nodes. A state that was added again
     * has more than one block; they agree. */
    const uint32_t *blocks = s->live->blocks.p;
    for (uint64_t at = 1; at < s->live->nword; at += block_words(blocks + at)) {
        memcpy(reach_rows(s, r, blocks[at]),
               (const uint8_t *)s->agree.p + (uint64_t)blocks[at + 2] * s->row, s->row);
    }
    r->succ = hunt_scratch((size_t)tab->nnode * s->row, 1);
    r->next = hunt_scratch(s->row, 1);
    for (uint32_t t = 0; t < tab->nnode; t++) {
        for (uint32_t i = tab->succ_at[t]; i < tab->succ_at[t + 1]; i++) {
            r->succ[(size_t)t * s->row + tab->succ[i] / 8] |= (uint8_t)(1 << tab->succ[i] % 8);
        }
    }
    for (uint32_t k = 0; k < tab->ninit; k++) {
        r->next[tab->init[k] / 8] |= (uint8_t)(1 << tab->init[k] % 8);
    }
    uint32_t idle = s->live->reachable ? tableau_idle(tab) : UINT32_MAX;
    return idle == UINT32_MAX ? 0 : reach_idle(s, r, idle, err);
}

/* Gives a state the bits of r->next that it agrees with. */
static inline void reach_add(const struct hunt *s, struct reach *r, uint32_t state)
{
    uint8_t *agree = reach_rows(s, r, state);
    uint8_t *reached = agree + s->row;
    uint8_t *pending = reached + s->row;
    unsigned fresh = 0;
    unsigned waiting = 0;
    for (uint32_t b = 0; b < s->row; b++) {
        uint8_t new = agree[b] & r->next[b] & (uint8_t)~reached[b];
        fresh |= new;
        waiting |= pending[b];
        pending[b] |= new;
        reached[b] |= new;
    }
    if (fresh && !waiting) {
        VEC_PUSH(&r->front[r->made], state);
    }
}

static int reach_step(struct hunt *s, struct reach *r, uint32_t state, struct err *err)
{
    uint8_t *pending = reach_rows(s, r, state) + 2 * (size_t)s->row;
    memset(r->next, 0, s->row);
    for (uint32_t t = 0; t < s->tab->nnode; t++) {
        if (pending[t / 8] >> t % 8 & 1) {
            for (uint32_t b = 0; b < s->row; b++) {
                r->next[b] |= r->succ[(size_t)t * s->row + b];
            }
        }
    }
    memset(pending, 0, s->row);
    const uint32_t *block = live_block(s->live, state);
    uint32_t n = block_edges(block);
    for (uint32_t e = 0; e < n; e++) {
        reach_add(s, r, block[BLOCK_HEAD + e]);
    }
    reach_add(s, r, state);
    return hunt_poll(s, err);
}

/* Fetches what reach_step will want of the states some places ahead in the front. */
PREFETCHER reach_prefetch(const struct hunt *s, const struct reach *r, const uint32_t *front,
                          size_t n)
{
    enum { FAR = 48, MIDDLE = 24, NEAR = 8, EDGES = 16 };
    const uint64_t *off = s->live->off.p;
    const uint32_t *blocks = s->live->blocks.p;
    if (n > FAR) {
        __builtin_prefetch(&off[front[FAR]]);
    }
    if (n > MIDDLE) {
        __builtin_prefetch(blocks + off[front[MIDDLE]]);
    }
    if (n > NEAR) {
        const uint32_t *block = blocks + off[front[NEAR]];
        for (uint32_t e = 0; e < block_edges(block) && e < EDGES; e++) {
            __builtin_prefetch(reach_rows(s, r, block[BLOCK_HEAD + e]), 1);
        }
    }
}

/* Copies the reached rows out and counts their bits. */
static int reach_result(const struct hunt *s, const struct reach *r, struct big *bits,
                        uint64_t *ret_count, struct err *err)
{
    int rc = big_reserve(bits, (uint64_t)s->live->nnode * s->row, err);
    uint64_t count = 0;
    for (uint32_t state = 0; rc == 0 && state < s->live->nnode; state++) {
        const uint8_t *reached = reach_rows(s, r, state) + s->row;
        uint8_t *to = (uint8_t *)bits->p + (uint64_t)state * s->row;
        for (uint32_t b = 0; b < s->row; b++) {
            to[b] = reached[b];
            count += (uint64_t)__builtin_popcount(reached[b]);
        }
    }
    *ret_count = count;
    return rc;
}

int hunt_reach(struct hunt *s, struct big *bits, uint64_t *ret_count, struct err *err)
{
    struct reach r = {0};
    big_init(&r.rows, s->mem);
    int rc = reach_start(s, &r, err);
    for (size_t i = 0; rc == 0 && i < s->live->inits.n; i++) {
        reach_add(s, &r, s->live->inits.v[i]);
    }
    while (rc == 0 && r.front[r.made].n > 0) {
        unsigned now = r.made;
        r.made = !now;
        VEC_RESET(&r.front[r.made]);
        for (size_t i = 0; i < r.front[now].n && rc == 0; i++) {
            reach_prefetch(s, &r, r.front[now].v + i, r.front[now].n - i);
            rc = reach_step(s, &r, r.front[now].v[i], err);
        }
    }
    if (rc == 0) {
        rc = reach_result(s, &r, bits, ret_count, err);
    }
    big_done(&r.rows);
    vec_release(r.succ);
    vec_release(r.next);
    VEC_DONE(&r.front[0]);
    VEC_DONE(&r.front[1]);
    return rc;
}

/* ---- 3. the product over one component of the tableau ---- */

static void comp_edges(struct hunt *s)
{
    const struct tcomp *comp = s->comp;
    const struct tableau *tab = s->tab;
    for (uint32_t t = 0; t < tab->nnode; t++) {
        s->place[t] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < comp->n; i++) {
        s->place[comp->node[i]] = i;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < comp->n; i++) {
        s->succ_at[i] = n;
        uint32_t t = comp->node[i];
        for (uint32_t k = tab->succ_at[t]; k < tab->succ_at[t + 1]; k++) {
            if (s->place[tab->succ[k]] != UINT32_MAX) {
                s->succ[n++] = s->place[tab->succ[k]];
            }
        }
    }
    s->succ_at[comp->n] = n;
}

/* Fills dom and base: the reachable product nodes over the component, and their ranks. */
static int comp_domain(struct hunt *s, struct err *err)
{
    const struct tcomp *comp = s->comp;
    uint64_t nstate = s->live->nnode;
    uint64_t total = nstate * comp->n;
    s->dom_all = s->reach_count == nstate * s->tab->nnode;
    s->count = total;
    if (total >= UINT32_MAX / 2 && s->dom_all) {
        return err_set(err, ERR_LIMIT, 0, "the product of states and tableau is too large");
    }
    if (s->dom_all) {
        return 0;
    }
    uint64_t words = total / 64 + 1;
    int rc = big_reserve(&s->dom, words * sizeof(uint64_t), err);
    if (rc == 0) {
        rc = big_reserve(&s->base, words * sizeof(uint32_t), err);
    }
    if (rc < 0) {
        return rc;
    }
    uint64_t *dom = s->dom.p;
    uint32_t *base = s->base.p;
    memset(dom, 0, words * sizeof *dom);
    for (uint64_t state = 0; state < nstate; state++) {
        for (uint32_t i = 0; i < comp->n; i++) {
            uint32_t t = comp->node[i];
            if (s->reach[state * s->row + t / 8] >> t % 8 & 1) {
                bit_set(dom, state * comp->n + i);
            }
        }
    }
    s->count = 0;
    for (uint64_t w = 0; w < words; w++) {
        base[w] = (uint32_t)s->count;
        s->count += bit_count(dom[w]);
    }
    if (s->count >= UINT32_MAX / 2) {
        return err_set(err, ERR_LIMIT, 0, "the product of states and tableau is too large");
    }
    return 0;
}

static int comp_search(struct hunt *s, struct err *err)
{
    comp_edges(s);
    int rc = comp_domain(s, err);
    if (rc == 0) {
        rc = big_reserve(&s->rindex, (s->count + 1) * sizeof(uint32_t), err);
    }
    if (rc < 0) {
        return rc;
    }
    memset(s->rindex.p, 0, (s->count + 1) * sizeof(uint32_t));
    memset(s->need, 0, s->words * sizeof *s->need);
    s->need_any = false;
    uint64_t left = 0;
    rc = hunt_trim(s, &left, err);
    return rc == 0 && left > 0 ? live_scc_search(s, left, err) : rc;
}

/* ---- a branch ---- */

void hunt_done(struct hunt *s)
{
    struct big *bigs[] = {&s->ok,  &s->mask, &s->agree, &s->reach_own,
                          &s->dom, &s->base, &s->rindex};
    for (size_t i = 0; i < sizeof bigs / sizeof *bigs; i++) {
        big_done(bigs[i]);
    }
    vec_release(s->place);
    vec_release(s->succ_at);
    vec_release(s->succ);
    vec_release(s->need);
    vec_release(s->any);
    vec_release(s->all);
    vec_release(s->goal);
}

int hunt_run(struct hunt *s, struct err *err)
{
    s->tab = s->branch->tab;
    if (s->branch->never || s->tab->ncomp == 0 || s->live->inits.n == 0) {
        return 0;
    }
    int rc = hunt_labels(s, err);
    if (rc < 0) {
        return rc;
    }
    s->need = hunt_scratch(s->words, sizeof *s->need);
    s->any = hunt_scratch(s->words, sizeof *s->any);
    s->all = hunt_scratch(s->words, sizeof *s->all);
    s->goal = hunt_scratch(s->words, sizeof *s->goal);
    for (uint32_t i = 0; i < s->branch->nae; i++) {
        bit_set(s->goal, i);
    }
    if (s->tab == s->live->plain) {
        s->reach = s->live->reach.p;
        s->reach_count = s->live->reach_count;
    } else {
        rc = hunt_reach(s, &s->reach_own, &s->reach_count, err);
        s->reach = s->reach_own.p;
    }
    for (uint32_t i = 0; rc == 0 && i < s->tab->ncomp; i++) {
        s->comp = &s->tab->comps[i];
        rc = comp_search(s, err);
    }
    return rc;
}
