/* Random walks of a specification, done by the real programs, on all cores.
 *
 * Each worker is a process of its own with a cluster of its own. Walk i has a seed of its own and
 * belongs to worker i mod N; results are merged in the order of walks, so that the report depends
 * on the seed alone. Times are told on standard error, where they disturb nobody. */
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
#include "base/hash.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "drive/bridge.h"
#include "drive/drive.h"
#include "eval/eval.h"
#include "job/coverage.h"
#include "job/job.h"
#include "job/load.h"
#include "map/map.h"
#include "model/model.h"
#include "option/option.h"
#include "play/engine.h"
#include "pool/pool.h"
#include "report/report.h"
#include "run/record.h"
#include "syntax/diag.h"

/* ---- a worker ---- */

struct worker {
    struct conform_cmd *cmd;
    unsigned index;
    FILE *out;
    uint64_t until_ns;   /* 0: no limit */
    VEC(uint64_t) known; /* keys of findings */
    bool lost;           /* something could not be told */
};

static void send_line(struct worker *w, json_t *json)
{
    if (json != NULL) {
        w->lost = w->lost || json_dumpf(json, w->out, JSON_COMPACT) != 0 ||
                  fputc('\n', w->out) == EOF || fflush(w->out) != 0;
        json_decref(json);
    }
}

/* Findings of the same kind about the same thing after the same action are one. */
static uint64_t key_of(const struct finding *f)
{
    uint64_t key = hash_combine(1, f->kind);
    key = hash_combine(key, hash_bytes(f->action.p, f->action.n, 1));
    return hash_combine(key, hash_bytes(f->variable.p, f->variable.n, 2));
}

/* The first finding of its kind in this worker: only that of the first walk of all is told. */
static bool is_new(struct worker *w, const struct finding *f)
{
    uint64_t key = key_of(f);
    for (size_t i = 0; i < w->known.n; i++) {
        if (w->known.v[i] == key) {
            return false;
        }
    }
    VEC_PUSH(&w->known, key);
    return true;
}

static const char *save_replay(struct worker *w, uint64_t walk, struct walk_result *r,
                               struct err *err)
{
    struct conform_cmd *cmd = w->cmd;
    const char *path = arena_printf(&cmd->arena, "%s/walk-%" PRIu64 ".replay", cmd->o.out, walk);
    SCOPED_STRBUF outcome = {0};
    strbuf_printf(&outcome, "%s after %.*s", finding_name(r->finding.kind),
                  STR_ARG(r->finding.action));
    r->record.outcome = strbuf_cstr(&outcome);
    int status = record_write(&r->record, &cmd->bridge.cluster, path, err);
    r->record.outcome = NULL;
    return status == 0 ? path : NULL;
}

static json_t *walk_json(struct worker *w, uint64_t walk, struct conform *c, struct walk_result *r,
                         struct err *err)
{
    const struct model *model = w->cmd->bridge.spec.model;
    json_t *actions = json_array();
    for (size_t i = 1; i < r->steps.n; i++) {
        (void)json_array_append_new(actions,
                                    json_string(model->actions[r->steps.v[i].action].name));
    }
    json_t *json = json_pack("{s:I, s:I, s:o}", "walk", (json_int_t)walk, "hash",
                             (json_int_t)r->hash, "actions", actions);
    if (r->finding.kind != FINDING_NONE) {
        const char *replay = "";
        if (is_new(w, &r->finding)) {
            int status = w->cmd->no_shrink ? 0 : conform_shrink(c, r, err);
            replay = status == 0 ? save_replay(w, walk, r, err) : NULL;
        }
        if (replay == NULL) {
            json_decref(json);
            return NULL;
        }
        (void)json_object_set_new(json, "finding", bridge_finding_json(r, replay));
    }
    return json;
}

static void send_error(struct worker *w, uint64_t walk, const struct err *err)
{
    send_line(w, json_pack("{s:I, s:s, s:i}", "walk", (json_int_t)walk, "error", err->text, "code",
                           (int)err->code));
}

