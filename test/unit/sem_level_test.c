/* Levels of definitions, and what they forbid. */
#include "sem_util.h"

static void check_level(const char *units, const char *name, enum level want)
{
    struct fixture fx;
    if (fixture_load(&fx, units) != 0) {
        fprintf(stderr, "%s: %s\n", units, fixture_codes(&fx));
        exit(1);
    }
    CHECK_EQ(fixture_def(&fx, name)->level, want);
    fixture_done(&fx);
}

TEST(of_definitions)
{
    check_level("A == {1}", "A", LEVEL_CONSTANT);
    check_level("CONSTANT C\nA == C", "A", LEVEL_CONSTANT);
    check_level("VARIABLE x\nA == {x}", "A", LEVEL_STATE);
    check_level("VARIABLE x\nA == x' = 1", "A", LEVEL_ACTION);
    check_level("VARIABLE x\nA == ENABLED (x' = 1)", "A", LEVEL_STATE);
    check_level("VARIABLE x\nA == UNCHANGED x", "A", LEVEL_ACTION);
    check_level("VARIABLE x\nA == [][x' = 1]_x", "A", LEVEL_TEMPORAL);
    check_level("VARIABLE x\nA == [x' = 1]_x", "A", LEVEL_ACTION);
    check_level("VARIABLE x\nA == WF_x(x' = 1)", "A", LEVEL_TEMPORAL);
    check_level("VARIABLE x\nA == \\E y \\in {x} : y = 1", "A", LEVEL_STATE);
    check_level("VARIABLE x\nA == \\EE y : y = x", "A", LEVEL_TEMPORAL);
    check_level("VARIABLE x\nA == [[i \\in {1} |-> 2] EXCEPT ![x] = @]", "A", LEVEL_STATE);
    check_level("VARIABLE x\nA == LET y == x' IN 1", "A", LEVEL_CONSTANT);
    check_level("VARIABLE x\nf[i \\in {1}] == <<x, f[i]>>", "f", LEVEL_STATE);
}

TEST(of_applications)
{
    check_level("VARIABLE x\nF(a) == a\nA == F(x')", "A", LEVEL_ACTION);
    check_level("VARIABLE x\nF(a) == a", "F", LEVEL_CONSTANT);
    check_level("VARIABLE x\nF(a) == 1\nA == F(x')", "A", LEVEL_CONSTANT);
    check_level("VARIABLE x\nF(a) == LET g == a IN g\nA == F(x)", "A", LEVEL_STATE);
    check_level("VARIABLE x\nF(a) == LET g(b) == a IN g(1)\nA == F(x)", "A", LEVEL_STATE);
    /* each of several parameters that an inner definition leans on */
    check_level("VARIABLE x\nF(a, b, c) == LET g == <<a, b, c>> IN g\nA == F(x, 1, 2)", "A",
                LEVEL_STATE);
    check_level("VARIABLE x\nF(a, b, c) == LET g == <<a, b, c>> IN g\nA == F(1, x', 2)", "A",
                LEVEL_ACTION);
    check_level("VARIABLE x\nF(a, b, c) == LET g == <<a, b, c>> IN g\nA == F(1, 2, x)", "A",
                LEVEL_STATE);
    /* a parameter that is named before a LET of which it is no part */
    check_level("VARIABLE x\nF(a) == a \\cup LET g == {1} IN {2}\nA == F(x)", "A", LEVEL_STATE);
    check_level("VARIABLE x\nF(a, b) == <<a, LET g == b IN 3>>\nA == F(x', 1)", "A", LEVEL_ACTION);
    check_level("VARIABLE x\nAp(F(_), e) == F(e)\nA == Ap(LAMBDA y : y', x)", "A", LEVEL_ACTION);
    check_level("VARIABLE x\nAp(F(_), e) == F(e)\nA == Ap(LAMBDA y : y, x)", "A", LEVEL_STATE);
    check_level("VARIABLE x\nP(a) == \\E y \\in {a} : y = a\nA == P(1)!(x)", "A", LEVEL_STATE);
    check_level("VARIABLE x\nP(a) == {a, 1}\nA == P(x)!2", "A", LEVEL_CONSTANT);
}

