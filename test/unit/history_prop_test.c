/* The searches against slow and obvious ones, on random small histories. */
#include <stdbool.h>
#include <stdio.h>

#include "base/rng.h"
#include "history/history_int.h"
#include "history_util.h"

enum { OPS_MAX = 8 };

struct random_history {
    struct hist_do ops[OPS_MAX];
    size_t n;
};

/* ---- objects ---- */

/* Every order that keeps the real time, or the processes, tried in turn. */
static bool some_order(struct hvals *vals, const struct random_history *h, unsigned placed,
                       const struct hval *states, bool real_time)
{
    bool all = true;
    for (size_t i = 0; i < h->n; i++) {
        all = all && ((placed >> i & 1) != 0 || h->ops[i].ret == HIST_NEVER);
    }
    if (all) {
        return true;
    }
    for (size_t i = 0; i < h->n; i++) {
        if ((placed >> i & 1) != 0) {
            continue;
        }
        bool may = true;
        for (size_t k = 0; k < h->n; k++) {
            const struct hist_do *other = &h->ops[k];
            bool before = real_time
                              ? other->ret < h->ops[i].call
                              : other->process == h->ops[i].process && other->ret < h->ops[i].call;
            may = may && !((placed >> k & 1) == 0 && other->ret != HIST_NEVER && before);
        }
        struct hval next[2] = {states[0], states[1]};
        if (may && hist_step(vals, states[h->ops[i].object], &h->ops[i], &next[h->ops[i].object]) &&
            some_order(vals, h, placed | 1U << i, next, real_time)) {
            return true;
        }
    }
    return false;
}

static void random_op(struct rng *rng, struct hvals *vals, enum hist_model model,
                      struct hist_do *op)
{
    struct hval v = hval_int(vals, (int64_t)rng_below(rng, 3));
    struct hval w = hval_int(vals, (int64_t)rng_below(rng, 3));
    bool nil = rng_below(rng, 6) == 0;
    op->a = v;
    op->b = w;
    switch (model) {
    case HIST_REGISTER: op->verb = rng_below(rng, 2) == 0 ? HIST_READ : HIST_WRITE; break;
    case HIST_CAS:
        op->verb = rng_below(rng, 3) == 0   ? HIST_COMPARE
                   : rng_below(rng, 2) == 0 ? HIST_READ
                                            : HIST_WRITE;
        break;
    case HIST_KV: {
        char text[4] = "";
        for (size_t k = rng_below(rng, 4); k > 0; k--) {
            strcat(text, rng_below(rng, 2) == 0 ? "a" : "b");
        }
        op->verb = rng_below(rng, 2) == 0   ? HIST_READ
                   : rng_below(rng, 5) == 0 ? HIST_WRITE
                                            : HIST_APPEND;
        op->a = op->verb == HIST_APPEND
                    ? hval_text(vals, rng_below(rng, 2) == 0 ? STR("a") : STR("b"))
                : text[0] == '\0' ? HVAL_NIL
                                  : hval_text(vals, str_of(text));
        return;
    }
    case HIST_QUEUE:
        op->verb = rng_below(rng, 2) == 0 ? HIST_ADD_LAST : HIST_TAKE_FIRST;
        nil = nil && op->verb == HIST_TAKE_FIRST;
        break;
    case HIST_LOCK:
        op->verb = rng_below(rng, 2) == 0 ? HIST_ACQUIRE : HIST_RELEASE;
        op->a = hval_int(vals, op->process);
        return;
    default: {
        struct hval set[2] = {hval_int(vals, 0), hval_int(vals, 1)};
        op->verb = rng_below(rng, 2) == 0   ? HIST_READ
                   : rng_below(rng, 4) == 0 ? HIST_REMOVE
                                            : HIST_INSERT;
        size_t from = rng_below(rng, 2);
        op->a = op->verb == HIST_READ ? hval_list(vals, set + from, 2 - from) : set[from];
        return;
    }
    }
    op->a = nil && op->verb != HIST_COMPARE ? HVAL_NIL : op->a;
}

