/* Cluster files: what is read, and what is refused. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "run/plan.h"
#include "run/record.h"
#include "test.h"
#include "world/world.h"

static int load(struct arena *arena, const char *text, struct cluster *ret, struct err *err)
{
    char path[] = "/tmp/assay-cluster-XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    int status = cluster_read(arena, path, ret, err);
    unlink(path);
    return status;
}

static const char three[] =
    "[run]\nseed = 7\ntime = \"1.5s\"\n[net]\nlatency = [\"1ms\", \"2ms\"]\n"
    "[faults]\ncrashes = 2\npartitions = 1\nbetween = [\"1s\", \"2s\"]\n"
    "[[node]]\nname = \"n{i}\"\ncount = 3\nrun = \"prog --id {i}\"\n"
    "files = [\"/data/x\", \"id {i}\\n\"]\n"
    "[[client]]\nname = \"c\"\nat = \"20ms\"\nrun = [\"/bin/c\", \"a b\"]\n"
    "[[event]]\nat = \"1s\"\ndo = \"partition n1 | n2\"\n"
    "[[event]]\nat = \"0.5s\"\ndo = \"jump n2 -5s\"\n";

static const char every_key[] =
    "[run]\nseed = 9\nstop = \"clients\"\ntime = \"3s\"\nevents = 77\nthreads = \"seeded\"\n"
    "preemptions = 6\n"
    "allow = [\"getcpu\"]\nfail_on = [\"panic\", \"BUG\"]\n"
    "[net]\nlatency = [\"3ms\", \"5ms\"]\nudp_loss = 0.25\n"
    "[[messages]]\nport = 7001\nlength = 4\noffset = 3\norder = \"little\"\ncounts = "
    "\"all\"\nextra = -2\n"
    "[[messages]]\nport = 7002\nend = \"\\r\\n\"\n"
    "[[messages]]\n"
    "[disk]\nmodel = \"strict\"\nwriteback = \"7s\"\n"
    "[limits]\nmemory_mb = 300\nlog_mb = 2\nthreads = 12\nbusy_calls = 1234\nspin = "
    "\"4s\"\nspin_escape = \"30ms\"\n"
    "[faults]\nkills = 1\ncrashes = 2\npauses = 3\npartitions = 4\ncuts = 5\njumps = 6\ndisk = "
    "7\ndrops = 8\nduplicates = 9\n"
    "between = [\"1s\", \"2s\"]\nlast = [\"3ms\", \"4ms\"]\nreorder = 0.5\n"
    "[[node]]\nname = \"a\"\nrun = [\"x\", \"{name}\"]\naddress = \"10.1.2.3\"\ndirs = [\"/d\", "
    "\"/e\"]\ncwd = \"/e\"\n"
    "start = \"5ms\"\nmanual = true\nmay_fail = true\nenv = [\"TZ=CET\", \"A=b\"]\nskew = "
    "\"2s\"\ndrift_ppm = -40\n"
    "files = [\"/d/s\", \"#!/bin/sh\\n\", \"/d/t\", \"t\"]\n"
    "[[node]]\nname = \"b\"\nrun = \"y\"\n"
    "[[check]]\nname = \"same\"\nrun = \"compare 1\"\nevery = 6\n"
    "[[check]]\nrun = \"other\"\n"
    "[[event]]\nat = \"2s\"\ndo = \"kill a\"\n[[event]]\nat = \"1s\"\ndo = \"pause "
    "b\"\n[[event]]\nat = \"2s\"\ndo = \"resume b\"\n";

static bool has(const char *const *list, const char *text)
{
    bool found = false;
    for (; *list != NULL; list++) {
        found = found || strcmp(*list, text) == 0;
    }
    return found;
}

static void check_tables(const struct cluster *c)
{
    CHECK_EQ(c->seed, 9);
    CHECK(c->stop_with_clients);
    CHECK_EQ(c->time_ns, 3000000000);
    CHECK_EQ(c->events_most, 77);
    CHECK(c->seeded_threads);
    CHECK_EQ(c->preemptions, 6);
    CHECK_STR(c->allow[0], "getcpu");
    CHECK_EQ(c->n_fail_on, 2);
    CHECK(str_is(c->fail_on[1], "BUG"));
    CHECK_EQ(c->net.latency_min_ns, 3000000);
    CHECK_EQ(c->net.latency_max_ns, 5000000);
    CHECK_EQ(c->net.udp_loss_ppm, 250000);
    CHECK(c->strict_disk);
    CHECK_EQ(c->writeback_ns, 7000000000);
    CHECK_EQ(c->limits.memory_bytes, 300 << 20);
    CHECK_EQ(c->limits.log_bytes, 2 << 20);
    CHECK_EQ(c->limits.threads, 12);
    CHECK_EQ(c->limits.busy_calls, 1234);
    CHECK_EQ(c->limits.spin_ms, 4000);
    CHECK_EQ(c->limits.escape_ms, 30);
    const struct fault_plan *f = &c->faults;
    const uint32_t counts[] = {f->kills, f->crashes, f->pauses, f->partitions, f->cuts,
                               f->jumps, f->disk,    f->drops,  f->duplicates};
    for (uint32_t i = 0; i < 9; i++) {
        CHECK_EQ(counts[i], i + 1);
    }
    CHECK_EQ(f->from_ns, 1000000000);
    CHECK_EQ(f->to_ns, 2000000000);
    CHECK_EQ(f->min_ns, 3000000);
    CHECK_EQ(f->max_ns, 4000000);
    CHECK_EQ(f->reorder_ppm, 500000);
}

static void check_messages(const struct world_net *net)
{
    CHECK_EQ(net->n_messages, 3);
    const struct world_message *m = net->messages;
    CHECK_EQ(m[0].port, 7001);
    CHECK_EQ(m[0].end, MESSAGE_LENGTH);
    CHECK_EQ(m[0].width, 4);
    CHECK_EQ(m[0].offset, 3);
    CHECK(m[0].little && m[0].counts_all);
    CHECK_EQ(m[0].extra, -2);
    CHECK_EQ(m[1].port, 7002);
    CHECK_EQ(m[1].end, MESSAGE_TEXT);
    CHECK_EQ(m[1].text_n, 2);
    CHECK(memcmp(m[1].text, "\r\n", 2) == 0);
    CHECK_EQ(m[2].end, MESSAGE_WRITE);
    CHECK(!m[2].little && !m[2].counts_all);
    CHECK_EQ(m[2].offset, 0);
}

TEST(every_key_is_read)
{
    struct arena arena;
    struct cluster c;
    struct err err = {0};
    arena_init(&arena, 0);
    if (load(&arena, every_key, &c, &err) != 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    check_tables(&c);
    check_messages(&c.net);
    CHECK_EQ(c.n_nodes, 2);
    const struct world_node *a = &c.nodes[0], *b = &c.nodes[1];
    CHECK_EQ(a->ip, 0x0a010203);
    CHECK_STR(a->dirs[1], "/e");
    CHECK_STR(a->cwd, "/e");
    CHECK_EQ(a->start_ns, 5000000);
    CHECK(a->manual && !a->client && c.may_fail[0]);
    CHECK(has(a->env, "TZ=CET") && has(a->env, "A=b") && !has(a->env, "TZ=UTC") &&
          has(a->env, "HOME=/tmp"));
    CHECK_EQ(a->skew_ns, 2000000000);
    CHECK_EQ(a->drift_ppm, -40);
    CHECK_EQ(a->n_files, 2);
    CHECK_EQ(a->files[0].mode, 0755);
    CHECK_EQ(a->files[1].mode, 0);
    CHECK_STR(a->files[1].text, "t");
    CHECK_EQ(b->ip, 0x0a000002);
    CHECK(!b->manual && !c.may_fail[1] && has(b->env, "TZ=UTC"));
    CHECK_STR(b->dirs[0], "/data");
    CHECK_EQ(c.n_checks, 2);
    CHECK(str_is(c.checks[0].name, "same") && str_is(c.checks[1].name, "check"));
    CHECK_STR(c.checks[0].argv[1], "1");
    CHECK_EQ(c.checks[0].every, 6);
    CHECK_EQ(c.checks[1].every, 0);
    CHECK_EQ(c.n_events, 3);
    CHECK_EQ(c.events[0].event.kind, EV_PAUSE);
    CHECK_EQ(c.events[1].event.kind, EV_KILL);
    CHECK_EQ(c.events[2].event.kind, EV_RESUME);
    arena_done(&arena);
}

TEST(cluster_is_read)
{
    struct arena arena;
    struct cluster c;
    struct err err = {0};
    arena_init(&arena, 0);
    CHECK_EQ(load(&arena, three, &c, &err), 0);
    CHECK_EQ(c.n_nodes, 4);
    CHECK_EQ(c.seed, 7);
    CHECK_EQ(c.time_ns, 1500000000);
    CHECK_EQ(c.net.latency_max_ns, 2000000);
    CHECK_STR(c.nodes[1].name, "n2");
    CHECK_STR(c.nodes[1].argv[2], "2");
    CHECK_EQ(c.nodes[1].ip, 0x0a000002);
    CHECK_STR(c.nodes[2].files[0].text, "id 3\n");
    CHECK(c.nodes[3].client);
    CHECK_STR(c.nodes[3].argv[1], "a b");
    CHECK_EQ(c.nodes[3].start_ns, 20000000);
    CHECK_EQ(c.n_events, 7); /* the jump, and six cuts around n1 */
    CHECK_EQ(c.events[0].event.kind, EV_JUMP);
    CHECK_EQ(c.events[0].event.arg, -5000000000);
    arena_done(&arena);
}

