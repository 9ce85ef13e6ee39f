/* Tableaux: a temporal formula over state predicates as a generalised Buchi automaton.
 *
 * After Gerth, Peled, Vardi, Wolper, "Simple on-the-fly automatic verification of linear temporal
 * logic" (1995), for the operators TLA+ has. A set of formulas that must hold now is expanded into
 * covers; a cover is a pair
 *     lits  predicates the state must satisfy now        next  formulas that must hold from the
 * next state on by   f /\ g: both    f \/ g: one cover for each    []f: f now, []f next    <>f: f
 * now, or <>f next. Covers are the nodes; the successors of a node are the covers of its `next`. A
 * cover whose sets contain those of another one allows less and is dropped. A run is accepted when
 * no <>f is put off for ever, that is, when for each <>f it meets infinitely often a node without
 * <>f in `next`.
 *
 * (TLC builds the particle tableau of Manna and Pnueli for the same formulas. The language is the
 * same and this one is smaller: ~(P ~> Q) has 3 nodes, of which one can be part of a cycle that
 * counts.)
 *
 * Every cycle of the product lies over one strongly connected component of the tableau, so only
 * components in which all promises can be kept are given to the search, and nodes from which none
 * of these can be reached are dropped. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "check/live_int.h"
#include "model/model.h"

enum { NONE = UINT32_MAX, COVERS_MAX = 1 << 14 };

enum part_kind { PART_PRED, PART_AND, PART_OR, PART_ALWAYS, PART_EVENTUALLY };
struct part { /* a subformula */
    enum part_kind kind;
    const struct tform *form;
    VEC(uint32_t) kids;
    uint32_t opposite; /* of a predicate: the number of its negation, or NONE */
};

/* Sets of parts are bit vectors of `words` words. */
struct build {
    struct arena *arena;
    const volatile void *interrupt;
    struct err *err;
    VEC(struct part) parts;
    uint32_t words;
    VEC(uint64_t) nodes; /* [nnode]: lits, next */
    uint32_t nnode;
    struct u64map first; /* hash of a node -> newest node with it, + 1 */
    VEC(uint32_t) older; /* [nnode]: the one before with the same hash, + 1 */
    VEC(uint32_t) succ_at;
    VEC(uint32_t) succ;
    VEC(uint64_t) stack;  /* partial covers: todo, seen, lits, next */
    VEC(uint64_t) covers; /* result: lits, next */
};

/* ---- subformulas ---- */

static uint32_t part_of(struct build *b, const struct tform *form)
{
    for (size_t i = 0; i < b->parts.n; i++) {
        if (form_equal(b->parts.v[i].form, form)) {
            return (uint32_t)i;
        }
    }
    struct part part = {.kind = PART_PRED, .form = form, .opposite = NONE};
    bool temporal = form_temporal(form);
    if (form->kind == TF_AND) {
        part.kind = PART_AND;
    } else if (temporal && form->kind == TF_OR) {
        part.kind = PART_OR;
    } else if (form->kind == TF_ALWAYS) {
        part.kind = PART_ALWAYS;
    } else if (form->kind == TF_EVENTUALLY) {
        part.kind = PART_EVENTUALLY;
    }
    for (uint32_t i = 0; i < form->n && part.kind != PART_PRED; i++) {
        VEC_PUSH(&part.kids, part_of(b, form->kid[i]));
    }
    VEC_PUSH(&b->parts, part);
    return (uint32_t)b->parts.n - 1;
}

static void parts_pair(struct build *b)
{
    for (uint32_t i = 0; i < b->parts.n; i++) {
        const struct part *part = &b->parts.v[i];
        for (uint32_t j = 0; part->kind == PART_PRED && j < b->parts.n; j++) {
            const struct tform *other = b->parts.v[j].form;
            if (other->kind == TF_NOT && form_equal(other->kid[0], part->form)) {
                b->parts.v[i].opposite = j;
                b->parts.v[j].opposite = i;
            }
        }
    }
}

/* ---- covers ---- */

static bool subset(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++) {
        if (a[w] & ~b[w]) {
            return false;
        }
    }
    return true;
}

