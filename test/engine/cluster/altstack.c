/* altstack: two threads, each with a signal stack of its own, that every 100 ms are signalled and say where the handler ran. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static char stacks[2][65536];
static __thread char *mine;
static __thread volatile int on;

static void handler(int sig)
{
    char here;
    on = &here >= mine && &here < mine + sizeof stacks[0];
    (void)sig;
}

static void *ticks(void *arg)
{
    mine = arg;
    stack_t s = {.ss_sp = mine, .ss_size = sizeof stacks[0]};
    sigaltstack(&s, NULL);
    for (int i = 0; i < 20; i++) {
        usleep(100000);
        on = 9;
        pthread_kill(pthread_self(), SIGUSR1);
        printf("%s: on its stack: %d\n", mine == stacks[0] ? "first" : "second", on);
        fflush(stdout);
    }
    return NULL;
}

int main(void)
{
    struct sigaction a = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    pthread_t t;
    sigaction(SIGUSR1, &a, NULL);
    pthread_create(&t, NULL, ticks, stacks[1]);
    ticks(stacks[0]);
    pthread_join(t, NULL);
    return 0;
}
