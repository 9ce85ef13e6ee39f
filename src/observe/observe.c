/* Invariants over observed variables: see observe.h.
 *
 * Expressions become operators of a module that has nothing but what it extends; they are lowered
 * once. Values of a node are kept frozen in one of two arenas of its own, so that a new value can
 * be compared with the old one before that goes away. What is to be asked for later is kept for
 * good, each state of a node once: there are few. */
#include "observe/observe.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/pack.h"
#include "base/str.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"
#include "eval/eval.h"
#include "eval/native.h"
#include "map/map.h"
#include "model/model.h"
#include "observe/vars.h"
#include "run/cluster.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "trace/trace.h"
#include "value/value.h"
#include "world/world.h"

enum { STACK_BYTES = 7 << 20 };

struct seen {               /* of a node */
    uint64_t moment, turns; /* when it was looked at; moment 0: never */
    uint32_t starts;
    bool up;
    uint64_t hash;
    struct arena arenas[2];
    unsigned now;     /* the arena that vals are in */
    struct val *vals; /* [n_observes]; VAL_UNDEF: not observed here */
    struct val name;
};

struct observer {
    const struct cluster *cluster;
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct strtab *strings;
    struct program program;
    struct program_options program_options;
    struct config config;
    bool loaded;
    struct map *map;
    struct mhost host;
    struct model *model;
    struct mworker *worker;
    struct vars *vars;
    struct seen *seen;         /* [cluster->n_nodes] */
    struct val nodes;          /* their names in the order of the cluster, as a sequence */
    struct val *fresh;         /* [n_observes]: of the node that is being looked at */
    const struct world *world; /* that was looked at last */
    uint64_t moment;
    bool judged;                    /* what was seen last satisfies all invariants */
    struct u64map kept;             /* hash -> index in: */
    VEC(const struct val *) states; /* of nodes, that are kept: [n_observes] each */
    const struct val **now;         /* [cluster->n_nodes]: what is judged; NULL: it does not run */
    struct err *err;
};

/* ---- mistakes ---- */

__attribute__((format(printf, 4, 5))) static int fail_at(struct observer *o, size_t begin,
                                                         size_t end, const char *fmt, ...)
{
    char text[300];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    for (char *p = text; *p != '\0'; p++) {
        *p = *p == '\n' ? ' ' : *p;
    }
    struct place place = sources_place(&o->sources, map_span(o->map, begin, end));
    return err_set(o->err, ERR_INVALID, 0, "%s:%u:%u: %s", o->map->file->path, place.line,
                   place.column, text);
}

static int fail_eval(struct observer *o, const struct map_expr *expr, const char *what)
{
    const char *text = o->worker->error.text;
    return fail_at(o, expr->begin, expr->begin + expr->text.n, "%s cannot be evaluated: %s", what,
                   text != NULL ? text : "evaluation failed");
}

static int tell_mistakes(struct observer *o, struct strbuf *mistakes)
{
    for (size_t i = 0; i < o->diags.n; i++) {
        diag_print(&o->sources, o->diags.v[i], false, mistakes);
    }
    return o->diags.n == 0
               ? err_set(o->err, ERR_INVALID, 0, "%s", "the invariants cannot be read")
               : err_set(o->err, ERR_INVALID, 0, "%s: %s", o->cluster->path, o->diags.v[0]->text);
}

/* ---- opening ---- */

static void on_token(void *arg, struct str token, bool is_string)
{
    struct observer *o = arg;
    (void)is_string;
    (void)strtab_intern(o->strings, token);
}

static void no_print(void *arg, const char *text, size_t len)
{
    (void)arg;
    (void)text;
    (void)len;
}

/* What expressions may use. */
static const char prelude[] =
    "---- MODULE Observed ----\nEXTENDS Integers, Sequences, FiniteSets, Bags, TLC, "
    "Functions, SequencesExt, FiniteSetsExt\n====\n";

