/* Breadth-first search, level by level, and how its workers come together.
 *
 * Levels are exact with any number of workers, since nobody starts a level before the last state of
 * the one before it is expanded. With one worker, states are expanded in the order in which they
 * were found. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/clock.h"
#include "base/err.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check/queue.h"

enum {
    STATS_EVERY = 256
}; /* states between updates of the model's statistics when there are several workers */

/* ---- what the leader does ---- */

static bool level_is_used_up(const struct search *s)
{
    for (unsigned i = 0; i < s->nworker; i++) {
        if (s->workers[i].claim.slab) {
            return false;
        }
    }
    return queue_segments(s->queue) == 0;
}

static int seal_all(struct search *s, struct err *err)
{
    int status = 0;
    for (unsigned i = 0; i < s->nworker && status == 0; i++) {
        status = queue_seal(s->queue, &s->workers[i].out, err);
    }
    return status;
}

void search_checkpoint(struct search *s)
{
    struct err err = {0};
    uint64_t begin = clock_mono_ns();
    search_event(s, CHECK_EV_CHECKPOINT_START);
    if (seal_all(s, &err) < 0 || (s->peers ? peers_save(s, &err) : checkpoint_write(s, &err)) < 0) {
        (void)err_wrap(&err, "writing a checkpoint");
        search_fail(s, &err);
        return;
    }
    uint64_t end = clock_mono_ns();
    atomic_store(&s->checkpoint_cost_ns, end - begin);
    atomic_store(&s->checkpoint_end_ns, end);
    search_event(s, CHECK_EV_CHECKPOINT_DONE);
}

/* What a state cost in the level that has just ended. */
static void note_cost(struct search *s)
{
    uint64_t expanded = 0;
    for (unsigned i = 0; i < s->nworker; i++) {
        expanded += atomic_load_explicit(&s->workers[i].expanded, memory_order_relaxed);
    }
    uint64_t now = clock_mono_ns();
    uint64_t states = expanded - s->level_expanded;
    if (states > 0) {
        s->state_ns = (now - s->level_ns) * s->level_active / states;
    }
    s->level_ns = now;
    s->level_expanded = expanded;
}

int search_next_level(struct search *s)
{
    struct err err = {0};
    if (seal_all(s, &err) < 0) {
        search_fail(s, &err);
        return -1;
    }
    queue_advance(s->queue);
    s->level++;
    note_cost(s);
    s->complete = queue_segments(s->queue) == 0;
    return 0;
}

/* Decides what happens next; false ends the search. All other workers are parked. */
static bool lead(struct search *s, struct worker *w)
{
    struct err err = {0};
    unsigned request = atomic_exchange_explicit(&s->request, 0, memory_order_relaxed);
    bool used_up = level_is_used_up(s);
    if (s->peers) {
        return peers_lead(s, w, request, used_up);
    }
    if (s->failed) {
        return false;
    }
    if ((used_up || request != 0) && search_maintain(s, &err) < 0) {
        search_fail(s, &err);
        return false;
    }
    search_note_depth(s);
    if (s->raw.n > 0) {
        violations_settle(s, w);
    }
    if (s->fatal) {
        return false;
    }
    if ((request & REQ_STOP) && search_yielded(s) && search_move(s, w)) {
        used_up = level_is_used_up(s);
    } else if (request & REQ_STOP) {
        if (s->box->result.moves > 0 && !search_interrupted(s) && !s->stop_due) {
            return true; /* asked before it moved */
        }
        s->stopped = true;
        /* Below zero the specification itself asked for it: this is its end. So it is when the
         * caller starts anew. */
        bool over =
            (s->opt->interrupt && __atomic_load_n(s->opt->interrupt, __ATOMIC_RELAXED) < 0) ||
            search_yielded(s);
        if (!over && s->opt->checkpoint_s > 0 && s->level > 0 && !atomic_load(&s->abort)) {
            search_checkpoint(s);
        }
        return false;
    }
    if (request & REQ_LIVE) {
        liveness_check(s, w);
    }
    if (request & REQ_CHECKPOINT) {
        search_checkpoint(s);
    }
    if (s->failed || s->fatal) {
        return false;
    }
    if (used_up && search_next_level(s) < 0) {
        return false;
    }
    return !s->complete;
}

