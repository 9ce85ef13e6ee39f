/* Collecting the behaviour graph.
 *
 * live_add only appends to a buffer of its worker:
 *   fp (2 words), edges << 1 | initial, label of stuttering, then for each edge: fp (2 words),
 * label. A full buffer is merged into the graph under merge_lock by its worker: fingerprints become
 * node numbers through one hash table, and the record becomes a block (live_int.h). So an edge
 * costs 4 bytes for the target and 1 or 2 for the label, and workers meet only once for some
 * hundred thousand edges. A worker that finds the lock taken goes on filling its buffer for a
 * while.
 *
 * The hash table holds node numbers only and compares through the array of fingerprints; the two
 * cache misses of a look-up are hidden by prefetching along the buffer.
 *
 * Labels repeat: there are as many as combinations of leaf values, which is few. Each worker keeps
 * its own copy of those it has met, so that label_lock is taken for new ones only. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/vec.h"
#include "check/live.h"
#include "check/live_int.h"

#ifdef ASSAY_TINY
enum { RAW_FULL = 64, RAW_LIMIT = 128, TABLE_MIN = 2 };
#else
enum { RAW_FULL = 1 << 20, RAW_LIMIT = 1 << 22, TABLE_MIN = 1 << 10 };
#endif
enum { RAW_HEAD = 4, RAW_EDGE = 3, AHEAD_SLOT = 24, AHEAD_NODE = 12 };

/* ---- dictionaries ---- */

void dict_init(struct dict *dict, uint32_t words)
{
    *dict = (struct dict){.words = words};
}

void dict_done(struct dict *dict)
{
    VEC_DONE(&dict->bits);
    VEC_DONE(&dict->index);
}

static uint64_t *dict_at(struct dict *dict, uint32_t number)
{
    return dict->bits.v + (size_t)number * dict->words;
}

static void dict_rehash(struct dict *dict)
{
    size_t size = dict->index.n ? dict->index.n * 2 : 64;
    VEC_RESERVE(&dict->index, size);
    dict->index.n = size;
    memset(dict->index.v, 0, size * sizeof *dict->index.v);
    for (uint32_t i = 0; i < dict->n; i++) {
        uint64_t at = hash_bytes(dict_at(dict, i), dict->words * sizeof(uint64_t), 0);
        while (dict->index.v[at &= size - 1]) {
            at++;
        }
        dict->index.v[at] = i + 1;
    }
}

uint32_t dict_put(struct dict *dict, const uint64_t *bits)
{
    if ((size_t)dict->n * 2 >= dict->index.n) {
        dict_rehash(dict);
    }
    size_t bytes = dict->words * sizeof *bits;
    uint64_t at = hash_bytes(bits, bytes, 0);
    for (;; at++) {
        at &= dict->index.n - 1;
        uint32_t slot = dict->index.v[at];
        if (!slot) {
            break;
        }
        if (memcmp(dict_at(dict, slot - 1), bits, bytes) == 0) {
            return slot - 1;
        }
    }
    for (uint32_t w = 0; w < dict->words; w++) {
        VEC_PUSH(&dict->bits, bits[w]);
    }
    dict->index.v[at] = ++dict->n;
    return dict->n - 1;
}

/* ---- life ---- */

int live_graph_init(struct live *live, struct err *err)
{
    big_init(&live->fps, &live->mem);
    big_init(&live->off, &live->mem);
    big_init(&live->blocks, &live->mem);
    big_init(&live->table, &live->mem);
    big_init(&live->reach, &live->mem);
    uint32_t words = live->state_words + live->action_words;
    words = words ? words : 1;
    dict_init(&live->labels, words);
    for (unsigned i = 0; i < live->nworker; i++) {
        dict_init(&live->workers[i].seen, words);
    }
    live->nword = 1;
    int rc = big_reserve(&live->blocks, sizeof(uint32_t), err);
    return rc == 0 ? live_graph_reserve_nodes(live, 1, err) : rc;
}