/* How often each observation gave a value. */
static void send_seen(struct worker *w, const struct conform *c)
{
    const struct map *map = w->cmd->bridge.map;
    const uint64_t *seen = conform_seen(c);
    json_t *list = json_array();
    for (size_t i = 0; i < map->n_observes; i++) {
        (void)json_array_append_new(list, json_integer((json_int_t)seen[i]));
    }
    send_line(w, json_pack("{s:o, s:I}", "seen", list, "spec_ns", (json_int_t)conform_spec_ns(c)));
}

/* How often each arm of the next-state relation was taken. */
static void send_branches(struct worker *w)
{
    struct branch_row *rows = NULL;
    size_t n = model_branches(w->cmd->bridge.spec.model, &w->cmd->arena, &rows);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        (void)json_array_append_new(list, json_integer((json_int_t)rows[i].count));
    }
    send_line(w, json_pack("{s:o}", "branches", list));
}

static void worker_walks(struct worker *w, struct conform *c)
{
    struct conform_cmd *cmd = w->cmd;
    struct err err = {0};
    uint64_t step = cmd->uniform ? cmd->workers : 1;
    for (uint64_t i = cmd->uniform ? w->index : 0; i < cmd->walks; i += step) {
        struct walk_result result;
        bool mine = i % cmd->workers == w->index;
        if (w->until_ns != 0 && i > w->index && clock_mono_ns() > w->until_ns) {
            break;
        }
        int status = cmd->uniform ? conform_walk(c, hash_combine(cmd->seed, i), &result, &err)
                                  : conform_guided(c, cmd->seed, i, mine, &result, &err);
        if (status == 0 && !mine) {
            continue;
        }
        json_t *json = status == 0 ? walk_json(w, i, c, &result, &err) : NULL;
        bool stop = cmd->stop_first && status == 0 && result.finding.kind != FINDING_NONE;
        walk_result_done(&result);
        if (json == NULL) {
            send_error(w, i, &err);
            return;
        }
        send_line(w, json);
        if (i == w->index && w->index == 0 && conform_no_snapshot(c) != NULL && !cmd->o.quiet) {
            (void)fprintf(cmd->o.teller.err, "every walk boots the cluster anew: %s\n",
                          conform_no_snapshot(c));
        }
        if (cmd->o.teller.flags->interrupt != 0 || w->lost) {
            return;
        }
        if (stop) {
            break;
        }
    }
    if (cmd->o.coverage) {
        send_branches(w);
    }
    send_seen(w, c); /* last: it has told everything */
}

struct crew {
    struct conform_cmd *cmd;
    uint64_t until_ns;
};

static struct conform_options session_options(struct conform_cmd *cmd, const char *dir)
{
    return (struct conform_options){.map = cmd->bridge.map,
                                    .model = cmd->bridge.spec.model,
                                    .cluster = &cmd->bridge.cluster,
                                    .program = bridge_program(&cmd->o, &cmd->bridge),
                                    .dir = dir,
                                    .depth = (uint32_t)cmd->depth,
                                    .coverage = cmd->o.coverage,
                                    .fresh = cmd->fresh,
                                    .cold = cmd->cold,
                                    .interrupted = &cmd->o.teller.flags->interrupt};
}

static int worker_main(void *arg, unsigned index, FILE *out)
{
    const struct crew *crew = arg;
    struct worker worker = {
        .cmd = crew->cmd, .index = index, .out = out, .until_ns = crew->until_ns};
    struct worker *w = &worker;
    struct conform_cmd *cmd = w->cmd;
    struct conform *c = NULL;
    struct err err = {0};
    SCOPED_STRBUF dir = {0};
    strbuf_printf(&dir, "%s/worker-%u", cmd->o.out, w->index + 1);
    (void)engine_pin((int)(w->index % cpu_count()));
    struct conform_options options = session_options(cmd, strbuf_cstr(&dir));
    int status = dir_make(strbuf_cstr(&dir), &err);
    status = status != 0 ? status : conform_new(&options, &c, &err);
    if (status == 0) {
        worker_walks(w, c);
    } else {
        send_error(w, w->index, &err);
    }
    conform_free(c);
    VEC_DONE(&w->known);
    return w->lost ? 1 : 0;
}

/* ---- merging ---- */

