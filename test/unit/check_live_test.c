/* Liveness checking: graphs by hand with known answers, and random graphs and formulas against an
 * oracle.
 *
 * The oracle knows nothing of tableaux. A behaviour ends up taking some set X of edges infinitely
 * often, and X is strongly connected. While only X is left, <>f is true iff f is true on some edge
 * of X, and []f iff on all of them, so every formula has a value on each edge of X. Going backwards
 * from there, the values at a position follow from its edge and the values of <>f and []f one
 * position later. So all pairs of a state and a vector of values that some behaviour has can be
 * enumerated, for each X, and the question is whether an initial state is paired with a vector in
 * which the formula is true. */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/rng.h"
#include "base/vec.h"
#include "check/live.h"
#include "model/model.h"
#include "test.h"

/* ---- formulas ---- */

static struct tform *form(struct arena *arena, enum tf_kind kind, uint32_t leaf, struct tform *a,
                          struct tform *b)
{
    struct tform *f = ARENA_NEW(arena, struct tform);
    f->kind = kind;
    f->leaf = leaf;
    f->n = (uint32_t)((a != NULL) + (b != NULL));
    f->kid = ARENA_ARRAY(arena, struct tform *, 2);
    f->kid[0] = a;
    f->kid[1] = b;
    return f;
}

/* Prefix notation: digits are state leaves, lower case letters action leaves,
 * ~ not, & and, | or, [ always, < eventually, T, F; W and S are fairness: W0a = WF, ENABLED is leaf
 * 0. */
static struct tform *parse(struct arena *arena, const char **text)
{
    char c = *(*text)++;
    struct tform *a = NULL;
    struct tform *b = NULL;
    switch (c) {
    case 'T': return form(arena, TF_TRUE, 0, NULL, NULL);
    case 'F': return form(arena, TF_FALSE, 0, NULL, NULL);
    case '~': return form(arena, TF_NOT, 0, parse(arena, text), NULL);
    case '[': return form(arena, TF_ALWAYS, 0, parse(arena, text), NULL);
    case '<': return form(arena, TF_EVENTUALLY, 0, parse(arena, text), NULL);
    case '&':
    case '|':
        a = parse(arena, text);
        b = parse(arena, text);
        return form(arena, c == '&' ? TF_AND : TF_OR, 0, a, b);
    case 'W':
    case 'S':
        a = form(arena, TF_NOT, 0, parse(arena, text), NULL);
        b = parse(arena, text);
        if (c == 'W') {
            a = form(arena, TF_OR, 0, a, b);
            return form(arena, TF_ALWAYS, 0, form(arena, TF_EVENTUALLY, 0, a, NULL), NULL);
        }
        a = form(arena, TF_EVENTUALLY, 0, form(arena, TF_ALWAYS, 0, a, NULL), NULL);
        b = form(arena, TF_ALWAYS, 0, form(arena, TF_EVENTUALLY, 0, b, NULL), NULL);
        return form(arena, TF_OR, 0, a, b);
    default:
        if (c >= '0' && c <= '9') {
            return form(arena, TF_STATE, (uint32_t)(c - '0'), NULL, NULL);
        }
        CHECK(c >= 'a' && c <= 'z');
        return form(arena, TF_ACTION, (uint32_t)(c - 'a'), NULL, NULL);
    }
}

static struct tform *formula(struct arena *arena, const char *text)
{
    struct tform *f = parse(arena, &text);
    CHECK_EQ(*text, 0);
    return f;
}

static void print(const struct tform *f, FILE *out)
{
    static const char *const names[] = {"T", "F", "", "", "~", "&", "|", "[", "<"};
    if (f->kind == TF_STATE) {
        fprintf(out, "%u", f->leaf);
    } else if (f->kind == TF_ACTION) {
        fprintf(out, "%c", 'a' + (int)f->leaf);
    }
    fputs(names[f->kind], out);
    for (uint32_t i = 0; i < f->n; i++) {
        print(f->kid[i], out);
    }
}

/* ---- graphs ---- */

enum { STATES_MAX = 64, EDGES_MAX = 256, LEAVES = 4 };

struct tedge {
    uint32_t from, to;
    uint64_t bits;
    bool stutter;
};

struct tgraph {
    uint32_t nstate;
    uint64_t bits[STATES_MAX];
    bool initial[STATES_MAX];
    bool done[STATES_MAX];
    uint64_t stutter[STATES_MAX]; /* action bits of the stuttering step */
    struct tedge edges[EDGES_MAX];
    uint32_t nedge;
};

static uint64_t fp_of(uint32_t state)
{
    return UINT64_C(0x9e3779b97f4a7c15) * (state + 1);
}

static void add_state(struct live *live, unsigned worker, const struct tgraph *g, uint32_t state)
{
    struct live_edge edges[EDGES_MAX];
    size_t n = 0;
    for (uint32_t e = 0; e < g->nedge; e++) {
        if (g->edges[e].from == state) {
            edges[n++] = (struct live_edge){fp_of(g->edges[e].to), &g->edges[e].bits};
        }
    }
    live_add(live, worker, fp_of(state), g->initial[state], &g->bits[state], &g->stutter[state],
             edges, n);
}

static void add_graph(struct live *live, const struct tgraph *g)
{
    for (uint32_t s = 0; s < g->nstate; s++) {
        if (g->done[s]) {
            add_state(live, 0, g, s);
        }
    }
}

/* "0>1a 1>0": edges with their action leaves; states and stuttering get their bits from the caller.
 */
static struct tgraph graph(uint32_t nstate, const char *edges)
{
    struct tgraph g = {.nstate = nstate};
    for (uint32_t s = 0; s < nstate; s++) {
        g.done[s] = true;
    }
    g.initial[0] = true;
    while (*edges) {
        struct tedge e = {.from = (uint32_t)(edges[0] - '0'), .to = (uint32_t)(edges[2] - '0')};
        for (edges += 3; *edges >= 'a' && *edges <= 'z'; edges++) {
            e.bits |= UINT64_C(1) << (*edges - 'a');
        }
        edges += *edges == ' ';
        g.edges[g.nedge++] = e;
    }
    return g;
}

/* ---- the oracle ---- */

enum { NODES_MAX = 64 };

struct oracle {
    const struct tform *node[NODES_MAX]; /* subformulas, kids first */
    uint32_t kid[NODES_MAX][8];
    uint32_t n;
    struct tedge edges[EDGES_MAX]; /* stuttering included */
    uint64_t state_bits[STATES_MAX];
    uint32_t nedge, nstate;
};

static uint32_t oracle_node(struct oracle *o, const struct tform *f)
{
    uint32_t kids[8] = {0};
    CHECK(f->n <= 8);
    for (uint32_t i = 0; i < f->n; i++) {
        kids[i] = oracle_node(o, f->kid[i]);
    }
    CHECK(o->n < NODES_MAX);
    o->node[o->n] = f;
    memcpy(o->kid[o->n], kids, sizeof kids);
    return o->n++;
}

/* Values of all subformulas at a position with this edge, when `later` holds the values of <> and
 * [] one position later. With `fixed` these are taken as they are instead: the position is in the
 * tail. */
