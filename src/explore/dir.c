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
 * composed is real is tried out by doing it (confirm). Where there are many components they are put
 * together in groups (dir_join.c). An event runs a node until all its threads
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

enum { CONFIRM_MOST = 32, COMPOSE_AT_ONCE = 64 };

/* ---- local traces ---- */

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
        if (dir_before(l, i) || (!sends && !xevent_dependent(d->cluster, &q->event, &l->event))) {
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
    uint64_t all = 0, outside = 0, told = 0;
    for (const struct local *q = l->parent; q->parent != NULL; q = q->parent) {
        if (dir_before(l, q->depth - 1)) {
            all += hash_mix(q->cone);
            outside += q->outside != 0 ? hash_mix(q->outside) : 0;
            told += q->told_cone != 0 ? hash_mix(q->told_cone) : 0;
        }
    }
    l->cone = hash_combine(l->event.name, all);
    l->outside = seen != 0 ? hash_combine(seen, outside) | 1 : 0;
    l->key = l->parent->key + hash_mix(l->cone);
    l->seen = l->parent->seen + (seen != 0 ? hash_mix(l->outside) : 0);
    uint64_t shown = l->saw.n != 0 ? hash_bytes(l->saw.p, l->saw.n, seen) | 1 : seen;
    l->told_cone = shown != 0 ? hash_combine(shown, told) | 1 : 0;
    l->told = l->parent->told + (shown != 0 ? hash_mix(l->told_cone) : 0);
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
    VEC_PUSH(&d->jobs.v[l->worker].v, (struct job){l, name});
}

void dir_push_mail(struct dir *d, struct local *l, uint64_t name)
{
    d->skeletons.v[l->skeleton].pending++;
    push_job(d, l, name);
}

void dir_note_change(struct dir *d, uint32_t skeleton)
{
    struct skeleton *k = &d->skeletons.v[skeleton];
    if (!k->changed) {
        k->changed = true;
        VEC_PUSH(&d->changed, skeleton);
    }
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
    for (size_t j = k->face.inputs.n; j > 0; j--) {
        dir_push_mail(d, l, k->face.inputs.v[j - 1]);
    }
    for (size_t j = l->possible.n; j > 0; j--) {
        push_job(d, l, l->possible.v[j - 1].name);
    }
}

/* ---- skeletons ---- */

static bool same_way(const struct xpacket *a, const struct xpacket *b)
{
    return a->chan == b->chan && a->from == b->from && a->to == b->to;
}

