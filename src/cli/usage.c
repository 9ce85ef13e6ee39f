/* Mistakes on the command line. */
#include <stdarg.h>
#include <stdio.h>

#include "base/str.h"
#include "cli/cli.h"
#include "option/option.h"

int usage_error(const char *command, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int status = option_vusage(stderr, command, fmt, ap);
    va_end(ap);
    return status;
}

int options_parse(const struct option *options, int argc, char **argv, void *to)
{
    SCOPED_STRBUF wrong = {0};
    int status = option_read(options, argc, argv, to, &wrong);
    return wrong.n != 0 ? usage_error(argv[0], "%s", strbuf_cstr(&wrong)) : status;
}
