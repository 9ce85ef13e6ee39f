/* Places: bytes of the process with a type. Members, pointers, scalars.
 *
 * Reading a word of another process is a system call. So a structure or an array is read in one
 * piece when it is entered (place_load), and its parts are then taken from that copy. */
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

int limit_value(struct reader *rd, uint64_t more)
{
    if (more > rd->limits.values || rd->values > rd->limits.values - more) {
        return err_set(rd->err, ERR_LIMIT, 0,
                       "more than %zu values: choose a smaller part, for example [0..n]",
                       rd->limits.values);
    }
    rd->values += more;
    return 0;
}

int place_read(struct reader *rd, const struct place *place, uint64_t offset, void *buf, size_t n)
{
    if (place->local && offset <= place->nlocal && n <= place->nlocal - offset) {
        memcpy(buf, place->local + offset, n);
        return 0;
    }
    if (place->immaterial) {
        return err_set(rd->err, ERR_CORRUPT, 0, "the constant has too few bytes");
    }
    if (rd->memory->read(rd->memory->arg, place->addr + offset, buf, n) != 0) {
        return err_set(rd->err, ERR_IO, 0, "cannot read %zu bytes at 0x%" PRIx64, n,
                       place->addr + offset);
    }
    return 0;
}

int place_word(struct reader *rd, const struct place *place, uint64_t *ret)
{
    uint8_t bytes[8];
    int status = place_read(rd, place, 0, bytes, sizeof bytes);
    if (status == 0) {
        memcpy(ret, bytes, sizeof bytes);
    }
    return status;
}

struct place place_at(const struct place *place, uint64_t offset, struct dtype *type)
{
    struct place inner = {
        .type = type, .addr = place->addr + offset, .immaterial = place->immaterial};
    if (place->local && offset <= place->nlocal) {
        inner.local = place->local + offset;
        inner.nlocal = place->nlocal - offset;
    }
    return inner;
}

struct place place_field(const struct place *place, const struct dfield *field)
{
    struct place inner = place_at(place, field->offset, field->type);
    inner.bit_size = field->bit_size;
    inner.bit_offset = field->bit_offset;
    return inner;
}

void place_load(struct reader *rd, struct place *place, uint64_t bytes)
{
    if (place->local || bytes == 0 || bytes > DWARF_BULK_MAX) {
        return;
    }
    uint8_t *copy = arena_alloc(rd->arena, bytes);
    if (rd->memory->read(rd->memory->arg, place->addr, copy, bytes) == 0) {
        place->local = copy;
        place->nlocal = bytes;
    } /* else its parts are read one by one: some may be there */
}

int place_member(struct reader *rd, const struct place *place, const char *path, struct place *ret)
{
    struct dfield field;
    if (!type_walk(rd->bin, place->type, path, &field)) {
        return err_set(rd->err, ERR_UNSUPPORTED, 0,
                       "%.*s has no member %s: a version of its library that is not known",
                       STR_ARG(place->type->name), path);
    }
    *ret = place_field(place, &field);
    return 0;
}

int place_deref(struct reader *rd, const struct place *place, struct place *ret)
{
    struct place at = *place;
    uint64_t addr = 0;
    for (int i = 0; i < DWARF_PEEL_MAX && shape_of(rd->bin, at.type) == SHAPE_WRAPPER; i++) {
        struct place inner;
        int status = place_member(rd, &at, shape_wrapped(rd->bin, at.type), &inner);
        if (status != 0) {
            return status;
        }
        at = inner;
    }
    if (at.type->kind != TY_POINTER) {
        return err_set(rd->err, ERR_INVALID, 0, "%.*s is not a pointer", STR_ARG(at.type->name));
    }
    int status = place_word(rd, &at, &addr);
    if (status != 0) {
        return status;
    }
    struct dtype *target = type_target(rd->bin, at.type);
    if (!target) {
        return err_set(rd->err, ERR_INVALID, 0, "a pointer to void has no type to read");
    }
    if (addr == 0) {
        return err_set(rd->err, ERR_INVALID, 0, "the pointer to %.*s is null",
                       STR_ARG(target->name));
    }
    *ret = (struct place){.type = target, .addr = addr};
    return 0;
}

