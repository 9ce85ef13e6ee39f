/* calls: kill rt_sigpending rt_sigprocmask tgkill */
/* SIGCONT takes back what would stop, and what would stop takes back SIGCONT: waiting ones, blocked
 * ones, of the process and of a thread, whatever is done with them. */
#include "t.h"

static void waiting(const char *what)
{
    static const int all[] = {SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGUSR1, SIGCHLD};
    sigset_t set;
    sigpending(&set);
    printf("%s:", what);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        printf(" %d", sigismember(&set, all[i]));
    }
    puts("");
}

static void to_thread(int sig)
{
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), sig);
}

static volatile int count[65];
static void handler(int sig)
{
    count[sig]++;
}

static void rounds(const char *what)
{
    puts(what);
    kill(getpid(), SIGTSTP);
    kill(getpid(), SIGUSR1);
    to_thread(SIGTTIN);
    waiting("stops");
    kill(getpid(), SIGCONT);
    waiting("continued");
    to_thread(SIGTTOU);
    waiting("stop of the thread");
    to_thread(SIGCONT);
    waiting("continued thread");
    kill(getpid(), SIGTSTP);
    to_thread(SIGTSTP);
    waiting("both");
    kill(getpid(), SIGCONT);
    kill(getpid(), SIGCONT);
    waiting("continued twice");
}

int main(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    rounds("blocked");
    signal(SIGTSTP, handler);
    signal(SIGCONT, handler);
    signal(SIGTTIN, SIG_IGN);
    rounds("with handlers");
    union sigval value = {.sival_int = 7};
    sigqueue(getpid(), SIGTSTP, value);
    sigqueue(getpid(), SIGCONT, value);
    waiting("queued");
    signal(SIGUSR1, SIG_IGN);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    printf("handled: %d %d\n", count[SIGTSTP], count[SIGCONT]);
    /* Another process, stopped: what stops it again is taken back by what lets it go on. */
    signal(SIGTSTP, SIG_DFL);
    signal(SIGCONT, SIG_DFL);
    pid_t child = fork();
    if (child == 0) {
        raise(SIGSTOP);
        _exit(3);
    }
    int status = 0;
    R(waitpid(child, &status, WUNTRACED) == child);
    R(WIFSTOPPED(status));
    kill(child, SIGTSTP);
    kill(child, SIGTTOU);
    kill(child, SIGCONT);
    R(waitpid(child, &status, WUNTRACED) == child);
    R(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return 0;
}
