/* Membership by the form of the set: the set itself is not made where its form says enough. */
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "cgen/emit.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "eval/native.h"
#include "value/value.h"

const char *emit_in_ref(struct gen *g, struct cv elem, struct setref s)
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
static const char *union_in_bits(struct gen *g, struct cv elem, struct cv set)
{
    const char *e = cv_e(g, &elem);
    bool atoms = set.ty->elem->kind == TY_ATOM;
    const char *in = atoms ? "mix_in_atoms" : "mix_in_ints";
    const char *none = gen_text(g, atoms ? "0, %s" : "MIX_BOOL, %s", cv_e(g, &set));
    int alt = ty_alternative(elem.ty, g->tys->mix);
    if (alt < 0) {
        return gen_call(g, "int", in, "%s", none);
    }
    const char *t = gen_new_flag(g, "0");
    gen_scope_open(g, gen_text(g, "if (%s.t == %d)", e, alt));
    gen_put(g, "%s = %s;\n", t,
            emit_in_cv(g, cv_of(elem.ty->field[alt], gen_text(g, "%s.f%d", e, alt)), set));
    gen_scope_close(g);
    gen_scope_open(g, "else");
    gen_put_call(g, "%s(%s, &%s)", in, none, t);
    gen_scope_close(g);
    return t;
}

/* ... in a set of numbers of a universe. */
static const char *in_universe(struct gen *g, struct cv elem, struct cv set, const char *s)
{
    if (elem.of == set.ty) {
        return set.ty->w == 1
                   ? gen_text(g, "(%s >> %s & 1)", s, elem.index)
                   : gen_text(g, "(%s.b[%s / 64] >> (%s %% 64) & 1)", s, elem.index, elem.index);
    }
    elem = cv_conv(g, elem, set.ty->elem);
    const char *i = gen_tmp(g);
    gen_put(g, "int %s = %s(%s);\n", i, gen_need_uni(g, set.ty).at, gen_addr(g, &elem));
    return set.ty->w == 1
               ? gen_text(g, "(%s >= 0 && (%s >> %s & 1))", i, s, i)
               : gen_text(g, "(%s >= 0 && (%s.b[%s / 64] >> (%s %% 64) & 1))", i, s, i, i);
}

/* ... in a set of small integers, or of atoms. */
static const char *in_bits(struct gen *g, struct cv elem, struct cv set, const char *s)
{
    elem = cv_hold(g, cv_narrow(g, elem, g->tys->mix));
    if (!ty_is_scalar(elem.ty)) {
        gen_trap(g, "T_KIND");
        return "0";
    }
    bool typed = set.ty->elem->kind == TY_ATOM && ty_has_typed(set.ty->elem);
    if (elem.ty->kind == TY_ATOM && set.ty->elem->kind == TY_ATOM
            ? !ty_comparable(elem.ty, set.ty->elem)
            : typed) {
        gen_no(g, "model values of some type are looked for among others");
        return "0";
    }
    const char *e = cv_e(g, &elem);
    if (elem.ty->kind == set.ty->elem->kind) {
        return set.ty->w > 1 ? gen_text(g, "(int)(%s.b[%s / 64] >> (%s %% 64) & 1)", s, e, e)
               : elem.ty->kind == TY_INT
                   ? gen_text(g, "((uint64_t)%s < 64 && (%s >> %s & 1))", e, s, e)
                   : gen_text(g, "(int)(%s >> %s & 1)", s, e);
    }
    if (set.ty->w > 1) {
        gen_no(g, "membership in a large mixed set");
        return "0";
    }
    elem = cv_conv(g, elem, g->tys->mix);
    bool atoms = set.ty->elem->kind == TY_ATOM;
    return gen_call(g, "int", atoms ? "mix_in_atoms" : "mix_in_ints", "%s, %s", cv_e(g, &elem), s);
}

