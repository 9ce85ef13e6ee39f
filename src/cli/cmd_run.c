/* `assay run`: runs a cluster under seeds, once or many times. */
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
#include "base/err.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/engine_cmd.h"
#include "cli/interactive.h"
#include "cli/kind.h"
#include "cli/pool.h"
#include "cli/reports.h"
#include "cli/run_set.h"
#include "job/job.h"
#include "observe/observe.h"
#include "option/option.h"
#include "run/cluster.h"
#include "run/consent.h"
#include "run/event_text.h"
#include "run/independence.h"
#include "run/plan.h"
#include "run/record.h"
#include "run/runner.h"
#include "run/states.h"
#include "world/world.h"

enum { JOBS_MOST = 1024, BOOTS_MOST = 4 };

struct run_args {
    const char *file, *out, *trace;
    const char *allow[64];
    size_t n_allow;
    char *allow_text; /* owned; allow points into it */
    uint64_t seed, runs, jobs, verify, events, preemptions, branches, walks, states;
    double seconds, escape;
    uint64_t boots[BOOTS_MOST]; /* sorted */
    size_t n_boots;
    const char *boot_dir;
    int cpu;
    bool has_seed, no_faults, json, quiet, ci, pcap, capture, shiviz, jsonl, interactive;
};

static const char *set_seed(void *to, const char *value)
{
    struct run_args *a = to;
    a->has_seed = true;
    return read_u64(value, &a->seed) ? NULL : "a number";
}

static const char *set_cpu(void *to, const char *value)
{
    uint64_t cpu = 0;
    if (!read_u64(value, &cpu) || cpu > INT_MAX) {
        return "the number of a processor";
    }
    ((struct run_args *)to)->cpu = (int)cpu;
    return NULL;
}

static const char *set_escape(void *to, const char *value)
{
    struct run_args *a = to;
    return read_duration(value, &a->escape) && a->escape >= 0.001 ? NULL : "a time such as 0.2s";
}

/* Puts a time where it belongs, once. */
static bool add_boot(struct run_args *a, uint64_t ns)
{
    size_t at = 0;
    while (at < a->n_boots && a->boots[at] < ns) {
        at++;
    }
    if (at < a->n_boots && a->boots[at] == ns) {
        return true;
    }
    if (a->n_boots == BOOTS_MOST) {
        return false;
    }
    memmove(a->boots + at + 1, a->boots + at, (a->n_boots - at) * sizeof a->boots[0]);
    a->boots[at] = ns;
    a->n_boots++;
    return true;
}

static const char *set_boots(void *to, const char *value)
{
    struct run_args *a = to;
    char text[128], *save = NULL;
    a->n_boots = 0;
    bool good = strlen(value) < sizeof text;
    (void)snprintf(text, sizeof text, "%s", value);
    for (char *one = strtok_r(text, ",", &save); good && one != NULL;
         one = strtok_r(NULL, ",", &save)) {
        double seconds = 0;
        good =
            read_duration(one, &seconds) && seconds > 0 && add_boot(a, (uint64_t)(seconds * 1e9));
    }
    return good && a->n_boots != 0 ? NULL : "a time such as 5s, or up to four: 5s,20s";
}

static const char *set_allow(void *to, const char *value)
{
    struct run_args *a = to;
    char *save = NULL;
    free(a->allow_text);
    a->allow_text = strdup(value);
    a->n_allow = 0;
    for (char *name = a->allow_text != NULL ? strtok_r(a->allow_text, ",", &save) : NULL;
         name != NULL; name = strtok_r(NULL, ",", &save)) {
        if (a->n_allow + 1 == sizeof a->allow / sizeof a->allow[0]) {
            return "fewer names";
        }
        a->allow[a->n_allow++] = name;
    }
    return NULL;
}

