/* Threads that spin: a loop without system calls that waits for somebody else to change memory. No
 * other thread runs meanwhile, so it would wait for ever.
 *
 * Such a loop is left in a way that is the same in every run. The thread is interrupted at some
 * moment of real time and executed one instruction at a time, until its registers are what they
 * were before (Brent, 1980). If one more turn of that loop leaves all registers and all writable
 * memory as they were, the thread is in a cycle of states which it cannot leave by itself: how
 * often it went round makes no difference, and the one state of the cycle with the smallest
 * registers (first of all, the lowest address) is a place that every run finds. There it is taken
 * off the processor. It counts as waiting; when another thread of its node has run, it goes round
 * once more, exactly, and is off again unless it took another way.
 *
 * A loop that counts turns in a register or in memory has no such cycle. It is not escaped: a real
 * computation looks the same. */
#include "world/spin.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/types.h>
#include <sys/user.h>

#include "base/hash.h"
#include "tracee/tracee.h"
#include "world/maps.h"
#include "world/world_int.h"

enum { STEPS_MOST = 1 << 17, PAGES_AT_ONCE = 512 };
#define RESUME_FLAG UINT64_C(0x10000) /* set or not by interrupts */

/* ---- one instruction ---- */

struct stepper {
    struct thread *t;
    struct stop stop; /* what came instead, when a step was not just a step */
    struct user_regs_struct regs;
};

static bool get_regs(struct stepper *s)
{
    bool good = tracee_regs_get(s->t->real, &s->regs);
    s->regs.eflags &= ~RESUME_FLAG;
    return good;
}

/* False: something else stopped the thread, or it is gone. */
static bool step(struct stepper *s)
{
    tracee_step(s->t->real, 0);
    do {
        tracee_wait(s->t->real, &s->stop);
    } while (s->stop.kind == STOP_INTERRUPTED);
    return s->stop.kind == STOP_SIGNAL && s->stop.sig == SIGTRAP && get_regs(s);
}

static int compare(const struct user_regs_struct *a, const struct user_regs_struct *b)
{
    if (a->rip != b->rip) {
        return a->rip < b->rip ? -1 : 1;
    }
    return memcmp(a, b, sizeof *a);
}

/* ---- all that a program can write ---- */

static uint64_t hash_pages(const struct thread *t, uint64_t begin, uint64_t end, uint64_t hash)
{
    uint8_t bytes[16 * PAGE];
    while (begin < end) {
        size_t want = end - begin < sizeof bytes ? (size_t)(end - begin) : sizeof bytes;
        size_t got = tracee_read(t->real, TADDR(begin), bytes, want);
        hash = hash_bytes(bytes, got, hash_combine(hash, begin));
        begin += want;
    }
    return hash;
}

/* Pages that are there; the others are zero, or as in their file. */
static uint64_t hash_map(const struct thread *t, int pagemap, const struct map *map, uint64_t hash)
{
    for (uint64_t at = map->begin; at < map->end; at += (uint64_t)PAGES_AT_ONCE * PAGE) {
        uint64_t left = (map->end - at) / PAGE, entries[PAGES_AT_ONCE];
        size_t n = left < PAGES_AT_ONCE ? (size_t)left : PAGES_AT_ONCE;
        ssize_t got = pread(pagemap, entries, n * 8, (off_t)(at / PAGE * 8));
        for (size_t i = 0; i < n; i++) {
            bool known = got == (ssize_t)(n * 8);
            if (!known || entries[i] >> 62 != 0) { /* in memory, or swapped out */
                hash = hash_pages(t, at + i * PAGE, at + (i + 1) * PAGE, hash);
            }
        }
    }
    return hash;
}