const char *emit_in_cv(struct gen *g, struct cv elem, struct cv set)
{
    if (g->declined) {
        return "0";
    }
    set = cv_set(g, set);
    if ((set.ty && set.ty->kind == TY_NONE) || (elem.ty && elem.ty->kind == TY_NONE)) {
        gen_trap(g, "T_KIND"); /* not known yet, or never seen */
        return "0";
    }
    if (!set.ty || !ty_is_set(set.ty)) {
        gen_no(g, "membership in something that is no set");
        return "0";
    }
    if (set.ty->kind == TY_SET && set.ty->cap == 0) {
        return "0";
    }
    if (elem.ty && elem.of != set.ty && (set.ty->kind == TY_SET || set.ty->uni)) {
        set = widened(g, set, elem.ty);
    }
    const char *s = cv_e(g, &set);
    if (set.ty->kind == TY_BITS && set.ty->uni) {
        return in_universe(g, elem, set, s);
    }
    if (set.ty->kind == TY_BITS && set.ty->w == 1 && elem.ty && elem.ty->kind == TY_UNION) {
        return union_in_bits(g, elem, set);
    }
    if (set.ty->kind == TY_BITS) {
        return in_bits(g, elem, set, s);
    }
    gen_need_set(g, set.ty);
    if (elem.ty && elem.ty->kind == TY_INT && set.ty->elem->kind == TY_INT &&
        set.ty->elem->w < elem.ty->w) {
        elem = cv_hold(g, elem);
        const char *c = ty_c(g->tys, set.ty->elem);
        return gen_text(g, "((%s)%s == %s && %s_at(&%s, &(%s){(%s)%s}) >= 0)", c, cv_e(g, &elem),
                        cv_e(g, &elem), ty_c(g->tys, set.ty), s, c, c, cv_e(g, &elem));
    }
    elem = cv_conv(g, elem, set.ty->elem);
    const char *p = gen_addr(g, &elem);
    emit_comparable(g, set.ty->elem, p, gen_text(g, "%s.a", s), gen_text(g, "%s.n", s));
    return gen_new_flag(g, gen_text(g, "%s_at(&%s, %s) >= 0", ty_c(g->tys, set.ty), s, p));
}

static const char *in_interval(struct gen *g, struct cv elem, const char *lo, const char *hi)
{
    if (!elem.ty || !ty_is_scalar(cv_narrow(g, elem, g->tys->mix).ty)) {
        gen_trap(g, "T_KIND");
        return "0";
    }
    elem = cv_narrow(g, elem, g->tys->mix);
    if (elem.ty->kind == TY_MIX) {
        elem = cv_hold(g, elem);
        const char *e = cv_e(g, &elem);
        const char *number = gen_call(g, "int", "mix_is_int", "%s", e);
        return gen_text(g, "(%s && %s <= %s && %s <= %s)", number, lo, e, e, hi);
    }
    if (elem.ty->kind == TY_ATOM) {
        gen_trap_if(g, "T_KIND", "!is_model[%s]", cv_e(g, &elem));
        return "0";
    }
    elem = cv_hold(g, cv_int(g, elem));
    const char *e = cv_e(g, &elem);
    return gen_text(g, "(%s <= %s && %s <= %s)", lo, e, e, hi);
}

/* Are all elements of the set `elem` in s? */
static const char *in_subset(struct gen *g, struct cv elem, struct setref s)
{
    elem = cv_set(g, elem);
    if (!elem.ty || !ty_is_set(elem.ty)) {
        gen_trap(g, "T_KIND");
        return "0";
    }
    const char *ok = gen_new_flag(g, "1");
    const char *out = gen_text(g, "l%u", (*g->ntmp)++);
    struct loop_out loop;
    if (elem.ty->kind == TY_SET && elem.ty->cap == 0) {
        return "1";
    }
    /* elements that cannot be compared come first for TLC, not here: look at all of them */
    bool all = !ty_is_clean(elem.ty);
    gen_loop_open_cv(g, elem, &loop);
    const char *jump = all ? "" : gen_text(g, " goto %s;", out);
    gen_put(g, "if (!(%s)) { %s = 0;%s }\n", emit_in_ref(g, loop.elem, s), ok, jump);
    gen_loop_close(g, &loop);
    if (!all) {
        gen_put(g, "%s:;\n", out);
    }
    return ok;
}

const char *emit_in_subset(struct gen *g, struct cv elem, struct cv base)
{
    return in_subset(g, elem, (struct setref){.held = true, .cv = base});
}

