/* Dynamic interface reduction: Guo and others, "Practical software model checking via dynamic
 * interface reduction" (SOSP 2011).
 *
 * A component (a node, or a group of nodes) runs alone; the packets that others have sent to it in
 * some run are given to it byte by byte. Its local traces are searched completely for whatever it
 * can be given. What is seen of a local trace from outside, packets that came in and went out and
 * what happened before what, is its local skeleton. Skeletons of all components that fit together,
 * each packet that came in having been sent by another, are a global one; global ones are searched
 * as data, without running anything, and whatever packet can reach a component there that it was
 * not given yet is given to it. When nothing is new, everything is known: each combination of local
 * traces under one global skeleton is a trace of the whole, so their number is the sum over global
 * skeletons of the products of the numbers of local traces.
 *
 * Differences to the paper. The rest of the system is not replayed but left where it was at the
 * root: packets are put on the wire as they were recorded. Branching transitions need no
 * composition by substitution, since skeletons are extended packet by packet; that what was
 * composed is real is tried out by doing it (confirm). An event runs a node until all its threads
 * wait, so a packet that comes in and what is sent because of it are one step of a skeleton. */
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
#include "explore/policy.h"
#include "explore/space.h"
#include "explore/walk.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "world/world.h"

enum { CONFIRM_MOST = 32, STATES_MOST = 1 << 23, LOOK_EVERY = 256 };

/* ---- local traces ---- */

static bool bit(const struct local *l, size_t i)
{
    return i / 64 < l->before.n && (l->before.v[i / 64] >> i % 64 & 1) != 0;
}

static bool has_sent(const struct local *l, uint64_t id)
{
    for (size_t i = 0; i < l->sent.n; i++) {
        if (l->sent.v[i] == id) {
            return true;
        }
    }
    return false;
}

static void find_before(const struct dir *d, struct local *l)
{
    for (size_t i = 0; i < (l->depth + 63) / 64; i++) {
        VEC_PUSH(&l->before, 0);
    }
    for (const struct local *q = l->parent; q->parent != NULL; q = q->parent) {
        size_t i = q->depth - 1;
        bool sends = l->event.event.kind == EV_DELIVER && has_sent(q, l->event.event.id);
        if (bit(l, i) || (!sends && !xevent_dependent(d->cluster, &q->event, &l->event))) {
            continue;
        }
        l->before.v[i / 64] |= UINT64_C(1) << i % 64;
        for (size_t k = 0; k < q->before.n; k++) {
            l->before.v[k] |= q->before.v[k];
        }
    }
}

/* What others see of the event; 0: nothing. */
static uint64_t seen_of(const struct walk *walk, const struct xpacket *mail)
{
    uint64_t hash = 0;
    if (mail != NULL) {
        hash = hash_combine(hash_combine(1, mail->from), mail->to);
        hash = hash_combine(hash_combine(hash, mail->chan), mail->data);
    }
    for (size_t i = 0; i < walk->posted.v.n; i++) {
        const struct xpacket *x = &walk->posted.v.v[i];
        hash = hash_combine(hash_combine(hash, x->to), x->from);
        hash = hash_combine(hash_combine(hash, x->chan), x->data);
    }
    return hash;
}

/* Hashes of the event with its past; what does not depend on the order. */
static void find_cones(struct local *l, uint64_t seen)
{
    uint64_t all = 0, outside = 0;
    for (const struct local *q = l->parent; q->parent != NULL; q = q->parent) {
        if (bit(l, q->depth - 1)) {
            all += hash_mix(q->cone);
            outside += q->outside != 0 ? hash_mix(q->outside) : 0;
        }
    }
    l->cone = hash_combine(l->event.name, all);
    l->outside = seen != 0 ? hash_combine(seen, outside) | 1 : 0;
    l->key = l->parent->key + hash_mix(l->cone);
    l->seen = l->parent->seen + (seen != 0 ? hash_mix(l->outside) : 0);
}

static struct local *local_new(struct dir *d)
{
    size_t cap = 0;
    struct local *l = vec_grow(NULL, &cap, 1, sizeof *l);
    memset(l, 0, sizeof *l);
    l->number = d->locals.n;
    VEC_PUSH(&d->locals, l);
    return l;
}

static void push_job(struct dir *d, struct local *l, uint64_t name)
{
    VEC_PUSH(&d->jobs, (struct job){l, name});
}

/* A local trace belongs to a skeleton now: it is gone on with by itself, and with whatever the
 * others were given. */
