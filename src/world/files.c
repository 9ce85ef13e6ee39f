/* Open files: on a node's disk, of the machine, made up, and the console. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/rng.h"
#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

bool file_seekable(const struct file *f)
{
    return f->ops == &vfile_ops || f->ops == &hfile_ops || f->ops == &text_ops;
}

bool file_is_dir(const struct file *f)
{
    if (f->ops == &vfile_ops) {
        return S_ISDIR(((const struct vfile *)f)->inode->mode);
    }
    if (f->ops == &hfile_ops) {
        return S_ISDIR(((const struct hfile *)f)->st.st_mode);
    }
    return f->ops == &text_ops && ((const struct text_file *)f)->dir;
}

/* ---- a node's disk ---- */

/* O_DIRECT: sectors of the disk go to and from memory as they are. Linux lets some devices get
 * along with less; what is wrong for one must not go unnoticed. */
static bool is_aligned(const struct file *f, const struct uio *u, uint64_t at)
{
    const struct inode *inode = ((const struct vfile *)f)->inode;
    if ((f->flags & O_DIRECT) == 0 || inode->tmp) {
        return true;
    }
    uint64_t bits = at;
    for (uint32_t i = 0; i < u->n; i++) {
        bits |= (uintptr_t)u->iov[i].iov_base | u->iov[i].iov_len;
    }
    return bits % SECTOR == 0;
}

int64_t file_too_big(struct world *w, struct thread *t)
{
    signal_send_simple(w, t->proc, SIGXFSZ, SI_KERNEL, 0);
    return t->state == THREAD_DEAD ? (int64_t)CALL_GONE : -EFBIG;
}

static int64_t vfile_read(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    struct inode *inode = ((struct vfile *)f)->inode;
    uint64_t at = (uint64_t)(off != NULL ? *off : f->offset);
    int64_t total = 0;
    if (S_ISDIR(inode->mode)) {
        return -EISDIR;
    }
    if (at < inode_size(inode) && !is_aligned(f, u, at)) {
        return -EINVAL;
    }
    if (disk_take_fault(w, f->node, DISK_EIO_READ)) {
        return -EIO;
    }
    uint64_t most = uio_left(u);
    if (most > 1 && disk_take_fault(w, f->node, DISK_SHORT_READ)) {
        most = 1 + rng_below(&f->node->rng, most - 1);
    }
    bool corrupt = uio_left(u) > 0 && disk_take_fault(w, f->node, DISK_CORRUPT);
    while ((uint64_t)total < most) {
        size_t n = most - (uint64_t)total < ENGINE_BUF ? most - (uint64_t)total : ENGINE_BUF;
        int64_t got = inode_read(w, inode, at, w->engine->buf, n);
        if (got <= 0) {
            total = total != 0 ? total : got;
            break;
        }
        if (corrupt) {
            uint64_t bit = rng_below(&f->node->rng, (uint64_t)got * 8);
            w->engine->buf[bit / 8] ^= (uint8_t)(1U << (bit % 8));
            corrupt = false;
        }
        size_t put = uio_put(u, w->engine->buf, (size_t)got);
        total += (int64_t)put;
        at += put;
        if (put < (size_t)got) {
            total = total != 0 ? total : -EFAULT;
            break;
        }
    }
    if (off == NULL && total > 0) {
        f->offset += total;
    }
    return total;
}

/* ---- seals ---- */

int64_t file_seals(const struct file *f)
{
    const struct inode *inode = f->ops == &vfile_ops ? ((const struct vfile *)f)->inode : NULL;
    if (inode == NULL || !inode->tmp || !S_ISREG(inode->mode)) {
        return -EINVAL;
    }
    return inode->sealable ? (int64_t)inode->seals : F_SEAL_SEAL;
}

int64_t file_add_seals(const struct file *f, uint32_t seals)
{
    const uint32_t known =
        F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_FUTURE_WRITE;
    if ((f->flags & O_ACCMODE) == O_RDONLY) {
        return -EPERM;
    }
    int64_t old = (seals & ~known) != 0 ? -EINVAL : file_seals(f);
    if (old < 0 || (old & F_SEAL_SEAL) != 0) {
        return old < 0 ? old : -EPERM;
    }
    ((const struct vfile *)f)->inode->seals |= seals;
    return 0;
}

