/* Computations without calls: signals interrupt them, other threads and packets get their time. */
/* prints: alarm, three ticks, the flag of another thread, the packet */
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
    struct itimerval every = {{0, 100000}, {0, 100000}};
    setitimer(ITIMER_REAL, &every, NULL);
    while (stop < 3) {
        turns++;
    }
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    puts("three ticks");
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
