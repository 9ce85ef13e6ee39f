/* Where names begin: the working directory, and the root of those who have changed it. Threads and
 * processes may share both (CLONE_FS). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/capability.h>
#include <sys/stat.h>

#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

struct cwd *cwd_new(struct world *w, const char *path, const char *root, unsigned umask)
{
    struct cwd *cwd = HEAP_NEW(w->heap, struct cwd);
    *cwd = (struct cwd){1, heap_strdup(w, path), heap_strdup(w, root), umask};
    return cwd;
}

void cwd_unref(struct world *w, struct cwd *cwd)
{
    if (--cwd->refs == 0) {
        heap_free(w->heap, cwd->path);
        heap_free(w->heap, cwd->root);
        heap_free(w->heap, cwd);
    }
}

int64_t call_umask(struct world *w, struct thread *t)
{
    (void)w;
    unsigned old = t->proc->cwd->umask;
    t->proc->cwd->umask = (unsigned)t->a[0] & 0777;
    return old;
}

/* A directory that the thread may enter. */
static int64_t enter(struct world *w, struct thread *t, struct found *at)
{
    struct stat st;
    int64_t status = path_arg(w, t, AT_FDCWD, t->a[0], 0, at);
    status = status != 0 ? status : stat_found(w, t, at, true, &st);
    if (status != 0) {
        return status;
    }
    if (!S_ISDIR(st.st_mode)) {
        return -ENOTDIR;
    }
    bool may = at->place == PLACE_MADE ||
               (at->place == PLACE_NODE && node_may(t, CRED_FS, at->inode, X_OK)) ||
               (at->place == PLACE_HOST && access(at->path, X_OK) == 0 &&
                host_may(t, CRED_FS, at->path, &st, X_OK));
    return may ? 0 : -EACCES;
}

static void set_cwd(struct world *w, struct thread *t, const char *path)
{
    heap_free(w->heap, t->proc->cwd->path);
    t->proc->cwd->path = heap_strdup(w, path);
}

int64_t call_chdir(struct world *w, struct thread *t)
{
    struct found at;
    int64_t status = enter(w, t, &at);
    if (status == 0) {
        set_cwd(w, t, at.path);
    }
    return status;
}

int64_t call_fchdir(struct world *w, struct thread *t)
{
    struct file *f = fd_get_any(t, t->a[0]);
    if (f == NULL) {
        return -EBADF;
    }
    if (!file_is_dir(f)) {
        return -ENOTDIR;
    }
    if (f->ops == &vfile_ops && !node_may(t, CRED_FS, ((struct vfile *)f)->inode, X_OK)) {
        return -EACCES;
    }
    set_cwd(w, t, f->path);
    return 0;
}

/* The working directory stays where it is: it may lie outside. */
int64_t call_chroot(struct world *w, struct thread *t)
{
    struct found at;
    int64_t status = enter(w, t, &at);
    if (status != 0) {
        return status;
    }
    if (t->cred->uid[CRED_EFFECTIVE] != 0 && (t->cred->caps >> CAP_SYS_CHROOT & 1) == 0) {
        return -EPERM;
    }
    heap_free(w->heap, t->proc->cwd->root);
    t->proc->cwd->root = heap_strdup(w, strcmp(at.path, "/") == 0 ? "" : at.path);
    return 0;
}

int64_t call_getcwd(struct world *w, struct thread *t)
{
    (void)w;
    char text[PATH_MAX + sizeof "(unreachable)"];
    const char *path = t->proc->cwd->path, *root = t->proc->cwd->root;
    size_t n = strlen(root);
    bool below = strncmp(path, root, n) == 0 && (n == 0 || path[n] == '/' || path[n] == '\0');
    (void)snprintf(text, sizeof text, "%s%s", below ? "" : "(unreachable)",
                   !below            ? path
                   : path[n] == '\0' ? "/"
                                     : path + n);
    n = strlen(text) + 1;
    if (t->a[1] < n) {
        return -ERANGE;
    }
    return mem_write(t, t->a[0], text, n) ? (int64_t)n : -EFAULT;
}
