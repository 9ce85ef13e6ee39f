/* Loops over sets that are bit vectors, where what is done with an element begins with tests of its
 * fields: `\E m \in msgs : m.type = "a" /\ m.to = n /\ ...`. Which elements of the universe pass a
 * test is known when the code is written, so that the loop goes over the bits that pass only, and
 * the tests are not made again.
 *
 * An element for which a test is an error, or cannot be judged, is in doubt: it passes whatever the
 * tests after that one say, and all tests are made again. */
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "value/value.h"

enum { ROWS_MAX = 64, ROW_BITS = 6, TERMS_MAX = 4, DONE_MAX = 16 };

struct bits {
    uint64_t w[TY_UNIVERSE / 64];
};

struct sieving {
    const struct sieve *sieve;
    const struct ty *set;
    struct val *elem;            /* [set->uni->n]; VAL_UNDEF: not decoded yet */
    struct bits mask;            /* what passes the tests against constants */
    struct bits doubt;           /* what passes anyway */
    const char *term[TERMS_MAX]; /* tables and rows of them, for tests against values */
    const struct cx *row[TERMS_MAX];
    uint32_t nterm;
    const struct ex *done[DONE_MAX]; /* tests that need not be made for what passes */
    uint32_t ndone;
};

enum verdict { NO, YES, DOUBT, CANNOT_SAY };

static bool bit(const struct bits *b, uint32_t i)
{
    return b->w[i / 64] >> (i % 64) & 1;
}

static struct val element(struct gen *g, struct sieving *s, uint32_t i)
{
    if (val_is_undef(s->elem[i])) {
        const struct ty *elem = s->set->elem;
        uint8_t *bytes = arena_alloc(g->arena, elem->size + 8);
        memset(bytes, 0, elem->size);
        uni_element(s->set, i, bytes);
        s->elem[i] = ty_decode(g->tys, g->ctx, elem, bytes);
    }
    return s->elem[i];
}

/* The field of the variable in a slot that x stands for; -1: it does not. */
static int field_of(const struct ex *x, uint32_t slot, const struct ty *elem)
{
    if (x->op != EX_DOT || (x->kid[0]->op != EX_SLOT && x->kid[0]->op != EX_SLOT_THUNK) ||
        x->kid[0]->slot != slot || elem->kind != TY_REC) {
        return -1;
    }
    return ty_field(elem, x->u.val);
}

static bool in_all_variants(const struct ty *rec, int field)
{
    for (uint32_t v = 0; v < rec->nvariant; v++) {
        if (!(rec->variant[v] >> field & 1)) {
            return false;
        }
    }
    return true;
}

static bool models_alike(struct val a, struct val b)
{
    char x = val_model_type(a);
    char y = val_model_type(b);
    return x == y || x == 0 || y == 0;
}

static bool alike(struct val a, struct val b)
{
    return (val_is_str(a) && val_is_str(b)) || (val_is_small(a) && val_is_small(b)) ||
           (val_is_model(a) && val_is_model(b) && models_alike(a, b));
}

/* ---- tests against constants ---- */
static enum verdict part_of(struct gen *g, struct sieving *s, const struct ex *x, uint32_t i,
                            struct val *ret)
{
    int field = field_of(x, s->sieve->slot, s->set->elem);
    if (field >= 0) {
        struct val name = s->set->elem->names[field];
        return fcn_try(g->ctx, element(g, s, i), name, ret) ? YES : DOUBT;
    }
    return gen_const_of(g, x, s->sieve->f, ret) ? YES : CANNOT_SAY;
}

static enum verdict judge_pair(const struct ex *x, struct val a, struct val b)
{
    if (x->op == EX_EQ || x->op == EX_NEQ) {
        return !alike(a, b) ? DOUBT : val_same(a, b) == (x->op == EX_EQ) ? YES : NO;
    }
    if (!val_is_small(a) || !val_is_small(b)) {
        return DOUBT;
    }
    int64_t m = val_small_get(a);
    int64_t n = val_small_get(b);
    bool holds = x->op == EX_LT ? m < n : x->op == EX_LE ? m <= n : x->op == EX_GT ? m > n : m >= n;
    return holds ? YES : NO;
}