bool seals_forbid_size(struct inode *inode, uint64_t size)
{
    uint32_t forbidden = size < inode_size(inode)   ? F_SEAL_SHRINK
                         : size > inode_size(inode) ? F_SEAL_GROW
                                                    : 0;
    return (inode->seals & forbidden) != 0;
}

bool seals_forbid_write(struct inode *inode, uint64_t end)
{
    return (inode->seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)) != 0 ||
           (end > inode_size(inode) && (inode->seals & F_SEAL_GROW) != 0);
}

static int64_t vfile_write(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    struct inode *inode = ((struct vfile *)f)->inode;
    uint64_t at = (uint64_t)(off != NULL ? *off : f->offset);
    uint64_t most = uio_left(u);
    int64_t total = 0;
    if ((f->flags & O_APPEND) != 0) {
        at = inode_size(inode);
    }
    if (most == 0) {
        return 0;
    }
    if (seals_forbid_write(inode, at + most)) {
        return -EPERM;
    }
    uint64_t limit = u->t->proc->file_limit[0];
    if (at >= limit) {
        return file_too_big(w, u->t);
    }
    most = most < limit - at ? most : limit - at;
    if (!is_aligned(f, u, at)) {
        return -EINVAL;
    }
    if (disk_take_fault(w, f->node, DISK_EIO_WRITE)) {
        return -EIO;
    }
    if (disk_take_fault(w, f->node, DISK_FULL)) {
        return -ENOSPC;
    }
    if (most > 1 && disk_take_fault(w, f->node, DISK_SHORT_WRITE)) {
        most = 1 + rng_below(&f->node->rng, most - 1);
    }
    bool astray = most > 0 && disk_take_fault(w, f->node, DISK_MISDIRECT);
    while ((uint64_t)total < most) {
        size_t n = most - (uint64_t)total < ENGINE_BUF ? most - (uint64_t)total : ENGINE_BUF;
        size_t got = uio_get(u, w->engine->buf, n);
        size_t fits = (size_t)inode_fits(w, inode, at, got);
        int64_t status = got == 0 ? -EFAULT : fits == 0 ? inode_room(w, inode, at, got) : 0;
        most = fits < got ? (uint64_t)total + fits : most; /* the disk is full then */
        got = fits;
        hash_data(w, w->engine->buf, got);
        if (status == 0 && astray) {
            disk_write_astray(w, inode, at, w->engine->buf, got);
        } else if (status == 0) {
            status = inode_write(w, inode, at, w->engine->buf, got);
        }
        if (status != 0) {
            total = total != 0 ? total : status;
            break;
        }
        at += got;
        total += (int64_t)got;
    }
    if (total > 0) {
        if (off == NULL) {
            f->offset = (int64_t)at;
        }
        if ((f->flags & O_DSYNC) != 0) {
            disk_sync(w, inode);
        }
        inotify_event(w, inode, NULL, NULL, IN_MODIFY, 0);
    }
    return total;
}

static void vfile_release(struct world *w, struct file *f)
{
    struct inode *inode = ((struct vfile *)f)->inode;
    bool wrote = (f->flags & O_ACCMODE) != O_RDONLY;
    inotify_event(w, inode, NULL, NULL, wrote ? IN_CLOSE_WRITE : IN_CLOSE_NOWRITE, 0);
    heap_free(w->heap, f->listing);
    inode->files--;
    inotify_gone(w, inode);
    inode_unref(w, inode);
}

static void vfile_stat(struct world *w, struct file *f, struct stat *st)
{
    (void)w;
    inode_stat(((struct vfile *)f)->inode, st);
}

static int64_t vfile_ioctl(struct world *w, struct thread *t, struct file *f, uint64_t cmd,
                           uint64_t arg)
{
    (void)w;
    struct inode *inode = ((struct vfile *)f)->inode;
    int left = (int)((int64_t)inode_size(inode) - f->offset);
    if (cmd != FIONREAD || !S_ISREG(inode->mode)) {
        return -ENOTTY;
    }
    return mem_write(t, arg, &left, sizeof left) ? 0 : -EFAULT;
}

