/* -simulate file=PREFIX: every simulated behaviour as a module PREFIX_0_N, in TLC's layout; and
 * -simulate stats=...: a graph of the actions in DOT. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/file.h"
#include "base/status.h"
#include "base/str.h"
#include "base/term.h"
#include "base/vec.h"
#include "check/check.h"
#include "job/coverage.h"
#include "job/load.h"
#include "model/model.h"
#include "tlc/tlc.h"

static void write_state(struct tlc *tlc, const struct check_step *step, size_t index,
                        struct strbuf *out)
{
    const struct model *model = tlc->job.spec.model;
    struct mplace place = {0};
    const char *name = "Init";
    if (index > 0 && step->action < model->naction) {
        name = model->actions[step->action].tlc_name;
        place = model->actions[step->action].tlc_place;
    } else if (index == 0) {
        (void)job_spec_init_predicate(&tlc->job.spec, &name, &place);
    }
    if (place.line > 0) {
        strbuf_printf(out, "\\* <%s line %u, col %u to line %u, col %u of module %s>\n", name,
                      place.line, place.column, place.end_line, place.end_column, place.module);
    }
    strbuf_printf(out, "STATE_%zu == \n", index + 1);
    if (model->ops->load(tlc->sim_worker, step->bytes, step->len, index + 1) == MODEL_OK) {
        (void)model->ops->print(tlc->sim_worker, false, false, out);
    }
    strbuf_adds(out, "\n\n\n");
}

static void write_trace(struct tlc *tlc, uint64_t number, const struct check_step *steps,
                        size_t nstep)
{
    struct model *model = tlc->job.spec.model;
    struct err err = {0};
    if (tlc->sim_worker == NULL &&
        model->ops->worker_new(model, 0, 0, &tlc->sim_worker, &err) != 0) {
        return;
    }
    SCOPED_STRBUF path = {0};
    SCOPED_STRBUF out = {0};
    strbuf_printf(&path, "%s_0_%" PRIu64, tlc->o.simulate_file, number);
    strbuf_printf(&out, "---------------- MODULE %s -----------------\n", strbuf_cstr(&path));
    for (size_t i = 0; i < nstep; i++) {
        write_state(tlc, &steps[i], i, &out);
    }
    strbuf_adds(&out, "=================================================\n");
    FILE *file = fopen(strbuf_cstr(&path), "w");
    bool bad = file == NULL || put_text(file, strbuf_str(&out)) != 0;
    if (file != NULL && fclose(file) != 0) {
        bad = true;
    }
    if (bad && !tlc->sim_failed) {
        tlc->sim_failed = true;
        (void)fprintf(tlc->teller->err, "assay: cannot write %s\n", strbuf_cstr(&path));
    }
}

/* ---- -simulate stats=...: how often each action follows each other one ---- */

/* 0 is the initial predicate; actions at the same place are one. */
static size_t flow_node(const struct model *model, size_t index, uint32_t action)
{
    if (index == 0 || action >= model->naction) {
        return 0;
    }
    for (uint32_t i = 0; i < action; i++) {
        if (place_same(&model->actions[i].place, &model->actions[action].place)) {
            return i + (size_t)1;
        }
    }
    return action + (size_t)1;
}

static void count_flow(struct tlc *tlc, const struct check_step *steps, size_t nstep)
{
    const struct model *model = tlc->job.spec.model;
    size_t width = model->naction + (size_t)1;
    while (tlc->sim_flow.n < width * width) {
        VEC_PUSH(&tlc->sim_flow, 0);
    }
    for (size_t i = 1; i < nstep; i++) {
        size_t from = flow_node(model, i - 1, steps[i - 1].action);
        tlc->sim_flow.v[from * width + flow_node(model, i, steps[i].action)]++;
    }
}

/* Java's text of a number with at most two decimals. */
static void write_width(uint64_t count, struct strbuf *out)
{
    double width = floor(fabs(log10(log10((double)count + 1))) * 100 + 0.5) / 100;
    size_t start = out->n;
    strbuf_printf(out, "%.2f", width);
    while (out->n > start + 3 && out->p[out->n - 1] == '0') {
        out->p[--out->n] = '\0';
    }
}

static void flow_graph(struct tlc *tlc, struct strbuf *out)
{
    const struct model *model = tlc->job.spec.model;
    size_t width = model->naction + (size_t)1;
    const char *init = "Init";
    struct mplace place;
    (void)job_spec_init_predicate(&tlc->job.spec, &init, &place);
    strbuf_adds(out, "digraph ActionGraph {\nnodesep=0.35;\nsubgraph cluster_legend {\n"
                     "label = \"Coverage\";\nnode [shape=point] {\n"
                     "d0 [style = invis];\nd1 [style = invis];\np0 [style = invis];\n"
                     "p0 [style = invis];\n}\n"
                     "d0 -> d1 [label=unseen, color=\"green\", style=dotted]\n"
                     "p0 -> p1 [label=seen]\n}\n");
    strbuf_printf(out, "0 [shape=box,label=\"%s\",style = filled]\n", init);
    for (size_t i = 1; i < width; i++) {
        if (flow_node(model, 1, (uint32_t)(i - 1)) == i) {
            strbuf_printf(out, "%zu [shape=box,label=\"%s\"]\n", i, model->actions[i - 1].tlc_name);
        }
    }
    for (size_t i = 0; i < width; i++) {
        for (size_t j = 1; j < width; j++) {
            if ((i > 0 && flow_node(model, 1, (uint32_t)(i - 1)) != i) ||
                flow_node(model, 1, (uint32_t)(j - 1)) != j) {
                continue;
            }
            uint64_t count = i * width + j < tlc->sim_flow.n ? tlc->sim_flow.v[i * width + j] : 0;
            strbuf_printf(out, "%zu -> %zu[%s", i, j,
                          count > 0 ? "penwidth=" : "color=\"green\",style=dotted");
            if (count > 0) {
                write_width(count, out);
            }
            strbuf_adds(out, "];\n");
        }
    }
    strbuf_addc(out, '}');
}

static void write_flow(struct tlc *tlc)
{
    SCOPED_STRBUF path = {0};
    SCOPED_STRBUF out = {0};
    struct err err = {0};
    strbuf_printf(&path, "%s_actions.dot", tlc->job.spec.model->name);
    flow_graph(tlc, &out);
    if (file_write(strbuf_cstr(&path), strbuf_str(&out), &err) != 0) {
        (void)fprintf(tlc->teller->err, "assay: %s\n", err.text);
    }
}

static void on_trace(void *arg, uint64_t number, const struct check_step *steps, size_t nstep)
{
    struct tlc *tlc = arg;
    if (tlc->o.simulate_file != NULL) {
        write_trace(tlc, number, steps, nstep);
    }
    if (tlc->o.simulate_stats != NULL) {
        count_flow(tlc, steps, nstep);
    }
}

void tlc_sim_install(struct tlc *tlc)
{
    if (tlc->o.simulate && (tlc->o.simulate_file != NULL || tlc->o.simulate_stats != NULL)) {
        tlc->job.check.on_trace = on_trace;
        tlc->job.check.dump_arg = tlc;
    }
}

void tlc_sim_done(struct tlc *tlc)
{
    if (tlc->o.simulate && tlc->o.simulate_stats != NULL && tlc->job.spec.model != NULL) {
        write_flow(tlc);
    }
    VEC_DONE(&tlc->sim_flow);
    if (tlc->sim_worker != NULL && tlc->job.spec.model != NULL) {
        tlc->job.spec.model->ops->worker_free(tlc->sim_worker);
        tlc->sim_worker = NULL;
    }
}
