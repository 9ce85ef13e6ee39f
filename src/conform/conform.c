/* Sessions and walks. */
#include "conform/conform.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform_int.h"
#include "decode/decode.h"
#include "eval/eval.h"
#include "map/map.h"
#include "model/model.h"
#include "observe/gcov.h"
#include "run/cluster.h"
#include "run/record.h"
#include "syntax/source.h"
#include "trace/trace.h"
#include "value/value.h"
#include "world/world.h"

static const char *const finding_names[] = {"none", "difference", "unexpected", "missing",
                                            "died", "report",     "stuck"};

const char *finding_name(enum finding_kind kind)
{
    return finding_names[kind];
}

/* ---- mistakes of the mapping ---- */

int mapping_error(struct conform *c, size_t begin, size_t end, const char *fmt, ...)
{
    char text[300];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return map_error(c->map, c->err, begin, end, "%s", text);
}

int evaluation_error(struct conform *c, const struct mworker *worker, size_t begin, size_t end)
{
    return map_evaluation_error(c->map, c->err, worker, begin, end);
}

int run_values(struct conform *c, void (*fn)(struct vctx *ctx, void *arg), void *arg)
{
    return model_with_values(c->spec.after, fn, arg) == MODEL_OK
               ? 0
               : evaluation_error(c, c->spec.after, 0, 0);
}

/* ---- nodes ---- */

static int list_nodes(struct conform *c)
{
    struct decode_nodes found;
    int status = decode_nodes_find(c->map, c->cluster, c->spec.after, &c->arena, &found, c->err);
    if (status == 0) {
        c->who.nodes = found.v;
        c->who.n_nodes = found.n;
        c->who.node_list = found.list;
    }
    return status;
}

/* ---- sessions ---- */

static int make_workers(struct conform *c)
{
    const struct model_ops *ops = c->spec.model->ops;
    struct mworker **all[] = {&c->spec.walker, &c->spec.before, &c->spec.after};
    for (unsigned i = 0; i < 3; i++) {
        int status = ops->worker_new(c->spec.model, i, 0, all[i], c->err);
        if (status != 0) {
            return status;
        }
        (*all[i])->quiet = true;
        model_counting(*all[i], false);
    }
    return 0;
}

/* Loads some initial state, so that expressions can be evaluated. */
static int load_initial(struct conform *c)
{
    struct rng rng;
    struct spec_step step = {0};
    rng_seed(&rng, 0);
    int status = walk_init(c, &rng, &step);
    if (status == 0) {
        status = err_set(c->err, ERR_INVALID, 0, "the specification has no initial state");
    } else if (status == 1) {
        status =
            c->spec.model->ops->load(c->spec.after, step.bytes.p, step.bytes.n, 1) == MODEL_OK &&
                    c->spec.model->ops->load(c->spec.before, step.bytes.p, step.bytes.n, 1) ==
                        MODEL_OK
                ? 0
                : evaluation_error(c, c->spec.after, 0, 0);
    }
    spec_step_done(&step);
    return status;
}

static void tell_decoding(void *arg, const char *fmt, va_list ap)
{
    char text[300];
    (void)vsnprintf(text, sizeof text, fmt, ap);
    tell_how(arg, "%s", text);
}

static int make_decode(struct conform *c)
{
    struct decode_node *nodes = ARENA_ARRAY(&c->arena, struct decode_node, c->who.n_nodes + 1);
    for (size_t i = 0; i < c->who.n_nodes; i++) {
        nodes[i] = (struct decode_node){c->who.nodes[i].name, c->who.nodes[i].value};
    }
    struct decode_options o = {.map = c->map,
                               .worker = c->spec.after,
                               .nodes = nodes,
                               .n_nodes = c->who.n_nodes,
                               .node_list = c->who.node_list,
                               .tell = tell_decoding,
                               .tell_arg = c};
    return decode_new(&o, &c->see.decode, c->err);
}

