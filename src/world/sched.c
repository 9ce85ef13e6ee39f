/* Running threads: one at a time, from stop to stop, until every one of them waits for something.
 *
 * A thread runs until its call blocks, until it has made QUANTUM calls, or yields; then the next in
 * the queue. A call that cannot be finished leaves its thread stopped before it, and the handler is
 * asked again whenever an object of the node has changed: handlers look at the state of the world,
 * they remember nothing. Futexes are the exception: a wake says who is woken.
 *
 * Everything that a thread does between two stops is computation on its own memory, which is the
 * same in every run; so the order of threads and the results of calls determine everything. */
#include <cpuid.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "base/assert.h"
#include "base/err.h"
#include "base/rng.h"
#include "tracee/tracee.h"
#include "world/debug_int.h"
#include "world/heap.h"
#include "world/hwrand.h"
#include "world/spin.h"
#include "world/template.h"
#include "world/world_int.h"

enum { QUANTUM = 64, MEMORY_CALLS = 32 };
#define COUNTER_NS UINT64_C(20) /* what reading the time stamp counter costs */
/* Two centuries: beyond, times would not fit. */
#define TIME_MOST (UINT64_MAX / 4)

struct thread *thread_new(struct world *w, struct proc *proc, pid_t real, int tid)
{
    struct thread *t = HEAP_NEW(w->heap, struct thread);
    heap_mark(t, HEAP_THREAD);
    t->proc = proc;
    t->real = real;
    t->tid = tid;
    t->id = ++w->next_thread;
    t->deadline_ns = NEVER_NS;
    memcpy(t->comm, proc->comm, sizeof t->comm);
    if (w->threads_tail != NULL) {
        w->threads_tail->next = t;
    } else {
        w->threads = t;
    }
    w->threads_tail = t;
    proc->n_threads++;
    proc->node->n_threads++;
    return t;
}

void thread_queue(struct world *w, struct thread *t)
{
    if (t->queued || t->state != THREAD_RUNNABLE) {
        return;
    }
    struct thread **at = w->choices ? order_place(w, t) : NULL;
    t->queued = true;
    t->run_next = at != NULL ? *at : NULL;
    if (at != NULL) {
        *at = t;
        return;
    }
    if (w->run_tail != NULL) {
        w->run_tail->run_next = t;
    } else {
        w->run_head = t;
    }
    w->run_tail = t;
}

void thread_queue_first(struct world *w, struct thread *t)
{
    t->queued = true;
    t->run_next = w->run_head;
    w->run_head = t;
    w->run_tail = w->run_tail != NULL ? w->run_tail : t;
}

void thread_unqueue(struct world *w, struct thread *t)
{
    struct thread **at = &w->run_head;
    while (*at != t) {
        at = &(*at)->run_next;
    }
    *at = t->run_next;
    w->run_tail = NULL;
    for (struct thread *last = w->run_head; last != NULL; last = last->run_next) {
        w->run_tail = last;
    }
    t->run_next = NULL;
    t->queued = false;
}

/* Takes the next thread to run: the first, or any by the seed. */
static struct thread *thread_pop(struct world *w)
{
    struct thread **at = &w->run_head;
    if (w->order == SCHED_SEEDED && w->run_head != NULL && w->run_head->run_next != NULL) {
        uint64_t n = 0;
        for (struct thread *t = w->run_head; t != NULL; t = t->run_next) {
            n++;
        }
        for (uint64_t skip = rng_below(&w->sched_rng, n); skip > 0; skip--) {
            at = &(*at)->run_next;
        }
    }
    struct thread *t = *at;
    if (t != NULL) {
        thread_unqueue(w, t);
    }
    return t;
}

/* The one that was only stopped for an event goes on first. */
static struct thread *thread_next(struct world *w)
{
    struct thread *t = w->current;
    if (t == NULL) {
        return thread_pop(w);
    }
    w->current = NULL;
    t->queued = false;
    return t;
}

