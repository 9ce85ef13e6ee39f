/* `assay history check FILE... --model MODEL`: could a system that keeps its promise have answered
 * like that? */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/near.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/cli.h"
#include "cli/reports.h"
#include "history/history.h"
#include "option/option.h"
#include "trace/trace.h"

struct history_cmd {
    struct word_list words; /* "check", then files */
    const char *model, *level, *keys, *total;
    bool keyed, negative, json, quiet;
    uint64_t memory_bytes;
};

/* clang-format off */
#define CMD struct history_cmd
const struct option options_of_history[] = {
    {"", 0, "FILE", COMPLETE_FILE, TO_LIST(CMD, words), "", NULL},
    {"model", 'm', "MODEL", "register cas kv queue set lock owned-lock list-append rw-register bank", TO_TEXT(CMD, model),
     "register, cas, kv, queue, set, lock, owned-lock, list-append, rw-register or bank", NULL},
    {"consistency", 0, "LEVEL",
     "linearizable sequential read-uncommitted read-committed snapshot-isolation repeatable-read serializable "
     "strong-session-serializable strict-serializable", TO_TEXT(CMD, level),
     "what was promised (default: linearizable; transactions: strict-serializable)", NULL},
    {"keyed", 0, NULL, NULL, TO_FLAG(CMD, keyed), "values are pairs [key value]", NULL},
    {"keys", 0, "ORDER,...", "wfr sequential linearizable", TO_TEXT(CMD, keys),
     "rw-register: assume of each key wfr, sequential or linearizable", NULL},
    {"total", 0, "N", NULL, TO_TEXT(CMD, total), "bank: the total (default: that of the first read)", NULL},
    {"negative", 0, NULL, NULL, TO_FLAG(CMD, negative), "bank: balances may be below zero", NULL},
    {"memory", 0, "SIZE", NULL, TO_SIZE(CMD, memory_bytes), "for the search (2G)", NULL},
    {"json", 0, NULL, NULL, TO_FLAG(CMD, json), "one JSON document for each file instead of text", NULL},
    REPORT_OPTION,
    {"quiet", 'q', NULL, NULL, TO_FLAG(CMD, quiet), "the verdict only", NULL},
    OPTIONS_END,
};
/* clang-format on */

static const char *const outcome_names[] = {
    [HIST_CONSISTENT] = "consistent",
    [HIST_VIOLATED] = "violated",
    [HIST_UNDECIDED] = "undecided",
};

/* An unknown name, with the one that was meant. */
static int unknown(const char *what, const char *name, const char *(*nth)(size_t), size_t n)
{
    struct near near = near_to(str_of(name));
    for (size_t i = 0; i < n; i++) {
        near_try(&near, str_of(nth(i)));
    }
    SCOPED_STRBUF text = {0};
    strbuf_printf(&text, "there is no %s '%s'", what, name);
    near_add(&near, &text, "; did you mean '", "'?");
    return usage_error("history", "%s", strbuf_cstr(&text));
}

static const char *nth_model(size_t i)
{
    return hist_model_name((enum hist_model)i);
}

static const char *nth_level(size_t i)
{
    return hist_level_name((enum hist_level)(i + HIST_SEQUENTIAL));
}

/* "wfr,linearizable" */
static int parse_keys(const char *text, unsigned *ret_keys)
{
    for (const char *p = text; p != NULL;) {
        const char *comma = strchr(p, ',');
        char word[20];
        int n = comma != NULL ? (int)(comma - p) : (int)strlen(p);
        enum hist_keys keys;
        (void)snprintf(word, sizeof word, "%.*s", n, p);
        if (!hist_keys_find(word, &keys)) {
            return usage_error("history", "--keys takes wfr, sequential, linearizable, not '%.*s'",
                               n, p);
        }
        *ret_keys |= keys;
        p = comma != NULL ? comma + 1 : NULL;
    }
    return EXIT_OK;
}

