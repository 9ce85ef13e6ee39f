/* What TLC says while the search runs, and how it tells the outcome. */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/human.h"
#include "base/status.h"
#include "base/str.h"
#include "base/term.h"
#include "check/check.h"
#include "job/job.h"
#include "job/lasso.h"
#include "job/load.h"
#include "model/model.h"
#include "sem/sem.h"
#include "tlc/message.h"
#include "tlc/tlc.h"
#include "trace/trace.h"
#include "value/value.h"

void tlc_duration(uint64_t ms, struct strbuf *out)
{
    uint64_t s = ms / 1000;
    if (ms > UINT64_C(86400000)) {
        strbuf_printf(out, "%" PRIu64 "d %02" PRIu64 "h", s / 86400, s / 3600 % 24);
    } else if (ms > 3600000) {
        strbuf_printf(out, "%02" PRIu64 "h %02" PRIu64 "min", s / 3600, s / 60 % 60);
    } else if (ms > 60000) {
        strbuf_printf(out, "%02" PRIu64 "min %02" PRIu64 "s", s / 60, s % 60);
    } else {
        strbuf_printf(out, "%02" PRIu64 "s", s);
    }
}

/* ---- progress ---- */
static void print_rates(struct tlc *tlc, uint64_t depth, uint64_t generated, uint64_t distinct,
                        uint64_t queued, double minutes)
{
    char now[TLC_TIME_BYTES];
    SCOPED_STRBUF text = {0};
    double per = minutes > 0 ? minutes : 1.0 / 60000;
    bool anew = generated < tlc->last_generated; /* a search that began once more */
    uint64_t made = generated - (anew ? 0 : tlc->last_generated);
    uint64_t found = distinct - (anew ? 0 : tlc->last_distinct);
    strbuf_printf(&text, "Progress(%" PRIu64 ") at %s: ", depth < 1 ? 1 : depth,
                  tlc_now(&tlc->out, now));
    print_count(&text, generated);
    strbuf_adds(&text, " states generated (");
    print_count(&text, (uint64_t)((double)made / per));
    strbuf_adds(&text, " s/min), ");
    print_count(&text, distinct);
    strbuf_adds(&text, " distinct states found (");
    print_count(&text, (uint64_t)((double)found / per));
    strbuf_adds(&text, " ds/min), ");
    print_count(&text, queued);
    strbuf_adds(&text, " states left on queue.");
    tlc_text(&tlc->out, 2200, TLC_NONE, strbuf_str(&text));
}

static void print_simulation_progress(struct tlc *tlc, uint64_t generated, uint64_t traces)
{
    uint64_t mean = atomic_load_explicit(&tlc->job.stats.trace_mean, memory_order_relaxed);
    uint64_t variance = atomic_load_explicit(&tlc->job.stats.trace_variance, memory_order_relaxed);
    char now[TLC_TIME_BYTES];
    if (tlc->out.tool) {
        tlc_print(&tlc->out, 2209, TLC_NONE,
                  "Progress(%" PRIu64 ") at %s: %" PRIu64
                  " states generated, -1 distinct states found, -1 states left on queue.",
                  traces, tlc_now(&tlc->out, now), generated);
    } else {
        tlc_print(&tlc->out, 2209, TLC_NONE,
                  "Progress: %" PRIu64 " states checked, %" PRIu64
                  " traces generated (trace length: mean=%" PRIu64 ", var(x)=%" PRIu64 ", sd=%.0f)",
                  generated, traces, mean, variance, floor(sqrt((double)variance) + 0.5));
    }
}

static void print_dfid_progress(struct tlc *tlc, uint64_t generated, uint64_t distinct)
{
    char now[TLC_TIME_BYTES];
    if (tlc->out.tool) {
        tlc_print(&tlc->out, 2206, TLC_NONE,
                  "Progress(-1) at %s: %" PRIu64 " states generated, %" PRIu64
                  " distinct states found, -1 states left on queue.",
                  tlc_now(&tlc->out, now), generated, distinct);
    } else {
        tlc_print(&tlc->out, 2206, TLC_NONE,
                  "Progress: %" PRIu64 " states generated, %" PRIu64 " distinct states found.",
                  generated, distinct);
    }
}

