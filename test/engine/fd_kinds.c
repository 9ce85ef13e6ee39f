/* calls: readahead fadvise64 sync_file_range */
/* fs: ext4 */
/* Every call that takes a descriptor, on a descriptor of every kind: which error, or that it works.
 */
#include <sys/pidfd.h>

#include "t.h"

enum { KINDS = 24, BEYOND = 700 };

static const char *const names[KINDS] = {
    "closed", "file",   "readonly", "writeonly", "dir",   "path",   "pipe-out", "pipe-in",
    "fifo",   "stream", "dgram",    "tcp",       "conn",  "listen", "udp",      "epoll",
    "event",  "timer",  "signal",   "inotify",   "memfd", "null",   "zero",     "pidfd",
};
enum {
    CLOSED = 1,
    DIR_FD = 1 << 4,
    UNIX = 3 << 9,
    TCP = 7 << 11,
    EPOLL = 1 << 15,
    ANON = 31 << 15,
    INOTIFY = 1 << 19,
    MEMFD = 1 << 20,
    DEV = 3 << 21,
    PIDFD = 1 << 23,
};
static int other[2];

static int pipe_end(int which)
{
    int p[2];
    pipe2(p, O_NONBLOCK);
    other[0] = p[1 - which];
    return p[which];
}

static int pair_end(int type)
{
    int p[2];
    socketpair(AF_UNIX, type | SOCK_NONBLOCK, 0, p);
    other[0] = p[1];
    return p[0];
}

static int file_with(int flags)
{
    int fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0644);
    write(fd, "0123456789", 10);
    close(fd);
    return open("f", flags);
}

static int inet_sock(int kind)
{
    struct sockaddr_in a = loop(0);
    int fd = socket(AF_INET, kind == 14 ? SOCK_DGRAM : SOCK_STREAM, 0);
    if (kind == 13) {
        bind(fd, (void *)&a, sizeof a);
        listen(fd, 3);
    }
    return fd;
}

static int open_kind(int kind)
{
    sigset_t set;
    int p[2];
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    other[0] = other[1] = -1;
    switch (kind) {
    case 0: return BEYOND;
    case 1: return file_with(O_RDWR);
    case 2: return file_with(O_RDONLY);
    case 3: return file_with(O_WRONLY);
    case 4: return open("d", O_RDONLY | O_DIRECTORY);
    case 5: return open("f", O_PATH);
    case 6: return pipe_end(0);
    case 7: return pipe_end(1);
    case 8: return open("p", O_RDWR | O_NONBLOCK);
    case 9: return pair_end(SOCK_STREAM);
    case 10: return pair_end(SOCK_DGRAM);
    case 12:
        tcp_pair(p);
        other[0] = p[1];
        return p[0];
    case 11:
    case 13:
    case 14: return inet_sock(kind);
    case 15: return epoll_create1(0);
    case 16: return eventfd(0, 0);
    case 17: return timerfd_create(CLOCK_MONOTONIC, 0);
    case 18: return signalfd(-1, &set, 0);
    case 19: return inotify_init1(0);
    case 20: return memfd_create("m", MFD_ALLOW_SEALING);
    case 21: return open("/dev/null", O_RDWR);
    case 22: return open("/dev/zero", O_RDWR);
    default: return pidfd_open(getpid(), 0);
    }
}

static char buf[64];
static struct stat st;
static struct itimerspec never;
static struct epoll_event ev = {.events = EPOLLIN};
static struct sockaddr_storage peer;
static socklen_t size = sizeof peer;
static struct flock lock = {.l_type = F_WRLCK};
static int one = 1, got, to, from, helper;
static struct iovec vec = {buf, 4};

