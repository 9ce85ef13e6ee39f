/* Who a program is, and what it may see of the machine.
 *
 * Users and groups are simulated: a thread begins with those of whoever runs assay, and changes
 * them by the rules of Linux, without the real kernel hearing of it. The tracee itself always
 * stays what it is.
 *
 * Files of the machine are opened by the engine, so the real kernel judges by the engine's user.
 * For an ordinary user that is right, for it is the user of the programs, too. For root it would
 * show everything to everybody. Then a node sees what every user of the machine may see, whatever
 * user it says to be (root could be anybody), and more only in directories that were given to it:
 * where its cluster file and its program are, and those in `readable`. There the user that it says
 * to be decides. Names that begin with a dot are not given with the directory that they are in: a
 * cluster file in /root is no reason to show /root/.ssh. */
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/user.h>

#include "tracee/tracee.h"
#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

enum { GROUPS_MOST = 65536, NOBODY = -1 };

/* ---- life ---- */

static struct cred *cred_new(struct world *w, const struct cred *like, uint32_t n_groups)
{
    struct cred *c = heap_alloc(w->heap, sizeof *c + n_groups * sizeof c->groups[0]);
    if (like != NULL) {
        *c = *like;
    } else {
        memset(c, 0, sizeof *c);
    }
    c->refs = 1;
    c->n_groups = n_groups;
    return c;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y ? 1 : 0;
}

struct cred *cred_first(struct world *w)
{
    int n = getgroups(0, NULL);
    struct cred *c = cred_new(w, NULL, n > 0 ? (uint32_t)n : 0);
    for (int i = 0; i < 4; i++) {
        c->uid[i] = geteuid();
        c->gid[i] = getegid();
    }
    c->was_root = geteuid() == 0;
    if (n > 0 && getgroups(n, c->groups) != n) {
        c->n_groups = 0;
    }
    qsort(c->groups, c->n_groups, sizeof c->groups[0], by_number);
    return c;
}

void cred_unref(struct world *w, struct cred *c)
{
    if (c != NULL && --c->refs == 0) {
        heap_free(w->heap, c);
    }
}

void cred_share(struct world *w, struct thread *to, const struct thread *from)
{
    cred_unref(w, to->cred);
    to->cred = from->cred;
    to->cred->refs++;
}

/* A copy of the thread's own, to be changed. */
static struct cred *cred_own(struct world *w, struct thread *t)
{
    struct cred *old = t->cred;
    if (old->refs > 1) {
        t->cred = cred_new(w, old, old->n_groups);
        memcpy(t->cred->groups, old->groups, old->n_groups * sizeof old->groups[0]);
        cred_unref(w, old);
    }
    return t->cred;
}

/* ---- changing users and groups ---- */

static bool privileged(const struct thread *t)
{
    return t->cred->uid[CRED_EFFECTIVE] == 0;
}

static bool among(const uint32_t ids[4], uint32_t id, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (ids[i] == id) {
            return true;
        }
    }
    return false;
}

static uint32_t *ids_of(struct cred *c, bool group)
{
    return group ? c->gid : c->uid;
}

static int64_t set_one(struct world *w, struct thread *t, bool group)
{
    uint32_t id = (uint32_t)t->a[0];
    const uint32_t *old = ids_of(t->cred, group);
    if (id == (uint32_t)NOBODY) {
        return -EINVAL;
    }
    bool may = privileged(t);
    if (!may && id != old[CRED_REAL] && id != old[CRED_SAVED]) {
        return -EPERM;
    }
    uint32_t *ids = ids_of(cred_own(w, t), group);
    if (may) {
        ids[CRED_REAL] = ids[CRED_SAVED] = id;
    }
    ids[CRED_EFFECTIVE] = ids[CRED_FS] = id;
    return 0;
}

