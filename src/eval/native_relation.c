/* Relation: closures by Warshall's algorithm on a table of bits. */
#include <stdbool.h>
#include <stddef.h>

#include "eval/native_int.h"

struct table {
    const struct vobj *set;
    bool *bit; /* [n * n] */
};

static struct val pair(struct ev *ev, struct val x, struct val y)
{
    const struct val elems[2] = {x, y};
    return tuple_make(ev_vctx(ev), elems, 2);
}

static struct table table_of(struct ev *ev, struct val relation, struct val set)
{
    struct vctx *ctx = ev_vctx(ev);
    struct table t = {.set = val_obj(set_force(ctx, set))};
    size_t n = t.set->n;
    t.bit = arena_zalloc(ctx->arena, n * n + 1);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            struct val related = fcn_apply(ctx, relation, pair(ev, t.set->v[i], t.set->v[j]));
            if (!val_is_bool(related)) {
                native_fail_argument(ev, "first", "TransitiveClosure", "function to Booleans",
                                     relation);
            }
            t.bit[i * n + j] = val_same(related, VAL_TRUE);
        }
        vctx_poll(ctx);
    }
    return t;
}

static void close_table(struct ev *ev, struct table *t)
{
    size_t n = t->set->n;
    for (size_t via = 0; via < n; via++) {
        for (size_t i = 0; i < n; i++) {
            if (!t->bit[i * n + via]) {
                continue;
            }
            for (size_t j = 0; j < n; j++) {
                t->bit[i * n + j] |= t->bit[via * n + j];
            }
        }
        vctx_poll(ev_vctx(ev));
    }
}

/* The table as a function on pairs, which come in their order. */
static struct val table_val(struct ev *ev, const struct table *t)
{
    size_t n = t->set->n;
    struct vals keys, values;
    native_vals_init(&keys, ev, n * n);
    native_vals_init(&values, ev, n * n);
    for (size_t i = 0; i < n * n; i++) {
        native_push(&keys, pair(ev, t->set->v[i / n], t->set->v[i % n]));
        native_push(&values, val_bool(t->bit[i]));
    }
    return fcn_from_sorted(ev_vctx(ev), keys.v, values.v, keys.n);
}

static struct table closure(struct ev *ev, const struct val *args, bool reflexive)
{
    struct table t = table_of(ev, args[0], args[1]);
    close_table(ev, &t);
    for (size_t i = 0; reflexive && i < t.set->n; i++) {
        t.bit[i * t.set->n + i] = true;
    }
    return t;
}

struct val native_transitive_closure(struct ev *ev, const struct val *args)
{
    struct table t = closure(ev, args, false);
    return table_val(ev, &t);
}

struct val native_reflexive_transitive_closure(struct ev *ev, const struct val *args)
{
    struct table t = closure(ev, args, true);
    return table_val(ev, &t);
}

struct val native_is_connected(struct ev *ev, const struct val *args)
{
    struct table t = closure(ev, args, true);
    size_t n = t.set->n;
    for (size_t i = 0; i < n * n; i++) {
        if (!t.bit[i]) {
            return VAL_FALSE;
        }
    }
    return VAL_TRUE;
}