/* TLC's first line comes after three seconds, the next ones at the interval. */
static void progress(struct tlc *tlc, const struct check_progress *p)
{
    uint64_t now_ms = p->elapsed_ns / 1000000;
    uint64_t interval_ms = (uint64_t)(tlc->o.progress_s * 1000);
    bool simulate = tlc->o.simulate;
    uint64_t due = tlc->progress_ms == 0 && !simulate ? 3000 : tlc->progress_ms + interval_ms;
    if (now_ms < due) {
        return;
    }
    tlc->progress_ms = now_ms > 0 ? now_ms : 1;
    if (simulate) {
        print_simulation_progress(tlc, p->generated, p->traces);
    } else if (tlc->o.dfid >= 0) {
        print_dfid_progress(tlc, p->generated, p->distinct);
    } else {
        print_rates(tlc, p->depth, p->generated, p->distinct, p->queued, tlc->o.progress_s / 60);
    }
    tlc->last_generated = p->generated;
    tlc->last_distinct = p->distinct;
    if (tlc->o.coverage_min > 0 && now_ms % ((uint64_t)tlc->o.coverage_min * 60000) < interval_ms) {
        tlc_coverage(tlc);
    }
}

/* TLC tells of every power of two that it passes. */
static void init_progress(struct tlc *tlc, uint64_t generated)
{
    for (uint64_t n = tlc->init_told == 0 ? 2 : tlc->init_told * 2; n > 1 && n < generated;
         n *= 2) {
        tlc_print(&tlc->out, 2269, TLC_NONE, "Computed %" PRIu64 " initial states...", n);
        tlc->init_told = n;
    }
}

static void init_done(struct tlc *tlc, const struct check_progress *p)
{
    char now[TLC_TIME_BYTES];
    const char *time = tlc_now(&tlc->out, now);
    if (tlc->o.simulate) {
        tlc_print(&tlc->out, 2269, TLC_NONE, "Computed %" PRIu64 " initial states...",
                  p->generated);
        tlc_print(&tlc->out, 2190, TLC_NONE,
                  "Finished computing initial states: %" PRIu64 " distinct state generated at %s.",
                  p->distinct, time);
    } else if (tlc->o.dfid >= 0) {
        tlc_print(&tlc->out, 2208, TLC_NONE,
                  "Finished computing initial states: %" PRIu64 " states generated, with %" PRIu64
                  " of them distinct.",
                  p->generated, p->distinct);
    } else if (p->generated == p->distinct) {
        tlc_print(&tlc->out, 2190, TLC_NONE,
                  "Finished computing initial states: %" PRIu64
                  " distinct state%s generated at %s.",
                  p->generated, p->generated == 1 ? "" : "s", time);
    } else {
        tlc_print(&tlc->out, 2191, TLC_NONE,
                  "Finished computing initial states: %" PRIu64 " state%s generated, with %" PRIu64
                  " of them distinct at %s.",
                  p->generated, p->generated == 1 ? "" : "s", p->distinct, time);
    }
}

/* ---- temporal properties ---- */
static void live_start(struct tlc *tlc, const struct check_progress *p, bool final)
{
    char now[TLC_TIME_BYTES];
    const char *time = tlc_now(&tlc->out, now);
    uint64_t branches = p->live_branches > 0 ? p->live_branches : tlc->branches;
    SCOPED_STRBUF of = {0};
    if (final && tlc->o.dfid < 0) {
        SCOPED_STRBUF text = {0};
        strbuf_printf(&text, "Progress(%" PRIu64 ") at %s: ", p->depth < 1 ? 1 : p->depth, time);
        print_count(&text, p->generated);
        strbuf_adds(&text, " states generated, ");
        print_count(&text, p->distinct);
        strbuf_adds(&text, " distinct states found, ");
        print_count(&text, p->queued);
        strbuf_adds(&text, " states left on queue.");
        tlc_text(&tlc->out, 2200, TLC_NONE, strbuf_str(&text));
    }
    if (branches != 1) {
        strbuf_printf(&of, "%" PRIu64 " branches of ", branches);
    }
    tlc_print(&tlc->out, 2192, TLC_NONE,
              "Checking %stemporal properties for the %s state space with %" PRIu64
              " total distinct states at (%s)",
              strbuf_cstr(&of), final ? "complete" : "current",
              p->distinct * (branches > 0 ? branches : 1), time);
    tlc->live_start_ms = clock_wall_ms();
}

