/* libassay on specifications: verdicts and numbers (TLC's, from specs/TwoPhase/expect), states by
 * hand against the search, two jobs in two threads, and a host that stays as it is. */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "api/assay.h"
#include "test.h"

#define TWO_PHASE "specs/TwoPhase/TwoPhase.tla"
#define HASTY     "specs/TwoPhase/TwoPhaseHasty.tla"

static assay_spec *opened(const char *path, const struct assay_options *options)
{
    char *error = NULL;
    assay_spec *spec = assay_spec_open(path, options, &error);
    if (spec == NULL) {
        fprintf(stderr, "%s\n", error);
    }
    CHECK(spec != NULL && error == NULL);
    return spec;
}

static void contains(const char *text, const char *part)
{
    if (text == NULL || strstr(text, part) == NULL) {
        fprintf(stderr, "'%s' does not contain '%s'\n", text != NULL ? text : "(null)", part);
        exit(1);
    }
}

/* ---- checking ---- */

static struct assay_result checked(assay_spec *spec, unsigned workers,
                                   const struct assay_callbacks *calls, int want)
{
    struct assay_check_options options = {.size = sizeof options, .workers = workers};
    struct assay_result result = {.size = sizeof result};
    char *error = NULL;
    int verdict = assay_check(spec, &options, calls, &result, &error);
    if (error != NULL) {
        fprintf(stderr, "%s\n", error);
    }
    CHECK_EQ(verdict, want);
    CHECK_EQ(result.verdict, want);
    return result;
}

TEST(holds)
{
    assay_spec *spec = opened(TWO_PHASE, NULL);
    struct assay_result r = checked(spec, 2, NULL, ASSAY_HOLDS);
    CHECK_EQ(r.generated, 37346);
    CHECK_EQ(r.distinct, 8832);
    CHECK_EQ(r.depth, 17);
    CHECK_EQ(r.status, 0);
    CHECK(r.complete);
    CHECK_EQ(checked(spec, 1, NULL, ASSAY_HOLDS).distinct, 8832); /* again */
    assay_spec_close(spec);
}

struct told {
    int n;
    char kind[64], property[64], message[4096];
    assay_trace *trace;
};

static void on_violation(void *arg, const struct assay_violation *v)
{
    struct told *told = arg;
    told->n++;
    (void)snprintf(told->kind, sizeof told->kind, "%s", v->kind);
    (void)snprintf(told->property, sizeof told->property, "%s", v->property);
    (void)snprintf(told->message, sizeof told->message, "%s", v->message);
    assay_trace_free(told->trace);
    told->trace = v->trace != NULL ? assay_trace_keep(v->trace) : NULL;
}

TEST(violated)
{
    struct told told = {0};
    struct assay_callbacks calls = {.size = sizeof calls, .arg = &told, .violation = on_violation};
    char *error = NULL;
    assay_spec *spec = opened(HASTY, NULL);
    struct assay_result r = checked(spec, 1, &calls, ASSAY_VIOLATED);
    CHECK_EQ(r.generated, 383);
    CHECK_EQ(r.distinct, 146);
    CHECK_EQ(r.status, 12);
    CHECK_EQ(told.n, 1);
    CHECK_STR(told.kind, "invariant");
    CHECK_STR(told.property, "Validity");
    contains(told.message, "Validity");
    assay_spec_close(spec); /* the trace stays */
    CHECK_EQ(assay_trace_length(told.trace), 6);
    CHECK_EQ(assay_trace_loop(told.trace), -1);
    CHECK_STR(assay_trace_label(told.trace, 0), "Initial predicate");
    CHECK_STR(assay_trace_label(told.trace, 5), "HastyCommit");
    CHECK(assay_trace_label(told.trace, 6) == NULL);
    char *state = assay_trace_state(told.trace, 5, &error);
    contains(state, "\"verdict\":\"commit\"");
    assay_free(state);
    CHECK(assay_trace_state(told.trace, 6, &error) == NULL);
    contains(error, "the trace has 6");
    assay_free(error);
    assay_trace_free(told.trace);
}

