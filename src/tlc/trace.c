/* Behaviours as TLC prints them, and the files of -dumpTrace. */
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "check/check.h"
#include "eval/eval.h"
#include "job/job.h"
#include "job/load.h"
#include "model/model.h"
#include "tlc/message.h"
#include "tlc/tlc.h"
#include "value/value.h"

struct printer {
    struct tlc *tlc;
    const struct check_violation *violation;
    size_t count;
    struct arena arena;
    struct lines {
        const char **v; /* one for each variable */
        uint32_t n;
    } before[2]; /* of the state before, and of the one before that */
};

/* "<Inc line 5, col 8 to line 5, col 41 of module Ok>" */
static void write_info(const struct tlc *tlc, size_t index, const char *label, uint32_t action,
                       const struct mvalues *args, struct strbuf *out)
{
    const struct model *model = tlc->job.spec.model;
    if (tlc->o.dfid >= 0 && !tlc->out.tool) {
        return; /* TLC's iterative deepening does not know the actions; front-ends want them all the
                   same */
    }
    const struct mplace *place = NULL;
    struct mplace init = {0};
    if (index == 0) {
        const char *name = NULL;
        if (tlc->o.simulate && job_spec_init_predicate(&tlc->job.spec, &name, &init)) {
            label = name;
            place = &init;
        }
    } else if (action < model->naction) {
        place = &model->actions[action].tlc_place;
    }
    strbuf_addc(out, '<');
    if (index == 0) {
        strbuf_adds(out, label);
    } else {
        job_tlc_label(&tlc->job.spec, model, action, args, out);
    }
    if (place != NULL && place->line > 0) {
        strbuf_printf(out, " line %u, col %u to line %u, col %u of module %s", place->line,
                      place->column, place->end_line, place->end_column, place->module);
    }
    strbuf_addc(out, '>');
}

/* With -difftrace TLC leaves out what did not change. Which state it compares with is TLC's own:
 * the last one of a search is whole; the one before a state that breaks a property is compared with
 * the state two before it, and whole where there is none; lassos are whole throughout. NULL: whole.
 */
static const struct lines *compared_with(const struct printer *printer, size_t index)
{
    const struct check_violation *violation = printer->violation;
    const struct check_trace *trace = &violation->trace;
    if (!printer->tlc->o.difftrace || index == 0 || trace->lasso || trace->stuttering) {
        return NULL;
    }
    if (printer->tlc->o.simulate) {
        return &printer->before[0];
    }
    if (index + 1 == trace->nstep) {
        return NULL;
    }
    bool step = violation->verdict == VERDICT_INVARIANT ||
                violation->verdict == VERDICT_ACTION_PROPERTY ||
                (violation->verdict == VERDICT_EVAL_ERROR && violation->phase > 0);
    bool before_last = step && index + 2 == trace->nstep;
    return !before_last ? &printer->before[0] : index > 1 ? &printer->before[1] : NULL;
}

/* The variables, one in a line. */
static int write_state(struct printer *printer, struct mworker *worker, size_t index,
                       struct strbuf *out)
{
    const struct model_ops *ops = worker->model->ops;
    struct mvalues values = {0};
    bool view = printer->tlc->o.view && model_view(worker, &values) == MODEL_OK;
    if (!view && ops->values(worker, true, &values) != MODEL_OK &&
        ops->values(worker, false, &values) != MODEL_OK) {
        return MODEL_ERROR;
    }
    const struct lines *with = compared_with(printer, index);
    with = with && with->n == values.n ? with : NULL;
    const char **lines = ARENA_ARRAY(&printer->arena, const char *, values.n + 1);
    for (uint32_t i = 0; i < values.n; i++) {
        SCOPED_STRBUF line = {0};
        if (values.names[i] == NULL) { /* a view: TLC leaves it at that */
            val_print(values.ctx, values.vals[i], out);
            return MODEL_OK;
        }
        strbuf_printf(&line, "%s%s = ", values.n > 1 || view ? "/\\ " : "", values.names[i]);
        if (val_is_undef(values.vals[i])) {
            strbuf_adds(&line, "null");
        } else {
            val_print_pretty(values.ctx, values.vals[i], 0, 80, &line);
        }
        lines[i] = arena_strndup(&printer->arena, strbuf_cstr(&line), line.n);
        if (!with || strcmp(lines[i], with->v[i]) != 0) {
            strbuf_printf(out, "%s\n", lines[i]);
        }
    }
    printer->before[1] = printer->before[0];
    printer->before[0] = (struct lines){lines, values.n};
    return MODEL_OK;
}

