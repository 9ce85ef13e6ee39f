/* expect: silent */
/* Stores to a mapped file are durable after msync, and after sync. */
#include <sys/mman.h>

#include "disk.h"

int main(void)
{
    if (second_boot()) {
        return holds("value", 'B', 8192) && holds("other", 'B', 8192) ? 0 : 1;
    }
    put("value", 'A', 8192);
    put("other", 'A', 8192);
    mark_first_boot();
    for (int i = 0; i < 2; i++) {
        int f = open(i == 0 ? "value" : "other", O_RDWR);
        char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
        memset(p, 'B', 8192);
        if (i == 0) {
            msync(p, 8192, MS_SYNC);
        } else {
            sync();
        }
    }
    for (;;) {
        pause();
    }
}
