/* Statements, blocks and variables of the function that is being written; what is declined is taken
 * back. See emit.h. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/emit.h"
#include "cgen/tree.h"
#include "cgen/ty.h"

enum { CALL_ARGS = 64 };

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
    return cv_none(g);
}

/* ---- statements ---- */

/* Too much text is given up as a whole. */
static struct tree_node *put_node(struct gen *g, struct tree_node like, unsigned effects)
{
    if (g->declined) {
        return NULL;
    }
    const struct cx *const operand[] = {like.x, like.y, like.cond, like.step};
    g->bytes += like.text ? strlen(like.text) + 4 : 4;
    for (size_t i = 0; i < sizeof operand / sizeof operand[0]; i++) {
        g->bytes += operand[i] ? operand[i]->len : 0;
    }
    struct tree_node *node = tree_add(g->arena, g->out, like, effects);
    if (g->bytes > g->limit || g->bytes + g->defs.n + g->written > g->limit_all) {
        g->whole = true;
        gen_no(g, "the code grows too large");
    }
    return node;
}

void gen_set(struct gen *g, const struct cx *place, const struct cx *x)
{
    gen_change(g, place, "=", x);
}

void gen_change(struct gen *g, const struct cx *place, const char *op, const struct cx *x)
{
    ASSERT(g->declined || (cx_is_place(place) && !(place->op == CX_NAME && place->fixed)));
    ASSERT(g->declined || place->kind != CX_STRUCT || place->ty == x->ty ||
           place->ty->kind == TY_NONE || x->ty->kind == TY_NONE);
    (void)put_node(g, (struct tree_node){.kind = TREE_SET, .text = op, .x = place, .y = x},
                   TREE_PLAIN);
}

void gen_do(struct gen *g, const struct cx *x)
{
    (void)put_node(g, (struct tree_node){.kind = TREE_DO, .x = x}, TREE_PLAIN);
}

void gen_trap(struct gen *g, const char *why)
{
    (void)put_node(g, (struct tree_node){.kind = TREE_TRAP, .text = why}, TREE_TRAPS);
}

void gen_call_into(struct gen *g, const struct cx *call)
{
    ASSERT(g->declined || call->op == CX_CALL);
    (void)put_node(g, (struct tree_node){.kind = TREE_CALL, .x = call}, TREE_TRAPS);
}

void gen_goto(struct gen *g, const char *label)
{
    (void)put_node(g, (struct tree_node){.kind = TREE_GOTO, .text = label}, TREE_PLAIN);
}

void gen_label(struct gen *g, const char *label)
{
    (void)put_node(g, (struct tree_node){.kind = TREE_LABEL, .text = label}, TREE_PLAIN);
}

const char *gen_new_label(struct gen *g)
{
    return gen_text(g, "l%u", (*g->ntmp)++);
}

void gen_break(struct gen *g)
{
    (void)put_node(g, (struct tree_node){.kind = TREE_BREAK}, TREE_PLAIN);
}

void gen_return(struct gen *g, const struct cx *x, bool traps)
{
    (void)put_node(g, (struct tree_node){.kind = TREE_RETURN, .x = x},
                   traps ? TREE_TRAPS : TREE_PLAIN);
}

void gen_give(struct gen *g, const struct cx *x)
{
    (void)put_node(g, (struct tree_node){.kind = TREE_GIVE, .x = x}, TREE_PLAIN);
}

void gen_poll(struct gen *g)
{
    (void)put_node(g, (struct tree_node){.kind = TREE_POLL}, TREE_PLAIN);
}

/* ---- what is known ----
 * Variables that hold a fixed node, and checks of fixed nodes, by the node. What was found out in a
 * block is not known behind it; what is known in one function is not known in another. */
const struct cx *gen_known(const struct gen *g, const struct cx *of)
{
    if (g->known_off || of->id >= g->known_at.n) {
        return NULL;
    }
    size_t at = g->known_at.v[of->id];
    return at >= g->known_from && at < g->known.n && g->known.v[at].of == of ? g->known.v[at].is
                                                                             : NULL;
}

void gen_know(struct gen *g, const struct cx *of, const struct cx *is)
{
    if (g->known_off || g->declined || !of->fixed) {
        return;
    }
    while (g->known_at.n <= of->id) {
        VEC_PUSH(&g->known_at, 0);
    }
    g->known_at.v[of->id] = (uint32_t)g->known.n;
    VEC_PUSH(&g->known, (struct known){of, is, gen_scope_now(g)});
}

