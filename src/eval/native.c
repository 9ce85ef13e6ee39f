/* The operators that are implemented in C (ir/natives.def), found by module, name and number of
 * arguments.
 *
 * The table is small and is searched while a specification is lowered, once for each definition of
 * a module that ships with assay: a linear search costs less than building an index would (and
 * needs no memory that changes). */
#include "eval/native.h"

#include <string.h>

#include "eval/native_int.h"

/* Flags as natives.def names them. */
enum { IMPURE = NATIVE_IMPURE, FOLD = NATIVE_FOLD };

const struct native natives[NATIVE_COUNT] = {
#define NATIVE(ID, module, name, arity, flags, eval, op, emit)                                     \
    [NATIVE_##ID] = {module, name, NATIVE_##ID, arity, flags, EX_##op, native_##eval},
#include "ir/natives.def"
};

const struct native *native_find(const char *module, const char *name, unsigned arity)
{
    for (const struct native *row = natives; row < natives + NATIVE_COUNT; row++) {
        if (row->arity == arity && row->name[0] == name[0] && strcmp(row->name, name) == 0 &&
            strcmp(row->module, module) == 0) {
            return row;
        }
    }
    return NULL;
}