static int parse_total(const char *text, struct hist_options *options)
{
    options->has_total = true;
    return read_i64(text, &options->total)
               ? EXIT_OK
               : usage_error("history", "--total takes a whole number, not '%s'", text);
}

static int to_options(const struct history_cmd *cmd, struct hist_options *ret)
{
    *ret = (struct hist_options){.negative_ok = cmd->negative,
                                 .memory_bytes = (size_t)cmd->memory_bytes,
                                 .stop = signals_flag()};
    if (cmd->words.n == 0 || strcmp(cmd->words.v[0], "check") != 0) {
        return usage_error("history", "say: assay history check FILE --model MODEL");
    }
    if (cmd->words.n == 1) {
        return usage_error("history", "which file?");
    }
    if (cmd->model == NULL) {
        return usage_error("history", "which --model?");
    }
    if (!hist_model_find(cmd->model, &ret->model)) {
        return unknown("model", cmd->model, nth_model, HIST_MODEL_COUNT);
    }
    if (cmd->level != NULL && !hist_level_find(cmd->level, &ret->level)) {
        return unknown("level of consistency", cmd->level, nth_level,
                       HIST_LEVEL_COUNT - HIST_SEQUENTIAL);
    }
    if (cmd->keys != NULL && ret->model != HIST_RW_REGISTER) {
        return usage_error("history", "--keys is for --model rw-register");
    }
    if ((cmd->total != NULL || cmd->negative) && ret->model != HIST_BANK) {
        return usage_error("history", "--total and --negative are for --model bank");
    }
    int status = parse_keys(cmd->keys, &ret->keys);
    return status != EXIT_OK || cmd->total == NULL ? status : parse_total(cmd->total, ret);
}

static void show_json(const char *path, const struct hist_options *options,
                      const struct hist_result *result, struct strbuf *out)
{
    strbuf_adds(out, "{\"file\":");
    json_write_string(str_of(path), out);
    strbuf_printf(out,
                  ",\"model\":\"%s\",\"consistency\":\"%s\",\"verdict\":\"%s\",\"operations\":%zu,"
                  "\"keys\":%zu,\"violations\":%zu,\"undecided_keys\":%zu,\"anomalies\":[",
                  hist_model_name(options->model), hist_level_name(result->level),
                  outcome_names[result->outcome], result->operations, result->keys,
                  result->violations, result->undecided);
    struct str names = strbuf_str(&result->names);
    for (size_t i = 0, begin = 0; i <= names.n && names.n > 0; i++) {
        if (i == names.n || names.p[i] == ' ') {
            strbuf_printf(out, "%s\"%.*s\"", begin > 0 ? "," : "", (int)(i - begin),
                          names.p + begin);
            begin = i + 1;
        }
    }
    strbuf_adds(out, "],\"explanation\":");
    json_write_string(strbuf_str(&result->text), out);
    strbuf_adds(out, "}\n");
}

static void show_text(const char *path, const struct history_cmd *cmd,
                      const struct hist_options *options, const struct hist_result *result,
                      struct strbuf *out)
{
    static const char *const said[] = {[HIST_CONSISTENT] = "ok,",
                                       [HIST_VIOLATED] = "violated: not",
                                       [HIST_UNDECIDED] =
                                           "the search was given up: it may be, or not,"};
    strbuf_printf(out, "%s: %s %s (%s, %zu operations, %zu %s)\n", path, said[result->outcome],
                  options->model == HIST_BANK ? "of one total" : hist_level_name(result->level),
                  hist_model_name(options->model), result->operations, result->keys,
                  result->keys == 1 ? "key" : "keys");
    if (!cmd->quiet) {
        strbuf_addstr(out, strbuf_str(&result->text));
        if (result->undecided > 0 && result->outcome == HIST_VIOLATED) {
            strbuf_printf(out, "  %zu more keys were not decided\n", result->undecided);
        }
    }
}

