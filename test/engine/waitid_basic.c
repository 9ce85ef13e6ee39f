/* calls: waitid */
#include "t.h"

int main(void)
{
    siginfo_t i;
    pid_t c = fork();
    if (c == 0) {
        _exit(9);
    }
    R(waitid(P_PID, c, &i, WEXITED | WNOWAIT));
    R(i.si_status);
    R(i.si_code == CLD_EXITED);
    R(i.si_pid == c);
    R(waitid(P_ALL, 0, &i, WEXITED));
    R(waitid(P_ALL, 0, &i, WEXITED));
    R(waitid(P_PID, c, &i, 0));
    R(waitid(99, c, &i, WEXITED));
    c = fork();
    if (c == 0) {
        raise(SIGKILL);
    }
    R(waitid(P_PID, c, &i, WEXITED));
    R(i.si_code == CLD_KILLED);
    R(i.si_status);
    return 0;
}
