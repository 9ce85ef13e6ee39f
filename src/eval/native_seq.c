/* Sequences. Strings are atoms in TLA+, but as in TLC Len, \o, SubSeq and Tail accept them; a
 * character of a string is a UTF-16 unit for TLC and a code point here, which is the same for all
 * but rare characters. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "eval/native_int.h"

/* ---- strings by characters ---- */

static bool starts_char(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

static size_t string_chars(struct str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        n += starts_char(s.p[i]);
    }
    return n;
}

/* The byte at which character number `chars` starts (0-based); s.n when there are not so many. */
static size_t string_byte(struct str s, size_t chars)
{
    size_t at = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (starts_char(s.p[i]) && at++ == chars) {
            return i;
        }
    }
    return s.n;
}

static struct val string_part(struct ev *ev, struct str s, size_t from, size_t to)
{
    size_t begin = string_byte(s, from), end = string_byte(s, to);
    return val_str(ev_vctx(ev), (struct str){s.p + begin, end - begin});
}

/* ---- operators ---- */

struct val native_seq_set(struct ev *ev, const struct val *args)
{
    return set_seqset(ev_vctx(ev), args[0]);
}

struct val native_len(struct ev *ev, const struct val *args)
{
    if (val_is_str(args[0])) {
        return val_small((int64_t)string_chars(val_str_text(ev_vctx(ev), args[0])));
    }
    if (val_is_rope(args[0])) {
        return val_small((int64_t)rope_len(args[0]));
    }
    return val_small((int64_t)native_need_only_seq(ev, args[0], "Len")->n);
}

struct val native_head(struct ev *ev, const struct val *args)
{
    const struct vobj *seq = native_need_only_seq(ev, args[0], "Head");
    if (seq->n == 0) {
        vctx_fail(ev_vctx(ev), CODE_EMPTY_SEQ, "Attempted to apply Head to the empty sequence.");
    }
    return seq->v[0];
}

struct val native_tail(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    bool is_string = val_is_str(args[0]);
    struct str s = is_string ? val_str_text(ctx, args[0]) : STR("");
    const struct vobj *seq = is_string ? NULL : native_need_only_seq(ev, args[0], "Tail");
    if (is_string ? s.n == 0 : seq->n == 0) {
        vctx_fail(ctx, CODE_EMPTY_SEQ, "Attempted to apply Tail to the empty sequence.");
    }
    return is_string ? string_part(ev, s, 1, s.n) : tuple_make(ctx, seq->v + 1, seq->n - 1);
}

struct val native_append(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    if (val_is_rope(args[0])) {
        return rope_append(ctx, args[0], args[1]);
    }
    const struct vobj *seq = seq_of(ctx, args[0]);
    if (seq == NULL) {
        native_fail_evaluating(ev, "Append(s, v)", "sequence", args[0]);
    }
    struct val *elems;
    struct val result = tuple_new(ctx, (size_t)seq->n + 1, &elems);
    memcpy(elems, seq->v, seq->n * sizeof *elems);
    elems[seq->n] = args[1];
    return result;
}

static struct val concat_strings(struct ev *ev, struct val a, struct val b)
{
    struct vctx *ctx = ev_vctx(ev);
    if (!val_is_str(b)) {
        native_fail_evaluating(ev, "t \\o s", "string", b);
    }
    struct str left = val_str_text(ctx, a), right = val_str_text(ctx, b);
    char *both = arena_alloc(ctx->arena, left.n + right.n + 1);
    if (left.n > 0) {
        memcpy(both, left.p, left.n);
    }
    if (right.n > 0) {
        memcpy(both + left.n, right.p, right.n);
    }
    return val_str(ctx, (struct str){both, left.n + right.n});
}

enum { PUSH_MOST = 64 };

static struct val concat_rope(struct vctx *ctx, struct val rope, const struct vobj *right)
{
    for (uint32_t i = 0; i < right->n; i++) {
        rope = rope_append(ctx, rope, right->v[i]);
    }
    return rope;
}

struct val native_concat(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    if (val_is_str(args[0])) {
        return concat_strings(ev, args[0], args[1]);
    }
    if (val_is_rope(args[0]) && val_is_kind(args[1], VK_TUPLE) && val_obj(args[1])->n < PUSH_MOST) {
        return concat_rope(ctx, args[0], val_obj(args[1]));
    }
    const struct vobj *left = seq_of(ctx, args[0]);
    if (left == NULL) {
        native_fail_evaluating(ev, "s \\o t", "sequence", args[0]);
    }
    const struct vobj *right = seq_of(ctx, args[1]);
    if (right == NULL) {
        native_fail_evaluating(ev, "t \\o s", "sequence", args[1]);
    }
    if (left->n == 0 || right->n == 0) {
        return val_of_obj(left->n == 0 ? right : left);
    }
    struct val *elems;
    struct val result = tuple_new(ctx, (size_t)left->n + right->n, &elems);
    memcpy(elems, left->v, left->n * sizeof *elems);
    memcpy(elems + left->n, right->v, right->n * sizeof *elems);
    return result;
}

struct val native_subseq(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    bool is_string = val_is_str(args[0]);
    struct str s = is_string ? val_str_text(ctx, args[0]) : STR("");
    bool is_rope = val_is_rope(args[0]);
    const struct vobj *seq =
        is_string || is_rope ? NULL : native_need_seq(ev, args[0], "first", "SubSeq");
    for (unsigned i = 1; i <= 2; i++) {
        if (!val_is_int(args[i])) {
            native_fail_argument(ev, i == 1 ? "second" : "third", "SubSeq", "natural number",
                                 args[i]);
        }
    }
    if (int_cmp(args[1], args[2]) > 0) {
        return is_string ? val_str(ctx, STR("")) : tuple_empty();
    }
    int64_t n = (int64_t)(is_string ? string_chars(s) : is_rope ? rope_len(args[0]) : seq->n);
    int64_t from = 0, to = 0;
    if (!int_to_i64(args[1], &from) || from < 1 || from > n) {
        native_fail_not_in_domain(ev, "second", "SubSeq", "first", args[0], args[1]);
    }
    if (!int_to_i64(args[2], &to) || to < 1 || to > n) {
        native_fail_not_in_domain(ev, "third", "SubSeq", "first", args[0], args[2]);
    }
    if (is_string) {
        return string_part(ev, s, (size_t)from - 1, (size_t)to);
    }
    if (is_rope) {
        return from == 1 ? rope_cut(ctx, args[0], (size_t)to)
                         : rope_slice(ctx, args[0], (size_t)from - 1, (size_t)(to - from) + 1);
    }
    return tuple_make(ctx, seq->v + from - 1, (size_t)(to - from) + 1);
}

struct val native_select_seq(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    const struct vobj *seq = native_need_seq(ev, args[0], "first", "SelectSeq");
    struct vals kept;
    native_vals_init(&kept, ev, seq->n);
    for (uint32_t i = 0; i < seq->n; i++) {
        struct val pass = native_call1(ev, args[1], seq->v[i]);
        if (!val_is_bool(pass)) {
            native_fail_argument(ev, "second", "SelectSeq", "boolean-valued operator", pass);
        }
        if (val_same(pass, VAL_TRUE)) {
            native_push(&kept, seq->v[i]);
        }
    }
    return kept.n == seq->n ? val_of_obj(seq) : tuple_make(ctx, kept.v, kept.n);
}
