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
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "base/vec.h"
#include "check/check.h"
#include "dist/ranks.h"
#include "eval/eval.h"
#include "examine/examine.h"
#include "job/job.h"
#include "job/load.h"
#include "job/tell.h"
#include "trace/trace.h"
#include "value/value.h"

/* ---- the run ---- */
static void user_print(void *arg, const char *text, size_t len)
{
    struct check_cmd *cmd = arg;
    bool ended = len > 0 && text[len - 1] == '\n';
    if (cmd->json) {
        strbuf_add(&cmd->user, text, len);
        strbuf_adds(&cmd->user, ended ? "" : "\n");
        return;
    }
    examine_clear(cmd);
    (void)put_text(cmd->teller.out, (struct str){text, len});
    (void)put_text(cmd->teller.out, ended ? STR("") : STR("\n"));
    (void)fflush(cmd->teller.out);
}

static void user_warn(void *arg, int code, const char *text)
{
    struct check_cmd *cmd = arg;
    if (cmd->json) {
        examine_json_warning(&cmd->warned, code, text);
    } else if (!cmd->quiet) {
        examine_clear(cmd);
        (void)fprintf(cmd->teller.err, "warning: %s\n", text);
    }
}

/* A failure before there was anything to check. */
static int start_failed(struct check_cmd *cmd, int status, struct str text)
{
    examine_clear(cmd);
    if (cmd->json) {
        SCOPED_STRBUF plain = {0};
        strbuf_addstr(&plain, text);
        examine_json(cmd, status, strbuf_cstr(&plain));
    } else {
        (void)put_text(cmd->teller.err, text);
    }
    return status;
}

/* The same, before the others were met. */
static int begin_failed(struct check_cmd *cmd, int status, struct str text)
{
    struct err err = {0};
    SCOPED_STRBUF plain = {0};
    strbuf_addstr(&plain, text);
    if (cmd->ranks != NULL && ranks_meet(cmd->ranks, strbuf_cstr(&plain), &err) != 0) {
        strbuf_printf(&plain, "assay check: %s\n", err.text);
    }
    return start_failed(cmd, status, strbuf_str(&plain));
}

/* What is wrong with the files, for people. */
static void tell_failure(struct check_cmd *cmd, enum job_loaded loaded, const struct err *err,
                         struct strbuf *out)
{
    const struct spec *spec = &cmd->job.spec;
    bool color = !cmd->json && color_wanted(cmd->color, fileno(cmd->teller.err));
    switch (loaded) {
    case JOB_LOADED: break;
    case JOB_NO_SPEC:
    case JOB_UNREADABLE: strbuf_printf(out, "assay check: %s\n", err->text); break;
    case JOB_NO_CONFIG:
        strbuf_printf(out, "assay check: %s\n", err->text);
        if (cmd->config == NULL) {
            strbuf_printf(
                out,
                "  hint: a configuration names the specification and what to check, for example\n"
                "            SPECIFICATION Spec\n            INVARIANT TypeOK\n"
                "        put it into %s, or name another file with --config\n",
                spec->config_path);
        }
        break;
    case JOB_BAD_CONFIG:
    case JOB_BAD_SPEC: job_say_diags(cmd->teller.report, spec, color, out); break;
    case JOB_NO_MODEL: job_tell_issue(spec, &spec->issue, color, out); break;
    }
}

