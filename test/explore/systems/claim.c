/* Two nodes that become leaders, one after the other: claim TERM SECONDS [UNTIL]. For invariants
 * over variables. */
#include <stdio.h>
#include <stdlib.h>

#include <sys/socket.h>

#include "peer.h"

enum role { FOLLOWER, LEADER };
struct state {
    enum role role;
    int term;
    int votes[3];
} state;

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: claim TERM SECONDS [UNTIL]\n");
        return 2;
    }
    (void)socket(AF_INET, SOCK_STREAM, 0); /* it uses the network */
    sleep_until(0);
    sleep_until(atoi(argv[2]));
    state = (struct state){
        LEADER, atoi(argv[1]), {1, 1, 0}
    };
    if (argc == 4) {
        sleep_until(atoi(argv[3]));
        state.role = FOLLOWER;
    }
    rest();
}
