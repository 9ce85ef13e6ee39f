/* Debugging. A breakpoint is an int3 instruction in the memory of one process. A thread that hits
 * it stands behind it and is moved back; when it goes on, the original byte is put in place for one
 * instruction, which no other thread can miss, since none runs. A child made by fork has copies of
 * the breakpoints: it stops there as well, and goes on with the original byte. */
#include "world/debug.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "tracee/tracee.h"
#include "world/debug_int.h"
#include "world/world.h"
#include "world/world_int.h"

static const uint8_t trap = 0xcc;

static struct thread *find_thread(const struct world *w, uint32_t node, int tid)
{
    struct thread *t = node < w->n_nodes ? thread_find(w, w->nodes[node], tid) : NULL;
    return t != NULL && t->real != 0 ? t : NULL;
}

static struct proc *find_proc(const struct world *w, uint32_t node, int pid)
{
    struct proc *p = node < w->n_nodes ? proc_find(w->nodes[node], pid) : NULL;
    return p != NULL && p->state == PROC_LIVE ? p : NULL;
}

size_t debug_threads(const struct world *w, uint32_t node, struct debug_thread *ret, size_t cap)
{
    size_t n = 0;
    for (const struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state == THREAD_DEAD || t->proc->node->index != node || t->real == 0) {
            continue;
        }
        if (n < cap) {
            const struct call_row *row = t->in_call ? call_row(t->nr) : NULL;
            ret[n] = (struct debug_thread){
                .pid = t->proc->pid,
                .tid = t->tid,
                .exe = t->proc->exe,
                .call = row != NULL ? row->name : NULL,
            };
            memcpy(ret[n].name, t->comm, sizeof ret[n].name);
        }
        n++;
    }
    return n;
}

bool debug_regs_get(const struct world *w, uint32_t node, int tid, struct debug_regs *ret)
{
    const struct thread *t = find_thread(w, node, tid);
    return t != NULL && tracee_regs_get(t->real, &ret->general) &&
           tracee_fpregs_get(t->real, &ret->fp);
}

bool debug_regs_set(struct world *w, uint32_t node, int tid, const struct debug_regs *regs)
{
    struct thread *t = find_thread(w, node, tid);
    if (t == NULL || !tracee_regs_set(t->real, &regs->general) ||
        !tracee_fpregs_set(t->real, &regs->fp)) {
        return false;
    }
    t->proc->node->writes++;
    if (t->in_call) {
        t->regs = regs->general; /* they are set again when the call ends */
    }
    return true;
}

/* ---- memory ---- */

size_t debug_read(const struct world *w, uint32_t node, int pid, uint64_t from, void *to, size_t n)
{
    const struct proc *p = find_proc(w, node, pid);
    size_t got = p != NULL ? tracee_read(p->real, TADDR(from), to, n) : 0;
    const struct debug *d = &w->engine->debug;
    for (size_t i = 0; i < d->n && d->node == node && d->pid == pid; i++) {
        if (d->breaks[i].addr - from < got) {
            ((uint8_t *)to)[d->breaks[i].addr - from] = d->breaks[i].old;
        }
    }
    return got;
}

size_t debug_write(struct world *w, uint32_t node, int pid, uint64_t to, const void *from, size_t n)
{
    const struct proc *p = find_proc(w, node, pid);
    if (p != NULL) {
        p->node->writes++;
    }
    if (p == NULL || !tracee_poke(p->real, TADDR(to), from, n)) {
        return 0;
    }
    struct debug *d = &w->engine->debug;
    for (size_t i = 0; i < d->n && d->node == node && d->pid == pid; i++) {
        if (d->breaks[i].addr - to < n) {
            d->breaks[i].old = ((const uint8_t *)from)[d->breaks[i].addr - to];
            (void)tracee_poke(p->real, TADDR(d->breaks[i].addr), &trap, 1);
        }
    }
    return n;
}

void debug_auxv(const struct world *w, uint32_t node, int pid, struct strbuf *out)
{
    const struct proc *p = find_proc(w, node, pid);
    char path[64], bytes[4096];
    (void)snprintf(path, sizeof path, "/proc/%d/auxv", p != NULL ? (int)p->real : 0);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes) : 0;
    if (n > 0) {
        strbuf_add(out, bytes, (size_t)n);
    }
    if (fd >= 0) {
        (void)close(fd);
    }
}

/* ---- stopping ---- */

void debug_attach(struct world *w, uint32_t node, int pid, debug_stop_fn fn, void *arg)
{
    struct debug *d = &w->engine->debug;
    const struct proc *p = find_proc(w, d->node, d->pid);
    for (size_t i = 0; i < d->n && p != NULL; i++) {
        (void)tracee_poke(p->real, TADDR(d->breaks[i].addr), &d->breaks[i].old, 1);
    }
    *d = (struct debug){.node = node, .pid = pid, .fn = fn, .arg = arg};
}

