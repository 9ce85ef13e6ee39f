/* Many system calls in a process that has not begun: what a process is made of, when it is made
 * anew from a file (mappings, signal actions), is hundreds of calls, and each of them stopped three
 * times would cost more than all else.
 *
 * Such a process is spawned without the filter. As long as it has none, no instruction of its
 * program may be executed, so nobody but us can make a call: neither need calls stop, nor can
 * anything else happen than what is written here. The code below makes one call of a table after
 * the other and ends with a breakpoint. It is put where the code for calls will be (call_code.c)
 * and taken away again; the table is in the scratch part of the page. Then comes the filter, before
 * which no thread is made and nothing else runs (tracee_guard). */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "base/assert.h"
#include "tracee/filter.h"
#include "tracee/tracee.h"
#include "tracee/tracee_int.h"

/* rbx: the next call; r12: how many are left. ORDER BATCHED: the offsets are those of struct
 * tracee_batched. */
__asm__(".pushsection .rodata.batch_code,\"a\",@progbits\n"
        "batch_code:\n"
        "1: movq (%rbx), %rax\n"
        "movq 8(%rbx), %rdi\n"
        "movq 16(%rbx), %rsi\n"
        "movq 24(%rbx), %rdx\n"
        "movq 32(%rbx), %r10\n"
        "movq 40(%rbx), %r8\n"
        "movq 48(%rbx), %r9\n"
        "syscall\n"
        "movq %rax, 56(%rbx)\n"
        "addq $64, %rbx\n"
        "decq %r12\n"
        "jnz 1b\n"
        "int3\n"
        "batch_code_end:\n"
        ".popsection\n");
extern const uint8_t batch_code[], batch_code_end[];

_Static_assert(offsetof(struct tracee_batched, args) == 8, "ORDER BATCHED");
_Static_assert(offsetof(struct tracee_batched, result) == 56, "ORDER BATCHED");
_Static_assert(sizeof(struct tracee_batched) == 64, "ORDER BATCHED");
_Static_assert(TRACEE_SCRATCH + sizeof(struct tracee_batch) <= TRACEE_PAGE_BYTES, "too many");

/* Runs to the breakpoint. Whatever else may come from outside has to wait; a fault is the end. */
static bool run_code(pid_t tid, uint64_t end)
{
    struct user_regs_struct regs;
    int status = 0, sig = 0;
    do {
        if (ptrace(PTRACE_CONT, tid, 0, 0L) != 0 || !wait_stop(tid, &status)) {
            return false;
        }
        sig = WSTOPSIG(status);
    } while (status >> 16 == 0 && !is_fault(sig));
    if (status >> 16 == 0 && sig == SIGTRAP && tracee_regs_get(tid, &regs) && regs.rip == end) {
        return true;
    }
    tracee_kill(tid);
    return false;
}

bool tracee_batch_run(struct tracee_call *call, const struct tracee_shared *shared,
                      struct tracee_batch *batch)
{
    const size_t code_bytes = (size_t)(batch_code_end - batch_code);
    uint8_t *place = shared->bytes + TRACEE_CODE + CLOCK_CODE_BYTES, before[CALL_SLOT_BYTES];
    ASSERT(call->used && batch->n <= TRACEE_BATCH_CALLS && code_bytes <= sizeof before);
    if (batch->n == 0) {
        return true;
    }
    memcpy(shared->bytes + TRACEE_SCRATCH, batch, sizeof *batch);
    memcpy(before, place, sizeof before);
    memcpy(place, batch_code, code_bytes);
    struct user_regs_struct regs = *call->regs;
    regs.rip = TRACEE_PAGE_ADDR + TRACEE_CODE + CLOCK_CODE_BYTES;
    regs.rbx = TRACEE_PAGE_ADDR + TRACEE_SCRATCH;
    regs.r12 = batch->n;
    regs.orig_rax = (unsigned long long)-1;
    bool good = tracee_regs_set(call->tid, &regs) && run_code(call->tid, regs.rip + code_bytes);
    memcpy(place, before, sizeof before);
    memcpy(batch->calls, shared->bytes + TRACEE_SCRATCH, sizeof batch->calls);
    return good;
}

bool tracee_guard(struct tracee_call *call, const struct tracee_shared *shared,
                  const uint8_t *rules)
{
    struct sock_filter code[FILTER_MOST];
    const uint16_t n = filter_build(rules, code);
    const uint64_t at = TRACEE_PAGE_ADDR + TRACEE_SCRATCH;
    struct sock_fprog program = {.len = n};
    if (sizeof program + n * sizeof code[0] > TRACEE_PAGE_BYTES - TRACEE_SCRATCH) {
        return false;
    }
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): an address in the tracee */
    program.filter = (struct sock_filter *)(at + sizeof program);
    memcpy(shared->bytes + TRACEE_SCRATCH, &program, sizeof program);
    memcpy(shared->bytes + TRACEE_SCRATCH + sizeof program, code, n * sizeof code[0]);
    const uint64_t args[6] = {PR_SET_SECCOMP, SECCOMP_MODE_FILTER, at};
    return tracee_call(call, SYS_prctl, args) == 0;
}
