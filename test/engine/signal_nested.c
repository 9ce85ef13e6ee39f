/* calls: rt_sigaction rt_sigreturn */
#include "t.h"

static char log[64];
static int depth;
static void g(int s)
{
    strcat(log, "g");
}
static void h(int s)
{
    strcat(log, "(");
    if (depth++ < 2) {
        raise(depth == 1 ? SIGUSR2 : SIGUSR1);
    }
    strcat(log, ")");
}

int main(void)
{
    struct sigaction sa = {.sa_handler = h};
    sigaddset(&sa.sa_mask, SIGUSR2);
    sigaction(SIGUSR1, &sa, NULL);
    sa.sa_handler = g;
    sigaction(SIGUSR2, &sa, NULL);
    raise(SIGUSR1);
    S(log);
    struct sigaction nd = {.sa_handler = h, .sa_flags = SA_NODEFER};
    sigaction(SIGUSR1, &nd, NULL);
    depth = 0;
    log[0] = 0;
    raise(SIGUSR1);
    S(log);
    return 0;
}
