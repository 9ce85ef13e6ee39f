/* calls: execve fcntl */
#include "t.h"

int main(void)
{
    int st, p[2];
    pipe(p);
    int a = dup(1), b = fcntl(1, F_DUPFD_CLOEXEC, 0);
    char x[16], y[16];
    snprintf(x, sizeof x, "%d", a);
    snprintf(y, sizeof y, "%d", b);
    pid_t c = fork();
    if (c == 0) {
        char s[256];
        snprintf(s, sizeof s, "test -e /proc/self/fd/%s && echo kept; test -e /proc/self/fd/%s || echo closed", x, y);
        execl("/bin/sh", "sh", "-c", s, NULL);
    }
    R(waitpid(c, &st, 0) == c);
    R(WEXITSTATUS(st));
    return 0;
}
