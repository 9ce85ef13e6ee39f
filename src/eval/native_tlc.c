/* TLC and TLCExt, but for TLCGet and TLCSet (native_tlcget.c). What wants an argument unevaluated
 * is left to lowering (AssertError and ops_tlcext.c) or to its definition (TLCDefer). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "eval/native_int.h"
#include "model/model.h"

/* ---- output ---- */

static void print_line(struct ev *ev, struct str line)
{
    struct mhost *host = ev_host(ev);
    if (host != NULL && host->print != NULL && !ev_quiet(ev)) {
        host->print(host->arg, line.p, line.n);
    }
}

struct val native_print(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct text line;
    native_text_init(&line, ev);
    native_text_adds(&line, val_shown(ctx, args[0]));
    native_text_adds(&line, "  ");
    native_text_adds(&line, val_shown(ctx, args[1]));
    print_line(ev, native_text_str(&line));
    return args[1];
}

struct val native_print_true(struct ev *ev, const struct val *args)
{
    print_line(ev, str_of(val_shown(ev_vctx(ev), args[0])));
    return VAL_TRUE;
}

struct val native_to_string(struct ev *ev, const struct val *args)
{
    struct text text;
    val_check_printable(ev_vctx(ev), args[0]);
    native_text_init(&text, ev);
    native_text_addval(&text, ev, args[0]);
    return native_text_val(&text, ev);
}

struct val native_assert(struct ev *ev, const struct val *args)
{
    if (val_same(args[0], VAL_TRUE)) {
        return VAL_TRUE;
    }
    struct vctx *ctx = ev_vctx(ev);
    vctx_fail(ctx, CODE_ASSERT,
              "The first argument of Assert evaluated to FALSE; the second argument was:\n%s",
              val_ppr(ctx, args[1]));
}

struct val native_java_time(struct ev *ev, const struct val *args)
{
    (void)args;
    return val_int(ev_vctx(ev), (int64_t)(clock_wall_s() & 0x7fffffff));
}

/* ---- functions ---- */

struct val native_make_function(struct ev *ev, const struct val *args)
{
    return fcn_make(ev_vctx(ev), &args[0], &args[1], 1);
}

/* Both functions are sorted, so one walk finds what the left one hides of the right one. */
static struct val merge_functions(struct ev *ev, struct val left, struct val right)
{
    struct vctx *ctx = ev_vctx(ev);
    size_t nl = fcn_size(ctx, left), nr = fcn_size(ctx, right), il = 0, ir = 0;
    struct vals keys, values;
    native_vals_init(&keys, ev, nl + nr);
    native_vals_init(&values, ev, nl + nr);
    while (il < nl || ir < nr) {
        int order = 0;
        if (il < nl && ir < nr) {
            order = val_compare(ctx, fcn_key(ctx, left, il), fcn_key(ctx, right, ir));
        } else {
            order = il < nl ? -1 : 1;
        }
        native_push(&keys, order <= 0 ? fcn_key(ctx, left, il) : fcn_key(ctx, right, ir));
        native_push(&values, order <= 0 ? fcn_value(ctx, left, il) : fcn_value(ctx, right, ir));
        il += order <= 0;
        ir += order >= 0;
    }
    return fcn_from_sorted(ctx, keys.v, values.v, keys.n);
}

struct val native_combine_functions(struct ev *ev, const struct val *args)
{
    struct val left, right;
    if (!native_as_fcn(ev, args[0], &left)) {
        native_fail_argument(ev, "first", "@@", "function", args[0]);
    }
    if (!native_as_fcn(ev, args[1], &right)) {
        native_fail_argument(ev, "second", "@@", "function", args[1]);
    }
    return merge_functions(ev, left, right);
}

struct val native_permutations(struct ev *ev, const struct val *args)
{
    struct val set;
    if (!native_as_set(ev, args[0], &set)) {
        native_fail_wrong_value(ev, "Permutations", "a finite set", args[0]);
    }
    return native_seq_permutations(ev, val_obj(set), true);
}

static bool sorts_before(struct ev *ev, struct val op, struct val a, struct val b)
{
    struct val before = native_call2(ev, op, a, b);
    if (!val_is_bool(before)) {
        native_fail_argument(ev, "second", "SortSeq", "boolean function", before);
    }
    return val_same(before, VAL_TRUE);
}

