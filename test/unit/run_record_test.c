/* Recorded runs as files: everything comes back, and what is not whole is refused. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "run/record.h"
#include "test.h"
#include "world/world.h"

static const char *const argv_of[] = {"x", NULL};
static const char *const allow[] = {"getcpu", "io_uring_setup", NULL};

struct made {
    struct arena arena;
    struct world_node nodes[2];
    bool ours[2];
    const char *skips[2], *skipped[2];
    struct cluster cluster;
    char path[40];
};

static void make(struct made *m)
{
    *m = (struct made){
        .nodes = {{.name = "a", .argv = argv_of}, {.name = "c", .argv = argv_of, .client = true}},
        .ours = {false,                          true                                          },
        .skips = {NULL,                           "0.1,2.3-9"                                   },
        .path = "/tmp/assay-record-XXXXXX"
    };
    m->cluster = (struct cluster){
        .nodes = m->nodes, .n_nodes = 2, .ours = m->ours, .skips = m->skips, .skipped = m->skipped};
    arena_init(&m->arena, 0);
    int fd = mkstemp(m->path);
    CHECK(fd >= 0);
    close(fd);
}

static void unmake(struct made *m)
{
    unlink(m->path);
    arena_done(&m->arena);
}

static void fill(struct record *r)
{
    *r = (struct record){.seed = 18446744073709551615U,
                         .digest = 0xfedcba9876543210,
                         .cluster = "/x/y z.toml",
                         .outcome = "violation: it is",
                         .local_clocks = true,
                         .chosen = true,
                         .allow = allow,
                         .time_ns = 5000000001,
                         .events_most = 77,
                         .escape_ms = 20,
                         .only_orders = true};
    VEC_PUSH(&r->computations, (struct computation){.stint = 3, .ns = 4000});
    VEC_PUSH(&r->computations, (struct computation){.stint = 5, .ns = 6000});
    VEC_PUSH(&r->orders, 5);
    VEC_PUSH(&r->orders, 1700);
    VEC_PUSH(&r->choices, (struct choice){
                              {.kind = EV_DELIVER, .id = 4, .at_ns = 77},
                              0xfeed
    });
    VEC_PUSH(&r->choices, (struct choice){
                              {.kind = EV_JUMP, .node = 1, .peer = 1, .arg = -9, .at_ns = 99},
                              0xffffffffffffffff
    });
}

static const char expected[] = "assay-run 2\ncluster /x/y z.toml\ndigest fedcba9876543210\n"
                               "seed 18446744073709551615\noutcome violation: it is\n"
                               "clocks local\nthreads chosen\nlimits 5000000001 77\n"
                               "spin_escape 20\ncomputation 3 4000\ncomputation 5 6000\n"
                               "allow getcpu\nallow io_uring_setup\norders - 5 1700\n"
                               "skip c 0.1,2.3-9\nchoices 2\n"
                               "000000000000feed 77 deliver 4\n"
                               "ffffffffffffffff 99 jump c -9ns\nend ";

TEST(everything_comes_back)
{
    struct made m;
    struct record a, b = {0};
    struct err err = {0};
    struct str text, rest;
    make(&m);
    fill(&a);
    CHECK_EQ(record_write(&a, &m.cluster, m.path, &err), 0);
    CHECK_EQ(file_read(&m.arena, m.path, 1 << 20, &text, &err), 0);
    CHECK_EQ(text.n, sizeof expected - 1 + 17);
    CHECK(memcmp(text.p, expected, sizeof expected - 1) == 0);
    CHECK_EQ(record_head(&m.arena, m.path, &b, &rest, &err), 0);
    CHECK(b.seed == a.seed && b.digest == a.digest && b.local_clocks && b.chosen && b.only_orders);
    CHECK_STR(b.cluster, a.cluster);
    CHECK_STR(b.outcome, a.outcome);
    CHECK_STR(b.allow[0], "getcpu");
    CHECK_STR(b.allow[1], "io_uring_setup");
    CHECK(b.allow[2] == NULL);
    CHECK_EQ(b.time_ns, 5000000001);
    CHECK_EQ(b.events_most, 77);
    CHECK_EQ(b.escape_ms, 20);
    CHECK_EQ(b.computations.n, 2);
    CHECK(b.computations.v[1].stint == 5 && b.computations.v[1].ns == 6000);
    CHECK_EQ(b.orders.n, 2);
    CHECK(b.orders.v[0] == 5 && b.orders.v[1] == 1700);
    CHECK_EQ(b.announced, 2);
    CHECK_EQ(b.skips.n, 1);
    CHECK_EQ(record_apply(&b, &m.cluster, &m.arena, &err), 0);
    CHECK_STR(m.skips[1], "0.1,2.3-9");
    CHECK_STR(m.skipped[1], "0.1,2.3-9");
    CHECK_STR(m.nodes[1].argv[2], "0.1,2.3-9");
    CHECK_EQ(record_choices(&b, &m.cluster, rest, &err), 0);
    CHECK_EQ(b.choices.n, 2);
    CHECK(b.choices.v[0].hash == 0xfeed && b.choices.v[0].event.at_ns == 77);
    CHECK(b.choices.v[1].event.arg == -9 && b.choices.v[1].event.node == 1);
    m.ours[1] = false;
    CHECK(record_apply(&b, &m.cluster, &m.arena, &err) != 0);
    CHECK_STR(err.text, "the recorded run leaves out operations of a client that has none");
    record_done(&a);
    record_done(&b);
    unmake(&m);
}

TEST(what_is_not_whole_is_refused)
{
    struct made m;
    struct record a, b = {0};
    struct err err = {0};
    struct str text, rest;
    make(&m);
    fill(&a);
    CHECK_EQ(record_write(&a, &m.cluster, m.path, &err), 0);
    CHECK_EQ(file_read(&m.arena, m.path, 1 << 20, &text, &err), 0);
    char *copy = arena_alloc(&m.arena, text.n);
    for (size_t n = 0; n < text.n; n++) { /* without its end */
        CHECK_EQ(file_write(m.path, (struct str){text.p, n}, &err), 0);
        CHECK_EQ(record_head(&m.arena, m.path, &b, &rest, &err), -ERR_CORRUPT);
        CHECK(strstr(err.text,
                     n < sizeof "assay-run 2" ? " is not a recorded run" : " is not whole"));
    }
    for (size_t i = 0; i < text.n; i++) { /* with one bit changed */
        memcpy(copy, text.p, text.n);
        copy[i] = (char)(copy[i] ^ 2);
        CHECK_EQ(file_write(m.path, (struct str){copy, text.n}, &err), 0);
        CHECK_EQ(record_head(&m.arena, m.path, &b, &rest, &err), -ERR_CORRUPT);
    }
    record_done(&a);
    unmake(&m);
}

