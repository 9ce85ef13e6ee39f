/* calls: futex */
#include "t.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int turn;
static void *f(void *a)
{
    pthread_mutex_lock(&m);
    for (int i = 0; i < 5; i++) {
        while (turn != 1) {
            pthread_cond_wait(&c, &m);
        }
        printf("thread %d\n", i);
        turn = 0;
        pthread_cond_broadcast(&c);
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_mutex_lock(&m);
    for (int i = 0; i < 5; i++) {
        while (turn != 0) {
            pthread_cond_wait(&c, &m);
        }
        printf("main %d\n", i);
        turn = 1;
        pthread_cond_broadcast(&c);
    }
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    struct timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    ts.tv_nsec += 1000000;
    pthread_mutex_lock(&m);
    int e = 0;
    while (e == 0) {
        e = pthread_cond_timedwait(&c, &m, &ts);
    }
    R(e == ETIMEDOUT);
    return 0;
}
