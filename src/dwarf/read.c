/* Following a path through memory, and turning what is there into a tree of values.
 *
 * What the path names must be readable. What merely lies within a structure that is shown need not
 * be: a pointer to nowhere inside it is shown as its address, a text that cannot be read as such.
 * Pointers are followed only so far, the number of values is bounded, so cycles end. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "dwarf/dwarf.h"
#include "dwarf/dwarf_int.h"

static int cmp_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

int dwarf_value_cmp(const struct dwarf_value *a, const struct dwarf_value *b)
{
    if (a->kind != b->kind) {
        return (a->kind > b->kind) - (a->kind < b->kind);
    }
    switch (a->kind) {
    case DWARF_INT:
    case DWARF_ENUM: return (a->i > b->i) - (a->i < b->i);
    case DWARF_FLOAT: return (a->f > b->f) - (a->f < b->f);
    case DWARF_STRING: return str_cmp(a->text, b->text);
    case DWARF_ARRAY:
    case DWARF_MAP:
    case DWARF_STRUCT:
        for (size_t i = 0; i < a->n && i < b->n; i++) {
            int cmp = a->kind == DWARF_STRUCT
                          ? dwarf_value_cmp(&a->fields[i].value, &b->fields[i].value)
                          : dwarf_value_cmp(&a->items[i], &b->items[i]);
            if (cmp != 0) {
                return cmp;
            }
        }
        return cmp_u64(a->n, b->n);
    default: return cmp_u64(a->u, b->u);
    }
}

static int cmp_entries(const void *a, const void *b)
{
    return dwarf_value_cmp(a, b); /* the key comes first */
}

/* Reads a part; what is wrong with it alone does not spoil the whole. */
static int part_read(struct reader *rd, const struct place *place, unsigned depth, unsigned follow,
                     struct dwarf_value *ret)
{
    int status = value_read(rd, place, depth, follow, ret);
    if (status == 0 || rd->err->code == ERR_LIMIT) {
        return status;
    }
    *ret = (struct dwarf_value){.kind = DWARF_OPAQUE,
                                .type = place->type->name,
                                .text = str_dup(rd->arena, str_of(rd->err->text))};
    *rd->err = (struct err){0};
    return 0;
}

static size_t count_fields(struct reader *rd, struct dtype *type, unsigned depth)
{
    size_t n = 0;
    type_load(rd->bin, type);
    for (size_t i = 0; i < type->nfields; i++) {
        struct dfield *field = &type->fields[i];
        bool inlined = (field->name.n == 0 || field->base) &&
                       (field->type->kind == TY_STRUCT || field->type->kind == TY_UNION);
        n += inlined && depth < 8 ? count_fields(rd, field->type, depth + 1) : 1;
        if (n > rd->limits.values) {
            break;
        }
    }
    return n;
}

/* Members, those of bases and of anonymous members among them. */
static int fields_read(struct reader *rd, const struct place *place, unsigned depth,
                       unsigned follow, unsigned nested, struct dwarf_value *ret)
{
    struct dtype *type = place->type;
    int status = 0;
    for (size_t i = 0; status == 0 && i < type->nfields; i++) {
        struct dfield *field = &type->fields[i];
        struct place inner = place_field(place, field);
        bool inlined = (field->name.n == 0 || field->base) &&
                       (field->type->kind == TY_STRUCT || field->type->kind == TY_UNION);
        if (inlined && nested < 8) {
            status = fields_read(rd, &inner, depth, follow, nested + 1, ret);
            continue;
        }
        struct dwarf_field *out = &ret->fields[ret->n++];
        out->name = field->name;
        status = part_read(rd, &inner, depth + 1, follow, &out->value);
    }
    return status;
}

static int struct_read(struct reader *rd, struct place place, unsigned depth, unsigned follow,
                       struct dwarf_value *ret)
{
    size_t n = count_fields(rd, place.type, 0);
    int status = limit_value(rd, n);
    if (status != 0) {
        return status;
    }
    if (place.type->size == 0 && n == 0 && dwarf_hasattr(&place.type->die, DW_AT_declaration)) {
        ret->kind = DWARF_OPAQUE;
        ret->text = STR("a structure that is declared but nowhere defined");
        return 0;
    }
    place_load(rd, &place, place.type->size);
    ret->kind = DWARF_STRUCT;
    ret->type = place.type->name;
    ret->fields = ARENA_ARRAY(rd->arena, struct dwarf_field, n + 1);
    return fields_read(rd, &place, depth, follow, 0, ret);
}

