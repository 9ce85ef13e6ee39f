/* The file of jobs. Paths in it are relative to its directory, where jobs run, too. */
#include "base/file.h"

#include <fnmatch.h>
#include <glob.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/near.h"
#include "base/str.h"
#include "base/toml.h"
#include "base/vec.h"
#include "ci/ci.h"
#include "ci/ci_int.h"
#include "option/option.h"

enum { FILE_MAX_BYTES = 1 << 20, JOBS_MAX = 10000 };
#define TIME_DEFAULT_S 600.0

const char *const ci_commands[] = {"check",  "tlc",     "parse", "rank",    "run",
                                   "replay", "explore", "test",  "conform", "confirm",
                                   "watch",  "history", NULL};

struct reader {
    struct ci *ci;
    struct toml_table *table;
    double time_s; /* of a job that does not say */
    struct err *err;
    VEC(struct ci_job) jobs;
};

__attribute__((format(printf, 3, 4))) static int fail(const struct reader *r, unsigned line,
                                                      const char *fmt, ...)
{
    va_list ap;
    SCOPED_STRBUF text = {0};
    va_start(ap, fmt);
    strbuf_vprintf(&text, fmt, ap);
    va_end(ap);
    return err_set(r->err, ERR_INVALID, 0, "%s:%u: %s", r->ci->path, line, strbuf_cstr(&text));
}

/* ---- values ---- */

static int get(const struct reader *r, const char *key, enum toml_kind kind,
               const struct toml_value **ret)
{
    static const char *const names[] = {"a text in quotes", "a number", "true or false",
                                        "a list in brackets", "a table"};
    struct toml_pair *pair = toml_find(r->table, key);
    *ret = pair != NULL ? &pair->value : NULL;
    if (pair != NULL && pair->value.kind != kind) {
        return fail(r, pair->value.line, "%s must be %s", key, names[kind]);
    }
    return 0;
}

static int get_text(const struct reader *r, const char *key, const char **ret)
{
    const struct toml_value *v = NULL;
    int status = get(r, key, TOML_STRING, &v);
    if (status == 0 && v != NULL) {
        if (v->text.n == 0 || memchr(v->text.p, '\0', v->text.n) != NULL) {
            return fail(r, v->line, "%s must not be empty", key);
        }
        *ret = str_dup(&r->ci->arena, v->text).p;
    }
    return status;
}

static int get_time(const struct reader *r, const char *key, double *ret_s)
{
    const char *text = NULL;
    int status = get_text(r, key, &text);
    if (status == 0 && text != NULL && (!read_duration(text, ret_s) || *ret_s <= 0)) {
        return fail(r, toml_find(r->table, key)->value.line,
                    "%s must be a time such as \"90s\", \"5m\" or \"2h\"", key);
    }
    return status;
}

static int get_number(const struct reader *r, const char *key, unsigned most, unsigned *ret)
{
    const struct toml_value *v = NULL;
    int status = get(r, key, TOML_NUMBER, &v);
    if (status == 0 && v != NULL) {
        if (v->number < 0 || v->number > most || v->number != (double)(unsigned)v->number) {
            return fail(r, v->line, "%s must be a whole number from 0 to %u", key, most);
        }
        *ret = (unsigned)v->number;
    }
    return status;
}

/* Texts of a list, or one text. */
static int get_list(const struct reader *r, const char *key, const char ***ret, size_t *ret_n)
{
    struct toml_pair *pair = toml_find(r->table, key);
    if (pair == NULL) {
        return 0;
    }
    const struct toml_value *v = &pair->value;
    size_t n = v->kind == TOML_ARRAY ? v->n : 1;
    const struct toml_value *items = v->kind == TOML_ARRAY ? v->items : v;
    *ret = ARENA_ARRAY(&r->ci->arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (items[i].kind != TOML_STRING || items[i].text.n == 0) {
            return fail(r, items[i].line, "%s must be texts in quotes", key);
        }
        (*ret)[i] = str_dup(&r->ci->arena, items[i].text).p;
    }
    *ret_n = n;
    return 0;
}

static int unknown_keys(const struct reader *r)
{
    for (size_t i = 0; i < r->table->n; i++) {
        const struct toml_pair *pair = &r->table->pairs[i];
        if (!pair->used) {
            SCOPED_STRBUF near = {0};
            toml_near(pair, &near);
            return fail(r, pair->value.line, "there is no '%.*s' in [%.*s]%s", STR_ARG(pair->key),
                        STR_ARG(r->table->name), strbuf_cstr(&near));
        }
    }
    return 0;
}

/* ---- commands ---- */

