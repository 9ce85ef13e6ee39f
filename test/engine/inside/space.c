/* A small disk: how much is left after everything that takes or gives room. */
#include "../t.h"

static char data[3 << 20];
static int probe;

/* As much as fits is written to another file, and thrown away. */
static void left(const char *what, long result)
{
    int code = errno;
    errno = 0;
    ssize_t room = 0, n = 0;
    while ((n = pwrite(probe, data, 16384, room)) > 0) {
        room += n;
    }
    printf("%s = %ld %s: there is room for %zd, then %s", what, result, result < 0 ? strerrorname_np(code) : "", room, strerrorname_np(errno));
    ftruncate(probe, 0);
    struct statfs s;
    fstatfs(probe, &s);
    printf("; %ld of %ld blocks free, %ld for us\n", (long)s.f_bfree, (long)s.f_blocks, (long)s.f_bavail);
}

#define DO(e) left(#e, (errno = 0, (long)(e)))

int main(void)
{
    int fd = open("a", O_RDWR | O_CREAT, 0600), other;
    setvbuf(stdout, NULL, _IOLBF, 0);
    probe = open("probe", O_RDWR | O_CREAT, 0600);
    left("begin", 0);
    DO(write(fd, data, 100));
    DO(write(fd, data, 5000));
    DO(pwrite(fd, data, 10, 100000));
    DO(ftruncate(fd, 200000));
    DO(ftruncate(fd, 4000));
    DO(ftruncate(fd, 0));
    DO(pwrite(fd, data, 1 << 20, 0));
    DO(truncate("a", 300000));
    DO(fallocate(fd, 0, 0, 500000));
    DO(fallocate(fd, FALLOC_FL_KEEP_SIZE, 500000, 100000));
    DO(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 200000));
    DO(pwrite(fd, data, sizeof data, 0));
    DO(pwrite(fd, data, sizeof data, 0));
    DO(fallocate(fd, 0, 0, 5 << 20));
    DO(ftruncate(fd, 4096));
    DO(pwrite(fd, data, sizeof data, 1000000));
    DO(pwrite(fd, data, 10, 999000));
    DO(pwrite(fd, data, 10, 3000000));
    DO(ftruncate(fd, 100000));
    DO(pwrite(fd, data, 1 << 20, 0));
    DO(mkdir("d", 0700));
    DO(symlink("a", "s"));
    DO(link("a", "l"));
    DO(unlink("a"));
    DO(unlink("l"));
    DO(close(fd));
    fd = open("synced", O_RDWR | O_CREAT, 0600);
    DO(write(fd, data, 1500000));
    sync();
    DO(close(fd));
    DO(unlink("synced"));
    fd = open("b", O_RDWR | O_CREAT, 0600);
    DO(ftruncate(fd, 100 << 20));
    DO(ftruncate(fd, 10));
    DO(rename("b", "c"));
    other = open("e", O_RDWR | O_CREAT, 0600);
    DO(copy_file_range(fd, &(loff_t){0}, other, &(loff_t){0}, 10, 0));
    DO(open("/data/e", O_TRUNC | O_WRONLY));
    DO(rename("c", "e"));
    int x = open("x", O_RDWR | O_CREAT, 0600), y = open("y", O_RDWR | O_CREAT, 0600);
    DO(write(x, data, 300000));
    DO(write(y, data, 500000));
    sync();
    DO(renameat2(AT_FDCWD, "x", AT_FDCWD, "y", RENAME_EXCHANGE));
    sync();
    DO(close(x));
    DO(close(y));
    DO(unlink("x"));
    sync();
    left("synced", 0);
    DO(unlink("y"));
    sync();
    left("synced", 0);
    DO(unlink("e"));
    return 0;
}
