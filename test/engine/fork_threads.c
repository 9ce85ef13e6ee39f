/* calls: fork clone */
#include "t.h"

static volatile int stop, done;
static void *f(void *a)
{
    while (!stop) {
        usleep(1000);
    }
    return NULL;
}
static void *g(void *a)
{
    done = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    int st;
    pid_t c = fork();
    if (c == 0) {
        pthread_t u;
        pthread_create(&u, NULL, g, NULL);
        pthread_join(u, NULL);
        _exit(done ? 3 : 4);
    }
    waitpid(c, &st, 0);
    R(WEXITSTATUS(st));
    stop = 1;
    pthread_join(t, NULL);
    return 0;
}
