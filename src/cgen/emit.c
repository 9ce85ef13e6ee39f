/* Values in C text: constants, conversions between types, equality. */
#include "cgen/emit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/defs.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "syntax/ast.h"
#include "value/value.h"

/* ---- text ---- */
struct cv gen_no(struct gen *g, const char *fmt, ...)
{
    if (!g->declined) {
        SCOPED_STRBUF sb = {0};
        va_list ap;
        va_start(ap, fmt);
        strbuf_vprintf(&sb, fmt, ap);
        va_end(ap);
        g->why = arena_strndup(g->arena, strbuf_cstr(&sb), sb.n);
        g->declined = true;
    }
    return cv_of(g->tys->none, "0");
}

__attribute__((format(printf, 2, 0))) static const char *text_args(struct gen *g, const char *fmt,
                                                                   va_list ap)
{
    struct strbuf sb = {.arena = g->arena};
    strbuf_vprintf(&sb, fmt, ap);
    return strbuf_cstr(&sb);
}

/* Too much text is given up as a whole. */
static void put_node(struct gen *g, struct tree_node like, unsigned effects)
{
    if (g->declined) {
        return;
    }
    tree_add(g->arena, g->out, like, effects);
    g->bytes += strlen(like.text) + (like.cond ? strlen(like.cond) : 0);
    if (g->bytes > g->limit || g->bytes + g->defs.n + g->written > g->limit_all) {
        g->whole = true;
        gen_no(g, "the code grows too large");
    }
}

static void put_text(struct gen *g, const char *text, unsigned effects)
{
    put_node(g, (struct tree_node){.kind = TREE_TEXT, .text = text}, effects);
}

__attribute__((format(printf, 2, 0))) static void put_args(struct gen *g, const char *fmt,
                                                           va_list ap, unsigned effects)
{
    if (g->declined) {
        return;
    }
    put_text(g, text_args(g, fmt, ap), effects);
}

#define PUT(NAME, EFFECTS)                                                                         \
    void NAME(struct gen *g, const char *fmt, ...)                                                 \
    {                                                                                              \
        va_list ap;                                                                                \
        va_start(ap, fmt);                                                                         \
        put_args(g, fmt, ap, EFFECTS);                                                             \
        va_end(ap);                                                                                \
    }
PUT(gen_put, TREE_PLAIN)
PUT(gen_put_trap, TREE_TRAPS)
PUT(gen_put_loop, TREE_LOOPS)
PUT(gen_put_trap_loop, TREE_TRAPS | TREE_LOOPS)
#undef PUT

void gen_declare(struct gen *g, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    tree_add(g->arena, g->decls,
             (struct tree_node){.kind = TREE_TEXT, .text = text_args(g, fmt, ap)}, TREE_PLAIN);
    va_end(ap);
}

void gen_trap(struct gen *g, const char *why)
{
    put_node(g, (struct tree_node){.kind = TREE_TRAP, .text = why}, TREE_TRAPS);
}

void gen_trap_if(struct gen *g, const char *why, const char *cond, ...)
{
    va_list ap;
    va_start(ap, cond);
    put_node(g,
             (struct tree_node){.kind = TREE_TRAP_IF, .text = why, .cond = text_args(g, cond, ap)},
             TREE_TRAPS);
    va_end(ap);
}

void gen_put_call(struct gen *g, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    put_node(g, (struct tree_node){.kind = TREE_CALL, .text = text_args(g, fmt, ap)}, TREE_TRAPS);
    va_end(ap);
}

struct gen_mark gen_mark(const struct gen *g)
{
    return (struct gen_mark){
        .out = g->out, .at = tree_mark(g->out), .nscope = g->scopes.n, .bytes = g->bytes};
}

void gen_cut(struct gen *g, const struct gen_mark *mark)
{
    HOT_ASSERT(g->out == mark->out && g->scopes.n == mark->nscope);
    tree_cut(mark->out, &mark->at);
    g->bytes = mark->bytes;
}

bool gen_may_trap(const struct gen *g, const struct gen_mark *since)
{
    return g->out != since->out /* declined half-way */ || tree_traps(since->out, &since->at);
}

/* The number by which a trap tells where the interpreter is to go on, and why. */
static uint32_t left_note(struct gen *g, const struct node *src)
{
    for (size_t i = 0; i < g->lefts->v.n; i++) {
        const struct left *left = &g->lefts->v.v[i];
        if (left->src == src && strcmp(left->why, g->why) == 0) {
            return (uint32_t)i;
        }
    }
    VEC_PUSH(&g->lefts->v, (struct left){g->why, src});
    return (uint32_t)g->lefts->v.n - 1;
}

bool gen_back(struct gen *g, const struct gen_mark *mark, const struct node *src)
{
    HOT_ASSERT(g->declined && g->out == mark->out && g->scopes.n == mark->nscope);
    g->out = mark->out; /* whatever was forgotten: a piece that is left out does no harm */
    g->scopes.n = mark->nscope;
    /* A recursive function whose types are being found is not to be left half-way. */
    if (g->whole || g->rec_depth > 0 || !g->lefts) {
        return false;
    }
    g->declined = false;
    gen_cut(g, mark);
    g->early = false;
    g->sieve = NULL;
    gen_trap(g, gen_text(g, "T_LEFT + %u", left_note(g, src)));
    return true;
}

const char *gen_text(struct gen *g, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *copy = text_args(g, fmt, ap);
    va_end(ap);
    return copy;
}

static const char *call_text(struct gen *g, const char *c, const struct conv_key *f,
                             const char *args)
{
    const char *t = gen_tmp(g);
    if (f->traps) {
        gen_put(g, "%s %s;\n", c, t);
        gen_put_call(g, "%s(%s, &%s)", f->name, args, t);
    } else {
        gen_put(g, "%s %s; %s(%s, &%s);\n", c, t, f->name, args, t);
    }
    return t;
}

const char *gen_call(struct gen *g, const char *c, const char *function, const char *args, ...)
{
    va_list ap;
    va_start(ap, args);
    const char *with = text_args(g, args, ap);
    va_end(ap);
    return call_text(g, c, &(struct conv_key){.name = function, .traps = true}, with);
}

const char *gen_call_of(struct gen *g, const char *c, const struct conv_key *function,
                        const char *args, ...)
{
    va_list ap;
    va_start(ap, args);
    const char *with = text_args(g, args, ap);
    va_end(ap);
    return call_text(g, c, function, with);
}

