/* expect: silent */
/* O_DSYNC instead of fsync, in place, promised after the write. */
#include "disk.h"

int main(void)
{
    if (second_boot()) {
        return holds("value", 'B', 5000) ? 0 : 1;
    }
    put("value", 'A', 5000);
    mark_first_boot();
    int f = open("value", O_WRONLY | O_DSYNC);
    char b[5000];
    memset(b, 'B', sizeof b);
    write(f, b, sizeof b);
    for (;;) {
        pause();
    }
}
