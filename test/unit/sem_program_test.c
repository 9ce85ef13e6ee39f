/* Whole programs: the order of files, modules that lean on each other, expressions added later. */
#include "base/file.h"
#include "sem_util.h"

TEST(order_of_files)
{
    struct fixture fx;
    CHECK_EQ(fixture_load(&fx, "EXTENDS Twice, Sequences\nI == INSTANCE Integers"), 0);
    /* what is extended comes before what is instantiated, at every depth */
    CHECK_STR(strbuf_cstr(&fx.log),
              "Test.tla Twice.tla Sequences.tla Integers.tla Naturals.tla Counter.tla "
              "*Naturals *Counter *Twice *Sequences *Integers *Test ");
    CHECK_EQ(fx.program.norder, 6);
    CHECK(fx.program.order[5] == fx.program.root);
    CHECK(strmap_get(&fx.program.modules, STR("Counter")) != NULL);
    fixture_done(&fx);
}

/* Each of several nested modules, and each of several that are extended or instantiated. */
TEST(files_of_nested_modules)
{
    struct fixture fx;
    CHECK_EQ(fixture_load(&fx, "---- MODULE A ----\nOne == 1\n====\n"
                               "---- MODULE B ----\nN == INSTANCE Naturals\n====\n"
                               "---- MODULE C ----\n"
                               "---- MODULE D ----\nTwo == 2\n====\n"
                               "---- MODULE E ----\nI == INSTANCE Sequences\n====\n"
                               "====\nIB == INSTANCE B"),
             0);
    CHECK_STR(strbuf_cstr(&fx.log),
              "Test.tla Naturals.tla Sequences.tla *Naturals *Sequences *Test ");
    fixture_done(&fx);
}

TEST(constants_and_variables_of_extended_modules_come_first)
{
    struct fixture fx;
    CHECK_EQ(fixture_load(&fx, "EXTENDS Counter\nCONSTANT C\nVARIABLE v"), 0);
    const struct module *root = fx.program.root;
    CHECK_EQ(root->nconst, 2);
    CHECK(str_is(root->consts[0]->name, "Max") && str_is(root->consts[1]->name, "C"));
    CHECK_EQ(root->nvar, 2);
    CHECK(str_is(root->vars[0]->name, "count") && str_is(root->vars[1]->name, "v"));
    CHECK_EQ(root->nextend, 1);
    fixture_done(&fx);
}

TEST(files)
{
    struct fixture fx;
    struct err err = {0};
    char dir[] = "/tmp/sem_test_XXXXXX";
    CHECK(mkdtemp(dir) != NULL);
    fixture_init(&fx);
    const char *root = path_join(&fx.arena, dir, "Root.tla");
    const char *lib = path_join(&fx.arena, dir, "lib");
    CHECK_EQ(dir_make(lib, &err), 0);
    CHECK_EQ(file_write(
                 root,
                 STR("---- MODULE Root ----\nEXTENDS Near, Far, Counter, Extra\nA == N + F\n====\n"
                     "---- MODULE Extra ----\nE == 1\n====\n"),
                 &err),
             0);
    CHECK_EQ(file_write(path_join(&fx.arena, dir, "Near.tla"),
                        STR("---- MODULE Near ----\nN == 1\n====\n"), &err),
             0);
    CHECK_EQ(file_write(path_join(&fx.arena, lib, "Far.tla"),
                        STR("---- MODULE Far ----\nEXTENDS Naturals\nF == 1\n====\n"), &err),
             0);
    /* a file wins over a built-in module that is not a standard one */
    CHECK_EQ(file_write(path_join(&fx.arena, lib, "Counter.tla"),
                        STR("---- MODULE Counter ----\nOther == 1\n====\n"), &err),
             0);
    fx.options.paths = &lib;
    fx.options.npath = 1;
    CHECK_EQ(program_load(&fx.program, &fx.arena, root, &fx.options, &fx.sources, &fx.diags, &err),
             0);
    CHECK(program_lookup(&fx.program, STR("Other")) != NULL);
    CHECK(program_lookup(&fx.program, STR("E")) != NULL);
    fixture_done(&fx);
    fixture_init(&fx);
    CHECK_EQ(program_load(&fx.program, &fx.arena, "/nonexistent/Root.tla", &fx.options, &fx.sources,
                          &fx.diags, &err),
             -1);
    CHECK(err.code != 0);
    fixture_done(&fx);
    CHECK_EQ(dir_remove(dir, &err), 0);
}

