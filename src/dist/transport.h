/* How bytes get from one process to another: what MPI and sockets have in common.
 *
 * One thread at a time. Messages from one rank to another arrive whole and in order. This header is
 * all that the plug-in for MPI knows of the program: it includes nothing of ours. */
#pragma once

#include <stddef.h>

struct transport;

struct transport_ops {
    /* Takes a copy and returns at once: 0, or -1. */
    int (*send)(struct transport *t, unsigned to, const void *bytes, size_t len);
    /* The next message, if one is there: 1, 0, or -1. The bytes are valid until the next call. */
    int (*receive)(struct transport *t, unsigned *ret_from, const void **ret_bytes,
                   size_t *ret_len);
    size_t (*unsent)(struct transport *t); /* bytes that have been taken and are not on their way */
    const char *(*why)(struct transport *t);        /* after -1: a sentence */
    void (*abort)(struct transport *t, int status); /* ends all ranks as far as it can */
    /* What was sent arrives before. Frees it. */
    void (*close)(struct transport *t);
};

struct transport {
    const struct transport_ops *ops;
    unsigned rank, size;
    unsigned local; /* ranks on this machine, this one among them */
};

/* What a plug-in exports, under this name and with this number: NULL and a sentence when it cannot
 * begin. */
#define TRANSPORT_SYMBOL  "assay_transport"
#define TRANSPORT_VERSION 1
typedef struct transport *(*transport_begin)(int version, char *why, size_t why_bytes);
