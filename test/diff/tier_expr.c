/* Expressions of a wanted type, top down.
 *
 * What may fail (Head, f[x], s[i]) is mostly written with a guard around it, so that most cases
 * have a value; now and then it is not, so that errors are compared too. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/rng.h"
#include "base/str.h"
#include "tier_gen_int.h"

/* ---- expressions ---- */

const char *bind(struct gg *g, const struct gty *t)
{
    const char *name = arena_printf(&g->arena, "x%u", g->fresh++);
    if (g->nbound < NAMES) {
        g->bound[g->nbound++] = (struct gname){name, t};
    }
    return name;
}

/* A variable or bound name of the type; false: there is none. */
bool ex_name(struct gg *g, const struct gty *t)
{
    struct gname found[NAMES + 32];
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->nbound; i++) {
        if (same(g->bound[i].ty, t)) {
            found[n++] = g->bound[i];
            found[n++] = g->bound[i]; /* preferred */
            n = n > NAMES ? NAMES : n;
        }
    }
    for (uint32_t i = 0; i < g->nvar && !g->constant; i++) {
        if (same(g->vars[i].ty, t)) {
            found[n] = g->vars[i];
            if (g->primed >> i & 1 && chance(g, 50)) {
                found[n].name = arena_printf(&g->arena, "%s'", found[n].name);
            }
            n++;
        }
    }
    if (n == 0) {
        return false;
    }
    w(g, found[below(g, n)].name);
    return true;
}

void leaf(struct gg *g, const struct gty *t)
{
    if (chance(g, 80) && ex_name(g, t)) {
        return;
    }
    if (t->kind == G_OPT && chance(g, 50)) {
        leaf(g, t->a);
        return;
    }
    if ((t->kind == G_OPTMV && chance(g, 40)) || (t->kind == G_OPTINT && chance(g, 40))) {
        leaf(g, t->kind == G_OPTMV ? &t_mv : &t_int);
        return;
    }
    lit(g, t, 1);
}

/* An expression inside the domain (nearly always). */
static void ex_key(struct gg *g, uint32_t dom, int d)
{
    if (g->wild && chance(g, 10)) {
        ex(g, g->doms[dom].key, d);
        return;
    }
    switch (dom) {
    case DOM_SERVER: ex(g, &t_mv, d); break;
    case DOM_FROM1:
        w(g, "(1 + ((");
        ex(g, &t_int, d);
        w(g, ") % 3))");
        break;
    case DOM_FROM0:
        w(g, "((");
        ex(g, &t_int, d);
        w(g, ") % 3)");
        break;
    case DOM_PAIR:
        w(g, "<<");
        ex(g, &t_mv, d);
        w(g, ", 1 + ((");
        ex(g, &t_int, d);
        w(g, ") % 2)>>");
        break;
    case DOM_OPTMV: ex(g, &t_optmv, d); break;
    case DOM_BOOL: ex(g, &t_bool, d); break;
    default: lit_key(g, dom); break;
    }
}

/* A function, record, sequence... in scope whose parts have the type; writes the part. */
static bool ex_part(struct gg *g, const struct gty *t, int d)
{
    struct gname all[NAMES + 32];
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->nbound; i++) {
        all[n++] = g->bound[i];
    }
    for (uint32_t i = 0; i < g->nvar && !g->constant; i++) {
        all[n++] = g->vars[i];
    }
    if (n == 0) {
        return false;
    }
    for (uint32_t k = 0, at = below(g, n); k < n; k++, at = (at + 1) % n) {
        const struct gty *u = all[at].ty;
        const char *name = all[at].name;
        switch (u->kind) {
        case G_REC:
        case G_TUP:
            for (uint32_t i = 0; i < u->n; i++) {
                if (same(u->field[i], t)) {
                    if (u->kind == G_REC) {
                        wf(g, "%s.%s", name, u->name[i]);
                    } else {
                        wf(g, "%s[%u]", name, i + 1);
                    }
                    return true;
                }
            }
            break;
        case G_FORMS:
            if (t->kind == G_MV || t->kind == G_STR) {
                wf(g, "%s.%s", name, t->kind == G_MV ? "from" : "type");
                return true;
            }
            if (t->kind == G_INT) {
                wf(g, "(IF %s.type \\in {\"req\", \"log\"} THEN %s.term ELSE 0)", name, name);
                return true;
            }
            break;
        case G_FUN:
            if (same(u->a, t)) {
                wf(g, "%s[", name);
                ex_key(g, u->dom, d - 1);
                w(g, "]");
                return true;
            }
            if (u->a->kind == G_REC && same(u->a->field[0], t)) {
                wf(g, "%s[", name);
                ex_key(g, u->dom, d - 1);
                wf(g, "].%s", u->a->name[0]);
                return true;
            }
            break;
        case G_SEQ:
            if (same(u->a, t)) {
                switch (below(g, 3)) {
                case 0:
                    wf(g, "(IF %s # <<>> THEN Head(%s) ELSE ", name, name);
                    lit(g, t, 0);
                    w(g, ")");
                    break;
                case 1:
                    wf(g, "(IF Len(%s) > 0 THEN %s[Len(%s)] ELSE ", name, name, name);
                    lit(g, t, 0);
                    w(g, ")");
                    break;
                default:
                    if (g->wild) {
                        wf(g, "%s[", name);
                        ex(g, &t_int, d - 1);
                        w(g, "]");
                    } else {
                        wf(g, "(IF 2 \\in DOMAIN %s THEN %s[2] ELSE ", name, name);
                        lit(g, t, 0);
                        w(g, ")");
                    }
                    break;
                }
                return true;
            }
            break;
        case G_MAP:
            if (same(u->a, t)) {
                const char *key = arena_printf(&g->arena, "k%u", g->fresh++);
                wf(g, "(LET %s == ", key);
                ex(g, u->b, d - 1);
                wf(g, " IN IF %s \\in DOMAIN %s THEN %s[%s] ELSE ", key, name, name, key);
                lit(g, t, 0);
                w(g, ")");
                return true;
            }
            break;
        case G_OPT:
            if (same(u->a, t)) {
                wf(g, "(IF %s = Nil THEN ", name);
                lit(g, t, 0);
                wf(g, " ELSE %s)", name);
                return true;
            }
            if (u->a->kind == G_REC && same(u->a->field[0], t)) {
                wf(g, "(IF %s # Nil THEN %s.%s ELSE ", name, name, u->a->name[0]);
                lit(g, t, 0);
                w(g, ")");
                return true;
            }
            break;
        default: break;
        }
    }
    return false;
}

