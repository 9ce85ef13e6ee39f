/* What a disk remembers after a power failure.
 *
 * Every inode has two versions: the one that programs see and the durable one. A change (a write, a
 * new size, a name made, removed or renamed) applies to the first at once and is also appended to
 * the list of the node's pending operations. fsync of a file makes its data durable: the matching
 * operations leave the list. A rename is one operation: both or neither name. Data are never
 * durable because their file was renamed.
 *
 * Names and sizes depend on the model. "journal" is what ext4 (ordered) and XFS have in common:
 * names become durable in the order in which they were made, any fsync takes the earlier ones
 * along, and what was written after a change of size is not there without it. "strict" is what
 * POSIX promises: a name is durable when its directory was synced, and everything else is free.
 *
 * At a crash some of the pending operations are applied to the durable version, in order: none,
 * all, or a random part. Then each file loses all of its pending data, nothing, or some: each
 * sector (of what is new to the file: each page) shows the file as it was at some moment since it
 * was durable; and of what was stored to mapped files some pages are there. Programs then see the
 * durable version. tmpfs loses everything. Old operations become durable by themselves, as the
 * writeback of a real kernel does: after a time, or when they take too much memory.
 *
 * After Pillai et al., "All file systems are not created equal" (OSDI 2014), which shows how real
 * file systems reorder; "strict" is weaker than any of them, so an application that survives there
 * does so everywhere. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/hash.h"
#include "base/rng.h"
#include "world/heap.h"
#include "world/world_int.h"

enum { PENDING_BYTES = 64 << 20 };

static void op_free(struct world *w, struct node *node, struct diskop *op)
{
    node->ops_bytes -= op->n + sizeof *op;
    w->file_bytes -= op->bytes != NULL ? heap_size(op->bytes) : 0;
    heap_free(w->heap, op->bytes);
    heap_free(w->heap, op->name);
    heap_free(w->heap, op->name2);
    struct inode *held[4] = {op->inode, op->dir, op->dir2, op->other};
    heap_free(w->heap, op);
    for (int i = 0; i < 4; i++) {
        if (held[i] != NULL) {
            inode_unref(w, held[i]);
        }
    }
}

/* Gives a durable name a (new) target, counting both. */
static void durable_set(struct world *w, struct inode *dir, const char *name, struct inode *inode)
{
    if (inode != NULL) {
        inode->durable_links++;
    }
    struct inode *old = dir_set(w, &dir->durable_dir, name, inode);
    if (old != NULL) {
        old->durable_links--;
        inode_collect(w, old);
    }
}

static void op_apply(struct world *w, const struct diskop *op)
{
    switch (op->kind) {
    case OP_WRITE: fdata_write(w, &op->inode->durable, op->off, op->bytes, op->n); break;
    case OP_SIZE: fdata_truncate(w, &op->inode->durable, op->off); break;
    case OP_ZERO: fdata_zero(w, &op->inode->durable, op->off, op->length); break;
    case OP_COLLAPSE:
    case OP_INSERT:
        fdata_shift(w, &op->inode->durable, op->off, op->length, op->kind == OP_INSERT);
        break;
    case OP_LINK: durable_set(w, op->dir, op->name, op->inode); break;
    case OP_UNLINK: durable_set(w, op->dir, op->name, NULL); break;
    case OP_RENAME:
        durable_set(w, op->dir2, op->name2, op->inode);
        durable_set(w, op->dir, op->name, NULL);
        break;
    case OP_EXCHANGE:
        op->other->durable_links++; /* it must not be taken for unused between the two */
        durable_set(w, op->dir2, op->name2, op->inode);
        durable_set(w, op->dir, op->name, op->other);
        op->other->durable_links--;
        break;
    }
}

/* Makes the oldest pending operation durable. */
static void apply_first(struct world *w, struct node *node)
{
    struct diskop *first = node->ops;
    op_apply(w, first);
    node->ops = first->next;
    if (node->ops == NULL) {
        node->ops_tail = NULL;
    }
    op_free(w, node, first);
}

