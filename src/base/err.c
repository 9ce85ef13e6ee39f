/* Failures as values: see err.h. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const err_texts[] = {"no error",
#define X(name, text) text,
                                        ERR_CODES(X)
#undef X
};

int err_set(struct err *err, enum err_code code, int os_errno, const char *fmt, ...)
{
    if (!err) {
        return -(int)code;
    }
    err->code = code;
    err->os_errno = os_errno;
    va_list ap;
    va_start(ap, fmt);
    int len = vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    if (os_errno && len >= 0 && (size_t)len < sizeof err->text) {
        char buf[128];
        snprintf(err->text + len, sizeof err->text - (size_t)len, ": %s",
                 strerror_r(os_errno, buf, sizeof buf));
    }
    return -(int)code;
}

int err_wrap(struct err *err, const char *fmt, ...)
{
    if (!err) {
        return -(int)ERR_INVALID;
    }
    char what[sizeof err->text];
    va_list ap;
    va_start(ap, fmt);
    int len = vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    /* Cut at the end, never in front: what came first says most. */
    size_t used = len < 0 ? 0 : (size_t)len < sizeof what ? (size_t)len : sizeof what - 1;
    size_t i = 0;
    for (const char *p = ": "; *p && used < sizeof what - 1; p++) {
        what[used++] = *p;
    }
    for (; err->text[i] && used < sizeof what - 1; i++) {
        what[used++] = err->text[i];
    }
    what[used] = '\0';
    memcpy(err->text, what, used + 1);
    return -(int)err->code;
}

const char *err_name(enum err_code code)
{
    return (size_t)code < sizeof err_texts / sizeof err_texts[0] ? err_texts[code]
                                                                 : "unknown error";
}
