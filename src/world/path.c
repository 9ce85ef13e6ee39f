/* Paths. A path leads to a node's own disk, to the machine's file system (read only), or to
 * something that the engine makes up (/proc, /dev, ...). Names are followed one by one, symbolic
 * links of all three kinds included; what the machine holds is remembered, since it is taken not to
 * change during a run. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/map.h"
#include "base/pack.h"
#include "base/str.h"
#include "base/vec.h"
#include "world/calls.h"
#include "world/world_int.h"

struct host_entry {
    int kind;  /* S_IFMT bits; 0 = does not exist */
    int fd;    /* once opened; -1 before */
    bool told; /* somebody was told all that is known of it */
    struct stat st;
    char *link;
    char path[];
};

enum { LINKS_MOST = 40 };

static const struct host_entry *host_look(struct world *w, const char *path)
{
    struct strmap *map = &w->engine->host;
    struct host_entry *entry = strmap_get(map, str_of(path));
    if (entry != NULL) {
        return entry;
    }
    size_t n = strlen(path), cap = 0;
    entry = vec_grow(NULL, &cap, sizeof *entry + n + 1, 1);
    memcpy(entry->path, path, n + 1);
    entry->kind = lstat(path, &entry->st) == 0 ? (int)(entry->st.st_mode & S_IFMT) : 0;
    entry->link = NULL;
    entry->fd = -1;
    entry->told = false;
    char target[PATH_MAX];
    ssize_t len = entry->kind == S_IFLNK ? readlink(path, target, sizeof target - 1) : -1;
    if (len >= 0) {
        size_t link_cap = 0;
        entry->link = vec_grow(NULL, &link_cap, (size_t)len + 1, 1);
        memcpy(entry->link, target, (size_t)len);
        entry->link[len] = '\0';
    }
    (void)strmap_put(map, (struct str){entry->path, n}, entry);
    return entry;
}

/* Opened once and kept: the world holds only the number, and may be copied. */
int host_open_fd(struct world *w, const char *path, int flags)
{
    (void)host_look(w, path);
    struct host_entry *entry = strmap_get(&w->engine->host, str_of(path));
    if ((flags & O_PATH) != 0) {
        return -1; /* never read */
    }
    if (entry->fd < 0) {
        entry->fd = open(path, O_RDONLY | O_CLOEXEC | flags);
    }
    return entry->fd >= 0 ? entry->fd : -errno;
}

void host_note(struct world *w, const char *path)
{
    (void)host_look(w, path);
}

void host_tell(struct world *w, const char *path)
{
    (void)host_look(w, path);
    ((struct host_entry *)strmap_get(&w->engine->host, str_of(path)))->told = true;
}

/* What tells whether a file is another, or has changed. */
struct host_mark {
    uint64_t kind, dev, ino, mode, uid, gid, size, mtime[2], ctime[2];
};

/* The names in a directory, and its times, count only if somebody may have listed it or asked for
 * them: those that were looked for are marked themselves. */
static struct host_mark mark_of(const struct host_entry *entry, bool whole)
{
    const struct stat *st = &entry->st;
    if (entry->kind == S_IFDIR && !whole) {
        return (struct host_mark){.kind = S_IFDIR,
                                  .dev = st->st_dev,
                                  .ino = st->st_ino,
                                  .mode = st->st_mode,
                                  .uid = st->st_uid,
                                  .gid = st->st_gid};
    }
    if (entry->kind == 0) {
        return (struct host_mark){0};
    }
    return (struct host_mark){
        .kind = (uint64_t)entry->kind,
        .dev = st->st_dev,
        .ino = st->st_ino,
        .mode = st->st_mode,
        .uid = st->st_uid,
        .gid = st->st_gid,
        .size = (uint64_t)st->st_size,
        .mtime = {(uint64_t)st->st_mtim.tv_sec, (uint64_t)st->st_mtim.tv_nsec},
        .ctime = {(uint64_t)st->st_ctim.tv_sec, (uint64_t)st->st_ctim.tv_nsec},
    };
}

void host_store(const struct engine *engine, struct strbuf *out)
{
    pack_u64(out, engine->host.n);
    for (size_t i = 0; i < engine->host.n; i++) {
        const struct host_entry *entry = engine->host.entries[i].value;
        bool whole = entry->told || entry->fd >= 0;
        struct host_mark mark = mark_of(entry, whole);
        pack_bytes(out, entry->path, strlen(entry->path));
        pack_u64(out, whole ? 1 : 0);
        pack_bytes(out, &mark, sizeof mark);
    }
}