/* A line is cut as a shell cuts it; a list has its words. */
static int get_words(const struct reader *r, struct ci_job *job)
{
    struct toml_pair *pair = toml_find(r->table, "run");
    VEC(const char *) words = {0};
    if (pair == NULL) {
        return fail(r, r->table->line,
                    "a job needs a command of assay, such as run = \"check Spec.tla\"");
    }
    if (pair->value.kind == TOML_STRING) {
        struct str line = pair->value.text;
        int more = 1;
        while (more > 0) {
            SCOPED_STRBUF word = {0};
            more = command_word(&line, &word);
            if (more > 0) {
                VEC_PUSH(&words, str_dup(&r->ci->arena, strbuf_str(&word)).p);
            }
        }
        if (more < 0) {
            VEC_DONE(&words);
            return fail(r, pair->value.line, "run: a quote is not closed");
        }
        job->n_words = words.n;
        job->words = ARENA_ARRAY(&r->ci->arena, const char *, words.n + 1);
        for (size_t i = 0; i < words.n; i++) {
            job->words[i] = words.v[i];
        }
        VEC_DONE(&words);
        return 0;
    }
    return get_list(r, "run", &job->words, &job->n_words);
}

static int check_words(const struct reader *r, const struct ci_job *job)
{
    unsigned line = toml_find(r->table, "run")->value.line;
    const char *command = job->n_words != 0 ? job->words[0] : "";
    bool known = false;
    struct near near = near_to(str_of(command));
    for (size_t i = 0; ci_commands[i] != NULL; i++) {
        known = known || strcmp(command, ci_commands[i]) == 0;
        near_try(&near, str_of(ci_commands[i]));
    }
    if (!known) {
        SCOPED_STRBUF meant = {0};
        near_add(&near, &meant, "; did you mean '", "'?");
        return fail(r, line,
                    "run: '%s' is no command of assay that judges: check, tlc, parse, rank, run, "
                    "replay, explore, test, conform, confirm, watch or history%s",
                    command, strbuf_cstr(&meant));
    }
    for (size_t i = 1; i < job->n_words; i++) {
        const char *word = job->words[i];
        if (strncmp(word, "--report", 8) == 0 || strcmp(word, "-report") == 0) {
            return fail(r, line, "run: %s is for the whole: assay ci --report", word);
        }
    }
    return 0;
}

/* ---- jobs ---- */

static const char *with_file(struct arena *arena, const char *text, const char *file)
{
    const char *at = strstr(text, "{file}");
    return at == NULL ? text
                      : with_file(arena,
                                  arena_printf(arena, "%.*s%s%s", (int)(at - text), text, file,
                                               at + strlen("{file}")),
                                  file);
}

static void add_each(struct reader *r, const struct ci_job *job, const char *file)
{
    struct arena *arena = &r->ci->arena;
    struct ci_job one = *job;
    one.name = arena_printf(arena, "%s: %s", job->name, file);
    one.words = ARENA_ARRAY(arena, const char *, job->n_words + 1);
    for (size_t i = 0; i < job->n_words; i++) {
        one.words[i] = with_file(arena, job->words[i], file);
    }
    one.patterns = ARENA_ARRAY(arena, const char *, job->n_patterns + 1);
    for (size_t i = 0; i < job->n_patterns; i++) {
        one.patterns[i] = with_file(arena, job->patterns[i], file);
    }
    VEC_PUSH(&r->jobs, one);
}

/* Files that fit the pattern, but those that are excepted. */
static void add_matching(struct reader *r, const struct ci_job *job, const char *pattern,
                         const char *const *except, size_t n_except)
{
    struct arena *arena = &r->ci->arena;
    glob_t found = {0};
    bool beside = pattern[0] != '/' && strcmp(r->ci->dir, ".") != 0;
    size_t skip = beside ? strlen(r->ci->dir) + 1 : 0;
    int status = glob(ci_path(arena, r->ci->dir, pattern), GLOB_ERR, NULL, &found);
    for (size_t k = 0; status == 0 && k < found.gl_pathc && r->jobs.n < JOBS_MAX; k++) {
        const char *file = str_dup(arena, str_of(found.gl_pathv[k] + skip)).p;
        bool out = false;
        for (size_t e = 0; e < n_except; e++) {
            out = out || fnmatch(except[e], file, 0) == 0;
        }
        if (!out) {
            add_each(r, job, file);
        }
    }
    globfree(&found);
}

/* With `each`, a list of patterns: a job for every file that fits one. */
static int expand(struct reader *r, const struct ci_job *job)
{
    const char **each = NULL, **except = NULL;
    size_t n = 0, n_except = 0, before = r->jobs.n;
    int status = get_list(r, "each", &each, &n);
    status = status == 0 ? get_list(r, "except", &except, &n_except) : status;
    if (status == 0 && n == 0) {
        VEC_PUSH(&r->jobs, *job);
    }
    for (size_t i = 0; status == 0 && i < n; i++) {
        add_matching(r, job, each[i], except, n_except);
    }
    return status != 0 || r->jobs.n > before
               ? status
               : fail(r, toml_find(r->table, "each")->value.line,
                      "each: there is no such file under %s", r->ci->dir);
}