/* CHOOSE that has a value. It is not symmetric, nor is a fold over a set. */
static void ex_choose(struct gg *g, const struct gty *t, int d)
{
    uint32_t mark = g->nbound;
    if (g->size->symmetry) {
        leaf(g, t);
        return;
    }
    w(g, "(CHOOSE ");
    const char *name = arena_printf(&g->arena, "x%u", g->fresh++);
    wf(g, "%s \\in ", name);
    if (chance(g, 30)) {
        w(g, "{");
        ex(g, t, d - 1);
        w(g, ", ");
        ex(g, t, d - 1);
        w(g, "}");
        wf(g, " : TRUE)");
        return;
    }
    w(g, "({");
    lit(g, t, 0);
    w(g, "} \\cup ");
    ex_set(g, t, d - 1);
    w(g, ") : ");
    if (g->wild && chance(g, 30)) {
        g->bound[g->nbound++] = (struct gname){name, t};
        ex_bool(g, d - 2);
        g->nbound = mark;
    } else {
        w(g, "TRUE");
    }
    w(g, ")");
}

static bool ex_op(struct gg *g, const struct gty *t, int d)
{
    for (uint32_t k = 0, at = g->nop ? below(g, g->nop) : 0; k < g->nop;
         k++, at = (at + 1) % g->nop) {
        const struct gop *op = &g->ops[at];
        if (!same(op->ty, t)) {
            continue;
        }
        wf(g, "%s%s", op->name, g->size->symmetry ? "(s1, s2, s3" : "");
        for (uint32_t i = 0; i < op->n; i++) {
            w(g, i || g->size->symmetry ? ", " : "(");
            ex(g, op->param[i], d - 1);
        }
        w(g, op->n || g->size->symmetry ? ")" : "");
        return true;
    }
    return false;
}

/* Forms that any type can take. */
static bool ex_any(struct gg *g, const struct gty *t, int d)
{
    uint32_t mark = g->nbound;
    const struct gty *u;
    const char *name;
    if (chance(g, 20) && form_any(g, t, d)) {
        return true;
    }
    switch (below(g, 15)) {
    case 0:
    case 1: ex_if(g, ex, t, d - 1); return true;
    case 2:
        w(g, "(CASE ");
        ex_bool(g, d - 1);
        w(g, " -> ");
        ex(g, t, d - 1);
        w(g, " [] ");
        ex_bool(g, d - 1);
        w(g, " -> ");
        ex(g, t, d - 1);
        if (!g->wild || chance(g, 80)) {
            w(g, " [] OTHER -> ");
            ex(g, t, d - 1);
        }
        w(g, ")");
        return true;
    case 3:
    case 4: /* LET with a value */
        u = pick_ty(g);
        name = arena_printf(&g->arena, "x%u", g->fresh++);
        wf(g, "(LET %s == ", name);
        ex(g, u, d - 1);
        w(g, " IN ");
        g->bound[g->nbound++] = (struct gname){name, u};
        ex(g, t, d - 1);
        g->nbound = mark;
        w(g, ")");
        return true;
    case 5: { /* LET with a local operator */
        u = pick_ty(g);
        const char *fn = arena_printf(&g->arena, "L%u", g->fresh++);
        wf(g, "(LET %s(", fn);
        w(g, bind(g, u));
        w(g, ") == ");
        ex(g, t, d - 1);
        g->nbound = mark;
        wf(g, " IN %s(", fn);
        ex(g, u, d - 1);
        w(g, "))");
        return true;
    }
    case 6: ex_choose(g, t, d); return true;
    case 7: { /* a function applied where it stands */
        u = small_ty(g);
        SCOPED_STRBUF key = {0};
        struct strbuf *out = g->out;
        g->out = &key;
        lit(g, u, 0);
        g->out = out;
        name = arena_printf(&g->arena, "x%u", g->fresh++);
        wf(g, "[%s \\in {%s} \\cup ", name, strbuf_cstr(&key));
        ex_set(g, u, d - 2);
        w(g, " |-> ");
        g->bound[g->nbound++] = (struct gname){name, u};
        ex(g, t, d - 1);
        g->nbound = mark;
        w(g, "][");
        if (g->wild && chance(g, 50)) {
            ex(g, u, d - 2);
        } else {
            w(g, strbuf_cstr(&key));
        }
        w(g, "]");
        return true;
    }
    case 8: /* higher order */
        u = chance(g, 50) ? t : small_ty(g);
        wf(g, "%s(LAMBDA ", same(u, t) && chance(g, 50) ? "Twice" : "Apply");
        w(g, bind(g, u));
        w(g, " : ");
        ex(g, t, d - 1);
        g->nbound = mark;
        w(g, ", ");
        ex(g, u, d - 1);
        w(g, ")");
        return true;
    case 9: {
        if ((g->action && t->kind == G_BOOL) || g->size->symmetry) {
            return ex_op(g, t, d);
        }
        u = small_ty(g);
        w(g, "Fold(LAMBDA ");
        w(g, bind(g, t));
        w(g, ", ");
        w(g, bind(g, u));
        w(g, " : ");
        ex(g, t, d - 1);
        g->nbound = mark;
        w(g, ", ");
        ex(g, t, d - 1);
        w(g, ", ");
        ex_set(g, u, d - 1);
        w(g, ")");
        return true;
    }
    case 10:
    case 11: return ex_op(g, t, d);
    default: return ex_part(g, t, d);
    }
}

