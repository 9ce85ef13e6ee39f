/* Membership by the form of the set: the set itself is not made where its form says enough. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "cgen/cx.h"
#include "cgen/emit.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "eval/native.h"
#include "value/value.h"

const struct cx *emit_in_ref(struct gen *g, struct cv elem, struct setref s)
{
    return s.held ? emit_in_cv(g, elem, s.cv)
           : s.x  ? emit_in(g, elem, s.x, s.f)
                  : emit_in_val(g, elem, s.v);
}

/* ---- what must be evaluated even if nobody needs it ----
 * TLC evaluates all parts of a set before it looks for an element. Where that may fail, the part is
 * evaluated on the way to where it may be needed. */
static bool can_fail(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct val v;
    if (gen_const_of(g, x, f, &v) || x->op == EX_VAR0) {
        return false;
    }
    if (ex_is_name(x)) {
        struct slot *s = &f->slot[x->slot];
        if (s->kind == SLOT_CV) {
            return false;
        }
        if (s->kind != SLOT_LAZY || s->lazy->busy) {
            return true;
        }
        const struct ex *ex = s->lazy->ex                       ? s->lazy->ex
                              : ex_is_lazy(x) && !s->lazy->unit ? x->kid[0]
                                                                : NULL;
        return !ex || can_fail(g, ex, s->lazy->ex ? s->lazy->home : f);
    }
    if (x->op != EX_SETENUM && x->op != EX_TUPLE && x->op != EX_RECORD && x->op != EX_DOMAIN &&
        !ex_has(x, IR_SET_FORM | IR_SET_OP)) {
        return true;
    }
    for (uint32_t i = 0; i < x->n; i++) {
        if (can_fail(g, x->kid[i], f)) {
            return true;
        }
    }
    return false;
}

/* Sets that are not made as values for a test of membership. */
static bool is_lazy_form(const struct ex *x)
{
    return ex_has(x, IR_SET_FORM | IR_SET_OP) || x->op == EX_FILTER;
}

/* Evaluates what may fail in a set. */
static void probe(struct gen *g, const struct ex *x, struct fenv *f)
{
    if (!can_fail(g, x, f)) {
        return;
    }
    if (x->op == EX_FILTER) {
        probe(g, ((const struct fcn_info *)x->u.p)->binder->sets[0], f);
        if (!gen_stays_lazy(g, x, f)) {
            emit_check_filter(g, x, f);
        }
    } else if (is_lazy_form(x)) {
        for (uint32_t i = 0; i < x->n; i++) {
            probe(g, x->kid[i], f);
        }
    } else {
        (void)emit(g, x, f, NULL);
    }
}

struct setref emit_ref_of(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct setref s = {.x = x, .f = f, .v = VAL_UNDEF};
    if (!can_fail(g, x, f)) {
        return s;
    }
    if (is_lazy_form(x) && (x->op != EX_FILTER || gen_stays_lazy(g, x, f))) {
        probe(g, x, f);
        return s;
    }
    struct cv v = cv_hold(g, cv_set(g, emit(g, x, f, NULL)));
    if (v.is_val) {
        return (struct setref){.v = v.val};
    }
    s.held = v.ty != NULL;
    s.cv = v;
    return s;
}

/* ---- membership ---- */
/* The set with elements of a type that holds `elem` too: what does not fit among them is none of
 * them. */
static struct cv widened(struct gen *g, struct cv set, const struct ty *elem)
{
    const struct ty *join = ty_is_scalar(elem) ? NULL : ty_join(g->tys, elem, set.ty->elem);
    if (!join || ty_same_shape(join, set.ty->elem)) { /* larger sizes are no reason */
        return set;
    }
    uint32_t cap = set.ty->uni ? set.ty->uni->n : set.ty->cap;
    return cv_conv(g, set, ty_set_array(g->tys, join, cap));
}

/* A value that may be no scalar, in a set of scalars: only model values can be compared with it. */
static const struct cx *union_in_bits(struct gen *g, struct cv elem, struct cv set)
{
    const struct cx *e = cv_e(g, &elem);
    bool atoms = set.ty->elem->kind == TY_ATOM;
    const char *in = atoms ? "mix_in_atoms" : "mix_in_ints";
    const struct cx *other = atoms ? cx_int(g, 0) : cx_mix_bool(g);
    const struct cx *none = cx_call(g, CX_INT, NULL, in, other, cv_e(g, &set));
    int alt = ty_alternative(elem.ty, g->tys->mix);
    if (alt < 0) {
        return gen_call(g, none);
    }
    const struct cx *t = gen_new_flag(g, cx_int(g, 0));
    gen_if(g, cx_two(g, CX_EQ, cx_tag(g, e), cx_int(g, alt)));
    gen_set(g, t, emit_in_cv(g, cv_field(g, elem, (uint32_t)alt), set));
    gen_scope_close(g);
    gen_else(g, NULL);
    gen_set(g, t, gen_call(g, none));
    gen_scope_close(g);
    return cx_sealed(g, t);
}

