/* calls: futex */
/* FUTEX_WAKE_OP: every operation, every comparison, and who is woken. */
#include "futex.h"
#include "t.h"

static uint32_t first, second;

static long wake_op(uint32_t n, uint32_t m, uint32_t op, uint32_t arg, uint32_t cmp, uint32_t with)
{
    return syscall(SYS_futex, &first, FUTEX_WAKE_OP, n, m, &second, FUTEX_OP(op, arg, cmp, with));
}

static void *waiter(void *arg)
{
    uint32_t *word = arg;
    return (void *)syscall(SYS_futex, word, FUTEX_WAIT, *word, NULL, NULL, 0);
}

int main(void)
{
    static const uint32_t ops[] = {FUTEX_OP_SET, FUTEX_OP_ADD,
                                   FUTEX_OP_OR,  FUTEX_OP_ANDN,
                                   FUTEX_OP_XOR, FUTEX_OP_SET | FUTEX_OP_OPARG_SHIFT};
    for (uint32_t i = 0; i < 6; i++) {
        second = 13;
        long r = wake_op(1, 1, ops[i], 6, FUTEX_OP_CMP_EQ, 0);
        printf("operation %u: %ld, %u\n", i, r, second);
    }
    /* One waits at the second word; it is woken where the old value compares so. */
    for (uint32_t cmp = FUTEX_OP_CMP_EQ; cmp <= FUTEX_OP_CMP_GE; cmp++) {
        for (int value = -1; value <= 1; value++) {
            pthread_t t;
            second = (uint32_t)value;
            pthread_create(&t, NULL, waiter, &second);
            futex_await(&second, 1);
            long r = wake_op(1, 1, FUTEX_OP_ADD, 0, cmp, 0);
            printf("comparison %u of %d: %ld\n", cmp, value, r);
            if (r == 0) {
                syscall(SYS_futex, &second, FUTEX_WAKE, 1, NULL, NULL, 0);
            }
            pthread_join(t, NULL);
        }
    }
    pthread_t a[3], b[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&a[i], NULL, waiter, &first);
        pthread_create(&b[i], NULL, waiter, &second);
    }
    futex_await(&first, 3);
    futex_await(&second, 3);
    R(wake_op(2, 1, FUTEX_OP_ADD, 1, FUTEX_OP_CMP_GE, 0));
    R(syscall(SYS_futex, &first, FUTEX_WAKE, 10, NULL, NULL, 0));
    R(syscall(SYS_futex, &second, FUTEX_WAKE, 10, NULL, NULL, 0));
    for (int i = 0; i < 3; i++) {
        pthread_join(a[i], NULL);
        pthread_join(b[i], NULL);
    }
    R(wake_op(1, 1, 7, 0, FUTEX_OP_CMP_EQ, 0));
    R(syscall(SYS_futex, &first, FUTEX_WAKE_OP, 1, 1, (void *)8, 0));
    return 0;
}
