/* Private to cgen: emitted C text as parts that can be compiled, kept and found again one by one.
 *
 * A part is a function that the host calls, with every definition that it needs. Its key is a hash
 * of that text in which names that are mere numbers are replaced by the order of their appearance:
 * what is added or changed elsewhere in a specification does not show in it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

struct parts;

struct part_key {
    uint64_t v[2];
};

/* The text that follows the prelude; it must outlive the result, which lives in the arena. Names in
 * the prelude keep their meaning: it is not looked at, and must be part of what keys are used for.
 */
struct parts *parts_split(struct arena *arena, struct str text);

/* The key of what `name` stands for; false: nothing is called that. */
bool parts_key(struct parts *parts, const char *name, struct part_key *ret_key);

/* From now on the text of this function is wanted, ... */
void parts_want(struct parts *parts, const char *name);
/* ... and this is all that is wanted, in the order of the original. */
void parts_write(const struct parts *parts, struct strbuf *out);
