/* Private to eval: registers of TLCSet and counts of _POSSIBLE. See registers.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "eval/code.h"

/* Gives a worker's ev its bank: that of the number, or a copy when another worker has it. */
void bank_join(struct ev *ev, unsigned index);
void bank_leave(struct ev *ev);
void bank_done_all(struct spec *spec);

void ev_possible_count(struct ev *ev, size_t i, bool holds);
/* Has predicate i held anywhere? When not, the counts are printed. */
bool ev_possible_seen(struct ev *ev, size_t i);
