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
/* Walks for so much CPU time at most, so that a busy machine does not change what is seen; errors
 * of the spec just end a walk. `*stop` not zero ends them all. */
void profile_run(struct spec_worker *w, struct samples *samples, uint64_t seed, uint64_t budget_ns,
                 const volatile sig_atomic_t *stop);
