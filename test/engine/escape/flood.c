/* expect: failed the simulated kernel needs more than 16 MiB */
/* limits: kernel_mb = 16 */
/* ways: names queues */
/* Makes the engine keep more and more. */
#include "escape.h"

#include <sys/msg.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
    begin(argc, argv);
    static char block[60000];
    for (long i = 0; i < 900000; i++) {
        char name[256];
        snprintf(name, sizeof name, "/data/%0200ld", i);
        if (is("names")) {
            mkdir(name, 0755);
        } else {
            *(long *)block = 1;
            if (msgsnd(msgget(IPC_PRIVATE, 0600), block, 8000, IPC_NOWAIT) < 0) {
                break;
            }
        }
    }
    printf("nothing happened\n");
    return 0;
}