static int load(struct check_cmd *cmd)
{
    struct err err = {0};
    SCOPED_STRBUF text = {0};
    enum job_loaded loaded = job_read(&cmd->job, &err);
    if (loaded == JOB_LOADED) {
        job_say_diags(cmd->teller.report, &cmd->job.spec,
                      !cmd->json && color_wanted(cmd->color, fileno(cmd->teller.err)), &text);
        if (!cmd->json && !cmd->quiet) {
            (void)put_text(cmd->teller.err, strbuf_str(&text)); /* warnings */
        }
        strbuf_reset(&text);
        loaded = job_make(&cmd->job);
    }
    tell_failure(cmd, loaded, &err, &text);
    int status = job_load_status(&cmd->job, loaded);
    return loaded == JOB_LOADED ? EXIT_OK : begin_failed(cmd, status, strbuf_str(&text));
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
            (void)fprintf(cmd->teller.out, "Trace written to %s\n", cmd->traces.v[i].path);
        }
    }
    if (rc != 0) {
        (void)fprintf(cmd->teller.err, "assay check: cannot write the trace: %s\n", err.text);
    }
    arena_done(&arena);
}

/* One of several processes, and not the one that tells. */
static bool silent(const struct check_cmd *cmd)
{
    return cmd->ranks != NULL && ranks_me(cmd->ranks) != 0;
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
        return begin_failed(cmd, refused, strbuf_str(&text));
    }
    if (cmd->deadlock) {
        job->spec.model->check_deadlock = true; /* whatever the configuration says */
    }
    if (cmd->dump.path != NULL && cmd->ranks != NULL) {
        job->alone_why = "one process writes the graph";
    }
    if (cmd->dump.path != NULL && !silent(cmd)) {
        if (dump_open(&cmd->dump, &job->spec, &dump, &err) != 0) {
            strbuf_printf(&text, "assay check: %s\n", err.text);
            return begin_failed(cmd, EXIT_OTHER, strbuf_str(&text));
        }
        dump_install(dump, &job->check);
    }
    int rc = job_check(job, &err);
    examine_clear(cmd);
    if (rc != 0) {
        bool no_gpu = cmd->gpu != JOB_GPU_OFF && err.code == ERR_UNSUPPORTED;
        strbuf_printf(&text, "assay check: %s\n", err.text);
        if (dump_close(dump, &err) != 0) {
            strbuf_printf(&text, "assay check: %s\n", err.text);
        }
        return start_failed(cmd, no_gpu ? EXIT_USAGE : EXIT_OTHER, strbuf_str(&text));
    }
    if (silent(cmd)) {
        return EXIT_OK; /* rank 0 tells */
    }
    if (job->alone_why != NULL && !cmd->json && !cmd->quiet) {
        (void)fprintf(cmd->teller.err, "note: one of the processes did all of it: %s\n",
                      job->alone_why);
    }
    int status = job_status(&cmd->job);
    if (cmd->progress != NULL) {
        examine_progress_last(cmd->progress, job->result);
    }
    job_report_cases(job, cmd->teller.report, status, examine_violation_text, cmd);
    if (cmd->json) {
        examine_json(cmd, status, NULL);
    } else {
        examine_report(cmd);
        if (cmd->verbose) {
            reduce_describe(cmd, &text);
            tier_describe(job, &text);
            (void)put_text(cmd->teller.err, strbuf_str(&text));
        }
    }
    write_traces(cmd);
    if (dump_close(dump, &err) != 0) {
        (void)fprintf(cmd->teller.err, "assay check: %s\n", err.text);
        status = status == EXIT_OK ? EXIT_OTHER : status;
    }
    return status;
}

static int check_body(void *arg)
{
    struct check_cmd *cmd = arg;
    struct err err = {0};
    if (!silent(cmd) && probe_outputs(cmd, &err) != 0) {
        SCOPED_STRBUF text = {0};
        strbuf_printf(&text, "assay check: --trace-out: %s\n", err.text);
        return begin_failed(cmd, EXIT_OTHER, strbuf_str(&text));
    }
    int status = load(cmd);
    return status == EXIT_OK ? search(cmd) : status;
}