static enum verdict judge_member(struct gen *g, const struct ex *x, struct val elem, struct val set)
{
    if (val_is_kind(set, VK_INTERVAL)) {
        if (!val_is_small(elem)) {
            return DOUBT;
        }
    } else if (val_is_kind(set, VK_SET)) {
        const struct vobj *o = val_obj(set);
        for (uint32_t i = 0; i < o->n; i++) {
            if (!alike(elem, o->v[i])) {
                return DOUBT;
            }
        }
    } else {
        return CANNOT_SAY;
    }
    return set_member(g->ctx, elem, set) == (x->op == EX_IN) ? YES : NO;
}

/* What element i makes of a test that reads nothing else. */
static enum verdict judge(struct gen *g, struct sieving *s, const struct ex *x, uint32_t i)
{
    if (x->op == EX_NOT) {
        enum verdict v = judge(g, s, x->kid[0], i);
        return v == YES ? NO : v == NO ? YES : v;
    }
    if (x->op == EX_CONJ || x->op == EX_DISJ) {
        enum verdict go_on = x->op == EX_CONJ ? YES : NO;
        for (uint32_t k = 0; k < x->n; k++) {
            enum verdict v = judge(g, s, x->kid[k], i);
            if (v != go_on) {
                return v;
            }
        }
        return go_on;
    }
    bool pair = x->op == EX_EQ || x->op == EX_NEQ || x->op == EX_LT || x->op == EX_LE ||
                x->op == EX_GT || x->op == EX_GE;
    bool member = x->op == EX_IN || x->op == EX_NOTIN;
    struct val part[2];
    if (!pair && !member) {
        return CANNOT_SAY;
    }
    for (int k = 0; k < 2; k++) {
        enum verdict v = part_of(g, s, x->kid[k], i, &part[k]);
        if (v != YES) {
            return v;
        }
    }
    return pair ? judge_pair(x, part[0], part[1]) : judge_member(g, x, part[0], part[1]);
}

static void note_done(struct sieving *s, const struct ex *x)
{
    if (s->ndone < DONE_MAX) {
        s->done[s->ndone++] = x;
    }
}

/* False: the test depends on something else. */
static bool sift_const(struct gen *g, struct sieving *s, const struct ex *x)
{
    struct bits mask = s->mask;
    struct bits doubt = s->doubt;
    for (uint32_t i = 0; i < s->set->uni->n; i++) {
        if (!bit(&mask, i) || bit(&doubt, i)) {
            continue;
        }
        enum verdict v = judge(g, s, x, i);
        if (v == CANNOT_SAY) {
            return false;
        }
        mask.w[i / 64] &= ~((uint64_t)(v == NO) << (i % 64));
        doubt.w[i / 64] |= (uint64_t)(v == DOUBT) << (i % 64);
    }
    s->mask = mask;
    s->doubt = doubt;
    note_done(s, x);
    return true;
}

/* ---- tests against values that are bound ---- */

/* A value that is bound, and its type; NULL: something else. */
static const struct cx *bound_value(struct gen *g, const struct sieving *s, const struct ex *x,
                                    const struct ty **ret_ty)
{
    struct fenv *f = s->sieve->f;
    struct cv v = {0};
    if (x->op == EX_SLOT && x->slot != s->sieve->slot && f->slot[x->slot].kind == SLOT_CV) {
        v = f->slot[x->slot].cv;
    } else if (x->op == EX_DOT && x->kid[0]->op == EX_SLOT && x->kid[0]->slot != s->sieve->slot &&
               f->slot[x->kid[0]->slot].kind == SLOT_CV) {
        struct cv rec = f->slot[x->kid[0]->slot].cv;
        int at = rec.ty && !rec.is_val && rec.ty->kind == TY_REC ? ty_field(rec.ty, x->u.val) : -1;
        if (at < 0 || !in_all_variants(rec.ty, at)) {
            return NULL;
        }
        v = cv_field(g, rec, (uint32_t)at);
    }
    *ret_ty = v.ty;
    return v.ty && !v.is_val ? v.e : NULL;
}

