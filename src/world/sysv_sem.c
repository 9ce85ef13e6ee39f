/* System V semaphores. The operations of one call happen all or none; a call that cannot is asked
 * again whenever something on the node has changed, in the order of waiting. Adjustments for the
 * end of a process (SEM_UNDO) are kept with the process. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/syscall.h>

#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

enum { SEMS_MOST = 32000, OPS_MOST = 500, VALUE_MOST = 32767 };

struct sem_one {
    int value, pid;
};
struct sem_set {
    struct sem_set *next;
    int id;
    key_t key;
    uint32_t mode, n;
    uint64_t otime, ctime; /* seconds */
    struct sem_one sems[];
};
struct sem_undo {
    struct sem_undo *next;
    int id;
    uint16_t number;
    int adjust;
};

static struct sem_set *set_find(const struct node *node, int id)
{
    struct sem_set *set = node->sems;
    while (set != NULL && set->id != id) {
        set = set->next;
    }
    return set;
}

static uint64_t seconds(const struct world *w, const struct node *node)
{
    return node_real(node, w->now_ns) / 1000000000;
}

static void set_remove(struct world *w, struct node *node, int id)
{
    for (struct sem_set **at = &node->sems; *at != NULL; at = &(*at)->next) {
        if ((*at)->id == id) {
            struct sem_set *set = *at;
            *at = set->next;
            heap_free(w->heap, set);
            break;
        }
    }
    node->changed = true; /* those who wait get EIDRM */
}

void sem_power_off(struct world *w, struct node *node)
{
    while (node->sems != NULL) {
        set_remove(w, node, node->sems->id);
    }
}

int64_t call_semget(struct world *w, struct thread *t)
{
    struct node *node = t->proc->node;
    key_t key = (key_t)t->a[0];
    int n = (int)t->a[1], flags = (int)t->a[2];
    if (n < 0 || n > SEMS_MOST) {
        return -EINVAL;
    }
    for (const struct sem_set *set = node->sems; key != IPC_PRIVATE && set != NULL;
         set = set->next) {
        if (set->key == key) {
            bool exclusive = (flags & IPC_CREAT) != 0 && (flags & IPC_EXCL) != 0;
            return exclusive ? -EEXIST : (uint32_t)n > set->n ? -EINVAL : set->id;
        }
    }
    if (key != IPC_PRIVATE && (flags & IPC_CREAT) == 0) {
        return -ENOENT;
    }
    if (n == 0) {
        return -EINVAL;
    }
    struct sem_set *set = heap_alloc(w->heap, sizeof *set + (size_t)n * sizeof(struct sem_one));
    set->id = node->next_ipc++;
    set->key = key;
    set->mode = (uint32_t)flags & 0777;
    set->n = (uint32_t)n;
    set->ctime = seconds(w, node);
    set->next = node->sems;
    node->sems = set;
    return set->id;
}

/* ---- operations ---- */

/* Index of the first operation that cannot be done after those before it, or n. */
static size_t try_ops(const struct sem_set *set, const struct sembuf *ops, size_t n, int *values)
{
    for (size_t i = 0; i < set->n; i++) {
        values[i] = set->sems[i].value;
    }
    for (size_t i = 0; i < n; i++) {
        int *value = &values[ops[i].sem_num];
        if (ops[i].sem_op == 0 ? *value != 0 : *value + ops[i].sem_op < 0) {
            return i;
        }
        *value += ops[i].sem_op;
    }
    return n;
}

static void undo_add(struct world *w, struct proc *proc, int id, const struct sembuf *op)
{
    struct sem_undo *u = proc->undos;
    while (u != NULL && (u->id != id || u->number != op->sem_num)) {
        u = u->next;
    }
    if (u == NULL) {
        u = HEAP_NEW(w->heap, struct sem_undo);
        u->id = id;
        u->number = op->sem_num;
        u->next = proc->undos;
        proc->undos = u;
    }
    u->adjust -= op->sem_op;
}

