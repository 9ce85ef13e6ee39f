/* From fingerprints back to states: the model is run again along the path.
 *
 * A node of the search's own log has the number of the candidate, so that exactly the state of the
 * search is met even where VIEW or SYMMETRY give many states one fingerprint. A node of which only
 * the fingerprint is known (liveness), or whose numbered candidate has another fingerprint (a model
 * that draws random values), is the first candidate with that fingerprint. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check/tracelog.h"
#include "model/again.h"
#include "model/model.h"

struct seek {
    const struct model_ops *ops;
    struct path_node want;
    uint64_t ordinal;
    bool found;
    uint32_t action;
    uint64_t fp;
    struct strbuf bytes;
};

static int seek_sink(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct seek *seek = arg;
    bool numbered = seek->want.ordinal != PATH_ANY;
    bool last = !numbered || seek->ordinal == seek->want.ordinal;
    seek->ordinal++;
    if (!seek->want.has_fp ? !last : cand->fp != seek->want.fp) {
        return last && seek->found;
    }
    if (seek->found && !last) {
        return 0;
    }
    strbuf_reset(&seek->bytes);
    seek->ops->save(worker, &seek->bytes);
    seek->found = true;
    seek->action = cand->action;
    seek->fp = cand->fp;
    return last;
}

/* Looks for the node among the initial states (from NULL) or the successors of `from`. */
static bool seek_node(struct model *model, struct mworker *worker, const struct check_step *from,
                      uint64_t level, struct seek *seek)
{
    seek->ops = model->ops;
    seek->ordinal = 0;
    seek->found = false;
    struct model_before before = {.level = level, .action = MODEL_ANY_ACTION};
    if (from) {
        before.bytes = from->bytes;
        before.len = from->len;
    }
    (void)model_again(worker, &before, seek_sink, seek);
    return seek->found;
}

bool path_step(struct model *model, struct mworker *worker, struct arena *arena,
               const struct check_step *from, uint64_t level, const struct path_node *node,
               struct check_step *ret)
{
    struct seek seek = {.want = *node};
    bool found = seek_node(model, worker, from, level, &seek);
    if (found) {
        *ret = (struct check_step){.fp = seek.fp,
                                   .action = seek.action,
                                   .bytes = (const uint8_t *)seek.bytes.p,
                                   .len = seek.bytes.n};
        check_step_copy(arena, ret);
    }
    strbuf_done(&seek.bytes);
    return found;
}

size_t path_states(struct model *model, struct mworker *worker, struct arena *arena,
                   const struct path_node *nodes, size_t n, struct check_step *steps)
{
    struct seek seek = {0};
    size_t done = 0;
    for (; done < n; done++) {
        seek.want = nodes[done];
        bool found = seek_node(model, worker, done ? &steps[done - 1] : NULL, done, &seek);
        if (!found && done > 0 && nodes[done].has_fp && nodes[done].fp == steps[done - 1].fp) {
            steps[done] = steps[done - 1];
            steps[done].action = CHECK_ACTION_STUTTER;
            continue;
        }
        if (!found) {
            break;
        }
        steps[done] = (struct check_step){
            .fp = seek.fp,
            .action = seek.action,
            .bytes = (const uint8_t *)seek.bytes.p,
            .len = seek.bytes.n,
        };
        check_step_copy(arena, &steps[done]);
    }
    strbuf_done(&seek.bytes);
    return done;
}

uint32_t path_action(struct model *model, struct mworker *worker, const struct check_step *from,
                     uint64_t level, uint64_t fp)
{
    struct seek seek = {
        .want = {.fp = fp, .has_fp = true, .ordinal = PATH_ANY}
    };
    bool found = seek_node(model, worker, from, level, &seek);
    strbuf_done(&seek.bytes);
    return found ? seek.action : UINT32_MAX;
}

int path_nodes(struct tracelog *log, uint64_t index, struct path_node **ret_nodes, size_t *ret_n,
               struct err *err)
{
    VEC(struct path_node) nodes = {0};
    while (index != TRACE_ROOT) {
        struct trace_record record;
        int status = tracelog_get(log, index, &record, err);
        if (status < 0) {
            VEC_DONE(&nodes);
            return status;
        }
        uint64_t ordinal = trace_ordinal(record.link);
        bool initial = trace_parent(record.link) == TRACE_ROOT;
        VEC_PUSH(&nodes, (struct path_node){.fp = record.fp,
                                            .has_fp = record.has_fp,
                                            .index = index,
                                            .ordinal = !initial && ordinal == TRACE_FAR ? PATH_ANY
                                                                                        : ordinal});
        index = trace_parent(record.link);
    }
    for (size_t i = 0; i < nodes.n / 2; i++) {
        struct path_node swap = nodes.v[i];
        nodes.v[i] = nodes.v[nodes.n - 1 - i];
        nodes.v[nodes.n - 1 - i] = swap;
    }
    *ret_nodes = nodes.v;
    *ret_n = nodes.n;
    return 0;
}