const struct file_ops vfile_ops = {
    .name = "file",
    .ioctl = vfile_ioctl,
    .read = vfile_read,
    .write = vfile_write,
    .release = vfile_release,
    .stat = vfile_stat,
};

/* ---- the machine's files ---- */

void host_stat_fix(struct stat *st)
{
    st->st_atim = st->st_mtim; /* reading changes it */
    st->st_dev = 0x1f;
}

static int64_t hfile_read(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    struct hfile *h = (struct hfile *)f;
    int64_t at = off != NULL ? *off : f->offset, total = 0;
    if (S_ISDIR(h->st.st_mode)) {
        return -EISDIR;
    }
    while (uio_left(u) > 0) {
        size_t n = uio_left(u) < ENGINE_BUF ? uio_left(u) : ENGINE_BUF;
        ssize_t got = pread(h->fd, w->engine->buf, n, at + total);
        if (got <= 0) {
            total = total != 0 || got == 0 ? total : -errno;
            break;
        }
        size_t put = uio_put(u, w->engine->buf, (size_t)got);
        total += (int64_t)put;
        if (put < (size_t)got) {
            total = total != 0 ? total : -EFAULT;
            break;
        }
    }
    if (off == NULL && total > 0) {
        f->offset += total;
    }
    return total;
}

static void hfile_release(struct world *w, struct file *f)
{
    heap_free(w->heap, f->listing);
}

static void hfile_stat(struct world *w, struct file *f, struct stat *st)
{
    (void)w;
    *st = ((struct hfile *)f)->st;
    host_stat_fix(st);
}

const struct file_ops hfile_ops = {
    .name = "file",
    .read = hfile_read,
    .release = hfile_release,
    .stat = hfile_stat,
};

static int64_t host_open(struct world *w, struct thread *t, const struct found *at, int flags,
                         struct file **ret_file)
{
    struct stat st;
    int status = (flags & O_NOFOLLOW) != 0 ? lstat(at->path, &st) : stat(at->path, &st);
    if (status != 0) {
        return (flags & O_CREAT) != 0 && errno == ENOENT ? -EROFS : -errno;
    }
    if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
        return -EEXIST;
    }
    bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC) != 0;
    if (writes) {
        return S_ISDIR(st.st_mode) ? -EISDIR : -EROFS;
    }
    if (S_ISLNK(st.st_mode) && (flags & O_PATH) == 0) {
        return -ELOOP;
    }
    if ((flags & O_DIRECTORY) != 0 && !S_ISDIR(st.st_mode)) {
        return -ENOTDIR;
    }
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) && (flags & O_PATH) == 0) {
        return -ENXIO;
    }
    if ((flags & O_PATH) == 0 && !host_may(t, CRED_FS, at->path, &st, R_OK)) {
        return -EACCES;
    }
    host_tell(w, at->path);
    int fd = host_open_fd(w, at->path, flags & (O_DIRECTORY | O_PATH));
    if (fd < 0 && (flags & O_PATH) == 0) {
        return fd;
    }
    struct hfile *h = file_new(w, t->proc->node, &hfile_ops, sizeof *h, flags & ~O_CLOEXEC);
    h->fd = fd;
    h->st = st;
    h->f.path = heap_strdup(w, at->path);
    *ret_file = &h->f;
    return 0;
}

/* ---- made-up text ---- */

static int64_t text_read(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)w;
    struct text_file *x = (struct text_file *)f;
    uint64_t at = (uint64_t)(off != NULL ? *off : f->offset);
    if (x->dir) {
        return -EISDIR;
    }
    if (at >= x->n) {
        return 0;
    }
    size_t n = x->n - at < uio_left(u) ? x->n - at : uio_left(u);
    size_t put = uio_put(u, x->text + at, n);
    if (off == NULL) {
        f->offset += (int64_t)put;
    }
    return put == 0 && n != 0 ? -EFAULT : (int64_t)put;
}

static int64_t text_write(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)w;
    (void)f;
    (void)off;
    size_t n = uio_left(u);
    u->done = u->total; /* settings that nothing depends on, such as oom_score_adj */
    return (int64_t)n;
}

