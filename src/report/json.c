/* Reports as JSON, in the words of docs/schema/assay.schema.json, and as a page of HTML without any
 * script. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "report/report.h"
#include "report/report_int.h"

static void put_place(const struct report_place *place, struct strbuf *out)
{
    if (place->file == NULL) {
        return;
    }
    strbuf_adds(out, ",\"place\":{\"file\":");
    report_json(str_of(place->file), out);
    if (place->line != 0) {
        strbuf_printf(out, ",\"line\":%u", place->line);
    }
    if (place->line != 0 && place->column != 0) {
        strbuf_printf(out, ",\"column\":%u", place->column);
    }
    if (place->line != 0 && place->end_line != 0) {
        strbuf_printf(out, ",\"end_line\":%u,\"end_column\":%u", place->end_line,
                      place->end_column);
    }
    strbuf_addc(out, '}');
}

static void put_case(const struct report *report, const struct report_case *c, struct strbuf *out)
{
    strbuf_printf(out, "{\"outcome\":\"%s\"", report_outcome_name(c->outcome));
    report_json_field(out, "group", report_group(report, c));
    report_json_field(out, "name", c->name);
    report_json_field(out, "kind", c->kind);
    report_json_field(out, "message", c->message);
    report_json_field(out, "details", c->details);
    if (c->ns != 0) {
        strbuf_printf(out, ",\"seconds\":%" PRIu64 ".%06" PRIu64, c->ns / 1000000000,
                      c->ns / 1000 % 1000000);
    }
    strbuf_addc(out, '}');
}

static void put_finding(const struct report_finding *f, struct strbuf *out)
{
    /* ORDER enum report_level */
    static const char *const levels[] = {"error", "warning", "note"};
    strbuf_printf(out, "{\"level\":\"%s\"", levels[f->level]);
    report_json_field(out, "rule", f->rule);
    report_json_field(out, "message", f->message);
    report_json_field(out, "details", f->details);
    put_place(&f->place, out);
    if (f->n_steps != 0) {
        strbuf_adds(out, ",\"steps\":[");
        for (size_t i = 0; i < f->n_steps; i++) {
            strbuf_adds(out, i != 0 ? ",{\"text\":" : "{\"text\":");
            report_json(report_text(f->steps[i].text), out);
            put_place(&f->steps[i].place, out);
            strbuf_addc(out, '}');
        }
        strbuf_addc(out, ']');
    }
    report_json_field(out, "artifact", f->artifact);
    strbuf_addc(out, '}');
}

void report_put_json(const struct report *report, const struct report_end *end, struct strbuf *out)
{
    strbuf_adds(out, "{\"kind\":\"report\",\"schema\":1,\"assay\":\"" ASSAY_VERSION "\"");
    report_json_field(out, "command", report->command);
    report_json_field(out, "subject", report->subject);
    strbuf_printf(out,
                  ",\"exit\":%d,\"counts\":{\"passed\":%zu,\"failed\":%zu,\"error\":%zu,"
                  "\"skipped\":%zu},\n\"cases\":[",
                  end->exit_status, report_count(report, REPORT_PASSED),
                  report_count(report, REPORT_FAILED), report_count(report, REPORT_ERROR),
                  report_count(report, REPORT_SKIPPED));
    for (size_t i = 0; i < report->cases.n; i++) {
        strbuf_adds(out, i != 0 ? ",\n " : "\n ");
        put_case(report, &report->cases.v[i], out);
    }
    strbuf_adds(out, "],\n\"findings\":[");
    for (size_t i = 0; i < report->findings.n; i++) {
        strbuf_adds(out, i != 0 ? ",\n " : "\n ");
        put_finding(&report->findings.v[i], out);
    }
    strbuf_adds(out, "]}\n");
}

/* ---- HTML ---- */

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'\"><style>:root{color-scheme:light dark}body{font:15px/1.5 "
    "system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em}pre{overflow:auto;"
    "padding:.7em;background:#8882;border-radius:6px}table{border-collapse:collapse;width:100%}"
    "td,th{padding:3px 10px;border-bottom:1px solid #8884;text-align:left;vertical-align:top;"
    "unicode-bidi:isolate}.failed,.error{color:#d1242f}.passed{color:#1a7f37}.skipped{opacity:.6}"
    "</style><title>";

static void put_html_case(const struct report_case *c, struct strbuf *out)
{
    const char *outcome = report_outcome_name(c->outcome);
    strbuf_printf(out, "<tr><td class=\"%s\">%s</td><td>", outcome, outcome);
    report_xml(report_text(c->name), out);
    strbuf_adds(out, "</td><td>");
    report_xml(report_text(c->message), out);
    strbuf_printf(out, "</td><td>%.1f ms</td></tr>\n", (double)c->ns * 1e-6);
}

static void put_html_finding(const struct report_finding *f, struct strbuf *out)
{
    strbuf_adds(out, "<h2>");
    report_xml(report_text(f->rule), out);
    strbuf_adds(out, "</h2><p>");
    report_xml(report_text(f->message), out);
    if (f->place.file != NULL) {
        strbuf_adds(out, " (");
        report_xml(str_of(f->place.file), out);
        strbuf_printf(out, ":%u)", f->place.line);
    }
    strbuf_adds(out, "</p>");
    if (f->details != NULL) {
        strbuf_adds(out, "<pre>");
        report_xml(str_of(f->details), out);
        strbuf_adds(out, "</pre>");
    }
}

void report_put_html(const struct report *report, const struct report_end *end, struct strbuf *out)
{
    SCOPED_STRBUF title = {0};
    strbuf_printf(&title, "assay %s %s", report->command, report_text(report->subject).p);
    strbuf_adds(out, head);
    report_xml(strbuf_str(&title), out);
    strbuf_adds(out, "</title></head><body><h1>");
    report_xml(strbuf_str(&title), out);
    strbuf_printf(
        out, "</h1><p>%zu passed, %zu failed, %zu errors, %zu skipped; exit status %d</p>\n",
        report_count(report, REPORT_PASSED), report_count(report, REPORT_FAILED),
        report_count(report, REPORT_ERROR), report_count(report, REPORT_SKIPPED), end->exit_status);
    for (size_t i = 0; i < report->findings.n; i++) {
        put_html_finding(&report->findings.v[i], out);
    }
    strbuf_adds(out, "<table><tr><th>outcome</th><th>case</th><th></th><th>time</th></tr>\n");
    for (size_t i = 0; i < report->cases.n; i++) {
        put_html_case(&report->cases.v[i], out);
    }
    strbuf_adds(out, "</table></body></html>\n");
}
