/* Private to the lang room. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "lang/lang.h"

enum lstep_kind { LSTEP_NAME, LSTEP_CALL, LSTEP_INDEX, LSTEP_KEY, LSTEP_RANGE, LSTEP_LIST };
struct lstep {
    enum lstep_kind kind;
    size_t at;       /* character of the text */
    struct str name; /* or the key */
    int64_t lo, hi;  /* of a range; hi INT64_MAX: to the end */
    bool maybe;      /* a name that not every object has */
    struct lstep *next;
};
struct lang_path {
    enum lang lang;
    struct str text;
    struct str instance; /* of <Class>; empty: steps begin with names */
    struct lstep *steps;
};

/* An object, or a value that stands in a field. */
struct lref {
    uint64_t addr; /* 0: null */
    char prim;     /* of Java: Z B C S I J F D; 0: an object */
    uint64_t bits;
};
struct lrefs {
    struct lref *v;
    size_t n, cap;
};
struct lreader {
    struct lang_runtime *runtime;
    const struct lang_memory *memory;
    struct dwarf_limits limits;
    struct arena *arena;
    struct err *err; /* never NULL */
    struct strbuf *steps;
    size_t values;
};

struct lang_ops {
    /* What the path begins with, and the step after it. */
    int (*root)(struct lreader *rd, const struct lang_path *path, const struct lstep **ret_rest,
                struct lref *ret);
    int (*member)(struct lreader *rd, struct lref at, struct str name, struct lref *ret);
    /* Elements of a sequence or a set; of a map its keys and values. ret_map: it is one. */
    int (*items)(struct lreader *rd, struct lref at, struct lrefs *ret_keys,
                 struct lrefs *ret_values, bool *ret_map);
    int (*value)(struct lreader *rd, struct lref at, unsigned depth, unsigned follow,
                 struct dwarf_value *ret);
    void (*type)(struct lreader *rd, struct lref at, struct strbuf *out);
};
enum { FOUND_MOST = 16 };
struct lfound { /* an instance, in one moment */
    uint64_t moment, addr;
    struct str name;
};
struct lang_runtime {
    enum lang lang;
    const struct lang_ops *ops;
    struct arena *arena;
    struct lfound found[FOUND_MOST];
    size_t next_found; /* to be replaced */
};

/* path.c */
MUST_USE int lread(struct lreader *rd, uint64_t addr, void *buf, size_t n);
MUST_USE int lread_word(struct lreader *rd, uint64_t addr, uint64_t *ret);
MUST_USE int lread_limit(struct lreader *rd, uint64_t more);
/* The instance that was found in this moment; 0: none was. */
uint64_t lfound_get(const struct lreader *rd, struct str name);
void lfound_put(struct lreader *rd, struct str name, uint64_t addr);
void lrefs_add(struct lreader *rd, struct lrefs *refs, struct lref ref);
void lread_utf8(struct strbuf *out, uint32_t c); /* a character as UTF-8 */
/* "No such thing", with what the step was. */
int lread_none(struct lreader *rd, const char *what, struct str name);
void lread_tell(struct lreader *rd, const char *what, struct str name, struct lref at);
/* Sorts what a set or a map holds. */
void lvalue_sort(struct dwarf_value *value);
/* Something without a value: "NAME" and why. */
int lvalue_opaque(struct lreader *rd, struct dwarf_value *ret, struct str name, const char *why);

/* symbol.c: a symbol of a mapped file whose name begins with one of these. */
MUST_USE int symbol_find(const struct lang_memory *memory, const char *const *files,
                         const char *name, uint64_t *ret, struct err *err);

/* python.c, java.c */
MUST_USE int python_open(const struct lang_memory *memory, struct arena *arena,
                         struct lang_runtime **ret, struct err *err);
MUST_USE int java_open(const struct lang_memory *memory, struct arena *arena,
                       struct lang_runtime **ret, struct err *err);