static void add_local(struct dir *d, struct local *l, const struct walk *walk)
{
    size_t i = walk->from.n != 0 ? walk->from.v[walk->from.n - 1] : walk->possible.n;
    for (; i < walk->possible.n; i++) {
        VEC_PUSH(&l->possible, walk->possible.v[i]);
    }
    struct skeleton *k = &d->skeletons.v[l->skeleton];
    VEC_PUSH(&k->locals, l);
    k->complete += l->possible.n == 0 ? 1 : 0;
    for (size_t j = k->inputs.n; j > 0; j--) {
        push_job(d, l, k->inputs.v[j - 1]);
    }
    for (size_t j = l->possible.n; j > 0; j--) {
        push_job(d, l, l->possible.v[j - 1].name);
    }
}

/* ---- skeletons ---- */

/* How many packets of a list went the same way. */
static size_t on_the_way(const struct xpackets *list, size_t n, const struct xpacket *x)
{
    size_t same = 0;
    for (size_t i = 0; i < n; i++) {
        const struct xpacket *y = &list->v.v[i];
        same += y->chan == x->chan && y->from == x->from && y->to == x->to ? 1 : 0;
    }
    return same;
}

/* What a packet is called in all runs: the nth of its connection, with these bytes. Numbers of
 * packets count for a pair of nodes, and depend on what was sent meanwhile on other connections. A
 * datagram has nothing else. */
static uint64_t mail_name(const struct xpacket *x, size_t nth)
{
    uint64_t way = hash_combine((uint64_t)x->from << 32 | x->to, x->chan);
    uint64_t which = x->chan != 0 ? hash_combine(way, nth) : x->id;
    return hash_combine(hash_combine(0x6d61696c, which), x->data);
}

/* Packets that were sent after those of a skeleton. */
static void name_posted(const struct dir *d, const struct skeleton *from, struct xpackets *posted)
{
    for (size_t i = 0; i < posted->v.n; i++) {
        struct xpacket *x = &posted->v.v[i];
        const struct component *to = &d->components.v[d->cluster->explore.component[x->to]];
        size_t nth = on_the_way(&to->inbound, to->inbound.v.n, x) +
                     on_the_way(&from->sent, from->sent.v.n, x) + on_the_way(posted, i, x);
        x->name = mail_name(x, nth);
    }
}

static void name_inbound(struct xpackets *inbound)
{
    for (size_t i = 0; i < inbound->v.n; i++) {
        struct xpacket *x = &inbound->v.v[i];
        x->name = mail_name(x, on_the_way(inbound, i, x));
    }
}

static void keep_mail(struct dir *d, const struct xpacket *x)
{
    uint64_t at = 0;
    if (!u64map_get(&d->mail_at, x->name, &at)) {
        u64map_put(&d->mail_at, x->name, d->mail.v.n);
        xpackets_add(&d->mail, x);
    }
    struct component *to = &d->components.v[d->cluster->explore.component[x->to]];
    to->strangers = to->strangers || x->chan == 0 || x->kind == PK_SYN;
    d->connected = d->connected || x->chan != 0;
}

static const struct xpacket *find_mail(const struct dir *d, uint64_t name)
{
    uint64_t at = 0;
    return u64map_get(&d->mail_at, name, &at) ? &d->mail.v.v[at] : NULL;
}

/* The skeleton after an event that others see; mail: the name of what came in, or 0. */
static uint32_t next_skeleton(struct dir *d, const struct local *l, const struct walk *walk,
                              uint64_t mail)
{
    uint32_t from = l->parent->skeleton;
    uint64_t key = hash_combine(d->skeletons.v[from].component + 1, l->seen), at = 0;
    if (u64map_get(&d->by_seen, key, &at)) {
        return (uint32_t)at;
    }
    struct skeleton next = {.component = d->skeletons.v[from].component};
    for (size_t i = 0; i < d->skeletons.v[from].sent.v.n; i++) {
        xpackets_add(&next.sent, &d->skeletons.v[from].sent.v.v[i]);
    }
    for (size_t i = 0; i < d->skeletons.v[from].taken.n; i++) {
        VEC_PUSH(&next.taken, d->skeletons.v[from].taken.v[i]);
    }
    for (size_t i = 0; i < walk->posted.v.n; i++) {
        xpackets_add(&next.sent, &walk->posted.v.v[i]);
        keep_mail(d, &walk->posted.v.v[i]);
    }
    if (mail != 0) {
        VEC_PUSH(&next.taken, mail);
    }
    u64map_put(&d->by_seen, key, d->skeletons.n);
    VEC_PUSH(&d->skeletons, next);
    return (uint32_t)d->skeletons.n - 1;
}

