/* Random walks of the specification alone: which values its variables have, which arguments its
 * actions, and what steps do to the network. The seed is fixed: the same specification gives the
 * same file. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "eval/eval.h"
#include "model/model.h"
#include "sem/sem.h"
#include "sketch/sketch.h"
#include "sketch/sketch_int.h"
#include "value/value.h"

enum { WALKS = 80, STEPS = 40, CHANNELS = 256 };
#define TIME_NS UINT64_C(3000000000)

struct channel {
    uint64_t key; /* a hash */
    int64_t n;
};

struct sampling {
    const struct sketch_ask *ask;
    struct samples *s;
    struct mworker *worker;
    struct rng rng;
    uint64_t *counts; /* [naction + 1]: successors of a state */
    uint32_t *number; /* [naction]: in samples.actions */
    uint32_t wanted;  /* action of the successor to keep, */
    uint64_t nth;     /* and which of them */
    bool initial, failed;
    struct strbuf bytes;
    uint64_t *hashes, *hashes0; /* of the values of variables: now, before */
    /* Messages on their way by channel, or copies by packet. */
    struct channel channels[CHANNELS], channels0[CHANNELS];
    size_t n_channels, n_channels0;
    uint64_t wires, wires0;
    struct mvalues values;
};

/* ---- values ---- */

static void count_messages(struct sampling *x, struct vctx *ctx, struct val net, bool queues)
{
    x->n_channels = 0;
    for (size_t i = 0; i < fcn_size(ctx, net) && x->n_channels < CHANNELS; i++) {
        struct val v = fcn_value(ctx, net, i);
        struct channel *c = &x->channels[x->n_channels++];
        c->key = val_hash(ctx, fcn_key(ctx, net, i));
        if (queues) {
            c->n = (int64_t)fcn_size(ctx, v);
        } else if (!int_to_i64(v, &c->n)) {
            c->n = 0;
        }
    }
}

/* One message of one channel left; what has come besides does not matter. */
static bool was_taken(const struct sampling *x)
{
    int64_t gone = 0;
    for (size_t i = 0; i < x->n_channels0; i++) {
        const struct channel *before = &x->channels0[i];
        size_t k = 0;
        while (k < x->n_channels && x->channels[k].key != before->key) {
            k++;
        }
        int64_t n = k < x->n_channels ? x->channels[k].n : 0;
        gone += n < before->n ? before->n - n : 0;
    }
    return gone == 1;
}

static bool field_of(struct vctx *ctx, struct val record, const char *name, struct val *ret)
{
    return val_is_kind(record, VK_RECORD) &&
           record_get(ctx, record, val_str_id(val_str(ctx, str_of(name))), ret);
}

static void measure_net(struct sampling *x, struct vctx *ctx, const struct svar *var, struct val v)
{
    struct val part;
    if (var->net == NET_UDP && val_is_fcn(v)) {
        count_messages(x, ctx, fcn_force(ctx, v), false);
    } else if (var->net == NET_TCP && field_of(ctx, v, "queue", &part) && val_is_fcn(part)) {
        count_messages(x, ctx, fcn_force(ctx, part), true);
        x->wires = field_of(ctx, v, "down", &part) ? val_hash(ctx, part) : 0;
        x->wires ^= field_of(ctx, v, "cut", &part) ? 3 * val_hash(ctx, part) : 0;
    }
}

static enum snet net_kind(const struct sketch_ask *ask, const struct stype *type)
{
    const struct stype *key = type->key;
    if (strmap_has(&ask->program->modules, STR("TcpNetwork")) &&
        stype_field(type, "queue") != NULL && stype_field(type, "down") != NULL) {
        return NET_TCP;
    }
    return strmap_has(&ask->program->modules, STR("UdpNetwork")) && key != NULL &&
                   stype_field(key, "from") != NULL && stype_field(key, "to") != NULL
               ? NET_UDP
               : NET_NONE;
}