/* The caller needs the processors for something else. */
static bool eased(const struct search *s)
{
    return s->opt->ease && __atomic_load_n(s->opt->ease, __ATOMIC_RELAXED);
}

/* ... and all of them: waits, but not for ever. */
static void rest(struct worker *w)
{
    const struct search *s = w->search;
    enum { TURN_NS = 1000000, TURNS = 2000 };
    if (!s->opt->ease || __atomic_load_n(s->opt->ease, __ATOMIC_RELAXED) < 2) {
        w->rested = 0;
        return;
    }
    while (w->rested < TURNS && __atomic_load_n(s->opt->ease, __ATOMIC_RELAXED) > 1 &&
           !search_interrupted(s) && atomic_load_explicit(&s->request, memory_order_relaxed) == 0) {
        (void)nanosleep(&(struct timespec){.tv_nsec = TURN_NS}, NULL);
        w->rested++;
    }
}

/* Segments that are worth a worker each: waking one costs about as much as WORTH_NS of work. */
static uint64_t worthwhile(const struct search *s)
{
    enum { WORTH_NS = 50000, SEGMENT = 8 };
    if (eased(s)) {
        return 1;
    }
    uint64_t segments = queue_segments(s->queue);
    uint64_t work = segments * SEGMENT * (s->state_ns ? s->state_ns : 1000);
    return segments < work / WORTH_NS ? segments : work / WORTH_NS;
}

/* Under lock. Lets those go on who hold work, and as many others as there is work for. */
static void release_workers(struct search *s, struct worker *leader)
{
    uint64_t segments = worthwhile(s);
    s->level_active = 0;
    for (unsigned i = 0; i < s->nworker; i++) {
        struct worker *w = &s->workers[i];
        bool wanted = w == leader || w->claim.slab;
        if (!wanted && segments > 1) { /* the leader takes one itself */
            segments--;
            wanted = true;
        }
        if (wanted) {
            w->released = true;
            s->nparked--;
            s->level_active++;
            if (w != leader) {
                pthread_cond_signal(&w->wake);
            }
        }
    }
}

/* Under lock, which is given up meanwhile: does this worker's part of the leader's job. */
static void help(struct worker *w)
{
    struct search *s = w->search;
    w->job_seen = s->job_number;
    if (w->index < s->job_parts) {
        pthread_mutex_unlock(&s->lock);
        s->job(s->job_arg, w->index, s->job_parts);
        pthread_mutex_lock(&s->lock);
    }
    if (--s->job_left == 0) {
        pthread_cond_broadcast(&s->job_done);
    }
}

/* Runs a job on all workers, who are parked; the leader (whoever it is) takes the part of its own
 * index. */
void search_helpers(void *self, void (*fn)(void *arg, unsigned part, unsigned nparts), void *arg)
{
    struct search *s = self;
    if (s->nworker == 1 || !s->leader) {
        fn(arg, 0, 1);
        return;
    }
    pthread_mutex_lock(&s->lock);
    s->job = fn;
    s->job_arg = arg;
    s->job_parts = s->nworker;
    s->job_number++;
    s->job_left = s->nworker;
    for (unsigned i = 0; i < s->nworker; i++) {
        if (&s->workers[i] != s->leader) {
            pthread_cond_signal(&s->workers[i].wake);
        }
    }
    help(s->leader);
    while (s->job_left > 0) {
        pthread_cond_wait(&s->job_done, &s->lock);
    }
    pthread_mutex_unlock(&s->lock);
}

/* Under lock. Waits to be released, and helps the leader meanwhile; false when the search is over.
 */
