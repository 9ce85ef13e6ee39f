/* Searches the orders in which the events of a cluster can come. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/machine.h"
#include "base/near.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "explore/explore.h"
#include "explore/found.h"
#include "observe/observe.h"
#include "option/option.h"
#include "play/engine.h"
#include "play/play.h"
#include "report/report.h"
#include "run/cluster.h"
#include "run/consent.h"

/* ---- progress ---- */

#define SEARCHING 0.9 /* of --time, if something was found */

struct watching {
    const struct explore_args *a;
    uint64_t begin_ns, shown_ns;
    bool show, late;
};

static bool on_progress(void *arg, const struct explore_counts *c)
{
    enum { EVERY_NS = 1000000000 };
    struct watching *w = arg;
    uint64_t now = clock_mono_ns();
    if (w->show && now - w->shown_ns > EVERY_NS) {
        w->shown_ns = now;
        (void)fprintf(w->a->teller.err,
                      "\r%" PRIu64 " runs, %" PRIu64 " traces, %" PRIu64 " events, %" PRIu64
                      " branches left, %" PRIu64 " failed ",
                      c->walks, c->traces, c->events, c->waiting, c->failures);
        (void)fflush(w->a->teller.err);
    }
    /* What was found is made smaller afterwards. */
    double most = c->failures != 0 ? SEARCHING * w->a->seconds : w->a->seconds;
    w->late = w->a->seconds > 0 && (double)(now - w->begin_ns) * 1e-9 > most;
    return !w->late;
}

/* ---- report ---- */

static void print_findings(const struct explore_args *a, struct explore_result *r)
{
    for (size_t i = 0; i < r->found.v.n; i++) {
        struct finding *f = &r->found.v.v[i];
        (void)fprintf(a->teller.out, "finding %zu: %s\n", i + 1, strbuf_cstr(&f->text));
        (void)fprintf(a->teller.out,
                      "  in %" PRIu64 " of %" PRIu64 " runs, first in run %" PRIu64
                      ", after %zu events, made smaller %zu; %s/replay%s\n",
                      f->n, r->counts.walks, f->first, f->found, f->path.n, strbuf_cstr(&f->dir),
                      f->confirmed ? "" : " (which does not lead there again)");
    }
}

static void print_number(const struct explore_args *a, double about, uint64_t exact)
{
    if (exact != 0 || about == 0) {
        (void)fprintf(a->teller.out, "%" PRIu64, exact);
    } else {
        (void)fprintf(a->teller.out, "%.4g", about);
    }
}

static void print_dir(const struct explore_args *a, struct explore_result *r, double seconds)
{
    struct explore_dir *d = &r->dir;
    if (!r->complete && r->counts.waiting != 0) {
        (void)fprintf(a->teller.out,
                      "dir: %" PRIu64 " runs of components, %" PRIu64 " events, %.1f s; %" PRIu64
                      " steps are left: --resume goes on\n",
                      r->counts.walks, r->counts.events, seconds, r->counts.waiting);
        return;
    }
    for (size_t i = 0; i < d->components.n; i++) {
        struct explore_component *c = &d->components.v[i];
        (void)fprintf(a->teller.out, "component %s: %" PRIu64 " skeletons, %" PRIu64 " traces\n",
                      strbuf_cstr(&c->name), c->skeletons, c->traces);
    }
    (void)fprintf(a->teller.out, "dir: ");
    print_number(a, d->skeletons, d->skeletons_exact);
    (void)fprintf(a->teller.out, " global skeletons, %" PRIu64 " local traces for ", d->locals);
    print_number(a, d->traces, d->traces_exact);
    double ratio = d->locals != 0 ? d->traces / (double)d->locals : 0;
    (void)fprintf(a->teller.out, " traces, ratio %.4g; %" PRIu64 " events, %.1f s%s\n", ratio,
                  r->counts.events, seconds, r->complete ? ", complete within the bounds" : "");
    if (d->groups.n != 0) {
        (void)fprintf(a->teller.out, "put together as %s: %" PRIu64 " combinations\n",
                      strbuf_cstr(&d->groups), d->states);
    }
    if (r->counts.states != 0) {
        (void)fprintf(a->teller.out,
                      "invariants: %" PRIu64
                      " different combinations of what could be observed together\n",
                      r->counts.states);
    }
    if (d->histories != 0) {
        (void)fprintf(a->teller.out,
                      "histories: %" PRIu64
                      " different ones were judged, in all orders that a trace has\n",
                      d->histories);
    }
    if (r->counts.unjudged != 0) {
        (void)fprintf(a->teller.out,
                      "in %" PRIu64
                      " combinations no operation of a client had ended: there was no "
                      "history to judge\n",
                      r->counts.unjudged);
    }
    if (d->checked != 0) {
        (void)fprintf(a->teller.out,
                      "checks: %" PRIu64 " different combinations of files were made and checked\n",
                      d->checked);
    }
    if (d->partly != 0) {
        (void)fprintf(a->teller.out,
                      "there were more histories or files than were judged (%" PRIu64 " times)\n",
                      d->partly);
    }
    if (d->tried != 0) {
        (void)fprintf(a->teller.out,
                      "%" PRIu64 " of %" PRIu64 " global skeletons that were tried out are real\n",
                      d->confirmed, d->tried);
    }
    if (r->complete && ratio < 1) {
        (void)fprintf(
            a->teller.out,
            "dir loses here: components have hardly anything to themselves; dpor has fewer "
            "traces to search\n");
    }
    if (r->counts.broken != 0) {
        (void)fprintf(a->teller.out, "%" PRIu64 " runs could not be done; the first: %s\n",
                      r->counts.broken, strbuf_cstr(&r->broken));
    }
}

