/* Definitions that functions of the emitted C share: a name stands for one text, and a text is
 * there once. */
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/tree.h"
#include "test.h"

struct fixture {
    struct arena arena;
    struct gen g;
    uint32_t ntmp;
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
}

static void done(struct fixture *x)
{
    strbuf_done(&x->g.defs);
    VEC_DONE(&x->g.defined);
    cxs_done(&x->g.cxs);
    arena_done(&x->arena);
}

static const char *table(struct fixture *x, const char *prefix, const char *values)
{
    return gen_define(&x->g, prefix, "static const int k", str_of(values));
}

/* How often a text occurs among the definitions. */
static int times(struct fixture *x, const char *text)
{
    int n = 0;
    const struct strbuf *defs = &x->g.defs;
    for (size_t at = 0; at + strlen(text) <= defs->n; at++) {
        n += memcmp(defs->p + at, text, strlen(text)) == 0;
    }
    return n;
}

TEST(equal_texts_are_one_definition)
{
    struct fixture x;
    setup(&x);
    const char *a = table(&x, "k", "[] = {1, 2};\n");
    const char *b = table(&x, "k", "[] = {1, 2};\n");
    const char *c = table(&x, "k", "[] = {1, 3};\n");
    const char *d = table(&x, "m", "[] = {1, 2};\n");
    CHECK(strcmp(a, b) == 0);
    CHECK(strcmp(a, c) != 0);
    CHECK(strcmp(a, d) != 0);
    CHECK(times(&x, "{1, 2}") == 2);
    CHECK(times(&x, "{1, 3}") == 1);
    done(&x);
}

TEST(a_name_does_not_depend_on_what_was_defined_before)
{
    struct fixture x;
    struct fixture y;
    setup(&x);
    setup(&y);
    (void)table(&x, "k", "[] = {7};\n");
    CHECK(strcmp(table(&x, "k", "[] = {1};\n"), table(&y, "k", "[] = {1};\n")) == 0);
    done(&x);
    done(&y);
}

/* A function with a variable of its own and what it calls. */
static const char *function(struct fixture *x, const char *calls)
{
    struct side side;
    gen_side_open(&x->g, &side);
    const struct cx *call = cx_call(&x->g, CX_INT, NULL, calls, cx_int(&x->g, 1));
    gen_return(&x->g, gen_new_flag(&x->g, call), false);
    return gen_side_close(&x->g, &side, "f", "static int ", "(void)");
}

TEST(a_function_has_another_name_when_what_it_calls_has)
{
    struct fixture x;
    setup(&x);
    const struct tree *out = x.g.out;
    (void)gen_tmp(&x.g); /* variables around it are not its own */
    const char *a = function(&x, "f1");
    const char *b = function(&x, "f1");
    const char *c = function(&x, "f2");
    CHECK(strcmp(a, b) == 0);
    CHECK(strcmp(a, c) != 0);
    CHECK(x.g.out == out && x.g.ntmp == &x.ntmp && x.ntmp == 1);
    CHECK(times(&x, "int t0 = f1(1);\nreturn t0;") == 1);
    done(&x);
}

TEST(what_is_taken_back_can_be_defined_again)
{
    struct fixture x;
    struct defs_mark mark;
    setup(&x);
    (void)table(&x, "k", "[] = {1};\n");
    defs_mark(&x.g, &mark);
    (void)table(&x, "k", "[] = {2};\n");
    gen_define_line(&x.g, "SET_OPS(T, E, CMP_NUM, 3)");
    defs_back(&x.g, &mark);
    CHECK(times(&x, "{2}") == 0 && times(&x, "SET_OPS") == 0);
    (void)table(&x, "k", "[] = {2};\n");
    gen_define_line(&x.g, "SET_OPS(T, E, CMP_NUM, 3)");
    gen_define_line(&x.g, "SET_OPS(T, E, CMP_NUM, 3)");
    CHECK(times(&x, "{1}") == 1 && times(&x, "{2}") == 1 && times(&x, "SET_OPS") == 1);
    done(&x);
}

TEST(what_has_a_fixed_name_is_part_of_a_hash)
{
    struct fixture x;
    setup(&x);
    gen_define_fixed(&x.g, "enum { NPERM = %d };\n", 6);
    uint64_t six = x.g.fixed;
    struct fixture y;
    setup(&y);
    gen_define_fixed(&y.g, "enum { NPERM = %d };\n", 2);
    CHECK(six != 0 && six != y.g.fixed);
    struct part_key a = defs_key(str_of("a"));
    struct part_key b = defs_key(str_of("b"));
    CHECK(a.v[0] != b.v[0] && a.v[1] != b.v[1] && a.v[0] != a.v[1]);
    done(&x);
    done(&y);
}
