/* calls: futex */
#include "t.h"

#include <semaphore.h>

static pthread_barrier_t b;
static sem_t s;
static void *f(void *a)
{
    pthread_barrier_wait(&b);
    sem_post(&s);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    pthread_barrier_init(&b, NULL, 4);
    sem_init(&s, 0, 0);
    for (long i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, f, (void *)i);
    }
    pthread_barrier_wait(&b);
    for (int i = 0; i < 3; i++) {
        sem_wait(&s);
    }
    S("all");
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
    }
    R(sem_trywait(&s));
    pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
    R(pthread_rwlock_rdlock(&l));
    R(pthread_rwlock_tryrdlock(&l));
    R(pthread_rwlock_trywrlock(&l) == EBUSY);
    pthread_once_t o = PTHREAD_ONCE_INIT;
    R(pthread_once(&o, (void (*)(void))abs) == 0);
    return 0;
}
