/* Linearizability of one object (Wing and Gong 1993; Lowe 2017, "Testing for linearizability").
 *
 * Calls and returns stand in a list in the order of time. An operation may come next if its call is
 * before the first return in the list; then both its entries are taken out. When no operation may,
 * the last choice is taken back. A configuration (what was placed, the state) that was seen before
 * leads nowhere again.
 *
 * Three things keep the search small. A read that is possible is placed at once and for good:
 * whoever could place it later can place it now. (Not so a write of the value that is there.)
 * Operations that may have happened are tried after all others, and only if they change something.
 * Of equal ones among them the earliest goes first.
 *
 * A text that only grows shows in its longest read the order in which it grew: states that are not
 * on the way there are not entered, and two reads that are not on one way contradict each other. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"
#include "history/history.h"
#include "history/history_int.h"

/* ---- configurations that were seen ---- */

static bool seen_put(struct hist_seen *seen, uint64_t h0, uint64_t h1)
{
    size_t at = h0 & (seen->cap - 1);
    for (; seen->slots[at][0] != 0 || seen->slots[at][1] != 0; at = (at + 1) & (seen->cap - 1)) {
        if (seen->slots[at][0] == h0 && seen->slots[at][1] == h1) {
            return false;
        }
    }
    seen->slots[at][0] = h0;
    seen->slots[at][1] = h1;
    return true;
}

static bool seen_grow(struct hist_seen *seen)
{
    size_t cap = seen->cap == 0 ? 1024 : seen->cap * 2;
    if (cap * sizeof seen->slots[0] > seen->bytes_max) {
        return false;
    }
    struct hist_seen old = *seen;
    size_t made = 0;
    seen->slots = vec_grow(NULL, &made, cap, sizeof seen->slots[0]);
    memset(seen->slots, 0, cap * sizeof seen->slots[0]);
    seen->cap = cap;
    for (size_t i = 0; i < old.cap; i++) {
        if (old.slots[i][0] != 0 || old.slots[i][1] != 0) {
            seen_put(seen, old.slots[i][0], old.slots[i][1]);
        }
    }
    vec_release(old.slots);
    return true;
}

enum hist_add hist_seen_add(struct hist_seen *seen, uint64_t h0, uint64_t h1)
{
    if (seen->n * 2 >= seen->cap && !seen_grow(seen)) {
        return HIST_FULL;
    }
    if (h0 == 0 && h1 == 0) {
        h0 = 1; /* a free slot is all zeroes */
    }
    if (!seen_put(seen, h0, h1)) {
        return HIST_OLD;
    }
    seen->n++;
    return HIST_NEW;
}

void hist_seen_done(struct hist_seen *seen)
{
    vec_release(seen->slots);
    *seen = (struct hist_seen){0};
}

bool hist_search_over(struct hist_search *search)
{
    search->steps++;
    return (search->stop != NULL && *search->stop != 0) ||
           (search->steps_max != 0 && search->steps > search->steps_max);
}

/* ---- the search ---- */

#define NONE UINT32_MAX

/* An entry of the list: 0 is the head, operation i has its call at 1 + 2i and its return after it.
 */
struct entry {
    uint32_t next, prev;
};
struct frame {
    uint32_t op;
    struct hval state; /* before it */
    bool late;         /* it was found among those that may have happened */
    bool only;         /* nothing else need be tried in its place */
};
struct linear {
    struct hist_search *search;
    const struct hist_do *ops;
    size_t n;
    struct entry *list;
    uint32_t
        *same_before; /* the operation before it that is equal and may have happened, or NONE */
    bool *placed;
    struct frame *frames;
    size_t depth;
    struct hist_seen seen;
    struct hval state;
    uint64_t h[2];       /* of the set of placed operations */
    bool grows;          /* there are reads and appends only */
    struct hval longest; /* read, then */
};

static uint32_t call_of(uint32_t op)
{
    return 1 + 2 * op;
}

static void unlink_entry(struct linear *l, uint32_t e)
{
    l->list[l->list[e].prev].next = l->list[e].next;
    l->list[l->list[e].next].prev = l->list[e].prev;
}

