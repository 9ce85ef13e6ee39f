/* Processes of ours that work side by side, each with a world of its own, and tell lines of text
 * through a pipe. They never outlive us, however we end. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"

struct pool_worker {
    pid_t pid;
    int fd;                /* -1: it has ended, */
    int status;            /* with this status of waitpid */
    struct strbuf pending; /* the beginning of a line */
};

struct pool {
    struct pool_worker *workers; /* [n] */
    unsigned n;
};

/* What happens while they work. */
struct pool_events {
    void (*line)(void *arg, unsigned worker, const char *line); /* without its end */
    void (*tick)(void *arg); /* now and then, also when a signal came; may be NULL */
    bool (*stop)(void *arg); /* asked then: they are told to end (SIGTERM, once) */
    void *arg;
};

/* Starts n of them: each runs `main` and ends with its result as exit status. On an error those
 * that run are ended. */
MUST_USE int pool_start(struct pool *pool, unsigned n,
                        int (*main)(void *arg, unsigned index, FILE *out), void *arg,
                        struct err *err);
/* Until all have ended. */
void pool_wait(struct pool *pool, const struct pool_events *events);
void pool_done(struct pool *pool); /* ends those that run, and accepts a zeroed one */
