/* Ranks without MPI: processes that are connected by sockets, for tests. */
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/wait.h>

#include "dist/ranks.h"
#include "dist/socket.h"
#include "test.h"

enum { RANKS_MOST = 8 };

/* Runs `part` in n processes; this one is rank 0. The others must end with status 0. */
static inline void run_ranks(unsigned n, void (*part)(struct ranks *ranks, void *arg), void *arg)
{
    int fds[RANKS_MOST][RANKS_MOST] = {{0}};
    pid_t pids[RANKS_MOST] = {0};
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < i; k++) {
            int pair[2];
            CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
            fds[i][k] = pair[0];
            fds[k][i] = pair[1];
        }
    }
    unsigned me = 0;
    for (unsigned i = 1; i < n && me == 0; i++) {
        pids[i] = fork();
        me = pids[i] == 0 ? i : 0;
    }
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < n; k++) {
            if (i != me && k != i) {
                (void)close(fds[i][k]);
            }
        }
    }
    struct ranks *ranks = ranks_new(transport_of_sockets(me, n, fds[me]));
    part(ranks, arg);
    ranks_close(ranks);
    if (me != 0) {
        exit(0);
    }
    for (unsigned i = 1; i < n; i++) {
        int status = -1;
        CHECK(waitpid(pids[i], &status, 0) == pids[i]);
        CHECK_EQ(status, 0);
    }
}
