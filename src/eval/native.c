/* The operators that are implemented in C, found by module, name and number of arguments.
 *
 * The tables are small and are searched while a specification is lowered, once for each definition
 * of a module that ships with assay: the module's first letters decide quickly, so a linear search
 * over the rows of one family costs less than building an index would (and needs no memory that
 * changes). */
#include "eval/native.h"

#include <string.h>

#include "eval/native_int.h"

const struct native *const native_tables[] = {
    natives_num,    natives_bits,   natives_seq,  natives_seqext, natives_seqsub,   natives_set,
    natives_fcn,    natives_bag,    natives_tlc,  natives_tlcget, natives_random,   natives_json,
    natives_io,     natives_pickle, natives_csv,  natives_graph,  natives_relation, natives_svg,
    natives_layout, natives_clock,  natives_stat, NULL,
};

const struct native *native_find(const char *module, const char *name, unsigned arity)
{
    for (const struct native *const *table = native_tables; *table != NULL; table++) {
        for (const struct native *row = *table; row->name != NULL; row++) {
            if (row->arity == arity && row->name[0] == name[0] && strcmp(row->name, name) == 0 &&
                strcmp(row->module, module) == 0) {
                return row;
            }
        }
    }
    return NULL;
}
