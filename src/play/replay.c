/* Does again what a run recorded, to the end or to some event; and leaves out faults of a failing
 * run as long as it still fails. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "base/vec.h"
#include "explore/found.h"
#include "explore/recorded.h"
#include "observe/observe.h"
#include "option/option.h"
#include "play/engine.h"
#include "play/gdb_session.h"
#include "play/play.h"
#include "play/run_set.h"
#include "report/report.h"
#include "run/cluster.h"
#include "run/consent.h"
#include "run/event_text.h"
#include "run/failure.h"
#include "run/gdb.h"
#include "run/plan.h"
#include "run/record.h"
#include "run/runner.h"
#include "world/world.h"

/* A recording may come from anybody, and so may the cluster file that it names. What that would do
 * outside of the engine needs the user's word (run/consent.h). */
static int ask_consent(const struct replay_args *a, const struct cluster *cluster, struct err *err)
{
    SCOPED_STRBUF state = {0};
    engine_state_dir(&state);
    if (!consent_needed(cluster) || a->allow_checks ||
        consent_given(cluster, strbuf_cstr(&state))) {
        return 0;
    }
    bool check = cluster->n_checks != 0;
    return err_set(err, ERR_INVALID, 0,
                   "%s names %s, which %s (%s), and you have not run that file with it before; if "
                   "you trust it, say --allow-checks",
                   a->file, cluster->path,
                   check ? "runs a program outside of the engine" : "lets a system call through",
                   check ? cluster->checks[0].argv[0] : cluster->allow[0]);
}

/* The recording and its cluster. */
static int load(struct arena *arena, const struct replay_args *a, struct record *record,
                struct cluster *cluster, struct err *err)
{
    struct str rest;
    int status = record_head(arena, a->file, record, &rest, err);
    const char *path = a->cluster != NULL ? a->cluster : record->cluster;
    status = status != 0 ? status : cluster_read(arena, path, cluster, err);
    if (status == 0 && cluster->digest != record->digest) {
        return err_set(err, ERR_INVALID, 0, "%s has changed since the run was recorded", path);
    }
    if (status == 0) {
        cluster->bare = engine_bare();
        cluster->limits.escape_ms = record->escape_ms;
        cluster->time_ns = record->time_ns != 0 ? record->time_ns : cluster->time_ns;
        cluster->events_most =
            record->events_most != 0 ? record->events_most : cluster->events_most;
        cluster->allow = record->allow != NULL ? record->allow : cluster->allow;
        status = ask_consent(a, cluster, err);
        status = status != 0 ? status : record_apply(record, cluster, arena, err);
    }
    return status != 0 ? status : record_choices(record, cluster, rest, err);
}

static int fail(const struct replay_args *a, const char *command, const struct err *err)
{
    (void)fprintf(a->teller.err, "assay %s: %s\n", command, err->text);
    return err->code == ERR_INVALID || err->code == ERR_CORRUPT ? EXIT_CONFIG : EXIT_OTHER;
}

/* The one run that there is, for the report. */
static void add_case(const struct replay_args *a, const struct cluster *cluster, uint64_t seed,
                     int status, const struct run_result *result)
{
    struct run_set set = {0};
    if (a->teller.report != NULL) {
        run_set_add(&set, seed, status, result);
        run_set_cases(&a->teller, &set, cluster, a->out, false);
        run_set_done(&set);
    }
}

