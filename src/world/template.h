/* Private to the world room: programs that are loaded already; see template.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include "base/err.h"
#include "tracee/tracee.h"
#include "world/world_int.h"

struct template;

/* The page of a node, kept as long as the store. */
/* The cage of all processes; made when it is first asked for. */
struct tracee_cage *templates_cage(struct templates *store);
MUST_USE int templates_shared(struct templates *store, uint32_t node, struct tracee_shared *ret,
                              struct err *err);

/* The template for starting this program now; NULL: it must be loaded. Perhaps this is then the
 * time to make one: template_begin follows, when the program is in place. */
struct template *template_find(struct world *w, struct node *node,
                               const struct first_program *program);
void template_begin(struct world *w, const struct thread *t);
void template_cancel(struct world *w);

/* While engine->recording is set: a thread gets the processor; a call was stopped, and is about to
 * be handled; it was. */
void template_turn(struct world *w, const struct thread *t, uint64_t begin_calls);
void template_call(struct world *w, struct thread *t);
void template_note(struct world *w, const struct thread *t, bool has_result, int64_t result);
void template_note_ticks(struct world *w, uint64_t ticks);

/* A process that stands where the template does; 0: that failed. */
pid_t template_copy(const struct template *t, const struct node *node);
/* The world as if the thread had come there by itself. */
void template_apply(struct world *w, struct thread *t, const struct template *k);
