/* A suite from the state graph of a specification, run on the real programs. */
#include "drive/test.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "drive/bridge.h"
#include "graph/graph.h"
#include "job/job.h"
#include "job/load.h"
#include "model/model.h"
#include "option/option.h"
#include "play/engine.h"
#include "run/cluster.h"
#include "suite/suite.h"
#include "tour/tour.h"

static int failed(const struct test_cmd *cmd, const struct err *err)
{
    (void)fprintf(cmd->o.teller.err, "assay test: %s\n", err->text);
    return err->code == ERR_INVALID || err->code == ERR_CORRUPT ? EXIT_CONFIG : EXIT_OTHER;
}

/* ---- the suite ---- */

/* A suite is for one specification; small changes of it make cases stale, no more. */
static int check_suite(const struct test_cmd *cmd, const char *path)
{
    const struct suite *suite = cmd->suite;
    const struct model *model = cmd->bridge.spec.model;
    if (!str_is(suite->spec, model->name)) {
        (void)fprintf(cmd->o.teller.err,
                      "assay test: %s is a suite for %.*s, and the mapping is for %s\n", path,
                      STR_ARG(suite->spec), model->name);
        return EXIT_CONFIG;
    }
    return EXIT_OK;
}

static int get_suite(struct test_cmd *cmd)
{
    struct err err = {0};
    const char *left = path_join(&cmd->arena, cmd->o.out, "suite.json");
    const char *path = cmd->suite_in != NULL                                    ? cmd->suite_in
                       : cmd->resume && file_exists(left) && cmd->graph == NULL ? left
                                                                                : NULL;
    if (path != NULL) {
        return suite_read(path, &cmd->suite, &err) != 0 ? failed(cmd, &err)
                                                        : check_suite(cmd, path);
    }
    int status = test_graph(cmd);
    if (status == EXIT_OK && cmd->has_bridge && !cmd->list && !cmd->resume &&
        bridge_dir(&cmd->o, &cmd->bridge, &err) != 0) {
        return failed(cmd, &err); /* the costs are measured in it */
    }
    return status != EXIT_OK ? status : test_plan(cmd);
}

static int choose(struct test_cmd *cmd)
{
    struct suite_choice choice = {.shard = cmd->shard_part,
                                  .shards = cmd->shard_parts,
                                  .first = cmd->first.v,
                                  .n_first = cmd->first.n,
                                  .only = SUITE_NONE};
    if (cmd->only != NULL) {
        choice.only = suite_find(cmd->suite, str_of(cmd->only));
        if (choice.only == SUITE_NONE) {
            (void)fprintf(cmd->o.teller.err,
                          "assay test: the suite has no case %s; --list shows them\n", cmd->only);
            return EXIT_USAGE;
        }
    }
    cmd->chosen = suite_choose(cmd->suite, &choice, &cmd->n_chosen);
    cmd->outcomes = ARENA_ARRAY(&cmd->arena, struct test_outcome, cmd->suite->n + 1);
    return EXIT_OK;
}

static int list_plan(struct test_cmd *cmd)
{
    SCOPED_STRBUF out = {0};
    if (cmd->tour != NULL) {
        test_report_plan(cmd, &out);
    }
    for (size_t i = 0; cmd->suite != NULL && !cmd->o.quiet && i < cmd->suite->n; i++) {
        const struct suite_case *c = &cmd->suite->cases[i];
        strbuf_printf(&out, "%6zu %.*s  %.*s\n", i + 1, STR_ARG(c->id), STR_ARG(c->name));
    }
    (void)put_text(cmd->o.teller.out, strbuf_str(&out));
    return EXIT_OK;
}

/* ---- running ---- */

static int verdict(struct test_cmd *cmd)
{
    struct test_counts n = test_count(cmd);
    int code =
        cmd->error != NULL ? (int)json_integer_value(json_object_get(cmd->error, "code")) : 0;
    bool stopped = cmd->stop_first && cmd->groups.n != 0;   /* we have ended the others ourselves */
    if (cmd->full && cmd->o.teller.flags->interrupt == 0) { /* workers were stopped for it */
        (void)fprintf(
            cmd->o.teller.err,
            "assay test: the journal in %s cannot be written: is the disk full? --resume goes on\n",
            cmd->o.out);
        return EXIT_OTHER;
    }
    if (cmd->o.teller.flags->interrupt != 0 || (code == ERR_INTERRUPTED && !stopped)) {
        (void)fputs("assay test: interrupted; --resume goes on\n", cmd->o.teller.err);
        return EXIT_INTERRUPTED;
    }
    if (n.failed != 0 || n.blocked != 0) {
        return EXIT_SAFETY;
    }
    if (cmd->missing.n != 0 || (n.left != 0 && cmd->seconds <= 0)) {
        (void)put_text(cmd->o.teller.err, strbuf_str(&cmd->missing));
        (void)fputs("assay test: not all cases were run\n", cmd->o.teller.err);
        return EXIT_OTHER;
    }
    if (n.stale != 0) {
        (void)fputs("assay test: cases of the suite are no behaviours of the specification: it was "
                    "made for another version or configuration; make it again\n",
                    cmd->o.teller.err);
        return EXIT_CONFIG;
    }
    return EXIT_OK;
}

