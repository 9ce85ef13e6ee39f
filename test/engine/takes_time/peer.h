/* For the programs in this directory: `PROGRAM server` is a node, `PROGRAM client SERVER` asks it. */
#pragma once
#include "../t.h"
#include <netdb.h>
#include <sys/times.h>

static inline int peer_accept(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(7000)};
    bind(fd, (struct sockaddr *)&at, sizeof at);
    listen(fd, 8);
    return accept(fd, NULL, NULL);
}

static inline int peer_connect(const char *name)
{
    struct addrinfo *list = NULL, want = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    getaddrinfo(name, "7000", &want, &list);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    connect(fd, list->ai_addr, list->ai_addrlen);
    return fd;
}

static inline long us_of(clockid_t clock)
{
    struct timespec ts;
    clock_gettime(clock, &ts);
    return ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}
