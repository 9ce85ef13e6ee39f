/* What is judged at the end of complete traces of the whole, by strategy dir: what clients saw, and
 * commands of the file ([[check]]).
 *
 * A complete trace is a local trace of each component that ends there. Most of them are not told
 * from each other by whoever judges: clients see the same, at the same places of what happens
 * before what, or disks and logs are the same. So of each component only those that differ in that
 * are taken, and put together.
 *
 * A history is judged as data: that of each order that the composed trace may have (orders.h). What
 * breaks what was promised is done by the real programs, in that order, before it is told. Checks
 * are commands that read files: each combination of files is made once by the real programs. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/crew.h"
#include "explore/cuts.h"
#include "explore/dir_int.h"
#include "explore/explore.h"
#include "explore/explore_int.h"
#include "explore/found.h"
#include "explore/orders.h"
#include "explore/space.h"
#include "explore/walk.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "run/saw.h"
#include "world/world.h"

enum {
    ENDS_MOST = 1 << 20,  /* combinations that are looked at */
    ORDERS_EACH = 4096,   /* histories of one of them */
    CHECKED_MOST = 1024,  /* that are done for the checks */
    VIOLATIONS_MOST = 32, /* histories that are done, of those that are wrong */
    LOOK_EVERY = 256
};

/* Local traces, so many at a time as a part has components. */
struct choices {
    VEC(struct local *) v;
    struct u64map known;
};
struct judging {
    struct dir *d;
    struct join *j;
    struct local **ends; /* [components]: chosen */
    struct u64map kept;  /* of a part of groups and what could come: an index in lists */
    VEC(struct choices *) lists;
    struct u64map files;    /* combinations of what checks read that are known */
    struct u64map partial;  /* what clients saw, by what of it happens before what */
    struct u64map judged;   /* histories: whether they are wrong */
    struct dir_order order; /* of the chosen ones */
    struct dir_order other; /* the same events, in another order */
    struct cuts cuts;       /* the same */
    struct dir_wholes wholes;
    VEC(bool) wants_history; /* for each that was asked for */
    size_t n_ends, n_checked, n_wrong;
    struct err *err;
};

/* ---- runs ---- */

/* The nth of those that were asked for. */
static void on_whole(void *arg, uint64_t nth, bool good, struct walk *walk)
{
    struct judging *m = arg;
    struct search *s = m->d->s;
    bool wrong = walk->failure.kind != FAILURE_NONE;
    if (!good || (!wrong && m->wants_history.v[nth])) {
        if (s->result->counts.broken++ == 0) {
            strbuf_adds(&s->result->broken, "what components showed alone does not come together: "
                                            "the programs depend on something that no event shows");
        }
    } else if (wrong) {
        VEC(uint64_t) path = {0};
        for (size_t i = 0; i < walk->failed && i < walk->steps.n; i++) {
            VEC_PUSH(&path, walk->steps.v[i].event.name);
        }
        s->result->counts.failures++;
        found_add(&s->result->found, walk, path.v, path.n, m->d->runs + nth + 1);
        VEC_DONE(&path);
    }
}

static int do_it(struct judging *m, const struct dir_order *order, bool wants_history)
{
    VEC_PUSH(&m->wants_history, wants_history);
    return dir_wholes_ask(&m->wholes, order, m->err);
}

/* ---- what clients saw ---- */

/* Whether an event has sent the packet that comes in with another one. */
static bool has_sent(const struct dir *d, const struct local *l, const struct local *to)
{
    for (size_t i = 0; to->came != 0 && i < l->posted.n; i++) {
        if (d->mail.v.v[l->posted.v[i]].name == to->came) {
            return true;
        }
    }
    for (size_t i = 0; to->came == 0 && i < l->sent.n; i++) {
        if (l->sent.v[i] == to->event.event.id) {
            return true;
        }
    }
    return false;
}

static size_t sender_of(const struct judging *m, size_t at)
{
    const struct local *to = m->order.v.v[at];
    size_t i = to->event.event.kind == EV_DELIVER ? at : 0;
    while (i > 0 && !has_sent(m->d, m->order.v.v[i - 1], to)) {
        i--;
    }
    return i > 0 ? i - 1 : CUTS_NONE;
}

