/* calls: rt_sigaction wait4 */
#include "t.h"

static volatile int seen;
static void h(int s)
{
    seen++;
}

int main(void)
{
    struct sigaction sa = {.sa_handler = h};
    sigaction(SIGCHLD, &sa, NULL);
    for (int i = 0; i < 3; i++) {
        if (fork() == 0) {
            _exit(i);
        }
    }
    int st, sum = 0;
    for (;;) {
        pid_t p = wait(&st);
        if (p < 0 && errno == EINTR) {
            continue;
        }
        if (p < 0) {
            break;
        }
        sum += WEXITSTATUS(st);
    }
    R(sum);
    R(seen > 0);
    signal(SIGCHLD, SIG_IGN);
    if (fork() == 0) {
        _exit(0);
    }
    usleep(20000);
    R(wait(&st));
    return 0;
}
