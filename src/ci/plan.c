/* What is to be run, and why. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "ci/ci.h"
#include "ci/ci_int.h"

int ci_plan(struct ci *ci, const char *program, bool all, struct err *err)
{
    struct ci_inputs *inputs = ci_inputs_new(ci);
    int status = 0;
    for (size_t i = 0; status == 0 && i < ci->n; i++) {
        struct ci_job *job = &ci->v[i];
        struct ci_result known = {0};
        status = ci_inputs_of(inputs, job, program, err);
        if (status != 0) {
            break;
        }
        bool there = ci_cache_get(ci, job, &known);
        if (there && !all) {
            job->state = CI_REMEMBERED;
            job->result = known;
            job->why = "nothing that it reads has changed";
            continue;
        }
        job->took_s = known.seconds;
        job->why = there ? "all are asked for" : ci_cache_why(ci, job);
        vec_release(known.report);
    }
    ci_inputs_free(inputs);
    return status;
}
