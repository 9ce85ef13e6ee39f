/* Memory of programs, as system calls see it: buffers, vectors of buffers, paths, times. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <sys/uio.h>

#include "tracee/tracee.h"
#include "world/world_int.h"

bool mem_read(struct thread *t, uint64_t from, void *to, size_t n)
{
    return tracee_read(t->real, TADDR(from), to, n) == n;
}

bool mem_write(struct thread *t, uint64_t to, const void *from, size_t n)
{
    t->proc->node->writes++;
    return tracee_write(t->real, TADDR(to), from, n) == n;
}

int64_t mem_path(struct thread *t, uint64_t from, char path[PATH_MAX])
{
    return tracee_read_string(t->real, TADDR(from), path, PATH_MAX);
}

int64_t mem_timespec(struct thread *t, uint64_t from, uint64_t *ret_ns)
{
    struct timespec ts;
    if (!mem_read(t, from, &ts, sizeof ts)) {
        return -EFAULT;
    }
    if (ts.tv_sec < 0 || ts.tv_nsec < 0 || ts.tv_nsec >= 1000000000) {
        return -EINVAL;
    }
    uint64_t most = UINT64_C(1) << 33; /* seconds: 272 years are for ever */
    uint64_t seconds = (uint64_t)ts.tv_sec < most ? (uint64_t)ts.tv_sec : most;
    *ret_ns = seconds * 1000000000 + (uint64_t)ts.tv_nsec;
    return 0;
}

int64_t uio_init(struct uio *u, struct thread *t, uint64_t base, uint64_t n)
{
    if (n > INT64_MAX) {
        return -EINVAL;
    }
    u->t = t;
    u->n = 1;
    u->done = 0;
    u->total = n < 0x7ffff000 ? n : 0x7ffff000;
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the address belongs to another process */
    u->iov[0] = (struct iovec){(void *)base, u->total};
    return 0;
}

int64_t uio_init_vec(struct uio *u, struct thread *t, uint64_t iov, uint64_t n)
{
    if (n > IOV_MAX) {
        return -EINVAL;
    }
    u->t = t;
    u->n = (uint32_t)n;
    u->done = 0;
    u->total = 0;
    if (!mem_read(t, iov, u->iov, n * sizeof u->iov[0])) {
        return -EFAULT;
    }
    for (size_t i = 0; i < n; i++) {
        if (u->iov[i].iov_len > INT64_MAX) {
            return -EINVAL;
        }
        u->total += u->iov[i].iov_len;
    }
    return u->total > INT64_MAX ? -EINVAL : 0;
}

/* Moves bytes at the position of the vector. */
static size_t uio_move(struct uio *u, uint8_t *local, size_t n, bool to_program)
{
    size_t skip = u->done, moved = 0;
    u->t->proc->node->writes += to_program ? 1 : 0;
    for (uint32_t i = 0; i < u->n && moved < n; i++) {
        size_t len = u->iov[i].iov_len;
        if (skip >= len) {
            skip -= len;
            continue;
        }
        size_t part = len - skip < n - moved ? len - skip : n - moved;
        struct taddr at = TADDR((uintptr_t)u->iov[i].iov_base + skip);
        size_t got = to_program ? tracee_write(u->t->real, at, local + moved, part)
                                : tracee_read(u->t->real, at, local + moved, part);
        moved += got;
        skip = 0;
        if (got != part) {
            break;
        }
    }
    u->done += moved;
    return moved;
}

size_t uio_put(struct uio *u, const void *from, size_t n)
{
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): it is only read */
    return uio_move(u, (uint8_t *)(uintptr_t)from, n, true);
}

size_t uio_get(struct uio *u, void *to, size_t n)
{
    return uio_move(u, to, n, false);
}
