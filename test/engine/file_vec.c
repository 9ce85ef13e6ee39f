/* calls: readv writev preadv pwritev preadv2 pwritev2 */
#include "t.h"

int main(void)
{
    char a[4] = {0}, b[8] = {0};
    struct iovec o[3] = {{"abc", 3}, {"", 0}, {"defgh", 5}}, i[2] = {{a, 3}, {b, 7}};
    int f = open("f", O_RDWR | O_CREAT, 0644);
    R(writev(f, o, 3));
    R(lseek(f, 0, SEEK_SET));
    R(readv(f, i, 2));
    S(a);
    S(b);
    R(pwritev(f, o, 1, 5));
    R(preadv(f, i, 2, 4));
    S(a);
    R(writev(f, o, -1));
    R(writev(f, o, 5000));
    R(readv(f, NULL, 0));
    R(pwritev2(f, o, 1, 0, 0));
    R(preadv2(f, i, 1, 0, 0));
    R(readv(77, i, 1));
    R(lseek(f, 2, SEEK_SET)); /* -1: where the file is */
    R(pwritev2(f, o, 1, -1, 0));
    R(lseek(f, 0, SEEK_CUR));
    R(preadv2(f, i, 1, -1, 0));
    S(a);
    R(lseek(f, 0, SEEK_CUR));
    R(pwritev2(f, o, 3, 1, 0));
    R(lseek(f, 0, SEEK_CUR));
    R(preadv2(f, i, 2, 0, 0));
    S(a);
    S(b);
    R(pwritev(f, o, 1, -1));
    R(preadv(f, i, 1, -1));
    R(pwritev2(f, o, 1, -2, 0));
    R(preadv2(f, i, 1, -2, 0));
    R(pwritev2(f, o, 1, 0, 0x4000));
    return 0;
}
