/* Private to cgen: what functions of the emitted C share: tables, conversions, comparisons.
 *
 * A definition has a name that is made of its text. The text holds names of other definitions,
 * which are made of theirs: so functions that are the same to the letter mean the same, whatever
 * specification they were written for, and code that was compiled for one serves the other. Nobody
 * has to know which definition needs which. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct gen;
struct tree;

/* Of a text that is compiled and kept. */
struct part_key {
    uint64_t v[2];
};
struct part_key defs_key(struct str text);

/* Adds `before` NAME `after` unless it is there. The name begins with `prefix`. */
const char *gen_define(struct gen *g, const char *prefix, const char *before, struct str after);
/* The same for lines that have no name of their own (SET_OPS of the prelude): what they define is
 * called after a type, whose name says all that the line does. */
void gen_define_line(struct gen *g, const char *line);
/* Definitions that have the same name in every specification. All functions that use them must have
 * g->fixed in their keys. */
__attribute__((format(printf, 2, 3))) void gen_define_fixed(struct gen *g, const char *fmt, ...);

/* What was known before something, see gen_known_apart. */
struct known_mark {
    size_t from, n;
    bool off;
};

/* A function that is written aside: between the two, statements are its own. */
struct side {
    struct tree *out, *decls;
    uint32_t ntmp;
    struct tree *old_out, *old_decls;
    uint32_t *old_ntmp;
    size_t old_bytes;
    struct known_mark known;
    bool traps; /* once closed: it may */
};
void gen_side_open(struct gen *g, struct side *s);
/* head: "static int ", params: "(struct W *w)". Returns its name. */
const char *gen_side_close(struct gen *g, struct side *s, const char *prefix, const char *head,
                           const char *params);
/* ... as one of those that always have the same name, which is part of the head. */
void gen_side_close_fixed(struct gen *g, struct side *s, const char *head);

/* All that was written so far. */
struct defs_mark {
    size_t text, defined, consts, convs, cmps, images, sigs, spreads, set_ops, map_ops, unis, recs;
};
void defs_mark(const struct gen *g, struct defs_mark *mark);
void defs_back(struct gen *g, const struct defs_mark *mark);
/* A hash of what was written since. */
uint64_t defs_since(const struct gen *g, const struct defs_mark *mark);
