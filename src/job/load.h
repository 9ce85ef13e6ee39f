/* From files to a model: the one place where a configuration and a spec are read, in TLC's order,
 * for every command.
 *
 * The order matters beyond error messages: TLC numbers strings and model values by first sight and
 * orders them by these numbers, which decides what CHOOSE picks. TLC sees the configuration first,
 * then all the tokens of all modules as they are parsed, then the contents of string literals
 * module by module as they are analysed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "eval/eval.h"
#include "model/model.h"
#include "pluscal/pluscal.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "value/value.h"

struct spec_options {
    const char *path; /* of the root module; ".tla" may be left out */
    const char
        *config; /* .cfg, or a .tla with a CONFIG section; NULL = the spec's name with .cfg */
    const char *const *dirs; /* searched for modules after the directory of the spec */
    size_t ndir;
    const char *const *invariants; /* expressions (-inv, --inv) */
    size_t ninvariant;
    const char *const *constants; /* "N=3", "N<-Op": instead of the configuration's */
    size_t nconstant;
    bool trace_module; /* TLC would also parse what it needs for a trace exploration spec: see
                          intern_order.h */
    void (*parsing)(void *arg, const char *path, bool builtin); /* may be NULL */
    void (*analysed)(void *arg, const char *module);            /* may be NULL */
    void (*loading)(bool begins);                               /* of modules; may be NULL */
    /* What the PlusCal translator says while checksums are compared; may be NULL. */
    void (*pluscal)(void *arg, struct str text);
    void *arg;
    struct eval_options eval; /* `strings`, `invariants` and `spec_dir` are filled in here */
};

struct spec_strings; /* string literals that wait for their module to be analysed */

struct spec {
    struct spec_options options;
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct strtab *strings;
    struct program_options program_options;
    struct program program;
    bool has_program;
    struct config config;
    struct source *config_source; /* NULL when there is none */
    const char *module_path;      /* with .tla */
    const char *config_path;
    struct eval_options eval;
    struct model *model;
    struct eval_issue issue; /* after spec_model failed */
    struct pluscal_options pluscal;
    struct spec_strings *pending;
};

void job_spec_init(struct spec *spec, const struct spec_options *options);
void job_spec_done(struct spec *spec);

/* Each step returns 0, SPEC_DIAGS (see spec->diags) or SPEC_ERR (err is filled). */
enum { SPEC_OK = 0, SPEC_DIAGS = 1, SPEC_ERR = -1 };
/* Whether the root module is a file that can be read: SPEC_OK or SPEC_ERR. */
MUST_USE int job_spec_exists(const struct spec *spec, struct err *err);
MUST_USE int job_spec_config(struct spec *spec, struct err *err);
/* After spec_config: gives a constant another value, written as in a configuration ("3", "{a, b}",
 * "<- Op"). SPEC_OK or SPEC_DIAGS. */
MUST_USE int job_spec_config_assign(struct spec *spec, struct str name, struct str value);
/* The same: these INVARIANT and PROPERTY clauses take the place of those that it has. */
MUST_USE int job_spec_config_judge(struct spec *spec, const char *clauses);
MUST_USE int job_spec_program(struct spec *spec, struct err *err);
/* For a module that is text and no file (eval, repl). */
MUST_USE int job_spec_program_text(struct spec *spec, const char *name, struct str text,
                                   struct err *err);
/* Builds the model: SPEC_OK, SPEC_DIAGS (an --inv expression is wrong), or SPEC_ERR with
 * spec->issue filled. On a big stack only. */
MUST_USE int job_spec_model(struct spec *spec, struct mhost *host);

/* The directories of a list, with colons between them, appended to dirs (arena memory); NULL: none.
 */
void job_dirs_add(struct arena *arena, const char *list, const char ***dirs, size_t *ndir);
/* The directories of some lists, and of TLA_PATH (env.c). */
void job_dirs_all(struct arena *arena, const char *const *lists, size_t n, const char ***dirs,
                  size_t *ndir);
/* The initial predicate as the configuration names it: its name and place. False when it has none.
 */
bool job_spec_init_predicate(const struct spec *spec, const char **ret_name,
                             struct mplace *ret_place);
