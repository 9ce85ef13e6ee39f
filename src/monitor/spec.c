/* What a specification is to one node: who the nodes are, which variables are theirs, which one is
 * the network, and what each action does.
 *
 * Actions get their role from the mapping's events where it says some (`timer`: nobody sees why;
 * `client`: an input; `crash`, `restart`; faults of the network are nobody's). Of the others the
 * role is found by trying them on the initial state, on one after a crash and on one with a cut
 * wire: what changes who is down or cut off is a fault; the rest takes messages. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/eval.h"
#include "map/map.h"
#include "model/model.h"
#include "monitor/monitor_int.h"
#include "value/value.h"

int monitor_failed(struct monitor *m)
{
    const struct merror *e = &m->worker->error;
    m->failed = true;
    return err_set(m->err, ERR_INVALID, 0, "%s", e->text != NULL ? e->text : "evaluation failed");
}

static int wrong(struct monitor *m, const char *what, struct str name)
{
    return err_set(m->err, ERR_INVALID, 0, "%s: '%.*s'", what, STR_ARG(name));
}

/* ---- nodes ---- */

struct listing {
    struct monitor *m;
    struct val v;
    bool bad;
};

static struct val keep_val(struct monitor *m, struct vctx *ctx, struct val v)
{
    return vpool_intern(&m->pool, ctx, v);
}

static void run_set(struct vctx *ctx, void *arg)
{
    struct listing *l = arg;
    struct monitor *m = l->m;
    if (!val_is_set(l->v)) {
        l->bad = true;
        return;
    }
    const struct vobj *set = val_obj(set_force(ctx, l->v));
    m->nodes = ARENA_ARRAY(&m->arena, struct known_node, set->n + 1);
    for (uint32_t i = 0; i < set->n; i++) {
        struct str name =
            val_is_str(set->v[i]) ? val_str_text(ctx, set->v[i]) : str_of(val_line(ctx, set->v[i]));
        const char *text = arena_strndup(&m->arena, name.p, name.n);
        for (size_t k = 0; k < m->o.map->n_node_table; k++) {
            const struct map_node *other = &m->o.map->node_table[k];
            text = str_eq(other->printed, name) ? other->name : text;
        }
        m->nodes[m->n_nodes++] = (struct known_node){text, keep_val(m, ctx, set->v[i])};
    }
}

static void run_keep(struct vctx *ctx, void *arg)
{
    struct listing *l = arg;
    l->v = keep_val(l->m, ctx, l->v);
}

static void run_list(struct vctx *ctx, void *arg)
{
    struct monitor *m = ((struct listing *)arg)->m;
    struct val v[MONITOR_PEERS_MAX];
    for (size_t i = 0; i < m->n_nodes; i++) {
        v[i] = m->nodes[i].value;
    }
    m->node_list = keep_val(m, ctx, tuple_make(ctx, v, m->n_nodes));
}

