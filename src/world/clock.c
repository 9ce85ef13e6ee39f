/* Time: the clocks of the nodes, sleeping, and timers that send signals (timerfd is in events.c).
 *
 * There is one virtual clock, world->now_ns. A node's monotonic clock runs faster or slower by its
 * drift; its realtime clock is that plus the epoch, its skew and all jumps. Deadlines are kept in
 * world time. They wake nobody by themselves: the event EV_TIMER of the node does (node_fire).
 *
 * With local clocks every node has a world time of its own. One thread runs at a time, so
 * world->now_ns is simply exchanged when another node comes to run (clock_enter). */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>

#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

enum { SECOND = 1000000000 };

void clock_enter(struct world *w, struct node *node)
{
    if (!w->local_clocks || w->clock_node == node) {
        return;
    }
    if (w->clock_node != NULL) {
        w->clock_node->now_ns = w->now_ns;
    }
    w->clock_node = node;
    w->now_ns = node->now_ns;
}

bool reads_took(uint64_t reads, uint64_t ns)
{
    const uint64_t most = UINT64_C(1) << 40; /* nobody waits for that many */
    return reads <= most && ns >= reads * CALL_NS && ns <= reads * (CALL_NS << DOUBLE_MOST);
}

uint64_t node_now(const struct world *w, const struct node *node)
{
    return !w->local_clocks || w->clock_node == node ? w->now_ns : node->now_ns;
}

uint64_t node_mono(const struct node *node, uint64_t world_ns)
{
    int64_t passed = (int64_t)(world_ns - node->rate_at_ns);
    return node->rate_mono_ns + (uint64_t)passed +
           (uint64_t)(int64_t)((__int128)passed * node->rate_ppb / SECOND);
}

uint64_t node_until(const struct node *node, uint64_t mono_ns)
{
    if (mono_ns == NEVER_NS || mono_ns < node->rate_mono_ns) {
        return mono_ns == NEVER_NS ? NEVER_NS : node->rate_at_ns - (node->rate_mono_ns - mono_ns);
    }
    if (node->rate_ppb == 0) {
        return node->rate_at_ns + (mono_ns - node->rate_mono_ns);
    }
    __int128 passed = (__int128)(mono_ns - node->rate_mono_ns) * SECOND;
    __int128 rate = SECOND + node->rate_ppb;
    return node->rate_at_ns + (uint64_t)((passed + rate - 1) / rate);
}

uint64_t node_real(const struct node *node, uint64_t world_ns)
{
    return node_mono(node, world_ns) + EPOCH_NS + (uint64_t)node->skew_ns;
}

static uint64_t add_ns(uint64_t a, uint64_t b)
{
    return a + b < a ? NEVER_NS : a + b;
}

uint64_t deadline_after(const struct world *w, const struct node *node, uint64_t ns)
{
    return node_until(node, add_ns(node_mono(node, w->now_ns), ns));
}

static bool clock_is_real(int clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI ||
           clock == CLOCK_REALTIME_ALARM;
}

uint64_t deadline_at(const struct node *node, int clock, uint64_t ns)
{
    if (clock_is_real(clock)) {
        uint64_t offset = EPOCH_NS + (uint64_t)node->skew_ns;
        ns = ns > offset ? ns - offset : 0;
    }
    return node_until(node, ns);
}

void node_jump(struct world *w, struct node *node, int64_t ns)
{
    node->skew_ns += ns;
    /* Whoever waits for a time of day is now nearer to it, or further away. */
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->proc->node == node && t->deadline_real && t->deadline_ns != NEVER_NS) {
            int64_t left = (int64_t)(t->deadline_ns - w->now_ns) - ns;
            t->deadline_ns = left > 0 ? w->now_ns + (uint64_t)left : w->now_ns;
        }
    }
    for (struct ktimer *timer = node->timers; timer != NULL; timer = timer->next) {
        if (timer->realtime_abs && timer->deadline_ns != NEVER_NS) {
            int64_t left = (int64_t)(timer->deadline_ns - w->now_ns) - ns;
            timer->deadline_ns = left > 0 ? w->now_ns + (uint64_t)left : w->now_ns;
        }
    }
}

