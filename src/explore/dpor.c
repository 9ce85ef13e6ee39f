/* Optimal dynamic partial order reduction: one run of each trace, none in vain.
 *
 * After Abdulla, Aronis, Jonsson, Sagonas: "Source sets: a foundation for optimal dynamic partial
 * order reduction" (JACM 2017), algorithm with wakeup trees. A process of theirs is here what can
 * have one event at a time: the packets of a channel, the timer of a thread, a fault of a node. Two
 * events race if they are dependent and nothing that happens between orders them; for each race of
 * a run the order the other way around is put as a sequence of events into the wakeup tree of where
 * the first of them happened, unless something there covers it.
 *
 * Two things are not in the paper. An event can make another impossible for ever, such as one
 * timer that cancels another, a fault that was the last one allowed, or a thread that was chosen
 * instead of others: no run has both, so no race tells. Such pairs are found by comparing what was
 * possible before and after an event. And several runs are done at a time: a branch that has begun
 * counts like one that is done, since its runs will all be made, whoever makes them. Each job is at
 * home with one branch, where it has snapshots of the way, and goes on there as long as something
 * is left; then it takes the one that is nearest the root of all that wait.
 *
 * The tree holds the runs that are under way, from the root: events that were done, and sequences
 * that wait to be. Whatever is finished is taken out of it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/err.h"
#include "base/vec.h"
#include "explore/crew.h"
#include "explore/explore.h"
#include "explore/explore_int.h"
#include "explore/policy.h"
#include "explore/space.h"
#include "explore/walk.h"
#include "run/cluster.h"
#include "world/world.h"

/* Events to come, in an order that they can have. Of each that is from a run, what happens before
 * it there: words of `bits` from `from` on. */
struct coming {
    struct xevent event;
    size_t depth; /* in the run; 0: it was not in it, and nothing of the sequence is before it */
    size_t from, words;
};
struct sequence {
    VEC(struct coming) v;
    VEC(uint64_t) bits;
};

/* A place in the tree: where an event has led, or will lead. */
struct place {
    struct xevent event;
    struct place *parent;
    VEC(struct place *) next; /* in the order in which they begin */
    size_t depth;             /* events from the root on */
    bool begun;               /* somebody goes there, or was there; else: it waits */
    bool known;               /* somebody was there: what follows is true */
    bool over;                /* everything from here on was done */
    uint32_t owner;           /* job and 1 that has begun here and goes on below; 0: as above */
    uint32_t under_way;       /* runs that go through here */
    VEC(struct xevent) sleep; /* events that need not be first from here on */
    VEC(struct xevent) possible;
    VEC(struct xsent) sent;     /* by the event */
    VEC(uint64_t) before;       /* bit i: event i of the path happens before this one */
    VEC(struct sequence) later; /* to be put in when it is known what was done */
};

/* A run that is under way. */
struct begun {
    struct place *leaf; /* where the sequence that has waited ends; NULL: none */
    size_t known;       /* events of its path that were known */
};
struct dpor {
    struct search *s;
    const struct cluster *cluster;
    struct place *root;
    VEC(struct begun) tasks;   /* by tag */
    VEC(struct place *) bases; /* [jobs]: where each job is at home; NULL: nowhere */
    uint64_t runs;
};

/* ---- places ---- */

static struct place *place_new(struct place *parent, const struct xevent *event)
{
    size_t cap = 0;
    struct place *p = vec_grow(NULL, &cap, 1, sizeof *p);
    memset(p, 0, sizeof *p);
    p->parent = parent;
    if (parent != NULL) {
        p->event = *event;
        p->depth = parent->depth + 1;
        VEC_PUSH(&parent->next, p);
    }
    return p;
}

static void sequence_done(struct sequence *s)
{
    VEC_DONE(&s->v);
    VEC_DONE(&s->bits);
}

