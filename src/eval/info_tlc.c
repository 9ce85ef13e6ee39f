/* What TLCGet tells of the specification, of the action at hand and of the run: "spec", "action",
 * "config", "stats". The records have TLC's fields. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "eval/native.h"
#include "eval/spec.h"
#include "eval/worker.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

#define UNNAMED "UnnamedAction"

void spec_tell(struct spec *spec, enum told_kind kind, const char *name, const struct node *node)
{
    VEC_PUSH(&spec->told, ((struct told){kind, name, ev_mplace(spec, node)}));
}

/* Fields are ordered by when TLC first saw their names; those of TLCGet come with module TLC. */
void info_intern(const struct spec *spec)
{
    static const char *const names[] = {
        "exit",
        "pause",
        "config",
        "spec",
        "coverage",
        "action",
        "install",
        "id",
        "behavior",
        "all",
        "all:named",
        "mode",
        "deadlock",
        "seed",
        "fingerprint",
        "worker",
        "traces",
        "depth",
        "aril",
        "sched",
        "revision",
        "timestamp",
        "date",
        "count",
        "tag",
        "calver",
        "impliedinits",
        "impliedactions",
        "invariants",
        "impliedtemporals",
        "temporals",
        "actions",
        "inits",
        "variables",
        "actionconstraints",
        "constraints",
        "level",
        "stats",
        "duration",
        "generated",
        "diameter",
        "distinct",
        "initial",
        "queue",
        "retries",
        "distinctvalues",
        "levelmean",
        "levelvariance",
    };
    bool used = strmap_get(&spec->program->modules, STR("TLC")) != NULL;
    for (size_t i = 0; used && i < sizeof names / sizeof names[0]; i++) {
        (void)strtab_intern(spec->strings, str_of(names[i]));
    }
}

bool info_walks(const struct ev *ev)
{
    const char *mode = ev->host && ev->host->mode ? ev->host->mode : "";
    return strcmp(mode, "simulate") == 0 || strcmp(mode, "generate") == 0;
}

/* ---- records ---- */

static struct val record_of(struct ev *ev, const char *const *names, const struct val *vals,
                            size_t n)
{
    struct val keys[16];
    for (size_t i = 0; i < n; i++) {
        keys[i] = val_str(&ev->vctx, str_of(names[i]));
    }
    return record_make(&ev->vctx, keys, vals, n);
}

static struct val place_record(struct ev *ev, const struct mplace *p)
{
    static const char *const names[] = {"beginLine", "beginColumn", "endLine", "endColumn",
                                        "module"};
    struct val vals[] = {val_small(p->line), val_small(p->column), val_small(p->end_line),
                         val_small(p->end_column),
                         val_str(&ev->vctx, str_of(p->line ? p->module : "--TLA+ BUILTINS--"))};
    return record_of(ev, names, vals, 5);
}

static struct val told_record(struct ev *ev, const char *name, const struct mplace *place)
{
    static const char *const names[] = {"name", "location"};
    struct val vals[] = {val_str(&ev->vctx, str_of(name ? name : UNNAMED)),
                         place_record(ev, place)};
    return record_of(ev, names, vals, 2);
}

/* ---- actions ---- */

/* With the values of the parameters when there are any that can be read in the frame. */
static struct val site_record(struct ev *ev, const struct action_site *site, struct val *fr)
{
    static const char *const names[] = {"name", "location", "context", "parameters"};
    struct vctx *ctx = &ev->vctx;
    if (!fr || site->ntlc == 0) {
        return told_record(ev, site->pub.tlc_name, &site->pub.tlc_place);
    }
    struct val *keys = arena_alloc(&ev->scratch, sizeof *keys * site->ntlc);
    struct val *vals = arena_alloc(&ev->scratch, sizeof *vals * site->ntlc);
    for (uint32_t i = 0; i < site->ntlc; i++) {
        keys[i] = val_str(ctx, str_of(site->tlc_params[i]));
        vals[i] = ex_eval(ev, site->tlc_args[i], fr);
    }
    struct val fields[] = {
        val_str(ctx, str_of(site->pub.tlc_name)), place_record(ev, &site->pub.tlc_place),
        record_make(ctx, keys, vals, site->ntlc), tuple_make(ctx, keys, site->ntlc)};
    return record_of(ev, names, fields, 4);
}

