/* calls: fcntl */
#include "t.h"

int main(void)
{
    int f = open("f", O_RDWR | O_CREAT, 0644);
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 10, .l_len = 10};
    R(fcntl(f, F_SETLK, &l));
    pid_t c = fork();
    if (c == 0) {
        int g = open("f", O_RDWR);
        struct flock q = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0};
        R(fcntl(g, F_GETLK, &q));
        R(q.l_type == F_WRLCK);
        R(q.l_start);
        R(q.l_len);
        R(q.l_pid == getppid());
        q = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 15, .l_len = 1};
        R(fcntl(g, F_SETLK, &q));
        q.l_start = 20;
        R(fcntl(g, F_SETLK, &q));
        q.l_type = 55;
        R(fcntl(g, F_SETLK, &q));
        _exit(0);
    }
    waitpid(c, NULL, 0);
    l.l_type = F_UNLCK;
    l.l_len = 5;
    R(fcntl(f, F_SETLK, &l));
    int r = open("f", O_RDONLY);
    l.l_type = F_WRLCK;
    R(fcntl(r, F_SETLK, &l));
    return 0;
}
