/* Private to the tracee room. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracee/tracee.h"

/* Where the shared memory files are kept open in every tracee. TRACEE_EXEC_FD lies between them. */
#define TRACEE_PAGE_FD 1000
#define TRACEE_CODE_FD 1002
/* Where descriptors come from (tracee_give). */
#define TRACEE_TAKE_FD 1003

/* Waits for the next stop, through interruptions: for stops that come at once. False when the
 * thread is gone. */
bool wait_stop(pid_t tid, int *ret_status);
/* Whether a signal tells that an instruction could not be executed. */
bool is_fault(int sig);

/* The code that replaces functions of the vDSO, to be copied to the second page of the shared
 * memory. */
struct clock_code {
    const char *symbol; /* of the vDSO */
    const uint8_t *begin, *end;
};
enum { CLOCK_CODES = 6, CLOCK_CODE_BYTES = 1024 };
/* Their last bytes are a system call instruction, at which injected calls are made. */
enum { CLOCK_SYSCALL = CLOCK_CODE_BYTES - 16 };
#define TRACEE_SYSCALL_ADDR (TRACEE_PAGE_ADDR + TRACEE_CODE + CLOCK_SYSCALL)
/* Behind them, one for each place in a program: the code for calls. */
enum { CALL_SLOT_BYTES = 512, CALL_SLOTS = (4096 - CLOCK_CODE_BYTES) / CALL_SLOT_BYTES };
/* The number that they stop by; how far behind the beginning of a slot that instruction ends. */
enum { CALL_SLOT_NR = TRACEE_SYSCALLS - 1 };
uint32_t call_slot_return(void);
/* Fills the second page and returns the offset of each function in it. */
void clock_code_install(uint8_t *page, uint32_t ret_offset[CLOCK_CODES]);
const char *clock_code_symbol(size_t i);
