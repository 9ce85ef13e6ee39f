/* `assay test`: outcomes in the formats of others: JUnit XML, TAP, SARIF, annotations of GitHub, a
 * page of HTML. */
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/bridge.h"
#include "cli/cli.h"
#include "cli/test_cmd.h"
#include "model/model.h"
#include "suite/suite.h"

static void xml_text(struct strbuf *out, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'') {
            strbuf_printf(out, "&#%u;", c);
        } else if (c >= ' ' || c == '\n' || c == '\t') {
            strbuf_addc(out, (char)c);
        }
    }
}

static double seconds(uint64_t ns)
{
    return (double)ns * 1e-9;
}

static void finding_text(const struct test_outcome *o, struct strbuf *out)
{
    finding_print(o->finding, out);
}

/* ---- JUnit ---- */

static void junit_case(const struct test_cmd *cmd, uint32_t number, struct strbuf *out)
{
    const struct suite_case *c = &cmd->suite->cases[number];
    const struct test_outcome *o = &cmd->outcomes[number];
    strbuf_adds(out, "  <testcase classname=\"");
    xml_text(out, cmd->suite->spec);
    strbuf_printf(out, "\" name=\"%.*s ", STR_ARG(c->id));
    xml_text(out, c->name);
    strbuf_printf(out, "\" time=\"%.6f\"", seconds(o->ns));
    if (!o->known || o->status == SUITE_BLOCKED) {
        strbuf_printf(out, "><skipped message=\"%s\"/></testcase>\n",
                      o->known ? "a case before it fails on the way" : "not run");
    } else if (o->status == SUITE_PASSED) {
        strbuf_adds(out, "/>\n");
    } else {
        const char *tag = o->status == SUITE_FAILED ? "failure" : "error";
        SCOPED_STRBUF text = {0};
        finding_text(o, &text);
        strbuf_printf(out, "><%s type=\"%s\" message=\"", tag, test_text(o->finding, "kind"));
        xml_text(out, str_of(test_text(o->finding, "about")));
        strbuf_adds(out, " after ");
        xml_text(out, str_of(test_text(o->finding, "action")));
        strbuf_adds(out, "\">");
        xml_text(out, strbuf_str(&text));
        strbuf_printf(out, "</%s></testcase>\n", tag);
    }
}

static void put_junit(const struct test_cmd *cmd, struct strbuf *out)
{
    struct test_counts n = test_count(cmd);
    uint64_t ns = 0;
    for (size_t i = 0; i < cmd->n_chosen; i++) {
        ns += cmd->outcomes[cmd->chosen[i]].ns;
    }
    strbuf_printf(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite "
                  "name=\"assay test %.*s\" tests=\"%" PRIu64 "\" failures=\"%" PRIu64
                  "\" errors=\"%" PRIu64 "\" skipped=\"%" PRIu64 "\" time=\"%.3f\">\n",
                  STR_ARG(cmd->suite->spec), n.cases, n.failed, n.stale, n.blocked + n.left,
                  seconds(ns));
    for (size_t i = 0; i < cmd->n_chosen; i++) {
        junit_case(cmd, cmd->chosen[i], out);
    }
    strbuf_adds(out, "</testsuite>\n</testsuites>\n");
}

/* ---- TAP ---- */

static void put_tap(const struct test_cmd *cmd, struct strbuf *out)
{
    strbuf_printf(out, "TAP version 13\n1..%zu\n", cmd->n_chosen);
    for (size_t i = 0; i < cmd->n_chosen; i++) {
        const struct suite_case *c = &cmd->suite->cases[cmd->chosen[i]];
        const struct test_outcome *o = &cmd->outcomes[cmd->chosen[i]];
        bool good = !o->known || o->status == SUITE_PASSED || o->status == SUITE_BLOCKED;
        strbuf_printf(out, "%s %zu - %.*s ", good ? "ok" : "not ok", i + 1, STR_ARG(c->id));
        for (size_t k = 0; k < c->name.n; k++) { /* '#' begins a directive */
            strbuf_adds(out, c->name.p[k] == '#' ? "\\" : "");
            strbuf_addc(out, c->name.p[k]);
        }
        strbuf_adds(out, !o->known                    ? " # SKIP not run\n"
                         : o->status == SUITE_BLOCKED ? " # SKIP a case before it fails\n"
                                                      : "\n");
        if (!good) {
            strbuf_printf(out, "  ---\n  kind: %s\n  about: \"%s\"\n  action: \"%s\"\n  ...\n",
                          test_text(o->finding, "kind"), test_text(o->finding, "about"),
                          test_text(o->finding, "action"));
        }
    }
}

/* ---- places ---- */

/* Where the action of a finding stands in the specification. */
static struct mplace place_of(const struct test_cmd *cmd, const json_t *finding)
{
    const struct model *model = cmd->bridge.spec.model;
    for (uint32_t i = 0; i < model->naction; i++) {
        if (strcmp(model->actions[i].name, test_text(finding, "action")) == 0) {
            return model->actions[i].place;
        }
    }
    return (struct mplace){.module = model->name, .line = 1, .column = 1};
}