/* Which variant of a Rust enum is there. NULL with status 0: none fits. */
static int variant_find(struct reader *rd, const struct place *place, struct dvariant **ret)
{
    struct dtype *type = place->type;
    struct dwarf_value tag = {0};
    struct dvariant *found = NULL;
    if (type->has_discriminant) {
        struct place at = place_field(place, &type->discriminant);
        int status = scalar_read(rd, &at, &tag);
        if (status != 0) {
            return status;
        }
    }
    uint64_t bits = type->has_discriminant ? type->discriminant.type->size * 8 : 64;
    uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    for (size_t i = 0; i < type->nvariants; i++) {
        struct dvariant *v = &type->variants[i];
        if (v->otherwise ? !found : (((uint64_t)v->value ^ tag.u) & mask) == 0) {
            found = v;
        }
    }
    *ret = found;
    return 0;
}

static int variant_read(struct reader *rd, const struct place *place, unsigned depth,
                        unsigned follow, struct dwarf_value *ret)
{
    struct dvariant *variant = NULL;
    int status = variant_find(rd, place, &variant);
    if (status != 0) {
        return status;
    }
    ret->type = place->type->name;
    if (!variant) {
        ret->kind = DWARF_OPAQUE;
        ret->text = STR("no variant has this tag");
        return 0;
    }
    struct place inner = place_field(place, &variant->field);
    if (inner.type->kind != TY_STRUCT) {
        return value_read(rd, &inner, depth + 1, follow, ret);
    }
    type_load(rd->bin, inner.type);
    status = struct_read(rd, inner, depth + 1, follow, ret);
    ret->type = place->type->name;
    ret->text = variant->field.name.n ? variant->field.name : inner.type->name;
    return status;
}

static int places_read(struct reader *rd, const struct places *places, unsigned depth,
                       unsigned follow, struct dwarf_value *ret)
{
    int status = 0;
    ret->kind = DWARF_ARRAY;
    ret->n = places->n;
    ret->items = ARENA_ARRAY(rd->arena, struct dwarf_value, places->n + 1);
    for (size_t i = 0; status == 0 && i < places->n; i++) {
        status = part_read(rd, &places->v[i], depth + 1, follow, &ret->items[i]);
    }
    return status;
}

static int set_read(struct reader *rd, const struct places *keys, unsigned depth, unsigned follow,
                    struct dwarf_value *ret)
{
    int status = places_read(rd, keys, depth, follow, ret);
    if (status == 0) {
        qsort(ret->items, ret->n, sizeof *ret->items, cmp_entries);
    }
    return status;
}

static int steps_read(struct reader *rd, struct place place, const struct step *step,
                      struct dwarf_value *ret);

/* The rest of a path, or nothing, applied to every value. */
static int map_read(struct reader *rd, const struct place *place, const struct step *rest,
                    unsigned depth, unsigned follow, struct dwarf_value *ret)
{
    struct places keys = {0}, values = {0};
    int status = map_entries(rd, place, &keys, &values);
    if (status != 0) {
        return status;
    }
    if (!map_has_values(place->type)) {
        return set_read(rd, &keys, depth, follow, ret);
    }
    ret->kind = DWARF_MAP;
    ret->n = keys.n * 2;
    ret->items = ARENA_ARRAY(rd->arena, struct dwarf_value, ret->n + 1);
    for (size_t i = 0; status == 0 && i < keys.n; i++) {
        status = part_read(rd, &keys.v[i], depth + 1, follow, &ret->items[2 * i]);
        if (status == 0) {
            status = rest ? steps_read(rd, values.v[i], rest, &ret->items[2 * i + 1])
                          : part_read(rd, &values.v[i], depth + 1, follow, &ret->items[2 * i + 1]);
        }
    }
    if (status == 0) {
        qsort(ret->items, keys.n, 2 * sizeof *ret->items, cmp_entries);
    }
    return status;
}