static int load(struct observer *o)
{
    o->program_options = (struct program_options){
        .builtin = modules_find, .builtin_name = modules_name, .seen = on_token, .seen_arg = o};
    struct source *source = sources_add(&o->sources, "Observed", str_of(prelude), false);
    o->loaded = true;
    int status = program_load_source(&o->program, &o->arena, source, &o->program_options,
                                     &o->sources, &o->diags, o->err);
    status = status != 0 ? status
                         : map_read_observes(&o->arena, &o->sources, &o->diags, o->cluster->path,
                                             &o->map, o->err);
    return status != 0 ? status : map_bind(o->map, &o->program, &o->sources, &o->diags);
}

static int make_model(struct observer *o)
{
    struct eval_options options = {.strings = o->strings,
                                   .stack_bytes = STACK_BYTES,
                                   .no_exec = true,
                                   .operators = o->map->defs,
                                   .noperator = o->map->n_exprs,
                                   .spec_dir = ".",
                                   .seed = 1};
    struct eval_issue issue = {0};
    o->host = (struct mhost){.print = no_print, .mode = "simulate", .workers = 1};
    if (model_from_spec(&o->arena, &o->program, &o->config, &options, &o->host, &o->model,
                        &issue) != 0) {
        return err_set(o->err, ERR_INVALID, 0, "%s: the invariants: %s", o->cluster->path,
                       issue.text);
    }
    int status = o->model->ops->worker_new(o->model, 0, 0, &o->worker, o->err);
    if (status == 0) {
        o->worker->quiet = true;
        model_counting(o->worker, false);
    }
    return status;
}

static void run_names(struct vctx *ctx, void *arg)
{
    struct observer *o = arg;
    struct val *list = ARENA_ARRAY(&o->arena, struct val, o->cluster->n_nodes + 1);
    size_t n = 0;
    for (size_t i = 0; i < o->cluster->n_nodes; i++) {
        struct val name = val_str(ctx, str_of(o->cluster->nodes[i].name));
        o->seen[i].name = name;
        if (!o->cluster->nodes[i].client) {
            list[n++] = name;
        }
    }
    o->nodes = val_freeze(ctx, &o->arena, tuple_make(ctx, list, n));
}

static int make_room(struct observer *o)
{
    size_t n = o->map->n_observes + 1;
    o->vars = vars_new(&o->arena, o->cluster->n_nodes, o->map->n_observes);
    o->seen = ARENA_ARRAY(&o->arena, struct seen, o->cluster->n_nodes + 1);
    o->fresh = ARENA_ARRAY(&o->arena, struct val, n);
    o->now = ARENA_ARRAY(&o->arena, const struct val *, o->cluster->n_nodes + 1);
    for (size_t i = 0; i < o->cluster->n_nodes; i++) {
        struct seen *seen = &o->seen[i];
        arena_init(&seen->arenas[0], 0);
        arena_init(&seen->arenas[1], 0);
        seen->vals = ARENA_ARRAY(&o->arena, struct val, n);
        for (size_t k = 0; k < n; k++) {
            seen->vals[k] = VAL_UNDEF;
        }
    }
    return model_with_values(o->worker, run_names, o) == MODEL_OK
               ? 0
               : err_set(o->err, ERR_INVALID, 0, "%s", "names of nodes");
}

int observer_open(const struct cluster *cluster, struct observer **ret, struct strbuf *mistakes,
                  struct err *err)
{
    size_t cap = 0;
    struct observer *o = vec_grow(NULL, &cap, 1, sizeof *o);
    memset(o, 0, sizeof *o);
    o->cluster = cluster;
    o->err = err;
    o->moment = 1;
    arena_init(&o->arena, 0);
    sources_init(&o->sources, &o->arena);
    diags_init(&o->diags, &o->arena);
    o->strings = strtab_new();
    err->code = ERR_OK;
    int status = load(o);
    if (status != 0 && err->code == ERR_OK) {
        status = tell_mistakes(o, mistakes);
    }
    status = status != 0 ? status : make_model(o);
    status = status != 0 ? status : make_room(o);
    if (status != 0) {
        observer_free(o);
        return status;
    }
    *ret = o;
    return 0;
}

