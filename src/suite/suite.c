/* From plans to cases that people can read, and which of them to run. */
#include "suite/suite.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "graph/graph.h"
#include "tour/tour.h"

const char *suite_status_name(enum suite_status status)
{
    static const char *const names[] = {"passed", "failed", "blocked", "stale"}; /* ORDER */
    return names[status];
}

void suite_left_text(const struct graph *g, struct strbuf *out)
{
    const struct graph_left *l = &g->left;
    const struct {
        uint64_t n;
        const char *text;
    } rows[] = {
        {l->outside, "steps to states outside of the constraints"},
        {l->deeper,  "steps beyond the greatest depth"           },
        {l->sampled, "steps to states that are not in the sample"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].n != 0) {
            strbuf_printf(out, "%s%" PRIu64 " %s", out->n != 0 ? ", " : "", rows[i].n,
                          rows[i].text);
        }
    }
    if (l->stopped) {
        strbuf_printf(out, "%sall that comes after the search was stopped",
                      out->n != 0 ? ", " : "");
    }
    if (l->classes) {
        strbuf_printf(out, "%sstates that SYMMETRY or VIEW take for another one",
                      out->n != 0 ? ", " : "");
    }
}

/* ---- making ---- */

static struct str name_of(struct suite *suite, const struct suite_case *c)
{
    if (c->n == 0) {
        return STR("the initial state");
    }
    struct str first = c->steps[0], last = c->steps[c->n - 1];
    const char *text = c->n == 1 ? arena_printf(&suite->arena, "%.*s", STR_ARG(first))
                                 : arena_printf(&suite->arena, "%.*s .. %.*s, %u steps",
                                                STR_ARG(first), STR_ARG(last), c->n);
    return str_of(c->before == 0 ? text
                                 : arena_printf(&suite->arena, "%s, after %u", text, c->before));
}

struct naming {
    uint64_t *hashes; /* of a case's own steps, one after the other, each with all before it */
    size_t *first;    /* in hashes, of each case */
    struct strmap ids;
};

/* The hash of all labels from the initial state on. */
static uint64_t hash_steps(struct naming *n, const struct suite *suite, size_t i)
{
    const struct suite_case *c = &suite->cases[i];
    uint64_t hash =
        c->parent == SUITE_NONE ? hash_mix(c->initial) : n->hashes[n->first[c->parent] + c->at];
    n->hashes[n->first[i]] = hash;
    for (uint32_t k = 0; k < c->n; k++) {
        hash = hash_combine(hash, hash_bytes(c->steps[k].p, c->steps[k].n, 1));
        n->hashes[n->first[i] + k + 1] = hash;
    }
    return hash;
}

static void name_cases(struct suite *suite)
{
    struct naming n = {0};
    size_t total = 0, cap = 0;
    n.first = vec_grow(NULL, &cap, suite->n + 1, sizeof *n.first);
    for (size_t i = 0; i < suite->n; i++) {
        n.first[i] = total;
        total += suite->cases[i].n + (size_t)1;
    }
    cap = 0;
    n.hashes = vec_grow(NULL, &cap, total + 1, sizeof *n.hashes);
    for (size_t i = 0; i < suite->n; i++) {
        struct suite_case *c = &suite->cases[i];
        uint64_t hash = hash_steps(&n, suite, i) >> 24;
        c->id = str_of(arena_printf(&suite->arena, "%010" PRIx64, hash));
        for (unsigned again = 2; strmap_has(&n.ids, c->id); again++) {
            c->id = str_of(arena_printf(&suite->arena, "%010" PRIx64 "-%u", hash, again));
        }
        (void)strmap_put(&n.ids, c->id, c);
        c->name = name_of(suite, c);
    }
    strmap_done(&n.ids);
    vec_release(n.first);
    vec_release(n.hashes);
}

