/* Where two values differ. Values of different kinds are different, never an error. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "conform/conform_int.h"
#include "value/value.h"

struct differ {
    struct vctx *ctx;
    struct strbuf *out;
    unsigned left;
    struct strbuf path;
    unsigned found; /* enum difference */
};

enum shape { SHAPE_INT, SHAPE_BOOL, SHAPE_STR, SHAPE_MODEL, SHAPE_SET, SHAPE_FCN, SHAPE_OTHER };

static enum shape shape_of(struct val v)
{
    return val_is_int(v)     ? SHAPE_INT
           : val_is_bool(v)  ? SHAPE_BOOL
           : val_is_str(v)   ? SHAPE_STR
           : val_is_model(v) ? SHAPE_MODEL
           : val_is_set(v)   ? SHAPE_SET
           : val_is_fcn(v)   ? SHAPE_FCN
                             : SHAPE_OTHER;
}

/* VAL_UNDEF: nothing. */
static void tell(struct differ *d, struct val spec, struct val real)
{
    d->found |= val_is_undef(spec) ? DIFF_MORE : val_is_undef(real) ? DIFF_LESS : DIFF_OTHER;
    if (d->left == 0) {
        return;
    }
    d->left--;
    strbuf_printf(d->out, "%s: the specification has %s, the implementation %s\n",
                  strbuf_cstr(&d->path), val_is_undef(spec) ? "nothing" : val_line(d->ctx, spec),
                  val_is_undef(real) ? "nothing" : val_line(d->ctx, real));
}

static void walk(struct differ *d, struct val spec, struct val real);

static bool same(struct differ *d, struct val a, struct val b)
{
    SCOPED_STRBUF unused = {0};
    return value_diff(d->ctx, a, b, &unused, 0) == 0;
}

static bool holds(struct differ *d, const struct vobj *set, struct val elem)
{
    for (uint32_t i = 0; i < set->n; i++) {
        if (same(d, set->v[i], elem)) {
            return true;
        }
    }
    return false;
}

static void walk_sets(struct differ *d, struct val spec, struct val real)
{
    const struct vobj *a = val_obj(set_force(d->ctx, spec)), *b = val_obj(set_force(d->ctx, real));
    for (uint32_t i = 0; i < a->n; i++) {
        if (!holds(d, b, a->v[i])) {
            tell(d, a->v[i], VAL_UNDEF);
        }
    }
    for (uint32_t i = 0; i < b->n; i++) {
        if (!holds(d, a, b->v[i])) {
            tell(d, VAL_UNDEF, b->v[i]);
        }
    }
}

static size_t push_key(struct differ *d, struct val key)
{
    size_t n = d->path.n;
    if (d->left == 0) {
        return n;
    }
    if (val_is_str(key)) {
        struct str text = val_str_text(d->ctx, key);
        strbuf_printf(&d->path, ".%.*s", STR_ARG(text));
    } else {
        strbuf_printf(&d->path, "[%s]", val_line(d->ctx, key));
    }
    return n;
}

static bool find_key(struct differ *d, struct val fcn, struct val key, struct val *ret)
{
    size_t n = fcn_size(d->ctx, fcn);
    for (size_t i = 0; i < n; i++) {
        if (same(d, fcn_key(d->ctx, fcn, i), key)) {
            *ret = fcn_value(d->ctx, fcn, i);
            return true;
        }
    }
    return false;
}

static void walk_functions(struct differ *d, struct val spec, struct val real)
{
    size_t n = fcn_size(d->ctx, spec), m = fcn_size(d->ctx, real);
    for (size_t i = 0; i < n; i++) {
        struct val key = fcn_key(d->ctx, spec, i), other;
        size_t path = push_key(d, key);
        if (find_key(d, real, key, &other)) {
            walk(d, fcn_value(d->ctx, spec, i), other);
        } else {
            tell(d, fcn_value(d->ctx, spec, i), VAL_UNDEF);
        }
        d->path.n = path;
    }
    for (size_t i = 0; i < m; i++) {
        struct val key = fcn_key(d->ctx, real, i), other;
        if (!find_key(d, spec, key, &other)) {
            size_t path = push_key(d, key);
            tell(d, VAL_UNDEF, fcn_value(d->ctx, real, i));
            d->path.n = path;
        }
    }
}

static void walk(struct differ *d, struct val spec, struct val real)
{
    if (val_same(spec, real)) {
        return;
    }
    enum shape shape = shape_of(spec);
    bool same_shape = shape == shape_of(real);
    if (same_shape && shape == SHAPE_SET) {
        walk_sets(d, spec, real);
    } else if (same_shape && shape == SHAPE_FCN) {
        walk_functions(d, fcn_force(d->ctx, spec), fcn_force(d->ctx, real));
    } else if (!same_shape || shape != SHAPE_INT || int_cmp(spec, real) != 0) {
        tell(d, spec, real);
    }
}

unsigned value_diff(struct vctx *ctx, struct val spec, struct val real, struct strbuf *out,
                    unsigned most)
{
    struct differ d = {.ctx = ctx, .out = out, .left = most};
    walk(&d, spec, real);
    strbuf_done(&d.path);
    return d.found;
}
