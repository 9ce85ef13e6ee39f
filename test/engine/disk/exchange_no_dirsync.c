/* expect: caught */
/* An exchange that was promised, without fsync of the directory. */
#define _GNU_SOURCE
#include "disk.h"

int main(void)
{
    if (second_boot()) {
        return holds("a", 'B', 5000) ? 0 : 1;
    }
    put("a", 'A', 5000);
    put("b", 'B', 5000);
    mark_first_boot();
    renameat2(AT_FDCWD, "a", AT_FDCWD, "b", RENAME_EXCHANGE);
    for (;;) {
        pause();
    }
}
