/* Names of subexpressions. */
#include "base/str.h"
#include "sem_util.h"

static const char op_units[] =
    "EXTENDS Naturals\n"
    "VARIABLE v\n"
    "P(a, b) == /\\ a = 1\n"
    "           /\\ \\E x \\in {a, b}, y \\in {2} : lab(x, y) :: x = y\n"
    "           /\\ IF a = b THEN [f |-> 7, g |-> 8].g ELSE CASE a = 3 -> 4 [] OTHER -> 5\n"
    "Q == LET z == 9\n"
    "         W(k) == k + z\n"
    "     IN  W(v')\n"
    "f[i \\in {1, 2}] == i + 10\n"
    "G(n) == inner :: {n + 1, deep :: n + 2}\n"
    "H == <<1, [f EXCEPT ![1] = 3], f[1], LET q == 1 IN q, {s \\in {4} : s = 5}>>\n"
    "Ap(F(_), e) == F(e)\n"
    "L == Ap(LAMBDA u : u + 6, 20)\n";

static void check_select(const char *expr, uint32_t arity, const char *want)
{
    struct fixture fx;
    SCOPED_STRBUF units = {0};
    SCOPED_STRBUF got = {0};
    strbuf_adds(&units, op_units);
    strbuf_printf(&units, "Test == {%s}", expr);
    int rc = fixture_load(&fx, strbuf_cstr(&units));
    if (rc != 0) {
        strbuf_adds(&got, fixture_codes(&fx));
    } else {
        const struct node *node = fixture_def(&fx, "Test")->body->kid[0];
        const struct def *def = node->ref;
        CHECK(def && def->kind == DEF_OP);
        struct node *args[8];
        CHECK_EQ(def->arity, arity);
        CHECK_EQ(bang_args(node, args, 8), arity);
        node_print(def->body, &got);
    }
    if (strcmp(strbuf_cstr(&got), want) != 0) {
        fprintf(stderr, "%s gives\n  %s\nwant\n  %s\n", expr, strbuf_cstr(&got), want);
        exit(1);
    }
    fixture_done(&fx);
}

TEST(operands)
{
    check_select("P(5, 6)!1", 2, "(OP = (ID a) (NUM 1))");
    check_select("P(5, 6)!1!1", 2, "(ID a)");
    check_select("P(5, 6)!1!<<", 2, "(ID a)");
    check_select("P(5, 6)!1!>>", 2, "(NUM 1)");
    check_select("P(5, 6)!2!1", 2, "(SETENUM (ID a) (ID b))");
    check_select("P(5, 6)!2!2", 2, "(SETENUM (NUM 2))");
    check_select("P(5, 6)!2!(7, 8)!1", 4, "(ID x)");
    check_select("P(5, 6)!3!1", 2, "(OP = (ID a) (ID b))");
    check_select("P(5, 6)!3!2!1!2", 2, "(NUM 8)");
    check_select("P(5, 6)!3!2!2", 2, "(STRING \"g\")");
    check_select("P(5, 6)!3!3!1!1", 2, "(OP = (ID a) (NUM 3))");
    check_select("P(5, 6)!3!3!2!2", 2, "(NUM 5)");
    check_select("H!2!1", 0, "(ID f)");
    check_select("H!3!2", 0, "(NUM 1)");
    check_select("H!4!1", 0, "(LET (OPDEF q (NUM 1)) (ID q))");
    check_select("H!5!1", 0, "(SETENUM (NUM 4))");
    check_select("H!5!(1)!2", 1, "(NUM 5)");
    check_select("L!2", 0, "(NUM 20)");
    check_select("L!1!(3)!2", 1, "(NUM 6)");
    check_select("f!1", 0, "(SETENUM (NUM 1) (NUM 2))");
    check_select("f!(1)!2", 1, "(NUM 10)");
}

/* what is selected in a LET keeps the definitions around it */
#define IN_Q(body) "(LET (OPDEF z (NUM 9)) (OPDEF W (OPDECL k 0) (OP + (ID k) (ID z))) " body ")"

TEST(labels_and_lets)
{
    check_select("P(5, 6)!lab(7, 8)", 4, "(OP = (ID x) (ID y))");
    check_select("P(5, 6)!lab(7, 8)!2", 4, "(ID y)");
    check_select("G(1)!inner!deep", 1, "(OP + (ID n) (NUM 2))");
    check_select("G(1)!inner!1", 1, "(OP + (ID n) (NUM 1))");
    check_select("Q!:!z", 0, IN_Q("(NUM 9)"));
    check_select("Q!:!W(3)", 1, IN_Q("(OP + (ID k) (ID z))"));
    check_select("Q!:!W(3)!2", 1, IN_Q("(ID z)"));
    check_select("Q!1!1!1", 0, IN_Q("(ID v)"));
    check_select("Q!:", 0, IN_Q("(APP (ID W) (OP ' (ID v)))"));
}

TEST(what_cannot_be_selected)
{
    check_select("P(5, 6)!4", 0, "E3008:15 ");
    check_select("P(5, 6)!1!3", 0, "E3008:15 ");
    check_select("P(5)!1", 0, "E4001:15 ");
    check_select("P(5, 6)!2!(7)", 0, "E3008:15 ");
    check_select("P(5, 6)!nolab", 0, "E3008:15 ");
    check_select("P(5, 6)!lab(7)", 0, "E3008:15 ");
    check_select("P(5, 6)!3!3!1", 0, "E3008:15 ");
    check_select("P(5, 6)!3!3!2!1", 0, "E3008:15 ");
    check_select("H!2!2", 0, "E3008:15 ");
    check_select("H!1!1", 0, "E3008:15 ");
    check_select("H!1!:", 0, "E3008:15 ");
    check_select("v!1", 0, "E3008:15 ");
    check_select("Q!1!z", 0, "E3008:15 ");
    check_codes("A == {1, A!1}", "E3010:2 ");
    check_codes("RECURSIVE A\nA == {1, A!1}", "E3008:3 ");
}

TEST(through_an_instance)
{
    struct fixture fx;
    CHECK_EQ(fixture_load(&fx, "VARIABLE n\nI(m) == INSTANCE Counter WITH count <- n, Max <- m\nA "
                               "== I(4)!Next!2!1\nB == I(4)!Above(5)!<<"),
             0);
    const struct def *a = fixture_def(&fx, "A")->body->ref;
    CHECK(a->orig && a->inst && !a->body);
    CHECK_EQ(a->arity, 1);
    SCOPED_STRBUF text = {0};
    node_print(a->orig->body, &text);
    CHECK_STR(strbuf_cstr(&text), "(OP ' (ID count))");
    const struct def *b = fixture_def(&fx, "B")->body->ref;
    CHECK_EQ(b->arity, 2);
    CHECK(b->orig->body->ref == b->orig->params[0]);
    fixture_done(&fx);
}

TEST(as_operators)
{
    check_codes("Ap(F(_), e) == F(e)\nP(a) == {a, 1}\nA == Ap(P!1, 2)", "");
    check_codes("Ap(F(_), e) == F(e)\nP == \\E x \\in {1} : x = 2\nA == Ap(P!@, 2)", "");
    check_codes("Ap(F(_), e) == F(e)\nP == {1, 2}\nA == Ap(P!1, 2)", "E4002:4 ");
    check_codes("Ap(F(_), e) == F(e)\nP(a) == {a, 1}\nA == Ap(P(3)!1, 2)", "E3008:4 ");
}
