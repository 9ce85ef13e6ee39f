/* The table of operators (ir/ops.def, ir/natives.def) against the tests: each row names a
 * specification of test/spec in whose lowered graph the operator occurs, and whose verdict
 * test/run-spec and test/run-tiers compare with TLC's. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/builtin_modules.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "eval/native.h"
#include "ir/ir.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "test.h"

/* "Dir/Spec", or "Dir/Spec Config" where the configuration has another name. */
struct named {
    char spec[200], config[200];
};

static struct named files_of(const char *test)
{
    struct named ret;
    const char *blank = strchr(test, ' ');
    const char *slash = strchr(test, '/');
    int len = blank ? (int)(blank - test) : (int)strlen(test);
    CHECK(slash != NULL);
    snprintf(ret.spec, sizeof ret.spec, "test/spec/%.*s.tla", len, test);
    snprintf(ret.config, sizeof ret.config, "test/spec/%.*s/%s.cfg", (int)(slash - test), test,
             blank ? blank + 1 : slash + 1);
    return ret;
}

/* Opcodes in the graph of one specification. */
struct made {
    bool ex[EX_COUNT], act[ACT_COUNT];
};

static void look(const struct named *files, struct made *ret)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct config config;
    struct program program;
    struct err err = {0};
    struct mhost host = {0};
    struct model *model = NULL;
    struct eval_issue issue = {0};
    char dir[200];
    snprintf(dir, sizeof dir, "%.*s", (int)(strrchr(files->spec, '/') - files->spec), files->spec);
    const char *dirs[] = {dir};
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    struct strtab *strings = strtab_new();
    struct eval_options options = {
        .strings = strings, .seed = 1, .coverage = true, .action_composition = true};
    struct program_options load = {.builtin = modules_find, .paths = dirs, .npath = 1};
    struct source *cfg = NULL;
    CHECK(sources_load(&sources, files->config, &cfg, &err) == 0);
    CHECK(config_parse(&config, &arena, cfg, NULL, NULL, &diags) == 0);
    CHECK(program_load(&program, &arena, files->spec, &load, &sources, &diags, &err) == 0);
    CHECK(model_from_spec(&arena, &program, &config, &options, &host, &model, &issue) == 0);
    const struct spec *spec = (const struct spec *)model;
    for (size_t i = 0; i < spec->all_ex.n; i++) {
        ret->ex[spec->all_ex.v[i]->op] = true;
    }
    for (size_t i = 0; i < spec->all_act.n; i++) {
        ret->act[spec->all_act.v[i]->op] = true;
    }
    model_free(model);
    strtab_free(strings);
    program_done(&program);
    arena_done(&arena);
}

struct row {
    const char *name, *test;
    bool act;
    uint8_t op;
};
static const struct row rows[] = {
#define EX(NAME, eval, kids, payload, flags, emit, test)  {#NAME, test, false, EX_##NAME},
#define ACT(NAME, eval, kids, payload, flags, emit, test) {#NAME, test, true, ACT_##NAME},
#include "ir/ops.def"
};
enum { NROW = sizeof rows / sizeof rows[0] };

static bool is_elsewhere(const char *test)
{
    return strncmp(test, "golden/", 7) == 0 || strncmp(test, "conform/", 8) == 0;
}

/* Specifications are looked at once, for all the rows that name them. */
TEST(every_operator_occurs_in_its_test)
{
    bool done[NROW] = {false};
    bool good = true;
    for (size_t i = 0; i < NROW; i++) {
        if (done[i] || is_elsewhere(rows[i].test)) {
            continue;
        }
        struct made made = {0};
        struct named files = files_of(rows[i].test);
        look(&files, &made);
        for (size_t k = i; k < NROW; k++) {
            if (strcmp(rows[k].test, rows[i].test) == 0) {
                bool found = rows[k].act ? made.act[rows[k].op] : made.ex[rows[k].op];
                done[k] = true;
                good &= found;
                if (!found) {
                    fprintf(stderr, "%s does not occur in %s\n", rows[k].name, rows[k].test);
                }
            }
        }
    }
    CHECK(good);
}

TEST(other_tests_exist)
{
    for (size_t i = 0; i < NROW; i++) {
        char path[200];
        snprintf(path, sizeof path, "test/%s", rows[i].test);
        CHECK(!is_elsewhere(rows[i].test) || access(path, F_OK) == 0);
    }
}

/* What native operators compute is tested by test/corpus/eval; some need a specification. Each is
 * named there. */
struct corpus {
    const char *dir;
    struct strbuf text;
};

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name);
    return n >= strlen(end) && strcmp(name + n - strlen(end), end) == 0;
}

static void add_file(void *arg, const char *name)
{
    struct corpus *corpus = arg;
    struct arena arena;
    struct str text;
    struct err err = {0};
    if (!ends_with(name, ".t") && !ends_with(name, ".tla")) {
        return;
    }
    arena_init(&arena, 0);
    CHECK(file_read(&arena, path_join(&arena, corpus->dir, name), SIZE_MAX, &text, &err) == 0);
    strbuf_addstr(&corpus->text, text);
    arena_done(&arena);
}

TEST(every_native_operator_is_named_in_the_corpus)
{
    static const char *const dirs[] = {"test/corpus/eval", "test/spec/Tlc", "test/golden/specs"};
    struct corpus corpus = {0};
    bool good = true;
    for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++) {
        corpus.dir = dirs[i];
        dir_each(dirs[i], add_file, &corpus);
    }
    for (size_t i = 0; i < NATIVE_COUNT; i++) {
        if (!strstr(strbuf_cstr(&corpus.text), natives[i].name)) {
            fprintf(stderr, "no file of test/corpus/eval names %s\n", natives[i].name);
            good = false;
        }
    }
    CHECK(good);
    strbuf_done(&corpus.text);
}

/* Flags that exclude or imply each other. */
TEST(rows_are_in_order)
{
    for (size_t i = 0; i < EX_COUNT; i++) {
        const struct ir_op *op = &ir_ex_ops[i];
        CHECK(op->name != NULL);
        CHECK((op->flags & (IR_TOTAL | IR_FAILS)) != (IR_TOTAL | IR_FAILS));
        CHECK(!(op->flags & IR_LAZY) || (op->flags & IR_NAME));
        CHECK(!(op->flags & IR_FOLD) || !(op->flags & (IR_NOW | IR_NEXT | IR_MORE)));
    }
    for (size_t i = 0; i < ACT_COUNT; i++) {
        CHECK(ir_act_ops[i].name != NULL);
        CHECK(!(ir_act_ops[i].flags & (IR_ASSIGNS | IR_KEEPS)) || (ir_act_ops[i].flags & IR_STEP));
    }
}