static int pointer_read(struct reader *rd, const struct place *place, unsigned depth,
                        unsigned follow, struct dwarf_value *ret)
{
    int status = place_word(rd, place, &ret->u);
    struct dtype *target = type_target(rd->bin, place->type);
    ret->kind = ret->u ? DWARF_POINTER : DWARF_NULL;
    ret->type = target ? target->name : STR("void");
    if (status != 0 || !ret->u || !target || follow == 0 || target->kind == TY_OTHER ||
        target->kind == TY_VOID) {
        return status;
    }
    /* What is behind it is a courtesy: when it cannot be had, or is too much, the address stands.
     */
    size_t before = rd->values;
    struct place behind = {.type = target, .addr = ret->u};
    struct dwarf_value *value = ARENA_NEW(rd->arena, struct dwarf_value);
    if (value_read(rd, &behind, depth + 1, follow - 1, value) == 0) {
        ret->target = value;
        return 0;
    }
    if (rd->err->code == ERR_LIMIT) {
        rd->values = before;
        if (rd->courtesies-- == 0) {
            return err_set(rd->err, ERR_LIMIT, 0, "too much behind pointers: name the members");
        }
    }
    *rd->err = (struct err){0};
    return 0;
}

static int aggregate_read(struct reader *rd, const struct place *place, unsigned depth,
                          unsigned follow, struct dwarf_value *ret)
{
    struct places items = {0};
    struct place inner;
    bool there = false;
    int status = 0;
    enum shape shape = shape_of(rd->bin, place->type);
    if (shape == SHAPE_WRAPPER) {
        status = place_member(rd, place, shape_wrapped(rd->bin, place->type), &inner);
        return status ? status : value_read(rd, &inner, depth + 1, follow, ret);
    }
    if (shape == SHAPE_CXX_OPTIONAL) {
        status = optional_read(rd, place, &there, &inner);
        ret->kind = DWARF_NULL;
        return status || !there ? status : value_read(rd, &inner, depth + 1, follow, ret);
    }
    if (map_is(rd->bin, place->type)) {
        return map_read(rd, place, NULL, depth, follow, ret);
    }
    if (place->type->kind == TY_ARRAY && !place->type->count_known) {
        ret->kind = DWARF_OPAQUE;
        ret->text = STR("an array of unknown length");
        return 0;
    }
    if (place->type->kind == TY_ARRAY || shape_is_sequence(shape)) {
        status = sequence_items(rd, place, 0, UINT64_MAX, &items);
        return status ? status : places_read(rd, &items, depth, follow, ret);
    }
    type_load(rd->bin, place->type);
    if (place->type->nvariants) {
        return variant_read(rd, place, depth, follow, ret);
    }
    return struct_read(rd, *place, depth, follow, ret);
}

int value_read(struct reader *rd, const struct place *place, unsigned depth, unsigned follow,
               struct dwarf_value *ret)
{
    bool is_text = false;
    int status = limit_value(rd, 1);
    if (status != 0) {
        return status;
    }
    *ret = (struct dwarf_value){.type = place->type->name};
    if (depth > rd->limits.depth) {
        ret->kind = DWARF_OPAQUE;
        ret->text = STR("nested too deeply");
        return 0;
    }
    status = text_read(rd, place, &is_text, &ret->text);
    if (status != 0 || is_text) {
        ret->kind = DWARF_STRING;
        return status;
    }
    switch (place->type->kind) {
    case TY_POINTER: return pointer_read(rd, place, depth, follow, ret);
    case TY_STRUCT:
    case TY_UNION:
    case TY_ARRAY:
    case TY_GO_MAP: return aggregate_read(rd, place, depth, follow, ret);
    case TY_VOID:
    case TY_OTHER:
        ret->kind = DWARF_OPAQUE;
        ret->text = STR("a type that has no values to show");
        return 0;
    default: return scalar_read(rd, place, ret);
    }
}

/* ---- paths ------------------------------------------------------------------------------------
 */

