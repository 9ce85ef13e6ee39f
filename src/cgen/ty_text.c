/* Types as C text. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/ty.h"
#include "value/value.h"

static void name_it(struct tys *tys, const struct ty *ty)
{
    while (tys->named.n <= ty->id) {
        VEC_PUSH(&tys->named, false);
    }
    tys->named.v[ty->id] = true;
}

static void define(struct tys *tys, const struct ty *ty, struct strbuf *out);

/* Made of what the C compiler knows of the type, and of how its elements are ordered. */
static const char *struct_name(struct tys *tys, const struct ty *ty)
{
    while (tys->names.n <= ty->id) {
        VEC_PUSH(&tys->names, NULL);
    }
    if (!tys->names.v[ty->id]) {
        SCOPED_STRBUF text = {0};
        const struct ty *sorted = ty->kind == TY_MAP ? ty->key : ty->elem;
        define(tys, ty, &text);
        uint64_t hash = hash_bytes(text.p, text.n, ty->kind);
        hash = hash_combine(hash, sorted ? ty_is_scalar(sorted) : 2);
        tys->names.v[ty->id] = arena_printf(tys->arena, "T%016" PRIx64, hash);
    }
    return tys->names.v[ty->id];
}

const char *ty_c(struct tys *tys, const struct ty *ty)
{
    name_it(tys, ty);
    switch (ty->kind) {
    case TY_NONE: return "none_t";
    case TY_BOOL: return "uint8_t";
    case TY_INT:
        return ty->w == 1 ? "int8_t" : ty->w == 2 ? "int16_t" : ty->w == 4 ? "int32_t" : "int64_t";
    case TY_ATOM: return ty->size == 1 ? "uint8_t" : "uint16_t";
    case TY_MIX: return "int32_t";
    case TY_BITS:
        if (ty->w == 1) {
            return ty->size == 1   ? "uint8_t"
                   : ty->size == 2 ? "uint16_t"
                   : ty->size == 4 ? "uint32_t"
                                   : "uint64_t";
        }
        break;
    default: break;
    }
    return struct_name(tys, ty);
}

static void define_fields(struct tys *tys, const struct ty *ty, struct strbuf *out)
{
    for (uint32_t i = 0; i < ty->n; i++) {
        strbuf_printf(out, " %s f%u;", ty_c(tys, ty->field[i]), i);
    }
}

/* The definition up to the name. */
static void define(struct tys *tys, const struct ty *ty, struct strbuf *out)
{
    strbuf_adds(out, "typedef struct __attribute__((packed)) {");
    const char *count = ty->cap < 256 ? "uint8_t" : "uint16_t";
    switch (ty->kind) {
    case TY_REC:
        if (ty->nvariant > 1) {
            strbuf_adds(out, " uint8_t t;");
        }
        define_fields(tys, ty, out);
        break;
    case TY_UNION:
        strbuf_adds(out, " uint8_t t;");
        define_fields(tys, ty, out);
        break;
    case TY_TUP: define_fields(tys, ty, out); break;
    case TY_FUN: strbuf_printf(out, " %s a[%u];", ty_c(tys, ty->elem), ty->n); break;
    case TY_SEQ:
    case TY_SET: strbuf_printf(out, " %s n; %s a[%u];", count, ty_c(tys, ty->elem), ty->cap); break;
    case TY_MAP:
        strbuf_printf(out, " %s n; %s k[%u]; %s a[%u];", count, ty_c(tys, ty->key), ty->cap,
                      ty_c(tys, ty->elem), ty->cap);
        break;
    case TY_BITS: strbuf_printf(out, " uint64_t b[%u];", ty->w); break;
    default: break;
    }
    strbuf_adds(out, " } ");
}

static bool is_struct(const struct ty *ty)
{
    return ty->kind > TY_MIX && (ty->kind != TY_BITS || ty->w > 1);
}

/* Was a type of the same name defined, one of a lower number? */
static bool is_defined(struct tys *tys, size_t id, const char *name)
{
    for (size_t i = 0; i < id; i++) {
        if (tys->named.v[i] && is_struct(tys->all.v[i]) &&
            strcmp(struct_name(tys, tys->all.v[i]), name) == 0) {
            return true;
        }
    }
    return false;
}

/* Parts have lower numbers than what they are parts of. */
void ty_define_all(struct tys *tys, struct strbuf *out)
{
    for (size_t i = tys->named.n; i-- > 0;) {
        const struct ty *ty = tys->all.v[i];
        if (!tys->named.v[i]) {
            continue;
        }
        for (uint32_t k = 0; ty->field && k < ty->n; k++) {
            name_it(tys, ty->field[k]);
        }
        if (ty->elem) {
            name_it(tys, ty->elem);
        }
        if (ty->key) {
            name_it(tys, ty->key);
        }
    }
    for (size_t i = 0; i < tys->named.n; i++) {
        const struct ty *ty = tys->all.v[i];
        if (tys->named.v[i] && is_struct(ty) && !is_defined(tys, i, struct_name(tys, ty))) {
            const char *name = struct_name(tys, ty);
            define(tys, ty, out);
            strbuf_printf(out, "%s;\n_Static_assert(sizeof(%s) == %u, \"layout\");\n", name, name,
                          ty->size);
        }
    }
}

static void print_list(const struct tys *tys, const struct ty *ty, const char *sep,
                       struct strbuf *out)
{
    for (uint32_t i = 0; i < ty->n; i++) {
        if (ty->names) {
            struct str name = strtab_text(tys->strings, val_str_id(ty->names[i]));
            strbuf_printf(out, "%s%.*s: ", i ? sep : "", STR_ARG(name));
        } else {
            strbuf_adds(out, i ? sep : "");
        }
        ty_print(tys, ty->field[i], out);
    }
}

void ty_print(const struct tys *tys, const struct ty *ty, struct strbuf *out)
{
    switch (ty->kind) {
    case TY_NONE: strbuf_adds(out, "nothing"); return;
    case TY_BOOL: strbuf_adds(out, "BOOLEAN"); return;
    case TY_INT: strbuf_printf(out, "Int%u", ty->w * 8); return;
    case TY_ATOM: strbuf_adds(out, "atom"); return;
    case TY_MIX: strbuf_adds(out, "scalar"); return;
    case TY_REC:
        strbuf_printf(out, ty->nvariant > 1 ? "[%u forms| " : "[", ty->nvariant);
        print_list(tys, ty, ", ", out);
        strbuf_adds(out, "]");
        return;
    case TY_TUP:
        strbuf_adds(out, "<<");
        print_list(tys, ty, ", ", out);
        strbuf_adds(out, ">>");
        return;
    case TY_UNION:
        strbuf_adds(out, "(");
        print_list(tys, ty, " or ", out);
        strbuf_adds(out, ")");
        return;
    case TY_SEQ: strbuf_printf(out, "Seq%u(", ty->cap); break;
    case TY_SET: strbuf_printf(out, "Set%u(", ty->cap); break;
    case TY_BITS: strbuf_printf(out, "Bits%u(", ty->w * 64); break;
    case TY_FUN: strbuf_printf(out, "[%u keys -> ", ty->n); break;
    case TY_MAP:
        strbuf_printf(out, "Map%u(", ty->cap);
        ty_print(tys, ty->key, out);
        strbuf_adds(out, " -> ");
        break;
    }
    ty_print(tys, ty->elem, out);
    strbuf_adds(out, ty->kind == TY_FUN ? "]" : ")");
}