/* Is every value of the function in s? Clears `ok` when not. */
static void all_values(struct gen *g, struct cv fcn, struct setref s, const char *ok)
{
    const char *e = cv_e(g, &fcn);
    const struct ty *ty = fcn.ty;
    if (ty->kind == TY_TUP || ty->kind == TY_REC) {
        for (uint32_t i = 0; i < ty->n; i++) {
            if (ty->kind == TY_REC && ty->nvariant > 1) {
                gen_no(g, "records of several forms as functions");
                return;
            }
            gen_scope_open(g, gen_text(g, "if (%s)", ok));
            gen_put(g, "%s = %s;\n", ok,
                    emit_in_ref(g, cv_of(ty->field[i], gen_text(g, "%s.f%u", e, i)), s));
            gen_scope_close(g);
        }
        return;
    }
    if (ty->kind != TY_FUN && ty->cap == 0) {
        return;
    }
    const char *i = gen_tmp(g);
    const char *n = ty->kind == TY_FUN ? gen_text(g, "%u", ty->n) : gen_text(g, "%s.n", e);
    gen_scope_open_loop(g,
                        gen_text(g, "for (uint32_t %s = 0; %s < %s && %s; %s++)", i, i, n, ok, i));
    gen_put(g, "%s = %s;\n", ok, emit_in_ref(g, cv_of(ty->elem, gen_text(g, "%s.a[%s]", e, i)), s));
    gen_scope_close(g);
}

static const char *in_fcnset(struct gen *g, struct cv elem, struct cv dom, struct setref range)
{
    elem = cv_fcn(g, elem);
    if (!elem.ty || !ty_is_fcn(elem.ty)) {
        gen_trap(g, "T_KIND");
        return "0";
    }
    const char *ok;
    if (elem.ty->kind == TY_SEQ && dom.is_val && val_is_kind(dom.val, VK_INTERVAL) &&
        val_small_get(vobj_lazy(val_obj(dom.val))->op[0]) == 1) {
        int64_t n = val_small_get(vobj_lazy(val_obj(dom.val))->op[1]);
        ok = gen_new_flag(g, gen_text(g, "%s.n == %" PRId64, cv_e(g, &elem), n));
    } else {
        ok = gen_new_flag(g, emit_eq(g, emit_domain(g, elem), dom));
    }
    gen_scope_open(g, gen_text(g, "if (%s)", ok));
    all_values(g, elem, range, ok);
    gen_scope_close(g);
    return ok;
}

static const char *in_product(struct gen *g, struct cv elem, const struct setref *sets, uint32_t n)
{
    elem = cv_fcn(g, elem);
    if (!elem.ty || (elem.ty->kind != TY_SEQ && elem.ty->kind != TY_TUP)) {
        gen_trap(g, "T_KIND");
        return "0";
    }
    bool seq = elem.ty->kind == TY_SEQ;
    if (seq ? elem.ty->cap < n : elem.ty->n != n) {
        return "0";
    }
    const char *e = cv_e(g, &elem);
    const char *ok = gen_new_flag(g, seq ? gen_text(g, "%s.n == %u", e, n) : "1");
    for (uint32_t i = 0; i < n; i++) {
        gen_scope_open(g, gen_text(g, "if (%s)", ok));
        struct cv part = cv_of(seq ? elem.ty->elem : elem.ty->field[i],
                               gen_text(g, seq ? "%s.a[%u]" : "%s.f%u", e, i));
        gen_put(g, "%s = %s;\n", ok, emit_in_ref(g, part, sets[i]));
        gen_scope_close(g);
    }
    return ok;
}

