/* Options as data. The table of a command's options, in the command's file, is the only place that
 * knows them: the command line is parsed by it, `assay help`, the manual page and the completions
 * of three shells are written from it (help.c, generate.c). */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/str.h"
#include "base/term.h"
#include "base/vec.h"

struct tlc_parse;

/* What an option is in the program. */
enum option_kind {
    OPTION_FLAG,    /* bool */
    OPTION_NUMBER,  /* uint64_t */
    OPTION_COUNT,   /* uint64_t, not 0 */
    OPTION_SIZE,    /* uint64_t: 200M */
    OPTION_TIME,    /* double, in seconds, not 0: 5m */
    OPTION_TEXT,    /* const char *: the last one counts; of arguments there is one only */
    OPTION_LIST,    /* struct word_list: all of them count */
    OPTION_WORKERS, /* unsigned: a number, or auto */
    OPTION_COLOR,   /* enum color_when */
    OPTION_CALL,    /* a function is called */
    OPTION_TLC,     /* a function is called, in TLC's command line */
    OPTION_HEADING, /* none: a heading above those that follow */
};

struct word_list {
    const char **v;
    size_t n, cap;
};

/* NULL, or what was expected instead of the value; "" when it has been said already. The value is
 * NULL for an option without one. */
typedef const char *(*option_fn)(void *to, const char *value);

/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): rows are read in this order */
struct option {
    const char *name;  /* without dashes; "" for arguments that are no options; of TLC's with one
                          dash; the text of a heading */
    char letter;       /* the same in one letter, or 0 */
    const char *value; /* what the help calls its value; NULL = it has none. "[=...]": it may have
                          one, after = only */
    const char *complete; /* see COMPLETE_* */
    enum option_kind kind;
    size_t at; /* where in the command's structure */
    option_fn call;
    bool (*tlc)(struct tlc_parse *parse);
    const char *help;   /* one line; NULL = the option is not for people */
    const char *manual; /* what the manual says instead, with its markup; or NULL */
};

/* How a value is completed: NULL: not at all; words that are separated by blanks; or */
#define COMPLETE_FILE    "*" /* any file; with suffixes: "*.cfg *.tla" */
#define COMPLETE_DIR     "/" /* a directory */
#define COMPLETE_COMMAND "@"

/* The place of a field, which must have the type. */
#define OPTION_AT(structure, field, type)                                                          \
    (offsetof(structure, field) +                                                                  \
     0 * sizeof(                                                                                   \
             char[__builtin_types_compatible_p(__typeof__(((structure *)0)->field), type) ? 1      \
                                                                                          : -1]))
#define TO_FLAG(structure, field)   OPTION_FLAG, OPTION_AT(structure, field, bool), NULL, NULL
#define TO_NUMBER(structure, field) OPTION_NUMBER, OPTION_AT(structure, field, uint64_t), NULL, NULL
#define TO_COUNT(structure, field)  OPTION_COUNT, OPTION_AT(structure, field, uint64_t), NULL, NULL
#define TO_SIZE(structure, field)   OPTION_SIZE, OPTION_AT(structure, field, uint64_t), NULL, NULL
#define TO_TIME(structure, field)   OPTION_TIME, OPTION_AT(structure, field, double), NULL, NULL
#define TO_TEXT(structure, field)   OPTION_TEXT, OPTION_AT(structure, field, const char *), NULL, NULL
#define TO_LIST(structure, field)                                                                  \
    OPTION_LIST, OPTION_AT(structure, field, struct word_list), NULL, NULL
#define TO_WORKERS(structure, field)                                                               \
    OPTION_WORKERS, OPTION_AT(structure, field, unsigned), NULL, NULL
#define TO_COLOR(structure, field)                                                                 \
    OPTION_COLOR, OPTION_AT(structure, field, enum color_when), NULL, NULL
#define TO_CALL(function) OPTION_CALL, 0, function, NULL
#define TO_TLC(function)  OPTION_TLC, 0, NULL, function
/* Rows that are no options. */
#define HEADING(text) {text, 0, NULL, NULL, OPTION_HEADING, 0, NULL, NULL, text, NULL}
#define OPTIONS_END   {NULL, 0, NULL, NULL, OPTION_HEADING, 0, NULL, NULL, NULL, NULL}

/* Does what the command line says to the structure `to`; argv[0] is the name of a command.
 * EXIT_OK, or EXIT_USAGE with a text. Lists come from the heap. */
int option_read(const struct option *options, int argc, char **argv, void *to,
                struct strbuf *wrong);
/* Says what is wrong with a command line, and where help is. EXIT_USAGE. */
int option_usage(FILE *err, const char *command, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int option_vusage(FILE *err, const char *command, const char *fmt, va_list ap)
    __attribute__((format(printf, 3, 0)));
/* The option that is nearest to a name that is none of them, or NULL. */
const struct option *option_near(const struct option *options, const char *name);

/* ---- the small languages in them ---- */
bool read_u64(const char *text, uint64_t *ret);   /* decimal, whole text */
bool read_count(const char *text, uint64_t *ret); /* not 0 */
bool read_i64(const char *text, int64_t *ret);
bool read_size(const char *text, uint64_t *ret);     /* 200M, 4G, 65536, 10GiB */
bool read_duration(const char *text, double *ret_s); /* 30, 30s, 5m, 2h */
bool read_workers(const char *text, unsigned *ret);  /* a number up to WORKERS_MOST, or auto */
enum { WORKERS_MOST = 1024 };
#define WORKERS_WANTED "auto or a number from 1 to 1024"
bool read_color(const char *text, enum color_when *ret);

/* ---- commands ---- */
/* argv[0] is its name. Returns the exit status. */
typedef int (*command_fn)(int argc, char **argv);
struct command {
    const char *name;
    command_fn run;
    const char *summary;   /* one line; NULL = not shown in the overview */
    const char *arguments; /* after the name; another way to call it after a newline */
    const char *about;     /* what it does, and its exit statuses; paragraphs; "    " begins a line
                              that stays as it is */
    const struct option *options;
};
/* Whether a table has options as TLC has them: one dash, which is part of the name. */
bool option_as_tlc(const struct option *options);
/* `assay help NAME` (help.c). */
void command_help(const struct command *command, struct strbuf *out);
/* From the table of commands, which ends with a row whose name is NULL: the manual page from its
 * template, or the completion of a shell (generate.c): man, bash, zsh, fish. False when there is no
 * such thing. */
bool command_generate(const struct command *commands, const char *what, struct str template,
                      struct strbuf *out);
