/* The interpreter against compiled code, on random specifications.
 *
 * One specification holds many actions and predicates. The interpreter finds states and shows what
 * the variables hold; the specification is compiled; then every action and predicate is run by both
 * on every state. A case is one of these comparisons: equal multisets of successors with their
 * action, equal truth values, and where the interpreter finds an error compiled code must trap. A
 * trap without an error is allowed (the interpreter takes over), and counted.
 *
 * Looks into both rooms: cgen's pieces are compared one by one, so that an error of one action does
 * not hide the others.
 *
 * usage: tier_diff [--seed=N] [--specs=N] [--cases=N] [--states=N] [--depth=N] [--cc=COMPILER]
 *                  [--cache=DIR] [--out=DIR] [--small] [--show] [--refused]
 *        tier_diff --write [--seed=N] [--depth=N] [--symmetry] [--view] [--out=DIR]
 *
 * --write makes a small specification and its configuration, for a whole search with either, and
 * compares nothing. */
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/build.h"
#include "cgen/cgen.h"
#include "cgen/csource.h"
#include "cgen/host.h"
#include "cgen/load.h"
#include "cgen/profile.h"
#include "cgen/ty.h"
#include "check/check.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "eval/native.h"
#include "eval/ops.h"
#include "eval/worker.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "tier_gen.h"
#include "value/value.h"

struct count {
    char *text;
    uint64_t n;
};

struct totals {
    uint64_t cases, differences, errors, traps, trap[16], fit;
    uint64_t acts, acts_compiled, preds, preds_compiled, specs, rejected, order;
    VEC(struct count) reasons;
};

struct settings {
    uint64_t seed, specs, cases;
    uint32_t states;
    struct tier_size size;
    const char *compiler, *cache, *out;
    bool show, refused, write;
};

#define SUCC_MAX 4000
struct succ {
    uint32_t action;
    uint32_t outside; /* the constraints, when the state itself is inside */
    uint64_t changed;
    uint8_t *at;
};
struct succs {
    uint32_t n, size;
    struct succ v[SUCC_MAX];
    uint8_t *bytes; /* [SUCC_MAX * size] */
};

struct one { /* one specification */
    struct totals *totals;
    const struct settings *set;
    uint64_t seed;
    struct strbuf module, config;
    struct model *model;
    struct spec *spec;
    struct spec_worker *w;
    struct samples samples;
    struct csource source;
    struct build build;
    struct code *code;
    uint8_t *memo;
    struct strbuf *states; /* [settings.states], as the interpreter stores them */
    uint32_t nstate;
    struct rng rng;
    VEC(const struct act *) acts;
    struct succs inner, outer;
    bool collecting; /* first pass: note samples and states */
    bool fits, too_many;
    bool full;         /* the interpreter has used up its memory: the rest of the state is left */
    bool inside;       /* the state satisfies the constraints, and all of them are compiled */
    uint64_t invs[16]; /* invariants that it satisfies */
    uint64_t reported;
    uint8_t *cur;
    struct W cw;
    int trap;               /* of what ran last */
    bool outside[SUCC_MAX]; /* of the successors of compiled code */
};

static volatile sig_atomic_t slow;

static void on_alarm(int sig)
{
    (void)sig;
    slow = 1;
}

static void count_reason(struct totals *t, const char *why)
{
    for (size_t i = 0; i < t->reasons.n; i++) {
        if (strcmp(t->reasons.v[i].text, why) == 0) {
            t->reasons.v[i].n++;
            return;
        }
    }
    VEC_PUSH(&t->reasons, (struct count){strdup(why), 1});
}

/* ---- the interpreter ---- */
static void top_acts(struct one *o, const struct act *a)
{
    if (a->op == ACT_DISJ) {
        for (uint32_t i = 0; i < a->n; i++) {
            top_acts(o, a->kid[i]);
        }
        return;
    }
    VEC_PUSH(&o->acts, a);
}

static void add_succ(struct one *o, struct succs *s, struct succ one, const uint8_t *bytes)
{
    if (s->n == SUCC_MAX) {
        o->too_many = true;
        return;
    }
    uint8_t *at = s->bytes + (size_t)s->n * s->size;
    memcpy(at, bytes, s->size);
    one.at = at;
    s->v[s->n++] = one;
}

