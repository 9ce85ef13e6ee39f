/* Messages with a kind, and what all ranks do together. */
#include "dist/ranks.h"

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "dist/transport.h"

/* A message that nobody has asked for yet. */
struct kept {
    unsigned from;
    enum ranks_kind kind;
    struct strbuf bytes; /* with the kind in front */
};

struct ranks {
    struct transport *transport;
    VEC(struct kept) inbox; /* oldest first */
    struct strbuf given;    /* the message that was handed out, if it came from the inbox */
    uint64_t sent_bytes;
};

struct ranks *ranks_new(struct transport *transport)
{
    size_t cap = 0;
    struct ranks *ranks = vec_grow(NULL, &cap, 1, sizeof *ranks);
    *ranks = (struct ranks){.transport = transport};
    return ranks;
}

/* The others are told that they can end. */
static void say_goodbye(struct ranks *ranks)
{
    enum { TURN_NS = 2000000 };
    struct err err = {0};
    SCOPED_STRBUF message = {0};
    struct ranks_message got;
    if (ranks_me(ranks) == 0) {
        ranks_begin(&message, RANKS_BYE);
        for (unsigned to = 1; to < ranks_size(ranks); to++) {
            int ignored = ranks_send(ranks, to, &message, &err); /* who has died hears nothing */
            (void)ignored;
        }
        return;
    }
    while (ranks_next(ranks, 0, RANKS_BYE, &got, &err) == 0) {
        (void)nanosleep(&(struct timespec){.tv_nsec = TURN_NS}, NULL);
    }
}

void ranks_close(struct ranks *ranks)
{
    if (!ranks) {
        return;
    }
    say_goodbye(ranks);
    ranks->transport->ops->close(ranks->transport);
    for (size_t i = 0; i < ranks->inbox.n; i++) {
        strbuf_done(&ranks->inbox.v[i].bytes);
    }
    VEC_DONE(&ranks->inbox);
    strbuf_done(&ranks->given);
    vec_release(ranks);
}

unsigned ranks_me(const struct ranks *ranks)
{
    return ranks->transport->rank;
}

unsigned ranks_size(const struct ranks *ranks)
{
    return ranks->transport->size;
}

unsigned ranks_local(const struct ranks *ranks)
{
    return ranks->transport->local;
}

size_t ranks_unsent(const struct ranks *ranks)
{
    return ranks->transport->ops->unsent(ranks->transport);
}

uint64_t ranks_sent_bytes(const struct ranks *ranks)
{
    return ranks->sent_bytes;
}

void ranks_abort(struct ranks *ranks, int status)
{
    ranks->transport->ops->abort(ranks->transport, status);
}

static int failed(struct ranks *ranks, struct err *err)
{
    return err_set(err, ERR_IO, 0, "%s", ranks->transport->ops->why(ranks->transport));
}

/* ---- messages ---- */

void ranks_begin(struct strbuf *message, enum ranks_kind kind)
{
    strbuf_reset(message);
    strbuf_addc(message, (char)kind);
}

int ranks_send(struct ranks *ranks, unsigned to, const struct strbuf *message, struct err *err)
{
    struct transport *t = ranks->transport;
    ranks->sent_bytes += message->n;
    return t->ops->send(t, to, message->p, message->n) < 0 ? failed(ranks, err) : 0;
}

int ranks_send_all(struct ranks *ranks, const struct strbuf *message, struct err *err)
{
    int status = 0;
    for (unsigned to = 0; to < ranks_size(ranks) && status == 0; to++) {
        status = to == ranks_me(ranks) ? 0 : ranks_send(ranks, to, message, err);
    }
    return status;
}

static bool wanted(unsigned from, unsigned kinds, unsigned its_from, enum ranks_kind its_kind)
{
    return (from == RANKS_ANY || from == its_from) && (kinds & its_kind) != 0;
}

/* One that came before it was asked for. */
static bool from_inbox(struct ranks *ranks, unsigned from, unsigned kinds,
                       struct ranks_message *ret)
{
    for (size_t i = 0; i < ranks->inbox.n; i++) {
        struct kept *kept = &ranks->inbox.v[i];
        if (!wanted(from, kinds, kept->from, kept->kind)) {
            continue;
        }
        strbuf_done(&ranks->given);
        ranks->given = kept->bytes;
        *ret = (struct ranks_message){
            kept->from, kept->kind, {ranks->given.p + 1, ranks->given.n - 1}
        };
        ranks->inbox.n--;
        memmove(kept, kept + 1, (ranks->inbox.n - i) * sizeof *kept);
        return true;
    }
    return false;
}