/* ---- reading clocks ---- */

/* Processor time of a process or thread, by the number that clock_getcpuclockid(3) makes. Where
 * work takes no time there is one such clock in a process. */
static int64_t clock_of_work(const struct world *w, const struct thread *t, int clock,
                             uint64_t *ret)
{
    enum { OF_THREAD = 4 };
    const struct node *node = t->proc->node;
    int id = ~(clock >> 3);
    const struct proc *proc = id == 0 ? t->proc : proc_find(node, id);
    const struct thread *thread = id == 0 ? t : thread_find(w, node, id);
    *ret = t->proc->utime_ns;
    if (proc == NULL && thread == NULL) {
        return -EINVAL;
    }
    if (w->work) {
        bool one = (clock & OF_THREAD) != 0 && thread != NULL;
        *ret = one ? thread->utime_ns : proc != NULL ? proc->utime_ns : thread->proc->utime_ns;
    }
    return 0;
}

static int64_t clock_now(const struct world *w, const struct thread *t, int clock, uint64_t *ret)
{
    const struct node *node = t->proc->node;
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI: *ret = node_real(node, w->now_ns); return 0;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM: *ret = node_mono(node, w->now_ns); return 0;
    case CLOCK_PROCESS_CPUTIME_ID: *ret = t->proc->utime_ns; return 0;
    case CLOCK_THREAD_CPUTIME_ID: *ret = w->work ? t->utime_ns : t->proc->utime_ns; return 0;
    default: return clock < 0 && (clock & 7) != 3 ? clock_of_work(w, t, clock, ret) : -EINVAL;
    }
}

static struct timespec to_timespec(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / SECOND), (long)(ns % SECOND)};
}

int64_t call_clock_gettime(struct world *w, struct thread *t)
{
    uint64_t ns = 0;
    int64_t status = clock_now(w, t, (int)t->a[0], &ns);
    struct timespec ts = to_timespec(ns);
    if (status != 0) {
        return status;
    }
    return mem_write(t, t->a[1], &ts, sizeof ts) ? 0 : -EFAULT;
}

int64_t call_clock_getres(struct world *w, struct thread *t)
{
    uint64_t ns = 0;
    int clock = (int)t->a[0];
    int64_t status = clock_now(w, t, clock, &ns);
    bool coarse = clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE;
    struct timespec ts = {0, coarse ? 4000000 : 1};
    if (status != 0) {
        return status;
    }
    return t->a[1] == 0 || mem_write(t, t->a[1], &ts, sizeof ts) ? 0 : -EFAULT;
}

int64_t call_gettimeofday(struct world *w, struct thread *t)
{
    uint64_t ns = node_real(t->proc->node, w->now_ns);
    struct timeval tv = {(time_t)(ns / SECOND), (suseconds_t)(ns % SECOND / 1000)};
    struct timezone zone = {0, 0};
    if ((t->a[0] != 0 && !mem_write(t, t->a[0], &tv, sizeof tv)) ||
        (t->a[1] != 0 && !mem_write(t, t->a[1], &zone, sizeof zone))) {
        return -EFAULT;
    }
    return 0;
}

int64_t call_time(struct world *w, struct thread *t)
{
    int64_t seconds = (int64_t)(node_real(t->proc->node, w->now_ns) / SECOND);
    if (t->a[0] != 0 && !mem_write(t, t->a[0], &seconds, sizeof seconds)) {
        return -EFAULT;
    }
    return seconds;
}

int64_t call_times(struct world *w, struct thread *t)
{
    struct tms tms = {.tms_utime = (clock_t)(t->proc->utime_ns / 10000000),
                      .tms_cutime = (clock_t)(t->proc->children_ns / 10000000)};
    if (t->a[0] != 0 && !mem_write(t, t->a[0], &tms, sizeof tms)) {
        return -EFAULT;
    }
    return (int64_t)(node_mono(t->proc->node, w->now_ns) / 10000000);
}

