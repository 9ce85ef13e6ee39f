/* Which thread of a node runs next, as a choice (world_spec.choices).
 *
 * By itself the order of threads is fixed: whoever runs goes on until it waits or has had its
 * share, then comes the next in the queue. Many mistakes need another order at one or two places.
 * So after each call of a thread, and whenever the next one is taken from the queue, somebody may
 * be asked (engine->on_choice), if another thread of that node could run instead. If he wants to
 * choose, the world stops with the thread that would have run as the current one; EV_THREAD keeps
 * it or takes another one.
 *
 * To know who could run, whoever waits for something that the call has changed is asked again at
 * once, and not only at the end of the turn. That is the one difference that having choices makes
 * while nobody chooses.
 *
 * A thread that could have run on and was not chosen is set aside: it runs when no other one of its
 * node can, or after ASIDE_RUNS stops of others. Otherwise it would come next when the chosen one
 * has woken somebody and waits for him, and hardly anything would have happened in between (as in
 * PCT, by Burckhardt and others, 2010, where a thread that is preempted has the lowest priority).
 *
 * Threads of different nodes are no choice: what one node does makes no difference to another until
 * a packet arrives. Threads that share memory are only put in another order where they make calls;
 * between two calls a thread runs alone, unless its computation costs time (work.c). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/assert.h"
#include "tracee/tracee.h"
#include "world/world.h"
#include "world/world_int.h"

enum { ASIDE_RUNS = 4096 }; /* of its node: what others do makes no difference */

void world_on_choice(struct world *w, world_choice_fn fn, void *arg)
{
    w->engine->on_choice = fn;
    w->engine->choice_arg = arg;
}

static bool could_run(const struct thread *t, const struct node *node)
{
    return t->state == THREAD_RUNNABLE && t->proc->node == node && !t->proc->stopped && !t->held;
}

/* Threads of the node that could run, besides the current one. */
static uint32_t others(const struct world *w, const struct node *node)
{
    uint32_t n = 0;
    for (const struct thread *t = w->run_head; t != NULL; t = t->run_next) {
        n += could_run(t, node) ? 1 : 0;
    }
    return n;
}

static bool set_aside(const struct thread *t, const struct node *node)
{
    return could_run(t, node) && t->aside > node->runs;
}

/* Before those of its node that were set aside, unless it was, too. */
struct thread **order_place(struct world *w, const struct thread *t)
{
    const struct node *node = t->proc->node;
    struct thread **at = &w->run_head;
    while (*at != NULL && !set_aside(*at, node)) {
        at = &(*at)->run_next;
    }
    return *at != NULL && !set_aside(t, node) ? at : NULL;
}

bool order_pauses(const struct world *w, const struct thread *t, enum stop_kind kind)
{
    const struct node *node = t->proc->node;
    bool place = kind == STOP_SYSCALL || kind == STOP_INTERRUPTED;
    return w->choices && place && node->n_threads > 1 && (node->changed || others(w, node) != 0);
}

bool order_asks(struct world *w, struct thread *next)
{
    struct node *node = next->proc->node;
    if (!w->choices || w->asked) {
        return false;
    }
    uint32_t n = others(w, node);
    if (n == 0) {
        return false;
    }
    w->asked = true;
    struct world_choice choice = {.node = node->index,
                                  .threads = n + 1,
                                  .nth = ++node->choices,
                                  .preempts = next->interrupted};
    const struct engine *engine = w->engine;
    if (engine->on_choice == NULL || !engine->on_choice(engine->choice_arg, &choice)) {
        return false;
    }
    next->queued = true;
    w->current = next;
    w->choosing = node;
    return true;
}

bool order_open(struct world *w)
{
    const struct node *node = w->choosing;
    bool open = node != NULL && node->state == NODE_UP && could_run(w->current, node) &&
                others(w, node) != 0;
    w->choosing = open ? w->choosing : NULL;
    return open;
}

void order_each(const struct world *w, void (*fn)(void *arg, const struct event *), void *arg)
{
    const struct node *node = w->choosing;
    struct event event = {.kind = EV_THREAD};
    if (node == NULL) {
        return;
    }
    event.node = event.peer = node->index;
    event.arg = (int64_t)node->choices;
    event.id = (uint64_t)w->current->tid;
    fn(arg, &event);
    for (const struct thread *t = w->run_head; t != NULL; t = t->run_next) {
        if (could_run(t, node)) {
            event.id = (uint64_t)t->tid;
            event.order++;
            fn(arg, &event);
        }
    }
}

/* In the queue, or the current one; NULL: there is none that could be taken. */
static struct thread *find(const struct world *w, const struct event *event)
{
    const struct node *node = w->choosing;
    if (node == NULL || node->index != event->node ||
        (event->arg != 0 && (uint64_t)event->arg != node->choices)) {
        return NULL;
    }
    if ((uint64_t)w->current->tid == event->id) {
        return w->current;
    }
    struct thread *t = w->run_head;
    while (t != NULL && ((uint64_t)t->tid != event->id || !could_run(t, node))) {
        t = t->run_next;
    }
    return t;
}

bool order_enabled(const struct world *w, const struct event *event)
{
    return find(w, event) != NULL;
}

void order_take(struct world *w, const struct event *event)
{
    struct thread *taken = find(w, event), *before = w->current;
    ASSERT(taken != NULL);
    w->choosing = NULL;
    if (taken == before) {
        return;
    }
    taken->aside = 0;
    thread_unqueue(w, taken);
    w->current = taken;
    taken->queued = true;
    before->queued = false;
    if (before->interrupted) {
        before->interrupted = false;
        before->quantum = 0;
        before->aside = before->proc->node->runs + ASIDE_RUNS;
        thread_queue(w, before);
    } else {
        thread_queue_first(w, before);
    }
}