static void forget(struct gen *g, uint32_t scope)
{
    while (g->known.n > g->known_from && VEC_LAST(&g->known).scope >= scope) {
        g->known.n--;
    }
}

struct known_mark gen_known_apart(struct gen *g)
{
    struct known_mark mark = {g->known_from, g->known.n, g->known_off};
    g->known_from = g->known.n;
    g->known_off = false;
    return mark;
}

void gen_known_back(struct gen *g, struct known_mark mark)
{
    g->known_from = mark.from;
    g->known.n = mark.n;
    g->known_off = mark.off;
}

/* From here on in the block at hand, the condition holds. */
static void suppose(struct gen *g, const struct cx *cond)
{
    if (g->declined || cond->op == CX_NUMBER || !cond->fixed) {
        return;
    }
    gen_know(g, cx_truth(g, cond), cx_int(g, 1));
    gen_know(g, cx_not(g, cond), cx_int(g, 0));
    if (cond->op == CX_BOTH) {
        suppose(g, cond->kid[0]);
        suppose(g, cond->kid[1]);
    }
}

static void suppose_not(struct gen *g, const struct cx *cond)
{
    if (g->declined) {
        return;
    }
    suppose(g, cx_not(g, cond));
    if (cond->op == CX_EITHER) {
        suppose_not(g, cond->kid[0]);
        suppose_not(g, cond->kid[1]);
    }
}

/* A condition, but for the parts of it that are known here. */
static const struct cx *settled(struct gen *g, const struct cx *cond)
{
    if (g->declined || cond->op == CX_NUMBER) {
        return cond;
    }
    const struct cx *is = cond->fixed ? gen_known(g, cx_truth(g, cond)) : NULL;
    if (is && is->op == CX_NUMBER) {
        return is;
    }
    if (cond->op == CX_BOTH || cond->op == CX_EITHER) {
        const struct cx *a = settled(g, cond->kid[0]);
        const struct cx *b = settled(g, cond->kid[1]);
        return a == cond->kid[0] && b == cond->kid[1] ? cond : cx_two(g, cond->op, a, b);
    }
    return cond;
}

void gen_trap_if(struct gen *g, const char *why, const struct cx *cond)
{
    cond = settled(g, cond);
    if (g->declined || cx_is(cond, 0)) {
        return;
    }
    if (cond->op == CX_NUMBER) {
        gen_trap(g, why);
        return;
    }
    (void)put_node(g, (struct tree_node){.kind = TREE_TRAP_IF, .text = why, .x = cond}, TREE_TRAPS);
    suppose_not(g, cond);
}

/* ---- variables ---- */
const char *gen_tmp(struct gen *g)
{
    return gen_text(g, "t%u", (*g->ntmp)++);
}

static const struct cx *put_var(struct gen *g, enum tree_kind how, const struct cx *like,
                                const struct cx *is)
{
    bool fixed = how == TREE_LET;
    if (g->declined) {
        return cx_int(g, 0);
    }
    const struct cx *x = cx_name(g, like->kind, like->ty, gen_tmp(g), fixed);
    (void)put_node(g, (struct tree_node){.kind = how, .text = cx_c(g, like), .x = x, .y = is},
                   TREE_PLAIN);
    return x;
}

const struct cx *gen_let(struct gen *g, const struct cx *x)
{
    if (g->declined || x->op == CX_NUMBER || (x->op == CX_NAME && x->fixed)) {
        return x;
    }
    const struct cx *has = x->fixed ? gen_known(g, x) : NULL;
    if (!has) {
        has = put_var(g, TREE_LET, x, x);
        share_note(g, has, x);
        gen_know(g, x, has);
    }
    return has;
}

const struct cx *gen_new_var(struct gen *g, const struct ty *ty)
{
    return put_var(g, ty->kind == TY_NONE ? TREE_ROOM : TREE_VAR, cx_var(g, ty, ""), NULL);
}

const struct cx *gen_new_room(struct gen *g, const struct ty *ty)
{
    return put_var(g, TREE_ROOM, cx_var(g, ty, ""), NULL);
}