/* Adds a cover unless one is there that allows more; drops those that allow less. */
static void cover_add(struct build *b, const uint64_t *cover)
{
    size_t size = (size_t)b->words * 2;
    size_t kept = 0;
    for (size_t i = 0; i < b->covers.n; i += size) {
        uint64_t *other = b->covers.v + i;
        if (subset(other, cover, 2 * b->words)) {
            return; /* nothing was dropped before: that one would have dropped it already */
        }
        if (!subset(cover, other, 2 * b->words)) {
            memmove(b->covers.v + kept, other, size * sizeof *other);
            kept += size;
        }
    }
    b->covers.n = kept;
    for (size_t w = 0; w < size; w++) {
        VEC_PUSH(&b->covers, cover[w]);
    }
}

/* The partial cover being expanded; a copy, since the stack moves. */
struct partial {
    uint64_t *todo, *seen, *lits, *next;
};

static void partial_push(struct build *b, const struct partial *p, uint32_t also)
{
    size_t at = b->stack.n;
    VEC_RESERVE(&b->stack, at + (size_t)b->words * 4);
    memcpy(b->stack.v + at, p->todo, (size_t)b->words * 4 * sizeof(uint64_t));
    b->stack.n += (size_t)b->words * 4;
    bit_set(b->stack.v + at, also);
}

/* Deals with one formula. False when the cover is contradictory. */
static bool partial_expand(struct build *b, struct partial *p, uint32_t number)
{
    const struct part *part = &b->parts.v[number];
    switch (part->kind) {
    case PART_PRED:
        bit_set(p->lits, number);
        return part->opposite == NONE || !bit_get(p->lits, part->opposite);
    case PART_AND:
        for (size_t i = 0; i < part->kids.n; i++) {
            bit_set(p->todo, part->kids.v[i]);
        }
        return true;
    case PART_ALWAYS:
        bit_set(p->todo, part->kids.v[0]);
        bit_set(p->next, number);
        return true;
    case PART_EVENTUALLY:
        if (!bit_get(p->seen, part->kids.v[0])) {
            partial_push(b, p, part->kids.v[0]);
            bit_set(p->next, number);
        }
        return true;
    case PART_OR:
        for (size_t i = 0; i < part->kids.n; i++) {
            if (bit_get(p->seen, part->kids.v[i])) {
                return true;
            }
        }
        for (size_t i = 1; i < part->kids.n; i++) {
            partial_push(b, p, part->kids.v[i]);
        }
        bit_set(p->todo, part->kids.v[0]);
        return true;
    }
    UNREACHABLE();
}

static uint32_t set_first(const uint64_t *set, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++) {
        if (set[w]) {
            return w * 64 + (uint32_t)__builtin_ctzll(set[w]);
        }
    }
    return NONE;
}

/* All covers of a set of formulas, in b->covers. */
static int covers_of(struct build *b, const uint64_t *set)
{
    uint32_t words = b->words;
    VEC_RESET(&b->covers);
    VEC(uint64_t) space = {0};
    VEC_RESERVE(&space, (size_t)words * 4);
    struct partial p = {space.v, space.v + words, space.v + 2 * (size_t)words,
                        space.v + 3 * (size_t)words};
    VEC_RESERVE(&b->stack, (size_t)words * 4);
    memset(b->stack.v, 0, (size_t)words * 4 * sizeof(uint64_t));
    memcpy(b->stack.v, set, words * sizeof *set);
    b->stack.n = (size_t)words * 4;
    size_t steps = 0;
    while (b->stack.n > 0 && steps++ < COVERS_MAX) {
        b->stack.n -= (size_t)words * 4;
        memcpy(space.v, b->stack.v + b->stack.n, (size_t)words * 4 * sizeof(uint64_t));
        bool possible = true;
        uint32_t number = 0;
        while (possible && (number = set_first(p.todo, words)) != NONE) {
            p.todo[number >> 6] &= ~(UINT64_C(1) << (number & 63));
            if (!bit_get(p.seen, number)) {
                bit_set(p.seen, number);
                possible = partial_expand(b, &p, number);
            }
        }
        if (possible) {
            cover_add(b, p.lits);
        }
    }
    VEC_DONE(&space);
    if (b->stack.n > 0) {
        return err_set(b->err, ERR_LIMIT, 0, "the tableau of a temporal formula is too large");
    }
    return live_poll(b->interrupt, b->err);
}

/* ---- the graph of covers ---- */

