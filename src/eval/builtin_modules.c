/* The modules that ship inside the program, found by name. */
#include "eval/builtin_modules.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "eval/native.h"

/* Those that every tool for TLA+ has; the others come from the community modules, from TLAPS or
 * from Apalache. */
static bool is_standard(const char *name)
{
    static const char *const names[] = {"Naturals",      "Integers", "Reals",   "Sequences",
                                        "FiniteSets",    "Bags",     "TLC",     "TLCExt",
                                        "Randomization", "RealTime", "Toolbox", "Json"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

const char *modules_find(const char *name, size_t *ret_len, bool *ret_standard)
{
    for (const struct builtin_module_row *row = modules_rows; row->name != NULL; row++) {
        if (strcmp(row->name, name) == 0) {
            *ret_len = row->len;
            if (ret_standard != NULL) {
                *ret_standard = is_standard(name);
            }
            return row->text;
        }
    }
    return NULL;
}

const char *modules_name(size_t i)
{
    for (const struct builtin_module_row *row = modules_rows; row->name != NULL; row++) {
        if (i-- == 0) {
            return row->name;
        }
    }
    return NULL;
}