void observer_free(struct observer *o)
{
    if (o == NULL) {
        return;
    }
    vars_done(o->vars);
    for (size_t i = 0; o->seen != NULL && i < o->cluster->n_nodes; i++) {
        arena_done(&o->seen[i].arenas[0]);
        arena_done(&o->seen[i].arenas[1]);
    }
    if (o->worker != NULL) {
        o->model->ops->worker_free(o->worker);
    }
    model_free(o->model);
    if (o->loaded) {
        program_done(&o->program);
    }
    strtab_free(o->strings);
    u64map_done(&o->kept);
    VEC_DONE(&o->states);
    arena_done(&o->arena);
    vec_release(o);
}

void observer_begin(struct observer *o)
{
    vars_forget(o->vars);
    o->moment++;
}

void observer_anew(struct observer *o)
{
    o->moment++;
}

/* ---- values ---- */

struct making { /* of a value of a node */
    struct observer *o;
    const struct map_observe *observe;
    size_t index;
    const struct dwarf_value *from;
    struct val value;
    const char *opaque;  /* why it cannot be shown */
    const char *unknown; /* what enum has no entry for */
};

static struct val rename_value(struct vctx *ctx, struct making *m, struct val v)
{
    if (val_is_kind(v, VK_TUPLE)) {
        const struct vobj *seq = val_obj(v);
        struct val *elems = arena_alloc(ctx->arena, (seq->n + 1) * sizeof *elems);
        for (uint32_t i = 0; i < seq->n; i++) {
            elems[i] = rename_value(ctx, m, seq->v[i]);
        }
        return tuple_make(ctx, elems, seq->n);
    }
    if (!val_is_str(v) && !val_is_int(v)) {
        return v;
    }
    struct str text = val_is_str(v) ? val_str_text(ctx, v) : str_of(val_line(ctx, v));
    for (size_t i = 0; i < m->observe->n_enums; i++) {
        struct val to;
        if (str_eq(m->observe->enums[i].name, text) &&
            map_apply(m->o->worker, m->observe->enums[i].value, NULL, &to) == MODEL_OK) {
            return to;
        }
    }
    m->unknown = arena_strndup(ctx->arena, text.p, text.n);
    return v;
}

static void run_make(struct vctx *ctx, void *arg)
{
    struct making *m = arg;
    m->value = vars_value(ctx, m->from, &m->opaque);
    if (m->opaque == NULL && m->observe->n_enums != 0) {
        m->value = rename_value(ctx, m, m->value);
    }
}

/* What was observed of the node above it in the file. */
static void run_gather(struct vctx *ctx, void *arg)
{
    struct making *m = arg;
    const struct map *map = m->o->map;
    struct val *names = arena_alloc(ctx->arena, (map->n_observes + 1) * sizeof *names);
    struct val *vals = arena_alloc(ctx->arena, (map->n_observes + 1) * sizeof *vals);
    size_t n = 0;
    for (size_t i = 0; i < m->index; i++) {
        if (!val_is_undef(m->o->fresh[i])) {
            names[n] = val_str(ctx, map->observes[i].name);
            vals[n++] = m->o->fresh[i];
        }
    }
    m->value = record_make(ctx, names, vals, n);
}

static int apply_as(struct observer *o, size_t index, uint32_t node, struct val *value)
{
    const struct map_expr *as = o->map->observes[index].as;
    struct val offered[5] = {*value, o->seen[node].name, VAL_UNDEF, o->nodes, VAL_UNDEF};
    struct making m = {.o = o, .index = index};
    if (map_uses(as, MAP_VALUE_OBS) && model_with_values(o->worker, run_gather, &m) != MODEL_OK) {
        return fail_eval(o, as, "obs");
    }
    offered[MAP_VALUE_OBS] = m.value;
    return map_apply(o->worker, as, offered, value) == MODEL_OK ? 0 : fail_eval(o, as, "this");
}

