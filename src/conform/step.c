/* From a step of the specification to events of the engine: what the mapping says for its action,
 * or, where it says nothing, what the step did to the network variable. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "conform/conform_int.h"
#include "eval/eval.h"
#include "map/map.h"
#include "model/model.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "value/value.h"
#include "world/world.h"

enum { TIMERS_MOST = 10000 };

/* ---- text of a step ---- */

struct expansion {
    struct conform *c;
    struct val value;
    struct strbuf *out;
};

/* Nodes by their names in the cluster, strings without quotes. */
static void put_value(struct vctx *ctx, void *arg)
{
    struct expansion *e = arg;
    for (size_t i = 0; i < e->c->who.n_nodes; i++) {
        SCOPED_STRBUF unused = {0};
        if (value_diff(ctx, e->c->who.nodes[i].value, e->value, &unused, 0) == 0) {
            strbuf_adds(e->out, e->c->who.nodes[i].name);
            return;
        }
    }
    if (val_is_str(e->value)) {
        strbuf_addstr(e->out, val_str_text(ctx, e->value));
    } else {
        val_print(ctx, e->value, e->out);
    }
}

static int expand_expr(struct conform *c, const struct map_expr *expr, const struct val *args,
                       struct strbuf *out)
{
    struct expansion e = {.c = c, .out = out};
    return map_apply(c->spec.before, expr, args, &e.value) != MODEL_OK ||
                   model_with_values(c->spec.before, put_value, &e) != MODEL_OK
               ? evaluation_error(c, c->spec.before, expr->begin, expr->begin + expr->text.n)
               : 0;
}

/* In a command line a directory is never cut, and a value is cut at its blanks, unless it stands in
 * quotes; what looks like a quote in it is none. */
static int expand(struct conform *c, const struct map_step *step, const struct val *args,
                  struct strbuf *out)
{
    bool command = strcmp(step->verb, "client") == 0;
    char quote = '\0';
    for (size_t i = 0; i < step->n; i++) {
        const struct map_piece *piece = &step->pieces[i];
        SCOPED_STRBUF value = {0};
        struct str text = piece->cluster_dir ? path_dir(str_of(c->cluster->path)) : piece->text;
        if (piece->expr != NULL) {
            int status = expand_expr(c, piece->expr, args, &value);
            if (status != 0) {
                return status;
            }
            text = strbuf_str(&value);
        }
        if (command && (piece->expr != NULL || piece->cluster_dir || piece->dir)) {
            command_quote(out, quote, text, piece->expr != NULL);
        } else {
            strbuf_addstr(out, text);
            quote = command ? command_state(quote, text) : quote;
        }
    }
    return 0;
}

/* ---- verbs ---- */

struct doing {
    struct conform *c;
    const struct map_step *step;
    struct words words;
    struct str text;
    const struct val *args;
    size_t n_args;
};

static int wrong(const struct doing *d, const char *what)
{
    return mapping_error(d->c, d->step->begin, d->step->end, "'%.*s': %s", STR_ARG(d->text), what);
}

static int node_at(const struct doing *d, size_t i, uint32_t *ret)
{
    int node = i < d->words.n ? cluster_node(d->c->cluster, d->words.v[i]) : -1;
    if (node < 0) {
        return wrong(d, "the name of a node is missing or unknown");
    }
    *ret = (uint32_t)node;
    return 0;
}

static int do_message(struct doing *d)
{
    enum event_kind kind = strcmp(d->step->verb, "deliver") == 0 ? EV_DELIVER
                           : strcmp(d->step->verb, "drop") == 0  ? EV_DROP
                                                                 : EV_DUPLICATE;
    const struct decode_place *from = d->words.n > 1 ? node_by_name(d->c, d->words.v[1]) : NULL;
    const struct decode_place *to = d->words.n > 2 ? node_by_name(d->c, d->words.v[2]) : NULL;
    if (from == NULL || to == NULL || d->words.n > 3) {
        return wrong(d, "expected sender and receiver");
    }
    struct delivery delivery = {kind, from, to, d->step->where, d->args, d->n_args};
    return event_deliver(d->c, &delivery);
}

static int fire(struct conform *c, uint32_t node)
{
    struct event event = {.kind = EV_TIMER, .node = node, .peer = node};
    if (!world_enabled(c->run.world, &event)) {
        found(c, FINDING_MISSING, str_of(c->cluster->nodes[node].name), "node %s waits for no time",
              c->cluster->nodes[node].name);
        return 1;
    }
    int status = session_do(c, &event);
    return status != 0 ? status : session_quiet(c);
}

/* timer N; timer N times 3; timer N until TEXT */
static int do_timer(struct doing *d)
{
    struct conform *c = d->c;
    uint32_t node = 0;
    int status = node_at(d, 1, &node);
    if (status != 0) {
        return status;
    }
    if (d->words.n == 2) {
        return fire(c, node);
    }
    if (!str_is(d->words.v[2], "until") || d->words.n < 4) {
        return wrong(d, "expected timer NODE, or timer NODE until TEXT");
    }
    const char *text = d->words.v[3].p;
    size_t n = d->text.n - (size_t)(text - d->text.p), from = c->run.output[node].text.n;
    for (unsigned i = 0; status == 0 && i < TIMERS_MOST; i++) {
        status = fire(c, node);
        const struct strbuf *out = &c->run.output[node].text;
        if (status == 0 && out->n > from && memmem(out->p + from, out->n - from, text, n) != NULL) {
            return 0;
        }
    }
    if (status == 0) {
        found(c, FINDING_MISSING, str_of(c->cluster->nodes[node].name),
              "node %s never printed '%.*s' in %d timers", c->cluster->nodes[node].name, (int)n,
              text, TIMERS_MOST);
        status = 1;
    }
    return status;
}

