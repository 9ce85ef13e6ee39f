/* Records of the programs in the kernel, made by hand: calls in parts, records that are missing,
 * connections that were there before, processes that come and go, and garbage. */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/rng.h"
#include "capture/capture.h"
#include "tap/record.h"
#include "tap/turn.h"
#include "test.h"

enum { PID = 77, ROOM = RECORD_HEAD + RECORD_BYTES_MOST };

struct made {
    struct turn turn;
    uint64_t seq[PROGRAMS];
    _Alignas(8) uint8_t space[ROOM];
};

static struct tap_record *record(struct made *m, int program, int kind)
{
    struct tap_record *r = (struct tap_record *)(void *)m->space;
    memset(r, 0, RECORD_HEAD);
    r->kind = (uint32_t)kind;
    r->program = (uint32_t)program;
    r->seq = ++m->seq[program];
    r->tgid = PID;
    return r;
}

static struct tap_record *sent(struct made *m, const char *text, uint32_t part, uint32_t len)
{
    struct tap_record *r = record(m, PROGRAM_SEND, RECORD_SENT);
    r->conn = 5;
    r->part = part;
    r->len = len;
    r->got = (uint32_t)strlen(text);
    memcpy(r->bytes, text, r->got);
    return r;
}

/* The kinds of all events that the record gives, as letters in the order of the enumeration. */
static const char *kinds(struct made *m, const struct tap_record *r)
{
    static char out[64];
    static const char letters[] = "?srocSEYG";
    struct capture_event e;
    size_t n = 0;
    turn_record(&m->turn, r);
    while (turn_next(&m->turn, &e) && n + 1 < sizeof out) {
        out[n++] = letters[e.kind];
    }
    out[n] = 0;
    return out;
}

TEST(calls_in_parts)
{
    struct made m = {0};
    struct capture_event e;
    turn_process(&m.turn, PID);
    turn_record(&m.turn, sent(&m, "hello ", 0, 11));
    CHECK(!turn_next(&m.turn, &e));
    turn_record(&m.turn, sent(&m, "world", 6, 11));
    CHECK(turn_next(&m.turn, &e));
    CHECK_EQ(e.kind, CAPTURE_SENT);
    CHECK_EQ(e.n, 11U);
    CHECK(memcmp(e.bytes, "hello world", 11) == 0);
    CHECK(!turn_next(&m.turn, &e));
    CHECK_EQ(m.turn.gaps, 0U);
    turn_done(&m.turn);
}

/* The first part is lost: a gap, and nothing of the rest. */
TEST(part_missing)
{
    struct made m = {0};
    turn_process(&m.turn, PID);
    (void)sent(&m, "lost", 0, 8);
    CHECK_STR(kinds(&m, sent(&m, "rest", 4, 8)), "G");
    CHECK_STR(kinds(&m, sent(&m, "next", 0, 4)), "s");
    (void)sent(&m, "lost", 0, 4);
    (void)sent(&m, "lost", 0, 4);
    CHECK_STR(kinds(&m, sent(&m, "next", 0, 4)), "Gs");
    CHECK_EQ(m.turn.missed, 3U);
    struct tap_record *r = sent(&m, "", 0, 9);
    r->flags = RECORD_UNSEEN;
    CHECK_STR(kinds(&m, r), "G");
    turn_done(&m.turn);
}

/* Each processor and program counts for itself. */
TEST(processors)
{
    struct made m = {0};
    turn_process(&m.turn, PID);
    CHECK_STR(kinds(&m, sent(&m, "a", 0, 1)), "s");
    struct tap_record *r = sent(&m, "b", 0, 1);
    r->cpu = 3;
    r->seq = 1;
    CHECK_STR(kinds(&m, r), "s");
    r->seq = 3;
    CHECK_STR(kinds(&m, r), "Gs");
    turn_done(&m.turn);
}

