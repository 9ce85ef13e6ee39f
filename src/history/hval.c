/* Values of histories. Each is kept once, so that comparing two is comparing numbers; states of
 * objects are such values, too. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "history/history_int.h"

static uint64_t node_hash(const struct hval_node *node)
{
    uint64_t h = hash_mix((uint64_t)node->kind + 1);
    switch (node->kind) {
    case HVAL_KIND_NIL: return h;
    case HVAL_KIND_BOOL:
    case HVAL_KIND_INT: return hash_combine(h, (uint64_t)node->i);
    case HVAL_KIND_TEXT: return hash_combine(h, hash_bytes(node->text, node->n, 0));
    case HVAL_KIND_LIST:
    case HVAL_KIND_MAP:
        return hash_combine(h, hash_bytes(node->items, node->n * sizeof node->items[0], node->n));
    }
    UNREACHABLE();
}

static bool node_eq(const struct hval_node *a, const struct hval_node *b)
{
    if (a->hash != b->hash || a->kind != b->kind || a->n != b->n) {
        return false;
    }
    switch (a->kind) {
    case HVAL_KIND_NIL: return true;
    case HVAL_KIND_BOOL:
    case HVAL_KIND_INT: return a->i == b->i;
    case HVAL_KIND_TEXT: return a->n == 0 || memcmp(a->text, b->text, a->n) == 0;
    case HVAL_KIND_LIST:
    case HVAL_KIND_MAP:
        return a->n == 0 || memcmp(a->items, b->items, a->n * sizeof a->items[0]) == 0;
    }
    UNREACHABLE();
}

static void index_grow(struct hvals *vals)
{
    vec_release(vals->index);
    vals->index = NULL;
    size_t cap = 0;
    vals->index = vec_grow(NULL, &cap, vals->index_cap == 0 ? 1024 : vals->index_cap * 2,
                           sizeof *vals->index);
    vals->index_cap = vals->index_cap == 0 ? 1024 : vals->index_cap * 2;
    memset(vals->index, 0, vals->index_cap * sizeof *vals->index);
    for (size_t i = 0; i < vals->nodes.n; i++) {
        size_t at = vals->nodes.v[i].hash & (vals->index_cap - 1);
        while (vals->index[at] != 0) {
            at = (at + 1) & (vals->index_cap - 1);
        }
        vals->index[at] = (uint32_t)i + 1;
    }
}

/* The value's number; its text or items are copied to the arena when it is new. */
static struct hval intern(struct hvals *vals, struct hval_node node)
{
    node.hash = node_hash(&node);
    size_t at = node.hash & (vals->index_cap - 1);
    for (; vals->index[at] != 0; at = (at + 1) & (vals->index_cap - 1)) {
        if (node_eq(&vals->nodes.v[vals->index[at] - 1], &node)) {
            return (struct hval){vals->index[at] - 1};
        }
    }
    if (node.kind == HVAL_KIND_TEXT) {
        node.text = arena_strndup(vals->arena, node.text, node.n);
    } else if (node.n > 0 && (node.kind == HVAL_KIND_LIST || node.kind == HVAL_KIND_MAP)) {
        struct hval *items = ARENA_ARRAY(vals->arena, struct hval, node.n);
        memcpy(items, node.items, node.n * sizeof items[0]);
        node.items = items;
    }
    ASSERT(vals->nodes.n < UINT32_MAX - 1);
    VEC_PUSH(&vals->nodes, node);
    vals->index[at] = (uint32_t)vals->nodes.n;
    struct hval made = {(uint32_t)vals->nodes.n - 1};
    if (vals->nodes.n * 2 > vals->index_cap) {
        index_grow(vals);
    }
    return made;
}

void hvals_init(struct hvals *vals, struct arena *arena)
{
    *vals = (struct hvals){.arena = arena};
    index_grow(vals);
    struct hval nil = intern(vals, (struct hval_node){.kind = HVAL_KIND_NIL});
    ASSERT(nil.id == 0);
}