/* Takes ownership of what the operation points to. */
void disk_log(struct world *w, struct inode *inode, struct diskop op)
{
    struct node *node = inode->node;
    if (inode->tmp || node->formatting) {
        w->file_bytes -= op.bytes != NULL ? heap_size(op.bytes) : 0;
        heap_free(w->heap, op.bytes);
        heap_free(w->heap, op.name);
        heap_free(w->heap, op.name2);
        return;
    }
    struct diskop *copy = HEAP_NEW(w->heap, struct diskop);
    *copy = op;
    copy->at_ns = node_now(w, node);
    if (copy->inode == NULL && copy->dir == NULL) {
        copy->inode = inode;
    }
    struct inode *held[4] = {copy->inode, copy->dir, copy->dir2, copy->other};
    for (int i = 0; i < 4; i++) {
        if (held[i] != NULL) {
            held[i]->opens++;
        }
    }
    if (node->ops_tail != NULL) {
        node->ops_tail->next = copy;
    } else {
        node->ops = copy;
    }
    node->ops_tail = copy;
    node->ops_bytes += copy->n + sizeof *copy;
    while (node->ops_bytes > PENDING_BYTES && node->ops != NULL) {
        apply_first(w, node);
    }
}

static bool is_data(const struct diskop *op)
{
    return op->kind <= OP_INSERT;
}

static bool op_concerns(const struct world *w, const struct diskop *op, const struct inode *inode)
{
    if (is_data(op)) {
        return op->inode == inode;
    }
    return !w->strict_disk || op->dir == inode || op->dir2 == inode;
}

/* Applies and removes the pending operations of one inode, or all. */
static void ops_flush(struct world *w, struct node *node, const struct inode *only)
{
    struct diskop **at = &node->ops;
    struct diskop *last = NULL;
    while (*at != NULL) {
        struct diskop *op = *at;
        if (only == NULL || op_concerns(w, op, only)) {
            op_apply(w, op);
            *at = op->next;
            op->next = NULL;
            op_free(w, node, op);
        } else {
            last = op;
            at = &op->next;
        }
    }
    node->ops_tail = last;
}

/* A file that programs map and write without a call: its contents are taken as they are. */
static void sync_mapped(struct world *w, struct inode *inode)
{
    uint64_t size = inode_size(inode);
    uint8_t page[PAGE];
    fdata_truncate(w, &inode->durable, 0);
    for (uint64_t off = inode_data(w, inode, 0); off < size;
         off = inode_data(w, inode, off + PAGE)) {
        ssize_t got = pread(inode->memfd, page, PAGE, (off_t)off);
        if (got > 0) {
            fdata_write(w, &inode->durable, off, page, (size_t)got);
        }
    }
    inode->durable.size = size;
}

void disk_sync(struct world *w, struct inode *inode)
{
    if (inode->tmp) {
        return;
    }
    ops_flush(w, inode->node, inode);
    if (inode->memfd >= 0) {
        sync_mapped(w, inode);
    }
}

void disk_sync_mapped(struct world *w, struct inode *dir)
{
    for (uint32_t i = 0; i < dir->dir.n; i++) {
        struct inode *inode = dir->dir.v[i].inode;
        if (S_ISDIR(inode->mode)) {
            disk_sync_mapped(w, inode);
        } else if (inode->memfd >= 0) {
            disk_sync(w, inode);
        }
    }
}

void disk_sync_all(struct world *w, struct node *node)
{
    ops_flush(w, node, NULL);
    for (uint32_t i = 0; i < node->n_mounts; i++) {
        disk_sync_mapped(w, node->mounts[i].root);
    }
}

/* ---- crash ---- */

/* Which moment of a file's pending writes a place on the disk shows: 0 is before the first. A
 * kernel writes back what a page holds, so a place that shows a write shows those before it, too.
 */
static uint32_t moment(const struct loss *loss, uint64_t place)
{
    switch (loss->fate) {
    case LOSE_ALL: return 0;
    case LOSE_NONE: return loss->n;
    case LOSE_SOME: break;
    }
    return (uint32_t)(hash_combine(loss->key, place) % (loss->n + 1));
}

/* Before a crash: what becomes of the pending data of each file. */
static void draw_losses(struct node *node)
{
    for (struct diskop *op = node->ops; op != NULL; op = op->next) {
        if (is_data(op)) {
            op->inode->loss = (struct loss){0};
        }
    }
    for (struct diskop *op = node->ops; op != NULL; op = op->next) {
        struct loss *loss = is_data(op) ? &op->inode->loss : NULL;
        if (loss != NULL && loss->n++ == 0) {
            loss->fate = (enum loss_fate)rng_below(&node->rng, 3);
            loss->key = rng_next(&node->rng);
            loss->size = op->inode->durable.size;
        }
    }
}

/* The parts of a write that reached the disk: sectors in what was there before, else whole pages,
 * which belong to the file only when they were written. False when anything is missing. */
