/* calls: exit exit_group */
#include "t.h"

static void *f(void *a)
{
    usleep(10000);
    S("thread outlives main");
    exit(6);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_exit(NULL);
    return 0;
}
