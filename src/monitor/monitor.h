/* The monitor of one node: whether what a process has received and sent is a behaviour of the
 * specification, found out event by event.
 *
 * The specification is the one that was model-checked, unchanged. Only steps of the node itself are
 * taken; what the others do is what arrives. A message that arrives waits in the node's inbox until
 * an action takes it; what an action sends is outstanding until it is seen to leave. A best-first
 * search keeps the states in which the node can be; when none is left, what was seen is none of the
 * specification's behaviours: an alarm. docs/WATCH.md says what is certain and what is not.
 *
 * Nothing here knows processes, files or clocks: events are values, given one by one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "map/map.h"
#include "model/model.h"
#include "value/value.h"

struct monitor;

enum monitor_kind {
    MONITOR_RECEIVE, /* msg from peer has arrived */
    MONITOR_SEND,    /* msg to peer has left */
    MONITOR_INPUT,   /* a client asks for `action`; msg is the tuple of its arguments */
    MONITOR_CRASH,   /* the process has ended; what was not on disk is gone */
    MONITOR_RESTART, /* it has been started again */
    MONITOR_UP,      /* a connection with peer stands */
    MONITOR_DOWN,    /* there is none any more */
    MONITOR_SYNC,    /* what was written is on disk */
    MONITOR_GAP,     /* something was not seen here: the state is not known any more */
    MONITOR_OBSERVED /* msg is a record of values that variables of the node have about now */
};
enum { MONITOR_PEERS_MAX = 64, MONITOR_ANY_PEER = 0xff };

struct monitor_event {
    enum monitor_kind kind;
    uint32_t peer;   /* index among the nodes, or MONITOR_ANY_PEER */
    uint32_t action; /* of an input: index in model->actions */
    struct val msg;  /* good until the call returns */
    uint64_t place;  /* the caller's number for it, for messages */
    uint64_t time_ns;
};

struct monitor_options {
    struct model *model; /* with an evaluator behind it: not compiled */
    const struct map *map;
    const char *self;   /* name of the node */
    uint32_t window;    /* events back to which other explanations are kept; 0: 200 */
    uint32_t look;      /* events that are looked ahead; 0: 64 */
    uint32_t pops_most; /* nodes of the search without progress; 0: 20000 */
    size_t values_most; /* bytes of values, before those in use move; 0: 48 MB, and three times what
                           was left */
    bool exact;         /* keep all states of the least cost, and count them */
    bool connections;   /* MONITOR_UP and MONITOR_DOWN are given: at first, and after a restart,
                           nobody is connected; without it: after the first of them */
    bool middle;        /* the node has run for a while: blind until its state is known */
};

enum monitor_verdict {
    MONITOR_OK,
    MONITOR_ALARM,     /* certain: nothing within the window explains what was seen */
    MONITOR_UNRESOLVED /* a limit was reached before that was known */
};

struct monitor_counts {
    uint64_t events, steps, nodes, duplicates, unseen, moves;
    uint64_t states_most; /* |S|: exact mode; else nodes of the search that wait */
    uint64_t states_sum, one_state;
    uint64_t given_up; /* places of the search, because there were too many */
    uint64_t blind_times, blind_events, rejoined, contradicted; /* guesses that were wrong */
    uint64_t blind_ns;                                          /* of those that ended */
    size_t bytes;
};

/* Mistakes of the mapping are told in err. On a big stack only, as all that follows. */
MUST_USE int monitor_new(const struct monitor_options *options, struct monitor **ret,
                         struct err *err);
void monitor_free(struct monitor *monitor); /* accepts NULL */

/* The names of the nodes, and the index of a name or SIZE_MAX. */
size_t monitor_nodes(const struct monitor *monitor);
const char *monitor_node_name(const struct monitor *monitor, size_t node);
struct val monitor_node_value(const struct monitor *monitor, size_t node);
size_t monitor_node(const struct monitor *monitor, struct str name);
/* All nodes as a sequence, in the order of the mapping's set. */
struct val monitor_node_list(const struct monitor *monitor);
/* The worker in whose context messages may be made; they are good until the next monitor_event. */
struct mworker *monitor_worker(struct monitor *monitor);
/* Gives back what was made in the worker's memory. */
void monitor_ready(struct monitor *monitor);
size_t monitor_self(const struct monitor *monitor);
/* The number of an action, or UINT32_MAX. */
uint32_t monitor_action(const struct monitor *monitor, struct str name);

/* One more event. A verdict other than MONITOR_OK stays. A negative code: the specification could
 * not be evaluated. */
MUST_USE int monitor_event(struct monitor *monitor, const struct monitor_event *event,
                           struct err *err);
/* Nothing is waited for any more: looks at what was kept back to look ahead. */
MUST_USE int monitor_flush(struct monitor *monitor, struct err *err);
/* An event from a line of JSON, and back; docs/WATCH.md has the form. Its message lives until the
 * next call of either. */
MUST_USE int monitor_line(struct monitor *monitor, struct str line, struct monitor_event *ret,
                          struct err *err);
void monitor_line_write(struct monitor *monitor, const struct monitor_event *event,
                        struct strbuf *out);
enum monitor_verdict monitor_verdict(const struct monitor *monitor);
/* Whether the state is not known now: after MONITOR_GAP, or from the start in the middle. What a
 * node does then is no alarm. It ends by itself when a guess explains what is seen; surely after
 * MONITOR_OBSERVED. */
bool monitor_blind(const struct monitor *monitor);
/* Since when, in the time of events. */
uint64_t monitor_blind_since(const struct monitor *monitor);
/* The verdict was told: goes on, blind at first. */
void monitor_resume(struct monitor *monitor);
/* The number (from 0 on) of the first event that nothing explains, and its place. */
uint64_t monitor_stopped_at(const struct monitor *monitor, uint64_t *ret_place);
/* Whether the verdict is of an invariant, a property or a deadline; its name goes to out. */
bool monitor_violated(const struct monitor *monitor, struct strbuf *out);
/* Nothing has come for a while: what was kept back to look ahead is looked at, and later events
 * are still welcome. */
MUST_USE int monitor_catch_up(struct monitor *monitor, struct err *err);
/* Why: the last state that agrees, the event, what the specification would have allowed. */
void monitor_explain(struct monitor *monitor, struct strbuf *out);
/* The state in which the node is, by the cheapest explanation, as text. */
void monitor_state(struct monitor *monitor, struct strbuf *out);
/* The same as a line of MONITOR_OBSERVED, for who goes on from here. */
void monitor_state_line(struct monitor *monitor, struct strbuf *out);
void monitor_counts(const struct monitor *monitor, struct monitor_counts *ret);
/* What was made of the specification: kinds of actions, network, variables. */
void monitor_describe(const struct monitor *monitor, struct strbuf *out);