const char *gen_tmp(struct gen *g)
{
    return gen_text(g, "t%u", (*g->ntmp)++);
}

static void scope_open(struct gen *g, const char *head, unsigned effects)
{
    struct tree *around = g->out;
    struct tree_node *block = tree_open(g->arena, around, head, effects);
    g->bytes += strlen(head);
    VEC_PUSH(&g->scopes, (struct scope){++g->nscope, block, around});
    g->out = block->body;
}

void gen_scope_open(struct gen *g, const char *head)
{
    scope_open(g, head, TREE_PLAIN);
}

void gen_scope_open_loop(struct gen *g, const char *head)
{
    scope_open(g, head, TREE_LOOPS);
}

void gen_scope_close(struct gen *g)
{
    struct scope scope = VEC_LAST(&g->scopes);
    ASSERT(g->declined || (scope.block && g->out == scope.block->body));
    if (scope.block) {
        tree_close(scope.around, scope.block);
    }
    g->out = scope.around;
    g->scopes.n--;
}

void gen_scope_enter(struct gen *g)
{
    VEC_PUSH(&g->scopes, (struct scope){++g->nscope, NULL, g->out});
}

void gen_scope_leave(struct gen *g)
{
    ASSERT(g->declined || !VEC_LAST(&g->scopes).block);
    g->scopes.n--;
}

uint32_t gen_scope_now(const struct gen *g)
{
    return VEC_LAST(&g->scopes).id;
}

void gen_scopes_close(struct gen *g, uint32_t n)
{
    while (n-- > 0) {
        gen_scope_close(g);
    }
}

bool gen_scope_is_open(const struct gen *g, uint32_t scope)
{
    for (size_t i = g->scopes.n; i-- > 0;) {
        if (g->scopes.v[i].id == scope) {
            return true;
        }
    }
    return false;
}

/* ---- values ---- */
bool ty_by_value(const struct ty *ty)
{
    return ty->kind <= TY_MIX || (ty->kind == TY_BITS && ty->w == 1);
}

static const char *local_type(struct gen *g, const struct ty *ty)
{
    switch (ty->kind) {
    case TY_BOOL: return "int";
    case TY_INT:
    case TY_MIX: return "int64_t";
    case TY_ATOM: return "uint32_t";
    default: return ty_c(g->tys, ty);
    }
}

struct cv cv_of(const struct ty *ty, const char *e)
{
    return (struct cv){.ty = ty, .e = ty->kind == TY_NONE ? "(none_t){}" : e};
}

bool cv_is_none(struct cv v)
{
    return v.ty && v.ty->kind == TY_NONE;
}

struct cv cv_val(struct gen *g, struct val v)
{
    struct cv cv = {.is_val = true, .val = v};
    tys_atoms(g->tys, v);
    if (val_is_set(v) && !set_is_finite(g->ctx, v)) {
        return cv;
    }
    if (val_is_kind(v, VK_SUBSET) || val_is_kind(v, VK_FCNSET) || val_is_kind(v, VK_RECSET) ||
        val_is_kind(v, VK_PRODUCT) || val_is_kind(v, VK_KSUBSET)) {
        struct val card = set_card(g->ctx, v);
        if (!val_is_small(card) || val_small_get(card) > TY_CAP_MAX) {
            return cv;
        }
    }
    if (val_is_kind(v, VK_INTERVAL) || val_is_kind(v, VK_SET)) {
        struct val card = set_card(g->ctx, v);
        if (!val_is_small(card) || val_small_get(card) > TY_CAP_MAX) {
            return cv;
        }
    }
    cv.ty = ty_of_val(g->tys, v);
    cv.stable = true;
    return cv;
}

void gen_put_zero(struct gen *g, const struct ty *ty, const char *name)
{
    const char *c = ty_by_value(ty) ? local_type(g, ty) : ty_c(g->tys, ty);
    if (ty->kind == TY_NONE) {
        gen_put(g, "%s %s;\n", c, name);
    } else if (ty_by_value(ty)) {
        gen_put(g, "%s %s = 0;\n", c, name);
    } else {
        gen_put(g, "%s %s; memset(&%s, 0, sizeof %s);\n", c, name, name, name);
    }
}

const char *gen_new_var(struct gen *g, const struct ty *ty)
{
    const char *t = gen_tmp(g);
    gen_put_zero(g, ty, t);
    return t;
}

const char *gen_new_flag(struct gen *g, const char *init)
{
    const char *t = gen_tmp(g);
    gen_put(g, "int %s = %s;\n", t, init);
    return t;
}

static const char *scalar_text(struct gen *g, const struct ty *ty, const uint8_t *bytes)
{
    uint64_t u = 0;
    memcpy(&u, bytes, ty->size);
    if (ty->kind == TY_BITS) {
        return gen_text(g, "UINT64_C(%" PRIu64 ")", u);
    }
    if (ty->kind == TY_BOOL || ty->kind == TY_ATOM) {
        return gen_text(g, "%" PRIu64, u);
    }
    uint32_t shift = 64 - ty->size * 8;
    int64_t i = (int64_t)(u << shift) >> shift;
    return gen_text(g, "INT64_C(%" PRId64 ")", i);
}

/* A constant of a type; NULL: the value does not fit. */
static const char *const_text(struct gen *g, struct val v, const struct ty *ty)
{
    for (size_t i = 0; i < g->consts.n; i++) {
        if (g->consts.v[i].ty == ty && val_same(g->consts.v[i].val, v)) {
            return g->consts.v[i].name;
        }
    }
    uint8_t *bytes = arena_zalloc(g->arena, ty->size + 8);
    if (!ty_encode(g->tys, g->ctx, ty, v, bytes)) {
        return NULL;
    }
    if (ty_by_value(ty)) {
        return scalar_text(g, ty, bytes);
    }
    SCOPED_STRBUF text = {0};
    strbuf_adds(&text, " = {{");
    for (uint32_t i = 0; i < ty->size; i++) {
        strbuf_printf(&text, "%s%u", i ? "," : "", bytes[i]);
    }
    strbuf_adds(&text, ty->size ? "}};\n" : "0}};\n");
    const char *head =
        gen_text(g, "static const union { uint8_t b[%u]; %s v; } ", ty->size + 1, ty_c(g->tys, ty));
    const char *name = gen_text(g, "%s.v", gen_define(g, "c", head, strbuf_str(&text)));
    if (g->declined) {
        return "0";
    }
    VEC_PUSH(&g->consts, (struct const_key){v, ty, name});
    return name;
}