static int64_t set_two(struct world *w, struct thread *t, bool group)
{
    uint32_t real = (uint32_t)t->a[0], effective = (uint32_t)t->a[1];
    const uint32_t *old = ids_of(t->cred, group);
    bool keep_real = real == (uint32_t)NOBODY, keep_effective = effective == (uint32_t)NOBODY;
    if (!privileged(t) &&
        ((!keep_real && !among(old, real, 2)) || (!keep_effective && !among(old, effective, 3)))) {
        return -EPERM;
    }
    uint32_t *ids = ids_of(cred_own(w, t), group);
    uint32_t before = ids[CRED_REAL];
    ids[CRED_REAL] = keep_real ? ids[CRED_REAL] : real;
    ids[CRED_EFFECTIVE] = keep_effective ? ids[CRED_EFFECTIVE] : effective;
    if (!keep_real || (!keep_effective && effective != before)) {
        ids[CRED_SAVED] = ids[CRED_EFFECTIVE];
    }
    ids[CRED_FS] = ids[CRED_EFFECTIVE];
    return 0;
}

static int64_t set_three(struct world *w, struct thread *t, bool group)
{
    const uint32_t *old = ids_of(t->cred, group);
    for (int i = 0; i < 3; i++) {
        uint32_t id = (uint32_t)t->a[i];
        if (!privileged(t) && id != (uint32_t)NOBODY && !among(old, id, 3)) {
            return -EPERM;
        }
    }
    uint32_t *ids = ids_of(cred_own(w, t), group);
    for (int i = 0; i < 3; i++) {
        ids[i] = (uint32_t)t->a[i] == (uint32_t)NOBODY ? ids[i] : (uint32_t)t->a[i];
    }
    ids[CRED_FS] = ids[CRED_EFFECTIVE];
    return 0;
}

static int64_t get_three(struct thread *t, bool group)
{
    const uint32_t *ids = ids_of(t->cred, group);
    for (int i = 0; i < 3; i++) {
        if (!mem_write(t, t->a[i], &ids[i], sizeof ids[i])) {
            return -EFAULT;
        }
    }
    return 0;
}

static int64_t set_fs(struct world *w, struct thread *t, bool group)
{
    uint32_t id = (uint32_t)t->a[0], old = ids_of(t->cred, group)[CRED_FS];
    if (id != (uint32_t)NOBODY && (privileged(t) || among(ids_of(t->cred, group), id, 4))) {
        ids_of(cred_own(w, t), group)[CRED_FS] = id;
    }
    return old;
}

#define GETTER(name, field, which)                                                                 \
    int64_t call_##name(struct world *w, struct thread *t)                                         \
    {                                                                                              \
        (void)w;                                                                                   \
        return t->cred->field[which];                                                              \
    }
#define CHANGER(name, fn, group)                                                                   \
    int64_t call_##name(struct world *w, struct thread *t)                                         \
    {                                                                                              \
        return fn(w, t, group);                                                                    \
    }
GETTER(getuid, uid, CRED_REAL)
GETTER(geteuid, uid, CRED_EFFECTIVE)
GETTER(getgid, gid, CRED_REAL)
GETTER(getegid, gid, CRED_EFFECTIVE)
CHANGER(setuid, set_one, false)
CHANGER(setgid, set_one, true)
CHANGER(setreuid, set_two, false)
CHANGER(setregid, set_two, true)
CHANGER(setresuid, set_three, false)
CHANGER(setresgid, set_three, true)
CHANGER(setfsuid, set_fs, false)
CHANGER(setfsgid, set_fs, true)

int64_t call_getresuid(struct world *w, struct thread *t)
{
    (void)w;
    return get_three(t, false);
}

int64_t call_getresgid(struct world *w, struct thread *t)
{
    (void)w;
    return get_three(t, true);
}

int64_t call_getgroups(struct world *w, struct thread *t)
{
    (void)w;
    const struct cred *c = t->cred;
    int32_t room = (int32_t)t->a[0];
    if (room < 0 || (room != 0 && (uint32_t)room < c->n_groups)) {
        return -EINVAL;
    }
    bool good = room == 0 || mem_write(t, t->a[1], c->groups, c->n_groups * sizeof c->groups[0]);
    return good ? (int64_t)c->n_groups : -EFAULT;
}

