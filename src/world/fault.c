/* Faults that last: links that are slow, lossy or narrow, disks that take their time, memory that
 * is used up; and the end of one process of a node.
 *
 * A packet of a connection is never lost: TCP sends it again, so that loss is delay (200 ms, then
 * twice as long each time; a second to begin with for the first packet of a connection). What is
 * drawn is drawn only on links that have a fault, so that other runs stay what they are. */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/types.h>

#include "base/rng.h"
#include "base/str.h"
#include "tracee/tracee.h"
#include "world/heap.h"
#include "world/socket.h"
#include "world/world_int.h"

enum { RESEND_MOST = 10, HEADER_BYTES = 40 };
#define RESEND_NS  UINT64_C(200000000)
#define CONNECT_NS UINT64_C(1000000000)
#define SECOND_NS  UINT64_C(1000000000)
#define LITTLE     4096 /* bytes: nothing more can be had */

static struct link *link_of(const struct world *w, uint32_t from, uint32_t to)
{
    return &w->links[from * w->n_nodes + to];
}

void links_init(struct world *w)
{
    size_t n = (size_t)w->n_nodes * w->n_nodes;
    w->links = heap_alloc(w->heap, (n + 1) * sizeof *w->links);
    memset(w->links, 0, (n + 1) * sizeof *w->links);
    for (size_t i = 0; i < n; i++) {
        w->links[i].loss_ppm = w->net.loss_ppm;
        w->links[i].bytes_per_s = w->net.bytes_per_s;
    }
}

void link_set(struct world *w, const struct event *event)
{
    struct link *link = link_of(w, event->node, event->peer);
    uint64_t value = (uint64_t)event->arg;
    switch (event->kind) {
    case EV_SLOW: link->slow_ns = value; break;
    case EV_LOSSY: link->loss_ppm = value != 0 ? (uint32_t)value : w->net.loss_ppm; break;
    default: link->bytes_per_s = value != 0 ? value : w->net.bytes_per_s; break;
    }
}

void link_heal(struct world *w, uint32_t from, uint32_t to)
{
    struct link *link = link_of(w, from, to);
    link->slow_ns = 0;
    link->loss_ppm = w->net.loss_ppm;
    link->bytes_per_s = w->net.bytes_per_s;
}

/* How much later a packet arrives because of its link. */
uint64_t link_delay(struct world *w, const struct packet *p, struct rng *rng)
{
    struct link *link = link_of(w, p->from->index, p->to->index);
    uint64_t delay = link->slow_ns;
    if (p->from == p->to) {
        return 0;
    }
    uint64_t again = p->kind == PK_SYN ? CONNECT_NS : RESEND_NS;
    for (int i = 0; p->conn != NULL && link->loss_ppm != 0 && i < RESEND_MOST; i++) {
        if (rng_below(rng, 1000000) >= link->loss_ppm) {
            break;
        }
        delay += again;
        again *= 2;
    }
    if (link->bytes_per_s != 0) { /* one after the other */
        uint64_t begin = link->busy_ns > w->now_ns ? link->busy_ns : w->now_ns;
        link->busy_ns = begin + (p->n + HEADER_BYTES) * SECOND_NS / link->bytes_per_s;
        delay += link->busy_ns - w->now_ns;
    }
    return delay;
}

/* Whether a datagram does not arrive. */
bool link_loses(struct world *w, const struct packet *p, struct rng *rng)
{
    uint32_t ppm = link_of(w, p->from->index, p->to->index)->loss_ppm;
    return ppm != 0 && rng_below(rng, 1000000) < ppm;
}

/* ---- disks ---- */

int64_t disk_wait(const struct world *w, struct thread *t)
{
    uint64_t slow = t->proc->node->disk_slow_ns;
    if (slow == 0 || t->timed_out) {
        return 0;
    }
    return block_until(t, deadline_after(w, t->proc->node, slow));
}

/* ---- memory ---- */

uint64_t memory_most(const struct world *w, const struct node *node)
{
    return node->memory_most != 0 ? node->memory_most : w->limits.memory_bytes;
}

/* The real kernel refuses more than that; what a process has it keeps. */
void memory_limit(struct world *w, struct node *node, int64_t bytes)
{
    bool full = bytes == MEMORY_FULL;
    node->memory_most = full ? LITTLE : (uint64_t)bytes;
    for (const struct proc *p = node->procs; p != NULL; p = p->next) {
        if (p->state == PROC_LIVE && p->real > 0) {
            bool free = node->memory_most == 0 && p->mm->by_touch;
            (void)tracee_limit_data(p->real, free ? 0 : memory_most(w, node));
        }
    }
}

/* ---- one process ---- */

/* The k-th of those that fit, in the order of birth, counted around; never the first process of
 * the node, which is the node. */
struct proc *proc_victim(const struct node *node, const struct event *event)
{
    uint64_t n = 0, at = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (struct proc *p = node->procs; p != NULL; p = p->next) {
            bool fits = p != node->first && p->state == PROC_LIVE && p->real > 0 &&
                        (event->command.n == 0 || str_is(event->command, p->comm));
            if (fits && pass == 1 && at++ == (uint64_t)event->arg % n) {
                return p;
            }
            n += fits && pass == 0 ? 1 : 0;
        }
        if (n == 0) {
            return NULL;
        }
    }
    return NULL;
}

void proc_kill_one(struct world *w, const struct event *event)
{
    struct proc *victim = proc_victim(w->nodes[event->node], event);
    signal_send_simple(w, victim, SIGKILL, SI_USER, 0);
}
