/* Reports as data: cases and findings, copied into an arena. */
#include "report/report.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "report/report_int.h"

const char *report_outcome_name(enum report_outcome outcome)
{
    /* ORDER enum report_outcome */
    static const char *const names[] = {"passed", "failed", "error", "skipped"};
    return names[outcome];
}

/* ORDER REPORT_FORMATS */
static const char *const formats[REPORT_FORMATS] = {"junit", "sarif", "github",
                                                    "tap",   "json",  "html"};

const char *report_format_name(enum report_format format)
{
    return formats[format];
}

bool report_format_of(struct str name, enum report_format *ret)
{
    for (int i = 0; i < REPORT_FORMATS; i++) {
        if (str_is(name, formats[i])) {
            *ret = (enum report_format)i;
            return true;
        }
    }
    return false;
}

struct report *report_new(const char *command)
{
    size_t cap = 0;
    struct report *report = vec_grow(NULL, &cap, 1, sizeof *report);
    memset(report, 0, sizeof *report);
    arena_init(&report->arena, 0);
    report->command = str_dup(&report->arena, str_of(command)).p;
    return report;
}

void report_command(struct report *report, const char *command)
{
    report->command = str_dup(&report->arena, str_of(command)).p;
}

void report_default_file(struct report *report, const char *file)
{
    for (size_t i = 0; file != NULL && i < report->findings.n; i++) {
        struct report_place *place = &report->findings.v[i].place;
        place->file = place->file != NULL ? place->file : str_dup(&report->arena, str_of(file)).p;
    }
}

void report_free(struct report *report)
{
    if (report != NULL) {
        VEC_DONE(&report->cases);
        VEC_DONE(&report->findings);
        arena_done(&report->arena);
        vec_release(report);
    }
}

static const char *keep(struct report *report, const char *text)
{
    return text != NULL ? str_dup(&report->arena, str_of(text)).p : NULL;
}

static struct report_place keep_place(struct report *report, struct report_place place)
{
    place.file = keep(report, place.file);
    return place;
}

void report_subject(struct report *report, const char *subject)
{
    if (report != NULL && report->subject == NULL) {
        report->subject = keep(report, subject);
    }
}

void report_add_case(struct report *report, const struct report_case *c)
{
    if (report == NULL) {
        return;
    }
    struct report_case copy = *c;
    copy.group = keep(report, c->group);
    copy.name = keep(report, c->name);
    copy.kind = keep(report, c->kind);
    copy.message = keep(report, c->message);
    copy.details = keep(report, c->details);
    VEC_PUSH(&report->cases, copy);
}

void report_add_finding(struct report *report, const struct report_finding *finding)
{
    if (report == NULL) {
        return;
    }
    struct report_finding copy = *finding;
    copy.rule = keep(report, finding->rule != NULL ? finding->rule : "finding");
    copy.message = keep(report, finding->message != NULL ? finding->message : copy.rule);
    copy.details = keep(report, finding->details);
    copy.place = keep_place(report, finding->place);
    copy.artifact = keep(report, finding->artifact);
    struct report_step *steps = ARENA_ARRAY(&report->arena, struct report_step, copy.n_steps + 1);
    for (size_t i = 0; i < copy.n_steps; i++) {
        steps[i].text = keep(report, finding->steps[i].text);
        steps[i].place = keep_place(report, finding->steps[i].place);
    }
    copy.steps = steps;
    VEC_PUSH(&report->findings, copy);
}

void report_add_both(struct report *report, const struct report_case *c,
                     const struct report_finding *finding)
{
    report_add_case(report, c);
    report_add_finding(report, finding);
}

size_t report_count(const struct report *report, enum report_outcome outcome)
{
    size_t n = 0;
    for (size_t i = 0; i < report->cases.n; i++) {
        n += report->cases.v[i].outcome == outcome ? 1 : 0;
    }
    return n;
}

const char *report_group(const struct report *report, const struct report_case *c)
{
    return c->group != NULL          ? c->group
           : report->subject != NULL ? report->subject
                                     : report->command;
}

void report_print(const struct report *report, enum report_format format,
                  const struct report_end *end, struct strbuf *out)
{
    switch (format) {
    case REPORT_JUNIT: report_put_junit(report, end, out); break;
    case REPORT_SARIF: report_put_sarif(report, end, out); break;
    case REPORT_GITHUB: report_put_github(report, out); break;
    case REPORT_TAP: report_put_tap(report, out); break;
    case REPORT_JSON: report_put_json(report, end, out); break;
    case REPORT_HTML: report_put_html(report, end, out); break;
    }
}

/* ---- for those who write reports ---- */

void report_plain(struct strbuf *text)
{
    size_t to = 0;
    for (size_t i = 0; i < text->n;) {
        if (text->p[i] == '\033') {
            while (i < text->n && text->p[i] != 'm' && text->p[i] != 'K') {
                i++;
            }
            i++;
        } else {
            text->p[to++] = text->p[i++];
        }
    }
    if (text->p != NULL) {
        text->n = to;
        text->p[to] = '\0';
    }
}

const char *report_path(const char *path)
{
    char here[PATH_MAX];
    size_t n = getcwd(here, sizeof here) != NULL ? strlen(here) : 0;
    return n > 1 && strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}