struct tally {
    const char *name;
    uint64_t n;
};
struct group {
    uint64_t key, walks, first;
    json_t *finding;
};
struct merged {
    uint64_t walks, steps, spec_ns;
    uint64_t hash; /* of all walks, in whatever order they come */
    VEC(struct tally) actions;
    VEC(struct group) groups;
    VEC(uint64_t) seen, branches;
    json_t *error;         /* of the first walk that has one */
    uint64_t findings;     /* walks with one */
    unsigned finished;     /* workers that have told everything */
    struct strbuf missing; /* why others have not, a line each */
};

static const char *str_at(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text != NULL ? text : "";
}

static void merge_finding(struct merged *m, uint64_t walk, json_t *f)
{
    uint64_t key = hash_combine(1, hash_bytes(str_at(f, "kind"), strlen(str_at(f, "kind")), 1));
    key = hash_combine(key, hash_bytes(str_at(f, "action"), strlen(str_at(f, "action")), 1));
    key = hash_combine(key, hash_bytes(str_at(f, "about"), strlen(str_at(f, "about")), 1));
    for (size_t i = 0; i < m->groups.n; i++) {
        struct group *g = &m->groups.v[i];
        if (g->key == key) {
            json_t *worse = walk < g->first ? g->finding : f;
            g->walks++;
            if (walk < g->first) {
                g->first = walk;
                g->finding = json_incref(f);
            }
            if (*str_at(worse, "replay") != '\0') {
                (void)unlink(str_at(worse, "replay"));
            }
            if (worse != f) {
                json_decref(worse);
            }
            return;
        }
    }
    VEC_PUSH(&m->groups, ((struct group){key, 1, walk, json_incref(f)}));
}

#define ADD_UP(to, list)                                                                           \
    for (size_t i_ = 0; i_ < json_array_size(list); i_++) {                                        \
        if (i_ == (to)->n) {                                                                       \
            VEC_PUSH(to, 0);                                                                       \
        }                                                                                          \
        (to)->v[i_] += (uint64_t)json_integer_value(json_array_get(list, i_));                     \
    }

static void merge_line(struct merged *m, const json_t *json)
{
    const json_t *seen = json_object_get(json, "seen"), *actions = json_object_get(json, "actions");
    const json_t *branches = json_object_get(json, "branches");
    uint64_t walk = (uint64_t)json_integer_value(json_object_get(json, "walk"));
    ADD_UP(&m->seen, seen);
    ADD_UP(&m->branches, branches);
    if (branches != NULL) {
        return;
    }
    if (json_object_get(json, "error") != NULL) {
        uint64_t old = m->error != NULL
                           ? (uint64_t)json_integer_value(json_object_get(m->error, "walk"))
                           : UINT64_MAX;
        if (walk < old) {
            json_decref(m->error);
            m->error = json_incref((json_t *)json);
        }
        return;
    }
    if (seen != NULL) {
        m->finished++;
        m->spec_ns += (uint64_t)json_integer_value(json_object_get(json, "spec_ns"));
        return;
    }
    m->walks++;
    m->hash += hash_combine(walk, (uint64_t)json_integer_value(json_object_get(json, "hash")));
    m->steps += json_array_size(actions);
    for (size_t i = 0; i < json_array_size(actions); i++) {
        const char *name = json_string_value(json_array_get(actions, i));
        for (size_t k = 0; k < m->actions.n; k++) {
            m->actions.v[k].n += strcmp(m->actions.v[k].name, name) == 0 ? 1 : 0;
        }
    }
    json_t *finding = json_object_get(json, "finding");
    if (finding != NULL) {
        m->findings++;
        merge_finding(m, walk, finding);
    }
}

static int by_first(const void *a, const void *b)
{
    uint64_t x = ((const struct group *)a)->first, y = ((const struct group *)b)->first;
    return (x > y) - (x < y);
}

static void merge_begin(struct merged *m, const struct model *model)
{
    for (uint32_t i = 0; i < model->naction; i++) {
        bool known = false;
        for (size_t k = 0; k < m->actions.n; k++) {
            known = known || strcmp(m->actions.v[k].name, model->actions[i].name) == 0;
        }
        if (!known) {
            VEC_PUSH(&m->actions, ((struct tally){model->actions[i].name, 0}));
        }
    }
}

