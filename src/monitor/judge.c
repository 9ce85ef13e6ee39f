/* What the specification says of all states and steps, looked at where the node is: invariants,
 * action properties, and deadlines of what leads to something.
 *
 * An explanation that breaks one of them is dear, so that others are looked for; only when all that
 * are left break one is it told. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "eval/eval.h"
#include "map/map.h"
#include "model/model.h"
#include "monitor/monitor_int.h"
#include "value/value.h"

enum { BAD_COST = 24 };

static const char *name_of(const struct mprop *p)
{
    return p->config != NULL ? p->config : p->name;
}

static bool is_among(const struct map_names *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++) {
        if (str_is(names->v[i].name, name)) {
            return true;
        }
    }
    return false;
}

/* The property of the model with this name, or UINT32_MAX. */
static uint32_t find(const struct model *model, struct str name)
{
    for (uint32_t i = 0; i < model->nprop; i++) {
        if (str_is(name, name_of(&model->props[i]))) {
            return i;
        }
    }
    return UINT32_MAX;
}

int mjudge_new(struct monitor *m, struct err *err)
{
    const struct model *model = m->o.model;
    const struct map_watch *w = &m->o.map->watch;
    struct judge *j = &m->judge;
    j->props = ARENA_ARRAY(&m->arena, uint32_t, model->nprop + 1);
    if (w->invariants.n + w->properties.n + w->n_deadlines == 0) {
        return 0; /* those of the configuration are of whole states */
    }
    if (w->n_deadlines > DEADLINES_MOST) {
        return err_set(err, ERR_INVALID, 0, "[watch]: at most %d deadlines", DEADLINES_MOST);
    }
    for (uint32_t i = 0; i < model->nprop; i++) {
        const struct mprop *p = &model->props[i];
        bool named = p->kind == MPROP_INVARIANT && is_among(&w->invariants, name_of(p));
        if (p->kind == MPROP_TEMPORAL || p->kind == MPROP_INIT) {
            return err_set(err, ERR_INVALID, 0,
                           "[watch]: properties: %s is none of the form [][A]_v; what holds in "
                           "every state belongs to invariants, P ~> Q to deadlines",
                           name_of(p));
        }
        if (named || p->kind == MPROP_ACTION) {
            j->props[j->n++] = i;
        }
    }
    for (size_t i = 0; i < w->n_deadlines; i++) {
        const struct map_deadline *d = &w->deadlines[i];
        j->from[i] = find(model, d->from.name);
        j->to[i] = find(model, d->to.name);
        j->n_deadlines++;
    }
    return 0;
}

const char *mjudge_name(const struct monitor *m, uint32_t bad, struct strbuf *out)
{
    if (bad <= m->o.model->nprop) {
        strbuf_adds(out, name_of(&m->o.model->props[bad - 1]));
    } else {
        const struct map_deadline *d = &m->o.map->watch.deadlines[bad - m->o.model->nprop - 1];
        strbuf_printf(out, "%.*s ~> %.*s within %g s", STR_ARG(d->from.name), STR_ARG(d->to.name),
                      (double)d->ns / 1e9);
    }
    return strbuf_cstr(out);
}

/* ---- at one spot ---- */

static int holds(struct monitor *m, uint32_t prop, const struct spot *x, bool *ret)
{
    const struct val *before = val_is_obj(x->from) ? val_obj(x->from)->v : NULL;
    const struct val *now = val_obj(x->state)->v;
    bool step = m->o.model->props[prop].kind == MPROP_ACTION;
    *ret = true;
    if (step && before == NULL) {
        return 0; /* the first state, or after what no action says */
    }
    model_at(m->worker, now, 2);
    int status = step ? model_holds(m->worker, prop, before, now, ret)
                      : model_holds(m->worker, prop, now, NULL, ret);
    return status == MODEL_OK ? 0 : monitor_failed(m);
}

static void breaks(struct spot *x, uint32_t what)
{
    if (x->bad == 0) {
        x->bad = what;
        x->cost += BAD_COST;
    }
}

/* The time of the last event that is consumed. */
static uint64_t time_at(struct monitor *m, const struct spot *x)
{
    return x->i > m->first ? mevent_at(m, x->i - 1)->time_ns : 0;
}

static int deadlines(struct monitor *m, struct spot *x, uint64_t now)
{
    for (size_t d = 0; d < m->judge.n_deadlines; d++) {
        bool from = false, to = false;
        int status = holds(m, m->judge.to[d], x, &to);
        status = status != 0 || to ? status : holds(m, m->judge.from[d], x, &from);
        if (status != 0) {
            return status;
        }
        x->since[d] = to ? 0 : x->since[d] != 0 ? x->since[d] : from ? now : 0;
    }
    return 0;
}

int mjudge_spot(struct monitor *m, struct spot *x)
{
    int status = 0;
    uint64_t now = m->judge.n_deadlines != 0 ? time_at(m, x) : 0;
    if (x->fresh_state && !x->crashed) {
        for (size_t k = 0; status == 0 && k < m->judge.n && x->bad == 0; k++) {
            bool good = true;
            status = holds(m, m->judge.props[k], x, &good);
            if (!good) {
                breaks(x, m->judge.props[k] + 1);
            }
        }
        status = status != 0 ? status : deadlines(m, x, now);
    }
    x->fresh_state = false;
    for (size_t d = 0; d < m->judge.n_deadlines; d++) {
        uint64_t most = m->o.map->watch.deadlines[d].ns;
        if (x->since[d] != 0 && now > x->since[d] + most) {
            breaks(x, m->o.model->nprop + 1 + (uint32_t)d);
        }
    }
    return status;
}

/* Whether all explanations that are left break something. */
bool mjudge_all_bad(const struct monitor *m, const struct spot *x)
{
    if (x->bad == 0) {
        return false;
    }
    for (size_t i = 0; i < m->heap.n; i++) {
        const struct spot *y = m->heap.v[i];
        if (y->bad == 0 && y->i + m->o.window >= m->best) {
            return false;
        }
    }
    return true;
}
