/* Variables in the memory of a node's first process, by their names in the debug information of the
 * program that runs there. Programs and paths are looked up once; where a program was loaded is
 * looked up again after every start. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "conform/conform_int.h"
#include "dwarf/dwarf.h"
#include "map/map.h"
#include "run/cluster.h"
#include "value/value.h"
#include "world/world.h"

struct program_file {
    const char *path;
    struct dwarf *dwarf;
    struct dwarf_path **paths; /* [map->n_observes] */
};
struct loaded { /* of a node */
    uint32_t starts;
    const struct program_file *file;
    uint64_t bias;
};
/* Pages that were read since the node ran last. */
enum { PAGE = 4096, PAGES = 64 };
struct page {
    uint64_t moment, turns, addr; /* moment 0: empty */
    uint32_t node;
    uint8_t bytes[PAGE];
};
struct memory {
    VEC(struct program_file *) files;
    struct loaded *loaded; /* [cluster->n_nodes] */
    struct page pages[PAGES];
};

static int open_file(struct conform *c, const struct map_observe *o, const char *path,
                     struct program_file **ret)
{
    struct memory *m = c->memory;
    struct err err;
    for (size_t i = 0; i < m->files.n; i++) {
        if (strcmp(m->files.v[i]->path, path) == 0) {
            *ret = m->files.v[i];
            return 0;
        }
    }
    struct program_file *file = ARENA_NEW(&c->arena, struct program_file);
    file->path = arena_strndup(&c->arena, path, strlen(path));
    file->paths = ARENA_ARRAY(&c->arena, struct dwarf_path *, c->map->n_observes);
    if (dwarf_open(path, &file->dwarf, &err) != 0) {
        return mapping_error(c, o->at_begin, o->at_end, "%s", err.text);
    }
    VEC_PUSH(&m->files, file);
    *ret = file;
    return 0;
}

static int find_file(struct conform *c, const struct map_observe *o, uint32_t node,
                     struct loaded **ret)
{
    struct node_view view;
    struct memory *m = c->memory;
    struct loaded *l = &m->loaded[node];
    struct program_file *file = NULL;
    struct err err;
    world_node_view(c->world, node, &view);
    *ret = l;
    if (l->file != NULL && l->starts == view.starts) {
        return 0;
    }
    const char *path = world_executable(c->world, node);
    int status = path != NULL ? open_file(c, o, path, &file) : -(int)ERR_NOT_FOUND;
    if (status != 0 || file == NULL) {
        return path != NULL
                   ? status
                   : mapping_error(c, o->at_begin, o->at_end, "nothing runs at node %s", view.name);
    }
    struct arena arena;
    arena_init(&arena, 0);
    struct str maps = world_memory_maps(c->world, node, &arena);
    status = dwarf_load_bias(file->dwarf, maps, NULL, &l->bias, &err);
    arena_done(&arena);
    if (status != 0) {
        return mapping_error(c, o->at_begin, o->at_end, "%s", err.text);
    }
    l->starts = view.starts;
    l->file = file;
    return 0;
}

struct reading {
    struct conform *c;
    uint32_t node;
    uint64_t turns;
};

/* Many small reads come from few pages, and most steps concern one node: whole pages are read, once
 * until the node runs again. NULL: it is not there as a whole. */
static const struct page *read_page(const struct reading *r, uint64_t addr)
{
    struct page *page = &r->c->memory->pages[(addr / PAGE + 17 * (uint64_t)r->node) % PAGES];
    if (page->moment != r->c->moment || page->turns != r->turns || page->addr != addr ||
        page->node != r->node) {
        page->moment = 0;
        if (world_read_memory(r->c->world, r->node, addr, page->bytes, PAGE) != PAGE) {
            return NULL;
        }
        page->moment = r->c->moment;
        page->turns = r->turns;
        page->addr = addr;
        page->node = r->node;
    }
    return page;
}

static int read_memory(void *arg, uint64_t addr, void *buf, size_t n)
{
    const struct reading *r = arg;
    uint8_t *to = buf;
    while (n > 0) {
        size_t at = addr % PAGE, part = n < PAGE - at ? n : PAGE - at;
        const struct page *page = read_page(r, addr - at);
        if (page == NULL) {
            return world_read_memory(r->c->world, r->node, addr, to, n) == n ? 0 : -1;
        }
        memcpy(to, page->bytes + at, part);
        to += part;
        addr += part;
        n -= part;
    }
    return 0;
}

/* ---- values ---- */

struct converting {
    struct conform *c;
    const struct dwarf_value *from;
    struct val ret;
    const char *opaque; /* why a part cannot be shown */
};

static struct val convert(struct vctx *ctx, struct converting *x, const struct dwarf_value *v);

static struct val convert_uint(struct vctx *ctx, uint64_t u)
{
    struct val half = val_int(ctx, (int64_t)(u >> 1));
    return u <= INT64_MAX ? val_int(ctx, (int64_t)u)
                          : int_add(ctx, int_add(ctx, half, half), val_int(ctx, (int64_t)(u & 1)));
}

