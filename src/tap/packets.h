/* Packets of a network interface, as they pass (a packet socket; needs CAP_NET_RAW): events of the
 * nodes whose addresses are given. */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "capture/capture.h"
#include "tap/tap.h"

struct packets;

/* "any": all interfaces. */
MUST_USE int packets_open(const char *interface, const struct capture_node *nodes, size_t n,
                          size_t room, struct packets **ret, struct err *err);
/* Whether that would be possible. */
MUST_USE int packets_try(const char *interface, struct err *err);
void packets_close(struct packets *packets); /* accepts NULL */
MUST_USE int packets_next(struct packets *packets, struct capture_event *ret, struct err *err);
size_t packets_waiting(const struct packets *packets);
void packets_skip(struct packets *packets);
void packets_counts(const struct packets *packets, struct tap_counts *ret);
