/* Histories of operations, and whether a system that keeps its promise could have produced them.
 *
 * A history is read from a file (JSON lines, EDN, or the log lines of Jepsen), every call paired
 * with its return. history_check judges it by a model: linearizability or sequential consistency
 * of an object, isolation of transactions, or the total of a bank. The verdict is a result and no
 * error; a violation comes with a smallest set of operations that contradict each other. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct arena;
struct history;

/* ---- reading (read.c) ---- */

/* Reads a history; it lives in the arena, except for its tables: history_free. A mistake in the
 * file is ERR_INVALID with the line. `keyed`: values are pairs [key value], as Jepsen's independent
 * generators write them. */
MUST_USE int history_read(struct arena *arena, const char *path, bool keyed,
                          struct history **ret_history, struct err *err);
/* A field of an event that tells which node printed it; processes are told apart by it, too. */
#define HISTORY_NODE "@node"
/* The same from text; `name` is for messages. */
MUST_USE int history_parse(struct arena *arena, const char *name, struct str text, bool keyed,
                           struct history **ret_history, struct err *err);

void history_free(struct history *history); /* accepts NULL */

/* ---- its operations, for whoever shows them (tell.c) ---- */
size_t history_count(const struct history *history);
struct hist_told {
    uint32_t call, ret; /* places of the events in the file; ret only if `returned` */
    bool returned;
    const char *end; /* "ok", "fail", "open": nobody knows */
    unsigned call_line, ret_line;
};
/* In the order of their calls. `what` is "key: read -> 2". */
void history_tell(const struct history *history, size_t i, struct hist_told *ret,
                  struct strbuf *process, struct strbuf *what);

/* ---- judging (check.c) ---- */

/* ORDER HISTORY_MODELS: the names are in check.c */
enum hist_model {
    HIST_REGISTER,
    HIST_CAS,
    HIST_KV,
    HIST_QUEUE,
    HIST_SET,
    HIST_LOCK,
    HIST_OWNED_LOCK,
    HIST_LIST_APPEND,
    HIST_RW_REGISTER,
    HIST_BANK,
    HIST_MODEL_COUNT
};

/* Weakest first, within each family. ORDER HISTORY_LEVELS */
enum hist_level {
    HIST_DEFAULT, /* the strongest of the model's family */
    HIST_SEQUENTIAL,
    HIST_LINEARIZABLE,
    HIST_READ_UNCOMMITTED,
    HIST_READ_COMMITTED,
    HIST_SNAPSHOT_ISOLATION,
    HIST_REPEATABLE_READ,
    HIST_SERIALIZABLE,
    HIST_SESSION_SERIALIZABLE,
    HIST_STRICT_SERIALIZABLE,
    HIST_LEVEL_COUNT
};

/* What may be assumed of the order of the values of one register, besides that it began empty:
 * a transaction writes after what it has read; each process, or real time, sees them in order. */
enum hist_keys { HIST_KEYS_WFR = 1, HIST_KEYS_SEQUENTIAL = 2, HIST_KEYS_LINEARIZABLE = 4 };

struct hist_options {
    enum hist_model model;
    enum hist_level level;
    unsigned keys;  /* of enum hist_keys; for HIST_RW_REGISTER */
    bool has_total; /* HIST_BANK: the total is given; else the first read decides */
    int64_t total;
    bool negative_ok;                  /* HIST_BANK: balances may be below zero */
    size_t memory_bytes;               /* for the search; 0: 2 GiB */
    const volatile sig_atomic_t *stop; /* the search ends when it is set; may be NULL */
};

enum hist_outcome { HIST_CONSISTENT, HIST_VIOLATED, HIST_UNDECIDED };

struct hist_result {
    enum hist_outcome outcome;
    enum hist_level level; /* the one that was judged */
    size_t operations;     /* that were judged */
    size_t keys;           /* objects they are about */
    size_t violations;     /* found; at most one for each key, or for each kind of anomaly */
    size_t undecided;      /* keys that nothing is known of: the search was given up */
    uint64_t steps;        /* of the search */
    struct strbuf text;    /* the explanation, several lines; empty when consistent */
    struct strbuf names;   /* of the anomalies, separated by blanks */
};
void hist_result_done(struct hist_result *result);

/* Refuses a history whose operations the model does not know (ERR_INVALID, with the line), one
 * without any completed operation, and a level that is not of the model's family. */
MUST_USE int history_check(struct history *history, const struct hist_options *options,
                           struct hist_result *ret_result, struct err *err);

const char *hist_model_name(enum hist_model model);
const char *hist_level_name(enum hist_level level);
bool hist_model_find(const char *name, enum hist_model *ret_model);
bool hist_level_find(const char *name, enum hist_level *ret_level);
bool hist_keys_find(const char *name, enum hist_keys *ret_keys);