static int read_value(struct observer *o, struct world *world, size_t index, uint32_t node,
                      struct val *ret)
{
    const struct map_observe *observe = &o->map->observes[index];
    struct vars_place at = {
        world, node, index, observe->text, o->moment, NULL, (enum lang)observe->language, NULL};
    struct making m = {.o = o, .observe = observe};
    struct dwarf_value *value = NULL;
    struct arena arena;
    struct err err;
    arena_init(&arena, 0);
    if (vars_read(o->vars, &at, &arena, &value, &err) != 0) {
        struct val self[2] = {o->seen[node].name, o->nodes};
        arena_done(&arena);
        if (err.code == ERR_NOT_FOUND && observe->language != MAP_NATIVE &&
            observe->initial != NULL) {
            return map_apply(o->worker, observe->initial, self, ret) == MODEL_OK
                       ? 0
                       : fail_eval(o, observe->initial, "initial");
        }
        return fail_at(o, observe->at_begin, observe->at_end, "%s", err.text);
    }
    m.from = value;
    int status = model_with_values(o->worker, run_make, &m);
    arena_done(&arena);
    if (status != MODEL_OK || m.opaque != NULL) {
        return fail_at(o, observe->at_begin, observe->at_end, "%s",
                       m.opaque != NULL ? m.opaque : o->worker->error.text);
    }
    if (m.unknown != NULL) {
        return fail_at(o, observe->begin, observe->end,
                       "enum has no entry for %s, which was observed", m.unknown);
    }
    *ret = m.value;
    return 0;
}

static bool applies(const struct map_observe *observe, const char *node)
{
    for (size_t i = 0; observe->nodes != NULL && observe->nodes[i] != NULL; i++) {
        if (strcmp(observe->nodes[i], node) == 0) {
            return true;
        }
    }
    return observe->nodes == NULL;
}

static int read_node(struct observer *o, struct world *world, uint32_t node)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < o->map->n_observes; i++) {
        const struct map_observe *observe = &o->map->observes[i];
        o->fresh[i] = VAL_UNDEF;
        if (!applies(observe, o->cluster->nodes[node].name)) {
            continue;
        }
        if (observe->source == FROM_MEMORY) {
            status = read_value(o, world, i, node, &o->fresh[i]);
        }
        if (status == 0 && observe->as != NULL) {
            status = apply_as(o, i, node, &o->fresh[i]);
        }
    }
    return status;
}

/* ---- what has changed ---- */

struct taking {
    struct observer *o;
    struct seen *seen;
    bool changed;
};

static bool differ(struct vctx *ctx, struct val a, struct val b)
{
    if (val_is_undef(a) || val_is_undef(b)) {
        return val_is_undef(a) != val_is_undef(b);
    }
    return val_hash(ctx, a) != val_hash(ctx, b) || !val_equal(ctx, a, b);
}

static void run_take(struct vctx *ctx, void *arg)
{
    struct taking *t = arg;
    size_t n = t->o->map->n_observes;
    for (size_t i = 0; i < n && !t->changed; i++) {
        t->changed = differ(ctx, t->o->fresh[i], t->seen->vals[i]);
    }
    if (!t->changed) {
        return;
    }
    t->seen->now ^= 1U;
    struct arena *into = &t->seen->arenas[t->seen->now];
    arena_reset(into);
    t->seen->hash = 0;
    for (size_t i = 0; i < n; i++) {
        struct val v = t->o->fresh[i];
        bool none = val_is_undef(v);
        t->seen->vals[i] = none ? v : val_freeze(ctx, into, v);
        t->seen->hash = hash_combine(t->seen->hash, none ? 1 : val_hash(ctx, v));
    }
}

