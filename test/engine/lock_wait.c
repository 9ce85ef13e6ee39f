/* calls: fcntl */
/* Record locks that are waited for: of processes and of open files; a part that is free is had at once. */
#include "t.h"

static int lock(int fd, int cmd, short type, off_t start, off_t len)
{
    struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = len};
    return fcntl(fd, cmd, &l);
}

static void waits(const char *name, int set, int wait_for)
{
    int ready[2], f = open("f", O_CREAT | O_RDWR, 0644);
    char c;
    pipe(ready);
    pid_t pid = fork();
    if (pid == 0) {
        int g = open("f", O_RDWR);
        lock(g, set, F_WRLCK, 10, 10);
        write(ready[1], "x", 1);
        usleep(200000);
        S("released");
        lock(g, set, F_UNLCK, 10, 10);
        usleep(100000);
        _exit(0);
    }
    S(name);
    read(ready[0], &c, 1);
    R(lock(f, set, F_WRLCK, 15, 2));
    R(lock(f, set, F_WRLCK, 0, 10));
    R(lock(f, wait_for, F_WRLCK, 20, 5));
    R(lock(f, wait_for, F_WRLCK, 15, 2));
    S("had");
    R(lock(f, set, F_RDLCK, 0, 0));
    waitpid(pid, NULL, 0);
    close(f);
    close(ready[0]);
    close(ready[1]);
}

static void handler(int sig)
{
}

int main(void)
{
    waits("of the process", F_SETLK, F_SETLKW);
    waits("of the open file", F_OFD_SETLK, F_OFD_SETLKW);
    /* interrupted */
    struct sigaction sa = {.sa_handler = handler};
    sigaction(SIGALRM, &sa, NULL);
    int f = open("f", O_RDWR), g = open("f", O_RDWR);
    lock(f, F_OFD_SETLK, F_WRLCK, 0, 0);
    struct itimerval it = {{0, 0}, {0, 50000}};
    setitimer(ITIMER_REAL, &it, NULL);
    R(lock(g, F_OFD_SETLKW, F_RDLCK, 0, 1));
    return 0;
}
