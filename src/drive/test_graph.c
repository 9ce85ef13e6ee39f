/* `assay test`: the graph and the plan. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "check/check.h"
#include "drive/bridge.h"
#include "drive/test.h"
#include "graph/graph.h"
#include "job/job.h"
#include "job/load.h"
#include "job/tell.h"
#include "model/model.h"
#include "suite/suite.h"
#include "syntax/source.h"
#include "tour/tour.h"

static int tell(const struct test_cmd *cmd, const struct err *err)
{
    (void)fprintf(cmd->o.teller.err, "assay test: %s\n", err->text);
    return err->code == ERR_INVALID || err->code == ERR_CORRUPT ? EXIT_CONFIG : EXIT_OTHER;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* Of the texts that the graph comes from. */
static uint64_t digest_of(const struct spec *spec, const struct test_cmd *cmd)
{
    uint64_t hash = hash_combine(cmd->depth, cmd->sample_ppm ^ cmd->seed << 32);
    for (size_t i = 0; i < spec->sources.n; i++) {
        const struct source *source = spec->sources.v[i];
        if (!ends_with(source->path, ".toml")) {
            hash = hash_combine(hash, hash_bytes(source->text.p, source->text.n, i));
        }
    }
    return hash;
}

static int refuse_violation(const struct test_cmd *cmd, const struct check_result *r)
{
    if (r->verdict == VERDICT_STOPPED) {
        return cmd->o.teller.flags->interrupt != 0 ? EXIT_INTERRUPTED : EXIT_OK;
    }
    if (r->verdict == VERDICT_OK) {
        return EXIT_OK;
    }
    if (r->verdict == VERDICT_NO_INIT) {
        (void)fputs("assay test: the specification has no initial state\n", cmd->o.teller.err);
        return EXIT_CONFIG;
    }
    const struct check_violation *v = r->nviolation != 0 ? &r->violations[0] : NULL;
    (void)fprintf(cmd->o.teller.err,
                  "assay test: the specification itself is in error: nothing can be tested with "
                  "it; `assay check` says why%s%s\n",
                  v != NULL && v->verdict == VERDICT_EVAL_ERROR ? ": " : "",
                  v != NULL && v->verdict == VERDICT_EVAL_ERROR ? v->error.text : "");
    return v != NULL && v->verdict == VERDICT_EVAL_ERROR ? EXIT_SPEC_EVAL : EXIT_SAFETY;
}

static struct check_options search_options(const struct test_cmd *cmd, const struct model *model,
                                           struct graph_sink *sink)
{
    bool classes = model->has_symmetry || model->has_view;
    return (struct check_options){.mode = CHECK_BFS,
                                  .workers = classes ? 1 : cmd->workers,
                                  .live_when = LIVE_OFF,
                                  .seed = 1,
                                  .interrupt = &cmd->o.teller.flags->stop,
                                  .sink = graph_sink_check(sink)};
}

static int take_graph(struct test_cmd *cmd, struct graph_sink *sink, const struct spec *spec,
                      const struct check_result *result)
{
    struct err err = {0};
    int status = refuse_violation(cmd, result);
    if (status == EXIT_OK && graph_sink_take(sink, result, &cmd->graph, &err) != 0) {
        status = tell(cmd, &err);
    }
    if (status == EXIT_OK) {
        cmd->graph->digest = digest_of(spec, cmd);
    }
    return status;
}

static struct graph_limits limits_of(const struct test_cmd *cmd)
{
    return (struct graph_limits){.depth_max = cmd->depth,
                                 .sample_ppm = (uint32_t)cmd->sample_ppm,
                                 .seed = cmd->seed,
                                 .plain = cmd->plain};
}

/* Of a mapping: its labels depend on what the mapping calls actions. */
static int graph_of_bridge(struct test_cmd *cmd)
{
    struct model *model = cmd->bridge.spec.model;
    struct graph_sink *sink = NULL;
    struct check_result *result = NULL;
    struct err err = {0};
    struct graph_limits limits = limits_of(cmd);
    limits.plain = false;
    graph_sink_new(model, &limits, &sink);
    struct check_options options = search_options(cmd, model, sink);
    model->check_deadlock = false; /* a state without steps is the end of a case */
    int status = check_run(model, &options, &result, &err) != 0
                     ? tell(cmd, &err)
                     : take_graph(cmd, sink, &cmd->bridge.spec, result);
    check_result_free(result);
    graph_sink_free(sink);
    return status;
}