static int find_nodes(struct monitor *m)
{
    const struct map *map = m->o.map;
    struct listing l = {.m = m};
    if (map->nodes != NULL) {
        if (map_apply(m->worker, map->nodes, NULL, &l.v) != MODEL_OK ||
            model_with_values(m->worker, run_set, &l) != MODEL_OK) {
            return monitor_failed(m);
        }
        if (l.bad) {
            return err_set(m->err, ERR_INVALID, 0, "nodes of the mapping is no set");
        }
    } else {
        m->nodes = ARENA_ARRAY(&m->arena, struct known_node, map->n_node_table + 1);
        for (size_t i = 0; i < map->n_node_table; i++) {
            if (map_apply(m->worker, map->node_table[i].value, NULL, &l.v) != MODEL_OK ||
                model_with_values(m->worker, run_keep, &l) != MODEL_OK) {
                return monitor_failed(m);
            }
            m->nodes[m->n_nodes++] = (struct known_node){map->node_table[i].name, l.v};
        }
    }
    if (m->n_nodes == 0 || m->n_nodes > MONITOR_PEERS_MAX) {
        return err_set(m->err, ERR_INVALID, 0, "there are %zu nodes; 1 to %d can be watched",
                       m->n_nodes, MONITOR_PEERS_MAX);
    }
    size_t self = monitor_node(m, str_of(m->o.self));
    if (self == SIZE_MAX) {
        SCOPED_STRBUF names = {0};
        for (size_t i = 0; i < m->n_nodes; i++) {
            strbuf_printf(&names, " %s", m->nodes[i].name);
        }
        return err_set(m->err, ERR_INVALID, 0, "there is no node '%s'; the nodes are%s", m->o.self,
                       strbuf_cstr(&names));
    }
    m->self = (uint32_t)self;
    m->peers = (m->n_nodes == 64 ? ~UINT64_C(0) : (UINT64_C(1) << m->n_nodes) - 1) &
               ~(UINT64_C(1) << m->self);
    return model_with_values(m->worker, run_list, &l) == MODEL_OK ? 0 : monitor_failed(m);
}

/* ---- variables ---- */

static int var_index(const struct monitor *m, struct str name)
{
    for (uint32_t i = 0; i < m->o.model->nvar; i++) {
        if (str_is(name, m->o.model->vars[i])) {
            return (int)i;
        }
    }
    return -1;
}

static int mark_vars(struct monitor *m, const struct map_name *names, size_t n, bool persist)
{
    for (size_t i = 0; i < n; i++) {
        int var = var_index(m, names[i].name);
        if (var < 0) {
            return wrong(m, "[watch]: the specification has no such variable", names[i].name);
        }
        m->vars[var].persist |= persist;
        m->vars[var].forget |= !persist;
    }
    return 0;
}

struct looking {
    struct monitor *m;
    const char *fault;
};

/* Where the node's part of a function of the nodes is. */
static void find_slice(struct monitor *m, struct own_var *v)
{
    if (!val_is_obj(v->initial)) {
        return;
    }
    const struct vobj *f = val_obj(v->initial);
    bool pairs = f->kind == VK_FCN || f->kind == VK_RECORD;
    if ((!pairs && f->kind != VK_TUPLE) || f->n != m->n_nodes) {
        return;
    }
    size_t known = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        struct val key = pairs ? f->v[i] : val_small((int64_t)i + 1);
        for (size_t k = 0; k < m->n_nodes; k++) {
            if (val_same(m->nodes[k].value, key)) {
                known++;
                v->slice = k == m->self ? (pairs ? f->n : 0) + i : v->slice;
            }
        }
    }
    v->sliced = known == m->n_nodes;
}

static uint32_t node_of(const struct monitor *m, struct val v)
{
    for (uint32_t i = 0; i < m->n_nodes; i++) {
        if (val_same(m->nodes[i].value, v)) {
            return i;
        }
    }
    return UINT32_MAX;
}

/* A function from pairs of nodes to sequences. */
static bool find_channels(struct monitor *m, struct val queues)
{
    struct network *net = &m->net;
    if (!val_is_kind(queues, VK_FCN)) {
        return false;
    }
    const struct vobj *f = val_obj(queues);
    net->channels = ARENA_ARRAY(&m->arena, struct channel, f->n + 1);
    for (uint32_t i = 0; i < f->n; i++) {
        const struct vobj *key = val_is_kind(f->v[i], VK_TUPLE) ? val_obj(f->v[i]) : NULL;
        uint32_t from = key != NULL && key->n == 2 ? node_of(m, key->v[0]) : UINT32_MAX;
        uint32_t to = key != NULL && key->n == 2 ? node_of(m, key->v[1]) : UINT32_MAX;
        if (from == UINT32_MAX || to == UINT32_MAX || !val_same(f->v[f->n + i], tuple_empty())) {
            return false;
        }
        net->channels[i] = (struct channel){from, to};
    }
    net->n_channels = f->n;
    net->empty = queues;
    return f->n > 0;
}

