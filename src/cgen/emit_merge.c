/* f @@ h and k :> v where the keys are names that are known: records, put together field by field.
 * Specifications write such functions for records whose fields they do not want to list. */
#include <stdint.h>
#include <stdlib.h>

#include "base/str.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/emit_native.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "value/value.h"

/* [name |-> v], which TLC holds as a function. */
static struct cv record_of_one(struct gen *g, struct val name, struct cv v)
{
    uint64_t all = 1;
    const struct ty *field[1] = {v.ty};
    const struct ty *ty = ty_rec_map(g->tys, ty_rec(g->tys, &name, field, 1, &all, 1));
    const struct cx *t = gen_new_var(g, ty);
    gen_set(g, cx_field(g, t, 0), cv_e(g, &v));
    return cv_of(g, ty, cx_sealed(g, t));
}

bool emit_single_record(struct args *a, struct cv *ret)
{
    struct gen *g = a->g;
    struct val name;
    if ((a->want && a->want->kind == TY_MAP) || !gen_const_of(g, a->x->kid[0], a->f, &name) ||
        !val_is_str(name)) {
        return false;
    }
    tys_atoms(g->tys, name);
    struct cv v = emit_arg_at(a, 1, NULL);
    if (!v.ty) {
        *ret = gen_no(g, "a function of something without a layout");
        return true;
    }
    *ret = cv_is_none(v) ? v : record_of_one(g, name, v);
    return true;
}

/* ---- the record that two records make ---- */
struct both {
    const struct ty *f, *h;                  /* of the operands */
    const struct ty *ty;                     /* of the result */
    uint8_t form[TY_VARIANTS * TY_VARIANTS]; /* of the result, by those of f and h */
};

/* The forms that have a field, as bits; 0: none. */
static uint64_t forms_with(const struct ty *rec, int field)
{
    uint64_t forms = 0;
    for (uint32_t v = 0; field >= 0 && v < rec->nvariant; v++) {
        forms |= (rec->variant[v] >> field & 1) << v;
    }
    return forms;
}

static bool has_always(const struct ty *rec, int field)
{
    return field >= 0 && forms_with(rec, field) == (UINT64_C(1) << rec->nvariant) - 1;
}

/* The fields of the form v of `rec`, as fields of the result. */
static uint64_t form_in(const struct ty *ty, const struct ty *rec, uint32_t v)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < rec->n; i++) {
        int at = rec->variant[v] >> i & 1 ? ty_field(ty, rec->names[i]) : -1;
        bits |= at >= 0 ? UINT64_C(1) << at : 0;
    }
    return bits;
}

static int form_find(const struct ty *ty, uint64_t bits)
{
    for (uint32_t v = 0; v < ty->nvariant; v++) {
        if (ty->variant[v] == bits) {
            return (int)v;
        }
    }
    return -1;
}

/* Which form of the result each pair of forms makes; false: `ty` has no such form. */
static bool forms_fit(struct both *b, const struct ty *ty)
{
    for (uint32_t i = 0; i < b->f->nvariant; i++) {
        for (uint32_t k = 0; k < b->h->nvariant; k++) {
            int form = form_find(ty, form_in(ty, b->f, i) | form_in(ty, b->h, k));
            if (form < 0) {
                return false;
            }
            b->form[i * b->h->nvariant + k] = (uint8_t)form;
        }
    }
    return true;
}

/* The type of the field `name` of the result; NULL: there is none. */
static const struct ty *field_type(struct gen *g, const struct both *b, struct val name)
{
    int in_f = ty_field(b->f, name);
    int in_h = ty_field(b->h, name);
    if (in_f < 0 || in_h < 0) {
        return in_f < 0 ? b->h->field[in_h] : b->f->field[in_f];
    }
    return has_always(b->f, in_f) ? b->f->field[in_f]
                                  : ty_join(g->tys, b->f->field[in_f], b->h->field[in_h]);
}

