/* expect: silent */
/* Two short writes to the same sector, without fsync: the second is not there without the first. */
#include "disk.h"

int main(void)
{
    if (second_boot()) {
        char b[21] = {0};
        int f = open("value", O_RDONLY);
        ssize_t n = f < 0 ? 0 : read(f, b, sizeof b);
        return n == 0 || (n == 10 && memcmp(b, "aaaaaaaaaa", 10) == 0) || (n == 20 && memcmp(b, "aaaaaaaaaabbbbbbbbbb", 20) == 0) ? 0 : 1;
    }
    mark_first_boot();
    int f = open("value", O_CREAT | O_WRONLY, 0644);
    write(f, "aaaaaaaaaa", 10);
    write(f, "bbbbbbbbbb", 10);
    for (;;) {
        pause();
    }
}
