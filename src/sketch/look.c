/* A short run of the cluster: only what is due happens, as the file says it, without faults. At its
 * end everything is looked at: what nodes have printed, their files, the variables of their
 * programs and the packets between them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"
#include "observe/vars.h"
#include "run/cluster.h"
#include "run/runner.h"
#include "sketch/sketch.h"
#include "sketch/sketch_int.h"
#include "world/world.h"

enum {
    EVENTS_MOST = 20000,
    LINES_MOST = 400,
    FILES_MOST = 60,
    FILE_BYTES = 65536,
    FILE_DEPTH = 6,
    ITEMS_MOST = 4000,
    PACKETS_MOST = 8,
    PACKET_BYTES = 48
};

/* ---- while it runs ---- */

static void on_output(void *arg, uint32_t node, int fd, const char *text, size_t n)
{
    struct look *l = arg;
    (void)fd;
    if (l->output[node].n < (1U << 20)) {
        strbuf_add(&l->output[node], text, n);
    }
}

static void on_packet(void *arg, bool sent, const struct packet_view *p)
{
    struct look *l = arg;
    bool servers = !l->cluster->nodes[p->from].client && !l->cluster->nodes[p->to].client;
    if (!sent || !servers || p->n == 0 || l->packets.n == PACKETS_MOST ||
        (p->kind != PK_DATA && p->kind != PK_UDP)) {
        return;
    }
    struct str bytes = {(const char *)p->bytes, p->n < PACKET_BYTES ? p->n : PACKET_BYTES};
    for (size_t i = 0; i < l->packets.n; i++) {
        if (str_eq(l->packets.v[i].bytes, bytes)) {
            return;
        }
    }
    VEC_PUSH(&l->packets, (struct spacket){p->from, p->to, str_dup(l->arena, bytes)});
}

/* Until the time has come, or nothing happens any more. Why it ended early goes to `why`. */
static int run(const struct sketch_ask *ask, struct world *world, struct strbuf *why,
               struct err *err)
{
    for (unsigned n = 0; n < EVENTS_MOST; n++) {
        enum settle_result settled = SETTLE_QUIET;
        struct event event;
        struct err local = {0};
        if (world_settle(world, &settled, &local) != 0) {
            strbuf_adds(why, local.text);
            return local.code == ERR_INTERRUPTED ? err_set(err, local.code, 0, "interrupted") : 0;
        }
        if (settled == SETTLE_OVER || !world_next(world, &event) ||
            world_event_ns(&event) > ask->time_ns) {
            return 0;
        }
        if (world_do(world, &event, &local) != 0) {
            strbuf_adds(why, local.text);
            return 0;
        }
    }
    strbuf_printf(why, "after %d events it was not over", EVENTS_MOST);
    return 0;
}

/* ---- lines ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct str shape_of(struct arena *arena, struct str line)
{
    struct strbuf out = {.arena = arena};
    for (size_t i = 0; i < line.n; i++) {
        if (!is_digit(line.p[i])) {
            strbuf_addc(&out, line.p[i]);
        } else if (i == 0 || !is_digit(line.p[i - 1])) {
            strbuf_addc(&out, '#');
        }
    }
    return strbuf_str(&out);
}

static void add_line(struct look *l, uint32_t node, struct str text)
{
    struct str shape = shape_of(l->arena, text);
    for (size_t i = 0; i < l->lines.n; i++) {
        if (str_eq(l->lines.v[i].shape, shape)) {
            l->lines.v[i].text = text;
            l->lines.v[i].times++;
            return;
        }
    }
    if (l->lines.n < LINES_MOST && text.n < 400) {
        VEC_PUSH(&l->lines, (struct sline){shape, text, node, 1});
    }
}

static void add_lines(struct look *l)
{
    for (uint32_t i = 0; i < l->cluster->n_nodes; i++) {
        struct str rest = strbuf_str(&l->output[i]);
        while (!l->cluster->nodes[i].client && rest.n != 0) {
            const char *end = memchr(rest.p, '\n', rest.n);
            struct str line = {rest.p, end != NULL ? (size_t)(end - rest.p) : rest.n};
            if (end != NULL && line.n != 0) {
                add_line(l, i, line);
            }
            rest.p += line.n + (end != NULL ? 1 : 0);
            rest.n -= line.n + (end != NULL ? 1 : 0);
        }
    }
}

/* ---- files ---- */

