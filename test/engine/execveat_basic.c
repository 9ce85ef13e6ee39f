/* calls: execveat */
#include "t.h"

int main(void)
{
    int st;
    pid_t c = fork();
    char *av[] = {"echo", "by path", NULL}, *ev[] = {NULL};
    if (c == 0) {
        syscall(SYS_execveat, AT_FDCWD, "/bin/echo", av, ev, 0);
        _exit(1);
    }
    waitpid(c, &st, 0);
    R(st);
    R(syscall(SYS_execveat, AT_FDCWD, "/nope", av, ev, 0));
    R(syscall(SYS_execveat, 99, "echo", av, ev, 0));
    return 0;
}
