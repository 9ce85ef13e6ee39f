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
#include "check/peers.h"
#include "check/queue.h"
#include "check/store.h"
#include "model/model.h"

enum {
    STATES = 64,    /* gathered at most */
    ENOUGH = 48,    /* candidates; no further states are gathered */
    AHEAD = 64,     /* of one state: so many are fetched ahead */
    LOOK_UP = 1024, /* candidates between looks at whether the search is to end */
    LATELY = 1 << 13
};

bool gather_can(const struct search *s)
{
    return s->ops->next_batch && s->ops->select && !s->exact_stats && !s->stack &&
           !s->opt->reduce_order;
}

/* ---- what was met lately ----
 * Steps that can be taken in either order lead to the same states soon after each other. A small
 * cache, by fingerprint, of states about which nothing remains to be done spares the way to memory:
 * states that are in the set, and states outside the constraints whose invariants hold. */
static inline bool lately(const struct worker *w, uint64_t fp)
{
    return w->lately[fp % LATELY] == fp;
}

static inline void note_lately(struct worker *w, uint64_t fp)
{
    w->lately[fp % LATELY] = fp;
}

static inline void fetch_one(const struct search *s, uint64_t fp)
{
    if (s->peers && peers_away(s, fp)) {
        peers_prefetch(s, fp);
    } else {
        fpset_prefetch(s->fps, fp);
    }
}

static void fetch(const struct worker *w, const struct mbatch *batch)
{
    const struct search *s = w->search;
    for (uint32_t i = 0; i < batch->n && i < AHEAD; i++) {
        if (!lately(w, batch->cands[i].fp)) {
            fetch_one(s, batch->cands[i].fp);
        }
    }
}

/* Is nothing to be done about the candidate but to count it? The set is told of it when it has no
 * more to ask than that. */
static enum fpset_answer look_up(struct worker *w, uint64_t fp, bool plain)
{
    struct search *s = w->search;
    if (s->peers && peers_away(s, fp)) {
        return peers_ask(w, fp);
    }
    if (plain) {
        return fpset_insert(s->fps, &w->local, fp);
    }
    return fpset_seen(s->fps, fp) ? FPSET_SEEN : FPSET_NEW;
}

/* Is there more to do about the candidate than to count it? -1: its constraints failed; otherwise
 * *ret_inside and *ret_answer say what candidate_treat has to know. */
static int is_news(struct worker *w, const struct candidate *cand, bool *ret_inside,
                   enum fpset_answer *ret_answer)
{
    struct search *s = w->search;
    if (s->model->has_constraint) {
        int inside = candidate_in_model(w, cand);
        *ret_inside = inside > 0;
        *ret_answer = FPSET_NEW;
        if (inside <= 0) {
            return inside < 0 ? -1 : 1;
        }
    }
    *ret_inside = true;
    int stop = 0;
    *ret_answer = candidate_put(w, cand->fp, &stop);
    return *ret_answer != FPSET_SEEN;
}

struct treating {
    const struct mbatch *batch;
    bool recall;   /* the batch is not the model's last one */
    uint32_t told; /* candidates counted */
};

/* A candidate that was not met lately. Non-zero: stop. */
static int treat_one(struct worker *w, struct treating *t, uint32_t i)
{
    struct search *s = w->search;
    const struct candidate *cand = &t->batch->cands[i];
    bool inside = true;
    enum fpset_answer answer = FPSET_NEW;
    bool plain = !s->model->has_constraint;
    if (plain || s->model->judges_states) {
        answer = look_up(w, cand->fp, plain);
        inside = true;
        if (answer == FPSET_SEEN) {
            note_lately(w, cand->fp);
            return 0;
        }
    }
    bump_by(&w->generated, i + 1 - t->told);
    t->told = i + 1;
    w->ordinal = i + 1;
    if (t->recall) {
        s->ops->recall(w->model, t->batch->slot);
        t->recall = false;
    }
    s->ops->select(w->model, i);
    if (plain && s->sealed.n > 0 && move_ask(w, answer) == FPSET_SEEN) {
        note_lately(w, cand->fp);
        return 0;
    }
    int news = plain ? 1 : is_news(w, cand, &inside, &answer);
    if (news <= 0) {
        return news;
    }
    int stop = candidate_treat(w, cand, inside, answer);
    if (!stop && (answer == FPSET_NEW || answer == FPSET_AWAY) &&
        (inside || s->model->judges_states) && !s->opt->keep_going) {
        note_lately(w, cand->fp);
    }
    return stop;
}

/* Candidates of which only new states matter. Returns what the enumeration would have. */
static int treat_quickly(struct worker *w, const struct mbatch *batch, bool recall)
{
    struct search *s = w->search;
    struct treating t = {.batch = batch, .recall = recall};
    bool skip = !s->model->has_constraint || s->model->judges_states;
    int stop = 0;
    for (uint32_t i = 0; i < batch->n && !stop; i++) {
        const struct candidate *cand = &batch->cands[i];
        if (i + AHEAD < batch->n) {
            fetch_one(s, batch->cands[i + AHEAD].fp);
        }
        if (i % LOOK_UP == LOOK_UP - 1 && atomic_load_explicit(&s->abort, memory_order_relaxed)) {
            stop = 1;
            break;
        }
        w->action_generated[cand->action]++;
        if (!skip || !lately(w, cand->fp)) {
            stop = treat_one(w, &t, i);
        }
    }
    if (!stop) {
        bump_by(&w->generated, batch->n - t.told);
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
            fetch_one(s, batch->cands[i + AHEAD].fp);
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
        search_expand_begin(w, &g->record, level) < 0) {
        return;
    }
    int status = s->quick ? treat_quickly(w, &g->batch, recall) : treat_all(w, &g->batch, recall);
    bump_by(&w->generated, g->extra);
    search_expand_end(w, status);
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
        w->lately = memory_map(LATELY * sizeof *w->lately);
        w->lately[0] = 1; /* which is none of its own: no entry is there at first */
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
        fetch(w, &g->batch);
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
    if (w->gathered) {
        memory_unmap(w->gathered, STATES * sizeof *w->gathered);
        memory_unmap(w->lately, LATELY * sizeof *w->lately);
    }
    w->gathered = NULL;
    w->lately = NULL;
}