struct suite *suite_make(const struct tour *tour)
{
    static const char *const covers[] = {"edges", "states", "pairs"}; /* ORDER enum tour_cover */
    const struct graph *g = tour->graph;
    size_t cap = 0;
    struct suite *suite = vec_grow(NULL, &cap, 1, sizeof *suite);
    memset(suite, 0, sizeof *suite);
    arena_init(&suite->arena, 0);
    SCOPED_STRBUF left = {0};
    suite_left_text(g, &left);
    if (tour->edges_left != 0) {
        strbuf_printf(&left, "%s%" PRIu64 " steps that independent actions in the other order give",
                      left.n != 0 ? ", " : "", tour->edges_left);
    }
    suite->left = str_dup(&suite->arena, strbuf_str(&left));
    suite->spec = str_dup(&suite->arena, g->spec);
    suite->plan = str_of(tour_kind_name(tour->options.kind));
    suite->cover = str_of(covers[tour->options.cover]);
    suite->digest = g->digest;
    suite->states = g->n_states;
    suite->edges = g->n_edges;
    suite->n = tour->cases.n;
    suite->cases = ARENA_ARRAY(&suite->arena, struct suite_case, suite->n + 1);
    struct str *labels = ARENA_ARRAY(&suite->arena, struct str, g->n_labels + (size_t)1);
    for (uint32_t i = 0; i < g->n_labels; i++) {
        labels[i] = str_dup(&suite->arena, g->labels[i].text);
    }
    for (size_t i = 0; i < suite->n; i++) {
        const struct tour_case *from = &tour->cases.v[i];
        struct suite_case *c = &suite->cases[i];
        bool root = from->parent == TOUR_NONE;
        const struct suite_case *p = root ? NULL : &suite->cases[from->parent];
        *c = (struct suite_case){.parent = root ? SUITE_NONE : from->parent,
                                 .at = from->at,
                                 .initial = root ? from->start + 1 : p->initial,
                                 .before = root ? 0 : p->before + from->at,
                                 .n = from->n};
        c->steps = ARENA_ARRAY(&suite->arena, struct str, c->n + (size_t)1);
        for (uint32_t k = 0; k < c->n; k++) {
            c->steps[k] = labels[g->label[tour->edges.v[from->first + k]]];
        }
    }
    name_cases(suite);
    return suite;
}

void suite_free(struct suite *suite)
{
    if (suite != NULL) {
        arena_done(&suite->arena);
        vec_release(suite);
    }
}

uint32_t suite_find(const struct suite *suite, struct str text)
{
    SCOPED_STRBUF number = {0};
    strbuf_addstr(&number, text);
    uint64_t n = strtoull(strbuf_cstr(&number), NULL, 10);
    for (size_t i = 0; i < suite->n; i++) {
        if (str_eq(suite->cases[i].id, text) || str_eq(suite->cases[i].name, text)) {
            return (uint32_t)i;
        }
    }
    bool digits = text.n != 0 && strspn(strbuf_cstr(&number), "0123456789") == text.n;
    return digits && n >= 1 && n <= suite->n ? (uint32_t)(n - 1) : SUITE_NONE;
}

/* ---- choosing ---- */

static bool is_wanted(const struct suite_case *c, const struct suite_choice *choice)
{
    for (uint32_t k = 0; k < c->n; k++) {
        const char *open = memchr(c->steps[k].p, '(', c->steps[k].n);
        struct str name = {c->steps[k].p,
                           open != NULL ? (size_t)(open - c->steps[k].p) : c->steps[k].n};
        const char *space = memchr(name.p, ' ', name.n);
        name.n = space != NULL ? (size_t)(space - name.p) : name.n;
        for (size_t i = 0; i < choice->n_first; i++) {
            if (str_is(name, choice->first[i])) {
                return true;
            }
        }
    }
    return false;
}

/* A shard is a part of the suite that belongs together, as long as the others. */
static void cut_shard(const struct suite *suite, const struct suite_choice *choice,
                      size_t *ret_begin, size_t *ret_end)
{
    uint64_t total = 0, sum = 0, per = choice->shards, part = choice->shard;
    *ret_begin = 0;
    *ret_end = suite->n;
    if (per == 0) {
        return;
    }
    for (size_t i = 0; i < suite->n; i++) {
        total += suite->cases[i].n + (uint64_t)1;
    }
    size_t begin = suite->n, end = suite->n;
    for (size_t i = 0; i < suite->n; i++) {
        uint64_t at = sum * per / total; /* the shard of the case */
        begin = at + 1 >= part && i < begin ? i : begin;
        end = at + 1 > part && i < end ? i : end;
        sum += suite->cases[i].n + (uint64_t)1;
    }
    *ret_begin = begin;
    *ret_end = end;
}

uint32_t *suite_choose(const struct suite *suite, const struct suite_choice *choice, size_t *ret_n)
{
    size_t cap = 0, n = 0, begin, end;
    uint32_t *list = vec_grow(NULL, &cap, suite->n + 1, sizeof *list);
    if (choice->only != SUITE_NONE) {
        list[0] = choice->only;
        *ret_n = 1;
        return list;
    }
    cut_shard(suite, choice, &begin, &end);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = begin; i < end; i++) {
            if (is_wanted(&suite->cases[i], choice) == (pass == 0)) {
                list[n++] = (uint32_t)i;
            }
        }
    }
    *ret_n = n;
    return list;
}