int conform_new(const struct conform_options *options, struct conform **ret, struct err *err)
{
    size_t cap = 0;
    struct conform *c = vec_grow(NULL, &cap, 1, sizeof *c);
    memset(c, 0, sizeof *c);
    *ret = c;
    arena_init(&c->arena, 0);
    c->o = *options;
    c->map = options->map;
    c->spec.model = options->model;
    c->cluster = options->cluster;
    c->err = err;
    size_t n = c->cluster->n_nodes, m = c->map->n_observes;
    c->run.output = ARENA_ARRAY(&c->arena, struct output, n + 1);
    c->see.logs = ARENA_ARRAY(&c->arena, struct seen_log, n * m + 1);
    c->see.seen = ARENA_ARRAY(&c->arena, uint64_t, m + 1);
    c->spec.counts = ARENA_ARRAY(&c->arena, uint64_t, c->spec.model->naction + 1);
    int status = make_workers(c);
    status = status != 0 ? status : load_initial(c);
    status = status != 0 ? status : list_nodes(c);
    status = status != 0 ? status : network_find(c);
    for (size_t i = 0; status == 0 && i < m && c->see.past == NULL; i++) {
        const struct map_expr *as = c->map->observes[i].as;
        if (as != NULL && map_uses(as, MAP_VALUE_BEFORE)) {
            c->see.past = ARENA_ARRAY(&c->arena, struct strbuf, c->who.n_nodes + 1);
        }
    }
    return status != 0 ? status : make_decode(c);
}

void conform_free(struct conform *c)
{
    if (c == NULL) {
        return;
    }
    struct mworker *workers[] = {c->spec.walker, c->spec.before, c->spec.after};
    session_close(c);
    guide_free(c->guide);
    templates_free(c->run.templates);
    spec_step_done(&c->spec.now);
    spec_step_done(&c->spec.next);
    for (unsigned i = 0; i < 3; i++) {
        if (workers[i] != NULL) {
            c->spec.model->ops->worker_free(workers[i]);
        }
    }
    for (size_t i = 0; c->run.output != NULL && i < c->cluster->n_nodes; i++) {
        strbuf_done(&c->run.output[i].text);
    }
    for (size_t i = 0; c->see.logs != NULL && i < c->cluster->n_nodes * c->map->n_observes; i++) {
        VEC_DONE(&c->see.logs[i].all);
    }
    decode_free(c->see.decode);
    memory_free(c);
    gcov_done(c->gcov);
    VEC_DONE(&c->run.choices);
    VEC_DONE(&c->run.commands);
    strbuf_done(&c->see.state.bytes);
    strbuf_done(&c->see.state0.bytes);
    for (size_t i = 0; c->see.past != NULL && i <= c->who.n_nodes; i++) {
        strbuf_done(&c->see.past[i]);
    }
    arena_done(&c->arena);
    vec_release(c);
}

bool conform_never_matched(const struct conform *c, struct str *ret_name, size_t *ret_begin,
                           size_t *ret_end)
{
    for (size_t i = 0; i < c->map->n_observes; i++) {
        const struct map_observe *o = &c->map->observes[i];
        if (c->see.seen[i] == 0 && (o->source == FROM_LOG || o->source == FROM_FILE)) {
            *ret_name = o->name;
            *ret_begin = o->at_begin;
            *ret_end = o->at_end;
            return true;
        }
    }
    return false;
}

const char *conform_no_snapshot(const struct conform *c)
{
    return c->run.no_snapshot;
}

uint64_t conform_spec_ns(const struct conform *c)
{
    return c->spec.ns;
}

const uint64_t *conform_seen(const struct conform *c)
{
    return c->see.seen;
}

/* ---- walks ---- */

void walk_result_done(struct walk_result *r)
{
    for (size_t i = 0; i < r->steps.n; i++) {
        strbuf_done(&r->steps.v[i].label);
        strbuf_done(&r->steps.v[i].events);
    }
    VEC_DONE(&r->steps);
    strbuf_done(&r->finding.what);
    strbuf_done(&r->finding.log);
    strbuf_done(&r->property);
    VEC_DONE(&r->reads);
    record_done(&r->record);
}