struct listing {
    struct look *look;
    uint32_t node;
    const char *dir;  /* on this machine */
    const char *path; /* for the node */
    unsigned depth;
};

static void add_file(void *arg, const char *name)
{
    const struct listing *l = arg;
    struct arena *arena = l->look->arena;
    struct stat st;
    struct err err;
    struct str text;
    const char *file = path_join(arena, l->dir, name);
    const char *path = arena_printf(arena, "%s/%s", l->path, name);
    if (l->look->files.n == FILES_MOST || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
        lstat(file, &st) != 0) {
        return;
    }
    if (S_ISDIR(st.st_mode) && l->depth < FILE_DEPTH) {
        struct listing inner = {l->look, l->node, file, path, l->depth + 1};
        dir_each(file, add_file, &inner);
    } else if (S_ISREG(st.st_mode) && st.st_size > 0 && st.st_size < FILE_BYTES &&
               file_read(arena, file, FILE_BYTES, &text, &err) == 0) {
        VEC_PUSH(&l->look->files, (struct sfile){l->node, str_of(path), text});
    }
}

static int by_path(const void *a, const void *b)
{
    const struct sfile *x = a, *y = b;
    int cmp = str_cmp(x->path, y->path);
    return cmp != 0 ? cmp : (x->node > y->node) - (x->node < y->node);
}

static void add_files(const struct sketch_ask *ask, struct look *l, struct world *world)
{
    for (uint32_t i = 0; i < l->cluster->n_nodes; i++) {
        struct err err;
        const char *dir = arena_printf(l->arena, "%s/disk-%s", ask->dir, l->cluster->nodes[i].name);
        if (!l->cluster->nodes[i].client && world_export(world, i, dir, &err) == 0) {
            struct listing listing = {l, i, dir, "", 0};
            dir_each(dir, add_file, &listing);
        }
    }
    if (l->files.n > 1) {
        qsort(l->files.v, l->files.n, sizeof l->files.v[0], by_path);
    }
}

/* ---- variables ---- */

struct adding {
    struct look *look;
    uint32_t node;
};

static void add_item(void *arg, const struct dwarf_item *item)
{
    const struct adding *a = arg;
    if (a->look->items.n < ITEMS_MOST) {
        VEC_PUSH(&a->look->items, (struct sitem){.item = *item, .node = a->node});
    }
}

static void note(struct look *l, const char *text)
{
    VEC_PUSH(&l->notes, str_dup(l->arena, str_of(text)));
}

/* The first node that runs the same program. */
static uint32_t first_with(const struct world *world, const struct cluster *cluster, uint32_t node)
{
    const char *path = world_executable(world, node);
    for (uint32_t i = 0; i < node; i++) {
        const char *other = world_executable(world, i);
        if (!cluster->nodes[i].client && other != NULL && strcmp(other, path) == 0) {
            return i;
        }
    }
    return node;
}

