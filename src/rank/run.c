/* Walking through all points of a sweep: each point is a model of its own, loaded and walked by one
 * thread; threads take the next point that is left. A point's result does not depend on who walks
 * it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/near.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "check/check.h"
#include "job/job.h"
#include "job/load.h"
#include "job/tell.h"
#include "model/model.h"
#include "rank/rank.h"
#include "rank/sweep.h"
#include "sem/sem.h"
#include "trace/trace.h"
#include "value/value.h"

struct walk {
    struct rank_cmd *cmd;
    struct rank_point *point;
    struct job job;
};

/* ---- loading ---- */

static int assign_all(struct walk *walk, const struct rank_sweep *sweep, uint64_t index)
{
    size_t *at = ARENA_ARRAY(&walk->point->arena, size_t, sweep->n + 1);
    int rc = SPEC_OK;
    rank_sweep_at(sweep, index, at);
    for (size_t i = 0; rc == SPEC_OK && i < sweep->n; i++) {
        const struct rank_axis *axis = &sweep->axes[i];
        rc = job_spec_config_assign(&walk->job.spec, axis->name, axis->values[at[i]]);
    }
    return rc;
}

static void where(const struct rank_axis *axis, struct strbuf *out)
{
    strbuf_adds(out, "assay rank: ");
    if (axis->file) {
        strbuf_printf(out, "%s:%u: ", axis->file, axis->line);
    }
}

/* A constant, or a definition without parameters that a configuration may replace. */
static bool check_names(struct walk *walk, const struct rank_sweep *sweep)
{
    const struct program *program = &walk->job.spec.program;
    for (size_t i = 0; i < sweep->n; i++) {
        const struct rank_axis *axis = &sweep->axes[i];
        const struct def *def = program_lookup(program, axis->name);
        if (def && (def->kind == DEF_CONST || def->kind == DEF_OP) && def->arity == 0 &&
            def->level == LEVEL_CONSTANT) {
            continue;
        }
        uint32_t n = program->root->nconst;
        struct near near = near_to(axis->name);
        for (uint32_t k = 0; k < n; k++) {
            near_try(&near, program->root->consts[k]->name);
        }
        where(axis, &walk->point->trouble);
        strbuf_printf(&walk->point->trouble, "the specification has no constant '%.*s'",
                      STR_ARG(axis->name));
        near_add(&near, &walk->point->trouble, "; did you mean '", "'?");
        strbuf_addc(&walk->point->trouble, '\n');
        return false;
    }
    return true;
}

static int load_failed(struct walk *walk, int rc, const struct err *err, int status)
{
    struct strbuf *out = &walk->point->trouble;
    if (rc == SPEC_ERR) {
        strbuf_printf(out, "assay rank: %s\n", err->text);
    } else {
        bool alone = walk->point == walk->cmd->points; /* the others share the report */
        job_say_diags(alone ? walk->cmd->teller.report : NULL, &walk->job.spec,
                      color_wanted(walk->cmd->color, fileno(walk->cmd->teller.err)), out);
    }
    return rc == SPEC_ERR ? EXIT_OTHER : status;
}

static int load(struct walk *walk)
{
    struct rank_cmd *cmd = walk->cmd;
    struct spec *spec = &walk->job.spec;
    struct err err = {0};
    int rc = job_spec_exists(spec, &err);
    if (rc != SPEC_OK) {
        return load_failed(walk, rc, &err, EXIT_PARSE);
    }
    rc = job_spec_config(spec, &err);
    rc = rc != SPEC_OK ? rc : assign_all(walk, &cmd->instance, walk->point->instance);
    rc = rc != SPEC_OK ? rc : assign_all(walk, &cmd->budget, walk->point->budget);
    if (rc != SPEC_OK) {
        return load_failed(walk, rc, &err, EXIT_CONFIG);
    }
    rc = job_spec_program(spec, &err);
    if (rc != SPEC_OK) {
        return load_failed(walk, rc, &err, EXIT_PARSE);
    }
    if (!check_names(walk, &cmd->instance) || !check_names(walk, &cmd->budget)) {
        return EXIT_CONFIG;
    }
    rc = job_spec_model(spec, &walk->job.host);
    if (rc == SPEC_ERR) {
        job_tell_issue(spec, &spec->issue, color_wanted(cmd->color, fileno(cmd->teller.err)),
                       &walk->point->trouble);
        return spec->issue.exit_status ? spec->issue.exit_status : EXIT_OTHER;
    }
    return rc == SPEC_OK ? EXIT_OK : load_failed(walk, rc, &err, EXIT_PARSE);
}

/* ---- walking ---- */

