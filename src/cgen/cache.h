/* Private to cgen: the directory that keeps compiled code. What lies there is executed by this
 * process, so it must be ours and ours alone.
 *
 * Everything goes by descriptors: the directory is opened once and looked at where it was opened,
 * its files are opened beside it, without following links, and looked at before they are used. So
 * nobody who may rename a directory above it can put something else in the place of what was
 * looked at. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

struct arena;

/* Opens the directory, which is made, with parents, when it is not there: for its owner only, and
 * only inside a directory of the same user or of root. -1 when it cannot be used: it is a link, it
 * belongs to somebody else, or others may write to it. */
int cache_open(const char *path);
/* Opens a file of it for reading. -1 when it is not there, or no file of ours alone. */
int cache_file(int dir, const char *name);
/* Reads all of an open file, from its beginning. */
MUST_USE int cache_read(struct arena *arena, int fd, struct str *ret_bytes, struct err *err);
/* Puts a file there, whole or not at all. */
bool cache_put(int dir, const char *name, struct str bytes);
/* Loads the code that was opened; NULL when that fails (dlerror). The descriptor must stay open for
 * as long as the code is loaded: its number is the name by which the linker knows the code. */
void *cache_load(int fd);
