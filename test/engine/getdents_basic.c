/* calls: getdents64 */
#include "t.h"

int main(void)
{
    mkdir("d", 0755);
    open("d/b", O_CREAT | O_WRONLY, 0644);
    open("d/a", O_CREAT | O_WRONLY, 0644);
    mkdir("d/c", 0755);
    symlink("x", "d/l");
    char buf[4096];
    int d = open("d", O_RDONLY | O_DIRECTORY);
    int seen = 0;
    for (;;) {
        long n = syscall(SYS_getdents64, d, buf, sizeof buf);
        if (n <= 0) {
            R(n);
            break;
        }
        for (long at = 0; at < n;) {
            unsigned short len;
            memcpy(&len, buf + at + 16, 2);
            const char *name = buf + at + 19;
            int type = buf[at + 18];
            seen += (strcmp(name, "a") == 0 && type == 8) + 10 * (strcmp(name, "c") == 0 && type == 4) +
                    100 * (strcmp(name, "l") == 0 && type == 10) + 1000 * (strcmp(name, ".") == 0) +
                    10000 * (strcmp(name, "..") == 0) + 100000 * (strcmp(name, "b") == 0);
            at += len;
        }
    }
    R(seen);
    R(lseek(d, 0, SEEK_SET));
    R(syscall(SYS_getdents64, d, buf, 10));
    R(syscall(SYS_getdents64, 99, buf, sizeof buf));
    int f = open("d/a", O_RDONLY);
    R(syscall(SYS_getdents64, f, buf, sizeof buf));
    R(read(d, buf, 10));
    return 0;
}