/* Whether what is seen of a node has changed. */
static int look_at(struct observer *o, struct world *world, uint32_t node, bool *changed)
{
    struct seen *seen = &o->seen[node];
    struct node_view view;
    world_node_view(world, node, &view);
    bool up = (view.state == NODE_UP || view.state == NODE_PAUSED) && !view.ended &&
              world_executable(world, node) != NULL;
    bool same = seen->moment == o->moment && seen->turns == view.turns &&
                seen->starts == view.starts && seen->up == up;
    if (same) {
        return 0;
    }
    *changed = *changed || seen->up != up || seen->moment == 0;
    seen->up = up;
    seen->turns = view.turns;
    seen->starts = view.starts;
    seen->moment = o->moment;
    if (!up) {
        return 0;
    }
    struct taking t = {o, seen, false};
    int status = read_node(o, world, node);
    if (status == 0 && model_with_values(o->worker, run_take, &t) != MODEL_OK) {
        status = fail_at(o, 0, 1, "%s", o->worker->error.text);
    }
    *changed = *changed || t.changed;
    if (status != 0) {
        seen->moment = 0;
    }
    return status;
}

/* ---- invariants ---- */

struct stating {
    struct observer *o;
    const struct map_expr *expr; /* NULL: all variables */
    struct val *offered;
    struct strbuf *out; /* for printing */
};

static size_t observe_named(const struct map *map, const char *name)
{
    size_t i = 0;
    while (i < map->n_observes && !str_is(map->observes[i].name, name)) {
        i++;
    }
    return i;
}

/* Variable `index` as a function from the nodes at which it is observed. */
static struct val variable(struct vctx *ctx, const struct observer *o, size_t index)
{
    size_t most = o->cluster->n_nodes + 1, n = 0;
    struct val *keys = arena_alloc(ctx->arena, most * sizeof *keys);
    struct val *vals = arena_alloc(ctx->arena, most * sizeof *vals);
    for (size_t i = 0; i < o->cluster->n_nodes; i++) {
        const struct val *state = o->now[i];
        if (state != NULL && !val_is_undef(state[index])) {
            keys[n] = o->seen[i].name;
            vals[n++] = state[index];
        }
    }
    return fcn_make(ctx, keys, vals, n);
}

static struct val running(struct vctx *ctx, const struct observer *o)
{
    struct val *elems = arena_alloc(ctx->arena, (o->cluster->n_nodes + 1) * sizeof *elems);
    size_t n = 0;
    for (size_t i = 0; i < o->cluster->n_nodes; i++) {
        if (o->now[i] != NULL) {
            elems[n++] = o->seen[i].name;
        }
    }
    return set_make(ctx, elems, n);
}

static void run_offer(struct vctx *ctx, void *arg)
{
    struct stating *s = arg;
    const struct observer *o = s->o;
    for (size_t i = 0; i < s->expr->n_used; i++) {
        uint8_t at = s->expr->used[i];
        const char *name = s->expr->offered[at];
        s->offered[at] = at == 0 ? running(ctx, o) : variable(ctx, o, observe_named(o->map, name));
    }
}

static void run_print(struct vctx *ctx, void *arg)
{
    struct stating *s = arg;
    const struct observer *o = s->o;
    const char *comma = "";
    for (size_t i = 0; i < o->map->n_observes; i++) {
        struct str name = o->map->observes[i].name;
        bool wanted = s->expr == NULL;
        for (size_t k = 0; !wanted && k < s->expr->n_used; k++) {
            wanted = s->expr->used[k] != 0 && str_is(name, s->expr->offered[s->expr->used[k]]);
        }
        if (wanted) {
            strbuf_printf(s->out, "%s%.*s = %s", comma, STR_ARG(name),
                          val_line(ctx, variable(ctx, o, i)));
            comma = s->expr != NULL ? ", " : "\n";
        }
    }
}

static int judge(struct observer *o, uint32_t number, struct strbuf *text)
{
    const struct map_invariant *invariant = &o->map->invariants[number];
    const struct map_expr *expr = invariant->expr;
    struct val offered[MAP_PARAMS_MAX + 1], value = VAL_UNDEF;
    struct stating s = {o, expr, offered, text};
    char what[128];
    (void)snprintf(what, sizeof what, "invariant %.*s", STR_ARG(invariant->name.name));
    if (model_with_values(o->worker, run_offer, &s) != MODEL_OK ||
        map_apply(o->worker, expr, offered, &value) != MODEL_OK) {
        return fail_eval(o, expr, what);
    }
    if (!val_same(value, VAL_TRUE) && !val_same(value, VAL_FALSE)) {
        return fail_at(o, expr->begin, expr->begin + expr->text.n, "%s is neither true nor false",
                       what);
    }
    if (val_same(value, VAL_TRUE)) {
        return 0;
    }
    strbuf_printf(text, "%s is false: ", what);
    return model_with_values(o->worker, run_print, &s) == MODEL_OK ? 1 : fail_eval(o, expr, what);
}

