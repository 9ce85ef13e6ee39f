/* Private to the conform room. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "decode/decode.h"
#include "map/map.h"
#include "model/model.h"
#include "value/value.h"
#include "world/world.h"

struct decode;
struct guide;
struct vars;

/* Output of one node. */
struct output {
    struct strbuf text;
    size_t start;            /* of the last start of the node */
    size_t step;             /* of the current step */
    size_t boot, boot_start; /* as it was when the cluster had booted */
    uint32_t starts;
};

/* A value of one observation at one node; those of a log stay until another comes. */
struct seen_log {
    size_t start; /* of the node, when it was looked at last */
    size_t scanned;
    size_t begin, end; /* of the line that matched last */
    bool found;
    VEC(size_t) all; /* begin, end of every line that matched */
};

/* A command that a step of the specification ran at a client. */
struct client_command {
    uint32_t node;
    size_t begin; /* of its output */
};

/* What was observed of the programs after a step, as a state: see judge.c. */
struct seen_state {
    struct strbuf bytes;
    enum seen_how *how; /* [model->nvar] */
};

/* A step of the specification. */
struct spec_step {
    struct strbuf bytes; /* of the state after it */
    uint32_t action;
    struct strbuf label;
    struct strbuf args; /* encoded values */
    uint32_t n_args;
};

/* The specification of a session: where a behaviour is, and what comes next. */
struct conform_spec {
    struct model *model;
    struct mworker *walker, *before, *after; /* enumerates; the states around a step */
    struct spec_step now, next;              /* of a behaviour step by step */
    uint64_t *counts;                        /* [model->naction]: of walk_next */
    uint32_t *var_at;                        /* [model->nvar]: place of a variable in mvalues */
    uint64_t ns;                             /* time spent on it alone */
};
/* The nodes that both sides know. */
struct conform_who {
    struct decode_place *nodes;
    size_t n_nodes;
    struct val node_list; /* their values as a sequence, in the order of the cluster; frozen */
};
/* The programs, and what was done with them. */
struct conform_run {
    struct world *world;
    struct templates *templates; /* outlive the worlds */
    struct snapshot *snapshot;
    const char *no_snapshot; /* why it cannot be had */
    uint64_t moment;         /* counts the walks: the programs were put back */
    VEC(struct choice) choices;
    size_t boot_choices;
    VEC(struct client_command) commands;
    size_t boot_commands;
    struct output *output; /* [cluster->n_nodes] */
};
/* What is seen of them. */
struct conform_see {
    struct seen_log *logs; /* [map->n_observes * cluster->n_nodes] */
    struct decode *decode;
    struct vars *memory;
    uint64_t *seen;                  /* [map->n_observes] */
    struct strbuf *past;             /* [n_nodes + 1]: observed last, encoded; NULL: nobody asks */
    bool keep_state;                 /* observed states are wanted */
    struct seen_state state, state0; /* then: of the last step and the one before */
};
/* The network variable. */
struct conform_net {
    int var;           /* or -1 */
    bool udp, observe; /* it is compared although no table says so */
};
/* Where values come from, for who asks. */
struct conform_why {
    struct strbuf *text; /* explanations; NULL: nobody asks */
    bool *of;            /* [map->n_observes]: of these; */
    bool net, on;        /* the network variable; now */
};

struct conform {
    struct conform_options o;
    const struct map *map;
    const struct cluster *cluster;
    struct arena arena; /* as long as the session */
    struct conform_spec spec;
    struct conform_who who;
    struct conform_run run;
    struct conform_see see;
    struct conform_net net;
    struct conform_why why;
    struct conform_mark *newest; /* of all marks */
    struct conform_times times;
    struct gcov *gcov;       /* NULL: nobody asks */
    struct guide *guide;     /* NULL: no walk was guided */
    struct strbuf *events;   /* of the current step, or NULL */
    struct finding *finding; /* of the current walk */
    struct err *err;         /* where mistakes of the mapping go */
};