static bool record_word(struct vctx *ctx, struct val record, const char *name, uint32_t *ret)
{
    const struct vobj *r = val_obj(record);
    uint32_t id = strtab_intern(ctx->strings, str_of(name));
    for (uint32_t i = 0; i < r->n; i++) {
        if (val_is_str(r->v[i]) && val_str_id(r->v[i]) == id) {
            *ret = r->n + i;
            return true;
        }
    }
    return false;
}

static bool is_tcp(struct vctx *ctx, struct val v, struct network *ret)
{
    return val_is_kind(v, VK_RECORD) && val_obj(v)->n == 3 &&
           record_word(ctx, v, "queue", &ret->queue_at) &&
           record_word(ctx, v, "down", &ret->down_at) && record_word(ctx, v, "cut", &ret->cut_at);
}

static void run_network(struct vctx *ctx, void *arg)
{
    struct looking *l = arg;
    struct monitor *m = l->m;
    struct network *net = &m->net;
    for (uint32_t i = 0; i < m->o.model->nvar && net->var < 0; i++) {
        struct network probe = {0};
        if (is_tcp(ctx, m->vars[i].initial, &probe)) {
            net->var = (int)i;
        }
    }
    if (net->var < 0) {
        l->fault = "which variable is the network? [watch] network = \"NAME\", and kind = "
                   "\"queue\", \"bag\" or \"set\"";
        return;
    }
    struct val v = m->vars[net->var].initial;
    net->record = is_tcp(ctx, v, net);
    if (net->kind == NET_UNKNOWN && net->record) {
        net->kind = NET_QUEUE;
    }
    if (net->kind == NET_UNKNOWN) {
        l->fault = "[watch] must say of what kind the network is: kind = \"queue\", \"bag\" or "
                   "\"set\"";
    } else if (net->kind == NET_QUEUE) {
        struct val queues = net->record ? val_obj(v)->v[net->queue_at] : v;
        l->fault = find_channels(m, queues) ? NULL
                                            : "a network of kind \"queue\" is a function from "
                                              "pairs of nodes to sequences, empty at first";
    } else if (net->kind == NET_BAG) {
        net->empty = tuple_empty();
        l->fault = val_same(v, net->empty) ? NULL : "a bag of packets is empty at first";
    } else {
        net->empty = v;
        l->fault = val_is_kind(v, VK_SET) ? NULL : "a network of kind \"set\" is a set";
    }
}

static int find_network(struct monitor *m)
{
    const struct map *map = m->o.map;
    struct str name = map->watch.network.name.n != 0 ? map->watch.network.name : map->network.name;
    m->net.var = -1;
    if (name.n != 0) {
        m->net.var = var_index(m, name);
        if (m->net.var < 0) {
            return wrong(m, "the specification has no such variable", name);
        }
    }
    m->net.kind = map->watch.kind != NET_UNKNOWN ? map->watch.kind
                  : map->network_udp             ? NET_BAG
                                                 : NET_UNKNOWN;
    struct looking l = {.m = m};
    if (model_with_values(m->worker, run_network, &l) != MODEL_OK) {
        return monitor_failed(m);
    }
    return l.fault == NULL ? 0 : err_set(m->err, ERR_INVALID, 0, "%s", l.fault);
}

/* ---- the initial state ---- */

static int sink_initial(void *arg, struct mworker *worker, const struct candidate *cand)
{
    (void)cand;
    struct monitor *m = arg;
    struct step_view view;
    model_step(worker, &view);
    for (uint32_t i = 0; i < m->o.model->nvar; i++) {
        m->vars[i].initial = vpool_intern(&m->pool, view.ctx, view.next[i]);
    }
    return 1;
}

/* ---- actions ---- */

