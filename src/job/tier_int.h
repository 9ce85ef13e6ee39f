/* Compiled code for a search: what the files about it share. */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "cgen/cgen.h"
#include "check/check.h"
#include "job/job.h"
#include "model/model.h"

struct tiers {
    struct cgen *cgen;
    struct model *compiled;
    const char *why;    /* there is none */
    struct strbuf text; /* description */
    volatile sig_atomic_t yield, cancel;
    volatile sig_atomic_t building; /* check_options.ease */
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool over;         /* under lock: the search has ended by itself */
    bool initial;      /* under lock: it has made all initial states */
    bool begun;        /* initial states were announced */
    bool running;      /* the compiled model is being searched */
    double rate;       /* states that the interpreter generated in a second of processor time */
    uint64_t begin_ns; /* of processor time, when it began */
    bool trial;        /* compiled code is compared with the interpreter */
    bool slow;         /* written by the watcher, read when it has ended */
    pthread_mutex_t making;   /* cgen is used by one thread at a time */
    _Atomic unsigned version; /* of the compiled model that is searched; 0: none yet */
    bool always, never;       /* the search moves, whatever that costs; or never */
    unsigned anew;            /* how often it started again, */
    const char *anew_why;     /* and why the last time */
    bool on_gpu;              /* the result is a device's */
    struct strbuf gpu_text;   /* what it says of its search */
    struct job *job;
    void (*event)(void *arg, enum check_event event, const struct check_progress *progress,
                  const struct check_result *result); /* the caller's */
    void *event_arg;
};

/* ---- tier.c and tier_layout.c, for each other ---- */
struct cgen *tier_cgen(struct tiers *t);
void tier_build_fn(void *arg);
const char *tier_layout_path(struct tiers *t);
/* A checkpoint belongs to one layout. */
uint64_t tier_identity(struct tiers *t);
int tier_layout_write(struct tiers *t, struct err *err);
void tier_layout_forget(struct tiers *t);
/* Makes the compiled model of the search to resume. */
int tier_layout_read(struct tiers *t, struct err *err);