static void merge_end(struct merged *m)
{
    for (size_t i = 0; i < m->groups.n; i++) {
        json_decref(m->groups.v[i].finding);
    }
    VEC_DONE(&m->groups);
    VEC_DONE(&m->actions);
    VEC_DONE(&m->seen);
    VEC_DONE(&m->branches);
    strbuf_done(&m->missing);
    json_decref(m->error);
}

/* ---- reports ---- */

static size_t taken(const struct merged *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->branches.n; i++) {
        n += m->branches.v[i] != 0 ? 1 : 0;
    }
    return n;
}

static void report_branches(struct conform_cmd *cmd, const struct merged *m, struct strbuf *out)
{
    struct branch_row *rows = NULL;
    size_t n = model_branches(cmd->bridge.spec.model, &cmd->arena, &rows);
    strbuf_printf(out, "branches: %zu of %zu were taken%s\n", taken(m), m->branches.n,
                  taken(m) < m->branches.n ? ", never:" : "");
    for (size_t i = 0; i < n && i < m->branches.n; i++) {
        if (m->branches.v[i] == 0) {
            strbuf_printf(out, "  %s, line %u, column %u: %s\n", rows[i].place.module,
                          rows[i].place.line, rows[i].place.column,
                          place_text(&cmd->bridge.spec, &cmd->arena, &rows[i].place));
        }
    }
}

/* A finding was there, and no more was wanted. */
static bool stopped_first(const struct conform_cmd *cmd, const struct merged *m)
{
    return cmd->stop_first && m->groups.n != 0 && cmd->o.teller.flags->interrupt == 0;
}

/* All workers have told all that they were to do. */
static bool is_complete(const struct conform_cmd *cmd, const struct merged *m)
{
    if (stopped_first(cmd, m)) {
        return true; /* the others were ended by us */
    }
    return m->missing.n == 0 && m->finished == cmd->workers &&
           (cmd->seconds > 0 || m->walks == cmd->walks);
}

static void report_as_text(struct conform_cmd *cmd, const struct merged *m, struct strbuf *out)
{
    strbuf_printf(
        out, "%s: %" PRIu64 " walks, %" PRIu64 " steps, seed %" PRIu64 ", hash %016" PRIx64 "\n",
        cmd->bridge.spec.model->name, m->walks, m->steps, cmd->seed, m->hash);
    for (size_t i = 0; i < m->groups.n; i++) {
        const struct group *g = &m->groups.v[i];
        long long step = json_integer_value(json_object_get(g->finding, "step"));
        const json_t *found = json_object_get(g->finding, "found_at");
        long long found_at = found != NULL ? json_integer_value(found) : step;
        strbuf_printf(
            out, "\n%s: %s after %s, in %" PRIu64 " walk%s, first in walk %" PRIu64 " at step %lld",
            str_at(g->finding, "kind"), str_at(g->finding, "about"), str_at(g->finding, "action"),
            g->walks, g->walks == 1 ? "" : "s", g->first, found_at);
        if (step < found_at) {
            strbuf_printf(out, "; %lld steps suffice", step);
        }
        strbuf_addc(out, '\n');
        bridge_finding_print(g->finding, out);
    }
    if (!is_complete(cmd, m)) {
        strbuf_printf(out, "%snot complete: ", m->groups.n != 0 ? "\n" : "");
        strbuf_printf(out,
                      m->groups.n != 0 ? "%" PRIu64 " walks were done\n"
                                       : "%" PRIu64 " walks were done, without a difference\n",
                      m->walks);
    } else if (m->groups.n == 0 && m->steps == 0) {
        strbuf_adds(out, "no step was taken\n");
    } else {
        strbuf_adds(out, m->groups.n != 0 ? "\n" : "no difference\n");
    }
    if (!cmd->o.quiet) {
        strbuf_adds(out, "steps by action:\n");
        for (size_t i = 0; i < m->actions.n; i++) {
            strbuf_printf(out, "  %-24s %8" PRIu64 "%s\n", m->actions.v[i].name, m->actions.v[i].n,
                          m->actions.v[i].n == 0 ? "  never" : "");
        }
    }
    if (cmd->o.coverage) {
        report_branches(cmd, m, out);
    }
}

