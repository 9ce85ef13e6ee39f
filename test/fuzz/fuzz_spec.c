/* A module and a configuration, separated by a line "%%CFG": builds the model and explores a few of
 * its states. */
#include "base/arena.h"
#include "eval/eval.h"
#include "fuzz.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"

enum { STATES_MAX = 30 };

struct explorer {
    struct strbuf states[STATES_MAX];
    size_t n;
    struct fuzz_watchdog *dog;
};

static int keep_state(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct explorer *explorer = arg;
    const struct model_ops *ops = worker->model->ops;
    SCOPED_STRBUF label = {0};
    int prop = -1;
    (void)cand;
    if (explorer->dog->stop || explorer->n == STATES_MAX) {
        return 1;
    }
    if (ops->in_model(worker) == 1 &&
        ops->check(worker, 1U << MPROP_INVARIANT | 1U << MPROP_ACTION | 1U << MPROP_INIT, 0,
                   &prop) == MODEL_OK) {
        ops->label(worker, &label);
        ops->save(worker, &explorer->states[explorer->n++]);
    }
    return 0;
}

static void explore(struct model *model, struct fuzz_watchdog *dog)
{
    struct explorer explorer = {.dog = dog};
    struct mworker *worker = NULL;
    struct err err = {0};
    SCOPED_STRBUF text = {0};
    if (model->ops->worker_new(model, 0, 1, &worker, &err) != 0) {
        return;
    }
    int status = model->ops->init(worker, keep_state, &explorer);
    for (size_t i = 0; status >= 0 && i < explorer.n && !dog->stop; i++) {
        struct strbuf *state = &explorer.states[i];
        status = model->ops->load(worker, state->p, state->n, i + 1);
        if (status >= 0) {
            status = model->ops->print(worker, true, false, &text);
        }
        if (status >= 0) {
            status = model->ops->next(worker, keep_state, &explorer);
        }
    }
    for (size_t i = 0; i < STATES_MAX; i++) {
        strbuf_done(&explorer.states[i]);
    }
    model->ops->worker_free(worker);
}

static void run(struct arena *arena, struct str module, struct str cfg)
{
    static struct fuzz_watchdog dog; /* its thread outlives the call */
    struct sources sources;
    struct diags diags;
    struct config config = {0};
    struct program program = {0};
    struct program_options options = {.builtin = fuzz_builtin};
    struct err err = {0};
    sources_init(&sources, arena);
    diags_init(&diags, arena);
    struct source *cfg_source = sources_add(&sources, "fuzz.cfg", str_dup(arena, cfg), false);
    struct source *tla_source = sources_add(&sources, "fuzz.tla", str_dup(arena, module), false);
    if (config_parse(&config, arena, cfg_source, NULL, NULL, &diags) != 0) {
        return;
    }
    if (program_load_source(&program, arena, tla_source, &options, &sources, &diags, &err) == 0) {
        struct strtab *strings = strtab_new();
        struct eval_options eval = {
            .strings = strings, .set_size_max = 2000, .scratch_bytes_max = 64 << 20, .seed = 1};
        struct mhost host = {.interrupt = &dog.stop, .mode = "bfs", .workers = 1};
        struct eval_issue issue = {0};
        struct model *model = NULL;
        fuzz_watchdog_start(&dog, 1000);
        if (model_from_spec(arena, &program, &config, &eval, &host, &model, &issue) == 0) {
            model->host = &host;
            explore(model, &dog);
            model_free(model);
        }
        strtab_free(strings);
    }
    program_done(&program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "\n%%CFG\n";
    struct str module = {(const char *)data, size};
    struct str cfg = STR("INIT Init\nNEXT Next\nINVARIANT Inv\n");
    const char *at = size > 0 ? memmem(data, size, mark, sizeof mark - 1) : NULL;
    if (at != NULL) {
        module.n = (size_t)(at - module.p) + 1;
        cfg =
            (struct str){at + sizeof mark - 1, size - (size_t)(at - module.p) - (sizeof mark - 1)};
    }
    struct arena arena;
    arena_init(&arena, 0);
    run(&arena, module, cfg);
    arena_done(&arena);
    return 0;
}