static void print_result(const struct explore_args *a, const struct explore_options *o,
                         struct explore_result *r, double seconds)
{
    const struct explore_counts *c = &r->counts;
    print_findings(a, r);
    if (r->unready) {
        (void)fprintf(a->teller.out,
                      "%s: the time was up while it was tried out whether events commute, and "
                      "nothing was searched: --resume %s with more --time\n",
                      explore_name(o->strategy), o->dir);
    }
    if (a->quiet || r->unready) {
        return;
    }
    if (o->strategy == EXPLORE_DIR) {
        print_dir(a, r, seconds);
        return;
    }
    (void)fprintf(a->teller.out,
                  "%s: %" PRIu64 " runs, %" PRIu64 " traces, %" PRIu64 " blocked, %" PRIu64
                  " events, %.1f s%s\n",
                  explore_name(o->strategy), c->walks, c->traces, c->blocked, c->events, seconds,
                  r->complete ? ", complete within the bounds" : "");
    if (o->strategy == EXPLORE_DFS) {
        (void)fprintf(a->teller.out, "%" PRIu64 " states; %" PRIu64 " times one that was known\n",
                      c->states, c->pruned);
    }
    if (o->strategy == EXPLORE_GUIDED) {
        (void)fprintf(a->teller.out,
                      "seen: %" PRIu64 " states, %" PRIu64 " kinds of lines, %" PRIu64
                      " observed states, %" PRIu64 " branches; %" PRIu64
                      " beginnings to go on from\n",
                      c->states, c->lines, c->seen, c->branches, c->corpus);
    }
    if (a->graph != NULL) {
        (void)fprintf(a->teller.out, "graph: %" PRIu64 " observed states, %" PRIu64 " steps; %s\n",
                      r->graph_states, r->graph_steps, a->graph);
    }
    if (c->unjudged != 0) {
        (void)fprintf(a->teller.out,
                      "%" PRIu64
                      " runs had no operation of a client that ended: there was no history "
                      "to judge\n",
                      c->unjudged);
    }
    if (c->partly != 0) {
        (void)fprintf(a->teller.out,
                      "%" PRIu64 " runs had more consistent snapshots than were judged\n",
                      c->partly);
    }
    if (c->kept != 0) {
        (void)fprintf(a->teller.out, "%" PRIu64 " runs were in the journal\n", c->kept);
    }
    if (!r->complete && c->waiting != 0) {
        (void)fprintf(a->teller.out, "%" PRIu64 " branches are left: --resume %s goes on\n",
                      c->waiting, o->dir);
    }
    if (c->broken != 0) {
        (void)fprintf(a->teller.out, "%" PRIu64 " runs could not be done; the first: %s\n",
                      c->broken, strbuf_cstr(&r->broken));
    }
}

