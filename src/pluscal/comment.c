/* Comments inside of an algorithm become blanks, so that what is left keeps its columns. The
 * comment that the algorithm stands in ends where one more is closed than was opened. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "pluscal/pluscal_int.h"

struct blanker {
    struct u16s in, out;
    size_t at;
    int depth;
    bool in_string, done;
};

static uint16_t ahead(const struct blanker *b)
{
    return b->at + 1 < b->in.n ? b->in.v[b->at + 1] : 0;
}

static void put(struct blanker *b, uint16_t c)
{
    b->out.v[b->out.n++] = c;
}

static void blank_one(struct blanker *b)
{
    uint16_t c = b->in.v[b->at];
    uint16_t next = ahead(b);
    bool opens = !b->in_string && c == '(' && next == '*';
    bool closes = !b->in_string && c == '*' && next == ')';
    if (closes && b->depth == 0) {
        put(b, c);
        put(b, next);
        b->done = true;
    } else if (opens || closes) {
        put(b, ' ');
        put(b, ' ');
        b->depth += opens ? 1 : -1;
        b->at++;
    } else if (b->depth > 0) {
        put(b, ' ');
    } else if (b->in_string && c == '\\' && next != 0) {
        put(b, c);
        put(b, next);
        b->at++;
    } else if (!b->in_string && c == '\\' && next == '*') {
        put(b, ' ');
        b->at = b->in.n;
    } else {
        b->in_string = b->in_string != (c == '"');
        put(b, c);
    }
    b->at++;
}

bool pcal_uncomment(struct pcal *p, size_t line, size_t col)
{
    struct blanker b = {0};
    size_t from = col;
    for (size_t i = line; i < p->lines.n && !b.done; i++) {
        b.in = p->lines.v[i];
        b.out = (struct u16s){ARENA_ARRAY(p->arena, uint16_t, b.in.n + 2), 0};
        b.at = 0;
        b.in_string = false;
        while (b.at < from) {
            put(&b, b.in.v[b.at++]);
        }
        from = 0;
        while (b.at < b.in.n && !b.done) {
            blank_one(&b);
        }
        if (b.in_string) {
            pcal_fail(p, NULL, "Unterminated string in line %zu", i + 1);
            return false;
        }
        p->lines.v[i] = b.out;
    }
    return true;
}
