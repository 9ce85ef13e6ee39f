/* Expressions: every name in them gets its meaning, and every application the right number and sort
 * of arguments.
 *
 * Chains such as a + b + c + ... or f[x][y].z lean to the left and can be very long in generated
 * specs; resolve_expr walks down their left spine with a list instead of the C stack. Other nesting
 * is limited by the parser, and once more here. */
#include <stdint.h>
#include <stdio.h>

#include "base/str.h"
#include "base/vec.h"
#include "sem/sem.h"
#include "sem/sem_int.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/source.h"

/* ---- names that binders introduce ---- */

void resolve_param(struct resolver *r, struct node *opdecl, struct def **ret)
{
    struct def *def = def_new(r->sem, DEF_PARAM, opdecl->name, r->module, opdecl);
    def->arity = opdecl->kind == N_OPDECL ? (uint32_t)opdecl->num : 0;
    def->let_depth = r->let_depth;
    opdecl->ref = def;
    *ret = def;
    if (opdecl->kind == N_OPDECL) {
        scope_declare(r, def, sem_name_span(opdecl), false);
    }
}

static void bind_name(struct resolver *r, struct node *id)
{
    if (id->kind != N_ID) {
        return;
    }
    struct def *def = def_new(r->sem, DEF_BOUND, id->name, r->module, id);
    id->ref = def;
    scope_declare(r, def, id->span, false);
    if (r->label_frames.n) {
        VEC_PUSH(&r->label_params, def);
    }
}

static void bind_pattern(struct resolver *r, struct node *pattern)
{
    if (pattern->kind != N_TUPLE) {
        bind_name(r, pattern);
        return;
    }
    for (uint32_t i = 0; i < pattern->nkid; i++) {
        bind_name(r, pattern->kid[i]);
    }
}

/* The sets of all bounds first, in the scope outside; then the names. Kids that are no BOUND are
 * skipped. */
void resolve_bounds(struct resolver *r, struct node *const *bounds, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (bounds[i]->kind == N_BOUND) {
            resolve_expr(r, bounds[i]->kid[bounds[i]->nkid - 1]);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; bounds[i]->kind == N_BOUND && j + 1 < bounds[i]->nkid; j++) {
            bind_pattern(r, bounds[i]->kid[j]);
        }
    }
}

/* ---- labels ---- */

void label_frame_push(struct resolver *r)
{
    struct label_frame frame = {r->label_params.n, r->labels.n};
    VEC_PUSH(&r->label_frames, frame);
}

void label_frame_pop(struct resolver *r)
{
    struct label_frame frame = VEC_POP(&r->label_frames);
    r->label_params.n = frame.params_begin;
    r->labels.n = frame.labels_begin;
}

static bool label_has(const struct node *label, const struct def *def)
{
    for (uint32_t i = 0; i + 1 < label->nkid; i++) {
        if (label->kid[i]->ref == def) {
            return true;
        }
    }
    return false;
}

/* A label's parameters are exactly the names bound between it and the definition (or label) around
 * it. */
static void check_label_params(struct resolver *r, struct node *label)
{
    struct label_frame frame = VEC_LAST(&r->label_frames);
    for (uint32_t i = 0; i + 1 < label->nkid; i++) {
        struct node *param = label->kid[i];
        struct def *def = scope_find(r, param->name);
        bool known = false;
        for (size_t j = frame.params_begin; j < r->label_params.n; j++) {
            known = known || r->label_params.v[j] == def;
        }
        if (!def || !known) {
            sem_report(r, DIAG_LABEL_BAD, param->span,
                       "'%.*s' is not bound between label '%.*s' and its definition",
                       STR_ARG(param->name), STR_ARG(label->name));
        } else if (label_has(label, def)) {
            sem_report(r, DIAG_LABEL_BAD, param->span,
                       "label '%.*s' has the parameter '%.*s' twice", STR_ARG(label->name),
                       STR_ARG(param->name));
        }
        param->ref = def;
    }
    for (size_t j = frame.params_begin; j < r->label_params.n; j++) {
        const struct def *def = r->label_params.v[j];
        if (!label_has(label, def)) {
            sem_report(r, DIAG_LABEL_BAD, sem_name_span(label),
                       "label '%.*s' lacks the parameter '%.*s'", STR_ARG(label->name),
                       STR_ARG(def->name));
        }
    }
}

