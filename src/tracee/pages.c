/* Which pages a process has of its own.
 *
 * A copy of a process shares all pages with it until one of them writes. So after a copy was made,
 * a page that nobody else has mapped (bit 56 of /proc/PID/pagemap, which every user may read) was
 * written since, and one that is shared was not: reading page tables tells what changed, without
 * any preparation, and without stopping the process at its writes. Measured beside it, on a process
 * with 4500 pages: the tables 0.5 ms, all of the memory 2 ms.
 *
 * What page tables alone do not tell is whether a shared page is the page of zeros, which the
 * kernel maps where memory was given back and read again; PAGEMAP_SCAN (Linux 6.7) does. Before, no
 * page is known to be unchanged.
 *
 * Rejected: soft-dirty bits, which many kernels lack and which do not show memory that was given
 * back; userfaultfd, which a copy loses, and which would be asked for in each mapping of each copy
 * by calls inside it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/ioctl.h>
#include <sys/ioctl.h>
#include <sys/types.h>

#include "base/vec.h"
#include "tracee/tracee.h"

enum { PAGE_BYTES = 4096, ENTRIES = 4096, REGIONS = 512, NEAR_BYTES = 32 * PAGE_BYTES };
#define ADDRESSES (UINT64_C(1) << 47) /* of a process; its last page cannot be used */
/* Of an entry of /proc/PID/pagemap. */
#define ENTRY_ALONE   (UINT64_C(1) << 56)
#define ENTRY_FILE    (UINT64_C(1) << 61)
#define ENTRY_SWAPPED (UINT64_C(1) << 62)
#define ENTRY_PRESENT (UINT64_C(1) << 63)

/* As in <linux/fs.h> since 6.7, which may be older here. */
struct scan_region {
    uint64_t start, end, categories;
};
struct scan_arg {
    uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
    uint64_t inverted, all_of, any_of, returned;
};
#define SCAN_PAGES _IOWR('f', 16, struct scan_arg)
enum { SCAN_FILE = 4, SCAN_PRESENT = 8, SCAN_SWAPPED = 16, SCAN_ZERO = 32 };

struct range {
    uint64_t begin, end;
};
struct scan {
    int fd;
    bool exact; /* pages of zeros are left out */
    struct tracee_pages *pages;
};

static int open_proc(pid_t pid, const char *name)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* The pages of one range that count. */
static bool read_entries(const struct scan *s, struct range range)
{
    uint64_t entries[ENTRIES];
    while (range.begin < range.end) {
        uint64_t n = (range.end - range.begin) / PAGE_BYTES;
        n = n < ENTRIES ? n : ENTRIES;
        ssize_t got = pread(s->fd, entries, n * 8, (off_t)(range.begin / PAGE_BYTES * 8));
        if (got <= 0) {
            return got == 0; /* behind the last address */
        }
        for (size_t i = 0; i < (size_t)got / 8; i++) {
            bool own = (entries[i] & (ENTRY_PRESENT | ENTRY_SWAPPED)) != 0;
            bool alone = !s->exact || (entries[i] & (ENTRY_ALONE | ENTRY_SWAPPED)) != 0;
            if (own && (entries[i] & ENTRY_FILE) == 0) {
                VEC_PUSH(s->pages, (range.begin + i * PAGE_BYTES) | (alone ? 1 : 0));
            }
        }
        range.begin += (uint64_t)got / 8 * PAGE_BYTES;
    }
    return true;
}

/* Leaves out those pages of zeros that are in the list because their neighbours are. */
static void keep_regions(struct tracee_pages *pages, size_t from, const struct scan_region *regions,
                         size_t n)
{
    size_t kept = from, r = 0;
    for (size_t i = from; i < pages->n; i++) {
        while (r < n && regions[r].end <= pages->v[i]) {
            r++;
        }
        if (r < n && regions[r].start <= pages->v[i]) {
            pages->v[kept++] = pages->v[i];
        }
    }
    pages->n = kept;
}

/* -errno: the kernel does not do that. */
static int scan_exact(const struct scan *s)
{
    struct scan_region regions[REGIONS];
    struct scan_arg arg = {.size = sizeof arg,
                           .end = ADDRESSES - PAGE_BYTES,
                           .vec = (uintptr_t)regions,
                           .vec_len = REGIONS,
                           .inverted = SCAN_FILE | SCAN_ZERO,
                           .all_of = SCAN_FILE | SCAN_ZERO,
                           .any_of = SCAN_PRESENT | SCAN_SWAPPED};
    do {
        int n = ioctl(s->fd, SCAN_PAGES, &arg);
        if (n < 0) {
            return -errno;
        }
        size_t from = s->pages->n;
        for (int i = 0; i < n;) {
            struct range range = {regions[i].start, regions[i].end};
            for (i++; i < n && regions[i].start - range.end <= NEAR_BYTES; i++) {
                range.end = regions[i].end;
            }
            if (!read_entries(s, range)) {
                return -EIO;
            }
        }
        keep_regions(s->pages, from, regions, (size_t)n);
        arg.start = arg.walk_end;
    } while (arg.start < arg.end);
    return 0;
}

static int scan_all(const struct scan *s, pid_t pid)
{
    int fd = open_proc(pid, "maps");
    FILE *maps = fd < 0 ? NULL : fdopen(fd, "r");
    if (maps == NULL) {
        return fd < 0 ? -errno : -ENOMEM;
    }
    char line[PATH_MAX + 128];
    bool good = true;
    while (good && fgets(line, sizeof line, maps) != NULL) {
        char *at = line;
        struct range range = {strtoull(at, &at, 16), 0};
        range.end = strtoull(at + 1, NULL, 16);
        good = range.begin >= ADDRESSES || read_entries(s, range);
    }
    (void)fclose(maps);
    return good ? 0 : -EIO;
}

int tracee_pages_through(int fd, pid_t pid, bool exact, struct tracee_pages *ret)
{
    struct scan s = {.fd = fd, .exact = exact, .pages = ret};
    ret->n = 0;
    int status = exact ? scan_exact(&s) : -ENOTTY;
    if (status == -ENOTTY || status == -EINVAL || status == -EFAULT) {
        s.exact = false;
        ret->n = 0;
        status = scan_all(&s, pid);
    }
    return status;
}

int tracee_pages(pid_t pid, bool exact, struct tracee_pages *ret)
{
    int fd = open_proc(pid, "pagemap");
    ret->n = 0;
    if (fd < 0) {
        return -errno;
    }
    int status = tracee_pages_through(fd, pid, exact, ret);
    (void)close(fd);
    return status;
}
