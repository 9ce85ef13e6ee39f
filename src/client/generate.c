/* Operations, drawn from the seed. Each is a function of the seed, the worker and its number alone,
 * and every written value is unique, so that an operation can be left out and all the others stay
 * what they were: that is how a failing workload is made smaller. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/near.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "client/client.h"
#include "client/client_int.h"

/* Values of two clients are that far apart: a multiple of MOPS_MOST. */
#define CLIENT_VALUES UINT64_C(160000000)

struct workload_row {
    const char *name;
    uint32_t of[OP_KINDS]; /* how often each operation is drawn */
};
/* ORDER CLIENT_WORKLOADS */
static const struct workload_row rows[WORKLOADS] = {
    [WORK_REGISTER] = {"register",    {[OP_READ] = 1, [OP_WRITE] = 1}                               },
    [WORK_CAS] = {"cas",         {[OP_READ] = 2, [OP_WRITE] = 1, [OP_CAS] = 1}                 },
    [WORK_KV] = {"kv",          {[OP_READ] = 4, [OP_WRITE] = 2, [OP_CAS] = 1, [OP_DELETE] = 1}},
    [WORK_SET] = {"set",         {[OP_ADD] = 4, [OP_READ_ALL] = 1}                             },
    [WORK_QUEUE] = {"queue",       {[OP_ENQUEUE] = 1, [OP_DEQUEUE] = 1}                          },
    [WORK_LOCK] = {"lock",        {[OP_ACQUIRE] = 1, [OP_RELEASE] = 1}                          },
    [WORK_LIST_APPEND] = {"list-append", {[OP_TXN] = 1}                                                },
    [WORK_RW_REGISTER] = {"rw-register", {[OP_TXN] = 1}                                                },
    [WORK_BANK] = {"bank",        {[OP_BALANCES] = 1, [OP_TRANSFER] = 2}                        },
};

const char *client_workload_name(enum client_workload workload)
{
    return rows[workload].name;
}

bool client_workload_find(const char *name, enum client_workload *ret)
{
    for (int i = 0; i < WORKLOADS; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            *ret = (enum client_workload)i;
            return true;
        }
    }
    return false;
}

struct client_options client_defaults(void)
{
    return (struct client_options){
        .over = "redis",
        .seed = 1,
        .operations = 200,
        .rate = 50,
        .keys = 5,
        .accounts = 5,
        .txn_most = 4,
        .timeout_ns = 2000000000,
        .patience_ns = 30000000000,
        .workers = 5,
        .out_fd = 1,
    };
}

const char *op_name(const struct client_options *o, enum op_kind kind)
{
    static const char *const names[OP_KINDS] = {
        [OP_READ] = "read",       [OP_WRITE] = "write",     [OP_CAS] = "cas",
        [OP_DELETE] = "delete",   [OP_ADD] = "add",         [OP_READ_ALL] = "read",
        [OP_ENQUEUE] = "enqueue", [OP_DEQUEUE] = "dequeue", [OP_ACQUIRE] = "acquire",
        [OP_RELEASE] = "release", [OP_TXN] = "txn",         [OP_TRANSFER] = "transfer",
        [OP_BALANCES] = "read",
    };
    bool kv = o->workload == WORK_KV;
    return kv && kind == OP_READ ? "get" : kv && kind == OP_WRITE ? "put" : names[kind];
}

bool op_keyed(enum op_kind kind)
{
    return kind != OP_TXN && kind != OP_TRANSFER && kind != OP_BALANCES;
}

bool op_only_reads(const struct op *op)
{
    if (op->kind == OP_TXN) {
        for (size_t i = 0; i < op->n_mops; i++) {
            if (!op->mops[i].read) {
                return false;
            }
        }
        return true;
    }
    return op->kind == OP_READ || op->kind == OP_READ_ALL || op->kind == OP_BALANCES;
}

/* ---- mixes ---- */

