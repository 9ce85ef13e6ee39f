/* Why a property fails: walks into the part that is false and collects the values of the bound
 * variables on the way.
 *
 * A conjunction is false because of its first false conjunct, \A because of the first element for
 * which the body is false, P => Q because Q is false; LET, IF, CASE and calls are followed. What is
 * left is the smallest formula that is false by itself. */
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "eval/code.h"
#include "eval/worker.h"
#include "model/model.h"
#include "syntax/ast.h"
#include "syntax/source.h"
#include "value/value.h"

#define BOUND_MAX 32

struct explain {
    struct spec_worker *w;
    const struct pred *pred;
    struct {
        struct str name;
        struct val value;
    } bound[BOUND_MAX];
    size_t nbound;
    const struct node *culprit;
    struct strbuf *out;
    bool step;
};

static void find(struct ev *ev, struct explain *e, const struct ex *x, struct val *fr);

static void note_bounds(struct explain *e, const struct binder *b, const struct val *fr)
{
    for (uint32_t i = 0; i < b->nvar; i++) {
        for (uint32_t j = 0; j < b->vars[i].nslot && e->nbound < BOUND_MAX; j++) {
            e->bound[e->nbound].name = b->vars[i].names[j];
            e->bound[e->nbound++].value = fr[b->vars[i].slots[j]];
        }
    }
}

static void find_forall(struct ev *ev, struct explain *e, const struct ex *x, struct val *fr)
{
    const struct binder *b = x->u.p;
    struct loop loop;
    bool more = loop_start(ev, x, b, fr, &loop);
    while (more) {
        if (val_same(ex_eval(ev, x->kid[0], fr), VAL_FALSE)) {
            note_bounds(e, b, fr);
            find(ev, e, x->kid[0], fr);
            return;
        }
        more = loop_next(ev, x, b, fr, &loop);
    }
    e->culprit = x->src;
}

static void find_call(struct ev *ev, struct explain *e, const struct ex *x, struct val *fr)
{
    const struct call_info *call = x->u.p;
    const struct unit *unit = call->unit;
    struct val *callee = frame_push(ev, unit->nslot);
    for (uint32_t i = 0; i < x->n; i++) {
        struct val v = ex_eval(ev, x->kid[i], fr);
        callee[unit->param[i]] = v;
        if (unit->def && e->nbound < BOUND_MAX && unit->def->params[i]->arity == 0) {
            e->bound[e->nbound].name = unit->def->params[i]->name;
            e->bound[e->nbound++].value = val_is_kind(v, VK_THUNK) ? thunk_force(ev, v) : v;
        }
    }
    for (uint32_t i = 0; i < call->ncapture; i++) {
        callee[call->captures[i].to] =
            closure_capture(ev, call->captures[i].lazy, call->captures[i].from, fr);
    }
    find(ev, e, unit->body, callee);
    frame_pop(ev, callee);
}

static void find(struct ev *ev, struct explain *e, const struct ex *x, struct val *fr)
{
    ev_check_stack(ev);
    switch ((enum ex_op)x->op) {
    case EX_CONJ:
        for (uint32_t i = 0; i < x->n; i++) {
            if (val_same(ex_eval(ev, x->kid[i], fr), VAL_FALSE)) {
                find(ev, e, x->kid[i], fr);
                return;
            }
        }
        break;
    case EX_FORALL: find_forall(ev, e, x, fr); return;
    case EX_IMPLIES: find(ev, e, x->kid[1], fr); return;
    case EX_LET: {
        const struct let_slots *slots = x->u.p;
        for (uint32_t i = 0; i < slots->n; i++) {
            fr[slots->slot[i]] = VAL_UNDEF;
        }
        find(ev, e, x->kid[0], fr);
        return;
    }
    case EX_LAZY:
    case EX_LAZY_STEP: find(ev, e, x->kid[0], fr); return;
    case EX_IF:
        find(ev, e, x->kid[val_same(ex_eval(ev, x->kid[0], fr), VAL_TRUE) ? 1 : 2], fr);
        return;
    case EX_CASE:
        for (uint32_t i = 0; i + 1 < x->n; i += 2) {
            if (val_same(ex_eval(ev, x->kid[i], fr), VAL_TRUE)) {
                find(ev, e, x->kid[i + 1], fr);
                return;
            }
        }
        if (x->n % 2) {
            find(ev, e, x->kid[x->n - 1], fr);
            return;
        }
        break;
    case EX_CALL: find_call(ev, e, x, fr); return;
    default: break;
    }
    e->culprit = x->src;
}

static void add_source(const struct spec *spec, const struct node *node, struct strbuf *out)
{
    const struct source *source = sources_get(spec->program->sources, node->span.file);
    bool space = false;
    for (uint32_t i = node->span.begin; i < node->span.end && i < source->text.n; i++) {
        char c = source->text.p[i];
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            space = true;
            continue;
        }
        if (space) {
            strbuf_addc(out, ' ');
        }
        space = false;
        strbuf_addc(out, c);
    }
}

static void run_explain(struct ev *ev, void *arg)
{
    struct explain *e = arg;
    struct spec_worker *w = e->w;
    const struct unit *unit = e->pred->unit;
    ev->s0 = w->cur;
    ev->s1 = e->step ? w->cand : NULL;
    struct val *fr = frame_push(ev, unit->nslot);
    find(ev, e, unit->body, fr);
    frame_pop(ev, fr);
    if (!e->culprit || e->culprit->span.end == 0) {
        return;
    }
    strbuf_adds(e->out, "This part is false: ");
    add_source(w->spec, e->culprit, e->out);
    strbuf_adds(e->out, "\n  at ");
    ev_place(w->spec, e->culprit, e->out);
    for (size_t i = 0; i < e->nbound; i++) {
        strbuf_printf(e->out, "\n  with %.*s = ", STR_ARG(e->bound[i].name));
        val_print(&ev->vctx, e->bound[i].value, e->out);
    }
    strbuf_addc(e->out, '\n');
}

int worker_explain(struct mworker *worker, uint32_t prop, const void *next_bytes, size_t next_len,
                   struct strbuf *out)
{
    struct spec_worker *w = worker_of(worker);
    if (prop >= w->spec->prop_preds.n) {
        return MODEL_OK;
    }
    struct explain e = {
        .w = w, .pred = &w->spec->prop_preds.v[prop], .out = out, .step = next_bytes != NULL};
    if (next_bytes) {
        const uint8_t *at = next_bytes;
        for (uint32_t i = 0; i < w->spec->nvar; i++) {
            if (!val_decode(&w->ev.vctx, &at, (const uint8_t *)next_bytes + next_len,
                            &w->cand[i])) {
                return MODEL_OK;
            }
        }
    }
    ev_stack_here(&w->ev);
    (void)ev_try(&w->ev, run_explain, &e);
    return MODEL_OK;
}
