/* Sets of runs. Two runs end in the same way when they are fine, or fail by the same oracle, about
 * the same node, with the same kind of message (run/failure.h); those that could not go on are told
 * apart by the words of the reason. */
#include "play/run_set.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "base/vec.h"
#include "report/report.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "run/runner.h"

void run_set_done(struct run_set *set)
{
    for (size_t i = 0; i < set->notes.n; i++) {
        strbuf_done(&set->notes.v[i].text);
    }
    VEC_DONE(&set->notes);
}

void run_set_add(struct run_set *set, uint64_t seed, int status, const struct run_result *result)
{
    struct run_note note = {.seed = seed, .status = status, .verdict = RUN_FAILED};
    if (result != NULL) {
        note.hash = result->hash;
        note.sometimes = result->sometimes;
        note.verdict = result->verdict;
        note.failure = result->failure;
        strbuf_addstr(&note.text, strbuf_str(&result->text));
    }
    VEC_PUSH(&set->notes, note);
}

/* ---- between processes ---- */

void run_set_write(const struct run_note *note, FILE *out)
{
    SCOPED_STRBUF text = {0};
    strbuf_addstr(&text, strbuf_str(&note->text));
    for (size_t i = 0; i < text.n; i++) {
        text.p[i] = (char)(text.p[i] == '\n' ? ' ' : text.p[i]);
    }
    (void)fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %d %d %d %d %u %" PRIu64 " %s\n",
                  note->seed, note->hash, note->sometimes, note->status, (int)note->verdict,
                  (int)note->failure.kind, note->failure.node, note->failure.number,
                  note->failure.text_class, strbuf_cstr(&text));
    (void)fflush(out);
}

bool run_set_read(struct run_set *set, const char *line)
{
    enum { FIELDS = 9 };
    uint64_t v[FIELDS];
    char *end = NULL;
    for (int i = 0; i < FIELDS; i++) {
        v[i] = line[0] == '-' ? (uint64_t)strtoll(line, &end, 10) : strtoull(line, &end, 10);
        if (end == line || *end != ' ') {
            return false;
        }
        line = end + 1;
    }
    struct run_note note = {
        .seed = v[0],
        .hash = v[1],
        .sometimes = v[2],
        .status = (int)v[3],
        .verdict = (enum run_verdict)v[4],
        .failure = {(enum failure_kind)v[5], (int32_t)v[6], (uint32_t)v[7], v[8]}
    };
    strbuf_adds(&note.text, line);
    VEC_PUSH(&set->notes, note);
    return true;
}

/* ---- the summary ---- */

static bool same_way(const struct run_note *a, const struct run_note *b)
{
    if (a->verdict != b->verdict || a->verdict == RUN_OK) {
        return a->verdict == b->verdict && a->status == b->status;
    }
    return a->verdict == RUN_VIOLATION ? failure_same(&a->failure, &b->failure)
                                       : failure_text_class(strbuf_str(&a->text)) ==
                                             failure_text_class(strbuf_str(&b->text));
}

static int by_seed(const void *a, const void *b)
{
    const struct run_note *x = a, *y = b;
    return x->seed < y->seed ? -1 : x->seed > y->seed ? 1 : 0;
}

static int by_hash(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y ? 1 : 0;
}

static size_t different_ends(const struct run_set *set)
{
    VEC(uint64_t) hashes = {0};
    size_t n = 0;
    for (size_t i = 0; i < set->notes.n; i++) {
        VEC_PUSH(&hashes, set->notes.v[i].hash);
    }
    if (hashes.n != 0) {
        qsort(hashes.v, hashes.n, sizeof hashes.v[0], by_hash);
    }
    for (size_t i = 0; i < hashes.n; i++) {
        n += i == 0 || hashes.v[i] != hashes.v[i - 1] ? 1 : 0;
    }
    VEC_DONE(&hashes);
    return n;
}

/* How many ended like the i-th; 0 when an earlier one did. */
static size_t count_like(const struct run_set *set, size_t i)
{
    size_t n = 0;
    for (size_t k = 0; k < set->notes.n; k++) {
        bool same = same_way(&set->notes.v[i], &set->notes.v[k]);
        if (same && k < i) {
            return 0;
        }
        n += same ? 1 : 0;
    }
    return n;
}

static size_t runs_with(const struct run_set *set, size_t assertion)
{
    size_t n = 0;
    for (size_t i = 0; i < set->notes.n; i++) {
        n += set->notes.v[i].sometimes >> assertion & 1;
    }
    return n;
}

static const char *verdict_word(const struct run_note *note)
{
    static const char *const words[] = {"ok", "violation", "diverged", "failed"};
    return note->verdict == RUN_OK && note->status != EXIT_OK ? "not shown" : words[note->verdict];
}