static const char *verdict_name(const struct conform_cmd *cmd, const struct merged *m)
{
    return m->groups.n != 0       ? "findings"
           : !is_complete(cmd, m) ? "incomplete"
           : m->steps == 0        ? "nothing was done"
                                  : "ok";
}

/* Branches that were never taken. */
static json_t *never_json(struct conform_cmd *cmd, const struct merged *m)
{
    struct branch_row *rows = NULL;
    size_t n = model_branches(cmd->bridge.spec.model, &cmd->arena, &rows);
    json_t *list = json_array();
    for (size_t i = 0; i < n && i < m->branches.n; i++) {
        const struct mplace *place = &rows[i].place;
        if (m->branches.v[i] == 0) {
            (void)json_array_append_new(
                list, json_pack("{s:s, s:i, s:i, s:s}", "module", place->module, "line",
                                (int)place->line, "column", (int)place->column, "text",
                                place_text(&cmd->bridge.spec, &cmd->arena, place)));
        }
    }
    return list;
}

static void report_as_json(struct conform_cmd *cmd, const struct merged *m)
{
    json_t *actions = json_object(), *findings = json_array();
    for (size_t i = 0; i < m->actions.n; i++) {
        (void)json_object_set_new(actions, m->actions.v[i].name,
                                  json_integer((json_int_t)m->actions.v[i].n));
    }
    for (size_t i = 0; i < m->groups.n; i++) {
        json_t *f = json_deep_copy(m->groups.v[i].finding);
        (void)json_object_set_new(f, "walks", json_integer((json_int_t)m->groups.v[i].walks));
        (void)json_object_set_new(f, "walk", json_integer((json_int_t)m->groups.v[i].first));
        (void)json_array_append_new(findings, f);
    }
    char hash[17];
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, m->hash);
    json_t *root = json_pack(
        "{s:s, s:b, s:s, s:I, s:I, s:I, s:s, s:o, s:o}", "verdict", verdict_name(cmd, m),
        "complete", is_complete(cmd, m) ? 1 : 0, "specification", cmd->bridge.spec.model->name,
        "seed", (json_int_t)cmd->seed, "walks", (json_int_t)m->walks, "steps", (json_int_t)m->steps,
        "hash", hash, "actions", actions, "findings", findings);
    if (root != NULL && cmd->o.coverage) {
        (void)json_object_set_new(root, "branches", json_integer((json_int_t)m->branches.n));
        (void)json_object_set_new(root, "branches_taken", json_integer((json_int_t)taken(m)));
        (void)json_object_set_new(root, "branches_never", never_json(cmd, m));
    }
    if (root != NULL) {
        (void)json_dumpf(root, cmd->o.teller.out, JSON_INDENT(1));
        (void)fputc('\n', cmd->o.teller.out);
        json_decref(root);
    }
}

/* For --report: the walks as a whole, and a case for each group of findings. */
static void add_cases(const struct conform_cmd *cmd, const struct merged *m)
{
    SCOPED_STRBUF name = {0};
    if (cmd->o.teller.report == NULL) {
        return;
    }
    report_subject(cmd->o.teller.report, cmd->bridge.spec.model->name);
    strbuf_printf(&name, "%" PRIu64 " walks", m->walks);
    struct report_case all = {.name = strbuf_cstr(&name), .outcome = REPORT_PASSED};
    if (m->groups.n == 0) {
        report_add_case(cmd->o.teller.report, &all);
    }
    for (size_t i = 0; i < m->groups.n; i++) {
        const json_t *f = m->groups.v[i].finding;
        strbuf_reset(&name);
        strbuf_printf(&name, "%s after %s", str_at(f, "about"), str_at(f, "action"));
        struct report_case c = {.name = strbuf_cstr(&name), .outcome = REPORT_FAILED};
        bridge_finding_case(cmd->o.teller.report, f, &c);
        bridge_finding_only(cmd->o.teller.report, &cmd->bridge.spec, f);
    }
}

