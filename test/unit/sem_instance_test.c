/* INSTANCE: substitutions and what is imported. */
#include "sem_util.h"

static const struct subst *subst_for(const struct instance *inst, const char *name)
{
    for (uint32_t i = 0; i < inst->nsubst; i++) {
        if (str_is(inst->substs[i].formal->name, name)) {
            return &inst->substs[i];
        }
    }
    return NULL;
}

TEST(named)
{
    struct fixture fx;
    CHECK_EQ(
        fixture_load(
            &fx,
            "CONSTANT Max\nVARIABLE n\nI == INSTANCE Counter WITH count <- n\nA == I!Above(3)"),
        0);
    struct def *above = fixture_def(&fx, "I!Above");
    CHECK_EQ(above->kind, DEF_OP);
    CHECK_EQ(above->arity, 1);
    CHECK(!above->body && above->orig && above->inst);
    CHECK(str_is(above->orig->module->name, "Counter"));
    CHECK(above->params[0] == above->orig->params[0]);
    CHECK_EQ(above->inst->nsubst, 2);
    const struct subst *count = subst_for(above->inst, "count");
    CHECK(count->expr && count->expr->ref == fixture_def(&fx, "n") && !count->actual);
    const struct subst *max = subst_for(above->inst, "Max");
    CHECK(!max->expr && max->actual == fixture_def(&fx, "Max"));
    CHECK_EQ(fixture_def(&fx, "I")->kind, DEF_INSTANCE);
    CHECK(program_lookup(&fx.program, STR("I!Hidden")) == NULL);
    CHECK(fixture_def(&fx, "A")->body->ref == above);
    struct node *args[4];
    CHECK_EQ(bang_args(fixture_def(&fx, "A")->body, args, 4), 1);
    CHECK_EQ(args[0]->kind, N_NUM);
    fixture_done(&fx);
}

TEST(parameterised_and_nested)
{
    struct fixture fx;
    CHECK_EQ(fixture_load(&fx, "VARIABLES x, y\n"
                               "T(m) == INSTANCE Twice WITH Max <- m, left <- x, right <- y\n"
                               "A == T(1)!R(2)!Above(3)\nB == T(1)!L!Init"),
             0);
    struct def *above = fixture_def(&fx, "T!R!Above");
    CHECK_EQ(above->arity, 3);
    CHECK(str_is(above->params[0]->name, "m") && str_is(above->params[1]->name, "limit") &&
          str_is(above->params[2]->name, "n"));
    CHECK(str_is(above->orig->name, "R!Above"));
    CHECK(str_is(above->orig->orig->name, "Above"));
    CHECK(above->orig->inst->params[0] == above->params[1]);
    struct node *args[4];
    CHECK_EQ(bang_args(fixture_def(&fx, "A")->body, args, 4), 3);
    CHECK(str_is(args[0]->name, "1") && str_is(args[1]->name, "2") && str_is(args[2]->name, "3"));
    CHECK_EQ(bang_args(fixture_def(&fx, "A")->body, args, 2), 2);
    CHECK(fixture_def(&fx, "B")->body->ref == fixture_def(&fx, "T!L!Init"));
    fixture_done(&fx);
}

TEST(unnamed)
{
    struct fixture fx;
    CHECK_EQ(fixture_load(
                 &fx, "VARIABLE count\nINSTANCE Counter WITH Max <- 3\nA == Next /\\ 1 + 2 = 3"),
             0);
    struct def *next = fixture_def(&fx, "Next");
    CHECK(next->orig && next->inst && next->inst->nparam == 0);
    /* + depends on nothing and is itself */
    struct def *plus = fixture_def(&fx, "+");
    CHECK(!plus->orig && str_is(plus->module->name, "Naturals"));
    fixture_done(&fx);
}

TEST(local_is_not_passed_on)
{
    struct fixture fx;
    CHECK_EQ(fixture_load(&fx, "EXTENDS Sequences\nA == Len(1)"), 0);
    CHECK(program_lookup(&fx.program, STR("Len")) != NULL);
    CHECK(program_lookup(&fx.program, STR("+")) == NULL);
    fixture_done(&fx);
    check_codes("EXTENDS Sequences\nA == 1 + 2", "E3001:3 ");
    check_codes(
        "---- MODULE M ----\nLOCAL A == 1\nB == A\n====\nI == INSTANCE M\nC == I!B\nD == I!A",
        "E3001:8 ");
}

