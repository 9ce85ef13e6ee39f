/* Verdicts on small histories. The transactions are those by which the literature explains its
 * anomalies (Adya 1999; Elle's own tests use the same): the expected names are Elle's. */
#include <stdbool.h>
#include <stdio.h>

#include "history_util.h"

/* ---- objects ---- */

struct row {
    enum hist_model model;
    enum hist_level level;
    enum hist_outcome outcome;
    const char *text; /* PROCESS TYPE F VALUE [KEY], one event each, separated by ';' */
};

/* The events of a row as JSON lines. */
static void to_json(const char *row, struct strbuf *out)
{
    char copy[2000];
    snprintf(copy, sizeof copy, "%s", row);
    char *rest = copy;
    for (char *event = strtok_r(copy, ";", &rest); event != NULL;
         event = strtok_r(NULL, ";", &rest)) {
        char process[20];
        char type[20];
        char f[20];
        char value[200];
        char key[20] = "";
        int n = sscanf(event, "%19s %19s %19s %199s %19s", process, type, f, value, key);
        CHECK(n >= 4);
        const char *full = type[0] == 'c' ? "invoke" : type;
        strbuf_printf(out, "{\"process\":%s,\"type\":\"%s\",\"f\":\"%s\",\"value\":%s", process,
                      full, f, value);
        strbuf_printf(out, n == 5 ? ",\"key\":\"%s\"}\n" : "}\n%s", n == 5 ? key : "");
    }
}

