/* expect: ok held */
/* ways: call page */
/* Returns from signals that never were: the frame says which registers come back, among them the place to go on at and the number of the
 * call that is made there. */
#include "escape.h"

#include <setjmp.h>
#include <ucontext.h>

static jmp_buf again;
static volatile long result;

/* Where the forged frame leads: the call is made with the registers of the frame. */
__asm__(".globl landing\nlanding: syscall\n mov %rax, %rdi\n jmp landed\n");
void landing(void);
void landed(long r)
{
    result = r;
    longjmp(again, 1);
}

struct frame { /* what the kernel pops: see rt_sigframe */
    ucontext_t uc;
    char fp[1024];
};

static long by_frame(long nr, long a, long b, long c, long d, long e, long f)
{
    static char stack[65536] __attribute__((aligned(64)));
    static struct frame frame __attribute__((aligned(64)));
    memset(&frame, 0, sizeof frame);
    greg_t *r = frame.uc.uc_mcontext.gregs;
    r[REG_RAX] = nr, r[REG_RDI] = a, r[REG_RSI] = b, r[REG_RDX] = c, r[REG_R10] = d, r[REG_R8] = e, r[REG_R9] = f;
    r[REG_RIP] = (long)landing;
    r[REG_RSP] = (long)(stack + sizeof stack - 128);
    r[REG_CSGSFS] = 0x2b000000000033;
    r[REG_EFL] = 0x202;
    if (is("page")) { /* as if it had come through the page */
        WORD(CALL_NR) = SYS_getpid;
        WORD(CALL_AFTER) = (uint64_t)landing;
    }
    if (setjmp(again) == 0) {
        __asm__ volatile("mov %0, %%rsp\n mov $15, %%eax\n syscall" : : "r"(&frame) : "rax", "memory");
    }
    return result;
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    return verdict(try_all(by_frame));
}
