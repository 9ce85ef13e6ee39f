/* Clusters of real programs, event by event. */
#include "world/world.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/api_int.h"
#include "api/assay.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/env.h"
#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"
#include "lang/lang.h"
#include "observe/vars.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "run/runner.h"
#include "value/value.h"

enum { EVENTS_MOST = 4096, AT_ONCE_MOST = 4096, PATHS_MOST = 1024 };

struct assay_world {
    struct desk desk;
    struct arena arena;
    struct cluster cluster;
    struct world *world;
    const char *dir;
    bool temporary; /* the directory goes with the world */
    bool over;
    int beat;        /* above 0: this world has entered its host */
    uint64_t moment; /* counts what has happened */
    struct vars *vars;
    struct arena vars_arena;
    struct strmap paths; /* of variables, to their numbers + 1 */
};

/* ---- opening ---- */

struct opening {
    struct assay_world *w;
    const char *path, *dir;
    uint64_t seed;
    char **error;
    int status;
};

static int make_dir(struct opening *o, struct err *err)
{
    struct assay_world *w = o->w;
    if (o->dir != NULL) {
        w->dir = arena_strndup(&w->arena, o->dir, strlen(o->dir));
        return dir_make(w->dir, err);
    }
    const char *root = env_text("TMPDIR");
    char *dir = arena_printf(&w->arena, "%s/assay-world-XXXXXX", root != NULL ? root : "/tmp");
    w->temporary = mkdtemp(dir) != NULL;
    w->dir = dir;
    return w->temporary ? 0 : err_set(err, ERR_IO, errno, "cannot make %s", dir);
}

static int settle(struct assay_world *w, struct err *err)
{
    enum settle_result settled = SETTLE_QUIET;
    int status = world_settle(w->world, &settled, err);
    w->over = status == 0 && settled == SETTLE_OVER;
    w->moment++;
    return status;
}

static int open_world(struct opening *o, struct err *err)
{
    struct assay_world *w = o->w;
    cpu_set_t one;
    int status = cluster_read(&w->arena, o->path, &w->cluster, err);
    if (status == 0 && w->cluster.work) {
        status = err_set(err, ERR_UNSUPPORTED, 0, "%s: `work = true` needs assay run", o->path);
    }
    status = status != 0 ? status : make_dir(o, err);
    if (status != 0) {
        return status;
    }
    w->cluster.bare = env_text("ASSAY_BARE") != NULL;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    (void)sched_setaffinity(0, sizeof one, &one); /* this thread only; slower, not wrong, without */
    struct run_options options = {
        .cluster = &w->cluster, .seed = o->seed, .dir = w->dir, .trace_fd = -1};
    struct world_spec spec = run_world_spec(&options);
    spec.choices = false;
    spec.beat_signal = w->beat;
    status = world_open(&spec, &w->world, err);
    return status != 0 ? status : settle(w, err);
}

static void open_there(void *arg)
{
    struct opening *o = arg;
    struct err err = {0};
    o->status = open_world(o, &err) == 0 ? 0 : api_fail(o->error, "%s", err.text);
}

static void forget_paths(struct assay_world *w)
{
    if (w->vars != NULL) {
        vars_done(w->vars);
        strmap_done(&w->paths);
        w->paths = (struct strmap){.n = 0};
        arena_done(&w->vars_arena);
        w->vars = NULL;
    }
}

static void close_there(void *arg)
{
    struct assay_world *w = arg;
    struct err err = {0};
    forget_paths(w);
    world_close(w->world);
    if (w->temporary && dir_remove(w->dir, &err) != 0) {
        err.code = ERR_OK; /* it is in a directory for what may be left */
    }
}

assay_world *assay_world_open(const char *path, const char *dir, uint64_t seed, char **error)
{
    api_clear(error);
    if (path == NULL || path[0] == '\0') {
        (void)api_fail(error, "the path of a cluster file was expected");
        return NULL;
    }
    struct assay_world *w = vec_grow(NULL, &(size_t){0}, 1, sizeof *w);
    memset(w, 0, sizeof *w);
    arena_init(&w->arena, 0);
    struct opening opening = {w, path, dir, seed, error, -1};
    w->beat = api_host_enter(error);
    if (w->beat > 0 && api_desk_open(&w->desk, error) == 0) {
        api_desk_do(&w->desk, open_there, &opening);
    }
    if (opening.status != 0) {
        assay_world_close(w);
        return NULL;
    }
    return w;
}

