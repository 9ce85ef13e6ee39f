/* Compiled models: the same model, made of machine code.
 *
 *   struct cgen *cgen = cgen_new(model, &options);       a model that eval made
 *   if (cgen_build(cgen, &compiled, &why) == 0)           types from samples, C text, compiler
 *       check_run(compiled, ...);
 *   if (cgen_must_widen(cgen))                            a value did not fit: build again; the
 * search goes on with what was built (model->before), or starts again
 *
 * The compiled model speaks for the other one, which must outlive it. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "model/model.h"

struct cgen;

/* How much a compiler is given to do, least first. */
enum cgen_effort {
    CGEN_AT_ONCE, /* by tcc: soon there, slow */
    CGEN_QUICK,   /* by the C compiler, with little optimisation */
    CGEN_WELL
};

struct cgen_options {
    const char *cache_dir; /* where compiled code is kept; NULL: nowhere */
    const char *temp_dir;  /* for files that are not kept; NULL: /tmp */
    const char *compiler;  /* NULL: cc */
    const char *at_once;   /* tcc; NULL: none. Where it fails the other one is called. */
    uint32_t compiler_s;   /* how long it may take; 0: ten minutes */
    uint64_t seed;
    uint64_t samples_max;    /* states that types are learned from; 0: as many as are useful */
    uint32_t walks_ms;       /* of the processor, for finding them; 0: by the effort */
    enum cgen_effort effort; /* at first: see cgen_refine */
    bool keep;               /* leave the C text beside the code */
    bool keep_going;         /* states that violate an invariant are expanded too */
    /* Set to 1 when the search must be left because a value did not fit. */
    volatile sig_atomic_t *leave;
    const volatile sig_atomic_t *interrupt; /* give up; may be NULL */
    /* Asked before a compiler is called for so much text, on the thread that builds: it may wait.
     * False: give up. May be NULL. */
    bool (*may_compile)(void *arg, enum cgen_effort effort, size_t text_bytes);
    void *may_compile_arg;
};

/* Before the model has workers: initial states that it makes are kept from then on. */
struct cgen *cgen_new(struct model *model, const struct cgen_options *options);
void cgen_free(struct cgen *cgen); /* frees the compiled models too; accepts NULL */
/* What was built before stays: it is model->before of what is built now.
 * Returns 0 with a model, or -1 with a reason that lives as long as cgen. On the thread that calls,
 * whose stack must be as large as a worker's. */
int cgen_build(struct cgen *cgen, struct model **ret_model, const char **ret_why);
/* When no worker of them is left: frees the models before the last one. */
void cgen_forget_before(struct cgen *cgen);
/* While a compiled model is searched, from another thread: compiles what was made with less effort
 * again, and puts it in its place. Does nothing where that fails, or `interrupt` is set. */
void cgen_refine(struct cgen *cgen, enum cgen_effort effort);
enum cgen_effort cgen_effort(const struct cgen *cgen); /* that has gone into the code in use */
size_t cgen_text_bytes(const struct cgen *cgen);       /* of what the compiler is given */
bool cgen_must_widen(const struct cgen *cgen);
/* After a build, before a search: false when so much would be left to the interpreter that it is
 * better off alone. Tries some hundred states, on the calling thread, as cgen_build. */
bool cgen_pays(struct cgen *cgen);
/* For people: sizes, types, what is left to the interpreter. */
void cgen_describe(const struct cgen *cgen, struct strbuf *out);
/* After a search: what was left to the interpreter, and how often. */
void cgen_describe_run(const struct cgen *cgen, struct strbuf *out);

/* What of a model that eval made ties a search to one process, since it has effects, prints, draws
 * or counts: the name of an operator; NULL: nothing does. */
const char *cgen_one_process(const struct model *model);

/* What a checkpoint of a compiled search needs besides states: the samples that the layout was made
 * of. A cgen that was given them back builds the same layout. */
void cgen_save(struct cgen *cgen, struct strbuf *out);
bool cgen_restore(struct cgen *cgen, struct str bytes); /* false: they are damaged */
uint64_t cgen_layout(const struct cgen *cgen);          /* differs when the layout does */

/* ---- for another machine (room gpu) ---- */
/* What was built, as C text for a device: types, functions, and lists of those that are to be
 * called. 0, or -1 with a reason that lives as long as cgen: something of it is interpreted. */
int cgen_kernel(struct cgen *cgen, struct strbuf *out, const char **ret_why);

/* A compiler for such text. */
struct cgen_tool {
    const char *command;
    const char *const *flags; /* ends with NULL; `-o OUT IN` follows */
    const char *suffix;       /* of what it makes: "ptx" */
    bool portable;            /* what it makes does not depend on this machine */
};
/* The bytes that the compiler makes of a text, or what it made of it earlier, from the cache. They
 * live as long as cgen. 0, or -1 with a reason. */
int cgen_compile(struct cgen *cgen, const struct cgen_tool *tool, struct str text,
                 struct str *ret_made, const char **ret_why);
