/* expect: silent */
/* Pages leave a file and come into it; with fsync this survives. */
#define _GNU_SOURCE
#include "disk.h"

static int looks_like(const char *pages)
{
    int f = open("value", O_RDONLY);
    char b[4096];
    for (; *pages != '\0'; pages++) {
        if (read(f, b, sizeof b) != sizeof b || b[0] != (*pages == '0' ? 0 : *pages) || b[4095] != b[0]) {
            return 0;
        }
    }
    return read(f, b, 1) == 0;
}

int main(void)
{
    if (second_boot()) {
        return looks_like("ad0e0") ? 0 : 1;
    }
    int f = open("value", O_CREAT | O_RDWR, 0644);
    char b[4096];
    for (char c = 'a'; c <= 'f'; c++) {
        memset(b, c, sizeof b);
        write(f, b, sizeof b);
    }
    fsync(f);
    fallocate(f, FALLOC_FL_COLLAPSE_RANGE, 4096, 8192);                        /* adef */
    fallocate(f, FALLOC_FL_INSERT_RANGE, 8192, 4096);                          /* ad0ef */
    fallocate(f, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 16384, 4096); /* ad0e0 */
    fsync(f);
    mark_first_boot();
    for (;;) {
        pause();
    }
}
