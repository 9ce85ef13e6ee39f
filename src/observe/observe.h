/* Invariants over variables of running programs, without a specification: a cluster file says which
 * variables are observed ([observe.NAME], docs/MAPPING.md) and what must hold of them
 * ([invariants], in TLA+). Every observed variable is a function from Node, the names of the nodes
 * that run now.
 *
 * Only nodes that ran since are read again, and only when something has changed are invariants
 * evaluated again. What is seen depends on the world alone, so a world may be put back under an
 * observer: then tell it. One thread only. */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "run/cluster.h"
#include "world/world.h"

struct observer;

/* From the cluster's file. Mistakes are told in `mistakes`, with their places, and in err in short.
 * On a stack of 8 MiB. */
MUST_USE int observer_open(const struct cluster *cluster, struct observer **ret,
                           struct strbuf *mistakes, struct err *err);
void observer_free(struct observer *observer); /* accepts NULL */

/* Looks at a quiet world: 0, or 1 when an invariant is false; ret_number: which one, text: in one
 * line, with the values of the variables that it reads. ERR_INVALID when something cannot be read
 * or evaluated. */
MUST_USE int observer_check(struct observer *observer, struct world *world, uint32_t *ret_number,
                            struct strbuf *text, struct err *err);
/* Looks, and judges nothing. */
MUST_USE int observer_look(struct observer *observer, struct world *world, struct err *err);
/* Another world of the same cluster is looked at from now on. */
void observer_begin(struct observer *observer);
/* The world was put back since. */
void observer_anew(struct observer *observer);

/* Of what was seen last: a hash, and a line for each variable, "role = [n1 |-> ...]". */
uint64_t observer_hash(struct observer *observer);
void observer_print(struct observer *observer, struct strbuf *out);
struct str observer_name(const struct observer *observer, uint32_t number); /* of an invariant */

/* ---- states of single nodes that are kept ----
 *
 * A state has a number that is the same in all processes. One for each node of the cluster, put
 * together, can be judged like a world that was looked at; they need not have been there at the
 * same time. */
enum { OBSERVER_DOWN = 0 }; /* of a node that does not run, or is a client */
/* Of a node as it was seen last. */
MUST_USE int observer_keep(struct observer *observer, uint32_t node, uint64_t *ret,
                           struct err *err);
/* For another process, which takes it with observer_unpack. */
MUST_USE int observer_pack(struct observer *observer, uint64_t state, struct strbuf *out,
                           struct err *err);
MUST_USE int observer_unpack(struct observer *observer, uint64_t state, struct str bytes,
                             struct err *err);
/* As observer_check; states: [n_nodes]. */
MUST_USE int observer_judge(struct observer *observer, const uint64_t *states, uint32_t *ret_number,
                            struct strbuf *text, struct err *err);
/* As observer_print. */
void observer_show(struct observer *observer, const uint64_t *states, struct strbuf *out);
