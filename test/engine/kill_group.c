/* calls: kill setpgid */
#include "t.h"

int main(void)
{
    int p[2], st;
    pipe(p);
    pid_t c = fork();
    if (c == 0) {
        setpgid(0, 0);
        for (int i = 0; i < 2; i++) {
            if (fork() == 0) {
                pause();
            }
        }
        write(p[1], "r", 1);
        pause();
    }
    close(p[1]);
    char x;
    R(read(p[0], &x, 1));
    usleep(5000);
    R(kill(-c, SIGKILL));
    R(waitpid(c, &st, 0) == c);
    R(WTERMSIG(st));
    R(read(p[0], &x, 1));
    return 0;
}
