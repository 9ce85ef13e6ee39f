/* `assay test`: workers, each a process with a cluster of its own and a part of the suite. */
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "conform/conform.h"
#include "drive/bridge.h"
#include "drive/test.h"
#include "map/map.h"
#include "play/engine.h"
#include "pool/pool.h"
#include "run/record.h"
#include "suite/suite.h"
#include "tour/tour.h"

#define COUNTS_EVERY_NS UINT64_C(1000000000)

struct crew {
    struct test_cmd *cmd;
    const struct suite *suite;
    uint64_t until_ns;
    size_t *first; /* [workers + 1]: parts of cmd->chosen */
    size_t n_new;  /* cases that are to be run */
    uint32_t *list;
    bool probe;
    struct tour_costs *costs;
    bool tty;
    size_t done, failed;
};

struct worker {
    struct crew *crew;
    unsigned index;
    FILE *out;
    bool lost;
    struct conform *conform;
    size_t counted;      /* cases in the counts of executed code */
    uint64_t written_ns; /* when these were written last */
};

static void send_line(struct worker *w, json_t *json)
{
    if (json != NULL) {
        w->lost = w->lost || json_dumpf(json, w->out, JSON_COMPACT) != 0 ||
                  fputc('\n', w->out) == EOF || fflush(w->out) != 0;
        json_decref(json);
    }
}

static void send_error(struct worker *w, const struct err *err)
{
    send_line(w, json_pack("{s:s, s:i}", "error", err->text, "code", (int)err->code));
}

/* A replay file for each case that fails. */
static const char *save_replay(struct worker *w, const struct suite_outcome *o)
{
    struct test_cmd *cmd = w->crew->cmd;
    struct record record = o->result->record;
    struct err err = {0};
    struct str id = w->crew->suite->cases[o->owner].id;
    const char *path = arena_printf(&cmd->arena, "%s/case-%.*s.replay", cmd->o.out, STR_ARG(id));
    SCOPED_STRBUF outcome = {0};
    strbuf_printf(&outcome, "%s after %.*s", finding_name(o->result->finding.kind),
                  STR_ARG(o->result->finding.action));
    record.outcome = strbuf_cstr(&outcome);
    if (record_write(&record, &cmd->bridge.cluster, path, &err) != 0) {
        send_error(w, &err);
        return NULL;
    }
    return path;
}

/* Counts of executed code, so that a run that is killed has not lost them. */
static int write_counts(struct worker *w, struct err *err)
{
    SCOPED_STRBUF dir = {0};
    w->written_ns = clock_mono_ns();
    if (*conform_cover_trouble(w->conform) != '\0') {
        return 0;
    }
    test_cover_dir(w->crew->cmd, w->index, &dir);
    int status = conform_cover_write(w->conform, strbuf_cstr(&dir), err);
    return status != 0 ? status : test_cover_cases(strbuf_cstr(&dir), w->counted, err);
}

static bool on_done(void *arg, const struct suite_outcome *o)
{
    struct worker *w = arg;
    struct err err = {0};
    bool found = o->result != NULL && o->status != SUITE_STALE;
    json_t *json = json_pack("{s:I, s:i, s:I, s:I, s:I, s:I, s:I}", "case", (json_int_t)o->number,
                             "status", (int)o->status, "owner", (json_int_t)o->owner, "step",
                             (json_int_t)o->step, "done", (json_int_t)o->done, "again",
                             (json_int_t)o->again, "ns", (json_int_t)o->ns);
    if (w->crew->cmd->mutants != NULL) {
        json_t *list = json_array();
        for (size_t i = 0; i < OUTSIDE_KINDS; i++) {
            (void)json_array_append_new(list, json_integer((json_int_t)o->outside[i]));
        }
        (void)json_object_set_new(json, "outside", list);
    }
    if (o->status == SUITE_STALE) {
        (void)json_object_set_new(json, "finding",
                                  json_pack("{s:s, s:s, s:s, s:s}", "kind", "stale", "action", "",
                                            "about", "the suite", "text",
                                            o->why != NULL ? o->why : ""));
    } else if (found) {
        const char *replay = save_replay(w, o);
        (void)json_object_set_new(json, "finding", bridge_finding_json(o->result, replay));
    }
    w->counted += o->done + o->again != 0 ? 1 : 0;
    if (clock_mono_ns() - w->written_ns > COUNTS_EVERY_NS && write_counts(w, &err) != 0) {
        send_error(w, &err);
        w->lost = true;
    }
    send_line(w, json);
    return w->crew->cmd->o.teller.flags->interrupt == 0 && !w->lost;
}

