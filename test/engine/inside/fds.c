/* Every call that makes a descriptor, with every flag that it takes: what the descriptor is then. */
#include <sys/pidfd.h>

#include "../t.h"

static int p[2];

static void show(const char *title, int fd)
{
    struct stat st;
    if (fd < 0) {
        printf("%s: %s\n", title, strerrorname_np(errno));
        return;
    }
    memset(&st, 0, sizeof st);
    printf("%s: %d fd %d fl %o", title, fd, fcntl(fd, F_GETFD), fcntl(fd, F_GETFL));
    errno = 0;
    int r = fstat(fd, &st);
    printf(" stat %d mode %o links %lu size %ld blksize %ld blocks %ld", r, st.st_mode, (unsigned long)st.st_nlink, (long)st.st_size, (long)st.st_blksize, (long)st.st_blocks);
    errno = 0;
    r = fsync(fd);
    printf(" fsync %d %s", r, r < 0 ? strerrorname_np(errno) : "");
    errno = 0;
    r = ioctl(fd, FIONREAD, &r) == 0 ? r : -1;
    printf(" nread %d %s", r, r < 0 && errno != 0 ? strerrorname_np(errno) : "");
    errno = 0;
    char buf[4];
    r = S_ISSOCK(st.st_mode) ? (int)recv(fd, buf, 1, MSG_OOB | MSG_DONTWAIT) : 0;
    printf(" oob %d %s\n", r, r < 0 ? strerrorname_np(errno) : "");
    fflush(stdout);
    close(fd);
}

static void pairs(const char *title, int r)
{
    char text[64];
    if (r < 0) {
        printf("%s: %s\n", title, strerrorname_np(errno));
        return;
    }
    snprintf(text, sizeof text, "%s 0", title);
    int other = p[1];
    show(text, p[0]);
    snprintf(text, sizeof text, "%s 1", title);
    show(text, other);
}

#define SHOW(e) show(#e, e)
#define PAIR(e) pairs(#e, e)

