/* Sets, functions, records and arithmetic. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/str.h"
#include "eval/code.h"
#include "eval/ops.h"
#include "value/value.h"

static struct val kid(struct ev *ev, const struct ex *x, struct val *fr, uint32_t i)
{
    return ex_eval(ev, x->kid[i], fr);
}

struct val op_in(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val a = kid(ev, x, fr, 0);
    struct val s = kid(ev, x, fr, 1);
    return val_bool(set_member(&ev->vctx, a, s));
}

struct val op_notin(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val a = kid(ev, x, fr, 0);
    struct val s = kid(ev, x, fr, 1);
    return val_bool(!set_member(&ev->vctx, a, s));
}

struct val op_subseteq(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val a = kid(ev, x, fr, 0);
    struct val b = kid(ev, x, fr, 1);
    if (!val_is_set(a)) {
        ev_fail(ev, x->src, 0,
                "Attempted to evaluate an expression of form S \\subseteq T, but S was not "
                "enumerable.");
    }
    return val_bool(set_subseteq(&ev->vctx, a, b));
}

struct val op_cup(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val a = kid(ev, x, fr, 0);
    struct val b = kid(ev, x, fr, 1);
    return set_cup(&ev->vctx, a, b);
}

struct val op_cap(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val a = kid(ev, x, fr, 0);
    struct val b = kid(ev, x, fr, 1);
    return set_cap(&ev->vctx, a, b);
}

struct val op_setminus(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val a = kid(ev, x, fr, 0);
    struct val b = kid(ev, x, fr, 1);
    return set_diff(&ev->vctx, a, b);
}

struct val op_subset(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val a = kid(ev, x, fr, 0);
    return set_subset(&ev->vctx, a);
}

struct val op_union(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val a = kid(ev, x, fr, 0);
    return set_union_lazy(&ev->vctx, a);
}

struct val op_domain(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val f = kid(ev, x, fr, 0);
    if (!val_is_fcn(f)) {
        ev_fail(ev, x->src, 0, "Attempted to apply the operator DOMAIN to a non-function\n(%s)",
                val_kind_text(f));
    }
    return fcn_domain(&ev->vctx, f);
}

#define SMALL_LIST 32

static struct val *list_of_kids(struct ev *ev, const struct ex *x, struct val *fr,
                                struct val *small)
{
    struct val *v = x->n <= SMALL_LIST ? small : arena_alloc(&ev->scratch, sizeof *v * x->n);
    for (uint32_t i = 0; i < x->n; i++) {
        v[i] = ex_eval(ev, x->kid[i], fr);
    }
    return v;
}

/* e \in {a, b, c} without making the set: as TLC, all are evaluated, then compared from left to
 * right. */
static bool in_list(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val small[SMALL_LIST];
    const struct val *v = list_of_kids(ev, x, fr, small);
    for (uint32_t i = 1; i < x->n; i++) {
        if (val_equal(&ev->vctx, v[i], v[0])) {
            return true;
        }
    }
    return false;
}

struct val op_in_list(struct ev *ev, const struct ex *x, struct val *fr)
{
    return val_bool(in_list(ev, x, fr));
}

struct val op_notin_list(struct ev *ev, const struct ex *x, struct val *fr)
{
    return val_bool(!in_list(ev, x, fr));
}

struct val op_setenum(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val small[SMALL_LIST];
    const struct val *v = list_of_kids(ev, x, fr, small);
    return set_make(&ev->vctx, v, x->n);
}

struct val op_tuple(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val small[SMALL_LIST];
    const struct val *v = list_of_kids(ev, x, fr, small);
    return tuple_make(&ev->vctx, v, x->n);
}

struct val op_times(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val small[SMALL_LIST];
    const struct val *v = list_of_kids(ev, x, fr, small);
    return set_product(&ev->vctx, v, x->n);
}

struct val op_record(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val small[SMALL_LIST];
    const struct val *v = list_of_kids(ev, x, fr, small);
    return record_make(&ev->vctx, x->u.p, v, x->n);
}

struct val op_recset(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val small[SMALL_LIST];
    const struct val *v = list_of_kids(ev, x, fr, small);
    return set_recset(&ev->vctx, x->u.p, v, x->n);
}

