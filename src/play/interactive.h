/* `assay run --interactive`: a person, or a script on standard input, chooses what happens next. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/teller.h"
#include "run/cluster.h"
#include "world/world.h"

enum { INTERACTIVE_QUEUE = 64 };
struct interactive {
    const struct cluster *cluster;
    const struct teller *teller;
    const char *dir; /* of the run: logs are there */
    bool tty;
    /* private */
    bool rest;         /* the run goes on by itself */
    bool threads;      /* each choice of a thread is asked for */
    uint64_t steps;    /* events that come by themselves before the next question */
    uint64_t until_ns; /* the same, up to this time */
    uint64_t done;     /* events so far */
    struct event queue[INTERACTIVE_QUEUE]; /* one command may stand for several */
    size_t queued, next;
};
/* To be given to run_options.choose. */
bool interactive_choose(void *session, struct world *world, const struct event *due,
                        struct event *ret);