static void step_begins(struct conform *c, struct walk_result *r, const struct spec_step *step,
                        bool initial)
{
    struct conform_step s = {.action = step->action,
                             .state = hash_bytes(step->bytes.p, step->bytes.n, 0)};
    strbuf_addstr(&s.label, strbuf_str(&step->label));
    VEC_PUSH(&r->steps, s);
    struct finding *f = &r->finding;
    f->step = r->steps.n - 1;
    f->action =
        initial ? STR("Initial predicate") : str_of(c->spec.model->actions[step->action].name);
    c->events = &VEC_LAST(&r->steps).events;
    for (uint32_t i = 0; !initial && i < c->cluster->n_nodes; i++) {
        c->run.output[i].step = c->run.output[i].text.n;
    }
}

/* Does a step and compares. `from` is NULL for the initial state. */
int conform_one_step(struct conform *c, struct walk_result *r, const struct strbuf *from,
                     const struct spec_step *step)
{
    const struct model_ops *ops = c->spec.model->ops;
    size_t level = r->steps.n + 1;
    step_begins(c, r, step, from == NULL);
    if (ops->load(c->spec.after, step->bytes.p, step->bytes.n, level) != MODEL_OK ||
        (from != NULL && ops->load(c->spec.before, from->p, from->n, level - 1) != MODEL_OK)) {
        return evaluation_error(c, c->spec.after, 0, 0);
    }
    int status = from != NULL ? step_do(c, step) : 0;
    return status != 0 ? status : compare_state(c);
}

int conform_start(struct conform *c, struct walk_result *r, struct err *err)
{
    *r = (struct walk_result){0};
    c->err = err;
    c->finding = &r->finding;
    c->events = NULL;
    for (size_t i = 0; c->see.past != NULL && i <= c->who.n_nodes; i++) {
        strbuf_reset(&c->see.past[i]);
    }
    r->finding.action = STR("start");
    return session_reset(c);
}

/* Copies what was chosen, for a replay file. */
void conform_stop(struct conform *c, struct walk_result *r, bool keep)
{
    r->record = (struct record){.seed = c->cluster->seed,
                                .digest = c->cluster->digest,
                                .cluster = c->cluster->path,
                                .local_clocks = true};
    for (size_t i = 0; (keep || r->finding.kind != FINDING_NONE) && i < c->run.choices.n; i++) {
        VEC_PUSH(&r->record.choices, c->run.choices.v[i]);
    }
    r->hash = c->run.world != NULL ? world_hash(c->run.world) : 0;
    c->finding = NULL;
    c->events = NULL;
}

static void swap(struct spec_step *a, struct spec_step *b)
{
    struct spec_step t = *a;
    *a = *b;
    *b = t;
}

int conform_walk(struct conform *c, uint64_t seed, struct walk_result *r, struct err *err)
{
    struct rng rng;
    struct spec_step now = {0}, next = {0};
    rng_seed(&rng, seed);
    int status = conform_start(c, r, err);
    if (status == 0) {
        status = walk_init(c, &rng, &now);
        status = status == 1 ? conform_one_step(c, r, NULL, &now) : status;
    }
    while (status == 0 && r->steps.n <= c->o.depth) {
        int more = walk_next(c, &now.bytes, r->steps.n, &rng, &next);
        if (more <= 0) {
            status = more;
            break;
        }
        status = conform_one_step(c, r, &now.bytes, &next);
        swap(&now, &next);
    }
    conform_stop(c, r, false);
    spec_step_done(&now);
    spec_step_done(&next);
    return status < 0 ? status : 0;
}

int conform_guided(struct conform *c, uint64_t seed, uint64_t walk, bool run, struct walk_result *r,
                   struct err *err)
{
    const struct walk_plan *plan = NULL;
    *r = (struct walk_result){0};
    c->err = err;
    int status = guide_plan(c, seed, walk, &plan);
    if (status != 0 || !run) {
        return status;
    }
    status = conform_start(c, r, err);
    for (size_t i = 0; status == 0 && i < plan->n; i++) {
        const struct spec_step *step = &plan->steps.v[i];
        if (i > 0) {
            status = walk_count(c, &plan->steps.v[i - 1].bytes, i, step);
        }
        status = status != 0
                     ? status
                     : conform_one_step(c, r, i == 0 ? NULL : &plan->steps.v[i - 1].bytes, step);
    }
    conform_stop(c, r, false);
    return status < 0 ? status : 0;
}

