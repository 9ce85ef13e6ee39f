/* The graph of what was observed. */
#include "explore/xgraph.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/cuts.h"
#include "explore/space.h"
#include "explore/walk.h"
#include "run/cluster.h"
#include "world/world.h"

void xgraph_done(struct xgraph *g)
{
    for (size_t i = 0; i < g->texts.n; i++) {
        strbuf_done(&g->texts.v[i]);
    }
    VEC_DONE(&g->texts);
    VEC_DONE(&g->seen);
    VEC_DONE(&g->edges);
    u64map_done(&g->states);
    u64map_done(&g->known);
    u64map_done(&g->labels);
}

static uint32_t state_id(struct xgraph *g, const uint64_t *seen, size_t n)
{
    uint64_t key = 1, at = 0;
    for (size_t i = 0; i < n; i++) {
        key = hash_combine(key, seen[i]);
    }
    if (!u64map_get(&g->states, key, &at)) {
        at = g->states.n;
        u64map_put(&g->states, key, at);
        for (size_t i = 0; i < n; i++) {
            VEC_PUSH(&g->seen, seen[i]);
        }
    }
    return (uint32_t)at;
}

/* As actions of specifications are called: "Deliver(n1, n2)", from and to; "Timer(n1, flush)". */
static void label_text(const struct cluster *cluster, const struct xevent *x, struct strbuf *out)
{
    const struct event *e = &x->event;
    const char *name = event_name(e->kind);
    bool packet = e->kind == EV_DELIVER || e->kind == EV_DROP || e->kind == EV_DUPLICATE;
    strbuf_addc(out, (char)toupper((unsigned char)name[0]));
    strbuf_printf(out, "%s(", name + 1);
    if (packet || (e->peer != e->node && e->peer < cluster->n_nodes &&
                   (e->kind == EV_CUT || e->kind == EV_HEAL || e->kind == EV_RESET))) {
        uint32_t from = packet ? e->peer : e->node, to = packet ? e->node : e->peer;
        strbuf_printf(out, "%s, %s)", cluster->nodes[from].name, cluster->nodes[to].name);
    } else if (x->thread[0] != '\0') {
        strbuf_printf(out, "%s, %s)", cluster->nodes[e->node].name, x->thread);
    } else {
        strbuf_printf(out, "%s)", cluster->nodes[e->node].name);
    }
}

static uint32_t label_id(struct xgraph *g, const struct cluster *cluster, const struct xevent *x)
{
    struct strbuf text = {0};
    label_text(cluster, x, &text);
    uint64_t key = hash_bytes(text.p, text.n, 1), at = 0;
    if (u64map_get(&g->labels, key, &at)) {
        strbuf_done(&text);
        return (uint32_t)at;
    }
    u64map_put(&g->labels, key, g->texts.n);
    VEC_PUSH(&g->texts, text);
    return (uint32_t)g->texts.n - 1;
}

void xgraph_add(struct xgraph *g, const struct cluster *cluster, const struct walk *walk)
{
    VEC(uint64_t) now = {0};
    for (size_t i = 0; i < walk->seen.n; i++) {
        VEC_PUSH(&now, walk->seen.v[i]);
    }
    uint32_t at = now.n != 0 ? state_id(g, now.v, now.n) : 0;
    for (size_t i = 0; now.n != 0 && i < walk->steps.n; i++) {
        const struct xstep *step = &walk->steps.v[i];
        for (int k = 0; k < 2; k++) {
            uint64_t *node = &now.v[step->event.node[k]];
            *node = step->seen[k] != CUTS_SAME ? step->seen[k] : *node;
        }
        uint32_t to = state_id(g, now.v, now.n);
        if (to == at) {
            g->loops++;
            continue;
        }
        struct xgraph_edge edge = {at, to, label_id(g, cluster, &step->event)};
        uint64_t key = hash_combine(hash_combine(hash_mix(at + 1), to), edge.label), known = 0;
        if (!u64map_get(&g->known, key, &known)) {
            u64map_put(&g->known, key, 1);
            VEC_PUSH(&g->edges, edge);
        }
        at = to;
    }
    VEC_DONE(&now);
}

/* As it stands between quotes in a DOT file. */
static void add_escaped(struct strbuf *out, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '\\' || c == '"') {
            strbuf_addc(out, '\\');
        }
        if (c == '\n') {
            strbuf_adds(out, "\\n");
        } else {
            strbuf_addc(out, c);
        }
    }
}

