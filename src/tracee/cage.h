/* Private to the tracee room: what surrounds a tracee besides its filter. */
#pragma once

#include <stdbool.h>

#include <sys/types.h>

#include "tracee/tracee.h"

struct tracee_cage {
    pid_t keeper;    /* first process of the namespaces; 0: there are none */
    int keeper_fd;   /* by which they are entered */
    int namespaces;  /* flags of clone(2) */
    int rules_fd;    /* of Landlock; -1: none */
    int null_fd;     /* /dev/null: devices cannot be opened inside */
    unsigned layers; /* enum tracee_layer */
};

/* In a process that shares our memory and does nothing else: enters the namespaces, and makes a
 * process there whose parent is ours. Its number, 0 in the new process itself, or -1. */
pid_t cage_fork(const struct tracee_cage *cage);
/* Goes on without namespaces; whether there were any. */
bool cage_give_up(struct tracee_cage *cage);
/* In the new process, before its program is executed: the rest. */
void cage_close(const struct tracee_cage *cage);