/* Whether a finding may have nothing to do with this observation. */
static bool blamed(const struct merged *m, struct str name)
{
    bool any = m->groups.n == 0;
    for (size_t i = 0; i < m->groups.n; i++) {
        any = any || (strcmp(str_at(m->groups.v[i].finding, "kind"),
                             finding_name(FINDING_DIFFERENCE)) == 0 &&
                      str_is(name, str_at(m->groups.v[i].finding, "about")));
    }
    return any;
}

/* A pattern that never matched is a mistake in the mapping. */
static bool never_matched(const struct conform_cmd *cmd, const struct merged *m)
{
    const struct map *map = cmd->bridge.map;
    for (size_t i = 0; i < map->n_observes && m->walks != 0; i++) {
        const struct map_observe *o = &map->observes[i];
        bool silent = i >= m->seen.n || m->seen.v[i] == 0;
        if (silent && (o->source == FROM_LOG || o->source == FROM_FILE) && blamed(m, o->name)) {
            struct diag *diag = diag_add(
                (struct diags *)&cmd->bridge.spec.diags, DIAG_CFG_SYNTAX,
                map_span(map, o->at_begin, o->at_end),
                o->source == FROM_LOG ? "this regular expression never matched in %" PRIu64 " walks"
                                      : "there was no such file in %" PRIu64 " walks",
                m->walks);
            SCOPED_STRBUF text = {0};
            diag_print(&cmd->bridge.spec.sources, diag,
                       color_wanted(COLOR_AUTO, fileno(cmd->o.teller.err)), &text);
            (void)put_text(cmd->o.teller.err, strbuf_str(&text));
            return true;
        }
    }
    return false;
}

static int report(struct conform_cmd *cmd, struct merged *m)
{
    int code =
        m->error != NULL ? (int)json_integer_value(json_object_get(m->error, "code")) : ERR_OK;
    if (m->error != NULL && code != ERR_INTERRUPTED) { /* then what there is is told */
        (void)fprintf(cmd->o.teller.err, "assay conform: %s\n", str_at(m->error, "error"));
        return code == ERR_INVALID ? EXIT_CONFIG : EXIT_OTHER;
    }
    if (m->groups.n > 1) {
        qsort(m->groups.v, m->groups.n, sizeof m->groups.v[0], by_first);
    }
    if (cmd->o.json) {
        report_as_json(cmd, m);
    } else {
        SCOPED_STRBUF out = {0};
        report_as_text(cmd, m, &out);
        (void)put_text(cmd->o.teller.out, strbuf_str(&out));
    }
    add_cases(cmd, m);
    if (cmd->o.teller.flags->interrupt != 0 ||
        (code == ERR_INTERRUPTED && !stopped_first(cmd, m))) {
        (void)fputs("assay conform: interrupted\n", cmd->o.teller.err);
        return EXIT_INTERRUPTED;
    }
    if (!is_complete(cmd, m)) {
        (void)put_text(cmd->o.teller.err, strbuf_str(&m->missing));
        (void)fputs("assay conform: not all walks were done\n", cmd->o.teller.err);
        return EXIT_OTHER;
    }
    if (m->steps == 0 && m->groups.n == 0) {
        (void)fputs(
            "assay conform: no step was taken: the initial states have no successors, or every "
            "action that is possible has the weight 0\n",
            cmd->o.teller.err);
        return EXIT_CONFIG;
    }
    if (!stopped_first(cmd, m) && never_matched(cmd, m)) {
        return EXIT_CONFIG;
    }
    return m->groups.n != 0 ? EXIT_SAFETY : EXIT_OK;
}

/* ---- workers ---- */

struct early {
    uint64_t walk;
    json_t *json;
};
struct watching {
    const struct conform_cmd *cmd;
    struct merged *merged;
    bool tty;
    VEC(struct early) early; /* with --stop-first: walks that came before one that comes first */
    uint64_t next;           /* walk to be merged */
};

/* With --stop-first walks count in their order, up to the first with a finding: those behind it, by
 * a worker that was faster, never were. With `rest` some before may be missing. */
