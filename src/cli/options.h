/* Options as data. The table of a command's options, in the command's file, is the only place that
 * knows them: the command line is parsed by it, `assay help`, the manual page and the completions
 * of three shells are written from it (help.c, generate.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

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

extern const struct option options_of_check[], options_of_eval[], options_of_repl[],
    options_of_parse[], options_of_tlc[], options_of_rank[], options_of_run[], options_of_replay[],
    options_of_shrink[], options_of_conform[], options_of_confirm[], options_of_test[],
    options_of_init[], options_of_history[], options_of_explore[], options_of_client[],
    options_of_help[], options_of_pluscal[], options_of_watch[], options_of_view[];

/* Does what the command line says to the structure `to`; argv[0] is the name of a command.
 * EXIT_OK, or EXIT_USAGE after a message. */
int options_parse(const struct option *options, int argc, char **argv, void *to);
/* The option that is nearest to a name that is none of them, or NULL. */
const struct option *option_near(const struct option *options, const char *name);
