/* Cycles of dependencies between transactions, and which anomaly each is.
 *
 * An edge inside of a strongly connected component lies on a cycle. So for each class of anomaly
 * the components of the edges that it may use are found, and from an edge that it must have the
 * shortest way back; of several such cycles the shortest is told. The classes, worst first:
 *
 *   G0            writes only                      ww
 *   G1c           information flows in a circle    ww, wr, at least one wr
 *   G-single      one anti-dependency              ww, wr, one rw
 *   G-nonadjacent no two rw in a row               what snapshot isolation forbids
 *   G2            any other                        ww, wr, rw
 *
 * and each of them again with edges of a process, and of real time. */
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "history/history.h"
#include "history/history_int.h"

enum { STARTS_MAX = 64 };           /* edges from which a way back is looked for, for each class */
enum { VISITS_MAX = 20 * 1000000 }; /* edges looked at, for each class */

struct finder {
    struct hist_txns *txns;
    struct hist_graph graph;
    uint32_t *back;   /* the edge by which a node was reached; [2n] */
    uint32_t *parent; /* the node from which */
    uint32_t *queue;
    uint32_t *round; /* the search in which it was reached */
    uint32_t rounds;
    size_t visits;
    VEC(uint32_t) best; /* edges of the shortest cycle so far */
};

struct search {
    unsigned kinds; /* edges that may be used */
    unsigned start; /* the kind that the cycle must have */
    unsigned back;  /* edges of the way back; 0: `kinds` */
    bool apart;
};

/* Writes down the cycle that ends in a node, if it is shorter than the best one. */
static void take_cycle(struct finder *f, uint32_t start, uint32_t from, uint32_t node)
{
    VEC(uint32_t) cycle = {0};
    for (uint32_t at = node; at != from; at = f->parent[at]) {
        VEC_PUSH(&cycle, f->back[at]);
    }
    VEC_PUSH(&cycle, start);
    if (f->best.n == 0 || cycle.n < f->best.n) {
        VEC_RESET(&f->best);
        for (size_t i = cycle.n; i-- > 0;) {
            VEC_PUSH(&f->best, cycle.v[i]);
        }
    }
    VEC_DONE(&cycle);
}

/* Breadth first from the end of an edge back to its beginning. */
static void way_back(struct finder *f, const struct search *s, uint32_t start)
{
    const struct hist_graph *g = &f->graph;
    const struct hist_edge *first = &g->edges[start];
    bool first_rw = s->apart && first->kind == HIST_RW;
    uint32_t from = first_rw ? first->to + g->n : first->to;
    unsigned kinds = s->back != 0 ? s->back : s->kinds;
    size_t head = 0;
    size_t tail = 0;
    f->rounds++;
    f->round[from] = f->rounds;
    f->queue[tail++] = from;
    while (head < tail) {
        uint32_t node = f->queue[head++];
        uint32_t txn = node % g->n;
        if (txn == first->from && !(first_rw && node >= g->n)) {
            take_cycle(f, start, from, node);
            return;
        }
        for (uint32_t e = g->begin[txn]; e < g->begin[txn + 1]; e++) {
            const struct hist_edge *edge = &g->edges[e];
            bool rw = s->apart && edge->kind == HIST_RW;
            uint32_t to = rw ? edge->to + g->n : edge->to;
            f->visits++;
            if ((edge->kind & kinds) == 0 || (rw && node >= g->n) || f->round[to] == f->rounds ||
                g->component[to] != g->component[from]) {
                continue;
            }
            f->round[to] = f->rounds;
            f->back[to] = e;
            f->parent[to] = node;
            f->queue[tail++] = to;
        }
    }
}

/* Whether an edge lies on a cycle of the graph whose components were found. */
static bool on_cycle(const struct finder *f, const struct search *s, const struct hist_edge *edge)
{
    const struct hist_graph *g = &f->graph;
    bool rw = s->apart && edge->kind == HIST_RW;
    uint32_t to = rw ? edge->to + g->n : edge->to;
    if (!g->cyclic[to]) {
        return false;
    }
    return g->component[edge->from] == g->component[to] ||
           (s->apart && !rw && g->component[edge->from + g->n] == g->component[to]);
}

static const char *verb_of(const struct finder *f)
{
    return f->txns->options->model == HIST_LIST_APPEND ? "append" : "write";
}

static void tell_edge(const struct finder *f, const struct hist_edge *e, size_t a, size_t b,
                      struct strbuf *out)
{
    const struct hvals *vals = &f->txns->history->vals;
    SCOPED_STRBUF key = {0};
    SCOPED_STRBUF old = {0};
    SCOPED_STRBUF next = {0};
    if ((e->kind & (HIST_PROCESS | HIST_REALTIME)) == 0) {
        hval_print(vals, f->txns->keys.v[e->object], &key);
        hval_print(vals, e->old, &old);
        hval_print(vals, e->next, &next);
    }
    strbuf_printf(out, "    T%zu before T%zu: ", a, b);
    switch (e->kind) {
    case HIST_WW:
        strbuf_printf(out, "T%zu's %s of %s to %s came after T%zu's of %s (ww)\n", b, verb_of(f),
                      strbuf_cstr(&next), strbuf_cstr(&key), a, strbuf_cstr(&old));
        return;
    case HIST_WR:
        strbuf_printf(out, "T%zu saw T%zu's %s of %s to %s (wr)\n", b, a, verb_of(f),
                      strbuf_cstr(&old), strbuf_cstr(&key));
        return;
    case HIST_RW:
        strbuf_printf(out, "T%zu did not see T%zu's %s of %s to %s (rw)\n", a, b, verb_of(f),
                      strbuf_cstr(&next), strbuf_cstr(&key));
        return;
    case HIST_PROCESS: strbuf_adds(out, "it was earlier in the same process\n"); return;
    default: strbuf_printf(out, "it had ended before T%zu began\n", b); return;
    }
}

