/* Breadth-first search of a compiled specification on a GPU.
 *
 *   struct gpu *gpu;
 *   if (gpu_open(&options, &gpu, why, sizeof why) == 0)      a device, and a compiler for it
 *       gpu_search(gpu, &search, &result, &err);
 *   gpu_close(gpu);
 *
 * The device runs the functions that cgen emits, behind a search of its own (device/kernel.c). What
 * it cannot do comes back to the compiled model, state by state; so counts, depth and verdict are
 * those of check_run. Behaviours of what is violated are made by check_run, along the path that was
 * found. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "cgen/cgen.h"
#include "check/check.h"
#include "model/model.h"

struct gpu;

enum gpu_kind {
    GPU_NVIDIA,
    GPU_HOST /* the same code on the processors of this machine: for tests */
};

struct gpu_options {
    enum gpu_kind kind;
    unsigned device;        /* which of them, from 0 */
    unsigned threads;       /* GPU_HOST: how many */
    const char *compiler;   /* of C for the device; NULL: the first clang that is found */
    uint64_t device_bytes;  /* how much of its memory; 0: nine tenths of what is free */
    uint64_t segment_bytes; /* tests: of states that are kept together; 0: by the memory */
};

/* 0, or -1 with what is missing, in one line. */
MUST_USE int gpu_open(const struct gpu_options *options, struct gpu **ret_gpu, char *why,
                      size_t why_size);
void gpu_close(struct gpu *gpu); /* accepts NULL */
const char *gpu_name(const struct gpu *gpu);

/* What is to be searched. */
struct gpu_search {
    struct cgen *cgen;
    struct model *model; /* that cgen built last */
    const struct check_options *check;
};

enum gpu_end {
    GPU_DONE, /* with a result */
    GPU_LEFT  /* the CPU must do it: gpu_why says why; or types must be widened (cgen_must_widen) */
};

/* Is this a search for the device? NULL, or why not, in one line. */
const char *gpu_refuses(const struct model *model, const struct check_options *check);
/* Runs it to its end. Negative: the outside world failed. On a big stack. */
MUST_USE int gpu_run(struct gpu *gpu, const struct gpu_search *what, enum gpu_end *ret_end,
                     struct check_result **ret_result, struct err *err);
const char *gpu_why(const struct gpu *gpu); /* after GPU_LEFT */
/* For people: what the last search took. */
void gpu_describe(const struct gpu *gpu, struct strbuf *out);

/* ---- for people who ask what there is ---- */
struct gpu_found {
    bool driver;        /* libcuda is there, and starts */
    unsigned devices;   /* that it sees */
    char text[256];     /* its version and the first device; or what is missing */
    char compiler[256]; /* the first clang that makes code for it; empty: none */
};
void gpu_look(struct gpu_found *ret);
