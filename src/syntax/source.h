/* Source files and places in them. A span is byte offsets; lines and columns are computed when a
 * person asks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct arena;

struct span {
    uint32_t file; /* number in struct sources */
    uint32_t begin;
    uint32_t end; /* one past the last byte */
};

/* 1-based; columns are SANY's: characters, but a tab moves to the next multiple of eight. end_* is
 * the last character, inclusive, as TLC prints it. */
struct place {
    uint32_t line, column, end_line, end_column;
};

struct source {
    uint32_t id;
    const char *path; /* as shown to the user */
    struct str text;
    uint32_t *line_begin; /* [lines]: offset of each line; computed on load */
    uint32_t lines;
    bool builtin; /* a module that ships inside assay */
};

struct sources {
    struct arena *arena;
    struct source **v;
    size_t n, cap;
};

#define SOURCE_BYTES_MAX ((size_t)256 << 20)

void sources_init(struct sources *sources, struct arena *arena);
struct source *sources_add(struct sources *sources, const char *path, struct str text,
                           bool builtin);
MUST_USE int sources_load(struct sources *sources, const char *path, struct source **ret_source,
                          struct err *err);
const struct source *sources_get(const struct sources *sources, uint32_t file);
struct place sources_place(const struct sources *sources, struct span span);
