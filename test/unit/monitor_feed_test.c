/* What was captured of a node becomes events of its monitor: whose a connection is, by its address
 * or by what its messages say; how streams are cut; what is left out, and what is refused. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "capture/capture.h"
#include "monitor/feed.h"
#include "monitor/monitor.h"
#include "monitor_util.h"
#include "test.h"
#include "world/world.h"

/* A node answers what it is asked. */
static const char spec[] =
    "EXTENDS Naturals, Sequences\n"
    "CONSTANTS Node, a, b, c\n"
    "VARIABLES net\n"
    "Init == net = [p \\in Node \\X Node |-> <<>>]\n"
    "Answer(i, j) == /\\ net[<<j, i>>] # <<>> /\\ Head(net[<<j, i>>]).type = \"ask\"\n"
    "                /\\ net' = [net EXCEPT ![<<j, i>>] = Tail(@), ![<<i, j>>] =\n"
    "                      Append(@, [type |-> \"answer\", n |-> Head(net[<<j, i>>]).n])]\n"
    "Next == \\E i, j \\in Node : Answer(i, j)\n";
#define HEAD                                                                                       \
    "spec = \"Test.tla\"\nconfig = \"Test.cfg\"\ncluster = \"c.toml\"\nnodes = \"Node\"\n"         \
    "[watch]\nnetwork = \"net\"\nkind = \"queue\"\n"
#define MESSAGE(kind, type, more)                                                                  \
    "[[message]]\nfields = \"size:u8=4 from:u8 to:u8 kind:u8=" kind " n:u8\"\n"                    \
    "as = '[type |-> \"" type "\", n |-> value.n]'\n" more
#define FROM "from = 'nodes[value.from]'\n"
#define TO   "to = 'nodes[value.to]'\n"
static const char by_address[] = HEAD MESSAGE("1", "ask", "") MESSAGE("2", "answer", "");
static const char by_message[] = HEAD MESSAGE("1", "ask", FROM TO) MESSAGE("2", "answer", FROM TO);

enum { IP_A = 1, IP_B = 2, IP_C = 3, PORT = 7000 };
static const struct feed_peer addresses[] = {
    {.ip = IP_A, .node = 0},
    {.ip = IP_B, .node = 1},
    {.ip = IP_C, .node = 2},
};

struct fed {
    struct watched w;
    struct feed *feed;
    struct strbuf lines; /* what went to the monitor */
    struct err err;
};

static void each(void *arg, const struct monitor_event *event)
{
    struct fed *f = arg;
    monitor_line_write(f->w.monitor, event, &f->lines);
}

static void fed_init(struct fed *f, const char *map, bool known, const struct world_message *cut)
{
    *f = (struct fed){0};
    watched_init(&f->w, spec, map, true);
    watched_good(&f->w, f->w.status == 0);
    struct feed_options o = {.monitor = f->w.monitor,
                             .map = f->w.map,
                             .messages = cut,
                             .n_messages = cut != NULL ? 1 : 0,
                             .peers = addresses,
                             .n_peers = known ? 3 : 0,
                             .each = each,
                             .each_arg = f};
    CHECK_EQ(feed_new(&o, &f->feed, &f->err), 0);
}

static void fed_done(struct fed *f)
{
    feed_free(f->feed);
    strbuf_done(&f->lines);
    watched_done(&f->w);
}

