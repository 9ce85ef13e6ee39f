/* Futexes. Waiters are found by their key: address space and address, or, for memory that processes
 * share, the object that is mapped there and the place in it.
 *
 * Locks with priority inheritance are handed over in the order of waiting, and have no priorities
 * to inherit: one thread runs at a time. Condition variables that requeue to such locks
 * (FUTEX_WAIT_ REQUEUE_PI) are refused with ENOSYS; the C library does not use them. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <linux/futex.h>

#include "world/calls.h"
#include "world/maps.h"
#include "world/world_int.h"

struct key {
    uint64_t space, place;
};

static bool node_has_two_spaces(const struct node *node)
{
    const struct mm *first = NULL;
    for (const struct proc *p = node->procs; p != NULL; p = p->next) {
        if (p->state != PROC_LIVE) {
            continue;
        }
        if (first != NULL && p->mm != first) {
            return true;
        }
        first = p->mm;
    }
    return false;
}

/* Looks up what is mapped at an address; true when it is shared memory. */
static bool shared_mapping(const struct proc *proc, uint64_t addr, struct key *ret)
{
    struct maps *maps = maps_open(proc->real);
    struct map map;
    bool found = false;
    while (!found && maps_next(maps, &map)) {
        if (addr >= map.begin && addr < map.end) {
            if (map.perms[3] != 's') {
                break;
            }
            *ret = (struct key){UINT64_C(1) << 63 | (uint64_t)map.minor << 48 | map.inode,
                                map.offset + addr - map.begin};
            found = true;
        }
    }
    maps_close(maps);
    return found;
}

static struct key futex_key(struct thread *t, uint64_t addr, bool private)
{
    struct key key = {t->proc->mm->id, addr};
    if (!private && node_has_two_spaces(t->proc->node)) {
        (void)shared_mapping(t->proc, addr, &key);
    }
    return key;
}

static struct thread *first_waiter(struct world *w, struct key key, uint32_t bits)
{
    struct thread *first = NULL;
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state == THREAD_BLOCKED && t->futex_key == key.place && t->futex_mm == key.space &&
            !t->futex_woken && (t->futex_bits & bits) != 0 &&
            (first == NULL || t->block_order < first->block_order)) {
            first = t;
        }
    }
    return first;
}

static int wake(struct world *w, struct key key, uint64_t most, uint32_t bits)
{
    int n = 0;
    while ((uint64_t)n < most) {
        struct thread *t = first_waiter(w, key, bits);
        if (t == NULL) {
            break;
        }
        t->futex_woken = true;
        t->proc->node->changed = true;
        n++;
    }
    return n;
}

int futex_wake(struct world *w, struct mm *mm, uint64_t addr, uint64_t n, uint32_t bits)
{
    return wake(w, (struct key){mm->id, addr}, n, bits);
}

static int64_t futex_wait(struct world *w, struct thread *t, bool bitset, bool private, bool real)
{
    if (t->retry) {
        if (t->futex_woken) {
            return 0;
        }
        return t->timed_out ? -ETIMEDOUT : (int64_t)CALL_BLOCK;
    }
    uint32_t value = 0;
    uint64_t deadline = NEVER_NS, ns = 0;
    if (t->a[3] != 0) {
        int64_t status = mem_timespec(t, t->a[3], &ns);
        if (status != 0) {
            return status;
        }
        deadline = bitset ? deadline_at(t->proc->node, real ? CLOCK_REALTIME : CLOCK_MONOTONIC, ns)
                          : deadline_after(w, t->proc->node, ns);
    }
    uint32_t bits = bitset ? (uint32_t)t->a[5] : FUTEX_BITSET_MATCH_ANY;
    if (bits == 0 || (t->a[0] & 3) != 0) {
        return -EINVAL;
    }
    if (!mem_read(t, t->a[0], &value, sizeof value)) {
        return -EFAULT;
    }
    if (value != (uint32_t)t->a[2]) {
        return -EAGAIN;
    }
    if (deadline <= w->now_ns) {
        return -ETIMEDOUT;
    }
    struct key key = futex_key(t, t->a[0], private);
    t->futex_key = key.place;
    t->futex_mm = key.space;
    t->futex_bits = bits;
    t->futex_woken = false;
    t->deadline_real = bitset && real;
    return block_until(t, deadline);
}

