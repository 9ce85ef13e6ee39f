/* A mapping file (docs/MAPPING.md): how a specification and a cluster belong together. Actions
 * become events of the engine; what can be seen of the programs becomes TLA+ values, which must
 * equal what the specification says.
 *
 * Three steps: map_read takes the file apart; map_bind, once the modules are loaded, turns every
 * expression into an operator of the specification; map_check, once the model is made, compares
 * names with those that the model knows. Everything lives in the arena given to map_read; mistakes
 * go to the diagnostics, with their places in the file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "model/model.h"
#include "run/cluster.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "value/value.h"

struct arena;

/* Names that expressions may use, by where they stand. */
enum { MAP_PARAMS_MAX = 16 };
struct map_expr {
    struct str text;
    size_t begin;               /* offset in the file */
    const char *const *offered; /* names that it may use, ends with NULL */
    uint8_t used[MAP_PARAMS_MAX];
    size_t n_used; /* used[k]: index in `offered` of the operator's k-th parameter */
    size_t op;     /* number for model_apply; set by map_bind */
    bool no_state; /* it must not read variables: what is observed does not depend on the state of
                      the specification, which would only confirm itself */
};

/* "deliver {j} {i} where msg = m": text and expressions in turn. */
struct map_piece {
    struct str text;
    struct map_expr *expr; /* or NULL */
    bool cluster_dir;      /* or: the directory of the cluster file */
    bool dir;              /* the text is the directory of the mapping file */
};
struct map_step {
    struct str text; /* as written */
    size_t begin, end;
    const char *verb;
    struct map_piece *pieces;
    size_t n;
    struct map_expr *where; /* or NULL; may use `msg` */
};
struct map_action {
    struct str name;
    const char **params; /* with a last one, "msg" */
    size_t n_params;
    struct map_step *steps;
    size_t n;
    bool automatic; /* it says no events: what the step does to the network is done */
    double weight;  /* in random walks; 1 */
    size_t begin, end;
};

/* Layout of bytes: see docs/MAPPING.md. */
enum map_field_kind { FIELD_INT, FIELD_CHARS, FIELD_TEXT, FIELD_REST, FIELD_SKIP, FIELD_ARRAY };
struct map_field {
    struct str name;
    enum map_field_kind kind;
    uint8_t width;
    bool is_signed, big;
    bool has_const;
    int64_t constant;
    struct str count_name; /* of an earlier field; empty: `count` */
    uint64_t count;
    struct map_field *fields; /* of the elements of an array */
    size_t n;
    bool plain; /* elements are not records: one field without a name */
};

/* How text becomes a value. */
enum map_type { TYPE_AUTO, TYPE_INT, TYPE_STRING, TYPE_BOOL, TYPE_NODE, TYPE_JSON };
struct map_group {
    struct str name;
    enum map_type type;
};
struct map_enum {
    struct str name;
    struct map_expr *value;
};
enum map_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_MATCH, FORMAT_FIELDS, FORMAT_COMMAND };
struct map_decode {
    enum map_format format;
    struct str match; /* regular expression */
    size_t match_begin;
    struct map_field *fields;
    size_t n_fields;
    const char *const *command; /* a program that decodes: hex in, JSON out */
    enum map_type type;
    struct map_group *groups;
    size_t n_groups;
};

enum map_language { MAP_NATIVE, MAP_PYTHON, MAP_JAVA }; /* ORDER LANGUAGES: of lang/lang.h */
enum map_source { FROM_NOTHING, FROM_MEMORY, FROM_LOG, FROM_FILE, FROM_QUERY, FROM_ENGINE };
enum map_engine {
    ENGINE_MESSAGES,
    ENGINE_PACKETS,
    ENGINE_TCP,
    ENGINE_UP,
    ENGINE_DOWN,
    ENGINE_CUT,
    ENGINE_CONNECTIONS
};
struct map_observe {
    struct str name;
    size_t begin, end;       /* of the header */
    size_t at_begin, at_end; /* of what is observed */
    enum map_source source;
    enum map_language language; /* of memory */
    struct str text;            /* path of a variable or a file, regular expression */
    const char *const *argv;    /* of a query */
    enum map_engine engine;
    bool per_node; /* a value for each node that is up */
    bool all;      /* of a log: the sequence of all matches, not the last */
    bool clients;  /* of a log: what the client commands printed, as a sequence in their order */
    bool compare;
    const char *const *nodes; /* names; NULL: all that are no clients */
    struct map_decode decode;
    struct map_enum *enums;
    size_t n_enums;
    struct map_expr *initial, *as, *spec;
};

struct map_message {
    size_t begin, end;
    uint16_t port;    /* 0: any */
    struct str input; /* it is a client's: the action that it asks a node for; `as` is the tuple of
                         its arguments */
    struct map_decode decode;
    struct map_expr *as;
    struct map_expr *from, *to; /* nodes, where the address does not tell; or NULL */
};