/* With --gdb: the run stands still at the event, for the debugger. */
static int replay_watched(const struct replay_args *a, struct run_options *options,
                          struct run_result *result, struct err *err)
{
    if (a->gdb == NULL) {
        return run_cluster(options, result, err);
    }
    int node = cluster_node(options->cluster, str_of(a->gdb));
    if (node < 0) {
        return err_set(err, ERR_INVALID, 0, "there is no node '%s'", a->gdb);
    }
    struct gdb_session session = {
        .teller = &a->teller, .dir = a->out, .script = a->gdb_script, .listen_only = a->gdb_listen};
    struct gdb_options debug = {
        .cluster = options->cluster,
        .node = (uint32_t)node,
        .at = a->until != 0 ? a->until : options->replay->choices.n,
        .connect = gdb_session_connect,
        .arg = &session,
        .interrupted = &a->teller.flags->interrupt,
    };
    struct gdb *gdb = NULL;
    int status = gdb_new(&debug, &gdb, err);
    if (status != 0) {
        return status;
    }
    options->until = 0; /* the debugger decides where it ends */
    options->watch = gdb_watch;
    options->watch_arg = gdb;
    status = run_cluster(options, result, err);
    gdb_free(gdb);
    gdb_session_done(&session);
    return status;
}

static int replay(const struct replay_args *a, const struct record *record, struct cluster *cluster)
{
    struct err err;
    struct run_result result;
    struct run_options options = {
        .cluster = cluster,
        .seed = record->seed,
        .replay = record,
        .until = a->until,
        .dir = a->out,
        .interrupted = &a->teller.flags->interrupt,
        .trace_fd = -1,
        .pcap = a->pcap,
        .capture = a->capture,
        .shiviz = a->shiviz,
        .jsonl = a->jsonl,
    };
    if (a->until > record->choices.n) {
        return option_usage(a->teller.err, "replay",
                            "--until %" PRIu64 ": the recorded run has %zu events", a->until,
                            record->choices.n);
    }
    uint64_t begin = clock_mono_ns();
    struct dir_lock lock = {0};
    int status = engine_dir(a->out, &lock, &err);
    status = status != 0 ? status : replay_watched(a, &options, &result, &err);
    if (status != 0) {
        dir_unlock(&lock);
        return fail(a, "replay", &err);
    }
    double seconds = (double)(clock_mono_ns() - begin) * 1e-9;
    engine_save(&options, &result);
    status = engine_status(&a->teller, &result);
    if (a->json) {
        engine_print_json(&a->teller, &options, &result, seconds);
    } else {
        engine_print(&a->teller, &options, &result, seconds);
    }
    add_case(a, cluster, options.seed, status, &result);
    run_result_done(&result);
    dir_unlock(&lock);
    return status;
}

/* ---- shrink ---- */

struct shrinking {
    const struct replay_args *a;
    struct run_options options;
    struct dir_lock lock;
    struct failure wanted; /* what the smaller runs must end with; FAILURE_NONE: any */
    struct strbuf another; /* how a run failed that did not fail like that */
    unsigned tried;
    struct cluster *cluster; /* the same as in the options: its clients do less and less */
    struct arena arena;
    struct run_ops ops;
    const struct plan *plan;
    VEC(uint64_t) taken;      /* by the last run that failed: events before others that were due */
    VEC(uint64_t) candidates; /* of these, */
    VEC(uint64_t) some;       /* some */
    struct run_orders orders;
    struct thread_changes {
        VEC(struct event) v;
    } changes,
        some_changes; /* of the order of threads: by the last run that failed; some of them */
    struct run_threads threads;
};

/* Those of a run. */
static void take_changes(const struct record *record, struct thread_changes *ret)
{
    VEC_RESET(&ret->v);
    for (size_t i = 0; i < record->choices.n; i++) {
        if (record->choices.v[i].event.kind == EV_THREAD) {
            VEC_PUSH(&ret->v, record->choices.v[i].event);
        }
    }
}

