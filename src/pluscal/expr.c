/* Expressions as the translator has them: tokens with columns. Substitution puts other tokens in
 * the place of one and moves to the right what stood behind it, and every line that hangs on what
 * moved. */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal_int.h"

/* More are no expression that a person wrote: macros that double what they are given. */
enum { TOKENS_MAX = 20000 };

const char pcal_moved_left[] = "TLAExpr.renormalize() found anchor has moved to left.";

struct tok *pcal_tok_new(struct arena *arena, struct str text, int col, enum tok_type type)
{
    struct tok *tok = ARENA_NEW(arena, struct tok);
    *tok = (struct tok){text, col, pcal_width(text), type};
    return tok;
}

/* A string is wider by its quotes. */
int pcal_tok_width(const struct tok *tok)
{
    return tok->len + (tok->type == TOK_STRING ? 2 : 0);
}

struct expr *pcal_expr_new(struct arena *arena)
{
    return ARENA_NEW(arena, struct expr);
}

void pcal_expr_add_line(struct arena *arena, struct expr *e)
{
    AVEC_PUSH(arena, e, ARENA_NEW(arena, struct tok_line));
}

void pcal_expr_add(struct arena *arena, struct expr *e, struct tok *tok)
{
    AVEC_PUSH(arena, e->v[e->n - 1], tok);
}

bool pcal_expr_empty(const struct expr *e)
{
    return e == NULL || e->n == 0;
}

static bool one_token(const struct expr *e)
{
    return e->n == 1 && e->v[0]->n == 1;
}

/* ---- columns ---- */
static void drop_empty_ends(struct expr *e)
{
    size_t first = 0;
    while (first < e->n && e->v[first]->n == 0) {
        first++;
    }
    if (first > 0) {
        memmove((void *)e->v, (void *)(e->v + first), (e->n - first) * sizeof *e->v);
        e->n -= first;
    }
    while (e->n > 0 && e->v[e->n - 1]->n == 0) {
        e->n--;
    }
}

static void shift_line(const struct tok_line *line, int by)
{
    for (size_t j = 0; j < line->n; j++) {
        line->v[j]->col += by;
    }
}

/* The last token of the nearest line above that begins at or left of `col`, if its line does. */
static struct tok *anchor_for(const struct expr *e, size_t line, int col)
{
    for (size_t j = line; j-- > 0;) {
        const struct tok_line *above = e->v[j];
        if (above->n > 0 && above->v[0]->col <= col) {
            size_t k = 0;
            while (k + 1 < above->n && above->v[k + 1]->col <= col) {
                k++;
            }
            return above->v[k];
        }
    }
    return NULL;
}

void pcal_expr_normalize(struct arena *arena, struct expr *e)
{
    drop_empty_ends(e);
    int least = INT_MAX;
    for (size_t i = 0; i < e->n; i++) {
        if (e->v[i]->n > 0 && e->v[i]->v[0]->col < least) {
            least = e->v[i]->v[0]->col;
        }
    }
    for (size_t i = 0; i < e->n; i++) {
        shift_line(e->v[i], -least);
    }
    e->anchor = ARENA_ARRAY(arena, struct tok *, e->n + 1);
    e->anchor_col = ARENA_ARRAY(arena, int, e->n + 1);
    for (size_t i = 0; i < e->n; i++) {
        struct tok *anchor = e->v[i]->n > 0 ? anchor_for(e, i, e->v[i]->v[0]->col) : NULL;
        e->anchor[i] = anchor;
        e->anchor_col[i] = anchor != NULL ? anchor->col : 0;
    }
}

/* Moves lines after their anchors. */
static bool renormalize(struct expr *e)
{
    for (size_t i = 0; i < e->n; i++) {
        if (e->anchor[i] == NULL) {
            continue;
        }
        int by = e->anchor[i]->col - e->anchor_col[i];
        e->anchor_col[i] = e->anchor[i]->col;
        if (by < 0) {
            return false;
        }
        shift_line(e->v[i], by);
    }
    return true;
}

