/* The parser beyond trees: spans, ids, the order of `seen`, limits, and the tokens given to other
 * readers. */
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/parse.h"
#include "syntax/source.h"
#include "test.h"

struct run {
    struct arena arena;
    struct sources sources;
    struct diags diags;
    const struct node *node;
    uint32_t next_id;
    struct strbuf seen;
};

static void note_seen(void *arg, struct str token, bool is_string)
{
    struct run *run = arg;
    strbuf_printf(&run->seen, is_string ? "\"%.*s\" " : "%.*s ", STR_ARG(token));
}

typedef struct node *parse_fn(struct arena *, const struct source *, const struct parse_options *,
                              struct diags *);

static void run_start(struct run *run, parse_fn *parse, struct str text)
{
    *run = (struct run){.next_id = 100};
    arena_init(&run->arena, 0);
    sources_init(&run->sources, &run->arena);
    diags_init(&run->diags, &run->arena);
    const struct source *source = sources_add(&run->sources, "t.tla", text, false);
    struct parse_options options = {.seen = note_seen, .seen_arg = run, .next_id = &run->next_id};
    run->node = parse(&run->arena, source, &options, &run->diags);
}

static void run_end(struct run *run)
{
    strbuf_done(&run->seen);
    arena_done(&run->arena);
}

static void check_place(const struct run *run, const struct node *node, const char *want)
{
    struct place place = sources_place(&run->sources, node->span);
    char got[80];
    snprintf(got, sizeof got, "%u:%u-%u:%u", place.line, place.column, place.end_line,
             place.end_column);
    CHECK_STR(got, want);
}

/* A node's own span has no parentheses around it, but those of its operands. */
TEST(spans)
{
    struct run run;
    run_start(&run, parse_expression, STR("((a) + (b)') * f[1]"));
    CHECK(run.node != NULL);
    check_place(&run, run.node, "1:1-1:19");
    check_place(&run, run.node->kid[0], "1:2-1:11");
    check_place(&run, run.node->kid[0]->kid[0], "1:3-1:3");
    check_place(&run, run.node->kid[0]->kid[1], "1:8-1:11");
    check_place(&run, run.node->kid[1], "1:16-1:19");
    CHECK(run.node->kid[0]->flags & NF_PAREN);
    run_end(&run);
    run_start(&run, parse_module,
              STR("--- ---- MODULE M ----\nLOCAL A ==\n  /\\ x\n  /\\ (y)\n====\n"));
    check_place(&run, run.node, "1:5-5:4");
    check_place(&run, run.node->kid[0], "2:1-4:8");
    check_place(&run, run.node->kid[0]->kid[0], "3:3-4:8");
    check_place(&run, run.node->kid[0]->kid[0]->kid[1], "4:7-4:7");
    run_end(&run);
}

static void count_ids(const struct node *node, uint8_t *counts, uint32_t limit)
{
    CHECK(node->id >= 100 && node->id < limit);
    counts[node->id]++;
    CHECK_EQ(counts[node->id], 1);
    uint32_t height = 1;
    for (uint32_t i = 0; i < node->nkid; i++) {
        count_ids(node->kid[i], counts, limit);
        height = node->kid[i]->height + 1 > height ? node->kid[i]->height + 1 : height;
    }
    CHECK_EQ(node->height, height);
    CHECK_EQ(node->name.p[node->name.n], 0);
}

TEST(ids_are_unique_and_heights_right)
{
    struct run run;
    run_start(&run, parse_module,
              STR("---- MODULE M ----\nA(x) == [f EXCEPT ![x] = @ \\X B \\X C \\X D]\n"
                  "THEOREM A(1) <1> QED BY A\nB == WF_I!v(x) /\\ lab(y) :: f[1][2].a'\n====\n"));
    CHECK_EQ(run.diags.errors, 0);
    static uint8_t counts[1000];
    CHECK(run.next_id < 1000);
    count_ids(run.node, counts, run.next_id);
    run_end(&run);
}

