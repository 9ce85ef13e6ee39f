/* Private to the world room: the real map of a process's memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include "base/str.h"

struct map {
    uint64_t begin, end, offset, inode;
    uint32_t minor;
    char perms[5];    /* as in "rw-p" */
    const char *name; /* with the end of the line; until the next call */
};
struct maps;
struct maps *maps_of_text(struct str text); /* of such a file; the text is copied */
struct maps *maps_open(pid_t real);         /* NULL when the process is gone */
bool maps_next(struct maps *maps, struct map *ret);
/* A number for all of them but their names, through a descriptor of that file. False: this kernel
 * does not do that. */
bool maps_sum(int fd, uint64_t *ret_sum);
void maps_close(struct maps *maps); /* accepts NULL */