static uint64_t values(const struct oracle *o, const struct tedge *e, uint64_t later, bool fixed)
{
    uint64_t v = 0;
    for (uint32_t i = 0; i < o->n; i++) {
        const struct tform *f = o->node[i];
        uint64_t kid = v >> o->kid[i][0] & 1;
        uint64_t was = later >> i & 1;
        uint64_t r = 0;
        switch (f->kind) {
        case TF_TRUE: r = 1; break;
        case TF_FALSE: r = 0; break;
        case TF_STATE: r = o->state_bits[e->from] >> f->leaf & 1; break;
        case TF_ACTION: r = e->bits >> f->leaf & 1; break;
        case TF_NOT: r = !kid; break;
        case TF_AND:
        case TF_OR:
            r = f->kind == TF_AND;
            for (uint32_t k = 0; k < f->n; k++) {
                uint64_t x = v >> o->kid[i][k] & 1;
                r = f->kind == TF_AND ? r & x : r | x;
            }
            break;
        case TF_ALWAYS: r = fixed ? was : kid & was; break;
        case TF_EVENTUALLY: r = fixed ? was : kid | was; break;
        }
        v |= r << i;
    }
    return v;
}

/* Values of <> and [] (others 0) while the edges of `set` recur for ever. */
static uint64_t tail_values(const struct oracle *o, uint64_t set)
{
    uint64_t modal = 0;
    for (uint32_t i = 0; i < o->n; i++) { /* kids first, so each round settles one more */
        enum tf_kind kind = o->node[i]->kind;
        if (kind != TF_ALWAYS && kind != TF_EVENTUALLY) {
            continue;
        }
        bool all = true;
        bool any = false;
        for (uint32_t e = 0; e < o->nedge; e++) {
            if (set >> e & 1) {
                bool x = values(o, &o->edges[e], modal, true) >> o->kid[i][0] & 1;
                all = all && x;
                any = any || x;
            }
        }
        modal |= (uint64_t)(kind == TF_ALWAYS ? all : any) << i;
    }
    return modal;
}

static bool connected(const struct oracle *o, uint64_t set)
{
    uint32_t first = (uint32_t)__builtin_ctzll(set);
    for (int back = 0; back < 2; back++) {
        uint64_t states = UINT64_C(1) << o->edges[first].from;
        uint64_t seen = 0;
        for (bool more = true; more;) {
            more = false;
            for (uint32_t e = 0; e < o->nedge; e++) {
                uint32_t from = back ? o->edges[e].to : o->edges[e].from;
                uint32_t to = back ? o->edges[e].from : o->edges[e].to;
                if ((set >> e & 1) && !(seen >> e & 1) && (states >> from & 1)) {
                    seen |= UINT64_C(1) << e;
                    states |= UINT64_C(1) << to;
                    more = true;
                }
            }
        }
        if (seen != set) {
            return false;
        }
    }
    return true;
}

/* Is there an initial state from which a behaviour that ends in `set` satisfies the last
 * subformula. */
static bool backward(const struct oracle *o, const bool *initial, uint64_t set)
{
    struct pair {
        uint32_t state;
        uint64_t modal;
    };
    VEC(struct pair) pairs = {0};
    bool found = false;
    uint64_t tail = tail_values(o, set);
    uint64_t keep = 0;
    for (uint32_t i = 0; i < o->n; i++) {
        bool modal = o->node[i]->kind == TF_ALWAYS || o->node[i]->kind == TF_EVENTUALLY;
        keep |= (uint64_t)modal << i;
    }
    for (uint32_t e = 0; e < o->nedge; e++) {
        if (set >> e & 1) {
            VEC_PUSH(&pairs, (struct pair){o->edges[e].from, tail});
            found = found || (initial[o->edges[e].from] &&
                              values(o, &o->edges[e], tail, true) >> (o->n - 1) & 1);
        }
    }
    for (size_t at = 0; at < pairs.n && !found; at++) {
        struct pair p = pairs.v[at];
        for (uint32_t e = 0; e < o->nedge && !found; e++) {
            if (o->edges[e].to != p.state) {
                continue;
            }
            uint64_t v = values(o, &o->edges[e], p.modal, false);
            struct pair q = {o->edges[e].from, v & keep};
            found = initial[q.state] && v >> (o->n - 1) & 1;
            bool known = false;
            for (size_t i = 0; i < pairs.n && !known; i++) {
                known = pairs.v[i].state == q.state && pairs.v[i].modal == q.modal;
            }
            if (!known) {
                VEC_PUSH(&pairs, q);
            }
        }
    }
    VEC_DONE(&pairs);
    return found;
}

/* Does some behaviour of the graph satisfy the formula. */
static bool oracle_says(const struct tgraph *g, const struct tform *f, bool stuttering)
{
    struct oracle o = {.nstate = g->nstate};
    (void)oracle_node(&o, f);
    bool initial[STATES_MAX] = {0};
    for (uint32_t s = 0; s < g->nstate; s++) {
        o.state_bits[s] = g->bits[s];
        initial[s] = g->initial[s] && g->done[s];
        if (stuttering && g->done[s]) {
            o.edges[o.nedge++] = (struct tedge){s, s, g->stutter[s], true};
        }
    }
    for (uint32_t e = 0; e < g->nedge; e++) {
        if (g->done[g->edges[e].from] && g->done[g->edges[e].to]) {
            o.edges[o.nedge++] = g->edges[e];
        }
    }
    CHECK(o.nedge < 24);
    for (uint64_t set = 1; set < UINT64_C(1) << o.nedge; set++) {
        if (connected(&o, set) && backward(&o, initial, set)) {
            return true;
        }
    }
    return false;
}

/* ---- running the checker ---- */

struct answer {
    int rc;
    uint64_t *path;
    size_t n, loop;
    struct err err;
};

static struct mlive spec_of(struct mlive_prop *props, uint32_t nprop, struct tform *fairness)
{
    return (struct mlive){.fairness = fairness,
                          .props = props,
                          .nprop = nprop,
                          .nstate_leaf = LEAVES,
                          .naction_leaf = LEAVES};
}

static const struct live_options one_worker = {.workers = 1};

/* Can every state that is added be reached through such states. */
static bool all_reachable(const struct tgraph *g)
{
    bool reached[STATES_MAX] = {0};
    for (uint32_t round = 0; round <= g->nstate; round++) {
        for (uint32_t s = 0; s < g->nstate; s++) {
            reached[s] = reached[s] || (g->done[s] && g->initial[s]);
        }
        for (uint32_t e = 0; e < g->nedge; e++) {
            const struct tedge *edge = &g->edges[e];
            reached[edge->to] = reached[edge->to] || (reached[edge->from] && g->done[edge->to]);
        }
    }
    for (uint32_t s = 0; s < g->nstate; s++) {
        if (g->done[s] && !reached[s]) {
            return false;
        }
    }
    return true;
}

static struct answer ask(const struct tgraph *g, struct tform *fairness, struct tform *property,
                         unsigned threads)
{
    struct mlive_prop prop = {"P", property};
    struct mlive spec = spec_of(&prop, 1, fairness);
    struct answer a = {0};
    struct live *live = NULL;
    struct live_options options = {.workers = 1, .reachable = all_reachable(g)};
    a.rc = live_new(&spec, &options, &live, &a.err);
    if (a.rc == 0) {
        add_graph(live, g);
        a.rc = live_check(live, 0, threads, NULL, &a.path, &a.n, &a.loop, &a.err);
    }
    live_free(live);
    return a;
}

/* The lasso as a graph of its own: one state for each position, every label the step can have.
 * Checks that it is a path of the graph on the way. */