static bool weight_number(struct str text, uint32_t *ret)
{
    char copy[12];
    if (text.n == 0 || text.n >= sizeof copy) {
        return false;
    }
    memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    char *end = NULL;
    unsigned long value = strtoul(copy, &end, 10);
    *ret = (uint32_t)value;
    return *end == '\0' && isdigit((unsigned char)copy[0]) != 0 && value <= 1000000;
}

static int set_weight(const struct client_options *o, struct str name, uint32_t weight,
                      struct weights *ret, struct err *err)
{
    struct near near = near_to(name);
    for (int i = 0; i < OP_KINDS; i++) {
        if (rows[o->workload].of[i] == 0) {
            continue;
        }
        const char *have = op_name(o, (enum op_kind)i);
        if (str_is(name, have)) {
            ret->of[i] = weight;
            return 0;
        }
        near_try(&near, str_of(have));
    }
    SCOPED_STRBUF hint = {0};
    near_add(&near, &hint, "; did you mean '", "'?");
    return err_set(err, ERR_INVALID, 0, "mix: the workload %s has no operation '%.*s'%s",
                   rows[o->workload].name, STR_ARG(name), strbuf_cstr(&hint));
}

int weights_parse(const struct client_options *o, struct weights *ret, struct err *err)
{
    memcpy(ret->of, rows[o->workload].of, sizeof ret->of);
    if (o->mix == NULL) {
        return 0;
    }
    memset(ret->of, 0, sizeof ret->of);
    uint64_t total = 0;
    int status = 0;
    for (const char *at = o->mix; status == 0 && at != NULL;) {
        const char *comma = strchr(at, ',');
        struct str part =
            str_trim((struct str){at, comma != NULL ? (size_t)(comma - at) : strlen(at)});
        const char *equal = memchr(part.p, '=', part.n);
        uint32_t weight = 0;
        if (equal == NULL ||
            !weight_number(str_trim((struct str){equal + 1, (size_t)(part.p + part.n - equal - 1)}),
                           &weight)) {
            return err_set(err, ERR_INVALID, 0, "mix: '%.*s' is not like read=2", STR_ARG(part));
        }
        status = set_weight(o, str_trim((struct str){part.p, (size_t)(equal - part.p)}), weight,
                            ret, err);
        total += weight;
        at = comma != NULL ? comma + 1 : NULL;
    }
    if (status == 0 && total == 0) {
        status = err_set(err, ERR_INVALID, 0, "mix: no operation would ever be drawn");
    }
    return status;
}

/* ---- drawing ---- */

/* Keys are replaced by new ones after a while, if that is wanted: long lists make long histories.
 */
static uint64_t draw_key(const struct client_options *o, struct rng *rng, uint64_t number)
{
    uint64_t slot = rng_below(rng, o->keys);
    if (o->near) { /* each key is drawn twice as often as the next one */
        slot = 0;
        while (slot + 1 < o->keys && rng_below(rng, 2) == 0) {
            slot++;
        }
    }
    if (o->per_key == 0) {
        return slot;
    }
    uint64_t generation = number * o->workers / (o->per_key * o->keys);
    return slot + generation * o->keys;
}

static enum op_kind draw_kind(const struct weights *weights, struct rng *rng)
{
    uint64_t total = 0;
    for (int i = 0; i < OP_KINDS; i++) {
        total += weights->of[i];
    }
    uint64_t at = rng_below(rng, total);
    int kind = 0;
    while (at >= weights->of[kind]) {
        at -= weights->of[kind++];
    }
    return (enum op_kind)kind;
}

static void draw_txn(const struct client_options *o, struct rng *rng, uint64_t number,
                     int64_t unique, struct op *ret)
{
    uint64_t most = o->txn_most < MOPS_MOST ? o->txn_most : MOPS_MOST;
    ret->n_mops = 1 + rng_below(rng, most);
    for (size_t i = 0; i < ret->n_mops; i++) {
        struct mop *mop = &ret->mops[i];
        mop->read = rng_below(rng, 2) == 0;
        mop->key = draw_key(o, rng, number);
        mop->value = unique * MOPS_MOST + (int64_t)i;
    }
}

