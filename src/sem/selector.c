/* Paths: I!Op, I(x)!J!Op(y), and names of subexpressions such as Op!2!1, Op(a)!lab, Op!(e)!<<, Op!:
 * and Op!@.
 *
 * A path starts with the name of a definition, whose parts may be instances ("I!J!Op" is one name
 * in the scope). What follows selects a part of that definition's body. The result is a definition
 * again: its parameters are those of the operator and every name bound on the way down, its body is
 * the selected node, so that evaluating it is nothing special. When the definition came through an
 * instance, the selection is made in the original and wrapped in the same instance. The rules are
 * those of Lamport's "TLA+2: a preliminary guide", section 6. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "sem/sem.h"
#include "sem/sem_int.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/source.h"

enum step_kind { STEP_NAME, STEP_NUMBER, STEP_LEFT, STEP_RIGHT, STEP_COLON, STEP_AT, STEP_ARGS };

struct step {
    enum step_kind kind;
    struct str name;
    int32_t number;
    struct node *const *args;
    uint32_t nargs;
    struct span span;
};

struct path {
    struct resolver *r;
    struct node *node; /* all of it */
    VEC(struct step) steps;
    uint32_t expected;       /* arity of the operator that is wanted; 0 = an expression */
    VEC(struct node *) lets; /* LETs that the selection went into, outermost first */
    size_t lets_begin;       /* those of the definition at hand */
    bool failed;
};

typedef VEC(struct def *) def_vec;

/* ---- the path as a list ---- */

static struct step step_of(struct node *node)
{
    struct step step = {.kind = STEP_NAME, .name = node->name, .span = node->span};
    switch (node->kind) {
    case N_APP:
        step.name = node->kid[0]->name;
        step.span = node->kid[0]->span;
        step.args = node->kid + 1;
        step.nargs = node->nkid - 1;
        break;
    case N_SEL:
        step.number = node->num;
        if (str_is(node->name, "<<")) {
            step.kind = STEP_LEFT;
        } else if (str_is(node->name, ">>")) {
            step.kind = STEP_RIGHT;
        } else if (str_is(node->name, ":")) {
            step.kind = STEP_COLON;
        } else if (str_is(node->name, "@")) {
            step.kind = STEP_AT;
        } else if (node->nkid) {
            step.kind = STEP_ARGS;
            step.args = node->kid;
            step.nargs = node->nkid;
        } else {
            step.kind = STEP_NUMBER;
        }
        break;
    default: break;
    }
    return step;
}

static void path_flatten(struct path *path)
{
    struct node *node = path->node;
    struct node *const *args = NULL;
    uint32_t nargs = 0;
    if (node->kind == N_APP) {
        args = node->kid + 1;
        nargs = node->nkid - 1;
        node = node->kid[0];
    }
    while (node->kind == N_BANG) {
        VEC_PUSH(&path->steps, step_of(node->kid[1]));
        node = node->kid[0];
    }
    VEC_PUSH(&path->steps, step_of(node));
    for (size_t i = 0, j = path->steps.n - 1; i < j; i++, j--) {
        struct step swap = path->steps.v[i];
        path->steps.v[i] = path->steps.v[j];
        path->steps.v[j] = swap;
    }
    if (args) {
        VEC_LAST(&path->steps).args = args;
        VEC_LAST(&path->steps).nargs = nargs;
    }
}

size_t bang_args(const struct node *bang, struct node **ret_args, size_t max)
{
    struct path path = {.node = (struct node *)bang}; /* only read */
    size_t n = 0;
    path_flatten(&path);
    for (size_t i = 0; i < path.steps.n; i++) {
        for (uint32_t j = 0; j < path.steps.v[i].nargs && n < max; j++) {
            ret_args[n++] = path.steps.v[i].args[j];
        }
    }
    VEC_DONE(&path.steps);
    return n;
}

static struct def *path_fail(struct path *path, size_t at, const char *text)
{
    if (!path->failed) {
        size_t i = at < path->steps.n ? at : path->steps.n - 1;
        sem_report(path->r, DIAG_SELECTOR_BAD, path->steps.v[i].span, "%s", text);
    }
    path->failed = true;
    return NULL;
}

