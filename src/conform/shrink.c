/* Shrinking a finding: steps are left out while the same finding stays.
 *
 * Steps are known by their labels, so that what is left of a behaviour can be followed from the
 * start: a step leads to another state then than before. Whether it is one of the specification is
 * asked first, without the programs, which costs next to nothing; most of what is tried ends there.
 * Halves, quarters and so on are left out, then single steps, then two at a time, until none can be
 * (Zeller's ddmin, from the end, since what comes last depends on what comes first). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "conform/conform_int.h"
#include "model/model.h"

enum { RUNS_MOST = 400 }; /* of the programs, for one finding */

/* "Action(args)", and which of the states that it leads to. */
struct named {
    struct str label;
    uint32_t nth;
};

struct shrinking {
    struct conform *c;
    struct walk_result *best;
    struct spec_step initial;
    VEC(struct named) all; /* of the behaviour as it was found, without the initial state */
    VEC(uint32_t) left;    /* those that are left: indexes */
    VEC(uint32_t) some;    /* to be tried */
    VEC(struct spec_step) steps;
    unsigned runs;
};

/* ---- names of the steps ---- */

struct numbering {
    uint64_t state;
    struct str label;
    VEC(uint64_t) seen; /* fingerprints of other states that the label leads to */
    struct strbuf text;
    struct spec_step *ret;
    bool found, initial;
};

static int number(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct numbering *x = arg;
    const struct model_ops *ops = worker->model->ops;
    if (ops->in_model(worker) != 1) {
        return 0;
    }
    strbuf_reset(&x->text);
    ops->label(worker, &x->text);
    if (!x->initial && !str_eq(strbuf_str(&x->text), x->label)) {
        return 0;
    }
    bool known = false;
    for (size_t i = 0; i < x->seen.n; i++) {
        known = known || x->seen.v[i] == cand->fp;
    }
    if (!known) {
        VEC_PUSH(&x->seen, cand->fp);
    }
    strbuf_reset(&x->text);
    ops->save(worker, &x->text);
    if (hash_bytes(x->text.p, x->text.n, 0) != x->state) {
        return 0;
    }
    walk_keep(worker, cand->action, x->initial, x->ret);
    x->found = true;
    return 1;
}

/* Goes along the behaviour that was found. False: the specification does not do it again. */
static bool name_steps(struct shrinking *s)
{
    struct conform *c = s->c;
    const struct model_ops *ops = c->spec.model->ops;
    struct spec_step now = {0}, next = {0};
    bool good = true;
    for (size_t i = 0; good && i < s->best->steps.n; i++) {
        const struct conform_step *step = &s->best->steps.v[i];
        struct numbering x = {.state = step->state,
                              .label = strbuf_str(&step->label),
                              .ret = i == 0 ? &s->initial : &next,
                              .initial = i == 0};
        const struct spec_step *from = i == 1 ? &s->initial : &now;
        int status = MODEL_OK;
        if (i == 0) {
            status = ops->init(c->spec.walker, number, &x);
        } else {
            status = ops->load(c->spec.walker, from->bytes.p, from->bytes.n, i);
            status = status == MODEL_OK ? ops->next(c->spec.walker, number, &x) : status;
            struct spec_step old = now;
            now = next;
            next = old;
            VEC_PUSH(&s->all, ((struct named){x.label, (uint32_t)x.seen.n}));
        }
        good = x.found && status != MODEL_ERROR;
        VEC_DONE(&x.seen);
        strbuf_done(&x.text);
    }
    spec_step_done(&now);
    spec_step_done(&next);
    return good;
}

/* ---- trying ---- */

/* Whether what is to be tried is a behaviour of the specification: its steps. */
static bool possible(struct shrinking *s)
{
    struct err *err = s->c->err, ignored = {0};
    bool good = true;
    s->c->err = &ignored;
    for (size_t i = 0; good && i < s->some.n; i++) {
        const struct named *step = &s->all.v[s->some.v[i]];
        const struct strbuf *from = i == 0 ? &s->initial.bytes : &s->steps.v[i - 1].bytes;
        good = walk_named(s->c, from, i + 1, step->label, step->nth, &s->steps.v[i]) == 0;
    }
    s->c->err = err;
    return good;
}

static bool same_finding(const struct finding *a, const struct finding *b)
{
    return a->kind == b->kind && str_eq(a->action, b->action) && str_eq(a->variable, b->variable);
}