static int print_step(void *arg, size_t index, struct mworker *worker, const char *label,
                      uint32_t action, const struct mvalues *args)
{
    struct printer *printer = arg;
    struct tlc *tlc = printer->tlc;
    const struct check_trace *trace = &printer->violation->trace;
    SCOPED_STRBUF text = {0};
    if (index >= trace->nstep) {
        SCOPED_STRBUF info = {0};
        write_info(tlc, index, label, action, args, &info);
        if (tlc->out.tool) {
            tlc_print(&tlc->out, 2122, TLC_STATE, "%zu: Back to state: %s\n", trace->loop + 1,
                      strbuf_cstr(&info));
        } else {
            tlc_print(&tlc->out, 2122, TLC_NONE, "Back to state %zu: %s\n", trace->loop + 1,
                      strbuf_cstr(&info));
        }
        return 0;
    }
    bool bare =
        tlc->o.dfid >= 0 && !tlc->out.tool && printer->violation->verdict == VERDICT_DEADLOCK;
    strbuf_printf(&text, bare ? "%zu:" : "%zu: ", index + 1);
    write_info(tlc, index, label, action, args, &text);
    strbuf_addc(&text, '\n');
    if (write_state(printer, worker, index, &text) != MODEL_OK) {
        return -1;
    }
    tlc_text(&tlc->out, bare ? 2216 : 2217, TLC_STATE, strbuf_str(&text));
    printer->count = index + 1;
    return 0;
}

/* The successor that lacks variables. */
static void print_partial(struct tlc *tlc, const struct merror *error, size_t index)
{
    const struct model *model = tlc->job.spec.model;
    if (error->partial_action >= model->naction) {
        return;
    }
    const struct maction *action = &model->actions[error->partial_action];
    const struct mplace *place = &action->tlc_place;
    uint32_t shown = job_tlc_args(&tlc->job.spec, action);
    SCOPED_STRBUF args = {0};
    for (uint32_t i = 0; i < shown && i < error->partial_nargs; i++) {
        strbuf_printf(&args, "%s%s", i == 0 ? "(" : ",", error->partial_args[i]);
    }
    strbuf_adds(&args, args.n > 0 ? ")" : "");
    tlc_print(&tlc->out, 2217, TLC_STATE,
              "%zu: <%s%s line %u, col %u to line %u, col %u of module %s>\n%s", index + 1,
              action->tlc_name, strbuf_cstr(&args), place->line, place->column, place->end_line,
              place->end_column, place->module, error->partial);
}

void tlc_print_trace(struct tlc *tlc, const struct check_violation *violation)
{
    struct printer printer = {.tlc = tlc, .violation = violation};
    arena_init(&printer.arena, 0);
    struct err err = {0};
    if (violation->verdict == VERDICT_TEMPORAL) {
        tlc_print(&tlc->out, 2264, TLC_ERROR,
                  "The following behavior constitutes a counter-example:\n");
    } else {
        tlc_print(&tlc->out, 2121, TLC_ERROR, "The behavior up to this point is:");
    }
    int rc = check_trace_walk(tlc->job.model, &violation->trace, print_step, &printer, &err);
    arena_done(&printer.arena);
    if (rc != 0) {
        tlc_print(&tlc->out, 2117, TLC_ERROR,
                  "Failed to recover the next state from its fingerprint.");
        return;
    }
    if (violation->error.partial != NULL) {
        print_partial(tlc, &violation->error, printer.count);
    }
    if (violation->trace.stuttering) {
        tlc_print(&tlc->out, 2218, TLC_STATE, "%zu: Stuttering", printer.count + 1);
    }
}

static enum trace_format format_of(const char *name)
{
    static const struct {
        const char *name;
        enum trace_format format;
    } rows[] = {
        {"json",      TRACE_JSON     },
        {"tla",       TRACE_TLA      },
        {"tlc",       TRACE_ITF      },
        {"tlcplain",  TRACE_PLAIN    },
        {"tlcTESpec", TRACE_TEST_SPEC},
        {"tlcaction", TRACE_ACTION   },
        {"dot",       TRACE_DOT      },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(name, rows[i].name) == 0) {
            return rows[i].format;
        }
    }
    return TRACE_JSON;
}

void tlc_write_traces(struct tlc *tlc, const struct check_violation *violation)
{
    if (tlc->o.traces.n == 0 || violation->trace.nstep == 0) {
        return;
    }
    struct arena arena;
    arena_init(&arena, 0);
    struct trace trace;
    struct vctx ctx;
    struct err err = {0};
    int rc = job_trace_get(&tlc->job, violation, &arena, &trace, &ctx, &err);
    if (rc == 0) {
        job_trace_as_tlc(&tlc->job, &arena, &trace, &ctx);
    }
    for (size_t i = 0; rc == 0 && i < tlc->o.traces.n; i++) {
        struct trace_file file = {format_of(tlc->o.traces.v[i].format), tlc->o.traces.v[i].path};
        rc = job_trace_write(&ctx, &trace, &file, &err);
        if (rc == 0) {
            SCOPED_STRBUF line = {0};
            strbuf_printf(&line, "\"CounterExample written: %s\"\n", file.path);
            tlc_raw(&tlc->out, strbuf_str(&line));
        }
    }
    if (rc != 0) {
        (void)fprintf(tlc->teller->err, "assay: cannot write the trace: %s\n", err.text);
    }
    arena_done(&arena);
}