/* The numbers that stand for values of a field. */
struct codes {
    int64_t lo, hi;
};

static struct codes field_codes(const struct ty *set, int field)
{
    struct codes s = {0, -1};
    for (uint32_t p = 0; p < set->uni->npart; p++) {
        for (uint32_t k = 0; k < set->uni->part[p].nleaf; k++) {
            const struct uni_leaf *leaf = &set->uni->part[p].leaf[k];
            if (leaf->offset == set->elem->offset[field] && leaf->n > 0) {
                s.lo = s.hi < s.lo || leaf->code[0] < s.lo ? leaf->code[0] : s.lo;
                s.hi =
                    s.hi < s.lo || leaf->code[leaf->n - 1] > s.hi ? leaf->code[leaf->n - 1] : s.hi;
            }
        }
    }
    return s;
}

/* The number of the field's value in element i; false: it has none. */
static bool field_code(struct gen *g, struct sieving *s, int field, uint32_t i, int64_t *ret)
{
    const struct ty *elem = s->set->elem;
    struct val have;
    if (!fcn_try(g->ctx, element(g, s, i), elem->names[field], &have)) {
        return false;
    }
    if (elem->field[field]->kind == TY_ATOM) {
        *ret = tys_atom(g->tys, have);
        return true;
    }
    *ret = val_is_small(have) ? val_small_get(have) : 0;
    return val_is_small(have);
}

static void put_row(struct strbuf *out, const struct ty *set, const struct bits *row)
{
    for (uint32_t k = 0; k < set->w; k++) {
        strbuf_printf(out, "UINT64_C(%" PRIu64 "),", row->w[k]);
    }
}

/* A table of one row. */
static const char *define_row(struct gen *g, const struct ty *set, const struct bits *row)
{
    SCOPED_STRBUF text = {0};
    strbuf_adds(&text, "[] = {");
    put_row(&text, set, row);
    strbuf_adds(&text, "};\n");
    return gen_define(g, "sm", "static const uint64_t ", strbuf_str(&text));
}

/* A table of masks: of the elements whose field is lo + row, and after them of none; or, where the
 * value is a set, of those whose field is in the set whose bits from lo on are the row. */
static const char *put_rows(struct gen *g, struct sieving *s, int field, struct codes codes,
                            bool member)
{
    SCOPED_STRBUF text = {0};
    uint32_t n = (uint32_t)(codes.hi - codes.lo) + 1;
    uint32_t rows = member ? UINT32_C(1) << n : n + 1;
    strbuf_printf(&text, "[][%u] = {", s->set->w);
    for (uint32_t r = 0; r < rows; r++) {
        struct bits row = {0};
        for (uint32_t i = 0; i < s->set->uni->n; i++) {
            int64_t code;
            if (field_code(g, s, field, i, &code)) {
                int64_t at = code - codes.lo;
                row.w[i / 64] |= (uint64_t)(member ? r >> at & 1 : at == r) << (i % 64);
            }
        }
        strbuf_adds(&text, "{");
        put_row(&text, s->set, &row);
        strbuf_adds(&text, "},");
    }
    strbuf_adds(&text, "};\n");
    return gen_define(g, "sr", "static const uint64_t ", strbuf_str(&text));
}

static bool is_atom_set(const struct ty *ty)
{
    return ty->kind == TY_BITS && ty->w == 1 && !ty->uni && ty->elem->kind == TY_ATOM;
}

/* The row of a value: that after the last one where it is none of them. */
static const struct cx *row_of(struct gen *g, const struct cx *value, int64_t last, int64_t lo)
{
    const struct cx *at = cx_two(g, CX_SUB, cx_cast(g, CX_I64, value), cx_i64(g, lo));
    at = gen_let(g, cx_cast(g, CX_U64, at));
    const struct cx *end = cx_int(g, last);
    return gen_let(g, cx_cond(g, cx_two(g, CX_GT, at, end), end, at));
}