static void path_text(const struct path *path, struct strbuf *out)
{
    for (size_t i = 0; i < path->steps.n; i++) {
        const struct step *step = &path->steps.v[i];
        strbuf_adds(out, i ? "!" : "");
        switch (step->kind) {
        case STEP_NAME: strbuf_addstr(out, step->name); break;
        case STEP_NUMBER: strbuf_printf(out, "%d", step->number); break;
        case STEP_LEFT: strbuf_adds(out, "<<"); break;
        case STEP_RIGHT: strbuf_adds(out, ">>"); break;
        case STEP_COLON: strbuf_adds(out, ":"); break;
        case STEP_AT: strbuf_adds(out, "@"); break;
        case STEP_ARGS: strbuf_adds(out, "(...)"); break;
        }
    }
}

/* ---- made-up nodes and definitions ---- */

static struct node *made_node(struct path *path, enum node_kind kind, struct node *like,
                              uint32_t nkid)
{
    struct program *program = path->r->sem->program;
    struct node *node = ARENA_NEW(program->arena, struct node);
    node->kind = (uint16_t)kind;
    node->span = like->span;
    node->name_span = like->span;
    node->name = STR("");
    node->nkid = nkid;
    node->kid = ARENA_ARRAY(program->arena, struct node *, nkid);
    node->id = program->next_node_id++;
    return node;
}

static struct node *made_id(struct path *path, struct def *def)
{
    struct node *node = made_node(path, N_ID, path->node, 0);
    node->name = def->name;
    node->ref = def;
    return node;
}

/* The selected node, inside the LETs whose definitions it may use. */
static struct node *made_lets(struct path *path, struct node *body)
{
    for (size_t i = path->lets.n; i-- > path->lets_begin;) {
        struct node *let = path->lets.v[i];
        struct node *copy = made_node(path, N_LET, body, let->nkid);
        for (uint32_t j = 0; j + 1 < let->nkid; j++) {
            copy->kid[j] = let->kid[j];
        }
        copy->kid[let->nkid - 1] = body;
        body = copy;
    }
    return body;
}

static struct def *made_def(struct path *path, const struct def *base, const def_vec *params,
                            struct node *body)
{
    struct program *program = path->r->sem->program;
    SCOPED_STRBUF name = {0};
    path_text(path, &name);
    struct def *def = def_new(path->r->sem, DEF_OP, str_dup(program->arena, strbuf_str(&name)),
                              base->module, base->decl);
    def->arity = (uint32_t)params->n;
    def->params = ARENA_ARRAY(program->arena, struct def *, params->n);
    for (size_t i = 0; i < params->n; i++) {
        def->params[i] = params->v[i];
    }
    def->body = made_lets(path, body);
    def->in_let = base->in_let;
    def->is_theorem = base->is_theorem;
    return def;
}

/* A definition with `params` and then fresh ones for those of `def`, which it applies. Where that
 * would be all, it is def itself. */
static struct def *made_call(struct path *path, const struct def *base, def_vec *params,
                             struct def *def)
{
    if (params->n == 0 && path->lets.n == path->lets_begin) {
        return def;
    }
    struct node *body = made_id(path, def);
    if (def->arity) {
        struct node *app = made_node(path, N_APP, path->node, def->arity + 1);
        app->kid[0] = body;
        for (uint32_t i = 0; i < def->arity; i++) {
            struct str name = def->params ? def->params[i]->name : STR("x");
            struct def *fresh = def_new(path->r->sem, DEF_PARAM, name, path->r->module,
                                        def->params ? def->params[i]->decl : NULL);
            fresh->arity = def->params ? def->params[i]->arity : 0;
            VEC_PUSH(params, fresh);
            app->kid[i + 1] = made_id(path, fresh);
        }
        body = app;
    }
    return made_def(path, base, params, body);
}

/* ---- arguments on the way ---- */

static bool take_args(struct path *path, size_t at, uint32_t want, const char *what)
{
    struct step *step = &path->steps.v[at];
    if (path->expected) {
        return true;
    }
    if (step->nargs != want) {
        SCOPED_STRBUF text = {0};
        strbuf_printf(&text, "%s takes %u argument%s, not %u", what, want, want == 1 ? "" : "s",
                      step->nargs);
        path_fail(path, at, strbuf_cstr(&text));
        return false;
    }
    for (uint32_t i = 0; i < step->nargs; i++) {
        resolve_expr(path->r, step->args[i]);
    }
    return true;
}

