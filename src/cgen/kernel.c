/* A compiled specification as text for another machine: the functions of csource.c as they are,
 * behind a word that makes the prelude fit, and lists of what there is to call. What calls it comes
 * from room gpu. */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "cgen/build.h"
#include "cgen/cgen.h"
#include "cgen/compiled.h"
#include "cgen/csource.h"
#include "cgen/emit.h"
#include "eval/code.h"
#include "model/model.h"

/* Functions whose name is a word and a number, as a list to be mapped: X(act0) X(act2) */
static void put_list(struct strbuf *out, const char *list)
{
    strbuf_printf(out, "#define %s(X)", list);
}

static void put_pred(struct strbuf *out, size_t i)
{
    strbuf_printf(out, " X(pred%zu)", i);
}

static size_t put_props(struct strbuf *out, const char *list, const struct spec *spec,
                        enum mprop_kind kind)
{
    size_t n = 0;
    put_list(out, list);
    for (size_t i = 0; i < spec->props.n; i++) {
        if (spec->props.v[i].kind == kind) {
            put_pred(out, i);
            n++;
        }
    }
    strbuf_addc(out, '\n');
    return n;
}

static void put_range(struct strbuf *out, const char *list, size_t from, size_t n)
{
    put_list(out, list);
    for (size_t i = from; i < from + n; i++) {
        put_pred(out, i);
    }
    strbuf_addc(out, '\n');
}

static void put_lists(struct strbuf *out, const struct spec *spec, const struct csource *src)
{
    put_list(out, "GPU_ACTS");
    for (size_t i = 0; i < src->acts.n; i++) {
        strbuf_printf(out, " X(act%zu)", i);
    }
    strbuf_addc(out, '\n');
    (void)put_props(out, "GPU_INVARIANTS", spec, MPROP_INVARIANT);
    size_t steps = put_props(out, "GPU_STEPS", spec, MPROP_ACTION);
    size_t at = spec->prop_preds.n;
    put_range(out, "GPU_CONSTRAINTS", at, spec->constraints.n);
    at += spec->constraints.n;
    put_range(out, "GPU_STEP_CONSTRAINTS", at, spec->action_constraints.n);
    strbuf_printf(out,
                  "#define GPU_HAS_STEPS %d\n#define GPU_DEADLOCK %d\n#define GPU_ACTIONS %u\n",
                  steps > 0, spec->model.check_deadlock, spec->model.naction);
}

/* What the device needs is there? */
static const char *refuse(struct cgen *cgen)
{
    const struct csource *src = &cgen->now->source;
    const struct spec *spec = cgen->spec;
    size_t needed =
        spec->prop_preds.n + spec->constraints.n + spec->action_constraints.n; /* then leaves */
    for (size_t i = 0; i < src->acts.n; i++) {
        if (src->acts.v[i].why) {
            return arena_printf(&cgen->arena, "action %zu is interpreted: %s", i + 1,
                                src->acts.v[i].why);
        }
    }
    for (size_t i = 0; i < needed; i++) {
        bool temporal = i < spec->props.n && (spec->props.v[i].kind == MPROP_TEMPORAL ||
                                              spec->props.v[i].kind == MPROP_INIT);
        if (src->preds.v[i].why && !temporal) {
            const char *name = src->preds.v[i].pred->name;
            return arena_printf(&cgen->arena, "%s is interpreted: %s", name ? name : "a predicate",
                                src->preds.v[i].why);
        }
    }
    return spec->possible.n > 0 ? "it has _POSSIBLE" : NULL;
}

int cgen_kernel(struct cgen *cgen, struct strbuf *out, const char **ret_why)
{
    const struct csource *src = &cgen->now->source;
    *ret_why = refuse(cgen);
    if (*ret_why) {
        return -1;
    }
    strbuf_adds(out, "#define ASSAY_GPU 1\n");
    cgen_prelude(out);
    strbuf_addstr(out, strbuf_str(&src->text));
    for (size_t i = 0; i + 2 < src->functions.n; i++) { /* the last two are for the host */
        const struct cfunction *fn = &src->functions.v[i];
        strbuf_adds(out, "OUTLINE "); /* assembling one huge function takes far longer */
        strbuf_addstr(out, fn->head);
        strbuf_adds(out, fn->name);
        strbuf_addstr(out, fn->body);
    }
    put_lists(out, cgen->spec, src);
    return 0;
}

int cgen_compile(struct cgen *cgen, const struct cgen_tool *tool, struct str text,
                 struct str *ret_made, const char **ret_why)
{
    struct build_options options = {.cache_dir = cgen->options.cache_dir,
                                    .temp_dir = cgen->options.temp_dir,
                                    .compiler = tool->command,
                                    .limit_s = cgen->options.compiler_s,
                                    .keep = cgen->options.keep,
                                    .interrupt = cgen->options.interrupt};
    return build_text(&cgen->arena, &options, tool, text, ret_made, ret_why);
}
