/* Levels of isolation against a slow and obvious search, on random small histories of transactions:
 * lists and registers, transactions that failed or never answered, processes and real time. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/str.h"
#include "history/history.h"
#include "history_util.h"

enum { TXNS = 5, MOPS = 3, KEYS = 2, LIST_MAX = 16, PROCESSES = 3, EVENTS = 2 * TXNS };
enum end { END_OK, END_INFO, END_FAIL };

struct mop {
    bool write;
    int key, n;
    int list[LIST_MAX]; /* what was read, n of them; list[0]: what was written */
};
struct txn {
    struct mop mops[MOPS];
    int n;
    enum end end;
    int process, call, ret;
};
struct store {
    int v[KEYS][LIST_MAX], n[KEYS];
};
enum order { ANY_ORDER, PROCESS_ORDER, REAL_TIME };

/* ---- the slow way ---- */

/* Does the transaction; `answer`: fill in what its reads see, else compare. */
static bool perform(struct store *s, struct txn *txn, bool lists, bool answer)
{
    for (int m = 0; m < txn->n; m++) {
        struct mop *mop = &txn->mops[m];
        int *v = s->v[mop->key], *n = &s->n[mop->key];
        if (mop->write) {
            *n = lists ? *n : 0;
            v[(*n)++] = mop->list[0];
        } else if (answer) {
            mop->n = *n;
            memcpy(mop->list, v, sizeof mop->list);
        } else if (txn->end == END_OK &&
                   (mop->n != *n || memcmp(mop->list, v, (size_t)*n * sizeof v[0]) != 0)) {
            return false;
        }
    }
    return true;
}

static bool comes_before(const struct txn *a, const struct txn *b, enum order order)
{
    return a->end == END_OK && a->ret < b->call &&
           (order == REAL_TIME || (order == PROCESS_ORDER && a->process == b->process));
}

static bool some_order(struct txn *txns, unsigned placed, struct store store, bool lists,
                       enum order order)
{
    bool all = true;
    for (int t = 0; t < TXNS; t++) {
        all = all && (txns[t].end != END_OK || (placed >> t & 1) != 0);
    }
    for (int t = 0; t < TXNS && !all; t++) {
        bool may = (placed >> t & 1) == 0 && txns[t].end != END_FAIL;
        for (int u = 0; u < TXNS; u++) {
            may = may && ((placed >> u & 1) != 0 || !comes_before(&txns[u], &txns[t], order));
        }
        struct store next = store;
        all = may && perform(&next, &txns[t], lists, false) &&
              some_order(txns, placed | 1U << t, next, lists, order);
    }
    return all;
}

/* ---- histories ---- */

static void random_times(struct rng *rng, struct txn *txns)
{
    int open[PROCESSES], process[PROCESSES], begun = 0, next = PROCESSES;
    for (int p = 0; p < PROCESSES; p++) {
        open[p] = -1;
        process[p] = p;
    }
    for (int now = 0; now < EVENTS;) {
        int p = (int)rng_below(rng, PROCESSES);
        if (open[p] >= 0) {
            struct txn *txn = &txns[open[p]];
            txn->ret = now++;
            process[p] = txn->end == END_INFO ? next++ : process[p];
            open[p] = -1;
        } else if (begun < TXNS) {
            txns[begun].process = process[p];
            txns[begun].call = now++;
            open[p] = begun++;
        }
    }
}

/* As a database would do them one after the other, in order of their calls; then reads are changed
 * in some. */