/* Operations in order of their calls, one at a time in each of three processes. */
static void random_ops(struct rng *rng, struct hvals *vals, enum hist_model model,
                       struct random_history *h)
{
    uint32_t open[3] = {0};
    uint32_t moment = 0;
    *h = (struct random_history){0};
    while (h->n < OPS_MAX || open[0] + open[1] + open[2] > 0) {
        uint32_t p = (uint32_t)rng_below(rng, 3);
        if (open[p] != 0) {
            struct hist_do *op = &h->ops[open[p] - 1];
            op->ret = rng_below(rng, 6) == 0 ? HIST_NEVER : moment++;
            op->any_result = op->verb == HIST_TAKE_FIRST && op->ret == HIST_NEVER;
            open[p] = 0;
        } else if (h->n < OPS_MAX) {
            struct hist_do *op = &h->ops[h->n++];
            op->process = p;
            op->call = moment++;
            op->object = model == HIST_REGISTER ? (uint32_t)rng_below(rng, 2) : 0;
            random_op(rng, vals, model, op);
            open[p] = (uint32_t)h->n;
        }
    }
    /* a read without an answer does not matter */
    size_t kept = 0;
    for (size_t i = 0; i < h->n; i++) {
        if (h->ops[i].verb != HIST_READ || h->ops[i].ret != HIST_NEVER) {
            h->ops[kept++] = h->ops[i];
        }
    }
    h->n = kept;
}

static const enum hist_model models[] = {HIST_REGISTER, HIST_CAS,  HIST_KV,
                                         HIST_QUEUE,    HIST_LOCK, HIST_SET};

/* Without any of the operations that change nothing there is no contradiction. */
static void check_minimal(struct hvals *vals, const struct random_history *h,
                          const struct hval *states, bool real_time)
{
    for (size_t i = 0; i < h->n; i++) {
        struct random_history less = {.n = 0};
        for (size_t k = 0; k < h->n; k++) {
            if (k != i) {
                less.ops[less.n++] = h->ops[k];
            }
        }
        CHECK(!hist_changes_nothing(&h->ops[i]) || some_order(vals, &less, 0, states, real_time));
    }
}

static void compare(bool real_time)
{
    size_t wrong = 0;
    struct rng rng;
    rng_seed(&rng, 11);
    for (int round = 0; round < 6000; round++) {
        struct arena arena;
        struct hvals vals;
        arena_init(&arena, 4096);
        hvals_init(&vals, &arena);
        struct random_history h;
        random_ops(&rng, &vals, models[round % 6], &h);
        for (size_t i = 0; real_time && i < h.n; i++) {
            h.ops[i].object = 0;
        }
        struct hval states[2] = {HVAL_NIL, HVAL_NIL};
        bool want = some_order(&vals, &h, 0, states, real_time);
        struct hist_search search = {.vals = &vals, .memory_bytes = 1 << 24};
        hist_judge *judge_fn = real_time ? hist_linear : hist_seq;
        enum hist_outcome got = judge_fn(&search, h.ops, h.n);
        if (got != (want ? HIST_CONSISTENT : HIST_VIOLATED)) {
            fprintf(stderr, "round %d: %d, but an order %s\n", round, (int)got,
                    want ? "exists" : "does not exist");
        }
        CHECK_EQ(got, want ? HIST_CONSISTENT : HIST_VIOLATED);
        if (!want) {
            wrong++;
            /* leaving operations out never makes a contradiction: the rest is wrong, and the whole
             */
            h.n = hist_minimal(&search, judge_fn, real_time, h.ops, h.n);
            CHECK(!some_order(&vals, &h, 0, states, real_time));
            check_minimal(&vals, &h, states, real_time);
        }
        hvals_done(&vals);
        arena_done(&arena);
    }
    CHECK(wrong > 600 && wrong < 5400); /* both verdicts occur */
}

TEST(linear_against_all_orders)
{
    compare(true);
}

TEST(sequential_against_all_orders)
{
    compare(false);
}

/* ---- transactions ---- */

enum { TXNS = 5, MOPS = 3, KEYS = 2, LIST_MAX = 16 };

struct mop {
    bool write;
    int key, n;
    int list[LIST_MAX]; /* what was read; list[0]: what was appended */
};
struct txn {
    struct mop mops[MOPS];
    int n;
};

struct lists {
    int v[KEYS][LIST_MAX], n[KEYS];
};