static void resolve_label(struct resolver *r, struct node *label)
{
    if (r->label_frames.n == 0) {
        sem_report(r, DIAG_LABEL_BAD, sem_name_span(label),
                   "label '%.*s' stands outside of a definition", STR_ARG(label->name));
        resolve_expr(r, label->kid[label->nkid - 1]);
        return;
    }
    if (r->except_depth) {
        sem_report(r, DIAG_LABEL_BAD, sem_name_span(label), "label '%.*s' stands inside an EXCEPT",
                   STR_ARG(label->name));
    }
    check_label_params(r, label);
    for (size_t i = VEC_LAST(&r->label_frames).labels_begin; i < r->labels.n; i++) {
        if (str_eq(r->labels.v[i]->name, label->name)) {
            sem_report(r, DIAG_LABEL_BAD, sem_name_span(label), "there are two labels '%.*s'",
                       STR_ARG(label->name));
        }
    }
    VEC_PUSH(&r->labels, label);
    label_frame_push(r);
    resolve_expr(r, label->kid[label->nkid - 1]);
    label_frame_pop(r);
}

/* ---- application ---- */

bool def_usable(struct resolver *r, const struct def *def, struct span span)
{
    if (def->kind == DEF_INSTANCE) {
        sem_report(r, DIAG_NAME_UNKNOWN, span,
                   "'%.*s' is an instance: name one of its definitions, as in %.*s!Name",
                   STR_ARG(def->name), STR_ARG(def->name));
        return false;
    }
    if (def->is_theorem && !def_origin(def)->body && !r->module->incomplete) {
        sem_report(r, DIAG_ARG_NOT_EXPRESSION, span,
                   "'%.*s' names an ASSUME/PROVE, which is not an expression", STR_ARG(def->name));
        return false;
    }
    return true;
}

static void report_arity(struct resolver *r, const struct def *def, uint32_t got, struct span span)
{
    struct diag *diag = sem_report(r, DIAG_ARITY, span, "'%.*s' takes %u argument%s, not %u",
                                   STR_ARG(def->name), def->arity, def->arity == 1 ? "" : "s", got);
    sem_first_here(r, diag, def);
}

void resolve_args_loosely(struct resolver *r, struct node *const *args, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (args[i]->kind == N_ID) {
            struct def *def = scope_find(r, args[i]->name);
            args[i]->ref = def;
            if (!def) {
                scope_unknown(r, args[i]->name, args[i]->span);
            }
        } else if (args[i]->kind == N_LAMBDA) {
            resolve_arg(r, args[i], args[i]->nkid - 1, (struct arg_role){0});
        } else if (args[i]->kind != N_BANG) {
            resolve_expr(r, args[i]);
        }
    }
}

void resolve_args(struct resolver *r, const struct def *def, uint32_t from,
                  struct node *const *args, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t arity = def->params && from + i < def->arity ? def->params[from + i]->arity : 0;
        resolve_arg(r, args[i], arity, (struct arg_role){def->name, i, false});
    }
}

static void resolve_app(struct resolver *r, struct node *node)
{
    struct node *callee = node->kid[0];
    struct node *const *args = node->kid + 1;
    uint32_t nargs = node->nkid - 1;
    if (callee->kind != N_ID) {
        resolve_path(r, node, 0);
        return;
    }
    struct def *def = scope_find(r, callee->name);
    callee->ref = def;
    if (!def) {
        scope_unknown(r, callee->name, callee->span);
        resolve_args_loosely(r, args, nargs);
    } else if (!def_usable(r, def, callee->span)) {
        resolve_args_loosely(r, args, nargs);
    } else if (def->arity != nargs) {
        report_arity(r, def, nargs, node->span);
        resolve_args_loosely(r, args, nargs);
    } else {
        resolve_args(r, def, 0, args, nargs);
    }
}

