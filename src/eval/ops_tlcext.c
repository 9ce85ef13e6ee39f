/* Operators of TLCExt that look at their arguments before they are evaluated: TLCCache,
 * TLCEvalDefinition and PickSuccessor. Lowering puts them in place of the native call. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/native_int.h"
#include "eval/ops.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

/* ---- TLCCache(expression, closure) ---- */

/* A constant expression is evaluated once for each value of the closure, for all workers: the text
 * counts, however often lowering copied it. Values are kept in memory of the spec's own. */
static const struct spec_cached *cached(struct ev *ev, uint64_t hash, const struct node *node,
                                        struct val key)
{
    struct spec *spec = ev->spec;
    const struct spec_cached *found = NULL;
    uint64_t at;
    pthread_mutex_lock(&spec->lock);
    if (u64map_get(&spec->cache_index, hash, &at)) {
        found = spec->cache.v[at];
    }
    pthread_mutex_unlock(&spec->lock);
    return found && found->node == node && val_equal(&ev->vctx, found->key, key) ? found : NULL;
}

struct val op_cache(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct spec *spec = ev->spec;
    const struct node *node = x->u.p;
    struct val key = val_force(&ev->vctx, ex_eval(ev, x->kid[1], fr));
    uint64_t hash = hash_combine((uint64_t)(uintptr_t)node, val_hash(&ev->vctx, key));
    const struct spec_cached *known = cached(ev, hash, node, key);
    if (known) {
        return known->value;
    }
    struct val value = val_force(&ev->vctx, ex_eval(ev, x->kid[0], fr));
    pthread_mutex_lock(&spec->lock);
    struct spec_cached *entry = ARENA_NEW(&spec->cache_arena, struct spec_cached);
    *entry = (struct spec_cached){node, val_freeze(&ev->vctx, &spec->cache_arena, key),
                                  val_freeze(&ev->vctx, &spec->cache_arena, value)};
    u64map_put(&spec->cache_index, hash, spec->cache.n);
    VEC_PUSH(&spec->cache, entry);
    pthread_mutex_unlock(&spec->lock);
    return entry->value;
}

static bool speaks_of_states(struct spec *spec, const struct node *node, struct u64map *seen)
{
    const struct def *def = node->ref;
    if (def && def->kind == DEF_VAR) {
        return true;
    }
    bool found = false;
    uint64_t unused;
    if (def && def->kind == DEF_OP && def->body && !native_of_def(spec, def) &&
        !u64map_get(seen, (uint64_t)(uintptr_t)def, &unused)) {
        u64map_put(seen, (uint64_t)(uintptr_t)def, 1);
        found = speaks_of_states(spec, def->body, seen);
    }
    for (uint32_t i = 0; !found && i < node->nkid; i++) {
        found = node->kid[i] && speaks_of_states(spec, node->kid[i], seen);
    }
    return found;
}

/* TLC goes by the level that the text shows: parameters are constants, and so are registers. */
bool lower_cache_applies(struct spec *spec, const struct binding *expression)
{
    if (expression->kind != BIND_NAME || !expression->node) {
        return false;
    }
    struct u64map seen = {0};
    bool states = speaks_of_states(spec, expression->node, &seen);
    u64map_done(&seen);
    return !states;
}

/* ---- TLCEvalDefinition(name) ---- */

struct definitions {
    size_t n;
    struct str *names;
    const struct def **defs;
    const struct ex **bodies; /* NULL for operators with parameters */
};

static size_t count_strings(const struct node *node)
{
    size_t n = node->kind == N_STRING;
    for (uint32_t i = 0; i < node->nkid; i++) {
        n += node->kid[i] ? count_strings(node->kid[i]) : 0;
    }
    return n;
}

static void add_strings(struct lc lc, const struct node *at, const struct node *node,
                        struct definitions *defs)
{
    if (node->kind == N_STRING) {
        const struct def *def = module_lookup(lc.spec->program->root, node->name);
        if (def && def->kind == DEF_OP) {
            defs->names[defs->n] = node->name;
            defs->defs[defs->n] = def;
            defs->bodies[defs->n++] = def->arity == 0 ? lower_ref(lc, at, def, NULL, 0) : NULL;
        }
    }
    for (uint32_t i = 0; i < node->nkid; i++) {
        if (node->kid[i]) {
            add_strings(lc, at, node->kid[i], defs);
        }
    }
}

