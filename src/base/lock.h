/* One process at a time writes to a directory of results. The lock is the kernel's (flock), so it
 * goes with the process that holds it, however that ends; the file DIR/.assay.lock only carries it,
 * and says who the holder is. Processes made by fork share the lock with their parent. */
#pragma once

#include <stdbool.h>

#include "base/err.h"

#define DIR_LOCK_FILE ".assay.lock"

struct dir_lock {
    bool held;
    int fd;
    char *path; /* of the file; owned */
};

/* Makes the directory with its parents if it is not there, and locks it. ERR_BUSY: another process
 * holds it; the text names its pid and command. When the holder was killed and only its children
 * are left, it waits for their end, some seconds. */
MUST_USE int dir_lock(struct dir_lock *lock, const char *dir, struct err *err);
/* Removes the file and lets go. Only the process that locked may call it; accepts a zeroed one. */
void dir_unlock(struct dir_lock *lock);

/* For single files that are written bit by bit: opens `path` for writing and empties it, unless
 * another process that opened it in this way still writes it (ERR_BUSY). */
MUST_USE int file_create_locked(const char *path, int *ret_fd, struct err *err);
