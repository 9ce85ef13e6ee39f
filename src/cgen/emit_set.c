/* Sets: loops, and sets as values. */
#include <stddef.h>
#include <stdint.h>

#include "cgen/cx.h"
#include "cgen/emit.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "value/value.h"

bool ty_is_set(const struct ty *ty)
{
    return ty->kind == TY_SET || ty->kind == TY_BITS;
}

/* In place of a set that is not known yet, or never seen: control does not come here. */
struct cv emit_no_set(struct gen *g)
{
    gen_trap(g, "T_KIND");
    return cv_val(g, set_empty());
}

/* ---- adding, size ---- */
const struct cx *cx_word_of(struct gen *g, const struct ty *bits, const struct cx *set,
                            const struct cx *i)
{
    return bits->w == 1 ? set : cx_word(g, set, cx_two(g, CX_DIV, i, cx_int(g, 64)));
}

const struct cx *cx_bit_of(struct gen *g, const struct ty *bits, const struct cx *i)
{
    const struct cx *at = bits->w == 1 ? i : cx_two(g, CX_REM, i, cx_int(g, 64));
    return cx_two(g, CX_SHL, cx_u64(g, 1), at);
}

/* Sets bit i. */
static void put_bit(struct gen *g, const struct cx *set, const struct ty *ty, const struct cx *i)
{
    gen_change(g, cx_word_of(g, ty, set, i), "|=", cx_bit_of(g, ty, i));
}

static void set_put(struct gen *g, const struct cx *set, const struct ty *ty, struct cv elem,
                    bool known)
{
    if (g->declined) {
        return;
    }
    if (ty->kind == TY_BITS && ty->uni) {
        put_bit(g, set, ty, uni_number(g, ty, elem));
        return;
    }
    if (ty->kind == TY_BITS) {
        elem =
            cv_hold(g, cv_conv(g, elem, ty->elem->kind == TY_ATOM ? ty->elem : ty_int(g->tys, 8)));
        const struct cx *e = cv_e(g, &elem);
        if (ty->elem->kind == TY_INT) {
            gen_trap_if(g, "T_FIT", cx_two(g, CX_GT, cx_cast(g, CX_U64, e), cx_int(g, 63)));
        }
        put_bit(g, set, ty, e);
        return;
    }
    if (ty->elem->kind == TY_NONE) {
        gen_trap(g, "T_FIT");
        return;
    }
    gen_need_set(g, ty);
    elem = cv_conv(g, elem, ty->elem);
    const struct cx *p = gen_addr(g, &elem);
    if (g->declined) {
        return;
    }
    if (!known) {
        emit_comparable(g, ty->elem, p, cx_elems(g, set), cx_count(g, set));
    }
    gen_call_into(g, cx_ty_call(g, CX_INT, ty, "_add", CX_ARGS(cx_addr(g, set), p)));
}

void emit_set_add(struct gen *g, const struct cx *set, const struct ty *ty, struct cv elem)
{
    set_put(g, set, ty, elem, false);
}

void emit_set_add_known(struct gen *g, const struct cx *set, const struct ty *ty, struct cv elem)
{
    set_put(g, set, ty, elem, true);
}

static const struct cx *bits_count(struct gen *g, const struct cx *word)
{
    return cx_call(g, CX_INT, NULL, "__builtin_popcountll", word);
}

const struct cx *emit_set_size(struct gen *g, struct cv set)
{
    set = cv_set(g, set);
    if (g->declined || !set.ty || !ty_is_set(set.ty)) {
        gen_trap(g, "T_KIND");
        return cx_int(g, 0);
    }
    const struct cx *e = cv_e(g, &set);
    if (set.ty->kind == TY_SET) {
        return cx_cast(g, CX_I64, cx_count(g, e));
    }
    if (set.ty->w == 1) {
        return cx_cast(g, CX_I64, bits_count(g, e));
    }
    const struct cx *t = gen_new_number(g, CX_I64, cx_int(g, 0));
    const struct cx *i = gen_for_n(g, CX_INT, cx_int(g, set.ty->w));
    gen_change(g, t, "+=", bits_count(g, cx_word(g, e, i)));
    gen_scope_close(g);
    return cx_sealed(g, t);
}

