/* Reading the part of TOML that cluster and mapping files use: tables, arrays of tables, strings
 * (plain, literal and of several lines), whole and decimal numbers, booleans, arrays, tables in
 * braces, comments. Names with dots are for headers only: [a.b] is a table named "a.b". Dates are
 * refused. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/near.h"
#include "base/str.h"

struct arena;

enum toml_kind { TOML_STRING, TOML_NUMBER, TOML_BOOL, TOML_ARRAY, TOML_TABLE };
struct toml_table;
struct toml_value {
    enum toml_kind kind;
    unsigned line;
    size_t begin, end; /* offsets of the value; of a string: of what is between the quotes */
    struct str text;   /* of a string; of a number as written */
    double number;
    bool boolean;
    struct toml_value *items; /* of an array */
    size_t n;
    struct toml_table *table; /* of a table in braces */
};
struct toml_pair {
    struct str key;
    size_t begin, end; /* offsets of the key */
    struct toml_value value;
    bool used; /* set by whoever understands it */
    struct near
        near; /* of a key that nobody understood: the nearest of those that were looked for */
};
struct toml_table {
    struct str name; /* "" for what comes before the first header */
    bool element;    /* written [[name]] */
    unsigned line;
    size_t begin, end; /* offsets of the header */
    struct toml_pair *pairs;
    size_t n, cap;
};
struct toml {
    struct toml_table *tables; /* in order */
    size_t n, cap;
};

/* Everything lives in the arena. Errors name the line. */
MUST_USE int toml_parse(struct arena *arena, struct str text, struct toml *ret, struct err *err);
/* NULL when absent. The key, a literal, is one that may have been meant by those that nobody
 * understands. */
struct toml_pair *toml_find(struct toml_table *table, const char *key);
/* Adds "; did you mean 'x'?" when something is near to the key. */
void toml_near(const struct toml_pair *pair, struct strbuf *out);