static void two(struct gg *g, const struct gty *t, const char *op, int d)
{
    w(g, "(");
    ex(g, t, d - 1);
    wf(g, " %s ", op);
    ex(g, t, d - 1);
    w(g, ")");
}

static void ex_quant(struct gg *g, int d)
{
    uint32_t mark = g->nbound;
    const struct gty *t = chance(g, 60) ? small_ty(g) : pick_ty(g);
    const char *q = chance(g, 50) ? "\\A" : "\\E";
    uint32_t x = g->fresh++;
    if (chance(g, 15)) { /* a tuple of names */
        wf(g, "(%s <<x%u, y%u>> \\in ", q, x, x);
        ex_set(g, &t_pair, d - 1);
        g->bound[g->nbound++] = (struct gname){arena_printf(&g->arena, "x%u", x), &t_mv};
        g->bound[g->nbound++] = (struct gname){arena_printf(&g->arena, "y%u", x), &t_int};
    } else if (chance(g, 25)) {
        wf(g, "(%s x%u, y%u \\in ", q, x, x);
        ex_set(g, t, d - 1);
        g->bound[g->nbound++] = (struct gname){arena_printf(&g->arena, "x%u", x), t};
        g->bound[g->nbound++] = (struct gname){arena_printf(&g->arena, "y%u", x), t};
    } else {
        wf(g, "(%s x%u \\in ", q, x);
        ex_set(g, t, d - 1);
        g->bound[g->nbound++] = (struct gname){arena_printf(&g->arena, "x%u", x), t};
    }
    w(g, " : ");
    ex_bool(g, d - 1);
    w(g, ")");
    g->nbound = mark;
}

/* A set of the values of a type that nobody builds: for \in. */
static void ex_lazy_set(struct gg *g, const struct gty *t, int d)
{
    switch (t->kind) {
    case G_BOOL: w(g, "BOOLEAN"); return;
    case G_INT:
        if (chance(g, 50)) {
            w(g, chance(g, 50) ? "Nat" : "Int");
        } else {
            w(g, "(");
            ex(g, &t_int, d - 1);
            w(g, "..");
            ex(g, &t_int, d - 1);
            w(g, ")");
        }
        return;
    case G_STR: w(g, chance(g, 50) ? "STRING" : "{\"a\", \"c\"}"); return;
    case G_MV: w(g, "Server"); return;
    case G_OPTMV: w(g, "(Server \\cup {Nil})"); return;
    case G_OPTINT: w(g, "({Nil} \\cup 0..2)"); return;
    case G_OPTSTR: w(g, "({Nil, \"a\", \"c\"})"); return;
    case G_REC:
        for (uint32_t i = 0; i < t->n; i++) {
            wf(g, "%s%s : ", i ? ", " : "[", t->name[i]);
            ex_lazy_set(g, t->field[i], d - 1);
        }
        w(g, "]");
        return;
    case G_TUP:
        w(g, "(");
        for (uint32_t i = 0; i < t->n; i++) {
            w(g, i ? " \\X " : "");
            ex_lazy_set(g, t->field[i], d - 1);
        }
        w(g, ")");
        return;
    case G_SEQ: around(g, "Seq(", ex_lazy_set, t->a, d - 1); return;
    case G_FUN:
        wf(g, "[%s -> ", g->doms[t->dom].text);
        ex_lazy_set(g, t->a, d - 1);
        w(g, "]");
        return;
    case G_SET: around(g, "(SUBSET ", ex_lazy_set, t->a, d - 1); return;
    case G_OPT: around(g, "({Nil} \\cup ", ex_set, t->a, d - 1); return;
    case G_FORMS:
        if (chance(g, 50)) {
            w(g, "Message");
            return;
        }
        break;
    default: break;
    }
    ex_set(g, t, d - 1);
}

/* The message that was bound last and is read often; NULL: there is none. */
static const char *last_message(const struct gg *g)
{
    for (uint32_t i = g->nbound; i-- > 0 && i + 2 >= g->nbound;) {
        if (g->bound[i].ty->kind == G_FORMS) {
            return g->bound[i].name;
        }
    }
    return NULL;
}

/* Tests of fields as specifications write them: `m.type = "req" /\ m.from \in Q /\ m.term > 0`.
 * What not every message has is read after a test of its type, unless errors are wanted. */
