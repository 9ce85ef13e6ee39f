/* expect: silent */
/* disk: writeback = "0.5s" */
/* A write without fsync that is older than writeback. */
#include "disk.h"

int main(void)
{
    if (second_boot()) {
        return holds("value", 'B', 5000) ? 0 : 1;
    }
    mark_first_boot();
    int f = open("value", O_CREAT | O_WRONLY, 0644);
    char b[5000];
    memset(b, 'B', sizeof b);
    write(f, b, sizeof b);
    close(f);
    for (;;) {
        pause();
    }
}
