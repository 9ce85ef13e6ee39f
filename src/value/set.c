/* Sets: membership and algebra.
 *
 * Membership in a lazy set is decided by its definition, never by enumerating it, in TLC's order
 * and with TLC's errors for elements of the wrong form. \cup, \cap and \ are evaluated at once
 * where TLC does so (an operand that is a SET or an interval), else they stay lazy; so Nat \cup
 * {-1} is a set one can ask about. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "value/value.h"
#include "value/value_int.h"

/* ---- what is a set ---- */

bool set_is_enumerable(struct val v)
{
    if (!val_is_obj(v)) {
        return false;
    }
    uint8_t kind = val_obj(v)->kind;
    return kind == VK_SET || (kind >= VK_INTERVAL && kind <= VK_FILTER && kind != VK_SEQSET);
}

bool val_is_user(struct val v)
{
    return val_is_kind(v, VK_SEQSET) || (val_tag(v) == VTAG_SPECIAL && !val_is_undef(v));
}

bool val_is_set(struct val v)
{
    return set_is_enumerable(v) || val_is_user(v);
}

/* SETs and intervals: TLC evaluates \cup, \cap and \ of them at once. */
static bool is_reducible(struct val v)
{
    return val_is_obj(v) && (val_obj(v)->kind == VK_SET || val_obj(v)->kind == VK_INTERVAL);
}

/* How messages name a value that is no set. */
const char *val_kind_noun(struct val v)
{
    switch (val_tag(v)) {
    case VTAG_INT: return "the integer";
    case VTAG_BOOL: return "the boolean";
    case VTAG_STR: return "the string";
    case VTAG_MODEL: return "the model value";
    case VTAG_SPECIAL: return val_is_undef(v) ? "the value" : "the overridden value";
    default: break;
    }
    switch (val_obj(v)->kind) {
    case VK_BIGINT: return "the integer";
    case VK_SEQSET: return "the overridden value";
    case VK_TUPLE:
    case VK_RECORD:
    case VK_FCN:
    case VK_LAMBDA: return "the function";
    case VK_OPER: return "the operator";
    default: return "the value";
    }
}

void val_fail_size(struct vctx *ctx, struct val v)
{
    vctx_fail(ctx, 0, "Attempted to compute the number of elements in %s %s.", val_kind_noun(v),
              val_ppr(ctx, v));
}

void val_fail_enumerate(struct vctx *ctx, struct val v)
{
    vctx_fail(ctx, 0, "TLC encountered a non-enumerable quantifier bound\n%s.", val_ppr(ctx, v));
}

/* ---- membership ---- */

static bool member_not_a_set(struct vctx *ctx, struct val elem, struct val v)
{
    if (val_is_kind(v, VK_TUPLE)) {
        vctx_fail(ctx, 0, "Attempted to check set membership in a tuple value.");
    }
    if (val_is_kind(v, VK_RECORD) && !(val_obj(v)->flags & VF_MAP)) {
        vctx_fail(ctx, 0, "Attempted to check if element:\n%s\nis in the record:\n%s",
                  val_ppr(ctx, elem), val_ppr(ctx, v));
    }
    vctx_fail(ctx, 0, "Attempted to check if the value:\n%s\nis an element of %s %s",
              val_ppr(ctx, elem), val_kind_noun(v), val_ppr(ctx, v));
}

static inline bool array_find(struct vctx *ctx, struct val elem, const struct vobj *obj,
                              uint32_t *ret_index)
{
    size_t lo = 0;
    size_t hi = obj->n;
    enum vtag tag = val_tag(elem);
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        struct val at = obj->v[mid];
        if (at.w == elem.w) {
            *ret_index = (uint32_t)mid;
            return true;
        }
        bool less;
        if (tag == VTAG_INT && val_is_small(at)) {
            less = (int64_t)elem.w < (int64_t)at.w;
        } else if (tag >= VTAG_STR && tag <= VTAG_MODEL && (uint32_t)at.w == (uint32_t)elem.w) {
            less = elem.w < at.w; /* both strings, or both model values of the same type */
        } else {
            int cmp = val_compare(ctx, elem, at);
            if (cmp == 0) {
                *ret_index = (uint32_t)mid;
                return true;
            }
            less = cmp < 0;
        }
        if (less) {
            hi = mid;
        } else {
            lo = mid + 1;
        }
    }
    return false;
}

static bool array_member(struct vctx *ctx, struct val elem, const struct vobj *obj)
{
    uint32_t index;
    return array_find(ctx, elem, obj, &index);
}