void assay_world_close(assay_world *world)
{
    if (world == NULL) {
        return;
    }
    if (world->desk.open) {
        api_desk_do(&world->desk, close_there, world);
        api_desk_close(&world->desk);
    }
    if (world->beat > 0) {
        api_host_leave();
    }
    arena_done(&world->arena);
    vec_release(world);
}

/* ---- events ---- */

struct listing {
    struct assay_world *w;
    VEC(struct assay_event) v;
    struct arena arena;
};

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->at_ns != y->at_ns) {
        return x->at_ns < y->at_ns ? -1 : 1;
    }
    return (x->order > y->order) - (x->order < y->order);
}

static void list_there(void *arg)
{
    struct listing *list = arg;
    struct assay_world *w = list->w;
    struct event *events = ARENA_ARRAY(&list->arena, struct event, EVENTS_MOST);
    struct event next = {.kind = EV_KINDS};
    bool any = world_next(w->world, &next);
    size_t n = world_events(w->world, events, EVENTS_MOST);
    n = n < EVENTS_MOST ? n : EVENTS_MOST;
    qsort(events, n, sizeof events[0], by_time);
    for (size_t i = 0; i < n; i++) {
        const struct event *e = &events[i];
        SCOPED_STRBUF text = {0};
        event_print(&w->cluster, e, &text);
        struct assay_event told = {
            .size = sizeof told,
            .text = arena_strndup(&list->arena, text.p, text.n),
            .kind = event_name(e->kind),
            .node = w->cluster.nodes[e->node].name,
            .at_seconds = (double)world_event_ns(e) * 1e-9,
            .next = any && e->kind == next.kind && e->node == next.node && e->id == next.id,
        };
        VEC_PUSH(&list->v, told);
    }
}

int64_t assay_world_events(assay_world *world,
                           int (*each)(void *arg, const struct assay_event *event), void *arg,
                           char **error)
{
    struct listing list = {.w = world};
    api_clear(error);
    arena_init(&list.arena, 0);
    api_desk_do(&world->desk, list_there, &list);
    int64_t n = (int64_t)list.v.n;
    for (size_t i = 0; each != NULL && i < list.v.n; i++) {
        if (each(arg, &list.v.v[i]) != 0) {
            break;
        }
    }
    VEC_DONE(&list.v);
    arena_done(&list.arena);
    return n;
}

struct doing {
    struct assay_world *w;
    const char *text;
    char **error;
    int status;
};

/* The event of the world's list that a text names, with its time; else as it was read. */
static void find_listed(struct world *world, struct arena *arena, struct event *e)
{
    struct event *events = ARENA_ARRAY(arena, struct event, EVENTS_MOST);
    size_t n = world_events(world, events, EVENTS_MOST);
    for (size_t i = 0; i < n && i < EVENTS_MOST; i++) {
        if (events[i].kind == e->kind && events[i].node == e->node && events[i].id == e->id) {
            *e = events[i];
            return;
        }
    }
}

static int do_text(struct assay_world *w, const char *text, struct err *err)
{
    struct arena arena;
    size_t n = 0;
    arena_init(&arena, 0);
    struct event *events = ARENA_ARRAY(&arena, struct event, AT_ONCE_MOST);
    int status = event_parse(&w->cluster, str_of(text), events, AT_ONCE_MOST, &n, err);
    for (size_t i = 0; status == 0 && i < n; i++) {
        find_listed(w->world, &arena, &events[i]);
        if (n > 1 && !world_enabled(w->world, &events[i])) {
            continue; /* of several, such as all that `heal` stands for */
        }
        status = world_do(w->world, &events[i], err);
    }
    arena_done(&arena);
    return status != 0 ? status : settle(w, err);
}

static int do_next(struct assay_world *w, struct err *err)
{
    struct event next;
    if (!world_next(w->world, &next)) {
        w->over = true;
        return 0;
    }
    int status = world_do(w->world, &next, err);
    return status != 0 ? status : settle(w, err);
}

static void do_there(void *arg)
{
    struct doing *d = arg;
    struct err err = {0};
    int status = d->text == NULL ? do_next(d->w, &err) : do_text(d->w, d->text, &err);
    d->status = status != 0 ? api_fail(d->error, "%s", err.text) : d->w->over ? 1 : 0;
}