/* Is the bit of that number set? */
static const struct cx *bit_of(struct gen *g, const struct ty *bits, const struct cx *set,
                               const struct cx *i)
{
    const struct cx *at = bits->w == 1 ? i : cx_two(g, CX_REM, i, cx_int(g, 64));
    return cx_bit(g, cx_word_of(g, bits, set, i), at);
}

/* ... in a set of numbers of a universe. */
static const struct cx *in_universe(struct gen *g, struct cv elem, struct cv set)
{
    const struct cx *s = cv_e(g, &set);
    if (elem.of == set.ty) {
        return bit_of(g, set.ty, s, elem.index);
    }
    const struct cx *i = uni_find(g, set.ty, elem);
    return cx_two(g, CX_BOTH, cx_two(g, CX_GE, i, cx_int(g, 0)), bit_of(g, set.ty, s, i));
}

/* ... in a set of small integers, or of atoms. */
static const struct cx *in_bits(struct gen *g, struct cv elem, struct cv set)
{
    const struct cx *s = cv_e(g, &set);
    elem = cv_hold(g, cv_narrow(g, elem, g->tys->mix));
    if (!ty_is_scalar(elem.ty)) {
        gen_trap(g, "T_KIND");
        return cx_int(g, 0);
    }
    bool typed = set.ty->elem->kind == TY_ATOM && ty_has_typed(set.ty->elem);
    if (elem.ty->kind == TY_ATOM && set.ty->elem->kind == TY_ATOM
            ? !ty_comparable(elem.ty, set.ty->elem)
            : typed) {
        gen_no(g, "model values of some type are looked for among others");
        return cx_int(g, 0);
    }
    const struct cx *e = cv_e(g, &elem);
    if (elem.ty->kind == set.ty->elem->kind) {
        const struct cx *in = cx_cast(g, CX_INT, bit_of(g, set.ty, s, e));
        const struct cx *fits = cx_two(g, CX_LT, cx_cast(g, CX_U64, e), cx_int(g, 64));
        return set.ty->w == 1 && elem.ty->kind == TY_INT ? cx_two(g, CX_BOTH, fits, in) : in;
    }
    if (set.ty->w > 1) {
        gen_no(g, "membership in a large mixed set");
        return cx_int(g, 0);
    }
    elem = cv_conv(g, elem, g->tys->mix);
    bool atoms = set.ty->elem->kind == TY_ATOM;
    e = cv_e(g, &elem);
    return gen_call(g, cx_call(g, CX_INT, NULL, atoms ? "mix_in_atoms" : "mix_in_ints", e, s));
}

/* ... in a set that is an array. */
static const struct cx *in_array(struct gen *g, struct cv elem, struct cv set)
{
    const struct cx *s = cx_addr(g, cv_e(g, &set));
    const struct ty *of = set.ty->elem;
    const struct cx *fits = cx_int(g, 1);
    gen_need_set(g, set.ty);
    if (elem.ty && elem.ty->kind == TY_INT && of->kind == TY_INT && of->w < elem.ty->w) {
        elem = cv_hold(g, elem);
        const struct cx *e = cv_e(g, &elem);
        fits = cx_two(g, CX_EQ, cx_cast_to(g, of, e), e);
        elem = cv_of(g, of, e);
    }
    elem = cv_conv(g, elem, of);
    const struct cx *p = gen_addr(g, &elem);
    if (!g->declined) {
        emit_comparable(g, of, p, cx_elems(g, cv_e(g, &set)), cx_count(g, cv_e(g, &set)));
    }
    const struct cx *at = cx_ty_call(g, CX_INT, set.ty, "_at", CX_ARGS(s, p));
    return gen_let(g, cx_two(g, CX_BOTH, fits, cx_two(g, CX_GE, at, cx_int(g, 0))));
}

const struct cx *emit_in_cv(struct gen *g, struct cv elem, struct cv set)
{
    if (g->declined) {
        return cx_int(g, 0);
    }
    set = cv_set(g, set);
    if ((set.ty && set.ty->kind == TY_NONE) || (elem.ty && elem.ty->kind == TY_NONE)) {
        gen_trap(g, "T_KIND"); /* not known yet, or never seen */
        return cx_int(g, 0);
    }
    if (!set.ty || !ty_is_set(set.ty)) {
        gen_no(g, "membership in something that is no set");
        return cx_int(g, 0);
    }
    if (set.ty->kind == TY_SET && set.ty->cap == 0) {
        return cx_int(g, 0);
    }
    if (elem.ty && elem.of != set.ty && (set.ty->kind == TY_SET || set.ty->uni)) {
        set = widened(g, set, elem.ty);
    }
    if (set.ty->kind == TY_BITS && set.ty->uni) {
        return in_universe(g, elem, set);
    }
    if (set.ty->kind == TY_BITS && set.ty->w == 1 && elem.ty && elem.ty->kind == TY_UNION) {
        return union_in_bits(g, elem, set);
    }
    return set.ty->kind == TY_BITS ? in_bits(g, elem, set) : in_array(g, elem, set);
}

