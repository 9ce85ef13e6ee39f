/* Runs a cluster under seeds, once or many times. */
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/env.h"
#include "base/err.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "observe/observe.h"
#include "option/option.h"
#include "play/engine.h"
#include "play/interactive.h"
#include "play/play.h"
#include "play/run_set.h"
#include "pool/pool.h"
#include "run/cluster.h"
#include "run/consent.h"
#include "run/event_text.h"
#include "run/independence.h"
#include "run/plan.h"
#include "run/record.h"
#include "run/runner.h"
#include "run/states.h"
#include "world/world.h"

/* ---- verifying ---- */

/* The first choice at which two recordings differ; their common length when none does. */
static size_t first_difference(const struct record *a, const struct record *b)
{
    size_t n = a->choices.n < b->choices.n ? a->choices.n : b->choices.n;
    for (size_t i = 0; i < n; i++) {
        const struct choice *x = &a->choices.v[i], *y = &b->choices.v[i];
        if (x->hash != y->hash || x->event.kind != y->event.kind || x->event.id != y->event.id) {
            return i;
        }
    }
    return n;
}

/* A process that does nothing but keep the processor busy. */
static pid_t start_load(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        (void)signal(SIGTERM, SIG_DFL);
        (void)signal(SIGINT, SIG_DFL);
        (void)alarm(600);
        for (volatile uint64_t i = 0;; i++) {
        }
    }
    return pid;
}

static void stop_load(pid_t pid)
{
    if (pid > 0) {
        (void)kill(pid, SIGKILL);
        (void)waitpid(pid, NULL, 0);
    }
}

/* Runs again under other conditions: another core, directory and environment, and under load. */
static int verify(const struct run_args *a, const struct run_options *first,
                  const struct run_result *wanted)
{
    struct err err;
    for (uint64_t i = 1; i <= a->verify; i++) {
        SCOPED_STRBUF dir = {0};
        strbuf_printf(&dir, "%s/verify-%" PRIu64, first->dir, i);
        struct run_options options = *first;
        struct run_result result;
        options.dir = strbuf_cstr(&dir);
        options.trace_fd = -1;
        options.n_boots = 0; /* from its beginning */
        if (dir_make(options.dir, &err) != 0) {
            (void)fprintf(a->teller.err, "assay run: %s\n", err.text);
            return EXIT_OTHER;
        }
        char value[32];
        (void)snprintf(value, sizeof value, "%0*d", (int)(i % 20) + 1, 0);
        env_set("ASSAY_VERIFY", value);
        (void)engine_pin((int)(i % cpu_count())); /* slower, not wrong, when it fails */
        pid_t load = i % 3 == 2 ? start_load() : 0;
        int status = run_cluster(&options, &result, &err);
        stop_load(load);
        size_t at = first_difference(&wanted->record, &result.record);
        bool same = status == 0 && result.hash == wanted->hash && result.events == wanted->events;
        if (!same && a->teller.flags->interrupt == 0) {
            (void)fprintf(a->teller.out, "run %" PRIu64 " of %" PRIu64 " differs at event %zu", i,
                          a->verify, at + 1);
            if (at < result.record.choices.n) {
                SCOPED_STRBUF what = {0};
                event_print(first->cluster, &result.record.choices.v[at].event, &what);
                (void)fprintf(a->teller.out, " (%s)", strbuf_cstr(&what));
            }
            (void)fprintf(a->teller.out, "; compare %s/events.txt with %s/events.txt\n", first->dir,
                          options.dir);
        }
        run_result_done(&result);
        if (!same) {
            return a->teller.flags->interrupt != 0 ? EXIT_INTERRUPTED : EXIT_OTHER;
        }
    }
    if (!a->quiet) {
        (void)fprintf(a->teller.out,
                      "verified: %" PRIu64 " more runs gave the same %" PRIu64
                      " events and hash %016" PRIx64 "\n",
                      a->verify, wanted->events, wanted->hash);
    }
    return EXIT_OK;
}

/* ---- running ---- */

/* In CI a fault that was asked for and never happened is an error: the run has shown nothing. */
static int check_fired(const struct run_args *a, const struct run_result *result)
{
    int status = EXIT_OK;
    for (int i = 0; i < EV_KINDS; i++) {
        if (result->planned[i] != 0 && result->fired[i] == 0) {
            (void)fprintf(a->teller.out, "no %s ever happened, of %" PRIu64 " planned\n",
                          event_name((enum event_kind)i), result->planned[i]);
            status = EXIT_OTHER;
        }
    }
    return status;
}