const char *cv_e(struct gen *g, struct cv *v)
{
    if (v->e) {
        return v->e;
    }
    if (g->declined) {
        return "0";
    }
    if (!v->ty) {
        gen_no(g, "a set that cannot be laid out is used as a value");
        return "0";
    }
    v->e = const_text(g, v->val, v->ty);
    if (!v->e) {
        gen_no(g, "a constant has no layout");
        return "0";
    }
    return v->e;
}

const char *gen_addr(struct gen *g, struct cv *v)
{
    if (g->declined) {
        return "0";
    }
    if (v->ty->kind == TY_NONE) {
        const char *t = gen_tmp(g);
        gen_put(g, "none_t %s;\n", t);
        return gen_text(g, "&%s", t);
    }
    if (ty_by_value(v->ty)) {
        const char *t = gen_tmp(g);
        gen_put(g, "%s %s = (%s)(%s);\n", ty_c(g->tys, v->ty), t, ty_c(g->tys, v->ty), cv_e(g, v));
        return gen_text(g, "&%s", t);
    }
    return gen_text(g, "&%s", cv_e(g, v));
}

struct cv cv_hold(struct gen *g, struct cv v)
{
    if (g->declined || v.is_val || !v.ty || !ty_by_value(v.ty) || strlen(v.e) <= 6) {
        return v;
    }
    const char *t = gen_tmp(g);
    gen_put(g, "%s %s = %s;\n", local_type(g, v.ty), t, v.e);
    v.e = t;
    v.stable = false;
    return v;
}

/* The type as ty_print tells it, in the arena. */
static const char *ty_for_people(struct gen *g, const struct ty *ty)
{
    SCOPED_STRBUF text = {0};
    ty_print(g->tys, ty, &text);
    return arena_strndup(g->arena, strbuf_cstr(&text), text.n);
}

const struct ty *gen_join(struct gen *g, const struct ty *a, const struct ty *b)
{
    const struct ty *t = ty_join(g->tys, a, b);
    if (!t) {
        gen_no(g, "values of different shape meet: %s and %s", ty_for_people(g, a),
               ty_for_people(g, b));
        return g->tys->none;
    }
    return t;
}

bool ty_same_shape(const struct ty *a, const struct ty *b)
{
    if (a == b || a->kind == TY_NONE) {
        return true;
    }
    if (b->uni && (a->kind == TY_SET || a->kind == TY_BITS)) {
        return ty_same_shape(a->elem, b->elem);
    }
    bool empty = (a->kind == TY_SET || a->kind == TY_SEQ || a->kind == TY_MAP) && a->cap == 0;
    if (empty && (a->kind == TY_SET ? b->kind == TY_SET || b->kind == TY_BITS
                                    : b->kind == TY_SEQ || b->kind == TY_MAP)) {
        return true;
    }
    if (a->kind != b->kind || a->n != b->n || a->nvariant != b->nvariant) {
        return a->kind != TY_UNION && b->kind == TY_UNION && ty_alternative(b, a) >= 0 &&
               ty_same_shape(a, b->field[ty_alternative(b, a)]);
    }
    for (uint32_t i = 0; a->kind == TY_REC && i < a->n; i++) {
        if (!val_same(a->names[i], b->names[i])) {
            return false;
        }
    }
    if (a->nvariant && memcmp(a->variant, b->variant, sizeof *a->variant * a->nvariant) != 0) {
        return false;
    }
    for (uint32_t i = 0; a->field && i < a->n; i++) {
        if (!ty_same_shape(a->field[i], b->field[i])) {
            return false;
        }
    }
    if (a->kind == TY_FUN && a->names != b->names) {
        return false;
    }
    return (!a->key || ty_same_shape(a->key, b->key)) &&
           (!a->elem || ty_same_shape(a->elem, b->elem));
}

/* ---- operations on sets and maps ---- */
/* How elements are ordered inside sets and maps. */
static const char *order_of(const struct ty *ty)
{
    return ty_is_scalar(ty) ? "CMP_NUM" : "CMP_MEM";
}

void gen_need_set(struct gen *g, const struct ty *set)
{
    if (g->declined) {
        return;
    }
    for (size_t i = 0; i < g->set_ops.n; i++) {
        if (g->set_ops.v[i] == set) {
            return;
        }
    }
    VEC_PUSH(&g->set_ops, set);
    gen_define_line(g, gen_text(g, "SET_OPS(%s, %s, %s, %u)", ty_c(g->tys, set),
                                ty_c(g->tys, set->elem), order_of(set->elem), set->cap));
}

void gen_need_map(struct gen *g, const struct ty *map)
{
    if (g->declined) {
        return;
    }
    for (size_t i = 0; i < g->map_ops.n; i++) {
        if (g->map_ops.v[i] == map) {
            return;
        }
    }
    VEC_PUSH(&g->map_ops, map);
    gen_define_line(g, gen_text(g, "MAP_OPS(%s, %s, %s, %s, %u)", ty_c(g->tys, map),
                                ty_c(g->tys, map->key), ty_c(g->tys, map->elem), order_of(map->key),
                                map->cap));
}

/* ---- conversion ---- */

/* dst (an lvalue of type `to`, zero so far) = src */
static void put_assign(struct gen *g, const char *dst, const struct ty *to, struct cv src)
{
    if (to->kind == TY_NONE) {
        gen_trap(g, "T_FIT");
        return;
    }
    src = cv_conv(g, src, to);
    gen_put(g, "%s = %s;\n", dst, cv_e(g, &src));
}

static struct cv conv_atom(struct gen *g, struct cv v, const struct ty *to)
{
    uint32_t classes = ty_classes(to);
    if (ty_classes(v.ty) & ~classes) {
        v = cv_hold(g, v);
        gen_trap_if(g, "T_FIT", "!(%uU >> atom_class[%s] & 1)", classes, cv_e(g, &v));
    }
    return cv_of(to, cv_e(g, &v));
}

