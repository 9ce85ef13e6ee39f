/* SequencesExt: between sets and sequences, searching, removing, folds. Replacing parts stands in
 * native_seqsub.c. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "eval/native_int.h"

struct val native_to_set(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    const struct vobj *seq = seq_of(ctx, args[0]);
    if (seq != NULL) {
        return set_make(ctx, seq->v, seq->n);
    }
    if (!val_is_fcn(args[0])) {
        native_fail_domain(ev, args[0]);
    }
    struct val domain = fcn_domain(ctx, args[0]);
    struct set_iter it;
    set_iter_init_sorted(&it, ctx, domain);
    struct vals values;
    native_vals_init(&values, ev, 8);
    struct val key;
    while (set_iter_next(&it, &key)) {
        native_push(&values, fcn_apply(ctx, args[0], key));
    }
    return set_make(ctx, values.v, values.n);
}

struct val native_set_to_seq(struct ev *ev, const struct val *args)
{
    const struct vobj *set = native_need_set(ev, args[0], "first", "SetToSeq");
    return tuple_make(ev_vctx(ev), set->v, set->n);
}

/* All orders of a set's elements, in the order of the positions; as sequences or as functions on
 * the set. */
struct val native_seq_permutations(struct ev *ev, const struct vobj *set, bool as_functions)
{
    struct vctx *ctx = ev_vctx(ev);
    size_t n = set->n;
    size_t *index = arena_zalloc(ctx->arena, (n + 1) * sizeof *index);
    struct val *order = arena_alloc(ctx->arena, (n + 1) * sizeof *order);
    for (size_t i = 0; i < n; i++) {
        index[i] = i;
    }
    struct vals found;
    native_vals_init(&found, ev, 24);
    for (;;) {
        for (size_t i = 0; i < n; i++) {
            order[i] = set->v[index[i]];
        }
        native_push(&found, as_functions ? fcn_from_sorted(ctx, set->v, order, n)
                                         : tuple_make(ctx, order, n));
        vctx_poll(ctx);
        /* The next permutation in lexicographic order: turn round what stands behind the last
         * ascent. */
        size_t i = n;
        while (i > 1 && index[i - 2] > index[i - 1]) {
            i--;
        }
        if (i <= 1) {
            return set_make(ctx, found.v, found.n);
        }
        size_t j = n - 1;
        while (index[j] < index[i - 2]) {
            j--;
        }
        size_t pivot = index[i - 2];
        index[i - 2] = index[j];
        index[j] = pivot;
        for (size_t low = i - 1, high = n - 1; low < high; low++, high--) {
            size_t swap = index[low];
            index[low] = index[high];
            index[high] = swap;
        }
    }
}

struct val native_set_to_seqs(struct ev *ev, const struct val *args)
{
    struct val set;
    if (!native_as_set(ev, args[0], &set)) {
        native_fail_wrong_value(ev, "SetToSeqs", "a finite set", args[0]);
    }
    return native_seq_permutations(ev, val_obj(set), false);
}

struct val native_contains(struct ev *ev, const struct val *args)
{
    const struct vobj *seq = native_need_only_seq(ev, args[0], "Contains");
    for (uint32_t i = 0; i < seq->n; i++) {
        if (val_equal(ev_vctx(ev), seq->v[i], args[1])) {
            return VAL_TRUE;
        }
    }
    return VAL_FALSE;
}

struct val native_reverse(struct ev *ev, const struct val *args)
{
    const struct vobj *seq = native_need_only_seq(ev, args[0], "Len");
    struct val *elems;
    struct val result = tuple_new(ev_vctx(ev), seq->n, &elems);
    for (uint32_t i = 0; i < seq->n; i++) {
        elems[i] = seq->v[seq->n - 1 - i];
    }
    return seq->n == 0 ? tuple_empty() : result;
}

/* ---- searching ---- */

struct search {
    const char *name;
    const char *which; /* argument that is the test, as TLC counts */
    const char *what;  /* what it should be */
    bool last;
};

static bool passes(struct ev *ev, struct val test, struct val elem, const struct search *s)
{
    struct val pass = native_call1(ev, test, elem);
    if (!val_is_bool(pass)) {
        native_fail_argument(ev, s->which, s->name, s->what, pass);
    }
    return val_same(pass, VAL_TRUE);
}

static struct val search(struct ev *ev, const struct vobj *seq, int64_t from, int64_t to,
                         struct val test, const struct search *s)
{
    for (int64_t step = 0; step <= to - from; step++) {
        int64_t i = s->last ? to - step : from + step;
        if (passes(ev, test, seq->v[i - 1], s)) {
            return val_small(i);
        }
    }
    return val_small(0);
}

