/* Several processes that do one thing together. Each is a rank; rank 0 is the one that people hear.
 *
 * A message has a kind. Whoever waits for some kinds leaves the others for later, so that a search,
 * a meeting and a pool do not disturb each other. One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "dist/transport.h"

struct ranks;

/* Kinds of messages, as bits for ranks_next. */
enum ranks_kind {
    RANKS_TOGETHER = 1, /* ranks_gather and ranks_share */
    RANKS_PARCEL = 2,   /* a search: states */
    RANKS_END = 4,      /* no more of them in this round */
    RANKS_SYNC = 8,     /* all of them have been looked at */
    RANKS_TOLD = 16,    /* figures */
    RANKS_WORK = 32,    /* a pool */
    RANKS_BYE = 64      /* rank 0 is done */
};
#define RANKS_ANY UINT32_MAX

struct ranks_message {
    unsigned from;
    enum ranks_kind kind;
    struct str body; /* valid until the next call of anything of these ranks */
};

/* The transport is theirs from now on. */
struct ranks *ranks_new(struct transport *transport);
/* From the environment, once in a process: *ret is NULL for a process that is alone. On an error it
 * was meant to have company. */
MUST_USE int ranks_open(struct ranks **ret, struct err *err);
/* All ranks do it; the others wait for rank 0, without using the processor. Accepts NULL. */
void ranks_close(struct ranks *ranks);
/* Whether there is a plug-in for MPI: where it is, or what is missing, for people. */
bool ranks_describe(struct strbuf *out);

unsigned ranks_me(const struct ranks *ranks);
unsigned ranks_size(const struct ranks *ranks);
unsigned ranks_local(const struct ranks *ranks); /* on this machine */

/* A message is a buffer that ranks_begin has emptied and begun. */
void ranks_begin(struct strbuf *message, enum ranks_kind kind);
MUST_USE int ranks_send(struct ranks *ranks, unsigned to, const struct strbuf *message,
                        struct err *err);
/* To all others. */
MUST_USE int ranks_send_all(struct ranks *ranks, const struct strbuf *message, struct err *err);
/* The next message of these kinds (bits) from this rank (or RANKS_ANY), if there is one: 1, 0, or
 * negative. */
MUST_USE int ranks_next(struct ranks *ranks, unsigned from, unsigned kinds,
                        struct ranks_message *ret, struct err *err);
/* Between two calls that found nothing: gives the processor away, for longer each time. `turns` is
 * 0 at first. */
void ranks_idle(unsigned *turns);
size_t ranks_unsent(const struct ranks *ranks);
uint64_t ranks_sent_bytes(const struct ranks *ranks);

/* All ranks call these in the same order. A rank that ends instead is an error. */
/* Everybody gets what everybody has: all[size], empty before. */
MUST_USE int ranks_gather(struct ranks *ranks, struct str mine, struct strbuf *all,
                          struct err *err);
/* Everybody gets what `root` has in the buffer. */
MUST_USE int ranks_share(struct ranks *ranks, unsigned root, struct strbuf *bytes, struct err *err);
/* Whether it holds for all of them. */
MUST_USE int ranks_all(struct ranks *ranks, bool mine, bool *ret_all, struct err *err);
/* Before something that all do together: whether all can. Who cannot says why; the others get an
 * error that names it. */
MUST_USE int ranks_meet(struct ranks *ranks, const char *failure, struct err *err);
/* Ends the others, too. */
void ranks_abort(struct ranks *ranks, int status);