/* --walks-out: a line of JSON for every state. */
static int write_step(void *arg, const struct rank_step *step)
{
    struct walk *walk = arg;
    struct strbuf *out = &walk->point->walks;
    struct mvalues values = {0};
    SCOPED_STRBUF text = {0};
    if (step->worker->model->ops->values(step->worker, false, &values) != MODEL_OK) {
        return 1;
    }
    strbuf_printf(out, "{\"point\":%zu,\"walk\":%llu,\"step\":%llu,\"label\":",
                  (size_t)(walk->point - walk->cmd->points) + 1, (unsigned long long)step->walk,
                  (unsigned long long)step->step);
    json_write_string(str_of(step->label), out);
    strbuf_adds(out, ",\"state\":{");
    for (uint32_t i = 0; i < values.n; i++) {
        strbuf_adds(out, i ? "," : "");
        json_write_string(str_of(values.names[i]), out);
        strbuf_addc(out, ':');
        strbuf_reset(&text);
        val_print(values.ctx, values.vals[i], &text);
        json_write_string(strbuf_str(&text), out);
    }
    strbuf_adds(out, "}}\n");
    return 0;
}

static int walk_body(void *arg)
{
    struct walk *walk = arg;
    struct rank_cmd *cmd = walk->cmd;
    struct rank_point *point = walk->point;
    int status = load(walk);
    if (status != EXIT_OK) {
        return status;
    }
    struct rank_options options = cmd->walk;
    struct err err = {0};
    options.interrupt = &cmd->teller.flags->interrupt;
    options.on_step = cmd->walks_out ? write_step : NULL;
    options.arg = walk;
    if (rank_walk(walk->job.spec.model, &options, &point->arena, &point->data, &err) != 0) {
        strbuf_printf(&point->trouble, "assay rank: %s\n", err.text);
        return EXIT_SPEC_EVAL;
    }
    return EXIT_OK;
}

static void do_point(struct rank_cmd *cmd, struct rank_point *point)
{
    struct spec_options spec = {
        .path = cmd->spec,
        .config = cmd->configs.v[point->config],
        .dirs = cmd->dirs,
        .ndir = cmd->ndir,
        .eval = {.stack_bytes = CHECK_STACK_BYTES,
                 .no_deadlock = true,
                 .no_symmetry = true,
                 .coverage = true,
                 .branches = true,
                 .seed = cmd->walk.seed},
    };
    struct check_options check = {.mode = CHECK_SIMULATE,
                                  .workers = 1,
                                  .depth_max = cmd->walk.steps_max,
                                  .simulate_num = cmd->walk.walks};
    struct walk walk = {.cmd = cmd, .point = point};
    arena_init(&point->arena, 0);
    job_init_here(&walk.job, &spec, &check, &cmd->teller);
    point->status = job_on_big_stack(&cmd->teller, walk_body, &walk);
    job_done(&walk.job);
    point->done = point->status == EXIT_OK && !cmd->teller.flags->interrupt;
    if (point->status != EXIT_OK) {
        atomic_store(&cmd->abort, true);
    }
}

static void progress(struct rank_cmd *cmd)
{
    size_t done = atomic_fetch_add(&cmd->finished, 1) + 1;
    if (!cmd->quiet && isatty(fileno(cmd->teller.err))) {
        (void)fprintf(cmd->teller.err, "\r%zu of %zu", done, cmd->npoint);
        (void)fprintf(cmd->teller.err, "%s", done == cmd->npoint ? "\r                    \r" : "");
    }
}

static void *worker_main(void *arg)
{
    struct rank_cmd *cmd = arg;
    for (;;) {
        size_t i = atomic_fetch_add(&cmd->next, 1);
        if (i >= cmd->npoint || atomic_load(&cmd->abort) || cmd->teller.flags->interrupt) {
            return NULL;
        }
        do_point(cmd, &cmd->points[i]);
        progress(cmd);
    }
}

/* The first point alone: what is wrong with the specification is wrong with all of them. */
int rank_run(struct rank_cmd *cmd)
{
    atomic_store(&cmd->next, 1);
    do_point(cmd, &cmd->points[0]);
    progress(cmd);
    pthread_t *threads = ARENA_ARRAY(&cmd->arena, pthread_t, cmd->workers + 1);
    unsigned started = 0;
    for (; started + 1 < cmd->workers && started + 1 < cmd->npoint; started++) {
        if (atomic_load(&cmd->abort) ||
            pthread_create(&threads[started], NULL, worker_main, cmd) != 0) {
            break; /* the others do its work */
        }
    }
    (void)worker_main(cmd);
    for (unsigned i = 0; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    for (size_t i = 0; i < cmd->npoint && !cmd->teller.flags->interrupt; i++) {
        if (cmd->points[i].status != EXIT_OK) {
            (void)put_text(cmd->teller.err, strbuf_str(&cmd->points[i].trouble));
            return cmd->points[i].status;
        }
    }
    return cmd->teller.flags->interrupt ? EXIT_INTERRUPTED : EXIT_OK;
}
