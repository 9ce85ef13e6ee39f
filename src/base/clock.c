/* The clocks of the system: see clock.h. */
#include "base/clock.h"

#include <stdint.h>
#include <time.h>

static struct timespec clock_now(clockid_t id)
{
    struct timespec now = {0};
    clock_gettime(id, &now); /* cannot fail for the clocks below */
    return now;
}

static uint64_t ns_of(struct timespec t)
{
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

uint64_t clock_mono_ns(void)
{
    return ns_of(clock_now(CLOCK_MONOTONIC));
}

uint64_t clock_thread_ns(void)
{
    return ns_of(clock_now(CLOCK_THREAD_CPUTIME_ID));
}

uint64_t clock_process_ns(void)
{
    return ns_of(clock_now(CLOCK_PROCESS_CPUTIME_ID));
}

uint64_t clock_wall_s(void)
{
    return (uint64_t)clock_now(CLOCK_REALTIME).tv_sec;
}

uint64_t clock_wall_ms(void)
{
    struct timespec now = clock_now(CLOCK_REALTIME);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
