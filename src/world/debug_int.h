/* Private to the world room: what the scheduler tells the debugger. */
#pragma once

#include <stdbool.h>

#include "world/world_int.h"

/* Before a thread is resumed: true when it must execute one instruction only. */
bool debug_before(struct world *w, struct thread *t);
void debug_after(struct world *w, struct thread *t); /* when it has stopped */

/* Takes the breakpoints away from a process for a while, and puts them back: when its threads are
 * executed instruction by instruction for other reasons. */
void debug_hide(struct world *w, const struct thread *t, bool hide);
bool debug_steps(const struct world *w, const struct thread *t); /* it is to stop after a step */

enum debug_trap {
    DEBUG_NOT_OURS, /* the program's own business */
    DEBUG_GO_ON,
    DEBUG_END /* the run is to end */
};
enum debug_trap debug_trap(struct world *w, struct thread *t, bool stepped);
enum debug_trap debug_fault(struct world *w, struct thread *t, int sig);
void debug_exec(struct world *w, const struct thread *t);
