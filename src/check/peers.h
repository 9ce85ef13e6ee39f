/* Several processes that search together; private to the room (check_int.h includes what it needs
 * of it).
 *
 * A state belongs to the rank that the hash of its fingerprint says. A rank expands its own states;
 * successors of others travel in parcels (dist/parcel.h) while the search goes on. A level ends in
 * a round: everybody says that it has sent everything, takes what is still to come, and says what
 * it has; from what all have said, all conclude the same. A round may also begin in the middle of a
 * level, when somebody wants something: a violation, a checkpoint, the end. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "check/check.h"
#include "check/fpset.h"
#include "model/model.h"

struct search;
struct worker;
struct peers;

/* Together with the others: *status is this rank's beginning so far; negative when any has failed.
 */
MUST_USE int peers_open(struct search *s, int status, struct err *err);
void peers_done(struct search *s);

/* Another rank's state, or, while a violation is looked at again, any. */
bool peers_away(const struct search *s, uint64_t fp);
bool peers_sent(const struct search *s, uint64_t fp); /* lately */
void peers_prefetch(const struct search *s, uint64_t fp);
/* FPSET_SEEN when its owner has it already, else FPSET_AWAY: check it, then peers_push. */
enum fpset_answer peers_ask(struct worker *w, uint64_t fp);
/* Sends the candidate. Non-zero: stop. */
int peers_push(struct worker *w, const struct candidate *cand);
/* Notes where a new state of this rank's own came from. Non-zero: stop. */
int peers_note(struct worker *w, const struct candidate *cand);

/* Whether this rank treats an initial state; all ranks make all of them. */
bool peers_init_mine(const struct search *s, const struct candidate *cand, bool inside);
bool peers_replaying(const struct search *s);
/* After the initial states (or a checkpoint): the counts of all. */
void peers_begun(struct worker *w);

/* Between two states: takes what has come. */
void peers_turn(struct worker *w);
/* The leader's part: false ends the search. `used_up`: this rank's level is. */
bool peers_lead(struct search *s, struct worker *w, unsigned request, bool used_up);
/* After the search. */
void peers_finish(struct worker *w);
/* The search was left so that the caller can begin anew. */
bool peers_left(const struct search *s);
bool peers_silent(const struct search *s); /* rank 0 does what is done once */

/* ---- peers_save.c: checkpoints ---- */
MUST_USE int peers_save(struct search *s, struct err *err); /* all ranks, with nothing on the way */
MUST_USE int peers_restore(struct search *s, struct worker *w, struct err *err);
void peers_forget(struct search *s); /* the search is over: its files are of no use */
/* Where a rank keeps its files. */
struct arena;
const char *peers_dir(struct arena *arena, const char *dir, unsigned rank, unsigned size);

/* Adds what the others have told. */
void peers_progress(const struct search *s, struct check_progress *ret);
void peers_result(const struct search *s, struct check_result *r);