static void run_add(struct vctx *ctx, void *arg)
{
    struct sampling *x = arg;
    struct samples *s = x->s;
    for (uint32_t i = 0; i < x->values.n && i < s->n_vars; i++) {
        struct svar *var = &s->vars[i];
        struct val v = x->values.vals[i];
        if (var->name.n == 0) {
            var->name = str_dup(s->arena, str_of(x->values.names[i]));
            var->first = str_dup(s->arena, str_of(val_line(ctx, v)));
        }
        stype_add(s->arena, ctx, &var->type, v, 0);
        var->net = var->net != NET_NONE ? var->net : net_kind(x->ask, &var->type);
        x->hashes[i] = val_hash(ctx, v);
        measure_net(x, ctx, var, v);
    }
    s->states++;
}

static int add_state(struct sampling *x, uint64_t level, struct err *err)
{
    const struct model_ops *ops = x->worker->model->ops;
    if (ops->load(x->worker, x->bytes.p, x->bytes.n, level) != MODEL_OK ||
        ops->values(x->worker, false, &x->values) != MODEL_OK ||
        model_with_values(x->worker, run_add, x) != MODEL_OK) {
        return err_set(err, ERR_INVALID, 0, "%s",
                       x->worker->error.text != NULL ? x->worker->error.text : "evaluation failed");
    }
    return 0;
}

/* ---- steps ---- */

static int on_candidate(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct sampling *x = arg;
    const struct model_ops *ops = worker->model->ops;
    uint32_t action = x->initial ? 0 : cand->action;
    int inside = ops->in_model(worker);
    if (inside != 1) {
        x->failed = inside == MODEL_ERROR;
        return x->failed ? 1 : 0;
    }
    if (x->wanted == UINT32_MAX) {
        x->counts[action]++;
        return 0;
    }
    if (action != x->wanted || x->nth-- != 0) {
        return 0;
    }
    strbuf_reset(&x->bytes);
    ops->save(worker, &x->bytes);
    if (!x->initial) {
        struct mvalues args = {0};
        struct saction *a = &x->s->actions[x->number[action]];
        ops->args(worker, &args);
        for (uint32_t i = 0; i < args.n && i < a->n_params; i++) {
            stype_add(x->s->arena, args.ctx, &a->args[i], args.vals[i], 0);
        }
    }
    return 1;
}

static int enumerate(struct sampling *x)
{
    const struct model_ops *ops = x->worker->model->ops;
    return x->initial ? ops->init(x->worker, on_candidate, x)
                      : ops->next(x->worker, on_candidate, x);
}

/* An action, then one of its steps: rare actions come up as often as others. 1: a step; 0: none. */
static int draw(struct sampling *x, uint32_t *ret_action, struct err *err)
{
    uint32_t n = x->initial ? 1 : x->worker->model->naction, possible = 0;
    memset(x->counts, 0, (n + 1) * sizeof x->counts[0]);
    x->wanted = UINT32_MAX;
    int status = enumerate(x);
    for (uint32_t i = 0; i < n; i++) {
        possible += x->counts[i] != 0 ? 1 : 0;
    }
    if (status == MODEL_ERROR || x->failed) {
        return err_set(err, ERR_INVALID, 0, "%s",
                       x->worker->error.text != NULL ? x->worker->error.text : "evaluation failed");
    }
    if (possible == 0) {
        return 0;
    }
    uint64_t pick = rng_below(&x->rng, possible);
    for (uint32_t i = 0; i < n; i++) {
        if (x->counts[i] != 0 && pick-- == 0) {
            x->wanted = i;
        }
    }
    x->nth = rng_below(&x->rng, x->counts[x->wanted]);
    *ret_action = x->wanted;
    status = enumerate(x);
    return status == MODEL_ERROR || x->failed
               ? err_set(err, ERR_INVALID, 0, "%s", "evaluation failed")
               : 1;
}

static void note_step(struct sampling *x, uint32_t action)
{
    struct saction *a = &x->s->actions[x->number[action]];
    a->steps++;
    a->taken += was_taken(x) || x->wires != x->wires0 ? 1 : 0;
    for (size_t i = 0; i < x->s->n_vars; i++) {
        a->changes[i] = a->changes[i] || x->hashes[i] != x->hashes0[i];
    }
}