static bool special_member(struct vctx *ctx, struct val elem, struct val set)
{
    bool is_int = val_is_int(elem);
    const char *name;
    switch (set.w >> 3) {
    case VSP_ANYSET: return true;
    case VSP_NAT:
        if (is_int) {
            return int_sign(elem) >= 0;
        }
        name = "Nat";
        break;
    case VSP_INT:
        if (is_int) {
            return true;
        }
        name = "Int";
        break;
    case VSP_REAL:
        if (is_int) {
            return true;
        }
        name = "Real";
        break;
    case VSP_STRING:
        if (val_is_str(elem)) {
            return true;
        }
        name = "STRING";
        break;
    default: return member_not_a_set(ctx, elem, set);
    }
    if (val_is_model(elem)) {
        return val_model_member(ctx, elem, set);
    }
    vctx_fail(ctx, CODE_MEMBER, "Attempted to check if the value:\n%s\nis an element of %s.",
              val_ppr(ctx, elem), name);
}

static bool interval_member(struct vctx *ctx, struct val elem, struct val set)
{
    if (val_is_small(elem)) {
        int64_t i = val_small_get(elem);
        return i >= interval_lo(set) && i <= interval_hi(set);
    }
    if (val_is_int(elem) || (val_is_model(elem) && model_type(elem) == 0)) {
        return false;
    }
    vctx_fail(ctx, 0, "Attempted to check if the value:\n%s\nis in the integer interval %s",
              val_ppr(ctx, elem), val_ppr(ctx, set));
}

static bool all_members(struct vctx *ctx, struct val subset, struct val set)
{
    if (val_is_kind(subset, VK_INTERVAL)) {
        int64_t lo = interval_lo(subset);
        if (val_is_kind(set, VK_INTERVAL)) {
            return lo >= interval_lo(set) && interval_hi(subset) <= interval_hi(set);
        }
        if (val_same(set, VAL_INT) || val_same(set, VAL_NAT)) {
            return lo >= 0 || val_same(set, VAL_INT);
        }
    }
    struct set_iter it;
    struct val elem;
    set_iter_init(&it, ctx, subset);
    while (set_iter_next(&it, &elem)) {
        vctx_poll(ctx);
        if (!set_member(ctx, elem, set)) {
            return false;
        }
    }
    return true;
}

static bool subset_member(struct vctx *ctx, struct val elem, struct val set)
{
    if (!set_is_enumerable(elem)) {
        vctx_fail(ctx, 0, "Attempted to check if the non-enumerable value\n%s\nis element of\n%s",
                  val_ppr(ctx, elem), val_ppr(ctx, set));
    }
    return all_members(ctx, elem, val_lazy(set)->op[0]);
}

static bool ksubset_member(struct vctx *ctx, struct val elem, struct val set)
{
    return int_cmp(set_card(ctx, elem), val_lazy(set)->op[1]) == 0 && subset_member(ctx, elem, set);
}

static bool fcnset_member(struct vctx *ctx, struct val elem, struct val set)
{
    if (!val_is_fcn(elem)) {
        if (val_is_model(elem)) {
            return val_model_member(ctx, elem, set);
        }
        vctx_fail(ctx, 0,
                  "Attempted to check if \n%s\nwhich is not a TLC function value, is in the set of "
                  "functions:\n%s",
                  val_line(ctx, elem), val_ppr(ctx, set));
    }
    struct val fcn = fcn_force(ctx, elem);
    const struct vobj *obj = val_obj(fcn);
    struct vlazy *lazy = val_lazy(set);
    if (!fcn_domain_equals(ctx, obj, fcn, lazy->op[0])) {
        return false;
    }
    const struct val *values = fcn_values(obj);
    for (uint32_t i = 0; i < obj->n; i++) {
        if (!set_member(ctx, values[i], lazy->op[1])) {
            return false;
        }
    }
    return true;
}

static bool recset_member(struct vctx *ctx, struct val elem, struct val set)
{
    struct val fcn = val_is_fcn(elem) ? fcn_force(ctx, elem) : elem;
    if (!val_is_kind(fcn, VK_RECORD) && !(val_is_kind(fcn, VK_TUPLE) && val_obj(fcn)->n == 0)) {
        if (val_is_model(elem)) {
            return val_model_member(ctx, elem, set);
        }
        vctx_fail(ctx, 0, "Attempted to check if non-record\n%s\nis in the set of records:\n%s",
                  val_line(ctx, elem), val_ppr(ctx, set));
    }
    const struct vobj *obj = val_obj(fcn);
    struct vlazy *lazy = val_lazy(set);
    if (obj->n != lazy->n) {
        return false;
    }
    for (uint32_t i = 0; i < obj->n; i++) {
        if (obj->v[i].w != lazy->op[i].w ||
            !set_member(ctx, obj->v[obj->n + i], lazy->op[lazy->n + i])) {
            return false;
        }
    }
    return true;
}

