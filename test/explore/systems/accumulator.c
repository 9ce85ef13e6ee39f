/* The accumulator of DEMETER's Figure 1 (Guo et al., "Practical software model checking via dynamic
 * interface reduction", SOSP 2011), and the chain of its section 2.3: a client sends numbers to a
 * primary, which adds them up and forwards them; a checkpoint thread of each server writes the sum
 * down.
 *
 *   accumulator client HOST choose        one of two sequences, 1 2 or 1 3: a choice
 *   accumulator client HOST N             1 2 ... N
 *   accumulator server [HOST...]          forwards to the hosts */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peer.h"

/* Choose(2): two processes wait for the same moment, and whichever runs first ends the other one,
 * so that which of the two comes first is all there is to choose. The first process of the node
 * must not be one of them. */
static int choose(void)
{
    int told[2];
    pid_t first = 0, second = 0;
    signal(SIGCHLD, SIG_IGN);
    if (pipe(told) != 0 || (first = fork()) < 0 || (first != 0 && (second = fork()) < 0)) {
        exit(1);
    }
    if (first != 0 && second != 0 && write(told[1], &second, sizeof second) == sizeof second) {
        rest();
    }
    if (first == 0 && read(told[0], &second, sizeof second) != sizeof second) {
        exit(1);
    }
    sleep_until(TIMER_S);
    kill(first == 0 ? second : first, SIGKILL);
    return first == 0 ? 0 : 1;
}

static _Noreturn void client(char *host, const char *what)
{
    struct peers peers = peers_open(0, &host, 1);
    sleep_until(SEND_S);
    if (strcmp(what, "choose") == 0) {
        int second = choose() == 0 ? 2 : 3;
        peers_send(&peers, 0, "1");
        peers_send(&peers, 0, "%d", second);
    } else {
        int n = atoi(what);
        for (int i = 1; i <= n; i++) {
            peers_send(&peers, 0, "%d", i);
        }
    }
    rest();
}

static _Noreturn void server(char **hosts, size_t n_hosts)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int sum;
    struct peers peers = peers_open(1, hosts, n_hosts);
    struct turns checkpoint = {&lock, "checkpoint", &sum, 1};
    sleep_until(SEND_S);
    turns_start(&checkpoint);
    for (;;) {
        struct line line = peers_receive(&peers);
        pthread_mutex_lock(&lock);
        sum += atoi(line.text);
        pthread_mutex_unlock(&lock);
        for (size_t i = 0; i < n_hosts; i++) {
            peers_send(&peers, i, "%s", line.text);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "client") == 0) {
        client(argv[2], argv[3]);
    }
    if (argc >= 2 && strcmp(argv[1], "server") == 0) {
        server(argv + 2, (size_t)argc - 2);
    }
    fprintf(stderr, "usage: accumulator client HOST choose|N, accumulator server [HOST...]\n");
    return 2;
}
