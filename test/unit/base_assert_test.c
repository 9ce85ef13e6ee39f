/* The two ways in which the process is stopped: each says why, then aborts. */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/vec.h"
#include "test.h"

/* What a child that runs `fn` writes to the standard error; it must end by SIGABRT. */
static void stops(void (*fn)(void), const char *text)
{
    int ends[2];
    CHECK_EQ(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        fn();
        _exit(0);
    }
    close(ends[1]);
    char said[1024] = "";
    size_t n = 0;
    ssize_t got = 0;
    while (n < sizeof said - 1 && (got = read(ends[0], said + n, sizeof said - 1 - n)) > 0) {
        n += (size_t)got;
    }
    int status = 0;
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    CHECK(strstr(said, text) != NULL);
}

static void false_assert(void)
{
    int one = 1;
    ASSERTF(one == 2, "one is %d", one);
}

static void huge_arena(void)
{
    struct arena arena = {0};
    arena_alloc(&arena, SIZE_MAX - 3);
}

static void huge_array(void)
{
    struct arena arena = {0};
    arena_zalloc_array(&arena, SIZE_MAX / 2, 4);
}

static void huge_vector(void)
{
    size_t cap = 0;
    vec_release(vec_grow(NULL, &cap, SIZE_MAX / 2, 4));
}

static void foreign_mark(void)
{
    struct arena one = {0};
    struct arena other = {0};
    arena_alloc(&one, 8);
    arena_alloc(&other, 8);
    arena_rewind(&one, arena_mark(&other));
}

TEST(failures_are_explained)
{
    stops(false_assert, "one == 2 one is 1");
    stops(huge_arena, "out of memory");
    stops(huge_array, "out of memory");
    stops(huge_vector, "out of memory");
    stops(foreign_mark, "arena->chunk");
}

TEST(true_asserts_are_silent)
{
    ASSERT(1 + 1 == 2);
    ASSERTF(true, "%s", "never printed");
    HOT_ASSERT(true);
}
