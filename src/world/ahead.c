/* Threads that go on by themselves while nothing else can happen.
 *
 * A thread that sleeps, wakes, looks around and sleeps again (Go has one in every process) would
 * stop for each sleep. When every other thread waits, no event is due before the sleep ends, and
 * whoever chooses events has promised to take the next that is due, it is clear what will happen:
 * the timer of this node, then the same thread. So the thread is told until when this holds and is
 * not stopped by its sleeps (tracee/call_code.c); it writes them down. Afterwards each of them
 * happens here, as if the thread had stopped: with its call, its quiet world, its event, its
 * hashes. Only the thread itself is further on than the world is, which nobody can see. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/syscall.h>

#include "base/assert.h"
#include "tracee/tracee.h"
#include "world/world.h"
#include "world/world_int.h"

void world_sure_until(struct world *w, uint64_t ns)
{
    w->engine->sure_ns = ns == 0 ? 0 : world_at(ns);
}

/* Whether the next that happens is this thread's, unless an event is due. It must be the first that
 * runs since the world was quiet, because of what is done whenever it becomes so. */
static bool is_alone(const struct world *w, const struct thread *t)
{
    const struct engine *engine = w->engine;
    const struct proc *proc = t->proc;
    if (w->busy != 0 || t->nr != SYS_nanosleep || w->run_head != NULL || t->sending != NULL ||
        w->local_clocks || proc->node->rate_ppb != 0 ||
        proc->node->rate_mono_ns != proc->node->rate_at_ns || proc->cpu_timers[0].due_ns != 0 ||
        proc->cpu_timers[1].due_ns != 0 || engine->debug.fn != NULL || engine->recording != NULL ||
        w->limits.escape_ms != 0 || w->work) {
        return false;
    }
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        if (w->nodes[i]->changed && w->nodes[i]->state == NODE_UP) {
            return false;
        }
    }
    for (const struct thread *other = w->threads; other != NULL; other = other->next) {
        if (other->state == THREAD_SPINNING) {
            return false;
        }
    }
    return true;
}

void ahead_allow(struct world *w, const struct thread *t)
{
    struct tracee_page *page = t->proc->node->shared.page;
    struct event next;
    page->sleep_until_ns = w->ahead.until_ns = 0;
    if (w->engine->sure_ns <= w->now_ns || w->ahead.t != NULL || !is_alone(w, t)) {
        return;
    }
    uint64_t sure = w->engine->sure_ns;
    page->sleeps = 0;
    w->ahead.until_ns = world_next(w, &next) && next.at_ns < sure ? next.at_ns : sure;
    w->ahead.from_ns = page->now_ns;
    w->ahead.from_reads = page->reads;
    page->sleep_until_ns = w->ahead.until_ns;
}

/* The program can write to the page. Whatever stands there must be what our code could have
 * written: sleeps one after the other, before the time that was set, with nothing but clock reads
 * between them. */
static bool could_be(const struct ahead *ahead, const struct tracee_page *page)
{
    uint64_t now = ahead->from_ns, reads = ahead->from_reads;
    bool good = page->sleeps <= TRACEE_SLEEPS;
    for (uint64_t i = 0; good && i < page->sleeps; i++) {
        const struct tracee_sleep *sleep = &page->sleep[i];
        good = reads_took(sleep->reads - reads, sleep->now_ns - now) && sleep->ns != 0 &&
               sleep->ns < 1000000000;
        now = sleep->now_ns + CALL_NS + sleep->ns;
        good = good && now < ahead->until_ns;
        reads = sleep->reads;
    }
    return good;
}

bool ahead_begin(struct world *w, struct thread *t, const struct stop *stop)
{
    const struct tracee_page *page = t->proc->node->shared.page;
    if (w->ahead.until_ns == 0 || page->sleeps == 0) {
        return true;
    }
    if (!could_be(&w->ahead, page)) {
        return false;
    }
    w->ahead = (struct ahead){.t = t,
                              .n = page->sleeps,
                              .stop = *stop,
                              .now_ns = page->now_ns,
                              .reads = page->reads,
                              .spin = page->spin};
    return true;
}

bool ahead_next(struct world *w, struct thread *t, struct stop *ret)
{
    struct ahead *ahead = &w->ahead;
    struct tracee_page *page = t->proc->node->shared.page;
    if (ahead->t != t) {
        return false;
    }
    /* Otherwise whoever promised to take what is due has not done so. */
    ASSERT(ahead->at == 0 || page->now_ns == ahead->end_ns);
    if (ahead->at < ahead->n) {
        const struct tracee_sleep *sleep = &page->sleep[ahead->at++];
        page->now_ns = sleep->now_ns;
        page->reads = sleep->reads;
        memcpy(t->a, sleep->a, sizeof sleep->a);
        t->nr = SYS_nanosleep;
        t->ahead_ns = t->page_ns = sleep->ns;
        ahead->end_ns = sleep->now_ns + CALL_NS + sleep->ns;
        *ret = (struct stop){.kind = STOP_SYSCALL};
        return true;
    }
    page->now_ns = ahead->now_ns;
    page->reads = ahead->reads;
    page->spin = ahead->spin;
    *ret = ahead->stop;
    ahead->t = NULL;
    return true;
}