int ranks_next(struct ranks *ranks, unsigned from, unsigned kinds, struct ranks_message *ret,
               struct err *err)
{
    struct transport *t = ranks->transport;
    if (from_inbox(ranks, from, kinds, ret)) {
        return 1;
    }
    for (;;) {
        unsigned its_from = 0;
        const void *bytes = NULL;
        size_t len = 0;
        int status = t->ops->receive(t, &its_from, &bytes, &len);
        if (status < 0) {
            return failed(ranks, err);
        }
        if (status == 0) {
            return 0;
        }
        if (len == 0) {
            return err_set(err, ERR_CORRUPT, 0, "rank %u sent an empty message", its_from);
        }
        const char *text = bytes;
        enum ranks_kind kind = (enum ranks_kind)(unsigned char)text[0];
        if (wanted(from, kinds, its_from, kind)) {
            *ret = (struct ranks_message){
                its_from, kind, {text + 1, len - 1}
            };
            return 1;
        }
        struct kept kept = {.from = its_from, .kind = kind};
        strbuf_add(&kept.bytes, text, len);
        VEC_PUSH(&ranks->inbox, kept);
    }
}

void ranks_idle(unsigned *turns)
{
    enum { YIELDS = 64, LONGEST_NS = 200000, STEP_NS = 2000 };
    unsigned n = (*turns)++;
    if (n < YIELDS) {
        (void)sched_yield();
        return;
    }
    long ns = (long)(n - YIELDS) * STEP_NS;
    (void)nanosleep(&(struct timespec){.tv_nsec = ns < LONGEST_NS ? ns : LONGEST_NS}, NULL);
}

/* ---- together ---- */

static int await(struct ranks *ranks, unsigned from, struct ranks_message *ret, struct err *err)
{
    unsigned turns = 0;
    for (;;) {
        int status = ranks_next(ranks, from, RANKS_TOGETHER, ret, err);
        if (status != 0) {
            return status < 0 ? status : 0;
        }
        ranks_idle(&turns);
    }
}

int ranks_gather(struct ranks *ranks, struct str mine, struct strbuf *all, struct err *err)
{
    SCOPED_STRBUF message = {0};
    ranks_begin(&message, RANKS_TOGETHER);
    strbuf_addstr(&message, mine);
    int status = ranks_send_all(ranks, &message, err);
    for (unsigned i = 0; i < ranks_size(ranks) && status == 0; i++) {
        struct ranks_message got = {0};
        if (i == ranks_me(ranks)) {
            strbuf_addstr(&all[i], mine);
            continue;
        }
        status = await(ranks, i, &got, err);
        if (status == 0) {
            strbuf_addstr(&all[i], got.body);
        }
    }
    return status;
}

int ranks_share(struct ranks *ranks, unsigned root, struct strbuf *bytes, struct err *err)
{
    if (root == ranks_me(ranks)) {
        SCOPED_STRBUF message = {0};
        ranks_begin(&message, RANKS_TOGETHER);
        strbuf_addstr(&message, strbuf_str(bytes));
        return ranks_send_all(ranks, &message, err);
    }
    struct ranks_message got = {0};
    int status = await(ranks, root, &got, err);
    if (status == 0) {
        strbuf_reset(bytes);
        strbuf_addstr(bytes, got.body);
    }
    return status;
}

int ranks_all(struct ranks *ranks, bool mine, bool *ret_all, struct err *err)
{
    size_t cap = 0;
    size_t n = ranks_size(ranks);
    struct strbuf *all = vec_grow(NULL, &cap, n, sizeof *all);
    memset(all, 0, n * sizeof *all);
    char word = mine ? 1 : 0;
    int status = ranks_gather(ranks, (struct str){&word, 1}, all, err);
    *ret_all = status == 0;
    for (size_t i = 0; i < n; i++) {
        *ret_all = *ret_all && all[i].n == 1 && all[i].p[0] == 1;
        strbuf_done(&all[i]);
    }
    vec_release(all);
    return status;
}

int ranks_meet(struct ranks *ranks, const char *failure, struct err *err)
{
    size_t n = ranks_size(ranks);
    const char *mine = !failure ? "" : failure[0] ? failure : "it failed";
    struct strbuf *all = vec_grow(NULL, &(size_t){0}, n, sizeof *all);
    memset(all, 0, n * sizeof *all);
    int status = ranks_gather(ranks, str_of(mine), all, err);
    for (size_t i = 0; i < n; i++) {
        if (status == 0 && !failure && all[i].n > 0) {
            status = err_set(err, ERR_IO, 0, "rank %zu: %.400s", i, strbuf_cstr(&all[i]));
        }
        strbuf_done(&all[i]);
    }
    vec_release(all);
    return status;
}
