/* `assay test`: outcomes of cases, merged, and kept in a journal from which an interrupted run goes
 * on. A line is written when a case has ended, whole or not at all as far as the next run is
 * concerned: what has no end is not there. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "drive/bridge.h"
#include "drive/test.h"
#include "suite/suite.h"

const char *test_text(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text != NULL ? text : "";
}

static uint64_t number_at(const json_t *json, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(json, key));
}

/* ---- merging ---- */

/* So many cases failed in this way, or are blocked by that; `number` is the first that failed. */
static void merge_finding(struct test_cmd *cmd, uint32_t number, json_t *f, uint64_t cases,
                          uint64_t blocked)
{
    static const char *const parts[] = {"kind", "action", "about"};
    uint64_t key = 1;
    for (size_t i = 0; i < 3; i++) {
        const char *text = test_text(f, parts[i]);
        key = hash_combine(key, hash_bytes(text, strlen(text), i));
    }
    struct test_group *g = NULL;
    for (size_t i = 0; i < cmd->groups.n; i++) {
        g = cmd->groups.v[i].key == key ? &cmd->groups.v[i] : g;
    }
    if (g == NULL) {
        VEC_PUSH(&cmd->groups, ((struct test_group){key, number, 0, 0, json_incref(f)}));
        g = &VEC_LAST(&cmd->groups);
    }
    g->cases += cases;
    g->blocked += blocked;
    if (number < g->first) {
        json_decref(g->finding);
        g->first = number;
        g->finding = json_incref(f);
    }
}

static void add_up(struct test_cmd *cmd, const json_t *line)
{
    const json_t *seen = json_object_get(line, "seen");
    struct conform_times *t = &cmd->times;
    for (size_t i = 0; i < json_array_size(seen); i++) {
        if (i == cmd->seen.n) {
            VEC_PUSH(&cmd->seen, 0);
        }
        cmd->seen.v[i] += (uint64_t)json_integer_value(json_array_get(seen, i));
    }
    const char *trouble = test_text(line, "trouble");
    if (*trouble != '\0') {
        strbuf_reset(&cmd->code_trouble);
        strbuf_adds(&cmd->code_trouble, trouble);
    }
    t->steps += number_at(line, "steps");
    t->step_ns += number_at(line, "step_ns");
    t->returns += number_at(line, "returns");
    t->return_ns += number_at(line, "return_ns");
    t->marks += number_at(line, "marks");
    t->mark_ns += number_at(line, "mark_ns");
    t->boots += number_at(line, "boots");
    t->boot_ns += number_at(line, "boot_ns");
}

void test_take(struct test_cmd *cmd, const json_t *line)
{
    if (json_object_get(line, "error") != NULL) {
        cmd->error = cmd->error != NULL ? cmd->error : json_incref((json_t *)line);
        return;
    }
    if (json_object_get(line, "seen") != NULL) {
        add_up(cmd, line);
        return;
    }
    uint64_t number = number_at(line, "case");
    if (json_object_get(line, "case") == NULL || number >= cmd->suite->n ||
        cmd->outcomes[number].known) {
        return;
    }
    json_t *finding = json_object_get(line, "finding");
    struct test_outcome o = {.known = true,
                             .status = (enum suite_status)number_at(line, "status"),
                             .owner = (uint32_t)number_at(line, "owner"),
                             .step = (uint32_t)number_at(line, "step"),
                             .done = (uint32_t)number_at(line, "done"),
                             .again = (uint32_t)number_at(line, "again"),
                             .ns = number_at(line, "ns"),
                             .waiting = cmd->outcomes[number].waiting,
                             .finding = json_incref(finding)};
    for (size_t i = 0; i < OUTSIDE_KINDS; i++) {
        const json_t *outside = json_object_get(line, "outside");
        o.outside[i] = (uint64_t)json_integer_value(json_array_get(outside, i));
    }
    cmd->outcomes[number] = o;
    if (o.status == SUITE_FAILED && finding != NULL) {
        merge_finding(cmd, (uint32_t)number, finding, 1, o.waiting);
    } else if (o.status == SUITE_BLOCKED && o.owner < cmd->suite->n) {
        struct test_outcome *owner = &cmd->outcomes[o.owner];
        finding = finding != NULL ? finding : owner->finding; /* the case before it was here */
        if (finding != NULL) {
            merge_finding(cmd, o.owner, finding, 0, 1);
        } else {
            owner->waiting++; /* another process has it, and is not there yet */
        }
    }
}

