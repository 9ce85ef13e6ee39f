/* Running cases on a session.
 *
 * Where other cases branch off a mark is kept until the last of them has begun; a case whose mark
 * is not there (too many are held, another process has the case before it, or programs cannot be
 * copied) does the whole way again. A case that fails stops at that step; those that branch off
 * later on its way are blocked. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "suite/suite.h"

/* A place where cases branch off. */
struct branch {
    uint32_t left; /* cases that have not begun */
    struct conform_mark *mark;
};

struct running {
    const struct suite_run *run;
    struct conform *conform;
    struct u64map places; /* case << 32 | own steps -> number in branches */
    VEC(struct branch) branches;
    uint32_t held;
    uint32_t *failed; /* [cases]: the own step at which it failed, from 0 on; SUITE_NONE: none */
    bool *stale;      /* that step is none of the specification */
    struct walk_result result;
    VEC(uint32_t) way; /* ancestors, nearest first */
    struct err *err;
};

static uint64_t place_key(uint32_t number, uint32_t at)
{
    return (uint64_t)number << 32 | at;
}

static struct branch *branch_at(struct running *r, uint32_t number, uint32_t at)
{
    uint64_t place;
    return u64map_get(&r->places, place_key(number, at), &place) ? &r->branches.v[place] : NULL;
}

static void count_branches(struct running *r)
{
    for (size_t i = 0; i < r->run->n; i++) {
        const struct suite_case *c = &r->run->suite->cases[r->run->list[i]];
        if (c->parent == SUITE_NONE) {
            continue;
        }
        struct branch *b = branch_at(r, c->parent, c->at);
        if (b == NULL) {
            u64map_put(&r->places, place_key(c->parent, c->at), r->branches.n);
            VEC_PUSH(&r->branches, ((struct branch){0, NULL}));
            b = &VEC_LAST(&r->branches);
        }
        b->left++;
    }
}

static void drop_mark(struct running *r, struct branch *b)
{
    if (b->mark != NULL) {
        conform_mark_free(r->conform, b->mark);
        b->mark = NULL;
        r->held--;
    }
}

/* Keeps this moment if other cases begin here. */
static void keep(struct running *r, uint32_t number, uint32_t at)
{
    struct branch *b = branch_at(r, number, at);
    struct err unused;
    if (b == NULL || b->left == 0 || b->mark != NULL || r->held >= r->run->marks_max) {
        return;
    }
    if (conform_mark(r->conform, &r->result, &b->mark, &unused) == 0) {
        r->held++;
    } else {
        b->mark = NULL;
    }
}

/* One step of a case, or its initial state (0). Sets what failed. 0, 1, or a negative code. */
static int do_step(struct running *r, uint32_t number, uint32_t step)
{
    const struct suite_case *c = &r->run->suite->cases[number];
    int status = step == 0 ? conform_begin(r->conform, c->initial, &r->result, r->err)
                           : conform_step(r->conform, c->steps[step - 1], &r->result, r->err);
    if (status == 1 || status == -(int)ERR_NOT_FOUND) {
        r->failed[number] = step;
        r->stale[number] = status != 1;
        return 1;
    }
    if (status == 0) {
        keep(r, number, step);
    }
    return status;
}

/* The whole way from an initial state. *ret_owner is the case whose step failed. */
static int do_way(struct running *r, uint32_t number, uint32_t *ret_owner, uint32_t *ret_again)
{
    const struct suite_case *cases = r->run->suite->cases;
    VEC_RESET(&r->way);
    for (uint32_t c = number; c != SUITE_NONE; c = cases[c].parent) {
        VEC_PUSH(&r->way, c);
    }
    int status = 0;
    for (size_t i = r->way.n; status == 0 && i > 0; i--) {
        uint32_t c = r->way.v[i - 1], end = i > 1 ? cases[r->way.v[i - 2]].at : 0;
        *ret_owner = c;
        for (uint32_t k = cases[c].parent == SUITE_NONE ? 0 : 1; status == 0 && k <= end; k++) {
            status = do_step(r, c, k);
            *ret_again += k != 0 ? 1 : 0;
        }
    }
    return status;
}

