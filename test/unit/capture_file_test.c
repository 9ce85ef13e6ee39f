/* Capture files: what was written is read again, to the bit; what is cut off or damaged is said to
 * be. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/rng.h"
#include "base/str.h"
#include "capture/capture.h"
#include "capture_util.h"
#include "test.h"

enum { RECORD = 36, HEAD = 8 + 8 + 2 * (6 + 2) };
static const struct capture_node nodes[] = {
    {"n1", 0x0a000001},
    {"n2", 0         }
};

static const struct capture_event events[] = {
    {.kind = CAPTURE_STARTED, .time_ns = 1},
    {.kind = CAPTURE_OPENED,
     .flags = CAPTURE_CALLER,
     .node = 1,
     .time_ns = UINT64_MAX,
     .conn = UINT64_C(0xfedcba9876543210),
     .local_ip = 0xffffffff,
     .remote_ip = 0x01020304,
     .local_port = 65535,
     .remote_port = 1},
    {.kind = CAPTURE_SENT, .conn = 1, .bytes = (const uint8_t *)"a\n\xff\1", .n = 4},
    {.kind = CAPTURE_RECEIVED, .node = 1, .conn = 1, .bytes = (const uint8_t *)"abc", .n = 3},
    {.kind = CAPTURE_SENT, .flags = CAPTURE_UDP, .bytes = (const uint8_t *)"", .n = 0},
    {.kind = CAPTURE_SYNCED},
    {.kind = CAPTURE_CLOSED, .node = 1, .conn = 1},
    {.kind = CAPTURE_ENDED, .node = 1},
    {.kind = CAPTURE_GAP},
};
enum { EVENTS = sizeof events / sizeof events[0] };

static struct str write_all(struct arena *arena)
{
    char path[64];
    struct capture_writer *writer = NULL;
    struct err err = {0};
    struct str text;
    told_path(path);
    CHECK_EQ(capture_create(path, nodes, 2, &writer, &err), 0);
    for (size_t i = 0; i < EVENTS; i++) {
        capture_write(writer, &events[i]);
    }
    CHECK_EQ(capture_finish(writer, &err), 0);
    CHECK_EQ(file_read(arena, path, 1 << 20, &text, &err), 0);
    (void)unlink(path);
    return text;
}

TEST(written_and_read)
{
    char path[64];
    struct capture_writer *writer = NULL;
    struct capture_reader *reader = NULL;
    struct capture_event e;
    struct err err = {0};
    const struct capture_node *read = NULL;
    told_path(path);
    CHECK_EQ(capture_create(path, nodes, 2, &writer, &err), 0);
    for (size_t i = 0; i < EVENTS; i++) {
        capture_write(writer, &events[i]);
    }
    CHECK_EQ(capture_finish(writer, &err), 0);
    CHECK_EQ(capture_open(path, NULL, 0, &reader, &err), 0);
    (void)unlink(path);
    CHECK_EQ(capture_nodes(reader, &read), 2);
    CHECK_STR(read[0].name, "n1");
    CHECK_EQ(read[0].ip, 0x0a000001);
    CHECK_STR(read[1].name, "n2");
    for (size_t i = 0; i < EVENTS; i++) {
        const struct capture_event *want = &events[i];
        CHECK_EQ(capture_next(reader, &e, &err), 1);
        CHECK_EQ(e.kind, want->kind);
        CHECK_EQ(e.flags, want->flags);
        CHECK_EQ(e.node, want->node);
        CHECK(e.time_ns == want->time_ns && e.conn == want->conn);
        CHECK(e.local_ip == want->local_ip && e.remote_ip == want->remote_ip);
        CHECK(e.local_port == want->local_port && e.remote_port == want->remote_port);
        CHECK_EQ(e.n, want->n);
        CHECK(e.n == 0 || memcmp(e.bytes, want->bytes, e.n) == 0);
    }
    CHECK_EQ(capture_next(reader, &e, &err), 0);
    CHECK(!capture_cut_off(reader));
    capture_close(reader);
    capture_close(NULL);
    CHECK_EQ(capture_finish(NULL, &err), 0);
}

/* Each beginning of a file tells the events that are whole, and says whether it is cut. */
TEST(cut_at_every_byte)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct str text = write_all(&arena);
    size_t end[EVENTS + 1] = {HEAD};
    for (size_t i = 0; i < EVENTS; i++) {
        end[i + 1] = end[i] + RECORD + events[i].n;
    }
    CHECK_EQ(end[EVENTS], text.n);
    for (size_t n = 0; n <= text.n; n++) {
        struct told told;
        size_t whole = 0;
        told_of((struct str){text.p, n}, NULL, 0, &told);
        if (n < HEAD) {
            CHECK_EQ(told.status, -ERR_INVALID);
            continue;
        }
        while (whole < EVENTS && end[whole + 1] <= n) {
            whole++;
        }
        CHECK_EQ(told.status, 0);
        CHECK_EQ(told.events, whole);
        CHECK_EQ(told.cut_off, n != end[whole]);
    }
    arena_done(&arena);
}