/* The bits of a scalar of at most 8 bytes, extended by its sign. */
static int scalar_bits(struct reader *rd, const struct place *place, bool is_signed, uint64_t *ret)
{
    uint8_t bytes[16] = {0};
    uint64_t first = place->bit_size ? place->bit_offset / 8 : 0;
    unsigned shift = place->bit_size ? (unsigned)(place->bit_offset % 8) : 0;
    unsigned bits = place->bit_size ? place->bit_size : (unsigned)place->type->size * 8;
    int status = place_read(rd, place, first, bytes, (shift + bits + 7) / 8);
    if (status != 0) {
        return status;
    }
    unsigned __int128 all = 0;
    memcpy(&all, bytes, sizeof all);
    uint64_t word = (uint64_t)(all >> shift);
    if (bits < 64) {
        word &= (UINT64_C(1) << bits) - 1;
        if (is_signed && (word >> (bits - 1) & 1)) {
            word |= ~((UINT64_C(1) << bits) - 1);
        }
    }
    *ret = word;
    return 0;
}

static int wide_read(struct reader *rd, const struct place *place, struct dwarf_value *ret)
{
    unsigned __int128 wide = 0;
    int status = place_read(rd, place, 0, &wide, 16);
    if (status != 0) {
        return status;
    }
    bool is_signed = place->type->kind == TY_INT;
    if (is_signed ? (__int128)wide != (int64_t)wide : wide != (uint64_t)wide) {
        ret->kind = DWARF_OPAQUE;
        ret->text = STR("a number of more than 64 bits");
        return 0;
    }
    ret->kind = is_signed ? DWARF_INT : DWARF_UINT;
    ret->u = (uint64_t)wide;
    ret->i = (int64_t)ret->u;
    return 0;
}

static int float_read(struct reader *rd, const struct place *place, struct dwarf_value *ret)
{
    uint8_t bytes[16] = {0};
    size_t n = (size_t)place->type->size;
    int status = place_read(rd, place, 0, bytes, n);
    if (status != 0) {
        return status;
    }
    if (n == 4) {
        float f = 0;
        memcpy(&f, bytes, sizeof f);
        ret->f = (double)f;
    } else if (n == 8) {
        memcpy(&ret->f, bytes, sizeof ret->f);
    } else {
        long double f = 0;
        memcpy(&f, bytes, sizeof f);
        ret->f = (double)f;
    }
    ret->kind = DWARF_FLOAT;
    return 0;
}

static void enum_name(struct dwarf *bin, struct dtype *type, struct dwarf_value *ret)
{
    type_load(bin, type);
    ret->kind = DWARF_ENUM;
    for (size_t i = 0; i < type->nenumerators; i++) {
        if (type->enumerators[i].value == ret->i) {
            ret->text = type->enumerators[i].name;
            return;
        }
    }
}

int scalar_read(struct reader *rd, const struct place *place, struct dwarf_value *ret)
{
    struct dtype *type = place->type;
    ret->type = type->name;
    if (type->size == 16 && (type->kind == TY_INT || type->kind == TY_UINT) && !place->bit_size) {
        return wide_read(rd, place, ret);
    }
    if (type->kind == TY_FLOAT && (type->size == 4 || type->size == 8 || type->size == 16)) {
        return float_read(rd, place, ret);
    }
    if (type->size == 0 || type->size > 8 || type->kind == TY_FLOAT) {
        ret->kind = DWARF_OPAQUE;
        ret->text = STR("a number of unusual size");
        return 0;
    }
    if (type->kind == TY_ENUM) {
        type_load(rd->bin, type); /* knows whether there are negative ones */
    }
    bool is_signed = type->kind == TY_INT || (type->kind == TY_ENUM && type->is_signed);
    int status = scalar_bits(rd, place, is_signed, &ret->u);
    if (status != 0) {
        return status;
    }
    ret->i = (int64_t)ret->u;
    switch (type->kind) {
    case TY_INT: ret->kind = DWARF_INT; break;
    case TY_BOOL:
        ret->kind = DWARF_BOOL;
        ret->u = ret->u != 0;
        break;
    case TY_CHAR: ret->kind = DWARF_CHAR; break;
    case TY_ENUM: enum_name(rd->bin, type, ret); break;
    default: ret->kind = DWARF_UINT; break;
    }
    return 0;
}