#define STALE      "0 c write 1;0 ok write 1;0 c write 2;0 ok write 2;1 c read null;1 ok read 1"
#define OPEN_WRITE "0 c write 1;0 info write 1;1 c read null;1 ok read 1;1 c read null;1 ok read "
static const struct row rows[] = {
    {HIST_REGISTER,   0,               HIST_VIOLATED,   STALE                                                    },
    {HIST_REGISTER,   HIST_SEQUENTIAL, HIST_CONSISTENT, STALE                                                    },
    {HIST_REGISTER,   0,               HIST_CONSISTENT, OPEN_WRITE "1"                                           },
    {HIST_REGISTER,   0,               HIST_VIOLATED,   OPEN_WRITE "null"                                        },
    {HIST_REGISTER,   HIST_SEQUENTIAL, HIST_VIOLATED,   OPEN_WRITE "null"                                        },
    /* what failed did not happen */
    {HIST_REGISTER,   0,               HIST_VIOLATED,   "0 c write 1;0 fail write 1;1 c read null;1 ok read 1"   },
    /* concurrent with the write: either value will do, but not back and forth */
    {HIST_REGISTER,   0,               HIST_CONSISTENT,
     "0 c write 1;1 c read null;1 ok read null;1 c read null;1 ok read 1;0 ok write 1"                           },
    {HIST_REGISTER,   0,               HIST_VIOLATED,
     "0 c write 1;1 c read null;1 ok read 1;1 c read null;1 ok read null;0 ok write 1"                           },
    /* a write of the value that is there must not be placed too early */
    {HIST_CAS,        0,               HIST_CONSISTENT,
     "0 c write 0;0 ok write 0;1 c cas [0,2];1 info cas [0,2];2 c read null;3 c write 0;"
     "2 ok read 2;3 ok write 0;2 c read null;2 ok read 0"                                                        },
    {HIST_CAS,        0,               HIST_CONSISTENT, "0 c write 1;0 ok write 1;0 c cas [1,2];0 ok cas [1,2]"  },
    {HIST_CAS,        0,               HIST_VIOLATED,   "0 c write 1;0 ok write 1;0 c cas [2,3];0 ok cas [2,3]"  },
    {HIST_CAS,        0,               HIST_CONSISTENT, "0 c write 1;0 ok write 1;0 c cas [2,3];0 fail cas [2,3]"},
    {HIST_KV,         0,               HIST_CONSISTENT,
     "0 c put \"a\" x;0 ok put \"a\" x;0 c append \"b\" x;0 ok append \"b\" x;1 c get null x;"
     "1 ok get \"ab\" x;1 c get null y;1 ok get \"\" y"                                                          },
    {HIST_KV,         0,               HIST_VIOLATED,
     "0 c append \"a\" x;0 ok append \"a\" x;0 c append \"b\" x;0 ok append \"b\" x;1 c get null x;"
     "1 ok get \"ba\" x"                                                                                         },
    {HIST_KV,         0,               HIST_VIOLATED,
     "0 c put 1 x;0 ok put 1 x;0 c delete null x;0 ok delete null x;0 c get null x;0 ok get 1 x"                 },
    {HIST_QUEUE,      0,               HIST_CONSISTENT,
     "0 c enqueue \"a\";0 ok enqueue \"a\";0 c enqueue \"b\";0 ok enqueue \"b\";1 c dequeue null;"
     "1 ok dequeue \"a\";1 c dequeue null;1 ok dequeue \"b\";1 c dequeue null;1 ok dequeue null"                 },
    {HIST_QUEUE,      0,               HIST_VIOLATED,
     "0 c enqueue 1;0 ok enqueue 1;0 c enqueue 2;0 ok enqueue 2;1 c dequeue null;1 ok dequeue 2"                 },
    {HIST_QUEUE,      0,               HIST_VIOLATED,
     "0 c enqueue 1;0 ok enqueue 1;1 c dequeue null;1 ok dequeue null"                                           },
    /* a removal without an answer may have taken it, or not */
    {HIST_QUEUE,      0,               HIST_CONSISTENT,
     "0 c enqueue 1;0 ok enqueue 1;1 c dequeue null;1 info dequeue null;2 c dequeue null;"
     "2 ok dequeue null"                                                                                         },
    {HIST_SET,        0,               HIST_CONSISTENT,
     "0 c add 1;0 ok add 1;0 c add 2;0 ok add 2;0 c read null;0 ok read [2,1]"                                   },
    {HIST_SET,        0,               HIST_VIOLATED,
     "0 c add 1;0 ok add 1;0 c add 2;0 ok add 2;0 c read null;0 ok read [2]"                                     },
    {HIST_SET,        0,               HIST_CONSISTENT,
     "0 c add 1;0 ok add 1;0 c remove 1;0 ok remove 1;0 c read null;0 ok read []"                                },
    {HIST_LOCK,       0,               HIST_VIOLATED,
     "0 c acquire null;0 ok acquire null;1 c acquire null;1 ok acquire null"                                     },
    {HIST_LOCK,       0,               HIST_CONSISTENT,
     "0 c acquire null;0 ok acquire null;1 c release null;1 ok release null"                                     },
    {HIST_OWNED_LOCK, 0,               HIST_VIOLATED,
     "0 c acquire null;0 ok acquire null;1 c release null;1 ok release null"                                     },
    {HIST_BANK,       0,               HIST_CONSISTENT,
     "0 c read null;0 ok read {\"a\":5,\"b\":5};0 c read null;0 ok read {\"a\":3,\"b\":7}"                       },
    {HIST_BANK,       0,               HIST_VIOLATED,
     "0 c read null;0 ok read {\"a\":5,\"b\":5};0 c read null;0 ok read {\"a\":3,\"b\":5}"                       },
    {HIST_BANK,       0,               HIST_VIOLATED,   "0 c read null;0 ok read {\"a\":-5,\"b\":5}"             },
};

TEST(objects)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCOPED_STRBUF json = {0};
        to_json(rows[i].text, &json);
        struct judged got =
            judge((struct hist_options){.model = rows[i].model, .level = rows[i].level}, false,
                  strbuf_cstr(&json));
        if (got.rc != 0 || got.outcome != rows[i].outcome) {
            fprintf(stderr, "row %zu: %s\n%s%s", i, rows[i].text, got.err, got.text);
        }
        CHECK_EQ(got.rc, 0);
        CHECK_EQ(got.outcome, rows[i].outcome);
    }
}