void live_graph_done(struct live *live)
{
    for (unsigned i = 0; i < live->nworker; i++) {
        VEC_DONE(&live->workers[i].raw);
        dict_done(&live->workers[i].seen);
        VEC_DONE(&live->workers[i].global);
        VEC_DONE(&live->workers[i].key);
    }
    big_done(&live->fps);
    big_done(&live->off);
    big_done(&live->blocks);
    big_done(&live->table);
    big_done(&live->reach);
    dict_done(&live->labels);
    VEC_DONE(&live->inits);
    VEC_DONE(&live->pairs);
}

void live_reset(struct live *live)
{
    for (unsigned i = 0; i < live->nworker; i++) {
        VEC_RESET(&live->workers[i].raw);
    }
    memset(live->off.p, 0, (size_t)live->nnode * sizeof(uint64_t));
    memset(live->table.p, 0, live->table_size * sizeof(uint32_t));
    live->nnode = 0;
    live->source = 0;
    live->nword = 1;
    VEC_RESET(&live->inits);
    live->failure = (struct err){0};
    live->version++;
    watch_reset(live);
    atomic_store_explicit(&live->ndone, 0, memory_order_relaxed);
    atomic_store_explicit(&live->nedge, 0, memory_order_relaxed);
    live->stored = false;
}

/* ---- adding ---- */

/* Number of the label (key: state bits then action bits) for all workers. */
static uint32_t label_of(struct live *live, struct live_worker *w, const uint64_t *action)
{
    bool same = w->key_known; /* as the one before: most steps are of few kinds */
    for (uint32_t i = 0; i < live->action_words; i++) {
        uint64_t valid = i + 1 == live->action_words ? live->action_last : UINT64_MAX;
        uint64_t *word = &w->key.v[live->state_words + i];
        same = same && *word == (action[i] & valid);
        *word = action[i] & valid;
    }
    if (same) {
        return w->key_label;
    }
    uint32_t mine = dict_put(&w->seen, w->key.v);
    if (mine == w->global.n) {
        pthread_mutex_lock(&live->label_lock);
        uint32_t number = dict_put(&live->labels, w->key.v);
        pthread_mutex_unlock(&live->label_lock);
        VEC_PUSH(&w->global, number);
    }
    w->key_known = true;
    w->key_label = w->global.v[mine];
    return w->key_label;
}

static int edge_cmp(const void *a, const void *b)
{
    return memcmp(a, b, RAW_EDGE * sizeof(uint32_t));
}

static inline bool edge_equal(const uint32_t *a, const uint32_t *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Drops repeated edges of the record that begins at `edges`. Few are compared pairwise, which keeps
 * their order; many are sorted. */
static size_t edges_unique(uint32_t *edges, size_t n)
{
    enum { FEW = 24 };
    if (n > FEW) {
        qsort(edges, n, RAW_EDGE * sizeof *edges, edge_cmp);
    }
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool again = false;
        size_t from = n > FEW && kept > 0 ? kept - 1 : 0;
        for (size_t j = from; j < kept && !again; j++) {
            again = edge_equal(edges + j * RAW_EDGE, edges + i * RAW_EDGE);
        }
        if (!again) {
            memmove(edges + kept * RAW_EDGE, edges + i * RAW_EDGE, RAW_EDGE * sizeof *edges);
            kept++;
        }
    }
    return kept;
}

static void worker_merge(struct live *live, struct live_worker *w);