static void text_release(struct world *w, struct file *f)
{
    heap_free(w->heap, f->listing);
    heap_free(w->heap, ((struct text_file *)f)->text);
}

static void text_stat(struct world *w, struct file *f, struct stat *st)
{
    (void)w;
    const struct text_file *x = (struct text_file *)f;
    *st = (struct stat){
        .st_mode = x->mode, .st_ino = x->ino, .st_nlink = 1, .st_blksize = 1024, .st_dev = 0x22};
}

const struct file_ops text_ops = {
    .name = "file",
    .read = text_read,
    .write = text_write,
    .release = text_release,
    .stat = text_stat,
};

/* ---- console: standard output and error of a node ---- */

struct console {
    struct file f;
    int number;
};

static int64_t console_write(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    int64_t total = 0;
    while (uio_left(u) > 0) {
        size_t n = uio_left(u) < ENGINE_BUF ? uio_left(u) : ENGINE_BUF;
        size_t got = uio_get(u, w->engine->buf, n);
        if (got == 0) {
            return total != 0 ? total : -EFAULT;
        }
        hash_data(w, w->engine->buf, got);
        node_output(w, f->node, ((struct console *)f)->number, (const char *)w->engine->buf, got);
        total += (int64_t)got;
    }
    if (f->node->log_bytes > w->limits.log_bytes) {
        return stop_run(w, ERR_LIMIT, "node %s has printed more than %llu bytes", f->node->name,
                        (unsigned long long)w->limits.log_bytes);
    }
    return total;
}

static uint32_t console_poll(struct world *w, struct file *f)
{
    (void)w;
    (void)f;
    return (uint32_t)EPOLLOUT;
}

static void console_stat(struct world *w, struct file *f, struct stat *st)
{
    (void)w;
    *st = (struct stat){
        .st_mode = S_IFIFO | 0600, .st_ino = f->id, .st_nlink = 1, .st_blksize = 4096};
}

static const struct file_ops console_ops = {
    .name = "console",
    .write = console_write,
    .poll = console_poll,
    .stat = console_stat,
};

struct file *console_new(struct world *w, struct node *node, int fd)
{
    struct console *c = file_new(w, node, &console_ops, sizeof *c, O_WRONLY);
    c->number = fd;
    return &c->f;
}

/* ---- opening ---- */

static int64_t node_create(struct world *w, struct thread *t, struct found *at, unsigned mode)
{
    if (at->dir == NULL) {
        return -ENOENT;
    }
    int64_t status = node_may_make(t, at->dir);
    if (status != 0) {
        return status;
    }
    mode = mode & 07777 & ~t->proc->cwd->umask;
    at->inode = inode_of(w, t, S_IFREG | mode, at->dir->tmp);
    dir_link(w, at->dir, at->name, at->inode);
    inotify_event(w, at->inode, at->dir, at->name, IN_CREATE, 0);
    return 0;
}

/* What opening a file asks of its mode. */
static unsigned wanted(int flags)
{
    int access = flags & O_ACCMODE;
    unsigned want = access == O_RDONLY ? R_OK : access == O_WRONLY ? W_OK : R_OK | W_OK;
    return (flags & O_PATH) != 0 ? 0 : (flags & O_TRUNC) != 0 ? want | W_OK : want;
}