static struct tgraph lasso_graph(const struct tgraph *g, const struct answer *a)
{
    struct tgraph l = {.nstate = (uint32_t)a->n};
    uint32_t at[STATES_MAX];
    CHECK(a->n > 0 && a->n < STATES_MAX && a->loop < a->n);
    for (size_t i = 0; i < a->n; i++) {
        uint32_t s = 0;
        while (s < g->nstate && fp_of(s) != a->path[i]) {
            s++;
        }
        CHECK(s < g->nstate && g->done[s]);
        at[i] = s;
        l.bits[i] = g->bits[s];
        l.done[i] = true;
    }
    CHECK(g->initial[at[0]]);
    l.initial[0] = true;
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t next = i + 1 < a->n ? i + 1 : (uint32_t)a->loop;
        uint32_t before = l.nedge;
        if (at[i] == at[next]) {
            l.edges[l.nedge++] = (struct tedge){i, next, g->stutter[at[i]], true};
        }
        for (uint32_t e = 0; e < g->nedge; e++) {
            if (g->edges[e].from == at[i] && g->edges[e].to == at[next]) {
                l.edges[l.nedge++] = (struct tedge){i, next, g->edges[e].bits, false};
            }
        }
        CHECK(l.nedge > before);
    }
    return l;
}

/* "ok", "stutter 0 1", "loop 1: 0 1 2": what the checker says about a graph. */
static const char *verdict(struct arena *arena, const struct tgraph *g, const char *fairness,
                           const char *property)
{
    struct answer a =
        ask(g, fairness ? formula(arena, fairness) : NULL, formula(arena, property), 1);
    if (a.rc < 0) {
        return arena_strndup(arena, a.err.text, strlen(a.err.text));
    }
    if (a.rc == 0) {
        return "ok";
    }
    (void)lasso_graph(g, &a);
    struct strbuf out = {0};
    if (a.loop == a.n - 1) {
        strbuf_adds(&out, "stutter:");
    } else {
        strbuf_printf(&out, "loop %zu:", a.loop);
    }
    for (size_t i = 0; i < a.n; i++) {
        for (uint32_t s = 0; s < g->nstate; s++) {
            if (fp_of(s) == a.path[i]) {
                strbuf_printf(&out, " %u", s);
            }
        }
    }
    vec_release(a.path);
    char *text = arena_strndup(arena, out.p, out.n);
    strbuf_done(&out);
    return text;
}

/* ---- by hand ---- */

TEST(eventually)
{
    struct arena arena;
    arena_init(&arena, 0);
    /* 0 -a-> 1 -a-> 2; leaf 0 = at 2, leaf 1 = a enabled */
    struct tgraph g = graph(3, "0>1a 1>2a");
    g.bits[0] = g.bits[1] = 2;
    g.bits[2] = 1;
    CHECK_STR(verdict(&arena, &g, NULL, "<0"), "stutter: 0");
    CHECK_STR(verdict(&arena, &g, "W1a", "<0"), "ok");
    CHECK_STR(verdict(&arena, &g, "S1a", "<0"), "ok");
    CHECK_STR(verdict(&arena, &g, "W1a", "<[0"), "ok");
    CHECK_STR(verdict(&arena, &g, "W1a", "[<~0"), "stutter: 0 1 2");
    CHECK_STR(verdict(&arena, &g, "W1a", "[1"), "stutter: 0 1 2");
    CHECK_STR(verdict(&arena, &g, "W1a", "[<a"), "stutter: 0 1 2");
    CHECK_STR(verdict(&arena, &g, "W1a", "<[~a"), "ok");
    CHECK_STR(verdict(&arena, &g, "F", "<0"), "ok");
    arena_done(&arena);
}

TEST(loops)
{
    struct arena arena;
    arena_init(&arena, 0);
    /* 0 <-> 1 by a; 1 -> 2 by b. leaf 0: at 2; leaf 1: a enabled; leaf 2: b enabled */
    struct tgraph g = graph(3, "0>1a 1>0a 1>2b");
    g.bits[0] = 2;
    g.bits[1] = 6;
    g.bits[2] = 1;
    CHECK_STR(verdict(&arena, &g, "W1a", "<0"), "loop 0: 0 1");
    CHECK_STR(verdict(&arena, &g, "&W1aW2b", "<0"), "loop 0: 0 1"); /* b is not enabled at 0 */
    CHECK_STR(verdict(&arena, &g, "&W1aS2b", "<0"), "ok");
    CHECK_STR(verdict(&arena, &g, "S2b", "<0"), "stutter: 0");
    CHECK_STR(verdict(&arena, &g, "&W1aS2b", "[<1"), "stutter: 0 1 2");
    CHECK_STR(verdict(&arena, &g, "W1a", "|[|~2<0<0"), "loop 0: 0 1"); /* leads to, or eventually */
    CHECK_STR(verdict(&arena, &g, "W1a", "<[~a"), "loop 0: 0 1");
    CHECK_STR(verdict(&arena, &g, NULL, "|<[~a<[~2"), "loop 0: 0 1");
    arena_done(&arena);
}

/* An action that <>[] forbids must not serve as witness inside the component (both directions
 * exist). */
TEST(forbidden_steps)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct tgraph g = graph(2, "0>1a 1>0b 1>0c 0>0 1>1");
    CHECK_STR(verdict(&arena, &g, "&<[~c[<a", "<[~b"), "loop 0: 0 1");
    CHECK_STR(verdict(&arena, &g, "<[~c", "~[<c"), "ok");
    CHECK_STR(verdict(&arena, &g, "&[<a&<[~c<[~b", "F"), "ok");
    CHECK_STR(verdict(&arena, &g, "[<a", "F"), "loop 0: 0 1");
    arena_done(&arena);
}

TEST(undone_states_do_not_count)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct tgraph g = graph(3, "0>1 1>2 2>1");
    g.bits[0] = 1;
    g.done[2] = false; /* a successor outside the constraint */
    CHECK_STR(verdict(&arena, &g, "[<~0", "F"), "stutter: 0 1");
    CHECK_STR(verdict(&arena, &g, NULL, "<~0"), "stutter: 0");
    g.done[1] = false;
    CHECK_STR(verdict(&arena, &g, "[<~0", "F"), "ok");
    g.done[0] = false;
    CHECK_STR(verdict(&arena, &g, NULL, "F"), "ok");
    arena_done(&arena);
}

/* A condition that only stuttering fulfils keeps the stuttering step in the lasso. */
TEST(needed_stuttering)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct tgraph g = graph(2, "0>1a 1>0b");
    g.stutter[1] = 4;
    CHECK_STR(verdict(&arena, &g, "&[<a[<c", "F"), "loop 0: 0 1 1");
    CHECK_STR(verdict(&arena, &g, "[<c", "F"), "stutter: 0 1");
    arena_done(&arena);
}

TEST(refused)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct tgraph g = graph(1, "0>0a");
    const char *text = "Temporal formulas containing actions must be of forms <>[]A or []<>A.";
    static const char *const bad[] = {"a",     "[a",         "<a",     "[|~0<a", "<[<a",
                                      "~[~[a", "|<[a[<[|a0", "[<&a<0", "<&a0",   "&<[a[<[<a"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_STR(verdict(&arena, &g, NULL, bad[i]), text);
    }
    static const char *const good[] = {"[<a",    "<[a",     "~[<a",       "~<[a", "[~[a", "[<&a0",
                                       "<[|~a0", "|[<a<[b", "&[<a|<[b[0", "<<[a", "[<<a", "T"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        CHECK(strcmp(verdict(&arena, &g, NULL, good[i]), text) != 0);
    }
    arena_done(&arena);
}

