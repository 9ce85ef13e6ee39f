/* System V shared memory. A segment is a file without a name that lives in a memory file; attaching
 * maps it. Who has it attached is kept for each process: fork copies it, exec and the end drop it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "tracee/tracee.h"
#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

struct shm {
    struct shm *next;
    int id;
    key_t key;
    size_t size;
    uint32_t mode;
    bool removed;
    int creator, last;
    uint32_t uid, gid;            /* of the creator */
    uint64_t atime, dtime, ctime; /* seconds */
    struct inode *inode;
};
struct shm_attach {
    struct shm_attach *next;
    struct shm *shm;
    uint64_t addr;
};

static uint64_t seconds(const struct world *w, const struct node *node)
{
    return node_real(node, w->now_ns) / 1000000000;
}

static uint64_t attached(const struct node *node, const struct shm *shm)
{
    uint64_t n = 0;
    for (const struct proc *p = node->procs; p != NULL; p = p->next) {
        for (const struct shm_attach *a = p->attaches; a != NULL; a = a->next) {
            n += a->shm == shm ? 1 : 0;
        }
    }
    return n;
}

/* A removed segment goes with its last user. */
static void shm_collect(struct world *w, struct node *node)
{
    for (struct shm **at = &node->shms; *at != NULL;) {
        struct shm *shm = *at;
        if (shm->removed && attached(node, shm) == 0) {
            *at = shm->next;
            inode_unref(w, shm->inode);
            heap_free(w->heap, shm);
        } else {
            at = &shm->next;
        }
    }
}

void shm_fork(struct world *w, struct proc *child, const struct proc *parent)
{
    for (const struct shm_attach *a = parent->attaches; a != NULL; a = a->next) {
        struct shm_attach *copy = HEAP_NEW(w->heap, struct shm_attach);
        *copy = *a;
        copy->next = child->attaches;
        child->attaches = copy;
    }
}

void shm_exit(struct world *w, struct proc *proc)
{
    while (proc->attaches != NULL) {
        struct shm_attach *a = proc->attaches;
        proc->attaches = a->next;
        heap_free(w->heap, a);
    }
    shm_collect(w, proc->node);
}

void shm_power_off(struct world *w, struct node *node)
{
    for (struct shm *shm = node->shms; shm != NULL; shm = shm->next) {
        shm->removed = true;
    }
    shm_collect(w, node);
}

static struct shm *shm_find(const struct node *node, int id)
{
    for (struct shm *shm = node->shms; shm != NULL; shm = shm->next) {
        if (shm->id == id) {
            return shm;
        }
    }
    return NULL;
}

/* All segments of a node, which together are no larger than the memory of a process may be. */
static uint64_t shm_bytes(const struct world *w, const struct node *node)
{
    uint64_t sum = 0, most = w->limits.memory_bytes;
    for (const struct shm *shm = node->shms; shm != NULL; shm = shm->next) {
        sum += shm->size;
    }
    return sum < most ? sum : most;
}

int64_t call_shmget(struct world *w, struct thread *t)
{
    struct node *node = t->proc->node;
    key_t key = (key_t)t->a[0];
    uint64_t flags = t->a[2];
    for (struct shm *shm = node->shms; key != IPC_PRIVATE && shm != NULL; shm = shm->next) {
        if (shm->key == key && !shm->removed) {
            bool exclusive = (flags & IPC_CREAT) != 0 && (flags & IPC_EXCL) != 0;
            return exclusive ? -EEXIST : t->a[1] > shm->size ? -EINVAL : shm->id;
        }
    }
    if (key != IPC_PRIVATE && (flags & IPC_CREAT) == 0) {
        return -ENOENT;
    }
    if (t->a[1] == 0 || t->a[1] > (UINT64_C(1) << 40)) {
        return -EINVAL;
    }
    if (t->a[1] > w->limits.memory_bytes - shm_bytes(w, node)) {
        return -ENOSPC;
    }
    struct shm *shm = HEAP_NEW(w->heap, struct shm);
    shm->id = node->next_shm++;
    shm->key = key;
    shm->size = t->a[1];
    shm->mode = (uint32_t)flags & 0777;
    shm->creator = t->proc->pid;
    shm->uid = t->cred->uid[CRED_EFFECTIVE];
    shm->gid = t->cred->gid[CRED_EFFECTIVE];
    shm->ctime = seconds(w, node);
    shm->inode = inode_new(w, node, S_IFREG | 0600, true);
    shm->inode->opens++;
    (void)inode_truncate(w, shm->inode, (shm->size + 4095) & ~UINT64_C(4095)); /* it is a hole */
    shm->next = node->shms;
    node->shms = shm;
    return shm->id;
}