TEST(liveness_lasso)
{
    struct told told = {0};
    struct assay_callbacks calls = {.size = sizeof calls, .arg = &told, .violation = on_violation};
    struct assay_options options = {.size = sizeof options,
                                    .config = "specs/TwoPhase/TwoPhaseUnfair.cfg"};
    assay_spec *spec = opened(TWO_PHASE, &options);
    (void)checked(spec, 1, &calls, ASSAY_LIVENESS);
    CHECK(assay_trace_loop(told.trace) >= 0);
    assay_trace_free(told.trace);
    assay_spec_close(spec);
}

TEST(options_count)
{
    static const char *const constants[] = {"Participant={a, b, c}", NULL};
    static const char *const invariants[] = {"Cardinality({}) = 0 /\\ verdict # \"commit\"", NULL};
    static const char *const plain[] = {"verdict # \"commit\"", NULL};
    struct assay_options options = {
        .size = sizeof options, .constants = constants, .invariants = plain};
    char *error = NULL;
    assay_spec *spec = opened(TWO_PHASE, &options);
    (void)checked(spec, 1, NULL, ASSAY_VIOLATED);
    assay_spec_close(spec);
    options.invariants = invariants; /* the module does not extend FiniteSets */
    CHECK(assay_spec_open(TWO_PHASE, &options, &error) == NULL);
    contains(error, "Cardinality");
    assay_free(error);
}

/* A structure of an older version ends earlier: what is behind it is not read. */
TEST(sizes_count)
{
    struct assay_check_options options;
    memset(&options, 0xff, sizeof options);
    options.size = offsetof(struct assay_check_options, mode);
    options.workers = 1;
    struct assay_result result;
    memset(&result, 0x55, sizeof result);
    result.size = offsetof(struct assay_result, generated);
    assay_spec *spec = opened(TWO_PHASE, NULL);
    CHECK_EQ(assay_check(spec, &options, NULL, &result, NULL), ASSAY_HOLDS);
    CHECK_EQ(result.distinct, 8832);
    CHECK_EQ(result.generated, 0x5555555555555555);
    assay_spec_close(spec);
}

static int stop_at_once(void *arg, const struct assay_progress *p)
{
    (void)p;
    ++*(int *)arg;
    return 1;
}

TEST(progress_stops)
{
    int called = 0;
    struct assay_callbacks calls = {.size = sizeof calls, .arg = &called, .progress = stop_at_once};
    struct assay_check_options options = {.size = sizeof options,
                                          .workers = 1,
                                          .mode = ASSAY_RANDOM, /* for ever */
                                          .progress_seconds = 0.01};
    assay_spec *spec = opened(TWO_PHASE, NULL);
    CHECK_EQ(assay_check(spec, &options, &calls, NULL, NULL), ASSAY_UNFINISHED);
    CHECK(called > 0);
    options.mode = 7;
    char *error = NULL;
    CHECK_EQ(assay_check(spec, &options, &calls, NULL, &error), -1);
    contains(error, "mode 7");
    assay_free(error);
    assay_spec_close(spec);
}

static void *stop_soon(void *spec)
{
    (void)usleep(50000);
    assay_stop(spec);
    return NULL;
}

TEST(another_thread_stops)
{
    struct assay_check_options options = {
        .size = sizeof options, .workers = 1, .mode = ASSAY_RANDOM};
    assay_spec *spec = opened(TWO_PHASE, NULL);
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, stop_soon, spec), 0);
    CHECK_EQ(assay_check(spec, &options, NULL, NULL, NULL), ASSAY_UNFINISHED);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    options.mode = ASSAY_BREADTH_FIRST;
    CHECK_EQ(assay_check(spec, &options, NULL, NULL, NULL), ASSAY_HOLDS);
    assay_spec_close(spec);
}

/* ---- states by hand ---- */

struct graph {
    uint64_t *queue;
    size_t n;
    bool *seen;
    uint64_t generated;
    const char *violated;
};
enum { STATES_MOST = 20000 };

static int take(void *arg, const struct assay_step *step)
{
    struct graph *g = arg;
    g->generated++;
    CHECK(step->state > 0 && step->state < STATES_MOST);
    CHECK(step->action != NULL && step->label != NULL);
    g->violated = g->violated == NULL ? step->violated : g->violated;
    if (!g->seen[step->state]) {
        g->seen[step->state] = true;
        g->queue[g->n++] = step->state;
    }
    return 0;
}

