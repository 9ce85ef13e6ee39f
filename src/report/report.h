/* What a command has judged, as data, and its printers: JUnit XML, SARIF 2.1.0, annotations of
 * GitHub, TAP, JSON (docs/schema/assay.schema.json), HTML.
 *
 * A report has cases, which passed or did not, and findings, which are what somebody should look
 * at; one finding may be the reason of many cases. Everything that is added is copied. Nothing here
 * prints, opens files or knows TLA+: text goes into a strbuf. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum report_outcome { REPORT_PASSED, REPORT_FAILED, REPORT_ERROR, REPORT_SKIPPED };
const char *report_outcome_name(enum report_outcome outcome);

enum report_level { REPORT_LEVEL_ERROR, REPORT_LEVEL_WARNING, REPORT_LEVEL_NOTE };

/* Columns count code points, from 1 on; the end is inclusive. file NULL: nowhere; line 0: the file
 * as a whole. */
struct report_place {
    const char *file;
    uint32_t line, column, end_line, end_column;
};

/* Text may be NULL where nothing is to be said. */
struct report_case {
    const char *group; /* what it belongs to: a specification, a cluster, a file */
    const char *name;
    enum report_outcome outcome;
    const char *kind;    /* of a failure, an error: one word or a few with hyphens */
    const char *message; /* one line */
    const char *details; /* for people: many lines */
    uint64_t ns;         /* how long it took; 0: unknown */
};

/* A step on the way to a finding. */
struct report_step {
    const char *text;
    struct report_place place;
};

struct report_finding {
    const char *rule; /* what kind of thing it is, the same in every run */
    enum report_level level;
    const char *message; /* one line */
    const char *details;
    struct report_place place;
    const struct report_step *steps; /* [n_steps] */
    size_t n_steps;
    const char *artifact; /* a file that shows or reproduces it */
};

struct report;
/* `command` is "check" and so on. */
struct report *report_new(const char *command);
void report_command(struct report *report, const char *command); /* another one */
void report_free(struct report *report);                         /* accepts NULL */
/* Where findings stand that name no file. */
void report_default_file(struct report *report, const char *file);
/* What is judged: the name of a specification or a file; the first one counts. All three accept
 * NULL for the report: nobody wants one. */
void report_subject(struct report *report, const char *subject);
void report_add_case(struct report *report, const struct report_case *c);
void report_add_finding(struct report *report, const struct report_finding *finding);
/* A case, and a finding about the same. */
void report_add_both(struct report *report, const struct report_case *c,
                     const struct report_finding *finding);
size_t report_count(const struct report *report, enum report_outcome outcome);

/* ORDER REPORT_FORMATS */
enum report_format {
    REPORT_JUNIT,
    REPORT_SARIF,
    REPORT_GITHUB,
    REPORT_TAP,
    REPORT_JSON,
    REPORT_HTML
};
enum { REPORT_FORMATS = REPORT_HTML + 1 };
const char *report_format_name(enum report_format format);
bool report_format_of(struct str name, enum report_format *ret);

struct report_end {
    int exit_status;
    int64_t seconds; /* since 1970, when it was made */
};
void report_print(const struct report *report, enum report_format format,
                  const struct report_end *end, struct strbuf *out);

/* ---- text in the formats, for whoever writes them, too ---- */
/* Text as XML and HTML have it: nothing in it is markup. What XML 1.0 cannot hold, and bytes that
 * are no UTF-8, become U+FFFD. */
void report_xml(struct str text, struct strbuf *out);
/* A JSON string with quotes; the same replacement. */
void report_json(struct str text, struct strbuf *out);

/* The file of a path, relative to the current directory where that is possible: a part of `path`.
 */
const char *report_path(const char *path);
/* Text of the palette's escape sequences, which reports have not: removed. */
void report_plain(struct strbuf *text);
