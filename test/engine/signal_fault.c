/* calls: rt_sigaction */
#include "t.h"

#include <setjmp.h>

static sigjmp_buf jb;
static void h(int s, siginfo_t *i, void *c)
{
    printf("sig %d code %d addr16 %d\n", s, i->si_code, i->si_addr == (void *)16);
    siglongjmp(jb, 1);
}

int main(void)
{
    struct sigaction sa = {.sa_sigaction = h, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &sa, NULL);
    sigaction(SIGFPE, &sa, NULL);
    sigaction(SIGILL, &sa, NULL);
    if (sigsetjmp(jb, 1) == 0) {
        *(volatile int *)16 = 1;
    }
    if (sigsetjmp(jb, 1) == 0) {
        volatile int z = 0;
        volatile int q = 1 / z;
    }
    if (sigsetjmp(jb, 1) == 0) {
        __asm__ volatile("ud2");
    }
    pid_t c = fork();
    int st;
    if (c == 0) {
        signal(SIGSEGV, SIG_DFL);
        *(volatile int *)16 = 1;
    }
    waitpid(c, &st, 0);
    R(WTERMSIG(st));
    return 0;
}