/* The type for a result: what is wanted, when that differs in sizes only. */
static const struct ty *result_ty(const struct ty *want, const struct ty *found)
{
    if (want && want->uni && ty_is_set(found)) {
        return ty_same_shape(found->elem, want->elem) ? want : found;
    }
    return want && ty_is_set(want) && ty_same_shape(found, want) ? want : found;
}

/* ---- sets as values ---- */

/* Writes a loop whose elements go into a new set; the type is known only afterwards. */
struct build {
    struct tree *body, *out;
};

static void build_open(struct gen *g, struct build *b)
{
    *b = (struct build){.body = tree_new(g->arena), .out = g->out};
    g->out = b->body;
}

/* What was built. */
static struct cv build_close(struct gen *g, struct build *b, const char *name, const struct ty *ty)
{
    g->out = b->out;
    gen_put_var(g, cx_var(g, ty, name), NULL);
    tree_splice(g->out, b->body);
    return cv_of(g, ty, cx_fixed(g, ty, name));
}

static uint32_t build_cap(uint32_t most)
{
    return most < 96 ? most : 96;
}

struct cv emit_set_of_loop(struct gen *g, const struct ex *set, struct fenv *f,
                           const struct ty *want)
{
    const char *t = gen_tmp(g);
    struct build b;
    struct loop_out loop;
    build_open(g, &b);
    gen_loop_open(g, set, f, &loop);
    const struct ty *ty =
        loop.set && loop.set->uni ? loop.set : ty_set(g->tys, loop.elem.ty, build_cap(loop.most));
    ty = result_ty(want, ty);
    emit_set_add_known(g, cx_var(g, ty, t), ty, loop.elem);
    gen_loop_close(g, &loop);
    return build_close(g, &b, t, ty);
}

struct cv emit_filter(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    struct cv v;
    if (uni_filter(g, x, f, &v)) {
        return v;
    }
    return emit_set_of_loop(g, x, f, want);
}

struct cv emit_setmap(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    const char *t = gen_tmp(g);
    struct build b;
    uint32_t most;
    build_open(g, &b);
    uint32_t scopes = gen_binder_open(g, x->u.p, f, f, &most, NULL);
    bool hint = want && want->kind == TY_SET && want->elem->kind != TY_NONE;
    struct cv elem = emit(g, x->kid[0], f, hint ? want->elem : NULL);
    if (!elem.ty) {
        elem = gen_no(g, "a set of sets without a layout");
    }
    const struct ty *ty = result_ty(want, ty_set(g->tys, elem.ty, build_cap(most)));
    emit_set_add(g, cx_var(g, ty, t), ty, elem);
    gen_scopes_close(g, scopes);
    return build_close(g, &b, t, ty);
}

struct cv emit_union(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    const char *t = gen_tmp(g);
    struct build b;
    struct loop_out inner;
    const struct ex *kid = x->kid[0];
    struct fenv *kf = f;
    build_open(g, &b);
    gen_see_through(g, &kid, &kf);
    uint32_t scopes;
    struct cv one;
    struct val v;
    if (kid->op == EX_SETMAP && !gen_const_of(g, kid, kf, &v)) {
        scopes = gen_binder_open(g, kid->u.p, kf, kf, NULL, NULL);
        one = emit(g, kid->kid[0], kf, NULL);
    } else {
        struct loop_out outer;
        gen_loop_open(g, kid, kf, &outer);
        scopes = outer.scopes;
        one = outer.elem;
    }
    one = cv_set(g, one);
    if (one.ty && one.ty->kind == TY_NONE) { /* UNION {} */
        one = cv_val(g, set_empty());
    }
    if (!one.ty || !ty_is_set(one.ty)) {
        gen_no(g, "UNION of something unusual");
        one = cv_val(g, set_empty());
    }
    const struct ty *ty = one.ty;
    if (ty->kind == TY_SET) {
        ty = result_ty(want, ty_set(g->tys, ty->elem, build_cap(ty->cap * 4)));
    }
    gen_loop_open_cv(g, one, &inner);
    emit_set_add(g, cx_var(g, ty, t), ty, inner.elem);
    gen_loop_close(g, &inner);
    gen_scopes_close(g, scopes);
    return build_close(g, &b, t, ty);
}

