/* Reading command lines, and the small languages in them: sizes, durations, numbers. */
#include "cli/options.h"

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

#include "base/assert.h"
#include "base/near.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/cli.h"

/* ---- the command line ---- */
struct parse {
    const struct option *options;
    const char *command;
    int argc, at;
    char **argv;
    void *to;
};

static const struct option *find_name(const struct option *options, struct str name)
{
    for (const struct option *o = options; o->name != NULL; o++) {
        bool letter = name.n == 1 && o->letter != 0 && name.p[0] == o->letter;
        if (o->kind != OPTION_HEADING && name.n != 0 && (letter || str_is(name, o->name))) {
            return o;
        }
    }
    return NULL;
}

const struct option *option_near(const struct option *options, const char *name)
{
    struct near near = near_to(str_of(name));
    for (const struct option *o = options; o->name != NULL; o++) {
        if (o->kind != OPTION_HEADING && o->help != NULL) {
            near_try(&near, str_of(o->name));
        }
    }
    return near.best.n != 0 ? find_name(options, near.best) : NULL;
}

static int unknown(const struct parse *parse, struct str name)
{
    SCOPED_STRBUF text = {0};
    strbuf_addstr(&text, name);
    const struct option *near = option_near(parse->options, strbuf_cstr(&text));
    return usage_error(parse->command, "unknown option %s%s%s%s", parse->argv[parse->at],
                       near != NULL ? "; did you mean --" : "", near != NULL ? near->name : "",
                       near != NULL ? "?" : "");
}

static const char *set_workers(unsigned *to, const char *value)
{
    return parse_workers(value, to) ? NULL : WORKERS_WANTED;
}

/* One argument: no option, or TEXT that must not come twice. */
static const char *set_text(const struct parse *parse, const struct option *o, const char **to,
                            const char *value)
{
    if (o->name[0] == '\0' && *to != NULL) {
        (void)usage_error(parse->command, "one %s at a time: %s and %s", o->value, *to, value);
        return "";
    }
    *to = value;
    return NULL;
}

static const char *set(const struct parse *parse, const struct option *o, const char *value)
{
    void *to = (char *)parse->to + o->at;
    ASSERT(value != NULL || o->kind == OPTION_FLAG || o->kind == OPTION_CALL);
    switch (o->kind) {
    case OPTION_FLAG: *(bool *)to = true; return NULL;
    case OPTION_NUMBER: return parse_u64(value, to) ? NULL : "a number";
    case OPTION_COUNT: return parse_count(value, to) ? NULL : "a number above 0";
    case OPTION_SIZE: return parse_size(value, to) ? NULL : "a size such as 200M or 4G";
    case OPTION_TIME:
        return parse_duration(value, to) && *(double *)to > 0 ? NULL
                                                              : "a time such as 90, 30s, 5m or 2h";
    case OPTION_TEXT: return set_text(parse, o, (const char **)to, value);
    case OPTION_LIST: VEC_PUSH((struct word_list *)to, value); return NULL;
    case OPTION_WORKERS: return set_workers(to, value);
    case OPTION_COLOR: return parse_color(value, to) ? NULL : "auto, always or never";
    case OPTION_CALL: return o->call(parse->to, value);
    case OPTION_TLC:
    case OPTION_HEADING: break;
    }
    return "";
}

static int apply(struct parse *parse, const struct option *o, const char *value)
{
    bool takes = o->value != NULL, must = takes && o->value[0] != '[';
    if (must && value == NULL && parse->at + 1 < parse->argc) {
        value = parse->argv[++parse->at];
    }
    if (must && value == NULL) {
        return usage_error(parse->command, "--%s needs a value: %s", o->name, o->value);
    }
    if (!takes && value != NULL) {
        return usage_error(parse->command, "--%s takes no value", o->name);
    }
    const char *wanted = set(parse, o, value);
    if (wanted != NULL && wanted[0] != '\0') {
        return usage_error(parse->command, "%s%s: %s expected, not '%s'",
                           o->name[0] == '\0' ? "" : "--", o->name[0] == '\0' ? o->value : o->name,
                           wanted, value);
    }
    return wanted == NULL ? EXIT_OK : EXIT_USAGE;
}

static int argument(struct parse *parse, const char *word)
{
    for (const struct option *o = parse->options; o->name != NULL; o++) {
        if (o->name[0] == '\0') {
            return apply(parse, o, word);
        }
    }
    return usage_error(parse->command, "takes no arguments: %s", word);
}

/* --name, --name=value, -x; also -name and -xvalue. */
static int one_option(struct parse *parse, const char *word)
{
    bool dashes = word[1] == '-';
    const char *name = word + (dashes ? 2 : 1);
    const char *equals = strchr(name, '=');
    struct str before = {name, equals != NULL ? (size_t)(equals - name) : strlen(name)};
    const struct option *o = find_name(parse->options, before);
    if (o != NULL) {
        return apply(parse, o, equals != NULL ? equals + 1 : NULL);
    }
    o = dashes ? NULL : find_name(parse->options, (struct str){name, 1});
    if (o != NULL && o->value != NULL) {
        return apply(parse, o, name + 1);
    }
    return unknown(parse, before);
}

int options_parse(const struct option *options, int argc, char **argv, void *to)
{
    struct parse parse = {options, argv[0], argc, 0, argv, to};
    int status = EXIT_OK;
    bool rest = false; /* after -- */
    for (parse.at = 1; status == EXIT_OK && parse.at < argc; parse.at++) {
        const char *word = argv[parse.at];
        bool number = word[0] == '-' && isdigit((unsigned char)word[1]) != 0;
        if (!rest && strcmp(word, "--") == 0) {
            rest = true;
        } else if (rest || word[0] != '-' || word[1] == '\0' || number) {
            status = argument(&parse, word);
        } else {
            status = one_option(&parse, word);
        }
    }
    return status;
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

bool parse_count(const char *text, uint64_t *ret)
{
    uint64_t n;
    if (!parse_u64(text, &n) || n == 0) {
        return false;
    }
    *ret = n;
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
    if (!parse_u64(text, &n) || n < 1 || n > WORKERS_MOST) {
        return false;
    }
    *ret = (unsigned)n;
    return true;
}
