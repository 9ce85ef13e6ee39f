/* Expressions of C as typed nodes: equal ones are shared, what is known is computed, parentheses
 * stand where C asks for them. What is printed is compared with what the C language says of
 * precedence. */
#include "base/arena.h"
#include "base/str.h"
#include "cgen/cx.h"
#include "cgen/emit.h"
#include "test.h"

struct fixture {
    struct gen g; /* makes expressions; nothing else of it is used */
    struct arena arena;
};

static void setup(struct fixture *x)
{
    arena_init(&x->arena, 4096);
    x->g = (struct gen){.arena = &x->arena};
}

static void done(struct fixture *x)
{
    cxs_done(&x->g.cxs);
    arena_done(&x->arena);
}

static const struct cx *name(struct fixture *x, const char *text)
{
    return cx_name(&x->g, CX_I64, NULL, text, true);
}

static void check_text(const struct cx *x, const char *want)
{
    SCOPED_STRBUF text = {0};
    cx_print(x, &text);
    CHECK_STR(strbuf_cstr(&text), want);
}

TEST(equal_nodes_are_the_same)
{
    struct fixture x;
    setup(&x);
    const struct cx *a = name(&x, "a");
    const struct cx *b = name(&x, "b");
    CHECK(cx_two(&x.g, CX_ADD, a, b) == cx_two(&x.g, CX_ADD, name(&x, "a"), b));
    CHECK(cx_two(&x.g, CX_ADD, a, b) != cx_two(&x.g, CX_ADD, b, a));
    CHECK(cx_name(&x.g, CX_I64, NULL, "a", false) != a);
    CHECK(cx_name(&x.g, CX_I64, NULL, "a", false) != cx_name(&x.g, CX_INT, NULL, "a", false));
    for (int64_t i = 0; i < 5000; i++) { /* the table grows */
        CHECK(cx_i64(&x.g, i)->number == i);
    }
    for (int64_t i = 0; i < 5000; i++) {
        CHECK(cx_i64(&x.g, i) == cx_i64(&x.g, i));
    }
    CHECK(cx_two(&x.g, CX_ADD, a, b) == cx_two(&x.g, CX_ADD, a, b));
    done(&x);
}

TEST(what_changes_is_not_fixed)
{
    struct fixture x;
    setup(&x);
    const struct cx *a = name(&x, "a");
    const struct cx *t = cx_name(&x.g, CX_I64, NULL, "t", false);
    CHECK(cx_two(&x.g, CX_ADD, a, cx_int(&x.g, 7))->fixed);
    CHECK(!cx_two(&x.g, CX_ADD, a, t)->fixed);
    CHECK(!cx_call(&x.g, CX_INT, NULL, "f", a, cx_addr(&x.g, t))->fixed);
    CHECK(cx_two(&x.g, CX_ADD, a, cx_sealed(&x.g, t))->fixed);
    done(&x);
}

TEST(precedence)
{
    struct fixture x;
    setup(&x);
    struct gen *g = &x.g;
    const struct cx *a = name(&x, "a");
    const struct cx *b = name(&x, "b");
    const struct cx *c = name(&x, "c");
    const struct cx *sum = cx_two(g, CX_ADD, a, b);
    check_text(cx_two(g, CX_MUL, sum, c), "(a + b) * c");
    check_text(cx_two(g, CX_ADD, cx_two(g, CX_MUL, a, b), c), "a * b + c");
    check_text(cx_two(g, CX_SUB, a, cx_two(g, CX_SUB, b, c)), "a - (b - c)");
    check_text(cx_two(g, CX_SUB, cx_two(g, CX_SUB, a, b), c), "a - b - c");
    check_text(cx_two(g, CX_AND, cx_two(g, CX_EQ, a, b), c), "a == b & c");
    check_text(cx_two(g, CX_EQ, cx_two(g, CX_AND, a, b), c), "(a & b) == c");
    check_text(cx_not(g, cx_two(g, CX_LT, a, b)), "!(a < b)");
    check_text(cx_cast(g, CX_INT, sum), "(int)(a + b)");
    check_text(cx_flip(g, cx_flip(g, a)), "~~a");
    check_text(cx_minus(g, cx_int(g, -1)), "-(-1)");
    check_text(cx_cond(g, a, cx_cond(g, b, c, a), c), "a ? b ? c : a : c");
    check_text(cx_cond(g, cx_cond(g, a, b, c), b, c), "(a ? b : c) ? b : c");
    check_text(cx_two(g, CX_BOTH, cx_two(g, CX_EITHER, a, b), c), "(a || b) && c");
    done(&x);
}

TEST(parts_and_pointers)
{
    struct fixture x;
    setup(&x);
    struct gen *g = &x.g;
    const struct cx *p = cx_name(g, CX_POINTER, NULL, "p", true);
    const struct cx *all = cx_name(g, CX_ARRAY, NULL, "all", true);
    const struct cx *v = cx_member(g, cx_deref(g, p), "v", CX_I64, NULL);
    check_text(v, "p->v");
    check_text(cx_addr(g, v), "&p->v");
    CHECK(cx_deref(g, cx_addr(g, v)) == v);
    CHECK(cx_addr(g, cx_deref(g, p)) == p);
    check_text(cx_index(g, all, cx_two(g, CX_ADD, name(&x, "i"), cx_int(g, 1))), "all[i + 1]");
    check_text(cx_sizeof(g, cx_deref(g, p)), "sizeof(*p)");
    const struct cx *other = cx_deref(g, cx_name(g, CX_POINTER, NULL, "q", false));
    check_text(cx_moved(g, v, cx_deref(g, p), other), "q->v");
    done(&x);
}

TEST(what_is_known_is_computed)
{
    struct fixture x;
    setup(&x);
    struct gen *g = &x.g;
    const struct cx *a = name(&x, "a");
    const struct cx *test = cx_two(g, CX_LT, a, cx_int(g, 3));
    CHECK(cx_is(cx_two(g, CX_ADD, cx_int(g, 3), cx_int(g, 4)), 7));
    CHECK(cx_is(cx_two(g, CX_LE, cx_int(g, 3), cx_int(g, 4)), 1));
    CHECK(cx_two(g, CX_BOTH, cx_int(g, 1), test) == test);
    CHECK(cx_is(cx_two(g, CX_BOTH, test, cx_int(g, 0)), 0));
    CHECK(cx_is(cx_two(g, CX_EITHER, cx_int(g, 1), test), 1));
    check_text(cx_two(g, CX_BOTH, cx_int(g, 1), a), "a != 0"); /* a truth value, as && gives it */
    CHECK(cx_not(g, cx_not(g, test)) == test);
    check_text(cx_not(g, cx_not(g, a)), "!!a");
    check_text(cx_not(g, cx_two(g, CX_EQ, a, a)), "a != a");
    CHECK(cx_cond(g, cx_int(g, 0), a, test) == test);
    done(&x);
}
