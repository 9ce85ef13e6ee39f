/* Modules, scopes, definitions: what every name in a program means.
 *
 * program_load parses the root module and everything it EXTENDS or INSTANCEs, resolves every name
 * (node->ref), checks arity and levels, and collects diagnostics. Nothing is substituted: INSTANCE
 * is kept as data (struct instance) for eval to apply when it lowers.
 *
 * What node->ref holds after loading, by node kind:
 *
 * - ID, OP: the struct def that is named. Operators of the language itself (/\ = \in ' ENABLED
 *   DOMAIN TRUE STRING ..., see builtin.c) get a DEF_BUILTIN; + - .. and so on come from modules.
 * - BANG: the def it leads to: an instance's definition (I!Op, def->orig set), or a synthetic
 *   DEF_OP for a subexpression name (Op!2!1, labels). The arguments written along the path are, in
 *   order, those of the def: see bang_args.
 * - APP: nothing; its callee (kid 0) has the ref.
 * - OPDECL, OPDEF, FCNDEF, INSTDEF, named ASSUME and THEOREM, and the IDs that binders introduce
 * (in BOUND, FORALL_U, CHOOSE_U, ...): the def they introduce.
 * - INSTANCE: the struct instance.
 *
 * Everything else: NULL. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/near.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/parse.h"

enum level { LEVEL_CONSTANT, LEVEL_STATE, LEVEL_ACTION, LEVEL_TEMPORAL };

enum def_kind {
    DEF_CONST, /* declared CONSTANT; arity > 0 for operator constants */
    DEF_VAR,   /* declared VARIABLE */
    DEF_OP,    /* definition, also of a function, in a LET, of an instance; named ASSUME, THEOREM */
    DEF_PARAM, /* parameter of an operator, LAMBDA or instance; arity > 0: an operator parameter */
    DEF_BOUND, /* variable of a quantifier, CHOOSE, set or function constructor */
    DEF_INSTANCE, /* a named instance: only before ! */
    DEF_BUILTIN,  /* an operator of the language */
    DEF_MODULE    /* reserved: nested modules are in module.inner */
};

struct instance;
struct module;

struct def {
    enum def_kind kind;
    struct str name; /* canonical; for an instance's definition the full "I!Op" */
    /* Those of parameterised instances on the path come first. DEF_PARAM, or DEF_BOUND in the
     * definition of a subexpression. An instance's definition shares the objects of the original.
     * NULL for operators that are constants, parameters or builtins. */
    struct def **params; /* [arity] */
    uint32_t arity;
    /* DEF_OP: the expression; with is_fcn the N_FCNDEF node. NULL when orig is set, or when it
     * did not parse. */
    struct node *body;
    struct node *decl;     /* the node that introduced it; NULL for builtins */
    struct module *module; /* where it stands in the text */
    bool local;            /* LOCAL, or imported by a LOCAL INSTANCE */
    bool recursive;        /* declared RECURSIVE; functions may refer to themselves always */
    bool is_fcn;
    bool in_let;      /* may use parameters and bound names from around it */
    bool is_theorem;  /* THEOREM or ASSUME name: a definition that may have no usable body */
    enum level level; /* of the body, with parameters taken as constant */
    /* An instance's definition: evaluate orig with inst's substitutions. For I!J!Op orig is J!Op of
     * I's module, and so on. A constant that the innermost instance does not replace may be
     * replaced by one further out: that of the module around a nested one. */
    struct def *orig;
    struct instance *inst;
    uint32_t id;        /* unique in the program */
    bool pending;       /* declared RECURSIVE and not defined yet */
    uint32_t let_depth; /* number of LETs around it */
    void *private_;     /* sem's own: its levels */
};

struct subst {
    struct def *formal; /* DEF_CONST or DEF_VAR of the target module */
    struct node *expr;  /* right of <-, resolved where the INSTANCE stands; NULL for x <- x */
    struct def *actual; /* what an implicit x <- x puts there, or NULL */
};

struct instance {
    struct module *target;
    struct module *module; /* where the INSTANCE stands */
    struct def **params;   /* of I(x, y) == INSTANCE ... */
    uint32_t nparam;
    struct subst *substs; /* for each CONSTANT and VARIABLE of the target, also extended ones */
    uint32_t nsubst;
    struct node *node;
    bool local;
    struct def **members; /* of a named instance: its definitions, with full names */
    uint32_t nmember;
};

struct module {
    struct str name;
    const struct source *source;
    struct node *tree;
    struct module *parent; /* of a nested module */
    bool builtin;          /* ships inside assay */
    /* Names to struct def *: all that are visible, but not those of modules around this one. A
     * named instance is here as DEF_INSTANCE and by its definitions, "I!Op". */
    struct strmap scope;
    struct strmap exported; /* what EXTENDS gives: scope without LOCAL names */
    struct strmap inner;    /* nested modules, also of extended ones: names to struct module * */
    struct def **consts;    /* declared here or in extended modules (those first), in order */
    struct def **vars;
    uint32_t nconst, nvar;
    struct node **assumes;    /* expressions, also of extended modules (those first), in order */
    struct def **assume_defs; /* beside assumes: its name's def or NULL */
    uint32_t nassume;
    struct module **extends; /* direct */
    uint32_t nextend;
    bool resolved;   /* its names have been looked up */
    bool incomplete; /* something was missing or did not parse: unknown names are not reported */
};