static struct val convert_struct(struct vctx *ctx, struct converting *x,
                                 const struct dwarf_value *v)
{
    struct val *names = arena_alloc(ctx->arena, (v->n + 1) * sizeof *names);
    struct val *vals = arena_alloc(ctx->arena, (v->n + 1) * sizeof *vals);
    for (size_t i = 0; i < v->n; i++) {
        names[i] = val_str(ctx, v->fields[i].name);
        vals[i] = convert(ctx, x, &v->fields[i].value);
    }
    return record_make(ctx, names, vals, v->n);
}

static struct val convert_items(struct vctx *ctx, struct converting *x, const struct dwarf_value *v)
{
    struct val *items = arena_alloc(ctx->arena, (v->n + 1) * sizeof *items);
    for (size_t i = 0; i < v->n; i++) {
        items[i] = convert(ctx, x, &v->items[i]);
    }
    if (v->kind == DWARF_ARRAY) {
        return tuple_make(ctx, items, v->n);
    }
    size_t n = v->n / 2;
    struct val *keys = arena_alloc(ctx->arena, (n + 1) * sizeof *keys);
    struct val *vals = arena_alloc(ctx->arena, (n + 1) * sizeof *vals);
    for (size_t i = 0; i < n; i++) {
        keys[i] = items[2 * i];
        vals[i] = items[2 * i + 1];
    }
    return fcn_make(ctx, keys, vals, n);
}

static struct val convert(struct vctx *ctx, struct converting *x, const struct dwarf_value *v)
{
    switch (v->kind) {
    case DWARF_INT: return val_int(ctx, v->i);
    case DWARF_UINT: return convert_uint(ctx, v->u);
    case DWARF_BOOL: return val_bool(v->u != 0);
    case DWARF_CHAR: {
        char byte = (char)v->u;
        return val_str(ctx, (struct str){&byte, 1});
    }
    case DWARF_ENUM: return v->text.n != 0 ? val_str(ctx, v->text) : val_int(ctx, v->i);
    case DWARF_STRING: return val_str(ctx, v->text);
    case DWARF_STRUCT: return convert_struct(ctx, x, v);
    case DWARF_ARRAY:
    case DWARF_MAP: return convert_items(ctx, x, v);
    case DWARF_POINTER:
        return v->target != NULL ? convert(ctx, x, v->target) : convert_uint(ctx, v->u);
    case DWARF_NULL: return val_str(ctx, STR("NULL"));
    case DWARF_FLOAT: x->opaque = "TLA+ has no fractions"; break;
    case DWARF_OPAQUE: x->opaque = arena_strndup(&x->c->arena, v->text.p, v->text.n); break;
    }
    return VAL_FALSE;
}

static void run_convert(struct vctx *ctx, void *arg)
{
    struct converting *x = arg;
    x->ret = convert(ctx, x, x->from);
}

int memory_value(struct conform *c, size_t observe, uint32_t node, struct val *ret)
{
    const struct map_observe *o = &c->map->observes[observe];
    struct loaded *l = NULL;
    struct err err;
    if (c->memory == NULL) {
        c->memory = ARENA_NEW(&c->arena, struct memory);
        c->memory->loaded = ARENA_ARRAY(&c->arena, struct loaded, c->cluster->n_nodes + 1);
    }
    int status = find_file(c, o, node, &l);
    if (status != 0) {
        return status;
    }
    struct dwarf_path **path = &l->file->paths[observe];
    if (*path == NULL && dwarf_path_new(l->file->dwarf, &c->arena, o->text, path, &err) != 0) {
        return mapping_error(c, o->at_begin, o->at_end, "%s", err.text);
    }
    struct node_view view;
    world_node_view(c->world, node, &view);
    struct reading reading = {c, node, view.turns};
    struct dwarf_memory memory = {read_memory, &reading, l->bias};
    struct dwarf_value *value = NULL;
    struct arena arena;
    arena_init(&arena, 0);
    status = dwarf_read(*path, &memory, NULL, &arena, &value, &err);
    if (status != 0) {
        arena_done(&arena);
        return mapping_error(c, o->at_begin, o->at_end, "node %s: %s", c->cluster->nodes[node].name,
                             err.text);
    }
    struct converting x = {.c = c, .from = value};
    status = run_values(c, run_convert, &x);
    arena_done(&arena);
    *ret = x.ret;
    return status != 0        ? status
           : x.opaque != NULL ? mapping_error(c, o->at_begin, o->at_end, "%s", x.opaque)
                              : 0;
}

void memory_free(struct conform *c)
{
    for (size_t i = 0; c->memory != NULL && i < c->memory->files.n; i++) {
        dwarf_close(c->memory->files.v[i]->dwarf);
    }
    if (c->memory != NULL) {
        VEC_DONE(&c->memory->files);
    }
}
