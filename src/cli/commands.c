/* The table of commands, `assay help` and `assay version`. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/near.h"
#include "base/str.h"
#include "cli/cli.h"
#include "option/option.h"
#include "tlc/options.h"

static const struct option no_options[] = {OPTIONS_END};

/* A row for each command, in the columns of struct command. */
/* clang-format off */
const struct command commands[] = {
    {"check", cmd_check, "check a specification", "SPEC.tla... [CONFIG.cfg...] [options]",
     "Checks a TLA+ specification as its configuration says: invariants, deadlock, action properties and temporal "
     "properties, in all states.\n"
     "The exit status is TLC's: 0 no error, 10 assumption, 11 deadlock, 12 invariant, 13 property, 14 Assert, "
     "75-77 evaluation failed, 150 the spec does not parse, 151 configuration, 1 bad command line, 130 interrupted, 22 stopped by a limit, "
     "255 anything else.", options_of_check},
    {"eval", cmd_eval, "print the value of an expression", "EXPR... [options]",
     "Prints the value of each expression. Without --module the standard modules are there.\n"
     "    assay eval '{x * x : x \\in 1..3}'        {1, 4, 9}", options_of_eval},
    {"repl", cmd_repl, "evaluate expressions interactively", "[M.tla] [options]",
     "Evaluates expressions and keeps definitions, one input after the other. :help tells more.", options_of_repl},
    {"parse", cmd_parse, "check syntax, names and levels only", "FILE.tla... [options]",
     "Checks syntax, names, arity and levels, and says what is wrong and where. Exit status: 0, or 150 when something "
     "is wrong.", options_of_parse},
    {"pluscal", cmd_pluscal, "translate a PlusCal algorithm", "FILE.tla [options]",
     "Translates the PlusCal algorithm in a module, in either syntax: writes the translation between the lines BEGIN TRANSLATION and END TRANSLATION, "
     "which are added when they are missing, keeps the file as FILE.old, and writes FILE.cfg. The result is the same, byte for "
     "byte, as that of pcal.trans 1.12 of tla2tools, and so are messages and options; a statement `PlusCal options (...)` in the file counts, too.\n"
     "Exit status: 0, or 255 when the algorithm could not be translated; the files are then as they were. 1 bad command line.", options_of_pluscal},
    {"tlc", cmd_tlc, "check with TLC's command line and output", "[options of TLC] SPEC",
     TLC_ABOUT, options_of_tlc},
    {"rank", cmd_rank, "find bounds that are worth checking",
     "SPEC.tla --sweep NAME=VALUES... [options]\nNAME.assay.toml [options]",
     "Which bounds make a specification worth checking: random walks for every combination of budgets, sorted by the "
     "branches and actions they reach and by their depth, for every configuration. See RANK.md.\n"
     "Exit status: 0, 75 "
     "evaluation failed, 150 the spec does not parse, 151 the configuration or the mapping file is wrong, 1 bad "
     "command line, 130 interrupted.", options_of_rank},
    {"run", cmd_run, "run a cluster of programs deterministically", "CLUSTER.toml [options]",
     "Runs a cluster of real programs on a simulated kernel and network, in virtual time; the same seed gives the "
     "same run. The file is described in CLUSTER.md.\n"
     "Exit status: 0 nothing wrong, 12 something was violated, 151 "
     "the cluster file is wrong, 130 interrupted, 255 the run could not go on, or what should happen sometimes never did.", options_of_run},
    {"replay", cmd_replay, "do a recorded run again", "DIR/replay [options]",
     "Does again what a run recorded, and stops at the first event that gives another result. With --until N --gdb "
     "NODE it stands still after event N for a debugger on that node.\n"
     "A recording names its cluster file, which must not have changed. Checks of that file, which are programs outside "
     "of the engine, and system calls that it lets through are refused, unless you have run the file with the same "
     "ones, from the same place, or say --allow-checks: a recording may come from a stranger.", options_of_replay},
    {"shrink", cmd_shrink, "make a failing run smaller", "DIR/replay [options]",
     "Leaves out faults, changes of order and operations of clients of a recorded run that violates something, as long as it "
     "still does so in the same way: same oracle, same node or client, same kind of message.", options_of_shrink},
    {"explore", cmd_explore, "search the orders of a cluster's events", "CLUSTER.toml --strategy NAME [options]",
     "Searches the orders in which the events of a cluster can come: deliveries, timers, faults, starts of clients, threads, within the bounds of "
     "[explore] in the file. What fails is written as a recording, for replay. EXPLORE.md is the guide.\n"
     "Exit status: 0 nothing wrong, 12 something was violated, 22 stopped by --time, 151 the cluster file is wrong, 130 interrupted, 255 "
     "anything else.", options_of_explore},
    {"conform", cmd_conform, "compare programs with a specification", "MAPPING.assay.toml [options]",
     "Random behaviours of a specification, done by the programs of a cluster: after each step what can be seen of "
     "them must be what the specification says. The mapping file is described in MAPPING.md.\n"
     "Exit status: 0 no "
     "difference, 12 findings, 151 the mapping is wrong, 150 the spec does not parse, 130 interrupted, 255 anything "
     "else.", options_of_conform},
    {"confirm", cmd_confirm, "do a counterexample with the real programs", "MAPPING.assay.toml TRACE [options]",
     "Does a behaviour that `assay check` or TLC found (ITF, or TLC's JSON) with the programs of a cluster. It ends "
     "with confirmed, diverged (what differs at which step), not executable (which event was not possible), agrees "
     "(but nothing is violated) or not decided (the property needs what is not observed). MAPPING.md explains these "
     "verdicts.\n"
     "Exit status: 0 confirmed, 12 diverged, 11 not executable, 20 agrees, 21 not decided, 151 the mapping or the "
     "trace is wrong, 255 anything else.", options_of_confirm},
    {"test", cmd_test, "run a suite from the state graph on the real programs", "MAPPING.assay.toml [options]\nSPEC.tla [options]\nGRAPH [options]",
     "A suite of test cases that takes every step of the state graph of a specification, done by the programs of a cluster: after each "
     "step what can be seen of them must be what the specification says. Of a specification or a graph alone (FILE.graph, or FILE.dot as TLC writes it) "
     "only the plan is made. See TEST.md.\n"
     "Exit status: 0 no difference, 12 findings, 22 a mutant survived, 151 the mapping, the graph or the suite is wrong, 150 the spec does not parse, 1 bad "
     "command line, 130 interrupted, 255 anything else.", options_of_test},
    {"watch", cmd_watch, "follow one node of a system by its specification", "MAPPING.assay.toml --node NAME [options]",
     "Reads what a node has received and sent, and looks whether that is a behaviour of the specification, which stays as it "
     "is. Where nothing explains what was seen there is an alarm: the last state that agrees, the event, and what the specification would "
     "have allowed. See WATCH.md for what is certain and what is not.\n"
     "Exit status: 0 everything is explained, 12 an alarm, 21 not decided (a limit was reached), 151 the mapping or the events are wrong, 150 the "
     "spec does not parse, 130 interrupted, 255 anything else.", options_of_watch},
    {"history", cmd_history, "judge what clients saw", "check FILE... --model MODEL [options]",
     "Judges histories of operations: whether a register, a store, a queue, a set or a lock could have answered like "
     "that (linearizable, or sequential), whether transactions were isolated, whether a bank lost money. Files are "
     "JSON lines, EDN or logs of Jepsen; see HISTORIES.md.\n"
     "Exit status: 0 consistent, 12 violated, 21 not decided, 151 the file is wrong, 255 it cannot "
     "be read, 1 bad command line, 130 interrupted.", options_of_history},
    {"ci", cmd_ci, "run many jobs, only those that a change touches", "[FILE] [options]",
     "Runs the jobs of a file (default: assay-ci.toml): checks, conformance suites, runs of clusters, side by side, each within its budget of time. "
     "What a job reads - modules, configurations, mappings, programs with their libraries, assay itself - is looked at by contents, and where nothing has changed its result is that of before. "
     "Equal inputs give equal results: a job whose second result is another one is an error of its own. CI.md is the guide.\n"
     "Exit status: that of the worst job, as the command by itself would end; 0 all are ok, 22 a job was not decided or not run, 23 the same inputs gave another result, "
     "151 the file is wrong, 130 interrupted, 1 bad command line, 255 anything else.", options_of_ci},
    {"show", cmd_show, "print a trace or a run in the terminal", "FILE [options]",
     "Prints a trace (ITF, or TLC's JSON), of each state after the first only what changes, or a run of a cluster (its directory, events.txt or "
     "events.jsonl) as a sequence diagram. On a terminal long text goes through $PAGER.\n"
     "Exit status: 0, 151 the file is neither, 1 bad command line, 255 anything else.", options_of_show},
    {"view", cmd_view, "look at what assay has written", "FILE... [options]\nSPEC.tla [options]",
     "Shows traces, runs of clusters, differences, histories, state graphs, coverage and reports in a browser: serves a page on 127.0.0.1, at an "
     "address that nobody can guess, or writes it as one file (--html). Files are known by what is in them. Of a specification alone it "
     "shows the initial states, from which behaviours are built step by step. See VIEW.md.\n"
     "Exit status: 0, also when it is ended by Ctrl-C; 151 a file is nothing that assay writes; 1 bad command line; 255 anything else.", options_of_view},
    {"client", cmd_client, "do operations on a server and print what was seen", "WORKLOAD --over PROTOCOL --target HOST:PORT... [options]",
     "Does operations on a server, several at a time, and prints them as a history that `assay history check` judges. In "
     "cluster files a [[client]] with a workload is this program. See HISTORIES.md.\n"
     "Exit status: 0, 1 bad command line, 255 no server ever answered, or the history could not be written.",
     options_of_client},
    {"init", cmd_init, "write a cluster file or a mapping to begin with",
     "[FILE]\n--spec SPEC.tla --cluster CLUSTER.toml [MAPPING.assay.toml] [options]",
     "Writes a cluster file with comments (default: cluster.toml).\n"
     "With --spec a mapping file for `assay conform`: the actions with their parameters, the variables with types from "
     "samples, and where their values may be seen in the programs, from a short run of the cluster; what you must "
     "say is marked FILL IN.\n"
     "Exit status: 0; 1 bad command line, or the file is there already; 150, 151 the specification or the cluster "
     "file is in error; 255 anything else.", options_of_init},
    {"doctor", cmd_doctor, "look at this machine before a long run", "",
     "Looks at memory, disk and limits of this machine, at what the engine needs of its kernel (ptrace, seccomp, CPUID "
     "faulting, user namespaces, Landlock), and for a compiler and gdb. Says what to do about what is not as it should "
     "be. Exit status: 0, or 1 when the engine cannot work here.", no_options},
    {"version", cmd_version, "print the version", "", "Prints the version.", no_options},
    {"help", cmd_help, "explain a command", "[COMMAND]", "Lists the commands, or explains one.", options_of_help},
    {"http-get", cmd_http_get, NULL, "URL", "Prints what is there, for queries of mapping files.", no_options},
    {"sany", cmd_sany, NULL, "FILE.tla...", "Output in the words of SANY.", no_options},
    {"java", cmd_java, NULL, "[options] CLASS [arguments]", "In the place of a Java machine.", no_options},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};