/* NOLINTNEXTLINE(readability-function-size): a state has that many parts */
void live_add(struct live *live, unsigned worker, uint64_t fp, bool initial,
              const uint64_t *state_bits, const uint64_t *stutter_bits,
              const struct live_edge *edges, size_t nedge)
{
    ASSERT(worker < live->nworker);
    struct live_worker *w = &live->workers[worker];
    VEC_RESERVE(&w->key, (size_t)live->state_words + live->action_words + 1);
    for (uint32_t i = 0; i < live->state_words; i++) {
        uint64_t valid = i + 1 == live->state_words ? live->state_last : UINT64_MAX;
        w->key.v[i] = state_bits[i] & valid;
    }
    w->key.v[live->state_words + live->action_words] = 0; /* the key when there are no leaves */
    w->key_known = false;
    uint32_t stutter = label_of(live, w, stutter_bits);
    size_t start = w->raw.n;
    VEC_RESERVE(&w->raw, start + RAW_HEAD + nedge * RAW_EDGE);
    uint32_t *at = w->raw.v + start + RAW_HEAD;
    size_t n = 0;
    for (size_t i = 0; i < nedge; i++) {
        uint32_t label = label_of(live, w, edges[i].bits);
        if (edges[i].fp == fp && label == stutter) {
            continue; /* every state has that one */
        }
        at[n * RAW_EDGE] = (uint32_t)edges[i].fp;
        at[n * RAW_EDGE + 1] = (uint32_t)(edges[i].fp >> 32);
        at[n * RAW_EDGE + 2] = label;
        n++;
    }
    n = edges_unique(at, n);
    ASSERT(n < BLOCK_EDGES_MAX);
    uint32_t *head = w->raw.v + start;
    head[0] = (uint32_t)fp;
    head[1] = (uint32_t)(fp >> 32);
    head[2] = (uint32_t)n << 1 | initial;
    head[3] = stutter;
    w->raw.n = start + RAW_HEAD + n * RAW_EDGE;
    if (w->raw.n < RAW_FULL && !live->watches) {
        return;
    }
    if (w->raw.n >= RAW_LIMIT || live->watches) {
        pthread_mutex_lock(&live->merge_lock);
    } else if (pthread_mutex_trylock(&live->merge_lock) != 0) {
        return;
    }
    worker_merge(live, w);
    if (live->watches && !live->failure.code &&
        watch_node(live, live_graph_intern(live, fp), &live->failure) < 0) {
        ASSERT(live->failure.code); /* kept for the next call that can report it */
    }
    pthread_mutex_unlock(&live->merge_lock);
}

/* ---- merging; merge_lock is held, or no worker runs ---- */

static void table_fill(struct live *live)
{
    uint32_t *table = live->table.p;
    const uint64_t *fps = live->fps.p;
    uint64_t last = live->table_size - 1;
    for (uint32_t i = 0; i < live->nnode; i++) {
        uint64_t at = hash_mix(fps[i]);
        while (table[at &= last]) {
            at++;
        }
        table[at] = i + 1;
    }
}

/* Room for so many nodes more; the table stays at most 70% full. */
int live_graph_reserve_nodes(struct live *live, uint64_t more, struct err *err)
{
    uint64_t n = live->nnode + more;
    if (n >= UINT32_MAX - 1) {
        return err_set(err, ERR_LIMIT, 0, "the behaviour graph has more than 2^32 states");
    }
    int rc = big_reserve(&live->fps, n * sizeof(uint64_t), err);
    if (rc == 0) {
        rc = big_reserve(&live->off, n * sizeof(uint64_t), err);
    }
    uint64_t size = live->table_size ? live->table_size : TABLE_MIN;
    while (n * 10 > size * 7) {
        size *= 2;
    }
    if (rc == 0 && size != live->table_size) {
        /* A new table, not a grown one: the old contents are of no use. */
        big_done(&live->table);
        live->table_size = 0;
        rc = big_reserve(&live->table, size * sizeof(uint32_t), err);
        if (rc == 0) {
            live->table_size = size;
            table_fill(live);
        }
    }
    uint64_t room = live->table_size * 7 / 10;
    uint64_t listed = live->fps.cap < live->off.cap ? live->fps.cap : live->off.cap;
    live->room = listed / sizeof(uint64_t) < room ? listed / sizeof(uint64_t) : room;
    return rc;
}

uint32_t live_graph_intern(struct live *live, uint64_t fp)
{
    uint32_t *table = live->table.p;
    uint64_t *fps = live->fps.p;
    uint64_t last = live->table_size - 1;
    uint64_t at = hash_mix(fp) & last;
    while (table[at]) {
        if (fps[table[at] - 1] == fp) {
            return table[at] - 1;
        }
        at = (at + 1) & last;
    }
    fps[live->nnode] = fp;
    table[at] = ++live->nnode;
    return live->nnode - 1;
}