struct program {
    struct arena *arena;
    struct sources *sources;
    struct diags *diags;
    struct strmap modules; /* every module read from a file, by name */
    struct module **order; /* as SANY finishes them: what is used before what uses it */
    size_t norder;
    struct module *root;
    uint32_t next_node_id;
    uint32_t next_def_id;
    struct program_options *options;
    void *private_;
};

struct program_options {
    const char *const *paths; /* directories searched after the directory of the spec */
    size_t npath;
    /* Text of a module that ships inside assay, or NULL. A file on the path wins over a built-in
     * community module, as with TLC; for the standard modules (Naturals, Integers, Sequences,
     * FiniteSets, Bags, Reals, TLC, TLCExt, ...) the built-in wins. */
    const char *(*builtin)(const char *name, size_t *ret_len, bool *ret_standard);
    /* The name of the i-th of these, NULL after the last; may be NULL. For "did you mean". */
    const char *(*builtin_name)(size_t i);
    void (*seen)(void *arg, struct str token, bool is_string); /* passed on to the parser */
    void *seen_arg;
    /* A file is about to be parsed; a module has been resolved. May be NULL. */
    void (*parsing)(void *arg, const char *path, bool builtin);
    void (*analysed)(void *arg, const char *module);
    /* The root has been parsed, or a module that another one EXTENDS: once for each that does. */
    void (*extended)(void *arg, const struct source *source, const struct node *tree);
    void *parsing_arg; /* of all three */
};

/* Loads and checks. Returns 0 when there are no errors; the program can be inspected either way.
 * err is for files that cannot be read. */
MUST_USE int program_load(struct program *program, struct arena *arena, const char *path,
                          struct program_options *options, struct sources *sources,
                          struct diags *diags, struct err *err);
/* The same from text already in memory (repl, eval, tests): `source` holds a whole module. */
MUST_USE int program_load_source(struct program *program, struct arena *arena,
                                 const struct source *source, struct program_options *options,
                                 struct sources *sources, struct diags *diags, struct err *err);
void program_done(struct program *program);

/* A definition visible in the root module: "Op", "I!Op". NULL when there is none. */
struct def *program_lookup(const struct program *program, struct str name);
struct def *module_lookup(const struct module *module, struct str name);
/* Parses and resolves an expression in the scope of the root module, as an anonymous DEF_OP of
 * arity 0. NULL with diagnostics on error. */
struct def *program_expression(struct program *program, const struct source *source);
/* Adds a definition to the root module (repl); one that was added before may be replaced. An
 * expression is taken as program_expression does. */
struct def *program_define(struct program *program, const struct source *source);

/* The arguments written along a path, in the order of def->params. `bang` is a BANG, an ID, or an
 * APP of one of them. Returns how many were stored (at most max). */
size_t bang_args(const struct node *bang, struct node **ret_args, size_t max);

/* ---- SANY's linter ---- */
struct lint_clash { /* a field of a record that has the name of something else */
    struct span field;
    struct str name;
    const struct def *def;
};
void module_lint(const struct module *module,
                 void (*each)(void *arg, const struct lint_clash *clash), void *arg);

/* ---- .cfg ---- */
enum cfg_value_kind { CFG_INT, CFG_STRING, CFG_BOOL, CFG_SET, CFG_MODEL };
struct cfg_value {
    enum cfg_value_kind kind;
    struct str text; /* digits, contents or name */
    bool b;
    struct cfg_value **elems; /* CFG_SET */
    size_t nelem;
};
struct cfg_assign {
    struct str lhs;          /* "Foo" or "I!Foo" */
    struct cfg_value **args; /* Foo(1, a) = v */
    size_t narg;
    struct cfg_value *value; /* = value, or NULL */
    struct str replacement;  /* <- name, or empty */
    struct str module;       /* [Module] or empty */
    struct span span;
};
struct cfg_name {
    struct str name;
    struct span span;
};
struct cfg_names {
    struct cfg_name *v;
    size_t n, cap;
};
struct config {
    const char *path;
    struct cfg_name init, next, specification, view, symmetry, alias, periodic,
        rl_reward; /* name empty when absent */
    struct cfg_names invariants, properties, constraints, action_constraints, postconditions,
        possible;
    bool has_check_deadlock, check_deadlock;
    struct cfg_assign *assigns;
    size_t nassign, assign_cap;
    int tlc_code; /* of the first error: 5001 .. 5006; 0 when none */
};
/* Tries every keyword of configurations. */
void config_try_keywords(struct near *near);
/* Parses a configuration. Strings and model values are reported through `seen` in order (TLC
 * interns no other token of it). Errors go to diags (and config->tlc_code). */
MUST_USE int config_parse(struct config *config, struct arena *arena, const struct source *source,
                          void (*seen)(void *arg, struct str token, bool is_string), void *seen_arg,
                          struct diags *diags);
/* The text between "---- CONFIG name ----" and "====" of a .tla file; an empty str when there is
 * none. */
struct str config_section(struct str tla_text);
