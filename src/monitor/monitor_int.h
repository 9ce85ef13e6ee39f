/* Private to the monitor room. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "eval/eval.h"
#include "monitor/monitor.h"

/* ---- pool.c: values that are there once ----
 * Equal values are the same word, so states are compared by their words. What is not used any more
 * is left behind when everything that is moves to another pool. */
struct pool {
    uint8_t *base;
    size_t used, reserved;
    struct vobj **table; /* open addressing by hash */
    size_t n, cap;
    bool full;
};
MUST_USE int vpool_init(struct pool *pool, struct err *err);
void vpool_done(struct pool *pool);
struct val vpool_intern(struct pool *pool, struct vctx *ctx, struct val v);

/* ---- what the specification is to a node ---- */
enum role {
    ROLE_NEVER,   /* not this node's: faults of the network */
    ROLE_RECEIVE, /* takes a message */
    ROLE_OWN,     /* timers and all else that nobody sees the cause of */
    ROLE_INPUT,   /* a client asks for it */
    ROLE_CRASH,
    ROLE_RESTART,
    ROLE_UNKNOWN
};
enum { PARAMS_MAX = 16, OBSERVED_ENOUGH = 64 };
struct own_action {
    enum role role;
    uint32_t seen;    /* steps of the node so far, at most OBSERVED_ENOUGH */
    uint32_t self_at; /* parameters that were the node in all of them: a set */
    uint32_t peer_at; /* or the peer whose message it took */
    bool inputs;      /* the mapping says which bytes ask for it */
    const struct map_action *map;
};
struct own_var {
    bool sliced;    /* a function of the nodes: */
    uint32_t slice; /* where the node's part is in its words */
    bool forget, persist;
    struct val initial;
};
struct channel { /* of a queue, by its place in the function */
    uint32_t from, to;
};
struct network {
    int var; /* -1: none */
    enum map_net_kind kind;
    bool record;       /* {queue, cut, down} of TcpNetwork; else the function itself */
    uint32_t queue_at; /* word of the record that holds the queues */
    uint32_t down_at, cut_at;
    struct val empty; /* queues: all empty; a bag: no packet; a set: as at the start */
    struct channel *channels;
    uint32_t n_channels;
};

/* A message that waits: outstanding, or in the inbox. */
enum { PEND_MAYBE = 1, PEND_TRIED = 2, PEND_INPUT = 4, PEND_UNSYNCED = 8 };
struct pend {
    struct val v;
    uint32_t action; /* of an input */
    uint32_t since;  /* number of the event with which it came */
    uint8_t peer, flags;
};

enum { DEADLINES_MOST = 4 };
struct judge {
    uint32_t *props; /* of the model: invariants and action properties */
    size_t n, n_deadlines;
    uint32_t from[DEADLINES_MOST], to[DEADLINES_MOST]; /* of the model, too */
};

/* One place where the node could be: a node of the search. */
struct spot {
    uint64_t i; /* events consumed */
    int64_t rank;
    uint64_t seq;
    struct val state;   /* tuple of the variables */
    struct val sent;    /* set networks: what has left or could have */
    uint64_t down;      /* peers without a connection */
    uint64_t broken;    /* of these, whose connection is known to be over: what the node sends
                           before it notices is gone, and shows nothing */
    uint64_t fresh;     /* peers whose connection stands, but to whom nothing has left over it */
    uint32_t cost, odd; /* `odd` without steps that nobody could see */
    uint32_t depth, n_out, n_in;
    uint8_t stage;
    bool unsynced; /* what persists has changed since the last sync */
    bool crashed;
    bool behind;      /* messages wait in the inbox that could have been taken */
    bool sure;        /* it began with what is known, not with a guess */
    bool forgot;      /* since then the node forgot everything */
    bool fresh_state; /* what must hold in it was not looked at yet */
    uint32_t bad;     /* what it breaks: a property and one, or behind them a deadline */
    struct val from;  /* the state before the last step; undefined: there was none */
    uint64_t since[DEADLINES_MOST]; /* of a deadline: when it began to run; 0: it does not */
    uint32_t proof; /* of a guess: messages that it has explained, since that event */
    uint64_t proof_from, born;
    struct pend p[]; /* outstanding, then the inbox */
};

struct kept_event {
    enum monitor_kind kind;
    uint32_t peer, action;
    struct val msg;
    uint64_t place, time_ns;
};

struct known_node {
    const char *name;
    struct val value;
};

