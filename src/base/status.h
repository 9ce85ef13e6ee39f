/* How a job, and every command, ends: TLC's exit statuses, which scripts know. */
#pragma once

enum exit_status {
    EXIT_OK = 0,
    EXIT_USAGE = 1,
    EXIT_ASSUMPTION = 10,
    EXIT_DEADLOCK = 11,
    EXIT_SAFETY = 12,
    EXIT_LIVENESS = 13,
    EXIT_ASSERT = 14,
    EXIT_AGREES = 20,     /* confirm: everything agrees, but nothing is violated */
    EXIT_UNDECIDED = 21,  /* confirm: the property needs what is not observed; history: given up */
    EXIT_INCOMPLETE = 22, /* check: a limit ended the search; nothing wrong in what was seen */
    EXIT_DIFFERS = 23,    /* ci: the same inputs gave another result than before */
    EXIT_SPEC_EVAL = 75,
    EXIT_SAFETY_EVAL = 76,
    EXIT_LIVENESS_EVAL = 77,
    EXIT_PARSE = 150,
    EXIT_CONFIG = 151,
    EXIT_INTERRUPTED = 130,
    EXIT_OTHER = 255
};
