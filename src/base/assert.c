/* The end of the road: a bug in us, or no memory at all. The only places where a library prints and
 * stops, since there is nothing left that a caller could do. Part of libassay, too (-fPIC). */
#include "base/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void assert_failed(const char *file, int line, const char *expr, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fflush(stdout);
    fprintf(stderr, "assay: bug at %s:%d: %s ", file, line, expr);
    vfprintf(stderr, fmt, ap);
    fprintf(stderr, "\nThis is a mistake in assay, not in your specification. Please report it.\n");
    va_end(ap);
    abort();
}

void out_of_memory(size_t bytes)
{
    fflush(stdout);
    fprintf(stderr, "assay: out of memory (%zu bytes were asked for)\n", bytes);
    abort();
}