static void live_done(struct tlc *tlc)
{
    char now[TLC_TIME_BYTES];
    strbuf_reset(&tlc->live_done);
    strbuf_adds(&tlc->live_done, "Finished checking temporal properties in ");
    tlc_duration(clock_wall_ms() - tlc->live_start_ms, &tlc->live_done);
    strbuf_printf(&tlc->live_done, " at %s", tlc_now(&tlc->out, now));
}

static void flush_live_done(struct tlc *tlc)
{
    if (tlc->live_done.n > 0) {
        tlc_text(&tlc->out, 2267, TLC_NONE, strbuf_str(&tlc->live_done));
        strbuf_reset(&tlc->live_done);
    }
}

/* ---- violations ---- */
/* The text of an evaluation error. `nested`: it stands inside another message. */
static void error_text(const struct tlc *tlc, const struct merror *error, bool nested,
                       struct strbuf *out)
{
    const char *text = error->text != NULL ? error->text : "";
    bool coded = error->code != 0 && error->code != 1000 && error->code != 2103;
    if (coded && nested) {
        tlc_nested(&tlc->out, error->code, text, out);
    } else {
        strbuf_adds(out, text);
    }
}

static void print_stack(struct tlc *tlc, const struct merror *error)
{
    SCOPED_STRBUF text = {0};
    strbuf_adds(&text, "The error occurred when TLC was evaluating the nested\nexpressions at the "
                       "following positions:\n");
    for (size_t i = 0; i < error->nstack; i++) {
        const struct mplace *place = &error->stack[i];
        strbuf_printf(&text, "%zu. Line %u, column %u to line %u, column %u in %s\n", i,
                      place->line, place->column, place->end_line, place->end_column,
                      place->module);
    }
    strbuf_adds(&text, "\n");
    tlc_text(&tlc->out, 2103, TLC_ERROR, strbuf_str(&text));
}

/* ORDER check_violation.phase */
enum { PHASE_NEXT, PHASE_INVARIANT, PHASE_CONSTRAINT, PHASE_ACTION, PHASE_TEMPORAL, PHASE_POST };

/* The head message of an error found by evaluating; returns its code. */
static int print_eval_head(struct tlc *tlc, const struct check_violation *v)
{
    const struct merror *error = &v->error;
    SCOPED_STRBUF text = {0};
    const char *name = job_violation_name(&tlc->job, v);
    bool property = v->phase == PHASE_INVARIANT || v->phase == PHASE_ACTION;
    if (property && !error->fatal_memory) {
        int code = v->phase == PHASE_INVARIANT ? 2111 : 2113;
        SCOPED_STRBUF inner = {0};
        error_text(tlc, error, true, &inner);
        tlc_print(&tlc->out, code, TLC_ERROR, "Evaluating %s %s failed.\n%s",
                  code == 2111 ? "invariant" : "action property", name, strbuf_cstr(&inner));
        return code;
    }
    if (error->code != 0 && error->code != 1000 && error->code != 2103) {
        error_text(tlc, error, false, &text);
        tlc_text(&tlc->out, error->code, TLC_ERROR, strbuf_str(&text));
        return error->code;
    }
    tlc_unexpected(&tlc->out, "java.lang.RuntimeException", error->text != NULL ? error->text : "",
                   &text);
    tlc_text(&tlc->out, 1000, TLC_ERROR, strbuf_str(&text));
    return 2103;
}

