/* Predicates that are known to hold because what they read has not changed.
 *
 * A step changes few variables, and most conjuncts of invariants and constraints read few. Where
 * the current state was found to satisfy them (mworker.judged), a conjunct that reads only
 * variables to which the candidate has given the very same values holds for the candidate, too.
 * Values are the same when their words are: UNCHANGED copies them. A value that was computed again
 * may be equal and not the same; its conjuncts are evaluated. */
#include "eval/known.h"

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "eval/code.h"
#include "eval/reads.h"
#include "eval/worker.h"
#include "model/model.h"
#include "value/value.h"

enum { PARTS_MAX = 256 };

struct part_list {
    const struct ex *v[PARTS_MAX];
    uint32_t n;
    bool full;
};

static void split(struct part_list *list, const struct ex *x)
{
    if (x->op == EX_CONJ) {
        for (uint32_t i = 0; i < x->n; i++) {
            split(list, x->kid[i]);
        }
    } else if (list->n < PARTS_MAX) {
        list->v[list->n++] = x;
    } else {
        list->full = true;
    }
}

static const struct pred_parts *parts_of(struct spec *spec, const struct pred *p)
{
    struct part_list list = {.n = 0};
    const struct ex *body = p->unit->body;
    while (body->op == EX_LET) {
        body = body->kid[0];
    }
    split(&list, body);
    if (list.full) {
        return NULL;
    }
    struct pred_parts *parts =
        arena_zalloc(spec->arena, sizeof *parts + sizeof parts->v[0] * (size_t)list.n);
    parts->n = list.n;
    bool *now = ARENA_ARRAY(spec->arena, bool, spec->nvar + 1);
    bool *next = ARENA_ARRAY(spec->arena, bool, spec->nvar + 1);
    for (uint32_t i = 0; i < list.n; i++) {
        struct pred_part *part = &parts->v[i];
        uint32_t *vars = ARENA_ARRAY(spec->arena, uint32_t, spec->nvar + 1);
        bool more = ev_ex_reads(spec, list.v[i], now, next);
        *part = (struct pred_part){.x = list.v[i], .fixed = !more, .vars = vars};
        for (uint32_t v = 0; v < spec->nvar; v++) {
            part->fixed &= !next[v];
            if (now[v]) {
                vars[part->nvar++] = v;
            }
        }
    }
    return parts;
}

void known_find(struct spec *spec)
{
    for (size_t i = 0; i < spec->props.n; i++) {
        if (spec->props.v[i].kind == MPROP_INVARIANT) {
            spec->prop_preds.v[i].parts = parts_of(spec, &spec->prop_preds.v[i]);
        }
    }
    for (size_t i = 0; i < spec->constraints.n; i++) {
        spec->constraints.v[i].parts = parts_of(spec, &spec->constraints.v[i]);
    }
}

static bool unchanged(const struct spec_worker *w, const struct pred_part *part)
{
    for (uint32_t i = 0; i < part->nvar; i++) {
        if (!val_same(w->cur[part->vars[i]], w->cand[part->vars[i]])) {
            return false;
        }
    }
    return part->fixed;
}

bool known_holds(struct spec_worker *w, const struct pred *p)
{
    struct ev *ev = &w->ev;
    if (!p->parts || !w->pub.judged || w->emitting_init || ev->hooks) {
        return pred_true(ev, p);
    }
    struct val *fr = frame_push(ev, p->unit->nslot);
    for (const struct ex *x = p->unit->body; x->op == EX_LET; x = x->kid[0]) {
        const struct let_slots *slots = x->u.p;
        for (uint32_t i = 0; i < slots->n; i++) {
            fr[slots->slot[i]] = VAL_UNDEF;
        }
    }
    for (uint32_t i = 0; i < p->parts->n; i++) {
        const struct pred_part *part = &p->parts->v[i];
        struct val v = unchanged(w, part) ? VAL_TRUE : ex_eval(ev, part->x, fr);
        if (!val_same(v, VAL_TRUE)) {
            frame_pop(ev, fr);
            return val_is_bool(v) ? false : pred_true(ev, p); /* which fails in TLC's words */
        }
    }
    frame_pop(ev, fr);
    return true;
}