TEST(branches_and_tautologies)
{
    struct arena arena;
    arena_init(&arena, 0);
    static const struct {
        const char *fairness, *first, *second;
        uint32_t branches;
        bool tautology;
    } rows[] = {
        {NULL,      "<0",     NULL,     1, false},
        {"S0a",     "<0",     NULL,     1, false},
        {"&S0aS1b", "[|~0<1", "[|~1<0", 2, false},
        {NULL,      "&<0<1",  NULL,     2, false},
        {NULL,      "[<0",    "<[a",    1, false},
        {NULL,      "[<0",    "<1",     2, false},
        {NULL,      "T",      NULL,     0, true },
        {NULL,      "|<[TT",  NULL,     0, true },
        {NULL,      "<T",     NULL,     1, false},
        {"F",       "<0",     NULL,     0, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mlive_prop props[2] = {
            {"P", formula(&arena, rows[i].first)},
            {0}
        };
        if (rows[i].second) {
            props[1] = (struct mlive_prop){"Q", formula(&arena, rows[i].second)};
        }
        struct mlive spec = spec_of(props, rows[i].second ? 2 : 1,
                                    rows[i].fairness ? formula(&arena, rows[i].fairness) : NULL);
        struct live *live = NULL;
        struct err err;
        CHECK_EQ(live_new(&spec, &one_worker, &live, &err), 0);
        CHECK_EQ(live_branches(live), rows[i].branches);
        CHECK_EQ(live_tautology(live), rows[i].tautology);
        live_free(live);
    }
    arena_done(&arena);
}

/* ---- at random ---- */

static struct tform *random_bool(struct arena *arena, struct rng *rng, bool action, int depth)
{
    switch (rng_below(rng, depth > 0 ? 8 : 3)) {
    case 0:
        return form(arena, rng_below(rng, 8) ? TF_STATE : TF_TRUE, (uint32_t)rng_below(rng, LEAVES),
                    NULL, NULL);
    case 1:
    case 2:
        return form(arena, action ? TF_ACTION : TF_STATE, (uint32_t)rng_below(rng, LEAVES), NULL,
                    NULL);
    case 3:
    case 4: return form(arena, TF_NOT, 0, random_bool(arena, rng, action, depth - 1), NULL);
    default: {
        struct tform *a = random_bool(arena, rng, action, depth - 1);
        struct tform *b = random_bool(arena, rng, action, depth - 1);
        return form(arena, rng_below(rng, 2) ? TF_AND : TF_OR, 0, a, b);
    }
    }
}

static struct tform *random_temporal(struct arena *arena, struct rng *rng, int depth)
{
    switch (rng_below(rng, depth > 0 ? 8 : 1)) {
    case 0: return random_bool(arena, rng, false, 1);
    case 1:
    case 2: return form(arena, TF_ALWAYS, 0, random_temporal(arena, rng, depth - 1), NULL);
    case 3:
    case 4: return form(arena, TF_EVENTUALLY, 0, random_temporal(arena, rng, depth - 1), NULL);
    case 5: return form(arena, TF_NOT, 0, random_temporal(arena, rng, depth - 1), NULL);
    default: {
        struct tform *a = random_temporal(arena, rng, depth - 1);
        struct tform *b = random_temporal(arena, rng, depth - 1);
        return form(arena, rng_below(rng, 2) ? TF_AND : TF_OR, 0, a, b);
    }
    }
}

/* []<>A or <>[]A */
static struct tform *random_recurring(struct arena *arena, struct rng *rng)
{
    bool always = rng_below(rng, 2);
    struct tform *f = random_bool(arena, rng, true, 1);
    f = form(arena, always ? TF_EVENTUALLY : TF_ALWAYS, 0, f, NULL);
    return form(arena, always ? TF_ALWAYS : TF_EVENTUALLY, 0, f, NULL);
}

static struct tform *random_property(struct arena *arena, struct rng *rng, int depth)
{
    switch (rng_below(rng, depth > 0 ? 7 : 4)) {
    case 0:
    case 1: return random_temporal(arena, rng, 3);
    case 2:
    case 3: return random_recurring(arena, rng);
    case 4: return form(arena, TF_NOT, 0, random_property(arena, rng, depth - 1), NULL);
    default: {
        struct tform *a = random_property(arena, rng, depth - 1);
        struct tform *b = random_property(arena, rng, depth - 1);
        return form(arena, rng_below(rng, 2) ? TF_AND : TF_OR, 0, a, b);
    }
    }
}

static struct tform *random_fairness(struct arena *arena, struct rng *rng)
{
    struct tform *all = NULL;
    for (uint64_t i = rng_below(rng, 4); i > 0; i--) {
        char text[4] = {rng_below(rng, 2) ? 'S' : 'W', (char)('0' + rng_below(rng, LEAVES)),
                        (char)('a' + rng_below(rng, LEAVES)), 0};
        struct tform *f = rng_below(rng, 4) ? formula(arena, text) : random_property(arena, rng, 1);
        all = all ? form(arena, TF_AND, 0, all, f) : f;
    }
    return all;
}

static struct tgraph random_graph(struct rng *rng)
{
    struct tgraph g = {.nstate = 1 + (uint32_t)rng_below(rng, 6)};
    uint64_t sparse = rng_below(rng, 2);
    for (uint32_t s = 0; s < g.nstate; s++) {
        g.bits[s] = rng_below(rng, 1 << LEAVES);
        g.initial[s] = s == 0 || rng_below(rng, 6) == 0;
        g.done[s] = rng_below(rng, 10) != 0;
        g.stutter[s] = sparse ? 0 : rng_below(rng, 1 << LEAVES) & rng_below(rng, 1 << LEAVES);
    }
    uint64_t n = rng_below(rng, g.nstate * 2 < 8 ? g.nstate * 2 + 1 : 8);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t bits = rng_below(rng, 1 << LEAVES) & (sparse ? rng_below(rng, 1 << LEAVES) : 15);
        g.edges[g.nedge++] = (struct tedge){(uint32_t)rng_below(rng, g.nstate),
                                            (uint32_t)rng_below(rng, g.nstate), bits, false};
    }
    return g;
}

static uint32_t form_size(const struct tform *f)
{
    uint32_t n = 1;
    for (uint32_t i = 0; i < f->n; i++) {
        n += form_size(f->kid[i]);
    }
    return n;
}

static void show(uint64_t seed, const struct tgraph *g, const struct tform *fairness,
                 const struct tform *property)
{
    fprintf(stderr, "seed %llu: fairness ", (unsigned long long)seed);
    if (fairness) {
        print(fairness, stderr);
    }
    fprintf(stderr, " property ");
    print(property, stderr);
    for (uint32_t s = 0; s < g->nstate; s++) {
        fprintf(stderr, "\n  %u%s%s bits %llx stutter %llx:", s, g->initial[s] ? " initial" : "",
                g->done[s] ? "" : " undone", (unsigned long long)g->bits[s],
                (unsigned long long)g->stutter[s]);
        for (uint32_t e = 0; e < g->nedge; e++) {
            if (g->edges[e].from == s) {
                fprintf(stderr, " >%u/%llx", g->edges[e].to, (unsigned long long)g->edges[e].bits);
            }
        }
    }
    fprintf(stderr, "\n");
}