static const struct cx *between(struct gen *g, const struct cx *lo, const struct cx *e,
                                const struct cx *hi)
{
    return cx_two(g, CX_BOTH, cx_two(g, CX_LE, lo, e), cx_two(g, CX_LE, e, hi));
}

static const struct cx *in_interval(struct gen *g, struct cv elem, const struct cx *lo,
                                    const struct cx *hi)
{
    if (!elem.ty || !ty_is_scalar(cv_narrow(g, elem, g->tys->mix).ty)) {
        gen_trap(g, "T_KIND");
        return cx_int(g, 0);
    }
    elem = cv_narrow(g, elem, g->tys->mix);
    if (elem.ty->kind == TY_MIX) {
        elem = cv_hold(g, elem);
        const struct cx *e = cv_e(g, &elem);
        const struct cx *number = gen_call(g, cx_call(g, CX_INT, NULL, "mix_is_int", e));
        return cx_two(g, CX_BOTH, number, between(g, lo, e, hi));
    }
    if (elem.ty->kind == TY_ATOM) {
        gen_trap_if(g, "T_KIND", cx_not(g, cx_is_model(g, cv_e(g, &elem))));
        return cx_int(g, 0);
    }
    elem = cv_hold(g, cv_int(g, elem));
    return between(g, lo, cv_e(g, &elem), hi);
}

/* Are all elements of the set `elem` in s? */
static const struct cx *in_subset(struct gen *g, struct cv elem, struct setref s)
{
    elem = cv_set(g, elem);
    if (!elem.ty || !ty_is_set(elem.ty)) {
        gen_trap(g, "T_KIND");
        return cx_int(g, 0);
    }
    struct loop_out loop;
    if (elem.ty->kind == TY_SET && elem.ty->cap == 0) {
        return cx_int(g, 1);
    }
    const struct cx *ok = gen_new_flag(g, cx_int(g, 1));
    const char *out = gen_new_label(g);
    /* elements that cannot be compared come first for TLC, not here: look at all of them */
    bool all = !ty_is_clean(elem.ty);
    gen_loop_open_cv(g, elem, &loop);
    gen_decide(g, cx_not(g, emit_in_ref(g, loop.elem, s)), ok, 0, all ? NULL : out);
    gen_loop_close(g, &loop);
    if (!all) {
        gen_label(g, out);
    }
    return cx_sealed(g, ok);
}

const struct cx *emit_in_subset(struct gen *g, struct cv elem, struct cv base)
{
    return in_subset(g, elem, (struct setref){.held = true, .cv = base});
}

/* Is every value of the function in s? Clears `ok` when not. */
static void all_values(struct gen *g, struct cv fcn, struct setref s, const struct cx *ok)
{
    const struct ty *ty = fcn.ty;
    if (ty->kind == TY_TUP || ty->kind == TY_REC) {
        for (uint32_t i = 0; i < ty->n; i++) {
            if (ty->kind == TY_REC && ty->nvariant > 1) {
                gen_no(g, "records of several forms as functions");
                return;
            }
            gen_if(g, ok);
            gen_set(g, ok, emit_in_ref(g, cv_field(g, fcn, i), s));
            gen_scope_close(g);
        }
        return;
    }
    if (g->declined || (ty->kind != TY_FUN && ty->cap == 0)) {
        return;
    }
    const struct cx *n = cx_size(g, cv_e(g, &fcn));
    const struct cx *i = gen_for_while(g, CX_U32, n, ok);
    gen_set(g, ok, emit_in_ref(g, cv_elem(g, fcn, i), s));
    gen_scope_close(g);
}

static const struct cx *in_fcnset(struct gen *g, struct cv elem, struct cv dom, struct setref range)
{
    elem = cv_fcn(g, elem);
    if (!elem.ty || !ty_is_fcn(elem.ty)) {
        gen_trap(g, "T_KIND");
        return cx_int(g, 0);
    }
    const struct cx *ok;
    if (elem.ty->kind == TY_SEQ && dom.is_val && val_is_kind(dom.val, VK_INTERVAL) &&
        val_small_get(vobj_lazy(val_obj(dom.val))->op[0]) == 1) {
        int64_t n = val_small_get(vobj_lazy(val_obj(dom.val))->op[1]);
        ok = gen_new_flag(g, cx_two(g, CX_EQ, cx_count(g, cv_e(g, &elem)), cx_i64(g, n)));
    } else {
        ok = gen_new_flag(g, emit_eq(g, emit_domain(g, elem), dom));
    }
    gen_if(g, ok);
    all_values(g, elem, range, ok);
    gen_scope_close(g);
    return cx_sealed(g, ok);
}

