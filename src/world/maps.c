/* Reading /proc/PID/maps of the machine. */
#include "world/maps.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>

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
