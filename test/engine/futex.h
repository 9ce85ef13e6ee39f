/* How many wait at a futex: all are moved to where they are, which wakes none. Who wants to wake a
 * waiter first sees it wait, however long that takes. */
#pragma once

#include <limits.h>
#include <stdint.h>
#include <unistd.h>

#include <linux/futex.h>
#include <sys/syscall.h>

static inline void futex_await(const void *word, long waiters)
{
    while (syscall(SYS_futex, word, FUTEX_REQUEUE, 0, INT_MAX, word, 0) < waiters) {
        usleep(1000);
    }
}
