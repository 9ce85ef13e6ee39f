/* The options of the translator: on its command line, and in a statement "PlusCal options (...)"
 * in the text, where the dashes may be left out. A mistake in the text is reported, and the
 * translation goes on, as in the translator. */
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal.h"
#include "pluscal/pluscal_int.h"

enum { WRAP = 78, WRAP_LEAST = 60, VERSION_NOW = 1903 };

void pluscal_defaults(struct pluscal_options *options)
{
    *options =
        (struct pluscal_options){.label_root = STR("Lbl_"), .wrap = WRAP, .version = VERSION_NOW};
}

void pluscal_keep(struct pluscal_options *options, struct arena *arena)
{
    options->label_root = str_dup(arena, options->label_root);
    options->file = str_dup(arena, options->file);
    if (options->spec_name != NULL) {
        options->spec_name = arena_strndup(arena, options->spec_name, strlen(options->spec_name));
    }
}

struct args {
    struct arena *arena;
    const struct str *v;
    size_t n, at;
    bool in_text;
    bool first_fairness; /* in the text one option overrides that of the command line */
    bool explicit_nof;
    struct pluscal_options *options;
    const struct pluscal_sink *sink;
};

static void say(const struct args *a, const char *text)
{
    if (a->sink != NULL && a->sink->say != NULL) {
        a->sink->say(a->sink->arg, PLUSCAL_ERROR, str_of(text));
    }
}

static bool wrong(const struct args *a, const char *what)
{
    say(a, arena_printf(a->arena, "Command-line error: %s.", what));
    return false;
}

/* The word behind an option; the last word of all is the file. */
static bool value(struct args *a, struct str *ret_word)
{
    a->at++;
    if (a->at + 1 >= a->n) {
        return false;
    }
    *ret_word = a->v[a->at];
    return true;
}

/* ---- options with something to check ---- */
static bool set_fairness(struct args *a, enum pluscal_fairness fairness)
{
    if (a->first_fairness) {
        a->options->fairness = FAIRNESS_NONE;
        a->first_fairness = false;
    }
    if (a->options->fairness != FAIRNESS_NONE) {
        return wrong(a, "Can only have one of -wf, -sf, -wfNext, and -nof options");
    }
    a->options->fairness = fairness;
    a->explicit_nof = a->explicit_nof || fairness == FAIRNESS_NOF;
    return true;
}

static bool one_spec(const struct args *a, bool more)
{
    if (more) {
        return wrong(a, "\nCan have at most one of the options -spec, -myspec, -spec2, -myspec2, "
                        "writeAST");
    }
    return true;
}

static bool set_spec(struct args *a, enum pluscal_spec spec)
{
    bool another = a->options->spec != SPEC_NONE && a->options->spec != spec;
    if (!one_spec(a, another || a->options->write_ast)) {
        return false;
    }
    struct str name;
    a->options->spec = spec;
    if (!value(a, &name)) {
        bool mine = spec == SPEC_MYSPEC || spec == SPEC_MYSPEC2;
        return wrong(a, mine ? "Specification name must follow `-myspec' option"
                             : "Specification name must follow `-spec' option");
    }
    a->options->spec_name = arena_strndup(a->arena, name.p, name.n);
    return true;
}

static bool set_label_root(struct args *a)
{
    struct str root;
    if (!value(a, &root)) {
        return wrong(a, "Label root must follow `-labelRoot' option");
    }
    bool ok = root.n > 0 && isalpha((unsigned char)root.p[0]) != 0;
    for (size_t i = 0; i < root.n; i++) {
        unsigned char c = (unsigned char)root.p[i];
        ok = ok && c < 0x80 && (isalnum(c) != 0 || c == '_');
    }
    if (!ok) {
        return wrong(a, "Label root must be a valid PlusCal identifier (must start with a letter "
                        "and contain only letters, numbers, and underscores)");
    }
    a->options->label_root = root;
    return true;
}

