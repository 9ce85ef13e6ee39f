/* A search on a device from its beginning to its end. See README.md. */
#include "gpu/gpu.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/env.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "gpu/device.h"
#include "gpu/gpu_int.h"
#include "gpu/source.h"
#include "model/model.h"

const char *const device_kernels[KERNELS] = {"make", "look",   "put",    "judge",
                                             "keep", "rehash", "collect"};

int gpu_open(const struct gpu_options *options, struct gpu **ret_gpu, char *why, size_t why_size)
{
    struct gpu *gpu = vec_grow(NULL, &(size_t){0}, 1, sizeof *gpu);
    memset(gpu, 0, sizeof *gpu);
    gpu->options = *options;
    int rc = 0;
    if (options->kind == GPU_HOST) {
        (void)snprintf(gpu->compiler, sizeof gpu->compiler, "%s",
                       options->compiler ? options->compiler : "cc");
        device_open_host(options->threads, &gpu->device);
    } else {
        rc = device_open_nvidia(options->device, &gpu->device, why, why_size);
        if (rc == 0 && !source_find_clang(options->compiler, gpu->compiler, sizeof gpu->compiler)) {
            (void)snprintf(gpu->compiler, sizeof gpu->compiler, "%s", /* the cache may do */
                           options->compiler ? options->compiler : "clang");
        }
    }
    if (rc != 0) {
        vec_release(gpu);
        return rc;
    }
    *ret_gpu = gpu;
    return 0;
}

void gpu_close(struct gpu *gpu)
{
    if (gpu) {
        gpu->device->ops->close(gpu->device);
        strbuf_done(&gpu->text);
        vec_release(gpu);
    }
}

const char *gpu_name(const struct gpu *gpu)
{
    return gpu->device->name;
}

const char *gpu_why(const struct gpu *gpu)
{
    return gpu->why;
}

void gpu_describe(const struct gpu *gpu, struct strbuf *out)
{
    strbuf_addstr(out, strbuf_str(&gpu->text));
}

void gpu_look(struct gpu_found *ret)
{
    *ret = (struct gpu_found){0};
    device_look_nvidia(ret);
    (void)source_find_clang(env_text("CLANG"), ret->compiler, sizeof ret->compiler);
}

const char *gpu_refuses(const struct model *model, const struct check_options *check)
{
    bool live = model->live && model->live->nprop > 0; /* off: finite behaviours may violate them */
    return check->mode != CHECK_BFS            ? "only a breadth-first search runs there"
           : live                              ? "temporal properties are checked on the CPU"
           : model->naction == 0               ? "there are no actions"
           : check->on_edge || check->on_state ? "a state graph is written by the CPU"
           : check->sink                       ? "a state graph is kept by the CPU"
           : check->reduce_order               ? "partial-order reduction is done by the CPU"
           : check->keep_going                 ? "several violations are looked for by the CPU"
           : check->resume || check->checkpoint_s > 0 ? "checkpoints are written by the CPU"
                                                      : NULL;
}

int gpu_give_up(struct gsearch *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(s->gpu->why, sizeof s->gpu->why, fmt, ap);
    va_end(ap);
    return GPU_GIVE_UP;
}

/* ---- the search ---- */

static int level_run(struct gsearch *s, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; i < s->in.n && rc == 0 && !s->culprit.found && !gpu_interrupted(s); i++) {
        s->current = &s->in.v[i];
        rc = gpu_expand_segment(s, s->current, err);
        s->current = NULL;
        gpu_release(s, &s->in.v[i]);
    }
    return rc;
}

static int search(struct gsearch *s, struct err *err)
{
    gpu_tell(s, CHECK_EV_INIT_START);
    int rc = gpu_initial(s);
    if (rc == 0 && !s->culprit.found) {
        rc = gpu_insert(s, err);
    }
    s->init_distinct = s->distinct;
    s->depth = s->distinct > 0;
    memset(s->action_distinct, 0, s->naction * sizeof *s->action_distinct);
    if (rc == 0 && !s->culprit.found) {
        gpu_tell(s, CHECK_EV_INIT_DONE);
    }
    while (rc == 0 && !s->culprit.found && !gpu_interrupted(s) && s->out_n > 0) {
        rc = gpu_advance(s, err);
        s->depth = s->level;
        rc = rc == 0 ? level_run(s, err) : rc;
        if (rc == 0 && !s->culprit.found && !s->stopped) {
            s->settled += s->in_n;
        }
    }
    s->depth += s->out_n > 0 && s->culprit.found; /* as the CPU counts it */
    return rc;
}

