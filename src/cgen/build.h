/* Private to cgen: from C text to code in this process. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

struct build_options {
    const char *cache_dir; /* NULL: none */
    const char *temp_dir;  /* for what is not kept; NULL: /tmp */
    const char *compiler;
    bool keep;
    const volatile sig_atomic_t *interrupt;
};

/* Returns a handle of dlopen, or NULL with *why in the arena. */
void *build_code(struct arena *arena, struct str text, const struct build_options *options,
                 const char **why);