static void link_entry(struct linear *l, uint32_t e)
{
    l->list[l->list[e].prev].next = e;
    l->list[l->list[e].next].prev = e;
}

static void toggle(struct linear *l, uint32_t op)
{
    l->placed[op] = !l->placed[op];
    l->h[0] ^= hash_mix(op + UINT64_C(0x9e3779b97f4a7c15));
    l->h[1] ^= hash_mix(op + UINT64_C(0xd1b54a32d192ed03));
}

struct moment {
    uint32_t at, entry;
};
static int by_moment(const void *a, const void *b)
{
    const struct moment *x = a;
    const struct moment *y = b;
    if (x->at != y->at) {
        return x->at < y->at ? -1 : 1;
    }
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

static void list_init(struct linear *l, struct arena *arena)
{
    size_t n = 2 * l->n;
    struct moment *moments = ARENA_ARRAY(arena, struct moment, n + 1);
    for (uint32_t i = 0; i < l->n; i++) {
        moments[2 * (size_t)i] = (struct moment){l->ops[i].call, call_of(i)};
        moments[2 * (size_t)i + 1] = (struct moment){l->ops[i].ret, call_of(i) + 1};
    }
    qsort(moments, n, sizeof moments[0], by_moment);
    /* the last entry ends the list */
    l->list = ARENA_ARRAY(arena, struct entry, n + 2);
    uint32_t last = 0;
    for (size_t i = 0; i < n; i++) {
        l->list[last].next = moments[i].entry;
        l->list[moments[i].entry].prev = last;
        last = moments[i].entry;
    }
    l->list[last].next = (uint32_t)n + 1;
    l->list[n + 1] = (struct entry){.next = NONE, .prev = last};
}

static bool same_op(const struct hist_do *a, const struct hist_do *b)
{
    return a->verb == b->verb && a->any_result == b->any_result && hval_eq(a->a, b->a) &&
           hval_eq(a->b, b->b);
}

static void equal_ones(struct linear *l, struct arena *arena)
{
    l->same_before = ARENA_ARRAY(arena, uint32_t, l->n + 1);
    VEC(uint32_t) latest = {0}; /* of each class */
    for (uint32_t i = 0; i < l->n; i++) {
        l->same_before[i] = NONE;
        if (l->ops[i].ret != HIST_NEVER) {
            continue;
        }
        size_t c = 0;
        while (c < latest.n && !same_op(&l->ops[latest.v[c]], &l->ops[i])) {
            c++;
        }
        if (c == latest.n) {
            VEC_PUSH(&latest, i);
        } else {
            l->same_before[i] = latest.v[c];
            latest.v[c] = i;
        }
    }
    VEC_DONE(&latest);
}

/* ---- what only grows ---- */

/* Whether one text or list begins with the other, whichever is longer; nil is the empty one. */
static bool one_way(const struct hvals *vals, struct hval a, struct hval b)
{
    const struct hval_node *x = hval_at(vals, a);
    const struct hval_node *y = hval_at(vals, b);
    uint32_t n = x->n < y->n ? x->n : y->n;
    if (n == 0) {
        return true;
    }
    if (x->kind != y->kind) {
        return false;
    }
    return x->kind == HVAL_KIND_TEXT ? memcmp(x->text, y->text, n) == 0
                                     : memcmp(x->items, y->items, n * sizeof x->items[0]) == 0;
}

/* False: two reads contradict each other. */
static bool grows_init(struct linear *l)
{
    const struct hvals *vals = l->search->vals;
    bool appends = false;
    for (size_t i = 0; i < l->n; i++) {
        const struct hist_do *op = &l->ops[i];
        enum hval_kind kind = hval_at(vals, op->a)->kind;
        bool has_parts = kind == HVAL_KIND_TEXT || kind == HVAL_KIND_LIST || kind == HVAL_KIND_NIL;
        if (op->verb != HIST_APPEND && (op->verb != HIST_READ || !has_parts)) {
            return true;
        }
        appends = appends || op->verb == HIST_APPEND;
        if (op->verb == HIST_READ && hval_at(vals, op->a)->n > hval_at(vals, l->longest)->n) {
            l->longest = op->a;
        }
    }
    l->grows = appends;
    for (size_t i = 0; l->grows && i < l->n; i++) {
        if (l->ops[i].verb == HIST_READ && !one_way(vals, l->ops[i].a, l->longest)) {
            return false;
        }
    }
    return true;
}

enum choice { CHOICE_MADE, CHOICE_NONE, CHOICE_ALL_PLACED, CHOICE_FULL, CHOICE_DEAD };

/* Tries one operation next. CHOICE_NONE: not this one. */
static enum choice try_op(struct linear *l, uint32_t op, bool late)
{
    const struct hist_do *what = &l->ops[op];
    bool open = what->ret == HIST_NEVER;
    if (open != late || (open && l->same_before[op] != NONE && !l->placed[l->same_before[op]])) {
        return CHOICE_NONE;
    }
    struct hval next;
    if (!hist_step(l->search->vals, l->state, what, &next) ||
        (l->grows && !one_way(l->search->vals, next, l->longest))) {
        return CHOICE_NONE;
    }
    if (open && hval_eq(next, l->state)) {
        return CHOICE_NONE;
    }
    bool only = !open && hist_changes_nothing(what);
    toggle(l, op);
    switch (hist_seen_add(&l->seen, l->h[0] ^ hash_mix(next.id),
                          l->h[1] + hash_mix(~(uint64_t)next.id))) {
    case HIST_FULL: return CHOICE_FULL;
    case HIST_OLD: toggle(l, op); return only ? CHOICE_DEAD : CHOICE_NONE;
    case HIST_NEW: break;
    }
    l->frames[l->depth++] = (struct frame){op, l->state, late, only};
    unlink_entry(l, call_of(op) + 1);
    unlink_entry(l, call_of(op));
    l->state = next;
    return CHOICE_MADE;
}

/* The next operation that can be placed, looking from an entry on. */
static enum choice choose(struct linear *l, uint32_t from, bool late)
{
    for (uint32_t e = from;; e = l->list[e].next) {
        bool end = e == 2 * l->n + 1;
        bool ret = !end && e % 2 == 0;
        if (end || (ret && l->ops[e / 2 - 1].ret == HIST_NEVER)) {
            return CHOICE_ALL_PLACED; /* but for some that may have happened */
        }
        if (ret && late) {
            return CHOICE_NONE;
        }
        if (ret) {
            late = true;
            e = 0; /* once more from the beginning */
            continue;
        }
        enum choice choice = try_op(l, (e - 1) / 2, late);
        if (choice != CHOICE_NONE) {
            return choice == CHOICE_DEAD ? CHOICE_NONE : choice;
        }
    }
}

static enum hist_outcome search_all(struct linear *l)
{
    uint32_t from = l->list[0].next;
    bool late = false;
    for (;;) {
        if (hist_search_over(l->search)) {
            return HIST_UNDECIDED;
        }
        enum choice choice = choose(l, from, late);
        if (choice == CHOICE_ALL_PLACED || choice == CHOICE_FULL) {
            return choice == CHOICE_FULL ? HIST_UNDECIDED : HIST_CONSISTENT;
        }
        late = false;
        from = l->list[0].next;
        if (choice == CHOICE_MADE) {
            continue;
        }
        struct frame last;
        do {
            if (l->depth == 0) {
                return HIST_VIOLATED;
            }
            last = l->frames[--l->depth];
            link_entry(l, call_of(last.op));
            link_entry(l, call_of(last.op) + 1);
            toggle(l, last.op);
            l->state = last.state;
        } while (last.only);
        late = last.late;
        from = l->list[call_of(last.op)].next;
    }
}

enum hist_outcome hist_linear(struct hist_search *search, const struct hist_do *ops, size_t n)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct linear l = {.search = search, .ops = ops, .n = n};
    l.seen.bytes_max = search->memory_bytes;
    list_init(&l, &arena);
    equal_ones(&l, &arena);
    l.placed = ARENA_ARRAY(&arena, bool, n + 1);
    l.frames = ARENA_ARRAY(&arena, struct frame, n + 1);
    enum hist_outcome outcome = grows_init(&l) ? search_all(&l) : HIST_VIOLATED;
    hist_seen_done(&l.seen);
    arena_done(&arena);
    return outcome;
}
