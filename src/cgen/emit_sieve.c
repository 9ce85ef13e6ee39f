/* Loops over sets that are bit vectors, where what is done with an element begins with tests of its
 * fields: `\E m \in msgs : m.type = "a" /\ m.to = n /\ ...`. Which elements of the universe pass a
 * test is known when the code is written, so that the loop goes over the bits that pass only.
 *
 * An element for which a test is an error passes: whatever happens then is left to the body, in
 * which all tests stand too. */
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/emit.h"
#include "cgen/ty.h"
#include "eval/act.h"
#include "eval/code.h"
#include "eval/ops.h"
#include "value/value.h"

enum { ROWS_MAX = 64, TERMS_MAX = 4 };

struct sieving {
    const struct sieve *sieve;
    const struct ty *set;
    uint64_t mask[TY_UNIVERSE / 64]; /* what passes the tests against constants */
    bool used;
    const char *term[TERMS_MAX]; /* rows of tables, for tests against values that are bound */
    uint32_t nterm;
};

static struct val element(struct gen *g, const struct ty *set, uint32_t i)
{
    uint8_t *bytes = arena_alloc(g->arena, set->elem->size + 8);
    memset(bytes, 0, set->elem->size);
    uni_element(set, i, bytes);
    return ty_decode(g->tys, g->ctx, set->elem, bytes);
}

/* The field of the variable in a slot that x stands for; -1: it does not. */
static int field_of(const struct ex *x, uint32_t slot, const struct ty *elem)
{
    if (x->fn != op_dot || (x->kid[0]->fn != op_slot && x->kid[0]->fn != op_slot_thunk) ||
        x->kid[0]->slot != slot || elem->kind != TY_REC) {
        return -1;
    }
    return ty_field(elem, x->u.val);
}

static bool in_all_variants(const struct ty *rec, int field)
{
    for (uint32_t v = 0; v < rec->nvariant; v++) {
        if (!(rec->variant[v] >> field & 1)) {
            return false;
        }
    }
    return true;
}

static bool is_plain(struct val v)
{
    return val_is_str(v) || val_is_small(v);
}

/* Does element i pass the test field = v? */
static bool passes(struct gen *g, const struct sieving *s, uint32_t i, int field, struct val v)
{
    struct val have;
    if (!fcn_try(g->ctx, element(g, s->set, i), s->set->elem->names[field], &have)) {
        return true;
    }
    bool alike = (val_is_str(have) && val_is_str(v)) || (val_is_small(have) && val_is_small(v)) ||
                 (val_is_model(have) && val_is_model(v));
    return !alike || val_same(have, v);
}

static void sift_const(struct gen *g, struct sieving *s, int field, struct val v)
{
    for (uint32_t i = 0; i < s->set->uni->n; i++) {
        if (!passes(g, s, i, field, v)) {
            s->mask[i / 64] &= ~(UINT64_C(1) << (i % 64));
        }
    }
    s->used = true;
}

/* A value that is bound, of a type whose values are numbers: its C text; NULL: something else. */
static const char *bound_value(struct gen *g, const struct sieving *s, const struct ex *x,
                               const struct ty *field)
{
    struct fenv *f = s->sieve->f;
    struct cv v = {0};
    if (x->fn == op_slot && x->slot != s->sieve->slot && f->slot[x->slot].kind == SLOT_CV) {
        v = f->slot[x->slot].cv;
    } else if (x->fn == op_dot && x->kid[0]->fn == op_slot && x->kid[0]->slot != s->sieve->slot &&
               f->slot[x->kid[0]->slot].kind == SLOT_CV) {
        struct cv rec = f->slot[x->kid[0]->slot].cv;
        int at = rec.ty && !rec.is_val && rec.ty->kind == TY_REC ? ty_field(rec.ty, x->u.val) : -1;
        if (at < 0 || !in_all_variants(rec.ty, at)) {
            return NULL;
        }
        v = cv_of(rec.ty->field[at], text(g, "%s.f%d", cv_e(g, &rec), at));
    }
    bool number = v.ty && (v.ty->kind == TY_INT || v.ty->kind == TY_ATOM);
    return number && !v.is_val && v.e && v.ty->kind == field->kind ? v.e : NULL;
}