void thread_free_dead(struct world *w)
{
    struct thread **at = &w->threads;
    w->threads_tail = NULL;
    while (*at != NULL) {
        struct thread *t = *at;
        if (t->state == THREAD_DEAD && !t->queued) {
            *at = t->next;
            sigqueue_free_all(w, &t->pending);
            sigqueue_free_all(w, &t->sending);
            cred_unref(w, t->cred);
            heap_free(w->heap, t);
        } else {
            w->threads_tail = t;
            at = &t->next;
        }
    }
}

static void trace_call(struct world *w, const struct thread *t, const char *name, int64_t result)
{
    if (w->engine->trace_fd < 0) {
        return;
    }
    char line[256];
    uint64_t ns = w->now_ns - START_NS;
    int n = snprintf(line, sizeof line,
                     "%llu.%09llu %s %d %s(%#llx, %#llx, %#llx, %#llx, %#llx) = %lld\n",
                     (unsigned long long)(ns / 1000000000), (unsigned long long)(ns % 1000000000),
                     t->proc->node->name, t->tid, name, (unsigned long long)t->a[0],
                     (unsigned long long)t->a[1], (unsigned long long)t->a[2],
                     (unsigned long long)t->a[3], (unsigned long long)t->a[4], (long long)result);
    if (n > 0) {
        size_t len = (size_t)n < sizeof line ? (size_t)n : sizeof line - 1;
        engine_write(w, w->engine->trace_fd, (struct str){line, len});
    }
}

static const char *call_name(long nr)
{
    const struct call_row *row = call_row(nr);
    return row != NULL ? row->name : "?";
}

static void call_over(struct thread *t)
{
    t->in_call = false;
    t->retry = false;
    t->timed_out = false;
    t->deadline_ns = NEVER_NS;
    t->deadline_real = false;
    t->futex_key = 0;
    t->futex_pi = false;
    t->has_tempmask = false;
    t->call_cookie = t->call_seen = t->lock_mark = 0;
    t->progress = 0;
    t->ahead_ns = 0;
}

/* The result goes to the shared page when the thread is resumed, or to its registers now. */
static void give_result(struct thread *t, int64_t result)
{
    if (t->page.after != 0) {
        t->page_result = result;
        t->page_done = true;
    } else if (t->ahead_ns == 0) {
        tracee_finish(t->real, &t->regs, result);
    }
}

void thread_plain(struct thread *t)
{
    if (t->page.after == 0) {
        return;
    }
    (void)tracee_call_plain(t->real, &t->page, t->a, &t->regs);
    t->page.after = 0;
    if (t->page_done) {
        t->page_done = false;
        tracee_finish(t->real, &t->regs, t->page_result);
    }
}

static bool is_quiet(const struct thread *t)
{
    const struct call_row *row = call_row(t->nr);
    return row != NULL && (row->flags & CALL_QUIET) != 0;
}

uint64_t call_args_hash(const struct thread *t)
{
    return is_quiet(t) ? 0 : hash_combine(hash_combine(t->a[0], t->a[1]), t->a[2]);
}

/* What of a result the hash knows. */
static int64_t hashed(const struct thread *t, int64_t result)
{
    return is_quiet(t) ? 0 : result;
}

void thread_complete(struct world *w, struct thread *t, int64_t result)
{
    give_result(t, result);
    t->proc->node->writes++;
    hash_u64(w, t->id);
    hash_u64(w, (uint64_t)result);
    trace_call(w, t, call_name(t->nr), result);
    call_over(t);
    t->state = THREAD_RUNNABLE;
    thread_queue(w, t);
}

void thread_restart(struct world *w, struct thread *t)
{
    thread_plain(t);
    tracee_restart(t->real, &t->regs);
    t->proc->node->writes++;
    call_over(t);
    t->state = THREAD_RUNNABLE;
    thread_queue(w, t);
}

/* ---- one stop ---- */

enum after { AFTER_GO_ON, AFTER_WAIT, AFTER_GONE, AFTER_FAILED };

