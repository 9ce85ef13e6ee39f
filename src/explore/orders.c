/* Orders of what clients saw: linear extensions of what happens before what, restricted to the
 * events that have added to the history.
 *
 * Two of these may change places without any difference to who had ended when somebody else began,
 * unless one has a return and the other a call. So they are taken as a system of events that are
 * dependent in this sense, and one order of each of its traces is made: by sleep sets (Godefroid,
 * "Partial-order methods for the verification of concurrent systems", 1996). */
#include "explore/orders.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "explore/cuts.h"

struct part {
    bool calls, returns;
    uint32_t node;
};
struct search {
    const struct orders *o;
    size_t n, words;
    uint64_t *past;     /* [events * words]: cuts_past */
    struct part *parts; /* [n] */
    size_t *chosen;     /* [n]: parts, in the order that is being made */
    bool *used;         /* [n] */
    bool *sleeps;       /* [(n + 1) * n]: parts that need not be next, at each depth */
    size_t *events;     /* all of the run, in the order that is told */
    bool *done;         /* [events]: they are in it */
    uint64_t left;
    struct strbuf text;
    orders_fn fn;
    void *arg;
    bool all;
};

void orders_done(struct orders *orders)
{
    VEC_DONE(&orders->parts);
}

static void *room(size_t n, size_t size)
{
    size_t cap = 0;
    void *p = vec_grow(NULL, &cap, n + 1, size);
    memset(p, 0, (n + 1) * size);
    return p;
}

static bool has_text(struct str lines, const char *text)
{
    return lines.n != 0 && memmem(lines.p, lines.n, text, strlen(text)) != NULL;
}

/* Whoever says neither may be both, and so may whoever says both: then there are more orders than
 * are needed, and never fewer. */
static struct part read_part(const struct orders *o, const struct orders_part *from)
{
    struct part p = {.node = o->cuts->events.v[from->event].node[0]};
    p.calls = has_text(from->lines, "\"invoke\"");
    p.returns = has_text(from->lines, "\"ok\"") || has_text(from->lines, "\"fail\"") ||
                has_text(from->lines, "\"info\"");
    p.calls = p.calls || !p.returns;
    p.returns = p.returns || (p.calls && !has_text(from->lines, "\"invoke\""));
    return p;
}

static bool dependent(const struct part *a, const struct part *b)
{
    return a->node == b->node || (a->calls && b->returns) || (a->returns && b->calls);
}

/* Whether part a happens before part b in every order. */
static bool is_before(const struct search *s, size_t a, size_t b)
{
    size_t x = s->o->parts.v[a].event, y = s->o->parts.v[b].event;
    return (s->past[y * s->words + x / 64] >> x % 64 & 1) != 0;
}

static bool is_possible(const struct search *s, size_t part)
{
    bool possible = !s->used[part];
    for (size_t i = 0; possible && i < s->n; i++) {
        possible = i == part || s->used[i] || !is_before(s, i, part);
    }
    return possible;
}

/* The history of the chosen order, and events that lead to it: before each part what it needs. */
static int tell(struct search *s)
{
    size_t events = s->o->cuts->events.n, at = 0;
    memset(s->done, 0, events * sizeof *s->done);
    strbuf_reset(&s->text);
    strbuf_addstr(&s->text, s->o->before);
    for (size_t i = 0; i < s->n; i++) {
        const struct orders_part *part = &s->o->parts.v[s->chosen[i]];
        strbuf_addstr(&s->text, part->lines);
        for (size_t k = 0; k <= part->event; k++) {
            bool needed = (s->past[part->event * s->words + k / 64] >> k % 64 & 1) != 0;
            if (needed && !s->done[k]) {
                s->done[k] = true;
                s->events[at++] = k;
            }
        }
    }
    for (size_t k = 0; k < events; k++) {
        if (!s->done[k]) {
            s->events[at++] = k;
        }
    }
    return s->fn(s->arg, strbuf_str(&s->text), s->events);
}

/* What sleeps after a part was chosen: what slept before, as far as the part does not wake it. */
static void fall_asleep(struct search *s, size_t depth, size_t part)
{
    for (size_t i = 0; i < s->n; i++) {
        s->sleeps[(depth + 1) * s->n + i] =
            s->sleeps[depth * s->n + i] && !dependent(&s->parts[i], &s->parts[part]);
    }
}

/* The next part after `from` that may come here; n: there is none. */
static size_t next_part(const struct search *s, size_t depth, size_t from)
{
    while (from < s->n && (s->sleeps[depth * s->n + from] || !is_possible(s, from))) {
        from++;
    }
    return from;
}

/* Goes to the end of the order that was begun, or takes back the last part that has been tried. */
static int search(struct search *s)
{
    size_t depth = 0, from = 0;
    for (;;) {
        size_t part = depth < s->n ? next_part(s, depth, from) : s->n;
        if (part < s->n) {
            s->chosen[depth] = part;
            s->used[part] = true;
            fall_asleep(s, depth++, part);
            from = 0;
            continue;
        }
        if (depth == s->n) {
            s->all = s->left > 0;
            int status = s->all ? tell(s) : 0;
            if (status != 0 || !s->all) {
                return status;
            }
            s->left--;
        }
        if (depth == 0) {
            return 0;
        }
        part = s->chosen[--depth];
        s->used[part] = false;
        s->sleeps[depth * s->n + part] = true;
        from = part + 1;
    }
}

int orders_each(const struct orders *o, uint64_t most, bool *ret_all, orders_fn fn, void *arg)
{
    size_t n = o->parts.n, events = o->cuts->events.n;
    struct search s = {
        .o = o, .n = n, .words = cuts_words(o->cuts), .left = most, .fn = fn, .arg = arg};
    s.all = true;
    s.past = room(events * s.words, sizeof *s.past);
    s.parts = room(n, sizeof *s.parts);
    s.chosen = room(n, sizeof *s.chosen);
    s.used = room(n, sizeof *s.used);
    s.sleeps = room((n + 1) * n, sizeof *s.sleeps);
    s.events = room(events, sizeof *s.events);
    s.done = room(events, sizeof *s.done);
    cuts_past(o->cuts, o->n_nodes, s.past);
    for (size_t i = 0; i < n; i++) {
        s.parts[i] = read_part(o, &o->parts.v[i]);
    }
    int status = search(&s);
    *ret_all = s.all;
    vec_release(s.past);
    vec_release(s.parts);
    vec_release(s.chosen);
    vec_release(s.used);
    vec_release(s.sleeps);
    vec_release(s.events);
    vec_release(s.done);
    strbuf_done(&s.text);
    return status;
}
