/* Invariants of the whole, by strategy dir: on all consistent snapshots of what is observed
 * (section 6.2 of the paper).
 *
 * A snapshot is a local trace of each component, all of which fit together: every packet that came
 * in was sent by another. That is what the global search has found, skeleton by skeleton; under a
 * skeleton any local trace may stand. What is the same of all nodes is judged once. What is false
 * is done by the real programs before it is told. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/crew.h"
#include "explore/dir_int.h"
#include "explore/explore.h"
#include "explore/explore_int.h"
#include "explore/found.h"
#include "explore/space.h"
#include "explore/walk.h"
#include "run/cluster.h"
#include "run/failure.h"

enum { LOOK_EVERY = 64, PICKS_MOST = 1 << 22 };

struct different_locals {
    VEC(struct local *) v;
};
/* Of a part with some face: local traces of its components, so many at a time as it has, after
 * which something else is observed. */
struct different {
    struct local **v;
    size_t n, wide;
};
struct moments {
    struct dir *d;
    struct join *j;
    VEC(struct different_locals) under; /* [skeletons] */
    struct u64map known;                /* what was judged */
    struct u64map picked;               /* what is there of a look */
    struct local **ends;                /* [components]: chosen */
    uint64_t *seen;                     /* [n_nodes] */
    size_t n_picks;
};

static bool in_component(const struct dir *d, uint32_t node, uint32_t component)
{
    return d->cluster->explore.component[node] == component;
}

static bool same_seen(const struct dir *d, const struct local *a, const struct local *b,
                      uint32_t component)
{
    for (uint32_t i = 0; i < a->seen_nodes.n; i++) {
        if (in_component(d, i, component) && a->seen_nodes.v[i] != b->seen_nodes.v[i]) {
            return false;
        }
    }
    return true;
}

static void find_different(const struct dir *d, const struct skeleton *k,
                           struct different_locals *ret)
{
    for (size_t i = 0; i < k->locals.n; i++) {
        struct local *l = k->locals.v[i];
        bool known = false;
        for (size_t j = 0; !known && j < ret->v.n; j++) {
            known = same_seen(d, ret->v.v[j], l, k->component);
        }
        if (!known) {
            VEC_PUSH(&ret->v, l);
        }
    }
}

/* What is there of a part; of groups it is there already. */
static struct different different_of(const struct moments *m, struct part part, uint32_t at)
{
    if (!part.group) {
        return (struct different){m->under.v[at].v.v, m->under.v[at].v.n, 1};
    }
    const struct group *g = &m->j->groups.v[part.at];
    const struct look *look = g->looks.v[at];
    return (struct different){look->picks.v, look->picks.n / g->n_inside, g->n_inside};
}

static uint32_t component_of(const struct moments *m, const struct local *l)
{
    return m->d->skeletons.v[l->skeleton].component;
}

/* The chosen local traces, done together: what the judge of the run says then is what is found. */
static int do_it(struct moments *m, struct err *err)
{
    struct search *s = m->d->s;
    struct dir_order order = {0};
    struct walk walk = {0};
    bool good = false;
    dir_order(m->d, m->ends, &order);
    int status = dir_together(m->d, &order, &walk, &good, err);
    VEC_DONE(&order.v);
    if (status == 0 && good && walk.failure.kind != FAILURE_NONE) {
        for (size_t i = 0; i < walk.failed; i++) {
            VEC_PUSH(&walk.order, walk.steps.v[i].event.name);
        }
        s->result->counts.failures++;
        found_add(&s->result->found, &walk, walk.order.v, walk.order.n, ++m->d->runs);
    } else if (status == 0 && s->result->counts.broken++ == 0) {
        strbuf_adds(&s->result->broken,
                    "what components showed alone does not come together: the programs depend on "
                    "something that no event shows");
    }
    xwalk_done(&walk);
    return status;
}

static bool is_found(const struct moments *m, uint32_t number)
{
    const struct found *found = &m->d->s->result->found;
    struct failure failure = {FAILURE_INVARIANT, FAILURE_NOBODY, number, 0};
    for (size_t i = 0; i < found->v.n; i++) {
        if (failure_same(&found->v.v[i].failure, &failure)) {
            return true;
        }
    }
    return false;
}

static int judge(struct moments *m, struct err *err)
{
    const struct cluster *c = m->d->cluster;
    uint64_t key = 1, known = 0;
    for (uint32_t i = 0; i < c->n_nodes; i++) {
        m->seen[i] = m->ends[c->explore.component[i]]->seen_nodes.v[i];
        key = hash_combine(key, m->seen[i]);
    }
    if (u64map_get(&m->known, key, &known)) {
        return 0;
    }
    u64map_put(&m->known, key, 1);
    SCOPED_STRBUF text = {0};
    uint32_t number = 0;
    int status = c->judge->judge(c->judge->arg, m->seen, &number, &text, err);
    return status == 1 && is_found(m, number) ? 0 : status == 1 ? do_it(m, err) : status;
}

