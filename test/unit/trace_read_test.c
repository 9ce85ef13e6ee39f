/* Whole traces: reading, writing, and what must be refused. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "test.h"
#include "trace/trace.h"
#include "trace_util.h"
#include "value/value.h"

static const char lasso[] =
    "{\"counterexample\":{\"action\":[[[1,{\"x\":0}],{\"name\":\"Inc\",\"location\":{\"beginLine\":"
    "5,\"beginColumn\":8,\"endLine\":5,"
    "\"endColumn\":9,\"module\":\"M\"},\"context\":{\"i\":3},\"parameters\":[\"i\"]},[2,{\"x\":1}]]"
    ",[[2,{\"x\":1}],{\"name\":\"Reset\","
    "\"location\":{\"beginLine\":6,\"beginColumn\":1,\"endLine\":6,\"endColumn\":2,\"module\":"
    "\"M\"}},[1,{\"x\":0}]]],"
    "\"state\":[[1,{\"x\":0}],[2,{\"x\":1}]]},\"vars\":[\"x\"]}";

TEST(formats_by_suffix)
{
    static const struct {
        const char *path;
        int want; /* -1 = none */
    } rows[] = {
        {"a.itf.json", TRACE_ITF     },
        {"a.json",     TRACE_JSON    },
        {"d.e/a.tla",  TRACE_TLA     },
        {"a.dot",      TRACE_DOT     },
        {"a.txt",      TRACE_TLC_TEXT},
        {"a",          -1            },
        {".json",      -1            },
        {"a.xml",      -1            },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        enum trace_format format = TRACE_PLAIN;
        bool known = trace_format_of(rows[i].path, &format);
        CHECK_EQ(known, rows[i].want >= 0);
        CHECK(!known || (int)format == rows[i].want);
    }
}

TEST(tlc_json_round_trip)
{
    struct fixture f;
    fixture_init(&f);
    struct trace trace = {0};
    struct err err = {0};
    CHECK_EQ(trace_read(&f.ctx, STR(lasso), &trace, &err), 0);
    CHECK_EQ(trace.nstate, 2);
    CHECK_EQ(trace.nvar, 1);
    CHECK(trace.lasso);
    CHECK(!trace.stuttering);
    CHECK_EQ(trace.loop, 0);
    CHECK_STR(trace.states[1].label, "Inc(3)");
    CHECK_STR(trace.back->action, "Reset");
    trace_write(&f.ctx, &trace, TRACE_JSON, &f.out);
    CHECK_STR(strbuf_cstr(&f.out), lasso);
    fixture_done(&f);
}

TEST(itf_round_trip)
{
    struct fixture f;
    fixture_init(&f);
    struct trace trace = {0};
    struct trace again = {0};
    struct err err = {0};
    static const char text[] = "{\"vars\":[\"x\",\"y\"],\"states\":[{\"#meta\":{\"index\":0},\"x\":"
                               "{\"#bigint\":\"1\"},\"y\":\"a\"},"
                               "{\"x\":{\"#bigint\":\"2\"},\"y\":\"b\"}],\"loop\":1}";
    CHECK_EQ(trace_read(&f.ctx, STR(text), &trace, &err), 0);
    CHECK(trace.lasso);
    CHECK_EQ(trace.loop, 1);
    trace_write(&f.ctx, &trace, TRACE_ITF, &f.out);
    CHECK_EQ(trace_read(&f.ctx, strbuf_str(&f.out), &again, &err), 0);
    CHECK_EQ(again.nstate, 2);
    CHECK_EQ(again.loop, 1);
    CHECK(val_equal(&f.ctx, again.states[1].vals[0], trace.states[1].vals[0]));
    fixture_done(&f);
}

TEST(plain_array_of_states)
{
    struct fixture f;
    fixture_init(&f);
    struct trace trace = {0};
    struct err err = {0};
    CHECK_EQ(trace_read(&f.ctx, STR("[{\"x\":1,\"y\":[2]},{\"x\":2,\"y\":[]}]"), &trace, &err), 0);
    CHECK_EQ(trace.nstate, 2);
    CHECK_EQ(trace.nvar, 2);
    trace_write(&f.ctx, &trace, TRACE_TLC_TEXT, &f.out);
    CHECK_STR(strbuf_cstr(&f.out), "State 1: <Initial predicate>\n/\\ x = 1\n/\\ y = "
                                   "<<2>>\n\nState 2: <Next>\n/\\ x = 2\n/\\ y = <<>>\n\n");
    fixture_done(&f);
}