/* A search of a few lines over assay_steps finds what assay_check finds. States of different depth
 * have numbers of their own: states are told by their text. */
TEST(walk_finds_the_same)
{
    static const char *const constants[] = {"Participant={a, b}", NULL};
    struct assay_options options = {.size = sizeof options, .constants = constants};
    assay_spec *spec = opened(TWO_PHASE, &options);
    struct graph g = {.queue = calloc(STATES_MOST, sizeof *g.queue),
                      .seen = calloc(STATES_MOST, sizeof *g.seen)};
    char **texts = (char **)calloc(STATES_MOST, sizeof *texts);
    size_t distinct = 0;
    CHECK_EQ(assay_steps(spec, 0, take, &g, NULL), 1);
    for (size_t i = 0; i < g.n; i++) {
        char *text = assay_state(spec, g.queue[i], NULL);
        bool known = false;
        for (size_t k = 0; k < distinct && !known; k++) {
            known = strcmp(texts[k], text) == 0;
        }
        if (known) {
            assay_free(text);
            continue;
        }
        texts[distinct++] = text;
        CHECK(assay_steps(spec, g.queue[i], take, &g, NULL) >= 0);
    }
    struct assay_result r = checked(spec, 1, NULL, ASSAY_HOLDS);
    CHECK_EQ(distinct, r.distinct);
    CHECK_EQ(g.generated, r.generated);
    CHECK(g.violated == NULL);
    for (size_t k = 0; k < distinct; k++) {
        assay_free(texts[k]);
    }
    free((void *)texts);
    free(g.queue);
    free(g.seen);
    assay_spec_close(spec);
}

static int first_only(void *arg, const struct assay_step *step)
{
    *(uint64_t *)arg = step->state;
    return 1;
}

TEST(expressions)
{
    assay_spec *spec = opened(TWO_PHASE, NULL);
    uint64_t initial = 0;
    char *error = NULL;
    CHECK_EQ(assay_steps(spec, 0, first_only, &initial, NULL), 1);
    char *value = assay_eval(spec, 0, "{x * x : x \\in {1, 2, 3}}", &error);
    CHECK(value == NULL); /* the module extends no module with numbers */
    assay_free(error);
    value = assay_eval(spec, 0, "{p, p} \\cup {q}", &error);
    contains(error, "unknown name 'p'");
    assay_free(error);
    value = assay_eval(spec, 0, "SUBSET {TRUE}", &error);
    CHECK_STR(value, "{{}, {TRUE}}");
    assay_free(value);
    value = assay_eval(spec, initial, "[p \\in Participant |-> outcome[p] = \"working\"]", &error);
    contains(value, "TRUE");
    assay_free(value);
    value = assay_eval(spec, initial, "outcome[\"nobody\"]", &error);
    CHECK(value == NULL);
    contains(error, "nobody");
    assay_free(error);
    CHECK(assay_eval(spec, 12345, "verdict", &error) == NULL);
    contains(error, "there is no state 12345");
    assay_free(error);
    CHECK_EQ(assay_steps(spec, 12345, NULL, NULL, &error), -1);
    contains(error, "there is no state 12345");
    assay_free(error);
    CHECK_EQ(checked(spec, 1, NULL, ASSAY_HOLDS).distinct, 8832); /* nothing of it stays */
    assay_spec_close(spec);
}

/* ---- what is wrong is told ---- */

static void refuses(const char *path, const struct assay_options *options, const char *part)
{
    char *error = NULL;
    CHECK(assay_spec_open(path, options, &error) == NULL);
    contains(error, part);
    assay_free(error);
    CHECK(assay_spec_open(path, options, NULL) == NULL); /* nobody wants to know */
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(text, file) >= 0);
    CHECK_EQ(fclose(file), 0);
}

