/* Workload clients: programs that do operations on a server, many at a time, and write down what
 * they saw as a history (docs/HISTORIES.md). They are ordinary programs: under `assay run` inside a
 * cluster, or against a real one.
 *
 * What is written is right whatever goes wrong: `ok` when the server said so, `fail` only when the
 * operation certainly did not happen, `info` for everything else; then the process is never heard
 * of again, and its worker goes on as another one. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

/* ORDER CLIENT_WORKLOADS: the names are in generate.c */
enum client_workload {
    WORK_REGISTER,
    WORK_CAS,
    WORK_KV,
    WORK_SET,
    WORK_QUEUE,
    WORK_LOCK,
    WORK_LIST_APPEND,
    WORK_RW_REGISTER,
    WORK_BANK,
    WORKLOADS
};
const char *client_workload_name(enum client_workload workload);
bool client_workload_find(const char *name, enum client_workload *ret);

/* A list of texts that the caller owns. */
struct client_texts {
    const char *const *v;
    size_t n;
};

struct client_options {
    enum client_workload workload;
    const char *over;            /* redis, etcd, zookeeper, postgres, http, line */
    struct client_texts targets; /* HOST or HOST:PORT */
    struct client_texts send;    /* http, line: pairs of operation and text */
    struct client_texts replies; /* http, line: threes of operation or *, outcome, pattern */
    struct client_texts headers; /* http, etcd: "Name: value" */
    const char *mix;             /* "read=2,write=1"; NULL: the workload's own */
    const char *isolation;       /* postgres: of transactions; NULL: serializable */
    const char *read;            /* etcd: "serializable"; zookeeper: "local"; NULL: the strongest */
    const char *user, *database; /* postgres; NULL: postgres */
    const char *password;        /* NULL: none */
    const char *skip;            /* "1.3,2.0-17": operations that are left out: worker.number */
    uint64_t seed;
    uint64_t number;     /* of this client among several: what they write differs */
    uint64_t operations; /* of all workers; 0: as many as fit into the time */
    uint64_t time_ns;    /* then it ends; 0: no limit */
    double rate;         /* operations a second, of all workers; 0: as fast as it goes */
    uint64_t keys, accounts, per_key, txn_most;
    uint64_t timeout_ns, patience_ns; /* of an operation; until the first connection */
    uint64_t final_ns;                /* rest before the last reads; with `final` */
    uint32_t workers;
    bool final;                        /* every key is read once more at the end */
    bool near;                         /* low keys are more frequent */
    bool stay;                         /* a worker keeps to its server whatever happens */
    int out_fd;                        /* where the history goes */
    const volatile sig_atomic_t *stop; /* not 0: it ends soon; may be NULL */
};
/* What is used where nothing was said. */
struct client_options client_defaults(void);

struct client_counts {
    uint64_t ok, fail, info;
};
/* Runs to the end. ERR_INVALID: the options are wrong; ERR_IO: no server ever answered, or the
 * history could not be written. */
MUST_USE int client_work(const struct client_options *options, struct client_counts *ret,
                         struct err *err);