static int64_t node_open(struct world *w, struct thread *t, struct found *at, int flags,
                         unsigned mode, struct file **ret_file)
{
    bool made = false;
    if ((flags & O_TMPFILE) == O_TMPFILE) {
        if (at->inode == NULL || !S_ISDIR(at->inode->mode)) {
            return at->inode == NULL ? -ENOENT : -ENOTDIR;
        }
        if (node_may_make(t, at->inode) != 0) {
            return -EACCES;
        }
        at->inode = inode_of(w, t, S_IFREG | (mode & 07777 & ~t->proc->cwd->umask), at->inode->tmp);
        flags &= ~O_TMPFILE;
    } else if (at->inode == NULL) {
        int64_t status = (flags & O_CREAT) == 0 ? -ENOENT : node_create(w, t, at, mode);
        if (status != 0) {
            return status;
        }
        made = true;
    }
    struct inode *inode = at->inode;
    bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC) != 0;
    if (!made) {
        if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
            return -EEXIST;
        }
        if (S_ISLNK(inode->mode) && (flags & O_PATH) == 0) {
            return -ELOOP;
        }
        if (S_ISDIR(inode->mode) && (writes || (flags & O_CREAT) != 0)) {
            return -EISDIR;
        }
        if ((flags & O_DIRECTORY) != 0 && !S_ISDIR(inode->mode)) {
            return -ENOTDIR;
        }
        if (!node_may(t, CRED_FS, inode, wanted(flags))) {
            return -EACCES;
        }
        if ((S_ISSOCK(inode->mode) || S_ISCHR(inode->mode)) && (flags & O_PATH) == 0) {
            return -ENXIO;
        }
        if (S_ISFIFO(inode->mode) && (flags & O_PATH) == 0) {
            return fifo_open(w, t, inode, flags, ret_file);
        }
        if ((flags & O_TRUNC) != 0 && writes && S_ISREG(inode->mode)) {
            (void)inode_truncate(w, inode, 0);
            inotify_event(w, inode, NULL, NULL, IN_MODIFY, 0);
        }
    }
    struct vfile *v = file_new(w, t->proc->node, &vfile_ops, sizeof *v,
                               flags & ~(O_CLOEXEC | O_CREAT | O_EXCL | O_TRUNC | O_NOCTTY));
    v->inode = inode;
    inode->opens++;
    inode->files++;
    v->f.path = heap_strdup(w, at->path);
    inotify_event(w, inode, NULL, NULL, IN_OPEN, 0);
    *ret_file = &v->f;
    return 0;
}

int64_t file_open(struct world *w, struct thread *t, struct found *at, int flags, unsigned mode,
                  struct file **ret_file)
{
    switch (at->place) {
    case PLACE_NODE: return node_open(w, t, at, flags, mode, ret_file);
    case PLACE_HOST: return host_open(w, t, at, flags, ret_file);
    case PLACE_MADE: return made_open(w, t, at->path, flags, ret_file);
    }
    return -ENOENT;
}

/* Where no descriptor is left: nothing is looked for, made or cut. */
static int64_t open_full(struct thread *t, uint64_t path)
{
    char text[PATH_MAX];
    int64_t status = mem_path(t, path, text);
    return status != 0 ? status : text[0] == '\0' ? -ENOENT : -EMFILE;
}

