/* `assay check`: its options. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "cli/cli.h"
#include "cli/company.h"
#include "cli/jobs.h"
#include "cli/kind.h"
#include "cli/reports.h"
#include "examine/examine.h"
#include "job/job.h"
#include "option/option.h"
#include "trace/trace.h"
#include "view/view.h"

static void set_mode(struct check_cmd *cmd, enum check_mode mode)
{
    if (cmd->mode != mode) {
        cmd->other_mode = cmd->mode;
    }
    cmd->mode = mode;
}

/* num=N and depth=N after --simulate=... */
static const char *set_simulate(void *to, const char *value)
{
    struct check_cmd *cmd = to;
    set_mode(cmd, CHECK_SIMULATE);
    for (const char *at = value; at != NULL && *at != '\0';) {
        char item[64];
        size_t len = strcspn(at, ",");
        if (len >= sizeof item) {
            return "num=N or depth=N";
        }
        memcpy(item, at, len);
        item[len] = '\0';
        bool good = strncmp(item, "num=", 4) == 0     ? read_count(item + 4, &cmd->simulate_num)
                    : strncmp(item, "depth=", 6) == 0 ? read_count(item + 6, &cmd->depth)
                                                      : false;
        if (!good) {
            return "num=N or depth=N";
        }
        at += len + (at[len] == ',');
    }
    return NULL;
}

static const char *set_live(void *to, const char *value)
{
    static const char *const names[] = {"default", "final", "seqfinal",
                                        "off"}; /* ORDER enum live_when */
    struct check_cmd *cmd = to;
    cmd->live_page = cmd->live_page || value == NULL;
    if (value == NULL) {
        return NULL;
    }
    for (int i = 0; i < 4; i++) {
        if (strcmp(value, names[i]) == 0) {
            cmd->live_when = (enum live_when)i;
            return NULL;
        }
    }
    return "default, final, seqfinal or off";
}

/* A name without .tla will do. */
static bool is_module(const char *name)
{
    SCOPED_STRBUF path = {0};
    strbuf_printf(&path, "%s.tla", name);
    return file_exists(name) || file_exists(strbuf_cstr(&path));
}

/* A specification, or one more configuration. */
static const char *set_file(void *to, const char *value)
{
    struct check_cmd *cmd = to;
    size_t n = strlen(value);
    if (cmd->live_page && strpbrk(value, "./") == NULL && !is_module(value)) {
        /* --live WHEN, as it was written before there was a page */
        const char *wanted = set_live(to, value);
        cmd->live_page = false;
        if (wanted != NULL) {
            (void)usage_error("check", "--live: %s expected, not '%s'", wanted, value);
        }
        return wanted != NULL ? "" : NULL;
    }
    bool config = n > 4 && strcmp(value + n - 4, ".cfg") == 0;
    struct word_list *list = config ? &cmd->configs : &cmd->specs;
    VEC_PUSH(list, value);
    return NULL;
}

static const char *set_dfs(void *to, const char *value)
{
    (void)value;
    set_mode(to, CHECK_DFS);
    return NULL;
}

static const char *set_dfid(void *to, const char *value)
{
    struct check_cmd *cmd = to;
    set_mode(cmd, CHECK_DFID);
    return read_count(value, &cmd->depth) ? NULL : "a number above 0";
}

static const char *set_seed(void *to, const char *value)
{
    struct check_cmd *cmd = to;
    cmd->has_seed = true;
    return read_u64(value, &cmd->seed) ? NULL : "a number";
}

static const char *set_tier(void *to, const char *value)
{
    struct check_cmd *cmd = to;
    return tier_parse(value, &cmd->tier) ? NULL : "auto, interpreter or compiled";
}

