/* How components fit together: states of the whole, as data, without running anything.
 *
 * A state is a skeleton of each component; a component moves by itself, or by a packet that another
 * has sent in this state. Where there are many components their states are too many: as many as the
 * products of what each can have done. So components are put together in groups first, and these in
 * larger ones (hierarchical reduction, section 6.1 of the paper). A group is searched like the
 * whole, but for packets from outside, which are given to it when it is found that one can come. Of
 * its states the group above sees looks only, which are to a group what skeletons are to a
 * component: what came in and went out, and what of that happened before what. What its members
 * tell each other is not seen.
 *
 * When a group learns something, states of the one above that have the look are gone on with again;
 * so everything is searched until nothing is new. What is counted does not depend on the groups. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "explore/dir_int.h"
#include "explore/explore_int.h"
#include "explore/space.h"
#include "run/cluster.h"

enum { STATES_MOST = 1 << 23, LOOK_EVERY = 256, PLACE_BITS = 64 };
#define ALL_PLACES UINT64_MAX

/* ---- faces ---- */

void dir_face_done(struct face *f)
{
    VEC_DONE(&f->events);
    VEC_DONE(&f->past);
    VEC_DONE(&f->sent);
    VEC_DONE(&f->taken);
    VEC_DONE(&f->inputs);
    VEC_DONE(&f->ways);
}

bool dir_face_way(struct face *f, struct way way)
{
    for (size_t i = 0; i < f->ways.n; i++) {
        if (f->ways.v[i].mail == way.mail && f->ways.v[i].to == way.to) {
            return false;
        }
    }
    VEC_PUSH(&f->ways, way);
    return true;
}

static bool has_name(const uint64_t *names, size_t n, uint64_t name)
{
    for (size_t i = 0; i < n; i++) {
        if (names[i] == name) {
            return true;
        }
    }
    return false;
}

bool dir_face_input(struct face *f, uint64_t name)
{
    if (has_name(f->inputs.v, f->inputs.n, name)) {
        return false;
    }
    VEC_PUSH(&f->inputs, name);
    return true;
}

/* ---- what can arrive ---- */

static bool is_inside(const struct join *j, struct part part, uint32_t component)
{
    return part.group ? j->groups.v[part.at].inside.v[component] : part.at == component;
}

static bool is_blocked(const struct arrivals *a, size_t n, const struct xpacket *x)
{
    for (size_t i = 0; x->chan != 0 && i < n; i++) {
        if (a->v.v[i]->chan == x->chan) {
            return true; /* something else comes first on its way */
        }
    }
    return false;
}

/* A packet that could reach a part with this face, unless another comes first. */
static void arriving(const struct dir *d, const struct join *j, struct part part,
                     const struct face *f, const struct xpacket *x, bool inner,
                     struct arrivals *ret)
{
    if (is_inside(j, part, d->cluster->explore.component[x->to]) &&
        !has_name(f->taken.v, f->taken.n, x->name) &&
        !is_blocked(ret, inner ? ret->v.n : ret->n_inner, x)) {
        VEC_PUSH(&ret->v, x);
        ret->n_inner += inner ? 1 : 0;
    }
}

void dir_arrivals(struct dir *d, struct join *j, struct group_todo at, size_t place,
                  const struct names *outer, struct arrivals *ret)
{
    uint32_t state = at.state;
    struct group *g = &j->groups.v[at.group];
    struct part part = g->parts.v[place];
    const struct face *f = join_face(d, j, part, group_state(g, state)[place]);
    ret->v.n = ret->n_inner = 0;
    for (size_t i = 0; !part.group && i < d->components.v[part.at].inbound.v.n; i++) {
        arriving(d, j, part, f, &d->components.v[part.at].inbound.v.v[i], true, ret);
    }
    for (size_t k = 0; k < g->parts.n; k++) {
        const struct face *from = join_face(d, j, g->parts.v[k], group_state(g, state)[k]);
        for (size_t i = 0; k != place && i < from->sent.n; i++) {
            arriving(d, j, part, f, &d->mail.v.v[from->sent.v[i]], true, ret);
        }
    }
    for (size_t i = 0; i < outer->v.n; i++) {
        arriving(d, j, part, f, dir_mail(d, outer->v.v[i]), false, ret);
    }
}

