/* One worker of a model made from a specification: the operations of struct model_ops. */
#include "eval/worker.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/known.h"
#include "eval/por.h"
#include "eval/registers.h"
#include "model/model.h"
#include "value/value.h"

struct spec_worker *worker_of(struct mworker *worker)
{
    return (struct spec_worker *)worker;
}

/* ---- life ---- */
static int worker_new(struct model *model, unsigned index, uint64_t seed,
                      struct mworker **ret_worker, struct err *err)
{
    struct spec *spec = (struct spec *)model;
    struct spec_worker *w = vec_grow(NULL, &(size_t){0}, 1, sizeof *w);
    memset(w, 0, sizeof *w);
    w->pub.model = model;
    w->spec = spec;
    if (ev_init(&w->ev, spec, index, seed) != 0) {
        vec_release(w);
        return err_set(err, ERR_FULL, 0, "no address space for a worker's evaluation stack");
    }
    uint32_t n = spec->nvar + 1;
    w->ev.worker = &w->pub;
    w->ev.host = model->host ? model->host : spec->host;
    w->cur = ARENA_ARRAY(&w->ev.keep, struct val, n);
    w->cand = ARENA_ARRAY(&w->ev.keep, struct val, n);
    w->cur_hash = ARENA_ARRAY(&w->ev.keep, uint64_t, n);
    w->arg_vals = ARENA_ARRAY(&w->ev.keep, struct val, 256);
    if (spec->nperm) {
        w->canon = ARENA_ARRAY(&w->ev.keep, struct canon, CANON_SLOTS);
        w->cur_permuted = ARENA_ARRAY(&w->ev.keep, uint64_t, spec->nperm *n);
    }
    bank_join(&w->ev, index);
    arena_init(&w->error_arena, 4096);
    if (spec->options.coverage) {
        cover_join(&w->ev);
    }
    spec_worker_join(spec, w);
    *ret_worker = &w->pub;
    return 0;
}

static void worker_free(struct mworker *worker)
{
    struct spec_worker *w = worker_of(worker);
    if (!w) {
        return;
    }
    spec_worker_leave(w->spec, w);
    VEC_DONE(&w->processes);
    arena_done(&w->error_arena);
    ev_done(&w->ev);
    vec_release(w);
}

/* ---- errors ---- */
/* Errors that TLC's own modules raise (wrong arguments, division by zero, ...) keep their code in
 * TLC, which has no exit status of its own; all others end as "nested expression". */
static int exit_status_of(const struct spec_worker *w, int code)
{
    if (code == 2132) {
        return 14;
    }
    bool module = code == 2169 || (code >= 2176 && code <= 2184) || code == 2266 || code == 2283;
    return (module || code == 1005) && !w->emitting_init ? 255 : 75;
}

enum { OVERFLOW_PLACES = 8 };

int worker_error(struct spec_worker *w, const char *property,
                 void (*again)(struct ev *ev, void *arg), void *arg)
{
    struct ev *ev = &w->ev;
    struct merror *e = &w->pub.error;
    int code = w->settling ? 0 : ev->err_code; /* whatever it is, it is one of fingerprints */
    w->settling = false;
    arena_reset(&w->error_arena);
    memset(e, 0, sizeof *e);
    e->text = arena_strndup(&w->error_arena, ev->err_text, strlen(ev->err_text));
    if (code == 2106 || code == 2109) {
        e->partial = arena_strndup(&w->error_arena, w->partial, strlen(w->partial));
        e->partial_action = ev->action;
        e->partial_nargs = w->partial_nargs;
        e->partial_args = ARENA_ARRAY(&w->error_arena, const char *, w->partial_nargs + 1);
        for (uint32_t i = 0; i < w->partial_nargs; i++) {
            const char *text = w->partial_args[i];
            e->partial_args[i] = arena_strndup(&w->error_arena, text, strlen(text));
        }
    }
    if (again && code != 1001 && !ev->tracing) {
        bool cover = ev->cover != NULL;
        ev->failed.n = 0;
        ev->hooks = ev->tracing = true;
        ev->replaying = true;
        if (ev_try(ev, again, arg) == 0) {
            ev->failed.n = 0;
        }
        ev->replaying = false;
        ev->tracing = false;
        ev->hooks = cover;
    }
    e->code = code;
    e->exit_status = exit_status_of(w, code);
    e->fatal_memory = code == 1001 || code == 1005;
    e->property = property;
    /* Of a recursion without end the innermost rounds are enough. */
    size_t n = ev->failed.n, from = code == 1005 && n > OVERFLOW_PLACES ? n - OVERFLOW_PLACES : 0;
    e->stack = ARENA_ARRAY(&w->error_arena, struct mplace, n - from + 1);
    for (size_t i = from; i < n; i++) {
        struct mplace p = ev_mplace(w->spec, ev->failed.v[i]);
        if (p.line && (e->nstack == 0 ||
                       memcmp(&e->stack[e->nstack - 1].line, &p.line, 4 * sizeof p.line) != 0)) {
            e->stack[e->nstack++] = p;
        }
    }
    return MODEL_ERROR;
}