static const struct cx *in_product(struct gen *g, struct cv elem, const struct setref *sets,
                                   uint32_t n)
{
    elem = cv_fcn(g, elem);
    if (!elem.ty || (elem.ty->kind != TY_SEQ && elem.ty->kind != TY_TUP)) {
        gen_trap(g, "T_KIND");
        return cx_int(g, 0);
    }
    bool seq = elem.ty->kind == TY_SEQ;
    if (seq ? elem.ty->cap < n : elem.ty->n != n) {
        return cx_int(g, 0);
    }
    const struct cx *e = cv_e(g, &elem);
    const struct cx *fits = seq ? cx_two(g, CX_EQ, cx_count(g, e), cx_int(g, n)) : cx_int(g, 1);
    const struct cx *ok = gen_new_flag(g, fits);
    for (uint32_t i = 0; i < n; i++) {
        gen_if(g, ok);
        gen_set(g, ok, emit_in_ref(g, cv_part(g, elem, i), sets[i]));
        gen_scope_close(g);
    }
    return cx_sealed(g, ok);
}

static const struct cx *in_recset(struct gen *g, struct cv elem, const struct val *names,
                                  const struct setref *sets, uint32_t n)
{
    elem = cv_fcn(g, elem);
    if (!elem.ty || !ty_is_fcn(elem.ty)) {
        gen_trap(g, "T_KIND");
        return cx_int(g, 0);
    }
    if (elem.ty->kind != TY_REC) {
        gen_no(g, "a record set and a function");
        return cx_int(g, 0);
    }
    uint64_t bits = 0;
    for (uint32_t i = 0; i < n; i++) {
        int at = ty_field(elem.ty, names[i]);
        if (at < 0) {
            return cx_int(g, 0);
        }
        bits |= UINT64_C(1) << at;
    }
    uint32_t v = 0;
    while (v < elem.ty->nvariant && elem.ty->variant[v] != bits) {
        v++;
    }
    if (v == elem.ty->nvariant) {
        return cx_int(g, 0);
    }
    const struct cx *e = cv_e(g, &elem);
    const struct cx *form =
        elem.ty->nvariant > 1 ? cx_two(g, CX_EQ, cx_tag(g, e), cx_int(g, v)) : cx_int(g, 1);
    const struct cx *ok = gen_new_flag(g, form);
    for (uint32_t i = 0; i < n; i++) {
        gen_if(g, ok);
        int at = ty_field(elem.ty, names[i]);
        gen_set(g, ok, emit_in_ref(g, cv_field(g, elem, (uint32_t)at), sets[i]));
        gen_scope_close(g);
    }
    return cx_sealed(g, ok);
}

static const struct cx *in_seqset(struct gen *g, struct cv elem, struct setref s)
{
    elem = cv_fcn(g, elem);
    if (!elem.ty || !ty_is_fcn(elem.ty)) {
        gen_trap(g, "T_KIND");
        return cx_int(g, 0);
    }
    if (elem.ty->kind != TY_SEQ && elem.ty->kind != TY_TUP) {
        gen_no(g, "Seq and a function");
        return cx_int(g, 0);
    }
    const struct cx *ok = gen_new_flag(g, cx_int(g, 1));
    all_values(g, elem, s, ok);
    return cx_sealed(g, ok);
}

/* Combines two memberships: the second is looked at when the first does not decide. */
static const struct cx *in_two(struct gen *g, struct cv elem, struct setref a, struct setref b,
                               enum ex_op how)
{
    elem = cv_hold(g, elem);
    const struct cx *ok = gen_new_flag(g, emit_in_ref(g, elem, a));
    gen_if(g, how == EX_CUP ? cx_not(g, ok) : ok);
    const struct cx *second = emit_in_ref(g, elem, b);
    gen_set(g, ok, how == EX_SETMINUS ? cx_not(g, second) : second);
    gen_scope_close(g);
    return cx_sealed(g, ok);
}

static const struct cx *in_special(struct gen *g, struct cv elem, struct val set)
{
    elem = cv_narrow(g, elem, g->tys->mix);
    if (!elem.ty || !ty_is_scalar(elem.ty)) {
        gen_trap(g, "T_KIND");
        return cx_int(g, 0);
    }
    elem = cv_hold(g, elem);
    const struct cx *e = cv_e(g, &elem);
    const struct cx *natural = cx_two(g, CX_GE, e, cx_int(g, 0));
    if (val_same(set, VAL_STRING)) {
        if (elem.ty->kind == TY_ATOM) {
            if (ty_has_typed(elem.ty)) {
                gen_trap_if(g, "T_KIND", cx_is_typed(g, e));
            }
            return cx_not(g, cx_is_model(g, e));
        }
        gen_trap(g, "T_KIND");
        return cx_int(g, 0);
    }
    if (!val_same(set, VAL_NAT) && !val_same(set, VAL_INT)) {
        gen_no(g, "membership in an unusual set");
        return cx_int(g, 0);
    }
    if (elem.ty->kind == TY_INT) {
        return val_same(set, VAL_INT) ? cx_int(g, 1) : natural;
    }
    elem = cv_conv(g, elem, g->tys->mix);
    elem = cv_hold(g, elem);
    e = cv_e(g, &elem);
    natural = cx_two(g, CX_GE, e, cx_int(g, 0));
    const struct cx *number = gen_call(g, cx_call(g, CX_INT, NULL, "mix_is_int", e));
    return val_same(set, VAL_INT) ? number : cx_two(g, CX_BOTH, number, natural);
}