TEST(cycles)
{
    struct fixture fx;
    struct err err = {0};
    char dir[] = "/tmp/sem_test_XXXXXX";
    CHECK(mkdtemp(dir) != NULL);
    fixture_init(&fx);
    CHECK_EQ(file_write(path_join(&fx.arena, dir, "A.tla"),
                        STR("---- MODULE A ----\nEXTENDS B\n====\n"), &err),
             0);
    CHECK_EQ(file_write(path_join(&fx.arena, dir, "B.tla"),
                        STR("---- MODULE B ----\nI == INSTANCE C\n====\n"), &err),
             0);
    CHECK_EQ(file_write(path_join(&fx.arena, dir, "C.tla"),
                        STR("---- MODULE C ----\nEXTENDS A\n====\n"), &err),
             0);
    const char *root = path_join(&fx.arena, dir, "A");
    CHECK_EQ(program_load(&fx.program, &fx.arena, root, &fx.options, &fx.sources, &fx.diags, &err),
             -1);
    CHECK_STR(fixture_codes(&fx), "E3004:2 ");
    fixture_done(&fx);
    CHECK_EQ(dir_remove(dir, &err), 0);
}

static struct def *add(struct fixture *fx, const char *text,
                       struct def *(*how)(struct program *, const struct source *))
{
    return how(&fx->program, sources_add(&fx->sources, "<input>", str_of(text), false));
}

TEST(expressions_and_definitions_later)
{
    struct fixture fx;
    CHECK_EQ(fixture_load(&fx, "EXTENDS Naturals\nVARIABLE x\nOne == 1"), 0);
    struct def *def = add(&fx, "One + 1", program_expression);
    CHECK(def && def->kind == DEF_OP && def->arity == 0 && def->body &&
          def->level == LEVEL_CONSTANT);
    CHECK(add(&fx, "x' = One", program_expression)->level == LEVEL_ACTION);
    CHECK(!add(&fx, "x'' = One", program_expression));
    CHECK(!add(&fx, "Nothing", program_expression));
    CHECK(!add(&fx, "1 +", program_expression));
    def = add(&fx, "Two == One + One", program_define);
    CHECK(def && def == fixture_def(&fx, "Two"));
    struct def *again = add(&fx, "Two == 2", program_define);
    CHECK(again && again != def && again == fixture_def(&fx, "Two"));
    CHECK(!add(&fx, "Two == Nothing2", program_define));
    CHECK(fixture_def(&fx, "Two") == again);
    CHECK(!add(&fx, "One == 2", program_define));
    CHECK(!add(&fx, "Bad == Nothing3", program_define));
    CHECK(!program_lookup(&fx.program, STR("Bad")));
    CHECK(add(&fx, "sq[i \\in {1}] == sq[i]", program_define)->is_fcn);
    def = add(&fx, "Two + 3", program_define);
    CHECK(def && def->name.n == 0);
    fixture_done(&fx);
}

TEST(two_programs_at_once)
{
    struct fixture a, b;
    CHECK_EQ(fixture_load(&a, "EXTENDS Naturals\nA == 1 + 1"), 0);
    CHECK_EQ(fixture_load(&b, "EXTENDS Naturals\nA == 1 + 1"), 0);
    CHECK(fixture_def(&a, "+") != fixture_def(&b, "+"));
    fixture_done(&a);
    CHECK(fixture_def(&b, "A")->body->ref == fixture_def(&b, "+"));
    fixture_done(&b);
}

TEST(broken_modules_can_be_looked_at)
{
    struct fixture fx;
    CHECK_EQ(fixture_load(&fx, "A == (1\nB == 2\nC == A"), -1);
    CHECK(fixture_def(&fx, "B")->body != NULL);
    fixture_done(&fx);
}
