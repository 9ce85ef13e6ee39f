/* What is computed and looked at once, and what is left out of a function: each expected text was
 * written by hand, from what the statements mean in C. */
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/emit.h"
#include "cgen/tidy.h"
#include "cgen/tree.h"
#include "test.h"

struct fixture {
    struct arena arena;
    struct gen g;
    uint32_t ntmp;
    const struct cx *a, *b; /* parameters */
};

static void setup(struct fixture *x)
{
    *x = (struct fixture){0};
    arena_init(&x->arena, 4096);
    x->g = (struct gen){.arena = &x->arena,
                        .out = tree_new(&x->arena),
                        .decls = tree_new(&x->arena),
                        .ntmp = &x->ntmp,
                        .limit = SIZE_MAX,
                        .limit_all = SIZE_MAX};
    gen_scope_enter(&x->g);
    x->a = cx_name(&x->g, CX_I64, NULL, "a", true);
    x->b = cx_name(&x->g, CX_I64, NULL, "b", true);
}

static void done(struct fixture *x)
{
    gen_scope_leave(&x->g);
    CHECK(x->g.known.n == 0); /* nothing is known behind the function */
    strbuf_done(&x->g.defs);
    VEC_DONE(&x->g.defined);
    VEC_DONE(&x->g.scopes);
    VEC_DONE(&x->g.known);
    VEC_DONE(&x->g.known_at);
    cxs_done(&x->g.cxs);
    arena_done(&x->arena);
}

static void check_text(struct fixture *x, const char *want)
{
    SCOPED_STRBUF text = {0};
    tree_print(x->g.out, &text);
    CHECK_STR(strbuf_cstr(&text), want);
}

static const struct cx *sum(struct fixture *x)
{
    return cx_two(&x->g, CX_ADD, x->a, x->b);
}

static const struct cx *less(struct fixture *x)
{
    return cx_two(&x->g, CX_LT, x->a, x->b);
}

TEST(a_value_is_computed_once)
{
    struct fixture x;
    setup(&x);
    const struct cx *t = gen_let(&x.g, sum(&x));
    CHECK(gen_let(&x.g, sum(&x)) == t);
    gen_block(&x.g);
    CHECK(gen_let(&x.g, sum(&x)) == t);
    gen_scope_close(&x.g);
    check_text(&x, "int64_t t0 = a + b;\n {\n}\n");
    done(&x);
}

TEST(what_was_computed_in_a_block_is_not_known_behind_it)
{
    struct fixture x;
    setup(&x);
    gen_if(&x.g, x.a);
    const struct cx *inside = gen_let(&x.g, sum(&x));
    gen_scope_close(&x.g);
    CHECK(gen_let(&x.g, sum(&x)) != inside);
    check_text(&x, "if (a) {\nint64_t t0 = a + b;\n}\nint64_t t1 = a + b;\n");
    done(&x);
}

TEST(what_changes_is_computed_again)
{
    struct fixture x;
    setup(&x);
    const struct cx *v = gen_new_number(&x.g, CX_I64, cx_int(&x.g, 1));
    const struct cx *before = gen_let(&x.g, cx_two(&x.g, CX_ADD, v, x.a));
    gen_set(&x.g, v, x.b);
    CHECK(gen_let(&x.g, cx_two(&x.g, CX_ADD, v, x.a)) != before);
    done(&x);
}

TEST(what_is_cut_is_not_known)
{
    struct fixture x;
    setup(&x);
    struct gen_mark mark = gen_mark(&x.g);
    const struct cx *gone = gen_let(&x.g, sum(&x));
    gen_cut(&x.g, &mark);
    CHECK(gen_let(&x.g, sum(&x)) != gone);
    check_text(&x, "int64_t t1 = a + b;\n");
    done(&x);
}

TEST(a_function_aside_knows_nothing_of_it)
{
    struct fixture x;
    struct side side;
    setup(&x);
    const struct cx *t = gen_let(&x.g, sum(&x));
    gen_side_open(&x.g, &side);
    gen_return(&x.g, gen_let(&x.g, sum(&x)), false);
    (void)gen_side_close(&x.g, &side, "f", "static int ", "(int64_t a, int64_t b)");
    CHECK(t->op == CX_NAME);
    SCOPED_STRBUF want = {0};
    strbuf_adds(&want, "{\nint64_t t0 = a + b;\nreturn t0;\n}\n");
    CHECK(x.g.defs.n > want.n);
    CHECK_STR(strbuf_cstr(&x.g.defs) + x.g.defs.n - want.n, strbuf_cstr(&want));
    done(&x);
}

