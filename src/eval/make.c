/* From a checked program and a configuration to a model. */
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/near.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "eval/guards.h"
#include "eval/known.h"
#include "eval/por.h"
#include "eval/registers.h"
#include "eval/spec.h"
#include "eval/worker.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

#define SET_SIZE_MAX_DEFAULT 1000000
#define STACK_BYTES_DEFAULT  ((size_t)8 << 20)

static struct spec *spec_new(struct arena *arena, struct program *program,
                             const struct eval_options *options, struct mhost *host,
                             struct eval_issue *issue)
{
    struct spec *spec = ARENA_NEW(arena, struct spec);
    spec->arena = arena;
    spec->program = program;
    spec->options = *options;
    spec->strings = options->strings;
    spec->host = host;
    spec->issue = issue;
    if (spec->options.set_size_max == 0) {
        spec->options.set_size_max = SET_SIZE_MAX_DEFAULT;
    }
    if (spec->options.stack_bytes == 0) {
        spec->options.stack_bytes = STACK_BYTES_DEFAULT;
    }
    if (spec->options.scratch_bytes_max == 0) {
        uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
        spec->options.scratch_bytes_max = bytes / 4;
    }
    pthread_mutex_init(&spec->lock, NULL);
    arena_init(&spec->cache_arena, 0);
    spec->root_env = env_bind(spec, NULL, NULL, NULL);
    return spec;
}

/* ---- variables ---- */
/* TLC prints variables in the order in which a Java hash table gives them: by bucket. The table
 * holds the names that the root module sees and the 72 operators of the language, and its size
 * follows from their number. */
static uint32_t name_hash(struct str name)
{
    uint32_t hash = 0;
    for (size_t i = 0; i < name.n; i++) {
        hash = 31 * hash + (unsigned char)name.p[i];
    }
    return hash & INT32_MAX;
}

static uint32_t table_size(size_t names)
{
    uint64_t size = 11;
    while (names > size * 3 / 4) {
        size = 2 * size + 1;
    }
    return (uint32_t)size;
}

static int by_bucket(const void *a, const void *b, void *arg)
{
    enum { LANGUAGE_OPERATORS = 72 };
    const struct spec *spec = arg;
    uint32_t i = *(const uint32_t *)a;
    uint32_t j = *(const uint32_t *)b;
    uint32_t size = table_size(spec->program->root->scope.n + LANGUAGE_OPERATORS);
    uint32_t left = name_hash(spec->vars[i]->name) % size;
    uint32_t right = name_hash(spec->vars[j]->name) % size;
    return left != right ? (left > right) - (left < right) : (i > j) - (i < j);
}

static void spec_variables(struct spec *spec)
{
    const struct module *root = spec->program->root;
    spec->nvar = root->nvar;
    spec->vars = ARENA_ARRAY(spec->arena, const struct def *, spec->nvar + 1);
    spec->var_names = ARENA_ARRAY(spec->arena, const char *, spec->nvar + 1);
    spec->print_order = ARENA_ARRAY(spec->arena, uint32_t, spec->nvar + 1);
    for (uint32_t i = 0; i < spec->nvar; i++) {
        spec->vars[i] = root->vars[i];
        spec->var_names[i] =
            arena_strndup(spec->arena, root->vars[i]->name.p, root->vars[i]->name.n);
        spec->print_order[i] = i;
        u64map_put(&spec->var_of_def, (uint64_t)(uintptr_t)root->vars[i], i);
        spec_tell(spec, TOLD_VARIABLE, spec->var_names[i], root->vars[i]->decl);
    }
    qsort_r(spec->print_order, spec->nvar, sizeof *spec->print_order, by_bucket, spec);
}

/* ---- what the configuration names ---- */
/* A name that means nothing: a definition may have been meant, or a keyword that then was taken for
 * one more name of a list. */
