/* calls: socket connect read write sendto recvfrom shutdown poll epoll_wait fcntl ioctl getsockopt */
/* Calls on connections within a machine in a random order; nothing of it blocks, and each has arrived before the next. */
#include "t.h"

#include <linux/sockios.h>

enum { STEPS = 600, FDS = 12 };

static uint64_t state;
static int fds[FDS], watch;
static const char *what[FDS];

static unsigned pick(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 11) % n;
}

static void told(const char *call, int i, long result)
{
    printf("%s %d(%s) %ld%s%s\n", call, i, what[i], result < 0 ? -1 : result, result < 0 ? " " : "", result < 0 ? strerrorname_np(errno) : "");
}
#define TOLD(call, i, e) told(call, i, (errno = 0, (long)(e)))

static void put(int i, int fd, const char *kind)
{
    close(fds[i]);
    fds[i] = fd;
    what[i] = kind;
}

static void pair(int type, int two[2])
{
    struct sockaddr_in a[2] = {loop(0), loop(0)};
    socklen_t n = sizeof a[0];
    if (type == SOCK_STREAM) {
        tcp_pair(two);
    } else {
        for (int k = 0; k < 2; k++) {
            two[k] = socket(AF_INET, SOCK_DGRAM, 0);
            bind(two[k], (void *)&a[k], n);
            getsockname(two[k], (void *)&a[k], &n);
        }
        connect(two[0], (void *)&a[1], n);
        connect(two[1], (void *)&a[0], n);
    }
    for (int k = 0; k < 2; k++) {
        int on = 1;
        fcntl(two[k], F_SETFL, O_NONBLOCK);
        setsockopt(two[k], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
}

static void make(void)
{
    int i = (int)pick(FDS), j = (int)pick(FDS), two[2];
    if (i == j) {
        return;
    }
    bool stream = pick(3) != 0;
    pair(stream ? SOCK_STREAM : SOCK_DGRAM, two);
    put(i, two[0], stream ? "tcp" : "udp");
    put(j, two[1], stream ? "tcp" : "udp");
    printf("made %d(%s) %d(%s)\n", i, what[i], j, what[j]);
}

/* What was read: how much, and a sum. */
static void show(const char *call, int i, long n, const char *b)
{
    uint64_t sum = 0;
    for (long k = 0; k < n; k++) {
        sum = sum * 31 + (unsigned char)b[k];
    }
    told(call, i, n);
    printf("%llx\n", (unsigned long long)sum);
}

static void bytes(int i)
{
    static char b[6000];
    static char next;
    bool event = strcmp(what[i], "event") == 0;
    size_t n = event ? 8 : pick(5) == 0 ? pick(sizeof b) : pick(30);
    memset(b, 0, sizeof b);
    errno = 0;
    if (pick(2)) {
        long got;
        switch (pick(4)) {
        case 0: got = recv(fds[i], b, n, (pick(2) ? MSG_PEEK : 0) | (pick(2) ? MSG_TRUNC : 0)); break;
        case 1: {
            struct iovec v[2] = {{b, n / 2}, {b + n / 2, n - n / 2}};
            got = readv(fds[i], v, 2);
            break;
        }
        default: got = read(fds[i], b, n);
        }
        show("read", i, got, b);
        return;
    }
    for (size_t k = 0; k < n; k++) {
        b[k] = event ? (k == 0 ? (char)pick(4) : 0) : next++;
    }
    if (event && pick(10) == 0) {
        memset(b, 0xff, 8);
    }
    switch (pick(3)) {
    case 0: TOLD("send", i, send(fds[i], b, n, MSG_NOSIGNAL)); break;
    default: TOLD("write", i, write(fds[i], b, n)); break;
    }
}

static void waits(void)
{
    struct pollfd p[FDS];
    struct epoll_event e[FDS];
    for (int i = 0; i < FDS; i++) {
        p[i] = (struct pollfd){fds[i], (short)(pick(4) ? POLLIN | POLLOUT | POLLRDHUP : POLLPRI), 0};
    }
    printf("poll %d", poll(p, FDS, 0));
    for (int i = 0; i < FDS; i++) {
        printf(" %x", p[i].revents);
    }
    int n = epoll_wait(watch, e, FDS, 0);
    unsigned seen[FDS] = {0};
    for (int i = 0; i < n; i++) {
        seen[e[i].data.u32 % FDS] |= e[i].events;
    }
    printf(" epoll %d", n);
    for (int i = 0; i < FDS; i++) {
        printf(" %x", seen[i]);
    }
    printf("\n");
}

static void watched(int i)
{
    static const int ops[] = {EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL};
    struct epoll_event e = {.events = EPOLLIN | (pick(2) ? EPOLLOUT : 0) | (pick(2) ? EPOLLRDHUP : 0) | (pick(3) == 0 ? EPOLLONESHOT : 0),
                            .data.u32 = (uint32_t)i};
    TOLD("epoll_ctl", i, epoll_ctl(watch, ops[pick(3)], fds[i], &e));
}

static void state_of(int i)
{
    int n = -1, v = -1;
    socklen_t len = sizeof v;
    bool event = strcmp(what[i], "event") == 0;
    switch (pick(6)) {
    case 0:
        if (!event) {
            TOLD("FIONREAD", i, ioctl(fds[i], FIONREAD, &n));
            printf("%d\n", n);
        }
        break;
    case 1: TOLD("shutdown", i, shutdown(fds[i], strcmp(what[i], "tcp") == 0 ? SHUT_WR : (int)pick(4))); break;
    case 2:
        TOLD("SO_ERROR", i, getsockopt(fds[i], SOL_SOCKET, SO_ERROR, &v, &len));
        printf("%d\n", v);
        break;
    case 3: TOLD("F_GETFL", i, fcntl(fds[i], F_GETFL)); break;
    case 4:
        TOLD("SO_TYPE", i, getsockopt(fds[i], SOL_SOCKET, SO_TYPE, &v, &len));
        printf("%d\n", v);
        break;
    default: {
        int j = (int)pick(FDS);
        if (i != j) {
            TOLD("dup", i, dup2(fds[i], fds[j]) < 0 ? -1 : 0);
            what[j] = what[i];
        }
    }
    }
}

static void run(uint64_t seed)
{
    state = seed;
    watch = epoll_create1(0);
    for (int i = 0; i < FDS; i++) {
        fds[i] = eventfd(0, EFD_NONBLOCK);
        what[i] = "event";
    }
    for (int step = 0; step < STEPS; step++) {
        int i = (int)pick(FDS);
        printf("%llu:%d ", (unsigned long long)seed, step);
        usleep(300);
        switch (pick(14)) {
        case 0: make(); break;
        case 1: watched(i); break;
        case 2: state_of(i); break;
        case 3:
        case 4: waits(); break;
        case 6:
            if (pick(6) == 0) {
                put(i, eventfd(1, EFD_NONBLOCK), "event");
            }
            printf("\n");
            break;
        default: bytes(i); break;
        }
    }
    for (int i = 0; i < FDS; i++) {
        close(fds[i]);
    }
    close(watch);
}

int main(void)
{
    static char all[1 << 16];
    setvbuf(stdout, all, _IOFBF, sizeof all);
    signal(SIGPIPE, SIG_IGN);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        run(seed * 104729);
    }
    return 0;
}
