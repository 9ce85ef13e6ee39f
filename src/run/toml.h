/* Reading the part of TOML that cluster files use: tables, arrays of tables, strings (plain,
 * literal and of several lines), whole and decimal numbers, booleans, arrays of strings or numbers,
 * comments. Inline tables, dates and dotted keys are refused by name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct arena;

enum toml_kind { TOML_STRING, TOML_NUMBER, TOML_BOOL, TOML_ARRAY };
struct toml_value {
    enum toml_kind kind;
    unsigned line;
    struct str text; /* of a string; of a number as written */
    double number;
    bool boolean;
    struct toml_value *items; /* of an array */
    size_t n;
};
struct toml_pair {
    struct str key;
    struct toml_value value;
    bool used; /* set by whoever understands it */
};
struct toml_table {
    struct str name; /* "" for what comes before the first header */
    bool element;    /* written [[name]] */
    unsigned line;
    struct toml_pair *pairs;
    size_t n, cap;
};
struct toml {
    struct toml_table *tables; /* in order */
    size_t n, cap;
};

/* Everything lives in the arena. Errors name the line. */
MUST_USE int toml_parse(struct arena *arena, struct str text, struct toml *ret, struct err *err);
struct toml_pair *toml_find(struct toml_table *table, const char *key); /* NULL when absent */