static enum after unknown_call(struct world *w, struct thread *t)
{
    enum { X32 = 0x40000000 };
    const struct call_row *row = call_row(t->nr);
    const char *node = t->proc->node->name, *process = t->proc->comm;
    if (row != NULL) {
        (void)stop_run(w, ERR_UNSUPPORTED,
                       "node %s, process %s: unknown system call %s (%ld); --allow passes it on",
                       node, process, row->name, t->nr);
    } else {
        bool x32 = t->nr >= X32 && t->nr < 2 * (long)X32;
        (void)stop_run(w, ERR_UNSUPPORTED, "node %s, process %s: %s system call %ld", node, process,
                       x32 ? "x32" : "unknown", t->nr);
    }
    return AFTER_FAILED;
}

static enum after finish_call(struct world *w, struct thread *t, int64_t result)
{
    if (w->work) {
        work_result(t, result);
    }
    switch (result) {
    case CALL_BLOCK:
        t->state = THREAD_BLOCKED;
        t->block_order = ++w->next_block;
        trace_call(w, t, call_name(t->nr), result);
        return AFTER_WAIT;
    case CALL_GONE: return AFTER_GONE;
    case CALL_STOP: return AFTER_FAILED;
    case CALL_NATIVE:
        thread_plain(t);
        w->counts.native++;
        if (w->engine->recording != NULL) {
            template_note(w, t, false, 0);
        }
        trace_call(w, t, call_name(t->nr), 0);
        call_over(t);
        return AFTER_GO_ON;
    case CALL_RESUMED:
        if (w->engine->recording != NULL) {
            template_note(w, t, false, 0);
        }
        call_over(t);
        return AFTER_GO_ON;
    default:
        give_result(t, result);
        hash_u64(w, (uint64_t)hashed(t, result));
        if (w->engine->recording != NULL) {
            template_note(w, t, true, hashed(t, result));
        }
        trace_call(w, t, call_name(t->nr), result);
        call_over(t);
        return AFTER_GO_ON;
    }
}

/* Clock reads and yields without anything between them: time must pass faster and faster, or a
 * loop that polls would go on for ever. */
static void pass_time(struct world *w, struct thread *t)
{
    if (w->work) {
        work_call(w, t);
        return;
    }
    struct tracee_page *page = t->proc->node->shared.page;
    bool polling = t->nr == SYS_clock_gettime || t->nr == SYS_gettimeofday || t->nr == SYS_time ||
                   t->nr == SYS_sched_yield;
    page->spin = polling ? page->spin + 1 : 0;
    uint64_t doubles = page->spin >> BOTHERED_SHIFT;
    uint64_t cost = CALL_NS << (doubles < DOUBLE_MOST ? doubles : DOUBLE_MOST);
    w->now_ns += cost;
    proc_use(w, t->proc, cost);
}

/* What no program may go on from. */
static bool out_of_bounds(struct world *w, const struct thread *t)
{
    const char *node = t->proc->node->name, *process = t->proc->comm;
    if (++w->busy > w->limits.busy_calls) {
        (void)stop_run(w, ERR_LIMIT,
                       "node %s, process %s: %llu system calls and still busy (last: %s)%s", node,
                       process, (unsigned long long)w->busy, call_name(t->nr),
                       w->work ? "" : "; if it polls, work = \"time\" in [run] may help");
        return true;
    }
    if (heap_live(w->heap) - w->file_bytes > w->limits.kernel_bytes) {
        (void)stop_run(w, ERR_LIMIT,
                       "node %s, process %s: the simulated kernel needs more than %llu MiB "
                       "(kernel_mb; last call: %s)",
                       node, process, (unsigned long long)(w->limits.kernel_bytes >> 20),
                       call_name(t->nr));
        return true;
    }
    if (w->now_ns > TIME_MOST) {
        (void)stop_run(w, ERR_LIMIT, "node %s, process %s: the virtual time is over", node,
                       process);
        return true;
    }
    return false;
}

/* Calls that are made often, and whose handlers know nothing of registers, pass through the shared
 * page from their second time on, if the program allows. */
