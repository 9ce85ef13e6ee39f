/* Bytes and text of programs to values, as a mapping says: binary layouts, regular expressions,
 * JSON, programs of the user's. For whoever reads a mapping: conform, and the monitor. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "map/map.h"
#include "model/model.h"
#include "value/value.h"

struct arena;
struct cluster;
struct decode;

/* ---- who the nodes are (nodes.c) ---- */
struct decode_place {
    uint32_t index; /* in the cluster */
    const char *name;
    struct val value; /* frozen, in the arena given */
};
struct decode_nodes {
    struct decode_place *v; /* those that the specification knows, in the order of the cluster */
    size_t n;
    struct val list; /* their values as a sequence; frozen */
};
MUST_USE int decode_nodes_find(const struct map *map, const struct cluster *cluster,
                               struct mworker *worker, struct arena *arena,
                               struct decode_nodes *ret, struct err *err);

struct decode_node {
    const char *name; /* in the cluster */
    struct val value; /* lives as long as the decoding */
};
struct decode_options {
    const struct map *map;
    struct mworker *worker; /* values are made in its context */
    const struct decode_node *nodes;
    size_t n_nodes;
    struct val node_list; /* their values as a sequence, for `nodes` in expressions */
    /* How a value comes about, for people; may be NULL. */
    void (*tell)(void *arg, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
    void *tell_arg;
};

/* Compiles the mapping's regular expressions. -ERR_INVALID: one is wrong, told with its place. */
MUST_USE int decode_new(const struct decode_options *options, struct decode **ret, struct err *err);
void decode_free(struct decode *decode); /* accepts NULL */

/* Text or bytes to a value. `number` is that of the observation, or of the message behind all
 * observations. 0; 1: it does not fit, and `why` says why not; negative: a mistake of the mapping.
 */
MUST_USE int decode_value(struct decode *decode, const struct map_decode *how, size_t number,
                          struct str bytes, struct val *ret, struct strbuf *why, struct err *err);
/* Whether the regular expression of an observation matches. */
bool decode_matches(const struct decode *decode, size_t number, struct str text);

/* The bytes of a message: by the first [[message]] that fits. */
struct decode_message {
    uint16_t src_port, dst_port;
    struct val src, dst; /* nodes; VAL_UNDEF: a client, or a node that the message names (`from`,
                            `to`): that is filled in */
    bool inputs;         /* also those that clients send; they are tried when src is undefined */
};
/* 0, 1: none fits; negative: a mistake. *ret_index: the table in map->messages. */
MUST_USE int decode_bytes(struct decode *decode, struct decode_message *about, struct str bytes,
                          struct val *ret, size_t *ret_index, struct strbuf *why, struct err *err);
/* The values of the nodes have moved; those of options.nodes are the new ones. */
void decode_nodes_moved(struct decode *decode, struct val node_list);
