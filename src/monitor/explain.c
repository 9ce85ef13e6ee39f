/* Why nothing explains what was seen, for people: the last state that agrees, the event, what the
 * specification would have allowed instead, and what came before. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "eval/eval.h"
#include "model/model.h"
#include "monitor/monitor_int.h"
#include "value/value.h"

enum { BEFORE_SHOWN = 8, TEXT_MOST = 400 };

struct showing {
    struct monitor *m;
    const struct spot *x;
    const struct kept_event *e;
    struct strbuf *out;
};

static void put_value(struct vctx *ctx, struct val v, struct strbuf *out)
{
    SCOPED_STRBUF text = {0};
    val_print(ctx, v, &text);
    strbuf_add(out, text.p, text.n < TEXT_MOST ? text.n : TEXT_MOST);
    strbuf_adds(out, text.n > TEXT_MOST ? "..." : "");
}

static void put_event(struct vctx *ctx, const struct monitor *m, const struct kept_event *e,
                      struct strbuf *out)
{
    static const char *const names[] = {
        [MONITOR_RECEIVE] = "receives",
        [MONITOR_SEND] = "sends",
        [MONITOR_INPUT] = "is asked for",
        [MONITOR_CRASH] = "ends",
        [MONITOR_RESTART] = "starts again",
        [MONITOR_UP] = "is connected with",
        [MONITOR_DOWN] = "has no connection with",
        [MONITOR_SYNC] = "has synced its files",
        [MONITOR_GAP] = "was not seen",
        [MONITOR_OBSERVED] = "was observed",
    };
    strbuf_printf(out, "%s %s", m->o.self, names[e->kind]);
    if (e->kind == MONITOR_INPUT) {
        strbuf_printf(out, " %s", m->o.model->actions[e->action].name);
    } else if (e->peer < m->n_nodes) {
        strbuf_printf(out, "%s %s",
                      e->kind == MONITOR_RECEIVE ? " from"
                      : e->kind == MONITOR_SEND  ? " to"
                                                 : "",
                      m->nodes[e->peer].name);
    }
    if (!val_is_undef(e->msg)) {
        strbuf_adds(out, ": ");
        put_value(ctx, e->msg, out);
    }
}

/* ---- where two messages differ ---- */

static struct val field_of(const struct vobj *r, struct val name)
{
    for (uint32_t i = 0; i < r->n; i++) {
        if (val_same(r->v[i], name)) {
            return r->v[r->n + i];
        }
    }
    return VAL_UNDEF;
}

/* Fields of records that differ; UINT32_MAX when they are not alike. */
static uint32_t distance(struct val a, struct val b)
{
    if (!val_is_kind(a, VK_RECORD) || !val_is_kind(b, VK_RECORD) ||
        val_obj(a)->n != val_obj(b)->n) {
        return UINT32_MAX;
    }
    const struct vobj *x = val_obj(a), *y = val_obj(b);
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        struct val other = field_of(y, x->v[i]);
        if (val_is_undef(other)) {
            return UINT32_MAX;
        }
        n += val_same(other, x->v[x->n + i]) ? 0 : 1;
    }
    return n;
}

static void put_difference(struct vctx *ctx, struct val seen, struct val allowed,
                           struct strbuf *out)
{
    const struct vobj *a = val_obj(seen), *b = val_obj(allowed);
    for (uint32_t i = 0; i < a->n; i++) {
        struct val other = field_of(b, a->v[i]);
        if (!val_same(other, a->v[a->n + i])) {
            strbuf_adds(out, "    ");
            val_print(ctx, a->v[i], out);
            strbuf_adds(out, " is ");
            put_value(ctx, a->v[a->n + i], out);
            strbuf_adds(out, "; the specification says ");
            put_value(ctx, other, out);
            strbuf_addc(out, '\n');
        }
    }
}

static void show_outstanding(struct vctx *ctx, struct showing *s)
{
    const struct spot *x = s->x;
    const struct pend *nearest = NULL;
    uint32_t least = UINT32_MAX;
    for (uint32_t k = 0; k < x->n_out; k++) {
        const struct pend *o = &x->p[k];
        bool other = s->e->peer < s->m->n_nodes && o->peer < s->m->n_nodes && o->peer != s->e->peer;
        uint32_t d = other ? UINT32_MAX : distance(s->e->msg, o->v);
        if (d < least) {
            least = d;
            nearest = o;
        }
    }
    if (nearest != NULL && least == 0) {
        strbuf_adds(s->out, "  what it was to send is the same, but it may not leave before what "
                            "the step changed is on disk\n");
    } else if (nearest != NULL) {
        strbuf_adds(s->out, "  the most like it of what it has still to send differs:\n");
        put_difference(ctx, s->e->msg, nearest->v, s->out);
    } else {
        strbuf_adds(s->out, "  it has nothing like it to send\n");
    }
}

static void run_show(struct vctx *ctx, void *arg)
{
    struct showing *s = arg;
    struct monitor *m = s->m;
    strbuf_printf(s->out, "event %llu: ", (unsigned long long)(m->best + 1));
    put_event(ctx, m, s->e, s->out);
    strbuf_addc(s->out, '\n');
    if (s->e->kind == MONITOR_SEND) {
        show_outstanding(ctx, s);
    }
}