static void add_way(struct skeleton *k, struct way way)
{
    for (size_t i = 0; i < k->ways.n; i++) {
        if (k->ways.v[i].mail == way.mail && k->ways.v[i].to == way.to) {
            return;
        }
    }
    VEC_PUSH(&k->ways, way);
}

/* ---- runs of one component ---- */

/* The events of a local trace, in their order. */
static void path_of(const struct local *l, struct walk_task *task)
{
    for (; l->parent != NULL; l = l->parent) {
        VEC_PUSH(&task->path, l->event.name);
    }
    for (size_t i = 0; i < task->path.n / 2; i++) {
        uint64_t name = task->path.v[i];
        task->path.v[i] = task->path.v[task->path.n - 1 - i];
        task->path.v[task->path.n - 1 - i] = name;
    }
}

static int ask(struct dir *d, struct job job, uint32_t component, struct err *err)
{
    struct walk_task task = {
        .policy = WALK_STAY, .possible = true, .seen = true, .only = component + 1};
    path_of(job.local, &task);
    task.known = task.path.n;
    if (job.name != 0) {
        VEC_PUSH(&task.path, job.name);
    }
    for (size_t i = 0; i < task.path.n; i++) {
        const struct xpacket *x = find_mail(d, task.path.v[i]);
        if (x != NULL) {
            xpackets_add(&task.mail, x);
        }
    }
    size_t tag = 0;
    while (tag < d->tasks.n && d->tasks.v[tag].local != NULL) {
        tag++;
    }
    if (tag == d->tasks.n) {
        VEC_PUSH(&d->tasks, (struct job){0});
    }
    d->tasks.v[tag] = job;
    int status = crew_ask(d->s->crew, &task, tag, err);
    xwalk_task_done(&task);
    return status;
}

static void note_failure(struct dir *d, const struct walk *walk, struct local *l);

/* What came of going on with a local trace by one event. */
static void note_step(struct dir *d, struct job job, struct walk *walk)
{
    const struct xpacket *mail = find_mail(d, job.name);
    if (walk->end == WALK_STUCK && mail != NULL) {
        VEC_PUSH(&job.local->refused, job.name);
        return; /* it cannot take that packet now */
    }
    d->s->result->counts.walks++;
    d->s->result->counts.events += walk->steps.n;
    d->s->result->counts.kept = crew_kept(d->s->crew);
    if (walk->end == WALK_STUCK || walk->end == WALK_BROKEN || walk->steps.n != 1) {
        if (d->s->result->counts.broken++ == 0) {
            strbuf_addstr(&d->s->result->broken, strbuf_str(&walk->text));
        }
        return;
    }
    struct local *l = local_new(d);
    const struct xstep *step = &walk->steps.v[0];
    l->parent = job.local;
    l->event = step->event;
    l->depth = job.local->depth + 1;
    for (size_t i = 0; i < step->sent.n; i++) {
        VEC_PUSH(&l->sent, step->sent.v[i].id);
    }
    for (size_t i = 0; i < job.local->seen_nodes.n; i++) {
        VEC_PUSH(&l->seen_nodes, job.local->seen_nodes.v[i]);
    }
    for (int k = 0; l->seen_nodes.n != 0 && k < 2; k++) {
        uint64_t *now = &l->seen_nodes.v[step->event.node[k]];
        *now = step->seen[k] != CUTS_SAME ? step->seen[k] : *now;
    }
    name_posted(d, &d->skeletons.v[job.local->skeleton], &walk->posted);
    uint64_t seen = seen_of(walk, mail), known = 0, came = mail != NULL ? mail->name : 0;
    find_before(d, l);
    find_cones(l, seen);
    uint32_t from = job.local->skeleton;
    l->skeleton = seen != 0 ? next_skeleton(d, l, walk, came) : from;
    if (seen != 0) {
        add_way(&d->skeletons.v[from], (struct way){came, l->skeleton});
    }
    uint64_t key = hash_combine(d->skeletons.v[from].component + 1, l->key);
    if (!u64map_get(&d->by_key, key, &known)) {
        u64map_put(&d->by_key, key, d->locals.n);
        add_local(d, l, walk);
        if (walk->failure.kind != FAILURE_NONE && walk->failed == l->depth) {
            note_failure(d, walk, l);
        }
    }
}

