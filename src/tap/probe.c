/* The programs in the kernel, assembled for its own layout of structures.
 *
 * Bytes are taken where the kernel says how many a call has sent or received (sock_send_length,
 * sock_recv_length): then the call's own buffer, in the memory of the process, holds them. So what
 * was received is noted before the program can act on it. A call of up to a megabyte is noted in
 * parts of 16 KB; what is longer, or was sent without a buffer (sendfile, io_uring), is noted as
 * not seen.
 *
 * All records begin in an element of `heap` of the processor and program; only one run of a program
 * at a time is there, which the kernel sees to (others are counted as missed). */
#include "tap/probe.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/bpf.h>
#include <linux/bpf_common.h>
#include <sys/syscall.h>

#include "tap/asm.h"
#include "tap/record.h"

#define AT(field) offsetof(struct tap_record, field)

/* Places on the frame. */
enum {
    F_KEY = 8,   /* of maps */
    F_PID = 16,  /* tgid << 32 | tid */
    F_SOCK = 32, /* struct probe_sock */
    F_VEC = 48,  /* struct iovec: base, length */
    F_HEAD = 80, /* the first 32 bytes of struct user_msghdr */
    F_VECS = 88, /* where the next iovec is; 0: there is none */
    F_PART = 96, /* bytes noted before */
    F_SKEY = 104 /* the socket: key of `socks` */
};
enum { L_OUT, L_MORE, L_HAVE, L_VECS, L_MSG, L_ONE, L_UNSEEN, L_FAMILY };
enum { L_FOUND = L_FAMILY + 1, L_CALLS, L_LISTENS, L_OPENS, L_CLOSES, L_EMIT, L_FREE, L_NEW };
enum { TCP_IS_OPEN = 1, TCP_CALLS = 2, TCP_ANSWERS = 3, TCP_FIN_WAIT = 4, TCP_IS_OVER = 7 };
enum { TCP_LAST = 9, TCP_LISTENS = 10, SHUT_BOTH = 3, PEEK = 2 };
/* struct pt_regs of x86-64. */
enum { REGS_DX = 96, REGS_SI = 104, REGS_CALL = 120 };

/* ---- parts ---- */

/* Leaves unless the current process is one of those that are looked at; F_PID is set. */
static void only_ours(struct asm_code *a, const struct probe_options *o, uint16_t otherwise)
{
    asm_call(a, BPF_FUNC_get_current_pid_tgid);
    asm_put(a, F_PID, R0);
    if (o->cgroup) {
        asm_set(a, R1, (int32_t)o->level);
        asm_call(a, BPF_FUNC_get_current_ancestor_cgroup_id);
        asm_wide(a, R1, o->cgroup_id);
        asm_if_reg(a, BPF_JNE, R0, R1, otherwise);
        return;
    }
    asm_op(a, BPF_ALU64 | BPF_RSH | BPF_K, R0, 0, 32);
    asm_put(a, F_KEY, R0);
    asm_map(a, R1, o->maps.pids);
    asm_frame(a, R2, F_KEY);
    asm_call(a, BPF_FUNC_map_lookup_elem);
    asm_if(a, BPF_JEQ, R0, 0, otherwise);
}

/* R9: a record with its head begun. */
static void begin_record(struct asm_code *a, const struct probe_options *o, int program,
                         uint16_t otherwise)
{
    asm_set(a, R1, program);
    asm_put(a, F_KEY, R1);
    asm_map(a, R1, o->maps.heap);
    asm_frame(a, R2, F_KEY);
    asm_call(a, BPF_FUNC_map_lookup_elem);
    asm_if(a, BPF_JEQ, R0, 0, otherwise);
    asm_move(a, R9, R0);
    asm_call(a, BPF_FUNC_ktime_get_ns);
    asm_store(a, 8, R9, AT(time_ns), R0);
    asm_call(a, BPF_FUNC_get_smp_processor_id);
    asm_store(a, 4, R9, AT(cpu), R0);
    asm_set(a, R1, program);
    asm_store(a, 4, R9, AT(program), R1);
    asm_set(a, R1, 0);
    asm_store(a, 8, R9, AT(conn), R1);
    asm_store(a, 4, R9, AT(flags), R1);
    asm_store(a, 4, R9, AT(len), R1);
    asm_store(a, 4, R9, AT(part), R1);
    asm_store(a, 4, R9, AT(got), R1);
    asm_store(a, 4, R9, AT(net), R1);
    asm_store(a, 4, R9, AT(tgid), R1);
    asm_store(a, 4, R9, AT(tid), R1);
}