static void learn_call(struct world *w, struct thread *t)
{
    struct mm *mm = t->proc->mm;
    bool often = t->nr == SYS_futex || t->nr == SYS_nanosleep || t->nr == SYS_epoll_wait ||
                 t->nr == SYS_epoll_pwait || t->nr == SYS_epoll_ctl || t->nr == SYS_sched_yield;
    if (!often || w->engine->sure_ns == 0 || w->engine->debug.fn != NULL) {
        return;
    }
    for (size_t i = 0; i < mm->n_places; i++) {
        if (mm->places[i] == t->regs.rip) {
            return;
        }
    }
    if (mm->n_places < PLACES_MOST) {
        mm->places[mm->n_places++] = t->regs.rip;
        (void)tracee_call_inside(t->real, &t->proc->node->shared, &t->regs);
    }
}

/* What the thread asks for: from the shared page, or from its registers. False: it is gone. That
 * the page names a call saves looking in vain, and means nothing more. */
static bool get_call(struct world *w, struct thread *t)
{
    const struct tracee_shared *shared = &t->proc->node->shared;
    struct tracee_page *page = shared->page;
    bool named = page->call_nr != 0;
    uint64_t ns = page->sleep_ns;
    page->call_nr = page->sleep_ns = 0;
    if (named && tracee_page_call(t->real, shared, &t->page)) {
        t->nr = t->page.nr;
        t->page_ns = t->nr == SYS_nanosleep && ns < 1000000000 ? ns : 0;
        memcpy(t->a, page->call_a, sizeof t->a);
        return true;
    }
    if (!tracee_regs_get(t->real, &t->regs)) {
        return false;
    }
    const struct user_regs_struct *r = &t->regs;
    t->nr = (long)r->orig_rax;
    t->page_ns = 0;
    memcpy(t->a, (uint64_t[6]){r->rdi, r->rsi, r->rdx, r->r10, r->r8, r->r9}, sizeof t->a);
    learn_call(w, t);
    return true;
}

static enum after on_syscall(struct world *w, struct thread *t)
{
    if (t->ahead_ns == 0 && !get_call(w, t)) {
        return AFTER_GO_ON; /* killed: the next wait will tell */
    }
    if (w->engine->recording != NULL) {
        template_call(w, t);
    }
    t->in_call = true;
    work_over(t);
    w->counts.calls++;
    pass_time(w, t);
    if (t->state == THREAD_DEAD) {
        return AFTER_GONE; /* its processor time was used up */
    }
    if (out_of_bounds(w, t)) {
        return AFTER_FAILED;
    }
    struct mm *mm = t->proc->mm;
    if (mm->by_touch && ++mm->calls % MEMORY_CALLS == 0 && !memory_touched(w, t)) {
        return AFTER_FAILED;
    }
    hash_u64(w, t->id);
    hash_u64(w, (uint64_t)t->nr);
    hash_u64(w, call_args_hash(t));
    t->proc->node->calls_hash = hash_combine(t->proc->node->calls_hash, (uint64_t)t->nr);
    const struct call_row *row = call_row(t->nr);
    if (row == NULL || (row->fn == NULL && row->refuse == 0 && row->rule == TRACEE_STOP)) {
        if (t->nr >= 0 && t->nr < TRACEE_SYSCALLS && w->engine->allow[t->nr] != 0) {
            return finish_call(w, t, CALL_NATIVE);
        }
        return unknown_call(w, t);
    }
    if (row->fn != NULL) {
        int64_t result = row->fn(w, t);
        if ((row->flags & CALL_OPENS) != 0 && (result >= -4095 || result == CALL_BLOCK)) {
            net_note(t, result);
        }
        return finish_call(w, t, result);
    }
    return finish_call(w, t, row->refuse != 0 ? -row->refuse : (int64_t)CALL_NATIVE);
}

