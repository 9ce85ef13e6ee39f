/* TLC: its command line, messages and exit statuses.
 *
 * The order of what is printed is TLC's: version, banner, configuration errors, SANY's lines,
 * "Starting...", warnings, then the search. Everything goes to standard output. */
#include "tlc/tlc.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/utsname.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/env.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/term.h"
#include "check/check.h"
#include "check/live.h"
#include "eval/eval.h"
#include "job/job.h"
#include "job/load.h"
#include "job/replay.h"
#include "job/tell.h"
#include "model/model.h"
#include "report/report.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "tlc/message.h"
#include "tlc/options.h"
#include "tlc/sany.h"

/* ---- user output ---- */
/* Print and PrintT. While the model is built, output is held back: TLC evaluates assumptions later
 * than we do. */
#define HELD_BYTES_MAX ((size_t)1 << 20)

static void release_held(struct tlc *tlc)
{
    tlc->hold = false;
    if (tlc->held.n > 0) {
        tlc_raw(&tlc->out, strbuf_str(&tlc->held));
        strbuf_reset(&tlc->held);
    }
}

static void release_early(struct tlc *tlc)
{
    size_t n = tlc->held_early;
    if (n > 0 && n <= tlc->held.n) {
        tlc_raw(&tlc->out, (struct str){tlc->held.p, n});
        SCOPED_STRBUF late = {0};
        strbuf_add(&late, tlc->held.p + n, tlc->held.n - n);
        strbuf_reset(&tlc->held);
        strbuf_addstr(&tlc->held, strbuf_str(&late));
    }
    tlc->held_early = 0;
}

static void user_assuming(void *arg)
{
    struct tlc *tlc = arg;
    tlc->held_early = tlc->held.n;
}

static void user_warn(void *arg, int code, const char *text)
{
    struct tlc *tlc = arg;
    (void)tlc_warn(&tlc->out, code, text);
}

static void user_print(void *arg, const char *text, size_t len)
{
    struct tlc *tlc = arg;
    bool ended = len > 0 && text[len - 1] == '\n';
    if (tlc->user != NULL) {
        (void)put_text(tlc->user, (struct str){text, len});
        (void)put_text(tlc->user, ended ? STR("") : STR("\n"));
        return;
    }
    if (tlc->hold) {
        strbuf_add(&tlc->held, text, len);
        strbuf_adds(&tlc->held, ended ? "" : "\n");
        if (tlc->held.n > HELD_BYTES_MAX) {
            release_held(tlc);
        }
        return;
    }
    SCOPED_STRBUF line = {0};
    strbuf_add(&line, text, len);
    strbuf_adds(&line, ended ? "" : "\n");
    tlc_raw(&tlc->out, strbuf_str(&line));
}

/* ---- banner ---- */
static void banner(struct tlc *tlc)
{
    struct utsname os = {0};
    (void)uname(&os);
    const char *arch = strcmp(os.machine, "x86_64") == 0 ? "amd64" : os.machine;
    unsigned workers = tlc->o.workers;
    const char *plural = workers == 1 ? "" : "s";
    unsigned long long memory = memory_total() / 4 >> 20;
    SCOPED_STRBUF system = {0};
    strbuf_printf(&system, "[pid: %d] (%s %s %s, assay " ASSAY_VERSION " 64bit", (int)getpid(),
                  os.sysname, os.release, arch);
    if (tlc->o.simulate) {
        tlc_print(&tlc->out, 2188, TLC_NONE,
                  "Running Random Simulation with seed %lld with %u worker%s on %u cores with "
                  "%lluMB heap and 64MB offheap memory %s).",
                  (long long)tlc->seed, workers, plural, cpu_count(), memory, strbuf_cstr(&system));
        return;
    }
    bool bfs = tlc->o.dfid < 0;
    tlc_print(&tlc->out, bfs ? 2187 : 2271, TLC_NONE,
              "Running %s-first search Model-Checking with fp %lld and seed %lld with %u worker%s "
              "on %u cores with %lluMB heap and "
              "64MB offheap memory %s%s).",
              bfs ? "breadth" : "depth", (long long)tlc->o.fp, (long long)tlc->seed, workers,
              plural, cpu_count(), memory, strbuf_cstr(&system),
              bfs ? (tlc->o.depth_first ? ", OffHeapDiskFPSet, StateDeque"
                                        : ", MSBDiskFPSet, DiskStateQueue")
                  : "");
}

