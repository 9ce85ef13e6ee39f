/* `assay client WORKLOAD --over PROTOCOL --target HOST:PORT...`: does operations on a server and
 * prints what it saw as a history. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/random.h>

#include "base/err.h"
#include "base/near.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/cli.h"
#include "client/client.h"
#include "option/option.h"

enum { LIST_WRITES = 64 };

struct client_cmd {
    const char *workload, *over, *mix, *isolation, *read, *user, *database, *password, *skip;
    const char *rate, *seed, *operations;
    struct word_list targets, send, replies, headers;
    uint64_t keys, accounts, per_key, txn, workers, number;
    double time_s, timeout_s, patience_s, final_s;
    bool near, stay, quiet;
};

/* clang-format off */
#define CMD struct client_cmd
const struct option options_of_client[] = {
    {"", 0, "WORKLOAD", "register cas kv set queue lock list-append rw-register bank", TO_TEXT(CMD, workload), "", NULL},
    {"over", 0, "PROTOCOL", "redis etcd zookeeper postgres http line", TO_TEXT(CMD, over),
     "redis, etcd, zookeeper, postgres, http or line", NULL},
    {"target", 0, "HOST:PORT", NULL, TO_LIST(CMD, targets), "a server; may be given several times", NULL},
    {"operations", 0, "N", NULL, TO_TEXT(CMD, operations), "in all (200); 0: as many as fit into --time", NULL},
    {"time", 0, "TIME", NULL, TO_TIME(CMD, time_s), "then it ends", NULL},
    {"rate", 0, "N", NULL, TO_TEXT(CMD, rate), "operations a second, on average (50); 0: as fast as it goes", NULL},
    {"workers", 0, "N", NULL, TO_COUNT(CMD, workers), "operations at a time (5)", NULL},
    {"keys", 0, "N", NULL, TO_COUNT(CMD, keys), "how many objects (5)", NULL},
    {"per-key", 0, "N", NULL, TO_COUNT(CMD, per_key), "after about N operations a key is replaced by a new one (list-append: 64)", NULL},
    {"near", 0, NULL, NULL, TO_FLAG(CMD, near), "each key is drawn twice as often as the next one", NULL},
    {"mix", 0, "F=N,...", NULL, TO_TEXT(CMD, mix), "how often each operation is drawn, such as read=2,write=1", NULL},
    {"txn", 0, "N", NULL, TO_COUNT(CMD, txn), "steps of a transaction at most (4)", NULL},
    {"accounts", 0, "N", NULL, TO_COUNT(CMD, accounts), "of the bank (5)", NULL},
    {"isolation", 0, "LEVEL", "read-committed repeatable-read serializable", TO_TEXT(CMD, isolation),
     "postgres: of transactions (serializable)", NULL},
    {"read", 0, "HOW", "serializable local", TO_TEXT(CMD, read),
     "reads that may be old: etcd: serializable, zookeeper: local", NULL},
    {"send", 0, "TEXT", NULL, TO_LIST(CMD, send), "http, line: an operation, then, as the next one, its text", NULL},
    {"reply", 0, "TEXT", NULL, TO_LIST(CMD, replies),
     "http, line: an operation or *, then ok, fail, info or next, then a pattern", NULL},
    {"header", 0, "TEXT", NULL, TO_LIST(CMD, headers), "http, etcd: a line for the head of requests", NULL},
    {"timeout", 0, "TIME", NULL, TO_TIME(CMD, timeout_s), "of an operation (2s)", NULL},
    {"patience", 0, "TIME", NULL, TO_TIME(CMD, patience_s), "until the first server answers (30s)", NULL},
    {"final", 0, "TIME", NULL, TO_TIME(CMD, final_s), "rest that long, then read every key once more", NULL},
    {"stay", 0, NULL, NULL, TO_FLAG(CMD, stay), "a worker keeps to its server whatever happens", NULL},
    {"user", 0, "NAME", NULL, TO_TEXT(CMD, user), "postgres: who (postgres)", NULL},
    {"database", 0, "NAME", NULL, TO_TEXT(CMD, database), "postgres: which database (postgres)", NULL},
    {"password", 0, "TEXT", NULL, TO_TEXT(CMD, password), "redis, postgres: a plain one", NULL},
    {"seed", 0, "N", NULL, TO_TEXT(CMD, seed), "of everything that is drawn (default: the system's randomness)", NULL},
    {"number", 0, "N", NULL, TO_NUMBER(CMD, number), "of this client, from 0, if there are several: what they write must differ", NULL},
    {"skip", 0, "W.N,...", NULL, TO_TEXT(CMD, skip), "operations to leave out: worker.number, or worker.from-to", NULL},
    {"quiet", 'q', NULL, NULL, TO_FLAG(CMD, quiet), "the history only", NULL},
    OPTIONS_END,
};
/* clang-format on */

static struct client_texts texts(const struct word_list *list)
{
    return (struct client_texts){list->v, list->n};
}

