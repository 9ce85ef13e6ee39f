/* Variables in memory: see vars.h. Many small reads come from few pages, and most events concern
 * one node, so whole pages are read, and kept until the node runs again. */
#include "observe/vars.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"
#include "lang/lang.h"
#include "value/value.h"
#include "world/world.h"

struct program_file {
    const char *path;
    struct dwarf *dwarf;
    struct dwarf_path **paths; /* [n_paths] */
};
struct loaded { /* of a node */
    uint32_t starts;
    const struct program_file *file;
    uint64_t bias;
};
struct spoken { /* a runtime of a node */
    uint32_t starts;
    struct lang_runtime *runtime; /* NULL: not looked for yet */
    enum lang lang;
    struct arena arena;
};
/* Pages that were read since the node ran last. */
enum { PAGE = 4096, PAGES = 1024 };
struct page {
    uint64_t moment, turns, addr; /* moment 0: empty */
    uint32_t node;
    uint8_t bytes[PAGE];
};
struct vars {
    struct arena *arena;
    VEC(struct program_file *) files;
    struct loaded *loaded;         /* [n_nodes] */
    struct spoken *spoken;         /* [n_nodes] */
    struct lang_path **lang_paths; /* [n_paths] */
    size_t n_nodes, n_paths;
    struct page pages[PAGES];
};

struct vars *vars_new(struct arena *arena, size_t n_nodes, size_t n_paths)
{
    struct vars *vars = ARENA_NEW(arena, struct vars);
    *vars = (struct vars){.arena = arena, .n_nodes = n_nodes, .n_paths = n_paths};
    vars->loaded = ARENA_ARRAY(arena, struct loaded, n_nodes + 1);
    vars->spoken = ARENA_ARRAY(arena, struct spoken, n_nodes + 1);
    vars->lang_paths = ARENA_ARRAY(arena, struct lang_path *, n_paths + 1);
    return vars;
}

void vars_done(struct vars *vars)
{
    for (size_t i = 0; vars != NULL && i < vars->files.n; i++) {
        dwarf_close(vars->files.v[i]->dwarf);
    }
    for (size_t i = 0; vars != NULL && i < vars->n_nodes; i++) {
        arena_done(&vars->spoken[i].arena);
    }
    if (vars != NULL) {
        VEC_DONE(&vars->files);
    }
}

void vars_forget(struct vars *vars)
{
    for (size_t i = 0; i < vars->n_nodes; i++) {
        vars->loaded[i] = (struct loaded){0};
        vars->spoken[i].runtime = NULL;
    }
}

static int open_file(struct vars *vars, const char *path, struct program_file **ret,
                     struct err *err)
{
    for (size_t i = 0; i < vars->files.n; i++) {
        if (strcmp(vars->files.v[i]->path, path) == 0) {
            *ret = vars->files.v[i];
            return 0;
        }
    }
    struct program_file *file = ARENA_NEW(vars->arena, struct program_file);
    file->path = arena_strndup(vars->arena, path, strlen(path));
    file->paths = ARENA_ARRAY(vars->arena, struct dwarf_path *, vars->n_paths + 1);
    int status = dwarf_open(path, &file->dwarf, err);
    if (status == 0) {
        VEC_PUSH(&vars->files, file);
        *ret = file;
    }
    return status;
}

static int find_file(struct vars *vars, const struct vars_place *at, struct loaded **ret,
                     struct err *err)
{
    struct node_view view;
    struct loaded *l = &vars->loaded[at->node];
    struct program_file *file = NULL;
    world_node_view(at->world, at->node, &view);
    *ret = l;
    if (l->file != NULL && l->starts == view.starts) {
        return 0;
    }
    const char *path = world_executable(at->world, at->node);
    if (path == NULL) {
        return err_set(err, ERR_NOT_FOUND, 0, "nothing runs at node %s", view.name);
    }
    int status = open_file(vars, path, &file, err);
    if (status != 0) {
        return status;
    }
    struct arena arena;
    arena_init(&arena, 0);
    struct str maps = world_memory_maps(at->world, at->node, &arena);
    status = dwarf_load_bias(file->dwarf, maps, NULL, &l->bias, err);
    arena_done(&arena);
    if (status == 0) {
        l->starts = view.starts;
        l->file = file;
    }
    return status;
}