/* The variables as a conjunction, a line each, which begins with `indent`. */
static void state_text(struct xgraph *g, const struct cluster *cluster, size_t state,
                       const char *indent, bool next, struct strbuf *out)
{
    SCOPED_STRBUF text = {0};
    bool first = true;
    cluster->judge->show(cluster->judge->arg, g->seen.v + state * cluster->n_nodes, &text);
    for (struct str rest = strbuf_str(&text); rest.n != 0; first = false) {
        const char *end = memchr(rest.p, '\n', rest.n);
        size_t n = end != NULL ? (size_t)(end - rest.p) : rest.n;
        const char *equals = memmem(rest.p, n, " = ", 3);
        size_t name = equals != NULL ? (size_t)(equals - rest.p) : 0;
        strbuf_printf(out, "%s%s/\\ %.*s%s%.*s", first ? "" : "\n", indent, (int)name, rest.p,
                      next ? "'" : "", (int)(n - name), rest.p + name);
        n += n < rest.n ? 1 : 0;
        rest = (struct str){rest.p + n, rest.n - n};
    }
}

/* As TLC writes state graphs. */
static void print_dot(struct xgraph *g, const struct cluster *cluster, uint32_t initial,
                      struct strbuf *out)
{
    strbuf_adds(out, "strict digraph DiskGraph {\nnode [shape=box,style=rounded]\nnodesep=0.35;\n"
                     "subgraph cluster_graph {\ncolor=\"white\";\n");
    for (size_t i = 0; i < g->states.n; i++) {
        SCOPED_STRBUF text = {0};
        state_text(g, cluster, i, "", false, &text);
        strbuf_printf(out, "%zu [label=\"", i + 1);
        add_escaped(out, strbuf_str(&text));
        strbuf_printf(out, "\"%s]\n", i == initial ? ",style = filled" : "");
    }
    for (size_t i = 0; i < g->edges.n; i++) {
        const struct xgraph_edge *e = &g->edges.v[i];
        strbuf_printf(out, "%u -> %u [label=\"", e->from + 1, e->to + 1);
        add_escaped(out, strbuf_str(&g->texts.v[e->label]));
        strbuf_adds(out, "\"];\n");
    }
    strbuf_adds(out, "}\n}\n");
}

/* As a module, so that a specification can be asked whether it allows all this. */
static void print_module(struct xgraph *g, const struct cluster *cluster, uint32_t initial,
                         struct str name, struct strbuf *out)
{
    SCOPED_STRBUF text = {0};
    const char *comma = "";
    strbuf_printf(out, "---- MODULE %.*s ----\nEXTENDS Integers, Sequences, TLC\nVARIABLES ",
                  STR_ARG(name));
    cluster->judge->show(cluster->judge->arg, g->seen.v, &text);
    for (const char *p = strbuf_cstr(&text); *p != '\0'; comma = ", ") {
        const char *equals = strstr(p, " = "), *end = strchr(p, '\n');
        strbuf_printf(out, "%s%.*s", comma, (int)(equals != NULL ? equals - p : 0), p);
        p = end != NULL ? end + 1 : p + strlen(p);
    }
    strbuf_adds(out, "\n\nInit ==\n");
    state_text(g, cluster, initial, "  ", false, out);
    strbuf_adds(out, "\n\nNext ==\n");
    for (size_t i = 0; i < g->edges.n; i++) {
        const struct xgraph_edge *e = &g->edges.v[i];
        strbuf_printf(out, "  \\/ \\* %s\n", strbuf_cstr(&g->texts.v[e->label]));
        state_text(g, cluster, e->from, "     ", false, out);
        strbuf_addc(out, '\n');
        state_text(g, cluster, e->to, "     ", true, out);
        strbuf_addc(out, '\n');
    }
    strbuf_adds(out, g->edges.n == 0 ? "  FALSE\n====\n" : "====\n");
}

int xgraph_write(struct xgraph *g, const struct cluster *cluster, const uint64_t *root,
                 const char *path, struct err *err)
{
    SCOPED_STRBUF out = {0};
    uint32_t initial = state_id(g, root, cluster->n_nodes);
    struct str base = path_base(str_of(path));
    if (base.n > 4 && memcmp(base.p + base.n - 4, ".tla", 4) == 0) {
        print_module(g, cluster, initial, (struct str){base.p, base.n - 4}, &out);
    } else {
        print_dot(g, cluster, initial, &out);
    }
    return file_write(path, strbuf_str(&out), err);
}
