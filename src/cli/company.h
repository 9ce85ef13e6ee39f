/* Several processes of the same command, under mpirun: see dist/ranks.h. */
#pragma once

#include <stdbool.h>

struct ranks;

/* Before anything is written. *ret is NULL for a process that is alone. False after a line that
 * says why it cannot be one of several. The others write nothing: what they print goes nowhere. */
bool company_open(const char *command, struct ranks **ret);
/* After everything is written. A rank that nobody hears ends here, with EXIT_OK. */
int company_close(struct ranks *ranks, int status);