/* An error while initial states were computed. */
static int print_init_error(struct tlc *tlc, const struct check_violation *v)
{
    SCOPED_STRBUF text = {0};
    if (v->error.code == 2106) {
        tlc_print(&tlc->out, 2102, TLC_ERROR,
                  "current state is not a legal state\nWhile working on the initial state:\n%s",
                  v->error.partial);
        return EXIT_OTHER;
    }
    error_text(tlc, &v->error, true, &text);
    if (v->trace.nstep > 0) {
        strbuf_adds(&text, "\nWhile working on the initial state:\n");
        struct err err = {0};
        struct arena arena;
        arena_init(&arena, 0);
        struct trace trace;
        struct vctx ctx;
        if (job_trace_get(&tlc->job, v, &arena, &trace, &ctx, &err) == 0 && trace.nstate > 0) {
            for (uint32_t i = 0; i < trace.nvar; i++) {
                strbuf_printf(&text, "%s%s = ", trace.nvar > 1 ? "/\\ " : "", trace.vars[i]);
                val_print_pretty(&ctx, trace.states[0].vals[i], 0, 80, &text);
                strbuf_addc(&text, '\n');
            }
        }
        arena_done(&arena);
        tlc_text(&tlc->out, 2102, TLC_ERROR, strbuf_str(&text));
    } else {
        tlc_text(&tlc->out, 1000, TLC_ERROR, strbuf_str(&text));
    }
    if (v->error.code == 2147) {
        return EXIT_SPEC_EVAL;
    }
    print_stack(tlc, &v->error);
    return EXIT_SPEC_EVAL;
}

static int print_eval_error(struct tlc *tlc, const struct check_violation *v)
{
    if (v->error_in_init) {
        return print_init_error(tlc, v);
    }
    bool placed = v->error.nstack > 0 && !v->error.fatal_memory;
    if (v->phase == PHASE_TEMPORAL && placed) {
        print_stack(tlc, &v->error);
    }
    int code = print_eval_head(tlc, v);
    if (v->trace.nstep > 0) {
        tlc_print_trace(tlc, v);
        tlc_write_traces(tlc, v);
    }
    if (v->phase == PHASE_TEMPORAL) {
        return code == 2253 ? EXIT_LIVENESS_EVAL : EXIT_OTHER;
    }
    if (v->replayed) {
        print_stack(tlc, &v->error);
        return v->error.exit_status;
    }
    if (v->phase != PHASE_INVARIANT && code != 2109 && placed) {
        print_stack(tlc, &v->error);
        code = code == 2113 ? 2103 : code;
    }
    bool own = v->error.exit_status != 0 && v->phase != PHASE_INVARIANT;
    return own ? v->error.exit_status : tlc_exit_status(code);
}

/* The text of the violating initial state stands in the message itself. */
static int print_init_violation(struct tlc *tlc, const struct check_violation *v)
{
    bool invariant = v->verdict == VERDICT_INVARIANT_INIT;
    struct err err = {0};
    struct arena arena;
    arena_init(&arena, 0);
    struct trace trace;
    struct vctx ctx;
    SCOPED_STRBUF text = {0};
    strbuf_printf(&text, "%s %s is violated by the initial state:\n",
                  invariant ? "Invariant" : "Property", job_violation_name(&tlc->job, v));
    if (job_trace_get(&tlc->job, v, &arena, &trace, &ctx, &err) == 0 && trace.nstate > 0) {
        for (uint32_t i = 0; i < trace.nvar; i++) {
            strbuf_printf(&text, "%s%s = ", trace.nvar > 1 ? "/\\ " : "", trace.vars[i]);
            val_print_pretty(&ctx, trace.states[0].vals[i], 0, 80, &text);
            strbuf_addc(&text, '\n');
        }
    }
    arena_done(&arena);
    tlc_text(&tlc->out, invariant ? 2107 : 2108, TLC_ERROR, strbuf_str(&text));
    tlc_write_traces(tlc, v);
    return invariant ? EXIT_SAFETY : EXIT_LIVENESS;
}