/* ---- SANY ---- */
static void on_parsing(void *arg, const char *path, bool builtin)
{
    struct tlc *tlc = arg;
    SCOPED_STRBUF line = {0};
    sany_parsing(path, builtin, &line);
    tlc_raw(&tlc->out, strbuf_str(&line));
}

static void on_analysed(void *arg, const char *module)
{
    struct tlc *tlc = arg;
    sany_analysed(module, &tlc->held); /* shown when all have been parsed */
}

static void on_pluscal(void *arg, struct str text)
{
    struct tlc *tlc = arg;
    tlc_raw(&tlc->out, text);
}

static void starting(struct tlc *tlc)
{
    char now[TLC_TIME_BYTES];
    if (tlc->out.tool) {
        tlc_print(&tlc->out, 2219, TLC_NONE, "SANY finished.");
    }
    tlc_print(&tlc->out, 2185, TLC_NONE, "Starting... (%s)", tlc_now(&tlc->out, now));
}

static int load_modules(struct tlc *tlc)
{
    if (tlc->out.tool) {
        tlc_print(&tlc->out, 2220, TLC_NONE, "Starting SANY...");
    }
    struct spec *spec = &tlc->job.spec;
    struct err err = {0};
    int rc = job_spec_program(spec, &err);
    SCOPED_STRBUF text = {0};
    if (rc == SPEC_ERR) {
        struct str name = path_base(str_of(tlc->o.spec));
        SCOPED_STRBUF module = {0};
        strbuf_addstr(&module, name);
        (void)fprintf(tlc->teller->err, "%s\n", err.text);
        sany_missing(strbuf_cstr(&module), &text);
    } else {
        if (!sany_is_fatal(spec)) {
            struct str name = path_base(str_of(spec->module_path));
            sany_pluscal(spec, (struct str){name.p, name.n - 4}, &text);
            strbuf_addstr(&text, strbuf_str(&tlc->held));
        }
        sany_diags(spec, &text);
        if (rc == SPEC_OK) {
            sany_linting(spec, &text);
        }
    }
    strbuf_reset(&tlc->held);
    tlc_raw(&tlc->out, strbuf_str(&text));
    starting(tlc);
    if (rc != SPEC_OK) {
        tlc_print(&tlc->out, 3002, TLC_ERROR, "Parsing or semantic analysis failed.");
        return EXIT_PARSE;
    }
    return EXIT_OK;
}

/* ---- configuration ---- */
static int config_failed(struct tlc *tlc, int code, const char *text)
{
    SCOPED_STRBUF nested = {0};
    SCOPED_STRBUF message = {0};
    tlc_nested(&tlc->out, code, text, &nested);
    tlc_unexpected(&tlc->out, "tlc2.tool.ConfigFileException", strbuf_cstr(&nested), &message);
    tlc_text(&tlc->out, 1000, TLC_ERROR, strbuf_str(&message));
    return EXIT_OTHER;
}

static int load_config(struct tlc *tlc)
{
    struct spec *spec = &tlc->job.spec;
    struct err err = {0};
    int rc = job_spec_config(spec, &err);
    SCOPED_STRBUF text = {0};
    if (rc == SPEC_ERR) {
        struct str shown = str_of(spec->config_path);
        if (tlc->o.spec[0] == '/' && tlc->o.config == NULL) {
            shown = path_base(shown);
        }
        strbuf_printf(&text,
                      "TLC encountered the following error when trying to read the configuration "
                      "file %.*s:\n%s",
                      STR_ARG(shown),
                      err.code == ERR_NOT_FOUND || err.os_errno == ENOENT ? "File not found."
                                                                          : err.text);
        return config_failed(tlc, 5001, strbuf_cstr(&text));
    }
    if (rc == SPEC_DIAGS) {
        const struct diag *diag = spec->diags.v[0];
        struct place place = sources_place(&spec->sources, diag->span);
        strbuf_printf(&text, "TLC found an error in the configuration file at line %u\n%s",
                      place.line, diag->text);
        return config_failed(tlc, spec->config.tlc_code != 0 ? spec->config.tlc_code : 5002,
                             strbuf_cstr(&text));
    }
    return EXIT_OK;
}

