/* Values to JSON and ITF and back. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "test.h"
#include "trace/trace.h"
#include "trace_util.h"
#include "value/value.h"

static struct val text_val(struct fixture *f, const char *text)
{
    return val_str(&f->ctx, str_of(text));
}

TEST(write_json)
{
    struct fixture f;
    fixture_init(&f);
    struct val one = val_small(1);
    struct val two = val_small(2);
    struct val pair[] = {two, one};
    struct val names[] = {text_val(&f, "a"), text_val(&f, "b")};
    struct val models[] = {val_model(f.strings, STR("p")), val_model(f.strings, STR("q"))};
    CHECK_STR(as_json(&f, one), "1");
    CHECK_STR(as_json(&f, VAL_TRUE), "true");
    CHECK_STR(as_json(&f, text_val(&f, "x\"y\\z\n\t\x01")), "\"x\\\"y\\\\z\\n\\t\\u0001\"");
    CHECK_STR(as_json(&f, models[0]), "\"p\"");
    CHECK_STR(as_json(&f, set_make(&f.ctx, pair, 2)), "[1,2]");
    CHECK_STR(as_json(&f, tuple_make(&f.ctx, pair, 2)), "[2,1]");
    CHECK_STR(as_json(&f, tuple_empty()), "[]");
    CHECK_STR(as_json(&f, record_make(&f.ctx, names, pair, 2)), "{\"a\":2,\"b\":1}");
    CHECK_STR(as_json(&f, fcn_make(&f.ctx, models, pair, 2)), "{\"p\":2,\"q\":1}");
    struct val keys[] = {val_small(5), val_small(7)};
    CHECK_STR(as_json(&f, fcn_make(&f.ctx, keys, pair, 2)), "{\"5\":2,\"7\":1}");
    CHECK_STR(as_json(&f, set_interval(&f.ctx, one, val_small(3))), "[1,2,3]");
    fixture_done(&f);
}

TEST(write_itf)
{
    struct fixture f;
    fixture_init(&f);
    struct val pair[] = {val_small(2), val_small(-1)};
    struct val names[] = {text_val(&f, "a"), text_val(&f, "b")};
    struct val keys[] = {val_small(5), val_small(7)};
    CHECK_STR(as_itf(&f, pair[1]), "{\"#bigint\":\"-1\"}");
    CHECK_STR(as_itf(&f, set_make(&f.ctx, names, 2)), "{\"#set\":[\"a\",\"b\"]}");
    CHECK_STR(as_itf(&f, tuple_make(&f.ctx, names, 1)), "[\"a\"]");
    CHECK_STR(as_itf(&f, record_make(&f.ctx, names, names, 1)), "{\"a\":\"a\"}");
    CHECK_STR(as_itf(&f, fcn_make(&f.ctx, keys, names, 2)),
              "{\"#map\":[[{\"#bigint\":\"5\"},\"a\"],[{\"#bigint\":\"7\"},\"b\"]]}");
    CHECK_STR(as_itf(&f, VAL_NAT), "{\"#unserializable\":\"Nat\"}");
    fixture_done(&f);
}

TEST(bytes_that_are_no_utf8)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"\xc3\xa9",         "\"\xc3\xa9\""                            },
        {"\xe2\x88\x88",     "\"\xe2\x88\x88\""                        },
        {"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""                    },
        {"\xff",             "\"\xef\xbf\xbd\""                        },
        {"a\xc3",            "\"a\xef\xbf\xbd\""                       },
        {"\xc0\xaf",         "\"\xef\xbf\xbd\xef\xbf\xbd\""            },
        {"\xed\xa0\x80",     "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct strbuf out = {0};
        json_write_string(str_of(rows[i].text), &out);
        CHECK_STR(strbuf_cstr(&out), rows[i].want);
        strbuf_done(&out);
    }
}

TEST(read_json)
{
    static const struct {
        const char *text;
        const char *want; /* as TLA+; NULL = refused */
    } rows[] = {
        {"1",                              "1"                            },
        {"-7",                             "-7"                           },
        {"9007199254740993",               "9007199254740993"             },
        {"1.9",                            "1"                            },
        {"-1.9",                           "-1"                           },
        {"1e3",                            "1000"                         },
        {"true",                           "TRUE"                         },
        {"\"a b\"",                        "\"a b\""                      },
        {"[1,[2]]",                        "<<1, <<2>>>>"                 },
        {"[]",                             "<<>>"                         },
        {"{\"a\":1,\"b\":{\"c\":[]}}",     "[a |-> 1, b |-> [c |-> <<>>]]"},
        {"{\"a\":1,\"a\":2}",              "[a |-> 2]"                    },
        {" 5 ",                            "5"                            },
        {"null",                           NULL                           },
        {"[null]",                         NULL                           },
        {"",                               NULL                           },
        {"[1",                             NULL                           },
        {"1 2",                            NULL                           },
        {"{\"a\":}",                       NULL                           },
        {"\"\xff\"",                       NULL                           },
        {"1e400",                          NULL                           },
        {"1e300",                          NULL                           },
        {"123456789012345678901234567890", NULL                           },
    };
    struct fixture f;
    fixture_init(&f);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct val v = VAL_UNDEF;
        struct err err = {0};
        int rc = json_read_val(&f.ctx, str_of(rows[i].text), &v, &err);
        CHECK_EQ(rc == 0, rows[i].want != NULL);
        if (rc == 0) {
            CHECK_STR(as_tla(&f, v), rows[i].want);
        } else {
            CHECK(val_is_undef(v));
            CHECK(err.text[0] != '\0');
        }
    }
    fixture_done(&f);
}