/* RDTSC, RDTSCP and CPUID are made to fault; they are answered here. */
static bool emulate_instruction(struct world *w, struct thread *t)
{
    struct user_regs_struct regs;
    uint8_t code[3] = {0};
    if (!tracee_regs_get(t->real, &regs)) {
        return false;
    }
    (void)tracee_read(t->real, TADDR(regs.rip), code, sizeof code);
    if (code[0] != 0x0f) {
        return false;
    }
    bool tsc = code[1] == 0x31, tscp = code[1] == 0x01 && code[2] == 0xf9;
    if (tsc || tscp) {
        if (w->work) {
            work_read(w, t, COUNTER_NS);
        } else {
            w->now_ns += COUNTER_NS;
        }
        w->counts.rdtsc++;
        uint64_t ticks = node_mono(t->proc->node, w->now_ns);
        regs.rax = (uint32_t)ticks;
        regs.rdx = ticks >> 32;
        regs.rcx = tscp ? 0 : regs.rcx;
        regs.rip += tscp ? 3 : 2;
        hash_u64(w, ticks);
        if (w->engine->recording != NULL) {
            template_note_ticks(w, ticks);
        }
        return tracee_regs_set(t->real, &regs);
    }
    if (code[1] == 0xa2) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        unsigned leaf = (unsigned)regs.rax;
        __cpuid_count(leaf, (unsigned)regs.rcx, a, b, c, d);
        if (leaf == 1) {
            c &= ~(1U << 30); /* RDRAND */
            b &= 0x00ffffffU; /* which processor this is */
        } else if (leaf == 7) {
            b &= ~(1U << 18 | 1U << 11 | 1U << 4); /* RDSEED, transactions */
            c &= ~(1U << 22);                      /* RDPID */
        } else if (leaf == 11 || leaf == 31) {
            d = 0; /* which processor this is */
        }
        regs.rax = a;
        regs.rbx = b;
        regs.rcx = c;
        regs.rdx = d;
        regs.rip += 2;
        return tracee_regs_set(t->real, &regs);
    }
    return false;
}

/* A signal that we sent, or a fault of the program; anything else comes from outside and is
 * dropped. */
static enum after on_signal(struct world *w, struct thread *t, const struct stop *stop,
                            int *ret_pass)
{
    int sig = stop->sig;
    *ret_pass = 0;
    if (sig == SIGSEGV && emulate_instruction(w, t)) {
        return AFTER_GO_ON;
    }
    template_cancel(w);
    if (sig == SIGILL && hwrand_answer(w, t)) {
        return AFTER_GO_ON;
    }
    enum debug_trap ours = sig == SIGTRAP ? debug_trap(w, t, stop->step) : DEBUG_NOT_OURS;
    if (ours != DEBUG_NOT_OURS) {
        return ours == DEBUG_GO_ON ? AFTER_GO_ON : AFTER_FAILED;
    }
    if (signal_stopped(w, t, sig)) {
        *ret_pass = sig;
        work_signal(t);
        w->counts.signals++;
        hash_u64(w, (uint64_t)sig);
        return AFTER_GO_ON;
    }
    if (sig == SIGSYS) {
        (void)stop_run(w, ERR_UNSUPPORTED, "node %s, process %s: a 32-bit system call",
                       t->proc->node->name, t->proc->comm);
        return AFTER_FAILED;
    }
    bool fault =
        sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL || sig == SIGTRAP;
    if (!fault) {
        return AFTER_GO_ON;
    }
    w->counts.signals++;
    hash_u64(w, (uint64_t)sig);
    if (debug_fault(w, t, sig) == DEBUG_END) {
        return AFTER_FAILED;
    }
    uint64_t mask = thread_mask(t);
    if (t->proc->hand->act[sig].handler <= 1 || (mask >> (sig - 1) & 1) != 0) {
        proc_exit(w, t->proc, sig);
        return AFTER_GONE;
    }
    *ret_pass = sig;
    return AFTER_GO_ON;
}

/* Puts the clocks of the node where its threads can read them; afterwards, sees how far they were
 * advanced. */
static void clock_out(struct world *w, const struct thread *t)
{
    const struct node *node = t->proc->node;
    struct tracee_page *page = node->shared.page;
    page->now_ns = node_mono(node, w->now_ns);
    page->epoch_ns = node_real(node, w->now_ns) - page->now_ns;
    page->read_ns = CALL_NS;
    page->spin_shift = BOTHERED_SHIFT;
    page->double_most = DOUBLE_MOST;
    page->due_ns = work_clock_due(w, t);
}