struct monitor {
    struct monitor_options o;
    struct arena arena, step;
    struct mworker *worker;
    struct pool pool;
    size_t move_at; /* the pool's size at which everything moves */
    struct known_node *nodes;
    size_t n_nodes;
    struct val node_list;
    uint32_t self;
    uint64_t peers; /* all but self */
    struct own_action *actions;
    struct own_var *vars;
    struct network net;
    bool any_input, syncs;
    struct val *cur; /* [nvar] */
    VEC(struct kept_event) events;
    uint64_t first; /* number of events.v[0] */
    VEC(struct spot *) heap;
    size_t sweep_at; /* its size at which what is too far back is given up */
    uint64_t *seen;
    size_t n_seen, cap_seen;
    uint64_t seq, best, pops, lost;
    uint64_t uncertain_until; /* places were given up that might explain events before that */
    struct spot *last;        /* the first that got furthest */
    struct spot *shown;       /* of these, what came to its event with most to send */
    enum monitor_verdict verdict;
    struct judge judge;
    uint32_t violated; /* of an alarm: what is broken, as spot.bad has it; 0: nothing explains it */
    bool restricted;   /* arguments were given in the step that is made now */
    struct monitor_counts counts;
    struct err *err;
    bool failed;
    /* Of blindness. */
    bool blind, doubt;      /* doubt: it ended with a guess that is not sure */
    bool persists;          /* a restart leaves something */
    uint64_t trust_until;   /* until then what was observed is looked at thoroughly */
    uint32_t rest, rests;   /* events that are passed over still, and the next time */
    uint32_t observed_left; /* events at which observed values may still hold */
    /* States: at the start, known last, with observed values; in the pool. */
    struct val initial, base, observed;
    uint64_t now_ns, blind_since_ns;
};

/* ---- spec.c: finds out all of this ---- */
MUST_USE int monitor_spec(struct monitor *m, struct err *err);
int monitor_failed(struct monitor *m); /* evaluation failed: fills err */

/* ---- step.c ---- */
struct taking { /* a step that is to be made */
    struct spot *from;
    uint32_t action;
    size_t entry; /* of the inbox, that it takes; SIZE_MAX: none */
    uint32_t cost;
    bool wide; /* arguments are not given */
    size_t made;
    bool probe; /* nothing is offered: what would be sent is told */
    struct strbuf *told;
};
MUST_USE int mstep_make(struct monitor *m, struct taking *t);
/* Set networks: the state with one more message. */
struct val mstep_join(struct monitor *m, struct val state, struct val msg);
MUST_USE int mstep_initial(struct monitor *m);
/* The crash, and what the node is after it. */
MUST_USE int mstep_crash(struct monitor *m, struct spot *x, enum role role);
struct spot *spot_new(const struct monitor *m, const struct spot *like, size_t more_out,
                      size_t more_in);
struct kept_event *mevent_at(struct monitor *m, uint64_t i);

/* ---- judge.c ---- */
MUST_USE int mjudge_new(struct monitor *m, struct err *err);
/* Looks at a spot that was not looked at yet. */
MUST_USE int mjudge_spot(struct monitor *m, struct spot *x);
bool mjudge_all_bad(const struct monitor *m, const struct spot *x);
const char *mjudge_name(const struct monitor *m, uint32_t bad, struct strbuf *out);

/* ---- blind.c ---- */
void mblind_begin(struct monitor *m); /* after mstep_initial */
void mblind_gap(struct monitor *m);   /* after everything before it was looked at */
/* No guess is left, or what is seen contradicts the one that was believed. `skip`: what was not
 * looked at yet is left out. */
void mblind_lost(struct monitor *m, bool skip);
/* m->best has got on, to x. */
void mblind_progress(struct monitor *m, const struct spot *x);
MUST_USE int mblind_observed(struct monitor *m, struct val values);
/* Guesses were wrong again and again: for a while, longer each time, nothing is looked for. The
 * event that was added is passed over. */
bool mblind_rests(struct monitor *m, enum monitor_kind kind);
/* An event was added, while blind. */
void mblind_next(struct monitor *m, enum monitor_kind kind);

/* ---- search.c ---- */
void msearch_offer(struct monitor *m, struct spot *x);
/* A spot that comes from nowhere. */
void msearch_guess(struct monitor *m, struct spot *x);
uint64_t msearch_end(const struct monitor *m);
/* What the next events say against what this spot expects to send, from entry `from` on; `own`: of
 * a step whose cause nobody saw. */
uint32_t msearch_misfit(struct monitor *m, const struct spot *x, size_t from, bool own);
/* Of a step whose cause nobody saw: what it costs that something is sent over a connection that the
 * node may not know yet, and is not seen. */
uint32_t msearch_loose(struct monitor *m, const struct spot *x, size_t from);

/* ---- search.c and forget.c, for each other ---- */
/* How many bytes of values the pool may have before they move. */
size_t msearch_move_at(const struct monitor *m);
int msearch_move(struct monitor *m);
void msearch_give_up(struct monitor *m);
void msearch_forget(struct monitor *m);
/* Gives up what is more than a window behind. */
void msearch_sweep(struct monitor *m);