void op_draw(const struct client_options *o, const struct weights *weights, uint32_t worker,
             uint64_t number, struct op *ret)
{
    struct rng rng;
    rng_seed(&rng, hash_combine(hash_combine(o->seed, worker), number));
    *ret = (struct op){.kind = draw_kind(weights, &rng)};
    if (o->rate > 0) { /* as often as was asked for, on average */
        uint64_t spread = (uint64_t)(2e9 * o->workers / o->rate);
        ret->wait_ns = spread != 0 ? rng_below(&rng, spread) : 0;
    }
    int64_t unique = (int64_t)(number * o->workers + worker) + 1;
    int64_t others = (int64_t)(o->number * CLIENT_VALUES);
    ret->value = others + unique;
    ret->key = draw_key(o, &rng, number);
    /* What a compare-and-set expects is a value that was written of late: it sometimes succeeds. */
    uint64_t back = rng_below(&rng, (uint64_t)2 * o->workers) + 1;
    ret->old = others + ((uint64_t)unique > back ? unique - (int64_t)back : 1);
    if (ret->kind == OP_TXN) {
        draw_txn(o, &rng, number, others / MOPS_MOST + unique, ret);
    } else if (ret->kind == OP_TRANSFER) {
        ret->key = rng_below(&rng, o->accounts);
        ret->to = rng_below(&rng, o->accounts - 1);
        ret->to += ret->to >= ret->key ? 1 : 0;
        ret->value = (int64_t)rng_below(&rng, 5) + 1;
    }
}

bool op_final(const struct client_options *o, uint64_t k, struct op *ret)
{
    *ret = (struct op){.kind = OP_READ, .key = k};
    switch (o->workload) {
    case WORK_BANK: ret->kind = OP_BALANCES; return k == 0;
    case WORK_SET: ret->kind = OP_READ_ALL; break;
    case WORK_QUEUE: ret->kind = OP_DEQUEUE; return k < o->operations;
    case WORK_LIST_APPEND:
    case WORK_RW_REGISTER:
        ret->kind = OP_TXN;
        ret->n_mops = 1;
        ret->mops[0] = (struct mop){.read = true, .key = k};
        break;
    case WORK_LOCK: return false;
    default: break;
    }
    uint64_t used = o->keys;
    if (o->per_key != 0) {
        used *= 1 + o->operations / (o->per_key * o->keys);
    }
    return k < used;
}

/* ---- what is left out ---- */

static bool skip_one(const char **at, struct skip *ret)
{
    char *end = NULL;
    ret->worker = (uint32_t)strtoul(*at, &end, 10);
    if (end == *at || *end != '.' || isdigit((unsigned char)end[1]) == 0) {
        return false;
    }
    ret->from = strtoull(end + 1, &end, 10);
    ret->to = ret->from;
    if (*end == '-') {
        const char *begin = end + 1;
        ret->to = strtoull(begin, &end, 10);
        if (end == begin) {
            return false;
        }
    }
    *at = end;
    return *end == ',' || *end == '\0';
}

int skips_parse(const char *text, struct skips *ret, struct err *err)
{
    for (const char *at = text; at != NULL && *at != '\0';) {
        struct skip skip = {0};
        if (!skip_one(&at, &skip)) {
            return err_set(err, ERR_INVALID, 0, "skip: '%s' is not like 0.3,1.5-9: worker.number",
                           text);
        }
        VEC_PUSH(&ret->v, skip);
        at += *at == ',' ? 1 : 0;
    }
    return 0;
}

bool skips_has(const struct skips *skips, uint32_t worker, uint64_t number)
{
    for (size_t i = 0; i < skips->v.n; i++) {
        const struct skip *skip = &skips->v.v[i];
        if (skip->worker == worker && number >= skip->from && number <= skip->to) {
            return true;
        }
    }
    return false;
}
