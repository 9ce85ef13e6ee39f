/* Findings: merged by cause, written as recordings, done again. */
#include "explore/found.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/crew.h"
#include "explore/diagram.h"
#include "explore/smaller.h"
#include "explore/space.h"
#include "explore/walk.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "run/record.h"
#include "run/runner.h"

void finding_done(struct finding *finding)
{
    strbuf_done(&finding->text);
    strbuf_done(&finding->dir);
    VEC_DONE(&finding->path);
}

void found_done(struct found *found)
{
    for (size_t i = 0; i < found->v.n; i++) {
        finding_done(&found->v.v[i]);
    }
    VEC_DONE(&found->v);
}

void found_drop(struct found *found, size_t i)
{
    finding_done(&found->v.v[i]);
    memmove(&found->v.v[i], &found->v.v[i + 1], (found->v.n - i - 1) * sizeof found->v.v[0]);
    found->v.n--;
}

static void take_path(struct finding *finding, const uint64_t *path, size_t n, uint64_t nth)
{
    finding->first = nth;
    finding->found = n;
    finding->path.n = 0;
    for (size_t i = 0; i < n; i++) {
        VEC_PUSH(&finding->path, path[i]);
    }
}

/* Whether a path is to stand for a cause instead of the one that does. */
static bool better(const struct found *found, const struct finding *f, const uint64_t *path,
                   size_t n, uint64_t nth)
{
    if (!found->shortest) {
        return nth < f->first;
    }
    size_t i = 0;
    while (n == f->path.n && i < n && path[i] == f->path.v[i]) {
        i++;
    }
    return n != f->path.n ? n < f->path.n : i < n && path[i] < f->path.v[i];
}

void found_add(struct found *found, const struct walk *walk, const uint64_t *path, size_t n,
               uint64_t nth)
{
    for (size_t i = 0; i < found->v.n; i++) {
        struct finding *finding = &found->v.v[i];
        if (failure_same(&finding->failure, &walk->failure)) {
            uint64_t first = nth < finding->first ? nth : finding->first;
            finding->n++;
            if (better(found, finding, path, n, nth)) {
                take_path(finding, path, n, nth);
            }
            finding->first = first;
            return;
        }
    }
    struct finding finding = {.failure = walk->failure, .n = 1};
    strbuf_addstr(&finding.text, strbuf_str(&walk->text));
    take_path(&finding, path, n, nth);
    VEC_PUSH(&found->v, finding);
}

/* Whether the recording leads there again. */
static int confirm(struct finding *finding, const struct cluster *cluster, const char *replay,
                   struct err *err)
{
    struct arena arena;
    struct record record = {0};
    struct str rest;
    arena_init(&arena, 0);
    int status = record_head(&arena, replay, &record, &rest, err);
    status = status != 0 ? status : record_choices(&record, cluster, rest, err);
    struct run_options o = {.cluster = cluster,
                            .seed = record.seed,
                            .replay = &record,
                            .dir = strbuf_cstr(&finding->dir),
                            .trace_fd = -1};
    struct run_result result = {0};
    status = status != 0 ? status : run_cluster(&o, &result, err);
    finding->confirmed = status == 0 && result.verdict == RUN_VIOLATION &&
                         failure_same(&result.failure, &finding->failure);
    run_result_done(&result);
    record_done(&record);
    arena_done(&arena);
    return status;
}

static int write_diagram(const struct finding *finding, const struct space *space,
                         const struct cluster *cluster, struct err *err)
{
    SCOPED_STRBUF path = {0};
    SCOPED_STRBUF text = {0};
    strbuf_printf(&path, "%.*s/diagram.txt", STR_ARG(strbuf_str(&finding->dir)));
    diagram_print(cluster, space, &text);
    strbuf_printf(&text, "%.*s\n", STR_ARG(strbuf_str(&finding->text)));
    return file_write(strbuf_cstr(&path), strbuf_str(&text), err);
}

/* Goes to the end of a smaller run that fails in the same way. */
static int make_smaller(struct finding *finding, struct space *space, const struct found_options *o,
                        struct err *err)
{
    struct smaller smaller = {
        .failure = finding->failure, .interrupted = o->interrupted, .end_ns = o->end_ns};
    size_t done = 0;
    for (size_t i = 0; i < finding->path.n; i++) {
        VEC_PUSH(&smaller.path, finding->path.v[i]);
    }
    int status = smaller_find(space, &smaller, err);
    if (status == 0) {
        finding->path.n = 0;
        for (size_t i = 0; i < smaller.path.n; i++) {
            VEC_PUSH(&finding->path, smaller.path.v[i]);
        }
        status = space_go(space, finding->path.v, finding->path.n, &done, err);
    }
    smaller_done(&smaller);
    if (status == 0 && done < finding->path.n) {
        return err_set(err, ERR_CORRUPT, 0, "a finding cannot be reached again");
    }
    status = status != 0 ? status : space_finish(space, err);
    if (status == 0) { /* what it reads is not what it read in the longer run */
        strbuf_reset(&finding->text);
        strbuf_addstr(&finding->text, space_failure_text(space));
    }
    return status;
}

int finding_write(struct finding *finding, struct space *space, const struct found_options *o,
                  struct err *err)
{
    SCOPED_STRBUF path = {0};
    strbuf_printf(&path, "%s/replay", strbuf_cstr(&finding->dir));
    int status =
        file_exists(strbuf_cstr(&finding->dir)) ? 0 : dir_make(strbuf_cstr(&finding->dir), err);
    status = status != 0 ? status : make_smaller(finding, space, o, err);
    status = status != 0 ? status : space_record(space, strbuf_cstr(&path), err);
    status = status != 0 ? status : write_diagram(finding, space, o->cluster, err);
    return status != 0 ? status : confirm(finding, o->cluster, strbuf_cstr(&path), err);
}

int found_write(struct found *found, struct crew *crew, const struct found_options *o,
                struct err *err)
{
    struct space *space = NULL;
    int status = found->v.n != 0 ? crew_space(crew, &space, err) : 0;
    for (size_t i = 0; status == 0 && i < found->v.n; i++) {
        struct finding *finding = &found->v.v[i];
        strbuf_reset(&finding->dir);
        strbuf_printf(&finding->dir, "%s/finding-%zu", o->dir, i + 1);
        status = finding_write(finding, space, o, err);
    }
    return status;
}