static void kind_of_record(struct asm_code *a, int kind)
{
    asm_set(a, R1, kind);
    asm_store(a, 4, R9, AT(kind), R1);
}

static void put_pid(struct asm_code *a)
{
    asm_get(a, R1, F_PID);
    asm_store(a, 4, R9, AT(tid), R1);
    asm_op(a, BPF_ALU64 | BPF_RSH | BPF_K, R1, 0, 32);
    asm_store(a, 4, R9, AT(tgid), R1);
}

/* Numbers the record and writes it; R3 is its size. */
static void write_record(struct asm_code *a, const struct probe_options *o)
{
    asm_load(a, 8, R1, R9, AT(seq));
    asm_add(a, R1, 1);
    asm_store(a, 8, R9, AT(seq), R1);
    asm_map(a, R1, o->maps.ring);
    asm_move(a, R2, R9);
    asm_set(a, R4, BPF_RB_NO_WAKEUP);
    asm_call(a, BPF_FUNC_ringbuf_output);
}

static void write_head(struct asm_code *a, const struct probe_options *o)
{
    asm_set(a, R3, RECORD_HEAD);
    write_record(a, o);
}

/* Addresses of the socket in `sk` into the record. */
static void put_addresses(struct asm_code *a, const struct probe_options *o, uint8_t sk)
{
    asm_load(a, 4, R1, sk, o->at.sk_rcv_saddr);
    asm_store(a, 4, R9, AT(local_ip), R1);
    asm_load(a, 4, R1, sk, o->at.sk_daddr);
    asm_store(a, 4, R9, AT(remote_ip), R1);
    asm_load(a, 2, R1, sk, o->at.sk_num);
    asm_store(a, 2, R9, AT(local_port), R1);
    asm_load(a, 2, R1, sk, o->at.sk_dport);
    asm_store(a, 2, R9, AT(remote_port), R1);
}

/* R0: what is known of the connection whose socket is at F_SKEY, or 0. */
static void find_sock(struct asm_code *a, const struct probe_options *o)
{
    asm_map(a, R1, o->maps.socks);
    asm_frame(a, R2, F_SKEY);
    asm_call(a, BPF_FUNC_map_lookup_elem);
}

static void take_sock(struct asm_code *a)
{
    asm_load(a, 8, R1, R0, offsetof(struct probe_sock, conn));
    asm_store(a, 8, R9, AT(conn), R1);
    asm_load(a, 4, R1, R0, offsetof(struct probe_sock, flags));
    asm_store(a, 4, R9, AT(flags), R1);
}

/* Remembers the connection with these flags, under a number that is made of the time and the
 * processor; both are in the record then. */
static void new_sock(struct asm_code *a, const struct probe_options *o, int flags)
{
    asm_load(a, 8, R1, R9, AT(time_ns));
    asm_load(a, 4, R2, R9, AT(cpu));
    asm_op(a, BPF_ALU64 | BPF_LSH | BPF_K, R2, 0, 52);
    asm_op(a, BPF_ALU64 | BPF_XOR | BPF_X, R1, R2, 0);
    asm_put(a, F_SOCK, R1);
    asm_store(a, 8, R9, AT(conn), R1);
    asm_set(a, R1, flags);
    asm_put(a, F_SOCK - 8, R1);
    asm_store(a, 4, R9, AT(flags), R1);
    asm_map(a, R1, o->maps.socks);
    asm_frame(a, R2, F_SKEY);
    asm_frame(a, R3, F_SOCK);
    asm_set(a, R4, BPF_ANY);
    asm_call(a, BPF_FUNC_map_update_elem);
}

