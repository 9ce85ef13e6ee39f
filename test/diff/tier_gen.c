/* The generator: types and literals, and the definitions of a specification. */
#include "tier_gen.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"
#include "base/str.h"
#include "tier_gen_int.h"

const struct gty t_bool =
                     {
                         .kind = G_BOOL
},
                 t_int = {.kind = G_INT}, t_str = {.kind = G_STR}, t_mv = {.kind = G_MV},
                 t_optmv = {.kind = G_OPTMV}, t_optint = {.kind = G_OPTINT},
                 t_optstr = {.kind = G_OPTSTR}, t_forms = {.kind = G_FORMS},
                 t_pair = {.kind = G_TUP, .n = 2, .field = {&t_mv, &t_int}};

bool same(const struct gty *a, const struct gty *b)
{
    if (a == b) {
        return true;
    }
    if (a->kind != b->kind || a->n != b->n || a->dom != b->dom) {
        return false;
    }
    if ((a->a && !same(a->a, b->a)) || (a->b && !same(a->b, b->b))) {
        return false;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        if (!same(a->field[i], b->field[i]) ||
            (a->kind == G_REC && strcmp(a->name[i], b->name[i]) != 0)) {
            return false;
        }
    }
    return true;
}

const struct gty *new_ty(struct gg *g, struct gty t)
{
    struct gty *p = ARENA_NEW(&g->arena, struct gty);
    *p = t;
    return p;
}

const struct gty *set_of(struct gg *g, const struct gty *a)
{
    return new_ty(g, (struct gty){.kind = G_SET, .a = a});
}

const struct gty *pick_ty(struct gg *g)
{
    return g->types[below(g, g->ntype)];
}

/* Types that may stand in sets and as keys: small. */
const struct gty *small_ty(struct gg *g)
{
    static const struct gty *const list[] = {&t_int,  &t_str,  &t_mv,     &t_optmv,
                                             &t_bool, &t_pair, &t_optint, &t_optstr};
    return list[below(g, 8)];
}

const struct gty *key_ty(struct gg *g)
{
    const struct gty *t = small_ty(g);
    return t->kind == G_OPTINT && g->size->level > 0 ? &t_int : t;
}

static void make_types(struct gg *g)
{
    static const struct gty *const base[] = {&t_bool,   &t_int,   &t_str,   &t_mv,   &t_int,
                                             &t_optint, &t_optmv, &t_forms, &t_pair, &t_optstr};
    static const char *const names[] = {"a", "b", "c", "term", "log"};
    for (size_t i = 0; i < sizeof base / sizeof base[0]; i++) {
        g->types[g->ntype++] = base[i];
    }
    while (g->ntype < TYPES) {
        struct gty t = {0};
        const struct gty *inner = pick_ty(g);
        switch (below(g, 11)) {
        case 0:
        case 1:
            t = (struct gty){.kind = G_REC, .n = 1 + below(g, 3)};
            for (uint32_t i = 0, at = below(g, 2); i < t.n; i++, at++) {
                t.field[i] = i == 0 ? inner : small_ty(g);
                t.name[i] = names[at];
            }
            break;
        case 2:
            t = (struct gty){.kind = G_OPT, .a = inner};
            if (inner->kind != G_REC && inner->kind != G_SEQ && inner->kind != G_TUP &&
                inner->kind != G_FUN) {
                t = (struct gty){.kind = G_SEQ, .a = inner};
            }
            break;
        case 3:
            t = (struct gty){
                .kind = G_TUP, .n = 2 + below(g, 2), .field = {inner, small_ty(g), small_ty(g)}
            };
            t.field[2] = t.n == 2 ? NULL : t.field[2];
            break;
        case 4: t = (struct gty){.kind = G_SEQ, .a = inner}; break;
        case 5:
        case 6:
            t = (struct gty){.kind = G_FUN, .a = inner, .dom = below(g, NDOM)};
            t.b = g->doms[t.dom].key;
            break;
        case 7:
            t = (struct gty){.kind = G_MAP, .a = inner, .b = key_ty(g)};
            if (t.b->kind == G_BOOL || chance(g, 25)) {
                t.b = chance(g, 50) ? &t_forms : &t_mv;
            }
            break;
        case 8:
            t = (struct gty){.kind = G_SET, .a = small_ty(g)};
            if (chance(g, 40)) {
                t = (struct gty){.kind = G_BAG, .a = &t_int, .b = key_ty(g)};
            }
            break;
        case 9: t = (struct gty){.kind = G_SET, .a = &t_forms}; break;
        default: t = (struct gty){.kind = G_SET, .a = inner}; break;
        }
        g->types[g->ntype++] = new_ty(g, t);
    }
}