static void json_text(const struct explore_args *a, struct str text)
{
    (void)fputc('"', a->teller.out);
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c == '"' || c == '\\') {
            (void)fprintf(a->teller.out, "\\%c", c);
        } else if (c < ' ') {
            (void)fprintf(a->teller.out, "\\u%04x", c);
        } else {
            (void)fputc(c, a->teller.out);
        }
    }
    (void)fputc('"', a->teller.out);
}

static void print_json(const struct explore_args *a, const struct explore_options *o,
                       struct explore_result *r, double seconds)
{
    const struct explore_counts *c = &r->counts;
    (void)fprintf(a->teller.out,
                  "{\"strategy\":\"%s\",\"complete\":%s,\"runs\":%" PRIu64 ",\"traces\":%" PRIu64
                  ",\"blocked\":%" PRIu64 ",\"events\":%" PRIu64 ",\"left\":%" PRIu64
                  ",\"failures\":%" PRIu64 ",\"broken\":%" PRIu64 ",\"seconds\":%.3f",
                  explore_name(o->strategy), r->complete ? "true" : "false", c->walks, c->traces,
                  c->blocked, c->events, c->waiting, c->failures, c->broken, seconds);
    if (o->strategy == EXPLORE_DIR) {
        (void)fprintf(a->teller.out,
                      ",\"skeletons\":%.17g,\"locals\":%" PRIu64
                      ",\"n_g\":%.17g,\"combinations\":%" PRIu64 ",\"histories\":%" PRIu64
                      ",\"checked\":%" PRIu64,
                      r->dir.skeletons, r->dir.locals, r->dir.traces, r->dir.states,
                      r->dir.histories, r->dir.checked);
    }
    (void)fprintf(a->teller.out, ",\"cpu\":%.3f,\"job_cpu\":[", r->cpu);
    for (size_t i = 0; i < r->job_cpu.n; i++) {
        (void)fprintf(a->teller.out, "%s%.3f", i == 0 ? "" : ",", r->job_cpu.v[i]);
    }
    (void)fprintf(a->teller.out, "],\"findings\":[");
    for (size_t i = 0; i < r->found.v.n; i++) {
        struct finding *f = &r->found.v.v[i];
        (void)fprintf(a->teller.out, "%s{\"text\":", i == 0 ? "" : ",");
        json_text(a, strbuf_str(&f->text));
        (void)fprintf(a->teller.out,
                      ",\"runs\":%" PRIu64 ",\"first\":%" PRIu64
                      ",\"found\":%zu,\"events\":%zu,\"confirmed\":%s,\"dir\":",
                      f->n, f->first, f->found, f->path.n, f->confirmed ? "true" : "false");
        json_text(a, strbuf_str(&f->dir));
        (void)fputc('}', a->teller.out);
    }
    (void)fprintf(a->teller.out, "]}\n");
}

/* ---- the command ---- */

static int explore_dir_ready(const struct explore_args *a, struct dir_lock *lock, struct err *err)
{
    SCOPED_STRBUF mark = {0};
    strbuf_printf(&mark, "%s/journal", a->out);
    int status = dir_lock(lock, a->out, err);
    if (status != 0) {
        return status;
    }
    bool ours = file_exists(strbuf_cstr(&mark));
    if (a->resume != NULL) {
        return ours ? 0
                    : err_set(err, ERR_INVALID, 0, "%s has no journal of a search to go on with",
                              a->out);
    }
    if (!ours && !dir_is_empty(a->out, DIR_LOCK_FILE)) {
        return err_set(err, ERR_INVALID, 0, "%s exists and is not the directory of a search",
                       a->out);
    }
    status = dir_clear(a->out, DIR_LOCK_FILE, err);
    /* By it the directory is known as ours, also when the search is refused. */
    return status != 0 ? status : file_write(strbuf_cstr(&mark), STR(""), err);
}