/* ---- names at the start of a path, or in a LET ---- */

static struct def *find_in_let(const struct node *let, struct str name);

struct name_search {
    const struct node *let; /* NULL: the current scope */
    uint32_t arity_done;    /* parameters whose arguments have been seen */
    size_t first_arg_step;  /* first step whose arguments are still to be looked at */
};

static struct def *search_find(struct path *path, const struct name_search *search, struct str name)
{
    return search->let ? find_in_let(search->let, name) : scope_find(path->r, name);
}

/* def was found at step `at`: the arguments written since the last one found must be those of its
 * further parameters. */
static bool search_args(struct path *path, struct name_search *search, const struct def *def,
                        size_t at)
{
    uint32_t n = 0;
    if (path->expected) {
        search->arity_done = def->arity;
        return true;
    }
    for (size_t i = search->first_arg_step; i <= at; i++) {
        n += path->steps.v[i].nargs;
    }
    if (search->arity_done + n != def->arity) {
        struct diag *diag = sem_report(path->r, DIAG_ARITY, path->node->span,
                                       "'%.*s' takes %u argument%s here, not %u",
                                       STR_ARG(def->name), def->arity - search->arity_done,
                                       def->arity - search->arity_done == 1 ? "" : "s", n);
        sem_first_here(path->r, diag, def);
        path->failed = true;
        return false;
    }
    for (size_t i = search->first_arg_step; i <= at; i++) {
        resolve_args(path->r, def, search->arity_done, path->steps.v[i].args,
                     path->steps.v[i].nargs);
        search->arity_done += path->steps.v[i].nargs;
    }
    search->first_arg_step = at + 1;
    return true;
}

/* The longest run of names from step `*at` on that is a definition. Leaves *at after it. */
static struct def *path_name(struct path *path, const struct node *let, size_t *at)
{
    struct name_search search = {.let = let, .first_arg_step = *at};
    SCOPED_STRBUF name = {0};
    for (size_t i = *at; i < path->steps.n; i++) {
        const struct step *step = &path->steps.v[i];
        if (step->kind != STEP_NAME) {
            break;
        }
        strbuf_adds(&name, name.n ? "!" : "");
        strbuf_addstr(&name, step->name);
        struct def *def = search_find(path, &search, strbuf_str(&name));
        if (!def) {
            continue;
        }
        if (!search_args(path, &search, def, i)) {
            return NULL;
        }
        if (def->kind != DEF_INSTANCE) {
            *at = i + 1;
            return def;
        }
        if (i + 1 == path->steps.n) {
            def_usable(path->r, def, path->node->span);
            path->failed = true;
            return NULL;
        }
    }
    path->failed = true;
    struct str text = str_dup(path->r->sem->program->arena, strbuf_str(&name));
    scope_unknown(path->r, text.n ? text : STR("!"), path->node->span);
    return NULL;
}

static struct def *find_in_let(const struct node *let, struct str name)
{
    for (uint32_t i = 0; i + 1 < let->nkid; i++) {
        struct node *unit = let->kid[i];
        struct def *def = (struct def *)unit->ref;
        if (!def || unit->kind == N_RECURSIVE) {
            continue;
        }
        if (str_eq(def->name, name)) {
            return def;
        }
        bool prefix = unit->kind == N_INSTDEF && name.n > def->name.n + 1 &&
                      memcmp(name.p, def->name.p, def->name.n) == 0 && name.p[def->name.n] == '!';
        if (prefix && def->inst) {
            return instance_member(def, name);
        }
    }
    return NULL;
}

/* ---- the body ---- */

static struct def *select_rest(struct path *path, struct def *def, size_t at);

/* A label of the body that is not inside another label or a LET definition. Notes the LETs on the
 * way. */
static struct node *find_label(struct path *path, struct node *node, struct str name,
                               unsigned depth)
{
    if (node->kind == N_LABEL) {
        return str_eq(node->name, name) ? node : NULL;
    }
    if (depth >= SEM_DEPTH_MAX) {
        return NULL;
    }
    size_t lets = path->lets.n;
    bool let = node->kind == N_LET;
    if (let) {
        VEC_PUSH(&path->lets, node);
    }
    struct node *found = NULL;
    for (uint32_t i = let ? node->nkid - 1 : 0; i < node->nkid && !found; i++) {
        found = node->kid[i] ? find_label(path, node->kid[i], name, depth + 1) : NULL;
    }
    path->lets.n = found ? path->lets.n : lets;
    return found;
}

