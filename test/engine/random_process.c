/* calls: clone fork vfork wait4 waitid kill setpgid getpgid setsid getsid exit_group prctl pidfd_open pidfd_send_signal */
/* Children that are made, stopped, continued, ended and waited for in a random order; each does what it is told by a pipe, so that one thing happens at a
 * time. After whatever changes the state of a child its parent looks until it sees that (WNOWAIT). */
#include "random_calls.h"

enum { STEPS = 250, KIDS = 5, PIDS = 4096, P_OF_PIDFD = 3 };
enum life { NONE, LIVE, STOPPED, ENDED };

static struct kid {
    pid_t pid;
    enum life life;
    int to, from, pidfd;
} kids[KIDS];
static pid_t seen[PIDS];
static int n_seen;
static pid_t self;
static struct heard {
    int code, status, who;
} heard[32];
static volatile int n_heard;

/* Numbers of processes differ: the nth that was made. */
static int who(pid_t pid)
{
    for (int i = n_seen - 1; i >= 0; i--) {
        if (seen[i] == pid) {
            return i;
        }
    }
    return pid == self ? -1 : pid == 0 ? -2 : -3;
}

static void on(int sig, siginfo_t *info, void *context)
{
    if (n_heard < 32) {
        heard[n_heard++] = (struct heard){info->si_code, info->si_status, who(info->si_pid)};
    }
}

static void result(const char *call, long r)
{
    printf("%s %ld%s%s\n", call, r, r < 0 ? " " : "", r < 0 ? strerrorname_np(errno) : "");
}
#define DID(call, e) result(call, (errno = 0, (long)(e)))

static void reply(int fd, int value)
{
    (void)!write(fd, &value, sizeof value);
}

static void obey(int in, int out)
{
    char c[2];
    for (int i = 0; i < KIDS; i++) {
        close(kids[i].to);
        close(kids[i].from);
        close(kids[i].pidfd);
    }
    signal(SIGCHLD, SIG_DFL);
    while (read(in, c, 2) == 2) {
        switch (c[0]) {
        case 'e': _exit(c[1]);
        case 'a': signal(SIGTERM, SIG_DFL); raise(SIGTERM); break;
        case 's': raise(c[1] % 2 ? SIGSTOP : SIGTSTP); break;
        case 'g': reply(out, setpgid(0, 0) < 0 ? -errno : 0); break;
        case 'n': reply(out, setsid() < 0 ? -errno : 0); break;
        case 'i': signal(SIGTERM, SIG_IGN); reply(out, 0); break;
        case 'd': reply(out, prctl(PR_SET_PDEATHSIG, c[1])); break;
        case 'p': reply(out, getppid()); break;
        }
    }
    _exit(77);
}

static void forget(int i)
{
    close(kids[i].to);
    close(kids[i].from);
    close(kids[i].pidfd);
    kids[i] = (struct kid){.to = -1, .from = -1, .pidfd = -1};
}

static void make(int i)
{
    int down[2], up[2];
    if (kids[i].life != NONE) {
        printf("there is one\n");
        return;
    }
    pipe2(down, O_CLOEXEC);
    pipe2(up, O_CLOEXEC);
    fflush(stdout);
    pid_t pid = pick(2) ? fork() : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) {
        close(down[1]);
        close(up[0]);
        obey(down[0], up[1]);
    }
    close(down[0]);
    close(up[1]);
    seen[n_seen++] = pid;
    kids[i] = (struct kid){pid, LIVE, down[1], up[0], (int)syscall(SYS_pidfd_open, pid, 0)};
    printf("made %d\n", n_seen - 1);
}

/* Until the state of a child is what it must become. */
static void until(int i, int state, enum life life)
{
    siginfo_t info = {0};
    struct sigaction now;
    sigaction(SIGCHLD, NULL, &now);
    kids[i].life = life;
    if (life == ENDED && (now.sa_handler == SIG_IGN || (now.sa_flags & SA_NOCLDWAIT) != 0)) {
        struct pollfd p = {kids[i].pidfd, POLLIN, 0};
        poll(&p, 1, -1); /* it is gone at once; only its end can be seen */
        while (kill(kids[i].pid, 0) == 0) {
            sched_yield();
        }
        return;
    }
    DID("  until", waitid(P_PID, (id_t)kids[i].pid, &info, state | WNOWAIT));
    printf("  %d code %d status %d\n", who(info.si_pid), info.si_code, info.si_status);
}