static void forget_sock(struct asm_code *a, const struct probe_options *o)
{
    asm_map(a, R1, o->maps.socks);
    asm_frame(a, R2, F_SKEY);
    asm_call(a, BPF_FUNC_map_delete_elem);
}

static void finish(struct asm_code *a)
{
    asm_label(a, L_OUT);
    asm_exit(a);
}

/* ---- bytes that were sent or received ---- */

/* From (socket, how many or an error, flags): R6: the socket, R7: how many bytes; F_PID, F_SKEY. */
static void take_arguments(struct asm_code *a, const struct probe_options *o, bool sends)
{
    asm_load(a, 8, R6, R1, 0);
    asm_load(a, 8, R7, R1, 8);
    asm_op(a, BPF_ALU | BPF_MOV | BPF_X, R7, R7, 0);
    asm_if32(a, BPF_JSLE, R7, 0, L_OUT);
    if (!sends) {
        asm_load(a, 8, R2, R1, 16);
        asm_if(a, BPF_JSET, R2, PEEK, L_OUT);
    }
    only_ours(a, o, L_OUT);
    asm_load(a, o->at.sk_type_size, R1, R6, o->at.sk_type);
    asm_if(a, BPF_JNE, R1, 1 /* SOCK_STREAM */, L_OUT);
    asm_load(a, 2, R1, R6, o->at.sk_family);
    asm_if(a, BPF_JEQ, R1, 2 /* AF_INET */, L_FAMILY);
    asm_if(a, BPF_JNE, R1, 10 /* AF_INET6 */, L_OUT);
    asm_label(a, L_FAMILY);
    asm_put(a, F_SKEY, R6);
}

static void take_connection(struct asm_code *a, const struct probe_options *o)
{
    find_sock(a, o);
    asm_if(a, BPF_JEQ, R0, 0, L_NEW);
    take_sock(a);
    asm_go(a, L_FOUND);
    asm_label(a, L_NEW);
    new_sock(a, o, RECORD_FOUND);
    asm_label(a, L_FOUND);
}

/* From the call that runs: R6: the buffer, R8: its size; F_VECS: others that follow. */
static void find_buffer(struct asm_code *a, bool sends)
{
    static const int one[2][2] = {
        {SYS_read,  SYS_recvfrom},
        {SYS_write, SYS_sendto  }
    };
    static const int vecs[2] = {SYS_readv, SYS_writev};
    static const int msg[2] = {SYS_recvmsg, SYS_sendmsg}, mmsg[2] = {SYS_recvmmsg, SYS_sendmmsg};
    asm_call(a, BPF_FUNC_get_current_task_btf);
    asm_move(a, R1, R0);
    asm_call(a, BPF_FUNC_task_pt_regs);
    asm_load(a, 8, R1, R0, REGS_CALL);
    asm_load(a, 8, R6, R0, REGS_SI);
    asm_load(a, 8, R2, R0, REGS_DX);
    asm_set(a, R8, 0);
    asm_put(a, F_VECS, R8);
    asm_put(a, F_PART, R8);
    asm_if(a, BPF_JEQ, R1, one[sends][0], L_ONE);
    asm_if(a, BPF_JEQ, R1, one[sends][1], L_ONE);
    asm_if(a, BPF_JEQ, R1, vecs[sends], L_VECS);
    asm_if(a, BPF_JEQ, R1, msg[sends], L_MSG);
    asm_if(a, BPF_JNE, R1, mmsg[sends], L_UNSEEN);
    asm_if(a, BPF_JNE, R2, 1, L_UNSEEN); /* one message only: else it is not told which it is */
    asm_label(a, L_MSG);
    asm_frame(a, R1, F_HEAD);
    asm_set(a, R2, 32);
    asm_move(a, R3, R6);
    asm_call(a, BPF_FUNC_probe_read_user);
    asm_if(a, BPF_JNE, R0, 0, L_UNSEEN);
    asm_get(a, R6, F_HEAD - 16);
    asm_label(a, L_VECS);
    asm_put(a, F_VECS, R6);
    asm_go(a, L_MORE);
    asm_label(a, L_ONE);
    asm_move(a, R8, R7); /* what was sent or received is in it */
}