int test_tell_error(const struct test_cmd *cmd)
{
    int code = (int)json_integer_value(json_object_get(cmd->error, "code"));
    (void)fprintf(cmd->o.teller.err, "assay test: %s\n", test_text(cmd->error, "error"));
    return code == ERR_INVALID ? EXIT_CONFIG : EXIT_OTHER;
}

static void tell_times(const struct test_cmd *cmd)
{
    const struct conform_times *t = &cmd->times;
    (void)fprintf(cmd->o.teller.err,
                  "%.2f s with %u workers: %" PRIu64 " steps of %.2f ms, %" PRIu64
                  " times back of %.2f ms, %" PRIu64 " snapshots of %.2f ms, %" PRIu64 " boots\n",
                  (double)cmd->run_ns * 1e-9, cmd->workers, t->steps,
                  t->steps != 0 ? (double)t->step_ns * 1e-6 / (double)t->steps : 0, t->returns,
                  t->returns != 0 ? (double)t->return_ns * 1e-6 / (double)t->returns : 0, t->marks,
                  t->marks != 0 ? (double)t->mark_ns * 1e-6 / (double)t->marks : 0, t->boots);
}

static int run_suite(struct test_cmd *cmd)
{
    struct err err = {0};
    const char *saved = path_join(&cmd->arena, cmd->o.out, "suite.json");
    int status = 0;
    if (!cmd->resume && !cmd->bridge.lock.held) {
        status = bridge_dir(&cmd->o, &cmd->bridge, &err);
    } else if (cmd->resume) {
        status = dir_lock(&cmd->bridge.lock, cmd->o.out, &err);
    }
    status = status != 0 || cmd->resume ? status : suite_write(cmd->suite, saved, &err);
    status = status != 0 ? status : test_journal_open(cmd, &err);
    status = status != 0 ? status : test_run(cmd, &err);
    test_journal_close(cmd);
    if (status != 0) {
        return failed(cmd, &err);
    }
    int code =
        cmd->error != NULL ? (int)json_integer_value(json_object_get(cmd->error, "code")) : 0;
    if (cmd->error != NULL && code != ERR_INTERRUPTED) {
        return test_tell_error(cmd);
    }
    if (cmd->o.json) {
        test_report_json(cmd);
    } else {
        SCOPED_STRBUF out = {0};
        test_report_text(cmd, &out);
        (void)put_text(cmd->o.teller.out, strbuf_str(&out));
    }
    test_cases(cmd);
    if (!cmd->o.quiet) {
        tell_times(cmd);
    }
    return verdict(cmd);
}

static int test_main(void *arg)
{
    struct test_cmd *cmd = arg;
    struct err err = {0};
    int status = cmd->has_bridge ? bridge_open(&cmd->o, &cmd->bridge) : EXIT_OK;
    status = status != EXIT_OK ? status : get_suite(cmd);
    if (status == EXIT_OK && cmd->suite_out != NULL &&
        suite_write(cmd->suite, cmd->suite_out, &err) != 0) {
        status = failed(cmd, &err);
    }
    if (status == EXIT_OK && (cmd->list || !cmd->has_bridge)) {
        status = list_plan(cmd);
    } else if (status == EXIT_OK) {
        status = choose(cmd);
        status = status != EXIT_OK      ? status
                 : cmd->mutants != NULL ? test_mutants(cmd)
                                        : run_suite(cmd);
    }
    if (cmd->suite != NULL) {
        test_forget(cmd);
    }
    tour_free(cmd->tour);
    graph_free(cmd->graph);
    suite_free(cmd->suite);
    vec_release(cmd->chosen);
    VEC_DONE(&cmd->groups);
    VEC_DONE(&cmd->seen);
    strbuf_done(&cmd->missing);
    test_cover_forget(cmd);
    bridge_close(&cmd->bridge);
    return status;
}

int drive_test(struct test_cmd *cmd)
{
    return job_on_big_stack(&cmd->o.teller, test_main, cmd);
}