/* Which of n operands a step means, from 0; n when none. */
static uint32_t operand_index(const struct step *step, uint32_t n)
{
    switch (step->kind) {
    case STEP_NUMBER:
        return step->number >= 1 && (uint32_t)step->number <= n ? (uint32_t)step->number - 1 : n;
    case STEP_LEFT: return n > 0 ? 0 : n;
    case STEP_RIGHT: return n == 2 ? 1 : n;
    default: return n;
    }
}

static bool has_bounds(const struct node *node)
{
    switch (node->kind) {
    case N_FORALL:
    case N_EXISTS:
    case N_CHOOSE:
    case N_SETFILTER:
    case N_SETMAP:
    case N_FCN:
    case N_FCNDEF:
    case N_FORALL_U:
    case N_EXISTS_U:
    case N_TFORALL:
    case N_TEXISTS:
    case N_CHOOSE_U:
    case N_LAMBDA: return true;
    default: return false;
    }
}

static void push_bound_names(struct node *node, def_vec *out)
{
    if (node->kind == N_ID || node->kind == N_OPDECL) {
        if (node->ref) {
            VEC_PUSH(out, (struct def *)node->ref);
        }
        return;
    }
    uint32_t n = node->kind == N_BOUND ? node->nkid - 1 : node->nkid;
    for (uint32_t i = 0; i < n; i++) {
        push_bound_names(node->kid[i], out);
    }
}

/* Of a node that binds names: a number is one of the sets, (e) or @ the body. */
static struct node *select_bound(struct path *path, struct node *node, size_t at, def_vec *params)
{
    struct step *step = &path->steps.v[at];
    struct node *body = node->kind == N_SETMAP ? node->kid[0] : node->kid[node->nkid - 1];
    if (step->kind == STEP_ARGS || step->kind == STEP_AT) {
        size_t before = params->n;
        for (uint32_t i = 0; i < node->nkid; i++) {
            if (node->kid[i] != body) {
                push_bound_names(node->kid[i], params);
            }
        }
        if (step->kind == STEP_ARGS &&
            !take_args(path, at, (uint32_t)(params->n - before), "this selector")) {
            return NULL;
        }
        return body;
    }
    uint32_t nbound = 0;
    for (uint32_t i = 0; i < node->nkid; i++) {
        nbound += node->kid[i]->kind == N_BOUND;
    }
    uint32_t index = operand_index(step, nbound);
    for (uint32_t i = 0; i < node->nkid && index < nbound; i++) {
        if (node->kid[i]->kind == N_BOUND && index-- == 0) {
            return node->kid[i]->kid[node->kid[i]->nkid - 1];
        }
    }
    path_fail(path, at, "there is no such bound");
    return NULL;
}

static struct node *select_case(struct path *path, struct node *node, size_t *at)
{
    uint32_t arm = operand_index(&path->steps.v[*at], node->nkid);
    if (arm >= node->nkid || *at + 1 >= path->steps.n) {
        path_fail(path, *at, "a part of a CASE is named !i!1 (a guard) or !i!2 (a value)");
        return NULL;
    }
    (*at)++;
    struct node *pair = node->kid[arm];
    uint32_t side = operand_index(&path->steps.v[*at], 2);
    if (side == 1) {
        return pair->kid[pair->nkid - 1];
    }
    if (side == 0 && pair->kind == N_ARM) {
        return pair->kid[0];
    }
    path_fail(path, *at, "there is no such part of the CASE");
    return NULL;
}