/* Walks the fingerprints of a buffer, those of states and of successors alike. */
struct raw_walk {
    const uint32_t *at, *end;
    uint32_t edges; /* left in the current record */
};

static bool raw_next(struct raw_walk *walk, uint64_t *ret_fp)
{
    if (walk->at >= walk->end) {
        return false;
    }
    *ret_fp = walk->at[0] | (uint64_t)walk->at[1] << 32;
    if (walk->edges) {
        walk->edges--;
        walk->at += RAW_EDGE;
    } else {
        walk->edges = walk->at[2] >> 1;
        walk->at += RAW_HEAD;
    }
    return true;
}

static void prefetch_slot(const struct live *live, struct raw_walk *walk)
{
    uint64_t fp = 0;
    if (raw_next(walk, &fp)) {
        const uint32_t *table = live->table.p;
        __builtin_prefetch(&table[hash_mix(fp) & (live->table_size - 1)], 1);
    }
}

static void prefetch_node(const struct live *live, struct raw_walk *walk)
{
    uint64_t fp = 0;
    if (raw_next(walk, &fp)) {
        const uint32_t *table = live->table.p;
        uint32_t slot = table[hash_mix(fp) & (live->table_size - 1)];
        if (slot) {
            const uint64_t *fps = live->fps.p;
            __builtin_prefetch(&fps[slot - 1]);
        }
    }
}

/* A state that was added before (in a simulation, say) keeps its edges too. Appends them; returns
 * how many there are now. */
static uint32_t pairs_join(const uint32_t *old, struct live_pair *pairs, uint32_t n)
{
    for (uint32_t e = 0; e < block_edges(old); e++) {
        struct live_pair pair = {block_target(old, e), block_label(old, e)};
        bool again = false;
        for (uint32_t i = 0; i < n && !again; i++) {
            again = pairs[i].target == pair.target && pairs[i].label == pair.label;
        }
        if (!again) {
            pairs[n++] = pair;
        }
    }
    return n;
}

/* Writes the block of a node; there is room for it. */
static void block_write(struct live *live, uint32_t node, bool initial, uint32_t stutter,
                        const struct live_pair *pairs, uint32_t n)
{
    uint32_t *block = (uint32_t *)live->blocks.p + live->nword;
    uint32_t top = 0;
    for (uint32_t i = 0; i < n; i++) {
        block[BLOCK_HEAD + i] = pairs[i].target;
        top |= pairs[i].label;
    }
    uint32_t width = top < 1 << 8 ? 0 : top < 1 << 16 ? 1 : 2;
    block[0] = node;
    block[1] = n << 3 | (uint32_t)initial << 2 | width;
    block[2] = stutter;
    uint64_t words = block_words(block);
    char *labels = (char *)(block + BLOCK_HEAD + n);
    memset(labels, 0, (size_t)(words - BLOCK_HEAD - n) * sizeof *block);
    for (uint32_t i = 0; i < n; i++) {
        switch (width) {
        case 0: labels[i] = (char)pairs[i].label; break;
        case 1: memcpy(labels + (size_t)i * 2, &(uint16_t){(uint16_t)pairs[i].label}, 2); break;
        default: memcpy(labels + (size_t)i * 4, &pairs[i].label, 4); break;
        }
    }
    ((uint64_t *)live->off.p)[node] = live->nword;
    live->nword += words;
}

/* Node of a state that was expanded. One worker expands states in the order in which it met them,
 * which is that of their numbers: no look at the table. */
static uint32_t source_node(struct live *live, uint64_t fp)
{
    uint32_t guess = live->source;
    bool right = guess < live->nnode && ((const uint64_t *)live->fps.p)[guess] == fp;
    uint32_t node = right ? guess : live_graph_intern(live, fp);
    live->source = node + 1;
    return node;
}

