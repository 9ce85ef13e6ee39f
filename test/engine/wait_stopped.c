/* calls: wait4 kill */
#include "t.h"

int main(void)
{
    int st;
    pid_t c = fork();
    if (c == 0) {
        for (;;) {
            pause();
        }
    }
    R(kill(c, SIGSTOP));
    R(waitpid(c, &st, WUNTRACED) == c);
    R(WIFSTOPPED(st));
    R(WSTOPSIG(st));
    R(kill(c, SIGCONT));
    R(waitpid(c, &st, WCONTINUED) == c);
    R(WIFCONTINUED(st));
    R(kill(c, SIGKILL));
    R(waitpid(c, &st, 0) == c);
    R(WTERMSIG(st));
    return 0;
}