const struct cx *gen_new_copy(struct gen *g, const struct ty *ty, const struct cx *x)
{
    return put_var(g, TREE_VAR, cx_var(g, ty, ""), x);
}

const struct cx *gen_new_number(struct gen *g, enum cx_kind kind, const struct cx *init)
{
    return put_var(g, TREE_VAR, cx_name(g, kind, NULL, "", false), init);
}

const struct cx *gen_new_flag(struct gen *g, const struct cx *init)
{
    return gen_new_number(g, CX_INT, init);
}

const struct cx *gen_new_numbers(struct gen *g, uint32_t n)
{
    const struct cx *x = cx_name(g, CX_ARRAY, NULL, gen_tmp(g), false);
    const struct cx *many = cx_int(g, n);
    (void)put_node(g, (struct tree_node){.kind = TREE_ARRAY, .text = "uint16_t", .x = x, .y = many},
                   TREE_PLAIN);
    return x;
}

const struct cx *gen_new_stored(struct gen *g, const struct ty *ty)
{
    if (g->declined) {
        return cx_int(g, 0);
    }
    const struct cx *x = cx_var(g, ty, gen_tmp(g));
    enum tree_kind how = ty->kind == TY_NONE ? TREE_ROOM : TREE_VAR;
    (void)put_node(g, (struct tree_node){.kind = how, .text = ty_c(g->tys, ty), .x = x},
                   TREE_PLAIN);
    return x;
}

void gen_put_var(struct gen *g, const struct cx *x, const struct cx *init)
{
    enum tree_kind how = x->ty && x->ty->kind == TY_NONE ? TREE_ROOM : TREE_VAR;
    (void)put_node(g, (struct tree_node){.kind = how, .text = cx_c(g, x), .x = x, .y = init},
                   TREE_PLAIN);
}

void gen_put_room_of(struct gen *g, const struct cx *x, const char *c)
{
    (void)put_node(g, (struct tree_node){.kind = TREE_ROOM, .text = c, .x = x}, TREE_PLAIN);
}

void gen_put_var_of(struct gen *g, const struct cx *x, const char *c, const struct cx *init)
{
    (void)put_node(g, (struct tree_node){.kind = TREE_VAR, .text = c, .x = x, .y = init},
                   TREE_PLAIN);
}

void gen_put_room(struct gen *g, const struct cx *x)
{
    gen_put_room_of(g, x, cx_c(g, x));
}

void gen_declare(struct gen *g, const struct cx *x, const char *c, const struct cx *init)
{
    enum tree_kind how = init ? TREE_VAR : TREE_ROOM;
    if (!g->declined) {
        (void)tree_add(g->arena, g->decls,
                       (struct tree_node){.kind = how, .text = c, .x = x, .y = init}, TREE_PLAIN);
    }
}

/* ---- calls ---- */

/* A call that writes what it gives through a pointer, its last argument, to `t`. */
static const struct cx *call_into(struct gen *g, const struct cx *call, const struct cx *t,
                                  bool traps)
{
    const struct cx *args[CALL_ARGS];
    ASSERT(call->op == CX_CALL && call->n < CALL_ARGS);
    memcpy((void *)args, (const void *)call->kid, call->n * sizeof args[0]);
    args[call->n] = cx_addr(g, t);
    const struct cx *into = cx_call_n(g, CX_OTHER, NULL, call->text, args, call->n + 1);
    if (traps) {
        gen_call_into(g, into);
    } else {
        gen_do(g, into);
    }
    const struct cx *is = cx_sealed(g, t);
    share_note(g, is, call);
    gen_know(g, call, is);
    return is;
}

const struct cx *gen_call(struct gen *g, const struct cx *call)
{
    const struct conv_key traps = {.traps = true};
    return gen_call_of(g, call, &traps);
}

const struct cx *gen_call_of(struct gen *g, const struct cx *call, const struct conv_key *function)
{
    const struct cx *has = g->declined ? call : call->fixed ? gen_known(g, call) : NULL;
    return has ? has : call_into(g, call, put_var(g, TREE_ROOM, call, NULL), function->traps);
}

const struct cx *gen_filled(struct gen *g, const struct cx *call, const struct conv_key *function)
{
    const struct cx *has = g->declined ? call : call->fixed ? gen_known(g, call) : NULL;
    return has ? has : call_into(g, call, gen_new_stored(g, call->ty), function->traps);
}

