/* Code for universes: where an element stands, the table of all elements, and sets that change by
 * words rather than by elements. */
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
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

/* Word by word the compiler keeps a short one in registers. */
struct cv uni_words(struct gen *g, const struct ty *ty, const char *t, const char *word)
{
    bool unroll = ty->w <= WORDS_UNROLLED;
    SCOPED_STRBUF text = {0};
    strbuf_printf(&text, "%s %s;", ty_c(g->tys, ty), t);
    if (!unroll) {
        strbuf_printf(&text, " for (int i = 0; i < %u; i++)", ty->w);
    }
    for (uint32_t k = 0; k < (unroll ? ty->w : 1); k++) {
        const char *number = unroll ? gen_text(g, "%u", k) : "i";
        strbuf_printf(&text, " %s.b[%s] = ", t, number);
        for (const char *c = word; *c; c++) {
            if (*c == '@') {
                strbuf_adds(&text, number);
            } else {
                strbuf_addc(&text, *c);
            }
        }
        strbuf_addc(&text, ';');
    }
    if (unroll) {
        gen_put(g, "%s\n", strbuf_cstr(&text));
    } else {
        gen_put_loop(g, "%s\n", strbuf_cstr(&text));
    }
    return cv_of(ty, t);
}

const char *uni_number(struct gen *g, const struct ty *ty, struct cv elem)
{
    if (elem.of == ty) {
        return elem.index;
    }
    const char *at = gen_need_uni(g, ty).at;
    const char *i = gen_tmp(g);
    elem = cv_conv(g, elem, ty->elem);
    gen_put(g, "int %s = %s(%s);\n", i, at, gen_addr(g, &elem));
    gen_trap_if(g, "T_FIT", "%s < 0", i);
    return i;
}

bool uni_with_one(struct gen *g, struct cv a, const struct ex *other, struct fenv *f, bool cup,
                  struct cv *ret)
{
    struct val v;
    if (a.is_val || a.ty->kind != TY_BITS || !a.ty->uni || a.ty->w == 1 ||
        other->op != EX_SETENUM || other->n != 1 || gen_const_of(g, other, f, &v)) {
        return false;
    }
    const char *i = uni_number(g, a.ty, emit(g, other->kid[0], f, a.ty->elem));
    *ret = uni_words(g, a.ty, gen_tmp(g),
                     gen_text(g, "%s.b[@] %s ((uint64_t)(%s / 64 == @) << (%s %% 64))", cv_e(g, &a),
                              cup ? "|" : "& ~", i, i));
    return true;
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
    struct sifting pass = sieve_masks(g, &sieve, &all, all.ty->w > 1 ? "@" : "0");
    if (!pass.whole) {
        gen_cut(g, &before);
        defs_back(g, &defs);
        return false;
    }
    const char *e = cv_e(g, &all);
    const char *t = gen_tmp(g);
    if (all.ty->w == 1) {
        gen_put(g, "uint64_t %s = %s%s;\n", t, e, pass.masks);
    } else {
        (void)uni_words(g, all.ty, t, gen_text(g, "%s.b[@]%s", e, pass.masks));
    }
    *ret = cv_of(all.ty, t);
    ret->within = pass.within;
    return true;
}
