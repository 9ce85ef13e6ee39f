/* JUnit's XML as the common schemas have it: that of Ant, which wants every attribute and element
 * in its order, and that of Jenkins, which allows them. And TAP 13. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
#include "report/report.h"
#include "report/report_int.h"

/* xs:dateTime without a zone, in UTC. */
static void put_time(int64_t seconds, struct strbuf *out)
{
    time_t at = (time_t)seconds;
    struct tm tm;
    char text[32] = "1970-01-01T00:00:00";
    if (gmtime_r(&at, &tm) != NULL) {
        (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
    }
    strbuf_adds(out, text);
}

static void put_seconds(uint64_t ns, struct strbuf *out)
{
    strbuf_printf(out, "%" PRIu64 ".%03" PRIu64, ns / 1000000000, ns / 1000000 % 1000);
}

static void put_attribute(const char *name, const char *text, struct strbuf *out)
{
    strbuf_printf(out, " %s=\"", name);
    report_xml(report_text(text), out);
    strbuf_addc(out, '"');
}

static void put_case(const struct report *report, const struct report_case *c, struct strbuf *out)
{
    strbuf_adds(out, "  <testcase");
    put_attribute("name", c->name, out);
    put_attribute("classname", report_group(report, c), out);
    strbuf_adds(out, " time=\"");
    put_seconds(c->ns, out);
    strbuf_adds(out, "\"");
    if (c->outcome == REPORT_PASSED) {
        strbuf_adds(out, "/>\n");
        return;
    }
    if (c->outcome == REPORT_SKIPPED) {
        strbuf_adds(out, "><skipped");
        put_attribute("message", c->message, out);
        strbuf_adds(out, "/></testcase>\n");
        return;
    }
    const char *tag = c->outcome == REPORT_FAILED ? "failure" : "error";
    strbuf_printf(out, "><%s", tag);
    put_attribute("type", c->kind != NULL ? c->kind : tag, out);
    put_attribute("message", c->message, out);
    strbuf_addc(out, '>');
    report_xml(report_text(c->details), out);
    strbuf_printf(out, "</%s></testcase>\n", tag);
}

void report_put_junit(const struct report *report, const struct report_end *end, struct strbuf *out)
{
    uint64_t ns = 0;
    SCOPED_STRBUF name = {0};
    for (size_t i = 0; i < report->cases.n; i++) {
        ns += report->cases.v[i].ns;
    }
    strbuf_printf(&name, "assay %s%s%s", report->command, report->subject != NULL ? " " : "",
                  report->subject != NULL ? report->subject : "");
    strbuf_adds(out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite id=\"0\" "
                "package=\"assay\" hostname=\"localhost\"");
    put_attribute("name", strbuf_cstr(&name), out);
    strbuf_adds(out, " timestamp=\"");
    put_time(end->seconds, out);
    strbuf_printf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"",
                  report->cases.n, report_count(report, REPORT_FAILED),
                  report_count(report, REPORT_ERROR), report_count(report, REPORT_SKIPPED));
    put_seconds(ns, out);
    strbuf_printf(out,
                  "\">\n  <properties><property name=\"assay\" value=\"" ASSAY_VERSION
                  "\"/><property name=\"exit\" value=\"%d\"/></properties>\n",
                  end->exit_status);
    for (size_t i = 0; i < report->cases.n; i++) {
        put_case(report, &report->cases.v[i], out);
    }
    strbuf_adds(out, "  <system-out/>\n  <system-err/>\n</testsuite>\n</testsuites>\n");
}

/* ---- TAP ---- */

/* One line; '#' would begin a directive, and a backslash says that it does not. */
static void put_line(const char *text, struct strbuf *out)
{
    for (const char *p = report_text(text).p; *p != '\0'; p++) {
        if (*p == '#' || *p == '\\') {
            strbuf_addc(out, '\\');
        }
        strbuf_addc(out, (char)((unsigned char)*p < ' ' ? ' ' : *p));
    }
}

void report_put_tap(const struct report *report, struct strbuf *out)
{
    strbuf_printf(out, "TAP version 13\n1..%zu\n", report->cases.n);
    for (size_t i = 0; i < report->cases.n; i++) {
        const struct report_case *c = &report->cases.v[i];
        bool good = c->outcome == REPORT_PASSED || c->outcome == REPORT_SKIPPED;
        strbuf_printf(out, "%s %zu - ", good ? "ok" : "not ok", i + 1);
        put_line(c->name, out);
        if (c->outcome == REPORT_SKIPPED) {
            strbuf_adds(out, " # SKIP ");
            put_line(c->message, out);
        }
        strbuf_addc(out, '\n');
        if (!good) { /* a string of JSON is one of YAML, too */
            strbuf_adds(out, "  ---\n  severity: ");
            strbuf_adds(out, c->outcome == REPORT_FAILED ? "fail" : "error");
            strbuf_adds(out, "\n  kind: ");
            report_json(report_text(c->kind), out);
            strbuf_adds(out, "\n  message: ");
            report_json(report_text(c->message), out);
            strbuf_adds(out, "\n  ...\n");
        }
    }
}
