/* The seccomp filter: what passes is listed, everything else stops the thread. A 32-bit call raises
 * SIGSYS, which nothing else here does: its number means something else. Calls about memory pass as
 * long as they keep away from the shared page. */
#include "tracee/filter.h"

#include <stddef.h>
#include <stdint.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>

#include "base/assert.h"
#include "tracee/tracee.h"
#include "tracee/tracee_int.h"

enum { PAGE_BYTES = 4096 };

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

/* One more condition: unless the accumulator passes it, the filter ends with this action. */
static void emit_unless(struct program *program, uint16_t test, uint32_t k, uint32_t action)
{
    emit(program, (uint16_t)(BPF_JMP | BPF_K | test), k, 1, 0);
    emit_return(program, action);
}

static void emit_if(struct program *program, uint16_t test, uint32_t k, uint32_t action)
{
    emit(program, (uint16_t)(BPF_JMP | BPF_K | test), k, 0, 1);
    emit_return(program, action);
}

static size_t arg_low(size_t i)
{
    return offsetof(struct seccomp_data, args) + i * sizeof(uint64_t);
}

static size_t arg_high(size_t i)
{
    return arg_low(i) + sizeof(uint32_t);
}

/* The call is about the first argument's address and the second's length: it passes if no part of
 * the shared page is there. Nothing that begins above 4 GiB reaches it. */
static void emit_elsewhere(struct program *program)
{
    const uint32_t begin = TRACEE_PAGE_ADDR, end = TRACEE_PAGE_ADDR + TRACEE_PAGE_BYTES;
    emit_load(program, arg_high(0));
    emit_unless(program, BPF_JEQ, 0, SECCOMP_RET_ALLOW);
    emit_load(program, arg_high(1));
    emit_unless(program, BPF_JEQ, 0, SECCOMP_RET_TRACE);
    emit_load(program, arg_low(0));
    emit_if(program, BPF_JGE, end, SECCOMP_RET_ALLOW);
    emit_if(program, BPF_JGE, begin, SECCOMP_RET_TRACE);
    emit(program, BPF_MISC | BPF_TAX, 0, 0, 0);
    emit_load(program, arg_low(1));
    emit_if(program, BPF_JGE, UINT32_MAX - begin, SECCOMP_RET_TRACE); /* the sum must fit */
    emit(program, BPF_ALU | BPF_ADD | BPF_X, 0, 0, 0);
    emit_if(program, BPF_JGT, begin, SECCOMP_RET_TRACE);
    emit_return(program, SECCOMP_RET_ALLOW);
}

static void emit_mmap(struct program *program)
{
    emit_load(program, arg_low(3));
    emit(program, BPF_ALU | BPF_AND | BPF_K,
         MAP_ANONYMOUS | MAP_TYPE | MAP_GROWSDOWN | MAP_NORESERVE, 0, 0);
    emit_unless(program, BPF_JEQ, MAP_ANONYMOUS | MAP_PRIVATE, SECCOMP_RET_TRACE);
    emit_load(program, arg_low(3));
    emit_unless(program, BPF_JSET, MAP_FIXED, SECCOMP_RET_ALLOW);
    emit_elsewhere(program);
}

/* The first stack is at the top of the address space, where nothing is randomised. Made larger by
 * mremap, it would not count as data. */
static void emit_mremap(struct program *program)
{
    emit_load(program, arg_low(3));
    emit_if(program, BPF_JSET, MREMAP_FIXED, SECCOMP_RET_TRACE);
    emit_load(program, arg_high(0));
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, 0x7fff, 0, 3);
    emit_load(program, arg_low(0));
    emit_if(program, BPF_JGE, 0xff000000, SECCOMP_RET_TRACE);
    emit_elsewhere(program);
}

/* One rule: the accumulator holds the number, and still does when it is another one. */
static void emit_rule(struct program *program, uint32_t nr, enum tracee_rule rule)
{
    if (rule == TRACEE_STOP) {
        return; /* as everything that is not listed */
    }
    uint16_t at = program->n;
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 0);
    switch (rule) {
    case TRACEE_PASS: emit_return(program, SECCOMP_RET_ALLOW); break;
    case TRACEE_PASS_PRIVATE: emit_mmap(program); break;
    case TRACEE_PASS_NOT_FREE:
        emit_load(program, arg_low(2));
        emit_if(program, BPF_JEQ, MADV_FREE, SECCOMP_RET_TRACE);
        emit_elsewhere(program);
        break;
    case TRACEE_PASS_ELSEWHERE: emit_elsewhere(program); break;
    case TRACEE_PASS_PAGES:
        emit_load(program, arg_low(0));
        emit_if(program, BPF_JSET, PAGE_BYTES - 1, SECCOMP_RET_TRACE);
        emit_return(program, SECCOMP_RET_ALLOW);
        break;
    case TRACEE_PASS_MOVE: emit_mremap(program); break;
    case TRACEE_STOP: break;
    }
    size_t length = (size_t)program->n - at - 1;
    ASSERT(length <= UINT8_MAX);
    program->code[at].jf = (uint8_t)length;
}

/* A call that came through the shared page: the action carries the number of its slot, from 1. It
 * is the address that decides, not what the page says. */
static void emit_slots(struct program *program)
{
    const uint32_t first =
        (uint32_t)TRACEE_PAGE_ADDR + TRACEE_CODE + CLOCK_CODE_BYTES + call_slot_return();
    const size_t ip = offsetof(struct seccomp_data, instruction_pointer);
    uint16_t at = program->n;
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, CALL_SLOT_NR, 0, 0);
    emit_load(program, ip + sizeof(uint32_t));
    emit_unless(program, BPF_JEQ, 0, SECCOMP_RET_TRACE);
    emit_load(program, ip);
    emit(program, BPF_ALU | BPF_SUB | BPF_K, first, 0, 0);
    emit(program, BPF_MISC | BPF_TAX, 0, 0, 0);
    emit(program, BPF_ALU | BPF_AND | BPF_K, CALL_SLOT_BYTES - 1, 0, 0);
    emit_unless(program, BPF_JEQ, 0, SECCOMP_RET_TRACE);
    emit(program, BPF_MISC | BPF_TXA, 0, 0, 0);
    emit(program, BPF_ALU | BPF_DIV | BPF_K, CALL_SLOT_BYTES, 0, 0);
    emit_if(program, BPF_JGE, CALL_SLOTS, SECCOMP_RET_TRACE);
    emit(program, BPF_ALU | BPF_ADD, SECCOMP_RET_TRACE + 1, 0, 0);
    emit(program, BPF_RET | BPF_A, 0, 0, 0);
    program->code[at].jf = (uint8_t)(program->n - at - 1);
}

uint16_t filter_build(const uint8_t *rules, struct sock_filter out[FILTER_MOST])
{
    struct program program = {out, 0};
    emit_load(&program, offsetof(struct seccomp_data, arch));
    emit(&program, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
    emit_return(&program, SECCOMP_RET_TRAP);
    emit_load(&program, offsetof(struct seccomp_data, nr));
    emit_slots(&program);
    for (uint32_t nr = 0; nr < TRACEE_SYSCALLS; nr++) {
        emit_rule(&program, nr, (enum tracee_rule)rules[nr]);
    }
    emit_return(&program, SECCOMP_RET_TRACE);
    return program.n;
}
