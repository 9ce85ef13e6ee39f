/* Work as time (world_spec.work).
 *
 * Otherwise computing is free: a thread runs until it waits, and nothing happens meanwhile, however
 * late its clock has become. With work as time, whatever is due happens although threads still run.
 * After each call, and before each turn of a thread, the clock is compared with the next event;
 * when that is due the world stops (SETTLE_DUE), the thread that ran remains the one that runs, and
 * goes on where it was unless the event has ended it. So a stop after which nothing was done makes
 * no difference.
 *
 * A thread that has run for TURN_NS makes room for others that want to run.
 *
 * What work is, is counted, never measured: a call costs CALL_NS. Calls that ask whether something
 * has happened, read the clock, or fail, cost more and more while nothing else comes between them
 * (each BOTHERED of them double the price), so that a loop that polls reaches the time it waits
 * for. They never cost more than the time to the next event, so no event is passed over. A thread
 * that waits, or moves data, begins anew.
 *
 * Clock reads that do not stop follow the same rule, in the page (tracee/clock_code.c): the one
 * that would reach the next event makes a system call instead. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <sys/socket.h>
#include <sys/syscall.h>

#include "tracee/tracee.h"
#include "world/world.h"
#include "world/world_int.h"

void world_stop_at(struct world *w, uint64_t ns)
{
    w->engine->stop_ns = ns == 0 ? NEVER_NS : world_at(ns);
}

/* ---- what is due ---- */

static uint64_t packets_due(const struct world *w, const struct node *only)
{
    uint64_t first = NEVER_NS;
    for (const struct packet *p = w->datagrams; p != NULL; p = p->next) {
        if (p->at_ns < first && (only == NULL || p->to == only) && net_ready(w, p)) {
            first = p->at_ns;
        }
    }
    for (const struct conn *c = w->conns; c != NULL; c = c->next) {
        for (int side = 0; side < 2; side++) {
            const struct packet *p = c->chan[side].head;
            if (p != NULL && p->at_ns < first && (only == NULL || p->to == only) &&
                net_ready(w, p)) {
                first = p->at_ns;
            }
        }
    }
    return first;
}

static uint64_t timers_due(const struct world *w, const struct node *only)
{
    uint64_t first = NEVER_NS;
    for (const struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state == THREAD_BLOCKED && !t->timed_out && t->deadline_ns < first &&
            t->proc->node->state == NODE_UP && (only == NULL || t->proc->node == only)) {
            first = t->deadline_ns;
        }
    }
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        const struct node *node = w->nodes[i];
        if (only != NULL && node != only) {
            continue;
        }
        if (!node->started && !node->manual && node->start_ns < first) {
            first = node->start_ns;
        }
        uint64_t deadline = node->state == NODE_UP ? node_timer(node) : NEVER_NS;
        first = deadline < first ? deadline : first;
    }
    return first;
}

/* When the next event is due, of all nodes or of the one whose clock counts now. Whatever comes
 * from outside, too. */
static uint64_t next_due(const struct world *w)
{
    const struct node *only = w->local_clocks ? w->clock_node : NULL;
    uint64_t timer = timers_due(w, only), packet = packets_due(w, only);
    uint64_t first = timer < packet ? timer : packet;
    return first < w->engine->stop_ns ? first : w->engine->stop_ns;
}

bool work_due(const struct world *w)
{
    return w->work && w->now_ns >= next_due(w);
}

/* Others want to run, and this thread has had its share of time. */
bool work_turn_over(const struct world *w, const struct thread *t)
{
    return w->work && w->run_head != NULL && w->now_ns - t->turn_ns >= TURN_NS;
}

uint64_t work_clock_due(const struct world *w, const struct thread *t)
{
    if (!w->work) {
        return NEVER_NS;
    }
    uint64_t due = next_due(w), end = t->turn_ns + TURN_NS;
    due = w->run_head != NULL && end < due ? end : due;
    return due == NEVER_NS ? NEVER_NS : node_mono(t->proc->node, due);
}

/* ---- what it costs ---- */

static uint64_t price(const struct world *w, const struct thread *t, uint64_t base)
{
    uint64_t doubles = t->polls >> BOTHERED_SHIFT;
    uint64_t cost = base << (doubles < DOUBLE_MOST ? doubles : DOUBLE_MOST);
    if (cost == base) {
        return base;
    }
    uint64_t due = next_due(w), left = due > w->now_ns ? due - w->now_ns : 0;
    cost = cost < left ? cost : left;
    return cost > base ? cost : base;
}

void work_call(struct world *w, struct thread *t)
{
    uint64_t cost = price(w, t, CALL_NS);
    w->now_ns += cost;
    cost += t->owed_ns;
    t->owed_ns = 0;
    t->utime_ns += cost;
    proc_use(w, t->proc, cost);
}

void work_read(struct world *w, struct thread *t, uint64_t base_ns)
{
    t->polls++;
    uint64_t cost = price(w, t, base_ns);
    w->now_ns += cost;
    t->owed_ns += cost;
}

static bool only_looks(const struct thread *t)
{
    return (t->nr == SYS_recvfrom && (t->a[3] & MSG_PEEK) != 0) ||
           (t->nr == SYS_recvmsg && (t->a[2] & MSG_PEEK) != 0);
}

void work_result(struct thread *t, int64_t result)
{
    const struct call_row *row = call_row(t->nr);
    unsigned flags = row != NULL ? row->flags : 0;
    bool failed = result < 0 && result != -EINPROGRESS && result != -EINTR;
    if (result == CALL_BLOCK || ((flags & CALL_MOVES) != 0 && result > 0 && !only_looks(t))) {
        t->polls = 0;
    } else if (failed || (flags & (CALL_POLLS | CALL_MOVES)) != 0) {
        t->polls++;
    }
}