/* What was seen last is what is judged. */
static void take_seen(struct observer *o)
{
    for (size_t i = 0; i < o->cluster->n_nodes; i++) {
        o->now[i] = !o->cluster->nodes[i].client && o->seen[i].up ? o->seen[i].vals : NULL;
    }
}

/* What was made before is gone. */
static int make_free(struct observer *o)
{
    return o->model->ops->load(o->worker, "", 0, 1) == MODEL_OK
               ? 0
               : err_set(o->err, ERR_INVALID, 0, "%s", o->worker->error.text);
}

static int look(struct observer *o, struct world *world, bool *changed)
{
    if (o->world != world) {
        observer_begin(o);
        o->world = world;
    }
    int status = make_free(o);
    for (uint32_t i = 0; status == 0 && i < o->cluster->n_nodes; i++) {
        status = o->cluster->nodes[i].client ? 0 : look_at(o, world, i, changed);
    }
    return status;
}

int observer_look(struct observer *o, struct world *world, struct err *err)
{
    bool changed = false;
    o->err = err;
    int status = look(o, world, &changed);
    o->judged = o->judged && !changed;
    return status;
}

static int judge_all(struct observer *o, uint32_t *ret_number, struct strbuf *text)
{
    int status = 0;
    for (uint32_t i = 0; status == 0 && i < o->map->n_invariants; i++) {
        *ret_number = i;
        status = judge(o, i, text);
    }
    return status;
}

int observer_check(struct observer *o, struct world *world, uint32_t *ret_number,
                   struct strbuf *text, struct err *err)
{
    bool changed = !o->judged;
    o->err = err;
    int status = look(o, world, &changed);
    o->judged = status == 0 && !changed;
    if (status == 0 && changed) {
        take_seen(o);
        status = judge_all(o, ret_number, text);
    }
    o->judged = o->judged || status == 0;
    return status;
}

/* ---- states that are kept ---- */

static struct val *state_add(struct observer *o, uint64_t hash)
{
    struct val *vals = ARENA_ARRAY(&o->arena, struct val, o->map->n_observes + 1);
    u64map_put(&o->kept, hash, o->states.n);
    VEC_PUSH(&o->states, vals);
    return vals;
}

static const struct val *state_of(const struct observer *o, uint64_t hash)
{
    uint64_t at = 0;
    return u64map_get(&o->kept, hash, &at) ? o->states.v[at] : NULL;
}

struct keeping {
    struct observer *o;
    const struct val *from;
    struct val *to;
    struct strbuf *out;
    struct str bytes;
    struct err err;
};

static void run_keep(struct vctx *ctx, void *arg)
{
    struct keeping *k = arg;
    for (size_t i = 0; i < k->o->map->n_observes; i++) {
        bool none = val_is_undef(k->from[i]);
        k->to[i] = none ? k->from[i] : val_freeze(ctx, &k->o->arena, k->from[i]);
    }
}

static int fail_worker(struct observer *o)
{
    return err_set(o->err, ERR_INVALID, 0, "what is observed cannot be kept: %s",
                   o->worker->error.text != NULL ? o->worker->error.text : "too large");
}

int observer_keep(struct observer *o, uint32_t node, uint64_t *ret, struct err *err)
{
    const struct seen *seen = &o->seen[node];
    *ret = OBSERVER_DOWN;
    o->err = err;
    if (o->cluster->nodes[node].client || !seen->up) {
        return 0;
    }
    *ret = hash_mix(seen->hash) | 1; /* never OBSERVER_DOWN */
    if (state_of(o, *ret) != NULL) {
        return 0;
    }
    struct keeping k = {.o = o, .from = seen->vals, .to = state_add(o, *ret)};
    return model_with_values(o->worker, run_keep, &k) == MODEL_OK ? 0 : fail_worker(o);
}

