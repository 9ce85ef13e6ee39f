/* The clocks of the system: see clock.h. */
#include "base/clock.h"

#include <stdint.h>
#include <time.h>

static struct timespec clock_now(clockid_t id)
{
    struct timespec now = {0};
    clock_gettime(id, &now); /* cannot fail for the two clocks below */
    return now;
}

uint64_t clock_mono_ns(void)
{
    struct timespec now = clock_now(CLOCK_MONOTONIC);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
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
