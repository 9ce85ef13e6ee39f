/* A model that follows a trace: every function goes to the model inside; candidates that are not
 * the trace's next state are not "in the model". The level takes part in the fingerprint, so that a
 * behaviour may come to a state twice; behind the end of a lasso it counts as the level the lasso
 * returns to.
 *
 * Values are compared by their JSON text: TLC's JSON does not tell sets from sequences or strings
 * from model values, and neither may the comparison. */
#include "job/replay.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/model.h"
#include "trace/trace.h"
#include "value/value.h"

struct replay {
    struct model model; /* first: what the checker sees */
    struct model *inner;
    struct arena arena;
    struct trace trace;
    const char **texts; /* [nstate * nvar]: the JSON of every value */
};

struct replay_worker {
    struct mworker head; /* first */
    struct mworker *inner;
    struct mworker *probe; /* looks into candidates */
    uint64_t level;        /* of the current state */
    model_sink sink;       /* of the enumeration that runs */
    void *sink_arg;
    bool at_init;
};

static struct replay_worker *outer(struct mworker *worker)
{
    return (struct replay_worker *)worker;
}

static const struct model_ops *inner_ops(const struct mworker *worker)
{
    return ((const struct replay *)worker->model)->inner->ops;
}

/* Results of the inner worker, with its error. */
static int pass(struct mworker *worker, int status)
{
    if (status == MODEL_ERROR) {
        worker->error = outer(worker)->inner->error;
    }
    worker->extra_generated += outer(worker)->inner->extra_generated;
    outer(worker)->inner->extra_generated = 0;
    return status;
}

/* ---- levels ---- */
static uint64_t level_key(const struct replay *replay, uint64_t level)
{
    if (level <= replay->trace.nstate) {
        return level;
    }
    return replay->trace.lasso ? replay->trace.loop + 1 : 0;
}

static uint64_t candidate_level(const struct replay_worker *w)
{
    return w->at_init ? 1 : w->level + 1;
}

/* ---- the constraint ---- */
static bool value_matches(struct vctx *ctx, struct val value, const char *want)
{
    SCOPED_STRBUF text = {0};
    json_write_val(ctx, value, &text);
    return strcmp(strbuf_cstr(&text), want) == 0;
}

static bool state_matches(const struct replay *replay, const struct mvalues *values, size_t index)
{
    const struct trace *trace = &replay->trace;
    for (uint32_t i = 0; i < trace->nvar; i++) {
        for (uint32_t j = 0; j < values->n; j++) {
            if (strcmp(trace->vars[i], values->names[j]) == 0 &&
                !value_matches(values->ctx, values->vals[j],
                               replay->texts[index * trace->nvar + i])) {
                return false;
            }
        }
    }
    return true;
}

/* The candidate, seen through the probe: it is loaded there as a current state. */
static int follows(struct mworker *worker)
{
    struct replay_worker *w = outer(worker);
    const struct replay *replay = (const struct replay *)worker->model;
    const struct model_ops *ops = inner_ops(worker);
    uint64_t level = candidate_level(w);
    if (level > replay->trace.nstate) {
        return 1;
    }
    SCOPED_STRBUF bytes = {0};
    struct mvalues values = {0};
    ops->save(w->inner, &bytes);
    if (ops->load(w->probe, bytes.p, bytes.n, level) != MODEL_OK ||
        ops->values(w->probe, false, &values) != MODEL_OK) {
        return 0;
    }
    return state_matches(replay, &values, level - 1) ? 1 : 0;
}

static int op_in_model(struct mworker *worker)
{
    int inside = pass(worker, inner_ops(worker)->in_model(outer(worker)->inner));
    return inside == 1 ? follows(worker) : inside;
}

/* ---- enumeration ---- */
static int sink(void *arg, struct mworker *inner, const struct candidate *cand)
{
    (void)inner;
    struct replay_worker *w = arg;
    const struct replay *replay = (const struct replay *)w->head.model;
    struct candidate mine = *cand;
    mine.fp = hash_combine(cand->fp, level_key(replay, candidate_level(w)));
    return w->sink(w->sink_arg, &w->head, &mine);
}