/* Files of the first version have no end; and what is wrong with choices is told. */
TEST(older_files_and_damaged_choices)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"assay-run 1\ncluster c\nchoices 1\n1 2 timer a\n",      NULL                   },
        {"assay-run 1\ncluster c\nchoices 1\n1 2 timer a",
         "is not whole: its end is missing, or it was changed after it was written"      },
        {"assay-run 1\nchoices 1\n1 2 timer a\n",                 "names no cluster file"},
        {"assay-run 1\ncluster c\n1 2 timer a\n",
         "is not whole: its end is missing, or it was changed after it was written"      },
        {"assay-run 1\ncluster c\nchoices 2\n1 2 timer a\n",
         "the recorded run is not whole: 1 choices of 2 are there"                       },
        {"assay-run 1\ncluster c\nchoices 0\n1 2 timer a\n",
         "the recorded run is not whole: 1 choices of 0 are there"                       },
        {"assay-run 1\ncluster c\nchoices 2\n1 2 timer a\n1\n",   "choice 2 is damaged"  },
        {"assay-run 1\ncluster c\nchoices 1\n1 2\n",              "choice 1 is damaged"  },
        {"assay-run 1\ncluster c\nchoices 1\nx\n",                "choice 1 is damaged"  },
        {"assay-run 1\ncluster c\nchoices 1\n1 2 timer b\n",
         "choice 1: event 'timer': the name of a node is missing or unknown"             },
        {"assay-run 1\ncluster c\nfailure nonsense\nchoices 0\n",
         "the failure that the recorded run names is damaged"                            },
        {"assay-run 3\ncluster c\nchoices 0\n",                   "is not a recorded run"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct made m;
        struct record r = {0};
        struct err err = {0};
        struct str rest;
        make(&m);
        CHECK_EQ(file_write(m.path, str_of(rows[i].text), &err), 0);
        int status = record_head(&m.arena, m.path, &r, &rest, &err);
        status = status != 0 ? status : record_choices(&r, &m.cluster, rest, &err);
        if (rows[i].message == NULL) {
            CHECK_EQ(status, 0);
            CHECK_EQ(r.choices.n, 1);
        } else {
            size_t n = strlen(err.text), want = strlen(rows[i].message);
            CHECK(status != 0 && n >= want);
            CHECK_STR(err.text + n - want, rows[i].message);
        }
        record_done(&r);
        unmake(&m);
    }
}

/* What kind of failure it was, of whom, survives its text; two are the same if all of it is. */
TEST(failures)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {
        {"lost key 17 at 0x5f", "lost key 99 at 0x6f", true },
        {"lost key",            "key lost",            false},
        {"lost: key",           "lost key",            true },
        {"",                    "12 34",               true },
        {"a_b",                 "a b",                 false},
        {"sch\xc3\xb6n",        "sch\xc3\xbcn",        false},
        {"x1y same",            "z2 same",             true },
    };
    struct made m;
    make(&m);
    for (int i = 0; i < FAILURE_KIND_COUNT; i++) {
        for (int node = -1; node < 2; node++) {
            struct failure f = {.kind = (enum failure_kind)i,
                                .node = node < 0 ? FAILURE_NOBODY : node,
                                .number = 4000000000U,
                                .text_class = 0xfedcba9876543210},
                           back = {0};
            SCOPED_STRBUF text = {0};
            SCOPED_STRBUF want = {0};
            failure_print(&m.cluster, &f, &text);
            strbuf_printf(&want, "%s %s 4000000000 fedcba9876543210",
                          failure_kind_name((enum failure_kind)i),
                          node < 0 ? "-" : m.nodes[node].name);
            CHECK_STR(strbuf_cstr(&text), strbuf_cstr(&want));
            CHECK(failure_parse(&m.cluster, strbuf_str(&text), &back));
            CHECK(failure_same(&f, &back));
            back.kind = back.kind == FAILURE_NONE ? (enum failure_kind)1 : FAILURE_NONE;
            CHECK(!failure_same(&f, &back));
            back = f;
            back.node = node == 0 ? 1 : 0;
            CHECK(!failure_same(&f, &back));
            back = f;
            back.number--;
            CHECK(!failure_same(&f, &back));
            back = f;
            back.text_class--;
            CHECK(!failure_same(&f, &back));
        }
    }
    struct failure f;
    static const char *const bad[] = {"", "status a 1", "status x 1 2", "nonsense a 1 2",
                                      "status a 1 2 3"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(!failure_parse(&m.cluster, str_of(bad[i]), &f));
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_EQ(failure_text_class(str_of(rows[i].a)) == failure_text_class(str_of(rows[i].b)),
                 rows[i].same);
    }
    unmake(&m);
}
