/* Emitted C text as parts.
 *
 * The text is cut into definitions: types, tables, functions, lines such as SET_OPS(...). Each is
 * known by one name, and needs those whose names occur in it. A definition whose form is not known
 * is needed by all: so a form that this file never heard of costs reuse and nothing else.
 *
 * The key of a function is computed over its tokens and those of all that it needs, definitions in
 * the order in which their names are met first. Names of definitions count as the number of their
 * first appearance; so do variables of a function (a letter and a number), in each function anew.
 * Members of structures, and whatever else there is, count as they are. Two texts with the same
 * sequence differ in names only, so that the same machine code is right for both.
 *
 * The rejected way was to give everything names made of its contents: it touches every place that
 * writes a name, and a mistake in one of them would be found as a wrong answer. */
#include "cgen/parts.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"

enum { NONE = UINT32_MAX };

enum tok_kind {
    TOK_PLAIN, /* counts as its text */
    TOK_NAME,  /* of a definition */
    TOK_OPS,   /* T5_add: of the operations on a type; the rest of the name counts as text */
    TOK_LOCAL
};

struct token {
    uint64_t hash;  /* of the text that counts */
    uint32_t at, n; /* in the text */
    uint32_t name;  /* TOK_NAME, TOK_OPS: which; TOK_LOCAL: the how manieth of its function */
    uint8_t kind;
    bool word;
};

struct block {
    uint32_t at, n;       /* in the text */
    uint32_t first, last; /* tokens */
    uint32_t name;        /* NONE: needed by all */
    uint32_t next;        /* another block of the same name; NONE */
    bool locals;          /* a function */
};

struct name {
    struct str text;
    uint32_t block; /* the first of its blocks */
};

struct parts {
    struct arena *arena;
    struct str text;
    struct token *toks;
    struct block *blocks;
    struct name *names;
    uint32_t *table; /* names by hash */
    uint32_t ntok, nblock, nname, table_size;
    uint32_t *order; /* [nname] of first appearance; NONE: not met */
    uint32_t *queue; /* [nblock] */
    bool *wanted;    /* [nblock] */
};