static void times(const struct client_cmd *a, struct client_options *o)
{
    o->time_ns = a->time_s > 0 ? (uint64_t)(a->time_s * 1e9) : 0;
    o->timeout_ns = a->timeout_s > 0 ? (uint64_t)(a->timeout_s * 1e9) : o->timeout_ns;
    o->patience_ns = a->patience_s > 0 ? (uint64_t)(a->patience_s * 1e9) : o->patience_ns;
    o->final = a->final_s > 0;
    o->final_ns = o->final ? (uint64_t)(a->final_s * 1e9) : 0;
}

static int numbers(const struct client_cmd *a, struct client_options *o)
{
    if (a->seed == NULL) {
        if (getrandom(&o->seed, sizeof o->seed, 0) != (ssize_t)sizeof o->seed) {
            return usage_error("client", "there is no randomness; give --seed");
        }
    } else if (!read_u64(a->seed, &o->seed)) {
        return usage_error("client", "--seed: a number expected, not '%s'", a->seed);
    }
    if (a->operations != NULL && !read_u64(a->operations, &o->operations)) {
        return usage_error("client", "--operations: a number expected, not '%s'", a->operations);
    }
    if (a->rate != NULL) {
        char *end = NULL;
        o->rate = strtod(a->rate, &end);
        if (end == a->rate || *end != '\0' || !(o->rate >= 0 && o->rate < 1e9)) {
            return usage_error("client", "--rate: a number expected, not '%s'", a->rate);
        }
    }
    o->number = a->number;
    o->keys = a->keys != 0 ? a->keys : o->keys;
    o->accounts = a->accounts != 0 ? a->accounts : o->accounts;
    /* Elle's generator does the same: lists would grow, and a read repeats them. */
    o->per_key = a->per_key == 0 && o->workload == WORK_LIST_APPEND ? LIST_WRITES : a->per_key;
    o->txn_most = a->txn != 0 ? a->txn : o->txn_most;
    o->workers =
        a->workers != 0 ? (uint32_t)(a->workers < 100000 ? a->workers : 100000) : o->workers;
    return EXIT_OK;
}

#define WORKLOADS_ALL "register, cas, kv, set, queue, lock, list-append, rw-register or bank"

static int find_workload(const char *name, enum client_workload *ret)
{
    if (name == NULL) {
        return usage_error("client", "the workload is missing: %s", WORKLOADS_ALL);
    }
    if (client_workload_find(name, ret)) {
        return EXIT_OK;
    }
    struct near near = near_to(str_of(name));
    for (int i = 0; i < WORKLOADS; i++) {
        near_try(&near, str_of(client_workload_name((enum client_workload)i)));
    }
    SCOPED_STRBUF hint = {0};
    near_add(&near, &hint, "; did you mean '", "'?");
    return usage_error("client", "there is no workload '%s': %s%s", name, WORKLOADS_ALL,
                       strbuf_cstr(&hint));
}

static int run_client(const struct client_cmd *a)
{
    struct client_options o = client_defaults();
    struct client_counts counts;
    struct err err;
    int status = find_workload(a->workload, &o.workload);
    if (status == EXIT_OK && a->over == NULL) {
        status = usage_error("client", "--over is missing: redis, etcd, zookeeper, postgres, http "
                                       "or line");
    }
    status = status != EXIT_OK ? status : numbers(a, &o);
    if (status != EXIT_OK) {
        return status;
    }
    times(a, &o);
    o.over = a->over;
    o.targets = texts(&a->targets);
    o.send = texts(&a->send);
    o.replies = texts(&a->replies);
    o.headers = texts(&a->headers);
    o.mix = a->mix;
    o.isolation = a->isolation;
    o.read = a->read;
    o.user = a->user;
    o.database = a->database;
    o.password = a->password;
    o.skip = a->skip;
    o.near = a->near;
    o.stay = a->stay;
    o.out_fd = STDOUT_FILENO;
    o.stop = signals_flag();
    if (client_work(&o, &counts, &err) != 0) {
        (void)fprintf(stderr, "assay client: %s\n", err.text);
        return err.code == ERR_INVALID ? EXIT_USAGE : EXIT_OTHER;
    }
    if (!a->quiet) {
        (void)fprintf(stderr,
                      "seed %" PRIu64 ": %" PRIu64 " ok, %" PRIu64 " fail, %" PRIu64 " info\n",
                      o.seed, counts.ok, counts.fail, counts.info);
    }
    return EXIT_OK;
}

int cmd_client(int argc, char **argv)
{
    struct client_cmd a = {0};
    int status = options_parse(options_of_client, argc, argv, &a);
    status = status != EXIT_OK ? status : run_client(&a);
    VEC_DONE(&a.targets);
    VEC_DONE(&a.send);
    VEC_DONE(&a.replies);
    VEC_DONE(&a.headers);
    return status;
}