TEST(mistakes_are_named)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"",                                                                                "there is no [[node]]"         },
        {"[[node]]\nname = \"a\"\n",                                                        "needs name and run"           },
        {"[[node]]\nname = \"a\"\nrun = \"x\"\ncolour = 3\n",                               "line 4: 'colour'"             },
        {"[faults]\ncrashs = 1\n[[node]]\nname = \"a\"\nrun = \"x\"",                       "'crashs' is not known"        },
        {"[[node]]\nname = \"a\"\nrun = \"x\"\n[[node]]\nname = \"a\"\nrun = \"y\"",
         "two nodes named 'a'"                                                                                             },
        {"[[node]]\nname = \"\"\nrun = \"x\"",                                              "cannot be the name"           },
        {"[[node]]\nname = \"a b\"\nrun = \"x\"",                                           "cannot be the name"           },
        {"[[node]]\nname = \"..\"\nrun = \"x\"",                                            "cannot be the name"           },
        {"[[node]]\nname = \"replay\"\nrun = \"x\"",                                        "replay"                       },
        {"[[node]]\nname = \"check.out\"\nrun = \"x\"",                                     "check.out"                    },
        {"[[node]]\nname = \"events.txt\"\nrun = \"x\"",                                    "events.txt"                   },
        {"[[node]]\nname = \"history.txt\"\nrun = \"x\"",                                   "history.txt"                  },
        {"[[node]]\nname = \"history.jsonl\"\nrun = \"x\"",                                 "history.jsonl"                },
        {"[[node]]\nname = \"-a\"\nrun = \"x\"",                                            "cannot be the name"           },
        {"[[node]]\nname = \".a\"\nrun = \"x\"",                                            "cannot be the name"           },
        {"[[node]]\nname = \"a/b\"\nrun = \"x\"",                                           "cannot be the name"           },
        {"[nodes]\nname = \"a\"",                                                           "did you mean [[node]]"        },
        {"[limit]\nx = 1",                                                                  "did you mean [limits]"        },
        {"[[evnt]]\nat = 1",                                                                "did you mean [[event]]"       },
        {"[histori]\nat = 1",                                                               "did you mean [history]"       },
        {"[[node]]\nname = \"n\"\ncount = 3\nrun = \"x\"",                                  "needs {i}"                    },
        {"[[node]]\nname = \"n{i}\"\ncount = 0\nrun = \"x\"",                               "count must be above 0"        },
        {"[[node]]\nname = \"n{i}\"\nrun = \"x\"\ncount = 100000",                          "line 4: a cluster has at most"},
        {"[run]\ntime = \"0s\"\n[[node]]\nname = \"a\"\nrun = \"x\"",                       "above 0"                      },
        {"[run]\nevents = 0\n[[node]]\nname = \"a\"\nrun = \"x\"",                          "above 0"                      },
        {"[[node]]\nname = \"a\"\nrun = \"x\"\naddress = \"1.2.3\"",                        "not an IPv4 address"          },
        {"[[node]]\nname = \"a\"\nrun = \"x\"\nstart = \"soon\"",                           "not a time"                   },
        {"[[node]]\nname = \"a\nrun = \"x\"",                                               "string is not closed"         },
        {"[[messages]]\nlength = 3\n[[node]]\nname = \"a\"\nrun = \"x\"",                   "1, 2, 4 or 8 bytes"           },
        {"[[messages]]\nlength = 4\nend = \"x\"\n[[node]]\nname = \"a\"\nrun = \"x\"",
         "either end"                                                                                                      },
        {"[[messages]]\nlength = 4\norder = \"up\"\n[[node]]\nname = \"a\"\nrun = \"x\"",
         "order must be"                                                                                                   },
        {"[[node]\nname = \"a\"",                                                           "] is missing"                 },
        {"[[node]]\nname = {x = 1}",                                                        "name must be a string"        },
        {"[[node]]\nname = \"a\"\nname = \"b\"",                                            "was given a value before"     },
        {"[[node]]\nname = \"a\"\nrun = \"x\"\n[[event]]\nat = \"1s\"\ndo = \"explode a\"",
         "no such event"                                                                                                   },
        {"[[node]]\nname = \"a\"\nrun = \"x\"\n[[event]]\nat = \"1s\"\ndo = \"crash b\"",
         "unknown"                                                                                                         },
        {"[[node]]\nname = \"a\"\nrun = \"x\"\n[disk]\nmodel = \"best\"",                   "model must be"                },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena arena;
        struct cluster c;
        struct err err = {0};
        arena_init(&arena, 0);
        CHECK(load(&arena, rows[i].text, &c, &err) != 0);
        if (strstr(err.text, rows[i].message) == NULL) {
            fprintf(stderr, "row %zu: %s\n", i, err.text);
        }
        CHECK(strstr(err.text, rows[i].message) != NULL);
        arena_done(&arena);
    }
}

