/* Calls that take paths: looking at files, making and removing names. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/stat.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <sys/time.h>

#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

/* ---- stat ---- */

int64_t stat_found(struct world *w, struct thread *t, const struct found *at, bool follow,
                   struct stat *st)
{
    switch (at->place) {
    case PLACE_NODE:
        if (at->inode == NULL) {
            return -ENOENT;
        }
        if (at->slash && !S_ISDIR(at->inode->mode)) {
            return -ENOTDIR;
        }
        inode_stat(at->inode, st);
        return 0;
    case PLACE_HOST: {
        int status = follow ? stat(at->path, st) : lstat(at->path, st);
        if (status != 0) {
            return -errno;
        }
        if (at->slash && !S_ISDIR(st->st_mode)) {
            return -ENOTDIR;
        }
        host_tell(w, at->path);
        host_stat_fix(st);
        return 0;
    }
    case PLACE_MADE: return made_stat(w, t, at->path, st);
    }
    return -ENOENT;
}

static int64_t do_stat(struct world *w, struct thread *t, int dirfd, uint64_t path, int flags,
                       struct stat *st)
{
    struct found at;
    char first = 0;
    if ((flags & AT_EMPTY_PATH) != 0 &&
        (path == 0 || (mem_read(t, path, &first, 1) && first == 0))) {
        if (dirfd != AT_FDCWD) {
            struct file *f = fd_get_any(t, (uint64_t)(uint32_t)dirfd);
            return f == NULL ? -EBADF : file_stat(w, f, st);
        }
    }
    bool nofollow = (flags & AT_SYMLINK_NOFOLLOW) != 0;
    int walk = (nofollow ? WALK_NOFOLLOW : 0) | ((flags & AT_EMPTY_PATH) != 0 ? WALK_EMPTY : 0);
    int64_t status = path_arg(w, t, dirfd, path, walk, &at);
    return status != 0 ? status : stat_found(w, t, &at, !nofollow, st);
}

static int64_t put_stat(struct thread *t, uint64_t to, int64_t status, const struct stat *st)
{
    if (status != 0) {
        return status;
    }
    return mem_write(t, to, st, sizeof *st) ? 0 : -EFAULT;
}

int64_t call_stat(struct world *w, struct thread *t)
{
    struct stat st;
    return put_stat(t, t->a[1], do_stat(w, t, AT_FDCWD, t->a[0], 0, &st), &st);
}

int64_t call_lstat(struct world *w, struct thread *t)
{
    struct stat st;
    return put_stat(t, t->a[1], do_stat(w, t, AT_FDCWD, t->a[0], AT_SYMLINK_NOFOLLOW, &st), &st);
}

int64_t call_fstat(struct world *w, struct thread *t)
{
    struct stat st;
    struct file *f = fd_get_any(t, t->a[0]);
    return put_stat(t, t->a[1], f == NULL ? -EBADF : file_stat(w, f, &st), &st);
}

int64_t call_newfstatat(struct world *w, struct thread *t)
{
    struct stat st;
    int flags = (int)t->a[3];
    if ((flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_NO_AUTOMOUNT)) != 0) {
        return -EINVAL;
    }
    return put_stat(t, t->a[2], do_stat(w, t, (int)t->a[0], t->a[1], flags, &st), &st);
}

int64_t call_statx(struct world *w, struct thread *t)
{
    struct stat st;
    int64_t status = do_stat(w, t, (int)t->a[0], t->a[1], (int)t->a[2], &st);
    if (status != 0) {
        return status;
    }
    struct statx x = {
        .stx_mask = STATX_BASIC_STATS,
        .stx_blksize = (uint32_t)st.st_blksize,
        .stx_nlink = (uint32_t)st.st_nlink,
        .stx_uid = st.st_uid,
        .stx_gid = st.st_gid,
        .stx_mode = (uint16_t)st.st_mode,
        .stx_ino = st.st_ino,
        .stx_size = (uint64_t)st.st_size,
        .stx_blocks = (uint64_t)st.st_blocks,
        .stx_atime = {.tv_sec = st.st_atim.tv_sec, .tv_nsec = (uint32_t)st.st_atim.tv_nsec},
        .stx_mtime = {.tv_sec = st.st_mtim.tv_sec, .tv_nsec = (uint32_t)st.st_mtim.tv_nsec},
        .stx_ctime = {.tv_sec = st.st_ctim.tv_sec, .tv_nsec = (uint32_t)st.st_ctim.tv_nsec},
        .stx_rdev_major = major(st.st_rdev),
        .stx_rdev_minor = minor(st.st_rdev),
        .stx_dev_major = major(st.st_dev),
        .stx_dev_minor = minor(st.st_dev),
    };
    return mem_write(t, t->a[4], &x, sizeof x) ? 0 : -EFAULT;
}