static int order(int i, char what, char arg)
{
    char c[2] = {what, arg};
    (void)!write(kids[i].to, c, 2);
    return 0;
}

static int answer(int i)
{
    int value = -1;
    (void)!read(kids[i].from, &value, sizeof value);
    return value;
}

static void tell(int i)
{
    if (kids[i].life != LIVE) {
        printf("not now\n");
        return;
    }
    int k = (int)pick(9), arg = (int)pick(100);
    printf("tell %d: ", who(kids[i].pid));
    switch (k) {
    case 0:
        printf("exit\n");
        order(i, 'e', (char)arg);
        until(i, WEXITED, ENDED);
        break;
    case 1:
        printf("raise\n");
        order(i, 'a', 0);
        until(i, WEXITED, ENDED);
        break;
    case 2:
        printf("stop\n");
        order(i, 's', 1);
        until(i, WSTOPPED, STOPPED);
        break;
    case 3: printf("group %d\n", (order(i, 'g', 0), answer(i))); break;
    case 4: printf("session %d\n", (order(i, 'n', 0), answer(i))); break;
    case 5: printf("ignore %d\n", (order(i, 'i', 0), answer(i))); break;
    case 6: printf("parent %d\n", who((order(i, 'p', 0), answer(i)))); break;
    default: printf("deathsig %d\n", (order(i, 'd', (char)(arg % 3 ? 0 : SIGKILL)), answer(i))); break;
    }
}

static void send_to(int i)
{
    static const int list[] = {SIGSTOP, SIGCONT, SIGKILL, SIGCONT, 0, SIGUSR1, 65};
    int sig = list[pick(7)];
    enum life was = kids[i].life;
    if (was == NONE) {
        printf("nobody\n");
        return;
    }
    long r = (errno = 0, pick(2) ? kill(kids[i].pid, sig) : syscall(SYS_pidfd_send_signal, kids[i].pidfd, sig, NULL, 0));
    printf("signal %d to %d: ", sig, who(kids[i].pid));
    result("", r);
    if (r != 0 || was == ENDED) {
        return;
    }
    switch (sig) {
    case SIGSTOP:
        if (was == LIVE) {
            until(i, WSTOPPED, STOPPED);
        }
        break;
    case SIGCONT:
        if (was == STOPPED) {
            until(i, WCONTINUED, LIVE);
            order(i, 'p', 0); /* its parent hears of it when it runs */
            answer(i);
        }
        break;
    case SIGKILL: until(i, WEXITED, ENDED); break;
    case SIGUSR1:
        if (was == LIVE) {
            until(i, WEXITED, ENDED);
        } else {
            kill(kids[i].pid, SIGKILL); /* which of the two comes first is nobody's business */
            until(i, WEXITED, ENDED);
        }
        break;
    }
}

static void gone(pid_t pid)
{
    for (int i = 0; i < KIDS; i++) {
        if (kids[i].pid == pid && pid > 0) {
            forget(i);
        }
    }
}