/* ---- fingerprints ---- */
static uint64_t var_hash(uint64_t h, uint32_t var)
{
    return hash_mix(h + hash_mix(var + 1));
}

static bool counts(const struct spec *spec, uint32_t var)
{
    return !spec->left_out || !spec->left_out[var];
}

static uint64_t plain_fp(struct spec_worker *w, const struct val *state)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < w->spec->nvar; i++) {
        uint64_t h;
        if (!counts(w->spec, i)) {
            continue;
        }
        if (w->loaded && val_same(state[i], w->cur[i])) {
            if (w->cur_hash[i] == 0) {
                w->cur_hash[i] = val_hash(&w->ev.vctx, state[i]);
            }
            h = w->cur_hash[i];
        } else {
            h = val_hash(&w->ev.vctx, state[i]);
        }
        sum += var_hash(h, i);
    }
    return hash_mix(sum);
}

/* Of variable `var` under permutation `perm`. */
static uint64_t permuted_hash(struct spec_worker *w, const struct val *state, size_t perm,
                              uint32_t var)
{
    const struct val_perm *p = &w->spec->perms[perm];
    if (!w->loaded || !val_same(state[var], w->cur[var])) {
        return val_hash_permuted(&w->ev.vctx, state[var], p);
    }
    uint64_t *known = &w->cur_permuted[perm * w->spec->nvar + var];
    if (*known == 0) {
        *known = val_hash_permuted(&w->ev.vctx, state[var], p);
    }
    return *known;
}

static uint64_t symmetric_fp(struct spec_worker *w, const struct val *state)
{
    uint64_t plain = plain_fp(w, state);
    struct canon *known = &w->canon[plain % CANON_SLOTS];
    if (known->plain == plain) {
        return known->fp;
    }
    uint64_t best = plain;
    for (size_t p = 0; p < w->spec->nperm; p++) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < w->spec->nvar; i++) {
            if (counts(w->spec, i)) {
                sum += var_hash(permuted_hash(w, state, p, i), i);
            }
        }
        uint64_t fp = hash_mix(sum);
        best = fp < best ? fp : best;
    }
    *known = (struct canon){plain, best};
    return best;
}

/* TLCGet("level") where the candidate is the state that unprimed variables speak of. */
static uint64_t candidate_level(const struct spec_worker *w)
{
    return w->emitting_init ? 1 : w->level + 1;
}

static uint64_t state_fp(struct spec_worker *w, struct val *state)
{
    struct ev *ev = &w->ev;
    if (!w->spec->model.has_view) {
        return w->spec->nperm ? symmetric_fp(w, state) : plain_fp(w, state);
    }
    struct val *s0 = ev->s0;
    struct val *s1 = ev->s1;
    uint64_t level = ev->level;
    ev->s0 = state;
    ev->s1 = NULL;
    ev->level = state == w->cur ? w->level : candidate_level(w);
    struct val view = val_force(&ev->vctx, ev_pred_eval(ev, &w->spec->view));
    ev->s0 = s0;
    ev->s1 = s1;
    ev->level = level;
    uint64_t best = hash_mix(val_hash(&ev->vctx, view));
    for (size_t p = 0; p < w->spec->nperm; p++) {
        uint64_t fp = hash_mix(val_hash_permuted(&ev->vctx, view, &w->spec->perms[p]));
        best = fp < best ? fp : best;
    }
    return best;
}