/* The names of all temporal properties that the behaviour breaks, each once. */
static void print_temporal(struct tlc *tlc, const struct check_violation *v)
{
    const struct mlive *live = tlc->job.model->live;
    struct arena arena;
    arena_init(&arena, 0);
    const bool *violated = lasso_violated(tlc->job.model, &v->trace, &arena);
    const char **names = ARENA_ARRAY(&arena, const char *, live->nprop + 1);
    size_t n = 0;
    for (uint32_t i = 0; i < live->nprop; i++) {
        bool listed = violated != NULL ? violated[i] : v->prop == (int)i;
        for (size_t k = 0; k < n && listed; k++) {
            listed = strcmp(names[k], live->props[i].name) != 0;
        }
        if (listed) {
            names[n++] = live->props[i].name;
        }
    }
    if (n == 0) {
        names[n++] = job_violation_name(&tlc->job, v);
    }
    SCOPED_STRBUF text = {0};
    strbuf_adds(&text, n > 1 ? "Temporal properties " : "Temporal property ");
    for (size_t i = 0; i < n; i++) {
        const char *between = i + 1 < n ? ", " : n == 2 ? " and " : ", and ";
        strbuf_printf(&text, "%s%s", i > 0 ? between : "", names[i]);
    }
    strbuf_adds(&text, n > 1 ? " were violated.\n" : " was violated.\n");
    tlc_text(&tlc->out, 2116, TLC_ERROR, strbuf_str(&text));
    arena_done(&arena);
}

/* []P and <>P with a state predicate P: stuttering needs no explanation there. */
static bool is_simple(const struct tform *formula)
{
    if (formula->kind == TF_ALWAYS || formula->kind == TF_EVENTUALLY) {
        const struct tform *kid = formula->kid[0];
        return kid->kind == TF_STATE || (kid->kind == TF_NOT && kid->kid[0]->kind == TF_STATE);
    }
    return formula->kind == TF_STATE;
}

/* A behaviour that stops: perhaps nobody asked it to go on. */
static void stuttering_warning(struct tlc *tlc, const struct check_violation *v)
{
    const struct spec *spec = &tlc->job.spec;
    const struct mlive *live = spec->model->live;
    struct str name = spec->config.specification.name;
    if (!v->trace.stuttering || live == NULL || v->prop < 0 ||
        is_simple(live->props[v->prop].formula)) {
        return;
    }
    static const char advice[] = "(compare Chapter 8, page 87ff of Specifying Systems at "
                                 "https://lamport.azurewebsites.net/tla/book.html).";
    SCOPED_STRBUF text = {0};
    if (name.n == 0) {
        strbuf_printf(&text,
                      "The stuttering counterexample above may be caused by the absence of a "
                      "behavior specification "
                      "(SPECIFICATION). Only INIT and NEXT have been provided, so TLC permits "
                      "infinite stuttering. "
                      "To rule out such counterexamples, use SPECIFICATION Spec, with Spec "
                      "asserting a suitable fairness "
                      "constraint %s",
                      advice);
        (void)tlc_warn(&tlc->out, 2257, strbuf_cstr(&text));
    } else if (live->fairness == NULL) {
        SCOPED_STRBUF place = {0};
        const struct def *def = program_lookup(&spec->program, name);
        if (def != NULL && def->decl != NULL) {
            tlc_place(spec, def->decl->span, &place);
        }
        strbuf_printf(&text,
                      "The stuttering counterexample above may be caused by the absence of a "
                      "fairness constraint "
                      "in the behavior specification %.*s defined at %s. To rule out such "
                      "counterexamples, conjoin a "
                      "suitable fairness constraint to %.*s %s",
                      STR_ARG(name), strbuf_cstr(&place), STR_ARG(name), advice);
        (void)tlc_warn(&tlc->out, 2259, strbuf_cstr(&text));
    }
}

