/* Assertions about ourselves. ASSERT is on in every build: a checker that is wrong is worse than
 * none. */
#pragma once

#include <stddef.h>

__attribute__((noreturn, cold, format(printf, 4, 5))) void
assert_failed(const char *file, int line, const char *expr, const char *fmt, ...);

/* The system has no memory left: says so and stops. The budgets of the checker are kept elsewhere,
 * by ERR_FULL. */
__attribute__((noreturn, cold)) void out_of_memory(size_t bytes);

#define ASSERT(x)                                                                                  \
    (__builtin_expect(!!(x), 1) ? (void)0 : assert_failed(__FILE__, __LINE__, #x, "%s", ""))
#define ASSERTF(x, ...)                                                                            \
    (__builtin_expect(!!(x), 1) ? (void)0 : assert_failed(__FILE__, __LINE__, #x, __VA_ARGS__))
#define UNREACHABLE() assert_failed(__FILE__, __LINE__, "unreachable", "%s", "")
#ifdef ASSAY_DEBUG
#define HOT_ASSERT(x) ASSERT(x)
#else
#define HOT_ASSERT(x) ((void)0)
#endif
