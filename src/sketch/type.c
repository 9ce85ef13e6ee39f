/* Types from samples: every value that a place has had is merged into one description. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "sketch/sketch_int.h"
#include "value/value.h"

enum { TYPE_DEPTH = 6, TYPE_ELEMS = 64 };

static void add_name(struct arena *arena, struct stype *type, struct str name, bool model)
{
    for (size_t i = 0; i < type->n_names; i++) {
        if (str_eq(type->names[i], name)) {
            return;
        }
    }
    if (type->n_names == TYPE_NAMES) {
        type->many = true;
        return;
    }
    type->name_is_model[type->n_names] = model;
    type->names[type->n_names++] = str_dup(arena, name);
}

static struct stype *some(struct arena *arena, struct stype **type)
{
    *type = *type != NULL ? *type : ARENA_NEW(arena, struct stype);
    return *type;
}

static void add_set(struct arena *arena, struct vctx *ctx, struct stype *type, struct val v,
                    unsigned depth)
{
    struct stype *elem = some(arena, &type->set);
    if (!set_is_enumerable(v) || !set_is_finite(ctx, v)) {
        elem->other = true;
        return;
    }
    const struct vobj *set = val_obj(set_force(ctx, v));
    for (uint32_t i = 0; i < set->n && i < TYPE_ELEMS; i++) {
        stype_add(arena, ctx, elem, set->v[i], depth + 1);
    }
}

static void add_record(struct arena *arena, struct vctx *ctx, struct stype *type, struct val v,
                       unsigned depth)
{
    size_t n = fcn_size(ctx, v);
    for (size_t i = 0; i < n; i++) {
        struct str name = val_str_text(ctx, fcn_key(ctx, v, i));
        struct sfield **at = &type->fields;
        while (*at != NULL && !str_eq((*at)->name, name)) {
            at = &(*at)->next;
        }
        if (*at == NULL) {
            *at = ARENA_NEW(arena, struct sfield);
            (*at)->name = str_dup(arena, name);
            (*at)->type = ARENA_NEW(arena, struct stype);
        }
        stype_add(arena, ctx, (*at)->type, fcn_value(ctx, v, i), depth + 1);
    }
}

static void add_fcn(struct arena *arena, struct vctx *ctx, struct stype *type, struct val v,
                    unsigned depth)
{
    struct val f = fcn_force(ctx, v);
    size_t n = fcn_size(ctx, f);
    if (n == 0) {
        type->empty = true;
    } else if (val_is_kind(f, VK_RECORD)) {
        add_record(arena, ctx, type, f, depth);
    } else if (val_is_kind(f, VK_TUPLE)) {
        type->lengths = type->lengths || (type->seq != NULL && type->length != n);
        type->length = n;
        struct stype *elem = some(arena, &type->seq);
        for (size_t i = 0; i < n && i < TYPE_ELEMS; i++) {
            stype_add(arena, ctx, elem, fcn_value(ctx, f, i), depth + 1);
        }
    } else {
        struct stype *key = some(arena, &type->key), *value = some(arena, &type->value);
        for (size_t i = 0; i < n && i < TYPE_ELEMS; i++) {
            stype_add(arena, ctx, key, fcn_key(ctx, f, i), depth + 1);
            stype_add(arena, ctx, value, fcn_value(ctx, f, i), depth + 1);
        }
    }
}

void stype_add(struct arena *arena, struct vctx *ctx, struct stype *type, struct val v,
               unsigned depth)
{
    int64_t i = 0;
    if (depth > TYPE_DEPTH) {
        type->other = true;
    } else if (val_is_bool(v)) {
        type->is_bool = true;
    } else if (val_is_int(v) && int_to_i64(v, &i)) {
        type->lo = !type->is_int || i < type->lo ? i : type->lo;
        type->hi = !type->is_int || i > type->hi ? i : type->hi;
        type->is_int = true;
    } else if (val_is_str(v)) {
        add_name(arena, type, val_str_text(ctx, v), false);
    } else if (val_is_model(v)) {
        add_name(arena, type, str_of(val_line(ctx, v)), true);
    } else if (val_is_set(v)) {
        add_set(arena, ctx, type, v, depth);
    } else if (val_is_fcn(v)) {
        add_fcn(arena, ctx, type, v, depth);
    } else {
        type->other = true;
    }
}

bool stype_set_has(const struct sset *set, struct str name)
{
    for (size_t i = 0; i < set->n; i++) {
        if (str_eq(set->elems[i], name)) {
            return true;
        }
    }
    return false;
}

const struct sset *stype_within(const struct stype *type, const struct sset *sets, size_t n_sets)
{
    for (size_t k = 0; k < n_sets && type->n_names != 0 && !type->many; k++) {
        size_t i = 0;
        while (i < type->n_names && stype_set_has(&sets[k], type->names[i])) {
            i++;
        }
        if (i == type->n_names) {
            return &sets[k];
        }
    }
    return NULL;
}

bool stype_is_by_numbers(const struct stype *type, size_t n)
{
    return type->seq != NULL && type->key == NULL && !type->empty && !type->lengths &&
           type->length == n;
}

void stype_by_numbers(struct arena *arena, struct stype *type, size_t n)
{
    if (stype_is_by_numbers(type, n)) {
        type->key = ARENA_NEW(arena, struct stype);
        *type->key = (struct stype){.is_int = true, .lo = 1, .hi = (int64_t)n};
        type->value = type->seq;
        type->seq = NULL;
    }
    struct stype *parts[] = {type->set, type->seq, type->value};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i] != NULL) {
            stype_by_numbers(arena, parts[i], n);
        }
    }
    for (struct sfield *f = type->fields; f != NULL; f = f->next) {
        stype_by_numbers(arena, f->type, n);
    }
}

const struct sfield *stype_field(const struct stype *type, const char *name)
{
    const struct sfield *f = type->fields;
    while (f != NULL && !str_is(f->name, name)) {
        f = f->next;
    }
    return f;
}

struct printing {
    const struct sset *sets;
    size_t n_sets;
    struct strbuf *out;
    size_t parts;
};

static void print(struct printing *p, const struct stype *type);

static void begin_part(struct printing *p)
{
    strbuf_adds(p->out, p->parts++ > 0 ? " \\cup " : "");
}

static void print_names(struct printing *p, const struct stype *type)
{
    const struct sset *set = stype_within(type, p->sets, p->n_sets);
    begin_part(p);
    if (set != NULL) {
        strbuf_addstr(p->out, set->name);
        return;
    }
    strbuf_addc(p->out, '{');
    for (size_t i = 0; i < type->n_names; i++) {
        const char *quote = type->name_is_model[i] ? "" : "\"";
        strbuf_printf(p->out, "%s%s%.*s%s", i == 0 ? "" : ", ", quote, STR_ARG(type->names[i]),
                      quote);
    }
    strbuf_adds(p->out, type->many ? ", ...}" : "}");
}

static void print_inner(struct printing *p, const struct stype *type)
{
    size_t parts = p->parts;
    p->parts = 0;
    print(p, type);
    p->parts = parts;
}

static void print_record(struct printing *p, const struct stype *type)
{
    begin_part(p);
    strbuf_addc(p->out, '[');
    for (const struct sfield *f = type->fields; f != NULL; f = f->next) {
        strbuf_printf(p->out, "%s%.*s: ", f == type->fields ? "" : ", ", STR_ARG(f->name));
        print_inner(p, f->type);
    }
    strbuf_addc(p->out, ']');
}

static void print(struct printing *p, const struct stype *type)
{
    if (type->is_bool) {
        begin_part(p);
        strbuf_adds(p->out, "BOOLEAN");
    }
    if (type->is_int) {
        begin_part(p);
        strbuf_printf(p->out, "%" PRId64 "..%" PRId64, type->lo, type->hi);
    }
    if (type->n_names != 0) {
        print_names(p, type);
    }
    if (type->set != NULL) {
        begin_part(p);
        strbuf_adds(p->out, "SUBSET ");
        print_inner(p, type->set);
    }
    if (type->seq != NULL || (type->empty && type->value == NULL && type->fields == NULL)) {
        begin_part(p);
        strbuf_adds(p->out, "Seq(");
        if (type->seq != NULL) {
            print_inner(p, type->seq);
        }
        strbuf_addc(p->out, ')');
    }
    if (type->value != NULL) {
        begin_part(p);
        strbuf_addc(p->out, '[');
        print_inner(p, type->key);
        strbuf_adds(p->out, " -> ");
        print_inner(p, type->value);
        strbuf_addc(p->out, ']');
    }
    if (type->fields != NULL) {
        print_record(p, type);
    }
    if (type->other || p->parts == 0) {
        begin_part(p);
        strbuf_adds(p->out, "...");
    }
}

void stype_print(const struct stype *type, const struct sset *sets, size_t n_sets,
                 struct strbuf *out)
{
    struct printing p = {sets, n_sets, out, 0};
    print(&p, type);
}
