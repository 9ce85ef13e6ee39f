/* Tools and places that the environment names. */
#include "base/env.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/status.h"
#include "base/teller.h"
#include "check/check.h"
#include "job/job.h"

const char *job_cache_dir(struct arena *arena)
{
    const char *dir = env_get("ASSAY_CACHE");
    if (dir != NULL) {
        return dir[0] != '\0' ? dir : NULL;
    }
    dir = env_text("XDG_CACHE_HOME");
    if (dir != NULL && dir[0] == '/') {
        return arena_printf(arena, "%s/assay", dir);
    }
    dir = env_text("HOME");
    return dir != NULL && dir[0] == '/' ? arena_printf(arena, "%s/.cache/assay", dir) : NULL;
}

static unsigned long number_of(const char *name)
{
    const char *text = env_text(name);
    return text != NULL ? strtoul(text, NULL, 10) : 0;
}

void job_setup_env(struct job_setup *ret, struct arena *arena)
{
    const char *at_once = env_get("TCC"); /* empty: none is wanted */
    const char *move = env_text("ASSAY_MOVE");
    const char *tier = env_text("ASSAY_TIER"); /* for those who cannot pass options */
    *ret = (struct job_setup){
        .cache_dir = job_cache_dir(arena),
        .temporary_dir = env_text("TMPDIR"),
        .compiler = env_text("CC"),
        .clang = env_text("CLANG"),
        .at_once = at_once == NULL      ? "tcc"
                   : at_once[0] != '\0' ? at_once
                                        : NULL,
        .compiler_s = (uint32_t)number_of("ASSAY_COMPILER_SECONDS"),
        .samples_max = number_of("ASSAY_SAMPLES"),
        .keep_code = env_get("ASSAY_KEEP_CODE") != NULL,
        .move_always = move != NULL && strcmp(move, "always") == 0,
        .move_never = move != NULL && strcmp(move, "never") == 0,
        .tier = TIER_AUTO,
    };
    if (tier != NULL) {
        (void)tier_parse(tier, &ret->tier);
    }
}

void job_init_here(struct job *job, const struct spec_options *options,
                   const struct check_options *check, const struct teller *teller)
{
    struct arena arena;
    struct job_setup setup;
    arena_init(&arena, 0);
    job_setup_env(&setup, &arena);
    job_init(job, options, check, &setup, teller->flags);
    if (setup.cache_dir != NULL) {
        job->setup.cache_dir =
            arena_strndup(&job->spec.arena, setup.cache_dir, strlen(setup.cache_dir));
    }
    job->ask = teller->ask;
    job->spec.options.loading = teller->loading;
    arena_done(&arena);
}

/* ---- stacks ---- */
struct call {
    int (*fn)(void *arg);
    void *arg;
    int result;
};

static void call_fn(void *arg)
{
    struct call *call = arg;
    call->result = call->fn(call->arg);
}

int job_on_big_stack(const struct teller *teller, int (*fn)(void *arg), void *arg)
{
    struct call call = {.fn = fn, .arg = arg};
    struct err err = {0};
    if (check_on_big_stack(call_fn, &call, &err) != 0) {
        (void)fprintf(teller->err, "assay: %s\n", err.text);
        return EXIT_OTHER;
    }
    return call.result;
}

void job_dirs_all(struct arena *arena, const char *const *lists, size_t n, const char ***dirs,
                  size_t *ndir)
{
    for (size_t i = 0; i < n; i++) {
        job_dirs_add(arena, lists[i], dirs, ndir);
    }
    job_dirs_add(arena, env_text("TLA_PATH"), dirs, ndir);
}
