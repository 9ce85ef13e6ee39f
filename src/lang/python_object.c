/* Objects of CPython 3.11: what their types are, dictionaries, attributes, texts and numbers, and
 * all of it as values.
 *
 * Attributes of an instance are in a dictionary, or in an array of values beside the keys that all
 * instances of the class share ("managed": both stand in front of the object), or in slots. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "dwarf/dwarf.h"
#include "lang/lang_int.h"
#include "lang/python_int.h"

enum {
    OBJECT_TYPE = 8,
    OBJECT_SIZE = 16,
    TYPE_NAME = 24,
    TYPE_BASIC_SIZE = 32,
    TYPE_ITEM_SIZE = 40,
    TYPE_FLAGS = 168,
    TYPE_BASE = 256,
    TYPE_DICT = 264,
    TYPE_DICT_OFFSET = 288,
    TYPE_MRO = 344,
    TYPE_KEYS = 872, /* of a class: the shared keys */
    DICT_KEYS = 32,
    DICT_VALUES = 40,
    KEYS_LOG2_INDEX_BYTES = 9,
    KEYS_KIND = 10,
    KEYS_N = 24,
    KEYS_INDICES = 32,
    TEXT_LENGTH = 16,
    TEXT_STATE = 32,
    TEXT_ASCII = 48,
    TEXT_COMPACT = 72,
    NUMBER_DIGITS = 24,
    LIST_ITEMS = 24, /* a pointer; of a tuple the items themselves */
    SET_USED = 24,
    SET_MASK = 32,
    SET_TABLE = 40,
    DEQUE_LEFT = 24,
    DEQUE_LEFT_INDEX = 40,
    DEQUE_BLOCK = 64, /* items of a block, between two links */
    FLOAT_VALUE = 16,
    BYTES_VALUE = 32,
    MEMBER_DEF = 40, /* of a member descriptor */
    MEMBER_TYPE = 8,
    MEMBER_OFFSET = 16,
    GETTER_INDEX = 16,  /* of a field of a named tuple */
    VALUES_BEFORE = 32, /* managed attributes: in front of the object */
    DICT_BEFORE = 24
};
#define FLAG_MANAGED (UINT64_C(1) << 4)
#define FLAG_HEAP    (UINT64_C(1) << 9) /* a class of the program's */
#define FLAG_INT     (UINT64_C(1) << 24)
#define FLAG_LIST    (UINT64_C(1) << 25)
#define FLAG_TUPLE   (UINT64_C(1) << 26)
#define FLAG_BYTES   (UINT64_C(1) << 27)
#define FLAG_STR     (UINT64_C(1) << 28)
#define FLAG_DICT    (UINT64_C(1) << 29)
#define FLAG_TYPE    (UINT64_C(1) << 31)
enum { BASES_MOST = 64, NAME_MOST = 200, DIGITS_MOST = 64 };

/* ---- types ---- */

static int c_text(struct lreader *rd, uint64_t addr, struct str *ret)
{
    char buf[NAME_MOST];
    size_t n = 0;
    for (; n < sizeof buf; n++) { /* a name may stand at the end of memory */
        int status = lread(rd, addr + n, &buf[n], 1);
        if (status != 0) {
            return status;
        }
        if (buf[n] == '\0') {
            break;
        }
    }
    *ret = str_dup(rd->arena, (struct str){buf, n});
    return 0;
}

static bool ends_with(struct str name, const char *end)
{
    size_t n = strlen(end);
    return name.n >= n && memcmp(name.p + name.n - n, end, n) == 0;
}

/* "Counter" or "module.Counter"; names of types of C have their module before them. */
static bool name_fits(struct lreader *rd, const struct ptype *type, struct str name)
{
    const char *dot = memrchr(name.p, '.', name.n);
    uint64_t module = 0;
    if (str_eq(type->name, name)) {
        return true;
    }
    if (dot == NULL) {
        return false;
    }
    struct str last = {dot + 1, name.n - (size_t)(dot + 1 - name.p)};
    return str_eq(type->name, last) &&
           python_lookup(rd, type->dict, STR("__module__"), &module) == 1 &&
           python_text_is(rd, module, (struct str){name.p, (size_t)(dot - name.p)});
}