static void print_text(const struct teller *teller, const struct run_set *set,
                       const struct cluster *cluster, const char *out)
{
    bool several = set->notes.n > 1; /* of one run everything else is told already */
    if (several) {
        (void)fprintf(teller->out, "%zu runs, %zu different ends:\n", set->notes.n,
                      different_ends(set));
    }
    for (size_t i = 0; several && i < set->notes.n; i++) {
        const struct run_note *note = &set->notes.v[i];
        size_t n = count_like(set, i);
        if (n == 0) {
            continue;
        }
        (void)fprintf(teller->out, "  %zu %s", n, verdict_word(note));
        if (note->verdict != RUN_OK) {
            (void)fprintf(teller->out, ": %.*s (first: seed %" PRIu64 ", %s-%" PRIu64 "/replay)",
                          STR_ARG(strbuf_str(&note->text)), note->seed, out, note->seed);
        }
        (void)fprintf(teller->out, "\n");
    }
    for (size_t i = 0; i < cluster->n_sometimes; i++) {
        size_t n = runs_with(set, i);
        (void)fprintf(teller->out, "  %s '%s': in %zu of %zu runs\n",
                      n == 0 ? "never" : "sometimes", cluster->sometimes[i].name, n, set->notes.n);
    }
}

static void print_json(const struct teller *teller, const struct run_set *set,
                       const struct cluster *cluster)
{
    json_t *outcomes = json_array(), *sometimes = json_object();
    for (size_t i = 0; i < set->notes.n; i++) {
        const struct run_note *note = &set->notes.v[i];
        size_t n = count_like(set, i);
        if (n != 0) {
            struct str text = strbuf_str(&note->text);
            (void)json_array_append_new(outcomes, json_pack("{s:s, s:s%, s:I, s:I}", "outcome",
                                                            verdict_word(note), "text", text.p,
                                                            text.n, "runs", (json_int_t)n,
                                                            "first_seed", (json_int_t)note->seed));
        }
    }
    for (size_t i = 0; i < cluster->n_sometimes; i++) {
        (void)json_object_set_new(sometimes, cluster->sometimes[i].name,
                                  json_integer((json_int_t)runs_with(set, i)));
    }
    json_t *root =
        json_pack("{s:I, s:I, s:o, s:o}", "runs", (json_int_t)set->notes.n, "different_ends",
                  (json_int_t)different_ends(set), "outcomes", outcomes, "sometimes", sometimes);
    if (root != NULL) {
        (void)json_dumpf(root, teller->out, JSON_COMPACT);
        (void)fputc('\n', teller->out);
        json_decref(root);
    }
}

void run_set_cases(const struct teller *teller, const struct run_set *set,
                   const struct cluster *cluster, const char *out, bool several)
{
    if (teller->report == NULL) {
        return;
    }
    const char *file = report_path(cluster->path);
    report_subject(teller->report, file);
    for (size_t i = 0; i < set->notes.n; i++) {
        const struct run_note *note = &set->notes.v[i];
        SCOPED_STRBUF name = {0};
        SCOPED_STRBUF replay = {0};
        SCOPED_STRBUF text = {0};
        strbuf_printf(&name, "seed %" PRIu64, note->seed);
        strbuf_printf(&replay, several ? "%s-%" PRIu64 "/replay" : "%s/replay", out, note->seed);
        strbuf_addstr(&text, strbuf_str(&note->text));
        bool violated = note->verdict == RUN_VIOLATION;
        struct report_case c = {.name = strbuf_cstr(&name),
                                .outcome = violated                  ? REPORT_FAILED
                                           : note->status == EXIT_OK ? REPORT_PASSED
                                                                     : REPORT_ERROR,
                                .kind = violated ? failure_kind_name(note->failure.kind)
                                                 : verdict_word(note),
                                .message = strbuf_cstr(&text)};
        struct report_finding f = {.rule = c.kind, .message = c.message, .place = {.file = file}};
        f.artifact = violated ? strbuf_cstr(&replay) : NULL;
        report_add_case(teller->report, &c);
        if (c.outcome != REPORT_PASSED) {
            report_add_finding(teller->report, &f);
        }
    }
}

int run_set_report(const struct teller *teller, struct run_set *set, const struct cluster *cluster,
                   const char *out, bool json, bool quiet, bool must)
{
    int worst = EXIT_OK;
    if (set->notes.n != 0) {
        qsort(set->notes.v, set->notes.n, sizeof set->notes.v[0], by_seed);
    }
    for (size_t i = 0; i < set->notes.n; i++) {
        int status = set->notes.v[i].status;
        worst = status != EXIT_OK && worst != EXIT_SAFETY ? status : worst;
    }
    bool never = false;
    for (size_t i = 0; i < cluster->n_sometimes; i++) {
        if (must && runs_with(set, i) == 0 && worst != EXIT_INTERRUPTED) {
            never = true;
            (void)fprintf(teller->err, "assay run: '%s' has happened in none of %zu runs\n",
                          cluster->sometimes[i].name, set->notes.n);
        }
    }
    bool several = set->notes.n > 1 || cluster->n_sometimes != 0;
    if (json && cluster->n_sometimes != 0) {
        print_json(teller, set, cluster);
    } else if (several && !json && !quiet) {
        print_text(teller, set, cluster, out);
    }
    return never && worst == EXIT_OK ? EXIT_OTHER : worst;
}
