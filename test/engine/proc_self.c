/* calls: open read readlink */
#include "t.h"

int main(void)
{
    char b[4096] = {0};
    int f = open("/proc/self/comm", O_RDONLY);
    R(read(f, b, 64) > 0);
    S(b);
    f = open("/proc/self/cmdline", O_RDONLY);
    R(read(f, b, 4096) > 0);
    R(readlink("/proc/self/exe", b, 4096) > 0);
    R(access("/proc/self/maps", R_OK));
    f = open("/proc/self/maps", O_RDONLY);
    long n = read(f, b, 4095);
    R(n > 100);
    R(access("/proc/meminfo", R_OK));
    R(access("/proc/1234567", F_OK));
    R(access("/proc/self/nonsense", F_OK));
    snprintf(b, sizeof b, "/proc/%d/stat", getpid());
    R(access(b, R_OK));
    f = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
    R(f >= 0);
    R(open("/proc/self/status", O_RDONLY) >= 0);
    R(open("/proc/stat", O_RDONLY) >= 0);
    R(open("/proc/sys/kernel/pid_max", O_RDONLY) >= 0);
    int p[2];
    pipe(p);
    snprintf(b, sizeof b, "/proc/self/fd/%d", p[1]);
    int d = open(b, O_WRONLY);
    R(d >= 0);
    R(write(d, "via proc", 8));
    R(read(p[0], b, 64));
    R(open("/dev/stdin", O_RDONLY) >= 0);
    pthread_attr_t a;
    R(pthread_getattr_np(pthread_self(), &a));
    return 0;
}
