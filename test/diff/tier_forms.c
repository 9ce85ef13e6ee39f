/* Expressions in forms that are compiled in ways of their own: bounds over tuples and over several
 * sets, quantifiers over SUBSET, functions and recursive operators of a LET, CHOOSE with a guard,
 * folds, bags, DOMAIN, Cardinality of what is not built, and steps. */
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "tier_gen_int.h"

static const char *fresh(struct gg *g, const char *letter)
{
    return arena_printf(&g->arena, "%s%u", letter, g->fresh++);
}

static void name_is(struct gg *g, const char *name, const struct gty *t)
{
    g->bound[g->nbound++] = (struct gname){name, t};
}

static const struct gty *any_small(struct gg *g)
{
    return chance(g, 65) ? small_ty(g) : pick_ty(g);
}

static const struct gty *seq_of(struct gg *g, const struct gty *a)
{
    return new_ty(g, (struct gty){.kind = G_SEQ, .a = a});
}

static const struct gty *bag_of(struct gg *g, const struct gty *b)
{
    return new_ty(g, (struct gty){.kind = G_BAG, .a = &t_int, .b = b});
}

/* What `write` writes, as text of its own: to be written twice, or after something else. */
static const char *text_of(struct gg *g, void (*write)(struct gg *, const struct gty *, int),
                           const struct gty *t, int d)
{
    SCOPED_STRBUF text = {0};
    struct strbuf *out = g->out;
    g->out = &text;
    write(g, t, d);
    g->out = out;
    return arena_printf(&g->arena, "%s", strbuf_cstr(&text));
}

/* A set to go through all subsets of. */
static void few(struct gg *g, const struct gty *t)
{
    if (t->kind == G_MV && chance(g, 60)) {
        w(g, "Server");
        return;
    }
    w(g, "{");
    leaf(g, t);
    for (uint32_t i = below(g, 3); i > 0; i--) {
        w(g, ", ");
        leaf(g, t);
    }
    w(g, "}");
}

/* Bounds of a quantifier or a set: several names, several sets, tuples. The names come into scope,
 * but only after all of the sets. */
