/* expect: caught */
/* A write that was promised, without fsync. */
#include "disk.h"

int main(void)
{
    if (second_boot()) {
        return holds("value", 'B', 5000) ? 0 : 1;
    }
    put("value", 'A', 5000);
    mark_first_boot();
    int f = open("value", O_WRONLY);
    char b[5000];
    memset(b, 'B', sizeof b);
    write(f, b, sizeof b);
    close(f);
    for (;;) {
        pause();
    }
}