static int64_t do_access(struct world *w, struct thread *t, int dirfd, uint64_t path, int mode,
                         int flags)
{
    struct found at;
    struct stat st;
    if ((mode & ~(R_OK | W_OK | X_OK)) != 0) {
        return -EINVAL;
    }
    int64_t status =
        path_arg(w, t, dirfd, path, (flags & AT_SYMLINK_NOFOLLOW) != 0 ? WALK_NOFOLLOW : 0, &at);
    status = status != 0 ? status : stat_found(w, t, &at, true, &st);
    if (status != 0) {
        return status;
    }
    if (at.place == PLACE_HOST) {
        if ((mode & W_OK) != 0) {
            return access(at.path, W_OK) == 0 || errno == EROFS ? -EROFS : -errno;
        }
        enum cred_id who = (flags & AT_EACCESS) != 0 ? CRED_EFFECTIVE : CRED_REAL;
        if (access(at.path, mode) != 0) {
            return -errno;
        }
        return host_may(t, who, at.path, &st, (unsigned)mode) ? 0 : -EACCES;
    }
    if (at.place == PLACE_NODE) {
        enum cred_id who = (flags & AT_EACCESS) != 0 ? CRED_EFFECTIVE : CRED_REAL;
        return node_may(t, who, at.inode, (unsigned)mode) ? 0 : -EACCES;
    }
    bool executable = (st.st_mode & 0111) != 0 || S_ISDIR(st.st_mode);
    return (mode & X_OK) != 0 && !executable ? -EACCES : 0;
}

int64_t call_access(struct world *w, struct thread *t)
{
    return do_access(w, t, AT_FDCWD, t->a[0], (int)t->a[1], 0);
}

int64_t call_faccessat(struct world *w, struct thread *t)
{
    return do_access(w, t, (int)t->a[0], t->a[1], (int)t->a[2], 0);
}

int64_t call_faccessat2(struct world *w, struct thread *t)
{
    return do_access(w, t, (int)t->a[0], t->a[1], (int)t->a[2], (int)t->a[3]);
}

static int64_t do_readlink(struct world *w, struct thread *t, int dirfd, uint64_t path, uint64_t to,
                           uint64_t size)
{
    struct found at;
    char target[PATH_MAX];
    int64_t n = 0;
    if ((int)size <= 0) {
        return -EINVAL;
    }
    int64_t status = path_arg(w, t, dirfd, path, WALK_NOFOLLOW, &at);
    if (status != 0) {
        return status;
    }
    if (at.place == PLACE_NODE) {
        if (at.inode == NULL || !S_ISLNK(at.inode->mode)) {
            return at.inode == NULL ? -ENOENT : -EINVAL;
        }
        n = (int64_t)strlen(at.inode->link);
        memcpy(target, at.inode->link, (size_t)n);
    } else if (at.place == PLACE_HOST) {
        n = readlink(at.path, target, sizeof target);
        n = n < 0 ? -errno : n;
    } else {
        n = made_readlink(w, t, at.path, target, sizeof target);
    }
    if (n < 0) {
        return n;
    }
    n = n < (int64_t)size ? n : (int64_t)size;
    return mem_write(t, to, target, (size_t)n) ? n : -EFAULT;
}

int64_t call_readlink(struct world *w, struct thread *t)
{
    return do_readlink(w, t, AT_FDCWD, t->a[0], t->a[1], t->a[2]);
}

int64_t call_readlinkat(struct world *w, struct thread *t)
{
    return do_readlink(w, t, (int)t->a[0], t->a[1], t->a[2], t->a[3]);
}

/* ---- making names ---- */

/* A place where something new may be made: on the node's disk, with a parent, and free. */
static int64_t free_place(struct world *w, struct thread *t, int dirfd, uint64_t path, bool dir,
                          struct found *at)
{
    int64_t status = path_arg(w, t, dirfd, path, WALK_NAME, at);
    if (status != 0) {
        return status;
    }
    if (at->place != PLACE_NODE) {
        struct stat st;
        return stat_found(w, t, at, false, &st) == 0 ? -EEXIST : -EROFS;
    }
    if (at->inode != NULL) {
        return -EEXIST;
    }
    return at->dir == NULL || (at->slash && !dir) ? -ENOENT : node_may_make(t, at->dir);
}

