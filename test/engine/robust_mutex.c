/* calls: set_robust_list get_robust_list futex */
#include "t.h"

static pthread_mutex_t m;
static void *f(void *a)
{
    pthread_mutex_lock(&m);
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    R(pthread_mutex_lock(&m) == EOWNERDEAD);
    R(pthread_mutex_consistent(&m));
    R(pthread_mutex_unlock(&m));
    R(pthread_mutex_lock(&m));
    void *h;
    size_t n;
    R(syscall(SYS_get_robust_list, 0, &h, &n));
    R(n);
    R(syscall(SYS_get_robust_list, 1234567, &h, &n));
    R(syscall(SYS_set_robust_list, h, 1));
    return 0;
}
