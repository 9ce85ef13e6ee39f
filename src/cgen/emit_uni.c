/* Code for universes: where an element stands, the table of all elements, and sets that change by
 * words rather than by elements. */
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

enum { WORDS_UNROLLED = 8 };

static void put_leaf(struct gen *g, struct strbuf *out, const struct uni_leaf *leaf)
{
    const char *type = leaf->ty ? ty_c(g->tys, leaf->ty) : "uint8_t";
    strbuf_printf(out, "{ %s x; memcpy(&x, (const uint8_t *)e + %u, sizeof x);\n", type,
                  leaf->offset);
    int64_t lo = leaf->code[0];
    int64_t hi = leaf->code[leaf->n - 1];
    if (hi - lo + 1 == (int64_t)leaf->n) {
        strbuf_printf(out,
                      "int64_t j = (int64_t)x - INT64_C(%" PRId64
                      "); if ((uint64_t)j >= %u) return -1;\n",
                      lo, leaf->n);
    } else if (hi - lo < 1024) {
        strbuf_printf(out, "static const int16_t k[] = {");
        for (int64_t c = lo, at = 0; c <= hi; c++) {
            bool is = leaf->code[at] == c;
            strbuf_printf(out, "%" PRId64 ",", is ? at : -1);
            at += is;
        }
        strbuf_printf(out,
                      "};\nif ((uint64_t)((int64_t)x - INT64_C(%" PRId64 ")) > %" PRId64
                      ") return -1;\nint64_t j = k[(int64_t)x - INT64_C(%" PRId64
                      ")]; if (j < 0) return -1;\n",
                      lo, hi - lo, lo);
    } else {
        strbuf_adds(out, "static const int64_t k[] = {");
        for (uint32_t i = 0; i < leaf->n; i++) {
            strbuf_printf(out, "INT64_C(%" PRId64 "),", leaf->code[i]);
        }
        strbuf_printf(
            out, "};\nint64_t j = 0; while (j < %u && k[j] != x) j++; if (j == %u) return -1;\n",
            leaf->n, leaf->n);
    }
    strbuf_printf(out, "i = i * %u + j; }\n", leaf->n);
}

static void put_index(struct gen *g, struct strbuf *out, const struct ty *ty)
{
    strbuf_printf(out, "(const %s *e) {\nint64_t i = 0;\n", ty_c(g->tys, ty->elem));
    bool variants = ty->elem->kind == TY_REC && ty->elem->nvariant > 1;
    if (variants) {
        strbuf_adds(out, "switch (e->t) {\n");
    }
    for (uint32_t p = 0; p < ty->uni->npart; p++) {
        const struct uni_part *part = &ty->uni->part[p];
        if (variants) {
            strbuf_printf(out, "case %u:\n", p);
        }
        for (uint32_t k = 0; part->count && k < part->nleaf; k++) {
            put_leaf(g, out, &part->leaf[k]);
        }
        if (part->count) {
            strbuf_printf(out, "return (int)(%u + i);\n", part->base);
        } else {
            strbuf_adds(out, "return -1;\n");
        }
    }
    strbuf_adds(out, variants ? "} return -1; }\n" : "}\n");
}

static void put_table(struct gen *g, struct strbuf *out, const struct ty *ty)
{
    uint32_t size = ty->elem->size;
    uint8_t *elem = arena_alloc(g->arena, size + 8);
    strbuf_adds(out, " = {{");
    for (uint32_t i = 0; i < ty->uni->n; i++) {
        memset(elem, 0, size);
        uni_element(ty, i, elem);
        for (uint32_t k = 0; k < size; k++) {
            strbuf_printf(out, "%u,", elem[k]);
        }
    }
    strbuf_adds(out, "}};\n");
}

struct uni_names gen_need_uni(struct gen *g, const struct ty *ty)
{
    for (size_t i = 0; i < g->unis.n; i++) {
        if (g->unis.v[i].ty == ty) {
            return g->unis.v[i];
        }
    }
    SCOPED_STRBUF index = {0};
    SCOPED_STRBUF table = {0};
    put_index(g, &index, ty);
    put_table(g, &table, ty);
    struct uni_names names = {.ty = ty};
    names.at =
        gen_define(g, "u", "static inline __attribute__((always_inline)) int ", strbuf_str(&index));
    names.table =
        gen_define(g, "u",
                   gen_text(g, "static const union { uint8_t b[%u]; %s v[%u]; } ",
                            ty->uni->n * ty->elem->size + 1, ty_c(g->tys, ty->elem), ty->uni->n),
                   strbuf_str(&table));
    VEC_PUSH(&g->unis, names);
    return names;
}