struct val op_fcnset(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val s = kid(ev, x, fr, 0);
    struct val t = kid(ev, x, fr, 1);
    return set_fcnset(&ev->vctx, s, t);
}

/* A growing list in scratch memory. */
struct list {
    struct val *v;
    size_t n, cap;
    struct val small[SMALL_LIST];
};

static void list_push(struct ev *ev, struct list *l, struct val v)
{
    if (l->n == l->cap) {
        if (l->n >= ev->vctx.set_size_max) {
            vctx_fail(&ev->vctx, 0, "Attempted to construct a set with too many elements (>%llu).",
                      (unsigned long long)ev->vctx.set_size_max);
        }
        size_t cap = l->cap * 2;
        struct val *grown = arena_alloc(&ev->scratch, sizeof *grown * cap);
        memcpy(grown, l->v, sizeof *grown * l->n);
        l->v = grown;
        l->cap = cap;
    }
    l->v[l->n++] = v;
}

static void list_init(struct list *l)
{
    l->v = l->small;
    l->n = 0;
    l->cap = SMALL_LIST;
}

static bool reducible(struct val set)
{
    return val_is_kind(set, VK_SET) || val_is_kind(set, VK_INTERVAL);
}

struct val *unit_enter(struct ev *ev, const struct unit *unit, struct val *fr)
{
    ev_check_stack(ev);
    struct val *inner = frame_push(ev, unit->nslot);
    for (size_t i = 0; i < unit->captures.n; i++) {
        inner[unit->captures.v[i].to] =
            closure_capture(ev, unit->captures.v[i].binding, unit->captures.v[i].from, fr);
    }
    return inner;
}

struct val op_filter(struct ev *ev, const struct ex *x, struct val *fr)
{
    const struct fcn_info *info = x->u.p;
    struct val set = ex_eval(ev, info->binder->sets[0], fr);
    if (!reducible(set)) {
        if (!val_is_set(set)) {
            ev_fail(ev, x->src, 0,
                    "Attempted to evaluate an expression of form {x \\in S : P(x)}, but S was %s.",
                    val_kind_text(set));
        }
        return closure_filter(ev, info->unit, fr, set);
    }
    const struct ex *pred = info->unit->body;
    struct val *inner = unit_enter(ev, info->unit, fr);
    struct list l;
    list_init(&l);
    struct set_iter it;
    struct val elem;
    set_iter_init(&it, &ev->vctx, set);
    while (set_iter_next(&it, &elem)) {
        loop_bind(ev, x, &info->binder->vars[0], inner, elem);
        struct val v = ex_eval(ev, pred, inner);
        if (!val_is_bool(v)) {
            ev_fail(ev, pred->src, 0,
                    "Attempted to evaluate an expression of form {x \\in S : P(x)} when P was %s.",
                    val_kind_text(v));
        }
        if (val_same(v, VAL_TRUE)) {
            list_push(ev, &l, elem);
        }
    }
    frame_pop(ev, inner);
    return set_make(&ev->vctx, l.v, l.n);
}

struct val op_setmap(struct ev *ev, const struct ex *x, struct val *fr)
{
    const struct binder *b = x->u.p;
    struct list l;
    list_init(&l);
    struct loop loop;
    bool more = loop_start(ev, x, b, fr, &loop);
    while (more) {
        list_push(ev, &l, ex_eval(ev, x->kid[0], fr));
        more = loop_next(ev, x, b, fr, &loop);
    }
    return set_make(&ev->vctx, l.v, l.n);
}

/* [x \in S |-> e] built at once: S is a plain set or interval. */
static struct val fcn_eager(struct ev *ev, const struct ex *x, const struct fcn_info *info,
                            struct val *fr, struct val set)
{
    const struct binder_var *var = &info->binder->vars[0];
    struct val elems = set_force(&ev->vctx, set);
    const struct vobj *keys = val_obj(elems);
    size_t n = keys->n;
    struct val small[SMALL_LIST];
    struct val *vals = n <= SMALL_LIST ? small : arena_alloc(&ev->scratch, sizeof *vals * n);
    struct val *inner = unit_enter(ev, info->unit, fr);
    for (size_t i = 0; i < n; i++) {
        vctx_poll(&ev->vctx);
        loop_bind(ev, x, var, inner, keys->v[i]);
        vals[i] = ex_eval(ev, info->unit->body, inner);
    }
    frame_pop(ev, inner);
    return fcn_make(&ev->vctx, keys->v, vals, n);
}