static struct cv conv_scalar(struct gen *g, struct cv v, const struct ty *to)
{
    const char *e = cv_e(g, &v);
    struct cv ret = cv_of(to, e);
    if (to->kind == TY_INT && v.ty->kind == TY_INT) {
        if (to->w < v.ty->w) {
            v = cv_hold(g, v);
            ret.e = v.e;
            gen_trap_if(g, "T_FIT", "(%s)%s != %s", ty_c(g->tys, to), v.e, v.e);
        }
        return ret;
    }
    if (to->kind == TY_ATOM && v.ty->kind == TY_ATOM) {
        return conv_atom(g, v, to);
    }
    v = cv_hold(g, v);
    e = v.e;
    if (to->kind == TY_MIX && v.ty->kind == TY_ATOM && ty_has_typed(v.ty)) {
        gen_trap_if(g, "T_KIND", "atom_class[%s] >= %u", e, ATOM_TYPED);
    }
    if (to->kind == TY_MIX) {
        if (v.ty->kind == TY_INT) {
            if (v.ty->w == 8) {
                gen_trap_if(g, "T_FIT", "%s < MIX_INT_MIN || %s >= MIX_ATOM", e, e);
            }
            ret.e = e;
        } else {
            ret.e = gen_text(g, "(%s + %s)", v.ty->kind == TY_ATOM ? "MIX_ATOM" : "MIX_BOOL", e);
        }
        return ret;
    }
    if (v.ty->kind != TY_MIX) {
        gen_trap(g, "T_KIND");
        ret.e = "0";
        return ret;
    }
    if (to->kind == TY_INT) {
        gen_trap_if(g, "T_KIND", "%s >= MIX_ATOM", e);
        if (to->w < 4) {
            gen_trap_if(g, "T_FIT", "(%s)%s != %s", ty_c(g->tys, to), e, e);
        }
        ret.e = e;
    } else if (to->kind == TY_ATOM) {
        gen_trap_if(g, "T_KIND", "%s < MIX_ATOM || %s >= MIX_BOOL", e, e);
        ret = conv_atom(g, cv_of(g->tys->atom, gen_text(g, "(uint32_t)(%s - MIX_ATOM)", e)), to);
    } else {
        gen_trap_if(g, "T_KIND", "%s < MIX_BOOL", e);
        ret.e = gen_text(g, "(int)(%s - MIX_BOOL)", e);
    }
    return ret;
}

static void conv_to_union(struct gen *g, const struct ty *from, const struct ty *to)
{
    if (from->kind == TY_UNION) {
        for (uint32_t i = 0; i < from->n; i++) {
            int alt = ty_alternative(to, from->field[i]);
            gen_scope_open(g, gen_text(g, "if (a->t == %u)", i));
            if (alt < 0) {
                gen_trap(g, "T_FIT");
            } else {
                gen_put(g, "b->t = %d;\n", alt);
                put_assign(g, gen_text(g, "b->f%d", alt), to->field[alt],
                           cv_of(from->field[i], gen_text(g, "a->f%u", i)));
            }
            gen_scope_close(g);
        }
        return;
    }
    int alt = ty_alternative(to, from);
    if (alt < 0) {
        gen_trap(g, "T_FIT");
        return;
    }
    gen_put(g, "b->t = %d;\n", alt);
    put_assign(g, gen_text(g, "b->f%d", alt), to->field[alt], cv_of(from, "(*a)"));
}

/* Elements of a function that is no map, one by one: calls each(g, key, value). */
static void conv_rec_rec(struct gen *g, const struct ty *from, const struct ty *to)
{
    int map[TY_FIELDS];
    for (uint32_t i = 0; i < from->n; i++) {
        map[i] = ty_field(to, from->names[i]);
    }
    for (uint32_t v = 0; v < from->nvariant; v++) {
        uint64_t bits = 0;
        bool ok = true;
        for (uint32_t i = 0; i < from->n; i++) {
            if (from->variant[v] >> i & 1) {
                ok &= map[i] >= 0;
                bits |= map[i] >= 0 ? UINT64_C(1) << map[i] : 0;
            }
        }
        uint32_t at = 0;
        while (at < to->nvariant && to->variant[at] != bits) {
            at++;
        }
        gen_scope_open(g, from->nvariant > 1 ? gen_text(g, "if (a->t == %u)", v) : "");
        if (!ok || at == to->nvariant) {
            gen_trap(g, "T_FIT");
            gen_scope_close(g);
            continue;
        }
        if (to->nvariant > 1) {
            gen_put(g, "b->t = %u;\n", at);
        }
        for (uint32_t i = 0; i < from->n; i++) {
            if (from->variant[v] >> i & 1) {
                put_assign(g, gen_text(g, "b->f%d", map[i]), to->field[map[i]],
                           cv_of(from->field[i], gen_text(g, "a->f%u", i)));
            }
        }
        gen_scope_close(g);
    }
}

static void map_put(struct gen *g, const struct ty *to, struct cv key, struct cv val)
{
    gen_need_map(g, to);
    key = cv_conv(g, key, to->key);
    const char *k = gen_addr(g, &key);
    const char *v = gen_new_var(g, to->elem);
    put_assign(g, v, to->elem, val);
    struct cv vv = cv_of(to->elem, v);
    gen_put_call(g, "%s_put(b, %s, %s)", ty_c(g->tys, to), k, gen_addr(g, &vv));
}

/* From a map or a sequence: pair by pair, or all at once where they lie in the same order. */
static void conv_list_to_map(struct gen *g, const struct ty *from, const struct ty *to)
{
    bool map = from->kind == TY_MAP;
    if (from->cap == 0) {
        return;
    }
    if (map && from->key == to->key && from->elem == to->elem) {
        if (from->cap > to->cap) {
            gen_trap_if(g, "T_FIT", "a->n > %u", to->cap);
        }
        gen_put(g, "b->n = a->n; memcpy(b->k, a->k, (size_t)a->n * sizeof a->k[0]);\n"
                   "memcpy(b->a, a->a, (size_t)a->n * sizeof a->a[0]);\n");
        return;
    }
    gen_scope_open_loop(g, "for (int64_t i = 0; i < a->n; i++)");
    map_put(g, to, map ? cv_of(from->key, "a->k[i]") : cv_of(ty_int(g->tys, 2), "(i + 1)"),
            cv_of(from->elem, "a->a[i]"));
    gen_scope_close(g);
}

/* One pair of constant key. */
static void map_put_at(struct gen *g, const struct ty *to, struct val key, struct cv val)
{
    gen_scope_open(g, "");
    map_put(g, to, cv_val(g, key), val);
    gen_scope_close(g);
}