static int load_spec(const struct test_cmd *cmd, struct job *job)
{
    struct spec *spec = &job->spec;
    struct err err = {0};
    SCOPED_STRBUF text = {0};
    bool color = color_wanted(COLOR_AUTO, fileno(cmd->o.teller.err));
    int status = job_spec_exists(spec, &err);
    status = status != SPEC_OK ? status : job_spec_config(spec, &err);
    int failed = status == SPEC_DIAGS ? EXIT_CONFIG : EXIT_PARSE;
    status = status != SPEC_OK ? status : job_spec_program(spec, &err);
    if (status == SPEC_ERR) {
        return tell(cmd, &err);
    }
    if (status == SPEC_OK) {
        status = job_spec_model(spec, &job->host);
        failed = status == SPEC_ERR && spec->issue.exit_status != 0 ? spec->issue.exit_status
                                                                    : EXIT_PARSE;
    }
    if (status == SPEC_OK) {
        return EXIT_OK;
    }
    if (status == SPEC_ERR) {
        job_tell_issue(spec, &spec->issue, color, &text);
    } else {
        job_say_diags(cmd->o.teller.report, spec, color, &text);
    }
    (void)put_text(cmd->o.teller.err, strbuf_str(&text));
    return failed;
}

static int graph_of_spec(struct test_cmd *cmd)
{
    struct job job;
    struct graph_sink *sink = NULL;
    struct err err = {0};
    struct spec_options options = {
        .path = cmd->file,
        .config = cmd->o.config,
        .dirs = cmd->o.dirs,
        .ndir = cmd->o.ndir,
        .trace_module = true,
        .eval = {.stack_bytes = CHECK_STACK_BYTES, .action_composition = true, .seed = 1}
    };
    struct check_options check = {.mode = CHECK_BFS, .workers = cmd->workers};
    job_init_here(&job, &options, &check, &cmd->o.teller);
    int status = load_spec(cmd, &job);
    if (status == EXIT_OK) {
        struct graph_limits limits = limits_of(cmd);
        struct model *model = job.spec.model;
        graph_sink_new(model, &limits, &sink);
        job.check = search_options(cmd, model, sink);
        job.tier = cmd->plain ? TIER_AUTO : TIER_INTERPRETER;
        model->check_deadlock = false;
        status = job_check(&job, &err) != 0 ? tell(cmd, &err)
                                            : take_graph(cmd, sink, &job.spec, job.result);
    }
    graph_sink_free(sink);
    job_done(&job);
    return status;
}

int test_graph(struct test_cmd *cmd)
{
    struct err err = {0};
    uint64_t begin = clock_mono_ns();
    int status = EXIT_OK;
    if (cmd->has_bridge) {
        status = graph_of_bridge(cmd);
    } else if (graph_is_dot(cmd->file)) {
        status = graph_read_dot(cmd->file, &cmd->graph, &err) != 0 ? tell(cmd, &err) : EXIT_OK;
    } else if (ends_with(cmd->file, ".tla")) {
        status = graph_of_spec(cmd);
    } else {
        status = graph_read(cmd->file, &cmd->graph, &err) != 0 ? tell(cmd, &err) : EXIT_OK;
    }
    if (status == EXIT_OK && cmd->graph_out != NULL) {
        status = graph_write(cmd->graph, cmd->graph_out, &err) != 0 ? tell(cmd, &err) : EXIT_OK;
    }
    if (status == EXIT_OK && !cmd->o.quiet) {
        (void)fprintf(cmd->o.teller.err, "the graph: %.2f s\n",
                      (double)(clock_mono_ns() - begin) * 1e-9);
    }
    return status;
}

/* ---- the plan ---- */

