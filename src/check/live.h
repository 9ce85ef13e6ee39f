/* Temporal properties on the behaviour graph.
 *
 * The graph is built while the search runs: a node for each distinct state with the values of the
 * state leaves, an edge for each step with the values of the action leaves (the stuttering step of
 * every state included). Checking takes  fairness /\ ~property, brings it into disjunctive normal
 * form of <>[] and []<> conjuncts over leaves with a tableau for what is left, and looks for a fair
 * strongly connected component of graph x tableau (Streett conditions by refinement). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "model/model.h"

struct live;

struct live_options {
    unsigned workers;               /* at least 1 */
    const char *dir;                /* NULL: nothing is spilled and live_flush fails */
    uint64_t memory_bytes;          /* 0 = no limit */
    const volatile void *interrupt; /* NULL or a volatile sig_atomic_t that becomes non-zero */
    bool watch;                     /* look for finite violations, see live_watches */
    bool reachable; /* every state that is added can be reached from an initial one through states
                       that are added, by the time anything is checked */
};

/* Fails with ERR_UNSUPPORTED and TLC's text when a formula is not of a form TLC accepts: actions
 * outside <>[]A and []<>A (TLC's 2214), or a disjunctive normal form that is too large (2213); with
 * ERR_INTERRUPTED when it was interrupted: the tableaux of large formulas take long. `spec` must
 * outlive the result. */
MUST_USE int live_new(const struct mlive *spec, const struct live_options *options,
                      struct live **ret_live, struct err *err);
void live_free(struct live *live);

/* Adds a state that has been expanded, with all its edges; the stuttering step need not be among
 * them. Adding a state again adds the edges that are new. Bits may be NULL when there are no leaves
 * of the kind. Failures are kept and reported by the next call that can. Threads: each worker
 * passes its own index; calls from different workers may overlap. */
struct live_edge {
    uint64_t fp;          /* the successor */
    const uint64_t *bits; /* action leaves of the step */
};
void live_add(struct live *live, unsigned worker, uint64_t fp, bool initial,
              const uint64_t *state_bits, const uint64_t *stutter_bits,
              const struct live_edge *edges, size_t nedge);
uint64_t live_memory(const struct live *live);

/* Looks for a counterexample to property number `prop`. Call with no other worker active. ret_path:
 * fingerprints from an initial state to the end of the cycle; the behaviour continues at
 * ret_path[*ret_loop]; a stuttering end has *ret_loop == *ret_n - 1. Release it with vec_release.
 * Two equal fingerprints in a row are a stuttering step (only when the violation needs it). States
 * that were named as successors but never added are no part of any behaviour. interrupt: as for
 * live_new. Returns 1 when one was found, 0 when none, negative
 * on failure. `threads` may be used for the search of components. */
MUST_USE int live_check(struct live *live, uint32_t prop, unsigned threads,
                        const volatile void *interrupt, uint64_t **ret_path, size_t *ret_n,
                        size_t *ret_loop, struct err *err);
/* The same for all properties from *prop on together, so that threads share the branches of all of
 * them: the first one that is violated, in *prop. */
MUST_USE int live_check_from(struct live *live, uint32_t *prop, unsigned threads,
                             const volatile void *interrupt, uint64_t **ret_path, size_t *ret_n,
                             size_t *ret_loop, struct err *err);
/* Properties that a finite behaviour can violate, whatever follows, can be watched while states are
 * added, when nothing is promised (no fairness): is there one. */
bool live_watches(const struct live *live);
/* True when such a violation has been added; then a shortest behaviour, from an initial state to
 * the state that completes it. Release it with vec_release. Any worker may call it at any time. */
bool live_prefix(struct live *live, uint32_t *ret_prop, uint64_t **ret_path, size_t *ret_n);
/* Checkpoints: the graph is append-only files in dir, flushed here; live_resume reads them back up
 * to what was flushed. */
MUST_USE int live_flush(struct live *live, struct err *err);
MUST_USE int live_resume(struct live *live, struct err *err);
/* Forgets the graph (not the formulas): for one simulated trace after the other. Call with no
 * worker active. */
void live_reset(struct live *live);
/* What TLC says: true when the negation of every property is unsatisfiable by its form alone
 * (2253); number of branches (2212, 2192; TLC counts each state once for every branch). */
bool live_tautology(const struct live *live);
uint32_t live_branches(const struct live *live);
uint64_t live_states(const struct live *live);
uint64_t live_edges(const struct live *live);
