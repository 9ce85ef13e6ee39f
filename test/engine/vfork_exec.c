/* calls: vfork execve */
#include "t.h"

int main(void)
{
    int st;
    pid_t c = vfork();
    if (c == 0) {
        execl("/bin/echo", "echo", "from", "exec", NULL);
        _exit(1);
    }
    R(waitpid(c, &st, 0) == c);
    R(WEXITSTATUS(st));
    c = vfork();
    if (c == 0) {
        execl("/nonexistent", "x", NULL);
        _exit(errno == ENOENT ? 5 : 6);
    }
    R(waitpid(c, &st, 0) == c);
    R(WEXITSTATUS(st));
    R(execl("/etc/passwd", "x", NULL));
    R(execl("/", "x", NULL));
    R(execl("/etc/passwd/x", "x", NULL));
    return 0;
}