static int still_fails(void *arg, const struct plan *plan)
{
    struct shrinking *s = arg;
    struct run_result result;
    struct err err;
    s->options.plan = plan;
    s->tried++;
    if (engine_dir(s->options.dir, &s->lock, &err) != 0 ||
        run_cluster(&s->options, &result, &err) != 0) {
        return fail(s->a, "shrink", &err) == EXIT_OK ? 0 : -1;
    }
    bool fails = result.verdict == RUN_VIOLATION;
    if (fails && s->wanted.kind == FAILURE_NONE) {
        s->wanted = result.failure; /* a recording that does not say how it failed */
    }
    bool same = fails && failure_same(&s->wanted, &result.failure);
    VEC_RESET(&s->taken);
    for (size_t i = 0; same && i < result.record.orders.n; i++) {
        VEC_PUSH(&s->taken, result.record.orders.v[i]);
    }
    if (fails && !same) {
        strbuf_reset(&s->another);
        strbuf_addstr(&s->another, strbuf_str(&result.text));
    }
    run_result_done(&result);
    return s->a->teller.flags->interrupt != 0 ? -1 : same ? 1 : 0;
}

/* The plan does not lead to the failure that was recorded. */
static int nothing_to_shrink(struct shrinking *s, const struct record *record)
{
    if (s->another.n != 0) {
        (void)fprintf(s->a->teller.err,
                      "assay shrink: the faults of the recorded run lead to another failure (%s): "
                      "nothing to shrink\n",
                      strbuf_cstr(&s->another));
        return EXIT_OTHER;
    }
    if (record->failure.kind != FAILURE_NONE) {
        (void)fprintf(s->a->teller.err,
                      "assay shrink: the recorded run fails only because of the order in "
                      "which its events were chosen: nothing to shrink\n");
        return EXIT_OTHER;
    }
    (void)fprintf(s->a->teller.err,
                  "assay shrink: the recorded run does not fail: nothing to shrink\n");
    return EXIT_USAGE;
}

static int ops_fail(void *arg, const bool *keep)
{
    struct shrinking *s = arg;
    run_ops_keep(s->cluster, &s->arena, &s->ops, keep);
    return still_fails(s, s->plan);
}

/* The last run that failed did all operations that there are: its history is in the directory. */
static int shrink_ops(struct shrinking *s, const struct plan *plan)
{
    struct err err;
    int status = still_fails(s, plan);
    if (status != 1 || run_ops_find(s->cluster, s->options.dir, &s->ops, &err) != 0 ||
        s->ops.v.n == 0) {
        return status < 0 ? status : 0; /* no client of ours, or nothing that it did */
    }
    bool *keep = ARENA_ARRAY(&s->arena, bool, s->ops.v.n);
    memset(keep, true, s->ops.v.n * sizeof *keep);
    s->plan = plan;
    status = run_shrink_items(s->ops.v.n, keep, ops_fail, s);
    size_t kept = 0;
    for (size_t i = 0; i < s->ops.v.n; i++) {
        kept += keep[i] ? 1 : 0;
    }
    run_ops_keep(s->cluster, &s->arena, &s->ops, keep);
    if (status == 0) {
        (void)fprintf(s->a->teller.out,
                      "%zu of %zu operations of clients are needed, after %u runs\n", kept,
                      s->ops.v.n, s->tried);
    }
    return status;
}

static int orders_fail(void *arg, const bool *keep)
{
    struct shrinking *s = arg;
    VEC_RESET(&s->some);
    for (size_t i = 0; i < s->candidates.n; i++) {
        if (keep[i]) {
            VEC_PUSH(&s->some, s->candidates.v[i]);
        }
    }
    s->orders = (struct run_orders){s->some.v, s->some.n};
    s->options.orders = &s->orders;
    return still_fails(s, s->plan);
}

/* Events that came before others that were due, because the cluster file has `reorder`. */
static int shrink_orders(struct shrinking *s, const struct plan *plan)
{
    int status = still_fails(s, plan);
    if (status != 1 || s->taken.n == 0) {
        return status < 0 ? status : 0;
    }
    for (size_t i = 0; i < s->taken.n; i++) {
        VEC_PUSH(&s->candidates, s->taken.v[i]);
    }
    bool *keep = ARENA_ARRAY(&s->arena, bool, s->candidates.n);
    memset(keep, true, s->candidates.n * sizeof *keep);
    s->plan = plan;
    status = run_shrink_items(s->candidates.n, keep, orders_fail, s);
    status = status == 0 ? orders_fail(s, keep) : status; /* the last that failed */
    if (status == 1) {
        (void)fprintf(s->a->teller.out, "%zu of %zu changes of order are needed, after %u runs\n",
                      s->some.n, s->candidates.n, s->tried);
    }
    return status < 0 ? status : 0;
}

