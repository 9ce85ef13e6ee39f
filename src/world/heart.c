/* The heartbeat: a signal that ends the wait for a thread which spins. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <sys/syscall.h>
#include <sys/time.h>

#include "base/err.h"
#include "tracee/tracee.h"
#include "world/world_int.h"

/* A signal now and then, so that waiting for a thread that spins does not last for ever. The
 * handler stays when the signals end: the last one may still be on its way to another thread, and
 * would kill the process. */
static void on_alarm(int sig)
{
    (void)sig;
}

static void beat_process(uint64_t us)
{
    struct sigaction action = {.sa_handler = on_alarm};
    (void)sigemptyset(&action.sa_mask);
    struct itimerval every = {
        {0, (suseconds_t)us},
        {0, (suseconds_t)us}
    };
    (void)sigaction(SIGALRM, &action, NULL);
    (void)setitimer(ITIMER_REAL, &every, NULL);
}

/* For a guest: nothing that other threads would notice. */
static int beat_thread(struct engine *engine, uint64_t us, struct err *err)
{
    struct sigevent how = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = engine->beat_signal};
    struct itimerspec every = {
        {0, (long)us * 1000},
        {0, (long)us * 1000}
    };
    how._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_MONOTONIC, &how, &engine->beat) != 0) {
        return err_set(err, ERR_LIMIT, errno, "cannot make a timer");
    }
    engine->beats = true;
    sigset_t beat;
    (void)sigemptyset(&beat);
    (void)sigaddset(&beat, engine->beat_signal);
    (void)pthread_sigmask(SIG_UNBLOCK, &beat, NULL);
    (void)timer_settime(engine->beat, 0, &every, NULL);
    return 0;
}

int heart_start(struct world *w, struct err *err)
{
    uint64_t ms = w->limits.escape_ms, us = ms != 0 && ms < 200 ? ms * 1000 : 200000;
    if (w->engine->beat_signal != 0) {
        return beat_thread(w->engine, us, err);
    }
    beat_process(us);
    tracee_no_stop_signals(true);
    return 0;
}

void heart_stop(struct engine *engine)
{
    if (engine->beats) {
        (void)timer_delete(engine->beat);
    }
    if (engine->beat_signal == 0) {
        beat_process(0);
        tracee_no_stop_signals(false);
    }
}
