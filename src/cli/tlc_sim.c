/* -simulate file=PREFIX: every simulated behaviour as a module PREFIX_0_N, in TLC's layout. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "check/check.h"
#include "cli/cli.h"
#include "cli/load.h"
#include "cli/tlc.h"
#include "model/model.h"

static void write_state(struct tlc *tlc, const struct check_step *step, size_t index,
                        struct strbuf *out)
{
    const struct model *model = tlc->run.spec.model;
    struct mplace place = {0};
    const char *name = "Init";
    if (index > 0 && step->action < model->naction) {
        name = model->actions[step->action].tlc_name;
        place = model->actions[step->action].tlc_place;
    } else if (index == 0) {
        (void)spec_init_predicate(&tlc->run.spec, &name, &place);
    }
    if (place.line > 0) {
        strbuf_printf(out, "\\* <%s line %u, col %u to line %u, col %u of module %s>\n", name,
                      place.line, place.column, place.end_line, place.end_column, place.module);
    }
    strbuf_printf(out, "STATE_%zu == \n", index + 1);
    if (model->ops->load(tlc->sim_worker, step->bytes, step->len, index + 1) == MODEL_OK) {
        (void)model->ops->print(tlc->sim_worker, false, false, out);
    }
    if (out->n > 0 && out->p[out->n - 1] != '\n') {
        strbuf_addc(out, '\n');
    }
    strbuf_adds(out, "\n\n");
}

static void on_trace(void *arg, uint64_t number, const struct check_step *steps, size_t nstep)
{
    struct tlc *tlc = arg;
    struct model *model = tlc->run.spec.model;
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
        (void)fprintf(stderr, "assay: cannot write %s\n", strbuf_cstr(&path));
    }
}

void tlc_sim_install(struct tlc *tlc)
{
    if (tlc->o.simulate && tlc->o.simulate_file != NULL) {
        tlc->run.check.on_trace = on_trace;
        tlc->run.check.dump_arg = tlc;
    }
}

void tlc_sim_done(struct tlc *tlc)
{
    if (tlc->sim_worker != NULL) {
        tlc->run.spec.model->ops->worker_free(tlc->sim_worker);
        tlc->sim_worker = NULL;
    }
}
