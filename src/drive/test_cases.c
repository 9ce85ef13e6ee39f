/* `assay test`, for --report: a case for each that was chosen, a finding for each group of those
 * that failed in the same way. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "drive/bridge.h"
#include "drive/test.h"
#include "report/report.h"
#include "suite/suite.h"

static enum report_outcome outcome_of(const struct test_outcome *o)
{
    if (!o->known || o->status == SUITE_BLOCKED) {
        return REPORT_SKIPPED;
    }
    return o->status == SUITE_PASSED   ? REPORT_PASSED
           : o->status == SUITE_FAILED ? REPORT_FAILED
                                       : REPORT_ERROR;
}

static void add_case(struct test_cmd *cmd, uint32_t number)
{
    const struct suite_case *suite = &cmd->suite->cases[number];
    const struct test_outcome *o = &cmd->outcomes[number];
    SCOPED_STRBUF name = {0};
    strbuf_printf(&name, "%.*s %.*s", STR_ARG(suite->id), STR_ARG(suite->name));
    struct report_case c = {.name = strbuf_cstr(&name), .outcome = outcome_of(o), .ns = o->ns};
    if (c.outcome == REPORT_SKIPPED) {
        c.message = o->known ? "a case before it fails on the way" : "not run";
    }
    if (c.outcome == REPORT_FAILED || c.outcome == REPORT_ERROR) {
        bridge_finding_case(cmd->o.teller.report, o->finding, &c);
    } else {
        report_add_case(cmd->o.teller.report, &c);
    }
}

void test_cases(struct test_cmd *cmd)
{
    SCOPED_STRBUF subject = {0};
    if (cmd->o.teller.report == NULL) {
        return;
    }
    strbuf_addstr(&subject, cmd->suite->spec);
    report_subject(cmd->o.teller.report, strbuf_cstr(&subject));
    for (size_t i = 0; i < cmd->n_chosen; i++) {
        add_case(cmd, cmd->chosen[i]);
    }
    for (size_t i = 0; i < cmd->groups.n; i++) {
        bridge_finding_only(cmd->o.teller.report, &cmd->bridge.spec, cmd->groups.v[i].finding);
    }
}
