/* The programs that run in the kernel. They only look: nothing that the watched processes do is
 * changed or waits. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tap/asm.h"

struct probe_places { /* of members, in the running kernel; *_size where it differs */
    uint16_t task_tgid, task_pid, task_signal, signal_live;
    uint16_t sk_family, sk_type, sk_type_size, sk_shutdown, sk_num, sk_dport, sk_daddr,
        sk_rcv_saddr, sk_net, net_inum;
};
struct probe_maps {
    int ring, pids, socks, ports, heap;
};
struct probe_options {
    struct probe_places at;
    struct probe_maps maps;
    bool cgroup; /* processes of a cgroup; else those in `pids` */
    uint32_t level;
    uint64_t cgroup_id;
};
/* What `socks` keeps of a connection. */
struct probe_sock {
    uint64_t conn;
    uint32_t flags, unused;
};

/* Each is for the tracepoint that ebpf.c names. false: it does not fit, which is a mistake of ours.
 */
bool probe_send(const struct probe_options *o, struct asm_code *ret);
bool probe_receive(const struct probe_options *o, struct asm_code *ret);
bool probe_state(const struct probe_options *o, struct asm_code *ret);
bool probe_destroy(const struct probe_options *o, struct asm_code *ret);
bool probe_fork(const struct probe_options *o, struct asm_code *ret);
bool probe_exec(const struct probe_options *o, struct asm_code *ret);
bool probe_end(const struct probe_options *o, struct asm_code *ret);
bool probe_sync(const struct probe_options *o, struct asm_code *ret);