/* Places are looked up in a repository: relative to where we are, if the file is below it. */
static const char *below(const char *path)
{
    char here[PATH_MAX];
    size_t n = getcwd(here, sizeof here) != NULL ? strlen(here) : 0;
    return n > 1 && strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* The file of the module: that of the specification for the root module. */
static const char *file_of(const struct test_cmd *cmd, const struct mplace *place)
{
    const struct spec *spec = &cmd->bridge.spec;
    for (size_t i = 0; i < spec->sources.n; i++) {
        struct str base = path_base(str_of(spec->sources.v[i]->path));
        if (base.n == strlen(place->module) + 4 && memcmp(base.p, place->module, base.n - 4) == 0) {
            return below(spec->sources.v[i]->path);
        }
    }
    return below(spec->module_path);
}

static void message_of(const struct test_group *g, struct strbuf *out)
{
    const char *text = test_text(g->finding, "text");
    strbuf_printf(out, "%s after %s: %.*s", test_text(g->finding, "about"),
                  test_text(g->finding, "action"), (int)strcspn(text, "\n"), text);
}

/* ---- SARIF ---- */

static void put_sarif(const struct test_cmd *cmd, struct strbuf *out)
{
    json_t *results = json_array();
    for (size_t i = 0; i < cmd->groups.n; i++) {
        const struct test_group *g = &cmd->groups.v[i];
        struct mplace place = place_of(cmd, g->finding);
        SCOPED_STRBUF text = {0};
        message_of(g, &text);
        (void)json_array_append_new(
            results, json_pack("{s:s, s:s, s:{s:s}, s:[{s:{s:{s:s}, s:{s:i, s:i}}}]}", "ruleId",
                               test_text(g->finding, "kind"), "level", "error", "message", "text",
                               strbuf_cstr(&text), "locations", "physicalLocation",
                               "artifactLocation", "uri", file_of(cmd, &place), "region",
                               "startLine", place.line != 0 ? (int)place.line : 1, "startColumn",
                               place.column != 0 ? (int)place.column : 1));
    }
    json_t *root =
        json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s}}, s:o}]}", "$schema",
                  "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                  "tool", "driver", "name", "assay", "version", ASSAY_VERSION, "results", results);
    char *text = root != NULL ? json_dumps(root, JSON_INDENT(1)) : NULL;
    strbuf_printf(out, "%s\n", text != NULL ? text : "{}");
    free(text);
    json_decref(root);
}

/* ---- GitHub ---- */

static void github_text(struct strbuf *out, const char *text, bool property)
{
    for (; *text != '\0'; text++) {
        bool escape = strchr("%\r\n", *text) != NULL || (property && strchr(":,", *text) != NULL);
        if (escape) {
            strbuf_printf(out, "%%%02X", (unsigned char)*text);
        } else {
            strbuf_addc(out, *text);
        }
    }
}

static void put_github(const struct test_cmd *cmd, struct strbuf *out)
{
    for (size_t i = 0; i < cmd->groups.n; i++) {
        const struct test_group *g = &cmd->groups.v[i];
        struct mplace place = place_of(cmd, g->finding);
        SCOPED_STRBUF text = {0};
        message_of(g, &text);
        strbuf_adds(out, "::error file=");
        github_text(out, file_of(cmd, &place), true);
        strbuf_printf(out, ",line=%u,title=", place.line != 0 ? place.line : 1);
        github_text(out, test_text(g->finding, "kind"), true);
        strbuf_adds(out, "::");
        github_text(out, strbuf_cstr(&text), false);
        strbuf_addc(out, '\n');
    }
}

/* ---- HTML ---- */

static void put_html(struct test_cmd *cmd, struct strbuf *out)
{
    SCOPED_STRBUF text = {0};
    test_report_text(cmd, &text);
    strbuf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    xml_text(out, cmd->suite->spec);
    strbuf_adds(out, "</title><style>body{font:14px sans-serif;margin:2em}table{border-collapse:"
                     "collapse}td{padding:2px 8px;border-bottom:1px solid #ddd}.failed{color:#b00}"
                     ".passed{color:#070}</style></head><body><h1>");
    xml_text(out, cmd->suite->spec);
    strbuf_adds(out, "</h1><pre>");
    xml_text(out, strbuf_str(&text));
    strbuf_adds(out, "</pre><table>\n");
    for (size_t i = 0; i < cmd->n_chosen; i++) {
        const struct suite_case *c = &cmd->suite->cases[cmd->chosen[i]];
        const struct test_outcome *o = &cmd->outcomes[cmd->chosen[i]];
        const char *status = o->known ? suite_status_name(o->status) : "not run";
        strbuf_printf(out, "<tr class=\"%s\"><td>%s</td><td>%.*s</td><td>", status, status,
                      STR_ARG(c->id));
        xml_text(out, c->name);
        strbuf_printf(out, "</td><td>%.1f ms</td></tr>\n", seconds(o->ns) * 1e3);
    }
    strbuf_adds(out, "</table></body></html>\n");
}

int test_report_files(struct test_cmd *cmd, struct err *err)
{
    SCOPED_STRBUF junit = {0}, tap = {0}, sarif = {0}, html = {0}, github = {0};
    int status = 0;
    if (cmd->junit != NULL) {
        put_junit(cmd, &junit);
        status = file_write(cmd->junit, strbuf_str(&junit), err);
    }
    if (status == 0 && cmd->tap != NULL) {
        put_tap(cmd, &tap);
        status = file_write(cmd->tap, strbuf_str(&tap), err);
    }
    if (status == 0 && cmd->sarif != NULL) {
        put_sarif(cmd, &sarif);
        status = file_write(cmd->sarif, strbuf_str(&sarif), err);
    }
    if (status == 0 && cmd->html != NULL) {
        put_html(cmd, &html);
        status = file_write(cmd->html, strbuf_str(&html), err);
    }
    if (cmd->github) {
        put_github(cmd, &github);
        (void)put_text(stdout, strbuf_str(&github));
    }
    return status;
}
