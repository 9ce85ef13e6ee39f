/* Works for a time and looks at the clock now and then; what is due meanwhile happens meanwhile. */
/* prints: worked for 150 ms, woken after 50 ms, the packet came after 100 ms, the counter reached 20 ms */
#include "peer.h"
#include <x86intrin.h>

static long begin;

static void *sleeper(void *arg)
{
    usleep(50000);
    return (void *)(us_of(CLOCK_MONOTONIC) - begin);
}

static void *receiver(void *arg)
{
    char word[8];
    recv(*(int *)arg, word, sizeof word, 0);
    return (void *)(us_of(CLOCK_MONOTONIC) - begin);
}

static uint64_t mix(uint64_t sum)
{
    for (int i = 0; i < 4096; i++) {
        sum = (sum ^ (uint64_t)i) * 0x9e3779b97f4a7c15;
    }
    return sum;
}

int main(int argc, char **argv)
{
    if (strcmp(argv[1], "server") == 0) {
        char word[8];
        int fd = peer_accept();
        recv(fd, word, sizeof word, 0);
        usleep(98000);
        send(fd, "now", 3, 0);
        return 0;
    }
    pthread_t thread[2];
    void *woken, *came;
    uint64_t sum = 0, rounds = 0;
    int fd = peer_connect(argv[2]);
    begin = us_of(CLOCK_MONOTONIC);
    pthread_create(&thread[0], NULL, sleeper, NULL);
    pthread_create(&thread[1], NULL, receiver, &fd);
    send(fd, "go", 2, 0);
    sched_yield();
    while (us_of(CLOCK_MONOTONIC) - begin < 150000) {
        sum = mix(sum);
        rounds++;
    }
    long took = us_of(CLOCK_MONOTONIC) - begin;
    pthread_join(thread[0], &woken);
    pthread_join(thread[1], &came);
    fprintf(stderr, "%llu rounds, %llx\n", (unsigned long long)rounds, (unsigned long long)sum);
    /* One step of the clock is a thousandth of a second at most. */
    printf("worked for %ld ms\n", took / 10000 * 10);
    printf("woken after %ld ms\n", (long)woken / 1000);
    printf("the packet came after %ld ms\n", (long)came / 5000 * 5);
    uint64_t ticks = __rdtsc();
    while (__rdtsc() - ticks < 20000000) { /* a tick is a nanosecond here */
    }
    puts("the counter reached 20 ms");
    return 0;
}