struct val op_fcn(struct ev *ev, const struct ex *x, struct val *fr)
{
    const struct fcn_info *info = x->u.p;
    const struct binder *b = info->binder;
    if (b->nvar == 1) {
        struct val set = ex_eval(ev, b->sets[0], fr);
        if (!val_is_set(set)) {
            ev_fail(ev, x->src, 0, "Attempted to construct a function over a domain that is %s.",
                    val_kind_text(set));
        }
        if (!info->lazy && reducible(set)) {
            return fcn_eager(ev, x, info, fr, set);
        }
        return closure_lambda(ev, info->unit, fr, set);
    }
    struct val sets[16] = {{0}};
    bool all = true;
    ASSERT(b->nvar <= 16);
    struct val set = VAL_UNDEF;
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < b->nvar; i++) {
        if (b->vars[i].set != last) {
            last = b->vars[i].set;
            set = ex_eval(ev, b->sets[last], fr);
        }
        sets[i] = set;
        all &= reducible(set);
    }
    struct val domain = set_product(&ev->vctx, sets, b->nvar);
    struct val lambda = closure_lambda(ev, info->unit, fr, domain);
    return all && !info->lazy ? fcn_force(&ev->vctx, lambda) : lambda;
}

struct val op_apply_lazy(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val f = kid(ev, x, fr, 0);
    struct val arg = kid(ev, x, fr, 1);
    if (val_is_kind(f, VK_TUPLE) && val_is_small(arg)) {
        const struct vobj *t = val_obj(f);
        int64_t i = val_small_get(arg);
        if (i >= 1 && (uint64_t)i <= t->n) {
            return t->v[i - 1];
        }
    }
    if (!val_is_fcn(f)) {
        ev_fail(ev, x->src, 0, "A non-function (%s) was applied as a function.", val_kind_text(f));
    }
    return fcn_apply(&ev->vctx, f, arg);
}

/* A function that was kept lazy only because its maker was applied at once. */
static struct val fcn_settle(struct ev *ev, struct val f)
{
    const struct unit *unit = closure_code(f);
    if (!unit || unit->self != NO_SLOT) {
        return f;
    }
    struct val domain = vobj_lazy(val_obj(f))->op[0];
    bool whole = reducible(domain);
    if (unit->binder->nvar > 1) {
        const struct vlazy *product = vobj_lazy(val_obj(domain));
        whole = true;
        for (uint32_t i = 0; i < product->n; i++) {
            whole &= reducible(product->op[i]);
        }
    }
    if (!whole) {
        return f;
    }
    struct val settled = fcn_force(&ev->vctx, f);
    size_t n = fcn_size(&ev->vctx, settled);
    for (size_t i = 0; i < n; i++) {
        struct val v = fcn_value(&ev->vctx, settled, i);
        if (val_is_kind(v, VK_LAMBDA)) {
            settled =
                fcn_update(&ev->vctx, settled, fcn_key(&ev->vctx, settled, i), fcn_settle(ev, v));
        }
    }
    return settled;
}

struct val op_apply(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val v = op_apply_lazy(ev, x, fr);
    return val_is_kind(v, VK_LAMBDA) ? fcn_settle(ev, v) : v;
}