static void ex_message_tests(struct gg *g, const char *m, int d)
{
    static const char *const type[] = {"req", "ack", "nop"};
    bool is_req = false;
    for (uint32_t i = 0, n = 1 + below(g, 3); i < n; i++) {
        w(g, i ? " /\\ " : "(");
        switch (below(g, is_req || (g->wild && chance(g, 30)) ? 8 : 5)) {
        case 0:
        case 1: {
            uint32_t k = chance(g, 60) ? 0 : below(g, 3);
            wf(g, "%s.type = \"%s\"", m, type[k]);
            is_req |= k == 0;
            break;
        }
        case 2:
            if (chance(g, 50)) {
                static const char *const field[] = {"term", "ok", "log", "from", "none"};
                wf(g, "\"%s\" %s DOMAIN %s", field[below(g, 5)], chance(g, 60) ? "\\in" : "\\notin",
                   m);
                break;
            }
            wf(g, "%s.type %s {\"ack\", \"req\"}", m, chance(g, 60) ? "\\in" : "\\notin");
            break;
        case 3:
            wf(g, "%s.from %s ", m, chance(g, 80) ? "=" : "#");
            ex(g, &t_mv, d - 2);
            break;
        case 4:
            wf(g, "%s.from \\in ", m);
            ex_set(g, &t_mv, d - 2);
            break;
        case 5: wf(g, "%s.term > %u", m, below(g, 3)); break;
        case 6: wf(g, "%s.term \\in 1..%u", m, below(g, 4)); break;
        default:
            wf(g, "%s.term = ", m);
            ex(g, &t_int, d - 2);
            break;
        }
    }
    w(g, ")");
}

void ex_if(struct gg *g, part_fn part, const struct gty *t, int d)
{
    w(g, "(IF ");
    ex_bool(g, d);
    w(g, " THEN ");
    part(g, t, d);
    w(g, " ELSE ");
    part(g, t, d);
    w(g, ")");
}

void ex_bool(struct gg *g, int d)
{
    const struct gty *t;
    const char *m = last_message(g);
    if (m && chance(g, 40)) {
        ex_message_tests(g, m, d);
        return;
    }
    if (d <= 0 || g->budget == 0) {
        leaf(g, &t_bool);
        return;
    }
    g->budget--;
    if (chance(g, 20) && form_bool(g, d)) {
        return;
    }
    switch (below(g, 20)) {
    case 0:
    case 1: two(g, &t_bool, "/\\", d); break;
    case 2: two(g, &t_bool, "\\/", d); break;
    case 3:
        w(g, "~");
        w(g, "(");
        ex_bool(g, d - 1);
        w(g, ")");
        break;
    case 4: two(g, &t_bool, chance(g, 50) ? "=>" : "<=>", d); break;
    case 5:
    case 6:
    case 7: ex_quant(g, d); break;
    case 8:
    case 9:
    case 10: two(g, chance(g, 50) ? small_ty(g) : pick_ty(g), chance(g, 60) ? "=" : "#", d); break;
    case 11: {
        static const char *const cmp[] = {"<", "<=", ">", ">="};
        two(g, &t_int, cmp[below(g, 4)], d);
        break;
    }
    case 12:
    case 13:
        t = chance(g, 60) ? small_ty(g) : pick_ty(g);
        w(g, "(");
        ex(g, t, d - 1);
        w(g, chance(g, 70) ? " \\in " : " \\notin ");
        if (t->kind == G_OPT) { /* model values among others */
            w(g, chance(g, 50) ? "({Nil} \\cup " : "(");
            ex_lazy_set(g, t->a, d - 1);
            w(g, chance(g, 50) ? " \\cup {Nil}))" : "))");
            break;
        }
        ex_set(g, t, d - 1);
        w(g, ")");
        break;
    case 14:
    case 15:
        t = pick_ty(g);
        w(g, "(");
        ex(g, t, d - 1);
        w(g, chance(g, 70) ? " \\in " : " \\notin ");
        ex_lazy_set(g, t, d - 1);
        w(g, ")");
        break;
    case 16:
        t = chance(g, 60) ? small_ty(g) : pick_ty(g);
        w(g, "(");
        ex_set(g, t, d - 1);
        w(g, " \\subseteq ");
        if (chance(g, 30)) {
            ex_lazy_set(g, t, d - 1);
        } else {
            ex_set(g, t, d - 1);
        }
        w(g, ")");
        break;
    case 17:
        t = chance(g, 50) ? &t_int : &t_mv;
        t = new_ty(g, (struct gty){.kind = G_SEQ, .a = t});
        wf(g, "%s(", chance(g, 50) ? "IsPrefix" : "IsSuffix");
        ex(g, t, d - 1);
        w(g, ", ");
        ex(g, t, d - 1);
        w(g, ")");
        break;
    default:
        if (!ex_any(g, &t_bool, d)) {
            leaf(g, &t_bool);
        }
        break;
    }
}

