/* The hash of a state.
 *
 * The simulated side: a walk through the heap from the world on, in which a pointer counts as the
 * number of the block that it leads to, by order of the walk. So where blocks lie makes no
 * difference, and whatever a new kind of object holds counts without further ado. A few kinds
 * (heap.h) have fields that count what has happened, or belong to the machine: of these a copy
 * counts, in which such fields are zero or say what they mean. Contents of files have a hash in
 * every page, which writing clears.
 *
 * The real side: image.c, and registers of threads beside those in the heap. It is computed anew
 * only for nodes that have run.
 *
 * The hash may tell apart what a program could not, such as buffers of different sizes; it must
 * never be the other way round. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "tracee/tracee.h"
#include "world/copies.h"
#include "world/heap.h"
#include "world/image.h"
#include "world/socket.h"
#include "world/world.h"
#include "world/world_int.h"

/* The program itself: what is constant in it is found relative to its beginning. */
/* This program, or this library: the linker calls them so. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
extern const char _end[] __attribute__((visibility("hidden")));

enum { TABLE_LEAST = 1024, IDLE_MOST = 256 };

struct seen { /* a table of blocks: address -> number, 0 = free */
    uint64_t addr;
    uint32_t number;
};
struct walk {
    struct world *w;
    struct state_mode mode;
    bool full;
    uint64_t h;
    struct seen *table;
    size_t cap;                  /* a power of two */
    VEC(const uint8_t *) blocks; /* by number; those from `next` on have not been looked at */
    size_t next;
};

/* ---- the walk ---- */

static void count(struct walk *k, uint64_t v)
{
    k->h = hash_combine(k->h, v);
}

static struct seen *slot_of(struct seen *table, size_t cap, uint64_t addr)
{
    size_t i = hash_mix(addr) & (cap - 1);
    while (table[i].number != 0 && table[i].addr != addr) {
        i = (i + 1) & (cap - 1);
    }
    return &table[i];
}

static void table_grow(struct walk *k)
{
    size_t cap = k->cap == 0 ? TABLE_LEAST : k->cap * 4, unused = 0;
    struct seen *table = vec_grow(NULL, &unused, cap, sizeof *table);
    memset(table, 0, cap * sizeof *table);
    for (size_t i = 0; i < k->cap; i++) {
        if (k->table[i].number != 0) {
            *slot_of(table, cap, k->table[i].addr) = k->table[i];
        }
    }
    vec_release(k->table);
    k->table = table;
    k->cap = cap;
}

/* The number of a block; a new one will be looked at. */
static uint32_t visit(struct walk *k, const void *block)
{
    if (k->blocks.n * 2 >= k->cap) {
        table_grow(k);
    }
    struct seen *s = slot_of(k->table, k->cap, (uintptr_t)block);
    if (s->number == 0) {
        VEC_PUSH(&k->blocks, (const uint8_t *)block);
        *s = (struct seen){(uintptr_t)block, (uint32_t)k->blocks.n};
    }
    return s->number;
}

static bool was_visited(const struct walk *k, const void *block)
{
    return k->cap != 0 && slot_of(k->table, k->cap, (uintptr_t)block)->number != 0;
}

static uint64_t page_sum(const struct walk *k, struct page *page)
{
    if (page->sum == 0 || k->full) {
        page->sum = hash_bytes(page->bytes, PAGE, 1) | 1;
    }
    return page->sum;
}

static void count_word(struct walk *k, uint64_t word)
{
    enum heap_kind kind = HEAP_ANY;
    uint64_t base = (uintptr_t)__ehdr_start;
    if (word < 4096) {
        count(k, word);
    } else if (heap_find(k->w->heap, word, &kind)) {
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): a block begins there */
        void *block = (void *)(uintptr_t)word;
        count(k, kind == HEAP_PAGE ? page_sum(k, block) : UINT64_C(1) << 62 | visit(k, block));
    } else if (word >= base && word < (uintptr_t)_end) {
        count(k, word - base);
    } else {
        count(k, state_word(k->mode, word));
    }
}

