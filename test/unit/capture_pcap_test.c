/* Files of libpcap, made here packet by packet: what comes out of order, twice, in parts that
 * overlap, or not at all; what is damaged; what is cut off. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "capture/capture.h"
#include "capture_util.h"
#include "test.h"

enum { FIN = 1, SYN = 2, RST = 4, PSH = 8, ACK = 16, UDP = 17, TCP = 6 };
enum { ETHERNET = 1, RAW = 101, SLL = 113, SLL2 = 276, LOOP = 0 };
enum { N1 = 0x0a000001, N2 = 0x0a000002, PORT1 = 4000, PORT2 = 7000 };

static const struct capture_node nodes[] = {
    {"n1", N1},
    {"n2", N2}
};

static void be(struct strbuf *out, uint64_t v, size_t width)
{
    for (size_t i = width; i-- > 0;) {
        strbuf_addc(out, (char)(v >> (8 * i)));
    }
}

static void le(struct strbuf *out, uint64_t v, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        strbuf_addc(out, (char)(v >> (8 * i)));
    }
}

static void begin_as(struct strbuf *out, uint32_t magic, uint32_t link, bool big)
{
    void (*put)(struct strbuf *, uint64_t, size_t) = big ? be : le;
    strbuf_reset(out);
    put(out, magic, 4);
    put(out, 2, 2);
    put(out, 4, 2);
    put(out, 0, 8);
    put(out, 65535, 4);
    put(out, link, 4);
}

static void begin(struct strbuf *out)
{
    begin_as(out, 0xa1b2c3d4, RAW, false);
}

/* A packet of IPv4 with what stands before it on this kind of link. */
static void ip_packet(struct strbuf *out, const char *link, size_t link_n, bool big, int protocol,
                      uint32_t from, uint32_t to, struct str inner)
{
    void (*put)(struct strbuf *, uint64_t, size_t) = big ? be : le;
    put(out, 5, 4);
    put(out, 7, 4);
    put(out, link_n + 20 + inner.n, 4);
    put(out, link_n + 20 + inner.n, 4);
    strbuf_add(out, link, link_n);
    be(out, 0x4500, 2);
    be(out, 20 + inner.n, 2);
    be(out, 0, 4);
    be(out, 64, 1);
    be(out, (uint64_t)protocol, 1);
    be(out, 0, 2);
    be(out, from, 4);
    be(out, to, 4);
    strbuf_addstr(out, inner);
}

static void tcp_inner(struct strbuf *inner, bool there, uint32_t seq, int flags, const char *data)
{
    be(inner, there ? PORT1 : PORT2, 2);
    be(inner, there ? PORT2 : PORT1, 2);
    be(inner, seq, 4);
    be(inner, 0, 4);
    be(inner, 0x50, 1);
    be(inner, (uint64_t)flags, 1);
    be(inner, 0, 6);
    strbuf_adds(inner, data);
}

/* From n1 to n2, which was called, or back. */
static void segment(struct strbuf *out, bool there, uint32_t seq, int flags, const char *data)
{
    SCOPED_STRBUF inner = {0};
    tcp_inner(&inner, there, seq, flags, data);
    ip_packet(out, "", 0, false, TCP, there ? N1 : N2, there ? N2 : N1, strbuf_str(&inner));
}

static void datagram(struct strbuf *out, const char *link, size_t link_n, bool big,
                     const char *data)
{
    SCOPED_STRBUF inner = {0};
    be(&inner, PORT1, 2);
    be(&inner, PORT2, 2);
    be(&inner, 8 + strlen(data), 2);
    be(&inner, 0, 2);
    strbuf_adds(&inner, data);
    ip_packet(out, link, link_n, big, UDP, N1, N2, strbuf_str(&inner));
}

static void greet(struct strbuf *out, uint32_t seq)
{
    segment(out, true, seq - 1, SYN, "");
    segment(out, false, 99, SYN | ACK, "");
}

