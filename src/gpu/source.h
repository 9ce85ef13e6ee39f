/* Private to gpu: the text that is compiled for a device, and by what. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "cgen/cgen.h"
#include "gpu/gpu.h"

enum { GPU_STACK_BYTES = 16384 }; /* of a thread, for recursive functions */

extern const char gpu_kernel_text[]; /* launch.h and device/kernel.c */

/* The clang to call: `wanted`, or (NULL) the first of those known that is installed. False: it is
 * not there. */
bool source_find_clang(const char *wanted, char *ret, size_t size);
/* What the compiler makes of the specification for the device. 0, or -1 with a reason that lives as
 * long as cgen. */
int source_compile(struct cgen *cgen, enum gpu_kind kind, const char *compiler,
                   struct str *ret_code, const char **ret_why);
