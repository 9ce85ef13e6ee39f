/* Bitwise. Numbers are taken as endless rows of bits, two's complement below zero; digits of 32
 * bits are cut off by dividing with rounding down, which gives exactly that for numbers of any
 * size. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eval/native_int.h"

enum bit_op { BITS_AND, BITS_OR, BITS_XOR };

static uint64_t combine(uint64_t a, uint64_t b, enum bit_op op)
{
    switch (op) {
    case BITS_AND: return a & b;
    case BITS_OR: return a | b;
    case BITS_XOR: break;
    }
    return a ^ b;
}

static bool is_sign_only(struct val v)
{
    return val_is_small(v) && (val_small_get(v) == 0 || val_small_get(v) == -1);
}

static struct val combine_big(struct ev *ev, struct val a, struct val b, enum bit_op op)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val base = val_small(INT64_C(1) << 32);
    struct vals digits;
    native_vals_init(&digits, ev, 8);
    while (!is_sign_only(a) || !is_sign_only(b)) {
        uint64_t low_a = (uint64_t)val_small_get(int_mod(ctx, a, base));
        uint64_t low_b = (uint64_t)val_small_get(int_mod(ctx, b, base));
        native_push(&digits, val_small((int64_t)combine(low_a, low_b, op)));
        a = int_div(ctx, a, base);
        b = int_div(ctx, b, base);
    }
    struct val result =
        val_small((int64_t)combine((uint64_t)val_small_get(a), (uint64_t)val_small_get(b), op));
    for (size_t i = digits.n; i-- > 0;) {
        result = int_add(ctx, int_mul(ctx, result, base), digits.v[i]);
    }
    return result;
}

static struct val bitwise(struct ev *ev, const struct val *args, const char *name, enum bit_op op)
{
    struct val a = native_need_int(ev, args[0], "first", name);
    struct val b = native_need_int(ev, args[1], "second", name);
    if (val_is_small(a) && val_is_small(b)) {
        return val_small(
            (int64_t)combine((uint64_t)val_small_get(a), (uint64_t)val_small_get(b), op));
    }
    return combine_big(ev, a, b, op);
}

struct val native_bits_and(struct ev *ev, const struct val *args)
{
    return bitwise(ev, args, "&", BITS_AND);
}

struct val native_bits_or(struct ev *ev, const struct val *args)
{
    return bitwise(ev, args, "|", BITS_OR);
}

struct val native_bits_xor(struct ev *ev, const struct val *args)
{
    return bitwise(ev, args, "^^", BITS_XOR);
}

/* Turns over the bits up to the highest one: the power of two above, less one, less the number.
 * Below zero there is no highest one: 0. */
struct val native_bits_not(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val n = native_need_int(ev, args[0], "first", "Not");
    if (int_sign(n) <= 0) {
        return val_small(0);
    }
    struct val above = val_small(1);
    while (int_cmp(above, n) <= 0) {
        above = int_add(ctx, above, above);
    }
    return int_sub(ctx, int_sub(ctx, above, val_small(1)), n);
}

struct val native_shift_right(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val n = native_need_int(ev, args[0], "first", "shiftR");
    int64_t places = 0;
    if (!val_is_int(args[1]) || int_sign(args[1]) < 0) {
        native_fail_argument(ev, "second", "shiftR", "natural number", args[1]);
    }
    if (!int_to_i64(args[1], &places) || (val_is_small(n) && places > 60)) {
        return val_small(int_sign(n) < 0 ? -1 : 0);
    }
    if (val_is_small(n)) {
        return val_small(val_small_get(n) >> places);
    }
    for (; places > 0 && !is_sign_only(n); places -= places > 32 ? 32 : places) {
        n = int_div(ctx, n, val_small(INT64_C(1) << (places > 32 ? 32 : places)));
    }
    return n;
}
