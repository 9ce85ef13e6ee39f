/* Statements without effect are left out: emitters copy a value before they know that only a part
 * of it is wanted, clear flags that nobody asks for, and compute what a later stage finds out to be
 * known. The C compiler would find that too, but it takes its time for each line, and tcc does not.
 *
 * A statement lives if it may trap, calls something, leaves a block or writes through a pointer, or
 * if it gives a value to a variable that a living statement reads. Expressions have no effects, so
 * nothing is lost with those in the others. What is read is found by going through the function
 * until nothing is added. */
#include "cgen/tidy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/tree.h"

struct tidying {
    uint8_t *read;                /* [nname] names that living statements read */
    bool more;                    /* some were added in this turn */
    VEC(struct tree_node *) path; /* statements of the blocks that are open */
};

static void reads(struct tidying *t, const struct cx *x)
{
    if (!x) {
        return;
    }
    if (x->op == CX_NAME) {
        t->more |= !t->read[x->number];
        t->read[x->number] = 1;
    }
    for (uint32_t i = 0; i < x->n; i++) {
        reads(t, x->kid[i]);
    }
}

/* The variable of which a place is a part; NULL: it is reached by a pointer. */
static const struct cx *variable_of(const struct cx *place)
{
    while (place->op == CX_MEMBER || place->op == CX_INDEX) {
        place = place->kid[0];
    }
    return place->op == CX_NAME ? place : NULL;
}

static bool is_read(const struct tidying *t, const struct cx *place)
{
    const struct cx *x = variable_of(place);
    return !x || t->read[x->number];
}

/* Which part of a variable is written is read, the variable is not. */
static void reads_place(struct tidying *t, const struct cx *place)
{
    if (!variable_of(place)) {
        reads(t, place);
        return;
    }
    for (; place->op != CX_NAME; place = place->kid[0]) {
        if (place->op == CX_INDEX) {
            reads(t, place->kid[1]);
        }
    }
}

static bool look(struct tidying *t, struct tree *tree);

static bool look_at_block(struct tidying *t, struct tree_node *node)
{
    bool lives = look(t, node->body) || node->kind == TREE_CASE;
    if (lives) {
        reads(t, node->kind == TREE_FOR ? NULL : node->x);
        reads(t, node->y);
        reads(t, node->cond);
        reads(t, node->step);
    }
    return lives;
}

static bool look_at(struct tidying *t, struct tree_node *node)
{
    switch (node->kind) {
    case TREE_SET:
        if (!is_read(t, node->x)) {
            return false;
        }
        reads_place(t, node->x);
        reads(t, node->y);
        return true;
    case TREE_LET:
    case TREE_VAR:
    case TREE_ARRAY:
    case TREE_ROOM:
        if (!is_read(t, node->x)) {
            return false;
        }
        reads(t, node->y);
        return true;
    default:
        if (node->kind >= TREE_BLOCK) {
            return look_at_block(t, node);
        }
        reads(t, node->x);
        reads(t, node->y);
        return true;
    }
}

/* Declarations alone are no reason for a block. */
static bool is_reason(const struct tree_node *node)
{
    return node->kind != TREE_LET && node->kind != TREE_VAR && node->kind != TREE_ARRAY &&
           node->kind != TREE_ROOM && node->kind != TREE_LABEL;
}

/* Marks what is dead as far as is known; does anything live? From the end on, since variables are
 * read behind the place where they are written, but for loops: two turns do for most functions. An
 * ELSE needs its IF. */
static bool look(struct tidying *t, struct tree *tree)
{
    size_t from = t->path.n;
    bool any = false;
    bool needed = false;
    for (struct tree_node *node = tree->first; node; node = node->next) {
        VEC_PUSH(&t->path, node);
    }
    for (size_t i = t->path.n; i-- > from;) {
        struct tree_node *node = t->path.v[i];
        bool lives = look_at(t, node);
        if (needed && !lives) {
            lives = true;
            reads(t, node->x);
        }
        node->dead = !lives;
        any |= lives && is_reason(node);
        needed = lives && node->kind == TREE_ELSE;
    }
    t->path.n = from;
    return any;
}

void tidy(struct tree *decls, struct tree *body, size_t nname)
{
    size_t none = 0;
    struct tidying t = {.read = vec_grow(NULL, &none, nname + 1, 1)};
    memset(t.read, 0, nname + 1);
    do {
        t.more = false;
        (void)look(&t, body);
    } while (t.more);
    (void)look(&t, decls);
    VEC_DONE(&t.path);
    vec_release(t.read);
}