TEST(seen_in_order_of_the_text)
{
    struct run run;
    run_start(&run, parse_module,
              STR("---- MODULE M ----\nA == \"s\\\"1\" \\o x\nTHEOREM T BY U\n====\nB == 2"));
    CHECK_STR(strbuf_cstr(&run.seen),
              "---- MODULE M ---- A == \"s\"1\" \\o x THEOREM T BY U ==== ");
    run_end(&run);
}

TEST(repl)
{
    static const struct {
        const char *text;
        int kind;
    } rows[] = {
        {"1 + 2",                   N_OP       },
        {"A == 1",                  N_OPDEF    },
        {"f[x \\in S] == x",        N_FCNDEF   },
        {"a ++ b == 1",             N_OPDEF    },
        {"I == INSTANCE M",         N_INSTDEF  },
        {"VARIABLE x",              N_VARIABLES},
        {"LET x == 1 IN x",         N_LET      },
        {"INSTANCE M",              N_INSTANCE },
        {"(* c *) \\* d\n 1 \\* e", N_NUM      },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct run run;
        run_start(&run, parse_repl, str_of(rows[i].text));
        CHECK(run.node != NULL);
        CHECK_EQ(run.node->kind, rows[i].kind);
        run_end(&run);
    }
    struct run run;
    run_start(&run, parse_repl, STR("A == 1 B == 2"));
    CHECK(run.node == NULL);
    CHECK_EQ(run.diags.errors, 1);
    run_end(&run);
}

/* prefix repeated, middle, suffix repeated: what comes of it, on an ordinary stack and in little
 * time. */
static int first_code(const char *prefix, const char *middle, const char *suffix, int times)
{
    struct strbuf text = {0};
    strbuf_adds(&text, "---- MODULE M ----\nA == ");
    for (int i = 0; i < times; i++) {
        strbuf_adds(&text, prefix);
    }
    strbuf_adds(&text, middle);
    for (int i = 0; i < times; i++) {
        strbuf_adds(&text, suffix);
    }
    strbuf_adds(&text, "\nB == 1\n====\n");
    struct run run;
    run_start(&run, parse_module, strbuf_str(&text));
    int code = run.diags.n > 0 ? (int)run.diags.v[0]->code : 0;
    CHECK(run.node != NULL);
    CHECK_STR(run.node->kid[run.node->nkid - 1]->name.p, "B"); /* and the next unit is found */
    run_end(&run);
    strbuf_done(&text);
    return code;
}

TEST(deep_nesting)
{
    static const struct {
        const char *prefix, *middle, *suffix;
    } rows[] = {
        {"(",                 "1", ")"     },
        {"/\\ ",              "1", ""      },
        {"/\\ \\/ ",          "1", ""      },
        {"{",                 "1", "}"     },
        {"<<",                "1", ">>"    },
        {"[f EXCEPT ![",      "1", "] = 2]"},
        {"F(",                "1", ")"     },
        {"f[",                "1", "]"     },
        {"IF a THEN b ELSE ", "1", ""      },
        {"LET x == ",         "1", " IN x" },
        {"CASE a -> ",        "1", ""      },
        {"CHOOSE x : ",       "1", ""      },
        {"\\A x \\in S : ",   "1", ""      },
        {"lab :: ",           "1", ""      },
        {"WF_x(",             "1", ")"     },
        {"[",                 "1", "]_x"   },
        {"[A]_[",             "1", "]_x"   },
        {"~ ",                "1", ""      },
        {"- ",                "1", ""      },
        {"",                  "1", "'"     },
        {"",                  "x", ".a"    },
        {"",                  "x", "!a"    },
        {"1 + ",              "1", ""      },
        {"a /\\ ",            "1", ""      },
        {"(a => ",            "1", ")"     },
        {"f(LAMBDA x : ",     "1", ")"     },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_EQ(first_code(rows[i].prefix, rows[i].middle, rows[i].suffix, 100000),
                 DIAG_PARSE_TOO_DEEP);
        CHECK_EQ(first_code(rows[i].prefix, rows[i].middle, rows[i].suffix, 500), 0);
    }
    CHECK_EQ(first_code("A \\X ", "B", "", 100000), 0); /* one flat node */
    CHECK_EQ(first_code("(*", "", "*) 1 + 1 \\*", 1), 0);
}

