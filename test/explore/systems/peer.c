#include "peer.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/socket.h>

enum { PORT = 7000 };

static _Noreturn void give_up(const char *what)
{
    perror(what);
    exit(1);
}

static int listen_here(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    if (bind(fd, (struct sockaddr *)&here, sizeof here) != 0 || listen(fd, PEERS_MOST) != 0) {
        give_up("listen");
    }
    return fd;
}

static int call(const char *host)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
    if (getaddrinfo(host, NULL, &hints, &found) != 0) {
        give_up(host);
    }
    struct sockaddr_in there = *(struct sockaddr_in *)found->ai_addr;
    there.sin_port = htons(PORT);
    freeaddrinfo(found);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&there, sizeof there) != 0) {
        give_up("connect");
    }
    return fd;
}

struct peers peers_open(size_t n_in, char *const *hosts, size_t n_hosts)
{
    struct peers peers = {.n_in = n_in, .n_out = n_hosts};
    int listener = listen_here();
    for (size_t i = 0; i < n_hosts; i++) {
        peers.out[i] = call(hosts[i]);
    }
    for (size_t i = 0; i < n_in; i++) {
        peers.in[i] = accept(listener, NULL, NULL);
    }
    close(listener);
    return peers;
}

void peers_send(const struct peers *peers, size_t to, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text - 1, format, args);
    va_end(args);
    text[n++] = '\n';
    if (write(peers->out[to], text, (size_t)n) != n) {
        give_up("write");
    }
}

/* Up to the end of the line: several may have arrived. */
static struct line read_line(int fd)
{
    struct line line = {0};
    for (size_t n = 0; n < sizeof line.text - 1; n++) {
        if (read(fd, &line.text[n], 1) != 1) {
            give_up("read");
        }
        if (line.text[n] == '\n') {
            line.text[n] = '\0';
            break;
        }
    }
    return line;
}

struct line peers_receive(const struct peers *peers)
{
    struct pollfd fds[PEERS_MOST];
    for (size_t i = 0; i < peers->n_in; i++) {
        fds[i] = (struct pollfd){.fd = peers->in[i], .events = POLLIN};
    }
    if (poll(fds, peers->n_in, -1) < 1) {
        give_up("poll");
    }
    size_t i = 0;
    while (fds[i].revents == 0) {
        i++;
    }
    return read_line(peers->in[i]);
}

void sleep_until(long seconds)
{
    static time_t begin_s; /* set by main's first call, before there are threads */
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (begin_s == 0) {
        begin_s = now.tv_sec;
    }
    struct timespec then = {.tv_sec = begin_s + seconds};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL) != 0) {
    }
}

static void *take_turns(void *arg)
{
    struct turns turns = *(struct turns *)arg;
    pthread_setname_np(pthread_self(), turns.what);
    for (int i = 0; i < turns.times; i++) {
        sleep_until(TIMER_S + i);
        pthread_mutex_lock(turns.lock);
        char text[LINE_BYTES]; /* threads share no buffer */
        int n = snprintf(text, sizeof text, "%s %d\n", turns.what, *turns.value);
        if (write(STDOUT_FILENO, text, (size_t)n) != n) {
            give_up("write");
        }
        pthread_mutex_unlock(turns.lock);
    }
    rest(); /* the order in which threads end would be seen in the lists of the C library */
}

void turns_start(struct turns *turns)
{
    pthread_t thread;
    if (turns->times != 0 && pthread_create(&thread, NULL, take_turns, turns) != 0) {
        give_up(turns->what);
    }
}

_Noreturn void rest(void)
{
    for (;;) {
        pause();
    }
}
