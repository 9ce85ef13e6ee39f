/* calls: open write fcntl */
#include "t.h"

int main(void)
{
    int a = open("f", O_WRONLY | O_CREAT | O_APPEND, 0644), b = open("f", O_WRONLY | O_APPEND);
    R(write(a, "aa", 2));
    R(write(b, "bb", 2));
    R(write(a, "cc", 2));
    R(lseek(a, 0, SEEK_CUR));
    R(fcntl(a, F_GETFL) & O_APPEND);
    R(fcntl(a, F_SETFL, 0));
    R(lseek(a, 0, SEEK_SET));
    R(write(a, "ZZ", 2));
    char t[16] = {0};
    int r = open("f", O_RDONLY);
    R(read(r, t, 16));
    S(t);
    return 0;
}
