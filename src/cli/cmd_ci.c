/* `assay ci`: its options, and what it prints. */
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/limits.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/human.h"
#include "base/status.h"
#include "base/str.h"
#include "base/term.h"
#include "base/vec.h"
#include "ci/ci.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/reports.h"
#include "option/option.h"

struct ci_cmd {
    const char *file, *cache, *out;
    struct word_list only;
    double time_s;
    uint64_t jobs;
    bool all, list, dry, quiet;
    enum color_when color;
    struct palette pal;
    char program[PATH_MAX];
    struct ci ci;
    struct err err;
};

#define CMD struct ci_cmd
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_ci[] = {
    {"", 0, "FILE", "*.toml", TO_TEXT(CMD, file), "", NULL},
    {"all", 'a', NULL, NULL, TO_FLAG(CMD, all), "run all jobs, and compare with what is remembered",
     "Runs all jobs. What is remembered of the same inputs must be found again: where it is not, the exit status is 23."},
    {"only", 0, "NAME", NULL, TO_LIST(CMD, only), "these jobs only; may be repeated",
     "Only the job _NAME_, or those that a job with *each* has made of it; may be repeated."},
    {"jobs", 'j', "N", NULL, TO_COUNT(CMD, jobs), "side by side (default: the file's, else one for each core)", NULL},
    {"time", 0, "TIME", NULL, TO_TIME(CMD, time_s), "for all of it, such as 10m (default: the file's, else no limit)", NULL},
    {"list", 0, NULL, NULL, TO_FLAG(CMD, list), "list jobs and what they read, and run nothing", NULL},
    {"dry-run", 'n', NULL, NULL, TO_FLAG(CMD, dry), "say what would be run, and why, and run nothing", NULL},
    {"cache", 0, "DIR", COMPLETE_DIR, TO_TEXT(CMD, cache), "where results are kept (default: the file's, else .assay-ci/cache beside it)", NULL},
    {"out", 'o', "DIR", COMPLETE_DIR, TO_TEXT(CMD, out), "where recordings and logs go (default: the file's, else .assay-ci/out beside it)", NULL},
    REPORT_OPTION,
    {"color", 0, "WHEN", "auto always never", TO_COLOR(CMD, color), "auto, always or never", NULL},
    {"quiet", 'q', NULL, NULL, TO_FLAG(CMD, quiet), "only jobs that are not ok, and the sum", NULL},
    OPTIONS_END,
};
/* clang-format on */

/* ---- for people ---- */

static const char *color_of(const struct ci_cmd *cmd, enum ci_outcome outcome)
{
    return outcome == CI_OK                                   ? cmd->pal.green
           : outcome == CI_UNDECIDED || outcome == CI_SKIPPED ? cmd->pal.yellow
                                                              : cmd->pal.red;
}

static void print_job(struct ci_cmd *cmd, const struct ci_job *job)
{
    enum ci_outcome outcome = ci_outcome_of(job);
    SCOPED_STRBUF took = {0};
    if (cmd->quiet && outcome == CI_OK) {
        return;
    }
    if (job->result.remembered) {
        strbuf_adds(&took, "as before");
    } else if (outcome != CI_SKIPPED) {
        print_seconds(&took, (uint64_t)(job->result.seconds * 1e9));
    }
    (void)printf("%s%-9s%s  %-9s  %s: %s\n", color_of(cmd, outcome), ci_outcome_name(outcome),
                 cmd->pal.reset, strbuf_cstr(&took), job->name, ci_line(&cmd->ci, job));
    bool look = outcome != CI_OK && outcome != CI_SKIPPED && !job->result.remembered;
    if (look && job->result.said != NULL) {
        (void)printf("           what it said: %s\n", job->result.said);
    }
    (void)fflush(stdout);
}

static void ends(void *arg, const struct ci_job *job)
{
    print_job(arg, job);
}

static void print_list(const struct ci_cmd *cmd)
{
    for (size_t i = 0; i < cmd->ci.n; i++) {
        const struct ci_job *job = &cmd->ci.v[i];
        (void)printf("%s%s%s\n ", cmd->pal.bold, job->name, cmd->pal.reset);
        for (size_t k = 0; k < job->n_words; k++) {
            (void)printf(" %s", job->words[k]);
        }
        (void)puts("");
        for (size_t k = 0; k < job->n_inputs; k++) {
            if (strncmp(job->inputs[k].what, "file ", 5) == 0) {
                (void)printf("    %.8s  %s\n", job->inputs[k].value, job->inputs[k].what + 5);
            }
        }
    }
}

