/* Locks on files: flock(2), and record locks of processes and of open files. Files of the machine
 * can be read by all, so locks there conflict with nothing. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>

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
    if (f->flock == how) {
        return 0;
    }
    if (f->flock != 0) { /* it is given back before another is asked for */
        f->flock = 0;
        t->proc->node->changed = true;
    }
    if (how != LOCK_UN && flock_conflict(w, f, how)) {
        return (t->a[1] & LOCK_NB) != 0 ? -EAGAIN : block(t);
    }
    f->flock = how == LOCK_UN ? 0 : how;
    return 0;
}

/* ---- record locks ---- */

/* Whose it is, as a number. */
static uint64_t owner_mark(const struct posix_lock *l)
{
    return l->proc != NULL ? (uint64_t)l->proc->pid : l->file->id << 32;
}

/* A lock that is in the way: of this owner if there is one (0: of any), else the first. */
static struct posix_lock *find_conflict(const struct inode *inode, const struct posix_lock *want,
                                        uint64_t owner)
{
    struct posix_lock *first = NULL;
    for (struct posix_lock *l = inode->locks; l != NULL; l = l->next) {
        if (!owns(l, want->proc, want->file) && l->begin <= want->last && want->begin <= l->last &&
            (l->type == F_WRLCK || want->type == F_WRLCK)) {
            if (owner == 0 || owner_mark(l) == owner) {
                return l;
            }
            first = first == NULL ? l : first;
        }
    }
    return first;
}

static struct posix_lock **lock_put(struct world *w, struct posix_lock **at, struct posix_lock lock)
{
    struct posix_lock *copy = HEAP_NEW(w->heap, struct posix_lock);
    *copy = lock;
    copy->next = *at;
    *at = copy;
    return &copy->next;
}

/* The first lock of an owner: those of one stand together, in order. */
static struct posix_lock **locks_of(struct inode *inode, const struct posix_lock *want)
{
    struct posix_lock **at = &inode->locks;
    while (*at != NULL && !owns(*at, want->proc, want->file)) {
        at = &(*at)->next;
    }
    return at;
}

/* Sets a range to a type. What the owner has of the same type there, or beside it, becomes part of
 * it; what it has of another type is cut around it. */
static void lock_set(struct world *w, struct inode *inode, struct posix_lock want)
{
    bool done = want.type == F_UNLCK;
    struct posix_lock **at = locks_of(inode, &want);
    while (*at != NULL && owns(*at, want.proc, want.file)) {
        struct posix_lock *l = *at, old = *l;
        bool joins = old.type == want.type;
        if (joins ? old.last < want.begin && old.last + 1 < want.begin : old.last < want.begin) {
            at = &l->next;
            continue;
        }
        if (old.begin > want.last && !(joins && old.begin - 1 == want.last)) {
            break;
        }
        *at = l->next;
        heap_free(w->heap, l);
        if (joins) {
            want.begin = old.begin < want.begin ? old.begin : want.begin;
            want.last = old.last > want.last ? old.last : want.last;
            continue;
        }
        if (old.begin < want.begin) {
            struct posix_lock left = old;
            left.last = want.begin - 1;
            at = lock_put(w, at, left);
        }
        if (old.last > want.last) {
            at = done ? at : lock_put(w, at, want);
            done = true;
            old.begin = want.last + 1;
            (void)lock_put(w, at, old);
            break;
        }
    }
    if (!done) {
        (void)lock_put(w, at, want);
    }
    inode->node->changed = true;
}

static int64_t lock_range(struct file *f, const struct flock *fl, struct posix_lock *ret)
{
    struct stat st;
    (void)file_stat(NULL, f, &st);
    int64_t begin = fl->l_whence == SEEK_SET   ? 0
                    : fl->l_whence == SEEK_CUR ? f->offset
                    : fl->l_whence == SEEK_END ? st.st_size
                                               : -1;
    if (begin < 0) {
        return -EINVAL;
    }
    if (fl->l_start > INT64_MAX - begin) {
        return -EOVERFLOW;
    }
    begin += fl->l_start;
    if (begin < 0) {
        return -EINVAL;
    }
    int64_t last = INT64_MAX;
    if (fl->l_len > 0) {
        if (fl->l_len - 1 > INT64_MAX - begin) {
            return -EOVERFLOW;
        }
        last = begin + (fl->l_len - 1);
    } else if (fl->l_len < 0) {
        if (begin + fl->l_len < 0) {
            return -EINVAL;
        }
        last = begin - 1;
        begin += fl->l_len;
    }
    if (fl->l_type != F_RDLCK && fl->l_type != F_WRLCK && fl->l_type != F_UNLCK) {
        return -EINVAL;
    }
    ret->begin = begin;
    ret->last = last;
    ret->type = fl->l_type;
    return 0;
}

