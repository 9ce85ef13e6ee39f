/* The table of commands with their help, `assay help` and `assay version`. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const char check_usage[] =
    "usage: assay check SPEC.tla [options]\n"
    "\n"
    "Checks a TLA+ specification. The exit status is TLC's: 0 no error, 10 assumption, 11 "
    "deadlock, 12 invariant,\n"
    "13 property, 14 Assert, 75-77 evaluation failed, 150 the spec does not parse, 151 "
    "configuration, 1 bad command line,\n"
    "130 interrupted, 255 anything else.\n"
    "\n"
    "  -c, --config FILE      configuration (default: SPEC.cfg); a .tla with a CONFIG section will "
    "do\n"
    "  -w, --workers N|auto   threads (default: auto, all cores)\n"
    "      --inv EXPR         one more invariant; may be repeated\n"
    "      --no-deadlock      a state without successors is no error; --deadlock: it is, whatever "
    "the configuration says\n"
    "      --continue         go on after a violation\n"
    "      --simulate[=num=N,depth=N]   random behaviours instead of all states\n"
    "      --depth N          length of a simulated behaviour (100); limit of a depth-first "
    "search\n"
    "      --seed N           for simulation: the same seed gives the same behaviours\n"
    "      --dfs              depth first; --dfid N: iterative deepening up to N\n"
    "      --live WHEN        temporal properties: default, final, seqfinal, off\n"
    "      --no-symmetry      ignore SYMMETRY\n"
    "      --aux X,Y|auto     variables that do not tell states apart; auto: those shown to be "
    "irrelevant\n"
    "      --por              partial-order reduction: leaves out orders of local steps (safety "
    "only)\n"
    "      --no-exec          operators that run programs or write files (IOExec, Serialize, ...) "
    "fail\n"
    "      --tier TIER        auto, interpreter or compiled: how states are made\n"
    "      --verbose          say what was compiled\n"
    "      --max-set-size N   largest set to enumerate (1000000)\n"
    "  -I, --path DIR[:DIR]   where modules are looked for after the spec's own directory; also "
    "TLA_PATH\n"
    "      --memory SIZE      budget, such as 200M or 4G; the rest goes to disk\n"
    "      --dir DIR          where files and checkpoints go (default: a temporary directory)\n"
    "      --force            discard the checkpoint of another search in --dir\n"
    "      --checkpoint TIME  how often to write a checkpoint (with --dir: every 5 min)\n"
    "      --resume DIR       go on from the checkpoint in DIR\n"
    "      --stop-after TIME  stop then, such as 90, 5m or 2h\n"
    "      --trace-out FILE   write the behaviour found: .itf.json .json .tla .dot .txt; may be "
    "repeated\n"
    "      --dump FILE        write the state graph: .dot, or a list of states\n"
    "      --coverage         how often every expression was evaluated\n"
    "      --json             one JSON document instead of text\n"
    "      --color WHEN       auto, always or never\n"
    "  -q, --quiet            the verdict only\n";

static const char tlc_usage[] =
    "NAME\n\n"
    "\tTLC - provides model checking and simulation of TLA+ specifications (assay " ASSAY_VERSION
    ")\n\n"
    "SYNOPSIS\n\n"
    "\tTLC [options] SPEC\n\n"
    "\tThe command line of TLC: existing scripts and editors work unchanged.\n\n"
    "OPTIONS\n\n"
    "\t-config FILE\t\tconfiguration; SPEC.cfg when not given\n"
    "\t-workers N|auto\t\tthreads (1)\n"
    "\t-deadlock\t\tdo NOT check for deadlock\n"
    "\t-continue\t\tgo on after a violation\n"
    "\t-inv EXPR, -invlevel N\tmore invariants\n"
    "\t-postCondition M!Op\tevaluated at the end\n"
    "\t-simulate [num=N,file=PREFIX,stats=basic|full], -generate, -depth N, -seed N, -aril N\n"
    "\t-dfid N\t\t\titerative deepening\n"
    "\t-coverage MIN\t\tcoverage, every MIN minutes and at the end\n"
    "\t-checkpoint MIN, -recover DIR, -metadir DIR, -cleanup\n"
    "\t-dump [dot,colorize,actionlabels,snapshot,constrained,stuttering,strict] FILE\n"
    "\t-dumpTrace FORMAT FILE\tjson, tla, tlc, tlcplain, tlcTESpec, tlcaction or dot\n"
    "\t-difftrace, -view, -terse, -userFile FILE\n"
    "\t-nowarning, -suppressMessages CODES, -messagesAsErrors CODES\n"
    "\t-lncheck default|final|seqfinal|off\n"
    "\t-generateSpecTE, -noGenerateSpecTE, -noTE, -noTEBin, -teSpecOutDir DIR\n"
    "\t-maxSetSize N, -fp N, -fpbits N, -fpmem F, -gzip, -debug\n"
    "\t-tool\t\t\tframed messages for front-ends\n"
    "\t-h, -help\t\tthis text\n\n"
    "\tProperties: -DTLA-Library=DIR:DIR -Dtlc2.TLC.stopAfter=SECONDS "
    "-Dtlc2.TLC.progressInterval=SECONDS ...\n";

static const char eval_usage[] =
    "usage: assay eval EXPR... [--module M.tla] [--config C.cfg] [--path DIR] [--json]\n"
    "\n"
    "Prints the value of each expression. Without --module the standard modules are there.\n"
    "    assay eval '{x * x : x \\in 1..3}'        {1, 4, 9}\n";

static const char repl_usage[] =
    "usage: assay repl [M.tla] [--config C.cfg] [--path DIR]\n"
    "\n"
    "Evaluates expressions and keeps definitions, one input after the other. :help tells more.\n";

static const char parse_usage[] =
    "usage: assay parse FILE.tla... [--path DIR] [--json] [--quiet] [--color WHEN]\n"
    "\n"
    "Checks syntax, names, arity and levels. Exit status 0, or 150 when something is wrong.\n";

static const char rank_usage[] =
    "usage: assay rank SPEC.tla --sweep NAME=VALUES... [options]\n"
    "       assay rank NAME.assay.toml [options]\n"
    "\n"
    "Which bounds make a specification worth checking: random walks for every combination of "
    "budgets, sorted by the branches\n"
    "and actions they reach and by their depth, for every configuration. Exit status: 0, 75 "
    "evaluation failed, 150 the spec\n"
    "does not parse, 151 the configuration or the mapping file is wrong, 1 bad command line, 130 "
    "interrupted.\n"
    "\n"
    "      --sweep NAME=VALUES     a constant that is a budget: 1..4, or values separated by "
    "commas; may be repeated\n"
    "      --instance NAME=VALUES  a constant that makes configurations, such as "
    "'Servers={a,b},{a,b,c}'\n"
    "  -c, --config FILE,...       configurations of TLC (default: SPEC.cfg)\n"
    "      --walks N               for every combination (300)\n"
    "      --time TIME             for every combination, such as 30s; instead of --walks, or "
    "together\n"
    "      --steps N               of one walk at most (300)\n"
    "      --seed N                the same seed gives the same walks (1)\n"
    "      --sort KEYS             coverage,diversity,depth by default; also events, states, "
    "mean-depth, violations,\n"
    "                              steps; each with :asc or :desc\n"
    "      --max-points N          combinations at most (10000)\n"
    "  -w, --workers N|auto        threads (default: auto, all cores)\n"
    "  -I, --path DIR[:DIR]        where modules are looked for\n"
    "  -o, --out FILE              write the report as JSON\n"
    "      --walks-out FILE        write the walks, a line of JSON for every state\n"
    "      --missed                list the branches that the best combination does not take\n"
    "      --json                  print JSON instead of tables\n"
    "      --color WHEN            auto, always or never\n"
    "  -q, --quiet                 no progress\n";

static const char run_usage[] =
    "usage: assay run CLUSTER.toml [options]\n"
    "\n"
    "Runs a cluster of real programs on a simulated kernel and network, in virtual time; the same "
    "seed gives the same run.\n"
    "Exit status: 0 nothing wrong, 12 something was violated, 151 the cluster file is wrong, 130 "
    "interrupted, 255 the run\n"
    "could not go on.\n"
    "\n"
    "      --seed N           of everything that is random (default: the file's, else 1)\n"
    "      --runs N           that many runs, with seeds from --seed on\n"
    "      --time TIME        of virtual time, such as 30s or 2m; --events N: events at most\n"
    "      --no-faults        only what [[event]] says\n"
    "  -i, --interactive      choose each event at a prompt, or from a pipe; 'help' there tells "
    "more\n"
    "      --verify N         then N runs more under other conditions: every event must be the "
    "same\n"
    "      --ci               a fault that was asked for and never happened is an error\n"
    "  -o, --out DIR          logs of nodes, events.txt and replay go there (assay-run)\n"
    "      --pcap --shiviz --jsonl   packets for Wireshark, events for ShiViz and as JSON lines\n"
    "      --trace FILE       every system call\n"
    "      --allow NAME,...   let unmodelled system calls through to the real kernel\n"
    "      --spin-escape TIME leave loops without system calls that only wait, after TIME of real "
    "time\n"
    "      --branch-bench N   snapshot half way and run on from there N times: speed, and "
    "equality\n"
    "      --cpu N            the processor to run on\n"
    "      --json             one JSON document for each run\n"
    "  -q, --quiet            only what is wrong\n";

static const char replay_usage[] =
    "usage: assay replay DIR/replay [options]\n"
    "\n"
    "Does again what a run recorded, and stops at the first event that gives another result.\n"
    "\n"
    "      --until N          stop after event N\n"
    "      --cluster FILE     the cluster file, if it is not where the recording says\n"
    "      --allow-checks     run the programs of [[check]], and let calls through (allow), though "
    "you have\n"
    "                         never run this cluster file\n"
    "      --gdb NODE         stop there (else at the end) for gdb, on the node's first process: "
    "threads, memory,\n"
    "                         breakpoints, steps; 'continue' goes on with the recorded run\n"
    "      --gdb-script FILE  commands for gdb, which then asks for nothing\n"
    "      --gdb-listen       say where to connect instead of starting gdb\n"
    "  -o, --out DIR          where logs and events go (assay-replay)\n"
    "      --pcap --shiviz --jsonl --json   as of 'assay run'\n";

static const char shrink_usage[] =
    "usage: assay shrink DIR/replay [-o DIR]\n"
    "\n"
    "Leaves out faults of a recorded run that violates something, as long as it still does.\n"
    "--cluster and --allow-checks are as of 'assay replay'.\n";

static const char conform_usage[] =
    "usage: assay conform MAPPING.assay.toml [options]\n"
    "\n"
    "Random behaviours of a specification, done by the programs of a cluster: after each step what "
    "can be seen of them must\n"
    "be what the specification says. Exit status: 0 no difference, 12 findings, 151 the mapping is "
    "wrong, 150 the spec does\n"
    "not parse, 130 interrupted, 255 anything else.\n"
    "\n"
    "      --walks N          that many behaviours (100)\n"
    "      --time TIME        or: until then, such as 30m\n"
    "      --depth N          steps of a behaviour at most (50)\n"
    "      --seed N           the same seed gives the same report (1)\n"
    "  -w, --workers N|auto   processes, each with a cluster of its own (auto, all cores)\n"
    "  -c, --config FILE      configuration instead of the mapping's; --cluster FILE: the cluster\n"
    "      --coverage         which branches of the next-state relation were taken\n"
    "      --fresh            boot the cluster for every behaviour instead of going back to a "
    "snapshot\n"
    "      --cold             and load every program for it instead of copying a loaded one\n"
    "  -I, --path DIR[:DIR]   where modules are looked for; also TLA_PATH\n"
    "  -o, --out DIR          replay files and logs go there (assay-conform)\n"
    "      --json             one JSON document instead of text\n"
    "      --junit FILE       also as JUnit XML\n"
    "  -q, --quiet            only the verdict and what is wrong\n";

static const char confirm_usage[] =
    "usage: assay confirm MAPPING.assay.toml TRACE [options]\n"
    "\n"
    "Does a behaviour that `assay check` or TLC found (ITF, or TLC's JSON) with the programs of a "
    "cluster. It ends with\n"
    "confirmed, diverged (what differs at which step), not executable (which event was not "
    "possible), agrees (but\n"
    "nothing is violated) or not decided (the property needs what is not observed).\n"
    "Exit status: 0 confirmed, 12 diverged, 11 not executable, 20 agrees, 21 not decided, 151 the "
    "mapping or the trace\n"
    "is wrong, 255 anything else.\n"
    "\n"
    "  -c, --config FILE      configuration instead of the mapping's; --cluster FILE: the cluster\n"
    "  -I, --path DIR[:DIR]   where modules are looked for; also TLA_PATH\n"
    "  -o, --out DIR          the replay file and logs go there (assay-confirm)\n"
    "      --json             one JSON document instead of text\n"
    "  -q, --quiet            the verdict only\n";

static const char init_usage[] = "usage: assay init [FILE]\n"
                                 "\n"
                                 "Writes a cluster file with comments (default: cluster.toml).\n";

const struct command commands[] = {
    {"check",    cmd_check,    "check a specification",                       check_usage                                                     },
    {"eval",     cmd_eval,     "print the value of an expression",            eval_usage                                                      },
    {"repl",     cmd_repl,     "evaluate expressions interactively",          repl_usage                                                      },
    {"parse",    cmd_parse,    "check syntax, names and levels only",         parse_usage                                                     },
    {"tlc",      cmd_tlc,      "check with TLC's command line and output",    tlc_usage                                                       },
    {"rank",     cmd_rank,     "find bounds that are worth checking",         rank_usage                                                      },
    {"run",      cmd_run,      "run a cluster of programs deterministically", run_usage                                                       },
    {"replay",   cmd_replay,   "do a recorded run again",                     replay_usage                                                    },
    {"shrink",   cmd_shrink,   "make a failing run smaller",                  shrink_usage                                                    },
    {"conform",  cmd_conform,  "compare programs with a specification",       conform_usage                                                   },
    {"confirm",  cmd_confirm,  "do a counterexample with the real programs",  confirm_usage                                                   },
    {"init",     cmd_init,     "write a cluster file to begin with",          init_usage                                                      },
    {"doctor",   cmd_doctor,   "look at this machine before a long run",      "usage: assay doctor\n"                                         },
    {"version",  cmd_version,  "print the version",                           "usage: assay version\n"                                        },
    {"help",     cmd_help,     "explain a command",                           "usage: assay help [COMMAND]\n"                                 },
    {"http-get", cmd_http_get, NULL,                                          "usage: assay http-get URL    for queries of mapping files\n"   },
    {"sany",     cmd_sany,     NULL,                                          "usage: assay sany FILE.tla...    output in the words of SANY\n"},
    {"java",     cmd_java,     NULL,
     "usage: assay java [options] CLASS [arguments]    in the place of a Java machine\n"                                                      },
    {NULL,       NULL,         NULL,                                          NULL                                                            },
};

const struct command *command_find(const char *name)
{
    for (const struct command *command = commands; command->name != NULL; command++) {
        if (strcmp(command->name, name) == 0) {
            return command;
        }
    }
    return NULL;
}

int cmd_version(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    (void)puts("assay " ASSAY_VERSION);
    return EXIT_OK;
}

int cmd_help(int argc, char **argv)
{
    if (argc > 1) {
        const struct command *command = command_find(argv[1]);
        if (command == NULL) {
            (void)fprintf(stderr, "assay: there is no command '%s'\nTry: assay help\n", argv[1]);
            return EXIT_USAGE;
        }
        (void)fputs(command->usage, stdout);
        return EXIT_OK;
    }
    (void)puts("assay tells whether a system really is the protocol it claims to be.\n\nusage: "
               "assay COMMAND [arguments]\n");
    for (const struct command *command = commands; command->name != NULL; command++) {
        if (command->summary != NULL) {
            (void)printf("  %-9s %s\n", command->name, command->summary);
        }
    }
    (void)puts("\n'assay help COMMAND' tells more. Called as 'tlc', the program is 'assay tlc'.");
    return EXIT_OK;
}
