/* Private to cgen: samples of what variables hold. */
#pragma once

#include <signal.h>
#include <stdint.h>

#include "cgen/csource.h"
#include "eval/worker.h"
#include "value/value.h"

void samples_init(struct samples *samples, uint32_t nvar);
void samples_done(struct samples *samples);
void samples_add(struct samples *samples, struct vctx *ctx, uint32_t var, struct val v);
struct profile_limits {
    uint64_t seed;
    uint64_t budget_ns; /* of the processor, so that a busy machine does not change what is seen */
    uint64_t states;    /* looked at; 0: as many as are useful */
    const volatile sig_atomic_t *stop; /* not zero ends all walks; may be NULL */
};
/* Errors of the spec just end a walk. */
void profile_run(struct spec_worker *w, struct samples *samples,
                 const struct profile_limits *limits);