/* ---- the search ---- */

/* Of parts beyond the last bit none is told from the others. */
static uint64_t place_bit(size_t place)
{
    return UINT64_C(1) << (place < PLACE_BITS - 1 ? place : PLACE_BITS - 1);
}

/* places: parts of the state of which something new is known. */
static void wake(struct join *j, uint32_t group, uint32_t state, uint64_t places)
{
    uint64_t *waits = &j->groups.v[group].waits.v[state];
    if (*waits == 0) {
        VEC_PUSH(&j->todo, (struct group_todo){group, state});
    }
    *waits |= places;
}

/* Gives a packet to a part, unless it had it. */
static void give(struct dir *d, struct join *j, struct part part, uint32_t at, uint64_t name)
{
    if (!dir_face_input(join_face(d, j, part, at), name)) {
        return;
    }
    if (part.group) {
        const struct look *look = j->groups.v[part.at].looks.v[at];
        for (size_t i = 0; i < look->states.n; i++) {
            wake(j, part.at, look->states.v[i], ALL_PLACES);
        }
        return;
    }
    for (size_t i = 0; i < d->skeletons.v[at].locals.n; i++) {
        dir_push_mail(d, d->skeletons.v[at].locals.v[i], name);
    }
}

static struct look *look_new(struct group *g)
{
    size_t cap = 0;
    struct look *look = vec_grow(NULL, &cap, 1, sizeof *look);
    memset(look, 0, sizeof *look);
    VEC_PUSH(&g->looks, look);
    return look;
}

/* The look of a state that is new: what it is, and that it has it. */
static void find_look(struct dir *d, struct join *j, uint32_t group, uint32_t state)
{
    struct group *g = &j->groups.v[group];
    uint64_t at = g->looks.n, key = 0;
    struct face face = {0};
    if (!join_is_top(j, group)) {
        dir_look(d, j, group, state, &face, &key);
    }
    if (!u64map_get(&g->by_key, key, &at)) {
        u64map_put(&g->by_key, key, at);
        look_new(g)->face = face;
    } else {
        dir_face_done(&face);
    }
    VEC_PUSH(&g->looks.v[at]->states, state);
    VEC_PUSH(&g->look_of, (uint32_t)at);
}

/* That the last state of the group, which nobody knows, is there; its number. */
static uint32_t note_state(struct dir *d, struct join *j, uint32_t group, uint64_t key)
{
    struct group *g = &j->groups.v[group];
    uint32_t at = (uint32_t)(g->states.n / g->parts.n - 1);
    u64map_put(&g->known, key, at);
    j->n_states++;
    VEC_PUSH(&g->waits, 0);
    VEC_PUSH(&g->alone, false);
    find_look(d, j, group, at);
    for (size_t i = 0; i < g->parts.n; i++) {
        uint32_t face = group_state(g, at)[i];
        if (g->parts.v[i].group) {
            VEC_PUSH(&j->groups.v[g->parts.v[i].at].looks.v[face]->users, at);
        } else {
            VEC_PUSH(&d->skeletons.v[face].users, at);
        }
    }
    wake(j, group, at, ALL_PLACES);
    return at;
}

/* A state that comes after another, by a move of one part; outer: the name of a packet from outside
 * the group that came in, or 0. */
static void reach(struct dir *d, struct join *j, struct group_todo from, size_t place, uint32_t to,
                  uint64_t outer)
{
    struct group *g = &j->groups.v[from.group];
    uint64_t key = 1, at = 0;
    for (size_t i = 0; i < g->parts.n; i++) {
        uint32_t face = i == place ? to : group_state(g, from.state)[i];
        VEC_PUSH(&g->states, face);
        key = hash_combine(key, face);
    }
    if (u64map_get(&g->known, key, &at)) {
        g->states.n -= g->parts.n;
    } else {
        at = note_state(d, j, from.group, key);
    }
    uint32_t before = g->look_of.v[from.state], after = g->look_of.v[at];
    struct look *look = g->looks.v[before];
    if (before == after || !dir_face_way(&look->face, (struct way){outer, after})) {
        return;
    }
    for (size_t i = 0; i < look->users.n; i++) {
        wake(j, g->above, look->users.v[i], place_bit(g->place));
    }
}

