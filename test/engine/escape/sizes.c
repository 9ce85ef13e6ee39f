/* expect: ok held */
/* check: true */
/* Files that are far larger than any disk: their sizes are refused, or they are holes. The check has them copied. */
#include "escape.h"

int main(int argc, char **argv)
{
    begin(argc, argv);
    int out = 0, fd = open("/data/f", O_RDWR | O_CREAT, 0644);
    char c = 0;
    off_t far[] = {1L << 62, (1L << 62) + 12345, INT64_MAX - 1, INT64_MAX, (1L << 44) - 1, 1L << 50};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        out += pwrite(fd, "x", 1, far[i]) > 0;
        out += ftruncate(fd, far[i]) == 0 && far[i] > 1L << 44;
        out += fallocate(fd, 0, far[i] - 10, 10) == 0 && far[i] > 1L << 44;
    }
    ftruncate(fd, 0);
    /* almost all hole */
    int hole = open("/data/hole", O_RDWR | O_CREAT, 0755), mapped = open("/data/mapped", O_RDWR | O_CREAT, 0644);
    pwrite(hole, "begin", 5, 0);
    pwrite(hole, "end", 3, 900L << 30);
    ftruncate(mapped, 900L << 30);
    out += fallocate(hole, 3, 4096, 899L << 30) != 0; /* a hole in a hole */
    out += pread(hole, &c, 1, (900L << 30) + 1) != 1 || c != 'n';
    out += pread(hole, &c, 1, 1) != 1 || c != 'e';
    out += pread(hole, &c, 1, 5L << 30) != 1 || c != 0;
    out += mmap(NULL, 900L << 30, PROT_READ | PROT_WRITE, MAP_SHARED, mapped, 0) != MAP_FAILED;
    char *args[] = {"hole", NULL};
    pwrite(hole, "\177ELF\2\1\1", 7, 0);
    out += execv("/data/hole", args) == 0;
    fsync(hole);
    fsync(mapped);
    return verdict(out);
}
