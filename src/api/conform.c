/* A trace of a specification, done by the programs of a mapping: what `assay confirm` does, with
 * its words in memory. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/api_int.h"
#include "api/assay.h"
#include "base/arena.h"
#include "base/env.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/vec.h"
#include "drive/bridge.h"
#include "drive/drive.h"
#include "job/load.h"

/* One text in memory, written as a file. */
struct words {
    FILE *file;
    char *text;
    size_t n;
};

static bool open_words(struct words *w)
{
    *w = (struct words){.file = NULL};
    w->file = open_memstream(&w->text, &w->n);
    return w->file != NULL;
}

static struct str close_words(struct words *w)
{
    if (w->file != NULL) {
        (void)fclose(w->file);
    }
    return (struct str){w->text != NULL ? w->text : "", w->text != NULL ? w->n : 0};
}

/* `assay` beside whom queries are made ({assay} in a mapping): ASSAY names it, or it is on PATH. */
static const char *find_program(struct arena *arena)
{
    const char *named = env_text("ASSAY"), *path = env_text("PATH");
    if (named != NULL) {
        return arena_strndup(arena, named, strlen(named));
    }
    while (path != NULL && *path != '\0') {
        size_t n = strcspn(path, ":");
        const char *file = arena_printf(arena, "%.*s/assay", (int)n, path);
        if (n > 0 && access(file, X_OK) == 0) {
            return file;
        }
        path += path[n] == ':' ? n + 1 : n;
    }
    return "assay"; /* a query says that there is none */
}

struct conforming {
    const char *mapping, *trace, *dir;
    struct assay_conform_options options;
    int beat, status;
    struct words out, err;
};

static void conform_there(void *arg)
{
    struct conforming *c = arg;
    struct stop_flags flags = {0};
    struct confirm_cmd cmd = {
        .o = {.map = c->mapping,
              .config = c->options.config,
              .cluster = c->options.cluster,
              .out = c->dir,
              .beat_signal = c->beat,
              .teller = {.out = c->out.file, .err = c->err.file, .flags = &flags}},
        .trace = c->trace
    };
    arena_init(&cmd.arena, 0);
    cmd.o.program = find_program(&cmd.arena);
    size_t n = 0;
    while (c->options.paths != NULL && c->options.paths[n] != NULL) {
        n++;
    }
    job_dirs_all(&cmd.arena, c->options.paths, n, &cmd.o.dirs, &cmd.o.ndir);
    c->status = drive_confirm(&cmd);
    arena_done(&cmd.arena);
}

static int agreement(int status)
{
    switch (status) {
    case EXIT_OK: return ASSAY_CONFIRMED;
    case EXIT_AGREES: return ASSAY_AGREES;
    case EXIT_SAFETY: return ASSAY_DIFFERS;
    case EXIT_DEADLOCK: return ASSAY_IMPOSSIBLE;
    case EXIT_UNDECIDED: return ASSAY_NOT_DECIDED;
    default: return -1;
    }
}

int assay_conform(const char *mapping, const char *trace, const char *dir,
                  const struct assay_conform_options *options, char **message, char **error)
{
    struct conforming c = {.mapping = mapping, .trace = trace, .dir = dir, .status = -1};
    struct desk desk = {.fn = NULL};
    api_clear(error);
    api_clear(message);
    api_take(&c.options, sizeof c.options, options);
    if (mapping == NULL || trace == NULL || dir == NULL) {
        return api_fail(error, "a mapping file, a trace and a directory were expected");
    }
    if (!open_words(&c.out) || !open_words(&c.err)) {
        (void)close_words(&c.out);
        vec_release(c.out.text);
        return api_fail(error, "no memory for what is said");
    }
    c.beat = api_host_enter(error);
    if (c.beat > 0 && api_desk_open(&desk, error) == 0) {
        api_desk_do(&desk, conform_there, &c);
        api_desk_close(&desk);
    }
    if (c.beat > 0) {
        api_host_leave();
    }
    struct str out = close_words(&c.out), err = close_words(&c.err);
    int result = agreement(c.status);
    if (result >= 0 && message != NULL) {
        *message = api_text(out);
    } else if (result < 0 && (error == NULL || *error == NULL)) {
        (void)api_fail_text(error, err.n != 0 ? err : STR("it ended before there was a verdict"));
    }
    vec_release(c.out.text);
    vec_release(c.err.text);
    return result;
}