static enum pkind kind_by_flags(uint64_t flags)
{
    return (flags & FLAG_INT) != 0     ? PY_INT
           : (flags & FLAG_STR) != 0   ? PY_STR
           : (flags & FLAG_LIST) != 0  ? PY_LIST
           : (flags & FLAG_TUPLE) != 0 ? PY_TUPLE
           : (flags & FLAG_DICT) != 0  ? PY_DICT
           : (flags & FLAG_BYTES) != 0 ? PY_BYTES
           : (flags & FLAG_TYPE) != 0  ? PY_TYPE
                                       : PY_OBJECT;
}

static int read_type(struct lreader *rd, uint64_t addr, struct ptype *ret)
{
    uint64_t name = 0;
    *ret = (struct ptype){.addr = addr};
    int status = lread_word(rd, addr + TYPE_NAME, &name);
    status = status != 0 ? status : c_text(rd, name, &ret->name);
    status = status != 0 ? status : lread_word(rd, addr + TYPE_BASE, &ret->base);
    status = status != 0 ? status : lread_word(rd, addr + TYPE_DICT, &ret->dict);
    status = status != 0 ? status : lread_word(rd, addr + TYPE_FLAGS, &ret->flags);
    status = status != 0 ? status
                         : lread(rd, addr + TYPE_DICT_OFFSET, &ret->dict_offset, sizeof(int64_t));
    status =
        status != 0 ? status : lread(rd, addr + TYPE_BASIC_SIZE, &ret->basic_size, sizeof(int64_t));
    return status != 0 ? status
                       : lread(rd, addr + TYPE_ITEM_SIZE, &ret->item_size, sizeof(int64_t));
}

/* What a type is by its name. */
static bool kind_by_name(struct str name, enum pkind *ret)
{
    static const struct {
        const char *name;
        enum pkind kind;
    } names[] = {
        {"NoneType",                   PY_NONE  },
        {"bool",                       PY_BOOL  },
        {"float",                      PY_FLOAT },
        {"set",                        PY_SET   },
        {"frozenset",                  PY_SET   },
        {"collections.deque",          PY_DEQUE },
        {"Enum",                       PY_ENUM  },
        {"cell",                       PY_CELL  },
        {"module",                     PY_MODULE},
        {"function",                   PY_CODE  },
        {"method",                     PY_CODE  },
        {"builtin_function_or_method", PY_CODE  },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (str_is(name, names[i].name)) {
            *ret = names[i].kind;
            return true;
        }
    }
    return false;
}

/* The i-th class in which Python looks for attributes: 1; 0: there is none. */
static int class_at(struct lreader *rd, uint64_t type, uint64_t i, uint64_t *ret)
{
    uint64_t mro = 0, n = 0;
    int status = lread_word(rd, type + TYPE_MRO, &mro);
    if (status != 0 || mro == 0 || i >= BASES_MOST) {
        return status;
    }
    status = lread_word(rd, mro + OBJECT_SIZE, &n);
    if (status != 0 || i >= n) {
        return status;
    }
    status = lread_word(rd, mro + LIST_ITEMS + 8 * i, ret);
    return status != 0 ? status : 1;
}

int python_type_at(struct lreader *rd, uint64_t type, struct ptype *ret)
{
    enum pkind kind = PY_OBJECT;
    int status = read_type(rd, type, ret);
    if (status != 0) {
        return status;
    }
    ret->kind = kind_by_flags(ret->flags);
    if ((ret->flags & FLAG_HEAP) == 0) {
        ret->kind = kind_by_name(ret->name, &kind) ? kind : ret->kind;
        return 0;
    }
    for (uint64_t i = 0;; i++) {
        uint64_t base = 0;
        struct ptype at;
        int more = class_at(rd, type, i, &base);
        status = more == 1 ? read_type(rd, base, &at) : more;
        if (status != 0 || more == 0) {
            return status;
        }
        if (kind_by_name(at.name, &kind)) {
            ret->kind = kind;
            if (kind == PY_ENUM) {
                return 0;
            }
        }
    }
}

int python_type(struct lreader *rd, uint64_t object, struct ptype *ret)
{
    uint64_t type = 0;
    int status = lread_word(rd, object + OBJECT_TYPE, &type);
    return status != 0 ? status : python_type_at(rd, type, ret);
}

