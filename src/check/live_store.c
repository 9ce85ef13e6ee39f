/* Checkpoints of the behaviour graph.
 *
 * Nodes, blocks and labels only ever grow, so a checkpoint appends to three files what is new since
 * the last one, makes it durable, and then replaces a small text file that says how much of each
 * file counts. After a crash the files may be longer than that; the rest is cut off. The hash table
 * and the offsets of blocks are rebuilt, and all that is read is checked. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/types.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/live_int.h"

enum { CHUNK = 1 << 16 };

#define NODES_FILE  "live.nodes"
#define BLOCKS_FILE "live.blocks"
#define LABELS_FILE "live.labels"
#define MARK_FILE   "live.mark"
#define MARK_HEAD   "live 1 "

static int open_in(const struct live *live, const char *name, int flags, int *ret_fd,
                   struct err *err)
{
    SCOPED_STRBUF path = {0};
    strbuf_printf(&path, "%s/%s", live->dir, name);
    int fd = open(path.p, flags | O_CLOEXEC, 0666);
    if (fd < 0) {
        return err_set(err, ERR_IO, errno, "cannot open %s", path.p);
    }
    *ret_fd = fd;
    return 0;
}

static int write_all(int fd, const void *bytes, uint64_t n, uint64_t at, struct err *err)
{
    const char *p = bytes;
    while (n > 0) {
        ssize_t done = pwrite(fd, p, n < INT32_MAX ? n : INT32_MAX, (off_t)at);
        if (done < 0 && errno != EINTR) {
            return err_set(err, ERR_IO, errno, "cannot write the behaviour graph");
        }
        if (done > 0) {
            p += done;
            at += (uint64_t)done;
            n -= (uint64_t)done;
        }
    }
    return 0;
}

static int read_all(int fd, void *bytes, uint64_t n, uint64_t at, struct err *err)
{
    char *p = bytes;
    while (n > 0) {
        ssize_t done = pread(fd, p, n < INT32_MAX ? n : INT32_MAX, (off_t)at);
        if (done == 0) {
            return err_set(err, ERR_CORRUPT, 0, "the stored behaviour graph is cut short");
        }
        if (done < 0 && errno != EINTR) {
            return err_set(err, ERR_IO, errno, "cannot read the behaviour graph");
        }
        if (done > 0) {
            p += done;
            at += (uint64_t)done;
            n -= (uint64_t)done;
        }
    }
    return 0;
}

/* ---- writing ---- */

struct array {
    const char *name; /* of its file */
    const void *elems;
    uint64_t elem_bytes;
    uint64_t from, to; /* the elements to be appended */
};

static int append(const struct live *live, const struct array *a, struct err *err)
{
    int fd = -1;
    int rc = open_in(live, a->name, O_RDWR | O_CREAT | (a->from == 0 ? O_TRUNC : 0), &fd, err);
    if (rc < 0) {
        return rc;
    }
    if (a->to > a->from) {
        uint64_t start = a->from * a->elem_bytes;
        uint64_t bytes = (a->to - a->from) * a->elem_bytes;
        rc = write_all(fd, (const char *)a->elems + start, bytes, start, err);
    }
    if (rc == 0 && fdatasync(fd) != 0) {
        rc = err_set(err, ERR_IO, errno, "cannot flush %s", a->name);
    }
    (void)close(fd);
    return rc;
}