int64_t call_getrusage(struct world *w, struct thread *t)
{
    int who = (int)t->a[0];
    if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != RUSAGE_THREAD) {
        return -EINVAL;
    }
    uint64_t ns = who == RUSAGE_CHILDREN            ? t->proc->children_ns
                  : who == RUSAGE_THREAD && w->work ? t->utime_ns
                                                    : t->proc->utime_ns;
    struct rusage usage = {
        .ru_utime = {(time_t)(ns / SECOND), (suseconds_t)(ns % SECOND / 1000)},
        .ru_maxrss = 65536,
    };
    return mem_write(t, t->a[1], &usage, sizeof usage) ? 0 : -EFAULT;
}

/* ---- sleeping ---- */

static int64_t sleep_until(struct world *w, struct thread *t, uint64_t deadline)
{
    return deadline <= w->now_ns ? 0 : block_until(t, deadline);
}

static int64_t sleep_on(const struct thread *t)
{
    return t->timed_out ? 0 : (int64_t)CALL_BLOCK;
}

int64_t call_nanosleep(struct world *w, struct thread *t)
{
    if (t->retry) {
        return sleep_on(t);
    }
    uint64_t ns = t->page_ns;
    int64_t status = ns != 0 ? 0 : mem_timespec(t, t->a[0], &ns);
    return status != 0 ? status : sleep_until(w, t, deadline_after(w, t->proc->node, ns));
}

int64_t call_clock_nanosleep(struct world *w, struct thread *t)
{
    if (t->retry) {
        return sleep_on(t);
    }
    int clock = (int)t->a[0];
    uint64_t ns = 0, now = 0;
    if (clock == CLOCK_THREAD_CPUTIME_ID || clock_now(w, t, clock, &now) != 0) {
        return -EINVAL;
    }
    int64_t status = mem_timespec(t, t->a[2], &ns);
    if (status != 0) {
        return status;
    }
    if ((t->a[1] & TIMER_ABSTIME) == 0) {
        return sleep_until(w, t, deadline_after(w, t->proc->node, ns));
    }
    t->deadline_real = clock_is_real(clock);
    return sleep_until(w, t, deadline_at(t->proc->node, clock, ns));
}

/* A sleep ended by a signal: the rest of the time goes to the program. */
void sleep_interrupted(struct world *w, struct thread *t)
{
    uint64_t at = t->nr == SYS_nanosleep ? t->a[1] : t->a[3];
    bool relative = t->nr == SYS_nanosleep || (t->a[1] & TIMER_ABSTIME) == 0;
    if (at != 0 && relative) {
        uint64_t left = t->deadline_ns > w->now_ns ? t->deadline_ns - w->now_ns : 0;
        struct timespec ts = to_timespec(left);
        (void)mem_write(t, at, &ts, sizeof ts);
    }
}

/* ---- timers ---- */

struct ktimer *timer_new(struct world *w, struct node *node)
{
    struct ktimer *timer = HEAP_NEW(w->heap, struct ktimer);
    timer->node = node;
    timer->deadline_ns = NEVER_NS;
    struct ktimer **at = &node->timers;
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = timer;
    return timer;
}

void timer_free(struct world *w, struct ktimer *timer)
{
    if (timer == NULL) {
        return;
    }
    for (struct ktimer **at = &timer->node->timers; *at != NULL; at = &(*at)->next) {
        if (*at == timer) {
            *at = timer->next;
            break;
        }
    }
    heap_free(w->heap, timer);
}

uint64_t timer_overruns(struct world *w, struct ktimer *timer)
{
    if (timer->deadline_ns > w->now_ns) {
        return 0;
    }
    if (timer->interval_ns == 0) {
        timer->deadline_ns = NEVER_NS;
        return 1;
    }
    uint64_t n = (w->now_ns - timer->deadline_ns) / timer->interval_ns + 1;
    timer->deadline_ns += n * timer->interval_ns;
    return n;
}

static void timer_signal(struct world *w, struct ktimer *timer, uint64_t n)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = timer->sig;
    info.si_code = timer->id < 0 ? SI_KERNEL : SI_TIMER;
    if (timer->id >= 0) {
        info.si_timerid = timer->id;
        info.si_overrun = (int)(n - 1);
        memcpy(&info.si_value, &timer->value, sizeof timer->value);
    }
    timer->overrun = n - 1;
    signal_send(w, timer->proc, timer->thread, &info);
}