bool python_derives(struct lreader *rd, uint64_t type, struct str name)
{
    struct ptype at;
    uint64_t base = 0;
    for (uint64_t i = 0; class_at(rd, type, i, &base) == 1; i++) {
        if (read_type(rd, base, &at) == 0 && name_fits(rd, &at, name)) {
            return true;
        }
    }
    return false;
}

/* ---- texts and numbers ---- */

int python_text(struct lreader *rd, uint64_t object, struct str *ret)
{
    uint64_t n = 0, data = 0;
    uint32_t state = 0;
    int status = lread_word(rd, object + TEXT_LENGTH, &n);
    status = status != 0 ? status : lread(rd, object + TEXT_STATE, &state, sizeof state);
    if (status != 0) {
        return status;
    }
    unsigned width = state >> 2 & 7; /* interned: 2 bits, then kind, compact, ascii */
    bool compact = (state >> 5 & 1) != 0, ascii = (state >> 6 & 1) != 0;
    if ((width != 1 && width != 2 && width != 4) || n > rd->limits.string_bytes) {
        return err_set(rd->err, n > rd->limits.string_bytes ? ERR_LIMIT : ERR_CORRUPT, 0,
                       "a text of %" PRIu64 " characters of %u bytes", n, width);
    }
    data = object + (ascii ? TEXT_ASCII : TEXT_COMPACT);
    if (!compact) {
        status = lread_word(rd, object + TEXT_COMPACT, &data);
    }
    uint8_t *bytes = arena_alloc(rd->arena, n * width + 1);
    status = status != 0 || n == 0 ? status : lread(rd, data, bytes, n * width);
    if (status != 0) {
        return status;
    }
    if (ascii) {
        *ret = (struct str){(const char *)bytes, n};
        return 0;
    }
    struct strbuf out = {.arena = rd->arena};
    for (uint64_t i = 0; i < n; i++) {
        uint32_t c = 0;
        memcpy(&c, bytes + i * width, width);
        lread_utf8(&out, c);
    }
    *ret = strbuf_str(&out);
    return 0;
}

bool python_text_is(struct lreader *rd, uint64_t object, struct str text)
{
    uint64_t n = 0;
    struct str got;
    struct err before = *rd->err;
    /* Most differ in their length already; a character has 4 bytes at most. */
    bool same = lread_word(rd, object + TEXT_LENGTH, &n) == 0 && n <= text.n && text.n <= 4 * n &&
                python_text(rd, object, &got) == 0 && str_eq(got, text);
    if (!same) {
        *rd->err = before;
    }
    return same;
}

/* Digits of 30 bits. */
static int read_int(struct lreader *rd, uint64_t object, struct dwarf_value *ret)
{
    int64_t size = 0;
    uint32_t digits[DIGITS_MOST];
    unsigned __int128 sum = 0;
    int status = lread(rd, object + OBJECT_SIZE, &size, sizeof size);
    if (status != 0) {
        return status;
    }
    uint64_t n = size < 0 ? 0 - (uint64_t)size : (uint64_t)size;
    if (n > 3) {
        return lvalue_opaque(rd, ret, STR(""), "a number of more than 64 bits");
    }
    status = n == 0 ? 0 : lread(rd, object + NUMBER_DIGITS, digits, n * sizeof digits[0]);
    for (uint64_t i = n; status == 0 && i-- > 0;) {
        sum = sum << 30 | (digits[i] & 0x3fffffff);
    }
    if (status != 0) {
        return status;
    }
    bool fits = size < 0 ? sum <= (unsigned __int128)1 << 63 : sum <= UINT64_MAX;
    if (!fits) {
        return lvalue_opaque(rd, ret, STR(""), "a number of more than 64 bits");
    }
    ret->kind = sum > INT64_MAX && size > 0 ? DWARF_UINT : DWARF_INT;
    ret->u = (uint64_t)sum;
    ret->i = size < 0 ? (int64_t)(0 - (uint64_t)sum) : (int64_t)(uint64_t)sum;
    return 0;
}

/* ---- dictionaries ---- */