/* Everything that can be done without new packets. */
static int drain(struct dir *d, struct err *err)
{
    struct search *s = d->s;
    int status = 0;
    while (status == 0) {
        while (status == 0 && !s->over && d->jobs.n != 0 && crew_idle(s->crew)) {
            struct job job = VEC_POP(&d->jobs);
            status = ask(d, job, d->skeletons.v[job.local->skeleton].component, err);
        }
        if (status != 0 || crew_busy(s->crew) == 0) {
            break;
        }
        uint64_t tag = 0;
        struct walk walk = {0};
        status = crew_take(s->crew, &tag, &walk, err);
        if (status == 0) {
            ASSERT(tag < d->tasks.n && d->tasks.v != NULL);
            struct job job = d->tasks.v[tag];
            d->tasks.v[tag] = (struct job){0};
            note_step(d, job, &walk);
            status = xwalk_know(&walk, d->cluster, err);
            xwalk_done(&walk);
        }
        s->result->counts.waiting = d->jobs.n;
        (void)xsearch_goes_on(s);
    }
    return status;
}

/* Nothing has happened to the component. */
static int first_local(struct dir *d, uint32_t component, struct err *err)
{
    struct local *l = local_new(d);
    struct walk walk = {0};
    uint64_t tag = 0;
    l->skeleton = (uint32_t)d->skeletons.n;
    VEC_PUSH(&d->skeletons, (struct skeleton){.component = component});
    u64map_put(&d->by_seen, hash_combine(component + 1, 0), l->skeleton);
    int status = ask(d, (struct job){l, 0}, component, err);
    status = status != 0 ? status : crew_take(d->s->crew, &tag, &walk, err);
    if (status == 0) {
        d->tasks.v[tag] = (struct job){0};
        for (size_t i = 0; i < walk.seen.n; i++) {
            VEC_PUSH(&l->seen_nodes, walk.seen.v[i]);
        }
        add_local(d, l, &walk);
        status = xwalk_know(&walk, d->cluster, err);
    }
    xwalk_done(&walk);
    return status;
}

/* ---- global skeletons ---- */

static bool is_taken(const struct skeleton *k, uint64_t name)
{
    for (size_t i = 0; i < k->taken.n; i++) {
        if (k->taken.v[i] == name) {
            return true;
        }
    }
    return false;
}

struct arrivals {
    VEC(const struct xpacket *) v;
};

/* Packets of a list that could reach the component next; of each way the first. */
static void arriving(const struct dir *d, const struct skeleton *k, const struct xpackets *list,
                     struct arrivals *ret)
{
    for (size_t i = 0; i < list->v.n; i++) {
        const struct xpacket *x = &list->v.v[i];
        bool first = d->cluster->explore.component[x->to] == k->component && !is_taken(k, x->name);
        for (size_t j = 0; first && x->chan != 0 && j < ret->v.n; j++) {
            first = ret->v.v[j]->chan != x->chan;
        }
        if (first) {
            VEC_PUSH(&ret->v, x);
        }
    }
}

struct pass { /* one search of global skeletons */
    struct u64map known;
    VEC(size_t) stack; /* indexes of states */
    bool news;         /* somebody was given a packet for the first time */
    uint64_t skeletons;
    double traces;
    unsigned __int128 exact;
    VEC(bool) used;       /* [skeletons]: in a complete one */
    VEC(size_t) complete; /* states that are */
};

static void push_state(struct dir *d, struct pass *p, size_t from, uint32_t component, uint32_t to)
{
    size_t n = d->components.n;
    uint64_t key = 1, known = 0;
    for (size_t i = 0; i < n; i++) {
        key = hash_combine(key, i == component ? to : dir_state(d, from)[i]);
    }
    if (u64map_get(&p->known, key, &known)) {
        return;
    }
    ASSERT(n != 0);
    size_t at = d->states.n / n;
    u64map_put(&p->known, key, at);
    for (size_t i = 0; i < n; i++) {
        uint32_t k = i == component ? to : dir_state(d, from)[i];
        VEC_PUSH(&d->states, k);
        struct skeleton *skeleton = &d->skeletons.v[k];
        skeleton->witness = skeleton->witness != 0 ? skeleton->witness : (uint32_t)at + 1;
    }
    VEC_PUSH(&p->stack, at);
}

