/* What nodes were seen to do with their connections and files: events, from and to files. Knows no
 * specification: bytes only.
 *
 * A capture file has a head with the nodes, then records; each belongs to one node. It is written
 * by runs of the engine and by whatever looks at real processes. Files are read as they are
 * written, and may be cut off anywhere. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"

enum capture_kind {
    CAPTURE_SENT = 1, /* bytes have left on a connection, or as a datagram */
    CAPTURE_RECEIVED, /* bytes were taken from it, or have arrived */
    CAPTURE_OPENED,   /* the connection stands */
    CAPTURE_CLOSED,   /* it is over, in whatever way */
    CAPTURE_STARTED,  /* the process runs */
    CAPTURE_ENDED,    /* it has ended */
    CAPTURE_SYNCED,   /* a file was synced */
    CAPTURE_GAP,      /* something was lost here */
    CAPTURE_KINDS
};
enum {
    CAPTURE_UDP = 1,
    CAPTURE_CALLER = 2, /* the node has made the connection */
    CAPTURE_BROKEN = 4  /* closed by others: what has arrived may still be read */
};
enum { CAPTURE_NODES_MAX = 64, CAPTURE_BYTES_MAX = 1 << 24 };

struct capture_event {
    uint8_t kind, flags;
    uint16_t node; /* index in the head */
    uint64_t time_ns;
    uint64_t conn;                /* the same number for all of one connection */
    uint32_t local_ip, remote_ip; /* IPv4, in host byte order */
    uint16_t local_port, remote_port;
    const uint8_t *bytes;
    size_t n;
};
struct capture_node {
    const char *name;
    uint32_t ip; /* 0: not known */
};

/* ---- writing ---- */
struct capture_writer;
MUST_USE int capture_create(const char *path, const struct capture_node *nodes, size_t n,
                            struct capture_writer **ret, struct err *err);
void capture_write(struct capture_writer *writer, const struct capture_event *event);
/* What could not be written is told here. Accepts NULL. */
MUST_USE int capture_finish(struct capture_writer *writer, struct err *err);

/* ---- reading ---- */
struct capture_reader;
/* A capture file, or what libpcap writes (Ethernet, Linux cooked, loopback or raw IP; IPv4): then
 * `nodes` says who is who by address; an event is told for each node whose packet it is. */
MUST_USE int capture_open(const char *path, const struct capture_node *nodes, size_t n,
                          struct capture_reader **ret, struct err *err);
/* The same from a stream that may grow: after capture_next has said 0, it may say 1 again. The
 * reader owns the stream, also when this fails; `name` is for messages. */
MUST_USE int capture_open_stream(FILE *file, const char *name, const struct capture_node *nodes,
                                 size_t n, struct capture_reader **ret, struct err *err);
void capture_close(struct capture_reader *reader); /* accepts NULL */
/* The nodes of the head; those given, for packets. */
size_t capture_nodes(const struct capture_reader *reader, const struct capture_node **ret);
/* The next event, good until the next call: 1; 0 at the end. -ERR_INVALID: the file is damaged
 * here. */
MUST_USE int capture_next(struct capture_reader *reader, struct capture_event *ret,
                          struct err *err);
/* Whether the file ended within a record. */
bool capture_cut_off(const struct capture_reader *reader);
