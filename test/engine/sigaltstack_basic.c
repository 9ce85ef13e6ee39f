/* calls: sigaltstack */
#include "t.h"

static char *lo, *hi;
static int on;
static void h(int s)
{
    char x;
    on = &x >= lo && &x < hi;
}

int main(void)
{
    static char st[65536];
    stack_t s = {.ss_sp = st, .ss_size = sizeof st}, o;
    lo = st;
    hi = st + sizeof st;
    R(sigaltstack(&s, NULL));
    struct sigaction sa = {.sa_handler = h, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &sa, NULL);
    raise(SIGUSR1);
    R(on);
    R(sigaltstack(NULL, &o));
    R(o.ss_size);
    s.ss_size = 10;
    R(sigaltstack(&s, NULL));
    return 0;
}
