/* Statements of C as a tree: what is taken back is not there, and what a part does is known without
 * a look at its text. */
#include "base/arena.h"
#include "base/str.h"
#include "cgen/cx.h"
#include "cgen/emit.h"
#include "cgen/tree.h"
#include "test.h"

struct fixture {
    struct gen g; /* makes expressions; nothing else of it is used */
    struct arena arena;
    struct tree *tree;
};

static void setup(struct fixture *x)
{
    arena_init(&x->arena, 4096);
    x->g = (struct gen){.arena = &x->arena};
    x->tree = tree_new(&x->arena);
}

static void done(struct fixture *x)
{
    cxs_done(&x->g.cxs);
    arena_done(&x->arena);
}

static const struct cx *name(struct fixture *x, const char *text)
{
    return cx_name(&x->g, CX_INT, NULL, text, false);
}

/* A statement that is recognised by the label. */
static void put(struct fixture *x, struct tree *tree, const char *text, unsigned effects)
{
    (void)tree_add(&x->arena, tree, (struct tree_node){.kind = TREE_LABEL, .text = text}, effects);
}

static void check_text(const struct tree *tree, const char *want)
{
    SCOPED_STRBUF text = {0};
    tree_print(tree, &text);
    CHECK_STR(strbuf_cstr(&text), want);
}

TEST(statements_are_printed)
{
    struct fixture x;
    setup(&x);
    const struct cx *i = name(&x, "i");
    const struct cx *zero = cx_int(&x.g, 0);
    const struct cx *less = cx_two(&x.g, CX_LT, i, zero);
    (void)tree_add(&x.arena, x.tree, (struct tree_node){.kind = TREE_VAR, .text = "int", .x = i},
                   TREE_PLAIN);
    struct tree_node *block =
        tree_open(&x.arena, x.tree, (struct tree_node){.kind = TREE_ONCE}, TREE_PLAIN);
    const struct cx *call = cx_call(&x.g, CX_INT, NULL, "f", cx_addr(&x.g, i));
    (void)tree_add(&x.arena, block->body, (struct tree_node){.kind = TREE_CALL, .x = call},
                   TREE_TRAPS);
    (void)tree_add(&x.arena, block->body,
                   (struct tree_node){.kind = TREE_TRAP_IF, .text = "T_KIND", .x = less},
                   TREE_TRAPS);
    tree_close(x.tree, block);
    (void)tree_add(&x.arena, x.tree, (struct tree_node){.kind = TREE_TRAP, .text = "T_CASE"},
                   TREE_TRAPS);
    check_text(x.tree, "int i = 0;\ndo {\nCALL(f(&i));\nif (i < 0) TRAP(T_KIND);\n} while (0);\n"
                       "TRAP(T_CASE);\n");
    done(&x);
}

TEST(loops_are_printed)
{
    struct fixture x;
    setup(&x);
    const struct cx *i = name(&x, "i");
    const struct cx *one = cx_int(&x.g, 1);
    struct tree_node *loop =
        tree_open(&x.arena, x.tree,
                  (struct tree_node){.kind = TREE_FOR,
                                     .text = "int",
                                     .x = i,
                                     .y = cx_int(&x.g, 0),
                                     .cond = cx_two(&x.g, CX_LT, i, name(&x, "n")),
                                     .op = "+=",
                                     .step = one},
                  TREE_LOOPS);
    struct tree_node *choice = tree_open(
        &x.arena, loop->body, (struct tree_node){.kind = TREE_SWITCH, .x = i}, TREE_PLAIN);
    struct tree_node *two = tree_open(&x.arena, choice->body,
                                      (struct tree_node){.kind = TREE_CASE, .x = one}, TREE_PLAIN);
    (void)tree_add(&x.arena, two->body, (struct tree_node){.kind = TREE_BREAK}, TREE_PLAIN);
    tree_close(choice->body, two);
    tree_close(loop->body, choice);
    tree_close(x.tree, loop);
    check_text(x.tree,
               "for (int i = 0; i < n; i += 1) {\nswitch (i) {\ncase 1: {\nbreak;\n}\n}\n}\n");
    done(&x);
}

/* What never runs is not written, and does nothing. */
TEST(conditions_that_are_known)
{
    struct fixture x;
    setup(&x);
    struct tree_mark mark = tree_mark(x.tree);
    for (int64_t known = 0; known < 2; known++) {
        struct tree_node *then =
            tree_open(&x.arena, x.tree,
                      (struct tree_node){.kind = TREE_IF, .x = cx_int(&x.g, known)}, TREE_PLAIN);
        put(&x, then->body, known ? "c" : "a", known ? TREE_PLAIN : TREE_TRAPS);
        tree_close(x.tree, then);
        struct tree_node *other =
            tree_open(&x.arena, x.tree, (struct tree_node){.kind = TREE_ELSE}, TREE_PLAIN);
        put(&x, other->body, known ? "d" : "b", TREE_PLAIN);
        tree_close(x.tree, other);
    }
    CHECK(!tree_traps(x.tree, &mark));
    check_text(x.tree, " {\nb:;\n}\n {\nc:;\n}\n");
    done(&x);
}

TEST(what_is_cut_has_no_effects)
{
    struct fixture x;
    setup(&x);
    put(&x, x.tree, "a", TREE_TRAPS);
    struct tree_mark mark = tree_mark(x.tree);
    CHECK(!tree_traps(x.tree, &mark));
    struct tree_node *block =
        tree_open(&x.arena, x.tree, (struct tree_node){.kind = TREE_BLOCK}, TREE_LOOPS);
    put(&x, block->body, "b", TREE_TRAPS);
    CHECK(!tree_traps(x.tree, &mark)); /* it is not closed yet */
    tree_close(x.tree, block);
    CHECK(tree_traps(x.tree, &mark) && tree_loops(x.tree, &mark));
    tree_cut(x.tree, &mark);
    CHECK(!tree_traps(x.tree, &mark) && !tree_loops(x.tree, &mark));
    put(&x, x.tree, "c", TREE_PLAIN);
    check_text(x.tree, "a:;\nc:;\n");
    done(&x);
}

TEST(what_is_taken_goes_elsewhere)
{
    struct fixture x;
    setup(&x);
    put(&x, x.tree, "a", TREE_PLAIN);
    struct tree_mark mark = tree_mark(x.tree);
    struct tree *none = tree_take(&x.arena, x.tree, &mark);
    CHECK(tree_is_empty(none));
    put(&x, x.tree, "b", TREE_LOOPS);
    put(&x, x.tree, "c", TREE_TRAPS);
    struct tree *taken = tree_take(&x.arena, x.tree, &mark);
    check_text(x.tree, "a:;\n");
    check_text(taken, "b:;\nc:;\n");
    CHECK(!tree_traps(x.tree, &mark));
    put(&x, x.tree, "before", TREE_PLAIN);
    tree_splice(x.tree, taken);
    tree_splice(x.tree, none);
    CHECK(tree_is_empty(taken));
    CHECK(tree_traps(x.tree, &mark) && tree_loops(x.tree, &mark));
    put(&x, x.tree, "after", TREE_PLAIN);
    check_text(x.tree, "a:;\nbefore:;\nb:;\nc:;\nafter:;\n");
    done(&x);
}