static void merge_in_order(struct watching *x, bool rest)
{
    while (x->early.n != 0 && !stopped_first(x->cmd, x->merged)) {
        size_t first = 0;
        for (size_t i = 1; i < x->early.n; i++) {
            first = x->early.v[i].walk < x->early.v[first].walk ? i : first;
        }
        struct early early = x->early.v[first];
        if (early.walk != x->next && !rest) {
            return;
        }
        x->early.v[first] = VEC_POP(&x->early);
        x->next = early.walk + 1;
        merge_line(x->merged, early.json);
        json_decref(early.json);
    }
}

static void on_line(void *arg, unsigned worker, const char *line)
{
    struct watching *x = arg;
    (void)worker;
    json_t *json = json_loads(line, 0, NULL);
    const json_t *walk = json_object_get(json, "walk");
    if (json != NULL && walk != NULL && x->cmd->stop_first) {
        VEC_PUSH(&x->early, ((struct early){(uint64_t)json_integer_value(walk), json}));
        merge_in_order(x, false);
    } else if (json != NULL) {
        merge_line(x->merged, json);
        json_decref(json);
    }
}

static void merge_rest(struct watching *x)
{
    merge_in_order(x, true);
    for (size_t i = 0; i < x->early.n; i++) {
        json_t *finding = json_object_get(x->early.v[i].json, "finding");
        if (*str_at(finding, "replay") != '\0') {
            (void)unlink(str_at(finding, "replay"));
        }
        json_decref(x->early.v[i].json);
    }
    VEC_DONE(&x->early);
}

/* On a terminal the numbers move meanwhile. */
static void on_tick(void *arg)
{
    const struct watching *x = arg;
    if (x->tty) {
        (void)fprintf(x->cmd->o.teller.err, "\r%" PRIu64 " walks, %" PRIu64 " with findings ",
                      x->merged->walks, x->merged->findings);
        (void)fflush(x->cmd->o.teller.err);
    }
}

/* Signals are passed on: only the terminal sends them to all. */
static bool on_stop(void *arg)
{
    const struct watching *x = arg;
    return x->cmd->o.teller.flags->interrupt != 0 || stopped_first(x->cmd, x->merged);
}

/* Workers that did not end as they should: what they had still to tell is lost. */
static void note_ends(const struct pool *pool, struct merged *m)
{
    for (unsigned i = 0; i < pool->n; i++) {
        int status = pool->workers[i].status;
        if (WIFSIGNALED(status)) {
            strbuf_printf(&m->missing, "assay conform: worker %u was ended by signal %d (%s)\n",
                          i + 1, WTERMSIG(status), strsignal(WTERMSIG(status)));
        } else if (status != 0) {
            strbuf_printf(&m->missing, "assay conform: worker %u ended with status %d\n", i + 1,
                          WEXITSTATUS(status));
        }
    }
}

static void tell_times(const struct conform_cmd *cmd, const struct merged *m, double seconds)
{
    double each = seconds * 1e3 * cmd->workers / (double)m->walks;
    double spec = (double)m->spec_ns * 1e-6 / (double)m->walks;
    (void)fprintf(cmd->o.teller.err,
                  "%" PRIu64 " walks of %.1f steps in %.2f s with %u worker%s: %.1f ms a walk; the "
                  "specification alone %.2f ms (1/%.0f)\n",
                  m->walks, (double)m->steps / (double)m->walks, seconds, cmd->workers,
                  cmd->workers == 1 ? "" : "s", each, spec, spec > 0 ? each / spec : 0);
}

static int run_workers(struct conform_cmd *cmd, struct merged *m, struct err *err)
{
    struct pool pool;
    uint64_t begin = clock_mono_ns();
    struct crew crew = {cmd, cmd->seconds > 0 ? begin + (uint64_t)(cmd->seconds * 1e9) : 0};
    struct watching watching = {
        .cmd = cmd, .merged = m, .tty = !cmd->o.quiet && isatty(fileno(cmd->o.teller.err)) != 0};
    struct pool_events events = {on_line, on_tick, on_stop, &watching};
    int status = pool_start(&pool, cmd->workers, worker_main, &crew, err);
    if (status != 0) {
        return status;
    }
    pool_wait(&pool, &events);
    engine_progress_end(&cmd->o.teller, watching.tty);
    merge_rest(&watching);
    note_ends(&pool, m);
    pool_done(&pool);
    if (!cmd->o.quiet && m->walks != 0) {
        tell_times(cmd, m, (double)(clock_mono_ns() - begin) * 1e-9);
    }
    return 0;
}

