/* Statements in arenas, in lists with the place of their end. */
#include "cgen/tree.h"

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/str.h"

struct tree *tree_new(struct arena *arena)
{
    struct tree *tree = ARENA_NEW(arena, struct tree);
    tree->end = &tree->first;
    return tree;
}

struct tree_node *tree_add(struct arena *arena, struct tree *tree, struct tree_node like,
                           unsigned effects)
{
    struct tree_node *node = ARENA_NEW(arena, struct tree_node);
    *node = like;
    node->next = NULL;
    *tree->end = node;
    tree->end = &node->next;
    tree->ntrap += (effects & TREE_TRAPS) != 0;
    tree->nloop += (effects & TREE_LOOPS) != 0;
    return node;
}

struct tree_node *tree_open(struct arena *arena, struct tree *tree, const char *head,
                            unsigned effects)
{
    return tree_add(arena, tree,
                    (struct tree_node){
                        .kind = TREE_BLOCK, .text = head, .tail = "}\n", .body = tree_new(arena)},
                    effects);
}

void tree_close(struct tree *tree, const struct tree_node *block)
{
    ASSERT(block->kind == TREE_BLOCK);
    tree->ntrap += block->body->ntrap;
    tree->nloop += block->body->nloop;
}

void tree_splice(struct tree *tree, struct tree *from)
{
    if (from->first) {
        *tree->end = from->first;
        tree->end = from->end;
        tree->ntrap += from->ntrap;
        tree->nloop += from->nloop;
        *from = (struct tree){.end = &from->first};
    }
}

struct tree_mark tree_mark(const struct tree *tree)
{
    return (struct tree_mark){tree->end, tree->ntrap, tree->nloop};
}

bool tree_traps(const struct tree *tree, const struct tree_mark *since)
{
    return tree->ntrap > since->ntrap;
}

bool tree_loops(const struct tree *tree, const struct tree_mark *since)
{
    return tree->nloop > since->nloop;
}

void tree_cut(struct tree *tree, const struct tree_mark *since)
{
    *since->end = NULL;
    tree->end = since->end;
    tree->ntrap = since->ntrap;
    tree->nloop = since->nloop;
}

struct tree *tree_take(struct arena *arena, struct tree *tree, const struct tree_mark *since)
{
    struct tree *taken = tree_new(arena);
    if (*since->end) {
        taken->first = *since->end;
        taken->end = tree->end;
        taken->ntrap = tree->ntrap - since->ntrap;
        taken->nloop = tree->nloop - since->nloop;
    }
    tree_cut(tree, since);
    return taken;
}

void tree_print(const struct tree *tree, struct strbuf *out)
{
    for (const struct tree_node *node = tree->first; node; node = node->next) {
        switch (node->kind) {
        case TREE_TEXT: strbuf_adds(out, node->text); break;
        case TREE_TRAP: strbuf_printf(out, "TRAP(%s);\n", node->text); break;
        case TREE_TRAP_IF: strbuf_printf(out, "if (%s) TRAP(%s);\n", node->cond, node->text); break;
        case TREE_CALL: strbuf_printf(out, "CALL(%s);\n", node->text); break;
        case TREE_BLOCK:
            strbuf_printf(out, "%s {\n", node->text);
            tree_print(node->body, out);
            strbuf_adds(out, node->tail);
            break;
        }
    }
}
