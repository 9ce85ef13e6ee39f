/* calls: getdents */
#include "t.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

struct old_entry {
    unsigned long ino, off;
    unsigned short len;
    char name[];
};

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

int main(void)
{
    char buf[4096], names[8][32] = {{0}};
    int n = 0;
    mkdir("d", 0755);
    mkdir("d/sub", 0755);
    close(open("d/file", O_CREAT | O_WRONLY, 0644));
    symlink("file", "d/link");
    int fd = open("d", O_RDONLY | O_DIRECTORY);
    long got = syscall(SYS_getdents, fd, buf, sizeof buf);
    for (long at = 0; at < got && n < 8;) {
        struct old_entry *e = (struct old_entry *)(buf + at);
        snprintf(names[n++], 32, "%s %d", e->name, buf[at + e->len - 1]);
        at += e->len;
    }
    qsort(names, (size_t)n, sizeof names[0], by_name);
    for (int i = 0; i < n; i++) {
        puts(names[i]);
    }
    R(syscall(SYS_getdents, fd, buf, sizeof buf));
    lseek(fd, 0, SEEK_SET);
    R(syscall(SYS_getdents, fd, buf, 10));
    R(syscall(SYS_getdents, open("d/file", O_RDONLY), buf, sizeof buf));
    R(syscall(SYS_getdents, 99, buf, sizeof buf));
    return 0;
}