/* Mistakes of the mapping: -ERR_INVALID, with file, line and column. */
__attribute__((format(printf, 4, 5))) int mapping_error(struct conform *c, size_t begin, size_t end,
                                                        const char *fmt, ...);
/* Evaluation failed in a worker: the same. */
int evaluation_error(struct conform *c, const struct mworker *worker, size_t begin, size_t end);
__attribute__((format(printf, 4, 5))) void found(struct conform *c, enum finding_kind kind,
                                                 struct str about, const char *fmt, ...);

/* ---- session.c: the world ---- */
/* Functions that return int: 0 go on, 1 there is a finding, negative an error in c->err. */
int session_reset(struct conform *c);
int session_do(struct conform *c, const struct event *event); /* and settle */
/* Carries something that a program sent. */
bool packet_is_message(const struct packet_view *p);
/* Delivered by itself, and no message of the specification. */
bool packet_is_quiet(const struct conform *c, const struct packet_view *p);
int session_quiet(struct conform *c); /* all that happens by itself has happened */
void session_close(struct conform *c);
bool node_is_up(const struct conform *c, uint32_t index);
const struct decode_place *node_by_name(const struct conform *c, struct str name);
const struct decode_place *node_by_index(const struct conform *c, uint32_t index);
bool is_server(const struct conform *c, uint32_t index); /* no client */

/* ---- step.c: from labels to events ---- */
void spec_step_done(struct spec_step *step);
/* The entry of [actions] for its action, or NULL. */
const struct map_action *step_action(const struct conform *c, const struct spec_step *step);
/* Does what the step means; `before` and `after` are loaded. */
int step_do(struct conform *c, const struct spec_step *step);
int steps_run(struct conform *c, const struct map_step *steps, size_t n, const struct val *args,
              size_t n_args);

/* ---- network.c ---- */
/* Packets between two nodes that the specification knows, oldest first. */
struct flight {
    VEC(struct packet_view) v;
};
void flight_list(struct conform *c, struct flight *ret);
/* Value of a message whose parts begin at v[i]; *ret_n parts. 1: cannot be decoded. */
int message_value(struct conform *c, const struct flight *flight, size_t i, struct val *ret,
                  size_t *ret_n);
int network_find(struct conform *c); /* which variable is the network */
/* Does as events what a step did to the network variable. */
int network_infer(struct conform *c, const struct spec_step *step);
int network_value(struct conform *c, enum map_engine what, struct val *ret);
int event_crash(struct conform *c, uint32_t node, int64_t keep);
int event_partition(struct conform *c, const bool *side); /* [cluster->n_nodes] */
struct delivery {
    enum event_kind kind; /* EV_DELIVER, EV_DROP or EV_DUPLICATE */
    const struct decode_place *from, *to;
    const struct map_expr *where; /* or NULL */
    const struct val *args;       /* of the action, for it */
    size_t n_args;
};
int event_deliver(struct conform *c, const struct delivery *delivery);
int deliver_value(struct conform *c, enum event_kind kind, struct val message, bool *ret_found);

/* ---- observe.c ---- */
int compare_state(struct conform *c);
/* What observation `observe` saw at c->who.nodes[node] (0 for one of the whole cluster), of all
 * that was observed in one moment: [n_observes * (n_nodes + 1)]. VAL_UNDEF: nothing. */
struct val *observed_at(const struct conform *c, struct val *observed, size_t observe, size_t node);

/* ---- tell.c: how values come about, when somebody asks (conform_explain) ---- */
void tell_begin(struct conform *c);
/* What follows is about observation `observe` at that node (or the whole cluster: NULL). */
void tell_about(struct conform *c, size_t observe, const struct decode_place *node);
void tell_down(struct conform *c, size_t observe, const struct decode_place *node); /* if it is */
void tell_network(struct conform *c, struct str variable);
void tell_end(struct conform *c);
bool tell_asked(const struct conform *c);
__attribute__((format(printf, 2, 3))) void tell_how(struct conform *c, const char *fmt, ...);
void tell_lines(struct conform *c, struct str lines);
void tell_text(struct conform *c, const char *what, struct str text); /* cut, printable */
void tell_value(struct conform *c, const char *what, struct val value);
struct dwarf_value;
void tell_memory(struct conform *c, const struct dwarf_value *value);