/* A command may be one text, which is cut at blanks; other lists may not. */
TEST(commands_are_cut)
{
    struct arena arena;
    struct cluster c;
    struct err err = {0};
    arena_init(&arena, 0);
    CHECK_EQ(load(&arena,
                  "[run]\nfail_on = [\"lost write\"]\n[[node]]\nname = \"a\"\nrun = \"x y\"\n"
                  "[[node]]\nname = \"b-1\"\nrun = [\"x y\"]\nenv = [\"A=b c\"]\n",
                  &c, &err),
             0);
    CHECK_EQ(c.n_fail_on, 1);
    CHECK(str_eq(c.fail_on[0], STR("lost write")));
    CHECK_EQ(c.n_nodes, 2);
    CHECK_STR(c.nodes[0].argv[0], "x");
    CHECK_STR(c.nodes[0].argv[1], "y");
    CHECK_STR(c.nodes[1].argv[0], "x y");
    CHECK(has(c.nodes[1].env, "A=b c"));
    static const char *const others[] = {"[run]\nfail_on = \"a b\"\n", "[run]\nallow = \"a b\"\n"};
    for (size_t i = 0; i < 2; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "%s[[node]]\nname = \"a\"\nrun = \"x\"\n", others[i]);
        CHECK(load(&arena, text, &c, &err) != 0);
        CHECK(strstr(err.text, "line 2: ") != NULL &&
              strstr(err.text, "an array of strings") != NULL);
    }
    arena_done(&arena);
}