static const struct cx *row_of_set(struct gen *g, const struct cx *bits, struct codes codes)
{
    uint64_t all = (UINT64_C(1) << (codes.hi - codes.lo + 1)) - 1;
    const struct cx *from = cx_two(g, CX_SHR, bits, cx_int(g, codes.lo));
    return gen_let(g, cx_cast(g, CX_U64, cx_two(g, CX_AND, from, cx_int(g, (int64_t)all))));
}

/* field = value, field \in value; false: not a test that rows can stand for. */
static bool sift_bound(struct gen *g, struct sieving *s, const struct ex *x, int field,
                       const struct ex *other)
{
    bool member = x->op == EX_IN;
    const struct ty *ty;
    const struct cx *value = bound_value(g, s, other, &ty);
    const struct ty *have = s->set->elem->field[field];
    enum ty_kind kind = have->kind;
    bool fits = value && (member ? is_atom_set(ty) && kind == TY_ATOM
                                 : ty->kind == kind && (kind == TY_INT || kind == TY_ATOM));
    fits = fits && (kind != TY_ATOM || ty_comparable(have, member ? ty->elem : ty));
    struct codes codes = field_codes(s->set, field);
    int64_t most = member ? ROW_BITS : ROWS_MAX;
    if (!fits || codes.hi < codes.lo || codes.hi - codes.lo >= most || s->nterm == TERMS_MAX) {
        return false;
    }
    const char *name = put_rows(g, s, field, codes, member);
    s->row[s->nterm] =
        member ? row_of_set(g, value, codes) : row_of(g, value, codes.hi - codes.lo + 1, codes.lo);
    s->term[s->nterm++] = name;
    for (uint32_t i = 0; i < s->set->uni->n; i++) {
        int64_t code;
        bool doubt = bit(&s->mask, i) && !field_code(g, s, field, i, &code);
        s->doubt.w[i / 64] |= (uint64_t)doubt << (i % 64);
    }
    note_done(s, x);
    return true;
}

/* A test of another variable of the same set that cannot fail? */
static bool harmless(const struct sieving *s, const struct ex *x)
{
    const struct binder *b = s->sieve->binder;
    for (uint32_t i = 0; b && x->op == EX_EQ && i < b->nvar; i++) {
        int at = !b->vars[i].tuple && b->vars[i].set == s->sieve->set
                     ? field_of(x->kid[0], b->vars[i].slots[0], s->set->elem)
                     : -1;
        if (at >= 0 && in_all_variants(s->set->elem, at) && x->kid[1]->op == EX_CONST &&
            val_is_str(x->kid[1]->u.val) && s->set->elem->field[at]->kind == TY_ATOM &&
            !ty_has_typed(s->set->elem->field[at])) {
            return true;
        }
    }
    return false;
}

enum sifted {
    ALL_OF_IT, /* what passes has passed the whole test */
    PART_OF_IT,
    STOP /* nor can what follows the test be used */
};

/* One test. */
static enum sifted sift(struct gen *g, struct sieving *s, const struct ex *x)
{
    if (x->op == EX_CONJ) {
        enum sifted all = ALL_OF_IT;
        for (uint32_t i = 0; i < x->n; i++) {
            enum sifted one = sift(g, s, x->kid[i]);
            if (one == STOP) {
                return STOP;
            }
            all = one == PART_OF_IT ? PART_OF_IT : all;
        }
        if (all == ALL_OF_IT) {
            note_done(s, x);
        }
        return all;
    }
    if (sift_const(g, s, x)) {
        return ALL_OF_IT;
    }
    for (int side = 0; side < (x->op == EX_EQ ? 2 : x->op == EX_IN ? 1 : 0); side++) {
        int field = field_of(x->kid[side], s->sieve->slot, s->set->elem);
        if (field >= 0 && sift_bound(g, s, x, field, x->kid[1 - side])) {
            return ALL_OF_IT;
        }
    }
    return harmless(s, x) ? PART_OF_IT : STOP;
}