static void begin(struct mworker *worker, model_sink to, void *arg, bool init)
{
    struct replay_worker *w = outer(worker);
    w->sink = to;
    w->sink_arg = arg;
    w->at_init = init;
}

static int op_init(struct mworker *worker, model_sink to, void *arg)
{
    begin(worker, to, arg, true);
    return pass(worker, inner_ops(worker)->init(outer(worker)->inner, sink, worker));
}

static int op_next(struct mworker *worker, model_sink to, void *arg)
{
    begin(worker, to, arg, false);
    return pass(worker, inner_ops(worker)->next(outer(worker)->inner, sink, worker));
}

static int op_next_action(struct mworker *worker, uint32_t action, model_sink to, void *arg)
{
    begin(worker, to, arg, false);
    return pass(worker, inner_ops(worker)->next_action(outer(worker)->inner, action, sink, worker));
}

static int op_load(struct mworker *worker, const void *bytes, size_t len, uint64_t level)
{
    outer(worker)->level = level;
    return pass(worker, inner_ops(worker)->load(outer(worker)->inner, bytes, len, level));
}

static int op_fingerprint(struct mworker *worker, uint64_t *ret_fp)
{
    const struct replay *replay = (const struct replay *)worker->model;
    int status = pass(worker, inner_ops(worker)->fingerprint(outer(worker)->inner, ret_fp));
    if (status == MODEL_OK) {
        *ret_fp = hash_combine(*ret_fp, level_key(replay, outer(worker)->level));
    }
    return status;
}

/* ---- everything else goes inside ---- */
static int op_check(struct mworker *worker, unsigned kinds, int from, int *ret_prop)
{
    return pass(worker, inner_ops(worker)->check(outer(worker)->inner, kinds, from, ret_prop));
}

static void op_save(struct mworker *worker, struct strbuf *out)
{
    inner_ops(worker)->save(outer(worker)->inner, out);
}

static void op_label(struct mworker *worker, struct strbuf *out)
{
    inner_ops(worker)->label(outer(worker)->inner, out);
}

static void op_args(struct mworker *worker, struct mvalues *ret)
{
    inner_ops(worker)->args(outer(worker)->inner, ret);
}

static int op_live_state(struct mworker *worker, uint64_t *ret_bits)
{
    return pass(worker, inner_ops(worker)->live_state(outer(worker)->inner, ret_bits));
}

static int op_live_action(struct mworker *worker, uint64_t *ret_bits)
{
    return pass(worker, inner_ops(worker)->live_action(outer(worker)->inner, ret_bits));
}

static int op_live_current(struct mworker *worker, uint64_t *ret_bits)
{
    return pass(worker, inner_ops(worker)->live_current(outer(worker)->inner, ret_bits));
}

static int op_live_stutter(struct mworker *worker, uint64_t *ret_bits)
{
    return pass(worker, inner_ops(worker)->live_stutter(outer(worker)->inner, ret_bits));
}

static int op_print(struct mworker *worker, bool alias, bool diff, struct strbuf *out)
{
    return pass(worker, inner_ops(worker)->print(outer(worker)->inner, alias, diff, out));
}

static int op_peek(struct mworker *worker, const void *bytes, size_t len)
{
    if (inner_ops(worker)->peek == NULL) {
        return MODEL_OK;
    }
    return pass(worker, inner_ops(worker)->peek(outer(worker)->inner, bytes, len));
}

static int op_values(struct mworker *worker, bool alias, struct mvalues *ret)
{
    return pass(worker, inner_ops(worker)->values(outer(worker)->inner, alias, ret));
}

static int op_explain(struct mworker *worker, uint32_t prop, const void *next_bytes,
                      size_t next_len, struct strbuf *out)
{
    return pass(worker,
                inner_ops(worker)->explain(outer(worker)->inner, prop, next_bytes, next_len, out));
}

static void op_worker_free(struct mworker *worker)
{
    if (worker == NULL) {
        return;
    }
    const struct model_ops *ops = inner_ops(worker);
    struct replay_worker *w = outer(worker);
    if (w->probe != NULL) {
        ops->worker_free(w->probe);
    }
    if (w->inner != NULL) {
        ops->worker_free(w->inner);
    }
    vec_release(w);
}

