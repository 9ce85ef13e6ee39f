/* From what was captured of a node to events of its monitor: connections to peers, streams to
 * messages, messages to values, as the mapping and the cluster file say. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "capture/capture.h"
#include "decode/decode.h"
#include "monitor/monitor.h"
#include "world/world.h"

struct feed;

/* Who a peer is: by its address, or by the port that it listens on. */
struct feed_peer {
    uint32_t ip;
    uint16_t port; /* 0: any */
    uint32_t node; /* index in the monitor */
};
struct feed_options {
    struct monitor *monitor;
    const struct map *map;
    const struct world_message *messages; /* how streams are cut, by the port that was called */
    size_t n_messages;
    const struct feed_peer *peers;
    size_t n_peers;
    /* Every event as it goes to the monitor; may be NULL. */
    void (*each)(void *arg, const struct monitor_event *event);
    void *each_arg;
};
struct feed_counts {
    uint64_t bytes, messages, inputs, ignored;
};

MUST_USE int feed_new(const struct feed_options *options, struct feed **ret, struct err *err);
void feed_free(struct feed *feed); /* accepts NULL */
/* One captured event of the node. -ERR_INVALID: a message between nodes fits no [[message]], or the
 * stream cannot be cut. */
MUST_USE int feed_event(struct feed *feed, const struct capture_event *event, struct err *err);
void feed_counts(const struct feed *feed, struct feed_counts *ret);
