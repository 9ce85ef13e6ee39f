/* Operators that the caller of the room brings along (expressions of a mapping file), applied to
 * values on a state. Each is a unit of its own, with its parameters in slots. */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "eval/spec.h"
#include "eval/worker.h"
#include "model/model.h"
#include "sem/sem.h"
#include "value/value.h"

static const struct unit *operator_unit(struct spec *spec, const struct def *def)
{
    struct unit *u = unit_new(spec, NULL);
    struct lc lc = {.spec = spec, .unit = u, .env = spec->root_env};
    u->nparam = def->arity;
    u->param = ARENA_ARRAY(spec->arena, uint32_t, def->arity + 1);
    struct env *env = spec->root_env;
    for (uint32_t i = 0; i < def->arity; i++) {
        struct binding *b = bind_new(lc, BIND_SLOT);
        b->unit = u;
        b->slot = u->param[i] = slot_new(u);
        b->level = LEVEL_STATE;
        env = env_bind(spec, env, def->params[i], b);
    }
    lc.env = env;
    u->body = lower(lc, def->body);
    return u;
}

void spec_operators(struct spec *spec)
{
    spec->operators = ARENA_ARRAY(spec->arena, const struct unit *, spec->options.noperator + 1);
    for (size_t i = 0; i < spec->options.noperator; i++) {
        spec->operators[i] = operator_unit(spec, spec->options.operators[i]);
    }
}

struct apply_run {
    struct spec_worker *w;
    const struct unit *unit;
    const struct val *args;
    size_t n;
    struct val ret;
};

static void run_apply(struct ev *ev, void *arg)
{
    struct apply_run *run = arg;
    ev->s0 = run->w->loaded ? run->w->cur : NULL;
    ev->s1 = NULL;
    ev->level = run->w->level;
    run->ret = val_force(&ev->vctx, unit_call(ev, run->unit, NULL, run->args, run->n, VAL_UNDEF));
}

int model_apply(struct mworker *worker, size_t index, const struct val *args, size_t n,
                struct val *ret)
{
    struct spec_worker *w = worker_of(worker);
    struct apply_run run = {w, w->spec->operators[index], args, n, VAL_UNDEF};
    ev_stack_here(&w->ev);
    if (ev_try(&w->ev, run_apply, &run) != 0) {
        return worker_error(w, NULL, NULL, NULL);
    }
    *ret = run.ret;
    return MODEL_OK;
}

struct values_run {
    void (*fn)(struct vctx *ctx, void *arg);
    void *arg;
};

static void run_values(struct ev *ev, void *arg)
{
    struct values_run *run = arg;
    run->fn(&ev->vctx, run->arg);
}

int model_with_values(struct mworker *worker, void (*fn)(struct vctx *ctx, void *arg), void *arg)
{
    struct spec_worker *w = worker_of(worker);
    struct values_run run = {fn, arg};
    ev_stack_here(&w->ev);
    return ev_try(&w->ev, run_values, &run) == 0 ? MODEL_OK : worker_error(w, NULL, NULL, NULL);
}

/* ---- properties ---- */
struct holds_run {
    struct spec_worker *w;
    uint32_t prop;
    const struct val *now, *next;
    bool holds;
};

/* The evaluator may write primed variables of ENABLED behind those of the specification. */
static struct val *state_of(struct ev *ev, const struct val *values)
{
    size_t n = ev->spec->nvar, all = n + ev->spec->extra_vars.n;
    struct val *state = arena_alloc(&ev->scratch, (all + 1) * sizeof *state);
    for (size_t i = 0; i < all; i++) {
        state[i] = i < n ? values[i] : VAL_UNDEF;
    }
    return state;
}

static void run_holds(struct ev *ev, void *arg)
{
    struct holds_run *run = arg;
    ev->s0 = state_of(ev, run->now);
    ev->s1 = run->next != NULL ? state_of(ev, run->next) : NULL;
    ev->level = run->w->level;
    run->holds = val_same(ev_pred_eval(ev, &run->w->spec->prop_preds.v[run->prop]), VAL_TRUE);
}

int model_holds(struct mworker *worker, uint32_t prop, const struct val *now,
                const struct val *next, bool *ret)
{
    struct spec_worker *w = worker_of(worker);
    struct holds_run run = {.w = w, .prop = prop, .now = now, .next = next};
    ev_stack_here(&w->ev);
    if (ev_try(&w->ev, run_holds, &run) != 0) {
        return worker_error(w, NULL, NULL, NULL);
    }
    *ret = run.holds;
    return MODEL_OK;
}