static void ex_int(struct gg *g, int d)
{
    const struct gty *t;
    uint32_t mark = g->nbound;
    if (chance(g, 25) && form_int(g, d)) {
        return;
    }
    uint32_t form = below(g, 18);
    if (g->size->level > 0 && (form == 12 || form == 13 || form == 16)) {
        form = 0; /* older community modules do not have it, or do not take a constant LAMBDA */
    }
    switch (form) {
    case 17: { /* a function that is defined by recursion over subsets */
        uint32_t x = g->fresh++;
        wf(g, "(LET S%u == ", x);
        ex_set(g, &t_int, d - 2);
        wf(g,
           " g%u[T \\in SUBSET S%u] == IF T = {} THEN 0 ELSE LET y == CHOOSE z \\in T : TRUE IN y "
           "+ g%u[T \\ {y}] IN "
           "g%u[",
           x, x, x, x);
        ex_set(g, &t_int, d - 2);
        w(g, "])");
        break;
    }
    case 12:
        t = new_ty(g, (struct gty){.kind = G_FUN, .a = &t_int, .b = &t_mv, .dom = DOM_SERVER});
        around(g, "SumFunction(", ex, t, d - 1);
        break;
    case 13:
        t = new_ty(g, (struct gty){.kind = chance(g, 50) || g->size->symmetry ? G_SEQ : G_FUN,
                                   .a = small_ty(g),
                                   .b = &t_mv});
        w(g, "FoldFunction(LAMBDA ");
        w(g, bind(g, t->a));
        wf(g, ", %s : ", bind(g, &t_int));
        ex(g, &t_int, d - 2);
        g->nbound = mark;
        w(g, ", ");
        ex(g, &t_int, d - 1);
        w(g, ", ");
        ex(g, t, d - 1);
        w(g, ")");
        break;
    case 14:
        t = chance(g, 60) ? small_ty(g) : pick_ty(g);
        wf(g, "MapThenSumSet(LAMBDA %s : ", bind(g, t));
        ex(g, &t_int, d - 1);
        g->nbound = mark;
        w(g, ", ");
        ex_set(g, t, d - 1);
        w(g, ")");
        break;
    case 15:
        t = chance(g, 60) ? small_ty(g) : pick_ty(g);
        w(g, chance(g, 50) ? "BagCardinality(" : "CopiesIn(");
        if (g->out->p[g->out->n - 2] == 'n') {
            ex(g, t, d - 2);
            w(g, ", ");
        }
        w(g, chance(g, 50)   ? "BagAdd(SetToBag("
             : chance(g, 50) ? "BagRemove(SetToBag("
                             : "BagRemoveAll(SetToBag(");
        ex_set(g, t, d - 1);
        w(g, "), ");
        ex(g, t, d - 1);
        w(g, "))");
        break;
    case 16:
        t = new_ty(g, (struct gty){.kind = G_SEQ, .a = small_ty(g)});
        w(g, "SelectInSeq(");
        ex(g, t, d - 1);
        wf(g, ", LAMBDA %s : ", bind(g, t->a));
        ex_bool(g, d - 1);
        g->nbound = mark;
        w(g, ")");
        break;
    case 0:
    case 1: two(g, &t_int, "+", d); break;
    case 2: two(g, &t_int, "-", d); break;
    case 3: two(g, &t_int, "*", d); break;
    case 4:
        w(g, "(");
        ex(g, &t_int, d - 1);
        w(g, chance(g, 50) ? " \\div " : " % ");
        if (g->wild) {
            ex(g, &t_int, d - 1);
        } else {
            wf(g, "%u", 1 + below(g, 4));
        }
        w(g, ")");
        break;
    case 5:
    case 6:
        t = chance(g, 60) ? small_ty(g) : pick_ty(g);
        around(g, "Cardinality(", ex_set, t, d - 1);
        break;
    case 7:
        around(g, "Len(", ex, new_ty(g, (struct gty){.kind = G_SEQ, .a = pick_ty(g)}), d - 1);
        break;
    case 8: around(g, "SetSum(", ex_set, &t_int, d - 1); break;
    case 9:
        w(g, "Tri[(");
        ex(g, &t_int, d - 1);
        w(g, ") % 6]");
        break;
    case 10:
        around(g, "SeqSum(", ex, new_ty(g, (struct gty){.kind = G_SEQ, .a = &t_int}), d - 1);
        break;
    default:
        w(g, "(-(");
        ex(g, &t_int, d - 1);
        w(g, "))");
        break;
    }
}

