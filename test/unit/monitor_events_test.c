/* One node of small specifications, on a network of each kind: what explains which events. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "monitor/monitor.h"
#include "monitor_util.h"
#include "test.h"

#define HEAD "spec = \"Test.tla\"\nconfig = \"Test.cfg\"\ncluster = \"c.toml\"\nnodes = \"Node\"\n"

/* Nodes add up what they are told, and answer with the sum, which is on disk; how many numbers a
 * node has told is not. */
static const char queue_spec[] =
    "EXTENDS Naturals, Sequences\n"
    "CONSTANTS Node, a, b, c\n"
    "VARIABLES told, sum, net\n"
    "Init == /\\ told = [i \\in Node |-> 0] /\\ sum = [i \\in Node |-> 0]\n"
    "        /\\ net = [p \\in Node \\X Node |-> <<>>]\n"
    "Tell(i, j) == /\\ i # j /\\ told' = [told EXCEPT ![i] = @ + 1] /\\ UNCHANGED sum\n"
    "              /\\ net' = [net EXCEPT ![<<i, j>>] =\n"
    "                      Append(@, [type |-> \"tell\", n |-> told[i] + 1])]\n"
    "Add(i, j) == /\\ net[<<j, i>>] # <<>> /\\ Head(net[<<j, i>>]).type = \"tell\"\n"
    "             /\\ sum' = [sum EXCEPT ![i] = @ + Head(net[<<j, i>>]).n] /\\ UNCHANGED told\n"
    "             /\\ net' = [net EXCEPT ![<<j, i>>] = Tail(@), ![<<i, j>>] =\n"
    "                      Append(@, [type |-> \"sum\", n |-> sum'[i]])]\n"
    "Hear(i, j) == /\\ net[<<j, i>>] # <<>> /\\ Head(net[<<j, i>>]).type = \"sum\"\n"
    "              /\\ net' = [net EXCEPT ![<<j, i>>] = Tail(@)] /\\ UNCHANGED <<told, sum>>\n"
    "Next == \\E i, j \\in Node : Tell(i, j) \\/ Add(i, j) \\/ Hear(i, j)\n";
static const char queue_map[] = HEAD "[actions]\n\"Tell(i, j)\" = \"timer {i}\"\n"
                                     "[watch]\nnetwork = \"net\"\nkind = \"queue\"\n"
                                     "persist = [\"sum\"]\n";

static const char bag_spec[] =
    "EXTENDS Naturals, Bags\n"
    "CONSTANTS Node, a, b, c\n"
    "VARIABLES sum, net\n"
    "Init == sum = [i \\in Node |-> 0] /\\ net = EmptyBag\n"
    "Packet(i, j, t, n) == [from |-> i, to |-> j, type |-> t, n |-> n]\n"
    "Add(i) == \\E m \\in BagToSet(net) :\n"
    "    /\\ m.to = i /\\ m.type = \"tell\" /\\ sum' = [sum EXCEPT ![i] = @ + m.n]\n"
    "    /\\ net' = (net (-) SetToBag({m})) (+) SetToBag({Packet(i, m.from, \"sum\", sum'[i])})\n"
    "Next == \\E i \\in Node : Add(i)\n";
static const char bag_map[] = HEAD "[watch]\nnetwork = \"net\"\nkind = \"bag\"\n";

static const char set_spec[] =
    "EXTENDS Naturals\n"
    "CONSTANTS Node, a, b, c\n"
    "VARIABLES promised, sent\n"
    "Init == promised = [i \\in Node |-> 0] /\\ sent = {}\n"
    "Promise(i) == \\E m \\in sent :\n"
    "    /\\ m.type = \"ask\" /\\ m.n > promised[i]\n"
    "    /\\ promised' = [promised EXCEPT ![i] = m.n]\n"
    "    /\\ sent' = sent \\cup {[type |-> \"yes\", by |-> i, n |-> m.n]}\n"
    "Next == \\E i \\in Node : Promise(i)\n";
static const char set_map[] = HEAD "[watch]\nnetwork = \"sent\"\nkind = \"set\"\n";

struct row {
    enum monitor_verdict want;
    const char *lines;
};