static int do_groups(struct doing *d)
{
    struct conform *c = d->c;
    bool isolate = strcmp(d->step->verb, "isolate") == 0;
    size_t n = c->cluster->n_nodes;
    bool *side = ARENA_ARRAY(&c->arena, bool, n + 1);
    for (size_t i = 1; i < d->words.n && !str_is(d->words.v[i], "|"); i++) {
        uint32_t node = 0;
        int status = node_at(d, i, &node);
        if (status != 0) {
            return status;
        }
        side[node] = true;
        if (isolate && d->words.n > 2) {
            return wrong(d, "isolate takes one node");
        }
    }
    return event_partition(c, side);
}

static int do_client(struct doing *d)
{
    uint32_t node = 0;
    if (d->words.n < 2) {
        return wrong(d, "the command is missing");
    }
    const char *begin = d->words.v[1].p;
    struct str command = {begin, d->text.n - (size_t)(begin - d->text.p)};
    if (memchr(command.p, '\n', command.n) != NULL) {
        return wrong(d, "the command is one line");
    }
    int status = client_run(d->c, command, &node);
    if (status >= 0) {
        VEC_PUSH(&d->c->run.commands,
                 ((struct client_command){node, d->c->run.output[node].start}));
    }
    return status == -(int)ERR_LIMIT ? wrong(d, "no client is free: add manual clients to the "
                                                "cluster file")
                                     : status;
}

/* crash N [none|all|random]: power failure, and all its connections break. */
static int do_crash(struct doing *d)
{
    static const char *const keeps[] = {"none", "all", "random"};
    uint32_t node = 0;
    int64_t keep = CRASH_KEEP_NONE;
    int status = node_at(d, 1, &node);
    for (int i = 0; d->words.n > 2 && i < 3; i++) {
        keep = str_is(d->words.v[2], keeps[i]) ? i : keep;
    }
    return status != 0 ? status : event_crash(d->c, node, keep);
}

/* Everything else is written as in a cluster file. */
static int do_plain(struct doing *d)
{
    struct conform *c = d->c;
    struct event events[256];
    struct err err;
    size_t n = 0;
    if (event_parse(c->cluster, d->text, events, 256, &n, &err) != 0) {
        return wrong(d, err.text);
    }
    int status = 0;
    for (size_t i = 0; status == 0 && i < n; i++) {
        if (!world_enabled(c->run.world, &events[i])) {
            found(c, FINDING_MISSING, str_of(c->cluster->nodes[events[i].node].name),
                  "'%.*s' is not possible now", STR_ARG(d->text));
            return 1;
        }
        status = session_do(c, &events[i]);
    }
    return status;
}

static int run_step(struct conform *c, const struct map_step *step, const struct val *args,
                    size_t n_args)
{
    static const struct {
        const char *verb;
        int (*fn)(struct doing *d);
    } table[] = {
        {"deliver",   do_message},
        {"drop",      do_message},
        {"duplicate", do_message},
        {"timer",     do_timer  },
        {"partition", do_groups },
        {"isolate",   do_groups },
        {"client",    do_client },
        {"crash",     do_crash  },
    };
    struct strbuf text = {.arena = &c->arena};
    struct doing d = {.c = c, .step = step, .args = args, .n_args = n_args};
    int status = expand(c, step, args, &text);
    if (status != 0) {
        return status;
    }
    d.text = strbuf_str(&text);
    words_split(d.text, &d.words);
    int (*fn)(struct doing *d) = do_plain;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        fn = strcmp(table[i].verb, step->verb) == 0 ? table[i].fn : fn;
    }
    status = fn(&d);
    return status != 0 ? status : session_quiet(c);
}

int steps_run(struct conform *c, const struct map_step *steps, size_t n, const struct val *args,
              size_t n_args)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < n; i++) {
        status = run_step(c, &steps[i], args, n_args);
    }
    return status;
}

/* ---- one step ---- */

const struct map_action *step_action(const struct conform *c, const struct spec_step *step)
{
    struct str name = str_of(c->spec.model->actions[step->action].name);
    for (size_t i = 0; i < c->map->n_actions; i++) {
        const struct map_action *action = &c->map->actions[i];
        if (str_eq(action->name, name) && action->n_params == step->n_args) {
            return action;
        }
    }
    return NULL;
}

struct arguments {
    const struct spec_step *step;
    struct val v[MAP_PARAMS_MAX + 1];
    bool good;
};

static void decode_args(struct vctx *ctx, void *arg)
{
    struct arguments *a = arg;
    const uint8_t *at = (const uint8_t *)a->step->args.p, *end = at + a->step->args.n;
    a->good = a->step->n_args <= MAP_PARAMS_MAX;
    for (uint32_t i = 0; a->good && i < a->step->n_args; i++) {
        a->good = val_decode(ctx, &at, end, &a->v[i]);
    }
}

int step_do(struct conform *c, const struct spec_step *step)
{
    const struct map_action *action = step_action(c, step);
    if (action == NULL || action->automatic) {
        int status = network_infer(c, step);
        return status != 0 ? status : session_quiet(c);
    }
    struct arguments args = {.step = step};
    if (model_with_values(c->spec.before, decode_args, &args) != MODEL_OK || !args.good) {
        return evaluation_error(c, c->spec.before, action->begin, action->end);
    }
    args.v[step->n_args] = VAL_UNDEF; /* msg */
    return steps_run(c, action->steps, action->n, args.v, step->n_args);
}