/* ---- enumeration ---- */

/* The state as far as it goes, for the message. */
static void partial_state(struct spec_worker *w, const struct val *state, bool init)
{
    struct spec *spec = w->spec;
    struct ev *ev = &w->ev;
    struct strbuf text = {.arena = &ev->scratch};
    for (uint32_t i = 0; i < spec->nvar; i++) {
        struct val v = state[spec->print_order[i]];
        strbuf_printf(&text, "%s%s = ", spec->nvar > 1 ? "/\\ " : "",
                      spec->var_names[spec->print_order[i]]);
        if (val_is_undef(v)) {
            strbuf_adds(&text, "null");
        } else {
            val_print_pretty(&ev->vctx, v, 0, 80, &text);
        }
        strbuf_addc(&text, '\n');
    }
    w->partial = arena_strndup(&ev->scratch, strbuf_cstr(&text), text.n);
    strbuf_reset(&text);
    const struct action_site *site =
        !init && ev->action < spec->sites.n ? &spec->sites.v[ev->action] : NULL;
    w->partial_nargs = site ? site->nargs : 0;
    w->partial_args = (const char **)arena_alloc(&ev->scratch, sizeof *w->partial_args *
                                                                   (w->partial_nargs + (size_t)1));
    for (uint32_t i = 0; site && i < site->nargs; i++) {
        strbuf_reset(&text);
        val_print(&ev->vctx, ex_eval(ev, site->args[i], ev->action_frame), &text);
        w->partial_args[i] = arena_strndup(&ev->scratch, strbuf_cstr(&text), text.n);
    }
    strbuf_done(&text);
}

static void missing_variables(struct spec_worker *w, const struct val *state, bool init)
{
    struct ev *ev = &w->ev;
    struct strbuf sb = {.arena = &ev->scratch};
    unsigned n = 0;
    for (uint32_t i = 0; i < w->spec->nvar; i++) {
        if (val_is_undef(state[i])) {
            strbuf_printf(&sb, "%s%.*s", n++ ? ", " : "", STR_ARG(w->spec->vars[i]->name));
        }
    }
    char *names = arena_strndup(&ev->scratch, strbuf_cstr(&sb), sb.n);
    strbuf_done(&sb);
    partial_state(w, state, init);
    if (init) {
        ev_fail(ev, NULL, 2106,
                "current state is not a legal state\nThe following variable%s not assigned: %s.",
                n > 1 ? "s are" : " is", names);
    }
    w->pub.extra_generated += !ev->replaying; /* TLC has counted it by now */
    const struct action_site *site =
        ev->action < w->spec->sites.n ? &w->spec->sites.v[ev->action] : NULL;
    bool only = !site || (w->spec->sites.n == 1 &&
                          (site->nargs == 0 || strcmp(site->pub.name, site->pub.tlc_name) != 0));
    if (only) {
        ev_fail(ev, NULL, 2109,
                "Successor state is not completely specified by the next-state action. The "
                "following variable%s not defined: %s.\n",
                n > 1 ? "s are" : " is", names);
    }
    ev_fail(ev, NULL, 2109,
            "Successor state is not completely specified by action %s of the next-state relation. "
            "The following variable%s not defined: %s.\n",
            site->pub.tlc_name, n > 1 ? "s are" : " is", names);
}

/* A state with a value that cannot be enumerated has no fingerprint: TLC fails when it wants one,
 * and has counted the state by then. */
static void settle_state(struct spec_worker *w, struct val *state)
{
    uint64_t counted = w->pub.extra_generated;
    w->pub.extra_generated += !w->ev.replaying;
    w->settling = true;
    for (uint32_t i = 0; i < w->spec->nvar; i++) {
        state[i] = val_settle(&w->ev.vctx, state[i]);
    }
    w->settling = false;
    w->pub.extra_generated = counted;
}

