/* calls: write */
#include "t.h"

int main(void)
{
    int p[2], st = 0;
    R(pipe(p));
    pid_t c = fork();
    if (c == 0) {
        close(p[0]);
        close(p[1]);
        int q[2];
        pipe(q);
        close(q[0]);
        write(q[1], "x", 1);
        _exit(7);
    }
    waitpid(c, &st, 0);
    R(WIFSIGNALED(st));
    R(WTERMSIG(st));
    return 0;
}
