/* Shops of a chain: clerks tell their till what they have sold, and a till that has heard of all
 * tells the bank. Nodes of a shop talk to each other much, and shops say one word.
 *
 *   shop clerk TILL N             N sales
 *   shop till N LOGS BANK         two clerks with N sales each; a thread writes LOGS times how many
 *   shop bank SHOPS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

enum { CLERKS = 2 };

static _Noreturn void clerk(char *till, int sales)
{
    struct peers peers = peers_open(0, &till, 1);
    sleep_until(SEND_S);
    for (int i = 1; i <= sales; i++) {
        peers_send(&peers, 0, "%d", i);
    }
    rest();
}

static _Noreturn void till(int sales, int logs, char *bank)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int sold;
    struct peers peers = peers_open(CLERKS, &bank, 1);
    struct turns audit = {&lock, "audit", &sold, logs};
    sleep_until(SEND_S);
    turns_start(&audit);
    for (;;) {
        (void)peers_receive(&peers);
        pthread_mutex_lock(&lock);
        int n = ++sold;
        pthread_mutex_unlock(&lock);
        if (n == CLERKS * sales) {
            peers_send(&peers, 0, "closed");
        }
    }
}

static _Noreturn void bank(int shops)
{
    struct peers peers = peers_open((size_t)shops, NULL, 0);
    for (;;) {
        (void)peers_receive(&peers);
    }
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "clerk") == 0) {
        clerk(argv[2], atoi(argv[3]));
    }
    if (argc == 5 && strcmp(argv[1], "till") == 0) {
        till(atoi(argv[2]), atoi(argv[3]), argv[4]);
    }
    if (argc == 3 && strcmp(argv[1], "bank") == 0) {
        bank(atoi(argv[2]));
    }
    fprintf(stderr, "usage: shop clerk TILL N, shop till N LOGS BANK, shop bank SHOPS\n");
    return 2;
}
