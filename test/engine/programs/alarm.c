/* Counts until a signal comes: nothing but time ends the loop. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void on_alarm(int sig)
{
    stop = sig;
}

int main(void)
{
    unsigned long n = 0;
    signal(SIGALRM, on_alarm);
    alarm(1);
    while (!stop) {
        n++;
    }
    printf("stopped by %d\n", (int)stop);
    return 0;
}
