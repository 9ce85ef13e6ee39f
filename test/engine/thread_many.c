/* calls: clone exit futex */
#include "t.h"

static void *f(void *a)
{
    usleep(1000);
    return a;
}

int main(void)
{
    pthread_t t[50];
    long sum = 0;
    for (long i = 0; i < 50; i++) {
        R(pthread_create(&t[i], NULL, f, (void *)i));
    }
    for (int i = 0; i < 50; i++) {
        void *r;
        pthread_join(t[i], &r);
        sum += (long)r;
    }
    R(sum);
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    R(pthread_create(&t[0], &a, f, NULL));
    usleep(5000);
    return 0;
}