static uint32_t node_of(struct build *b, const uint64_t *cover)
{
    size_t size = (size_t)b->words * 2;
    uint64_t hash = hash_bytes(cover, size * sizeof *cover, 0);
    uint64_t newest = 0;
    (void)u64map_get(&b->first, hash, &newest);
    for (uint64_t at = newest; at; at = b->older.v[at - 1]) {
        if (memcmp(b->nodes.v + (at - 1) * size, cover, size * sizeof *cover) == 0) {
            return (uint32_t)at - 1;
        }
    }
    for (size_t w = 0; w < size; w++) {
        VEC_PUSH(&b->nodes, cover[w]);
    }
    VEC_PUSH(&b->older, (uint32_t)newest);
    b->nnode++;
    u64map_put(&b->first, hash, b->nnode);
    return b->nnode - 1;
}

/* Makes all nodes and their successors, the initial ones first. */
static int graph_expand(struct build *b, uint32_t root, uint32_t *ret_ninit)
{
    uint64_t *set = ARENA_ARRAY(b->arena, uint64_t, b->words);
    bit_set(set, root);
    int rc = covers_of(b, set);
    for (size_t i = 0; rc == 0 && i < b->covers.n; i += (size_t)b->words * 2) {
        (void)node_of(b, b->covers.v + i);
    }
    *ret_ninit = b->nnode;
    for (uint32_t node = 0; rc == 0 && node < b->nnode; node++) {
        VEC_PUSH(&b->succ_at, (uint32_t)b->succ.n);
        memcpy(set, b->nodes.v + ((size_t)node * 2 + 1) * b->words, b->words * sizeof *set);
        rc = covers_of(b, set);
        for (size_t i = 0; rc == 0 && i < b->covers.n; i += (size_t)b->words * 2) {
            VEC_PUSH(&b->succ, node_of(b, b->covers.v + i));
        }
        if (rc == 0 && b->nnode > TABLEAU_MAX) {
            rc = err_set(b->err, ERR_LIMIT, 0, "the tableau of a temporal formula is too large");
        }
    }
    VEC_PUSH(&b->succ_at, (uint32_t)b->succ.n);
    return rc;
}

/* ---- components ---- */

/* Tarjan's algorithm with an explicit stack. comp[v] gets the number of v's component; these are
 * numbered so that edges lead to lower numbers or stay. */
struct tarjan {
    const uint32_t *succ_at, *succ;
    uint32_t *num, *low, *comp, *cursor;
    VEC(uint32_t) path, open;
    uint32_t count, ncomp;
};

static void tarjan_enter(struct tarjan *t, uint32_t v)
{
    t->num[v] = t->low[v] = ++t->count;
    t->cursor[v] = t->succ_at[v];
    VEC_PUSH(&t->path, v);
    VEC_PUSH(&t->open, v);
}

static void tarjan_leave(struct tarjan *t)
{
    uint32_t v = VEC_POP(&t->path);
    if (t->path.n > 0) {
        uint32_t up = VEC_LAST(&t->path);
        t->low[up] = t->low[v] < t->low[up] ? t->low[v] : t->low[up];
    }
    if (t->low[v] == t->num[v]) {
        uint32_t w = NONE;
        while (w != v) {
            w = VEC_POP(&t->open);
            t->comp[w] = t->ncomp;
        }
        t->ncomp++;
    }
}

static uint32_t components(struct arena *arena, uint32_t n, const uint32_t *succ_at,
                           const uint32_t *succ, uint32_t *comp)
{
    struct tarjan t = {.succ_at = succ_at, .succ = succ, .comp = comp};
    t.num = ARENA_ARRAY(arena, uint32_t, n + 1);
    t.low = ARENA_ARRAY(arena, uint32_t, n + 1);
    t.cursor = ARENA_ARRAY(arena, uint32_t, n + 1);
    for (uint32_t v = 0; v < n; v++) {
        comp[v] = NONE;
    }
    for (uint32_t root = 0; root < n; root++) {
        if (t.num[root]) {
            continue;
        }
        tarjan_enter(&t, root);
        while (t.path.n > 0) {
            uint32_t v = VEC_LAST(&t.path);
            if (t.cursor[v] == succ_at[v + 1]) {
                tarjan_leave(&t);
                continue;
            }
            uint32_t w = succ[t.cursor[v]++];
            if (!t.num[w]) {
                tarjan_enter(&t, w);
            } else if (comp[w] == NONE && t.num[w] < t.low[v]) {
                t.low[v] = t.num[w];
            }
        }
    }
    VEC_DONE(&t.path);
    VEC_DONE(&t.open);
    return t.ncomp;
}

