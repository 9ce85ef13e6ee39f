/* calls: execve */
#include "t.h"

int main(void)
{
    int st;
    pid_t c = fork();
    if (c == 0) {
        char *av[] = {"sh", "-c", "echo $A-$B-$0-$1", "zero", "one", NULL}, *ev[] = {"A=x", "B=y z", NULL};
        execve("/bin/sh", av, ev);
    }
    waitpid(c, &st, 0);
    R(st);
    return 0;
}