static void conv_record_to_map(struct gen *g, const struct ty *from, const struct ty *to)
{
    for (uint32_t v = 0; v < from->nvariant; v++) {
        gen_scope_open(g, from->nvariant > 1 ? gen_text(g, "if (a->t == %u)", v) : "");
        for (uint32_t i = 0; i < from->n; i++) {
            if (from->variant[v] >> i & 1) {
                map_put_at(g, to, from->names[i], cv_of(from->field[i], gen_text(g, "a->f%u", i)));
            }
        }
        gen_scope_close(g);
    }
}

static void conv_to_map(struct gen *g, const struct ty *from, const struct ty *to)
{
    if (to->key->kind == TY_NONE) {
        if (from->kind == TY_SEQ || from->kind == TY_MAP) {
            gen_trap_if(g, "T_FIT", "a->n");
        } else {
            gen_trap(g, "T_FIT");
        }
        return;
    }
    switch (from->kind) {
    case TY_MAP:
    case TY_SEQ: conv_list_to_map(g, from, to); return;
    case TY_FUN:
        for (uint32_t i = 0; i < from->n; i++) {
            map_put_at(g, to, from->names[i], cv_of(from->elem, gen_text(g, "a->a[%u]", i)));
        }
        return;
    case TY_TUP:
        for (uint32_t i = 0; i < from->n; i++) {
            map_put_at(g, to, val_small(i + 1), cv_of(from->field[i], gen_text(g, "a->f%u", i)));
        }
        return;
    default: conv_record_to_map(g, from, to); return;
    }
}

static void conv_to_tuple(struct gen *g, const struct ty *from, const struct ty *to)
{
    bool seq = to->kind == TY_SEQ;
    if (from->kind == TY_TUP) {
        if (seq ? from->n > to->cap : from->n != to->n) {
            gen_trap(g, "T_FIT");
            return;
        }
        if (seq) {
            gen_put(g, "b->n = %u;\n", from->n);
        }
        for (uint32_t i = 0; i < from->n; i++) {
            put_assign(g, gen_text(g, seq ? "b->a[%u]" : "b->f%u", i),
                       seq ? to->elem : to->field[i],
                       cv_of(from->field[i], gen_text(g, "a->f%u", i)));
        }
        return;
    }
    if (from->kind == TY_SEQ && seq) {
        if (from->cap > to->cap) {
            gen_trap_if(g, "T_FIT", "a->n > %u", to->cap);
        }
        gen_put(g, "b->n = a->n;\n");
        if (from->cap && to->cap) {
            gen_scope_open_loop(g, "for (uint32_t i = 0; i < a->n; i++)");
            put_assign(g, "b->a[i]", to->elem, cv_of(from->elem, "a->a[i]"));
            gen_scope_close(g);
        }
        return;
    }
    if (from->kind == TY_SEQ) {
        gen_trap_if(g, "T_FIT", "a->n != %u", to->n);
        for (uint32_t i = 0; i < to->n && i < from->cap; i++) {
            put_assign(g, gen_text(g, "b->f%u", i), to->field[i],
                       cv_of(from->elem, gen_text(g, "a->a[%u]", i)));
        }
        return;
    }
    if (from->kind == TY_MAP && seq) {
        gen_trap_if(g, "T_FIT", "a->n > %u", to->cap);
        if (from->cap && to->cap && from->key->kind == TY_INT) {
            gen_scope_open_loop(g, "for (uint32_t i = 0; i < a->n; i++)");
            gen_trap_if(g, "T_FIT", "a->k[i] != (int64_t)i + 1");
            put_assign(g, "b->a[i]", to->elem, cv_of(from->elem, "a->a[i]"));
            gen_scope_close(g);
            gen_put(g, "b->n = a->n;\n");
        } else {
            gen_trap_if(g, "T_FIT", "a->n");
        }
        return;
    }
    gen_trap(g, "T_FIT");
}

static void conv_to_fun(struct gen *g, const struct ty *from, const struct ty *to)
{
    if (from->kind == TY_FUN && from->n == to->n) {
        bool same = true;
        for (uint32_t i = 0; i < to->n; i++) {
            same &= val_hash(g->ctx, from->names[i]) == val_hash(g->ctx, to->names[i]);
        }
        if (same) {
            gen_scope_open_loop(g, gen_text(g, "for (uint32_t i = 0; i < %u; i++)", to->n));
            put_assign(g, "b->a[i]", to->elem, cv_of(from->elem, "a->a[i]"));
            gen_scope_close(g);
            return;
        }
    }
    if (from->kind == TY_MAP && from->cap) {
        gen_need_map(g, from);
        gen_trap_if(g, "T_FIT", "a->n != %u", to->n);
        for (uint32_t i = 0; i < to->n; i++) {
            gen_scope_open(g, "");
            struct cv key = cv_conv(g, cv_val(g, to->names[i]), from->key);
            gen_put(g, "int j = %s_find(a, %s);\n", ty_c(g->tys, from), gen_addr(g, &key));
            gen_trap_if(g, "T_FIT", "j < 0");
            put_assign(g, gen_text(g, "b->a[%u]", i), to->elem, cv_of(from->elem, "a->a[j]"));
            gen_scope_close(g);
        }
        return;
    }
    if (from->kind == TY_REC && from->nvariant == 1 && from->n == to->n) {
        for (uint32_t i = 0; i < to->n; i++) {
            int at = val_is_str(to->names[i]) ? ty_field(from, to->names[i]) : -1;
            if (at < 0) {
                gen_trap(g, "T_FIT");
                return;
            }
            put_assign(g, gen_text(g, "b->a[%u]", i), to->elem,
                       cv_of(from->field[at], gen_text(g, "a->f%d", at)));
        }
        return;
    }
    gen_trap(g, "T_FIT");
}

static void conv_to_rec(struct gen *g, const struct ty *from, const struct ty *to)
{
    if (from->kind == TY_REC) {
        conv_rec_rec(g, from, to);
        return;
    }
    uint64_t bits = 0;
    for (uint32_t i = 0; from->kind == TY_FUN && i < from->n; i++) {
        int at = val_is_str(from->names[i]) ? ty_field(to, from->names[i]) : -1;
        bits = at < 0 ? UINT64_MAX : bits | UINT64_C(1) << at;
    }
    uint32_t v = 0;
    while (v < to->nvariant && to->variant[v] != bits) {
        v++;
    }
    if (from->kind != TY_FUN || v == to->nvariant) {
        gen_trap(g, "T_FIT");
        return;
    }
    if (to->nvariant > 1) {
        gen_put(g, "b->t = %u;\n", v);
    }
    for (uint32_t i = 0; i < from->n; i++) {
        int at = ty_field(to, from->names[i]);
        put_assign(g, gen_text(g, "b->f%d", at), to->field[at],
                   cv_of(from->elem, gen_text(g, "a->a[%u]", i)));
    }
}