const char *spec_config_hint(struct spec *spec, struct str name)
{
    const struct strmap *scope = &spec->program->root->scope;
    struct near near = near_to(name), keyword = near;
    for (size_t i = 0; i < scope->n; i++) {
        const struct def *def = scope->entries[i].value;
        bool ours = !def || (def->module && def->module->builtin); /* nobody checks Nat */
        if (!ours && def->kind == DEF_OP && def->arity == 0) {
            near_try(&near, scope->entries[i].key);
        }
    }
    config_try_keywords(&keyword);
    if (keyword.best.n && (!near.best.n || keyword.distance < near.distance)) {
        return arena_printf(spec->arena, "did you mean the keyword %.*s?", STR_ARG(keyword.best));
    }
    return near.best.n ? arena_printf(spec->arena, "did you mean %.*s?", STR_ARG(near.best)) : NULL;
}

static const struct def *config_def(struct spec *spec, struct str name, const char *what)
{
    struct def *def = program_lookup(spec->program, name);
    if (!def) {
        spec->hint = spec_config_hint(spec, name);
        spec_fail(
            spec, 2229, 151, NULL,
            "The %s %.*s specified in the configuration file\nis not defined in the specification.",
            what, STR_ARG(name));
    }
    uint64_t unused;
    if (def->kind != DEF_OP && !u64map_get(&spec->overrides, (uint64_t)(uintptr_t)def, &unused)) {
        spec_fail(spec, 2280, 151, NULL, "The %s %.*s is not an operator.", what, STR_ARG(name));
    }
    if (def->arity != 0) {
        spec_fail(
            spec, 2228, 151, NULL,
            "The %s %.*s specified in the configuration file takes arguments, but must take none.",
            what, STR_ARG(name));
    }
    return def;
}

/* A node that names the definition, so that overrides and instances are followed as anywhere else.
 */
static struct node *name_node(struct spec *spec, const struct def *def)
{
    struct node *node = ARENA_NEW(spec->arena, struct node);
    node->kind = N_ID;
    node->name = def->name;
    node->ref = def;
    const struct node *body = def->is_fcn || !def->body ? def->decl : def->body;
    if (body) {
        node->span = body->span;
    }
    return node;
}

static void pred_of(struct spec *spec, struct str name, const char *what, struct pred *ret)
{
    const struct def *def = config_def(spec, name, what);
    struct node *node = name_node(spec, def);
    *ret = (struct pred){.unit = spec_predicate(spec, spec->root_env, node),
                         .name = arena_strndup(spec->arena, name.p, name.n),
                         .node = node};
}

/* An invariant without variables is evaluated here, once. False: it has no value, states must tell.
 */
static bool constant_invariant(struct spec *spec, const struct pred *p)
{
    struct val v;
    if (!spec_try_constant(spec, spec->root_env, p->node, &v)) {
        return false;
    }
    if (!val_same(v, VAL_TRUE)) {
        spec_fail(spec, 2230, 151, NULL, "The invariant of %s is equal to %s", p->name,
                  val_ppr(&spec->boot->vctx, v));
    }
    spec_warn(spec, 2149,
              "The invariant %s is a constant-level formula (i.e., it contains no variables, "
              "primes, or temporal operators) and evaluates to TRUE. To assert constant-level "
              "formulas in your spec, use ASSUME ConstInv. If you optionally want to give the "
              "assumption a name, write ASSUME YourAssumption == ConstInv instead. See "
              "https://explain.tlapl.us/assumptions-and-invariants for additional details.",
              p->name);
    return true;
}

static void spec_invariants(struct spec *spec, const struct config *config)
{
    for (size_t i = 0; i < config->invariants.n; i++) {
        struct pred p;
        pred_of(spec, config->invariants.v[i].name, "invariant", &p);
        enum level level = lower_level_of(spec, p.node, spec->root_env);
        if (level > LEVEL_STATE) {
            spec_fail(
                spec, 2146, 76, p.node,
                "The invariant %s is not a state predicate (one with no primes or temporal "
                "operators).\nNote that a bug can cause TLC to incorrectly report this error.\nIf "
                "you believe your TLA+ or PlusCal specification to be correct,\nplease check if "
                "this bug described in LevelNode.java starting at line 590ff affects you.",
                p.name);
        }
        if (level == LEVEL_CONSTANT && constant_invariant(spec, &p)) {
            continue;
        }
        VEC_PUSH(&spec->props,
                 ((struct mprop){MPROP_INVARIANT, p.name, NULL, ev_mplace(spec, p.node)}));
        VEC_PUSH(&spec->prop_preds, p);
        spec_tell(spec, TOLD_INVARIANT, p.name, p.node);
    }
    for (size_t i = 0; i < spec->options.ninvariant; i++) {
        struct node *node = name_node(spec, spec->options.invariants[i]);
        struct pred p = {.unit = spec_predicate(spec, spec->root_env, node),
                         .name = spec->options.invariant_names[i],
                         .node = node};
        VEC_PUSH(&spec->props,
                 ((struct mprop){MPROP_INVARIANT, p.name, NULL, ev_mplace(spec, node)}));
        VEC_PUSH(&spec->prop_preds, p);
    }
}

