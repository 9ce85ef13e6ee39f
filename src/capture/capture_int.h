/* Private to the capture room. */
#pragma once

#include <stdio.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "capture/capture.h"

struct pcap_state;

struct capture_reader {
    FILE *file;
    struct arena arena;
    struct capture_node *nodes;
    size_t n_nodes;
    struct strbuf bytes; /* of the current record */
    bool cut_off;
    struct pcap_state *pcap; /* NULL: it is a file of ours */
};

/* pcap.c */
int pcap_begin(struct capture_reader *r, const uint8_t head[24], struct err *err);
int pcap_next(struct capture_reader *r, struct capture_event *ret, struct err *err);
void pcap_end(struct capture_reader *r);
