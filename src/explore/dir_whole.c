/* Local traces that fit together, done by the real programs. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "explore/crew.h"
#include "explore/dir_int.h"
#include "explore/space.h"

/* Packets of connections are known by their bytes: there is one at a time that can come next. */
static bool same_event(const struct xevent *a, const struct xevent *b)
{
    bool same = a->event.kind == b->event.kind && a->event.node == b->event.node &&
                a->event.peer == b->event.peer;
    return a->chan != 0 ? same && a->chan == b->chan && a->data == b->data
                        : same && a->event.id == b->event.id && a->event.arg == b->event.arg;
}

struct doing { /* a local trace, event by event */
    VEC(const struct local *) path;
    VEC(bool) done;
    size_t n_done;
};

static void begin(struct doing *doing, const struct local *end)
{
    for (const struct local *l = end; l->parent != NULL; l = l->parent) {
        VEC_PUSH(&doing->path, l);
        VEC_PUSH(&doing->done, false);
    }
    for (size_t i = 0; i < doing->path.n / 2; i++) {
        const struct local *l = doing->path.v[i];
        doing->path.v[i] = doing->path.v[doing->path.n - 1 - i];
        doing->path.v[doing->path.n - 1 - i] = l;
    }
}

/* Whether everything that happens before event i of the trace is done, but not itself. */
static bool is_next(const struct doing *doing, size_t i)
{
    bool next = !doing->done.v[i];
    for (size_t k = 0; next && k < i; k++) {
        next = doing->done.v[k] || !dir_before(doing->path.v[i], k);
    }
    return next;
}

/* Does one event of the trace that is possible now, if there is one. */
static int one_event(struct space *space, struct doing *doing, bool *ret_done, struct err *err)
{
    const struct xevent *list = NULL;
    size_t n = space_events(space, &list);
    for (size_t i = 0; i < doing->path.n; i++) {
        for (size_t k = 0; is_next(doing, i) && k < n; k++) {
            if (same_event(&list[k], &doing->path.v[i]->event)) {
                doing->done.v[i] = *ret_done = true;
                doing->n_done++;
                return space_do(space, list[k].name, err);
            }
        }
    }
    return 0;
}

int dir_together(struct dir *d, struct local *const *ends, bool *ret_good, struct err *err)
{
    struct space *space = NULL;
    size_t n = d->components.n, done = 0, cap = 0;
    struct doing *doing = vec_grow(NULL, &cap, n + 1, sizeof *doing);
    memset(doing, 0, (n + 1) * sizeof *doing);
    int status = crew_space(d->s->crew, &space, err);
    status = status != 0 ? status : space_go(space, NULL, 0, &done, err);
    for (size_t i = 0; i < n; i++) {
        begin(&doing[i], ends[i]);
    }
    for (bool moved = true; status == 0 && moved;) {
        moved = false;
        for (size_t i = 0; status == 0 && i < n; i++) {
            status = one_event(space, &doing[i], &moved, err);
        }
    }
    *ret_good = status == 0;
    for (size_t i = 0; i < n; i++) {
        *ret_good = *ret_good && doing[i].n_done == doing[i].path.n;
        VEC_DONE(&doing[i].path);
        VEC_DONE(&doing[i].done);
    }
    vec_release(doing);
    return status;
}
