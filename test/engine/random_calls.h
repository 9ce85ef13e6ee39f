/* For programs that make calls on a few descriptors in a random order, none of which blocks, and print what each returns. Connections are
 * shut down on the writing side only: what both sides at once do to data on its way, the engine does not follow Linux in. */
#pragma once

#include "t.h"

enum { FDS = 12 };

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