/* Gives a part what has arrived. */
static void give_all(struct dir *d, struct join *j, struct group_todo to, size_t place,
                     const struct arrivals *arrivals)
{
    const struct group *g = &j->groups.v[to.group];
    uint32_t at = g->states.v[to.state * g->parts.n + place];
    for (size_t i = 0; i < arrivals->v.n; i++) {
        give(d, j, g->parts.v[place], at, arrivals->v.v[i]->name);
    }
}

/* Does what a part can do next; whether there was anything. */
static bool move(struct dir *d, struct join *j, struct group_todo from, size_t place,
                 const struct arrivals *arrivals)
{
    const struct group *g = &j->groups.v[from.group];
    struct part part = g->parts.v[place];
    uint32_t at = g->states.v[from.state * g->parts.n + place];
    bool any = false;
    const struct face *f = join_face(d, j, part, at);
    for (size_t i = 0; i < f->ways.n; i++) {
        struct way way = f->ways.v[i];
        size_t k = 0;
        while (way.mail != 0 && k < arrivals->v.n && arrivals->v.v[k]->name != way.mail) {
            k++;
        }
        if (way.mail == 0 || k < arrivals->v.n) {
            bool outer = way.mail != 0 && k >= arrivals->n_inner;
            reach(d, j, from, place, way.to, outer ? way.mail : 0);
            any = true;
        }
    }
    return any;
}

/* A component that hears from one other only, in order, may move alone when something has come:
 * whatever else happens meanwhile makes no difference to what it can do next. But it does to what
 * is seen of the whole meanwhile. What comes from outside the group need not come. */
static bool moves_alone(const struct dir *d, const struct group *g, uint32_t state, size_t place,
                        const struct arrivals *arrivals)
{
    struct part part = g->parts.v[place];
    if (part.group || d->whole || arrivals->n_inner == 0 || arrivals->n_inner < arrivals->v.n) {
        return false;
    }
    const struct component *c = &d->components.v[part.at];
    const struct skeleton *k = &d->skeletons.v[g->states.v[state * g->parts.n + place]];
    bool alone = c->hears == 1 && !c->strangers;
    for (size_t i = 0; alone && i < k->locals.n; i++) {
        alone = k->locals.v[i]->refused.n == 0;
    }
    return alone;
}

/* Moves a part alone, if it may and can. Where it is not known yet what it does, the state waits
 * for that: the skeleton changes when it is. */
static bool move_alone(struct dir *d, struct join *j, struct group_todo todo, size_t place,
                       const struct arrivals *arrivals)
{
    const struct group *g = &j->groups.v[todo.group];
    if (!moves_alone(d, g, todo.state, place, arrivals)) {
        return false;
    }
    give_all(d, j, todo, place, arrivals);
    return d->skeletons.v[g->states.v[todo.state * g->parts.n + place]].pending != 0 ||
           move(d, j, todo, place, arrivals);
}

/* Goes on with parts of a state; with all of them where one had moved alone. */
static void expand(struct dir *d, struct join *j, struct group_todo todo, uint64_t places)
{
    struct group *g = &j->groups.v[todo.group];
    const struct face *seen = &g->looks.v[g->look_of.v[todo.state]]->face;
    struct names outer = {0};
    struct arrivals arrivals = {0};
    bool alone = false;
    places = g->alone.v[todo.state] ? ALL_PLACES : places;
    for (size_t i = 0; i < seen->inputs.n; i++) {
        VEC_PUSH(&outer.v, seen->inputs.v[i]);
    }
    for (size_t i = 0; places == ALL_PLACES && !d->whole && !alone && i < g->parts.n; i++) {
        if (!g->parts.v[i].group) {
            dir_arrivals(d, j, todo, i, &outer, &arrivals);
            alone = move_alone(d, j, todo, i, &arrivals);
        }
    }
    g->alone.v[todo.state] = alone;
    for (size_t i = 0; !alone && i < g->parts.n; i++) {
        if ((places & place_bit(i)) != 0) {
            dir_arrivals(d, j, todo, i, &outer, &arrivals);
            give_all(d, j, todo, i, &arrivals);
            (void)move(d, j, todo, i, &arrivals);
        }
    }
    VEC_DONE(&arrivals.v);
    VEC_DONE(&outer.v);
}

