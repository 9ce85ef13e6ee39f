/* `assay explore`: its options. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/near.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/kind.h"
#include "cli/reports.h"
#include "explore/explore.h"
#include "option/option.h"
#include "play/blame.h"
#include "play/play.h"

enum { RUNS_DEFAULT = 100, FUTURES_DEFAULT = 40, JOBS_MOST = 64 };

static const char *set_seed(void *to, const char *value)
{
    struct explore_args *a = to;
    a->has_seed = true;
    return read_u64(value, &a->seed) ? NULL : "a number";
}

#define CMD struct explore_args
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_explore[] = {
    {"", 0, "CLUSTER.toml", "*.toml", TO_TEXT(CMD, file), "", NULL},
    {"strategy", 's', "NAME", "random window pos pct guided dfs dpor dir", TO_TEXT(CMD, strategy),
     "random, window, pos, pct, guided: how runs are drawn; dfs, dpor, dir: all orders within the bounds (random)", NULL},
    {"runs", 0, "N", NULL, TO_COUNT(CMD, runs), "that many runs, by strategies that draw them (100)", NULL},
    {"time", 0, "TIME", NULL, TO_TIME(CMD, seconds), "stop after TIME, such as 10m, findings made smaller included; --resume goes on", NULL},
    {"seed", 0, "N", NULL, TO_CALL(set_seed), "of everything that is random (default: the file's, else 1)", NULL},
    {"jobs", 'j', "N", NULL, TO_COUNT(CMD, jobs), "that many clusters at a time; the result is the same", NULL},
    {"all", 'a', NULL, NULL, TO_FLAG(CMD, all), "go on after the first finding", NULL},
    {"resume", 0, "DIR", COMPLETE_DIR, TO_TEXT(CMD, resume), "go on with the search in DIR, with the same file and options", NULL},
    {"blame", 0, "REPLAY", "replay", TO_TEXT(CMD, blame), "no search: after which event of this recording its failure was almost certain; --runs futures at each place (40)", NULL},
    {"emit-graph", 0, "FILE", "*.dot *.tla", TO_TEXT(CMD, graph), "write the graph of observed states and the events between them: .dot as `assay test` reads it, .tla as a module", NULL},
    {"out", 'o', "DIR", COMPLETE_DIR, TO_TEXT(CMD, out), "journal and findings go there (assay-explore)", NULL},
    {"json", 0, NULL, NULL, TO_FLAG(CMD, json), "the result as one JSON document", NULL},
    REPORT_OPTION,
    {"quiet", 'q', NULL, NULL, TO_FLAG(CMD, quiet), "only what was found", NULL},
    OPTIONS_END,
};
/* clang-format on */

static bool wrong_args(const struct explore_args *a, enum explore_strategy strategy)
{
    if (a->file == NULL) {
        (void)usage_error("explore", "a cluster file is missing");
    } else if (a->jobs > JOBS_MOST) {
        (void)usage_error("explore", "--jobs: %d at most", JOBS_MOST);
    } else if (strategy == EXPLORE_KINDS) {
        struct near near = near_to(str_of(a->strategy));
        SCOPED_STRBUF text = {0};
        for (int i = 0; i < EXPLORE_KINDS; i++) {
            strbuf_printf(&text, "%s%s", i == 0 ? "" : ", ",
                          explore_name((enum explore_strategy)i));
            near_try(&near, str_of(explore_name((enum explore_strategy)i)));
        }
        near_add(&near, &text, "; did you mean '", "'?");
        (void)usage_error("explore", "there is no strategy '%s': %s", a->strategy,
                          strbuf_cstr(&text));
    } else {
        return wrong_kind("explore", a->file, KIND_CLUSTER);
    }
    return true;
}

int cmd_explore(int argc, char **argv)
{
    struct explore_args a = {.jobs = 1, .strategy = "random"};
    if (options_parse(options_of_explore, argc, argv, &a) != EXIT_OK) {
        return EXIT_USAGE;
    }
    if (a.blame != NULL) {
        struct blame_args blame = {a.blame,
                                   a.out != NULL ? a.out : "assay-blame",
                                   a.has_seed ? a.seed : 1,
                                   a.runs != 0 ? (uint32_t)a.runs : FUTURES_DEFAULT,
                                   a.json,
                                   teller_here()};
        return a.file != NULL
                   ? usage_error("explore",
                                 "--blame takes a recording, which names its cluster file")
                   : explore_blame(&blame);
    }
    a.runs = a.runs != 0 ? a.runs : RUNS_DEFAULT;
    enum explore_strategy strategy = explore_find(str_of(a.strategy));
    if (wrong_args(&a, strategy)) {
        return EXIT_USAGE;
    }
    a.out = a.resume != NULL ? a.resume : a.out != NULL ? a.out : "assay-explore";
    a.kind = strategy;
    a.teller = teller_here();
    return play_search(&a);
}
