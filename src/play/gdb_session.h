/* Starting gdb and getting its connection: a socket in the directory of the run. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include <sys/types.h>

#include "base/err.h"
#include "base/teller.h"

struct gdb_session {
    const struct teller *teller;
    const char *dir;
    const char *script; /* commands for gdb, which then does not ask; NULL: a session */
    bool listen_only;   /* say where to connect and wait, instead of starting gdb */
    /* private */
    struct sigaction before; /* what Ctrl-C did */
    pid_t pid;
    int fd;
    bool connected;
    char path[108];
};
/* To be given to gdb_options.connect, with the session. */
MUST_USE int gdb_session_connect(void *session, const char *exe, int *ret_fd, struct err *err);
/* Closes the connection and waits until gdb has ended. */
void gdb_session_done(struct gdb_session *session);