static void random_txns(struct rng *rng, struct txn *txns, bool lists, int changes)
{
    struct store store = {0};
    int value = 0;
    memset(txns, 0, TXNS * sizeof txns[0]);
    for (int t = 0; t < TXNS; t++) {
        txns[t].n = 1 + (int)rng_below(rng, MOPS);
        uint64_t end = rng_below(rng, 12);
        txns[t].end = end == 0 ? END_FAIL : end < 3 ? END_INFO : END_OK;
        for (int m = 0; m < txns[t].n; m++) {
            struct mop *mop = &txns[t].mops[m];
            *mop = (struct mop){.write = rng_below(rng, 2) == 0, .key = (int)rng_below(rng, KEYS)};
            mop->list[0] = mop->write ? ++value : 0;
        }
        struct store tried = store;
        perform(&tried, &txns[t], lists, true);
        bool happens = txns[t].end == END_OK || (txns[t].end == END_INFO && rng_below(rng, 2) == 0);
        store = happens ? tried : store;
    }
    txns[0].end = END_OK; /* something is judged */
    random_times(rng, txns);
    for (int k = 0; k < changes; k++) {
        struct txn *txn = &txns[rng_below(rng, TXNS)];
        struct mop *mop = &txn->mops[rng_below(rng, (uint64_t)txn->n)];
        if (!mop->write && lists && mop->n > 0) {
            mop->n -= 1 + (int)rng_below(rng, (uint64_t)mop->n);
        } else if (!mop->write && !lists && value > 0) {
            mop->list[0] = 1 + (int)rng_below(rng, (uint64_t)value);
            mop->n = rng_below(rng, 3) != 0;
        }
    }
}

static void print_mop(const struct mop *mop, bool lists, bool known, struct strbuf *out)
{
    strbuf_printf(out, "[\"%s\",%d,", !mop->write ? "r" : lists ? "append" : "w", mop->key);
    if (mop->write) {
        strbuf_printf(out, "%d]", mop->list[0]);
    } else if (!known || (!lists && mop->n == 0)) {
        strbuf_adds(out, "null]");
    } else if (!lists) {
        strbuf_printf(out, "%d]", mop->list[0]);
    } else {
        strbuf_addc(out, '[');
        for (int i = 0; i < mop->n; i++) {
            strbuf_printf(out, "%s%d", i > 0 ? "," : "", mop->list[i]);
        }
        strbuf_adds(out, "]]");
    }
}

static void print_txns(const struct txn *txns, bool lists, struct strbuf *out)
{
    static const char *const ends[] = {"ok", "info", "fail"}; /* ORDER enum end */
    for (int now = 0; now < EVENTS; now++) {
        for (int t = 0; t < TXNS; t++) {
            const struct txn *txn = &txns[t];
            if (txn->call != now && txn->ret != now) {
                continue;
            }
            bool over = txn->ret == now;
            strbuf_printf(out, "{\"process\":%d,\"type\":\"%s\",\"f\":\"txn\",\"value\":[",
                          txn->process, over ? ends[txn->end] : "invoke");
            for (int m = 0; m < txn->n; m++) {
                strbuf_adds(out, m > 0 ? "," : "");
                print_mop(&txn->mops[m], lists, over && txn->end == END_OK, out);
            }
            strbuf_adds(out, "]}\n");
        }
    }
}

/* ---- both ---- */

struct score {
    size_t found, missed;
};

/* Never a false alarm; what nobody observed leaves room for doubt. */
static void compare(struct txn *txns, bool lists, struct hist_options options, enum order order,
                    struct score *score)
{
    SCOPED_STRBUF json = {0};
    print_txns(txns, lists, &json);
    bool want = some_order(txns, 0, (struct store){0}, lists, order);
    struct judged got = judge(options, false, strbuf_cstr(&json));
    if (got.rc != 0 || (want && got.outcome != HIST_CONSISTENT)) {
        fprintf(stderr, "%s%s%s", strbuf_cstr(&json), got.text, got.err);
    }
    CHECK_EQ(got.rc, 0);
    CHECK(!want || got.outcome == HIST_CONSISTENT);
    score->found += !want && got.outcome == HIST_VIOLATED;
    score->missed += !want && got.outcome == HIST_CONSISTENT;
}

static const struct {
    enum hist_level level;
    enum order order;
} levels[] = {
    {HIST_SERIALIZABLE,         ANY_ORDER    },
    {HIST_SESSION_SERIALIZABLE, PROCESS_ORDER},
    {HIST_STRICT_SERIALIZABLE,  REAL_TIME    },
};
enum { LEVELS = 3 };