TEST(errors)
{
    char dir[] = "/tmp/assay-api-XXXXXX", spec[128], config[128];
    CHECK(mkdtemp(dir) != NULL);
    (void)snprintf(spec, sizeof spec, "%s/Bad.tla", dir);
    (void)snprintf(config, sizeof config, "%s/Bad.cfg", dir);
    refuses(NULL, NULL, "path");
    refuses("specs/Nothing.tla", NULL, "specs/Nothing.tla");
    refuses(dir, NULL, dir);
    write_file(config, "INIT Init\nNEXT Next\n");
    write_file(spec, "---- MODULE Bad ----\nVARIABLE x\nInit == x = \nNext == x' = x\n====\n");
    refuses(spec, NULL, "Bad.tla:3");
    write_file(
        spec,
        "---- MODULE Bad ----\nVARIABLE x\nASSUME FALSE\nInit == x = 1\nNext == x' = x\n====\n");
    refuses(spec, NULL, "ssumption");
    write_file(config, "INIT Init\nNEXT Nxt\n");
    refuses(spec, NULL, "Nxt");
    write_file(config, "INIT Init\nNEXT Next\n");
    write_file(spec, "---- MODULE Bad ----\nVARIABLE x\nInit == x = 1\nNext == x' = x[2]\n====\n");
    struct told told = {0};
    struct assay_callbacks calls = {.size = sizeof calls, .arg = &told, .violation = on_violation};
    assay_spec *bad = opened(spec, NULL);
    (void)checked(bad, 1, &calls, ASSAY_EVALUATION);
    CHECK_EQ(told.n, 1);
    CHECK_EQ(assay_trace_length(told.trace), 1);
    assay_trace_free(told.trace);
    assay_spec_close(bad);
    (void)unlink(spec);
    (void)unlink(config);
    CHECK_EQ(rmdir(dir), 0);
}

TEST(traces)
{
    char dir[] = "/tmp/assay-api-XXXXXX", path[128];
    struct told told = {0};
    struct assay_callbacks calls = {.size = sizeof calls, .arg = &told, .violation = on_violation};
    static const char *const suffixes[] = {"json", "itf.json", "tla", "dot", "txt"};
    char *error = NULL;
    CHECK(mkdtemp(dir) != NULL);
    assay_spec *spec = opened(HASTY, NULL);
    (void)checked(spec, 1, &calls, ASSAY_VIOLATED);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/T.%s", dir, suffixes[i]);
        CHECK_EQ(assay_trace_write(told.trace, path, &error), 0);
        assay_trace *again = assay_trace_read(path, &error);
        CHECK((again != NULL) == (i < 2)); /* JSON is read */
        if (again != NULL) {
            CHECK_EQ(assay_trace_length(again), 6);
            char *is = assay_trace_state(again, 5, NULL);
            contains(is, "\"verdict\":\"commit\"");
            CHECK_EQ(assay_trace_write(again, path, &error), 0);
            assay_trace *twice = assay_trace_read(path, &error);
            char *same = assay_trace_state(twice, 5, NULL);
            CHECK_STR(same, is);
            assay_free(same);
            assay_free(is);
            assay_trace_free(twice);
            assay_trace_free(again);
        }
        assay_free(error);
        (void)unlink(path);
    }
    (void)snprintf(path, sizeof path, "%s/T.pdf", dir);
    CHECK_EQ(assay_trace_write(told.trace, path, &error), -1);
    contains(error, "suffix");
    assay_free(error);
    CHECK(assay_trace_read("specs/TwoPhase/TwoPhase.tla", &error) == NULL);
    contains(error, "TwoPhase.tla");
    assay_free(error);
    assay_trace_free(told.trace);
    assay_spec_close(spec);
    CHECK_EQ(rmdir(dir), 0);
}

/* ---- several at once ---- */

struct job {
    const char *path;
    int want;
    uint64_t distinct, states;
    struct told told;
};

static void *run_job(void *arg)
{
    struct job *job = arg;
    struct assay_callbacks calls = {
        .size = sizeof calls, .arg = &job->told, .violation = on_violation};
    for (int i = 0; i < 3; i++) {
        assay_spec *spec = opened(job->path, NULL);
        uint64_t state = 0;
        CHECK_EQ(assay_steps(spec, 0, first_only, &state, NULL), 1);
        char *text = assay_eval(spec, state, "verdict", NULL);
        CHECK_STR(text, "\"none\"");
        assay_free(text);
        job->distinct = checked(spec, 1, &calls, job->want).distinct;
        job->states = job->told.trace != NULL ? assay_trace_length(job->told.trace) : 0;
        assay_spec_close(spec);
    }
    assay_trace_free(job->told.trace);
    return NULL;
}