static void run_before(struct vctx *ctx, void *arg)
{
    struct showing *s = arg;
    struct monitor *m = s->m;
    uint64_t from = m->best > m->first + BEFORE_SHOWN ? m->best - BEFORE_SHOWN : m->first;
    strbuf_adds(s->out, "before it:\n");
    for (uint64_t i = from; i < m->best; i++) {
        strbuf_adds(s->out, "    ");
        put_event(ctx, m, mevent_at(m, i), s->out);
        strbuf_addc(s->out, '\n');
    }
}

static void run_state(struct vctx *ctx, void *arg)
{
    struct showing *s = arg;
    const struct monitor *m = s->m;
    const struct vobj *state = val_obj(s->x->state);
    for (uint32_t i = 0; i < m->o.model->nvar; i++) {
        const struct own_var *v = &m->vars[i];
        if ((int)i == m->net.var || v->forget) {
            continue;
        }
        struct val shown = v->sliced ? val_obj(state->v[i])->v[v->slice] : state->v[i];
        strbuf_printf(s->out, "    %s%s%s = ", m->o.model->vars[i], v->sliced ? " of " : "",
                      v->sliced ? m->o.self : "");
        put_value(ctx, shown, s->out);
        strbuf_addc(s->out, '\n');
    }
}

void monitor_state(struct monitor *m, struct strbuf *out)
{
    struct showing s = {m, m->last, NULL, out};
    if (m->last != NULL) {
        (void)!model_with_values(m->worker, run_state, &s);
    }
}

/* What each step that is possible now would send. */
static void show_steps(struct monitor *m, struct strbuf *out)
{
    struct spot *x = m->shown != NULL && m->shown->i == m->best ? m->shown : m->last;
    SCOPED_STRBUF told = {0};
    for (uint32_t a = 0; a < m->o.model->naction; a++) {
        enum role role = m->actions[a].role;
        struct taking t = {
            .from = x, .action = a, .entry = SIZE_MAX, .wide = true, .probe = true, .told = &told};
        if (role == ROLE_OWN || (role == ROLE_INPUT && !m->actions[a].inputs)) {
            (void)!mstep_make(m, &t);
        }
        for (uint32_t i = 0; i < x->n_in; i++) {
            bool input = (x->p[x->n_out + i].flags & PEND_INPUT) != 0;
            t.entry = i;
            if (input ? a == x->p[x->n_out + i].action : role == ROLE_RECEIVE) {
                (void)!mstep_make(m, &t);
            }
        }
    }
    strbuf_adds(out, "steps that it could do there:\n");
    strbuf_adds(out, told.n != 0 ? strbuf_cstr(&told) : "    none\n");
}

/* A property: the state that breaks it. */
static void explain_violated(struct monitor *m, struct strbuf *out)
{
    struct showing s = {m, m->last, NULL, out};
    strbuf_adds(out, "the state of the node there:\n");
    (void)!model_with_values(m->worker, run_state, &s);
    if (m->best >= m->first && m->events.n != 0) {
        (void)!model_with_values(m->worker, run_before, &s);
    }
}

void monitor_explain(struct monitor *m, struct strbuf *out)
{
    if (m->violated != 0 && m->last != NULL) {
        explain_violated(m, out);
        return;
    }
    if (m->last == NULL || m->best >= msearch_end(m)) {
        strbuf_adds(out, "no state of the node agrees with the first event\n");
        return;
    }
    const struct spot *x = m->shown != NULL && m->shown->i == m->best ? m->shown : m->last;
    struct showing s = {m, x, mevent_at(m, m->best), out};
    (void)!model_with_values(m->worker, run_show, &s);
    strbuf_adds(out, "the last state that agrees:\n");
    (void)!model_with_values(m->worker, run_state, &s);
    show_steps(m, out);
    (void)!model_with_values(m->worker, run_before, &s);
}

void monitor_describe(const struct monitor *m, struct strbuf *out)
{
    static const char *const roles[] = {
        [ROLE_NEVER] = "not the node's", [ROLE_RECEIVE] = "takes a message",
        [ROLE_OWN] = "of itself",        [ROLE_INPUT] = "asked for by clients",
        [ROLE_CRASH] = "crash",          [ROLE_RESTART] = "restart",
        [ROLE_UNKNOWN] = "unknown",
    };
    static const char *const kinds[] = {[NET_UNKNOWN] = "?",
                                        [NET_QUEUE] = "queues",
                                        [NET_BAG] = "a bag of packets",
                                        [NET_SET] = "a set of messages"};
    const struct model *model = m->o.model;
    strbuf_printf(out, "node %s of", m->o.self);
    for (size_t i = 0; i < m->n_nodes; i++) {
        strbuf_printf(out, " %s", m->nodes[i].name);
    }
    strbuf_printf(out, "\nnetwork: variable %s, %s\n", model->vars[m->net.var], kinds[m->net.kind]);
    for (uint32_t i = 0; i < model->nvar; i++) {
        const struct own_var *v = &m->vars[i];
        if ((int)i != m->net.var) {
            strbuf_printf(out, "variable %s: %s%s\n", model->vars[i],
                          v->forget   ? "put back after each step"
                          : v->sliced ? "the node's part"
                                      : "as a whole",
                          v->persist ? ", persists" : "");
        }
    }
    for (uint32_t i = 0; i < model->naction; i++) {
        strbuf_printf(out, "action %s: %s%s\n", model->actions[i].name, roles[m->actions[i].role],
                      m->actions[i].role == ROLE_INPUT && !m->actions[i].inputs
                          ? ", but no [[message]] says when: at any time"
                          : "");
    }
}