/* All that is below, and what is known here; the event stays. */
static void place_clear(struct place *p)
{
    for (size_t i = 0; i < p->next.n; i++) {
        place_clear(p->next.v[i]);
        vec_release(p->next.v[i]);
    }
    VEC_DONE(&p->next);
    VEC_DONE(&p->sleep);
    VEC_DONE(&p->possible);
    VEC_DONE(&p->sent);
    VEC_DONE(&p->before);
    for (size_t i = 0; i < p->later.n; i++) {
        sequence_done(&p->later.v[i]);
    }
    VEC_DONE(&p->later);
}

static bool has(const struct xevent *list, size_t n, uint64_t name)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i].name == name) {
            return true;
        }
    }
    return false;
}

/* What sleeps there: what slept before, and the branches that have begun earlier, as far as the
 * event does not wake them. */
static void put_to_sleep(const struct dpor *d, struct place *p)
{
    const struct place *parent = p->parent;
    p->sleep.n = 0;
    for (size_t i = 0; i < parent->sleep.n; i++) {
        if (!xevent_dependent(d->cluster, &parent->sleep.v[i], &p->event)) {
            VEC_PUSH(&p->sleep, parent->sleep.v[i]);
        }
    }
    for (size_t i = 0; i < parent->next.n && parent->next.v[i] != p; i++) {
        const struct xevent *other = &parent->next.v[i]->event;
        if (!xevent_dependent(d->cluster, other, &p->event)) {
            VEC_PUSH(&p->sleep, *other);
        }
    }
}

/* The way to a place: what is after each event from the root on. */
struct places {
    VEC(struct place *) v;
};

static void way_to(struct place *leaf, struct places *ret)
{
    ret->v.n = 0;
    for (struct place *p = leaf; p->parent != NULL; p = p->parent) {
        VEC_PUSH(&ret->v, p);
    }
    for (size_t i = 0; i < ret->v.n / 2; i++) {
        struct place *p = ret->v.v[i];
        ret->v.v[i] = ret->v.v[ret->v.n - 1 - i];
        ret->v.v[ret->v.n - 1 - i] = p;
    }
}

/* ---- what happens before what ---- */

static bool bit(const struct place *p, size_t i)
{
    return i / 64 < p->before.n && (p->before.v[i / 64] >> i % 64 & 1) != 0;
}

static bool is_packet(const struct xevent *x)
{
    return x->event.kind == EV_DELIVER || x->event.kind == EV_DROP || x->event.kind == EV_DUPLICATE;
}

static bool has_sent(const struct place *p, const struct xevent *x)
{
    for (size_t i = 0; i < p->sent.n; i++) {
        if (p->sent.v[i].id == x->event.id) {
            return true;
        }
    }
    return false;
}

static void find_before(const struct dpor *d, struct place *p)
{
    size_t words = (p->depth + 63) / 64;
    p->before.n = 0;
    for (size_t i = 0; i < words; i++) {
        VEC_PUSH(&p->before, 0);
    }
    ASSERT(p->before.v != NULL); /* it is not the root */
    bool sent = false;
    for (const struct place *q = p->parent; q->parent != NULL; q = q->parent) {
        size_t i = q->depth - 1;
        bool sends = !sent && is_packet(&p->event) && has_sent(q, &p->event);
        sent = sent || sends;
        if (bit(p, i) || (!sends && !xevent_dependent(d->cluster, &q->event, &p->event))) {
            continue;
        }
        p->before.v[i / 64] |= UINT64_C(1) << i % 64;
        for (size_t k = 0; k < q->before.n; k++) {
            p->before.v[k] |= q->before.v[k];
        }
    }
}

/* ---- wakeup trees ---- */

static void sequence_add(struct sequence *s, const struct place *p)
{
    struct coming c = {p->event, p->depth, s->bits.n, p->before.n};
    for (size_t i = 0; i < p->before.n; i++) {
        VEC_PUSH(&s->bits, p->before.v[i]);
    }
    VEC_PUSH(&s->v, c);
}

static struct sequence sequence_copy(const struct sequence *s)
{
    struct sequence copy = {0};
    for (size_t i = 0; i < s->v.n; i++) {
        VEC_PUSH(&copy.v, s->v.v[i]);
    }
    for (size_t i = 0; i < s->bits.n; i++) {
        VEC_PUSH(&copy.bits, s->bits.v[i]);
    }
    return copy;
}

