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
#include <string.h>

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

enum { LOOK_EVERY = 64 };

struct different { /* local traces under a skeleton, after which something else is observed */
    VEC(struct local *) v;
};
struct moments {
    struct dir *d;
    struct different *under; /* [skeletons] */
    struct u64map known;     /* what was judged */
    struct local **ends;     /* [components]: chosen */
    size_t *at;              /* [components] */
    uint64_t *seen;          /* [n_nodes] */
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

static void find_different(const struct dir *d, const struct skeleton *k, struct different *ret)
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

/* The chosen local traces, done together: what the judge of the run says then is what is found. */
static int do_it(struct moments *m, struct err *err)
{
    struct search *s = m->d->s;
    struct space *space = NULL;
    struct walk walk = {0};
    bool good = false;
    int status = dir_together(m->d, m->ends, &good, err);
    status = status != 0 ? status : crew_space(s->crew, &space, err);
    if (status == 0 && good && space_failure(space)->kind != FAILURE_NONE) {
        walk.failure = *space_failure(space);
        strbuf_addstr(&walk.text, space_failure_text(space));
        for (size_t i = 0; i < space_depth(space); i++) {
            VEC_PUSH(&walk.order, space_step(space, i)->event.name);
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

/* All local traces under the skeletons of a state: a number with a digit for each component. */
static int judge_state(struct moments *m, size_t state, struct err *err)
{
    size_t n = m->d->components.n, i = 0;
    int status = 0;
    memset(m->at, 0, n * sizeof *m->at);
    while (status == 0 && i < n) {
        for (size_t k = 0; k < n; k++) {
            m->ends[k] = m->under[dir_state(m->d, state)[k]].v.v[m->at[k]];
        }
        status = judge(m, err);
        for (i = 0; i < n; i++) {
            if (++m->at[i] < m->under[dir_state(m->d, state)[i]].v.n) {
                break;
            }
            m->at[i] = 0;
        }
    }
    return status;
}

int dir_moments(struct dir *d, struct err *err)
{
    size_t n = d->components.n, cap = 0;
    struct moments m = {.d = d};
    m.under = vec_grow(NULL, &cap, d->skeletons.n + 1, sizeof *m.under);
    memset(m.under, 0, (d->skeletons.n + 1) * sizeof *m.under);
    cap = 0;
    m.ends = (struct local **)vec_grow(NULL, &cap, n + 1, sizeof(struct local *));
    cap = 0;
    m.at = vec_grow(NULL, &cap, n + 1, sizeof *m.at);
    cap = 0;
    m.seen = vec_grow(NULL, &cap, d->cluster->n_nodes + 1, sizeof *m.seen);
    for (size_t i = 0; i < d->skeletons.n; i++) {
        find_different(d, &d->skeletons.v[i], &m.under[i]);
    }
    int status = 0;
    for (size_t i = 0; status == 0 && !d->s->over && i < d->states.n / n; i++) {
        status = judge_state(&m, i, err);
        if (i % LOOK_EVERY == 0) {
            (void)xsearch_goes_on(d->s);
        }
    }
    d->s->result->counts.states = m.known.n;
    for (size_t i = 0; i < d->skeletons.n; i++) {
        VEC_DONE(&m.under[i].v);
    }
    u64map_done(&m.known);
    vec_release(m.under);
    vec_release((void *)m.ends);
    vec_release(m.at);
    vec_release(m.seen);
    return status;
}
