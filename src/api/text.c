/* Text and structures that cross the border of the library. */
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "api/api_int.h"
#include "api/assay.h"
#include "base/str.h"
#include "base/vec.h"

const char *assay_version(void)
{
    return ASSAY_VERSION;
}

void assay_free(char *text)
{
    vec_release(text);
}

char *api_text(struct str text)
{
    char *copy = vec_grow(NULL, &(size_t){0}, text.n + 1, 1);
    if (text.n > 0) {
        memcpy(copy, text.p, text.n);
    }
    copy[text.n] = '\0';
    return copy;
}

void api_clear(char **error)
{
    if (error != NULL) {
        *error = NULL;
    }
}

int api_fail_text(char **error, struct str text)
{
    while (text.n > 0 && text.p[text.n - 1] == '\n') {
        text.n--;
    }
    if (error != NULL) {
        *error = api_text(text);
    }
    return -1;
}

int api_fail(char **error, const char *fmt, ...)
{
    SCOPED_STRBUF text = {0};
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&text, fmt, ap);
    va_end(ap);
    return api_fail_text(error, strbuf_str(&text));
}

void api_take(void *ret, size_t size, const void *from)
{
    memset(ret, 0, size);
    if (from != NULL) {
        size_t has = *(const size_t *)from;
        memcpy(ret, from, has < size ? has : size);
    }
}