/* One record: its node, its successors, its block. */
static int record_merge(struct live *live, const uint32_t *raw, struct raw_walk *slots,
                        struct raw_walk *nodes, struct err *err)
{
    uint32_t n = raw[2] >> 1;
    bool initial = raw[2] & 1;
    if (live->nnode + (uint64_t)n + 1 > live->room) {
        int rc = live_graph_reserve_nodes(live, (uint64_t)n + 1, err);
        if (rc < 0) {
            return rc;
        }
    }
    uint32_t node = source_node(live, raw[0] | (uint64_t)raw[1] << 32);
    const uint32_t *old = live_block(live, node);
    uint32_t before = old ? block_edges(old) : 0;
    VEC_RESERVE(&live->pairs, (size_t)n + before + 1);
    struct live_pair *pairs = live->pairs.v;
    for (uint32_t e = 0; e < n; e++) {
        const uint32_t *edge = raw + RAW_HEAD + (size_t)e * RAW_EDGE;
        prefetch_slot(live, slots);
        prefetch_node(live, nodes);
        pairs[e].target = live_graph_intern(live, edge[0] | (uint64_t)edge[1] << 32);
        pairs[e].label = edge[2];
    }
    uint32_t all = old ? pairs_join(old, pairs, n) : n;
    uint64_t words = live->nword + BLOCK_HEAD + 2 * (uint64_t)all;
    int rc = big_reserve(&live->blocks, words * sizeof(uint32_t), err);
    if (rc == 0) {
        bool was_initial = old && block_initial((const uint32_t *)live->blocks.p +
                                                ((const uint64_t *)live->off.p)[node]);
        if (initial && !was_initial) {
            VEC_PUSH(&live->inits, node);
        }
        block_write(live, node, initial || was_initial, raw[3], pairs, all);
        atomic_fetch_add_explicit(&live->nedge, all - before, memory_order_relaxed);
        atomic_fetch_add_explicit(&live->ndone, old == NULL, memory_order_relaxed);
    }
    return rc;
}

static void worker_merge(struct live *live, struct live_worker *w)
{
    struct err *err = &live->failure;
    const uint32_t *raw = w->raw.v;
    const uint32_t *end = raw + w->raw.n;
    int rc = err->code ? -1 : 0;
    if (rc == 0 && w->raw.n > 0) {
        live->version++;
    }
    struct raw_walk slots = {.at = raw, .end = end};
    struct raw_walk nodes = {.at = raw, .end = end};
    for (int i = 0; rc == 0 && i < AHEAD_SLOT; i++) {
        prefetch_slot(live, &slots);
    }
    for (int i = 0; rc == 0 && i < AHEAD_NODE; i++) {
        prefetch_node(live, &nodes);
    }
    while (rc == 0 && raw < end) {
        prefetch_slot(live, &slots);
        prefetch_node(live, &nodes);
        rc = record_merge(live, raw, &slots, &nodes, err);
        raw += RAW_HEAD + (size_t)(raw[2] >> 1) * RAW_EDGE;
    }
    mem_trim(&live->mem);
    VEC_RESET(&w->raw);
}

int live_graph_merge(struct live *live, struct err *err)
{
    pthread_mutex_lock(&live->merge_lock);
    for (unsigned i = 0; i < live->nworker; i++) {
        worker_merge(live, &live->workers[i]);
    }
    int rc = 0;
    if (live->failure.code) {
        *err = live->failure;
        rc = -(int)live->failure.code;
    }
    pthread_mutex_unlock(&live->merge_lock);
    return rc;
}

/* ---- statistics ---- */

uint64_t live_states(const struct live *live)
{
    return atomic_load_explicit(&live->ndone, memory_order_relaxed);
}

uint64_t live_edges(const struct live *live)
{
    return atomic_load_explicit(&live->nedge, memory_order_relaxed);
}

uint64_t live_memory(const struct live *live)
{
    return atomic_load_explicit(&live->mem.used, memory_order_relaxed) +
           (uint64_t)live->nworker * RAW_FULL * sizeof(uint32_t);
}