static void run_pack(struct vctx *ctx, void *arg)
{
    struct keeping *k = arg;
    for (size_t i = 0; i < k->o->map->n_observes; i++) {
        SCOPED_STRBUF text = {0};
        if (!val_is_undef(k->from[i])) {
            itf_write_val(ctx, k->from[i], &text);
        }
        pack_bytes(k->out, text.p, text.n);
    }
}

int observer_pack(struct observer *o, uint64_t state, struct strbuf *out, struct err *err)
{
    struct keeping k = {.o = o, .from = state_of(o, state), .out = out};
    o->err = err;
    bool good = k.from == NULL || model_with_values(o->worker, run_pack, &k) == MODEL_OK;
    return good ? 0 : fail_worker(o);
}

static void run_unpack(struct vctx *ctx, void *arg)
{
    struct keeping *k = arg;
    struct unpack in = {.rest = k->bytes};
    for (size_t i = 0; i < k->o->map->n_observes && k->err.code == ERR_OK; i++) {
        struct str text = unpack_bytes(&in);
        struct val v = VAL_UNDEF;
        if (text.n != 0 && itf_read_val(ctx, text, &v, &k->err) != 0) {
            return;
        }
        k->to[i] = text.n != 0 ? val_freeze(ctx, &k->o->arena, v) : v;
    }
    if (in.cut) {
        (void)err_set(&k->err, ERR_CORRUPT, 0, "an observed state is damaged");
    }
}

int observer_unpack(struct observer *o, uint64_t state, struct str bytes, struct err *err)
{
    if (state == OBSERVER_DOWN || state_of(o, state) != NULL) {
        return 0;
    }
    struct val *vals = ARENA_ARRAY(&o->arena, struct val, o->map->n_observes + 1);
    struct keeping k = {.o = o, .to = vals, .bytes = bytes};
    o->err = err;
    int status = make_free(o);
    if (status == 0 &&
        (model_with_values(o->worker, run_unpack, &k) != MODEL_OK || k.err.code != ERR_OK)) {
        return err_set(err, ERR_CORRUPT, 0, "an observed state is damaged%s%s",
                       k.err.code != ERR_OK ? ": " : "", k.err.code != ERR_OK ? k.err.text : "");
    }
    if (status == 0) {
        u64map_put(&o->kept, state, o->states.n);
        VEC_PUSH(&o->states, vals);
    }
    return status;
}

static void take_kept(struct observer *o, const uint64_t *states)
{
    for (size_t i = 0; i < o->cluster->n_nodes; i++) {
        o->now[i] = state_of(o, states[i]);
    }
}

int observer_judge(struct observer *o, const uint64_t *states, uint32_t *ret_number,
                   struct strbuf *text, struct err *err)
{
    o->err = err;
    int status = make_free(o);
    take_kept(o, states);
    return status != 0 ? status : judge_all(o, ret_number, text);
}

void observer_show(struct observer *o, const uint64_t *states, struct strbuf *out)
{
    struct stating s = {.o = o, .out = out};
    take_kept(o, states);
    if (model_with_values(o->worker, run_print, &s) != MODEL_OK) {
        strbuf_adds(out, "(cannot be shown)");
    }
}

/* ---- what was seen ---- */

uint64_t observer_hash(struct observer *o)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < o->cluster->n_nodes; i++) {
        hash = hash_combine(hash, o->seen[i].up ? o->seen[i].hash : 0);
    }
    return hash;
}

void observer_print(struct observer *o, struct strbuf *out)
{
    struct stating s = {.o = o, .out = out};
    take_seen(o);
    if (model_with_values(o->worker, run_print, &s) != MODEL_OK) {
        strbuf_adds(out, "(cannot be shown)");
    }
}

struct str observer_name(const struct observer *o, uint32_t number)
{
    return o->map->invariants[number].name.name;
}