/* The size of this part, read from the record and bounded anew: so what the verifier must know of
 * it does not reach back through all turns, each with its own cases. */
static void take_size(struct asm_code *a, uint8_t reg)
{
    asm_load(a, 4, reg, R9, AT(got));
    asm_if(a, BPF_JGT, reg, RECORD_BYTES_MOST, L_OUT);
}

/* R7 and R8 as numbers of which nothing is known: what the verifier has found out about them in one
 * turn makes it go through the next one again for each case. */
static void forget_bounds(struct asm_code *a)
{
    asm_store(a, 4, R9, AT(left), R7);
    asm_load(a, 4, R7, R9, AT(left));
    asm_store(a, 8, R9, AT(scratch), R8);
    asm_load(a, 8, R8, R9, AT(scratch));
}

/* R2: how much of the buffer (R6, R8 bytes) and of what is left (R7) goes into one part. */
static void choose_size(struct asm_code *a)
{
    uint16_t left = asm_new_label(a), small = asm_new_label(a);
    asm_move(a, R2, R8);
    asm_if_reg(a, BPF_JLE, R2, R7, left);
    asm_move(a, R2, R7);
    asm_label(a, left);
    asm_if(a, BPF_JLE, R2, RECORD_BYTES_MOST, small);
    asm_set(a, R2, RECORD_BYTES_MOST);
    asm_label(a, small);
    asm_store(a, 4, R9, AT(got), R2);
}

/* Notes one part, or goes to the next buffer. */
static void one_turn(struct asm_code *a, const struct probe_options *o)
{
    uint16_t have = asm_new_label(a), done = asm_new_label(a);
    asm_if(a, BPF_JEQ, R7, 0, L_OUT);
    asm_if(a, BPF_JNE, R8, 0, have);
    asm_get(a, R3, F_VECS);
    asm_if(a, BPF_JEQ, R3, 0, L_UNSEEN);
    asm_frame(a, R1, F_VEC);
    asm_set(a, R2, 16);
    asm_call(a, BPF_FUNC_probe_read_user);
    asm_if(a, BPF_JNE, R0, 0, L_UNSEEN);
    asm_get(a, R1, F_VECS);
    asm_add(a, R1, 16);
    asm_put(a, F_VECS, R1);
    asm_get(a, R6, F_VEC);
    asm_get(a, R8, F_VEC - 8);
    asm_go(a, done);
    asm_label(a, have);
    choose_size(a);
    asm_get(a, R1, F_PART);
    asm_store(a, 4, R9, AT(part), R1);
    take_size(a, R2);
    asm_op(a, BPF_ALU64 | BPF_ADD | BPF_X, R1, R2, 0);
    asm_put(a, F_PART, R1);
    asm_move(a, R1, R9);
    asm_add(a, R1, RECORD_HEAD);
    asm_move(a, R3, R6);
    asm_call(a, BPF_FUNC_probe_read_user);
    asm_if(a, BPF_JNE, R0, 0, L_UNSEEN);
    take_size(a, R3);
    asm_add(a, R3, RECORD_HEAD);
    write_record(a, o);
    take_size(a, R1);
    asm_op(a, BPF_ALU64 | BPF_ADD | BPF_X, R6, R1, 0);
    asm_op(a, BPF_ALU64 | BPF_SUB | BPF_X, R8, R1, 0);
    asm_op(a, BPF_ALU64 | BPF_SUB | BPF_X, R7, R1, 0);
    asm_label(a, done);
    forget_bounds(a);
}

