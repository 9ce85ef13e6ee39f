/* The identity of a failure: which oracle said no, about whom, and of what kind its message is. Two
 * runs fail in the same way when these are the same; texts for people are not compared. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct cluster;

#define FAILURE_KINDS(X)                                                                           \
    X(FAILURE_NONE, "none")                                                                        \
    X(FAILURE_OUTPUT, "output")       /* a text of fail_on was printed; number: which one */       \
    X(FAILURE_STATUS, "status")       /* a program ended with a status; number: that */            \
    X(FAILURE_SIGNAL, "signal")       /* a program was ended by a signal; number: that */          \
    X(FAILURE_CHECK, "check")         /* a command of [[check]] failed; number: which one */       \
    X(FAILURE_INVARIANT, "invariant") /* of observed variables; number: which one */               \
    X(FAILURE_HISTORY,                                                                             \
      "history") /* what clients saw; the class is that of the worst anomaly's name                \
                  */

enum failure_kind {
#define X(name, text) name,
    FAILURE_KINDS(X)
#undef X
        FAILURE_KIND_COUNT
};
const char *failure_kind_name(enum failure_kind kind);

enum { FAILURE_NOBODY = -1 };
struct failure {
    enum failure_kind kind;
    int32_t node;        /* of the cluster, also a client; FAILURE_NOBODY */
    uint32_t number;     /* see the kinds */
    uint64_t text_class; /* of the message that came with it; 0: it says nothing */
};
bool failure_same(const struct failure *a, const struct failure *b);

/* The class of a message: its words without those that have a digit, whatever is between them.
 * Times, addresses, keys and numbers differ from run to run; the words say what happened. */
uint64_t failure_text_class(struct str message);
/* "status n1 1 0123456789abcdef": for the head of recorded runs. */
void failure_print(const struct cluster *cluster, const struct failure *failure,
                   struct strbuf *out);
bool failure_parse(const struct cluster *cluster, struct str text, struct failure *ret);
