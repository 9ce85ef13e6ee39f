/* What a cluster file makes happen outside of the engine needs the user's word: its checks, which
 * are programs that run as the user, and system calls that are let through. Who runs a cluster file
 * gives it. A recorded run names a cluster file by itself, and may come from anywhere: it may do
 * again only what the user has run before, from the same place.
 *
 * What was agreed to is remembered in a directory of the user's, as text, one file each. */
#pragma once

#include <stdbool.h>

#include "run/cluster.h"

/* Whether the file asks for anything. */
bool consent_needed(const struct cluster *cluster);
/* Whether the user has run it with the same checks and calls. `dir` as below. */
bool consent_given(const struct cluster *cluster, const char *dir);
/* Remembers that. Where that is not possible the user will have to say so again. */
void consent_give(const struct cluster *cluster, const char *dir);
