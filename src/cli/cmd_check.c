/* `assay check`: model checking for people and programs. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "cli/check_cmd.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/reports.h"
#include "eval/eval.h"
#include "job/job.h"
#include "job/load.h"
#include "trace/trace.h"
#include "value/value.h"

/* ---- the run ---- */
enum check_stop check_stopped_by(const struct check_cmd *cmd)
{
    const struct check_result *r = cmd->job.result;
    if (r->verdict == VERDICT_STOPPED) {
        return *signals_flag() > 0              ? CHECK_STOP_INTERRUPTED
               : job_stopped_by_spec(&cmd->job) ? CHECK_STOP_SPEC
                                                : CHECK_STOP_TIME;
    }
    bool limited = cmd->mode == CHECK_DFS || cmd->mode == CHECK_DFID;
    return r->verdict == VERDICT_OK && limited && !r->complete ? CHECK_STOP_DEPTH : CHECK_STOP_NONE;
}

/* Nothing is wrong in what was seen. That is a success if no more was asked for. */
static int stopped_status(const struct check_cmd *cmd)
{
    switch (check_stopped_by(cmd)) {
    case CHECK_STOP_NONE:
    case CHECK_STOP_SPEC: return EXIT_OK;
    case CHECK_STOP_INTERRUPTED: return EXIT_INTERRUPTED;
    case CHECK_STOP_DEPTH: return EXIT_INCOMPLETE;
    case CHECK_STOP_TIME: break;
    }
    bool only_limit = cmd->mode == CHECK_SIMULATE && cmd->simulate_num == 0;
    return only_limit ? EXIT_OK : EXIT_INCOMPLETE;
}

int check_status(const struct check_cmd *cmd)
{
    /* ORDER enum verdict; evaluation errors carry their own status */
    static const int statuses[] = {EXIT_OK,       EXIT_SAFETY,     EXIT_SAFETY,      EXIT_LIVENESS,
                                   EXIT_LIVENESS, EXIT_DEADLOCK,   EXIT_LIVENESS,    EXIT_SPEC_EVAL,
                                   EXIT_OK,       EXIT_ASSUMPTION, EXIT_INTERRUPTED, EXIT_OTHER};
    const struct check_result *result = cmd->job.result;
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
    if (check_stopped_by(cmd) != CHECK_STOP_NONE) {
        return stopped_status(cmd);
    }
    return statuses[result->verdict];
}

static void user_print(void *arg, const char *text, size_t len)
{
    struct check_cmd *cmd = arg;
    bool ended = len > 0 && text[len - 1] == '\n';
    if (cmd->json) {
        strbuf_add(&cmd->user, text, len);
        strbuf_adds(&cmd->user, ended ? "" : "\n");
        return;
    }
    check_progress_clear(cmd);
    (void)put_text(stdout, (struct str){text, len});
    (void)put_text(stdout, ended ? STR("") : STR("\n"));
    (void)fflush(stdout);
}

static void user_warn(void *arg, int code, const char *text)
{
    struct check_cmd *cmd = arg;
    if (cmd->json) {
        check_json_warning(&cmd->warned, code, text);
    } else if (!cmd->quiet) {
        check_progress_clear(cmd);
        (void)fprintf(stderr, "warning: %s\n", text);
    }
}

/* A failure before there was anything to check. */
static int start_failed(struct check_cmd *cmd, int status, struct str text)
{
    check_progress_clear(cmd);
    if (cmd->json) {
        SCOPED_STRBUF plain = {0};
        strbuf_addstr(&plain, text);
        check_json(cmd, status, strbuf_cstr(&plain));
    } else {
        (void)put_text(stderr, text);
    }
    return status;
}