static void resolve_id(struct resolver *r, struct node *node)
{
    struct def *def = scope_find(r, node->name);
    node->ref = def;
    if (!def) {
        scope_unknown(r, node->name, node->span);
    } else if (def_usable(r, def, node->span) && def->arity != 0) {
        report_arity(r, def, 0, node->span);
    }
}

static void resolve_lambda(struct resolver *r, struct node *node)
{
    size_t mark = scope_enter(r);
    size_t label_params = r->label_params.n;
    for (uint32_t i = 0; i + 1 < node->nkid; i++) {
        struct def *def;
        resolve_param(r, node->kid[i], &def);
        if (r->label_frames.n) {
            VEC_PUSH(&r->label_params, def);
        }
    }
    resolve_expr(r, node->kid[node->nkid - 1]);
    r->label_params.n = label_params;
    scope_leave(r, mark);
}

/* Only operators that take no operators can be arguments. */
bool def_first_order(const struct def *def)
{
    for (uint32_t i = 0; def->params && i < def->arity; i++) {
        if (def->params[i]->arity) {
            return false;
        }
    }
    return true;
}

/* "argument 2 of 'F' must be WANT" */
static struct diag *report_role(struct resolver *r, enum diag_code code, struct span span,
                                struct arg_role role, const char *text)
{
    if (role.subst) {
        return sem_report(r, code, span, "what is substituted for '%.*s' must be %s",
                          STR_ARG(role.name), text);
    }
    return sem_report(r, code, span, "argument %zu of '%.*s' must be %s", role.index + 1,
                      STR_ARG(role.name), text);
}

static void want_operator(struct resolver *r, struct span span, struct arg_role role,
                          uint32_t arity, const struct def *got, const char * not)
{
    SCOPED_STRBUF text = {0};
    strbuf_printf(&text, "an operator of %u argument%s", arity, arity == 1 ? "" : "s");
    if (got) {
        strbuf_printf(&text, ", but '%.*s' takes %u", STR_ARG(got->name), got->arity);
    } else {
        strbuf_printf(&text, ", %s", not);
    }
    struct diag *diag = report_role(r, DIAG_ARG_NOT_OPERATOR, span, role, strbuf_cstr(&text));
    if (got) {
        sem_first_here(r, diag, got);
    }
}

static void resolve_operator_name(struct resolver *r, struct node *node, uint32_t arity,
                                  struct arg_role role)
{
    struct def *def = scope_find(r, node->name);
    node->ref = def;
    if (!def) {
        scope_unknown(r, node->name, node->span);
    } else if (def_usable(r, def, node->span)) {
        if (def->arity != arity) {
            want_operator(r, node->span, role, arity, def, NULL);
        } else if (!def_first_order(def)) {
            want_operator(r, node->span, role, arity, NULL, "but this one takes operators itself");
        }
    }
}

static void resolve_arg_expr(struct resolver *r, struct node *node, struct arg_role role)
{
    struct def *def = node->kind == N_ID ? scope_find(r, node->name) : NULL;
    if (def && def->arity && def->kind != DEF_INSTANCE) {
        SCOPED_STRBUF text = {0};
        strbuf_printf(&text, "an expression, but '%.*s' is an operator of %u argument%s",
                      STR_ARG(def->name), def->arity, def->arity == 1 ? "" : "s");
        report_role(r, DIAG_ARG_NOT_EXPRESSION, node->span, role, strbuf_cstr(&text));
        node->ref = def;
        return;
    }
    resolve_expr(r, node);
}