static void ex_seq(struct gg *g, const struct gty *t, int d)
{
    uint32_t mark = g->nbound;
    const char *name;
    switch (below(g, 11)) {
    case 0: w(g, "<<>>"); break;
    case 1:
        w(g, "<<");
        ex(g, t->a, d - 1);
        if (chance(g, 50)) {
            w(g, ", ");
            ex(g, t->a, d - 1);
        }
        w(g, ">>");
        break;
    case 2:
    case 3:
        w(g, "Append(");
        ex(g, t, d - 1);
        w(g, ", ");
        ex(g, t->a, d - 1);
        w(g, ")");
        break;
    case 4: two(g, t, "\\o", d); break;
    case 5:
        name = arena_printf(&g->arena, "q%u", g->fresh++);
        wf(g, "(LET %s == ", name);
        ex(g, t, d - 1);
        if (g->wild) {
            wf(g, " IN Tail(%s))", name);
        } else {
            wf(g, " IN IF %s = <<>> THEN %s ELSE Tail(%s))", name, name, name);
        }
        break;
    case 6:
        name = arena_printf(&g->arena, "q%u", g->fresh++);
        wf(g, "(LET %s == ", name);
        ex(g, t, d - 1);
        if (g->wild) {
            wf(g, " IN SubSeq(%s, ", name);
            ex(g, &t_int, d - 2);
            w(g, ", ");
            ex(g, &t_int, d - 2);
            w(g, "))");
        } else {
            wf(g, " IN SubSeq(%s, 2, Len(%s)))", name, name);
        }
        break;
    case 7:
        name = arena_printf(&g->arena, "q%u", g->fresh++);
        wf(g, "(LET %s == ", name);
        ex(g, t, d - 1);
        wf(g, " IN [%s EXCEPT ![", name);
        ex(g, &t_int, d - 2);
        w(g, "] = ");
        if (chance(g, 30)) {
            w(g, "@");
        } else {
            ex(g, t->a, d - 1);
        }
        w(g, "])");
        break;
    case 8:
        w(g, "[");
        name = arena_printf(&g->arena, "x%u", g->fresh++);
        wf(g, "%s \\in 1..", name);
        if (chance(g, 50)) {
            wf(g, "%u", below(g, 4));
        } else {
            w(g, "(");
            ex(g, &t_int, d - 2);
            w(g, ") % 4");
        }
        w(g, " |-> ");
        g->bound[g->nbound++] = (struct gname){name, &t_int};
        ex(g, t->a, d - 1);
        g->nbound = mark;
        w(g, "]");
        break;
    case 9:
        w(g, "SelectSeq(");
        ex(g, t, d - 1);
        w(g, ", LAMBDA ");
        w(g, bind(g, t->a));
        w(g, " : ");
        ex_bool(g, d - 1);
        g->nbound = mark;
        w(g, ")");
        break;
    default: around(g, "Reverse(", ex, t, d - 1); break;
    }
}

/* Paths into a value of type t: ![k].f[...] with what stands there. */
static const struct gty *except_path(struct gg *g, const struct gty *t, int d)
{
    for (int depth = 0; depth < 3; depth++) {
        uint32_t i;
        if (depth > 0 && chance(g, 35)) {
            return t;
        }
        switch (t->kind) {
        case G_REC:
            i = below(g, t->n);
            wf(g, ".%s", t->name[i]);
            t = t->field[i];
            break;
        case G_TUP:
            i = below(g, t->n);
            wf(g, "[%u]", i + 1);
            t = t->field[i];
            break;
        case G_FUN:
            w(g, "[");
            ex_key(g, t->dom, d - 1);
            w(g, "]");
            t = t->a;
            break;
        case G_MAP:
            if (depth > 0) {
                return t;
            }
            w(g, "[");
            ex(g, t->b, d - 1);
            w(g, "]");
            return t->a;
        case G_SEQ:
            wf(g, "[%u]", 1 + below(g, 2));
            t = t->a;
            break;
        default: return t;
        }
    }
    return t;
}

static void ex_except(struct gg *g, const struct gty *t, int d)
{
    uint32_t mark = g->nbound;
    w(g, "[");
    if (!ex_name(g, t)) {
        ex(g, t, d - 1);
    }
    w(g, " EXCEPT ");
    for (uint32_t i = 0, n = 1 + chance(g, 30); i < n; i++) {
        w(g, i ? ", !" : "!");
        const struct gty *u = except_path(g, t, d);
        w(g, " = ");
        g->bound[g->nbound++] = (struct gname){"@", u};
        g->bound[g->nbound++] = (struct gname){"@", u};
        ex(g, u, d - 1);
        g->nbound = mark;
    }
    w(g, "]");
}

/* As functions serve as bags: one more of a key, or the key is taken out. */
static void ex_bag(struct gg *g, const struct gty *t, int d, bool more)
{
    const char *name = arena_printf(&g->arena, "%u", g->fresh++);
    wf(g, "(LET b%s == ", name);
    if (!ex_name(g, t)) {
        ex(g, t, d - 1);
    }
    wf(g, " k%s == ", name);
    ex(g, t->b, d - 1);
    if (more) {
        wf(g, " IN IF k%s \\in DOMAIN b%s THEN [b%s EXCEPT ![k%s] = ", name, name, name, name);
        ex(g, t->a, d - 1);
        wf(g, "] ELSE b%s @@ (k%s :> ", name, name);
        ex(g, t->a, d - 1);
        w(g, "))");
        return;
    }
    if (g->size->level > 0) { /* without errors */
        wf(g, " IN IF k%s \\in DOMAIN b%s THEN ", name, name);
    } else {
        wf(g, " IN IF \\E z%s \\in DOMAIN b%s : b%s[z%s] = b%s[k%s] THEN ", name, name, name, name,
           name, name);
    }
    wf(g, "[z%s \\in DOMAIN b%s \\ {k%s} |-> b%s[z%s]] ELSE b%s)", name, name, name, name, name,
       name);
}

static void ex_map(struct gg *g, const struct gty *t, int d)
{
    uint32_t mark = g->nbound;
    const char *name;
    switch (below(g, 8)) {
    case 0:
        w(g, "(");
        ex(g, t->b, d - 1);
        w(g, " :> ");
        ex(g, t->a, d - 1);
        w(g, ")");
        break;
    case 1:
    case 2: two(g, t, "@@", d); break;
    case 3:
        name = arena_printf(&g->arena, "x%u", g->fresh++);
        wf(g, "[%s \\in ", name);
        ex_set(g, t->b, d - 1);
        w(g, " |-> ");
        g->bound[g->nbound++] = (struct gname){name, t->b};
        ex(g, t->a, d - 1);
        g->nbound = mark;
        w(g, "]");
        break;
    case 4:
        name = arena_printf(&g->arena, "m%u", g->fresh++);
        wf(g, "(LET %s == ", name);
        ex(g, t, d - 1);
        wf(g, " IN [z%s \\in DOMAIN %s \\ ", name, name);
        ex_set(g, t->b, d - 2);
        wf(g, " |-> %s[z%s]])", name, name);
        break;
    case 5: ex_bag(g, t, d, true); break;
    case 6: ex_bag(g, t, d, false); break;
    default: ex_except(g, t, d); break;
    }
}

