/* Assertions over a set of runs. Each run says which of them it has seen; whoever makes several
 * runs looks for those that none has.
 *
 * A node is in the state of `while` from a line with that text on until one with the text of
 * `until`, or until it is started again. */
#include "run/sometimes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"
#include "run/cluster.h"
#include "world/world.h"

/* A program with debug information, and the paths of variables in it. */
struct program {
    char *path;
    struct dwarf *dwarf;
    struct dwarf_path **paths; /* [n_sometimes] */
};

struct sometimes {
    const struct cluster *cluster;
    struct arena arena;
    bool *in_state; /* [node * n_sometimes + i] */
    VEC(struct program) programs;
    uint64_t seen;
};

struct sometimes *sometimes_new(const struct cluster *cluster)
{
    size_t cap = 0;
    if (cluster->n_sometimes == 0) {
        return NULL;
    }
    struct sometimes *s = vec_grow(NULL, &cap, 1, sizeof *s);
    *s = (struct sometimes){.cluster = cluster};
    arena_init(&s->arena, 0);
    s->in_state = ARENA_ARRAY(&s->arena, bool, cluster->n_nodes * cluster->n_sometimes + 1);
    return s;
}

void sometimes_free(struct sometimes *s)
{
    if (s == NULL) {
        return;
    }
    for (size_t i = 0; i < s->programs.n; i++) {
        dwarf_close(s->programs.v[i].dwarf);
    }
    VEC_DONE(&s->programs);
    arena_done(&s->arena);
    vec_release(s);
}

uint64_t sometimes_seen(const struct sometimes *s)
{
    return s != NULL ? s->seen : 0;
}

static bool has(struct str line, const char *text)
{
    size_t n = strlen(text);
    return n != 0 && line.n >= n && memmem(line.p, line.n, text, n) != NULL;
}

static bool about(const struct cluster_sometimes *a, uint32_t node)
{
    return a->node < 0 || (uint32_t)a->node == node;
}

void sometimes_line(struct sometimes *s, uint32_t node, struct str line)
{
    for (size_t i = 0; s != NULL && i < s->cluster->n_sometimes; i++) {
        const struct cluster_sometimes *a = &s->cluster->sometimes[i];
        bool *state = &s->in_state[node * s->cluster->n_sometimes + i];
        if (a->state != NULL) {
            *state = has(line, a->state) || (*state && !(a->until != NULL && has(line, a->until)));
        }
        if (a->line != NULL && about(a, node) && has(line, a->line)) {
            s->seen |= UINT64_C(1) << i;
        }
    }
}

/* ---- variables ---- */

struct reading {
    struct world *world;
    size_t node;
};

static int read_memory(void *arg, uint64_t addr, void *buf, size_t n)
{
    const struct reading *r = arg;
    return world_read_memory(r->world, r->node, addr, buf, n) == n ? 0 : -1;
}

static int program_of(struct sometimes *s, const char *path, struct program **ret, struct err *err)
{
    for (size_t i = 0; i < s->programs.n; i++) {
        if (strcmp(s->programs.v[i].path, path) == 0) {
            *ret = &s->programs.v[i];
            return 0;
        }
    }
    struct program program = {
        .path = arena_strndup(&s->arena, path, strlen(path)),
        .paths = ARENA_ARRAY(&s->arena, struct dwarf_path *, s->cluster->n_sometimes)};
    int status = dwarf_open(path, &program.dwarf, err);
    if (status == 0) {
        VEC_PUSH(&s->programs, program);
        *ret = &VEC_LAST(&s->programs);
    }
    return status;
}

/* Whether the variable has the value now; a node on which nothing runs has none. */
static int variable_is(struct sometimes *s, size_t i, struct world *world, uint32_t node, bool *ret,
                       struct err *err)
{
    const struct cluster_sometimes *a = &s->cluster->sometimes[i];
    const char *path = world_executable(world, node);
    struct program *program = NULL;
    struct reading reading = {world, node};
    struct dwarf_memory memory = {.read = read_memory, .arg = &reading};
    struct dwarf_value *value = NULL;
    struct arena scratch;
    *ret = false;
    if (path == NULL) {
        return 0;
    }
    int status = program_of(s, path, &program, err);
    if (status == 0 && program->paths[i] == NULL) {
        status =
            dwarf_path_new(program->dwarf, &s->arena, str_of(a->variable), &program->paths[i], err);
    }
    if (status != 0) {
        (void)err_wrap(err, "sometimes '%s', node %s", a->name, s->cluster->nodes[node].name);
        return status;
    }
    arena_init(&scratch, 0);
    struct err unread; /* not in memory yet, or a pointer that leads nowhere: not the value */
    struct str maps = world_memory_maps(world, node, &scratch);
    if (dwarf_load_bias(program->dwarf, maps, NULL, &memory.bias, &unread) == 0 &&
        dwarf_read(program->paths[i], &memory, NULL, &scratch, &value, &unread) == 0) {
        SCOPED_STRBUF text = {0};
        dwarf_value_print(&text, value);
        *ret = str_is(strbuf_str(&text), a->equals);
    }
    arena_done(&scratch);
    return 0;
}

/* ---- events ---- */

static int holds_at(struct sometimes *s, size_t i, struct world *world, uint32_t node, bool *ret,
                    struct err *err)
{
    const struct cluster_sometimes *a = &s->cluster->sometimes[i];
    *ret = about(a, node) && (a->state == NULL || s->in_state[node * s->cluster->n_sometimes + i]);
    return *ret && a->variable != NULL ? variable_is(s, i, world, node, ret, err) : 0;
}

static int look(struct sometimes *s, size_t i, struct world *world, const struct event *event,
                struct err *err)
{
    const struct cluster_sometimes *a = &s->cluster->sometimes[i];
    bool holds = false;
    int status = 0;
    if (a->has_event) {
        bool now = event != NULL && event->kind == a->event;
        status = now ? holds_at(s, i, world, event->node, &holds, err) : 0;
    } else if (a->variable != NULL && event == NULL) {
        for (uint32_t node = 0; node < s->cluster->n_nodes && status == 0 && !holds; node++) {
            bool skip = s->cluster->nodes[node].client && a->node < 0;
            status = skip ? 0 : holds_at(s, i, world, node, &holds, err);
        }
    }
    s->seen |= holds ? UINT64_C(1) << i : 0;
    return status;
}

int sometimes_event(struct sometimes *s, struct world *world, const struct event *event,
                    struct err *err)
{
    int status = 0;
    size_t n = s != NULL ? s->cluster->n_sometimes : 0;
    for (size_t i = 0; i < n && status == 0; i++) {
        if ((s->seen >> i & 1) == 0) {
            status = look(s, i, world, event, err);
        }
    }
    bool begins = event != NULL && (event->kind == EV_RESTART || event->kind == EV_START);
    if (begins && s != NULL) {
        memset(&s->in_state[event->node * n], 0, n * sizeof s->in_state[0]);
    }
    return status;
}