/* ---- what is declined ---- */
struct gen_mark gen_mark(const struct gen *g)
{
    return (struct gen_mark){.out = g->out,
                             .at = tree_mark(g->out),
                             .nscope = g->scopes.n,
                             .nknown = g->known.n,
                             .bytes = g->bytes};
}

void gen_cut(struct gen *g, const struct gen_mark *mark)
{
    HOT_ASSERT(g->out == mark->out && g->scopes.n == mark->nscope);
    tree_cut(mark->out, &mark->at);
    g->bytes = mark->bytes;
    g->known.n = g->known.n < mark->nknown ? g->known.n : mark->nknown;
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
    struct strbuf sb = {.arena = g->arena};
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&sb, fmt, ap);
    va_end(ap);
    return strbuf_cstr(&sb);
}

/* ---- blocks ---- */
static void scope_open(struct gen *g, struct tree_node like, unsigned effects)
{
    struct tree *around = g->out;
    struct tree_node *block = tree_open(g->arena, around, like, effects);
    g->bytes += 8 + (like.text ? strlen(like.text) : 0) + (like.x ? like.x->len : 0) +
                (like.y ? like.y->len : 0) + (like.cond ? like.cond->len : 0);
    VEC_PUSH(&g->scopes, (struct scope){++g->nscope, block, around, effects & TREE_LOOPS});
    g->out = block->body;
}

void gen_block(struct gen *g)
{
    scope_open(g, (struct tree_node){.kind = TREE_BLOCK}, TREE_PLAIN);
}

void gen_if(struct gen *g, const struct cx *cond)
{
    cond = settled(g, cond);
    scope_open(g, (struct tree_node){.kind = TREE_IF, .x = cond}, TREE_PLAIN);
    suppose(g, cond);
}

void gen_else(struct gen *g, const struct cx *cond)
{
    scope_open(g, (struct tree_node){.kind = TREE_ELSE}, TREE_PLAIN);
    if (cond) {
        suppose_not(g, cond);
    }
}

void gen_once(struct gen *g)
{
    scope_open(g, (struct tree_node){.kind = TREE_ONCE}, TREE_PLAIN);
}

void gen_switch(struct gen *g, const struct cx *x)
{
    scope_open(g, (struct tree_node){.kind = TREE_SWITCH, .x = x}, TREE_PLAIN);
}

void gen_case(struct gen *g, const struct cx *x)
{
    scope_open(g, (struct tree_node){.kind = TREE_CASE, .x = x}, TREE_PLAIN);
}

void gen_while(struct gen *g, const struct cx *cond)
{
    scope_open(g, (struct tree_node){.kind = TREE_WHILE, .x = cond}, TREE_LOOPS);
}

void gen_for(struct gen *g, const struct cx *x, const struct cx *from, const struct cx *cond,
             const char *op, const struct cx *step)
{
    scope_open(g,
               (struct tree_node){.kind = TREE_FOR,
                                  .text = from ? cx_c(g, x) : NULL,
                                  .x = x,
                                  .y = from,
                                  .cond = cond,
                                  .op = op,
                                  .step = step},
               TREE_LOOPS);
}

const struct cx *gen_for_while(struct gen *g, enum cx_kind kind, const struct cx *n,
                               const struct cx *also)
{
    const char *name = gen_tmp(g);
    const struct cx *i = cx_name(g, kind, NULL, name, false);
    const struct cx *cond = cx_two(g, CX_LT, i, n);
    gen_for(g, i, cx_int(g, 0), also ? cx_two(g, CX_BOTH, cond, also) : cond, "+=", cx_int(g, 1));
    return cx_name(g, kind, NULL, name, true); /* inside, it stays as it is */
}

const struct cx *gen_for_n(struct gen *g, enum cx_kind kind, const struct cx *n)
{
    return gen_for_while(g, kind, n, NULL);
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
    forget(g, scope.id);
}

void gen_scope_enter(struct gen *g)
{
    VEC_PUSH(&g->scopes, (struct scope){++g->nscope, NULL, g->out, false});
}

void gen_scope_leave(struct gen *g)
{
    ASSERT(g->declined || !VEC_LAST(&g->scopes).block);
    forget(g, VEC_LAST(&g->scopes).id);
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