static bool apply_parts(struct world *w, const struct diskop *op)
{
    const struct loss *loss = &op->inode->loss;
    uint64_t at = op->off, end = op->off + op->n;
    bool complete = true;
    while (at < end) {
        uint64_t page = at / PAGE * PAGE, unit = page >= loss->size ? PAGE : SECTOR;
        uint64_t place = at / unit * unit, stop = place + unit < end ? place + unit : end;
        bool kept = !loss->size_lost && moment(loss, place) >= loss->i;
        if (kept) {
            fdata_write(w, &op->inode->durable, at, op->bytes + (at - op->off), stop - at);
        }
        complete = complete && kept;
        at = stop;
    }
    return complete;
}

/* A change of size, or of where data lie, is there or not; with a journal, what follows needs it.
 */
static bool apply_size(struct world *w, const struct diskop *op)
{
    struct loss *loss = &op->inode->loss;
    if (w->strict_disk) {
        bool kept = moment(loss, ~(uint64_t)loss->i) >= loss->i;
        if (kept) {
            op_apply(w, op);
        }
        return kept;
    }
    loss->size_lost = loss->size_lost || moment(loss, ~(uint64_t)0) < loss->i;
    if (!loss->size_lost) {
        op_apply(w, op);
    }
    return !loss->size_lost;
}

/* One pending operation at a crash that keeps some: false when it is lost, or a part of it. `names`
 * counts those of names that still survive (journal). */
static bool apply_some(struct world *w, struct node *node, const struct diskop *op, uint64_t *names)
{
    if (is_data(op)) {
        op->inode->loss.i++;
        return op->kind == OP_WRITE ? apply_parts(w, op) : apply_size(w, op);
    }
    bool kept = w->strict_disk ? rng_below(&node->rng, 2) == 0 : *names > 0;
    if (kept) {
        *names -= w->strict_disk ? 0 : 1;
        op_apply(w, op);
    }
    return kept;
}

static void crash_ops(struct world *w, struct node *node, enum crash_keep keep)
{
    uint64_t names = 0, now = node_now(w, node);
    while (node->ops != NULL && w->writeback_ns != 0 && now - node->ops->at_ns >= w->writeback_ns) {
        apply_first(w, node);
    }
    for (const struct diskop *op = node->ops; op != NULL; op = op->next) {
        names += is_data(op) ? 0 : 1;
    }
    if (keep == CRASH_KEEP_RANDOM) {
        names = rng_below(&node->rng, names + 1);
        draw_losses(node);
    }
    while (node->ops != NULL) {
        struct diskop *op = node->ops;
        if (keep == CRASH_KEEP_ALL) {
            op_apply(w, op);
        } else if (keep == CRASH_KEEP_NONE || !apply_some(w, node, op, &names)) {
            w->counts.lost_ops++;
        }
        node->ops = op->next;
        op_free(w, node, op);
    }
    node->ops_tail = NULL;
    node->ops_bytes = 0;
}

struct crash {
    struct world *w;
    struct node *node;
    enum crash_keep keep;
};

/* What programs stored to a mapped file without a call: each page did or did not reach the disk. */
/* The next page that is in the memory file or in the durable one. */
static uint64_t either_data(const struct world *w, struct inode *inode, uint64_t off)
{
    uint64_t a = inode_data(w, inode, off), b = fdata_next(&inode->durable, off);
    return (a < b ? a : b) & ~(uint64_t)(PAGE - 1);
}

static void crash_mapped(void *arg, struct inode *inode)
{
    const struct crash *crash = arg;
    if (inode->tmp || inode->loss.size_lost || crash->keep == CRASH_KEEP_NONE) {
        return;
    }
    if (crash->keep == CRASH_KEEP_ALL) {
        sync_mapped(crash->w, inode);
        return;
    }
    uint64_t size = inode_size(inode);
    size = size < inode->durable.size ? size : inode->durable.size;
    uint8_t page[PAGE], old[PAGE];
    for (uint64_t off = either_data(crash->w, inode, 0); off < size;
         off = either_data(crash->w, inode, off + PAGE)) {
        size_t n = size - off < PAGE ? (size_t)(size - off) : PAGE;
        fdata_read(&inode->durable, off, old, n);
        if (pread(inode->memfd, page, n, (off_t)off) == (ssize_t)n && memcmp(page, old, n) != 0 &&
            rng_below(&crash->node->rng, 2) == 0) {
            fdata_write(crash->w, &inode->durable, off, page, n);
        }
    }
}