static int print_violation(struct tlc *tlc, const struct check_violation *v)
{
    const char *name = job_violation_name(&tlc->job, v);
    int status = EXIT_OTHER;
    switch (v->verdict) {
    case VERDICT_INVARIANT:
        tlc_print(&tlc->out, 2110, TLC_ERROR, "Invariant %s is violated.", name);
        status = EXIT_SAFETY;
        break;
    case VERDICT_ACTION_PROPERTY:
        tlc_print(&tlc->out, 2112, TLC_ERROR, "Action property %s is violated.", name);
        status = EXIT_LIVENESS;
        break;
    case VERDICT_DEADLOCK:
        tlc_print(&tlc->out, 2114, TLC_ERROR, "Deadlock reached.");
        status = EXIT_DEADLOCK;
        break;
    case VERDICT_TEMPORAL:
        print_temporal(tlc, v);
        status = v->trace.finite ? EXIT_SAFETY : EXIT_LIVENESS; /* as TLC, which ends differently */
        break;
    case VERDICT_INVARIANT_INIT:
    case VERDICT_INIT_PROPERTY: return print_init_violation(tlc, v);
    case VERDICT_EVAL_ERROR: return print_eval_error(tlc, v);
    default: return EXIT_OTHER;
    }
    tlc_print_trace(tlc, v);
    tlc_write_traces(tlc, v);
    if (v->verdict == VERDICT_TEMPORAL) {
        stuttering_warning(tlc, v);
        flush_live_done(tlc);
    }
    return status;
}

/* ---- events ---- */
void tlc_event(void *arg, enum check_event event, const struct check_progress *p,
               const struct check_result *result)
{
    struct tlc *tlc = arg;
    char now[TLC_TIME_BYTES];
    if (event != CHECK_EV_LIVE_DONE && event != CHECK_EV_VIOLATION) {
        flush_live_done(tlc);
    }
    switch (event) {
    case CHECK_EV_INIT_START:
        if (!tlc->o.simulate && tlc->o.dfid < 0) {
            tlc_print(&tlc->out, 2189, TLC_NONE, "Computing initial states...");
        }
        break;
    case CHECK_EV_INIT_DONE:
        if (!tlc->o.simulate && tlc->o.dfid < 0) {
            init_progress(tlc, p->generated);
        }
        tlc->init_over = true;
        init_done(tlc, p);
        break;
    case CHECK_EV_PROGRESS:
        if (!tlc->init_over && !tlc->o.simulate && tlc->o.dfid < 0) {
            init_progress(tlc, p->generated);
        } else {
            progress(tlc, p);
        }
        break;
    case CHECK_EV_CHECKPOINT_START:
        tlc_print(&tlc->out, 2195, TLC_NONE, "Checkpointing of run %s", tlc->metadir);
        break;
    case CHECK_EV_CHECKPOINT_DONE:
        tlc_print(&tlc->out, 2196, TLC_NONE, "Checkpointing completed at (%s)",
                  tlc_now(&tlc->out, now));
        break;
    case CHECK_EV_RECOVERED:
        tlc->init_over = true;
        tlc_print(&tlc->out, 2198, TLC_NONE,
                  "Recovery completed. %" PRIu64 " states examined. %" PRIu64 " states on queue.",
                  p->distinct, p->queued);
        break;
    case CHECK_EV_LIVE_START: live_start(tlc, p, p->live_final); break;
    case CHECK_EV_LIVE_DONE: live_done(tlc); break;
    case CHECK_EV_LEVEL:
        tlc->levels = tlc->levels == 0 ? 2 : tlc->levels + 1;
        tlc_print(&tlc->out, 2205, TLC_NONE,
                  "Starting level %" PRIu64 ": %" PRIu64 " states generated, %" PRIu64
                  " distinct states found.",
                  tlc->levels, p->generated, p->distinct);
        break;
    case CHECK_EV_VIOLATION:
        if (tlc->o.keep_going && result != NULL && result->nviolation > tlc->violations_printed) {
            int status = print_violation(tlc, &result->violations[result->nviolation - 1]);
            tlc->violations_printed = result->nviolation;
            tlc->exit_status = tlc->exit_status == 0 ? status : tlc->exit_status;
        }
        break;
    }
}

