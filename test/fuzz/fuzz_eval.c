/* Any bytes as an expression, in the scope of a module that extends the usual ones; evaluated with
 * small limits. */
#include "base/arena.h"
#include "eval/eval.h"
#include "fuzz.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"

static const char module_text[] =
    "---- MODULE fuzz ----\n"
    "EXTENDS Naturals, Integers, Sequences, FiniteSets, Bags, TLC, TLCExt\n"
    "f == [x \\in 1..3 |-> x * 2]\n"
    "r == [a |-> 1, b |-> <<\"x\", {}>>]\n"
    "Twice(F(_), x) == F(F(x))\n"
    "RECURSIVE Fact(_)\n"
    "Fact(n) == IF n = 0 THEN 1 ELSE n * Fact(n - 1)\n"
    "====\n";

static bool load(struct program *program, struct arena *arena, struct sources *sources,
                 struct diags *diags, struct program_options *options)
{
    struct err err = {0};
    struct source *source = sources_add(sources, "fuzz.tla", str_of(module_text), false);
    return program_load_source(program, arena, source, options, sources, diags, &err) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fuzz_watchdog dog; /* its thread outlives the call */
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct program program = {0};
    SCOPED_STRBUF out = {0};
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    struct program_options options = {.builtin = fuzz_builtin};
    bool loaded = load(&program, &arena, &sources, &diags, &options);
    struct str text = str_dup(&arena, (struct str){(const char *)data, size});
    struct source *source = sources_add(&sources, "expression", text, false);
    struct def *def = loaded ? program_expression(&program, source) : NULL;
    if (def != NULL) {
        struct config config = {0};
        struct strtab *strings = strtab_new();
        struct eval_options eval = {
            .strings = strings, .set_size_max = 2000, .scratch_bytes_max = 64 << 20, .seed = 1};
        struct mhost host = {.interrupt = &dog.stop, .mode = "eval", .workers = 1};
        struct eval_issue issue = {0};
        fuzz_watchdog_start(&dog, 1000);
        (void)!eval_expression(&arena, &program, &config, def, &eval, &host, &out, &issue);
        strtab_free(strings);
    }
    program_done(&program);
    arena_done(&arena);
    return 0;
}
