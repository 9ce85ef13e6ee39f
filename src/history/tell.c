/* Operations of a history as text, one by one. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "history/history.h"
#include "history/history_int.h"

size_t history_count(const struct history *history)
{
    return history->ops.n;
}

void history_tell(const struct history *history, size_t i, struct hist_told *ret,
                  struct strbuf *process, struct strbuf *what)
{
    static const char *const ends[] = {
        [HIST_OK] = "ok", [HIST_FAIL] = "fail", [HIST_OPEN] = "open"};
    const struct hist_op *op = &history->ops.v[i];
    *ret = (struct hist_told){.call = op->call,
                              .ret = op->ret,
                              .returned = op->ret != HIST_NEVER,
                              .end = ends[op->end],
                              .call_line = op->call_line,
                              .ret_line = op->ret_line};
    hval_print(&history->vals, op->process, process);
    if (!hval_eq(op->key, HVAL_NIL)) {
        hval_print(&history->vals, op->key, what);
        strbuf_adds(what, ": ");
    }
    const struct hval_node *f = hval_at(&history->vals, op->f);
    if (f->kind == HVAL_KIND_TEXT) { /* without quotes */
        strbuf_add(what, f->text, f->n);
    } else {
        hval_print(&history->vals, op->f, what);
    }
    if (!hval_eq(op->in, HVAL_NIL)) {
        strbuf_addc(what, ' ');
        hval_print(&history->vals, op->in, what);
    }
    if (!hval_eq(op->out, HVAL_NIL) && !hval_eq(op->out, op->in)) {
        strbuf_adds(what, " -> ");
        hval_print(&history->vals, op->out, what);
    }
}
