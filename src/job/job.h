/* A job: a specification and its configuration, checked. Whoever has one loads it (load.h), fills
 * in what is to be told and how to search, calls job_check and reads the result. Nothing is printed
 * here, nothing ends the process, and jobs share nothing: several run in one process at a time.
 *
 * What is evaluated needs a big stack (check_on_big_stack). */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/lock.h"
#include "base/map.h"
#include "base/str.h"
#include "base/teller.h"
#include "check/check.h"
#include "job/load.h"
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

#define JOB_STOPPED (-1) /* in stop_flags.stop: the specification said so */

/* Whether a GPU searches. */
enum job_gpu {
    JOB_GPU_OFF,
    JOB_GPU_AUTO, /* if there is one and it can; else a warning says why not */
    JOB_GPU_ON,   /* job_check fails where there is none */
    JOB_GPU_HOST  /* the same code on the processors: for tests */
};

/* Tools and places of whoever runs jobs; job_setup_env reads them from the environment. */
struct job_setup {
    const char *cache_dir;        /* of compiled code; NULL: none is kept */
    const char *temporary_dir;    /* NULL: /tmp */
    const char *compiler;         /* NULL: cc */
    const char *clang;            /* makes code for GPUs; NULL: one that is found */
    const char *at_once;          /* a compiler that takes no time (tcc); NULL: none */
    uint32_t compiler_s;          /* limit for one call; 0: the default */
    size_t samples_max;           /* tests: types that are too narrow; 0: the default */
    bool keep_code;               /* what was compiled stays, to be looked at */
    bool move_always, move_never; /* tests: see tier.c */
    enum tier tier;               /* instead of TIER_AUTO */
};

struct job {
    struct spec spec;
    struct model *model; /* what is checked: the spec's, or one around it; set by job_check */
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
    int (*ask)(void *arg); /* as the host's, after the question; may be NULL: nobody is there */
    void *print_arg;
    struct stop_flags *flags; /* its own, unless the caller has some */
    struct stop_flags own_flags;
    struct job_setup setup;
    enum tier tier;
    enum job_gpu gpu;
    unsigned gpu_device;   /* its number */
    uint64_t gpu_bytes;    /* of its memory; 0: nearly all */
    struct ranks *ranks;   /* several processes do this together; NULL: this one is alone */
    const char *alone_why; /* rank 0 does all of it; set by job_check */
    bool force;            /* a checkpoint in the directory may be discarded */
    struct dir_lock lock;  /* of the directory, from job_check to job_done */
    uint64_t reductions;   /* hash of what is left out of fingerprints and searches; 0: nothing */
    struct tiers *tiers;   /* compiled code and what belongs to it; tier.c */
    bool by_chance;        /* another run with as many workers may find another violation */
    bool replaying;        /* the search is over: what is evaluated now has been printed before */
    pthread_mutex_t print_lock;
    /* A search that starts again says what it has said: by the hash of a line, how often it was
     * shown, and how often it came since the start. Under print_lock. */
    struct u64map shown, said;
    bool retold;
};

/* `flags` may be NULL. Texts of the options and of the setup outlive the job. */
void job_init(struct job *job, const struct spec_options *options,
              const struct check_options *check, const struct job_setup *setup,
              struct stop_flags *flags);
/* What ASSAY_CACHE, ASSAY_TIER, CC, TCC, TMPDIR and the rest say (env.c). Texts live in the arena,
 * or are the environment's. */
void job_setup_env(struct job_setup *ret, struct arena *arena);
/* job_init with the tools that the environment names, for a process: the teller's flags stop the
 * job, it is told when files are read, and asked when the specification asks somebody (env.c). */
void job_init_here(struct job *job, const struct spec_options *options,
                   const struct check_options *check, const struct teller *teller);
/* Runs fn(arg) where evaluation has the stack it may need: its result, or EXIT_OTHER after a
 * message. */
int job_on_big_stack(const struct teller *teller, int (*fn)(void *arg), void *arg);
/* Where things are kept that can be made again: $ASSAY_CACHE, else the user's cache directory;
 * NULL: nowhere. */
const char *job_cache_dir(struct arena *arena);
void job_done(struct job *job);
/* From the files to job->spec.model in two steps: the configuration and the modules, then the
 * model. What is wrong is in `err`, in job->spec.diags (where warnings are, too), or in
 * job->spec.issue. On a big stack. */