/* Members of each component: member[at[c]] .. member[at[c + 1] - 1]. */
struct groups {
    uint32_t *at, *member;
    const uint32_t *comp;
    uint32_t n;
};

static struct groups groups_of(struct arena *arena, const struct tableau *tab)
{
    uint32_t *comp = ARENA_ARRAY(arena, uint32_t, tab->nnode + 1);
    struct groups g = {.comp = comp};
    g.n = components(arena, tab->nnode, tab->succ_at, tab->succ, comp);
    g.at = ARENA_ARRAY(arena, uint32_t, g.n + 2);
    g.member = ARENA_ARRAY(arena, uint32_t, tab->nnode + 1);
    for (uint32_t v = 0; v < tab->nnode; v++) {
        g.at[comp[v] + 2]++;
    }
    for (uint32_t c = 0; c < g.n; c++) {
        g.at[c + 2] += g.at[c + 1];
    }
    for (uint32_t v = 0; v < tab->nnode; v++) {
        g.member[g.at[comp[v] + 1]++] = v;
    }
    return g;
}

/* Can a run stay in the component for ever and keep all promises. */
static bool component_good(const struct tableau *tab, const struct groups *g, uint32_t c)
{
    bool edge = false;
    for (uint32_t m = g->at[c]; m < g->at[c + 1] && !edge; m++) {
        uint32_t v = g->member[m];
        for (uint32_t i = tab->succ_at[v]; i < tab->succ_at[v + 1]; i++) {
            edge = edge || g->comp[tab->succ[i]] == c;
        }
    }
    for (uint32_t p = 0; p < tab->npromise && edge; p++) {
        bool kept = false;
        for (uint32_t m = g->at[c]; m < g->at[c + 1] && !kept; m++) {
            kept = bit_get(tab->kept + (size_t)g->member[m] * tab->promise_words, p);
        }
        edge = kept;
    }
    return edge;
}

/* Removes edges and initial nodes from which no good component can be reached. Edges lead to lower
 * components, so one pass upwards decides. */
static void prune(struct tableau *tab, const struct groups *g, bool *good)
{
    for (uint32_t c = 0; c < g->n; c++) {
        for (uint32_t m = g->at[c]; m < g->at[c + 1] && !good[c]; m++) {
            uint32_t v = g->member[m];
            for (uint32_t i = tab->succ_at[v]; i < tab->succ_at[v + 1]; i++) {
                good[c] = good[c] || good[g->comp[tab->succ[i]]];
            }
        }
    }
    uint32_t kept = 0;
    for (uint32_t v = 0; v < tab->nnode; v++) {
        uint32_t from = tab->succ_at[v];
        tab->succ_at[v] = kept;
        for (uint32_t i = from; i < tab->succ_at[v + 1]; i++) {
            if (good[g->comp[tab->succ[i]]]) {
                tab->succ[kept++] = tab->succ[i];
            }
        }
    }
    tab->succ_at[tab->nnode] = kept;
    uint32_t ninit = 0;
    for (uint32_t i = 0; i < tab->ninit; i++) {
        if (good[g->comp[tab->init[i]]]) {
            tab->init[ninit++] = tab->init[i];
        }
    }
    tab->ninit = ninit;
}

static void find_components(struct arena *arena, struct tableau *tab)
{
    struct groups g = groups_of(arena, tab);
    bool *good = ARENA_ARRAY(arena, bool, g.n + 1);
    tab->comps = ARENA_ARRAY(arena, struct tcomp, g.n + 1);
    for (uint32_t c = 0; c < g.n; c++) {
        good[c] = component_good(tab, &g, c);
        if (good[c]) {
            tab->comps[tab->ncomp++] = (struct tcomp){g.at[c + 1] - g.at[c], g.member + g.at[c]};
        }
    }
    prune(tab, &g, good);
}

/* ---- the result ---- */

