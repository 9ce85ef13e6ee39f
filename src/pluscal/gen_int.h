/* What gen.c, gen_stmt.c and gen_spec.c share: the lines of the translation as they grow. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal_int.h"

struct gen {
    struct pcal *p;
    struct arena *arena;
    const struct names *names;
    struct strs *lines; /* complete ones */
    struct strbuf next; /* the line that is being written */
    bool multi;         /* there are processes */
    struct expr *self;  /* the identifier of the process: "self", or what it is equal to */
    bool self_is_self;
    struct str unit; /* its name: the action's, when there is no pc */
    struct strs vars, procedure_vars, process_vars, steps;
    int wrap;
};

/* How often each variable was assigned in a step. */
struct changed {
    const struct strs *vars;
    int *count;
};

/* ---- lines ---- */
void pcal_gen_put(struct gen *g, struct str text);
void pcal_gen_putf(struct gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void pcal_gen_end_line(struct gen *g); /* nothing when it is empty */
void pcal_gen_line(struct gen *g, const char *fmt, ...)
    __attribute__((format(printf, 2, 3))); /* ends the current line, then a line of its own */
void pcal_gen_blank(struct gen *g);        /* ends the current line, then an empty one */
void pcal_gen_expr(struct gen *g, const struct expr *e);
int pcal_gen_column(const struct gen *g); /* where the next text will stand */
const char *pcal_gen_spaces(struct gen *g, int n);

/* ---- expressions ---- */
/* A copy in which variables that have changed are primed, and those of processes and procedures
 * are subscripted with `sub` (NULL: not). */
struct expr *pcal_gen_subscript(struct gen *g, const struct expr *e, const struct expr *sub,
                                const struct changed *c);
/* [self], or NULL in an algorithm without processes. */
struct expr *pcal_gen_self_subscript(struct gen *g, bool in_procedure);
struct expr *pcal_gen_self(struct gen *g);
/* Whether an expression behind "x' = " must stand in parentheses. */
bool pcal_gen_needs_parens(struct gen *g, const struct expr *e);

/* ---- parts ---- */
struct changed pcal_changed_new(struct gen *g, const struct strs *vars);
void pcal_gen_labeled(struct gen *g, const struct node *labeled, bool in_procedure);
void pcal_gen_next(struct gen *g);
void pcal_gen_spec(struct gen *g);
void pcal_gen_termination(struct gen *g);