/* -invlevel N: an invariant that bounds the level of states. */
static void spec_level_bound(struct spec *spec)
{
    int64_t bound = spec->options.level_max;
    if (bound <= 0) {
        return;
    }
    struct unit *u = unit_new(spec, NULL);
    struct ex *x = lower_ex(spec, EX_LEVEL_BELOW, NULL, 0);
    x->u.i = bound;
    u->body = x;
    const char *name = arena_printf(spec->arena, "TLCGet(\"level\") < %lld", (long long)bound);
    VEC_PUSH(&spec->props, ((struct mprop){MPROP_INVARIANT, name, NULL, ev_mplace(spec, NULL)}));
    VEC_PUSH(&spec->prop_preds, ((struct pred){.unit = u, .name = name}));
}

/* _POSSIBLE P: counts where P holds; that it holds somewhere is a postcondition. */
static void spec_possible(struct spec *spec, const struct config *config)
{
    for (size_t i = 0; i < config->possible.n; i++) {
        struct possible possible;
        pred_of(spec, config->possible.v[i].name, "possible", &possible.pred);
        enum level level = lower_level_of(spec, possible.pred.node, spec->root_env);
        if (level > LEVEL_ACTION) {
            spec_fail(spec, 2230, 151, NULL,
                      "The possible of %s is equal to a temporal formula; only state- and "
                      "action-level predicates are supported",
                      possible.pred.name);
        }
        possible.action = level == LEVEL_ACTION;
        VEC_PUSH(&spec->possible, possible);
        struct unit *u = unit_new(spec, NULL);
        struct ex *x = lower_ex(spec, EX_POSSIBLE, possible.pred.node, 0);
        x->u.i = (int64_t)i;
        x->level = LEVEL_STATE;
        u->body = x;
        VEC_PUSH(
            &spec->postconditions,
            ((struct pred){.unit = u, .name = possible.pred.name, .node = possible.pred.node}));
    }
}

/* A constraint without variables: TRUE says nothing, and anything else is refused. False: it has to
 * be evaluated in states. */
static bool constant_constraint(struct spec *spec, const struct pred *p, const char *what)
{
    struct val v;
    if (lower_level_of(spec, p->node, spec->root_env) != LEVEL_CONSTANT ||
        !spec_try_constant(spec, spec->root_env, p->node, &v)) {
        return false;
    }
    if (!val_same(v, VAL_TRUE)) {
        spec_fail(spec, 2230, 151, NULL, "The %s of %s is equal to %s", what, p->name,
                  val_ppr(&spec->boot->vctx, v));
    }
    return true;
}

