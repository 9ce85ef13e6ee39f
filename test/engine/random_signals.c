/* calls: rt_sigaction rt_sigprocmask rt_sigpending rt_sigtimedwait rt_sigqueueinfo rt_tgsigqueueinfo kill tkill tgkill sigaltstack signalfd4 ppoll epoll_pwait pselect6 */
/* Signals that a process and its thread send to themselves, in a random order: what is blocked, ignored, queued, handled, in which order and on which
 * stack; nothing of it blocks. */
#include "random_calls.h"
#include <ucontext.h>

enum { STEPS = 1500, NOTES = 64, KINDS = 10 };

static const char *names[KINDS] = {"USR1", "USR2", "URG", "CHLD", "WINCH", "ALRM", "RT0", "RT1", "HUP", "SEGV"};
static int signals[KINDS];
static struct note {
    int kind, code, value;
    unsigned mask, flags;
} notes[NOTES];
static volatile int n_notes;
static char stack[1 << 16];
static int reader = -1;
static pid_t self;
static bool one_more; /* whether a handler sends a signal of its own */

static unsigned mask_of(const sigset_t *set)
{
    unsigned mask = 0;
    for (int i = 0; i < KINDS; i++) {
        mask |= sigismember(set, signals[i]) ? 1U << i : 0;
    }
    return mask;
}

static void random_set(sigset_t *set)
{
    sigemptyset(set);
    unsigned mask = pick(1 << KINDS) & (pick(2) ? ~0U : pick(1 << KINDS));
    for (int i = 0; i < KINDS; i++) {
        if (mask >> i & 1) {
            sigaddset(set, signals[i]);
        }
    }
}

static int kind_of(int sig)
{
    for (int i = 0; i < KINDS; i++) {
        if (signals[i] == sig) {
            return i;
        }
    }
    return -1;
}

static void on(int sig, siginfo_t *info, void *context)
{
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    char here;
    ucontext_t *u = context;
    if (n_notes < NOTES) {
        notes[n_notes++] = (struct note){kind_of(sig), info->si_code, info->si_code == SI_QUEUE ? info->si_value.sival_int : info->si_pid == self, mask_of(&now),
                                         (&here >= stack && &here < stack + sizeof stack ? 1U : 0) | mask_of(&u->uc_sigmask) << 1};
    }
    if (one_more) {
        one_more = false;
        kill(self, signals[(kind_of(sig) + 3) % KINDS]);
    }
}

static void plain(int sig)
{
    if (n_notes < NOTES) {
        notes[n_notes++] = (struct note){kind_of(sig), 99};
    }
}

static void tell_notes(void)
{
    for (int i = 0; i < n_notes; i++) {
        printf("  handled %s code %d value %d blocked %x flags %x\n", names[notes[i].kind], notes[i].code, notes[i].value, notes[i].mask, notes[i].flags);
    }
    n_notes = 0;
}

static void result(const char *call, long r)
{
    printf("%s %ld%s%s\n", call, r, r < 0 ? " " : "", r < 0 ? strerrorname_np(errno) : "");
}
#define DID(call, e) result(call, (errno = 0, (long)(e)))

static void act(int i)
{
    static const int flags[] = {SA_NODEFER, SA_RESETHAND, SA_ONSTACK, SA_RESTART, SA_NOCLDSTOP, SA_NOCLDWAIT};
    struct sigaction a = {0}, old;
    bool harmless = i == 2 || i == 3 || i == 4; /* by default nothing happens */
    random_set(&a.sa_mask);
    for (size_t k = 0; k < sizeof flags / sizeof flags[0]; k++) {
        a.sa_flags |= pick(3) == 0 ? flags[k] : 0;
    }
    if (!harmless) {
        a.sa_flags &= ~SA_RESETHAND;
    }
    switch (pick(5)) {
    case 0: a.sa_handler = SIG_IGN; break;
    case 1: a.sa_handler = harmless ? SIG_DFL : SIG_IGN; break;
    case 2: a.sa_handler = plain; break;
    default:
        a.sa_sigaction = on;
        a.sa_flags |= SA_SIGINFO;
    }
    DID("sigaction", sigaction(signals[i], &a, &old));
    printf("  %s was %s flags %x mask %x\n", names[i], old.sa_handler == SIG_IGN ? "ignored" : old.sa_handler == SIG_DFL ? "default" : "handled",
           (unsigned)old.sa_flags & 0xffffffU, mask_of(&old.sa_mask));
}

