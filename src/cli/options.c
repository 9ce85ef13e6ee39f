/* Reading command lines, and the small languages in them: sizes, durations, numbers. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/cli.h"

void args_init(struct args *args, int argc, char **argv)
{
    *args = (struct args){.argc = argc, .argv = argv};
}

void args_done(struct args *args)
{
    free(args->split);
    args->split = NULL;
}

bool args_next(struct args *args)
{
    args->name = NULL;
    args->value = NULL;
    args_done(args);
    if (++args->at >= args->argc) {
        return false;
    }
    const char *arg = args->argv[args->at];
    if (!args->rest && strcmp(arg, "--") == 0) {
        args->rest = true;
        return args_next(args);
    }
    if (args->rest || arg[0] != '-' || arg[1] == '\0') {
        args->value = arg;
        return true;
    }
    const char *name = arg + (arg[1] == '-' ? 2 : 1);
    const char *equals = strchr(name, '=');
    args->split = equals != NULL ? strndup(name, (size_t)(equals - name)) : strdup(name);
    args->name = args->split != NULL ? args->split : "";
    args->value = equals != NULL ? equals + 1 : NULL;
    return true;
}

bool args_is(const struct args *args, const char *name)
{
    return args->name != NULL && strcmp(args->name, name) == 0;
}

const char *args_value(struct args *args)
{
    if (args->value == NULL && args->at + 1 < args->argc) {
        args->value = args->argv[++args->at];
    }
    if (args->value == NULL) {
        (void)usage_error(args->argv[0], "--%s needs a value", args->name);
    }
    return args->value;
}

int args_unknown(const struct args *args)
{
    return usage_error(args->argv[0], "unknown option %s", args->argv[args->at]);
}

int usage_error(const char *command, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)fprintf(stderr, "assay %s: ", command);
    (void)vfprintf(stderr, fmt, ap);
    (void)fprintf(stderr, "\nTry: assay help %s\n", command);
    va_end(ap);
    return EXIT_USAGE;
}

bool parse_i64(const char *text, int64_t *ret)
{
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || isspace((unsigned char)text[0])) {
        return false;
    }
    *ret = value;
    return true;
}

bool parse_u64(const char *text, uint64_t *ret)
{
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || !isdigit((unsigned char)text[0])) {
        return false;
    }
    *ret = value;
    return true;
}

/* A non-negative decimal number with a fraction; gives where it ended. */
static bool parse_decimal(const char *text, double *ret, const char **ret_end)
{
    char *end = NULL;
    errno = 0;
    if (!isdigit((unsigned char)text[0])) {
        return false;
    }
    *ret = strtod(text, &end);
    *ret_end = end;
    return errno == 0 && isfinite(*ret);
}

bool parse_size(const char *text, uint64_t *ret)
{
    double number;
    const char *unit;
    if (!parse_decimal(text, &number, &unit)) {
        return false;
    }
    static const char letters[] = "KMGT";
    double factor = 1;
    if (*unit != '\0') {
        const char *at = strchr(letters, toupper((unsigned char)*unit));
        if (at != NULL) {
            factor = ldexp(1, 10 * (int)(at - letters + 1));
            unit++;
        }
        if (*unit == 'i') {
            unit++;
        }
        if (*unit == 'B' || *unit == 'b') {
            unit++;
        }
    }
    if (*unit != '\0' || number * factor > 9e18) {
        return false;
    }
    *ret = (uint64_t)(number * factor);
    return true;
}

bool parse_duration(const char *text, double *ret_s)
{
    double number;
    const char *unit;
    if (!parse_decimal(text, &number, &unit)) {
        return false;
    }
    static const struct {
        const char *unit;
        double seconds;
    } rows[] = {
        {"",    1    },
        {"s",   1    },
        {"ms",  0.001},
        {"m",   60   },
        {"min", 60   },
        {"h",   3600 },
        {"d",   86400}
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(unit, rows[i].unit) == 0) {
            *ret_s = number * rows[i].seconds;
            return true;
        }
    }
    return false;
}

unsigned cpu_count(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (unsigned)n;
}

uint64_t memory_total(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

bool parse_workers(const char *text, unsigned *ret)
{
    uint64_t n;
    if (strcasecmp(text, "auto") == 0) {
        *ret = cpu_count();
        return true;
    }
    if (!parse_u64(text, &n) || n < 1 || n > 4096) {
        return false;
    }
    *ret = (unsigned)n;
    return true;
}
