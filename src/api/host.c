/* What worlds need of the process that they are in, for as long as there are any: a handler for one
 * real-time signal that nobody uses, SIGCHLD only for children that end, and as many open files as
 * are allowed. The last world puts everything back. The state of a process is one, and so is this.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include <sys/resource.h>

#include "api/api_int.h"

static struct {
    pthread_mutex_t lock;
    unsigned worlds;
    int beat; /* the signal */
    struct sigaction child;
    struct rlimit files;
} host = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void on_beat(int sig)
{
    (void)sig;
}

/* The last real-time signal that has no handler; 0: all have. */
static int free_signal(void)
{
    struct sigaction now;
    for (int sig = SIGRTMAX; sig >= SIGRTMIN; sig--) {
        if (sigaction(sig, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
            now.sa_handler == SIG_DFL) {
            return sig;
        }
    }
    return 0;
}

static int take(char **error)
{
    struct sigaction beat = {.sa_handler = on_beat};
    (void)sigemptyset(&beat.sa_mask);
    (void)sigaction(SIGCHLD, NULL, &host.child);
    if ((host.child.sa_flags & SA_NOCLDWAIT) != 0 ||
        ((host.child.sa_flags & SA_SIGINFO) == 0 && host.child.sa_handler == SIG_IGN)) {
        return api_fail(error, "this process ignores SIGCHLD: programs of a world could not be "
                               "waited for");
    }
    host.beat = free_signal();
    if (host.beat == 0) {
        return api_fail(error, "all real-time signals have handlers already, and one is needed");
    }
    (void)getrlimit(RLIMIT_NOFILE, &host.files); /* world_open raises it */
    (void)sigaction(host.beat, &beat, NULL);
    struct sigaction child = host.child;
    child.sa_flags |= SA_NOCLDSTOP;
    (void)sigaction(SIGCHLD, &child, NULL);
    return 0;
}

static void put_back(void)
{
    struct sigaction now, none = {.sa_handler = SIG_DFL};
    (void)sigaction(host.beat, &none,
                    NULL); /* its timers are gone, and were for threads that are */
    if (sigaction(SIGCHLD, NULL, &now) == 0 && now.sa_handler == host.child.sa_handler) {
        (void)sigaction(SIGCHLD, &host.child, NULL); /* else it is somebody's new one */
    }
    (void)setrlimit(RLIMIT_NOFILE, &host.files);
}

int api_host_enter(char **error)
{
    (void)pthread_mutex_lock(&host.lock);
    int status = host.worlds == 0 ? take(error) : 0;
    host.worlds += status == 0 ? 1 : 0;
    int beat = status == 0 ? host.beat : -1;
    (void)pthread_mutex_unlock(&host.lock);
    return beat;
}

void api_host_leave(void)
{
    (void)pthread_mutex_lock(&host.lock);
    if (--host.worlds == 0) {
        put_back();
    }
    (void)pthread_mutex_unlock(&host.lock);
}