/* "1.5" is 1500; negative when it is none. */
static int version_number(struct str text)
{
    uint32_t number = 0;
    int after = 0;
    bool point = false;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '.') {
            point = true;
            continue;
        }
        after += point;
        if (isdigit((unsigned char)text.p[i]) == 0 || after > 3) {
            return -1;
        }
        number = 10 * number + (uint32_t)(text.p[i] - '0');
    }
    for (; after < 3; after++) {
        number *= 10;
    }
    return (int)number;
}

static bool set_version(struct args *a)
{
    struct str text;
    if (!value(a, &text)) {
        return wrong(a, "Version number must follow `-version' option");
    }
    int number = version_number(text);
    if (number < 0) {
        say(a, arena_printf(a->arena, "Illegal version %.*s specified.", STR_ARG(text)));
    } else if (number > VERSION_NOW) {
        say(a, arena_printf(a->arena, "Specified version %.*s later than current version %s",
                            STR_ARG(text), PLUSCAL_VERSION));
    } else {
        a->options->version = number;
        return true;
    }
    return wrong(a, "Bad version number");
}

static bool set_width(struct args *a)
{
    struct str text;
    long width = 0;
    bool ok = value(a, &text) && text.n > 0;
    size_t i = ok && text.p[0] == '+' ? 1 : 0;
    ok = ok && i < text.n;
    for (; ok && i < text.n; i++) {
        ok = isdigit((unsigned char)text.p[i]) != 0 && width <= INT_MAX;
        width = ok ? 10 * width + (text.p[i] - '0') : 0;
    }
    if (!ok || width < WRAP_LEAST || width > INT_MAX) {
        return wrong(a, "Integer value at least 60 must follow `-lineWidth' option");
    }
    a->options->wrap = (int)width;
    return true;
}

/* ---- the table ---- */
enum place { ANYWHERE, COMMAND_LINE, WITH_DASH };
enum action {
    DO_SPEC,
    DO_MYSPEC,
    DO_SPEC2,
    DO_MYSPEC2,
    DO_WRITE_AST,
    DO_DEBUG,
    DO_NOTHING,
    DO_TERMINATION,
    DO_NO_OLD,
    DO_NO_CFG,
    DO_NO_DONE,
    DO_WF,
    DO_SF,
    DO_WFNEXT,
    DO_NOF,
    DO_LABEL,
    DO_REPORT,
    DO_ROOT,
    DO_VERSION,
    DO_WIDTH
};
/* Where each may stand: in the text without its dash, too; on the command line only; in both with
 * its dash. */
static const struct row {
    const char *name;
    enum place place;
    enum action action;
} rows[] = {
    {"-writeAST",       COMMAND_LINE, DO_WRITE_AST  },
    {"-spec",           ANYWHERE,     DO_SPEC       },
    {"-myspec",         ANYWHERE,     DO_MYSPEC     },
    {"-spec2",          COMMAND_LINE, DO_SPEC2      },
    {"-myspec2",        COMMAND_LINE, DO_MYSPEC2    },
    {"-debug",          COMMAND_LINE, DO_DEBUG      },
    {"-unixEOL",        COMMAND_LINE, DO_NOTHING    },
    {"-termination",    ANYWHERE,     DO_TERMINATION},
    {"-noold",          WITH_DASH,    DO_NO_OLD     },
    {"-nocfg",          WITH_DASH,    DO_NO_CFG     },
    {"-noDoneDisjunct", ANYWHERE,     DO_NO_DONE    },
    {"-wf",             ANYWHERE,     DO_WF         },
    {"-sf",             ANYWHERE,     DO_SF         },
    {"-wfNext",         ANYWHERE,     DO_WFNEXT     },
    {"-nof",            ANYWHERE,     DO_NOF        },
    {"-label",          ANYWHERE,     DO_LABEL      },
    {"-reportLabels",   COMMAND_LINE, DO_REPORT     },
    {"-labelRoot",      ANYWHERE,     DO_ROOT       },
    {"-version",        ANYWHERE,     DO_VERSION    },
    {"-lineWidth",      WITH_DASH,    DO_WIDTH      },
};

