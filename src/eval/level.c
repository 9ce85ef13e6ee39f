/* Levels under substitution: what an expression speaks of (constants, a state, a step, a behaviour)
 * once INSTANCE substitutions, parameters and overrides are taken into account. sem has checked
 * legality; here the level decides how an expression is evaluated. */
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "eval/code.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

#define LEVEL_BUSY 255

static enum level max_level(enum level a, enum level b)
{
    if (a > b) {
        return a;
    }
    return b;
}

static enum level level_of_kids(struct spec *spec, const struct node *node, struct env *env,
                                uint32_t from)
{
    enum level level = LEVEL_CONSTANT;
    for (uint32_t i = from; i < node->nkid; i++) {
        level = max_level(level, lower_level_of(spec, node->kid[i], env));
    }
    return level;
}

/* Native operators whose value depends on where the search is. */
static bool native_is_stateful(const struct def *def)
{
    static const char *const names[] = {
        "TLCGet", "CounterExample",    "Trace",     "TLCFP",          "PickSuccessor",
        "IOExec", "TLCEvalDefinition", "IOEnvExec", "IOExecTemplate", "IOEnvExecTemplate"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (str_is(def->name, names[i])) {
            return true;
        }
    }
    return false;
}

static enum level level_named(uint64_t known)
{
    switch (known) {
    case LEVEL_STATE: return LEVEL_STATE;
    case LEVEL_ACTION: return LEVEL_ACTION;
    case LEVEL_TEMPORAL: return LEVEL_TEMPORAL;
    default: return LEVEL_CONSTANT;
    }
}

static enum level level_of_binding(const struct spec *spec, const struct binding *b)
{
    (void)spec;
    return level_named(b->level);
}

static enum level level_of_body(struct spec *spec, const struct def *def, struct env *env)
{
    uint64_t key = hash_combine((uint64_t)(uintptr_t)def, (uint64_t)(uintptr_t)env);
    uint64_t known;
    if (u64map_get(&spec->level_memo, key, &known)) {
        spec->level_guesses += known == LEVEL_BUSY;
        return level_named(known);
    }
    u64map_put(&spec->level_memo, key, LEVEL_BUSY);
    enum level level = def->body ? lower_level_of(spec, def->body, env) : LEVEL_CONSTANT;
    u64map_put(&spec->level_memo, key, (uint64_t)level);
    return level;
}

enum level lower_level_of_def(struct spec *spec, const struct def *def, struct env *env)
{
    struct lc lc = {.spec = spec, .env = env};
    struct binding *dummies[64];
    struct binding dummy = {.kind = BIND_VALUE, .val = VAL_UNDEF};
    for (size_t i = 0; i < 64; i++) {
        dummies[i] = &dummy;
    }
    struct target t =
        lower_resolve(&lc, def->decl, def, dummies, def->arity <= 64 ? def->arity : 64);
    if (t.binding) {
        return level_of_binding(spec, t.binding);
    }
    if (t.has_value || t.table) {
        return LEVEL_CONSTANT;
    }
    switch (t.def->kind) {
    case DEF_VAR: return LEVEL_STATE;
    case DEF_OP:
        if (native_of_def(spec, t.def)) {
            return native_is_stateful(t.def) ? LEVEL_STATE : LEVEL_CONSTANT;
        }
        return level_of_body(spec, t.def, lc.env);
    default: return LEVEL_CONSTANT;
    }
}

static enum level level_of_builtin(const struct def *def, enum level args)
{
    const char *name = def->name.p;
    if (strcmp(name, "'") == 0) {
        return args == LEVEL_CONSTANT ? LEVEL_CONSTANT : LEVEL_ACTION;
    }
    if (strcmp(name, "UNCHANGED") == 0) {
        return args == LEVEL_CONSTANT ? LEVEL_CONSTANT : LEVEL_ACTION;
    }
    if (strcmp(name, "ENABLED") == 0) {
        return args == LEVEL_CONSTANT ? LEVEL_CONSTANT : LEVEL_STATE;
    }
    if (strcmp(name, "[]") == 0 || strcmp(name, "<>") == 0 || strcmp(name, "~>") == 0 ||
        strcmp(name, "-+->") == 0) {
        return LEVEL_TEMPORAL;
    }
    if (strcmp(name, "\\cdot") == 0) {
        return LEVEL_ACTION;
    }
    return args;
}

/* An operator that is given an action need not be one: it may ask for ENABLED of it. Its level
 * follows from those of its arguments, and is remembered by them. */
