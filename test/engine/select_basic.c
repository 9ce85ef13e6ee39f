/* calls: select pselect6 */
#include "t.h"

int main(void)
{
    int p[2];
    pipe(p);
    fd_set r, w;
    struct timeval tv = {0, 10000};
    FD_ZERO(&r);
    FD_ZERO(&w);
    FD_SET(p[0], &r);
    FD_SET(p[1], &w);
    R(select(p[1] + 1, &r, &w, NULL, NULL));
    R(FD_ISSET(p[0], &r));
    R(FD_ISSET(p[1], &w));
    FD_ZERO(&r);
    FD_SET(p[0], &r);
    R(select(p[0] + 1, &r, NULL, NULL, &tv));
    R(tv.tv_usec);
    write(p[1], "x", 1);
    FD_SET(p[0], &r);
    R(select(p[0] + 1, &r, NULL, NULL, NULL));
    R(FD_ISSET(p[0], &r));
    FD_ZERO(&r);
    FD_SET(40, &r);
    R(select(41, &r, NULL, NULL, NULL));
    R(select(-1, &r, NULL, NULL, NULL));
    tv = (struct timeval){-1, 0};
    R(select(0, NULL, NULL, NULL, &tv));
    R(pselect(0, NULL, NULL, NULL, &(struct timespec){0, 1000}, NULL));
    return 0;
}