enum job_loaded {
    JOB_LOADED,
    JOB_NO_SPEC,    /* err */
    JOB_NO_CONFIG,  /* err */
    JOB_BAD_CONFIG, /* diags */
    JOB_UNREADABLE, /* err: of a module */
    JOB_BAD_SPEC,   /* diags */
    JOB_NO_MODEL    /* issue */
};
MUST_USE enum job_loaded job_read(struct job *job, struct err *err);
MUST_USE enum job_loaded job_make(struct job *job);
/* The exit status of a failure to load. */
int job_load_status(const struct job *job, enum job_loaded loaded);
/* The search starts (again): what was shown is not shown again. */
void job_retell(struct job *job);
/* The check itself: job->result is set on 0. */
MUST_USE int job_check(struct job *job, struct err *err);
/* The table of strings, as checkpoints carry it. */
void job_strings_put(const struct job *job, struct strbuf *out);
MUST_USE int job_strings_get(struct job *job, struct str data, size_t *ret_used, struct err *err);
/* Hash of what a checkpoint depends on: the text of all modules and the configuration. */
uint64_t job_identity(const struct job *job);
/* Stopped by the spec (TLCSet("exit", TRUE)). */
bool job_stopped_by_spec(const struct job *job);
/* What ended a finished search before everything was seen. */
enum job_stop {
    JOB_STOP_NONE, /* nothing did */
    JOB_STOP_INTERRUPTED,
    JOB_STOP_TIME,  /* stop_after_ns */
    JOB_STOP_DEPTH, /* a limit of the depth */
    JOB_STOP_SPEC   /* TLCSet("exit", TRUE) */
};
enum job_stop job_stopped_by(const struct job *job);
/* The exit status of a finished search: TLC's, for the first violation; or what ended it. */
int job_status(const struct job *job);
const char *job_verdict_name(enum verdict verdict);
static inline bool job_stopping(const struct job *job)
{
    return __atomic_load_n(&job->flags->stop, __ATOMIC_RELAXED) != 0;
}
/* Are two values of such a trace equal? Those that TLA+ does not compare are different. */
bool job_trace_same(struct vctx *ctx, struct val a, struct val b);

/* A violation's behaviour with its values, which live in the arena and are printed with *ret_ctx.
 */
MUST_USE int job_trace_get(struct job *job, const struct check_violation *violation,
                           struct arena *arena, struct trace *ret, struct vctx *ret_ctx,
                           struct err *err);
/* Labels and parameters of a trace as TLC has them. */
void job_trace_as_tlc(const struct job *job, struct arena *arena, struct trace *trace,
                      struct vctx *ctx);
/* Writes a trace in a format; `path` ends in .tla when the module's name should be taken from it.
 */
MUST_USE int job_trace_write(struct vctx *ctx, struct trace *trace, const struct trace_file *file,
                             struct err *err);
/* The variables of one of its states, as an object of JSON with values as in ITF. */
MUST_USE int job_trace_state(struct vctx *ctx, const struct trace *trace, size_t at,
                             struct strbuf *out, struct err *err);
/* TLC's label of a step: the arguments of the operator only (not what \E binds inside it), without
 * spaces between them. */
void job_tlc_label(const struct spec *spec, const struct model *model, uint32_t action,
                   const struct mvalues *args, struct strbuf *out);
uint32_t job_tlc_args(const struct spec *spec,
                      const struct maction *action); /* how many arguments TLC shows */
bool job_tlc_has_args(const struct spec *spec, const struct model *model, uint32_t action);
const char *
job_violation_name(const struct job *job,
                   const struct check_violation *violation); /* of the property; "" when none */
/* The same as the configuration has it. */
const char *job_violation_config(const struct job *job, const struct check_violation *violation);

/* ---- tier.c ---- */
/* Why several processes cannot do this search together; NULL: they can. */
const char *tier_alone(struct job *job);
/* Runs the search, in compiled code where that is wanted and possible. */
MUST_USE int tier_check(struct job *job, struct err *err);
void tier_done(struct job *job);
/* What was compiled, for people; nothing when nothing was. */
void tier_describe(const struct job *job, struct strbuf *out);
bool tier_parse(const char *text, enum tier *ret);

/* ---- dump.c ---- */
struct dump;
MUST_USE int dump_open(const struct dump_options *options, const struct spec *spec,
                       struct dump **ret_dump, struct err *err);
void dump_install(struct dump *dump, struct check_options *check);
MUST_USE int dump_close(struct dump *dump,
                        struct err *err); /* completes the file and frees; accepts NULL */
