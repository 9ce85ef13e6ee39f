/* Operations are drawn one by one, so that any of them can be left out. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "client/client.h"
#include "client/client_int.h"
#include "test.h"

static void draw(const struct client_options *o, uint32_t worker, uint64_t number, struct op *ret)
{
    struct weights weights;
    struct err err;
    CHECK(weights_parse(o, &weights, &err) == 0);
    op_draw(o, &weights, worker, number, ret);
}

TEST(an_operation_is_a_function_of_its_number)
{
    struct client_options o = client_defaults();
    struct op first, other, again;
    for (int workload = 0; workload < WORKLOADS; workload++) {
        o.workload = (enum client_workload)workload;
        draw(&o, 1, 7, &first);
        draw(&o, 2, 7, &other);
        draw(&o, 1, 7, &again);
        CHECK(memcmp(&first, &again, sizeof first) == 0);
        CHECK(memcmp(&first, &other, sizeof first) != 0);
    }
}

TEST(written_values_are_unique)
{
    struct client_options o = client_defaults();
    struct op op;
    bool seen[1000] = {false};
    o.workload = WORK_REGISTER;
    for (uint32_t worker = 0; worker < o.workers; worker++) {
        for (uint64_t i = 0; i < 100; i++) {
            draw(&o, worker, i, &op);
            CHECK(op.value > 0 && op.value < 1000 && !seen[op.value]);
            seen[op.value] = true;
            CHECK(op.key < o.keys);
        }
    }
}

TEST(keys_are_replaced_after_a_while)
{
    struct client_options o = client_defaults();
    struct op op;
    uint64_t most = 0;
    o.workload = WORK_REGISTER;
    o.per_key = 10;
    for (uint64_t i = 0; i < 100; i++) {
        draw(&o, 0, i, &op);
        most = op.key > most ? op.key : most;
    }
    CHECK(most >= 40 && most < 60); /* 500 operations, 10 for each key: 50 keys */
}

TEST(a_mix_is_obeyed)
{
    struct client_options o = client_defaults();
    struct op op;
    int reads = 0;
    o.workload = WORK_CAS;
    o.mix = "read=3, cas=1";
    for (uint64_t i = 0; i < 400; i++) {
        draw(&o, 0, i, &op);
        CHECK(op.kind == OP_READ || op.kind == OP_CAS);
        reads += op.kind == OP_READ ? 1 : 0;
    }
    CHECK(reads > 250 && reads < 350);
}

TEST(mixes_that_cannot_be)
{
    static const char *const bad[] = {"read", "read=x", "raed=1", "read=0", "write=-1", "add=1"};
    struct client_options o = client_defaults();
    o.workload = WORK_REGISTER;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct weights weights;
        struct err err;
        o.mix = bad[i];
        CHECK(weights_parse(&o, &weights, &err) == -ERR_INVALID);
    }
}

TEST(operations_that_are_left_out)
{
    static const char *const bad[] = {"1", "1.", "a.1", "1.2-", "1.2 3", "1.2-x"};
    struct skips skips = {0};
    struct err err;
    CHECK(skips_parse("0.3,2.5-9", &skips, &err) == 0);
    CHECK(skips_has(&skips, 0, 3) && !skips_has(&skips, 0, 4) && !skips_has(&skips, 1, 3));
    CHECK(skips_has(&skips, 2, 5) && skips_has(&skips, 2, 9) && !skips_has(&skips, 2, 10));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(skips_parse(bad[i], &skips, &err) == -ERR_INVALID);
    }
    VEC_DONE(&skips.v);
}

TEST(what_servers_say_as_json)
{
    static const struct {
        const char *text, *value, *list;
    } rows[] = {
        {"12",                   "12",                       "[12]"                      },
        {"-3",                   "-3",                       "[-3]"                      },
        {"",                     "\"\"",                     "[]"                        },
        {"1,2, 3",               "\"1,2, 3\"",               "[1,2,3]"                   },
        {"007",                  "\"007\"",                  "[\"007\"]"                 },
        {"a\"\n",                "\"a\\\"\\u000a\"",         "[\"a\\\"\"]"               },
        {"[4 5]",                "\"[4 5]\"",                "[4,5]"                     },
        {"99999999999999999999", "\"99999999999999999999\"", "[\"99999999999999999999\"]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCOPED_STRBUF value = {0};
        SCOPED_STRBUF list = {0};
        json_add_value(&value, str_of(rows[i].text));
        json_add_list(&list, str_of(rows[i].text));
        CHECK(strcmp(strbuf_cstr(&value), rows[i].value) == 0);
        CHECK(strcmp(strbuf_cstr(&list), rows[i].list) == 0);
    }
}
