/* Sequential consistency: one order of all operations that keeps the order of each process,
 * whatever the clock said. It cannot be judged one object at a time.
 *
 * A depth-first search over how far each process has come, with the state of every object; what was
 * seen leads nowhere again. A read that is possible is placed for good.
 * One that may have happened is a process of its own, which starts where its process was. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "history/history.h"
#include "history/history_int.h"

struct line { /* the operations of a process, in its order */
    uint32_t *ops;
    uint32_t n, at;
    bool open;      /* one operation, which may have happened */
    uint32_t after; /* that process must have come so far */
    uint32_t after_at;
};
struct frame {
    uint32_t line;
    struct hval state; /* of the object, before */
    bool only;
};
struct seq {
    struct hist_search *search;
    const struct hist_do *ops;
    struct line *lines;
    uint32_t n_lines, n_processes;
    struct hval *state; /* of each object */
    struct frame *frames;
    size_t depth, left; /* left: operations that did happen and have no place yet */
    struct hist_seen seen;
    uint64_t h[2];
};

static void toggle(struct seq *s, uint64_t what, uint64_t value)
{
    s->h[0] ^= hash_combine(what, value);
    s->h[1] ^= hash_combine(what + UINT64_C(0xd1b54a32d192ed03), value);
}

static void set_state(struct seq *s, uint32_t object, struct hval v)
{
    toggle(s, (uint64_t)object * 2, s->state[object].id);
    s->state[object] = v;
    toggle(s, (uint64_t)object * 2, v.id);
}

static void move(struct seq *s, uint32_t line, uint32_t at)
{
    toggle(s, (uint64_t)line * 2 + 1, s->lines[line].at);
    s->lines[line].at = at;
    toggle(s, (uint64_t)line * 2 + 1, at);
}

/* Whether the next operation of a line is possible, and what it makes of its object. */
static bool possible(struct seq *s, uint32_t i, struct hval *ret_next, bool *ret_idle)
{
    const struct line *line = &s->lines[i];
    if (line->at == line->n || (line->open && s->lines[line->after].at < line->after_at)) {
        return false;
    }
    const struct hist_do *op = &s->ops[line->ops[line->at]];
    if (!hist_step(s->search->vals, s->state[op->object], op, ret_next)) {
        return false;
    }
    *ret_idle = hist_changes_nothing(op);
    return !(line->open && hval_eq(*ret_next, s->state[op->object]));
}

enum placed { PLACED, NOT_PLACED, PLACED_BEFORE, NO_ROOM };

static enum placed place(struct seq *s, uint32_t i, struct hval next, bool idle)
{
    struct line *line = &s->lines[i];
    const struct hist_do *op = &s->ops[line->ops[line->at]];
    struct hval before = s->state[op->object];
    move(s, i, line->at + 1);
    set_state(s, op->object, next);
    enum hist_add add = hist_seen_add(&s->seen, s->h[0], s->h[1]);
    if (add == HIST_OLD) {
        set_state(s, op->object, before);
        move(s, i, line->at - 1);
        return PLACED_BEFORE;
    }
    s->frames[s->depth++] = (struct frame){i, before, idle};
    s->left -= !line->open;
    return add == HIST_FULL ? NO_ROOM : PLACED;
}

/* The next choice, from a line on: first whatever changes nothing, then the rest. */
static enum placed choose(struct seq *s, uint32_t from)
{
    struct hval next;
    bool idle;
    for (uint32_t i = 0; from == 0 && i < s->n_processes; i++) {
        if (possible(s, i, &next, &idle) && idle) {
            enum placed placed = place(s, i, next, true);
            return placed == PLACED_BEFORE ? NOT_PLACED : placed;
        }
    }
    for (uint32_t i = from; i < s->n_lines; i++) {
        if (!possible(s, i, &next, &idle)) {
            continue;
        }
        enum placed placed = place(s, i, next, false);
        if (placed != PLACED_BEFORE) {
            return placed;
        }
    }
    return NOT_PLACED;
}

static enum hist_outcome search_all(struct seq *s)
{
    uint32_t from = 0;
    while (s->left > 0) {
        if (hist_search_over(s->search)) {
            return HIST_UNDECIDED;
        }
        enum placed placed = choose(s, from);
        if (placed == NO_ROOM) {
            return HIST_UNDECIDED;
        }
        from = 0;
        if (placed == PLACED) {
            continue;
        }
        struct frame last;
        do {
            if (s->depth == 0) {
                return HIST_VIOLATED;
            }
            last = s->frames[--s->depth];
            struct line *line = &s->lines[last.line];
            move(s, last.line, line->at - 1);
            set_state(s, s->ops[line->ops[line->at]].object, last.state);
            s->left += !line->open;
        } while (last.only);
        from = last.line + 1;
    }
    return HIST_CONSISTENT;
}

static void lines_init(struct seq *s, size_t n, struct arena *arena)
{
    uint32_t processes = 0;
    uint32_t open = 0;
    uint32_t objects = 0;
    for (size_t i = 0; i < n; i++) {
        processes = s->ops[i].process >= processes ? s->ops[i].process + 1 : processes;
        objects = s->ops[i].object >= objects ? s->ops[i].object + 1 : objects;
        open += s->ops[i].ret == HIST_NEVER;
    }
    s->n_processes = processes;
    s->n_lines = processes + open;
    s->lines = ARENA_ARRAY(arena, struct line, s->n_lines + 1);
    s->state = ARENA_ARRAY(arena, struct hval, objects + 1);
    for (size_t i = 0; i < n; i++) {
        s->lines[s->ops[i].process].n += s->ops[i].ret != HIST_NEVER;
    }
    for (uint32_t p = 0; p < processes; p++) {
        s->lines[p].ops = ARENA_ARRAY(arena, uint32_t, s->lines[p].n + 1);
        s->lines[p].n = 0;
    }
    uint32_t next = processes;
    for (uint32_t i = 0; i < n; i++) {
        struct line *own = &s->lines[s->ops[i].process];
        if (s->ops[i].ret != HIST_NEVER) {
            own->ops[own->n++] = i;
            continue;
        }
        uint32_t *ops = ARENA_ARRAY(arena, uint32_t, 1);
        ops[0] = i;
        s->lines[next++] = (struct line){
            .ops = ops, .n = 1, .open = true, .after = s->ops[i].process, .after_at = own->n};
    }
}

enum hist_outcome hist_seq(struct hist_search *search, const struct hist_do *ops, size_t n)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct seq s = {.search = search, .ops = ops};
    s.seen.bytes_max = search->memory_bytes;
    lines_init(&s, n, &arena);
    s.frames = ARENA_ARRAY(&arena, struct frame, n + 1);
    for (size_t i = 0; i < n; i++) {
        s.left += ops[i].ret != HIST_NEVER;
    }
    enum hist_outcome outcome = search_all(&s);
    hist_seen_done(&s.seen);
    arena_done(&arena);
    return outcome;
}
