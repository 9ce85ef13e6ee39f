/* Private to cgen: from a specification as C text to functions that can be called. */
#pragma once

#include "base/arena.h"
#include "cgen/build.h"
#include "cgen/csource.h"
#include "cgen/host.h"

/* Returns 0 with the code, which is in the arena and needs ret_build, or -1 with *why in the arena.
 * ret_build is to be given back with build_done, in any case. */
int code_load(struct arena *arena, const struct csource *source,
              const struct build_options *options, struct build *ret_build, struct code **ret_code,
              const char **why);
