/* The functions of a specification: one for each disjunct of Next and each predicate that could be
 * compiled, and those that make fingerprints. */
#include "cgen/load.h"

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/build.h"
#include "cgen/csource.h"
#include "cgen/emit.h"
#include "cgen/host.h"

/* From the functions that were built, in the order in which they were asked for. */
static struct code *assemble_code(struct arena *arena, const struct csource *src,
                                  const struct build_part *part)
{
    struct code *code = ARENA_NEW(arena, struct code);
    code->size = src->state_size;
    code->memo_size = src->memo_size;
    code->nact = (uint32_t)src->acts.n;
    code->npred = (uint32_t)src->preds.n;
    code->acts = ARENA_ARRAY(arena, act_code, code->nact + 1);
    code->preds = ARENA_ARRAY(arena, pred_code, code->npred + 1);
    code->memo_at = ARENA_ARRAY(arena, uint32_t, code->npred + 1);
    /* NOLINTBEGIN(performance-no-int-to-ptr): addresses of symbols in the loaded code */
    for (uint32_t i = 0; i < code->nact; i++) {
        code->acts[i] = src->acts.v[i].why ? NULL : (act_code)(uintptr_t)(part++)->code;
    }
    for (uint32_t i = 0; i < code->npred; i++) {
        code->preds[i] = src->preds.v[i].why ? NULL : (pred_code)(uintptr_t)(part++)->code;
        code->memo_at[i] = src->preds.v[i].memo_at;
    }
    code->fp = (fp_code)(uintptr_t)(part++)->code;
    code->finish = (finish_code)(uintptr_t)(part++)->code;
    /* NOLINTEND(performance-no-int-to-ptr) */
    return code;
}

int code_load(struct arena *arena, const struct csource *source,
              const struct build_options *options, struct build *ret_build, struct code **ret_code,
              const char **why)
{
    struct build *build = ret_build;
    SCOPED_STRBUF prelude = {0};
    cgen_prelude(&prelude);
    *build = (struct build){.prelude = str_of(arena_strndup(arena, prelude.p, prelude.n)),
                            .shared = strbuf_str(&source->text),
                            .layout = source->layout};
    for (size_t i = 0; i < source->functions.n; i++) {
        VEC_PUSH(&build->part, (struct build_part){.function = &source->functions.v[i]});
    }
    if (build_code(arena, build, options, why) != 0) {
        return -1;
    }
    *ret_code = assemble_code(arena, source, build->part.v);
    return 0;
}
