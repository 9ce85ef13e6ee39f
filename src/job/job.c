/* Running the checker for the commands: the host that the model talks to, checkpoints, traces as
 * data. */
#include "job/job.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/lock.h"
#include "base/map.h"
#include "base/status.h"
#include "base/str.h"
#include "check/check.h"
#include "dist/ranks.h"
#include "job/load.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/source.h"
#include "trace/trace.h"
#include "value/value.h"

/* ---- the host ---- */
/* Under print_lock: was this line, the n-th of its kind since the search started, shown before? */
static bool was_shown(struct job *job, const char *text, size_t len)
{
    uint64_t line = hash_bytes(text, len, 17);
    uint64_t shown = 0;
    uint64_t said = 0;
    if (!job->retold) {
        return false;
    }
    (void)u64map_get(&job->shown, line, &shown);
    (void)u64map_get(&job->said, line, &said);
    u64map_put(&job->said, line, ++said);
    if (said <= shown) {
        return true;
    }
    u64map_put(&job->shown, line, said);
    return false;
}

void job_retell(struct job *job)
{
    (void)pthread_mutex_lock(&job->print_lock);
    u64map_done(&job->said);
    job->said = (struct u64map){0};
    job->retold = true;
    (void)pthread_mutex_unlock(&job->print_lock);
}

static void host_print(void *arg, const char *text, size_t len)
{
    struct job *job = arg;
    (void)pthread_mutex_lock(&job->print_lock);
    if (job->print != NULL && !job->replaying && !was_shown(job, text, len)) {
        job->print(job->print_arg, text, len);
    }
    (void)pthread_mutex_unlock(&job->print_lock);
}

static void host_warn(void *arg, int code, const char *text)
{
    struct job *job = arg;
    (void)pthread_mutex_lock(&job->print_lock);
    if (job->warn != NULL && !job->replaying) {
        job->warn(job->print_arg, code, text);
    }
    (void)pthread_mutex_unlock(&job->print_lock);
}

static void host_assuming(void *arg)
{
    struct job *job = arg;
    if (job->assuming != NULL) {
        job->assuming(job->print_arg);
    }
}

static int host_ask(void *arg, const char *question)
{
    struct job *job = arg;
    host_print(job, question, strlen(question));
    (void)pthread_mutex_lock(&job->print_lock);
    int answer = job->ask != NULL ? job->ask(job->print_arg) : -1;
    (void)pthread_mutex_unlock(&job->print_lock);
    return answer;
}

