/* What the running kernel says of its own types (BTF): where members are, and the numbers of
 * tracepoints and functions. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct btf;

MUST_USE int btf_open(const char *path, struct btf **ret, struct err *err);
void btf_close(struct btf *btf); /* accepts NULL */
/* The number of a type by its kind (BTF_KIND_...) and name; 0: there is none. */
uint32_t btf_find(const struct btf *btf, uint32_t kind, const char *name);
/* Where a member is, also one of a struct or union without a name, and its size (of an array: of
 * all). -1: there is none, or it is a part of a byte. */
long btf_member(const struct btf *btf, const char *structure, const char *member,
                uint32_t *ret_size);
