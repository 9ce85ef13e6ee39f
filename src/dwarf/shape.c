/* What structures of known libraries mean: strings, vectors, slices, deques, lists, optionals, and
 * wrappers that stand for their only content (atomics, smart pointers).
 *
 * They are recognised by the names of their members, not by offsets, which come from the debug
 * information: libstdc++, the Go runtime, Rust's standard library. A layout that does not have the
 * members expected is shown as a plain structure, or refused with the name of the missing member.
 */
#include <dwarf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "dwarf/dwarf.h"
#include "dwarf/dwarf_int.h"

static bool starts(struct str text, const char *prefix)
{
    size_t n = strlen(prefix);
    return text.n >= n && memcmp(text.p, prefix, n) == 0;
}

static bool has(struct dwarf *bin, struct dtype *type, const char *member)
{
    struct dfield field;
    return type_member(bin, type, str_of(member), &field);
}

static enum shape shape_go(struct dwarf *bin, struct dtype *type)
{
    if (str_is(type->name, "string") && has(bin, type, "str") && has(bin, type, "len")) {
        return SHAPE_GO_STRING;
    }
    if (starts(type->name, "[]") && has(bin, type, "array") && has(bin, type, "len")) {
        return SHAPE_GO_SLICE;
    }
    return SHAPE_PLAIN;
}

static enum shape shape_rust(struct dwarf *bin, struct dtype *type)
{
    if (starts(type->name, "Vec<") && has(bin, type, "buf") && has(bin, type, "len")) {
        return SHAPE_RUST_VEC;
    }
    if (str_is(type->name, "String") && has(bin, type, "vec")) {
        return SHAPE_RUST_STRING;
    }
    if (has(bin, type, "data_ptr") && has(bin, type, "length")) {
        bool text = str_is(type->name, "&str") || str_is(type->name, "&mut str") ||
                    starts(type->name, "Box<str") || starts(type->name, "*const str");
        return text ? SHAPE_RUST_STR : SHAPE_RUST_SLICE;
    }
    if (shape_wrapped(bin, type)) {
        return SHAPE_WRAPPER;
    }
    return SHAPE_PLAIN;
}

static enum shape shape_impl(struct dwarf *bin, struct dtype *type)
{
    struct dfield impl, start;
    if (!type_member(bin, type, STR("_M_impl"), &impl)) {
        return SHAPE_PLAIN;
    }
    if (type_member(bin, impl.type, STR("_M_start"), &start)) {
        if (start.type->kind == TY_POINTER && has(bin, impl.type, "_M_finish")) {
            return SHAPE_CXX_VECTOR;
        }
        if (has(bin, impl.type, "_M_map") && has(bin, start.type, "_M_cur")) {
            return SHAPE_CXX_DEQUE;
        }
        if (starts(type->name, "vector<bool") && has(bin, start.type, "_M_offset")) {
            return SHAPE_CXX_BITS;
        }
    }
    if (starts(type->name, "list<") && has(bin, impl.type, "_M_node")) {
        return SHAPE_CXX_LIST;
    }
    return SHAPE_PLAIN;
}

static enum shape shape_cxx(struct dwarf *bin, struct dtype *type)
{
    struct dfield tree;
    if (has(bin, type, "_M_dataplus") && has(bin, type, "_M_string_length")) {
        return SHAPE_CXX_STRING;
    }
    if (type_member(bin, type, STR("_M_t"), &tree) && starts(tree.type->name, "_Rb_tree")) {
        return SHAPE_CXX_TREE;
    }
    if (starts(type->name, "unordered_") && has(bin, type, "_M_h")) {
        return SHAPE_CXX_HASH;
    }
    if (starts(type->name, "optional<") && has(bin, type, "_M_payload")) {
        return SHAPE_CXX_OPTIONAL;
    }
    if (shape_wrapped(bin, type)) {
        return SHAPE_WRAPPER;
    }
    return shape_impl(bin, type);
}

/* Which member stands for the whole, or NULL. The first of the names that exists all the way. */
const char *shape_wrapped(struct dwarf *bin, struct dtype *type)
{
    static const struct {
        const char *type, *member;
    } known[] = {
        {"atomic<",        "_M_b._M_i"                           },
        {"atomic<",        "_M_b._M_p"                           },
        {"atomic<",        "_M_i"                                },
        {"atomic<",        "_M_base._M_i"                        },
        {"__atomic_base<", "_M_i"                                },
        {"unique_ptr<",    "_M_t._M_t.{_Head_base<0._M_head_impl"},
        {"shared_ptr<",    "_M_ptr"                              },
        {"array<",         "_M_elems"                            },
        {"Atomic",         "v.value"                             },
        {"NonNull<",       "pointer"                             },
        {"Unique<",        "pointer"                             },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct dfield field;
        if (starts(type->name, known[i].type) && type_walk(bin, type, known[i].member, &field)) {
            return known[i].member;
        }
    }
    return NULL;
}

