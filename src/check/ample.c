/* Partial-order reduction: states of which only the steps of one process are taken.
 *
 * The model says which process may go alone (model_ops.next_ample); what remains for the search is
 * to see that nothing is put off forever: going round a loop of such steps would never take the
 * others. So one of them must lead to a state of the next level, where the level of a state is that
 * at which the breadth-first search expands it. Along such steps levels grow, and a finite graph
 * has only finitely many; where they end all steps are taken. This is the proviso of Bosnacki, Leue
 * and Lluch-Lafuente ("Partial-order reduction for general state exploring algorithms", 2009) for
 * breadth-first search, and it does not depend on the order in which threads work.
 *
 * A state that is found now is of the next level. Of others, a table of the fingerprints found
 * lately, each mixed with its level, tells some. It forgets; a state that it does not know is taken
 * for an old one, and then all steps are taken. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check/fpset.h"
#include "check/store.h"
#include "model/model.h"

#ifdef ASSAY_TINY
enum { AHEAD = 8 };
#else
enum { AHEAD = 1 << 21 }; /* entries: 16 MiB, as far as they are used */
#endif

void check_ample_init(struct search *s)
{
    if (s->opt->reduce_order && s->ops->next_ample && s->opt->mode == CHECK_BFS) {
        s->ahead = memory_map(AHEAD * sizeof *s->ahead);
    }
}

void check_ample_done(struct search *s)
{
    if (s->ahead) {
        memory_unmap((void *)s->ahead, AHEAD * sizeof *s->ahead);
        s->ahead = NULL;
    }
}

/* Never 0, which is an empty entry. */
static uint64_t mixed(uint64_t fp, uint64_t level)
{
    return hash_mix(fp + hash_mix(level)) | 1;
}

void check_ample_note(struct worker *w, uint64_t fp)
{
    struct search *s = w->search;
    if (s->ahead) {
        atomic_store_explicit(&s->ahead[fp % AHEAD], mixed(fp, w->level + 1), memory_order_relaxed);
    }
}

static bool is_ahead(const struct worker *w, uint64_t fp)
{
    const struct search *s = w->search;
    return atomic_load_explicit(&s->ahead[fp % AHEAD], memory_order_relaxed) ==
           mixed(fp, w->level + 1);
}

/* As candidate_sink, but nothing is counted as generated yet. */
static int ample_sink(void *arg, struct mworker *model, const struct candidate *cand)
{
    struct worker *w = arg;
    (void)model;
    w->ordinal++;
    VEC_PUSH(&w->ample, cand->action);
    int inside;
    enum fpset_answer answer;
    int failed = candidate_look(w, cand, &inside, &answer);
    if (failed) {
        return failed;
    }
    if (inside && (answer == FPSET_NEW || (answer == FPSET_SEEN && is_ahead(w, cand->fp)))) {
        w->ample_ahead = true;
    }
    return candidate_treat(w, cand, inside, answer);
}

/* Goes through the processes that may go alone until one leads ahead. */
static bool find_ample(struct worker *w, int *ret_status)
{
    struct search *s = w->search;
    bool ample = true;
    for (uint32_t at = 0; ample;) {
        VEC_RESET(&w->ample);
        w->ample_ahead = false;
        w->ordinal = 0;
        *ret_status = s->ops->next_ample(w->model, ample_sink, w, &at, &ample);
        if (*ret_status == MODEL_ERROR) {
            return false;
        }
        if (ample && (*ret_status == MODEL_STOPPED || w->ample_ahead)) {
            return true;
        }
    }
    return false;
}

bool check_ample_expand(struct worker *w, int *ret_status)
{
    struct search *s = w->search;
    int status = MODEL_OK;
    if (!s->ahead) {
        return false;
    }
    if (!find_ample(w, &status)) {
        w->ordinal = 0;
        return false;
    }
    for (size_t i = 0; i < w->ample.n; i++) {
        search_count_generated(w, w->ample.v[i]);
    }
    w->reduced++;
    *ret_status = status;
    return true;
}
