/* calls: fork getppid */
#include "t.h"

int main(void)
{
    int p[2];
    pipe(p);
    pid_t c = fork();
    if (c == 0) {
        if (fork() == 0) {
            close(p[0]);
            usleep(20000);
            write(p[1], getppid() == 1 ? "1" : "0", 1);
            _exit(0);
        }
        _exit(0);
    }
    close(p[1]);
    waitpid(c, NULL, 0);
    char x = 0;
    R(read(p[0], &x, 1));
    R(read(p[0], &x, 1));
    return 0;
}
