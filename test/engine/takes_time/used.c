/* Processor time: every clock of it reaches what a program waits for, each thread has its own. */
/* prints: clock, times, getrusage, process clock, thread clock, another thread used less, a child used 100 ms */
#include "peer.h"

static long thread_us(int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    return usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec;
}

static void *idle(void *arg)
{
    usleep(1000);
    return (void *)us_of(CLOCK_THREAD_CPUTIME_ID);
}

int main(int argc, char **argv)
{
    if (strcmp(argv[1], "server") == 0) {
        return 0;
    }
    while (clock() < 100000) {
    }
    puts("clock");
    struct tms tms;
    while (times(&tms), tms.tms_utime < 20) {
    }
    puts("times");
    while (thread_us(RUSAGE_SELF) < 300000) {
    }
    puts("getrusage");
    while (us_of(CLOCK_PROCESS_CPUTIME_ID) < 400000) {
    }
    puts("process clock");
    while (us_of(CLOCK_THREAD_CPUTIME_ID) < 500000) {
    }
    puts("thread clock");
    pthread_t thread;
    void *used;
    pthread_create(&thread, NULL, idle, NULL);
    pthread_join(thread, &used);
    printf("another thread used %s\n", (long)used < 100000 ? "less" : "as much");
    if (fork() == 0) {
        long begin = us_of(CLOCK_MONOTONIC); /* the vDSO's clock: using it is work, too */
        while (us_of(CLOCK_MONOTONIC) - begin < 100000) {
        }
        _exit(0);
    }
    wait(NULL);
    printf("a child used %ld ms\n", thread_us(RUSAGE_CHILDREN) / 1000 / 50 * 50);
    return 0;
}
