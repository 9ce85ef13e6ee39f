/* calls: setpgid setsid getsid getpgid */
#include "t.h"

int main(void)
{
    int st = 0;
    R(setpgid(0, 0));
    R(getpgrp() == getpid());
    R(setpgid(0, getpid()));
    R(setpgid(0, 1234567));
    R(setpgid(-1, 0));
    R(getsid(0) == getpid());
    R(setsid());
    if (fork() == 0) {
        R(setsid() == getpid());
        R(setpgid(0, 0));
        _exit(3);
    }
    wait(&st);
    R(WEXITSTATUS(st));
    return 0;
}
