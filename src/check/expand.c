/* Treating states one by one: initial states, expanding, candidates. Shared by breadth-first and
 * depth-first search.
 *
 * The order in which a candidate is treated is TLC's: constraints; fingerprint; invariants, of new
 * states and of those outside the model; action properties, of every step; then the queue. A
 * deadlock is a state for which the model yields no candidate at all. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check/fpset.h"
#include "check/queue.h"
#include "check/tracelog.h"
#include "model/model.h"

/* ---- candidates ---- */

void search_count_generated(struct worker *w, uint32_t action)
{
    bump(&w->generated);
    if (w->level > 0) { /* initial states belong to no action */
        w->action_generated[action]++;
    }
}

/* One kind of property of the candidate. Returns false when a violation was found but the state
 * proved not to be fresh. */
static bool check_kind(struct worker *w, const struct candidate *cand, enum mprop_kind kind,
                       bool maybe, int *ret_stop)
{
    struct search *s = w->search;
    int prop = -1;
    int status = s->ops->check(w->model, 1U << kind, 0, &prop);
    if (status == MODEL_OK && prop < 0) {
        return true;
    }
    if (maybe) { /* rare: worth a read of the disk to know */
        struct err err = {0};
        int found = fpset_find(s->fps, cand->fp, &err);
        if (found < 0) {
            search_fail(s, &err);
            *ret_stop = 1;
        }
        if (found != 0) {
            return false;
        }
    }
    enum phase phase = kind == MPROP_ACTION ? PHASE_ACTION : PHASE_INVARIANT;
    enum verdict verdict = kind == MPROP_ACTION ? VERDICT_ACTION_PROPERTY : VERDICT_INVARIANT;
    *ret_stop = status == MODEL_OK ? violation_note(w, verdict, prop, phase, cand, true)
                                   : violation_error(w, prop, phase, cand, true);
    w->invariant_failed = status != MODEL_OK && kind == MPROP_INVARIANT;
    return true;
}

bool candidate_check(struct worker *w, const struct candidate *cand, bool fresh, bool maybe,
                     int *ret_stop)
{
    struct search *s = w->search;
    if (fresh && s->has_invariant) {
        fresh = check_kind(w, cand, MPROP_INVARIANT, maybe, ret_stop);
    }
    if (*ret_stop == 0 && s->has_action_prop) {
        (void)check_kind(w, cand, MPROP_ACTION, false, ret_stop);
    }
    return fresh;
}

/* Puts the fingerprint into the set; where an exact answer is needed, asks the disk as well. */
enum fpset_answer candidate_put(struct worker *w, uint64_t fp, int *ret_stop)
{
    struct search *s = w->search;
    if (s->peers && peers_away(s, fp)) {
        return peers_ask(w, fp);
    }
    enum fpset_answer answer = fpset_insert(s->fps, &w->local, fp);
    if (answer != FPSET_SEEN && s->sealed.n > 0) {
        answer = move_ask(w, answer);
    }
    if (answer == FPSET_MAYBE && s->exact_answers) {
        struct err err = {0};
        int found = fpset_find(s->fps, fp, &err);
        if (found < 0) {
            search_fail(s, &err);
            *ret_stop = 1;
        }
        answer = found != 0 ? FPSET_SEEN : FPSET_NEW;
    }
    return answer;
}

static void dump(struct worker *w, const struct candidate *cand, bool in_model, bool seen)
{
    const struct check_options *opt = w->search->opt;
    pthread_mutex_lock(&w->search->dump_lock);
    if (w->level > 0 && opt->on_edge) {
        opt->on_edge(opt->dump_arg, w->current.fp, cand->fp, cand->action, seen);
    }
    if ((!in_model || !seen) && opt->on_state) {
        SCOPED_STRBUF bytes = {0};
        w->search->ops->save(w->model, &bytes);
        opt->on_state(opt->dump_arg, cand->fp, bytes.p, bytes.n, w->level == 0, in_model);
    }
    pthread_mutex_unlock(&w->search->dump_lock);
}

void search_count_new(struct worker *w, const struct candidate *cand)
{
    bump(&w->distinct);
    if (w->level > 0) {
        w->action_distinct[cand->action]++;
    }
    w->new_here++;
    check_ample_note(w, cand->fp);
    w->found_new = true;
    if (w->level + 1 > atomic_load_explicit(&w->max_level, memory_order_relaxed)) {
        atomic_store_explicit(&w->max_level, w->level + 1, memory_order_relaxed);
    }
}

