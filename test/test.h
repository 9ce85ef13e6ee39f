/* The unit test harness: TEST(name) { ... CHECK_EQ(got, want); }. Each file is a program; main
 * comes from here. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/wait.h>

/* Of processor time, so that a busy machine is no failure. Sanitizers make programs slow:
 * ThreadSanitizer most of all. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define TEST_SECONDS 900
#else
#define TEST_SECONDS 120
#endif
#define TEST_HANGS 1800 /* of real time */

struct test {
    const char *name;
    void (*fn)(void);
};
#define TEST(name)                                                                                 \
    static void test_##name(void);                                                                 \
    static const struct test test_reg_##name                                                       \
        __attribute__((used, section("tests"), aligned(sizeof(void *)))) = {#name, test_##name};   \
    static void test_##name(void)
extern const struct test __start_tests[], __stop_tests[];

#define CHECK(x)                                                                                   \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #x);                       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define CHECK_EQ(a, b)                                                                             \
    do {                                                                                           \
        long long a_ = (long long)(a), b_ = (long long)(b);                                        \
        if (a_ != b_) {                                                                            \
            fprintf(stderr, "%s:%d: %s = %lld, want %lld\n", __FILE__, __LINE__, #a, a_, b_);      \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define CHECK_STR(a, b)                                                                            \
    do {                                                                                           \
        const char *a_ = (a), *b_ = (b);                                                           \
        if (strcmp(a_, b_) != 0) {                                                                 \
            fprintf(stderr, "%s:%d: %s =\n  %s\nwant\n  %s\n", __FILE__, __LINE__, #a, a_, b_);    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Runs every test in a child with a time limit; prints one TAP line each. */
int main(int argc, char **argv)
{
    int failed = 0;
    for (const struct test *t = __start_tests; t < __stop_tests; t++) {
        if (argc > 1 && strcmp(argv[1], t->name) != 0) {
            continue;
        }
        fflush(NULL);
        pid_t pid = fork();
        if (pid == 0) {
            const struct rlimit limit = {TEST_SECONDS, TEST_SECONDS};
            setrlimit(RLIMIT_CPU, &limit);
            alarm(TEST_HANGS);
            t->fn();
            exit(0);
        }
        int status = 1;
        if (pid < 0 || waitpid(pid, &status, 0) < 0) {
            status = 1;
        }
        if (WIFSIGNALED(status)) {
            fprintf(stderr, "# %s: %s\n", t->name, strsignal(WTERMSIG(status)));
        }
        printf("%s %s/%s\n", status == 0 ? "ok" : "not ok", argv[0], t->name);
        failed += status != 0;
    }
    return failed != 0;
}
