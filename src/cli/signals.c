/* Signals. These flags are the only mutable objects of the program that no function gets passed: a
 * handler has no other way to speak. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "cli/cli.h"
#include "job/job.h"

static struct stop_flags flags;       /* the number of the signal */
static volatile sig_atomic_t loading; /* bits of enum loading */

enum loading { LOADING = 1, AS_JAVA = 2, NEVER = 4, GENTLE = 8 };

static void on_signal(int number)
{
    int saved = errno;
    bool nothing_done = (loading & (LOADING | NEVER)) == LOADING;
    if (nothing_done || (flags.interrupt > 0 && number == SIGINT)) {
        _exit(nothing_done && (loading & AS_JAVA) ? 128 + number : EXIT_INTERRUPTED);
    }
    bool first = flags.stop == 0;
    if (!first || !(loading & GENTLE)) {
        flags.interrupt = number;
    }
    flags.stop = number;
    errno = saved;
}

void signals_install(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action = {.sa_handler = on_signal};
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct sigaction before;
        bool nohup = ends[i] == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 &&
                     before.sa_handler == SIG_IGN;
        if (!nohup) {
            (void)sigaction(ends[i], &action, NULL);
        }
    }
    /* A write beyond a limit, or to nobody, then fails and can be told. */
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigemptyset(&ignore.sa_mask);
    (void)sigaction(SIGPIPE, &ignore, NULL);
    (void)sigaction(SIGXFSZ, &ignore, NULL);
}

const volatile sig_atomic_t *signals_flag(void)
{
    return &flags.interrupt;
}

const volatile sig_atomic_t *signals_stop_flag(void)
{
    return &flags.stop;
}

struct stop_flags *signals_flags(void)
{
    return &flags;
}

void signals_reset(void)
{
    flags.interrupt = 0;
    flags.stop = 0;
}

void signals_loading(bool begins)
{
    loading = (loading & ~LOADING) | (begins ? LOADING : 0);
}

void signals_as_java(void)
{
    loading |= AS_JAVA;
}

void signals_gently(void)
{
    loading |= GENTLE;
}

void signals_never_at_once(void)
{
    loading |= NEVER;
}
