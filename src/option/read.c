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

#include "base/assert.h"
#include "base/machine.h"
#include "base/near.h"
#include "base/status.h"
#include "base/str.h"
#include "base/term.h"
#include "base/vec.h"
#include "option/option.h"

/* ---- the command line ---- */
struct parse {
    const struct option *options;
    int argc, at;
    char **argv;
    void *to;
    struct strbuf *wrong; /* what is wrong with it */
};

__attribute__((format(printf, 2, 3))) static int mistake(const struct parse *parse, const char *fmt,
                                                         ...)
{
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(parse->wrong, fmt, ap);
    va_end(ap);
    return EXIT_USAGE;
}

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
    return mistake(parse, "unknown option %s%s%s%s", parse->argv[parse->at],
                   near != NULL ? "; did you mean --" : "", near != NULL ? near->name : "",
                   near != NULL ? "?" : "");
}

static const char *set_workers(unsigned *to, const char *value)
{
    return read_workers(value, to) ? NULL : WORKERS_WANTED;
}

/* One argument: no option, or TEXT that must not come twice. */
static const char *set_text(const struct parse *parse, const struct option *o, const char **to,
                            const char *value)
{
    if (o->name[0] == '\0' && *to != NULL) {
        (void)mistake(parse, "one %s at a time: %s and %s", o->value, *to, value);
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
    case OPTION_NUMBER: return read_u64(value, to) ? NULL : "a number";
    case OPTION_COUNT: return read_count(value, to) ? NULL : "a number above 0";
    case OPTION_SIZE: return read_size(value, to) ? NULL : "a size such as 200M or 4G";
    case OPTION_TIME:
        return read_duration(value, to) && *(double *)to > 0 ? NULL
                                                             : "a time such as 90, 30s, 5m or 2h";
    case OPTION_TEXT: return set_text(parse, o, (const char **)to, value);
    case OPTION_LIST: VEC_PUSH((struct word_list *)to, value); return NULL;
    case OPTION_WORKERS: return set_workers(to, value);
    case OPTION_COLOR: return read_color(value, to) ? NULL : "auto, always or never";
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
        return mistake(parse, "--%s needs a value: %s", o->name, o->value);
    }
    if (!takes && value != NULL) {
        return mistake(parse, "--%s takes no value", o->name);
    }
    const char *wanted = set(parse, o, value);
    if (wanted != NULL && wanted[0] != '\0') {
        return mistake(parse, "%s%s: %s expected, not '%s'", o->name[0] == '\0' ? "" : "--",
                       o->name[0] == '\0' ? o->value : o->name, wanted, value);
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
    return mistake(parse, "takes no arguments: %s", word);
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

int option_read(const struct option *options, int argc, char **argv, void *to, struct strbuf *wrong)
{
    struct parse parse = {options, argc, 0, argv, to, wrong};
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

bool read_i64(const char *text, int64_t *ret)
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

bool read_u64(const char *text, uint64_t *ret)
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

bool read_count(const char *text, uint64_t *ret)
{
    uint64_t n;
    if (!read_u64(text, &n) || n == 0) {
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

bool read_size(const char *text, uint64_t *ret)
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

bool read_duration(const char *text, double *ret_s)
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

bool read_workers(const char *text, unsigned *ret)
{
    uint64_t n;
    if (strcasecmp(text, "auto") == 0) {
        *ret = cpu_count();
        return true;
    }
    if (!read_u64(text, &n) || n < 1 || n > WORKERS_MOST) {
        return false;
    }
    *ret = (unsigned)n;
    return true;
}

bool read_color(const char *text, enum color_when *ret)
{
    static const char *const names[] = {"auto", "always", "never"}; /* ORDER enum color_when */
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            *ret = (enum color_when)i;
            return true;
        }
    }
    return false;
}

int option_vusage(FILE *err, const char *command, const char *fmt, va_list ap)
{
    (void)fprintf(err, "assay %s: ", command);
    (void)vfprintf(err, fmt, ap);
    (void)fprintf(err, "\nTry: assay help %s\n", command);
    return EXIT_USAGE;
}

int option_usage(FILE *err, const char *command, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int status = option_vusage(err, command, fmt, ap);
    va_end(ap);
    return status;
}
