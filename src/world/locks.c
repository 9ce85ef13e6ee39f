/* Locks on files: flock(2), and record locks of processes and of open files. Files of the machine
 * can be read by all, so locks there conflict with nothing. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <sys/file.h>

#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

static struct inode *lock_inode(const struct file *f)
{
    return f->ops == &vfile_ops ? ((const struct vfile *)f)->inode : NULL;
}

static bool owns(const struct posix_lock *lock, const struct proc *proc, const struct file *file)
{
    return lock->proc == proc && lock->file == file;
}

/* ---- flock ---- */

static bool flock_conflict(const struct world *w, const struct file *f, int want)
{
    const struct node *node = f->node;
    const struct inode *inode = lock_inode(f);
    for (const struct proc *p = node->procs; inode != NULL && p != NULL; p = p->next) {
        for (uint32_t i = 0; p->fds != NULL && i < p->fds->n; i++) {
            struct file *other = p->fds->slots[i].file;
            if (other != NULL && other != f && other->flock != 0 && lock_inode(other) == inode &&
                (want == LOCK_EX || other->flock == LOCK_EX)) {
                return true;
            }
        }
    }
    (void)w;
    return false;
}

int64_t call_flock(struct world *w, struct thread *t)
{
    struct file *f = fd_get(t, t->a[0]);
    int how = (int)t->a[1] & ~LOCK_NB;
    if (how != LOCK_SH && how != LOCK_EX && how != LOCK_UN) {
        return -EINVAL;
    }
    if (f == NULL) {
        return -EBADF;
    }
    if (how == LOCK_UN) {
        f->flock = 0;
        t->proc->node->changed = true;
        return 0;
    }
    if (flock_conflict(w, f, how)) {
        return (t->a[1] & LOCK_NB) != 0 ? -EAGAIN : block(t);
    }
    f->flock = how;
    return 0;
}

/* ---- record locks ---- */

static struct posix_lock *find_conflict(struct inode *inode, const struct posix_lock *want)
{
    for (struct posix_lock *l = inode->locks; l != NULL; l = l->next) {
        if (!owns(l, want->proc, want->file) && l->begin < want->end && want->begin < l->end &&
            (l->type == F_WRLCK || want->type == F_WRLCK)) {
            return l;
        }
    }
    return NULL;
}

static void lock_insert(struct world *w, struct inode *inode, struct posix_lock lock)
{
    struct posix_lock *copy = HEAP_NEW(w->heap, struct posix_lock);
    *copy = lock;
    copy->next = inode->locks;
    inode->locks = copy;
}

/* Sets a range to a type, cutting the owner's older locks around it. */
static void lock_set(struct world *w, struct inode *inode, const struct posix_lock *want)
{
    struct posix_lock **at = &inode->locks;
    struct posix_lock left[2] = {0};
    int n = 0;
    while (*at != NULL) {
        struct posix_lock *l = *at;
        if (!owns(l, want->proc, want->file) || l->begin >= want->end || want->begin >= l->end) {
            at = &l->next;
            continue;
        }
        if (l->begin < want->begin && n < 2) {
            left[n] = *l;
            left[n++].end = want->begin;
        }
        if (l->end > want->end && n < 2) {
            left[n] = *l;
            left[n++].begin = want->end;
        }
        *at = l->next;
        heap_free(w->heap, l);
    }
    for (int i = 0; i < n; i++) {
        lock_insert(w, inode, left[i]);
    }
    if (want->type != F_UNLCK) {
        lock_insert(w, inode, *want);
    }
    inode->node->changed = true;
}

static int64_t lock_range(struct world *w, struct file *f, const struct flock *fl,
                          struct posix_lock *ret)
{
    struct stat st;
    (void)file_stat(w, f, &st);
    int64_t base = fl->l_whence == SEEK_SET   ? 0
                   : fl->l_whence == SEEK_CUR ? f->offset
                   : fl->l_whence == SEEK_END ? st.st_size
                                              : -1;
    if (base < 0 || (fl->l_type != F_RDLCK && fl->l_type != F_WRLCK && fl->l_type != F_UNLCK)) {
        return -EINVAL;
    }
    int64_t begin = base + fl->l_start, end = INT64_MAX;
    if (fl->l_len > 0) {
        end = begin + fl->l_len;
    } else if (fl->l_len < 0) {
        end = begin;
        begin += fl->l_len;
    }
    if (begin < 0) {
        return -EINVAL;
    }
    ret->begin = begin;
    ret->end = end;
    ret->type = fl->l_type;
    return 0;
}

int64_t lock_fcntl(struct world *w, struct thread *t, struct file *f)
{
    struct flock fl;
    struct posix_lock want = {0};
    int cmd = (int)t->a[1];
    bool ofd = cmd == F_OFD_GETLK || cmd == F_OFD_SETLK || cmd == F_OFD_SETLKW;
    if (!mem_read(t, t->a[2], &fl, sizeof fl)) {
        return -EFAULT;
    }
    if (ofd && fl.l_pid != 0) {
        return -EINVAL;
    }
    if (cmd == F_GETLK && fl.l_type != F_RDLCK && fl.l_type != F_WRLCK) {
        return -EINVAL;
    }
    int64_t status = lock_range(w, f, &fl, &want);
    if (status != 0) {
        return status;
    }
    want.proc = ofd ? NULL : t->proc;
    want.file = ofd ? f : NULL;
    struct inode *inode = lock_inode(f);
    struct posix_lock *other = inode == NULL ? NULL : find_conflict(inode, &want);
    if (cmd == F_GETLK || cmd == F_OFD_GETLK) {
        fl.l_type = F_UNLCK;
        if (other != NULL) {
            fl.l_type = (short)other->type;
            fl.l_whence = SEEK_SET;
            fl.l_start = other->begin;
            fl.l_len = other->end == INT64_MAX ? 0 : other->end - other->begin;
            fl.l_pid = other->proc != NULL ? other->proc->pid : -1;
        }
        return mem_write(t, t->a[2], &fl, sizeof fl) ? 0 : -EFAULT;
    }
    int mode = f->flags & O_ACCMODE;
    if ((want.type == F_RDLCK && mode == O_WRONLY) || (want.type == F_WRLCK && mode == O_RDONLY)) {
        return -EBADF;
    }
    if (want.type != F_UNLCK && other != NULL) {
        return cmd == F_SETLKW || cmd == F_OFD_SETLKW ? block(t) : -EAGAIN;
    }
    if (inode != NULL) {
        lock_set(w, inode, &want);
    }
    return 0;
}

/* proc: it closes a descriptor, so all its record locks on the file go. NULL: the file itself is
 * closed, so its own locks go. */
void file_unlock_all(struct world *w, struct file *f, struct proc *proc)
{
    struct inode *inode = lock_inode(f);
    if (inode == NULL || (inode->locks == NULL && f->flock == 0)) {
        return;
    }
    struct posix_lock want = {
        .proc = proc, .file = proc == NULL ? f : NULL, .end = INT64_MAX, .type = F_UNLCK};
    lock_set(w, inode, &want);
}