/* Names of both, ascending; 0: too many. */
static uint32_t names_of(const struct both *b, struct val *names)
{
    uint32_t n = 0;
    uint32_t i = 0;
    uint32_t k = 0;
    while (i < b->f->n || k < b->h->n) {
        if (n == TY_FIELDS - 1) {
            return 0;
        }
        bool left = k == b->h->n ||
                    (i < b->f->n && val_str_id(b->f->names[i]) <= val_str_id(b->h->names[k]));
        struct val name = left ? b->f->names[i] : b->h->names[k];
        i += i < b->f->n && val_same(b->f->names[i], name);
        k += k < b->h->n && val_same(b->h->names[k], name);
        names[n++] = name;
    }
    return n;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;
    return (*x > *y) - (*x < *y);
}

/* A type of its own for the result; NULL: none. */
static const struct ty *result_type(struct gen *g, const struct both *b)
{
    struct val names[TY_FIELDS];
    const struct ty *field[TY_FIELDS];
    uint64_t form[TY_VARIANTS * TY_VARIANTS];
    uint32_t n = names_of(b, names);
    for (uint32_t i = 0; i < n; i++) {
        field[i] = field_type(g, b, names[i]);
        if (!field[i]) {
            return NULL;
        }
    }
    if (n == 0) {
        return NULL;
    }
    uint64_t all = (UINT64_C(1) << n) - 1;
    const struct ty *whole = ty_rec(g->tys, names, field, n, &all, 1);
    uint32_t forms = 0;
    for (uint32_t i = 0; i < b->f->nvariant; i++) {
        for (uint32_t k = 0; k < b->h->nvariant; k++) {
            form[forms++] = form_in(whole, b->f, i) | form_in(whole, b->h, k);
        }
    }
    qsort(form, forms, sizeof form[0], by_number);
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < forms; i++) {
        if (distinct == 0 || form[distinct - 1] != form[i]) {
            form[distinct++] = form[i];
        }
    }
    return distinct <= TY_VARIANTS
               ? ty_rec_map(g->tys, ty_rec(g->tys, names, field, n, form, distinct))
               : NULL;
}

/* Can the result be laid out as is wanted? */
static bool fits(struct gen *g, struct both *b, const struct ty *want)
{
    struct val names[TY_FIELDS];
    uint32_t n = names_of(b, names);
    for (uint32_t i = 0; i < n; i++) {
        int at = ty_field(want, names[i]);
        const struct ty *ty = field_type(g, b, names[i]);
        if (at < 0 || !ty || !ty_same_shape(ty, want->field[at])) {
            return false;
        }
    }
    return n > 0 && forms_fit(b, want);
}

/* ---- code ---- */
static void put_field(struct gen *g, const struct both *b, const struct cx *t, uint32_t at,
                      struct cv of)
{
    int field = ty_field(of.ty, b->ty->names[at]);
    struct cv v = cv_conv(g, cv_field(g, of, (uint32_t)field), b->ty->field[at]);
    gen_set(g, cx_field(g, t, at), cv_e(g, &v));
}

/* Opens a scope in which the record has the field. */
static void with_field(struct gen *g, struct cv of, int field)
{
    const struct cx *always = cx_int(g, 1);
    gen_if(g, has_always(of.ty, field)
                  ? always
                  : cx_bit(g, cx_u64(g, forms_with(of.ty, field)), cx_tag(g, cv_e(g, &of))));
}

static void put_fields(struct gen *g, const struct both *b, const struct cx *t, struct cv f,
                       struct cv h)
{
    for (uint32_t i = 0; i < b->ty->n; i++) {
        int in_f = ty_field(b->f, b->ty->names[i]);
        int in_h = ty_field(b->h, b->ty->names[i]);
        if (in_f >= 0) {
            with_field(g, f, in_f);
            put_field(g, b, t, i, f);
            gen_scope_close(g);
        }
        if (in_h >= 0 && !has_always(b->f, in_f)) {
            if (in_f >= 0) {
                gen_else(g, NULL);
            } else {
                gen_block(g);
            }
            with_field(g, h, in_h);
            put_field(g, b, t, i, h);
            gen_scope_close(g);
            gen_scope_close(g);
        }
    }
}

