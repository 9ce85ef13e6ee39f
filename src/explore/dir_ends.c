/* Complete traces of the whole: how many, which, and with what in them. A state of the whole stands
 * for every choice of a state of each of its groups that has the look, and of a local trace under
 * each skeleton; those count in which nothing is left to do, for any component. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "explore/dir_int.h"
#include "explore/space.h"

/* ---- components ---- */

static bool refuses(const struct local *l, const struct names *coming)
{
    size_t refused = 0;
    for (size_t i = 0; i < coming->v.n; i++) {
        for (size_t j = 0; j < l->refused.n; j++) {
            refused += l->refused.v[j] == coming->v.v[i] ? 1 : 0;
        }
    }
    return refused == coming->v.n;
}

bool dir_ends_with(const struct local *l, const struct names *coming)
{
    return l->possible.n == 0 && refuses(l, coming);
}

/* Local traces under the skeleton that end there although these packets could come. */
static uint64_t ends_of(const struct skeleton *k, const struct names *coming)
{
    uint64_t n = coming->v.n == 0 ? k->complete : 0;
    for (size_t i = 0; coming->v.n != 0 && i < k->locals.n; i++) {
        n += dir_ends_with(k->locals.v[i], coming) ? 1 : 0;
    }
    return n;
}

/* ---- groups ---- */

void dir_coming(struct dir *d, struct join *j, struct group_todo at, size_t place,
                const struct names *outer, struct names *ret)
{
    struct arrivals arrivals = {0};
    dir_arrivals(d, j, at, place, outer, &arrivals);
    ret->v.n = 0;
    for (size_t i = 0; i < arrivals.v.n; i++) {
        VEC_PUSH(&ret->v, arrivals.v.v[i]->name);
    }
    VEC_DONE(&arrivals.v);
}

uint64_t dir_part_key(struct part part, uint32_t at, const struct names *coming)
{
    uint64_t key = hash_combine(hash_combine(part.group ? 11 : 13, part.at), at);
    for (size_t i = 0; i < coming->v.n; i++) {
        key = hash_combine(key, coming->v.v[i]);
    }
    return key;
}

static void add_count(struct dir_count *sum, const struct dir_count *n)
{
    if (n->traces > 0) {
        sum->traces += n->traces;
        sum->skeletons += n->skeletons;
        sum->n_traces += n->n_traces;
        sum->n_skeletons += n->n_skeletons;
    }
}

static struct dir_count count_part(struct dir *d, struct join *j, struct part part, uint32_t at,
                                   const struct names *coming);

/* Of most states it is seen at once that something is left to do. */
static bool may_end(const struct dir *d, const struct group *g, uint32_t state)
{
    bool may = true;
    for (size_t i = 0; may && i < g->parts.n; i++) {
        may = g->parts.v[i].group ||
              d->skeletons.v[g->states.v[state * g->parts.n + i]].complete != 0;
    }
    return may;
}

static struct dir_count count_state(struct dir *d, struct join *j, uint32_t group, uint32_t state,
                                    const struct names *outer)
{
    const struct group *g = &j->groups.v[group];
    struct dir_count sum = {1, 1, 1, 1};
    struct names coming = {0};
    if (!may_end(d, g, state)) {
        return (struct dir_count){0};
    }
    for (size_t i = 0; i < g->parts.n && sum.traces > 0; i++) {
        dir_coming(d, j, (struct group_todo){group, state}, i, outer, &coming);
        struct dir_count n =
            count_part(d, j, g->parts.v[i], g->states.v[state * g->parts.n + i], &coming);
        sum.traces *= n.traces;
        sum.skeletons *= n.skeletons;
        sum.n_traces *= n.n_traces;
        sum.n_skeletons *= n.n_skeletons;
    }
    VEC_DONE(&coming.v);
    return sum;
}

static struct dir_count count_part(struct dir *d, struct join *j, struct part part, uint32_t at,
                                   const struct names *coming)
{
    if (!part.group) {
        uint64_t n = ends_of(&d->skeletons.v[at], coming);
        return (struct dir_count){(double)n, n != 0 ? 1 : 0, n, n != 0 ? 1 : 0};
    }
    uint64_t key = dir_part_key(part, at, coming), known = 0;
    if (u64map_get(&j->counted, key, &known)) {
        return j->counts.v[known];
    }
    const struct look *look = j->groups.v[part.at].looks.v[at];
    struct dir_count sum = {0};
    for (size_t i = 0; i < look->states.n; i++) {
        struct dir_count n = count_state(d, j, part.at, look->states.v[i], coming);
        add_count(&sum, &n);
    }
    u64map_put(&j->counted, key, j->counts.n);
    VEC_PUSH(&j->counts, sum);
    return sum;
}

