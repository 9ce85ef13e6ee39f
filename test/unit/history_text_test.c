/* Values as EDN and as JSON: each row is a text and what is read from it, one value after the
 * other, or the mistake with its line. */
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "history/history_int.h"
#include "test.h"

typedef int reader(struct hvals *vals, struct hist_text *text, struct hval *ret, struct err *err);

struct row {
    const char *text, *want;
};

static void read_all(reader *next, struct str text, struct strbuf *out)
{
    struct arena arena;
    struct hvals vals;
    struct err err = {0};
    struct hval v;
    arena_init(&arena, 0);
    hvals_init(&vals, &arena);
    struct hist_text place = {.name = "h", .at = text.p, .end = text.p + text.n, .line = 1};
    int rc;
    while ((rc = next(&vals, &place, &v, &err)) == 1) {
        strbuf_adds(out, out->n > 0 ? " | " : "");
        hval_print(&vals, v, out);
    }
    if (rc < 0) {
        strbuf_printf(out, "%s%s", out->n > 0 ? " | " : "", err.text);
    } else {
        CHECK(place.at == place.end);
    }
    hvals_done(&vals);
    arena_done(&arena);
}

static void check_rows(reader *next, const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        SCOPED_STRBUF out = {0};
        read_all(next, str_of(rows[i].text), &out);
        CHECK_STR(strbuf_cstr(&out), rows[i].want);
    }
}

static const struct row edn_rows[] = {
    {"",                                 ""                                                          },
    {" \t\r\n\f, ",                      ""                                                          },
    {"nil true false",                   "nil | true | false"                                        },
    {"nill truee",                       "\"nill\" | \"truee\""                                      },
    {"0 -1 +7 007 12N",                  "0 | -1 | 7 | 7 | 12"                                       },
    {"9223372036854775807",              "9223372036854775807"                                       },
    {"-9223372036854775808",             "-9223372036854775808"                                      },
    {"9223372036854775808",              "\"9223372036854775808\""                                   },
    {"12345678901234567890123",          "\"12345678901234567890123\""                               },
    {"123456789012345678901234",         "\"123456789012345678901234\""                              },
    {"1.5 1NN 1M -",                     "\"1.5\" | \"1NN\" | \"1M\" | \"-\""                        },
    {":ok :a/b sym \\c",                 "\"ok\" | \"a/b\" | \"sym\" | \"\\\\c\""                    },
    {"\"\"",                             "\"\""                                                      },
    {"\"a\\n\\t\\r\\\"\\\\\\b\\f\"",     "\"a\\u000a\\u0009\\u000d\\\"\\\\\\u0008\\u000c\""          },
    {"\"\\u0041\\u007f\\u00e9\\u20AC\"", "\"A\\u007f\303\251\342\202\254\""                          },
    {"\"\\u0080\\u07ff\\u0800\\uffff\"", "\"\302\200\337\277\340\240\200\357\277\277\""              },
    {"\"\\ud800\\udc00\\udbff\\udfff\"", "\"\360\220\200\200\364\217\277\277\""                      },
    {"\"\\ud83d\"",                      "h:1: \\u takes four hexadecimal digits of a character"     },
    {"\"\\ud83d\\u0041\"",               "h:1: \\u takes four hexadecimal digits of a character"     },
    {"\"\\udc00\"",                      "h:1: \\u takes four hexadecimal digits of a character"     },
    {"\"\\u12g4\"",                      "h:1: \\u takes four hexadecimal digits of a character"     },
    {"\"\\u123",                         "h:1: \\u takes four hexadecimal digits of a character"     },
    {"\n\"\\q\"",                        "h:2: a string has no escape \\q"                           },
    {"1\n\"abc\n",                       "1 | h:2: the string that begins here has no end"           },
    {"\"abc\\",                          "h:1: the file ends inside of a string"                     },
    {"\"two\nlines\" }",                 "\"two\\u000alines\" | h:2: '}' stands where a value should"},
    {"\"\n\n\" ]",                       "\"\\u000a\\u000a\" | h:3: ']' stands where a value should" },
    {"; a comment",                      ""                                                          },
    {"1;x\n2 ; y\n)",                    "1 | 2 | h:3: ')' stands where a value should"              },
    {"[] () #{} {}",                     "[] | [] | [] | {}"                                         },
    {"[1 [2 (3)] #{4}]",                 "[1, [2, [3]], [4]]"                                        },
    {"{:a 1, :b [2]}",                   "{\"a\": 1, \"b\": [2]}"                                    },
    {"{1 2 3}",                          "h:1: the map that begins here has a key without a value"   },
    {"\n\n{:a 1\n :a 2}",                "h:3: the map that begins here has a key twice"             },
    {"[1\n[2",                           "h:2: the bracket that opens here is never closed"          },
    {"\n(1 2",                           "h:2: the bracket that opens here is never closed"          },
    {"[1)",                              "h:1: ')' stands where a value should"                      },
    {"[1 #_2 3 #_ [4 5]]",               "[1, 3]"                                                    },
    {"#_1",                              ""                                                          },
    {"#_",                               "h:1: the file ends inside of a value"                      },
    {"\n#inst",                          "h:2: the file ends inside of a value"                      },
    {"#inst \"2020\" #a.B{:x 1}",        "\"2020\" | {\"x\": 1}"                                     },
    {"# 1",                              "h:1: ' ' stands where a value should"                      },
    {"a\"b\"c(d)e;f",                    "\"a\" | \"b\" | \"c\" | [\"d\"] | \"e\""                   },
};
TEST(edn)
{
    check_rows(hist_edn, edn_rows, sizeof edn_rows / sizeof edn_rows[0]);
}

