/* Is a component fair.
 *
 * A component with at least one step, whose steps fulfil all []<>A and whose tableau nodes keep all
 * promises, is fair when each Streett pair <>[]p \/ []<>q has a step with q, or only steps with p.
 * When nothing but pairs fails, the component is searched again with only the steps that satisfy
 * their p: a fair part can have no others. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"
#include "check/live_int.h"

void tally_init(const struct hunt *s, struct tally *tally)
{
    tally->any = hunt_scratch(s->words, sizeof *tally->any);
    tally->all = hunt_scratch(s->words, sizeof *tally->all);
    tally->kept = hunt_scratch(s->tab->promise_words, sizeof *tally->kept);
    tally_reset(s, tally);
}

void tally_done(struct tally *tally)
{
    vec_release(tally->any);
    vec_release(tally->all);
    vec_release(tally->kept);
}

void tally_reset(const struct hunt *s, struct tally *tally)
{
    memset(tally->any, 0, s->words * sizeof *tally->any);
    memset(tally->all, 0xff, s->words * sizeof *tally->all);
    memset(tally->kept, 0, s->tab->promise_words * sizeof *tally->kept);
    tally->step = false;
}

void tally_join(const struct hunt *s, struct tally *tally, const struct tally *more)
{
    for (uint32_t w = 0; w < s->words; w++) {
        tally->any[w] |= more->any[w];
        tally->all[w] &= more->all[w];
    }
    for (uint32_t w = 0; w < s->tab->promise_words; w++) {
        tally->kept[w] |= more->kept[w];
    }
    tally->step = tally->step || more->step;
}

/* Does the component show all that no pair is about. */
static bool shown(const struct hunt *s, const struct tally *tally)
{
    for (uint32_t w = 0; w < s->words; w++) {
        if ((tally->any[w] & s->goal[w]) != s->goal[w]) {
            return false;
        }
    }
    for (uint32_t p = 0; p < s->tab->npromise; p++) {
        if (!bit_get(tally->kept, p)) {
            return false;
        }
    }
    return tally->step;
}

/* Is some step to `state`, from that place, a step inside the component with that mark. */
static bool inside(const struct hunt *s, uint32_t place, uint32_t state, uint32_t mark)
{
    const uint32_t *rindex = s->rindex.p;
    for (uint32_t k = s->succ_at[place]; k < s->succ_at[place + 1]; k++) {
        uint32_t next = s->succ[k];
        if (hunt_has(s, state, next) &&
            __atomic_load_n(&rindex[hunt_id(s, state, next)], __ATOMIC_RELAXED) == mark) {
            return true;
        }
    }
    return false;
}

static void add_node(const struct hunt *s, const uint64_t *need, struct tally *tally,
                     struct vertex v, uint32_t mark)
{
    const uint32_t *block = live_block(s->live, v.state);
    for (uint32_t e = 0; e <= block_edges(block); e++) {
        uint32_t label = block_label(block, e);
        const uint64_t *mask = (const uint64_t *)s->mask.p + (uint64_t)label * s->words;
        uint64_t news = 0; /* the first step has something, whatever it shows */
        for (uint32_t w = 0; w < s->words; w++) {
            news |= (mask[w] & ~tally->any[w]) | (tally->all[w] & ~mask[w]);
        }
        if (!news || !step_ok(s, need, label) || !inside(s, v.t, block_target(block, e), mark)) {
            continue;
        }
        tally->step = true;
        for (uint32_t w = 0; w < s->words; w++) {
            tally->any[w] |= mask[w];
            tally->all[w] &= mask[w];
        }
    }
}

/* NOLINTNEXTLINE(readability-function-size): a component has that many parts */
void tally_add(const struct hunt *s, const uint64_t *need, struct tally *tally,
               const struct vertex *v, uint64_t n, uint32_t mark)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t *kept = s->tab->kept + (size_t)s->comp->node[v[i].t] * s->tab->promise_words;
        for (uint32_t w = 0; w < s->tab->promise_words; w++) {
            tally->kept[w] |= kept[w];
        }
        add_node(s, need, tally, v[i], mark);
        if (s->branch->nst == 0 && shown(s, tally)) {
            return;
        }
    }
}

/* Is pair i not decided by the steps of the component. */
static bool pair_open(const struct hunt *s, const struct tally *tally, uint32_t i)
{
    const struct branch *b = s->branch;
    return !bit_get(tally->any, b->nae + i) && !bit_get(tally->all, b->nae + b->nst + i);
}

enum judgement tally_judge(const struct hunt *s, const struct tally *tally)
{
    if (!shown(s, tally)) {
        return JUDGED_UNFAIR;
    }
    for (uint32_t i = 0; i < s->branch->nst; i++) {
        if (pair_open(s, tally, i)) {
            return JUDGED_OPEN;
        }
    }
    return JUDGED_FAIR;
}

/* NOLINTNEXTLINE(readability-function-size): a component has that many parts */
struct task task_make(const struct hunt *s, const struct tally *tally, const uint64_t *need,
                      const struct vertex *v, uint64_t n, uint32_t mark)
{
    struct task task = {.mark = mark, .n = n};
    size_t cap = 0;
    task.v = vec_grow(NULL, &cap, n, sizeof *task.v);
    memcpy(task.v, v, n * sizeof *v);
    task.need = hunt_scratch(s->words, sizeof *task.need);
    if (need) {
        memcpy(task.need, need, s->words * sizeof *need);
    }
    for (uint32_t i = 0; i < s->branch->nst; i++) {
        if (pair_open(s, tally, i)) {
            bit_set(task.need, s->branch->nae + s->branch->nst + i);
        }
    }
    return task;
}

void task_done(struct task *task)
{
    vec_release(task->v);
    vec_release(task->need);
    *task = (struct task){0};
}