static void made_name(struct world *w, struct found *at, struct inode *inode)
{
    dir_link(w, at->dir, at->name, inode);
    uint32_t extra = S_ISDIR(inode->mode) ? (uint32_t)IN_ISDIR : 0;
    inotify_event(w, inode, at->dir, at->name, IN_CREATE | extra, 0);
}

static int64_t do_mkdir(struct world *w, struct thread *t, int dirfd, uint64_t path, uint64_t mode)
{
    struct found at;
    int64_t status = free_place(w, t, dirfd, path, true, &at);
    if (status != 0) {
        return status;
    }
    uint32_t bits = (uint32_t)mode & 01777 & ~t->proc->cwd->umask;
    made_name(w, &at, inode_of(w, t, S_IFDIR | bits, at.dir->tmp));
    return 0;
}

int64_t call_mkdir(struct world *w, struct thread *t)
{
    return do_mkdir(w, t, AT_FDCWD, t->a[0], t->a[1]);
}

int64_t call_mkdirat(struct world *w, struct thread *t)
{
    return do_mkdir(w, t, (int)t->a[0], t->a[1], t->a[2]);
}

static int64_t do_mknod(struct world *w, struct thread *t, int dirfd, uint64_t path, uint64_t mode)
{
    struct found at;
    uint32_t kind = (uint32_t)mode & S_IFMT;
    if (kind > S_IFSOCK || kind == S_IFDIR || kind == S_IFLNK) {
        return kind == S_IFDIR ? -EPERM : -EINVAL;
    }
    int64_t status = free_place(w, t, dirfd, path, false, &at);
    if (status != 0) {
        return status;
    }
    if (kind != 0 && kind != S_IFREG && kind != S_IFIFO && kind != S_IFSOCK) {
        return -EPERM;
    }
    uint32_t bits = (uint32_t)mode & 07777 & ~t->proc->cwd->umask;
    made_name(w, &at, inode_of(w, t, (kind == 0 ? S_IFREG : kind) | bits, at.dir->tmp));
    return 0;
}

int64_t call_mknod(struct world *w, struct thread *t)
{
    return do_mknod(w, t, AT_FDCWD, t->a[0], t->a[1]);
}

int64_t call_mknodat(struct world *w, struct thread *t)
{
    return do_mknod(w, t, (int)t->a[0], t->a[1], t->a[2]);
}

static int64_t do_symlink(struct world *w, struct thread *t, uint64_t target, int dirfd,
                          uint64_t path)
{
    struct found at;
    char text[PATH_MAX];
    int64_t status = mem_path(t, target, text);
    if (status == 0 && text[0] == '\0') {
        status = -ENOENT;
    }
    status = status != 0 ? status : free_place(w, t, dirfd, path, false, &at);
    if (status != 0) {
        return status;
    }
    struct inode *inode = inode_of(w, t, S_IFLNK | 0777, at.dir->tmp);
    inode->link = heap_strdup(w, text);
    made_name(w, &at, inode);
    return 0;
}

int64_t call_symlink(struct world *w, struct thread *t)
{
    return do_symlink(w, t, t->a[0], AT_FDCWD, t->a[1]);
}

int64_t call_symlinkat(struct world *w, struct thread *t)
{
    return do_symlink(w, t, t->a[0], (int)t->a[1], t->a[2]);
}

static int64_t do_link(struct world *w, struct thread *t, const int dirfd[2],
                       const uint64_t path[2], int flags)
{
    struct found from = {.place = PLACE_NODE}, to;
    int walk = (flags & AT_SYMLINK_FOLLOW) != 0 ? 0 : WALK_NOFOLLOW;
    int64_t status = 0;
    struct inode *inode = NULL;
    if ((flags & AT_EMPTY_PATH) != 0) {
        struct file *f = fd_get_any(t, (uint64_t)(uint32_t)dirfd[0]);
        if (f == NULL || f->ops != &vfile_ops) {
            return f == NULL ? -EBADF : -EXDEV;
        }
        inode = ((struct vfile *)f)->inode;
    } else {
        status = path_arg(w, t, dirfd[0], path[0], walk, &from);
        if (status == 0 && from.place == PLACE_MADE) {
            return -EXDEV;
        }
        inode = from.inode;
    }
    bool host = status == 0 && from.place == PLACE_HOST;
    if (status == 0 && inode == NULL && (!host || access(from.path, F_OK) != 0)) {
        status = -ENOENT;
    }
    status = status != 0 ? status : free_place(w, t, dirfd[1], path[1], false, &to);
    if (status != 0) {
        return status;
    }
    if (inode == NULL) {
        return -EXDEV;
    }
    if (S_ISDIR(inode->mode)) {
        return -EPERM;
    }
    if (inode->tmp != to.dir->tmp) {
        return -EXDEV;
    }
    inode_touch(w, inode, false);
    inotify_event(w, inode, inode, NULL, IN_ATTRIB, 0);
    made_name(w, &to, inode);
    return 0;
}

