/* Calls of recursive functions that a C function makes once, wherever in it they are wanted: what
 * `F[i - 1]` gives in the body of F is asked for in several places, inside of conditions and LETs,
 * and a call for each of them would take time by the power of the depth. TLC makes them all.
 *
 * What the operands are made of is looked up: a variable that is given its value in one place
 * stands for that value. Where that ends at constants, at parameters of the C function and at the
 * state, the value is the same in the whole function, in loops too. A flag says whether it is
 * there. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/emit.h"
#include "cgen/tree.h"
#include "cgen/ty.h"

enum { LONG = 400, KIDS_MAX = 48 };

void share_note(struct gen *g, const struct cx *var, const struct cx *is)
{
    if (g->declined || var->op != CX_NAME || !is->fixed) {
        return;
    }
    while (g->origins.n <= (size_t)var->number) {
        VEC_PUSH(&g->origins, (struct origin){NULL, NULL});
    }
    g->origins.v[var->number] = (struct origin){g->decls, is};
}

static const struct cx *origin_of(const struct gen *g, const struct cx *var)
{
    size_t at = (size_t)var->number; /* the same for all nodes with this name */
    return at < g->origins.n && g->origins.v[at].function == g->decls ? g->origins.v[at].is : NULL;
}

/* Is it a name of something that is there as long as the function? Parameters of recursive
 * functions, the worker, the states, and constants; not what gen_tmp names. */
static bool is_of_function(const char *name)
{
    bool digits = name[0] == 'a';
    for (const char *at = name + 1; digits && *at; at++) {
        digits = *at >= '0' && *at <= '9';
    }
    size_t n = strlen(name);
    bool letter = n == 1 && strchr("wsn", name[0]);
    return letter || (digits && n > 1) || (n == 17 && strchr("ck", name[0]));
}

static const struct cx *unfold(struct gen *g, const struct cx *x)
{
    const struct cx *kid[KIDS_MAX];
    if (!x->fixed || x->len > LONG || x->n > KIDS_MAX) {
        return NULL;
    }
    if (x->op == CX_NAME) {
        const struct cx *is = origin_of(g, x);
        return is ? unfold(g, is) : is_of_function(x->text) ? x : NULL;
    }
    for (uint32_t i = 0; i < x->n; i++) {
        kid[i] = unfold(g, x->kid[i]);
        if (!kid[i]) {
            return NULL;
        }
    }
    return x->n == 0 ? x : cx_with(g, x, kid);
}

const struct cx *share_key(struct gen *g, const struct cx *call)
{
    return g->declined || g->known_off ? NULL : unfold(g, call);
}

const struct shared *share_open(struct gen *g, const struct cx *key)
{
    const struct shared *shared = NULL;
    for (size_t i = 0; i < g->shared.n && !shared; i++) {
        const struct shared *s = g->shared.v[i];
        shared = s->function == g->decls && s->call == key ? s : NULL;
    }
    if (!shared) {
        const struct cx *var = cx_var(g, key->ty, gen_text(g, "z%u", (*g->ntmp)++));
        const struct cx *flag = cx_name(g, CX_INT, NULL, gen_text(g, "d%u", (*g->ntmp)++), false);
        gen_declare(g, var, ty_c(g->tys, key->ty), NULL);
        gen_declare(g, flag, "int", cx_int(g, 0));
        struct shared *new = ARENA_NEW(g->arena, struct shared);
        *new = (struct shared){g->decls, key, var, flag};
        VEC_PUSH(&g->shared, new);
        shared = new;
    }
    gen_if(g, cx_not(g, shared->flag));
    return shared;
}

const struct cx *share_close(struct gen *g, const struct shared *shared)
{
    gen_set(g, shared->flag, cx_int(g, 1));
    gen_scope_close(g);
    const struct cx *is = cx_sealed(g, shared->var);
    gen_know(g, shared->call, is);
    return is;
}
