/* Threads that wait for each other without system calls: a flag, a spin lock, a signal handler, a forked child. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>

static volatile int ready, seen;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static volatile sig_atomic_t rang;
static int counter;

static void *waiter(void *arg)
{
    while (ready == 0) {
    }
    printf("thread %ld saw %d\n", (long)arg, ready);
    seen = 1;
    return NULL;
}

static void *adder(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++) {
        while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
            __builtin_ia32_pause();
        }
        int old = counter;
        usleep(1000); /* somebody else will spin on the lock */
        counter = old + 1;
        atomic_flag_clear_explicit(&lock, memory_order_release);
    }
    return NULL;
}

static void on_alarm(int sig)
{
    (void)sig;
    rang = 1;
}

int main(void)
{
    pthread_t t[3];
    setvbuf(stdout, NULL, _IOLBF, 0);
    pthread_create(&t[0], NULL, waiter, (void *)1);
    usleep(10000); /* the thread spins; the timer must come all the same */
    ready = 7;
    while (seen == 0) {
        __builtin_ia32_pause();
    }
    pthread_join(t[0], NULL);
    for (int i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, adder, NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
    }
    printf("counter %d\n", counter);
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, 20000}}, NULL);
    while (!rang) {
    }
    puts("rang");
    volatile int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fork() == 0) {
        usleep(5000);
        *shared = 3;
        _exit(0);
    }
    while (*shared == 0) {
    }
    wait(NULL);
    printf("child wrote %d\n", *shared);
    return 0;
}
