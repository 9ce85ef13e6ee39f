/* A long computation that begins with clock reads: it is executed in slices there, none of which
 * may end within a read. */
/* prints: interrupted after 300 ms, the clock never went back */
#include "peer.h"

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
    (void)sig;
    stop = 1;
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "client") != 0) {
        pause();
        return 0;
    }
    struct itimerval timer = {
        .it_value = {0, 300000}
    };
    long begin = us_of(CLOCK_MONOTONIC), last = begin, back = 0;
    signal(SIGALRM, on_signal);
    setitimer(ITIMER_REAL, &timer, NULL);
    for (int i = 0; i < 16; i++) {
        long now = us_of(CLOCK_MONOTONIC);
        back += now < last;
        last = now;
        for (volatile int k = 0; k < i % 7; k++) {
        }
    }
    while (!stop) {
    }
    long after = (us_of(CLOCK_MONOTONIC) - begin) / 1000;
    printf("interrupted after %ld ms\nthe clock %s back\n", after,
           back == 0 ? "never went" : "went");
    return 0;
}