static uint64_t hash_memory(const struct thread *t)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/pagemap", (int)t->proc->real);
    int pagemap = open(path, O_RDONLY | O_CLOEXEC);
    struct maps *maps = maps_open(t->proc->real);
    struct map map;
    uint64_t hash = 1;
    while (maps_next(maps, &map)) {
        if (map.perms[0] == 'r' && map.perms[1] == 'w') {
            hash = hash_map(t, pagemap, &map, hash);
        }
    }
    maps_close(maps);
    if (pagemap >= 0) {
        (void)close(pagemap);
    }
    uint8_t state[TRACEE_XSTATE_BYTES];
    size_t n = tracee_xstate_plain(t->real, state);
    return hash_bytes(state, n, hash);
}

/* ---- the cycle ---- */

/* Steps until the registers come back; the length of the cycle, 0 when there is none. */
static uint32_t find_cycle(struct stepper *s)
{
    if (!get_regs(s)) {
        return 0;
    }
    struct user_regs_struct seen = s->regs;
    uint32_t power = 1, length = 0;
    for (uint32_t steps = 0; steps < STEPS_MOST; steps++) {
        if (!step(s)) {
            return 0;
        }
        length++;
        if (compare(&s->regs, &seen) == 0) {
            return length;
        }
        if (length == power) {
            seen = s->regs;
            power *= 2;
            length = 0;
        }
    }
    return 0;
}

/* Goes round once; where the smallest state was, counted from here, and a hash of all. */
static bool go_round(struct stepper *s, uint32_t length, uint32_t *ret_least, uint64_t *ret_hash)
{
    struct user_regs_struct least = s->regs;
    *ret_least = 0;
    *ret_hash = 1;
    for (uint32_t i = 1; i <= length; i++) {
        if (!step(s)) {
            return false;
        }
        *ret_hash = hash_bytes(&s->regs, sizeof s->regs, *ret_hash);
        if (i < length && compare(&s->regs, &least) < 0) {
            least = s->regs;
            *ret_least = i;
        }
    }
    return true;
}

enum spin_result spin_check(struct world *w, struct thread *t, struct stop *ret_stop)
{
    struct stepper s = {.t = t};
    uint32_t length = find_cycle(&s), least = 0, ignored = 0;
    uint64_t hash = 0;
    bool stands = s.stop.kind == STOP_SIGNAL && s.stop.sig == SIGTRAP;
    if (length != 0) {
        struct user_regs_struct before = s.regs;
        uint64_t memory = hash_memory(t);
        stands = go_round(&s, length, &least, &hash);
        bool same = stands && compare(&s.regs, &before) == 0 && hash_memory(t) == memory;
        for (uint32_t i = 0; stands && same && i < least; i++) {
            stands = step(&s);
        }
        stands = stands && (!same || go_round(&s, length, &ignored, &hash));
        if (stands && same) {
            t->spin_length = length;
            t->spin_hash = hash;
            hash_u64(w, t->id);
            hash_u64(w, s.regs.rip);
            w->counts.spins++;
            return SPIN_FOUND;
        }
    }
    *ret_stop = s.stop;
    return stands ? SPIN_NONE : SPIN_STOPPED;
}

enum spin_result spin_again(struct thread *t, struct stop *ret_stop)
{
    struct stepper s = {.t = t};
    uint32_t length = t->spin_length, ignored = 0;
    uint64_t hash = 0;
    t->spin_length = 0;
    if (!get_regs(&s)) {
        return SPIN_NONE;
    }
    if (!go_round(&s, length, &ignored, &hash)) {
        *ret_stop = s.stop;
        return SPIN_STOPPED;
    }
    if (hash != t->spin_hash) {
        return SPIN_NONE;
    }
    t->spin_length = length;
    return SPIN_FOUND;
}

bool spin_wake(struct world *w)
{
    bool any = false;
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state != THREAD_SPINNING) {
            continue; /* of a dead thread even the process may be gone */
        }
        const struct node *node = t->proc->node;
        if (node->state == NODE_UP && node->runs != t->spin_runs) {
            t->state = THREAD_RUNNABLE;
            thread_queue(w, t);
            any = true;
        }
    }
    return any;
}
