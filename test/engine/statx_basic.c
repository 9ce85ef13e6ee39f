/* calls: statx */
#include "t.h"

int main(void)
{
    struct statx x;
    int f = open("f", O_RDWR | O_CREAT, 0600);
    write(f, "abcd", 4);
    R(statx(AT_FDCWD, "f", 0, STATX_BASIC_STATS, &x));
    R(x.stx_size);
    R(x.stx_mode);
    R(x.stx_nlink);
    R(statx(f, "", AT_EMPTY_PATH, STATX_SIZE, &x));
    R(x.stx_size);
    R(statx(AT_FDCWD, "nope", 0, STATX_ALL, &x));
    return 0;
}
