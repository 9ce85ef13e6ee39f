/* Private to cgen: from C text to code in this process. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/cgen.h"
#include "cgen/csource.h"

struct build_options {
    const char *cache_dir; /* NULL: none */
    const char *temp_dir;  /* for what is not kept; NULL: /tmp */
    const char *compiler;
    const char *at_once; /* tcc; NULL: none, CGEN_QUICK is the least */
    uint32_t limit_s;    /* for the compiler; 0: ten minutes */
    bool keep;
    enum cgen_effort effort; /* at least; better code that is in the cache is taken */
    const volatile sig_atomic_t *interrupt;
    /* Asked before a compiler is called for so much text; false: do not. May be NULL. */
    bool (*may_compile)(void *arg, enum cgen_effort effort, size_t text_bytes);
    void *may_compile_arg;
};

/* A function that the host calls. */
struct build_part {
    const struct cfunction *function;
    const void *code; /* NULL: not there yet */
};

/* A file of code that is loaded, and its descriptor, which names it. */
struct build_file {
    void *handle;
    int fd;
};

struct build {
    struct str prelude;
    struct str shared; /* text that all functions may use */
    uint64_t layout;   /* hash of what all of them depend on */
    VEC(struct build_part) part;
    size_t compiled;         /* how many of them were compiled now */
    enum cgen_effort effort; /* the least of all parts */
    int cache;               /* its directory, while code is looked for; -1: none */
    VEC(struct build_file) loaded;
};

/* Finds code for all parts, in the cache or by compiling those that are not there. Returns 0, or -1
 * with *why in the arena. */
int build_code(struct arena *arena, struct build *build, const struct build_options *options,
               const char **why);
void build_done(struct build *build); /* the code is gone, too */

/* What another compiler makes of a text, from the cache if it is there; bytes and reason in the
 * arena. 0 or -1. */
int build_text(struct arena *arena, const struct build_options *options,
               const struct cgen_tool *tool, struct str text, struct str *ret_made,
               const char **ret_why);