/* How many packets of a list went the same way. */
static size_t on_the_way(const struct xpackets *list, size_t n, const struct xpacket *x)
{
    size_t same = 0;
    for (size_t i = 0; i < n; i++) {
        same += same_way(&list->v.v[i], x) ? 1 : 0;
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

static size_t sent_before(const struct dir *d, const struct face *f, const struct xpacket *x)
{
    size_t same = 0;
    for (size_t i = 0; i < f->sent.n; i++) {
        same += same_way(&d->mail.v.v[f->sent.v[i]], x) ? 1 : 0;
    }
    return same;
}

/* Packets that were sent after those of a skeleton. */
static void name_posted(const struct dir *d, const struct skeleton *from, struct xpackets *posted)
{
    for (size_t i = 0; i < posted->v.n; i++) {
        struct xpacket *x = &posted->v.v[i];
        const struct component *to = &d->components.v[d->cluster->explore.component[x->to]];
        size_t nth = on_the_way(&to->inbound, to->inbound.v.n, x) + sent_before(d, &from->face, x) +
                     on_the_way(posted, i, x);
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

/* Its index. */
static uint32_t keep_mail(struct dir *d, const struct xpacket *x)
{
    uint64_t at = d->mail.v.n;
    if (!u64map_get(&d->mail_at, x->name, &at)) {
        u64map_put(&d->mail_at, x->name, at);
        xpackets_add(&d->mail, x);
    }
    struct component *to = &d->components.v[d->cluster->explore.component[x->to]];
    to->strangers = to->strangers || x->chan == 0 || x->kind == PK_SYN;
    d->connected = d->connected || x->chan != 0;
    return (uint32_t)at;
}

const struct xpacket *dir_mail(const struct dir *d, uint64_t name)
{
    uint64_t at = 0;
    return u64map_get(&d->mail_at, name, &at) ? &d->mail.v.v[at] : NULL;
}

/* What others see of a local trace. */
static void face_of(const struct local *end, struct face *ret)
{
    VEC(const struct local *) path = {0};
    for (const struct local *l = end; l->parent != NULL; l = l->parent) {
        if (l->outside != 0) {
            VEC_PUSH(&path, l);
        }
    }
    size_t words = face_words(path.n);
    for (size_t i = 0; i < path.n; i++) {
        const struct local *l = path.v[path.n - 1 - i];
        struct face_event event = {l->came, (uint32_t)ret->sent.n, (uint32_t)l->posted.n};
        size_t base = ret->past.n;
        VEC_PUSH(&ret->events, event);
        for (size_t k = 0; k < l->posted.n; k++) {
            VEC_PUSH(&ret->sent, l->posted.v[k]);
        }
        if (l->came != 0) {
            VEC_PUSH(&ret->taken, l->came);
        }
        for (size_t k = 0; k < words; k++) {
            VEC_PUSH(&ret->past, 0);
        }
        for (size_t k = 0; k < i; k++) {
            if (dir_before(l, path.v[path.n - 1 - k]->depth - 1)) {
                ret->past.v[base + k / 64] |= UINT64_C(1) << k % 64;
            }
        }
    }
    VEC_DONE(&path);
}

/* The skeleton after an event that others see. */
static uint32_t next_skeleton(struct dir *d, const struct local *l)
{
    uint32_t component = d->skeletons.v[l->parent->skeleton].component;
    uint64_t key = hash_combine(component + 1, l->seen), at = 0;
    if (u64map_get(&d->by_seen, key, &at)) {
        return (uint32_t)at;
    }
    struct skeleton next = {.component = component};
    face_of(l, &next.face);
    u64map_put(&d->by_seen, key, d->skeletons.n);
    VEC_PUSH(&d->skeletons, next);
    return (uint32_t)d->skeletons.n - 1;
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

/* worker: who does it. */
static int ask(struct dir *d, struct job job, uint32_t worker, struct err *err)
{
    uint32_t component = d->skeletons.v[job.local->skeleton].component;
    struct walk_task task = {
        .policy = WALK_STAY, .possible = true, .seen = true, .only = component + 1};
    path_of(job.local, &task);
    task.known = task.path.n;
    if (job.name != 0) {
        VEC_PUSH(&task.path, job.name);
    }
    for (size_t i = 0; i < task.path.n; i++) {
        const struct xpacket *x = dir_mail(d, task.path.v[i]);
        if (x != NULL) {
            xpackets_add(&task.mail, x);
        }
    }
    size_t tag = 0;
    while (tag < d->tasks.n && d->tasks.v[tag].job.local != NULL) {
        tag++;
    }
    if (tag == d->tasks.n) {
        VEC_PUSH(&d->tasks, (struct task){0});
    }
    d->tasks.v[tag] = (struct task){job, worker};
    int status = crew_ask_job(d->s->crew, worker, &task, tag, err);
    xwalk_task_done(&task);
    return status;
}

static void note_failure(struct dir *d, const struct walk *walk, struct local *l);

/* What clients saw, and what checks would read. */
static void take_told(struct local *l, const struct walk *walk)
{
    static const char ok[] = "\"ok\"";
    uint64_t nth = 1; /* of those at its node that have printed something */
    for (const struct local *q = l->parent; q != NULL; q = q->parent) {
        nth += q->print != 0 && q->event.node[0] == l->event.node[0] ? 1 : 0;
    }
    strbuf_addstr(&l->saw, strbuf_str(&walk->saw));
    l->ended = (l->parent != NULL && l->parent->ended) ||
               memmem(l->saw.p, l->saw.n, ok, sizeof ok - 1) != NULL;
    l->print = walk->printed;
    l->printed = l->parent != NULL ? l->parent->printed : 0;
    l->printed += l->print != 0 ? hash_mix(hash_combine(l->print, nth)) : 0;
    l->files = hash_combine(walk->files, l->printed);
}

/* What came of going on with a local trace by one event. */
static void note_step(struct dir *d, struct task task, struct walk *walk)
{
    struct job job = task.job;
    const struct xpacket *mail = dir_mail(d, job.name);
    if (mail != NULL && --d->skeletons.v[job.local->skeleton].pending == 0) {
        dir_note_change(d, job.local->skeleton); /* what has waited for that goes on */
    }
    if (walk->end == WALK_STUCK && mail != NULL) {
        VEC_PUSH(&job.local->refused, job.name);
        dir_note_change(d, job.local->skeleton);
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
    l->worker = task.worker;
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
    uint64_t seen = seen_of(walk, mail), known = 0;
    l->came = mail != NULL ? mail->name : 0;
    for (size_t i = 0; i < walk->posted.v.n; i++) {
        VEC_PUSH(&l->posted, keep_mail(d, &walk->posted.v.v[i]));
    }
    find_before(d, l);
    take_told(l, walk);
    find_cones(l, seen);
    uint32_t from = job.local->skeleton;
    l->skeleton = seen != 0 ? next_skeleton(d, l) : from;
    struct way way = {l->came, l->skeleton};
    if (seen != 0 && dir_face_way(&d->skeletons.v[from].face, way)) {
        dir_note_change(d, from);
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

/* What a worker does next: what follows from what it has done last, where it has snapshots; or
 * else, of what follows from what another has done, that which is nearest to the root. */
static bool next_job(struct dir *d, uint32_t worker, struct job *ret)
{
    struct jobs *most = &d->jobs.v[worker];
    if (most->v.n != 0) {
        *ret = VEC_POP(&most->v);
        return true;
    }
    for (size_t i = 0; i < d->jobs.n; i++) {
        most = d->jobs.v[i].v.n > most->v.n ? &d->jobs.v[i] : most;
    }
    if (most->v.n == 0) {
        return false;
    }
    *ret = most->v.v[0];
    memmove(&most->v.v[0], &most->v.v[1], --most->v.n * sizeof most->v.v[0]);
    return true;
}

/* Gives all workers that are idle something to do. */
static int ask_all(struct dir *d, struct err *err)
{
    struct job job;
    int status = 0;
    for (uint32_t i = 0; status == 0 && !d->s->over && i < d->jobs.n; i++) {
        if (crew_job_idle(d->s->crew, i) && next_job(d, i, &job)) {
            status = ask(d, job, i, err);
        }
    }
    return status;
}

static size_t jobs_left(const struct dir *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->jobs.n; i++) {
        n += d->jobs.v[i].v.n;
    }
    return n;
}

static int refuse_crashes(struct err *err)
{
    return err_set(
        err, ERR_UNSUPPORTED, 0,
        "strategy dir knows no crashes where nodes are connected: what is sent to a node "
        "without power is tried again, which others notice. It knows kills; dpor knows "
        "both");
}

/* The next answer, whichever comes first. */
static int take_one(struct dir *d, struct err *err)
{
    struct search *s = d->s;
    uint64_t tag = 0;
    struct walk walk = {0};
    int status = crew_take(s->crew, &tag, &walk, err);
    if (status == 0) {
        ASSERT(tag < d->tasks.n && d->tasks.v != NULL);
        struct task task = d->tasks.v[tag];
        d->tasks.v[tag] = (struct task){0};
        note_step(d, task, &walk);
        status = xwalk_know(&walk, d->cluster, err);
        xwalk_done(&walk);
    }
    s->result->counts.waiting = jobs_left(d);
    (void)xsearch_goes_on(s);
    return status == 0 && d->connected && d->cluster->explore.crashes != 0 ? refuse_crashes(err)
                                                                           : status;
}

/* Components alone and how they fit together, until nothing is new. Where others do the walks,
 * components are put together meanwhile, and whatever is new of that is asked for at once; else it
 * takes turns: the fewer turns, the less is looked at twice. */
static int explore_all(struct dir *d, struct join *j, struct err *err)
{
    struct search *s = d->s;
    bool turns = crew_jobs(s->crew) == 1, composing = false;
    int status = 0;
    while (status == 0) {
        bool more = !s->over && dir_composes(d, j);
        composing = composing && more;
        status = composing ? 0 : ask_all(d, err);
        bool busy = crew_busy(s->crew) != 0;
        if (status != 0 || (!busy && !more)) {
            break;
        }
        if (busy && (turns || !more || crew_ready(s->crew))) {
            status = take_one(d, err);
        } else {
            status = dir_compose_some(d, j, COMPOSE_AT_ONCE, err);
            composing = turns;
            (void)xsearch_goes_on(s);
        }
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
    int status = ask(d, (struct job){l, 0}, 0, err);
    status = status != 0 ? status : crew_take(d->s->crew, &tag, &walk, err);
    if (status == 0) {
        d->tasks.v[tag] = (struct task){0};
        for (size_t i = 0; i < walk.seen.n; i++) {
            VEC_PUSH(&l->seen_nodes, walk.seen.v[i]);
        }
        take_told(l, &walk);
        add_local(d, l, &walk);
        if (walk.failure.kind != FAILURE_NONE) {
            d->s->result->counts.walks++;
            note_failure(d, &walk, l); /* before anything was done: that is all there is */
            d->s->over = true;
        }
        status = xwalk_know(&walk, d->cluster, err);
    }
    xwalk_done(&walk);
    return status;
}

/* ---- whole runs ---- */

static void on_confirmed(void *arg, uint64_t nth, bool good, struct walk *walk)
{
    struct dir *d = arg;
    (void)nth;
    (void)walk;
    d->tried++;
    d->confirmed += good ? 1 : 0;
}

/* Composed skeletons are done once by the real programs. */
static int confirm(struct dir *d, struct join *j, struct err *err)
{
    size_t cap = 0;
    struct local **ends =
        (struct local **)vec_grow(NULL, &cap, d->components.n + 1, sizeof(struct local *));
    struct dir_order order = {0};
    struct dir_wholes wholes = {.d = d, .on = on_confirmed, .arg = d};
    int status = 0;
    for (size_t i = 0; status == 0 && i < j->complete.n && i < CONFIRM_MOST && !xsearch_late(d->s);
         i++) {
        dir_pick_ends(d, j, j->complete.v[i], ends);
        dir_order(d, ends, &order);
        status = dir_wholes_ask(&wholes, &order, err);
    }
    status = status != 0 ? status : dir_wholes_end(&wholes, err);
    VEC_DONE(&wholes.lengths);
    VEC_DONE(&order.v);
    vec_release((void *)ends);
    return status;
}

static void note_failure(struct dir *d, const struct walk *walk, struct local *l)
{
    struct search *s = d->s;
    s->result->counts.failures++;
    VEC(uint64_t) path = {0};
    VEC_PUSH(&path, l->number); /* until it is composed */
    found_add(&s->result->found, walk, path.v, path.n, ++d->runs);
    VEC_DONE(&path);
}

/* A failure of a component as one of the whole. ret_fits: it is one. */
static int compose_finding(struct dir *d, struct join *j, struct finding *f, bool *ret_fits,
                           struct err *err)
{
    ASSERT(d->locals.v != NULL && f->path.v != NULL);
    size_t cap = 0;
    struct local **ends =
        (struct local **)vec_grow(NULL, &cap, d->components.n + 1, sizeof(struct local *));
    struct dir_order order = {0};
    struct walk walk = {0};
    bool good = false;
    int status = 0;
    *ret_fits = dir_around(d, j, d->locals.v[f->path.v[0]], ends);
    f->path.n = 0;
    if (*ret_fits) {
        dir_order(d, ends, &order);
        status = dir_together(d, &order, &walk, &good, err);
    }
    for (size_t i = 0; status == 0 && i < walk.steps.n; i++) {
        VEC_PUSH(&f->path, walk.steps.v[i].event.name);
    }
    f->found = f->path.n;
    xwalk_done(&walk);
    VEC_DONE(&order.v);
    vec_release((void *)ends);
    return status;
}

/* All of them. A search that was ended has not put its components together yet: what does not fit
 * by the time that there is for findings is found again when it goes on. */
static int compose_findings(struct dir *d, struct join *j, struct err *err)
{
    struct found *found = &d->s->result->found;
    bool over = d->s->over;
    int status = 0;
    if (over && found->v.n != 0) {
        status = dir_compose(d, j, err);
    }
    for (size_t i = 0; status == 0 && i < found->v.n;) {
        bool fits = false;
        status = compose_finding(d, j, &found->v.v[i], &fits, err);
        if (status == 0 && !fits && !over) {
            return err_set(err, ERR_CORRUPT, 0, "a local failure fits nowhere");
        }
        if (status == 0 && !fits) {
            found_drop(found, i);
        } else {
            i++;
        }
    }
    return status;
}

/* ---- the search ---- */

static struct explore_component component_of(const struct dir *d, uint32_t c)
{
    struct explore_component out = {0};
    for (uint32_t i = 0; i < d->cluster->n_nodes; i++) {
        if (d->cluster->explore.component[i] == c) {
            strbuf_printf(&out.name, "%s%s", out.name.n != 0 ? " " : "", d->cluster->nodes[i].name);
        }
    }
    for (size_t i = 0; i < d->skeletons.n; i++) {
        const struct skeleton *k = &d->skeletons.v[i];
        bool used = k->used && k->component == c;
        out.skeletons += used ? 1 : 0;
        for (size_t j = 0; used && j < k->locals.n; j++) {
            out.traces += k->locals.v[j]->ends ? 1 : 0;
        }
    }
    return out;
}

static void report(struct dir *d, struct join *j)
{
    struct explore_dir *r = &d->s->result->dir;
    for (uint32_t c = 0; c < d->components.n; c++) {
        struct explore_component out = component_of(d, c);
        r->locals += out.traces;
        VEC_PUSH(&r->components, out);
    }
    bool exact = j->sum.traces < DIR_EXACT_MOST; /* there are not fewer of these */
    r->skeletons = j->sum.skeletons;
    r->skeletons_exact = exact ? j->sum.n_skeletons : 0;
    r->traces = j->sum.traces;
    r->traces_exact = exact ? j->sum.n_traces : 0;
    r->states = j->n_states;
    if (j->groups.n > 1) {
        dir_print_groups(d, j, &r->groups);
    }
    r->confirmed = d->confirmed;
    r->tried = d->tried;
    d->s->result->counts.traces = r->locals;
}

static int begin(struct dir *d, struct err *err)
{
    struct space *space = NULL;
    int status = crew_space(d->s->crew, &space, err);
    VEC(struct connection_view) conns = {0};
    for (size_t i = 0; status == 0 && i < crew_jobs(d->s->crew); i++) {
        VEC_PUSH(&d->jobs, (struct jobs){0});
    }
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
            (void)keep_mail(d, &d->components.v[c].inbound.v.v[i]);
        }
    }
    d->n_inbound = d->mail.v.n;
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
        VEC_DONE(&d->locals.v[i]->posted);
        VEC_DONE(&d->locals.v[i]->possible);
        VEC_DONE(&d->locals.v[i]->refused);
        VEC_DONE(&d->locals.v[i]->seen_nodes);
        strbuf_done(&d->locals.v[i]->saw);
        vec_release(d->locals.v[i]);
    }
    for (size_t i = 0; i < d->skeletons.n; i++) {
        struct skeleton *k = &d->skeletons.v[i];
        dir_face_done(&k->face);
        VEC_DONE(&k->locals);
        VEC_DONE(&k->users);
    }
    for (size_t i = 0; i < d->components.n; i++) {
        xpackets_done(&d->components.v[i].inbound);
    }
    VEC_DONE(&d->components);
    VEC_DONE(&d->skeletons);
    VEC_DONE(&d->locals);
    for (size_t i = 0; i < d->jobs.n; i++) {
        VEC_DONE(&d->jobs.v[i].v);
    }
    VEC_DONE(&d->jobs);
    VEC_DONE(&d->tasks);
    VEC_DONE(&d->changed);
    xpackets_done(&d->mail);
    u64map_done(&d->mail_at);
    u64map_done(&d->by_key);
    u64map_done(&d->by_seen);
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
    struct join j = {0};
    int status = begin(&d, err);
    status = status != 0 ? status : explore_all(&d, &j, err);
    status = status != 0 ? status : compose_findings(&d, &j, err);
    status = status == 0 && d.whole && !s->over ? dir_moments(&d, &j, err) : status;
    dir_count_ends(&d, &j);
    if (status == 0 && !s->over && (d.cluster->history.on || d.cluster->n_checks != 0)) {
        status = dir_oracles(&d, &j, err);
    }
    s->result->complete = status == 0 && !s->over && s->result->counts.broken == 0;
    if (s->over && s->result->counts.waiting == 0) {
        s->result->counts.waiting = 1; /* how components fit together */
    }
    if (s->result->complete) {
        status = confirm(&d, &j, err);
    }
    report(&d, &j);
    dir_join_done(&j);
    dir_done(&d);
    return status;
}