static void spec_names(struct spec *spec, const struct config *config)
{
    struct pred p;
    for (size_t i = 0; i < config->constraints.n; i++) {
        pred_of(spec, config->constraints.v[i].name, "constraint", &p);
        if (constant_constraint(spec, &p, "constraint")) {
            continue;
        }
        VEC_PUSH(&spec->constraints, p);
        spec_tell(spec, TOLD_CONSTRAINT, p.name, ((const struct def *)p.node->ref)->decl);
    }
    for (size_t i = 0; i < config->action_constraints.n; i++) {
        pred_of(spec, config->action_constraints.v[i].name, "action constraint", &p);
        if (constant_constraint(spec, &p, "action constraint")) {
            continue;
        }
        VEC_PUSH(&spec->action_constraints, p);
        spec_tell(spec, TOLD_ACTION_CONSTRAINT, p.name, ((const struct def *)p.node->ref)->decl);
    }
    for (size_t i = 0; i < config->postconditions.n; i++) {
        pred_of(spec, config->postconditions.v[i].name, "postcondition", &p);
        VEC_PUSH(&spec->postconditions, p);
    }
    for (size_t i = 0; i < spec->options.npostcondition; i++) {
        const char *name = spec->options.postconditions[i];
        const char *bang = strchr(name, '!');
        struct def *def = NULL;
        if (bang) {
            struct module *module =
                strmap_get(&spec->program->modules, (struct str){name, (size_t)(bang - name)});
            def = module ? module_lookup(module, str_of(bang + 1)) : NULL;
        }
        if (!def) {
            def = spec_lookup(spec, str_of(bang ? bang + 1 : name));
        }
        if (!def) {
            spec_fail(spec, 2229, 151, NULL,
                      "The postcondition %s is not defined in the specification.", name);
        }
        struct node *node = name_node(spec, def);
        VEC_PUSH(&spec->postconditions,
                 ((struct pred){.unit = spec_predicate(spec, spec->root_env, node),
                                .name = name,
                                .node = node}));
    }
    if (config->view.name.n) {
        pred_of(spec, config->view.name, "view function", &spec->view);
        spec->model.has_view = true;
    }
    if (config->alias.name.n) {
        pred_of(spec, config->alias.name, "alias", &spec->alias);
        spec->has_alias = true;
    }
    spec_possible(spec, config);
    spec->constraint_ids = spec->nex;
    spec->nex += (uint32_t)(2 * (spec->constraints.n + spec->action_constraints.n));
    spec->model.has_constraint =
        spec->constraints.n + spec->action_constraints.n + spec->possible.n > 0;
}

/* ---- Init, Next, properties ---- */
static void collect_parts(struct spec *spec, const struct config *config, struct spec_parts *parts)
{
    struct lc lc = {.spec = spec, .env = spec->root_env, .by_name = true};
    bool has_spec = config->specification.name.n > 0;
    if (has_spec && (config->init.name.n || config->next.name.n)) {
        spec_fail(spec, 2227, 151, NULL,
                  "The configuration file cannot specify both INIT/NEXT and SPECIFICATION fields.");
    }
    if (has_spec) {
        const struct def *def = config_def(spec, config->specification.name, "specification");
        struct node *node = name_node(spec, def);
        struct spec_step s = spec_follow(spec, lc, node);
        if (s.is_value) {
            spec_fail(spec, 2230, 151, NULL, "The value of %s is equal to %s", s.name,
                      val_ppr(&spec->boot->vctx, s.value));
        }
        spec_split(spec, s.node ? s.lc : lc, s.node ? s.node : node, def->name.p, parts);
        return;
    }
    if (config->init.name.n) {
        const struct def *def = config_def(spec, config->init.name, "initial predicate");
        VEC_PUSH(&parts->inits,
                 ((struct scoped){name_node(spec, def), spec->root_env, def->name.p}));
        spec_tell(spec, TOLD_INIT, def->name.p, VEC_LAST(&parts->inits).node);
    }
    if (config->next.name.n) {
        const struct def *def = config_def(spec, config->next.name, "next state action");
        parts->next = (struct scoped){name_node(spec, def), spec->root_env, def->name.p};
    }
}

static void lower_init_pred(struct spec *spec, struct spec_parts *parts)
{
    struct unit *u = unit_new(spec, NULL);
    struct lc lc = {.spec = spec, .unit = u, .init = true};
    struct act *all =
        act_new(spec, ACT_CONJ, parts->inits.n ? parts->inits.v[0].node : NULL, parts->inits.n);
    all->init = true;
    for (size_t i = 0; i < parts->inits.n; i++) {
        lc.env = parts->inits.v[i].env;
        all->kid[i] = lower_act(lc, parts->inits.v[i].node);
    }
    spec->init_unit = u;
    spec->init = all;
}

static void lower_next_rel(struct spec *spec, struct spec_parts *parts)
{
    struct unit *u = unit_new(spec, NULL);
    struct lc lc = {.spec = spec, .unit = u, .env = parts->next.env};
    spec->next_unit = u;
    spec->next = lower_next(lc, parts->next.node, parts->next.name);
}

static void spec_fairness(struct spec *spec, struct spec_parts *parts)
{
    struct lc lc = {.spec = spec};
    if (parts->fairness.n == 0) {
        return;
    }
    struct tform *all = tform_new(spec, TF_AND, parts->fairness.n);
    for (size_t i = 0; i < parts->fairness.n; i++) {
        lc.env = parts->fairness.v[i].env;
        all->kid[i] = tform_lower(spec, lc, parts->fairness.v[i].node);
    }
    spec->live.fairness = all;
}

