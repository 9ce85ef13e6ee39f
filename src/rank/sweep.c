/* Sweeps: lists of values, and their combinations numbered as the digits of a number. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "rank/rank.h"

#define RANGE_MAX 100000 /* values of one range */

/* A whole number; false when the text is something else, or too large. */
static bool number(struct str text, int64_t *ret)
{
    int64_t value = 0;
    bool minus = text.n > 1 && text.p[0] == '-';
    for (size_t i = minus; i < text.n; i++) {
        if (text.p[i] < '0' || text.p[i] > '9' || i > 17) {
            return false;
        }
        value = value * 10 + (text.p[i] - '0');
    }
    *ret = minus ? -value : value;
    return text.n > 0;
}

/* "1..4". *ret_is_range is false for anything else. */
static int range(struct str text, bool *ret_is_range, int64_t *ret_lo, int64_t *ret_hi,
                 struct err *err)
{
    const char *dots = memmem(text.p, text.n, "..", 2);
    *ret_is_range = false;
    if (!dots) {
        return 0;
    }
    struct str lo = str_trim((struct str){text.p, (size_t)(dots - text.p)});
    struct str hi = str_trim((struct str){dots + 2, (size_t)(text.p + text.n - dots) - 2});
    if (!number(lo, ret_lo) || !number(hi, ret_hi)) {
        return 0; /* a value of the specification with dots in it */
    }
    *ret_is_range = true;
    if (*ret_hi < *ret_lo) {
        return err_set(err, ERR_INVALID, 0, "%.*s has no values", STR_ARG(text));
    }
    if (*ret_hi - *ret_lo >= RANGE_MAX) {
        return err_set(err, ERR_LIMIT, 0, "%.*s has more than %d values", STR_ARG(text), RANGE_MAX);
    }
    return 0;
}

/* The end of the first value: a comma outside of brackets and quotes, or the end. */
static size_t value_end(struct str text)
{
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && strchr("{([<", c)) {
            depth++;
        } else if (!quoted && strchr("})]>", c)) {
            depth--;
        } else if (!quoted && depth <= 0 && c == ',') {
            return i;
        }
    }
    return text.n;
}

int rank_values(struct arena *arena, struct str text, struct str **ret, size_t *ret_n,
                struct err *err)
{
    VEC(struct str) list = {0};
    int status = 0;
    text = str_trim(text);
    while (status == 0 && text.n) {
        size_t n = value_end(text);
        struct str value = str_trim((struct str){text.p, n});
        int64_t lo = 0, hi = 0;
        bool is_range = false;
        if (value.n == 0 || n + 1 == text.n) {
            status = err_set(err, ERR_INVALID, 0, "a value is missing beside a comma");
            break;
        }
        status = range(value, &is_range, &lo, &hi, err);
        for (int64_t i = lo; status == 0 && is_range && i <= hi; i++) {
            VEC_PUSH(&list, str_of(arena_printf(arena, "%lld", (long long)i)));
        }
        if (status == 0 && !is_range) {
            VEC_PUSH(&list, str_dup(arena, value));
        }
        text.p += n < text.n ? n + 1 : n;
        text.n -= n < text.n ? n + 1 : n;
    }
    if (status == 0) {
        *ret = ARENA_ARRAY(arena, struct str, list.n + 1);
        *ret_n = list.n;
        for (size_t i = 0; i < list.n; i++) {
            (*ret)[i] = list.v[i];
        }
    }
    VEC_DONE(&list);
    return status;
}

int rank_sweep_add(struct arena *arena, struct rank_sweep *sweep, struct rank_axis axis,
                   struct err *err)
{
    if (axis.n == 0) {
        return err_set(err, ERR_INVALID, 0, "%.*s has no values to try", STR_ARG(axis.name));
    }
    for (size_t i = 0; i < sweep->n; i++) {
        if (str_eq(sweep->axes[i].name, axis.name)) {
            return err_set(err, ERR_INVALID, 0, "%.*s is given twice", STR_ARG(axis.name));
        }
    }
    if (sweep->n == sweep->cap) {
        size_t cap = sweep->cap ? 2 * sweep->cap : 8;
        struct rank_axis *axes = ARENA_ARRAY(arena, struct rank_axis, cap);
        for (size_t i = 0; i < sweep->n; i++) {
            axes[i] = sweep->axes[i];
        }
        sweep->axes = axes;
        sweep->cap = cap;
    }
    sweep->axes[sweep->n++] = axis;
    return 0;
}

uint64_t rank_sweep_count(const struct rank_sweep *sweep)
{
    uint64_t count = 1;
    for (size_t i = 0; i < sweep->n; i++) {
        if (__builtin_mul_overflow(count, sweep->axes[i].n, &count)) {
            return UINT64_MAX;
        }
    }
    return count;
}

void rank_sweep_at(const struct rank_sweep *sweep, uint64_t index, size_t *ret_values)
{
    for (size_t i = sweep->n; i-- > 0;) {
        ret_values[i] = (size_t)(index % sweep->axes[i].n);
        index /= sweep->axes[i].n;
    }
}