TEST(text_of_a_lasso)
{
    struct fixture f;
    fixture_init(&f);
    struct trace trace = {0};
    struct err err = {0};
    CHECK_EQ(trace_read(&f.ctx, STR(lasso), &trace, &err), 0);
    trace_write(&f.ctx, &trace, TRACE_TLC_TEXT, &f.out);
    CHECK_STR(strbuf_cstr(&f.out),
              "State 1: <Initial predicate>\nx = 0\n\nState 2: <Inc(3) line 5, col 8 to line 5, "
              "col 9 of module M>\n"
              "x = 1\n\nBack to state 1: <Reset line 6, col 1 to line 6, col 2 of module M>\n");
    strbuf_reset(&f.out);
    trace_write(&f.ctx, &trace, TRACE_ACTION, &f.out);
    CHECK_STR(strbuf_cstr(&f.out), "---- MODULE Trace ----\nEXTENDS M\n\n_length == "
                                   "2\n\n_next(_idx) ==\n\\/ 1 = _idx /\\ Inc(3)\n"
                                   "\\/ 2 = _idx /\\ Reset\n\n_actionConstraint ==\n_next(LET T == "
                                   "INSTANCE TLC IN T!TLCGet(\"level\"))\n\n====");
    fixture_done(&f);
}

TEST(malformed_traces_are_refused)
{
    static const char *const rows[] = {
        "",
        "{}",
        "1",
        "[1]",
        "[{\"x\":1},{}]",
        "{\"states\":[]}",
        "{\"states\":{},\"vars\":[]}",
        "{\"states\":[{}],\"vars\":[\"x\"]}",
        "{\"states\":[{\"x\":1}],\"vars\":[1]}",
        "{\"states\":[{\"x\":1}],\"vars\":[\"x\"],\"loop\":1}",
        "{\"states\":[{\"x\":1}],\"vars\":[\"x\"],\"loop\":-1}",
        "{\"states\":[{\"x\":1}],\"vars\":[\"x\"],\"loop\":\"0\"}",
        "{\"counterexample\":{}}",
        "{\"counterexample\":{\"state\":[1]}}",
        "{\"counterexample\":{\"state\":[[1]]}}",
        "{\"counterexample\":{\"state\":[[0,{\"x\":1}]]},\"vars\":[\"x\"]}",
        "{\"counterexample\":{\"state\":[[2,{\"x\":1}]]},\"vars\":[\"x\"]}",
        "{\"counterexample\":{\"state\":[[1,{\"x\":1}],[1,{\"x\":1}]]},\"vars\":[\"x\"]}",
        "{\"counterexample\":{\"state\":[[1,{\"x\":1}]],\"action\":[[]]},\"vars\":[\"x\"]}",
        "{\"counterexample\":{\"state\":[[1,{\"x\":1}]],\"action\":[[[1,{}],{},[1,{}]]]},\"vars\":["
        "\"x\"]}",
        "{\"counterexample\":{\"state\":[[1,{\"x\":1}],[2,{\"x\":1}],[3,{\"x\":1}]],\"action\":[[["
        "1,{}],{\"name\":\"A\"},[3,{}]]]},\"vars\":[\"x\"]}",
        "{\"counterexample\":{\"state\":[[1,{\"x\":1}]],\"action\":[[[1,{}],{\"name\":\"A\","
        "\"parameters\":[\"p\"]},[1,{}]]]},\"vars\":[\"x\"]}",
    };
    struct fixture f;
    fixture_init(&f);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct trace trace = {0};
        struct err err = {0};
        CHECK(trace_read(&f.ctx, str_of(rows[i]), &trace, &err) != 0);
        CHECK(err.text[0] != '\0');
        CHECK_EQ(trace.nstate, 0);
    }
    fixture_done(&f);
}