/* 1: the finding stays, and `best` has it. 0: not. */
static int attempt(struct shrinking *s)
{
    struct conform *c = s->c;
    struct walk_result r;
    if (!possible(s)) {
        return 0;
    }
    s->runs++;
    int status = conform_start(c, &r, c->err);
    status = status != 0 ? status : conform_one_step(c, &r, NULL, &s->initial);
    for (size_t i = 0; status == 0 && i < s->some.n; i++) {
        const struct strbuf *from = i == 0 ? &s->initial.bytes : &s->steps.v[i - 1].bytes;
        status = conform_one_step(c, &r, from, &s->steps.v[i]);
    }
    conform_stop(c, &r, false);
    if (status <= 0 || !same_finding(&r.finding, &s->best->finding)) {
        walk_result_done(&r);
        return status < 0 ? status : 0;
    }
    r.hash = s->best->hash; /* of the walk */
    r.found_steps = s->best->found_steps;
    walk_result_done(s->best);
    *s->best = r;
    VEC_RESET(&s->left);
    for (size_t i = 0; i + 1 < r.steps.n; i++) { /* it may end earlier */
        VEC_PUSH(&s->left, s->some.v[i]);
    }
    return 1;
}

/* Leaves out n steps, those from `at` on, and the one with the number `other`. */
static int attempt_without(struct shrinking *s, size_t at, size_t n, size_t other)
{
    VEC_RESET(&s->some);
    for (size_t i = 0; i < s->left.n; i++) {
        if ((i < at || i >= at + n) && i != other) {
            VEC_PUSH(&s->some, s->left.v[i]);
        }
    }
    return attempt(s);
}

/* Two steps that need each other: a crash and the restart. */
static int leave_out_pairs(struct shrinking *s)
{
    for (size_t j = s->left.n > 0 ? s->left.n - 1 : 0; j-- > 0;) {
        for (size_t i = j; i-- > 0 && s->runs < RUNS_MOST;) {
            int status = attempt_without(s, i, 1, j);
            if (status < 0) {
                return status;
            }
            if (status == 1) {
                j = j - 1 < s->left.n - 1 ? j - 1 : s->left.n - 1;
                i = i < j ? i : j;
            }
        }
    }
    return 0;
}

/* The last step is the one with the finding: it stays. */
static int leave_out(struct shrinking *s)
{
    bool any = true;
    for (size_t n = s->left.n / 2; n > 0; n = n > 1 || !any ? n / 2 : 1) {
        any = false;
        for (size_t end = s->left.n > 0 ? s->left.n - 1 : 0; end > 0 && s->runs < RUNS_MOST;) {
            size_t begin = end > n ? end - n : 0;
            int status = attempt_without(s, begin, end - begin, SIZE_MAX);
            if (status < 0) {
                return status;
            }
            any = any || status == 1;
            end = begin < s->left.n ? begin : s->left.n;
        }
        if (s->runs >= RUNS_MOST) {
            break;
        }
    }
    return 0;
}

int conform_shrink(struct conform *c, struct walk_result *r, struct err *err)
{
    struct shrinking s = {.c = c, .best = r};
    SCOPED_STRBUF labels = {0};
    c->err = err;
    r->found_steps = r->steps.n > 0 ? r->steps.n - 1 : 0;
    int status = 0;
    if (r->steps.n > 2 && name_steps(&s)) {
        /* The labels live in `best`, which changes: keep them. */
        for (size_t i = 0; i < s.all.n; i++) {
            strbuf_addstr(&labels, s.all.v[i].label);
            VEC_PUSH(&s.left, (uint32_t)i);
            VEC_PUSH(&s.steps, (struct spec_step){0});
        }
        size_t at = 0;
        for (size_t i = 0; i < s.all.n; i++) {
            s.all.v[i].label.p = labels.p + at;
            at += s.all.v[i].label.n;
        }
        size_t before = 0;
        do {
            before = s.left.n;
            status = leave_out(&s);
            status = status != 0 ? status : leave_out_pairs(&s);
        } while (status == 0 && s.left.n < before && s.runs < RUNS_MOST);
    }
    for (size_t i = 0; i < s.steps.n; i++) {
        spec_step_done(&s.steps.v[i]);
    }
    spec_step_done(&s.initial);
    VEC_DONE(&s.all);
    VEC_DONE(&s.left);
    VEC_DONE(&s.some);
    VEC_DONE(&s.steps);
    return status;
}
