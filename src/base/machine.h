/* What this machine has. */
#pragma once

#include <stdint.h>

unsigned cpu_count(void);
uint64_t memory_total(void); /* in bytes */
