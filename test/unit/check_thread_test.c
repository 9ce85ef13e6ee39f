/* Threads with large stacks: as deep as a specification may need, and ended by a guard below. The
 * thread that watches the others sleeps meanwhile. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <time.h>

#include "base/err.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check_toy.h"
#include "test.h"

/* Uses so much of the stack, a page at a time. */
static uint64_t deep(uint64_t bytes)
{
    volatile char page[4096];
    page[0] = (char)bytes;
    return bytes < sizeof page ? (uint64_t)(unsigned char)page[0]
                               : deep(bytes - sizeof page) + (uint64_t)(page[0] != 0);
}

static void *use_half(void *arg)
{
    *(uint64_t *)arg = deep(CHECK_STACK_BYTES / 4) + 1;
    return NULL;
}

TEST(stack_of_a_thread)
{
    struct big_thread thread;
    struct err err = {0};
    uint64_t used = 0;
    CHECK_EQ(big_thread_start(&thread, use_half, &used, &err), 0);
    big_thread_join(&thread);
    CHECK(used > 0);
}

static void use_half_here(void *arg)
{
    (void)use_half(arg);
}

TEST(stack_of_a_call)
{
    struct err err = {0};
    uint64_t used = 0;
    CHECK_EQ(check_on_big_stack(use_half_here, &used, &err), 0);
    CHECK(used > 0);
}

#ifndef __SANITIZE_THREAD__ /* which has a pthread_cond_timedwait of its own */
static unsigned waits, woken_too_early;

static bool is_over(const struct timespec *until)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec != until->tv_sec ? now.tv_sec > until->tv_sec : now.tv_nsec >= until->tv_nsec;
}

/* Stands before the library's. */
int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                           const struct timespec *until)
{
    union {
        void *symbol;
        int (*call)(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until);
    } real = {dlsym(RTLD_NEXT, "pthread_cond_timedwait")};
    int status = real.call(cond, mutex, until);
    if (status == ETIMEDOUT && !is_over(until)) {
        woken_too_early++;
    }
    __atomic_fetch_add(&waits, 1, __ATOMIC_RELAXED);
    return status;
}

static int next_after_waits(struct mworker *worker, model_sink sink, void *arg)
{
    while (__atomic_load_n(&waits, __ATOMIC_RELAXED) < 2) {
        (void)sched_yield();
    }
    return toy_next(worker, sink, arg);
}

/* A time that is over before it has begun would make it go round and round. */
TEST(coordinator_sleeps)
{
    struct toy toy = toy_graph(100, 3, 0);
    struct model_ops ops = toy_ops;
    struct check_result *result = NULL;
    struct err err = {0};
    ops.next = next_after_waits;
    toy.model.ops = &ops;
    struct check_options options = {.workers = 1};
    CHECK_EQ(check_run(&toy.model, &options, &result, &err), 0);
    CHECK_EQ(result->verdict, VERDICT_OK);
    check_result_free(result);
    CHECK_EQ(woken_too_early, 0);
}
#endif