int worker_emit(struct ev *ev)
{
    struct spec_worker *w = worker_of(ev->worker);
    bool init = w->emitting_init;
    struct val *state = init ? ev->s0 : ev->s1;
    for (uint32_t i = 0; i < w->spec->nvar; i++) {
        if (val_is_undef(state[i])) {
            missing_variables(w, state, init);
        }
    }
    if (ev->stuck) {
        settle_state(w, state);
    }
    if (ev->replaying) {
        return 0;
    }
    if (ev->cover) {
        cover_values(ev, state);
    }
    struct arena_mark mark = arena_mark(&ev->scratch);
    ev->vctx.no_cache = true; /* what is evaluated from here on is given back below */
    struct candidate cand = {.fp = w->no_fp ? 0 : state_fp(w, state), .action = ev->action};
    w->cand_action = ev->action;
    w->emitting = true;
    w->label_used = false;
    struct val *s0 = ev->s0;
    struct val *s1 = ev->s1;
    int (*emit)(struct ev *) = ev->emit;
    int stop = w->sink(w->sink_arg, &w->pub, &cand);
    ev->vctx.no_cache = false;
    ev->emit = emit;
    ev->s0 = s0;
    ev->s1 = s1;
    w->emitting = false;
    if (!w->label_used) {
        arena_rewind(&ev->scratch, mark);
    }
    return stop;
}

struct enumerate {
    struct spec_worker *w;
    bool init;
    int stop;
};

struct kept_sink {
    model_sink sink;
    void *arg;
};

static void clear_state(struct val *state, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        state[i] = VAL_UNDEF;
    }
}

/* Makes the ev ready to enumerate initial states, or successors of the current state. */
static void begin(struct spec_worker *w, bool init)
{
    struct ev *ev = &w->ev;
    clear_state(w->cand, w->spec->nvar);
    w->emitting_init = init;
    ev->composing = false;
    ev->s0 = init ? w->cand : w->cur;
    ev->s1 = init ? NULL : w->cand;
    ev->missing = w->spec->nvar;
    ev->stuck = 0;
    w->settling = false;
    ev->level = init ? 0 : w->level; /* as TLC: no level inside the initial predicate */
    ev->action = init ? 0 : NO_SLOT;
}

static void run_enumerate(struct ev *ev, void *arg)
{
    struct enumerate *e = arg;
    const struct spec *spec = e->w->spec;
    const struct unit *unit = e->init ? spec->init_unit : spec->next_unit;
    begin(e->w, e->init);
    ev->emit = worker_emit;
    struct val *fr = frame_push(ev, unit->nslot);
    if (ev->given != NULL) {
        ev->given->fr = fr;
    }
    e->stop = act_run(ev, e->init ? spec->init : spec->next, fr, NULL);
    frame_pop(ev, fr);
}

/* Initial states that were made before. */
static void run_starts(struct ev *ev, void *arg)
{
    struct enumerate *e = arg;
    struct spec_worker *w = e->w;
    size_t at = 0;
    begin(w, true);
    ev->emit = worker_emit;
    ev->missing = 0;
    struct arena_mark mark = arena_mark(&ev->scratch);
    while (e->stop == 0 && starts_next(w->spec->starts, &at, w)) {
        e->stop = worker_emit(ev);
        if (!w->label_used) {
            arena_rewind(&ev->scratch, mark);
        }
    }
}

/* Passes an initial state on and keeps it. */
static int keep_and_pass(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct kept_sink *kept = arg;
    starts_add(worker_of(worker)->spec->starts, worker_of(worker));
    return kept->sink(kept->arg, worker, cand);
}

void worker_begin_next(struct spec_worker *w)
{
    begin(w, false);
    w->ev.only_action = NO_SLOT;
}