static void note_state(struct one *o, const struct val *vals)
{
    struct vctx *ctx = &o->w->ev.vctx;
    for (uint32_t i = 0; i < o->spec->nvar; i++) {
        if (o->samples.of[i].v.n < 1500 && !(o->w->loaded && val_same(vals[i], o->w->cur[i]))) {
            samples_add(&o->samples, ctx, i, vals[i]);
        }
    }
    o->samples.nstate++;
    uint32_t at = o->nstate;
    if (at == o->set->states) { /* replace a later one, seldom */
        at = (uint32_t)rng_below(&o->rng, UINT64_C(40) * o->set->states);
        if (at >= o->set->states || at < o->set->states / 2) {
            return;
        }
    } else {
        o->nstate++;
    }
    strbuf_reset(&o->states[at]);
    for (uint32_t i = 0; i < o->spec->nvar; i++) {
        val_encode(ctx, vals[i], &o->states[at]);
    }
}

static bool encode(struct one *o, const struct val *vals, uint8_t *out)
{
    memset(out, 0, o->source.state_size);
    for (uint32_t i = 0; i < o->spec->nvar; i++) {
        if (!ty_encode(&o->source.tys, &o->w->ev.vctx, o->source.var_ty[i], vals[i],
                       out + o->source.var_offset[i])) {
            return false;
        }
    }
    return true;
}

static bool holds(struct ev *ev, const struct pred *pred)
{
    struct val v = ev_pred_eval(ev, pred);
    if (!val_is_bool(v)) {
        ev_fail(ev, pred->node, 2215, "not a boolean");
    }
    return val_same(v, VAL_TRUE);
}

/* Is the successor outside the constraints? Asked only where compiled code says so too. */
static bool is_outside(struct one *o, struct ev *ev)
{
    struct spec *spec = o->spec;
    if (!o->inside) {
        return false;
    }
    struct val *s0 = ev->s0;
    struct val *s1 = ev->s1;
    ev->s0 = s1;
    ev->s1 = NULL;
    ev->level++;
    bool in = true;
    for (size_t i = 0; in && i < spec->constraints.n; i++) {
        in = holds(ev, &spec->constraints.v[i]);
    }
    ev->s0 = s0;
    ev->s1 = s1;
    ev->level--;
    for (size_t i = 0; in && i < spec->action_constraints.n; i++) {
        in = holds(ev, &spec->action_constraints.v[i]);
    }
    return !in;
}

static int on_emit(struct ev *ev)
{
    struct one *o = ev->emit_arg;
    for (uint32_t i = 0; i < o->spec->nvar; i++) {
        if (val_is_undef(ev->s1[i])) {
            ev_fail(ev, NULL, 2109, "a successor is not complete");
        }
    }
    if (o->collecting) {
        note_state(o, ev->s1);
        return o->samples.nstate % 512 == 0; /* not too many of one action */
    }
    uint8_t *bytes = o->outer.bytes + (size_t)SUCC_MAX * o->outer.size; /* the spare one */
    if (!encode(o, ev->s1, bytes)) {
        o->fits = false;
        return 1;
    }
    add_succ(o, &o->inner, (struct succ){.action = ev->action, .outside = is_outside(o, ev)},
             bytes);
    return o->too_many;
}

struct run_act {
    struct one *o;
    const struct act *act;
};

static void run_act_fn(struct ev *ev, void *arg)
{
    struct run_act *run = arg;
    struct one *o = run->o;
    ev->composing = false;
    ev->s0 = o->w->cur;
    ev->s1 = o->w->cand;
    ev->emit = on_emit;
    ev->emit_arg = o;
    ev->level = o->w->level;
    ev->only_action = NO_SLOT;
    for (uint32_t i = 0; i < o->spec->nvar; i++) {
        o->w->cand[i] = VAL_UNDEF;
    }
    ev->missing = o->spec->nvar;
    ev->action = NO_SLOT;
    struct val *fr = frame_push(ev, o->spec->next_unit->nslot);
    (void)act_run(ev, run->act, fr, NULL);
    frame_pop(ev, fr);
}

/* 0, or -1: an error. */
/* Memory is given back at the next state only: what a state uses may become too much for one. */
static void note_full(struct one *o, int rc)
{
    o->full = o->full || (rc != 0 && o->w->ev.err_code == 1001);
}

static int interpret_act(struct one *o, const struct act *act)
{
    struct run_act run = {o, act};
    o->w->emitting_init = false;
    ev_stack_here(&o->w->ev);
    struct val *top = o->w->ev.frame_top;
    int rc = ev_try(&o->w->ev, run_act_fn, &run);
    o->w->ev.frame_top = top;
    note_full(o, rc);
    return rc;
}