/* Sets that have a form of their own, small enough to go through. */
static void ex_form_set(struct gg *g, const struct gty *t, int d)
{
    struct gty st = {.kind = G_SET, .a = t};
    switch (t->kind) {
    case G_INT:
        w(g, "(((");
        ex(g, &t_int, d - 2);
        w(g, ") % 3)..((");
        ex(g, &t_int, d - 2);
        w(g, ") % 5))");
        break;
    case G_BOOL: w(g, "BOOLEAN"); break;
    case G_MV: w(g, "Server"); break;
    case G_OPTMV: w(g, "(Server \\cup {Nil})"); break;
    case G_OPTINT: w(g, "({Nil} \\cup 0..2)"); break;
    case G_OPTSTR: w(g, "{\"b\", Nil, \"a\"}"); break;
    case G_FORMS: w(g, "Message"); break;
    case G_TUP:
        w(g, "(");
        for (uint32_t i = 0; i < t->n; i++) {
            w(g, i ? " \\X " : "");
            ex_set(g, t->field[i], 0);
        }
        w(g, ")");
        break;
    case G_REC:
        for (uint32_t i = 0; i < t->n; i++) {
            wf(g, "%s%s : ", i ? ", " : "[", t->name[i]);
            ex_set(g, t->field[i], 0);
        }
        w(g, "]");
        break;
    case G_SET:
        w(g, "(SUBSET {");
        lit(g, t->a, 0);
        w(g, ", ");
        leaf(g, t->a);
        w(g, "})");
        break;
    case G_FUN:
        wf(g, "[%s -> {", g->doms[t->dom].text);
        leaf(g, t->a);
        w(g, "}]");
        break;
    default: lit(g, &st, 1); break;
    }
}

void ex_set(struct gg *g, const struct gty *t, int d)
{
    uint32_t mark = g->nbound;
    const struct gty *u;
    const char *name;
    if (d <= 0 || g->budget == 0) {
        struct gty st = {.kind = G_SET, .a = t};
        if (!(chance(g, 60) && ex_name(g, &st))) {
            if (t->kind == G_MV && chance(g, 60)) {
                w(g, "Server");
            } else if (t->kind == G_INT && chance(g, 50)) {
                wf(g, "(%u..%u)", below(g, 3), 1 + below(g, 4));
            } else {
                lit(g, &st, 1);
            }
        }
        return;
    }
    g->budget--;
    if (chance(g, 25) && form_set(g, t, d)) {
        return;
    }
    switch (below(g, 17)) {
    case 0:
        w(g, "{");
        ex(g, t, d - 1);
        if (chance(g, 50)) {
            w(g, ", ");
            ex(g, t, d - 1);
        }
        w(g, "}");
        break;
    case 1:
    case 2: {
        static const char *const ops[] = {"\\cup", "\\cap", "\\"};
        w(g, "(");
        ex_set(g, t, d - 1);
        wf(g, " %s ", ops[below(g, 3)]);
        ex_set(g, t, d - 1);
        w(g, ")");
        break;
    }
    case 3:
    case 4:
    case 5:
        name = arena_printf(&g->arena, "x%u", g->fresh++);
        wf(g, "{%s \\in ", name);
        ex_set(g, t, d - 1);
        w(g, " : ");
        g->bound[g->nbound++] = (struct gname){name, t};
        ex_bool(g, d - 1);
        g->nbound = mark;
        w(g, "}");
        break;
    case 6:
    case 7: {
        u = chance(g, 60) ? small_ty(g) : pick_ty(g);
        name = arena_printf(&g->arena, "x%u", g->fresh++);
        SCOPED_STRBUF set = {0};
        struct strbuf *out = g->out;
        g->out = &set;
        ex_set(g, u, d - 1);
        g->out = out;
        g->bound[g->nbound++] = (struct gname){name, u};
        w(g, "{");
        ex(g, t, d - 1);
        g->nbound = mark;
        wf(g, " : %s \\in %s}", name, strbuf_cstr(&set));
        break;
    }
    case 8: around(g, "(UNION ", ex_set, set_of(g, t), d - 1); break;
    case 9:
        for (uint32_t i = 0; i < g->nvar && !g->constant; i++) {
            const struct gty *v = g->vars[i].ty;
            if ((v->kind == G_MAP || v->kind == G_FUN) && same(v->b, t)) {
                wf(g, "(DOMAIN %s)", g->vars[i].name);
                return;
            }
            if (v->kind == G_SEQ && same(v->a, t)) {
                wf(g, "{%s[i] : i \\in DOMAIN %s}", g->vars[i].name, g->vars[i].name);
                return;
            }
        }
        ex_set(g, t, d - 1);
        break;
    case 10:
    case 11: ex_form_set(g, t, d); break;
    default: {
        struct gty st = {.kind = G_SET, .a = t};
        if (!(chance(g, 50) && ex_name(g, &st)) && !ex_any(g, set_of(g, t), d)) {
            ex_set(g, t, 0);
        }
        break;
    }
    }
}