static void wait_for(int i)
{
    static const int flags[] = {WNOWAIT, WUNTRACED, WCONTINUED, WEXITED};
    int options = WNOHANG, status = 0;
    for (int k = 0; k < 4; k++) {
        options |= pick(2) ? flags[k] : 0;
    }
    pid_t pid = kids[i].pid;
    if (pick(2)) {
        static const int only = WNOHANG | WUNTRACED | WCONTINUED;
        int target = pick(3) == 0 ? -1 : pick(3) == 0 ? -getpgid(pid > 0 ? pid : 0) : pid;
        if (target == 0) {
            target = -1;
        }
        long r = (errno = 0, waitpid(target, &status, pick(20) ? options & only : options));
        printf("waitpid %x %d%s status %x\n", options, who((pid_t)r), r < 0 ? strerrorname_np(errno) : "", r > 0 ? status : 0);
        if (r > 0 && (WIFEXITED(status) || WIFSIGNALED(status))) {
            gone((pid_t)r);
        }
        return;
    }
    siginfo_t info = {0};
    int type = (int)pick(4);
    id_t id = type == P_PID ? (id_t)pid : type == P_PGID ? (id_t)(pick(2) && pid > 0 ? getpgid(pid) : 0) : type == P_OF_PIDFD ? (id_t)kids[i].pidfd : 0;
    long r = (errno = 0, waitid((idtype_t)type, id, &info, options));
    printf("waitid %d %x ", type, options);
    result("", r);
    printf("  %d signal %d code %d status %d\n", who(info.si_pid), info.si_signo, info.si_code, info.si_status);
    if (r == 0 && info.si_pid != 0 && (options & WNOWAIT) == 0 && (info.si_code == CLD_EXITED || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED)) {
        gone(info.si_pid);
    }
}

static void groups(int i)
{
    int j = (int)pick(KIDS);
    pid_t a = kids[i].pid, b = kids[j].pid;
    if (a <= 0 || b <= 0) {
        printf("nobody\n");
        return;
    }
    switch (pick(4)) {
    case 0: DID("setpgid", setpgid(a, pick(2) ? b : 0)); break;
    case 1: printf("getpgid %d\n", who((errno = 0, getpgid(a)))); break;
    case 2: printf("getsid %d\n", getsid(a) == getsid(0)); break;
    default: DID("kill 0", kill(-b, 0)); break;
    }
}

static void dispose(void)
{
    struct sigaction a = {.sa_sigaction = on, .sa_flags = SA_SIGINFO | SA_RESTART};
    a.sa_flags |= pick(3) == 0 ? SA_NOCLDSTOP : 0;
    a.sa_flags |= pick(6) == 0 ? SA_NOCLDWAIT : 0;
    if (pick(6) == 0) {
        a = (struct sigaction){.sa_handler = pick(2) ? SIG_IGN : SIG_DFL};
    }
    printf("flags %x %s ", (unsigned)a.sa_flags & 0xffffff, a.sa_handler == SIG_IGN ? "ignored" : a.sa_handler == SIG_DFL ? "default" : "handled");
    DID("sigaction", sigaction(SIGCHLD, &a, NULL));
}

static void run(uint64_t seed)
{
    state = seed;
    for (int step = 0; step < STEPS; step++) {
        int i = (int)pick(KIDS);
        printf("%llu:%d ", (unsigned long long)seed, step);
        switch (pick(10)) {
        case 0:
        case 1: make(i); break;
        case 2:
        case 3: tell(i); break;
        case 4:
        case 5: send_to(i); break;
        case 6: groups(i); break;
        case 7: pick(4) ? wait_for(i) : dispose(); break;
        default: wait_for(i); break;
        }
        /* One that nobody waits for any more is gone. */
        for (int k = 0; k < KIDS; k++) {
            if (kids[k].life == ENDED && kill(kids[k].pid, 0) != 0) {
                printf("  %d is gone\n", who(kids[k].pid));
                forget(k);
            }
        }
        for (int k = 0; k < n_heard; k++) {
            printf("  heard of %d code %d status %d\n", heard[k].who, heard[k].code, heard[k].status);
        }
        n_heard = 0;
    }
}

int main(void)
{
    static char all[1 << 16];
    setvbuf(stdout, all, _IOFBF, sizeof all);
    self = getpid();
    (void)setpgid(0, 0); /* a group of its own, whoever has started it */
    for (int i = 0; i < KIDS; i++) {
        forget(i);
    }
    struct sigaction a = {.sa_sigaction = on, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGCHLD, &a, NULL);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        run(seed * 104729);
    }
    fflush(stdout);
    for (int i = 0; i < KIDS; i++) {
        if (kids[i].pid > 0) {
            kill(kids[i].pid, SIGKILL);
        }
    }
    return 0;
}
