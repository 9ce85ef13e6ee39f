/* `assay test`: what came of it, for people and as JSON. */
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "drive/bridge.h"
#include "drive/test.h"
#include "graph/graph.h"
#include "map/map.h"
#include "suite/suite.h"
#include "tour/tour.h"

/* ---- counting ---- */

static void count_labels(const struct test_cmd *cmd, struct test_counts *n)
{
    struct strmap all = {0}, met = {0};
    for (size_t i = 0; i < cmd->suite->n; i++) {
        const struct suite_case *c = &cmd->suite->cases[i];
        for (uint32_t k = 0; k < c->n; k++) {
            (void)strmap_put(&all, c->steps[k], &all);
            if (k < cmd->outcomes[i].done) {
                (void)strmap_put(&met, c->steps[k], &met);
            }
        }
    }
    n->labels = met.n;
    n->labels_of = all.n;
    strmap_done(&all);
    strmap_done(&met);
}

/* Steps and states of the graph that were done; a step that failed is none of them. */
static void count_graph(const struct test_cmd *cmd, struct test_counts *n)
{
    const struct graph *g = cmd->graph;
    size_t cap = 0, caps = 0;
    bool *edges = vec_grow(NULL, &cap, g->n_edges + (size_t)1, sizeof *edges);
    bool *states = vec_grow(NULL, &caps, g->n_states + (size_t)1, sizeof *states);
    memset(edges, 0, g->n_edges * sizeof *edges);
    memset(states, 0, g->n_states * sizeof *states);
    for (size_t i = 0; i < cmd->tour->cases.n; i++) {
        const struct tour_case *c = &cmd->tour->cases.v[i];
        const struct test_outcome *o = &cmd->outcomes[i];
        uint32_t done = o->done - (o->status == SUITE_FAILED && o->done != 0 ? 1 : 0);
        if (o->known && (o->status == SUITE_PASSED || o->done != 0)) {
            states[c->start] = true;
        }
        for (uint32_t k = 0; k < done; k++) {
            uint32_t e = cmd->tour->edges.v[c->first + k];
            edges[e] = states[g->to[e]] = true;
        }
    }
    for (uint32_t e = 0; e < g->n_edges; e++) {
        n->edges += edges[e] ? 1 : 0;
    }
    for (uint32_t s = 0; s < g->n_states; s++) {
        n->states += states[s] ? 1 : 0;
    }
    vec_release(edges);
    vec_release(states);
}

struct test_counts test_count(const struct test_cmd *cmd)
{
    struct test_counts n = {.cases = cmd->n_chosen};
    for (size_t i = 0; i < cmd->n_chosen; i++) {
        const struct test_outcome *o = &cmd->outcomes[cmd->chosen[i]];
        uint64_t *to[] = {&n.passed, &n.failed, &n.blocked, &n.stale}; /* ORDER suite_status */
        *(o->known ? to[o->status] : &n.left) += 1;
        n.steps += o->done;
        n.again += o->again;
    }
    count_labels(cmd, &n);
    if (cmd->tour != NULL) {
        count_graph(cmd, &n);
    }
    return n;
}

/* ---- the plan ---- */

void test_report_plan(const struct test_cmd *cmd, struct strbuf *out)
{
    const struct tour *t = cmd->tour;
    const struct graph *g = cmd->graph;
    uint32_t *level = graph_levels(g);
    SCOPED_STRBUF left = {0};
    suite_left_text(g, &left);
    strbuf_printf(out, "%.*s: %u states, %u steps, %u labels, depth %u\n", STR_ARG(g->spec),
                  g->n_states, g->n_edges, g->n_labels,
                  g->n_states != 0 ? level[g->n_states - 1] : 0);
    vec_release(level);
    if (left.n != 0) {
        strbuf_printf(out, "left out of the graph: %s\n", strbuf_cstr(&left));
    }
    strbuf_printf(out, "plan %s: %zu cases, %" PRIu64 " actions, the longest case %" PRIu64,
                  tour_kind_name(t->options.kind), t->cases.n, t->actions, t->longest);
    if (!t->replays) {
        strbuf_printf(out,
                      "; %" PRIu64 " restores, %" PRIu64 " snapshots, %" PRIu64 " held at once",
                      t->restores, t->snapshots, t->live);
    }
    strbuf_printf(out,
                  "\ncovers %" PRIu64 " of %u steps, %" PRIu64 " of %u states, %" PRIu64
                  " pairs of actions\n",
                  t->edges_covered, g->n_edges, t->states_covered, g->n_states, t->pairs_covered);
    if (t->edges_left != 0) {
        strbuf_printf(out,
                      "left out by the reduction: %" PRIu64
                      " steps that independent actions in the other order give\n",
                      t->edges_left);
    }
}

