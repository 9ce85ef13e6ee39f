/* calls: fork wait4 exit_group */
#include "t.h"

int main(void)
{
    int st = 0;
    pid_t c = fork();
    if (c == 0) {
        _exit(3);
    }
    R(waitpid(c, &st, 0) == c);
    R(WIFEXITED(st));
    R(WEXITSTATUS(st));
    R(waitpid(c, &st, 0));
    R(waitpid(-1, &st, WNOHANG));
    c = fork();
    if (c == 0) {
        pause();
    }
    R(waitpid(c, &st, WNOHANG));
    R(kill(c, SIGTERM));
    R(wait(&st) == c);
    R(WTERMSIG(st));
    R(waitpid(1234567, &st, 0));
    R(waitpid(-1, &st, 0x10000000));
    return 0;
}