struct expr *pcal_expr_clone(struct arena *arena, const struct expr *e)
{
    struct expr *copy = pcal_expr_new(arena);
    for (size_t i = 0; i < e->n; i++) {
        pcal_expr_add_line(arena, copy);
        for (size_t j = 0; j < e->v[i]->n; j++) {
            struct tok *tok = ARENA_NEW(arena, struct tok);
            *tok = *e->v[i]->v[j];
            pcal_expr_add(arena, copy, tok);
        }
    }
    pcal_expr_normalize(arena, copy);
    return copy;
}

bool pcal_expr_prepend(struct arena *arena, struct expr *e, const struct expr *front, int spaces)
{
    const struct tok_line *tail = front->v[front->n - 1];
    const struct tok *last = tail->v[tail->n - 1];
    struct expr whole = {0};
    for (size_t i = 0; i + 1 < front->n; i++) {
        AVEC_PUSH(arena, &whole, front->v[i]);
    }
    shift_line(e->v[0], last->col + pcal_tok_width(last) + spaces);
    struct tok_line *joined = ARENA_NEW(arena, struct tok_line);
    for (size_t j = 0; j < tail->n; j++) {
        AVEC_PUSH(arena, joined, tail->v[j]);
    }
    for (size_t j = 0; j < e->v[0]->n; j++) {
        AVEC_PUSH(arena, joined, e->v[0]->v[j]);
    }
    AVEC_PUSH(arena, &whole, joined);
    for (size_t i = 1; i < e->n; i++) {
        AVEC_PUSH(arena, &whole, e->v[i]);
    }
    whole.anchor = ARENA_ARRAY(arena, struct tok *, whole.n + 1);
    whole.anchor_col = ARENA_ARRAY(arena, int, whole.n + 1);
    for (size_t i = 0; i < whole.n; i++) {
        const struct expr *from = i < front->n ? front : e;
        size_t at = i < front->n ? i : i - front->n + 1;
        whole.anchor[i] = from->anchor[at];
        whole.anchor_col[i] = from->anchor_col[at];
    }
    *e = whole;
    return renormalize(e);
}

/* ---- substitution ---- */
static struct tok *token_at(const struct expr *e, struct coord at)
{
    return e->v[at.line]->v[at.at];
}

struct coord pcal_expr_step(const struct expr *e, struct coord from, int by)
{
    struct coord to = from;
    for (int i = 0; i < by; i++) {
        to.at++;
        if (to.at < e->v[to.line]->n) {
            continue;
        }
        to.at = 0;
        do {
            to.line++;
        } while (to.line < e->n && e->v[to.line]->n == 0);
        if (to.line == e->n) {
            to.none = true;
            return to;
        }
    }
    return to;
}

/* Is the token in front of the name of a field, as in [name : or , name |-> ? */
static bool before_field(const struct expr *e, struct coord at)
{
    const struct tok *tok = token_at(e, at);
    if (!str_is(tok->text, "[") && !str_is(tok->text, ",")) {
        return false;
    }
    struct coord two = pcal_expr_step(e, at, 2);
    if (two.none) {
        return false;
    }
    const struct tok *colon = token_at(e, two);
    return colon->type != TOK_STRING && (str_is(colon->text, ":") || str_is(colon->text, "|->") ||
                                         str_is(colon->text, "\u21a6"));
}

static struct coord find_next(const struct expr *e, struct str name, struct coord from)
{
    struct coord at = from;
    at.none = at.none || pcal_expr_empty(e);
    while (!at.none) {
        const struct tok *tok = token_at(e, at);
        int by = 1;
        if (tok->type == TOK_STRING) {
            by = 1;
        } else if (str_is(tok->text, ".")) {
            by = 2;
        } else if (before_field(e, at)) {
            by = 3;
        } else if (str_eq(tok->text, name)) {
            return at;
        }
        at = pcal_expr_step(e, at, by);
    }
    return at;
}