/* ---- text ---- */

static int by_first(const void *a, const void *b)
{
    uint32_t x = ((const struct test_group *)a)->first, y = ((const struct test_group *)b)->first;
    return (x > y) - (x < y);
}

static void put_actions(const struct test_cmd *cmd, struct strbuf *out)
{
    struct strmap names = {0};
    VEC(uint64_t) counts = {0};
    for (size_t i = 0; i < cmd->suite->n; i++) {
        const struct suite_case *c = &cmd->suite->cases[i];
        for (uint32_t k = 0; k < c->n; k++) {
            size_t n = 0;
            while (n < c->steps[k].n && strchr("( ", c->steps[k].p[n]) == NULL) {
                n++;
            }
            struct str name = {c->steps[k].p, n};
            if (!strmap_has(&names, name)) {
                (void)strmap_put(&names, name, &names);
                VEC_PUSH(&counts, 0);
            }
            size_t at = strmap_number(&names, name);
            ASSERT(at < counts.n && counts.v != NULL);
            counts.v[at] += k < cmd->outcomes[i].done ? 1 : 0;
        }
    }
    strbuf_adds(out, "steps by action:\n");
    for (size_t i = 0; i < names.n; i++) {
        strbuf_printf(out, "  %-24.*s %8" PRIu64 "%s\n", STR_ARG(names.entries[i].key), counts.v[i],
                      counts.v[i] == 0 ? "  never" : "");
    }
    strmap_done(&names);
    VEC_DONE(&counts);
}

static void put_cover(const struct test_cmd *cmd, const struct test_counts *n, struct strbuf *out)
{
    const struct map *map = cmd->bridge.map;
    if (cmd->tour != NULL) {
        strbuf_printf(out, "coverage: %" PRIu64 " of %u steps, %" PRIu64 " of %u states, ",
                      n->edges, cmd->graph->n_edges, n->states, cmd->graph->n_states);
    } else {
        strbuf_adds(out, "coverage: ");
    }
    strbuf_printf(out, "%" PRIu64 " of %" PRIu64 " actions with their arguments\n", n->labels,
                  n->labels_of);
    test_cover_text(cmd, out);
    if (cmd->suite->left.n != 0) {
        strbuf_printf(out, "left out of the suite: %.*s\n", STR_ARG(cmd->suite->left));
    }
    if (map->n_auxiliary != 0) {
        strbuf_adds(out, "not compared:");
        for (size_t i = 0; i < map->n_auxiliary; i++) {
            strbuf_printf(out, "%s %.*s", i != 0 ? "," : "", STR_ARG(map->auxiliary[i].name));
        }
        strbuf_addc(out, '\n');
    }
}