int64_t call_setgroups(struct world *w, struct thread *t)
{
    uint32_t n = (uint32_t)t->a[0];
    if (!privileged(t)) {
        return -EPERM;
    }
    if (n > GROUPS_MOST) {
        return -EINVAL;
    }
    struct cred *c = cred_new(w, t->cred, n);
    if (n != 0 && !mem_read(t, t->a[1], c->groups, n * sizeof c->groups[0])) {
        cred_unref(w, c);
        return -EFAULT;
    }
    qsort(c->groups, n, sizeof c->groups[0], by_number);
    cred_unref(w, t->cred);
    t->cred = c;
    return 0;
}

/* Nobody has capabilities here; a program that was root may choose among them all the same. */
int64_t call_capset(struct world *w, struct thread *t)
{
    struct __user_cap_header_struct head;
    struct __user_cap_data_struct data[2];
    if (!mem_read(t, t->a[0], &head, sizeof head) || !mem_read(t, t->a[1], data, sizeof data)) {
        return -EFAULT;
    }
    if (head.version != _LINUX_CAPABILITY_VERSION_3) {
        return -EINVAL;
    }
    uint32_t any = data[0].effective | data[0].permitted | data[1].effective | data[1].permitted;
    if (any != 0 && !t->cred->was_root) {
        return -EPERM;
    }
    cred_own(w, t)->caps = (uint64_t)data[1].effective << 32 | data[0].effective;
    return 0;
}

/* ---- what belongs to whom ---- */

struct inode *inode_of(struct world *w, const struct thread *t, uint32_t mode, bool tmp)
{
    struct inode *inode = inode_new(w, t->proc->node, mode, tmp);
    inode->uid = t->cred->uid[CRED_FS];
    inode->gid = t->cred->gid[CRED_FS];
    return inode;
}

/* ---- a new program ---- */

/* The real kernel has told the program its own users: those of the tracee. */
void cred_exec(struct world *w, struct thread *t)
{
    struct cred *c = cred_own(w, t);
    c->uid[CRED_SAVED] = c->uid[CRED_FS] = c->uid[CRED_EFFECTIVE];
    c->gid[CRED_SAVED] = c->gid[CRED_FS] = c->gid[CRED_EFFECTIVE];
    struct user_regs_struct regs;
    bool same = c->uid[CRED_REAL] == geteuid() && c->uid[CRED_EFFECTIVE] == geteuid() &&
                c->gid[CRED_REAL] == getegid() && c->gid[CRED_EFFECTIVE] == getegid();
    if (same || !tracee_regs_get(t->real, &regs)) {
        return;
    }
    uint64_t at = regs.rsp, word = 0;
    if (!mem_read(t, at, &word, sizeof word)) {
        return;
    }
    at += 8 * (word + 2); /* argc, argv and its NULL; then the environment */
    do {
        word = 0;
        (void)mem_read(t, at, &word, sizeof word);
        at += 8;
    } while (word != 0);
    uint64_t pair[2];
    for (; mem_read(t, at, pair, sizeof pair) && pair[0] != AT_NULL; at += sizeof pair) {
        const uint32_t *id = pair[0] == AT_UID    ? &c->uid[CRED_REAL]
                             : pair[0] == AT_EUID ? &c->uid[CRED_EFFECTIVE]
                             : pair[0] == AT_GID  ? &c->gid[CRED_REAL]
                             : pair[0] == AT_EGID ? &c->gid[CRED_EFFECTIVE]
                                                  : NULL;
        if (id != NULL) {
            pair[1] = *id;
            (void)mem_write(t, at, pair, sizeof pair);
        }
    }
}

/* ---- files ---- */

static bool in_groups(const struct cred *c, uint32_t gid, uint32_t group)
{
    return gid == group || bsearch(&group, c->groups, c->n_groups, sizeof group, by_number) != NULL;
}

/* By the rules of Linux: owner, group or others; root may all, but execute only what somebody may.
 */
static bool mode_allows(const struct cred *c, enum cred_id which, const struct stat *st,
                        unsigned want)
{
    uint32_t uid = c->uid[which];
    if (uid == 0) {
        return (want & X_OK) == 0 || S_ISDIR(st->st_mode) || (st->st_mode & 0111) != 0;
    }
    unsigned shift = uid == st->st_uid ? 6 : in_groups(c, c->gid[which], st->st_gid) ? 3 : 0;
    return ((st->st_mode >> shift) & want) == want;
}