/* ---- literals ---- */

void lit_key(struct gg *g, uint32_t dom)
{
    static const char *const keys[NDOM][3] = {
        {"s1",        "s2",        "s3"       },
        {"\"a\"",     "\"b\"",     "\"a\""    },
        {"1",         "2",         "3"        },
        {"0",         "1",         "2"        },
        {"<<s1, 1>>", "<<s2, 2>>", "<<s3, 1>>"},
        {"TRUE",      "FALSE",     "TRUE"     },
        {"Nil",       "s1",        "s3"       }
    };
    w(g, keys[dom][below(g, 3)]);
}

static void lit_forms(struct gg *g)
{
    static const char *const servers[] = {"s1", "s2", "s3"};
    const char *from = servers[below(g, 3)];
    switch (below(g, 4)) {
    case 0: wf(g, "[type |-> \"req\", from |-> %s, term |-> %u]", from, below(g, 3)); break;
    case 1:
        wf(g, "[type |-> \"ack\", from |-> %s, ok |-> %s]", from, chance(g, 50) ? "TRUE" : "FALSE");
        break;
    case 2:
        wf(g, "[type |-> \"log\", from |-> %s, term |-> %u, log |-> <<%s>>]", from, below(g, 3),
           chance(g, 50) ? "" : "1, 2");
        break;
    default: wf(g, "[type |-> \"nop\", from |-> %s]", from); break;
    }
}

static void lit_fun(struct gg *g, const struct gty *t, int d)
{
    uint32_t x = g->fresh++;
    wf(g, "[x%u \\in %s |-> ", x, g->doms[t->dom].text);
    if (chance(g, 40)) {
        lit(g, t->a, d - 1);
    } else {
        wf(g, "IF x%u = ", x);
        lit_key(g, t->dom);
        w(g, " THEN ");
        lit(g, t->a, d - 1);
        w(g, " ELSE ");
        lit(g, t->a, d - 1);
    }
    w(g, "]");
}

void lit(struct gg *g, const struct gty *t, int d)
{
    static const char *const servers[] = {"s1", "s2", "s3", "Nil"};
    static const char *const strings[] = {"\"a\"", "\"b\"", "\"c\""};
    uint32_t n;
    switch (t->kind) {
    case G_BOOL: w(g, chance(g, 50) ? "TRUE" : "FALSE"); break;
    case G_OPTINT:
        if (chance(g, 30)) {
            w(g, "Nil");
            break;
        }
        wf(g, "%u", below(g, 4));
        break;
    case G_INT:
        if (chance(g, 8)) {
            wf(g, "(-%u)", 1 + below(g, 4));
        } else {
            wf(g, "%u", chance(g, 4) ? 70 + below(g, 300) : below(g, 5));
        }
        break;
    case G_OPTSTR:
        if (chance(g, 30)) {
            w(g, "Nil");
            break;
        }
        w(g, strings[below(g, 3)]);
        break;
    case G_STR: w(g, strings[below(g, 3)]); break;
    case G_MV: w(g, servers[below(g, 3)]); break;
    case G_OPTMV: w(g, servers[below(g, 4)]); break;
    case G_REC:
        for (uint32_t i = 0; i < t->n; i++) {
            wf(g, "%s%s |-> ", i ? ", " : "[", t->name[i]);
            lit(g, t->field[i], d - 1);
        }
        w(g, "]");
        break;
    case G_FORMS: lit_forms(g); break;
    case G_OPT:
        if (chance(g, 35)) {
            w(g, "Nil");
        } else {
            lit(g, t->a, d);
        }
        break;
    case G_TUP:
        for (uint32_t i = 0; i < t->n; i++) {
            w(g, i ? ", " : "<<");
            lit(g, t->field[i], d - 1);
        }
        w(g, ">>");
        break;
    case G_SEQ:
    case G_SET:
        n = d <= 0 ? below(g, 2) : below(g, 4);
        for (uint32_t i = 0; i < n; i++) {
            w(g, i ? ", " : t->kind == G_SEQ ? "<<" : "{");
            lit(g, t->a, d - 1);
        }
        w(g, n == 0 ? (t->kind == G_SEQ ? "<<" : "{") : "");
        w(g, t->kind == G_SEQ ? ">>" : "}");
        break;
    case G_FUN: lit_fun(g, t, d); break;
    case G_MAP:
        n = below(g, 3);
        w(g, "(");
        for (uint32_t i = 0; i < n; i++) {
            w(g, "(");
            lit(g, t->b, 0);
            w(g, " :> ");
            lit(g, t->a, d - 1);
            w(g, ") @@ ");
        }
        w(g, n == 0 && g->size->level > 0 ? "[x \\in {} |-> 0])" : "<<>>)");
        break;
    case G_BAG:
        n = below(g, 3);
        w(g, "(");
        for (uint32_t i = 0; i < n; i++) {
            w(g, "(");
            lit(g, t->b, 0);
            wf(g, " :> %u) @@ ", 1 + below(g, 3));
        }
        w(g, "EmptyBag)");
        break;
    }
}