static void print_plan(const struct ci_cmd *cmd)
{
    size_t n = 0;
    for (size_t i = 0; i < cmd->ci.n; i++) {
        const struct ci_job *job = &cmd->ci.v[i];
        bool run = job->state == CI_TO_RUN;
        n += run ? 1 : 0;
        (void)printf("%s%-6s%s %s: %s\n", run ? cmd->pal.bold : "", run ? "run" : "skip",
                     cmd->pal.reset, job->name, job->why);
    }
    (void)printf("%zu of %zu jobs would be run\n", n, cmd->ci.n);
}

static void print_sum(struct ci_cmd *cmd)
{
    size_t counts[CI_SKIPPED + 1] = {0}, remembered = 0;
    for (size_t i = 0; i < cmd->ci.n; i++) {
        const struct ci_job *job = &cmd->ci.v[i];
        counts[ci_outcome_of(job)]++;
        remembered += job->state == CI_REMEMBERED ? 1 : 0;
    }
    (void)printf("%zu job%s:", cmd->ci.n, cmd->ci.n == 1 ? "" : "s");
    const char *between = " ";
    for (int i = 0; i <= CI_SKIPPED; i++) {
        if (counts[i] != 0) {
            (void)printf("%s%zu %s", between, counts[i], ci_outcome_name((enum ci_outcome)i));
            between = ", ";
        }
    }
    (void)printf("; %zu as before\n", remembered);
}

/* ---- the whole ---- */

static int plan(void *arg)
{
    struct ci_cmd *cmd = arg;
    return ci_plan(&cmd->ci, cmd->program, cmd->all, &cmd->err) == 0 ? EXIT_OK : EXIT_OTHER;
}

static int run_jobs(struct ci_cmd *cmd)
{
    struct ci_events events = {.ends = ends, .arg = cmd};
    for (size_t i = 0; i < cmd->ci.n; i++) {
        if (cmd->ci.v[i].state == CI_REMEMBERED) {
            print_job(cmd, &cmd->ci.v[i]);
        }
    }
    int rc = ci_run(&cmd->ci, cmd->program, &events, signals_flag(), &cmd->err);
    print_sum(cmd);
    ci_report(&cmd->ci, reports());
    if (rc != 0) {
        (void)fprintf(stderr, "assay ci: %s\n", cmd->err.text);
        return EXIT_OTHER;
    }
    return ci_status(&cmd->ci, *signals_flag() != 0);
}

/* Jobs run in another directory. */
static const char *from_here(struct arena *arena, const char *path)
{
    char here[PATH_MAX];
    return path[0] == '/' || getcwd(here, sizeof here) == NULL ? path
                                                               : path_join(arena, here, path);
}

static int read_and_plan(struct ci_cmd *cmd)
{
    if (ci_read(&cmd->ci, cmd->file, &cmd->err) != 0) {
        (void)fprintf(stderr, "assay ci: %s\n", cmd->err.text);
        return cmd->err.code == ERR_INVALID ? EXIT_CONFIG : EXIT_OTHER;
    }
    if (cmd->only.n != 0 && ci_only(&cmd->ci, cmd->only.v, cmd->only.n) == 0) {
        return usage_error("ci", "--only: %s has no such job; --list shows them", cmd->file);
    }
    cmd->ci.cache = cmd->cache != NULL ? from_here(&cmd->ci.arena, cmd->cache) : cmd->ci.cache;
    cmd->ci.out = cmd->out != NULL ? from_here(&cmd->ci.arena, cmd->out) : cmd->ci.out;
    cmd->ci.jobs = cmd->jobs != 0 ? (unsigned)cmd->jobs : cmd->ci.jobs;
    cmd->ci.time_s = cmd->time_s > 0 ? cmd->time_s : cmd->ci.time_s;
    ssize_t n = readlink("/proc/self/exe", cmd->program, sizeof cmd->program - 1);
    cmd->program[n > 0 ? n : 0] = '\0';
    int status = run_on_big_stack(plan, cmd);
    if (status != EXIT_OK) {
        (void)fprintf(stderr, "assay ci: %s\n", cmd->err.text);
    }
    return status;
}

int cmd_ci(int argc, char **argv)
{
    enum { JOBS_MAX = 1024 };
    struct ci_cmd cmd = {0};
    int status = options_parse(options_of_ci, argc, argv, &cmd);
    if (status == EXIT_OK && cmd.jobs > JOBS_MAX) {
        status = usage_error("ci", "--jobs: at most %d", JOBS_MAX);
    }
    cmd.file = cmd.file != NULL ? cmd.file : "assay-ci.toml";
    cmd.pal = palette_get(color_wanted(cmd.color, STDOUT_FILENO));
    status = status == EXIT_OK ? read_and_plan(&cmd) : status;
    if (status == EXIT_OK && cmd.list) {
        print_list(&cmd);
    } else if (status == EXIT_OK && cmd.dry) {
        print_plan(&cmd);
    } else if (status == EXIT_OK) {
        status = run_jobs(&cmd);
    }
    ci_done(&cmd.ci);
    VEC_DONE(&cmd.only);
    return status;
}