static int64_t futex_requeue(struct world *w, struct thread *t, bool compare, bool private)
{
    uint32_t value = 0;
    if ((int32_t)t->a[2] < 0 || (int32_t)t->a[3] < 0) {
        return -EINVAL;
    }
    if (compare) {
        if (!mem_read(t, t->a[0], &value, sizeof value)) {
            return -EFAULT;
        }
        if (value != (uint32_t)t->a[5]) {
            return -EAGAIN;
        }
    }
    struct key from = futex_key(t, t->a[0], private), to = futex_key(t, t->a[4], private);
    int64_t n = wake(w, from, (uint32_t)t->a[2], FUTEX_BITSET_MATCH_ANY);
    uint64_t last = w->next_block; /* who has been moved is no more in front: both may be one */
    for (uint64_t moved = 0; moved < (uint32_t)t->a[3]; moved++) {
        struct thread *waiter = first_waiter(w, from, FUTEX_BITSET_MATCH_ANY);
        if (waiter == NULL || waiter->block_order > last) {
            break;
        }
        waiter->futex_key = to.place;
        waiter->futex_mm = to.space;
        waiter->block_order = ++w->next_block;
        n++;
    }
    return n;
}

/* FUTEX_WAKE_OP: changes a word, wakes at one address, and at a second one by the old value. */
static int64_t futex_wake_op(struct world *w, struct thread *t, bool private)
{
    uint32_t code = (uint32_t)t->a[5], old = 0;
    int32_t operand = (int32_t)(code << 8) >> 20, compare = (int32_t)(code << 20) >> 20;
    if ((code >> 28 & FUTEX_OP_OPARG_SHIFT) != 0) {
        operand = (int32_t)(1U << (operand & 31));
    }
    if (!mem_read(t, t->a[4], &old, sizeof old)) {
        return -EFAULT;
    }
    uint32_t value = old;
    switch (code >> 28 & 7) {
    case FUTEX_OP_SET: value = (uint32_t)operand; break;
    case FUTEX_OP_ADD: value = old + (uint32_t)operand; break;
    case FUTEX_OP_OR: value = old | (uint32_t)operand; break;
    case FUTEX_OP_ANDN: value = old & ~(uint32_t)operand; break;
    case FUTEX_OP_XOR: value = old ^ (uint32_t)operand; break;
    default: return -ENOSYS;
    }
    if (!mem_write(t, t->a[4], &value, sizeof value)) {
        return -EFAULT;
    }
    bool yes = false;
    switch (code >> 24 & 15) {
    case FUTEX_OP_CMP_EQ: yes = (int32_t)old == compare; break;
    case FUTEX_OP_CMP_NE: yes = (int32_t)old != compare; break;
    case FUTEX_OP_CMP_LT: yes = (int32_t)old < compare; break;
    case FUTEX_OP_CMP_LE: yes = (int32_t)old <= compare; break;
    case FUTEX_OP_CMP_GT: yes = (int32_t)old > compare; break;
    case FUTEX_OP_CMP_GE: yes = (int32_t)old >= compare; break;
    default: return -ENOSYS;
    }
    int64_t n = wake(w, futex_key(t, t->a[0], private), (uint32_t)t->a[2], FUTEX_BITSET_MATCH_ANY);
    if (yes) {
        n += wake(w, futex_key(t, t->a[4], private), (uint32_t)t->a[3], FUTEX_BITSET_MATCH_ANY);
    }
    return n;
}

/* ---- locks with priority inheritance: the word holds the owner's number ---- */