static uint64_t check_rows_once(const char *spec, const char *map, bool connections,
                                const struct row *rows, size_t n)
{
    uint64_t moves = 0;
    for (size_t i = 0; i < n; i++) {
        struct watched w;
        watched_init(&w, spec, map, connections);
        enum monitor_verdict verdict = watched_lines(&w, rows[i].lines);
        if (verdict != rows[i].want) {
            SCOPED_STRBUF why = {0};
            monitor_explain(w.monitor, &why);
            (void)fprintf(stderr, "row %zu: %d, want %d\n%s%s\n", i, (int)verdict,
                          (int)rows[i].want, rows[i].lines, strbuf_cstr(&why));
            exit(1);
        }
        struct monitor_counts counts;
        monitor_counts(w.monitor, &counts);
        moves += counts.moves;
        watched_done(&w);
    }
    return moves;
}

/* The same again when values move after each step; where connections break that takes too long. */
static void check_rows(const char *spec, const char *map, bool connections, const struct row *rows,
                       size_t n)
{
    CHECK_EQ(check_rows_once(spec, map, connections, rows, n), 0);
    if (!connections) {
        watched_values = 1;
        CHECK(check_rows_once(spec, map, connections, rows, n) > 0);
        watched_values = 0;
    }
}
#define CHECK_ROWS(spec, map, connections, rows)                                                   \
    check_rows(spec, map, connections, rows, sizeof(rows) / sizeof(rows)[0])

#define RECV(peer, type, n) "{\"recv\":\"" peer "\",\"msg\":{\"type\":\"" type "\",\"n\":" #n "}}\n"
#define SEND(peer, type, n) "{\"send\":\"" peer "\",\"msg\":{\"type\":\"" type "\",\"n\":" #n "}}\n"
#define UP(peer)            "{\"up\":\"" peer "\"}\n"
#define DOWN(peer)          "{\"down\":\"" peer "\"}\n"
#define CRASH               "{\"crash\":true}\n{\"restart\":true}\n"

TEST(queue)
{
    static const struct row rows[] = {
        {MONITOR_OK, ""},
        {MONITOR_OK, RECV("b", "tell", 4) SEND("b", "sum", 4)},
        {MONITOR_OK,
         RECV("b", "tell", 4) RECV("c", "tell", 2) SEND("c", "sum", 6) SEND("b", "sum", 4)},
        {MONITOR_OK,
         RECV("b", "tell", 4) RECV("c", "tell", 2) SEND("b", "sum", 6) SEND("c", "sum", 2)},
        {MONITOR_OK, SEND("b", "tell", 1) SEND("c", "tell", 2) RECV("b", "sum", 1)},
        {MONITOR_OK,
         RECV("b", "tell", 4) RECV("b", "tell", 4) SEND("b", "sum", 4) SEND("b", "sum", 8)},
        {MONITOR_ALARM, SEND("b", "sum", 4)}, /* of nothing */
        {MONITOR_ALARM, RECV("b", "tell", 4) SEND("b", "sum", 5)},
        {MONITOR_ALARM, RECV("b", "tell", 4) SEND("c", "sum", 4)}, /* to another */
        {MONITOR_ALARM, RECV("b", "tell", 4) SEND("b", "sum", 4) SEND("b", "sum", 4)}, /* twice */
        {MONITOR_ALARM, RECV("b", "tell", 4) RECV("b", "tell", 4) SEND("b", "sum", 8)
                            SEND("b", "sum", 4)}, /* in the other order */
        {MONITOR_ALARM, SEND("b", "tell", 1) SEND("b", "tell", 1)},
        {MONITOR_ALARM, SEND("b", "sum", 4) RECV("b", "tell", 4)}, /* before the cause */
    };
    CHECK_ROWS(queue_spec, queue_map, false, rows);
}

/* After a crash what is on disk is there, and nothing else: neither what was not sent yet nor what
 * had arrived. */