TEST(the_same_through_two_doors)
{
    check_codes("EXTENDS Naturals, Integers\nINSTANCE Sequences\nLOCAL INSTANCE Naturals\nINSTANCE "
                "Naturals",
                "");
    check_codes("VARIABLE count\nINSTANCE Counter WITH Max <- 1\nINSTANCE Counter WITH Max <- 2",
                "W6001:4 W6001:4 W6001:4 ");
    check_codes("Init == 1\nVARIABLE count\nINSTANCE Counter WITH Max <- 1", "W6001:4 ");
    check_codes("Above == 1\nVARIABLE count\nINSTANCE Counter WITH Max <- 1", "E3002:4 ");
}

TEST(substitutions_are_checked)
{
    check_codes("VARIABLE count\nI == INSTANCE Counter", "E3006:3 ");
    check_codes("I == INSTANCE Counter WITH Max <- 1, count <- 2, Init <- 3", "E3005:2 ");
    check_codes("I == INSTANCE Counter WITH Max <- 1, Max <- 1, count <- 2", "E3007:2 ");
    check_codes("---- MODULE M ----\nCONSTANT F(_)\n====\nI == INSTANCE M WITH F <- 1", "E4002:5 ");
    check_codes("---- MODULE M ----\nCONSTANT F(_)\n====\nI == INSTANCE M WITH F <- LAMBDA x : x",
                "");
    check_codes("---- MODULE M ----\nCONSTANT F(_)\n====\nF(x, y) == x\nI == INSTANCE M",
                "E4002:6 ");
    check_codes("I(x, x) == INSTANCE Naturals", "E3002:2 ");
    check_codes("EXTENDS Naturals\nI(Nat) == INSTANCE Naturals", "E3002:3 ");
}

TEST(of_a_module_with_errors)
{
    check_codes(
        "---- MODULE M ----\nRECURSIVE F(_)\n====\nINSTANCE M\nI(c) == INSTANCE M\nA == I(1)!F(2)",
        "E3009:3 ");
}

TEST(in_let)
{
    struct fixture fx;
    CHECK_EQ(fixture_load(
                 &fx, "A(k) == LET I == INSTANCE Counter WITH count <- k, Max <- 5 IN I!Above(2)"),
             0);
    struct node *let = fixture_def(&fx, "A")->body;
    const struct def *member = let->kid[1]->ref;
    CHECK(str_is(member->name, "I!Above") && member->in_let && member->orig);
    CHECK(subst_for(member->inst, "count")->expr->ref == fixture_def(&fx, "A")->params[0]);
    CHECK(program_lookup(&fx.program, STR("I!Above")) == NULL);
    fixture_done(&fx);
}

TEST(nested_modules)
{
    struct fixture fx;
    CHECK_EQ(fixture_load(&fx, "CONSTANT C\n---- MODULE Inner ----\nVARIABLE v\nOp == v = C\n====\n"
                               "VARIABLE w\nI == INSTANCE Inner WITH v <- w\n"
                               "---- MODULE Later ----\nEXTENDS Inner\nOp2 == Op\n====\nJ == "
                               "INSTANCE Later WITH v <- w\nA == J!Op"),
             0);
    struct def *op = fixture_def(&fx, "I!Op");
    CHECK(op->orig->body->kid[1]->ref == fixture_def(&fx, "C"));
    CHECK_EQ(op->inst->nsubst, 1); /* C is not a parameter of Inner */
    struct module *inner = op->inst->target;
    CHECK(inner->parent == fx.program.root);
    CHECK(module_lookup(inner, STR("C")) == fixture_def(&fx, "C"));
    CHECK(strmap_get(&fx.program.root->inner, STR("Inner")) == inner);
    fixture_done(&fx);
    check_codes("A == B\n---- MODULE M ----\nB == 1\n====", "E3001:2 ");
    /* a module that stands below is taken for a further one of the file, as SANY does, and then
     * there are two */
    check_codes("I == INSTANCE M\n---- MODULE M ----\nB == 1\n====", "E3002:3 ");
    check_codes("---- MODULE M ----\nB == 1\n====\nA == LET I == INSTANCE M IN I!B", "");
    check_codes("---- MODULE M ----\nB == 1\n====\nM == INSTANCE M\nA == M!B", "");
}
