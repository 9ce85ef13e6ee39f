/* Events as text: in cluster files, replay files and logs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "run/cluster.h"
#include "world/world.h"

/* Text cut at blanks; what is too much is left out. */
enum { WORDS = 80 };
struct words {
    struct str v[WORDS];
    size_t n;
};
void words_split(struct str text, struct words *ret);

/* "crash n1", "crash n1 all", "partition n1 | n2 n3", "cut n1 n2", "heal", "pause n1", "resume n1",
 * "kill n1", "restart n1", "start c1", "jump n1 -5s", "disk n1 eio-write", "timer n1", "deliver
 * 17", "drop 17", "duplicate 17", "reset n1 n2", "advance n1 1.5s", "exec c1 program arguments".
 * "split n1 | n2 n3" (clients reach all), "bridge n2" (the others in two halves, which only it
 * reaches), "slow n1 n2 50ms", "lossy n1 n2 0.1", "narrow n1 n2 100kB", "slow-disk n1 20ms",
 * "memory n1 full", "kill-one n1 NAME". Some stand for several events. */
MUST_USE int event_parse(const struct cluster *cluster, struct str text, struct event *ret,
                         size_t cap, size_t *ret_n, struct err *err);
/* Bytes of a packet in quotes, others than letters as \xHH; "..." behind it when there are more. */
void bytes_print(const uint8_t *bytes, size_t n, size_t most, struct strbuf *out);
/* The form that event_parse reads back as one event. */
void event_print(const struct cluster *cluster, const struct event *event, struct strbuf *out);

/* The enum crash_keep of this name; -1: there is none. */
int event_keep(struct str word);
