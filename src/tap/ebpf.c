/* bpf(2), without a library: maps, programs for the places that the kernel's own table of types
 * tells, and the ring.
 *
 * The programs are attached to typed tracepoints, which takes CAP_BPF and CAP_PERFMON and no file
 * system. Syncs are seen at the end of system calls, which costs each call of the machine a little;
 * so that is done only where syncs are asked for. */
#include "tap/ebpf.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/btf.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "tap/asm.h"
#include "tap/btf.h"
#include "tap/probe.h"
#include "tap/record.h"

#define TYPES "/sys/kernel/btf/vmlinux"
enum { PIDS_MOST = 4096, SOCKS_MOST = 65536, PORTS_MOST = 4096, VERIFIER_TEXT = 1 << 16 };

struct hook {
    int program, link;
    const char *name; /* of the tracepoint */
};

struct ebpf {
    struct ebpf_options o;
    struct btf *btf;
    struct probe_options p;
    struct hook hooks[PROGRAMS];
    void *consumer, *producer; /* two mappings of the ring */
    size_t page;
    uint64_t at; /* consumed so far */
};

static long call_bpf(int what, union bpf_attr *attr)
{
    return syscall(SYS_bpf, what, attr, sizeof *attr);
}

/* ---- maps ---- */

static int make_map(enum bpf_map_type type, uint32_t key, uint32_t value, uint32_t n, int *ret,
                    struct err *err)
{
    union bpf_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.map_type = type;
    attr.key_size = key;
    attr.value_size = value;
    attr.max_entries = n;
    attr.map_flags = type == BPF_MAP_TYPE_HASH ? BPF_F_NO_PREALLOC : 0;
    *ret = (int)call_bpf(BPF_MAP_CREATE, &attr);
    if (*ret >= 0) {
        return 0;
    }
    return errno == EPERM
               ? err_set(err, ERR_UNSUPPORTED, 0,
                         "eBPF is not permitted here: it takes the capabilities CAP_BPF and "
                         "CAP_PERFMON (docs/WATCH.md says how to give them to one program)")
               : err_set(err, ERR_UNSUPPORTED, errno, "a map of eBPF cannot be made");
}

static int make_maps(struct ebpf *e, struct err *err)
{
    struct probe_maps *m = &e->p.maps;
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    (void)setrlimit(RLIMIT_MEMLOCK, &all); /* counts before Linux 5.11 only */
    int status = make_map(BPF_MAP_TYPE_RINGBUF, 0, 0, (uint32_t)e->o.ring_bytes, &m->ring, err);
    status = status != 0 ? status : make_map(BPF_MAP_TYPE_HASH, 4, 8, PIDS_MOST, &m->pids, err);
    status = status != 0 ? status
                         : make_map(BPF_MAP_TYPE_HASH, 8, sizeof(struct probe_sock), SOCKS_MOST,
                                    &m->socks, err);
    status = status != 0 ? status : make_map(BPF_MAP_TYPE_HASH, 8, 8, PORTS_MOST, &m->ports, err);
    return status != 0 ? status
                       : make_map(BPF_MAP_TYPE_PERCPU_ARRAY, 4, RECORD_HEAD + RECORD_BYTES_MOST,
                                  PROGRAMS, &m->heap, err);
}

static int put_element(int map, const void *key, const void *value, struct err *err)
{
    union bpf_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.map_fd = (uint32_t)map;
    attr.key = (uint64_t)(uintptr_t)key;
    attr.value = (uint64_t)(uintptr_t)value;
    return call_bpf(BPF_MAP_UPDATE_ELEM, &attr) == 0
               ? 0
               : err_set(err, ERR_IO, errno, "a map of eBPF cannot be written");
}

int ebpf_add_process(struct ebpf *e, uint32_t pid, struct err *err)
{
    uint64_t value = 1;
    return put_element(e->p.maps.pids, &pid, &value, err);
}

int ebpf_add_port(struct ebpf *e, uint16_t port, struct err *err)
{
    uint64_t key = port, value = 1;
    return put_element(e->p.maps.ports, &key, &value, err);
}