/* One random question; returns the checker's answer after comparing it. */
static int compare(uint64_t seed)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct rng rng;
    rng_seed(&rng, seed);
    struct tgraph g = random_graph(&rng);
    struct tform *fairness = random_fairness(&arena, &rng);
    struct tform *property = random_property(&arena, &rng, 2);
    struct tform *bad = form(&arena, TF_NOT, 0, property, NULL);
    bad = fairness ? form(&arena, TF_AND, 0, fairness, bad) : bad;
    int rc = 0;
    if (form_size(bad) < NODES_MAX) {
        struct answer a = ask(&g, fairness, property, 1 + seed % 2);
        rc = a.rc;
        bool want = rc >= 0 && oracle_says(&g, bad, true);
        bool good = rc < 0 || (rc == 1) == want;
        if (!good) {
            show(seed, &g, fairness, property);
        }
        CHECK(good);
        CHECK(rc >= 0 || a.err.code == ERR_UNSUPPORTED);
        if (rc == 1) {
            struct tgraph lasso = lasso_graph(&g, &a);
            good = lasso.nedge >= 20 || oracle_says(&lasso, bad, false);
            if (!good) {
                show(seed, &g, fairness, property);
            }
            CHECK(good);
            vec_release(a.path);
        }
    }
    arena_done(&arena);
    return rc;
}

TEST(random_against_oracle)
{
    const char *given = getenv("SEED");
    uint64_t first = given ? strtoull(given, NULL, 10) : 1;
    const char *count = getenv("COUNT");
    uint64_t n = given ? 1 : count ? strtoull(count, NULL, 10) : 6000;
    uint64_t violated = 0;
    uint64_t refused = 0;
    for (uint64_t seed = first; seed < first + n; seed++) {
        int rc = compare(seed);
        violated += rc == 1;
        refused += rc < 0;
    }
    fprintf(stderr, "# %llu questions, %llu violated, %llu refused\n", (unsigned long long)n,
            (unsigned long long)violated, (unsigned long long)refused);
    CHECK(given || (violated > n / 10 && violated < n && refused < n / 2));
}

/* Only [], /\ and \/ over predicates: a violation is always finite. */
static struct tform *random_safety(struct arena *arena, struct rng *rng, int depth)
{
    switch (rng_below(rng, depth > 0 ? 6 : 1)) {
    case 0: {
        struct tform *leaf = form(arena, TF_STATE, (uint32_t)rng_below(rng, LEAVES), NULL, NULL);
        return rng_below(rng, 2) ? leaf : form(arena, TF_NOT, 0, leaf, NULL);
    }
    case 1:
    case 2: return form(arena, TF_ALWAYS, 0, random_safety(arena, rng, depth - 1), NULL);
    default: {
        struct tform *a = random_safety(arena, rng, depth - 1);
        struct tform *b = random_safety(arena, rng, depth - 1);
        return form(arena, rng_below(rng, 3) ? TF_OR : TF_AND, 0, a, b);
    }
    }
}

/* Finite violations: what is found is one, with any continuation that the graph has (stuttering for
 * one), and for safety formulas all are found. States are added in any order. */
static bool compare_finite(uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed);
    struct arena arena;
    arena_init(&arena, 0);
    struct tgraph g = random_graph(&rng);
    bool safety = rng_below(&rng, 2);
    struct tform *f = safety ? random_safety(&arena, &rng, 3) : random_temporal(&arena, &rng, 3);
    struct tform *property = form(&arena, TF_ALWAYS, 0, f, NULL);
    struct mlive_prop prop = {"P", property};
    struct mlive spec = spec_of(&prop, 1, NULL);
    struct live_options options = {.workers = 1, .watch = true};
    struct live *live = NULL;
    struct answer a = {0};
    CHECK_EQ(live_new(&spec, &options, &live, &a.err), 0);
    uint32_t first = (uint32_t)rng_below(&rng, g.nstate);
    for (uint32_t i = 0; i < g.nstate; i++) {
        uint32_t s = (first + i) % g.nstate;
        if (g.done[s]) {
            add_state(live, 0, &g, s);
        }
    }
    uint32_t which = 7;
    bool found = live_prefix(live, &which, &a.path, &a.n);
    struct answer whole = {0};
    whole.rc = live_check(live, 0, 1, NULL, &whole.path, &whole.n, &whole.loop, &whole.err);
    bool good = found ? whole.rc == 1 && which == 0 : !safety || whole.rc == 0;
    if (good && found) {
        a.loop = a.n - 1;
        struct tgraph lasso = lasso_graph(&g, &a);
        good = oracle_says(&lasso, form(&arena, TF_NOT, 0, property, NULL), false);
    }
    if (!good) {
        show(seed, &g, NULL, property);
    }
    CHECK(good);
    vec_release(a.path);
    vec_release(whole.path);
    /* an empty graph again, and the same once more */
    live_reset(live);
    CHECK(!live_prefix(live, &which, &a.path, &a.n));
    for (uint32_t s = 0; s < g.nstate; s++) {
        if (g.done[s]) {
            add_state(live, 0, &g, s);
        }
    }
    CHECK_EQ(live_prefix(live, &which, &a.path, &a.n), found);
    if (found) {
        CHECK_EQ(which, 0);
        vec_release(a.path);
    }
    live_free(live);
    arena_done(&arena);
    return found;
}

TEST(finite_violations)
{
    enum { QUESTIONS = 4000 };
    uint64_t found = 0;
    for (uint64_t seed = 1; seed <= QUESTIONS; seed++) {
        found += compare_finite(seed);
    }
    CHECK(found > QUESTIONS / 20 && found < QUESTIONS);
}

/* ---- larger graphs: threads, files, memory ---- */

enum { LARGE = 3000 };

/* A state of the large graph is a number; everything about it follows from the number and the seed.
 */
struct large {
    uint64_t seed;
    uint32_t n;
    uint32_t degree; /* 0 = from 1 to 3 */
};

enum { DEGREE_MAX = 64 };

static uint32_t large_edge(const struct large *l, uint32_t state, uint32_t i)
{
    struct rng rng;
    rng_seed(&rng, l->seed + state * UINT64_C(16) + i);
    uint64_t r = rng_next(&rng);
    if (i == 0) {
        return (state + 1) % l->n;
    }
    return (uint32_t)(r % 3 ? state + r / 3 % 5 : r / 3) % l->n;
}

static void large_add(struct live *live, unsigned worker, const struct large *l, uint32_t state)
{
    uint64_t bits[DEGREE_MAX];
    struct live_edge edges[DEGREE_MAX];
    uint32_t n = l->degree ? l->degree : 1 + state % 3;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = large_edge(l, state, i);
        bits[i] = UINT64_C(1) << to % 3;
        edges[i] = (struct live_edge){fp_of(to), &bits[i]};
    }
    uint64_t state_bits = UINT64_C(1) << state % 4 | (uint64_t)(state == l->n - 1) << 3;
    uint64_t none = 0;
    live_add(live, worker, fp_of(state), state == 0, &state_bits, &none, edges, n);
}

struct adder {
    struct live *live;
    const struct large *l;
    unsigned worker, workers;
};