/* ---- explanations ---- */

TEST(explanation_is_minimal)
{
    /* reads and writes around a stale read have no part in it */
    SCOPED_STRBUF json = {0};
    to_json("0 c write 7;0 ok write 7;2 c read null;2 ok read 7;" STALE
            ";2 c write 9;2 ok write 9;2 c read null;2 ok read 9",
            &json);
    struct judged got =
        judge((struct hist_options){.model = HIST_REGISTER}, false, strbuf_cstr(&json));
    CHECK_STR(got.text, "  no order of these operations explains their results:\n"
                        "    []      process 0, lines 5-6: write 1\n"
                        "      []    process 0, lines 7-8: write 2\n"
                        "        []  process 1, lines 9-10: read -> 1\n"
                        "  A stale read: line 10 saw what line 8 had overwritten before the read "
                        "began.\n");
}

TEST(a_value_from_nowhere)
{
    struct judged got = judge((struct hist_options){.model = HIST_REGISTER}, false,
                              "{\"process\":0,\"type\":\"invoke\",\"f\":\"read\"}\n"
                              "{\"process\":0,\"type\":\"ok\",\"f\":\"read\",\"value\":3}\n");
    CHECK_EQ(got.outcome, HIST_VIOLATED);
    CHECK(strstr(got.text, "Nobody had written 3") != NULL);
}

/* ---- transactions ---- */

/* "ax1": append 1 to x; "rx12": read [1, 2]; "rx_": read nil; with model rw "wx1", "rx1". */
static void txn_json(const char *text, bool append, bool answers, struct strbuf *out)
{
    strbuf_addc(out, '[');
    for (const char *p = text; *p != '\0';) {
        char f = *p++;
        char key = *p++;
        strbuf_printf(out, "%s[\"%s\",\"%c\",", out->p[out->n - 1] == '[' ? "" : ",",
                      f == 'a'   ? "append"
                      : f == 'w' ? "w"
                                 : "r",
                      key);
        bool list = append && f == 'r';
        bool nil = *p == '_';
        p += nil;
        const char *digits = p;
        while (*p >= '0' && *p <= '9') {
            p++;
        }
        if (nil || (f == 'r' && !answers)) {
            strbuf_adds(out, "null]");
            continue;
        }
        strbuf_adds(out, list ? "[" : "");
        for (const char *d = digits; d < p; d++) {
            strbuf_printf(out, "%s%c", d > digits ? "," : "", *d);
        }
        strbuf_adds(out, list ? "]]" : "]");
    }
    strbuf_addc(out, ']');
}

/* Transactions, separated by blanks, each with a process before a colon and "!" behind it when it
 * failed, "?" when it is open. `pairs`: one after the other; else all at the same time. */
static void txns_json(const char *text, bool append, bool pairs, struct strbuf *out)
{
    for (int pass = 0; pass < 2; pass++) {
        char copy[500];
        snprintf(copy, sizeof copy, "%s", text);
        char *rest = copy;
        for (char *word = strtok_r(copy, " ", &rest); word != NULL;
             word = strtok_r(NULL, " ", &rest)) {
            char *body = strchr(word, ':') + 1;
            const char *type = body[-2] == '!' ? "fail" : body[-2] == '?' ? "info" : "ok";
            int process = atoi(word);
            for (int end = 0; end < 2; end++) {
                if (pairs ? pass == 1 : pass != end) {
                    continue;
                }
                strbuf_printf(out,
                              "{\"process\":%d,\"type\":\"%s\",\"f\":\"txn\",\"value\":", process,
                              end != 0 ? type : "invoke");
                txn_json(body, append, end != 0, out);
                strbuf_adds(out, "}\n");
            }
        }
    }
}