struct help_args {
    const char *command, *generate;
};

const struct option options_of_help[] = {
    {"", 0, "COMMAND", COMPLETE_COMMAND, TO_TEXT(struct help_args, command), "", NULL},
    {"generate", 0, "WHAT", "man bash zsh fish", TO_TEXT(struct help_args, generate), NULL, NULL},
    OPTIONS_END,
};
/* clang-format on */

const struct command *command_find(const char *name)
{
    for (const struct command *command = commands; command->name != NULL; command++) {
        if (strcmp(command->name, name) == 0) {
            return command;
        }
    }
    return NULL;
}

const struct command *command_need(const char *name)
{
    const struct command *found = command_find(name);
    if (found != NULL) {
        return found;
    }
    struct near near = near_to(str_of(name + strspn(name, "-")));
    for (const struct command *command = commands; command->name != NULL; command++) {
        if (command->summary != NULL) {
            near_try(&near, str_of(command->name));
        }
    }
    SCOPED_STRBUF text = {0};
    strbuf_printf(&text, "assay: there is no command '%s'", name);
    near_add(&near, &text, "; did you mean '", "'?");
    (void)fprintf(stderr, "%s\nTry: assay help\n", strbuf_cstr(&text));
    return NULL;
}

int cmd_version(int argc, char **argv)
{
    if (argc > 1) {
        return usage_error(argv[0], "takes no arguments");
    }
    (void)puts("assay " ASSAY_VERSION);
    return EXIT_OK;
}

