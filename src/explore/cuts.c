/* Consistent snapshots by intervals.
 *
 * What is seen of a node stays the same for a while: from the event that has made it so to the one
 * that changes it. Intervals of different nodes can be seen together if and only if none of them
 * has ended before another began: for any two, the end of one does not happen before the beginning
 * of the other, nor is the same event (Garg and Waldecker, "Detection of weak unstable predicates
 * in distributed programs", 1994). Then what happens before their beginnings is a snapshot that
 * shows all of them. */
#include "explore/cuts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/vec.h"

struct interval {
    uint64_t seen;
    size_t begin, end; /* events; CUTS_NONE: the root; never */
};
struct intervals {
    VEC(struct interval) v;
};
struct search {
    const struct cuts *cuts;
    size_t words;
    uint64_t *past;              /* [events * words]: what happens before each, and itself */
    struct intervals *nodes;     /* [n_nodes] */
    const struct interval **now; /* [n_nodes]: chosen so far */
    uint64_t *seen;              /* [n_nodes] */
    uint64_t *first;             /* [words] */
    uint64_t left;
    cuts_fn fn;
    void *arg;
};

void cuts_done(struct cuts *cuts)
{
    VEC_DONE(&cuts->events);
}

static void *room(size_t n, size_t size)
{
    size_t cap = 0;
    void *p = vec_grow(NULL, &cap, n + 1, size);
    memset(p, 0, (n + 1) * size);
    return p;
}

static bool has_bit(const uint64_t *set, size_t i)
{
    return (set[i / 64] >> i % 64 & 1) != 0;
}

static void add_past(uint64_t *past, size_t words, size_t event, size_t before)
{
    for (size_t w = 0; before != CUTS_NONE && w < words; w++) {
        past[event * words + w] |= past[before * words + w];
    }
}

void cuts_past(const struct cuts *cuts, size_t n_nodes, uint64_t *past)
{
    size_t words = cuts_words(cuts);
    size_t *last = room(n_nodes, sizeof *last);
    for (size_t i = 0; i < n_nodes; i++) {
        last[i] = CUTS_NONE;
    }
    for (size_t i = 0; i < cuts->events.n; i++) {
        const struct cuts_event *e = &cuts->events.v[i];
        ASSERT(e->sender == CUTS_NONE || e->sender < i);
        past[i * words + i / 64] |= UINT64_C(1) << i % 64;
        add_past(past, words, i, last[e->node[0]]);
        add_past(past, words, i, last[e->node[1]]);
        add_past(past, words, i, e->sender);
        last[e->node[0]] = last[e->node[1]] = i;
    }
    vec_release(last);
}

static void see(struct search *s, uint32_t node, size_t event, uint64_t seen)
{
    struct intervals *list = &s->nodes[node];
    struct interval *last = &VEC_LAST(&list->v);
    if (seen != CUTS_SAME && seen != last->seen) {
        last->end = event;
        VEC_PUSH(&list->v, ((struct interval){seen, event, CUTS_NONE}));
    }
}

/* What happens before what, and the intervals of each node. */
static void read_events(struct search *s)
{
    const struct cuts *cuts = s->cuts;
    cuts_past(cuts, cuts->n_nodes, s->past);
    for (size_t i = 0; i < cuts->n_nodes; i++) {
        VEC_PUSH(&s->nodes[i].v, ((struct interval){cuts->root[i], CUTS_NONE, CUTS_NONE}));
    }
    for (size_t i = 0; i < cuts->events.n; i++) {
        const struct cuts_event *e = &cuts->events.v[i];
        for (int k = 0; k < (e->node[0] == e->node[1] ? 1 : 2); k++) {
            see(s, e->node[k], i, e->seen[k]);
        }
    }
}

/* Whether the first has ended when the second begins. */
static bool over_before(const struct search *s, const struct interval *a, const struct interval *b)
{
    return a->end != CUTS_NONE && b->begin != CUTS_NONE &&
           has_bit(s->past + b->begin * s->words, a->end);
}

static int tell(struct search *s)
{
    size_t n = s->cuts->n_nodes;
    memset(s->first, 0, s->words * sizeof *s->first);
    for (size_t i = 0; i < n; i++) {
        s->seen[i] = s->now[i]->seen;
        for (size_t w = 0; s->now[i]->begin != CUTS_NONE && w < s->words; w++) {
            s->first[w] |= s->past[s->now[i]->begin * s->words + w];
        }
    }
    return s->fn(s->arg, s->seen, s->first);
}

/* Chooses an interval of each node, and tells of each choice: a loop, so that as many nodes may be
 * there as there are. */
static int choose(struct search *s, bool *ret_all)
{
    size_t n = s->cuts->n_nodes, depth = 0;
    size_t *at = room(n, sizeof *at);
    int status = 0;
    *ret_all = true;
    while (status == 0) {
        if (depth == n) {
            *ret_all = s->left > 0;
            if (s->left == 0) {
                break;
            }
            s->left--;
            status = tell(s);
            depth--;
            continue;
        }
        if (at[depth] == s->nodes[depth].v.n) {
            if (depth == 0) {
                break;
            }
            at[depth] = 0;
            depth--;
            continue;
        }
        const struct interval *next = &s->nodes[depth].v.v[at[depth]++];
        bool fits = true;
        for (size_t i = 0; fits && i < depth; i++) {
            fits = !over_before(s, s->now[i], next) && !over_before(s, next, s->now[i]);
        }
        if (fits) {
            s->now[depth++] = next;
        }
    }
    vec_release(at);
    return status;
}

int cuts_each(const struct cuts *cuts, uint64_t most, bool *ret_all, cuts_fn fn, void *arg)
{
    size_t n = cuts->n_nodes, words = cuts_words(cuts);
    *ret_all = true;
    if (n == 0) {
        return 0;
    }
    struct search s = {.cuts = cuts, .words = words, .left = most, .fn = fn, .arg = arg};
    s.past = room(cuts->events.n * words, sizeof *s.past);
    s.nodes = room(n, sizeof *s.nodes);
    s.now = (const struct interval **)room(n, sizeof(const struct interval *));
    s.seen = room(n, sizeof *s.seen);
    s.first = room(words, sizeof *s.first);
    read_events(&s);
    int status = choose(&s, ret_all);
    for (size_t i = 0; i < n; i++) {
        VEC_DONE(&s.nodes[i].v);
    }
    vec_release(s.past);
    vec_release(s.nodes);
    vec_release((void *)s.now);
    vec_release(s.seen);
    vec_release(s.first);
    return status;
}