/* Operations that a client leaves out are an option of its command. */
TEST(skips_are_set_and_taken_back)
{
    static const char nothing[] = "\0not this";
    const char *skips[1] = {NULL};
    const char *const argv[] = {"assay", "client", NULL};
    struct world_node node = {.argv = argv};
    struct cluster c = {.nodes = &node, .n_nodes = 1, .skips = skips};
    struct arena arena;
    arena_init(&arena, 0);
    for (int i = 0; i < 2; i++) {
        const char *text = i == 0 ? "0.1" : "2.3-4";
        cluster_skip(&c, &arena, 0, text);
        CHECK_STR(skips[0], text);
        CHECK_STR(node.argv[1], "client");
        CHECK_STR(node.argv[2], "--skip");
        CHECK_STR(node.argv[3], text);
        CHECK(node.argv[4] == NULL);
    }
    cluster_skip(&c, &arena, 0, nothing);
    CHECK(skips[0] == NULL && node.argv[2] == NULL);
    CHECK_STR(node.argv[1], "client");
    arena_done(&arena);
}

TEST(example_is_read)
{
    struct arena arena;
    struct cluster c;
    struct err err = {0};
    arena_init(&arena, 0);
    CHECK_EQ(load(&arena, cluster_example, &c, &err), 0);
    CHECK_EQ(c.n_nodes, 4);
    arena_done(&arena);
}

TEST(plans_depend_on_the_seed_alone)
{
    struct arena arena;
    struct cluster c;
    struct err err = {0};
    struct plan a = {0}, b = {0}, other = {0}, none = {0};
    arena_init(&arena, 0);
    CHECK_EQ(load(&arena, three, &c, &err), 0);
    plan_make(&a, &c, 1, true);
    plan_make(&b, &c, 1, true);
    plan_make(&other, &c, 2, true);
    plan_make(&none, &c, 1, false);
    CHECK_EQ(none.events.n, c.n_events);
    CHECK_EQ(a.events.n, b.events.n);
    CHECK(memcmp(a.events.v, b.events.v, a.events.n * sizeof a.events.v[0]) == 0);
    CHECK(a.events.n != other.events.n ||
          memcmp(a.events.v, other.events.v, a.events.n * sizeof a.events.v[0]) != 0);
    for (size_t i = 1; i < a.events.n; i++) {
        CHECK(a.events.v[i - 1].at_ns <= a.events.v[i].at_ns);
    }
    plan_done(&a);
    plan_done(&b);
    plan_done(&other);
    plan_done(&none);
    arena_done(&arena);
}

