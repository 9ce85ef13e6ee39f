/* calls: open openat read write lseek close */
#include "t.h"

int main(void)
{
    char b[32] = {0};
    int f = open("f", O_RDWR | O_CREAT | O_TRUNC, 0644);
    R(f >= 0);
    R(write(f, "0123456789", 10));
    R(lseek(f, 3, SEEK_SET));
    R(read(f, b, 4));
    S(b);
    R(lseek(f, 0, SEEK_CUR));
    R(lseek(f, -2, SEEK_END));
    R(read(f, b, 32));
    R(read(f, b, 32));
    R(lseek(f, -1, SEEK_SET));
    R(lseek(f, 0, 77));
    R(lseek(f, 100, SEEK_SET));
    R(write(f, "x", 1));
    R(lseek(f, 0, SEEK_END));
    R(pread(f, b, 4, 98));
    R(b[2] == 'x');
    R(b[0]);
    R(close(f));
    R(open("nope", O_RDONLY));
    R(open("f", O_RDWR | O_CREAT | O_EXCL, 0644));
    R(open("f/x", O_RDONLY));
    R(open("", O_RDONLY));
    R(openat(99, "f", O_RDONLY));
    R(open(".", O_RDWR));
    f = open("f", O_WRONLY);
    R(read(f, b, 1));
    f = open("f", O_RDONLY);
    R(write(f, b, 1));
    return 0;
}