static int changes_fail(void *arg, const bool *keep)
{
    struct shrinking *s = arg;
    VEC_RESET(&s->some_changes.v);
    for (size_t i = 0; i < s->changes.v.n; i++) {
        if (keep[i]) {
            VEC_PUSH(&s->some_changes.v, s->changes.v.v[i]);
        }
    }
    s->threads = (struct run_threads){s->some_changes.v.v, s->some_changes.v.n};
    s->options.threads = &s->threads;
    return still_fails(s, s->plan);
}

/* Threads that ran before others, because the cluster file has `preemptions`, or somebody chose
 * them. */
static int shrink_changes(struct shrinking *s, const struct plan *plan)
{
    size_t n = s->changes.v.n;
    bool *keep = ARENA_ARRAY(&s->arena, bool, n);
    memset(keep, true, n * sizeof *keep);
    s->plan = plan;
    int status = run_shrink_items(n, keep, changes_fail, s);
    status = status == 0 ? changes_fail(s, keep) : status; /* the last that failed */
    if (status == 1) {
        (void)fprintf(s->a->teller.out, "%zu of %zu changes of threads are needed, after %u runs\n",
                      s->some_changes.v.n, n, s->tried);
    }
    return status < 0 ? status : 0;
}

static int shrink_plan(struct shrinking *s, const struct record *record, struct plan *plan)
{
    const struct cluster *cluster = s->options.cluster;
    size_t before = plan->events.n;
    int status = still_fails(s, plan);
    if (status == 0) {
        return nothing_to_shrink(s, record);
    }
    status = status < 0 ? status : run_shrink(plan, still_fails, s);
    status = status < 0 || cluster->faults.reorder_ppm == 0 ? status : shrink_orders(s, plan);
    status = status < 0 || s->changes.v.n == 0 ? status : shrink_changes(s, plan);
    status = status < 0 || cluster->history.workload == NULL ? status : shrink_ops(s, plan);
    if (status < 0) {
        return s->a->teller.flags->interrupt != 0 ? EXIT_INTERRUPTED : EXIT_OTHER;
    }
    (void)fprintf(s->a->teller.out, "%zu of %zu planned events are needed, after %u runs:\n",
                  plan->events.n, before, s->tried);
    for (size_t i = 0; i < plan->events.n; i++) {
        SCOPED_STRBUF text = {0};
        event_print(cluster, &plan->events.v[i].event, &text);
        (void)fprintf(s->a->teller.out, "  %.6f s  %s\n", (double)plan->events.v[i].at_ns * 1e-9,
                      strbuf_cstr(&text));
    }
    struct run_result result;
    struct err err;
    s->options.plan = plan;
    status = engine_dir(s->options.dir, &s->lock, &err);
    status = status != 0 ? status : run_cluster(&s->options, &result, &err);
    if (status != 0) {
        return fail(s->a, "shrink", &err);
    }
    engine_save(&s->options, &result);
    status = engine_status(&s->a->teller, &result);
    engine_print(&s->a->teller, &s->options, &result, 0);
    add_case(s->a, cluster, s->options.seed, status, &result);
    run_result_done(&result);
    return status;
}

/* What `assay explore` has recorded is an order of events that no plan leads to: it is made smaller
 * as a search makes it. */