static int walk(struct sampling *x, struct err *err)
{
    uint32_t action = 0;
    x->initial = true;
    int status = draw(x, &action, err);
    if (status == 0) {
        return err_set(err, ERR_INVALID, 0, "the specification has no initial state");
    }
    x->initial = false;
    for (uint64_t level = 1; status > 0; level++) {
        memcpy(x->hashes0, x->hashes, x->s->n_vars * sizeof x->hashes[0]);
        memcpy(x->channels0, x->channels, sizeof x->channels);
        x->n_channels0 = x->n_channels;
        x->wires0 = x->wires;
        status = add_state(x, level, err);
        if (status != 0) {
            return status;
        }
        if (level > 1) {
            note_step(x, action);
        }
        status = level > STEPS ? 0 : draw(x, &action, err);
    }
    return status;
}

/* ---- names ---- */

static void add_sets(struct samples *s, const struct config *config)
{
    s->sets = ARENA_ARRAY(s->arena, struct sset, config->nassign + 3);
    for (size_t i = 0; i < config->nassign; i++) {
        const struct cfg_assign *a = &config->assigns[i];
        struct sset *set = &s->sets[s->n_sets];
        if (a->value == NULL || a->value->kind != CFG_SET || a->value->nelem == 0) {
            continue;
        }
        *set = (struct sset){.name = a->lhs};
        for (size_t k = 0; k < a->value->nelem && set->n < sizeof set->elems / sizeof(struct str);
             k++) {
            const struct cfg_value *elem = a->value->elems[k];
            if (elem->kind == CFG_MODEL || elem->kind == CFG_STRING) {
                set->elems[set->n++] = elem->text;
            }
        }
        s->n_sets += set->n == a->value->nelem ? 1 : 0;
    }
}

static bool is_server(const struct cluster *cluster, struct str name)
{
    int index = cluster_node(cluster, name);
    return index >= 0 && !cluster->nodes[index].client;
}

/* A configuration may also give values to names that the specification does not declare. */
static bool is_declared(const struct module *root, struct str name)
{
    for (uint32_t i = 0; i < root->nconst; i++) {
        if (str_eq(root->consts[i]->name, name)) {
            return true;
        }
    }
    return false;
}

static size_t count_servers(const struct cluster *cluster)
{
    size_t n = 0;
    for (size_t i = 0; i < cluster->n_nodes; i++) {
        n += cluster->nodes[i].client ? 0 : 1;
    }
    return n;
}

/* Where no constant has as many elements as there are servers, these may be numbers: a variable
 * that is a function over 1 to n is seen as a sequence that always has n elements. */
static void add_numbers(struct samples *s, const struct sketch_ask *ask)
{
    size_t n = count_servers(ask->cluster);
    bool any = false;
    for (size_t i = 0; i < s->n_vars; i++) {
        any = any || stype_is_by_numbers(&s->vars[i].type, n);
    }
    for (size_t i = 0; i < s->n_sets; i++) {
        any = any && s->sets[i].n != n;
    }
    if (!any || n > sizeof s->sets->elems / sizeof s->sets->elems[0]) {
        return;
    }
    struct sset *set = &s->sets[s->n_sets++];
    *set = (struct sset){.numbers = true, .n = n};
    set->name = str_of(arena_printf(s->arena, "1..%zu", n));
    for (size_t i = 0; i < n; i++) {
        set->elems[i] = str_of(arena_printf(s->arena, "%zu", i + 1));
    }
    for (size_t i = 0; i < s->n_vars; i++) {
        stype_by_numbers(s->arena, &s->vars[i].type, n);
    }
}