/* All turns one after the other: the verifier gives up on a loop with so many cases. */
static void note_bytes(struct asm_code *a, const struct probe_options *o)
{
    asm_label(a, L_MORE);
    forget_bounds(a);
    for (int i = 0; i < RECORD_TURNS_MOST; i++) {
        one_turn(a, o);
    }
    asm_if(a, BPF_JEQ, R7, 0, L_OUT);
}

static bool bytes(const struct probe_options *o, bool sends, struct asm_code *a)
{
    take_arguments(a, o, sends);
    begin_record(a, o, sends ? PROGRAM_SEND : PROGRAM_RECEIVE, L_OUT);
    take_connection(a, o);
    kind_of_record(a, sends ? RECORD_SENT : RECORD_RECEIVED);
    put_pid(a);
    put_addresses(a, o, R6);
    asm_store(a, 4, R9, AT(len), R7);
    find_buffer(a, sends);
    note_bytes(a, o);
    asm_label(a, L_UNSEEN);
    asm_load(a, 4, R1, R9, AT(flags));
    asm_op(a, BPF_ALU64 | BPF_OR | BPF_K, R1, 0, RECORD_UNSEEN);
    asm_store(a, 4, R9, AT(flags), R1);
    asm_set(a, R1, 0);
    asm_store(a, 4, R9, AT(got), R1);
    write_head(a, o);
    finish(a);
    return asm_end(a);
}

bool probe_send(const struct probe_options *o, struct asm_code *a)
{
    return bytes(o, true, a);
}

bool probe_receive(const struct probe_options *o, struct asm_code *a)
{
    return bytes(o, false, a);
}

/* ---- connections ---- */

/* The process asks for a connection, or listens: then it will be known whose it is. */
static void state_by_process(struct asm_code *a, const struct probe_options *o)
{
    asm_label(a, L_CALLS);
    only_ours(a, o, L_OUT);
    begin_record(a, o, PROGRAM_STATE, L_OUT);
    new_sock(a, o, RECORD_CALLER);
    asm_go(a, L_OUT);
    asm_label(a, L_LISTENS);
    only_ours(a, o, L_OUT);
    asm_load(a, 2, R1, R6, o->at.sk_num);
    asm_put(a, F_KEY, R1);
    asm_put(a, F_SOCK, R1);
    asm_map(a, R1, o->maps.ports);
    asm_frame(a, R2, F_KEY);
    asm_frame(a, R3, F_SOCK);
    asm_set(a, R4, BPF_ANY);
    asm_call(a, BPF_FUNC_map_update_elem);
    asm_go(a, L_OUT);
}

/* It stands: one that was asked for, or that was made to a port of ours. R7: the state before. */
static void state_opens(struct asm_code *a, const struct probe_options *o)
{
    asm_label(a, L_OPENS);
    begin_record(a, o, PROGRAM_STATE, L_OUT);
    find_sock(a, o);
    asm_if(a, BPF_JEQ, R0, 0, L_NEW);
    take_sock(a);
    kind_of_record(a, RECORD_OPENED);
    asm_go(a, L_EMIT);
    asm_label(a, L_NEW);
    asm_if32(a, BPF_JNE, R7, TCP_ANSWERS, L_OUT);
    asm_load(a, 2, R1, R6, o->at.sk_num);
    asm_put(a, F_KEY, R1);
    asm_map(a, R1, o->maps.ports);
    asm_frame(a, R2, F_KEY);
    asm_call(a, BPF_FUNC_map_lookup_elem);
    asm_if(a, BPF_JEQ, R0, 0, L_OUT);
    new_sock(a, o, 0);
    kind_of_record(a, RECORD_OPENED);
    asm_go(a, L_EMIT);
}