static void *adder_run(void *arg)
{
    const struct adder *a = arg;
    for (uint32_t s = a->worker; s < a->l->n; s += a->workers) {
        large_add(a->live, a->worker, a->l, s);
    }
    return NULL;
}

static const char *const large_props[] = {"<3",  "[|~0<1",        "[<&2a",   "<[~b",
                                          "[<3", "&[|~0<1[|~1<2", "|[<a<[~c"};
enum { LARGE_PROPS = sizeof large_props / sizeof *large_props };

static struct live *large_new(struct arena *arena, unsigned workers, const char *dir,
                              uint64_t memory)
{
    struct mlive_prop *props = ARENA_ARRAY(arena, struct mlive_prop, LARGE_PROPS);
    for (size_t i = 0; i < LARGE_PROPS; i++) {
        props[i] = (struct mlive_prop){"P", formula(arena, large_props[i])};
    }
    struct mlive *spec = ARENA_NEW(arena, struct mlive);
    *spec = spec_of(props, LARGE_PROPS, formula(arena, "&W0a&S1bS2c"));
    struct live_options options = {.workers = workers, .dir = dir, .memory_bytes = memory};
    struct live *live = NULL;
    struct err err;
    CHECK_EQ(live_new(spec, &options, &live, &err), 0);
    return live;
}

/* One bit for each property that is violated, of those in first..LARGE_PROPS. */
static unsigned large_verdicts_from(struct live *live, unsigned threads, uint32_t first)
{
    unsigned verdicts = 0;
    for (uint32_t i = first; i < LARGE_PROPS; i++) {
        uint64_t *path = NULL;
        size_t n = 0;
        size_t loop = 0;
        struct err err;
        int rc = live_check(live, i, threads, NULL, &path, &n, &loop, &err);
        CHECK(rc >= 0);
        CHECK(rc == 0 || (n > 0 && loop < n && path[0] == fp_of(0)));
        verdicts |= (unsigned)rc << i;
        vec_release(path);
    }
    return verdicts;
}

static unsigned large_verdicts(struct live *live, unsigned threads)
{
    return large_verdicts_from(live, threads, 0);
}

/* The graph added by so many workers at once. */
static struct live *large_parallel(struct arena *arena, const struct large *l, unsigned workers)
{
    enum { WORKERS_MAX = 4 };
    struct live *live = large_new(arena, workers, NULL, 0);
    pthread_t threads[WORKERS_MAX];
    struct adder adders[WORKERS_MAX];
    CHECK(workers <= WORKERS_MAX);
    for (unsigned i = 0; i < workers; i++) {
        adders[i] = (struct adder){live, l, i, workers};
        CHECK_EQ(pthread_create(&threads[i], NULL, adder_run, &adders[i]), 0);
    }
    CHECK(live_memory(live) > 0); /* may be asked while workers run */
    CHECK(live_states(live) <= l->n);
    for (unsigned i = 0; i < workers; i++) {
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    }
    return live;
}

TEST(several_workers)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct large l = {.seed = 7, .n = LARGE};
    struct live *one = large_parallel(&arena, &l, 1);
    unsigned want = large_verdicts(one, 1);
    CHECK(want != 0 && want != (1U << LARGE_PROPS) - 1);
    CHECK_EQ(large_verdicts(one, 3), want);
    CHECK_EQ(live_states(one), LARGE);
    struct live *four = large_parallel(&arena, &l, 4);
    CHECK_EQ(large_verdicts(four, 2), want);
    CHECK_EQ(live_states(four), LARGE);
    CHECK_EQ(live_edges(four), live_edges(one));
    live_free(one);
    live_free(four);
    arena_done(&arena);
}

/* Enough edges that workers merge while others add. */
TEST(merging_while_adding)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct large l = {.seed = 9, .n = 64000, .degree = DEGREE_MAX};
    struct live *four = large_parallel(&arena, &l, 4);
    CHECK(live_states(four) > 0); /* before live_check has merged the rest */
    unsigned verdicts = large_verdicts_from(four, 2, LARGE_PROPS - 1);
    CHECK_EQ(live_states(four), l.n);
    struct live *one = large_parallel(&arena, &l, 1);
    CHECK_EQ(large_verdicts_from(one, 1, LARGE_PROPS - 1), verdicts);
    CHECK_EQ(live_edges(four), live_edges(one));
    live_free(one);
    live_free(four);
    arena_done(&arena);
}

static char *temp_dir(char *buf)
{
    strcpy(buf, "/tmp/live_test.XXXXXX");
    CHECK(mkdtemp(buf) != NULL);
    return buf;
}

TEST(spilling)
{
    char buf[64];
    const char *dir = temp_dir(buf);
    struct arena arena;
    arena_init(&arena, 0);
    struct large l = {.seed = 7, .n = LARGE};
    struct live *roomy = large_new(&arena, 1, NULL, 0);
    struct live *tight = large_new(&arena, 1, dir, 1);
    adder_run(&(struct adder){roomy, &l, 0, 1});
    adder_run(&(struct adder){tight, &l, 0, 1});
    CHECK_EQ(large_verdicts(tight, 2), large_verdicts(roomy, 1));
    live_free(roomy);
    live_free(tight);
    struct err err;
    CHECK_EQ(dir_remove(dir, &err), 0);
    arena_done(&arena);
}

TEST(checkpoints)
{
    char buf[64];
    const char *dir = temp_dir(buf);
    struct arena arena;
    arena_init(&arena, 0);
    struct err err;
    struct large l = {.seed = 11, .n = LARGE};
    struct live *live = large_new(&arena, 1, dir, 0);
    uint64_t edges = 0;
    for (uint32_t s = 0; s < LARGE / 2; s++) {
        large_add(live, 0, &l, s);
        if (s == 100 || s == LARGE / 3) {
            CHECK_EQ(live_flush(live, &err), 0);
            edges = live_edges(live);
        }
    }
    live_free(live); /* dies: what came after the second checkpoint is lost */

    live = large_new(&arena, 2, dir, 0);
    CHECK_EQ(live_resume(live, &err), 0);
    CHECK_EQ(live_states(live), LARGE / 3 + 1);
    CHECK_EQ(live_edges(live), edges);
    for (uint32_t s = LARGE / 3 + 1; s < LARGE / 2; s++) {
        large_add(live, 1, &l, s);
    }
    CHECK_EQ(live_flush(live, &err), 0);
    live_free(live);

    live = large_new(&arena, 1, dir, 0);
    CHECK_EQ(live_resume(live, &err), 0);
    CHECK_EQ(live_states(live), LARGE / 2);
    for (uint32_t s = LARGE / 2; s < LARGE; s++) {
        large_add(live, 0, &l, s);
    }
    unsigned got = large_verdicts(live, 1);
    CHECK_EQ(live_states(live), LARGE);
    live_free(live);

    live = large_new(&arena, 1, NULL, 0);
    adder_run(&(struct adder){live, &l, 0, 1});
    CHECK_EQ(got, large_verdicts(live, 1));
    CHECK_EQ(live_flush(live, &err), -ERR_INVALID);
    live_free(live);
    CHECK_EQ(dir_remove(dir, &err), 0);
    arena_done(&arena);
}

/* What a checkpoint holds is looked at when it is read: a finite violation is found at once, and
 * one that comes later is, too. */