/* Gives a packet to a skeleton, unless it had it. */
static void give(struct dir *d, struct pass *p, uint32_t at, uint64_t name)
{
    struct skeleton *k = &d->skeletons.v[at];
    for (size_t i = 0; i < k->inputs.n; i++) {
        if (k->inputs.v[i] == name) {
            return;
        }
    }
    p->news = true;
    VEC_PUSH(&k->inputs, name);
    for (size_t i = 0; i < k->locals.n; i++) {
        push_job(d, k->locals.v[i], name);
    }
}

/* Packets that could reach the component next in this state. */
static void arrivals_of(const struct dir *d, const uint32_t *state, uint32_t component,
                        struct arrivals *ret)
{
    const struct skeleton *k = &d->skeletons.v[state[component]];
    ret->v.n = 0;
    arriving(d, k, &d->components.v[component].inbound, ret);
    for (size_t i = 0; i < d->components.n; i++) {
        if (i != component) {
            arriving(d, k, &d->skeletons.v[state[i]].sent, ret);
        }
    }
}

static bool refuses(const struct local *l, const struct arrivals *arrivals)
{
    size_t refused = 0;
    for (size_t i = 0; i < arrivals->v.n; i++) {
        for (size_t j = 0; j < l->refused.n; j++) {
            refused += l->refused.v[j] == arrivals->v.v[i]->name ? 1 : 0;
        }
    }
    return refused == arrivals->v.n;
}

static bool ends_with(const struct local *l, const struct arrivals *arrivals)
{
    return l->possible.n == 0 && refuses(l, arrivals);
}

/* Local traces under the skeleton that end there although these packets could come. */
static uint64_t ends_of(const struct skeleton *k, const struct arrivals *arrivals)
{
    uint64_t n = arrivals->v.n == 0 ? k->complete : 0;
    for (size_t i = 0; arrivals->v.n != 0 && i < k->locals.n; i++) {
        n += ends_with(k->locals.v[i], arrivals) ? 1 : 0;
    }
    return n;
}

/* What the component can do next in this state. ret_more: packets could arrive, and all of its
 * local traces take them. */
static void moves_of(struct dir *d, struct pass *p, size_t state, uint32_t component, bool do_it,
                     bool *ret_more)
{
    uint32_t at = dir_state(d, state)[component];
    struct arrivals arrivals = {0};
    arrivals_of(d, dir_state(d, state), component, &arrivals);
    size_t n = arrivals.v.n;
    *ret_more = n != 0;
    for (size_t i = 0; *ret_more && i < d->skeletons.v[at].locals.n; i++) {
        *ret_more = d->skeletons.v[at].locals.v[i]->refused.n == 0;
    }
    for (size_t i = 0; do_it && i < n; i++) {
        give(d, p, at, arrivals.v.v[i]->name);
    }
    for (size_t i = 0; do_it && i < d->skeletons.v[at].ways.n; i++) {
        struct way way = d->skeletons.v[at].ways.v[i];
        bool possible = way.mail == 0;
        for (size_t j = 0; j < n; j++) {
            possible = possible || arrivals.v.v[j]->name == way.mail;
        }
        if (possible) {
            push_state(d, p, state, component, way.to);
        }
    }
    VEC_DONE(&arrivals.v);
}

static void note_complete(struct dir *d, struct pass *p, size_t state)
{
    double product = 1;
    unsigned __int128 exact = 1;
    struct arrivals arrivals = {0};
    for (uint32_t i = 0; i < d->components.n && exact != 0; i++) {
        arrivals_of(d, dir_state(d, state), i, &arrivals);
        uint64_t n = ends_of(&d->skeletons.v[dir_state(d, state)[i]], &arrivals);
        product *= (double)n;
        exact *= n;
    }
    for (uint32_t i = 0; i < d->components.n && exact != 0; i++) {
        const struct skeleton *k = &d->skeletons.v[dir_state(d, state)[i]];
        arrivals_of(d, dir_state(d, state), i, &arrivals);
        for (size_t j = 0; j < k->locals.n; j++) {
            k->locals.v[j]->ends = k->locals.v[j]->ends || ends_with(k->locals.v[j], &arrivals);
        }
    }
    VEC_DONE(&arrivals.v);
    if (product < 1) {
        return;
    }
    p->skeletons++;
    VEC_PUSH(&p->complete, state);
    p->traces += product;
    p->exact += exact;
    for (size_t i = 0; i < d->components.n; i++) {
        p->used.v[dir_state(d, state)[i]] = true;
    }
}