static int enqueue(struct worker *w, const struct candidate *cand, bool maybe)
{
    struct search *s = w->search;
    if (maybe) {
        pend_add(w, cand);
    } else {
        w->span_open = false;
        bump(&w->enqueued);
    }
    if (s->peers && peers_note(w, cand) != 0) {
        return 1;
    }
    uint64_t link = trace_link(w->level == 0 ? TRACE_ROOT : w->index_log, w->ordinal - 1);
    if (s->stack) {
        int status = live_stack_push(s->stack, w, cand, link, &w->err);
        if (status < 0) {
            search_fail(s, &w->err);
        }
        return status < 0;
    }
    struct strbuf *bytes = queue_begin(s->queue, &w->out, cand->fp, link);
    s->ops->save(w->model, bytes);
    if (queue_commit(s->queue, &w->out, &w->err) < 0) {
        search_fail(s, &w->err);
        return 1;
    }
    return 0;
}

int candidate_in_model(struct worker *w, const struct candidate *cand)
{
    const struct check_sink *sink = w->search->opt->sink;
    int inside = w->search->model->has_constraint ? w->search->ops->in_model(w->model) : 1;
    if (inside < 0) {
        (void)violation_error(w, -1, PHASE_CONSTRAINT, cand, true);
    } else if (sink) {
        struct check_found found = {w->index, w->model, w->level, w->current.fp, *cand, inside > 0};
        inside = sink->found(sink->arg, &found) && inside > 0;
    }
    return inside;
}

/* Counts an unsettled candidate if it is new. */
static void settle_one(struct worker *w, const struct candidate *cand)
{
    struct err err = {0};
    int found = fpset_find(w->search->fps, cand->fp, &err);
    if (found < 0) {
        search_fail(w->search, &err);
    } else if (found == 0) {
        search_count_new(w, cand);
    }
}

/* What follows for a candidate once the set has answered. Non-zero: stop. */
int candidate_treat(struct worker *w, const struct candidate *cand, bool inside,
                    enum fpset_answer answer)
{
    struct search *s = w->search;
    int stop = 0;
    bool maybe = answer == FPSET_MAYBE;
    if (s->exact_answers) {
        dump(w, cand, inside, answer == FPSET_SEEN);
    }
    if (inside && answer == FPSET_NEW) {
        search_count_new(w, cand);
    }
    if (inside && s->live && liveness_edge(w, cand) != 0) {
        return 1;
    }
    bool fresh = answer != FPSET_SEEN;
    if (s->exact_stats) { /* the state at hand counts already when its invariants are checked */
        search_stats(s, w);
    }
    if ((fresh && s->has_invariant) || s->has_action_prop) {
        fresh = candidate_check(w, cand, fresh, maybe, &stop);
        if (stop && maybe && fresh) { /* it will not be enqueued, so it is settled here */
            settle_one(w, cand);
        }
    }
    if (stop || !inside || !fresh) {
        return stop;
    }
    stop = answer == FPSET_AWAY ? peers_push(w, cand) : enqueue(w, cand, maybe);
    if (s->exact_stats) {
        search_stats(s, w);
    }
    return stop;
}

int candidate_look(struct worker *w, const struct candidate *cand, int *ret_inside,
                   enum fpset_answer *ret_answer)
{
    if (atomic_load_explicit(&w->search->abort, memory_order_relaxed)) {
        return 1;
    }
    *ret_inside = candidate_in_model(w, cand);
    if (*ret_inside < 0) {
        return 1;
    }
    int failed = 0;
    *ret_answer = *ret_inside ? candidate_put(w, cand->fp, &failed) : FPSET_NEW;
    return failed;
}

int candidate_sink(void *arg, struct mworker *model, const struct candidate *cand)
{
    struct worker *w = arg;
    int inside;
    enum fpset_answer answer;
    (void)model;
    w->ordinal++;
    search_count_generated(w, cand->action);
    int failed = candidate_look(w, cand, &inside, &answer);
    return failed ? failed : candidate_treat(w, cand, inside, answer);
}

/* ---- initial states ---- */