/* ---- the end ---- */
/* A probability with two significant digits as TLC's own routine gives it: "6.9E-18", "0.0". */
static void print_probability(double p, struct strbuf *out)
{
    if (!(p > 0)) {
        strbuf_adds(out, "0.0");
        return;
    }
    int exponent = (int)floor(log10(p));
    double digits = p / pow(10, exponent);
    if (exponent >= -3 && exponent < 7) {
        strbuf_printf(out, "%.*f", exponent >= 1 ? 0 : 1 - exponent, p);
        return;
    }
    if (digits >= 9.95) {
        digits /= 10;
        exponent++;
    }
    strbuf_printf(out, "%.1fE%d", digits, exponent);
}

static void print_success(struct tlc *tlc)
{
    const struct check_result *r = tlc->job.result;
    SCOPED_STRBUF text = {0};
    strbuf_adds(&text,
                "Model checking completed. No error has been found.\n"
                "  Estimates of the probability that TLC did not check all reachable states\n"
                "  because two distinct states had the same fingerprint:\n"
                "  calculated (optimistic):  val = ");
    print_probability(r->collision_optimistic, &text);
    if (r->collision_actual > 0) {
        strbuf_adds(&text, "\n  based on the actual fingerprints:  val = ");
        print_probability(r->collision_actual, &text);
    }
    tlc_text(&tlc->out, 2193, TLC_NONE, strbuf_str(&text));
}

static void print_simulation_summary(struct tlc *tlc)
{
    const struct check_result *r = tlc->job.result;
    if (tlc->o.coverage_min >= 0) {
        tlc_coverage(tlc);
    }
    if (tlc->out.tool) {
        print_simulation_progress(tlc, r->generated, r->traces);
    }
    tlc_print(&tlc->out, 2210, TLC_NONE,
              "The number of states generated: %" PRIu64
              "\nSimulation using seed %lld and aril %lld",
              r->generated, (long long)tlc->seed, (long long)tlc->o.aril);
}

static void print_summary(struct tlc *tlc, bool success)
{
    const struct check_result *r = tlc->job.result;
    if (tlc->o.coverage_min >= 0) {
        tlc_coverage(tlc);
    }
    if (tlc->o.dfid >= 0) {
        if (tlc->out.tool) {
            print_dfid_progress(tlc, r->generated, r->distinct);
        }
        tlc_print(&tlc->out, 2204, TLC_NONE,
                  "%" PRIu64 " states generated, %" PRIu64 " distinct states found.", r->generated,
                  r->distinct);
        return;
    }
    if (tlc->out.tool) {
        tlc->last_generated = 0;
        tlc->last_distinct = 0;
        print_rates(tlc, r->depth, r->generated, r->distinct, r->queued,
                    (double)(clock_wall_ms() - tlc->start_ms) / 60000);
    }
    tlc_print(&tlc->out, 2199, TLC_NONE,
              "%" PRIu64 " states generated, %" PRIu64 " distinct states found, %" PRIu64
              " states left on queue.",
              r->generated, r->distinct, r->queued);
    tlc_print(&tlc->out, 2194, TLC_NONE,
              "The depth of the complete state graph search is %" PRIu64 ".",
              r->generated == 0 ? 0 : r->depth);
    if (success && r->distinct > 0) {
        tlc_print(&tlc->out, 2268, TLC_NONE,
                  "The average outdegree of the complete state graph is %" PRIu64
                  " (minimum is %" PRIu64 ", the maximum %" PRIu64
                  " and the 95th percentile is %" PRIu64 ").",
                  r->outdegree_mean, r->outdegree_min, r->outdegree_max, r->outdegree_95);
    }
}

static int report_failure(struct tlc *tlc)
{
    const struct check_result *r = tlc->job.result;
    SCOPED_STRBUF text = {0};
    tlc_unexpected(&tlc->out, "java.io.IOException", r->failure.text, &text);
    tlc_text(&tlc->out, 1000, TLC_ERROR, strbuf_str(&text));
    return EXIT_OTHER;
}