static void apply_ops(struct world *w, struct thread *t, struct sem_set *set,
                      const struct sembuf *ops, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct sem_one *one = &set->sems[ops[i].sem_num];
        one->value += ops[i].sem_op;
        one->pid = t->proc->pid;
        if (ops[i].sem_op != 0 && (ops[i].sem_flg & SEM_UNDO) != 0) {
            undo_add(w, t->proc, set->id, &ops[i]);
        }
        t->proc->node->changed = t->proc->node->changed || ops[i].sem_op != 0;
    }
    set->otime = seconds(w, t->proc->node);
}

static int64_t read_ops(struct thread *t, const struct sem_set *set, struct sembuf *ops, size_t n)
{
    if (!mem_read(t, t->a[1], ops, n * sizeof *ops)) {
        return -EFAULT;
    }
    for (size_t i = 0; set != NULL && i < n; i++) {
        if (ops[i].sem_num >= set->n) {
            return -EFBIG;
        }
    }
    return 0;
}

static int64_t sem_do(struct world *w, struct thread *t, bool timed)
{
    struct sembuf ops[OPS_MOST];
    size_t n = (size_t)t->a[2];
    uint64_t deadline = NEVER_NS, ns = 0;
    if (n == 0 || (int)t->a[0] < 0) {
        return -EINVAL;
    }
    if (n > OPS_MOST) {
        return -E2BIG;
    }
    struct sem_set *set = set_find(t->proc->node, (int)t->a[0]);
    int64_t status = read_ops(t, set, ops, n);
    if (status == 0 && timed && t->a[3] != 0 && !t->retry) {
        status = mem_timespec(t, t->a[3], &ns);
        deadline = deadline_after(w, t->proc->node, ns);
    }
    if (status != 0) {
        return status;
    }
    if (set == NULL) {
        return t->retry ? -EIDRM : -EINVAL;
    }
    int *values = heap_alloc(w->heap, set->n * sizeof *values);
    size_t at = try_ops(set, ops, n, values);
    bool over = false;
    for (size_t i = 0; at == n && i < set->n; i++) {
        over = over || values[i] > VALUE_MOST;
    }
    heap_free(w->heap, values);
    if (at == n) {
        if (over) {
            return -ERANGE;
        }
        apply_ops(w, t, set, ops, n);
        return 0;
    }
    if ((ops[at].sem_flg & IPC_NOWAIT) != 0 || t->timed_out) {
        return -EAGAIN;
    }
    return block_until(t, deadline);
}

int64_t call_semop(struct world *w, struct thread *t)
{
    return sem_do(w, t, false);
}

int64_t call_semtimedop(struct world *w, struct thread *t)
{
    return sem_do(w, t, true);
}

void sem_exit(struct world *w, struct proc *proc)
{
    while (proc->undos != NULL) {
        struct sem_undo *u = proc->undos;
        struct sem_set *set = set_find(proc->node, u->id);
        proc->undos = u->next;
        if (set != NULL && u->adjust != 0) {
            struct sem_one *one = &set->sems[u->number];
            one->value += u->adjust;
            one->value = one->value < 0 ? 0 : one->value > VALUE_MOST ? VALUE_MOST : one->value;
            one->pid = proc->pid;
            proc->node->changed = true;
        }
        heap_free(w->heap, u);
    }
}

/* ---- control ---- */

/* Threads that wait for a semaphore to become zero, or to grow. */
static int64_t count_waiting(struct world *w, const struct thread *asks, const struct sem_set *set,
                             uint64_t number, bool zero)
{
    int64_t count = 0;
    struct sembuf ops[OPS_MOST];
    int *values = heap_alloc(w->heap, set->n * sizeof *values);
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state == THREAD_BLOCKED && t->proc->node == asks->proc->node &&
            (t->nr == SYS_semop || t->nr == SYS_semtimedop) && (int)t->a[0] == set->id &&
            read_ops(t, set, ops, (size_t)t->a[2]) == 0) {
            size_t at = try_ops(set, ops, (size_t)t->a[2], values);
            count += at < t->a[2] && ops[at].sem_num == number && (ops[at].sem_op == 0) == zero;
        }
    }
    heap_free(w->heap, values);
    return count;
}

