/* The programs in the kernel: loaded, attached, and what they write read from the ring. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"
#include "tap/record.h"

struct ebpf;

struct ebpf_options {
    bool cgroup;
    uint64_t cgroup_id;
    uint32_t level;
    size_t ring_bytes; /* a power of two */
    bool syncs;
};

/* ERR_UNSUPPORTED with the reason: no right, no such feature. */
MUST_USE int ebpf_open(const struct ebpf_options *options, struct ebpf **ret, struct err *err);
void ebpf_close(struct ebpf *ebpf); /* accepts NULL */
MUST_USE int ebpf_add_process(struct ebpf *ebpf, uint32_t pid, struct err *err);
MUST_USE int ebpf_add_port(struct ebpf *ebpf, uint16_t port, struct err *err);
/* From here on events are noted. */
MUST_USE int ebpf_attach(struct ebpf *ebpf, struct err *err);
/* The next record, good until the next call; NULL: there is none. */
const struct tap_record *ebpf_next(struct ebpf *ebpf);
size_t ebpf_waiting(const struct ebpf *ebpf);
void ebpf_skip(struct ebpf *ebpf);
/* Events that the programs did not see, as the kernel counts them. */
uint64_t ebpf_missed(const struct ebpf *ebpf);
/* What it is attached to. */
void ebpf_describe(const struct ebpf *ebpf, struct strbuf *out);
