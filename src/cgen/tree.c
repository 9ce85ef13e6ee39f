/* Statements in arenas, in lists with the place of their end. */
#include "cgen/tree.h"

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/str.h"
#include "cgen/cx.h"

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

struct tree_node *tree_open(struct arena *arena, struct tree *tree, struct tree_node like,
                            unsigned effects)
{
    ASSERT(like.kind >= TREE_BLOCK);
    like.body = tree_new(arena);
    return tree_add(arena, tree, like, effects);
}

/* A condition whose value is known: 0, 1; -1: it is not. */
static int known(const struct cx *x)
{
    return x->op != CX_NUMBER ? -1 : x->number != 0;
}

void tree_close(struct tree *tree, const struct tree_node *block)
{
    ASSERT(block->kind >= TREE_BLOCK);
    if (block->kind != TREE_IF || known(block->x) != 0) {
        tree->ntrap += block->body->ntrap;
        tree->nloop += block->body->nloop;
    }
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

/* ---- text ---- */
static void print_x(const char *before, const struct cx *x, const char *after, struct strbuf *out)
{
    strbuf_adds(out, before);
    cx_print(x, out);
    strbuf_adds(out, after);
}

static void print_set(const struct cx *x, const char *op, const struct cx *y, struct strbuf *out)
{
    cx_print(x, out);
    strbuf_printf(out, " %s ", op);
    cx_print(y, out);
}

static void print_var(const struct tree_node *node, struct strbuf *out)
{
    strbuf_printf(out, "%s ", node->text);
    if (node->y) {
        print_set(node->x, "=", node->y, out);
    } else if (cx_is_number(node->x)) {
        print_x("", node->x, " = 0", out);
    } else {
        print_x("", node->x, "; memset(&", out);
        print_x("", node->x, ", 0, sizeof ", out);
        print_x("", node->x, ")", out);
    }
    strbuf_adds(out, ";\n");
}

static void print_statement(const struct tree_node *node, struct strbuf *out)
{
    switch (node->kind) {
    case TREE_TRAP: strbuf_printf(out, "TRAP(%s);\n", node->text); return;
    case TREE_TRAP_IF:
        print_x("if (", node->x, ") TRAP(", out);
        strbuf_printf(out, "%s);\n", node->text);
        return;
    case TREE_CALL: print_x("CALL(", node->x, ");\n", out); return;
    case TREE_DO: print_x("", node->x, ";\n", out); return;
    case TREE_SET:
        print_set(node->x, node->text, node->y, out);
        strbuf_adds(out, ";\n");
        return;
    case TREE_LET:
    case TREE_VAR: print_var(node, out); return;
    case TREE_ARRAY:
        strbuf_printf(out, "%s ", node->text);
        print_x("", node->x, "[", out);
        print_x("", node->y, "] = {0};\n", out);
        return;
    case TREE_ROOM:
        strbuf_printf(out, "%s ", node->text);
        print_x("", node->x, ";\n", out);
        return;
    case TREE_GOTO: strbuf_printf(out, "goto %s;\n", node->text); return;
    case TREE_LABEL: strbuf_printf(out, "%s:;\n", node->text); return;
    case TREE_BREAK: strbuf_adds(out, "break;\n"); return;
    case TREE_RETURN:
        if (node->x) {
            print_x("return ", node->x, ";\n", out);
        } else {
            strbuf_adds(out, "return 0;\n");
        }
        return;
    case TREE_GIVE: print_x("GIVE(", node->x, ");\n", out); return;
    case TREE_POLL: strbuf_adds(out, "POLL();\n"); return;
    default: UNREACHABLE();
    }
}

static void print_for(const struct tree_node *node, struct strbuf *out)
{
    strbuf_adds(out, "for (");
    if (node->text) {
        strbuf_printf(out, "%s ", node->text);
        print_set(node->x, "=", node->y, out);
    }
    print_x("; ", node->cond, "; ", out);
    if (node->step) {
        print_set(node->x, node->op, node->step, out);
    }
    strbuf_adds(out, ")");
}

static void print_head(const struct tree_node *node, struct strbuf *out)
{
    switch (node->kind) {
    case TREE_IF:
        if (known(node->x) != 1) {
            print_x("if (", node->x, ")", out);
        }
        return;
    case TREE_ELSE: strbuf_adds(out, "else"); return;
    case TREE_FOR: print_for(node, out); return;
    case TREE_WHILE: print_x("while (", node->x, ")", out); return;
    case TREE_ONCE: strbuf_adds(out, "do"); return;
    case TREE_SWITCH: print_x("switch (", node->x, ")", out); return;
    case TREE_CASE:
        if (node->x) {
            print_x("case ", node->x, ":", out);
        } else {
            strbuf_adds(out, "default:");
        }
        return;
    default: return;
    }
}

void tree_print(const struct tree *tree, struct strbuf *out)
{
    int before = -1; /* the IF that an ELSE belongs to */
    for (const struct tree_node *node = tree->first; node; node = node->next) {
        int now = node->kind == TREE_IF ? known(node->x) : -1;
        bool never = now == 0 || node->dead || (node->kind == TREE_ELSE && before == 1);
        bool always = node->kind == TREE_ELSE && before == 0;
        before = now;
        if (node->kind < TREE_BLOCK) {
            if (!node->dead) {
                print_statement(node, out);
            }
        } else if (!never) {
            if (!always) {
                print_head(node, out);
            }
            strbuf_adds(out, " {\n");
            tree_print(node->body, out);
            strbuf_adds(out, node->kind == TREE_ONCE ? "} while (0);\n" : "}\n");
        }
    }
}
