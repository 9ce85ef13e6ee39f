/* The TLA+ modules of src/eval/modules and specs/modules, embedded in the program. The rows are
 * generated at build time (tools/embed-modules), in the order of their names; modules_find() in
 * native.h is the way to ask for one. */
#pragma once

#include <stddef.h>

struct builtin_module_row {
    const char *name; /* of the module, without .tla; NULL ends the table */
    const char *text; /* NUL-terminated; the NUL is not counted in len */
    size_t len;
};

extern const struct builtin_module_row modules_rows[];