static int64_t do_open(struct world *w, struct thread *t, int dirfd, uint64_t path, uint64_t how,
                       unsigned mode)
{
    struct found at;
    if (!fd_room(t->proc)) {
        return open_full(t, path);
    }
    int flags = (int)how;
    if ((flags & O_PATH) != 0) {
        flags &= O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    } else {
        flags |= FILE_LARGE;
    }
    int create = (flags & O_CREAT) != 0 ? WALK_CREATE : 0;
    bool nofollow = (flags & O_NOFOLLOW) != 0 || (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
    int64_t status = path_arg(w, t, dirfd, path, (nofollow ? WALK_NOFOLLOW : 0) | create, &at);
    struct file *f = NULL;
    status = status != 0 ? status : file_open(w, t, &at, flags, mode, &f);
    if (status != 0) {
        return status;
    }
    return fd_add(w, t->proc, f, (flags & O_CLOEXEC) != 0, 0);
}

int64_t call_open(struct world *w, struct thread *t)
{
    return do_open(w, t, AT_FDCWD, t->a[0], t->a[1], (unsigned)t->a[2]);
}

int64_t call_openat(struct world *w, struct thread *t)
{
    return do_open(w, t, (int)t->a[0], t->a[1], t->a[2], (unsigned)t->a[3]);
}

int64_t call_creat(struct world *w, struct thread *t)
{
    return do_open(w, t, AT_FDCWD, t->a[0], O_CREAT | O_WRONLY | O_TRUNC, (unsigned)t->a[1]);
}

int64_t call_memfd_create(struct world *w, struct thread *t)
{
    char name[250];
    int status = tracee_read_string(t->real, TADDR(t->a[0]), name, sizeof name);
    if (status != 0) {
        return status == -ENAMETOOLONG ? -EINVAL : status;
    }
    struct node *node = t->proc->node;
    struct vfile *v = file_new(w, node, &vfile_ops, sizeof *v, O_RDWR | FILE_LARGE);
    v->inode = inode_of(w, t, S_IFREG | 0777, true);
    v->inode->sealable = (t->a[1] & MFD_ALLOW_SEALING) != 0;
    v->inode->opens++;
    v->inode->files++;
    char path[300];
    (void)snprintf(path, sizeof path, "/memfd:%s (deleted)", name);
    v->f.path = heap_strdup(w, path);
    return fd_add(w, t->proc, &v->f, (t->a[1] & 1) != 0, 0);
}

/* ---- position, size, sync ---- */

int64_t file_stat(struct world *w, struct file *f, struct stat *st)
{
    *st = (struct stat){0};
    if (f->ops->stat != NULL) {
        f->ops->stat(w, f, st);
    }
    return 0;
}

static int64_t seek_data(const struct world *w, struct file *f, int64_t off, bool hole)
{
    struct stat st;
    if (f->ops == &vfile_ops) {
        return inode_seek(w, ((struct vfile *)f)->inode, off, hole);
    }
    (void)file_stat(NULL, f, &st);
    if (off < 0 || off >= st.st_size) {
        return -ENXIO;
    }
    return hole ? st.st_size : off; /* one piece of data, with a hole at its end */
}

int64_t call_lseek(struct world *w, struct thread *t)
{
    struct file *f = fd_get(t, t->a[0]);
    int64_t off = (int64_t)t->a[1];
    if (f == NULL || t->a[2] > SEEK_HOLE) {
        return f == NULL ? -EBADF : -EINVAL;
    }
    if (!file_seekable(f) && !f->ops->seekable) {
        return f->ops->no_seek ? 0 : -ESPIPE;
    }
    struct stat st;
    (void)file_stat(w, f, &st);
    int64_t size = file_is_dir(f) ? 0 : st.st_size;
    switch (t->a[2]) {
    case SEEK_SET: break;
    case SEEK_CUR: off += f->offset; break;
    case SEEK_END: off += size; break;
    case SEEK_DATA:
    case SEEK_HOLE:
        off = seek_data(w, f, off, t->a[2] == SEEK_HOLE);
        if (off < 0) {
            return off;
        }
        break;
    default: return -EINVAL;
    }
    if (off < 0) {
        return -EINVAL;
    }
    f->offset = off;
    if (off == 0 && f->listing != NULL) {
        heap_free(w->heap, f->listing);
        f->listing = NULL;
    }
    return off;
}

static struct inode *writable_inode(struct thread *t, int64_t *ret_status)
{
    struct file *f = fd_get(t, t->a[0]);
    if (f == NULL) {
        *ret_status = -EBADF;
        return NULL;
    }
    if (f->ops != &vfile_ops || (f->flags & O_ACCMODE) == O_RDONLY) {
        *ret_status = -EINVAL;
        return NULL;
    }
    *ret_status = 0;
    return ((struct vfile *)f)->inode;
}

int64_t call_ftruncate(struct world *w, struct thread *t)
{
    int64_t status = 0;
    if ((int64_t)t->a[1] < 0) {
        return -EINVAL;
    }
    struct inode *inode = writable_inode(t, &status);
    if (status != 0) {
        return status;
    }
    if (t->a[1] > t->proc->file_limit[0]) {
        return file_too_big(w, t);
    }
    if (seals_forbid_size(inode, t->a[1])) {
        return -EPERM;
    }
    status = inode_truncate(w, inode, t->a[1]);
    if (status == 0) {
        inotify_event(w, inode, NULL, NULL, IN_MODIFY, 0);
    }
    return status;
}

int64_t call_truncate(struct world *w, struct thread *t)
{
    struct found at;
    if ((int64_t)t->a[1] < 0) {
        return -EINVAL;
    }
    int64_t status = path_arg(w, t, AT_FDCWD, t->a[0], 0, &at);
    if (status != 0) {
        return status;
    }
    if (at.place == PLACE_HOST) {
        return host_is_dir(w, at.path) ? -EISDIR : -EROFS;
    }
    if (at.place != PLACE_NODE || at.inode == NULL) {
        return at.place == PLACE_NODE ? -ENOENT : -EROFS;
    }
    if (!S_ISREG(at.inode->mode)) {
        return S_ISDIR(at.inode->mode) ? -EISDIR : -EINVAL;
    }
    if (!node_may(t, CRED_FS, at.inode, W_OK)) {
        return -EACCES;
    }
    if (t->a[1] > t->proc->file_limit[0]) {
        return file_too_big(w, t);
    }
    return inode_truncate(w, at.inode, t->a[1]);
}

static int64_t do_fsync(struct world *w, struct thread *t)
{
    struct file *f = fd_get(t, t->a[0]);
    if (f == NULL) {
        return -EBADF;
    }
    if (f->ops == &vfile_ops) {
        if (disk_wait(w, t) != 0) {
            return CALL_BLOCK;
        }
        if (disk_take_fault(w, t->proc->node, DISK_EIO_SYNC)) {
            return -EIO;
        }
        disk_sync(w, ((struct vfile *)f)->inode);
        if (w->engine->on_sync != NULL) {
            w->engine->on_sync(w->engine->sync_arg, t->proc->node->index);
        }
        return 0;
    }
    return file_seekable(f) ? 0 : -EINVAL;
}

int64_t call_fsync(struct world *w, struct thread *t)
{
    return do_fsync(w, t);
}

int64_t call_fdatasync(struct world *w, struct thread *t)
{
    return do_fsync(w, t);
}

int64_t call_sync_file_range(struct world *w, struct thread *t)
{
    const uint64_t known =
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    struct file *f = fd_get(t, t->a[0]);
    struct stat st;
    if (f == NULL || (t->a[3] & ~known) != 0) {
        return f == NULL ? -EBADF : -EINVAL;
    }
    (void)file_stat(w, f, &st);
    return S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)
               ? 0
               : -ESPIPE; /* promises nothing: does nothing */
}