static int map_ring(struct ebpf *e, struct err *err)
{
    e->page = (size_t)sysconf(_SC_PAGESIZE);
    void *own = mmap(NULL, e->page, PROT_READ | PROT_WRITE, MAP_SHARED, e->p.maps.ring, 0);
    e->consumer = own == MAP_FAILED ? NULL : own;
    void *all = mmap(NULL, e->page + 2 * e->o.ring_bytes, PROT_READ, MAP_SHARED, e->p.maps.ring,
                     (off_t)e->page);
    e->producer = all == MAP_FAILED ? NULL : all;
    return e->consumer != NULL && e->producer != NULL
               ? 0
               : err_set(err, ERR_IO, errno, "the ring of eBPF cannot be mapped");
}

/* ---- where things are ---- */

struct wanted {
    const char *structure, *member;
    uint16_t *place;
};

static int find_places(struct ebpf *e, struct err *err)
{
    struct probe_places *p = &e->p.at;
    uint16_t common = 0, ns = 0, inum = 0, net = 0;
    const struct wanted wanted[] = {
        {"task_struct",   "tgid",          &p->task_tgid   },
        {"task_struct",   "pid",           &p->task_pid    },
        {"task_struct",   "signal",        &p->task_signal },
        {"signal_struct", "live",          &p->signal_live },
        {"sock",          "__sk_common",   &common         },
        {"sock_common",   "skc_family",    &p->sk_family   },
        {"sock_common",   "skc_num",       &p->sk_num      },
        {"sock_common",   "skc_dport",     &p->sk_dport    },
        {"sock_common",   "skc_daddr",     &p->sk_daddr    },
        {"sock_common",   "skc_rcv_saddr", &p->sk_rcv_saddr},
        {"sock_common",   "skc_net",       &net            },
        {"sock",          "sk_type",       &p->sk_type     },
        {"sock",          "sk_shutdown",   &p->sk_shutdown },
        {"net",           "ns",            &ns             },
        {"ns_common",     "inum",          &inum           },
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        uint32_t size = 0;
        long at = btf_member(e->btf, wanted[i].structure, wanted[i].member, &size);
        if (at < 0 || at > INT16_MAX) {
            return err_set(err, ERR_UNSUPPORTED, 0, "this kernel has no %s.%s that eBPF could read",
                           wanted[i].structure, wanted[i].member);
        }
        *wanted[i].place = (uint16_t)at;
        p->sk_type_size = wanted[i].place == &p->sk_type ? (uint16_t)size : p->sk_type_size;
    }
    p->sk_family = (uint16_t)(p->sk_family + common);
    p->sk_num = (uint16_t)(p->sk_num + common);
    p->sk_dport = (uint16_t)(p->sk_dport + common);
    p->sk_daddr = (uint16_t)(p->sk_daddr + common);
    p->sk_rcv_saddr = (uint16_t)(p->sk_rcv_saddr + common);
    p->sk_net = (uint16_t)(net + common);
    p->net_inum = (uint16_t)(ns + inum);
    return 0;
}

static uint32_t tracepoint(const struct ebpf *e, const char *name)
{
    char full[64];
    (void)snprintf(full, sizeof full, "btf_trace_%s", name);
    return btf_find(e->btf, BTF_KIND_TYPEDEF, full);
}

/* ---- programs ---- */

static int load_again(union bpf_attr *attr, const char *name, struct err *err)
{
    SCOPED_STRBUF text = {0};
    int why = errno;
    strbuf_reserve(&text, VERIFIER_TEXT);
    text.p[0] = 0;
    attr->log_buf = (uint64_t)(uintptr_t)text.p;
    attr->log_size = VERIFIER_TEXT;
    attr->log_level = 1;
    if (call_bpf(BPF_PROG_LOAD, attr) >= 0) {
        return err_set(err, ERR_UNSUPPORTED, 0, "the program for %s was refused once", name);
    }
    size_t n = strlen(text.p), from = n > 240 ? n - 240 : 0;
    return why == EPERM
               ? err_set(err, ERR_UNSUPPORTED, 0,
                         "a program of eBPF is not permitted here: it takes CAP_BPF and "
                         "CAP_PERFMON")
               : err_set(err, ERR_UNSUPPORTED, why, "the kernel refuses the program for %s: ...%s",
                         name, text.p + from);
}

