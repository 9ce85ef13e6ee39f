/* expect: silent */
/* The correct way: new file, fsync, rename, fsync of the directory. */
#include "disk.h"

int main(void)
{
    if (second_boot()) {
        return holds("value", 'B', 5000) ? 0 : 1;
    }
    put("value", 'A', 5000);
    mark_first_boot();
    int f = open("value.tmp", O_CREAT | O_WRONLY | O_TRUNC, 0644);
    char b[5000];
    memset(b, 'B', sizeof b);
    write(f, b, sizeof b);
    fsync(f);
    close(f);
    rename("value.tmp", "value");
    sync_dir();
    for (;;) {
        pause();
    }
}
