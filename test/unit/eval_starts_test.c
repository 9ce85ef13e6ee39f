/* Initial states that are kept: the same ones, in the same order and as often, as making them again
 * gives. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "eval/builtin_modules.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "eval/worker.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/source.h"
#include "test.h"

struct fixture {
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct config config;
    struct program program;
    struct strtab *strings;
    struct mhost host;
    struct model *model;
    struct mworker *first, *second;
};

static void fixture_make(struct fixture *f, const char *module, const char *config)
{
    struct program_options options = {.builtin = modules_find};
    struct err err = {0};
    struct eval_issue issue = {0};
    *f = (struct fixture){0};
    arena_init(&f->arena, 0);
    sources_init(&f->sources, &f->arena);
    diags_init(&f->diags, &f->arena);
    f->strings = strtab_new();
    struct eval_options eval = {.strings = f->strings, .seed = 1};
    struct source *cfg = sources_add(&f->sources, "Starts.cfg", str_of(config), false);
    struct source *tla = sources_add(&f->sources, "Starts.tla", str_of(module), false);
    CHECK(config_parse(&f->config, &f->arena, cfg, NULL, NULL, &f->diags) == 0);
    CHECK(program_load_source(&f->program, &f->arena, tla, &options, &f->sources, &f->diags,
                              &err) == 0);
    CHECK(model_from_spec(&f->arena, &f->program, &f->config, &eval, &f->host, &f->model, &issue) ==
          0);
    f->model->host = &f->host;
    starts_keep((struct spec *)f->model);
    CHECK(f->model->ops->worker_new(f->model, 0, 1, &f->first, &err) == 0);
    CHECK(f->model->ops->worker_new(f->model, 1, 1, &f->second, &err) == 0);
    worker_of(f->second)->from_starts = true;
}

static void fixture_done(struct fixture *f)
{
    f->model->ops->worker_free(f->first);
    f->model->ops->worker_free(f->second);
    model_free(f->model);
    strtab_free(f->strings);
    program_done(&f->program);
    arena_done(&f->arena);
}

/* What a sink sees, as text. */
struct seen {
    struct strbuf text;
    uint64_t n, stop_after;
};

static int see(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct seen *seen = arg;
    int violated = -1;
    int in = worker->model->ops->in_model(worker);
    int status = worker->model->ops->check(worker, 1U << MPROP_INVARIANT, 0, &violated);
    strbuf_printf(&seen->text, "%llx %u %d %d %d ", (unsigned long long)cand->fp, cand->action, in,
                  status, violated);
    worker->model->ops->save(worker, &seen->text);
    return ++seen->n == seen->stop_after;
}

static bool ready(const struct fixture *f)
{
    return starts_ready(((struct spec *)f->model)->starts);
}

/* Two disjuncts give some states twice; the constraint, the invariant and the view look at them. */
static const char module[] =
    "---- MODULE Starts ----\n"
    "EXTENDS Integers, Sequences, FiniteSets\n"
    "VARIABLES f, s, m\n"
    "Init == /\\ f \\in [1..3 -> {\"a\", \"b\"}]\n"
    "        /\\ \\/ s \\in {{}, {1}, {1, 2}} \\/ s \\in SUBSET {1, 3}\n"
    "        /\\ m = [k |-> <<f[1], -1>>, t |-> IF 1 \\in s THEN {{}, s} ELSE s]\n"
    "Next == UNCHANGED <<f, s, m>>\n"
    "Small == Cardinality(s) < 2 \\/ f[2] = \"a\"\n"
    "Fine == ~(f[3] = \"b\" /\\ s = {3})\n"
    "Seen == <<f[1], s>>\n"
    "====\n";
static const char config[] = "INIT Init\nNEXT Next\nCONSTRAINT Small\nINVARIANT Fine\nVIEW Seen\n";

TEST(kept_states_are_those_that_were_made)
{
    struct fixture f;
    struct seen made = {0};
    struct seen again = {0};
    struct seen kept = {0};
    fixture_make(&f, module, config);
    const struct model_ops *ops = f.model->ops;
    CHECK(!ready(&f));
    CHECK_EQ(ops->init(f.first, see, &made), MODEL_OK);
    CHECK(ready(&f));
    CHECK_EQ(made.n, 56); /* 8 functions, 3 + 4 sets */
    CHECK_EQ(ops->init(f.first, see, &again), MODEL_OK);
    CHECK_EQ(ops->init(f.second, see, &kept), MODEL_OK);
    CHECK(str_eq(strbuf_str(&made.text), strbuf_str(&again.text)));
    CHECK(str_eq(strbuf_str(&made.text), strbuf_str(&kept.text)));
    struct seen some = {.stop_after = 5};
    CHECK_EQ(ops->init(f.second, see, &some), MODEL_STOPPED);
    CHECK_EQ(some.n, 5);
    strbuf_done(&some.text);
    strbuf_done(&made.text);
    strbuf_done(&again.text);
    strbuf_done(&kept.text);
    fixture_done(&f);
}

TEST(some_of_the_states_are_not_kept)
{
    struct fixture f;
    struct seen some = {.stop_after = 5};
    struct seen all = {0};
    fixture_make(&f, module, config);
    CHECK_EQ(f.model->ops->init(f.first, see, &some), MODEL_STOPPED);
    CHECK(!ready(&f));
    CHECK_EQ(f.model->ops->init(f.second, see, &all), MODEL_OK); /* made, and kept now */
    CHECK_EQ(all.n, 56);
    CHECK(ready(&f));
    strbuf_done(&some.text);
    strbuf_done(&all.text);
    fixture_done(&f);
}

TEST(an_error_keeps_nothing)
{
    static const char broken[] = "---- MODULE Starts ----\nEXTENDS Integers\nVARIABLE x\n"
                                 "Init == x \\in {3, 2, 1, 0} /\\ 6 \\div x > 0\n"
                                 "Next == UNCHANGED x\n====\n";
    struct fixture f;
    fixture_make(&f, broken, "INIT Init\nNEXT Next\n");
    for (int i = 0; i < 2; i++) {
        struct seen seen = {0};
        CHECK_EQ(f.model->ops->init(f.second, see, &seen), MODEL_ERROR);
        CHECK(!ready(&f));
        strbuf_done(&seen.text);
    }
    fixture_done(&f);
}