static int report_postcondition(struct tlc *tlc)
{
    const struct check_result *r = tlc->job.result;
    const struct check_violation *v = r->nviolation > 0 ? &r->violations[r->nviolation - 1] : NULL;
    const char *name = v != NULL && v->error.property != NULL ? v->error.property : "";
    const struct spec *spec = &tlc->job.spec;
    const struct def *def = program_lookup(&spec->program, str_of(name));
    SCOPED_STRBUF place = {0};
    if (def != NULL && def->body != NULL) {
        tlc_place(spec, def->body->span, &place);
    }
    if (v != NULL && v->error.code != 0 && v->error.code != 2404) {
        SCOPED_STRBUF inner = {0};
        error_text(tlc, &v->error, true, &inner);
        tlc_print(&tlc->out, 2405, TLC_ERROR, "Evaluating postcondition %s at %s failed.\n%s", name,
                  strbuf_cstr(&place), strbuf_cstr(&inner));
    } else {
        tlc_print(&tlc->out, 2404, TLC_ERROR, "Postcondition %s at %s is false.", name,
                  strbuf_cstr(&place));
    }
    return EXIT_ASSUMPTION;
}

/* Interrupted by a signal: TLC just dies; we say how far we came. */
static int report_interrupted(struct tlc *tlc)
{
    if (tlc->o.simulate) {
        print_simulation_summary(tlc);
    } else {
        print_summary(tlc, false);
    }
    int signal = tlc->teller->flags->interrupt;
    return signal > 0 ? 128 + signal : EXIT_INTERRUPTED; /* as Java */
}

static int report_violations(struct tlc *tlc, bool *ret_success)
{
    const struct check_result *r = tlc->job.result;
    int status = tlc->exit_status;
    for (size_t i = tlc->violations_printed; i < r->nviolation; i++) {
        int one = print_violation(tlc, &r->violations[i]);
        status = status == 0 ? one : status;
    }
    /* TLC takes a failed evaluation of an invariant for the end of an undisturbed search. */
    const struct check_violation *first = r->nviolation > 0 ? &r->violations[0] : NULL;
    *ret_success = first != NULL && r->verdict == VERDICT_EVAL_ERROR && !first->error_in_init &&
                   !first->error.fatal_memory && !first->replayed &&
                   (first->phase == PHASE_INVARIANT || first->phase == PHASE_TEMPORAL);
    return status;
}

static int report_simulation(struct tlc *tlc)
{
    const struct check_result *r = tlc->job.result;
    bool success;
    int status = report_violations(tlc, &success);
    bool violated = r->nviolation > 0;
    if (violated) {
        print_simulation_summary(tlc);
    }
    print_simulation_progress(tlc, r->generated, r->traces);
    if (!violated) {
        print_simulation_summary(tlc);
    }
    return status;
}

int tlc_report(struct tlc *tlc)
{
    const struct check_result *r = tlc->job.result;
    if (r->verdict != VERDICT_TEMPORAL) {
        flush_live_done(tlc);
    }
    if (r->verdict == VERDICT_FAILED) {
        return report_failure(tlc);
    }
    if (r->verdict == VERDICT_STOPPED && tlc->teller->flags->interrupt > 0) {
        return report_interrupted(tlc);
    }
    if (r->verdict == VERDICT_POSTCONDITION) {
        int status = report_postcondition(tlc);
        if (tlc->o.simulate) {
            print_simulation_progress(tlc, r->generated, r->traces);
        } else {
            print_summary(tlc, false);
        }
        return status;
    }
    if (tlc->o.simulate) {
        return report_simulation(tlc);
    }
    bool success = false;
    int status = report_violations(tlc, &success);
    int code =
        r->verdict == VERDICT_EVAL_ERROR && r->nviolation > 0 ? r->violations[0].error.code : 0;
    bool early = code == 2253 || code == 2106;
    if (r->verdict == VERDICT_INVARIANT_INIT || r->verdict == VERDICT_INIT_PROPERTY || early) {
        return status; /* TLC gives no summary then */
    }
    bool clean = r->nviolation == 0;
    if (clean) {
        print_success(tlc);
    }
    print_summary(tlc, clean || success || tlc->o.keep_going);
    return status;
}
