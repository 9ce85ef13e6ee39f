/* calls: clone futex exit set_robust_list */
#include "t.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *f(void *a)
{
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&m);
        counter++;
        pthread_mutex_unlock(&m);
        if (i % 100 == 0) {
            sched_yield();
        }
    }
    return (void *)((long)a * 10);
}

int main(void)
{
    pthread_t t[4];
    void *r;
    for (long i = 0; i < 4; i++) {
        pthread_create(&t[i], NULL, f, (void *)i);
    }
    long sum = 0;
    for (int i = 0; i < 4; i++) {
        pthread_join(t[i], &r);
        sum += (long)r;
    }
    R(sum);
    R(counter);
    return 0;
}
