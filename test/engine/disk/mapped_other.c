/* expect: caught */
/* A page of one mapped file is made durable, then that of the other is not: msync is of the mapping that it is given. */
#include <sys/mman.h>

#include "disk.h"

static char *map(const char *name)
{
    int f = open(name, O_RDWR);
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
}

int main(void)
{
    if (second_boot()) {
        return holds("data", 'B', 4096) ? 0 : 1;
    }
    put("data", 'A', 4096);
    put("index", 'A', 4096);
    mark_first_boot();
    char *data = map("data"), *index = map("index");
    memset(data, 'B', 4096);
    memset(index, 'B', 4096);
    msync(index, 4096, MS_SYNC);
    for (;;) {
        pause();
    }
}