/* Where no constant has all servers, but several together do: {Coordinator} \cup Participants. */
static void add_union(struct samples *s, const struct sketch_ask *ask)
{
    struct sset all = {.n = 0};
    size_t servers = count_servers(ask->cluster);
    SCOPED_STRBUF name = {0};
    for (size_t i = 0; i < ask->config->nassign; i++) {
        const struct cfg_assign *a = &ask->config->assigns[i];
        bool one = a->value != NULL && a->value->kind == CFG_MODEL;
        bool set = a->value != NULL && a->value->kind == CFG_SET && a->value->nelem != 0;
        size_t n = one ? 1 : set ? a->value->nelem : 0, good = 0;
        for (size_t k = 0; k < n; k++) {
            const struct cfg_value *elem = one ? a->value : a->value->elems[k];
            bool named = elem->kind == CFG_MODEL || elem->kind == CFG_STRING;
            good +=
                named && is_server(ask->cluster, elem->text) && !stype_set_has(&all, elem->text);
        }
        if (n == 0 || good != n || !is_declared(ask->program->root, a->lhs) ||
            all.n + n > sizeof all.elems / sizeof all.elems[0]) {
            continue;
        }
        for (size_t k = 0; k < n; k++) {
            all.elems[all.n++] = one ? a->value->text : a->value->elems[k]->text;
        }
        strbuf_printf(&name, one ? "%s{%.*s}" : "%s%.*s", name.n == 0 ? "" : " \\cup ",
                      STR_ARG(a->lhs));
    }
    for (size_t i = 0; i < s->n_sets; i++) {
        all.n = s->sets[i].n == servers && is_server(ask->cluster, s->sets[i].elems[0]) ? 0 : all.n;
    }
    if (all.n != 0 && all.n == servers) {
        all.name = str_dup(s->arena, strbuf_str(&name));
        s->sets[s->n_sets++] = all; /* last: others say more about what they hold */
    }
}

/* Each name and number of parameters once: an operator may stand at several spots. */
static void add_actions(struct sampling *x)
{
    const struct model *model = x->ask->model;
    struct samples *s = x->s;
    s->actions = ARENA_ARRAY(s->arena, struct saction, model->naction + 1);
    x->number = ARENA_ARRAY(s->arena, uint32_t, model->naction + 1);
    for (uint32_t i = 0; i < model->naction; i++) {
        const struct maction *a = &model->actions[i];
        size_t k = 0;
        while (k < s->n_actions &&
               (!str_is(s->actions[k].name, a->name) || s->actions[k].n_params != a->nparam)) {
            k++;
        }
        x->number[i] = (uint32_t)k;
        if (k == s->n_actions) {
            s->actions[s->n_actions++] =
                (struct saction){.name = str_of(a->name),
                                 .params = a->params,
                                 .n_params = a->nparam,
                                 .args = ARENA_ARRAY(s->arena, struct stype, a->nparam + 1),
                                 .changes = ARENA_ARRAY(s->arena, bool, model->nvar + 1)};
        }
    }
}

int sketch_take(const struct sketch_ask *ask, struct samples *s, struct err *err)
{
    struct sampling x = {.ask = ask, .s = s};
    const struct model *model = ask->model;
    uint64_t begin = clock_mono_ns();
    int status = model->ops->worker_new(ask->model, 0, 1, &x.worker, err);
    if (status != 0) {
        return status;
    }
    x.worker->quiet = true;
    model_counting(x.worker, false);
    rng_seed(&x.rng, 1);
    s->vars = ARENA_ARRAY(s->arena, struct svar, model->nvar + 1);
    s->n_vars = model->nvar;
    x.counts = ARENA_ARRAY(s->arena, uint64_t, model->naction + 2);
    x.hashes = ARENA_ARRAY(s->arena, uint64_t, model->nvar + 1);
    x.hashes0 = ARENA_ARRAY(s->arena, uint64_t, model->nvar + 1);
    add_sets(s, ask->config);
    add_union(s, ask);
    add_actions(&x);
    for (unsigned i = 0; status == 0 && i < WALKS; i++) {
        status = walk(&x, err);
        if (ask->interrupted != NULL && *ask->interrupted != 0) {
            status = err_set(err, ERR_INTERRUPTED, 0, "interrupted");
        }
        if (i > 0 && clock_mono_ns() - begin > TIME_NS) {
            break; /* what was seen is enough to begin with */
        }
    }
    add_numbers(s, ask);
    strbuf_done(&x.bytes);
    model->ops->worker_free(x.worker);
    return status;
}
