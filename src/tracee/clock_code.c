/* The clock that runs inside the tracees.
 *
 * A program reads the clock far more often than it does anything else: 40 to 80 percent of all
 * stops before this existed. So the clock functions of the vDSO jump to the code below, which
 * advances the virtual clock in the shared page by a fixed amount and returns it. Everything is
 * counted, never measured, hence the same in every run: one thread runs at a time.
 *
 * A loop that polls the clock until a time has come would need millions of reads, therefore the
 * cost of one read doubles after each 1 << spin_shift reads without any other system call, up to
 * double_most times. The owner resets `spin` at every other call.
 *
 * The code is assembler because it is copied: it must be free of relocations, jump tables and of
 * what sanitizers add. ORDER CLOCK_PAGE: the offsets are those of struct tracee_page. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "tracee/tracee.h"
#include "tracee/tracee_int.h"

#define NOW   "0x70000000"
#define SPIN  "0x70000008"
#define READS "0x70000010"
#define EPOCH "0x70000018"
#define COST  "0x70000020"
#define SHIFT "0x70000028"
#define MOST  "0x70000030"
#define DUE   "0x70000068"

/* rax := the clock after this read; clobbers rcx, rdx. Nothing is done, and a jump taken, when that
 * would be the time of the next event. */
#define TICK                                                                                       \
    "movq " SPIN ", %rdx\n"                                                                        \
    "incq %rdx\n"                                                                                  \
    "movq " SHIFT ", %rcx\n"                                                                       \
    "shrq %cl, %rdx\n"                                                                             \
    "movq " MOST ", %rcx\n"                                                                        \
    "cmpq %rcx, %rdx\n"                                                                            \
    "cmovbq %rdx, %rcx\n"                                                                          \
    "movq " COST ", %rax\n"                                                                        \
    "shlq %cl, %rax\n"                                                                             \
    "addq " NOW ", %rax\n"                                                                         \
    "cmpq " DUE ", %rax\n"                                                                         \
    "jae 9f\n"                                                                                     \
    "movq %rax, " NOW "\n"                                                                         \
    "incq " SPIN "\n"                                                                              \
    "incq " READS "\n"

/* rax := seconds, rdx := nanoseconds; clobbers rcx. */
#define SPLIT                                                                                      \
    "xorl %edx, %edx\n"                                                                            \
    "movl $1000000000, %ecx\n"                                                                     \
    "divq %rcx\n"

__asm__(".pushsection .rodata.clock_code,\"a\",@progbits\n"
        /* int clock_gettime(clockid_t edi, struct timespec *rsi) */
        "clock_code_gettime:\n"
        "cmpl $11, %edi\n"
        "ja 2f\n"
        "movl $0x8f3, %eax\n" /* clocks 0 1 4 5 6 7 11 */
        "btl %edi, %eax\n"
        "jnc 2f\n" TICK "movl $0x821, %ecx\n" /* realtime: 0 5 11 */
        "btl %edi, %ecx\n"
        "jnc 1f\n"
        "addq " EPOCH ", %rax\n"
        "1:\n" SPLIT "movq %rax, (%rsi)\n"
        "movq %rdx, 8(%rsi)\n"
        "xorl %eax, %eax\n"
        "ret\n"
        "2: 9: movl $228, %eax\n"
        "syscall\n"
        "ret\n"
        "clock_code_gettime_end:\n"
        /* int gettimeofday(struct timeval *rdi, struct timezone *rsi) */
        "clock_code_timeofday:\n"
        "testq %rsi, %rsi\n"
        "jz 1f\n"
        "movq $0, (%rsi)\n"
        "1: testq %rdi, %rdi\n"
        "jz 2f\n" TICK "addq " EPOCH ", %rax\n" SPLIT "movq %rax, (%rdi)\n"
        "movq %rdx, %rax\n"
        "xorl %edx, %edx\n"
        "movl $1000, %ecx\n"
        "divq %rcx\n"
        "movq %rax, 8(%rdi)\n"
        "2: xorl %eax, %eax\n"
        "ret\n"
        "9: movl $96, %eax\n"
        "syscall\n"
        "ret\n"
        "clock_code_timeofday_end:\n"
        /* time_t time(time_t *rdi) */
        "clock_code_time:\n" TICK "addq " EPOCH ", %rax\n" SPLIT "testq %rdi, %rdi\n"
        "jz 1f\n"
        "movq %rax, (%rdi)\n"
        "1: ret\n"
        "9: movl $201, %eax\n"
        "syscall\n"
        "ret\n"
        "clock_code_time_end:\n"
        /* int getcpu(unsigned *rdi, unsigned *rsi, void *) : the only processor there is */
        "clock_code_getcpu:\n"
        "testq %rdi, %rdi\n"
        "jz 1f\n"
        "movl $0, (%rdi)\n"
        "1: testq %rsi, %rsi\n"
        "jz 2f\n"
        "movl $0, (%rsi)\n"
        "2: xorl %eax, %eax\n"
        "ret\n"
        "clock_code_getcpu_end:\n"
        /* int clock_getres(clockid_t, struct timespec *): left to the owner */
        "clock_code_getres:\n"
        "movl $229, %eax\n"
        "syscall\n"
        "ret\n"
        "clock_code_getres_end:\n"
        /* ssize_t getrandom(...): not there, the system call is */
        "clock_code_getrandom:\n"
        "movq $-38, %rax\n"
        "ret\n"
        "clock_code_getrandom_end:\n"
        ".popsection\n");

#define CODE(name) extern const uint8_t clock_code_##name[], clock_code_##name##_end[]
CODE(gettime);
CODE(timeofday);
CODE(time);
CODE(getcpu);
CODE(getres);
CODE(getrandom);

static const struct clock_code codes[CLOCK_CODES] = {
    {"__vdso_clock_gettime", clock_code_gettime,   clock_code_gettime_end  },
    {"__vdso_gettimeofday",  clock_code_timeofday, clock_code_timeofday_end},
    {"__vdso_time",          clock_code_time,      clock_code_time_end     },
    {"__vdso_getcpu",        clock_code_getcpu,    clock_code_getcpu_end   },
    {"__vdso_clock_getres",  clock_code_getres,    clock_code_getres_end   },
    {"__vdso_getrandom",     clock_code_getrandom, clock_code_getrandom_end},
};

_Static_assert(offsetof(struct tracee_page, double_most) == 0x30, "ORDER CLOCK_PAGE");
_Static_assert(offsetof(struct tracee_page, due_ns) == 0x68, "ORDER CLOCK_PAGE");

const char *clock_code_symbol(size_t i)
{
    return codes[i].symbol;
}

void clock_code_install(uint8_t *page, uint32_t ret_offset[CLOCK_CODES])
{
    uint32_t at = 0;
    for (size_t i = 0; i < CLOCK_CODES; i++) {
        size_t bytes = (size_t)(codes[i].end - codes[i].begin);
        ASSERT(at + bytes <= CLOCK_SYSCALL);
        memcpy(page + at, codes[i].begin, bytes);
        ret_offset[i] = at;
        at += (uint32_t)((bytes + 63) & ~(size_t)63);
    }
    static const uint8_t instructions[3] = {0x0f, 0x05, 0xcc}; /* syscall; int3 */
    memcpy(page + CLOCK_SYSCALL, instructions, sizeof instructions);
}
