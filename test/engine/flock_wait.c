/* calls: flock */
#include "t.h"

int main(void)
{
    int a = open("f", O_RDWR | O_CREAT, 0644), p[2];
    pipe(p);
    flock(a, LOCK_EX);
    pid_t c = fork();
    if (c == 0) {
        int b = open("f", O_RDWR);
        write(p[1], "1", 1);
        flock(b, LOCK_EX);
        write(p[1], "2", 1);
        _exit(0);
    }
    char x;
    R(read(p[0], &x, 1));
    usleep(20000);
    struct pollfd q = {p[0], POLLIN, 0};
    R(poll(&q, 1, 0));
    flock(a, LOCK_UN);
    R(read(p[0], &x, 1));
    R(waitpid(c, NULL, 0) == c);
    return 0;
}
