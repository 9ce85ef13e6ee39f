/* What is said about histories that are wrong, to the letter. */
#include <stdbool.h>
#include <stdio.h>

#include "history_util.h"

struct row {
    enum hist_model model;
    const char *text, *said;
};

/* One event a line: PROCESS TYPE F VALUE, the value as JSON. */
static void to_json(const char *text, struct strbuf *out)
{
    for (const char *at = text; *at != '\0';) {
        char process[20];
        char type[20];
        char f[20];
        int value = 0;
        size_t n = strcspn(at, ";");
        CHECK_EQ(sscanf(at, "%19s %19s %19s %n", process, type, f, &value), 3);
        strbuf_printf(out, "{\"process\":%s,\"type\":\"%s\",\"f\":\"%s\",\"value\":%.*s}\n",
                      process, type[0] == 'c' ? "invoke" : type, f, (int)n - value, at + value);
        at += n + (at[n] == ';');
    }
}

static void check_rows(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        SCOPED_STRBUF json = {0};
        to_json(rows[i].text, &json);
        struct judged got =
            judge((struct hist_options){.model = rows[i].model}, false, strbuf_cstr(&json));
        CHECK_STR(got.rc < 0 ? got.err : got.text, rows[i].said);
    }
}

/* a queue: what has no part in the contradiction is left out, an element with its removal */
#define Q(p, v) #p " c enqueue " #v ";" #p " ok enqueue " #v
#define D(p, v) #p " c dequeue null;" #p " ok dequeue " #v
static const struct row object_rows[] = {
    {HIST_QUEUE, Q(0, 1) ";" D(1, 1) ";" Q(0, 2) ";" Q(0, 3) ";" D(1, 3),
     "  no order of these operations explains their results:\n"
     "    []      process 0, lines 5-6: enqueue 2\n"
     "      []    process 0, lines 7-8: enqueue 3\n"
     "        []  process 1, lines 9-10: dequeue -> 3\n"},
    {HIST_QUEUE, Q(0, 5) ";" D(1, 5) ";" D(2, 5),
     "  no order of these operations explains their results:\n"
     "    []      process 0, lines 1-2: enqueue 5\n"
     "      []    process 1, lines 3-4: dequeue -> 5\n"
     "        []  process 2, lines 5-6: dequeue -> 5\n"},
    {HIST_QUEUE, Q(0, 7) ";" Q(0, 8) ";" D(1, 7) ";" D(1, 7) ";" D(1, 9),
     "  no order of these operations explains their results:\n"
     "    []      process 0, lines 1-2: enqueue 7\n"
     "      []    process 1, lines 5-6: dequeue -> 7\n"
     "        []  process 1, lines 7-8: dequeue -> 7\n"},
    {HIST_QUEUE, Q(0, 1) ";2 c dequeue null;2 info dequeue null;" Q(0, 2) ";" D(1, 2) ";" D(1, 2),
     "  no order of these operations explains their results:\n"
     "    []         process 0, lines 1-2: enqueue 1\n"
     "      [======> process 2, lines 3-4: dequeue -> ?\n"
     "       []      process 0, lines 5-6: enqueue 2\n"
     "         []    process 1, lines 7-8: dequeue -> 2\n"
     "           []  process 1, lines 9-10: dequeue -> 2\n"},
    {HIST_REGISTER, "1 c read null;1 ok read 4;0 c write 4;0 ok write 4",
     "  no order of these operations explains their results:\n"
     "    []  process 1, lines 1-2: read -> 4\n"
     "  Nobody had written 4, which line 2 saw.\n"},
    {HIST_REGISTER,
     "0 c write 1;0 ok write 1;1 c write 2;2 c read null;2 ok read 2;2 c read null;2 ok read 1;1 "
     "ok write 2", "  no order of these operations explains their results:\n"
     "    []       process 0, lines 1-2: write 1\n"
     "      [====> process 1, lines 3-8: write 2 (not yet ended)\n"
     "       []    process 2, lines 4-5: read -> 2\n"
     "         []  process 2, lines 6-7: read -> 1\n"},
    {HIST_REGISTER,
     "0 c write 1;0 info write 1;1 c read null;1 ok read 1;1 c read null;1 ok read null", "  no order of these operations explains their results:\n"
     "    [====> process 0, lines 1-2: write 1 -> ?\n"
     "     []    process 1, lines 3-4: read -> 1\n"
     "       []  process 1, lines 5-6: read -> nil\n"},
    {HIST_CAS, "0 c write 1;0 ok write 1;1 c cas [1,2];1 ok cas [1,2];2 c cas [1,3];2 ok cas [1,3]",
     "  no order of these operations explains their results:\n"
     "    []      process 0, lines 1-2: write 1\n"
     "      []    process 1, lines 3-4: cas [1, 2]\n"
     "        []  process 2, lines 5-6: cas [1, 3]\n"},
    {HIST_SET, "0 c add 1;0 ok add 1;0 c add 2;0 ok add 2;1 c read null;1 ok read [2]",
     "  no order of these operations explains their results:\n"
     "    []      process 0, lines 1-2: add 1\n"
     "      []    process 0, lines 3-4: add 2\n"
     "        []  process 1, lines 5-6: read -> [2]\n"},
    {HIST_LOCK, "0 c acquire null;0 ok acquire null;1 c acquire null;1 ok acquire null",
     "  no order of these operations explains their results:\n"
     "    []    process 0, lines 1-2: acquire -> nil\n"
     "      []  process 1, lines 3-4: acquire -> nil\n"},
    {HIST_OWNED_LOCK, "0 c acquire null;0 ok acquire null;1 c release null;1 ok release null",
     "  no order of these operations explains their results:\n"
     "    []    process 0, lines 1-2: acquire -> nil\n"
     "      []  process 1, lines 3-4: release -> nil\n"},
};
TEST(objects)
{
    check_rows(object_rows, sizeof object_rows / sizeof object_rows[0]);
}