static void put_form(struct gen *g, const struct both *b, const struct cx *t, struct cv f,
                     struct cv h)
{
    uint32_t n = b->f->nvariant * b->h->nvariant;
    SCOPED_STRBUF text = {0};
    strbuf_adds(&text, "[] = {");
    for (uint32_t i = 0; i < n; i++) {
        strbuf_printf(&text, "%u,", b->form[i]);
    }
    strbuf_adds(&text, "};\n");
    const char *table = gen_define(g, "k", "static const uint8_t ", strbuf_str(&text));
    const struct cx *row = b->f->nvariant > 1 ? cx_tag(g, cv_e(g, &f)) : cx_int(g, 0);
    const struct cx *col = b->h->nvariant > 1 ? cx_tag(g, cv_e(g, &h)) : cx_int(g, 0);
    const struct cx *at = cx_two(g, CX_ADD, cx_two(g, CX_MUL, row, cx_int(g, b->h->nvariant)), col);
    gen_set(g, cx_tag(g, t), cx_index(g, cx_name(g, CX_ARRAY, NULL, table, true), at));
}

/* ---- f @@ h where h has a domain that is known ----
 * The values of f are put in their places. Where f has a key that h has not, the interpreter does
 * it: it is rare. */
bool emit_merge_into(struct args *a, struct cv f, struct cv h, struct cv *ret)
{
    struct gen *g = a->g;
    const struct ty *want = ty_fcn_alternative(a->want);
    if (h.ty->kind != TY_FUN || f.ty->cap == 0 || f.ty->elem->kind == TY_NONE ||
        !ty_same_shape(f.ty->key, h.ty->key) || (want && want->kind != TY_FUN)) {
        return false;
    }
    const struct ty *elem =
        ty_same_shape(f.ty->elem, h.ty->elem) ? h.ty->elem : gen_join(g, h.ty->elem, f.ty->elem);
    const struct ty *ty =
        elem == h.ty->elem ? h.ty : ty_fun(g->tys, h.ty->names, h.ty->n, h.ty->key, elem);
    h = cv_conv(g, h, ty);
    const struct cx *t = gen_new_copy(g, ty, cv_e(g, &h));
    const struct cx *i = gen_for_n(g, CX_U32, cx_count(g, cv_e(g, &f)));
    const struct cx *place = gen_let(g, emit_key_index(g, ty, cv_key(g, f, i)));
    gen_trap_if(g, "T_KIND", cx_two(g, CX_LT, place, cx_int(g, 0)));
    struct cv v = cv_conv(g, cv_elem(g, f, i), elem);
    gen_set(g, cx_elem(g, t, place), cv_e(g, &v));
    gen_scope_close(g);
    *ret = cv_of(g, ty, cx_sealed(g, t));
    return true;
}

static bool is_empty(const struct ty *fcn)
{
    return (fcn->kind == TY_SEQ || fcn->kind == TY_MAP) && fcn->cap == 0;
}

bool emit_merge_records(struct args *a, struct cv f, struct cv h, struct cv *ret)
{
    struct gen *g = a->g;
    if ((is_empty(f.ty) && h.ty->kind == TY_REC) || (is_empty(h.ty) && f.ty->kind == TY_REC)) {
        struct cv rec = is_empty(f.ty) ? h : f;
        *ret = cv_conv(g, rec, ty_rec_map(g->tys, rec.ty));
        return true;
    }
    struct both b = {ty_as_rec(g->tys, f.ty), ty_as_rec(g->tys, h.ty), NULL, {0}};
    const struct ty *want = ty_fcn_alternative(a->want);
    if (!b.f || !b.h || (want && want->kind == TY_MAP)) {
        return false;
    }
    b.ty = want && want->kind == TY_REC && fits(g, &b, want) ? want : result_type(g, &b);
    if (!b.ty || !forms_fit(&b, b.ty)) {
        return false;
    }
    f = cv_conv(g, f, b.f);
    h = cv_conv(g, h, b.h);
    const struct cx *t = gen_new_var(g, b.ty);
    if (b.ty->nvariant > 1) {
        put_form(g, &b, t, f, h);
    }
    put_fields(g, &b, t, f, h);
    *ret = cv_of(g, b.ty, cx_sealed(g, t));
    return true;
}