static int enumerate_by(struct spec_worker *w, void (*run)(struct ev *ev, void *arg), bool init,
                        model_sink sink, void *arg)
{
    struct enumerate e = {.w = w, .init = init};
    w->sink = sink;
    w->sink_arg = arg;
    if (!w->spec->init) {
        return MODEL_OK; /* nothing but assumptions */
    }
    ev_stack_here(&w->ev);
    if (ev_try(&w->ev, run, &e) != 0) {
        w->emitting = false;
        return worker_error(w, NULL, run, &e);
    }
    return e.stop ? MODEL_STOPPED : MODEL_OK;
}

static int enumerate_all(struct spec_worker *w, bool init, model_sink sink, void *arg)
{
    return enumerate_by(w, run_enumerate, init, sink, arg);
}

static int worker_init(struct mworker *worker, model_sink sink, void *arg)
{
    struct spec_worker *w = worker_of(worker);
    arena_reset(&w->ev.scratch);
    w->loaded = false;
    w->level = 0;
    struct starts *starts = w->spec->starts;
    if (w->from_starts && starts && starts_ready(starts)) {
        return enumerate_by(w, run_starts, true, sink, arg);
    }
    if (!starts || !starts_begin(starts)) {
        return enumerate_all(w, true, sink, arg);
    }
    int status = enumerate_all(w, true, keep_and_pass, &(struct kept_sink){sink, arg});
    starts_end(starts, status == MODEL_OK);
    return status;
}

static int worker_load(struct mworker *worker, const void *bytes, size_t len, uint64_t level)
{
    struct spec_worker *w = worker_of(worker);
    const uint8_t *at = bytes;
    const uint8_t *end = at + len;
    arena_reset(&w->ev.scratch);
    w->loaded = false;
    w->peeked = false;
    w->pub.judged = false;
    w->level = level;
    for (uint32_t i = 0; i < w->spec->nvar; i++) {
        if (!val_decode(&w->ev.vctx, &at, end, &w->cur[i])) {
            w->pub.error = (struct merror){
                .code = 2174, .exit_status = 255, .text = "A stored state is damaged."};
            return MODEL_ERROR;
        }
    }
    memset(w->cur_hash, 0, sizeof *w->cur_hash * w->spec->nvar);
    if (w->cur_permuted) {
        memset(w->cur_permuted, 0, sizeof *w->cur_permuted * w->spec->nperm * w->spec->nvar);
    }
    w->loaded = true;
    return MODEL_OK;
}

static int worker_next(struct mworker *worker, model_sink sink, void *arg)
{
    struct spec_worker *w = worker_of(worker);
    w->ev.only_action = NO_SLOT;
    return enumerate_all(w, false, sink, arg);
}

static int worker_next_action(struct mworker *worker, uint32_t action, model_sink sink, void *arg)
{
    struct spec_worker *w = worker_of(worker);
    w->ev.only_action = w->spec->sites.v[action].outer;
    int status = enumerate_all(w, false, sink, arg);
    w->ev.only_action = NO_SLOT;
    return status;
}

static int worker_next_random(struct mworker *worker, uint32_t action, model_sink sink, void *arg)
{
    struct spec_worker *w = worker_of(worker);
    w->ev.random_pick = true;
    int status = worker_next_action(worker, action, sink, arg);
    w->ev.random_pick = false;
    return status;
}

static int worker_peek(struct mworker *worker, const void *bytes, size_t len)
{
    struct spec_worker *w = worker_of(worker);
    const uint8_t *at = bytes;
    for (uint32_t i = 0; i < w->spec->nvar; i++) {
        if (!val_decode(&w->ev.vctx, &at, (const uint8_t *)bytes + len, &w->cand[i])) {
            return MODEL_ERROR;
        }
    }
    w->peeked = true;
    return MODEL_OK;
}

/* ---- predicates ---- */
struct val ev_pred_eval(struct ev *ev, const struct pred *p)
{
    return unit_call(ev, p->unit, NULL, NULL, 0, VAL_UNDEF);
}

bool pred_true(struct ev *ev, const struct pred *p)
{
    struct val v = ev_pred_eval(ev, p);
    if (!val_is_bool(v)) {
        ev_fail(ev, p->node, 2215, "TLC expected a boolean value, but did not find one.");
    }
    return val_same(v, VAL_TRUE);
}

