/* Messages of a run, decoded: events.jsonl has the bytes of every packet; a message that came in
 * parts is put together again. */
#include "browse/messages.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "decode/decode.h"
#include "drive/bridge.h"
#include "eval/eval.h"
#include "model/model.h"
#include "report/report.h"
#include "run/cluster.h"
#include "value/value.h"
#include "view/view.h"

enum { TEXT_MAX = 512 << 20, BATCH = 20000, SHOWN = 4000 };

struct part { /* of a message that goes on */
    uint64_t conn;
    struct str from;
    struct strbuf bytes;
};

struct reading {
    struct bridge *bridge;
    struct decode *decode;
    struct mworker *worker;
    struct arena arena; /* of the nodes; as old as the worker */
    struct decode_nodes nodes;
    size_t decoded; /* by this worker */
    struct strbuf *out;
    VEC(struct part) parts;
    struct err *err;
};

/* ---- a worker, and what decodes with it ---- */

static void stop(struct reading *r)
{
    decode_free(r->decode);
    if (r->worker != NULL) {
        r->bridge->spec.model->ops->worker_free(r->worker);
    }
    arena_done(&r->arena);
    r->decode = NULL;
    r->worker = NULL;
}

/* Values live as long as a worker: after many messages there is another one. */
static int start(struct reading *r)
{
    struct model *model = r->bridge->spec.model;
    stop(r);
    arena_init(&r->arena, 0);
    r->decoded = 0;
    int status = model->ops->worker_new(model, 0, 0, &r->worker, r->err);
    status = status != 0 ? status
                         : decode_nodes_find(r->bridge->map, &r->bridge->cluster, r->worker,
                                             &r->arena, &r->nodes, r->err);
    if (status != 0) {
        return status;
    }
    struct decode_node *names = ARENA_ARRAY(&r->arena, struct decode_node, r->nodes.n + 1);
    for (size_t i = 0; i < r->nodes.n; i++) {
        names[i] = (struct decode_node){r->nodes.v[i].name, r->nodes.v[i].value};
    }
    struct decode_options options = {.map = r->bridge->map,
                                     .worker = r->worker,
                                     .nodes = names,
                                     .n_nodes = r->nodes.n,
                                     .node_list = r->nodes.list};
    return decode_new(&options, &r->decode, r->err);
}

static struct val node_value(const struct reading *r, struct str name)
{
    for (size_t i = 0; i < r->nodes.n; i++) {
        if (str_is(name, r->nodes.v[i].name)) {
            return r->nodes.v[i].value;
        }
    }
    return VAL_UNDEF;
}

struct printing {
    struct val v;
    struct strbuf *out;
};

static void run_print(struct vctx *ctx, void *arg)
{
    struct printing *p = arg;
    struct str text = str_of(val_line(ctx, p->v));
    text.n = text.n < SHOWN ? text.n : SHOWN;
    report_json(text, p->out);
}

/* ---- packets ---- */

