/* Specifications: opening, states and their steps, values of expressions. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "api/api_int.h"
#include "api/assay.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/vec.h"
#include "check/check.h"
#include "eval/eval.h"
#include "job/job.h"
#include "job/load.h"
#include "job/tell.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "trace/trace.h"
#include "value/value.h"

/* ---- jobs ---- */

struct api_job *api_job_new(const struct assay_spec *spec, const struct check_options *check,
                            struct stop_flags *flags)
{
    struct api_job *job = vec_grow(NULL, &(size_t){0}, 1, sizeof *job);
    memset(job, 0, sizeof *job);
    arena_init(&job->arena, 0);
    atomic_init(&job->users, 1);
    struct job_setup setup;
    job_setup_env(&setup, &job->arena);
    job_init(&job->job, &spec->options, check, &setup, flags);
    return job;
}

void api_job_release(struct api_job *job)
{
    if (job != NULL && atomic_fetch_sub(&job->users, 1) == 1) {
        job_done(&job->job);
        arena_done(&job->arena);
        vec_release(job);
    }
}

int api_job_load(struct api_job *job, char **error)
{
    struct err err = {0};
    SCOPED_STRBUF text = {0};
    const struct spec *spec = &job->job.spec;
    enum job_loaded loaded = job_read(&job->job, &err);
    loaded = loaded == JOB_LOADED ? job_make(&job->job) : loaded;
    switch (loaded) {
    case JOB_LOADED: return 0;
    case JOB_NO_SPEC:
    case JOB_NO_CONFIG:
    case JOB_UNREADABLE: strbuf_adds(&text, err.text); break;
    case JOB_BAD_CONFIG:
    case JOB_BAD_SPEC: job_tell_diags(spec, false, &text); break;
    case JOB_NO_MODEL: job_tell_issue(spec, &spec->issue, false, &text); break;
    }
    return api_fail_text(error, strbuf_str(&text));
}

/* ---- opening ---- */

static size_t copy_list(struct arena *arena, const char *const *from, const char ***ret)
{
    size_t n = 0;
    while (from != NULL && from[n] != NULL) {
        n++;
    }
    const char **list = ARENA_ARRAY(arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        list[i] = arena_strndup(arena, from[i], strlen(from[i]));
    }
    *ret = list;
    return n;
}

static void take_options(struct assay_spec *spec, const char *path, const struct assay_options *o)
{
    struct arena *arena = &spec->arena;
    const char **paths, **constants, **invariants;
    struct spec_options *to = &spec->options;
    *to = (struct spec_options){
        .path = arena_strndup(arena, path, strlen(path)),
        .config = o->config != NULL ? arena_strndup(arena, o->config, strlen(o->config)) : NULL,
        .trace_module = true,
        .eval = {.stack_bytes = CHECK_STACK_BYTES,
                 .no_deadlock = o->no_deadlock != 0,
                 .no_exec = o->no_exec != 0,
                 .action_composition = true,
                 .seed = 1},
    };
    to->ndir = copy_list(arena, o->paths, &paths);
    to->dirs = paths;
    to->nconstant = copy_list(arena, o->constants, &constants);
    to->constants = constants;
    to->ninvariant = copy_list(arena, o->invariants, &invariants);
    to->invariants = invariants;
}

static int make_workers(struct assay_spec *spec, char **error)
{
    struct model *model = spec->job->job.spec.model;
    struct err err = {0};
    model->host = &spec->job->job.host;
    if (model->ops->worker_new(model, 0, 1, &spec->worker, &err) != 0 ||
        model->ops->worker_new(model, 1, 1, &spec->probe, &err) != 0) {
        return api_fail(error, "%s", err.text);
    }
    return 0;
}

static void free_workers(struct assay_spec *spec)
{
    if (spec->worker != NULL) {
        spec->worker->model->ops->worker_free(spec->worker);
    }
    if (spec->probe != NULL) {
        spec->probe->model->ops->worker_free(spec->probe);
    }
    spec->worker = spec->probe = NULL;
}

struct opening {
    struct assay_spec *spec;
    char **error;
    int status;
};

static void open_there(void *arg)
{
    struct opening *o = arg;
    struct check_options check = {.mode = CHECK_BFS, .workers = 1};
    o->spec->job = api_job_new(o->spec, &check, &o->spec->flags);
    o->status = api_job_load(o->spec->job, o->error);
    o->status = o->status == 0 ? make_workers(o->spec, o->error) : o->status;
}

static void close_there(void *arg)
{
    struct assay_spec *spec = arg;
    free_workers(spec);
    api_job_release(spec->job);
}

assay_spec *assay_spec_open(const char *path, const struct assay_options *options, char **error)
{
    struct assay_options o;
    api_clear(error);
    api_take(&o, sizeof o, options);
    if (path == NULL || path[0] == '\0') {
        (void)api_fail(error, "the path of a specification was expected");
        return NULL;
    }
    struct assay_spec *spec = vec_grow(NULL, &(size_t){0}, 1, sizeof *spec);
    memset(spec, 0, sizeof *spec);
    arena_init(&spec->arena, 0);
    take_options(spec, path, &o);
    struct opening opening = {spec, error, -1};
    if (api_desk_open(&spec->desk, error) == 0) {
        api_desk_do(&spec->desk, open_there, &opening);
    }
    if (opening.status != 0) {
        assay_spec_close(spec);
        return NULL;
    }
    return spec;
}