static int shrink_explored(const struct replay_args *a, const struct record *record,
                           struct cluster *cluster)
{
    struct err err;
    struct dir_lock lock = {0};
    struct finding finding = {0};
    struct recorded_options options = {cluster, record, a->out, &a->teller.flags->interrupt};
    SCOPED_STRBUF mark = {0};
    strbuf_printf(&mark, "%s/events.txt", a->out); /* by it the directory is known as ours */
    int status = engine_dir(a->out, &lock, &err);
    status = status != 0 ? status : file_write(strbuf_cstr(&mark), STR(""), &err);
    status = status != 0 ? status : recorded_smaller(&options, &finding, &err);
    if (status != 0) {
        status = fail(a, "shrink", &err);
    } else {
        (void)fprintf(a->teller.out, "%zu of %zu events of the search are needed\n", finding.path.n,
                      finding.found);
        (void)fprintf(a->teller.out, "violation: %s\n", strbuf_cstr(&finding.text));
        (void)fprintf(a->teller.out, "recorded: %s/replay%s; %s/diagram.txt\n", a->out,
                      finding.confirmed ? "" : " (which does not lead there again)", a->out);
        SCOPED_STRBUF replay = {0};
        strbuf_printf(&replay, "%s/replay", a->out);
        struct report_case c = {.name = "smaller",
                                .outcome = REPORT_FAILED,
                                .kind = "violation",
                                .message = strbuf_cstr(&finding.text)};
        struct report_finding f = {.rule = c.kind,
                                   .message = c.message,
                                   .place = {.file = report_path(cluster->path)},
                                   .artifact = strbuf_cstr(&replay)};
        report_subject(a->teller.report, f.place.file);
        report_add_both(a->teller.report, &c, &f);
        status = EXIT_SAFETY;
    }
    finding_done(&finding);
    dir_unlock(&lock);
    return status;
}

static int shrink(const struct replay_args *a, const struct record *record, struct cluster *cluster)
{
    if (record->independent) {
        return shrink_explored(a, record, cluster);
    }
    struct plan plan = {0};
    struct shrinking s = {
        .a = a,
        .options = {.cluster = cluster,
                    .seed = record->seed,
                    .local_clocks = record->local_clocks,
                    .choices = record->chosen,
                    .dir = a->out,
                    .interrupted = &a->teller.flags->interrupt,
                    .trace_fd = -1},
        .wanted = record->failure,
        .cluster = cluster,
        .orders = {record->orders.v, record->orders.n},
    };
    s.options.orders = record->only_orders ? &s.orders : NULL;
    take_changes(record, &s.changes);
    s.threads = (struct run_threads){s.changes.v.v, s.changes.v.n};
    s.options.threads = &s.threads;
    arena_init(&s.arena, 0);
    plan_of_record(&plan, cluster, record);
    int status = shrink_plan(&s, record, &plan);
    dir_unlock(&s.lock);
    strbuf_done(&s.another);
    run_ops_done(&s.ops);
    VEC_DONE(&s.taken);
    VEC_DONE(&s.candidates);
    VEC_DONE(&s.some);
    VEC_DONE(&s.changes.v);
    VEC_DONE(&s.some_changes.v);
    arena_done(&s.arena);
    plan_done(&plan);
    return status;
}

static int with_record(const struct replay_args *a, const char *command,
                       int (*fn)(const struct replay_args *a, const struct record *record,
                                 struct cluster *cluster))
{
    struct arena arena;
    struct record record = {0};
    struct cluster cluster;
    struct err err;
    arena_init(&arena, 0);
    (void)engine_pin(-1);
    struct observer *observer = NULL;
    int status = load(&arena, a, &record, &cluster, &err) != 0
                     ? fail(a, command, &err)
                     : engine_judge(&a->teller, &cluster, a->jsonl, &arena, &observer);
    status = status != EXIT_OK ? status : fn(a, &record, &cluster);
    observer_free(observer);
    record_done(&record);
    arena_done(&arena);
    return status;
}

int play_replay(const struct replay_args *a)
{
    return with_record(a, "replay", replay);
}

int play_shrink(const struct replay_args *a)
{
    return with_record(a, "shrink", shrink);
}
