/* Disks of nodes: inodes, directories, contents. Contents are pages that several versions of a file
 * share (the volatile one, the durable one, copies in snapshots), copied when written; in a table
 * of two levels, since a file may be almost all hole. A file that a program maps as shared memory
 * moves into a memory file, since the real kernel must see it. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>

#include "base/assert.h"
#include "world/heap.h"
#include "world/world_int.h"

/* ---- contents ---- */

static void page_unref(struct world *w, struct page *page)
{
    if (page != NULL && --page->refs == 0) {
        w->file_bytes -= heap_size(page);
        heap_free(w->heap, page);
    }
}

/* The slot of a page, or NULL where there is none. */
static struct page **slot_of(const struct fdata *d, uint64_t i)
{
    struct chunk *chunk = i / CHUNK_PAGES < d->n ? d->chunks[i / CHUNK_PAGES] : NULL;
    return chunk != NULL ? &chunk->pages[i % CHUNK_PAGES] : NULL;
}

static struct page **slot_make(struct world *w, struct fdata *d, uint64_t i)
{
    uint64_t k = i / CHUNK_PAGES;
    if (k >= d->n) {
        uint64_t n = k + 1 + d->n / 2;
        d->chunks =
            (struct chunk **)heap_realloc(w->heap, (void *)d->chunks, n * sizeof(struct chunk *));
        memset((void *)(d->chunks + d->n), 0, (n - d->n) * sizeof(struct chunk *));
        d->n = (uint32_t)n;
    }
    if (d->chunks[k] == NULL) {
        d->chunks[k] = HEAP_NEW(w->heap, struct chunk);
    }
    return &d->chunks[k]->pages[i % CHUNK_PAGES];
}

/* A page that nobody else sees, at slot i. */
static struct page *page_own(struct world *w, struct fdata *d, uint64_t i)
{
    struct page **slot = slot_make(w, d, i);
    struct page *old = *slot;
    if (old != NULL && old->refs == 1) {
        old->sum = 0; /* it is about to be written */
        return old;
    }
    struct page *page = HEAP_NEW(w->heap, struct page);
    heap_mark(page, HEAP_PAGE);
    w->file_bytes += heap_size(page);
    page->refs = 1;
    if (old != NULL) {
        memcpy(page->bytes, old->bytes, PAGE);
        old->refs--;
    } else {
        d->used++;
    }
    *slot = page;
    return page;
}

void fdata_write(struct world *w, struct fdata *d, uint64_t off, const void *from, size_t n)
{
    const uint8_t *bytes = from;
    uint64_t end = off + n;
    while (off < end) {
        uint64_t in = off % PAGE, part = PAGE - in < end - off ? PAGE - in : end - off;
        memcpy(page_own(w, d, off / PAGE)->bytes + in, bytes, part);
        bytes += part;
        off += part;
    }
    d->size = end > d->size ? end : d->size;
}

void fdata_read(const struct fdata *d, uint64_t off, uint8_t *to, size_t n)
{
    while (n > 0) {
        uint64_t in = off % PAGE, part = PAGE - in < n ? PAGE - in : n;
        struct page *const *slot = slot_of(d, off / PAGE);
        if (slot != NULL && *slot != NULL) {
            memcpy(to, (*slot)->bytes + in, part);
        } else {
            memset(to, 0, part);
        }
        to += part;
        off += part;
        n -= part;
    }
}

uint64_t fdata_next(const struct fdata *d, uint64_t off)
{
    for (uint64_t i = off / PAGE; i / CHUNK_PAGES < d->n;) {
        struct page *const *slot = slot_of(d, i);
        if (slot != NULL && *slot != NULL) {
            return i * PAGE > off ? i * PAGE : off;
        }
        i = slot != NULL ? i + 1 : (i / CHUNK_PAGES + 1) * CHUNK_PAGES;
    }
    return UINT64_MAX;
}

/* Bytes of the pages that writing there would add. */
static uint64_t fdata_missing(const struct fdata *d, uint64_t off, uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t i = off / PAGE; n != 0 && i <= (off + n - 1) / PAGE; i++) {
        struct page *const *slot = slot_of(d, i);
        sum += slot == NULL || *slot == NULL ? PAGE : 0;
    }
    return sum;
}