struct map_name {
    struct str name;
    size_t begin, end;
};

/* From [invariants]: what must hold of the observed variables, each a function from nodes. */
struct map_invariant {
    struct map_name name;
    struct map_expr *expr; /* over Node and the names of observations */
};

struct map_node {
    const char *name; /* in the cluster */
    struct map_expr *value;
    struct str printed; /* or: how the element of `nodes` is printed */
};

/* [watch]: for the monitor of one node (docs/WATCH.md). */
enum map_net_kind { NET_UNKNOWN, NET_QUEUE, NET_BAG, NET_SET };
struct map_names {
    struct map_name *v;
    size_t n;
    bool given;
};
struct map_constant {
    struct map_name name;
    struct str value;
};
struct map_deadline { /* when `from` is true, `to` is within that time */
    struct map_name from, to;
    uint64_t ns;
};
struct map_watch {
    struct map_name network; /* the variable; empty: that of [network], or it is found */
    enum map_net_kind kind;
    struct map_constant *constants; /* other values than in the configuration */
    size_t n_constants;
    struct map_names forget;  /* variables that are put back after each step */
    struct map_names persist; /* those that a crash leaves, and that fsync is about */
    struct map_names never;   /* actions that a node does not do: the network's, say */
    struct map_names invariants, properties; /* what is looked at where the node is */
    struct map_deadline *deadlines;
    size_t n_deadlines;
    bool calls;              /* nodes send only over connections that they have made */
    struct map_expr *synced; /* of `msg`: it may leave only when what persists is on disk */
};

struct map {
    struct arena *arena;
    struct map_watch watch;
    const struct source *file;
    const char *spec, *config, *cluster; /* paths */
    struct map_expr *nodes;              /* a set, or NULL: see node_table */
    struct map_node *node_table;         /* with `nodes`: other names of its elements */
    size_t n_node_table;
    struct map_action *actions;
    struct str *labels; /* their names: for eval_options.labels */
    size_t n_actions;
    struct map_observe *observes;
    size_t n_observes;
    struct map_message *messages;
    size_t n_messages;
    struct map_invariant *invariants;
    size_t n_invariants;
    struct map_name *auxiliary;
    size_t n_auxiliary;
    struct map_name network; /* the variable; empty: found or none */
    bool network_udp;
    struct map_step *boot;
    size_t n_boot;
    const uint16_t *quiet_ports; /* traffic to them is delivered at once */
    size_t n_quiet_ports;
    uint32_t handshake; /* messages that a caller sends first, and that are delivered at once */
    struct map_expr **exprs;
    size_t n_exprs, cap_exprs;
    struct def **defs; /* of exprs: for eval_options.operators */
};

/* 0, or -1 with diagnostics (or err for a file that cannot be read). */
MUST_USE int map_read(struct arena *arena, struct sources *sources, struct diags *diags,
                      const char *path, struct map **ret, struct err *err);
/* The same from text that is there already; `dir` is what {dir} stands for. */
MUST_USE int map_parse(struct arena *arena, const struct source *source, const char *dir,
                       struct diags *diags, struct map **ret, struct err *err);
/* Only [observe.NAME] and [invariants], of a file that has other tables besides: a cluster file. */
MUST_USE int map_read_observes(struct arena *arena, struct sources *sources, struct diags *diags,
                               const char *path, struct map **ret, struct err *err);
MUST_USE int map_bind(struct map *map, struct program *program, struct sources *sources,
                      struct diags *diags);
MUST_USE int map_check(struct map *map, const struct model *model, const struct cluster *cluster,
                       struct diags *diags);
/* Value of an expression; `offered` holds a value for each name that it may use. As model_apply. */
MUST_USE int map_apply(struct mworker *worker, const struct map_expr *expr,
                       const struct val *offered, struct val *ret);
/* Whether the expression uses the name with that index in `offered`. */
bool map_uses(const struct map_expr *expr, uint8_t name);
/* -ERR_INVALID, with file, line and column, the line and a caret; end 0: of the whole file. */
__attribute__((format(printf, 5, 6))) int map_error(const struct map *map, struct err *err,
                                                    size_t begin, size_t end, const char *fmt, ...);
/* Evaluation failed in a worker: the same. */
int map_evaluation_error(const struct map *map, struct err *err, const struct mworker *worker,
                         size_t begin, size_t end);
struct span map_span(const struct map *map, size_t begin, size_t end);

enum map_value_name {
    MAP_VALUE_VALUE, /* ORDER MAP_NAMES_VALUE */
    MAP_VALUE_SELF,
    MAP_VALUE_OBS,
    MAP_VALUE_NODES,
    MAP_VALUE_BEFORE
};
extern const char *const map_names_value[];   /* value, self, obs, nodes, before */
extern const char *const map_names_self[];    /* self, nodes */
extern const char *const map_names_message[]; /* value, src, dst, nodes */
extern const char *const map_names_msg[];     /* msg */
extern const char *const map_names_none[];