static const char *set_gpu(void *to, const char *value)
{
    struct check_cmd *cmd = to;
    static const char *const names[] = {"off", "auto", "", "cpu"}; /* ORDER enum job_gpu */
    char *end = NULL;
    bool digits = value != NULL && value[0] >= '0' && value[0] <= '9';
    unsigned long number = digits ? strtoul(value, &end, 10) : 0UL;
    cmd->gpu = JOB_GPU_ON;
    cmd->gpu_device = (unsigned)number;
    if (value == NULL || (end != NULL && *end == '\0' && number < 1024)) {
        return NULL;
    }
    for (int i = 0; i < 4; i++) {
        if (names[i][0] != '\0' && strcmp(value, names[i]) == 0) {
            cmd->gpu = (enum job_gpu)i;
            return NULL;
        }
    }
    return "the number of a device, auto, cpu or off";
}

static const char *set_trace_diff(void *to, const char *value)
{
    struct check_cmd *cmd = to;
    if (value == NULL || strcmp(value, "always") == 0) {
        cmd->diff = DIFF_ALWAYS;
    } else if (strcmp(value, "never") == 0) {
        cmd->diff = DIFF_NEVER;
    } else if (strcmp(value, "auto") == 0) {
        cmd->diff = DIFF_AUTO;
    } else {
        return "auto, always or never";
    }
    return NULL;
}

static const char *set_trace_out(void *to, const char *value)
{
    struct check_cmd *cmd = to;
    struct trace_file file = {TRACE_JSON, value};
    if (!trace_format_of(value, &file.format)) {
        return "a file that ends in .itf.json, .json, .tla, .dot or .txt";
    }
    VEC_PUSH(&cmd->traces, file);
    return NULL;
}

static const char *set_dump(void *to, const char *value)
{
    struct check_cmd *cmd = to;
    size_t len = strlen(value);
    cmd->dump = (struct dump_options){.path = value, .actionlabels = true, .colorize = true};
    cmd->dump.dot = len > 4 && strcmp(value + len - 4, ".dot") == 0;
    return NULL;
}

