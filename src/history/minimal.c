/* A smallest part of a history that still contradicts itself, told to a person.
 *
 * Leaving operations out must not make a contradiction: only what keeps every order of the rest
 * possible may go. That is so for
 *  - the end of the history (linearizability): what had not returned by then may have happened;
 *  - all operations of an object (sequential consistency);
 *  - a read, and an attempt to take from an empty queue: they change nothing;
 *  - a write whose value no remaining operation saw: whoever stood after it saw another's;
 *  - whatever was overwritten before anybody looked;
 *  - an element that was put into a queue, together with its removal. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "history/history.h"
#include "history/history_int.h"

/* Trials are cut off, each and all together: whatever cannot be decided soon stays in. */
enum { TRIAL_STEPS = 200000, TRIALS_STEPS = 20000000 };

struct part {
    struct hist_search search;
    hist_judge *judge;
    struct hist_do *ops; /* those that remain */
    size_t n;
    bool real_time;        /* what ended before another began stands before it */
    struct hist_do *trial; /* room for as many */
    size_t n_trial;
    uint64_t steps; /* of all trials */
};

/* Whether the trial contradicts itself. */
static bool trial_is_wrong(struct part *part)
{
    if (part->n_trial == 0 || part->steps > TRIALS_STEPS) {
        return false;
    }
    part->search.steps = 0;
    enum hist_outcome outcome = part->judge(&part->search, part->trial, part->n_trial);
    part->steps += part->search.steps;
    return outcome == HIST_VIOLATED;
}

/* If the trial still contradicts itself it becomes the part. */
static bool accept_trial(struct part *part)
{
    if (!trial_is_wrong(part)) {
        return false;
    }
    memcpy(part->ops, part->trial, part->n_trial * sizeof part->ops[0]);
    part->n = part->n_trial;
    return true;
}

/* What was known up to a moment. */
static void prefix(struct part *part, uint32_t moment)
{
    part->n_trial = 0;
    for (size_t i = 0; i < part->n; i++) {
        struct hist_do op = part->ops[i];
        if (op.call > moment) {
            continue;
        }
        if (op.ret != HIST_NEVER && op.ret > moment) {
            if (op.verb == HIST_READ) {
                continue;
            }
            op.ret = HIST_NEVER;
            op.any_result = op.verb == HIST_TAKE_FIRST;
        }
        part->trial[part->n_trial++] = op;
    }
}