/* An operator that is an argument gets what the others are: each of them. */
TEST(of_operators_as_arguments)
{
    const char *outer = "VARIABLE x\nPrime(e) == e'\nOuter(P(_), a, b) == P(a) /\\ P(b)\n";
    static const struct {
        const char *use, *codes;
    } rows[] = {
        {"A == Outer(Prime, 1, x)",                         ""        },
        {"A == Outer(Prime, x', 1)",                        "E4011:5 "},
        {"A == Outer(Prime, 1, x')",                        "E4011:5 "},
        {"A == Outer(LAMBDA e : e, x', x')",                ""        },
        {"B(Q(_), c) == Outer(Q, 1, c)\nA == B(Prime, x')", "E4011:6 "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s%s", outer, rows[i].use);
        check_codes(text, rows[i].codes);
    }
}

/* What is below a quantifier is looked at, too; SANY says the same of each. */
TEST(below_quantifiers)
{
    static const struct {
        const char *units, *codes;
    } rows[] = {
        {"A == \\EE y : (x')' = y",               "E4010:4 "},
        {"A == \\AA y : (x')' = y",               "E4010:4 "},
        {"A == \\E y : (x')' = y",                "E4010:4 "},
        {"A == \\EE y : F(x') = y",               "E4011:4 "},
        {"A == \\EE y : F(y) = x",                ""        },
        {"G(a) == \\EE y : F(a) = y\nA == G(x')", "E4011:5 "},
        {"G(a) == \\AA y : a = y\nA == G([]x)",   "E4011:5 "},
        {"G(a) == \\EE y : a = y\nA == G(x')'",   "E4010:5 "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200];
        snprintf(text, sizeof text, "VARIABLE x\nF(a) == a'\n%s", rows[i].units);
        check_codes(text, rows[i].codes);
    }
}

TEST(of_recursive_operators)
{
    check_level("VARIABLE x\nRECURSIVE F(_)\nF(a) == IF a = 1 THEN x ELSE F(1)", "F", LEVEL_STATE);
    check_level(
        "VARIABLE x\nRECURSIVE F(_), G(_)\nF(a) == G(a)\nG(a) == IF a = 1 THEN x' ELSE F(a)", "F",
        LEVEL_ACTION);
    check_level(
        "VARIABLE x\nRECURSIVE F(_), G(_)\nG(a) == F(a)\nF(a) == IF a = 1 THEN x' ELSE G(a)", "G",
        LEVEL_ACTION);
    /* the one that is met while the other is not known yet, in either order */
    check_level(
        "VARIABLE x\nRECURSIVE F(_), G(_)\nF(a) == IF a = 1 THEN x' ELSE G(a)\nG(a) == F(a)", "G",
        LEVEL_ACTION);
    check_level("VARIABLE x\nRECURSIVE F(_), G(_), H(_)\nF(a) == IF a = 1 THEN x ELSE G(a)\n"
                "G(a) == H(a)\nH(a) == <<G(a), F(a)>>",
                "G", LEVEL_STATE);
    check_level("VARIABLE x\nRECURSIVE F(_)\nF(a) == IF a = 1 THEN 2 ELSE F(a)\nA == F(x)", "A",
                LEVEL_STATE);
    check_level("RECURSIVE F(_)\nF(a) == IF a = 1 THEN 2 ELSE F(a)\nASSUME F(1) = 2", "F",
                LEVEL_CONSTANT);
    check_codes("RECURSIVE F(_)\nF(a) == IF a' = 1 THEN 2 ELSE F(1)", "E4010:3 ");
}

TEST(of_instances)
{
    static const char inner[] = "---- MODULE M ----\nCONSTANT c\nOp == c\nTwo(a) == <<c, a>>\nNone "
                                "== 1\n====\nVARIABLE x\n";
    SCOPED_STRBUF units = {0};
    strbuf_printf(&units,
                  "%sI == INSTANCE M WITH c <- x'\nJ(p) == INSTANCE M WITH c <- p\nA == J(x)!Op\nB "
                  "== J(1)!Two(x')\nC == J(x')!None",
                  inner);
    check_level(strbuf_cstr(&units), "I!Op", LEVEL_ACTION);
    check_level(strbuf_cstr(&units), "I!None", LEVEL_CONSTANT);
    check_level(strbuf_cstr(&units), "A", LEVEL_STATE);
    check_level(strbuf_cstr(&units), "B", LEVEL_ACTION);
    check_level(strbuf_cstr(&units), "C", LEVEL_CONSTANT);
}

TEST(what_is_forbidden)
{
    check_codes("VARIABLE x\nF(a) == a'\nA == F(x)\nB == F(A)", "E4011:5 ");
    check_codes("VARIABLE x\nF(a) == LET g == a' IN g\nB == F(x')", "E4011:4 ");
    check_codes("VARIABLE x\nA == ENABLED []x", "E4011:3 ");
    check_codes("VARIABLE x\nA == CHOOSE y : []x", "E4011:3 ");
    check_codes("VARIABLE x\nA == <>(x' = 1)", "E4015:3 ");
    check_codes("VARIABLE x\nA == <><<x' = 1>>_x", "");
    check_codes("VARIABLE x\nA == [](LET y == x' IN y)", "");
    check_codes("VARIABLE x\nA == WF_(x')(x' = 1)", "E4011:3 ");
    check_codes("VARIABLE x\nAp(F(_), e) == F(e)\nA == Ap(LAMBDA y : y', x')", "E4011:4 ");
    check_codes("VARIABLE x\nAp(F(_)) == F(x')\nA == Ap(')", "E4011:4 ");
    check_codes("VARIABLE x\nAp(F(_), e) == F(e)\nBp(G(_), e) == Ap(G, e)\nA == Bp(', x')",
                "E4011:5 ");
    check_codes("VARIABLE x\nTHEOREM [](x')", "E4015:3 ");
}

TEST(of_instances_is_forbidden)
{
    check_codes("VARIABLE x\nI == INSTANCE Counter WITH Max <- 1, count <- x'", "E4013:3 ");
    check_codes("VARIABLE x\nI(p) == INSTANCE Counter WITH Max <- 1, count <- p\nA == I(x)!Init\nB "
                "== I(x')!Init",
                "E4011:5 ");
    check_codes("---- MODULE M ----\nCONSTANT F(_)\nOp == F(1)\n====\nI == INSTANCE M WITH F <- "
                "LAMBDA y : y'",
                "E4013:6 ");
}