static int load(struct hook *h, const struct asm_code *code, uint32_t attach, struct err *err)
{
    union bpf_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.prog_type = BPF_PROG_TYPE_TRACING;
    attr.expected_attach_type = BPF_TRACE_RAW_TP;
    attr.attach_btf_id = attach;
    attr.insns = (uint64_t)(uintptr_t)code->code;
    attr.insn_cnt = (uint32_t)code->n;
    attr.license = (uint64_t)(uintptr_t)"Dual MIT/GPL";
    h->program = (int)call_bpf(BPF_PROG_LOAD, &attr);
    return h->program >= 0 ? 0 : load_again(&attr, h->name, err);
}

struct plain {
    enum tap_program program;
    const char *name;
    bool (*make)(const struct probe_options *o, struct asm_code *ret);
};

static int load_plain(struct ebpf *e, const struct plain *plain, struct err *err)
{
    struct hook *h = &e->hooks[plain->program];
    size_t cap = 0;
    h->name = plain->name;
    uint32_t attach = tracepoint(e, h->name);
    if (attach == 0) {
        return err_set(
            err, ERR_UNSUPPORTED, 0,
            "this kernel has no tracepoint %s; Linux 6.3 or later has all that is needed", h->name);
    }
    struct asm_code *code = vec_grow(NULL, &cap, 1, sizeof *code);
    memset(code, 0, sizeof *code);
    int status = plain->make(&e->p, code)
                     ? load(h, code, attach, err)
                     : err_set(err, ERR_UNSUPPORTED, 0, "the program for %s does not fit", h->name);
    vec_release(code);
    return status;
}

static int attach_hook(struct hook *h, struct err *err)
{
    union bpf_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.raw_tracepoint.prog_fd = (uint32_t)h->program;
    h->link = (int)call_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
    return h->link >= 0 ? 0
                        : err_set(err, ERR_UNSUPPORTED, errno, "%s cannot be attached to", h->name);
}

static void unload(struct hook *h)
{
    if (h->link >= 0) {
        close(h->link);
    }
    if (h->program >= 0) {
        close(h->program);
    }
    h->link = h->program = -1;
}

static int load_all(struct ebpf *e, struct err *err)
{
    static const struct plain plain[] = {
        {PROGRAM_SEND,    "sock_send_length",    probe_send   },
        {PROGRAM_RECEIVE, "sock_recv_length",    probe_receive},
        {PROGRAM_STATE,   "inet_sock_set_state", probe_state  },
        {PROGRAM_DESTROY, "tcp_destroy_sock",    probe_destroy},
        {PROGRAM_FORK,    "sched_process_fork",  probe_fork   },
        {PROGRAM_EXEC,    "sched_process_exec",  probe_exec   },
        {PROGRAM_EXIT,    "sched_process_exit",  probe_end    },
        {PROGRAM_SYNC,    "sys_exit",            probe_sync   },
    };
    int status = 0;
    for (size_t i = 0; i < sizeof plain / sizeof plain[0] && status == 0; i++) {
        if (plain[i].program != PROGRAM_SYNC || e->o.syncs) {
            status = load_plain(e, &plain[i], err);
        }
    }
    return status;
}

int ebpf_attach(struct ebpf *e, struct err *err)
{
    int status = 0;
    for (size_t i = 0; i < PROGRAMS && status == 0; i++) {
        status = e->hooks[i].program >= 0 ? attach_hook(&e->hooks[i], err) : 0;
    }
    return status;
}