TEST(deep_comments)
{
    struct strbuf text = {0};
    strbuf_adds(&text, "---- MODULE M ----\n");
    for (int i = 0; i < 100000; i++) {
        strbuf_adds(&text, "(*");
    }
    for (int i = 0; i < 100000; i++) {
        strbuf_adds(&text, "*)");
    }
    strbuf_adds(&text, "A == 1\n====\n");
    struct run run;
    run_start(&run, parse_module, strbuf_str(&text));
    CHECK_EQ(run.diags.errors, 0);
    CHECK_EQ(run.node->nkid, 1);
    run_end(&run);
    strbuf_done(&text);
}

/* Many constructs one after the other are not nested, whatever they are. */
TEST(many_in_a_row)
{
    static const char *const forms[] = {
        "(1)",
        "/\\ a\n\\/ b",
        "(/\\ a\n/\\ b)",
        "{1}",
        "{x \\in S : x}",
        "{x : x \\in S}",
        "<<1>>",
        "[f EXCEPT ![1] = 2, !.a = @]",
        "[a |-> 1]",
        "[a : S]",
        "[x \\in S |-> x]",
        "[S -> T]",
        "F(1)",
        "F(LAMBDA x : x)",
        "f[1]",
        "IF a THEN b ELSE c",
        "LET x == 1 IN x",
        "LET RECURSIVE F(_) F(x) == x IN F(1)",
        "LET I == INSTANCE M IN I!A",
        "CASE a -> 1 [] OTHER -> 2",
        "CHOOSE x : x",
        "CHOOSE x \\in S : x",
        "\\A x \\in S : x",
        "\\E x : x",
        "\\AA x : x",
        "\\EE x : x",
        "lab :: 1",
        "WF_x(A)",
        "SF_x(A)",
        "[A]_x",
        "<<A>>_x",
        "~ a",
        "a'",
        "x.a",
        "A!1!(2)!a(3)",
        "a + 1",
        "- 1",
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        SCOPED_STRBUF text = {0};
        strbuf_adds(&text, "---- MODULE M ----\nA == <<0");
        for (int k = 0; k < 5000; k++) {
            strbuf_printf(&text, ",\n%s", forms[i]);
        }
        strbuf_adds(&text, ">>\n");
        for (int k = 0; k < 5000; k++) {
            strbuf_printf(&text, "B%d == %s\n", k, forms[i]);
        }
        strbuf_adds(&text, "====\n");
        struct run run;
        run_start(&run, parse_module, strbuf_str(&text));
        if (run.diags.n > 0) {
            fprintf(stderr, "%s: %s\n", forms[i], run.diags.v[0]->text);
        }
        CHECK_EQ(run.diags.n, 0);
        CHECK_EQ(run.node->nkid, 5001);
        CHECK_EQ(run.node->kid[0]->kid[0]->nkid, 5001);
        run_end(&run);
    }
}

/* The same of units, of definitions in a LET, and of steps of a proof. */
TEST(many_units_in_a_row)
{
    static const char *const units[] = {
        "CONSTANT C%d(_)\n",
        "VARIABLES v%d, w%d\n",
        "RECURSIVE F%d(_)\n",
        "ASSUME N%d == TRUE\n",
        "I%d == INSTANCE M WITH a <- 1, b <- 2\n",
        "LOCAL INSTANCE M\n\\* %d\n",
        "f%d[x \\in S, <<y, z>> \\in T] == x\n",
        "THEOREM T%d == ASSUME TRUE, NEW x PROVE x\n",
        "THEOREM T%d == TRUE PROOF BY TRUE DEF x\n",
        "THEOREM T%d == TRUE\n<1>1. TRUE\n  <2> QED OBVIOUS\n<1> QED BY <1>1\n",
        "---- MODULE M%d ----\nEXTENDS N\nA == 1\n====\n",
        "----\nA%d == 1\n",
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        SCOPED_STRBUF text = {0};
        strbuf_adds(&text, "---- MODULE M ----\nEXTENDS N\n");
        for (int k = 0; k < 5000; k++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            strbuf_printf(&text, units[i], k, k);
#pragma GCC diagnostic pop
        }
        strbuf_adds(&text, "====\n");
        struct run run;
        run_start(&run, parse_module, strbuf_str(&text));
        if (run.diags.n > 0) {
            fprintf(stderr, "%s: %s\n", units[i], run.diags.v[0]->text);
        }
        CHECK_EQ(run.diags.n, 0);
        run_end(&run);
    }
}