/* Zeros at the end make no difference: blocks may be larger than they need to. */
static void count_words(struct walk *k, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    while (n != 0 && p[n - 1] == 0) {
        n--;
    }
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = 0;
        memcpy(&word, p + i, n - i < 8 ? n - i : 8);
        count_word(k, word);
    }
    count(k, n);
}

static void count_bytes(struct walk *k, struct bytes *b)
{
    if (b->n != 0) {
        k->h = hash_bytes(b->p + b->head, b->n, k->h);
    }
    count(k, b->n);
    *b = (struct bytes){0};
}

/* ---- kinds with fields that do not count as they are ---- */

static void count_world(struct walk *k, const struct world *from)
{
    struct world w = *from;
    w.heap = NULL;
    w.engine = NULL;
    w.hash = w.stints = w.busy = w.next_block = w.next_thread = w.file_bytes = 0;
    w.counts = (struct world_counts){0};
    w.threads = w.threads_tail = NULL; /* by node */
    w.datagrams = w.datagrams_tail = NULL;
    w.conns = w.conns_tail = NULL;
    w.net.messages = NULL; /* as described */
    w.clock_node = NULL;
    w.now_ns = from->local_clocks ? 0 : from->now_ns;
    if (from->ahead.t == NULL) {
        w.ahead = (struct ahead){0};
    }
    if (k->mode.no_clocks) {
        w.rng = w.sched_rng = (struct rng){0};
        w.sent = NULL;
        w.next_id = w.next_mm = w.next_packet = 0;
    }
    count_words(k, &w, sizeof w);
}

static void count_node(struct walk *k, const struct node *from)
{
    struct node node = *from;
    node.turns = node.runs = node.writes = node.log_bytes = node.calls_hash = 0;
    node.log_fd = 0;
    memset(&node.shared, 0, sizeof node.shared);
    node.now_ns = k->w->local_clocks ? node_now(k->w, from) : 0;
    if (k->mode.no_clocks) {
        node.next_file = node.choices = 0;
    }
    count_words(k, &node, sizeof node);
    const struct tracee_page *page = from->shared.page;
    count(k, k->mode.no_clocks ? 0 : page->spin);
}

static void count_proc(struct walk *k, const struct proc *from)
{
    struct proc p = *from;
    p.real = 0;
    if (k->mode.no_clocks) {
        p.utime_ns = p.children_ns = 0;
    }
    count_words(k, &p, sizeof p);
}

/* Among the threads of its node that wait: how many began before. */
static uint64_t block_rank(const struct world *w, const struct thread *t)
{
    uint64_t rank = 1;
    for (const struct thread *o = w->threads; o != NULL; o = o->next) {
        rank += o->proc->node == t->proc->node && o->block_order < t->block_order ? 1 : 0;
    }
    return rank;
}

static void count_thread(struct walk *k, const struct thread *from)
{
    struct thread t = *from;
    t.next = t.run_next = NULL;
    t.real = 0;
    t.id = t.spin_runs = 0;
    t.block_order = block_rank(k->w, from);
    if (k->mode.no_clocks) {
        t.utime_ns = t.charged_ns = t.turn_ns = t.owed_ns = t.futex_mm = 0;
    }
    count_words(k, &t, sizeof t);
}

static void count_mm(struct walk *k, const struct mm *from)
{
    struct mm mm = *from;
    mm.calls = 0;
    mm.id = k->mode.no_clocks ? 0 : mm.id;
    count_words(k, &mm, sizeof mm);
}

static void count_socket(struct walk *k, const struct sock *from)
{
    struct sock s = *from;
    count_bytes(k, &s.rx);
    s.f.id = k->mode.no_clocks ? 0 : s.f.id;
    s.f.seq_in = s.f.seq_out = 0;
    count_words(k, &s, sizeof s);
}

