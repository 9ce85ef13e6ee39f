/* expect: silent */
/* A file renamed into another directory, and fsync of that one alone: the new name is there. */
#include <sys/stat.h>

#include "disk.h"

static void sync_of(const char *name)
{
    int d = open(name, O_RDONLY | O_DIRECTORY);
    fsync(d);
    close(d);
}

int main(void)
{
    if (second_boot()) {
        return holds("b/f", 'A', 500) ? 0 : 1;
    }
    mkdir("a", 0755);
    mkdir("b", 0755);
    sync_dir();
    put("a/f", 'A', 500);
    sync_of("a");
    mark_first_boot();
    rename("a/f", "b/f");
    sync_of("b");
    for (;;) {
        pause();
    }
}
