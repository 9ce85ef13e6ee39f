/* SequencesExt: parts of sequences, found and replaced. All of these take strings as well. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "eval/native_int.h"

/* A sequence or a string, by elements: a string's are its characters, given as byte offsets. */
struct row {
    const struct vobj *seq; /* NULL: a string */
    struct str text;
    const uint32_t *start; /* [n + 1] byte offsets of characters */
    size_t n;
};

static struct row row_of(struct ev *ev, struct val v, const char *which, const char *op)
{
    struct vctx *ctx = ev_vctx(ev);
    if (!val_is_str(v)) {
        const struct vobj *seq = native_need_seq(ev, v, which, op);
        return (struct row){.seq = seq, .n = seq->n};
    }
    struct str text = val_str_text(ctx, v);
    uint32_t *start = arena_alloc(ctx->arena, (text.n + 1) * sizeof *start);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (((unsigned char)text.p[i] & 0xc0) != 0x80) {
            start[n++] = (uint32_t)i;
        }
    }
    start[n] = (uint32_t)text.n;
    return (struct row){.text = text, .start = start, .n = n};
}

/* Whether s stands in t from position `at` (0-based). */
static bool stands_at(struct ev *ev, const struct row *s, const struct row *t, size_t at)
{
    if (s->n > t->n || at > t->n - s->n) {
        return false;
    }
    if (s->seq == NULL) {
        return s->text.n == 0 || (t->text.n - t->start[at] >= s->text.n &&
                                  memcmp(t->text.p + t->start[at], s->text.p, s->text.n) == 0);
    }
    for (size_t i = 0; i < s->n; i++) {
        if (!val_equal(ev_vctx(ev), s->seq->v[i], t->seq->v[at + i])) {
            return false;
        }
    }
    return true;
}

static bool find_first(struct ev *ev, const struct row *s, const struct row *t, size_t *ret_at)
{
    for (size_t at = 0; at + s->n <= t->n; at++) {
        if (stands_at(ev, s, t, at)) {
            *ret_at = at;
            return true;
        }
    }
    return false;
}

/* Collects parts of rows. */
struct gather {
    struct ev *ev;
    bool is_string;
    struct text text;
    struct vals elems;
};

static void gather_init(struct gather *g, struct ev *ev, bool is_string)
{
    g->ev = ev;
    g->is_string = is_string;
    native_text_init(&g->text, ev);
    native_vals_init(&g->elems, ev, 16);
}

static void gather_part(struct gather *g, const struct row *row, size_t from, size_t to)
{
    ASSERT(g->is_string == (row->seq == NULL));
    if (row->seq == NULL) {
        native_text_add(&g->text, row->text.p + row->start[from],
                        row->start[to] - row->start[from]);
        return;
    }
    for (size_t i = from; i < to; i++) {
        native_push(&g->elems, row->seq->v[i]);
    }
}

static struct val gather_val(struct gather *g)
{
    return g->is_string ? native_text_val(&g->text, g->ev)
                        : tuple_make(ev_vctx(g->ev), g->elems.v, g->elems.n);
}

/* The three arguments, which must be of one kind. */
static void rows3(struct ev *ev, const struct val *args, const char *op, struct row *r,
                  struct row *s, struct row *t)
{
    *r = row_of(ev, args[0], "first", op);
    *s = row_of(ev, args[1], "second", op);
    *t = row_of(ev, args[2], "third", op);
    if ((r->seq == NULL) != (t->seq == NULL)) {
        native_fail_argument(ev, "first", op, t->seq == NULL ? "string" : "sequence", args[0]);
    }
    if ((s->seq == NULL) != (t->seq == NULL)) {
        native_fail_argument(ev, "second", op, t->seq == NULL ? "string" : "sequence", args[1]);
    }
}