struct run_pred {
    struct one *o;
    const struct pred *pred;
    struct val *s0, *s1;
    int holds;
};

static void run_pred_fn(struct ev *ev, void *arg)
{
    struct run_pred *run = arg;
    ev->s0 = run->s0;
    ev->s1 = run->s1;
    ev->level = run->o->w->level;
    struct val v = ev_pred_eval(ev, run->pred);
    if (!val_is_bool(v)) {
        ev_fail(ev, run->pred->node, 2215, "not a boolean");
    }
    run->holds = val_same(v, VAL_TRUE);
}

static int interpret_pred(struct one *o, const struct pred *pred, struct val *s0, struct val *s1)
{
    struct run_pred run = {o, pred, s0, s1, -1};
    ev_stack_here(&o->w->ev);
    struct val *top = o->w->ev.frame_top;
    int rc = ev_try(&o->w->ev, run_pred_fn, &run);
    o->w->ev.frame_top = top;
    note_full(o, rc);
    return rc != 0 ? -1 : run.holds;
}

/* ---- compiled code ---- */
static void grow(struct one *o)
{
    struct W *w = &o->cw;
    uint32_t cap = w->cap ? w->cap * 2 : 1; /* little at first: T_FULL is met, too */
    size_t size = o->code->size;
    w->out = realloc(w->out, (size_t)cap * size + 8);
    w->cand = realloc(w->cand, cap * sizeof *w->cand);
    w->changed = realloc(w->changed, cap * sizeof *w->changed);
    w->cap = cap;
}

static int compiled_pred(struct one *o, uint32_t i, const uint8_t *s, const uint8_t *n,
                         uint64_t changed)
{
    int holds = 0;
    o->cw.depth = 0;
    o->cw.memo = o->memo + o->code->memo_at[i];
    o->trap = o->code->preds[i](&o->cw, s, n, changed, &holds);
    return o->trap != 0 ? -1 : holds != 0;
}

/* 1: the successor is within the constraints; 0, or -1: compiled code cannot say. */
static int judge(struct one *o, uint32_t k)
{
    const uint8_t *to = o->cw.out + (size_t)k * o->code->size;
    size_t first = o->spec->prop_preds.n;
    size_t middle = first + o->spec->constraints.n;
    size_t end = middle + o->spec->action_constraints.n;
    int in = 1;
    o->cw.level = o->w->level + 1;
    for (size_t i = first; i < end && in == 1; i++) {
        o->cw.level -= i == middle;
        in = i < middle ? compiled_pred(o, (uint32_t)i, to, to, o->cw.changed[k])
                        : compiled_pred(o, (uint32_t)i, o->cur, to, UINT64_MAX);
    }
    o->cw.level = o->w->level;
    return in;
}

/* All successors; false: compiled code cannot say. */
static bool judge_all(struct one *o)
{
    bool known = true;
    for (uint32_t k = 0; k < o->cw.n && k < SUCC_MAX && known; k++) {
        int in = judge(o, k);
        o->outside[k] = in == 0;
        known = in >= 0;
    }
    return known;
}

static bool compiled_act(struct one *o, uint32_t i)
{
    for (;;) {
        o->cw.depth = 0;
        o->cw.n = 0;
        o->cw.level = o->w->level;
        o->trap = o->code->acts[i](&o->cw, o->cur, o->cur);
        if (o->trap != TRAP_FULL) {
            break;
        }
        grow(o);
    }
    o->cw.depth = 0;
    if (o->trap == 0) {
        o->trap = o->code->finish(&o->cw, o->cur);
    }
    return o->trap == 0 && (!o->inside || judge_all(o));
}

/* ---- reports ---- */
static void print_vals(struct one *o, const struct val *vals)
{
    for (uint32_t i = 0; i < o->spec->nvar; i++) {
        SCOPED_STRBUF text = {0};
        val_print(&o->w->ev.vctx, vals[i], &text);
        printf("    /\\ %s = %s\n", o->model->vars[i], strbuf_cstr(&text));
    }
}

static void print_bytes(struct one *o, const uint8_t *at)
{
    struct val *vals = calloc(o->spec->nvar, sizeof *vals);
    for (uint32_t i = 0; i < o->spec->nvar; i++) {
        vals[i] = ty_decode(&o->source.tys, &o->w->ev.vctx, o->source.var_ty[i],
                            at + o->source.var_offset[i]);
    }
    print_vals(o, vals);
    free(vals);
}