#define T(p, in, out) #p " c txn " in ";" #p " ok txn " out
static const struct row txn_rows[] = {
    {HIST_RW_REGISTER,
     T(2, "[[\"w\",\"x\",3]]", "[[\"w\",\"x\",3]]") ";" T(
         0, "[[\"r\",\"x\",null],[\"w\",\"x\",1]]",
     "[[\"r\",\"x\",3],[\"w\",\"x\",1]]") ";" T(1, "[[\"r\",\"x\",null],[\"w\",\"x\",2]]",
     "[[\"r\",\"x\",3],[\"w\",\"x\",2]]"),
     "lost-update (1 found)\n"
     "  T1 and T2 read the same value and both wrote: one of the updates is lost:\n"
     "    T1 = process 0, lines 3-4: read \"x\" 3, write \"x\" 1\n"
     "    T2 = process 1, lines 5-6: read \"x\" 3, write \"x\" 2\n"},
    {HIST_RW_REGISTER, T(0, "[[\"r\",\"x\",null]]", "[[\"r\",\"x\",8]]"),
     "garbage-read (1 found)\n"
     "  A value that nobody wrote:\n"
     "    T = process 0, lines 1-2: read \"x\" 8\n"},
    {HIST_RW_REGISTER,
     "1 c txn [[\"w\",\"x\",1]];1 fail txn [[\"w\",\"x\",1]];" T(0, "[[\"r\",\"x\",null]]",
     "[[\"r\",\"x\",1]]"),
     "G1a (1 found)\n"
     "  T2 saw what T1, which failed, had written:\n"
     "    T1 = process 1, lines 1-2 (failed): write \"x\" 1\n"
     "    T2 = process 0, lines 3-4: read \"x\" 1\n"},
    {HIST_RW_REGISTER,
     T(0, "[[\"r\",\"x\",null],[\"w\",\"x\",1]]", "[[\"r\",\"x\",1],[\"w\",\"x\",1]]"),
     "future-read (1 found)\n"
     "  A transaction saw what it wrote only later:\n"
     "    T1 = process 0, lines 1-2: read \"x\" 1, write \"x\" 1\n"
     "    T2 = process 0, lines 1-2: read \"x\" 1, write \"x\" 1\n"},
    {HIST_RW_REGISTER,
     T(0, "[[\"w\",\"x\",1],[\"w\",\"x\",2]]",
     "[[\"w\",\"x\",1],[\"w\",\"x\",2]]") ";" T(1, "[[\"r\",\"x\",null]]", "[[\"r\",\"x\",1]]"),
     "G1b (1 found)\n"
     "  T2 saw a value in the middle of T1:\n"
     "    T1 = process 0, lines 1-2: write \"x\" 1, write \"x\" 2\n"
     "    T2 = process 1, lines 3-4: read \"x\" 1\n"},
    {HIST_RW_REGISTER,
     T(0, "[[\"w\",\"x\",1]]", "[[\"w\",\"x\",1]]") ";" T(1, "[[\"w\",\"x\",1]]",
     "[[\"w\",\"x\",1]]"),
     "h:3: 1 is written to \"x\" a second time (first in line 1); values must tell who wrote them"},
    {HIST_LIST_APPEND,
     T(0, "[[\"append\",\"x\",1]]", "[[\"append\",\"x\",1]]") ";" T(
         1, "[[\"append\",\"x\",2]]",
     "[[\"append\",\"x\",2]]") ";" T(2, "[[\"r\",\"x\",null]]",
     "[[\"r\",\"x\",[1,2]]]") ";" T(3, "[[\"r\",\"x\",null]]",
     "[[\"r\",\"x\",[2,1]]]"),
     "incompatible-order (1 found)\n"
     "  Two reads of \"x\" of which neither could become the other:\n"
     "    T1 = process 2, lines 5-6: read \"x\" [1, 2]\n"
     "    T2 = process 3, lines 7-8: read \"x\" [2, 1]\n"},
    {HIST_LIST_APPEND,
     T(0, "[[\"append\",\"x\",1],[\"append\",\"x\",2]]",
     "[[\"append\",\"x\",1],[\"append\",\"x\",2]]") ";" T(2, "[[\"r\",\"x\",null]]",
     "[[\"r\",\"x\",[1]]]"),
     "G1b (1 found)\n"
     "  T2 saw the list in the middle of T1:\n"
     "    T1 = process 0, lines 1-2: append to \"x\" 1, append to \"x\" 2\n"
     "    T2 = process 2, lines 3-4: read \"x\" [1]\n"
     "G-single-item (1 found)\n"
     "  Each of these came before the next, and the last before the first:\n"
     "    T1 = process 2, lines 3-4: read \"x\" [1]\n"
     "    T2 = process 0, lines 1-2: append to \"x\" 1, append to \"x\" 2\n"
     "    T1 before T2: T1 did not see T2's append of 2 to \"x\" (rw)\n"
     "    T2 before T1: T1 saw T2's append of 1 to \"x\" (wr)\n"},
    {HIST_LIST_APPEND,
     T(0, "[[\"append\",\"x\",1],[\"r\",\"x\",null]]", "[[\"append\",\"x\",1],[\"r\",\"x\",[]]]"),
     "internal (1 found)\n"
     "  A transaction does not see what it did or saw itself:\n"
     "    T = process 0, lines 1-2: append to \"x\" 1, read \"x\" []\n"},
    {HIST_LIST_APPEND, T(0, "[[\"r\",\"x\",null]]", "[[\"r\",\"x\",5]]"),
     "h:2: a read of a list must return a list"},
    {HIST_LIST_APPEND, T(0, "[[\"jump\",\"x\",null]]", "[[\"jump\",\"x\",null]]"),
     "h:1: a transaction of this model consists of \"r\" and \"append\""},
    {HIST_LIST_APPEND, T(0, "7", "7"),
     "h:1: the value of a transaction is a list of reads and writes"},
};
TEST(transactions)
{
    check_rows(txn_rows, sizeof txn_rows / sizeof txn_rows[0]);
}

