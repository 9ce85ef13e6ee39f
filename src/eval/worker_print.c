/* States and steps as text and as named values. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "eval/worker.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

#define PRINT_WIDTH 80

struct value_run {
    struct spec_worker *w;
    struct mvalues ret;
    struct strbuf *out;
    bool alias;
};

static void plain_values(struct spec_worker *w, struct mvalues *ret)
{
    struct spec *spec = w->spec;
    struct val *vals = arena_alloc(&w->ev.scratch, sizeof *vals * (spec->nvar + 1));
    const char **names =
        (const char **)arena_alloc(&w->ev.scratch, sizeof *names * (spec->nvar + 1));
    for (uint32_t i = 0; i < spec->nvar; i++) {
        vals[i] = w->cur[spec->print_order[i]];
        names[i] = spec->var_names[spec->print_order[i]];
    }
    *ret = (struct mvalues){&w->ev.vctx, names, vals, spec->nvar};
}

/* ALIAS must be a record; anything else, or an error, falls back to the variables. */
static void run_alias(struct ev *ev, void *arg)
{
    struct value_run *run = arg;
    struct spec_worker *w = run->w;
    ev->s0 = w->cur;
    ev->s1 = w->peeked ? w->cand : NULL;
    ev->level = w->level;
    struct val v = val_force(&ev->vctx, ev_pred_eval(ev, &w->spec->alias));
    if (!val_is_kind(v, VK_RECORD)) {
        plain_values(w, &run->ret);
        return;
    }
    const struct vobj *r = val_obj(v);
    struct val *vals = arena_alloc(&ev->scratch, sizeof *vals * (r->n + 1));
    const char **names = (const char **)arena_alloc(&ev->scratch, sizeof *names * (r->n + 1));
    for (uint32_t i = 0; i < r->n; i++) {
        struct str name = val_str_text(&ev->vctx, r->v[i]);
        names[i] = arena_strndup(&ev->scratch, name.p, name.n);
        vals[i] = r->v[r->n + i];
    }
    run->ret = (struct mvalues){&ev->vctx, names, vals, r->n};
}

int worker_values(struct mworker *worker, bool alias, struct mvalues *ret)
{
    struct spec_worker *w = worker_of(worker);
    struct value_run run = {.w = w};
    if (!alias || !w->spec->has_alias) {
        plain_values(w, ret);
        return MODEL_OK;
    }
    ev_stack_here(&w->ev);
    if (ev_try(&w->ev, run_alias, &run) != 0) {
        plain_values(w, ret);
        return MODEL_OK;
    }
    *ret = run.ret;
    return MODEL_OK;
}

/* ---- -view ---- */

/* Marks the variables that an expression speaks of. */
static void view_vars(const struct spec *spec, const struct node *node, unsigned depth, bool *found)
{
    const struct def *def = node->ref;
    uint64_t var;
    if (def && def->kind == DEF_VAR &&
        u64map_get(&spec->var_of_def, (uint64_t)(uintptr_t)def, &var)) {
        found[var] = true;
    }
    if (def && def->kind == DEF_OP && def->body && depth < 100) {
        view_vars(spec, def->body, depth + 1, found);
    }
    for (uint32_t i = 0; i < node->nkid; i++) {
        if (node->kid[i]) {
            view_vars(spec, node->kid[i], depth, found);
        }
    }
}

/* A tuple with as many elements as the view has variables is shown under their names. */
static void run_view(struct ev *ev, void *arg)
{
    struct value_run *run = arg;
    struct spec_worker *w = run->w;
    const struct spec *spec = w->spec;
    ev->s0 = w->cur;
    ev->s1 = NULL;
    ev->level = w->level;
    struct val v = val_force(&ev->vctx, ev_pred_eval(ev, &spec->view));
    bool *found = arena_alloc(&ev->scratch, spec->nvar + (size_t)1);
    memset(found, 0, spec->nvar);
    view_vars(spec, spec->view.node, 0, found);
    const char **names = (const char **)arena_alloc(&ev->scratch, sizeof *names * (spec->nvar + 1));
    struct val *vals = arena_alloc(&ev->scratch, sizeof *vals * (spec->nvar + 1));
    uint32_t n = 0;
    for (uint32_t i = 0; i < spec->nvar; i++) {
        if (found[i]) {
            names[n++] = spec->var_names[i];
        }
    }
    bool named = val_is_kind(v, VK_TUPLE) && val_obj(v)->n == n && n > 0;
    for (uint32_t i = 0; named && i < n; i++) {
        vals[i] = val_obj(v)->v[i];
    }
    if (!named) {
        names[0] = NULL;
        vals[0] = v;
        n = 1;
    }
    run->ret = (struct mvalues){&ev->vctx, names, vals, n};
}