static const char *in_recset(struct gen *g, struct cv elem, const struct val *names,
                             const struct setref *sets, uint32_t n)
{
    elem = cv_fcn(g, elem);
    if (!elem.ty || !ty_is_fcn(elem.ty)) {
        gen_trap(g, "T_KIND");
        return "0";
    }
    if (elem.ty->kind != TY_REC) {
        gen_no(g, "a record set and a function");
        return "0";
    }
    uint64_t bits = 0;
    for (uint32_t i = 0; i < n; i++) {
        int at = ty_field(elem.ty, names[i]);
        if (at < 0) {
            return "0";
        }
        bits |= UINT64_C(1) << at;
    }
    uint32_t v = 0;
    while (v < elem.ty->nvariant && elem.ty->variant[v] != bits) {
        v++;
    }
    if (v == elem.ty->nvariant) {
        return "0";
    }
    const char *e = cv_e(g, &elem);
    const char *ok = gen_new_flag(g, elem.ty->nvariant > 1 ? gen_text(g, "%s.t == %u", e, v) : "1");
    for (uint32_t i = 0; i < n; i++) {
        gen_scope_open(g, gen_text(g, "if (%s)", ok));
        int at = ty_field(elem.ty, names[i]);
        gen_put(g, "%s = %s;\n", ok,
                emit_in_ref(g, cv_of(elem.ty->field[at], gen_text(g, "%s.f%d", e, at)), sets[i]));
        gen_scope_close(g);
    }
    return ok;
}

static const char *in_seqset(struct gen *g, struct cv elem, struct setref s)
{
    elem = cv_fcn(g, elem);
    if (!elem.ty || !ty_is_fcn(elem.ty)) {
        gen_trap(g, "T_KIND");
        return "0";
    }
    if (elem.ty->kind != TY_SEQ && elem.ty->kind != TY_TUP) {
        gen_no(g, "Seq and a function");
        return "0";
    }
    const char *ok = gen_new_flag(g, "1");
    all_values(g, elem, s, ok);
    return ok;
}

/* Combines two memberships: the second is looked at when the first does not decide. */
static const char *in_two(struct gen *g, struct cv elem, struct setref a, struct setref b,
                          enum ex_op how)
{
    elem = cv_hold(g, elem);
    const char *ok = gen_new_flag(g, emit_in_ref(g, elem, a));
    gen_scope_open(g, gen_text(g, how == EX_CUP ? "if (!%s)" : "if (%s)", ok));
    const char *second = emit_in_ref(g, elem, b);
    gen_put(g, how == EX_SETMINUS ? "%s = !(%s);\n" : "%s = %s;\n", ok, second);
    gen_scope_close(g);
    return ok;
}

static const char *in_special(struct gen *g, struct cv elem, struct val set)
{
    elem = cv_narrow(g, elem, g->tys->mix);
    if (!elem.ty || !ty_is_scalar(elem.ty)) {
        gen_trap(g, "T_KIND");
        return "0";
    }
    elem = cv_hold(g, elem);
    const char *e = cv_e(g, &elem);
    if (val_same(set, VAL_STRING)) {
        if (elem.ty->kind == TY_ATOM) {
            if (ty_has_typed(elem.ty)) {
                gen_trap_if(g, "T_KIND", "atom_class[%s] >= %u", e, ATOM_TYPED);
            }
            return gen_text(g, "(!is_model[%s])", e);
        }
        gen_trap(g, "T_KIND");
        return "0";
    }
    if (!val_same(set, VAL_NAT) && !val_same(set, VAL_INT)) {
        gen_no(g, "membership in an unusual set");
        return "0";
    }
    if (elem.ty->kind == TY_INT) {
        return val_same(set, VAL_INT) ? "1" : gen_text(g, "(%s >= 0)", e);
    }
    elem = cv_conv(g, elem, g->tys->mix);
    elem = cv_hold(g, elem);
    e = cv_e(g, &elem);
    const char *number = gen_call(g, "int", "mix_is_int", "%s", e);
    return val_same(set, VAL_INT) ? number : gen_text(g, "(%s && %s >= 0)", number, e);
}

/* ---- model values ----
 * They are in no set of functions, records, tuples or sets; other scalars must not be asked for. */

/* C condition: the element is a model value; NULL: it cannot be. */
static const char *model_test(struct gen *g, struct cv elem)
{
    const char *e = cv_e(g, &elem);
    if (elem.ty->kind == TY_UNION) {
        int at = ty_alternative(elem.ty, g->tys->atom);
        const char *test =
            at < 0 ? NULL : model_test(g, cv_of(elem.ty->field[at], gen_text(g, "%s.f%d", e, at)));
        return test ? gen_text(g, "(%s.t == %d && %s)", e, at, test) : NULL;
    }
    return elem.ty->kind == TY_ATOM  ? gen_text(g, "is_model[%s]", e)
           : elem.ty->kind == TY_MIX ? gen_text(g, "mix_model(%s)", e)
                                     : NULL;
}