static struct tour *make(const struct test_cmd *cmd, enum tour_kind kind, struct err *err)
{
    struct tour_options options = {.kind = kind, .cover = cmd->cover, .reduce = cmd->reduce};
    struct tour *tour = NULL;
    return tour_make(cmd->graph, &options, &tour, err) == 0 ? tour : NULL;
}

/* Seconds of a plan of that kind for what is to be covered now. */
static double plan_seconds(const struct test_cmd *cmd, enum tour_kind kind,
                           const struct tour_costs *costs, struct err *err)
{
    struct tour *tour = make(cmd, kind, err);
    double seconds = tour != NULL ? tour_seconds(tour, costs) : 0;
    tour_free(tour);
    return seconds;
}

/* Where the time is not enough for all steps, a part of that plan would be one corner of the graph,
 * with every step there: a suite that comes to every state is the better one. */
static enum tour_kind fit_time(struct test_cmd *cmd, const struct tour_costs *costs,
                               enum tour_kind kind, double all, struct err *err)
{
    double have = cmd->seconds * cmd->workers;
    if (cmd->seconds <= 0 || cmd->cover != COVER_EDGES || all <= have) {
        return kind;
    }
    cmd->cover = COVER_STATES;
    double with = plan_seconds(cmd, TOUR_LAYER, costs, err);
    double without = plan_seconds(cmd, TOUR_FLOW, costs, err);
    double least = with < without ? with : without;
    (void)fprintf(
        cmd->o.teller.err,
        "all steps would take %.1f s, there are %.1f: a suite of all states, in %.1f s%s\n", all,
        have, least, least > have ? ", is begun and not ended" : "");
    return without < with ? TOUR_FLOW : TOUR_LAYER;
}

/* By what things cost on this cluster. Without one: with snapshots. */
static enum tour_kind cheaper(struct test_cmd *cmd, struct err *err)
{
    struct tour_costs costs;
    struct tour *layer = make(cmd, TOUR_LAYER, err), *flow = NULL;
    struct suite *suite = layer != NULL && cmd->has_bridge ? suite_make(layer) : NULL;
    enum tour_kind kind = TOUR_LAYER;
    if (suite != NULL && test_costs(cmd, suite, &costs)) {
        flow = make(cmd, TOUR_FLOW, err);
        double with = tour_seconds(layer, &costs), without = tour_seconds(flow, &costs);
        kind = without < with ? TOUR_FLOW : TOUR_LAYER;
        if (!cmd->o.quiet) {
            (void)fprintf(cmd->o.teller.err,
                          "on this cluster a step takes %.2f ms, going back %.2f, a snapshot %.2f: "
                          "layer %.1f s, flow %.1f s\n",
                          costs.action * 1e-6, costs.restore * 1e-6, costs.snapshot * 1e-6, with,
                          without);
        }
        kind = fit_time(cmd, &costs, kind, with < without ? with : without, err);
    } else if (suite != NULL) {
        kind = TOUR_FLOW; /* its programs cannot be copied */
    }
    suite_free(suite);
    tour_free(layer);
    tour_free(flow);
    return kind;
}

int test_plan(struct test_cmd *cmd)
{
    struct err err = {0};
    enum tour_kind kind = cmd->plan == TEST_PLAN_EC     ? TOUR_EC
                          : cmd->plan == TEST_PLAN_FLOW ? TOUR_FLOW
                                                        : TOUR_LAYER;
    if (cmd->graph->n_initial != 0 && cmd->plan == TEST_PLAN_AUTO) {
        kind = cheaper(cmd, &err);
    }
    uint64_t begin = clock_mono_ns();
    cmd->tour = make(cmd, kind, &err);
    if (cmd->tour == NULL) {
        return tell(cmd, &err);
    }
    if (!cmd->o.quiet) {
        (void)fprintf(cmd->o.teller.err, "the plan: %.2f s\n",
                      (double)(clock_mono_ns() - begin) * 1e-9);
    }
    if (cmd->has_bridge || cmd->suite_out != NULL) {
        cmd->suite = suite_make(cmd->tour);
    }
    return EXIT_OK;
}