int assay_world_do(assay_world *world, const char *event, char **error)
{
    struct doing doing = {world, event, error, -1};
    api_clear(error);
    api_desk_do(&world->desk, do_there, &doing);
    return doing.status;
}

/* ---- looking ---- */

struct looking {
    struct assay_world *w;
    const char *node, *variable;
    char **error;
    char *answer;
    double seconds;
    uint64_t hash;
};

static void look_there(void *arg)
{
    struct looking *l = arg;
    l->seconds = (double)world_now_ns(l->w->world) * 1e-9;
    l->hash = world_hash(l->w->world);
}

double assay_world_seconds(assay_world *world)
{
    struct looking looking = {.w = world};
    api_desk_do(&world->desk, look_there, &looking);
    return looking.seconds;
}

uint64_t assay_world_hash(assay_world *world)
{
    struct looking looking = {.w = world};
    api_desk_do(&world->desk, look_there, &looking);
    return looking.hash;
}

/* The number of a path, which what is known of it is found by. */
static size_t path_number(struct assay_world *w, const char *path)
{
    if (w->paths.n == PATHS_MOST) {
        forget_paths(w);
    }
    if (w->vars == NULL) {
        arena_init(&w->vars_arena, 0);
        w->vars = vars_new(&w->vars_arena, w->cluster.n_nodes, PATHS_MOST);
    }
    struct str key = str_of(path);
    size_t number = strmap_number(&w->paths, key);
    if (number == SIZE_MAX) {
        number = w->paths.n;
        (void)strmap_put(&w->paths, str_dup(&w->vars_arena, key), w);
    }
    return number;
}

__attribute__((noreturn)) static void no_fail(struct vctx *ctx, int code, const char *text)
{
    (void)ctx;
    (void)code;
    assert_failed(__FILE__, __LINE__, "reading a variable", "%s", text);
}

static int observe(struct looking *l, struct strbuf *out, struct err *err)
{
    static const struct {
        const char *prefix;
        enum lang lang;
    } langs[] = {
        {"python:", LANG_PYTHON},
        {"java:",   LANG_JAVA  }
    };
    struct assay_world *w = l->w;
    int node = cluster_node(&w->cluster, str_of(l->node));
    if (node < 0) {
        return err_set(err, ERR_NOT_FOUND, 0, "the cluster has no node '%s'", l->node);
    }
    struct vars_place at = {.world = w->world,
                            .node = (uint32_t)node,
                            .path = path_number(w, l->variable),
                            .text = str_of(l->variable),
                            .moment = w->moment};
    for (size_t i = 0; i < sizeof langs / sizeof langs[0]; i++) {
        size_t n = strlen(langs[i].prefix);
        if (strncmp(l->variable, langs[i].prefix, n) == 0) {
            at.lang = langs[i].lang;
            at.text = str_of(l->variable + n);
        }
    }
    struct arena arena;
    arena_init(&arena, 0);
    struct dwarf_value *value = NULL;
    int status = vars_read(w->vars, &at, &arena, &value, err);
    if (status == 0) {
        const char *opaque = NULL;
        struct strtab *strings = strtab_new();
        struct vctx ctx = {.arena = &arena,
                           .strings = strings,
                           .set_size_max = UINT64_C(1) << 40,
                           .fail = no_fail};
        struct val val = vars_value(&ctx, value, &opaque);
        if (opaque != NULL) {
            status = err_set(err, ERR_UNSUPPORTED, 0, "%s", opaque);
        } else {
            val_print(&ctx, val, out);
        }
        strtab_free(strings);
    }
    arena_done(&arena);
    return status;
}

static void observe_there(void *arg)
{
    struct looking *l = arg;
    struct err err = {0};
    SCOPED_STRBUF out = {0};
    if (observe(l, &out, &err) == 0) {
        l->answer = api_text(strbuf_str(&out));
    } else {
        (void)api_fail(l->error, "%s at %s: %s", l->variable, l->node, err.text);
    }
}

char *assay_world_observe(assay_world *world, const char *node, const char *variable, char **error)
{
    struct looking looking = {.w = world, .node = node, .variable = variable, .error = error};
    api_clear(error);
    api_desk_do(&world->desk, observe_there, &looking);
    return looking.answer;
}