int64_t call_shmat(struct world *w, struct thread *t)
{
    struct shm *shm = shm_find(t->proc->node, (int)t->a[0]);
    uint64_t addr = t->a[1], flags = t->a[2];
    if (shm == NULL || shm->removed) {
        return shm == NULL ? -EINVAL : -EIDRM;
    }
    if ((addr & 4095) != 0) {
        if ((flags & SHM_RND) == 0) {
            return -EINVAL;
        }
        addr &= ~UINT64_C(4095);
    }
    uint64_t bytes = (shm->size + 4095) & ~UINT64_C(4095);
    int64_t status = addr != 0 ? map_fixed_check(w, t, addr, bytes) : 0;
    int fd = status == 0 ? inode_memfd(w, shm->inode) : -1;
    if (fd < 0) {
        return status != 0 ? status : -ENOMEM;
    }
    bool write = (flags & SHM_RDONLY) == 0;
    uint64_t how =
        MAP_SHARED | (addr != 0 ? ((flags & SHM_REMAP) != 0 ? MAP_FIXED : MAP_FIXED_NOREPLACE) : 0);
    const uint64_t map[4] = {addr, bytes, write ? PROT_READ | PROT_WRITE : PROT_READ, how};
    int64_t result = map_descriptor(t, fd, write, map);
    if (result < 0 && result > -4096) {
        return result == -EEXIST ? -EINVAL : result;
    }
    struct shm_attach *a = HEAP_NEW(w->heap, struct shm_attach);
    *a = (struct shm_attach){t->proc->attaches, shm, (uint64_t)result};
    t->proc->attaches = a;
    shm->last = t->proc->pid;
    shm->atime = seconds(w, t->proc->node);
    return result;
}

int64_t call_shmdt(struct world *w, struct thread *t)
{
    for (struct shm_attach **at = &t->proc->attaches; *at != NULL; at = &(*at)->next) {
        struct shm_attach *a = *at;
        if (a->addr == t->a[0]) {
            struct tracee_call call = {t->real, &t->regs, false, 0};
            const uint64_t args[6] = {a->addr, (a->shm->size + 4095) & ~UINT64_C(4095)};
            int64_t result = tracee_call(&call, SYS_munmap, args);
            *at = a->next;
            a->shm->last = t->proc->pid;
            a->shm->dtime = seconds(w, t->proc->node);
            heap_free(w->heap, a);
            shm_collect(w, t->proc->node);
            return result;
        }
    }
    return -EINVAL;
}

int64_t call_shmctl(struct world *w, struct thread *t)
{
    struct shm *shm = shm_find(t->proc->node, (int)t->a[0]);
    if (shm == NULL) {
        return -EINVAL;
    }
    struct shmid_ds ds = {
        .shm_perm = {.__key = shm->key,
                     .uid = shm->uid,
                     .gid = shm->gid,
                     .cuid = shm->uid,
                     .cgid = shm->gid,
                     .mode = (unsigned short)(shm->mode | (shm->removed ? SHM_DEST : 0))},
        .shm_segsz = shm->size,
        .shm_atime = (time_t)shm->atime,
        .shm_dtime = (time_t)shm->dtime,
        .shm_ctime = (time_t)shm->ctime,
        .shm_cpid = shm->creator,
        .shm_lpid = shm->last,
        .shm_nattch = attached(t->proc->node, shm),
    };
    switch ((int)t->a[1]) {
    case IPC_STAT: return mem_write(t, t->a[2], &ds, sizeof ds) ? 0 : -EFAULT;
    case IPC_SET:
        if (!mem_read(t, t->a[2], &ds, sizeof ds)) {
            return -EFAULT;
        }
        shm->mode = ds.shm_perm.mode & 0777;
        shm->ctime = seconds(w, t->proc->node);
        return 0;
    case IPC_RMID:
        shm->removed = true;
        shm->key = IPC_PRIVATE;
        shm_collect(w, t->proc->node);
        return 0;
    default: return -EINVAL;
    }
}
