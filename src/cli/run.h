/* What `assay check` and the tlc personality share: running the checker on a loaded spec, and
 * turning its traces into files. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/lock.h"
#include "base/map.h"
#include "base/str.h"
#include "check/check.h"
#include "cli/load.h"
#include "model/model.h"
#include "trace/trace.h"

struct trace_file {
    enum trace_format format;
    const char *path;
};

struct dump_options {
    const char *path; /* NULL = no dump */
    bool dot, colorize, actionlabels, snapshot, constrained, stuttering, strict;
    bool tlc_labels; /* labels of steps as TLC writes them */
};

/* How states are made. */
enum tier {
    TIER_AUTO, /* by the interpreter first, by compiled code when the search takes longer */
    TIER_INTERPRETER,
    TIER_COMPILED
};

struct run {
    struct spec spec;
    struct model *model; /* what is checked: the spec's, or one around it; set by run_check */
    struct check_options check;
    struct mhost host;
    struct mstats stats;
    struct check_handle handle;
    struct check_result *result;
    void (*print)(void *arg, const char *text,
                  size_t len); /* where Print and PrintT go; one call at a time */
    void (*warn)(void *arg, int code,
                 const char *text); /* warnings of the evaluator; the same arg */
    void (*assuming)(void *arg);    /* as the host's; the same arg; may be NULL */
    void *print_arg;
    enum tier tier;
    bool force;           /* a checkpoint in the directory may be discarded */
    struct dir_lock lock; /* of the directory, from run_check to run_done */
    uint64_t reductions;  /* hash of what is left out of fingerprints and searches; 0: nothing */
    struct tiers *tiers;  /* compiled code and what belongs to it; tier.c */
    bool by_chance;       /* another run with as many workers may find another violation */
    bool replaying;       /* the search is over: what is evaluated now has been printed before */
    pthread_mutex_t print_lock;
    /* A search that starts again says what it has said: by the hash of a line, how often it was
     * shown, and how often it came since the start. Under print_lock. */
    struct u64map shown, said;
    bool retold;
};

/* Fills in the host; options->check and the spec's options must be set already. */
void run_init(struct run *run, const struct spec_options *options,
              const struct check_options *check);
void run_done(struct run *run);
/* Runs fn(arg) where evaluation has the stack it may need. */
int run_on_big_stack(int (*fn)(void *arg), void *arg);
/* The search starts (again): what was shown is not shown again. */
void run_retell(struct run *run);
/* The check itself: run->result is set on 0. */
MUST_USE int run_check(struct run *run, struct err *err);
/* The table of strings, as checkpoints carry it. */
void run_strings_put(const struct run *run, struct strbuf *out);
MUST_USE int run_strings_get(struct run *run, struct str data, size_t *ret_used, struct err *err);
/* Hash of what a checkpoint depends on: the text of all modules and the configuration. */
uint64_t run_identity(const struct run *run);
/* Stopped by the spec (TLCSet("exit", TRUE)). */
bool run_stopped_by_spec(void);
/* Are two values of such a trace equal? Those that TLA+ does not compare are different. */
bool run_trace_same(struct vctx *ctx, struct val a, struct val b);

/* A violation's behaviour with its values, which live in the arena and are printed with *ret_ctx.
 */
MUST_USE int run_trace_get(struct run *run, const struct check_violation *violation,
                           struct arena *arena, struct trace *ret, struct vctx *ret_ctx,
                           struct err *err);
/* Labels and parameters of a trace as TLC has them. */
void run_trace_as_tlc(const struct run *run, struct arena *arena, struct trace *trace,
                      struct vctx *ctx);
/* Writes a trace in a format; `path` ends in .tla when the module's name should be taken from it.
 */
MUST_USE int run_trace_write(struct vctx *ctx, struct trace *trace, const struct trace_file *file,
                             struct err *err);
/* TLC's label of a step: the arguments of the operator only (not what \E binds inside it), without
 * spaces between them. */
void run_tlc_label(const struct spec *spec, const struct model *model, uint32_t action,
                   const struct mvalues *args, struct strbuf *out);
uint32_t run_tlc_args(const struct spec *spec,
                      const struct maction *action); /* how many arguments TLC shows */
bool run_tlc_has_args(const struct spec *spec, const struct model *model, uint32_t action);
const char *
run_violation_name(const struct run *run,
                   const struct check_violation *violation); /* of the property; "" when none */
/* The same as the configuration has it. */
const char *run_violation_config(const struct run *run, const struct check_violation *violation);

/* ---- tier.c ---- */
/* Runs the search, in compiled code where that is wanted and possible. */
MUST_USE int tier_check(struct run *run, struct err *err);
void tier_done(struct run *run);
/* What was compiled, for people; nothing when nothing was. */
void tier_describe(const struct run *run, struct strbuf *out);
bool tier_parse(const char *text, enum tier *ret);

/* ---- dump.c ---- */
struct dump;
MUST_USE int dump_open(const struct dump_options *options, const struct spec *spec,
                       struct dump **ret_dump, struct err *err);
void dump_install(struct dump *dump, struct check_options *check);
MUST_USE int dump_close(struct dump *dump,
                        struct err *err); /* completes the file and frees; accepts NULL */