/* False: that cannot be. */
static bool clock_in(struct world *w, const struct node *node, uint64_t before, uint64_t reads)
{
    const struct tracee_page *page = node->shared.page;
    uint64_t passed = page->now_ns - before, more = page->reads - reads;
    w->now_ns += passed;
    return reads_took(more, passed);
}

/* The program has written where only our code in it should. */
static bool page_spoilt(struct world *w, const struct thread *t)
{
    (void)stop_run(w, ERR_UNSUPPORTED,
                   "node %s, process %s: it has changed the memory that it shares with the engine "
                   "(%#llx)",
                   t->proc->node->name, t->proc->comm, (unsigned long long)TRACEE_PAGE_ADDR);
    return false;
}

/* Stops a running thread. False: it had stopped already, by itself. */
static bool hold_thread(const struct thread *t, struct stop *stop)
{
    tracee_interrupt(t->proc->real, t->real);
    do {
        tracee_wait(t->real, stop);
    } while (stop->kind == STOP_INTERRUPTED);
    return stop->kind == STOP_SIGNAL && stop->sig == SIGSTOP;
}

static void stop_spinning(struct world *w, const struct thread *t, uint64_t used_ns)
{
    struct user_regs_struct regs = {0};
    (void)tracee_regs_get(t->real, &regs);
    (void)stop_run(w, ERR_LIMIT,
                   "node %s, process %s, thread %d: no system call for %llu ms of the processor; "
                   "it spins at %#llx%s",
                   t->proc->node->name, t->proc->comm, t->tid,
                   (unsigned long long)(used_ns / 1000000), (unsigned long long)regs.rip,
                   w->limits.escape_ms != 0 ? ", and is no loop that only waits" : "");
}

/* Whether a thread has used too much of the processor without a call. How much the clock shows
 * depends on what else the machine does: it counts only when something must be wrong. */
static bool spins(const struct world *w, uint64_t clock_ns, uint64_t used_ns)
{
    enum { CLOCK_TIMES = 15 };
    uint64_t most = w->limits.spin_ms * 1000000;
    return used_ns > most || clock_ns / CLOCK_TIMES > most;
}

/* Waits for the running thread, watching for interruptions and for threads that never stop. */
static bool wait_thread(struct world *w, struct thread *t, struct stop *stop)
{
    const struct tracee_page *page = t->proc->node->shared.page;
    uint64_t begin = 0, begin_cpu = 0, reads = 0, look = w->limits.escape_ms * 1000000;
    for (;;) {
        tracee_wait(t->real, stop);
        if (stop->kind != STOP_INTERRUPTED) {
            return true;
        }
        uint64_t now = tracee_clock_ns(), cpu = tracee_cpu_ns(t->proc->real);
        if (begin == 0 || (w->work && page->reads != reads)) { /* whoever reads the clock gets on */
            begin = now;
            begin_cpu = cpu;
            reads = page->reads;
        }
        bool stopped = w->engine->interrupted != NULL && *w->engine->interrupted != 0;
        bool full = t->proc->mm->by_touch && !memory_touched(w, t);
        uint64_t used = cpu - begin_cpu;
        bool too_long = spins(w, now - begin, used);
        if (stopped || full || too_long || work_too_long(w, t, used)) {
            struct stop real;
            (void)hold_thread(t, &real);
            if (stopped) {
                (void)stop_run(w, ERR_INTERRUPTED, "interrupted");
            } else if (too_long && !full) {
                stop_spinning(w, t, used);
            }
            return false;
        }
        if (look != 0 && now - begin >= look) {
            enum spin_result result = SPIN_STOPPED;
            if (hold_thread(t, stop)) {
                debug_hide(w, t, true);
                result = spin_check(w, t, stop);
                debug_hide(w, t, false);
            }
            if (result != SPIN_NONE) {
                return true;
            }
            tracee_resume(t->real, 0);
            look = 2 * (tracee_clock_ns() - begin);
        }
    }
}