struct val op_dot(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val r = kid(ev, x, fr, 0);
    struct val v;
    if (val_is_kind(r, VK_RECORD) && record_get(&ev->vctx, r, val_str_id(x->u.val), &v)) {
        return v;
    }
    struct strbuf sb = {.arena = &ev->scratch};
    struct str name = val_str_text(&ev->vctx, x->u.val);
    if (val_is_kind(r, VK_TUPLE)) {
        strbuf_done(&sb);
        ev_fail(
            ev, x->src, 0,
            "Attempted to apply function with integer domain to the non-integer argument \"%.*s\".",
            STR_ARG(name));
    }
    if (val_is_fcn(r)) {
        if (fcn_try(&ev->vctx, r, x->u.val, &v)) {
            strbuf_done(&sb);
            return v;
        }
        strbuf_printf(&sb, "Attempted to select nonexistent field \"%.*s\" from the record\n",
                      STR_ARG(name));
    } else {
        strbuf_printf(&sb, "Attempted to select field \"%.*s\" from a non-record value ",
                      STR_ARG(name));
    }
    val_print(&ev->vctx, r, &sb);
    char *text = arena_strndup(&ev->scratch, strbuf_cstr(&sb), sb.n);
    strbuf_done(&sb);
    ev_fail(ev, x->src, 0, "%s", text);
}

#define PATH_MAX_ 64

/* The value at a path, or false when some step is outside its domain. */
static bool path_get(struct ev *ev, const struct ex *x, struct val f, const struct val *path,
                     uint32_t n, struct val *ret)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!val_is_fcn(f)) {
            ev_fail(ev, x->src, 0, "Attempted to apply EXCEPT construct to the value %s.",
                    val_ppr(&ev->vctx, f));
        }
        if (!fcn_try(&ev->vctx, f, path[i], &f)) {
            return false;
        }
    }
    *ret = f;
    return true;
}

static struct val path_put(struct ev *ev, struct val f, const struct val *path, uint32_t n,
                           struct val value)
{
    if (n == 0) {
        return value;
    }
    struct val inner = value;
    if (n > 1) {
        struct val sub = fcn_apply(&ev->vctx, f, path[0]);
        inner = path_put(ev, sub, path + 1, n - 1, value);
    }
    return fcn_update(&ev->vctx, f, path[0], inner);
}

struct val op_except(struct ev *ev, const struct ex *x, struct val *fr)
{
    const struct except_info *info = x->u.p;
    struct val f = kid(ev, x, fr, 0);
    for (uint32_t s = 0; s < info->n; s++) {
        const struct except_spec *spec = &info->spec[s];
        struct val path[PATH_MAX_];
        ASSERT(spec->npath <= PATH_MAX_);
        for (uint32_t i = 0; i < spec->npath; i++) {
            path[i] = ex_eval(ev, spec->path[i], fr);
        }
        struct val old;
        if (!path_get(ev, x, f, path, spec->npath, &old)) {
            ev_warn(ev, 2144, x->src->kid[0],
                    "The EXCEPT was applied to non-existing fields of the value at");
            continue;
        }
        fr[spec->at] = old;
        f = path_put(ev, f, path, spec->npath, ex_eval(ev, spec->value, fr));
    }
    return f;
}

/* ---- arithmetic ---- */
#define ARITH(name, fast)                                                                          \
    struct val name(struct ev *ev, const struct ex *x, struct val *fr)                             \
    {                                                                                              \
        struct val a = kid(ev, x, fr, 0);                                                          \
        struct val b = kid(ev, x, fr, 1);                                                          \
        if (__builtin_expect(val_is_small(a) && val_is_small(b), 1)) {                             \
            int64_t i = val_small_get(a);                                                          \
            int64_t j = val_small_get(b);                                                          \
            fast                                                                                   \
        }                                                                                          \
        struct val args[2] = {a, b};                                                               \
        return ((const struct native *)x->u.p)->fn(ev, args);                                      \
    }

static bool fits_small(int64_t i)
{
    return i >= SMALL_MIN && i <= SMALL_MAX;
}

ARITH(op_add, if (fits_small(i + j)) return val_small(i + j);)
ARITH(op_sub, if (fits_small(i - j)) return val_small(i - j);)
ARITH(op_mul, int64_t p;
      if (!__builtin_mul_overflow(i, j, &p) && fits_small(p)) return val_small(p);)
ARITH(op_lt, return val_bool(i < j);)
ARITH(op_le, return val_bool(i <= j);)
ARITH(op_gt, return val_bool(i > j);)
ARITH(op_ge, return val_bool(i >= j);)
ARITH(op_range, (void)i; (void)j; return set_interval(&ev->vctx, a, b);)
