/* What the programs in the kernel write into the ring: a head, then bytes of one call. The programs
 * are assembled with these places (probe.c), so that the order of the fields is a contract. */
#pragma once

#include <stdint.h>

enum tap_record_kind {
    RECORD_SENT = 1,
    RECORD_RECEIVED,
    RECORD_OPENED,
    RECORD_CLOSED,
    RECORD_FORKED,
    RECORD_RUNS,  /* exec */
    RECORD_ENDED, /* the last thread of the process */
    RECORD_SYNCED,
    RECORD_KINDS
};
enum {
    RECORD_CALLER = 1, /* the process has made the connection */
    RECORD_FOUND = 2,  /* the connection was there before */
    RECORD_BROKEN = 4, /* closed by the other side: what has come may still be read */
    RECORD_UNSEEN = 8  /* the bytes could not be read */
};
/* Each program counts its own records on each processor: what is missing in `seq` was lost. */
enum tap_program {
    PROGRAM_SEND,
    PROGRAM_RECEIVE,
    PROGRAM_STATE,
    PROGRAM_DESTROY,
    PROGRAM_FORK,
    PROGRAM_EXEC,
    PROGRAM_EXIT,
    PROGRAM_SYNC,
    PROGRAMS
};

enum { RECORD_HEAD = 88, RECORD_BYTES_MOST = 16384, RECORD_TURNS_MOST = 80 };

struct tap_record {
    uint64_t time_ns;
    uint64_t conn; /* of the connection; the same number never comes back */
    uint64_t seq;
    uint32_t tgid, tid;
    uint32_t kind, flags;
    uint32_t cpu, program;
    uint32_t len;                     /* bytes of the whole call */
    uint32_t part, got;               /* those of this record: where, how many */
    uint32_t local_ip, remote_ip;     /* in network byte order */
    uint32_t net;                     /* number of the network namespace; 0: not told */
    uint16_t local_port, remote_port; /* the second in network byte order */
    uint32_t left;                    /* for the program itself */
    uint64_t scratch;                 /* the same */
    uint8_t bytes[];
};
_Static_assert(sizeof(struct tap_record) == RECORD_HEAD, "probe.c and turn.c agree on this");
