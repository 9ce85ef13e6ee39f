/* Modules from text to a model, for programs that look at what was lowered. */
#include "tier_load.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "check/check.h"
#include "eval/builtin_modules.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "value/value.h"

struct load {
    const char *path; /* of the module; NULL: it is `text` */
    struct str text, config;
    const volatile sig_atomic_t *stop;
    tier_fn fn;
    void *arg;
};

static bool load_one(const struct load *l)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct config config = {0};
    struct program program = {0};
    struct program_options load = {.builtin = modules_find};
    struct mhost host = {.interrupt = l->stop, .mode = "bfs", .workers = 1};
    struct model *model = NULL;
    struct eval_issue issue = {0};
    struct err err = {0};
    struct strtab *strings = strtab_new();
    struct eval_options options = {.strings = strings,
                                   .set_size_max = 20000,
                                   .scratch_bytes_max = 256 << 20,
                                   .stack_bytes = CHECK_STACK_BYTES,
                                   .seed = 1,
                                   .coverage = true,
                                   .action_composition = true};
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    struct source *tla = NULL;
    struct source *cfg = sources_add(&sources, "Fuzz.cfg", l->config, false);
    bool good = config_parse(&config, &arena, cfg, NULL, NULL, &diags) == 0;
    if (l->path) {
        good = good && sources_load(&sources, l->path, &tla, &err) == 0;
    } else {
        tla = sources_add(&sources, "Fuzz.tla", l->text, false);
    }
    good = good && program_load_source(&program, &arena, tla, &load, &sources, &diags, &err) == 0 &&
           model_from_spec(&arena, &program, &config, &options, &host, &model, &issue) == 0;
    if (good) {
        model->host = &host;
        l->fn(model, l->arg);
        model_free(model);
    }
    strtab_free(strings);
    program_done(&program);
    arena_done(&arena);
    return good;
}

bool tier_load_generated(uint64_t seed, const struct tier_size *size,
                         const volatile sig_atomic_t *stop, tier_fn fn, void *arg)
{
    SCOPED_STRBUF module = {0};
    SCOPED_STRBUF config = {0};
    tier_gen(seed, size, &module, &config);
    struct load load = {NULL, strbuf_str(&module), strbuf_str(&config), stop, fn, arg};
    return load_one(&load);
}

bool tier_load_file(const char *path, const volatile sig_atomic_t *stop, tier_fn fn, void *arg)
{
    struct arena arena;
    struct sources sources;
    struct source *cfg = NULL;
    struct err err = {0};
    size_t stem = strlen(path) - strlen(".tla");
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    const char *config = arena_printf(&arena, "%.*s.cfg", (int)stem, path);
    bool good = sources_load(&sources, config, &cfg, &err) == 0;
    if (good) {
        struct load load = {path, {0}, cfg->text, stop, fn, arg};
        good = load_one(&load);
    } else {
        printf("# %s\n", err.text);
    }
    arena_done(&arena);
    return good;
}