static struct thread *pi_waiter(const struct world *w, struct key key)
{
    struct thread *first = NULL;
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state == THREAD_BLOCKED && t->futex_pi && t->futex_key == key.place &&
            t->futex_mm == key.space && !t->futex_woken && !t->timed_out &&
            (first == NULL || t->block_order < first->block_order)) {
            first = t;
        }
    }
    return first;
}

/* Gives the lock to the first that waits for it, or to nobody. `t` is any thread that can reach the
 * memory. */
static bool pi_hand_over(struct world *w, struct thread *t, uint64_t addr, struct key key,
                         uint32_t flags)
{
    struct thread *next = pi_waiter(w, key);
    uint32_t word = flags;
    if (next != NULL) {
        next->futex_woken = true;
        next->proc->node->changed = true;
        word |= (uint32_t)next->tid | (pi_waiter(w, key) != NULL ? (uint32_t)FUTEX_WAITERS : 0);
    }
    return mem_write(t, addr, &word, sizeof word);
}

static int64_t pi_wait(struct world *w, struct thread *t, struct key key, uint32_t word, bool real)
{
    uint64_t deadline = NEVER_NS, ns = 0;
    if (t->a[3] != 0) {
        int64_t status = mem_timespec(t, t->a[3], &ns);
        if (status != 0) {
            return status;
        }
        deadline = deadline_at(t->proc->node, real ? CLOCK_REALTIME : CLOCK_MONOTONIC, ns);
    }
    if (deadline <= w->now_ns) {
        return -ETIMEDOUT;
    }
    word |= FUTEX_WAITERS;
    if (!mem_write(t, t->a[0], &word, sizeof word)) {
        return -EFAULT;
    }
    t->futex_key = key.place;
    t->futex_mm = key.space;
    t->futex_bits = 0; /* no FUTEX_WAKE finds it */
    t->futex_pi = true;
    t->futex_woken = false;
    t->deadline_real = real;
    return block_until(t, deadline);
}

static int64_t pi_lock(struct world *w, struct thread *t, bool try_only, bool private, bool real)
{
    uint32_t word = 0;
    if (t->retry) {
        return t->futex_woken ? 0 : t->timed_out ? -ETIMEDOUT : (int64_t)CALL_BLOCK;
    }
    if ((t->a[0] & 3) != 0) {
        return -EINVAL;
    }
    if (!mem_read(t, t->a[0], &word, sizeof word)) {
        return -EFAULT;
    }
    struct key key = futex_key(t, t->a[0], private);
    uint32_t owner = word & FUTEX_TID_MASK;
    if (owner == (uint32_t)t->tid) {
        return -EDEADLK;
    }
    if (owner == 0) {
        word = (word & FUTEX_OWNER_DIED) | (uint32_t)t->tid |
               (pi_waiter(w, key) != NULL ? (uint32_t)FUTEX_WAITERS : 0);
        return mem_write(t, t->a[0], &word, sizeof word) ? 0 : -EFAULT;
    }
    if (thread_find(w, t->proc->node, (int)owner) == NULL) {
        return -ESRCH;
    }
    return try_only ? -EAGAIN : pi_wait(w, t, key, word, real);
}

static int64_t pi_unlock(struct world *w, struct thread *t, bool private)
{
    uint32_t word = 0;
    if ((t->a[0] & 3) != 0) {
        return -EINVAL;
    }
    if (!mem_read(t, t->a[0], &word, sizeof word)) {
        return -EFAULT;
    }
    if ((word & FUTEX_TID_MASK) != (uint32_t)t->tid) {
        return -EPERM;
    }
    return pi_hand_over(w, t, t->a[0], futex_key(t, t->a[0], private), 0) ? 0 : -EFAULT;
}

/* A thread ends: locks that it holds go to those who wait for them. */
static void pi_release(struct world *w, struct thread *dying)
{
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        uint32_t word = 0;
        if (t->state == THREAD_BLOCKED && t->futex_pi && !t->futex_woken &&
            t->proc->node == dying->proc->node && mem_read(t, t->a[0], &word, sizeof word) &&
            (word & FUTEX_TID_MASK) == (uint32_t)dying->tid) {
            (void)pi_hand_over(w, t, t->a[0], (struct key){t->futex_mm, t->futex_key},
                               FUTEX_OWNER_DIED);
        }
    }
}