void fdata_truncate(struct world *w, struct fdata *d, uint64_t size)
{
    if (size < d->size) {
        uint64_t keep = (size + PAGE - 1) / PAGE;
        for (uint64_t at = fdata_next(d, keep * PAGE); at != UINT64_MAX; at = fdata_next(d, at)) {
            struct page **slot = slot_of(d, at / PAGE);
            page_unref(w, *slot);
            *slot = NULL;
            d->used--;
        }
        struct page **last = slot_of(d, size / PAGE);
        if (size % PAGE != 0 && last != NULL && *last != NULL) {
            memset(page_own(w, d, size / PAGE)->bytes + size % PAGE, 0, PAGE - size % PAGE);
        }
    }
    d->size = size;
}

void fdata_zero(struct world *w, struct fdata *d, uint64_t off, uint64_t n)
{
    uint64_t end = off + n;
    for (uint64_t at = fdata_next(d, off); at < end; at = fdata_next(d, at)) {
        uint64_t in = at % PAGE, part = PAGE - in < end - at ? PAGE - in : end - at;
        struct page **slot = slot_of(d, at / PAGE);
        if (part == PAGE) {
            page_unref(w, *slot);
            *slot = NULL;
            d->used--;
        } else if (*slot != w->unwritten) {
            memset(page_own(w, d, at / PAGE)->bytes + in, 0, part);
        }
        at += part;
    }
}

void fdata_reserve(struct world *w, struct fdata *d, uint64_t off, uint64_t n)
{
    uint64_t last = (off + n + PAGE - 1) / PAGE;
    for (uint64_t i = off / PAGE; i < last; i++) {
        struct page **slot = slot_make(w, d, i);
        if (*slot == NULL) {
            *slot = w->unwritten;
            w->unwritten->refs++;
            d->used++;
        }
    }
}

static void page_move(struct world *w, struct fdata *d, uint64_t from, uint64_t to)
{
    struct page **slot = slot_of(d, from), *page = slot != NULL ? *slot : NULL;
    if (page != NULL) {
        *slot = NULL;
        *slot_make(w, d, to) = page;
    }
}

void fdata_shift(struct world *w, struct fdata *d, uint64_t off, uint64_t n, bool insert)
{
    uint64_t first = off / PAGE, count = n / PAGE;
    if (insert) {
        d->size += d->size > off ? n : 0;
        for (uint64_t i = (uint64_t)d->n * CHUNK_PAGES; i > first; i--) { /* the last first */
            if (d->chunks[(i - 1) / CHUNK_PAGES] == NULL) {
                i = (i - 1) / CHUNK_PAGES * CHUNK_PAGES + 1; /* and on with the chunk before */
            } else {
                page_move(w, d, i - 1, i - 1 + count);
            }
        }
        return;
    }
    d->size = d->size >= off + n ? d->size - n : d->size < off ? d->size : off;
    fdata_zero(w, d, off, n);
    for (uint64_t at = fdata_next(d, off + n); at != UINT64_MAX; at = fdata_next(d, at + PAGE)) {
        page_move(w, d, at / PAGE, at / PAGE - count);
    }
}

const struct page *fdata_page(const struct fdata *d, uint64_t i)
{
    struct page *const *slot = slot_of(d, i);
    return slot != NULL ? *slot : NULL;
}

void fdata_share(struct world *w, struct fdata *to, const struct fdata *from)
{
    fdata_done(w, to);
    to->size = from->size;
    to->n = from->n;
    to->used = from->used;
    to->chunks = (struct chunk **)heap_alloc(w->heap, (from->n + 1) * sizeof(struct chunk *));
    for (uint32_t k = 0; k < from->n; k++) {
        if (from->chunks[k] == NULL) {
            continue;
        }
        to->chunks[k] = HEAP_NEW(w->heap, struct chunk);
        *to->chunks[k] = *from->chunks[k];
        for (size_t i = 0; i < CHUNK_PAGES; i++) {
            if (to->chunks[k]->pages[i] != NULL) {
                to->chunks[k]->pages[i]->refs++;
            }
        }
    }
}

void fdata_done(struct world *w, struct fdata *d)
{
    for (uint32_t k = 0; k < d->n; k++) {
        for (size_t i = 0; d->chunks[k] != NULL && i < CHUNK_PAGES; i++) {
            page_unref(w, d->chunks[k]->pages[i]);
        }
        heap_free(w->heap, d->chunks[k]);
    }
    heap_free(w->heap, (void *)d->chunks);
    *d = (struct fdata){0};
}

/* ---- inodes ---- */