#define CMD struct check_cmd
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_check[] = {
    {"", 0, "SPEC.tla", "*.tla *.cfg", TO_CALL(set_file), "", NULL},
    HEADING("What to check"),
    {"config", 'c', "FILE", "*.cfg *.tla", TO_LIST(CMD, configs),
     "configuration (default: SPEC.cfg); a .tla with a CONFIG section will do; may be repeated",
     "The configuration, or a .tla file with a CONFIG section. Default: the name of the specification with .cfg. "
     "Several of them, or several specifications, are checked one after the other; the exit status is that of the "
     "first that is not 0."},
    {"path", 'I', "DIR[:DIR]", COMPLETE_DIR, TO_LIST(CMD, paths),
     "where modules are looked for after the spec's own directory; also TLA_PATH", NULL},
    {"inv", 0, "EXPR", NULL, TO_LIST(CMD, invariants), "one more invariant; may be repeated", NULL},
    {"deadlock", 0, NULL, NULL, TO_FLAG(CMD, deadlock),
     "a state without successors is an error, whatever the configuration says", NULL},
    {"no-deadlock", 0, NULL, NULL, TO_FLAG(CMD, no_deadlock), "a state without successors is no error",
     "A state without successors is no error, whatever the configuration says."},
    {"no-symmetry", 0, NULL, NULL, TO_FLAG(CMD, no_symmetry), "ignore SYMMETRY", NULL},
    {"no-exec", 0, NULL, NULL, TO_FLAG(CMD, no_exec),
     "operators that run programs or write files (IOExec, Serialize, ...) fail",
     "Operators that change something outside fail: those that run programs (*IOExec* and its relatives, of the "
     "module *IOUtils*), and those that write files (*Serialize*, *IOSerialize*, *CSVWrite*, *JsonSerialize*, "
     "*ndJsonSerialize*). Without it they do what they say, as with TLC: whoever can write a specification that you "
     "check can run programs as you. For specifications of strangers; see SECURITY.md."},
    {"aux", 0, "X,Y|auto", "auto", TO_TEXT(CMD, aux),
     "variables that do not tell states apart; auto: those shown to be irrelevant",
     "States that differ only in these variables are one state: histories, counters of steps. With *auto*, all "
     "variables that can be shown to be irrelevant: nothing but themselves depends on them, so that verdicts stay as "
     "they are. A variable that was named and may matter gives a warning with the place where it is read. Traces show "
     "all variables. See REDUCTIONS.md."},
    {"por", 0, NULL, NULL, TO_FLAG(CMD, por), "partial-order reduction: leaves out orders of local steps (safety only)",
     "Partial-order reduction. Where the steps of one process touch only what is its own, they are explored alone, "
     "and the orders in which others could have gone first are left out. Invariants and deadlocks are found as "
     "without it; states and steps are fewer. Not for temporal and action properties. See REDUCTIONS.md."},
    {"continue", 0, NULL, NULL, TO_FLAG(CMD, keep_going), "go on after a violation",
     "Goes on after a violation and reports all of them."},
    {"max-set-size", 0, "N", NULL, TO_COUNT(CMD, max_set_size), "largest set to enumerate (1000000)",
     "Refuses to enumerate sets with more elements. Default: 1000000."},
    HEADING("How to search"),
    {"workers", 'w', "N|auto", "auto 1 2 4 8", TO_WORKERS(CMD, workers), "threads (default: auto, all cores)",
     "Number of threads. Default: *auto*, one for each core. The counterexample is a shortest one, and the same for "
     "any number: what several workers found by chance in a search of up to a million states, one of them looks for "
     "again. After more states than that, what was found first is shown; with one worker it is always the same."},
    {"dfs", 0, NULL, NULL, TO_CALL(set_dfs), "depth first", "Depth-first instead of breadth-first."},
    {"dfid", 0, "N", NULL, TO_CALL(set_dfid), "iterative deepening up to depth N", NULL},
    {"simulate", 0, "[=num=N,depth=N]", NULL, TO_CALL(set_simulate), "random behaviours instead of all states", NULL},
    {"depth", 0, "N", NULL, TO_COUNT(CMD, depth),
     "length of a simulated behaviour (100); limit of a depth-first search", NULL},
    {"seed", 0, "N", NULL, TO_CALL(set_seed), "the same seed gives the same behaviours of a simulation",
     "Makes a simulation, and all else that is random, repeat itself."},
    {"live", 0, "[=WHEN]", "default final seqfinal off", TO_CALL(set_live),
     "a page with the numbers of the search while it runs; =WHEN: temporal properties (default, final, seqfinal, off)",
     "Serves a page for this machine, and prints its address: rate, queue, memory and states over time, while the search runs. With *--json* the same numbers "
     "are kept, for *assay view*. With a value it says when to check temporal properties: now and then and at the end (*default*), at the end only (*final*, "
     "*seqfinal*), or never (*off*)."},
    {"tier", 0, "TIER", "auto interpreter compiled", TO_CALL(set_tier),
     "auto, interpreter or compiled: how states are made",
     "How states are made. *auto* (the default): the interpreter starts at once, and a search that is still running "
     "after a moment moves to compiled code by itself. *interpreter*: no compiler is called. *compiled*: compile "
     "first. The numbers and the verdict do not depend on it. Depth-first search, simulation, *--dump* and "
     "*--coverage* are always interpreted."},
    {"gpu", 0, "[=N|auto|off|cpu]", "0 1 auto off cpu", TO_CALL(set_gpu),
     "search on a GPU (auto: if there is one), see GPU.md",
     "Searches on NVIDIA's device number _N_ (default: 0), with the same counts, depth and verdict as on the CPU. "
     "What a device cannot do is refused with status 1; with *auto*, a line says why and the CPU does it. *cpu* runs "
     "the device's code on this machine's processors: for tests. Needs the driver and clang; *assay doctor* says what "
     "is there. See GPU.md."},
    {"gpu-memory", 0, "SIZE", NULL, TO_SIZE(CMD, gpu_bytes), "of the GPU's memory (default: nine tenths)",
     "How much of the GPU's memory a search may take, such as 8G. Default: nine tenths of what is free."},
    {"stop-after", 0, "TIME", NULL, TO_TIME(CMD, stop_after_s), "stop then, such as 90, 5m or 2h",
     "Ends the search after a time such as 90, 5m or 2h. The exit status is then 22."},
    HEADING("Memory and long runs"),
    {"memory", 0, "SIZE", NULL, TO_SIZE(CMD, memory_bytes), "budget, such as 200M or 4G; the rest goes to disk",
     "What tables and queues may take, such as 200M or 4G. What does not fit goes to files."},
    {"dir", 0, "DIR", COMPLETE_DIR, TO_TEXT(CMD, dir),
     "where files and checkpoints go (default: nameless files in $TMPDIR)",
     "Where files and checkpoints are kept. Default: files without names in $TMPDIR, no checkpoints. Only one process at "
     "a time can use a directory."},
    {"force", 0, NULL, NULL, TO_FLAG(CMD, force), "discard the checkpoint of another search in --dir",
     "Discards a checkpoint that an earlier search left in the directory of *--dir*. Without it the new search is "
     "refused."},
    {"checkpoint", 0, "TIME", NULL, TO_TIME(CMD, checkpoint_s),
     "how often to write a checkpoint (with --dir: every 5 min)",
     "Time between checkpoints. Default: five minutes, if there is *--dir*."},
    {"resume", 0, "DIR", COMPLETE_DIR, TO_TEXT(CMD, resume), "go on from the checkpoint in DIR", NULL},
    {"keep", 0, NULL, NULL, TO_FLAG(CMD, keep), NULL, NULL},
    HEADING("What to show"),
    {"diff", 0, "[=WHEN]", "auto always never", TO_CALL(set_trace_diff),
     "of a behaviour only what changes (auto: on a terminal, when it is long)",
     "Of a behaviour shows the first state, and of every other one only what changed, inside of functions and "
     "records, too. _WHEN_ is *always* (as without it), *never* or *auto*, the default: on a terminal, when the "
     "behaviour does not fit a screen."},
    {"trace-out", 0, "FILE", COMPLETE_FILE, TO_CALL(set_trace_out),
     "write the behaviour found: .itf.json .json .tla .dot .txt; may be repeated",
     "Writes the counterexample to _FILE_, in the format that its name says: .itf.json, .json, .tla, .dot or .txt. "
     "May be given several times."},
    {"dump", 0, "FILE", COMPLETE_FILE, TO_CALL(set_dump), "write the state graph: .dot, or a list of states",
     "Writes all states and steps; as a graph if the name ends in .dot."},
    {"coverage", 0, NULL, NULL, TO_FLAG(CMD, coverage), "how often every expression was evaluated", NULL},
    {"json", 0, NULL, NULL, TO_FLAG(CMD, json), "one JSON document instead of text", NULL},
    REPORT_OPTION,
    {"color", 0, "WHEN", "auto always never", TO_COLOR(CMD, color), "auto, always or never",
     "Whether to use colours: *auto* (the default, on a terminal), *always* or *never*."},
    {"verbose", 0, NULL, NULL, TO_FLAG(CMD, verbose), "say what was compiled",
     "Says what was compiled, how states are laid out, and what was left to the interpreter, and why."},
    {"quiet", 'q', NULL, NULL, TO_FLAG(CMD, quiet), "the verdict only", NULL},
    OPTIONS_END,
};
/* clang-format on */

