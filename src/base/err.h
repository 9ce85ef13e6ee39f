/* Failures of the outside world (files, memory budgets, bad stored data), as values.
 * A fallible function returns 0 or a negative code and fills *err. */
#pragma once

#include <stddef.h>

#define ERR_CODES(X)                                                                               \
    X(ERR_IO, "input/output failed")                                                               \
    X(ERR_NOT_FOUND, "not found")                                                                  \
    X(ERR_FULL, "memory budget is used up")                                                        \
    X(ERR_CORRUPT, "stored data is damaged")                                                       \
    X(ERR_INVALID, "invalid input")                                                                \
    X(ERR_UNSUPPORTED, "not supported")                                                            \
    X(ERR_INTERRUPTED, "interrupted")                                                              \
    X(ERR_LIMIT, "a limit was reached")                                                            \
    X(ERR_BUSY, "in use")

enum err_code {
    ERR_OK = 0,
#define X(name, text) name,
    ERR_CODES(X)
#undef X
};

struct err {
    enum err_code code;
    int os_errno; /* 0 when the system had no part in it */
    char text[480];
};

/* Both return -code, and accept err == NULL. err_set adds the system's text for os_errno, if not 0.
 */
int err_set(struct err *err, enum err_code code, int os_errno, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
int err_wrap(struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3))); /* puts "what: " in front */
const char *err_name(enum err_code code);

#define MUST_USE __attribute__((warn_unused_result))