struct txn_row {
    const char *names; /* of all anomalies */
    bool pairs;
    const char *text;
    enum hist_level weakest; /* that forbids one of them; HIST_DEFAULT: none does */
};
static const struct txn_row append_rows[] = {
    {"",                       true,  "0:ax1 1:rx1",                            HIST_DEFAULT             },
    {"",                       false, "0:ax1ay1 1:rx1ry1 2:ax2 3:rx12",         HIST_DEFAULT             },
    {"G0",                     false, "0:ax1ay1 1:ax2ay2 2:rx12ry21",           HIST_READ_UNCOMMITTED    },
    {"G1a",                    false, "0!:ax1 1:rx1",                           HIST_READ_COMMITTED      },
    {"G1b G-single-item",      true,  "0:ax1ax2 1:rx1",                         HIST_READ_COMMITTED      },
    {"G1c",                    false, "0:ax1ry1 1:ax2ay1 2:rx12ry1",            HIST_READ_COMMITTED      },
    {"G-single-item",          false, "0:ax1ay1 1:ax2ry 2:rx12",                HIST_SNAPSHOT_ISOLATION  },
    {"G2-item",                false, "0:ax1ry 1:ay1rx",                        HIST_REPEATABLE_READ     },
    {"G-single-item-realtime", true,  "0:ax1 1:ax2 2:rx1 3:rx12",               HIST_STRICT_SERIALIZABLE },
    {"G-single-item-process",  true,  "0:ax1 1:ax2 1:rx1 2:rx12",               HIST_SESSION_SERIALIZABLE},
    {"G-nonadjacent-item",     false, "0:ax1 1:rx1ry 2:ay1 3:ry1rx",            HIST_SNAPSHOT_ISOLATION  },
    {"incompatible-order G1c", false, "0:ax1ry1 1:ax2 2:ax3ay1 3:rx13 4:rx123",
     HIST_READ_COMMITTED                                                                                 },
    {"G1a dirty-update",       false, "0!:ax1 1:ax2 2:rx12",                    HIST_READ_COMMITTED      },
    {"duplicate-elements",     false, "0:ax1 1:rx11",                           HIST_READ_UNCOMMITTED    },
    {"internal",               false, "0:rxax1rx",                              HIST_SNAPSHOT_ISOLATION  },
    {"garbage-read",           false, "0:rx7",                                  HIST_READ_UNCOMMITTED    },
    {"internal future-read",   false, "0:rx1ax1rx1",                            HIST_READ_COMMITTED      },
    /* what an open transaction did may have happened */
    {"",                       false, "0?:ax1 1:rx1 2:rx",                      HIST_DEFAULT             },
};

static void judge_rows(const struct txn_row *table, size_t n, enum hist_model model, unsigned keys)
{
    for (size_t i = 0; i < n; i++) {
        SCOPED_STRBUF json = {0};
        txns_json(table[i].text, model == HIST_LIST_APPEND, table[i].pairs, &json);
        for (enum hist_level level = HIST_READ_UNCOMMITTED; level < HIST_LEVEL_COUNT; level++) {
            struct judged got =
                judge((struct hist_options){.model = model, .level = level, .keys = keys}, false,
                      strbuf_cstr(&json));
            /* the two middle levels are not comparable */
            bool wrong = table[i].weakest != HIST_DEFAULT && level >= table[i].weakest;
            if (got.rc != 0 || strcmp(got.names, table[i].names) != 0 ||
                (level != HIST_REPEATABLE_READ && (got.outcome == HIST_VIOLATED) != wrong)) {
                fprintf(stderr, "%s as %s: %s%s\n%s", table[i].text, hist_level_name(level),
                        got.err, got.names, got.text);
            }
            CHECK_EQ(got.rc, 0);
            CHECK_STR(got.names, table[i].names);
            if (level != HIST_REPEATABLE_READ) {
                CHECK_EQ(got.outcome == HIST_VIOLATED, wrong);
            }
        }
    }
}

TEST(list_append)
{
    judge_rows(append_rows, sizeof append_rows / sizeof append_rows[0], HIST_LIST_APPEND, 0);
}