/* While it waits, the offset and the size of the file may change; what is wanted does not. */
static void range_keep(struct thread *t, const struct posix_lock *want)
{
    t->call_cookie = (uint64_t)want->begin;
    t->call_seen = (uint64_t)want->last;
}

static void range_kept(const struct thread *t, struct posix_lock *want)
{
    want->begin = (int64_t)t->call_cookie;
    want->last = (int64_t)t->call_seen;
}

/* What a waiting thread waits for, if it is a lock that this owner wants; or NULL. */
static const struct posix_lock *awaited(struct thread *t, const struct posix_lock *owner)
{
    bool ofd = (int)t->a[1] == F_OFD_SETLKW;
    if (t->state != THREAD_BLOCKED || t->nr != SYS_fcntl || (!ofd && (int)t->a[1] != F_SETLKW)) {
        return NULL;
    }
    struct file *f = fd_get(t, t->a[0]);
    struct flock fl;
    struct posix_lock want = {.proc = ofd ? NULL : t->proc, .file = ofd ? f : NULL};
    if (f == NULL || lock_inode(f) == NULL || !owns(owner, want.proc, want.file) ||
        !mem_read(t, t->a[2], &fl, sizeof fl)) {
        return NULL;
    }
    want.type = fl.l_type;
    range_kept(t, &want);
    return find_conflict(lock_inode(f), &want, t->lock_mark);
}

/* Whether the owner of a lock waits, perhaps through others, for one of the process's own: then it
 * would wait for ever. Linux gives up after so many, too. */
static bool is_deadlock(const struct world *w, const struct proc *proc,
                        const struct posix_lock *other)
{
    enum { STEPS = 10 };
    for (int i = 0; i <= STEPS; i++) {
        const struct posix_lock *next = NULL;
        for (struct thread *t = w->threads; next == NULL && t != NULL; t = t->next) {
            next = awaited(t, other);
        }
        if (next == NULL || next->proc == proc) {
            return next != NULL;
        }
        other = next;
    }
    return false;
}

static int64_t lock_get(struct thread *t, const struct inode *inode, const struct posix_lock *want,
                        struct flock *fl)
{
    const struct posix_lock *other = inode == NULL ? NULL : find_conflict(inode, want, 0);
    fl->l_type = F_UNLCK;
    if (other != NULL) {
        fl->l_type = (short)other->type;
        fl->l_whence = SEEK_SET;
        fl->l_start = other->begin;
        fl->l_len = other->last == INT64_MAX ? 0 : other->last - other->begin + 1;
        fl->l_pid = other->proc != NULL ? other->proc->pid : -1;
    }
    return mem_write(t, t->a[2], fl, sizeof *fl) ? 0 : -EFAULT;
}

int64_t lock_fcntl(struct world *w, struct thread *t, struct file *f)
{
    struct flock fl;
    struct posix_lock want = {0};
    int cmd = (int)t->a[1];
    bool ofd = cmd == F_OFD_GETLK || cmd == F_OFD_SETLK || cmd == F_OFD_SETLKW;
    bool get = cmd == F_GETLK || cmd == F_OFD_GETLK;
    if (!mem_read(t, t->a[2], &fl, sizeof fl)) {
        return -EFAULT;
    }
    if (cmd == F_GETLK && fl.l_type != F_RDLCK && fl.l_type != F_WRLCK) {
        return -EINVAL;
    }
    int64_t status = lock_range(f, &fl, &want);
    if (status != 0) {
        return status;
    }
    int mode = f->flags & O_ACCMODE;
    if (!get && ((want.type == F_RDLCK && mode == O_WRONLY) ||
                 (want.type == F_WRLCK && mode == O_RDONLY))) {
        return -EBADF;
    }
    if (ofd && fl.l_pid != 0) {
        return -EINVAL;
    }
    if (t->retry) {
        range_kept(t, &want);
    }
    range_keep(t, &want);
    want.proc = ofd ? NULL : t->proc;
    want.file = ofd ? f : NULL;
    struct inode *inode = lock_inode(f);
    if (get) {
        return lock_get(t, inode, &want, &fl);
    }
    const struct posix_lock *other = inode == NULL || want.type == F_UNLCK
                                         ? NULL
                                         : find_conflict(inode, &want, t->retry ? t->lock_mark : 0);
    if (other != NULL) {
        if (cmd != F_SETLKW && cmd != F_OFD_SETLKW) {
            return -EAGAIN;
        }
        /* Once for each who is in the way. */
        bool asks = !ofd && (!t->retry || owner_mark(other) != t->lock_mark);
        t->lock_mark = owner_mark(other);
        return asks && is_deadlock(w, t->proc, other) ? -EDEADLK : block(t);
    }
    if (inode != NULL) {
        lock_set(w, inode, want);
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
        .proc = proc, .file = proc == NULL ? f : NULL, .last = INT64_MAX, .type = F_UNLCK};
    lock_set(w, inode, want);
}