static void send_end(struct worker *w)
{
    const struct conform_times *t = conform_times(w->conform);
    const uint64_t *seen = conform_seen(w->conform);
    json_t *list = json_array();
    for (size_t i = 0; i < w->crew->cmd->bridge.map->n_observes; i++) {
        (void)json_array_append_new(list, json_integer((json_int_t)seen[i]));
    }
    json_t *json = json_pack("{s:o, s:I, s:I, s:I, s:I}", "seen", list, "steps",
                             (json_int_t)t->steps, "step_ns", (json_int_t)t->step_ns, "returns",
                             (json_int_t)t->returns, "return_ns", (json_int_t)t->return_ns);
    (void)json_object_set_new(json, "marks", json_integer((json_int_t)t->marks));
    (void)json_object_set_new(json, "trouble", json_string(conform_cover_trouble(w->conform)));
    (void)json_object_set_new(json, "mark_ns", json_integer((json_int_t)t->mark_ns));
    (void)json_object_set_new(json, "boots", json_integer((json_int_t)t->boots));
    (void)json_object_set_new(json, "boot_ns", json_integer((json_int_t)t->boot_ns));
    send_line(w, json);
}

static void work(struct worker *w)
{
    struct crew *crew = w->crew;
    struct test_cmd *cmd = crew->cmd;
    struct err err = {0};
    size_t begin = crew->first[w->index], end = crew->first[w->index + 1];
    struct suite_run run = {.suite = crew->suite,
                            .list = crew->list + begin,
                            .n = end - begin,
                            .marks_max = (uint32_t)cmd->snapshots,
                            .until_ns = crew->until_ns,
                            .cover = true,
                            .outside = cmd->mutants != NULL,
                            .stop_first = cmd->stop_first,
                            .done = on_done,
                            .arg = w};
    if (cmd->tour != NULL && cmd->tour->replays) {
        run.marks_max = 0; /* the plan is one without snapshots */
    }
    w->written_ns = clock_mono_ns();
    int status = suite_run(&run, w->conform, &err);
    status = status != 0 ? status : write_counts(w, &err);
    if (status != 0) {
        send_error(w, &err);
    }
    send_end(w);
}

/* Some steps, each with a snapshot to which it goes back. */
static void probe(struct worker *w)
{
    enum { STEPS = 24 };
    const struct suite *suite = w->crew->suite;
    struct walk_result result = {0};
    struct conform_mark *mark = NULL;
    struct err err = {0};
    uint32_t best = 0;
    for (uint32_t i = 0; i < suite->n; i++) {
        bool longer =
            suite->cases[i].parent == SUITE_NONE && suite->cases[i].n > suite->cases[best].n;
        best = longer ? i : best;
    }
    const struct suite_case *c = &suite->cases[best];
    int status = conform_begin(w->conform, c->initial, &result, &err);
    for (uint32_t k = 0; status == 0 && k < c->n && k < STEPS; k++) {
        status = conform_mark(w->conform, &result, &mark, &err);
        status = status != 0 ? status : conform_step(w->conform, c->steps[k], &result, &err);
        if (status == 0 && conform_return(w->conform, mark, false, &result, &err) == 0) {
            status = conform_step(w->conform, c->steps[k], &result, &err);
        }
        conform_mark_free(w->conform, mark);
        mark = NULL;
    }
    walk_result_done(&result);
    send_end(w);
}

static int worker_main(void *arg, unsigned index, FILE *out)
{
    struct worker worker = {.crew = arg, .index = index, .out = out};
    struct worker *w = &worker;
    struct test_cmd *cmd = w->crew->cmd;
    struct err err = {0};
    SCOPED_STRBUF dir = {0};
    strbuf_printf(&dir, "%s/worker-%u", cmd->o.out, index + 1);
    (void)engine_pin((int)(index % cpu_count()));
    struct conform_options options = {.map = cmd->bridge.map,
                                      .model = cmd->bridge.spec.model,
                                      .cluster = &cmd->bridge.cluster,
                                      .program = bridge_program(&cmd->o, &cmd->bridge),
                                      .dir = strbuf_cstr(&dir),
                                      .depth = UINT32_MAX,
                                      .fresh = cmd->fresh,
                                      .interrupted = &cmd->o.teller.flags->interrupt};
    int status = dir_make(strbuf_cstr(&dir), &err);
    status = status != 0 ? status : conform_new(&options, &w->conform, &err);
    if (status != 0) {
        send_error(w, &err);
    } else if (w->crew->probe) {
        probe(w);
    } else {
        work(w);
    }
    conform_free(w->conform);
    return w->lost ? 1 : 0;
}

/* ---- the other side ---- */

static void on_line(void *arg, unsigned worker, const char *line)
{
    struct crew *crew = arg;
    (void)worker;
    json_t *json = json_loads(line, 0, NULL);
    if (json == NULL) {
        return;
    }
    if (json_object_get(json, "case") != NULL) {
        crew->done++;
        crew->failed += json_object_get(json, "finding") != NULL ? 1 : 0;
        test_journal_put(crew->cmd, line);
    }
    test_take(crew->cmd, json);
    json_decref(json);
}

