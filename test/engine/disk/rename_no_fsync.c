/* expect: caught */
/* A rename before the new file's data are durable: it may be empty. */
#include "disk.h"

int main(void)
{
    if (second_boot()) {
        return holds("value", 'A', 5000) || holds("value", 'B', 5000) ? 0 : 1;
    }
    put("value", 'A', 5000);
    mark_first_boot();
    int f = open("value.tmp", O_CREAT | O_WRONLY | O_TRUNC, 0644);
    char b[5000];
    memset(b, 'B', sizeof b);
    write(f, b, sizeof b);
    close(f);
    rename("value.tmp", "value");
    sync_dir();
    for (;;) {
        pause();
    }
}
