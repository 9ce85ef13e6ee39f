/* Private to the room: the state of one load and of one module that is being resolved. */
#pragma once

#include "base/vec.h"
#include "sem/sem.h"

/* Everything of a program that users of sem.h do not need. */
struct sem {
    struct program *program;
    struct strmap builtins;       /* canonical name -> DEF_BUILTIN */
    VEC(struct module *) modules; /* all of them, nested ones too: they own maps */
    VEC(struct punit *) units;    /* files in the order in which they were parsed */
    struct strmap unit_by_name;   /* module name -> struct punit * */
    struct str spec_dir;          /* directory of the root file */
    const struct source *root_source;
    VEC(struct def *) repl; /* definitions made by program_define: they may be made again */
    struct levels *levels;
};

/* A module as dependency analysis sees it, before names are resolved. */
struct pmodule {
    struct node *tree;
    struct punit *unit;
    struct pmodule *parent;
    struct module *module;        /* once it has been resolved (or is being) */
    struct strmap context;        /* module name -> struct pmodule * known at this point */
    VEC(struct node *) extends;   /* ID nodes */
    VEC(struct node *) instances; /* INSTANCE nodes */
    VEC(struct pmodule *) inner;
    uint64_t visit; /* stamp of the last walk that came here */
};

/* A file with one module. */
struct punit {
    struct str name;
    const struct source *source; /* NULL when it could not be had */
    struct pmodule *root;        /* NULL when it did not parse */
    VEC(struct punit *) extendees;
    VEC(struct punit *) instancees;
    bool builtin;
    bool broken; /* parsed with errors */
    bool ordered;
    uint64_t visit;
};

struct binding {
    struct str name;
    struct def *before; /* what the name meant outside */
};

/* The labels of one definition: parameters of binders between the definition and the place we are
 * at. */
struct label_frame {
    size_t params_begin; /* in resolver.label_params */
    size_t labels_begin; /* in resolver.labels */
};

/* One module being resolved. */
struct resolver {
    struct sem *sem;
    struct module *module;
    struct pmodule *pmodule;
    struct strmap locals;       /* name -> struct def *: parameters, bound names, LET definitions */
    VEC(struct binding) stack;  /* undo list of locals */
    VEC(struct def *) defining; /* definitions whose bodies we are in */
    VEC(struct str) defining_names;
    VEC(struct def *) pending; /* RECURSIVE operators without a definition */
    VEC(struct def *) label_params;
    VEC(struct node *) labels;
    VEC(struct label_frame) label_frames;
    VEC(struct node *) spine; /* see resolve_expr */
    struct strmap unknown;    /* names already reported */
    uint32_t let_depth;
    uint32_t except_depth; /* right sides of EXCEPT around us */
    uint32_t depth;        /* of recursion */
};

#define SEM_DEPTH_MAX 20000

/* ---- scope.c ---- */
struct def *def_new(struct sem *sem, enum def_kind kind, struct str name, struct module *module,
                    struct node *decl);
struct module *module_new(struct sem *sem, struct str name, const struct source *source,
                          struct node *tree, struct module *parent);
struct diag *sem_report(struct resolver *r, enum diag_code code, struct span span, const char *fmt,
                        ...) __attribute__((format(printf, 4, 5)));
void sem_first_here(struct resolver *r, struct diag *diag, const struct def *def);
struct def *scope_find(const struct resolver *r, struct str name);
size_t scope_enter(const struct resolver *r);
void scope_leave(struct resolver *r, size_t mark);
void scope_bind(struct resolver *r, struct str name, struct def *def);
void scope_put(struct resolver *r, struct str name, struct def *def, bool local);
bool scope_declare(struct resolver *r, struct def *def, struct span span, bool local);
const struct def *def_origin(const struct def *def);
bool module_parameter_free(const struct module *module);
void scope_unknown(struct resolver *r, struct str name, struct span span);
const char *def_kind_words(const struct def *def);
struct span sem_name_span(const struct node *node);

/* ---- builtin.c ---- */
void builtin_init(struct sem *sem);
const char *
builtin_module_of(struct str name); /* the standard module that defines a name, for hints; NULL */
/* Levels of an operator of the language: its own, and per argument the highest allowed and whether
 * it passes on. */
struct builtin_levels {
    enum level level;
    enum level max[2];
    bool weight[2];
};
struct builtin_levels builtin_levels(struct str name);

/* ---- unit.c ---- */
struct module *module_resolve(struct sem *sem, struct pmodule *pmodule, struct resolver *outer);
void resolve_definition(struct resolver *r, struct node *unit, bool in_let);
void resolver_init(struct resolver *r, struct sem *sem, struct module *module,
                   struct pmodule *pmodule);
void resolver_done(struct resolver *r);
void resolve_pending_check(struct resolver *r, size_t from);

/* ---- resolve.c ---- */
void resolve_expr(struct resolver *r, struct node *node);
/* Where an argument stands, for messages: number `index` (from 0) of an operator, or what is
 * substituted for a name. */
struct arg_role {
    struct str name;
    size_t index;
    bool subst;
};
/* An argument where an operator of `arity` is expected (0: an expression). */
void resolve_arg(struct resolver *r, struct node *node, uint32_t arity, struct arg_role role);
void resolve_param(struct resolver *r, struct node *opdecl, struct def **ret);
/* Arguments for the parameters of def from number `from` on. */
void resolve_args(struct resolver *r, const struct def *def, uint32_t from,
                  struct node *const *args, size_t n);
/* Arguments of something unknown: nothing is expected of them. */
void resolve_args_loosely(struct resolver *r, struct node *const *args, size_t n);
/* Whether def can stand as an expression (arity 0) or operator argument of the given arity, apart
 * from its number of arguments. */
bool def_first_order(const struct def *def);
bool def_usable(struct resolver *r, const struct def *def, struct span span);
void resolve_bounds(struct resolver *r, struct node *const *bounds, uint32_t n);
void label_frame_push(struct resolver *r);
void label_frame_pop(struct resolver *r);

/* ---- instance.c ---- */
struct instance *resolve_instance(struct resolver *r, struct node *node, struct def **params,
                                  uint32_t nparam, bool local);
void import_unnamed(struct resolver *r, struct instance *inst, struct span span);
void import_named(struct resolver *r, struct str name, struct instance *inst, struct node *decl,
                  bool local);
struct module *module_find(struct resolver *r, struct str name);
/* The definition that a named instance gives a full name such as "I!Op". NULL when there is none.
 */
struct def *instance_member(const struct def *instance, struct str name);
struct def *instance_wrap(struct resolver *r, struct str name, struct def *orig,
                          struct instance *inst, struct node *decl);

/* ---- selector.c ---- */
/* Follows a path of names and selectors. Sets node->ref of the BANG (or ID) nodes. `expected_arity`
 * as in resolve_arg. */
void resolve_path(struct resolver *r, struct node *node, uint32_t expected_arity);

/* ---- level.c ---- */
void levels_init(struct sem *sem);
void levels_done(struct sem *sem);
void levels_module(struct sem *sem, struct module *module);
void levels_def(struct sem *sem, struct module *module, struct def *def);

/* ---- depend.c ---- */
int depend_load(struct sem *sem, const struct source *root, struct str name);
/* Reads the modules that an expression INSTANCEs and nobody has read so far. */
void depend_more(struct sem *sem, struct node *tree);