/* Does the transaction; `answer`: fill in what its reads see, else compare. */
static bool perform(struct lists *lists, struct txn *txn, bool answer)
{
    for (int m = 0; m < txn->n; m++) {
        struct mop *mop = &txn->mops[m];
        int *list = lists->v[mop->key];
        int *n = &lists->n[mop->key];
        if (mop->write) {
            list[(*n)++] = mop->list[0];
        } else if (answer) {
            mop->n = *n;
            memcpy(mop->list, list, sizeof mop->list);
        } else if (mop->n != *n || memcmp(mop->list, list, (size_t)*n * sizeof list[0]) != 0) {
            return false;
        }
    }
    return true;
}

static bool serial_order(struct txn *txns, unsigned placed, struct lists lists)
{
    if (placed == (1U << TXNS) - 1) {
        return true;
    }
    for (unsigned t = 0; t < TXNS; t++) {
        struct lists next = lists;
        if ((placed >> t & 1) == 0 && perform(&next, &txns[t], false) &&
            serial_order(txns, placed | 1U << t, next)) {
            return true;
        }
    }
    return false;
}

static void print_txns(const struct txn *txns, struct strbuf *out)
{
    for (int end = 0; end < 2; end++) {
        for (int t = 0; t < TXNS; t++) {
            strbuf_printf(out, "{\"process\":%d,\"type\":\"%s\",\"f\":\"txn\",\"value\":[", t,
                          end != 0 ? "ok" : "invoke");
            for (int m = 0; m < txns[t].n; m++) {
                const struct mop *mop = &txns[t].mops[m];
                strbuf_printf(out, "%s[\"%s\",%d,", m > 0 ? "," : "", mop->write ? "append" : "r",
                              mop->key);
                strbuf_printf(out, mop->write ? "%d]" : "[", mop->list[0]);
                for (int i = 0; !mop->write && i < mop->n; i++) {
                    strbuf_printf(out, "%s%d", i > 0 ? "," : "", mop->list[i]);
                }
                strbuf_adds(out, mop->write ? "" : "]]");
            }
            strbuf_adds(out, "]}\n");
        }
    }
}

/* Transactions as a database would do them one after the other; sometimes a read is made older. */
static void random_txns(struct rng *rng, struct txn *txns, bool stale)
{
    struct lists lists = {0};
    int value = 0;
    memset(txns, 0, TXNS * sizeof txns[0]);
    for (int t = 0; t < TXNS; t++) {
        txns[t].n = 1 + (int)rng_below(rng, MOPS);
        for (int m = 0; m < txns[t].n; m++) {
            txns[t].mops[m] =
                (struct mop){.write = rng_below(rng, 2) == 0, .key = (int)rng_below(rng, KEYS)};
            if (txns[t].mops[m].write) {
                txns[t].mops[m].list[0] = ++value;
            }
        }
        perform(&lists, &txns[t], true);
    }
    for (int k = 0; stale && k < 2; k++) {
        struct txn *txn = &txns[rng_below(rng, TXNS)];
        struct mop *mop = &txn->mops[rng_below(rng, (uint64_t)txn->n)];
        if (!mop->write && mop->n > 0) {
            mop->n -= 1 + (int)rng_below(rng, (uint64_t)mop->n);
        }
    }
}

TEST(serializable_against_all_orders)
{
    struct rng rng;
    rng_seed(&rng, 5);
    size_t found = 0;
    size_t missed = 0;
    for (int round = 0; round < 4000; round++) {
        struct txn txns[TXNS];
        random_txns(&rng, txns, round % 2 == 1);
        bool want = serial_order(txns, 0, (struct lists){0});
        SCOPED_STRBUF json = {0};
        print_txns(txns, &json);
        struct judged got =
            judge((struct hist_options){.model = HIST_LIST_APPEND, .level = HIST_SERIALIZABLE},
                  false, strbuf_cstr(&json));
        CHECK_EQ(got.rc, 0);
        CHECK(round % 2 == 1 || want);
        if (want && got.outcome != HIST_CONSISTENT) {
            fprintf(stderr, "%s%s", strbuf_cstr(&json), got.text);
        }
        CHECK(!want || got.outcome == HIST_CONSISTENT); /* never a false alarm */
        found += !want && got.outcome == HIST_VIOLATED;
        missed += !want && got.outcome == HIST_CONSISTENT;
    }
    /* what nobody observed leaves room for doubt, but not much */
    CHECK(found > 200);
    CHECK(missed * 20 < found);
}