/* ---- where a value comes from ---- */

static void print_explained(const struct conform_cmd *cmd, const struct walk_result *r,
                            struct strbuf *told)
{
    SCOPED_STRBUF out = {0};
    size_t n = r->steps.n;
    strbuf_printf(&out, "%s after %zu step%s%s%s:\n", cmd->explain, n > 0 ? n - 1 : 0,
                  n == 2 ? "" : "s", n > 1 ? ", the last one " : "",
                  n > 1 ? strbuf_cstr(&r->steps.v[n - 1].label) : "");
    strbuf_addstr(&out, told->n != 0 ? strbuf_str(told) : STR("    it was not looked at\n"));
    (void)put_text(cmd->o.teller.out, strbuf_str(&out));
}

/* One walk, in this process. What failed, a difference or a mistake, ends it, and is told last. */
static int explain(struct conform_cmd *cmd)
{
    struct conform *c = NULL;
    struct walk_result result = {0};
    struct err err = {0};
    SCOPED_STRBUF told = {0};
    SCOPED_STRBUF dir = {0};
    strbuf_printf(&dir, "%s/worker-1", cmd->o.out);
    struct conform_options options = session_options(cmd, strbuf_cstr(&dir));
    int status = dir_make(strbuf_cstr(&dir), &err);
    status = status != 0 ? status : conform_new(&options, &c, &err);
    status = status != 0 ? status : conform_explain(c, cmd->explain, &told, &err);
    if (status == 0) {
        status = cmd->uniform ? conform_walk(c, hash_combine(cmd->seed, 0), &result, &err)
                              : conform_guided(c, cmd->seed, 0, true, &result, &err);
        print_explained(cmd, &result, &told);
    }
    if (status == 0 && result.finding.kind != FINDING_NONE) {
        (void)fprintf(cmd->o.teller.out, "\nthe behaviour ends here: %s\n%s",
                      finding_name(result.finding.kind), strbuf_cstr(&result.finding.what));
    } else if (status != 0) {
        (void)fflush(cmd->o.teller.out);
        (void)fprintf(cmd->o.teller.err, "assay conform: %s\n", err.text);
    }
    bool found = result.finding.kind != FINDING_NONE;
    walk_result_done(&result);
    conform_free(c);
    return status == 0
               ? (found ? EXIT_SAFETY : EXIT_OK)
               : (err.code == ERR_INVALID || err.code == ERR_NOT_FOUND ? EXIT_CONFIG : EXIT_OTHER);
}

static int conform_main(void *arg)
{
    struct conform_cmd *cmd = arg;
    struct merged merged = {0};
    struct err err = {0};
    int status = bridge_open(&cmd->o, &cmd->bridge);
    if (status == EXIT_OK && bridge_dir(&cmd->o, &cmd->bridge, &err) != 0) {
        (void)fprintf(cmd->o.teller.err, "assay conform: %s\n", err.text);
        status = EXIT_OTHER;
    }
    if (status == EXIT_OK && cmd->explain != NULL) {
        status = explain(cmd);
    } else if (status == EXIT_OK) {
        merge_begin(&merged, cmd->bridge.spec.model);
        if (run_workers(cmd, &merged, &err) == 0) {
            status = report(cmd, &merged);
        } else {
            (void)fprintf(cmd->o.teller.err, "assay conform: %s\n", err.text);
            status = EXIT_OTHER;
        }
        merge_end(&merged);
    }
    bridge_close(&cmd->bridge);
    return status;
}

int drive_conform(struct conform_cmd *cmd)
{
    if (cmd->workers > cmd->walks) {
        cmd->workers = (unsigned)cmd->walks;
    }
    return job_on_big_stack(&cmd->o.teller, conform_main, cmd);
}
