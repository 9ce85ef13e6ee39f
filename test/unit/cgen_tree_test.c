/* Statements of C as a tree: what is taken back is not there, and what a part does is known without
 * a look at its text. */
#include "base/arena.h"
#include "base/str.h"
#include "cgen/tree.h"
#include "test.h"

struct fixture {
    struct arena arena;
    struct tree *tree;
};

static void setup(struct fixture *x)
{
    arena_init(&x->arena, 4096);
    x->tree = tree_new(&x->arena);
}

static void put(struct fixture *x, struct tree *tree, const char *text, unsigned effects)
{
    (void)tree_add(&x->arena, tree, (struct tree_node){.kind = TREE_TEXT, .text = text}, effects);
}

static void check_text(const struct tree *tree, const char *want)
{
    SCOPED_STRBUF text = {0};
    tree_print(tree, &text);
    CHECK_STR(strbuf_cstr(&text), want);
}

TEST(all_kinds_are_printed)
{
    struct fixture x;
    setup(&x);
    put(&x, x.tree, "int i;\n", TREE_PLAIN);
    struct tree_node *block = tree_open(&x.arena, x.tree, "do", TREE_LOOPS);
    block->tail = "} while (i);\n";
    (void)tree_add(&x.arena, block->body, (struct tree_node){.kind = TREE_CALL, .text = "f(&i)"},
                   TREE_TRAPS);
    (void)tree_add(&x.arena, block->body,
                   (struct tree_node){.kind = TREE_TRAP_IF, .text = "T_KIND", .cond = "i < 0"},
                   TREE_TRAPS);
    tree_close(x.tree, block);
    (void)tree_add(&x.arena, x.tree, (struct tree_node){.kind = TREE_TRAP, .text = "T_CASE"},
                   TREE_TRAPS);
    check_text(x.tree, "int i;\ndo {\nCALL(f(&i));\nif (i < 0) TRAP(T_KIND);\n} while (i);\n"
                       "TRAP(T_CASE);\n");
    arena_done(&x.arena);
}

TEST(what_is_cut_has_no_effects)
{
    struct fixture x;
    setup(&x);
    put(&x, x.tree, "a;\n", TREE_TRAPS);
    struct tree_mark mark = tree_mark(x.tree);
    CHECK(!tree_traps(x.tree, &mark));
    struct tree_node *block = tree_open(&x.arena, x.tree, "for (;;)", TREE_LOOPS);
    put(&x, block->body, "b;\n", TREE_TRAPS);
    CHECK(!tree_traps(x.tree, &mark)); /* it is not closed yet */
    tree_close(x.tree, block);
    CHECK(tree_traps(x.tree, &mark) && tree_loops(x.tree, &mark));
    tree_cut(x.tree, &mark);
    CHECK(!tree_traps(x.tree, &mark) && !tree_loops(x.tree, &mark));
    put(&x, x.tree, "c;\n", TREE_PLAIN);
    check_text(x.tree, "a;\nc;\n");
    arena_done(&x.arena);
}

TEST(what_is_taken_goes_elsewhere)
{
    struct fixture x;
    setup(&x);
    put(&x, x.tree, "a;\n", TREE_PLAIN);
    struct tree_mark mark = tree_mark(x.tree);
    struct tree *none = tree_take(&x.arena, x.tree, &mark);
    CHECK(tree_is_empty(none));
    put(&x, x.tree, "b;\n", TREE_LOOPS);
    put(&x, x.tree, "c;\n", TREE_TRAPS);
    struct tree *taken = tree_take(&x.arena, x.tree, &mark);
    check_text(x.tree, "a;\n");
    check_text(taken, "b;\nc;\n");
    CHECK(!tree_traps(x.tree, &mark));
    put(&x, x.tree, "before;\n", TREE_PLAIN);
    tree_splice(x.tree, taken);
    tree_splice(x.tree, none);
    CHECK(tree_is_empty(taken));
    CHECK(tree_traps(x.tree, &mark) && tree_loops(x.tree, &mark));
    put(&x, x.tree, "after;\n", TREE_PLAIN);
    check_text(x.tree, "a;\nbefore;\nb;\nc;\nafter;\n");
    arena_done(&x.arena);
}
