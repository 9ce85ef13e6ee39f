/* Files with holes: where data lie, and the calls that make, fill and move holes.
 *
 * A page that was never written is a hole. What fallocate reserves is no hole for st_blocks, but
 * reads as zero and has no data, as in ext4: such pages all are one page of the world, `unwritten`,
 * which is copied before it is written like any page that is shared. A file whose contents live in
 * a memory file asks the real kernel. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <linux/falloc.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

/* ---- looking ---- */

static bool has_data(const struct world *w, const struct fdata *d, uint64_t i)
{
    const struct page *page = fdata_page(d, i);
    return page != NULL && page != w->unwritten;
}

uint64_t inode_blocks(const struct inode *inode)
{
    struct stat st;
    if (inode->memfd >= 0) {
        return fstat(inode->memfd, &st) == 0 ? (uint64_t)st.st_blocks : 0;
    }
    return inode->data.used * (PAGE / SECTOR);
}

int64_t inode_seek(const struct world *w, struct inode *inode, int64_t off, bool hole)
{
    uint64_t size = inode_size(inode);
    if (off < 0 || (uint64_t)off >= size) {
        return -ENXIO;
    }
    if (inode->memfd >= 0) {
        off_t found = lseek(inode->memfd, off, hole ? SEEK_HOLE : SEEK_DATA);
        return found < 0 ? -errno : found;
    }
    if (!hole) {
        uint64_t at = inode_data(w, inode, (uint64_t)off);
        return at < size ? (int64_t)at : -ENXIO;
    }
    for (uint64_t i = (uint64_t)off / PAGE; i * PAGE < size; i++) {
        if (!has_data(w, &inode->data, i)) {
            return (int64_t)(i * PAGE) > off ? (int64_t)(i * PAGE) : off;
        }
    }
    return (int64_t)size;
}

/* ---- changing ---- */

/* Zero, without pages where whole pages are; in a memory file, by the real kernel. */
static void make_hole(struct world *w, struct inode *inode, uint64_t off, uint64_t n)
{
    if (inode->memfd >= 0) {
        (void)fallocate(inode->memfd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)off,
                        (off_t)n);
    } else {
        fdata_zero(w, &inode->data, off, n);
    }
}

/* What has no page gets one that is not written. */
static void reserve(struct world *w, struct inode *inode, uint64_t off, uint64_t n)
{
    if (inode->memfd < 0) {
        fdata_reserve(w, &inode->data, off, n);
    }
}

static void shift(struct world *w, struct inode *inode, uint64_t off, uint64_t n, bool insert)
{
    uint64_t size = inode_size(inode);
    if (inode->memfd < 0) {
        fdata_shift(w, &inode->data, off, n, insert);
        return;
    }
    uint64_t end = insert ? size : size - n, done = 0;
    while (done < end - off) { /* from the end on, or from the beginning */
        uint64_t part = end - off - done < ENGINE_BUF ? end - off - done : ENGINE_BUF;
        uint64_t from = insert ? end - done - part : off + n + done;
        ssize_t got = pread(inode->memfd, w->engine->buf, part, (off_t)from);
        got = got > 0 ? pwrite(inode->memfd, w->engine->buf, (size_t)got,
                               (off_t)(insert ? from + n : from - n))
                      : got;
        if (got <= 0) {
            break;
        }
        done += part;
    }
    if (insert) {
        make_hole(w, inode, off, n);
    } else {
        (void)!ftruncate(inode->memfd, (off_t)(size - n));
    }
}

/* ---- fallocate ---- */

static int64_t check_mode(const struct inode *inode, uint64_t mode)
{
    const uint64_t kinds = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE | FALLOC_FL_COLLAPSE_RANGE |
                           FALLOC_FL_INSERT_RANGE | FALLOC_FL_UNSHARE_RANGE;
    uint64_t kind = mode & kinds;
    if ((mode & ~(kinds | FALLOC_FL_KEEP_SIZE)) != 0 || (kind & (kind - 1)) != 0 ||
        (kind == FALLOC_FL_PUNCH_HOLE && (mode & FALLOC_FL_KEEP_SIZE) == 0) ||
        kind == FALLOC_FL_UNSHARE_RANGE) {
        return -EOPNOTSUPP;
    }
    bool shifts = kind == FALLOC_FL_COLLAPSE_RANGE || kind == FALLOC_FL_INSERT_RANGE;
    if (shifts && (mode & FALLOC_FL_KEEP_SIZE) != 0) {
        return -EOPNOTSUPP;
    }
    return inode->tmp && (shifts || kind == FALLOC_FL_ZERO_RANGE) ? -EOPNOTSUPP : 0;
}

