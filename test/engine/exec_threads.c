/* calls: execve clone */
#include "t.h"

static void *f(void *a)
{
    pause();
    return NULL;
}
static void *g(void *a)
{
    execl("/bin/echo", "echo", "exec by a thread", NULL);
    return NULL;
}

int main(void)
{
    int st;
    pid_t c = fork();
    if (c == 0) {
        pthread_t t;
        pthread_create(&t, NULL, f, NULL);
        usleep(1000);
        execl("/bin/echo", "echo", "exec with threads", NULL);
    }
    waitpid(c, &st, 0);
    R(st);
    c = fork();
    if (c == 0) {
        pthread_t t;
        pthread_create(&t, NULL, g, NULL);
        pause();
    }
    waitpid(c, &st, 0);
    R(st);
    return 0;
}