void assay_spec_close(assay_spec *spec)
{
    if (spec == NULL) {
        return;
    }
    if (spec->desk.open) {
        api_desk_do(&spec->desk, close_there, spec);
        api_desk_close(&spec->desk);
    }
    VEC_DONE(&spec->states);
    u64map_done(&spec->known);
    arena_done(&spec->arena);
    vec_release(spec);
}

/* ---- calls ---- */

struct spec_call {
    struct assay_spec *spec;
    void (*fn)(void *arg);
    void *arg;
};

/* assay_stop ends one call. */
static void call_there(void *arg)
{
    struct spec_call *call = arg;
    call->fn(call->arg);
    __atomic_store_n(&call->spec->flags.stop, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&call->spec->flags.interrupt, 0, __ATOMIC_RELAXED);
}

void api_spec_do(struct assay_spec *spec, void (*fn)(void *arg), void *arg)
{
    struct spec_call call = {spec, fn, arg};
    api_desk_do(&spec->desk, call_there, &call);
}

/* ---- states ---- */

static uint64_t remember(struct assay_spec *spec, struct str bytes, uint64_t level)
{
    uint64_t key = hash_combine(hash_bytes(bytes.p, bytes.n, 17), level), number = 0;
    if (u64map_get(&spec->known, key, &number)) {
        return number;
    }
    struct api_state state = {arena_strndup(&spec->arena, bytes.p, bytes.n), bytes.n, level};
    VEC_PUSH(&spec->states, state);
    u64map_put(&spec->known, key, spec->states.n);
    return spec->states.n;
}

static int worker_failed(const struct mworker *worker, char **error)
{
    return api_fail(error, "%s",
                    worker->error.text != NULL ? worker->error.text : "evaluation failed");
}

/* Makes a state that the caller names the current one. */
static int load_state(struct assay_spec *spec, uint64_t number, char **error)
{
    if (number == 0 || number > spec->states.n) {
        return api_fail(error, "there is no state %llu", (unsigned long long)number);
    }
    const struct api_state *s = &spec->states.v[number - 1];
    if (spec->worker->model->ops->load(spec->worker, s->bytes, s->n, s->level) != MODEL_OK) {
        return worker_failed(spec->worker, error);
    }
    return 0;
}

struct step_list {
    struct assay_spec *spec;
    uint64_t from, level;
    VEC(struct assay_step) v; /* texts in the arena */
    struct arena arena;
    char **error;
    int status;
};

static const char *first_violated(struct mworker *worker, bool initial)
{
    unsigned kinds = initial ? 1U << MPROP_INVARIANT | 1U << MPROP_INIT
                             : 1U << MPROP_INVARIANT | 1U << MPROP_ACTION;
    int prop = -1;
    if (worker->model->ops->check(worker, kinds, 0, &prop) != MODEL_OK || prop < 0) {
        return NULL;
    }
    const struct mprop *p = &worker->model->props[prop];
    return p->config != NULL ? p->config : p->name;
}

static int take_step(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct step_list *list = arg;
    const struct model *model = worker->model;
    SCOPED_STRBUF bytes = {0};
    SCOPED_STRBUF label = {0};
    bool initial = list->from == 0;
    model->ops->save(worker, &bytes);
    model->ops->label(worker, &label);
    struct assay_step step = {
        .size = sizeof step,
        .state = remember(list->spec, strbuf_str(&bytes), list->level),
        .action = initial ? "Initial predicate" : model->actions[cand->action].name,
        .label = initial ? "Initial predicate" : arena_strndup(&list->arena, label.p, label.n),
        .outside = model->has_constraint && model->ops->in_model(worker) != 1,
        .violated = first_violated(worker, initial),
    };
    VEC_PUSH(&list->v, step);
    return 0;
}

static void steps_there(void *arg)
{
    struct step_list *list = arg;
    struct mworker *worker = list->spec->worker;
    const struct model_ops *ops = worker->model->ops;
    int status;
    list->level = 1;
    if (list->from == 0) {
        status = ops->init(worker, take_step, list);
    } else {
        list->status = load_state(list->spec, list->from, list->error);
        if (list->status != 0) {
            return;
        }
        list->level = list->spec->states.v[list->from - 1].level + 1;
        status = ops->next(worker, take_step, list);
    }
    list->status = status == MODEL_ERROR ? worker_failed(worker, list->error) : 0;
}

int64_t assay_steps(assay_spec *spec, uint64_t state,
                    int (*each)(void *arg, const struct assay_step *step), void *arg, char **error)
{
    struct step_list list = {.spec = spec, .from = state, .error = error};
    api_clear(error);
    arena_init(&list.arena, 0);
    api_spec_do(spec, steps_there, &list);
    int64_t n = list.status == 0 ? (int64_t)list.v.n : -1;
    for (size_t i = 0; n >= 0 && each != NULL && i < list.v.n; i++) {
        if (each(arg, &list.v.v[i]) != 0) {
            break;
        }
    }
    VEC_DONE(&list.v);
    arena_done(&list.arena);
    return n;
}