static void prepare(struct check_cmd *cmd, struct arena *arena)
{
    const char **dirs = NULL;
    size_t ndir = 0;
    job_dirs_all(arena, cmd->paths.v, cmd->paths.n, &dirs, &ndir);
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
        .progress_s = cmd->progress_tty || cmd->progress != NULL ? 1 : 10,
        .event = examine_event,
        .event_arg = cmd,
    };
    job_init_here(&cmd->job, &options, &check, &cmd->teller);
    cmd->job.tier = cmd->tier;
    cmd->job.gpu = cmd->gpu;
    cmd->job.gpu_device = cmd->gpu_device;
    cmd->job.gpu_bytes = cmd->gpu_bytes;
    cmd->job.ranks = cmd->ranks;
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
    if (cmd->progress != NULL) {
        examine_progress_begin(cmd->progress, cmd->spec, cmd->workers);
    }
    int status = job_on_big_stack(&cmd->teller, check_body, cmd);
    if (cmd->progress != NULL) {
        const struct check_result *r = cmd->job.result;
        examine_progress_end(cmd->progress, r != NULL ? job_verdict_name(r->verdict) : "error",
                             status);
    }
    job_done(&cmd->job);
    arena_done(&arena);
    strbuf_done(&cmd->user);
    strbuf_done(&cmd->warned);
    VEC_DONE(&cmd->left_out);
    return status;
}

/* One after the other, and at the end how each of them went. */
static int check_several(const struct check_cmd *options,
                         void (*part)(const char *name, int status))
{
    size_t specs = options->specs.n, configs = options->configs.n;
    size_t n = specs > 1 ? specs : configs;
    SCOPED_STRBUF summary = {0};
    int worst = EXIT_OK;
    for (size_t i = 0; i < n && options->teller.flags->interrupt <= 0; i++) {
        struct check_cmd cmd = *options;
        SCOPED_STRBUF name = {0};
        cmd.spec = options->specs.v[specs > 1 ? i : 0];
        cmd.config = configs > 0 ? options->configs.v[configs > 1 ? i : 0] : NULL;
        strbuf_printf(&name, "%s%s%s", cmd.spec, cmd.config != NULL ? " " : "",
                      cmd.config != NULL ? cmd.config : "");
        if (!cmd.json) {
            (void)fprintf(cmd.teller.out, "%s%s%s%s\n", i > 0 ? "\n" : "", cmd.pal.bold,
                          strbuf_cstr(&name), cmd.pal.reset);
            (void)fflush(cmd.teller.out);
        }
        int status = check_one(&cmd);
        if (part != NULL) {
            part(strbuf_cstr(&name), status);
        }
        if (options->teller.flags->interrupt <= 0) {
            *options->teller.flags =
                (struct stop_flags){0}; /* a spec may have asked to end: only its own check */
        }
        strbuf_printf(&summary, "%s%-6s%s %s", status == EXIT_OK ? cmd.pal.green : cmd.pal.red,
                      status == EXIT_OK ? "ok" : "failed", cmd.pal.reset, strbuf_cstr(&name));
        strbuf_printf(&summary, status == EXIT_OK ? "\n" : " (status %d)\n", status);
        worst = worst == EXIT_OK ? status : worst;
    }
    if (!options->json) {
        (void)fprintf(options->teller.out, "\n%s", strbuf_cstr(&summary));
    }
    return worst;
}

int examine_all(struct check_cmd *cmd, void (*part)(const char *name, int status))
{
    cmd->pal = palette_get(color_wanted(cmd->color, fileno(cmd->teller.out)));
    cmd->progress_tty = !cmd->quiet && !cmd->json && isatty(fileno(cmd->teller.err)) == 1;
    if (cmd->checkpoint_s == 0 && (cmd->dir != NULL || cmd->resume != NULL)) {
        cmd->checkpoint_s = 300; /* a directory was named: files that outlive the run are wanted */
    }
    cmd->spec = cmd->specs.v[0];
    cmd->config = cmd->configs.n > 0 ? cmd->configs.v[0] : NULL;
    return cmd->specs.n > 1 || cmd->configs.n > 1 ? check_several(cmd, part) : check_one(cmd);
}