int64_t call_sync(struct world *w, struct thread *t)
{
    if (disk_wait(w, t) != 0) {
        return CALL_BLOCK;
    }
    disk_sync_all(w, t->proc->node);
    return 0;
}

int64_t call_syncfs(struct world *w, struct thread *t)
{
    if (fd_get(t, t->a[0]) == NULL) {
        return -EBADF;
    }
    if (disk_wait(w, t) != 0) {
        return CALL_BLOCK;
    }
    disk_sync_all(w, t->proc->node);
    return 0;
}

int64_t call_fadvise64(struct world *w, struct thread *t)
{
    (void)w;
    struct file *f = fd_get(t, t->a[0]);
    return f == NULL ? -EBADF : pipe_fifo(f) != NULL ? -ESPIPE : t->a[3] > 5 ? -EINVAL : 0;
}

int64_t call_readahead(struct world *w, struct thread *t)
{
    (void)w;
    struct file *f = fd_get(t, t->a[0]);
    if (f == NULL || (f->flags & O_ACCMODE) == O_WRONLY) {
        return -EBADF;
    }
    return file_seekable(f) && !file_is_dir(f) ? 0 : -EINVAL;
}

/* ---- listing directories ---- */

struct entry {
    uint64_t ino;
    uint8_t type;
    char name[NAME_MAX + 1];
};
struct listing {
    uint32_t n, cap;
    struct entry v[];
};

static struct listing *list_add(struct world *w, struct listing *list, uint64_t ino, uint8_t type,
                                const char *name)
{
    if (list == NULL || list->n == list->cap) {
        uint32_t cap = list == NULL ? 16 : list->cap * 2;
        list = heap_realloc(w->heap, list, sizeof *list + cap * sizeof list->v[0]);
        list->cap = cap;
    }
    struct entry *e = &list->v[list->n++];
    *e = (struct entry){.ino = ino, .type = type};
    (void)snprintf(e->name, sizeof e->name, "%s", name);
    return list;
}