static void files(void)
{
    static const int flags[] = {O_RDONLY, O_WRONLY, O_RDWR, O_RDWR | O_APPEND, O_RDWR | O_CLOEXEC, O_RDONLY | O_NONBLOCK, O_RDWR | O_SYNC, O_RDWR | O_DSYNC, O_PATH,
                                O_PATH | O_CLOEXEC, O_RDONLY | O_DIRECTORY, O_RDONLY | O_NOFOLLOW, O_RDONLY | O_NOATIME, O_RDWR | O_ASYNC, O_RDWR | O_DIRECT, O_RDWR | O_TRUNC, 3};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        char title[64];
        static const char *const paths[] = {"f", ".", "link", "fifo", "/dev/null", "/proc/uptime", "nothing"};
        for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++) {
            int fd = -1;
            if (strcmp(paths[k], "fifo") == 0 && (flags[i] & O_ACCMODE) != O_RDWR && (flags[i] & (O_NONBLOCK | O_PATH)) == 0) {
                continue;
            }
            if ((flags[i] & O_TRUNC) != 0 && k == 0) {
                fd = open("f", O_WRONLY | O_TRUNC);
                write(fd, "0123456789", 10);
                close(fd);
            }
            snprintf(title, sizeof title, "open %s %o", paths[k], flags[i]);
            show(title, open(paths[k], flags[i]));
        }
    }
    SHOW(open("made", O_RDWR | O_CREAT, 0640));
    SHOW(open("made", O_RDWR | O_CREAT | O_EXCL, 0640));
    SHOW(open("made2", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0604));
    SHOW(open("link", O_RDWR | O_CREAT | O_EXCL, 0640));
    SHOW(open("dangling", O_RDWR | O_CREAT, 0640));
    SHOW(open(".", O_RDWR | O_TMPFILE, 0600));
    SHOW(open(".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600));
    SHOW(open("f", O_RDWR | O_TMPFILE, 0600));
    SHOW(creat("made3", 0600));
    SHOW(openat(AT_FDCWD, "f", O_RDONLY | O_CLOEXEC));
    SHOW(memfd_create("m", 0));
    SHOW(memfd_create("m", MFD_CLOEXEC));
    SHOW(memfd_create("m", 0x4000));
}

static void others(void)
{
    sigset_t set;
    sigemptyset(&set);
    PAIR(pipe(p));
    PAIR(pipe2(p, O_CLOEXEC));
    PAIR(pipe2(p, O_NONBLOCK));
    PAIR(pipe2(p, O_DIRECT));
    PAIR(pipe2(p, O_APPEND));
    static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
    for (int i = 0; i < 3; i++) {
        PAIR(socketpair(AF_UNIX, types[i], 0, p));
        PAIR(socketpair(AF_UNIX, types[i] | SOCK_CLOEXEC, 0, p));
        PAIR(socketpair(AF_UNIX, types[i] | SOCK_NONBLOCK, 0, p));
        SHOW(socket(AF_UNIX, types[i] | SOCK_CLOEXEC, 0));
        SHOW(socket(AF_INET, types[i] | SOCK_NONBLOCK, 0));
        SHOW(socket(AF_INET6, types[i], 0));
        SHOW(socket(AF_INET, types[i], 99));
        SHOW(socket(99, types[i], 0));
    }
    PAIR(socketpair(AF_INET, SOCK_STREAM, 0, p));
    SHOW(epoll_create(1));
    SHOW(epoll_create(0));
    SHOW(epoll_create1(EPOLL_CLOEXEC));
    SHOW(epoll_create1(1));
    SHOW(eventfd(3, 0));
    SHOW(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    SHOW(eventfd(0, EFD_SEMAPHORE));
    SHOW(eventfd(0, 2));
    SHOW(timerfd_create(CLOCK_REALTIME, 0));
    SHOW(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
    SHOW(timerfd_create(CLOCK_BOOTTIME, 0));
    SHOW(timerfd_create(2, 0));
    SHOW(timerfd_create(1, 1));
    SHOW(signalfd(-1, &set, 0));
    SHOW(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    SHOW(signalfd(-1, &set, 1));
    SHOW(inotify_init());
    SHOW(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    SHOW(inotify_init1(1));
    SHOW(pidfd_open(getpid(), 0));
    SHOW(pidfd_open(99999, 0));
    SHOW(dup(0));
    SHOW(dup3(1, 77, O_CLOEXEC));
    SHOW(dup3(1, 77, 0));
    SHOW(dup3(1, 77, O_NONBLOCK));
    SHOW(dup3(1, 1, 0));
    SHOW(fcntl(1, F_DUPFD, 40));
    SHOW(fcntl(1, F_DUPFD_CLOEXEC, 40));
    SHOW(fcntl(1, F_DUPFD, -1));
    SHOW(fcntl(1, F_DUPFD, 5000));
    SHOW(open("/dev/ptmx", O_RDWR | O_NOCTTY));
    SHOW(open("/dev/ptmx", O_RDWR | O_CLOEXEC | O_NOCTTY));
    int l = socket(AF_INET, SOCK_STREAM, 0), c;
    struct sockaddr_in a = loop(5000);
    bind(l, (void *)&a, sizeof a);
    listen(l, 5);
    static const int how[] = {0, SOCK_CLOEXEC, SOCK_NONBLOCK, 1};
    for (int i = 0; i < 4; i++) {
        c = socket(AF_INET, SOCK_STREAM, 0);
        connect(c, (void *)&a, sizeof a);
        show("accept", accept4(l, NULL, NULL, how[i]));
        close(c);
    }
}

/* All commands of fcntl, with a number, and with a place in memory where it needs one. */
static void commands(void)
{
    for (int kind = 0; kind < 4; kind++) {
        int fd = kind == 0 ? open("f", O_RDWR) : kind == 1 ? eventfd(0, 0) : kind == 2 ? socket(AF_INET, SOCK_STREAM, 0) : memfd_create("m", MFD_ALLOW_SEALING);
        printf("fcntl of %s:", kind == 0 ? "a file" : kind == 1 ? "an event" : kind == 2 ? "a socket" : "memory");
        for (int cmd = 0; cmd < 1046; cmd = cmd == 41 ? 1024 : cmd + 1) {
            uint64_t place[8] = {0};
            bool needs = (cmd >= 5 && cmd <= 7) || (cmd >= 12 && cmd <= 16 && cmd != F_GETSIG) || (cmd >= 36 && cmd <= 38) || cmd >= 1035;
            errno = 0;
            long r = fcntl(fd, cmd, needs ? (long)place : kind % 2);
            printf(" %d=%ld%s", cmd, r, r < 0 ? strerrorname_np(errno) : "");
            if ((cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC) && r > 2) {
                close((int)r);
            }
        }
        printf("\n");
        fflush(stdout);
        close(fd);
    }
}

static void waiting(void)
{
    static struct pollfd many[4200];
    for (int i = 0; i < 4200; i++) {
        many[i].fd = -1;
    }
    R(poll(many, 0, 1));
    R(poll(many, 1024, 0));
    R(poll(many, 4096, 0));
    R(poll(many, 4097, 0));
    R(poll(NULL, 1, 0));
    fd_set set;
    FD_ZERO(&set);
    struct timeval wrong = {0, 1000000}, negative = {-1, 0}, none = {0, 0};
    R(select(-1, &set, NULL, NULL, &none));
    R(select(0, NULL, NULL, NULL, &wrong));
    R(select(0, NULL, NULL, NULL, &negative));
    R(select(1024, &set, &set, &set, &none));
    FD_SET(500, &set);
    R(select(501, &set, NULL, NULL, &none));
    R(select(500, &set, NULL, NULL, &none));
}

int main(void)
{
    int fd = open("f", O_RDWR | O_CREAT, 0644);
    write(fd, "0123456789", 10);
    close(fd);
    symlink("f", "link");
    symlink("target", "dangling");
    mkfifo("fifo", 0600);
    files();
    others();
    commands();
    waiting();
    return 0;
}