int64_t call_link(struct world *w, struct thread *t)
{
    return do_link(w, t, (const int[2]){AT_FDCWD, AT_FDCWD}, (const uint64_t[2]){t->a[0], t->a[1]},
                   0);
}

int64_t call_linkat(struct world *w, struct thread *t)
{
    return do_link(w, t, (const int[2]){(int)t->a[0], (int)t->a[2]},
                   (const uint64_t[2]){t->a[1], t->a[3]}, (int)t->a[4]);
}

/* ---- removing and renaming ---- */

static int64_t may_change(struct world *w, struct thread *t, const struct found *at)
{
    if (at->place != PLACE_NODE) {
        struct stat st;
        int64_t status = stat_found(w, t, at, false, &st);
        return status != 0 ? status : -EROFS;
    }
    if (at->inode == NULL) {
        return -ENOENT;
    }
    return at->mount_point && at->dots == 0 ? -EBUSY : 0;
}

static int64_t existing(struct world *w, struct thread *t, int dirfd, uint64_t path,
                        struct found *at)
{
    int64_t status = path_arg(w, t, dirfd, path, WALK_NAME, at);
    return status != 0 ? status : may_change(w, t, at);
}

/* Removes a name; whoever watches is told in the order of Linux. */
static void remove_name(struct world *w, const struct found *at, uint32_t extra)
{
    struct inode *inode = at->inode;
    inode->opens++;
    dir_unlink(w, at->dir, at->name);
    if (extra == 0) {
        inotify_event(w, inode, inode, NULL, IN_ATTRIB, 0);
    }
    inotify_gone(w, inode);
    inotify_event(w, inode, at->dir, at->name, IN_DELETE | extra, 0);
    inode_unref(w, inode);
}

static int64_t do_unlink(struct world *w, struct thread *t, int dirfd, uint64_t path)
{
    struct found at;
    int64_t status = existing(w, t, dirfd, path, &at);
    if (status != 0) {
        return status;
    }
    status = at.slash || at.dir == NULL ? 0 : node_may_remove(t, at.dir, at.inode);
    if (S_ISDIR(at.inode->mode) || at.slash || status != 0) {
        return status != 0 ? status : S_ISDIR(at.inode->mode) ? -EISDIR : -ENOTDIR;
    }
    remove_name(w, &at, 0);
    return 0;
}

static int64_t do_rmdir(struct world *w, struct thread *t, int dirfd, uint64_t path)
{
    struct found at;
    int64_t status = existing(w, t, dirfd, path, &at);
    if (status != 0) {
        return status;
    }
    if (at.dots != 0) {
        return at.dots == 1 ? -EINVAL : -ENOTEMPTY;
    }
    status = node_may_remove(t, at.dir, at.inode);
    if (status != 0) {
        return status;
    }
    if (!S_ISDIR(at.inode->mode) || at.inode->dir.n != 0) {
        return !S_ISDIR(at.inode->mode) ? -ENOTDIR : -ENOTEMPTY;
    }
    remove_name(w, &at, IN_ISDIR);
    return 0;
}

int64_t call_unlink(struct world *w, struct thread *t)
{
    return do_unlink(w, t, AT_FDCWD, t->a[0]);
}

int64_t call_rmdir(struct world *w, struct thread *t)
{
    return do_rmdir(w, t, AT_FDCWD, t->a[0]);
}

int64_t call_unlinkat(struct world *w, struct thread *t)
{
    if ((t->a[2] & ~(uint64_t)AT_REMOVEDIR) != 0) {
        return -EINVAL;
    }
    return (t->a[2] & AT_REMOVEDIR) != 0 ? do_rmdir(w, t, (int)t->a[0], t->a[1])
                                         : do_unlink(w, t, (int)t->a[0], t->a[1]);
}

static bool is_below(const struct inode *dir, const struct inode *top)
{
    for (; dir != NULL; dir = dir->parent) {
        if (dir == top) {
            return true;
        }
    }
    return false;
}

static int64_t check_exchange(const struct found *from, const struct found *to)
{
    const struct inode *a = from->inode, *b = to->inode;
    if (b == NULL) {
        return -ENOENT;
    }
    bool around =
        (S_ISDIR(a->mode) && is_below(to->dir, a)) || (S_ISDIR(b->mode) && is_below(from->dir, b));
    if (around) {
        return -EINVAL;
    }
    return (from->slash && !S_ISDIR(a->mode)) || (to->slash && !S_ISDIR(b->mode)) ? -ENOTDIR : 0;
}