static int op_worker_new(struct model *model, unsigned index, uint64_t seed,
                         struct mworker **ret_worker, struct err *err)
{
    struct replay *replay = (struct replay *)model;
    struct replay_worker *w = vec_grow(NULL, &(size_t){0}, 1, sizeof *w);
    memset(w, 0, sizeof *w);
    w->head.model = model;
    replay->inner->host = model->host;
    int rc = replay->inner->ops->worker_new(replay->inner, index, seed, &w->inner, err);
    if (rc == 0) {
        rc = replay->inner->ops->worker_new(replay->inner, index, seed, &w->probe, err);
    }
    if (rc != 0) {
        op_worker_free(&w->head);
        return rc;
    }
    *ret_worker = &w->head;
    return 0;
}

static const struct model_ops replay_ops = {
    .worker_new = op_worker_new,
    .worker_free = op_worker_free,
    .init = op_init,
    .load = op_load,
    .next = op_next,
    .next_action = op_next_action,
    .in_model = op_in_model,
    .check = op_check,
    .save = op_save,
    .label = op_label,
    .args = op_args,
    .live_state = op_live_state,
    .live_action = op_live_action,
    .live_current = op_live_current,
    .live_stutter = op_live_stutter,
    .fingerprint = op_fingerprint,
    .print = op_print,
    .peek = op_peek,
    .values = op_values,
    .explain = op_explain,
};

/* Postconditions get a worker of ours and want one of theirs. */
static int replay_postcondition(struct mworker *worker, const char **ret_name)
{
    const struct replay *replay = (const struct replay *)worker->model;
    return pass(worker, replay->inner->postcondition(outer(worker)->inner, ret_name));
}

/* ---- making it ---- */
__attribute__((noreturn)) static void no_fail(struct vctx *ctx, int code, const char *text)
{
    (void)ctx;
    assert_failed(__FILE__, __LINE__, "reading a trace", "%d %s", code, text);
}

static void make_texts(struct replay *replay, struct vctx *ctx)
{
    const struct trace *trace = &replay->trace;
    replay->texts = ARENA_ARRAY(&replay->arena, const char *, trace->nstate * trace->nvar + 1);
    for (size_t i = 0; i < trace->nstate; i++) {
        for (uint32_t j = 0; j < trace->nvar; j++) {
            SCOPED_STRBUF text = {0};
            json_write_val(ctx, trace->states[i].vals[j], &text);
            replay->texts[i * trace->nvar + j] =
                arena_strndup(&replay->arena, strbuf_cstr(&text), text.n);
        }
    }
}

int replay_new(struct model *inner, struct strtab *strings, const char *path,
               struct replay **ret_replay, struct err *err)
{
    struct replay *replay = vec_grow(NULL, &(size_t){0}, 1, sizeof *replay);
    memset(replay, 0, sizeof *replay);
    arena_init(&replay->arena, 0);
    struct vctx ctx = {.arena = &replay->arena,
                       .strings = strings,
                       .set_size_max = UINT64_C(1) << 40,
                       .fail = no_fail};
    struct str text;
    int rc = file_read(&replay->arena, path, (size_t)1 << 30, &text, err);
    if (rc == 0) {
        rc = trace_read(&ctx, text, &replay->trace, err);
    }
    if (rc != 0) {
        replay_free(replay);
        return err_wrap(err, "%s", path);
    }
    make_texts(replay, &ctx);
    replay->inner = inner;
    replay->model = *inner;
    replay->model.ops = &replay_ops;
    replay->model.postcondition = inner->postcondition != NULL ? replay_postcondition : NULL;
    replay->model.has_constraint = true;
    *ret_replay = replay;
    return 0;
}

void replay_free(struct replay *replay)
{
    if (replay != NULL) {
        arena_done(&replay->arena);
        vec_release(replay);
    }
}

struct model *replay_model(struct replay *replay)
{
    return &replay->model;
}
