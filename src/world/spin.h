/* Private to the world room: threads that spin. */
#pragma once

#include <stdbool.h>

#include "world/world_int.h"

enum spin_result {
    SPIN_NONE,   /* it does not spin; it stands and can be resumed */
    SPIN_FOUND,  /* it does, and stands where every run would find it */
    SPIN_STOPPED /* something else has stopped it meanwhile: see ret_stop */
};
/* Looks at a thread that was interrupted after a long time without a stop. */
enum spin_result spin_check(struct world *w, struct thread *t, struct stop *ret_stop);
/* Lets a thread that spins go round once more. */
enum spin_result spin_again(struct thread *t, struct stop *ret_stop);
/* Queues those that may find their memory changed. False: there are none. */
bool spin_wake(struct world *w);
