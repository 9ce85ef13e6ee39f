/* What is remembered: a file for each key, KEY.json, with the report as the command wrote it; and
 * for each name of a job what it read the last time, to tell what is different. Files are written
 * by rename, so that there is an old one or a new one, whatever ends the process. */
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "ci/ci.h"
#include "ci/ci_int.h"
#include "report/report.h"

enum { ENTRY_MAX_BYTES = 256 << 20, KEPT_S = 60 * 24 * 3600 };

static const char *dir_of(struct ci *ci)
{
    return ci_path(&ci->arena, ci->dir, ci->cache);
}

static const char *entry_path(struct ci *ci, const struct ci_job *job)
{
    return arena_printf(&ci->arena, "%s/%s.json", dir_of(ci), job->key);
}

static const char *last_path(struct ci *ci, const struct ci_job *job)
{
    char name[CI_KEY + 1];
    ci_hash(str_of(job->name), name);
    return arena_printf(&ci->arena, "%s/%s.last", dir_of(ci), name);
}

bool ci_cache_get(struct ci *ci, const struct ci_job *job, struct ci_result *ret)
{
    struct str text = {0};
    struct err err = {0};
    const char *path = entry_path(ci, job);
    if (file_read(&ci->arena, path, ENTRY_MAX_BYTES, &text, &err) != 0) {
        return false;
    }
    json_t *root = json_loadb(text.p, text.n, 0, NULL);
    const json_t *report = json_object_get(root, "report"),
                 *status = json_object_get(root, "status"),
                 *digest = json_object_get(root, "digest");
    bool good = json_integer_value(json_object_get(root, "schema")) == 1 &&
                json_is_string(report) && json_is_integer(status) && json_is_string(digest);
    if (good) {
        char now[CI_KEY + 1];
        *ret = (struct ci_result){.status = (int)json_integer_value(status),
                                  .remembered = true,
                                  .seconds = json_number_value(json_object_get(root, "seconds")),
                                  .report = str_heap(json_string_value(report))};
        ci_digest(job, ret, now);
        good = strcmp(now, json_string_value(digest)) == 0 && ci_is_verdict(ret);
        if (!good) {
            vec_release(ret->report);
            *ret = (struct ci_result){0};
        }
    }
    json_decref(root);
    if (good) {
        (void)utimensat(AT_FDCWD, path, NULL, 0); /* it was used */
    }
    return good;
}

void ci_cache_forget(struct ci *ci, const struct ci_job *job)
{
    (void)unlink(entry_path(ci, job));
}

int ci_cache_note(struct ci *ci, const struct ci_job *job, struct err *err)
{
    SCOPED_STRBUF text = {0};
    strbuf_printf(&text, "%.3f\n", job->result.seconds);
    for (size_t i = 0; i < job->n_inputs; i++) {
        SCOPED_STRBUF line = {0};
        strbuf_printf(&line, "%s\t%s", job->inputs[i].what, job->inputs[i].value);
        for (size_t k = 0; k < line.n; k++) {
            line.p[k] = line.p[k] == '\n' ? ' ' : line.p[k];
        }
        strbuf_addstr(&text, strbuf_str(&line));
        strbuf_addc(&text, '\n');
    }
    int status = dir_make(dir_of(ci), err);
    return status == 0 ? file_write(last_path(ci, job), strbuf_str(&text), err) : status;
}

int ci_cache_put(struct ci *ci, const struct ci_job *job, struct err *err)
{
    SCOPED_STRBUF text = {0};
    char digest[CI_KEY + 1];
    int status = ci_cache_note(ci, job, err);
    if (status != 0 || !ci_is_verdict(&job->result)) {
        return status;
    }
    ci_digest(job, &job->result, digest);
    strbuf_adds(&text, "{\"kind\":\"ci-result\",\"schema\":1,\"job\":");
    report_json(str_of(job->name), &text);
    strbuf_printf(&text, ",\"status\":%d,\"seconds\":%.3f,\"digest\":\"%s\",\"report\":",
                  job->result.status, job->result.seconds, digest);
    report_json(str_of(job->result.report), &text);
    strbuf_adds(&text, "}\n");
    return file_write(entry_path(ci, job), strbuf_str(&text), err);
}

/* ---- what is different ---- */

/* The next line, or false. */
static bool next_line(struct str *text, struct str *ret)
{
    const char *end = text->n != 0 ? memchr(text->p, '\n', text->n) : NULL;
    if (end == NULL) {
        return false;
    }
    *ret = (struct str){text->p, (size_t)(end - text->p)};
    *text = (struct str){end + 1, text->n - ret->n - 1};
    return true;
}

static bool has(const struct ci_job *job, struct str what, struct str *ret_value)
{
    for (size_t i = 0; i < job->n_inputs; i++) {
        if (str_is(what, job->inputs[i].what)) {
            *ret_value = str_of(job->inputs[i].value);
            return true;
        }
    }
    return false;
}

/* "file a.tla" without its first word. */
static struct str shown(struct str what)
{
    return what.n > 5 && memcmp(what.p, "file ", 5) == 0 ? (struct str){what.p + 5, what.n - 5}
                                                         : what;
}

static const char *first_new(struct ci *ci, const struct ci_job *job, struct str old)
{
    for (size_t i = 0; i < job->n_inputs; i++) {
        SCOPED_STRBUF begin = {0};
        strbuf_printf(&begin, "\n%s\t", job->inputs[i].what);
        if (memmem(old.p, old.n, begin.p, begin.n) == NULL) {
            struct str what = shown(str_of(job->inputs[i].what));
            return arena_printf(&ci->arena, "%.*s is new", STR_ARG(what));
        }
    }
    return NULL;
}

const char *ci_cache_why(struct ci *ci, const struct ci_job *job)
{
    struct str all = {0}, line = {0};
    struct err err = {0};
    if (file_read(&ci->arena, last_path(ci, job), ENTRY_MAX_BYTES, &all, &err) != 0) {
        return "it was never run here";
    }
    struct str rest = all;
    for (bool first = true; next_line(&rest, &line); first = false) {
        const char *tab = line.n != 0 ? memchr(line.p, '\t', line.n) : NULL;
        struct str value = {0};
        if (first || tab == NULL) {
            continue;
        }
        struct str what = {line.p, (size_t)(tab - line.p)};
        struct str old = {tab + 1, line.n - what.n - 1};
        if (!has(job, what, &value)) {
            return arena_printf(&ci->arena, "%.*s is no longer read", STR_ARG(shown(what)));
        }
        if (!str_eq(old, value)) {
            return arena_printf(&ci->arena, "%.*s has changed", STR_ARG(shown(what)));
        }
    }
    const char *new = first_new(ci, job, all);
    return new != NULL ? new : "the last run reached no verdict";
}

/* ---- room ---- */

struct prune {
    struct ci *ci;
    time_t before;
};

static void prune_one(void *arg, const char *name)
{
    const struct prune *prune = arg;
    const char *path = path_join(&prune->ci->arena, dir_of(prune->ci), name);
    const char *dot = strrchr(name, '.');
    struct stat st;
    bool ours = dot != NULL && dot - name == CI_KEY &&
                (strcmp(dot, ".json") == 0 || strcmp(dot, ".last") == 0);
    if (ours && stat(path, &st) == 0 && st.st_mtim.tv_sec < prune->before) {
        (void)unlink(path);
    }
}

void ci_cache_prune(struct ci *ci)
{
    struct prune prune = {ci, (time_t)clock_wall_s() - KEPT_S};
    dir_each(dir_of(ci), prune_one, &prune);
}
