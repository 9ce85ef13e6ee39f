/* calls: pipe fork dup2 execve */
#include "t.h"

int main(void)
{
    int p[2], st;
    pipe(p);
    if (fork() == 0) {
        dup2(p[1], 1);
        close(p[0]);
        close(p[1]);
        execl("/bin/sh", "sh", "-c", "echo one; echo two; exit 3", NULL);
    }
    close(p[1]);
    FILE *f = fdopen(p[0], "r");
    char b[64];
    while (fgets(b, sizeof b, f)) {
        printf("got %s", b);
    }
    fflush(stdout);
    wait(&st);
    R(WEXITSTATUS(st));
    return 0;
}