static const struct txn_row rw_rows[] = {
    {"",              false, "0:wx1 1:rx1 2:rx_",       HIST_DEFAULT           },
    {"G1a",           false, "0:rx1 1!:wx1",            HIST_READ_COMMITTED    },
    {"G1b",           false, "0:wx1wx2 1:rx1",          HIST_READ_COMMITTED    },
    {"G1c",           false, "0:wx1ry1 1:wy1rx1",       HIST_READ_COMMITTED    },
    {"lost-update",   false, "2:wx3 0:rx3wx1 1:rx3wx2", HIST_SNAPSHOT_ISOLATION},
    {"internal",      false, "3:wx1 0:rx1wx2rx1",       HIST_SNAPSHOT_ISOLATION},
    /* x was empty when 0 read it, so it did so before 1 wrote, whose y it saw */
    {"G-single-item", false, "0:rx_ry1 1:wy1wx2",       HIST_SNAPSHOT_ISOLATION},
    {"G2-item",       false, "0:rx_wy1 1:ry_wx1",       HIST_REPEATABLE_READ   },
};
TEST(rw_register)
{
    judge_rows(rw_rows, sizeof rw_rows / sizeof rw_rows[0], HIST_RW_REGISTER, 0);
}

static const struct txn_row wfr_rows[] = {
    {"G-single-item", false, "2:wy1 0:ry1wx1wy2 1:rx1ry1", HIST_SNAPSHOT_ISOLATION},
};
static const struct txn_row real_rows[] = {
    {"cyclic-versions", true, "0:wx1 0:wx2 0:rx1", HIST_READ_UNCOMMITTED},
};
TEST(rw_register_with_order_of_values)
{
    judge_rows(wfr_rows, 1, HIST_RW_REGISTER, HIST_KEYS_WFR);
    judge_rows(real_rows, 1, HIST_RW_REGISTER, HIST_KEYS_SEQUENTIAL);
    judge_rows(real_rows, 1, HIST_RW_REGISTER, HIST_KEYS_LINEARIZABLE);
}

/* ---- files that are no histories ---- */

static const struct {
    const char *text, *said;
} bad[] = {
    {"",                                                                        "h: there is no operation in it"                                     },
    {"{\"process\":0}",                                                         "h:1: the event has no \"type\""                                     },
    {"{\"type\":\"ok\"}",                                                       "h:1: the event has no \"process\""                                  },
    {"{\"process\":0,\"type\":\"done\",\"f\":\"read\"}",                        "h:1: \"type\" must be"                                              },
    {"{\"process\":0,\"type\":\"ok\",\"f\":\"read\"}",
     "h:1: process 0 ends an operation that it never began"                                                                                          },
    {"{\"process\":0,\"type\":\"invoke\",\"f\":\"read\"}\n{\"process\":0,\"type\":\"invoke\",\"f\":"
     "\"read\"}",                                                          "h:2: process 0 calls although its operation of line 1 has not ended"},
    {"{\"process\":0,\"type\":\"invoke\",\"f\":\"read\"}\n{\"process\":0,\"ty",
     "h:2: this is not JSON"                                                                                                                         },
    {"{\"process\":0,\"type\":\"invoke\",\"f\":\"read\"}",                      "h: no operation ended with \"ok\""                                  },
    {"{\"process\":0,\"type\":\"invoke\",\"f\":\"jump\"}",
     "h:1: operation \"jump\" is none of a register"                                                                                                 },
    {"[{:process 0, :type :invoke",                                             "h:1: the bracket that opens here is never closed"                   },
    {"{:process 0 :type :invoke :f}",                                           "h:1: the map that begins here has a key without a value"            },
    {"hello",                                                                   "h: there is no operation in it"                                     },
};
TEST(bad_files)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct judged got =
            judge((struct hist_options){.model = HIST_REGISTER}, false, bad[i].text);
        if (got.rc >= 0 || strncmp(got.err, bad[i].said, strlen(bad[i].said)) != 0) {
            fprintf(stderr, "%s\nsaid: %s\nwant: %s\n", bad[i].text, got.err, bad[i].said);
        }
        CHECK(got.rc < 0);
        CHECK(strncmp(got.err, bad[i].said, strlen(bad[i].said)) == 0);
    }
}

