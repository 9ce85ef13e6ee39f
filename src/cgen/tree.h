/* Private to cgen: the C that is being written, as a tree of statements.
 *
 * Emitters add statements, open blocks and take back what they began; nothing of it is text until
 * tree_print. What a statement does besides (may it trap, does it go round?) is known of the node,
 * and of a tree as a whole: nobody looks for it in what was written. Expressions are nodes of their
 * own (cx.h) without effects: what may trap is a statement that gives a variable its value.
 *
 * All of it lies in an arena. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct cx;
struct strbuf;

enum tree_kind {
    TREE_TRAP,    /* the function ends with the reason `text` */
    TREE_TRAP_IF, /* ... where x holds */
    TREE_CALL,    /* x is called; if it traps, so does the function */
    TREE_DO,      /* x is evaluated for what it does */
    TREE_SET,     /* x `text` y, where the text is "=", "|=" and the like */
    TREE_LET,     /* the variable x of the C type `text` is y, and stays so */
    TREE_VAR,     /* ... is y, or zero where there is no y */
    TREE_ARRAY,   /* ... is an array of y zeros */
    TREE_ROOM,    /* ... is there: it gets its value later */
    TREE_GOTO,
    TREE_LABEL,
    TREE_BREAK,
    TREE_RETURN, /* x; NULL: 0 */
    TREE_GIVE,   /* x is handed back through `ret` */
    TREE_POLL,   /* whether the search is to stop */
    /* With a body: */
    TREE_BLOCK,
    TREE_IF,   /* x */
    TREE_ELSE, /* after an IF */
    TREE_FOR,  /* for (text x = y; cond; x op step); no text: x is there already */
    TREE_WHILE,
    TREE_ONCE,   /* do ... while (0): a break leaves it */
    TREE_SWITCH, /* x */
    TREE_CASE    /* x; NULL: default */
};
enum tree_effect { TREE_PLAIN, TREE_TRAPS = 1, TREE_LOOPS = 2 };

struct tree_node {
    enum tree_kind kind;
    bool dead; /* it is not written, see tidy.h */
    const char *text, *op;
    const struct cx *x, *y, *cond, *step;
    struct tree *body;
    struct tree_node *next;
};

/* Statements one after the other. */
struct tree {
    struct tree_node *first, **end;
    uint32_t ntrap, nloop; /* of those that trap and go round, with what is in closed blocks */
};

struct tree *tree_new(struct arena *arena);
/* effects: a set of enum tree_effect. The texts live as long as the tree. */
struct tree_node *tree_add(struct arena *arena, struct tree *tree, struct tree_node like,
                           unsigned effects);
/* A block at the end: statements may be added to its body until it is closed. */
struct tree_node *tree_open(struct arena *arena, struct tree *tree, struct tree_node like,
                            unsigned effects);
void tree_close(struct tree *tree, const struct tree_node *block);
/* Moves all statements of `from` to the end. */
void tree_splice(struct tree *tree, struct tree *from);
static inline bool tree_is_empty(const struct tree *tree)
{
    return !tree->first;
}

/* What was there at some time. */
struct tree_mark {
    struct tree_node **end;
    uint32_t ntrap, nloop;
};
struct tree_mark tree_mark(const struct tree *tree);
/* Of what was added since, and blocks that were closed since: */
bool tree_traps(const struct tree *tree, const struct tree_mark *since);
bool tree_loops(const struct tree *tree, const struct tree_mark *since);
void tree_cut(struct tree *tree, const struct tree_mark *since); /* leaves it out */
struct tree *tree_take(struct arena *arena, struct tree *tree,
                       const struct tree_mark *since); /* ... and returns it */

void tree_print(const struct tree *tree, struct strbuf *out);