/* The first state of each group: nothing has happened. */
static void begin(struct dir *d, struct join *j)
{
    for (uint32_t k = 0; k < j->groups.n; k++) {
        struct group *g = &j->groups.v[k];
        uint64_t key = 1;
        for (size_t i = 0; i < g->parts.n; i++) { /* the first skeletons are those of the root */
            uint32_t face = g->parts.v[i].group ? 0 : g->parts.v[i].at;
            VEC_PUSH(&g->states, face);
            key = hash_combine(key, face);
        }
        (void)note_state(d, j, k, key);
    }
}

/* Begins anew, with so many components at once. */
static void start(struct dir *d, struct join *j, uint32_t at_once)
{
    for (size_t i = 0; i < d->skeletons.n; i++) {
        d->skeletons.v[i].users.n = 0;
    }
    dir_join_done(j);
    dir_make_groups(d, j, at_once);
    begin(d, j);
}

/* States of what has changed are gone on with. */
static void wake_changed(struct dir *d, struct join *j)
{
    for (size_t i = 0; i < d->changed.n; i++) {
        struct skeleton *k = &d->skeletons.v[d->changed.v[i]];
        k->changed = false;
        for (size_t u = 0; u < k->users.n; u++) {
            const struct component *c = &d->components.v[k->component];
            wake(j, c->group, k->users.v[u], place_bit(c->place));
        }
    }
    d->changed.n = 0;
}

/* Groups pay where components have much to tell each other and little to the rest; where they are
 * all in one chain it is the other way round. Which it is is tried out. */
static const struct {
    uint32_t at_once;
    size_t most;
} tries[] = {
    {UINT32_MAX, 1 << 16    },
    {4,          1 << 20    },
    {UINT32_MAX, STATES_MOST},
    {4,          STATES_MOST},
};
enum { TRIES = sizeof tries / sizeof tries[0] };

/* Whether the next try would be another one: of few components all are put together at once. */
static bool tries_other(const struct dir *d)
{
    return d->components.n > tries[d->n_tries].at_once ||
           d->components.n > tries[d->n_tries + 1].at_once;
}

static int refuse_many(const struct dir *d, struct err *err)
{
    return err_set(err, ERR_LIMIT, 0,
                   "strategy dir: components fit together in more than %d ways%s", STATES_MOST,
                   d->whole ? ", and [invariants] want all of them. Strategy dpor judges "
                              "invariants run by run; fewer events or larger components help"
                            : ": let components be larger, or bounds tighter");
}

/* There are too many states: another try. */
static int try_on(struct dir *d, struct join *j, struct err *err)
{
    if (d->cluster->explore.at_once != 0 || d->n_tries + 1 == TRIES) {
        return refuse_many(d, err);
    }
    bool anew = tries_other(d);
    d->n_tries++; /* and from now on so */
    if (anew) {
        start(d, j, tries[d->n_tries].at_once);
    }
    return 0;
}

int dir_compose_some(struct dir *d, struct join *j, size_t most, struct err *err)
{
    uint32_t wanted = d->cluster->explore.at_once;
    int status = 0;
    if (j->groups.n == 0) {
        start(d, j, wanted != 0 ? wanted : tries[d->n_tries].at_once);
    }
    if (j->todo.n == 0) {
        wake_changed(d, j);
    }
    while (status == 0 && j->todo.n != 0 && most-- > 0) {
        if (j->n_states >= (wanted != 0 ? STATES_MOST : tries[d->n_tries].most)) {
            status = try_on(d, j, err);
            continue;
        }
        struct group_todo todo = VEC_POP(&j->todo);
        uint64_t places = j->groups.v[todo.group].waits.v[todo.state];
        j->groups.v[todo.group].waits.v[todo.state] = 0;
        expand(d, j, todo, places);
    }
    return status;
}

bool dir_composes(const struct dir *d, const struct join *j)
{
    return j->groups.n == 0 || j->todo.n != 0 || d->changed.n != 0;
}

int dir_compose(struct dir *d, struct join *j, struct err *err)
{
    int status = 0;
    while (status == 0 && dir_composes(d, j) && !xsearch_late(d->s)) {
        status = dir_compose_some(d, j, LOOK_EVERY, err);
    }
    return status;
}
