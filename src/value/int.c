/* Integers of any size.
 *
 * What fits 61 bits is a tagged word; the rest are BIGINT objects whose limbs lie in the arena,
 * worked on by GMP's mpn functions, which take memory from the caller: nothing here uses GMP's own
 * allocation, so that an error in the middle leaks nothing. Every result goes through `shrink`,
 * which keeps the canonical form: no leading zero limbs, and the small form whenever the value fits
 * it. */
#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "value/value.h"
#include "value/value_int.h"

_Static_assert(sizeof(mp_limb_t) == sizeof(uint64_t), "limbs are words of an object");

/* ^ refuses results above this size: nobody needs them, and a typing error in a spec should not
 * fill the memory. */
enum { POW_BITS_MAX = 1 << 24, PARSE_DIGITS_MAX = 1 << 24 };

/* An integer of either form as sign and magnitude; n = 0 for zero. */
struct view {
    const mp_limb_t *limbs;
    mp_size_t n;
    bool neg;
    mp_limb_t own; /* magnitude of a small one; `limbs` points here */
};

static void view_init(struct view *view, struct val v)
{
    if (val_is_small(v)) {
        int64_t i = val_small_get(v);
        view->neg = i < 0;
        view->own = view->neg ? (mp_limb_t)-i : (mp_limb_t)i;
        view->n = i != 0;
        view->limbs = &view->own;
        return;
    }
    const struct vobj *obj = val_obj(v);
    view->neg = (obj->flags & VF_NEG) != 0;
    view->n = (mp_size_t)obj->n;
    view->limbs = &obj->v[0].w;
}

bool val_is_int(struct val v)
{
    return val_is_small(v) || val_is_kind(v, VK_BIGINT);
}

/* The canonical value of an object whose n limbs were just computed. */
static struct val shrink(struct vobj *obj, mp_size_t n, bool neg)
{
    while (n > 0 && obj->v[n - 1].w == 0) {
        n--;
    }
    if (n == 0) {
        return val_small(0);
    }
    uint64_t low = obj->v[0].w;
    if (n == 1 && low <= (uint64_t)SMALL_MAX + neg) {
        return val_small(neg ? -(int64_t)low : (int64_t)low);
    }
    obj->n = (uint32_t)n;
    obj->flags = neg ? VF_NEG : 0;
    return val_of_obj(obj);
}

static struct vobj *big_new(struct vctx *ctx, mp_size_t n)
{
    return vobj_new(ctx, VK_BIGINT, (size_t)n, (size_t)n);
}

struct val val_int(struct vctx *ctx, int64_t i)
{
    if (i >= SMALL_MIN && i <= SMALL_MAX) {
        return val_small(i);
    }
    struct vobj *obj = big_new(ctx, 1);
    obj->v[0].w = i < 0 ? -(uint64_t)i : (uint64_t)i;
    return shrink(obj, 1, i < 0);
}