static void nonblocking(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* Some answers depend on the kernel's version or on the file system: such kinds are left out. */
#define EACH_BUT(out, title, e)                                                                    \
    do {                                                                                           \
        printf("%s:", title);                                                                      \
        for (int k = 0; k < KINDS; k++) {                                                          \
            if (((out) >> k & 1) != 0) {                                                           \
                continue;                                                                          \
            }                                                                                      \
            int fd = open_kind(k);                                                                 \
            nonblocking(fd);                                                                       \
            errno = 0;                                                                             \
            long r = (long)(e);                                                                    \
            printf(" %s=", names[k]);                                                              \
            if (r < 0) {                                                                           \
                printf("%s", strerrorname_np(errno));                                              \
            } else {                                                                               \
                printf("%ld", r);                                                                  \
            }                                                                                      \
            close(fd);                                                                             \
            close(other[0]);                                                                       \
        }                                                                                          \
        printf("\n");                                                                              \
        fflush(stdout);                                                                            \
    } while (0)

#define EACH(title, e) EACH_BUT(PIDFD, title, e)

static long mapped(int fd, int prot, int flags)
{
    void *p = mmap(NULL, 4096, prot, flags, fd, 0);
    if (p == MAP_FAILED) {
        return -1;
    }
    munmap(p, 4096);
    return 0;
}

static long dup_to(int fd)
{
    int at = dup2(fd, 600);
    if (at >= 0) {
        close(at);
    }
    return at;
}

static long kind_of(int fd)
{
    return fstat(fd, &st) != 0 ? -1 : (long)((st.st_mode & S_IFMT) >> 12);
}

static void positions(void)
{
    EACH("lseek cur", lseek(fd, 0, SEEK_CUR));
    EACH("lseek set", lseek(fd, 7, SEEK_SET));
    EACH("lseek negative", lseek(fd, -1, SEEK_SET));
    EACH_BUT(PIDFD | DIR_FD, "lseek end", lseek(fd, -3, SEEK_END));
    EACH_BUT(PIDFD | DIR_FD, "lseek data", lseek(fd, 2, SEEK_DATA));
    EACH_BUT(PIDFD | DIR_FD, "lseek hole", lseek(fd, 2, SEEK_HOLE));
    EACH("lseek whence", lseek(fd, 2, 9));
    EACH("ftruncate", ftruncate(fd, 5));
    EACH("ftruncate negative", ftruncate(fd, -5));
    EACH("fallocate", fallocate(fd, 0, 0, 20));
    EACH("fallocate nothing", fallocate(fd, 0, 0, 0));
    EACH("fadvise", posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL));
    EACH("fadvise what", posix_fadvise(fd, 0, 0, 77));
    EACH("readahead", readahead(fd, 0, 4));
    EACH("sync range", sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE));
    EACH("sync range flags", sync_file_range(fd, 0, 0, 64));
    EACH("fsync", fsync(fd));
    EACH("fdatasync", fdatasync(fd));
    EACH("syncfs", syncfs(fd));
}

static void bytes(void)
{
    EACH_BUT(0, "read", read(fd, buf, 4));
    EACH("read nothing", read(fd, buf, 0));
    EACH_BUT(0, "write", write(fd, "12345678", 8));
    EACH("write nothing", write(fd, "", 0));
    EACH("readv", readv(fd, &vec, 1));
    EACH("readv many", readv(fd, &vec, 1025));
    EACH("writev none", writev(fd, &vec, 0));
    EACH("pread", pread(fd, buf, 4, 3));
    EACH("pread negative", pread(fd, buf, 4, -3));
    EACH("pwrite", pwrite(fd, "abcd", 4, 3));
    EACH("pwrite negative", pwrite(fd, "abcd", 4, -3));
    EACH("send", send(fd, "x", 1, MSG_NOSIGNAL));
    EACH("recv", recv(fd, buf, 4, 0));
    EACH_BUT(PIDFD | DEV, "sendfile from", sendfile(to, fd, NULL, 3));
    EACH("sendfile to", (lseek(from, 0, SEEK_SET), sendfile(fd, from, NULL, 3)));
    EACH_BUT(PIDFD | MEMFD, "copy from", copy_file_range(fd, NULL, to, NULL, 3, 0));
    EACH_BUT(PIDFD | MEMFD, "copy to",
             lseek(from, 0, SEEK_SET) + copy_file_range(from, NULL, fd, NULL, 3, 0));
    EACH_BUT(PIDFD | INOTIFY | DEV, "splice from",
             splice(fd, NULL, helper, NULL, 3, SPLICE_F_NONBLOCK));
    EACH("tee", tee(fd, helper, 3, SPLICE_F_NONBLOCK));
    EACH("vmsplice", vmsplice(fd, &vec, 1, SPLICE_F_NONBLOCK) < 0 ? -1 : 0);
}