TEST(processes)
{
    struct made m = {0};
    CHECK(!turn_over(&m.turn));
    CHECK_STR(kinds(&m, record(&m, PROGRAM_EXEC, RECORD_RUNS)), "S");
    CHECK_STR(kinds(&m, record(&m, PROGRAM_EXEC, RECORD_RUNS)), "");
    struct tap_record *r = record(&m, PROGRAM_FORK, RECORD_FORKED);
    r->tgid = PID + 1;
    CHECK_STR(kinds(&m, r), "");
    CHECK_STR(kinds(&m, record(&m, PROGRAM_EXIT, RECORD_ENDED)), "");
    CHECK(!turn_over(&m.turn));
    CHECK_STR(kinds(&m, record(&m, PROGRAM_EXIT, RECORD_ENDED)), ""); /* told twice */
    r = record(&m, PROGRAM_EXIT, RECORD_ENDED);
    r->tgid = PID + 1;
    CHECK_STR(kinds(&m, r), "E");
    CHECK(turn_over(&m.turn));
    CHECK_STR(kinds(&m, record(&m, PROGRAM_FORK, RECORD_FORKED)), "S");
    turn_done(&m.turn);
}

/* One that stood before is told once, with its own number; who has called it is known by the port
 * on which the process listens. */
TEST(found_connections)
{
    struct made m = {0};
    struct capture_event e;
    turn_process(&m.turn, PID);
    turn_listens(&m.turn, 7000);
    turn_connection(&m.turn, (struct turn_old){.local_ip = 0x0a000001,
                                               .remote_ip = 0x0a000002,
                                               .local_port = 7000,
                                               .remote_port = 4000,
                                               .conn = 9});
    CHECK(turn_next(&m.turn, &e));
    CHECK_EQ(e.kind, CAPTURE_OPENED);
    CHECK_EQ(e.flags & CAPTURE_CALLER, 0);
    struct tap_record *r = sent(&m, "x", 0, 1);
    r->flags = RECORD_FOUND;
    r->local_ip = htonl(0x0a000001);
    r->remote_ip = htonl(0x0a000002);
    r->local_port = 7000;
    r->remote_port = htons(4000);
    turn_record(&m.turn, r);
    CHECK(turn_next(&m.turn, &e));
    CHECK_EQ(e.kind, CAPTURE_SENT);
    CHECK_EQ(e.conn, 9U);
    CHECK(!turn_next(&m.turn, &e));
    r = sent(&m, "y", 0, 1);
    r->flags = RECORD_FOUND;
    r->conn = 1234;
    r->local_port = 5000;
    turn_record(&m.turn, r);
    CHECK(turn_next(&m.turn, &e));
    CHECK_EQ(e.kind, CAPTURE_OPENED);
    CHECK_EQ(e.flags & CAPTURE_CALLER, CAPTURE_CALLER);
    CHECK_EQ(e.conn, 1234U);
    CHECK(turn_next(&m.turn, &e));
    CHECK_EQ(e.kind, CAPTURE_SENT);
    turn_done(&m.turn);
}

TEST(other_networks)
{
    struct made m = {0};
    turn_process(&m.turn, PID);
    m.turn.net = 10;
    struct tap_record *r = record(&m, PROGRAM_STATE, RECORD_OPENED);
    r->net = 11;
    CHECK_STR(kinds(&m, r), "");
    r = record(&m, PROGRAM_STATE, RECORD_OPENED);
    r->net = 10;
    CHECK_STR(kinds(&m, r), "o");
    r = record(&m, PROGRAM_STATE, RECORD_CLOSED);
    r->flags = RECORD_BROKEN;
    CHECK_STR(kinds(&m, r), "c");
    turn_done(&m.turn);
}

/* Whatever the records hold, nothing outside of them is read. */
TEST(garbage)
{
    struct made m = {0};
    struct rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < 20000; i++) {
        struct tap_record *r = (struct tap_record *)(void *)m.space;
        for (size_t k = 0; k < RECORD_HEAD; k++) {
            m.space[k] = (uint8_t)(rng_next(&rng) & (i % 2 == 0 ? 255 : 3));
        }
        struct capture_event e;
        turn_record(&m.turn, r);
        while (turn_next(&m.turn, &e)) {
            CHECK(e.kind > 0 && e.kind < CAPTURE_KINDS);
            CHECK(e.n <= CAPTURE_BYTES_MAX);
        }
        if (i % 1000 == 0) {
            turn_done(&m.turn);
            memset(&m.turn, 0, sizeof m.turn);
        }
    }
    turn_done(&m.turn);
}