static void write_one(const struct one *o, const char *name, const struct strbuf *text)
{
    struct err err = {0};
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", o->set->out, name);
    if (file_write(path, strbuf_str(text), &err) != 0) {
        printf("  %s\n", err.text);
    }
}

static void write_files(struct one *o)
{
    write_one(o, "Fuzz.tla", &o->module);
    write_one(o, "Fuzz.cfg", &o->config);
    write_one(o, "Fuzz.c", &o->source.text);
    printf("  the specification: %s/Fuzz.tla; again: --seed=%" PRIu64 " --specs=1\n", o->set->out,
           o->seed);
}

/* The definition in the module that a piece came from. */
static void print_definition(struct one *o, const char *name)
{
    char start[64];
    (void)snprintf(start, sizeof start, "\n%s == ", name);
    const char *at = strstr(strbuf_cstr(&o->module), start);
    const char *end = at ? strchr(at + 1, '\n') : NULL;
    if (end) {
        printf("  %.*s\n", (int)(end - at - 1), at + 1);
    }
}

static bool differ(struct one *o, const char *what, const char *name)
{
    o->totals->differences++;
    if (o->reported++ >= 3) {
        return false;
    }
    printf("DIFFERENCE in %s: %s\n", name, what);
    print_definition(o, name);
    printf("  state:\n");
    print_vals(o, o->w->cur);
    if (o->reported == 1) {
        write_files(o);
    }
    return true;
}

static const char *act_name(struct one *o, const struct act *a)
{
    while (a->op != ACT_MARK && a->n > 0) {
        a = a->kid[0];
    }
    return a->op == ACT_MARK ? o->model->actions[a->var].name : "?";
}

/* ---- comparing ---- */
static int succ_cmp(const void *a, const void *b, void *size)
{
    const struct succ *x = a;
    const struct succ *y = b;
    if (x->action != y->action) {
        return x->action < y->action ? -1 : 1;
    }
    if (x->outside != y->outside) {
        return x->outside < y->outside ? -1 : 1;
    }
    return memcmp(x->at, y->at, *(uint32_t *)size);
}

static void compare_lists(struct one *o, const char *name)
{
    struct succs *in = &o->inner;
    struct succs *out = &o->outer;
    bool ordered = in->n == out->n;
    for (uint32_t i = 0; ordered && i < in->n; i++) {
        ordered = memcmp(in->v[i].at, out->v[i].at, in->size) == 0;
    }
    o->totals->order += !ordered;
    qsort_r(in->v, in->n, sizeof *in->v, succ_cmp, &in->size);
    qsort_r(out->v, out->n, sizeof *out->v, succ_cmp, &in->size);
    char text[200];
    uint32_t i = 0;
    while (i < in->n && i < out->n && succ_cmp(&in->v[i], &out->v[i], &in->size) == 0) {
        i++;
    }
    if (i == in->n && i == out->n) {
        return;
    }
    (void)snprintf(text, sizeof text, "%u successors interpreted, %u compiled", in->n, out->n);
    if (!differ(o, text, name)) {
        return;
    }
    if (i < in->n) {
        printf("  interpreted, action %u:\n", in->v[i].action);
        print_bytes(o, in->v[i].at);
    }
    if (i < out->n) {
        printf("  compiled, action %u:\n", out->v[i].action);
        print_bytes(o, out->v[i].at);
    }
}

/* Invariants of a successor, given what it has from a state that satisfies them. */
static void check_changed(struct one *o)
{
    for (uint32_t k = 0; k < o->outer.n && k < 2; k++) {
        for (uint32_t i = 0; i < o->spec->prop_preds.n; i++) {
            const struct succ *s = &o->outer.v[k];
            o->cw.level = o->w->level;
            if (o->source.preds.v[i].why || !(o->invs[i / 64] >> (i % 64) & 1)) {
                continue;
            }
            int want = compiled_pred(o, i, s->at, s->at, UINT64_MAX);
            int got = compiled_pred(o, i, s->at, s->at, s->changed);
            if (got >= 0 && got != want) {
                (void)(differ(o, "an invariant of what changed", o->source.preds.v[i].pred->name) &&
                       (print_bytes(o, s->at), 1));
            }
        }
    }
}

