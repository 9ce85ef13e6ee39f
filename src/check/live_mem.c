/* Big arrays of the liveness checker.
 *
 * An array is an anonymous mapping that grows with mremap (no copy, no second block while growing).
 * When the arrays together would pass the budget, the one that wants to grow moves into an unnamed
 * file in the checker's directory and is mapped from there; the kernel then writes it out when
 * memory is short. Space in the file is allocated before it is mapped, so that a full disk is an
 * error here and not a SIGBUS later. Pages of such arrays still count as resident while they are
 * mapped in; mem_trim gives them back from time to time. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include "base/err.h"
#include "base/file.h"
#include "check/live_int.h"

#ifdef ASSAY_TINY
enum { BIG_MIN = 4096 };
#else
enum { BIG_MIN = 64 << 10 };
#endif
enum { HUGE_FROM = 16 << 20 };

void mem_init(struct live_mem *mem, const char *dir, uint64_t limit)
{
    *mem = (struct live_mem){.dir = dir, .limit = limit};
    pthread_mutex_init(&mem->lock, NULL);
}

void mem_done(struct live_mem *mem)
{
    pthread_mutex_destroy(&mem->lock);
}

void mem_trim(struct live_mem *mem)
{
    if (atomic_load_explicit(&mem->file_bytes, memory_order_relaxed) == 0) {
        return;
    }
    pthread_mutex_lock(&mem->lock);
    for (const struct big *big = mem->spilled; big; big = big->next) {
        (void)madvise(big->p, big->cap, MADV_DONTNEED);
    }
    pthread_mutex_unlock(&mem->lock);
}

static void spilled_add(struct big *big)
{
    struct live_mem *mem = big->mem;
    pthread_mutex_lock(&mem->lock);
    big->next = mem->spilled;
    if (big->next) {
        big->next->prev = big;
    }
    mem->spilled = big;
    pthread_mutex_unlock(&mem->lock);
}

static void spilled_remove(struct big *big)
{
    struct live_mem *mem = big->mem;
    pthread_mutex_lock(&mem->lock);
    *(big->prev ? &big->prev->next : &mem->spilled) = big->next;
    if (big->next) {
        big->next->prev = big->prev;
    }
    pthread_mutex_unlock(&mem->lock);
}

void big_init(struct big *big, struct live_mem *mem)
{
    *big = (struct big){.mem = mem, .fd = -1};
}

void big_done(struct big *big)
{
    if (!big->mem) {
        return;
    }
    if (big->fd >= 0) {
        spilled_remove(big);
        (void)close(big->fd);
    }
    if (big->p) {
        (void)munmap(big->p, big->cap);
        atomic_fetch_sub_explicit(big->fd < 0 ? &big->mem->used : &big->mem->file_bytes, big->cap,
                                  memory_order_relaxed);
    }
    big_init(big, big->mem);
}

static int file_extend(int fd, uint64_t from, uint64_t bytes, struct err *err)
{
    int e = posix_fallocate(fd, (off_t)from, (off_t)(bytes - from));
    return e == 0 ? 0 : err_set(err, ERR_IO, e, "no room on disk for the behaviour graph");
}

/* Moves an array from memory into a file of `bytes` bytes. */
static int big_spill(struct big *big, uint64_t bytes, struct err *err)
{
    int fd = -1;
    int rc = file_nameless(big->mem->dir, &fd, err);
    if (rc < 0) {
        return rc;
    }
    void *p = MAP_FAILED;
    rc = file_extend(fd, 0, bytes, err);
    if (rc == 0) {
        p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (p == MAP_FAILED) {
            rc = err_set(err, ERR_FULL, errno, "cannot map the behaviour graph");
        }
    }
    if (rc < 0) {
        (void)close(fd);
        return rc;
    }
    struct live_mem *mem = big->mem;
    if (big->p) {
        memcpy(p, big->p, big->cap);
    }
    big_done(big);
    *big = (struct big){.mem = mem, .p = p, .cap = bytes, .fd = fd};
    atomic_fetch_add_explicit(&mem->file_bytes, bytes, memory_order_relaxed);
    spilled_add(big);
    return 0;
}

/* ThreadSanitizer does not know that mremap gives addresses back, and would call their reuse by
 * another thread a race. */
#ifdef __has_feature
#define WATCHED __has_feature(thread_sanitizer)
#elif defined(__SANITIZE_THREAD__)
#define WATCHED 1
#else
#define WATCHED 0
#endif

/* A larger mapping with the same contents; MAP_FAILED when there is no room. */
static void *remap(const struct big *big, uint64_t bytes)
{
    if (big->p && !WATCHED) {
        return mremap(big->p, big->cap, bytes, MREMAP_MAYMOVE);
    }
    int flags = big->fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, big->fd, 0);
    if (big->p && p != MAP_FAILED) {
        if (big->fd < 0) {
            memcpy(p, big->p, big->cap);
        }
        (void)munmap(big->p, big->cap);
    }
    return p;
}

/* Lets an array in a file grow. */
static int big_extend(struct big *big, uint64_t bytes, struct err *err)
{
    struct live_mem *mem = big->mem;
    int rc = file_extend(big->fd, big->cap, bytes, err);
    if (rc < 0) {
        return rc;
    }
    pthread_mutex_lock(&mem->lock); /* mem_trim must not see the old mapping go */
    void *p = remap(big, bytes);
    if (p == MAP_FAILED) {
        rc = err_set(err, ERR_FULL, errno, "cannot map the behaviour graph");
    } else {
        atomic_fetch_add_explicit(&mem->file_bytes, bytes - big->cap, memory_order_relaxed);
        big->p = p;
        big->cap = bytes;
    }
    pthread_mutex_unlock(&mem->lock);
    return rc;
}

int big_grow(struct big *big, uint64_t bytes, struct err *err)
{
    struct live_mem *mem = big->mem;
    uint64_t want = big->cap + big->cap / 2;
    want = want < bytes ? bytes : want;
    want = (want + BIG_MIN - 1) / BIG_MIN * BIG_MIN;
    uint64_t used = atomic_load_explicit(&mem->used, memory_order_relaxed);
    if (big->fd < 0 && mem->limit && mem->dir && used + (want - big->cap) > mem->limit) {
        return big_spill(big, want, err);
    }
    if (big->fd >= 0) {
        return big_extend(big, want, err);
    }
    void *p = remap(big, want);
    if (p == MAP_FAILED) {
        return err_set(err, ERR_FULL, errno, "no memory for the behaviour graph");
    }
    if (want >= HUGE_FROM) {
        (void)madvise(p, want, MADV_HUGEPAGE); /* random access: fewer misses of the TLB */
    }
    atomic_fetch_add_explicit(&mem->used, want - big->cap, memory_order_relaxed);
    big->p = p;
    big->cap = want;
    return 0;
}
