/* A debugger on one node of a running cluster: the other side of gdb's remote serial protocol. The
 * run stands still while the debugger looks; when it says "continue", the run goes on, up to a
 * breakpoint, the end of a step, a fault, or the end. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "run/cluster.h"
#include "world/world.h"

struct gdb;
struct gdb_options {
    const struct cluster *cluster;
    uint32_t node;
    uint64_t at; /* stop when this many events have happened */
    /* Called when the run stands there for the first time, to get the connection; `exe` is the
     * program to be debugged, in the machine's file system. */
    int (*connect)(void *arg, const char *exe, int *ret_fd, struct err *err);
    void *arg;
    const volatile sig_atomic_t *interrupted; /* not 0: the session ends; may be NULL */
};
MUST_USE int gdb_new(const struct gdb_options *options, struct gdb **ret, struct err *err);
/* Tells the debugger that the program is over, and frees everything. The connection is the caller's
 * to close. Accepts NULL. */
void gdb_free(struct gdb *gdb);
/* To be given to run_options.watch, with the struct gdb. */
int gdb_watch(void *arg, struct world *world, uint64_t events, struct err *err);
