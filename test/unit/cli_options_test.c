/* The small languages of the command line, and TLC's codes. */
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/tlc_out.h"
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
        bool good = parse_size(rows[i].text, &got);
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
        bool good = parse_duration(rows[i].text, &got);
        CHECK_EQ(good, rows[i].want >= 0);
        CHECK(!good || (got > rows[i].want - 1e-9 && got < rows[i].want + 1e-9));
    }
}

TEST(numbers_of_workers)
{
    unsigned n = 0;
    CHECK(parse_workers("auto", &n) && n >= 1);
    CHECK(parse_workers("AUTO", &n));
    CHECK(parse_workers("3", &n) && n == 3);
    CHECK(!parse_workers("0", &n));
    CHECK(!parse_workers("-1", &n));
    CHECK(!parse_workers("3x", &n));
    CHECK(!parse_workers("", &n));
}

TEST(walk_over_arguments)
{
    char a0[] = "check", a1[] = "--config=a=b", a2[] = "-w", a3[] = "2", a4[] = "Spec.tla",
         a5[] = "--", a6[] = "--x";
    char *argv[] = {a0, a1, a2, a3, a4, a5, a6, NULL};
    struct args args;
    args_init(&args, 7, argv);
    CHECK(args_next(&args) && args_is(&args, "config"));
    CHECK_STR(args_value(&args), "a=b");
    CHECK(args_next(&args) && args_is(&args, "w"));
    CHECK_STR(args_value(&args), "2");
    CHECK(args_next(&args) && args.name == NULL);
    CHECK_STR(args.value, "Spec.tla");
    CHECK(args_next(&args) && args.name == NULL);
    CHECK_STR(args.value, "--x");
    CHECK(!args_next(&args));
    args_done(&args);
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

TEST(exit_statuses)
{
    static const int rows[][2] = {
        {0,    0  },
        {2104, 10 },
        {2404, 10 },
        {2114, 11 },
        {2107, 12 },
        {2110, 12 },
        {2108, 13 },
        {2112, 13 },
        {2116, 13 },
        {2132, 14 },
        {2103, 75 },
        {2109, 75 },
        {2111, 76 },
        {2253, 77 },
        {3002, 150},
        {2222, 151},
        {2245, 151},
        {2273, 151},
        {5006, 255},
        {1000, 255}
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_EQ(tlc_exit_status(rows[i][0]), rows[i][1]);
        CHECK(tlc_known_code(rows[i][0]));
    }
    CHECK(!tlc_known_code(99999));
    CHECK(!tlc_known_code(2150));
}