static bool product_member(struct vctx *ctx, struct val elem, struct val set)
{
    const struct vobj *seq = seq_of(ctx, elem);
    struct vlazy *lazy = val_lazy(set);
    if (!seq) {
        if (val_is_model(elem)) {
            return val_model_member(ctx, elem, set);
        }
        struct val fcn = val_is_fcn(elem) ? fcn_force(ctx, elem) : elem;
        if (val_is_kind(fcn, VK_FCN) && val_is_int(val_obj(fcn)->v[0])) {
            return false; /* a function on other integers than 1..n */
        }
        vctx_fail(ctx, 0, "Attempted to check if non-tuple\n%s\nis in the set of tuples:\n%s",
                  val_ppr(ctx, elem), val_ppr(ctx, set));
    }
    if (seq->n != lazy->n) {
        return false;
    }
    for (uint32_t i = 0; i < seq->n; i++) {
        if (!set_member(ctx, seq->v[i], lazy->op[i])) {
            return false;
        }
    }
    return true;
}

static bool seqset_member(struct vctx *ctx, struct val elem, struct val set)
{
    const struct vobj *seq = seq_of(ctx, elem);
    if (!seq) {
        if (val_is_model(elem)) {
            return val_model_member(ctx, elem, set);
        }
        vctx_fail(ctx, CODE_MEMBER, "Attempted to check if the value:\n%s\nis an element of %s.",
                  val_ppr(ctx, elem), val_ppr(ctx, set));
    }
    for (uint32_t i = 0; i < seq->n; i++) {
        if (!set_member(ctx, seq->v[i], val_lazy(set)->op[0])) {
            return false;
        }
    }
    return true;
}

static bool union_member(struct vctx *ctx, struct val elem, struct val set)
{
    struct val base = val_lazy(set)->op[0];
    if (!set_is_enumerable(base)) {
        vctx_fail(ctx, 0,
                  "Attempted to check if:\n %s\nis an element of the non-enumerable set:\n %s",
                  val_ppr(ctx, elem), val_ppr(ctx, set));
    }
    struct set_iter it;
    struct val part;
    set_iter_init(&it, ctx, base);
    while (set_iter_next(&it, &part)) {
        vctx_poll(ctx);
        if (set_member(ctx, elem, part)) {
            return true;
        }
    }
    return false;
}

static bool filter_member(struct vctx *ctx, struct val elem, struct vlazy *lazy)
{
    if (lazy->flags & VF_FORCED) {
        return array_member(ctx, elem, val_obj(lazy->forced));
    }
    return set_member(ctx, elem, lazy->op[0]) && lazy->ops->member(ctx, lazy, elem);
}

bool set_member(struct vctx *ctx, struct val elem, struct val set)
{
    if (!val_is_obj(set)) {
        return val_is_user(set) ? special_member(ctx, elem, set) : member_not_a_set(ctx, elem, set);
    }
    if (val_obj(set)->kind == VK_SET) {
        return array_member(ctx, elem, val_obj(set));
    }
    stack_check(ctx);
    struct vlazy *lazy = val_lazy(set);
    switch ((enum vkind)lazy->kind) {
    case VK_INTERVAL: return interval_member(ctx, elem, set);
    case VK_SUBSET: return subset_member(ctx, elem, set);
    case VK_KSUBSET: return ksubset_member(ctx, elem, set);
    case VK_FCNSET: return fcnset_member(ctx, elem, set);
    case VK_RECSET: return recset_member(ctx, elem, set);
    case VK_PRODUCT: return product_member(ctx, elem, set);
    case VK_SEQSET: return seqset_member(ctx, elem, set);
    case VK_UNION: return union_member(ctx, elem, set);
    case VK_CUP: return set_member(ctx, elem, lazy->op[0]) || set_member(ctx, elem, lazy->op[1]);
    case VK_CAP: return set_member(ctx, elem, lazy->op[0]) && set_member(ctx, elem, lazy->op[1]);
    case VK_DIFF: return set_member(ctx, elem, lazy->op[0]) && !set_member(ctx, elem, lazy->op[1]);
    case VK_FILTER: return filter_member(ctx, elem, lazy);
    default: return member_not_a_set(ctx, elem, set);
    }
}