#define CMD struct run_args
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_run[] = {
    {"", 0, "CLUSTER.toml", "*.toml", TO_TEXT(CMD, file), "", NULL},
    {"seed", 0, "N", NULL, TO_CALL(set_seed), "of everything that is random (default: the file's, else 1)", NULL},
    {"runs", 0, "N", NULL, TO_COUNT(CMD, runs), "that many runs, with seeds from --seed on", NULL},
    {"jobs", 'j', "N", NULL, TO_COUNT(CMD, jobs), "that many of them at a time; only what is wrong is printed, and a summary", NULL},
    {"time", 0, "TIME", NULL, TO_TIME(CMD, seconds), "of virtual time, such as 30s or 2m", NULL},
    {"events", 0, "N", NULL, TO_COUNT(CMD, events), "events at most", NULL},
    {"preemptions", 0, "N", NULL, TO_COUNT(CMD, preemptions),
     "N times at most another thread runs than would by itself, where threads make system calls", NULL},
    {"no-faults", 0, NULL, NULL, TO_FLAG(CMD, no_faults), "only what [[event]] says", NULL},
    {"interactive", 'i', NULL, NULL, TO_FLAG(CMD, interactive),
     "choose each event at a prompt, or from a pipe; 'help' there tells more", NULL},
    {"verify", 0, "N", NULL, TO_COUNT(CMD, verify),
     "then N runs more under other conditions: every event must be the same", NULL},
    {"ci", 0, NULL, NULL, TO_FLAG(CMD, ci), "a fault that was asked for and never happened is an error", NULL},
    {"out", 'o', "DIR", COMPLETE_DIR, TO_TEXT(CMD, out), "logs of nodes, events.txt and replay go there (assay-run)",
     NULL},
    {"pcap", 0, NULL, NULL, TO_FLAG(CMD, pcap), "also packets, for Wireshark", NULL},
    {"capture", 0, NULL, NULL, TO_FLAG(CMD, capture), "also what each node sends, receives and syncs, for `assay watch`", NULL},
    {"shiviz", 0, NULL, NULL, TO_FLAG(CMD, shiviz), "also events for ShiViz", NULL},
    {"jsonl", 0, NULL, NULL, TO_FLAG(CMD, jsonl), "also events as JSON lines", NULL},
    {"trace", 0, "FILE", COMPLETE_FILE, TO_TEXT(CMD, trace), "write every system call", NULL},
    {"allow", 0, "NAME,...", NULL, TO_CALL(set_allow), "let unmodelled system calls through to the real kernel", NULL},
    {"spin-escape", 0, "TIME", NULL, TO_CALL(set_escape),
     "leave loops without system calls that only wait, after TIME of real time", NULL},
    {"boot-cache", 0, "TIME,...", NULL, TO_CALL(set_boots),
     "keep the state of the cluster at TIME; a run that is the same until then begins there", NULL},
    {"branch-bench", 0, "N", NULL, TO_COUNT(CMD, branches),
     "snapshot half way and run on from there N times: speed, and equality", NULL},
    {"check-independence", 0, "N", NULL, TO_COUNT(CMD, walks),
     "half way, N random walks, each done again with events at different nodes in another order: memory must be the same", NULL},
    {"check-states", 0, "N", NULL, TO_COUNT(CMD, states),
     "half way, N random walks from snapshots: hashes of states must be those of the slow way; and what it costs", NULL},
    {"cpu", 0, "N", NULL, TO_CALL(set_cpu), "the processor to run on", NULL},
    {"json", 0, NULL, NULL, TO_FLAG(CMD, json), "one JSON document for each run", NULL},
    REPORT_OPTION,
    {"quiet", 'q', NULL, NULL, TO_FLAG(CMD, quiet), "only what is wrong", NULL},
    OPTIONS_END,
};
/* clang-format on */

static int parse_args(int argc, char **argv, struct run_args *ret)
{
    *ret = (struct run_args){.runs = 1, .jobs = 1, .out = "assay-run", .cpu = -1};
    int status = options_parse(options_of_run, argc, argv, ret);
    if (status == EXIT_OK && ret->interactive &&
        (ret->runs != 1 || ret->verify != 0 || ret->branches != 0)) {
        status = usage_error("run", "--interactive is one run: not with --runs, --verify or "
                                    "--branch-bench; 'assay replay' does it again");
    }
    ret->jobs = ret->jobs < ret->runs ? ret->jobs : ret->runs;
    if (status == EXIT_OK && ret->jobs > JOBS_MOST) {
        status = usage_error("run", "--jobs: at most %d", JOBS_MOST);
    }
    if (status == EXIT_OK && ret->jobs > 1 && (ret->trace != NULL || ret->cpu >= 0)) {
        status = usage_error("run", "--trace and --cpu are not for several runs at a time");
    }
    if (status == EXIT_OK && ret->file == NULL) {
        status = usage_error("run", "the cluster file is missing; 'assay init' writes one");
    }
    if (status == EXIT_OK && wrong_kind("run", ret->file, KIND_CLUSTER)) {
        status = EXIT_USAGE;
    }
    return status;
}

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
            (void)fprintf(stderr, "assay run: %s\n", err.text);
            return EXIT_OTHER;
        }
        char value[32];
        (void)snprintf(value, sizeof value, "%0*d", (int)(i % 20) + 1, 0);
        (void)setenv("ASSAY_VERIFY", value, 1);
        (void)engine_pin((int)(i % cpu_count())); /* slower, not wrong, when it fails */
        pid_t load = i % 3 == 2 ? start_load() : 0;
        int status = run_cluster(&options, &result, &err);
        stop_load(load);
        size_t at = first_difference(&wanted->record, &result.record);
        bool same = status == 0 && result.hash == wanted->hash && result.events == wanted->events;
        if (!same && *signals_flag() == 0) {
            (void)printf("run %" PRIu64 " of %" PRIu64 " differs at event %zu", i, a->verify,
                         at + 1);
            if (at < result.record.choices.n) {
                SCOPED_STRBUF what = {0};
                event_print(first->cluster, &result.record.choices.v[at].event, &what);
                (void)printf(" (%s)", strbuf_cstr(&what));
            }
            (void)printf("; compare %s/events.txt with %s/events.txt\n", first->dir, options.dir);
        }
        run_result_done(&result);
        if (!same) {
            return *signals_flag() != 0 ? EXIT_INTERRUPTED : EXIT_OTHER;
        }
    }
    if (!a->quiet) {
        (void)printf("verified: %" PRIu64 " more runs gave the same %" PRIu64
                     " events and hash %016" PRIx64 "\n",
                     a->verify, wanted->events, wanted->hash);
    }
    return EXIT_OK;
}

