/* Statistics: the chi-square test. The probability is the regularised incomplete gamma function, by
 * its series for small arguments and its continued fraction (Lentz's method) for large ones; see
 * Press et al., Numerical Recipes, section 6.2. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "eval/native_int.h"

static const double PRECISION = 1e-15;
enum { ROUNDS_MAX = 10000 };

static double log_gamma(double a)
{
    int sign = 0;
    return lgamma_r(a, &sign);
}

/* P(a, x) by its series. */
static double gamma_series(double a, double x)
{
    double term = 1.0 / a, sum = term;
    for (int n = 1; n < ROUNDS_MAX && fabs(term) > fabs(sum) * PRECISION; n++) {
        term *= x / (a + n);
        sum += term;
    }
    return sum * exp(-x + a * log(x) - log_gamma(a));
}

/* Q(a, x) by its continued fraction. */
static double gamma_fraction(double a, double x)
{
    const double tiny = 1e-300;
    double b = x + 1.0 - a, c = 1.0 / tiny, d = 1.0 / b, h = d;
    for (int i = 1; i < ROUNDS_MAX; i++) {
        double an = -i * (i - a);
        b += 2.0;
        d = an * d + b;
        d = fabs(d) < tiny ? tiny : d;
        c = b + an / c;
        c = fabs(c) < tiny ? tiny : c;
        d = 1.0 / d;
        h *= d * c;
        if (fabs(d * c - 1.0) < PRECISION) {
            break;
        }
    }
    return h * exp(-x + a * log(x) - log_gamma(a));
}

/* The probability of a value of at least x with so many degrees of freedom. */
static double chi_square_tail(double x, double freedom)
{
    if (x <= 0) {
        return 1.0;
    }
    double a = freedom / 2, half = x / 2;
    return half < a + 1 ? 1.0 - gamma_series(a, half) : gamma_fraction(a, half);
}

static double *need_counts(struct ev *ev, struct val v, const char *which, bool positive,
                           size_t *ret_n, double *ret_sum)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val fcn;
    if (!native_as_fcn(ev, v, &fcn)) {
        native_fail_argument(ev, which, "ChiSquare", "function", v);
    }
    size_t n = fcn_size(ctx, fcn);
    double *counts = arena_alloc(ctx->arena, (n + 1) * sizeof *counts);
    *ret_sum = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t count = 0;
        struct val value = fcn_value(ctx, fcn, i);
        if (!val_is_int(value) || !int_to_i64(value, &count) || count < (positive ? 1 : 0)) {
            native_fail_argument(
                ev, which, "ChiSquare",
                positive ? "function to positive integers" : "function to nonnegative integers", v);
        }
        counts[i] = (double)count;
        *ret_sum += counts[i];
    }
    *ret_n = n;
    return counts;
}

static double need_alpha(struct ev *ev, struct val v)
{
    const char *want = "StringValue representing a double in (0, .5]";
    if (!val_is_str(v)) {
        native_fail_argument(ev, "third", "ChiSquare", want, v);
    }
    struct str text = val_str_text(ev_vctx(ev), v);
    const char *digits = arena_strndup(ev_vctx(ev)->arena, text.p, text.n);
    char *end = NULL;
    double alpha = strtod(digits, &end);
    if (end == digits || *end != '\0' || !(alpha > 0) || alpha > 0.5) {
        native_fail_argument(ev, "third", "ChiSquare", want, v);
    }
    return alpha;
}

struct val native_chi_square(struct ev *ev, const struct val *args)
{
    size_t n = 0, m = 0;
    double expected_sum = 0, actual_sum = 0;
    double *expected = need_counts(ev, args[0], "first", true, &n, &expected_sum);
    double *actual = need_counts(ev, args[1], "second", false, &m, &actual_sum);
    double alpha = need_alpha(ev, args[2]);
    if (n < 2 || n != m) {
        native_fail_argument(ev, "second", "ChiSquare",
                             "function with as many (at least two) values as the first", args[1]);
    }
    double ratio = fabs(expected_sum - actual_sum) > 10e-6 ? actual_sum / expected_sum : 1.0;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double want = ratio * expected[i], off = actual[i] - want;
        sum += off * off / want;
    }
    return val_bool(!(chi_square_tail(sum, (double)n - 1) < alpha));
}