/* ---- model ---- */
void tlc_place(const struct spec *spec, struct span span, struct strbuf *out)
{
    const struct source *source = sources_get(&spec->sources, span.file);
    struct place place = sources_place(&spec->sources, span);
    struct str module = source != NULL ? path_base(str_of(source->path)) : STR("?");
    if (module.n > 4 && memcmp(module.p + module.n - 4, ".tla", 4) == 0) {
        module.n -= 4;
    }
    strbuf_printf(out, "line %u, col %u to line %u, col %u of module %.*s", place.line,
                  place.column, place.end_line, place.end_column, STR_ARG(module));
}

/* Why the model could not be made, in TLC's words. */
static int model_failed(struct tlc *tlc)
{
    const struct spec *spec = &tlc->job.spec;
    const struct eval_issue *issue = &spec->issue;
    SCOPED_STRBUF text = {0};
    const char *body = issue->text != NULL ? issue->text : "";
    int code = issue->code;
    release_held(tlc);
    if ((code == 2104 || code == 2105) && issue->has_span && strncmp(body, "Assumption", 10) != 0 &&
        strncmp(body, "Evaluating", 10) != 0) {
        SCOPED_STRBUF place = {0};
        tlc_place(spec, issue->span, &place);
        if (code == 2104) {
            strbuf_printf(&text, "Assumption %s is false.", strbuf_cstr(&place));
        } else {
            strbuf_printf(&text, "Evaluating assumption %s failed.\n%s", strbuf_cstr(&place), body);
        }
    } else if (code == 0 || code == 1000 || code == 2103) {
        tlc_unexpected(&tlc->out, "java.lang.RuntimeException", body, &text);
        code = 1000;
    } else {
        strbuf_adds(&text, body);
    }
    tlc_text(&tlc->out, code, TLC_ERROR, strbuf_str(&text));
    return issue->exit_status != 0 ? issue->exit_status : tlc_exit_status(code);
}

/* -inv with a wrong expression: as an error of the command line, with our own diagnostics. */
static int invariant_failed(struct tlc *tlc)
{
    const struct spec *spec = &tlc->job.spec;
    SCOPED_STRBUF text = {0};
    for (size_t i = 0; i < spec->diags.n; i++) {
        if (spec->diags.v[i]->severity == SEV_ERROR) {
            diag_print(&spec->sources, spec->diags.v[i], false, &text);
        }
    }
    tlc_raw(&tlc->out, strbuf_str(&text));
    tlc_print(&tlc->out, 3002, TLC_ERROR, "Parsing or semantic analysis failed.");
    return EXIT_PARSE;
}

/* Warnings in TLC's words. The evaluator has some that TLC gives later (2257, 2259) or not at all
 * (2284). */
static bool model_warning(struct tlc *tlc, int code, const char *text)
{
    if (code == 2257 || code == 2259 || code == 2284) {
        return true;
    }
    if (code == 2279) {
        text = "Declaring symmetry during liveness checking is dangerous. It might cause TLC to "
               "miss violations of the stated "
               "liveness properties. Please check liveness without symmetry defined.";
    }
    if (tlc_warn(&tlc->out, code, text)) {
        return true;
    }
    tlc_text(&tlc->out, code, TLC_ERROR, str_of(text));
    return false;
}

