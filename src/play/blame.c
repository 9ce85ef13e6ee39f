/* `assay explore --blame REPLAY`: the event after which a recorded failure was almost certain. */
#include "play/blame.h"

#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "explore/blame.h"
#include "observe/observe.h"
#include "play/engine.h"
#include "run/cluster.h"
#include "run/record.h"

static int load(struct arena *arena, const char *path, struct record *record,
                struct cluster *cluster, struct err *err)
{
    struct str rest;
    int status = record_head(arena, path, record, &rest, err);
    status = status != 0 ? status : cluster_read(arena, record->cluster, cluster, err);
    if (status == 0 && cluster->digest != record->digest) {
        return err_set(err, ERR_INVALID, 0, "%s has changed since the run was recorded",
                       record->cluster);
    }
    if (status == 0) {
        cluster->bare = engine_bare();
        status = record_apply(record, cluster, arena, err);
    }
    return status != 0 ? status : record_choices(record, cluster, rest, err);
}

static void print_point(const struct blame_args *a, const struct blame_point *p, const char *mark)
{
    (void)fprintf(a->teller.out,
                  "  after event %4zu: %3u of %u futures fail, %3.0f to %3.0f in 100%s\n",
                  p->events, p->failed, p->drawn, 100 * p->low, 100 * p->high, mark);
}

static void print_blame(const struct blame_args *a, const struct blame *b, const char *replay)
{
    const struct blame_point *at = &b->points.v[b->at], *jump = &b->points.v[b->jump];
    if (b->uncertain) {
        (void)fprintf(a->teller.out,
                      "with all that came from outside it was certain from the beginning on; so "
                      "half of what is left of that, and of packets, does not come:\n");
    }
    for (size_t i = 0; i < b->points.n; i++) {
        print_point(a, &b->points.v[i], i == b->at ? "  <- almost certain" : "");
    }
    (void)fprintf(a->teller.out, "almost certain after event %zu, %s\n", at->events,
                  strbuf_cstr((struct strbuf *)&b->event));
    if (b->jump != b->at) {
        (void)fprintf(a->teller.out, "the chance rises most with event %zu, %s\n", jump->events,
                      strbuf_cstr((struct strbuf *)&b->jump_event));
    }
    (void)fprintf(a->teller.out, "look at it: assay replay %s --until %zu --gdb NODE\n", replay,
                  at->events);
}

static void print_json(const struct blame_args *a, const struct blame *b)
{
    (void)fprintf(a->teller.out,
                  "{\"event\":%zu,\"what\":\"%s\",\"rise\":%zu,\"uncertain\":%s,\"points\":[",
                  b->points.v[b->at].events, strbuf_cstr((struct strbuf *)&b->event),
                  b->points.v[b->jump].events, b->uncertain ? "true" : "false");
    for (size_t i = 0; i < b->points.n; i++) {
        const struct blame_point *p = &b->points.v[i];
        (void)fprintf(a->teller.out,
                      "%s{\"events\":%zu,\"drawn\":%u,\"failed\":%u,\"low\":%.4f,\"high\":%.4f}",
                      i == 0 ? "" : ",", p->events, p->drawn, p->failed, p->low, p->high);
    }
    (void)fprintf(a->teller.out, "]}\n");
}

static int blame(const struct blame_args *a, const struct record *record, struct cluster *cluster,
                 struct err *err)
{
    struct blame result = {0};
    struct blame_options options = {
        .of = {cluster, record, a->out, &a->teller.flags->interrupt},
        .seed = a->seed,
        .futures = a->futures
    };
    int status = blame_find(&options, &result, err);
    if (status == 0 && a->json) {
        print_json(a, &result);
    } else if (status == 0) {
        print_blame(a, &result, a->replay);
    }
    blame_done(&result);
    return status;
}

int explore_blame(const struct blame_args *a)
{
    struct arena arena;
    struct cluster cluster = {0};
    struct record record = {0};
    struct observer *observer = NULL;
    struct dir_lock lock = {0};
    struct err err = {0};
    arena_init(&arena, 0);
    (void)engine_pin(-1);
    int status = load(&arena, a->replay, &record, &cluster, &err);
    int shown =
        status == 0 ? engine_judge(&a->teller, &cluster, false, &arena, &observer) : EXIT_OK;
    if (status == 0 && shown == EXIT_OK) {
        SCOPED_STRBUF mark = {0};
        strbuf_printf(&mark, "%s/events.txt", a->out); /* by it the directory is known as ours */
        status = engine_dir(a->out, &lock, &err);
        status = status != 0 ? status : file_write(strbuf_cstr(&mark), STR(""), &err);
        status = status != 0 ? status : blame(a, &record, &cluster, &err);
    }
    if (status != 0) {
        (void)fprintf(a->teller.err, "assay explore: %s\n", err.text);
        shown = a->teller.flags->interrupt != 0                      ? EXIT_INTERRUPTED
                : err.code == ERR_INVALID || err.code == ERR_CORRUPT ? EXIT_CONFIG
                                                                     : EXIT_OTHER;
    }
    dir_unlock(&lock);
    observer_free(observer);
    record_done(&record);
    arena_done(&arena);
    return shown;
}