/* It is over when the program has closed it. Broken by others it is, too, but for what may still
 * be read; its end is told by probe_destroy then. R8: the state. */
static void state_closes(struct asm_code *a, const struct probe_options *o)
{
    asm_label(a, L_CLOSES);
    begin_record(a, o, PROGRAM_STATE, L_OUT);
    find_sock(a, o);
    asm_if(a, BPF_JEQ, R0, 0, L_OUT);
    take_sock(a);
    kind_of_record(a, RECORD_CLOSED);
    asm_if32(a, BPF_JEQ, R7, TCP_CALLS, L_FREE); /* it never stood */
    asm_load(a, 1, R1, R6, o->at.sk_shutdown);
    asm_op(a, BPF_ALU64 | BPF_AND | BPF_K, R1, 0, SHUT_BOTH);
    asm_if(a, BPF_JEQ, R1, SHUT_BOTH, L_FOUND);
    asm_if32(a, BPF_JNE, R8, TCP_IS_OVER, L_OUT); /* shut down in one direction */
    asm_load(a, 4, R1, R9, AT(flags));
    asm_op(a, BPF_ALU64 | BPF_OR | BPF_K, R1, 0, RECORD_BROKEN);
    asm_store(a, 4, R9, AT(flags), R1);
    asm_store(a, 4, R0, offsetof(struct probe_sock, flags), R1);
    asm_go(a, L_EMIT);
    asm_label(a, L_FOUND);
    forget_sock(a, o);
    asm_label(a, L_EMIT);
    put_addresses(a, o, R6);
    asm_load(a, 8, R1, R6, o->at.sk_net);
    asm_load(a, 4, R1, R1, o->at.net_inum);
    asm_store(a, 4, R9, AT(net), R1);
    write_head(a, o);
    asm_go(a, L_OUT);
    asm_label(a, L_FREE);
    forget_sock(a, o);
}

bool probe_state(const struct probe_options *o, struct asm_code *a)
{
    asm_load(a, 8, R6, R1, 0);
    asm_load(a, 8, R7, R1, 8);
    asm_load(a, 8, R8, R1, 16);
    asm_load(a, o->at.sk_type_size, R2, R6, o->at.sk_type);
    asm_if(a, BPF_JNE, R2, 1, L_OUT);
    asm_put(a, F_SKEY, R6);
    asm_set(a, R1, 0);
    asm_put(a, F_KEY, R1);
    asm_if32(a, BPF_JEQ, R8, TCP_CALLS, L_CALLS);
    asm_if32(a, BPF_JEQ, R8, TCP_LISTENS, L_LISTENS);
    asm_if32(a, BPF_JEQ, R8, TCP_IS_OPEN, L_OPENS);
    asm_if32(a, BPF_JEQ, R8, TCP_FIN_WAIT, L_CLOSES);
    asm_if32(a, BPF_JEQ, R8, TCP_LAST, L_CLOSES);
    asm_if32(a, BPF_JEQ, R8, TCP_IS_OVER, L_CLOSES);
    asm_go(a, L_OUT);
    state_by_process(a, o);
    state_opens(a, o);
    state_closes(a, o);
    finish(a);
    return asm_end(a);
}

bool probe_destroy(const struct probe_options *o, struct asm_code *a)
{
    asm_load(a, 8, R6, R1, 0);
    asm_put(a, F_SKEY, R6);
    find_sock(a, o);
    asm_if(a, BPF_JEQ, R0, 0, L_OUT);
    begin_record(a, o, PROGRAM_DESTROY, L_OUT);
    find_sock(a, o);
    asm_if(a, BPF_JEQ, R0, 0, L_OUT);
    take_sock(a);
    kind_of_record(a, RECORD_CLOSED);
    put_addresses(a, o, R6);
    forget_sock(a, o);
    asm_load(a, 4, R1, R9, AT(flags));
    asm_op(a, BPF_ALU64 | BPF_AND | BPF_K, R1, 0, ~RECORD_BROKEN);
    asm_store(a, 4, R9, AT(flags), R1);
    write_head(a, o);
    finish(a);
    return asm_end(a);
}

