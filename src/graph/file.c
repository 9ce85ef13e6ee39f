/* Graphs in files: a line that says what it is, the length and a hash of what follows, then the
 * graph as numbers and texts. A file is written beside its place and renamed, so it is there whole
 * or not at all; what is read is checked before it is believed. */
#include "base/file.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/pack.h"
#include "base/str.h"
#include "base/vec.h"
#include "graph/graph.h"
#include "graph/graph_int.h"

#define MAGIC   "assay graph "
#define VERSION "1\n"

static void put_numbers(struct strbuf *out, const uint32_t *v, size_t n)
{
    pack_bytes(out, v, n * sizeof *v);
}

int graph_write(const struct graph *g, const char *path, struct err *err)
{
    SCOPED_STRBUF out = {0};
    strbuf_adds(&out, MAGIC VERSION);
    size_t head = out.n;
    pack_u64(&out, 0);
    pack_u64(&out, 0);
    size_t body = out.n;
    pack_bytes(&out, g->spec.p, g->spec.n);
    pack_u64(&out, g->digest);
    pack_u64(&out, g->left.outside);
    pack_u64(&out, g->left.deeper);
    pack_u64(&out, g->left.sampled);
    pack_u64(&out, (uint64_t)g->left.stopped | (uint64_t)g->left.classes << 1);
    pack_u64(&out, g->n_actions);
    for (uint32_t i = 0; i < g->n_actions; i++) {
        pack_bytes(&out, g->actions[i].p, g->actions[i].n);
    }
    pack_u64(&out, g->n_labels);
    for (uint32_t i = 0; i < g->n_labels; i++) {
        pack_bytes(&out, g->labels[i].text.p, g->labels[i].text.n);
        pack_u64(&out, g->labels[i].action);
    }
    put_numbers(&out, g->initial, g->n_initial);
    put_numbers(&out, g->first, (size_t)g->n_states + 1);
    put_numbers(&out, g->to, g->n_edges);
    put_numbers(&out, g->label, g->n_edges);
    uint64_t length = out.n - body, hash = hash_bytes(out.p + body, out.n - body, 1);
    memcpy(out.p + head, &length, sizeof length);
    memcpy(out.p + head + sizeof length, &hash, sizeof hash);
    return file_write(path, strbuf_str(&out), err);
}

/* ---- reading ---- */

static uint32_t *get_numbers(struct unpack *in, size_t *ret_n)
{
    struct str bytes = unpack_bytes(in);
    size_t cap = 0;
    in->cut =
        in->cut || bytes.n % sizeof(uint32_t) != 0 || bytes.n / sizeof(uint32_t) >= GRAPH_NONE;
    size_t n = in->cut ? 0 : bytes.n / sizeof(uint32_t);
    uint32_t *v = vec_grow(NULL, &cap, n + 1, sizeof *v);
    if (n != 0) {
        memcpy(v, bytes.p, n * sizeof *v);
    }
    *ret_n = n;
    return v;
}

static void get_labels(struct unpack *in, struct graph *g)
{
    uint64_t n = unpack_u64(in);
    for (uint64_t i = 0; i < n && !in->cut; i++) {
        size_t before = g->n_actions;
        struct str name = unpack_bytes(in);
        in->cut = in->cut || graph_action(g, name) != before;
    }
    n = unpack_u64(in);
    size_t cap = 0;
    n = in->cut || n > in->rest.n / 16 ? 0 : n; /* each takes 16 bytes at least */
    g->labels = vec_grow(NULL, &cap, n + 1, sizeof *g->labels);
    for (uint64_t i = 0; i < n && !in->cut; i++) {
        struct str text = unpack_bytes(in);
        uint64_t action = unpack_u64(in);
        in->cut = in->cut || action >= g->n_actions;
        g->labels[g->n_labels++] = (struct graph_label){str_dup(g->arena, text), (uint32_t)action};
    }
}