/* Before a look into such a set, of sets or of functions: true when there is nothing to look for.
 * Otherwise *elem is narrowed, a scope may be open, and aside_close must follow. */
struct aside {
    const char *t; /* the result; NULL: no scope is open */
};

static bool aside_open(struct gen *g, struct cv *elem, bool sets, struct aside *ret)
{
    ret->t = NULL;
    if (!elem->ty || elem->is_val) {
        return false;
    }
    const char *model = model_test(g, *elem);
    if (!model) {
        return false;
    }
    if (elem->ty->kind != TY_UNION) {
        gen_trap_if(g, "T_KIND", "!(%s)", model);
        return true;
    }
    ret->t = gen_new_flag(g, "0");
    gen_scope_open(g, gen_text(g, "if (!%s)", model));
    *elem = sets ? cv_set(g, *elem) : cv_fcn(g, *elem);
    if (elem->ty->kind == TY_UNION) {
        gen_trap(g, "T_KIND");
        gen_scope_close(g);
        return true;
    }
    return false;
}

static const char *aside_close(struct gen *g, const struct aside *aside, const char *in)
{
    if (!aside->t) {
        return in;
    }
    gen_put(g, "%s = %s;\n", aside->t, in);
    gen_scope_close(g);
    return aside->t;
}

static bool is_form_val(struct val set)
{
    return val_is_kind(set, VK_SUBSET) || val_is_kind(set, VK_FCNSET) ||
           val_is_kind(set, VK_SEQSET) || val_is_kind(set, VK_PRODUCT) ||
           val_is_kind(set, VK_RECSET);
}

static const char *in_val(struct gen *g, struct cv elem, struct val set);

const char *emit_in_val(struct gen *g, struct cv elem, struct val set)
{
    struct aside aside = {0};
    if (is_form_val(set) && aside_open(g, &elem, val_is_kind(set, VK_SUBSET), &aside)) {
        return "0";
    }
    return aside_close(g, &aside, in_val(g, elem, set));
}

static const char *in_val(struct gen *g, struct cv elem, struct val set)
{
    tys_atoms(g->tys, set);
    if (!elem.ty && !elem.is_val) {
        gen_no(g, "membership of something without a layout");
        return "0";
    }
    if (elem.is_val) {
        elem = cv_val(g, elem.val);
        if (!elem.ty) {
            gen_no(g, "membership of a constant without a layout");
            return "0";
        }
    }
    if (elem.ty->kind == TY_NONE) {
        gen_trap(g, "T_KIND");
        return "0";
    }
    if (!val_is_set(set)) {
        gen_trap(g, "T_KIND");
        return "0";
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
        return in_interval(g, elem, gen_text(g, "INT64_C(%" PRId64 ")", val_small_get(o->op[0])),
                           gen_text(g, "INT64_C(%" PRId64 ")", val_small_get(o->op[1])));
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
            return "0";
        }
        return o->kind == VK_RECSET ? in_recset(g, elem, o->op, sets, o->n)
                                    : in_product(g, elem, sets, o->n);
    default: break;
    }
    struct cv cv = cv_val(g, set);
    if (!cv.ty) {
        gen_no(g, "membership in a constant set without a layout");
        return "0";
    }
    return emit_in_cv(g, elem, cv);
}

static const char *in_list(struct gen *g, struct cv elem, const struct ex *x, uint32_t first,
                           struct fenv *f)
{
    struct cv all[TY_FIELDS];
    if (x->n > TY_FIELDS) {
        gen_no(g, "a long list of elements");
        return "0";
    }
    elem = cv_hold(g, elem);
    for (uint32_t i = first; i < x->n; i++) {
        all[i] = emit(g, x->kid[i], f, elem.ty);
    }
    const char *ok = gen_new_flag(g, "0");
    for (uint32_t i = first; i < x->n; i++) {
        gen_scope_open(g, gen_text(g, "if (!%s)", ok));
        gen_put(g, "%s = %s;\n", ok, emit_eq(g, all[i], elem));
        gen_scope_close(g);
    }
    return ok;
}