static void run_seed(const struct run_args *a, struct run_options *options, struct run_set *set)
{
    struct run_result result;
    struct plan plan = {0};
    struct err err;
    bool show = !a->quiet && !a->json && isatty(fileno(a->teller.err)) != 0;
    struct interactive session = {.cluster = options->cluster,
                                  .teller = &a->teller,
                                  .dir = options->dir,
                                  .tty = isatty(STDIN_FILENO) == 1 &&
                                         isatty(fileno(a->teller.out)) == 1};
    if (a->interactive) {
        options->choose = interactive_choose;
        options->choose_arg = &session;
        show = false;
    }
    plan_make(&plan, options->cluster, options->seed, !a->no_faults && !a->interactive);
    options->plan = &plan; /* for this run only */
    options->progress = show ? engine_progress : NULL;
    struct engine_show shown = {&a->teller, options->seed};
    options->progress_arg = &shown;
    uint64_t begin = clock_mono_ns();
    struct dir_lock lock = {0};
    int status = engine_dir(options->dir, &lock, &err);
    status = status != 0 ? status : run_cluster(options, &result, &err);
    engine_progress_end(&a->teller, show);
    if (status != 0) {
        (void)fprintf(a->teller.err, "assay run: %s\n", err.text);
        dir_unlock(&lock);
        options->plan = NULL;
        plan_done(&plan);
        run_set_add(set, options->seed, err.code == ERR_INVALID ? EXIT_CONFIG : EXIT_OTHER, NULL);
        return;
    }
    double seconds = (double)(clock_mono_ns() - begin) * 1e-9;
    engine_save(options, &result);
    status = engine_status(&a->teller, &result);
    if (a->json) {
        engine_print_json(&a->teller, options, &result, seconds);
    } else if (!a->quiet || status != EXIT_OK) {
        engine_print(&a->teller, options, &result, seconds);
    }
    if (status == EXIT_OK && a->ci) {
        status = check_fired(a, &result);
    }
    if ((status == EXIT_OK || status == EXIT_SAFETY) && a->verify != 0) {
        int same = verify(a, options, &result);
        status = same != EXIT_OK ? same : status;
    }
    run_set_add(set, options->seed, status, &result);
    run_result_done(&result);
    dir_unlock(&lock);
    options->plan = NULL;
    plan_done(&plan);
}

static struct run_options from_half_way(const struct run_args *a, const struct cluster *cluster)
{
    return (struct run_options){.cluster = cluster,
                                .seed = a->has_seed ? a->seed : cluster->seed,
                                .dir = a->out,
                                .interrupted = &a->teller.flags->interrupt,
                                .trace_fd = -1};
}

/* A directory of ours, locked, with no events yet. */
MUST_USE static int empty_dir(const char *dir, struct dir_lock *lock, struct err *err)
{
    SCOPED_STRBUF mark = {0};
    strbuf_printf(&mark, "%s/events.txt", dir);
    int status = engine_dir(dir, lock, err);
    return status != 0 ? status : file_write(strbuf_cstr(&mark), STR(""), err);
}

/* Snapshots half way, and goes on from there again and again. */
static int branch_bench(const struct run_args *a, const struct cluster *cluster)
{
    struct branch_options branch = {cluster->time_ns / 2, cluster->time_ns / 20,
                                    (uint32_t)a->branches};
    struct run_options options = from_half_way(a, cluster);
    struct branch_result result;
    struct err err;
    struct dir_lock lock = {0};
    int status = empty_dir(a->out, &lock, &err);
    status = status != 0 ? status : run_branches(&options, &branch, &result, &err);
    dir_unlock(&lock);
    if (status != 0) {
        (void)fprintf(a->teller.err, "assay run: %s\n", err.text);
        return a->teller.flags->interrupt != 0 ? EXIT_INTERRUPTED : EXIT_OTHER;
    }
    double each = result.restore_ms + result.run_ms;
    (void)fprintf(
        a->teller.out,
        "%u processes, %u threads; snapshot %.2f ms; kill and copy %.2f ms, run %.2f ms: %.1f "
        "branches/s\n%u of %" PRIu64 " branches end like the straight run\n",
        result.processes, result.threads, result.take_ms, result.restore_ms, result.run_ms,
        each > 0 ? 1000 / each : 0, result.equal, a->branches);
    return result.equal == a->branches ? EXIT_OK : EXIT_OTHER;
}