int ebpf_open(const struct ebpf_options *o, struct ebpf **ret, struct err *err)
{
    size_t cap = 0;
#ifndef __x86_64__
    return err_set(err, ERR_UNSUPPORTED, 0, "eBPF is used on x86-64 only");
#endif
    struct ebpf *e = vec_grow(NULL, &cap, 1, sizeof *e);
    memset(e, 0, sizeof *e);
    e->o = *o;
    e->p.cgroup = o->cgroup;
    e->p.level = o->level;
    e->p.cgroup_id = o->cgroup_id;
    e->p.maps = (struct probe_maps){-1, -1, -1, -1, -1};
    for (size_t i = 0; i < PROGRAMS; i++) {
        e->hooks[i] = (struct hook){.program = -1, .link = -1};
    }
    int status = make_maps(e, err);
    status = status != 0 ? status : map_ring(e, err);
    status = status != 0 ? status : btf_open(TYPES, &e->btf, err);
    status = status != 0 ? status : find_places(e, err);
    status = status != 0 ? status : load_all(e, err);
    if (status != 0) {
        ebpf_close(e);
        return status;
    }
    *ret = e;
    return 0;
}

void ebpf_close(struct ebpf *e)
{
    if (e == NULL) {
        return;
    }
    for (size_t i = 0; i < PROGRAMS; i++) {
        unload(&e->hooks[i]);
    }
    if (e->consumer != NULL) {
        munmap(e->consumer, e->page);
    }
    if (e->producer != NULL) {
        munmap(e->producer, e->page + 2 * e->o.ring_bytes);
    }
    const int maps[] = {e->p.maps.ring, e->p.maps.pids, e->p.maps.socks, e->p.maps.ports,
                        e->p.maps.heap};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        if (maps[i] >= 0) {
            close(maps[i]);
        }
    }
    btf_close(e->btf);
    vec_release(e);
}

/* ---- the ring ---- */

/* Written by the kernel; release there, acquire here. */
static uint64_t produced(const struct ebpf *e)
{
    return atomic_load_explicit((_Atomic uint64_t *)e->producer, memory_order_acquire);
}

static void consume(struct ebpf *e)
{
    atomic_store_explicit((_Atomic uint64_t *)e->consumer, e->at, memory_order_release);
}

const struct tap_record *ebpf_next(struct ebpf *e)
{
    consume(e); /* what was told last is not used any more */
    while (e->at < produced(e)) {
        char *head = (char *)e->producer + e->page + (e->at & (e->o.ring_bytes - 1));
        void *size_at = head, *bytes = head + BPF_RINGBUF_HDR_SZ;
        uint32_t size = atomic_load_explicit((_Atomic uint32_t *)size_at, memory_order_acquire);
        if (size & BPF_RINGBUF_BUSY_BIT) {
            return NULL; /* it is being written */
        }
        uint32_t n = size & ~(uint32_t)BPF_RINGBUF_DISCARD_BIT;
        e->at += ((uint64_t)n + BPF_RINGBUF_HDR_SZ + 7) / 8 * 8;
        if ((size & BPF_RINGBUF_DISCARD_BIT) == 0 && n >= RECORD_HEAD) {
            return bytes;
        }
    }
    return NULL;
}

size_t ebpf_waiting(const struct ebpf *e)
{
    return (size_t)(produced(e) - e->at);
}

void ebpf_skip(struct ebpf *e)
{
    uint64_t end = produced(e);
    while (e->at < end && ebpf_next(e) != NULL) {
    }
    consume(e);
}

uint64_t ebpf_missed(const struct ebpf *e)
{
    uint64_t missed = 0;
    for (size_t i = 0; i < PROGRAMS; i++) {
        struct bpf_prog_info info;
        union bpf_attr attr;
        memset(&info, 0, sizeof info);
        memset(&attr, 0, sizeof attr);
        attr.info.bpf_fd = (uint32_t)e->hooks[i].program;
        attr.info.info_len = sizeof info;
        attr.info.info = (uint64_t)(uintptr_t)&info;
        if (e->hooks[i].program >= 0 && call_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) == 0) {
            missed += info.recursion_misses;
        }
    }
    return missed;
}

void ebpf_describe(const struct ebpf *e, struct strbuf *out)
{
    for (size_t i = 0; i < PROGRAMS; i++) {
        const struct hook *h = &e->hooks[i];
        if (h->program >= 0) {
            strbuf_printf(out, "  tracepoint %s\n", h->name);
        }
    }
}