/* With keep_going all violated invariants of an initial state are reported, as TLC does. */
int search_init_check(struct worker *w, const struct candidate *cand)
{
    struct search *s = w->search;
    int stop = 0;
    for (int from = 0, prop = -1; s->has_invariant && stop == 0; from = prop + 1) {
        int status = s->ops->check(w->model, 1U << MPROP_INVARIANT, from, &prop);
        if (status != MODEL_OK) {
            return violation_error(w, prop, PHASE_INVARIANT, cand, true);
        }
        if (prop < 0) {
            break;
        }
        stop = violation_note(w, VERDICT_INVARIANT_INIT, prop, PHASE_INVARIANT, cand, true);
    }
    bool walks = s->opt->mode == CHECK_SIMULATE ||
                 s->opt->mode == CHECK_GENERATE; /* TLC does not look at these then */
    if (stop == 0 && s->has_init_prop && !walks) {
        int prop = -1;
        int status = s->ops->check(w->model, 1U << MPROP_INIT, 0, &prop);
        if (status != MODEL_OK) {
            return violation_error(w, prop, PHASE_INVARIANT, cand, true);
        }
        if (prop >= 0) {
            stop = violation_note(w, VERDICT_INIT_PROPERTY, prop, PHASE_INVARIANT, cand, true);
        }
    }
    return stop;
}

/* All other workers are parked while initial states are made, so the set can be given room on the
 * spot. */
static int init_maintain(struct worker *w)
{
    struct search *s = w->search;
    struct err err = {0};
    unsigned request = atomic_load_explicit(&s->request, memory_order_relaxed);
    if (!fpset_full(s->fps) && (request & (REQ_RESOLVE | REQ_STOP)) == 0) {
        return 0;
    }
    if (request & REQ_STOP) {
        return 1;
    }
    atomic_fetch_and_explicit(&s->request, ~(unsigned)(REQ_RESOLVE | REQ_ROOM),
                              memory_order_relaxed);
    if (search_maintain(s, &err) < 0) {
        search_fail(s, &err);
        return 1;
    }
    return 0;
}

static int init_sink(void *arg, struct mworker *model, const struct candidate *cand)
{
    struct worker *w = arg;
    struct search *s = w->search;
    (void)model;
    w->ordinal++;
    search_count_generated(w, cand->action);
    s->init_generated++;
    int inside = candidate_in_model(w, cand);
    if (inside < 0 || atomic_load_explicit(&s->abort, memory_order_relaxed)) {
        return 1;
    }
    if (s->peers && !peers_init_mine(s, cand, inside)) {
        return 0;
    }
    if (peers_replaying(s)) {
        return search_init_check(w, cand);
    }
    int stop = 0;
    enum fpset_answer answer = inside ? candidate_put(w, cand->fp, &stop) : FPSET_NEW;
    if (s->exact_answers) {
        dump(w, cand, inside, answer == FPSET_SEEN);
    }
    if (stop || answer == FPSET_SEEN) {
        return stop;
    }
    if (inside && answer == FPSET_NEW) {
        search_count_new(w, cand);
    }
    if (inside && enqueue(w, cand, answer == FPSET_MAYBE) != 0) {
        return 1;
    }
    search_stats(s, w);
    stop = search_init_check(w, cand);
    return stop ? stop : init_maintain(w);
}

void search_init_states(struct worker *w, model_sink sink)
{
    struct search *s = w->search;
    w->level = 0;
    w->ordinal = 0;
    w->index_log = TRACE_ROOT;
    search_event(s, CHECK_EV_INIT_START);
    int status = s->ops->init(w->model, sink, w);
    bump_by(&w->generated, w->model->extra_generated);
    w->model->extra_generated = 0;
    if (status == MODEL_ERROR) {
        (void)violation_error(w, -1, PHASE_NEXT, NULL, false);
    }
    s->begun = status == MODEL_OK;
    if (peers_silent(s)) { /* all have made the same ones */
        atomic_store(&w->generated, 0);
        s->init_generated = 0;
    }
}

void search_init_again(struct worker *w)
{
    search_init_states(w, init_sink);
}

/* ---- after an invariant that could not be evaluated ---- */

/* TLC then computes the successors of the same state once more, to find the places for its message.
 * States it has seen are not looked at, so that only an error on a later successor shows. */
static int replay_sink(void *arg, struct mworker *model, const struct candidate *cand)
{
    struct worker *w = arg;
    struct search *s = w->search;
    int prop = -1;
    int stop = 0;
    int inside = s->model->has_constraint ? s->ops->in_model(model) : 1;
    if (inside < 0) {
        w->replay_failed = true;
        return 1;
    }
    bool fresh = !inside || candidate_put(w, cand->fp, &stop) == FPSET_NEW;
    if (fresh && inside) {
        search_count_new(w, cand);
    }
    if (stop || !fresh) {
        return stop;
    }
    w->replay_failed = s->ops->check(model, 1U << MPROP_INVARIANT, 0, &prop) != MODEL_OK;
    return w->replay_failed || prop >= 0;
}