struct reading {
    struct vars *vars;
    const struct vars_place *at;
    uint64_t turns;
};

/* NULL: it is not there as a whole. */
static const struct page *read_page(const struct reading *r, uint64_t addr)
{
    struct page *page = &r->vars->pages[(addr / PAGE + 17 * (uint64_t)r->at->node) % PAGES];
    if (page->moment != r->at->moment || page->turns != r->turns || page->addr != addr ||
        page->node != r->at->node) {
        page->moment = 0;
        if (world_read_memory(r->at->world, r->at->node, addr, page->bytes, PAGE) != PAGE) {
            return NULL;
        }
        page->moment = r->at->moment;
        page->turns = r->turns;
        page->addr = addr;
        page->node = r->at->node;
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
            return world_read_memory(r->at->world, r->at->node, addr, to, n) == n ? 0 : -1;
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
    const char *opaque;
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
    case DWARF_OPAQUE: x->opaque = arena_strndup(ctx->arena, v->text.p, v->text.n); break;
    }
    return VAL_FALSE;
}

struct val vars_value(struct vctx *ctx, const struct dwarf_value *value, const char **ret_opaque)
{
    struct converting x = {NULL};
    struct val ret = convert(ctx, &x, value);
    *ret_opaque = x.opaque;
    return ret;
}

/* ---- Python, Java ---- */

static int find_runtime(struct vars *vars, const struct vars_place *at,
                        const struct lang_memory *memory, struct spoken **ret, struct err *err)
{
    struct spoken *s = &vars->spoken[at->node];
    struct node_view view;
    world_node_view(at->world, at->node, &view);
    *ret = s;
    if (s->runtime != NULL && s->starts == view.starts && s->lang == at->lang) {
        return 0;
    }
    s->runtime = NULL;
    arena_done(&s->arena);
    arena_init(&s->arena, 0);
    struct lang_memory all = *memory;
    all.maps = world_memory_maps(at->world, at->node, &s->arena);
    int status = lang_open(at->lang, &all, &s->arena, &s->runtime, err);
    s->starts = view.starts;
    s->lang = at->lang;
    return status;
}

static int read_lang(struct vars *vars, const struct vars_place *at, struct arena *arena,
                     struct dwarf_value **ret, struct err *err)
{
    struct node_view view;
    struct spoken *spoken = NULL;
    struct lang_path **path = &vars->lang_paths[at->path];
    int status = *path == NULL ? lang_path_new(at->lang, vars->arena, at->text, path, err) : 0;
    if (status != 0) {
        return status;
    }
    world_node_view(at->world, at->node, &view);
    struct reading reading = {vars, at, view.turns};
    struct lang_memory memory = {.read = read_memory,
                                 .arg = &reading,
                                 .limits = at->limits,
                                 .steps = at->steps,
                                 .moment = hash_combine(at->moment, view.turns) | 1};
    status = find_runtime(vars, at, &memory, &spoken, err);
    status = status != 0 ? status : lang_read(spoken->runtime, *path, &memory, arena, ret, err);
    return status == 0 ? 0 : err_wrap(err, "node %s", view.name);
}

int vars_read(struct vars *vars, const struct vars_place *at, struct arena *arena,
              struct dwarf_value **ret, struct err *err)
{
    struct loaded *l = NULL;
    if (at->lang != LANG_NATIVE) {
        return read_lang(vars, at, arena, ret, err);
    }
    int status = find_file(vars, at, &l, err);
    if (status != 0) {
        return status;
    }
    struct dwarf_path **path = &l->file->paths[at->path];
    if (*path == NULL) {
        status = dwarf_path_new(l->file->dwarf, vars->arena, at->text, path, err);
    }
    if (status != 0) {
        return status;
    }
    struct node_view view;
    world_node_view(at->world, at->node, &view);
    struct reading reading = {vars, at, view.turns};
    struct dwarf_memory memory = {read_memory, &reading, l->bias, at->steps};
    status = dwarf_read(*path, &memory, NULL, arena, ret, err);
    return status == 0 ? 0 : err_wrap(err, "node %s", view.name);
}