static bool is_before(const struct sequence *s, const struct coming *a, const struct coming *b)
{
    size_t i = a->depth - 1;
    return a->depth != 0 && b->depth != 0 && i / 64 < b->words && s->bits.v != NULL &&
           (s->bits.v[b->from + i / 64] >> i % 64 & 1) != 0;
}

/* Whether nothing of the sequence happens before the event at this place. */
static bool is_first(const struct sequence *s, size_t at)
{
    for (size_t k = 0; k < at; k++) {
        if (is_before(s, &s->v.v[k], &s->v.v[at])) {
            return false;
        }
    }
    return true;
}

/* Whether the sequence, or one that is equivalent, can begin with the event. ret_at: where the
 * event is in it; its length: nowhere, but it is independent of all. */
static bool may_begin(const struct dpor *d, const struct sequence *s, const struct xevent *x,
                      size_t *ret_at)
{
    for (size_t i = 0; i < s->v.n; i++) {
        const struct coming *c = &s->v.v[i];
        if (c->event.name == x->name) {
            *ret_at = i;
            return is_first(s, i);
        }
    }
    for (size_t i = 0; i < s->v.n; i++) {
        if (xevent_dependent(d->cluster, &s->v.v[i].event, x)) {
            return false;
        }
    }
    *ret_at = s->v.n;
    return true;
}

static void take_out(struct sequence *s, size_t at)
{
    if (at < s->v.n) {
        memmove(s->v.v + at, s->v.v + at + 1, (s->v.n - at - 1) * sizeof s->v.v[0]);
        s->v.n--;
    }
}

static bool covered_by_sleep(const struct dpor *d, const struct place *p, const struct sequence *s)
{
    size_t at = 0;
    for (size_t i = 0; i < p->sleep.n; i++) {
        if (may_begin(d, s, &p->sleep.v[i], &at)) {
            return true;
        }
    }
    return false;
}

static void add_branch(struct dpor *d, struct place *p, const struct sequence *s)
{
    for (struct place *q = p; q != NULL; q = q->parent) {
        q->over = false;
    }
    for (size_t i = 0; i < s->v.n; i++) {
        p = place_new(p, &s->v.v[i].event);
    }
    d->s->result->counts.waiting += s->v.n != 0 ? 1 : 0;
}

/* Puts a sequence into the tree, unless what is there covers it. `own` is the branch of the place
 * that the run was in which has shown the sequence: those before it will see to all that begins
 * with them. Those after it may have begun at the same time, and must be told. */
static void insert(struct dpor *d, struct place *p, const struct place *own, struct sequence *s)
{
    bool earlier = own != NULL;
    while (s->v.n != 0 && !covered_by_sleep(d, p, s)) {
        struct place *found = NULL;
        size_t at = 0;
        for (size_t i = 0; found == NULL && i < p->next.n; i++) {
            struct place *next = p->next.v[i];
            earlier = earlier && next != own;
            if (may_begin(d, s, &next->event, &at)) {
                found = next;
            }
        }
        if (found == NULL) {
            add_branch(d, p, s);
            return;
        }
        bool free = !found->begun && found->next.n == 0;
        if (free || (earlier && found->begun)) {
            return;
        }
        take_out(s, at);
        if (found->begun && !found->known) { /* what it will be is not known yet */
            VEC_PUSH(&found->later, sequence_copy(s));
            return;
        }
        p = found;
        earlier = false;
    }
}

/* ---- races ---- */

/* Whether what came second could have come first. */
static bool reversible(const struct place *first, const struct place *second)
{
    const struct xevent *x = &second->event;
    const struct place *from = first->parent;
    if (!is_packet(x)) {
        return has(from->possible.v, from->possible.n, x->name);
    }
    for (const struct place *p = second->parent; p != first; p = p->parent) {
        if (has_sent(p, x)) { /* meanwhile, and not because of the first */
            enum event_kind kind = first->event.event.kind;
            bool behind = x->chan != 0 && first->event.chan == x->chan;
            return !behind && kind != EV_HEAL && kind != EV_RESUME;
        }
    }
    return has(from->possible.v, from->possible.n, x->name);
}

