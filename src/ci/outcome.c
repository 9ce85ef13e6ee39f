/* What the jobs have found: one line, one status, one report. */
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/status.h"
#include "base/str.h"
#include "ci/ci.h"
#include "ci/ci_int.h"
#include "report/report.h"

const char *ci_outcome_name(enum ci_outcome outcome)
{
    /* ORDER enum ci_outcome */
    static const char *const names[] = {"ok", "undecided", "failed", "differs", "error", "not run"};
    return names[outcome];
}

/* What a status says, as that of a single command. */
static enum ci_outcome kind_of(int status)
{
    switch (status) {
    case EXIT_OK: return CI_OK;
    case EXIT_AGREES:
    case EXIT_UNDECIDED:
    case EXIT_INCOMPLETE: return CI_UNDECIDED;
    case EXIT_ASSUMPTION:
    case EXIT_DEADLOCK:
    case EXIT_SAFETY:
    case EXIT_LIVENESS:
    case EXIT_ASSERT: return CI_FAILED;
    default: return CI_ERROR;
    }
}

enum ci_outcome ci_outcome_of(const struct ci_job *job)
{
    const struct ci_result *r = &job->result;
    if (job->state == CI_TO_RUN || job->state == CI_NOT_RUN) {
        return CI_SKIPPED;
    }
    if (r->over) {
        return CI_UNDECIDED;
    }
    if (r->differs) {
        return CI_DIFFERS;
    }
    if (job->expect != 0 && r->report != NULL) {
        return r->status == job->expect         ? CI_OK
               : kind_of(r->status) == CI_ERROR ? CI_ERROR
                                                : CI_FAILED;
    }
    return r->report == NULL ? CI_ERROR : kind_of(r->status);
}

/* Statuses that say nothing but what was judged: the same every time. What a limit or the outside
 * world has ended may end otherwise. */
bool ci_is_verdict(const struct ci_result *result)
{
    enum ci_outcome kind = kind_of(result->status);
    bool judged = kind == CI_OK || kind == CI_FAILED || result->status == EXIT_AGREES ||
                  result->status == EXIT_PARSE || result->status == EXIT_CONFIG;
    return result->report != NULL && !result->over && !result->differs && judged;
}

/* ---- reports of commands ---- */

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* Several workers may see another one first of several violations of a large search: then only that
 * there is one must be the same. */
static bool by_chance(const struct ci_job *job)
{
    for (size_t i = 1; i < job->n_words; i++) {
        const char *word = job->words[i];
        const char *n = i + 1 < job->n_words ? job->words[i + 1] : "";
        bool several = strcmp(word, "-w") == 0 || strcmp(word, "--workers") == 0 ||
                       strcmp(word, "-workers") == 0;
        if ((several && strcmp(n, "1") != 0) ||
            (strncmp(word, "--workers=", 10) == 0 && strcmp(word + 10, "1") != 0)) {
            return true;
        }
    }
    return false;
}

void ci_digest(const struct ci_job *job, const struct ci_result *result, char ret[CI_KEY + 1])
{
    SCOPED_STRBUF all = {0};
    json_t *root = result->report != NULL ? json_loads(result->report, 0, NULL) : NULL;
    const json_t *c = NULL;
    size_t i = 0;
    strbuf_printf(&all, "%d\n", result->status);
    json_array_foreach(json_object_get(root, "cases"), i, c)
    {
        static const char *const keys[] = {"group", "name", "outcome", "kind", "message"};
        for (size_t k = 0; k < (by_chance(job) ? 0 : sizeof keys / sizeof keys[0]); k++) {
            const char *text = text_of(c, keys[k]);
            strbuf_printf(&all, "%s\037", text != NULL ? text : "");
        }
        strbuf_addc(&all, '\n');
    }
    json_decref(root);
    ci_hash(strbuf_str(&all), ret);
}