static enum hist_anomaly classify(const struct finder *f)
{
    size_t n = f->best.n;
    size_t rw = 0;
    size_t wr = 0;
    size_t process = 0;
    size_t real = 0;
    bool adjacent = false;
    for (size_t i = 0; i < n; i++) {
        unsigned kind = f->graph.edges[f->best.v[i]].kind;
        unsigned before = f->graph.edges[f->best.v[i > 0 ? i - 1 : n - 1]].kind;
        rw += kind == HIST_RW;
        wr += kind == HIST_WR;
        process += kind == HIST_PROCESS;
        real += kind == HIST_REALTIME;
        adjacent = adjacent || (kind == HIST_RW && before == HIST_RW);
    }
    enum hist_anomaly kind = rw == 1  ? HIST_G_SINGLE
                             : rw > 1 ? (adjacent ? HIST_G2_ITEM : HIST_G_NONADJACENT)
                             : wr > 0 ? HIST_G1C
                                      : HIST_G0;
    if (real > 0) {
        return kind + (HIST_G0_REALTIME - HIST_G0);
    }
    return process > 0 ? kind + (HIST_G0_PROCESS - HIST_G0) : kind;
}

/* Whether a cycle of this class is known, perhaps one that needs fewer kinds of edges. */
static bool is_known(const struct finder *f, enum hist_anomaly kind)
{
    enum { STEP = HIST_G0_PROCESS - HIST_G0 };
    for (int k = (int)kind; k >= HIST_G0; k -= STEP) {
        if (f->txns->found[k] > 0) {
            return true;
        }
    }
    return false;
}

static void tell_cycle(struct finder *f)
{
    enum hist_anomaly kind = classify(f);
    if (is_known(f, kind)) {
        return;
    }
    (void)hist_found(f->txns, kind);
    struct strbuf *out = &f->txns->text[kind];
    strbuf_adds(out, "  Each of these came before the next, and the last before the first:\n");
    for (size_t i = 0; i < f->best.n; i++) {
        char name[24];
        snprintf(name, sizeof name, "T%zu", i + 1);
        hist_txn_line(f->txns, f->graph.edges[f->best.v[i]].from, name, out);
    }
    for (size_t i = 0; i < f->best.n; i++) {
        tell_edge(f, &f->graph.edges[f->best.v[i]], i + 1, (i + 1) % f->best.n + 1, out);
    }
}

static void find(struct finder *f, const struct search *s)
{
    hist_graph_components(&f->graph, s->kinds, s->apart);
    VEC_RESET(&f->best);
    f->visits = 0;
    size_t starts = 0;
    for (uint32_t e = 0; e < f->graph.begin[f->graph.n]; e++) {
        const struct hist_edge *edge = &f->graph.edges[e];
        if (edge->kind != s->start || !on_cycle(f, s, edge)) {
            continue;
        }
        size_t limit = s->back != 0 ? SIZE_MAX : STARTS_MAX; /* a way back may not exist */
        if (f->best.n == 2 || starts++ >= limit || f->visits > VISITS_MAX) {
            break;
        }
        way_back(f, s, e);
    }
    if (f->best.n > 0) {
        tell_cycle(f);
    }
}

void hist_cycles(struct hist_txns *txns)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct finder f = {
        .txns = txns, .graph = {.arena = &arena, .n = (uint32_t)txns->txns.n}
    };
    size_t n = 2 * txns->txns.n + 1;
    hist_graph_init(&f.graph, txns->edges.v, txns->edges.n);
    f.back = ARENA_ARRAY(&arena, uint32_t, n);
    f.parent = ARENA_ARRAY(&arena, uint32_t, n);
    f.queue = ARENA_ARRAY(&arena, uint32_t, n);
    f.round = ARENA_ARRAY(&arena, uint32_t, n);
    enum { DATA = HIST_WW | HIST_WR | HIST_RW };
    static const struct search data[] = {
        {.kinds = HIST_WW, .start = HIST_WW},
        {.kinds = HIST_WW | HIST_WR, .start = HIST_WR},
        {.kinds = DATA, .start = HIST_RW, .back = HIST_WW | HIST_WR},
        {.kinds = DATA, .start = HIST_RW, .apart = true},
        {.kinds = DATA, .start = HIST_RW},
    };
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++) {
        find(&f, &data[i]);
    }
    static const unsigned orders[] = {HIST_PROCESS, HIST_REALTIME};
    static const unsigned kinds[] = {HIST_WW, HIST_WW | HIST_WR, DATA, DATA};
    for (size_t o = 0; o < 2; o++) {
        for (size_t k = 0; k < 4; k++) {
            find(&f, &(struct search){
                         .kinds = kinds[k] | orders[o], .start = orders[o], .apart = k == 2});
        }
    }
    VEC_DONE(&f.best);
    arena_done(&arena);
}