/* PROPERTY names a state predicate: it is checked in initial states only. */
static bool property_warnings(struct tlc *tlc)
{
    const struct spec *spec = &tlc->job.spec;
    for (size_t i = 0; i < spec->config.properties.n; i++) {
        struct str name = spec->config.properties.v[i].name;
        const struct def *def = program_lookup(&spec->program, name);
        if (def == NULL || def->kind != DEF_OP || def->level != LEVEL_STATE) {
            continue;
        }
        SCOPED_STRBUF text = {0};
        strbuf_printf(
            &text,
            "The formula %.*s is a state-level formula, but it was used as a PROPERTY (or "
            "PROPERTIES), "
            "where a temporal formula is typically expected. State-level formulas used as PROPERTY "
            "or PROPERTIES are only checked in the initial state. To verify that the formula %.*s "
            "holds in all states of every behavior, use INVARIANT %.*s instead. Alternatively, "
            "applying the \"always\" temporal operator ([]) to the state-level formula %.*s "
            "changes it "
            "into a temporal formula, asserting that %.*s holds in all states of every behavior. "
            "See https://explain.tlapl.us/invariants-and-properties for additional details.",
            STR_ARG(name), STR_ARG(name), STR_ARG(name), STR_ARG(name), STR_ARG(name));
        if (!model_warning(tlc, 2255, strbuf_cstr(&text))) {
            return false;
        }
    }
    return true;
}

/* How many branches the temporal formulas fall into, as the checker will split them. */
static uint32_t count_branches(const struct tlc *tlc, const struct model *model)
{
    struct live *live = NULL;
    struct err err = {0};
    struct live_options options = {.workers = 1, .interrupt = &tlc->teller->flags->stop};
    if (live_new(model->live, &options, &live, &err) != 0) {
        return model_temporal_branches(model); /* the search will tell why */
    }
    uint32_t n = live_branches(live);
    live_free(live);
    return n;
}

static int make_model(struct tlc *tlc)
{
    struct spec *spec = &tlc->job.spec;
    tlc->hold = true;
    int rc = job_spec_model(spec, &tlc->job.host);
    if (rc == SPEC_DIAGS) {
        return invariant_failed(tlc);
    }
    if (rc == SPEC_ERR) {
        return model_failed(tlc);
    }
    size_t n = 0;
    release_early(tlc);
    const struct eval_warning *warnings = model_warnings(spec->model, &n);
    bool good = property_warnings(tlc);
    for (size_t i = 0; good && i < n; i++) {
        good = model_warning(tlc, warnings[i].code, warnings[i].text);
    }
    if (!good) {
        return EXIT_OTHER;
    }
    if (spec->model->live != NULL) {
        tlc->branches = count_branches(tlc, spec->model);
        tlc_print(&tlc->out, 2212, TLC_NONE,
                  "Implied-temporal checking--satisfiability problem has %u branches.",
                  tlc->branches);
    }
    release_held(tlc);
    return EXIT_OK;
}

/* ---- the run's directory ---- */
/* TLC's place: states/YY-MM-DD-HH-MM-SS.mmm next to where it runs, or under -metadir. */
static const char *make_metadir(struct tlc *tlc)
{
    struct arena *arena = &tlc->job.spec.arena;
    if (tlc->o.recover != NULL) {
        return tlc->o.recover;
    }
    struct str spec_dir = path_dir(str_of(tlc->o.spec));
    const char *root = tlc->o.metadir;
    if (root == NULL) {
        root = tlc->o.spec[0] == '/' ? arena_printf(arena, "%.*s/states", STR_ARG(spec_dir))
                                     : "states";
    }
    struct err err = {0};
    if (tlc->o.cleanup && tlc->o.metadir == NULL && dir_remove(root, &err) != 0) {
        err.code = ERR_OK; /* nothing to clean up is fine */
    }
    uint64_t ms = tlc->start_ms;
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm = {0};
    (void)localtime_r(&seconds, &tm);
    char stamp[32];
    if (strftime(stamp, sizeof stamp, "%Y-%m-%d-%H-%M-%S", &tm) == 0) {
        memcpy(stamp, "0000", 5);
    }
    return arena_printf(arena, "%s/%s.%03u", root, stamp + 2, (unsigned)(ms % 1000));
}

static void check_options_of(const struct tlc_options *o, int64_t seed, struct check_options *ret)
{
    *ret = (struct check_options){
        .mode = CHECK_BFS,
        .workers = o->workers,
        .seed = (uint64_t)seed + (uint64_t)o->aril,
        .checkpoint_s = (double)o->checkpoint_min * 60,
        .resume = o->recover != NULL,
        .keep_going = o->keep_going,
        .live_when = o->live_when,
        .progress_s = o->progress_s < 1 ? o->progress_s : 1,
        .stop_after_ns = (uint64_t)(o->stop_after_s * 1e9),
        .event = tlc_event,
    };
    if (o->simulate) {
        ret->mode = o->generate ? CHECK_GENERATE : CHECK_SIMULATE;
        ret->depth_max = o->depth;
        ret->simulate_num = o->simulate_num;
    } else if (o->dfid >= 0) {
        ret->mode = CHECK_DFID;
        ret->depth_max = (uint64_t)o->dfid;
    } else if (o->depth_first) {
        ret->mode = CHECK_DFS;
    }
}

