/* calls: read write */
#include "t.h"

int main(void)
{
    int p[2];
    char b[100000] = {0};
    R(pipe(p));
    pid_t c = fork();
    if (c == 0) {
        close(p[0]);
        long n = write(p[1], b, sizeof b);
        _exit(n == sizeof b ? 0 : 1);
    }
    close(p[1]);
    long total = 0, n;
    while ((n = read(p[0], b, 777)) > 0) {
        total += n;
    }
    R(total);
    int st = 0;
    waitpid(c, &st, 0);
    R(WEXITSTATUS(st));
    return 0;
}
