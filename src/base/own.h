/* Directories that keep things for one user, such as compiled code that will be executed: what lies
 * there must be the user's, and the user's alone.
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
int own_dir(const char *path);
/* Opens a file of it for reading. -1 when it is not there, or no file of ours alone. */
int own_file(int dir, const char *name);
/* Reads all of an open file, from its beginning. */
MUST_USE int own_read(struct arena *arena, int fd, struct str *ret_bytes, struct err *err);
/* Puts a file there, whole or not at all. */
bool own_put(int dir, const char *name, struct str bytes);