/* Random walks from half way, each in two orders that should make no difference. */
static int check_independence(const struct run_args *a, const struct cluster *cluster)
{
    enum { LENGTH = 30 };
    struct independence_options how = {
        .at_ns = cluster->time_ns / 2, .walks = (uint32_t)a->walks, .length = LENGTH};
    struct run_options options = from_half_way(a, cluster);
    struct independence result = {0};
    struct err err;
    struct dir_lock lock = {0};
    int status = empty_dir(a->out, &lock, &err);
    status = status != 0 ? status : run_independence(&options, &how, &result, &err);
    dir_unlock(&lock);
    if (status != 0) {
        (void)fprintf(a->teller.err, "assay run: %s\n", err.text);
    } else {
        (void)fprintf(a->teller.out,
                      "%u of %u walks end the same in another order (%u events, %u at another "
                      "place)\n",
                      result.equal, result.walks, result.events, result.moved);
        if (result.first.n != 0) {
            (void)fprintf(a->teller.out, "first difference: %s\n", strbuf_cstr(&result.first));
        }
    }
    strbuf_done(&result.first);
    return status == 0 && result.equal == result.walks ? EXIT_OK
           : a->teller.flags->interrupt != 0           ? EXIT_INTERRUPTED
                                                       : EXIT_OTHER;
}

/* Random walks from half way: what is quick must come to the same as what is slow. */
static int check_states(const struct run_args *a, const struct cluster *cluster)
{
    enum { LENGTH = 12 };
    struct states_options how = {cluster->time_ns / 2, (uint32_t)a->states, LENGTH};
    struct run_options options = from_half_way(a, cluster);
    struct states r = {0};
    struct err err;
    struct dir_lock lock = {0};
    int status = empty_dir(a->out, &lock, &err);
    status = status != 0 ? status : run_states(&options, &how, &r, &err);
    dir_unlock(&lock);
    if (status != 0) {
        (void)fprintf(a->teller.err, "assay run: %s\n", err.text);
    } else {
        (void)fprintf(a->teller.out, "%u walks, %u events, %u snapshots: %s%s\n", r.walks, r.events,
                      r.snapshots,
                      r.first.n == 0 ? "all hashes agree" : "different: ", strbuf_cstr(&r.first));
        (void)fprintf(a->teller.out,
                      "restore %.2f ms and one event %.2f ms: %.2f ms; hash %.2f ms; all processes "
                      "anew %.2f ms, everything hashed %.2f ms, snapshot %.2f ms\n",
                      r.restore_ms, r.event_ms, r.both_ms, r.hash_ms, r.anew_ms, r.full_ms,
                      r.take_ms);
    }
    bool same = r.first.n == 0;
    strbuf_done(&r.first);
    return status == 0 && same               ? EXIT_OK
           : a->teller.flags->interrupt != 0 ? EXIT_INTERRUPTED
                                             : EXIT_OTHER;
}

/* The i-th run of several. */
static void run_nth(const struct run_args *a, const struct cluster *cluster, uint64_t i,
                    int trace_fd, struct run_set *set)
{
    uint64_t seed = (a->has_seed ? a->seed : cluster->seed) + i;
    SCOPED_STRBUF dir = {0};
    strbuf_adds(&dir, a->out);
    if (a->runs > 1) {
        strbuf_printf(&dir, "-%" PRIu64, seed);
    }
    struct run_options options = {
        .cluster = cluster,
        .seed = seed,
        .dir = strbuf_cstr(&dir),
        .interrupted = &a->teller.flags->interrupt,
        .trace_fd = trace_fd,
        .pcap = a->pcap,
        .capture = a->capture,
        .shiviz = a->shiviz,
        .jsonl = a->jsonl,
        .boots = a->boots,
        .n_boots = a->n_boots,
        .boot_dir = a->boot_dir,
    };
    run_seed(a, &options, set);
}

/* ---- several at a time ---- */

struct crew {
    const struct run_args *a;
    const struct cluster *cluster;
    struct run_set *set;
    bool show, lost;
};

/* In a process of its own: every so-many-th run. What is wrong is printed at once, in one piece. */
static int worker_main(void *arg, unsigned index, FILE *out)
{
    const struct crew *crew = arg;
    struct run_args a = *crew->a;
    a.quiet = true;
    (void)setvbuf(a.teller.out, NULL, _IOFBF, (size_t)1 << 20);
    (void)engine_pin((int)(index % cpu_count())); /* slower, not wrong, when it fails */
    for (uint64_t i = index; i < a.runs && a.teller.flags->interrupt == 0; i += a.jobs) {
        struct run_set set = {0};
        run_nth(&a, crew->cluster, i, -1, &set);
        (void)fflush(a.teller.out);
        for (size_t k = 0; k < set.notes.n; k++) {
            run_set_write(&set.notes.v[k], out);
        }
        run_set_done(&set);
    }
    return EXIT_OK;
}

static void on_line(void *arg, unsigned worker, const char *line)
{
    struct crew *crew = arg;
    (void)worker;
    crew->lost = !run_set_read(crew->set, line) || crew->lost;
    if (crew->show) {
        (void)fprintf(crew->a->teller.err, "\r%zu of %" PRIu64 " runs ", crew->set->notes.n,
                      crew->a->runs);
        (void)fflush(crew->a->teller.err);
    }
}

