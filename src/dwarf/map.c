/* What is within maps and sets: red-black trees and hash tables of libstdc++, both kinds of Go's
 * maps.
 *
 * All give keys and values as places, in the order of the container; the reader sorts by key, since
 * the order of hash tables is no property of the program. Counts and steps are bounded: a container
 * in the middle of a change, or damaged, ends in an error. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "dwarf/dwarf.h"
#include "dwarf/dwarf_int.h"

#define GO_BUCKET       8 /* entries of a bucket or group, in all versions */
#define GO_TOP_FILLED   5 /* smallest tophash of an entry */
#define GO_TOP_OCCUPIED 1 /* above this and below GO_TOP_FILLED: the bucket was moved */

bool map_is(struct dwarf *bin, struct dtype *type)
{
    enum shape shape = shape_of(bin, type);
    return type->kind == TY_GO_MAP || shape == SHAPE_CXX_TREE || shape == SHAPE_CXX_HASH;
}

bool map_has_values(const struct dtype *type)
{
    size_t n = type->name.n < 20 ? type->name.n : 20;
    return type->kind == TY_GO_MAP || !memmem(type->name.p, n, "set<", 4);
}

static int word_at(struct reader *rd, uint64_t addr, uint64_t *ret)
{
    struct place at = {.addr = addr};
    return place_word(rd, &at, ret);
}

static int member_word(struct reader *rd, const struct place *place, const char *path,
                       uint64_t *ret)
{
    struct place at;
    uint8_t bytes[8] = {0};
    int status = place_member(rd, place, path, &at);
    uint64_t size = status == 0 ? type_size(rd->bin, at.type) : 0;
    if (status == 0) {
        status = place_read(rd, &at, 0, bytes, size < 8 ? size : 8);
        memcpy(ret, bytes, sizeof bytes);
    }
    return status;
}

/* An element of a C++ container: a pair, or a key alone. */
static int add_element(struct reader *rd, const struct place *element, bool pair,
                       struct places *keys, struct places *values)
{
    struct place key = *element, value;
    int status = limit_value(rd, 1);
    if (status == 0 && pair) {
        status = place_member(rd, element, "first", &key);
        status = status ? status : place_member(rd, element, "second", &value);
        if (status == 0) {
            places_add(rd, values, value);
        }
    }
    if (status == 0) {
        places_add(rd, keys, key);
    }
    return status;
}

/* What a C++ container keeps of its nodes. */
struct nodes {
    uint64_t first;        /* address of a node; 0: none */
    uint64_t count;        /* as the container says */
    uint64_t seen;         /* so far */
    struct dtype *element; /* what nodes hold */
};

static int nodes_open(struct reader *rd, const struct place *place, const char *const path[3],
                      struct nodes *ret)
{
    struct place table;
    *ret = (struct nodes){0};
    int status = place_member(rd, place, path[0], &table);
    status = status ? status : member_word(rd, &table, path[1], &ret->first);
    status = status ? status : member_word(rd, &table, path[2], &ret->count);
    ret->element = status == 0 ? type_parameter(rd->bin, table.type, 1) : NULL;
    return status || ret->element
               ? status
               : err_set(rd->err, ERR_UNSUPPORTED, 0, "a map of unknown elements");
}

static int nodes_count(struct reader *rd, struct nodes *nodes)
{
    nodes->seen++;
    return nodes->seen <= nodes->count && nodes->seen <= rd->limits.values
               ? 0
               : err_set(rd->err, ERR_CORRUPT, 0, "a map with more nodes than it counts");
}

/* In order, with a stack of our own: the depth is not to be trusted. */
static int tree_entries(struct reader *rd, const struct place *place, struct places *keys,
                        struct places *values)
{
    static const char *const path[3] = {"_M_t", "_M_impl._M_header._M_parent",
                                        "_M_impl._M_node_count"};
    struct nodes nodes;
    struct places stack = {0};
    bool pair = map_has_values(place->type);
    int status = nodes_open(rd, place, path, &nodes);
    uint64_t at = nodes.first;
    while (status == 0 && (at != 0 || stack.n > 0)) {
        if (at != 0) { /* down to the left; nodes are colour, parent, left, right, value */
            places_add(rd, &stack, (struct place){.addr = at});
            status = nodes_count(rd, &nodes);
            status = status ? status : word_at(rd, at + 16, &at);
            continue;
        }
        uint64_t node = stack.v[--stack.n].addr;
        struct place value = {.type = nodes.element, .addr = node + 32};
        status = add_element(rd, &value, pair, keys, values);
        status = status ? status : word_at(rd, node + 24, &at);
    }
    return status;
}

