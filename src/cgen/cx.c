/* Expressions as typed nodes: made, shared, folded, printed. See cx.h. */
#include "cgen/cx.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/emit.h"
#include "cgen/ty.h"

enum { LEN_MAX = 1 << 24 };

void cxs_done(struct cxs *cxs)
{
    VEC_DONE(&cxs->all);
    VEC_DONE(&cxs->names);
    vec_release(cxs->index);
    vec_release(cxs->name_index);
    *cxs = (struct cxs){0};
}

/* ---- equal nodes are the same ---- */
static uint64_t hash_of(const struct cx *x)
{
    uint64_t h =
        hash_combine((uint64_t)x->op << 8 | (uint64_t)x->kind << 1 | x->fixed, (uint64_t)x->number);
    h = hash_combine(h, x->ty ? x->ty->id + UINT64_C(1) : 0);
    h = x->text ? hash_bytes(x->text, strlen(x->text), h) : h;
    for (uint32_t i = 0; i < x->n; i++) {
        h = hash_combine(h, x->kid[i]->id);
    }
    return h;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same(const struct cx *a, const struct cx *b)
{
    return a->op == b->op && a->kind == b->kind && a->fixed == b->fixed && a->ty == b->ty &&
           a->number == b->number && a->n == b->n && same_text(a->text, b->text) &&
           (a->n == 0 || memcmp((const void *)a->kid, (const void *)b->kid,
                                a->n * sizeof(const struct cx *)) == 0);
}

static size_t find_slot(const struct cxs *cxs, const struct cx *like)
{
    size_t at = hash_of(like) & (cxs->size - 1);
    while (cxs->index[at] && !same(cxs->all.v[cxs->index[at] - 1], like)) {
        at = (at + 1) & (cxs->size - 1);
    }
    return at;
}

/* An empty table in the place of one that was too small. */
static uint32_t *new_table(uint32_t *old, size_t *size)
{
    size_t none = 0;
    *size = *size ? *size * 2 : 1024;
    vec_release(old);
    uint32_t *table = vec_grow(NULL, &none, *size, sizeof *table);
    memset(table, 0, *size * sizeof *table);
    return table;
}

static void index_grow(struct cxs *cxs)
{
    cxs->index = new_table(cxs->index, &cxs->size);
    for (size_t i = 0; i < cxs->all.n; i++) {
        cxs->index[find_slot(cxs, cxs->all.v[i])] = (uint32_t)i + 1;
    }
}

/* Operands come before the node; text is copied. */
static const struct cx *intern(struct gen *g, const struct cx *like)
{
    struct cxs *cxs = &g->cxs;
    if (cxs->all.n * 2 >= cxs->size) {
        index_grow(cxs);
    }
    size_t at = find_slot(cxs, like);
    if (cxs->index[at]) {
        return cxs->all.v[cxs->index[at] - 1];
    }
    struct cx *x = ARENA_NEW(g->arena, struct cx);
    *x = *like;
    x->id = (uint32_t)cxs->all.n;
    uint64_t len = like->text ? strlen(like->text) + 4 : 4;
    if (like->n > 0) {
        const struct cx **kid = arena_alloc(g->arena, like->n * sizeof *kid);
        memcpy((void *)kid, (const void *)like->kid, like->n * sizeof *kid);
        x->kid = kid;
    }
    for (uint32_t i = 0; i < like->n; i++) {
        len += like->kid[i]->len;
    }
    x->len = len < LEN_MAX ? (uint32_t)len : LEN_MAX;
    x->text = like->text ? arena_strndup(g->arena, like->text, strlen(like->text)) : NULL;
    VEC_PUSH(&cxs->all, x);
    cxs->index[at] = (uint32_t)cxs->all.n;
    return x;
}

static size_t name_slot(const struct cxs *cxs, const char *name)
{
    size_t at = hash_bytes(name, strlen(name), 1) & (cxs->name_size - 1);
    while (cxs->name_index[at] && strcmp(cxs->names.v[cxs->name_index[at] - 1], name) != 0) {
        at = (at + 1) & (cxs->name_size - 1);
    }
    return at;
}

static uint32_t name_number(struct gen *g, const char *name)
{
    struct cxs *cxs = &g->cxs;
    if (cxs->names.n * 2 >= cxs->name_size) {
        cxs->name_index = new_table(cxs->name_index, &cxs->name_size);
        for (size_t i = 0; i < cxs->names.n; i++) {
            cxs->name_index[name_slot(cxs, cxs->names.v[i])] = (uint32_t)i + 1;
        }
    }
    size_t at = name_slot(cxs, name);
    if (!cxs->name_index[at]) {
        VEC_PUSH(&cxs->names, arena_strndup(g->arena, name, strlen(name)));
        cxs->name_index[at] = (uint32_t)cxs->names.n;
    }
    return cxs->name_index[at] - 1;
}

static const struct cx *nobody(struct gen *g)
{
    return intern(g, &(struct cx){.op = CX_NUMBER, .kind = CX_INT, .fixed = true});
}

static const struct cx *make(struct gen *g, struct cx like, const struct cx *const *kid, uint32_t n)
{
    like.kid = kid;
    like.n = n;
    like.fixed = true;
    for (uint32_t i = 0; i < n; i++) {
        like.fixed = like.fixed && kid[i]->fixed;
    }
    return intern(g, &like);
}

/* ---- kinds ---- */
enum cx_kind cx_kind_of(const struct ty *ty)
{
    switch (ty->kind) {
    case TY_BOOL: return CX_INT;
    case TY_INT:
    case TY_MIX: return CX_I64;
    case TY_ATOM: return CX_U32;
    case TY_BITS: return ty->w == 1 ? CX_U64 : CX_STRUCT;
    default: return CX_STRUCT;
    }
}

static bool is_none(const struct cx *x)
{
    return x->ty && x->ty->kind == TY_NONE && x->kind == CX_STRUCT;
}

/* A value of no type stands where control does not come. */
static bool is_number(const struct cx *x)
{
    return cx_is_number(x) || is_none(x);
}

bool cx_is_place(const struct cx *x)
{
    return x->op == CX_NAME || x->op == CX_MEMBER || x->op == CX_INDEX || x->op == CX_DEREF;
}

bool cx_is(const struct cx *x, int64_t number)
{
    return x->op == CX_NUMBER && x->number == number;
}

static bool is_value(const struct cx *x)
{
    return x->ty && x->kind != CX_POINTER && x->kind != CX_ARRAY;
}

/* ---- numbers and names ---- */
static const struct cx *number(struct gen *g, enum cx_kind kind, const struct ty *ty, int64_t n)
{
    return intern(
        g, &(struct cx){.op = CX_NUMBER, .kind = kind, .ty = ty, .number = n, .fixed = true});
}

const struct cx *cx_int(struct gen *g, int64_t n)
{
    return number(g, CX_INT, NULL, n);
}

const struct cx *cx_i64(struct gen *g, int64_t n)
{
    return number(g, CX_I64, NULL, n);
}

const struct cx *cx_u64(struct gen *g, uint64_t n)
{
    return number(g, CX_U64, NULL, (int64_t)n);
}

const struct cx *cx_name(struct gen *g, enum cx_kind kind, const struct ty *ty, const char *name,
                         bool fixed)
{
    return intern(g, &(struct cx){.op = CX_NAME,
                                  .kind = kind,
                                  .ty = ty,
                                  .text = name,
                                  .number = name_number(g, name),
                                  .fixed = fixed});
}

const struct cx *cx_var(struct gen *g, const struct ty *ty, const char *name)
{
    return cx_name(g, cx_kind_of(ty), ty, name, false);
}

const struct cx *cx_fixed(struct gen *g, const struct ty *ty, const char *name)
{
    return cx_name(g, cx_kind_of(ty), ty, name, true);
}

const struct cx *cx_sealed(struct gen *g, const struct cx *var)
{
    if (g->declined) {
        return var;
    }
    ASSERT(var->op == CX_NAME);
    return cx_name(g, var->kind, var->ty, var->text, true);
}

const struct cx *cx_with(struct gen *g, const struct cx *x, const struct cx *const *kid)
{
    return g->declined ? x : make(g, *x, kid, x->n);
}

/* ---- parts of values ---- */
const struct cx *cx_member(struct gen *g, const struct cx *x, const char *name, enum cx_kind kind,
                           const struct ty *ty)
{
    if (g->declined) {
        return nobody(g);
    }
    ASSERT(cx_is_place(x) || x->op == CX_CALL);
    return make(g, (struct cx){.op = CX_MEMBER, .kind = kind, .ty = ty, .text = name}, &x, 1);
}

const struct cx *cx_field(struct gen *g, const struct cx *x, uint32_t i)
{
    char name[16] = "f";
    if (g->declined) {
        return nobody(g);
    }
    ASSERT(is_value(x) && x->ty->field && i < x->ty->n);
    SCOPED_STRBUF text = {0};
    strbuf_printf(&text, "f%u", i);
    memcpy(name, strbuf_cstr(&text), text.n + 1);
    return cx_member(g, x, name, cx_kind_of(x->ty->field[i]), x->ty->field[i]);
}

const struct cx *cx_tag(struct gen *g, const struct cx *x)
{
    ASSERT(g->declined || (is_value(x) && (x->ty->kind == TY_UNION ||
                                           (x->ty->kind == TY_REC && x->ty->nvariant > 1))));
    return cx_member(g, x, "t", CX_INT, NULL);
}

static bool is_list(const struct ty *ty)
{
    return ty->kind == TY_SEQ || ty->kind == TY_SET || ty->kind == TY_MAP;
}

const struct cx *cx_count(struct gen *g, const struct cx *x)
{
    ASSERT(g->declined || (is_value(x) && is_list(x->ty)));
    return cx_member(g, x, "n", CX_INT, NULL);
}

const struct cx *cx_size(struct gen *g, const struct cx *x)
{
    bool known = !g->declined && x->ty && x->ty->kind == TY_FUN;
    return known ? cx_int(g, x->ty->n) : cx_count(g, x);
}

const struct cx *cx_elems(struct gen *g, const struct cx *x)
{
    ASSERT(g->declined || (is_value(x) && (is_list(x->ty) || x->ty->kind == TY_FUN)));
    return cx_member(g, x, "a", CX_ARRAY, g->declined ? NULL : x->ty->elem);
}

const struct cx *cx_keys(struct gen *g, const struct cx *x)
{
    ASSERT(g->declined || (is_value(x) && x->ty->kind == TY_MAP));
    return cx_member(g, x, "k", CX_ARRAY, g->declined ? NULL : x->ty->key);
}

const struct cx *cx_index(struct gen *g, const struct cx *array, const struct cx *i)
{
    if (g->declined) {
        return nobody(g);
    }
    ASSERT(array->kind == CX_ARRAY && is_number(i));
    enum cx_kind kind = array->ty ? cx_kind_of(array->ty) : CX_U64;
    const struct cx *kid[] = {array, i};
    return make(g, (struct cx){.op = CX_INDEX, .kind = kind, .ty = array->ty}, kid, 2);
}

const struct cx *cx_row(struct gen *g, const struct cx *table, const struct cx *i)
{
    if (g->declined) {
        return nobody(g);
    }
    ASSERT(table->kind == CX_ARRAY && is_number(i));
    const struct cx *kid[] = {table, i};
    return make(g, (struct cx){.op = CX_INDEX, .kind = CX_ARRAY, .ty = table->ty}, kid, 2);
}

const struct cx *cx_elem(struct gen *g, const struct cx *x, const struct cx *i)
{
    return cx_index(g, cx_elems(g, x), i);
}

const struct cx *cx_key(struct gen *g, const struct cx *x, const struct cx *i)
{
    return cx_index(g, cx_keys(g, x), i);
}

const struct cx *cx_word(struct gen *g, const struct cx *x, const struct cx *i)
{
    if (g->declined) {
        return nobody(g);
    }
    ASSERT(is_value(x) && x->ty->kind == TY_BITS);
    if (x->ty->w == 1) {
        ASSERT(cx_is(i, 0));
        return x;
    }
    return cx_index(g, cx_member(g, x, "b", CX_ARRAY, NULL), i);
}

const struct cx *cx_moved(struct gen *g, const struct cx *place, const struct cx *from,
                          const struct cx *to)
{
    if (g->declined || place == from) {
        return to;
    }
    ASSERT(place->op == CX_MEMBER || place->op == CX_INDEX);
    const struct cx *kid[2] = {cx_moved(g, place->kid[0], from, to), NULL};
    kid[1] = place->n > 1 ? place->kid[1] : NULL;
    return make(g, *place, kid, place->n);
}

/* ---- pointers ---- */
const struct cx *cx_addr(struct gen *g, const struct cx *x)
{
    if (g->declined) {
        return nobody(g);
    }
    if (x->op == CX_DEREF) {
        return x->kid[0];
    }
    ASSERT(cx_is_place(x));
    return make(g, (struct cx){.op = CX_ADDR, .kind = CX_POINTER, .ty = x->ty}, &x, 1);
}

const struct cx *cx_deref(struct gen *g, const struct cx *x)
{
    if (g->declined) {
        return nobody(g);
    }
    ASSERT(x->kind == CX_POINTER);
    if (x->op == CX_ADDR) {
        return x->kid[0];
    }
    enum cx_kind kind = x->ty ? cx_kind_of(x->ty) : CX_OTHER;
    return make(g, (struct cx){.op = CX_DEREF, .kind = kind, .ty = x->ty}, &x, 1);
}

const struct cx *cx_sizeof(struct gen *g, const struct cx *x)
{
    return g->declined ? nobody(g) : make(g, (struct cx){.op = CX_SIZEOF, .kind = CX_U64}, &x, 1);
}

/* ---- operations ---- */
static bool is_truth(const struct cx *x)
{
    return x->op == CX_NOT || (x->op >= CX_LT && x->op <= CX_NE) || x->op == CX_BOTH ||
           x->op == CX_EITHER || cx_is(x, 0) || cx_is(x, 1);
}

static const struct cx *one(struct gen *g, enum cx_op op, enum cx_kind kind, const struct cx *x)
{
    if (g->declined) {
        return nobody(g);
    }
    ASSERT(is_number(x));
    return make(g, (struct cx){.op = op, .kind = kind}, &x, 1);
}

const struct cx *cx_not(struct gen *g, const struct cx *x)
{
    if (x->op == CX_NUMBER) {
        return cx_int(g, x->number == 0);
    }
    if (x->op == CX_NOT && is_truth(x->kid[0])) {
        return x->kid[0];
    }
    if (x->op == CX_EQ || x->op == CX_NE) {
        return cx_two(g, x->op == CX_EQ ? CX_NE : CX_EQ, x->kid[0], x->kid[1]);
    }
    return one(g, CX_NOT, CX_INT, x);
}

const struct cx *cx_truth(struct gen *g, const struct cx *x)
{
    return g->declined || is_truth(x) ? x
           : x->op == CX_NUMBER       ? cx_int(g, x->number != 0)
                                      : cx_two(g, CX_NE, x, cx_int(g, 0));
}

const struct cx *cx_minus(struct gen *g, const struct cx *x)
{
    return one(g, CX_MINUS, CX_I64, x);
}

const struct cx *cx_flip(struct gen *g, const struct cx *x)
{
    return one(g, CX_FLIP, x->kind, x);
}

/* Small numbers only: what C makes of large ones depends on their types. */
static bool fold(enum cx_op op, const struct cx *a, const struct cx *b, int64_t *ret)
{
    int64_t m = a->number;
    int64_t n = b->number;
    const int64_t most = 1 << 20;
    if (a->op != CX_NUMBER || b->op != CX_NUMBER || m < 0 || n < 0 || m > most || n > most) {
        return false;
    }
    switch (op) {
    case CX_MUL: *ret = m * n; return true;
    case CX_ADD: *ret = m + n; return true;
    case CX_SUB: *ret = m - n; return m >= n;
    case CX_LT: *ret = m < n; return true;
    case CX_LE: *ret = m <= n; return true;
    case CX_GT: *ret = m > n; return true;
    case CX_GE: *ret = m >= n; return true;
    case CX_EQ: *ret = m == n; return true;
    case CX_NE: *ret = m != n; return true;
    default: return false;
    }
}

/* && and || of which one side is known; NULL: neither is. */
static const struct cx *fold_truth(struct gen *g, enum cx_op op, const struct cx *a,
                                   const struct cx *b)
{
    bool decides = op == CX_EITHER;
    for (int side = 0; side < 2; side++) {
        const struct cx *x = side ? b : a;
        const struct cx *other = side ? a : b;
        if (x->op == CX_NUMBER) {
            return (x->number != 0) == decides ? cx_int(g, decides) : cx_truth(g, other);
        }
    }
    return a == b ? a : NULL;
}

static enum cx_kind kind_of_two(enum cx_op op, const struct cx *a, const struct cx *b)
{
    if ((op >= CX_LT && op <= CX_NE) || op == CX_BOTH || op == CX_EITHER) {
        return CX_INT;
    }
    if (op == CX_SHL || op == CX_SHR) {
        return a->kind;
    }
    return a->kind > b->kind ? a->kind : b->kind;
}

const struct cx *cx_two(struct gen *g, enum cx_op op, const struct cx *a, const struct cx *b)
{
    if (g->declined) {
        return nobody(g);
    }
    ASSERT(op >= CX_MUL && op <= CX_EITHER && is_number(a) && is_number(b));
    int64_t n;
    if (fold(op, a, b, &n)) {
        enum cx_kind kind = kind_of_two(op, a, b);
        return number(g, kind, NULL, n);
    }
    const struct cx *known = op == CX_BOTH || op == CX_EITHER ? fold_truth(g, op, a, b) : NULL;
    if (known) {
        return known;
    }
    bool nothing = (op == CX_ADD || op == CX_SUB) && cx_is(b, 0) && a->op == CX_CAST;
    if (nothing && kind_of_two(op, a, b) == a->kind) {
        return a;
    }
    const struct cx *kid[] = {a, b};
    return make(g, (struct cx){.op = op, .kind = kind_of_two(op, a, b)}, kid, 2);
}

const struct cx *cx_cond(struct gen *g, const struct cx *c, const struct cx *a, const struct cx *b)
{
    if (g->declined) {
        return nobody(g);
    }
    ASSERT(is_number(c) && a->kind <= CX_U64 && b->kind <= CX_U64);
    if (c->op == CX_NUMBER) {
        return c->number ? a : b;
    }
    const struct cx *kid[] = {c, a, b};
    enum cx_kind kind = a->kind > b->kind ? a->kind : b->kind;
    return make(g, (struct cx){.op = CX_COND, .kind = kind}, kid, 3);
}

static const char *const kind_names[] = {"int", "uint32_t", "int64_t", "uint64_t"};

const struct cx *cx_cast(struct gen *g, enum cx_kind kind, const struct cx *x)
{
    if (g->declined) {
        return nobody(g);
    }
    ASSERT(kind <= CX_U64 && is_number(x));
    if (x->op == CX_NUMBER && x->number >= 0 && x->number < 1 << 20 && kind >= CX_I64) {
        return number(g, kind, NULL, x->number);
    }
    if (x->kind == kind && (x->op == CX_NAME || (x->op == CX_CAST && !x->text))) {
        return x;
    }
    return make(g, (struct cx){.op = CX_CAST, .kind = kind}, &x, 1);
}

const struct cx *cx_cast_to(struct gen *g, const struct ty *ty, const struct cx *x)
{
    if (g->declined) {
        return nobody(g);
    }
    ASSERT(is_number(x) && cx_kind_of(ty) <= CX_U64);
    return make(
        g, (struct cx){.op = CX_CAST, .kind = cx_kind_of(ty), .ty = ty, .text = ty_c(g->tys, ty)},
        &x, 1);
}

const struct cx *cx_as(struct gen *g, const struct ty *ty, const struct cx *x)
{
    if (g->declined || x->ty == ty) {
        return x;
    }
    if (ty->kind == TY_NONE) {
        return cx_name(g, CX_STRUCT, ty, "(none_t){}", true);
    }
    ASSERT(is_none(x) || (is_number(x) && cx_kind_of(ty) <= CX_U64));
    struct cx like = *x;
    like.ty = ty;
    return intern(g, &like);
}

const struct cx *cx_call_n(struct gen *g, enum cx_kind kind, const struct ty *ty, const char *name,
                           const struct cx *const *args, uint32_t n)
{
    return g->declined
               ? nobody(g)
               : make(g, (struct cx){.op = CX_CALL, .kind = kind, .ty = ty, .text = name}, args, n);
}

const struct cx *cx_ty_call(struct gen *g, enum cx_kind kind, const struct ty *ty,
                            const char *suffix, const struct cx *const *args, uint32_t n)
{
    if (g->declined) {
        return nobody(g);
    }
    return cx_call_n(g, kind, NULL, gen_text(g, "%s%s", ty_c(g->tys, ty), suffix), args, n);
}

const char *cx_c(struct gen *g, const struct cx *x)
{
    return x->kind == CX_STRUCT ? ty_c(g->tys, x->ty)
           : x->kind > CX_U64   ? "int"
                                : kind_names[x->kind];
}

/* ---- text ---- */
static const struct {
    const char *text;
    int binds; /* the stronger the higher */
} two[] = {
    [CX_MUL] = {" * ",  13},
      [CX_DIV] = {" / ",  13},
      [CX_REM] = {" % ",  13},
    [CX_ADD] = {" + ",  12},
      [CX_SUB] = {" - ",  12},
      [CX_SHL] = {" << ", 11},
    [CX_SHR] = {" >> ", 11},
      [CX_LT] = {" < ",  10},
      [CX_LE] = {" <= ", 10},
    [CX_GT] = {" > ",  10},
      [CX_GE] = {" >= ", 10},
      [CX_EQ] = {" == ", 9 },
    [CX_NE] = {" != ", 9 },
      [CX_AND] = {" & ",  8 },
      [CX_XOR] = {" ^ ",  7 },
    [CX_OR] = {" | ",  6 },
      [CX_BOTH] = {" && ", 5 },
      [CX_EITHER] = {" || ", 4 },
    [CX_COND] = {" ? ",  3 },
};
enum { BINDS_ALL = 15, BINDS_PREFIX = 14 };

static int binds(const struct cx *x)
{
    if (x->op >= CX_MUL && x->op <= CX_COND) {
        return two[x->op].binds;
    }
    bool prefix = x->op >= CX_CAST && x->op <= CX_FLIP && x->op != CX_SIZEOF;
    return prefix || (x->op == CX_NUMBER && x->kind < CX_I64 && x->number < 0) ? BINDS_PREFIX
                                                                               : BINDS_ALL;
}

static void print_at(const struct cx *x, int least, struct strbuf *out)
{
    bool apart = binds(x) < least;
    strbuf_adds(out, apart ? "(" : "");
    cx_print(x, out);
    strbuf_adds(out, apart ? ")" : "");
}

static void print_list(const struct cx *x, struct strbuf *out)
{
    for (uint32_t i = 0; i < x->n; i++) {
        strbuf_adds(out, i ? ", " : "(");
        cx_print(x->kid[i], out);
    }
    strbuf_adds(out, x->n ? ")" : "()");
}

static void print_number(const struct cx *x, struct strbuf *out)
{
    if (x->kind == CX_U64) {
        strbuf_printf(out, "UINT64_C(%" PRIu64 ")", (uint64_t)x->number);
    } else if (x->kind == CX_I64) {
        strbuf_printf(out, "INT64_C(%" PRId64 ")", x->number);
    } else {
        strbuf_printf(out, "%" PRId64, x->number);
    }
}

/* Shifts beside sums, and & beside |, stand in parentheses: compilers warn about them. */
static void print_two(const struct cx *x, struct strbuf *out)
{
    int own = two[x->op].binds;
    print_at(x->kid[0], own, out);
    strbuf_adds(out, two[x->op].text);
    print_at(x->kid[1], own + 1, out);
}

static void print_prefix(const struct cx *x, struct strbuf *out)
{
    static const char *const sign[] = {
        [CX_ADDR] = "&", [CX_DEREF] = "*", [CX_NOT] = "!", [CX_MINUS] = "-", [CX_FLIP] = "~"};
    if (x->op == CX_CAST) {
        strbuf_printf(out, "(%s)", x->text ? x->text : kind_names[x->kind]);
    } else {
        strbuf_adds(out, sign[x->op]);
    }
    bool signs = x->op == CX_MINUS && x->kid[0]->op == CX_NUMBER; /* --1 is something else */
    print_at(x->kid[0], signs ? BINDS_ALL : BINDS_PREFIX, out);
}

void cx_print(const struct cx *x, struct strbuf *out)
{
    switch (x->op) {
    case CX_NUMBER: print_number(x, out); return;
    case CX_NAME: strbuf_adds(out, x->text); return;
    case CX_MEMBER: {
        bool arrow = x->kid[0]->op == CX_DEREF;
        print_at(arrow ? x->kid[0]->kid[0] : x->kid[0], BINDS_ALL, out);
        strbuf_printf(out, "%s%s", arrow ? "->" : ".", x->text);
        return;
    }
    case CX_INDEX:
        print_at(x->kid[0], BINDS_ALL, out);
        strbuf_adds(out, "[");
        cx_print(x->kid[1], out);
        strbuf_adds(out, "]");
        return;
    case CX_CALL:
        strbuf_adds(out, x->text);
        print_list(x, out);
        return;
    case CX_SIZEOF:
        strbuf_adds(out, "sizeof");
        print_list(x, out);
        return;
    case CX_COND:
        print_at(x->kid[0], two[CX_COND].binds + 1, out);
        strbuf_adds(out, " ? ");
        cx_print(x->kid[1], out);
        strbuf_adds(out, " : ");
        print_at(x->kid[2], two[CX_COND].binds, out);
        return;
    default:
        if (x->op >= CX_MUL) {
            print_two(x, out);
        } else {
            print_prefix(x, out);
        }
    }
}