TEST(a_check_is_made_once)
{
    struct fixture x;
    setup(&x);
    gen_trap_if(&x.g, "T_FIT", less(&x));
    gen_trap_if(&x.g, "T_FIT", less(&x));
    gen_trap_if(&x.g, "T_FIT", cx_two(&x.g, CX_EITHER, less(&x), x.b));
    check_text(&x, "if (a < b) TRAP(T_FIT);\nif (b != 0) TRAP(T_FIT);\n");
    done(&x);
}

TEST(in_a_block_its_condition_holds)
{
    struct fixture x;
    setup(&x);
    gen_if(&x.g, cx_two(&x.g, CX_BOTH, less(&x), x.b));
    gen_if(&x.g, cx_not(&x.g, less(&x)));
    gen_trap(&x.g, "T_FIT");
    gen_scope_close(&x.g);
    gen_scope_close(&x.g);
    gen_else(&x.g, less(&x));
    gen_if(&x.g, less(&x));
    gen_trap(&x.g, "T_KIND");
    gen_scope_close(&x.g);
    gen_scope_close(&x.g);
    gen_trap_if(&x.g, "T_CASE", less(&x)); /* not known here */
    check_text(&x, "if (a < b && b) {\n}\nelse {\n}\nif (a < b) TRAP(T_CASE);\n");
    done(&x);
}

TEST(a_call_is_made_once)
{
    struct fixture x;
    setup(&x);
    const struct cx *t = gen_call(&x.g, cx_call(&x.g, CX_I64, NULL, "add_", x.a, x.b));
    CHECK(gen_call(&x.g, cx_call(&x.g, CX_I64, NULL, "add_", x.a, x.b)) == t);
    CHECK(gen_call(&x.g, cx_call(&x.g, CX_I64, NULL, "add_", x.b, x.a)) != t);
    check_text(&x, "int64_t t0;\nCALL(add_(a, b, &t0));\nint64_t t1;\nCALL(add_(b, a, &t1));\n");
    done(&x);
}

TEST(what_nobody_reads_is_left_out)
{
    struct fixture x;
    setup(&x);
    struct gen *g = &x.g;
    const struct cx *used = gen_new_number(g, CX_I64, cx_int(g, 1));
    const struct cx *dead = gen_new_number(g, CX_I64, cx_int(g, 2));
    const struct cx *chain = gen_let(g, cx_two(g, CX_MUL, sum(&x), cx_int(g, 3)));
    gen_if(g, x.a);
    gen_set(g, dead, chain);
    gen_scope_close(g);
    gen_if(g, x.b);
    gen_set(g, used, x.b);
    gen_scope_close(g);
    gen_call_into(g, cx_call(g, CX_INT, NULL, "f", cx_addr(g, gen_new_flag(g, cx_int(g, 0)))));
    gen_return(g, used, false);
    tidy(g->decls, g->out, g->cxs.names.n);
    check_text(&x,
               "int64_t t0 = 1;\nif (b) {\nt0 = b;\n}\nint t3 = 0;\nCALL(f(&t3));\nreturn t0;\n");
    done(&x);
}

/* A variable that is read in the turn before it is written, and an IF whose ELSE does something. */
TEST(what_is_read_earlier_lives)
{
    struct fixture x;
    setup(&x);
    struct gen *g = &x.g;
    const struct cx *last = gen_new_number(g, CX_I64, cx_int(g, 0));
    const struct cx *dead = gen_new_flag(g, cx_int(g, 0));
    (void)gen_for_n(g, CX_INT, x.a);
    gen_if(g, x.b);
    gen_set(g, dead, cx_int(g, 1));
    gen_scope_close(g);
    gen_else(g, x.b);
    gen_trap_if(g, "T_FIT", last);
    gen_scope_close(g);
    gen_set(g, last, x.b);
    gen_scope_close(g);
    tidy(g->decls, g->out, g->cxs.names.n);
    check_text(&x, "int64_t t0 = 0;\nfor (int t2 = 0; t2 < a; t2 += 1) {\nif (b) {\n}\nelse {\n"
                   "if (t0) TRAP(T_FIT);\n}\nt0 = b;\n}\n");
    done(&x);
}