static void forget_undo(const struct node *node, const struct sem_set *set, uint64_t number,
                        bool all)
{
    for (struct proc *p = node->procs; p != NULL; p = p->next) {
        for (struct sem_undo *u = p->undos; u != NULL; u = u->next) {
            u->adjust = u->id == set->id && (all || u->number == number) ? 0 : u->adjust;
        }
    }
}

static int64_t set_all(struct world *w, struct thread *t, struct sem_set *set, bool get)
{
    uint16_t values[SEMS_MOST];
    size_t bytes = set->n * sizeof values[0];
    for (size_t i = 0; i < set->n; i++) {
        values[i] = (uint16_t)set->sems[i].value;
    }
    if (get) {
        return mem_write(t, t->a[3], values, bytes) ? 0 : -EFAULT;
    }
    if (!mem_read(t, t->a[3], values, bytes)) {
        return -EFAULT;
    }
    for (size_t i = 0; i < set->n; i++) {
        if (values[i] > VALUE_MOST) {
            return -ERANGE;
        }
    }
    for (size_t i = 0; i < set->n; i++) {
        set->sems[i] = (struct sem_one){values[i], t->proc->pid};
    }
    forget_undo(t->proc->node, set, 0, true);
    set->ctime = seconds(w, t->proc->node);
    t->proc->node->changed = true;
    return 0;
}

static int64_t one_ctl(struct world *w, struct thread *t, struct sem_set *set, int command)
{
    uint64_t number = (uint32_t)t->a[1];
    if (number >= set->n) {
        return -EINVAL;
    }
    struct sem_one *one = &set->sems[number];
    switch (command) {
    case GETVAL: return one->value;
    case GETPID: return one->pid;
    case GETNCNT: return count_waiting(w, t, set, number, false);
    case GETZCNT: return count_waiting(w, t, set, number, true);
    default: break;
    }
    int value = (int)t->a[3];
    if (value < 0 || value > VALUE_MOST) {
        return -ERANGE;
    }
    *one = (struct sem_one){value, t->proc->pid};
    forget_undo(t->proc->node, set, number, false);
    set->ctime = seconds(w, t->proc->node);
    t->proc->node->changed = true;
    return 0;
}

int64_t call_semctl(struct world *w, struct thread *t)
{
    struct sem_set *set = set_find(t->proc->node, (int)t->a[0]);
    int command = (int)t->a[2];
    if (set == NULL) {
        return -EINVAL;
    }
    struct semid_ds ds = {
        .sem_perm = {.__key = set->key,
                     .uid = t->cred->uid[CRED_EFFECTIVE],
                     .gid = t->cred->gid[CRED_EFFECTIVE],
                     .cuid = t->cred->uid[CRED_EFFECTIVE],
                     .cgid = t->cred->gid[CRED_EFFECTIVE],
                     .mode = (unsigned short)set->mode},
        .sem_otime = (time_t)set->otime,
        .sem_ctime = (time_t)set->ctime,
        .sem_nsems = set->n,
    };
    switch (command) {
    case IPC_STAT: return mem_write(t, t->a[3], &ds, sizeof ds) ? 0 : -EFAULT;
    case IPC_SET:
        if (!mem_read(t, t->a[3], &ds, sizeof ds)) {
            return -EFAULT;
        }
        set->mode = ds.sem_perm.mode & 0777;
        set->ctime = seconds(w, t->proc->node);
        return 0;
    case IPC_RMID: set_remove(w, t->proc->node, set->id); return 0;
    case GETALL:
    case SETALL: return set_all(w, t, set, command == GETALL);
    case GETVAL:
    case SETVAL:
    case GETPID:
    case GETNCNT:
    case GETZCNT: return one_ctl(w, t, set, command);
    default: return -EINVAL;
    }
}
