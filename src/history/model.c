/* What objects do with operations. A row for each name that an operation may have in a file; the
 * meaning of an operation is its verb. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "history/history.h"
#include "history/history_int.h"

static const struct row {
    const char *f;
    enum hist_model model;
    enum hist_verb verb;
} rows[] = {
    {"read",    HIST_REGISTER,   HIST_READ      },
    {"write",   HIST_REGISTER,   HIST_WRITE     },
    {"read",    HIST_CAS,        HIST_READ      },
    {"write",   HIST_CAS,        HIST_WRITE     },
    {"cas",     HIST_CAS,        HIST_COMPARE   },
    {"get",     HIST_KV,         HIST_READ      },
    {"read",    HIST_KV,         HIST_READ      },
    {"put",     HIST_KV,         HIST_WRITE     },
    {"write",   HIST_KV,         HIST_WRITE     },
    {"delete",  HIST_KV,         HIST_WRITE     },
    {"append",  HIST_KV,         HIST_APPEND    },
    {"cas",     HIST_KV,         HIST_COMPARE   },
    {"enqueue", HIST_QUEUE,      HIST_ADD_LAST  },
    {"dequeue", HIST_QUEUE,      HIST_TAKE_FIRST},
    {"add",     HIST_SET,        HIST_INSERT    },
    {"remove",  HIST_SET,        HIST_REMOVE    },
    {"read",    HIST_SET,        HIST_READ      },
    {"acquire", HIST_LOCK,       HIST_ACQUIRE   },
    {"release", HIST_LOCK,       HIST_RELEASE   },
    {"acquire", HIST_OWNED_LOCK, HIST_ACQUIRE   },
    {"release", HIST_OWNED_LOCK, HIST_RELEASE   },
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static int unknown_f(const struct history *history, enum hist_model model, const struct hist_op *op,
                     struct err *err)
{
    SCOPED_STRBUF known = {0};
    SCOPED_STRBUF f = {0};
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].model == model) {
            strbuf_printf(&known, "%s%s", known.n > 0 ? ", " : "", rows[i].f);
        }
    }
    hval_print(&history->vals, op->f, &f);
    return hist_error(history, op->call_line, err, "operation %s is none of a %s, which has %s",
                      strbuf_cstr(&f), hist_model_name(model), strbuf_cstr(&known));
}

/* The elements of a list, sorted, each once: the value of a set. */
static struct hval set_of(struct hvals *vals, struct hval list)
{
    const struct hval_node *node = hval_at(vals, list);
    VEC(struct hval) items = {0};
    for (uint32_t i = 0; i < node->n; i++) {
        VEC_PUSH(&items, node->items[i]);
    }
    if (items.n > 0) {
        qsort(items.v, items.n, sizeof items.v[0], hval_by_id);
    }
    size_t kept = 0;
    for (size_t i = 0; i < items.n; i++) {
        if (i == 0 || !hval_eq(items.v[i], items.v[i - 1])) {
            items.v[kept++] = items.v[i];
        }
    }
    struct hval set = kept == 0 ? HVAL_NIL : hval_list(vals, items.v, kept);
    VEC_DONE(&items);
    return set;
}

/* A store has nothing, or an empty text, where nothing was put. */
static struct hval kv_value(const struct hvals *vals, struct hval v)
{
    const struct hval_node *node = hval_at(vals, v);
    bool empty = (node->kind == HVAL_KIND_TEXT || node->kind == HVAL_KIND_LIST) && node->n == 0;
    return empty ? HVAL_NIL : v;
}

static int do_read(struct history *history, enum hist_model model, const struct hist_op *op,
                   struct hist_do *ret, struct err *err)
{
    struct hvals *vals = &history->vals;
    ret->a = op->out;
    if (model == HIST_KV) {
        ret->a = kv_value(vals, op->out);
    } else if (model == HIST_SET) {
        enum hval_kind kind = hval_at(vals, op->out)->kind;
        if (kind != HVAL_KIND_LIST && kind != HVAL_KIND_NIL) {
            return hist_error(history, op->ret_line, err,
                              "a read of a set must return a list of its elements");
        }
        ret->a = set_of(vals, op->out);
    }
    return op->end == HIST_OK; /* what a read without an answer saw does not matter */
}

static int do_compare(struct history *history, const struct hist_op *op, struct hist_do *ret,
                      struct err *err)
{
    const struct hval_node *pair = hval_at(&history->vals, op->in);
    if (pair->kind != HVAL_KIND_LIST || pair->n != 2) {
        return hist_error(history, op->call_line, err,
                          "the value of \"cas\" must be a pair [old new]");
    }
    ret->a = pair->items[0];
    ret->b = pair->items[1];
    /* some clients tell by the value of "ok" whether it did anything */
    const struct hval_node *out = hval_at(&history->vals, op->out);
    return op->end == HIST_OK && out->kind == HVAL_KIND_BOOL && out->i == 0 ? 0 : 1;
}

