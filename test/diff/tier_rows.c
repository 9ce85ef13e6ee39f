/* Which rows of ir/ops.def and ir/natives.def occur in random specifications, and which never do.
 *
 * usage: tier_rows [--seed=N] [--specs=N] [FILE.tla...]
 *
 * Lowers N specifications of tier_gen and the FILEs (each with its .cfg), and prints the names of
 * the rows that occur in none of them. Nothing is run. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "eval/builtin_modules.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "eval/native.h"
#include "ir/ir.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "tier_gen.h"
#include "value/value.h"

struct rows {
    uint64_t seed, specs, lowered;
    char **files;
    int nfile;
    bool ex[EX_COUNT], act[ACT_COUNT], native[NATIVE_COUNT];
};

static void note(struct rows *rows, const struct spec *spec)
{
    rows->lowered++;
    for (size_t i = 0; i < spec->all_ex.n; i++) {
        const struct ex *x = spec->all_ex.v[i];
        rows->ex[x->op] = true;
        for (int id = 0; x->op == EX_NATIVE && id < NATIVE_COUNT; id++) {
            rows->native[id] |= ex_is_native(x, (enum native_id)id);
        }
    }
    for (size_t i = 0; i < spec->all_act.n; i++) {
        rows->act[spec->all_act.v[i]->op] = true;
    }
}

/* The module is `text`, or in the file `path`. */
static void lower_one(struct rows *rows, const char *path, struct str text, struct str config_text)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct config config = {0};
    struct program program = {0};
    struct program_options load = {.builtin = modules_find};
    struct mhost host = {.mode = "bfs", .workers = 1};
    struct model *model = NULL;
    struct eval_issue issue = {0};
    struct err err = {0};
    struct strtab *strings = strtab_new();
    struct eval_options options = {.strings = strings,
                                   .set_size_max = 20000,
                                   .stack_bytes = CHECK_STACK_BYTES,
                                   .seed = 1,
                                   .coverage = true,
                                   .action_composition = true};
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    struct source *tla = NULL;
    struct source *cfg = sources_add(&sources, "Fuzz.cfg", config_text, false);
    bool good = config_parse(&config, &arena, cfg, NULL, NULL, &diags) == 0;
    if (path) {
        good = good && sources_load(&sources, path, &tla, &err) == 0;
    } else {
        tla = sources_add(&sources, "Fuzz.tla", text, false);
    }
    good = good && program_load_source(&program, &arena, tla, &load, &sources, &diags, &err) == 0 &&
           model_from_spec(&arena, &program, &config, &options, &host, &model, &issue) == 0;
    if (good) {
        note(rows, (const struct spec *)model);
        model_free(model);
    }
    strtab_free(strings);
    program_done(&program);
    arena_done(&arena);
}

static void lower_generated(struct rows *rows, uint64_t seed)
{
    static const struct tier_size size = {
        .nvar = 9, .nact = 40, .ninv = 48, .nconstraint = 3, .nstep = 6, .ninit = 24, .depth = 4};
    SCOPED_STRBUF module = {0};
    SCOPED_STRBUF config = {0};
    tier_gen(seed, &size, &module, &config);
    lower_one(rows, NULL, strbuf_str(&module), strbuf_str(&config));
}

static void lower_file(struct rows *rows, const char *path)
{
    struct arena arena;
    struct sources sources;
    struct source *cfg = NULL;
    struct err err = {0};
    size_t stem = strlen(path) - strlen(".tla");
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    const char *config = arena_printf(&arena, "%.*s.cfg", (int)stem, path);
    if (sources_load(&sources, config, &cfg, &err) == 0) {
        lower_one(rows, path, (struct str){0}, cfg->text);
    } else {
        printf("# %s\n", err.text);
    }
    arena_done(&arena);
}

static void lower_all(void *arg)
{
    struct rows *rows = arg;
    for (uint64_t i = 0; i < rows->specs; i++) {
        lower_generated(rows, rows->seed + i);
    }
    for (int i = 0; i < rows->nfile; i++) {
        lower_file(rows, rows->files[i]);
    }
}

static void print_missing(const struct rows *rows)
{
#define EX(NAME, ...)                                                                              \
    if (!rows->ex[EX_##NAME]) {                                                                    \
        puts("EX_" #NAME);                                                                         \
    }
#define ACT(NAME, ...)                                                                             \
    if (!rows->act[ACT_##NAME]) {                                                                  \
        puts("ACT_" #NAME);                                                                        \
    }
#include "ir/ops.def"
#define NATIVE(ID, module, name, arity, flags, eval, op, emit)                                     \
    if (EX_##op == EX_NATIVE ? !rows->native[NATIVE_##ID] : !rows->ex[EX_##op]) {                  \
        puts("NATIVE_" #ID);                                                                       \
    }
#include "ir/natives.def"
}

int main(int argc, char **argv)
{
    struct rows rows = {.seed = 1, .specs = 20, .files = argv + 1};
    struct err err = {0};
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--seed=", 7) == 0) {
            rows.seed = strtoull(argv[i] + 7, NULL, 10);
        } else if (strncmp(argv[i], "--specs=", 8) == 0) {
            rows.specs = strtoull(argv[i] + 8, NULL, 10);
        } else {
            rows.files[rows.nfile++] = argv[i];
        }
    }
    if (check_on_big_stack(lower_all, &rows, &err) != 0) {
        printf("%s\n", err.text);
        return 2;
    }
    printf("# %llu of %llu specifications lowered\n", (unsigned long long)rows.lowered,
           (unsigned long long)rows.specs + (unsigned long long)rows.nfile);
    print_missing(&rows);
    return 0;
}