static void conv_to_set(struct gen *g, const struct ty *from, const struct ty *to)
{
    if (from->kind == TY_SET && from->cap == 0) {
        return;
    }
    if (to->elem->kind == TY_NONE) {
        if (from->kind == TY_SET) {
            gen_trap_if(g, "T_FIT", "a->n");
        } else {
            gen_trap(g, "T_FIT");
        }
        return;
    }
    struct loop_out loop;
    gen_loop_open_cv(g, cv_of(from, "(*a)"), &loop);
    emit_set_add_known(g, "(*b)", to, loop.elem);
    gen_loop_close(g, &loop);
}

static struct conv_key conv_function(struct gen *g, const struct ty *from, const struct ty *to)
{
    for (size_t i = 0; i < g->convs.n; i++) {
        if (g->convs.v[i].from == from && g->convs.v[i].to == to) {
            return g->convs.v[i];
        }
    }
    struct side side;
    gen_side_open(g, &side);
    if (from->kind == TY_UNION && to->kind != TY_UNION) {
        int alt = ty_alternative(from, to);
        if (alt < 0) {
            gen_trap(g, "T_KIND");
        } else {
            gen_trap_if(g, "T_KIND", "a->t != %d", alt);
            put_assign(g, "(*b)", to, cv_of(from->field[alt], gen_text(g, "a->f%d", alt)));
        }
    } else if (to->kind == TY_UNION) {
        conv_to_union(g, from, to);
    } else if (to->kind == TY_MAP) {
        conv_to_map(g, from, to);
    } else if (to->kind == TY_SEQ || to->kind == TY_TUP) {
        conv_to_tuple(g, from, to);
    } else if (to->kind == TY_FUN) {
        conv_to_fun(g, from, to);
    } else if (to->kind == TY_REC) {
        conv_to_rec(g, from, to);
    } else if ((to->kind == TY_SET || to->kind == TY_BITS) &&
               (from->kind == TY_SET || from->kind == TY_BITS)) {
        conv_to_set(g, from, to);
    } else {
        gen_trap(g, "T_KIND");
    }
    gen_put(g, "return 0;\n");
    bool short_one = to->kind == TY_REC && from->kind == TY_REC && from->nvariant == 1;
    const char *name = gen_side_close(
        g, &side, "x",
        short_one ? "static inline __attribute__((always_inline)) int " : "static int ",
        gen_text(g, "(struct W *w, const %s *a, %s *b)", ty_c(g->tys, from), ty_c(g->tys, to)));
    struct conv_key key = {from, to, name, side.traps};
    if (!g->declined) {
        VEC_PUSH(&g->convs, key);
    }
    return key;
}

struct cv cv_conv(struct gen *g, struct cv v, const struct ty *to)
{
    if (v.ty == to) {
        return v;
    }
    if (g->declined) {
        return cv_of(to, "0");
    }
    if (v.is_val) {
        const char *e = const_text(g, v.val, to);
        if (e) {
            v.ty = to;
            v.e = e;
            v.stable = true;
            return v;
        }
        if (!v.ty) {
            return gen_no(g, "a set that cannot be laid out is used as a value");
        }
    }
    if (v.ty->kind == TY_NONE) {
        gen_trap(g, "T_FIT");
        return cv_of(to, gen_new_var(g, to));
    }
    if (ty_is_scalar(v.ty) && ty_is_scalar(to)) {
        return conv_scalar(g, v, to);
    }
    struct conv_key fn = conv_function(g, v.ty, to);
    const char *t = gen_tmp(g);
    const char *from = gen_addr(g, &v);
    gen_put_zero(g, to, t);
    if (fn.traps) {
        gen_put_call(g, "%s(w, %s, &%s)", fn.name, from, t);
    } else {
        gen_put(g, "%s(w, %s, &%s);\n", fn.name, from, t);
    }
    return cv_of(to, t);
}

struct cv cv_narrow(struct gen *g, struct cv v, const struct ty *like)
{
    if (g->declined || !v.ty || v.ty->kind != TY_UNION) {
        return g->declined ? cv_of(like, "0") : v;
    }
    int alt = ty_alternative(v.ty, like);
    if (alt < 0) {
        gen_trap(g, "T_KIND");
        return cv_of(like, gen_new_var(g, like));
    }
    const char *e = cv_e(g, &v);
    gen_trap_if(g, "T_KIND", "%s.t != %d", e, alt);
    struct cv ret = cv_of(v.ty->field[alt], gen_text(g, "%s.f%d", e, alt));
    ret.stable = v.stable;
    return ret;
}

struct cv cv_int(struct gen *g, struct cv v)
{
    v = cv_narrow(g, v, ty_int(g->tys, 8));
    if (!v.ty || !ty_is_scalar(v.ty)) {
        gen_trap(g, "T_KIND");
        return cv_of(ty_int(g->tys, 8), "0");
    }
    return v.ty->kind == TY_INT ? v : conv_scalar(g, v, ty_int(g->tys, 8));
}

struct cv cv_bool(struct gen *g, struct cv v)
{
    v = cv_narrow(g, v, g->tys->boolean);
    if (!v.ty || !ty_is_scalar(v.ty)) {
        gen_trap(g, "T_KIND");
        return cv_of(g->tys->boolean, "0");
    }
    return v.ty->kind == TY_BOOL ? v : conv_scalar(g, v, g->tys->boolean);
}

struct cv cv_fcn(struct gen *g, struct cv v)
{
    if (v.ty && v.ty->kind == TY_UNION) {
        for (uint32_t i = 0; i < v.ty->n; i++) {
            if (ty_is_fcn(v.ty->field[i])) {
                return cv_narrow(g, v, v.ty->field[i]);
            }
        }
    }
    return v;
}

struct cv cv_set(struct gen *g, struct cv v)
{
    if (v.ty && v.ty->kind == TY_UNION) {
        for (uint32_t i = 0; i < v.ty->n; i++) {
            if (v.ty->field[i]->kind == TY_SET || v.ty->field[i]->kind == TY_BITS) {
                return cv_narrow(g, v, v.ty->field[i]);
            }
        }
    }
    return v;
}

/* ---- equality ---- */