/* Resumes the thread until it stops, or for one instruction when it is debugged. */
static bool run_to_stop(struct world *w, struct thread *t, int pass, struct stop *ret)
{
    if (t->at_stop) {
        t->at_stop = false;
        *ret = (struct stop){.kind = STOP_SYSCALL};
        return true;
    }
    if (ahead_next(w, t, ret)) {
        return true;
    }
    if (t->spin_length != 0 && pass == 0 && t->sending == NULL && !debug_steps(w, t)) {
        debug_hide(w, t, true);
        enum spin_result result = spin_again(t, ret);
        debug_hide(w, t, false);
        ret->step = false;
        if (result != SPIN_NONE) {
            return true;
        }
    }
    t->spin_length = 0;
    if (t->page.after != 0) {
        t->proc->node->shared.page->call_result = t->page_result;
        t->page.after = 0;
        t->page_done = false;
    }
    bool step = w->engine->debug.fn != NULL && debug_before(w, t);
    if (!step && work_slice(w, t, pass, ret)) {
        ret->step = false;
        return true;
    }
    if (step) {
        tracee_step(t->real, pass);
    } else {
        tracee_resume(t->real, pass);
    }
    w->counts.resumes++;
    bool stopped = wait_thread(w, t, ret);
    ret->step = step;
    if (step) {
        debug_after(w, t);
    }
    if (stopped && !ahead_begin(w, t, ret)) {
        return page_spoilt(w, t);
    }
    if (stopped) {
        (void)ahead_next(w, t, ret);
    }
    return stopped;
}

static enum after on_stop(struct world *w, struct thread *t, const struct stop *stop, int *ret_pass)
{
    switch (stop->kind) {
    case STOP_SYSCALL: return on_syscall(w, t);
    case STOP_EXEC:
        if (proc_prepare(w, t) < 0) {
            return AFTER_FAILED;
        }
        proc_exec_done(w, t);
        debug_exec(w, t);
        return AFTER_GO_ON;
    case STOP_SIGNAL: return on_signal(w, t, stop, ret_pass);
    case STOP_GONE: {
        int status = WIFSIGNALED(stop->status) ? WTERMSIG(stop->status) : stop->status;
        t->proc->real = t->proc->real == t->real ? 0 : t->proc->real; /* somebody else's by now */
        t->real = 0;
        t->proc->node->shared.page->call_nr = 0;
        proc_exit(w, t->proc, status); /* killed from outside */
        return AFTER_GONE;
    }
    case STOP_INTERRUPTED: return AFTER_GO_ON; /* a slice of a computation is over */
    }
    UNREACHABLE();
}

/* Lets a thread run until it waits, is gone, or has had its share. False: the run has failed. */
static bool thread_run(struct world *w, struct thread *t)
{
    struct node *node = t->proc->node;
    clock_enter(w, node);
    node->turns++;
    w->asked = false;
    t->aside = 0;
    int pass = 0;
    uint64_t begin_calls = w->counts.calls - t->quantum;
    t->quantum = 0;
    t->turn_ns = t->interrupted ? t->turn_ns : w->now_ns;
    t->interrupted = false;
    template_turn(w, t, begin_calls);
    for (;;) {
        if (pass == 0 && !signal_deliver(w, t)) {
            return true;
        }
        if (t->proc->stopped) {
            return true; /* queued again by SIGCONT */
        }
        clock_out(w, t);
        ahead_allow(w, t);
        uint64_t before = node->shared.page->now_ns, reads = node->shared.page->reads;
        node->shared.page->spin = w->work ? t->polls : node->shared.page->spin;
        bool again = t->spin_length != 0;
        struct stop stop;
        if (!run_to_stop(w, t, pass, &stop)) {
            return false;
        }
        if (!clock_in(w, node, before, reads)) {
            return page_spoilt(w, t);
        }
        if (w->work) {
            t->polls = node->shared.page->spin;
            t->owed_ns += node->shared.page->now_ns - before;
        }
        pass = 0;
        node->runs += again && t->spin_length != 0 ? 0 : 1; /* going round changes nothing */
        if (t->spin_length != 0) {
            t->state = THREAD_SPINNING;
            t->spin_runs = node->runs;
            return true;
        }
        switch (on_stop(w, t, &stop, &pass)) {
        case AFTER_GO_ON: break;
        case AFTER_WAIT: signal_check_blocked(w, t); return true;
        case AFTER_GONE: return true;
        case AFTER_FAILED: return false;
        }
        if (pass == 0 &&
            (t->yielded || w->counts.calls - begin_calls >= QUANTUM || work_turn_over(w, t))) {
            t->yielded = false;
            thread_queue(w, t);
            return true;
        }
        if (pass == 0 && (work_due(w, t) || order_pauses(w, t, stop.kind))) {
            t->quantum = w->counts.calls - begin_calls;
            t->interrupted = t->queued = true;
            w->current = t;
            return true;
        }
    }
}