static void compare_act(struct one *o, uint32_t i)
{
    struct totals *t = o->totals;
    const struct piece *piece = &o->source.acts.v[i];
    const char *name = act_name(o, piece->act);
    o->inner.n = 0;
    o->outer.n = 0;
    o->fits = true;
    o->too_many = false;
    int rc = interpret_act(o, piece->act);
    if (o->too_many || o->full || slow) {
        return;
    }
    t->cases++;
    t->errors += rc != 0;
    if (!compiled_act(o, i)) {
        t->fit += rc == 0 && !o->fits;
        if (rc == 0 && o->fits) {
            t->traps++;
            t->trap[o->trap & 15]++;
            if (o->set->show && o->trap != 1) {
                printf("trap %d in %s\n", o->trap, name);
                print_definition(o, name);
            }
        }
        return;
    }
    if (rc != 0) {
        (void)(differ(o, "an error of the interpreter is none of compiled code", name) &&
               printf("  %s\n", o->w->ev.err_text));
        return;
    }
    if (!o->fits) {
        (void)differ(o, "a value that has no place in the layout", name);
        return;
    }
    for (uint32_t k = 0; k < o->cw.n; k++) {
        const struct candidate *c = &o->cw.cand[k];
        add_succ(o, &o->outer,
                 (struct succ){.action = c->action,
                               .outside = o->inside && k < SUCC_MAX && o->outside[k],
                               .changed = o->cw.changed[k]},
                 o->cw.out + (size_t)k * o->code->size);
    }
    check_changed(o);
    compare_lists(o, name);
}

static void compare_pred(struct one *o, uint32_t i, struct val *s1, const uint8_t *next)
{
    struct totals *t = o->totals;
    const struct pred *pred = o->source.preds.v[i].pred;
    int want = interpret_pred(o, pred, o->w->cur, s1);
    o->cw.level = o->w->level;
    int got = compiled_pred(o, i, o->cur, next, UINT64_MAX);
    if (o->full || slow) {
        return;
    }
    t->cases++;
    t->errors += want < 0;
    if (got < 0) {
        t->traps += want >= 0;
        t->trap[o->trap & 15] += want >= 0;
        if (o->set->show && want >= 0 && o->trap != 1) {
            printf("trap %d in %s\n", o->trap, pred->name);
            print_definition(o, pred->name);
        }
        return;
    }
    if (got == 1 && want == 1 && i < o->spec->prop_preds.n && i < 1024) {
        o->invs[i / 64] |= UINT64_C(1) << (i % 64);
    }
    if (want != got) {
        char text[100];
        (void)snprintf(text, sizeof text, "interpreted %d, compiled %d", want, got);
        if (differ(o, text, pred->name)) {
            printf("%s%s", want < 0 ? o->w->ev.err_text : "", want < 0 ? "\n" : "");
            if (next != o->cur) {
                printf("  next state:\n");
                print_bytes(o, next);
            }
        }
    }
}

static bool load(struct one *o, uint32_t i)
{
    return o->model->ops->load(&o->w->pub, o->states[i].p, o->states[i].n, 1 + i % 5) == MODEL_OK;
}

static bool is_step(const struct one *o, size_t i)
{
    size_t first = o->spec->prop_preds.n + o->spec->constraints.n;
    return i >= first && i < first + o->spec->action_constraints.n;
}

static void compare_state(struct one *o, uint32_t at)
{
    if (!load(o, at) || !encode(o, o->w->cur, o->cur)) {
        return;
    }
    memset(o->invs, 0, sizeof o->invs);
    /* What was written can be read. */
    for (uint32_t i = 0; i < o->spec->nvar; i++) {
        struct val v = ty_decode(&o->source.tys, &o->w->ev.vctx, o->source.var_ty[i],
                                 o->cur + o->source.var_offset[i]);
        if (!val_equal(&o->w->ev.vctx, v, o->w->cur[i])) {
            (void)differ(o, "a state is not what its bytes say", o->model->vars[i]);
        }
    }
    /* A step to some other state. */
    uint32_t other = (uint32_t)rng_below(&o->rng, o->nstate);
    const uint8_t *bytes = (const uint8_t *)o->states[other].p;
    const uint8_t *end = bytes + o->states[other].n;
    struct val *vals = arena_alloc(&o->w->ev.scratch, sizeof *vals * (o->spec->nvar + 1));
    for (uint32_t i = 0; i < o->spec->nvar; i++) {
        if (!val_decode(&o->w->ev.vctx, &bytes, end, &vals[i])) {
            return;
        }
    }
    uint8_t *next = o->outer.bytes + (size_t)SUCC_MAX * o->outer.size;
    bool fits = encode(o, vals, next);
    o->full = false;
    for (uint32_t i = 0; i < o->source.preds.n && !slow && !o->full; i++) {
        if (o->source.preds.v[i].why) {
            continue;
        }
        if (!is_step(o, i)) {
            compare_pred(o, i, NULL, o->cur);
        } else if (fits) {
            compare_pred(o, i, vals, next);
        }
    }
    o->inside = true;
    for (size_t i = o->spec->prop_preds.n; i < o->source.preds.n && o->inside; i++) {
        const struct piece *piece = &o->source.preds.v[i];
        o->inside =
            !piece->why && (is_step(o, i) || interpret_pred(o, piece->pred, o->w->cur, NULL) == 1);
    }
    for (uint32_t i = 0; i < o->source.acts.n && !slow && !o->full; i++) {
        if (!o->source.acts.v[i].why) {
            compare_act(o, i);
        }
    }
}