bool int_to_i64(struct val v, int64_t *ret)
{
    if (val_is_small(v)) {
        *ret = val_small_get(v);
        return true;
    }
    struct view view;
    view_init(&view, v);
    if (view.n != 1 || view.limbs[0] > (uint64_t)INT64_MAX + view.neg) {
        return false;
    }
    *ret = (int64_t)(view.neg ? -view.limbs[0] : view.limbs[0]);
    return true;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

bool int_parse(struct vctx *ctx, struct str digits, unsigned base, struct val *ret)
{
    bool neg = digits.n > 0 && digits.p[0] == '-';
    size_t n = digits.n - neg;
    const char *p = digits.p + neg;
    if (n == 0 || n > PARSE_DIGITS_MAX || base < 2 || base > 36) {
        return false;
    }
    unsigned char *values = arena_alloc(ctx->arena, n);
    for (size_t i = 0; i < n; i++) {
        int digit = digit_value(p[i]);
        if (digit >= (int)base) {
            return false;
        }
        values[i] = (unsigned char)digit;
    }
    /* At most 6 bits for each digit, rounded up, and one limb that mpn_set_str may touch. */
    struct vobj *obj = big_new(ctx, (mp_size_t)(n * 6 / 64 + 2));
    mp_size_t limbs = mpn_set_str(&obj->v[0].w, values, n, (int)base);
    *ret = shrink(obj, limbs, neg);
    return true;
}

int int_sign(struct val a)
{
    if (val_is_small(a)) {
        int64_t i = val_small_get(a);
        return (i > 0) - (i < 0);
    }
    return val_obj(a)->flags & VF_NEG ? -1 : 1;
}

static int cmp_magnitude(const struct view *a, const struct view *b)
{
    if (a->n != b->n) {
        return a->n < b->n ? -1 : 1;
    }
    return a->n ? mpn_cmp(a->limbs, b->limbs, a->n) : 0;
}

int int_cmp(struct val a, struct val b)
{
    if (val_is_small(a) && val_is_small(b)) {
        return ((int64_t)a.w > (int64_t)b.w) - ((int64_t)a.w < (int64_t)b.w);
    }
    int sign_a = int_sign(a);
    int sign_b = int_sign(b);
    if (sign_a != sign_b) {
        return sign_a < sign_b ? -1 : 1;
    }
    struct view x;
    struct view y;
    view_init(&x, a);
    view_init(&y, b);
    int cmp = cmp_magnitude(&x, &y);
    cmp = (cmp > 0) - (cmp < 0);
    return sign_a < 0 ? -cmp : cmp;
}

/* a + b, or a - b when `negate`. */
static struct val add_views(struct vctx *ctx, struct val a, struct val b, bool negate)
{
    struct view x;
    struct view y;
    view_init(&x, a);
    view_init(&y, b);
    bool y_neg = y.neg != negate;
    const struct view *large = &x;
    const struct view *small = &y;
    bool neg = x.neg;
    int cmp = cmp_magnitude(&x, &y);
    if (cmp < 0) {
        large = &y;
        small = &x;
        neg = y_neg;
    }
    struct vobj *obj = big_new(ctx, large->n + 1);
    mp_limb_t *out = &obj->v[0].w;
    if (small->n == 0) {
        for (mp_size_t i = 0; i < large->n; i++) {
            out[i] = large->limbs[i];
        }
        return shrink(obj, large->n, neg);
    }
    if (x.neg == y_neg) {
        out[large->n] = mpn_add(out, large->limbs, large->n, small->limbs, small->n);
        return shrink(obj, large->n + 1, neg);
    }
    mpn_sub(out, large->limbs, large->n, small->limbs, small->n);
    return shrink(obj, large->n, neg);
}

struct val int_add(struct vctx *ctx, struct val a, struct val b)
{
    if (val_is_small(a) && val_is_small(b)) { /* 61-bit words cannot overflow 64 bits here */
        return val_int(ctx, val_small_get(a) + val_small_get(b));
    }
    return add_views(ctx, a, b, false);
}

struct val int_sub(struct vctx *ctx, struct val a, struct val b)
{
    if (val_is_small(a) && val_is_small(b)) {
        return val_int(ctx, val_small_get(a) - val_small_get(b));
    }
    return add_views(ctx, a, b, true);
}

struct val int_neg(struct vctx *ctx, struct val a)
{
    return int_sub(ctx, val_small(0), a);
}

struct val int_mul(struct vctx *ctx, struct val a, struct val b)
{
    int64_t product;
    if (val_is_small(a) && val_is_small(b) &&
        !__builtin_mul_overflow(val_small_get(a), val_small_get(b), &product)) {
        return val_int(ctx, product);
    }
    struct view x;
    struct view y;
    view_init(&x, a);
    view_init(&y, b);
    if (x.n == 0 || y.n == 0) {
        return val_small(0);
    }
    struct vobj *obj = big_new(ctx, x.n + y.n);
    if (x.n >= y.n) {
        mpn_mul(&obj->v[0].w, x.limbs, x.n, y.limbs, y.n);
    } else {
        mpn_mul(&obj->v[0].w, y.limbs, y.n, x.limbs, x.n);
    }
    return shrink(obj, x.n + y.n, x.neg != y.neg);
}

/* Division that rounds towards zero; the remainder has the sign of a. */
static void div_trunc(struct vctx *ctx, struct val a, struct val b, struct val *ret_quot,
                      struct val *ret_rem)
{
    struct view x;
    struct view y;
    view_init(&x, a);
    view_init(&y, b);
    if (cmp_magnitude(&x, &y) < 0) {
        *ret_quot = val_small(0);
        *ret_rem = a;
        return;
    }
    struct vobj *quot = big_new(ctx, x.n - y.n + 1);
    struct vobj *rem = big_new(ctx, y.n);
    mpn_tdiv_qr(&quot->v[0].w, &rem->v[0].w, 0, x.limbs, x.n, y.limbs, y.n);
    *ret_quot = shrink(quot, x.n - y.n + 1, x.neg != y.neg);
    *ret_rem = shrink(rem, y.n, x.neg);
}

struct val int_div(struct vctx *ctx, struct val a, struct val b)
{
    if (val_is_small(a) && val_is_small(b)) {
        int64_t x = val_small_get(a);
        int64_t y = val_small_get(b);
        int64_t quot = x / y;
        return val_int(ctx, quot - (x % y != 0 && (x < 0) != (y < 0)));
    }
    struct val quot;
    struct val rem;
    div_trunc(ctx, a, b, &quot, &rem);
    return int_sign(rem) != 0 && int_sign(rem) != int_sign(b) ? int_sub(ctx, quot, val_small(1))
                                                              : quot;
}

struct val int_mod(struct vctx *ctx, struct val a, struct val b)
{
    if (val_is_small(a) && val_is_small(b)) {
        int64_t y = val_small_get(b);
        int64_t rem = val_small_get(a) % y;
        return val_small(rem < 0 ? rem + y : rem);
    }
    struct val quot;
    struct val rem;
    div_trunc(ctx, a, b, &quot, &rem);
    return int_sign(rem) < 0 ? int_add(ctx, rem, b) : rem;
}

struct val int_pow(struct vctx *ctx, struct val a, struct val b)
{
    int64_t exponent;
    bool fits = int_to_i64(b, &exponent);
    struct view base;
    view_init(&base, a);
    if (base.n == 0 || (base.n == 1 && base.limbs[0] == 1)) { /* 0, 1, -1 */
        if (int_sign(b) == 0) {
            return val_small(1);
        }
        bool odd = val_is_small(b) ? val_small_get(b) & 1 : val_obj(b)->v[0].w & 1;
        return base.neg && !odd ? val_small(1) : a;
    }
    uint64_t bits = (uint64_t)base.n * 64 - (unsigned)__builtin_clzll(base.limbs[base.n - 1]);
    if (!fits || (uint64_t)exponent > POW_BITS_MAX || bits * (uint64_t)exponent > POW_BITS_MAX) {
        vctx_fail(ctx, CODE_OVERFLOW, "Overflow when computing %s^%s", val_ppr(ctx, a),
                  val_ppr(ctx, b));
    }
    struct val result = val_small(1);
    for (struct val power = a;; power = int_mul(ctx, power, power)) {
        if (exponent & 1) {
            result = int_mul(ctx, result, power);
        }
        exponent >>= 1;
        if (exponent == 0) {
            return result;
        }
    }
}
