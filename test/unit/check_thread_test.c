/* Threads with large stacks: as deep as a specification may need, and ended by a guard below. */
#include <stdint.h>

#include "base/err.h"
#include "check/check.h"
#include "check/check_int.h"
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