bool host_same(struct world *w, struct unpack *in)
{
    uint64_t n = unpack_u64(in);
    for (uint64_t i = 0; i < n && !in->cut; i++) {
        struct str path = unpack_bytes(in);
        bool whole = unpack_u64(in) != 0;
        struct str was = unpack_bytes(in);
        char text[PATH_MAX];
        if (path.n >= sizeof text) {
            return false;
        }
        memcpy(text, path.p, path.n);
        text[path.n] = '\0';
        struct host_mark mark = mark_of(host_look(w, text), whole);
        if (was.n != sizeof mark || memcmp(was.p, &mark, sizeof mark) != 0) {
            return false;
        }
        if (whole) {
            host_tell(w, text); /* for what is stored later */
        }
    }
    return !in->cut;
}

void host_forget(struct engine *engine)
{
    for (size_t i = 0; i < engine->host.n; i++) {
        struct host_entry *entry = engine->host.entries[i].value;
        if (entry->fd >= 0) {
            (void)close(entry->fd);
        }
        vec_release(entry->link);
        vec_release(entry);
    }
    strmap_done(&engine->host);
}

static bool is_shown(const struct node *node, const struct mount *mount, const char *path)
{
    for (size_t i = 0; mount->root->tmp && node->shown[i] != NULL; i++) {
        size_t n = strlen(node->shown[i]);
        if (strncmp(path, node->shown[i], n) == 0 && (path[n] == '/' || path[n] == '\0')) {
            return true;
        }
    }
    return false;
}

/* The inode of an absolute, canonical path on a node's disk; *ret_mount says whether the path is on
 * one of its disks at all. */
static struct inode *disk_look(const struct node *node, const char *path, struct inode **ret_dir,
                               bool *ret_mount, bool *ret_point)
{
    *ret_mount = *ret_point = false;
    *ret_dir = NULL;
    const struct mount *best = NULL;
    size_t best_n = 0;
    for (uint32_t i = 0; i < node->n_mounts; i++) {
        size_t n = strlen(node->mounts[i].path);
        if (strncmp(path, node->mounts[i].path, n) == 0 && (path[n] == '/' || path[n] == '\0') &&
            n >= best_n) {
            best = &node->mounts[i];
            best_n = n;
        }
    }
    if (best == NULL || is_shown(node, best, path)) {
        return NULL;
    }
    *ret_mount = true;
    struct inode *at = best->root;
    const char *rest = path + best_n;
    if (*rest == '\0') {
        *ret_point = true;
        return at;
    }
    while (at != NULL && *rest == '/') {
        rest++;
        const char *slash = strchrnul(rest, '/');
        char name[NAME_MAX + 1];
        size_t n = (size_t)(slash - rest);
        if (n > NAME_MAX || !S_ISDIR(at->mode)) {
            return NULL;
        }
        memcpy(name, rest, n);
        name[n] = '\0';
        *ret_dir = *slash == '\0' ? at : NULL;
        at = dir_find(&at->dir, name);
        rest = slash;
    }
    return at;
}

struct inode *node_lookup(struct node *node, const char *path)
{
    struct inode *dir = NULL;
    bool mount = false, point = false;
    return disk_look(node, path, &dir, &mount, &point);
}

/* ---- the walk ---- */

bool host_is_dir(struct world *w, const char *path)
{
    return host_look(w, path)->kind == S_IFDIR;
}

struct walk {
    struct world *w;
    struct thread *t;
    struct found *at;
    char rest[PATH_MAX]; /* still to go */
    int links;
    int flags;
    bool slash; /* the path that was given, or a link at its end, ended with one */
    bool magic; /* a link of /proc ended the path: it leads to the file itself, past directories */
};

