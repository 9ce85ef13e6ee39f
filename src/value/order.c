/* Order and equality, with TLC's answers and TLC's errors.
 *
 * TLC asks the left operand ("Attempted to compare integer 1 with non-integer: ..."), so both
 * relations are written by the form of the left one, and what is an error may depend on the side: a
 * record refuses every non-record, a tuple first looks at the lengths. Model values without a type
 * come before everything else and equal only themselves; typed ones refuse what is not of their
 * type.
 *
 * Sets are ordered by size, then element by element. Functions are ordered by size, then their
 * domains, then their values; a tuple is a function with domain 1..n. Integers before strings is
 * not an order: it is an error. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/value.h"
#include "value/value_int.h"

static int sign_of(bool less, bool greater)
{
    return (int)greater - (int)less;
}

static int cmp_u64(uint64_t a, uint64_t b)
{
    return sign_of(a<b, a> b);
}

/* ---- model values ---- */

static int model_compare(struct vctx *ctx, struct val a, struct val b)
{
    char type = model_type(a);
    if (val_is_model(b)) {
        if (type != 0 && model_type(b) != 0 && model_type(b) != type) {
            vctx_fail(ctx, 0, "Attempted to compare the differently-typed model values %s and %s",
                      val_ppr(ctx, a), val_ppr(ctx, b));
        }
        return cmp_u64(val_str_id(a), val_str_id(b));
    }
    if (type != 0) {
        vctx_fail(ctx, 0, "Attempted to compare the typed model value %s and non-model value\n%s",
                  val_ppr(ctx, a), val_ppr(ctx, b));
    }
    return -1;
}

static bool model_equal(struct vctx *ctx, struct val a, struct val b)
{
    char type = model_type(a);
    if (val_is_model(b)) {
        if (type != 0 && model_type(b) != 0 && model_type(b) != type) {
            vctx_fail(ctx, 0,
                      "Attempted to check equality of the differently-typed model values %s and %s",
                      val_ppr(ctx, a), val_ppr(ctx, b));
        }
        return val_str_id(a) == val_str_id(b);
    }
    if (type != 0) {
        vctx_fail(ctx, 0,
                  "Attempted to check equality of typed model value %s and non-model value\n%s",
                  val_ppr(ctx, a), val_ppr(ctx, b));
    }
    return false;
}

/* `other`, which is no model value, compared with a model value on its right. */
static int compare_with_model(struct vctx *ctx, struct val other, struct val model)
{
    if (model_type(model) != 0) {
        vctx_fail(ctx, 0,
                  "Attempted to compare the typed model value %s and the non-model value\n%s",
                  val_ppr(ctx, model), val_ppr(ctx, other));
    }
    return 1;
}

static bool equal_with_model(struct vctx *ctx, struct val other, struct val model)
{
    if (model_type(model) != 0) {
        vctx_fail(
            ctx, 0,
            "Attempted to check equality of the typed model value %s and the non-model value\n%s",
            val_ppr(ctx, model), val_ppr(ctx, other));
    }
    return false;
}

bool val_model_member(struct vctx *ctx, struct val model, struct val set)
{
    if (model_type(model) != 0) {
        vctx_fail(ctx, 0, "Attempted to check if the typed model value %s is an element of\n%s",
                  val_ppr(ctx, model), val_ppr(ctx, set));
    }
    return false;
}

/* ---- Nat, Int, STRING, Seq(S), ... ---- */

static const char *special_name(struct vctx *ctx, struct val v)
{
    return val_same(v, VAL_ANYSET) ? "ANY" : val_ppr(ctx, v);
}

/* Also equality of such sets: TLC defines it by this order. */
static int user_compare(struct vctx *ctx, struct val a, struct val b)
{
    if (val_is_undef(a)) {
        return val_is_undef(b) ? 0 : 1;
    }
    if (!val_is_user(b)) {
        if (val_is_model(b)) {
            return 1;
        }
        vctx_fail(ctx, 0, "Attempted to compare overridden value %s with non-overridden value:\n%s",
                  val_ppr(ctx, a), val_ppr(ctx, b));
    }
    if (val_is_kind(a, VK_SEQSET) && val_is_kind(b, VK_SEQSET)) {
        return val_compare(ctx, val_lazy(a)->op[0], val_lazy(b)->op[0]);
    }
    if (val_same(a, b)) {
        return 0;
    }
    if (val_same(a, VAL_NAT) && val_same(b, VAL_INT)) {
        return -1;
    }
    if (val_same(a, VAL_INT) && val_same(b, VAL_NAT)) {
        return 1;
    }
    vctx_fail(ctx, CODE_COMPARE, "Attempted to compare %s with the value\n%s", special_name(ctx, a),
              val_ppr(ctx, b));
}