/* What came after the first event of a race, but not because of it. */
static void not_after(const struct place *first, struct place *const *path, size_t n,
                      struct sequence *ret)
{
    ret->v.n = ret->bits.n = 0;
    for (size_t i = first->depth; i < n; i++) {
        if (!bit(path[i], first->depth - 1)) {
            sequence_add(ret, path[i]);
        }
    }
}

/* Whether nothing orders them but their own dependence. */
static bool adjacent(const struct place *first, const struct place *second)
{
    for (const struct place *p = second->parent; p != first; p = p->parent) {
        if (bit(second, p->depth - 1) && bit(p, first->depth - 1)) {
            return false;
        }
    }
    return true;
}

static void races_of(struct dpor *d, struct place *const *path, size_t n, struct place *second)
{
    struct sequence s = {0};
    for (struct place *first = second->parent; first->parent != NULL; first = first->parent) {
        if (!bit(second, first->depth - 1) || has_sent(first, &second->event) ||
            first->event.name == second->event.name || /* one after the other anyway */
            !xevent_dependent(d->cluster, &first->event, &second->event) ||
            !adjacent(first, second) || !reversible(first, second)) {
            continue;
        }
        not_after(first, path, n, &s);
        sequence_add(&s, second);
        insert(d, first->parent, first, &s);
    }
    sequence_done(&s);
}

/* What an event has made impossible, before it. */
static void prevented_by(struct dpor *d, struct place *const *path, size_t n, struct place *p)
{
    struct sequence s = {0};
    const struct place *from = p->parent;
    for (size_t i = 0; i < from->possible.n; i++) {
        const struct xevent *x = &from->possible.v[i];
        if (x->name == p->event.name || !xevent_dependent(d->cluster, x, &p->event) ||
            has(p->possible.v, p->possible.n, x->name)) {
            continue;
        }
        not_after(p, path, n, &s);
        bool free = true;
        for (size_t k = 0; k < s.v.n; k++) {
            free = free && !xevent_dependent(d->cluster, &s.v.v[k].event, x);
        }
        s.v.n = free ? s.v.n : 0;
        VEC_PUSH(&s.v, (struct coming){.event = *x});
        insert(d, p->parent, p, &s);
    }
    sequence_done(&s);
}

/* Packets that were sent too late: their node had had all events that it may. No run in which they
 * arrive there races with this one, so it is looked at as if they had come at the end. */
static void races_unmet(struct dpor *d, struct place *const *path, size_t n, struct place *leaf,
                        const struct walk *walk)
{
    for (size_t i = 0; i < walk->unmet.n; i++) {
        struct place late = {.event = walk->unmet.v[i], .parent = leaf, .depth = leaf->depth + 1};
        find_before(d, &late);
        races_of(d, path, n, &late);
        VEC_DONE(&late.before);
    }
}

static void learn(struct dpor *d, struct place *leaf, const struct walk *walk)
{
    struct places way = {0};
    way_to(leaf, &way);
    for (size_t i = 0; i < way.v.n; i++) {
        races_of(d, way.v.v, way.v.n, way.v.v[i]);
        prevented_by(d, way.v.v, way.v.n, way.v.v[i]);
    }
    races_unmet(d, way.v.v, way.v.n, leaf, walk);
    VEC_DONE(&way.v);
}

/* ---- runs ---- */

/* The first leaf below that waits and that no other job is at home with, from the left; NULL: none
 * does. */