/* What would be written by every one of several checks. */
static const char *for_one_only(const struct check_cmd *cmd)
{
    return cmd->dir != NULL         ? "--dir"
           : cmd->resume != NULL    ? "--resume"
           : cmd->dump.path != NULL ? "--dump"
           : cmd->traces.n > 0      ? "--trace-out"
                                    : NULL;
}

static const char *mode_option(enum check_mode mode)
{
    return mode == CHECK_DFS ? "--dfs" : mode == CHECK_DFID ? "--dfid" : "--simulate";
}

static bool parse(struct check_cmd *cmd, int argc, char **argv)
{
    if (options_parse(options_of_check, argc, argv, cmd) != EXIT_OK) {
        return false;
    }
    const char *one_only = for_one_only(cmd);
    for (size_t i = 0; i < cmd->specs.n; i++) {
        if (cmd->specs.v[i][0] == '\0') {
            cmd->specs.n = 0;
        }
    }
    for (size_t i = 0; i < cmd->specs.n; i++) {
        if (wrong_kind(argv[0], cmd->specs.v[i], KIND_SPEC)) {
            return false;
        }
    }
    for (size_t i = 0; i < cmd->configs.n; i++) {
        const char *path = cmd->configs.v[i];
        size_t n = strlen(path);
        bool spec = n > 4 && strcmp(path + n - 4, ".tla") == 0; /* with a CONFIG section */
        if (!spec && wrong_kind(argv[0], path, KIND_CONFIG)) {
            return false;
        }
    }
    if (cmd->specs.n == 0) {
        (void)usage_error(argv[0], "which spec? Give the path of a .tla file");
    } else if (cmd->specs.n > 1 && cmd->configs.n > 1) {
        (void)usage_error(argv[0], "several specs, or several configurations of one: not both");
    } else if ((cmd->specs.n > 1 || cmd->configs.n > 1) && one_only != NULL) {
        (void)usage_error(argv[0], "%s is for one check at a time", one_only);
    } else if (cmd->other_mode != CHECK_BFS) {
        (void)usage_error(argv[0], "%s or %s: not both", mode_option(cmd->other_mode),
                          mode_option(cmd->mode));
    } else if (cmd->mode == CHECK_BFS && cmd->depth != 0) {
        (void)usage_error(argv[0], "--depth goes with --simulate or --dfs; CONSTRAINT "
                                   "TLCGet(\"level\") < N bounds a search of all states");
    } else if (cmd->resume != NULL && cmd->dir != NULL && strcmp(cmd->dir, cmd->resume) != 0) {
        (void)usage_error(argv[0], "--resume names the directory already; leave --dir out");
    } else {
        return true;
    }
    return false;
}