struct cv emit_setenum(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    struct cv elem[TY_FIELDS];
    const struct ty *join = g->tys->none;
    bool hint = want && ty_is_set(want) && want->elem->kind != TY_NONE;
    if (x->n > TY_FIELDS) {
        return gen_no(g, "a long list of elements");
    }
    for (uint32_t i = 0; i < x->n; i++) {
        elem[i] = emit(g, x->kid[i], f, hint ? want->elem : NULL);
        if (cv_is_none(elem[i])) {
            return elem[i];
        }
        if (!elem[i].ty) {
            return gen_no(g, "an element without a layout");
        }
        join = gen_join(g, join, elem[i].ty);
    }
    const struct ty *ty = result_ty(want, ty_set(g->tys, join, x->n));
    const struct cx *t = gen_new_var(g, ty);
    for (uint32_t i = 0; i < x->n; i++) {
        emit_set_add(g, t, ty, elem[i]);
    }
    return cv_of(g, ty, cx_sealed(g, t));
}

struct cv emit_range(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    (void)want;
    struct cv lo = cv_hold(g, cv_int(g, emit(g, x->kid[0], f, NULL)));
    struct cv hi = cv_hold(g, cv_int(g, emit(g, x->kid[1], f, NULL)));
    const struct ty *ty = ty_set(g->tys, ty_int(g->tys, 8), 64);
    const struct cx *from = cv_e(g, &lo);
    const struct cx *to = cv_e(g, &hi);
    struct loop_out loop;
    if (ty->kind == TY_BITS) {
        return cv_of(g, ty, gen_call(g, cx_call(g, CX_U64, NULL, "range_bits", from, to)));
    }
    const struct cx *t = gen_new_var(g, ty);
    emit_loop_interval(g, from, to, 64, &loop);
    emit_set_add(g, t, ty, loop.elem);
    gen_loop_close(g, &loop);
    return cv_of(g, ty, cx_sealed(g, t));
}

struct cv emit_typed_set(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    struct cv v = cv_set(g, emit(g, x, f, want));
    if (v.ty && v.ty->kind == TY_NONE) {
        return emit_no_set(g);
    }
    if (!v.ty || !ty_is_set(v.ty)) {
        gen_no(g, "a set operation on something without a layout");
        return cv_val(g, set_empty());
    }
    return v;
}

struct wide {
    const struct cx *a, *b;
    enum cx_op op;
    bool flip; /* the second one */
};

static const struct cx *wide_word(struct gen *g, const struct cx *i, const void *arg)
{
    const struct wide *w = arg;
    const struct cx *b = cx_word(g, w->b, i);
    return cx_two(g, w->op, cx_word(g, w->a, i), w->flip ? cx_flip(g, b) : b);
}

/* Of two bit vectors of one type: a | b, a & b, a & ~b. */
static struct cv bits_op(struct gen *g, struct cv a, struct cv b, enum cx_op op, bool flip)
{
    const struct cx *left = cv_e(g, &a);
    struct wide w = {left, cv_e(g, &b), op, flip};
    return g->declined ? cv_none(g) : uni_words(g, a.ty, wide_word, &w);
}

struct cv emit_cup_of(struct gen *g, struct cv a, struct cv b, const struct ty *want)
{
    const struct ty *join = gen_join(g, a.ty, b.ty);
    if (join->kind == TY_BITS && join->w == 1) {
        a = cv_conv(g, a, join);
        b = cv_conv(g, b, join);
        return bits_op(g, a, b, CX_OR, false);
    }
    if (join->kind == TY_BITS && a.ty == join && b.ty == join) {
        return bits_op(g, a, b, CX_OR, false);
    }
    const struct ty *ty = result_ty(want, join);
    if (ty != want && ty->kind == TY_SET) {
        uint32_t na = a.ty->kind == TY_SET ? a.ty->cap : 64;
        uint32_t nb = b.ty->kind == TY_SET ? b.ty->cap : 64;
        ty = ty_set_array(g->tys, ty->elem, build_cap(na + nb));
    }
    a = cv_conv(g, a, ty);
    const struct cx *t = gen_new_copy(g, ty, cv_e(g, &a));
    if (b.ty->kind == TY_BITS || b.ty->cap) {
        struct loop_out loop;
        gen_loop_open_cv(g, b, &loop);
        emit_set_add(g, t, ty, loop.elem);
        gen_loop_close(g, &loop);
    }
    return cv_of(g, ty, cx_sealed(g, t));
}