static struct str member(const json_t *json, const char *key)
{
    const json_t *value = json_object_get(json, key);
    return json_is_string(value) ? (struct str){json_string_value(value), json_string_length(value)}
                                 : STR("");
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* false: these are not all bytes of the packet. */
static bool unhex(const json_t *json, struct strbuf *out)
{
    struct str hex = member(json, "hex");
    for (size_t i = 0; i + 1 < hex.n; i += 2) {
        int high = digit(hex.p[i]), low = digit(hex.p[i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        strbuf_addc(out, (char)(high * 16 + low));
    }
    return json_integer_value(json_object_get(json, "bytes")) == (json_int_t)(hex.n / 2);
}

static struct part *part_of(struct reading *r, const json_t *json)
{
    uint64_t conn = (uint64_t)json_integer_value(json_object_get(json, "conn"));
    struct str from = member(json, "from");
    for (size_t i = 0; i < r->parts.n; i++) {
        if (r->parts.v[i].conn == conn && str_eq(r->parts.v[i].from, from)) {
            return &r->parts.v[i];
        }
    }
    const char *name = arena_strndup(&r->bridge->spec.arena, from.p, from.n);
    VEC_PUSH(&r->parts, ((struct part){
                            .conn = conn, .from = {name, from.n}
    }));
    return &r->parts.v[r->parts.n - 1];
}

static int decode_packet(struct reading *r, const json_t *json, struct str bytes, size_t row)
{
    SCOPED_STRBUF why = {0};
    const json_t *ports = json_object_get(json, "ports");
    struct decode_message about = {
        .src_port = (uint16_t)json_integer_value(json_array_get(ports, 0)),
        .dst_port = (uint16_t)json_integer_value(json_array_get(ports, 1)),
        .src = node_value(r, member(json, "from")),
        .dst = node_value(r, member(json, "to")),
        .inputs = true};
    struct printing p = {.out = r->out};
    size_t table = 0;
    int status = decode_bytes(r->decode, &about, bytes, &p.v, &table, &why, r->err);
    if (status == 0) {
        strbuf_printf(r->out, "%s[%zu,", r->out->p[r->out->n - 1] != '[' ? ",\n" : "", row);
        if (model_with_values(r->worker, run_print, &p) != MODEL_OK) {
            strbuf_adds(r->out, "\"(cannot be shown)\"");
        }
        strbuf_addc(r->out, ']');
    }
    r->decoded++;
    return status < 0 ? status : 0;
}

static int one_row(struct reading *r, const json_t *json, size_t row)
{
    struct str what = member(json, "what"), event = member(json, "event");
    bool data = str_is(what, "DATA") || str_is(what, "UDP");
    if (!data || event.n < 4 || memcmp(event.p, "drop", 4) == 0) {
        return 0;
    }
    struct part *part = part_of(r, json);
    bool whole = unhex(json, &part->bytes);
    if (json_is_true(json_object_get(json, "part"))) {
        return 0;
    }
    int status = r->decoded < BATCH ? 0 : start(r);
    if (status == 0 && whole) {
        status = decode_packet(r, json, strbuf_str(&part->bytes), row);
    }
    strbuf_reset(&part->bytes);
    return status;
}

static int all_rows(struct reading *r, struct str text)
{
    int status = 0;
    for (size_t row = 0; status == 0 && text.n != 0; row++) {
        const char *end = memchr(text.p, '\n', text.n);
        size_t n = end != NULL ? (size_t)(end - text.p) + 1 : text.n;
        json_error_t wrong;
        json_t *json = json_loadb(text.p, n, 0, &wrong);
        status = json != NULL ? one_row(r, json, row) : 0;
        json_decref(json);
        text = (struct str){text.p + n, text.n - n};
    }
    return status;
}

int browse_messages(struct bridge *bridge, const char *path, size_t of, struct view_docs *docs,
                    struct err *err)
{
    struct arena arena;
    struct stat st;
    struct str text;
    SCOPED_STRBUF out = {0};
    struct reading r = {.bridge = bridge, .out = &out, .err = err};
    arena_init(&arena, 0);
    const char *file = stat(path, &st) == 0 && S_ISDIR(st.st_mode)
                           ? path_join(&arena, path, "events.jsonl")
                           : path;
    int status = file_read(&arena, file, TEXT_MAX, &text, err);
    if (status == 0) {
        strbuf_printf(&out, ",\"of\":%zu,\"texts\":[", of);
        status = start(&r);
        status = status != 0 ? status : all_rows(&r, text);
        strbuf_addc(&out, ']');
    }
    if (status == 0) {
        view_add(docs, "messages", strbuf_str(&out));
    }
    for (size_t i = 0; i < r.parts.n; i++) {
        strbuf_done(&r.parts.v[i].bytes);
    }
    VEC_DONE(&r.parts);
    stop(&r);
    arena_done(&arena);
    return status;
}