/* Programs will see the durable version of a directory and of all below it. */
static void revert(struct world *w, struct inode *dir)
{
    struct dir *now = &dir->dir;
    while (now->n > 0) {
        struct inode *inode = now->v[now->n - 1].inode;
        (void)dir_set(w, now, now->v[now->n - 1].name, NULL);
        inode->nlink--;
        if (S_ISDIR(inode->mode) && inode->durable_links == 0) {
            revert(w, inode); /* it goes, with all that is in it */
        }
        inode_collect(w, inode);
    }
    for (uint32_t i = 0; i < dir->durable_dir.n; i++) {
        struct inode *inode = dir->durable_dir.v[i].inode;
        inode->nlink++;
        (void)dir_set(w, now, dir->durable_dir.v[i].name, inode);
        if (S_ISDIR(inode->mode)) {
            inode->parent = dir;
        }
    }
}

/* Reverts everything that the durable tree holds. */
static void revert_tree(struct world *w, struct inode *dir)
{
    revert(w, dir);
    for (uint32_t i = 0; i < dir->dir.n; i++) {
        struct inode *inode = dir->dir.v[i].inode;
        if (S_ISDIR(inode->mode)) {
            revert_tree(w, inode);
        } else if (S_ISREG(inode->mode)) {
            inode->loss = (struct loss){0};
            if (inode->memfd >= 0) {
                (void)close(inode->memfd);
                inode->memfd = -1;
            }
            fdata_share(w, &inode->data, &inode->durable);
            inode_charge(inode);
        }
    }
}

void disk_crash(struct world *w, struct node *node, enum crash_keep keep)
{
    crash_ops(w, node, keep);
    disk_each_mapped(node, crash_mapped, &(struct crash){w, node, keep});
    for (uint32_t i = 0; i < node->n_mounts; i++) {
        revert_tree(w, node->mounts[i].root);
    }
}

/* ---- a new disk ---- */

static struct inode *mount_add(struct world *w, struct node *node, const char *path, bool tmp)
{
    for (uint32_t i = 0; i < node->n_mounts; i++) {
        if (strcmp(node->mounts[i].path, path) == 0) {
            return node->mounts[i].root;
        }
    }
    node->mounts =
        heap_realloc(w->heap, node->mounts, (node->n_mounts + 1) * sizeof node->mounts[0]);
    struct inode *root = inode_new(w, node, S_IFDIR | (tmp ? 01777 : 0755), tmp);
    root->nlink = root->durable_links = 1;
    node->mounts[node->n_mounts++] = (struct mount){heap_strdup(w, path), root};
    return root;
}

/* Makes the directories above a path inside a mount; returns the last one. */
static struct inode *make_dirs(struct world *w, struct node *node, struct inode *root, char *rest)
{
    struct inode *at = root;
    for (char *slash = strchr(rest, '/'); slash != NULL; slash = strchr(rest, '/')) {
        *slash = '\0';
        if (*rest != '\0') {
            struct inode *next = dir_find(&at->dir, rest);
            if (next == NULL) {
                next = inode_new(w, node, S_IFDIR | 0755, root->tmp);
                dir_link(w, at, rest, next);
                durable_set(w, at, rest, next);
            }
            at = next;
        }
        rest = slash + 1;
    }
    return at;
}

static void seed_file(struct world *w, struct node *node, const struct world_file *file)
{
    for (uint32_t i = 0; i < node->n_mounts; i++) {
        const struct mount *m = &node->mounts[i];
        size_t n = strlen(m->path);
        if (strncmp(file->path, m->path, n) != 0 || file->path[n] != '/') {
            continue;
        }
        char *rest = heap_strdup(w, file->path + n + 1);
        struct inode *dir = make_dirs(w, node, m->root, rest);
        const char *slash = strrchr(file->path, '/');
        struct inode *inode =
            inode_new(w, node, S_IFREG | (file->mode != 0 ? file->mode : 0644), m->root->tmp);
        fdata_write(w, &inode->data, 0, file->text, file->n);
        inode_charge(inode);
        fdata_share(w, &inode->durable, &inode->data);
        dir_link(w, dir, slash + 1, inode);
        durable_set(w, dir, slash + 1, inode);
        heap_free(w->heap, rest);
        return;
    }
}