/* Directories are not nested deeper than this; whoever walks them all counts on it. Longer paths
 * than that cannot be written, but a directory can be moved down. */
enum { DIRS_DEEP = 4096 };

static uint32_t dir_depth(const struct inode *dir)
{
    uint32_t n = 0;
    for (; dir != NULL; dir = dir->parent) {
        n++;
    }
    return n;
}

static uint32_t dir_height(const struct inode *dir)
{
    uint32_t highest = 0;
    for (uint32_t i = 0; i < dir->dir.n; i++) {
        const struct inode *inode = dir->dir.v[i].inode;
        uint32_t height = S_ISDIR(inode->mode) ? 1 + dir_height(inode) : 0;
        highest = height > highest ? height : highest;
    }
    return highest;
}

static bool too_deep(const struct inode *inode, const struct inode *to)
{
    uint32_t now = dir_depth(inode), then = dir_depth(to) + 1;
    return S_ISDIR(inode->mode) && then > now && then + dir_height(inode) > DIRS_DEEP;
}

/* Both names are taken out of their directories, or made in them; a directory that comes to lie in
 * another one is written to. */
static int64_t may_rename(const struct thread *t, const struct found *from, const struct found *to,
                          uint64_t flags)
{
    const struct inode *a = from->inode, *b = to->inode;
    int64_t status = node_may_remove(t, from->dir, a);
    if (status == 0) {
        status = b == NULL ? node_may_make(t, to->dir) : node_may_remove(t, to->dir, b);
    }
    bool exchange = (flags & RENAME_EXCHANGE) != 0 && b != NULL;
    bool written =
        from->dir != to->dir && ((S_ISDIR(a->mode) && !node_may(t, CRED_FS, a, W_OK)) ||
                                 (exchange && S_ISDIR(b->mode) && !node_may(t, CRED_FS, b, W_OK)));
    return status == 0 && written ? -EACCES : status;
}

static int64_t check_rename(const struct thread *t, const struct found *from,
                            const struct found *to, uint64_t flags)
{
    const struct inode *a = from->inode, *b = to->inode;
    if (to->place != PLACE_NODE || a->tmp != (b != NULL ? b : to->dir != NULL ? to->dir : a)->tmp) {
        return -EXDEV;
    }
    if (to->mount_point) {
        return -EBUSY;
    }
    if (to->dir == NULL) {
        return -ENOENT;
    }
    if (b != NULL && (flags & RENAME_NOREPLACE) != 0) {
        return -EEXIST;
    }
    if (a == b) {
        return (from->slash || to->slash) && !S_ISDIR(a->mode) ? -ENOTDIR : 0;
    }
    if ((flags & RENAME_EXCHANGE) != 0) {
        int64_t status = check_exchange(from, to);
        return status != 0 ? status : may_rename(t, from, to, flags);
    }
    if (S_ISDIR(a->mode) && is_below(to->dir, a)) {
        return -EINVAL;
    }
    if (too_deep(a, to->dir)) {
        return -ENAMETOOLONG;
    }
    if (!S_ISDIR(a->mode) && (to->slash || from->slash)) {
        return -ENOTDIR;
    }
    if (b != NULL && S_ISDIR(b->mode) && is_below(from->dir, b)) {
        return -ENOTEMPTY; /* of all things, it holds what is moved */
    }
    int64_t status = may_rename(t, from, to, flags);
    if (status != 0) {
        return status;
    }
    if (b != NULL && S_ISDIR(a->mode) != S_ISDIR(b->mode)) {
        return S_ISDIR(a->mode) ? -ENOTDIR : -EISDIR;
    }
    return b != NULL && S_ISDIR(b->mode) && b->dir.n != 0 ? -ENOTEMPTY : 0;
}

/* Tells who watches that something has another name now. */
static void tell_moved(struct world *w, struct inode *inode, const struct found *from,
                       const struct found *to, struct inode *over)
{
    uint32_t cookie = (uint32_t)++inode->node->inotify_cookie;
    uint32_t extra = S_ISDIR(inode->mode) ? (uint32_t)IN_ISDIR : 0;
    inotify_event(w, inode, from->dir, from->name, IN_MOVED_FROM | extra, cookie);
    inotify_event(w, inode, to->dir, to->name, IN_MOVED_TO | extra, cookie);
    if (over != NULL && !S_ISDIR(over->mode)) {
        inotify_event(w, over, over, NULL, IN_ATTRIB, 0);
    }
    inotify_event(w, inode, inode, NULL, IN_MOVE_SELF, 0);
}

