/* What must hold in every run, looked at while it goes on: texts that no node may print, programs
 * that must end well, and what clients saw. It remembers lines that are half printed and what was
 * seen, so whoever goes back to a snapshot of the world goes back to a copy of this, too. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "world/world.h"

struct oracle_node;
struct oracle {
    const struct cluster *cluster;
    struct oracle_node *nodes;
    struct strbuf history;  /* what clients saw */
    struct failure failure; /* the first that was found; kind FAILURE_NONE: none */
    struct strbuf text;     /* in one line */
    /* Told of every line that a node has printed; may be NULL. */
    void (*on_line)(void *arg, uint32_t node, struct str line);
    void *line_arg;
};

void oracle_init(struct oracle *oracle, const struct cluster *cluster);
void oracle_done(struct oracle *oracle); /* accepts a zeroed one */
/* Both were made for the same cluster. */
void oracle_copy(struct oracle *to, const struct oracle *from);
/* A piece of output, as world_on_output tells it. */
void oracle_output(struct oracle *oracle, uint32_t node, int fd, const char *text, size_t n);
/* Processes that have ended by themselves since the last time. */
void oracle_ends(struct oracle *oracle, const struct world *world);
/* A run that begins with this world, in which nothing has gone wrong before. */
void oracle_begin(struct oracle *oracle, const struct world *world);
/* The texts that are kept of a node, for whoever writes a run down and reads it back. */
enum { ORACLE_TEXTS = 5 };
void oracle_texts(struct oracle *oracle, uint32_t node, struct strbuf *ret[ORACLE_TEXTS]);
