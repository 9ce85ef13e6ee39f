/* Records of the programs in the kernel to events: calls that came in parts are put together, what
 * is missing is a gap, connections that were there before are told as open, and of several
 * processes the first to start and the last to end count. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/vec.h"
#include "capture/capture.h"
#include "tap/record.h"

/* A connection that stood when this began, by its ends. */
struct turn_old {
    uint32_t local_ip, remote_ip; /* in host byte order, as all below */
    uint16_t local_port, remote_port;
    uint64_t conn;
    bool told;
};
struct turn_call { /* one that comes in parts */
    struct strbuf bytes;
    bool on;
};

struct turn {
    uint32_t net;      /* only connections of this network namespace; 0: all */
    VEC(uint64_t) seq; /* by program and processor */
    VEC(struct turn_call) calls;
    VEC(struct turn_old) old;
    VEC(uint32_t) pids;
    VEC(uint16_t) ports; /* on which the process listens */
    VEC(struct capture_event) queue;
    size_t at;
    uint64_t missed, gaps, now_ns;
    bool ran; /* there was a process */
};

void turn_done(struct turn *turn);
void turn_process(struct turn *turn, uint32_t pid);
void turn_listens(struct turn *turn, uint16_t port);
/* A connection that stands already; it is told first. */
void turn_connection(struct turn *turn, struct turn_old connection);
/* One record; its events can be taken until the next, and use its bytes. */
void turn_record(struct turn *turn, const struct tap_record *record);
/* Something was lost that no number shows. */
void turn_gap(struct turn *turn);
bool turn_next(struct turn *turn, struct capture_event *ret);
/* Whether all processes are gone. */
bool turn_over(const struct turn *turn);