TEST(crash)
{
    static const struct row rows[] = {
        {MONITOR_OK,
         RECV("b", "tell", 4) SEND("b", "sum", 4) CRASH RECV("b", "tell", 1) SEND("b", "sum", 5)},
        {MONITOR_ALARM,
         RECV("b", "tell", 4) SEND("b", "sum", 4) CRASH RECV("b", "tell", 1) SEND("b", "sum", 1)},
        {MONITOR_OK, SEND("b", "tell", 1) SEND("b", "tell", 2) CRASH SEND("b", "tell", 1)},
        {MONITOR_ALARM,
         SEND("b", "tell", 1) SEND("b", "tell", 2) CRASH SEND("b", "tell", 1) SEND("b", "tell", 1)},
        {MONITOR_ALARM, RECV("b", "tell", 4) CRASH SEND("b", "sum", 4)},
        /* Whether it was added before the crash nobody has seen. */
        {MONITOR_OK, RECV("b", "tell", 4) CRASH RECV("b", "tell", 1) SEND("b", "sum", 5)},
        {MONITOR_OK, RECV("b", "tell", 4) CRASH RECV("b", "tell", 1) SEND("b", "sum", 1)},
        {MONITOR_ALARM, RECV("b", "tell", 4) CRASH RECV("b", "tell", 1) SEND("b", "sum", 4)},
        {MONITOR_ALARM, RECV("b", "tell", 4) "{\"crash\":true}\n" SEND("b", "sum", 4)},
    };
    CHECK_ROWS(queue_spec, queue_map, false, rows);
}

/* What waits to be sent on a connection may be gone with it, and is not missed. */
TEST(connections)
{
#define BOTH   UP("b") UP("c") RECV("b", "tell", 4) RECV("c", "tell", 2) SEND("c", "sum", 6)
#define STANDS UP("b") RECV("b", "tell", 4) SEND("b", "sum", 4)
#define LATER  RECV("b", "tell", 1) RECV("b", "tell", 2) SEND("b", "sum", 7)
    static const struct row rows[] = {
        {MONITOR_OK, BOTH SEND("b", "sum", 4)},
        {MONITOR_OK, UP("b") RECV("b", "tell", 4) RECV("b", "tell", 1) SEND("b", "sum", 5)},
        {MONITOR_ALARM, UP("c") STANDS RECV("c", "tell", 1) SEND("c", "sum", 5) RECV("b", "tell", 2)
                            SEND("b", "sum", 2)},
        {MONITOR_OK, BOTH DOWN("b") UP("b") RECV("b", "tell", 1) SEND("b", "sum", 7)},
        {MONITOR_ALARM, BOTH SEND("b", "sum", 4) DOWN("b") UP("b") SEND("b", "sum", 4)},
        {MONITOR_ALARM, BOTH DOWN("b") UP("b") RECV("b", "tell", 1) SEND("b", "sum", 1)},
    };
    CHECK_ROWS(queue_spec, queue_map, true, rows);
    struct watched w;
    struct monitor_counts counts;
    /* Until something has left over a connection the program may not know it, and what it sends may
     * be gone, too. */
    static const char *const ways[] = {
        STANDS LATER, STANDS DOWN("b") UP("b") LATER,
        /* What leaves over a connection that is broken does not make it whole. */
        STANDS RECV("b", "tell", 1) DOWN("b") SEND("b", "sum", 5) RECV("b", "tell", 2) UP("b")
            RECV("b", "tell", 3) SEND("b", "sum", 10)};
    for (int way = 0; way < 3; way++) {
        watched_init(&w, queue_spec, queue_map, true);
        CHECK_EQ(watched_lines(&w, ways[way]), MONITOR_OK);
        monitor_counts(w.monitor, &counts);
        CHECK(way == 0 ? counts.unseen != 0 : counts.unseen == 0);
        watched_done(&w);
    }
}