/* Notes which local traces and skeletons are in complete traces. */
static void mark(struct dir *d, struct join *j, uint32_t group, uint32_t state,
                 const struct names *outer)
{
    const struct group *g = &j->groups.v[group];
    struct names coming = {0};
    for (size_t i = 0; i < g->parts.n; i++) {
        struct part part = g->parts.v[i];
        uint32_t at = g->states.v[state * g->parts.n + i];
        dir_coming(d, j, (struct group_todo){group, state}, i, outer, &coming);
        uint64_t key = dir_part_key(part, at, &coming), known = 0;
        const struct look *look = part.group ? j->groups.v[part.at].looks.v[at] : NULL;
        bool again = look != NULL && u64map_get(&j->marked, key, &known);
        for (size_t k = 0; look != NULL && !again && k < look->states.n; k++) {
            if (count_state(d, j, part.at, look->states.v[k], &coming).traces > 0) {
                mark(d, j, part.at, look->states.v[k], &coming);
            }
        }
        if (look != NULL) {
            u64map_put(&j->marked, key, 1);
            continue;
        }
        struct skeleton *s = &d->skeletons.v[at];
        s->used = true;
        for (size_t k = 0; k < s->locals.n; k++) {
            s->locals.v[k]->ends = s->locals.v[k]->ends || dir_ends_with(s->locals.v[k], &coming);
        }
    }
    VEC_DONE(&coming.v);
}

void dir_count_ends(struct dir *d, struct join *j)
{
    const struct names none = {0};
    uint32_t top = join_top(j);
    if (j->groups.n == 0) {
        return; /* nothing was put together */
    }
    for (size_t i = 0; i < d->locals.n; i++) {
        d->locals.v[i]->ends = false;
    }
    for (size_t i = 0; i < d->skeletons.n; i++) {
        d->skeletons.v[i].used = false;
    }
    for (uint32_t i = 0; i < j->groups.v[top].look_of.n; i++) {
        struct dir_count n = count_state(d, j, top, i, &none);
        add_count(&j->sum, &n);
        if (n.traces > 0) {
            VEC_PUSH(&j->complete, i);
            mark(d, j, top, i, &none);
        }
    }
}

static void pick(struct dir *d, struct join *j, uint32_t group, uint32_t state,
                 const struct names *outer, struct local **ends)
{
    const struct group *g = &j->groups.v[group];
    struct names coming = {0};
    for (size_t i = 0; i < g->parts.n; i++) {
        struct part part = g->parts.v[i];
        uint32_t at = g->states.v[state * g->parts.n + i];
        size_t k = 0;
        dir_coming(d, j, (struct group_todo){group, state}, i, outer, &coming);
        if (part.group) {
            const struct look *look = j->groups.v[part.at].looks.v[at];
            while (count_state(d, j, part.at, look->states.v[k], &coming).traces == 0) {
                k++; /* one of them is complete */
            }
            pick(d, j, part.at, look->states.v[k], &coming, ends);
            continue;
        }
        while (!dir_ends_with(d->skeletons.v[at].locals.v[k], &coming)) {
            k++;
        }
        ends[part.at] = d->skeletons.v[at].locals.v[k];
    }
    VEC_DONE(&coming.v);
}

void dir_pick_ends(struct dir *d, struct join *j, uint32_t state, struct local **ends)
{
    const struct names none = {0};
    pick(d, j, join_top(j), state, &none, ends);
}

/* Any local traces of the state of a group, but of the part `without`. */
static void fill(struct dir *d, struct join *j, uint32_t group, uint32_t state, size_t without,
                 struct local **ends)
{
    const struct group *g = &j->groups.v[group];
    for (size_t i = 0; i < g->parts.n; i++) {
        struct part part = g->parts.v[i];
        uint32_t at = g->states.v[state * g->parts.n + i];
        if (i != without && part.group) {
            fill(d, j, part.at, j->groups.v[part.at].looks.v[at]->states.v[0], SIZE_MAX, ends);
        } else if (i != without) {
            ends[part.at] = d->skeletons.v[at].locals.v[0];
        }
    }
}

bool dir_around(struct dir *d, struct join *j, struct local *l, struct local **ends)
{
    const struct skeleton *k = &d->skeletons.v[l->skeleton];
    const struct component *c = &d->components.v[k->component];
    if (k->users.n == 0) {
        return false;
    }
    ends[k->component] = l;
    uint32_t group = c->group, state = k->users.v[0];
    size_t place = c->place;
    fill(d, j, group, state, place, ends);
    while (!join_is_top(j, group)) {
        const struct group *g = &j->groups.v[group];
        const struct look *look = g->looks.v[g->look_of.v[state]];
        if (look->users.n == 0) {
            return false;
        }
        place = g->place;
        state = look->users.v[0];
        group = g->above;
        fill(d, j, group, state, place, ends);
    }
    return true;
}