static int hash_entries(struct reader *rd, const struct place *place, struct places *keys,
                        struct places *values)
{
    static const char *const path[3] = {"_M_h", "_M_before_begin._M_nxt", "_M_element_count"};
    struct nodes nodes;
    bool pair = map_has_values(place->type);
    int status = nodes_open(rd, place, path, &nodes);
    uint64_t at = nodes.first;
    while (status == 0 && at != 0) { /* nodes are next, value */
        struct place value = {.type = nodes.element, .addr = at + 8};
        status = nodes_count(rd, &nodes);
        status = status ? status : add_element(rd, &value, pair, keys, values);
        status = status ? status : word_at(rd, at, &at);
    }
    return status;
}

/* ---- Go before 1.24: buckets of eight with overflow buckets ---------------------------------- */

static int go_bucket(struct reader *rd, struct place bucket, struct places *keys,
                     struct places *values)
{
    for (uint64_t chain = 0; bucket.addr != 0; chain++) {
        struct place key, value;
        uint8_t top[GO_BUCKET];
        uint64_t next = 0;
        bucket.local = NULL;
        place_load(rd, &bucket, type_size(rd->bin, bucket.type));
        struct place tops;
        int status = place_member(rd, &bucket, "tophash", &tops);
        status = status ? status : place_read(rd, &tops, 0, top, sizeof top);
        status = status ? status : place_member(rd, &bucket, "keys", &key);
        status = status ? status : place_member(rd, &bucket, "values", &value);
        status = status ? status : member_word(rd, &bucket, "overflow", &next);
        if (status != 0) {
            return status;
        }
        if (top[0] > GO_TOP_OCCUPIED && top[0] < GO_TOP_FILLED) {
            return 0; /* its entries are in the new table */
        }
        struct dtype *ktype = type_target(rd->bin, key.type),
                     *vtype = type_target(rd->bin, value.type);
        for (unsigned i = 0; i < GO_BUCKET && ktype && vtype; i++) {
            if (top[i] >= GO_TOP_FILLED) {
                places_add(rd, keys, place_at(&key, i * type_size(rd->bin, ktype), ktype));
                places_add(rd, values, place_at(&value, i * type_size(rd->bin, vtype), vtype));
                status = limit_value(rd, 1);
            }
        }
        if (status != 0 || chain > rd->limits.values) {
            return status ? status : limit_value(rd, UINT64_MAX);
        }
        bucket.addr = next;
        bucket.local = NULL;
    }
    return 0;
}

static int go_buckets(struct reader *rd, const struct place *hash, const char *member, uint64_t n,
                      struct places *keys, struct places *values)
{
    struct place pointer;
    uint64_t addr = 0;
    int status = place_member(rd, hash, member, &pointer);
    status = status ? status : place_word(rd, &pointer, &addr);
    struct dtype *bucket = status == 0 ? type_target(rd->bin, pointer.type) : NULL;
    if (status != 0 || addr == 0 || !bucket) {
        return status;
    }
    uint64_t size = type_size(rd->bin, bucket);
    if (n > rd->limits.values) {
        return limit_value(rd, n);
    }
    for (uint64_t i = 0; status == 0 && i < n; i++) {
        struct place at = {.type = bucket, .addr = addr + i * size};
        status = go_bucket(rd, at, keys, values);
    }
    return status;
}

static int go_old_map(struct reader *rd, const struct place *hash, struct places *keys,
                      struct places *values)
{
    uint64_t log2 = 0, old = 0, flags = 0;
    int status = member_word(rd, hash, "B", &log2);
    status = status ? status : member_word(rd, hash, "oldbuckets", &old);
    status = status ? status : member_word(rd, hash, "flags", &flags);
    if (status != 0 || log2 > 40) {
        return status ? status : limit_value(rd, UINT64_MAX);
    }
    status = go_buckets(rd, hash, "buckets", UINT64_C(1) << log2, keys, values);
    if (status == 0 && old != 0) { /* growing: bit 3 of flags says by how much */
        uint64_t n = flags & 8 || log2 == 0 ? UINT64_C(1) << log2 : UINT64_C(1) << (log2 - 1);
        status = go_buckets(rd, hash, "oldbuckets", n, keys, values);
    }
    return status;
}

/* ---- Go since 1.24: groups of eight with a control word -------------------------------------- */