int live_flush(struct live *live, struct err *err)
{
    if (!live->dir) {
        return err_set(err, ERR_INVALID, 0, "no directory for the behaviour graph");
    }
    int rc = dir_make(live->dir, err);
    if (rc == 0) {
        rc = live_graph_merge(live, err);
    }
    if (rc == 0 && !live->stored) {
        live->stored_node = live->stored_label = 0;
        live->stored_word = 0;
    }
    const struct array arrays[] = {
        {NODES_FILE,  live->fps.p,         sizeof(uint64_t),                      live->stored_node, live->nnode   },
        {BLOCKS_FILE, live->blocks.p,      sizeof(uint32_t),                      live->stored_word, live->nword   },
        {LABELS_FILE, live->labels.bits.v, sizeof(uint64_t) * live->labels.words,
         live->stored_label,                                                                         live->labels.n},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && rc == 0; i++) {
        rc = append(live, &arrays[i], err);
    }
    if (rc < 0) {
        return rc;
    }
    SCOPED_STRBUF path = {0};
    strbuf_printf(&path, "%s/" MARK_FILE, live->dir);
    SCOPED_STRBUF text = {0};
    strbuf_printf(&text, MARK_HEAD "%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu32 "\n",
                  live->spec->nstate_leaf, live->spec->naction_leaf, live->nnode, live->nword,
                  live->labels.n);
    rc = file_write(path.p, strbuf_str(&text), err);
    if (rc == 0) {
        live->stored = true;
        live->stored_node = live->nnode;
        live->stored_word = live->nword;
        live->stored_label = live->labels.n;
    }
    return rc;
}

/* ---- reading ---- */

struct mark {
    uint32_t nstate, naction, nnode, nlabel;
    uint64_t nword;
};

static int corrupt(struct err *err)
{
    return err_set(err, ERR_CORRUPT, 0, "the stored behaviour graph is damaged");
}

static bool mark_parse(const char *text, struct mark *ret)
{
    uint64_t number[5];
    if (strncmp(text, MARK_HEAD, strlen(MARK_HEAD)) != 0) {
        return false;
    }
    text += strlen(MARK_HEAD);
    for (int i = 0; i < 5; i++) {
        char *end = NULL;
        errno = 0;
        number[i] = strtoull(text, &end, 10);
        if (end == text || errno != 0 || (i != 3 && number[i] > UINT32_MAX)) {
            return false;
        }
        text = end;
    }
    *ret = (struct mark){.nstate = (uint32_t)number[0],
                         .naction = (uint32_t)number[1],
                         .nnode = (uint32_t)number[2],
                         .nword = number[3],
                         .nlabel = (uint32_t)number[4]};
    return *text == '\n' && ret->nword < UINT64_MAX / 16;
}

static int mark_read(struct live *live, struct mark *ret, struct err *err)
{
    SCOPED_STRBUF path = {0};
    strbuf_printf(&path, "%s/" MARK_FILE, live->dir);
    struct arena arena;
    arena_init(&arena, 0);
    struct str text = {0};
    int rc = file_read(&arena, path.p, 4096, &text, err);
    if (rc == 0 && !mark_parse(text.p, ret)) {
        rc = corrupt(err);
    }
    arena_done(&arena);
    if (rc == 0 && (ret->nstate != live->spec->nstate_leaf ||
                    ret->naction != live->spec->naction_leaf || ret->nword == 0)) {
        rc = err_set(err, ERR_INVALID, 0, "the stored behaviour graph is of another specification");
    }
    return rc;
}

/* Calls `each` with the n elements of a file, in chunks; then cuts the file after them. */
static int read_chunks(struct live *live, const char *name, uint64_t elem_bytes, uint64_t n,
                       int (*each)(struct live *live, const uint64_t *elems, uint64_t n),
                       struct err *err)
{
    int fd = -1;
    int rc = open_in(live, name, O_RDWR, &fd, err);
    if (rc < 0) {
        return rc;
    }
    VEC(uint64_t) chunk = {0};
    VEC_RESERVE(&chunk, CHUNK * (elem_bytes / sizeof(uint64_t)));
    for (uint64_t i = 0; i < n && rc == 0; i += CHUNK) {
        uint64_t count = n - i < CHUNK ? n - i : CHUNK;
        rc = read_all(fd, chunk.v, count * elem_bytes, i * elem_bytes, err);
        if (rc == 0 && each(live, chunk.v, count) < 0) {
            rc = corrupt(err);
        }
    }
    VEC_DONE(&chunk);
    if (rc == 0 && ftruncate(fd, (off_t)(n * elem_bytes)) != 0) {
        rc = err_set(err, ERR_IO, errno, "cannot cut %s", name);
    }
    (void)close(fd);
    return rc;
}

