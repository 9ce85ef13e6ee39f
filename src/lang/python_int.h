/* Private to the two files of Python: its objects, as CPython 3.11 lays them out (64 bits). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "lang/lang_int.h"

enum pkind {
    PY_NONE,
    PY_BOOL,
    PY_INT,
    PY_FLOAT,
    PY_STR,
    PY_BYTES,
    PY_LIST,
    PY_TUPLE,
    PY_DICT,
    PY_SET,
    PY_DEQUE,
    PY_ENUM,
    PY_CELL,
    PY_MODULE,
    PY_TYPE,
    PY_CODE, /* functions, methods */
    PY_OBJECT
};
struct ptype {
    uint64_t addr, base, dict, flags;
    int64_t dict_offset, basic_size, item_size;
    enum pkind kind;
    struct str name;
};
struct pdict {                /* the entries of a dictionary, or of an object's attributes */
    uint64_t entries, values; /* values: beside the keys; 0: within the entries */
    size_t n, entry_bytes, key_at;
};

/* python_object.c */
MUST_USE int python_type(struct lreader *rd, uint64_t object, struct ptype *ret);
MUST_USE int python_type_at(struct lreader *rd, uint64_t type, struct ptype *ret);
MUST_USE int python_text(struct lreader *rd, uint64_t object, struct str *ret);
bool python_text_is(struct lreader *rd, uint64_t object, struct str text);
MUST_USE int python_dict(struct lreader *rd, uint64_t dict, struct pdict *ret);
/* Entry i: 1; 0: it is free. */
int python_entry(struct lreader *rd, const struct pdict *dict, size_t i, uint64_t *ret_key,
                 uint64_t *ret_value);
/* The value of a key that is a text: 1; 0: none. */
int python_lookup(struct lreader *rd, uint64_t dict, struct str key, uint64_t *ret);
/* Whether the type or one that it is derived from has the name. */
bool python_derives(struct lreader *rd, uint64_t type, struct str name);
MUST_USE int python_items(struct lreader *rd, struct lref at, struct lrefs *ret_keys,
                          struct lrefs *ret_values, bool *ret_map);
MUST_USE int python_member(struct lreader *rd, struct lref at, struct str name, struct lref *ret);
MUST_USE int python_value(struct lreader *rd, struct lref at, unsigned depth, unsigned follow,
                          struct dwarf_value *ret);
