/* calls: pread64 pwrite64 */
#include "t.h"

int main(void)
{
    char b[16] = {0};
    int f = open("f", O_RDWR | O_CREAT, 0644);
    R(pwrite(f, "abcdef", 6, 2));
    R(pread(f, b, 16, 0));
    R(b[0]);
    S(b + 2);
    R(lseek(f, 0, SEEK_CUR));
    R(pread(f, b, 4, -1));
    R(pread(f, b, 4, 1000));
    int p[2];
    pipe(p);
    R(pread(p[0], b, 1, 0));
    R(pwrite(p[1], b, 1, 0));
    R(pread(55, b, 1, 0));
    return 0;
}
