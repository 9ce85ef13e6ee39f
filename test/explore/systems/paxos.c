/* Paxos for one value.
 *
 *   paxos proposer BALLOT ACCEPTOR...           proposes its ballot as the value
 *   paxos acceptor FLUSHES REPORTS PROPOSER...  with a thread that flushes its store so many times,
 * and one that reports how many messages came: they share nothing with each other paxos store
 * PROPOSERS STAT                  the same in two processes: the store, and a thread that flushes
 * it once; paxos stat PROPOSER...                      what counts messages, reports once by a
 * thread of its own, and answers
 *
 * Proposers have ballots 1, 2, ..., in the order in which they are named. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

static _Noreturn void proposer(int ballot, char **acceptors, size_t n)
{
    struct peers peers = peers_open(n, acceptors, n);
    int majority = (int)n / 2 + 1, promises = 0, accepted = 0, best_ballot = 0, value = ballot;
    bool proposed = false;
    sleep_until(SEND_S);
    for (size_t i = 0; i < n; i++) {
        peers_send(&peers, i, "prepare %d", ballot);
    }
    for (;;) {
        struct line line = peers_receive(&peers);
        int b = 0, its_ballot = 0, its_value = 0;
        if (sscanf(line.text, "promise %d %d %d", &b, &its_ballot, &its_value) == 3 && !proposed) {
            promises++;
            if (its_ballot > best_ballot) {
                best_ballot = its_ballot;
                value = its_value;
            }
            if (promises == majority) {
                proposed = true;
                for (size_t i = 0; i < n; i++) {
                    peers_send(&peers, i, "accept %d %d", ballot, value);
                }
            }
        } else if (sscanf(line.text, "accepted %d", &b) == 1 && ++accepted == majority) {
            printf("chosen %d\n", value);
            fflush(stdout);
        }
    }
}

struct acceptor {
    pthread_mutex_t lock;
    int ballot, accepted_ballot, accepted_value;
};

struct counter {
    pthread_mutex_t lock;
    int n;
};

static void count(struct counter *c)
{
    pthread_mutex_lock(&c->lock);
    c->n++;
    pthread_mutex_unlock(&c->lock);
}

/* The answer, empty for none. ret_to: the ballot of whom it is for. */
static struct line handle(struct acceptor *a, const char *text, int *ret_to)
{
    struct line answer = {0};
    int ballot = 0, value = 0;
    pthread_mutex_lock(&a->lock);
    if (sscanf(text, "prepare %d", &ballot) == 1 && ballot > a->ballot) {
        a->ballot = ballot;
        snprintf(answer.text, sizeof answer.text, "promise %d %d %d", ballot, a->accepted_ballot,
                 a->accepted_value);
    } else if (sscanf(text, "accept %d %d", &ballot, &value) == 2 && ballot >= a->ballot) {
        a->ballot = a->accepted_ballot = ballot;
        a->accepted_value = value;
        snprintf(answer.text, sizeof answer.text, "accepted %d", ballot);
    }
    pthread_mutex_unlock(&a->lock);
    *ret_to = ballot;
    return answer;
}

static _Noreturn void acceptor(int flushes, int reports, char **proposers, size_t n)
{
    static struct acceptor a = {.lock = PTHREAD_MUTEX_INITIALIZER};
    static struct counter c = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct peers peers = peers_open(n, proposers, n);
    struct turns flush = {&a.lock, "flush", &a.ballot, flushes},
                 report = {&c.lock, "report", &c.n, reports};
    sleep_until(SEND_S);
    turns_start(&flush);
    turns_start(&report);
    for (;;) {
        struct line line = peers_receive(&peers);
        int to = 0;
        struct line answer = handle(&a, line.text, &to);
        count(&c);
        if (answer.text[0] != '\0') {
            peers_send(&peers, (size_t)to - 1, "%s", answer.text);
        }
    }
}

/* Answers go to the stat process, with the proposer's number before them. */
static _Noreturn void store_process(size_t n_proposers, char *stat)
{
    static struct acceptor a = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct peers peers = peers_open(n_proposers, &stat, 1);
    struct turns flush = {&a.lock, "flush", &a.ballot, 1};
    sleep_until(SEND_S);
    turns_start(&flush);
    for (;;) {
        struct line line = peers_receive(&peers);
        int to = 0;
        struct line answer = handle(&a, line.text, &to);
        peers_send(&peers, 0, "%d %s", to, answer.text);
    }
}

static _Noreturn void stat_process(char **proposers, size_t n)
{
    static struct counter c = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct peers peers = peers_open(1, proposers, n);
    struct turns report = {&c.lock, "report", &c.n, 1};
    sleep_until(SEND_S);
    turns_start(&report);
    for (;;) {
        struct line line = peers_receive(&peers);
        char *answer = NULL;
        long to = strtol(line.text, &answer, 10);
        count(&c);
        if (answer[1] != '\0') {
            peers_send(&peers, (size_t)to - 1, "%s", answer + 1);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc >= 4 && strcmp(argv[1], "proposer") == 0) {
        proposer(atoi(argv[2]), argv + 3, (size_t)argc - 3);
    }
    if (argc >= 5 && strcmp(argv[1], "acceptor") == 0) {
        acceptor(atoi(argv[2]), atoi(argv[3]), argv + 4, (size_t)argc - 4);
    }
    if (argc == 4 && strcmp(argv[1], "store") == 0) {
        store_process((size_t)atoi(argv[2]), argv[3]);
    }
    if (argc >= 3 && strcmp(argv[1], "stat") == 0) {
        stat_process(argv + 2, (size_t)argc - 2);
    }
    fprintf(stderr, "usage: see the head of paxos.c\n");
    return 2;
}
