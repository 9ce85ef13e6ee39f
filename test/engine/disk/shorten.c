/* expect: silent in journal */
/* A file that is emptied and written anew, without fsync: nothing of it, the old or the new contents, but no mixture. */
#include "disk.h"

int main(void)
{
    if (second_boot()) {
        return holds("value", 'A', 5000) || holds("value", 'B', 100) || holds("value", 0, 0) ? 0 : 1;
    }
    put("value", 'A', 5000);
    mark_first_boot();
    int f = open("value", O_WRONLY | O_TRUNC);
    char b[100];
    memset(b, 'B', sizeof b);
    write(f, b, sizeof b);
    for (;;) {
        pause();
    }
}
