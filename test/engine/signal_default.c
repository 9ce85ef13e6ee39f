/* calls: kill exit_group */
#include "t.h"

int main(void)
{
    int list[] = {SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGTERM, SIGUSR1, SIGALRM, SIGCHLD, SIGURG, SIGWINCH, SIGRTMIN};
    for (int i = 0; i < 11; i++) {
        pid_t c = fork();
        if (c == 0) {
            struct rlimit z = {0, 0};
            setrlimit(RLIMIT_CORE, &z);
            raise(list[i]);
            _exit(1);
        }
        int st;
        waitpid(c, &st, 0);
        printf("%d: %d %d\n", list[i], WIFSIGNALED(st), WIFSIGNALED(st) ? WTERMSIG(st) : WEXITSTATUS(st));
    }
    return 0;
}