/* What must hold is looked at where the node is; it is told when all explanations break it. */
TEST(judged)
{
#define WITH(more)                                                                                 \
    HEAD "[actions]\n\"Tell(i, j)\" = \"timer {i}\"\n"                                             \
         "[watch]\nnetwork = \"net\"\nkind = \"queue\"\npersist = [\"sum\"]\n" more
#define AT(ms, line) "{\"ms\":" #ms "," line
#define TOLD_B(n)    "\"recv\":\"b\",\"msg\":{\"type\":\"tell\",\"n\":" #n "}}\n"
#define SUM_B(n)     "\"send\":\"b\",\"msg\":{\"type\":\"sum\",\"n\":" #n "}}\n"
    static const char judged_spec[] = "Small == \\A i \\in Node : sum[i] < 10\n"
                                      "Grows == [][\\A i \\in Node : sum'[i] < sum[i] + 5]_sum\n"
                                      "Odd == \\E i \\in Node : sum[i] % 2 = 1\n"
                                      "Even == ~Odd\n";
    static const struct {
        const char *map, *clauses, *name;
        struct row row;
    } rows[] = {
        {WITH("invariants = [\"Small\"]\n"),
         "INVARIANT Small\n",               "",
         {MONITOR_OK, RECV("b", "tell", 4) SEND("b", "sum", 4)}                              },
        {WITH("invariants = [\"Small\"]\n"),
         "INVARIANT Small\n",               "Small",
         {MONITOR_ALARM,
          RECV("b", "tell", 4) SEND("b", "sum", 4) RECV("b", "tell", 6) SEND("b", "sum", 10)}},
        /* Whether it was added nobody has seen. */
        {WITH("invariants = [\"Small\"]\n"),
         "INVARIANT Small\n",               "",
         {MONITOR_OK, RECV("b", "tell", 10)}                                                 },
        {WITH("properties = [\"Grows\"]\n"),
         "PROPERTY Grows\n",                "",
         {MONITOR_OK,
          RECV("b", "tell", 4) SEND("b", "sum", 4) RECV("b", "tell", 4) SEND("b", "sum", 8)} },
        {WITH("properties = [\"Grows\"]\n"),
         "PROPERTY Grows\n",                "Grows",
         {MONITOR_ALARM,
          RECV("b", "tell", 4) SEND("b", "sum", 4) RECV("b", "tell", 5) SEND("b", "sum", 9)} },
        {WITH("deadlines = { \"Odd ~> Even\" = \"2s\" }\n"),
         "INVARIANT Odd\nINVARIANT Even\n", "",
         {MONITOR_OK, AT(1000, TOLD_B(1)) AT(1100, SUM_B(1)) AT(2900, TOLD_B(1)) AT(2950, SUM_B(2))
                          AT(9000, TOLD_B(2)) AT(9000, SUM_B(4))}                            },
        {WITH("deadlines = { \"Odd ~> Even\" = \"2s\" }\n"),
         "INVARIANT Odd\nINVARIANT Even\n", "Odd ~> Even within 2 s",
         {MONITOR_ALARM, AT(1000, TOLD_B(1)) AT(1100, SUM_B(1)) AT(2900, TOLD_B(2))
                             AT(3200, SUM_B(3)) AT(3300, TOLD_B(1)) AT(3300, SUM_B(4))}      },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct watched w;
        SCOPED_STRBUF spec = {0}, name = {0};
        strbuf_printf(&spec, "%s%s", queue_spec, judged_spec);
        watched_judged(&w, strbuf_cstr(&spec), rows[i].map, false, rows[i].clauses);
        enum monitor_verdict verdict = watched_lines(&w, rows[i].row.lines);
        (void)monitor_violated(w.monitor, &name);
        if (verdict != rows[i].row.want || strcmp(strbuf_cstr(&name), rows[i].name) != 0) {
            (void)fprintf(stderr, "row %zu: %d, want %d: %s\n", i, (int)verdict,
                          (int)rows[i].row.want, strbuf_cstr(&name));
            exit(1);
        }
        watched_done(&w);
    }
}

#define BAG(kind, peer, from, to, type, n)                                                         \
    "{\"" kind "\":\"" peer "\",\"msg\":{\"from\":\"" from "\",\"to\":\"" to "\",\"type\":\"" type \
    "\",\"n\":" #n "}}\n"

TEST(bag)
{
#define TOLD(n) BAG("recv", "b", "b", "a", "tell", n)
#define SUM(n)  BAG("send", "b", "a", "b", "sum", n)
    static const struct row rows[] = {
        {MONITOR_OK, TOLD(4) SUM(4)},
        {MONITOR_OK, TOLD(4) TOLD(2) SUM(6) SUM(4)}, /* any order */
        {MONITOR_OK, TOLD(4) TOLD(2) SUM(2) SUM(6)},
        {MONITOR_OK, TOLD(4) TOLD(4) SUM(8) SUM(4)}, /* one that came twice */
        {MONITOR_OK, TOLD(4) TOLD(2) SUM(2)},
        {MONITOR_ALARM, SUM(4)},
        {MONITOR_ALARM, TOLD(4) SUM(5)},
        {MONITOR_ALARM, TOLD(4) SUM(4) SUM(4)},
        {MONITOR_ALARM, TOLD(4) TOLD(2) SUM(4) SUM(2)},
        {MONITOR_ALARM, TOLD(4) BAG("send", "c", "a", "c", "sum", 4)},
    };
    CHECK_ROWS(bag_spec, bag_map, false, rows);
}