void test_forget(struct test_cmd *cmd)
{
    for (size_t i = 0; cmd->outcomes != NULL && i < cmd->suite->n; i++) {
        json_decref(cmd->outcomes[i].finding);
        cmd->outcomes[i] = (struct test_outcome){0};
    }
    for (size_t i = 0; i < cmd->groups.n; i++) {
        json_decref(cmd->groups.v[i].finding);
    }
    VEC_RESET(&cmd->groups);
    VEC_RESET(&cmd->seen);
    json_decref(cmd->error);
    cmd->error = NULL;
    strbuf_reset(&cmd->missing);
    memset(&cmd->times, 0, sizeof cmd->times);
}

/* ---- the journal ---- */

/* Of the suite and of what is run of it. */
static uint64_t identity(const struct test_cmd *cmd)
{
    uint64_t hash = hash_combine(cmd->suite->n, (uint64_t)cmd->shard_part << 32 | cmd->shard_parts);
    for (size_t i = 0; i < cmd->suite->n; i++) {
        struct str id = cmd->suite->cases[i].id;
        hash = hash_combine(hash, hash_bytes(id.p, id.n, 1));
    }
    return hash_combine(hash, cmd->bridge.cluster.digest);
}

static int read_journal(struct test_cmd *cmd, const char *path, struct strbuf *keep,
                        struct err *err)
{
    struct str text;
    int status = file_read(&cmd->arena, path, SIZE_MAX / 2, &text, err);
    if (status != 0) {
        return err_set(err, ERR_NOT_FOUND, 0, "there is nothing to go on from in %s", cmd->o.out);
    }
    for (size_t line = 0; text.n != 0; line++) {
        const char *end = memchr(text.p, '\n', text.n);
        size_t n = end != NULL ? (size_t)(end - text.p) + 1 : 0;
        json_t *json = n != 0 ? json_loadb(text.p, n, 0, NULL) : NULL;
        if (json == NULL && n == 0) {
            break; /* the last line was not finished */
        }
        if (line == 0) {
            uint64_t hash = (uint64_t)json_integer_value(json_object_get(json, "suite"));
            if (hash != identity(cmd)) {
                json_decref(json);
                return err_set(err, ERR_INVALID, 0,
                               "%s holds a run of another suite, shard or cluster: run it without "
                               "--resume, or name another directory (--out)",
                               cmd->o.out);
            }
        } else if (json != NULL) {
            test_take(cmd, json);
        }
        if (json != NULL) {
            strbuf_add(keep, text.p, n);
        }
        json_decref(json);
        text = (struct str){text.p + n, text.n - n};
    }
    return 0;
}

int test_journal_open(struct test_cmd *cmd, struct err *err)
{
    const char *path = path_join(&cmd->arena, cmd->o.out, "journal.jsonl");
    SCOPED_STRBUF text = {0};
    int status = 0;
    cmd->journal = -1;
    if (cmd->resume) {
        status = read_journal(cmd, path, &text, err);
    } else {
        strbuf_printf(&text, "{\"suite\": %" PRId64 "}\n", (int64_t)identity(cmd));
    }
    status = status != 0 ? status : file_write(path, strbuf_str(&text), err);
    if (status == 0) {
        cmd->journal = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
        status = cmd->journal < 0 ? err_set(err, ERR_IO, errno, "cannot write %s", path) : 0;
    }
    return status;
}

void test_journal_put(struct test_cmd *cmd, const char *line)
{
    SCOPED_STRBUF text = {0};
    strbuf_printf(&text, "%s\n", line);
    if (cmd->journal >= 0 && !cmd->full) {
        cmd->full = write(cmd->journal, text.p, text.n) != (ssize_t)text.n;
    }
}

void test_journal_close(struct test_cmd *cmd)
{
    if (cmd->journal >= 0) {
        (void)close(cmd->journal);
    }
    cmd->journal = -1;
}