static int give(struct fed *f, enum capture_kind kind, uint64_t conn, uint32_t ip, const char *data,
                size_t n)
{
    struct capture_event e = {.kind = (uint8_t)kind,
                              .conn = conn,
                              .local_ip = IP_A,
                              .remote_ip = ip,
                              .local_port = PORT,
                              .remote_port = 40000,
                              .bytes = (const uint8_t *)data,
                              .n = n};
    return feed_event(f->feed, &e, &f->err);
}
#define GIVE(f, kind, conn, ip, data)                                                              \
    CHECK_EQ(give(f, CAPTURE_##kind, conn, ip, data, sizeof(data) - 1), 0)

static enum monitor_verdict verdict(struct fed *f)
{
    CHECK_EQ(monitor_flush(f->w.monitor, &f->err), 0);
    return monitor_verdict(f->w.monitor);
}

#define UP_B     "{\"up\":\"b\"}\n"
#define ASKED    "{\"recv\":\"b\",\"msg\":{\"type\":\"ask\",\"n\":7}}\n"
#define ANSWERED "{\"send\":\"b\",\"msg\":{\"type\":\"answer\",\"n\":7}}\n"

static void check_lines(struct fed *f, const char *want)
{
    CHECK_STR(strbuf_cstr(&f->lines), want);
}

TEST(known_by_address)
{
    struct fed f;
    fed_init(&f, by_address, true, NULL);
    GIVE(&f, OPENED, 1, IP_B, "");
    GIVE(&f, RECEIVED, 1, IP_B, "\4\0\0\1\7");
    GIVE(&f, SENT, 1, IP_B, "\4\0\0\2\7");
    GIVE(&f, CLOSED, 1, IP_B, "");
    check_lines(&f, UP_B ASKED ANSWERED "{\"down\":\"b\"}\n");
    CHECK_EQ(verdict(&f), MONITOR_OK);
    fed_done(&f);
}

/* All nodes are on one machine: the messages say whose they are, to the monitor's verdict. */
TEST(known_by_message)
{
    struct fed f;
    fed_init(&f, by_message, false, NULL);
    GIVE(&f, OPENED, 1, IP_A, "");
    GIVE(&f, RECEIVED, 1, IP_A, "\4\2\1\1\7");
    GIVE(&f, SENT, 1, IP_A, "\4\1\2\2\7");
    check_lines(&f, UP_B ASKED ANSWERED);
    CHECK_EQ(verdict(&f), MONITOR_OK);
    fed_done(&f);

    /* Two connections; the answers go to the wrong one. */
    fed_init(&f, by_message, false, NULL);
    GIVE(&f, OPENED, 1, IP_A, "");
    GIVE(&f, OPENED, 2, IP_A, "");
    GIVE(&f, RECEIVED, 1, IP_A, "\4\3\1\1\7"); /* c asks */
    GIVE(&f, SENT, 2, IP_A, "\4\1\2\2\7");     /* b is told */
    CHECK_EQ(verdict(&f), MONITOR_ALARM);
    fed_done(&f);

    /* `to` alone: the node speaks first, and what comes back on the connection is then b's. */
    fed_init(&f, HEAD MESSAGE("1", "ask", "") MESSAGE("2", "answer", TO), false, NULL);
    GIVE(&f, OPENED, 1, IP_A, "");
    GIVE(&f, SENT, 1, IP_A, "\4\1\2\2\7");
    check_lines(&f, UP_B ANSWERED);
    CHECK_EQ(verdict(&f), MONITOR_ALARM);
    fed_done(&f);

    /* Datagrams have no connection: each says whose it is. */
    fed_init(&f, by_message, false, NULL);
    struct capture_event e = {.flags = CAPTURE_UDP, .kind = CAPTURE_RECEIVED, .n = 5};
    e.bytes = (const uint8_t *)"\4\2\1\1\7";
    CHECK_EQ(feed_event(f.feed, &e, &f.err), 0);
    check_lines(&f, ASKED);
    fed_done(&f);
}

/* Nobody says whose it is: it may be a client's, and is left out. */
TEST(not_known)
{
    struct fed f;
    struct feed_counts counts;
    fed_init(&f, by_address, false, NULL);
    GIVE(&f, OPENED, 1, IP_B, "");
    GIVE(&f, RECEIVED, 1, IP_B, "\4\2\1\1\7");
    GIVE(&f, RECEIVED, 1, IP_B, "hello");
    check_lines(&f, "");
    feed_counts(f.feed, &counts);
    CHECK_EQ(counts.ignored, 2);
    CHECK_EQ(counts.messages, 0);
    fed_done(&f);
}

/* A node that is not there is a mistake of the mapping, and said with its place. */
TEST(no_such_node)
{
    struct fed f;
    fed_init(&f, by_message, false, NULL);
    GIVE(&f, OPENED, 1, IP_B, "");
    CHECK(give(&f, CAPTURE_RECEIVED, 1, IP_B, "\4\x9\1\1\7", 5) < 0);
    CHECK(strstr(f.err.text, "m.assay.toml") != NULL);
    fed_done(&f);
}

/* Between nodes all that is said must be a message. */
TEST(fits_nothing)
{
    struct fed f;
    fed_init(&f, by_address, true, NULL);
    GIVE(&f, OPENED, 1, IP_B, "");
    CHECK_EQ(give(&f, CAPTURE_RECEIVED, 1, IP_B, "\4\0\0\x9\7", 5), -ERR_INVALID);
    CHECK(strstr(f.err.text, "a message of 5 bytes from b fits no [[message]]: 0400000907") !=
          NULL);
    fed_done(&f);
}

/* A stream in pieces of every size is the same messages. */
TEST(cut_into_messages)
{
    static const char stream[] = "\4\0\0\1\7\4\0\0\1\7\4\0\0\1\7";
    const struct world_message size = {.end = MESSAGE_LENGTH, .width = 1};
    for (size_t piece = 1; piece < sizeof stream; piece++) {
        struct fed f;
        fed_init(&f, by_address, true, &size);
        GIVE(&f, OPENED, 1, IP_B, "");
        for (size_t at = 0; at < sizeof stream - 1; at += piece) {
            size_t left = sizeof stream - 1 - at;
            CHECK_EQ(give(&f, CAPTURE_RECEIVED, 1, IP_B, stream + at, left < piece ? left : piece),
                     0);
        }
        check_lines(&f, UP_B ASKED ASKED ASKED);
        GIVE(&f, CLOSED, 1, IP_B, "");
        GIVE(&f, OPENED, 1, IP_B, ""); /* what was half there is gone */
        GIVE(&f, RECEIVED, 1, IP_B, "\4\0");
        GIVE(&f, CLOSED, 1, IP_B, "");
        GIVE(&f, OPENED, 1, IP_B, "");
        GIVE(&f, RECEIVED, 1, IP_B, "\4\0\0\1\7");
        CHECK_EQ(verdict(&f), MONITOR_OK);
        fed_done(&f);
    }
}

/* Bytes on a connection that was never made have not reached the program; after the end of the
 * process there is none; a gap makes blind. */
TEST(left_out)
{
    struct fed f;
    fed_init(&f, by_address, true, NULL);
    GIVE(&f, RECEIVED, 1, IP_B, "\4\0\0\1\7");
    check_lines(&f, "");
    GIVE(&f, OPENED, 1, IP_B, "");
    GIVE(&f, STARTED, 0, 0, ""); /* it runs already */
    GIVE(&f, ENDED, 0, 0, "");
    GIVE(&f, RECEIVED, 1, IP_B, "\4\0\0\1\7");
    GIVE(&f, OPENED, 2, IP_B, "");
    GIVE(&f, STARTED, 0, 0, "");
    GIVE(&f, RECEIVED, 1, IP_B, "\4\0\0\1\7");
    check_lines(&f, UP_B "{\"crash\":true}\n{\"restart\":true}\n");
    CHECK(!monitor_blind(f.w.monitor));
    GIVE(&f, GAP, 0, 0, "");
    CHECK(monitor_blind(f.w.monitor));
    fed_done(&f);
}

/* After a gap connections may stand that nobody saw, a message begins where one fits, and a process
 * that ended runs again. */
TEST(after_a_gap)
{
#define GONE UP_B "{\"gap\":true}\n"
    struct fed f;
    fed_init(&f, by_address, true, NULL);
    GIVE(&f, OPENED, 1, IP_B, "");
    GIVE(&f, GAP, 0, 0, "");
    GIVE(&f, RECEIVED, 1, IP_B, "\7\7\7\7\7"); /* the middle of something */
    check_lines(&f, GONE);
    GIVE(&f, RECEIVED, 1, IP_B, "\4\0\0\1\7");
    GIVE(&f, RECEIVED, 2, IP_B, "\4\0\0\1\7");
    check_lines(&f, GONE ASKED ASKED);
    GIVE(&f, ENDED, 0, 0, "");
    GIVE(&f, GAP, 0, 0, "");
    GIVE(&f, RECEIVED, 3, IP_B, "\4\0\0\1\7");
    check_lines(&f, GONE ASKED ASKED
                "{\"crash\":true}\n{\"gap\":true}\n{\"restart\":true}\n" UP_B ASKED);
    CHECK_EQ(verdict(&f), MONITOR_OK);
    fed_done(&f);
}

/* Two connections with one peer: it is gone with the last. */
TEST(two_connections)
{
    struct fed f;
    fed_init(&f, by_address, true, NULL);
    GIVE(&f, OPENED, 1, IP_B, "");
    GIVE(&f, OPENED, 2, IP_B, "");
    GIVE(&f, CLOSED, 1, IP_B, "");
    check_lines(&f, UP_B);
    GIVE(&f, CLOSED, 2, IP_B, "");
    GIVE(&f, CLOSED, 2, IP_B, "");
    check_lines(&f, UP_B "{\"down\":\"b\"}\n");
    fed_done(&f);
}