static int read_keys(struct lreader *rd, uint64_t keys, struct pdict *ret)
{
    uint8_t log2 = 0, kind = 0;
    uint64_t n = 0;
    int status = lread(rd, keys + KEYS_LOG2_INDEX_BYTES, &log2, 1);
    status = status != 0 ? status : lread(rd, keys + KEYS_KIND, &kind, 1);
    status = status != 0 ? status : lread_word(rd, keys + KEYS_N, &n);
    if (status != 0) {
        return status;
    }
    if (log2 > 40 || kind > 2 || n > (UINT64_C(1) << log2)) {
        return err_set(rd->err, ERR_CORRUPT, 0, "a dictionary is damaged");
    }
    *ret = (struct pdict){.entries = keys + KEYS_INDICES + (UINT64_C(1) << log2),
                          .n = n,
                          .entry_bytes = kind == 0 ? 24 : 16,
                          .key_at = kind == 0 ? 8 : 0};
    return 0;
}

int python_dict(struct lreader *rd, uint64_t dict, struct pdict *ret)
{
    uint64_t keys = 0, values = 0;
    int status = lread_word(rd, dict + DICT_KEYS, &keys);
    status = status != 0 ? status : lread_word(rd, dict + DICT_VALUES, &values);
    status = status != 0 ? status : read_keys(rd, keys, ret);
    ret->values = values;
    return status;
}

int python_entry(struct lreader *rd, const struct pdict *dict, size_t i, uint64_t *ret_key,
                 uint64_t *ret_value)
{
    uint64_t words[2];
    int status =
        lread(rd, dict->entries + i * dict->entry_bytes + dict->key_at, words, sizeof words);
    if (status == 0 && dict->values != 0) {
        status = lread_word(rd, dict->values + 8 * i, &words[1]);
    }
    *ret_key = words[0];
    *ret_value = words[1];
    return status != 0 ? status : words[0] != 0 && words[1] != 0 ? 1 : 0;
}

static int find_entry(struct lreader *rd, const struct pdict *dict, struct str key, uint64_t *ret)
{
    for (size_t i = 0; i < dict->n; i++) {
        uint64_t k = 0, value = 0;
        int there = python_entry(rd, dict, i, &k, &value);
        if (there < 0) {
            return there;
        }
        if (there == 1 && python_text_is(rd, k, key)) {
            *ret = value;
            return 1;
        }
    }
    return 0;
}

int python_lookup(struct lreader *rd, uint64_t dict, struct str key, uint64_t *ret)
{
    struct pdict entries;
    if (dict == 0) {
        return 0;
    }
    int status = python_dict(rd, dict, &entries);
    return status != 0 ? status : find_entry(rd, &entries, key, ret);
}

/* ---- attributes ---- */

/* Where an object keeps its attributes: 1; 0: it has none of its own. */
static int own_attributes(struct lreader *rd, uint64_t object, const struct ptype *type,
                          struct pdict *ret)
{
    uint64_t dict = 0, values = 0, keys = 0;
    int64_t size = 0;
    int status = 0;
    if ((type->flags & FLAG_MANAGED) != 0) {
        status = lread_word(rd, object - VALUES_BEFORE, &values);
        status = status != 0 ? status : lread_word(rd, object - DICT_BEFORE, &dict);
        if (status == 0 && values != 0) {
            status = lread_word(rd, type->addr + TYPE_KEYS, &keys);
            status = status != 0 ? status : read_keys(rd, keys, ret);
            ret->values = values;
            return status != 0 ? status : 1;
        }
    } else if (type->dict_offset > 0) {
        status = lread_word(rd, object + (uint64_t)type->dict_offset, &dict);
    } else if (type->dict_offset < 0) { /* behind a part of variable size */
        status = lread(rd, object + OBJECT_SIZE, &size, sizeof size);
        uint64_t n = size < 0 ? 0 - (uint64_t)size : (uint64_t)size;
        uint64_t bytes = (uint64_t)type->basic_size + n * (uint64_t)type->item_size;
        bytes = (bytes + 7) & ~UINT64_C(7);
        status = status != 0 ? status
                             : lread_word(rd, object + bytes + (uint64_t)type->dict_offset, &dict);
    }
    if (status != 0 || dict == 0) {
        return status;
    }
    status = python_dict(rd, dict, ret);
    return status != 0 ? status : 1;
}