/* The operands of an ordinary node, as SANY counts them. */
static void operands(struct path *path, struct node *node, struct node ***ret_kids, uint32_t *ret_n)
{
    struct arena *arena = path->r->sem->program->arena;
    *ret_kids = node->kid;
    *ret_n = node->nkid;
    switch (node->kind) {
    case N_APP:
    case N_BANG: {
        *ret_kids = ARENA_ARRAY(arena, struct node *, 64);
        *ret_n = (uint32_t)bang_args(node, *ret_kids, 64);
        break;
    }
    case N_LET:
        *ret_kids = node->kid + node->nkid - 1;
        *ret_n = 1;
        break;
    case N_RECORD:
    case N_RECSET:
        *ret_kids = ARENA_ARRAY(arena, struct node *, node->nkid);
        for (uint32_t i = 0; i < node->nkid; i++) {
            (*ret_kids)[i] = node->kid[i]->kid[0];
        }
        break;
    case N_EXCEPT: *ret_n = 1; break;
    case N_DOT: {
        struct node *field = made_node(path, N_STRING, node, 0);
        field->name = node->name;
        *ret_kids = ARENA_ARRAY(arena, struct node *, 2);
        (*ret_kids)[0] = node->kid[0];
        (*ret_kids)[1] = field;
        *ret_n = 2;
        break;
    }
    case N_FAPPLY:
        if (node->nkid > 2) {
            struct node *tuple = made_node(path, N_TUPLE, node, node->nkid - 1);
            for (uint32_t i = 0; i < tuple->nkid; i++) {
                tuple->kid[i] = node->kid[i + 1];
            }
            *ret_kids = ARENA_ARRAY(arena, struct node *, 2);
            (*ret_kids)[0] = node->kid[0];
            (*ret_kids)[1] = tuple;
            *ret_n = 2;
        }
        break;
    default: break;
    }
}

/* One selector step below `node`. May use up a second step (CASE). */
static struct node *select_part(struct path *path, struct node *node, size_t *at, def_vec *params)
{
    while (node->kind == N_LABEL) {
        node = node->kid[node->nkid - 1];
    }
    if (has_bounds(node)) {
        return select_bound(path, node, *at, params);
    }
    if (node->kind == N_CASE) {
        return select_case(path, node, at);
    }
    struct node **kids;
    uint32_t n;
    operands(path, node, &kids, &n);
    uint32_t index = operand_index(&path->steps.v[*at], n);
    if (index >= n) {
        path_fail(path, *at, "there is no such operand");
        return NULL;
    }
    if (node->kind == N_LET) {
        VEC_PUSH(&path->lets, node);
    }
    return kids[index];
}

/* The selected node ends the path. It is an expression, or an operator given as an argument. */
static struct def *select_end(struct path *path, const struct def *base, struct node *node,
                              def_vec *params)
{
    if (node->kind == N_LAMBDA) {
        for (uint32_t i = 0; i + 1 < node->nkid; i++) {
            push_bound_names(node->kid[i], params);
        }
        return made_def(path, base, params, node->kid[node->nkid - 1]);
    }
    struct def *named = node->kind == N_ID ? (struct def *)node->ref : NULL;
    if (named && named->arity) {
        return made_call(path, base, params, named);
    }
    if (node->kind == N_FCNDEF && node->ref) {
        return made_call(path, base, params, (struct def *)node->ref);
    }
    return made_def(path, base, params, node);
}

/* A name after a selector: a definition of the LET at hand. Leaves *at after it. */
static struct def *select_let(struct path *path, struct node *node, size_t *at)
{
    while (node->kind == N_LABEL) {
        node = node->kid[node->nkid - 1];
    }
    if (node->kind != N_LET) {
        return path_fail(path, *at, "a name can stand here only for a definition of a LET");
    }
    VEC_PUSH(&path->lets, node);
    return path_name(path, node, at);
}

/* Follows labels from step *at on. Returns the body of the last one. */
static struct node *select_labels(struct path *path, struct node *node, size_t *at, def_vec *params)
{
    while (*at < path->steps.n && path->steps.v[*at].kind == STEP_NAME) {
        struct node *label = find_label(path, node, path->steps.v[*at].name, 0);
        if (!label) {
            path_fail(path, *at, "there is no such label");
            return NULL;
        }
        if (!take_args(path, *at, label->nkid - 1, "the label")) {
            return NULL;
        }
        for (uint32_t i = 0; i + 1 < label->nkid; i++) {
            push_bound_names(label->kid[i], params);
        }
        node = label->kid[label->nkid - 1];
        (*at)++;
    }
    return node;
}

