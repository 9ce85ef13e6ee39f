/* Variables in the memory of nodes' first processes, by their names in the debug information of the
 * programs that run there, or in the runtimes of Python and Java. Programs and paths are looked up
 * once; where a program was loaded is looked up again after every start. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "dwarf/dwarf.h"
#include "lang/lang.h"
#include "value/value.h"
#include "world/world.h"

struct arena;
struct vars;

/* For paths that the caller numbers from 0 on. It lives in the arena until vars_done. */
struct vars *vars_new(struct arena *arena, size_t n_nodes, size_t n_paths);
void vars_done(struct vars *vars); /* accepts NULL */

/* Where programs were loaded: another world is looked at. */
void vars_forget(struct vars *vars);

struct vars_place {
    struct world *world;
    uint32_t node;
    size_t path;                       /* its number */
    struct str text;                   /* the path */
    uint64_t moment;                   /* changes when the world was put back; not 0 */
    struct strbuf *steps;              /* how the value was reached, a line each; or NULL */
    enum lang lang;                    /* of the path */
    const struct dwarf_limits *limits; /* of Python and Java; or NULL */
};
/* The value lives in the arena given here. */
MUST_USE int vars_read(struct vars *vars, const struct vars_place *at, struct arena *arena,
                       struct dwarf_value **ret, struct err *err);
/* As a TLA+ value. ret_opaque: why a part cannot be shown; NULL: it all can. */
struct val vars_value(struct vctx *ctx, const struct dwarf_value *value, const char **ret_opaque);