static const struct row bank_rows[] = {
    {HIST_BANK,
     "0 c read null;0 ok read {\"a\":5,\"b\":5};1 c transfer [\"a\",\"b\",1];1 ok transfer null;0 "
     "c read null;0 ok read {\"a\":4,\"b\":6}",                                                  ""                         },
    {HIST_BANK,
     "0 c read null;0 ok read {\"a\":5,\"b\":5};0 c read null;0 ok read {\"a\":4,\"b\":5}",      "  lines 3-4, process 0: the total is 9 instead of 10 (as in line 2)\n"
     "    {\"a\": 4, \"b\": 5}\n"},
    {HIST_BANK, "0 c read null;0 ok read [5,5];0 c read null;0 ok read [[\"a\",11],[\"b\",-1]]",
     "  lines 3-4, process 0: an account is below zero\n"
     "    [[\"a\", 11], [\"b\", -1]]\n"                                                                                     },
    {HIST_BANK, "0 c read null;0 ok read [5,null,5];0 c read null;0 ok read [10]",               ""                         },
    {HIST_BANK, "0 c read null;0 ok read [5,\"x\"]",
     "h:2: a read of a bank returns the balance of each account, as whole numbers"                                          },
    {HIST_BANK, "0 c read null;0 ok read 10",
     "h:2: a read of a bank returns the balance of each account, as whole numbers"                                          },
    {HIST_BANK, "0 c read null;0 ok read [9223372036854775807,1]",
     "h:2: a read of a bank returns the balance of each account, as whole numbers"                                          },
    {HIST_BANK, "0 c jump null;0 ok jump 10",
     "h:1: the operations of a bank are \"transfer\" and \"read\""                                                          },
    {HIST_BANK, "0 c transfer null;0 ok transfer null",
     "h: no read of the accounts ended with \"ok\": there is nothing to judge"                                              },
    {HIST_BANK,
     "0 c read null;0 ok read [1];0 c read null;0 ok read [2];0 c read null;0 ok read [3]",      "  lines 3-4, process 0: the total is 2 instead of 1 (as in line 2)\n"
     "    [2]\n"                 },
};
TEST(bank)
{
    check_rows(bank_rows, sizeof bank_rows / sizeof bank_rows[0]);
}