/* ---- one specification ---- */
static int init_sink(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct one *o = arg;
    (void)worker;
    (void)cand;
    note_state(o, o->w->cand);
    return 0;
}

static void collect(struct one *o)
{
    o->collecting = true;
    if (o->model->ops->init(&o->w->pub, init_sink, o) == MODEL_ERROR) {
        printf("seed %" PRIu64 ": no initial states: %s\n", o->seed, o->w->pub.error.text);
        return;
    }
    top_acts(o, o->spec->next);
    for (uint32_t i = 0; i < o->nstate && !slow; i++) {
        if (load(o, i)) {
            for (size_t k = 0; k < o->acts.n && !slow; k++) {
                (void)interpret_act(o, o->acts.v[k]);
            }
        }
    }
    o->collecting = false;
}

static void count_pieces(struct one *o, const struct piece *pieces, size_t n, uint64_t *all,
                         uint64_t *compiled)
{
    for (size_t i = 0; i < n; i++) {
        *all += 1;
        *compiled += pieces[i].why == NULL;
        if (pieces[i].why) {
            count_reason(o->totals, pieces[i].why);
            if (o->set->refused) {
                const char *name =
                    pieces[i].act ? act_name(o, pieces[i].act) : pieces[i].pred->name;
                printf("refused: %s: %s\n", name, pieces[i].why);
                print_definition(o, name);
            }
        }
    }
}

static bool compile(struct one *o)
{
    const char *why = NULL;
    arena_reset(&o->w->ev.scratch);
    int rc = csource_write(o->w, &o->samples, &o->source, &why);
    if (rc != 0) {
        printf("seed %" PRIu64 ": not compiled: %s\n", o->seed, why);
        return false;
    }
    count_pieces(o, o->source.acts.v, o->source.acts.n, &o->totals->acts,
                 &o->totals->acts_compiled);
    count_pieces(o, o->source.preds.v, o->source.preds.n, &o->totals->preds,
                 &o->totals->preds_compiled);
    struct build_options options = {.compiler = o->set->compiler, .cache_dir = o->set->cache};
    if (code_load(&o->source.arena, &o->source, &options, &o->build, &o->code, &why) != 0) {
        o->totals->differences++;
        printf("seed %" PRIu64 ": %s\n", o->seed, why);
        write_files(o);
        return false;
    }
    return true;
}

static void compare_all(struct one *o)
{
    size_t size = o->code->size;
    o->inner.size = o->outer.size = (uint32_t)size;
    o->inner.bytes = calloc(SUCC_MAX + 1, size);
    o->outer.bytes = calloc(SUCC_MAX + 1, size);
    o->cur = calloc(1, size);
    o->cw.stop = &slow;
    o->memo = calloc(1, o->code->memo_size + 8);
    grow(o);
    for (uint32_t i = 0; i < o->nstate && !slow; i++) {
        compare_state(o, i);
    }
    free(o->inner.bytes);
    free(o->outer.bytes);
    free(o->cur);
    free(o->cw.out);
    free(o->cw.cand);
    free(o->cw.changed);
    free(o->memo);
}