static void count_file(struct walk *k, const struct file *from)
{
    if (from->ops == &sock_ops) {
        const void *sock = from;
        count_socket(k, sock);
        return;
    }
    struct file f = *from;
    size_t rest = sizeof f;
    f.id = k->mode.no_clocks ? 0 : f.id;
    f.seq_in = f.seq_out = 0;
    f.next_dying = NULL;
    count_words(k, &f, sizeof f);
    if (from->ops == &hfile_ops) {
        rest = heap_size(from); /* the path says which it is */
    }
    const uint8_t *bytes = (const void *)from;
    count_words(k, bytes + rest, heap_size(from) - rest);
}

static void count_watch(struct walk *k, const void *from)
{
    uint64_t at[2];
    size_t offset[2], size = heap_size(from);
    uint8_t copy[256];
    size = size < sizeof copy ? size : sizeof copy;
    memcpy(copy, from, size);
    epoll_watch_state(from, at, offset);
    memcpy(copy + offset[0], &at[0], 8);
    memcpy(copy + offset[1], &at[1], 8);
    count_words(k, copy, size);
}

/* A file that lives in memory of the machine, since programs have mapped it. */
static void count_memfd(struct walk *k, int fd)
{
    struct stat st;
    uint8_t bytes[65536];
    if (fstat(fd, &st) != 0) {
        return;
    }
    count(k, (uint64_t)st.st_size);
    for (off_t off = lseek(fd, 0, SEEK_DATA); off >= 0 && off < st.st_size;
         off = lseek(fd, off, SEEK_DATA)) {
        off -= off % PAGE;
        ssize_t n = pread(fd, bytes, sizeof bytes, off);
        if (n <= 0) {
            return;
        }
        for (size_t i = 0; i < (size_t)n; i += PAGE) {
            size_t part = (size_t)n - i < PAGE ? (size_t)n - i : PAGE;
            bool zero = bytes[i] == 0 && memcmp(bytes + i, bytes + i + 1, part - 1) == 0;
            if (!zero) {
                count(k, (uint64_t)off + i);
                k->h = hash_bytes(bytes + i, part, k->h);
            }
        }
        off += n;
    }
}

static void count_inode(struct walk *k, const struct inode *from)
{
    struct inode inode = *from;
    inode.memfd = from->memfd >= 0 ? 0 : -1;
    inode.memfd_ino = 0;
    inode.loss = (struct loss){0};
    count_words(k, &inode, sizeof inode);
    if (from->memfd >= 0) {
        count_memfd(k, from->memfd);
    }
}

static void count_packet(struct walk *k, const struct packet *from)
{
    struct packet p = *from;
    if (p.conn == NULL) {
        p.next = NULL; /* of a list without an order that counts */
    } else if (k->w->independent) {
        p.read = from->conn->chan[1 - from->side].read - from->read;
    }
    if (k->mode.no_clocks) {
        p.id = p.nth = 0;
    }
    count_words(k, &p, sizeof p);
    k->h = hash_bytes(from->bytes, from->n, k->h);
}

static void count_conn(struct walk *k, const struct conn *from)
{
    struct conn c = *from;
    c.next = NULL;
    c.message = NULL; /* its address says which */
    for (int i = 0; i < 2; i++) {
        struct chan *chan = &c.chan[i];
        chan->sent -= chan->known;
        chan->read -= chan->known;
        chan->told -= chan->known;
        chan->known = 0;
        count_bytes(k, &chan->held);
        if (k->mode.no_clocks) {
            chan->messages = 0;
        }
    }
    c.id = k->mode.no_clocks ? 0 : c.id;
    count_words(k, &c, sizeof c);
}

static void count_block(struct walk *k, const void *block)
{
    enum heap_kind kind = HEAP_ANY;
    (void)heap_find(k->w->heap, (uintptr_t)block, &kind);
    count(k, kind);
    switch (kind) {
    case HEAP_WORLD: count_world(k, block); return;
    case HEAP_NODE: count_node(k, block); return;
    case HEAP_PROC: count_proc(k, block); return;
    case HEAP_THREAD: count_thread(k, block); return;
    case HEAP_MM: count_mm(k, block); return;
    case HEAP_FILE: count_file(k, block); return;
    case HEAP_WATCH: count_watch(k, block); return;
    case HEAP_INODE: count_inode(k, block); return;
    case HEAP_PACKET: count_packet(k, block); return;
    case HEAP_CONN: count_conn(k, block); return;
    case HEAP_PAGE:
    case HEAP_ANY:
    case HEAP_KINDS: break;
    }
    count_words(k, block, heap_size(block));
}

