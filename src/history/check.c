/* From a history and a model to a verdict. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "history/history.h"
#include "history/history_int.h"

/* ORDER HISTORY_MODELS */
static const char *const model_names[HIST_MODEL_COUNT] = {
    "register", "cas",        "kv",          "queue",       "set",
    "lock",     "owned-lock", "list-append", "rw-register", "bank",
};
/* ORDER HISTORY_LEVELS */
static const char *const level_names[HIST_LEVEL_COUNT] = {
    "default",
    "sequential",
    "linearizable",
    "read-uncommitted",
    "read-committed",
    "snapshot-isolation",
    "repeatable-read",
    "serializable",
    "strong-session-serializable",
    "strict-serializable",
};

const char *hist_model_name(enum hist_model model)
{
    return model_names[model];
}

const char *hist_level_name(enum hist_level level)
{
    return level_names[level];
}

bool hist_model_find(const char *name, enum hist_model *ret_model)
{
    for (size_t i = 0; i < HIST_MODEL_COUNT; i++) {
        if (strcmp(name, model_names[i]) == 0) {
            *ret_model = (enum hist_model)i;
            return true;
        }
    }
    return false;
}

bool hist_level_find(const char *name, enum hist_level *ret_level)
{
    for (size_t i = HIST_SEQUENTIAL; i < HIST_LEVEL_COUNT; i++) {
        if (strcmp(name, level_names[i]) == 0) {
            *ret_level = (enum hist_level)i;
            return true;
        }
    }
    return false;
}

bool hist_keys_find(const char *name, enum hist_keys *ret_keys)
{
    static const struct {
        const char *name;
        enum hist_keys keys;
    } rows[] = {
        {"wfr",          HIST_KEYS_WFR         },
        {"sequential",   HIST_KEYS_SEQUENTIAL  },
        {"linearizable", HIST_KEYS_LINEARIZABLE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(name, rows[i].name) == 0) {
            *ret_keys = rows[i].keys;
            return true;
        }
    }
    return false;
}

void hist_result_done(struct hist_result *result)
{
    strbuf_done(&result->text);
    strbuf_done(&result->names);
}

static bool is_transactional(enum hist_model model)
{
    return model == HIST_LIST_APPEND || model == HIST_RW_REGISTER;
}

/* ---- objects ---- */

struct objects {
    struct history *history;
    const struct hist_options *options;
    struct hist_result *result;
    VEC(struct hist_do) ops;
    VEC(struct hval) keys;
    struct hist_search search;
};

/* The number of a value among those seen so far, in order of appearance. */
static uint32_t number_of(struct u64map *map, struct hval v)
{
    uint64_t n;
    if (!u64map_get(map, v.id, &n)) {
        n = map->n;
        u64map_put(map, v.id, n);
    }
    return (uint32_t)n;
}

static int read_ops(struct objects *o, struct err *err)
{
    struct u64map keys = {0};
    struct u64map processes = {0};
    int rc = 0;
    for (uint32_t i = 0; i < o->history->ops.n && rc >= 0; i++) {
        const struct hist_op *op = &o->history->ops.v[i];
        struct hist_do what;
        rc = hist_do_of(o->history, o->options->model, op, &what, err);
        if (rc <= 0) {
            continue;
        }
        what.op = i;
        what.object = number_of(&keys, op->key);
        what.process = number_of(&processes, op->process);
        if (what.object == o->keys.n) {
            VEC_PUSH(&o->keys, op->key);
        }
        o->result->operations += op->end == HIST_OK;
        VEC_PUSH(&o->ops, what);
    }
    u64map_done(&keys);
    u64map_done(&processes);
    o->result->keys = o->keys.n;
    return rc;
}