void hvals_done(struct hvals *vals)
{
    VEC_DONE(&vals->nodes);
    vec_release(vals->index);
    vals->index = NULL;
}

struct hval hval_bool(struct hvals *vals, bool b)
{
    return intern(vals, (struct hval_node){.kind = HVAL_KIND_BOOL, .i = b});
}

struct hval hval_int(struct hvals *vals, int64_t i)
{
    return intern(vals, (struct hval_node){.kind = HVAL_KIND_INT, .i = i});
}

struct hval hval_text(struct hvals *vals, struct str text)
{
    ASSERT(text.n < UINT32_MAX);
    return intern(
        vals, (struct hval_node){.kind = HVAL_KIND_TEXT, .n = (uint32_t)text.n, .text = text.p});
}

struct hval hval_list(struct hvals *vals, const struct hval *items, size_t n)
{
    ASSERT(n < UINT32_MAX);
    return intern(vals,
                  (struct hval_node){.kind = HVAL_KIND_LIST, .n = (uint32_t)n, .items = items});
}

int hval_by_id(const void *a, const void *b)
{
    uint32_t x = ((const struct hval *)a)->id;
    uint32_t y = ((const struct hval *)b)->id;
    return x < y ? -1 : x > y;
}

bool hval_map(struct hvals *vals, struct hval *items, size_t n, struct hval *ret)
{
    ASSERT(n % 2 == 0 && n < UINT32_MAX);
    qsort(items, n / 2, 2 * sizeof items[0], hval_by_id);
    for (size_t i = 2; i < n; i += 2) {
        if (hval_eq(items[i - 2], items[i])) {
            return false;
        }
    }
    *ret =
        intern(vals, (struct hval_node){.kind = HVAL_KIND_MAP, .n = (uint32_t)n, .items = items});
    return true;
}

const struct hval_node *hval_at(const struct hvals *vals, struct hval v)
{
    ASSERT(v.id < vals->nodes.n);
    return &vals->nodes.v[v.id];
}

bool hval_is_text(const struct hvals *vals, struct hval v, const char *text)
{
    const struct hval_node *node = hval_at(vals, v);
    return node->kind == HVAL_KIND_TEXT && str_is((struct str){node->text, node->n}, text);
}

/* A text as it could stand in a JSON file, but for bytes above 127. */
static void print_text(const struct hval_node *node, struct strbuf *out)
{
    strbuf_addc(out, '"');
    for (uint32_t i = 0; i < node->n; i++) {
        unsigned char c = (unsigned char)node->text[i];
        if (c == '"' || c == '\\') {
            strbuf_addc(out, '\\');
        }
        if (c < ' ' || c == 127) {
            strbuf_printf(out, "\\u%04x", c);
        } else {
            strbuf_addc(out, (char)c);
        }
    }
    strbuf_addc(out, '"');
}

static void print_items(const struct hvals *vals, const struct hval_node *node, struct strbuf *out)
{
    bool map = node->kind == HVAL_KIND_MAP;
    strbuf_addc(out, map ? '{' : '[');
    for (uint32_t i = 0; i < node->n; i++) {
        strbuf_adds(out, i == 0 ? "" : map && i % 2 == 1 ? ": " : ", ");
        hval_print(vals, node->items[i], out);
    }
    strbuf_addc(out, map ? '}' : ']');
}

void hval_print(const struct hvals *vals, struct hval v, struct strbuf *out)
{
    const struct hval_node *node = hval_at(vals, v);
    switch (node->kind) {
    case HVAL_KIND_NIL: strbuf_adds(out, "nil"); return;
    case HVAL_KIND_BOOL: strbuf_adds(out, node->i != 0 ? "true" : "false"); return;
    case HVAL_KIND_INT: strbuf_printf(out, "%lld", (long long)node->i); return;
    case HVAL_KIND_TEXT: print_text(node, out); return;
    case HVAL_KIND_LIST:
    case HVAL_KIND_MAP: print_items(vals, node, out); return;
    }
    UNREACHABLE();
}