/* What a class has under a name: a slot, a field of a named tuple, or a value. */
static int class_attribute(struct lreader *rd, uint64_t object, uint64_t found, struct str name,
                           struct lref *ret)
{
    struct ptype type;
    uint64_t member = 0, offset = 0, index = 0;
    int status = python_type(rd, found, &type);
    if (status != 0) {
        return status;
    }
    if (str_is(type.name, "property") || str_is(type.name, "cached_property") ||
        str_is(type.name, "getset_descriptor")) {
        return lread_none(rd, "it is computed by the program: the property", name);
    }
    if (str_is(type.name, "member_descriptor")) {
        uint32_t kind = 0;
        status = lread_word(rd, found + MEMBER_DEF, &member);
        status = status != 0 ? status : lread(rd, member + MEMBER_TYPE, &kind, sizeof kind);
        status = status != 0 ? status : lread_word(rd, member + MEMBER_OFFSET, &offset);
        if (status == 0 && kind != 6 && kind != 16) {
            return lread_none(rd, "it is no object: the member", name);
        }
        status = status != 0 ? status : lread_word(rd, object + offset, &found);
    } else if (ends_with(type.name, "_tuplegetter")) {
        status = lread_word(rd, found + GETTER_INDEX, &index);
        status = status != 0 ? status : lread_word(rd, object + LIST_ITEMS + 8 * index, &found);
    }
    if (status == 0 && found == 0) {
        return lread_none(rd, "it has no value: the slot", name);
    }
    *ret = (struct lref){.addr = found};
    return status;
}

/* In the classes of the object, in the order in which Python looks: 1, 0 or negative. */
static int in_classes(struct lreader *rd, const struct ptype *type, struct str name, uint64_t *ret)
{
    for (uint64_t i = 0;; i++) {
        uint64_t class = 0, dict = 0;
        int more = class_at(rd, type->addr, i, &class);
        int status = more == 1 ? lread_word(rd, class + TYPE_DICT, &dict) : more;
        if (status != 0 || more == 0) {
            return status;
        }
        status = python_lookup(rd, dict, name, ret);
        if (status != 0) {
            return status;
        }
    }
}

int python_member(struct lreader *rd, struct lref at, struct str name, struct lref *ret)
{
    struct ptype type;
    struct pdict own;
    uint64_t found = 0;
    int status = python_type(rd, at.addr, &type);
    int there = status != 0 ? status : own_attributes(rd, at.addr, &type, &own);
    there = there != 1 ? there : find_entry(rd, &own, name, &found);
    if (there == 1) {
        *ret = (struct lref){.addr = found};
        return 0;
    }
    if (there == 0 && type.kind == PY_TYPE) { /* of a class itself */
        struct ptype self;
        status = python_type_at(rd, at.addr, &self);
        there = status != 0 ? status : in_classes(rd, &self, name, &found);
        if (there == 1) {
            *ret = (struct lref){.addr = found};
            return 0;
        }
    }
    there = there != 0 ? there : in_classes(rd, &type, name, &found);
    if (there < 0) {
        return there;
    }
    if (there == 1) {
        return class_attribute(rd, at.addr, found, name, ret);
    }
    /* What is None now may be something later. */
    return err_set(rd->err, type.kind == PY_NONE ? ERR_NOT_FOUND : ERR_INVALID, 0,
                   "a %.*s has no attribute %.*s", STR_ARG(type.name), STR_ARG(name));
}

/* ---- elements ---- */

static int list_items(struct lreader *rd, uint64_t items, uint64_t n, struct lrefs *ret)
{
    int status = lread_limit(rd, n);
    for (uint64_t i = 0; status == 0 && i < n; i++) {
        uint64_t item = 0;
        status = lread_word(rd, items + 8 * i, &item);
        if (status == 0) {
            lrefs_add(rd, ret, (struct lref){.addr = item});
        }
    }
    return status;
}

