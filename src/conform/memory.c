/* Variables in the memory of nodes (observe/vars.h), for a session. */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "conform/conform.h"
#include "conform/conform_int.h"
#include "dwarf/dwarf.h"
#include "map/map.h"
#include "observe/vars.h"
#include "run/cluster.h"
#include "value/value.h"

struct converting {
    const struct dwarf_value *from;
    struct val ret;
    const char *opaque; /* why a part cannot be shown */
};

static void run_convert(struct vctx *ctx, void *arg)
{
    struct converting *x = arg;
    x->ret = vars_value(ctx, x->from, &x->opaque);
}

int memory_value(struct conform *c, size_t observe, uint32_t node, struct val *ret)
{
    const struct map_observe *o = &c->map->observes[observe];
    struct dwarf_value *value = NULL;
    struct err err;
    if (c->see.memory == NULL) {
        c->see.memory = vars_new(&c->arena, c->cluster->n_nodes, c->map->n_observes);
    }
    SCOPED_STRBUF steps = {0};
    struct vars_place at = {c->run.world,
                            node,
                            observe,
                            o->text,
                            c->run.moment,
                            tell_asked(c) ? &steps : NULL,
                            (enum lang)o->language,
                            NULL};
    struct arena arena;
    arena_init(&arena, 0);
    tell_how(c, "memory of the node's first process, `%.*s'", STR_ARG(o->text));
    int read = vars_read(c->see.memory, &at, &arena, &value, &err);
    tell_lines(c, strbuf_str(&steps));
    if (read != 0) {
        arena_done(&arena);
        if (err.code == ERR_NOT_FOUND && o->language != MAP_NATIVE && o->initial != NULL) {
            tell_how(c, "%s", err.text);
            *ret = VAL_UNDEF;
            return 0;
        }
        return mapping_error(c, o->at_begin, o->at_end, "%s", err.text);
    }
    tell_memory(c, value);
    struct converting x = {.from = value};
    int status = run_values(c, run_convert, &x);
    arena_done(&arena);
    *ret = x.ret;
    return status != 0        ? status
           : x.opaque != NULL ? mapping_error(c, o->at_begin, o->at_end, "%s", x.opaque)
                              : 0;
}

void memory_free(struct conform *c)
{
    vars_done(c->see.memory);
}