/* What is shown below a temporary directory has directories above it there. */
static void seed_way(struct world *w, struct node *node, const char *shown)
{
    for (uint32_t i = 0; i < node->n_mounts; i++) {
        const struct mount *m = &node->mounts[i];
        size_t n = strlen(m->path);
        if (m->root->tmp && strncmp(shown, m->path, n) == 0 && shown[n] == '/') {
            char *rest = heap_strdup(w, shown + n + 1);
            struct inode *dir = make_dirs(w, node, m->root, rest);
            const char *name = strrchr(shown, '/') + 1;
            struct inode *inode = inode_new(w, node, S_IFDIR | 0755, true);
            dir_link(w, dir, name, inode);
            durable_set(w, dir, name, inode);
            heap_free(w->heap, rest);
        }
    }
}

void disk_init(struct world *w, struct node *node, const struct world_node *spec)
{
    static const char *const temporary[] = {"/tmp", "/var/tmp", "/run", "/dev/shm", NULL};
    node->formatting = true;
    for (size_t i = 0; spec->dirs != NULL && spec->dirs[i] != NULL; i++) {
        (void)mount_add(w, node, spec->dirs[i], false);
    }
    for (size_t i = 0; temporary[i] != NULL; i++) {
        (void)mount_add(w, node, temporary[i], true);
    }
    for (size_t i = 0; i < spec->n_files; i++) {
        seed_file(w, node, &spec->files[i]);
    }
    for (size_t i = 0; node->shown[i] != NULL; i++) {
        seed_way(w, node, node->shown[i]);
    }
    node->formatting = false;
    node->disk_fault = -1;
}

static void each_mapped(struct inode *dir, void (*fn)(void *arg, struct inode *), void *arg)
{
    for (uint32_t i = 0; i < dir->dir.n; i++) {
        struct inode *inode = dir->dir.v[i].inode;
        if (S_ISDIR(inode->mode)) {
            each_mapped(inode, fn, arg);
        } else if (inode->memfd >= 0) {
            fn(arg, inode);
        }
    }
}

void disk_each_mapped(struct node *node, void (*fn)(void *arg, struct inode *), void *arg)
{
    for (uint32_t i = 0; i < node->n_mounts; i++) {
        each_mapped(node->mounts[i].root, fn, arg);
    }
}

static void close_mapped(void *arg, struct inode *inode)
{
    (void)arg;
    (void)close(inode->memfd);
    inode->memfd = -1;
}

void disk_done(struct world *w, struct node *node)
{
    (void)w;
    disk_each_mapped(node, close_mapped, NULL);
}

/* ---- faults ---- */

struct any_file {
    struct rng *rng;
    struct inode *chosen;
    uint64_t seen;
};

/* Each file with contents has the same chance. */
static void any_file(struct any_file *any, const struct inode *dir)
{
    for (uint32_t i = 0; i < dir->dir.n; i++) {
        struct inode *inode = dir->dir.v[i].inode;
        if (S_ISDIR(inode->mode)) {
            any_file(any, inode);
        } else if (S_ISREG(inode->mode) && inode_size(inode) != 0 &&
                   rng_below(any->rng, ++any->seen) == 0) {
            any->chosen = inode;
        }
    }
}

/* The bytes go to some sector of a file of the same node, perhaps the right one's neighbour; no
 * file grows by that. Where they belong the old bytes stay, or zeros when the file grows. */
void disk_write_astray(struct world *w, struct inode *inode, uint64_t off, const void *from,
                       size_t n)
{
    struct node *node = inode->node;
    struct any_file any = {&node->rng, NULL, 0};
    for (uint32_t i = 0; i < node->n_mounts; i++) {
        if (node->mounts[i].root->tmp == inode->tmp) {
            any_file(&any, node->mounts[i].root);
        }
    }
    struct inode *to =
        rng_below(&node->rng, 2) == 0 && inode_size(inode) > SECTOR ? inode : any.chosen;
    if (to != NULL) {
        uint64_t size = inode_size(to), sectors = (size + SECTOR - 1) / SECTOR;
        uint64_t sector = rng_below(&node->rng, sectors);
        if (to == inode && sector == off / SECTOR) {
            sector = (sector + 1) % sectors;
        }
        uint64_t at = sector * SECTOR + off % SECTOR;
        bool same = to == inode && at == off;
        if (at < size && !same) {
            (void)inode_write(w, to, at, from, n < size - at ? n : (size_t)(size - at));
        }
    }
    if (off + n > inode_size(inode)) {
        (void)inode_truncate(w, inode, off + n);
    }
}

bool disk_take_fault(struct world *w, struct node *node, enum disk_fault fault)
{
    if (node->disk_fault != (int)fault) {
        return false;
    }
    node->disk_fault = -1;
    w->counts.disk_faults[fault]++;
    return true;
}