static void spec_temporal(struct spec *spec, const struct config *config, struct spec_parts *parts)
{
    struct lc lc = {.spec = spec, .env = spec->root_env, .by_name = true};
    for (size_t i = 0; i < config->properties.n; i++) {
        const struct def *def = config_def(spec, config->properties.v[i].name, "property");
        spec_property(spec, lc, name_node(spec, def),
                      arena_strndup(spec->arena, def->name.p, def->name.n));
    }
    if (spec->live_props.n == 0) {
        return;
    }
    spec_fairness(spec, parts);
    spec->live.props = spec->live_props.v;
    spec->live.nprop = (uint32_t)spec->live_props.n;
    spec->live.nstate_leaf = (uint32_t)spec->state_leaves.n;
    spec->live.naction_leaf = (uint32_t)spec->action_leaves.n;
    spec->model.live = &spec->live;
}

static void spec_warnings(struct spec *spec, const struct config *config)
{
    if (spec->model.live && spec->nperm) {
        spec_warn(spec, 2279,
                  "Declaring symmetry during liveness checking is dangerous.\nIt might cause assay "
                  "to miss violations of the stated liveness "
                  "properties.");
    }
    if (spec->model.live && spec->model.has_constraint) {
        spec_warn(
            spec, 2284,
            "Declaring state or action constraints during liveness checking is dangerous:\nIt "
            "might cause assay to miss violations of "
            "the stated liveness properties.");
    }
    if (config->specification.name.n == 0 && spec->model.live) {
        spec_warn(spec, 2257,
                  "The configuration has temporal properties but no behavior spec (SPECIFICATION): "
                  "without fairness they usually fail by "
                  "stuttering.");
    }
}

static void spec_assume_preds(struct spec *spec)
{
    const struct module *root = spec->program->root;
    for (uint32_t i = 0; i < root->nassume; i++) {
        const struct node *node = root->assumes[i];
        VEC_PUSH(&spec->assumes,
                 ((struct pred){.unit = spec_predicate(spec, spec->root_env, node), .node = node}));
    }
}

static int spec_postcondition(struct mworker *worker, const char **ret_name);

static void publish(struct spec *spec, const struct config *config)
{
    struct model *m = &spec->model;
    m->ops = &spec_model_ops;
    m->name = spec->program->root->name.p;
    struct maction *actions = ARENA_ARRAY(spec->arena, struct maction, spec->sites.n + 1);
    for (size_t i = 0; i < spec->sites.n; i++) {
        actions[i] = spec->sites.v[i].pub;
    }
    m->actions = actions;
    m->naction = (uint32_t)spec->sites.n;
    m->props = spec->props.v;
    m->nprop = (uint32_t)spec->props.n;
    m->vars = spec->var_names;
    m->nvar = spec->nvar;
    m->check_deadlock =
        !spec->options.no_deadlock && (!config->has_check_deadlock || config->check_deadlock);
    m->postcondition = spec->postconditions.n ? spec_postcondition : NULL;
    m->host = spec->host;
}

/* What is to be checked needs an Init and a Next. */
static void check_parts(struct spec *spec, const struct spec_parts *parts)
{
    bool steps = spec->live_props.n != 0;
    for (size_t i = 0; i < spec->props.n; i++) {
        steps |= spec->props.v[i].kind != MPROP_INIT;
    }
    if (parts->inits.n == 0 && (steps || spec->props.n || spec->nvar)) {
        spec_fail(spec, 2231, 151, NULL,
                  "The configuration file did not specify the initial state predicate.");
    }
    if (!parts->next.node && steps) {
        spec_fail(spec, 2232, 151, NULL,
                  "The configuration file did not specify the next state predicate.");
    }
    if (!parts->next.node && parts->inits.n) {
        spec_fail(spec, 2115, 75, NULL,
                  "No next state actions defined to generate successor states from.");
    }
}