int hist_do_of(struct history *history, enum hist_model model, const struct hist_op *op,
               struct hist_do *ret, struct err *err)
{
    const struct row *row = rows;
    while (row < rows + ROWS &&
           !(row->model == model && hval_is_text(&history->vals, op->f, row->f))) {
        row++;
    }
    if (row == rows + ROWS) {
        return unknown_f(history, model, op, err);
    }
    *ret = (struct hist_do){.verb = row->verb,
                            .owned = model == HIST_OWNED_LOCK,
                            .call = op->call,
                            .ret = op->ret,
                            .a = op->in};
    if (op->end == HIST_FAIL) {
        return 0;
    }
    switch (row->verb) {
    case HIST_READ: return do_read(history, model, op, ret, err);
    case HIST_COMPARE: return do_compare(history, op, ret, err);
    case HIST_WRITE:
        ret->a = model == HIST_KV
                     ? (strcmp(row->f, "delete") == 0 ? HVAL_NIL : kv_value(&history->vals, op->in))
                     : op->in;
        return 1;
    case HIST_TAKE_FIRST:
        ret->a = op->out;
        ret->any_result = op->end == HIST_OPEN;
        return 1;
    case HIST_ACQUIRE:
    case HIST_RELEASE: ret->a = op->process; return 1;
    case HIST_APPEND:
    case HIST_ADD_LAST:
    case HIST_INSERT:
    case HIST_REMOVE: return 1;
    }
    return 1;
}

static struct hval add_last(struct hvals *vals, struct hval state, struct hval v)
{
    const struct hval_node *old = hval_at(vals, state);
    VEC(struct hval) items = {0};
    for (uint32_t i = 0; old->kind == HVAL_KIND_LIST && i < old->n; i++) {
        VEC_PUSH(&items, old->items[i]);
    }
    VEC_PUSH(&items, v);
    struct hval list = hval_list(vals, items.v, items.n);
    VEC_DONE(&items);
    return list;
}

/* Texts are joined; anything else becomes the last element of a list. */
static struct hval append(struct hvals *vals, struct hval state, struct hval v)
{
    const struct hval_node *old = hval_at(vals, state);
    const struct hval_node *more = hval_at(vals, v);
    if (more->kind != HVAL_KIND_TEXT || old->kind == HVAL_KIND_LIST) {
        return add_last(vals, state, v);
    }
    SCOPED_STRBUF text = {0};
    if (old->kind == HVAL_KIND_TEXT) {
        strbuf_add(&text, old->text, old->n);
    }
    strbuf_add(&text, more->text, more->n);
    return hval_text(vals, strbuf_str(&text));
}

static bool take_first(struct hvals *vals, struct hval state, const struct hist_do *op,
                       struct hval *ret)
{
    const struct hval_node *old = hval_at(vals, state);
    if (old->kind != HVAL_KIND_LIST) { /* the queue is empty */
        *ret = state;
        return op->any_result || hval_eq(op->a, HVAL_NIL);
    }
    if (!op->any_result && !hval_eq(old->items[0], op->a)) {
        return false;
    }
    *ret = old->n == 1 ? HVAL_NIL : hval_list(vals, old->items + 1, old->n - 1);
    return true;
}

/* A set with an element more, or one less. */
static struct hval set_change(struct hvals *vals, struct hval state, struct hval v, bool in)
{
    const struct hval_node *old = hval_at(vals, state);
    VEC(struct hval) items = {0};
    bool placed = !in;
    for (uint32_t i = 0; i < old->n; i++) {
        if (!placed && old->items[i].id >= v.id) {
            VEC_PUSH(&items, v);
            placed = true;
        }
        if (!hval_eq(old->items[i], v)) {
            VEC_PUSH(&items, old->items[i]);
        }
    }
    if (!placed) {
        VEC_PUSH(&items, v);
    }
    struct hval set = items.n == 0 ? HVAL_NIL : hval_list(vals, items.v, items.n);
    VEC_DONE(&items);
    return set;
}

bool hist_changes_nothing(const struct hist_do *op)
{
    return op->verb == HIST_READ || (op->verb == HIST_COMPARE && hval_eq(op->a, op->b)) ||
           (op->verb == HIST_TAKE_FIRST && !op->any_result && hval_eq(op->a, HVAL_NIL));
}

bool hist_step(struct hvals *vals, struct hval state, const struct hist_do *op, struct hval *ret)
{
    *ret = state;
    switch (op->verb) {
    case HIST_READ: return hval_eq(state, op->a);
    case HIST_WRITE: *ret = op->a; return true;
    case HIST_COMPARE: *ret = op->b; return hval_eq(state, op->a);
    case HIST_APPEND: *ret = append(vals, state, op->a); return true;
    case HIST_ADD_LAST: *ret = add_last(vals, state, op->a); return true;
    case HIST_TAKE_FIRST: return take_first(vals, state, op, ret);
    case HIST_INSERT: *ret = set_change(vals, state, op->a, true); return true;
    case HIST_REMOVE: *ret = set_change(vals, state, op->a, false); return true;
    case HIST_ACQUIRE: *ret = hval_list(vals, &op->a, 1); return hval_eq(state, HVAL_NIL);
    case HIST_RELEASE:
        *ret = HVAL_NIL;
        return op->owned ? hval_eq(state, hval_list(vals, &op->a, 1)) : !hval_eq(state, HVAL_NIL);
    }
    return false;
}
