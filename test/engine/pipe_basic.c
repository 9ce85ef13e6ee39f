/* calls: pipe read write close */
#include "t.h"

int main(void)
{
    int p[2];
    char b[16] = {0};
    R(pipe(p));
    R(write(p[1], "hello", 5));
    R(read(p[0], b, 3));
    S(b);
    R(read(p[0], b, 16));
    R(close(p[1]));
    R(read(p[0], b, 16));
    R(close(p[0]));
    R(close(p[0]));
    R(read(p[0], b, 1));
    return 0;
}