/* The shortest history that is wrong: none of a later moment is right. */
static void cut_end(struct part *part)
{
    uint32_t low = 0; /* right at this moment */
    uint32_t high = 0;
    for (size_t i = 0; i < part->n; i++) {
        if (part->ops[i].ret != HIST_NEVER && part->ops[i].ret > high) {
            high = part->ops[i].ret;
        }
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        prefix(part, middle);
        if (trial_is_wrong(part)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    prefix(part, high);
    accept_trial(part);
}

/* Objects one at a time. */
static void drop_objects(struct part *part)
{
    uint32_t objects = 0;
    for (size_t i = 0; i < part->n; i++) {
        objects = part->ops[i].object >= objects ? part->ops[i].object + 1 : objects;
    }
    for (uint32_t o = 0; o < objects && objects > 1; o++) {
        part->n_trial = 0;
        for (size_t i = 0; i < part->n; i++) {
            if (part->ops[i].object != o) {
                part->trial[part->n_trial++] = part->ops[i];
            }
        }
        accept_trial(part);
    }
}

/* The operations without the idle ones number `from` to `to` - 1; true when some were left out. */
static bool without_idle(struct part *part, size_t from, size_t to)
{
    size_t idle = 0;
    part->n_trial = 0;
    for (size_t i = 0; i < part->n; i++) {
        bool out = hist_changes_nothing(&part->ops[i]) && idle >= from && idle < to;
        idle += hist_changes_nothing(&part->ops[i]);
        if (!out) {
            part->trial[part->n_trial++] = part->ops[i];
        }
    }
    return part->n_trial < part->n;
}

/* Leaves out reads: as many as possible at a time, then fewer. */
static void drop_reads(struct part *part)
{
    for (size_t chunk = part->n; chunk > 0; chunk /= 2) {
        for (size_t from = 0; without_idle(part, from, from + chunk);) {
            if (!accept_trial(part)) {
                from += chunk;
            }
        }
    }
}

/* The value that an operation leaves behind, if it is one that others see as a whole. */
static bool leaves(const struct hist_do *op, struct hval *ret)
{
    *ret = op->verb == HIST_COMPARE ? op->b : op->a;
    return op->verb == HIST_WRITE || op->verb == HIST_COMPARE || op->verb == HIST_ADD_LAST;
}

static bool sees(const struct hist_do *op, struct hval v)
{
    return (op->verb == HIST_READ || op->verb == HIST_COMPARE || op->verb == HIST_TAKE_FIRST) &&
           !op->any_result && hval_eq(op->a, v);
}

/* An element of a queue may go together with its removal, which is *ret_with. */
static bool queue_droppable(const struct part *part, size_t which, size_t *ret_with)
{
    for (size_t i = 0; i < part->n; i++) {
        if (part->ops[i].any_result) {
            return false;
        }
        if (sees(&part->ops[i], part->ops[which].a)) {
            if (*ret_with != SIZE_MAX) {
                return false;
            }
            *ret_with = i;
        }
    }
    return true;
}

/* The moment by which a whole other write has happened since an operation ended. */
static uint32_t overwritten_by(const struct part *part, const struct hist_do *op)
{
    uint32_t moment = HIST_NEVER;
    for (size_t i = 0; i < part->n; i++) {
        const struct hist_do *other = &part->ops[i];
        if (other->object == op->object && other->verb == HIST_WRITE && op->ret != HIST_NEVER &&
            other->call > op->ret && other->ret < moment) {
            moment = other->ret;
        }
    }
    return moment;
}

/* Whether another operation leaves the same value, later: readers are told that one. */
static bool left_again(const struct part *part, size_t which, struct hval v)
{
    for (size_t i = 0; i < part->n; i++) {
        struct hval other;
        if (i != which && part->ops[i].object == part->ops[which].object &&
            leaves(&part->ops[i], &other) && hval_eq(other, v) &&
            part->ops[i].call > part->ops[which].call) {
            return true;
        }
    }
    return false;
}

/* Whether an operation that changes something can be left out; with *ret_with, or SIZE_MAX. */
static bool droppable(const struct part *part, size_t which, size_t *ret_with)
{
    const struct hist_do *op = &part->ops[which];
    struct hval v;
    *ret_with = SIZE_MAX;
    if (op->verb == HIST_ADD_LAST) {
        return queue_droppable(part, which, ret_with);
    }
    bool whole = leaves(op, &v);
    if (!whole && op->verb != HIST_APPEND) {
        return false;
    }
    for (size_t i = 0; whole && i < part->n; i++) {
        whole = part->ops[i].object != op->object || part->ops[i].verb != HIST_APPEND;
    }
    uint32_t gone = part->real_time ? overwritten_by(part, op) : HIST_NEVER;
    if (op->verb != HIST_APPEND && !left_again(part, which, v)) {
        gone = HIST_NEVER; /* it would look as if nobody had written what was seen */
    }
    for (size_t i = 0; i < part->n; i++) {
        const struct hist_do *other = &part->ops[i];
        bool looks = other->verb == HIST_READ || other->verb == HIST_COMPARE;
        bool before = part->real_time && other->ret < op->call;
        if (i != which && other->object == op->object && looks && !before &&
            !(gone != HIST_NEVER && other->call > gone) && !(whole && !sees(other, v))) {
            return false;
        }
    }
    return true;
}

static bool drop_unseen(struct part *part)
{
    bool dropped = false;
    for (size_t i = part->n; i-- > 0;) {
        size_t with;
        if (i >= part->n || !droppable(part, i, &with)) {
            continue;
        }
        part->n_trial = 0;
        for (size_t k = 0; k < part->n; k++) {
            if (k != i && k != with) {
                part->trial[part->n_trial++] = part->ops[k];
            }
        }
        dropped = accept_trial(part) || dropped;
    }
    return dropped;
}

size_t hist_minimal(struct hist_search *search, hist_judge *judge, bool real_time,
                    struct hist_do *ops, size_t n)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct part part = {.search = *search,
                        .judge = judge,
                        .real_time = real_time,
                        .ops = ops,
                        .n = n,
                        .trial = ARENA_ARRAY(&arena, struct hist_do, n + 1)};
    part.search.steps_max = TRIAL_STEPS;
    if (real_time) {
        cut_end(&part);
    }
    drop_objects(&part);
    do {
        drop_reads(&part);
    } while (drop_unseen(&part));
    arena_done(&arena);
    return part.n;
}

/* ---- telling ---- */

static void print_op(const struct history *history, const struct hist_do *what, struct strbuf *out)
{
    const struct hist_op *op = &history->ops.v[what->op];
    const struct hval_node *f = hval_at(&history->vals, op->f);
    strbuf_printf(out, "%.*s", (int)f->n, f->kind == HVAL_KIND_TEXT ? f->text : "");
    if (!hval_eq(op->in, HVAL_NIL)) {
        strbuf_addc(out, ' ');
        hval_print(&history->vals, op->in, out);
    }
    if (what->ret == HIST_NEVER) {
        strbuf_adds(out, op->ret == HIST_NEVER ? " -> ?" : " (not yet ended)");
    } else if (!hval_eq(op->out, op->in) || hval_eq(op->in, HVAL_NIL)) {
        strbuf_adds(out, " -> ");
        hval_print(&history->vals, op->out, out);
    }
}

/* When an operation ran, against those of the others: "  [==]  ". */
static void print_bar(const struct hist_do *ops, size_t n, size_t which, struct strbuf *out)
{
    uint32_t last = 0;
    for (size_t i = 0; i < n; i++) {
        last = ops[i].call > last ? ops[i].call : last;
        last = ops[i].ret != HIST_NEVER && ops[i].ret > last ? ops[i].ret : last;
    }
    /* columns: only moments at which something of these operations happens */
    for (uint32_t at = 0; at <= last; at++) {
        bool any = false;
        for (size_t i = 0; i < n && !any; i++) {
            any = ops[i].call == at || ops[i].ret == at;
        }
        if (!any) {
            continue;
        }
        const struct hist_do *op = &ops[which];
        strbuf_addc(out, at == op->call                  ? '['
                         : at == op->ret                 ? ']'
                         : at > op->call && at < op->ret ? '='
                                                         : ' ');
    }
    strbuf_addc(out, ops[which].ret == HIST_NEVER ? '>' : ' ');
}

enum { TOLD_MAX = 30 };

/* A sentence for the shapes that people know by name; nothing for others. */
static void print_shape(const struct history *history, const struct hist_do *ops, size_t n,
                        struct strbuf *out)
{
    for (size_t i = 0; i < n; i++) {
        if ((ops[i].verb != HIST_READ && ops[i].verb != HIST_TAKE_FIRST) || ops[i].any_result ||
            hval_eq(ops[i].a, HVAL_NIL)) {
            continue;
        }
        const struct hist_do *source = NULL;
        bool plain = true;
        for (size_t k = 0; k < n; k++) {
            struct hval v;
            plain = plain && ops[k].verb != HIST_APPEND && ops[k].verb != HIST_INSERT;
            if (ops[k].object == ops[i].object && leaves(&ops[k], &v) && hval_eq(v, ops[i].a)) {
                source = &ops[k];
            }
        }
        if (!plain) {
            return;
        }
        const struct hist_op *op = &history->ops.v[ops[i].op];
        if (source == NULL) {
            strbuf_adds(out, "  Nobody had written ");
            hval_print(&history->vals, ops[i].a, out);
            strbuf_printf(out, ", which line %u saw.\n", op->ret_line);
            return;
        }
        if (source->call > ops[i].ret) {
            strbuf_printf(out, "  Line %u saw what was written only later, from line %u on.\n",
                          op->ret_line, history->ops.v[source->op].call_line);
            return;
        }
        for (size_t k = 0; k < n; k++) {
            if (ops[k].object == ops[i].object && &ops[k] != source && ops[k].verb == HIST_WRITE &&
                ops[k].call > source->ret && ops[k].ret < ops[i].call) {
                strbuf_printf(out,
                              "  A stale read: line %u saw what line %u had overwritten before the "
                              "read began.\n",
                              op->ret_line, history->ops.v[ops[k].op].ret_line);
                return;
            }
        }
    }
}

void hist_explain(const struct history *history, const struct hist_do *ops, size_t n,
                  bool real_time, struct strbuf *out)
{
    /* the contradiction is where the history ends */
    if (n > TOLD_MAX) {
        strbuf_printf(out, "    ... after %zu earlier operations:\n", n - TOLD_MAX);
        ops += n - TOLD_MAX;
        n = TOLD_MAX;
    }
    for (size_t i = 0; i < n; i++) {
        const struct hist_op *op = &history->ops.v[ops[i].op];
        strbuf_adds(out, "    ");
        if (real_time) {
            print_bar(ops, n, i, out);
        }
        strbuf_adds(out, " process ");
        hval_print(&history->vals, op->process, out);
        if (op->ret_line != 0) {
            strbuf_printf(out, ", lines %u-%u: ", op->call_line, op->ret_line);
        } else {
            strbuf_printf(out, ", line %u: ", op->call_line);
        }
        if (!hval_eq(op->key, HVAL_NIL)) {
            hval_print(&history->vals, op->key, out);
            strbuf_adds(out, ": ");
        }
        print_op(history, &ops[i], out);
        strbuf_addc(out, '\n');
    }
    if (real_time) {
        print_shape(history, ops, n, out);
    }
}
