/* calls: futex */
#include <linux/futex.h>

#include "t.h"

static pthread_mutex_t m;
static uint32_t word;
static volatile int kept, leave;

static long pi(int op, uint32_t *at, struct timespec *until)
{
    return syscall(SYS_futex, at, op, 0, until, NULL, 0);
}

static void *taker(void *arg)
{
    pthread_mutex_lock(&m);
    int got = pthread_mutex_trylock(&m);
    pthread_mutex_unlock(&m);
    return (void *)(long)(got == EBUSY);
}

static void *keeper(void *arg)
{
    pthread_mutex_lock(&m);
    kept = 1;
    while (!leave) {
        usleep(1000);
    }
    return NULL; /* ends with the lock */
}

/* Between threads, in memory that others could have, too. */
static void in_shared_memory(void)
{
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
    for (int with_others = 0; with_others < 2; with_others++) {
        pthread_mutex_t *own =
            mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        pthread_mutexattr_setpshared(&a, with_others);
        pthread_mutex_init(own, &a);
        pthread_mutex_lock(own);
        int status = -1;
        pid_t child = -1;
        pthread_t t;
        if (with_others) {
            child = fork();
        } else {
            pthread_create(&t, NULL, (void *(*)(void *))pthread_mutex_lock, own);
        }
        if (child == 0) {
            _exit(pthread_mutex_lock(own) == 0 ? 5 : 6);
        }
        usleep(20000);
        R(pthread_mutex_unlock(own));
        if (with_others) {
            R(waitpid(child, &status, 0) == child);
            R(WEXITSTATUS(status));
        } else {
            void *result;
            R(pthread_join(t, &result));
            R((long)result);
        }
    }
}

int main(void)
{
    in_shared_memory();
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    R(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT));
    R(pthread_mutex_init(&m, &a));
    R(pthread_mutex_lock(&m));
    R(pthread_mutex_trylock(&m) == EBUSY);
    pthread_t t[3];
    void *result;
    for (int i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, taker, NULL);
    }
    usleep(10000);
    R(pthread_mutex_unlock(&m));
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], &result);
        R((long)result);
    }
    /* The words of the kernel. */
    uint32_t me = (uint32_t)syscall(SYS_gettid);
    R(pi(FUTEX_UNLOCK_PI, &word, NULL));
    R(pi(FUTEX_TRYLOCK_PI, &word, NULL));
    R(word == me);
    R(pi(FUTEX_LOCK_PI, &word, NULL));
    R(pi(FUTEX_UNLOCK_PI, &word, NULL));
    R(word);
    word = 0x3ffffff0; /* nobody has this number */
    R(pi(FUTEX_LOCK_PI, &word, NULL));
    R(pi(FUTEX_LOCK_PI, (uint32_t *)((char *)&word + 1), NULL));
    R(pi(FUTEX_LOCK_PI, NULL, NULL));
    /* A time out, and an owner that ends. */
    pthread_mutex_destroy(&m);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    R(pthread_mutex_init(&m, &a));
    pthread_create(&t[0], NULL, keeper, NULL);
    while (!kept) {
        usleep(1000);
    }
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 5000000;
    soon.tv_sec += soon.tv_nsec / 1000000000;
    soon.tv_nsec %= 1000000000;
    R(pthread_mutex_timedlock(&m, &soon) == ETIMEDOUT);
    leave = 1;
    R(pthread_mutex_lock(&m) == EOWNERDEAD);
    R(pthread_mutex_consistent(&m));
    R(pthread_mutex_unlock(&m));
    R(pthread_mutex_lock(&m));
    R(pthread_mutex_unlock(&m));
    pthread_join(t[0], NULL);
    return 0;
}