/* ---- values ---- */

struct question {
    struct assay_spec *spec;
    uint64_t state;
    const char *expression; /* NULL: all variables */
    char **error;
    struct strbuf answer;
    int status;
};

static void state_there(void *arg)
{
    struct question *q = arg;
    struct mworker *worker = q->spec->worker;
    struct mvalues values = {0};
    q->status = load_state(q->spec, q->state, q->error);
    if (q->status == 0 && worker->model->ops->values(worker, false, &values) != MODEL_OK) {
        q->status = worker_failed(worker, q->error);
    }
    strbuf_addc(&q->answer, '{');
    for (uint32_t i = 0; q->status == 0 && i < values.n; i++) {
        strbuf_adds(&q->answer, i != 0 ? "," : "");
        json_write_string(str_of(values.names[i]), &q->answer);
        strbuf_addc(&q->answer, ':');
        itf_write_val(values.ctx, values.vals[i], &q->answer);
    }
    strbuf_addc(&q->answer, '}');
}

static struct def *define(struct question *q)
{
    struct spec *spec = &q->spec->job->job.spec;
    diags_init(&spec->diags, &spec->arena);
    struct source *source = sources_add(&spec->sources, "the expression",
                                        str_dup(&spec->arena, str_of(q->expression)), false);
    struct def *def = program_expression(&spec->program, source);
    if (def == NULL || spec->diags.errors > 0) {
        SCOPED_STRBUF text = {0};
        job_tell_diags(spec, false, &text);
        q->status = api_fail_text(q->error, strbuf_str(&text));
        return NULL;
    }
    return def;
}

static int issue_failed(struct question *q)
{
    struct spec *spec = &q->spec->job->job.spec;
    SCOPED_STRBUF text = {0};
    job_tell_issue(spec, &spec->issue, false, &text);
    return api_fail_text(q->error, strbuf_str(&text));
}

static void constant_there(struct question *q, struct def *def)
{
    struct spec *spec = &q->spec->job->job.spec;
    spec->issue = (struct eval_issue){0};
    q->status = 0;
    if (eval_expression(&spec->arena, &spec->program, &spec->config, def, &spec->eval,
                        &q->spec->job->job.host, &q->answer, &spec->issue) != 0) {
        q->status = issue_failed(q);
    }
}

/* The model again, with the expression as an operator: bytes of states mean the same to both. */
static int model_with(struct question *q, struct def *def)
{
    struct spec *spec = &q->spec->job->job.spec;
    struct model *before = spec->model;
    struct def **defs = ARENA_ARRAY(&spec->arena, struct def *, 1);
    defs[0] = def;
    spec->eval.operators = defs;
    spec->eval.noperator = 1;
    free_workers(q->spec);
    spec->issue = (struct eval_issue){0};
    int status = 0;
    if (job_spec_model(spec, &q->spec->job->job.host) != SPEC_OK) {
        status = issue_failed(q);
        spec->model = before;
        spec->eval.noperator = 0;
    } else {
        model_free(before);
    }
    int made = make_workers(q->spec, status == 0 ? q->error : NULL);
    return status == 0 ? made : status;
}

static void write_value(struct vctx *ctx, void *arg)
{
    struct {
        struct val val;
        struct strbuf *out;
    } *w = arg;
    val_print(ctx, w->val, w->out);
}

static void eval_there(void *arg)
{
    struct question *q = arg;
    struct def *def = define(q);
    if (def == NULL) {
        return;
    }
    if (q->state == 0) {
        constant_there(q, def);
        return;
    }
    struct {
        struct val val;
        struct strbuf *out;
    } w = {.out = &q->answer};
    q->status = model_with(q, def);
    q->status = q->status == 0 ? load_state(q->spec, q->state, q->error) : q->status;
    if (q->status == 0 && (model_apply(q->spec->worker, 0, NULL, 0, &w.val) != MODEL_OK ||
                           model_with_values(q->spec->worker, write_value, &w) != MODEL_OK)) {
        q->status = worker_failed(q->spec->worker, q->error);
    }
}

static char *ask(struct question *q, void (*fn)(void *arg))
{
    api_clear(q->error);
    api_spec_do(q->spec, fn, q);
    char *answer = q->status == 0 ? api_text(strbuf_str(&q->answer)) : NULL;
    strbuf_done(&q->answer);
    return answer;
}

char *assay_state(assay_spec *spec, uint64_t state, char **error)
{
    struct question q = {.spec = spec, .state = state, .error = error, .status = -1};
    return ask(&q, state_there);
}

char *assay_eval(assay_spec *spec, uint64_t state, const char *expression, char **error)
{
    struct question q = {
        .spec = spec, .state = state, .expression = expression, .error = error, .status = -1};
    return ask(&q, eval_there);
}
