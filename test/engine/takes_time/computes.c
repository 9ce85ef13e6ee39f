/* Computations without calls: signals interrupt them, other threads and packets get their time. */
/* computations: 4 */
/* prints: alarm, three ticks, on time, the flag of another thread, the packet */
#include "peer.h"

static volatile sig_atomic_t stop;
static volatile int flag;
static volatile uint64_t turns;

static void on_signal(int sig)
{
    stop++;
}

static void *setter(void *arg)
{
    usleep(300000);
    flag = 1;
    return NULL;
}

static void *receiver(void *arg)
{
    char word[8];
    recv(*(int *)arg, word, sizeof word, 0);
    flag = 1;
    return NULL;
}

int main(int argc, char **argv)
{
    if (strcmp(argv[1], "server") == 0) {
        char word[8];
        int fd = peer_accept();
        recv(fd, word, sizeof word, 0);
        usleep(100000);
        send(fd, "now", 3, 0);
        return 0;
    }
    pthread_t thread;
    signal(SIGALRM, on_signal);
    alarm(1);
    while (!stop) {
        turns++;
    }
    puts("alarm");
    stop = 0;
    struct itimerval every = {
        {0, 100000},
        {0, 100000}
    };
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    setitimer(ITIMER_REAL, &every, NULL);
    while (stop < 3) {
        turns++;
    }
    puts("three ticks"); /* some hundred instructions after the last one */
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &to);
    long us = (to.tv_sec - from.tv_sec) * 1000000 + (to.tv_nsec - from.tv_nsec) / 1000;
    puts(us >= 300000 && us < 310000 ? "on time" : "late");
    pthread_create(&thread, NULL, setter, NULL);
    while (!flag) {
        turns++;
    }
    pthread_join(thread, NULL);
    puts("the flag of another thread");
    flag = 0;
    int fd = peer_connect(argv[2]);
    send(fd, "go", 2, 0);
    pthread_create(&thread, NULL, receiver, &fd);
    while (!flag) {
        turns++;
    }
    pthread_join(thread, NULL);
    puts("the packet");
    fprintf(stderr, "%llu turns\n", (unsigned long long)turns);
    return 0;
}