void timers_expire(struct world *w, struct node *node)
{
    for (struct ktimer *timer = node->timers, *next; timer != NULL; timer = next) {
        next = timer->next;
        if (timer->file != NULL) {
            if (timer->deadline_ns <= w->now_ns && timer->told_ns != timer->deadline_ns) {
                timer->told_ns = timer->deadline_ns;
                file_changed(w, timer->file, true, false);
            }
            continue;
        }
        uint64_t n = timer_overruns(w, timer);
        if (n != 0 && timer->sig != 0) {
            timer_signal(w, timer, n);
        }
    }
}

uint64_t node_timer(const struct node *node)
{
    uint64_t first = NEVER_NS;
    for (const struct ktimer *timer = node->timers; timer != NULL; timer = timer->next) {
        bool seen = timer->file != NULL && timer->told_ns == timer->deadline_ns;
        if (!seen && timer->deadline_ns < first) {
            first = timer->deadline_ns;
        }
    }
    return first;
}

/* Whether it waits until some time. */
static bool sleeps(const struct thread *t, const struct node *node)
{
    return t->state == THREAD_BLOCKED && t->proc->node == node && !t->timed_out &&
           t->deadline_ns != NEVER_NS;
}

uint64_t node_deadline(const struct world *w, const struct node *node)
{
    uint64_t first = NEVER_NS;
    for (const struct thread *t = w->threads; t != NULL; t = t->next) {
        if (sleeps(t, node) && t->deadline_ns < first) {
            first = t->deadline_ns;
        }
    }
    uint64_t timer = node_timer(node);
    return timer < first ? timer : first;
}

uint64_t thread_deadline(const struct world *w, const struct node *node, uint64_t tid)
{
    for (const struct thread *t = w->threads; t != NULL; t = t->next) {
        if (sleeps(t, node) && (uint64_t)t->tid == tid) {
            return t->deadline_ns;
        }
    }
    return NEVER_NS;
}

void sleepers_each(const struct world *w, const struct node *node,
                   void (*fn)(void *arg, const struct event *), void *arg)
{
    struct event event = {.kind = EV_TIMER, .node = node->index, .peer = node->index};
    event.at_ns = node_timer(node);
    if (event.at_ns != NEVER_NS) {
        fn(arg, &event);
    }
    for (const struct thread *t = w->threads; t != NULL; t = t->next) {
        if (sleeps(t, node)) {
            event.id = (uint64_t)t->tid;
            event.at_ns = t->deadline_ns;
            fn(arg, &event);
        }
    }
}

void sleeper_fire(struct world *w, struct node *node, uint64_t tid)
{
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (sleeps(t, node) && (uint64_t)t->tid == tid) {
            t->timed_out = true;
            node->changed = true;
        }
    }
}

void node_fire(struct world *w, struct node *node)
{
    timers_expire(w, node);
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state == THREAD_BLOCKED && t->proc->node == node && t->deadline_ns <= w->now_ns) {
            t->timed_out = true;
            node->changed = true;
        }
    }
}

static uint64_t left_of(const struct world *w, const struct ktimer *timer)
{
    if (timer == NULL || timer->deadline_ns == NEVER_NS) {
        return 0;
    }
    return timer->deadline_ns > w->now_ns ? timer->deadline_ns - w->now_ns : 1;
}

static struct timeval to_timeval(uint64_t ns)
{
    uint64_t us = (ns + 999) / 1000;
    return (struct timeval){(time_t)(us / 1000000), (suseconds_t)(us % 1000000)};
}

static struct ktimer *itimer_real(struct world *w, struct proc *proc)
{
    if (proc->itimer == NULL) {
        proc->itimer = timer_new(w, proc->node);
        proc->itimer->proc = proc;
        proc->itimer->sig = SIGALRM;
        proc->itimer->id = -1;
    }
    return proc->itimer;
}

int64_t call_alarm(struct world *w, struct thread *t)
{
    struct ktimer *timer = itimer_real(w, t->proc);
    uint64_t left = left_of(w, timer);
    uint64_t seconds = (uint32_t)t->a[0];
    timer->interval_ns = 0;
    timer->deadline_ns =
        seconds == 0 ? NEVER_NS : deadline_after(w, t->proc->node, seconds * SECOND);
    return (int64_t)((left + SECOND / 2) / SECOND == 0 && left != 0 ? 1
                                                                    : (left + SECOND / 2) / SECOND);
}