/* ---- a given behaviour ---- */

static bool names(const char *const *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* The trace is about this specification: it has a value for each variable, and no others, but for
 * those of ALIAS. */
static int check_trace(struct conform *c, const struct trace *trace, struct err *err)
{
    struct mvalues alias = {0};
    if (trace->nstate == 0) {
        return err_set(err, ERR_INVALID, 0, "the trace is empty: there is nothing to do");
    }
    for (uint32_t i = 0; i < c->spec.model->nvar; i++) {
        if (!names(trace->vars, trace->nvar, c->spec.model->vars[i])) {
            return err_set(err, ERR_INVALID, 0,
                           "the trace says nothing about %s, a variable of %s: it is a trace of "
                           "another specification",
                           c->spec.model->vars[i], c->spec.model->name);
        }
    }
    if (c->spec.model->ops->values(c->spec.after, true, &alias) != MODEL_OK) {
        alias.n = 0; /* it needs more than a state */
    }
    for (uint32_t i = 0; i < trace->nvar; i++) {
        if (!names(c->spec.model->vars, c->spec.model->nvar, trace->vars[i]) &&
            !names(alias.names, alias.n, trace->vars[i])) {
            return err_set(err, ERR_INVALID, 0,
                           "the trace has a variable %s, and %s has none: it is a trace of another "
                           "specification",
                           trace->vars[i], c->spec.model->name);
        }
    }
    return 0;
}

/* One property that is false in the specification is enough, when it is false of what was observed,
 * too; else it matters whether one could not be judged. */
static int judge_all(struct conform *c, const struct violations *violated, struct walk_result *r)
{
    int status = 0;
    uint32_t undecided = UINT32_MAX;
    for (size_t i = 0; status == 0 && r->judged != JUDGED_FALSE && i < violated->props.n; i++) {
        status = judge(c, violated->props.v[i], r);
        if (r->judged == JUDGED_NOT && undecided == UINT32_MAX) {
            undecided = violated->props.v[i];
        }
    }
    if (status == 0 && r->judged != JUDGED_FALSE && undecided != UINT32_MAX) {
        status = judge(c, undecided, r);
    }
    return status;
}

static int follow_trace(struct conform *c, const struct trace *trace, struct walk_result *r,
                        struct violations *violated)
{
    struct spec_step now = {0}, next = {0};
    int status = 0;
    for (size_t i = 0; status == 0 && i < trace->nstate; i++) {
        status = walk_follow(c, &now.bytes, trace, i, &next, violated);
        if (status == 0) {
            status =
                err_set(c->err, ERR_INVALID, 0,
                        i == 0 ? "the specification has no such initial state: was the trace made "
                                 "with this configuration (--config)?"
                               : "the specification has no step from state %zu of the trace to "
                                 "state %zu: was the trace made with this configuration "
                                 "(--config)?",
                        i, i + 1);
        } else if (status > 0) {
            status = conform_one_step(c, r, i == 0 ? NULL : &now.bytes, &next);
            swap(&now, &next);
        }
    }
    spec_step_done(&now);
    spec_step_done(&next);
    return status;
}

int conform_trace(struct conform *c, const struct trace *trace, struct walk_result *r,
                  struct err *err)
{
    struct violations violated = {0};
    *r = (struct walk_result){0};
    c->err = err;
    int status = check_trace(c, trace, err);
    if (status != 0) {
        return status;
    }
    c->see.keep_state = true;
    status = conform_start(c, r, err);
    status = status != 0 ? status : follow_trace(c, trace, r, &violated);
    status = status != 0 ? status : judge_all(c, &violated, r);
    c->see.keep_state = false;
    conform_stop(c, r, true);
    VEC_DONE(&violated.props);
    return status < 0 ? status : 0;
}