struct val info_action(struct ev *ev, uint32_t action)
{
    const struct spec *spec = ev->spec;
    if (action < spec->sites.n) {
        bool here = ev->action == action && ev->s0 == worker_of(ev->worker)->cand;
        return site_record(ev, &spec->sites.v[action], here ? ev->action_frame : NULL);
    }
    for (size_t i = 0; i < spec->told.n; i++) {
        if (spec->told.v[i].kind == TOLD_INIT) {
            return told_record(ev, spec->told.v[i].name, &spec->told.v[i].place);
        }
    }
    return told_record(ev, NULL, &(struct mplace){0});
}

struct steps {
    struct ev *ev;
    uint32_t last;    /* action of the last step; NO_SLOT at the initial state */
    uint32_t *counts; /* [number of sites], or NULL */
    size_t n;
};

static int count_step(void *arg, const void *bytes, size_t len, uint32_t action)
{
    struct steps *steps = arg;
    (void)bytes;
    (void)len;
    bool known = steps->n++ > 0 && action < steps->ev->spec->sites.n;
    steps->last = known ? action : NO_SLOT;
    if (known && steps->counts) {
        steps->counts[action]++;
    }
    return 0;
}

/* Walks over the behaviour up to the state that is looked at. False outside of states. */
static bool walk_steps(struct ev *ev, struct steps *steps)
{
    struct spec_worker *w = ev->worker ? worker_of(ev->worker) : NULL;
    if (!w || !ev->host->trace || (!w->loaded && !w->emitting_init) || !ev->s0) {
        return false;
    }
    if (w->emitting_init) {
        return w->emitting;
    }
    if (ev->host->trace(ev->host->arg, ev->worker, count_step, steps) != 0) {
        return false;
    }
    return ev->s0 != w->cand || count_step(steps, NULL, 0, ev->action) == 0;
}

/* Only random walks know how the state came about. */
static struct val action_record(struct ev *ev)
{
    struct steps steps = {.ev = ev, .last = NO_SLOT};
    if (!info_walks(ev) || !walk_steps(ev, &steps)) {
        return told_record(ev, NULL, &(struct mplace){0});
    }
    return info_action(ev, steps.last);
}

/* All actions, those with constant bounds once for each combination of values, as TLC splits them.
 */
struct instances {
    struct ev *ev;
    VEC(struct val) v; /* freed by the caller, also after a failure: see actions_set */
};

static const struct act *first_mark(const struct act *a)
{
    const struct act *found = a->op == ACT_MARK ? a : NULL;
    for (uint32_t i = 0; i < a->n && !found; i++) {
        found = first_mark(a->kid[i]);
    }
    return found;
}

static bool constant_bounds(const struct binder *b)
{
    for (uint32_t i = 0; i < b->nset; i++) {
        if (b->sets[i]->level > LEVEL_CONSTANT) {
            return false;
        }
    }
    return true;
}

static void walk_act(struct instances *in, const struct act *a, struct val *fr)
{
    struct ev *ev = in->ev;
    if (a->op == ACT_DISJ) {
        for (uint32_t i = 0; i < a->n; i++) {
            walk_act(in, a->kid[i], fr);
        }
    } else if (a->op == ACT_LET) {
        for (uint32_t i = 0; i < a->nslot; i++) {
            fr[a->slots[i]] = VAL_UNDEF;
        }
        walk_act(in, a->kid[0], fr);
    } else if (a->op == ACT_EXISTS && constant_bounds(a->binder)) {
        struct loop loop;
        for (bool more = loop_start(ev, a->x, a->binder, fr, &loop); more;
             more = loop_next(ev, a->x, a->binder, fr, &loop)) {
            walk_act(in, a->kid[0], fr);
        }
    } else {
        const struct act *mark = first_mark(a);
        if (mark) {
            VEC_PUSH(&in->v, site_record(ev, &ev->spec->sites.v[mark->var], fr));
        }
    }
}

