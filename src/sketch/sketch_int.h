/* Private to the sketch room. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"
#include "sketch/sketch.h"
#include "value/value.h"

/* ---- type.c ---- */
enum { TYPE_NAMES = 12 };
struct stype { /* what was seen of one place in values */
    bool is_bool, is_int, other;
    int64_t lo, hi;
    struct str names[TYPE_NAMES]; /* of strings and model values */
    bool name_is_model[TYPE_NAMES];
    size_t n_names;
    bool many;                 /* there were more */
    struct stype *set;         /* of its elements; NULL: it never was a set */
    struct stype *seq;         /* of a sequence, */
    size_t length;             /* of so many elements, the last time */
    bool lengths;              /* there were others */
    bool empty;                /* it was the empty sequence, or function */
    struct stype *key, *value; /* of a function */
    struct sfield *fields;     /* of a record, in a chain */
};
struct sfield {
    struct str name;
    struct stype *type;
    struct sfield *next;
};
struct sset { /* a constant that is a set of names */
    struct str name;
    struct str elems[TYPE_NAMES * 2];
    size_t n;
    bool numbers; /* or the numbers from 1 to n */
};
bool stype_set_has(const struct sset *set, struct str name);
void stype_add(struct arena *arena, struct vctx *ctx, struct stype *type, struct val v,
               unsigned depth);
/* Names of constants stand for sets of all or some of their elements. */
void stype_print(const struct stype *type, const struct sset *sets, size_t n_sets,
                 struct strbuf *out);
/* The set whose elements all names of the type are; NULL: none. */
const struct sset *stype_within(const struct stype *type, const struct sset *sets, size_t n_sets);
/* What always was a sequence of n elements is a function over 1 to n. */
void stype_by_numbers(struct arena *arena, struct stype *type, size_t n);
bool stype_is_by_numbers(const struct stype *type, size_t n);
const struct sfield *stype_field(const struct stype *type, const char *name);

/* ---- sample.c ---- */
enum snet { NET_NONE, NET_TCP, NET_UDP };
struct svar {
    struct str name;
    struct stype type;
    struct str first; /* its first value, in one line */
    enum snet net;
};
struct saction {
    struct str name;
    const char *const *params;
    uint32_t n_params;
    struct stype *args; /* [n_params] */
    uint64_t steps;     /* that were seen */
    uint64_t taken;     /* of these: a message left the network, or a wire or node changed */
    bool *changes;      /* [n_vars] */
};
struct samples {
    struct arena *arena;
    struct svar *vars;
    size_t n_vars;
    struct saction *actions; /* each name and number of parameters once */
    size_t n_actions;
    struct sset *sets;
    size_t n_sets;
    uint64_t states;
};
MUST_USE int sketch_take(const struct sketch_ask *ask, struct samples *ret, struct err *err);

/* ---- look.c ---- */
struct sline { /* a kind of line: digits do not count */
    struct str shape, text;
    uint32_t node;
    uint64_t times;
};
struct sfile {
    uint32_t node;
    struct str path, text;
};
struct sitem { /* a variable or member of the program at some nodes */
    struct dwarf_item item;
    uint32_t node;      /* the first that runs the program */
    struct strbuf seen; /* "n1: 3, n2: 0" at the end of the run */
};
struct spacket {
    uint32_t from, to;
    struct str bytes;
};
struct look {
    struct arena *arena;
    const struct cluster *cluster;
    struct strbuf *output; /* [n_nodes] */
    VEC(struct sline) lines;
    VEC(struct sfile) files;
    VEC(struct sitem) items;
    VEC(struct spacket) packets;
    VEC(struct str) notes; /* why something could not be looked at */
};
MUST_USE int look_run(const struct sketch_ask *ask, struct look *ret, struct strbuf *why,
                      struct err *err);
void look_done(struct look *look);

/* ---- find.c ---- */
struct spot { /* where a variable may be seen */
    int score;
    struct strbuf text; /* lines of a table, without its header */
    struct str seen;    /* for the comment */
};
enum { SPOTS_MOST = 4 };
struct spots {
    struct spot v[SPOTS_MOST]; /* best first */
    size_t n;
};
struct subject { /* what is looked for */
    const struct svar *var;
    const struct stype *type; /* at one node */
    const struct sset *nodes; /* NULL: not known */
    bool per_node;
};
void find_spots(const struct samples *samples, const struct look *look,
                const struct subject *subject, struct spots *ret);
void spots_done(struct spots *spots);
/* How alike two names are, 0 to 100: words of camelCase and snake_case. */
int find_alike(struct str a, struct str b);
bool find_is_nodes(const struct stype *type, const struct sset *nodes);

/* ---- message.c ---- */
/* A line of [[message]] that reads all messages that were seen as values of the type; nothing when
 * they do not tell. */
void message_form(const struct look *look, const struct stype *type, struct strbuf *out);

/* ---- action.c ---- */
struct proposal {
    struct strbuf text; /* "timer {i}", with its quotes; empty: nothing is known */
    bool automatic;     /* the engine does what it does to the network */
    bool sure;
    const char *why;
};
void action_propose(const struct samples *samples, const struct cluster *cluster,
                    const struct saction *action, const struct sset *nodes, struct proposal *ret);