/* The chosen traces as a run, and what clients saw in it. */
static void make_orders(struct judging *m, struct orders *ret)
{
    struct space *space = NULL;
    struct err why;
    m->cuts.events.n = 0;
    for (size_t i = 0; i < m->order.v.n; i++) {
        const struct local *l = m->order.v.v[i];
        struct cuts_event e = {
            .node = {l->event.node[0], l->event.node[1]},
              .sender = sender_of(m, i)
        };
        VEC_PUSH(&m->cuts.events, e);
        if (l->saw.n != 0) {
            struct orders_part part = {i, strbuf_str(&l->saw)};
            VEC_PUSH(&ret->parts, part);
        }
    }
    ret->cuts = &m->cuts;
    ret->n_nodes = m->d->cluster->n_nodes;
    if (crew_space(m->d->s->crew, &space, &why) == 0) {
        space_history(space, 0, &ret->before);
    }
}

/* The same for the same lines with the same of them before each. */
static uint64_t partial_key(const struct orders *o)
{
    size_t words = cuts_words(o->cuts), cap = 0;
    uint64_t *past = vec_grow(NULL, &cap, o->cuts->events.n * words + 1, sizeof *past), key = 0;
    memset(past, 0, (o->cuts->events.n * words + 1) * sizeof *past);
    cuts_past(o->cuts, o->n_nodes, past);
    for (size_t i = 0; i < o->parts.n; i++) { /* in any order */
        const struct orders_part *part = &o->parts.v[i];
        uint64_t node = o->cuts->events.v[part->event].node[0], before = 0;
        for (size_t k = 0; k < i; k++) {
            size_t e = o->parts.v[k].event;
            bool first = (past[part->event * words + e / 64] >> e % 64 & 1) != 0;
            struct str lines = o->parts.v[k].lines;
            before +=
                first ? hash_mix(hash_bytes(lines.p, lines.n, o->cuts->events.v[e].node[0])) : 0;
        }
        key += hash_mix(hash_combine(hash_bytes(part->lines.p, part->lines.n, node), before));
    }
    vec_release(past);
    return key;
}

/* 1: it is wrong. */
static int on_history(void *arg, struct str history, const size_t *events)
{
    struct judging *m = arg;
    uint64_t key = hash_bytes(history.p, history.n, 1), known = 0;
    bool violated = false;
    int status = 0;
    if (u64map_get(&m->judged, key, &known)) {
        violated = known != 0;
    } else {
        status = saw_violated(&m->d->cluster->history, history, &violated, m->err);
        u64map_put(&m->judged, key, violated ? 1 : 0);
    }
    if (status != 0 || !violated) {
        return status;
    }
    if (++m->n_wrong > VIOLATIONS_MOST) {
        return 1;
    }
    m->other.v.n = 0;
    m->other.n_all = m->order.n_all;
    for (size_t i = 0; i < m->order.v.n; i++) {
        VEC_PUSH(&m->other.v, m->order.v.v[events[i]]);
    }
    status = do_it(m, &m->other, true);
    return status != 0 ? status : 1; /* one order of them is enough */
}

static bool any_ended(const struct judging *m)
{
    bool ended = false;
    for (size_t i = 0; !ended && i < m->d->components.n; i++) {
        ended = m->ends[i]->ended;
    }
    return ended;
}

static int judge_history(struct judging *m)
{
    struct explore_result *r = m->d->s->result;
    struct orders orders = {0};
    if (!any_ended(m)) {
        r->counts.unjudged++;
        return 0;
    }
    make_orders(m, &orders);
    uint64_t key = partial_key(&orders), known = 0;
    int status = 0;
    if (!u64map_get(&m->partial, key, &known)) {
        bool all = true;
        u64map_put(&m->partial, key, 1);
        status = orders_each(&orders, ORDERS_EACH, &all, on_history, m);
        r->dir.partly += all ? 0 : 1;
    }
    orders_done(&orders);
    return status < 0 ? status : 0;
}

/* ---- checks ---- */