/* ---- model values ----
 * They are in no set of functions, records, tuples or sets; other scalars must not be asked for. */

/* Is the element a model value? NULL: it cannot be. */
static const struct cx *model_test(struct gen *g, struct cv elem)
{
    const struct cx *e = cv_e(g, &elem);
    if (g->declined) {
        return NULL;
    }
    if (elem.ty->kind == TY_UNION) {
        int at = ty_alternative(elem.ty, g->tys->atom);
        const struct cx *test = at < 0 ? NULL : model_test(g, cv_field(g, elem, (uint32_t)at));
        return test ? cx_two(g, CX_BOTH, cx_two(g, CX_EQ, cx_tag(g, e), cx_int(g, at)), test)
                    : NULL;
    }
    return elem.ty->kind == TY_ATOM  ? cx_is_model(g, e)
           : elem.ty->kind == TY_MIX ? cx_call(g, CX_INT, NULL, "mix_model", e)
                                     : NULL;
}

/* Before a look into such a set, of sets or of functions: true when there is nothing to look for.
 * Otherwise *elem is narrowed, a scope may be open, and aside_close must follow. */
struct aside {
    const struct cx *t; /* the result; NULL: no scope is open */
};

static bool aside_open(struct gen *g, struct cv *elem, bool sets, struct aside *ret)
{
    ret->t = NULL;
    if (!elem->ty || elem->is_val) {
        return false;
    }
    const struct cx *model = model_test(g, *elem);
    if (!model) {
        return false;
    }
    if (elem->ty->kind != TY_UNION) {
        gen_trap_if(g, "T_KIND", cx_not(g, model));
        return true;
    }
    ret->t = gen_new_flag(g, cx_int(g, 0));
    gen_if(g, cx_not(g, model));
    *elem = sets ? cv_set(g, *elem) : cv_fcn(g, *elem);
    if (elem->ty->kind == TY_UNION) {
        gen_trap(g, "T_KIND");
        gen_scope_close(g);
        return true;
    }
    return false;
}

static const struct cx *aside_close(struct gen *g, const struct aside *aside, const struct cx *in)
{
    if (!aside->t) {
        return in;
    }
    gen_set(g, aside->t, in);
    gen_scope_close(g);
    return cx_sealed(g, aside->t);
}

static bool is_form_val(struct val set)
{
    return val_is_kind(set, VK_SUBSET) || val_is_kind(set, VK_FCNSET) ||
           val_is_kind(set, VK_SEQSET) || val_is_kind(set, VK_PRODUCT) ||
           val_is_kind(set, VK_RECSET);
}

static const struct cx *in_val(struct gen *g, struct cv elem, struct val set);

const struct cx *emit_in_val(struct gen *g, struct cv elem, struct val set)
{
    struct aside aside = {0};
    if (is_form_val(set) && aside_open(g, &elem, val_is_kind(set, VK_SUBSET), &aside)) {
        return cx_int(g, 0);
    }
    return aside_close(g, &aside, in_val(g, elem, set));
}

