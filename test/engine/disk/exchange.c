/* expect: silent */
/* Two names are exchanged as one: never is one of them there twice, or gone. */
#define _GNU_SOURCE
#include "disk.h"

int main(void)
{
    if (second_boot()) {
        int as_before = holds("a", 'A', 5000) && holds("b", 'B', 3000);
        return as_before || (holds("a", 'B', 3000) && holds("b", 'A', 5000)) ? 0 : 1;
    }
    put("a", 'A', 5000);
    put("b", 'B', 3000);
    mark_first_boot();
    for (int i = 0; i < 5; i++) {
        renameat2(AT_FDCWD, "a", AT_FDCWD, "b", RENAME_EXCHANGE);
    }
    for (;;) {
        pause();
    }
}