/* Everything that the rest of the program counts on. */
static bool is_sound(const struct graph *g)
{
    uint32_t reached = g->n_initial;
    for (uint32_t i = 0; i < g->n_initial; i++) {
        if (g->initial[i] != i) {
            return false;
        }
    }
    if (g->n_initial > g->n_states || g->first[0] != 0 || g->first[g->n_states] != g->n_edges) {
        return false;
    }
    for (uint32_t s = 0; s < g->n_states; s++) {
        if (s >= reached || g->first[s] > g->first[s + 1] || g->first[s + 1] > g->n_edges) {
            return false;
        }
        for (uint32_t e = g->first[s]; e < g->first[s + 1]; e++) {
            if (g->to[e] > reached || g->to[e] >= g->n_states || g->label[e] >= g->n_labels) {
                return false;
            }
            reached += g->to[e] == reached ? 1 : 0;
        }
    }
    return reached == g->n_states;
}

static bool get_body(struct unpack *in, struct graph *g)
{
    size_t n_first = 0, n_label = 0, n_to = 0, n_initial = 0;
    g->spec = str_dup(g->arena, unpack_bytes(in));
    g->digest = unpack_u64(in);
    g->left.outside = unpack_u64(in);
    g->left.deeper = unpack_u64(in);
    g->left.sampled = unpack_u64(in);
    uint64_t flags = unpack_u64(in);
    g->left.stopped = (flags & 1) != 0;
    g->left.classes = (flags & 2) != 0;
    get_labels(in, g);
    g->initial = get_numbers(in, &n_initial);
    g->first = get_numbers(in, &n_first);
    g->to = get_numbers(in, &n_to);
    g->label = get_numbers(in, &n_label);
    if (in->cut || in->rest.n != 0 || n_first == 0 || n_to != n_label) {
        return false;
    }
    g->n_initial = (uint32_t)n_initial;
    g->n_states = (uint32_t)(n_first - 1);
    g->n_edges = (uint32_t)n_to;
    return is_sound(g);
}

static int read_text(struct str text, const char *path, struct graph **ret, struct err *err)
{
    size_t magic = strlen(MAGIC), version = strlen(VERSION);
    if (text.n < magic || memcmp(text.p, MAGIC, magic) != 0) {
        return err_set(err, ERR_INVALID, 0,
                       "%s is no graph: expected a file that `assay test --save-graph` wrote, or a "
                       "DOT file whose name ends in .dot",
                       path);
    }
    if (text.n >= magic + version && memcmp(text.p + magic, VERSION, version) != 0) {
        return err_set(err, ERR_INVALID, 0,
                       "%s was written by another version of assay: make the graph again", path);
    }
    struct unpack in = {
        .rest = {text.p + magic, text.n - magic}
    };
    in.rest = text.n >= magic + version
                  ? (struct str){text.p + magic + version, text.n - magic - version}
                  : (struct str){text.p, 0};
    uint64_t length = unpack_u64(&in), hash = unpack_u64(&in);
    if (in.cut || in.rest.n < length) {
        return err_set(err, ERR_CORRUPT, 0, "%s is cut off: it has %zu bytes of %" PRIu64, path,
                       text.n, length + magic + version + 2 * sizeof length);
    }
    struct graph *graph = graph_new();
    if (in.rest.n != length || hash_bytes(in.rest.p, in.rest.n, 1) != hash ||
        !get_body(&in, graph)) {
        graph_free(graph);
        return err_set(err, ERR_CORRUPT, 0, "%s is damaged: make the graph again", path);
    }
    *ret = graph;
    return 0;
}

int graph_read(const char *path, struct graph **ret, struct err *err)
{
    struct arena arena;
    struct str text;
    arena_init(&arena, 0);
    int status = file_read(&arena, path, SIZE_MAX / 2, &text, err);
    status = status != 0 ? status : read_text(text, path, ret, err);
    arena_done(&arena);
    return status;
}