static void tableau_fill(struct build *b, struct tableau *tab)
{
    uint32_t *pred_at = ARENA_ARRAY(b->arena, uint32_t, b->parts.n);
    uint32_t *promise_at = ARENA_ARRAY(b->arena, uint32_t, b->parts.n);
    tab->preds = ARENA_ARRAY(b->arena, const struct tform *, b->parts.n);
    for (uint32_t i = 0; i < b->parts.n; i++) {
        pred_at[i] = promise_at[i] = NONE;
        if (b->parts.v[i].kind == PART_PRED) {
            pred_at[i] = tab->npred;
            tab->preds[tab->npred++] = b->parts.v[i].form;
        } else if (b->parts.v[i].kind == PART_EVENTUALLY) {
            promise_at[i] = tab->npromise++;
        }
    }
    tab->pred_words = tab->npred / 64 + 1;
    tab->promise_words = tab->npromise / 64 + 1;
    tab->lits = ARENA_ARRAY(b->arena, uint64_t, (size_t)tab->nnode * tab->pred_words);
    tab->kept = ARENA_ARRAY(b->arena, uint64_t, (size_t)tab->nnode * tab->promise_words);
    tab->ends = ARENA_ARRAY(b->arena, uint8_t, tab->nnode / 8 + 1);
    for (uint32_t v = 0; v < tab->nnode; v++) {
        const uint64_t *lits = b->nodes.v + (size_t)v * 2 * b->words;
        const uint64_t *next = lits + b->words;
        if (set_first(next, b->words) == NONE) {
            tab->ends[v / 8] |= (uint8_t)(1 << v % 8);
        }
        for (uint32_t i = 0; i < b->parts.n; i++) {
            if (pred_at[i] != NONE && bit_get(lits, i)) {
                bit_set(tab->lits + (size_t)v * tab->pred_words, pred_at[i]);
            }
            if (promise_at[i] != NONE && !bit_get(next, i)) {
                bit_set(tab->kept + (size_t)v * tab->promise_words, promise_at[i]);
            }
        }
    }
}

static uint32_t *copy_of(struct arena *arena, const uint32_t *v, size_t n)
{
    uint32_t *copy = ARENA_ARRAY(arena, uint32_t, n + 1);
    if (n) {
        memcpy(copy, v, n * sizeof *v);
    }
    return copy;
}

static void build_done(struct build *b)
{
    for (size_t i = 0; i < b->parts.n; i++) {
        VEC_DONE(&b->parts.v[i].kids);
    }
    VEC_DONE(&b->parts);
    VEC_DONE(&b->nodes);
    u64map_done(&b->first);
    VEC_DONE(&b->older);
    VEC_DONE(&b->succ_at);
    VEC_DONE(&b->succ);
    VEC_DONE(&b->stack);
    VEC_DONE(&b->covers);
}

int tableau_build(struct arena *arena, const struct tform *form, const volatile void *interrupt,
                  struct tableau **ret_tableau, struct err *err)
{
    struct build b = {.arena = arena, .interrupt = interrupt, .err = err};
    uint32_t root = part_of(&b, form);
    parts_pair(&b);
    b.words = (uint32_t)(b.parts.n + 63) / 64;
    uint32_t ninit = 0;
    int rc = graph_expand(&b, root, &ninit);
    if (rc == 0) {
        struct tableau *tab = ARENA_NEW(arena, struct tableau);
        tab->nnode = b.nnode;
        tab->ninit = ninit;
        tab->init = ARENA_ARRAY(arena, uint32_t, ninit + 1);
        for (uint32_t i = 0; i < ninit; i++) {
            tab->init[i] = i;
        }
        tab->succ_at = copy_of(arena, b.succ_at.v, b.succ_at.n);
        tab->succ = copy_of(arena, b.succ.v, b.succ.n);
        tableau_fill(&b, tab);
        find_components(arena, tab);
        *ret_tableau = tab;
    }
    build_done(&b);
    return rc;
}

struct tableau *tableau_plain(struct arena *arena)
{
    struct tableau *tab = ARENA_NEW(arena, struct tableau);
    tab->nnode = tab->ninit = 1;
    tab->init = ARENA_ARRAY(arena, uint32_t, 1);
    tab->succ_at = ARENA_ARRAY(arena, uint32_t, 2);
    tab->succ_at[1] = 1;
    tab->succ = ARENA_ARRAY(arena, uint32_t, 1);
    tab->pred_words = tab->promise_words = 1;
    tab->lits = ARENA_ARRAY(arena, uint64_t, 1);
    tab->kept = ARENA_ARRAY(arena, uint64_t, 1);
    find_components(arena, tab);
    return tab;
}
