/* Files: read whole, write whole (by rename, so that a reader never sees half), paths. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

struct arena;

/* Reads a whole file into the arena, NUL-terminated (the NUL is not counted). Refuses files above
 * max_bytes and directories. */
MUST_USE int file_read(struct arena *arena, const char *path, size_t max_bytes,
                       struct str *ret_text, struct err *err);
/* Writes to a temporary neighbour, then renames. On failure nothing is left behind. */
MUST_USE int file_write(const char *path, struct str text, struct err *err);
/* Whether file_write could write there, now; nothing is changed. */
MUST_USE int file_probe(const char *path, struct err *err);
bool file_exists(const char *path);
/* Calls fn for every entry of a directory, in no order; not at all when it cannot be read. */
void dir_each(const char *path, void (*fn)(void *arg, const char *name), void *arg);
const char *path_join(struct arena *arena, const char *dir, const char *name);
struct str path_dir(struct str path);  /* "." when there is none */
struct str path_base(struct str path); /* last component */
MUST_USE int dir_make(const char *path,
                      struct err *err); /* with parents; an existing one is fine */
/* A new file in `dir` for reading and writing that has no name: it goes when it is closed, or when
 * the process ends, in whatever way. */
MUST_USE int file_nameless(const char *dir, int *ret_fd, struct err *err);
/* Makes a new directory in `dir` whose name begins with `name`; its path goes to *ret_path. */
MUST_USE int dir_make_new(const char *dir, const char *name, struct strbuf *ret_path,
                          struct err *err);
MUST_USE int dir_remove(const char *path, struct err *err); /* recursively */
/* Removes what is in a directory, all but the entry `keep` (may be NULL). */
MUST_USE int dir_clear(const char *path, const char *keep, struct err *err);
/* Whether there is nothing in it but `keep`; false also when it cannot be read. */
bool dir_is_empty(const char *path, const char *keep);