/* ---- algebra ---- */

static struct val lazy_binary(struct vctx *ctx, enum vkind kind, struct val a, struct val b)
{
    struct vlazy *lazy = vlazy_new(ctx, kind, 2, 2);
    lazy->op[0] = a;
    lazy->op[1] = b;
    return val_of_obj((struct vobj *)lazy);
}

/* S \cup {elem}. */
static struct val insert_one(struct vctx *ctx, struct val set, struct val elem)
{
    const struct vobj *obj = val_obj(set);
    size_t lo = 0;
    size_t hi = obj->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int cmp = val_compare(ctx, elem, obj->v[mid]);
        if (cmp == 0) {
            return set;
        }
        if (cmp < 0) {
            hi = mid;
        } else {
            lo = mid + 1;
        }
    }
    if (obj->n >= set_limit(ctx)) {
        val_fail_set_too_big(ctx, set_limit(ctx));
    }
    struct vobj *out = vobj_new(ctx, VK_SET, (size_t)obj->n + 1, (size_t)obj->n + 1);
    memcpy(out->v, obj->v, lo * sizeof elem);
    out->v[lo] = elem;
    memcpy(out->v + lo + 1, obj->v + lo, (obj->n - lo) * sizeof elem);
    return val_of_obj(out);
}

struct val set_merge(struct vctx *ctx, struct val a, struct val b)
{
    const struct vobj *x = val_obj(a);
    const struct vobj *y = val_obj(b);
    if (x->n == 0 || y->n == 0) {
        return x->n == 0 ? b : a;
    }
    if (y->n == 1) {
        return insert_one(ctx, a, y->v[0]);
    }
    struct vobj *out = vobj_new(ctx, VK_SET, (size_t)x->n + y->n, (size_t)x->n + y->n);
    uint32_t i = 0;
    uint32_t j = 0;
    uint32_t n = 0;
    while (i < x->n && j < y->n) {
        int cmp = val_compare(ctx, y->v[j], x->v[i]);
        if (cmp < 0) {
            out->v[n++] = y->v[j++];
        } else {
            out->v[n++] = x->v[i++];
            j += cmp == 0;
        }
    }
    while (i < x->n) {
        out->v[n++] = x->v[i++];
    }
    while (j < y->n) {
        out->v[n++] = y->v[j++];
    }
    if (n > set_limit(ctx)) {
        val_fail_set_too_big(ctx, set_limit(ctx));
    }
    if (n == x->n) { /* b was a subset */
        return a;
    }
    out->n = n;
    return val_of_obj(out);
}

struct val set_cup(struct vctx *ctx, struct val a, struct val b)
{
    if (!is_reducible(a) && is_reducible(b)) { /* TLC turns it round */
        struct val swap = a;
        a = b;
        b = swap;
    }
    if (val_is_kind(a, VK_SET) && val_obj(a)->n == 0) {
        return b;
    }
    if (is_reducible(a) && is_reducible(b)) {
        return set_merge(ctx, set_force(ctx, a), set_force(ctx, b));
    }
    return lazy_binary(ctx, VK_CUP, a, b);
}

/* Collects what a selection keeps of the SET `from`: nothing is copied before the first element
 * goes. */
struct picker {
    struct vctx *ctx;
    struct val from;
    struct vobj *out; /* NULL while everything is kept */
    uint32_t n;
};

static inline void pick(struct picker *p, uint32_t i, bool keep)
{
    const struct vobj *obj = val_obj(p->from);
    if (!keep) {
        if (!p->out) {
            p->out = vobj_new(p->ctx, VK_SET, obj->n, obj->n);
            memcpy(p->out->v, obj->v, i * sizeof obj->v[0]);
        }
        return;
    }
    if (p->out) {
        p->out->v[p->n] = obj->v[i];
    }
    p->n++;
}

static struct val picked(struct picker *p)
{
    if (!p->out) {
        return p->from;
    }
    p->out->n = p->n;
    return p->n == 0 ? set_empty() : val_of_obj(p->out);
}

/* Selection between two SETs by merging. */
static void pick_merging(struct picker *p, const struct vobj *other, bool want)
{
    const struct vobj *obj = val_obj(p->from);
    uint32_t j = 0;
    for (uint32_t i = 0; i < obj->n; i++) {
        int cmp = 1;
        while (j < other->n && (cmp = val_compare(p->ctx, obj->v[i], other->v[j])) > 0) {
            j++;
        }
        pick(p, i, (j < other->n && cmp == 0) == want);
    }
}