static int load(struct check_cmd *cmd)
{
    struct spec *spec = &cmd->job.spec;
    struct err err = {0};
    bool color = !cmd->json && color_wanted(cmd->color, STDERR_FILENO);
    SCOPED_STRBUF text = {0};
    int rc = jobs_program(spec, &err);
    if (rc == SPEC_ERR) {
        strbuf_printf(&text, "assay check: %s\n", err.text);
        return start_failed(cmd, EXIT_OTHER, strbuf_str(&text));
    }
    report_diags(spec, color, &text);
    if (rc == SPEC_DIAGS) {
        return start_failed(cmd, EXIT_PARSE, strbuf_str(&text));
    }
    if (!cmd->json && !cmd->quiet) {
        (void)put_text(stderr, strbuf_str(&text));
    }
    strbuf_reset(&text);
    rc = job_spec_model(spec, &cmd->job.host);
    if (rc == SPEC_DIAGS) {
        report_diags(spec, color, &text);
        return start_failed(cmd, EXIT_PARSE, strbuf_str(&text));
    }
    if (rc == SPEC_ERR) {
        report_issue(spec, &spec->issue, color, &text);
        return start_failed(cmd,
                            spec->issue.exit_status != 0 ? spec->issue.exit_status : EXIT_OTHER,
                            strbuf_str(&text));
    }
    return EXIT_OK;
}

/* TLC reads the configuration before the spec, and so do we: the order decides how strings are
 * numbered. */
static int load_config(struct check_cmd *cmd)
{
    struct spec *spec = &cmd->job.spec;
    struct err err = {0};
    struct err no_spec = {0};
    SCOPED_STRBUF text = {0};
    int rc = job_spec_config(spec, &err);
    /* Without a spec nobody wants to hear about its configuration. */
    if (job_spec_exists(spec, &no_spec) != SPEC_OK) {
        strbuf_printf(&text, "assay check: %s\n", no_spec.text);
        return start_failed(cmd, EXIT_OTHER, strbuf_str(&text));
    }
    if (rc == SPEC_ERR) {
        strbuf_printf(&text, "assay check: %s\n", err.text);
        if (cmd->config == NULL) {
            strbuf_printf(
                &text,
                "  hint: a configuration names the specification and what to check, for example\n"
                "            SPECIFICATION Spec\n            INVARIANT TypeOK\n"
                "        put it into %s, or name another file with --config\n",
                spec->config_path);
        }
        return start_failed(cmd, EXIT_OTHER, strbuf_str(&text));
    }
    if (rc == SPEC_DIAGS) {
        report_diags(spec, !cmd->json && color_wanted(cmd->color, STDERR_FILENO), &text);
        return start_failed(cmd, EXIT_CONFIG, strbuf_str(&text));
    }
    return EXIT_OK;
}

static void write_traces(struct check_cmd *cmd)
{
    const struct check_result *result = cmd->job.result;
    if (cmd->traces.n == 0 || result->nviolation == 0 || result->violations[0].trace.nstep == 0) {
        return;
    }
    struct arena arena;
    arena_init(&arena, 0);
    struct trace trace;
    struct vctx ctx;
    struct err err = {0};
    int rc = job_trace_get(&cmd->job, &result->violations[0], &arena, &trace, &ctx, &err);
    for (size_t i = 0; rc == 0 && i < cmd->traces.n; i++) {
        rc = job_trace_write(&ctx, &trace, &cmd->traces.v[i], &err);
        if (rc == 0 && !cmd->json && !cmd->quiet) {
            (void)printf("Trace written to %s\n", cmd->traces.v[i].path);
        }
    }
    if (rc != 0) {
        (void)fprintf(stderr, "assay check: cannot write the trace: %s\n", err.text);
    }
    arena_done(&arena);
}

/* Files that will be written at the end: better to know now that they cannot be. */
static int probe_outputs(struct check_cmd *cmd, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < cmd->traces.n; i++) {
        rc = file_probe(cmd->traces.v[i].path, err);
    }
    return rc;
}

