/* --report: one report for the process. A command adds cases and findings where it has them as
 * data; how it ended decides the rest, never a text. Standard error is copied while a report is
 * wanted, only to say in it what people were told. */
#include "cli/reports.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/status.h"
#include "base/str.h"
#include "base/term.h"
#include "option/option.h"
#include "report/report.h"

enum { SAID_MAX = 1 << 16 };

static struct {
    struct report *report; /* NULL: not asked for */
    const char *files[REPORT_FORMATS];
    bool wanted[REPORT_FORMATS];
    struct strbuf said;             /* on standard error, by this part */
    size_t before_bad, before_good; /* cases of earlier parts */
} state;

/* ---- what is said ---- */

static ssize_t say(void *cookie, const char *text, size_t n)
{
    (void)cookie;
    if (state.said.n + n < SAID_MAX) {
        strbuf_add(&state.said, text, n);
    }
    for (size_t done = 0; done < n;) {
        ssize_t now = write(STDERR_FILENO, text + done, n - done);
        if (now <= 0) {
            return 0;
        }
        done += (size_t)now;
    }
    return (ssize_t)n;
}

static void begin(void)
{
    if (state.report != NULL) {
        return;
    }
    state.report = report_new("");
    FILE *copy = fopencookie(NULL, "w", (cookie_io_functions_t){.write = say});
    if (copy != NULL) { /* else the report says less */
        (void)setvbuf(copy, NULL, _IONBF, 0);
        stderr = copy;
    }
}

const char *reports_add(enum report_format format, const char *file)
{
    struct err err = {0};
    begin();
    if (file != NULL && file_probe(file, &err) != 0) {
        (void)fprintf(stderr, "assay: the report cannot be written: %s\n", err.text);
        return "";
    }
    state.wanted[format] = true;
    state.files[format] = file;
    return NULL;
}

const char *reports_option(void *to, const char *value)
{
    static const char wanted[] =
        "junit=FILE, sarif=FILE, json=FILE, tap=FILE, html=FILE or github, with "
        "commas between them,";
    (void)to;
    for (const char *at = value; *at != '\0';) {
        size_t n = strcspn(at, ",");
        size_t name = strcspn(at, "=,");
        enum report_format format;
        if (!report_format_of((struct str){at, name}, &format) || (name < n && name + 1 == n) ||
            (name == n && format != REPORT_GITHUB)) {
            return wanted;
        }
        char *file = name < n ? strndup(at + name + 1, n - name - 1) : NULL;
        const char *wrong = reports_add(format, file); /* until the end of the process */
        if (wrong != NULL) {
            return wrong;
        }
        at += n + (at[n] == ',' ? 1 : 0);
    }
    return state.report != NULL ? NULL : wanted;
}

struct report *reports(void)
{
    return state.report;
}

/* ---- the end ---- */

/* What a status means that no case explains. */
static const char *status_kind(int status)
{
    switch (status) {
    case EXIT_USAGE: return "command-line";
    case EXIT_AGREES: return "nothing-violated";
    case EXIT_UNDECIDED: return "undecided";
    case EXIT_INCOMPLETE: return "incomplete";
    case EXIT_SPEC_EVAL:
    case EXIT_SAFETY_EVAL:
    case EXIT_LIVENESS_EVAL: return "evaluation";
    case EXIT_PARSE: return "parse";
    case EXIT_CONFIG: return "configuration";
    case EXIT_INTERRUPTED: return "interrupted";
    default: return "failed";
    }
}

/* The end of a command that no case has told. */
static size_t good_cases(void)
{
    return report_count(state.report, REPORT_PASSED) + report_count(state.report, REPORT_SKIPPED);
}

static size_t bad_cases(void)
{
    return report_count(state.report, REPORT_FAILED) + report_count(state.report, REPORT_ERROR);
}

static void add_end(const char *name, int status)
{
    struct report *report = state.report;
    if (bad_cases() > state.before_bad || (status == EXIT_OK && good_cases() > state.before_good)) {
        return;
    }
    report_plain(&state.said);
    const char *said = strbuf_cstr(&state.said);
    char *line = strndup(said, strcspn(said, "\n"));
    char *ended = NULL;
    if (asprintf(&ended, "%s ended with status %d", name, status) < 0) {
        ended = NULL;
    }
    bool cut = status == EXIT_INCOMPLETE; /* what was said before is about something else */
    struct report_case c = {.name = name,
                            .outcome = status == EXIT_OK ? REPORT_PASSED : REPORT_ERROR,
                            .kind = status_kind(status),
                            .message = cut ? "a limit ended it before all was seen"
                                       : line != NULL && line[0] != '\0' ? line
                                                                         : ended,
                            .details = said};
    report_add_case(report, &c);
    if (status != EXIT_OK) {
        struct report_finding f = {.rule = c.kind, .message = c.message, .details = c.details};
        report_add_finding(report, &f);
    }
    free(line);
    free(ended);
}

void reports_part(const char *name, int status)
{
    if (state.report != NULL) {
        add_end(name, status);
        state.before_bad = bad_cases();
        state.before_good = good_cases();
        strbuf_reset(&state.said);
    }
}

/* SOURCE_DATE_EPOCH makes reports the same every time. */
static int64_t now(void)
{
    const char *text = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds = 0;
    return text != NULL && read_u64(text, &seconds) ? (int64_t)seconds : (int64_t)time(NULL);
}

/* The file that the command was called with: where those look who ask for a place. */
static const char *main_file(int argc, char **argv)
{
    const char *first = NULL;
    for (int i = 1; i < argc; i++) {
        bool ours = strcmp(argv[i - 1], "--report") == 0 || strcmp(argv[i - 1], "-report") == 0;
        bool word = argv[i][0] != '-' && argv[i][0] != '\0' && !ours;
        if (word && file_exists(argv[i])) {
            return report_path(argv[i]);
        }
        first = word && first == NULL ? argv[i] : first;
    }
    return first;
}

int reports_finish(int argc, char **argv, int status)
{
    const char *command = argv[0];
    struct err err = {0};
    if (state.report == NULL) {
        return status;
    }
    report_command(state.report, command);
    if (state.before_bad + state.before_good == 0 || status == EXIT_INTERRUPTED) {
        add_end(command, status);
    }
    report_default_file(state.report, main_file(argc, argv));
    struct report_end end = {status, now()};
    for (int i = 0; i < REPORT_FORMATS; i++) {
        SCOPED_STRBUF text = {0};
        if (!state.wanted[i]) {
            continue;
        }
        report_print(state.report, (enum report_format)i, &end, &text);
        int rc = state.files[i] != NULL ? file_write(state.files[i], strbuf_str(&text), &err)
                                        : put_text(stdout, strbuf_str(&text));
        if (rc != 0) {
            (void)fprintf(stderr, "assay %s: the report cannot be written: %s\n", command,
                          state.files[i] != NULL ? err.text : "standard output");
            status = EXIT_OTHER;
        }
    }
    report_free(state.report);
    state.report = NULL;
    strbuf_done(&state.said);
    return status;
}
