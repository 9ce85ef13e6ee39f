/* calls: mmap */
#include "t.h"

int main(void)
{
    int f = open("f", O_CREAT | O_RDWR, 0644);
    char b[8192];
    memset(b, 'a', 4096);
    memset(b + 4096, 'b', 4096);
    write(f, b, 8192);
    char *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, f, 4096);
    R(p[0]);
    R(mmap(NULL, 4096, PROT_READ, MAP_SHARED, f, 100) == MAP_FAILED);
    char *q = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE, f, 0);
    q[0] = 'z';
    R(pread(f, b, 1, 0));
    R(b[0]);
    R(close(f));
    R(p[4095]);
    f = open("f", O_RDWR);
    R(ftruncate(f, 100));
    R(q[0]);
    return 0;
}