/* ---- files of the node's disk ---- */

bool cred_can(const struct thread *t, unsigned capability)
{
    return t->cred->uid[CRED_EFFECTIVE] == 0 || (t->cred->caps >> capability & 1) != 0;
}

bool node_may(const struct thread *t, enum cred_id which, const struct inode *inode, unsigned want)
{
    const struct stat st = {.st_mode = inode->mode, .st_uid = inode->uid, .st_gid = inode->gid};
    struct cred root = {.uid = {0}};
    bool all = which != CRED_REAL && (t->cred->caps >> CAP_DAC_OVERRIDE & 1) != 0;
    return mode_allows(all ? &root : t->cred, which, &st, want);
}

bool node_owns(const struct thread *t, const struct inode *inode)
{
    uint32_t uid = t->cred->uid[CRED_FS];
    return uid == 0 || uid == inode->uid || (t->cred->caps >> CAP_FOWNER & 1) != 0;
}

bool node_in_group(const struct thread *t, uint32_t group)
{
    return in_groups(t->cred, t->cred->gid[CRED_FS], group);
}

int64_t node_may_make(const struct thread *t, const struct inode *dir)
{
    return node_may(t, CRED_FS, dir, W_OK | X_OK) ? 0 : -EACCES;
}

int64_t node_may_remove(const struct thread *t, const struct inode *dir, const struct inode *inode)
{
    if (!node_may(t, CRED_FS, dir, W_OK | X_OK)) {
        return -EACCES;
    }
    bool kept = (dir->mode & S_ISVTX) != 0 && !node_owns(t, inode) && !node_owns(t, dir);
    return kept ? -EPERM : 0;
}

/* ---- files of the machine ---- */

/* What is left of the path below the directory, "" for itself; NULL when it is not there. */
static const char *below(const char *path, const char *dir)
{
    size_t n = strlen(dir);
    return n > 1 && strncmp(path, dir, n) == 0 && (path[n] == '/' || path[n] == '\0') ? path + n
                                                                                      : NULL;
}

static bool given(const struct node *node, const char *path)
{
    bool found = false;
    for (size_t i = 0; !found && node->shown[i] != NULL; i++) {
        const char *rest = below(path, node->shown[i]);
        found = rest != NULL && strstr(rest, "/.") == NULL;
    }
    const char *rest = node->program_dir != NULL ? below(path, node->program_dir) : NULL;
    return found || (rest != NULL && strstr(rest, "/.") == NULL);
}

/* A directory that leads to one that was given, or to the node's disk, can be passed. */
static bool on_the_way(const struct node *node, const char *path)
{
    bool found = node->program_dir != NULL && below(node->program_dir, path) != NULL;
    for (uint32_t i = 0; !found && i < node->n_mounts; i++) {
        found = below(node->mounts[i].path, path) != NULL;
    }
    for (size_t i = 0; !found && node->shown[i] != NULL; i++) {
        found = below(node->shown[i], path) != NULL;
    }
    return found;
}

bool host_may(const struct thread *t, enum cred_id which, const char *path, const struct stat *st,
              unsigned want)
{
    if (geteuid() != 0) {
        return true; /* the real kernel judges, and rightly */
    }
    const struct node *node = t->proc->node;
    if (given(node, path)) {
        return mode_allows(t->cred, which, st, want);
    }
    return (st->st_mode & want) == want ||
           (want == X_OK && S_ISDIR(st->st_mode) && on_the_way(node, path));
}

/* The directory of a program that is named by its path; NULL when it is on the node's disk, or
 * will be looked for. */
char *host_program_dir(struct world *w, const char *program)
{
    char real[PATH_MAX];
    if (program[0] != '/' || realpath(program, real) == NULL) {
        return NULL;
    }
    char *slash = strrchr(real, '/');
    *slash = '\0';
    return slash == real ? NULL : heap_strdup(w, real);
}