static bool wait_for_release(struct worker *w)
{
    struct search *s = w->search;
    while (!w->released && !s->quit) {
        if (w->job_seen != s->job_number) {
            help(w);
        } else {
            pthread_cond_wait(&w->wake, &s->lock);
        }
    }
    w->released = false;
    return !s->quit;
}

/* Stops until there is something to do. Returns false when the search is over. */
static bool park(struct worker *w)
{
    struct search *s = w->search;
    pthread_mutex_lock(&s->lock);
    s->nparked++;
    if (s->nparked == s->nworker && !s->quit) {
        pthread_mutex_unlock(&s->lock); /* nobody else can move: all wait to be released */
        s->leader = w;
        bool go_on = lead(s, w);
        s->leader = NULL;
        pthread_mutex_lock(&s->lock);
        if (go_on) {
            release_workers(s, w);
        } else {
            s->quit = true;
            for (unsigned i = 0; i < s->nworker; i++) {
                pthread_cond_signal(&s->workers[i].wake);
            }
        }
    }
    bool go_on = wait_for_release(w);
    pthread_mutex_unlock(&s->lock);
    return go_on;
}

/* Another worker can go on with the level. */
static bool dispensable(struct search *s)
{
    pthread_mutex_lock(&s->lock);
    bool others = s->nparked + 1 < s->nworker;
    pthread_mutex_unlock(&s->lock);
    return others;
}

/* ---- the workers' main loop ---- */

/* Expands something of the claim; false at its end. */
static bool work_on_claim(struct worker *w, bool gather)
{
    struct queue_record record;
    if (gather) {
        return gather_expand(w, w->search->level);
    }
    if (!queue_next(&w->claim, &record)) {
        return false;
    }
    search_expand(w, &record, w->search->level);
    return true;
}

static void work(struct worker *w)
{
    struct search *s = w->search;
    unsigned since_stats = 0;
    for (;;) {
        rest(w);
        if (s->peers) {
            peers_turn(w);
        }
        if (search_interrupted(s)) {
            search_request(s, REQ_STOP); /* at once, the coordinator would come later */
        }
        if (atomic_load_explicit(&s->request, memory_order_relaxed) != 0) {
            if (!park(w)) {
                return;
            }
            move_worker(w);
        } else if (work_on_claim(w, gather_can(s))) {
            if (!s->exact_stats && ++since_stats == STATS_EVERY) {
                since_stats = 0;
                search_stats(s, w);
            }
        } else {
            struct err err = {0};
            queue_release(s->queue, &w->claim);
            int claimed =
                eased(s) && dispensable(s) ? 0 : queue_claim(s->queue, s->nworker, &w->claim, &err);
            if (claimed < 0) {
                search_fail(s, &err);
            }
            if (claimed <= 0) {
                if (!park(w)) {
                    return;
                }
                move_worker(w);
            }
        }
    }
}

static void *bfs_main(void *arg)
{
    struct worker *w = arg;
    struct search *s = w->search;
    bool go_on = true;
    if (w->index > 0) { /* counted as parked from the start */
        pthread_mutex_lock(&s->lock);
        go_on = wait_for_release(w);
        pthread_mutex_unlock(&s->lock);
    }
    if (go_on && search_worker_begin(w) == 0) {
        if (w->index == 0) {
            search_begin(w);
            go_on = park(w);
            move_worker(w);
        }
        if (go_on) {
            work(w);
        }
    } else if (go_on) {
        (void)park(w); /* the failure is noted: lead() will end the search */
    }
    pthread_mutex_lock(&s->lock);
    s->nleft++;
    pthread_cond_signal(&s->workers[0].wake);
    while (w->index == 0 && s->nleft < s->nworker) {
        pthread_cond_wait(&w->wake, &s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    if (w->index == 0) {
        search_finish(w);
        pthread_mutex_lock(&s->lock);
        s->ended = true;
        pthread_cond_signal(&s->coordinator);
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

int search_bfs(struct search *s, struct err *err)
{
    s->level_ns = clock_mono_ns();
    return search_run(s, bfs_main, err);
}