/* ---- definitions ---- */

/* In a symmetric specification no server has a name: these are bound in each definition. */
static const char any_servers[] = "s1, s2, s3 \\in Server";

static void start(struct gg *g, bool wild)
{
    g->nbound = 0;
    g->primed = 0;
    g->wild = wild;
    g->action = false;
    g->budget = 60;
}

static void make_ops(struct gg *g)
{
    for (uint32_t i = 0; i < 8; i++) {
        struct gop op = {.ty = pick_ty(g), .n = below(g, 3)};
        op.name = arena_printf(&g->arena, "Op%u", i);
        start(g, false);
        g->constant = chance(g, 40);
        bool recursive = i >= 6;
        if (recursive) {
            op.n = 2;
            op.param[0] = &t_int;
            op.param[1] = op.ty;
            wf(g, "RECURSIVE %s(_, _%s)\n", op.name, g->size->symmetry ? ", _, _, _" : "");
        }
        wf(g, "%s%s", op.name, g->size->symmetry ? "(s1, s2, s3" : "");
        for (uint32_t k = 0; k < op.n; k++) {
            op.param[k] = op.param[k] ? op.param[k] : pick_ty(g);
            wf(g, "%s%s", k || g->size->symmetry ? ", " : "(", bind(g, op.param[k]));
        }
        wf(g, "%s == ", op.n || g->size->symmetry ? ")" : "");
        if (recursive) {
            const char *n = g->bound[0].name;
            const char *x = g->bound[1].name;
            wf(g, "IF %s <= 0 \\/ %s > 4 THEN %s ELSE %s(%s%s - 1, ", n, n, x, op.name,
               g->size->symmetry ? "s1, s2, s3, " : "", n);
            ex(g, op.ty, (int)g->size->depth - 1);
            w(g, ")");
        } else {
            ex(g, op.ty, (int)g->size->depth - 1);
        }
        w(g, "\n");
        g->constant = false;
        g->ops[g->nop++] = op;
    }
}

/* Integers are kept small, so that few layouts are needed. */
static void assign_value(struct gg *g, uint32_t i, int d)
{
    const struct gty *t = g->vars[i].ty;
    if (t->kind == G_INT) {
        w(g, "(");
        ex(g, t, d);
        w(g, ") % 11");
    } else {
        ex(g, t, d);
    }
}