/* A component that hears from one other only, in order, may move alone when something has come:
 * whatever else happens meanwhile makes no difference to what it can do next. But it does to what
 * is seen of the whole meanwhile. */
static void expand(struct dir *d, struct pass *p, size_t state)
{
    bool more = false;
    for (uint32_t i = 0; i < d->components.n; i++) {
        const struct component *c = &d->components.v[i];
        moves_of(d, p, state, i, false, &more);
        if (more && c->hears == 1 && !c->strangers && !d->whole) {
            size_t before = p->stack.n, known = p->known.n;
            moves_of(d, p, state, i, true, &more);
            if (p->stack.n > before || p->known.n > known || p->news) {
                return;
            }
        }
    }
    for (uint32_t i = 0; i < d->components.n; i++) {
        moves_of(d, p, state, i, true, &more);
    }
    note_complete(d, p, state);
}

static void pass_done(struct pass *p)
{
    u64map_done(&p->known);
    VEC_DONE(&p->stack);
    VEC_DONE(&p->used);
    VEC_DONE(&p->complete);
}

static int compose(struct dir *d, struct pass *p, struct err *err)
{
    *p = (struct pass){0};
    for (size_t i = 0; i < d->locals.n; i++) {
        d->locals.v[i]->ends = false;
    }
    for (size_t i = 0; i < d->skeletons.n; i++) {
        VEC_PUSH(&p->used, false);
        d->skeletons.v[i].witness = 0;
    }
    d->states.n = 0;
    uint64_t key = 1;
    for (uint32_t i = 0; i < d->components.n; i++) {
        VEC_PUSH(&d->states, i); /* the first skeletons are those of the root */
        key = hash_combine(key, i);
        d->skeletons.v[i].witness = 1;
    }
    u64map_put(&p->known, key, 0);
    VEC_PUSH(&p->stack, 0);
    for (size_t i = 0; p->stack.n != 0 && p->known.n < STATES_MOST && !d->s->over; i++) {
        expand(d, p, VEC_POP(&p->stack));
        if (i % LOOK_EVERY == 0) {
            (void)xsearch_goes_on(d->s);
        }
    }
    return p->stack.n == 0 || d->s->over
               ? 0
               : err_set(err, ERR_LIMIT, 0,
                         "strategy dir: components fit together in more than %d ways%s",
                         STATES_MOST,
                         d->whole ? ", and [invariants] want all of them. Strategy dpor judges "
                                    "invariants run by run; fewer events or larger components help"
                                  : ": let components be larger, or bounds tighter");
}

/* ---- whole runs ---- */

/* Packets of connections are known by their bytes: there is one at a time that can come next. */
static bool same_event(const struct xevent *a, const struct xevent *b)
{
    bool same = a->event.kind == b->event.kind && a->event.node == b->event.node &&
                a->event.peer == b->event.peer;
    return a->chan != 0 ? same && a->chan == b->chan && a->data == b->data
                        : same && a->event.id == b->event.id && a->event.arg == b->event.arg;
}

int dir_together(struct dir *d, struct local *const *ends, bool *ret_good, struct err *err)
{
    struct space *space = NULL;
    size_t n = d->components.n, done = 0, cap = 0;
    size_t *at = vec_grow(NULL, &cap, n + 1, sizeof *at);
    memset(at, 0, (n + 1) * sizeof *at);
    int status = crew_space(d->s->crew, &space, err);
    status = status != 0 ? status : space_go(space, NULL, 0, &done, err);
    for (bool moved = true; status == 0 && moved;) {
        moved = false;
        for (size_t i = 0; status == 0 && i < n; i++) {
            const struct local *l = ends[i];
            while (l->depth > at[i] + 1) {
                l = l->parent;
            }
            const struct xevent *list = NULL;
            size_t events = l->depth == at[i] + 1 ? space_events(space, &list) : 0, k = 0;
            while (k < events && !same_event(&list[k], &l->event)) {
                k++;
            }
            if (k < events) {
                status = space_do(space, list[k].name, err);
                at[i]++;
                moved = true;
            }
        }
    }
    *ret_good = status == 0;
    for (size_t i = 0; i < n; i++) {
        *ret_good = *ret_good && at[i] == ends[i]->depth;
    }
    vec_release(at);
    return status;
}

