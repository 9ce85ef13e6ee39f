/* What the files of this room share. */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "report/report.h"

struct report {
    struct arena arena;
    const char *command, *subject;
    VEC(struct report_case) cases;
    VEC(struct report_finding) findings;
};

/* "" for NULL. */
static inline struct str report_text(const char *text)
{
    return text != NULL ? str_of(text) : STR("");
}

/* That of a case, else what is judged, else the command. */
const char *report_group(const struct report *report, const struct report_case *c);
/* ,"key":"text", or nothing when there is no text. */
void report_json_field(struct strbuf *out, const char *key, const char *text);
void report_put_junit(const struct report *report, const struct report_end *end,
                      struct strbuf *out);
void report_put_sarif(const struct report *report, const struct report_end *end,
                      struct strbuf *out);
void report_put_github(const struct report *report, struct strbuf *out);
void report_put_tap(const struct report *report, struct strbuf *out);
void report_put_json(const struct report *report, const struct report_end *end, struct strbuf *out);
void report_put_html(const struct report *report, const struct report_end *end, struct strbuf *out);
