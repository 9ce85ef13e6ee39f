/* Numbers as people read them, and colours: text for a terminal that somebody else writes to. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Escape sequences, or "" without colour. */
struct palette {
    const char *bold, *dim, *red, *green, *yellow, *blue, *cyan, *reset;
};
struct palette palette_get(bool color);
void print_count(struct strbuf *out, uint64_t n);    /* 1,234,567 */
void print_bytes(struct strbuf *out, uint64_t n);    /* 1.5 GiB */
void print_seconds(struct strbuf *out, uint64_t ns); /* 0.31 s, 12 s, 3 min 20 s, 2 h 05 min */
void print_si(struct strbuf *out, double n);         /* 1.23 M */