static struct val search_part(struct ev *ev, const struct val *args, const struct search *s)
{
    const struct vobj *seq = native_need_seq(ev, args[0], "first", s->name);
    int64_t bound[2] = {0, 0};
    for (unsigned i = 0; i < 2; i++) {
        if (!val_is_int(args[i + 1])) {
            native_fail_argument(ev, i == 0 ? "second" : "third", s->name, "natural", args[i + 1]);
        }
    }
    if (int_cmp(args[1], args[2]) > 0) {
        return val_small(0);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (!int_to_i64(args[i + 1], &bound[i]) || bound[i] < 1 || bound[i] > (int64_t)seq->n) {
            native_fail_not_in_domain(ev, i == 0 ? "second" : "third", s->name, "first", args[0],
                                      args[i + 1]);
        }
    }
    return search(ev, seq, bound[0], bound[1], args[3], s);
}

struct val native_select_in_seq(struct ev *ev, const struct val *args)
{
    static const struct search s = {"SelectInSeq", "third", "boolean-valued operator", false};
    const struct vobj *seq = native_need_seq(ev, args[0], "first", s.name);
    return search(ev, seq, 1, (int64_t)seq->n, args[1], &s);
}

struct val native_select_last_in_seq(struct ev *ev, const struct val *args)
{
    static const struct search s = {"SelectLastInSeq", "third", "boolean-valued function", true};
    const struct vobj *seq = native_need_seq(ev, args[0], "first", s.name);
    return search(ev, seq, 1, (int64_t)seq->n, args[1], &s);
}

struct val native_select_in_sub_seq(struct ev *ev, const struct val *args)
{
    static const struct search s = {"SelectInSubSeq", "fourth", "boolean-valued operator", false};
    return search_part(ev, args, &s);
}

struct val native_select_last_in_sub_seq(struct ev *ev, const struct val *args)
{
    static const struct search s = {"SelectLastInSubSeq", "fourth", "boolean-valued function",
                                    true};
    return search_part(ev, args, &s);
}

/* ---- removing ---- */

static struct val without(struct ev *ev, const struct vobj *seq, uint32_t index)
{
    struct vctx *ctx = ev_vctx(ev);
    if (seq->n == 1) {
        return tuple_empty();
    }
    struct val *elems;
    struct val result = tuple_new(ctx, seq->n - (size_t)1, &elems);
    memcpy(elems, seq->v, index * sizeof *elems);
    memcpy(elems + index, seq->v + index + 1, (seq->n - index - (size_t)1) * sizeof *elems);
    return result;
}

struct val native_remove_first(struct ev *ev, const struct val *args)
{
    const struct vobj *seq = native_need_seq(ev, args[0], "first", "RemoveFirst");
    for (uint32_t i = 0; i < seq->n; i++) {
        if (val_equal(ev_vctx(ev), seq->v[i], args[1])) {
            return without(ev, seq, i);
        }
    }
    return val_of_obj(seq);
}

struct val native_remove_first_match(struct ev *ev, const struct val *args)
{
    static const struct search s = {"RemoveFirstMatch", "second", "boolean-valued function", false};
    const struct vobj *seq = native_need_seq(ev, args[0], "first", s.name);
    for (uint32_t i = 0; i < seq->n; i++) {
        if (passes(ev, args[1], seq->v[i], &s)) {
            return without(ev, seq, i);
        }
    }
    return val_of_obj(seq);
}

/* ---- beginnings and ends ---- */

struct val native_is_prefix(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    if (val_is_str(args[0]) && val_is_str(args[1])) {
        struct str s = val_str_text(ctx, args[0]), t = val_str_text(ctx, args[1]);
        return val_bool(s.n <= t.n && (s.n == 0 || memcmp(s.p, t.p, s.n) == 0));
    }
    const struct vobj *s = native_need_seq(ev, args[0], "first", "IsPrefix");
    const struct vobj *t = native_need_seq(ev, args[1], "second", "IsPrefix");
    for (uint32_t i = 0; i < s->n && s->n <= t->n; i++) {
        if (!val_equal(ctx, s->v[i], t->v[i])) {
            return VAL_FALSE;
        }
    }
    return val_bool(s->n <= t->n);
}