static void host_stop(void *arg)
{
    struct job *job = arg;
    sig_atomic_t running = 0;
    (void)__atomic_compare_exchange_n(&job->flags->stop, &running, JOB_STOPPED, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static int host_trace(void *arg, struct mworker *worker,
                      int (*each)(void *each_arg, const void *bytes, size_t len, uint32_t action),
                      void *each_arg)
{
    struct job *job = arg;
    return check_host_trace(&job->handle, worker, each, each_arg);
}

static const char *mode_name(enum check_mode mode)
{
    static const char *const names[] = {"bfs", "dfs", "dfs", "simulate",
                                        "generate"}; /* ORDER enum check_mode */
    return names[mode];
}

void job_init(struct job *job, const struct spec_options *options,
              const struct check_options *check, const struct job_setup *setup,
              struct stop_flags *flags)
{
    *job = (struct job){.check = *check, .setup = *setup};
    job->flags = flags != NULL ? flags : &job->own_flags;
    job->check.temporary_dir = setup->temporary_dir;
    job_spec_init(&job->spec, options);
    (void)pthread_mutex_init(&job->print_lock, NULL);
    job->host = (struct mhost){
        .arg = job,
        .print = host_print,
        .warn = host_warn,
        .assuming = host_assuming,
        .stop = host_stop,
        .ask = host_ask,
        .trace = host_trace,
        .stats = &job->stats,
        .interrupt = &job->flags->interrupt,
        .mode = mode_name(check->mode),
        .workers = check->workers,
        .depth = (int64_t)check->depth_max,
        .traces_max = (int64_t)check->simulate_num,
    };
    atomic_store_explicit(&job->stats.start_ms, clock_wall_ms(), memory_order_relaxed);
}

void job_done(struct job *job)
{
    check_result_free(job->result);
    tier_done(job);
    dir_unlock(&job->lock);
    job_spec_done(&job->spec);
    u64map_done(&job->shown);
    u64map_done(&job->said);
    (void)pthread_mutex_destroy(&job->print_lock);
}

/* ---- loading ---- */
/* TLC reads the configuration before the spec, and so do we: the order decides how strings are
 * numbered. Without a spec nobody wants to hear about its configuration. */
enum job_loaded job_read(struct job *job, struct err *err)
{
    struct spec *spec = &job->spec;
    struct err no_spec = {0};
    int rc = job_spec_config(spec, err);
    if (job_spec_exists(spec, &no_spec) != SPEC_OK) {
        *err = no_spec;
        return JOB_NO_SPEC;
    }
    if (rc != SPEC_OK) {
        return rc == SPEC_ERR ? JOB_NO_CONFIG : JOB_BAD_CONFIG;
    }
    rc = job_spec_program(spec, err);
    return rc == SPEC_OK ? JOB_LOADED : rc == SPEC_ERR ? JOB_UNREADABLE : JOB_BAD_SPEC;
}

enum job_loaded job_make(struct job *job)
{
    int rc = job_spec_model(&job->spec, &job->host);
    return rc == SPEC_OK ? JOB_LOADED : rc == SPEC_ERR ? JOB_NO_MODEL : JOB_BAD_SPEC;
}

int job_load_status(const struct job *job, enum job_loaded loaded)
{
    switch (loaded) {
    case JOB_LOADED: return EXIT_OK;
    case JOB_BAD_CONFIG: return EXIT_CONFIG;
    case JOB_BAD_SPEC: return EXIT_PARSE;
    case JOB_NO_MODEL:
        return job->spec.issue.exit_status != 0 ? job->spec.issue.exit_status : EXIT_OTHER;
    case JOB_NO_SPEC:
    case JOB_NO_CONFIG:
    case JOB_UNREADABLE: break;
    }
    return EXIT_OTHER;
}

/* ---- the end ---- */
enum job_stop job_stopped_by(const struct job *job)
{
    const struct check_result *r = job->result;
    if (r->verdict == VERDICT_STOPPED) {
        return __atomic_load_n(&job->flags->interrupt, __ATOMIC_RELAXED) > 0 ? JOB_STOP_INTERRUPTED
               : job_stopped_by_spec(job)                                    ? JOB_STOP_SPEC
                                                                             : JOB_STOP_TIME;
    }
    bool limited = job->check.mode == CHECK_DFS || job->check.mode == CHECK_DFID;
    return r->verdict == VERDICT_OK && limited && !r->complete ? JOB_STOP_DEPTH : JOB_STOP_NONE;
}

/* Nothing is wrong in what was seen. That is a success if no more was asked for. */
static int stopped_status(const struct job *job)
{
    switch (job_stopped_by(job)) {
    case JOB_STOP_NONE:
    case JOB_STOP_SPEC: return EXIT_OK;
    case JOB_STOP_INTERRUPTED: return EXIT_INTERRUPTED;
    case JOB_STOP_DEPTH: return EXIT_INCOMPLETE;
    case JOB_STOP_TIME: break;
    }
    bool only_limit = job->check.mode == CHECK_SIMULATE && job->check.simulate_num == 0;
    return only_limit ? EXIT_OK : EXIT_INCOMPLETE;
}

int job_status(const struct job *job)
{
    /* ORDER enum verdict; evaluation errors carry their own status */
    static const int statuses[] = {EXIT_OK,       EXIT_SAFETY,     EXIT_SAFETY,      EXIT_LIVENESS,
                                   EXIT_LIVENESS, EXIT_DEADLOCK,   EXIT_LIVENESS,    EXIT_SPEC_EVAL,
                                   EXIT_OK,       EXIT_ASSUMPTION, EXIT_INTERRUPTED, EXIT_OTHER};
    const struct check_result *result = job->result;
    if (result->verdict == VERDICT_EVAL_ERROR) {
        const struct check_violation *v = &result->violations[0];
        bool invariant = v->phase == 1;
        return invariant                   ? EXIT_SAFETY_EVAL
               : v->error.exit_status != 0 ? v->error.exit_status
                                           : EXIT_SPEC_EVAL;
    }
    if (result->verdict == VERDICT_TEMPORAL && result->violations[0].trace.finite) {
        return EXIT_SAFETY;
    }
    if (job_stopped_by(job) != JOB_STOP_NONE) {
        return stopped_status(job);
    }
    return statuses[result->verdict];
}

const char *job_verdict_name(enum verdict verdict)
{
    /* ORDER enum verdict */
    static const char *const names[] = {
        "ok",       "invariant", "invariant-initial", "property-initial", "action-property",
        "deadlock", "temporal",  "evaluation",        "no-initial-state", "postcondition",
        "stopped",  "failed"};
    return names[verdict];
}

bool job_stopped_by_spec(const struct job *job)
{
    return __atomic_load_n(&job->flags->stop, __ATOMIC_RELAXED) == JOB_STOPPED;
}

/* ---- checkpoints ----
 * The bytes of a state name strings by number, so a checkpoint carries the string table. A resumed
 * run has made the same numbers up to the point where evaluation began; what came later is added
 * here, in order. */
void job_strings_put(const struct job *job, struct strbuf *out)
{
    uint32_t count = strtab_count(job->spec.strings);
    strbuf_add(out, (const char *)&count, sizeof count);
    for (uint32_t i = 0; i < count; i++) {
        struct str text = strtab_text(job->spec.strings, i);
        uint32_t len = (uint32_t)text.n;
        strbuf_add(out, (const char *)&len, sizeof len);
        strbuf_addstr(out, text);
    }
}

static int save_strings(void *arg, const char *path, struct err *err)
{
    struct job *job = arg;
    SCOPED_STRBUF out = {0};
    job_strings_put(job, &out);
    return file_write(path, strbuf_str(&out), err);
}

int job_strings_get(struct job *job, struct str data, size_t *ret_used, struct err *err)
{
    struct strtab *strings = job->spec.strings;
    uint32_t count = 0;
    size_t at = sizeof count;
    if (data.n >= sizeof count) {
        memcpy(&count, data.p, sizeof count);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t len = 0;
        if (data.n - at < sizeof len) {
            return err_set(err, ERR_CORRUPT, 0, "the checkpoint's table of strings is damaged");
        }
        memcpy(&len, data.p + at, sizeof len);
        at += sizeof len;
        if (data.n - at < len) {
            return err_set(err, ERR_CORRUPT, 0, "the checkpoint's table of strings is damaged");
        }
        if (strtab_intern(strings, (struct str){data.p + at, len}) != i) {
            return err_set(err, ERR_CORRUPT, 0,
                           "the checkpoint numbers strings in another way than this run: the spec "
                           "or assay changed");
        }
        at += len;
    }
    *ret_used = at < data.n ? at : data.n;
    return 0;
}

static uint64_t count_strings(void *arg)
{
    struct job *job = arg;
    return strtab_count(job->spec.strings);
}

static int load_strings(void *arg, const char *path, struct err *err)
{
    struct job *job = arg;
    struct str data;
    int rc = file_read(&job->spec.arena, path, SIZE_MAX / 2, &data, err);
    size_t used;
    return rc == 0 ? job_strings_get(job, data, &used, err) : rc;
}

uint64_t job_identity(const struct job *job)
{
    uint64_t hash = hash_bytes(ASSAY_VERSION, strlen(ASSAY_VERSION), 1);
    for (size_t i = 0; i < job->spec.sources.n; i++) {
        struct str text = job->spec.sources.v[i]->text;
        hash = hash_combine(hash, hash_bytes(text.p, text.n, i));
    }
    for (size_t i = 0; i < job->spec.options.ninvariant; i++) {
        const char *text = job->spec.options.invariants[i];
        hash = hash_combine(hash, hash_bytes(text, strlen(text), i));
    }
    return job->reductions != 0 ? hash_combine(hash, job->reductions) : hash;
}

/* Takes the directory, if one was named. What another search left there is not lost by accident. */
static int take_dir(struct job *job, struct err *err)
{
    const char *dir = job->check.dir;
    if (dir == NULL) {
        return 0;
    }
    if (job->check.resume && !file_exists(dir)) {
        return err_set(err, ERR_NOT_FOUND, 0, "there is no directory %s to go on from", dir);
    }
    int rc = dir_lock(&job->lock, dir, err);
    if (rc != 0 || job->check.resume) {
        return rc;
    }
    enum check_left left = check_left_in(dir, job->check.origin);
    if (left != CHECK_LEFT_NOTHING && !job->force) {
        return left == CHECK_LEFT_OURS
                   ? err_set(err, ERR_INVALID, 0,
                             "%s holds a checkpoint of this search: --resume %s goes on from it, "
                             "--force discards it",
                             dir, dir)
                   : err_set(err, ERR_INVALID, 0,
                             "%s holds a checkpoint of another specification, configuration or "
                             "version: choose another directory, or discard it with --force",
                             dir);
    }
    check_left_discard(dir);
    return 0;
}

int job_check(struct job *job, struct err *err)
{
    job->check.interrupt = &job->flags->stop;
    job->check.handle = &job->handle;
    job->check.identity = job_identity(job);
    job->check.origin = job->check.identity;
    job->check.save_extra = save_strings;
    job->check.load_extra = load_strings;
    job->check.extra_arg = job;
    job->check.names = count_strings;
    job->model = job->model != NULL ? job->model : job->spec.model;
    job->spec.model->host = &job->host;
    job->model->host = &job->host;
    bool first = job->ranks == NULL || ranks_me(job->ranks) == 0;
    int rc = first ? take_dir(job, err) : 0; /* one of them has it for all */
    if (job->ranks != NULL) {
        struct err other = {0};
        int met = ranks_meet(job->ranks, rc != 0 ? err->text : NULL, &other);
        if (rc == 0 && met != 0) {
            *err = other;
            rc = met;
        }
    }
    rc = rc == 0 ? tier_check(job, err) : rc;
    job->replaying = true;
    return rc;
}

/* ---- traces ---- */
const char *job_violation_name(const struct job *job, const struct check_violation *violation)
{
    const struct model *model = job->spec.model;
    if (violation->prop < 0) {
        return "";
    }
    if (violation->verdict == VERDICT_TEMPORAL) {
        return model->live != NULL && (uint32_t)violation->prop < model->live->nprop
                   ? model->live->props[violation->prop].name
                   : "";
    }
    return (uint32_t)violation->prop < model->nprop ? model->props[violation->prop].name : "";
}

const char *job_violation_config(const struct job *job, const struct check_violation *violation)
{
    const struct model *model = job->spec.model;
    bool listed = violation->verdict != VERDICT_TEMPORAL && violation->prop >= 0 &&
                  (uint32_t)violation->prop < model->nprop;
    const char *name = listed ? model->props[violation->prop].config : NULL;
    return name != NULL ? name : job_violation_name(job, violation);
}

/* How many of an action's parameters TLC shows: those of the operator that it names. TLC stops at
 * the first bound that is not constant and may name an outer operator, whose parameters we do not
 * keep. */
uint32_t job_tlc_args(const struct spec *spec, const struct maction *action)
{
    if (strcmp(action->name, action->tlc_name) != 0) {
        return 0;
    }
    const struct def *def = program_lookup(&spec->program, str_of(action->name));
    uint32_t shown = def != NULL ? def->arity : action->nparam;
    return shown < action->nparam ? shown : action->nparam;
}

bool job_tlc_has_args(const struct spec *spec, const struct model *model, uint32_t action)
{
    return action < model->naction && job_tlc_args(spec, &model->actions[action]) > 0;
}

void job_tlc_label(const struct spec *spec, const struct model *model, uint32_t action,
                   const struct mvalues *args, struct strbuf *out)
{
    if (action >= model->naction) {
        strbuf_adds(out, "UnnamedAction");
        return;
    }
    const struct maction *maction = &model->actions[action];
    strbuf_adds(out, maction->tlc_name);
    uint32_t shown = args != NULL ? job_tlc_args(spec, maction) : 0;
    for (uint32_t i = 0; i < shown && i < args->n; i++) {
        strbuf_addc(out, i == 0 ? '(' : ',');
        val_print(args->ctx, args->vals[i], out);
    }
    strbuf_adds(out, shown > 0 ? ")" : "");
}

static void step_place(struct trace_state *step, const struct mplace *place)
{
    step->module = place->module;
    step->line = place->line;
    step->column = place->column;
    step->end_line = place->end_line;
    step->end_column = place->end_column;
}

static void step_as_tlc(const struct job *job, struct arena *arena, struct trace_state *step,
                        struct vctx *ctx)
{
    const struct model *model = job->spec.model;
    if (step->number >= model->naction) {
        return;
    }
    const struct maction *action = &model->actions[step->number];
    uint32_t shown = job_tlc_args(&job->spec, action);
    SCOPED_STRBUF label = {0};
    strbuf_adds(&label, action->tlc_name);
    step->action = action->tlc_name;
    step_place(step, &action->tlc_place);
    step->nparam = step->nparam < shown ? step->nparam : shown;
    for (uint32_t i = 0; i < step->nparam; i++) {
        strbuf_addc(&label, i == 0 ? '(' : ',');
        val_print(ctx, step->param_vals[i], &label);
    }
    strbuf_adds(&label, step->nparam > 0 ? ")" : "");
    step->label = arena_strndup(arena, strbuf_cstr(&label), label.n);
}

void job_trace_as_tlc(const struct job *job, struct arena *arena, struct trace *trace,
                      struct vctx *ctx)
{
    for (size_t i = 1; i < trace->nstate; i++) {
        step_as_tlc(job, arena, &trace->states[i], ctx);
    }
    if (trace->stuttering && trace->nstate > 1) {
        trace->back = &trace->states[trace->nstate - 1]; /* TLC names the last action again */
    } else if (trace->back != NULL) {
        struct trace_state *back = ARENA_NEW(arena, struct trace_state);
        *back = *trace->back;
        step_as_tlc(job, arena, back, ctx);
        trace->back = back;
    }
}

struct collect {
    struct arena *arena;
    const struct check_trace *from;
    struct trace *trace;
    struct vctx *ctx;
    const char **vars;
    struct trace_state *back;
};

static void collect_action(struct collect *collect, struct mworker *worker, const char *label,
                           uint32_t action, const struct mvalues *args, struct trace_state *state)
{
    const struct model *model = worker->model;
    state->label = arena_strndup(collect->arena, label, strlen(label));
    state->action = state->label;
    state->number = action;
    if (action < model->naction) {
        const struct maction *maction = &model->actions[action];
        state->action = maction->name;
        step_place(state, &maction->place);
    }
    if (args != NULL && args->n > 0) {
        const char **names = ARENA_ARRAY(collect->arena, const char *, args->n);
        state->param_vals = ARENA_ARRAY(collect->arena, struct val, args->n);
        for (uint32_t i = 0; i < args->n; i++) {
            names[i] = args->names[i];
            state->param_vals[i] = val_freeze(args->ctx, collect->arena, args->vals[i]);
        }
        state->param_names = names;
        state->nparam = args->n;
    }
}

static int collect_step(void *arg, size_t index, struct mworker *worker, const char *label,
                        uint32_t action, const struct mvalues *args)
{
    struct collect *collect = arg;
    struct trace *trace = collect->trace;
    if (index >= collect->from->nstep) { /* the step that closes a lasso */
        collect->back = ARENA_NEW(collect->arena, struct trace_state);
        collect_action(collect, worker, label, action, args, collect->back);
        return 0;
    }
    struct trace_state *state = &trace->states[index];
    collect_action(collect, worker, label, index == 0 ? UINT32_MAX : action, args, state);
    struct mvalues values = {0};
    if (worker->model->ops->values(worker, true, &values) != MODEL_OK &&
        worker->model->ops->values(worker, false, &values) != MODEL_OK) {
        return -1;
    }
    if (collect->vars == NULL) {
        collect->vars = ARENA_ARRAY(collect->arena, const char *, values.n + 1);
        for (uint32_t i = 0; i < values.n; i++) {
            collect->vars[i] =
                arena_strndup(collect->arena, values.names[i], strlen(values.names[i]));
        }
        trace->vars = collect->vars;
        trace->nvar = values.n;
    }
    state->vals = ARENA_ARRAY(collect->arena, struct val, trace->nvar + 1);
    for (uint32_t i = 0; i < trace->nvar; i++) {
        state->vals[i] =
            i < values.n ? val_freeze(values.ctx, collect->arena, values.vals[i]) : VAL_UNDEF;
    }
    trace->nstate = index + 1;
    return 0;
}

struct guard {
    jmp_buf jump;
    struct err *err;
};

__attribute__((noreturn)) static void guard_fail(struct vctx *ctx, int code, const char *text)
{
    (void)code;
    struct guard *guard = ctx->owner;
    ASSERTF(guard != NULL, "%s", text);
    (void)err_set(guard->err, ERR_INVALID, 0, "%s", text);
    longjmp(guard->jump, 1); /* NOLINT(cert-err52-cpp): vctx.fail must not return */
}

bool job_trace_same(struct vctx *ctx, struct val a, struct val b)
{
    struct err err = {0};
    struct guard guard = {.err = &err};
    void *owner = ctx->owner;
    volatile bool same = false;
    ctx->owner = &guard;
    if (setjmp(guard.jump) == 0) { /* NOLINT(cert-err52-cpp): see guard_fail */
        same = val_equal(ctx, a, b);
    }
    ctx->owner = owner;
    return same;
}

int job_trace_get(struct job *job, const struct check_violation *violation, struct arena *arena,
                  struct trace *ret, struct vctx *ret_ctx, struct err *err)
{
    const struct check_trace *from = &violation->trace;
    *ret = (struct trace){
        .spec = job->spec.model->name,
        .property = job_violation_name(job, violation),
        .lasso = from->lasso && !from->stuttering,
        .loop = from->loop,
        .stuttering = from->stuttering,
    };
    *ret_ctx = (struct vctx){.arena = arena,
                             .strings = job->spec.strings,
                             .set_size_max = UINT64_C(1) << 40,
                             .fail = guard_fail};
    ret->states = ARENA_ARRAY(arena, struct trace_state, from->nstep + 1);
    struct collect collect = {.arena = arena, .from = from, .trace = ret, .ctx = ret_ctx};
    int rc = check_trace_walk(job->model, from, collect_step, &collect, err);
    ret->back = collect.back;
    return rc < 0 ? rc : 0;
}

int job_trace_state(struct vctx *ctx, const struct trace *trace, size_t at, struct strbuf *out,
                    struct err *err)
{
    struct guard guard = {.err = err};
    volatile int rc = -1;
    ctx->owner = &guard;
    if (setjmp(guard.jump) == 0) { /* NOLINT(cert-err52-cpp): see guard_fail */
        strbuf_addc(out, '{');
        for (uint32_t i = 0; i < trace->nvar; i++) {
            strbuf_adds(out, i != 0 ? "," : "");
            json_write_string(str_of(trace->vars[i]), out);
            strbuf_addc(out, ':');
            itf_write_val(ctx, trace->states[at].vals[i], out);
        }
        strbuf_addc(out, '}');
        rc = 0;
    }
    ctx->owner = NULL;
    return rc;
}

/* The module's name as TLC makes it: the path without its ".tla". */
static const char *module_name(struct arena *arena, const char *path)
{
    struct str base = path_base(str_of(path));
    if (base.n > 4 && memcmp(base.p + base.n - 4, ".tla", 4) == 0) {
        base.n -= 4;
    }
    return arena_strndup(arena, base.p, base.n);
}

int job_trace_write(struct vctx *ctx, struct trace *trace, const struct trace_file *file,
                    struct err *err)
{
    struct guard guard = {.err = err};
    struct strbuf text = {0};
    struct strbuf *volatile held = &text;
    ctx->owner = &guard;
    trace->module_name = module_name(ctx->arena, file->path);
    int rc;
    if (setjmp(guard.jump) == 0) {
        trace_write(ctx, trace, file->format, &text);
        rc = file_write(file->path, strbuf_str(&text), err);
    } else {
        rc = -1;
    }
    strbuf_done(held);
    ctx->owner = NULL;
    return rc;
}