/* To the place where the case begins. */
static int go_there(struct running *r, uint32_t number, uint32_t *ret_owner, uint32_t *ret_again)
{
    const struct suite_case *c = &r->run->suite->cases[number];
    struct branch *b = c->parent != SUITE_NONE ? branch_at(r, c->parent, c->at) : NULL;
    if (b == NULL) {
        return do_way(r, number, ret_owner, ret_again);
    }
    b->left--;
    int status = -1;
    if (b->mark != NULL && conform_mark_holds(r->conform, b->mark)) {
        status = conform_return(r->conform, b->mark, b->left == 0, &r->result, r->err);
    }
    if (b->left == 0 || status != 0) {
        drop_mark(r, b);
    }
    return status == 0 ? 0 : do_way(r, number, ret_owner, ret_again);
}

/* The case on the way to this one that has failed, or SUITE_NONE. */
static uint32_t failed_before(const struct running *r, uint32_t number)
{
    const struct suite_case *cases = r->run->suite->cases;
    uint32_t at = cases[number].at;
    for (uint32_t c = cases[number].parent; c != SUITE_NONE; c = cases[c].parent) {
        if (r->failed[c] != SUITE_NONE && r->failed[c] <= at) {
            return c;
        }
        at = cases[c].at;
    }
    return SUITE_NONE;
}

static void note_outside(struct running *r, struct suite_outcome *o)
{
    uint64_t now[OUTSIDE_KINDS];
    conform_outside(r->conform, now);
    for (size_t i = 0; i < OUTSIDE_KINDS; i++) {
        o->outside[i] = hash_combine(o->outside[i], now[i]);
    }
}

static int run_case(struct running *r, uint32_t number, struct suite_outcome *o)
{
    const struct suite_case *c = &r->run->suite->cases[number];
    uint64_t begin = clock_mono_ns();
    *o = (struct suite_outcome){.number = number, .owner = failed_before(r, number)};
    if (o->owner != SUITE_NONE) {
        struct branch *b = branch_at(r, c->parent, c->at);
        b->left--;
        o->status = r->stale[o->owner] ? SUITE_STALE : SUITE_BLOCKED;
        o->step = r->failed[o->owner];
        o->why = "it begins after a step that is none of the specification";
        return 0;
    }
    o->owner = number;
    int status = go_there(r, number, &o->owner, &o->again);
    if (status == 0) {
        o->owner = number;
    }
    for (uint32_t k = 1; status == 0 && k <= c->n; k++) {
        status = do_step(r, number, k);
        o->done += status >= 0 ? 1 : 0;
        if (status == 0 && r->run->outside) {
            note_outside(r, o);
        }
    }
    o->ns = clock_mono_ns() - begin;
    if (status == 1) {
        o->step = r->failed[o->owner];
        o->status = r->stale[o->owner]   ? SUITE_STALE
                    : o->owner == number ? SUITE_FAILED
                                         : SUITE_BLOCKED;
        o->why = r->err->text;
        o->result = &r->result;
        conform_record(r->conform, &r->result);
    }
    return status < 0 ? status : 0;
}

int suite_run(const struct suite_run *run, struct conform *conform, struct err *err)
{
    size_t cap = 0, caps = 0;
    struct running r = {.run = run, .conform = conform, .err = err};
    r.failed = vec_grow(NULL, &cap, run->suite->n + 1, sizeof *r.failed);
    r.stale = vec_grow(NULL, &caps, run->suite->n + 1, sizeof *r.stale);
    memset(r.failed, 0xff, run->suite->n * sizeof *r.failed);
    memset(r.stale, 0, run->suite->n * sizeof *r.stale);
    count_branches(&r);
    int status = 0;
    for (size_t i = 0; status == 0 && i < run->n; i++) {
        struct suite_outcome outcome;
        if (run->until_ns != 0 && clock_mono_ns() >= run->until_ns) {
            break;
        }
        status = run_case(&r, run->list[i], &outcome);
        if (status == 0 && run->cover && outcome.done + outcome.again != 0) {
            conform_cover(conform);
        }
        if (status == 0 && (!run->done(run->arg, &outcome) ||
                            (run->stop_first && outcome.status == SUITE_FAILED))) {
            break;
        }
    }
    for (size_t i = 0; i < r.branches.n; i++) {
        drop_mark(&r, &r.branches.v[i]);
    }
    walk_result_done(&r.result);
    u64map_done(&r.places);
    VEC_DONE(&r.branches);
    VEC_DONE(&r.way);
    vec_release(r.failed);
    vec_release(r.stale);
    return status;
}