static void move_name(struct world *w, struct found *from, struct found *to, uint64_t flags)
{
    struct inode *inode = from->inode, *old = to->inode;
    inode->opens++;
    if (old != NULL) {
        old->opens++;
    }
    if ((flags & RENAME_EXCHANGE) != 0) {
        dir_exchange(w, from->dir, from->name, to->dir, to->name);
        tell_moved(w, inode, from, to, NULL);
        tell_moved(w, old, to, from, NULL);
    } else {
        dir_rename(w, from->dir, from->name, to->dir, to->name);
        if ((flags & RENAME_WHITEOUT) != 0) {
            dir_link(w, from->dir, from->name, inode_new(w, inode->node, S_IFCHR, from->dir->tmp));
        }
        tell_moved(w, inode, from, to, old);
    }
    inode_unref(w, inode);
    if (old != NULL) {
        inotify_gone(w, old);
        inode_unref(w, old);
    }
}

static int64_t do_rename(struct world *w, struct thread *t, const int dirfd[2],
                         const uint64_t path[2], uint64_t flags)
{
    struct found from, to;
    bool exchange = (flags & RENAME_EXCHANGE) != 0;
    if ((flags & ~(uint64_t)(RENAME_NOREPLACE | RENAME_EXCHANGE | RENAME_WHITEOUT)) != 0 ||
        (exchange && (flags & (RENAME_NOREPLACE | RENAME_WHITEOUT)) != 0)) {
        return -EINVAL;
    }
    /* As Linux does: both directories first, then what is in them. */
    int64_t status = path_arg(w, t, dirfd[0], path[0], WALK_NAME, &from);
    if (status == 0 && (from.place != PLACE_NODE || (from.inode == NULL && from.dir == NULL))) {
        status = may_change(w, t, &from);
    }
    status = status != 0 ? status : path_arg(w, t, dirfd[1], path[1], WALK_NAME, &to);
    status = status != 0 ? status : may_change(w, t, &from);
    if (status == 0 && (from.dots != 0 || to.dots != 0)) {
        return to.dots != 0 && (flags & RENAME_NOREPLACE) != 0 ? -EEXIST : -EBUSY;
    }
    status = status != 0 ? status : check_rename(t, &from, &to, flags);
    if (status == 0 && (flags & RENAME_WHITEOUT) != 0 && t->cred->uid[CRED_EFFECTIVE] != 0) {
        return -EPERM;
    }
    if (status == 0 && from.inode != to.inode) {
        move_name(w, &from, &to, flags);
    }
    return status;
}

int64_t call_rename(struct world *w, struct thread *t)
{
    return do_rename(w, t, (const int[2]){AT_FDCWD, AT_FDCWD},
                     (const uint64_t[2]){t->a[0], t->a[1]}, 0);
}

int64_t call_renameat(struct world *w, struct thread *t)
{
    return do_rename(w, t, (const int[2]){(int)t->a[0], (int)t->a[2]},
                     (const uint64_t[2]){t->a[1], t->a[3]}, 0);
}

int64_t call_renameat2(struct world *w, struct thread *t)
{
    return do_rename(w, t, (const int[2]){(int)t->a[0], (int)t->a[2]},
                     (const uint64_t[2]){t->a[1], t->a[3]}, t->a[4]);
}

/* ---- modes, owners, times ---- */

/* The inode to change: by descriptor when there is no path. */
static int64_t target(struct world *w, struct thread *t, int dirfd, uint64_t path, int walk,
                      struct inode **ret)
{
    struct found at;
    if (path == 0 && dirfd != AT_FDCWD) {
        struct file *f = fd_get(t, (uint64_t)(uint32_t)dirfd);
        if (f == NULL || f->ops != &vfile_ops) {
            return f == NULL ? -EBADF : file_seekable(f) ? -EROFS : -EINVAL;
        }
        *ret = ((struct vfile *)f)->inode;
        return 0;
    }
    int64_t status = path_arg(w, t, dirfd, path, walk, &at);
    if (status != 0) {
        return status;
    }
    if (at.place != PLACE_NODE) {
        struct stat st;
        status = stat_found(w, t, &at, true, &st);
        return status != 0 ? status : -EROFS;
    }
    *ret = at.inode;
    return at.inode == NULL ? -ENOENT : 0;
}

/* What a descriptor has instead of an inode: a socket or a pipe. */
static struct attrs *attrs_of(struct thread *t, int dirfd, uint64_t path)
{
    struct file *f = path == 0 ? fd_get(t, (uint64_t)(uint32_t)dirfd) : NULL;
    return f != NULL && f->ops->attrs != NULL ? f->ops->attrs(f) : NULL;
}