static void run_instances(struct ev *ev, void *arg)
{
    struct instances *in = arg;
    const struct spec *spec = ev->spec;
    struct val *fr = frame_push(ev, spec->next_unit->nslot);
    walk_act(in, spec->next, fr);
    frame_pop(ev, fr);
}

static struct val actions_set(struct ev *ev)
{
    struct instances in = {.ev = ev};
    const struct spec *spec = ev->spec;
    if (!spec->next) {
        return set_empty();
    }
    if (ev_try(ev, run_instances, &in) != 0) { /* a bound fails: the actions as they stand */
        VEC_RESET(&in.v);
        for (size_t i = 0; i < spec->sites.n; i++) {
            VEC_PUSH(&in.v, site_record(ev, &spec->sites.v[i], NULL));
        }
    }
    struct val *kept = arena_alloc(&ev->scratch, sizeof *kept * (in.v.n + 1));
    for (size_t i = 0; i < in.v.n; i++) {
        kept[i] = in.v.v[i];
    }
    size_t n = in.v.n;
    VEC_DONE(&in.v);
    return set_make(&ev->vctx, kept, n);
}

/* ---- the specification ---- */

static struct val told_set(struct ev *ev, enum told_kind kind)
{
    const struct spec *spec = ev->spec;
    struct val *v = arena_alloc(&ev->scratch, sizeof *v * (spec->told.n + 1));
    size_t n = 0;
    for (size_t i = 0; i < spec->told.n; i++) {
        if (spec->told.v[i].kind == kind) {
            v[n++] = told_record(ev, spec->told.v[i].name, &spec->told.v[i].place);
        }
    }
    return set_make(&ev->vctx, v, n);
}

static struct val spec_record(struct ev *ev)
{
    static const char *const names[] = {
        "inits", /* ORDER TOLD */
        "temporals", "invariants",        "impliedinits", "impliedtemporals",
        "variables", "actionconstraints", "constraints",  "impliedactions",
        "actions"};
    struct val vals[TOLD_KINDS + 1];
    for (int kind = 0; kind < TOLD_KINDS; kind++) {
        vals[kind] = told_set(ev, (enum told_kind)kind);
    }
    vals[TOLD_KINDS] = actions_set(ev);
    return record_of(ev, names, vals, TOLD_KINDS + 1);
}

/* ---- the run ---- */

/* The fields that TLC gives; those of simulation only there. */
static struct val config_record(struct ev *ev)
{
    static const char *const search[] = {"mode", "deadlock", "worker",
                                         "seed", "install",  "fingerprint"};
    static const char *const walk[] = {"mode",   "deadlock", "worker", "seed", "install",
                                       "traces", "depth",    "aril",   "sched"};
    const struct mhost *host = ev->host;
    const struct spec *spec = ev->spec;
    bool deadlock =
        !spec->options.no_deadlock &&
        (!spec->config || !spec->config->has_check_deadlock || spec->config->check_deadlock);
    struct vctx *ctx = &ev->vctx;
    const char *seed = arena_printf(&ev->scratch, "%lld", (long long)(int64_t)spec->options.seed);
    struct val vals[9] = {val_str(ctx, str_of(host && host->mode ? host->mode : "bfs")),
                          val_bool(deadlock),
                          val_small(host && host->workers ? host->workers : 1),
                          val_str(ctx, str_of(seed)),
                          val_str(ctx, STR("assay")),
                          val_str(ctx, STR("0"))};
    if (!host || !info_walks(ev)) {
        return record_of(ev, search, vals, 6);
    }
    vals[5] = val_int(ctx, host->traces_max > 0 ? host->traces_max : -(int64_t)host->workers);
    vals[6] = val_int(ctx, host->depth);
    vals[7] = val_str(ctx, STR("0"));
    vals[8] = val_str(ctx, STR("random"));
    return record_of(ev, walk, vals, 9);
}