/* Processor time is the cost of system calls here, so these timers expire only at one. */
void proc_use(struct world *w, struct proc *proc, uint64_t ns)
{
    static const int sigs[2] = {SIGVTALRM, SIGPROF};
    proc->utime_ns += ns;
    for (int i = 0; i < 2; i++) {
        struct cpu_timer *timer = &proc->cpu_timers[i];
        if (timer->due_ns == 0 || timer->due_ns > proc->utime_ns) {
            continue;
        }
        uint64_t late = proc->utime_ns - timer->due_ns;
        timer->due_ns = timer->interval_ns == 0
                            ? 0
                            : timer->due_ns + (late / timer->interval_ns + 1) * timer->interval_ns;
        siginfo_t info;
        memset(&info, 0, sizeof info);
        info.si_signo = sigs[i];
        info.si_code = SI_KERNEL;
        signal_send(w, proc, NULL, &info);
    }
}

static int64_t put_itimer(const struct world *w, struct thread *t, uint64_t to)
{
    struct itimerval value = {0};
    if (t->a[0] == ITIMER_REAL && t->proc->itimer != NULL) {
        value.it_value = to_timeval(left_of(w, t->proc->itimer));
        value.it_interval = to_timeval(t->proc->itimer->interval_ns);
    } else if (t->a[0] != ITIMER_REAL) {
        const struct cpu_timer *timer = &t->proc->cpu_timers[t->a[0] - ITIMER_VIRTUAL];
        value.it_value = to_timeval(timer->due_ns != 0 ? timer->due_ns - t->proc->utime_ns : 0);
        value.it_interval = to_timeval(timer->interval_ns);
    }
    return mem_write(t, to, &value, sizeof value) ? 0 : -EFAULT;
}

int64_t call_getitimer(struct world *w, struct thread *t)
{
    return t->a[0] > ITIMER_PROF ? -EINVAL : put_itimer(w, t, t->a[1]);
}

static bool timeval_ns(const struct timeval *tv, uint64_t *ret)
{
    if (tv->tv_sec < 0 || tv->tv_usec < 0 || tv->tv_usec >= 1000000) {
        return false;
    }
    *ret = (uint64_t)tv->tv_sec * SECOND + (uint64_t)tv->tv_usec * 1000;
    return true;
}

int64_t call_setitimer(struct world *w, struct thread *t)
{
    struct itimerval value = {0};
    uint64_t first = 0, interval = 0;
    if (t->a[0] > ITIMER_PROF) {
        return -EINVAL;
    }
    if (t->a[1] != 0 && !mem_read(t, t->a[1], &value, sizeof value)) {
        return -EFAULT;
    }
    if (!timeval_ns(&value.it_value, &first) || !timeval_ns(&value.it_interval, &interval)) {
        return -EINVAL;
    }
    if (t->a[2] != 0) {
        int64_t status = put_itimer(w, t, t->a[2]);
        if (status != 0) {
            return status;
        }
    }
    if (t->a[0] != ITIMER_REAL) {
        t->proc->cpu_timers[t->a[0] - ITIMER_VIRTUAL] =
            (struct cpu_timer){first == 0 ? 0 : t->proc->utime_ns + first, interval};
        return 0;
    }
    struct ktimer *timer = itimer_real(w, t->proc);
    timer->interval_ns = interval;
    timer->deadline_ns = first == 0 ? NEVER_NS : deadline_after(w, t->proc->node, first);
    return 0;
}

/* ---- POSIX timers ---- */

static struct ktimer *posix_timer(struct thread *t, uint64_t id)
{
    for (struct ktimer *timer = t->proc->node->timers; timer != NULL; timer = timer->next) {
        if (timer->proc == t->proc && timer->file == NULL && timer->id >= 0 &&
            timer->id == (int)id) {
            return timer;
        }
    }
    return NULL;
}

