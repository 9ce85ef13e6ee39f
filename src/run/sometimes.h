/* What should happen in some run of a set: a line that is printed, a variable that has a value, a
 * fault while a node is in a state. A suite in which it never does tests less than it seems to. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "run/cluster.h"

struct sometimes;
struct world;

/* NULL when the cluster file asks for nothing of the kind. */
struct sometimes *sometimes_new(const struct cluster *cluster);
void sometimes_free(struct sometimes *s); /* accepts NULL; so do all below */
/* A node printed a line. */
void sometimes_line(struct sometimes *s, uint32_t node, struct str line);
/* Before an event happens, and after it with NULL: variables are looked at. An error: a variable
 * cannot be found. */
MUST_USE int sometimes_event(struct sometimes *s, struct world *world, const struct event *event,
                             struct err *err);
/* Bit i: the i-th has happened. */
uint64_t sometimes_seen(const struct sometimes *s);