static void send_one(int i)
{
    int sig = signals[i];
    union sigval v = {.sival_int = (int)pick(1000)};
    siginfo_t info = {.si_signo = sig, .si_code = SI_QUEUE, .si_pid = self, .si_uid = getuid(), .si_value = v};
    printf("%s ", names[i]);
    switch (pick(8)) {
    case 0: DID("kill", kill(self, sig)); break;
    case 1: DID("raise", raise(sig)); break;
    case 2: DID("tgkill", syscall(SYS_tgkill, self, gettid(), sig)); break;
    case 3: DID("tkill", syscall(SYS_tkill, gettid(), sig)); break;
    case 4: DID("tgsigqueue", syscall(SYS_rt_tgsigqueueinfo, self, gettid(), sig, &info)); break;
    case 5: DID("pthread_sigqueue", pthread_sigqueue(pthread_self(), sig, v)); break;
    default: DID("sigqueue", sigqueue(self, sig, v)); break;
    }
}

static void take(void)
{
    sigset_t set;
    siginfo_t info = {0};
    struct timespec none = {0};
    random_set(&set);
    long got = (errno = 0, sigtimedwait(&set, &info, &none));
    result("sigtimedwait", got < 0 ? got : kind_of((int)got));
    if (got > 0) {
        printf("  code %d value %d\n", info.si_code, info.si_code == SI_QUEUE ? info.si_value.sival_int : info.si_pid == self);
    }
}

static void read_fd(void)
{
    struct signalfd_siginfo s[3] = {{0}};
    sigset_t set;
    if (reader < 0 || pick(3) == 0) {
        random_set(&set);
        int fd = (errno = 0, signalfd(pick(4) ? reader : -1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
        result("signalfd", fd < 0 ? fd : fd == reader);
        if (fd >= 0 && fd != reader) {
            close(reader);
            reader = fd;
        }
        return;
    }
    struct pollfd p = {reader, POLLIN, 0};
    DID("poll", poll(&p, 1, 0));
    long n = (errno = 0, read(reader, s, sizeof s[0] * (1 + pick(3)) + (pick(2) ? 5 : 0)));
    result("read", n);
    for (long i = 0; i * (long)sizeof s[0] < n; i++) {
        printf("  %s code %d value %d\n", names[kind_of((int)s[i].ssi_signo)], s[i].ssi_code, s[i].ssi_code == SI_QUEUE ? (int)s[i].ssi_int : (pid_t)s[i].ssi_pid == self);
    }
}

/* Calls that change the mask while they look. */
static void look(void)
{
    sigset_t set;
    struct timespec none = {0};
    struct epoll_event e;
    random_set(&set);
    switch (pick(3)) {
    case 0: DID("ppoll", ppoll(NULL, 0, &none, &set)); break;
    case 1: DID("pselect", pselect(0, NULL, NULL, NULL, &none, &set)); break;
    default: DID("epoll_pwait", epoll_pwait(watch, &e, 1, 0, &set)); break;
    }
}

static void mask(void)
{
    static const int how[] = {SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK, 77};
    sigset_t set, old;
    random_set(&set);
    int k = (int)pick(16);
    sigemptyset(&old);
    DID("sigprocmask", sigprocmask(how[k == 15 ? 3 : k % 3], &set, &old));
    int seen = n_notes; /* before any other call */
    printf("  was %x, handled %d\n", mask_of(&old), seen);
}

static void other(void)
{
    stack_t new = {.ss_sp = stack, .ss_size = pick(4) ? sizeof stack : pick(2000), .ss_flags = pick(4) ? 0 : SS_DISABLE}, old = {0};
    sigset_t set;
    switch (pick(4)) {
    case 0:
        DID("sigaltstack", sigaltstack(&new, &old));
        printf("  was %d size %zu ours %d\n", old.ss_flags, old.ss_size, old.ss_sp == stack);
        break;
    case 1:
        one_more = true;
        printf("one more\n");
        break;
    default:
        sigemptyset(&set);
        DID("sigpending", sigpending(&set));
        printf("  %x\n", mask_of(&set));
    }
}

static void run(uint64_t seed)
{
    state = seed;
    for (int step = 0; step < STEPS; step++) {
        int i = (int)pick(KINDS);
        printf("%llu:%d ", (unsigned long long)seed, step);
        switch (pick(12)) {
        case 0:
        case 1: act(i); break;
        case 2:
        case 3: mask(); break;
        case 4: take(); break;
        case 5: read_fd(); break;
        case 6: look(); break;
        case 7: other(); break;
        default: send_one(i); break;
        }
        tell_notes();
    }
}

int main(void)
{
    static char all[1 << 16];
    setvbuf(stdout, all, _IOFBF, sizeof all);
    const int list[KINDS] = {SIGUSR1, SIGUSR2, SIGURG, SIGCHLD, SIGWINCH, SIGALRM, SIGRTMIN, SIGRTMIN + 1, SIGHUP, SIGSEGV};
    memcpy(signals, list, sizeof list);
    self = getpid();
    watch = epoll_create1(0);
    for (int i = 0; i < KINDS; i++) {
        struct sigaction a = {.sa_sigaction = on, .sa_flags = SA_SIGINFO};
        sigaction(signals[i], &a, NULL);
    }
    for (uint64_t seed = 1; seed <= 8; seed++) {
        run(seed * 104729);
    }
    return 0;
}