static int64_t do_shift(struct world *w, struct inode *inode, uint64_t off, uint64_t n, bool insert)
{
    uint64_t size = inode_size(inode);
    if (off % PAGE != 0 || n % PAGE != 0) {
        return -EINVAL;
    }
    if (insert ? off >= size : off + n >= size) {
        return -EINVAL;
    }
    shift(w, inode, off, n, insert);
    disk_log(w, inode,
             (struct diskop){.kind = insert ? OP_INSERT : OP_COLLAPSE, .off = off, .length = n});
    return 0;
}

static void zero_range(struct world *w, struct inode *inode, uint64_t off, uint64_t end)
{
    uint64_t size = inode_size(inode), stop = end < size ? end : size;
    if (stop > off) {
        make_hole(w, inode, off, end - off);
        disk_log(w, inode, (struct diskop){.kind = OP_ZERO, .off = off, .length = stop - off});
    } else {
        make_hole(w, inode, off, end - off); /* what was reserved behind the end */
    }
}

static int64_t allocate(struct world *w, struct thread *t, struct inode *inode)
{
    uint64_t mode = t->a[1], off = t->a[2], end = off + t->a[3];
    if ((mode & FALLOC_FL_COLLAPSE_RANGE) != 0 || (mode & FALLOC_FL_INSERT_RANGE) != 0) {
        bool insert = (mode & FALLOC_FL_INSERT_RANGE) != 0;
        if (insert && inode_size(inode) + t->a[3] > FILE_MOST) {
            return -EFBIG;
        }
        return do_shift(w, inode, off, t->a[3], insert);
    }
    bool keep = (mode & FALLOC_FL_KEEP_SIZE) != 0;
    if (!keep && end > t->proc->file_limit[0]) {
        return file_too_big(w, t);
    }
    if ((mode & FALLOC_FL_PUNCH_HOLE) == 0) {
        bool more = end - off > w->limits.disk_told || end - off > w->limits.disk_bytes;
        int64_t room = end > FILE_MOST ? -EFBIG
                       : more          ? -ENOSPC
                                       : inode_room(w, inode, off, end - off);
        if (room != 0) {
            return room;
        }
    }
    if ((mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) != 0) {
        zero_range(w, inode, off, end);
    }
    if ((mode & FALLOC_FL_PUNCH_HOLE) == 0) {
        int64_t status = !keep && end > inode_size(inode) ? inode_truncate(w, inode, end) : 0;
        if (status != 0) {
            return status;
        }
        reserve(w, inode, off, end - off);
    }
    return 0;
}

int64_t call_fallocate(struct world *w, struct thread *t)
{
    struct file *f = fd_get(t, t->a[0]);
    if (f == NULL) {
        return -EBADF;
    }
    if ((int64_t)t->a[2] < 0 || (int64_t)t->a[3] <= 0) {
        return -EINVAL;
    }
    struct inode *inode = f->ops == &vfile_ops ? ((struct vfile *)f)->inode : NULL;
    static const struct inode none;
    int64_t status = check_mode(inode != NULL ? inode : &none, t->a[1]);
    if (status != 0) {
        return status;
    }
    if ((f->flags & O_ACCMODE) == O_RDONLY) {
        return -EBADF;
    }
    if (inode == NULL || !S_ISREG(inode->mode)) {
        struct stat st;
        (void)file_stat(w, f, &st);
        return S_ISFIFO(st.st_mode) ? -ESPIPE : S_ISDIR(st.st_mode) ? -EISDIR : -ENODEV;
    }
    if (t->a[2] + t->a[3] > INT64_MAX) {
        return -EFBIG;
    }
    if (((t->a[1] & FALLOC_FL_PUNCH_HOLE) != 0 && seals_forbid_write(inode, 0)) ||
        ((t->a[1] & FALLOC_FL_KEEP_SIZE) == 0 && t->a[2] + t->a[3] > inode_size(inode) &&
         seals_forbid_size(inode, t->a[2] + t->a[3]))) {
        return -EPERM;
    }
    if (disk_take_fault(w, t->proc->node, DISK_FULL)) {
        return -ENOSPC;
    }
    status = allocate(w, t, inode);
    if (status == 0) {
        inode_charge(inode);
        inode_touch(w, inode, true);
        inotify_event(w, inode, NULL, NULL, IN_MODIFY, 0);
    }
    return status;
}