TEST(set)
{
#define ASKED(n)   "{\"recv\":\"b\",\"msg\":{\"type\":\"ask\",\"n\":" #n "}}\n"
#define YES(by, n) "{\"send\":\"b\",\"msg\":{\"type\":\"yes\",\"by\":\"" by "\",\"n\":" #n "}}\n"
    static const struct row rows[] = {
        {MONITOR_OK, ASKED(1) YES("a", 1)},
        {MONITOR_OK, ASKED(1) YES("a", 1) YES("a", 1)}, /* again */
        {MONITOR_OK, ASKED(1) YES("a", 1) ASKED(2) YES("a", 2) YES("a", 1)},
        {MONITOR_OK, ASKED(1) ASKED(2) YES("a", 2)},
        {MONITOR_ALARM, YES("a", 1)},
        {MONITOR_ALARM, ASKED(1) YES("a", 2)},
        {MONITOR_ALARM, ASKED(1) YES("b", 1)},
        {MONITOR_ALARM, ASKED(2) YES("a", 2) ASKED(1) YES("a", 1)}, /* it has promised more */
    };
    CHECK_ROWS(set_spec, set_map, false, rows);
}

/* The place of the event that nothing explains, and what is said of it. */
TEST(explained)
{
    struct watched w;
    uint64_t place = 0;
    SCOPED_STRBUF why = {0};
    watched_init(&w, queue_spec, queue_map, false);
    CHECK_EQ(watched_lines(&w, RECV("b", "tell", 4) SEND("b", "sum", 4) RECV("b", "tell", 1)
                                   SEND("b", "sum", 6) SEND("b", "sum", 7)),
             MONITOR_ALARM);
    CHECK_EQ(monitor_stopped_at(w.monitor, &place), 3);
    CHECK_EQ(place, 4);
    monitor_explain(w.monitor, &why);
    CHECK(strstr(strbuf_cstr(&why), "\"n\" is 6; the specification says 5") != NULL);
    watched_done(&w);
}

/* What is wrong with a mapping or a line is said. */
TEST(mistakes)
{
    static const struct {
        const char *map, *says;
    } maps[] = {
        {HEAD "[watch]\nnetwork = \"net\"\n",                                      "must say of what kind"   },
        {HEAD "[watch]\nnetwork = \"nett\"\nkind = \"queue\"\n",                   "no such variable: 'nett'"},
        {HEAD "[watch]\nnetwork = \"sum\"\nkind = \"queue\"\n",                    "is a function from"      },
        {HEAD "[watch]\nnetwork = \"sum\"\nkind = \"set\"\n",                      "is a set"                },
        {HEAD "[watch]\nnetwork = \"net\"\nkind = \"bag\"\n",                      "empty at first"          },
        {HEAD "[watch]\nnetwork = \"net\"\nkind = \"queue\"\npersist = [\"s\"]\n",
         "no such variable: 's'"                                                                             },
        {HEAD "[watch]\nnetwork = \"net\"\nkind = \"queue\"\nnever = [\"Ad\"]\n",
         "no such action: 'Ad'"                                                                              },
    };
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        struct watched w;
        watched_init(&w, queue_spec, maps[i].map, false);
        if (w.status == 0 || strstr(w.err.text, maps[i].says) == NULL) {
            (void)fprintf(stderr, "%s\nsays %d: %s\n", maps[i].map, w.status, w.err.text);
            exit(1);
        }
        watched_done(&w);
    }
    static const char *const lines[] = {
        "",
        "{",
        "[]",
        "1",
        "{\"recv\":1}",
        "{\"recv\":\"z\",\"msg\":1}",
        "{\"recv\":\"b\"}",
        "{\"input\":\"None\"}",
        "{\"input\":\"Tell\",\"args\":3}",
        "{\"got\":\"b\"}",
        "{\"up\":null}",
        "{\"recv\":\"b\",\"msg\":\"\xff\"}",
    };
    struct watched w;
    watched_init(&w, queue_spec, queue_map, false);
    watched_good(&w, w.status == 0);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct monitor_event event;
        struct err err = {0};
        CHECK(monitor_line(w.monitor, str_of(lines[i]), &event, &err) < 0);
        CHECK(err.text[0] != '\0');
    }
    watched_done(&w);
}