void resolve_arg(struct resolver *r, struct node *node, uint32_t arity, struct arg_role role)
{
    if (arity == 0) {
        resolve_arg_expr(r, node, role);
        return;
    }
    switch (node->kind) {
    case N_LAMBDA:
        resolve_lambda(r, node);
        if (node->nkid - 1 != arity) {
            want_operator(r, node->span, role, arity, NULL, "but the LAMBDA takes another number");
        }
        break;
    case N_ID: resolve_operator_name(r, node, arity, role); break;
    case N_BANG: resolve_path(r, node, arity); break;
    case N_ERROR: break;
    default:
        want_operator(r, node->span, role, arity, NULL, "not an expression");
        resolve_expr(r, node);
        break;
    }
}

/* ---- what needs more than its kids resolved ---- */

static void resolve_quantifier(struct resolver *r, struct node *node)
{
    size_t mark = scope_enter(r);
    size_t label_params = r->label_params.n;
    resolve_bounds(r, node->kid, node->nkid);
    for (uint32_t i = 0; i < node->nkid; i++) {
        if (node->kid[i]->kind != N_BOUND) {
            resolve_expr(r, node->kid[i]);
        }
    }
    r->label_params.n = label_params;
    scope_leave(r, mark);
}

static void resolve_unbounded(struct resolver *r, struct node *node)
{
    size_t mark = scope_enter(r);
    size_t label_params = r->label_params.n;
    for (uint32_t i = 0; i + 1 < node->nkid; i++) {
        bind_pattern(r, node->kid[i]);
    }
    resolve_expr(r, node->kid[node->nkid - 1]);
    r->label_params.n = label_params;
    scope_leave(r, mark);
}

static void resolve_let(struct resolver *r, struct node *node)
{
    size_t mark = scope_enter(r);
    size_t pending = r->pending.n;
    r->let_depth++;
    for (uint32_t i = 0; i + 1 < node->nkid; i++) {
        resolve_definition(r, node->kid[i], true);
    }
    resolve_pending_check(r, pending);
    r->let_depth--;
    resolve_expr(r, node->kid[node->nkid - 1]);
    scope_leave(r, mark);
}

static void resolve_except(struct resolver *r, struct node *node)
{
    resolve_expr(r, node->kid[0]);
    for (uint32_t i = 1; i < node->nkid; i++) {
        struct node *spec = node->kid[i];
        if (spec->kind != N_EXSPEC) {
            continue;
        }
        for (uint32_t j = 0; j + 1 < spec->nkid; j++) {
            for (uint32_t k = 0; k < spec->kid[j]->nkid; k++) {
                resolve_expr(r, spec->kid[j]->kid[k]);
            }
        }
        r->except_depth++;
        resolve_expr(r, spec->kid[spec->nkid - 1]);
        r->except_depth--;
    }
}

static void resolve_kids(struct resolver *r, struct node *node)
{
    for (uint32_t i = 0; i < node->nkid; i++) {
        if (node->kid[i]) {
            resolve_expr(r, node->kid[i]);
        }
    }
}

/* An earlier field of the same name, or NULL. */
static struct node *same_field(const struct node *node, uint32_t before, struct str name)
{
    for (uint32_t i = 0; i < before; i++) {
        if (node->kid[i]->kind == N_FIELD && str_eq(node->kid[i]->name, name)) {
            return node->kid[i];
        }
    }
    return NULL;
}

static void resolve_fields(struct resolver *r, struct node *node)
{
    for (uint32_t i = 0; i < node->nkid; i++) {
        struct node *field = node->kid[i];
        struct node *first = field->kind == N_FIELD ? same_field(node, i, field->name) : NULL;
        if (first) {
            struct diag *diag = sem_report(r, DIAG_FIELD_TWICE, sem_name_span(field),
                                           "the field '%.*s' is given twice", STR_ARG(field->name));
            if (diag) {
                diag_note(r->sem->program->diags, diag, sem_name_span(first),
                          "the first one is here");
            }
        }
        resolve_kids(r, field);
    }
}

/* ---- the left spine ---- */

