/* Whether compiled code pays: not where several disjuncts of Next come back to the interpreter for
 * every state. */
#include <stdbool.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "cgen/cgen.h"
#include "eval/eval.h"
#include "eval/native.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/source.h"
#include "test.h"

/* Four disjuncts; the compiler does not know ToString. */
static const char plain[] = "---- MODULE Trial ----\n"
                            "EXTENDS Integers, TLC\n"
                            "VARIABLE x\n"
                            "Init == x = 0\n"
                            "Next == \\/ x < 50 /\\ x' = x + 1\n"
                            "        \\/ x > 3 /\\ x' = x - 2\n"
                            "        \\/ x > 7 /\\ ToString(x) # \"c\" /\\ x' = x - 3\n"
                            "        \\/ x > 7 /\\ x' = x - 5\n"
                            "====\n";
static const char odd[] = "---- MODULE Trial ----\n"
                          "EXTENDS Integers, TLC\n"
                          "VARIABLE x\n"
                          "Init == x = 0\n"
                          "Next == \\/ x < 50 /\\ x' = x + 1\n"
                          "        \\/ ToString(x) # \"b\" /\\ x > 3 /\\ x' = x - 2\n"
                          "        \\/ ToString(x) # \"c\" /\\ x > 7 /\\ x' = x - 3\n"
                          "        \\/ ToString(x) # \"d\" /\\ x > 7 /\\ x' = x - 5\n"
                          "====\n";

static bool pays(const char *module)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct config config;
    struct program program;
    struct program_options options = {.builtin = modules_find};
    struct err err = {0};
    struct eval_issue issue = {0};
    struct mhost host = {0};
    struct model *model, *compiled;
    const char *why;
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    struct strtab *strings = strtab_new();
    struct eval_options eval = {.strings = strings, .seed = 1};
    struct source *cfg =
        sources_add(&sources, "Trial.cfg", str_of("INIT Init\nNEXT Next\n"), false);
    struct source *tla = sources_add(&sources, "Trial.tla", str_of(module), false);
    CHECK(config_parse(&config, &arena, cfg, NULL, NULL, &diags) == 0);
    CHECK(program_load_source(&program, &arena, tla, &options, &sources, &diags, &err) == 0);
    CHECK(model_from_spec(&arena, &program, &config, &eval, &host, &model, &issue) == 0);
    model->host = &host;
    struct cgen *cgen = cgen_new(model, &(struct cgen_options){.seed = 1});
    CHECK(cgen_build(cgen, &compiled, &why) == 0);
    compiled->host = &host;
    bool first = cgen_pays(cgen);
    CHECK(cgen_pays(cgen) == first);
    CHECK(!cgen_must_widen(cgen));
    cgen_free(cgen);
    model_free(model);
    strtab_free(strings);
    program_done(&program);
    arena_done(&arena);
    return first;
}

TEST(compiled_code_pays_where_one_disjunct_in_four_is_interpreted)
{
    CHECK(pays(plain));
}

TEST(compiled_code_does_not_pay_where_most_is_interpreted)
{
    CHECK(!pays(odd));
}
