/* Disks of nodes: inodes, directories, contents. Contents are pages that several versions of a file
 * share (the volatile one, the durable one, copies in snapshots), copied when written. A file that
 * a program maps as shared memory moves into a memory file, since the real kernel must see it. */
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
        heap_free(w->heap, page);
    }
}

/* Slots for at least n pages. */
static void slots_grow(struct world *w, struct fdata *d, uint64_t n)
{
    if (n > d->n) {
        d->pages =
            (struct page **)heap_realloc(w->heap, (void *)d->pages, n * sizeof(struct page *));
        memset((void *)(d->pages + d->n), 0, (n - d->n) * sizeof(struct page *));
        d->n = (uint32_t)n;
    }
}

/* A page that nobody else sees, at slot i. */
static struct page *page_own(struct world *w, struct fdata *d, uint64_t i)
{
    if (i >= d->n) {
        slots_grow(w, d, i + 1 + d->n / 2);
    }
    struct page *old = d->pages[i];
    if (old != NULL && old->refs == 1) {
        return old;
    }
    struct page *page = HEAP_NEW(w->heap, struct page);
    page->refs = 1;
    if (old != NULL) {
        memcpy(page->bytes, old->bytes, PAGE);
        old->refs--;
    }
    d->pages[i] = page;
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
        const struct page *page = off / PAGE < d->n ? d->pages[off / PAGE] : NULL;
        if (page != NULL) {
            memcpy(to, page->bytes + in, part);
        } else {
            memset(to, 0, part);
        }
        to += part;
        off += part;
        n -= part;
    }
}

void fdata_truncate(struct world *w, struct fdata *d, uint64_t size)
{
    if (size < d->size) {
        for (uint64_t i = (size + PAGE - 1) / PAGE; i < d->n; i++) {
            page_unref(w, d->pages[i]);
            d->pages[i] = NULL;
        }
        if (size % PAGE != 0 && size / PAGE < d->n && d->pages[size / PAGE] != NULL) {
            memset(page_own(w, d, size / PAGE)->bytes + size % PAGE, 0, PAGE - size % PAGE);
        }
    }
    d->size = size;
}

void fdata_zero(struct world *w, struct fdata *d, uint64_t off, uint64_t n)
{
    uint64_t end = off + n, most = (uint64_t)d->n * PAGE;
    end = end < most ? end : most;
    while (off < end) {
        uint64_t in = off % PAGE, part = PAGE - in < end - off ? PAGE - in : end - off;
        if (d->pages[off / PAGE] != NULL && d->pages[off / PAGE] != w->unwritten) {
            if (part == PAGE) {
                page_unref(w, d->pages[off / PAGE]);
                d->pages[off / PAGE] = NULL;
            } else {
                memset(page_own(w, d, off / PAGE)->bytes + in, 0, part);
            }
        } else if (part == PAGE && d->pages[off / PAGE] != NULL) {
            page_unref(w, d->pages[off / PAGE]);
            d->pages[off / PAGE] = NULL;
        }
        off += part;
    }
}

void fdata_reserve(struct world *w, struct fdata *d, uint64_t off, uint64_t n)
{
    uint64_t last = (off + n + PAGE - 1) / PAGE;
    slots_grow(w, d, last);
    for (uint64_t i = off / PAGE; i < last; i++) {
        if (d->pages[i] == NULL) {
            d->pages[i] = w->unwritten;
            w->unwritten->refs++;
        }
    }
}

void fdata_shift(struct world *w, struct fdata *d, uint64_t off, uint64_t n, bool insert)
{
    uint64_t first = off / PAGE, count = n / PAGE;
    if (insert) {
        d->size += d->size > off ? n : 0;
        if (first < d->n) {
            uint64_t behind = d->n - first;
            slots_grow(w, d, d->n + count);
            memmove((void *)(d->pages + first + count), (void *)(d->pages + first),
                    behind * sizeof(struct page *));
            memset((void *)(d->pages + first), 0, count * sizeof(struct page *));
        }
        return;
    }
    d->size = d->size >= off + n ? d->size - n : d->size < off ? d->size : off;
    for (uint64_t i = first; i < first + count && i < d->n; i++) {
        page_unref(w, d->pages[i]);
        d->pages[i] = NULL;
    }
    if (first + count < d->n) {
        memmove((void *)(d->pages + first), (void *)(d->pages + first + count),
                (d->n - first - count) * sizeof(struct page *));
        memset((void *)(d->pages + d->n - count), 0, count * sizeof(struct page *));
    }
}

void fdata_share(struct world *w, struct fdata *to, const struct fdata *from)
{
    fdata_done(w, to);
    to->size = from->size;
    to->n = from->n;
    to->pages = (struct page **)heap_alloc(w->heap, (from->n + 1) * sizeof(struct page *));
    for (uint32_t i = 0; i < from->n; i++) {
        to->pages[i] = from->pages[i];
        if (to->pages[i] != NULL) {
            to->pages[i]->refs++;
        }
    }
}

void fdata_done(struct world *w, struct fdata *d)
{
    for (uint32_t i = 0; i < d->n; i++) {
        page_unref(w, d->pages[i]);
    }
    heap_free(w->heap, (void *)d->pages);
    *d = (struct fdata){0};
}

/* ---- inodes ---- */

struct inode *inode_new(struct world *w, struct node *node, uint32_t mode, bool tmp)
{
    struct inode *inode = HEAP_NEW(w->heap, struct inode);
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

/* Changes the contents; the disk remembers it as not yet durable. */
void inode_write(struct world *w, struct inode *inode, uint64_t off, const void *from, size_t n)
{
    if (inode->memfd >= 0) {
        ssize_t put = pwrite(inode->memfd, from, n, (off_t)off);
        ASSERT(put == (ssize_t)n);
    } else {
        fdata_write(w, &inode->data, off, from, n);
    }
    inode_touch(w, inode, true);
    uint8_t *copy = heap_alloc(w->heap, n);
    memcpy(copy, from, n);
    disk_log(w, inode, (struct diskop){.kind = OP_WRITE, .off = off, .n = n, .bytes = copy});
}

void inode_truncate(struct world *w, struct inode *inode, uint64_t size)
{
    if (inode->memfd >= 0) {
        int status = ftruncate(inode->memfd, (off_t)size);
        ASSERT(status == 0);
    } else {
        fdata_truncate(w, &inode->data, size);
    }
    inode_touch(w, inode, true);
    disk_log(w, inode, (struct diskop){.kind = OP_SIZE, .off = size});
}

/* Moves the contents to a memory file, for good. -1 when there are no more descriptors. */
int inode_memfd(struct world *w, struct inode *inode)
{
    if (inode->memfd >= 0) {
        return inode->memfd;
    }
    int fd = memfd_create("assay", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)inode->data.size) != 0) {
        return -1;
    }
    for (uint32_t i = 0; i < inode->data.n; i++) {
        uint64_t off = (uint64_t)i * PAGE;
        bool data = inode->data.pages[i] != NULL && inode->data.pages[i] != w->unwritten;
        if (data && off < inode->data.size) {
            size_t n = inode->data.size - off < PAGE ? inode->data.size - off : PAGE;
            ssize_t put = pwrite(fd, inode->data.pages[i]->bytes, n, (off_t)off);
            ASSERT(put == (ssize_t)n);
        }
    }
    fdata_done(w, &inode->data);
    struct stat st;
    inode->memfd_ino = fstat(fd, &st) == 0 ? st.st_ino : 0;
    inode->memfd = fd;
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
