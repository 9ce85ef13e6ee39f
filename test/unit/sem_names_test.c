/* What names mean: scopes, shadowing, recursion, arity. */
#include "base/vec.h"
#include "sem_util.h"

struct row {
    const char *units;
    const char *codes;
};

static void check_rows(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        check_codes(rows[i].units, rows[i].codes);
    }
}
#define CHECK_ROWS(rows) check_rows(rows, sizeof rows / sizeof rows[0])

TEST(names_are_known_from_their_definition_on)
{
    static const struct row rows[] = {
        {"A == 1\nB == A",                                             ""        },
        {"B == A\nA == 1",                                             "E3001:2 "},
        {"B == <<A, A, A>>",                                           "E3001:2 "}, /* once for each name */
        {"A == A",                                                     "E3010:2 "},
        {"A == LET A == 1 IN A",                                       ""        }, /* the outer one is not there yet */
        {"A == 1\nB == LET A == 2 IN A",                               "E3002:3 "},
        {"A(x) == LET x == 1 IN x",                                    "E3002:2 "},
        {"A == \\A x \\in {1} : \\E x \\in {2} : x = x",               "E3002:2 "},
        {"A == \\A x \\in {x} : x = x",                                "E3001:2 "},
        {"A == \\A x \\in {1}, y \\in {x} : x = y",                    "E3001:2 "},
        {"A == {<<x, y>> : x \\in {1}, y \\in {2}}",                   ""        },
        {"A == [<<x, y>> \\in {1} |-> x]",                             ""        },
        {"A == {<<x, y>> \\in {1} : x = y}",                           ""        },
        {"A == CHOOSE <<x, y>> : x = y",                               ""        },
        {"A == CHOOSE x : x \\notin {1}",                              ""        },
        {"A == (\\A x \\in {1} : x = x) /\\ (\\A x \\in {2} : x = x)", ""        },
        {"x == 1\nA == [x |-> 2].x",                                   ""        }, /* fields are not names */
    };
    CHECK_ROWS(rows);
}

TEST(recursion)
{
    static const struct row rows[] = {
        {"RECURSIVE F(_)\nF(x) == F(x)",                     ""                },
        {"RECURSIVE F(_), G(_)\nG(x) == F(x)\nF(x) == G(x)", ""                },
        {"f[x \\in {1}] == f[x]",                            ""                },
        {"A == LET RECURSIVE F(_)\n F(x) == F(x) IN F(1)",   ""                },
        {"RECURSIVE F(_)\nA == LET F(x) == 1 IN F(2)",       "E3009:3 E3009:2 "},
        {"RECURSIVE F(_)\nA == F(1)\nF(x) == A",             ""                },
        {"RECURSIVE F(_)\nASSUME TRUE\nF(x) == x",           "E3009:3 "        },
        {"RECURSIVE f\nf[x \\in {1}] == f[x]",               ""                },
        {"A == LET RECURSIVE F(_) IN 1",                     "E3009:2 "        },
    };
    CHECK_ROWS(rows);
}

TEST(recursive_uses_are_the_definition)
{
    struct fixture fx;
    CHECK_EQ(fixture_load(&fx, "RECURSIVE F(_)\nA == F(1)\nF(x) == A"), 0);
    struct def *f = fixture_def(&fx, "F");
    struct def *a = fixture_def(&fx, "A");
    CHECK(a->body->kid[0]->ref == f);
    CHECK(f->body->ref == a);
    CHECK(f->recursive && !f->pending && f->arity == 1 && f->params[0]->kind == DEF_PARAM);
    fixture_done(&fx);
}

TEST(operators_of_the_user)
{
    static const struct row rows[] = {
        {"a ++ b == {a, b}\nA == 1 ++ 2",                                ""        },
        {"EXTENDS Naturals\nA == 1 + 2",                                 ""        },
        {"EXTENDS Integers\nA == -1",                                    ""        },
        {"EXTENDS Naturals\nA == -1",                                    "E3001:3 "},
        {"EXTENDS Naturals\na + b == 1",                                 "E3002:3 "},
        {"a \\in b == 1",                                                "E3002:2 "},
        {"Fold(_\\prec_, x) == x \\prec x\nA == Fold(=, 1)",             ""        },
        {"Fold(F(_, _), x) == F(x, x)\nA == Fold(\\cup, {1})",           ""        },
        {"Fold(F(_, _), x) == F(x, x)\nA == Fold(LAMBDA a, b : a, {1})", ""        },
        {"Fold(F(_, _), x) == F(x, x)\nA == Fold(DOMAIN, {1})",          "E4002:3 "},
        {"Ap(F(_)) == F(1)\nA == Ap(Ap)",                                "E4002:3 "},
        {"CONSTANT Op(_, _)\nA == Op(1, 2)",                             ""        },
        {"CONSTANT Op(_, _)\nA == Op(1)",                                "E4001:3 "},
        {"CONSTANT _ \\prec _\nA == 1 \\prec 2",                         ""        },
        {"A(F(_)) == F",                                                 "E4001:2 "},
        {"A == TRUE(1)",                                                 "E2001:2 "},
    };
    for (size_t i = 0; i + 1 < sizeof rows / sizeof rows[0]; i++) {
        check_codes(rows[i].units, rows[i].codes);
    }
}

