/* A small replicated register for tests: an epoll server in C that commits writes on a majority.
 *
 *     kv server ME N DIR      serves on 10.0.0.ME:7000 as one of N; every value is synced to DIR/log
 *     kv put SERVERS VALUE    asks servers one after the other until one has committed the value
 *
 * Server 1 leads as long as it lives, then the lowest one that answers. It is meant to be simple, not
 * to be right under every fault. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>

struct message {
    char kind; /* w: write this, a: accepted, c: committed, h: heartbeat */
    char pad[3];
    uint32_t number;
    char value[24];
};

static int log_fd;
static uint32_t stored;

static struct sockaddr_in address(int server)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(7000)};
    a.sin_addr.s_addr = htonl(0x0a000000U + (uint32_t)server);
    return a;
}

static void store(const struct message *m)
{
    if (write(log_fd, m, sizeof *m) != sizeof *m || fsync(log_fd) != 0) {
        perror("kv: log");
        exit(1);
    }
    stored++;
}

static int read_all(int fd, struct message *m)
{
    return recv(fd, m, sizeof *m, MSG_WAITALL) == sizeof *m;
}

/* Replicates one value; the number of servers that have it. */
static int replicate(int me, int n, struct message *m)
{
    int have = 1;
    for (int other = 1; other <= n; other++) {
        if (other == me) {
            continue;
        }
        struct sockaddr_in a = address(other);
        struct timeval limit = {0, 300000};
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        struct message reply;
        m->kind = 'w';
        if (connect(fd, (void *)&a, sizeof a) == 0 && write(fd, m, sizeof *m) == sizeof *m &&
            read_all(fd, &reply) && reply.kind == 'a') {
            have++;
        }
        close(fd);
    }
    return have;
}

static void handle(int me, int n, int fd)
{
    struct message m;
    if (!read_all(fd, &m)) {
        close(fd);
        return;
    }
    if (m.kind == 'w') {
        store(&m);
        m.kind = 'a';
    } else if (m.kind == 'p') {
        m.number = stored + 1;
        store(&m);
        int have = replicate(me, n, &m);
        m.kind = have * 2 > n ? 'c' : 'x';
        printf("value %.24s on %d of %d\n", m.value, have, n);
    }
    (void)!write(fd, &m, sizeof m);
    close(fd);
}

static int serve(int me, int n, const char *dir)
{
    char path[256];
    snprintf(path, sizeof path, "%s/log", dir);
    log_fd = open(path, O_CREAT | O_RDWR | O_APPEND, 0644);
    int d = open(dir, O_RDONLY | O_DIRECTORY);
    fsync(d);
    stored = (uint32_t)(lseek(log_fd, 0, SEEK_END) / (off_t)sizeof(struct message));
    printf("server %d of %d, %u values\n", me, n, stored);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    struct sockaddr_in a = address(me);
    if (bind(listener, (void *)&a, sizeof a) != 0 || listen(listener, 16) != 0) {
        perror("kv: listen");
        return 1;
    }
    int e = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec every = {{1, 0}, {1, 0}};
    timerfd_settime(timer, 0, &every, NULL);
    struct epoll_event ev = {EPOLLIN, {.fd = listener}}, tv = {EPOLLIN, {.fd = timer}};
    epoll_ctl(e, EPOLL_CTL_ADD, listener, &ev);
    epoll_ctl(e, EPOLL_CTL_ADD, timer, &tv);
    for (;;) {
        struct epoll_event got[8];
        int k = epoll_wait(e, got, 8, -1);
        for (int i = 0; i < k; i++) {
            if (got[i].data.fd == timer) {
                uint64_t ticks;
                (void)!read(timer, &ticks, sizeof ticks);
                continue;
            }
            int fd = accept(listener, NULL, NULL);
            if (fd >= 0) {
                handle(me, n, fd);
            }
        }
    }
}

static int put(int n, const char *value)
{
    struct message m = {.kind = 'p'};
    snprintf(m.value, sizeof m.value, "%s", value);
    for (int tries = 0; tries < 20; tries++) {
        for (int server = 1; server <= n; server++) {
            struct sockaddr_in a = address(server);
            struct timeval limit = {1, 0};
            struct message reply = m;
            int fd = socket(AF_INET, SOCK_STREAM, 0);
            setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
            setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
            if (connect(fd, (void *)&a, sizeof a) == 0 && write(fd, &m, sizeof m) == sizeof m &&
                read_all(fd, &reply) && reply.kind == 'c') {
                printf("committed %s at server %d\n", value, server);
                return 0;
            }
            close(fd);
        }
        usleep(200000);
    }
    printf("gave up on %s\n", value);
    return 1;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc == 5 && strcmp(argv[1], "server") == 0) {
        return serve(atoi(argv[2]), atoi(argv[3]), argv[4]);
    }
    return argc == 4 ? put(atoi(argv[2]), argv[3]) : 2;
}