/* TLC looks at every module that was read, used or not, before it evaluates anything. */
static const struct node *find_decimal(const struct node *node)
{
    if (node->kind == N_DECIMAL) {
        return node;
    }
    const struct node *found = NULL;
    for (uint32_t i = 0; i < node->nkid && !found; i++) {
        found = node->kid[i] ? find_decimal(node->kid[i]) : NULL;
    }
    return found;
}

static void refuse_decimals(struct spec *spec)
{
    const struct program *program = spec->program;
    for (size_t i = 0; i < program->norder; i++) {
        const struct module *module = program->order[i];
        const struct node *found =
            module->builtin || !module->tree ? NULL : find_decimal(module->tree);
        if (found) {
            spec_fail(spec, 2244, 151, found, "TLC can't handle real numbers.\n%.*s",
                      STR_ARG(found->name));
        }
    }
}

static void build(struct spec *spec, const struct config *config)
{
    struct spec_parts *parts = ARENA_NEW(spec->arena, struct spec_parts);
    spec->parts = parts;
    info_intern(spec);
    refuse_decimals(spec);
    spec_variables(spec);
    spec_constants(spec, config);
    spec_check_replacements(spec, config);
    spec_invariants(spec, config);
    collect_parts(spec, config, parts);
    spec_temporal(spec, config, parts);
    check_parts(spec, parts);
    if (parts->inits.n) {
        lower_init_pred(spec, parts);
        lower_next_rel(spec, parts);
        spec_level_bound(spec);
    }
    spec_names(spec, config);
    spec_operators(spec);
    spec_assume_preds(spec);
    spec_symmetry(spec, config);
    spec_fold(spec);
    guards_find(spec);
    known_find(spec);
    spec->checking = true;
    if (spec->host && spec->host->assuming) {
        spec->host->assuming(spec->host->arg);
    }
    spec_assumes(spec);
    spec_warnings(spec, config);
    publish(spec, config);
}

static bool boot_start(struct spec *spec, uint64_t seed)
{
    struct ev *ev = ARENA_NEW(spec->arena, struct ev);
    if (ev_init(ev, spec, UINT32_MAX, seed) != 0) {
        *spec->issue = (struct eval_issue){.code = 1001,
                                           .exit_status = 255,
                                           .text = "There is no memory for the evaluation stack."};
        return false;
    }
    ev_stack_here(ev);
    spec->boot = ev;
    return true;
}

/* Runs fn and turns an error of the spec that nobody expected into an issue. */
static void boot_run(struct spec *spec, void (*fn)(struct ev *ev, void *arg), void *arg)
{
    if (ev_try(spec->boot, fn, arg) != 0) {
        spec_fail(spec, spec->boot->err_code, 75, NULL, "%s", spec->boot->err_text);
    }
}

static void run_build(struct ev *ev, void *arg)
{
    build(ev->spec, arg);
}

/* NOLINTNEXTLINE(readability-function-size): the interface of the room */
int model_from_spec(struct arena *arena, struct program *program, const struct config *config,
                    const struct eval_options *options, struct mhost *host,
                    struct model **ret_model, struct eval_issue *ret_issue)
{
    struct spec *spec = spec_new(arena, program, options, host, ret_issue);
    jmp_buf here;
    spec->config = config;
    spec->issue_catcher = &here;
    if (!boot_start(spec, options->seed)) {
        return -1;
    }
    if (setjmp(here) != 0) {
        model_free(&spec->model);
        return -1;
    }
    boot_run(spec, run_build, (void *)config);
    spec->issue_catcher = NULL;
    *ret_model = &spec->model;
    return 0;
}