struct cv uni_words(struct gen *g, const struct ty *ty, uni_word word, const void *arg)
{
    if (g->declined) {
        return cv_none(g);
    }
    if (ty->w == 1) {
        return cv_hold(g, cv_of(g, ty, word(g, cx_int(g, 0), arg)));
    }
    const struct cx *t = gen_new_room(g, ty);
    if (ty->w > WORDS_UNROLLED) {
        const struct cx *i = gen_for_n(g, CX_INT, cx_int(g, ty->w));
        gen_set(g, cx_word(g, t, i), word(g, i, arg));
        gen_scope_close(g);
        return cv_of(g, ty, cx_sealed(g, t));
    }
    for (uint32_t k = 0; k < ty->w; k++) { /* so the compiler keeps a short one in registers */
        const struct cx *i = cx_int(g, k);
        gen_set(g, cx_word(g, t, i), word(g, i, arg));
    }
    return cv_of(g, ty, cx_sealed(g, t));
}

const struct cx *uni_elem(struct gen *g, const struct ty *ty, const struct cx *number)
{
    const char *table = gen_need_uni(g, ty).table;
    const struct cx *all = cx_name(g, CX_ARRAY, ty->elem, gen_text(g, "%s.v", table), true);
    return cx_index(g, all, number);
}

const struct cx *uni_find(struct gen *g, const struct ty *ty, struct cv elem)
{
    const char *at = gen_need_uni(g, ty).at;
    elem = cv_conv(g, elem, ty->elem);
    return gen_let(g, cx_call(g, CX_INT, NULL, at, gen_addr(g, &elem)));
}

const struct cx *uni_number(struct gen *g, const struct ty *ty, struct cv elem)
{
    if (g->declined || elem.of == ty) {
        return g->declined ? cx_int(g, 0) : elem.index;
    }
    const struct cx *i = uni_find(g, ty, elem);
    gen_trap_if(g, "T_FIT", cx_two(g, CX_LT, i, cx_int(g, 0)));
    return i;
}

struct with {
    const struct cx *set, *number;
    bool cup;
};

/* The word with the bit of that number, or without it. */
static const struct cx *with_word(struct gen *g, const struct cx *i, const void *arg)
{
    const struct with *w = arg;
    const struct cx *here = cx_two(g, CX_EQ, cx_two(g, CX_DIV, w->number, cx_int(g, 64)), i);
    const struct cx *bit =
        cx_two(g, CX_SHL, cx_cast(g, CX_U64, here), cx_two(g, CX_REM, w->number, cx_int(g, 64)));
    return cx_two(g, w->cup ? CX_OR : CX_AND, cx_word(g, w->set, i),
                  w->cup ? bit : cx_flip(g, bit));
}

bool uni_with_one(struct gen *g, struct cv a, const struct ex *other, struct fenv *f, bool cup,
                  struct cv *ret)
{
    struct val v;
    if (a.is_val || a.ty->kind != TY_BITS || !a.ty->uni || a.ty->w == 1 ||
        other->op != EX_SETENUM || other->n != 1 || gen_const_of(g, other, f, &v)) {
        return false;
    }
    const struct cx *number = uni_number(g, a.ty, emit(g, other->kid[0], f, a.ty->elem));
    struct with w = {cv_e(g, &a), number, cup};
    *ret = uni_words(g, a.ty, with_word, &w);
    return true;
}

struct sifted_set {
    const struct sifting *pass;
    const struct cx *set;
};

static const struct cx *sifted_word(struct gen *g, const struct cx *i, const void *arg)
{
    const struct sifted_set *s = arg;
    return sieve_word(g, s->pass, cx_word(g, s->set, i), i);
}

bool uni_filter(struct gen *g, const struct ex *x, struct fenv *f, struct cv *ret)
{
    const struct fcn_info *info = x->u.p;
    const struct ex *set = info->binder->sets[0];
    const struct binder_var *var = &info->binder->vars[0];
    struct val v;
    if (var->tuple || gen_const_of(g, set, f, &v) ||
        (set->op != EX_VAR0 && set->op != EX_SLOT && !ex_is_lazy(set))) {
        return false;
    }
    struct cv all = emit(g, set, f, NULL);
    if (all.is_val || !all.ty || all.ty->kind != TY_BITS || !all.ty->uni) {
        return false;
    }
    struct sieve sieve = {
        .body = info->unit->body, .f = fenv_enter(g, info->unit, f), .slot = var->slots[0]};
    struct gen_mark before = gen_mark(g);
    struct defs_mark defs;
    defs_mark(g, &defs);
    struct sifting pass = sieve_masks(g, &sieve, &all);
    if (!pass.whole) {
        gen_cut(g, &before);
        defs_back(g, &defs);
        return false;
    }
    struct sifted_set sifted = {&pass, cv_e(g, &all)};
    *ret = uni_words(g, all.ty, sifted_word, &sifted);
    ret->within = pass.within;
    return true;
}
