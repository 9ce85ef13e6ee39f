/* calls: tgkill futex */
#include "t.h"

static int cleaned;
static void c(void *a)
{
    cleaned = 1;
}
static void *f(void *a)
{
    pthread_cleanup_push(c, NULL);
    pause();
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, f, NULL);
    usleep(5000);
    R(pthread_cancel(t));
    pthread_join(t, &r);
    R(r == PTHREAD_CANCELED);
    R(cleaned);
    return 0;
}