struct inode *inode_new(struct world *w, struct node *node, uint32_t mode, bool tmp)
{
    struct inode *inode = HEAP_NEW(w->heap, struct inode);
    heap_mark(inode, HEAP_INODE);
    inode->ino = ++node->next_ino;
    inode->mode = mode;
    inode->node = node;
    inode->tmp = tmp;
    inode->memfd = -1;
    inode->uid = getuid();
    inode->gid = getgid();
    inode->atime = inode->mtime = inode->ctime = node_real(node, w->now_ns);
    return inode;
}

static void dir_done(struct world *w, struct dir *dir)
{
    for (uint32_t i = 0; i < dir->n; i++) {
        heap_free(w->heap, dir->v[i].name);
    }
    heap_free(w->heap, dir->v);
    *dir = (struct dir){0};
}

/* One user fewer; without users and names, in memory and on the durable disk, it is freed. */
void inode_unref(struct world *w, struct inode *inode)
{
    ASSERT(inode->opens > 0);
    inode->opens--;
    inode_collect(w, inode);
}

void inode_collect(struct world *w, struct inode *inode)
{
    if (inode->files == 0 && inode->nlink == 0) { /* a crash that brings it back charges it again */
        inode->node->disk_bytes -= inode->charged;
        inode->charged = 0;
    }
    if (inode->opens > 0 || inode->nlink > 0 || inode->durable_links > 0) {
        return;
    }
    fdata_done(w, &inode->data);
    fdata_done(w, &inode->durable);
    dir_done(w, &inode->dir);
    dir_done(w, &inode->durable_dir);
    heap_free(w->heap, inode->link);
    fifo_free(w, inode->fifo);
    if (inode->memfd >= 0) {
        (void)close(inode->memfd);
    }
    heap_free(w->heap, inode);
}

void inode_touch(struct world *w, struct inode *inode, bool modified)
{
    uint64_t now = node_real(inode->node, w->now_ns);
    inode->ctime = now;
    inode->mtime = modified ? now : inode->mtime;
}

uint64_t inode_size(struct inode *inode)
{
    struct stat st;
    if (inode->memfd >= 0 && fstat(inode->memfd, &st) == 0) {
        return (uint64_t)st.st_size;
    }
    return inode->data.size;
}

int64_t inode_read(struct world *w, struct inode *inode, uint64_t off, void *to, size_t n)
{
    (void)w;
    uint64_t size = inode_size(inode);
    if (off >= size) {
        return 0;
    }
    n = n < size - off ? n : size - off;
    if (inode->memfd >= 0) {
        ssize_t got = pread(inode->memfd, to, n, (off_t)off);
        return got < 0 ? -EIO : got;
    }
    fdata_read(&inode->data, off, to, n);
    return (int64_t)n;
}

/* ---- how much a disk holds ---- */

/* What a file counts: the pages that it has. In a memory file programs can fill any page without a
 * call, so there its size counts. */
void inode_charge(struct inode *inode)
{
    uint64_t now = inode->memfd >= 0 ? inode_size(inode) : inode->data.used * PAGE;
    inode->node->disk_bytes += now - inode->charged;
    inode->charged = now;
}

static bool has_room(const struct world *w, const struct inode *inode, uint64_t more)
{
    uint64_t used = inode->node->disk_bytes, most = w->limits.disk_bytes;
    return more == 0 || (used <= most && more <= most - used);
}

int64_t inode_room(struct world *w, struct inode *inode, uint64_t off, uint64_t n)
{
    if (off > FILE_MOST || n > FILE_MOST - off) {
        return -EFBIG;
    }
    uint64_t more = fdata_missing(&inode->data, off, n);
    if (inode->memfd >= 0) {
        uint64_t size = inode_size(inode);
        more = off + n > size ? off + n - size : 0;
    }
    return has_room(w, inode, more) ? 0 : -ENOSPC;
}

uint64_t inode_fits(struct world *w, struct inode *inode, uint64_t off, uint64_t n)
{
    uint64_t fits = 0, too_many = n + 1;
    if (inode_room(w, inode, off, n) == 0) {
        return n;
    }
    while (fits + 1 < too_many) {
        uint64_t middle = fits + (too_many - fits) / 2;
        *(inode_room(w, inode, off, middle) == 0 ? &fits : &too_many) = middle;
    }
    return fits;
}