static bool on_stop(void *arg)
{
    const struct crew *crew = arg;
    return crew->a->teller.flags->interrupt != 0;
}

static int run_jobs(const struct run_args *a, const struct cluster *cluster, struct run_set *set)
{
    struct crew crew = {.a = a,
                        .cluster = cluster,
                        .set = set,
                        .show = !a->quiet && !a->json && isatty(fileno(a->teller.err)) != 0};
    struct pool pool = {0};
    struct pool_events events = {.line = on_line, .stop = on_stop, .arg = &crew};
    struct err err;
    if (pool_start(&pool, (unsigned)a->jobs, worker_main, &crew, &err) != 0) {
        (void)fprintf(a->teller.err, "assay run: %s\n", err.text);
        return EXIT_OTHER;
    }
    pool_wait(&pool, &events);
    pool_done(&pool);
    engine_progress_end(&a->teller, crew.show);
    if (a->teller.flags->interrupt != 0) {
        return EXIT_INTERRUPTED;
    }
    if (crew.lost || set->notes.n != a->runs) {
        (void)fprintf(a->teller.err,
                      "assay run: only %zu of %" PRIu64 " runs have told how they ended\n",
                      set->notes.n, a->runs);
        return EXIT_OTHER;
    }
    return EXIT_OK;
}

static int run_all(const struct run_args *a, const struct cluster *cluster)
{
    int trace_fd = -1, status = EXIT_OK;
    struct run_set set = {0};
    if (a->trace != NULL) {
        struct err err;
        if (file_create_locked(a->trace, &trace_fd, &err) != 0) {
            (void)fprintf(a->teller.err, "assay run: --trace: %s\n", err.text);
            return EXIT_OTHER;
        }
    }
    if (a->jobs > 1) {
        status = run_jobs(a, cluster, &set);
    } else {
        for (uint64_t i = 0; i < a->runs && a->teller.flags->interrupt == 0; i++) {
            run_nth(a, cluster, i, trace_fd, &set);
        }
    }
    run_set_cases(&a->teller, &set, cluster, a->out, a->runs > 1);
    int worst =
        run_set_report(&a->teller, &set, cluster, a->out, a->json, a->quiet, a->runs > 1 || a->ci);
    run_set_done(&set);
    if (trace_fd >= 0) {
        (void)close(trace_fd);
    }
    return status != EXIT_OK ? status : worst;
}

int play_run(struct run_args *a)
{
    int status;
    struct arena arena;
    struct cluster cluster;
    struct err err;
    arena_init(&arena, 0);
    if (cluster_read(&arena, a->file, &cluster, &err) != 0) {
        (void)fprintf(a->teller.err, "assay run: %s\n", err.text);
        arena_done(&arena);
        return err.code == ERR_NOT_FOUND || err.code == ERR_IO ? EXIT_OTHER : EXIT_CONFIG;
    }
    if (a->n_allow != 0) {
        cluster.allow = a->allow;
    }
    cluster.time_ns = a->seconds > 0 ? (uint64_t)(a->seconds * 1e9) : cluster.time_ns;
    cluster.limits.escape_ms =
        a->escape > 0 ? (uint64_t)(a->escape * 1000) : cluster.limits.escape_ms;
    cluster.preemptions = a->preemptions != 0 ? a->preemptions : cluster.preemptions;
    cluster.events_most = a->events != 0 ? a->events : cluster.events_most;
    cluster.bare = engine_bare();
    struct observer *observer = NULL;
    status = engine_judge(&a->teller, &cluster, a->jsonl, &arena, &observer);
    if (status != EXIT_OK) {
        arena_done(&arena);
        return status;
    }
    if (consent_needed(&cluster)) { /* who runs it has agreed; a replay may then do it again */
        SCOPED_STRBUF state = {0};
        engine_state_dir(&state);
        consent_give(&cluster, strbuf_cstr(&state));
    }
    a->boot_dir = a->n_boots != 0 ? a->cache : NULL;
    if (!engine_pin(a->cpu) && a->cpu >= 0) {
        observer_free(observer);
        arena_done(&arena);
        return option_usage(a->teller.err, "run",
                            "--cpu %d: this process cannot run on such a processor", a->cpu);
    }
    status = a->branches != 0 ? branch_bench(a, &cluster)
             : a->walks != 0  ? check_independence(a, &cluster)
             : a->states != 0 ? check_states(a, &cluster)
                              : run_all(a, &cluster);
    observer_free(observer);
    arena_done(&arena);
    return a->teller.flags->interrupt != 0 ? EXIT_INTERRUPTED : status;
}