static int go_group(struct reader *rd, struct place group, struct places *keys,
                    struct places *values)
{
    uint64_t control = 0;
    struct place slots, key, value;
    place_load(rd, &group, type_size(rd->bin, group.type));
    int status = member_word(rd, &group, "ctrl", &control);
    status = status ? status : place_member(rd, &group, "slots", &slots);
    struct dtype *slot = status == 0 ? type_target(rd->bin, slots.type) : NULL;
    for (unsigned i = 0; status == 0 && slot && i < GO_BUCKET; i++) {
        if (control >> (8 * i) & 0x80) {
            continue; /* empty or deleted */
        }
        struct place at = place_at(&slots, i * type_size(rd->bin, slot), slot);
        status = place_member(rd, &at, "key", &key);
        status = status ? status : place_member(rd, &at, "elem", &value);
        status = status ? status : limit_value(rd, 1);
        if (status == 0) {
            places_add(rd, keys, key);
            places_add(rd, values, value);
        }
    }
    return status;
}

static int go_table(struct reader *rd, const struct place *table, struct places *keys,
                    struct places *values)
{
    struct place data;
    uint64_t mask = 0, addr = 0;
    int status = place_member(rd, table, "groups.data", &data);
    status = status ? status : place_word(rd, &data, &addr);
    status = status ? status : member_word(rd, table, "groups.lengthMask", &mask);
    struct dtype *group = status == 0 ? type_target(rd->bin, data.type) : NULL;
    if (status == 0 && mask >= rd->limits.values) {
        return limit_value(rd, UINT64_MAX);
    }
    for (uint64_t i = 0; status == 0 && group && i <= mask; i++) {
        struct place at = {.type = group, .addr = addr + i * type_size(rd->bin, group)};
        status = go_group(rd, at, keys, values);
    }
    return status;
}

/* The directory names a table several times, side by side. */
static int go_new_map(struct reader *rd, const struct place *map, struct places *keys,
                      struct places *values)
{
    struct place dir;
    uint64_t n = 0, addr = 0, last = 0;
    int status = member_word(rd, map, "dirLen", &n);
    status = status ? status : place_member(rd, map, "dirPtr", &dir);
    status = status ? status : place_word(rd, &dir, &addr);
    struct dtype *pointer = status == 0 ? type_target(rd->bin, dir.type) : NULL;
    struct dtype *table =
        pointer && pointer->kind == TY_POINTER ? type_target(rd->bin, pointer) : NULL;
    struct dfield data;
    if (status != 0 || addr == 0) {
        return status;
    }
    if (!table || !type_member(rd->bin, table, STR("groups"), &data) || n > rd->limits.values) {
        return err_set(rd->err, ERR_UNSUPPORTED, 0, "a map of an unknown version of Go");
    }
    if (n == 0) { /* a small map: one group, no table */
        struct dfield groups;
        struct dtype *group = type_member(rd->bin, data.type, STR("data"), &groups)
                                  ? type_target(rd->bin, groups.type)
                                  : NULL;
        return group ? go_group(rd, (struct place){.type = group, .addr = addr}, keys, values) : 0;
    }
    for (uint64_t i = 0; status == 0 && i < n; i++) {
        struct place at = {.type = table};
        status = word_at(rd, addr + 8 * i, &at.addr);
        if (status == 0 && at.addr != last) {
            last = at.addr;
            status = go_table(rd, &at, keys, values);
        }
    }
    return status;
}

static int go_entries(struct reader *rd, const struct place *place, struct places *keys,
                      struct places *values)
{
    struct dfield field;
    struct place map = {.type = place->type->target};
    int status = place_word(rd, place, &map.addr);
    if (status != 0 || map.addr == 0) {
        return status; /* nil is an empty map */
    }
    if (map.type && type_member(rd->bin, map.type, STR("buckets"), &field)) {
        return go_old_map(rd, &map, keys, values);
    }
    if (map.type && type_member(rd->bin, map.type, STR("dirPtr"), &field)) {
        return go_new_map(rd, &map, keys, values);
    }
    return err_set(rd->err, ERR_UNSUPPORTED, 0, "%.*s: a map of an unknown version of Go",
                   STR_ARG(place->type->name));
}

int map_entries(struct reader *rd, const struct place *place, struct places *ret_keys,
                struct places *ret_values)
{
    if (place->type->kind == TY_GO_MAP) {
        return go_entries(rd, place, ret_keys, ret_values);
    }
    return shape_of(rd->bin, place->type) == SHAPE_CXX_TREE
               ? tree_entries(rd, place, ret_keys, ret_values)
               : hash_entries(rd, place, ret_keys, ret_values);
}
