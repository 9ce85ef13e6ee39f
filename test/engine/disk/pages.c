/* expect: caught */
/* What was synced is kept page for page: when the writes after it are lost, all of it is as it was. */
#include "disk.h"

enum { PAGE_BYTES = 4096, PAGES = 4 };

int main(void)
{
    if (second_boot()) {
        return holds("value", 'A', PAGES * PAGE_BYTES) ? 1 : 0;
    }
    put("value", 'A', PAGES * PAGE_BYTES);
    mark_first_boot();
    int f = open("value", O_WRONLY);
    char b[(PAGES - 1) * PAGE_BYTES];
    memset(b, 'B', sizeof b);
    pwrite(f, b, sizeof b, PAGE_BYTES); /* the first page is the same in both */
    for (;;) {
        pause();
    }
}
