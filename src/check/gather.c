/* Expanding states of a model that makes all successors of a state at once (next_batch).
 *
 * The fingerprint set is far larger than any cache, and a miss takes longer than everything else
 * that is done about a candidate. So the successors of several states are made before the first of
 * them is looked up, and the lines of the set where they belong are fetched meanwhile. Then the
 * candidates are treated one by one, in the order in which `next` would have passed them.
 *
 * Most candidates have been seen before. When no constraint, property, graph or dump is interested
 * in a step to such a state, it costs a look into the set and two counters, and the model is never
 * asked for it. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/check_int.h"
#include "check/fpset.h"
#include "check/queue.h"
#include "check/store.h"
#include "model/model.h"

enum {
    STATES = 64,   /* gathered at most */
    ENOUGH = 48,   /* candidates; no further states are gathered */
    AHEAD = 64,    /* of one state: so many are fetched ahead */
    LOOK_UP = 1024 /* candidates between looks at whether the search is to end */
};

bool gather_can(const struct search *s)
{
    return s->ops->next_batch && s->ops->select && !s->exact_stats && !s->stack &&
           !s->opt->reduce_order;
}

static void fetch(const struct search *s, const struct mbatch *batch)
{
    for (uint32_t i = 0; i < batch->n && i < AHEAD; i++) {
        fpset_prefetch(s->fps, batch->cands[i].fp);
    }
}

/* Candidates of which only new states matter. Returns what the enumeration would have. */
static int treat_quickly(struct worker *w, const struct mbatch *batch, bool recall)
{
    struct search *s = w->search;
    uint32_t told = 0; /* candidates counted */
    int stop = 0;
    for (uint32_t i = 0; i < batch->n && !stop; i++) {
        const struct candidate *cand = &batch->cands[i];
        if (i + AHEAD < batch->n) {
            fpset_prefetch(s->fps, batch->cands[i + AHEAD].fp);
        }
        if (i % LOOK_UP == LOOK_UP - 1 && atomic_load_explicit(&s->abort, memory_order_relaxed)) {
            stop = 1;
            break;
        }
        w->action_generated[cand->action]++;
        enum fpset_answer answer =
            cand->outside ? FPSET_NEW : fpset_insert(s->fps, &w->local, cand->fp);
        if (answer == FPSET_SEEN) {
            continue;
        }
        bump_by(&w->generated, i + 1 - told);
        told = i + 1;
        w->ordinal = told;
        if (recall) {
            s->ops->recall(w->model, batch->slot);
            recall = false;
        }
        s->ops->select(w->model, i);
        stop = candidate_treat(w, cand, !cand->outside, answer);
    }
    if (!stop) {
        bump_by(&w->generated, batch->n - told);
        w->ordinal = batch->n;
    }
    return stop ? MODEL_STOPPED : MODEL_OK;
}

/* All candidates, as a sink would see them. */
static int treat_all(struct worker *w, const struct mbatch *batch, bool recall)
{
    struct search *s = w->search;
    if (recall) {
        s->ops->recall(w->model, batch->slot);
    }
    for (uint32_t i = 0; i < batch->n; i++) {
        if (i + AHEAD < batch->n) {
            fpset_prefetch(s->fps, batch->cands[i + AHEAD].fp);
        }
        s->ops->select(w->model, i);
        if (candidate_sink(w, w->model, &batch->cands[i])) {
            return MODEL_STOPPED;
        }
    }
    return MODEL_OK;
}

static void expand_gathered(struct worker *w, const struct gathered *g, uint64_t level, bool recall)
{
    struct search *s = w->search;
    if (atomic_load_explicit(&s->abort, memory_order_relaxed) ||
        expand_begin(w, &g->record, level) < 0) {
        return;
    }
    int status = s->quick ? treat_quickly(w, &g->batch, recall) : treat_all(w, &g->batch, recall);
    bump_by(&w->generated, g->extra);
    expand_end(w, status);
}

bool gather_expand(struct worker *w, uint64_t level)
{
    struct search *s = w->search;
    size_t slots = s->ops->recall ? s->model->batch_slots : 1;
    size_t most = slots < 1 ? 1 : slots < STATES ? slots : STATES;
    size_t n = 0;
    uint64_t ncand = 0;
    bool plain = false; /* the state after those gathered needs `next` */
    if (!w->gathered) {
        w->gathered = memory_map(STATES * sizeof *w->gathered);
    }
    while (n < most && ncand < ENOUGH && queue_next(&w->claim, &w->gathered[n].record)) {
        struct gathered *g = &w->gathered[n];
        int status = s->ops->load(w->model, g->record.bytes, g->record.len, level);
        status = status == MODEL_OK ? s->ops->next_batch(w->model, &g->batch) : status;
        g->extra = w->model->extra_generated;
        w->model->extra_generated = 0;
        if (status != MODEL_OK) {
            plain = true;
            break;
        }
        fetch(s, &g->batch);
        ncand += g->batch.n;
        n++;
    }
    for (size_t i = 0; i < n; i++) {
        expand_gathered(w, &w->gathered[i], level, n > 1 || plain);
    }
    if (plain && !atomic_load_explicit(&s->abort, memory_order_relaxed)) {
        search_expand(w, &w->gathered[n].record, level);
    }
    return n > 0 || plain;
}

void gather_done(struct worker *w)
{
    memory_unmap(w->gathered, STATES * sizeof *w->gathered);
    w->gathered = NULL;
}