/* Points s0 and s1 at the states on which a predicate is to be evaluated. */
enum view_of { ON_CANDIDATE, ON_STEP, ON_CURRENT, ON_STUTTER };

static void look_at(struct spec_worker *w, enum view_of view)
{
    struct ev *ev = &w->ev;
    ev->level = view == ON_CANDIDATE ? candidate_level(w) : w->level;
    switch (view) {
    case ON_CANDIDATE:
        ev->s0 = w->cand;
        ev->s1 = NULL;
        break;
    case ON_STEP:
        ev->s0 = w->cur;
        ev->s1 = w->cand;
        break;
    case ON_CURRENT:
        ev->s0 = w->cur;
        ev->s1 = NULL;
        break;
    case ON_STUTTER:
        ev->s0 = w->cur;
        ev->s1 = w->cur;
        break;
    }
}

struct pred_run {
    struct spec_worker *w;
    unsigned kinds;
    int from;
    int result;
    int at; /* what is being evaluated, for the message */
    enum view_of view;
    uint64_t *bits;
    const struct pred *preds;
    size_t npred;
};

static int run_pred(struct spec_worker *w, void (*fn)(struct ev *, void *), struct pred_run *run,
                    const char *(*name)(struct pred_run *))
{
    struct ev *ev = &w->ev;
    struct val *s0 = ev->s0;
    struct val *s1 = ev->s1;
    int (*emit)(struct ev *) = ev->emit;
    if (!w->emitting) {
        ev_stack_here(ev);
    }
    uint64_t level = ev->level;
    int failed = ev_try(ev, fn, run);
    int status = failed ? worker_error(w, name ? name(run) : NULL, fn, run) : MODEL_OK;
    ev->level = level;
    ev->s0 = s0;
    ev->s1 = s1;
    ev->emit = emit;
    return status;
}

static void count_possible(struct ev *ev, bool action)
{
    const struct spec *spec = ev->spec;
    for (size_t i = 0; i < spec->possible.n; i++) {
        if (spec->possible.v[i].action == action) {
            ev_possible_count(ev, i, pred_true(ev, &spec->possible.v[i].pred));
        }
    }
}

static void run_in_model(struct ev *ev, void *arg)
{
    struct pred_run *run = arg;
    struct spec *spec = run->w->spec;
    run->result = 0;
    uint32_t id = spec->constraint_ids;
    look_at(run->w, ON_CANDIDATE);
    for (size_t i = 0; i < spec->constraints.n; i++) {
        if (!cover_constraint(ev, id, known_holds(run->w, &spec->constraints.v[i]))) {
            return;
        }
        id += 2;
    }
    count_possible(ev, false);
    if (!run->w->emitting_init) {
        look_at(run->w, ON_STEP);
        for (size_t i = 0; i < spec->action_constraints.n; i++) {
            if (!cover_constraint(ev, id, pred_true(ev, &spec->action_constraints.v[i]))) {
                return;
            }
            id += 2;
        }
        count_possible(ev, true);
    }
    run->result = 1;
}

static int worker_in_model(struct mworker *worker)
{
    struct spec_worker *w = worker_of(worker);
    if (!w->spec->model.has_constraint) {
        return 1;
    }
    struct pred_run run = {.w = w};
    int status = run_pred(w, run_in_model, &run, NULL);
    return status == MODEL_OK ? run.result : status;
}

static void run_check(struct ev *ev, void *arg)
{
    struct pred_run *run = arg;
    struct spec *spec = run->w->spec;
    run->result = -1;
    for (size_t i = (size_t)run->from; i < spec->props.n; i++) {
        enum mprop_kind kind = spec->props.v[i].kind;
        if (!(run->kinds >> kind & 1) || kind == MPROP_TEMPORAL) {
            continue;
        }
        if (kind == MPROP_ACTION && run->w->emitting_init) {
            continue;
        }
        look_at(run->w, kind == MPROP_ACTION ? ON_STEP : ON_CANDIDATE);
        run->at = (int)i;
        bool holds = kind == MPROP_INVARIANT ? known_holds(run->w, &spec->prop_preds.v[i])
                                             : pred_true(ev, &spec->prop_preds.v[i]);
        if (!holds) {
            run->result = (int)i;
            return;
        }
    }
}