/* Calls fn for each choice of what is different of the parts of a state: a number with a digit for
 * each part. What is chosen is in m->ends. */
typedef int (*chosen_fn)(struct moments *m, uint32_t group, uint32_t state, struct err *err);
static int each_choice(struct moments *m, uint32_t group, uint32_t state, chosen_fn fn,
                       struct err *err)
{
    const struct group *g = &m->j->groups.v[group];
    VEC(size_t) digits = {0};
    size_t i = 0;
    int status = 0;
    for (size_t k = 0; k < g->parts.n; k++) {
        VEC_PUSH(&digits, 0);
    }
    while (status == 0 && i < g->parts.n) {
        for (size_t k = 0; k < g->parts.n; k++) {
            uint32_t at = g->states.v[state * g->parts.n + k];
            struct different some = different_of(m, g->parts.v[k], at);
            for (size_t e = 0; e < some.wide; e++) {
                struct local *l = some.v[digits.v[k] * some.wide + e];
                m->ends[component_of(m, l)] = l;
            }
        }
        status = fn(m, group, state, err);
        for (i = 0; i < g->parts.n; i++) {
            uint32_t at = g->states.v[state * g->parts.n + i];
            if (++digits.v[i] < different_of(m, g->parts.v[i], at).n) {
                break;
            }
            digits.v[i] = 0;
        }
    }
    VEC_DONE(&digits);
    return status;
}

/* A choice of a group: what is observed of its nodes then, unless that is there. */
static int note_choice(struct moments *m, uint32_t group, uint32_t state, struct err *err)
{
    const struct group *g = &m->j->groups.v[group];
    const struct cluster *c = m->d->cluster;
    struct look *look = g->looks.v[g->look_of.v[state]];
    uint64_t key = hash_combine(hash_combine(17, group), g->look_of.v[state]), known = 0;
    for (uint32_t i = 0; i < c->n_nodes; i++) {
        uint32_t component = c->explore.component[i];
        key = g->inside.v[component] ? hash_combine(key, m->ends[component]->seen_nodes.v[i]) : key;
    }
    if (u64map_get(&m->picked, key, &known)) {
        return 0;
    }
    u64map_put(&m->picked, key, 1);
    for (size_t i = 0; i < g->inside.n; i++) {
        if (g->inside.v[i]) {
            VEC_PUSH(&look->picks, m->ends[i]);
        }
    }
    return ++m->n_picks < PICKS_MOST
               ? 0
               : err_set(err, ERR_LIMIT, 0,
                         "strategy dir: what can be observed of groups of components are more than "
                         "%d combinations, and [invariants] want all of them. Strategy dpor judges "
                         "invariants run by run",
                         PICKS_MOST);
}

static int judge_choice(struct moments *m, uint32_t group, uint32_t state, struct err *err)
{
    (void)group;
    (void)state;
    return judge(m, err);
}

int dir_moments(struct dir *d, struct join *j, struct err *err)
{
    size_t cap = 0;
    struct moments m = {.d = d, .j = j};
    m.ends = (struct local **)vec_grow(NULL, &cap, d->components.n + 1, sizeof(struct local *));
    cap = 0;
    m.seen = vec_grow(NULL, &cap, d->cluster->n_nodes + 1, sizeof *m.seen);
    for (size_t i = 0; i < d->skeletons.n; i++) {
        VEC_PUSH(&m.under, (struct different_locals){0});
        find_different(d, &d->skeletons.v[i], &m.under.v[i]);
    }
    int status = 0;
    for (uint32_t k = 0; k < j->groups.n; k++) { /* those inside others first */
        chosen_fn fn = join_is_top(j, k) ? judge_choice : note_choice;
        for (uint32_t i = 0; status == 0 && !d->s->over && i < j->groups.v[k].look_of.n; i++) {
            status = each_choice(&m, k, i, fn, err);
            if (i % LOOK_EVERY == 0) {
                (void)xsearch_goes_on(d->s);
            }
        }
    }
    d->s->result->counts.states = m.known.n;
    for (size_t i = 0; i < m.under.n; i++) {
        VEC_DONE(&m.under.v[i].v);
    }
    VEC_DONE(&m.under);
    u64map_done(&m.known);
    u64map_done(&m.picked);
    vec_release((void *)m.ends);
    vec_release(m.seen);
    return status;
}