TEST(deep_modules_and_proofs)
{
    struct strbuf text = {0};
    for (int i = 0; i < 50000; i++) {
        strbuf_adds(&text, "---- MODULE M ----\n");
    }
    struct run run;
    run_start(&run, parse_module, strbuf_str(&text));
    CHECK(run.diags.errors > 0);
    run_end(&run);
    strbuf_reset(&text);
    strbuf_adds(&text, "---- MODULE M ----\nTHEOREM T\n");
    for (int i = 1; i < 50000; i++) {
        strbuf_printf(&text, "<%d>1. A\n", i);
    }
    strbuf_adds(&text, "====\n");
    run_start(&run, parse_module, strbuf_str(&text));
    CHECK_EQ(run.diags.v[0]->code, DIAG_PARSE_TOO_DEEP);
    run_end(&run);
    strbuf_done(&text);
}

/* Every prefix of a module ends with a diagnostic and without a crash. */
TEST(truncated)
{
    struct str text =
        STR("---- MODULE M ----\nEXTENDS N\nCONSTANT C(_), _+_\nVARIABLES x, y\n"
            "A(F(_)) == /\\ \\A <<u, v>> \\in {1, 2} : [x EXCEPT ![1].a = @] => \"s\"\n"
            "           /\\ CASE a -> b [] OTHER -> LET f[z \\in S] == z IN I(1)!g!<<\n"
            "THEOREM T == ASSUME NEW q \\in S PROVE q\n<1>1. PICK w : P BY <1>1 DEF A\n<1> QED\n"
            "I == INSTANCE M WITH x <- y, ++ <- LAMBDA p : p (* c *)\n====\n");
    for (size_t n = 0; n + 2 < text.n; n++) {
        struct run run;
        run_start(&run, parse_module, (struct str){text.p, n});
        CHECK(run.diags.errors > 0);
        run_end(&run);
    }
    struct run run;
    run_start(&run, parse_module, text);
    CHECK_EQ(run.diags.errors, 0);
    run_end(&run);
}

TEST(bytes_that_are_not_text)
{
    struct run run;
    run_start(&run, parse_module,
              STR("---- MODULE M ----\n(* \xFF \0 *) \\* \xC3\nA == \"\xFF\xFE\" \xFF\xFF 1 \0\0 + "
                  "\x01 2\n====\n"));
    static const int want[] = {DIAG_LEX_BAD_UTF8, DIAG_LEX_BAD_UTF8, DIAG_LEX_NUL,
                               DIAG_LEX_BAD_CHAR};
    CHECK(run.diags.n >= 4);
    for (size_t i = 0; i < 4; i++) {
        CHECK_EQ(run.diags.v[i]->code, want[i]);
    }
    run_end(&run);
}

TEST(tokens_for_other_readers)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    const struct source *source = sources_add(
        &sources, "t.cfg", STR("INIT WF_x \\* c\n A <- [M]B \"a\\n\" =< 12 -{<1>"), false);
    struct lexer *lexer = lexer_new(&arena, source, &diags);
    struct strbuf out = {0};
    for (struct token token; (token = lexer_next(lexer)).kind != TOK_EOF;) {
        strbuf_printf(&out, "%d:%.*s@%u:%u ", (int)token.kind, STR_ARG(token.text), token.line,
                      token.column);
    }
    CHECK_STR(strbuf_cstr(&out),
              "1:INIT@1:1 1:WF_x@1:6 1:A@2:2 4:<-@2:4 4:[@2:7 1:M@2:8 4:]@2:9 1:B@2:10 3:a\n@2:12 "
              "4:\\leq@2:18 2:12@2:21 4:-@2:24 4:{@2:25 4:<@2:26 2:1@2:27 4:>@2:28 ");
    strbuf_done(&out);
    arena_done(&arena);
}