/* ---- plain words and integers ---- */

static const char *plain_name(struct val v)
{
    return val_is_bool(v) ? "boolean" : val_is_str(v) ? "string" : "integer";
}

static int plain_compare(struct vctx *ctx, struct val a, struct val b)
{
    if (val_is_int(a) && val_is_int(b)) {
        return int_cmp(a, b);
    }
    if (val_is_model(b)) {
        return compare_with_model(ctx, a, b);
    }
    vctx_fail(ctx, 0, "Attempted to compare %s %s with non-%s:\n%s", plain_name(a), val_ppr(ctx, a),
              plain_name(a), val_ppr(ctx, b));
}

static bool plain_equal(struct vctx *ctx, struct val a, struct val b)
{
    if (val_is_int(a) && val_is_int(b)) {
        return int_cmp(a, b) == 0;
    }
    if (val_is_model(b)) {
        return equal_with_model(ctx, a, b);
    }
    vctx_fail(ctx, 0, "Attempted to %s equality of %s %s with non-%s:\n%s",
              val_is_bool(a) ? "compare" : "check", plain_name(a), val_ppr(ctx, a), plain_name(a),
              val_ppr(ctx, b));
}

/* ---- sets ---- */

static int arrays_compare(struct vctx *ctx, const struct val *a, const struct val *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i].w != b[i].w) {
            int cmp = val_compare(ctx, a[i], b[i]);
            if (cmp != 0) {
                return cmp;
            }
        }
    }
    return 0;
}

static bool arrays_equal(struct vctx *ctx, const struct val *a, const struct val *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!val_equal(ctx, a[i], b[i])) {
            return false;
        }
    }
    return true;
}

static int set_compare(struct vctx *ctx, struct val a, struct val b)
{
    if (!set_is_enumerable(b)) {
        if (val_is_model(b)) {
            return compare_with_model(ctx, a, b);
        }
        vctx_fail(ctx, 0, "Attempted to compare the set %s with the value:\n%s",
                  val_ppr(ctx, set_force(ctx, a)), val_ppr(ctx, b));
    }
    if (val_is_kind(a, VK_INTERVAL) && val_is_kind(b, VK_INTERVAL)) {
        int cmp = cmp_u64(interval_size(a), interval_size(b));
        return cmp != 0 ? cmp
                        : sign_of(interval_lo(a) < interval_lo(b), interval_lo(a) > interval_lo(b));
    }
    if (val_is_kind(a, VK_SUBSET) && val_is_kind(b, VK_SUBSET)) {
        return val_compare(ctx, val_lazy(a)->op[0], val_lazy(b)->op[0]);
    }
    const struct vobj *x = set_view(ctx, a);
    const struct vobj *y = set_view(ctx, b);
    return x->n != y->n ? cmp_u64(x->n, y->n) : arrays_compare(ctx, x->v, y->v, x->n);
}

/* Equality of two lazy sets of the same form by their operands. False means: they may still be
 * equal. */
static bool operands_equal(struct vctx *ctx, const struct vlazy *a, const struct vlazy *b)
{
    size_t words = a->kind == VK_RECSET ? 2 * (size_t)a->n : a->n;
    return a->n == b->n && arrays_equal(ctx, a->op, b->op, words);
}

static bool fcnset_equal(struct vctx *ctx, const struct vlazy *a, const struct vlazy *b)
{
    if (operands_equal(ctx, a, b)) {
        return true;
    }
    /* Different domains or ranges: only the empty set or {<<>>} can still be equal. */
    bool a_domain = set_is_enumerable(a->op[0]) && set_is_empty(ctx, a->op[0]);
    bool b_domain = set_is_enumerable(b->op[0]) && set_is_empty(ctx, b->op[0]);
    if (a_domain || b_domain) {
        return a_domain && b_domain;
    }
    return set_is_enumerable(a->op[1]) && set_is_enumerable(b->op[1]) &&
           set_is_empty(ctx, a->op[1]) && set_is_empty(ctx, b->op[1]);
}

static bool product_equal(struct vctx *ctx, struct val a, struct val b)
{
    bool a_empty = set_is_empty(ctx, a);
    bool b_empty = set_is_empty(ctx, b);
    return a_empty || b_empty ? a_empty && b_empty : operands_equal(ctx, val_lazy(a), val_lazy(b));
}

static bool interval_equals_set(struct vctx *ctx, struct val interval, struct val set)
{
    const struct vobj *obj = val_obj(set);
    /* A sorted set of n integers from lo to hi is lo..hi when its size is right. */
    return obj->n == interval_size(interval) &&
           val_equal(ctx, val_small(interval_lo(interval)), obj->v[0]) &&
           val_equal(ctx, val_small(interval_hi(interval)), obj->v[obj->n - 1]);
}

