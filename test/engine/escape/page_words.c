/* expect: failed it has changed the memory that it shares with the engine */
/* cc: -static -no-pie */
/* ways: sleeps-many sleeps-few sleep-begin sleep-long sleep-reads clock-back clock-on clock-far reads ones */
/* Numbers in the page that the engine's own code there could not have left. */
#include "escape.h"

#include <time.h>

static long nap(long ns)
{
    struct {
        long s, ns;
    } time = {0, ns};
    long r;
    __asm__ volatile("mov $35, %%eax\n syscall" : "=a"(r) : "D"(&time), "S"(0) : "rcx", "r11", "memory");
    return r;
}

static void spoil(void)
{
    uint64_t n = WORD(SLEEPS);
    if (n != 0 && is("sleeps-many")) {
        WORD(SLEEPS) = 1000000;
    } else if (n != 0 && is("sleeps-few")) {
        WORD(SLEEPS) = 200;
    } else if (n != 0 && is("sleep-begin")) {
        WORD(SLEEP) = 1;
    } else if (n != 0 && is("sleep-long")) {
        WORD(SLEEP + 7) = UINT64_MAX;
    } else if (n != 0 && is("sleep-reads")) {
        WORD(SLEEP + 1) = 1;
    } else if (is("clock-back")) {
        WORD(NOW) -= 1000000000;
    } else if (is("clock-on")) {
        WORD(NOW) += 1;
    } else if (is("clock-far")) {
        WORD(NOW) = UINT64_MAX - 5;
    } else if (is("reads")) {
        WORD(READS) += UINT64_C(1) << 60;
    } else if (is("ones")) {
        for (int i = 0; i < 512; i++) {
            WORD(i) = UINT64_MAX;
        }
    }
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    for (int i = 0; i < 400; i++) {
        nap(20000);
        spoil();
    }
    printf("held\n");
    return 0;
}
