/* Any bytes as an expression, in the scope of a module that extends the usual ones; evaluated with
 * small limits. */
#include <stdlib.h>

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

/* Loading the modules takes longer than most expressions do: a program serves many inputs, as in
 * the repl. */
struct session {
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct program program;
    struct program_options options;
    size_t inputs; /* 0 = not loaded */
};

static void session_open(struct session *session)
{
    struct err err = {0};
    *session = (struct session){.options = {.builtin = fuzz_builtin}};
    arena_init(&session->arena, 0);
    sources_init(&session->sources, &session->arena);
    diags_init(&session->diags, &session->arena);
    struct source *source = sources_add(&session->sources, "fuzz.tla", str_of(module_text), false);
    if (program_load_source(&session->program, &session->arena, source, &session->options,
                            &session->sources, &session->diags, &err) != 0) {
        abort(); /* the modules that ship with assay are in order */
    }
}

static void session_close(struct session *session)
{
    program_done(&session->program);
    arena_done(&session->arena);
    session->inputs = 0;
}

static void evaluate(struct session *session, struct def *def, struct fuzz_watchdog *dog)
{
    SCOPED_STRBUF out = {0};
    struct config config = {0};
    struct strtab *strings = strtab_new();
    struct eval_options eval = {
        .strings = strings, .set_size_max = 2000, .scratch_bytes_max = 64 << 20, .seed = 1};
    struct mhost host = {.interrupt = &dog->stop, .mode = "eval", .workers = 1};
    struct eval_issue issue = {0};
    fuzz_watchdog_start(dog, 1000);
    (void)!eval_expression(&session->arena, &session->program, &config, def, &eval, &host, &out,
                           &issue);
    strtab_free(strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { INPUTS_MAX = 200 };
    static struct fuzz_watchdog dog; /* its thread outlives the call */
    static struct session session;
    if (session.inputs == 0) {
        session_open(&session);
    }
    diags_init(&session.diags, &session.arena);
    struct str text = str_dup(&session.arena, (struct str){(const char *)data, size});
    struct source *source = sources_add(&session.sources, "expression", text, false);
    struct def *def = program_expression(&session.program, source);
    if (def != NULL) {
        evaluate(&session, def, &dog);
    }
    if (++session.inputs == INPUTS_MAX) {
        session_close(&session);
    }
    return 0;
}