static int bound_read(struct reader *rd, const struct bound *bound, int64_t *ret)
{
    int64_t sum = 0;
    for (; bound; bound = bound->next) {
        int64_t item = bound->number;
        if (bound->is_text) {
            return err_set(rd->err, ERR_INVALID, 0, "a text is not a position");
        }
        if (bound->path) {
            const struct dwarf_path *path = bound->path;
            struct dwarf_value value = {0};
            struct place at = {.type = path->type,
                               .addr = path->addr + rd->memory->bias,
                               .local = path->bytes,
                               .nlocal = path->is_const ? path->nbytes : 0,
                               .immaterial = path->is_const};
            struct strbuf *steps = rd->steps;
            rd->steps = NULL;
            int status = steps_read(rd, at, path->steps, &value);
            rd->steps = steps;
            if (status != 0) {
                return status;
            }
            if (value.kind > DWARF_ENUM || value.kind == DWARF_FLOAT) {
                return err_set(rd->err, ERR_INVALID, 0, "a position must be a whole number");
            }
            item = value.kind == DWARF_INT || value.kind == DWARF_ENUM ? value.i : (int64_t)value.u;
        }
        if (bound->minus ? __builtin_sub_overflow(sum, item, &sum)
                         : __builtin_add_overflow(sum, item, &sum)) {
            return err_set(rd->err, ERR_INVALID, 0, "a position is too large");
        }
    }
    *ret = sum;
    return 0;
}

static bool key_is(const struct dwarf_value *key, const struct bound *bound, int64_t number)
{
    if (bound->is_text) {
        return (key->kind == DWARF_STRING || key->kind == DWARF_ENUM) &&
               str_eq(key->text, bound->text);
    }
    return key->kind <= DWARF_ENUM && key->kind != DWARF_FLOAT &&
           (key->kind == DWARF_INT || key->kind == DWARF_ENUM ? key->i : (int64_t)key->u) == number;
}

static int map_find(struct reader *rd, const struct place *place, const struct bound *bound,
                    struct place *ret)
{
    struct places keys = {0}, values = {0};
    int64_t number = 0;
    int status = bound->is_text ? 0 : bound_read(rd, bound, &number);
    status = status ? status : map_entries(rd, place, &keys, &values);
    for (size_t i = 0; status == 0 && i < keys.n; i++) {
        struct dwarf_value key = {0};
        status = part_read(rd, &keys.v[i], 0, 0, &key);
        if (status == 0 && key_is(&key, bound, number)) {
            *ret = i < values.n ? values.v[i] : keys.v[i];
            return 0;
        }
    }
    if (status != 0) {
        return status;
    }
    return bound->is_text
               ? err_set(rd->err, ERR_NOT_FOUND, 0, "the map has no key \"%.*s\"",
                         STR_ARG(bound->text))
               : err_set(rd->err, ERR_NOT_FOUND, 0, "the map has no key %" PRId64, number);
}

/* Pointers and wrappers in front of something that has elements; C's pointers have elements. */
static int to_elements(struct reader *rd, struct place *place)
{
    for (int i = 0; i < DWARF_PEEL_MAX; i++) {
        struct dtype *type = place->type;
        struct place inner;
        int status = 0;
        if (type->kind == TY_POINTER && (type->lang == DW_LANG_Go || type->lang == DW_LANG_Rust)) {
            status = place_deref(rd, place, &inner);
        } else if (shape_of(rd->bin, type) == SHAPE_WRAPPER) {
            status = place_member(rd, place, shape_wrapped(rd->bin, type), &inner);
        } else {
            return 0;
        }
        if (status != 0) {
            return status;
        }
        *place = inner;
    }
    return 0;
}

/* A member by name, or by number in Rust's tuples, or the variant or member of a variant. When it
 * is not found, but may be further within, *ret has a type. */
