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
 * A computation without calls cannot be counted where the processor does not count exactly (virtual
 * machines mostly have no such counters), and is free, unless it is long. One that has used more
 * than compute_ms of the processor is made again, with the whole run (world_computation): this time
 * its beginning is executed in slices of SLICE instructions, one by one, and between them pass as
 * many seconds as it seems to need, growing as polling does. Events that are due then interrupt it
 * at exactly these places, with signals, too, whose handler may be what it waits for: after it
 * slices cost little again. Then it runs on; where it needs more than twice the
 * time that it was charged for, the run is made again with twice of that. So where it is
 * interrupted is exact; only whether a computation is long is measured, in time of the processor
 * and not of the clock, and noted in recordings.
 *
 * Clock reads that do not stop follow the same rule, in the page (tracee/clock_code.c): the one
 * that would reach the next event makes a system call instead. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/user.h>

#include "base/err.h"
#include "base/vec.h"
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
 * from outside, too. Who polls waits for others: where each node has a clock of its own, its clock
 * must not run away from theirs, so then theirs count as well. */
static uint64_t next_due(const struct world *w, const struct thread *t)
{
    bool polls = t != NULL && t->polls >> BOTHERED_SHIFT != 0;
    const struct node *only = w->local_clocks && !polls ? w->clock_node : NULL;
    uint64_t timer = timers_due(w, only), packet = packets_due(w, only);
    uint64_t first = timer < packet ? timer : packet;
    return first < w->engine->stop_ns ? first : w->engine->stop_ns;
}

bool work_due(const struct world *w, const struct thread *t)
{
    return w->work && w->now_ns >= next_due(w, t);
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
    uint64_t due = next_due(w, t), end = t->turn_ns + TURN_NS;
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
    uint64_t due = next_due(w, t), left = due > w->now_ns ? due - w->now_ns : 0;
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

/* ---- long computations ---- */

enum { SLICE = 32, SLICE_MOST = SLICE + 256, SLICES_SHIFT = 3 };
#define SLICE_NS UINT64_C(1000000) /* what a slice costs at first; 1 << SLICES_SHIFT double it */
/* After a handler of a signal, which may have ended the computation (`while (!stop)`), it costs far
 * less at first: by half as often as this says after the first one, once fewer after each further
 * one, so that a program with many signals is not executed step by step for long. */
enum { CAREFUL = 11 };

void work_known(struct world *w, const struct world_spec *spec)
{
    struct engine *engine = w->engine;
    size_t n = spec->n_computations, cap = 0;
    if (n != 0) {
        engine->computations = vec_grow(NULL, &cap, n, sizeof engine->computations[0]);
        memcpy(engine->computations, spec->computations, n * sizeof engine->computations[0]);
        engine->n_computations = n;
    }
}

bool world_computation(const struct world *w, struct computation *ret)
{
    *ret = w->engine->found;
    return w->engine->found.ns != 0;
}

/* A thread that comes from a call, or from a handler that it has not returned from, begins
 * something new when it is resumed. */
static void begin_stint(struct world *w, struct thread *t)
{
    const struct engine *engine = w->engine;
    w->stints++;
    for (size_t i = 0; i < engine->n_computations; i++) {
        if (engine->computations[i].stint == w->stints) {
            t->computes = engine->computations[i];
            t->charged_ns = 0;
            t->slices = t->handlers = t->handled = 0;
        }
    }
}

/* Where the clock is half read: what our code there has in registers must not grow old, and what it
 * has counted must be whole. */
static bool reads_clock(const struct thread *t)
{
    struct user_regs_struct regs;
    return tracee_regs_get(t->real, &regs) && tracee_page_in(regs.rip, 1);
}

/* False: something else than a step has stopped it. */
static bool steps(const struct thread *t, int pass, struct stop *ret)
{
    for (int i = 0; i < SLICE || (i < SLICE_MOST && reads_clock(t)); i++) {
        tracee_step(t->real, i == 0 ? pass : 0);
        do {
            tracee_wait(t->real, ret);
        } while (ret->kind == STOP_INTERRUPTED);
        if (ret->kind != STOP_SIGNAL || ret->sig != SIGTRAP) {
            return false;
        }
    }
    return true;
}

static uint64_t slice_cost(struct thread *t)
{
    uint32_t care = t->handled == 0 || t->handled >= CAREFUL ? 0 : CAREFUL - t->handled;
    uint32_t doubles = t->slices++ >> SLICES_SHIFT;
    return SLICE_NS << (doubles < DOUBLE_MOST + care ? doubles : DOUBLE_MOST + care) >> care;
}

bool work_slice(struct world *w, struct thread *t, int pass, struct stop *ret)
{
    if (!w->work) {
        return false;
    }
    if (t->computes.ns == 0 || t->handlers != 0) {
        begin_stint(w, t);
    }
    if (t->computes.ns == 0 || t->handlers != 0 || t->charged_ns >= t->computes.ns) {
        return false;
    }
    if (!steps(t, pass, ret)) {
        return true;
    }
    *ret = (struct stop){.kind = STOP_INTERRUPTED};
    uint64_t cost = slice_cost(t);
    uint64_t due = next_due(w, t), left = t->computes.ns - t->charged_ns;
    uint64_t room = due > w->now_ns ? due - w->now_ns : 0;
    cost = cost < left ? cost : left;
    cost = cost < room ? cost : room;
    t->charged_ns += cost;
    t->owed_ns += cost;
    w->now_ns += cost;
    return true;
}

void work_over(struct thread *t)
{
    if (t->handlers == 0) {
        t->computes.ns = 0;
    } else if (t->nr == SYS_rt_sigreturn) {
        t->handlers--;
        t->handled++;
        t->slices = 0;
    }
}

void work_signal(struct thread *t)
{
    t->handlers += t->computes.ns != 0 ? 1 : 0;
}

bool work_too_long(struct world *w, struct thread *t, uint64_t used_ns)
{
    uint64_t first = w->limits.compute_ms * 1000000;
    uint64_t charged = t->handlers == 0 ? t->computes.ns : 0;
    if (!w->work || used_ns < first || used_ns < 2 * charged) {
        return false;
    }
    uint64_t stint = charged != 0 ? t->computes.stint : w->stints;
    w->engine->found = (struct computation){stint, charged != 0 ? 2 * charged : first};
    (void)stop_run(w, ERR_LIMIT,
                   "node %s, process %s: a computation takes longer than it was charged",
                   t->proc->node->name, t->proc->comm);
    return true;
}
