/* Capture files. All numbers are little-endian:
 *
 *     "assaycap" version:u32=1 nodes:u32 { ip:u32 size:u16 name }*
 *     { size:u32 kind:u8 flags:u8 node:u16 time:u64 conn:u64 local_ip:u32 remote_ip:u32
 *       local_port:u16 remote_port:u16 bytes }*            size: of the bytes
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "capture/capture.h"
#include "capture/capture_int.h"

static const char magic[8] = {'a', 's', 's', 'a', 'y', 'c', 'a', 'p'};
enum { VERSION = 1, RECORD = 36, PCAP_HEAD = 24, NAME_MOST = 255 };

struct capture_writer {
    FILE *file;
    const char *path;
    struct arena arena;
};

static void put(uint8_t **at, uint64_t v, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        *(*at)++ = (uint8_t)(v >> (8 * i));
    }
}

static uint64_t get(const uint8_t **at, size_t width)
{
    uint64_t v = 0;
    for (size_t i = 0; i < width; i++) {
        v |= (uint64_t)*(*at)++ << (8 * i);
    }
    return v;
}

/* ---- writing ---- */

int capture_create(const char *path, const struct capture_node *nodes, size_t n,
                   struct capture_writer **ret, struct err *err)
{
    size_t cap = 0;
    FILE *file = fopen(path, "we");
    if (file == NULL) {
        return err_set(err, ERR_IO, errno, "%s", path);
    }
    struct capture_writer *w = vec_grow(NULL, &cap, 1, sizeof *w);
    memset(w, 0, sizeof *w);
    arena_init(&w->arena, 0);
    w->file = file;
    w->path = arena_strndup(&w->arena, path, strlen(path));
    uint8_t head[8], *at = head;
    (void)fwrite(magic, 1, sizeof magic, file);
    put(&at, VERSION, 4);
    put(&at, n, 4);
    (void)fwrite(head, 1, sizeof head, file);
    for (size_t i = 0; i < n; i++) {
        size_t size = strnlen(nodes[i].name, NAME_MOST);
        at = head;
        put(&at, nodes[i].ip, 4);
        put(&at, size, 2);
        (void)fwrite(head, 1, 6, file);
        (void)fwrite(nodes[i].name, 1, size, file);
    }
    *ret = w;
    return 0;
}

void capture_write(struct capture_writer *w, const struct capture_event *e)
{
    uint8_t head[RECORD], *at = head;
    size_t n = e->n <= CAPTURE_BYTES_MAX ? e->n : 0;
    put(&at, n, 4);
    put(&at, n == e->n ? e->kind : CAPTURE_GAP, 1);
    put(&at, e->flags, 1);
    put(&at, e->node, 2);
    put(&at, e->time_ns, 8);
    put(&at, e->conn, 8);
    put(&at, e->local_ip, 4);
    put(&at, e->remote_ip, 4);
    put(&at, e->local_port, 2);
    put(&at, e->remote_port, 2);
    (void)fwrite(head, 1, sizeof head, w->file); /* capture_finish looks */
    if (n != 0) {
        (void)fwrite(e->bytes, 1, n, w->file);
    }
}

int capture_finish(struct capture_writer *w, struct err *err)
{
    if (w == NULL) {
        return 0;
    }
    errno = 0;
    bool bad = ferror(w->file) != 0;
    bad = fclose(w->file) != 0 || bad;
    int status = bad ? err_set(err, ERR_IO, errno, "cannot write %s", w->path) : 0;
    arena_done(&w->arena);
    vec_release(w);
    return status;
}

/* ---- reading ---- */

static int not_ours(const char *path, struct err *err)
{
    return err_set(err, ERR_INVALID, 0, "%s is neither a capture file nor one of libpcap", path);
}

