/* calls: lseek */
#include "t.h"

int main(void)
{
    int f = open("f", O_CREAT | O_RDWR, 0644);
    write(f, "abcdef", 6);
    R(lseek(f, 0, SEEK_DATA));
    R(lseek(f, 0, SEEK_HOLE));
    R(lseek(f, 6, SEEK_DATA));
    R(lseek(f, 100, SEEK_HOLE));
    R(lseek(99, 0, SEEK_SET));
    int p[2];
    pipe(p);
    R(lseek(p[0], 0, SEEK_CUR));
    return 0;
}
