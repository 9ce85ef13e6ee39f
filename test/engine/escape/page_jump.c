/* expect: ok held */
/* cc: -static -no-pie */
/* Calls the system call instructions of the engine's own code, past where it writes down what is asked for, with numbers and arguments
 * of our own; also with the number that marks a call through the page. */
#include "escape.h"

#include <ucontext.h>

/* In the form that the engine routes through the page. Whoever enters the engine's code elsewhere comes back to this return, too. */
__asm__("nap: mov $35, %eax\n syscall\n ret\n");
long nap(const void *time, void *rest);

static unsigned char *target;

static long there(long nr, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long r;
    WORD(CALL_A) = (uint64_t)a, WORD(CALL_A + 1) = (uint64_t)b;
    WORD(CALL_NR) = (uint64_t)nr, WORD(CALL_AFTER) = (uint64_t)target;
    __asm__ volatile("call *%%rbx" : "=a"(r) : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9), "b"(target)
                     : "rcx", "r11", "memory");
    return r;
}

static long marked(long nr, long a, long b, long c, long d, long e, long f)
{
    (void)nr;
    return there(511, a, b, c, d, e, f);
}

/* Behind one of the instructions there is a trap. */
static void on_trap(int sig, siginfo_t *info, void *context)
{
    (void)sig, (void)info;
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    r[REG_RIP] = *(long *)r[REG_RSP];
    r[REG_RSP] += 8;
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    struct sigaction act = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    sigaction(SIGTRAP, &act, NULL);
    const long time[2] = {0, 20000};
    int out = 0, places = 0, slots = 0;
    for (int i = 0; i < 5; i++) {
        nap(time, NULL);
    }
    for (unsigned char *at = (unsigned char *)PAGE_CODE; at < (unsigned char *)PAGE_SCRATCH - 2; at++) {
        bool comes_back = at[2] == 0xc3 || at[2] == 0xcc; /* ret, int3 */
        bool slot = at[2] == 0x48 && at[-5] == 0xb8 && at[-4] == 0xff;
        if (at[0] == 0x0f && at[1] == 0x05 && (comes_back || slot)) {
            target = at;
            places++;
            slots += slot;
            int worked = try_all(there);
            out += slot ? 0 : worked; /* a slot replaces the result */
            if (slot) { /* elsewhere this number is unknown, and ends the run */
                marked(0, (long)time, 0, 0, 0, 0, 0);
                marked(0, (long)victim, 0, 0, 0, 0, 0);
            }
        }
    }
    for (int i = 0; i < 5; i++) {
        nap(time, NULL);
    }
    printf("%s\n", places > 2 && slots > 0 ? "found them" : "there is nothing to jump to");
    return verdict(out);
}
