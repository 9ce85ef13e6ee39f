/* Variables of a running program in Python or Java, by name, read from the memory of its runtime.
 *
 *     lang_path_new(LANG_PYTHON, arena, STR("Counter.run().self.term"), &path, err)
 *     lang_open(LANG_PYTHON, &memory, arena, &runtime, err)    once after each start of the process
 *     lang_read(runtime, path, &memory, arena, &value, err)
 *
 * The process must stand still while it is read, and no thread of it may be in the middle of
 * changing what is read: in a quiet world all threads wait in system calls.
 *
 * Python (CPython 3.11, 64 bits):
 *     name, module.name     a global variable of __main__, or of a module
 *     function().name       a local variable of a function that runs; innermost first. Its
 *                           qualified name (Class.method) or the last part of it
 *     <Class>               the only instance of the class or of one below it
 * Java (HotSpot 17, 64 bits):
 *     pkg.Class.name        a static field
 *     <pkg.Class>           the only instance of the class or of one below it; the package may be
 *                           left out
 * then, as often as wanted:
 *     .name                 an attribute, a field
 *     .name?                one that not every object has; where it is missing, nothing is there
 *     [i]  ["key"]  [key]   an element, the value of a key
 *     [lo..hi]  [lo..]      elements; what follows applies to each
 *     [*]                   all elements, or all values of a map
 *     @next                 the list that begins here and goes on by `next`
 *
 * One thread at a time for a runtime. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "dwarf/dwarf.h"

struct arena;
struct lang_path;
struct lang_runtime;

/* ORDER LANGUAGES */
enum lang { LANG_NATIVE, LANG_PYTHON, LANG_JAVA }; /* native: not of this room; see dwarf */

struct lang_memory {
    int (*read)(void *arg, uint64_t addr, void *buf, size_t n); /* 0, or it cannot be read */
    void *arg;
    struct str maps;                   /* /proc/PID/maps, for lang_open */
    const struct dwarf_limits *limits; /* or NULL */
    struct strbuf *steps;              /* a line for each step of the path; or NULL */
    /* Memory is the same while this is: an instance that was found is not searched for again. 0: it
     * may have changed. */
    uint64_t moment;
};

MUST_USE int lang_path_new(enum lang lang, struct arena *arena, struct str text,
                           struct lang_path **ret, struct err *err);
/* ERR_NOT_FOUND: no such runtime in this process; ERR_UNSUPPORTED: one of another version. */
MUST_USE int lang_open(enum lang lang, const struct lang_memory *memory, struct arena *arena,
                       struct lang_runtime **ret, struct err *err);
/* As dwarf_read. The value lives in the arena. ERR_NOT_FOUND: what the path begins with is not
 * there (yet), or the path goes through None or null, or a name with ? is missing. */
MUST_USE int lang_read(struct lang_runtime *runtime, const struct lang_path *path,
                       const struct lang_memory *memory, struct arena *arena,
                       struct dwarf_value **ret, struct err *err);