/* ---- notations ---- */

TEST(notations_agree)
{
    static const char *const texts[] = {
        "{\"process\":0,\"type\":\"invoke\",\"f\":\"write\",\"value\":1}\n"
        "{\"process\":0,\"type\":\"ok\",\"f\":\"write\",\"value\":1}\n"
        "{\"process\":1,\"type\":\"invoke\",\"f\":\"read\",\"value\":null}\n"
        "{\"process\":1,\"type\":\"ok\",\"f\":\"read\",\"value\":null}\n",
        "[{\"process\":0,\"type\":\"invoke\",\"f\":\"write\",\"value\":1},\n"
        "{\"process\":0,\"type\":\"ok\",\"f\":\"write\",\"value\":1},\n"
        "{\"process\":1,\"type\":\"invoke\",\"f\":\"read\",\"value\":null},\n"
        "{\"process\":1,\"type\":\"ok\",\"f\":\"read\",\"value\":null}]\n",
        "; a comment\n"
        "[{:process 0, :type :invoke, :f :write, :value 1}\n"
        "#jepsen.history.Op{:process 0, :type :ok, :f :write, :value 1}\n"
        "{:process :nemesis, :type :info, :f :start, :value nil}\n"
        "{:process 1, :type :invoke, :f :read, :value nil}\n"
        "{:process 1, :type :ok, :f :read, :value nil}]\n",
        "INFO  jepsen.util - 0\t:invoke\t:write\t1\n"
        "INFO  jepsen.util - 0   :ok :write  1\n"
        "INFO  jepsen.core - something else\n"
        "INFO  jepsen.util - 1\t:invoke\t:read\tnil\n"
        "INFO  jepsen.util - 1\t:ok\t:read\tnil\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct judged got = judge((struct hist_options){.model = HIST_REGISTER}, false, texts[i]);
        CHECK_EQ(got.rc, 0);
        CHECK_EQ(got.outcome, HIST_VIOLATED);
    }
}

TEST(escapes_of_edn)
{
    /* one text, written in two ways: a read of it is right; and a pair of surrogates */
    const char *text =
        "{:process 0 :type :invoke :f :write :value \"caf\\u00E9 \\uD83D\\ude00\\b\"}\n"
        "{:process 0 :type :ok :f :write :value nil}\n"
        "{:process 0 :type :invoke :f :read :value nil}\n"
        "{:process 0 :type :ok :f :read :value \"caf\303\251 \360\237\230\200\b\"}\n";
    struct judged got = judge((struct hist_options){.model = HIST_REGISTER}, false, text);
    CHECK_EQ(got.rc, 0);
    CHECK_EQ(got.outcome, HIST_CONSISTENT);
    static const char *const wrong[] = {"\"\\u12\"", "\"\\uD83D\"", "\"\\q\"", "\"\\u12G4\""};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char event[100];
        snprintf(event, sizeof event, "{:process 0 :type :invoke :f :write :value %s}", wrong[i]);
        CHECK(judge((struct hist_options){.model = HIST_REGISTER}, false, event).rc < 0);
    }
}

TEST(keyed_values)
{
    const char *text = "{:process 0 :type :invoke :f :write :value [:x 1]}\n"
                       "{:process 0 :type :ok :f :write :value [:x 1]}\n"
                       "{:process 0 :type :invoke :f :read :value [:y nil]}\n"
                       "{:process 0 :type :ok :f :read :value [:y nil]}\n";
    struct judged got = judge((struct hist_options){.model = HIST_REGISTER}, true, text);
    CHECK_EQ(got.rc, 0);
    CHECK_EQ(got.outcome, HIST_CONSISTENT);
}
