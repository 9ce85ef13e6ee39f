/* What the files of this room share. */
#pragma once

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/assay.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "job/job.h"
#include "model/model.h"
#include "trace/trace.h"
#include "value/value.h"

/* ---- text for the caller (text.c) ---- */
/* A copy that assay_free frees. */
char *api_text(struct str text);
/* Gives *error a text, if there is a place for it; returns -1. */
int api_fail(char **error, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same without a newline at the end. */
int api_fail_text(char **error, struct str text);
void api_clear(char **error);
/* The fields of a caller's structure that it has, the rest zero. `size` is that of ours. */
void api_take(void *ret, size_t size, const void *from);

/* ---- a thread for an object (desk.c) ----
 * What an object does, it does in a thread of its own, with a stack for evaluation: programs of a
 * world can only be stopped by the thread that has started them. */
struct desk {
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_mutex_t call; /* held while somebody waits for an answer */
    pthread_cond_t news;
    void (*fn)(void *arg);
    void *arg;
    bool open, ending, failed;
};
MUST_USE int api_desk_open(struct desk *desk, char **error);
/* Runs fn(arg) there and waits. */
void api_desk_do(struct desk *desk, void (*fn)(void *arg), void *arg);
void api_desk_close(struct desk *desk); /* accepts a zeroed one */

/* ---- what worlds need of this process (host.c) ----
 * From here until the last one leaves. A signal for world_spec, or -1 with a text. */
MUST_USE int api_host_enter(char **error);
void api_host_leave(void); /* after the world's thread has ended */

/* ---- a job that traces may outlive (spec.c) ---- */
struct api_job {
    struct job job;
    struct arena arena; /* of its setup */
    _Atomic unsigned users;
};
struct api_job *api_job_new(const struct assay_spec *spec, const struct check_options *check,
                            struct stop_flags *flags);
void api_job_release(struct api_job *job); /* accepts NULL */
/* 0, or -1 with a text. On a big stack. */
MUST_USE int api_job_load(struct api_job *job, char **error);

struct assay_trace {
    struct trace trace;
    struct arena arena;
    struct vctx ctx;
    struct api_job *job;    /* whose strings the values name; NULL: */
    struct strtab *strings; /* they are its own */
    _Atomic unsigned users;
};
struct assay_trace *api_trace_new(struct api_job *job);

struct api_state {
    const void *bytes;
    size_t n;
    uint64_t level;
};
struct assay_spec {
    struct desk desk;
    struct arena arena; /* of the options */
    struct spec_options options;
    struct api_job *job; /* for evaluating and walking */
    struct stop_flags flags;
    struct mworker *worker, *probe;
    VEC(struct api_state) states; /* by number - 1 */
    struct u64map known;          /* hash of bytes and level to number */
};
/* Runs fn(arg) in the specification's thread; assay_stop ends it. */
void api_spec_do(struct assay_spec *spec, void (*fn)(void *arg), void *arg);