static int search(struct check_cmd *cmd)
{
    struct job *job = &cmd->job;
    struct err err = {0};
    struct dump *dump = NULL;
    SCOPED_STRBUF text = {0};
    int refused = reduce_setup(cmd, &text);
    if (refused != EXIT_OK) {
        return start_failed(cmd, refused, strbuf_str(&text));
    }
    if (cmd->deadlock) {
        job->spec.model->check_deadlock = true; /* whatever the configuration says */
    }
    if (cmd->dump.path != NULL) {
        if (dump_open(&cmd->dump, &job->spec, &dump, &err) != 0) {
            strbuf_printf(&text, "assay check: %s\n", err.text);
            return start_failed(cmd, EXIT_OTHER, strbuf_str(&text));
        }
        dump_install(dump, &job->check);
    }
    int rc = job_check(job, &err);
    check_progress_clear(cmd);
    if (rc != 0) {
        strbuf_printf(&text, "assay check: %s\n", err.text);
        if (dump_close(dump, &err) != 0) {
            strbuf_printf(&text, "assay check: %s\n", err.text);
        }
        return start_failed(cmd, EXIT_OTHER, strbuf_str(&text));
    }
    int status = check_status(cmd);
    check_cases(cmd, status);
    if (cmd->json) {
        check_json(cmd, status, NULL);
    } else {
        check_report(cmd);
        if (cmd->verbose) {
            reduce_describe(cmd, &text);
            tier_describe(job, &text);
            (void)put_text(stderr, strbuf_str(&text));
        }
    }
    write_traces(cmd);
    if (dump_close(dump, &err) != 0) {
        (void)fprintf(stderr, "assay check: %s\n", err.text);
        status = status == EXIT_OK ? EXIT_OTHER : status;
    }
    return status;
}

static int check_body(void *arg)
{
    struct check_cmd *cmd = arg;
    struct err err = {0};
    if (probe_outputs(cmd, &err) != 0) {
        SCOPED_STRBUF text = {0};
        strbuf_printf(&text, "assay check: --trace-out: %s\n", err.text);
        return start_failed(cmd, EXIT_OTHER, strbuf_str(&text));
    }
    int status = load_config(cmd);
    if (status == EXIT_OK) {
        status = load(cmd);
    }
    return status == EXIT_OK ? search(cmd) : status;
}

static void prepare(struct check_cmd *cmd, struct arena *arena)
{
    const char **dirs = NULL;
    size_t ndir = 0;
    search_dirs_all(arena, &cmd->paths, &dirs, &ndir);
    if (!cmd->has_seed) {
        cmd->seed = hash_mix(clock_mono_ns() ^ (uint64_t)getpid()) >> 1;
    }
    struct spec_options options = {
        .path = cmd->spec,
        .config = cmd->config,
        .dirs = dirs,
        .ndir = ndir,
        .invariants = cmd->invariants.v,
        .ninvariant = cmd->invariants.n,
        .trace_module = true,
        .eval = {.set_size_max = cmd->max_set_size,
                 .stack_bytes = CHECK_STACK_BYTES,
                 .no_deadlock = cmd->no_deadlock,
                 .no_symmetry = cmd->no_symmetry,
                 .no_exec = cmd->no_exec,
                 .coverage = cmd->coverage,
                 .action_composition = true,
                 .seed = cmd->seed},
    };
    bool simulate = cmd->mode == CHECK_SIMULATE;
    struct check_options check = {
        .mode = cmd->mode,
        .workers = cmd->workers,
        .memory_bytes = cmd->memory_bytes,
        .dir = cmd->resume != NULL ? cmd->resume : cmd->dir,
        .keep_dir = cmd->keep,
        .checkpoint_s = cmd->checkpoint_s,
        .resume = cmd->resume != NULL,
        .depth_max = simulate && cmd->depth == 0 ? 100 : cmd->depth,
        .seed = cmd->seed,
        .simulate_num = cmd->simulate_num,
        .stop_after_ns = (uint64_t)(cmd->stop_after_s * 1e9),
        .keep_going = cmd->keep_going,
        .live_when = cmd->live_when,
        .progress_s = cmd->progress_tty ? 1 : 10,
        .event = check_progress_event,
        .event_arg = cmd,
    };
    jobs_init(&cmd->job, &options, &check);
    cmd->job.tier = cmd->tier;
    cmd->job.force = cmd->force;
    cmd->job.print = user_print;
    cmd->job.warn = user_warn;
    cmd->job.print_arg = cmd;
}

