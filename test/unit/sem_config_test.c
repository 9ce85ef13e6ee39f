/* Configuration files. */
#include "sem_util.h"

struct seen {
    struct strbuf text;
};

static void on_seen(void *arg, struct str token, bool is_string)
{
    struct seen *seen = arg;
    strbuf_printf(&seen->text, is_string ? "\"%.*s\" " : "%.*s ", STR_ARG(token));
}

static int parse(struct fixture *fx, const char *text, struct config *ret, struct seen *seen)
{
    fixture_init(fx);
    struct source *source = sources_add(&fx->sources, "Test.cfg", str_of(text), false);
    return config_parse(ret, &fx->arena, source, seen ? on_seen : NULL, seen, &fx->diags);
}

TEST(every_statement)
{
    struct fixture fx;
    struct config config;
    CHECK_EQ(parse(&fx,
                   "\\* a comment\n"
                   "INIT Init NEXT Next (* another *) VIEW view\nSYMMETRY Perms ALIAS Alias\n"
                   "_PERIODIC P _RL_REWARD R\n"
                   "INVARIANT A B INVARIANTS C\nPROPERTY P1 PROPERTIES P2 P3\n"
                   "CONSTRAINT Bound\nACTION_CONSTRAINTS AC\nPOSTCONDITION Post _POSSIBLE Maybe\n"
                   "CHECK_DEADLOCK FALSE\nSPECIFICATION Spec\n",
                   &config, NULL),
             0);
    CHECK(str_is(config.init.name, "Init") && str_is(config.next.name, "Next") &&
          str_is(config.view.name, "view"));
    CHECK(str_is(config.symmetry.name, "Perms") && str_is(config.alias.name, "Alias"));
    CHECK(str_is(config.specification.name, "Spec"));
    CHECK(str_is(config.periodic.name, "P") && str_is(config.rl_reward.name, "R"));
    CHECK_EQ(config.invariants.n, 3);
    CHECK(str_is(config.invariants.v[2].name, "C"));
    CHECK_EQ(config.properties.n, 3);
    CHECK_EQ(config.constraints.n, 1);
    CHECK_EQ(config.action_constraints.n, 1);
    CHECK_EQ(config.postconditions.n, 1);
    CHECK_EQ(config.possible.n, 1);
    CHECK(config.has_check_deadlock && !config.check_deadlock);
    CHECK_EQ(config.tlc_code, 0);
    fixture_done(&fx);
}

TEST(constants)
{
    struct fixture fx;
    struct config config;
    struct seen seen = {0};
    CHECK_EQ(parse(&fx,
                   "CONSTANTS\n N = 3\n S = {a, \"b\", {}, {1, TRUE}}\n Op(1, x) = FALSE\n"
                   " F <- G\n I!F <- H\n K <- [Mod] L\n M = [Mod] 7\n + <- Plus\n v = v\n",
                   &config, &seen),
             0);
    CHECK_EQ(config.nassign, 9);
    const struct cfg_assign *a = config.assigns;
    CHECK(str_is(a[0].lhs, "N") && a[0].value->kind == CFG_INT && str_is(a[0].value->text, "3"));
    CHECK_EQ(a[1].value->kind, CFG_SET);
    CHECK_EQ(a[1].value->nelem, 4);
    CHECK_EQ(a[1].value->elems[0]->kind, CFG_MODEL);
    CHECK_EQ(a[1].value->elems[1]->kind, CFG_STRING);
    CHECK_EQ(a[1].value->elems[2]->nelem, 0);
    CHECK(a[1].value->elems[3]->elems[1]->b);
    CHECK_EQ(a[2].narg, 2);
    CHECK(str_is(a[2].args[1]->text, "x") && a[2].value->kind == CFG_BOOL && !a[2].value->b);
    CHECK(str_is(a[3].replacement, "G") && !a[3].value);
    CHECK(str_is(a[4].lhs, "I!F") && str_is(a[4].replacement, "H"));
    CHECK(str_is(a[5].module, "Mod") && str_is(a[5].replacement, "L"));
    CHECK(str_is(a[6].module, "Mod") && str_is(a[6].value->text, "7"));
    CHECK(str_is(a[7].lhs, "+"));
    CHECK_EQ(a[8].value->kind, CFG_MODEL);
    CHECK_STR(strbuf_cstr(&seen.text), "a \"b\" x v ");
    strbuf_done(&seen.text);
    fixture_done(&fx);
}

struct row {
    const char *text;
    int tlc_code;
    const char *codes;
};

TEST(errors)
{
    static const struct row rows[] = {
        {"INIT",                                     5003, "E5001:1 "        },
        {"INIT a\nINIT b",                           5004, "E5002:2 "        },
        {"CHECK_DEADLOCK",                           5003, "E5001:1 "        },
        {"CHECK_DEADLOCK maybe",                     5006, "E5001:1 E5003:1 "},
        {"CHECK_DEADLOCK TRUE\nCHECK_DEADLOCK TRUE", 5004, "E5002:2 "        },
        {"CONSTANT x <-",                            5005, "E5001:1 "        },
        {"CONSTANT x <- [",                          5005, "E5001:1 "        },
        {"CONSTANT x <- [M y",                       5006, "E5001:1 "        },
        {"CONSTANT x <- [M]",                        5005, "E5001:1 "        },
        {"CONSTANT x = ",                            5006, "E5001:1 "        },
        {"CONSTANT x = {1, 2",                       5006, "E5001:1 "        },
        {"CONSTANT x = {1 2}",                       5006, "E5001:1 "        },
        {"CONSTANT x(1 = 2",                         5002, "E5001:1 "        },
        {"CONSTANT x y",                             5006, "E5001:1 "        },
        {"CONSTANT x = -1\nINIT a",                  5006, "E5001:2 "        },
        {"CONSTANT x = 99999999999",                 5002, "E5001:1 "        },
        {"Init Foo\nNEXT n\nCONSTANT x",             5006, "E5003:1 E5001:3 "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fixture fx;
        struct config config;
        CHECK_EQ(parse(&fx, rows[i].text, &config, NULL), -1);
        if (config.tlc_code != rows[i].tlc_code || strcmp(fixture_codes(&fx), rows[i].codes) != 0) {
            fprintf(stderr, "%s: %d %s\n", rows[i].text, config.tlc_code, fixture_codes(&fx));
            exit(1);
        }
        fixture_done(&fx);
    }
}

TEST(deep_values)
{
    struct fixture fx;
    struct config config;
    SCOPED_STRBUF text = {0};
    strbuf_adds(&text, "CONSTANT x = ");
    strbuf_pad(&text, '{', 100000);
    CHECK_EQ(parse(&fx, strbuf_cstr(&text), &config, NULL), -1);
    CHECK_EQ(config.tlc_code, 5002);
    fixture_done(&fx);
}

TEST(section)
{
    struct str text =
        STR("---- MODULE M ----\n====\n---- CONFIG M ----\nINIT a\nNEXT b\n====\nrest\n");
    struct str section = config_section(text);
    CHECK(str_is(section, "INIT a\nNEXT b\n"));
    CHECK_EQ(config_section(STR("---- MODULE M ----\n====\n")).n, 0);
    CHECK_EQ(config_section(STR("--- CONFIG M ----\nINIT a\n====\n")).n, 0);
    CHECK_EQ(config_section(STR("---- CONFIG M\nINIT a\n====\n")).n, 0);
    CHECK(str_is(config_section(STR("-----CONFIG M -----\r\nINIT a\n")), "INIT a\n"));
    CHECK_EQ(config_section(STR("")).n, 0);
}