static struct debug_break *find_break(struct debug *d, uint64_t addr)
{
    for (size_t i = 0; i < d->n; i++) {
        if (d->breaks[i].addr == addr) {
            return &d->breaks[i];
        }
    }
    return NULL;
}

bool debug_break(struct world *w, uint64_t addr, bool on)
{
    struct debug *d = &w->engine->debug;
    const struct proc *p = find_proc(w, d->node, d->pid);
    struct debug_break *b = find_break(d, addr);
    if (p == NULL || (b != NULL) == on) {
        return p != NULL;
    }
    if (b != NULL) {
        (void)tracee_poke(p->real, TADDR(addr), &b->old, 1);
        *b = d->breaks[--d->n];
        return true;
    }
    struct debug_break made = {.addr = addr};
    if (d->n == DEBUG_BREAKS || tracee_read(p->real, TADDR(addr), &made.old, 1) != 1 ||
        !tracee_poke(p->real, TADDR(addr), &trap, 1)) {
        return false;
    }
    d->breaks[d->n++] = made;
    return true;
}

void debug_step(struct world *w, int tid)
{
    w->engine->debug.step = tid;
}

/* ---- for the scheduler ---- */

static bool is_ours(const struct debug *d, const struct thread *t)
{
    return d->fn != NULL && t->proc->node->index == d->node && t->proc->pid == d->pid;
}

bool debug_before(struct world *w, struct thread *t)
{
    struct debug *d = &w->engine->debug;
    struct user_regs_struct regs;
    d->lifted = 0;
    if (!is_ours(d, t) || !tracee_regs_get(t->real, &regs)) {
        return false;
    }
    const struct debug_break *b = find_break(d, regs.rip);
    if (b != NULL) {
        (void)tracee_poke(t->real, TADDR(b->addr), &b->old, 1);
        d->lifted = b->addr;
    }
    return b != NULL || d->step == t->tid;
}

void debug_hide(struct world *w, const struct thread *t, bool hide)
{
    const struct debug *d = &w->engine->debug;
    for (size_t i = 0; i < d->n && is_ours(d, t); i++) {
        (void)tracee_poke(t->real, TADDR(d->breaks[i].addr), hide ? &d->breaks[i].old : &trap, 1);
    }
}

bool debug_steps(const struct world *w, const struct thread *t)
{
    const struct debug *d = &w->engine->debug;
    return is_ours(d, t) && d->step == t->tid;
}

void debug_after(struct world *w, struct thread *t)
{
    struct debug *d = &w->engine->debug;
    if (d->lifted != 0) {
        (void)tracee_poke(t->real, TADDR(d->lifted), &trap, 1);
        d->lifted = 0;
    }
}

static enum debug_trap report(struct world *w, struct thread *t, int sig)
{
    struct debug *d = &w->engine->debug;
    d->step = 0;
    tracee_same_counter(false);
    bool go_on = d->fn(d->arg, &(struct debug_stop){t->tid, sig});
    tracee_same_counter(true);
    if (!go_on) {
        (void)stop_run(w, ERR_INTERRUPTED, "ended by the debugger");
    }
    return go_on ? DEBUG_GO_ON : DEBUG_END;
}

/* A breakpoint, the end of a step, or nothing of ours. */
enum debug_trap debug_trap(struct world *w, struct thread *t, bool stepped)
{
    struct debug *d = &w->engine->debug;
    struct user_regs_struct regs;
    if (d->fn == NULL || !tracee_regs_get(t->real, &regs)) {
        return DEBUG_NOT_OURS;
    }
    if (stepped) {
        return d->step == t->tid && is_ours(d, t) ? report(w, t, SIGTRAP) : DEBUG_GO_ON;
    }
    const struct debug_break *b = find_break(d, regs.rip - 1);
    if (b == NULL || t->proc->node->index != d->node) {
        return DEBUG_NOT_OURS;
    }
    regs.rip--;
    (void)tracee_regs_set(t->real, &regs);
    if (!is_ours(d, t)) { /* a child with a copy of it */
        (void)tracee_poke(t->real, TADDR(b->addr), &b->old, 1);
        return DEBUG_GO_ON;
    }
    return report(w, t, SIGTRAP);
}

/* The program is about to get a signal for something that it did. */
enum debug_trap debug_fault(struct world *w, struct thread *t, int sig)
{
    struct debug *d = &w->engine->debug;
    return is_ours(d, t) ? report(w, t, sig) : DEBUG_NOT_OURS;
}

/* A new program is in its place: the breakpoints went with the old one. */
void debug_exec(struct world *w, const struct thread *t)
{
    struct debug *d = &w->engine->debug;
    if (is_ours(d, t)) {
        d->n = 0;
        d->step = 0;
    }
}
