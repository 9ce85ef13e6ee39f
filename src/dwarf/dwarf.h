/* Variables of a running program, by name, through its DWARF debug information.
 *
 *     struct dwarf *bin;             dwarf_open("/srv/raftkv", &bin, err)
 *     struct dwarf_path *path;       dwarf_path_new(bin, arena, STR("self.log[0..self.n].term"),
 * ...) struct dwarf_value *value;     dwarf_read(path, &memory, NULL, arena, &value, err)
 *
 * The room reads no process: memory comes through a callback, so that the engine, a debugger or a
 * test can supply it. Programs in C, C++, Go and Rust are understood.
 *
 * Paths (docs/VARIABLES.md):
 *     name                 a global or static variable; `ns::name`, `file.c:name`, `func::name`,
 * Go's `main.name`; between backquotes when it has other characters .member  ->member    a member;
 * both follow pointers; Rust's tuples have .0, .1 [i]                  an element of an array, a
 * pointer, a vector or a slice; [k], ["k"] of a map [lo..hi]             the elements lo to hi - 1
 * as an array; what follows applies to each
 *     [*]                  all elements
 *     @next                the list that begins here and goes on by the member `next`, as an array
 *     *path  (path)        what a pointer points to; grouping
 *     (type)path           the same bytes as another type
 * An index or a bound is a number or a path, or sums and differences of these.
 *
 * A `struct dwarf` and its paths belong to one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct arena;
struct dwarf;
struct dwarf_path;

enum dwarf_kind {
    DWARF_INT,     /* i */
    DWARF_UINT,    /* u */
    DWARF_FLOAT,   /* f */
    DWARF_BOOL,    /* u: 0 or 1 */
    DWARF_CHAR,    /* u: the code point; of C's `char` the byte */
    DWARF_ENUM,    /* i, and text: the name, empty when no enumerator has that value */
    DWARF_STRING,  /* text: the bytes */
    DWARF_STRUCT,  /* fields; type names it; of a Rust enum, text is the variant */
    DWARF_ARRAY,   /* items */
    DWARF_MAP,     /* items: key, value, key, value, ... sorted by key */
    DWARF_POINTER, /* u: the address; target when it was followed */
    DWARF_NULL,    /* a null pointer, Go's nil, an empty optional */
    DWARF_OPAQUE,  /* exists and cannot be shown: text says why */
};

struct dwarf_value {
    enum dwarf_kind kind;
    int64_t i;
    uint64_t u;
    double f;
    struct str text;
    struct str type; /* name of the type, may be empty */
    struct dwarf_value *items;
    struct dwarf_field *fields;
    size_t n; /* of items or of fields */
    struct dwarf_value *target;
};
struct dwarf_field {
    struct str name; /* members of anonymous members are listed as if they were the outer's */
    struct dwarf_value value;
};

struct dwarf_memory {
    /* Copies n bytes at an address of the process; 0, or anything else when it cannot. */
    int (*read)(void *arg, uint64_t addr, void *buf, size_t n);
    void *arg;
    uint64_t bias; /* what was added to the addresses of the file: see dwarf_load_bias */
    /* A line for each step of the path, with the type and the address that it has led to, as far as
     * it went; NULL: nobody asks. Of many places the first is told. */
    struct strbuf *steps;
};

/* What one read may produce; a zero means the default. Beyond it the read ends with ERR_LIMIT. */
struct dwarf_limits {
    size_t values;       /* values in the tree: 65536 */
    size_t string_bytes; /* bytes of one string: 1 MiB */
    unsigned depth;      /* members within members: 64 */
    unsigned follow;     /* pointers within the result that are followed, one behind the other: 1 */
};

/* Opens a program or a shared library. Its debug information may be in a file of its own, found by
 * build-id or debug link below /usr/lib/debug or beside the program. ERR_UNSUPPORTED, with advice,
 * when there is none. */
MUST_USE int dwarf_open(const char *path, struct dwarf **ret, struct err *err);
void dwarf_close(struct dwarf *bin); /* accepts NULL; paths and types of it are gone */

/* The difference between addresses in memory and addresses in the file, from the text of
 * /proc/PID/maps. `path` is the name of the mapping, NULL for the name given to dwarf_open. */
MUST_USE int dwarf_load_bias(const struct dwarf *bin, struct str maps, const char *path,
                             uint64_t *ret_bias, struct err *err);

/* Parses a path, finds its variables and checks the members it names, as far as types tell. The
 * result lives in the arena, and until dwarf_close. Errors say at which character. */
MUST_USE int dwarf_path_new(struct dwarf *bin, struct arena *arena, struct str text,
                            struct dwarf_path **ret, struct err *err);
/* Reads what the path denotes now. The value lives in the arena. */
MUST_USE int dwarf_read(const struct dwarf_path *path, const struct dwarf_memory *memory,
                        const struct dwarf_limits *limits, struct arena *arena,
                        struct dwarf_value **ret, struct err *err);
/* Something that could be read: a variable, or a member of one. */
struct dwarf_item {
    struct str path;      /* for dwarf_path_new */
    enum dwarf_kind kind; /* of its value, as far as the type tells */
    struct str type;      /* its name, or that of the elements; may be empty */
    const struct str *names;
    size_t n_names; /* of the enumerators */
};
typedef void (*dwarf_item_fn)(void *arg, const struct dwarf_item *item);
/* Calls fn for global and static variables with a place, and members up to four deep, through
 * pointers to structures, in the order of the debug information. ERR_LIMIT after `most` of them. */
MUST_USE int dwarf_list(struct dwarf *bin, struct arena *arena, size_t most, dwarf_item_fn fn,
                        void *arg, struct err *err);
/* An order of values: by kind first; maps and sets are sorted by it. */
int dwarf_value_cmp(const struct dwarf_value *a, const struct dwarf_value *b);
/* {a: 1, b: "x"}, [1, 2], FOLLOWER, 0x7f..; one line. */
void dwarf_value_print(struct strbuf *out, const struct dwarf_value *value);