static enum level level_of_applied(struct spec *spec, const struct node *node, struct env *env)
{
    struct lc lc = {.spec = spec, .env = env, .by_name = true};
    struct binding **args;
    const struct def *def;
    size_t n = lower_node_args(lc, node, &args, &def);
    struct target t = lower_resolve(&lc, node, def, args, n);
    if (t.binding || t.has_value || t.table || t.def->kind != DEF_OP || !t.def->body ||
        t.def->recursive || t.nargs != t.def->arity || native_of_def(spec, t.def)) {
        return LEVEL_ACTION;
    }
    uint64_t key = hash_combine((uint64_t)(uintptr_t)t.def->body, (uint64_t)(uintptr_t)lc.env);
    bool plain = true; /* no operators among the arguments: what they do with theirs is not told */
    for (size_t i = 0; i < t.nargs; i++) {
        plain &= t.def->params[i]->arity == 0;
        key = hash_combine(key, t.args[i]->level);
    }
    uint64_t known;
    if (plain && u64map_get(&spec->level_memo, key, &known)) {
        return level_named(known);
    }
    for (size_t i = 0; i < t.nargs; i++) {
        lc.env = env_bind(spec, lc.env, t.def->params[i], t.args[i]);
    }
    uint64_t guesses = spec->level_guesses;
    enum level level = lower_level_of(spec, t.def->body, lc.env);
    if (plain && guesses == spec->level_guesses) {
        u64map_put(&spec->level_memo, key, (uint64_t)level);
    }
    return level;
}

static enum level level_of_name_now(struct spec *spec, const struct node *node, struct env *env)
{
    const struct node *callee = node->kind == N_APP ? node->kid[0] : node;
    const struct def *def = callee->ref;
    enum level args = LEVEL_CONSTANT;
    if (node->kind == N_APP) {
        args = level_of_kids(spec, node, env, 1);
    } else if (node->kind == N_OP) {
        args = level_of_kids(spec, node, env, 0);
    }
    if (callee->kind == N_BANG) {
        struct node *nodes[256];
        size_t n = bang_args(callee, nodes, 256);
        for (size_t i = 0; i < n; i++) {
            args = max_level(args, lower_level_of(spec, nodes[i], env));
        }
    }
    if (!def) {
        return args;
    }
    if (def->kind == DEF_BUILTIN) {
        return level_of_builtin(def, args);
    }
    if (def->kind == DEF_PARAM || def->kind == DEF_BOUND) {
        const struct binding *b = env_find(env, def);
        if (b) {
            args = max_level(args, level_of_binding(spec, b));
        }
        return args;
    }
    if (def->kind == DEF_OP && def->in_let && !env_find(env, def) && !def->orig) {
        return max_level(args, level_of_body(spec, def, env));
    }
    enum level own = lower_level_of_def(spec, def, env);
    if (args == LEVEL_ACTION && own < LEVEL_ACTION) {
        return level_of_applied(spec, node, env);
    }
    return max_level(args, own);
}

/* Applications nest, and the level of an argument is asked for by each operator around it. */
static enum level level_of_name(struct spec *spec, const struct node *node, struct env *env)
{
    const struct def *def = node->kind == N_APP ? node->kid[0]->ref : node->ref;
    if (node->nkid == 0 || node->kind == N_ID || !def || def->kind == DEF_BUILTIN) {
        return level_of_name_now(spec, node, env);
    }
    uint64_t key = hash_combine((uint64_t)(uintptr_t)node, (uint64_t)(uintptr_t)env);
    uint64_t known;
    if (u64map_get(&spec->level_memo, key, &known)) {
        return level_named(known);
    }
    uint64_t guesses = spec->level_guesses;
    enum level level = level_of_name_now(spec, node, env);
    if (guesses == spec->level_guesses) { /* nothing around it was still being looked at */
        u64map_put(&spec->level_memo, key, (uint64_t)level);
    }
    return level;
}

enum level lower_level_of(struct spec *spec, const struct node *node, struct env *env)
{
    switch ((enum node_kind)node->kind) {
    case N_ID:
    case N_APP:
    case N_BANG:
    case N_OP: return level_of_name(spec, node, env);
    case N_WF:
    case N_SF:
    case N_TFORALL:
    case N_TEXISTS: return LEVEL_TEMPORAL;
    case N_BOXACT:
    case N_ANGLEACT: return LEVEL_ACTION;
    case N_LET: return lower_level_of(spec, node->kid[node->nkid - 1], env);
    default: return level_of_kids(spec, node, env, 0);
    }
}
