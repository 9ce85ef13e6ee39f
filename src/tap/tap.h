/* What a running process does with its connections and files, as it does it: events of `capture`.
 *
 * Three ways, in the order in which they are worth trying: programs in the kernel (eBPF; needs
 * CAP_BPF and CAP_PERFMON), packets of an interface (needs CAP_NET_RAW; sees no syncs and no
 * restarts), a library that is loaded into the process (needs no rights; sees calls of libc only).
 * None of them lets the process wait, or changes what it does. What could not be seen is told as
 * CAPTURE_GAP. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"
#include "capture/capture.h"

struct tap;

struct tap_options {
    pid_t pid;                        /* the process and those that it starts; 0: see cgroup */
    const char *cgroup;               /* or all of a cgroup: its directory */
    const char *interface;            /* or packets of an interface ("any"): */
    const struct capture_node *nodes; /* whose addresses are looked for */
    size_t n_nodes;
    const char *ring;  /* or what the library of `assay` writes there */
    size_t ring_bytes; /* a power of two; 0: 16 MB */
    bool syncs;        /* files that are synced are told, too */
};

struct tap_counts {
    uint64_t records, bytes, gaps, missed; /* missed: records that are known to be lost */
};

/* Begins to look. ERR_UNSUPPORTED and ERR_INVALID with what is missing: a right, a feature of the
 * kernel, the process. */
MUST_USE int tap_open(const struct tap_options *options, struct tap **ret, struct err *err);
void tap_close(struct tap *tap); /* accepts NULL */
/* The next event, good until the next call: 1. 0: there is none for now. TAP_OVER: the process is
 * gone and cannot come back. Never waits. */
enum { TAP_OVER = 2 };
MUST_USE int tap_next(struct tap *tap, struct capture_event *ret, struct err *err);
/* Bytes that wait to be taken, and the room there is for them. */
size_t tap_waiting(const struct tap *tap, size_t *ret_room);
/* Throws away what waits; the next event is a gap. */
void tap_skip(struct tap *tap);
/* Whether something was missed that was not told yet: records that are lost are noticed late, by
 * those behind them. The next event is a gap then. */
bool tap_missed(struct tap *tap);
void tap_counts(const struct tap *tap, struct tap_counts *ret);
/* Whether no process was there when it began: then the first that starts is at its beginning. */
bool tap_from_start(const struct tap *tap);
/* What would be looked at, and with which rights; nothing is begun. */
void tap_describe(const struct tap_options *options, struct strbuf *out);

/* The directory of the cgroup of a systemd unit, or of any cgroup by its name. */
MUST_USE int tap_find_unit(const char *unit, struct strbuf *ret, struct err *err);