static int read_job(struct reader *r)
{
    struct ci_job job = {.line = r->table->line, .time_s = r->time_s};
    unsigned expect = 0;
    int status = get_text(r, "name", &job.name);
    status = status == 0 ? get_words(r, &job) : status;
    status = status == 0 ? check_words(r, &job) : status;
    status = status == 0 ? get_time(r, "time", &job.time_s) : status;
    status = status == 0 ? get_number(r, "expect", 255, &expect) : status;
    status = status == 0 ? get_list(r, "inputs", &job.patterns, &job.n_patterns) : status;
    if (status == 0 && job.name == NULL) {
        status = fail(r, r->table->line, "a job needs a name, such as name = \"two-phase\"");
    }
    job.expect = (int)expect;
    status = status == 0 ? expand(r, &job) : status;
    return status == 0 ? unknown_keys(r) : status;
}

static int read_head(struct reader *r)
{
    struct ci *ci = r->ci;
    int status = get_text(r, "cache", &ci->cache);
    status = status == 0 ? get_text(r, "out", &ci->out) : status;
    status = status == 0 ? get_time(r, "time", &ci->time_s) : status;
    status = status == 0 ? get_time(r, "time_per_job", &r->time_s) : status;
    status = status == 0 ? get_number(r, "jobs", 1024, &ci->jobs) : status;
    return status == 0 ? unknown_keys(r) : status;
}

/* Names are those of files, too, and of results. */
static int unique(const struct reader *r)
{
    for (size_t i = 0; i < r->jobs.n; i++) {
        for (size_t k = 0; k < i; k++) {
            if (strcmp(r->jobs.v[i].name, r->jobs.v[k].name) == 0) {
                return fail(r, r->jobs.v[i].line, "there are two jobs '%s' (the other in line %u)",
                            r->jobs.v[i].name, r->jobs.v[k].line);
            }
        }
    }
    return 0;
}

static int read_tables(struct reader *r, struct toml *toml)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < toml->n; i++) { /* what jobs do not say comes first */
        r->table = &toml->tables[i];
        status = str_is(r->table->name, "ci") && !r->table->element ? read_head(r) : 0;
    }
    for (size_t i = 0; status == 0 && i < toml->n; i++) {
        r->table = &toml->tables[i];
        if (str_is(r->table->name, "job") && r->table->element) {
            status = read_job(r);
        } else if (!(str_is(r->table->name, "ci") && !r->table->element) &&
                   (r->table->name.n != 0 || r->table->n != 0)) {
            unsigned line = r->table->name.n != 0 ? r->table->line : r->table->pairs[0].value.line;
            status = fail(r, line, "expected [ci] or [[job]]");
        }
    }
    if (status == 0 && r->jobs.n == 0) {
        status = fail(r, 1,
                      "there is no job; for example\n[[job]]\nname = \"two-phase\"\nrun = "
                      "\"check TwoPhase.tla\"");
    }
    return status == 0 ? unique(r) : status;
}

int ci_read(struct ci *ci, const char *path, struct err *err)
{
    struct str text = {0};
    struct toml toml = {0};
    *ci = (struct ci){0};
    arena_init(&ci->arena, 0);
    struct reader r = {.ci = ci, .time_s = TIME_DEFAULT_S, .err = err};
    ci->path = str_dup(&ci->arena, str_of(path)).p;
    ci->dir = str_dup(&ci->arena, path_dir(str_of(path))).p;
    ci->cache = ".assay-ci/cache";
    ci->out = ".assay-ci/out";
    int status = file_read(&ci->arena, path, FILE_MAX_BYTES, &text, err);
    if (status == 0 && toml_parse(&ci->arena, text, &toml, err) != 0) {
        status = err_wrap(err, "%s", path);
    }
    status = status == 0 ? read_tables(&r, &toml) : status;
    ci->v = ARENA_ARRAY(&ci->arena, struct ci_job, r.jobs.n + 1);
    ci->n = status == 0 ? r.jobs.n : 0;
    for (size_t i = 0; i < ci->n; i++) {
        ci->v[i] = r.jobs.v[i];
    }
    VEC_DONE(&r.jobs);
    return status;
}

void ci_done(struct ci *ci)
{
    for (size_t i = 0; i < ci->n; i++) {
        vec_release(ci->v[i].result.report);
    }
    arena_done(&ci->arena);
    *ci = (struct ci){0};
}

size_t ci_only(struct ci *ci, const char *const *names, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < ci->n; i++) {
        bool wanted = false;
        for (size_t k = 0; k < n; k++) {
            size_t len = strlen(names[k]);
            wanted = wanted || (strncmp(ci->v[i].name, names[k], len) == 0 &&
                                (ci->v[i].name[len] == '\0' || ci->v[i].name[len] == ':'));
        }
        if (wanted) {
            ci->v[kept++] = ci->v[i];
        }
    }
    ci->n = kept;
    return kept;
}
