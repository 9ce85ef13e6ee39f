/* Recordings of searches. */
#include "explore/recorded.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/found.h"
#include "explore/space.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "run/record.h"
#include "world/world.h"

/* A recording names a packet by its id alone. */
static bool same_event(const struct event *a, const struct event *b)
{
    bool packet = a->kind == EV_DELIVER || a->kind == EV_DROP || a->kind == EV_DUPLICATE;
    bool thread = a->kind == EV_TIMER || a->kind == EV_THREAD;
    return a->kind == b->kind && a->id == b->id && (packet || a->node == b->node) &&
           (packet || thread || (a->peer == b->peer && a->arg == b->arg));
}

/* Does the recorded events. */
static int follow(struct space *space, const struct record *record, const char *what,
                  struct err *err)
{
    int status = 0;
    for (size_t i = space_boot(space); status == 0 && i < record->choices.n; i++) {
        const struct xevent *list = NULL;
        size_t n = space_events(space, &list), k = 0;
        while (k < n && !same_event(&list[k].event, &record->choices.v[i].event)) {
            k++;
        }
        if (k == n) {
            return err_set(err, ERR_INVALID, 0,
                           "event %zu of the recording is not one of a search of this cluster; "
                           "%s takes recordings that `assay explore` made",
                           i + 1, what);
        }
        status = space_do(space, list[k].name, err);
    }
    status = status != 0 ? status : space_finish(space, err);
    if (status == 0 && space_failure(space)->kind == FAILURE_NONE) {
        return err_set(err, ERR_INVALID, 0, "the recorded run does not fail");
    }
    return status;
}

int recorded_space(const struct recorded_options *o, const char *what, struct space **ret,
                   struct err *err)
{
    struct space_options options = {.cluster = o->cluster,
                                    .seed = o->record->seed,
                                    .dir = o->dir,
                                    .interrupted = o->interrupted,
                                    .dependent = o->cluster->dependent,
                                    .snapshots = true};
    int status = space_open(&options, ret, err);
    return status != 0 ? status : follow(*ret, o->record, what, err);
}

int recorded_smaller(const struct recorded_options *o, struct finding *ret, struct err *err)
{
    struct found_options how = {.cluster = o->cluster, .interrupted = o->interrupted};
    struct space *space = NULL;
    int status = recorded_space(o, "shrink", &space, err);
    if (status == 0) {
        *ret = (struct finding){.failure = *space_failure(space), .found = space_depth(space)};
        strbuf_adds(&ret->dir, o->dir);
        for (size_t i = 0; i < space_depth(space); i++) {
            VEC_PUSH(&ret->path, space_step(space, i)->event.name);
        }
        status = finding_write(ret, space, &how, err);
    }
    space_close(space);
    return status;
}