int64_t call_futex(struct world *w, struct thread *t)
{
    uint32_t op = (uint32_t)t->a[1];
    bool private = (op & FUTEX_PRIVATE_FLAG) != 0, real = (op & FUTEX_CLOCK_REALTIME) != 0;
    switch ((int)op & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: return futex_wait(w, t, false, private, real);
    case FUTEX_WAIT_BITSET: return futex_wait(w, t, true, private, real);
    case FUTEX_WAKE:
        return wake(w, futex_key(t, t->a[0], private), (uint32_t)t->a[2], FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAKE_BITSET:
        return (uint32_t)t->a[5] == 0
                   ? -EINVAL
                   : wake(w, futex_key(t, t->a[0], private), (uint32_t)t->a[2], (uint32_t)t->a[5]);
    case FUTEX_REQUEUE: return futex_requeue(w, t, false, private);
    case FUTEX_CMP_REQUEUE: return futex_requeue(w, t, true, private);
    case FUTEX_WAKE_OP: return futex_wake_op(w, t, private);
    case FUTEX_LOCK_PI: return pi_lock(w, t, false, private, true);
    case FUTEX_LOCK_PI2: return pi_lock(w, t, false, private, real);
    case FUTEX_TRYLOCK_PI: return pi_lock(w, t, true, private, true);
    case FUTEX_UNLOCK_PI: return pi_unlock(w, t, private);
    default: return -ENOSYS;
    }
}

/* ---- robust lists ---- */

static void robust_release(struct world *w, struct thread *t, uint64_t addr)
{
    uint32_t word = 0;
    if (!mem_read(t, addr, &word, sizeof word) || (word & FUTEX_TID_MASK) != (uint32_t)t->tid) {
        return;
    }
    uint32_t dead = (word & FUTEX_WAITERS) | FUTEX_OWNER_DIED;
    (void)mem_write(t, addr, &dead, sizeof dead);
    if ((word & FUTEX_WAITERS) != 0) {
        (void)wake(w, futex_key(t, addr, false), 1, FUTEX_BITSET_MATCH_ANY);
    }
}

/* A thread ends: locks that it holds are marked, and one waiter each is woken. */
void futex_robust_exit(struct world *w, struct thread *t)
{
    struct robust_list_head head;
    pi_release(w, t);
    if (t->robust == 0 || !mem_read(t, t->robust, &head, sizeof head)) {
        return;
    }
    uint64_t at = (uintptr_t)head.list.next, pending = (uintptr_t)head.list_op_pending;
    for (int left = 2048; at != t->robust && left > 0; left--) {
        uint64_t next = 0, entry = at & ~UINT64_C(1);
        bool good = mem_read(t, entry, &next, sizeof next);
        if (entry != (pending & ~UINT64_C(1))) {
            robust_release(w, t, entry + (uint64_t)head.futex_offset);
        }
        if (!good) {
            break;
        }
        at = next;
    }
    if (pending != 0) {
        robust_release(w, t, (pending & ~UINT64_C(1)) + (uint64_t)head.futex_offset);
    }
}

int64_t call_set_robust_list(struct world *w, struct thread *t)
{
    (void)w;
    if (t->a[1] != sizeof(struct robust_list_head)) {
        return -EINVAL;
    }
    t->robust = t->a[0];
    return 0;
}

int64_t call_get_robust_list(struct world *w, struct thread *t)
{
    struct thread *other = t->a[0] == 0 ? t : thread_find(w, t->proc->node, (int)t->a[0]);
    if (other == NULL) {
        return -ESRCH;
    }
    uint64_t n = sizeof(struct robust_list_head);
    return mem_write(t, t->a[1], &other->robust, 8) && mem_write(t, t->a[2], &n, 8) ? 0 : -EFAULT;
}
