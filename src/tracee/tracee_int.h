/* Private to the tracee room. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracee/tracee.h"

/* Where the shared memory file is kept open in every tracee. TRACEE_EXEC_FD follows it. */
#define TRACEE_PAGE_FD 1000

/* Waits for the next stop, through interruptions: for stops that come at once. False when the
 * thread is gone. */
bool wait_stop(pid_t tid, int *ret_status);

/* The code that replaces functions of the vDSO, to be copied to the second page of the shared
 * memory. */
struct clock_code {
    const char *symbol; /* of the vDSO */
    const uint8_t *begin, *end;
};
enum { CLOCK_CODES = 6, CLOCK_CODE_BYTES = 1024 };
/* Behind them, one for each place in a program: the code for calls. */
enum { CALL_SLOT_BYTES = 512 };
/* Fills the second page and returns the offset of each function in it. */
void clock_code_install(uint8_t *page, uint32_t ret_offset[CLOCK_CODES]);
const char *clock_code_symbol(size_t i);
