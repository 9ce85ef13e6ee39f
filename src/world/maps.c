/* Reading /proc/PID/maps of the machine. */
#include "world/maps.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/ioctl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"

struct maps {
    FILE *file;
    char line[PATH_MAX + 128];
};

struct maps *maps_open(pid_t real)
{
    char path[64];
    size_t cap = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)real);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return NULL;
    }
    struct maps *maps = vec_grow(NULL, &cap, 1, sizeof *maps);
    maps->file = file;
    return maps;
}

struct maps *maps_of_text(struct str text)
{
    int fd = memfd_create("maps", MFD_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (file == NULL || fwrite(text.p, 1, text.n, file) != text.n ||
        fseek(file, 0, SEEK_SET) != 0) {
        return NULL;
    }
    size_t cap = 0;
    struct maps *maps = vec_grow(NULL, &cap, 1, sizeof *maps);
    maps->file = file;
    return maps;
}

/* As in <linux/fs.h> since 6.11, which may be older here. */
struct map_query {
    uint64_t size, flags, addr;
    uint64_t begin, end, perms, page_size, offset, inode;
    uint32_t major, minor, name_size, build_id_size;
    uint64_t name_addr, build_id_addr;
};
#define QUERY_MAP _IOWR('f', 17, struct map_query)
enum { QUERY_THIS_OR_NEXT = 16 };

/* Names, which cost most of reading the list as text, are left out: devices and inodes tell files
 * apart. */
bool maps_sum(int fd, uint64_t *ret_sum)
{
    uint64_t sum = 1, at = 0;
    for (;;) {
        struct map_query q = {.size = sizeof q, .flags = QUERY_THIS_OR_NEXT, .addr = at};
        if (ioctl(fd, QUERY_MAP, &q) != 0) {
            *ret_sum = sum;
            return errno == ENOENT; /* behind the last one */
        }
        const uint64_t words[] = {q.begin, q.end, q.perms, q.offset, q.inode, q.major, q.minor};
        sum = hash_bytes(words, sizeof words, sum);
        at = q.end;
    }
}

/* A line is: begin-end perms offset major:minor inode name */
bool maps_next(struct maps *maps, struct map *ret)
{
    if (maps == NULL || fgets(maps->line, sizeof maps->line, maps->file) == NULL) {
        return false;
    }
    char *at = maps->line;
    ret->begin = strtoull(at, &at, 16);
    ret->end = strtoull(at + 1, &at, 16);
    at += strspn(at, " ");
    memcpy(ret->perms, at, 4);
    ret->perms[4] = '\0';
    ret->offset = strtoull(at + 4, &at, 16);
    (void)strtoul(at, &at, 16);
    ret->minor = (uint32_t)strtoul(at + 1, &at, 16);
    ret->inode = strtoull(at, &at, 10);
    ret->name = at + strspn(at, " ");
    return true;
}

void maps_close(struct maps *maps)
{
    if (maps != NULL) {
        (void)fclose(maps->file);
        vec_release(maps);
    }
}
