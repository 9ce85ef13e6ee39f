/* calls: write */
#include "t.h"

int main(void)
{
    int p[2];
    signal(SIGPIPE, SIG_IGN);
    R(pipe(p));
    close(p[0]);
    R(write(p[1], "x", 1));
    R(write(99, "x", 1));
    R(write(p[1], NULL, 0));
    R(read(p[1], NULL, 0));
    return 0;
}