/* A new empty line at `at`, which hangs on what line `from` of `other` does. */
static struct tok_line *insert_line(struct arena *arena, struct expr *e, size_t at,
                                    const struct expr *other, size_t from)
{
    struct tok_line *line = ARENA_NEW(arena, struct tok_line);
    AVEC_PUSH(arena, e, line);
    memmove((void *)(e->v + at + 1), (void *)(e->v + at), (e->n - 1 - at) * sizeof *e->v);
    e->v[at] = line;
    struct tok **anchor = ARENA_ARRAY(arena, struct tok *, e->n + 1);
    int *anchor_col = ARENA_ARRAY(arena, int, e->n + 1);
    for (size_t k = 0; k < e->n; k++) {
        anchor[k] = k == at ? other->anchor[from] : e->anchor[k < at ? k : k - 1];
        anchor_col[k] = k == at ? other->anchor_col[from] : e->anchor_col[k < at ? k : k - 1];
    }
    e->anchor = anchor;
    e->anchor_col = anchor_col;
    return line;
}

static struct tok *closing(struct arena *arena, const struct tok *last)
{
    return pcal_tok_new(arena, STR(")"), last->col + pcal_tok_width(last), TOK_BUILTIN);
}

static void become(struct tok *tok, const struct tok *other)
{
    tok->text = other->text;
    tok->len = other->len;
    tok->type = other->type;
}

/* Makes room for n tokens behind a place of a line. */
static struct tok **insert_tokens(struct arena *arena, struct tok_line *line, size_t at, size_t n)
{
    size_t tail = line->n - at;
    for (size_t i = 0; i < n; i++) {
        AVEC_PUSH(arena, line, NULL);
    }
    memmove((void *)(line->v + at + n), (void *)(line->v + at), tail * sizeof *line->v);
    return line->v + at;
}

/* Puts the tokens of a line in the place of one, with parentheses around them or not. Returns the
 * place of the last. */
static size_t put_line(struct arena *arena, struct tok_line *line, size_t at,
                       const struct tok_line *by, bool parenthesize)
{
    struct tok *tok = line->v[at];
    int indent = tok->col + parenthesize;
    size_t first = parenthesize ? 0 : 1; /* this takes the place of the old one otherwise */
    size_t more = by->n - first + parenthesize;
    struct tok **to = insert_tokens(arena, line, at + 1, more);
    become(tok, parenthesize ? &(struct tok){STR("("), 0, 1, TOK_BUILTIN} : by->v[0]);
    for (size_t j = first; j < by->n; j++) {
        by->v[j]->col += indent;
        *to++ = by->v[j];
    }
    if (parenthesize) {
        *to = closing(arena, to[-1]);
    }
    return at + more;
}

/* The same for several lines: what follows the token goes behind the last of them. */
static struct coord put_lines(struct arena *arena, struct expr *e, struct coord at,
                              const struct expr *by, bool parenthesize)
{
    struct tok_line *line = e->v[at.line];
    struct tok_line rest = {0};
    for (size_t i = at.at + 1; i < line->n; i++) {
        AVEC_PUSH(arena, &rest, line->v[i]);
    }
    line->n = at.at + 1;
    (void)put_line(arena, line, at.at, by->v[0], parenthesize);
    line->n -= parenthesize; /* the closing one comes later */
    size_t row = at.line;
    for (size_t i = 1; i < by->n; i++) {
        line = insert_line(arena, e, ++row, by, i);
        for (size_t j = 0; j < by->v[i]->n; j++) {
            AVEC_PUSH(arena, line, by->v[i]->v[j]);
        }
    }
    if (parenthesize) {
        struct tok *end = closing(arena, line->v[line->n - 1]);
        AVEC_PUSH(arena, line, end);
    }
    struct coord last = {row, line->n - 1, false};
    for (size_t i = 0; i < rest.n; i++) {
        AVEC_PUSH(arena, line, rest.v[i]);
    }
    return last;
}

/* Replaces the token there. Returns the place behind, none at the end; false when a line would have
 * to move to the left. */