static void replay(struct worker *w)
{
    struct search *s = w->search;
    w->invariant_failed = false;
    w->replay_failed = false;
    if (s->nworker != 1 || s->raw.n == 0 ||
        s->ops->load(w->model, w->current.bytes, w->current.len, w->level) != MODEL_OK) {
        return;
    }
    if (s->ops->next(w->model, replay_sink, w) == MODEL_ERROR || w->replay_failed) {
        struct check_violation *v = &VEC_LAST(&s->raw).v;
        struct merror again;
        check_error_copy(&s->box->arena, &w->model->error, &again);
        v->replayed = true;
        v->error.stack = again.stack;
        v->error.nstack = again.nstack;
        v->error.exit_status = again.exit_status;
    }
}

/* ---- expanding ---- */

static void deadlock(struct worker *w)
{
    (void)violation_note(w, VERDICT_DEADLOCK, -1, PHASE_NEXT, NULL, false);
}

int search_expand_begin(struct worker *w, const struct queue_record *record, uint64_t level)
{
    struct search *s = w->search;
    w->current = (struct check_step){.fp = record->fp, .bytes = record->bytes, .len = record->len};
    w->link = record->link;
    w->level = level;
    w->ordinal = 0;
    w->new_here = s->resumed.n > 0 ? move_fresh_before(s, record->link) : 0;
    w->pend_here = 0;
    VEC_RESET(&w->edges);
    VEC_RESET(&w->edge_bits);
    bump(&w->expanded);
    w->index_log = 0;
    int status = s->peers ? 0 /* it was noted when it was found */
                          : tracelog_append(s->log, w->index, record->fp, record->link,
                                            &w->index_log, &w->err);
    if (status < 0) {
        search_fail(s, &w->err);
    }
    return status;
}

void search_expand_end(struct worker *w, int status)
{
    struct search *s = w->search;
    if (w->invariant_failed) {
        replay(w);
    } else if (status == MODEL_ERROR) {
        (void)violation_error(w, -1, PHASE_NEXT, NULL, false);
    } else if (status == MODEL_OK && w->ordinal == 0 && s->model->check_deadlock) {
        deadlock(w);
    } else if (status == MODEL_OK && s->live) {
        if (s->exact_stats && w->ordinal == 0) { /* no candidate has told that this one has gone */
            search_stats(s, w);
        }
        liveness_state(w);
    }
    pend_end_state(w);
    if (fpset_full(s->fps)) {
        search_request(s, REQ_ROOM);
    }
}

/* Counts of candidates, as they are before a state is expanded. */
static void note_counts(struct worker *w)
{
    uint32_t n = w->search->model->naction;
    memcpy(w->generated_before, w->action_generated, sizeof *w->generated_before * n);
    w->generated_before[n] = atomic_load_explicit(&w->generated, memory_order_relaxed);
}

/* The model gave the state up: it waits for another one, as if it had not been expanded. What was
 * found of its successors stays found. */
static void take_back(struct worker *w, const struct queue_record *record)
{
    uint32_t n = w->search->model->naction;
    memcpy(w->action_generated, w->generated_before, sizeof *w->generated_before * n);
    atomic_store_explicit(&w->generated, w->generated_before[n], memory_order_relaxed);
    bump_by(&w->expanded, UINT64_MAX); /* one less */
    move_give_back(w, record);
}

void search_expand(struct worker *w, const struct queue_record *record, uint64_t level)
{
    struct search *s = w->search;
    if (search_expand_begin(w, record, level) < 0) {
        return;
    }
    note_counts(w);
    int status = s->ops->load(w->model, record->bytes, record->len, w->level);
    w->model->judged = !s->opt->keep_going; /* what is in the queue has passed */
    if (status == MODEL_OK && !check_ample_expand(w, &status)) {
        status = s->ops->next(w->model, candidate_sink, w);
        bump_by(&w->generated, w->model->extra_generated);
        w->model->extra_generated = 0;
    }
    if (w->model->unfit) {
        take_back(w, record);
        return;
    }
    search_expand_end(w, status);
}

/* ---- before and after the search ---- */

