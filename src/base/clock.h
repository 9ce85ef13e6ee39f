/* The wall clock and CPU time, wrapped so that only few rooms read them. */
#pragma once

#include <stdint.h>

uint64_t clock_mono_ns(void);
uint64_t clock_thread_ns(void);  /* CPU time of the calling thread */
uint64_t clock_process_ns(void); /* ... of all its threads */
uint64_t clock_wall_s(void);     /* seconds since 1970 */
uint64_t clock_wall_ms(void);
