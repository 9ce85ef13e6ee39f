/* calls: setrlimit write ftruncate */
#include "t.h"

static volatile int signals;

static void on_limit(int sig)
{
    signals++;
}

int main(void)
{
    char b[4096] = {0};
    struct rlimit l = {6000, 8000};
    struct stat st;
    int f = open("f", O_RDWR | O_CREAT, 0644), status;
    signal(SIGXFSZ, on_limit);
    R(setrlimit(RLIMIT_FSIZE, &l));
    R(write(f, b, 4096));
    R(write(f, b, 4096)); /* a part */
    R(signals);
    R(write(f, b, 4096));
    R(signals);
    R(write(f, b, 0));
    R(pwrite(f, b, 10, 5995));
    R(ftruncate(f, 6001));
    R(signals);
    R(ftruncate(f, 6000));
    R(fallocate(f, 0, 0, 7000));
    R(signals);
    R(truncate("f", 9000));
    R(signals);
    fstat(f, &st);
    R(st.st_size);
    int p[2];
    pipe(p);
    fcntl(p[1], F_SETPIPE_SZ, 65536);
    R(write(p[1], b, 4096)); /* not a file */
    R(write(p[1], b, 4096));
    l.rlim_cur = 9000;
    R(setrlimit(RLIMIT_FSIZE, &l));
    memset(&l, 0, sizeof l);
    R(getrlimit(RLIMIT_FSIZE, &l));
    R(l.rlim_cur);
    R(l.rlim_max);
    if (fork() == 0) {
        signal(SIGXFSZ, SIG_DFL);
        pwrite(f, b, 10, 7000);
        _exit(1);
    }
    wait(&status);
    R(WTERMSIG(status) == SIGXFSZ);
    signal(SIGXFSZ, SIG_IGN);
    R(pwrite(f, b, 10, 7000));
    return 0;
}
