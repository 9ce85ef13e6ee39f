/* Empties its vector registers, computes for a while, and waits: whether they count as in use then depends on interrupts. */
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>

int main(void)
{
    struct timespec wait = {.tv_nsec = 10000000};
    if (!__builtin_cpu_supports("avx")) {
        puts("no AVX");
    }
    for (long result = 0;;) {
        uint64_t turns = 300000;
        if (__builtin_cpu_supports("avx")) {
            __asm__ volatile("vzeroall" ::: "memory");
        }
        __asm__ volatile("1: dec %1; jnz 1b; syscall"
                         : "=a"(result), "+r"(turns)
                         : "0"((long)SYS_nanosleep), "D"(&wait), "S"(0L)
                         : "rcx", "r11", "memory");
    }
}