/* Composed skeletons are done once by the real programs. */
static int confirm(struct dir *d, const struct pass *p, struct err *err)
{
    size_t n = d->components.n, cap = 0;
    struct local **ends = (struct local **)vec_grow(NULL, &cap, n + 1, sizeof(struct local *));
    int status = 0;
    for (size_t i = 0; status == 0 && i < p->complete.n && i < CONFIRM_MOST && !xsearch_late(d->s);
         i++) {
        bool good = false;
        for (size_t k = 0; k < n; k++) {
            const struct skeleton *s = &d->skeletons.v[dir_state(d, p->complete.v[i])[k]];
            struct arrivals arrivals = {0};
            size_t j = 0;
            arrivals_of(d, dir_state(d, p->complete.v[i]), (uint32_t)k, &arrivals);
            while (!ends_with(s->locals.v[j], &arrivals)) {
                j++; /* one of them is complete */
            }
            ends[k] = s->locals.v[j];
            VEC_DONE(&arrivals.v);
        }
        status = dir_together(d, ends, &good, err);
        d->tried++;
        d->confirmed += good ? 1 : 0;
    }
    vec_release((void *)ends);
    return status;
}

/* ---- findings ---- */

static void note_failure(struct dir *d, const struct walk *walk, struct local *l)
{
    struct search *s = d->s;
    s->result->counts.failures++;
    VEC(uint64_t) path = {0};
    VEC_PUSH(&path, l->number); /* until it is composed */
    found_add(&s->result->found, walk, path.v, path.n, ++d->runs);
    VEC_DONE(&path);
}

/* A failure of a component as one of the whole. */
static int compose_finding(struct dir *d, struct finding *f, struct err *err)
{
    ASSERT(d->locals.v != NULL && f->path.v != NULL);
    struct local *l = d->locals.v[f->path.v[0]];
    size_t n = d->components.n, cap = 0;
    struct local **ends = (struct local **)vec_grow(NULL, &cap, n + 1, sizeof(struct local *));
    uint32_t witness = d->skeletons.v[l->skeleton].witness;
    bool good = false;
    f->path.n = 0;
    for (size_t k = 0; witness != 0 && k < n; k++) {
        const struct skeleton *s = &d->skeletons.v[dir_state(d, witness - 1)[k]];
        ends[k] = s->component == d->skeletons.v[l->skeleton].component ? l : s->locals.v[0];
    }
    int status = witness != 0 ? dir_together(d, ends, &good, err)
                              : err_set(err, ERR_CORRUPT, 0, "a local failure fits nowhere");
    struct space *space = NULL;
    status = status != 0 ? status : crew_space(d->s->crew, &space, err);
    for (size_t i = 0; status == 0 && i < space_depth(space); i++) {
        VEC_PUSH(&f->path, space_step(space, i)->event.name);
    }
    vec_release((void *)ends);
    return status;
}

/* ---- the search ---- */

static struct explore_component component_of(const struct dir *d, const struct pass *p, uint32_t c)
{
    struct explore_component out = {0};
    for (uint32_t i = 0; i < d->cluster->n_nodes; i++) {
        if (d->cluster->explore.component[i] == c) {
            strbuf_printf(&out.name, "%s%s", out.name.n != 0 ? " " : "", d->cluster->nodes[i].name);
        }
    }
    for (size_t i = 0; i < d->skeletons.n && i < p->used.n; i++) {
        const struct skeleton *k = &d->skeletons.v[i];
        bool used = p->used.v[i] && k->component == c;
        out.skeletons += used ? 1 : 0;
        for (size_t j = 0; used && j < k->locals.n; j++) {
            out.traces += k->locals.v[j]->ends ? 1 : 0;
        }
    }
    return out;
}

static void report(struct dir *d, const struct pass *p)
{
    struct explore_dir *r = &d->s->result->dir;
    for (uint32_t c = 0; c < d->components.n; c++) {
        struct explore_component out = component_of(d, p, c);
        r->locals += out.traces;
        VEC_PUSH(&r->components, out);
    }
    r->skeletons = p->skeletons;
    r->traces = p->traces;
    r->traces_exact = p->exact <= UINT64_MAX ? (uint64_t)p->exact : 0;
    r->confirmed = d->confirmed;
    r->tried = d->tried;
    d->s->result->counts.traces = r->locals;
}