/* ---- tokens ---- */
static bool starts_word(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static size_t skip_blank(struct str text, size_t at)
{
    for (;;) {
        while (at < text.n && isspace((unsigned char)text.p[at])) {
            at++;
        }
        if (at + 1 >= text.n || text.p[at] != '/' || text.p[at + 1] != '*') {
            return at;
        }
        const char *end = memmem(text.p + at, text.n - at, "*/", 2);
        at = end ? (size_t)(end - text.p) + 2 : text.n;
    }
}

static size_t token_end(struct str text, size_t at)
{
    char c = text.p[at];
    if (starts_word(c) || isdigit((unsigned char)c)) {
        while (at < text.n && (starts_word(text.p[at]) || isdigit((unsigned char)text.p[at]))) {
            at++;
        }
        return at;
    }
    if (c == '"' || c == '\'') {
        for (at++; at < text.n && text.p[at] != c; at++) {
            at += text.p[at] == '\\';
        }
        return at < text.n ? at + 1 : text.n;
    }
    return at + 1;
}

static void tokenize(struct parts *p)
{
    uint32_t cap = (uint32_t)(p->text.n + 1);
    struct token *toks = ARENA_ARRAY(p->arena, struct token, cap);
    for (size_t at = skip_blank(p->text, 0); at < p->text.n;) {
        size_t end = token_end(p->text, at);
        toks[p->ntok++] = (struct token){.at = (uint32_t)at,
                                         .n = (uint32_t)(end - at),
                                         .name = NONE,
                                         .word = starts_word(p->text.p[at])};
        at = skip_blank(p->text, end);
    }
    p->toks = toks;
}

static struct str tok_text(const struct parts *p, uint32_t i)
{
    return (struct str){p->text.p + p->toks[i].at, p->toks[i].n};
}

static char tok_char(const struct parts *p, uint32_t i)
{
    return i < p->ntok && p->toks[i].n == 1 ? p->text.p[p->toks[i].at] : 0;
}

static bool tok_is(const struct parts *p, uint32_t i, const char *text)
{
    return i < p->ntok && str_is(tok_text(p, i), text);
}

/* ---- names ---- */
static uint32_t *name_slot(const struct parts *p, struct str text)
{
    uint32_t at = (uint32_t)hash_bytes(text.p, text.n, 1) & (p->table_size - 1);
    while (p->table[at] != NONE && !str_eq(p->names[p->table[at]].text, text)) {
        at = (at + 1) & (p->table_size - 1);
    }
    return &p->table[at];
}

static void name_block(struct parts *p, uint32_t block, struct str text)
{
    uint32_t *slot = name_slot(p, text);
    if (*slot == NONE) {
        *slot = p->nname;
        p->names[p->nname++] = (struct name){text, block};
    } else {
        uint32_t last = p->names[*slot].block;
        while (p->blocks[last].next != NONE) {
            last = p->blocks[last].next;
        }
        p->blocks[last].next = block;
    }
    p->blocks[block].name = *slot;
}

/* ---- definitions ---- */

/* What is seen of a definition while its end is looked for. */
struct outline {
    uint32_t paren, equals; /* the last ( outside of everything; the first = there */
    uint32_t word;          /* the last word there */
    uint32_t before_paren;  /* the word before that ( */
    bool function;
};

/* The token after a definition that starts at `i`. */
static uint32_t block_end(const struct parts *p, uint32_t i, struct outline *o)
{
    *o = (struct outline){NONE, NONE, NONE, NONE, false};
    uint32_t begin = i;
    bool type = tok_is(p, i, "typedef");
    bool macro = tok_char(p, i + 1) == '(';
    int depth = 0;
    for (; i < p->ntok; i++) {
        char c = tok_char(p, i);
        if (depth == 0 && p->toks[i].word && o->equals == NONE) {
            o->word = i;
        } else if (depth == 0 && c == '=' && o->equals == NONE) {
            o->equals = i;
        } else if (depth == 0 && c == ';') {
            return i + 1;
        } else if (depth == 0 && c == '(' && o->equals == NONE) {
            o->paren = i;
            o->before_paren = o->word;
        } else if (depth == 0 && c == '{' && i > begin && tok_char(p, i - 1) == ')' && !type) {
            o->function = true;
        }
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        if (depth == 0 &&
            ((c == '}' && o->function) || (c == ')' && macro && tok_char(p, i + 1) != ';'))) {
            return i + 1;
        }
    }
    return p->ntok;
}

/* Gives the definition its name; false: its form is not known. */
static bool name_it(struct parts *p, uint32_t block, const struct outline *o)
{
    struct block *b = &p->blocks[block];
    uint32_t i = b->first;
    if (tok_is(p, i, "SET_OPS") || tok_is(p, i, "MAP_OPS")) {
        struct str type = tok_text(p, i + 2);
        struct strbuf name = {.arena = p->arena};
        strbuf_printf(&name, "%.*s_", STR_ARG(type));
        name_block(p, block, strbuf_str(&name));
        return true;
    }
    if (tok_is(p, i, "typedef")) {
        name_block(p, block, tok_text(p, o->word));
        return true;
    }
    if (!tok_is(p, i, "static") || o->word == NONE) {
        return false;
    }
    if (o->equals != NONE) { /* static const T5 c7[3] = ...: a table */
        name_block(p, block, tok_text(p, o->word));
        return true;
    }
    if (o->paren == NONE || o->before_paren == NONE) {
        return false;
    }
    b->locals = o->function;
    name_block(p, block, tok_text(p, o->before_paren));
    return true;
}

static void cut(struct parts *p)
{
    uint32_t blocks = 0; /* at most one for each of these */
    for (uint32_t i = 0; i < p->ntok; i++) {
        char c = tok_char(p, i);
        blocks += c == ';' || c == '}' || c == ')';
    }
    p->blocks = ARENA_ARRAY(p->arena, struct block, blocks + 1);
    p->names = ARENA_ARRAY(p->arena, struct name, blocks + 1);
    for (p->table_size = 64; p->table_size < blocks * 2 + 2;) {
        p->table_size *= 2;
    }
    p->table = ARENA_ARRAY(p->arena, uint32_t, p->table_size);
    memset(p->table, 0xff, sizeof *p->table * p->table_size);
    for (uint32_t i = 0; i < p->ntok;) {
        struct outline o;
        uint32_t end = block_end(p, i, &o);
        const struct token *last = &p->toks[end - 1];
        if (tok_is(p, i, "_Static_assert") && p->nblock > 0) { /* belongs to what it is about */
            struct block *b = &p->blocks[p->nblock - 1];
            b->last = end;
            b->n = last->at + last->n - b->at;
        } else {
            struct block *b = &p->blocks[p->nblock++];
            *b = (struct block){.at = p->toks[i].at, .first = i, .last = end, .name = NONE};
            b->next = NONE;
            b->n = last->at + last->n - b->at;
            (void)name_it(p, p->nblock - 1, &o);
        }
        i = end;
    }
}

/* ---- what tokens stand for ---- */

/* A letter and a number: its length; else 0. */
static uint32_t numbered(struct str word)
{
    uint32_t n = 1;
    while (n < word.n && isdigit((unsigned char)word.p[n])) {
        n++;
    }
    return n > 1 && isalpha((unsigned char)word.p[0]) ? n : 0;
}

static bool is_member(const struct parts *p, uint32_t i, uint32_t first)
{
    return i > first && (tok_char(p, i - 1) == '.' ||
                         (i > first + 1 && tok_char(p, i - 1) == '>' && tok_char(p, i - 2) == '-'));
}

/* Letters that begin names of members, or of what is declared in a form that is not known: such
 * names count as they are, everywhere. */
static void fixed_letters(const struct parts *p, bool *fixed)
{
    for (uint32_t b = 0; b < p->nblock; b++) {
        const struct block *block = &p->blocks[b];
        bool all = block->name == NONE || tok_is(p, block->first, "typedef");
        for (uint32_t i = block->first; i < block->last; i++) {
            struct str word = tok_text(p, i);
            if (p->toks[i].word && (all || is_member(p, i, block->first)) && numbered(word)) {
                fixed[(unsigned char)word.p[0]] = true;
            }
        }
    }
}

static void resolve(struct parts *p, const struct block *b, uint32_t i, const bool *fixed)
{
    struct token *t = &p->toks[i];
    struct str word = tok_text(p, i);
    t->hash = hash_bytes(word.p, word.n, 3);
    if (!t->word || is_member(p, i, b->first)) {
        return;
    }
    t->name = *name_slot(p, word);
    if (t->name != NONE) {
        t->kind = TOK_NAME;
        return;
    }
    uint32_t n = numbered(word);
    if (n > 0 && n < word.n && word.p[n] == '_') { /* T5_add */
        t->name = *name_slot(p, (struct str){word.p, n + 1});
        t->kind = t->name != NONE ? TOK_OPS : TOK_PLAIN;
        t->hash = t->name != NONE ? hash_bytes(word.p + n, word.n - n, 4) : t->hash;
    } else if (n == word.n && n > 0 && b->locals && !fixed[(unsigned char)word.p[0]]) {
        t->kind = TOK_LOCAL;
    }
}

/* Numbers the variables of a function in the order of their appearance. */
static void number_locals(struct parts *p, const struct block *b)
{
    uint32_t n = 0;
    uint32_t slots = 16;
    for (uint32_t i = b->first; i < b->last; i++) {
        n += p->toks[i].kind == TOK_LOCAL;
    }
    while (slots < n * 2) {
        slots *= 2;
    }
    uint32_t *first = ARENA_ARRAY(p->arena, uint32_t, slots); /* token + 1 where it is met first */
    n = 0;
    for (uint32_t i = b->first; i < b->last; i++) {
        struct token *t = &p->toks[i];
        if (t->kind != TOK_LOCAL) {
            continue;
        }
        uint32_t at = (uint32_t)t->hash & (slots - 1);
        while (first[at] != 0 && !str_eq(tok_text(p, first[at] - 1), tok_text(p, i))) {
            at = (at + 1) & (slots - 1);
        }
        if (first[at] == 0) {
            first[at] = i + 1;
            t->name = n++;
        } else {
            t->name = p->toks[first[at] - 1].name;
        }
    }
}

struct parts *parts_split(struct arena *arena, struct str text)
{
    struct parts *p = ARENA_NEW(arena, struct parts);
    bool fixed[256] = {false};
    p->arena = arena;
    p->text = text;
    tokenize(p);
    cut(p);
    fixed_letters(p, fixed);
    for (uint32_t b = 0; b < p->nblock; b++) {
        for (uint32_t i = p->blocks[b].first; i < p->blocks[b].last; i++) {
            resolve(p, &p->blocks[b], i, fixed);
        }
        number_locals(p, &p->blocks[b]);
    }
    p->order = ARENA_ARRAY(arena, uint32_t, p->nname + 1);
    p->queue = ARENA_ARRAY(arena, uint32_t, p->nblock + 1);
    p->wanted = ARENA_ARRAY(arena, bool, p->nblock + 1);
    return p;
}

/* ---- what a function needs ---- */
struct walk {
    struct parts *p;
    uint32_t nname, nblock; /* met so far */
    struct part_key key;
};

static void feed(struct walk *w, uint64_t x)
{
    w->key.v[0] = hash_combine(w->key.v[0], x);
    w->key.v[1] = hash_combine(w->key.v[1], ~x);
}

static void meet(struct walk *w, uint32_t name)
{
    struct parts *p = w->p;
    if (p->order[name] != NONE) {
        return;
    }
    p->order[name] = w->nname++;
    for (uint32_t b = p->names[name].block; b != NONE; b = p->blocks[b].next) {
        p->queue[w->nblock++] = b;
    }
}

/* Leaves in p->queue what `name` needs, itself first. */
static struct walk visit(struct parts *p, uint32_t name)
{
    struct walk w = {.p = p, .key = {{1, 2}}};
    memset(p->order, 0xff, sizeof *p->order * (p->nname + 1));
    meet(&w, name);
    for (uint32_t b = 0; b < p->nblock; b++) {
        if (p->blocks[b].name == NONE) {
            p->queue[w.nblock++] = b;
        }
    }
    for (uint32_t at = 0; at < w.nblock; at++) {
        const struct block *b = &p->blocks[p->queue[at]];
        feed(&w, 'B');
        for (uint32_t i = b->first; i < b->last; i++) {
            const struct token *t = &p->toks[i];
            if (t->kind == TOK_NAME || t->kind == TOK_OPS) {
                meet(&w, t->name);
                feed(&w, p->order[t->name]);
            } else if (t->kind == TOK_LOCAL) {
                feed(&w, t->name);
            }
            if (t->kind == TOK_PLAIN || t->kind == TOK_OPS) {
                feed(&w, t->hash);
            }
            feed(&w, t->kind);
        }
    }
    return w;
}

bool parts_key(struct parts *parts, const char *name, struct part_key *ret_key)
{
    uint32_t at = *name_slot(parts, str_of(name));
    if (at == NONE) {
        return false;
    }
    *ret_key = visit(parts, at).key;
    return true;
}

void parts_want(struct parts *parts, const char *name)
{
    uint32_t at = *name_slot(parts, str_of(name));
    struct walk w = at != NONE ? visit(parts, at) : (struct walk){0};
    for (uint32_t i = 0; i < w.nblock; i++) {
        parts->wanted[parts->queue[i]] = true;
    }
}

void parts_write(const struct parts *parts, struct strbuf *out)
{
    for (uint32_t b = 0; b < parts->nblock; b++) {
        if (parts->wanted[b]) {
            strbuf_add(out, parts->text.p + parts->blocks[b].at, parts->blocks[b].n);
            strbuf_addc(out, '\n');
        }
    }
}