static bool list_has(const struct listing *list, const char *name)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (strcmp(list->v[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void list_sort(struct listing *list)
{
    for (uint32_t i = 3; i < list->n; i++) { /* after . and .., which come first */
        struct entry e = list->v[i];
        uint32_t k = i;
        for (; k > 2 && strcmp(list->v[k - 1].name, e.name) > 0; k--) {
            list->v[k] = list->v[k - 1];
        }
        list->v[k] = e;
    }
}

/* Directories of the node that lie in this directory of the machine. */
static struct listing *list_mounts(struct world *w, struct listing *list, const struct file *f)
{
    size_t n = strcmp(f->path, "/") == 0 ? 0 : strlen(f->path);
    for (uint32_t i = 0; i < f->node->n_mounts; i++) {
        const char *path = f->node->mounts[i].path;
        if (strncmp(path, f->path, n) == 0 && path[n] == '/') {
            char name[NAME_MAX + 1];
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(path + n + 1, "/"),
                           path + n + 1);
            if (!list_has(list, name)) {
                list = list_add(w, list, f->node->mounts[i].root->ino, DT_DIR, name);
            }
        }
    }
    return list;
}

static struct listing *list_host(struct world *w, struct listing *list, const struct file *f)
{
    DIR *dir = opendir(f->path);
    if (dir == NULL) {
        return list;
    }
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            list = list_add(w, list, e->d_ino, e->d_type, e->d_name);
        }
    }
    (void)closedir(dir);
    return list_mounts(w, list, f);
}

static struct listing *list_make(struct world *w, struct file *f)
{
    struct listing *list = list_add(w, NULL, 1, DT_DIR, ".");
    list = list_add(w, list, 1, DT_DIR, "..");
    if (f->ops == &vfile_ops) {
        const struct dir *dir = &((struct vfile *)f)->inode->dir;
        for (uint32_t i = 0; i < dir->n; i++) {
            list = list_add(w, list, dir->v[i].inode->ino,
                            (uint8_t)(dir->v[i].inode->mode >> 12 & 15), dir->v[i].name);
        }
        return list;
    }
    if (f->ops == &hfile_ops) {
        list = list_host(w, list, f);
    } else {
        const struct text_file *x = (struct text_file *)f;
        for (size_t at = 0; at < x->n; at += strlen(x->text + at) + 1) {
            list = list_add(w, list, 1, DT_UNKNOWN, x->text + at);
        }
    }
    list_sort(list);
    return list;
}

/* One entry, in the new form or in the old one, where the type comes last. */
static void put_entry(uint8_t *out, const struct entry *e, int64_t next, uint16_t len, bool old)
{
    size_t name = old ? 18 : 19;
    memset(out, 0, len);
    memcpy(out, &e->ino, 8);
    memcpy(out + 8, &next, 8);
    memcpy(out + 16, &len, 2);
    out[old ? len - 1 : 18] = e->type;
    memcpy(out + name, e->name, strlen(e->name));
}

static int64_t get_entries(struct world *w, struct thread *t, bool old)
{
    struct file *f = fd_get(t, t->a[0]);
    if (f == NULL) {
        return -EBADF;
    }
    if (!file_is_dir(f)) {
        return -ENOTDIR;
    }
    if (f->listing == NULL) {
        f->listing = list_make(w, f);
    }
    uint8_t *out = w->engine->buf;
    uint64_t n = 0, most = t->a[2] < ENGINE_BUF ? t->a[2] : ENGINE_BUF;
    for (; (uint64_t)f->offset < f->listing->n; f->offset++) {
        const struct entry *e = &f->listing->v[f->offset];
        uint16_t len = (uint16_t)((19 + strlen(e->name) + 1 + 7) & ~(size_t)7);
        if (n + len > most) {
            if (n == 0) {
                return -EINVAL;
            }
            break;
        }
        put_entry(out + n, e, f->offset + 1, len, old);
        n += len;
    }
    return mem_write(t, t->a[1], out, n) ? (int64_t)n : -EFAULT;
}

int64_t call_getdents64(struct world *w, struct thread *t)
{
    return get_entries(w, t, false);
}

int64_t call_getdents(struct world *w, struct thread *t)
{
    return get_entries(w, t, true);
}
