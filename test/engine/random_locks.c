/* calls: fcntl flock dup2 close fork lseek setitimer */
/* Three processes lock parts of two files in a random order, each call after the one before: by process, by open file and as a whole. Who
 * has to wait does so while the others go on, one at a time; the others are interrupted, or told that it would be for ever. */
#include "t.h"

enum { STEPS = 600, MEN = 3, FDS = 4 };
enum op { OPEN, CLOSE, DUP, SEEK, FLOCK, SETLK, SETLKW, GETLK, FORK };

struct order {
    enum op op;
    int fd, other, how;
    bool ofd, timed;
    struct flock lock;
};
struct answer {
    long result;
    int error;
    struct flock lock;
};

static uint64_t state;
static struct man {
    pid_t pid;
    int to, from;
    bool waits;
} men[MEN];

static unsigned pick(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 11) % n;
}

static void nothing(int sig)
{
    (void)sig;
}

static void timer(long us)
{
    struct itimerval every = {{0, us}, {0, us}};
    setitimer(ITIMER_REAL, &every, NULL);
}

/* ---- one of them ---- */

static long in_child(int fd, struct order *o)
{
    pid_t pid = fork();
    int status = 0;
    if (pid == 0) {
        int failed = fcntl(fd, o->ofd ? F_OFD_SETLK : F_SETLK, &o->lock) != 0;
        close(fd);
        _exit(failed ? errno : 0);
    }
    while (waitpid(pid, &status, 0) < 0) {
    }
    return WEXITSTATUS(status);
}

static void obey(const int *fds, struct order *o, struct answer *a)
{
    static const char *const names[] = {"a", "b"};
    static const int modes[] = {O_RDONLY, O_WRONLY, O_RDWR, O_RDWR};
    int fd = fds[o->fd];
    errno = 0;
    a->lock = o->lock;
    switch (o->op) {
    case OPEN: {
        int got = open(names[o->how & 1], modes[o->how >> 1]);
        a->result = dup2(got, fd) == fd ? 0 : -1;
        close(got);
        break;
    }
    case CLOSE: a->result = close(fd); break;
    case DUP: a->result = dup2(fds[o->other], fd) < 0 ? -1 : 0; break;
    case SEEK: a->result = lseek(fd, o->how, SEEK_SET); break;
    case FLOCK: a->result = flock(fd, o->how); break;
    case SETLK: a->result = fcntl(fd, o->ofd ? F_OFD_SETLK : F_SETLK, &a->lock); break;
    case GETLK: a->result = fcntl(fd, o->ofd ? F_OFD_GETLK : F_GETLK, &a->lock); break;
    case FORK: a->result = in_child(fd, o); break;
    default:
        timer(o->timed ? 2000 : 0);
        a->result = o->how != 0 ? flock(fd, o->how) : fcntl(fd, o->ofd ? F_OFD_SETLKW : F_SETLKW, &a->lock);
        a->error = errno;
        timer(0);
        return;
    }
    a->error = errno;
}

static void serve(int from, int to)
{
    struct order o;
    int fds[FDS];
    for (int i = 0; i < FDS; i++) {
        fds[i] = 100 + i;
    }
    while (read(from, &o, sizeof o) == sizeof o) {
        struct answer a = {0};
        obey(fds, &o, &a);
        (void)!write(to, &a, sizeof a);
    }
    _exit(0);
}

/* ---- who drives them ---- */

static bool asleep(pid_t pid)
{
    char path[64], text[512] = "";
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY);
    (void)!read(fd, text, sizeof text - 1);
    close(fd);
    const char *end = strrchr(text, ')');
    return end != NULL && end[2] == 'S';
}

static bool answered(const struct man *man)
{
    struct pollfd p = {man->from, POLLIN, 0};
    return poll(&p, 1, 0) == 1;
}

static int who(pid_t pid)
{
    for (int i = 0; i < MEN; i++) {
        if (men[i].pid == pid) {
            return i;
        }
    }
    return pid == -1 ? -1 : 99;
}

static void hear(int i, const char *what)
{
    struct answer a = {0};
    (void)!read(men[i].from, &a, sizeof a);
    printf("%s %ld%s%s", what, a.result, a.result < 0 ? " " : "", a.result < 0 ? strerrorname_np(a.error) : "");
    if (strcmp(what, "getlk") == 0 && a.result == 0) {
        printf(" %d", a.lock.l_type);
        if (a.lock.l_type != F_UNLCK) {
            printf(" %d %ld %ld %d", a.lock.l_whence, (long)a.lock.l_start, (long)a.lock.l_len, who(a.lock.l_pid));
        }
    }
    printf("\n");
}

/* What it leads to: who waits goes on to, or waits again. */
static void look(void)
{
    for (int i = 0; i < MEN; i++) {
        while (men[i].waits && !answered(&men[i]) && !asleep(men[i].pid)) {
            sched_yield();
        }
        if (men[i].waits && answered(&men[i])) {
            printf("now %d ", i);
            hear(i, "got");
            men[i].waits = false;
        }
    }
}