static void on_tick(void *arg)
{
    const struct crew *crew = arg;
    if (crew->tty) {
        (void)fprintf(crew->cmd->o.teller.err, "\r%zu of %zu cases, %zu with findings ", crew->done,
                      crew->n_new, crew->failed);
        (void)fflush(crew->cmd->o.teller.err);
    }
}

static bool on_stop(void *arg)
{
    const struct crew *crew = arg;
    return crew->cmd->o.teller.flags->interrupt != 0 || crew->cmd->full ||
           (crew->cmd->stop_first && crew->cmd->groups.n != 0);
}

static void note_ends(const struct pool *pool, struct test_cmd *cmd)
{
    for (unsigned i = 0; i < pool->n; i++) {
        int status = pool->workers[i].status;
        if (status != 0 && !(cmd->stop_first && cmd->groups.n != 0)) {
            strbuf_printf(&cmd->missing, "assay test: worker %u ended with %s %d\n", i + 1,
                          WIFSIGNALED(status) ? "signal" : "status",
                          WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        }
    }
}

/* Parts of about the same number of steps. */
static void cut(struct crew *crew, unsigned workers)
{
    const struct test_cmd *cmd = crew->cmd;
    uint64_t total = 0, sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < cmd->n_chosen; i++) {
        if (!cmd->outcomes[cmd->chosen[i]].known) {
            crew->list[n++] = cmd->chosen[i];
            total += crew->suite->cases[cmd->chosen[i]].n + (uint64_t)1;
        }
    }
    crew->n_new = n;
    unsigned part = 0;
    crew->first[0] = 0;
    for (size_t i = 0; i < n; i++) {
        while (part + 1 < workers && sum * workers >= total * (part + (uint64_t)1)) {
            crew->first[++part] = i;
        }
        sum += crew->suite->cases[crew->list[i]].n + (uint64_t)1;
    }
    while (part < workers) {
        crew->first[++part] = n;
    }
}

int test_run(struct test_cmd *cmd, struct err *err)
{
    struct pool pool;
    uint64_t begin = clock_mono_ns();
    unsigned workers = cmd->workers;
    struct crew crew = {.cmd = cmd,
                        .suite = cmd->suite,
                        .until_ns = cmd->seconds > 0 ? begin + (uint64_t)(cmd->seconds * 1e9) : 0,
                        .first = ARENA_ARRAY(&cmd->arena, size_t, workers + 2),
                        .list = ARENA_ARRAY(&cmd->arena, uint32_t, cmd->n_chosen + 1),
                        .tty = !cmd->o.quiet && isatty(fileno(cmd->o.teller.err)) != 0};
    struct pool_events events = {on_line, on_tick, on_stop, &crew};
    test_cover_begin(cmd);
    cut(&crew, workers);
    if (crew.n_new == 0) {
        test_cover_read(cmd);
        return 0;
    }
    int status = pool_start(&pool, workers, worker_main, &crew, err);
    if (status != 0) {
        return status;
    }
    pool_wait(&pool, &events);
    engine_progress_end(&cmd->o.teller, crew.tty);
    note_ends(&pool, cmd);
    pool_done(&pool);
    cmd->run_ns = clock_mono_ns() - begin;
    test_cover_read(cmd);
    return 0;
}

/* ---- costs ---- */

static void on_costs(void *arg, unsigned worker, const char *line)
{
    struct crew *crew = arg;
    (void)worker;
    json_t *json = json_loads(line, 0, NULL);
    const char *names[][2] = {
        {"steps",   "step_ns"  },
        {"returns", "return_ns"},
        {"marks",   "mark_ns"  }
    };
    double *to[] = {&crew->costs->action, &crew->costs->restore, &crew->costs->snapshot};
    for (size_t i = 0; i < 3; i++) {
        double n = (double)json_integer_value(json_object_get(json, names[i][0]));
        double ns = (double)json_integer_value(json_object_get(json, names[i][1]));
        *to[i] = n > 0 ? ns / n : -1;
    }
    json_decref(json);
}

bool test_costs(struct test_cmd *cmd, const struct suite *suite, struct tour_costs *ret)
{
    struct pool pool;
    struct err err = {0};
    struct crew crew = {.cmd = cmd, .suite = suite, .probe = true, .costs = ret};
    struct pool_events events = {.line = on_costs, .stop = on_stop, .arg = &crew};
    *ret = (struct tour_costs){-1, -1, -1};
    if (pool_start(&pool, 1, worker_main, &crew, &err) != 0) {
        return false;
    }
    pool_wait(&pool, &events);
    pool_done(&pool);
    return ret->action > 0 && ret->restore > 0 && ret->snapshot > 0;
}