/* Is a record compared with a function that is none, somewhere? TLC may refuse. */
static bool confuses(const struct ty *a, const struct ty *b)
{
    if (a == b || a->kind == TY_NONE || b->kind == TY_NONE) {
        return false;
    }
    if ((a->kind == TY_REC) != (b->kind == TY_REC) && ty_is_fcn(a) && ty_is_fcn(b)) {
        const struct ty *other = a->kind == TY_REC ? b : a;
        return other->kind == TY_FUN || other->cap > 0;
    }
    if (a->kind != b->kind) {
        return (a->elem && b->elem && confuses(a->elem, b->elem)) ||
               (a->key && b->key && confuses(a->key, b->key));
    }
    for (uint32_t i = 0; a->kind == TY_TUP && a->n == b->n && i < a->n; i++) {
        if (confuses(a->field[i], b->field[i])) {
            return true;
        }
    }
    for (uint32_t i = 0; a->kind == TY_REC && i < a->n; i++) {
        int at = ty_field(b, a->names[i]);
        if (at >= 0 && confuses(a->field[i], b->field[at])) {
            return true;
        }
    }
    return (a->elem && b->elem && confuses(a->elem, b->elem)) ||
           (a->key && b->key && confuses(a->key, b->key));
}

bool ty_in_order(const struct ty *ty)
{
    return ty->kind == TY_INT || ty->kind == TY_BOOL ||
           (ty->kind == TY_ATOM && ty_comparable(ty, ty));
}

/* ---- values that may be of different kinds ----
 * TLC refuses to compare an integer with a string, or a tuple with a function that has a model
 * value in its domain. A type is clean when any two of its values can be compared; for the others
 * there is a function q<id> that says whether two values are equal and traps where TLC might fail.
 */
bool ty_is_clean(const struct ty *ty)
{
    if (ty->kind == TY_MIX || ty->kind == TY_UNION) {
        return false;
    }
    if (ty->kind == TY_ATOM) {
        return ty_comparable(ty, ty);
    }
    if (ty->kind == TY_BITS) {
        return true;
    }
    for (uint32_t i = 0; ty->field && i < ty->n; i++) {
        if (!ty_is_clean(ty->field[i])) {
            return false;
        }
    }
    return (ty->kind == TY_FUN || !ty->key || ty_is_clean(ty->key)) &&
           (!ty->elem || ty_is_clean(ty->elem));
}

static struct conv_key eq_function(struct gen *g, const struct ty *ty);

/* C expression: are the lvalues a and b equal? May write statements. */
static const char *eq_text(struct gen *g, const struct ty *ty, const char *a, const char *b)
{
    if (ty->kind == TY_NONE || ty->size == 0) {
        return "1";
    }
    if (ty->kind == TY_MIX) {
        return gen_call(g, "int", "mix_eq", "%s, %s", a, b);
    }
    if (ty->kind == TY_ATOM && !ty_is_clean(ty)) {
        return gen_call(g, "int", "atom_eq", "%s, %s", a, b);
    }
    if (ty_by_value(ty)) {
        return gen_text(g, "(%s == %s)", a, b);
    }
    if (ty_is_clean(ty)) {
        return gen_text(g, "(memcmp(&%s, &%s, %u) == 0)", a, b, ty->size);
    }
    struct conv_key eq = eq_function(g, ty);
    return gen_call_of(g, "int", &eq, "w, &%s, &%s", a, b);
}

void gen_put_alternatives(struct gen *g, const struct ty *ty, compare_fn compare)
{
    gen_scope_open(g, "if (a->t == b->t) switch (a->t)");
    for (uint32_t i = 0; i < ty->n; i++) {
        const char *x = gen_text(g, "a->f%u", i);
        const char *y = gen_text(g, "b->f%u", i);
        gen_scope_open(g, gen_text(g, "case %u:", i));
        gen_put(g, "GIVE(%s);\n", compare(g, ty->field[i], x, y));
        gen_scope_close(g);
    }
    gen_scope_close(g);
}

static void eq_unions(struct gen *g, const struct ty *ty)
{
    gen_put_alternatives(g, ty, eq_text);
    int at = ty_alternative(ty, g->tys->atom);
    const struct ty *st = at >= 0 ? ty->field[at] : NULL;
    if (st &&
        (st->kind == TY_ATOM || st->kind == TY_MIX)) { /* only model values may differ in kind */
        const char *head = st->kind == TY_ATOM ? "is_model[" : "mix_model(";
        const char *tail = st->kind == TY_ATOM ? "]" : ")";
        for (int side = 0; side < 2; side++) {
            const char *v = side ? "b" : "a";
            gen_put(g, "if (%s->t == %d && %s%s->f%d%s) GIVE(0);\n", v, at, head, v, at, tail);
        }
    }
    gen_trap(g, "T_KIND");
}

/* Compares each of a with each of b, for one may trap, and says that a and b are not equal. */
static void eq_each_other(struct gen *g, const struct ty *elem, char array)
{
    gen_scope_open_loop(g, "for (uint32_t i = 0; i < a->n; i++)");
    gen_scope_open_loop(g, "for (uint32_t j = 0; j < b->n; j++)");
    (void)eq_text(g, elem, gen_text(g, "a->%c[i]", array), gen_text(g, "b->%c[j]", array));
    gen_scopes_close(g, 2);
    gen_put(g, "GIVE(0);\n");
}

/* Element by element, up to n. */
static void eq_in_order(struct gen *g, const struct ty *elem, const char *n)
{
    gen_scope_open_loop(g, gen_text(g, "for (uint32_t i = 0; i < %s; i++)", n));
    gen_put(g, "if (!%s) GIVE(0);\n", eq_text(g, elem, "a->a[i]", "b->a[i]"));
    gen_scope_close(g);
}