TEST(two_jobs_in_two_threads)
{
    struct job jobs[] = {
        {.path = TWO_PHASE, .want = ASSAY_HOLDS   },
        {.path = HASTY,     .want = ASSAY_VIOLATED}
    };
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(pthread_create(&threads[i], NULL, run_job, &jobs[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    }
    CHECK_EQ(jobs[0].distinct, 8832);
    CHECK_EQ(jobs[1].distinct, 146);
    CHECK_EQ(jobs[0].states, 0);
    CHECK_EQ(jobs[1].states, 6);
}

/* One object, asked by two threads: calls wait for each other. */
static void *ask(void *arg)
{
    for (int i = 0; i < 50; i++) {
        char *value = assay_eval(arg, 0, "{TRUE} \\cup {FALSE}", NULL);
        CHECK_STR(value, "{FALSE, TRUE}");
        assay_free(value);
    }
    return NULL;
}

TEST(one_object_in_two_threads)
{
    assay_spec *spec = opened(TWO_PHASE, NULL);
    pthread_t other;
    CHECK_EQ(pthread_create(&other, NULL, ask, spec), 0);
    (void)ask(spec);
    CHECK_EQ(pthread_join(other, NULL), 0);
    assay_spec_close(spec);
}

/* ---- the host ---- */

struct host {
    struct sigaction actions[65];
    sigset_t mask;
    mode_t umask;
    char dir[4096];
    struct rlimit limits[RLIMIT_NLIMITS];
    int files, threads;
};

static int entries(const char *path)
{
    int n = 0;
    DIR *dir = opendir(path);
    while (dir != NULL && readdir(dir) != NULL) {
        n++;
    }
    (void)closedir(dir);
    return n;
}

static void look(struct host *h)
{
    memset(h, 0, sizeof *h);
    for (int sig = 1; sig <= 64; sig++) {
        (void)sigaction(sig, NULL, &h->actions[sig]);
    }
    (void)pthread_sigmask(SIG_BLOCK, NULL, &h->mask);
    h->umask = umask(0);
    (void)umask(h->umask);
    CHECK(getcwd(h->dir, sizeof h->dir) != NULL);
    for (int i = 0; i < RLIMIT_NLIMITS; i++) {
        (void)getrlimit((__rlimit_resource_t)i, &h->limits[i]);
    }
    h->files = entries("/proc/self/fd");
    h->threads = entries("/proc/self/task");
}

/* What a search, its violations and its mistakes leave in the process, and what they print. */
TEST(host_stays_as_it_is)
{
    struct host before, after;
    struct told told = {0};
    struct assay_callbacks calls = {.size = sizeof calls, .arg = &told, .violation = on_violation};
    (void)umask(027);
    FILE *said = tmpfile();
    CHECK(said != NULL);
    int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    assay_spec_close(opened(TWO_PHASE, NULL)); /* what libraries keep once, they have now */
    look(&before);
    CHECK(dup2(fileno(said), STDOUT_FILENO) >= 0 && dup2(fileno(said), STDERR_FILENO) >= 0);
    assay_spec *spec = opened(HASTY, NULL);
    (void)checked(spec, 2, &calls, ASSAY_VIOLATED);
    assay_spec_close(spec);
    assay_trace_free(told.trace);
    CHECK(assay_spec_open("specs/Nothing.tla", NULL, NULL) == NULL);
    (void)fflush(stdout);
    (void)fflush(stderr);
    struct stat st;
    CHECK_EQ(fstat(fileno(said), &st), 0);
    CHECK(dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0);
    CHECK_EQ(st.st_size, 0);
    look(&after);
    CHECK_EQ(after.files, before.files);
    CHECK_EQ(after.threads, before.threads);
    for (int sig = 1; sig <= 64; sig++) {
        const struct sigaction *a = &before.actions[sig], *b = &after.actions[sig];
        CHECK(a->sa_handler == b->sa_handler && a->sa_flags == b->sa_flags);
    }
    CHECK(memcmp(&before.mask, &after.mask, sizeof before.mask) == 0);
    CHECK_EQ(after.umask, before.umask);
    CHECK_STR(after.dir, before.dir);
    CHECK(memcmp(before.limits, after.limits, sizeof before.limits) == 0);
}