/* The first case that is not as it should be; NULL: there is none. */
static const json_t *first_bad(const json_t *root)
{
    const json_t *c = NULL;
    size_t i = 0;
    json_array_foreach(json_object_get(root, "cases"), i, c)
    {
        const char *outcome = text_of(c, "outcome");
        if (outcome != NULL && (strcmp(outcome, "failed") == 0 || strcmp(outcome, "error") == 0)) {
            return c;
        }
    }
    return NULL;
}

const char *ci_line(struct ci *ci, const struct ci_job *job)
{
    struct arena *arena = &ci->arena;
    const struct ci_result *r = &job->result;
    if (job->state == CI_NOT_RUN || job->state == CI_TO_RUN) {
        return job->why;
    }
    if (r->over) {
        return job->why;
    }
    if (r->differs) {
        return "another result than before, of the same inputs: this must not happen";
    }
    if (r->report == NULL) {
        return arena_printf(arena, "it ended with status %d and without a report; see %s",
                            r->status, r->said);
    }
    json_t *root = json_loads(r->report, 0, NULL);
    const json_t *bad = first_bad(root);
    const char *message = bad != NULL ? text_of(bad, "message") : NULL;
    const char *ret = NULL;
    if (job->expect != 0 && r->status == job->expect) {
        ret = arena_printf(arena, "status %d, as it should be", r->status);
    } else if (job->expect != 0) {
        ret = arena_printf(arena, "status %d instead of %d", r->status, job->expect);
    } else if (r->status != EXIT_OK) {
        ret = arena_printf(arena, "status %d%s%s", r->status, message != NULL ? ": " : "",
                           message != NULL ? message : "");
    } else {
        ret = arena_printf(arena, "%zu case%s", json_array_size(json_object_get(root, "cases")),
                           json_array_size(json_object_get(root, "cases")) == 1 ? "" : "s");
    }
    json_decref(root);
    return ret;
}

int ci_status(const struct ci *ci, bool interrupted)
{
    enum ci_outcome worst = CI_OK;
    int status = EXIT_OK;
    for (size_t i = 0; i < ci->n; i++) {
        const struct ci_job *job = &ci->v[i];
        enum ci_outcome outcome = ci_outcome_of(job);
        int own = outcome == CI_DIFFERS                            ? EXIT_DIFFERS
                  : outcome == CI_SKIPPED || job->result.over      ? EXIT_INCOMPLETE
                  : job->expect != 0 && job->result.status == 0    ? EXIT_SAFETY
                  : outcome == CI_ERROR && job->result.status == 0 ? EXIT_OTHER
                                                                   : job->result.status;
        enum ci_outcome rank = outcome == CI_SKIPPED ? CI_UNDECIDED : outcome;
        if (rank > worst) {
            worst = rank;
            status = own;
        }
    }
    return interrupted ? EXIT_INTERRUPTED : status;
}

/* ---- one report of all ---- */

static struct report_place place_of(struct ci *ci, const json_t *place)
{
    const char *file = text_of(place, "file");
    return (struct report_place){
        .file = file != NULL ? ci_path(&ci->arena, ci->dir, file) : NULL,
        .line = (uint32_t)json_integer_value(json_object_get(place, "line")),
        .column = (uint32_t)json_integer_value(json_object_get(place, "column")),
        .end_line = (uint32_t)json_integer_value(json_object_get(place, "end_line")),
        .end_column = (uint32_t)json_integer_value(json_object_get(place, "end_column")),
    };
}