static bool sift_act(struct gen *g, struct sieving *s, const struct act *a)
{
    if (a->op == ACT_TEST) {
        return sift(g, s, a->x) != STOP;
    }
    if (a->op == ACT_MARK) {
        return sift_act(g, s, a->kid[0]);
    }
    for (uint32_t i = 0; a->op == ACT_CONJ && i < a->n; i++) {
        if (!sift_act(g, s, a->kid[i])) {
            return false;
        }
    }
    return a->op == ACT_CONJ;
}

struct sifting sieve_masks(struct gen *g, const struct sieve *sieve, const struct cv *all_of)
{
    const struct ty *set = all_of->ty;
    struct sieving s = {.sieve = sieve, .set = set};
    struct sifting ret = {0};
    memset(&s.mask, 0xff, sizeof s.mask);
    if (all_of->within) {
        memcpy(&s.mask, all_of->within, set->w * sizeof s.mask.w[0]);
    }
    s.elem = ARENA_ARRAY(g->arena, struct val, set->uni->n);
    for (uint32_t i = 0; i < set->uni->n; i++) {
        s.elem[i] = VAL_UNDEF;
    }
    const struct ex *x = sieve->body;
    enum sifted all = STOP;
    if (sieve->act) {
        (void)sift_act(g, &s, sieve->act);
    } else if (!sieve->all) {
        all = sift(g, &s, x);
    } else if (x->op == EX_IMPLIES) {
        (void)sift(g, &s, x->kid[0]);
    }
    if (s.ndone == 0) {
        return ret;
    }
    struct bits none = {0};
    bool certain = memcmp(&s.doubt, &none, sizeof none) == 0;
    ret.mask = define_row(g, set, &s.mask);
    ret.doubt = certain ? NULL : define_row(g, set, &s.doubt);
    ret.nterm = s.nterm;
    memcpy((void *)ret.term, (const void *)s.term, sizeof ret.term);
    memcpy((void *)ret.row, (const void *)s.row, sizeof ret.row);
    struct bits *left = arena_alloc(g->arena, sizeof *left);
    *left = s.mask;
    ret.within = left->w;
    ret.whole = certain && all == ALL_OF_IT;
    ret.ndone = certain ? s.ndone : 0;
    ret.done = ARENA_ARRAY(g->arena, const struct ex *, s.ndone);
    memcpy((void *)ret.done, (const void *)s.done, s.ndone * sizeof s.done[0]);
    return ret;
}

/* Row `at` of a table of words, or the table itself, which has one. */
static const struct cx *table_word(struct gen *g, const char *table, const struct cx *at,
                                   const struct cx *i)
{
    const struct cx *rows = cx_name(g, CX_ARRAY, NULL, table, true);
    return cx_index(g, at ? cx_row(g, rows, at) : rows, i);
}

const struct cx *sieve_word(struct gen *g, const struct sifting *sifting, const struct cx *x,
                            const struct cx *i)
{
    if (!sifting->mask || g->declined) {
        return x;
    }
    const struct cx *mask = table_word(g, sifting->mask, NULL, i);
    for (uint32_t k = 0; k < sifting->nterm; k++) {
        mask = cx_two(g, CX_AND, mask, table_word(g, sifting->term[k], sifting->row[k], i));
    }
    if (sifting->doubt) {
        mask = cx_two(g, CX_OR, mask, table_word(g, sifting->doubt, NULL, i));
    }
    return cx_two(g, CX_AND, x, mask);
}

void sieve_passed(struct gen *g, const struct sieve *sieve, const struct sifting *sifting)
{
    for (uint32_t i = 0; i < sifting->ndone; i++) {
        struct passed p = {sifting->done[i], sieve->f, gen_scope_now(g)};
        VEC_PUSH(&g->passed, p);
    }
}

bool sieve_has_passed(struct gen *g, const struct ex *x, const struct fenv *f)
{
    while (g->passed.n > 0 && !gen_scope_is_open(g, VEC_LAST(&g->passed).scope)) {
        g->passed.n--;
    }
    for (size_t i = g->passed.n; i-- > 0;) {
        if (g->passed.v[i].ex == x && g->passed.v[i].f == f &&
            gen_scope_is_open(g, g->passed.v[i].scope)) {
            return true;
        }
    }
    return false;
}
