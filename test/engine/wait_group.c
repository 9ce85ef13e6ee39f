/* calls: wait4 setpgid getpgid getpgrp */
#include "t.h"

int main(void)
{
    int st;
    pid_t a = fork();
    if (a == 0) {
        setpgid(0, 0);
        _exit(1);
    }
    pid_t b = fork();
    if (b == 0) {
        _exit(2);
    }
    R(waitpid(0, &st, 0) == b || 1);
    while (wait(&st) > 0) {
    }
    R(getpgid(0) == getpgrp());
    R(getpgid(1234567));
    R(setpgid(1234567, 0));
    R(setpgid(0, -1));
    return 0;
}
