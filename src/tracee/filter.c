/* The seccomp filter: what passes is listed, everything else stops the thread. A 32-bit call raises
 * SIGSYS, which nothing else here does: its number means something else. */
#include "tracee/filter.h"

#include <stddef.h>
#include <stdint.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/assert.h"
#include "tracee/tracee.h"

struct program {
    struct sock_filter *code;
    uint16_t n;
};

static void emit(struct program *program, uint16_t code, uint32_t k, uint8_t jt, uint8_t jf)
{
    ASSERT(program->n < FILTER_MOST);
    program->code[program->n++] = (struct sock_filter){code, jt, jf, k};
}

static void emit_return(struct program *program, uint32_t action)
{
    emit(program, BPF_RET | BPF_K, action, 0, 0);
}

static void emit_load(struct program *program, size_t offset)
{
    emit(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* The accumulator holds the number; after each rule it still does, or the filter has ended. */
static void emit_rule(struct program *program, uint32_t nr, enum tracee_rule rule)
{
    const uint16_t jeq = BPF_JMP | BPF_JEQ | BPF_K;
    switch (rule) {
    case TRACEE_PASS:
        emit(program, jeq, nr, 0, 1);
        emit_return(program, SECCOMP_RET_ALLOW);
        break;
    case TRACEE_PASS_ANONYMOUS:
        emit(program, jeq, nr, 0, 5);
        emit_load(program, offsetof(struct seccomp_data, args[3]));
        emit(program, BPF_JMP | BPF_JSET | BPF_K, MAP_NORESERVE, 2, 0);
        emit(program, BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 1);
        emit_return(program, SECCOMP_RET_ALLOW);
        emit_return(program, SECCOMP_RET_TRACE);
        break;
    case TRACEE_PASS_NOT_FREE:
        emit(program, jeq, nr, 0, 4);
        emit_load(program, offsetof(struct seccomp_data, args[2]));
        emit(program, jeq, MADV_FREE, 1, 0);
        emit_return(program, SECCOMP_RET_ALLOW);
        emit_return(program, SECCOMP_RET_TRACE);
        break;
    case TRACEE_STOP: break;
    }
}

uint16_t filter_build(const uint8_t *rules, struct sock_filter out[FILTER_MOST])
{
    struct program program = {out, 0};
    emit_load(&program, offsetof(struct seccomp_data, arch));
    emit(&program, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
    emit_return(&program, SECCOMP_RET_TRAP);
    emit_load(&program, offsetof(struct seccomp_data, nr));
    for (uint32_t nr = 0; nr < TRACEE_SYSCALLS; nr++) {
        emit_rule(&program, nr, (enum tracee_rule)rules[nr]);
    }
    emit_return(&program, SECCOMP_RET_TRACE);
    return program.n;
}