static double since(uint64_t ns)
{
    return (double)(clock_mono_ns() - ns) / 1e9;
}

static void describe(struct gsearch *s, double compile_s, double load_s, double search_s)
{
    struct strbuf *out = &s->gpu->text;
    strbuf_printf(out,
                  "gpu: %s, %.2f s of compiling, %.2f s of loading the code, %.3f s of searching\n",
                  s->d->name, compile_s, load_s, search_s);
    strbuf_printf(out, "  memory: %llu MB, of them %llu MB for %llu places of fingerprints\n",
                  (unsigned long long)(s->used >> 20),
                  (unsigned long long)(s->slots * sizeof(uint64_t) >> 20),
                  (unsigned long long)s->slots);
    strbuf_printf(out,
                  "  host: %llu states expanded, %llu steps judged, in %.2f s; %llu states done "
                  "twice, %llu states spilled\n",
                  (unsigned long long)s->trapped, (unsigned long long)s->judged, s->seconds_host,
                  (unsigned long long)s->again, (unsigned long long)s->spilled);
}

static int prepare_code(struct gpu *gpu, const struct gpu_search *what, double *ret_compile_s,
                        double *ret_load_s, struct err *err)
{
    struct str code;
    const char *why;
    uint64_t begin = clock_mono_ns();
    if (source_compile(what->cgen, gpu->options.kind, gpu->compiler, &code, &why) != 0) {
        (void)snprintf(gpu->why, sizeof gpu->why, "%s", why);
        return GPU_GIVE_UP;
    }
    *ret_compile_s = since(begin);
    begin = clock_mono_ns();
    int rc = gpu->device->ops->load(gpu->device, code, err);
    *ret_load_s = since(begin);
    return rc;
}

static int run(struct gsearch *s, struct check_result **ret_result, struct err *err)
{
    int rc = gpu_crew_new(s, err);
    rc = rc == 0 ? gpu_memory_begin(s, err) : rc;
    rc = rc == 0 ? search(s, err) : rc;
    return rc == 0 ? gpu_settle(s, ret_result, err) : rc;
}

int gpu_run(struct gpu *gpu, const struct gpu_search *what, enum gpu_end *ret_end,
            struct check_result **ret_result, struct err *err)
{
    double compile_s = 0, load_s = 0;
    strbuf_reset(&gpu->text);
    gpu->why[0] = '\0';
    int rc = prepare_code(gpu, what, &compile_s, &load_s, err);
    if (rc == 0) {
        struct gsearch s = {.gpu = gpu,
                            .d = gpu->device,
                            .ops = gpu->device->ops,
                            .what = what,
                            .check = what->check,
                            .model = what->model,
                            .state = what->model->state_size,
                            .naction = what->model->naction,
                            .fresh_rate = 2,
                            .made_rate = 4,
                            .begin_ns = clock_mono_ns()};
        s.told_ns = s.begin_ns;
        arena_init(&s.arena, 0);
        s.action_generated = vec_grow(NULL, &(size_t){0}, s.naction + 1, sizeof(uint64_t));
        s.action_distinct = vec_grow(NULL, &(size_t){0}, s.naction + 1, sizeof(uint64_t));
        memset(s.action_generated, 0, (s.naction + 1) * sizeof(uint64_t));
        memset(s.action_distinct, 0, (s.naction + 1) * sizeof(uint64_t));
        rc = run(&s, ret_result, err);
        describe(&s, compile_s, load_s, since(s.begin_ns));
        gpu_crew_free(&s);
        gpu_memory_end(&s);
        VEC_DONE(&s.left);
        VEC_DONE(&s.retry);
        VEC_DONE(&s.picks);
        vec_release(s.action_generated);
        vec_release(s.action_distinct);
        arena_done(&s.arena);
    }
    *ret_end = rc == GPU_GIVE_UP ? GPU_LEFT : GPU_DONE;
    return rc == GPU_GIVE_UP ? 0 : rc;
}
