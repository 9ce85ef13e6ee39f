/* A mistake that shows much later: late client HOST, late server. If the message of the second
 * client comes before that of the first, the server's state is wrong from then on; four turns later
 * it notices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peer.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first;

static void *notice(void *arg)
{
    (void)arg;
    for (int i = 0; i < 4; i++) {
        sleep_until(TIMER_S + i);
    }
    pthread_mutex_lock(&lock);
    if (first == 2) {
        fprintf(stderr, "the state is wrong\n");
        _exit(3);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc == 4 && strcmp(argv[1], "client") == 0) {
        struct peers peers = peers_open(0, &argv[2], 1);
        sleep_until(SEND_S);
        peers_send(&peers, 0, "%s", argv[3]);
        rest();
    }
    struct peers peers = peers_open(2, NULL, 0);
    sleep_until(SEND_S);
    pthread_create(&thread, NULL, notice, NULL);
    for (;;) {
        struct line line = peers_receive(&peers);
        pthread_mutex_lock(&lock);
        if (first == 0) {
            first = atoi(line.text);
            printf(first == 2 ? "defect: the second came first\n" : "as it should be\n");
            fflush(stdout);
        }
        pthread_mutex_unlock(&lock);
    }
}