static const struct row *find_row(struct str word, bool in_text)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        bool dash = str_is(word, row->name) && !(in_text && row->place == COMMAND_LINE);
        bool bare = in_text && row->place == ANYWHERE && str_is(word, row->name + 1);
        if (dash || bare) {
            return row;
        }
    }
    return NULL;
}

static bool apply(struct args *a, enum action action)
{
    struct pluscal_options *o = a->options;
    switch (action) {
    case DO_SPEC: return set_spec(a, SPEC_SPEC);
    case DO_MYSPEC: return set_spec(a, SPEC_MYSPEC);
    case DO_SPEC2: return set_spec(a, SPEC_SPEC2);
    case DO_MYSPEC2: return set_spec(a, SPEC_MYSPEC2);
    case DO_WRITE_AST: o->write_ast = true; return one_spec(a, o->spec != SPEC_NONE);
    case DO_DEBUG: o->debug = true; return true;
    case DO_NOTHING: return true;
    case DO_TERMINATION: o->termination = true; return true;
    case DO_NO_OLD: o->no_old = true; return true;
    case DO_NO_CFG: o->no_cfg = true; return true;
    case DO_NO_DONE: o->no_done = true; return true;
    case DO_WF: return set_fairness(a, FAIRNESS_WF);
    case DO_SF: return set_fairness(a, FAIRNESS_SF);
    case DO_WFNEXT: return set_fairness(a, FAIRNESS_WFNEXT);
    case DO_NOF: return set_fairness(a, FAIRNESS_NOF);
    case DO_LABEL: o->label = true; return true;
    case DO_REPORT: o->report_labels = o->label = true; return true;
    case DO_ROOT: return set_label_root(a);
    case DO_VERSION: return set_version(a);
    case DO_WIDTH: return set_width(a);
    }
    return false;
}

/* All words but the last, which is the file. */
static enum pluscal_status apply_all(struct args *a)
{
    for (a->at = 0; a->at + 1 < a->n; a->at++) {
        struct str word = a->v[a->at];
        if (!a->in_text && str_is(word, "-help")) {
            return PLUSCAL_HELP;
        }
        const struct row *row = find_row(word, a->in_text);
        if (row == NULL) {
            (void)wrong(a,
                        arena_printf(a->arena, "%s: %.*s",
                                     a->in_text ? "Unknown or illegal option in options statement"
                                                : "Unknown command-line option",
                                     STR_ARG(word)));
            return PLUSCAL_FAILED;
        }
        if (!apply(a, row->action)) {
            return PLUSCAL_FAILED;
        }
    }
    if (a->options->termination && a->options->fairness == FAIRNESS_NONE && !a->explicit_nof) {
        a->options->fairness = FAIRNESS_WF;
    }
    return PLUSCAL_GO;
}

/* Takes the name of the file apart. */
static bool set_file(struct args *a, struct str path)
{
    size_t base = path.n;
    while (base > 0 && path.p[base - 1] != '/') {
        base--;
    }
    size_t dot = path.n;
    while (dot > base && path.p[dot - 1] != '.') {
        dot--;
    }
    if (dot == base) {
        a->options->file = path;
        return true;
    }
    if (path.n - base < 4 || strncasecmp(path.p + path.n - 4, ".tla", 4) != 0) {
        return wrong(a, "Input file has extension other than tla");
    }
    a->options->file = (struct str){path.p, path.n - 4};
    return true;
}

enum pluscal_status pluscal_arguments(struct arena *arena, int argc, char *const *argv,
                                      struct pluscal_options *options,
                                      const struct pluscal_sink *sink)
{
    struct strs words = {0};
    for (int i = 0; i < argc; i++) {
        AVEC_PUSH(arena, &words, str_of(arena_strndup(arena, argv[i], strlen(argv[i]))));
    }
    struct args a = {.arena = arena, .v = words.v, .n = words.n, .options = options, .sink = sink};
    if (words.n == 0) {
        (void)wrong(&a, "No arguments specified");
        return PLUSCAL_FAILED;
    }
    if (words.v[words.n - 1].n > 0 && words.v[words.n - 1].p[0] == '-') {
        return PLUSCAL_HELP;
    }
    enum pluscal_status status = apply_all(&a);
    if (status == PLUSCAL_GO && !set_file(&a, words.v[words.n - 1])) {
        return PLUSCAL_FAILED;
    }
    return status;
}