/* As the definition does it, which compares from the end on: but nothing is turned round. */
struct val native_is_suffix(struct ev *ev, const struct val *args)
{
    const struct vobj *s = native_need_only_seq(ev, args[0], "Len");
    const struct vobj *t = native_need_only_seq(ev, args[1], "Len");
    for (uint32_t i = 1; i <= s->n && s->n <= t->n; i++) {
        if (!val_equal(ev_vctx(ev), s->v[s->n - i], t->v[t->n - i])) {
            return VAL_FALSE;
        }
    }
    return val_bool(s->n <= t->n);
}

static struct val common_string_prefix(struct ev *ev, const struct vobj *set, struct val all)
{
    struct vctx *ctx = ev_vctx(ev);
    struct str prefix = val_str_text(ctx, set->v[0]);
    for (uint32_t i = 1; i < set->n; i++) {
        if (!val_is_str(set->v[i])) {
            native_fail_only_argument(ev, "LongestCommonPrefix", "sequence", all);
        }
        struct str other = val_str_text(ctx, set->v[i]);
        size_t n = 0;
        while (n < prefix.n && n < other.n && prefix.p[n] == other.p[n]) {
            n++;
        }
        prefix.n = n;
    }
    while (prefix.n > 0 &&
           ((unsigned char)prefix.p[prefix.n] & 0xc0) == 0x80) { /* not inside a character */
        prefix.n--;
    }
    return val_str(ctx, prefix);
}

struct val native_longest_common_prefix(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val arg;
    if (!native_as_set(ev, args[0], &arg) || val_obj(arg)->n == 0) {
        native_fail_only_argument(ev, "LongestCommonPrefix", "non-empty set", args[0]);
    }
    const struct vobj *set = val_obj(arg);
    if (val_is_str(set->v[0])) {
        return common_string_prefix(ev, set, arg);
    }
    const struct vobj *prefix = seq_of(ctx, set->v[0]);
    uint32_t len = prefix != NULL ? prefix->n : 0;
    for (uint32_t i = 0; i < set->n; i++) {
        const struct vobj *other = seq_of(ctx, set->v[i]);
        if (prefix == NULL || other == NULL) {
            native_fail_only_argument(ev, "LongestCommonPrefix", "sequence", arg);
        }
        uint32_t n = 0;
        while (n < len && n < other->n && val_equal(ctx, prefix->v[n], other->v[n])) {
            n++;
        }
        len = n;
    }
    return tuple_make(ctx, prefix->v, len);
}

struct val native_suffixes(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    const struct vobj *seq = native_need_only_seq(ev, args[0], "Suffixes");
    struct vals all;
    native_vals_init(&all, ev, seq->n + (size_t)1);
    for (uint32_t i = 0; i <= seq->n; i++) {
        native_push(&all, tuple_make(ctx, seq->v + i, seq->n - i));
    }
    return set_make(ctx, all.v, all.n);
}

/* ---- folds ---- */

struct val native_fold_seq(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val fcn;
    if (!native_as_fcn(ev, args[2], &fcn)) {
        native_fail_argument(ev, "third", "FoldFunction", "function", args[2]);
    }
    struct val acc = args[1];
    size_t n = fcn_size(ctx, fcn);
    for (size_t i = 0; i < n; i++) {
        acc = native_call2(ev, args[0], fcn_value(ctx, fcn, i), acc);
    }
    return acc;
}

struct val native_fold_left(struct ev *ev, const struct val *args)
{
    const struct vobj *seq = native_need_seq(ev, args[2], "third", "FoldLeft");
    struct val acc = args[1];
    for (uint32_t i = 0; i < seq->n; i++) {
        acc = native_call2(ev, args[0], acc, seq->v[i]);
    }
    return acc;
}

struct val native_fold_right(struct ev *ev, const struct val *args)
{
    const struct vobj *seq = native_need_seq(ev, args[1], "second", "FoldRight");
    struct val acc = args[2];
    for (uint32_t i = seq->n; i-- > 0;) {
        acc = native_call2(ev, args[0], seq->v[i], acc);
    }
    return acc;
}

struct val native_fold_left_domain(struct ev *ev, const struct val *args)
{
    const struct vobj *seq = native_need_seq(ev, args[2], "third", "FoldLeftDomain");
    struct val acc = args[1];
    for (uint32_t i = 0; i < seq->n; i++) {
        acc = native_call2(ev, args[0], acc, val_small((int64_t)i + 1));
    }
    return acc;
}

struct val native_fold_right_domain(struct ev *ev, const struct val *args)
{
    const struct vobj *seq = native_need_seq(ev, args[1], "second", "FoldRightDomain");
    struct val acc = args[2];
    for (uint32_t i = seq->n; i-- > 0;) {
        acc = native_call2(ev, args[0], val_small((int64_t)i + 1), acc);
    }
    return acc;
}