static void names_of(void)
{
    EACH_BUT(0, "fstat", kind_of(fd));
    EACH_BUT(PIDFD | ANON | DEV, "fchmod", fchmod(fd, 0700));
    EACH_BUT(PIDFD | ANON | DEV, "fchown", fchown(fd, (uid_t)-1, (gid_t)-1));
    EACH_BUT(PIDFD | ANON | DEV, "futimens", futimens(fd, NULL));
    EACH("fchdir", fchdir(fd) < 0 ? -1 : chdir(".."));
    EACH("getdents", syscall(SYS_getdents64, fd, buf, sizeof buf) < 0 ? -1 : 0);
    EACH("openat", openat(fd, "none", O_RDONLY));
    EACH("openat empty", openat(fd, "", O_RDONLY));
    EACH("fstatat empty", fstatat(fd, "", &st, AT_EMPTY_PATH));
    EACH("mkdirat", mkdirat(fd, "m", 0755) < 0 ? -1 : unlinkat(fd, "m", AT_REMOVEDIR));
    EACH("faccessat", faccessat(fd, ".", R_OK, 0));
    EACH_BUT(0, "inotify add", inotify_add_watch(fd, "d", IN_CREATE));
    EACH("inotify none", inotify_add_watch(fd, "d", 0));
    EACH("inotify remove", inotify_rm_watch(fd, 7));
}

static void descriptors(void)
{
    EACH_BUT(0, "dup", dup_to(fd));
    EACH_BUT(0, "dup3 same", dup3(fd, fd, 0));
    EACH_BUT(0, "dup3 flags", dup3(fd, 600, O_APPEND));
    EACH_BUT(0, "getfd", fcntl(fd, F_GETFD));
    EACH("getfl", fcntl(fd, F_GETFL));
    EACH("setfl", fcntl(fd, F_SETFL, O_NONBLOCK));
    EACH("getlk", (lock.l_type = F_WRLCK, fcntl(fd, F_GETLK, &lock)));
    EACH("getlk none", (lock.l_type = F_UNLCK, fcntl(fd, F_GETLK, &lock)));
    EACH("setlk", (lock.l_type = F_WRLCK, fcntl(fd, F_SETLK, &lock)));
    EACH("setlk read", (lock.l_type = F_RDLCK, fcntl(fd, F_SETLK, &lock)));
    EACH("fcntl what", fcntl(fd, 4242, 0));
    EACH("seals", fcntl(fd, F_GET_SEALS));
    EACH("add seals", fcntl(fd, F_ADD_SEALS, F_SEAL_GROW));
    EACH("flock", flock(fd, LOCK_EX | LOCK_NB));
    EACH("flock what", flock(fd, 0));
    EACH_BUT(PIDFD | EPOLL, "fionread", ioctl(fd, FIONREAD, &got));
    EACH("fionbio", ioctl(fd, FIONBIO, &one));
    EACH_BUT(PIDFD | EPOLL, "tcgets", isatty(fd) ? 0 : -1);
    EACH_BUT(PIDFD | EPOLL | UNIX, "siocatmark", ioctl(fd, SIOCATMARK, &got));
    EACH_BUT(PIDFD | TCP, "map private", mapped(fd, PROT_READ, MAP_PRIVATE));
    EACH_BUT(PIDFD | TCP, "map shared", mapped(fd, PROT_READ | PROT_WRITE, MAP_SHARED));
    EACH("map neither", mapped(fd, PROT_READ, 0));
}