static bool one_worker(const struct check_cmd *cmd)
{
    if (cmd->ranks != NULL && cmd->workers != 1) {
        (void)usage_error("check", "several processes have one worker each: start more of them");
        return false;
    }
    return true;
}

/* With the numbers over time, for the document or for a page. */
static int with_progress(struct check_cmd *cmd)
{
    struct view_live *live = NULL;
    struct err err = {0};
    cmd->progress = cmd->json || cmd->live_page ? examine_progress_new() : NULL;
    if (cmd->live_page) {
        examine_progress_begin(cmd->progress, cmd->specs.v[0], cmd->workers);
        if (view_live_open(0, cmd->specs.v[0], examine_progress_document, cmd->progress, &live,
                           &err) != 0) {
            (void)fprintf(stderr, "assay check: --live: %s\n", err.text);
            examine_progress_free(cmd->progress);
            return EXIT_OTHER;
        }
        (void)fprintf(stderr, "%s\n", view_live_url(live));
    }
    int status = examine_all(cmd, reports_part);
    view_live_close(live);
    examine_progress_free(cmd->progress);
    return status;
}

int cmd_check(int argc, char **argv)
{
    struct check_cmd cmd = {.mode = CHECK_BFS, .argc = argc, .argv = argv};
    int status = EXIT_USAGE;
    if (!company_open("check", &cmd.ranks)) {
        return EXIT_USAGE;
    }
    cmd.workers = cmd.ranks != NULL ? 1 : cpu_count();
    if (parse(&cmd, argc, argv) && one_worker(&cmd)) {
        cmd.teller = teller_here();
        status = with_progress(&cmd);
    }
    VEC_DONE(&cmd.specs);
    VEC_DONE(&cmd.configs);
    VEC_DONE(&cmd.paths);
    VEC_DONE(&cmd.invariants);
    VEC_DONE(&cmd.traces);
    return company_close(cmd.ranks, status);
}