/* Of one number of keys: a tuple is not compared with what has keys that are no integers. */
static void eq_maps(struct gen *g, const struct ty *ty)
{
    gen_put(g, "if (a->n != b->n) GIVE(0);\nint same = memcmp(a->k, b->k, sizeof a->k) == 0;\n");
    if (ty->key->kind == TY_MIX) {
        gen_put_trap_loop(g,
                          "int ta = 1, tb = 1, other = 0; for (uint32_t i = 0; i < a->n; i++) {\n"
                          "ta &= a->k[i] == (int64_t)i + 1; tb &= b->k[i] == (int64_t)i + 1;\n"
                          "other |= a->k[i] >= MIX_ATOM || b->k[i] >= MIX_ATOM; }\n"
                          "if (ta != tb && other) TRAP(T_KIND);\n");
    } else if (ty->key->kind == TY_UNION) {
        gen_trap_if(g, "T_KIND", "!same");
    }
    gen_scope_open(g, "if (!same)");
    eq_each_other(g, ty->key, 'k');
    gen_scope_close(g);
    gen_scope_open_loop(g, "for (uint32_t i = 0; i < a->n; i++)");
    gen_put(g, "same &= %s;\n", eq_text(g, ty->elem, "a->a[i]", "b->a[i]"));
    gen_scope_close(g);
    gen_put(g, "GIVE(same);\n");
}

static void eq_body(struct gen *g, const struct ty *ty)
{
    switch (ty->kind) {
    case TY_UNION: eq_unions(g, ty); return;
    case TY_MAP: eq_maps(g, ty); return;
    case TY_REC:
    case TY_TUP:
        if (ty->nvariant > 1) {
            gen_put(g, "if (a->t != b->t) GIVE(0);\n");
        }
        for (uint32_t i = 0; i < ty->n; i++) {
            gen_put(g, "if (!%s) GIVE(0);\n",
                    eq_text(g, ty->field[i], gen_text(g, "a->f%u", i), gen_text(g, "b->f%u", i)));
        }
        break;
    case TY_FUN: eq_in_order(g, ty->elem, gen_text(g, "%u", ty->n)); break;
    case TY_SEQ:
        gen_put(g, "if (a->n != b->n) GIVE(0);\n");
        eq_in_order(g, ty->elem, "a->n");
        break;
    default: /* SET */
        gen_put(g, "if (a->n != b->n) GIVE(0);\nif (memcmp(a, b, sizeof *a) == 0) GIVE(1);\n");
        eq_each_other(g, ty->elem, 'a');
        return;
    }
    gen_put(g, "GIVE(1);\n");
}

static struct conv_key eq_function(struct gen *g, const struct ty *ty)
{
    for (size_t i = 0; i < g->convs.n; i++) { /* from NULL: equality */
        if (!g->convs.v[i].from && g->convs.v[i].to == ty) {
            return g->convs.v[i];
        }
    }
    struct side side;
    gen_side_open(g, &side);
    eq_body(g, ty);
    const char *c = ty_c(g->tys, ty);
    const char *name =
        gen_side_close(g, &side, "q", "static int ",
                       gen_text(g, "(struct W *w, const %s *a, const %s *b, int *ret)", c, c));
    struct conv_key key = {NULL, ty, name, side.traps};
    if (!g->declined) {
        VEC_PUSH(&g->convs, key);
    }
    return key;
}

/* Before an element is looked for among the n keys or elements at `array`: can it be compared with
 * them all? */
void emit_comparable(struct gen *g, const struct ty *ty, const char *pointer, const char *array,
                     const char *n)
{
    if (!g->declined && !ty_is_clean(ty)) {
        gen_scope_open_loop(g, gen_text(g, "for (uint32_t i = 0; i < %s; i++)", n));
        (void)eq_text(g, ty, gen_text(g, "(*(%s))", pointer), gen_text(g, "%s[i]", array));
        gen_scope_close(g);
    }
}

/* <<>> or {} */
static bool is_empty(struct cv v)
{
    return v.is_val && val_is_obj(v.val) && val_obj(v.val)->n == 0 &&
           (val_is_kind(v.val, VK_TUPLE) || val_is_kind(v.val, VK_SET));
}

/* Is there a count that says whether a value is empty? Only where <<>> and {} are not mixed. */
static bool has_count(const struct ty *ty)
{
    return ty->kind == TY_SEQ || ty->kind == TY_MAP || ty->kind == TY_SET;
}

const char *emit_eq(struct gen *g, struct cv a, struct cv b)
{
    if (g->declined) {
        return "0";
    }
    if (!a.ty || !b.ty) {
        gen_no(g, "equality with a set that cannot be laid out");
        return "0";
    }
    if (a.ty->kind == TY_NONE || b.ty->kind == TY_NONE) {
        gen_trap(g, "T_KIND");
        return "0";
    }
    if (a.ty->kind == TY_ATOM && b.ty->kind == TY_ATOM && !ty_comparable(a.ty, b.ty)) {
        const char *x = cv_e(g, &a);
        return gen_call(g, "int", "atom_eq", "%s, %s", x, cv_e(g, &b));
    }
    if (a.ty->kind == b.ty->kind && ty_is_scalar(a.ty) && a.ty->kind != TY_MIX) {
        return gen_text(g, "(%s == %s)", cv_e(g, &a), cv_e(g, &b));
    }
    if (ty_is_scalar(a.ty) && ty_is_scalar(b.ty)) {
        a = cv_conv(g, a, g->tys->mix);
        b = cv_conv(g, b, g->tys->mix);
        const char *x = cv_e(g, &a);
        return gen_call(g, "int", "mix_eq", "%s, %s", x, cv_e(g, &b));
    }
    if (is_empty(b) && has_count(a.ty) && (a.ty->kind == TY_SET) == val_is_set(b.val)) {
        return gen_text(g, "(%s.n == 0)", cv_e(g, &a));
    }
    if (is_empty(a) && has_count(b.ty) && (b.ty->kind == TY_SET) == val_is_set(a.val)) {
        return gen_text(g, "(%s.n == 0)", cv_e(g, &b));
    }
    const struct ty *join = ty_join(g->tys, a.ty, b.ty);
    if (!join) {
        gen_no(g, "values of different shape are compared");
        return "0";
    }
    bool confused = confuses(a.ty, b.ty);
    a = cv_conv(g, a, join);
    b = cv_conv(g, b, join);
    if (confused || !ty_is_clean(join)) {
        const char *t = gen_tmp(g);
        const char *x = cv_e(g, &a);
        const char *y = cv_e(g, &b);
        gen_put(g, "int %s = %s;\n", t, eq_text(g, join, x, y));
        if (confused) {
            gen_trap_if(g, "T_KIND", "!%s", t);
        }
        return t;
    }
    if (ty_by_value(join)) {
        return gen_text(g, "(%s == %s)", cv_e(g, &a), cv_e(g, &b));
    }
    if (join->size == 0) {
        return "1";
    }
    return gen_text(g, "same_bytes(&%s, &%s, %u)", cv_e(g, &a), cv_e(g, &b), join->size);
}