static const struct row json_rows[] = {
    {"",                               ""                                                         },
    {" \t\r\n",                        ""                                                         },
    {"null true false",                "nil | true | false"                                       },
    {"[true, false]",                  "[true, false]"                                            },
    {"0 -5 9223372036854775807",       "0 | -5 | 9223372036854775807"                             },
    {"1.5 -0.25 1e300",                "\"1.5\" | \"-0.25\" | \"1.0000000000000001e+300\""        },
    {"\"\" \"a\\n\\u00e9\\\"\\\\\"",   "\"\" | \"a\\u000a\303\251\\\"\\\\\""                      },
    {"\"a\\u0000b\"",                  "\"a\\u0000b\""                                            },
    {"[] [1, [2]] {}",                 "[] | [1, [2]] | {}"                                       },
    {"{\"a\": 1, \"b\": {\"c\": []}}", "{\"a\": 1, \"b\": {\"c\": []}}"                           },
    {"1\n\n2\n] 3",                    "1 | 2 | h:4: this is not JSON: unexpected token near ']'" },
    {"[1,\n2]\n} 3",                   "[1, 2] | h:3: this is not JSON: unexpected token near '}'"},
    {"\n[1,\nx]",                      "h:3: this is not JSON: invalid token near 'x'"            },
    {"{\"a\": 1, \"a\": 2}",           "h:1: this is not JSON: duplicate object key near '\"a\"'" },
    {"1\n[1,",
     "1 | h:2: this is not JSON: ']' expected near end of file (the file ends here: was its "
     "writer stopped?)"                                                                           },
};
TEST(json)
{
    check_rows(hist_json, json_rows, sizeof json_rows / sizeof json_rows[0]);
}

/* Brackets around a value, and the same many that close them. */
static void nested(struct strbuf *out, size_t n, const char *open, const char *close)
{
    for (size_t i = 0; i < n; i++) {
        strbuf_adds(out, open);
    }
    strbuf_adds(out, "1");
    for (size_t i = 0; i < n; i++) {
        strbuf_adds(out, close);
    }
}

TEST(depth)
{
    static const struct {
        reader *next;
        const char *open, *close;
    } rows[] = {
        {hist_edn,  "[",        "]"},
        {hist_edn,  "(",        ")"},
        {hist_edn,  "#{",       "}"},
        {hist_edn,  "{1 ",      "}"},
        {hist_edn,  "#t ",      "" },
        {hist_json, "[",        "]"},
        {hist_json, "{\"a\": ", "}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCOPED_STRBUF most = {0};
        SCOPED_STRBUF more = {0};
        SCOPED_STRBUF out = {0};
        SCOPED_STRBUF said = {0};
        nested(&most, HIST_NESTING_MAX, rows[i].open, rows[i].close);
        read_all(rows[i].next, strbuf_str(&most), &out);
        CHECK(strstr(strbuf_cstr(&out), "nested") == NULL);
        nested(&more, HIST_NESTING_MAX + 1, rows[i].open, rows[i].close);
        read_all(rows[i].next, strbuf_str(&more), &said);
        CHECK_STR(strbuf_cstr(&said), "h:1: values are nested more than 200 deep");
    }
}

/* Equal values have equal numbers, also when the table has grown; different ones have not. */
TEST(values_are_numbered)
{
    struct arena arena;
    struct hvals vals;
    arena_init(&arena, 0);
    hvals_init(&vals, &arena);
    enum { MANY = 3000 };
    static struct hval ints[MANY], texts[MANY], lists[MANY], maps[MANY];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++) {
            char name[20];
            snprintf(name, sizeof name, "%d", i);
            struct hval number = hval_int(&vals, i);
            struct hval text = hval_text(&vals, str_of(name));
            struct hval two[2] = {number, text};
            struct hval list = hval_list(&vals, two, 2);
            struct hval map;
            CHECK(hval_map(&vals, two, 2, &map));
            if (round == 0) {
                ints[i] = number;
                texts[i] = text;
                lists[i] = list;
                maps[i] = map;
            }
            CHECK(hval_eq(number, ints[i]) && hval_eq(text, texts[i]));
            CHECK(hval_eq(list, lists[i]) && hval_eq(map, maps[i]));
            CHECK_EQ(hval_at(&vals, number)->i, i);
            CHECK(hval_is_text(&vals, text, name) && !hval_is_text(&vals, number, name));
        }
        CHECK_EQ(vals.nodes.n, 1 + 4 * MANY);
    }
    CHECK(!hval_eq(hval_bool(&vals, true), hval_bool(&vals, false)));
    CHECK(!hval_eq(hval_bool(&vals, true), hval_int(&vals, 1)));
    CHECK(!hval_eq(hval_list(&vals, NULL, 0), hval_text(&vals, STR(""))));
    hvals_done(&vals);
    arena_done(&arena);
}