static void bounds(struct gg *g, int d)
{
    struct gname names[4];
    uint32_t n = 0;
    for (uint32_t i = 0, m = 1 + below(g, 2); i < m; i++) {
        const char *x = fresh(g, "x");
        const char *y = fresh(g, "y");
        const struct gty *t = any_small(g);
        w(g, i ? ", " : "");
        switch (below(g, 3)) {
        case 0:
            wf(g, "<<%s, %s>> \\in ", x, y);
            ex_set(g, &t_pair, d - 1);
            names[n++] = (struct gname){x, &t_mv};
            names[n++] = (struct gname){y, &t_int};
            break;
        case 1:
            wf(g, "%s, %s \\in ", x, y);
            ex_set(g, t, d - 1);
            names[n++] = (struct gname){x, t};
            names[n++] = (struct gname){y, t};
            break;
        default:
            wf(g, "%s \\in ", x);
            ex_set(g, t, d - 1);
            names[n++] = (struct gname){x, t};
            break;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        g->bound[g->nbound++] = names[i];
    }
}

/* ---- any type ---- */

/* LET f[x \in S] == e IN f[k]. The set has a name of its own: no LET may stand in the brackets. */
static void let_function(struct gg *g, const struct gty *t, int d)
{
    uint32_t mark = g->nbound;
    const struct gty *u = small_ty(g);
    const char *key = text_of(g, lit, u, 0);
    const char *f = fresh(g, "f");
    wf(g, "(LET S%s == {%s} \\cup ", f, key);
    ex_set(g, u, d - 2);
    wf(g, " %s[x%s \\in S%s] == ", f, f, f);
    name_is(g, arena_printf(&g->arena, "x%s", f), u);
    ex(g, t, d - 1);
    g->nbound = mark;
    wf(g, " IN %s[", f);
    if (g->wild && chance(g, 40)) {
        ex(g, u, d - 2);
    } else {
        w(g, key);
    }
    w(g, "])");
}

/* A function or an operator that calls itself, with a number that becomes smaller. */
static void let_recursive(struct gg *g, const struct gty *t, int d)
{
    uint32_t mark = g->nbound;
    const char *f = fresh(g, "r");
    const char *self;
    bool op = chance(g, 50);
    if (op) {
        wf(g, "(LET RECURSIVE %s(_) %s(n%s) == ", f, f, f);
        self = arena_printf(&g->arena, "%s(n%s - 1)", f, f);
    } else {
        wf(g, "(LET %s[n%s \\in 0..3] == ", f, f);
        self = arena_printf(&g->arena, "%s[n%s - 1]", f, f);
    }
    wf(g, "IF n%s <= 0 THEN ", f);
    leaf(g, t);
    w(g, " ELSE ");
    name_is(g, self, t);
    name_is(g, arena_printf(&g->arena, "n%s", f), &t_int);
    ex(g, t, d - 1);
    g->nbound = mark;
    wf(g, " IN %s%s(", f, op ? "(" : "[");
    ex(g, &t_int, d - 2);
    wf(g, ") %% 4%s)", op ? ")" : "]");
}

/* IF \E x \in S : p THEN CHOOSE x \in S : p ELSE e */
static void guarded_choose(struct gg *g, const struct gty *t, int d)
{
    uint32_t mark = g->nbound;
    const char *x = fresh(g, "c");
    const char *set = text_of(g, ex_set, t, d - 1);
    name_is(g, x, t);
    const char *test = text_of(g, ex, &t_bool, d - 1);
    g->nbound = mark;
    wf(g, "(IF \\E %s \\in %s : %s THEN CHOOSE %s \\in %s : %s ELSE ", x, set, test, x, set, test);
    lit(g, t, 0);
    w(g, ")");
}

static void fold(struct gg *g, const struct gty *t, int d)
{
    uint32_t mark = g->nbound;
    const struct gty *u = any_small(g);
    const char *acc = fresh(g, "a");
    const char *x = fresh(g, "x");
    uint32_t kind = below(g, g->size->symmetry ? 2 : 4);
    static const char *const names[] = {"FoldLeft", "FoldRight", "FoldSet", "FoldSeq"};
    wf(g, "%s(LAMBDA %s, %s : ", names[kind], kind == 0 ? acc : x, kind == 0 ? x : acc);
    name_is(g, acc, t);
    name_is(g, x, u);
    ex(g, t, d - 1);
    g->nbound = mark;
    w(g, ", ");
    if (kind == 1) {
        ex(g, seq_of(g, u), d - 1);
        w(g, ", ");
        ex(g, t, d - 2);
    } else {
        ex(g, t, d - 2);
        w(g, ", ");
        ex(g, kind == 2 ? set_of(g, u) : seq_of(g, u), d - 1);
    }
    w(g, ")");
}

/* f[a, b] of a function over pairs */
static bool apply_two(struct gg *g, const struct gty *t, int d)
{
    for (uint32_t i = 0; i < g->nvar && !g->constant; i++) {
        const struct gty *v = g->vars[i].ty;
        if (v->kind == G_FUN && v->dom == DOM_PAIR && same(v->a, t)) {
            wf(g, "%s[", g->vars[i].name);
            ex(g, &t_mv, d - 1);
            w(g, ", 1 + ((");
            ex(g, &t_int, d - 2);
            w(g, ") % 2)]");
            return true;
        }
    }
    return false;
}

/* <<x, y>>[1], which is x and needs no tuple; the tuple has a name now and then. */
static bool part_of_tuple(struct gg *g, const struct gty *t)
{
    for (uint32_t i = 0; i < g->nvar && !g->constant; i++) {
        if (same(g->vars[i].ty, t)) {
            const char *v = g->vars[i].name;
            const char *other = g->vars[below(g, g->nvar)].name;
            const char *name = fresh(g, "t");
            switch (below(g, 3)) {
            case 0: wf(g, "<<%s, %s>>[1]", v, other); break;
            case 1: wf(g, "(LET %s == <<%s, %s>> IN %s[2])", name, other, v, name); break;
            default: wf(g, "Apply(LAMBDA %s : %s[1], <<%s, %s>>)", name, name, v, other); break;
            }
            return true;
        }
    }
    return false;
}

static bool all_primed(const struct gg *g)
{
    return !g->action && !g->constant && g->primed == (UINT32_C(1) << g->nvar) - 1;
}

bool form_any(struct gg *g, const struct gty *t, int d)
{
    uint32_t mark = g->nbound, primed = g->primed;
    bool recursive = !(g->action && t->kind == G_BOOL);
    bool folds = recursive && g->size->level == 0; /* as in ex_int */
    switch (below(g, 9)) {
    case 0: let_function(g, t, d); return true;
    case 1:
        if (recursive) {
            let_recursive(g, t, d);
        }
        return recursive;
    case 2:
        if (g->size->symmetry) {
            return false;
        }
        guarded_choose(g, t, d);
        return true;
    case 3:
        if (folds) {
            fold(g, t, d);
        }
        return folds;
    case 4: return apply_two(g, t, d);
    case 7: return part_of_tuple(g, t);
    case 5:
        if (!all_primed(g) || g->nbound > 0) {
            return false;
        }
        g->primed = 0;
        w(g, "(");
        ex(g, t, d - 1);
        w(g, ")'");
        g->primed = primed;
        return true;
    case 6: {
        const char *name = fresh(g, "e");
        const struct gty *u = pick_ty(g);
        wf(g, "(LET a%s == ", name);
        ex(g, u, d - 1);
        name_is(g, arena_printf(&g->arena, "a%s", name), u);
        wf(g, " b%s == ", name);
        ex(g, t, d - 1);
        name_is(g, arena_printf(&g->arena, "b%s", name), t);
        w(g, " IN ");
        ex(g, t, d - 1);
        g->nbound = mark;
        w(g, ")");
        return true;
    }
    default: around(g, "TLCEval(", ex, t, d - 1); return true;
    }
}

/* ---- truth values ---- */
static void membership(struct gg *g, int d)
{
    const struct gty *u = small_ty(g);
    const char *in = chance(g, 75) ? "\\in" : "\\notin";
    w(g, "(");
    switch (below(g, 5)) {
    case 0:
        ex(g, seq_of(g, u), d - 1);
        wf(g, " %s Seq(", in);
        ex_set(g, u, d - 1);
        w(g, ")");
        break;
    case 1:
        ex(g, new_ty(g, (struct gty){.kind = G_MAP, .a = u, .b = key_ty(g)}), d - 1);
        wf(g, " %s [", in);
        ex_set(g, key_ty(g), d - 1);
        w(g, " -> ");
        ex_set(g, u, d - 1);
        w(g, "]");
        break;
    case 2:
        ex(g, u, d - 1);
        wf(g, " %s DOMAIN ", in);
        ex(g, new_ty(g, (struct gty){.kind = G_MAP, .a = small_ty(g), .b = u}), d - 1);
        break;
    case 3:
        ex_set(g, u, d - 1);
        wf(g, " %s SUBSET ", in);
        ex_set(g, u, d - 1);
        break;
    default:
        w(g, "<<");
        ex(g, u, d - 1);
        w(g, ", ");
        ex(g, &t_mv, d - 1);
        w(g, ", ");
        ex(g, &t_int, d - 1);
        wf(g, ">> %s ", in);
        ex_set(g, u, d - 1);
        w(g, " \\X Server \\X ");
        ex_set(g, &t_int, d - 1);
        break;
    }
    w(g, ")");
}

/* Of a step: what stays as it is, and actions with a subscript. */
static bool step(struct gg *g, int d)
{
    uint32_t i = below(g, g->nvar);
    if (!all_primed(g)) {
        return false;
    }
    switch (below(g, 3)) {
    case 0: wf(g, "UNCHANGED <<%s, v0>>", g->vars[i].name); break;
    case 1:
        w(g, "[");
        ex_bool(g, d - 1);
        wf(g, "]_%s", g->vars[i].name);
        break;
    default:
        w(g, "<<");
        ex_bool(g, d - 1);
        wf(g, ">>_<<%s, v1>>", g->vars[i].name);
        break;
    }
    return true;
}

bool form_bool(struct gg *g, int d)
{
    uint32_t mark = g->nbound;
    const struct gty *u = small_ty(g);
    const char *x = fresh(g, "q");
    switch (below(g, 8)) {
    case 0:
    case 1:
        wf(g, "(%s %s \\in SUBSET ", chance(g, 50) ? "\\A" : "\\E", x);
        few(g, u);
        w(g, " : ");
        if (chance(g, 40)) {
            wf(g, "Cardinality(%s) * 2 > %u %s ", x, below(g, 5), chance(g, 50) ? "/\\" : "=>");
        }
        name_is(g, x, set_of(g, u));
        ex_bool(g, d - 1);
        g->nbound = mark;
        w(g, ")");
        return true;
    case 2:
    case 3:
        wf(g, "(%s ", chance(g, 50) ? "\\A" : "\\E");
        bounds(g, d);
        w(g, " : ");
        ex_bool(g, d - 1);
        g->nbound = mark;
        w(g, ")");
        return true;
    case 4: membership(g, d); return true;
    case 5:
        w(g, chance(g, 50) ? "Contains(" : "BagIn(");
        if (g->out->p[g->out->n - 2] == 's') {
            ex(g, seq_of(g, u), d - 1);
            w(g, ", ");
            ex(g, u, d - 1);
        } else {
            ex(g, u, d - 1);
            w(g, ", ");
            ex_bag_of(g, u, d - 1);
        }
        w(g, ")");
        return true;
    case 6: /* bags and functions are equal or not */
        w(g, "(");
        ex_bag_of(g, u, d - 1);
        w(g, chance(g, 50) ? " = " : " # ");
        ex_bag_of(g, u, d - 1);
        w(g, ")");
        return true;
    default: return step(g, d);
    }
}

/* ---- numbers ---- */
static void cardinality(struct gg *g, int d)
{
    const struct gty *u = any_small(g);
    uint32_t mark = g->nbound;
    const char *x = fresh(g, "x");
    w(g, "Cardinality(");
    switch (below(g, 4)) {
    case 0:
        w(g, "SUBSET ");
        few(g, u);
        break;
    case 1:
        few(g, u);
        w(g, " \\X ");
        ex_set(g, small_ty(g), d - 1);
        break;
    case 2:
        w(g, "[");
        few(g, key_ty(g));
        w(g, " -> ");
        few(g, u);
        w(g, "]");
        break;
    default:
        wf(g, "{%s \\in ", x);
        ex_set(g, u, d - 1);
        w(g, " : ");
        name_is(g, x, u);
        ex_bool(g, d - 1);
        g->nbound = mark;
        w(g, "}");
        break;
    }
    w(g, ")");
}

static void extreme(struct gg *g, int d)
{
    const char *s = fresh(g, "z");
    if (g->wild || chance(g, 40)) {
        wf(g, "%s(%s", chance(g, 50) ? "Max" : "Min", g->wild ? "" : "{0} \\cup ");
        ex_set(g, &t_int, d - 1);
        w(g, ")");
        return;
    }
    wf(g, "(LET %s == {1} \\cup ", s);
    ex_set(g, &t_int, d - 1);
    wf(g, " IN CHOOSE x%s \\in %s : \\A y%s \\in %s : y%s %s x%s)", s, s, s, s, s,
       chance(g, 50) ? "<=" : ">=", s);
}

bool form_int(struct gg *g, int d)
{
    uint32_t mark = g->nbound;
    const struct gty *u = any_small(g);
    const char *x = fresh(g, "x");
    uint32_t form = below(g, 10);
    switch (g->size->level > 0 && (form == 4 || form == 5) ? 0 : form) {
    case 0:
    case 1: cardinality(g, d); return true;
    case 2: extreme(g, d); return true;
    case 3:
        w(g, chance(g, 60) ? "SumSet(" : "ProductSet(");
        ex_set(g, &t_int, d - 1);
        w(g, ")");
        return true;
    case 4:
    case 5:
        w(g, form == 4 ? "Quantify(" : "SelectLastInSeq(");
        ex(g, form == 4 ? set_of(g, u) : seq_of(g, u), d - 1);
        wf(g, ", LAMBDA %s : ", x);
        name_is(g, x, u);
        ex_bool(g, d - 1);
        g->nbound = mark;
        w(g, ")");
        return true;
    case 6:
        w(g, "CopiesIn(");
        ex(g, u, d - 1);
        w(g, ", ");
        ex_bag_of(g, u, d - 1);
        w(g, ")");
        return true;
    case 7: around(g, "BagCardinality(", ex_bag_of, u, d - 1); return true;
    case 8:
        w(g, "((");
        ex(g, &t_int, d - 1);
        w(g, ") ^ ((");
        ex(g, &t_int, d - 1);
        wf(g, ") %% %u))", 2 + below(g, 3));
        return true;
    default:
        w(g, g->constant || chance(g, 30) ? (g->size->level > 0 ? "7" : "2147483647")
                                          : "TLCGet(\"level\")");
        return true;
    }
}

/* ---- sets ---- */

/* A filter over sets of a form of their own. */
static bool filter_form(struct gg *g, const struct gty *t, int d)
{
    uint32_t mark = g->nbound;
    const char *x = fresh(g, "x");
    if (t->kind != G_SET && t->kind != G_FUN && t->kind != G_TUP) {
        return false;
    }
    wf(g, "{%s \\in ", x);
    if (t->kind == G_SET) {
        w(g, "SUBSET ");
        few(g, t->a);
    } else if (t->kind == G_FUN) {
        wf(g, "[%s -> ", g->doms[t->dom].text);
        few(g, t->a);
        w(g, "]");
    } else {
        for (uint32_t i = 0; i < t->n; i++) {
            w(g, i ? " \\X " : "");
            few(g, t->field[i]);
        }
    }
    w(g, " : ");
    name_is(g, x, t);
    ex_bool(g, d - 1);
    g->nbound = mark;
    w(g, "}");
    return true;
}

static bool domain(struct gg *g, const struct gty *t, int d)
{
    if (t->kind == G_INT) {
        around(g, "(DOMAIN ", ex, seq_of(g, small_ty(g)), d - 1);
        return true;
    }
    for (uint32_t i = 0; i < g->nvar && !g->constant; i++) {
        const struct gty *v = g->vars[i].ty;
        if (t->kind == G_STR && (v->kind == G_REC || v->kind == G_FORMS)) {
            wf(g, "(DOMAIN %s)", g->vars[i].name);
            return true;
        }
    }
    return false;
}

bool form_set(struct gg *g, const struct gty *t, int d)
{
    uint32_t mark = g->nbound;
    const struct gty *u = any_small(g);
    const char *x = fresh(g, "x");
    switch (below(g, 8)) {
    case 0:
    case 1: {
        const char *text = NULL;
        SCOPED_STRBUF sets = {0};
        struct strbuf *out = g->out;
        g->out = &sets;
        bounds(g, d);
        g->out = out;
        text = text_of(g, ex, t, d - 1);
        g->nbound = mark;
        wf(g, "{%s : %s}", text, strbuf_cstr(&sets));
        return true;
    }
    case 2:
        if (!same(t, &t_pair)) {
            return filter_form(g, t, d);
        }
        wf(g, "{<<%s, y%s>> \\in ", x, x);
        ex_set(g, t, d - 1);
        w(g, " : ");
        name_is(g, x, &t_mv);
        name_is(g, arena_printf(&g->arena, "y%s", x), &t_int);
        ex_bool(g, d - 1);
        g->nbound = mark;
        w(g, "}");
        return true;
    case 3: return filter_form(g, t, d);
    case 4: return domain(g, t, d);
    case 5:
        w(g, chance(g, 50) ? "Range(" : "ToSet(");
        if (g->out->p[g->out->n - 2] == 'e') {
            ex(g, new_ty(g, (struct gty){.kind = G_MAP, .a = t, .b = key_ty(g)}), d - 1);
        } else {
            ex(g, seq_of(g, t), d - 1);
        }
        w(g, ")");
        return true;
    case 6: around(g, "BagToSet(", ex_bag_of, t, d - 1); return true;
    default: {
        const char *set = text_of(g, ex_set, u, d - 1);
        w(g, "(UNION {");
        name_is(g, x, u);
        ex_set(g, t, d - 1);
        g->nbound = mark;
        wf(g, " : %s \\in %s})", x, set);
        return true;
    }
    }
}

/* ---- bags ---- */
void ex_bag_of(struct gg *g, const struct gty *elem, int d)
{
    const struct gty *bag = bag_of(g, elem);
    if (g->size->level > 0 && elem->kind == G_OPTINT) {
        w(g, "EmptyBag");
        return;
    }
    if (d <= 0 || g->budget == 0 || chance(g, 30)) {
        leaf(g, bag);
        return;
    }
    g->budget--;
    switch (below(g, 6)) {
    case 0: around(g, "SetToBag(", ex_set, elem, d - 1); return;
    case 1: w(g, "EmptyBag"); return;
    case 2:
        w(g, "(");
        ex_bag_of(g, elem, d - 1);
        w(g, chance(g, 50) ? " (+) " : " (-) ");
        ex_bag_of(g, elem, d - 1);
        w(g, ")");
        return;
    case 3: ex_if(g, ex_bag_of, elem, d - 1); return;
    default:
        wf(g, "%s(", chance(g, 50) ? "BagAdd" : chance(g, 50) ? "BagRemove" : "BagRemoveAll");
        ex_bag_of(g, elem, d - 1);
        w(g, ", ");
        ex(g, elem, d - 1);
        w(g, ")");
        return;
    }
}
