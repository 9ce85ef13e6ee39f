/* The small languages of the command line. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/human.h"
#include "base/status.h"
#include "base/str.h"
#include "base/term.h"
#include "base/vec.h"
#include "option/option.h"
#include "test.h"

TEST(sizes)
{
    static const struct {
        const char *text;
        int64_t want; /* -1 = refused */
    } rows[] = {
        {"0",     0          },
        {"65536", 65536      },
        {"200M",  200LL << 20},
        {"4G",    4LL << 30  },
        {"10GiB", 10LL << 30 },
        {"1.5k",  1536       },
        {"2KB",   2048       },
        {"",      -1         },
        {"M",     -1         },
        {"-1",    -1         },
        {"4X",    -1         },
        {"4GG",   -1         },
        {"1e30",  -1         },
        {"nan",   -1         },
        {"inf",   -1         },
        {" 1",    -1         },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t got = 0;
        bool good = read_size(rows[i].text, &got);
        CHECK_EQ(good, rows[i].want >= 0);
        CHECK(!good || got == (uint64_t)rows[i].want);
    }
}

TEST(durations)
{
    static const struct {
        const char *text;
        double want; /* negative = refused */
    } rows[] = {
        {"90",     90   },
        {"90s",    90   },
        {"5m",     300  },
        {"2h",     7200 },
        {"1.5min", 90   },
        {"250ms",  0.25 },
        {"1d",     86400},
        {"",       -1   },
        {"5x",     -1   },
        {"m",      -1   }
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double got = 0;
        bool good = read_duration(rows[i].text, &got);
        CHECK_EQ(good, rows[i].want >= 0);
        CHECK(!good || (got > rows[i].want - 1e-9 && got < rows[i].want + 1e-9));
    }
}

TEST(numbers_of_workers)
{
    unsigned n = 0;
    CHECK(read_workers("auto", &n) && n >= 1);
    CHECK(read_workers("AUTO", &n));
    CHECK(read_workers("3", &n) && n == 3);
    CHECK(!read_workers("0", &n));
    CHECK(!read_workers("-1", &n));
    CHECK(!read_workers("3x", &n));
    CHECK(!read_workers("", &n));
}

struct sample {
    const char *file, *config;
    struct word_list paths;
    uint64_t depth, memory;
    double time;
    unsigned workers;
    bool json;
    char called[16];
};

static const char *set_called(void *to, const char *value)
{
    struct sample *sample = to;
    (void)snprintf(sample->called, sizeof sample->called, "<%s>", value != NULL ? value : "");
    return value != NULL && strcmp(value, "bad") == 0 ? "something good" : NULL;
}

static const struct option sample_options[] = {
    {"", 0, "FILE", NULL, TO_TEXT(struct sample, file), "", NULL},
    HEADING("Heading"),
    {"config", 'c', "FILE", NULL, TO_TEXT(struct sample, config), "text", NULL},
    {"path", 'I', "DIR", NULL, TO_LIST(struct sample, paths), "list", NULL},
    {"depth", 0, "N", NULL, TO_COUNT(struct sample, depth), "count", NULL},
    {"memory", 0, "SIZE", NULL, TO_SIZE(struct sample, memory), "size", NULL},
    {"time", 0, "TIME", NULL, TO_TIME(struct sample, time), "time", NULL},
    {"workers", 'w', "N", NULL, TO_WORKERS(struct sample, workers), "workers", NULL},
    {"json", 0, NULL, NULL, TO_FLAG(struct sample, json), "flag", NULL},
    {"call", 0, "[=X]", NULL, TO_CALL(set_called), "call", NULL},
    OPTIONS_END,
};

/* Parses words that are separated by blanks. */
static int parse_words(const char *line, struct sample *sample)
{
    char text[128], *argv[16], *save = NULL;
    int argc = 0;
    (void)snprintf(text, sizeof text, "sample %s", line);
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        argv[argc++] = strdup(word);
    }
    *sample = (struct sample){0};
    SCOPED_STRBUF wrong = {0};
    int status = option_read(sample_options, argc, argv, sample, &wrong);
    CHECK_EQ(wrong.n != 0, status != EXIT_OK);
    return status; /* the words are kept for the sample */
}

TEST(options_are_parsed_by_their_table)
{
    struct sample s;
    CHECK_EQ(
        parse_words("--config=a=b -w 2 A.tla -I x -Iy --depth 5 --memory 1k --time 2m --json", &s),
        EXIT_OK);
    CHECK_STR(s.config, "a=b");
    CHECK_EQ(s.workers, 2);
    CHECK_STR(s.file, "A.tla");
    CHECK_EQ(s.paths.n, 2);
    CHECK_STR(s.paths.v[1], "y");
    CHECK_EQ(s.depth, 5);
    CHECK_EQ(s.memory, 1024);
    CHECK(s.time > 119 && s.time < 121);
    CHECK(s.json);
    VEC_DONE(&s.paths);
    CHECK_EQ(parse_words("-w4 --call", &s), EXIT_OK);
    CHECK_EQ(s.workers, 4);
    CHECK_STR(s.called, "<>");
    CHECK_EQ(parse_words("--call=x -- --json", &s), EXIT_OK);
    CHECK_STR(s.called, "<x>");
    CHECK_STR(s.file, "--json");
    CHECK(!s.json);
    CHECK_EQ(parse_words("-1", &s), EXIT_OK); /* a number is no option */
    CHECK_STR(s.file, "-1");
}

TEST(options_that_are_refused)
{
    static const char *const rows[] = {"--nosuch",  "--config",  "A B",           "--json=x",
                                       "--depth 0", "--depth x", "--memory lots", "--call=bad",
                                       "-x",        "--Heading", "--=x"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample s;
        CHECK_EQ(parse_words(rows[i], &s), EXIT_USAGE);
    }
    CHECK_STR(option_near(sample_options, "wrokers")->name, "workers");
    CHECK(option_near(sample_options, "nosuch") == NULL);
}

TEST(numbers_as_people_read_them)
{
    struct strbuf out = {0};
    print_count(&out, 1234567);
    strbuf_addc(&out, '|');
    print_count(&out, 12);
    strbuf_addc(&out, '|');
    print_bytes(&out, 3 << 19);
    strbuf_addc(&out, '|');
    print_si(&out, 1234567);
    strbuf_addc(&out, '|');
    print_seconds(&out, UINT64_C(200) * 1000000000);
    CHECK_STR(strbuf_cstr(&out), "1,234,567|12|1.5 MiB|1.2 M|3 min 20 s");
    strbuf_done(&out);
}