static void tell_violation(struct objects *o, struct hist_do *ops, size_t n, struct hval key)
{
    bool linear = o->result->level == HIST_LINEARIZABLE;
    struct strbuf *out = &o->result->text;
    n = hist_minimal(&o->search, linear ? hist_linear : hist_seq, linear, ops, n);
    strbuf_adds(out, "  ");
    if (linear && !hval_eq(key, HVAL_NIL)) {
        strbuf_adds(out, "key ");
        hval_print(&o->history->vals, key, out);
        strbuf_adds(out, ": ");
    }
    strbuf_printf(out, "no order of these operations explains their results%s:\n",
                  linear ? "" : ", even if only each process keeps its order");
    hist_explain(o->history, ops, n, linear, out);
}

enum { KEYS_TOLD = 3, FIRST_STEPS = 100000, MORE_STEPS = 10 };

/* The operations of one key, as an object of its own. */
static size_t part_of(const struct objects *o, uint32_t key, struct hist_do *part)
{
    size_t n = 0;
    for (size_t i = 0; i < o->ops.n; i++) {
        if (o->ops.v[i].object == key) {
            part[n] = o->ops.v[i];
            part[n++].object = 0;
        }
    }
    return n;
}

/* One key at a time; the others do not matter for it (Herlihy and Wing, section 3). A hard key must
 * not hide the violation of an easy one: each gets a number of steps, then more. Keys that are hard
 * stay undecided once another one is violated. */
static void judge_linear(struct objects *o)
{
    struct hist_do *part = ARENA_ARRAY(o->history->arena, struct hist_do, o->ops.n + 1);
    bool *decided = ARENA_ARRAY(o->history->arena, bool, o->keys.n + 1);
    size_t left = o->keys.n;
    uint64_t steps = 0;
    bool over = false;
    for (uint64_t limit = FIRST_STEPS; left > 0 && !over && o->result->violations == 0;
         limit *= MORE_STEPS) {
        for (uint32_t key = 0; key < o->keys.n && !over; key++) {
            if (decided[key]) {
                continue;
            }
            size_t n = part_of(o, key, part);
            o->search.steps = 0;
            o->search.steps_max = limit;
            enum hist_outcome outcome = hist_linear(&o->search, part, n);
            steps += o->search.steps;
            decided[key] = outcome != HIST_UNDECIDED;
            left -= decided[key];
            over = outcome == HIST_UNDECIDED && o->search.steps <= limit; /* stopped, or memory */
            if (outcome == HIST_VIOLATED && o->result->violations++ < KEYS_TOLD) {
                tell_violation(o, part, n, o->keys.v[key]);
            }
        }
    }
    o->search.steps = steps;
    o->result->undecided = left;
    o->result->outcome = o->result->violations > 0 ? HIST_VIOLATED
                         : left > 0                ? HIST_UNDECIDED
                                                   : HIST_CONSISTENT;
}

/* What is linearizable is sequential, too, and that is known much sooner. */
static void judge_seq(struct objects *o)
{
    struct hist_do *part = ARENA_ARRAY(o->history->arena, struct hist_do, o->ops.n + 1);
    bool linear = true;
    for (uint32_t key = 0; key < o->keys.n && linear; key++) {
        size_t n = part_of(o, key, part);
        o->search.steps = 0;
        o->search.steps_max = FIRST_STEPS;
        linear = hist_linear(&o->search, part, n) == HIST_CONSISTENT;
    }
    o->search.steps = 0;
    o->search.steps_max = 0;
    if (linear) {
        return;
    }
    o->result->outcome = hist_seq(&o->search, o->ops.v, o->ops.n);
    if (o->result->outcome == HIST_VIOLATED) {
        o->result->violations = 1;
        tell_violation(o, o->ops.v, o->ops.n, HVAL_NIL);
    }
}