/* What n1 has sent and n2 received are the same bytes in the same order; n2 in one text. */
static void check_told(const struct strbuf *file, const char *want)
{
    struct told told;
    told_of(strbuf_str(file), nodes, 2, &told);
    CHECK_STR(told.text[1], want);
    CHECK_EQ(told.status, 0);
    for (char *at = told.text[0]; (at = strstr(at, "sent")) != NULL; at++) {
        memcpy(at, "recv", 4);
    }
    CHECK_STR(told.text[0], want);
}

TEST(in_order)
{
    SCOPED_STRBUF f = {0};
    begin(&f);
    greet(&f, 1000);
    segment(&f, true, 1000, ACK, "abc");
    segment(&f, true, 1003, ACK, "de");
    segment(&f, true, 1005, FIN | ACK, "");
    check_told(&f, "open recv:abc recv:de closed ");
}

TEST(out_of_order)
{
    SCOPED_STRBUF f = {0};
    begin(&f);
    greet(&f, 1000);
    segment(&f, true, 1006, ACK, "ghi");
    segment(&f, true, 1003, ACK, "def");
    segment(&f, true, 1000, ACK, "abc");
    segment(&f, true, 1009, ACK, "j");
    check_told(&f, "open recv:abc recv:def recv:ghi recv:j ");
}

TEST(again_and_overlapping)
{
    SCOPED_STRBUF f = {0};
    begin(&f);
    greet(&f, 1000);
    segment(&f, true, 1000, ACK, "abc");
    segment(&f, true, 1000, ACK, "abc");   /* all of it again */
    segment(&f, true, 1001, ACK, "bcde");  /* the end is new */
    segment(&f, true, 1000, ACK, "ab");    /* nothing is */
    segment(&f, true, 1006, ACK, "ghijk"); /* too early, twice, and over each other */
    segment(&f, true, 1006, ACK, "ghi");
    segment(&f, true, 1005, ACK, "fgh");
    check_told(&f, "open recv:abc recv:de recv:fgh recv:ijk ");
}

TEST(numbers_wrap)
{
    SCOPED_STRBUF f = {0};
    begin(&f);
    greet(&f, 0xfffffffe);
    segment(&f, true, 1, ACK, "def");
    segment(&f, true, 0xfffffffe, ACK, "abc");
    check_told(&f, "open recv:abc recv:def ");
}

/* The greeting was seen twice, or answered again after bytes came: nothing is told twice. */
TEST(greeting_again)
{
    SCOPED_STRBUF f = {0};
    begin(&f);
    segment(&f, true, 999, SYN, "");
    greet(&f, 1000);
    segment(&f, false, 100, ACK, "");
    segment(&f, true, 1000, ACK, "abc");
    segment(&f, false, 99, SYN | ACK, "");
    segment(&f, true, 1003, ACK, "de");
    check_told(&f, "open recv:abc recv:de ");

    struct told told;
    begin(&f);
    greet(&f, 1000);
    segment(&f, false, 100, ACK, "xy");
    segment(&f, false, 99, SYN | ACK, "");
    segment(&f, false, 100, ACK, "xy");
    told_of(strbuf_str(&f), nodes, 2, &told);
    CHECK_STR(told.text[0], "open recv:xy ");
    CHECK_STR(told.text[1], "open sent:xy ");
}

/* The end overtakes bytes: they are told, and then the end, once. */
TEST(end_comes_early)
{
    SCOPED_STRBUF f = {0};
    begin(&f);
    greet(&f, 1000);
    segment(&f, true, 1003, FIN | ACK, "def");
    segment(&f, true, 1000, ACK, "abc");
    segment(&f, true, 1003, FIN | ACK, "def");
    check_told(&f, "open recv:abc recv:def closed ");
}

