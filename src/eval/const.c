/* Constants of the specification: definitions evaluated once before the search, ASSUMEs, and errors
 * while the model is made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "eval/spec.h"
#include "model/model.h"
#include "syntax/ast.h"
#include "value/value.h"

#define FORCE_ELEMS_MAX 100000 /* constant functions up to this size are tabulated */

void spec_fail(struct spec *spec, int code, int exit_status, const struct node *at, const char *fmt,
               ...)
{
    struct strbuf sb = {.arena = spec->arena};
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&sb, fmt, ap);
    va_end(ap);
    struct eval_issue *issue = spec->issue;
    memset(issue, 0, sizeof *issue);
    issue->code = code;
    issue->exit_status = exit_status;
    issue->hint = spec->hint;
    issue->text = arena_strndup(spec->arena, strbuf_cstr(&sb), sb.n);
    strbuf_done(&sb);
    if (at && at->span.end) {
        issue->has_span = true;
        issue->span = at->span;
    }
    ASSERT(spec->issue_catcher != NULL);
    longjmp(*spec->issue_catcher, 1);
}

const char *ev_place_text(struct spec *spec, const struct node *node)
{
    struct strbuf sb = {.arena = spec->arena};
    ev_place(spec, node, &sb);
    const char *text = arena_strndup(spec->arena, strbuf_cstr(&sb), sb.n);
    strbuf_done(&sb);
    return text;
}

/* ---- evaluation while the model is made ---- */
struct boot_call {
    const struct unit *unit;
    struct const_cell *cell;
    bool force;
    struct val ret;
};

static void boot_eval(struct ev *ev, void *arg)
{
    struct boot_call *call = arg;
    if (call->cell) {
        call->ret = ev_cell_value(ev, call->cell);
        return;
    }
    call->ret = unit_call(ev, call->unit, NULL, NULL, 0, VAL_UNDEF);
    if (call->force) {
        call->ret = set_force(&ev->vctx, call->ret);
        call->ret = val_freeze(&ev->vctx, ev->spec->arena, call->ret);
    }
}

/* Evaluates again with a trace of the expressions under way, so that the message can say where. */
static void boot_trace(struct ev *ev, struct boot_call *call)
{
    ev->hooks = ev->tracing = true;
    (void)ev_try(ev, boot_eval, call);
    ev->tracing = false;
    ev->hooks = ev->cover != NULL;
}

static void issue_stack(struct spec *spec, struct ev *ev)
{
    struct eval_issue *issue = spec->issue;
    enum { PLACES_MOST = 64 }; /* the innermost; a recursion without end has very many */
    size_t n = ev->failed.n, from = n > PLACES_MOST ? n - PLACES_MOST : 0;
    issue->stack = ARENA_ARRAY(spec->arena, struct mplace, n - from + 1);
    for (size_t i = from; i < n; i++) {
        struct mplace p = ev_mplace(spec, ev->failed.v[i]);
        if (issue->nstack == 0 ||
            memcmp(&issue->stack[issue->nstack - 1].line, &p.line, 4 * sizeof p.line) != 0) {
            issue->stack[issue->nstack++] = p;
        }
    }
}

struct val ev_cell_value(struct ev *ev, struct const_cell *cell)
{
    if (cell->done) {
        return cell->value;
    }
    if (cell->busy || cell->failed) {
        return unit_call(ev, cell->unit, NULL, NULL, 0, VAL_UNDEF);
    }
    cell->busy = true;
    struct val v = unit_call(ev, cell->unit, NULL, NULL, 0, VAL_UNDEF);
    if (val_is_kind(v, VK_LAMBDA)) {
        v = closure_tabulate(ev, v);
    }
    cell->value = val_freeze(&ev->vctx, ev->spec->arena, v);
    cell->done = true;
    cell->busy = false;
    return cell->value;
}

static void force_fcn(struct ev *ev, void *arg)
{
    struct val *v = arg;
    *v = fcn_force(&ev->vctx, *v);
}

/* A constant function over a small finite set as a table; recursive functions and those that fail
 * somewhere stay lazy. */
