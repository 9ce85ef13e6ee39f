/* Steps from states that are given as values, and of actions whose arguments are given: for whoever
 * follows a behaviour instead of searching. Nothing is encoded or decoded on the way.
 *
 * The arguments only leave rounds of quantifiers out, of those around the action: a combination in
 * which a parameter has another value cannot lead to a step with that argument. Where an argument
 * is no plain parameter (`A(F(x))`), nothing is left out, and the caller's sink sees more steps. */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "eval/ops.h"
#include "eval/worker.h"
#include "ir/ir.h"
#include "model/model.h"
#include "value/value.h"

void model_at(struct mworker *worker, const struct val *vals, uint64_t level)
{
    struct spec_worker *w = worker_of(worker);
    arena_reset(&w->ev.scratch);
    w->peeked = false;
    w->pub.judged = false;
    w->level = level;
    for (uint32_t i = 0; i < w->spec->nvar; i++) {
        w->cur[i] = vals[i];
        w->cur_hash[i] = 0;
    }
    w->loaded = true;
}

bool given_fits(struct ev *ev, const struct binder *b, const struct val *fr)
{
    const struct given *given = ev->given;
    if (fr != given->fr || ev->action != NO_SLOT) {
        return true;
    }
    for (uint32_t i = 0; i < b->nvar; i++) {
        for (uint32_t j = 0; j < b->vars[i].nslot; j++) {
            uint32_t slot = b->vars[i].slots[j];
            struct val want = given->slots[slot];
            if (!val_is_undef(want) && !val_equal(&ev->vctx, want, fr[slot])) {
                return false;
            }
        }
    }
    return true;
}

int model_next_with(struct mworker *worker, uint32_t action, const struct val *args, size_t n,
                    model_sink sink, void *arg)
{
    struct spec_worker *w = worker_of(worker);
    const struct action_site *site = &w->spec->sites.v[action];
    uint32_t nslot = w->spec->next_unit->nslot;
    struct given given = {.slots = arena_alloc(&w->ev.scratch, sizeof(struct val) * (nslot + 1))};
    for (uint32_t i = 0; i < nslot; i++) {
        given.slots[i] = VAL_UNDEF;
    }
    for (size_t i = 0; i < n && i < site->nargs; i++) {
        const struct ex *x = site->args[i];
        if (x->op == EX_SLOT && x->slot < nslot) {
            given.slots[x->slot] = args[i];
        }
    }
    bool no_fp = w->no_fp;
    w->no_fp = true;
    w->ev.given = &given;
    int status = spec_model_ops.next_action(worker, action, sink, arg);
    w->ev.given = NULL;
    w->no_fp = no_fp;
    return status;
}