static void waits(void)
{
    int ep = epoll_create1(0), tfd = timerfd_create(CLOCK_MONOTONIC, 0);
    EACH_BUT(0, "epoll add", epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev));
    EACH("epoll mod", epoll_ctl(ep, EPOLL_CTL_MOD, fd, &ev));
    EACH_BUT(0, "epoll del", epoll_ctl(ep, EPOLL_CTL_DEL, fd, &ev));
    EACH("epoll ctl on", epoll_ctl(fd, EPOLL_CTL_ADD, tfd, &ev));
    EACH("epoll wait", epoll_wait(fd, &ev, 1, 0));
    EACH_BUT(PIDFD | CLOSED | 1 << 5, "epoll wait none", epoll_wait(fd, &ev, 0, 0));
    EACH_BUT(0, "timer get", timerfd_gettime(fd, &never));
    EACH("timer set", timerfd_settime(fd, 0, &never, NULL));
    EACH("timer flags", timerfd_settime(fd, 64, &never, NULL));
    sigset_t set;
    sigemptyset(&set);
    EACH_BUT(0, "signalfd", signalfd(fd, &set, 0) < 0 ? -1 : 0);
    for (int k = 0; k < KINDS; k++) {
        struct pollfd p = {.events = POLLIN | POLLOUT | POLLPRI | POLLRDHUP};
        p.fd = open_kind(k);
        printf("poll %s: %d", names[k], poll(&p, 1, 0));
        printf(" %x\n", (unsigned)p.revents);
        close(p.fd);
        close(other[0]);
    }
    EACH_BUT(0, "pidfd send", pidfd_send_signal(fd, 0, NULL, 0));
    EACH_BUT(0, "pidfd get", pidfd_getfd(fd, 1, 0) < 0 ? -1 : 0);
    EACH_BUT(0, "pidfd get flags", pidfd_getfd(fd, 1, 1));
    EACH_BUT(0, "pidfd wait", waitid(P_PIDFD, (id_t)fd, NULL, WNOHANG | WEXITED));
}

static void sockets(void)
{
    struct sockaddr_in a = loop(0), nobody = loop(1);
    EACH("bind", bind(fd, (void *)&a, sizeof a));
    EACH("bind short", bind(fd, (void *)&a, 1));
    EACH("listen", listen(fd, 2));
    EACH("accept", accept4(fd, NULL, NULL, SOCK_NONBLOCK));
    EACH("accept flags", accept4(fd, NULL, NULL, 7));
    EACH("connect short", connect(fd, (void *)&nobody, 1));
    EACH("getsockname", (size = sizeof peer,
                         getsockname(fd, (void *)&peer, &size) < 0 ? -1 : (long)peer.ss_family));
    EACH("getpeername", (size = sizeof peer,
                         getpeername(fd, (void *)&peer, &size) < 0 ? -1 : (long)peer.ss_family));
    EACH("type",
         (size = sizeof got, getsockopt(fd, SOL_SOCKET, SO_TYPE, &got, &size) < 0 ? -1 : got));
    EACH("listens", (size = sizeof got,
                     getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &got, &size) < 0 ? -1 : got));
    EACH("domain",
         (size = sizeof got, getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &got, &size) < 0 ? -1 : got));
    EACH("protocol",
         (size = sizeof got, getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &got, &size) < 0 ? -1 : got));
    EACH("option", (size = sizeof got, getsockopt(fd, SOL_SOCKET, 9999, &got, &size)));
    EACH("set option", setsockopt(fd, SOL_SOCKET, 9999, &one, sizeof one));
    EACH("reuse short", setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, 1));
    EACH("reuse", setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one));
    EACH("nodelay", setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one));
    EACH("shutdown", shutdown(fd, SHUT_RDWR));
    EACH("shutdown how", shutdown(fd, 3));
    EACH("sendto", sendto(fd, "x", 1, MSG_NOSIGNAL, (void *)&nobody, sizeof nobody));
    EACH("sendto short", sendto(fd, "x", 1, MSG_NOSIGNAL, (void *)&nobody, 1));
    EACH_BUT(PIDFD | 1 << 9, "recv oob", recv(fd, buf, 4, MSG_OOB));
    EACH("recv peek", recv(fd, buf, 4, MSG_PEEK));
}

int main(void)
{
    int p[2];
    signal(SIGPIPE, SIG_IGN);
    mkdir("d", 0755);
    mkfifo("p", 0644);
    file_with(O_RDONLY);
    to = open("to", O_RDWR | O_CREAT, 0644);
    from = open("from", O_RDWR | O_CREAT, 0644);
    write(from, "abcdefgh", 8);
    lseek(from, 0, SEEK_SET);
    pipe2(p, O_NONBLOCK);
    helper = p[1];
    positions();
    bytes();
    names_of();
    descriptors();
    waits();
    sockets();
    return 0;
}