/* missed: how many of those that have no order are not found, at most. */
static void compare_all(bool lists, const unsigned *keys, const size_t *missed)
{
    struct rng rng;
    struct score scores[LEVELS] = {0};
    rng_seed(&rng, 17);
    for (int round = 0; round < 3000; round++) {
        struct txn txns[TXNS];
        random_txns(&rng, txns, lists, round % 4);
        for (size_t i = 0; i < LEVELS; i++) {
            struct hist_options options = {.model = lists ? HIST_LIST_APPEND : HIST_RW_REGISTER,
                                           .level = levels[i].level,
                                           .keys = keys[i]};
            compare(txns, lists, options, levels[i].order, &scores[i]);
        }
    }
    for (size_t i = 0; i < LEVELS; i++) {
        CHECK(scores[i].found > 500);
        CHECK(scores[i].missed <= missed[i]);
    }
}

TEST(lists)
{
    compare_all(true, (unsigned[]){0, 0, 0}, (size_t[]){1, 1, 1});
}

TEST(registers)
{
    compare_all(false, (unsigned[]){0, 0, 0}, (size_t[]){5, 12, 16});
}

TEST(registers_written_after_reads)
{
    compare_all(false, (unsigned[]){HIST_KEYS_WFR, HIST_KEYS_WFR, HIST_KEYS_WFR},
                (size_t[]){4, 10, 14});
}

TEST(registers_seen_in_order)
{
    compare_all(false,
                (unsigned[]){0, HIST_KEYS_WFR | HIST_KEYS_SEQUENTIAL,
                             HIST_KEYS_WFR | HIST_KEYS_LINEARIZABLE},
                (size_t[]){5, 3, 1});
}

/* What violates a level violates all that are stronger. */
TEST(levels_are_ordered)
{
    static const struct {
        enum hist_level weaker, stronger;
    } pairs[] = {
        {HIST_READ_UNCOMMITTED,     HIST_READ_COMMITTED      },
        {HIST_READ_COMMITTED,       HIST_SNAPSHOT_ISOLATION  },
        {HIST_READ_COMMITTED,       HIST_REPEATABLE_READ     },
        {HIST_SNAPSHOT_ISOLATION,   HIST_SERIALIZABLE        },
        {HIST_REPEATABLE_READ,      HIST_SERIALIZABLE        },
        {HIST_SERIALIZABLE,         HIST_SESSION_SERIALIZABLE},
        {HIST_SESSION_SERIALIZABLE, HIST_STRICT_SERIALIZABLE },
    };
    /* of 1000 each, registers and lists: as many as were found when this was written */
    static const size_t least[2][7] = {
        {235, 291, 369, 313, 378, 407, 454},
        {0,   26,  235, 124, 260, 311, 359}
    };
    struct rng rng;
    size_t violated[2][HIST_LEVEL_COUNT] = {{0}};
    rng_seed(&rng, 29);
    for (int round = 0; round < 2000; round++) {
        struct txn txns[TXNS];
        bool lists = round % 2 == 0, bad[HIST_LEVEL_COUNT] = {0};
        random_txns(&rng, txns, lists, 1 + round % 3);
        SCOPED_STRBUF json = {0};
        print_txns(txns, lists, &json);
        for (unsigned i = HIST_READ_UNCOMMITTED; i <= HIST_STRICT_SERIALIZABLE; i++) {
            struct hist_options options = {.model = lists ? HIST_LIST_APPEND : HIST_RW_REGISTER,
                                           .level = (enum hist_level)i};
            bad[i] = judge(options, false, strbuf_cstr(&json)).outcome == HIST_VIOLATED;
            violated[lists][i] += bad[i];
        }
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            if (bad[pairs[i].weaker] && !bad[pairs[i].stronger]) {
                fprintf(stderr, "%s%s, but not %s\n", strbuf_cstr(&json),
                        hist_level_name(pairs[i].weaker), hist_level_name(pairs[i].stronger));
            }
            CHECK(!bad[pairs[i].weaker] || bad[pairs[i].stronger]);
        }
    }
    for (int i = 0; i < 7; i++) {
        CHECK(violated[0][HIST_READ_UNCOMMITTED + i] >= least[0][i]);
        CHECK(violated[1][HIST_READ_UNCOMMITTED + i] >= least[1][i]);
    }
}