static void assign(struct gg *g, uint32_t i, int d)
{
    const char *v = g->vars[i].name;
    const struct gty *t = g->vars[i].ty;
    uint32_t mark = g->nbound;
    switch (below(g, 13)) {
    case 0:
        if (t->kind == G_SET && chance(g, 40)) {
            wf(g, "%s' \\subseteq ", v);
            ex_set(g, t->a, d - 1);
            break;
        }
        wf(g, "%s' \\in ", v);
        ex_set(g, t, d - 1);
        break;
    case 1:
        w(g, "(IF ");
        ex_bool(g, d - 1);
        w(g, " THEN ");
        assign(g, i, d - 1);
        w(g, " ELSE ");
        assign(g, i, d - 1);
        w(g, ")");
        break;
    case 2: {
        const struct gty *u = chance(g, 70) ? small_ty(g) : pick_ty(g);
        const char *name = arena_printf(&g->arena, "x%u", g->fresh++);
        wf(g, "(\\E %s \\in ", name);
        ex_set(g, u, d - 1);
        w(g, " : ");
        g->bound[g->nbound++] = (struct gname){name, u};
        if (chance(g, 40)) {
            ex_bool(g, d - 2);
            w(g, " /\\ ");
        }
        assign(g, i, d - 1);
        g->nbound = mark;
        w(g, ")");
        break;
    }
    case 3:
        w(g, "((");
        assign(g, i, d - 1);
        w(g, ") \\/ (");
        ex_bool(g, d - 2);
        w(g, " /\\ ");
        assign(g, i, d - 1);
        w(g, "))");
        break;
    case 4: {
        const struct gty *u = pick_ty(g);
        const char *name = arena_printf(&g->arena, "x%u", g->fresh++);
        wf(g, "(LET %s == ", name);
        ex(g, u, d - 1);
        w(g, " IN ");
        g->bound[g->nbound++] = (struct gname){name, u};
        assign(g, i, d - 1);
        g->nbound = mark;
        w(g, ")");
        break;
    }
    case 5:
        w(g, "(CASE ");
        ex_bool(g, d - 1);
        w(g, " -> ");
        assign(g, i, d - 1);
        w(g, " [] OTHER -> ");
        assign(g, i, d - 1);
        w(g, ")");
        break;
    case 6: { /* an action that is an operator */
        const char *name = arena_printf(&g->arena, "L%u", g->fresh++);
        const struct gty *u = small_ty(g);
        wf(g, "(LET %s(", name);
        w(g, bind(g, u));
        w(g, ") == ");
        assign(g, i, d - 1);
        g->nbound = mark;
        wf(g, " IN %s(", name);
        ex(g, u, d - 1);
        wf(g, ") \\/ %s(", name);
        ex(g, u, d - 1);
        w(g, "))");
        break;
    }
    case 7:
        if (chance(g, 30)) {
            wf(g, "UNCHANGED %s", v);
            break;
        }
        wf(g, "%s' = ", v);
        assign_value(g, i, d);
        break;
    default:
        wf(g, "%s' = ", v);
        assign_value(g, i, d);
        break;
    }
}

/* A condition of an action: disjunctions give the same successor several times. */
static void guard(struct gg *g, int d)
{
    const struct gty *u = chance(g, 70) ? small_ty(g) : pick_ty(g);
    uint32_t mark = g->nbound;
    switch (below(g, 6)) {
    case 0:
        w(g, "(");
        ex_bool(g, d - 1);
        w(g, " \\/ ");
        ex_bool(g, d - 1);
        w(g, ")");
        break;
    case 1: {
        const char *name = arena_printf(&g->arena, "x%u", g->fresh++);
        wf(g, "(%s %s \\in ", chance(g, 70) ? "\\E" : "\\A", name);
        ex_set(g, u, d - 1);
        w(g, " : ");
        g->bound[g->nbound++] = (struct gname){name, u};
        ex_bool(g, d - 1);
        g->nbound = mark;
        w(g, ")");
        break;
    }
    default: ex_bool(g, d); break;
    }
}