static int begin(struct dir *d, struct err *err)
{
    struct space *space = NULL;
    int status = crew_space(d->s->crew, &space, err);
    VEC(struct connection_view) conns = {0};
    if (status == 0) {
        VEC_RESERVE(&conns, world_connections(space_world(space), NULL, 0) + 1);
        ASSERT(conns.v != NULL);
        conns.n = world_connections(space_world(space), conns.v, conns.cap);
    }
    const uint32_t *component = d->cluster->explore.component;
    for (uint32_t c = 0; status == 0 && c < d->cluster->explore.n_components; c++) {
        VEC_PUSH(&d->components, (struct component){0});
        space_inbound(space, c, &VEC_LAST(&d->components).inbound);
        name_inbound(&VEC_LAST(&d->components).inbound);
        for (size_t i = 0; conns.v != NULL && i < conns.n; i++) {
            bool from = component[conns.v[i].from] == c, to = component[conns.v[i].to] == c;
            d->components.v[c].hears += from != to ? 1 : 0;
        }
    }
    for (size_t c = 0; c < d->components.n; c++) {
        for (size_t i = 0; i < d->components.v[c].inbound.v.n; i++) {
            keep_mail(d, &d->components.v[c].inbound.v.v[i]);
        }
    }
    for (uint32_t c = 0; status == 0 && c < d->components.n; c++) {
        status = first_local(d, c, err);
    }
    VEC_DONE(&conns);
    return status;
}

static void dir_done(struct dir *d)
{
    for (size_t i = 0; i < d->locals.n; i++) {
        VEC_DONE(&d->locals.v[i]->before);
        VEC_DONE(&d->locals.v[i]->sent);
        VEC_DONE(&d->locals.v[i]->possible);
        VEC_DONE(&d->locals.v[i]->refused);
        VEC_DONE(&d->locals.v[i]->seen_nodes);
        vec_release(d->locals.v[i]);
    }
    for (size_t i = 0; i < d->skeletons.n; i++) {
        struct skeleton *k = &d->skeletons.v[i];
        xpackets_done(&k->sent);
        VEC_DONE(&k->taken);
        VEC_DONE(&k->locals);
        VEC_DONE(&k->inputs);
        VEC_DONE(&k->ways);
    }
    for (size_t i = 0; i < d->components.n; i++) {
        xpackets_done(&d->components.v[i].inbound);
    }
    VEC_DONE(&d->components);
    VEC_DONE(&d->skeletons);
    VEC_DONE(&d->locals);
    VEC_DONE(&d->jobs);
    VEC_DONE(&d->tasks);
    VEC_DONE(&d->states);
    xpackets_done(&d->mail);
    u64map_done(&d->mail_at);
    u64map_done(&d->by_key);
    u64map_done(&d->by_seen);
}

static int refuse_crashes(struct err *err)
{
    return err_set(
        err, ERR_UNSUPPORTED, 0,
        "strategy dir knows no crashes where nodes are connected: what is sent to a node "
        "without power is tried again, which others notice. It knows kills; dpor knows "
        "both");
}

int dir_search(struct search *s, struct err *err)
{
    struct dir d = {.s = s, .cluster = s->o->cluster, .whole = s->o->cluster->judge != NULL};
    const struct cluster_explore *x = &s->o->cluster->explore;
    if (x->pauses != 0 || x->cuts != 0 || x->resets != 0) {
        return err_set(err, ERR_UNSUPPORTED, 0,
                       "strategy dir knows no pauses, cuts or resets, which two components notice; "
                       "dpor does");
    }
    struct pass p = {0};
    int status = begin(&d, err);
    for (bool news = true; status == 0 && news && !s->over;) {
        status = drain(&d, err);
        status = status == 0 && d.connected && x->crashes != 0 ? refuse_crashes(err) : status;
        pass_done(&p);
        status = status != 0 ? status : compose(&d, &p, err);
        news = p.news;
    }
    for (size_t i = 0; status == 0 && i < s->result->found.v.n; i++) {
        status = compose_finding(&d, &s->result->found.v.v[i], err);
    }
    status = status == 0 && d.whole && !s->over ? dir_moments(&d, err) : status;
    s->result->complete = status == 0 && !s->over && s->result->counts.broken == 0;
    if (s->over && s->result->counts.waiting == 0) {
        s->result->counts.waiting = 1; /* how components fit together */
    }
    if (status == 0 && s->result->complete) {
        status = confirm(&d, &p, err);
    }
    report(&d, &p);
    pass_done(&p);
    dir_done(&d);
    return status;
}