static void walk_on(struct walk *k)
{
    while (k->next < k->blocks.n) {
        count_block(k, k->blocks.v[k->next++]);
    }
}

/* Datagrams in an order that does not depend on when they were sent. */
static void walk_datagrams(struct walk *k)
{
    uint64_t last = 0;
    for (bool first = true;; first = false) {
        const struct packet *next = NULL;
        for (const struct packet *p = k->w->datagrams; p != NULL; p = p->next) {
            if ((first || p->id > last) && (next == NULL || p->id < next->id)) {
                next = p;
            }
        }
        if (next == NULL) {
            return;
        }
        last = next->id;
        (void)visit(k, next);
        walk_on(k);
    }
}

static uint64_t heap_hash(struct world *w, struct state_mode mode, bool full)
{
    struct walk k = {.w = w, .mode = mode, .full = full, .h = 1};
    (void)visit(&k, w);
    walk_on(&k);
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        for (const struct thread *t = w->threads; t != NULL; t = t->next) {
            if (t->state != THREAD_DEAD && t->proc->node == w->nodes[i]) {
                (void)visit(&k, t);
                walk_on(&k);
            }
        }
    }
    walk_datagrams(&k);
    for (const struct conn *c = w->conns; c != NULL; c = c->next) {
        if (!was_visited(&k, c)) { /* both ends are closed, packets are on their way */
            (void)visit(&k, c);
            walk_on(&k);
        }
    }
    vec_release(k.table);
    VEC_DONE(&k.blocks);
    return k.h;
}

/* ---- the real side ---- */

static int image_failed(const struct proc *p, int status, struct err *err)
{
    return err_set(err, ERR_IO, -status, "reading the memory of process %s of node %s", p->comm,
                   p->node->name);
}

static uint64_t registers_hash(const struct world *w, const struct proc *p)
{
    uint64_t h = 1;
    uint8_t xstate[TRACEE_XSTATE_BYTES];
    for (const struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state != THREAD_DEAD && t->proc == p) {
            uint64_t mask = 0;
            size_t n = tracee_xstate_plain(t->real, xstate);
            (void)tracee_sigmask_get(t->real, &mask);
            h = hash_combine(hash_bytes(xstate, n, h), mask);
        }
    }
    return h;
}

/* The images of a node's processes, from those of its copy. */
static int update_images(struct live_node *live, struct state_mode mode, size_t *ret_idle,
                         struct err *err)
{
    struct node_copy *base = live->base;
    for (size_t i = 0; i < live->procs.n; i++) {
        struct live_proc *p = &live->procs.v[i];
        struct copied_proc *c = &base->procs.v[i];
        SCOPED_STRBUF maps = {0};
        size_t idle = 0;
        int status = 0;
        if (!c->image.known || !state_mode_same(c->image.mode, mode)) {
            status = image_update(&c->image, base->threads.v[c->first].real, &p->maps, mode, &idle);
        }
        if (!p->image.known || !state_mode_same(p->image.mode, mode)) {
            image_copy(&p->image, &c->image);
        }
        status = status != 0 || image_maps(p->real, &maps) ? status : -1;
        status = status != 0 ? status : image_update(&p->image, p->real, &maps, mode, &idle);
        if (status != 0) {
            return image_failed(c->proc, status, err);
        }
        *ret_idle += idle;
    }
    return 0;
}