struct val native_index_first_sub_seq(struct ev *ev, const struct val *args)
{
    struct row s = row_of(ev, args[0], "first", "IndexFirstSubSeq");
    struct row t = row_of(ev, args[1], "second", "IndexFirstSubSeq");
    if ((s.seq == NULL) != (t.seq == NULL)) {
        native_fail_argument(ev, "first", "IndexFirstSubSeq", t.seq == NULL ? "string" : "sequence",
                             args[0]);
    }
    size_t at = 0;
    if (!find_first(ev, &s, &t, &at)) {
        vctx_fail(ev_vctx(ev), 0,
                  "Attempted to compute the value of an expression of form\nCHOOSE x \\in S: P, "
                  "but no element of S satisfied P.");
    }
    return val_small((int64_t)at + 1);
}

struct val native_replace_first_sub_seq(struct ev *ev, const struct val *args)
{
    struct row r, s, t;
    rows3(ev, args, "ReplaceFirstSubSeq", &r, &s, &t);
    size_t at = 0;
    if (!find_first(ev, &s, &t, &at)) {
        return args[2];
    }
    struct gather g;
    gather_init(&g, ev, t.seq == NULL);
    gather_part(&g, &t, 0, at);
    gather_part(&g, &r, 0, r.n);
    gather_part(&g, &t, at + s.n, t.n);
    return gather_val(&g);
}

struct val native_replace_all_sub_seqs(struct ev *ev, const struct val *args)
{
    struct row r, s, t;
    rows3(ev, args, "ReplaceAllSubSeqs", &r, &s, &t);
    if (s.n == 0 && t.n == 0) {
        return args[0];
    }
    struct gather g;
    gather_init(&g, ev, t.seq == NULL);
    for (size_t at = 0; at < t.n;) {
        if (!stands_at(ev, &s, &t, at)) {
            gather_part(&g, &t, at, at + 1);
            at++;
            continue;
        }
        gather_part(&g, &r, 0, r.n);
        if (s.n == 0) { /* the empty row stands before every element */
            gather_part(&g, &t, at, at + 1);
        }
        at += s.n > 0 ? s.n : 1;
    }
    return gather_val(&g);
}

/* One after the other; what the first one is decides between sequences and strings, as \o does. */
struct val native_flatten_seq(struct ev *ev, const struct val *args)
{
    const struct vobj *seqs = native_need_only_seq(ev, args[0], "Len");
    if (seqs->n < 2) {
        return seqs->n == 0 ? args[0] : seqs->v[0];
    }
    bool is_string = val_is_str(seqs->v[0]);
    struct gather g;
    gather_init(&g, ev, is_string);
    for (uint32_t i = 0; i < seqs->n; i++) {
        if (is_string && !val_is_str(seqs->v[i])) {
            native_fail_evaluating(ev, "t \\o s", "string", seqs->v[i]);
        }
        if (!is_string && seq_of(ev_vctx(ev), seqs->v[i]) == NULL) {
            native_fail_evaluating(ev, i == 0 ? "s \\o t" : "t \\o s", "sequence", seqs->v[i]);
        }
        struct row row = row_of(ev, seqs->v[i], "first", "FlattenSeq");
        gather_part(&g, &row, 0, row.n);
    }
    return gather_val(&g);
}

/* One sequence for each subset of the positions. */
struct val native_all_sub_seqs(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    const struct vobj *seq = native_need_only_seq(ev, args[0], "AllSubSeqs");
    if (seq->n >= 31) {
        vctx_fail(ctx, 0, "Attempted to construct a set with too many elements (>%llu).",
                  (unsigned long long)ctx->set_size_max);
    }
    struct val *part = arena_alloc(ctx->arena, (seq->n + (size_t)1) * sizeof *part);
    struct vals all;
    native_vals_init(&all, ev, (size_t)1 << (seq->n < 16 ? seq->n : 16));
    for (uint32_t bits = 0; bits < UINT32_C(1) << seq->n; bits++) {
        size_t n = 0;
        for (uint32_t i = 0; i < seq->n; i++) {
            if (bits >> i & 1) {
                part[n++] = seq->v[i];
            }
        }
        native_push(&all, tuple_make(ctx, part, n));
        vctx_poll(ctx);
    }
    return set_make(ctx, all.v, all.n);
}
