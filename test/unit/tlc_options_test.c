/* TLC's command line: what each option and property sets, what is said of mistakes, and the exit
 * status of each of TLC's codes. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "check/check.h"
#include "job/job.h"
#include "test.h"
#include "tlc/message.h"
#include "tlc/options.h"

struct parsed {
    struct tlc_options o;
    struct tlc_out out;
    bool good;
    char *said;
    char text[400]; /* the words that options point into */
};

/* Words are separated by blanks. */
static void parse(struct parsed *p, const char *line)
{
    char *argv[40] = {(char *)"tlc"};
    int argc = 1;
    size_t n = 0;
    FILE *file = open_memstream(&p->said, &n);
    tlc_out_init(&p->out, file);
    (void)snprintf(p->text, sizeof p->text, "%s", line);
    for (char *word = strtok(p->text, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    p->good = tlc_options_parse(&p->o, &p->out, argc, argv);
    fclose(file);
}

static void parse_done(struct parsed *p)
{
    tlc_options_done(&p->o);
    tlc_out_done(&p->out);
    free(p->said);
}

TEST(values)
{
    struct parsed p;
    parse(&p, "M");
    CHECK(p.good);
    CHECK_STR(p.o.spec, "M");
    CHECK_EQ(p.o.depth, 100);
    CHECK_EQ(p.o.dfid, -1);
    CHECK_EQ(p.o.workers, 1);
    CHECK_EQ(p.o.coverage_min, -1);
    CHECK_EQ(p.o.checkpoint_min, 30);
    CHECK_EQ(p.o.progress_s, 60);
    CHECK(p.o.fp >= 0 && p.o.fp <= 130);
    CHECK(!p.o.simulate && !p.o.generate && !p.o.has_seed && !p.o.no_deadlock && !p.o.keep_going);
    CHECK(!p.o.checkpoint_given && !p.o.te_forced && !p.o.te_off && p.out.warn && !p.out.tool);
    parse_done(&p);

    parse(
        &p,
        "-config C.cfg -workers 3 -deadlock -continue -inv x>1 -inv y -invlevel 7 -postCondition "
        "A!B "
        "-depth 9 -seed -5 -aril 6 -dfid 4 -coverage 2 -checkpoint 8 -recover R -metadir D M.tla");
    CHECK(p.good);
    CHECK_STR(p.o.spec, "M");
    CHECK_STR(p.o.config, "C.cfg");
    CHECK_EQ(p.o.workers, 3);
    CHECK(p.o.no_deadlock && p.o.keep_going && p.o.has_seed && p.o.checkpoint_given);
    CHECK_EQ(p.o.invariants.n, 2);
    CHECK_STR(p.o.invariants.v[1], "y");
    CHECK_EQ(p.o.level_max, 7);
    CHECK_EQ(p.o.postconditions.n, 1);
    CHECK_STR(p.o.postconditions.v[0], "A!B");
    CHECK_EQ(p.o.depth, 9);
    CHECK_EQ(p.o.seed, -5);
    CHECK_EQ(p.o.aril, 6);
    CHECK_EQ(p.o.dfid, 4);
    CHECK_EQ(p.o.coverage_min, 2);
    CHECK_EQ(p.o.checkpoint_min, 8);
    CHECK_STR(p.o.recover, "R");
    CHECK_STR(p.o.metadir, "D");
    parse_done(&p);

    parse(
        &p,
        "-cleanup -difftrace -view -terse -userFile U -nowarning -generateSpecTE nomonolith -noTE "
        "-teSpecOutDir T -maxSetSize 50 -fp 130 -fpbits 30 -fpmem 0.5 -gzip -debug -tool -lncheck "
        "FINAL M");
    CHECK(p.good);
    CHECK_STR(p.o.spec, "M");
    CHECK(p.o.cleanup && p.o.difftrace && p.o.view && p.o.terse && p.o.te_forced && p.o.te_off);
    CHECK(p.o.debug && p.out.tool && !p.out.warn);
    CHECK_STR(p.o.user_file, "U");
    CHECK_STR(p.o.te_dir, "T");
    CHECK_EQ(p.o.max_set_size, 50);
    CHECK_EQ(p.o.fp, 130);
    CHECK_EQ(p.o.live_when, LIVE_FINAL);
    parse_done(&p);

    parse(&p, "-depth 0 -noTEBin -NOTE -generateSpecTE M");
    CHECK(p.good && p.o.te_no_bin && p.o.te_off && p.o.te_forced);
    CHECK_EQ(p.o.depth, 1);
    CHECK_STR(p.o.spec, "M");
    parse_done(&p);
}

TEST(live)
{
    static const struct {
        const char *text;
        enum live_when when;
    } rows[] = {
        {"default",  LIVE_DEFAULT },
        {"final",    LIVE_FINAL   },
        {"seqfinal", LIVE_SEQFINAL},
        {"off",      LIVE_OFF     },
        {"never",    LIVE_DEFAULT },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct parsed p;
        char line[100];
        (void)snprintf(line, sizeof line, "-lncheck %s M", rows[i].text);
        parse(&p, line);
        CHECK(p.good);
        CHECK_EQ(p.o.live_when, rows[i].when);
        parse_done(&p);
    }
}

TEST(traces)
{
    struct parsed p;
    parse(&p, "-simulate num=5,file=t,stats=full -dumpTrace JSON a -dumpTrace tlcTESpec b "
              "-loadTrace json c M");
    CHECK(p.good && p.o.simulate && !p.o.generate);
    CHECK_EQ(p.o.simulate_num, 5);
    CHECK_STR(p.o.simulate_file, "t");
    CHECK_STR(p.o.simulate_stats, "full");
    CHECK_EQ(p.o.traces.n, 2);
    CHECK_STR(p.o.traces.v[0].format, "json");
    CHECK_STR(p.o.traces.v[0].path, "a");
    CHECK_STR(p.o.traces.v[1].format, "tlcTESpec");
    CHECK_STR(p.o.load.format, "json");
    CHECK_STR(p.o.load.path, "c");
    parse_done(&p);

    parse(&p, "-generate stats=basic M");
    CHECK(p.good && p.o.simulate && p.o.generate);
    CHECK_STR(p.o.simulate_stats, "basic");
    parse_done(&p);

    parse(&p, "-simulate M");
    CHECK(p.good && p.o.simulate && p.o.simulate_file == NULL);
    CHECK_STR(p.o.spec, "M");
    parse_done(&p);

    parse(&p, "-dump states M");
    CHECK(p.good && !p.o.dump.dot);
    CHECK_STR(p.o.dump.path, "states.dump");
    parse_done(&p);

    parse(&p, "-dump dot,colorize,actionlabels,snapshot g.dot M");
    CHECK(p.good && p.o.dump.dot && p.o.dump.colorize && p.o.dump.actionlabels &&
          p.o.dump.snapshot);
    CHECK(!p.o.dump.constrained && !p.o.dump.stuttering && !p.o.dump.strict);
    CHECK_STR(p.o.dump.path, "g.dot");
    parse_done(&p);

    parse(&p, "-dump dot,constrained,stuttering,strict g M");
    CHECK(p.good && p.o.dump.dot && !p.o.dump.colorize && !p.o.dump.actionlabels);
    CHECK(p.o.dump.constrained && p.o.dump.stuttering && p.o.dump.strict && !p.o.dump.snapshot);
    CHECK_STR(p.o.dump.path, "g.dot");
    parse_done(&p);
}

TEST(properties)
{
    struct parsed p;
    parse(&p, "-DTLA-Library=/lib -Dtlc2.TLC.stopAfter=5 -Dtlc2.TLC.progressInterval=2 "
              "-Dtlc2.TLC.asMilliSeconds=true -Dtlc2.output.MP.noTimestamps=TRUE M");
    CHECK(p.good);
    CHECK_STR(p.o.library, "/lib");
    CHECK_EQ(p.o.stop_after_s, 5);
    CHECK_EQ(p.o.progress_s, 2);
    CHECK(p.o.as_milliseconds && p.out.no_timestamps);
    CHECK(!p.out.warnings_are_errors && !p.o.depth_first && !p.o.no_symmetry);
    CHECK(!p.o.action_composition && !p.o.generate);
    CHECK_EQ(p.o.properties.n, 5);
    parse_done(&p);

    parse(&p, "-Dtlc2.output.MP.warning2error=true -Dtlc2.tool.queue.IStateQueue=StateDeque "
              "-Dtlc2.tool.impl.ModelConfig.nosymmetry=true -Dtlc2.tool.impl.Tool.cdot=true "
              "-Dtlc2.tool.impl.Tool.probabilistic=true M");
    CHECK(p.good && p.out.warnings_are_errors && p.o.depth_first && p.o.no_symmetry);
    CHECK(p.o.action_composition && p.o.generate);
    CHECK(!p.o.as_milliseconds && !p.out.no_timestamps);
    parse_done(&p);

    parse(&p,
          "-Dtlc2.TLC.stopAfter=0 -Dtlc2.TLC.progressInterval=-1 -Dtlc2.TLC.asMilliSeconds=false "
          "-Dtlc2.tool.queue.IStateQueue=Other -Dunknown=1 M");
    CHECK(p.good && !p.o.as_milliseconds && !p.o.depth_first);
    CHECK_EQ(p.o.stop_after_s, 0);
    CHECK_EQ(p.o.progress_s, 60);
    parse_done(&p);
}

TEST(codes)
{
    struct parsed p;
    parse(&p, "-suppressMessages 2193,2194 -messagesAsErrors 2220 M");
    CHECK(p.good);
    CHECK_EQ(p.out.nsuppressed, 2);
    CHECK_EQ(p.out.suppressed[0], 2193);
    CHECK_EQ(p.out.suppressed[1], 2194);
    CHECK_EQ(p.out.nas_error, 1);
    CHECK_EQ(p.out.as_errors[0], 2220);
    parse_done(&p);
}

TEST(mistakes)
{
    static const struct {
        const char *line, *says;
    } rows[] = {
        {"",                                                     "Missing input TLA+ module"                   },
        {"-simulate file=t M",                                   "need to specify a 'num' argument"            },
        {"-simulate num=x M",                                    "number of traces required. But encountered x"},
        {"-suppressMessages 2193 -messagesAsErrors 2220,2193 M", "[2193]"                                      },
        {"-suppressMessages 2193 -nowarning M",                  "-nowarning already suppresses"               },
        {"-suppressMessages x M",                                "For input string: \"x\""                     },
        {"-suppressMessages 12345678901234567 M",                "For input string: \"12345678901234567\""     },
        {"-suppressMessages 1 M",                                "unknown message code: 1"                     },
        {"-loadTrace xml a M",                                   "Unknown format xml given to -loadTrace"      },
        {"-loadTrace",                                           "format and a file name for loading"          },
        {"-loadTrace json",                                      "format and a file name for loading"          },
        {"-dumpTrace xml a M",                                   "Unknown format xml given to -dumpTrace"      },
        {"-dumpTrace",                                           "format and a file name for dumping"          },
        {"-dumpTrace json",                                      "format and a file name for dumping"          },
        {"-dump class,x M",                                      "custom IStateWriter implementation x"        },
        {"-postCondition AB M",                                  "Module!Operator for postCondition required"  },
        {"-postCondition A!B!C M",                               "must be of the form module!operator"         },
        {"-postCondition !B M",                                  "Module name for postCondition required"      },
        {"-postCondition A! M",                                  "Operator name for postCondition required"    },
        {"-postCondition A.x!B M",                               "Module name for postCondition must not"      },
        {"-postCondition A!B.y M",                               "Operator name for postCondition must not"    },
        {"-fp 131 M",                                            "between 0 and 130"                           },
        {"-fp -1 M",                                             "between 0 and 130"                           },
        {"-fpbits 31 M",                                         "interval [0, 30] for fpbits"                 },
        {"-maxSetSize 0 M",                                      "maxSetSize required. But encountered 0"      },
        {"-workers 0 M",                                         "at least one worker required"                },
        {"-workers x M",                                         "But encountered x"                           },
        {"-coverage -1 M",                                       "nonnegative integer for -coverage"           },
        {"-dfid -1 M",                                           "nonnegative integer for -dfid"               },
        {"-seed x M",                                            "seed required. But encountered x"            },
        {"-depth 99999999999 M",                                 "trace length required. But encountered"      },
        {"-fpmem x M",                                           "fpset memory"                                },
        {"-debugger M",                                          "not supported"                               },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct parsed p;
        parse(&p, rows[i].line);
        CHECK(!p.good);
        if (strstr(p.said, rows[i].says) == NULL) {
            fprintf(stderr, "%s: %s\n", rows[i].line, p.said);
            exit(1);
        }
        parse_done(&p);
    }
}

/* As TLC's EC and ExitStatus have them. */
TEST(statuses)
{
    static const struct {
        int code, status;
    } rows[] = {
        {0,    0  },
        {2104, 10 },
        {2105, 10 },
        {2404, 10 },
        {2405, 10 },
        {2107, 12 },
        {2110, 12 },
        {2108, 13 },
        {2112, 13 },
        {2113, 13 },
        {2116, 13 },
        {2114, 11 },
        {2132, 14 },
        {2103, 75 },
        {2109, 75 },
        {2115, 75 },
        {2147, 75 },
        {2111, 76 },
        {2146, 76 },
        {2253, 77 },
        {2171, 150},
        {3002, 150},
        {2222, 151},
        {2230, 151},
        {2245, 151},
        {2272, 151},
        {2274, 151},
        {2280, 151},
        {2281, 151},
        {2102, 255},
        {2106, 255},
        {2117, 255},
        {2131, 255},
        {2133, 255},
        {2221, 255},
        {2246, 255},
        {2271, 255},
        {2275, 255},
        {2282, 255},
        {1000, 255},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (tlc_exit_status(rows[i].code) != rows[i].status) {
            fprintf(stderr, "code %d: status %d, want %d\n", rows[i].code,
                    tlc_exit_status(rows[i].code), rows[i].status);
            exit(1);
        }
    }
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