static struct place *own_leaf(struct place *p, uint32_t owner)
{
    if (!p->begun && p->next.n == 0) {
        return p;
    }
    for (size_t i = 0; i < p->next.n; i++) {
        struct place *next = p->next.v[i];
        bool others = next->over || (next->owner != 0 && next->owner != owner);
        struct place *found = others ? NULL : own_leaf(next, owner);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

/* Of all leaves that wait the one whose way leaves what has begun first: it has the most to come,
 * and whoever takes it will be busy the longest. */
static void branch_nearest_root(struct place *p, struct place **best)
{
    for (size_t i = 0; i < p->next.n; i++) {
        struct place *next = p->next.v[i];
        if (*best != NULL && (*best)->depth <= next->depth) {
            return;
        }
        if (!next->begun) {
            *best = next;
        } else if (!next->over) {
            branch_nearest_root(next, best);
        }
    }
}

/* What a job does next: where it is at home, so that it has been there and has snapshots of the
 * way; if nothing is left there, it moves to a branch near the root. */
static struct place *leaf_for(struct dpor *d, uint32_t job)
{
    ASSERT(job < d->bases.n && d->bases.v != NULL);
    struct place *base = d->bases.v[job];
    struct place *leaf = base != NULL ? own_leaf(base, job + 1) : NULL;
    if (leaf != NULL || d->root->over) {
        return leaf;
    }
    if (!d->root->begun) {
        base = d->root;
    } else {
        base = NULL;
        branch_nearest_root(d->root, &base);
    }
    if (base == NULL) {
        return NULL;
    }
    base->owner = job + 1;
    d->bases.v[job] = base;
    return own_leaf(base, job + 1);
}

static int begin(struct dpor *d, uint32_t job, struct place *leaf, struct err *err)
{
    struct walk_task task = {.policy = WALK_FIRST, .possible = true, .seen = true, .cuts = true};
    struct places way = {0};
    way_to(leaf, &way);
    d->root->begun = true;
    d->root->under_way++;
    for (size_t i = 0; i < way.v.n; i++) {
        struct place *p = way.v.v[i];
        p->under_way++;
        if (!p->begun) {
            p->begun = true;
            put_to_sleep(d, p);
        }
        task.known = p->known ? p->depth : task.known;
        VEC_PUSH(&task.path, p->event.name);
    }
    VEC_DONE(&way.v);
    for (size_t i = 0; i < leaf->sleep.n; i++) {
        VEC_PUSH(&task.sleep, leaf->sleep.v[i]);
    }
    size_t tag = 0;
    while (tag < d->tasks.n && d->tasks.v[tag].leaf != NULL) {
        tag++;
    }
    if (tag == d->tasks.n) {
        VEC_PUSH(&d->tasks, (struct begun){0});
    }
    d->tasks.v[tag] = (struct begun){leaf, task.known};
    int status = crew_ask_job(d->s->crew, job, &task, tag, err);
    xwalk_task_done(&task);
    return status;
}

static void take_possible(struct place *p, const struct walk *walk, size_t i)
{
    size_t end = i + 1 < walk->from.n ? walk->from.v[i + 1] : walk->possible.n;
    p->possible.n = 0;
    for (size_t k = walk->from.v[i]; k < end; k++) {
        VEC_PUSH(&p->possible, walk->possible.v[k]);
    }
}

/* The place after a step of a run: it waits there, or is new. */
static struct place *follow(const struct dpor *d, struct place *p, const struct xstep *step)
{
    for (size_t i = 0; i < p->next.n; i++) {
        if (p->next.v[i]->event.name == step->event.name) {
            return p->next.v[i];
        }
    }
    struct place *next = place_new(p, &step->event);
    next->begun = true;
    next->under_way = 1;
    put_to_sleep(d, next);
    return next;
}

/* Puts what a run was into the tree; gives back its end. */
static struct place *note_run(struct dpor *d, const struct begun *begun, const struct walk *walk)
{
    struct place *p = begun->leaf;
    while (p->depth > begun->known) {
        p = p->parent;
    }
    for (size_t i = 0; i < walk->from.n; i++) {
        if (!p->known) {
            take_possible(p, walk, i);
            p->known = true;
        }
        if (i == walk->steps.n) {
            break;
        }
        const struct xstep *step = &walk->steps.v[i];
        p = follow(d, p, step);
        if (!p->known) {
            p->event = step->event;
            p->sent.n = 0;
            for (size_t k = 0; k < step->sent.n; k++) {
                VEC_PUSH(&p->sent, step->sent.v[k]);
            }
            find_before(d, p);
        }
    }
    return p;
}

/* What was to be put in while the runs were not known. */
static void put_later(struct dpor *d, struct place *end)
{
    for (struct place *p = end; p != NULL; p = p->parent) {
        while (p->known && p->later.n != 0) {
            struct sequence s = VEC_POP(&p->later);
            insert(d, p, NULL, &s);
            sequence_done(&s);
        }
    }
}

/* Forgets what nobody will ask for: what is over, and all before it, too. What is over behind
 * something that is not is kept: it may be told of more, and must know what was done there. */
static void forget(struct place *p)
{
    while (p != NULL) {
        struct place *open = NULL;
        for (size_t i = 0; open == NULL && i < p->next.n; i++) {
            if (p->next.v[i]->over) {
                place_clear(p->next.v[i]);
            } else {
                open = p->next.v[i];
            }
        }
        p = open;
    }
}

/* A run has ended there. */
static void finish(struct dpor *d, struct place *end)
{
    for (struct place *p = end; p != NULL; p = p->parent) {
        p->under_way--;
    }
    for (struct place *p = end; p != NULL; p = p->parent) {
        bool over = p->under_way == 0 && p->begun;
        for (size_t i = 0; over && i < p->next.n; i++) {
            over = p->next.v[i]->over;
        }
        if (!over) {
            break;
        }
        p->over = true;
        for (size_t i = 0; p->owner != 0 && i < d->bases.n; i++) {
            d->bases.v[i] = d->bases.v[i] == p ? NULL : d->bases.v[i];
        }
    }
    forget(d->root);
}

static void note_walk(struct dpor *d, struct place *end, const struct walk *walk)
{
    struct search *s = d->s;
    struct places way = {0};
    VEC(uint64_t) path = {0};
    way_to(end, &way);
    for (size_t i = 0; i < way.v.n; i++) {
        VEC_PUSH(&path, way.v.v[i]->event.name);
    }
    VEC_DONE(&way.v);
    s->result->counts.traces += walk->end == WALK_COMPLETE || walk->end == WALK_FAILURE ? 1 : 0;
    xsearch_note(s, walk, path.v, path.n, ++d->runs);
    VEC_DONE(&path);
}

static int take(struct dpor *d, struct err *err)
{
    struct walk walk = {0};
    uint64_t tag = 0;
    int status = crew_take(d->s->crew, &tag, &walk, err);
    if (status != 0) {
        return status;
    }
    ASSERT(tag < d->tasks.n && d->tasks.v != NULL);
    struct begun begun = d->tasks.v[tag];
    d->tasks.v[tag] = (struct begun){0};
    struct place *end = note_run(d, &begun, &walk);
    note_walk(d, end, &walk);
    learn(d, end, &walk);
    put_later(d, end);
    finish(d, end);
    xwalk_done(&walk);
    return 0;
}

/* Something to do for every job that has nothing to do, as far as there is something. */
static int give_work(struct dpor *d, struct err *err)
{
    struct search *s = d->s;
    int status = 0;
    for (uint32_t job = 0; status == 0 && !s->over && job < d->bases.n; job++) {
        struct place *leaf = crew_job_idle(s->crew, job) ? leaf_for(d, job) : NULL;
        if (leaf != NULL) {
            s->result->counts.waiting--;
            status = begin(d, job, leaf, err);
        }
    }
    return status;
}

int dpor_search(struct search *s, struct err *err)
{
    struct dpor d = {.s = s, .cluster = s->o->cluster};
    d.root = place_new(NULL, NULL);
    s->result->found.shortest = true;
    for (size_t i = 0; i < crew_jobs(s->crew); i++) {
        VEC_PUSH(&d.bases, NULL);
    }
    s->result->counts.waiting = 1;
    int status = 0;
    while (status == 0) {
        status = give_work(&d, err);
        if (status != 0 || crew_busy(s->crew) == 0) {
            break;
        }
        status = take(&d, err);
        (void)xsearch_goes_on(s);
    }
    s->result->complete = status == 0 && d.root->over && s->result->counts.broken == 0 && !s->over;
    place_clear(d.root);
    vec_release(d.root);
    VEC_DONE(&d.tasks);
    VEC_DONE(&d.bases);
    return status;
}