static const char *check_name(struct pred_run *run)
{
    return run->w->spec->props.v[run->at].name;
}

static int worker_check(struct mworker *worker, unsigned kinds, int from, int *ret_prop)
{
    struct spec_worker *w = worker_of(worker);
    struct pred_run run = {.w = w, .kinds = kinds, .from = from, .result = -1};
    if (w->spec->props.n == 0) {
        *ret_prop = -1;
        return MODEL_OK;
    }
    int status = run_pred(w, run_check, &run, check_name);
    *ret_prop = status == MODEL_OK ? run.result : run.at;
    return status;
}

static void run_bits(struct ev *ev, void *arg)
{
    struct pred_run *run = arg;
    look_at(run->w, run->view);
    memset(run->bits, 0, sizeof *run->bits * ((run->npred + 63) / 64));
    for (size_t i = 0; i < run->npred; i++) {
        if (pred_true(ev, &run->preds[i])) {
            run->bits[i / 64] |= UINT64_C(1) << (i % 64);
        }
    }
}

static int worker_bits(struct mworker *worker, enum view_of view, bool action, uint64_t *ret_bits)
{
    struct spec_worker *w = worker_of(worker);
    struct spec *spec = w->spec;
    struct pred_run run = {.w = w, .view = view, .bits = ret_bits};
    run.preds = action ? spec->action_leaves.v : spec->state_leaves.v;
    run.npred = action ? spec->action_leaves.n : spec->state_leaves.n;
    bool hooks = w->ev.hooks;
    w->ev.hooks = hooks && !spec->options.coverage_tlc;
    int status = run_pred(w, run_bits, &run, NULL);
    w->ev.hooks = hooks;
    return status;
}

static int worker_live_state(struct mworker *worker, uint64_t *ret_bits)
{
    return worker_bits(worker, ON_CANDIDATE, false, ret_bits);
}

static int worker_live_action(struct mworker *worker, uint64_t *ret_bits)
{
    return worker_bits(worker, ON_STEP, true, ret_bits);
}

static int worker_live_current(struct mworker *worker, uint64_t *ret_bits)
{
    return worker_bits(worker, ON_CURRENT, false, ret_bits);
}

static int worker_live_stutter(struct mworker *worker, uint64_t *ret_bits)
{
    return worker_bits(worker, ON_STUTTER, true, ret_bits);
}

/* ---- bytes ---- */
static void worker_save(struct mworker *worker, struct strbuf *out)
{
    struct spec_worker *w = worker_of(worker);
    for (uint32_t i = 0; i < w->spec->nvar; i++) {
        val_encode(&w->ev.vctx, w->cand[i], out);
    }
}

static void run_fp(struct ev *ev, void *arg)
{
    (void)ev;
    struct pred_run *run = arg;
    run->bits[0] = state_fp(run->w, run->w->cur);
}

static int worker_fingerprint(struct mworker *worker, uint64_t *ret_fp)
{
    struct spec_worker *w = worker_of(worker);
    struct pred_run run = {.w = w, .bits = ret_fp};
    return run_pred(w, run_fp, &run, NULL);
}

const struct model_ops spec_model_ops = {
    .worker_new = worker_new,
    .worker_free = worker_free,
    .init = worker_init,
    .load = worker_load,
    .next = worker_next,
    .next_action = worker_next_action,
    .next_ample = worker_next_ample,
    .next_random = worker_next_random,
    .peek = worker_peek,
    .in_model = worker_in_model,
    .check = worker_check,
    .save = worker_save,
    .label = worker_label,
    .args = worker_args,
    .live_state = worker_live_state,
    .live_action = worker_live_action,
    .live_current = worker_live_current,
    .live_stutter = worker_live_stutter,
    .fingerprint = worker_fingerprint,
    .print = worker_print,
    .values = worker_values,
    .explain = worker_explain,
};