TEST(finite_violations_of_checkpoints)
{
    for (uint32_t bad = 0; bad < 6; bad++) {
        char buf[64];
        const char *dir = temp_dir(buf);
        struct arena arena;
        struct err err;
        arena_init(&arena, 0);
        struct mlive_prop prop = {"P", formula(&arena, "[~0")};
        struct mlive spec = spec_of(&prop, 1, NULL);
        struct live_options options = {.workers = 1, .watch = true, .dir = dir};
        uint64_t none = 0;
        for (uint32_t part = 0; part < 2; part++) {
            struct live *live = NULL;
            uint32_t which = 7;
            uint64_t *path = NULL;
            size_t n = 0;
            CHECK_EQ(live_new(&spec, &options, &live, &err), 0);
            if (part > 0) {
                CHECK_EQ(live_resume(live, &err), 0);
                CHECK_EQ(live_states(live), 3);
                CHECK_EQ(live_prefix(live, &which, &path, &n), bad < 3);
                if (bad < 3) {
                    CHECK_EQ(n, bad + 1);
                    CHECK(path[0] == fp_of(0) && path[n - 1] == fp_of(bad));
                    vec_release(path);
                }
            }
            for (uint32_t s = part * 3; s < part * 3 + 3; s++) {
                struct live_edge on = {fp_of(s + 1), &none};
                uint64_t bits = s == bad;
                live_add(live, 0, fp_of(s), s == 0, &bits, &none, &on, 1);
            }
            CHECK_EQ(live_prefix(live, &which, &path, &n), bad < part * 3 + 3);
            if (bad < part * 3 + 3) {
                vec_release(path);
            }
            CHECK_EQ(live_flush(live, &err), 0);
            live_free(live);
        }
        struct live *live = NULL;
        CHECK_EQ(live_new(&spec, &options, &live, &err), 0);
        CHECK_EQ(live_resume(live, &err), 0);
        CHECK_EQ(live_states(live), 6);
        live_free(live);
        CHECK_EQ(dir_remove(dir, &err), 0);
        arena_done(&arena);
    }
}

/* Damage to any byte of a checkpoint is refused or harmless, never worse. */
TEST(damaged_checkpoint)
{
    static const char *const names[] = {"live.nodes", "live.blocks", "live.labels", "live.mark"};
    struct arena arena;
    arena_init(&arena, 0);
    struct err err;
    struct large l = {.seed = 3, .n = 20};
    struct rng rng;
    rng_seed(&rng, 5);
    for (int round = 0; round < 64; round++) {
        char buf[64];
        char path[128];
        const char *dir = temp_dir(buf);
        struct live *live = large_new(&arena, 1, dir, 0);
        adder_run(&(struct adder){live, &l, 0, 1});
        CHECK_EQ(live_flush(live, &err), 0);
        live_free(live);
        snprintf(path, sizeof path, "%s/%s", dir, names[round % 4]);
        struct str text;
        CHECK_EQ(file_read(&arena, path, 1 << 20, &text, &err), 0);
        CHECK(text.n > 0);
        char *bytes = arena_strndup(&arena, text.p, text.n);
        size_t n = text.n;
        if (round % 8 < 4) {
            bytes[rng_below(&rng, n)] ^= (char)(1 << rng_below(&rng, 8));
        } else {
            n = rng_below(&rng, n);
        }
        CHECK_EQ(file_write(path, (struct str){bytes, n}, &err), 0);
        live = large_new(&arena, 1, dir, 0);
        int rc = live_resume(live, &err);
        if (rc == 0) {
            uint64_t *found = NULL;
            size_t len = 0;
            size_t loop = 0;
            (void)!live_check(live, 0, 1, NULL, &found, &len, &loop, &err);
            vec_release(found);
        }
        live_free(live);
        CHECK_EQ(dir_remove(dir, &err), 0);
    }
    arena_done(&arena);
}

TEST(interruption)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct large l = {.seed = 7, .n = 100000};
    struct live *live = large_new(&arena, 1, NULL, 0);
    adder_run(&(struct adder){live, &l, 0, 1});
    volatile sig_atomic_t stop = 1;
    uint64_t *path = NULL;
    size_t n = 0;
    size_t loop = 0;
    struct err err;
    CHECK_EQ(live_check(live, 1, 2, &stop, &path, &n, &loop, &err), -ERR_INTERRUPTED);
    stop = 0;
    CHECK(live_check(live, 1, 2, &stop, &path, &n, &loop, &err) >= 0);
    vec_release(path);
    live_free(live);
    arena_done(&arena);
}

/* Edges come in pieces and a graph is used again, as for simulated traces. */
TEST(pieces_and_reset)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct mlive_prop prop = {"P", formula(&arena, "<0")};
    struct mlive spec = spec_of(&prop, 1, formula(&arena, "W1a"));
    struct live *live = NULL;
    struct err err;
    CHECK_EQ(live_new(&spec, &one_worker, &live, &err), 0);
    uint64_t a = 1;
    uint64_t none = 0;
    uint64_t enabled = 2;
    uint64_t goal = 1;
    for (int round = 0; round < 3; round++) {
        struct live_edge there = {fp_of(1), &a};
        struct live_edge back = {fp_of(0), &a};
        struct live_edge on = {fp_of(2), &a};
        uint64_t *path = NULL;
        size_t n = 0;
        size_t loop = 0;
        live_add(live, 0, fp_of(0), true, &enabled, &none, &there, 1);
        live_add(live, 0, fp_of(1), false, &enabled, &none, &on, 1);
        live_add(live, 0, fp_of(2), false, &goal, &none, NULL, 0);
        CHECK_EQ(live_check(live, 0, 1, NULL, &path, &n, &loop, &err), 0);
        live_add(live, 0, fp_of(1), false, &enabled, &none, &back, 1);
        live_add(live, 0, fp_of(1), false, &enabled, &none, &back, 1);
        CHECK_EQ(live_check(live, 0, 1, NULL, &path, &n, &loop, &err), 1);
        CHECK_EQ(n, 2);
        CHECK_EQ(loop, 0);
        CHECK_EQ(live_states(live), 3);
        CHECK_EQ(live_edges(live), 3);
        vec_release(path);
        live_reset(live);
        CHECK_EQ(live_states(live), 0);
    }
    live_free(live);
    arena_done(&arena);
}

/* More than 64 leaves, and enough labels for each width: a ring with a different label on each
 * step. */
TEST(many_leaves_and_labels)
{
    enum { LEAF = 70, RING = 70000 };
    struct arena arena;
    arena_init(&arena, 0);
    struct tform *high = form(&arena, TF_STATE, LEAF - 1, NULL, NULL);
    struct tform *step = form(&arena, TF_ACTION, LEAF - 1, NULL, NULL);
    struct tform *run = form(&arena, TF_ACTION, 0, NULL, NULL);
    struct mlive_prop props[2] = {
        {"P", form(&arena, TF_EVENTUALLY, 0, high, NULL)},
        {"Q", form(&arena, TF_ALWAYS, 0, form(&arena, TF_EVENTUALLY, 0, step, NULL), NULL)}
    };
    struct mlive spec = {
        .fairness = form(&arena, TF_ALWAYS, 0, form(&arena, TF_EVENTUALLY, 0, run, NULL), NULL),
        .props = props,
        .nprop = 2,
        .nstate_leaf = LEAF,
        .naction_leaf = LEAF};
    struct live *live = NULL;
    struct err err;
    CHECK_EQ(live_new(&spec, &one_worker, &live, &err), 0);
    for (uint32_t s = 0; s < RING; s++) {
        uint64_t state[2] = {0, s == RING / 2 ? UINT64_MAX : 0};
        uint64_t none[2] = {0};
        uint64_t bits[2] = {(uint64_t)s << 1 | 1, s == RING - 1 ? UINT64_C(1) << (LEAF - 65) : 0};
        struct live_edge edge = {fp_of((s + 1) % RING), bits};
        live_add(live, 0, fp_of(s), s == 0, state, none, &edge, 1);
    }
    uint64_t *path = NULL;
    size_t n = 0;
    size_t loop = 0;
    CHECK_EQ(live_check(live, 0, 1, NULL, &path, &n, &loop, &err), 0);
    CHECK_EQ(live_check(live, 1, 1, NULL, &path, &n, &loop, &err), 0);
    live_free(live);
    arena_done(&arena);
}