static int64_t do_chmod(struct world *w, struct thread *t, int dirfd, uint64_t path, uint64_t mode)
{
    struct inode *inode = NULL;
    struct attrs *attrs = attrs_of(t, dirfd, path);
    if (attrs != NULL) {
        attrs->mode = (uint32_t)mode & 07777;
        return 0;
    }
    int64_t status = target(w, t, dirfd, path, 0, &inode);
    if (status == 0 && !node_owns(t, inode)) {
        return -EPERM;
    }
    if (status == 0) {
        bool keep = cred_can(t, CAP_FSETID) || node_in_group(t, inode->gid);
        inode->mode = (inode->mode & S_IFMT) | ((uint32_t)mode & (keep ? 07777 : 05777));
        inode_touch(w, inode, false);
        inotify_event(w, inode, NULL, NULL, IN_ATTRIB, 0);
    }
    return status;
}

int64_t call_chmod(struct world *w, struct thread *t)
{
    return do_chmod(w, t, AT_FDCWD, t->a[0], t->a[1]);
}

int64_t call_fchmod(struct world *w, struct thread *t)
{
    return do_chmod(w, t, (int)t->a[0], 0, t->a[1]);
}

int64_t call_fchmodat(struct world *w, struct thread *t)
{
    return do_chmod(w, t, (int)t->a[0], t->a[1], t->a[2]);
}

/* Only root gives files away; to groups, whoever it belongs to and is in them. */
static bool may_give(const struct thread *t, const struct inode *inode, uint32_t uid, uint32_t gid)
{
    bool own = t->cred->uid[CRED_FS] == inode->uid;
    bool user = uid == UINT32_MAX || (own && uid == inode->uid);
    bool group = gid == UINT32_MAX || (own && (gid == inode->gid || node_in_group(t, gid)));
    return (user && group) || cred_can(t, CAP_CHOWN);
}

static int64_t do_chown(struct world *w, struct thread *t, int dirfd, uint64_t path,
                        const uint64_t ids[2])
{
    struct inode *inode = NULL;
    struct attrs *attrs = attrs_of(t, dirfd, path);
    if (attrs != NULL) {
        attrs->uid = (uint32_t)ids[0] == UINT32_MAX ? attrs->uid : (uint32_t)ids[0];
        attrs->gid = (uint32_t)ids[1] == UINT32_MAX ? attrs->gid : (uint32_t)ids[1];
        return 0;
    }
    int64_t status = target(w, t, dirfd, path, 0, &inode);
    if (status == 0 && !may_give(t, inode, (uint32_t)ids[0], (uint32_t)ids[1])) {
        return -EPERM;
    }
    if (status == 0) {
        inode->uid = (uint32_t)ids[0] == UINT32_MAX ? inode->uid : (uint32_t)ids[0];
        inode->gid = (uint32_t)ids[1] == UINT32_MAX ? inode->gid : (uint32_t)ids[1];
        inode_touch(w, inode, false);
    }
    return status;
}

int64_t call_chown(struct world *w, struct thread *t)
{
    return do_chown(w, t, AT_FDCWD, t->a[0], &t->a[1]);
}

int64_t call_lchown(struct world *w, struct thread *t)
{
    return do_chown(w, t, AT_FDCWD, t->a[0], &t->a[1]);
}

int64_t call_fchown(struct world *w, struct thread *t)
{
    return do_chown(w, t, (int)t->a[0], 0, &t->a[1]);
}

int64_t call_fchownat(struct world *w, struct thread *t)
{
    return do_chown(w, t, (int)t->a[0], t->a[1], &t->a[2]);
}

static int64_t set_times(struct world *w, const struct thread *t, struct inode *inode,
                         const struct timespec ts[2])
{
    bool now_only = ts[0].tv_nsec == UTIME_NOW && ts[1].tv_nsec == UTIME_NOW;
    if (!node_owns(t, inode) && !(now_only && node_may(t, CRED_FS, inode, W_OK))) {
        return now_only ? -EACCES : -EPERM;
    }
    uint64_t now = node_real(inode->node, w->now_ns);
    uint64_t *fields[2] = {&inode->atime, &inode->mtime};
    for (int i = 0; i < 2; i++) {
        if (ts[i].tv_nsec == UTIME_NOW) {
            *fields[i] = now;
        } else if (ts[i].tv_nsec != UTIME_OMIT) {
            *fields[i] = (uint64_t)ts[i].tv_sec * 1000000000 + (uint64_t)ts[i].tv_nsec;
        }
    }
    inode->ctime = now;
    return 0;
}