/* Selectors from step *at on, up to the end or a name. */
static struct node *select_parts(struct path *path, struct node *node, size_t *at, def_vec *params)
{
    node = select_labels(path, node, at, params);
    while (node && *at < path->steps.n && path->steps.v[*at].kind != STEP_NAME) {
        bool more = *at + 1 < path->steps.n;
        if (path->steps.v[*at].kind != STEP_COLON) {
            node = select_part(path, node, at, params);
        } else if (path->steps.v[*at - 1].kind != STEP_NAME ||
                   (more && path->steps.v[*at + 1].kind != STEP_NAME)) {
            path_fail(path, *at, "!: stands only after a name, at the end or before a name");
            return NULL;
        }
        (*at)++;
    }
    return node;
}

/* The definition that steps from `at` on select in def's own body. A definition of a LET in it goes
 * on the same way: its parameters come after the others. */
static struct def *select_in(struct path *path, struct def *def, size_t at, def_vec *params)
{
    const struct def *base = def;
    struct node *node = NULL;
    for (;;) {
        for (uint32_t i = 0; i < def->arity; i++) {
            VEC_PUSH(params, def->params[i]);
        }
        node = select_parts(path, def->body, &at, params);
        if (!node || at == path->steps.n) {
            break;
        }
        def = select_let(path, node, &at);
        if (!def || def->orig) {
            def = def ? select_rest(path, def, at) : NULL;
            return def ? made_call(path, base, params, def) : NULL;
        }
        if (!def->body) {
            path->failed = true;
            return NULL;
        }
    }
    return node ? select_end(path, base, node, params) : NULL;
}

static bool being_defined(const struct resolver *r, const struct def *def)
{
    for (size_t i = 0; i < r->defining.n; i++) {
        if (r->defining.v[i] == def) {
            return true;
        }
    }
    return false;
}

static struct def *select_rest(struct path *path, struct def *def, size_t at)
{
    if (at == path->steps.n) {
        return def;
    }
    if (def->orig) {
        struct def *inner = select_rest(path, def->orig, at);
        return inner ? instance_wrap(path->r, inner->name, inner, def->inst, def->decl) : NULL;
    }
    if (def->kind != DEF_OP || being_defined(path->r, def) || def->pending) {
        return path_fail(path, at, "a part can be taken only of a definition that is complete");
    }
    if (!def->body) {
        path->failed = true;
        return NULL;
    }
    def_vec params = {0};
    size_t lets_begin = path->lets_begin;
    path->lets_begin = path->lets.n;
    struct def *result = select_in(path, def, at, &params);
    path->lets.n = path->lets_begin;
    path->lets_begin = lets_begin;
    VEC_DONE(&params);
    return result;
}

/* Steps whose arguments nobody looked at because of an error. */
static void resolve_left_over(struct path *path)
{
    for (size_t i = 0; i < path->steps.n; i++) {
        for (uint32_t j = 0; j < path->steps.v[i].nargs; j++) {
            struct node *arg = path->steps.v[i].args[j];
            if (arg->kind == N_ID && !arg->ref) {
                arg->ref = scope_find(path->r, arg->name);
            }
        }
    }
}

void resolve_path(struct resolver *r, struct node *node, uint32_t expected_arity)
{
    struct path path = {.r = r, .node = node, .expected = expected_arity};
    struct node *bang = node->kind == N_APP ? node->kid[0] : node;
    size_t at = 0;
    path_flatten(&path);
    for (size_t i = 0; expected_arity && i < path.steps.n; i++) {
        if (path.steps.v[i].nargs) {
            path_fail(&path, i,
                      "an operator that is an argument cannot have arguments in its name");
        }
    }
    struct def *def = path.failed ? NULL : path_name(&path, NULL, &at);
    def = def ? select_rest(&path, def, at) : NULL;
    if (def && expected_arity && def->arity == expected_arity && !def_first_order(def)) {
        sem_report(r, DIAG_ARG_NOT_OPERATOR, node->span,
                   "'%.*s' takes operators itself and cannot be an argument", STR_ARG(def->name));
    } else if (def && expected_arity && def->arity != expected_arity) {
        sem_report(r, DIAG_ARG_NOT_OPERATOR, node->span,
                   "an operator of %u argument%s is needed here, but '%.*s' takes %u",
                   expected_arity, expected_arity == 1 ? "" : "s", STR_ARG(def->name), def->arity);
    }
    if (def) {
        def_usable(r, def, node->span);
    } else {
        resolve_left_over(&path);
    }
    bang->ref = def;
    VEC_DONE(&path.lets);
    VEC_DONE(&path.steps);
}
