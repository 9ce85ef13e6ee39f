/* The layout of compiled states in checkpoint directories: a search is resumed with the one that it
 * had. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "cgen/cgen.h"
#include "check/check.h"
#include "job/job.h"
#include "job/tier_int.h"

/* ---- layouts in checkpoint directories ---- */
const char *tier_layout_path(struct tiers *t)
{
    return path_join(&t->job->spec.arena, t->job->check.dir, "layout");
}

/* A checkpoint belongs to one layout. */
uint64_t tier_identity(struct tiers *t)
{
    uint64_t identity = job_identity(t->job);
    return t->job->model == t->compiled ? hash_combine(identity, cgen_layout(t->cgen)) : identity;
}

int tier_layout_write(struct tiers *t, struct err *err)
{
    struct job *job = t->job;
    if (job->check.dir == NULL) {
        return 0;
    }
    SCOPED_STRBUF out = {0};
    job_strings_put(job, &out);
    cgen_save(t->cgen, &out);
    uint64_t sum = hash_bytes(out.p, out.n, 3);
    strbuf_add(&out, (const char *)&sum, sizeof sum);
    int rc = dir_make(job->check.dir, err);
    return rc == 0 ? file_write(tier_layout_path(t), strbuf_str(&out), err) : rc;
}

void tier_layout_forget(struct tiers *t)
{
    if (t->job->check.dir != NULL) {
        (void)unlink(tier_layout_path(t));
    }
}

/* Makes the compiled model of the search to resume. */
int tier_layout_read(struct tiers *t, struct err *err)
{
    struct job *job = t->job;
    struct str data;
    int rc = file_read(&job->spec.arena, tier_layout_path(t), SIZE_MAX / 2, &data, err);
    if (rc != 0) {
        return rc;
    }
    uint64_t sum = 0;
    size_t used = 0;
    if (data.n >= sizeof sum) {
        data.n -= sizeof sum;
        memcpy(&sum, data.p + data.n, sizeof sum);
    }
    if (sum != hash_bytes(data.p, data.n, 3)) {
        return err_set(err, ERR_CORRUPT, 0, "%s is damaged: the search cannot be resumed",
                       tier_layout_path(t));
    }
    rc = job_strings_get(job, data, &used, err);
    if (rc != 0) {
        return rc;
    }
    if (!cgen_restore(tier_cgen(t), (struct str){data.p + used, data.n - used})) {
        return err_set(err, ERR_CORRUPT, 0,
                       "%s does not fit the spec: the search cannot be resumed",
                       tier_layout_path(t));
    }
    struct err stack = {0};
    if (check_on_big_stack(tier_build_fn, t, &stack) != 0 || t->compiled == NULL) {
        return err_set(err, ERR_INVALID, 0,
                       "the search was compiled, and cannot be resumed without a C compiler: %s",
                       t->why != NULL ? t->why : stack.text);
    }
    return 0;
}