int64_t call_utimensat(struct world *w, struct thread *t)
{
    struct timespec ts[2] = {
        {0, UTIME_NOW},
        {0, UTIME_NOW}
    };
    struct inode *inode = NULL;
    if (t->a[2] != 0 && !mem_read(t, t->a[2], ts, sizeof ts)) {
        return -EFAULT;
    }
    for (int i = 0; i < 2; i++) {
        if ((ts[i].tv_nsec < 0 || ts[i].tv_nsec > 999999999) && ts[i].tv_nsec != UTIME_NOW &&
            ts[i].tv_nsec != UTIME_OMIT) {
            return -EINVAL;
        }
    }
    if (attrs_of(t, (int)t->a[0], t->a[1]) != NULL) {
        return 0; /* of a pipe or a socket; nobody looks at them */
    }
    int walk = (t->a[3] & AT_SYMLINK_NOFOLLOW) != 0 ? WALK_NOFOLLOW : 0;
    int64_t status = target(w, t, (int)t->a[0], t->a[1], walk, &inode);
    return status != 0 ? status : set_times(w, t, inode, ts);
}

static int64_t set_timevals(struct world *w, struct thread *t, int dirfd, uint64_t path,
                            uint64_t times)
{
    struct timeval tv[2];
    struct timespec ts[2] = {
        {0, UTIME_NOW},
        {0, UTIME_NOW}
    };
    struct inode *inode = NULL;
    if (times != 0) {
        if (!mem_read(t, times, tv, sizeof tv)) {
            return -EFAULT;
        }
        for (int i = 0; i < 2; i++) {
            if (tv[i].tv_usec < 0 || tv[i].tv_usec > 999999) {
                return -EINVAL;
            }
            ts[i] = (struct timespec){tv[i].tv_sec, tv[i].tv_usec * 1000};
        }
    }
    int64_t status = target(w, t, dirfd, path, 0, &inode);
    return status != 0 ? status : set_times(w, t, inode, ts);
}

int64_t call_utimes(struct world *w, struct thread *t)
{
    return set_timevals(w, t, AT_FDCWD, t->a[0], t->a[1]);
}

int64_t call_futimesat(struct world *w, struct thread *t)
{
    return set_timevals(w, t, (int)t->a[0], t->a[1], t->a[2]);
}

int64_t call_utime(struct world *w, struct thread *t)
{
    int64_t seconds[2];
    struct timespec ts[2] = {
        {0, UTIME_NOW},
        {0, UTIME_NOW}
    };
    struct inode *inode = NULL;
    if (t->a[1] != 0) {
        if (!mem_read(t, t->a[1], seconds, sizeof seconds)) {
            return -EFAULT;
        }
        ts[0] = (struct timespec){seconds[0], 0};
        ts[1] = (struct timespec){seconds[1], 0};
    }
    int64_t status = target(w, t, AT_FDCWD, t->a[0], 0, &inode);
    return status != 0 ? status : set_times(w, t, inode, ts);
}

/* ---- file systems ---- */

static int64_t put_statfs(const struct world *w, struct thread *t, uint64_t to, bool tmp)
{
    uint64_t used = t->proc->node->disk_bytes, most = w->limits.disk_told;
    uint64_t left = used < most ? (most - used) / 4096 : 0;
    struct statfs fs = {
        .f_type = tmp ? 0x01021994 : 0xef53,
        .f_bsize = 4096,
        .f_blocks = most / 4096,
        .f_bfree = left,
        .f_bavail = left,
        .f_files = 1 << 20,
        .f_ffree = 1 << 19,
        .f_namelen = 255,
        .f_frsize = 4096,
    };
    return mem_write(t, to, &fs, sizeof fs) ? 0 : -EFAULT;
}

int64_t call_statfs(struct world *w, struct thread *t)
{
    struct found at;
    struct stat st;
    int64_t status = path_arg(w, t, AT_FDCWD, t->a[0], 0, &at);
    status = status != 0 ? status : stat_found(w, t, &at, true, &st);
    return status != 0 ? status : put_statfs(w, t, t->a[1], at.inode != NULL && at.inode->tmp);
}

int64_t call_fstatfs(struct world *w, struct thread *t)
{
    struct file *f = fd_get_any(t, t->a[0]);
    bool tmp = f != NULL && f->ops == &vfile_ops && ((struct vfile *)f)->inode->tmp;
    return f == NULL ? -EBADF : put_statfs(w, t, t->a[1], tmp);
}