static struct flock range(void)
{
    static const short types[] = {F_RDLCK, F_RDLCK, F_WRLCK, F_WRLCK, F_UNLCK}, from[] = {SEEK_SET, SEEK_SET, SEEK_SET, SEEK_CUR, SEEK_END};
    static const off_t odd[] = {INT64_MAX, INT64_MAX - 5, INT64_MIN, -1, 1000};
    struct flock l = {.l_type = types[pick(5)], .l_whence = from[pick(5)]};
    l.l_start = pick(40) == 0 ? odd[pick(5)] : (off_t)pick(30);
    l.l_len = pick(40) == 0 ? odd[pick(5)] : pick(6) == 0 ? 0 : pick(8) == 0 ? -(off_t)pick(12) : 1 + (off_t)pick(10);
    if (pick(100) == 0) {
        l.l_whence = 7;
    }
    if (pick(100) == 0) {
        l.l_type = 9;
    }
    return l;
}

static struct order choose(bool somebody_waits)
{
    static const int whole[] = {LOCK_SH, LOCK_EX, LOCK_UN};
    struct order o = {.fd = (int)pick(FDS), .other = (int)pick(FDS), .ofd = pick(3) == 0, .timed = somebody_waits};
    static const enum op ops[] = {SETLK, SETLK, SETLK, SETLK, SETLKW, SETLKW, SETLKW, GETLK, GETLK, GETLK, FLOCK, FLOCK, SEEK, FORK};
    static const enum op rare[] = {OPEN, CLOSE, DUP};
    o.lock = range();
    o.op = pick(30) == 0 ? rare[pick(3)] : ops[pick(14)];
    o.how = o.op == FLOCK ? whole[pick(3)] | LOCK_NB : o.op == SETLKW ? (pick(5) == 0 ? whole[pick(2)] : 0) : (int)pick(8);
    if (somebody_waits && o.op == FLOCK) {
        o.how = LOCK_UN; /* one who changes his lock gives it back first: who waits may be faster */
    }
    if (somebody_waits && o.op == SETLKW) {
        o.how = 0;
    }
    if (o.op == FLOCK && !somebody_waits && pick(30) == 0) {
        o.how = (int)pick(16) | LOCK_NB;
    }
    if (o.op == GETLK && o.ofd && o.lock.l_type == F_UNLCK) {
        o.lock.l_type = F_WRLCK; /* what Linux says to this has changed */
    }
    return o;
}

static void step(void)
{
    static const char *const names[] = {"open", "close", "dup", "seek", "flock", "setlk", "setlkw", "getlk", "fork"};
    bool waits = false;
    int i = (int)pick(MEN);
    for (int k = 0; k < MEN; k++) {
        waits = waits || men[k].waits;
    }
    while (men[i].waits) {
        i = (i + 1) % MEN;
    }
    struct order o = choose(waits);
    printf("%d: %s(%d) %d%s %d %d %ld %ld ", i, names[o.op], o.fd, o.how, o.ofd ? " file" : "", o.lock.l_type, o.lock.l_whence, (long)o.lock.l_start,
           (long)o.lock.l_len);
    (void)!write(men[i].to, &o, sizeof o);
    if (o.op == SETLKW && !o.timed) {
        while (!answered(&men[i]) && !asleep(men[i].pid)) {
            sched_yield();
        }
        if (!answered(&men[i])) {
            men[i].waits = true;
            printf("waits\n");
            return;
        }
    }
    hear(i, names[o.op]);
    look();
}

static void begin(void)
{
    int shared = open("a", O_RDWR | O_CREAT | O_TRUNC, 0644);
    (void)!write(shared, "0123456789", 10);
    close(open("b", O_RDWR | O_CREAT | O_TRUNC, 0644));
    for (int i = 0; i < MEN; i++) {
        int down[2], up[2];
        pipe(down);
        pipe(up);
        fflush(stdout);
        men[i] = (struct man){fork(), down[1], up[0], false};
        if (men[i].pid == 0) {
            for (int k = 0; k < FDS; k++) {
                dup2(k == 0 ? shared : open(k == 1 ? "b" : "a", O_RDWR), 100 + k);
            }
            for (int fd = 3; fd < 100; fd++) {
                if (fd != down[0] && fd != up[1]) {
                    close(fd);
                }
            }
            serve(down[0], up[1]);
        }
        close(down[0]);
        close(up[1]);
    }
    close(shared);
}

int main(int argc, char **argv)
{
    static char all[1 << 16];
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1, n = argc > 2 ? strtoull(argv[2], NULL, 0) : 4;
    setvbuf(stdout, all, _IOFBF, sizeof all);
    struct sigaction act = {.sa_handler = nothing};
    sigaction(SIGALRM, &act, NULL);
    for (uint64_t seed = first; seed < first + n; seed++) {
        state = seed * 15485863;
        begin();
        for (int k = 0; k < STEPS; k++) {
            printf("%llu:%d ", (unsigned long long)seed, k);
            step();
        }
        for (int i = 0; i < MEN; i++) {
            kill(men[i].pid, SIGKILL);
            waitpid(men[i].pid, NULL, 0);
            close(men[i].to);
            close(men[i].from);
        }
    }
    return 0;
}