static void add_items(struct look *l, struct world *world)
{
    for (uint32_t i = 0; i < l->cluster->n_nodes; i++) {
        const char *path = world_executable(world, i);
        struct dwarf *bin = NULL;
        struct err err;
        if (l->cluster->nodes[i].client || path == NULL || first_with(world, l->cluster, i) != i) {
            continue;
        }
        if (dwarf_open(path, &bin, &err) != 0) {
            note(l, strstr(path, "/python") != NULL
                        ? "variables of Python programs: python = \"<Class>.attribute\" (docs/"
                          "VARIABLES.md)"
                    : strstr(path, "/java") != NULL
                        ? "variables of Java programs: java = \"<Class>.field\" (docs/VARIABLES.md)"
                        : err.text);
            continue;
        }
        struct adding adding = {l, i};
        struct arena *arena = l->arena;
        size_t before = l->items.n;
        if (dwarf_list(bin, arena, ITEMS_MOST, add_item, &adding, &err) != 0) {
            note(l, err.text);
        }
        for (size_t k = before; k < l->items.n; k++) { /* its names go with the file */
            struct dwarf_item *item = &l->items.v[k].item;
            struct str *names = ARENA_ARRAY(arena, struct str, item->n_names + 1);
            item->path = str_dup(arena, item->path);
            item->type = str_dup(arena, item->type);
            for (size_t j = 0; j < item->n_names; j++) {
                names[j] = str_dup(arena, item->names[j]);
            }
            item->names = names;
        }
        dwarf_close(bin);
    }
}

/* What they hold now, at each node that runs the program. */
static void read_items(struct look *l, struct world *world)
{
    struct vars *vars = vars_new(l->arena, l->cluster->n_nodes, l->items.n);
    for (size_t k = 0; k < l->items.n; k++) {
        struct sitem *item = &l->items.v[k];
        for (uint32_t i = item->node; i < l->cluster->n_nodes; i++) {
            struct dwarf_value *value = NULL;
            struct arena scratch;
            struct err err;
            if (l->cluster->nodes[i].client || world_executable(world, i) == NULL ||
                first_with(world, l->cluster, i) != item->node || item->seen.n > 200) {
                continue;
            }
            arena_init(&scratch, 0);
            struct vars_place at = {world, i, k, item->item.path, 1, NULL, LANG_NATIVE, NULL};
            strbuf_printf(&item->seen, "%s%s: ", item->seen.n != 0 ? ", " : "",
                          l->cluster->nodes[i].name);
            if (vars_read(vars, &at, &scratch, &value, &err) == 0) {
                dwarf_value_print(&item->seen, value);
            } else {
                strbuf_adds(&item->seen, "?");
            }
            arena_done(&scratch);
        }
    }
    vars_done(vars);
}

/* ---- all of it ---- */

int look_run(const struct sketch_ask *ask, struct look *l, struct strbuf *why, struct err *err)
{
    struct run_options options = {.cluster = ask->cluster,
                                  .seed = ask->cluster->seed,
                                  .dir = ask->dir,
                                  .interrupted = ask->interrupted,
                                  .trace_fd = -1};
    struct world_spec spec = run_world_spec(&options);
    struct world *world = NULL;
    struct err local = {0};
    l->cluster = ask->cluster;
    l->output = ARENA_ARRAY(l->arena, struct strbuf, ask->cluster->n_nodes + 1);
    if (ask->time_ns == 0) {
        return 0;
    }
    if (world_open(&spec, &world, &local) != 0) {
        strbuf_adds(why, local.text);
        return 0;
    }
    world_on_output(world, on_output, l);
    world_on_packet(world, on_packet, l);
    int status = run(ask, world, why, err);
    if (status == 0) {
        add_lines(l);
        add_files(ask, l, world);
        add_items(l, world);
        read_items(l, world);
    }
    world_close(world);
    return status;
}

void look_done(struct look *l)
{
    for (size_t i = 0; l->output != NULL && i < l->cluster->n_nodes; i++) {
        strbuf_done(&l->output[i]);
    }
    for (size_t i = 0; i < l->items.n; i++) {
        strbuf_done(&l->items.v[i].seen);
    }
    VEC_DONE(&l->lines);
    VEC_DONE(&l->files);
    VEC_DONE(&l->items);
    VEC_DONE(&l->packets);
    VEC_DONE(&l->notes);
}
