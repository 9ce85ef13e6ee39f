/* calls: getpid gettid getppid getsid setsid set_tid_address */
#include "t.h"

int main(void)
{
    R(getpid() == gettid());
    R(getppid() != getpid());
    R(getsid(0) > 0);
    R(getsid(1234567));
    pid_t c = fork();
    int st;
    if (c == 0) {
        pid_t s = setsid();
        bool ok = s == getpid() && getsid(0) == s && getpgrp() == s && setsid() == -1 && errno == EPERM;
        _exit(ok ? 0 : 1);
    }
    waitpid(c, &st, 0);
    R(st);
    R(syscall(SYS_set_tid_address, NULL) == getpid());
    return 0;
}
