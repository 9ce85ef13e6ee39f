/* Three nodes of two threads each, for measuring: one exchanges datagrams with its peers, the other messages over TCP with the next
 * node. `nodes I N`: node I of N, at 10.0.0.1 and following. Now and then each thread says how much has come back. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { PORT = 7100, EVERY_MS = 34, SAY_EVERY = 30, MOST = 16 };

struct self {
    int index, n;
};
struct message {
    uint64_t number;
    int from, answer;
};

static struct sockaddr_in address(int index)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    to.sin_addr.s_addr = htonl(0x0a000000u + (uint32_t)index);
    return to;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void fatal(const char *what)
{
    perror(what);
    exit(1);
}

/* A socket is told of once, and asked for again after each time, as servers with several threads do. */
static void watch(int epoll, int how, int fd)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.fd = fd};
    if (epoll_ctl(epoll, how, fd, &event) != 0) {
        fatal("epoll_ctl");
    }
}

/* The next time to send has come, or else sockets that can be read. */
static int wait_for(int epoll, int64_t *next_ms, struct epoll_event events[MOST])
{
    int64_t left = *next_ms - now_ms();
    int n = left > 0 ? epoll_wait(epoll, events, MOST, (int)left) : 0;
    *next_ms += n == 0 ? EVERY_MS : 0;
    return n;
}

static void say(const char *what, uint64_t back, uint64_t sent)
{
    if (sent % SAY_EVERY == 0) {
        printf("%s: %llu of %llu came back\n", what, (unsigned long long)back, (unsigned long long)sent);
    }
}

static void *datagrams(void *arg)
{
    const struct self *self = arg;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), epoll = epoll_create1(0);
    struct sockaddr_in own = address(self->index);
    if (bind(fd, (struct sockaddr *)&own, sizeof own) != 0) {
        fatal("bind");
    }
    watch(epoll, EPOLL_CTL_ADD, fd);
    int64_t next_ms = now_ms() + EVERY_MS;
    for (uint64_t sent = 0, back = 0;;) {
        struct epoll_event events[MOST];
        struct sockaddr_in from;
        struct message m;
        if (wait_for(epoll, &next_ms, events) == 0) {
            from = address((self->index + (int)(sent++ % (unsigned)(self->n - 1))) % self->n + 1);
            m = (struct message){sent, self->index, 0};
            sendto(fd, &m, sizeof m, 0, (struct sockaddr *)&from, sizeof from);
            say("datagrams", back, sent);
            continue;
        }
        socklen_t size = sizeof from;
        while (recvfrom(fd, &m, sizeof m, 0, (struct sockaddr *)&from, &size) == sizeof m) {
            back += m.answer;
            if (!m.answer) {
                m.answer = 1;
                sendto(fd, &m, sizeof m, 0, (struct sockaddr *)&from, size);
            }
        }
        watch(epoll, EPOLL_CTL_MOD, fd);
    }
    return NULL;
}

/* The connection to the next node; it may not be there yet. */
static int call(const struct self *self)
{
    struct sockaddr_in to = address(self->index % self->n + 1);
    for (;;) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0) {
            fcntl(fd, F_SETFL, O_NONBLOCK);
            return fd;
        }
        close(fd);
        usleep(10000);
    }
}

static void put(int fd, const struct message *m)
{
    if (write(fd, m, sizeof *m) != sizeof *m) {
        fatal("write");
    }
}

/* Reads what has come, and answers what is no answer. How many answers there were. */
static uint64_t get(int fd)
{
    struct message m;
    uint64_t answers = 0;
    while (read(fd, &m, sizeof m) == sizeof m) {
        answers += m.answer;
        if (!m.answer) {
            m.answer = 1;
            put(fd, &m);
        }
    }
    return answers;
}

static void streams(const struct self *self)
{
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), epoll = epoll_create1(0);
    struct sockaddr_in own = address(self->index);
    if (bind(listener, (struct sockaddr *)&own, sizeof own) != 0 || listen(listener, 8) != 0) {
        fatal("listen");
    }
    int next = call(self);
    watch(epoll, EPOLL_CTL_ADD, listener);
    watch(epoll, EPOLL_CTL_ADD, next);
    int64_t next_ms = now_ms() + EVERY_MS;
    for (uint64_t sent = 0, back = 0;;) {
        struct epoll_event events[MOST];
        int n = wait_for(epoll, &next_ms, events);
        if (n == 0) {
            put(next, &(struct message){++sent, self->index, 0});
            say("messages", back, sent);
        }
        for (int i = 0; i < n; i++) {
            int fd = events[i].data.fd;
            if (fd == listener) {
                watch(epoll, EPOLL_CTL_ADD, accept4(listener, NULL, NULL, SOCK_NONBLOCK));
            } else {
                back += get(fd);
            }
            watch(epoll, EPOLL_CTL_MOD, fd);
        }
    }
}

int main(int argc, char **argv)
{
    struct self self = {argc > 1 ? atoi(argv[1]) : 1, argc > 2 ? atoi(argv[2]) : 3};
    pthread_t thread;
    setvbuf(stdout, NULL, _IOLBF, 0);
    pthread_create(&thread, NULL, datagrams, &self);
    streams(&self);
    return 0;
}