static void with_model(struct one *o)
{
    struct err err = {0};
    struct mworker *worker;
    o->spec = (struct spec *)o->model;
    if (o->model->ops->worker_new(o->model, WORKER_ASIDE, 1, &worker, &err) != 0) {
        printf("%s\n", err.text);
        return;
    }
    worker->quiet = true;
    o->w = worker_of(worker);
    o->states = calloc(o->set->states, sizeof *o->states);
    samples_init(&o->samples, o->spec->nvar);
    collect(o);
    if (o->samples.nstate > 0 && !slow && compile(o)) {
        compare_all(o);
    }
    build_done(&o->build);
    csource_done(&o->source);
    samples_done(&o->samples);
    for (uint32_t i = 0; i < o->set->states; i++) {
        strbuf_done(&o->states[i]);
    }
    free(o->states);
    VEC_DONE(&o->acts);
    o->model->ops->worker_free(worker);
}

static void with_program(struct one *o, struct arena *arena, struct program *program,
                         const struct config *config)
{
    struct strtab *strings = strtab_new();
    struct eval_options options = {.strings = strings,
                                   .set_size_max = 20000,
                                   .scratch_bytes_max = 256 << 20,
                                   .stack_bytes = CHECK_STACK_BYTES,
                                   .seed = 1};
    struct mhost host = {.interrupt = &slow, .mode = "bfs", .workers = 1};
    struct eval_issue issue = {0};
    if (model_from_spec(arena, program, config, &options, &host, &o->model, &issue) == 0) {
        o->model->host = &host;
        o->totals->specs++;
        with_model(o);
        model_free(o->model);
    } else {
        o->totals->rejected++;
        printf("seed %" PRIu64 ": rejected: %s\n", o->seed, issue.text);
        if (o->set->show) {
            write_files(o);
        }
    }
    strtab_free(strings);
}

static void run_one(struct one *o)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct config config = {0};
    struct program program = {0};
    struct program_options options = {.builtin = modules_find};
    struct err err = {0};
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    rng_seed(&o->rng, o->seed);
    struct tier_size size = o->set->size;
    if (o->seed % 2) { /* constraints that fail make every action fail */
        size.nconstraint = size.nstep = 0;
    }
    tier_gen(o->seed, &size, &o->module, &o->config);
    struct source *cfg = sources_add(&sources, "Fuzz.cfg", strbuf_str(&o->config), false);
    struct source *tla = sources_add(&sources, "Fuzz.tla", strbuf_str(&o->module), false);
    if (config_parse(&config, &arena, cfg, NULL, NULL, &diags) == 0 &&
        program_load_source(&program, &arena, tla, &options, &sources, &diags, &err) == 0) {
        with_program(o, &arena, &program, &config);
    } else {
        SCOPED_STRBUF text = {0};
        o->totals->rejected++;
        for (size_t i = 0; i < diags.n && i < 3; i++) {
            diag_print(&sources, diags.v[i], false, &text);
        }
        printf("seed %" PRIu64 ": does not parse\n%s\n", o->seed, strbuf_cstr(&text));
        if (o->set->show) {
            write_files(o);
        }
    }
    program_done(&program);
    arena_done(&arena);
}

struct all {
    struct settings set;
    struct totals totals;
};

static void run_all(void *arg)
{
    struct all *all = arg;
    for (uint64_t i = 0; i < all->set.specs && all->totals.cases < all->set.cases; i++) {
        struct one *o = calloc(1, sizeof *o);
        o->set = &all->set;
        o->totals = &all->totals;
        o->seed = all->set.seed + i;
        slow = 0;
        (void)alarm(20);
        run_one(o);
        (void)alarm(0);
        if (slow) {
            printf("seed %" PRIu64 ": too slow, left\n", o->seed);
        }
        strbuf_done(&o->module);
        strbuf_done(&o->config);
        free(o);
        (void)fflush(stdout);
        if (all->totals.differences > 200) {
            break;
        }
    }
}

/* Few variables, so that there are not too many states, and no invariants, which would end the
 * search. */
static void write_small(const struct settings *set)
{
    struct one o = {.set = set, .seed = set->seed};
    struct tier_size size = set->size;
    size.nvar = 4;
    size.nact = 8;
    size.ninit = 4;
    size.ninv = size.nconstraint = 0;
    size.nstep = o.seed % 8 == 0;
    size.level = 4;
    tier_gen(o.seed, &size, &o.module, &o.config);
    write_one(&o, "Fuzz.tla", &o.module);
    write_one(&o, "Fuzz.cfg", &o.config);
    strbuf_done(&o.module);
    strbuf_done(&o.config);
}