/* One check of what may be several: `cmd` is a copy of the options. */
static int check_one(struct check_cmd *cmd)
{
    struct arena arena;
    arena_init(&arena, 0);
    prepare(cmd, &arena);
    int status = run_on_big_stack(check_body, cmd);
    job_done(&cmd->job);
    arena_done(&arena);
    strbuf_done(&cmd->user);
    strbuf_done(&cmd->warned);
    VEC_DONE(&cmd->left_out);
    return status;
}

/* One after the other, and at the end how each of them went. */
static int check_several(const struct check_cmd *options)
{
    size_t specs = options->specs.n, configs = options->configs.n;
    size_t n = specs > 1 ? specs : configs;
    SCOPED_STRBUF summary = {0};
    int worst = EXIT_OK;
    for (size_t i = 0; i < n && *signals_flag() <= 0; i++) {
        struct check_cmd cmd = *options;
        SCOPED_STRBUF name = {0};
        cmd.spec = options->specs.v[specs > 1 ? i : 0];
        cmd.config = configs > 0 ? options->configs.v[configs > 1 ? i : 0] : NULL;
        strbuf_printf(&name, "%s%s%s", cmd.spec, cmd.config != NULL ? " " : "",
                      cmd.config != NULL ? cmd.config : "");
        if (!cmd.json) {
            (void)printf("%s%s%s%s\n", i > 0 ? "\n" : "", cmd.pal.bold, strbuf_cstr(&name),
                         cmd.pal.reset);
            (void)fflush(stdout);
        }
        int status = check_one(&cmd);
        reports_part(strbuf_cstr(&name), status);
        if (*signals_flag() <= 0) {
            signals_reset(); /* a spec may have asked to end: only its own check */
        }
        strbuf_printf(&summary, "%s%-6s%s %s", status == EXIT_OK ? cmd.pal.green : cmd.pal.red,
                      status == EXIT_OK ? "ok" : "failed", cmd.pal.reset, strbuf_cstr(&name));
        strbuf_printf(&summary, status == EXIT_OK ? "\n" : " (status %d)\n", status);
        worst = worst == EXIT_OK ? status : worst;
    }
    if (!options->json) {
        (void)printf("\n%s", strbuf_cstr(&summary));
    }
    return worst;
}

int cmd_check(int argc, char **argv)
{
    struct check_cmd cmd = {.workers = cpu_count(), .mode = CHECK_BFS, .argc = argc, .argv = argv};
    int status = EXIT_USAGE;
    if (check_options_parse(&cmd, argc, argv)) {
        cmd.pal = palette_get(color_wanted(cmd.color, STDOUT_FILENO));
        cmd.progress_tty = !cmd.quiet && !cmd.json && isatty(STDERR_FILENO) == 1;
        if (cmd.checkpoint_s == 0 && (cmd.dir != NULL || cmd.resume != NULL)) {
            cmd.checkpoint_s =
                300; /* a directory was named: files that outlive the run are wanted */
        }
        cmd.spec = cmd.specs.v[0];
        cmd.config = cmd.configs.n > 0 ? cmd.configs.v[0] : NULL;
        status = cmd.specs.n > 1 || cmd.configs.n > 1 ? check_several(&cmd) : check_one(&cmd);
    }
    VEC_DONE(&cmd.specs);
    VEC_DONE(&cmd.configs);
    VEC_DONE(&cmd.paths);
    VEC_DONE(&cmd.invariants);
    VEC_DONE(&cmd.traces);
    return status;
}