/* ---- processes ---- */

/* R7: the process that the record is about. */
static void about_process(struct asm_code *a, const struct probe_options *o, int program, int kind)
{
    begin_record(a, o, program, L_OUT);
    kind_of_record(a, kind);
    asm_store(a, 4, R9, AT(tgid), R7);
    write_head(a, o);
}

bool probe_fork(const struct probe_options *o, struct asm_code *a)
{
    asm_load(a, 8, R6, R1, 0);
    asm_load(a, 8, R8, R1, 8);
    only_ours(a, o, L_OUT);
    asm_load(a, 4, R7, R8, o->at.task_tgid);
    asm_load(a, 4, R1, R8, o->at.task_pid);
    asm_if_reg(a, BPF_JNE, R1, R7, L_OUT); /* a thread */
    asm_put(a, F_KEY, R7);
    asm_put(a, F_SOCK, R7);
    if (!o->cgroup) {
        asm_map(a, R1, o->maps.pids);
        asm_frame(a, R2, F_KEY);
        asm_frame(a, R3, F_SOCK);
        asm_set(a, R4, BPF_ANY);
        asm_call(a, BPF_FUNC_map_update_elem);
    }
    about_process(a, o, PROGRAM_FORK, RECORD_FORKED);
    finish(a);
    return asm_end(a);
}

bool probe_exec(const struct probe_options *o, struct asm_code *a)
{
    only_ours(a, o, L_OUT);
    asm_get(a, R7, F_PID);
    asm_op(a, BPF_ALU64 | BPF_RSH | BPF_K, R7, 0, 32);
    about_process(a, o, PROGRAM_EXEC, RECORD_RUNS);
    finish(a);
    return asm_end(a);
}

bool probe_end(const struct probe_options *o, struct asm_code *a)
{
    asm_load(a, 8, R6, R1, 0);
    only_ours(a, o, L_OUT);
    asm_load(a, 8, R1, R6, o->at.task_signal);
    asm_load(a, 4, R1, R1, o->at.signal_live);
    asm_if32(a, BPF_JNE, R1, 0, L_OUT); /* other threads are there */
    asm_get(a, R7, F_PID);
    asm_op(a, BPF_ALU64 | BPF_RSH | BPF_K, R7, 0, 32);
    if (!o->cgroup) {
        asm_put(a, F_KEY, R7);
        asm_map(a, R1, o->maps.pids);
        asm_frame(a, R2, F_KEY);
        asm_call(a, BPF_FUNC_map_delete_elem);
    }
    about_process(a, o, PROGRAM_EXIT, RECORD_ENDED);
    finish(a);
    return asm_end(a);
}

bool probe_sync(const struct probe_options *o, struct asm_code *a)
{
    asm_load(a, 8, R6, R1, 0);
    asm_load(a, 8, R7, R1, 8);
    asm_if(a, BPF_JNE, R7, 0, L_OUT); /* it has failed */
    asm_load(a, 8, R2, R6, REGS_CALL);
    asm_if(a, BPF_JEQ, R2, SYS_fsync, L_HAVE);
    asm_if(a, BPF_JEQ, R2, SYS_fdatasync, L_HAVE);
    asm_if(a, BPF_JNE, R2, SYS_msync, L_OUT);
    asm_label(a, L_HAVE);
    only_ours(a, o, L_OUT);
    begin_record(a, o, PROGRAM_SYNC, L_OUT);
    kind_of_record(a, RECORD_SYNCED);
    put_pid(a);
    write_head(a, o);
    finish(a);
    return asm_end(a);
}