enum shape shape_of(struct dwarf *bin, struct dtype *type)
{
    if (type->shape != SHAPE_UNKNOWN) {
        return type->shape;
    }
    type->shape = SHAPE_PLAIN; /* also while it is looked into */
    if (type->kind == TY_STRUCT) {
        type_load(bin, type);
        type->shape = type->lang == DW_LANG_Go     ? shape_go(bin, type)
                      : type->lang == DW_LANG_Rust ? shape_rust(bin, type)
                      : type->lang == DW_LANG_C || type->lang == DW_LANG_C89 ||
                              type->lang == DW_LANG_C99 || type->lang == DW_LANG_C11
                          ? SHAPE_PLAIN
                          : shape_cxx(bin, type);
    }
    return type->shape;
}

bool shape_is_sequence(enum shape shape)
{
    return shape == SHAPE_GO_SLICE || shape == SHAPE_CXX_VECTOR || shape == SHAPE_CXX_DEQUE ||
           shape == SHAPE_CXX_LIST || shape == SHAPE_CXX_BITS || shape == SHAPE_RUST_VEC ||
           shape == SHAPE_RUST_SLICE;
}

static struct dtype *pointed(struct dwarf *bin, struct dtype *type, const char *member)
{
    struct dfield field;
    return type_member(bin, type, str_of(member), &field) && field.type->kind == TY_POINTER
               ? type_target(bin, field.type)
               : NULL;
}

struct dtype *shape_element(struct dwarf *bin, struct dtype *type)
{
    struct dfield impl;
    if (type->kind == TY_ARRAY || type->kind == TY_POINTER) {
        return type_target(bin, type);
    }
    switch (shape_of(bin, type)) {
    case SHAPE_GO_SLICE: return pointed(bin, type, "array");
    case SHAPE_RUST_SLICE: return pointed(bin, type, "data_ptr");
    case SHAPE_CXX_VECTOR:
        return type_member(bin, type, STR("_M_impl"), &impl) ? pointed(bin, impl.type, "_M_start")
                                                             : NULL;
    case SHAPE_RUST_VEC:
    case SHAPE_CXX_DEQUE:
    case SHAPE_CXX_LIST:
    case SHAPE_CXX_BITS: return type_parameter(bin, type, 0);
    default: return NULL;
    }
}

void places_add(struct reader *rd, struct places *places, struct place place)
{
    if (places->n == places->cap) {
        size_t cap = places->cap ? places->cap * 2 : 16;
        struct place *v = ARENA_ARRAY(rd->arena, struct place, cap);
        if (places->n) {
            memcpy(v, places->v, places->n * sizeof *v);
        }
        places->v = v;
        places->cap = cap;
    }
    places->v[places->n++] = place;
}

static int member_word(struct reader *rd, const struct place *place, const char *path,
                       uint64_t *ret)
{
    struct place at;
    int status = place_member(rd, place, path, &at);
    return status != 0 ? status : place_word(rd, &at, ret);
}

/* Rust's Vec keeps its pointer deep within, differently in every few versions: the first pointer
 * below `buf` is it. */
static bool rust_pointer(struct dwarf *bin, struct dtype *type, unsigned depth, uint64_t *offset)
{
    type_load(bin, type);
    if (type->kind == TY_POINTER) {
        return true;
    }
    for (size_t i = 0; depth < 16 && i < type->nfields && i < 8; i++) {
        uint64_t before = *offset;
        *offset += type->fields[i].offset;
        if (type->fields[i].type->kind == TY_POINTER ||
            (type->fields[i].type->kind == TY_STRUCT && type->fields[i].type->size >= 8 &&
             rust_pointer(bin, type->fields[i].type, depth + 1, offset))) {
            return true;
        }
        *offset = before;
    }
    return false;
}