int search_maintain(struct search *s, struct err *err)
{
    int status = pend_any(s) ? pend_resolve(s, err) : 0;
    if (status == 0 && fpset_full(s->fps)) {
        status = fpset_make_room(s->fps, &s->helpers, err);
    }
    return status;
}

void search_note_depth(struct search *s)
{
    for (unsigned i = 0; i < s->nworker; i++) {
        if (s->workers[i].found_new) {
            s->workers[i].found_new = false;
            atomic_store_explicit(&s->depth, s->level + 1, memory_order_relaxed);
        }
    }
}

/* Specs without a next-state relation end after their initial states. */
static void no_actions(struct worker *w)
{
    struct search *s = w->search;
    if (s->model->naction > 0 || s->fatal || s->failed) {
        return;
    }
    if (s->init_distinct > 0) {
        struct check_violation violation = {
            .verdict = VERDICT_EVAL_ERROR,
            .prop = -1,
            .error = {.code = 2115,
                      .exit_status = 75,
                      .text = "No next state actions defined to generate successor states from."},
        };
        violation_add(s, &violation);
        s->fatal = true;
    }
}

/* Initial states, or the checkpoint. */
void search_begin(struct worker *w)
{
    struct search *s = w->search;
    struct err err = {0};
    if (s->opt->resume) {
        if ((s->peers ? peers_restore(s, w, &err) : checkpoint_read(s, w, &err)) < 0) {
            search_fail(s, &err);
        } else {
            search_event(s, CHECK_EV_RECOVERED);
        }
        return;
    }
    checkpoint_forget(s);
    liveness_tautology(s);
    if (s->fatal) {
        return;
    }
    search_init_states(w, init_sink);
    if (pend_any(s) && pend_resolve(s, &err) < 0) {
        search_fail(s, &err);
    }
    s->init_distinct = atomic_load(&w->distinct);
    search_note_depth(s);
    if (s->peers) {
        peers_begun(w);
    }
    if (!s->fatal && !s->failed) {
        search_event(s, CHECK_EV_INIT_DONE);
    }
    no_actions(w);
}

/* Counts of a search that was done elsewhere, instead of those of this one. */
static void take_counted(struct search *s)
{
    const struct check_counted *c = s->opt->counted;
    for (unsigned i = 0; i < s->nworker; i++) {
        struct worker *w = &s->workers[i];
        atomic_store(&w->generated, 0);
        atomic_store(&w->distinct, 0);
        atomic_store(&w->enqueued, i == 0 ? c->queued : 0);
        atomic_store(&w->expanded, 0);
        atomic_store(&w->max_level, 0);
        for (uint32_t a = 0; a < s->model->naction; a++) {
            w->action_generated[a] = i == 0 ? c->action_generated[a] : 0;
            w->action_distinct[a] = i == 0 ? c->action_distinct[a] : 0;
        }
    }
    s->base_generated = c->generated;
    s->base_distinct = c->distinct;
    s->init_generated = c->init_generated;
    s->init_distinct = c->init_distinct;
    s->level_expanded = c->settled;
    s->start_ns = c->begin_ns;
    atomic_store(&s->depth, c->depth);
    atomic_store(&s->peak_memory, c->memory_bytes);
}

/* After the search, in the first worker's thread: temporal properties, postconditions. */
void search_finish(struct worker *w)
{
    struct search *s = w->search;
    struct err err = {0};
    if (!s->failed && pend_any(s) && pend_resolve(s, &err) < 0) {
        search_fail(s, &err);
    }
    if (s->opt->counted) {
        take_counted(s);
    } else {
        search_note_depth(s);
    }
    if (s->peers) {
        peers_finish(w);
    } else if (!s->failed && s->raw.n > 0) {
        violations_settle(s, w);
    }
    if (search_yielded(s) ||
        peers_left(s)) { /* the caller starts anew: what was seen may not be all */
        s->stopped = true;
        return;
    }
    if (s->live && s->opt->live_when != LIVE_OFF && s->complete && !s->fatal && !s->failed) {
        liveness_check(s, w);
    }
    bool errors =
        s->box->violations.n > 0 && VEC_LAST(&s->box->violations).verdict == VERDICT_EVAL_ERROR;
    if (w->model) { /* postconditions read the final counts */
        search_stats(s, w);
    }
    if (!s->failed && !errors && !peers_silent(s)) {
        check_postcondition(s, w);
    }
}
