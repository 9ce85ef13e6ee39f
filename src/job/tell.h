/* What is wrong with a specification or a configuration, as text with excerpts of the source. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "check/check.h"
#include "eval/eval.h"
#include "job/job.h"
#include "job/load.h"
#include "model/model.h"
#include "report/report.h"

void job_tell_diags(const struct spec *spec, bool color, struct strbuf *out);
void job_tell_issue(const struct spec *spec, const struct eval_issue *issue, bool color,
                    struct strbuf *out);
/* The innermost places of an evaluation, each with its line. */
void job_tell_stack(const struct spec *spec, const struct mplace *stack, size_t n, bool color,
                    struct strbuf *out);
/* An excerpt under a note; false: the place is in no module that was read. */
bool job_tell_place(const struct spec *spec, const struct mplace *place, const char *note,
                    bool color, struct strbuf *out);
/* What a violation is: a line; of an evaluation that failed, with what failed and where. */
void job_tell_violation(const struct job *job, const struct check_violation *v, bool color,
                        struct strbuf *out);
/* Which conjunct is false there, with which values: lines; nothing when that cannot be told. */
void job_tell_reason(const struct job *job, const struct check_violation *v, struct strbuf *out);

/* ---- for reports (report.c, cases.c); `report` may be NULL ---- */
/* The place in a file, relative to the current directory where that is possible. */
struct report_place job_report_place(const struct spec *spec, const struct mplace *place);
/* What is wrong in files, as findings. */
void job_report_diags(struct report *report, const struct spec *spec);
/* That, and as text with excerpts of the source. */
void job_say_diags(struct report *report, const struct spec *spec, bool color, struct strbuf *out);
/* What a finished search has judged: a case for each property of the configuration, a finding with
 * its steps for each violation. `text` adds what is said of one, in as many lines as it likes;
 * NULL: what it is, and why. */
typedef void (*job_text)(void *arg, const struct check_violation *violation, struct strbuf *out);
void job_report_cases(struct job *job, struct report *report, int status, job_text text, void *arg);
