/* SARIF 2.1.0 (OASIS), with the steps to a finding as a code flow; and annotations of GitHub's
 * workflow commands. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "report/report.h"
#include "report/report_int.h"

/* A path as the reference of a URI (RFC 3986): others than these are escaped. A path with a slash
 * in front is not relative to the repository, and says so by its scheme. */
static void put_uri(const char *path, struct strbuf *out)
{
    static const char plain[] =
        "-._~/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    strbuf_adds(out, path[0] == '/' ? "\"file://" : "\"");
    for (const char *p = path; *p != '\0'; p++) {
        if (strchr(plain, *p) != NULL) {
            strbuf_addc(out, *p);
        } else {
            strbuf_printf(out, "%%%02X", (unsigned char)*p);
        }
    }
    strbuf_addc(out, '"');
}

/* "physicalLocation":{...}. A column behind the last one ends a region. */
static void put_place(const struct report_place *place, struct strbuf *out)
{
    strbuf_adds(out, "\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
    put_uri(place->file, out);
    strbuf_adds(out, "}");
    if (place->line != 0) {
        strbuf_printf(out, ",\"region\":{\"startLine\":%u", place->line);
        if (place->column != 0) {
            strbuf_printf(out, ",\"startColumn\":%u", place->column);
        }
        if (place->end_line >= place->line && place->end_column != 0) {
            strbuf_printf(out, ",\"endLine\":%u,\"endColumn\":%u", place->end_line,
                          place->end_column + 1);
        }
        strbuf_addc(out, '}');
    }
    strbuf_addc(out, '}');
}

static void put_message(const char *key, const char *text, struct strbuf *out)
{
    strbuf_printf(out, "\"%s\":{\"text\":", key);
    report_json(report_text(text), out);
    strbuf_addc(out, '}');
}

static void put_flow(const struct report_finding *f, struct strbuf *out)
{
    strbuf_adds(out, ",\"codeFlows\":[{\"threadFlows\":[{\"locations\":[");
    for (size_t i = 0; i < f->n_steps; i++) {
        const struct report_step *step = &f->steps[i];
        strbuf_adds(out, i != 0 ? ",{\"location\":{" : "{\"location\":{");
        put_message("message", step->text, out);
        if (step->place.file != NULL) {
            strbuf_addc(out, ',');
            put_place(&step->place, out);
        }
        strbuf_adds(out, "}}");
    }
    strbuf_adds(out, "]}]}]");
}

static void put_result(const struct report_finding *f, size_t rule, struct strbuf *out)
{
    /* ORDER enum report_level */
    static const char *const levels[] = {"error", "warning", "note"};
    SCOPED_STRBUF text = {0};
    strbuf_adds(&text, report_text(f->message).p);
    if (f->details != NULL) {
        strbuf_printf(&text, "\n\n%s", f->details);
    }
    strbuf_adds(out, "{\"ruleId\":");
    report_json(report_text(f->rule), out);
    strbuf_printf(out, ",\"ruleIndex\":%zu,\"level\":\"%s\",", rule, levels[f->level]);
    put_message("message", strbuf_cstr(&text), out);
    if (f->place.file != NULL) {
        strbuf_adds(out, ",\"locations\":[{");
        put_place(&f->place, out);
        strbuf_adds(out, "}]");
    }
    if (f->n_steps != 0) {
        put_flow(f, out);
    }
    if (f->artifact != NULL) {
        strbuf_adds(out, ",\"attachments\":[{\"artifactLocation\":{\"uri\":");
        put_uri(f->artifact, out);
        strbuf_adds(out, "}}]");
    }
    strbuf_addc(out, '}');
}

/* The number of each finding's rule, and the rules in the order in which they came. */
struct rules {
    VEC(const char *) names;
};

static size_t rule_of(struct rules *rules, const char *name)
{
    for (size_t i = 0; i < rules->names.n; i++) {
        if (strcmp(rules->names.v[i], name) == 0) {
            return i;
        }
    }
    VEC_PUSH(&rules->names, name);
    return rules->names.n - 1;
}

void report_put_sarif(const struct report *report, const struct report_end *end, struct strbuf *out)
{
    struct rules rules = {0};
    SCOPED_STRBUF results = {0};
    for (size_t i = 0; i < report->findings.n; i++) {
        const struct report_finding *f = &report->findings.v[i];
        strbuf_adds(&results, i != 0 ? ",\n " : "\n ");
        put_result(f, rule_of(&rules, f->rule), &results);
    }
    strbuf_adds(out, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":"
                     "\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"assay\",\"version\":"
                     "\"" ASSAY_VERSION "\",\"rules\":[");
    for (size_t i = 0; i < rules.names.n; i++) {
        strbuf_adds(out, i != 0 ? ",{\"id\":" : "{\"id\":");
        report_json(str_of(rules.names.v[i]), out);
        strbuf_addc(out, '}');
    }
    /* The analysis itself is done when a verdict was reached, whatever it is. */
    bool done = report_count(report, REPORT_ERROR) == 0;
    strbuf_printf(out,
                  "]}},\"invocations\":[{\"executionSuccessful\":%s,\"exitCode\":%d}],"
                  "\"columnKind\":\"unicodeCodePoints\",\"results\":[%s]}]}\n",
                  done ? "true" : "false", end->exit_status, strbuf_cstr(&results));
    VEC_DONE(&rules.names);
}

/* ---- GitHub ---- */

/* Text of a command, or of one of its properties. */
static void github_text(struct strbuf *out, const char *text, bool property)
{
    for (text = report_text(text).p; *text != '\0'; text++) {
        bool escape = strchr("%\r\n", *text) != NULL || (property && strchr(":,", *text) != NULL);
        if (escape) {
            strbuf_printf(out, "%%%02X", (unsigned char)*text);
        } else {
            strbuf_addc(out, *text);
        }
    }
}

void report_put_github(const struct report *report, struct strbuf *out)
{
    /* ORDER enum report_level */
    static const char *const commands[] = {"error", "warning", "notice"};
    for (size_t i = 0; i < report->findings.n; i++) {
        const struct report_finding *f = &report->findings.v[i];
        strbuf_printf(out, "::%s ", commands[f->level]);
        if (f->place.file != NULL) {
            strbuf_adds(out, "file=");
            github_text(out, f->place.file, true);
            strbuf_printf(out, ",line=%u", f->place.line != 0 ? f->place.line : 1);
            if (f->place.column != 0 && f->place.end_line == f->place.line) {
                strbuf_printf(out, ",col=%u,endColumn=%u", f->place.column, f->place.end_column);
            }
            strbuf_addc(out, ',');
        }
        strbuf_adds(out, "title=");
        github_text(out, f->rule, true);
        strbuf_adds(out, "::");
        github_text(out, f->message, false);
        strbuf_addc(out, '\n');
    }
}
