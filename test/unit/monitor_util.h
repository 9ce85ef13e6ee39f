/* What the tests of the monitor share: a specification and a mapping in memory, and events as
 * lines. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "eval/eval.h"
#include "eval/native.h"
#include "map/map.h"
#include "model/model.h"
#include "monitor/monitor.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "test.h"
#include "value/value.h"

struct watched {
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct program program;
    struct config config;
    struct strtab *strings;
    struct mhost host;
    struct model *model;
    struct map *map;
    struct monitor *monitor;
    struct err err;
    int status; /* of monitor_new */
};

static inline void watched_print(void *arg, const char *text, size_t len)
{
    (void)arg;
    (void)text;
    (void)len;
}

static inline void watched_good(struct watched *w, bool good)
{
    if (!good) {
        SCOPED_STRBUF out = {0};
        for (size_t i = 0; i < w->diags.n; i++) {
            diag_print(&w->sources, w->diags.v[i], false, &out);
        }
        (void)fprintf(stderr, "%s%s\n", strbuf_cstr(&out), w->err.text);
        exit(1);
    }
}

static size_t watched_values; /* monitor_options.values_most */

/* The node a of the nodes a, b and c. */
static inline void watched_judged(struct watched *w, const char *module, const char *mapping,
                                  bool connections, const char *judged)
{
    *w = (struct watched){
        .host = {.print = watched_print, .mode = "simulate", .workers = 1}
    };
    arena_init(&w->arena, 0);
    sources_init(&w->sources, &w->arena);
    diags_init(&w->diags, &w->arena);
    w->strings = strtab_new();
    struct source *config = sources_add(
        &w->sources, "Test.cfg",
        STR("CONSTANTS a = a b = b c = c Node = {a, b, c}\nINIT Init\nNEXT Next\n"), false);
    watched_good(w, config_parse(&w->config, &w->arena, config, NULL, NULL, &w->diags) == 0);
    if (judged != NULL) { /* clauses of what must hold */
        struct source *more = sources_add(&w->sources, "More.cfg", str_of(judged), false);
        struct config one = {0};
        watched_good(w, config_parse(&one, &w->arena, more, NULL, NULL, &w->diags) == 0);
        w->config.invariants = one.invariants;
        w->config.properties = one.properties;
    }
    char *text = arena_printf(&w->arena, "---- MODULE Test ----\n%s====\n", module);
    struct source *root = sources_add(&w->sources, "Test.tla", str_of(text), false);
    struct program_options options = {.builtin = modules_find, .builtin_name = modules_name};
    watched_good(w, program_load_source(&w->program, &w->arena, root, &options, &w->sources,
                                        &w->diags, &w->err) == 0);
    struct source *map = sources_add(&w->sources, "m.assay.toml", str_of(mapping), false);
    watched_good(w, map_parse(&w->arena, map, "/", &w->diags, &w->map, &w->err) == 0 &&
                        map_bind(w->map, &w->program, &w->sources, &w->diags) == 0);
    struct eval_options eval = {.strings = w->strings,
                                .seed = 1,
                                .spec_dir = "/",
                                .no_symmetry = true,
                                .operators = w->map->defs,
                                .noperator = w->map->n_exprs,
                                .labels = w->map->labels,
                                .nlabel = w->map->n_actions};
    struct eval_issue issue = {0};
    watched_good(w, model_from_spec(&w->arena, &w->program, &w->config, &eval, &w->host, &w->model,
                                    &issue) == 0);
    struct monitor_options o = {.model = w->model,
                                .map = w->map,
                                .self = "a",
                                .connections = connections,
                                .values_most = watched_values};
    w->status = monitor_new(&o, &w->monitor, &w->err);
}

static inline void watched_init(struct watched *w, const char *module, const char *mapping,
                                bool connections)
{
    watched_judged(w, module, mapping, connections, NULL);
}

static inline void watched_done(struct watched *w)
{
    monitor_free(w->monitor);
    model_free(w->model);
    program_done(&w->program);
    strtab_free(w->strings);
    arena_done(&w->arena);
}

/* The verdict on these lines; w is still there. */
static inline enum monitor_verdict watched_lines(struct watched *w, const char *lines)
{
    struct str rest = str_of(lines);
    uint64_t place = 0;
    watched_good(w, w->status == 0);
    while (rest.n != 0) {
        const char *end = memchr(rest.p, '\n', rest.n);
        size_t n = end != NULL ? (size_t)(end - rest.p) : rest.n;
        struct monitor_event event;
        watched_good(w, monitor_line(w->monitor, (struct str){rest.p, n}, &event, &w->err) == 0);
        event.place = ++place;
        watched_good(w, monitor_event(w->monitor, &event, &w->err) == 0);
        n += end != NULL ? 1 : 0;
        rest = (struct str){rest.p + n, rest.n - n};
    }
    watched_good(w, monitor_flush(w->monitor, &w->err) == 0);
    return monitor_verdict(w->monitor);
}
