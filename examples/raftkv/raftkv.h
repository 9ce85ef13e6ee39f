/* A small key-value store, replicated by Raft (Ongaro and Ousterhout, "In Search of an
 * Understandable Consensus Algorithm"), without snapshots and changes of membership.
 *
 *   raft.c    the protocol: what a node does when a message, a request or a timer comes
 *   store.c   what survives a crash: term, vote and log on disk
 *   kv.c      the replicated state: keys and values
 *   wire.c    messages as bytes; address.c: HOST:PORT
 *   server.c  the process: connections, the loop, the timer
 *   client.c  the client program
 *
 * A node is one process with one thread and one timer. Everything that Raft calls the state of a
 * server is in `self`. Each event (a message, a request of a client, the timer) is handled to its
 * end before the next is looked at, and what must be on disk is there before anything is sent.
 *
 * Compiled with one of the macros below, the program has a defect; it is what the checks in this
 * directory are shown on. Without any it has none that we know of. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each is 0 or 1, given by the build (-DDEFECT_...=1). */
#ifndef DEFECT_DOUBLE_VOTE
#define DEFECT_DOUBLE_VOTE 0 /* a vote is counted once more when the reply comes twice */
#endif
#ifndef DEFECT_TERM_NOT_SAVED
#define DEFECT_TERM_NOT_SAVED 0 /* term and vote are not written to the disk */
#endif
#ifndef DEFECT_STALE_VOTE
#define DEFECT_STALE_VOTE 0 /* a vote for an older term counts in this one */
#endif
#ifndef DEFECT_OLD_TERM_COMMIT
#define DEFECT_OLD_TERM_COMMIT 0 /* a leader commits entries of older terms by counting copies */
#endif
#ifndef DEFECT_MATCH_BACK
#define DEFECT_MATCH_BACK 0 /* a late reply takes the match index back */
#endif
#ifndef DEFECT_LOCAL_READ
#define DEFECT_LOCAL_READ 0 /* a leader with nothing to commit answers reads at once */
#endif
#ifndef DEFECT_IN_PLACE
#define DEFECT_IN_PLACE 0 /* the file of term and vote is overwritten, and not synced */
#endif
#ifndef DEFECT_EARLY_READ
#define DEFECT_EARLY_READ                                                                          \
    0 /* a leader answers reads before it has committed anything of its term */
#endif
#ifndef DEFECT_UNCHECKED_VOTE
#define DEFECT_UNCHECKED_VOTE 0 /* the term of a vote is not looked at */
#endif
/* Where a defect makes a difference it says so. */
#define STRUCK(defect, ...) ((defect) ? say("defect: " __VA_ARGS__) : (void)0)

enum { NODES_MAX = 9, TEXT_BYTES = 28, BATCH_MAX = 16, NOBODY = -1 };

/* ---- the state of a node ---- */

enum role { FOLLOWER, CANDIDATE, LEADER };
enum op { OP_PUT = 1, OP_GET = 2 };

struct entry {
    uint32_t term;
    uint32_t op;
    char key[TEXT_BYTES]; /* padded with zeros, also when it has no end */
    char value[TEXT_BYTES];
};

/* Entry k of the log, counted from 1, is log[k - 1]. Nodes are counted from 0. */
struct node {
    int id, n;
    enum role role;
    uint32_t term; /* term, vote and log are on disk */
    int vote;
    struct entry *log;
    uint32_t n_log, log_room;
    uint32_t commit;           /* entries known to be committed */
    uint32_t n_votes;          /* candidate: votes so far */
    bool granted[NODES_MAX];   /*            and from whom */
    int asked;                 /*            times it asked for votes in this term */
    uint32_t next[NODES_MAX];  /* leader: the entry to send next, else 1 */
    uint32_t match[NODES_MAX]; /*         entries known to be there, else 0 */
    bool piped[NODES_MAX];     /*         only in examples/libraft: entries are sent ahead */
    int leader;                /* who leads this term, as far as is known */
};
extern struct node self;

/* ---- messages ---- */

enum type {
    MSG_ASK = 1,  /* give me your vote: index and index_term of my last entry */
    MSG_VOTE,     /* ok: you have it */
    MSG_APPEND,   /* entries that follow the entry index of index_term; commit */
    MSG_APPENDED, /* ok: my log agrees with yours up to index; not ok: perhaps up to there */
    MSG_PUT,      /* from a client: entries[0] has key and value */
    MSG_GET,      /* from a client: entries[0] has the key */
    MSG_REPLY     /* to a client: ok is enum outcome, index the revision, entries[0] the value */
};
enum outcome { DONE, NOT_FOUND, NOT_LEADER, UNKNOWN };

struct message {
    enum type type;
    int from, to;
    unsigned ok;
    uint32_t term, index, index_term, commit;
    uint32_t count;
    struct entry entries[BATCH_MAX];
};

/* On the wire: size of what follows, type, from, to, ok, term, index, index_term, commit, count,
 * entries; numbers of 4 bytes are little-endian, those of 1 byte are type, from, to and ok. */
enum {
    WIRE_HEAD = 28,
    WIRE_ENTRY = 8 + 2 * TEXT_BYTES,
    WIRE_MAX = WIRE_HEAD + BATCH_MAX * WIRE_ENTRY
};
size_t wire_put(const struct message *m, uint8_t bytes[WIRE_MAX]);
/* Bytes of the first message in a buffer: 0 when it is not complete, -1 when it is none. */
int wire_get(const uint8_t *bytes, size_t n, struct message *ret_message);
void wire_put_entry(const struct entry *e, uint8_t bytes[WIRE_ENTRY]);
void wire_get_entry(const uint8_t bytes[WIRE_ENTRY], struct entry *ret_entry);

/* ---- addresses (address.c): the process ends when there is no such host ---- */
struct sockaddr_in;
void address_find(const char *name, struct sockaddr_in *ret);

/* ---- the protocol (raft.c): the events of a node ---- */
void node_start(int id, int n);
void node_timer(void);
void node_message(const struct message *m);
/* A request of a client; token says to whom the answer goes. */
void node_request(const struct message *m, int token);

/* ---- what the protocol needs (server.c) ---- */
bool peer_send(struct message *m); /* m->to is set; false: it is lost */
void client_reply(int token, enum outcome outcome, uint32_t revision, const char *value);
void timer_set(unsigned least_ms, unsigned most_ms); /* once, from now, at random in between */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- the disk (store.c); a failure ends the process, since nothing can be promised any more ----
 */
void store_open(const char *dir);   /* fills term, vote and log of self */
void store_save_vote(void);         /* unless it is there already */
void store_room(uint32_t n);        /* makes room for a log of n entries in memory */
void store_save_log(uint32_t from); /* entries from this one on are new or gone */

/* ---- the replicated state (kv.c) ---- */
void kv_apply(uint32_t index, const struct entry *e);
/* The revision (index of the entry that wrote it) and value of a key; 0 when there is none. */
uint32_t kv_get(const char key[TEXT_BYTES], char ret_value[TEXT_BYTES]);