/* Bytes that say what cannot be. */
TEST(damaged)
{
    static const struct {
        size_t at;
        unsigned char byte;
    } rows[] = {
        {8,        2   }, /* version */
        {12,       65  }, /* nodes */
        {15,       1   },
        {HEAD + 3, 2   }, /* size */
        {HEAD + 4, 0   }, /* kind */
        {HEAD + 4, 9   },
        {HEAD + 4, 0xff},
        {HEAD + 6, 2   }, /* node */
        {HEAD + 7, 0xff},
    };
    struct arena arena;
    arena_init(&arena, 0);
    struct str text = write_all(&arena);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct told told;
        char copy[1024];
        CHECK(text.n <= sizeof copy);
        memcpy(copy, text.p, text.n);
        copy[rows[i].at] = (char)rows[i].byte;
        told_of((struct str){copy, text.n}, NULL, 0, &told);
        CHECK_EQ(told.status, -ERR_INVALID);
        CHECK_EQ(told.events, 0);
    }
    arena_done(&arena);
}

TEST(random_changes)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct str text = write_all(&arena);
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        char copy[1024];
        struct told told;
        struct rng rng;
        CHECK(text.n <= sizeof copy);
        memcpy(copy, text.p, text.n);
        rng_seed(&rng, seed);
        for (uint64_t n = 1 + rng_below(&rng, 6); n > 0; n--) {
            /* All but the number of nodes and their names: told_of knows two. */
            size_t at = HEAD + rng_below(&rng, text.n - HEAD);
            copy[at] = (char)rng_next(&rng);
        }
        told_of((struct str){copy, text.n}, NULL, 0, &told);
        CHECK(told.status == 0 || told.status == -ERR_INVALID);
        CHECK(told.events <= EVENTS + text.n / RECORD);
    }
    arena_done(&arena);
}

/* What is too large for a record is a gap, and no half of it. */
TEST(too_large)
{
    static uint8_t bytes[CAPTURE_BYTES_MAX + 1];
    char path[64];
    struct capture_writer *writer = NULL;
    struct capture_reader *reader = NULL;
    struct capture_event e = {.kind = CAPTURE_SENT, .bytes = bytes, .n = sizeof bytes};
    struct err err = {0};
    told_path(path);
    CHECK_EQ(capture_create(path, nodes, 2, &writer, &err), 0);
    capture_write(writer, &e);
    e.n--;
    capture_write(writer, &e);
    CHECK_EQ(capture_finish(writer, &err), 0);
    CHECK_EQ(capture_open(path, NULL, 0, &reader, &err), 0);
    (void)unlink(path);
    CHECK_EQ(capture_next(reader, &e, &err), 1);
    CHECK_EQ(e.kind, CAPTURE_GAP);
    CHECK_EQ(e.n, 0);
    CHECK_EQ(capture_next(reader, &e, &err), 1);
    CHECK_EQ(e.n, CAPTURE_BYTES_MAX);
    CHECK_EQ(capture_next(reader, &e, &err), 0);
    capture_close(reader);
}

TEST(no_file)
{
    struct capture_writer *writer = NULL;
    struct capture_reader *reader = NULL;
    struct err err = {0};
    CHECK(capture_open("/nowhere/at/all", nodes, 2, &reader, &err) < 0);
    CHECK(capture_create("/nowhere/at/all", nodes, 2, &writer, &err) < 0);
    if (access("/dev/full", W_OK) == 0) {
        CHECK_EQ(capture_create("/dev/full", nodes, 2, &writer, &err), 0);
        for (size_t i = 0; i < EVENTS; i++) {
            capture_write(writer, &events[i]);
        }
        CHECK(capture_finish(writer, &err) < 0);
    }
}