static int check_files(struct judging *m)
{
    struct dir *d = m->d;
    uint64_t key = 1, known = 0;
    for (size_t i = 0; i < d->components.n; i++) {
        key = hash_combine(key, m->ends[i]->files);
    }
    if (u64map_get(&m->files, key, &known)) {
        return 0;
    }
    u64map_put(&m->files, key, 1);
    if (m->n_checked == CHECKED_MOST) {
        d->s->result->dir.partly++;
        return 0;
    }
    m->n_checked++;
    return do_it(m, &m->order, false);
}

/* ---- combinations ---- */

typedef int (*chosen_fn)(struct judging *m, uint32_t group, struct choices *to);

/* Of the whole: judges it. */
static int judge_chosen(struct judging *m, uint32_t group, struct choices *to)
{
    const struct cluster *c = m->d->cluster;
    (void)group;
    (void)to;
    dir_order(m->d, m->ends, &m->order);
    int status = c->history.on ? judge_history(m) : 0;
    status = status == 0 && c->n_checks != 0 ? check_files(m) : status;
    if (++m->n_ends % LOOK_EVERY == 0) {
        (void)xsearch_goes_on(m->d->s);
    }
    return status;
}

/* What is told from others of a local trace. */
static uint64_t told_of(const struct judging *m, const struct local *l)
{
    const struct cluster *c = m->d->cluster;
    uint64_t key = c->history.on ? hash_combine(l->told, l->skeleton) : 0;
    return c->n_checks != 0 ? hash_combine(key, l->files) : key;
}

/* Of a group: keeps it, unless one like it is there. */
static int keep_chosen(struct judging *m, uint32_t group, struct choices *to)
{
    const struct group *g = &m->j->groups.v[group];
    uint64_t key = 1, known = 0;
    for (size_t i = 0; i < g->inside.n; i++) {
        key = g->inside.v[i] ? hash_combine(key, told_of(m, m->ends[i])) : key;
    }
    if (u64map_get(&to->known, key, &known)) {
        return 0;
    }
    u64map_put(&to->known, key, 1);
    for (size_t i = 0; i < g->inside.n; i++) {
        if (g->inside.v[i]) {
            VEC_PUSH(&to->v, m->ends[i]);
        }
    }
    m->n_ends++;
    return 0;
}

static bool is_enough(const struct judging *m)
{
    return m->n_ends >= ENDS_MOST || m->d->s->over;
}

static int each_end(struct judging *m, struct group_todo at, const struct names *outer,
                    chosen_fn fn, struct choices *to);

/* Of a component: local traces that end there, those that are told from each other. */
static void choices_of(struct judging *m, uint32_t skeleton, const struct names *coming,
                       struct choices *ret)
{
    const struct skeleton *k = &m->d->skeletons.v[skeleton];
    for (size_t i = 0; i < k->locals.n; i++) {
        uint64_t key = told_of(m, k->locals.v[i]), known = 0;
        if (dir_ends_with(k->locals.v[i], coming) && !u64map_get(&ret->known, key, &known)) {
            u64map_put(&ret->known, key, 1);
            VEC_PUSH(&ret->v, k->locals.v[i]);
        }
    }
}

/* Of a part: of groups they are kept. */
static int find_choices(struct judging *m, struct part part, uint32_t at,
                        const struct names *coming, struct choices **ret)
{
    uint64_t key = dir_part_key(part, at, coming), known = 0;
    if (u64map_get(&m->kept, key, &known)) {
        ASSERT(m->lists.v != NULL);
        *ret = m->lists.v[known];
        return 0;
    }
    size_t cap = 0;
    struct choices *list = vec_grow(NULL, &cap, 1, sizeof *list);
    memset(list, 0, sizeof *list);
    u64map_put(&m->kept, key, m->lists.n);
    VEC_PUSH(&m->lists, list);
    *ret = list;
    if (!part.group) {
        choices_of(m, at, coming, list);
        return 0;
    }
    const struct look *look = m->j->groups.v[part.at].looks.v[at];
    int status = 0;
    for (size_t i = 0; status == 0 && i < look->states.n && !is_enough(m); i++) {
        status =
            each_end(m, (struct group_todo){part.at, look->states.v[i]}, coming, keep_chosen, list);
    }
    return status;
}

