/* Kinds of files, by their names and beginnings: to tell people who give a command a file of
 * another one. */
#pragma once

#include <stdbool.h>

enum file_kind {
    KIND_UNKNOWN,
    KIND_SPEC,     /* .tla */
    KIND_CONFIG,   /* .cfg */
    KIND_TOML,     /* .toml: a cluster file or a mapping file */
    KIND_CLUSTER,  /* .toml with a node */
    KIND_MAPPING,  /* .toml that names a specification */
    KIND_TRACE,    /* .json */
    KIND_RECORDED, /* of assay run */
    KIND_GRAPH     /* of assay test, or .dot: not told from what is unknown */
};

/* Whether a file that exists is of a known kind, and not of the one wanted. Then a message says
 * what it is, and the exit status is EXIT_USAGE. */
bool wrong_kind(const char *command, const char *path, enum file_kind wanted);