/* Insertion, asking in TLC's order: an Op that is no order gives the same (strange) result. */
struct val native_sort_seq(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    const struct vobj *seq = seq_of(ctx, args[0]);
    if (seq == NULL) {
        native_fail_argument(ev, "first", "SortSeq", "natural number", args[0]); /* TLC's words */
    }
    struct val *sorted = arena_alloc(ctx->arena, (seq->n + (size_t)1) * sizeof *sorted);
    for (uint32_t i = 0; i < seq->n; i++) {
        uint32_t at = i;
        while (at > 0 && sorts_before(ev, args[1], seq->v[i], sorted[at - 1])) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        sorted[at] = seq->v[i];
    }
    return tuple_make(ctx, sorted, seq->n);
}

struct val native_any(struct ev *ev, const struct val *args)
{
    (void)ev;
    (void)args;
    return VAL_ANYSET;
}

/* Sets and functions as far as they can be enumerated; infinite ones stay as they are. */
struct val native_tlc_eval(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    if (val_is_set(args[0]) && set_is_enumerable(args[0]) && set_is_finite(ctx, args[0])) {
        return set_force(ctx, args[0]);
    }
    if (val_is_kind(args[0], VK_LAMBDA) && set_is_finite(ctx, fcn_domain(ctx, args[0]))) {
        return fcn_force(ctx, args[0]);
    }
    return args[0];
}

/* ---- TLCExt ---- */

struct val native_assert_eq(struct ev *ev, const struct val *args)
{
    if (val_equal(ev_vctx(ev), args[0], args[1])) {
        return VAL_TRUE;
    }
    print_line(ev, STR("\"Assertion failed\""));
    (void)native_print_true(ev, &args[0]);
    (void)native_print_true(ev, &args[1]);
    return VAL_FALSE;
}

/* Lowering gives AssertError a form of its own that catches the error; who comes here has met none.
 */
struct val native_assert_error(struct ev *ev, const struct val *args)
{
    (void)ev;
    (void)args;
    return VAL_FALSE;
}

/* Likewise for those that lowering puts in other hands: see ops_tlcext.c. */
struct val native_lowered(struct ev *ev, const struct val *args)
{
    (void)ev;
    (void)args;
    return VAL_TRUE;
}

struct val native_trace(struct ev *ev, const struct val *args)
{
    (void)args;
    return ev_trace(ev);
}

struct val native_model_value(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    if (!val_is_str(args[0])) {
        native_fail_only_argument(ev, "ModelValue", "string", args[0]);
    }
    return val_model(ctx->strings, val_str_text(ctx, args[0]));
}

struct val native_no(struct ev *ev, const struct val *args)
{
    (void)ev;
    return args[0];
}

/* 32 bits of the structural hash: the same in every run, but not TLC's number. */
struct val native_fingerprint(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    return val_int(ctx, (int32_t)(uint32_t)hash_mix(val_hash(ctx, args[0])));
}

struct val native_counter_example(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    (void)args;
    struct val found;
    if (ev_model_info(ev, "counterexample", &found)) {
        return found;
    }
    const struct val names[2] = {val_str(ctx, STR("action")), val_str(ctx, STR("state"))};
    const struct val values[2] = {set_empty(), set_empty()};
    return record_make(ctx, names, values, 2);
}

/* The states {<<1, s>>, <<2, t>>, ...} of a counterexample as <<s, t, ...>>. */
struct val native_to_trace(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val record, states, set;
    if (!native_as_record(ev, args[0], &record) || !native_field(ev, record, "state", &states) ||
        !native_as_set(ev, states, &set)) {
        native_fail_only_argument(ev, "ToTrace", "CounterExample", args[0]);
    }
    const struct vobj *pairs = val_obj(set);
    struct vals keys, values;
    native_vals_init(&keys, ev, pairs->n);
    native_vals_init(&values, ev, pairs->n);
    for (uint32_t i = 0; i < pairs->n; i++) {
        const struct vobj *pair = seq_of(ctx, pairs->v[i]);
        if (pair == NULL || pair->n != 2) {
            native_fail_only_argument(ev, "ToTrace", "CounterExample", args[0]);
        }
        native_push(&keys, pair->v[0]);
        native_push(&values, pair->v[1]);
    }
    return fcn_make(ctx, keys.v, values.v, keys.n);
}
