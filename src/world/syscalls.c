/* The table of system calls, from calls.h. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <sys/syscall.h>

#include "tracee/tracee.h"
#include "world/calls.h"
#include "world/world.h"
#include "world/world_int.h"

#define SIM(call, how, bits) [SYS_##call] = {#call, call_##call, how, bits, 0},
#define REAL(call)           [SYS_##call] = {#call, NULL, TRACEE_PASS, 0, 0},
#define REFUSE(call, error)  [SYS_##call] = {#call, NULL, TRACEE_STOP, 0, error},
#define UNKNOWN(call)        [SYS_##call] = {#call, NULL, TRACEE_STOP, 0, 0},
static const struct call_row rows[] = {CALLS(SIM, REAL, REFUSE, UNKNOWN)};
#undef SIM
#undef REAL
#undef REFUSE
#undef UNKNOWN

enum { ROWS = sizeof rows / sizeof rows[0] };
_Static_assert((int)ROWS <= (int)TRACEE_SYSCALLS, "the filter has a rule for each");

const struct call_row *call_row(long nr)
{
    return nr >= 0 && nr < ROWS && rows[nr].name != NULL ? &rows[nr] : NULL;
}

long call_number(const char *name)
{
    for (long nr = 0; nr < ROWS; nr++) {
        if (rows[nr].name != NULL && strcmp(rows[nr].name, name) == 0) {
            return nr;
        }
    }
    return -1;
}

bool world_syscall_doc(size_t i, struct syscall_doc *ret_doc)
{
    if (i >= ROWS) {
        return false;
    }
    const struct call_row *row = &rows[i];
    bool real = row->rule == TRACEE_PASS_ELSEWHERE || row->rule == TRACEE_PASS_MOVE;
    const char *how = real                       ? "real"
                      : row->fn != NULL          ? "simulated"
                      : row->rule == TRACEE_PASS ? "real"
                      : row->refuse == ENOSYS    ? "refused: ENOSYS"
                      : row->refuse == EPERM     ? "refused: EPERM"
                      : row->refuse == EINVAL    ? "refused: EINVAL"
                      : row->refuse != 0         ? "refused: EOPNOTSUPP"
                                                 : "unknown: stops the run";
    *ret_doc = (struct syscall_doc){row->name, how};
    return true;
}
