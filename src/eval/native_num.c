/* Naturals, Integers, Reals; Combinatorics and DyadicRationals, which are little more.
 *
 * Numbers are unbounded here, where TLC stops with an overflow. Other errors are TLC's. */
#include <stddef.h>
#include <stdint.h>

#include "eval/native_int.h"

struct val native_nat(struct ev *ev, const struct val *args)
{
    (void)ev;
    (void)args;
    return VAL_NAT;
}

struct val native_whole(struct ev *ev, const struct val *args)
{
    (void)ev;
    (void)args;
    return VAL_INT;
}

struct val native_real(struct ev *ev, const struct val *args)
{
    (void)ev;
    (void)args;
    return VAL_REAL;
}

/* Arithmetic proper: a wrong argument is, in TLC, a failure of the Java method itself, which has no
 * message code. */
static void need_number(struct ev *ev, struct val v, const char *which, const char *op)
{
    if (!val_is_int(v)) {
        vctx_fail(ev_vctx(ev), CODE_GENERAL,
                  "The %s argument of %s should be an integer, but instead it is:\n%s", which, op,
                  val_ppr(ev_vctx(ev), v));
    }
}

static void need_numbers(struct ev *ev, const struct val *args, const char *op)
{
    need_number(ev, args[0], "first", op);
    need_number(ev, args[1], "second", op);
}

static void need_ints(struct ev *ev, const struct val *args, const char *op)
{
    (void)native_need_int(ev, args[0], "first", op);
    (void)native_need_int(ev, args[1], "second", op);
}

struct val native_plus(struct ev *ev, const struct val *args)
{
    need_numbers(ev, args, "+");
    return int_add(ev_vctx(ev), args[0], args[1]);
}

struct val native_minus(struct ev *ev, const struct val *args)
{
    need_numbers(ev, args, "-");
    return int_sub(ev_vctx(ev), args[0], args[1]);
}

struct val native_times(struct ev *ev, const struct val *args)
{
    need_numbers(ev, args, "*");
    return int_mul(ev_vctx(ev), args[0], args[1]);
}

struct val native_negate(struct ev *ev, const struct val *args)
{
    need_number(ev, args[0], "first", "-.");
    return int_neg(ev_vctx(ev), args[0]);
}

struct val native_less(struct ev *ev, const struct val *args)
{
    need_ints(ev, args, "<");
    return val_bool(int_cmp(args[0], args[1]) < 0);
}

struct val native_less_equal(struct ev *ev, const struct val *args)
{
    need_ints(ev, args, "<=");
    return val_bool(int_cmp(args[0], args[1]) <= 0);
}

struct val native_greater(struct ev *ev, const struct val *args)
{
    need_ints(ev, args, ">");
    return val_bool(int_cmp(args[0], args[1]) > 0);
}

struct val native_greater_equal(struct ev *ev, const struct val *args)
{
    need_ints(ev, args, ">=");
    return val_bool(int_cmp(args[0], args[1]) >= 0);
}

struct val native_dots(struct ev *ev, const struct val *args)
{
    need_numbers(ev, args, "..");
    return set_interval(ev_vctx(ev), args[0], args[1]);
}

struct val native_divide(struct ev *ev, const struct val *args)
{
    need_numbers(ev, args, "\\div");
    if (int_sign(args[1]) == 0) {
        vctx_fail(ev_vctx(ev), CODE_DIVISION, "The second argument of \\div is 0.");
    }
    return int_div(ev_vctx(ev), args[0], args[1]);
}

struct val native_modulo(struct ev *ev, const struct val *args)
{
    need_numbers(ev, args, "%");
    if (int_sign(args[1]) <= 0) {
        native_fail_argument(ev, "second", "%", "positive number", args[1]);
    }
    return int_mod(ev_vctx(ev), args[0], args[1]);
}

struct val native_power(struct ev *ev, const struct val *args)
{
    need_numbers(ev, args, "^");
    if (int_sign(args[1]) < 0) {
        native_fail_argument(ev, "second", "^", "natural number", args[1]);
    }
    if (int_sign(args[0]) == 0 && int_sign(args[1]) == 0) {
        vctx_fail(ev_vctx(ev), CODE_ZERO_POWER, "0^0 is undefined.");
    }
    return int_pow(ev_vctx(ev), args[0], args[1]);
}