static size_t width(const struct judging *m, struct part part)
{
    return part.group ? m->j->groups.v[part.at].n_inside : 1;
}

/* Calls fn for each choice of what is different of the parts of a state: a number with a digit for
 * each part. What is chosen is in m->ends. */
static int choose_each(struct judging *m, struct group_todo at, struct choices *const *lists,
                       chosen_fn fn, struct choices *to)
{
    const struct group *g = &m->j->groups.v[at.group];
    VEC(size_t) digits = {0};
    size_t i = 0;
    int status = 0;
    for (size_t k = 0; k < g->parts.n; k++) {
        VEC_PUSH(&digits, 0);
    }
    while (status == 0 && i < g->parts.n && !is_enough(m)) {
        for (size_t k = 0; k < g->parts.n; k++) {
            size_t wide = width(m, g->parts.v[k]);
            for (size_t e = 0; e < wide; e++) {
                struct local *l = lists[k]->v.v[digits.v[k] * wide + e];
                m->ends[m->d->skeletons.v[l->skeleton].component] = l;
            }
        }
        status = fn(m, at.group, to);
        for (i = 0; digits.v != NULL && i < g->parts.n; i++) {
            if (++digits.v[i] < lists[i]->v.n / width(m, g->parts.v[i])) {
                break;
            }
            digits.v[i] = 0;
        }
    }
    VEC_DONE(&digits);
    return status;
}

/* All complete ones of a state, with what could come from outside. */
static int each_end(struct judging *m, struct group_todo at, const struct names *outer,
                    chosen_fn fn, struct choices *to)
{
    const struct group *g = &m->j->groups.v[at.group];
    struct names coming = {0};
    VEC(struct choices *) lists = {0};
    int status = 0;
    bool any = true;
    for (size_t i = 0; status == 0 && any && i < g->parts.n; i++) {
        struct choices *list = NULL;
        uint32_t face = g->states.v[at.state * g->parts.n + i];
        dir_coming(m->d, m->j, at, i, outer, &coming);
        status = find_choices(m, g->parts.v[i], face, &coming, &list);
        VEC_PUSH(&lists, list);
        any = list->v.n != 0;
    }
    if (status == 0 && any) {
        status = choose_each(m, at, lists.v, fn, to);
    }
    VEC_DONE(&lists);
    VEC_DONE(&coming.v);
    return status;
}

static void judging_done(struct judging *m)
{
    for (size_t i = 0; i < m->lists.n; i++) {
        VEC_DONE(&m->lists.v[i]->v);
        u64map_done(&m->lists.v[i]->known);
        vec_release(m->lists.v[i]);
    }
    VEC_DONE(&m->lists);
    VEC_DONE(&m->wants_history);
    VEC_DONE(&m->wholes.lengths);
    VEC_DONE(&m->order.v);
    VEC_DONE(&m->other.v);
    cuts_done(&m->cuts);
    u64map_done(&m->kept);
    u64map_done(&m->files);
    u64map_done(&m->partial);
    u64map_done(&m->judged);
    vec_release((void *)m->ends);
}

int dir_oracles(struct dir *d, struct join *j, struct err *err)
{
    size_t cap = 0;
    const struct names none = {0};
    struct judging m = {.d = d, .j = j, .err = err};
    m.wholes = (struct dir_wholes){.d = d, .on = on_whole, .arg = &m};
    m.ends = (struct local **)vec_grow(NULL, &cap, d->components.n + 1, sizeof(struct local *));
    int status = 0;
    for (size_t i = 0; status == 0 && i < j->complete.n && !is_enough(&m); i++) {
        struct group_todo at = {join_top(j), j->complete.v[i]};
        status = each_end(&m, at, &none, judge_chosen, NULL);
    }
    status = status != 0 ? status : dir_wholes_end(&m.wholes, err);
    struct explore_dir *r = &d->s->result->dir;
    r->partly += m.n_ends >= ENDS_MOST ? 1 : 0;
    r->histories = m.partial.n;
    r->checked = m.n_checked;
    d->runs += m.wants_history.n;
    judging_done(&m);
    return status;
}
