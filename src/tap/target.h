/* What /proc and the file system of cgroups say of the processes that are looked at. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct target_socket {
    uint32_t local_ip, remote_ip; /* host byte order; of IPv6 only what is IPv4 in it */
    uint16_t local_port, remote_port;
    int listens; /* else it is a connection that stands */
};
struct target {
    VEC(uint32_t) pids;
    VEC(struct target_socket) sockets;
    uint32_t net;       /* the network namespace of the first process; 0: there is none */
    uint64_t cgroup_id; /* with a cgroup */
    uint32_t level;     /* below the root */
};

void target_done(struct target *target);
/* A process and what it has started. ERR_NOT_FOUND: there is none. */
MUST_USE int target_of_pid(pid_t pid, struct target *ret, struct err *err);
/* A directory of cgroup version 2; it may have no processes yet. */
MUST_USE int target_of_cgroup(const char *dir, struct target *ret, struct err *err);
/* The TCP sockets of the processes, as they are now. */
void target_sockets(struct target *target);
uint32_t target_net(uint32_t pid);