static int count_cmp(const void *a, const void *b)
{
    const struct count *x = a;
    const struct count *y = b;
    return x->n > y->n ? -1 : x->n < y->n;
}

static void summary(struct totals *t)
{
    static const char *const names[] = {"?",      "does not fit", "kind", "domain",
                                        "CHOOSE", "CASE",         "over", "big"};
    if (t->reasons.n) {
        qsort(t->reasons.v, t->reasons.n, sizeof *t->reasons.v, count_cmp);
    }
    for (size_t i = 0; i < t->reasons.n; i++) {
        if (i < 25) {
            printf("# refused %" PRIu64 " times: %s\n", t->reasons.v[i].n, t->reasons.v[i].text);
        }
        free(t->reasons.v[i].text);
    }
    VEC_DONE(&t->reasons);
    printf("# %" PRIu64 " specifications, %" PRIu64 " rejected; compiled %" PRIu64 " of %" PRIu64
           " actions, %" PRIu64 " of %" PRIu64 " predicates\n",
           t->specs, t->rejected, t->acts_compiled, t->acts, t->preds_compiled, t->preds);
    printf("# %" PRIu64 " errors in both, %" PRIu64 " values that do not fit, %" PRIu64
           " needless traps (",
           t->errors, t->fit, t->traps);
    for (int i = 1; i < 8; i++) {
        printf("%s%s %" PRIu64, i > 1 ? ", " : "", names[i], t->trap[i]);
    }
    printf("), %" PRIu64 " in another order\n", t->order);
    printf("%" PRIu64 " cases, %" PRIu64 " differences\n", t->cases, t->differences);
}

static bool number(const char *arg, const char *name, uint64_t *ret)
{
    size_t n = strlen(name);
    if (strncmp(arg, name, n) != 0) {
        return false;
    }
    *ret = strtoull(arg + n, NULL, 0);
    return true;
}

/* Many small ones find more than many states of a few large ones. */
static void make_small(struct settings *set)
{
    set->states = 16;
    set->size.nvar = 5;
    set->size.nact = 8;
    set->size.ninv = 10;
    set->size.nconstraint = set->size.nstep = 1;
    set->size.ninit = 8;
}

int main(int argc, char **argv)
{
    struct all all = {
        .set = {.seed = 1,
                .specs = UINT64_MAX,
                .cases = 100000,
                .states = 60,
                .out = ".",
                .size = {.nvar = 9,
                         .nact = 40,
                         .ninv = 48,
                         .nconstraint = 3,
                         .nstep = 6,
                         .ninit = 24,
                         .depth = 4}}
    };
    struct settings *set = &all.set;
    for (int i = 1; i < argc; i++) {
        uint64_t v = 0;
        if (number(argv[i], "--seed=", &set->seed) || number(argv[i], "--specs=", &set->specs) ||
            number(argv[i], "--cases=", &set->cases)) {
            continue;
        }
        if (number(argv[i], "--states=", &v)) {
            set->states = (uint32_t)v;
        } else if (number(argv[i], "--depth=", &v)) {
            set->size.depth = (uint32_t)v;
        } else if (strncmp(argv[i], "--cc=", 5) == 0) {
            set->compiler = argv[i] + 5;
        } else if (strncmp(argv[i], "--cache=", 8) == 0) {
            set->cache = argv[i] + 8; /* shared by all specifications */
        } else if (strncmp(argv[i], "--out=", 6) == 0) {
            set->out = argv[i] + 6;
        } else if (strcmp(argv[i], "--small") == 0) {
            make_small(set);
        } else if (strcmp(argv[i], "--show") == 0) {
            set->show = true;
        } else if (strcmp(argv[i], "--refused") == 0) {
            set->refused = true;
        } else if (strcmp(argv[i], "--write") == 0) {
            set->write = true;
        } else if (strcmp(argv[i], "--symmetry") == 0) {
            set->size.symmetry = true;
        } else if (strcmp(argv[i], "--view") == 0) {
            set->size.view = true;
        } else {
            printf("unknown option %s\n", argv[i]);
            return 2;
        }
    }
    if (set->write) {
        write_small(set);
        return 0;
    }
    struct err err = {0};
    (void)signal(SIGALRM, on_alarm);
    if (check_on_big_stack(run_all, &all, &err) != 0) {
        printf("%s\n", err.text);
        return 2;
    }
    bool good = all.totals.differences == 0;
    summary(&all.totals);
    return good ? 0 : 1;
}