/* Forty strong and forty weak fairness conditions are one branch, not 2^40. */
TEST(much_fairness)
{
    enum { N = 40 };
    struct arena arena;
    arena_init(&arena, 0);
    struct tform *all = ARENA_NEW(&arena, struct tform);
    all->kind = TF_AND;
    all->n = 2 * N;
    all->kid = ARENA_ARRAY(&arena, struct tform *, 2 * N);
    for (uint32_t i = 0; i < 2 * N; i++) {
        const char *text = i % 2 ? "S0a" : "W0a";
        struct tform *f = formula(&arena, text);
        struct tform *enabled = i % 2 ? f->kid[0]->kid[0]->kid[0] : f->kid[0]->kid[0]->kid[0];
        struct tform *action = i % 2 ? f->kid[1]->kid[0]->kid[0] : f->kid[0]->kid[0]->kid[1];
        enabled->kid[0]->leaf = action->leaf = i;
        all->kid[i] = f;
    }
    struct mlive_prop prop = {"P", formula(&arena, "F")};
    struct mlive spec = {
        .fairness = all, .props = &prop, .nprop = 1, .nstate_leaf = 2 * N, .naction_leaf = 2 * N};
    struct live *live = NULL;
    struct err err;
    CHECK_EQ(live_new(&spec, &one_worker, &live, &err), 0);
    CHECK_EQ(live_branches(live), 1);
    /* State i can do action i only, and goes on to i + 1: the ring is fair, and needs to be whole.
     */
    for (uint32_t s = 0; s < 2 * N; s++) {
        uint64_t bits[2] = {s < 64 ? UINT64_C(1) << s : 0, s < 64 ? 0 : UINT64_C(1) << (s - 64)};
        uint64_t none[2] = {0};
        struct live_edge edge = {fp_of((s + 1) % (2 * N)), bits};
        live_add(live, 0, fp_of(s), s == 0, bits, none, &edge, 1);
    }
    uint64_t *path = NULL;
    size_t n = 0;
    size_t loop = 0;
    CHECK_EQ(live_check(live, 0, 1, NULL, &path, &n, &loop, &err), 1);
    CHECK_EQ(n, 2 * N);
    CHECK_EQ(loop, 0);
    vec_release(path);
    live_free(live);
    arena_done(&arena);
}

/* A conjunction of many disjunctions that cannot be kept together is refused, as is deep nesting.
 */
TEST(limits)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct tgraph g = graph(1, "0>0");
    struct tform *deep = formula(&arena, "0");
    for (int i = 0; i < 100000; i++) {
        deep = form(&arena, TF_NOT, 0, deep, NULL);
    }
    CHECK_EQ(ask(&g, NULL, deep, 1).rc, -ERR_LIMIT);
    struct tform *wide = formula(&arena, "|<0<1");
    for (int i = 0; i < 40; i++) {
        wide = form(&arena, TF_AND, 0, wide, formula(&arena, "|<[0<[1"));
    }
    struct answer a = ask(&g, wide, formula(&arena, "<0"), 1);
    CHECK_EQ(a.rc, -ERR_UNSUPPORTED);
    CHECK(strstr(a.err.text, "TLC cannot handle the temporal formula") != NULL);
    struct tform *tall = formula(&arena, "T");
    for (int i = 0; i < 40; i++) {
        struct tform *f = formula(&arena, "[<&0<[1");
        f->kid[0]->kid[0]->kid[0] = form(&arena, TF_STATE, (uint32_t)i % LEAVES, NULL, NULL);
        f = form(&arena, TF_OR, 0, form(&arena, TF_STATE, (uint32_t)i / 4, NULL, NULL), f);
        tall = form(&arena, TF_AND, 0, tall, form(&arena, TF_ALWAYS, 0, f, NULL));
    }
    struct mlive_prop prop = {"P", formula(&arena, "F")};
    struct mlive spec = {
        .fairness = tall, .props = &prop, .nprop = 1, .nstate_leaf = 64, .naction_leaf = 0};
    struct live *live = NULL;
    struct err err;
    CHECK_EQ(live_new(&spec, &one_worker, &live, &err), -ERR_LIMIT);
    arena_done(&arena);
}

/* [](p_i \/ <>q_i) and <>[]a_i \/ <>[]b_i for many i: a tableau and a disjunctive normal form that
 * nobody wants to wait for. */
static struct mlive endless(struct arena *arena, struct mlive_prop *prop, int pairs, int promises)
{
    struct tform *all = formula(arena, "T");
    for (int i = 0; i < pairs; i++) {
        all = form(arena, TF_AND, 0, all, formula(arena, "|<[0<[1"));
    }
    for (int i = 0; i < promises; i++) {
        struct tform *f = formula(arena, "[|0<1");
        f->kid[0]->kid[0]->leaf = (uint32_t)(2 * i);
        f->kid[0]->kid[1]->kid[0]->leaf = (uint32_t)(2 * i + 1);
        all = form(arena, TF_AND, 0, all, f);
    }
    *prop = (struct mlive_prop){"P", formula(arena, "F")};
    return (struct mlive){
        .fairness = all, .props = prop, .nprop = 1, .nstate_leaf = 64, .naction_leaf = 0};
}

/* Formulas can be interrupted while they are worked on; those of ordinary size too. */
TEST(interrupted_formulas)
{
    static const struct {
        int pairs, promises;
    } rows[] = {
        {19, 0 },
        {0,  12},
        {1,  1 }
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena arena;
        arena_init(&arena, 0);
        volatile sig_atomic_t flag = 1;
        struct live_options options = {.workers = 1, .interrupt = &flag};
        struct mlive_prop prop;
        struct mlive spec = endless(&arena, &prop, rows[i].pairs, rows[i].promises);
        struct live *live = NULL;
        struct err err;
        CHECK_EQ(live_new(&spec, &options, &live, &err), -ERR_INTERRUPTED);
        CHECK(live == NULL);
        arena_done(&arena);
    }
}

/* Many branches with few different formulas: the tableaux are shared, and finding them is not
 * quadratic (the test has a time limit). */
TEST(many_branches)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct mlive_prop prop;
    struct mlive spec = endless(&arena, &prop, 17, 1);
    struct live *live = NULL;
    struct err err;
    CHECK_EQ(live_new(&spec, &one_worker, &live, &err), 0);
    CHECK_EQ(live_branches(live), 1);
    live_free(live);
    arena_done(&arena);
}