static void ex_forms(struct gg *g, int d)
{
    w(g, "[type |-> ");
    switch (below(g, 3)) {
    case 0:
        w(g, "\"req\", from |-> ");
        ex(g, &t_mv, d - 1);
        w(g, ", term |-> ");
        ex(g, &t_int, d - 1);
        break;
    case 1:
        w(g, "\"ack\", from |-> ");
        ex(g, &t_mv, d - 1);
        w(g, ", ok |-> ");
        ex_bool(g, d - 1);
        break;
    default:
        w(g, "\"nop\", from |-> ");
        ex(g, &t_mv, d - 1);
        break;
    }
    w(g, "]");
}

/* The type's own constructors. */
static void ex_own(struct gg *g, const struct gty *t, int d)
{
    switch (t->kind) {
    case G_INT: ex_int(g, d); break;
    case G_OPTMV: ex(g, &t_mv, d - 1); break;
    case G_OPTINT: ex(g, &t_int, d - 1); break;
    case G_OPTSTR: ex(g, &t_str, d - 1); break;
    case G_OPT: ex(g, t->a, d - 1); break;
    case G_FORMS:
        if (chance(g, 25)) {
            w(g, "[");
            ex(g, t, d - 1);
            w(g, " EXCEPT !.from = ");
            ex(g, &t_mv, d - 1);
            w(g, "]");
        } else {
            ex_forms(g, d);
        }
        break;
    case G_REC:
        if (chance(g, 50)) {
            ex_except(g, t, d);
            break;
        }
        for (uint32_t i = 0; i < t->n; i++) {
            wf(g, "%s%s |-> ", i ? ", " : "[", t->name[i]);
            ex(g, t->field[i], d - 1);
        }
        w(g, "]");
        break;
    case G_TUP:
        if (chance(g, 30)) {
            ex_except(g, t, d);
            break;
        }
        for (uint32_t i = 0; i < t->n; i++) {
            w(g, i ? ", " : "<<");
            ex(g, t->field[i], d - 1);
        }
        w(g, ">>");
        break;
    case G_SEQ: ex_seq(g, t, d); break;
    case G_FUN:
        if (chance(g, 60)) {
            ex_except(g, t, d);
        } else {
            uint32_t mark = g->nbound;
            const char *name = arena_printf(&g->arena, "x%u", g->fresh++);
            if (t->dom == DOM_PAIR && chance(g, 50)) {
                wf(g, "[%s \\in Server, y%s \\in 1..2 |-> ", name, name);
                g->bound[g->nbound++] = (struct gname){name, &t_mv};
                g->bound[g->nbound++] =
                    (struct gname){arena_printf(&g->arena, "y%s", name), &t_int};
            } else {
                wf(g, "[%s \\in %s |-> ", name, g->doms[t->dom].text);
                g->bound[g->nbound++] = (struct gname){name, g->doms[t->dom].key};
            }
            ex(g, t->a, d - 1);
            g->nbound = mark;
            w(g, "]");
        }
        break;
    case G_MAP: ex_map(g, t, d); break;
    case G_BAG: ex_bag_of(g, t->b, d); break;
    default: leaf(g, t); break;
    }
}

/* Something that has no layout, or no value at all, where a value of type t is asked for; seldom
 * evaluated. */
static void ex_odd(struct gg *g, const struct gty *t, int d)
{
    static const char *const args[] = {"\"zz\"",        "Nat", "(2^70)", "Seq({1})",
                                       "<<\"yy\", 3>>", "{}",  "-1",     "[1..9 -> 1..9]"};
    static const char *const odd[] = {"[a |-> 1, b |-> 2]", "<<>>",          "<<1, \"xx\">>",
                                      "[k \\in {} |-> 0]",  "(\"ww\" :> 1)", "[n \\in 1..3 |-> n]"};
    w(g, "(IF ");
    ex_bool(g, 1);
    w(g, " THEN ");
    leaf(g, t);
    w(g, " ELSE ");
    switch (below(g, 4)) {
    case 0: w(g, args[below(g, 8)]); break;
    case 1: /* a value of an unusual form, or a variable, applied to something */
        if (chance(g, 50)) {
            w(g, odd[below(g, 6)]);
        } else {
            around(g, "(", ex, pick_ty(g), d - 1);
        }
        wf(g, "[%s]", args[below(g, 8)]);
        break;
    case 2: wf(g, "%s.vv", odd[below(g, 6)]); break;
    default:
        w(g, "[");
        ex(g, pick_ty(g), d - 1);
        wf(g, " EXCEPT ![%s] = %s]", args[below(g, 8)], args[below(g, 8)]);
        break;
    }
    w(g, ")");
}

void ex(struct gg *g, const struct gty *t, int d)
{
    if (d <= 0 || g->budget == 0) {
        leaf(g, t);
        return;
    }
    g->budget--;
    if (g->wild && g->size->level == 0 && below(g, 200) == 0) {
        ex_odd(g, t, d);
        return;
    }
    if (t->kind == G_BOOL) {
        ex_bool(g, d);
    } else if (t->kind == G_SET) {
        ex_set(g, t->a, d);
    } else if (chance(g, 25) && ex_name(g, t)) {
        return;
    } else if (chance(g, 50) && ex_any(g, t, d)) {
        return;
    } else {
        ex_own(g, t, d);
    }
}