void test_report_text(struct test_cmd *cmd, struct strbuf *out)
{
    struct test_counts n = test_count(cmd);
    if (cmd->groups.n > 1) {
        qsort(cmd->groups.v, cmd->groups.n, sizeof cmd->groups.v[0], by_first);
    }
    strbuf_printf(out,
                  "%.*s: %" PRIu64 " cases: %" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64
                  " blocked, %" PRIu64 " stale, %" PRIu64 " not run; %" PRIu64 " steps\n",
                  STR_ARG(cmd->suite->spec), n.cases, n.passed, n.failed, n.blocked, n.stale,
                  n.left, n.steps);
    for (size_t i = 0; i < cmd->groups.n; i++) {
        const struct test_group *g = &cmd->groups.v[i];
        const struct suite_case *c = &cmd->suite->cases[g->first];
        strbuf_printf(out,
                      "\n%s: %s after %s, in %" PRIu64 " case%s (%" PRIu64
                      " more are blocked by it), first in case %u (%.*s): %.*s\n",
                      test_text(g->finding, "kind"), test_text(g->finding, "about"),
                      test_text(g->finding, "action"), g->cases, g->cases == 1 ? "" : "s",
                      g->blocked, g->first + 1, STR_ARG(c->id), STR_ARG(c->name));
        bridge_finding_print(g->finding, out);
    }
    for (size_t i = 0, told = 0; i < cmd->suite->n && told < 5; i++) {
        if (cmd->outcomes[i].known && cmd->outcomes[i].status == SUITE_STALE) {
            told++;
            strbuf_printf(out, "stale: case %zu (%.*s): %s\n", i + 1,
                          STR_ARG(cmd->suite->cases[i].id),
                          test_text(cmd->outcomes[i].finding, "text"));
        }
    }
    if (n.failed == 0 && n.blocked == 0 && n.stale == 0 && n.left == 0) {
        strbuf_adds(out, "no difference\n");
    }
    put_cover(cmd, &n, out);
    if (!cmd->o.quiet) {
        put_actions(cmd, out);
    }
}

/* ---- JSON ---- */

void test_report_json(struct test_cmd *cmd)
{
    struct test_counts n = test_count(cmd);
    json_t *findings = json_array(), *cases = json_array();
    for (size_t i = 0; i < cmd->groups.n; i++) {
        json_t *f = json_deep_copy(cmd->groups.v[i].finding);
        (void)json_object_set_new(f, "cases", json_integer((json_int_t)cmd->groups.v[i].cases));
        (void)json_object_set_new(f, "blocked", json_integer((json_int_t)cmd->groups.v[i].blocked));
        (void)json_object_set_new(f, "case", json_integer((json_int_t)cmd->groups.v[i].first + 1));
        (void)json_array_append_new(findings, f);
    }
    for (size_t i = 0; i < cmd->n_chosen; i++) {
        const struct suite_case *c = &cmd->suite->cases[cmd->chosen[i]];
        const struct test_outcome *o = &cmd->outcomes[cmd->chosen[i]];
        json_t *row =
            json_pack("{s:s#, s:s#, s:s, s:I}", "id", c->id.p, c->id.n, "name", c->name.p,
                      c->name.n, "status", o->known ? suite_status_name(o->status) : "not run",
                      "steps", (json_int_t)o->done);
        (void)json_array_append_new(cases, row);
    }
    json_t *root = json_pack("{s:s#, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "specification",
                             cmd->suite->spec.p, cmd->suite->spec.n, "passed", (json_int_t)n.passed,
                             "failed", (json_int_t)n.failed, "blocked", (json_int_t)n.blocked,
                             "stale", (json_int_t)n.stale, "not_run", (json_int_t)n.left, "steps",
                             (json_int_t)n.steps, "labels", (json_int_t)n.labels);
    (void)json_object_set_new(root, "steps_again", json_integer((json_int_t)n.again));
    (void)json_object_set_new(root, "labels_of", json_integer((json_int_t)n.labels_of));
    if (cmd->tour != NULL) {
        (void)json_object_set_new(root, "edges", json_integer((json_int_t)n.edges));
        (void)json_object_set_new(root, "edges_of", json_integer((json_int_t)cmd->graph->n_edges));
        (void)json_object_set_new(root, "states", json_integer((json_int_t)n.states));
        (void)json_object_set_new(root, "states_of",
                                  json_integer((json_int_t)cmd->graph->n_states));
    }
    json_t *code = test_cover_json(cmd);
    if (code != NULL) {
        (void)json_object_set_new(root, "code", code);
    }
    (void)json_object_set_new(root, "findings", findings);
    (void)json_object_set_new(root, "cases", cases);
    (void)json_dumpf(root, cmd->o.teller.out, JSON_INDENT(1));
    (void)fputc('\n', cmd->o.teller.out);
    json_decref(root);
}