/* Changes the contents; the disk remembers it as not yet durable. */
int64_t inode_write(struct world *w, struct inode *inode, uint64_t off, const void *from, size_t n)
{
    if (inode->memfd < 0) {
        fdata_write(w, &inode->data, off, from, n);
    } else if (pwrite(inode->memfd, from, n, (off_t)off) != (ssize_t)n) {
        return -ENOSPC; /* of the machine's memory */
    }
    inode_charge(inode);
    inode_touch(w, inode, true);
    uint8_t *copy = heap_alloc(w->heap, n);
    memcpy(copy, from, n);
    w->file_bytes += heap_size(copy);
    disk_log(w, inode, (struct diskop){.kind = OP_WRITE, .off = off, .n = n, .bytes = copy});
    return 0;
}

int64_t inode_truncate(struct world *w, struct inode *inode, uint64_t size)
{
    uint64_t old = inode_size(inode);
    if (size > FILE_MOST) {
        return -EFBIG;
    }
    if (inode->memfd < 0) {
        fdata_truncate(w, &inode->data, size);
    } else if (!has_room(w, inode, size > old ? size - old : 0) ||
               ftruncate(inode->memfd, (off_t)size) != 0) {
        return -ENOSPC;
    }
    inode_charge(inode);
    inode_touch(w, inode, true);
    disk_log(w, inode, (struct diskop){.kind = OP_SIZE, .off = size});
    return 0;
}

uint64_t inode_data(const struct world *w, struct inode *inode, uint64_t off)
{
    if (inode->memfd >= 0) {
        off_t next = lseek(inode->memfd, (off_t)off, SEEK_DATA);
        return next < 0 ? UINT64_MAX : (uint64_t)next;
    }
    const struct fdata *d = &inode->data;
    uint64_t at = fdata_next(d, off);
    while (at != UINT64_MAX && fdata_page(d, at / PAGE) == w->unwritten) {
        at = fdata_next(d, at / PAGE * PAGE + PAGE);
    }
    return at;
}

int inode_copy(struct world *w, struct inode *inode, int fd)
{
    uint8_t bytes[PAGE];
    uint64_t size = inode_size(inode);
    if (ftruncate(fd, (off_t)size) != 0) {
        return -errno;
    }
    for (uint64_t at = inode_data(w, inode, 0); at < size; at = inode_data(w, inode, at)) {
        size_t part =
            PAGE - at % PAGE < size - at ? (size_t)(PAGE - at % PAGE) : (size_t)(size - at);
        int64_t got = inode_read(w, inode, at, bytes, part);
        errno = EIO;
        if (got <= 0 || pwrite(fd, bytes, (size_t)got, (off_t)at) != got) {
            return -errno;
        }
        at += (uint64_t)got;
    }
    return 0;
}

/* Moves the contents to a memory file, for good. -1 when there are no more descriptors, or the file
 * is larger than the disk may be. */
int inode_memfd(struct world *w, struct inode *inode)
{
    if (inode->memfd >= 0) {
        return inode->memfd;
    }
    uint64_t size = inode->data.size;
    bool room = has_room(w, inode, size > inode->charged ? size - inode->charged : 0);
    int fd = room ? memfd_create("assay", MFD_CLOEXEC) : -1;
    if (fd >= 0 && inode_copy(w, inode, fd) != 0) {
        (void)close(fd);
        fd = -1;
    }
    if (fd < 0) {
        return -1;
    }
    fdata_done(w, &inode->data);
    struct stat st;
    inode->memfd_ino = fstat(fd, &st) == 0 ? st.st_ino : 0;
    inode->memfd = fd;
    inode_charge(inode);
    return fd;
}

static struct timespec stamp(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
}

void inode_stat(struct inode *inode, struct stat *st)
{
    *st = (struct stat){
        .st_dev = inode->tmp ? 0x21 : 0x20,
        .st_ino = inode->ino,
        .st_mode = inode->mode,
        .st_nlink = S_ISDIR(inode->mode) ? 2 : inode->nlink,
        .st_uid = inode->uid,
        .st_gid = inode->gid,
        .st_blksize = 4096,
        .st_atim = stamp(inode->atime),
        .st_mtim = stamp(inode->mtime),
        .st_ctim = stamp(inode->ctime),
    };
    st->st_size = (off_t)inode_size(inode);
    st->st_blocks = S_ISREG(inode->mode) ? (blkcnt_t)inode_blocks(inode) : 0;
    if (S_ISDIR(inode->mode)) {
        st->st_size = 4096;
        st->st_blocks = 8;
        for (uint32_t i = 0; i < inode->dir.n; i++) {
            st->st_nlink += S_ISDIR(inode->dir.v[i].inode->mode) ? 1 : 0;
        }
    } else if (S_ISLNK(inode->mode)) {
        st->st_size = (off_t)strlen(inode->link);
        st->st_blocks = 0;
    }
}