static bool substitute_at(struct arena *arena, struct expr *e, struct coord at,
                          const struct expr *by, bool parenthesize, struct coord *ret_behind)
{
    if (one_token(e)) {
        *e = *pcal_expr_clone(arena, by);
        *ret_behind = (struct coord){0, 0, true};
        return true;
    }
    struct tok_line *line = e->v[at.line];
    struct tok *tok = token_at(e, at);
    bool more = at.at + 1 < line->n;
    int spaces = more ? line->v[at.at + 1]->col - (tok->col + pcal_tok_width(tok)) : 0;
    struct coord last = at;
    if (one_token(by)) {
        become(tok, by->v[0]->v[0]);
    } else {
        struct expr *copy = pcal_expr_clone(arena, by);
        if (copy->n == 1) {
            last.at = put_line(arena, line, at.at, copy->v[0], parenthesize);
        } else {
            last = put_lines(arena, e, at, copy, parenthesize);
        }
    }
    line = e->v[last.line];
    if (more) {
        const struct tok *before = line->v[last.at];
        struct tok_line rest = {line->v + last.at + 1, line->n - last.at - 1, 0};
        shift_line(&rest, before->col + pcal_tok_width(before) + spaces - rest.v[0]->col);
    }
    *ret_behind = pcal_expr_step(e, last, 1);
    return renormalize(e);
}

/* Where a token that came after the replaced one is now. `old` and `now` are the places behind the
 * replaced token before and after. */
static struct coord moved(struct coord at, struct coord replaced, struct coord old,
                          struct coord now)
{
    if (at.line == replaced.line) {
        at.at = at.at + now.at - old.at;
    }
    if (at.line == replaced.line || old.line != now.line) {
        at.line = at.line + now.line - old.line;
    }
    return at;
}

static size_t first_of(const struct coord *at, size_t n)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        bool before = !at[i].none && (best == n || at[i].line < at[best].line ||
                                      (at[i].line == at[best].line && at[i].at < at[best].at));
        best = before ? i : best;
    }
    return best;
}

static size_t count_tokens(const struct expr *e)
{
    size_t n = 0;
    for (size_t i = 0; i < e->n; i++) {
        n += e->v[i]->n;
    }
    return n;
}

const char *pcal_expr_substitute(struct arena *arena, struct expr *e, struct expr *const *by,
                                 const struct strs *names, bool parenthesize)
{
    struct coord *next = ARENA_ARRAY(arena, struct coord, names->n + 1);
    size_t tokens = count_tokens(e);
    for (size_t i = 0; i < names->n; i++) {
        next[i] = find_next(e, names->v[i], (struct coord){0, 0, false});
    }
    for (;;) {
        size_t k = first_of(next, names->n);
        if (k == names->n) {
            return NULL;
        }
        struct coord at = next[k];
        struct coord old = pcal_expr_step(e, at, 1);
        struct coord now;
        tokens += count_tokens(by[k]);
        if (tokens > TOKENS_MAX) {
            return "An expression becomes too long";
        }
        if (!substitute_at(arena, e, at, by[k], parenthesize, &now)) {
            return pcal_moved_left;
        }
        next[k] = find_next(e, names->v[k], now);
        for (size_t i = 0; i < names->n; i++) {
            if (i == k || next[i].none) {
                continue;
            }
            if (now.none || (next[i].line == at.line && next[i].at <= at.at)) {
                return "A name is given twice";
            }
            next[i] = moved(next[i], at, old, now);
        }
    }
}

/* ---- text ---- */
void pcal_expr_lines(struct arena *arena, const struct expr *e, struct strs *ret_lines)
{
    for (size_t i = 0; i < e->n; i++) {
        struct strbuf text = {.arena = arena};
        int at = 0;
        if (e->anchor[i] != NULL && e->anchor[i]->col > e->anchor_col[i]) {
            strbuf_pad(&text, ' ', (size_t)(e->anchor[i]->col - e->anchor_col[i]));
        }
        for (size_t j = 0; j < e->v[i]->n; j++) {
            const struct tok *tok = e->v[i]->v[j];
            const char *quote = tok->type == TOK_STRING ? "\"" : "";
            if (tok->col > at) {
                strbuf_pad(&text, ' ', (size_t)(tok->col - at));
            }
            strbuf_printf(&text, "%s%.*s%s", quote, STR_ARG(tok->text), quote);
            at = tok->col + pcal_tok_width(tok);
        }
        AVEC_PUSH(arena, ret_lines, strbuf_str(&text));
    }
}
