/* calls: select */
/* The old call: what is ready, and the time that is left. */
#include "t.h"

static long sel(int n, fd_set *r, fd_set *w, struct timeval *tv)
{
    return syscall(SYS_select, n, r, w, NULL, tv);
}

int main(void)
{
    int p[2];
    pipe(p);
    fd_set r, w;
    struct timeval tv = {0, 50000};
    FD_ZERO(&r);
    FD_SET(p[0], &r);
    R(sel(p[0] + 1, &r, NULL, &tv));
    R(FD_ISSET(p[0], &r));
    R(tv.tv_sec * 1000000 + tv.tv_usec);
    FD_ZERO(&w);
    FD_SET(p[1], &w);
    FD_SET(p[0], &r);
    R(sel(p[1] + 1, &r, &w, NULL));
    R(FD_ISSET(p[0], &r) * 10 + FD_ISSET(p[1], &w));
    write(p[1], "x", 1);
    FD_SET(p[0], &r);
    tv.tv_sec = 5;
    tv.tv_usec = 0;
    R(sel(p[1] + 1, &r, &w, &tv));
    R(FD_ISSET(p[0], &r) * 10 + FD_ISSET(p[1], &w));
    R(tv.tv_sec >= 4);
    tv.tv_sec = -1;
    R(sel(1, NULL, NULL, &tv));
    R(sel(-1, NULL, NULL, NULL));
    FD_ZERO(&r);
    FD_SET(40, &r);
    tv.tv_sec = 0;
    R(sel(41, &r, NULL, &tv));
    R(sel(1, (void *)8, NULL, &tv));
    return 0;
}