static struct cv emit_cup(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    struct cv a = emit_typed_set(g, x->kid[0], f, want);
    struct cv one;
    if (uni_with_one(g, a, x->kid[1], f, true, &one)) {
        return one;
    }
    struct cv b = emit_typed_set(g, x->kid[1], f, want);
    return emit_cup_of(g, a, b, want);
}

/* S \ {x}: one element is cut out. */
static struct cv minus_one(struct gen *g, struct cv a, const struct ex *one, struct fenv *f)
{
    struct cv e = emit(g, one, f, a.ty->elem);
    if (a.ty->cap == 0) {
        return a;
    }
    gen_need_set(g, a.ty);
    e = cv_conv(g, e, a.ty->elem);
    const struct cx *p = gen_addr(g, &e);
    const struct cx *set = cv_e(g, &a);
    if (g->declined) {
        return cv_none(g);
    }
    emit_comparable(g, a.ty->elem, p, cx_elems(g, set), cx_count(g, set));
    const struct cx *t = gen_new_copy(g, a.ty, set);
    const struct cx *i =
        gen_let(g, cx_ty_call(g, CX_INT, a.ty, "_at", CX_ARGS(cx_addr(g, set), p)));
    gen_if(g, cx_two(g, CX_GE, i, cx_int(g, 0)));
    gen_do(g, cx_ty_call(g, CX_OTHER, a.ty, "_cut", CX_ARGS(cx_addr(g, t), i)));
    gen_scope_close(g);
    return cv_of(g, a.ty, cx_sealed(g, t));
}

static struct cv emit_minus(struct gen *g, const struct ex *x, struct fenv *f,
                            const struct ty *want)
{
    struct cv a = emit_typed_set(g, x->kid[0], f, want);
    bool keep = x->op == EX_CAP;
    struct cv without;
    if (!keep && uni_with_one(g, a, x->kid[1], f, false, &without)) {
        return without;
    }
    if (a.ty->kind == TY_SET && !keep && x->kid[1]->op == EX_SETENUM && x->kid[1]->n == 1) {
        return minus_one(g, a, x->kid[1]->kid[0], f);
    }
    if (a.ty->kind == TY_BITS) {
        struct cv b = emit(g, x->kid[1], f, a.ty);
        if (b.ty && b.ty->kind == TY_SET && b.ty->cap == 0) {
            return keep ? b : a;
        }
        if (b.is_val && b.ty != a.ty && b.ty) {
            b = cv_conv(g, b, a.ty);
        }
        if (b.ty == a.ty) {
            return bits_op(g, a, b, CX_AND, !keep);
        }
    }
    const struct cx *t = gen_new_var(g, a.ty);
    if (a.ty->kind == TY_SET && a.ty->cap == 0) {
        (void)emit_ref_of(g, x->kid[1], f);
        return a;
    }
    struct setref other = emit_ref_of(g, x->kid[1], f);
    struct loop_out loop;
    gen_loop_open_cv(g, a, &loop);
    const struct cx *in = emit_in_ref(g, loop.elem, other);
    gen_if(g, keep ? in : cx_not(g, in));
    emit_set_add_known(g, t, a.ty, loop.elem);
    gen_scope_close(g);
    gen_loop_close(g, &loop);
    return cv_of(g, a.ty, cx_sealed(g, t));
}

struct cv emit_set_op(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    return x->op == EX_CUP ? emit_cup(g, x, f, want) : emit_minus(g, x, f, want);
}