static bool leans_left(const struct node *node)
{
    switch (node->kind) {
    case N_OP:
    case N_CONJ:
    case N_DISJ:
    case N_FAPPLY:
    case N_DOT: return node->nkid > 0;
    default: return false;
    }
}

static void check_function_arity(struct resolver *r, const struct node *node)
{
    const struct def *def = node->kid[0]->kind == N_ID ? node->kid[0]->ref : NULL;
    uint32_t nargs = node->nkid - 1;
    if (!def || !def->is_fcn || !def->decl || def->decl->kind != N_FCNDEF || nargs < 2) {
        return;
    }
    uint32_t nparam = 0;
    for (uint32_t i = 0; i + 1 < def->decl->nkid; i++) {
        const struct node *bound = def->decl->kid[i];
        nparam += bound->flags & NF_TUPLE ? 1 : bound->nkid ? bound->nkid - 1 : 0;
    }
    if (nparam != nargs) {
        struct diag *diag =
            sem_report(r, DIAG_ARITY, node->span, "the function '%.*s' takes %u argument%s, not %u",
                       STR_ARG(def->name), nparam, nparam == 1 ? "" : "s", nargs);
        sem_first_here(r, diag, def);
    }
}

/* The kids but the first have been left; the first is done. */
static void finish_spine(struct resolver *r, struct node *node)
{
    for (uint32_t i = 1; i < node->nkid; i++) {
        resolve_expr(r, node->kid[i]);
    }
    if (node->kind == N_FAPPLY) {
        check_function_arity(r, node);
    } else if (node->kind == N_OP) {
        struct def *def = scope_find(r, node->name);
        node->ref = def;
        if (!def) {
            scope_unknown(r, node->name, sem_name_span(node));
        } else if (def_usable(r, def, node->span) && def->arity != node->nkid) {
            report_arity(r, def, node->nkid, node->span);
        }
    }
}

static void resolve_leaf(struct resolver *r, struct node *node)
{
    switch (node->kind) {
    case N_ID: resolve_id(r, node); break;
    case N_BANG: resolve_path(r, node, 0); break;
    case N_APP: resolve_app(r, node); break;
    case N_AT:
        if (!r->except_depth) {
            sem_report(r, DIAG_AT_OUTSIDE_EXCEPT, node->span, "@ stands outside of an EXCEPT");
        }
        break;
    case N_LAMBDA:
        sem_report(r, DIAG_ARG_NOT_EXPRESSION, node->span,
                   "a LAMBDA stands where an expression is needed");
        resolve_lambda(r, node);
        break;
    case N_FORALL:
    case N_EXISTS:
    case N_CHOOSE:
    case N_SETFILTER:
    case N_SETMAP:
    case N_FCN: resolve_quantifier(r, node); break;
    case N_FORALL_U:
    case N_EXISTS_U:
    case N_TFORALL:
    case N_TEXISTS:
    case N_CHOOSE_U: resolve_unbounded(r, node); break;
    case N_LET: resolve_let(r, node); break;
    case N_LABEL: resolve_label(r, node); break;
    case N_EXCEPT: resolve_except(r, node); break;
    case N_RECORD:
    case N_RECSET: resolve_fields(r, node); break;
    case N_ERROR: r->module->incomplete = true; break;
    default: resolve_kids(r, node); break;
    }
}

void resolve_expr(struct resolver *r, struct node *node)
{
    if (r->depth >= SEM_DEPTH_MAX) {
        if (!r->module->incomplete) {
            sem_report(r, DIAG_PARSE_TOO_DEEP, node->span, "the expression is nested too deeply");
            r->module->incomplete = true;
        }
        return;
    }
    r->depth++;
    size_t mark = r->spine.n;
    while (leans_left(node)) {
        VEC_PUSH(&r->spine, node);
        node = node->kid[0];
    }
    resolve_leaf(r, node);
    while (r->spine.n > mark) {
        finish_spine(r, VEC_POP(&r->spine));
    }
    r->depth--;
}