TEST(labels)
{
    static const struct row rows[] = {
        {"A == lab :: 1",                                                   ""                },
        {"A(x) == lab :: x",                                                ""                },
        {"A == \\A x \\in {1} : lab(x) :: x = x",                           ""                },
        {"A == \\A x \\in {1} : out(x) :: \\E y \\in {2} : in(y) :: x = y", ""                },
        {"A == \\A x \\in {1} : lab(y) :: x = x",                           "E3013:2 E3013:2 "},
        {"A == \\A x \\in {1} : lab(x, x) :: x = x",                        "E3013:2 "        },
        {"A == <<lab :: 1, lab :: 2>>",                                     "E3013:2 "        },
        {"A == [[x \\in {1} |-> x] EXCEPT ![1] = lab :: 2]",                "E3013:2 "        },
        {"A == LET B == lab :: 1 IN <<B, lab :: 2>>",                       ""                },
    };
    CHECK_ROWS(rows);
}

TEST(at_and_fields)
{
    static const struct row rows[] = {
        {"A(f) == [f EXCEPT ![1] = @]",                  ""        },
        {"A(f) == [f EXCEPT ![@] = 1]",                  "E3011:2 "},
        {"A(f) == [f EXCEPT ![1] = LET g == @ IN g]",    ""        },
        {"A(f) == [f EXCEPT ![1] = [@ EXCEPT !.a = @]]", ""        },
        {"A == [a : {1}, a : {2}]",                      "E3012:2 "},
    };
    CHECK_ROWS(rows);
}

TEST(kinds_and_references)
{
    struct fixture fx;
    CHECK_EQ(fixture_load(&fx,
                          "CONSTANT C, Op(_)\nVARIABLE v\n"
                          "A(x, F(_)) == \\E y \\in C : LET z == y IN F(Op(x)) = <<v, z, TRUE>>"),
             0);
    CHECK_EQ(fixture_def(&fx, "C")->kind, DEF_CONST);
    CHECK_EQ(fixture_def(&fx, "Op")->arity, 1);
    CHECK_EQ(fixture_def(&fx, "v")->kind, DEF_VAR);
    struct def *a = fixture_def(&fx, "A");
    CHECK_EQ(a->arity, 2);
    CHECK_EQ(a->params[1]->arity, 1);
    CHECK(a->decl->ref == a && a->decl->kid[0]->ref == a->params[0]);
    struct node *bound = a->body->kid[0];
    const struct def *y = bound->kid[0]->ref;
    CHECK(y && y->kind == DEF_BOUND);
    CHECK(bound->kid[1]->ref == fixture_def(&fx, "C"));
    struct node *let = a->body->kid[1];
    const struct def *z = let->kid[0]->ref;
    CHECK(z->in_let && z->body->ref == y);
    struct node *eq = let->kid[1];
    CHECK(((const struct def *)eq->ref)->kind == DEF_BUILTIN);
    CHECK(eq->kid[0]->kid[0]->ref == a->params[1]);
    CHECK(eq->kid[1]->kid[1]->ref == z);
    CHECK(((const struct def *)eq->kid[1]->kid[2]->ref)->kind == DEF_BUILTIN);
    fixture_done(&fx);
}

TEST(a_hint_names_what_was_meant)
{
    struct fixture fx;
    CHECK_EQ(fixture_load(&fx, "VARIABLE counter\nA == countre = 1\nB == Len(1)"), -1);
    CHECK_EQ(fx.diags.n, 2);
    CHECK_STR(fx.diags.v[0]->hint, "did you mean 'counter'?");
    CHECK(strstr(fx.diags.v[1]->hint, "Sequences") != NULL);
    CHECK_STR(fx.diags.v[0]->module, "Test");
    fixture_done(&fx);
}

TEST(what_is_missing_hides_no_other_errors_and_adds_none)
{
    check_codes("EXTENDS Nowhere\nA == Unknown\nB == 1\nB == 2", "E3003:2 E3002:5 ");
    check_codes("INSTANCE Nowhere WITH x <- y\nA == Unknown", "E3003:2 ");
}

TEST(theorems_and_assumptions_are_names)
{
    struct fixture fx;
    CHECK_EQ(
        fixture_load(
            &fx, "ASSUME Small == 1 = 1\nTHEOREM Big == Small\nA == Small /\\ Big\nASSUME 2 = 2"),
        0);
    struct def *small = fixture_def(&fx, "Small");
    CHECK(small->is_theorem && small->body);
    CHECK_EQ(fx.program.root->nassume, 2);
    CHECK(fx.program.root->assume_defs[0] == small && !fx.program.root->assume_defs[1]);
    fixture_done(&fx);
    check_codes("THEOREM T == ASSUME TRUE PROVE TRUE\nA == T", "E4003:3 ");
}

TEST(long_chains_are_no_problem)
{
    struct fixture fx;
    SCOPED_STRBUF units = {0};
    strbuf_adds(&units, "EXTENDS Naturals\nA == 1");
    for (int i = 0; i < 4900; i++) {
        strbuf_adds(&units, " + 1");
    }
    CHECK_EQ(fixture_load(&fx, strbuf_cstr(&units)), 0);
    CHECK_EQ(fixture_def(&fx, "A")->level, LEVEL_CONSTANT);
    fixture_done(&fx);
}
