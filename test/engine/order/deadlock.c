/* Two threads take two locks in different orders, and make a call in between. They wait for each
 * other if each has got one. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *work(void *arg)
{
    pthread_mutex_t *first = arg, *second = first == &locks[0] ? &locks[1] : &locks[0];
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(first);
        (void)getppid();
        pthread_mutex_lock(second);
        pthread_mutex_unlock(second);
        pthread_mutex_unlock(first);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, work, &locks[i]);
    }
    struct timespec late;
    clock_gettime(CLOCK_REALTIME, &late);
    late.tv_sec += 10;
    int status = pthread_timedjoin_np(threads[0], NULL, &late);
    status = status != 0 ? status : pthread_timedjoin_np(threads[1], NULL, &late);
    printf("%s\n", status == 0 ? "done" : "deadlock");
    return 0;
}