static void action(struct gg *g)
{
    int d = (int)g->size->depth;
    uint32_t changed = 0;
    start(g, g->size->level == 0 && chance(g, 25));
    g->action = true;
    if (g->size->symmetry) {
        wf(g, "\\E %s : ", any_servers);
    }
    for (uint32_t n = 1 + below(g, 3); n > 0; n--) {
        changed |= UINT32_C(1) << below(g, g->nvar);
    }
    bool quantified = chance(g, 40);
    if (quantified) {
        const struct gty *u = chance(g, 70) ? small_ty(g) : pick_ty(g);
        const char *name = arena_printf(&g->arena, "x%u", g->fresh++);
        wf(g, "\\E %s \\in ", name);
        ex_set(g, u, d - 2);
        w(g, " : ");
        g->bound[g->nbound++] = (struct gname){name, u};
    }
    if (chance(g, 50)) {
        guard(g, d - 1);
        w(g, " /\\ ");
    }
    for (uint32_t i = 0; i < g->nvar; i++) {
        if (changed >> i & 1) {
            assign(g, i, d);
            w(g, " /\\ ");
            g->primed |= UINT32_C(1) << i;
        }
    }
    if (chance(g, 15)) {
        guard(g, d - 2);
        w(g, " /\\ ");
    }
    w(g, g->size->view ? "last' = (last + 1) % 3 /\\ UNCHANGED <<" : "UNCHANGED <<");
    bool first = true;
    for (uint32_t i = 0; i < g->nvar; i++) {
        if (!(changed >> i & 1)) {
            wf(g, "%s%s", first ? "" : ", ", g->vars[i].name);
            first = false;
        }
    }
    w(g, ">>\n");
}

static const char head[] =
    "---- MODULE Fuzz ----\n"
    "EXTENDS Integers, Sequences, FiniteSets, TLC, Bags, BagsExt, SequencesExt, FiniteSetsExt, "
    "Functions\n"
    "CONSTANTS Server, Nil\n"
    "Message == [type : {\"req\"}, from : Server, term : 0..2] \\cup\n"
    "           [type : {\"ack\"}, from : Server, ok : BOOLEAN] \\cup [type : {\"nop\"}, from : "
    "Server]\n"
    "Apply(F(_), x) == F(x)\n"
    "Twice(F(_), x) == F(F(x))\n"
    "Fold(F(_, _), b, S) == LET RECURSIVE H(_, _)\n"
    "                           H(acc, T) == IF T = {} THEN acc\n"
    "                                        ELSE LET y == CHOOSE z \\in T : TRUE\n"
    "                                             IN H(F(acc, y), T \\ {y})\n"
    "                       IN H(b, S)\n"
    "RECURSIVE SetSum(_)\n"
    "SetSum(S) == IF S = {} THEN 0 ELSE LET y == CHOOSE z \\in S : TRUE IN y + SetSum(S \\ {y})\n"
    "RECURSIVE SeqSum(_)\n"
    "SeqSum(q) == IF q = <<>> THEN 0 ELSE Head(q) + SeqSum(Tail(q))\n"
    "Tri[n \\in 0..6] == IF n = 0 THEN 0 ELSE n + Tri[n - 1]\n";

static void module_init(struct gg *g)
{
    uint32_t rows = g->size->ninit;
    const char *servers = g->size->symmetry ? "(s1, s2, s3)" : "";
    for (uint32_t i = 0; i < g->nvar; i++) {
        wf(g, "Rows%u%s == <<", i, servers);
        for (uint32_t k = 0; k < rows; k++) {
            w(g, k ? ", " : "");
            lit(g, g->vars[i].ty, 2);
        }
        w(g, ">>\n");
    }
    wf(g, "Init == \\E row \\in 1..%u%s%s :", rows, servers[0] ? ", " : "",
       servers[0] ? any_servers : "");
    for (uint32_t i = 0; i < g->nvar; i++) {
        wf(g, "%s %s = Rows%u%s[row]", i ? " /\\" : "", g->vars[i].name, i, servers);
    }
    w(g, g->size->view ? " /\\ last = 0\n" : "\n");
}