/* A table of masks by the value of the field: that of a value that the field never has is last. */
static void sift_bound(struct gen *g, struct sieving *s, int field, const char *value)
{
    const struct ty *set = s->set;
    const struct ty *ty = set->elem->field[field];
    int64_t lo = 0;
    int64_t hi = -1;
    for (uint32_t p = 0; p < set->uni->npart; p++) {
        for (uint32_t k = 0; k < set->uni->part[p].nleaf; k++) {
            const struct uni_leaf *leaf = &set->uni->part[p].leaf[k];
            if (leaf->offset == set->elem->offset[field] && leaf->n > 0) {
                lo = hi < lo || leaf->code[0] < lo ? leaf->code[0] : lo;
                hi = hi < lo || leaf->code[leaf->n - 1] > hi ? leaf->code[leaf->n - 1] : hi;
            }
        }
    }
    if (hi < lo || hi - lo >= ROWS_MAX || s->nterm == TERMS_MAX) {
        return;
    }
    const char *name = text(g, "sr%u", g->ntmp++);
    strbuf_printf(&g->defs, "static const uint64_t %s[][%u] = {", name, set->w);
    for (int64_t c = lo; c <= hi + 1; c++) {
        uint64_t row[TY_UNIVERSE / 64] = {0};
        for (uint32_t i = 0; i < set->uni->n; i++) {
            struct val have;
            bool there = fcn_try(g->ctx, element(g, set, i), set->elem->names[field], &have);
            int64_t code = !there                ? c
                           : ty->kind == TY_ATOM ? tys_atom(g->tys, have)
                           : val_is_small(have)  ? val_small_get(have)
                                                 : c;
            row[i / 64] |= (uint64_t)(code == c) << (i % 64);
        }
        strbuf_adds(&g->defs, "{");
        for (uint32_t k = 0; k < set->w; k++) {
            strbuf_printf(&g->defs, "UINT64_C(%" PRIu64 "),", row[k]);
        }
        strbuf_adds(&g->defs, "},");
    }
    strbuf_adds(&g->defs, "};\n");
    const char *row = tmp(g);
    put(g,
        "uint64_t %s = (uint64_t)((int64_t)%s - INT64_C(%" PRId64 ")); if (%s > %" PRId64
        ") %s = %" PRId64 ";\n",
        row, value, lo, row, hi - lo, row, hi - lo + 1);
    s->term[s->nterm++] = text(g, "%s[%s]", name, row);
    s->used = true;
}

/* A test of another variable of the same set that cannot fail? */
static bool harmless(const struct sieving *s, const struct ex *x)
{
    const struct binder *b = s->sieve->binder;
    for (uint32_t i = 0; b && x->fn == op_eq && i < b->nvar; i++) {
        int at = !b->vars[i].tuple && b->vars[i].set == s->sieve->set
                     ? field_of(x->kid[0], b->vars[i].slots[0], s->set->elem)
                     : -1;
        if (at >= 0 && in_all_variants(s->set->elem, at) && x->kid[1]->fn == op_const &&
            val_is_str(x->kid[1]->u.val) && s->set->elem->field[at]->kind == TY_ATOM) {
            return true;
        }
    }
    return false;
}

/* One test; false: what follows it cannot be used. */
static bool sift(struct gen *g, struct sieving *s, const struct ex *x)
{
    if (x->fn == op_conj) {
        for (uint32_t i = 0; i < x->n; i++) {
            if (!sift(g, s, x->kid[i])) {
                return false;
            }
        }
        return true;
    }
    for (int side = 0; x->fn == op_eq && side < 2; side++) {
        int field = field_of(x->kid[side], s->sieve->slot, s->set->elem);
        const struct ex *other = x->kid[1 - side];
        struct val v;
        if (field < 0) {
            continue;
        }
        if (const_of(g, other, s->sieve->f, &v)) {
            if (is_plain(v) || val_is_model(v)) {
                sift_const(g, s, field, v);
            }
            return is_plain(v) || val_is_model(v);
        }
        const char *value = bound_value(g, s, other, s->set->elem->field[field]);
        if (value) {
            sift_bound(g, s, field, value);
            return true;
        }
    }
    return harmless(s, x);
}

static bool sift_act(struct gen *g, struct sieving *s, const struct act *a)
{
    if (a->fn == act_test_fn) {
        return sift(g, s, a->x);
    }
    if (a->fn == act_mark) {
        return sift_act(g, s, a->kid[0]);
    }
    for (uint32_t i = 0; a->fn == act_conj && i < a->n; i++) {
        if (!sift_act(g, s, a->kid[i])) {
            return false;
        }
    }
    return a->fn == act_conj;
}

const char *sieve_masks(struct gen *g, const struct sieve *sieve, const struct ty *set,
                        const char *word)
{
    struct sieving s = {.sieve = sieve, .set = set};
    memset(s.mask, 0xff, sizeof s.mask);
    const struct ex *x = sieve->body;
    if (sieve->act) {
        (void)sift_act(g, &s, sieve->act);
    } else if (!sieve->all) {
        (void)sift(g, &s, x);
    } else if (x->fn == op_implies) {
        (void)sift(g, &s, x->kid[0]);
    }
    if (!s.used) {
        return "";
    }
    const char *name = text(g, "sm%u", g->ntmp++);
    strbuf_printf(&g->defs, "static const uint64_t %s[] = {", name);
    for (uint32_t k = 0; k < set->w; k++) {
        strbuf_printf(&g->defs, "UINT64_C(%" PRIu64 "),", s.mask[k]);
    }
    strbuf_adds(&g->defs, "};\n");
    const char *all = text(g, " & %s[%s]", name, word);
    for (uint32_t i = 0; i < s.nterm; i++) {
        all = text(g, "%s & %s[%s]", all, s.term[i], word);
    }
    return all;
}