static const struct cx *in_val(struct gen *g, struct cv elem, struct val set)
{
    tys_atoms(g->tys, set);
    if (!elem.ty && !elem.is_val) {
        gen_no(g, "membership of something without a layout");
        return cx_int(g, 0);
    }
    if (elem.is_val) {
        elem = cv_val(g, elem.val);
        if (!elem.ty) {
            gen_no(g, "membership of a constant without a layout");
            return cx_int(g, 0);
        }
    }
    if (elem.ty->kind == TY_NONE) {
        gen_trap(g, "T_KIND");
        return cx_int(g, 0);
    }
    if (!val_is_set(set)) {
        gen_trap(g, "T_KIND");
        return cx_int(g, 0);
    }
    if (val_tag(set) == VTAG_SPECIAL) {
        return in_special(g, elem, set);
    }
    const struct vlazy *o = vobj_lazy(val_obj(set));
    struct setref a = {.v = set};
    struct setref b = {.v = set};
    struct setref sets[TY_FIELDS];
    if (vkind_is_lazy(o->kind)) {
        a.v = o->op[0];
        b.v = o->n > 1 || o->kind == VK_FCNSET ? o->op[1] : o->op[0];
    }
    switch ((enum vkind)o->kind) {
    case VK_INTERVAL:
        return in_interval(g, elem, cx_i64(g, val_small_get(o->op[0])),
                           cx_i64(g, val_small_get(o->op[1])));
    case VK_SUBSET: return in_subset(g, elem, a);
    case VK_FCNSET: return in_fcnset(g, elem, cv_val(g, o->op[0]), b);
    case VK_SEQSET: return in_seqset(g, elem, a);
    case VK_CUP: return in_two(g, elem, a, b, EX_CUP);
    case VK_CAP: return in_two(g, elem, a, b, EX_CAP);
    case VK_DIFF: return in_two(g, elem, a, b, EX_SETMINUS);
    case VK_PRODUCT:
    case VK_RECSET:
        for (uint32_t i = 0; i < o->n && i < TY_FIELDS; i++) {
            sets[i] = (struct setref){.v = o->op[o->kind == VK_RECSET ? o->n + i : i]};
        }
        if (o->n > TY_FIELDS) {
            gen_no(g, "a large product");
            return cx_int(g, 0);
        }
        return o->kind == VK_RECSET ? in_recset(g, elem, o->op, sets, o->n)
                                    : in_product(g, elem, sets, o->n);
    default: break;
    }
    struct cv cv = cv_val(g, set);
    if (!cv.ty) {
        gen_no(g, "membership in a constant set without a layout");
        return cx_int(g, 0);
    }
    return emit_in_cv(g, elem, cv);
}

static const struct cx *in_list(struct gen *g, struct cv elem, const struct ex *x, uint32_t first,
                                struct fenv *f)
{
    struct cv all[TY_FIELDS];
    if (x->n > TY_FIELDS) {
        gen_no(g, "a long list of elements");
        return cx_int(g, 0);
    }
    elem = cv_hold(g, elem);
    for (uint32_t i = first; i < x->n; i++) {
        all[i] = emit(g, x->kid[i], f, elem.ty);
    }
    const struct cx *ok = gen_new_flag(g, cx_int(g, 0));
    for (uint32_t i = first; i < x->n; i++) {
        gen_if(g, cx_not(g, ok));
        gen_set(g, ok, emit_eq(g, all[i], elem));
        gen_scope_close(g);
    }
    return cx_sealed(g, ok);
}

static const struct cx *in_filter(struct gen *g, struct cv elem, const struct ex *x, struct fenv *f)
{
    const struct fcn_info *info = x->u.p;
    if (!gen_stays_lazy(g, info->binder->sets[0], f)) {
        emit_check_filter(g, x, f);
    }
    const struct cx *ok = gen_new_flag(g, emit_in(g, elem, info->binder->sets[0], f));
    gen_if(g, ok);
    struct fenv *inner = fenv_enter(g, info->unit, f);
    fenv_bind_var(g, &info->binder->vars[0], inner, elem);
    gen_set(g, ok, emit_bool(g, info->unit->body, inner));
    gen_scope_close(g);
    return cx_sealed(g, ok);
}

static const struct cx *in_made(struct gen *g, struct cv elem, const struct ex *x, struct fenv *f);

/* SUBSET S, [S -> T], [a : S], S \X T, Seq(S), whose parts are `sets`. */
static const struct cx *in_form(struct gen *g, struct cv elem, const struct ex *set,
                                const struct setref *sets, struct fenv *f)
{
    struct cv dom = set->op == EX_FCNSET ? emit(g, set->kid[0], f, NULL) : (struct cv){0};
    struct aside aside;
    if (aside_open(g, &elem, set->op == EX_SUBSET, &aside)) {
        return cx_int(g, 0);
    }
    const struct cx *in = set->op == EX_SUBSET   ? in_subset(g, elem, sets[0])
                          : set->op == EX_FCNSET ? in_fcnset(g, elem, dom, sets[1])
                          : set->op == EX_RECSET ? in_recset(g, elem, set->u.p, sets, set->n)
                          : set->op == EX_TIMES  ? in_product(g, elem, sets, set->n)
                                                 : in_seqset(g, elem, sets[0]);
    return aside_close(g, &aside, in);
}

/* ---- kinds of elements, as far as the text shows them ----
 * Values of two of these kinds are compared by nobody; model values, which are of none, with all.
 */
enum { KIND_INT = 1, KIND_BOOL = 2, KIND_STR = 4, KIND_REST = 8 };

static unsigned kind_of_val(struct val v)
{
    return val_is_int(v)     ? KIND_INT
           : val_is_bool(v)  ? KIND_BOOL
           : val_is_str(v)   ? KIND_STR
           : val_is_model(v) ? 0
                             : KIND_REST;
}

static unsigned kind_of_ty(const struct ty *ty)
{
    switch (ty->kind) {
    case TY_INT: return KIND_INT;
    case TY_BOOL: return KIND_BOOL;
    case TY_ATOM:
    case TY_MIX:
    case TY_UNION:
    case TY_NONE: return 0;
    default: return KIND_REST;
    }
}

