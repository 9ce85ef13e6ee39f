/* Delayed duplicate detection. Once part of the fingerprint set is on disk, a candidate that is not
 * in memory goes into the queue at once, unsettled: asking the disk for each would cost a random
 * read per state. When enough have come together, or a level ends, the leader asks for all of them
 * in one pass over the files and marks those that were there as dropped. Counts of distinct states,
 * per action and per state, are made up then.
 *
 * Invariants of unsettled candidates are checked when they are found, which is harmless: a state
 * that was seen before satisfied them. Should one fail, the file is asked for this state alone
 * (candidate_check). */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "check/check_int.h"
#include "check/fpset.h"
#include "check/queue.h"
#include "model/model.h"

/* Of a query's tag: the number of the candidate in its worker; above: the worker. */
enum { TAG_BITS = 40 };
#ifdef ASSAY_TINY
enum { ALONE = 2 };
#else
enum { ALONE = 4096 }; /* fewer queries are not worth waking helpers */
#endif

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
    VEC_PUSH(&w->pend, (struct fpset_query){.key = cand->fp, .tag = tag});
    VEC_PUSH(&w->pend_action, cand->action);
    w->pend_here++;
    bump(&w->enqueued);
    if (w->pend.n >= w->search->pend_max) {
        search_request(w->search, REQ_RESOLVE);
    }
}

void tally_degree_add(struct worker *w, uint64_t fresh)
{
    w->degrees[fresh < DEGREES ? fresh : DEGREES - 1]++;
}

void pend_end_state(struct worker *w)
{
    if (w->pend_here == 0) {
        tally_degree_add(w, w->new_here);
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
    __atomic_fetch_or(&w->pend_dropped.v[number / 64], UINT64_C(1) << (number % 64),
                      __ATOMIC_RELAXED); /* helpers may set other bits of the word */
}

static bool was_dropped(const struct worker *w, uint64_t number)
{
    return (w->pend_dropped.v[number / 64] >> (number % 64) & 1) != 0;
}

/* Takes the answers into the queue and the counts of actions. Returns how many were new. */
static uint64_t settle_records(struct worker *w)
{
    uint64_t number = 0;
    uint64_t kept = 0;
    for (size_t i = 0; i < w->pend_spans.n; i++) {
        const struct pend_span *span = &w->pend_spans.v[i];
        for (uint32_t k = 0; k < span->count; k++, number++) {
            if (was_dropped(w, number)) {
                queue_drop(span->slab, span->first + k);
                continue;
            }
            kept++;
            if (w->level > 0) { /* initial states belong to no action */
                w->action_distinct[w->pend_action.v[number]]++;
            }
        }
    }
    atomic_fetch_sub_explicit(&w->enqueued, number - kept, memory_order_relaxed);
    return kept;
}

static void settle_degrees(struct worker *w)
{
    uint64_t first = 0;
    for (size_t i = 0; i < w->pend_groups.n; i++) {
        uint64_t fresh = w->pend_groups.v[i].sure;
        for (uint32_t k = 0; k < w->pend_groups.v[i].pending; k++) {
            fresh += !was_dropped(w, first + k);
        }
        first += w->pend_groups.v[i].pending;
        tally_degree_add(w, fresh);
    }
}

/* What one worker collected; done by helpers side by side. */
static void settle_part(void *arg, unsigned part, unsigned nparts)
{
    struct search *s = arg;
    for (unsigned i = part; i < s->nworker; i += nparts) {
        struct worker *w = &s->workers[i];
        uint64_t kept = settle_records(w);
        settle_degrees(w);
        atomic_fetch_add_explicit(&w->distinct, kept, memory_order_relaxed);
        w->found_new = w->found_new || kept > 0;
    }
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
    struct fpset_batch batch = {s->workers[0].pend.v, n, found_on_disk, s};
    const struct helpers *helpers = n >= ALONE ? &s->helpers : NULL;
    int status = fpset_resolve(s->fps, &batch, helpers, err);
    if (status == 0 && helpers) {
        helpers->run(helpers->self, settle_part, s);
    } else if (status == 0) {
        settle_part(s, 0, 1);
    }
    for (unsigned i = 0; i < s->nworker; i++) {
        struct worker *w = &s->workers[i];
        VEC_RESET(&w->pend);
        VEC_RESET(&w->pend_action);
        VEC_RESET(&w->pend_groups);
        VEC_RESET(&w->pend_spans);
        w->span_open = false;
    }
    return status;
}
