/* System V message queues. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/ipc.h>
#include <sys/msg.h>

#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

enum { MESSAGE_MOST = 8192, QUEUE_BYTES = 16384 };

struct msg_one {
    struct msg_one *next;
    int64_t type;
    size_t n;
    uint8_t bytes[];
};
struct msg_queue {
    struct msg_queue *next;
    int id;
    key_t key;
    uint32_t mode;
    uint64_t bytes, count, most;
    int last_send, last_receive;
    uint64_t stime, rtime, ctime; /* seconds */
    struct msg_one *first, *last;
};

static struct msg_queue *queue_find(const struct node *node, int id)
{
    struct msg_queue *q = node->msgs;
    while (q != NULL && q->id != id) {
        q = q->next;
    }
    return q;
}

static uint64_t seconds(const struct world *w, const struct node *node)
{
    return node_real(node, w->now_ns) / 1000000000;
}

static void queue_remove(struct world *w, struct node *node, struct msg_queue *gone)
{
    struct msg_queue **at = &node->msgs;
    while (*at != gone) {
        at = &(*at)->next;
    }
    *at = gone->next;
    while (gone->first != NULL) {
        struct msg_one *m = gone->first;
        gone->first = m->next;
        heap_free(w->heap, m);
    }
    heap_free(w->heap, gone);
    node->changed = true; /* those who wait get EIDRM */
}

void msg_power_off(struct world *w, struct node *node)
{
    while (node->msgs != NULL) {
        queue_remove(w, node, node->msgs);
    }
}

int64_t call_msgget(struct world *w, struct thread *t)
{
    struct node *node = t->proc->node;
    key_t key = (key_t)t->a[0];
    int flags = (int)t->a[1];
    for (const struct msg_queue *q = node->msgs; key != IPC_PRIVATE && q != NULL; q = q->next) {
        if (q->key == key) {
            bool exclusive = (flags & IPC_CREAT) != 0 && (flags & IPC_EXCL) != 0;
            return exclusive ? -EEXIST : q->id;
        }
    }
    if (key != IPC_PRIVATE && (flags & IPC_CREAT) == 0) {
        return -ENOENT;
    }
    struct msg_queue *q = HEAP_NEW(w->heap, struct msg_queue);
    q->id = node->next_ipc++;
    q->key = key;
    q->mode = (uint32_t)flags & 0777;
    q->most = QUEUE_BYTES;
    q->ctime = seconds(w, node);
    q->next = node->msgs;
    node->msgs = q;
    return q->id;
}

int64_t call_msgsnd(struct world *w, struct thread *t)
{
    struct node *node = t->proc->node;
    struct msg_queue *q = queue_find(node, (int)t->a[0]);
    int64_t type = 0;
    size_t n = (size_t)t->a[2];
    if (n > MESSAGE_MOST) {
        return -EINVAL;
    }
    if (!mem_read(t, t->a[1], &type, sizeof type)) {
        return -EFAULT;
    }
    if (type < 1 || q == NULL) {
        return q == NULL && t->retry ? -EIDRM : -EINVAL;
    }
    if (q->bytes + n > q->most || q->count + 1 > q->most) {
        return (t->a[3] & IPC_NOWAIT) != 0 ? -EAGAIN : block(t);
    }
    struct msg_one *m = heap_alloc(w->heap, sizeof *m + n);
    m->type = type;
    m->n = n;
    if (!mem_read(t, t->a[1] + sizeof type, m->bytes, n)) {
        heap_free(w->heap, m);
        return -EFAULT;
    }
    if (q->last != NULL) {
        q->last->next = m;
    } else {
        q->first = m;
    }
    q->last = m;
    q->bytes += n;
    q->count++;
    q->last_send = t->proc->pid;
    q->stime = seconds(w, node);
    node->changed = true;
    return 0;
}

