/* A walk is one order of its trace. What could have been seen in another one is judged, too: of
 * observed variables all that could have been seen together at one moment (cuts.h), of clients all
 * orders in which they could have seen it (orders.h). What is found in that way is done in the
 * order that shows it before it is told. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/cuts.h"
#include "explore/orders.h"
#include "explore/policy.h"
#include "explore/space.h"
#include "explore/walk.h"
#include "explore/walk_int.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "run/saw.h"

enum { SNAPSHOTS_MOST = 1 << 20, HISTORIES_MOST = 4096 };

struct judging {
    const struct xwalk_judging *o;
    const struct cuts *cuts;
    struct failure failure;
    struct err *err;
};

/* ---- what is observed ---- */

/* 1: an invariant is false; the order that shows it is in the walk. */
static int on_cut(void *arg, const uint64_t *seen, const uint64_t *first)
{
    struct judging *j = arg;
    const struct cluster_judge *judge = j->o->cluster->judge;
    struct u64map *good = space_good(j->o->space); /* combinations that satisfy all invariants */
    uint64_t key = 1, known = 0;
    for (size_t i = 0; i < j->cuts->n_nodes; i++) {
        key = hash_combine(key, seen[i]);
    }
    if (u64map_get(good, key, &known)) {
        return 0;
    }
    SCOPED_STRBUF text = {0};
    uint32_t number = 0;
    int status = judge->judge(judge->arg, seen, &number, &text, j->err);
    if (status == 0) {
        u64map_put(good, key, 1);
    }
    for (size_t i = 0; status == 1 && i < j->cuts->events.n; i++) {
        if ((first[i / 64] >> i % 64 & 1) != 0) {
            VEC_PUSH(&j->o->walk->order, space_step(j->o->space, i)->event.name);
        }
    }
    j->failure = (struct failure){FAILURE_INVARIANT, FAILURE_NOBODY, number, 0};
    return status;
}

/* ---- what clients saw ---- */

/* 1: it breaks what was promised; the order is in the walk. */
static int on_history(void *arg, struct str history, const size_t *events)
{
    struct judging *j = arg;
    struct u64map *good = space_good(j->o->space);
    uint64_t key = hash_bytes(history.p, history.n, 0x68697374), known = 0;
    if (u64map_get(good, key, &known)) {
        return 0;
    }
    bool violated = false;
    int status = saw_violated(&j->o->cluster->history, history, &violated, j->err);
    if (status == 0 && !violated) {
        u64map_put(good, key, 1);
    }
    for (size_t i = 0; status == 0 && violated && i < j->cuts->events.n; i++) {
        VEC_PUSH(&j->o->walk->order, space_step(j->o->space, events[i])->event.name);
    }
    j->failure = (struct failure){.kind = FAILURE_HISTORY};
    return status != 0 ? status : violated ? 1 : 0;
}

static int judge_histories(struct judging *j, bool *ret_all, struct err *err)
{
    struct orders orders = {.cuts = j->cuts, .n_nodes = j->o->cluster->n_nodes};
    space_history(j->o->space, 0, &orders.before);
    for (size_t i = 0; i < space_depth(j->o->space); i++) {
        struct orders_part part = {.event = i};
        space_history(j->o->space, i + 1, &part.lines);
        if (part.lines.n != 0) {
            VEC_PUSH(&orders.parts, part);
        }
    }
    j->err = err;
    int status = orders_each(&orders, HISTORIES_MOST, ret_all, on_history, j);
    orders_done(&orders);
    return status;
}

/* ---- both ---- */

static bool same_failure(const struct failure *a, const struct failure *b)
{
    return a->kind == b->kind && (a->kind == FAILURE_HISTORY || failure_same(a, b));
}

/* Does the order that was found. */
static int do_order(const struct judging *j, struct err *err)
{
    struct space *space = j->o->space;
    struct walk *walk = j->o->walk;
    size_t done = 0;
    int status = space_go(space, walk->order.v, walk->order.n, &done, err);
    if (status == 0 && j->failure.kind == FAILURE_HISTORY) {
        status = space_finish(space, err);
    }
    if (status == 0 && same_failure(space_failure(space), &j->failure)) {
        xwalk_note_failure(space, walk);
    } else if (status == 0) {
        walk->order.n = 0;
        if (j->o->task->policy == WALK_FIRST) {
            return err_set(err, ERR_UNSUPPORTED, 0,
                           "a moment of another order of the same trace does not come: the "
                           "programs depend on something that no event shows");
        }
    }
    return status;
}

int xwalk_judge_orders(const struct xwalk_judging *o, struct err *err)
{
    struct cuts cuts;
    struct judging j = {.o = o, .cuts = &cuts, .err = err};
    bool seen = true, saw = true;
    int status = 0;
    if (o->walk->failure.kind != FAILURE_NONE) {
        return 0;
    }
    space_cuts(o->space, &cuts);
    if (space_root_seen(o->space) != NULL) {
        status = cuts_each(&cuts, SNAPSHOTS_MOST, &seen, on_cut, &j);
    }
    bool over = o->walk->end == WALK_COMPLETE || o->walk->end == WALK_LONG;
    if (status == 0 && over && o->cluster->history.on && space_judged(o->space)) {
        status = judge_histories(&j, &saw, err);
    }
    o->walk->partly = !seen || !saw;
    cuts_done(&cuts);
    return status == 1 ? do_order(&j, err) : status;
}