struct val closure_tabulate(struct ev *ev, struct val v)
{
    const struct vlazy *o = vobj_lazy(val_obj(v));
    const struct unit *unit = closure_code(v);
    int64_t n;
    struct val forced = v;
    if (!unit || unit->self != NO_SLOT || !set_is_finite(&ev->vctx, o->op[0]) ||
        !int_to_i64(set_card(&ev->vctx, o->op[0]), &n) || n > FORCE_ELEMS_MAX) {
        return v;
    }
    return ev_try(ev, force_fcn, &forced) == 0 ? forced : v;
}

void spec_fold(struct spec *spec)
{
    struct ev *ev = spec->boot;
    lower_seal(spec);
    for (size_t i = 0; i < spec->cells.n; i++) {
        struct const_cell *cell = spec->cells.v[i];
        if (cell->done) {
            continue;
        }
        struct boot_call call = {.cell = cell};
        cell->busy = false;
        if (ev_try(ev, boot_eval, &call) != 0) {
            cell->failed = true;
            cell->busy = false;
        }
    }
    arena_reset(&ev->scratch);
}

struct val spec_constant(struct spec *spec, struct env *env, const struct node *set)
{
    struct boot_call call = {.unit = spec_predicate(spec, env, set), .force = true};
    lower_seal(spec);
    struct ev *ev = spec->boot;
    if (ev_try(ev, boot_eval, &call) != 0) {
        boot_trace(ev, &call);
        spec_fail(spec, ev->err_code, 75, set, "%s", ev->err_text);
    }
    return call.ret;
}

bool spec_try_constant(struct spec *spec, struct env *env, const struct node *node, struct val *ret)
{
    struct boot_call call = {.unit = spec_predicate(spec, env, node)};
    lower_seal(spec);
    if (ev_try(spec->boot, boot_eval, &call) != 0) {
        return false;
    }
    *ret = val_freeze(&spec->boot->vctx, spec->arena, call.ret);
    return true;
}

void spec_warn(struct spec *spec, int code, const char *fmt, ...)
{
    struct strbuf sb = {.arena = spec->arena};
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&sb, fmt, ap);
    va_end(ap);
    const char *text = arena_strndup(spec->arena, strbuf_cstr(&sb), sb.n);
    strbuf_done(&sb);
    VEC_PUSH(&spec->warnings, ((struct eval_warning){code, text}));
}

struct val spec_run(struct spec *spec, const struct unit *unit, const struct node *at)
{
    struct boot_call call = {.unit = unit};
    lower_seal(spec);
    struct ev *ev = spec->boot;
    if (ev_try(ev, boot_eval, &call) != 0) {
        struct boot_call again = call;
        boot_trace(ev, &again);
        char *text = arena_strndup(spec->arena, ev->err_text, strlen(ev->err_text));
        jmp_buf *outer = spec->issue_catcher;
        jmp_buf here;
        spec->issue_catcher = &here;
        if (setjmp(here) == 0) {
            spec_fail(spec, ev->err_code, ev->err_code == 2132 ? 14 : 75, at, "%s", text);
        }
        issue_stack(spec, ev);
        spec->issue_catcher = outer;
        longjmp(*outer, 1);
    }
    return call.ret;
}

void spec_assumes(struct spec *spec)
{
    struct ev *ev = spec->boot;
    for (size_t i = 0; i < spec->assumes.n; i++) {
        const struct pred *p = &spec->assumes.v[i];
        struct boot_call call = {.unit = p->unit};
        if (ev_try(ev, boot_eval, &call) != 0) {
            boot_trace(ev, &call);
            const char *text = arena_strndup(spec->arena, ev->err_text, strlen(ev->err_text));
            spec_fail(spec, 2105, 10, p->node, "Evaluating assumption %s failed.\n%s",
                      ev_place_text(spec, p->node), text);
        }
        if (!val_same(call.ret, VAL_TRUE)) {
            spec_fail(spec, 2104, 10, p->node, "Assumption %s is false.",
                      ev_place_text(spec, p->node));
        }
        arena_reset(&ev->scratch);
    }
}