static int judge_objects(struct history *history, const struct hist_options *options,
                         struct hist_result *result, struct err *err)
{
    struct objects o = {.history = history, .options = options, .result = result};
    int rc = read_ops(&o, err);
    if (rc >= 0 && result->operations == 0) {
        rc =
            err_set(err, ERR_INVALID, 0,
                    "%s: no operation ended with \"ok\": there is nothing to judge", history->name);
    }
    if (rc >= 0) {
        o.search = (struct hist_search){
            .vals = &history->vals,
            .stop = options->stop,
            .memory_bytes = options->memory_bytes != 0 ? options->memory_bytes : (size_t)2 << 30};
        if (result->level == HIST_LINEARIZABLE) {
            judge_linear(&o);
        } else {
            judge_seq(&o);
        }
        if (result->violations > 0) {
            strbuf_printf(&result->names, "not-%s", level_names[result->level]);
        }
        result->steps = o.search.steps;
    }
    VEC_DONE(&o.ops);
    VEC_DONE(&o.keys);
    return rc < 0 ? rc : 0;
}

/* ---- transactions ---- */

/* Anomalies that the level forbids, worst first; the others are named. */
static void tell_anomalies(struct hist_txns *txns, struct hist_result *result)
{
    uint64_t forbidden = hist_forbidden(result->level);
    for (size_t i = 0; i < HIST_ANOMALIES; i++) {
        if (txns->found[i] == 0) {
            continue;
        }
        bool bad = (forbidden >> i & 1) != 0;
        const char *name = hist_anomaly_name((enum hist_anomaly)i);
        strbuf_printf(&result->names, "%s%s", result->names.n > 0 ? " " : "", name);
        strbuf_printf(&result->text, "%s (%zu found)%s\n", name, txns->found[i],
                      bad ? "" : ": allowed at this level");
        if (bad) {
            result->violations++;
            result->outcome = HIST_VIOLATED;
            strbuf_addstr(&result->text, strbuf_str(&txns->text[i]));
        }
    }
}

static int judge_transactions(struct history *history, const struct hist_options *options,
                              struct hist_result *result, struct err *err)
{
    struct hist_txns txns;
    int rc = hist_txns_read(history, options, &txns, err);
    for (size_t i = 0; rc >= 0 && i < txns.txns.n; i++) {
        result->operations += txns.txns.v[i].end == HIST_OK;
    }
    if (rc >= 0 && result->operations == 0) {
        rc = err_set(err, ERR_INVALID, 0,
                     "%s: no transaction ended with \"ok\": there is nothing to judge",
                     history->name);
    }
    if (rc >= 0) {
        rc = options->model == HIST_LIST_APPEND ? hist_append_edges(&txns, err)
                                                : hist_rw_edges(&txns, err);
    }
    if (rc >= 0) {
        hist_order_edges(&txns);
        hist_cycles(&txns);
        result->keys = txns.keys.n;
        tell_anomalies(&txns, result);
    }
    hist_txns_done(&txns);
    return rc < 0 ? rc : 0;
}

/* The level to judge by; refuses one of another family. */
static int choose_level(const struct hist_options *options, enum hist_level *ret_level,
                        struct err *err)
{
    bool transactional = is_transactional(options->model);
    bool object_level = options->level == HIST_SEQUENTIAL || options->level == HIST_LINEARIZABLE;
    if (options->level == HIST_DEFAULT) {
        *ret_level = transactional ? HIST_STRICT_SERIALIZABLE : HIST_LINEARIZABLE;
        return 0;
    }
    if (options->model == HIST_BANK || transactional == object_level) {
        return err_set(err, ERR_UNSUPPORTED, 0, "a history of model %s cannot be judged as %s",
                       model_names[options->model], level_names[options->level]);
    }
    *ret_level = options->level;
    return 0;
}

int history_check(struct history *history, const struct hist_options *options,
                  struct hist_result *ret_result, struct err *err)
{
    *ret_result = (struct hist_result){.outcome = HIST_CONSISTENT};
    int rc = choose_level(options, &ret_result->level, err);
    if (rc < 0) {
        return rc;
    }
    if (options->model == HIST_BANK) {
        return hist_bank(history, options, ret_result, err);
    }
    return is_transactional(options->model) ? judge_transactions(history, options, ret_result, err)
                                            : judge_objects(history, options, ret_result, err);
}