static enum role role_of_verb(const char *verb)
{
    static const struct {
        const char *verb;
        enum role role;
    } verbs[] = {
        {"timer",   ROLE_OWN    },
        {"advance", ROLE_OWN    },
        {"deliver", ROLE_RECEIVE},
        {"client",  ROLE_INPUT  },
        {"crash",   ROLE_CRASH  },
        {"kill",    ROLE_CRASH  },
        {"restart", ROLE_RESTART},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(verb, verbs[i].verb) == 0) {
            return verbs[i].role;
        }
    }
    return ROLE_NEVER;
}

/* An action that is a message arriving, and then a timer, say, takes the message. */
static enum role role_of_steps(const struct map_action *a)
{
    enum role role = ROLE_OWN; /* the programs do nothing that could be seen */
    for (size_t i = 0; i < a->n; i++) {
        enum role one = role_of_verb(a->steps[i].verb);
        role = i == 0 || one == ROLE_RECEIVE || one == ROLE_CRASH ? one : role;
    }
    return role;
}

static const struct map_action *map_action_of(const struct map *map, const char *name)
{
    for (size_t i = 0; i < map->n_actions; i++) {
        if (str_is(map->actions[i].name, name)) {
            return &map->actions[i];
        }
    }
    return NULL;
}

/* Words by which the network's own actions are known, as in docs/MAPPING.md. */
static bool names_a_loss(const char *name)
{
    static const char *const words[] = {"Drop", "Lose", "Loss", "Lost", "Duplicate",
                                        "drop", "lose", "loss", "lost", "duplicate"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(name, words[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static int list_actions(struct monitor *m)
{
    const struct model *model = m->o.model;
    const struct map *map = m->o.map;
    m->actions = ARENA_ARRAY(&m->arena, struct own_action, model->naction + 1);
    for (uint32_t i = 0; i < model->naction; i++) {
        struct own_action *a = &m->actions[i];
        a->self_at = a->peer_at = UINT32_MAX;
        a->map = map_action_of(map, model->actions[i].name);
        a->role = a->map != NULL && !a->map->automatic ? role_of_steps(a->map) : ROLE_UNKNOWN;
        if (a->role == ROLE_UNKNOWN && names_a_loss(model->actions[i].name)) {
            a->role = ROLE_NEVER;
        }
    }
    for (size_t i = 0; i < map->watch.never.n; i++) {
        uint32_t a = monitor_action(m, map->watch.never.v[i].name);
        if (a == UINT32_MAX) {
            return wrong(m, "[watch] never: there is no such action", map->watch.never.v[i].name);
        }
        m->actions[a].role = ROLE_NEVER;
    }
    for (size_t i = 0; i < map->n_messages; i++) {
        struct str input = map->messages[i].input;
        uint32_t a = input.n != 0 ? monitor_action(m, input) : 0;
        if (a == UINT32_MAX) {
            return wrong(m, "[[message]] input: there is no such action", input);
        }
        if (input.n != 0) {
            m->actions[a].role = ROLE_INPUT;
            m->actions[a].inputs = m->any_input = true;
        }
    }
    return 0;
}

/* ---- trying actions out ---- */

struct trying {
    struct monitor *m;
    enum role role;
    struct val *after; /* [nvar]: the state after a fault, in the pool */
    bool made;
};

static int sink_try(void *arg, struct mworker *worker, const struct candidate *cand)
{
    (void)cand;
    struct trying *t = arg;
    struct monitor *m = t->m;
    const struct network *net = &m->net;
    struct step_view view;
    model_step(worker, &view);
    if (!val_is_kind(view.next[net->var], VK_RECORD)) {
        return 0;
    }
    const struct vobj *now = val_obj(view.now[net->var]), *next = val_obj(view.next[net->var]);
    struct vctx *ctx = view.ctx;
    if (!val_equal(ctx, now->v[net->cut_at], next->v[net->cut_at])) {
        t->role = ROLE_NEVER;
    } else if (!val_equal(ctx, now->v[net->down_at], next->v[net->down_at])) {
        struct val self = m->nodes[m->self].value;
        bool before = set_member(ctx, self, now->v[net->down_at]);
        bool after = set_member(ctx, self, next->v[net->down_at]);
        if (before == after) {
            return 0; /* of another node */
        }
        t->role = after ? ROLE_CRASH : ROLE_RESTART;
    } else {
        return 0;
    }
    for (uint32_t i = 0; i < m->o.model->nvar; i++) {
        t->after[i] = vpool_intern(&m->pool, ctx, view.next[i]);
    }
    t->made = true;
    return 1;
}

/* Tries all actions whose role is not known on a state; returns whether one was found out. */
static int try_on(struct monitor *m, const struct val *state, struct val *ret_after,
                  bool *ret_found)
{
    *ret_found = false;
    for (uint32_t i = 0; i < m->o.model->naction; i++) {
        struct trying t = {.m = m, .role = ROLE_UNKNOWN, .after = ret_after};
        if (m->actions[i].role != ROLE_UNKNOWN) {
            continue;
        }
        model_at(m->worker, state, 1);
        if (model_next_with(m->worker, i, NULL, 0, sink_try, &t) < 0) {
            return monitor_failed(m);
        }
        if (t.made) {
            m->actions[i].role = t.role;
            *ret_found = true;
            return 0;
        }
    }
    return 0;
}

enum { TRIES_MOST = 16 };

/* From the initial state, and from each state after a fault that was found. */
static int try_actions(struct monitor *m)
{
    uint32_t n = m->o.model->nvar;
    struct val *states[TRIES_MOST];
    size_t n_states = 1;
    states[0] = ARENA_ARRAY(&m->arena, struct val, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        states[0][i] = m->vars[i].initial;
    }
    for (size_t at = 0; m->net.record && at < n_states;) {
        struct val *after = ARENA_ARRAY(&m->arena, struct val, n + 1);
        bool found_one = false;
        int status = try_on(m, states[at], after, &found_one);
        if (status != 0) {
            return status;
        }
        if (found_one && n_states < TRIES_MOST) {
            states[n_states++] = after;
        }
        at += found_one ? 0 : 1;
    }
    for (uint32_t i = 0; i < m->o.model->naction; i++) {
        if (m->actions[i].role == ROLE_UNKNOWN) {
            m->actions[i].role = ROLE_RECEIVE;
        }
    }
    return 0;
}

int monitor_spec(struct monitor *m, struct err *err)
{
    const struct model *model = m->o.model;
    const struct map *map = m->o.map;
    m->err = err;
    m->vars = ARENA_ARRAY(&m->arena, struct own_var, model->nvar + 1);
    m->cur = ARENA_ARRAY(&m->arena, struct val, model->nvar + 1);
    int made = model->ops->init(m->worker, sink_initial, m);
    if (made < 0) {
        return monitor_failed(m);
    }
    if (made != MODEL_STOPPED) {
        return err_set(err, ERR_INVALID, 0, "the specification has no initial state");
    }
    for (uint32_t i = 0; i < model->nvar; i++) {
        m->cur[i] = m->vars[i].initial;
    }
    model_at(m->worker, m->cur, 1);
    int status = find_nodes(m);
    for (uint32_t i = 0; status == 0 && i < model->nvar; i++) {
        find_slice(m, &m->vars[i]);
    }
    status = status != 0 ? status : mark_vars(m, map->watch.persist.v, map->watch.persist.n, true);
    status = status != 0 ? status
             : map->watch.forget.given
                 ? mark_vars(m, map->watch.forget.v, map->watch.forget.n, false)
                 : mark_vars(m, map->auxiliary, map->n_auxiliary, false);
    status = status != 0 ? status : find_network(m);
    status = status != 0 ? status : list_actions(m);
    return status != 0 ? status : try_actions(m);
}