/* Beginning and length of a sequence whose elements are side by side. */
static int flat_extent(struct reader *rd, const struct place *place, uint64_t *ret_addr,
                       uint64_t *ret_n)
{
    struct dtype *element = shape_element(rd->bin, place->type);
    uint64_t end = 0, offset = 0, size = element ? type_size(rd->bin, element) : 0;
    struct place buf;
    int status = 0;
    switch (shape_of(rd->bin, place->type)) {
    case SHAPE_GO_SLICE:
        status = member_word(rd, place, "array", ret_addr);
        return status ? status : member_word(rd, place, "len", ret_n);
    case SHAPE_RUST_SLICE:
    case SHAPE_RUST_STR:
        status = member_word(rd, place, "data_ptr", ret_addr);
        return status ? status : member_word(rd, place, "length", ret_n);
    case SHAPE_GO_STRING:
        status = member_word(rd, place, "str", ret_addr);
        return status ? status : member_word(rd, place, "len", ret_n);
    case SHAPE_CXX_STRING:
        status = member_word(rd, place, "_M_dataplus._M_p", ret_addr);
        return status ? status : member_word(rd, place, "_M_string_length", ret_n);
    case SHAPE_RUST_VEC:
        status = place_member(rd, place, "buf", &buf);
        if (status == 0 && !rust_pointer(rd->bin, buf.type, 0, &offset)) {
            return err_set(rd->err, ERR_UNSUPPORTED, 0, "a Vec of an unknown version of Rust");
        }
        if (status == 0) {
            buf = place_at(&buf, offset, NULL);
            status = place_word(rd, &buf, ret_addr);
        }
        return status ? status : member_word(rd, place, "len", ret_n);
    case SHAPE_CXX_VECTOR:
        status = member_word(rd, place, "_M_impl._M_start", ret_addr);
        status = status ? status : member_word(rd, place, "_M_impl._M_finish", &end);
        *ret_n = size && end >= *ret_addr ? (end - *ret_addr) / size : 0;
        return status;
    default:
        return err_set(rd->err, ERR_INVALID, 0, "%.*s has no elements", STR_ARG(place->type->name));
    }
}

static int deque_length(struct reader *rd, const struct place *place, uint64_t *ret_per_node,
                        uint64_t *ret)
{
    struct dtype *element = shape_element(rd->bin, place->type);
    uint64_t size = element ? type_size(rd->bin, element) : 0;
    uint64_t w[6] = {0};
    static const char *const members[6] = {
        "_M_impl._M_start._M_node",  "_M_impl._M_start._M_cur",  "_M_impl._M_start._M_last",
        "_M_impl._M_finish._M_node", "_M_impl._M_finish._M_cur", "_M_impl._M_finish._M_first"};
    for (int i = 0; i < 6; i++) {
        int status = member_word(rd, place, members[i], &w[i]);
        if (status != 0) {
            return status;
        }
    }
    *ret_per_node = size && size < 512 ? 512 / size : 1;
    if (!size || w[3] < w[0] || w[2] < w[1] || w[4] < w[5]) {
        return err_set(rd->err, ERR_CORRUPT, 0, "a deque that is being changed");
    }
    uint64_t nodes = (w[3] - w[0]) / 8;
    *ret = nodes == 0 ? (w[4] - w[1]) / size
                      : (nodes - 1) * *ret_per_node + (w[2] - w[1]) / size + (w[4] - w[5]) / size;
    return 0;
}

static int bits_length(struct reader *rd, const struct place *place, uint64_t *ret_addr,
                       uint64_t *ret)
{
    uint64_t end = 0;
    uint32_t offset = 0;
    struct place at;
    int status = member_word(rd, place, "_M_impl._M_start._M_p", ret_addr);
    status = status ? status : member_word(rd, place, "_M_impl._M_finish._M_p", &end);
    status = status ? status : place_member(rd, place, "_M_impl._M_finish._M_offset", &at);
    status = status ? status : place_read(rd, &at, 0, &offset, sizeof offset);
    *ret = end >= *ret_addr ? (end - *ret_addr) * 8 + offset : 0;
    return status;
}

int sequence_length(struct reader *rd, const struct place *place, bool *ret_known, uint64_t *ret)
{
    uint64_t addr = 0;
    *ret_known = true;
    *ret = 0;
    switch (place->type->kind) {
    case TY_ARRAY:
        *ret_known = place->type->count_known;
        *ret = place->type->count;
        return 0;
    case TY_POINTER: *ret_known = false; return 0;
    default: break;
    }
    switch (shape_of(rd->bin, place->type)) {
    case SHAPE_CXX_DEQUE: return deque_length(rd, place, &addr, ret);
    case SHAPE_CXX_BITS: return bits_length(rd, place, &addr, ret);
    case SHAPE_CXX_LIST: *ret_known = false; return 0;
    default: return flat_extent(rd, place, &addr, ret);
    }
}

