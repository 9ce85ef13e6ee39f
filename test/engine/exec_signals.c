/* calls: execve rt_sigaction */
#include "t.h"

int main(void)
{
    int st;
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR2, (void (*)(int))exit);
    pid_t c = fork();
    if (c == 0) {
        execl("/bin/sh", "sh", "-c", "kill -USR1 $$; echo ignored; kill -USR2 $$; echo not here", NULL);
    }
    waitpid(c, &st, 0);
    R(WIFSIGNALED(st));
    R(WTERMSIG(st) == SIGUSR2);
    return 0;
}