int64_t call_timer_create(struct world *w, struct thread *t)
{
    uint64_t now = 0;
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGALRM;
    event.sigev_value.sival_int = t->proc->timers_made;
    if (clock_now(w, t, (int)t->a[0], &now) != 0) {
        return -EINVAL;
    }
    if (t->a[1] != 0 && !mem_read(t, t->a[1], &event, 64)) {
        return -EFAULT;
    }
    struct thread *target = NULL;
    if (event.sigev_notify == SIGEV_THREAD_ID) {
        int tid = 0;
        memcpy(&tid, (const char *)&event + 16, sizeof tid);
        target = thread_find(w, t->proc->node, tid);
        if (target == NULL || target->proc != t->proc) {
            return -EINVAL;
        }
    } else if (event.sigev_notify != SIGEV_SIGNAL && event.sigev_notify != SIGEV_NONE) {
        return -EINVAL;
    }
    if (event.sigev_notify != SIGEV_NONE && (event.sigev_signo < 1 || event.sigev_signo > 64)) {
        return -EINVAL;
    }
    int id = t->proc->timers_made;
    if (!mem_write(t, t->a[2], &id, sizeof id)) {
        return -EFAULT;
    }
    t->proc->timers_made++;
    struct ktimer *timer = timer_new(w, t->proc->node);
    timer->proc = t->proc;
    timer->thread = target;
    timer->clock = (int)t->a[0];
    timer->id = id;
    timer->sig = event.sigev_notify == SIGEV_NONE ? 0 : event.sigev_signo;
    memcpy(&timer->value, &event.sigev_value, sizeof timer->value);
    return 0;
}

/* Sets a timer from struct itimerspec, giving the old setting when asked for. */
int64_t timer_set(struct world *w, struct thread *t, struct ktimer *timer, bool absolute,
                  const uint64_t pointers[2])
{
    uint64_t first = 0, interval = 0;
    int64_t status = mem_timespec(t, pointers[0], &interval);
    status = status != 0 ? status : mem_timespec(t, pointers[0] + 16, &first);
    if (status != 0) {
        return status;
    }
    if (pointers[1] != 0) {
        status = timer_get(w, t, timer, pointers[1]);
        if (status != 0) {
            return status;
        }
    }
    timer->interval_ns = interval;
    timer->realtime_abs = absolute && clock_is_real(timer->clock);
    timer->told_ns = 0;
    timer->deadline_ns = first == 0 ? NEVER_NS
                         : absolute ? deadline_at(timer->node, timer->clock, first)
                                    : deadline_after(w, timer->node, first);
    return 0;
}

int64_t timer_get(struct world *w, struct thread *t, struct ktimer *timer, uint64_t pointer)
{
    uint64_t left = left_of(w, timer);
    if (timer->deadline_ns <= w->now_ns && timer->interval_ns != 0) {
        left = timer->interval_ns - (w->now_ns - timer->deadline_ns) % timer->interval_ns;
    } else if (timer->deadline_ns <= w->now_ns) {
        left = 0;
    }
    struct itimerspec spec = {to_timespec(timer->interval_ns), to_timespec(left)};
    return mem_write(t, pointer, &spec, sizeof spec) ? 0 : -EFAULT;
}

int64_t call_timer_settime(struct world *w, struct thread *t)
{
    struct ktimer *timer = posix_timer(t, t->a[0]);
    if (timer == NULL) {
        return -EINVAL;
    }
    return timer_set(w, t, timer, (t->a[1] & TIMER_ABSTIME) != 0,
                     (const uint64_t[2]){t->a[2], t->a[3]});
}

int64_t call_timer_gettime(struct world *w, struct thread *t)
{
    struct ktimer *timer = posix_timer(t, t->a[0]);
    return timer == NULL ? -EINVAL : timer_get(w, t, timer, t->a[1]);
}

int64_t call_timer_getoverrun(struct world *w, struct thread *t)
{
    (void)w;
    struct ktimer *timer = posix_timer(t, t->a[0]);
    return timer == NULL ? -EINVAL : (int64_t)timer->overrun;
}

int64_t call_timer_delete(struct world *w, struct thread *t)
{
    struct ktimer *timer = posix_timer(t, t->a[0]);
    if (timer == NULL) {
        return -EINVAL;
    }
    timer_free(w, timer);
    return 0;
}
