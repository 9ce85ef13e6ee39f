/* calls: futex */
/* Who is woken is chosen by bits: of each waiter, against those of who wakes; also after a move to
 * another futex. */
#include <stdatomic.h>

#include "futex.h"
#include "t.h"

enum { WAITERS = 4, MANY = 10 };
static int word, other;
static const uint32_t bits[WAITERS] = {1, 2, 3, 0x80000000};
static atomic_int awake[WAITERS];
static long total;

static long futex(int *at, int op, uint32_t value, uintptr_t more, int *second, uint32_t mask)
{
    return syscall(SYS_futex, at, op, value, more, second, mask);
}

static void *wait_for(void *arg)
{
    int i = (int)(intptr_t)arg;
    long status = futex(&word, FUTEX_WAIT_BITSET, 0, 0, NULL, bits[i]);
    atomic_store(&awake[i], status == 0 ? 1 : 100);
    return NULL;
}

/* Who is awake, as soon as all are that were woken. Which of 0 and 2 comes first is open. */
static void wake(const char *what, int *at, uint32_t n, uint32_t mask)
{
    long woken = futex(at, FUTEX_WAKE_BITSET, n, 0, NULL, mask);
    int now[WAITERS], sum;
    total += woken;
    do {
        usleep(1000);
        sum = 0;
        for (int i = 0; i < WAITERS; i++) {
            now[i] = atomic_load(&awake[i]);
            sum += now[i];
        }
    } while (sum < total);
    printf("%s: %ld; %d %d %d\n", what, woken, now[0] + now[2], now[1], now[3]);
}

int main(void)
{
    pthread_t threads[WAITERS];
    for (int i = 0; i < WAITERS; i++) {
        pthread_create(&threads[i], NULL, wait_for, (void *)(intptr_t)i);
    }
    futex_await(&word, WAITERS);
    wake("none has these", &word, MANY, 0x7ffffffc);
    wake("the last", &word, MANY, 0xc0000000);
    wake("one of two", &word, 1, 1);
    R(futex(&word, FUTEX_REQUEUE, 0, INT_MAX, &word, 0));
    R(futex(&word, FUTEX_REQUEUE, 0, 0, &other, 0));
    R(futex(&word, FUTEX_REQUEUE, 0, (uintptr_t)-1, &other, 0));
    R(futex(&word, FUTEX_REQUEUE, (uint32_t)-1, 1, &other, 0));
    R(futex(&word, FUTEX_CMP_REQUEUE, 0, MANY, &other, 1));
    R(futex(&word, FUTEX_REQUEUE, 0, MANY, &other, 0));
    wake("nobody is here", &word, MANY, FUTEX_BITSET_MATCH_ANY);
    wake("their bits have moved, too", &other, MANY, 4);
    wake("all", &other, MANY, FUTEX_BITSET_MATCH_ANY);
    for (int i = 0; i < WAITERS; i++) {
        pthread_join(threads[i], NULL);
    }
    R(futex(&word, FUTEX_WAIT_BITSET, 0, 0, NULL, 0));
    R(futex(&word, FUTEX_WAKE_BITSET, 1, 0, NULL, 0));
    return 0;
}
