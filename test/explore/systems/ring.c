/* Election on a ring (Chang and Roberts, 1979): ring ID NEXT LOGS. Every node sends its number on,
 * and passes larger ones; whose own comes back leads and says so, once around. A logger thread
 * takes the node's lock LOGS times. */
#include <stdio.h>
#include <stdlib.h>

#include "peer.h"

int main(int argc, char **argv)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int leader;
    if (argc != 4) {
        fprintf(stderr, "usage: ring ID NEXT LOGS\n");
        return 2;
    }
    int me = atoi(argv[1]);
    struct peers peers = peers_open(1, &argv[2], 1);
    struct turns log = {&lock, "log", &leader, atoi(argv[3])};
    sleep_until(SEND_S);
    turns_start(&log);
    peers_send(&peers, 0, "elect %d", me);
    for (;;) {
        struct line line = peers_receive(&peers);
        int id = 0;
        pthread_mutex_lock(&lock);
        int elect = sscanf(line.text, "elect %d", &id) == 1;
        if (!elect) {
            sscanf(line.text, "leader %d", &id);
            leader = id;
        }
        pthread_mutex_unlock(&lock);
        if (elect && id == me) {
            peers_send(&peers, 0, "leader %d", me);
        } else if (elect ? id > me : id != me) {
            peers_send(&peers, 0, "%s", line.text);
        }
    }
}