enum { TEMPLATE_MAX = 1 << 20 };

/* The manual page is made from a template on standard input. */
static int write_generated(const char *what)
{
    struct arena arena;
    struct str template = {0};
    struct err err = {0};
    SCOPED_STRBUF out = {0};
    arena_init(&arena, 0);
    int status = strcmp(what, "man") != 0
                     ? 0
                     : file_read(&arena, "/dev/stdin", TEMPLATE_MAX, &template, &err);
    if (status != 0) {
        (void)fprintf(stderr, "assay help: %s\n", err.text);
    } else if (!command_generate(commands, what, template, &out)) {
        status = usage_error("help", "--generate: man, bash, zsh or fish expected, not '%s'", what);
    } else {
        (void)put_text(stdout, strbuf_str(&out));
    }
    arena_done(&arena);
    return status == 0 ? EXIT_OK : EXIT_USAGE;
}

int cmd_help(int argc, char **argv)
{
    struct help_args a = {0};
    if (options_parse(options_of_help, argc, argv, &a) != EXIT_OK) {
        return EXIT_USAGE;
    }
    if (a.generate != NULL) {
        return write_generated(a.generate);
    }
    if (a.command != NULL) {
        const struct command *command = command_need(a.command);
        SCOPED_STRBUF text = {0};
        if (command == NULL) {
            return EXIT_USAGE;
        }
        command_help(command, &text);
        (void)put_text(stdout, strbuf_str(&text));
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