static int member_here(struct reader *rd, const struct place *place, struct str name,
                       struct place *ret, bool *ret_found)
{
    struct dfield field;
    struct dvariant *variant = NULL;
    struct str tuple = str_of(arena_printf(rd->arena, "__%.*s", STR_ARG(name)));
    *ret_found = true;
    if (type_member(rd->bin, place->type, name, &field) ||
        type_member(rd->bin, place->type, tuple, &field)) {
        *ret = place_field(place, &field);
        return 0;
    }
    *ret_found = false;
    if (place->type->nvariants == 0) {
        return 0;
    }
    int status = variant_find(rd, place, &variant);
    if (status != 0 || !variant) {
        return status;
    }
    struct place inner = place_field(place, &variant->field);
    if (str_eq(variant->field.name, name) || str_eq(inner.type->name, name)) {
        *ret = inner;
        *ret_found = true;
        return 0;
    }
    if (type_member(rd->bin, inner.type, name, &field) ||
        type_member(rd->bin, inner.type, tuple, &field)) {
        *ret = place_field(&inner, &field);
        *ret_found = true;
        return 0;
    }
    if (inner.type->nfields == 1 && str_is(inner.type->fields[0].name, "__0")) {
        *ret = place_field(&inner, &inner.type->fields[0]); /* Some(x): go on in x */
        return 0;
    }
    return err_set(rd->err, ERR_NOT_FOUND, 0, "the value is %.*s now, which has no member %.*s",
                   STR_ARG(inner.type->name), STR_ARG(name));
}

/* What a place without the member stands for: the content of a wrapper or an optional. */
static int step_inward(struct reader *rd, const struct place *place, struct str name,
                       struct place *ret)
{
    enum shape shape = shape_of(rd->bin, place->type);
    bool there = true;
    if (shape == SHAPE_WRAPPER) {
        return place_member(rd, place, shape_wrapped(rd->bin, place->type), ret);
    }
    if (shape != SHAPE_CXX_OPTIONAL) {
        return err_set(rd->err, ERR_NOT_FOUND, 0, "%.*s has no member %.*s",
                       STR_ARG(place->type->name), STR_ARG(name));
    }
    int status = optional_read(rd, place, &there, ret);
    return status || there ? status : err_set(rd->err, ERR_INVALID, 0, "the optional is empty");
}

static int step_member(struct reader *rd, struct place *place, struct str name)
{
    for (int i = 0; i < DWARF_PEEL_MAX; i++) {
        struct place inner = {0};
        bool found = false;
        int status = 0;
        if (place->type->kind == TY_POINTER) {
            status = place_deref(rd, place, &inner);
        } else {
            status = member_here(rd, place, name, &inner, &found);
            if (status == 0 && !inner.type) {
                status = step_inward(rd, place, name, &inner);
            }
        }
        if (status != 0 || !inner.type) {
            return status;
        }
        *place = inner;
        if (found) {
            return 0;
        }
    }
    return err_set(rd->err, ERR_LIMIT, 0, "too many pointers in a row");
}

static int list_places(struct reader *rd, struct place place, struct str name, struct places *ret)
{
    uint64_t first = 0;
    for (int i = 0; place.type->kind == TY_POINTER; i++) {
        struct place node = {.type = type_target(rd->bin, place.type)};
        int status = place_word(rd, &place, &node.addr);
        if (status != 0) {
            return status;
        }
        if (!node.type || i > DWARF_PEEL_MAX) {
            return err_set(rd->err, ERR_INVALID, 0, "the list has elements without type");
        }
        place = node;
        if (node.addr == 0) {
            return 0;
        }
    }
    first = place.addr;
    do {
        struct place next;
        struct dfield field;
        place.local = NULL;
        int status = limit_value(rd, 1);
        if (status == 0 && !type_member(rd->bin, place.type, name, &field)) {
            status = err_set(rd->err, ERR_NOT_FOUND, 0, "%.*s has no member %.*s",
                             STR_ARG(place.type->name), STR_ARG(name));
        }
        if (status != 0) {
            return status;
        }
        place_load(rd, &place, place.type->size);
        places_add(rd, ret, place);
        next = place_field(&place, &field);
        status = place_word(rd, &next, &place.addr);
        if (status != 0) {
            return status;
        }
    } while (place.addr != 0 && place.addr != first);
    return 0;
}

