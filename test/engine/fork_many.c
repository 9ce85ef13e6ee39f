/* calls: fork wait4 pipe */
#include "t.h"

int main(void)
{
    int p[2], sum = 0, st;
    pipe(p);
    for (int i = 0; i < 20; i++) {
        if (fork() == 0) {
            char c = (char)i;
            write(p[1], &c, 1);
            _exit(i);
        }
    }
    close(p[1]);
    char c;
    int n = 0;
    while (read(p[0], &c, 1) == 1) {
        n += c;
    }
    while (wait(&st) > 0) {
        sum += WEXITSTATUS(st);
    }
    R(n);
    R(sum);
    return 0;
}