/* S \ {elem}. */
static struct val remove_one(struct vctx *ctx, struct val set, struct val elem)
{
    const struct vobj *obj = val_obj(set);
    uint32_t at = 0;
    if (obj->n == 0) {
        return set;
    }
    int cmp = val_compare(ctx, obj->v[0], elem); /* TLC asks the elements of the left set */
    if (cmp > 0 || (cmp < 0 && !array_find(ctx, elem, obj, &at))) {
        return set;
    }
    if (obj->n == 1) {
        return set_empty();
    }
    struct vobj *out = vobj_new(ctx, VK_SET, obj->n - 1, obj->n - 1);
    memcpy(out->v, obj->v, at * sizeof elem);
    memcpy(out->v + at, obj->v + at + 1, (obj->n - 1 - at) * sizeof elem);
    return val_of_obj(out);
}

/* The elements of `a`, a SET or interval, that are in `b` (or are not, when !want). */
static struct val select_members(struct vctx *ctx, struct val a, struct val b, bool want)
{
    struct val from = set_force(ctx, a);
    const struct vobj *obj = val_obj(from);
    if (val_is_kind(b, VK_SET)) {
        uint32_t n = val_obj(b)->n;
        if (n == 0) {
            return want ? set_empty() : from;
        }
        if (n == 1 && !want) {
            return remove_one(ctx, from, val_obj(b)->v[0]);
        }
    }
    struct picker p = {.ctx = ctx, .from = from};
    if (val_is_kind(b, VK_SET) && obj->n > 1 && val_obj(b)->n / 8 <= obj->n) {
        pick_merging(&p, val_obj(b), want);
        return picked(&p);
    }
    for (uint32_t i = 0; i < obj->n; i++) {
        if (obj->n > 4096) {
            vctx_poll(ctx);
        }
        pick(&p, i, set_member(ctx, obj->v[i], b) == want);
    }
    return picked(&p);
}

struct val set_cap(struct vctx *ctx, struct val a, struct val b)
{
    if (is_reducible(a)) {
        return select_members(ctx, a, b, true);
    }
    if (is_reducible(b)) {
        return select_members(ctx, b, a, true);
    }
    return lazy_binary(ctx, VK_CAP, a, b);
}

struct val set_diff(struct vctx *ctx, struct val a, struct val b)
{
    return is_reducible(a) ? select_members(ctx, a, b, false) : lazy_binary(ctx, VK_DIFF, a, b);
}

bool set_subseteq(struct vctx *ctx, struct val a, struct val b)
{
    if (!set_is_enumerable(a)) {
        vctx_fail(ctx, 0,
                  "Attempted to evaluate an expression of form S \\subseteq T, but S was not "
                  "enumerable.\n%s",
                  val_ppr(ctx, a));
    }
    if (val_is_kind(a, VK_SUBSET) && val_is_kind(b, VK_SUBSET) &&
        set_is_enumerable(val_lazy(a)->op[0])) {
        return set_subseteq(ctx, val_lazy(a)->op[0], val_lazy(b)->op[0]);
    }
    return all_members(ctx, a, b);
}

/* Unions of the SETs in sets[0..n), by halves. */
static struct val merge_all(struct vctx *ctx, const struct val *sets, size_t n)
{
    if (n == 0) {
        return set_empty();
    }
    if (n == 1) {
        return sets[0];
    }
    return set_merge(ctx, merge_all(ctx, sets, n / 2), merge_all(ctx, sets + n / 2, n - n / 2));
}

struct val set_flatten(struct vctx *ctx, struct val set)
{
    if (!set_is_enumerable(set)) {
        vctx_fail(ctx, 0, "Attempted to enumerate the nonenumerable set:\nUNION(%s)",
                  val_ppr(ctx, set));
    }
    const struct vobj *base = set_view(ctx, set);
    struct val *parts = arena_alloc(ctx->arena, (base->n + (size_t)1) * sizeof *parts);
    for (uint32_t i = 0; i < base->n; i++) {
        if (!set_is_enumerable(base->v[i])) {
            vctx_fail(ctx, 0,
                      "Attempted to enumerate UNION(s), but some element of s is nonenumerable.");
        }
        parts[i] = set_force(ctx, base->v[i]);
    }
    return merge_all(ctx, parts, base->n);
}
