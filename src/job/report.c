/* What is wrong in files, and places in them, for reports. */
#include "report/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "job/load.h"
#include "job/tell.h"
#include "model/model.h"
#include "syntax/diag.h"
#include "syntax/source.h"

struct report_place job_report_place(const struct spec *spec, const struct mplace *place)
{
    struct report_place ret = {.file = spec->module_path != NULL ? report_path(spec->module_path)
                                                                 : NULL};
    if (place->module == NULL || place->line == 0) {
        return ret;
    }
    for (size_t i = 0; i < spec->sources.n; i++) {
        struct str base = path_base(str_of(spec->sources.v[i]->path));
        if (base.n == strlen(place->module) + 4 && memcmp(base.p, place->module, base.n - 4) == 0 &&
            memcmp(base.p + base.n - 4, ".tla", 4) == 0 && !spec->sources.v[i]->builtin) {
            return (struct report_place){report_path(spec->sources.v[i]->path), place->line,
                                         place->column, place->end_line, place->end_column};
        }
    }
    return ret;
}

void job_report_diags(struct report *report, const struct spec *spec)
{
    for (size_t i = 0; report != NULL && i < spec->diags.n; i++) {
        const struct diag *diag = spec->diags.v[i];
        const struct source *source =
            diag->has_span ? sources_get(&spec->sources, diag->span.file) : NULL;
        char rule[16];
        (void)snprintf(rule, sizeof rule, "%c%04d", diag->severity == SEV_ERROR ? 'E' : 'W',
                       (int)diag->code);
        struct report_finding finding = {
            .rule = rule,
            .level = diag->severity == SEV_ERROR ? REPORT_LEVEL_ERROR : REPORT_LEVEL_WARNING,
            .message = diag->text,
            .details = diag->hint};
        if (source != NULL) {
            struct place at = sources_place(&spec->sources, diag->span);
            finding.place = (struct report_place){report_path(source->path), at.line, at.column,
                                                  at.end_line, at.end_column};
        }
        report_add_finding(report, &finding);
    }
}

void job_say_diags(struct report *report, const struct spec *spec, bool color, struct strbuf *out)
{
    job_report_diags(report, spec);
    job_tell_diags(spec, color, out);
}