static int list_items(struct reader *rd, const struct place *place, uint64_t lo, uint64_t hi,
                      struct places *ret)
{
    struct place node;
    struct dtype *element = shape_element(rd->bin, place->type);
    int status = place_member(rd, place, "_M_impl._M_node", &node);
    if (status != 0 || !element) {
        return status ? status : err_set(rd->err, ERR_UNSUPPORTED, 0, "a list of unknown elements");
    }
    uint64_t head = node.addr, at = 0, i = 0;
    status = place_word(rd, &node, &at); /* _M_next is its first member */
    while (status == 0 && at != head && at != 0 && i < hi) {
        struct place here = {.addr = at};
        if (i >= lo) {
            status = limit_value(rd, 1);
            places_add(rd, ret, (struct place){.type = element, .addr = at + 16});
        }
        status = status ? status : place_word(rd, &here, &at);
        if (++i > rd->limits.values) {
            return limit_value(rd, rd->limits.values + 1);
        }
    }
    if (status == 0 && hi != UINT64_MAX && i < hi) {
        return err_set(rd->err, ERR_INVALID, 0, "the list has %" PRIu64 " elements", i);
    }
    return status;
}

static int deque_items(struct reader *rd, const struct place *place, uint64_t lo, uint64_t hi,
                       struct places *ret)
{
    struct dtype *element = shape_element(rd->bin, place->type);
    uint64_t node = 0, cur = 0, first = 0, n = 0, per = 1, size = type_size(rd->bin, element);
    int status = deque_length(rd, place, &per, &n);
    status = status ? status : member_word(rd, place, "_M_impl._M_start._M_node", &node);
    status = status ? status : member_word(rd, place, "_M_impl._M_start._M_cur", &cur);
    status = status ? status : member_word(rd, place, "_M_impl._M_start._M_first", &first);
    uint64_t skipped = status == 0 ? (cur - first) / size : 0, base = 0, loaded = UINT64_MAX;
    for (uint64_t i = lo; status == 0 && i < hi; i++) {
        uint64_t index = i + skipped;
        if (index / per != loaded) {
            struct place word = {.addr = node + index / per * 8};
            status = place_word(rd, &word, &base);
            loaded = index / per;
        }
        places_add(rd, ret, (struct place){.type = element, .addr = base + index % per * size});
    }
    return status;
}

static int bits_items(struct reader *rd, const struct place *place, uint64_t lo, uint64_t hi,
                      struct places *ret)
{
    uint64_t addr = 0, n = 0;
    int status = bits_length(rd, place, &addr, &n);
    struct dtype *element = shape_element(rd->bin, place->type);
    for (uint64_t i = lo; status == 0 && i < hi; i++) {
        places_add(rd, ret,
                   (struct place){.type = element, .addr = addr, .bit_size = 1, .bit_offset = i});
    }
    return status;
}

static int flat_items(struct reader *rd, const struct place *place, uint64_t lo, uint64_t hi,
                      struct places *ret)
{
    struct dtype *element = shape_element(rd->bin, place->type);
    uint64_t size = element ? type_size(rd->bin, element) : 0, addr = place->addr, n = 0, bytes = 0;
    struct place all = *place;
    int status = 0;
    if (!element || (size == 0 && element->kind != TY_STRUCT)) {
        return err_set(rd->err, ERR_INVALID, 0, "the size of its elements is not known");
    }
    if (place->type->kind == TY_POINTER) {
        status = place_word(rd, place, &addr);
        if (status == 0 && addr == 0 && hi > lo) {
            return err_set(rd->err, ERR_INVALID, 0, "the pointer to %.*s is null",
                           STR_ARG(element->name));
        }
    } else if (place->type->kind != TY_ARRAY) {
        status = flat_extent(rd, place, &addr, &n);
    }
    if (status != 0) {
        return status;
    }
    if (__builtin_mul_overflow(hi - lo, size, &bytes)) {
        return limit_value(rd, UINT64_MAX);
    }
    if (place->type->kind == TY_ARRAY) {
        all = place_at(place, lo * size, element);
    } else {
        all = (struct place){.type = element, .addr = addr + lo * size};
    }
    place_load(rd, &all, bytes);
    for (uint64_t i = 0; i < hi - lo; i++) {
        places_add(rd, ret, place_at(&all, i * size, element));
    }
    return 0;
}

