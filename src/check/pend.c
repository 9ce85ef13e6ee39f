/* Delayed duplicate detection. Once part of the fingerprint set is on disk, a candidate that is not
 * in memory goes into the queue at once, unsettled: asking the disk for each would cost a random
 * read per state. When enough have come together, or a level ends, the leader asks for all of them
 * in one pass over the files and marks those that were there as dropped. Counts of distinct states,
 * per action and per state, are made up then.
 *
 * Invariants of unsettled candidates are checked when they are found, which is harmless: a state
 * that was seen before satisfied them. Should one fail, the file is asked for this state alone
 * (candidate_check). */
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "check/check_int.h"
#include "check/fpset.h"
#include "check/queue.h"

enum {
    TAG_BITS = 40
}; /* of a query's tag: the number of the candidate in its worker; above: the worker */

void pend_add(struct worker *w, const struct candidate *cand)
{
    struct slab *slab = NULL;
    uint32_t record = 0;
    queue_position(w->search->queue, &w->out, &slab, &record);
    if (!w->span_open || VEC_LAST(&w->pend_spans).slab != slab) {
        VEC_PUSH(&w->pend_spans, (struct pend_span){.slab = slab, .first = record});
        w->span_open = true;
    }
    VEC_LAST(&w->pend_spans).count++;
    uint64_t tag = (uint64_t)w->index << TAG_BITS | w->pend.n;
    VEC_PUSH(&w->pend, (struct fpset_query){.fp = cand->fp, .tag = tag});
    VEC_PUSH(&w->pend_action, cand->action);
    w->pend_here++;
    bump(&w->enqueued);
    if (w->pend.n >= w->search->pend_max) {
        search_request(w->search, REQ_RESOLVE);
    }
}

void degree_add(struct worker *w, uint64_t fresh)
{
    w->degrees[fresh < DEGREES ? fresh : DEGREES - 1]++;
}

void pend_end_state(struct worker *w)
{
    if (w->pend_here == 0) {
        degree_add(w, w->new_here);
        return;
    }
    VEC_PUSH(&w->pend_groups, (struct pend_group){.pending = w->pend_here, .sure = w->new_here});
}

bool pend_any(const struct search *s)
{
    for (unsigned i = 0; i < s->nworker; i++) {
        if (s->workers[i].pend.n > 0) {
            return true;
        }
    }
    return false;
}

static void found_on_disk(void *arg, uint64_t tag)
{
    struct search *s = arg;
    struct worker *w = &s->workers[tag >> TAG_BITS];
    uint64_t number = tag & ((UINT64_C(1) << TAG_BITS) - 1);
    w->pend_dropped.v[number / 64] |= UINT64_C(1) << (number % 64);
}

static bool was_dropped(const struct worker *w, uint64_t number)
{
    return (w->pend_dropped.v[number / 64] >> (number % 64) & 1) != 0;
}

/* Takes the answers into the counts and the queue. */
static void settle(struct worker *w)
{
    uint64_t number = 0;
    uint64_t kept = 0;
    for (size_t i = 0; i < w->pend_spans.n; i++) {
        const struct pend_span *span = &w->pend_spans.v[i];
        for (uint32_t k = 0; k < span->count; k++, number++) {
            if (was_dropped(w, number)) {
                queue_drop(span->slab, span->first + k);
            } else {
                kept++;
                if (w->level > 0) { /* initial states belong to no action */
                    w->action_distinct[w->pend_action.v[number]]++;
                }
            }
        }
    }
    uint64_t first = 0;
    for (size_t i = 0; i < w->pend_groups.n; i++) {
        uint64_t fresh = w->pend_groups.v[i].sure;
        for (uint32_t k = 0; k < w->pend_groups.v[i].pending; k++) {
            fresh += !was_dropped(w, first + k);
        }
        first += w->pend_groups.v[i].pending;
        degree_add(w, fresh);
    }
    atomic_fetch_add_explicit(&w->distinct, kept, memory_order_relaxed);
    atomic_fetch_sub_explicit(&w->enqueued, number - kept, memory_order_relaxed);
    w->found_new = w->found_new || kept > 0;
}

/* The queries of all workers in one array: that of the first worker, grown. */
static size_t gather(struct search *s)
{
    struct worker *first = &s->workers[0];
    for (unsigned i = 0; i < s->nworker; i++) {
        struct worker *w = &s->workers[i];
        VEC_RESET(&w->pend_dropped);
        for (size_t word = 0; word <= w->pend.n / 64; word++) {
            VEC_PUSH(&w->pend_dropped, 0);
        }
        if (i > 0 && w->pend.n > 0) {
            VEC_RESERVE(&first->pend, first->pend.n + w->pend.n);
            memcpy(first->pend.v + first->pend.n, w->pend.v, w->pend.n * sizeof *w->pend.v);
            first->pend.n += w->pend.n;
            VEC_DONE(&w->pend); /* not both copies in memory */
        }
    }
    return first->pend.n;
}

int pend_resolve(struct search *s, struct err *err)
{
    size_t n = gather(s);
    int status = fpset_resolve(s->fps, s->workers[0].pend.v, n, found_on_disk, s, err);
    for (unsigned i = 0; i < s->nworker; i++) {
        struct worker *w = &s->workers[i];
        if (status == 0) {
            settle(w);
        }
        VEC_RESET(&w->pend);
        VEC_RESET(&w->pend_action);
        VEC_RESET(&w->pend_groups);
        VEC_RESET(&w->pend_spans);
        w->span_open = false;
    }
    return status;
}