/* For --report: a case for each file; `err`: it could not be judged. */
static void add_case(const struct hist_options *options, const char *path,
                     const struct hist_result *result, const struct err *err)
{
    SCOPED_STRBUF text = {0};
    SCOPED_STRBUF message = {0};
    struct report_case c = {.name = path, .group = "history", .kind = "file"};
    if (reports() == NULL) {
        return;
    }
    report_subject(reports(), "history");
    if (err != NULL) {
        c.outcome = REPORT_ERROR;
        c.message = err->text;
    } else {
        /* ORDER enum hist_outcome: HIST_CONSISTENT, HIST_VIOLATED, HIST_UNDECIDED */
        c.outcome = result->outcome == HIST_CONSISTENT ? REPORT_PASSED
                    : result->outcome == HIST_VIOLATED ? REPORT_FAILED
                                                       : REPORT_ERROR;
        strbuf_printf(&message, "%s: %s %s", outcome_names[result->outcome],
                      hist_level_name(result->level), hist_model_name(options->model));
        strbuf_addstr(&text, strbuf_str(&result->text));
        c.kind = outcome_names[result->outcome];
        c.message = strbuf_cstr(&message);
        c.details = strbuf_cstr(&text);
    }
    report_add_case(reports(), &c);
    if (c.outcome != REPORT_PASSED) {
        struct report_finding f = {.rule = c.kind,
                                   .message = c.message,
                                   .details = c.details,
                                   .place = {.file = report_path(path)}};
        report_add_finding(reports(), &f);
    }
}

static int check_file(const struct history_cmd *cmd, const struct hist_options *options,
                      const char *path)
{
    struct arena arena;
    struct err err = {0};
    struct history *history = NULL;
    struct hist_result result = {0};
    SCOPED_STRBUF out = {0};
    int status = EXIT_CONFIG;
    arena_init(&arena, 0);
    int rc = history_read(&arena, path, cmd->keyed, &history, &err);
    if (rc == 0) {
        rc = history_check(history, options, &result, &err);
    }
    add_case(options, path, &result, rc < 0 ? &err : NULL);
    if (rc < 0) {
        (void)fprintf(stderr, "assay history: %s\n", err.text);
        bool unread = err.code == ERR_NOT_FOUND || err.code == ERR_IO;
        status = err.code == ERR_UNSUPPORTED ? EXIT_USAGE : unread ? EXIT_OTHER : EXIT_CONFIG;
    } else {
        if (cmd->json) {
            show_json(path, options, &result, &out);
        } else {
            show_text(path, cmd, options, &result, &out);
        }
        static const int statuses[] = {[HIST_CONSISTENT] = EXIT_OK,
                                       [HIST_VIOLATED] = EXIT_SAFETY,
                                       [HIST_UNDECIDED] = EXIT_UNDECIDED};
        status = statuses[result.outcome];
        if (put_text(stdout, strbuf_str(&out)) != 0) {
            status = EXIT_OTHER;
        }
    }
    hist_result_done(&result);
    history_free(history);
    arena_done(&arena);
    return status;
}

/* A bad file is worse than a violation, a violation worse than no answer. */
static int worse(int a, int b)
{
    static const int order[] = {EXIT_OTHER, EXIT_USAGE, EXIT_CONFIG, EXIT_SAFETY, EXIT_UNDECIDED};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        if (a == order[i] || b == order[i]) {
            return order[i];
        }
    }
    return EXIT_OK;
}

int cmd_history(int argc, char **argv)
{
    struct history_cmd cmd = {0};
    struct hist_options options = {0};
    int status = options_parse(options_of_history, argc, argv, &cmd);
    if (status == EXIT_OK) {
        status = to_options(&cmd, &options);
    }
    if (status == EXIT_OK) {
        signals_install();
    }
    bool go = status == EXIT_OK;
    for (size_t i = 1; go && i < cmd.words.n; i++) {
        status = worse(status, check_file(&cmd, &options, cmd.words.v[i]));
        go = *signals_flag() == 0;
        status = go ? status : EXIT_INTERRUPTED;
    }
    VEC_DONE(&cmd.words);
    return status;
}