int sequence_items(struct reader *rd, const struct place *place, uint64_t lo, uint64_t hi,
                   struct places *ret)
{
    bool known = false;
    uint64_t n = 0;
    enum shape shape = shape_of(rd->bin, place->type);
    if (shape == SHAPE_CXX_LIST) {
        return list_items(rd, place, lo, hi, ret);
    }
    int status = sequence_length(rd, place, &known, &n);
    if (status != 0) {
        return status;
    }
    if (hi == UINT64_MAX) {
        if (!known) {
            return err_set(rd->err, ERR_INVALID, 0,
                           "how many elements there are is not known: write [lo..hi]");
        }
        hi = n;
    }
    if (hi < lo || (known && hi > n)) {
        return err_set(rd->err, ERR_INVALID, 0,
                       "[%" PRIu64 "..%" PRIu64 "] is outside of the %" PRIu64 " elements", lo, hi,
                       n);
    }
    status = limit_value(rd, hi - lo);
    if (status != 0) {
        return status;
    }
    return shape == SHAPE_CXX_DEQUE  ? deque_items(rd, place, lo, hi, ret)
           : shape == SHAPE_CXX_BITS ? bits_items(rd, place, lo, hi, ret)
                                     : flat_items(rd, place, lo, hi, ret);
}

/* C's char* up to its NUL. Read in small pieces that end at page boundaries: what lies behind the
 * end of the text may not be readable. */
static int c_string(struct reader *rd, uint64_t addr, struct str *ret)
{
    struct strbuf text = {.arena = rd->arena};
    for (;;) {
        char piece[256];
        size_t n = sizeof piece - (size_t)(addr % sizeof piece);
        struct place at = {.addr = addr};
        int status = place_read(rd, &at, 0, piece, n);
        if (status != 0) {
            return status;
        }
        const char *nul = memchr(piece, 0, n);
        strbuf_add(&text, piece, nul ? (size_t)(nul - piece) : n);
        if (nul) {
            *ret = strbuf_str(&text);
            return 0;
        }
        if (text.n > rd->limits.string_bytes) {
            return err_set(rd->err, ERR_LIMIT, 0, "a string of more than %zu bytes",
                           rd->limits.string_bytes);
        }
        addr += n;
    }
}

static int char_array(struct reader *rd, const struct place *place, struct str *ret)
{
    uint64_t n = place->type->count;
    if (n > rd->limits.string_bytes) {
        return err_set(rd->err, ERR_LIMIT, 0, "a string of more than %zu bytes",
                       rd->limits.string_bytes);
    }
    char *bytes = arena_alloc(rd->arena, n + 1);
    int status = place_read(rd, place, 0, bytes, n);
    const char *nul = memchr(bytes, 0, n);
    *ret = (struct str){bytes, nul ? (size_t)(nul - bytes) : n};
    return status;
}

static bool is_byte_char(struct dtype *type)
{
    return type && type->kind == TY_CHAR && type->size == 1;
}

int text_read(struct reader *rd, const struct place *place, bool *ret_is_text, struct str *ret)
{
    uint64_t addr = 0, n = 0;
    struct place inner = *place;
    int status = 0;
    struct dtype *type = place->type;
    enum shape shape = shape_of(rd->bin, type);
    *ret_is_text = true;
    if (type->kind == TY_POINTER && is_byte_char(type_target(rd->bin, type))) {
        status = place_word(rd, place, &addr);
        *ret_is_text = addr != 0;
        return status || addr == 0 ? status : c_string(rd, addr, ret);
    }
    if (type->kind == TY_ARRAY && type->count_known && is_byte_char(type_target(rd->bin, type))) {
        return char_array(rd, place, ret);
    }
    if (shape == SHAPE_RUST_STRING) {
        status = place_member(rd, place, "vec", &inner);
    } else if (shape != SHAPE_GO_STRING && shape != SHAPE_CXX_STRING && shape != SHAPE_RUST_STR) {
        *ret_is_text = false;
        return 0;
    }
    status = status ? status : flat_extent(rd, &inner, &addr, &n);
    if (status == 0 && n > rd->limits.string_bytes) {
        return err_set(rd->err, ERR_LIMIT, 0, "a string of more than %zu bytes",
                       rd->limits.string_bytes);
    }
    if (status == 0) {
        char *bytes = arena_alloc(rd->arena, n + 1);
        struct place at = {.addr = addr};
        status = n ? place_read(rd, &at, 0, bytes, n) : 0;
        *ret = (struct str){bytes, n};
    }
    return status;
}

int optional_read(struct reader *rd, const struct place *place, bool *ret_there, struct place *ret)
{
    struct place engaged;
    uint8_t byte = 0;
    int status = place_member(rd, place, "_M_payload._M_engaged", &engaged);
    status = status ? status : place_read(rd, &engaged, 0, &byte, 1);
    *ret_there = byte != 0;
    return status || !byte ? status
                           : place_member(rd, place, "_M_payload._M_payload._M_value", ret);
}