static int take_nodes(struct live *live, const uint64_t *fps, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        uint32_t expected = live->nnode;
        if (live_graph_intern(live, fps[i]) != expected) {
            return -1;
        }
    }
    return 0;
}

static int take_labels(struct live *live, const uint64_t *bits, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        uint32_t expected = live->labels.n;
        if (dict_put(&live->labels, bits + i * live->labels.words) != expected) {
            return -1;
        }
    }
    return 0;
}

static bool block_valid(const struct live *live, const uint32_t *block, uint64_t room)
{
    if (room < BLOCK_HEAD || (block[1] & 3) == 3 || block_words(block) > room ||
        block[0] >= live->nnode || block[2] >= live->labels.n) {
        return false;
    }
    for (uint32_t e = 0; e < block_edges(block); e++) {
        if (block_target(block, e) >= live->nnode || block_label(block, e) >= live->labels.n) {
            return false;
        }
    }
    return true;
}

/* Finds the blocks in the words read and counts what is in them. */
static int scan_blocks(struct live *live, uint64_t nword, struct err *err)
{
    const uint32_t *words = live->blocks.p;
    uint64_t *off = live->off.p;
    uint64_t ndone = 0;
    uint64_t nedge = 0;
    for (uint64_t at = 1; at < nword; at += block_words(words + at)) {
        const uint32_t *block = words + at;
        if (!block_valid(live, block, nword - at)) {
            return corrupt(err);
        }
        const uint32_t *old = live_block(live, block[0]);
        ndone += !old;
        nedge += block_edges(block) - (old ? block_edges(old) : 0);
        if (block_initial(block) && !(old && block_initial(old))) {
            VEC_PUSH(&live->inits, block[0]);
        }
        off[block[0]] = at;
    }
    live->nword = nword;
    atomic_store_explicit(&live->ndone, ndone, memory_order_relaxed);
    atomic_store_explicit(&live->nedge, nedge, memory_order_relaxed);
    return 0;
}

static int read_blocks(struct live *live, uint64_t nword, struct err *err)
{
    int fd = -1;
    int rc = open_in(live, BLOCKS_FILE, O_RDWR, &fd, err);
    if (rc < 0) {
        return rc;
    }
    rc = big_reserve(&live->blocks, nword * sizeof(uint32_t), err);
    if (rc == 0) {
        rc = read_all(fd, live->blocks.p, nword * sizeof(uint32_t), 0, err);
    }
    if (rc == 0 && ftruncate(fd, (off_t)(nword * sizeof(uint32_t))) != 0) {
        rc = err_set(err, ERR_IO, errno, "cannot cut " BLOCKS_FILE);
    }
    (void)close(fd);
    return rc == 0 ? scan_blocks(live, nword, err) : rc;
}

int live_resume(struct live *live, struct err *err)
{
    if (!live->dir) {
        return err_set(err, ERR_INVALID, 0, "no directory for the behaviour graph");
    }
    ASSERT(live->nnode == 0 && live->labels.n == 0);
    struct mark mark = {0};
    int rc = mark_read(live, &mark, err);
    if (rc == 0) {
        rc = live_graph_reserve_nodes(live, mark.nnode, err);
    }
    if (rc == 0) {
        rc = read_chunks(live, NODES_FILE, sizeof(uint64_t), mark.nnode, take_nodes, err);
    }
    if (rc == 0) {
        rc = read_chunks(live, LABELS_FILE, sizeof(uint64_t) * live->labels.words, mark.nlabel,
                         take_labels, err);
    }
    if (rc == 0) {
        rc = read_blocks(live, mark.nword, err);
    }
    if (rc < 0) {
        return rc;
    }
    live->version++;
    rc = watch_all(live, err);
    if (rc < 0) {
        return rc;
    }
    live->stored = true;
    live->stored_node = mark.nnode;
    live->stored_word = mark.nword;
    live->stored_label = mark.nlabel;
    return 0;
}