static void add_finding(struct ci *ci, struct report *report, const json_t *f)
{
    const json_t *steps = json_object_get(f, "steps"), *step = NULL;
    const char *level = text_of(f, "level"), *artifact = text_of(f, "artifact");
    struct report_step *v = ARENA_ARRAY(&ci->arena, struct report_step, json_array_size(steps) + 1);
    size_t i = 0;
    json_array_foreach(steps, i, step)
    {
        v[i] = (struct report_step){text_of(step, "text"),
                                    place_of(ci, json_object_get(step, "place"))};
    }
    struct report_finding finding = {
        .rule = text_of(f, "rule"),
        .level = level != NULL && strcmp(level, "warning") == 0 ? REPORT_LEVEL_WARNING
                 : level != NULL && strcmp(level, "note") == 0  ? REPORT_LEVEL_NOTE
                                                                : REPORT_LEVEL_ERROR,
        .message = text_of(f, "message"),
        .details = text_of(f, "details"),
        .place = place_of(ci, json_object_get(f, "place")),
        .steps = v,
        .n_steps = json_array_size(steps),
        .artifact = artifact != NULL ? ci_path(&ci->arena, ci->dir, artifact) : NULL,
    };
    report_add_finding(report, &finding);
}

static enum report_outcome outcome_of(const char *name)
{
    for (int i = REPORT_PASSED; i <= REPORT_SKIPPED; i++) {
        if (name != NULL && strcmp(name, report_outcome_name((enum report_outcome)i)) == 0) {
            return (enum report_outcome)i;
        }
    }
    return REPORT_ERROR;
}

static void add_case(struct ci *ci, struct report *report, const struct ci_job *job,
                     const json_t *c)
{
    const char *group = text_of(c, "group"), *name = text_of(c, "name");
    struct report_case one = {
        .group = job->name,
        .name = group != NULL ? arena_printf(&ci->arena, "%s: %s", group, name) : name,
        .outcome = outcome_of(text_of(c, "outcome")),
        .kind = text_of(c, "kind"),
        .message = text_of(c, "message"),
        .details = text_of(c, "details"),
        .ns = (uint64_t)(json_number_value(json_object_get(c, "seconds")) * 1e9),
    };
    report_add_case(report, &one);
}

/* A job as one case: what there is to say of it is not in a report of its own. */
static void add_whole(struct ci *ci, struct report *report, const struct ci_job *job)
{
    static const enum report_outcome outcomes[] = {
        [CI_OK] = REPORT_PASSED,     [CI_UNDECIDED] = REPORT_ERROR, [CI_FAILED] = REPORT_FAILED,
        [CI_DIFFERS] = REPORT_ERROR, [CI_ERROR] = REPORT_ERROR,     [CI_SKIPPED] = REPORT_SKIPPED};
    enum ci_outcome outcome = ci_outcome_of(job);
    struct report_case c = {.group = job->name,
                            .name = job->words[0],
                            .outcome = outcomes[outcome],
                            .kind = outcome == CI_DIFFERS      ? "differs"
                                    : job->result.over         ? "out-of-time"
                                    : job->expect != 0         ? "unexpected-status"
                                    : job->state == CI_NOT_RUN ? "not-run"
                                                               : "no-report",
                            .message = ci_line(ci, job)};
    struct report_finding f = {.rule = c.kind, .message = c.message};
    f.place = (struct report_place){.file = ci->path, .line = job->line};
    report_add_case(report, &c);
    if (c.outcome == REPORT_FAILED || c.outcome == REPORT_ERROR) {
        report_add_finding(report, &f);
    }
}

void ci_report(struct ci *ci, struct report *report)
{
    report_subject(report, ci->path);
    for (size_t i = 0; report != NULL && i < ci->n; i++) {
        const struct ci_job *job = &ci->v[i];
        const struct ci_result *r = &job->result;
        bool own = r->report != NULL && !r->over && !r->differs && job->expect == 0 &&
                   job->state != CI_NOT_RUN;
        json_t *root = own ? json_loads(r->report, 0, NULL) : NULL;
        const json_t *row = NULL;
        size_t k = 0;
        if (json_array_size(json_object_get(root, "cases")) == 0) {
            add_whole(ci, report, job);
        }
        json_array_foreach(json_object_get(root, "cases"), k, row)
        {
            add_case(ci, report, job, row);
        }
        json_array_foreach(json_object_get(root, "findings"), k, row)
        {
            add_finding(ci, report, row);
        }
        json_decref(root);
    }
}