TEST(events_survive_text)
{
    struct arena arena;
    struct cluster c;
    struct err err = {0};
    arena_init(&arena, 0);
    CHECK_EQ(load(&arena, three, &c, &err), 0);
    const struct event rows[] = {
        {.kind = EV_DELIVER, .id = 12},
        {.kind = EV_TIMER, .node = 1, .peer = 1},
        {.kind = EV_CRASH, .node = 2, .peer = 2, .arg = CRASH_KEEP_ALL},
        {.kind = EV_CUT, .node = 0, .peer = 2},
        {.kind = EV_HEAL},
        {.kind = EV_HEAL, .node = 1, .peer = 2},
        {.kind = EV_JUMP, .node = 1, .peer = 1, .arg = -12345},
        {.kind = EV_DISK, .node = 0, .arg = DISK_FULL},
        {.kind = EV_DUPLICATE, .id = 3},
        {.kind = EV_THREAD, .node = 1, .peer = 1, .id = 102, .arg = 57},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCOPED_STRBUF text = {0};
        struct event back;
        size_t n = 0;
        event_print(&c, &rows[i], &text);
        CHECK_EQ(event_parse(&c, strbuf_str(&text), &back, 1, &n, &err), 0);
        CHECK_EQ(n, 1);
        CHECK_EQ(back.kind, rows[i].kind);
        CHECK_EQ(back.node, rows[i].node);
        CHECK_EQ(back.peer, rows[i].peer);
        CHECK_EQ(back.id, rows[i].id);
        CHECK_EQ(back.arg, rows[i].arg);
    }
    arena_done(&arena);
}

TEST(records_survive_files)
{
    struct arena arena;
    struct cluster c;
    struct err err = {0};
    struct record a = {.seed = 9, .digest = 0xabc, .cluster = "/x/y.toml", .outcome = "fine"}, b;
    struct str rest;
    arena_init(&arena, 0);
    CHECK_EQ(load(&arena, three, &c, &err), 0);
    VEC_PUSH(&a.choices, (struct choice){
                             {.kind = EV_DELIVER, .id = 4, .at_ns = 77},
                             0xfeed
    });
    VEC_PUSH(&a.choices, (struct choice){
                             {.kind = EV_TIMER, .node = 1, .peer = 1},
                             0xbeef
    });
    const char *path = "/tmp/assay-record-test";
    CHECK_EQ(record_write(&a, &c, path, &err), 0);
    CHECK_EQ(record_head(&arena, path, &b, &rest, &err), 0);
    CHECK_EQ(record_choices(&b, &c, rest, &err), 0);
    CHECK_EQ(b.seed, 9);
    CHECK_STR(b.cluster, "/x/y.toml");
    CHECK_EQ(b.choices.n, 2);
    CHECK_EQ(b.choices.v[0].event.at_ns, 77);
    CHECK_EQ(b.choices.v[1].hash, 0xbeef);
    CHECK_EQ(file_write(path, STR("not a record\n"), &err), 0);
    CHECK(record_head(&arena, path, &b, &rest, &err) != 0);
    unlink(path);
    record_done(&a);
    record_done(&b);
    arena_done(&arena);
}

TEST(times)
{
    static const struct {
        const char *text;
        uint64_t ns;
    } rows[] = {
        {"1s",   1000000000  },
        {"20ms", 20000000    },
        {"3us",  3000        },
        {"7ns",  7           },
        {"2m",   120000000000},
        {"0.5",  500000000   },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t ns = 0;
        CHECK(parse_time_ns(str_of(rows[i].text), &ns));
        CHECK_EQ(ns, rows[i].ns);
    }
    uint64_t ns = 0;
    CHECK(!parse_time_ns(STR("soon"), &ns));
    CHECK(!parse_time_ns(STR("-1s"), &ns));
    CHECK(!parse_time_ns(STR("1 parsec"), &ns));
    CHECK(!parse_time_ns(STR("nan"), &ns));
    CHECK(!parse_time_ns(STR("inf"), &ns));
}
