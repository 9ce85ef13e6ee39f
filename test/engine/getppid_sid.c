/* calls: getppid setpgid getsid */
#include "t.h"

int main(void)
{
    pid_t me = getpid();
    int st;
    pid_t c = fork();
    if (c == 0) {
        int ok = getppid() == me && getsid(0) == getsid(me) && getpgrp() == getpgid(me);
        ok = ok && setpgid(0, 0) == 0 && getpgrp() == getpid();
        _exit(ok ? 0 : 1);
    }
    waitpid(c, &st, 0);
    R(st);
    c = fork();
    if (c == 0) {
        pause();
    }
    R(setpgid(c, c));
    R(getpgid(c) == c);
    R(kill(-c, SIGTERM));
    waitpid(c, &st, 0);
    R(WTERMSIG(st));
    R(kill(-1234567, SIGTERM));
    return 0;
}