TEST(reset_and_new_connection)
{
    SCOPED_STRBUF f = {0};
    begin(&f);
    greet(&f, 1000);
    segment(&f, true, 1000, ACK, "abc");
    segment(&f, false, 100, RST, "");
    greet(&f, 5);
    segment(&f, true, 5, ACK, "de");
    greet(&f, 70000); /* of a machine that was off meanwhile */
    segment(&f, true, 70000, ACK, "f");
    check_told(&f, "open recv:abc closed open recv:de closed open recv:f ");
}

TEST(began_before_the_capture)
{
    SCOPED_STRBUF f = {0};
    begin(&f);
    segment(&f, true, 1000, ACK, "abc");
    segment(&f, true, 1003, ACK, "de");
    check_told(&f, "open recv:abc recv:de ");
}

/* A hole that nobody fills is a gap, and not one byte behind it is made up or told before. */
TEST(lost)
{
    SCOPED_STRBUF f = {0};
    begin(&f);
    greet(&f, 1000);
    segment(&f, true, 1000, ACK, "abc");
    for (uint32_t i = 0; i < 256; i++) {
        segment(&f, true, 2000 + i, ACK, "x");
    }
    check_told(&f, "open recv:abc ");
    segment(&f, true, 2256, ACK, "y");
    struct told told;
    told_of(strbuf_str(&f), nodes, 2, &told);
    const char *head = "open recv:abc gap recv:x ";
    CHECK(strncmp(told.text[1], head, strlen(head)) == 0);
    CHECK_STR(told.text[1] + strlen(told.text[1]) - strlen("recv:x recv:y "), "recv:x recv:y ");
}

/* Random segments of one text, in any order, again and again: what is told is the text. */
TEST(any_order)
{
    static const char text[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    enum { SIZE = sizeof text - 1, ROUNDS = 300, MOST = 200 };
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        SCOPED_STRBUF f = {0};
        struct rng rng;
        rng_seed(&rng, seed);
        uint32_t start = (uint32_t)rng_next(&rng);
        begin(&f);
        greet(&f, start);
        for (size_t i = 0; i < MOST; i++) {
            size_t at = rng_below(&rng, SIZE), n = 1 + rng_below(&rng, SIZE - at);
            char part[SIZE + 1] = {0};
            memcpy(part, text + at, n < 9 ? n : 9);
            segment(&f, true, start + (uint32_t)at, ACK, part);
        }
        segment(&f, true, start, ACK, text); /* so that nothing is missing in the end */
        struct told told;
        told_of(strbuf_str(&f), nodes, 2, &told);
        CHECK_STR(told.bytes[1], text);
        CHECK_STR(told.bytes[0], text);
    }
}

/* ---- links ---- */

