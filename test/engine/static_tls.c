/* calls: clone arch_prctl */
#include "t.h"

static __thread int x = 5;
static void *f(void *a)
{
    x += (int)(long)a;
    printf("%d\n", x);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, f, (void *)i);
        pthread_join(t[i], NULL);
    }
    R(x);
    pthread_key_t k;
    R(pthread_key_create(&k, NULL));
    R(pthread_setspecific(k, &x));
    R(pthread_getspecific(k) == &x);
    return 0;
}