/* The message that a receiver of this type gets: where the pointer to it is. */
static struct msg_one **queue_match(struct msg_queue *q, int64_t type, bool except)
{
    struct msg_one **best = NULL;
    for (struct msg_one **at = &q->first; *at != NULL; at = &(*at)->next) {
        int64_t has = (*at)->type;
        if (type == 0 || (type > 0 && (has == type) != except)) {
            return at;
        }
        if (type < 0 && has <= -type && (best == NULL || has < (*best)->type)) {
            best = at;
        }
    }
    return best;
}

static void queue_take(struct world *w, struct msg_queue *q, struct msg_one **at)
{
    struct msg_one *m = *at;
    *at = m->next;
    q->last = NULL;
    for (struct msg_one *last = q->first; last != NULL; last = last->next) {
        q->last = last;
    }
    q->bytes -= m->n;
    q->count--;
    heap_free(w->heap, m);
}

int64_t call_msgrcv(struct world *w, struct thread *t)
{
    struct node *node = t->proc->node;
    struct msg_queue *q = queue_find(node, (int)t->a[0]);
    size_t room = (size_t)t->a[2];
    int flags = (int)t->a[4];
    if ((int64_t)room < 0 || q == NULL) {
        return q == NULL && t->retry ? -EIDRM : -EINVAL;
    }
    if ((flags & MSG_COPY) != 0) {
        return -ENOSYS;
    }
    struct msg_one **at = queue_match(q, (int64_t)t->a[3], (flags & MSG_EXCEPT) != 0);
    if (at == NULL) {
        return (flags & IPC_NOWAIT) != 0 ? -ENOMSG : block(t);
    }
    const struct msg_one *m = *at;
    if (m->n > room && (flags & MSG_NOERROR) == 0) {
        return -E2BIG;
    }
    size_t n = m->n < room ? m->n : room;
    bool good = mem_write(t, t->a[1], &m->type, sizeof m->type) &&
                mem_write(t, t->a[1] + sizeof m->type, m->bytes, n);
    hash_data(w, m->bytes, n);
    queue_take(w, q, at);
    q->last_receive = t->proc->pid;
    q->rtime = seconds(w, node);
    node->changed = true;
    return good ? (int64_t)n : -EFAULT;
}

int64_t call_msgctl(struct world *w, struct thread *t)
{
    struct msg_queue *q = queue_find(t->proc->node, (int)t->a[0]);
    if (q == NULL) {
        return -EINVAL;
    }
    struct msqid_ds ds = {
        .msg_perm = {.__key = q->key,
                     .uid = t->cred->uid[CRED_EFFECTIVE],
                     .gid = t->cred->gid[CRED_EFFECTIVE],
                     .cuid = t->cred->uid[CRED_EFFECTIVE],
                     .cgid = t->cred->gid[CRED_EFFECTIVE],
                     .mode = (unsigned short)q->mode},
        .msg_stime = (time_t)q->stime,
        .msg_rtime = (time_t)q->rtime,
        .msg_ctime = (time_t)q->ctime,
        .__msg_cbytes = q->bytes,
        .msg_qnum = q->count,
        .msg_qbytes = q->most,
        .msg_lspid = q->last_send,
        .msg_lrpid = q->last_receive,
    };
    switch ((int)t->a[1]) {
    case IPC_STAT: return mem_write(t, t->a[2], &ds, sizeof ds) ? 0 : -EFAULT;
    case IPC_SET:
        if (!mem_read(t, t->a[2], &ds, sizeof ds)) {
            return -EFAULT;
        }
        if (ds.msg_qbytes > QUEUE_BYTES && t->cred->uid[CRED_EFFECTIVE] != 0) {
            return -EPERM;
        }
        q->most = ds.msg_qbytes;
        q->mode = ds.msg_perm.mode & 0777;
        q->ctime = seconds(w, t->proc->node);
        t->proc->node->changed = true;
        return 0;
    case IPC_RMID: queue_remove(w, t->proc->node, q); return 0;
    default: return -EINVAL;
    }
}