/* ---- directories ---- */

static uint32_t dir_at(const struct dir *dir, const char *name, bool *ret_found)
{
    uint32_t low = 0, high = dir->n;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        int order = strcmp(dir->v[mid].name, name);
        if (order == 0) {
            *ret_found = true;
            return mid;
        }
        if (order < 0) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    *ret_found = false;
    return low;
}

struct inode *dir_find(const struct dir *dir, const char *name)
{
    bool found = false;
    uint32_t i = dir_at(dir, name, &found);
    return found ? dir->v[i].inode : NULL;
}

/* Sets a name in one version of a directory; inode NULL removes it. Returns what was there. */
struct inode *dir_set(struct world *w, struct dir *dir, const char *name, struct inode *inode)
{
    bool found = false;
    uint32_t i = dir_at(dir, name, &found);
    struct inode *old = found ? dir->v[i].inode : NULL;
    if (inode == NULL) {
        if (found) {
            heap_free(w->heap, dir->v[i].name);
            memmove(dir->v + i, dir->v + i + 1, (dir->n - i - 1) * sizeof dir->v[0]);
            dir->n--;
        }
        return old;
    }
    if (found) {
        dir->v[i].inode = inode;
        return old;
    }
    if (dir->n == dir->cap) {
        dir->cap = dir->cap * 2 + 8;
        dir->v = heap_realloc(w->heap, dir->v, dir->cap * sizeof dir->v[0]);
    }
    memmove(dir->v + i + 1, dir->v + i, (dir->n - i) * sizeof dir->v[0]);
    dir->v[i] = (struct dirent_){heap_strdup(w, name), inode};
    dir->n++;
    return NULL;
}

static void name_gone(struct world *w, struct inode *inode)
{
    if (inode != NULL) {
        inode->nlink--;
        inode_touch(w, inode, false);
        inode_collect(w, inode);
    }
}

void dir_link(struct world *w, struct inode *dir, const char *name, struct inode *inode)
{
    inode->nlink++;
    if (S_ISDIR(inode->mode)) {
        inode->parent = dir;
    }
    (void)dir_set(w, &dir->dir, name, inode);
    inode_touch(w, dir, true);
    disk_log(
        w, dir,
        (struct diskop){.kind = OP_LINK, .dir = dir, .inode = inode, .name = heap_strdup(w, name)});
}

void dir_unlink(struct world *w, struct inode *dir, const char *name)
{
    struct inode *inode = dir_set(w, &dir->dir, name, NULL);
    inode_touch(w, dir, true);
    disk_log(w, dir, (struct diskop){.kind = OP_UNLINK, .dir = dir, .name = heap_strdup(w, name)});
    name_gone(w, inode);
}

void dir_exchange(struct world *w, struct inode *dir, const char *name, struct inode *dir2,
                  const char *name2)
{
    struct inode *a = dir_find(&dir->dir, name), *b = dir_find(&dir2->dir, name2);
    (void)dir_set(w, &dir->dir, name, b);
    (void)dir_set(w, &dir2->dir, name2, a);
    a->parent = S_ISDIR(a->mode) ? dir2 : a->parent;
    b->parent = S_ISDIR(b->mode) ? dir : b->parent;
    inode_touch(w, dir, true);
    inode_touch(w, dir2, true);
    inode_touch(w, a, false);
    inode_touch(w, b, false);
    disk_log(w, dir,
             (struct diskop){.kind = OP_EXCHANGE,
                             .dir = dir,
                             .dir2 = dir2,
                             .inode = a,
                             .other = b,
                             .name = heap_strdup(w, name),
                             .name2 = heap_strdup(w, name2)});
}

void dir_rename(struct world *w, struct inode *from, const char *name, struct inode *to,
                const char *name2)
{
    struct inode *inode = dir_set(w, &from->dir, name, NULL);
    struct inode *old = dir_set(w, &to->dir, name2, inode);
    if (S_ISDIR(inode->mode)) {
        inode->parent = to;
    }
    inode_touch(w, from, true);
    inode_touch(w, to, true);
    inode_touch(w, inode, false);
    disk_log(w, from,
             (struct diskop){.kind = OP_RENAME,
                             .dir = from,
                             .dir2 = to,
                             .inode = inode,
                             .name = heap_strdup(w, name),
                             .name2 = heap_strdup(w, name2)});
    name_gone(w, old);
}