/* ---- options in the text ---- */
/* A place in the lines. */
struct at {
    size_t line, col;
};

/* Goes to the next character that is no blank; false at the end. */
static bool next_text(const struct lines *lines, struct at *at)
{
    for (; at->line < lines->n; at->line++, at->col = 0) {
        struct u16s line = lines->v[at->line];
        while (at->col < line.n && line.v[at->col] == ' ') {
            at->col++;
        }
        if (at->col < line.n) {
            return true;
        }
    }
    return false;
}

static bool is_letter(uint16_t c)
{
    return c < 0x80 && isalpha(c) != 0;
}

static bool starts_word(const struct lines *lines, const struct at *at, const char *word)
{
    struct u16s line = lines->v[at->line];
    size_t end = at->col + strlen(word);
    return pcal_u16_starts(line, at->col, word) &&
           (end >= line.n || (!is_letter(line.v[end]) && line.v[end] != '_'));
}

static void skip_word(const struct lines *lines, struct at *at)
{
    struct u16s line = lines->v[at->line];
    while (at->col < line.n && line.v[at->col] != ' ') {
        at->col++;
    }
}

/* Goes behind the next word that begins with "PlusCal". */
static bool find_pluscal(const struct lines *lines, struct at *at)
{
    while (next_text(lines, at)) {
        bool found = starts_word(lines, at, "PlusCal");
        if (found) {
            at->col += strlen("PlusCal");
        }
        skip_word(lines, at);
        if (found) {
            return true;
        }
    }
    return false;
}

static bool is_end(uint16_t c)
{
    return c == ' ' || c == ',' || c == ')';
}

/* The words between parentheses, and an empty one in the place of the file. */
static bool read_words(struct pcal *p, struct at at, struct strs *ret_words)
{
    const struct lines *lines = &p->lines;
    if (!next_text(lines, &at) || lines->v[at.line].v[at.col] != '(') {
        pcal_say(p, PLUSCAL_ERROR, "`PlusCal options' not followed by '('");
        return false;
    }
    at.col++;
    while (next_text(lines, &at)) {
        struct u16s line = lines->v[at.line];
        if (line.v[at.col] == ')') {
            AVEC_PUSH(p->arena, ret_words, STR(""));
            return true;
        }
        size_t begin = at.col;
        while (at.col < line.n && !is_end(line.v[at.col])) {
            at.col++;
        }
        if (at.col == begin) { /* a comma */
            at.col++;
        } else {
            AVEC_PUSH(p->arena, ret_words,
                      pcal_u16_to_str(p->arena, line.v + begin, at.col - begin));
        }
    }
    pcal_say(p, PLUSCAL_ERROR, "No closing ')' found in options statement");
    return false;
}

void pcal_text_options(struct pcal *p)
{
    const struct lines *lines = &p->lines;
    struct at at = {0};
    struct strs words = {0};
    while (find_pluscal(lines, &at) && next_text(lines, &at)) {
        struct u16s line = lines->v[at.line];
        size_t end = at.col + strlen("options");
        bool id = end < line.n && (is_letter(line.v[end]) || line.v[end] == '_' ||
                                   (line.v[end] >= '0' && line.v[end] <= '9'));
        if (!pcal_u16_starts(line, at.col, "options") || id) {
            continue;
        }
        at.col = end;
        if (read_words(p, at, &words)) {
            struct args a = {.arena = p->arena,
                             .v = words.v,
                             .n = words.n,
                             .in_text = true,
                             .first_fairness = true,
                             .options = p->options,
                             .sink = p->sink};
            (void)apply_all(&a);
        }
        return;
    }
}