static bool set_equal(struct vctx *ctx, struct val a, struct val b)
{
    if (!set_is_enumerable(b)) {
        if (val_is_model(b)) {
            return equal_with_model(ctx, a, b);
        }
        vctx_fail(ctx, 0, "Attempted to check equality of the set %s with the value:\n%s",
                  val_ppr(ctx, set_force(ctx, a)), val_ppr(ctx, b));
    }
    uint8_t kind = val_obj(a)->kind;
    if (kind == val_obj(b)->kind) {
        switch (kind) {
        case VK_INTERVAL:
            return interval_lo(a) == interval_lo(b) && interval_hi(a) == interval_hi(b);
        case VK_SUBSET: return val_equal(ctx, val_lazy(a)->op[0], val_lazy(b)->op[0]);
        case VK_FCNSET: return fcnset_equal(ctx, val_lazy(a), val_lazy(b));
        case VK_RECSET:
        case VK_PRODUCT: return product_equal(ctx, a, b);
        default: break;
        }
    }
    if (kind == VK_INTERVAL && val_is_kind(b, VK_SET)) {
        return interval_equals_set(ctx, a, b);
    }
    if (kind == VK_SET && val_is_kind(b, VK_INTERVAL)) {
        return interval_equals_set(ctx, b, a);
    }
    const struct vobj *x = set_view(ctx, a);
    const struct vobj *y = set_view(ctx, b);
    return x->n == y->n && arrays_equal(ctx, x->v, y->v, x->n);
}

/* ---- functions ---- */

/* Key i of a canonical function that is no empty tuple. */
static struct val key_at(const struct vobj *obj, size_t i)
{
    return obj->kind == VK_TUPLE ? val_small((int64_t)i + 1) : obj->v[i];
}

static bool is_record(const struct vobj *obj) /* what TLC would hold as a record */
{
    return obj->kind == VK_RECORD && !(obj->flags & VF_MAP);
}

/* Domains of two functions of the same size, one of which is a tuple: TLC wants integers in the
 * other one. */
static int domain_compare_tuple(struct vctx *ctx, const struct vobj *a, const struct vobj *b,
                                const char *error)
{
    const struct vobj *other = a->kind == VK_TUPLE ? b : a;
    for (size_t i = 0; i < a->n; i++) {
        struct val key = other->v[i];
        if (!val_is_int(key)) {
            vctx_fail(ctx, 0, "%s\n%s.", error, val_ppr(ctx, key));
        }
        int cmp = int_cmp(key_at(a, i), key_at(b, i));
        if (cmp != 0) {
            return cmp;
        }
    }
    return 0;
}

static int fcn_compare(struct vctx *ctx, struct val a, struct val b)
{
    const struct vobj *x = val_obj(a);
    if (!val_is_fcn(b)) {
        if (val_is_model(b)) {
            return compare_with_model(ctx, a, b);
        }
        if (is_record(x)) {
            vctx_fail(ctx, 0, "Attempted to compare record:\n%s\nwith non-record\n%s",
                      val_ppr(ctx, a), val_ppr(ctx, b));
        }
        vctx_fail(ctx, 0, "Attempted to compare the function %s with the value:\n%s",
                  val_ppr(ctx, a), val_ppr(ctx, b));
    }
    b = fcn_force(ctx, b);
    const struct vobj *y = val_obj(b);
    if (is_record(x) && y->n != 0 && y->kind != VK_RECORD) {
        vctx_fail(ctx, 0, "Attempted to compare record:\n%s\nwith non-record\n%s", val_ppr(ctx, a),
                  val_ppr(ctx, b));
    }
    if (x->n != y->n) {
        return cmp_u64(x->n, y->n);
    }
    int cmp = 0;
    if (x->kind == VK_TUPLE && y->kind == VK_TUPLE) {
        cmp = 0;
    } else if (x->kind == VK_TUPLE || y->kind == VK_TUPLE) {
        cmp = domain_compare_tuple(ctx, x, y,
                                   x->kind == VK_TUPLE
                                       ? "Attempted to compare integer with non-integer:"
                                       : "Attempted to compare integer with non-integer");
    } else {
        cmp = arrays_compare(ctx, fcn_keys(x), fcn_keys(y), x->n);
    }
    return cmp != 0 ? cmp : arrays_compare(ctx, fcn_values(x), fcn_values(y), x->n);
}

