/* The test of a specification as a monitor: random behaviours of the specification, as one node
 * sees them, must be explained; changed ones should not be. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "monitor/monitor.h"

/* Kinds of changes. */
enum mutation {
    MUTATION_NONE,
    MUTATION_HIGHER,   /* a number in a message that is sent is one more */
    MUTATION_LOWER,    /* or one less */
    MUTATION_TURNED,   /* a boolean is the opposite */
    MUTATION_OTHER,    /* a field has the value that it has in another message */
    MUTATION_TWICE,    /* a message is sent twice */
    MUTATION_ASTRAY,   /* it is sent to another node */
    MUTATION_SWAPPED,  /* two messages to one node are sent in the other order */
    MUTATION_STALE,    /* an earlier message is sent instead */
    MUTATION_UNASKED,  /* what it is an answer to never came */
    MUTATION_MISHEARD, /* what has come was another message: a field is different */
    MUTATION_LOST,     /* a message is not sent: what most specifications allow */
    MUTATIONS
};
const char *mutation_name(enum mutation mutation);

struct selftest_options {
    struct monitor_options monitor;
    uint64_t seed, behaviours, depth; /* behaviours of that many steps */
    uint32_t tail; /* events that must follow a change, for its consequences to show */
};
struct selftest_result {
    uint64_t behaviours, events, accepted, undecided; /* unchanged */
    uint64_t steps;                                   /* of the specification */
    struct {
        uint64_t made, alarms, undecided;
    } mutations[MUTATIONS];
    struct strbuf failure; /* the first behaviour that was not accepted: why, and its events */
};
void selftest_done(struct selftest_result *result);
/* Fills the result; an error when the specification cannot be evaluated. */
MUST_USE int selftest_run(const struct selftest_options *options, struct selftest_result *ret,
                          struct err *err);
