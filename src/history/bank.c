/* A bank: transfers move money between accounts, so every read of all accounts has the same total.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "history/history.h"
#include "history/history_int.h"

struct bank {
    struct history *history;
    const struct hist_options *options;
    struct hist_result *result;
    bool has_total;
    int64_t total;
    unsigned total_line; /* 0: the total was given */
};

/* The sum of the balances in a map, or in a list of pairs or of numbers. */
static bool sum_of(const struct hvals *vals, struct hval value, int64_t *ret_sum, bool *ret_below)
{
    const struct hval_node *node = hval_at(vals, value);
    *ret_sum = 0;
    *ret_below = false;
    if (node->kind != HVAL_KIND_MAP && node->kind != HVAL_KIND_LIST) {
        return false;
    }
    bool map = node->kind == HVAL_KIND_MAP;
    for (uint32_t i = map ? 1 : 0; i < node->n; i += map ? 2 : 1) {
        const struct hval_node *item = hval_at(vals, node->items[i]);
        if (!map && item->kind == HVAL_KIND_LIST && item->n == 2) {
            item = hval_at(vals, item->items[1]);
        }
        if (item->kind == HVAL_KIND_NIL) {
            continue; /* an account that is not there yet */
        }
        if (item->kind != HVAL_KIND_INT || __builtin_add_overflow(*ret_sum, item->i, ret_sum)) {
            return false;
        }
        *ret_below = *ret_below || item->i < 0;
    }
    return true;
}

static void tell(struct bank *bank, const struct hist_op *op, const char *what)
{
    struct strbuf *out = &bank->result->text;
    if (bank->result->violations++ > 0) {
        return; /* the first is told, the others are counted */
    }
    bank->result->outcome = HIST_VIOLATED;
    strbuf_printf(out, "  lines %u-%u, process ", op->call_line, op->ret_line);
    hval_print(&bank->history->vals, op->process, out);
    strbuf_printf(out, ": %s\n    ", what);
    hval_print(&bank->history->vals, op->out, out);
    strbuf_addc(out, '\n');
}

static int judge_read(struct bank *bank, const struct hist_op *op, struct err *err)
{
    int64_t sum;
    bool below;
    if (!sum_of(&bank->history->vals, op->out, &sum, &below)) {
        return hist_error(bank->history, op->ret_line, err,
                          "a read of a bank returns the balance of each account, as whole numbers");
    }
    if (!bank->has_total) {
        bank->has_total = true;
        bank->total = sum;
        bank->total_line = op->ret_line;
    }
    SCOPED_STRBUF what = {0};
    if (sum != bank->total) {
        strbuf_printf(&what, "the total is %" PRId64 " instead of %" PRId64, sum, bank->total);
        if (bank->total_line != 0) {
            strbuf_printf(&what, " (as in line %u)", bank->total_line);
        }
        tell(bank, op, strbuf_cstr(&what));
    } else if (below && !bank->options->negative_ok) {
        tell(bank, op, "an account is below zero");
    }
    return 0;
}

int hist_bank(struct history *history, const struct hist_options *options, struct hist_result *ret,
              struct err *err)
{
    struct bank bank = {.history = history,
                        .options = options,
                        .result = ret,
                        .has_total = options->has_total,
                        .total = options->total};
    for (size_t i = 0; i < history->ops.n; i++) {
        const struct hist_op *op = &history->ops.v[i];
        bool read = hval_is_text(&history->vals, op->f, "read");
        if (!read && !hval_is_text(&history->vals, op->f, "transfer")) {
            return hist_error(history, op->call_line, err,
                              "the operations of a bank are \"transfer\" and \"read\"");
        }
        if (op->end != HIST_OK) {
            continue;
        }
        ret->operations++;
        int rc = read ? judge_read(&bank, op, err) : 0;
        if (rc < 0) {
            return rc;
        }
    }
    if (!bank.has_total || (options->has_total && ret->operations == 0)) {
        return err_set(err, ERR_INVALID, 0,
                       "%s: no read of the accounts ended with \"ok\": there is nothing to judge",
                       history->name);
    }
    ret->keys = 1;
    if (ret->violations > 0) {
        strbuf_adds(&ret->names, "wrong-total");
    }
    return 0;
}
