/* Files to documents: what a file is shows in its first bytes, or in the names of a JSON object. */
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "report/report.h"
#include "view/docs_int.h"
#include "view/view.h"

enum { FILE_MAX = 512 << 20 };

void view_docs_init(struct view_docs *docs)
{
    memset(docs, 0, sizeof *docs);
    arena_init(&docs->arena, 0);
}

void view_docs_done(struct view_docs *docs)
{
    strbuf_done(&docs->json);
    vec_release(docs->traces);
    arena_done(&docs->arena);
}

void view_add(struct view_docs *docs, const char *kind, struct str members)
{
    strbuf_printf(&docs->json, "%s{\"kind\":\"%s\",\"schema\":1", docs->n != 0 ? ",\n" : "", kind);
    strbuf_addstr(&docs->json, members);
    strbuf_addc(&docs->json, '}');
    docs->n++;
    docs->last = kind;
}

void view_field(struct strbuf *out, const char *key, struct str text)
{
    strbuf_printf(out, ",\"%s\":", key);
    report_json(text, out);
}

static int add_text(const char *text, size_t n, void *out)
{
    strbuf_add(out, text, n);
    return 0;
}

void view_dump(const json_t *value, struct strbuf *out)
{
    (void)json_dump_callback(value, add_text, out, JSON_COMPACT | JSON_ENCODE_ANY);
}

void view_add_json(struct view_docs *docs, const char *kind, const char *file, json_t *members)
{
    SCOPED_STRBUF out = {0};
    const char *key;
    json_t *value;
    view_field(&out, "file", str_of(file));
    json_object_foreach(members, key, value)
    {
        if (strcmp(key, "kind") != 0 && strcmp(key, "schema") != 0 && strcmp(key, "file") != 0) {
            strbuf_addc(&out, ',');
            report_json(str_of(key), &out);
            strbuf_addc(&out, ':');
            view_dump(value, &out);
        }
    }
    view_add(docs, kind, strbuf_str(&out));
}

static bool has(const json_t *json, const char *key)
{
    return json_object_get(json, key) != NULL;
}

/* A JSON document that is one of ours. */
static int read_json(struct view_docs *docs, const char *path, struct str text, json_t *json,
                     struct err *err)
{
    const char *kind = json_string_value(json_object_get(json, "kind"));
    if (kind != NULL && (strcmp(kind, "report") == 0 || strcmp(kind, "watch") == 0)) {
        view_add_json(docs, kind[0] == 'r' ? "report" : "watch", path, json);
        return 1;
    }
    if (has(json, "configurations") && has(json, "steps_max")) {
        view_add_json(docs, "rank", path, json);
        return 1;
    }
    if (has(json, "assay") && has(json, "verdict") && has(json, "spec")) {
        return view_read_check(docs, path, json);
    }
    if (json_is_array(json) || has(json, "states") || has(json, "counterexample")) {
        int status = view_read_trace(docs, path, text, json, err);
        if (status != 0) {
            return status;
        }
    }
    return view_read_findings(docs, path, json);
}

static int recognise(struct view_docs *docs, const char *path, struct str text, struct err *err)
{
    json_error_t wrong;
    size_t blank = 0;
    while (blank < text.n && strchr(" \t\r\n", text.p[blank]) != NULL) {
        blank++;
    }
    bool object = blank < text.n && (text.p[blank] == '{' || text.p[blank] == '[');
    json_t *json = object ? json_loadb(text.p, text.n, 0, &wrong) : NULL;
    int status = json != NULL ? read_json(docs, path, text, json, err) : 0;
    json_decref(json);
    status = status != 0 ? status : view_read_run(docs, path, text, err);
    status = status != 0 ? status : view_read_graph(docs, path, text, err);
    return status != 0 ? status : view_read_history(docs, path, text, err);
}

int view_read(struct view_docs *docs, const char *path, struct err *err)
{
    struct arena arena;
    struct stat st;
    struct str text;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        return view_read_run_dir(docs, path, err);
    }
    arena_init(&arena, 0);
    int status = file_read(&arena, path, FILE_MAX, &text, err);
    if (status == 0) {
        struct err why = {0};
        int known = recognise(docs, path, text, &why);
        if (known <= 0) {
            status = err_set(err, ERR_INVALID, 0,
                             "%s is nothing that assay writes: not a trace, the directory or the "
                             "events of a run, a history, a state graph, or what --json or "
                             "--report json has written%s%s",
                             path, known < 0 ? "; nearest: " : "", known < 0 ? why.text : "");
        }
    }
    arena_done(&arena);
    return status;
}