TEST(null_in_messages)
{
    struct fixture f;
    struct val v = VAL_UNDEF;
    struct err err = {0};
    fixture_init(&f);
    const char *text = "{\"leader\": null, \"log\": [1, null, {\"x\": null}]}";
    CHECK_EQ(json_read_message(&f.ctx, str_of(text), &v, &err), 0);
    CHECK_STR(as_tla(&f, v), "[leader |-> \"null\", log |-> <<1, \"null\", [x |-> \"null\"]>>]");
    CHECK_EQ(json_read_message(&f.ctx, STR("null"), &v, &err), 0);
    CHECK_STR(as_tla(&f, v), "\"null\"");
    CHECK(json_read_message(&f.ctx, STR("[nul"), &v, &err) != 0);
    fixture_done(&f);
}

TEST(read_itf)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"{\"#bigint\":\"12\"}",                                                     "12"                             },
        {"{\"#bigint\":\"-123456789012345678901234567890\"}",                        "-123456789012345678901234567890"},
        {"{\"#set\":[{\"#bigint\":\"2\"},{\"#bigint\":\"1\"},{\"#bigint\":\"2\"}]}", "{1, 2}"                         },
        {"{\"#tup\":[1,\"a\"]}",                                                     "<<1, \"a\">>"                   },
        {"{\"#map\":[[{\"#bigint\":\"3\"},true]]}",                                  "(3 :> TRUE)"                    },
        {"{\"tag\":\"Some\",\"value\":1}",                                           "[tag |-> \"Some\", value |-> 1]"},
        {"{\"#bigint\":\"1x\"}",                                                     NULL                             },
        {"{\"#bigint\":5}",                                                          NULL                             },
        {"{\"#bigint\":\"\"}",                                                       NULL                             },
        {"{\"#set\":{}}",                                                            NULL                             },
        {"{\"#map\":[[1]]}",                                                         NULL                             },
        {"{\"#unserializable\":\"Nat\"}",                                            NULL                             },
        {"{\"#set\":[1,\"a\"]}",                                                     NULL                             }, /* TLC cannot compare them */
    };
    struct fixture f;
    fixture_init(&f);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct val v = VAL_UNDEF;
        struct err err = {0};
        int rc = itf_read_val(&f.ctx, str_of(rows[i].text), &v, &err);
        CHECK_EQ(rc == 0, rows[i].want != NULL);
        if (rc == 0) {
            CHECK_STR(as_tla(&f, v), rows[i].want);
        }
    }
    fixture_done(&f);
}

TEST(itf_round_trip)
{
    static const char *const rows[] = {
        "{\"#map\":[[[{\"#bigint\":\"1\"},\"a\"],{\"#set\":[]}]]}",
        "[{\"x\":{\"#set\":[[],[true]]}}]",
        "{\"#set\":[{\"#set\":[]},{\"#set\":[{\"#bigint\":\"1\"}]}]}",
    };
    struct fixture f;
    fixture_init(&f);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct val v = VAL_UNDEF;
        struct err err = {0};
        CHECK_EQ(itf_read_val(&f.ctx, str_of(rows[i]), &v, &err), 0);
        CHECK_STR(as_itf(&f, v), rows[i]);
    }
    fixture_done(&f);
}

TEST(deep_nesting_is_refused)
{
    struct fixture f;
    fixture_init(&f);
    size_t n = 100000;
    char *text = malloc(2 * n);
    CHECK(text != NULL);
    memset(text, '[', n);
    memset(text + n, ']', n);
    struct val v = VAL_UNDEF;
    struct err err = {0};
    CHECK(json_read_val(&f.ctx, (struct str){text, 2 * n}, &v, &err) != 0);
    CHECK(itf_read_val(&f.ctx, (struct str){text, 2 * n}, &v, &err) != 0);
    free(text);
    fixture_done(&f);
}