static const char *in_filter(struct gen *g, struct cv elem, const struct ex *x, struct fenv *f)
{
    const struct fcn_info *info = x->u.p;
    if (!gen_stays_lazy(g, info->binder->sets[0], f)) {
        emit_check_filter(g, x, f);
    }
    const char *ok = gen_new_flag(g, emit_in(g, elem, info->binder->sets[0], f));
    gen_scope_open(g, gen_text(g, "if (%s)", ok));
    struct fenv *inner = fenv_enter(g, info->unit, f);
    fenv_bind_var(g, &info->binder->vars[0], inner, elem);
    gen_put(g, "%s = %s;\n", ok, emit_bool(g, info->unit->body, inner));
    gen_scope_close(g);
    return ok;
}

static const char *in_made(struct gen *g, struct cv elem, const struct ex *x, struct fenv *f);

/* SUBSET S, [S -> T], [a : S], S \X T, Seq(S), whose parts are `sets`. */
static const char *in_form(struct gen *g, struct cv elem, const struct ex *set,
                           const struct setref *sets, struct fenv *f)
{
    struct cv dom = set->op == EX_FCNSET ? emit(g, set->kid[0], f, NULL) : (struct cv){0};
    struct aside aside;
    if (aside_open(g, &elem, set->op == EX_SUBSET, &aside)) {
        return "0";
    }
    const char *in = set->op == EX_SUBSET   ? in_subset(g, elem, sets[0])
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
static const char *in_union(struct gen *g, struct cv elem, const struct ex *map, struct fenv *f)
{
    const char *ok = gen_new_flag(g, "0");
    const char *label = gen_text(g, "l%u", (*g->ntmp)++);
    gen_scope_open(g, "");
    uint32_t scopes = gen_binder_open(g, map->u.p, f, f, NULL, NULL);
    struct gen_mark mark = gen_mark(g);
    const char *in = emit_in(g, elem, map->kid[0], f);
    if (gen_may_trap(g, &mark)) {
        gen_put(g, "if (%s) %s = 1;\n", in, ok);
    } else {
        gen_put(g, "if (%s) { %s = 1; goto %s; }\n", in, ok, label);
    }
    gen_scopes_close(g, scopes);
    gen_put(g, "%s:;\n", label);
    gen_scope_close(g);
    return ok;
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

const char *emit_in(struct gen *g, struct cv elem, const struct ex *set, struct fenv *f)
{
    struct val v;
    struct setref sets[TY_FIELDS];
    if (elem.is_val && !elem.ty) {
        gen_no(g, "membership of a constant without a layout");
        return "0";
    }
    if (gen_const_of(g, set, f, &v) && val_is_set(v)) {
        return emit_in_val(g, elem, v);
    }
    elem = cv_hold(g, elem);
    gen_see_through(g, &set, &f);
    if (set->n > TY_FIELDS) {
        gen_no(g, "a large set expression");
        return "0";
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
        return in_interval(g, elem, cv_e(g, &lo), cv_e(g, &hi));
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
static const char *in_made(struct gen *g, struct cv elem, const struct ex *x, struct fenv *f)
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
static const char *universe_within(struct gen *g, struct cv a, struct val set)
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
    const char *e = cv_e(g, &a);
    const char *out = "((0";
    for (uint32_t k = 0; k < a.ty->w; k++) {
        out = a.ty->w == 1
                  ? gen_text(g, "%s | (%s & ~UINT64_C(%" PRIu64 "))", out, e, in[k])
                  : gen_text(g, "%s | (%s.b[%u] & ~UINT64_C(%" PRIu64 "))", out, e, k, in[k]);
    }
    return gen_text(g, "%s) == 0)", out);
}

const char *emit_subseteq(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct cv a = emit_typed_set(g, x->kid[0], f, NULL);
    struct val v;
    if (a.ty->kind == TY_BITS && a.ty->uni && !a.is_val && gen_const_of(g, x->kid[1], f, &v)) {
        const char *all = universe_within(g, a, v);
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
                return gen_text(g, "((%s & ~%s) == 0)", cv_e(g, &a), cv_e(g, &b));
            }
        }
    }
    return in_subset(g, a, emit_ref_of(g, x->kid[1], f));
}