int model_view(struct mworker *worker, struct mvalues *ret)
{
    struct spec_worker *w = worker_of(worker);
    struct value_run run = {.w = w};
    if (!w->spec->model.has_view) {
        return MODEL_ERROR;
    }
    ev_stack_here(&w->ev);
    if (ev_try(&w->ev, run_view, &run) != 0) {
        return MODEL_ERROR;
    }
    *ret = run.ret;
    return MODEL_OK;
}

int worker_print(struct mworker *worker, bool alias, bool diff, struct strbuf *out)
{
    (void)diff;
    struct mvalues vals;
    int status = worker_values(worker, alias, &vals);
    if (status != MODEL_OK) {
        return status;
    }
    for (uint32_t i = 0; i < vals.n; i++) {
        if (i) {
            strbuf_addc(out, '\n');
        }
        strbuf_printf(out, "%s%s = ", vals.n > 1 ? "/\\ " : "", vals.names[i]);
        /* TLC lays a value out as if it stood at the start of a line. */
        val_print_pretty(vals.ctx, vals.vals[i], 0, PRINT_WIDTH, out);
    }
    return MODEL_OK;
}

struct args_run {
    struct spec_worker *w;
    const struct action_site *site;
};

static void run_args(struct ev *ev, void *arg)
{
    struct args_run *run = arg;
    ev->s0 = run->w->cur;
    ev->s1 = run->w->cand;
    for (uint32_t i = 0; i < run->site->nargs; i++) {
        run->w->arg_vals[i] = ex_eval(ev, run->site->args[i], ev->action_frame);
    }
}

void worker_args(struct mworker *worker, struct mvalues *ret)
{
    struct spec_worker *w = worker_of(worker);
    *ret = (struct mvalues){&w->ev.vctx, NULL, NULL, 0};
    if (!w->emitting || w->emitting_init || w->cand_action >= w->spec->sites.n) {
        return;
    }
    const struct action_site *site = &w->spec->sites.v[w->cand_action];
    struct args_run run = {w, site};
    w->label_used = true;
    if (site->nargs == 0 || site->nargs > 256 || ev_try(&w->ev, run_args, &run) != 0) {
        return;
    }
    *ret = (struct mvalues){&w->ev.vctx, site->pub.params, w->arg_vals, site->nargs};
}

struct label_run {
    struct mvalues args;
    struct strbuf *out;
};

static void run_label(struct ev *ev, void *arg)
{
    (void)ev;
    struct label_run *run = arg;
    for (uint32_t i = 0; i < run->args.n; i++) {
        strbuf_adds(run->out, i ? ", " : "(");
        val_print(run->args.ctx, run->args.vals[i], run->out);
    }
    strbuf_adds(run->out, run->args.n ? ")" : "");
}

void worker_label(struct mworker *worker, struct strbuf *out)
{
    struct spec_worker *w = worker_of(worker);
    if (w->emitting_init || w->cand_action >= w->spec->sites.n) {
        strbuf_adds(out, "Initial predicate");
        return;
    }
    struct label_run run = {.out = out};
    worker_args(worker, &run.args);
    strbuf_adds(out, w->spec->sites.v[w->cand_action].pub.name);
    size_t name_end = out->n;
    if (ev_try(&w->ev, run_label, &run) != 0) { /* a parameter that cannot be printed */
        out->n = name_end;
        strbuf_adds(out, "(...)");
    }
}