static int read_nodes(struct capture_reader *r, const char *path, struct err *err)
{
    uint8_t head[8];
    const uint8_t *at = head;
    if (fread(head, 1, 8, r->file) != 8) {
        return not_ours(path, err);
    }
    uint64_t version = get(&at, 4), n = get(&at, 4);
    if (version != VERSION || n > CAPTURE_NODES_MAX) {
        return err_set(err, ERR_INVALID, 0, "%s: version %llu of capture files, with %llu nodes",
                       path, (unsigned long long)version, (unsigned long long)n);
    }
    r->nodes = ARENA_ARRAY(&r->arena, struct capture_node, n + 1);
    for (r->n_nodes = 0; r->n_nodes < n; r->n_nodes++) {
        char name[NAME_MOST + 1];
        if (fread(head, 1, 6, r->file) != 6) {
            return not_ours(path, err);
        }
        at = head;
        uint64_t ip = get(&at, 4), size = get(&at, 2);
        if (size > NAME_MOST || fread(name, 1, size, r->file) != size) {
            return not_ours(path, err);
        }
        r->nodes[r->n_nodes].ip = (uint32_t)ip;
        r->nodes[r->n_nodes].name = arena_strndup(&r->arena, name, size);
    }
    return 0;
}

static int open_file(struct capture_reader *r, const char *path, const struct capture_node *nodes,
                     size_t n, struct err *err)
{
    uint8_t head[PCAP_HEAD];
    if (fread(head, 1, sizeof magic, r->file) != sizeof magic) {
        return not_ours(path, err);
    }
    if (memcmp(head, magic, sizeof magic) == 0) {
        return read_nodes(r, path, err);
    }
    r->nodes = ARENA_ARRAY(&r->arena, struct capture_node, n + 1);
    for (size_t i = 0; i < n; i++) {
        r->nodes[i] = nodes[i];
    }
    r->n_nodes = n;
    if (fread(head + sizeof magic, 1, PCAP_HEAD - sizeof magic, r->file) !=
            PCAP_HEAD - sizeof magic ||
        pcap_begin(r, head, err) != 0) {
        return not_ours(path, err);
    }
    return 0;
}

int capture_open(const char *path, const struct capture_node *nodes, size_t n,
                 struct capture_reader **ret, struct err *err)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, errno, "%s", path);
    }
    return capture_open_stream(file, path, nodes, n, ret, err);
}

int capture_open_stream(FILE *file, const char *path, const struct capture_node *nodes, size_t n,
                        struct capture_reader **ret, struct err *err)
{
    size_t cap = 0;
    struct capture_reader *r = vec_grow(NULL, &cap, 1, sizeof *r);
    memset(r, 0, sizeof *r);
    arena_init(&r->arena, 0);
    r->file = file;
    int status = open_file(r, path, nodes, n, err);
    if (status != 0) {
        capture_close(r);
        return status;
    }
    *ret = r;
    return 0;
}

void capture_close(struct capture_reader *r)
{
    if (r != NULL) {
        pcap_end(r);
        (void)fclose(r->file);
        strbuf_done(&r->bytes);
        arena_done(&r->arena);
        vec_release(r);
    }
}

size_t capture_nodes(const struct capture_reader *r, const struct capture_node **ret)
{
    *ret = r->nodes;
    return r->n_nodes;
}

bool capture_cut_off(const struct capture_reader *r)
{
    return r->cut_off;
}

int capture_next(struct capture_reader *r, struct capture_event *ret, struct err *err)
{
    uint8_t head[RECORD];
    const uint8_t *at = head;
    if (r->pcap != NULL) {
        return pcap_next(r, ret, err);
    }
    size_t got = fread(head, 1, sizeof head, r->file);
    if (got != sizeof head) {
        r->cut_off = got != 0;
        return 0;
    }
    uint64_t n = get(&at, 4);
    *ret = (struct capture_event){.n = n};
    ret->kind = (uint8_t)get(&at, 1);
    ret->flags = (uint8_t)get(&at, 1);
    ret->node = (uint16_t)get(&at, 2);
    ret->time_ns = get(&at, 8);
    ret->conn = get(&at, 8);
    ret->local_ip = (uint32_t)get(&at, 4);
    ret->remote_ip = (uint32_t)get(&at, 4);
    ret->local_port = (uint16_t)get(&at, 2);
    ret->remote_port = (uint16_t)get(&at, 2);
    if (n > CAPTURE_BYTES_MAX || ret->kind == 0 || ret->kind >= CAPTURE_KINDS ||
        ret->node >= r->n_nodes) {
        return err_set(err, ERR_INVALID, 0, "the capture file is damaged");
    }
    strbuf_reset(&r->bytes);
    strbuf_reserve(&r->bytes, n + 1);
    if (fread(r->bytes.p, 1, n, r->file) != n) {
        r->cut_off = true;
        return 0;
    }
    ret->bytes = (const uint8_t *)r->bytes.p;
    return 1;
}