TEST(links)
{
    static const char ether[] = "\1\2\3\4\5\6\1\2\3\4\5\7\x08\0",
                      vlan[] = "\1\2\3\4\5\6\1\2\3\4\5\7\x81\0\0\5\x08\0";
    static const char sll[] = "\0\0\0\1\0\6\1\2\3\4\5\6\0\0\x08\0";
    static const char sll2[] = "\x08\0\0\0\0\0\0\1\0\1\0\6\1\2\3\4\5\6\0\0";
    static const struct {
        uint32_t magic, link;
        bool big;
        const char *head;
        size_t n;
    } rows[] = {
        {0xa1b2c3d4, RAW,      false, "",         0 },
        {0xa1b2c3d4, RAW,      true,  "",         0 },
        {0xa1b23c4d, RAW,      false, "",         0 },
        {0xa1b23c4d, RAW,      true,  "",         0 },
        {0xa1b2c3d4, ETHERNET, false, ether,      14},
        {0xa1b2c3d4, ETHERNET, true,  vlan,       18},
        {0xa1b2c3d4, SLL,      false, sll,        16},
        {0xa1b2c3d4, SLL2,     false, sll2,       20},
        {0xa1b2c3d4, LOOP,     false, "\2\0\0\0", 4 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCOPED_STRBUF f = {0};
        struct told told;
        begin_as(&f, rows[i].magic, rows[i].link, rows[i].big);
        datagram(&f, rows[i].head, rows[i].n, rows[i].big, "hello");
        told_of(strbuf_str(&f), nodes, 2, &told);
        CHECK_STR(told.text[1], "recv:hello ");
        CHECK_EQ(told.last.time_ns, 5000000000 + (rows[i].magic == 0xa1b23c4d ? 7 : 7000));
        CHECK_EQ(told.last.flags, CAPTURE_UDP);
        CHECK_EQ(told.last.local_ip, N2);
        CHECK_EQ(told.last.remote_port, PORT1);
    }
}

/* ---- what is damaged ---- */

static void make_long(struct strbuf *f)
{
    begin(f);
    greet(f, 1000);
    segment(f, true, 1003, ACK, "def");
    segment(f, true, 1000, ACK, "abc");
    datagram(f, "", 0, false, "udp");
    segment(f, false, 100, ACK, "answer");
    segment(f, true, 1006, FIN | ACK, "");
}

/* Each beginning of a file tells a beginning of what the file tells, and says that it is cut. */
TEST(cut_at_every_byte)
{
    SCOPED_STRBUF f = {0};
    struct told whole, told;
    make_long(&f);
    told_of(strbuf_str(&f), nodes, 2, &whole);
    CHECK_EQ(whole.status, 0);
    CHECK(!whole.cut_off);
    size_t clean = 0;
    for (size_t n = 0; n < f.n; n++) {
        told_of((struct str){f.p, n}, nodes, 2, &told);
        if (n < 24) {
            CHECK_EQ(told.status, -ERR_INVALID);
            continue;
        }
        CHECK_EQ(told.status, 0);
        CHECK(strncmp(told.text[0], whole.text[0], strlen(told.text[0])) == 0);
        CHECK(strncmp(told.text[1], whole.text[1], strlen(told.text[1])) == 0);
        clean += told.cut_off ? 0 : 1;
    }
    CHECK_EQ(clean, 7); /* after the head and after each packet but the last */
}

/* Any byte is anything: there is an end, and nobody is told of but the nodes. */
TEST(any_byte)
{
    SCOPED_STRBUF f = {0};
    make_long(&f);
    for (size_t at = 0; at < f.n; at++) {
        static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
        char old = f.p[at];
        for (size_t i = 0; i < sizeof values; i++) {
            struct told told;
            f.p[at] = (char)values[i];
            told_of(strbuf_str(&f), nodes, 2, &told);
            CHECK(told.status == 0 || told.status == -ERR_INVALID);
        }
        f.p[at] = old;
    }
}

TEST(random_changes)
{
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        SCOPED_STRBUF f = {0};
        struct told told;
        struct rng rng;
        rng_seed(&rng, seed);
        make_long(&f);
        for (uint64_t n = 1 + rng_below(&rng, 8); n > 0; n--) {
            f.p[24 + rng_below(&rng, f.n - 24)] = (char)rng_next(&rng);
        }
        told_of(strbuf_str(&f), nodes, 2, &told);
        CHECK(told.status == 0 || told.status == -ERR_INVALID);
    }
}

TEST(too_large_a_packet)
{
    SCOPED_STRBUF f = {0};
    struct told told;
    begin(&f);
    le(&f, 0, 8);
    le(&f, 0xffffffff, 4);
    le(&f, 0xffffffff, 4);
    told_of(strbuf_str(&f), nodes, 2, &told);
    CHECK_EQ(told.status, -ERR_INVALID);
    CHECK_STR(told.err.text, "the file of libpcap is damaged");
}

/* Of strangers nothing is told. */
TEST(strangers)
{
    static const struct capture_node others[] = {
        {"n3", 0x0a000003},
        {"n4", 0         }
    };
    SCOPED_STRBUF f = {0};
    struct told told;
    make_long(&f);
    told_of(strbuf_str(&f), others, 2, &told);
    CHECK_EQ(told.events, 0);
    CHECK_EQ(told.status, 0);
}