/* The values of an object in a circle: each of them is named, of whatever kind it is. */
TEST(values_before_themselves)
{
    static const char *const values[][2] = {
        {"1",          "2"    },
        {"\"a\"",      "\"b\""},
        {"[1, 2]",     "true" },
        {"{\"a\": 7}", "-3"   },
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        const char *a = values[i][0], *b = values[i][1];
        SCOPED_STRBUF events = {0};
        SCOPED_STRBUF json = {0};
        strbuf_printf(&events,
                      "0 c txn [[\"w\",\"x\",%s]];0 ok txn [[\"w\",\"x\",%s]];"
                      "0 c txn [[\"w\",\"x\",%s]];0 ok txn [[\"w\",\"x\",%s]];"
                      "0 c txn [[\"r\",\"x\",null]];0 ok txn [[\"r\",\"x\",%s]]",
                      a, a, b, b, a);
        to_json(strbuf_cstr(&events), &json);
        struct judged got =
            judge((struct hist_options){.model = HIST_RW_REGISTER, .keys = HIST_KEYS_SEQUENTIAL},
                  false, strbuf_cstr(&json));
        CHECK_STR(got.names, "cyclic-versions");
        SCOPED_STRBUF said = {0};
        strbuf_printf(&said,
                      "cyclic-versions (1 found)\n  The values of \"x\" come before themselves: "
                      "%s before %s, and the other way round\n",
                      a, b);
        CHECK_STR(got.text, strbuf_cstr(&said));
    }
}

/* A log of Jepsen: each kind of line counts, what is something else does not. */
TEST(lines_of_a_log)
{
    static const struct {
        const char *type;
        enum hist_outcome outcome;
    } rows[] = {
        {"ok",   HIST_CONSISTENT},
        {"info", HIST_CONSISTENT},
        {"fail", HIST_VIOLATED  },
        {"done", HIST_CONSISTENT}, /* not a line of a history: the write goes on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCOPED_STRBUF log = {0};
        strbuf_printf(&log,
                      "INFO [worker 0] util - 0\t:invoke\t:write\t1\n"
                      "INFO [worker 0] util - 0\t:%s\t:write\t1\n"
                      "INFO [worker 1] util - 1\t:invoke\t:read\tnil\n"
                      "INFO [worker 1] util - 1\t:ok\t:read\t1\n",
                      rows[i].type);
        struct judged got =
            judge((struct hist_options){.model = HIST_REGISTER}, false, strbuf_cstr(&log));
        CHECK_STR(got.err, "");
        CHECK_EQ(got.outcome, rows[i].outcome);
    }
}