/* ---- running ---- */

/* In CI a fault that was asked for and never happened is an error: the run has shown nothing. */
static int check_fired(const struct run_result *result)
{
    int status = EXIT_OK;
    for (int i = 0; i < EV_KINDS; i++) {
        if (result->planned[i] != 0 && result->fired[i] == 0) {
            (void)printf("no %s ever happened, of %" PRIu64 " planned\n",
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
    bool show = !a->quiet && !a->json && isatty(STDERR_FILENO) != 0;
    struct interactive session = {.cluster = options->cluster,
                                  .dir = options->dir,
                                  .tty = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1};
    if (a->interactive) {
        options->choose = interactive_choose;
        options->choose_arg = &session;
        show = false;
    }
    plan_make(&plan, options->cluster, options->seed, !a->no_faults && !a->interactive);
    options->plan = &plan; /* for this run only */
    options->progress = show ? engine_progress : NULL;
    options->progress_arg = &options->seed;
    uint64_t begin = clock_mono_ns();
    struct dir_lock lock = {0};
    int status = engine_dir(options->dir, &lock, &err);
    status = status != 0 ? status : run_cluster(options, &result, &err);
    engine_progress_end(show);
    if (status != 0) {
        (void)fprintf(stderr, "assay run: %s\n", err.text);
        dir_unlock(&lock);
        options->plan = NULL;
        plan_done(&plan);
        run_set_add(set, options->seed, err.code == ERR_INVALID ? EXIT_CONFIG : EXIT_OTHER, NULL);
        return;
    }
    double seconds = (double)(clock_mono_ns() - begin) * 1e-9;
    engine_save(options, &result);
    status = engine_status(&result);
    if (a->json) {
        engine_print_json(options, &result, seconds);
    } else if (!a->quiet || status != EXIT_OK) {
        engine_print(options, &result, seconds);
    }
    if (status == EXIT_OK && a->ci) {
        status = check_fired(&result);
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
                                .interrupted = signals_flag(),
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
        (void)fprintf(stderr, "assay run: %s\n", err.text);
        return *signals_flag() != 0 ? EXIT_INTERRUPTED : EXIT_OTHER;
    }
    double each = result.restore_ms + result.run_ms;
    (void)printf(
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
        (void)fprintf(stderr, "assay run: %s\n", err.text);
    } else {
        (void)printf("%u of %u walks end the same in another order (%u events, %u at another "
                     "place)\n",
                     result.equal, result.walks, result.events, result.moved);
        if (result.first.n != 0) {
            (void)printf("first difference: %s\n", strbuf_cstr(&result.first));
        }
    }
    strbuf_done(&result.first);
    return status == 0 && result.equal == result.walks ? EXIT_OK
           : *signals_flag() != 0                      ? EXIT_INTERRUPTED
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
        (void)fprintf(stderr, "assay run: %s\n", err.text);
    } else {
        (void)printf("%u walks, %u events, %u snapshots: %s%s\n", r.walks, r.events, r.snapshots,
                     r.first.n == 0 ? "all hashes agree" : "different: ", strbuf_cstr(&r.first));
        (void)printf("restore %.2f ms and one event %.2f ms: %.2f ms; hash %.2f ms; all processes "
                     "anew %.2f ms, everything hashed %.2f ms, snapshot %.2f ms\n",
                     r.restore_ms, r.event_ms, r.both_ms, r.hash_ms, r.anew_ms, r.full_ms,
                     r.take_ms);
    }
    bool same = r.first.n == 0;
    strbuf_done(&r.first);
    return status == 0 && same ? EXIT_OK : *signals_flag() != 0 ? EXIT_INTERRUPTED : EXIT_OTHER;
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
        .interrupted = signals_flag(),
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
    (void)setvbuf(stdout, NULL, _IOFBF, (size_t)1 << 20);
    (void)engine_pin((int)(index % cpu_count())); /* slower, not wrong, when it fails */
    for (uint64_t i = index; i < a.runs && *signals_flag() == 0; i += a.jobs) {
        struct run_set set = {0};
        run_nth(&a, crew->cluster, i, -1, &set);
        (void)fflush(stdout);
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
        (void)fprintf(stderr, "\r%zu of %" PRIu64 " runs ", crew->set->notes.n, crew->a->runs);
        (void)fflush(stderr);
    }
}

static bool on_stop(void *arg)
{
    (void)arg;
    return *signals_flag() != 0;
}

static int run_jobs(const struct run_args *a, const struct cluster *cluster, struct run_set *set)
{
    struct crew crew = {.a = a,
                        .cluster = cluster,
                        .set = set,
                        .show = !a->quiet && !a->json && isatty(STDERR_FILENO) != 0};
    struct pool pool = {0};
    struct pool_events events = {.line = on_line, .stop = on_stop, .arg = &crew};
    struct err err;
    if (pool_start(&pool, (unsigned)a->jobs, worker_main, &crew, &err) != 0) {
        (void)fprintf(stderr, "assay run: %s\n", err.text);
        return EXIT_OTHER;
    }
    pool_wait(&pool, &events);
    pool_done(&pool);
    engine_progress_end(crew.show);
    if (*signals_flag() != 0) {
        return EXIT_INTERRUPTED;
    }
    if (crew.lost || set->notes.n != a->runs) {
        (void)fprintf(stderr, "assay run: only %zu of %" PRIu64 " runs have told how they ended\n",
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
            (void)fprintf(stderr, "assay run: --trace: %s\n", err.text);
            return EXIT_OTHER;
        }
    }
    if (a->jobs > 1) {
        status = run_jobs(a, cluster, &set);
    } else {
        for (uint64_t i = 0; i < a->runs && *signals_flag() == 0; i++) {
            run_nth(a, cluster, i, trace_fd, &set);
        }
    }
    run_set_cases(&set, cluster, a->out, a->runs > 1);
    int worst = run_set_report(&set, cluster, a->out, a->json, a->quiet, a->runs > 1 || a->ci);
    run_set_done(&set);
    if (trace_fd >= 0) {
        (void)close(trace_fd);
    }
    return status != EXIT_OK ? status : worst;
}

int cmd_run(int argc, char **argv)
{
    struct run_args a;
    int status = parse_args(argc, argv, &a);
    if (status != EXIT_OK) {
        return status;
    }
    struct arena arena;
    struct cluster cluster;
    struct err err;
    arena_init(&arena, 0);
    if (cluster_read(&arena, a.file, &cluster, &err) != 0) {
        (void)fprintf(stderr, "assay run: %s\n", err.text);
        arena_done(&arena);
        return err.code == ERR_NOT_FOUND || err.code == ERR_IO ? EXIT_OTHER : EXIT_CONFIG;
    }
    if (a.n_allow != 0) {
        cluster.allow = a.allow;
    }
    cluster.time_ns = a.seconds > 0 ? (uint64_t)(a.seconds * 1e9) : cluster.time_ns;
    cluster.limits.escape_ms =
        a.escape > 0 ? (uint64_t)(a.escape * 1000) : cluster.limits.escape_ms;
    cluster.preemptions = a.preemptions != 0 ? a.preemptions : cluster.preemptions;
    cluster.events_most = a.events != 0 ? a.events : cluster.events_most;
    cluster.bare = engine_bare();
    struct observer *observer = NULL;
    status = engine_judge(&cluster, a.jsonl, &arena, &observer);
    if (status != EXIT_OK) {
        arena_done(&arena);
        return status;
    }
    if (consent_needed(&cluster)) { /* who runs it has agreed; a replay may then do it again */
        SCOPED_STRBUF state = {0};
        engine_state_dir(&state);
        consent_give(&cluster, strbuf_cstr(&state));
    }
    a.boot_dir = a.n_boots != 0 ? job_cache_dir(&arena) : NULL;
    if (!engine_pin(a.cpu) && a.cpu >= 0) {
        observer_free(observer);
        arena_done(&arena);
        return usage_error("run", "--cpu %d: this process cannot run on such a processor", a.cpu);
    }
    status = a.branches != 0 ? branch_bench(&a, &cluster)
             : a.walks != 0  ? check_independence(&a, &cluster)
             : a.states != 0 ? check_states(&a, &cluster)
                             : run_all(&a, &cluster);
    free(a.allow_text);
    observer_free(observer);
    arena_done(&arena);
    return *signals_flag() != 0 ? EXIT_INTERRUPTED : status;
}
