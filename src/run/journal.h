/* What a run leaves behind besides the nodes' own logs: events as text, JSON lines and for ShiViz,
 * and the packets for Wireshark. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "run/cluster.h"
#include "world/world.h"

struct journal;

struct journal_options {
    const struct cluster *cluster;
    const char *dir;
    bool pcap, shiviz, jsonl;
    bool capture; /* what each node sees, for `assay watch` */
};
MUST_USE int journal_new(const struct journal_options *options, struct journal **ret,
                         struct err *err);
/* Closes the files and frees everything; an error when something could not be written. Accepts
 * NULL. */
MUST_USE int journal_close(struct journal *journal, struct err *err);
/* Before the event is done: its packet still exists. */
void journal_event(struct journal *journal, const struct world *world, const struct event *event,
                   uint64_t number);
/* After it has settled; before journal_hash: what is observed of the nodes, lines "name = value",
 * if that is known. */
void journal_seen(struct journal *journal, struct str lines);
void journal_hash(struct journal *journal, uint64_t hash);
bool journal_wants_seen(const struct journal *journal);
/* To be given to world_on_packet and world_on_sync. */
void journal_packet(void *journal, bool sent, const struct packet_view *packet);
void journal_sync(void *journal, uint32_t node);
/* The text of the events so far, from its file; false when it cannot be read. The same text at the
 * beginning of another journal. */
bool journal_so_far(struct journal *journal, const char *dir, struct strbuf *ret);
void journal_resume(struct journal *journal, struct str text);
void journal_clock(struct journal *journal, uint64_t now_ns);
