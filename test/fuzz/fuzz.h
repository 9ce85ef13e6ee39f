/* What the fuzz targets share. A target is one function; it is linked with libFuzzer (V=fuzz) or
 * with replay.c. */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "eval/native.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Evaluation of a random expression may take for ever: a thread raises the flag that evaluators
 * poll. */
struct fuzz_watchdog {
    volatile sig_atomic_t stop; /* written by the thread, read by the evaluator */
    _Atomic uint64_t deadline_ns;
    pthread_t thread;
    bool started;
};

static inline void *fuzz_watch(void *arg)
{
    struct fuzz_watchdog *dog = arg;
    for (;;) {
        usleep(50000);
        if (clock_mono_ns() > atomic_load(&dog->deadline_ns)) {
            dog->stop = 1;
        }
    }
    return NULL;
}

static inline void fuzz_watchdog_start(struct fuzz_watchdog *dog, uint64_t milliseconds)
{
    dog->stop = 0;
    atomic_store(&dog->deadline_ns, clock_mono_ns() + milliseconds * 1000000);
    if (!dog->started) {
        dog->started = pthread_create(&dog->thread, NULL, fuzz_watch, dog) == 0;
    }
}

/* The modules that ship with assay, without those that reach out of the process. */
static inline const char *fuzz_builtin(const char *name, size_t *ret_len, bool *ret_standard)
{
    static const char *const outside[] = {"IOUtils", "_JsonTrace", "Json",
                                          "CSV",     "SVG",        "GraphViz"};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        if (strcmp(name, outside[i]) == 0) {
            return NULL;
        }
    }
    return modules_find(name, ret_len, ret_standard);
}