/* The definitions that the argument can name: those whose names stand in it. */
const void *lower_definitions(struct lc lc, const struct node *at, const struct binding *name,
                              uint8_t *level)
{
    struct definitions *defs = ARENA_NEW(lc.spec->arena, struct definitions);
    if (name->kind != BIND_NAME || !name->node) {
        return defs;
    }
    size_t n = count_strings(name->node);
    defs->names = ARENA_ARRAY(lc.spec->arena, struct str, n + 1);
    defs->defs = ARENA_ARRAY(lc.spec->arena, const struct def *, n + 1);
    defs->bodies = ARENA_ARRAY(lc.spec->arena, const struct ex *, n + 1);
    lc.env = lc.spec->root_env;
    add_strings(lc, at, name->node, defs);
    for (size_t i = 0; i < defs->n; i++) {
        if (defs->bodies[i] && defs->bodies[i]->level > *level) {
            *level = defs->bodies[i]->level;
        }
    }
    return defs;
}

struct val op_eval_definition(struct ev *ev, const struct ex *x, struct val *fr)
{
    const struct definitions *defs = x->u.p;
    struct val name = ex_eval(ev, x->kid[0], fr);
    if (!val_is_str(name)) {
        native_fail_only_argument(ev, "TLCEvalDefinition", "string", name);
    }
    struct str text = val_str_text(&ev->vctx, name);
    for (size_t i = 0; i < defs->n; i++) {
        if (!str_eq(defs->names[i], text)) {
            continue;
        }
        if (defs->bodies[i]) {
            return ex_eval(ev, defs->bodies[i], fr);
        }
        struct strbuf params = {.arena = &ev->scratch};
        for (uint32_t k = 0; k < defs->defs[i]->arity; k++) {
            strbuf_printf(&params, "%s%.*s", k > 0 ? ", " : "",
                          STR_ARG(defs->defs[i]->params[k]->name));
        }
        vctx_fail(&ev->vctx, CODE_ONE_ARGUMENT,
                  "The argument of TLCEvalDefinition should be a a zero-arity definition, but "
                  "instead it is:\n%.*s(%s)",
                  STR_ARG(text), strbuf_cstr(&params));
    }
    native_fail_only_argument(ev, "TLCEvalDefinition",
                              "name of a definition reachable from the root module", name);
}

/* ---- PickSuccessor(exp) ---- */

static void add_state(struct ev *ev, const struct val *state, struct strbuf *out)
{
    const struct spec *spec = ev->spec;
    for (uint32_t i = 0; i < spec->nvar; i++) {
        uint32_t var = spec->print_order[i];
        strbuf_printf(out, "%s%s%s = %s", i > 0 ? "\n" : "", spec->nvar > 1 ? "/\\ " : "",
                      spec->var_names[var], val_ppr(&ev->vctx, state[var]));
    }
}

static void show_step(struct ev *ev, bool both)
{
    struct strbuf text = {.arena = &ev->scratch};
    if (both) {
        add_state(ev, ev->s0, &text);
        strbuf_adds(&text, "\n~>\n");
    }
    add_state(ev, ev->s1, &text);
    if (ev->host->print) {
        ev->host->print(ev->host->arg, strbuf_cstr(&text), text.n);
    }
}

static int ask(struct ev *ev)
{
    const struct spec *spec = ev->spec;
    const struct maction none = {.tlc_name = "Next"};
    const struct maction *action =
        ev->action < spec->sites.n ? &spec->sites.v[ev->action].pub : &none;
    const struct mplace *at = &action->tlc_place;
    const char *question = arena_printf(
        &ev->scratch,
        "Extend behavior of length %llu with a \"%s\" step [<%s line %u, col %u to line %u, col %u "
        "of module %s>]? (Yes/no/explored/states/diff):",
        (unsigned long long)ev->level, action->tlc_name, action->tlc_name, at->line, at->column,
        at->end_line, at->end_column, at->module ? at->module : "");
    return ev->host && ev->host->ask ? ev->host->ask(ev->host->arg, question) : -1;
}

struct val op_pick_successor(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val guard = ex_eval(ev, x->kid[0], fr);
    if (!val_is_bool(guard)) {
        ev_not_bool(ev, x->kid[0], guard, "the condition of an IF");
    }
    bool step = ev->s0 && ev->s1 && !ev_quiet(ev);
    for (uint32_t i = 0; step && i < ev->spec->nvar; i++) {
        step = !val_is_undef(ev->s1[i]);
    }
    if (!step || val_same(guard, VAL_TRUE)) {
        return VAL_TRUE;
    }
    for (;;) {
        int answer = ask(ev);
        if (answer < 0) {
            ev_fail(ev, x->src, 0,
                    "TLCExt!PickSuccessor asks on standard input which steps to take, but nothing "
                    "more can be read from it.");
        }
        if (answer == 0 || answer == 'y') {
            return VAL_TRUE;
        }
        if (answer == 'n' || answer == 'e') {
            return VAL_FALSE;
        }
        if (answer == 's' || answer == 'd') {
            show_step(ev, answer == 's');
        }
    }
}
