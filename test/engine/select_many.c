/* calls: select poll */
#include "t.h"

int main(void)
{
    int p[40][2];
    fd_set r;
    FD_ZERO(&r);
    for (int i = 0; i < 40; i++) {
        pipe(p[i]);
        FD_SET(p[i][0], &r);
        if (i % 3 == 0) {
            write(p[i][1], "x", 1);
        }
    }
    R(select(200, &r, NULL, NULL, NULL));
    int n = 0;
    for (int i = 0; i < 40; i++) {
        n += FD_ISSET(p[i][0], &r) ? i : 0;
    }
    R(n);
    return 0;
}
