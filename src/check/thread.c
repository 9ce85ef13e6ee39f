/* Threads with very large stacks. Specifications recurse (over sequences, graphs, trees of terms),
 * and the evaluator recurses with them. The stack is mapped without reservation, so only what is
 * used takes memory, and a page below it is forbidden. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/mman.h>

#include "base/err.h"
#include "check/check.h"
#include "check/check_int.h"

enum { GUARD_BYTES = 64 << 10 };

int big_thread_start(struct big_thread *t, void *(*fn)(void *arg), void *arg, struct err *err)
{
    size_t bytes = CHECK_STACK_BYTES + GUARD_BYTES;
    void *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) {
        return err_set(err, ERR_LIMIT, errno, "cannot map the stack of a thread");
    }
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    int os_errno = mprotect(stack, GUARD_BYTES, PROT_NONE) < 0 ? errno : 0;
    if (os_errno == 0) {
        os_errno = pthread_attr_setstack(&attr, (char *)stack + GUARD_BYTES, CHECK_STACK_BYTES);
    }
    if (os_errno == 0) {
        os_errno = pthread_create(&t->thread, &attr, fn, arg);
    }
    pthread_attr_destroy(&attr);
    if (os_errno != 0) {
        munmap(stack, bytes);
        return err_set(err, ERR_LIMIT, os_errno, "cannot start a thread");
    }
    t->stack = stack;
    return 0;
}

void big_thread_join(struct big_thread *t)
{
    if (t->stack) {
        pthread_join(t->thread, NULL);
        munmap(t->stack, CHECK_STACK_BYTES + GUARD_BYTES);
        t->stack = NULL;
    }
}

struct call {
    void (*fn)(void *arg);
    void *arg;
};

static void *call_main(void *arg)
{
    struct call *call = arg;
    call->fn(call->arg);
    return NULL;
}

int check_on_big_stack(void (*fn)(void *arg), void *arg, struct err *err)
{
    struct big_thread thread = {0};
    struct call call = {fn, arg};
    int status = big_thread_start(&thread, call_main, &call, err);
    big_thread_join(&thread);
    return status;
}