static bool wants_trace_spec(const struct tlc *tlc)
{
    return tlc->o.te_forced || (!tlc->o.te_off && !tlc->out.tool && !tlc->o.keep_going);
}

static void spec_options_of(struct tlc *tlc, struct arena *arena, struct spec_options *ret)
{
    const struct tlc_options *o = &tlc->o;
    const char **dirs = NULL;
    size_t ndir = 0;
    job_dirs_add(arena, o->library, &dirs, &ndir);
    job_dirs_add(arena, env_text("TLA_PATH"), &dirs, &ndir);
    *ret = (struct spec_options){
        .path = o->spec,
        .config = o->config,
        .dirs = dirs,
        .ndir = ndir,
        .invariants = o->invariants.v,
        .ninvariant = o->invariants.n,
        .trace_module = wants_trace_spec(tlc) && !o->te_no_bin,
        .parsing = on_parsing,
        .analysed = on_analysed,
        .pluscal = on_pluscal,
        .arg = tlc,
        .eval =
            {
                   .set_size_max = o->max_set_size,
                   .stack_bytes = CHECK_STACK_BYTES,
                   .no_deadlock = o->no_deadlock,
                   .action_composition = o->action_composition,
                   .no_symmetry = o->no_symmetry,
                   .terse = o->terse,
                   .coverage = o->coverage_min >= 0,
                   .coverage_tlc = true,
                   .level_max = o->level_max,
                   .postconditions = o->postconditions.v,
                   .npostcondition = o->postconditions.n,
                   .properties = o->properties.v,
                   .nproperty = o->properties.n,
                   .seed = (uint64_t)tlc->seed,
                   },
    };
}

static int search(struct tlc *tlc)
{
    struct job *job = &tlc->job;
    struct err err = {0};
    job->check.event_arg = tlc;
    job->check.dir = tlc->metadir;
    if (tlc->o.dump.path != NULL) {
        tlc->o.dump.tlc_labels = true;
        if (dump_open(&tlc->o.dump, &job->spec, &tlc->dump, &err) != 0) {
            tlc_print(&tlc->out, 1102, TLC_ERROR,
                      "Error: Given file name %s for dumping states invalid.", tlc->o.dump.path);
            return EXIT_USAGE;
        }
        dump_install(tlc->dump, &job->check);
    }
    tlc_sim_install(tlc);
    if (tlc->o.load.path != NULL) {
        if (replay_new(job->spec.model, job->spec.strings, tlc->o.load.path, &tlc->replay, &err) !=
            0) {
            SCOPED_STRBUF text = {0};
            tlc_unexpected(&tlc->out, "java.io.IOException", err.text, &text);
            tlc_text(&tlc->out, 1000, TLC_ERROR, strbuf_str(&text));
            return EXIT_OTHER;
        }
        job->model = replay_model(tlc->replay);
    }
    if (tlc->o.recover != NULL) {
        tlc_print(&tlc->out, 2197, TLC_NONE, "Starting recovery from checkpoint %s/",
                  tlc->o.recover);
    }
    if (job_check(job, &err) != 0) {
        SCOPED_STRBUF text = {0};
        tlc_unexpected(&tlc->out, "java.lang.RuntimeException", err.text, &text);
        tlc_text(&tlc->out, 1000, TLC_ERROR, strbuf_str(&text));
        return EXIT_OTHER;
    }
    int status = tlc_report(tlc);
    tlc_sim_done(tlc);
    if (dump_close(tlc->dump, &err) != 0) {
        (void)fprintf(tlc->teller->err, "%s\n", err.text);
    }
    tlc->dump = NULL;
    return status;
}