/* The sum of a process's memory. */
static int memory_sum(struct live_node *live, const struct proc *p, size_t nth,
                      struct state_mode mode, uint64_t *ret, struct err *err)
{
    SCOPED_STRBUF maps = {0};
    int status = image_maps(p->real, &maps) ? 0 : -1;
    if (live != NULL) {
        *ret = live->procs.v[nth].image.sum;
    } else {
        status = status != 0 ? status : image_full(p->real, &maps, mode, ret);
    }
    *ret = hash_combine(*ret, image_maps_hash(&maps));
    return status == 0 ? 0 : image_failed(p, status, err);
}

/* The slow way goes without copies and without what is known of pages. */
static int compute(struct world *w, struct node *node, struct state_mode mode, bool full,
                   uint64_t *ret, struct err *err)
{
    struct live_node *live = full ? NULL : &w->engine->lives[node->index];
    size_t nth = 0;
    int status = 0;
    *ret = 1;
    for (const struct proc *p = node->procs; status == 0 && p != NULL; p = p->next) {
        if (p->state == PROC_LIVE) {
            uint64_t sum = 0;
            status = memory_sum(live, p, nth++, mode, &sum, err);
            *ret = hash_combine(hash_combine(*ret, sum), registers_hash(w, p));
        }
    }
    return status;
}

static int node_hash(struct world *w, struct node *node, struct state_mode mode, uint64_t *ret,
                     struct err *err)
{
    struct live_node *live = &w->engine->lives[node->index];
    if (live->hash.known && state_mode_same(live->hash.mode, mode) && live->turns == node->turns &&
        live->writes == node->writes) {
        *ret = live->hash.hash;
        return 0;
    }
    if (live->base != NULL && !live_there(live, node)) {
        live_forget(w, node); /* it was started since */
    }
    struct node_copy *copy = NULL;
    if (live->base == NULL && live->asked++ == 0) {
        return compute(w, node, mode, true, ret, err); /* perhaps nobody will ask again */
    }
    int status = live->base == NULL ? copy_take(w, node, true, &copy, err) : 0;
    copy_unref(copy); /* the node itself keeps it */
    if (status != 0) {
        return compute(w, node, mode, true, ret, err);
    }
    size_t idle = 0;
    status = update_images(live, mode, &idle, err);
    status = status != 0 ? status : compute(w, node, mode, false, ret, err);
    if (status != 0) {
        return status;
    }
    live->hash = (struct live_hash){true, *ret, mode};
    live->turns = node->turns;
    live->writes = node->writes;
    if (live_same(w, node)) {
        live->same->hash = live->hash;
    } else if (idle > IDLE_MOST && copy_take(w, node, true, &copy, err) == 0) {
        copy_unref(copy); /* it is time for a nearer one */
    }
    return 0;
}

static uint64_t ranges_hash(struct world *w, const struct state_options *o)
{
    uint64_t h = 1;
    uint8_t bytes[PAGE];
    for (size_t i = 0; i < o->n_only; i++) {
        const struct state_range *r = &o->only[i];
        for (size_t at = 0; at < r->n; at += sizeof bytes) {
            size_t want = r->n - at < sizeof bytes ? r->n - at : sizeof bytes;
            size_t got = world_read_memory(w, r->node, r->addr + at, bytes, want);
            h = hash_combine(hash_bytes(bytes, got, h), got);
        }
    }
    return h;
}

int world_state_hash(struct world *w, const struct state_options *o, uint64_t *ret, struct err *err)
{
    if (o->only != NULL) {
        *ret = ranges_hash(w, o);
        return 0;
    }
    int status = 0;
    for (uint32_t i = 0; status == 0 && i < w->n_nodes; i++) {
        status = copy_check(w, w->nodes[i], err);
    }
    struct state_mode mode = {.no_clocks = o->no_clocks};
    uint64_t h = status == 0 ? heap_hash(w, mode, o->full) : 0;
    for (uint32_t i = 0; status == 0 && i < w->n_nodes; i++) {
        uint64_t part = 0;
        status = o->full ? compute(w, w->nodes[i], mode, true, &part, err)
                         : node_hash(w, w->nodes[i], mode, &part, err);
        h = hash_combine(h, part);
    }
    *ret = h;
    return status;
}
