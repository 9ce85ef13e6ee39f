/* calls: utimensat utimes utime futimesat */
#include "t.h"

int main(void)
{
    struct stat st;
    open("f", O_CREAT | O_WRONLY, 0644);
    struct timespec ts[2] = {{1000, 5}, {2000, 7}};
    R(utimensat(AT_FDCWD, "f", ts, 0));
    R(stat("f", &st));
    R(st.st_atim.tv_sec);
    R(st.st_mtim.tv_sec);
    R(st.st_mtim.tv_nsec);
    struct timeval tv[2] = {{3000, 0}, {4000, 9}};
    R(utimes("f", tv));
    R(stat("f", &st));
    R(st.st_mtim.tv_sec);
    R(st.st_mtim.tv_nsec);
    ts[0].tv_nsec = UTIME_OMIT;
    ts[1].tv_sec = 5000;
    R(utimensat(AT_FDCWD, "f", ts, 0));
    R(stat("f", &st));
    R(st.st_atim.tv_sec);
    R(st.st_mtim.tv_sec);
    ts[1].tv_nsec = 2000000000;
    R(utimensat(AT_FDCWD, "f", ts, 0));
    R(utimensat(AT_FDCWD, "nope", NULL, 0));
    int f = open("f", O_RDONLY);
    R(futimens(f, NULL));
    R(syscall(SYS_utime, "f", NULL));
    R(syscall(SYS_futimesat, AT_FDCWD, "f", tv));
    return 0;
}