/* A free place has no key, one that was left has a hash of -1. */
static int set_items(struct lreader *rd, uint64_t set, struct lrefs *ret)
{
    uint64_t mask = 0, table = 0, used = 0;
    int status = lread_word(rd, set + SET_MASK, &mask);
    status = status != 0 ? status : lread_word(rd, set + SET_TABLE, &table);
    status = status != 0 ? status : lread_word(rd, set + SET_USED, &used);
    status = status != 0 ? status : lread_limit(rd, used);
    if (status == 0 && mask > 64 * (used + 64)) {
        return err_set(rd->err, ERR_CORRUPT, 0, "a set is damaged");
    }
    for (uint64_t i = 0; status == 0 && i <= mask; i++) {
        uint64_t entry[2];
        status = lread(rd, table + 16 * i, entry, sizeof entry);
        if (status == 0 && entry[0] != 0 && entry[1] != UINT64_MAX) {
            lrefs_add(rd, ret, (struct lref){.addr = entry[0]});
        }
    }
    return status;
}

static int deque_items(struct lreader *rd, uint64_t deque, uint64_t n, struct lrefs *ret)
{
    uint64_t block = 0, at = 0;
    int status = lread_word(rd, deque + DEQUE_LEFT, &block);
    status = status != 0 ? status : lread_word(rd, deque + DEQUE_LEFT_INDEX, &at);
    status = status != 0 ? status : lread_limit(rd, n);
    for (uint64_t i = 0; status == 0 && i < n; i++, at++) {
        uint64_t item = 0;
        if (at >= DEQUE_BLOCK) {
            status = lread_word(rd, block + 8 * (DEQUE_BLOCK + 1), &block);
            at = 0;
        }
        status = status != 0 ? status : lread_word(rd, block + 8 + 8 * at, &item);
        if (status == 0) {
            lrefs_add(rd, ret, (struct lref){.addr = item});
        }
    }
    return status;
}

static int dict_items(struct lreader *rd, uint64_t object, struct lrefs *keys, struct lrefs *values)
{
    struct pdict dict;
    int status = python_dict(rd, object, &dict);
    status = status != 0 ? status : lread_limit(rd, dict.n);
    for (size_t i = 0; status == 0 && i < dict.n; i++) {
        uint64_t key = 0, value = 0;
        int there = python_entry(rd, &dict, i, &key, &value);
        if (there == 1) {
            lrefs_add(rd, keys, (struct lref){.addr = key});
            lrefs_add(rd, values, (struct lref){.addr = value});
        }
        status = there < 0 ? there : 0;
    }
    return status;
}

int python_items(struct lreader *rd, struct lref at, struct lrefs *keys, struct lrefs *values,
                 bool *map)
{
    struct ptype type;
    uint64_t n = 0, items = 0;
    int status = python_type(rd, at.addr, &type);
    *map = false;
    if (status != 0) {
        return status;
    }
    switch (type.kind) {
    case PY_DICT: *map = true; return dict_items(rd, at.addr, keys, values);
    case PY_SET: return set_items(rd, at.addr, values);
    case PY_LIST:
        status = lread_word(rd, at.addr + OBJECT_SIZE, &n);
        status = status != 0 ? status : lread_word(rd, at.addr + LIST_ITEMS, &items);
        return status != 0 ? status : list_items(rd, items, n, values);
    case PY_TUPLE:
        status = lread_word(rd, at.addr + OBJECT_SIZE, &n);
        return status != 0 ? status : list_items(rd, at.addr + LIST_ITEMS, n, values);
    case PY_DEQUE:
        status = lread_word(rd, at.addr + OBJECT_SIZE, &n);
        return status != 0 ? status : deque_items(rd, at.addr, n, values);
    default: return lread_none(rd, "it has no elements: a", type.name);
    }
}

/* ---- values ---- */

static int read_bytes(struct lreader *rd, uint64_t object, struct dwarf_value *ret)
{
    uint64_t n = 0;
    int status = lread_word(rd, object + OBJECT_SIZE, &n);
    if (status == 0 && n > rd->limits.string_bytes) {
        status = err_set(rd->err, ERR_LIMIT, 0, "%" PRIu64 " bytes", n);
    }
    if (status != 0) {
        return status;
    }
    char *bytes = arena_alloc(rd->arena, n + 1);
    ret->kind = DWARF_STRING;
    ret->text = (struct str){bytes, n};
    return n == 0 ? 0 : lread(rd, object + BYTES_VALUE, bytes, n);
}