/* ---- judge.c ---- */
int judge_keep(struct conform *c, struct val *observed);
/* Evaluates a property on what was kept last, and fills judged, property and reads. c->spec.after
 * is the last state. */
int judge(struct conform *c, uint32_t prop, struct walk_result *r);

/* ---- conform.c ---- */
int run_values(struct conform *c, void (*fn)(struct vctx *ctx, void *arg), void *arg);

/* ---- memory.c ---- */
int memory_value(struct conform *c, size_t observe, uint32_t node, struct val *ret);
void memory_free(struct conform *c);

/* ---- query.c ---- */
int query_value(struct conform *c, size_t observe, const struct decode_place *node,
                struct val *ret);
int client_run(struct conform *c, struct str command, uint32_t *ret_node);
struct str client_output(const struct conform *c, size_t command); /* of one command */

/* ---- diff.c ---- */
/* How two values differ: a set of these. */
enum difference {
    DIFF_OTHER = 1, /* the same part has another value */
    DIFF_MORE = 2,  /* the implementation has a part that the specification does not have */
    DIFF_LESS = 4   /* the other way round */
};
/* Where two values differ, a line each; at most `most`. Returns how; 0: they do not. */
unsigned value_diff(struct vctx *ctx, struct val spec, struct val real, struct strbuf *out,
                    unsigned most);

/* Whether a value is what a trace file says (loose.c). */
bool value_is_written(struct vctx *ctx, struct val spec, struct val file);

/* ---- conform.c ---- */
int conform_one_step(struct conform *c, struct walk_result *r, const struct strbuf *from,
                     const struct spec_step *step);
int conform_start(struct conform *c, struct walk_result *r, struct err *err);
void conform_stop(struct conform *c, struct walk_result *r, bool keep);

/* ---- follow.c ---- */
void marks_lose(struct conform *c); /* the world is about to be closed */

/* ---- walk.c ---- */
void walk_keep(struct mworker *worker, uint32_t action, bool initial, struct spec_step *ret);
int walk_init(struct conform *c, struct rng *rng, struct spec_step *ret);
int walk_next(struct conform *c, const struct strbuf *from, uint64_t level, struct rng *rng,
              struct spec_step *ret); /* 1: there is one; 0: none */
/* The nth successor (from 0 on) of an action that is within the constraints; the walker is at the
 * state. 1: there is one. */
int walk_nth(struct conform *c, uint32_t action, uint64_t nth, struct spec_step *ret);
/* The step of that label that leads to the nth (from 1 on) of its states. 0, or negative:
 * ERR_NOT_FOUND. */
int walk_named(struct conform *c, const struct strbuf *from, uint64_t level, struct str label,
               uint32_t nth, struct spec_step *ret);
/* Counts the branches of a step, if that is wanted. */
int walk_count(struct conform *c, const struct strbuf *from, uint64_t level,
               const struct spec_step *step);
/* The weight that the mapping gives to an action. */
double walk_weight(const struct conform *c, uint32_t action);
/* Properties (indexes in model->props) that are false in a state, or of the step to it. */
struct violations {
    VEC(uint32_t) props;
};
/* The step to state `at` of a given behaviour, and what is violated there. 1: there is one. */
int walk_follow(struct conform *c, const struct strbuf *from, const struct trace *trace, size_t at,
                struct spec_step *ret, struct violations *ret_violated);

/* ---- guide.c ---- */
struct walk_plan {
    VEC(struct spec_step) steps; /* room for more than there are */
    size_t n;                    /* of them; the first is an initial state */
    uint32_t kept;               /* private to guide.c */
};
/* Plans the next walk; they must be planned in their order, from 0 on. Valid until the next one. */
int guide_plan(struct conform *c, uint64_t seed, uint64_t walk, const struct walk_plan **ret);
void guide_free(struct guide *guide); /* accepts NULL */