/* For --report: a case for each finding, or one for the search that has none. */
static void add_cases(const struct explore_args *a, const struct explore_options *o,
                      struct explore_result *r)
{
    if (a->teller.report == NULL) {
        return;
    }
    const char *file = report_path(o->cluster->path);
    report_subject(a->teller.report, file);
    for (size_t i = 0; i < r->found.v.n; i++) {
        struct finding *f = &r->found.v.v[i];
        SCOPED_STRBUF replay = {0};
        SCOPED_STRBUF name = {0};
        strbuf_printf(&replay, "%s/replay", strbuf_cstr(&f->dir));
        strbuf_printf(&name, "%s finding %zu", explore_name(o->strategy), i + 1);
        struct report_case c = {.name = strbuf_cstr(&name),
                                .outcome = REPORT_FAILED,
                                .kind = "violation",
                                .message = strbuf_cstr(&f->text)};
        struct report_finding found = {.rule = c.kind,
                                       .message = c.message,
                                       .place = {.file = file},
                                       .artifact = strbuf_cstr(&replay)};
        report_add_both(a->teller.report, &c, &found);
    }
    struct report_case whole = {.name = explore_name(o->strategy), .outcome = REPORT_PASSED};
    if (r->found.v.n == 0 && r->counts.broken == 0) {
        report_add_case(a->teller.report, &whole);
    }
}

static int search(const struct explore_args *a, const struct explore_options *o)
{
    struct watching watching = {
        .a = a,
        .begin_ns = clock_mono_ns(),
        .show = !a->quiet && !a->json && isatty(fileno(a->teller.err)) != 0,
    };
    struct explore_options options = *o;
    struct explore_result result = {0};
    struct err err = {0};
    options.progress = on_progress;
    options.progress_arg = &watching;
    options.end_ns = a->seconds > 0 ? watching.begin_ns + (uint64_t)(a->seconds * 1e9) : 0;
    int status = explore_run(&options, &result, &err);
    engine_progress_end(&a->teller, watching.show);
    double seconds = (double)(clock_mono_ns() - watching.begin_ns) * 1e-9;
    bool interrupted = a->teller.flags->interrupt != 0;
    if (status != 0 && !interrupted) {
        (void)fprintf(a->teller.err, "assay explore: %s\n", err.text);
    } else if (a->json) {
        print_json(a, o, &result, seconds);
    } else {
        print_result(a, o, &result, seconds);
    }
    status = interrupted                                                       ? EXIT_INTERRUPTED
             : result.found.v.n != 0                                           ? EXIT_SAFETY
             : status != 0 || result.counts.broken != 0                        ? EXIT_OTHER
             : watching.late && !result.complete && result.counts.waiting != 0 ? EXIT_INCOMPLETE
                                                                               : EXIT_OK;
    if (status == EXIT_OK || status == EXIT_SAFETY) {
        add_cases(a, o, &result);
    }
    explore_result_done(&result);
    return status;
}

int play_search(struct explore_args *a)
{
    struct arena arena;
    struct cluster cluster;
    struct err err;
    struct dir_lock lock = {0};
    struct observer *observer = NULL;
    arena_init(&arena, 0);
    int status = EXIT_OK;
    if (cluster_read(&arena, a->file, &cluster, &err) != 0) {
        (void)fprintf(a->teller.err, "assay explore: %s\n", err.text);
        status = err.code == ERR_NOT_FOUND || err.code == ERR_IO ? EXIT_OTHER : EXIT_CONFIG;
    } else if (explore_dir_ready(a, &lock, &err) != 0) {
        (void)fprintf(a->teller.err, "assay explore: %s\n", err.text);
        status = EXIT_OTHER;
    } else if (status = engine_judge(&a->teller, &cluster, false, &arena, &observer),
               status == EXIT_OK) {
        cluster.bare = engine_bare();
        if (consent_needed(&cluster)) { /* who runs it has agreed; a replay may then do it again */
            SCOPED_STRBUF state = {0};
            engine_state_dir(&state);
            consent_give(&cluster, strbuf_cstr(&state));
        }
        if (a->jobs == 1) {
            (void)engine_pin(-1);
        }
        struct explore_options options = {.cluster = &cluster,
                                          .strategy = a->kind,
                                          .seed = a->has_seed ? a->seed : cluster.seed,
                                          .runs = a->runs,
                                          .jobs = (uint32_t)a->jobs,
                                          .dir = a->out,
                                          .resume = a->resume != NULL,
                                          .go_on = a->all,
                                          .graph = a->graph,
                                          .interrupted = &a->teller.flags->interrupt};
        status = search(a, &options);
    }
    observer_free(observer);
    dir_unlock(&lock);
    arena_done(&arena);
    return status;
}