static uint64_t figure(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static struct val count_val(struct ev *ev, uint64_t n)
{
    return val_int(&ev->vctx, (int64_t)n);
}

uint64_t ev_duration_s(struct ev *ev)
{
    const struct mstats *stats = ev->host->stats;
    uint64_t start = figure(&stats->start_ms);
    uint64_t now = clock_wall_ms();
    return start != 0 && now > start ? (now - start) / 1000 : 0;
}

/* How often each action occurs in the behaviour so far. */
static struct val behavior_record(struct ev *ev, uint64_t number)
{
    static const char *const names[] = {"actions", "id"};
    const struct spec *spec = ev->spec;
    size_t n = spec->sites.n;
    struct steps steps = {.ev = ev, .last = NO_SLOT};
    steps.counts = arena_alloc(&ev->scratch, sizeof *steps.counts * (n + 1));
    memset(steps.counts, 0, sizeof *steps.counts * (n + 1));
    (void)walk_steps(ev, &steps);
    struct val *keys = arena_alloc(&ev->scratch, sizeof *keys * (n + 1));
    struct val *vals = arena_alloc(&ev->scratch, sizeof *vals * (n + 1));
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t count = steps.counts[i];
        for (size_t j = i + 1; j < n; j++) { /* several places may go by one name */
            if (strcmp(spec->sites.v[i].pub.tlc_name, spec->sites.v[j].pub.tlc_name) == 0) {
                count += steps.counts[j];
                steps.counts[j] = 0;
            }
        }
        if (count > 0) {
            keys[used] = val_str(&ev->vctx, str_of(spec->sites.v[i].pub.tlc_name));
            vals[used++] = count_val(ev, count);
        }
    }
    struct val fields[] = {record_make(&ev->vctx, keys, vals, used), count_val(ev, number)};
    return record_of(ev, names, fields, 2);
}

/* The counters of a search, or of random simulation. */
static struct val stats_record(struct ev *ev, const struct mstats *stats)
{
    static const char *const search[] = {"queue",    "distinct", "initial", "generated",
                                         "diameter", "duration", "worker"};
    static const char *const walk[] = {"traces",  "duration",  "generated",      "behavior",
                                       "worker",  "distinct",  "distinctvalues", "retries",
                                       "actions", "levelmean", "levelvariance"};
    struct val worker = val_small(ev->worker && ev->bank && !ev->own_bank ? ev->index : 0);
    struct val duration = count_val(ev, ev_duration_s(ev));
    struct val generated = count_val(ev, figure(&stats->generated));
    if (!info_walks(ev)) {
        struct val vals[] = {count_val(ev, figure(&stats->queued)),
                             count_val(ev, figure(&stats->distinct)),
                             count_val(ev, figure(&stats->initial)),
                             generated,
                             count_val(ev, figure(&stats->diameter)),
                             duration,
                             worker};
        return record_of(ev, search, vals, 7);
    }
    uint64_t traces = figure(&stats->traces);
    struct val vals[] = {count_val(ev, traces),
                         duration,
                         generated,
                         behavior_record(ev, traces),
                         worker,
                         val_small(-1),
                         val_small(-1),
                         val_small(-1),
                         record_make(&ev->vctx, NULL, NULL, 0),
                         count_val(ev, figure(&stats->trace_mean)),
                         count_val(ev, figure(&stats->trace_variance))};
    return record_of(ev, walk, vals, 11);
}

bool ev_model_info(struct ev *ev, const char *key, struct val *ret)
{
    const struct spec *spec = ev->spec;
    const struct mstats *stats = ev->host ? ev->host->stats : NULL;
    if (strcmp(key, "action") == 0) {
        *ret = action_record(ev);
    } else if (strcmp(key, "config") == 0) {
        *ret = config_record(ev);
    } else if (strcmp(key, "stats") == 0 && stats && spec->checking) {
        *ret = stats_record(ev, stats);
    } else if (strcmp(key, "spec") == 0 && spec->config) {
        *ret = spec_record(ev);
    } else {
        return false;
    }
    return true;
}