static void predicates(struct gg *g, struct strbuf *config)
{
    int d = (int)g->size->depth;
    for (uint32_t i = 0; i < g->size->ninv; i++) {
        start(g, chance(g, 25));
        wf(g, "P%u == ", i + 1);
        if (i % 16 == 15) {
            wf(g, "ENABLED A%u", 1 + below(g, g->size->nact));
        } else {
            w(g, "v0 = v0 /\\ "); /* constant ones are evaluated before the search */
            ex_bool(g, d);
        }
        w(g, "\n");
        strbuf_printf(config, "INVARIANT P%u\n", i + 1);
    }
    for (uint32_t i = 0; i < g->size->nconstraint; i++) {
        start(g, false);
        wf(g, "C%u == ", i + 1);
        w(g, i == 0 ? "TLCGet(\"level\") < 4 \\/ " : "v0 = v0 /\\ ");
        ex_bool(g, d);
        w(g, "\n");
        strbuf_printf(config, "CONSTRAINT C%u\n", i + 1);
    }
    for (uint32_t i = 0; i < g->size->nstep; i++) {
        start(g, chance(g, 25));
        g->primed = (UINT32_C(1) << g->nvar) - 1;
        wf(g, "S%u == ", i + 1);
        if (g->size->symmetry) {
            wf(g, "\\A %s : ", any_servers);
        }
        w(g, "v0 = v0 /\\ ");
        ex_bool(g, d);
        w(g, "\n");
        strbuf_printf(config, "ACTION_CONSTRAINT S%u\n", i + 1);
    }
}

/* What makes a specification one that can be searched to its end. */
static void search(struct gg *g, struct strbuf *config)
{
    if (g->size->level > 0) {
        wf(g, "Near == TLCGet(\"level\") < %u\n", g->size->level);
        strbuf_adds(config, "CONSTRAINT Near\n");
    }
    if (g->size->view) {
        w(g, "View == <<");
        for (uint32_t i = 0; i < g->nvar; i++) {
            wf(g, "%s%s", i ? ", " : "", g->vars[i].name);
        }
        w(g, ">>\n");
        strbuf_adds(config, "VIEW View\n");
    }
}

static void generate(struct gg *g, struct strbuf *config)
{
    g->doms[DOM_SERVER] = (struct gdom){"Server", &t_mv};
    g->doms[DOM_STR] = (struct gdom){"{\"a\", \"b\"}", &t_str};
    g->doms[DOM_FROM1] = (struct gdom){"(1..3)", &t_int};
    g->doms[DOM_FROM0] = (struct gdom){"(0..2)", &t_int};
    g->doms[DOM_PAIR] = (struct gdom){"(Server \\X (1..2))", &t_pair};
    g->doms[DOM_BOOL] = (struct gdom){"BOOLEAN", &t_bool};
    g->doms[DOM_OPTMV] = (struct gdom){"(Server \\cup {Nil})", &t_optmv};
    make_types(g);
    w(g, head);
    w(g, g->size->symmetry ? "Sym == Permutations(Server)\n" : "CONSTANTS s1, s2, s3\n");
    w(g, g->size->view ? "VARIABLES last, " : "VARIABLES ");
    for (g->nvar = 0; g->nvar < g->size->nvar; g->nvar++) {
        const char *name = arena_printf(&g->arena, "v%u", g->nvar);
        /* the first ones are of simple types: much is made of them */
        g->vars[g->nvar] = (struct gname){name, g->nvar < 2 ? g->types[below(g, 5)] : pick_ty(g)};
        wf(g, "%s%s", g->nvar ? ", " : "", name);
    }
    w(g, "\n");
    module_init(g);
    make_ops(g);
    for (uint32_t i = 0; i < g->size->nact; i++) {
        wf(g, "A%u == ", i + 1);
        action(g);
    }
    w(g, "Next ==");
    for (uint32_t i = 0; i < g->size->nact; i++) {
        wf(g, " %sA%u", i ? "\\/ " : "", i + 1);
    }
    w(g, "\n");
    const char *type = chance(g, 30) ? "S_" : ""; /* model values with a type */
    strbuf_printf(config, "INIT Init\nNEXT Next\nCONSTANTS Server = {%ss1, %ss2, %ss3} Nil = Nil\n",
                  type, type, type);
    if (g->size->symmetry) {
        strbuf_adds(config, "SYMMETRY Sym\n");
    } else {
        strbuf_printf(config, "s1 = %ss1 s2 = %ss2 s3 = %ss3\n", type, type, type);
    }
    predicates(g, config);
    search(g, config);
    w(g, "====\n");
}

void tier_gen(uint64_t seed, const struct tier_size *size, struct strbuf *ret_module,
              struct strbuf *ret_config)
{
    struct gg g = {.out = ret_module, .size = size};
    arena_init(&g.arena, 1 << 14);
    rng_seed(&g.rng, seed);
    generate(&g, ret_config);
    arena_done(&g.arena);
}