void model_free(struct model *model)
{
    struct spec *spec = (struct spec *)model;
    if (!spec) {
        return;
    }
    if (spec->parts) {
        VEC_DONE(&spec->parts->inits);
        VEC_DONE(&spec->parts->fairness);
    }
    if (spec->boot) {
        ev_done(spec->boot);
        spec->boot = NULL;
    }
    for (size_t i = 0; i < spec->units.n; i++) {
        VEC_DONE(&spec->units.v[i]->captures);
        VEC_DONE(&spec->units.v[i]->steps);
    }
    u64map_done(&spec->var_of_def);
    u64map_done(&spec->overrides);
    u64map_done(&spec->cell_memo);
    u64map_done(&spec->inst_memo);
    u64map_done(&spec->level_memo);
    u64map_done(&spec->def_facts);
    VEC_DONE(&spec->extra_vars);
    VEC_DONE(&spec->cells);
    VEC_DONE(&spec->funs);
    VEC_DONE(&spec->act_funs);
    VEC_DONE(&spec->calls);
    VEC_DONE(&spec->units);
    VEC_DONE(&spec->sites);
    VEC_DONE(&spec->told);
    VEC_DONE(&spec->props);
    VEC_DONE(&spec->prop_preds);
    VEC_DONE(&spec->assumes);
    VEC_DONE(&spec->constraints);
    VEC_DONE(&spec->action_constraints);
    VEC_DONE(&spec->postconditions);
    VEC_DONE(&spec->state_leaves);
    VEC_DONE(&spec->action_leaves);
    VEC_DONE(&spec->action_gates);
    VEC_DONE(&spec->live_props);
    VEC_DONE(&spec->warnings);
    VEC_DONE(&spec->workers);
    VEC_DONE(&spec->possible);
    bank_done_all(spec);
    por_free(spec->por, spec->nvar);
    VEC_DONE(&spec->warned);
    cover_done(spec);
    VEC_DONE(&spec->cache);
    u64map_done(&spec->cache_index);
    arena_done(&spec->cache_arena);
    starts_free(spec->starts);
    pthread_mutex_destroy(&spec->lock);
}

const struct eval_warning *model_warnings(const struct model *model, size_t *ret_n)
{
    const struct spec *spec = (const struct spec *)model;
    *ret_n = spec->warnings.n;
    return spec->warnings.v;
}

uint32_t model_size(const struct model *model)
{
    return ((const struct spec *)model)->nex;
}

uint32_t model_temporal_branches(const struct model *model)
{
    return model->live ? model->live->nprop : 0;
}

/* ---- postconditions ---- */
struct post_run {
    struct spec_worker *w;
    const char *failed;
    size_t at;
};

static void run_post(struct ev *ev, void *arg)
{
    struct post_run *run = arg;
    struct spec *spec = run->w->spec;
    ev->s0 = run->w->loaded ? run->w->cur : NULL;
    ev->s1 = NULL;
    ev->level = 0;
    for (run->at = 0; run->at < spec->postconditions.n; run->at++) {
        const struct pred *p = &spec->postconditions.v[run->at];
        if (!val_same(ev_pred_eval(ev, p), VAL_TRUE)) {
            run->failed = p->name;
            return;
        }
    }
}

static int spec_postcondition(struct mworker *worker, const char **ret_name)
{
    struct spec_worker *w = worker_of(worker);
    struct post_run run = {.w = w};
    ev_stack_here(&w->ev);
    w->ev.for_all = true;
    if (ev_try(&w->ev, run_post, &run) != 0) {
        *ret_name = w->spec->postconditions.v[run.at].name;
        return worker_error(w, *ret_name, run_post, &run);
    }
    *ret_name = run.failed;
    return run.failed ? 0 : 1;
}

/* ---- expressions ---- */
struct expression {
    const struct config *config; /* or NULL */
    const struct def *def;
    struct strbuf *out;
};

static void run_expression(struct ev *ev, void *arg)
{
    struct expression *e = arg;
    struct spec *spec = ev->spec;
    spec_variables(spec);
    if (e->config) {
        spec_constants(spec, e->config);
    }
    struct node *node = name_node(spec, e->def);
    struct unit *u = spec_predicate(spec, spec->root_env, node);
    ev_expression_print(spec, spec_run(spec, u, node), e->out);
}

/* NOLINTNEXTLINE(readability-function-size): the interface of the room */
int eval_expression(struct arena *arena, struct program *program, const struct config *config,
                    struct def *def, const struct eval_options *options, struct mhost *host,
                    struct strbuf *out, struct eval_issue *ret_issue)
{
    struct spec *spec = spec_new(arena, program, options, host, ret_issue);
    jmp_buf here;
    struct expression e = {config, def, out};
    volatile int status = -1;
    spec->issue_catcher = &here;
    if (!boot_start(spec, options->seed)) {
        return -1;
    }
    if (setjmp(here) == 0) {
        boot_run(spec, run_expression, &e);
        status = 0;
    }
    model_free(&spec->model);
    return status;
}