/* A step that gives many places: an array of what the rest of the path gives for each. */
static int spread_read(struct reader *rd, struct place place, const struct step *step,
                       struct dwarf_value *ret)
{
    struct places items = {0};
    int64_t lo = 0, hi = 0;
    int status = 0;
    if (step->kind == STEP_LIST) {
        status = list_places(rd, place, step->name, &items);
    } else {
        status = to_elements(rd, &place);
        if (status == 0 && step->kind == STEP_ALL) {
            if (map_is(rd->bin, place.type)) {
                return map_read(rd, &place, step->next, 0, rd->limits.follow, ret);
            }
            status = sequence_items(rd, &place, 0, UINT64_MAX, &items);
        } else if (status == 0) {
            status = bound_read(rd, step->lo, &lo);
            status = status ? status : bound_read(rd, step->hi, &hi);
            if (status == 0 && (lo < 0 || hi < lo)) {
                return err_set(rd->err, ERR_INVALID, 0, "[%" PRId64 "..%" PRId64 "] is not a range",
                               lo, hi);
            }
            status =
                status ? status : sequence_items(rd, &place, (uint64_t)lo, (uint64_t)hi, &items);
        }
    }
    ret->kind = DWARF_ARRAY;
    ret->n = items.n;
    ret->items = ARENA_ARRAY(rd->arena, struct dwarf_value, items.n + 1);
    if (status == 0) {
        tell_places(rd, step, items.n);
    }
    struct strbuf *steps = rd->steps;
    for (size_t i = 0; status == 0 && i < items.n; i++) {
        status = steps_read(rd, items.v[i], step->next, &ret->items[i]);
        rd->steps = NULL;
    }
    rd->steps = steps;
    return status;
}

static int step_index(struct reader *rd, struct place *place, const struct step *step)
{
    struct places items = {0};
    struct place found;
    int64_t at = 0;
    int status = to_elements(rd, place);
    if (status != 0) {
        return status;
    }
    if (map_is(rd->bin, place->type)) {
        status = map_find(rd, place, step->lo, &found);
        *place = status == 0 ? found : *place;
        return status;
    }
    status = bound_read(rd, step->lo, &at);
    if (status == 0 && (at < 0 || at == INT64_MAX)) {
        return err_set(rd->err, ERR_INVALID, 0, "[%" PRId64 "] is not a position", at);
    }
    status = status ? status : sequence_items(rd, place, (uint64_t)at, (uint64_t)at + 1, &items);
    if (status == 0) {
        *place = items.v[0];
    }
    return status;
}

static int steps_read(struct reader *rd, struct place place, const struct step *step,
                      struct dwarf_value *ret)
{
    for (; step; step = step->next) {
        struct place inner;
        int status = 0;
        switch (step->kind) {
        case STEP_MEMBER: status = step_member(rd, &place, step->name); break;
        case STEP_INDEX: status = step_index(rd, &place, step); break;
        case STEP_DEREF:
            status = place_deref(rd, &place, &inner);
            place = status == 0 ? inner : place;
            break;
        case STEP_CAST: place.type = step->type; break;
        case STEP_RANGE:
        case STEP_ALL:
        case STEP_LIST: return spread_read(rd, place, step, ret);
        }
        if (status != 0) {
            return status;
        }
        tell_step(rd, step, &place);
    }
    return value_read(rd, &place, 0, rd->limits.follow, ret);
}

int dwarf_read(const struct dwarf_path *path, const struct dwarf_memory *memory,
               const struct dwarf_limits *limits, struct arena *arena, struct dwarf_value **ret,
               struct err *err)
{
    struct err local = {0};
    struct reader rd = {.memory = memory,
                        .arena = arena,
                        .bin = path->bin,
                        .err = &local,
                        .steps = memory->steps,
                        .courtesies = 8};
    if (limits) {
        rd.limits = *limits;
    }
    rd.limits.values = rd.limits.values ? rd.limits.values : 65536;
    rd.limits.string_bytes = rd.limits.string_bytes ? rd.limits.string_bytes : 1 << 20;
    rd.limits.depth = rd.limits.depth ? rd.limits.depth : 64;
    rd.limits.follow = rd.limits.follow ? rd.limits.follow : 1;
    struct dwarf_value *value = ARENA_NEW(arena, struct dwarf_value);
    struct place at = {.type = path->type,
                       .addr = path->addr + memory->bias,
                       .local = path->bytes,
                       .nlocal = path->is_const ? path->nbytes : 0,
                       .immaterial = path->is_const};
    tell_variable(&rd, path);
    int status = steps_read(&rd, at, path->steps, value);
    if (status != 0) {
        if (err) {
            *err = local;
        }
        return err_wrap(err, "%.*s", STR_ARG(path->text));
    }
    *ret = value;
    return 0;
}