/* Puts the target of a link before what is left; a target with "/" first begins at `root`. */
static int64_t follow_link(struct walk *walk, const char *target, const char *rest,
                           const char *root)
{
    char joined[PATH_MAX];
    if (++walk->links > LINKS_MOST) {
        return -ELOOP;
    }
    int n = snprintf(joined, sizeof joined, "%s/%s", target, rest);
    if (n < 0 || (size_t)n >= sizeof joined) {
        return -ENAMETOOLONG;
    }
    if (*rest == '\0') {
        joined[n - 1] = '\0'; /* no slash that was not there */
        walk->slash = walk->slash || (n > 1 && joined[n - 2] == '/');
    }
    memcpy(walk->rest, joined, sizeof joined);
    if (target[0] == '/') {
        (void)snprintf(walk->at->path, PATH_MAX, "%s", root);
    } else {
        char *slash = strrchr(walk->at->path, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
    }
    return 1;
}

static bool leads_to_shown(const struct node *node, const char *path)
{
    size_t n = strlen(path);
    for (size_t i = 0; node->shown[i] != NULL; i++) {
        if (strncmp(node->shown[i], path, n) == 0 && node->shown[i][n] == '/') {
            return true;
        }
    }
    return false;
}

/* Looks at at->path, which has just got its next name. 1: a link was followed. */
static int64_t step(struct walk *walk, bool last, const char *rest)
{
    struct found *at = walk->at;
    struct node *node = walk->t->proc->node;
    const char *root = walk->t->proc->cwd->root;
    bool nofollow =
        (walk->flags & WALK_NAME) != 0 || ((walk->flags & WALK_NOFOLLOW) != 0 && !walk->slash);
    /* Nothing is made behind a slash: whatever is there, it is not looked at. */
    bool refused = walk->slash && (walk->flags & WALK_CREATE) != 0;
    bool follow = !last || (!nofollow && !refused);
    bool mount = false;
    at->inode = disk_look(node, at->path, &at->dir, &mount, &at->mount_point);
    if (mount) {
        at->place = PLACE_NODE;
        if (at->inode == NULL) {
            return last || leads_to_shown(node, at->path) ? 0 : -ENOENT;
        }
        if (S_ISLNK(at->inode->mode) && follow) {
            return follow_link(walk, at->inode->link, rest, root);
        }
        if (last || !S_ISDIR(at->inode->mode)) {
            return last ? 0 : -ENOTDIR;
        }
        return walk->magic || node_may(walk->t, CRED_FS, at->inode, X_OK) ? 0 : -EACCES;
    }
    if (made_owns(node, at->path)) {
        at->place = PLACE_MADE;
        char target[PATH_MAX];
        int64_t n = follow ? made_readlink(walk->w, walk->t, at->path, target, sizeof target) : -1;
        if (n > 0 && target[0] == '/') {
            walk->magic = walk->magic || *rest == '\0';
            return follow_link(walk, target, rest, ""); /* the file itself, wherever it is */
        }
        if (n > 0 && strchr(target, ':') == NULL) {
            return follow_link(walk, target, rest, root);
        }
        return 0;
    }
    at->place = PLACE_HOST;
    const struct host_entry *entry = host_look(walk->w, at->path);
    if (entry->kind == S_IFLNK && follow && entry->link != NULL) {
        return follow_link(walk, entry->link, rest, root);
    }
    if (!last && entry->kind == 0) {
        /* A directory of the node may lie below one that the machine does not have. */
        size_t n = strlen(at->path);
        for (uint32_t i = 0; i < node->n_mounts; i++) {
            if (strncmp(node->mounts[i].path, at->path, n) == 0 && node->mounts[i].path[n] == '/') {
                return 0;
            }
        }
        return -ENOENT;
    }
    if (last || entry->kind == 0) {
        return 0;
    }
    if (entry->kind != S_IFDIR) {
        return -ENOTDIR;
    }
    return walk->magic || host_may(walk->t, CRED_FS, at->path, &entry->st, X_OK) ? 0 : -EACCES;
}

/* Whether names may be looked for in the directory that the walk is in, if it is the node's. */
static bool may_look(const struct walk *walk)
{
    struct inode *dir = NULL;
    bool mount = false, point = false;
    const struct thread *t = walk->t;
    const struct inode *here = t->cred->uid[CRED_FS] == 0
                                   ? NULL
                                   : disk_look(t->proc->node, walk->at->path, &dir, &mount, &point);
    return here == NULL || node_may(t, CRED_FS, here, X_OK);
}

static int64_t walk_names(struct walk *walk)
{
    struct found *at = walk->at;
    char *rest = walk->rest;
    for (;;) {
        while (*rest == '/') {
            rest++;
        }
        if (*rest == '\0') {
            break;
        }
        char *slash = strchrnul(rest, '/');
        size_t n = (size_t)(slash - rest);
        char *next = slash;
        while (*next == '/') {
            next++;
        }
        bool last = *next == '\0';
        if (n > NAME_MAX) {
            return -ENAMETOOLONG;
        }
        at->dots = n <= 2 && rest[0] == '.' && rest[n - 1] == '.' ? (int)n : 0;
        if (n == 1 && rest[0] == '.') {
            rest = next;
            continue;
        }
        if (n == 2 && rest[0] == '.' && rest[1] == '.') {
            char *up = strrchr(at->path, '/');
            if (up != NULL && strcmp(at->path, walk->t->proc->cwd->root) != 0) {
                *up = '\0';
            }
            rest = next;
            if (!last && !may_look(walk)) {
                return -EACCES;
            }
            continue;
        }
        size_t len = strlen(at->path);
        if (len + n + 2 > PATH_MAX) {
            return -ENAMETOOLONG;
        }
        at->path[len] = '/';
        memcpy(at->path + len + 1, rest, n);
        at->path[len + 1 + n] = '\0';
        memcpy(at->name, rest, n);
        at->name[n] = '\0';
        int64_t status = step(walk, last, next);
        if (status < 0) {
            return status;
        }
        rest = status == 1 ? walk->rest : next;
    }
    return 0;
}

/* What a path with a slash at its end leads to must be a directory, unless only the name counts. */
static bool slash_fits(struct walk *walk)
{
    const struct found *at = walk->at;
    if (!walk->slash || (walk->flags & WALK_NAME) != 0 || at->place == PLACE_MADE) {
        return true;
    }
    if (at->place == PLACE_NODE) {
        return at->inode == NULL || S_ISDIR(at->inode->mode);
    }
    const struct host_entry *entry = host_look(walk->w, at->path);
    return entry->kind == 0 || entry->kind == S_IFDIR;
}

/* After the walk: what lies at the place reached, which may have ended with "..". */
static void look_again(struct walk *walk)
{
    struct found *at = walk->at;
    if (at->path[0] == '\0') {
        memcpy(at->path, "/", 2);
    }
    bool mount = false;
    struct node *node = walk->t->proc->node;
    at->inode = disk_look(node, at->path, &at->dir, &mount, &at->mount_point);
    at->place = mount ? PLACE_NODE : made_owns(node, at->path) ? PLACE_MADE : PLACE_HOST;
    const char *slash = strrchr(at->path, '/');
    (void)snprintf(at->name, sizeof at->name, "%s", slash + 1);
}

int64_t path_walk(struct world *w, struct thread *t, int dirfd, const char *path, int flags,
                  struct found *ret)
{
    struct walk walk = {.w = w, .t = t, .at = ret, .flags = flags};
    ret->path[0] = '\0';
    ret->slash = walk.slash = path[0] != '\0' && path[strlen(path) - 1] == '/';
    ret->dots = 0;
    ret->inode = ret->dir = NULL;
    const char *base = t->proc->cwd->root;
    if (path[0] == '\0' && (flags & WALK_EMPTY) == 0) {
        return -ENOENT;
    }
    if (path[0] != '/') {
        base = t->proc->cwd->path;
        if (dirfd != AT_FDCWD) {
            struct file *f = fd_get_any(t, (uint64_t)(uint32_t)dirfd);
            if (f == NULL) {
                return -EBADF;
            }
            if (f->path == NULL || (path[0] != '\0' && !file_is_dir(f))) {
                return -ENOTDIR;
            }
            base = f->path;
        }
    }
    if (strlen(base) + 1 >= PATH_MAX) {
        return -ENAMETOOLONG;
    }
    (void)snprintf(ret->path, PATH_MAX, "%s", strcmp(base, "/") == 0 ? "" : base);
    (void)snprintf(walk.rest, PATH_MAX, "%s", path);
    if (path[0] != '\0' && !may_look(&walk)) {
        return -EACCES;
    }
    int64_t status = walk_names(&walk);
    if (status == 0) {
        look_again(&walk);
        status = walk.slash && (flags & WALK_CREATE) != 0 && strcmp(ret->path, "/") != 0 ? -EISDIR
                 : slash_fits(&walk)                                                     ? 0
                                                                                         : -ENOTDIR;
    }
    return status;
}

int64_t path_arg(struct world *w, struct thread *t, int dirfd, uint64_t ptr, int flags,
                 struct found *ret)
{
    char path[PATH_MAX];
    int64_t status = mem_path(t, ptr, path);
    return status != 0 ? status : path_walk(w, t, dirfd, path, flags, ret);
}