static int read_all(struct lreader *rd, struct lref at, unsigned depth, unsigned follow,
                    struct dwarf_value *ret)
{
    struct lrefs keys = {0}, values = {0};
    bool map = false;
    int status = python_items(rd, at, &keys, &values, &map);
    size_t each = map ? 2 : 1;
    ret->kind = map ? DWARF_MAP : DWARF_ARRAY;
    ret->n = each * values.n;
    ret->items = ARENA_ARRAY(rd->arena, struct dwarf_value, ret->n + 1);
    for (size_t i = 0; status == 0 && i < values.n; i++) {
        if (map) {
            status = python_value(rd, keys.v[i], depth + 1, follow, &ret->items[2 * i]);
        }
        status = status != 0 ? status
                             : python_value(rd, values.v[i], depth + 1, follow,
                                            &ret->items[each * i + each - 1]);
    }
    return status;
}

/* The attributes of its own; those of slots have to be named. */
static int read_object(struct lreader *rd, uint64_t object, const struct ptype *type,
                       unsigned depth, unsigned follow, struct dwarf_value *ret)
{
    struct pdict own = {0};
    if (follow == 0) {
        return lvalue_opaque(rd, ret, type->name, ": an object; name its attribute");
    }
    int status = own_attributes(rd, object, type, &own);
    status = status < 0 ? status : lread_limit(rd, own.n);
    ret->kind = DWARF_STRUCT;
    ret->type = type->name;
    ret->fields = ARENA_ARRAY(rd->arena, struct dwarf_field, status == 0 ? own.n + 1 : 1);
    for (size_t i = 0; status == 0 && i < own.n; i++) {
        uint64_t key = 0, value = 0;
        int there = python_entry(rd, &own, i, &key, &value);
        struct dwarf_field *field = &ret->fields[ret->n];
        if (there == 1) {
            status = python_text(rd, key, &field->name);
            status = status != 0 ? status
                                 : python_value(rd, (struct lref){.addr = value}, depth + 1,
                                                follow - 1, &field->value);
            ret->n++;
        }
        status = there < 0 ? there : status;
    }
    return status;
}

/* A member of an enumeration is its name. */
static int read_enum(struct lreader *rd, struct lref at, struct dwarf_value *ret)
{
    struct lref name = {0};
    int status = python_member(rd, at, STR("_name_"), &name);
    ret->kind = DWARF_STRING;
    return status != 0 ? status : python_text(rd, name.addr, &ret->text);
}

int python_value(struct lreader *rd, struct lref at, unsigned depth, unsigned follow,
                 struct dwarf_value *ret)
{
    struct ptype type;
    uint64_t bits = 0;
    *ret = (struct dwarf_value){0};
    int status = lread_limit(rd, 1);
    if (depth > rd->limits.depth) {
        return lvalue_opaque(rd, ret, STR(""), "nested too deeply");
    }
    status = status != 0 ? status : python_type(rd, at.addr, &type);
    if (status != 0) {
        return status;
    }
    ret->type = type.name;
    switch (type.kind) {
    case PY_NONE: ret->kind = DWARF_NULL; return 0;
    case PY_BOOL:
        status = lread_word(rd, at.addr + OBJECT_SIZE, &bits);
        ret->kind = DWARF_BOOL;
        ret->u = bits != 0 ? 1 : 0;
        return status;
    case PY_INT: return read_int(rd, at.addr, ret);
    case PY_FLOAT:
        ret->kind = DWARF_FLOAT;
        return lread(rd, at.addr + FLOAT_VALUE, &ret->f, sizeof ret->f);
    case PY_STR: ret->kind = DWARF_STRING; return python_text(rd, at.addr, &ret->text);
    case PY_BYTES: return read_bytes(rd, at.addr, ret);
    case PY_ENUM: return read_enum(rd, at, ret);
    case PY_LIST:
    case PY_TUPLE:
    case PY_DEQUE: return read_all(rd, at, depth, follow, ret);
    case PY_DICT:
    case PY_SET:
        status = read_all(rd, at, depth, follow, ret);
        if (status == 0) {
            lvalue_sort(ret);
        }
        return status;
    case PY_OBJECT: return read_object(rd, at.addr, &type, depth, follow, ret);
    case PY_CELL:
    case PY_MODULE:
    case PY_TYPE:
    case PY_CODE: return lvalue_opaque(rd, ret, type.name, ": it has no value to show");
    }
    return 0;
}