static unsigned kinds_of(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct val v;
    if (gen_const_of(g, x, f, &v)) {
        return kind_of_val(v);
    }
    gen_see_through(g, &x, &f);
    switch (x->op) {
    case EX_VAR0: return kind_of_ty(g->var_ty[x->u.i]);
    case EX_IF: return kinds_of(g, x->kid[1], f) | kinds_of(g, x->kid[2], f);
    case EX_TUPLE:
    case EX_RECORD:
    case EX_SETENUM: return KIND_REST;
    default: return 0;
    }
}

static unsigned kinds_in(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct val v;
    unsigned kinds = 0;
    if (gen_const_of(g, x, f, &v)) {
        for (uint32_t i = 0; val_is_kind(v, VK_SET) && i < val_obj(v)->n; i++) {
            kinds |= kind_of_val(val_obj(v)->v[i]);
        }
        return val_is_kind(v, VK_INTERVAL) ? KIND_INT : kinds;
    }
    gen_see_through(g, &x, &f);
    if (x->op == EX_VAR0) {
        const struct ty *ty = g->var_ty[x->u.i];
        return ty_is_set(ty) && ty->elem ? kind_of_ty(ty->elem) : 0;
    }
    for (uint32_t i = 0; i < x->n && (x->op == EX_SETENUM || ex_has(x, IR_SET_OP)); i++) {
        kinds |= x->op == EX_SETENUM ? kinds_of(g, x->kid[i], f) : kinds_in(g, x->kid[i], f);
    }
    return kinds;
}

static bool mixes_kinds(struct gen *g, const struct ex *x, struct fenv *f)
{
    unsigned kinds = kinds_in(g, x, f);
    return (kinds & (kinds - 1)) != 0;
}

/* e \in UNION {S(k) : k \in K}: e \in S(k) for some k. Where anything can go wrong all of them are
 * looked at, for TLC makes them all. */
static const struct cx *in_union(struct gen *g, struct cv elem, const struct ex *map,
                                 struct fenv *f)
{
    const struct cx *ok = gen_new_flag(g, cx_int(g, 0));
    const char *label = gen_new_label(g);
    gen_block(g);
    uint32_t scopes = gen_binder_open(g, map->u.p, f, f, NULL, NULL);
    struct gen_mark mark = gen_mark(g);
    const struct cx *in = emit_in(g, elem, map->kid[0], f);
    gen_decide(g, in, ok, 1, gen_may_trap(g, &mark) ? NULL : label);
    gen_scopes_close(g, scopes);
    gen_label(g, label);
    gen_scope_close(g);
    return cx_sealed(g, ok);
}

/* The sets of which the union is, as {S(k) : k \in K}; NULL: they have another form. */
static const struct ex *union_of(struct gen *g, const struct ex *set, struct fenv **f)
{
    const struct ex *kid = set->op == EX_UNION ? set->kid[0] : NULL;
    struct val v;
    if (kid) {
        gen_see_through(g, &kid, f);
    }
    return kid && kid->op == EX_SETMAP && !gen_const_of(g, kid, *f, &v) ? kid : NULL;
}

const struct cx *emit_in(struct gen *g, struct cv elem, const struct ex *set, struct fenv *f)
{
    struct val v;
    struct setref sets[TY_FIELDS];
    if (elem.is_val && !elem.ty) {
        gen_no(g, "membership of a constant without a layout");
        return cx_int(g, 0);
    }
    if (gen_const_of(g, set, f, &v) && val_is_set(v)) {
        return emit_in_val(g, elem, v);
    }
    elem = cv_hold(g, elem);
    gen_see_through(g, &set, &f);
    if (set->n > TY_FIELDS) {
        gen_no(g, "a large set expression");
        return cx_int(g, 0);
    }
    if (ex_has(set, IR_SET_OP) && !gen_stays_lazy(g, set, f) &&
        (!ty_is_scalar(elem.ty) || mixes_kinds(g, set, f))) {
        return in_made(g, elem, set, f);
    }
    bool parts = ex_has(set, IR_SET_FORM | IR_SET_OP) || ex_is_native(set, NATIVE_SEQ);
    for (uint32_t i = 0; parts && i < set->n; i++) {
        bool domain = set->op == EX_FCNSET && i == 0; /* evaluated below */
        sets[i] = domain ? (struct setref){0} : emit_ref_of(g, set->kid[i], f);
    }
    struct fenv *inside = f;
    const struct ex *sets_of = union_of(g, set, &inside);
    if (sets_of) {
        return in_union(g, elem, sets_of, inside);
    }
    if (set->op == EX_RANGE) {
        struct cv lo = cv_hold(g, cv_int(g, emit(g, set->kid[0], f, NULL)));
        struct cv hi = cv_hold(g, cv_int(g, emit(g, set->kid[1], f, NULL)));
        const struct cx *from = cv_e(g, &lo);
        return in_interval(g, elem, from, cv_e(g, &hi));
    }
    if (set->op == EX_SETENUM) {
        return in_list(g, elem, set, 0, f);
    }
    if (ex_has(set, IR_SET_FORM) || (parts && set->op == EX_NATIVE)) {
        return in_form(g, elem, set, sets, f);
    }
    if (ex_has(set, IR_SET_OP)) {
        return in_two(g, elem, sets[0], sets[1], set->op);
    }
    if (set->op == EX_FILTER) {
        return in_filter(g, elem, set, f);
    }
    if (set->op == EX_DOMAIN) {
        return emit_in_domain(g, elem, emit(g, set->kid[0], f, NULL));
    }
    return emit_in_cv(g, elem, emit(g, set, f, NULL));
}