/* ---- Combinatorics ---- */

static int64_t need_natural(struct ev *ev, struct val v, const char *which, const char *op)
{
    int64_t n = 0;
    if (!val_is_int(v) || int_sign(v) < 0) {
        native_fail_argument(ev, which, op, "natural number", v);
    }
    if (!int_to_i64(v, &n) || n > 20000) {
        vctx_fail(ev_vctx(ev), CODE_OVERFLOW, "Overflow when computing %s", op);
    }
    return n;
}

/* first * (first + 1) * ... * last. */
static struct val product(struct ev *ev, int64_t first, int64_t last)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val result = val_int(ctx, 1);
    for (int64_t i = first; i <= last; i++) {
        result = int_mul(ctx, result, val_int(ctx, i));
    }
    return result;
}

struct val native_choose(struct ev *ev, const struct val *args)
{
    int64_t n = need_natural(ev, args[0], "first", "choose");
    int64_t k = need_natural(ev, args[1], "second", "choose");
    if (k > n) {
        return val_int(ev_vctx(ev), 0);
    }
    k = k > n - k ? n - k : k;
    return int_div(ev_vctx(ev), product(ev, n - k + 1, n), product(ev, 1, k));
}

/* ---- DyadicRationals ---- */

struct fraction {
    struct val num, den;
    const struct vobj *like; /* a record of two fields; its names serve for results */
};

static struct val fraction_val(struct ev *ev, struct fraction f)
{
    struct vctx *ctx = ev_vctx(ev);
    bool num_first = str_is(val_str_text(ctx, f.like->v[0]), "num");
    const struct val values[2] = {num_first ? f.num : f.den, num_first ? f.den : f.num};
    return record_make(ctx, f.like->v, values, 2);
}

static struct fraction need_fraction(struct ev *ev, struct val v, const char *op)
{
    struct fraction f;
    struct val record;
    if (!native_as_record(ev, v, &record) || !native_field(ev, record, "num", &f.num) ||
        !native_field(ev, record, "den", &f.den) || val_obj(record)->n != 2 || !val_is_int(f.num) ||
        !val_is_int(f.den) || int_sign(f.den) <= 0) {
        native_fail_only_argument(ev, op, "record", v);
    }
    f.like = val_obj(record);
    return f;
}

static struct val lowest(struct ev *ev, struct fraction f)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val a = int_sign(f.num) < 0 ? int_neg(ctx, f.num) : f.num;
    struct val b = f.den;
    while (int_sign(b) != 0) {
        struct val rest = int_mod(ctx, a, b);
        a = b;
        b = rest;
    }
    f.num = int_div(ctx, f.num, a);
    f.den = int_div(ctx, f.den, a);
    return fraction_val(ev, f);
}

/* Halves the denominator while it is even. */
struct val native_is_dyadic(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val record, den;
    if (!native_as_record(ev, args[0], &record) || !native_field(ev, record, "den", &den)) {
        den = fcn_apply(ctx, args[0], val_str(ctx, STR("den")));
    }
    (void)native_need_int(ev, den, "second", "..");
    while (int_cmp(den, val_small(1)) > 0 && int_sign(int_mod(ctx, den, val_small(2))) == 0) {
        den = int_div(ctx, den, val_small(2));
    }
    return val_bool(int_cmp(den, val_small(1)) == 0);
}

struct val native_dyadic_add(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct fraction p = need_fraction(ev, args[0], "Add");
    if (int_sign(p.num) == 0 && int_cmp(p.den, val_small(1)) == 0) {
        return args[1];
    }
    struct fraction q = need_fraction(ev, args[1], "Add");
    struct val den = int_cmp(p.den, q.den) > 0 ? p.den : q.den;
    struct val left = int_mul(ctx, p.num, int_div(ctx, den, p.den));
    struct val right = int_mul(ctx, q.num, int_div(ctx, den, q.den));
    return lowest(ev, (struct fraction){int_add(ctx, left, right), den, p.like});
}

struct val native_dyadic_half(struct ev *ev, const struct val *args)
{
    struct fraction p = need_fraction(ev, args[0], "Half");
    p.den = int_mul(ev_vctx(ev), p.den, val_small(2));
    return lowest(ev, p);
}
