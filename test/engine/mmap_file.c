/* calls: mmap munmap msync */
#include "t.h"

int main(void)
{
    int f = open("f", O_RDWR | O_CREAT, 0644);
    write(f, "hello world", 11);
    char *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, f, 0);
    R(p != MAP_FAILED);
    S(p);
    char *s = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
    memcpy(s, "HELLO", 5);
    char b[16] = {0};
    R(pread(f, b, 16, 0));
    S(b);
    R(pwrite(f, "there", 5, 6));
    S(s);
    R(msync(s, 4096, MS_SYNC));
    R(msync(s + 1, 4096, MS_SYNC));
    R(munmap(s, 4096));
    int r = open("f", O_RDONLY);
    R(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, r, 0) == MAP_FAILED);
    R(errno == EACCES);
    R(mmap(NULL, 4096, PROT_READ, MAP_SHARED, 99, 0) == MAP_FAILED);
    R(errno == EBADF);
    int d = open(".", O_RDONLY);
    R(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, d, 0) == MAP_FAILED);
    R(errno == ENODEV);
    return 0;
}