static bool fcn_equal(struct vctx *ctx, struct val a, struct val b)
{
    const struct vobj *x = val_obj(a);
    if (!val_is_fcn(b)) {
        if (val_is_model(b)) {
            return equal_with_model(ctx, a, b);
        }
        if (is_record(x)) {
            vctx_fail(ctx, 0, "Attempted to check equality of record:\n%s\nwith non-record\n%s",
                      val_ppr(ctx, a), val_ppr(ctx, b));
        }
        vctx_fail(ctx, 0, "Attempted to check equality of the function %s with the value:\n%s",
                  val_ppr(ctx, a), val_ppr(ctx, b));
    }
    b = fcn_force(ctx, b);
    const struct vobj *y = val_obj(b);
    if (is_record(x) && y->n != 0 && y->kind != VK_RECORD) {
        vctx_fail(ctx, 0, "Attempted to check equality of record:\n%s\nwith non-record\n%s",
                  val_ppr(ctx, a), val_ppr(ctx, b));
    }
    if (x->n != y->n) {
        return false;
    }
    if (x->kind != VK_TUPLE || y->kind != VK_TUPLE) {
        if (x->kind == VK_TUPLE || y->kind == VK_TUPLE) {
            if (domain_compare_tuple(ctx, x, y,
                                     "Attempted to compare an integer with non-integer:") != 0) {
                return false;
            }
        } else if (!arrays_equal(ctx, fcn_keys(x), fcn_keys(y), x->n)) {
            return false;
        }
    }
    return arrays_equal(ctx, fcn_values(x), fcn_values(y), x->n);
}

/* ---- the relations ---- */

/* Whether a rope and a rope or tuple differ, as far as it costs nothing to know. */
static bool ropes_differ(struct val a, struct val b)
{
    if (!val_is_rope(a) || !(val_is_rope(b) || val_is_kind(b, VK_TUPLE))) {
        return false;
    }
    const struct vobj *x = val_obj(a), *y = val_obj(b);
    return rope_len(a) != (val_is_rope(b) ? rope_len(b) : y->n) ||
           (y->hash != 0 && x->hash != y->hash);
}

static void fail_operator(struct vctx *ctx, const char *what, struct val a, struct val b)
{
    vctx_fail(ctx, 0, "Attempted to %s operator %s with value:\n%s", what, val_ppr(ctx, a),
              val_ppr(ctx, b));
}

int val_compare_slow(struct vctx *ctx, struct val a, struct val b)
{
    switch (val_tag(a)) {
    case VTAG_INT:
    case VTAG_STR:
    case VTAG_BOOL: return plain_compare(ctx, a, b);
    case VTAG_MODEL: return model_compare(ctx, a, b);
    case VTAG_SPECIAL: return user_compare(ctx, a, b);
    default: break;
    }
    stack_check(ctx);
    switch ((enum vkind)val_obj(a)->kind) {
    case VK_BIGINT: return plain_compare(ctx, a, b);
    case VK_TUPLE:
    case VK_RECORD:
    case VK_FCN: return fcn_compare(ctx, a, b);
    case VK_LAMBDA: return val_compare(ctx, fcn_force(ctx, a), b);
    case VK_SEQSET: return user_compare(ctx, a, b);
    case VK_OPER:
    case VK_THUNK: fail_operator(ctx, "compare", a, b); break;
    default: break;
    }
    return set_compare(ctx, a, b);
}

bool val_equal_slow(struct vctx *ctx, struct val a, struct val b)
{
    switch (val_tag(a)) {
    case VTAG_INT:
    case VTAG_STR:
    case VTAG_BOOL: return plain_equal(ctx, a, b);
    case VTAG_MODEL: return model_equal(ctx, a, b);
    case VTAG_SPECIAL: return user_compare(ctx, a, b) == 0;
    default: break;
    }
    stack_check(ctx);
    switch ((enum vkind)val_obj(a)->kind) {
    case VK_BIGINT: return plain_equal(ctx, a, b);
    case VK_TUPLE:
        if (ropes_differ(b, a)) {
            return false;
        }
        return fcn_equal(ctx, a, b);
    case VK_RECORD:
    case VK_FCN: return fcn_equal(ctx, a, b);
    case VK_LAMBDA:
        if (val_is_rope(a) && val_is_rope(b)) { /* equal ones have equal trees */
            return !ropes_differ(a, b) &&
                   val_equal(ctx, *rope_root(val_obj(a)), *rope_root(val_obj(b)));
        }
        return !ropes_differ(a, b) && val_equal(ctx, fcn_force(ctx, a), b);
    case VK_SEQSET: return user_compare(ctx, a, b) == 0;
    case VK_OPER:
    case VK_THUNK: fail_operator(ctx, "check equality of", a, b); break;
    default: break;
    }
    return set_equal(ctx, a, b);
}