static int process(struct tlc *tlc)
{
    banner(tlc);
    int status = load_config(tlc);
    if (status == EXIT_OK) {
        status = load_modules(tlc);
    }
    if (status == EXIT_OK) {
        status = make_model(tlc);
    }
    return status == EXIT_OK ? search(tlc) : status;
}

/* What was judged, for a report. */
static void add_cases(struct tlc *tlc, int status)
{
    struct report *report = tlc->teller->report;
    const struct spec *spec = &tlc->job.spec;
    SCOPED_STRBUF text = {0};
    if (report == NULL) {
        return;
    }
    job_report_diags(report, spec);
    if (tlc->job.result != NULL) {
        job_report_cases(&tlc->job, report, status, NULL, NULL);
        return;
    }
    const char *first = spec->issue.text;
    if (first != NULL) {
        job_tell_issue(spec, &spec->issue, false, &text);
        struct report_finding f = {
            .rule = "evaluation", .message = first, .details = strbuf_cstr(&text)};
        report_add_finding(report, &f);
    }
    for (size_t i = 0; first == NULL && i < spec->diags.n; i++) {
        first = spec->diags.v[i]->severity == SEV_ERROR ? spec->diags.v[i]->text : NULL;
    }
    job_tell_diags(spec, false, &text);
    struct report_case c = {.name = "tlc",
                            .outcome = REPORT_ERROR,
                            .kind = status == EXIT_PARSE ? "parse" : "evaluation",
                            .message = first,
                            .details = strbuf_cstr(&text)};
    if (first != NULL) { /* else whoever ends the process says how it ended */
        report_add_case(report, &c);
        report_default_file(report, report_path(spec->module_path));
    }
}

static int tlc_body(void *arg)
{
    struct tlc *tlc = arg;
    int status = process(tlc);
    add_cases(tlc, status);
    char now[TLC_TIME_BYTES];
    SCOPED_STRBUF took = {0};
    uint64_t ms = clock_wall_ms() - tlc->start_ms;
    if (tlc->out.tool || tlc->o.as_milliseconds) {
        strbuf_printf(&took, "%llums", (unsigned long long)ms);
    } else {
        tlc_duration(ms, &took);
    }
    tlc_print(&tlc->out, 2186, TLC_NONE, "Finished in %s at (%s)", strbuf_cstr(&took),
              tlc_now(&tlc->out, now));
    if (wants_trace_spec(tlc) && tlc->job.result != NULL) {
        tlc_trace_spec(tlc);
    }
    return status;
}

int tlc_run(const struct teller *teller, int argc, char **argv)
{
    struct tlc tlc = {.start_ms = clock_wall_ms(), .teller = teller};
    tlc_out_init(&tlc.out, teller->out);
    int status = EXIT_USAGE;
    if (tlc_options_parse(&tlc.o, &tlc.out, argc, argv)) {
        tlc_welcome(&tlc.out);
        tlc.seed = tlc.o.has_seed ? tlc.o.seed
                                  : (int64_t)hash_mix(clock_mono_ns() ^ ((uint64_t)getpid() << 32));
        if (tlc.o.user_file != NULL) {
            tlc.user = fopen(tlc.o.user_file, "w");
        }
        struct arena arena;
        arena_init(&arena, 0);
        struct spec_options options;
        struct check_options check;
        spec_options_of(&tlc, &arena, &options);
        check_options_of(&tlc.o, tlc.seed, &check);
        job_init_here(&tlc.job, &options, &check, teller);
        tlc.job.print = user_print;
        tlc.job.assuming = user_assuming;
        tlc.job.warn = user_warn;
        tlc.job.print_arg = &tlc;
        tlc.metadir = make_metadir(&tlc);
        status = job_on_big_stack(teller, tlc_body, &tlc);
        job_done(&tlc.job);
        replay_free(tlc.replay);
        arena_done(&arena);
    }
    if (tlc.user != NULL && fclose(tlc.user) != 0) {
        status = status == EXIT_OK ? EXIT_OTHER : status;
    }
    strbuf_done(&tlc.held);
    strbuf_done(&tlc.live_done);
    tlc_options_done(&tlc.o);
    tlc_out_done(&tlc.out);
    return status;
}