/* e \in S \cup T, S \cap T or S \ T, where TLC makes the set first: each element of one must be
 * comparable with those of the other, whether e meets them or not. */
static const struct cx *in_made(struct gen *g, struct cv elem, const struct ex *x, struct fenv *f)
{
    struct cv a = cv_hold(g, emit_typed_set(g, x->kid[0], f, NULL));
    struct cv b = cv_hold(g, emit_typed_set(g, x->kid[1], f, NULL));
    const struct ty *join = gen_join(g, a.ty->elem, b.ty->elem);
    if (!ty_is_clean(join)) {
        return emit_in_cv(g, elem,
                          x->op == EX_CUP ? emit_cup_of(g, a, b, NULL) : emit(g, x, f, NULL));
    }
    struct setref s = {.held = true, .cv = a};
    struct setref t = {.held = true, .cv = b};
    return in_two(g, elem, s, t, x->op);
}

/* S \subseteq a constant set, for S of a universe: which of its elements are in the set is known.
 * NULL: it cannot be. */
static const struct cx *universe_within(struct gen *g, struct cv a, struct val set)
{
    struct val card = val_is_set(set) && set_is_enumerable(set) && set_is_finite(g->ctx, set)
                          ? set_card(g->ctx, set)
                          : VAL_UNDEF;
    if (!val_is_small(card) || val_small_get(card) > 4096) {
        return NULL;
    }
    const struct vobj *o = val_obj(set_force(g->ctx, set));
    uint64_t in[TY_UNIVERSE / 64] = {0};
    uint8_t *elem = arena_alloc(g->arena, a.ty->elem->size + 8);
    const struct ty *join = a.ty->elem;
    for (uint32_t i = 0; i < o->n; i++) {
        const struct ty *t = ty_of_val(g->tys, o->v[i]);
        join = t && join ? ty_join(g->tys, join, t) : NULL;
        memset(elem, 0, a.ty->elem->size);
        int64_t at =
            ty_encode(g->tys, g->ctx, a.ty->elem, o->v[i], elem) ? uni_index(a.ty, elem) : -1;
        if (at >= 0) {
            in[at / 64] |= UINT64_C(1) << (at % 64);
        }
    }
    if (!join || !ty_is_clean(join)) {
        return NULL; /* TLC may fail to compare elements */
    }
    const struct cx *e = cv_e(g, &a);
    const struct cx *out = NULL;
    for (uint32_t k = 0; k < a.ty->w; k++) {
        const struct cx *word = cx_word(g, e, cx_int(g, k));
        const struct cx *rest = cx_two(g, CX_AND, word, cx_u64(g, ~in[k]));
        out = out ? cx_two(g, CX_OR, out, rest) : rest;
    }
    return cx_two(g, CX_EQ, out, cx_int(g, 0));
}

const struct cx *emit_subseteq(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct cv a = emit_typed_set(g, x->kid[0], f, NULL);
    struct val v;
    if (a.ty->kind == TY_BITS && a.ty->uni && !a.is_val && gen_const_of(g, x->kid[1], f, &v)) {
        const struct cx *all = universe_within(g, a, v);
        if (all) {
            return all;
        }
    }
    if (a.ty->kind == TY_BITS && a.ty->w == 1 && !gen_const_of(g, x->kid[1], f, &v)) {
        const struct ex *set = x->kid[1];
        struct fenv *sf = f;
        gen_see_through(g, &set, &sf);
        if (set->op == EX_VAR0 || set->op == EX_VAR1 || set->op == EX_APPLY || set->op == EX_DOT ||
            set->op == EX_SLOT) {
            struct cv b = emit(g, x->kid[1], f, a.ty);
            if (b.ty == a.ty) {
                const struct cx *left = cv_e(g, &a);
                const struct cx *rest = cx_two(g, CX_AND, left, cx_flip(g, cv_e(g, &b)));
                return cx_two(g, CX_EQ, rest, cx_int(g, 0));
            }
        }
    }
    return in_subset(g, a, emit_ref_of(g, x->kid[1], f));
}
