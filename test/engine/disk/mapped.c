/* expect: caught */
/* Two pages of a mapped file are stored to, without msync: one of them may reach the disk alone. */
#include <sys/mman.h>

#include "disk.h"

int main(void)
{
    if (second_boot()) {
        return holds("value", 'A', 8192) || holds("value", 'B', 8192) ? 0 : 1;
    }
    put("value", 'A', 8192);
    mark_first_boot();
    int f = open("value", O_RDWR);
    char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
    memset(p, 'B', 8192);
    for (;;) {
        pause();
    }
}