/* ---- threads that wait ---- */

/* Asks the handlers of all waiting threads of a node again, in the order in which they began to
 * wait. False: the run has failed. */
static bool node_retry(struct world *w, struct node *node)
{
    node->changed = false;
    clock_enter(w, node);
    uint64_t last = 0;
    for (;;) {
        struct thread *first = NULL;
        for (struct thread *t = w->threads; t != NULL; t = t->next) {
            if (t->state == THREAD_BLOCKED && t->proc->node == node && !t->held &&
                t->block_order > last && (t->futex_key == 0 || t->futex_woken || t->timed_out) &&
                (first == NULL || t->block_order < first->block_order)) {
                first = t;
            }
        }
        if (first == NULL) {
            return true;
        }
        last = first->block_order;
        first->retry = true;
        int64_t result = call_row(first->nr)->fn(w, first);
        if (result == CALL_STOP) {
            return false;
        }
        if (result == CALL_RESUMED) {
            call_over(first);
            first->state = THREAD_RUNNABLE;
            thread_queue(w, first);
        } else if (result != CALL_BLOCK && result != CALL_GONE) {
            thread_complete(w, first, result);
        }
    }
}

static bool retry_changed(struct world *w)
{
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        if (w->nodes[i]->changed && w->nodes[i]->state == NODE_UP && !node_retry(w, w->nodes[i])) {
            return false;
        }
    }
    return true;
}

static int run_all(struct world *w, struct err *err)
{
    w->busy = 0;
    for (;;) {
        if (w->engine->interrupted != NULL && *w->engine->interrupted != 0) {
            return err_set(err, ERR_INTERRUPTED, 0, "interrupted");
        }
        if (!retry_changed(w)) {
            *err = w->engine->err;
            return -(int)err->code;
        }
        if (order_open(w) ||
            (work_due(w, w->current) && (w->current != NULL || w->run_head != NULL))) {
            return 0;
        }
        struct thread *t = thread_next(w);
        if (t == NULL) {
            bool changed = false;
            for (uint32_t i = 0; i < w->n_nodes; i++) {
                changed = changed || (w->nodes[i]->changed && w->nodes[i]->state == NODE_UP);
            }
            if (!changed && spin_wake(w)) {
                continue;
            }
            if (!changed) {
                thread_free_dead(w);
                conn_flush_all(w);
                conn_collect(w);
                return 0;
            }
            continue;
        }
        if (t->state != THREAD_RUNNABLE || t->proc->node->state != NODE_UP || t->proc->stopped ||
            t->held) {
            w->asked = false;
            continue; /* dead, or parked until it is queued again */
        }
        if (order_asks(w, t)) {
            return 0;
        }
        if (!thread_run(w, t)) {
            *err = w->engine->err;
            return -(int)err->code;
        }
    }
}

int sched_run(struct world *w, struct err *err)
{
    if (w->run_head == NULL && w->current == NULL) { /* cheap when there is nothing to run */
        bool changed = false;
        for (uint32_t i = 0; i < w->n_nodes; i++) {
            changed = changed || w->nodes[i]->changed;
        }
        if (!changed) {
            thread_free_dead(w);
            conn_collect(w);
            return 0;
        }
    }
    if (w->engine->held) {
        return run_all(w, err);
    }
    tracee_same_counter(true);
    int status = run_all(w, err);
    tracee_same_counter(false);
    return status;
}

void world_hold(struct world *w, bool on)
{
    w->engine->held = on;
    tracee_same_counter(on);
}
