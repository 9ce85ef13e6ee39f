/* Random behaviours, as a node sees them.
 *
 * A behaviour is a random walk on the whole specification, faults included. What a step means to
 * the node is read off the network variable: what is new in its outgoing queues was sent, what one
 * of its steps took was received; in bags and sets, what a step of the node added was sent, and
 * what others added is received at once (sets) or when a step of the node takes it (bags). Crashes,
 * restarts and connections are those of TcpNetwork. */
#include "monitor/selftest.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/eval.h"
#include "model/model.h"
#include "monitor/monitor_int.h"
#include "value/value.h"

static const char *const names[] = {
    [MUTATION_NONE] = "unchanged",
    [MUTATION_HIGHER] = "a number one more",
    [MUTATION_LOWER] = "a number one less",
    [MUTATION_TURNED] = "a boolean turned",
    [MUTATION_OTHER] = "a field of another message",
    [MUTATION_TWICE] = "sent twice",
    [MUTATION_ASTRAY] = "sent to another node",
    [MUTATION_SWAPPED] = "sent in another order",
    [MUTATION_STALE] = "an earlier message instead",
    [MUTATION_UNASKED] = "an answer to what never came",
    [MUTATION_MISHEARD] = "received with a field changed",
    [MUTATION_LOST] = "not sent",
};

const char *mutation_name(enum mutation mutation)
{
    return names[mutation];
}

struct behaviour {
    VEC(struct monitor_event) v;
};

struct candidate_step {
    struct val *vals;
    uint32_t action;
    bool inputs;
    struct val args;
};

struct testing {
    const struct selftest_options *o;
    struct selftest_result *ret;
    struct monitor *m; /* what is known of the specification; its pool holds all values */
    struct rng rng;
    struct val *now; /* [nvar] */
    struct arena arena;
    VEC(struct candidate_step) next;
    struct behaviour b;
};

/* ---- random walks ---- */

static int sink_next(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct testing *t = arg;
    struct monitor *m = t->m;
    struct step_view view;
    struct mvalues args;
    uint32_t n = m->o.model->nvar;
    if (m->o.model->ops->in_model(worker) == 0) {
        return 0;
    }
    model_step(worker, &view);
    struct candidate_step s = {.vals = ARENA_ARRAY(&t->arena, struct val, n + 1),
                               .action = cand->action,
                               .inputs = m->actions[cand->action].inputs,
                               .args = tuple_empty()};
    for (uint32_t i = 0; i < n; i++) {
        s.vals[i] = vpool_intern(&m->pool, view.ctx, view.next[i]);
    }
    if (s.inputs) {
        m->o.model->ops->args(worker, &args);
        s.args = vpool_intern(&m->pool, view.ctx, tuple_make(view.ctx, args.vals, args.n));
    }
    VEC_PUSH(&t->next, s);
    return t->next.n < 400 ? 0 : 1;
}

/* Actions come first, then one of their steps: rare actions are not drowned. */
static const struct candidate_step *choose(struct testing *t)
{
    bool have[256] = {false};
    uint32_t n = 0;
    for (size_t i = 0; i < t->next.n; i++) {
        uint32_t a = t->next.v[i].action % 256;
        n += have[a] ? 0 : 1;
        have[a] = true;
    }
    uint64_t pick = rng_below(&t->rng, n);
    uint32_t action = 0;
    for (; action < 256; action++) {
        if (have[action] && pick-- == 0) {
            break;
        }
    }
    size_t of = 0, at = 0;
    for (size_t i = 0; i < t->next.n; i++) {
        of += t->next.v[i].action % 256 == action ? 1 : 0;
    }
    at = (size_t)rng_below(&t->rng, of);
    for (size_t i = 0; i < t->next.n; i++) {
        if (t->next.v[i].action % 256 == action && at-- == 0) {
            return &t->next.v[i];
        }
    }
    return NULL;
}

/* ---- what the node sees of a step ---- */

static void see(struct testing *t, enum monitor_kind kind, uint32_t peer, struct val msg)
{
    struct monitor_event e = {.kind = kind, .peer = peer, .msg = msg};
    VEC_PUSH(&t->b.v, e);
}

struct looking {
    struct testing *t;
    const struct candidate_step *step;
};

static bool is_down(struct vctx *ctx, const struct network *w, struct val net, struct val node)
{
    return w->record && set_member(ctx, node, val_obj(net)->v[w->down_at]);
}

static bool connected(struct vctx *ctx, const struct monitor *m, struct val net, uint32_t peer)
{
    const struct network *w = &m->net;
    struct val pair[2] = {m->nodes[m->self].value, m->nodes[peer].value};
    return !w->record || (!is_down(ctx, w, net, pair[0]) && !is_down(ctx, w, net, pair[1]) &&
                          !set_member(ctx, set_make(ctx, pair, 2), val_obj(net)->v[w->cut_at]));
}

static struct val queue_of(const struct network *w, struct val net, uint32_t channel)
{
    const struct vobj *f = val_obj(w->record ? val_obj(net)->v[w->queue_at] : net);
    return f->v[f->n + channel];
}

static void see_queues(struct looking *l, struct vctx *ctx)
{
    struct testing *t = l->t;
    struct monitor *m = t->m;
    const struct network *w = &m->net;
    struct val was = t->now[w->var], is = l->step->vals[w->var];
    struct val self = m->nodes[m->self].value;
    bool down = is_down(ctx, w, was, self), falls = !down && is_down(ctx, w, is, self);
    if (falls || (down && !is_down(ctx, w, is, self))) {
        see(t, falls ? MONITOR_CRASH : MONITOR_RESTART, MONITOR_ANY_PEER, VAL_UNDEF);
    }
    for (uint32_t p = 0; p < m->n_nodes; p++) {
        bool before = connected(ctx, m, was, p), after = connected(ctx, m, is, p);
        if (p != m->self && before != after && !falls) {
            see(t, after ? MONITOR_UP : MONITOR_DOWN, p, VAL_UNDEF);
        }
    }
    for (uint32_t c = 0; c < w->n_channels && !falls; c++) { /* what it takes comes first */
        const struct vobj *a = val_obj(queue_of(w, was, c)), *b = val_obj(queue_of(w, is, c));
        bool ours = w->channels[c].to == m->self && connected(ctx, m, is, w->channels[c].from);
        if (ours && b->n + 1 == a->n) {
            see(t, MONITOR_RECEIVE, w->channels[c].from, a->v[0]);
        }
    }
    for (uint32_t c = 0; c < w->n_channels && !falls; c++) {
        const struct vobj *a = val_obj(queue_of(w, was, c)), *b = val_obj(queue_of(w, is, c));
        for (uint32_t i = a->n; w->channels[c].from == m->self && i < b->n; i++) {
            see(t, MONITOR_SEND, w->channels[c].to, b->v[i]);
        }
    }
}

/* Whether the step is the node's: it changes its part of a variable, or nobody's and has it as an
 * argument or in the packets. */
static bool other_part_changes(const struct testing *t, const struct candidate_step *s,
                               bool *ret_own)
{
    const struct monitor *m = t->m;
    bool other = false;
    *ret_own = false;
    for (uint32_t i = 0; i < m->o.model->nvar; i++) {
        const struct own_var *v = &m->vars[i];
        if (!v->sliced || val_same(t->now[i], s->vals[i])) {
            continue;
        }
        const struct vobj *a = val_obj(t->now[i]), *b = val_obj(s->vals[i]);
        size_t words = a->kind == VK_TUPLE ? a->n : 2 * (size_t)a->n;
        for (size_t k = 0; k < words; k++) {
            bool differs = !val_same(a->v[k], b->v[k]);
            *ret_own |= differs && k == v->slice;
            other |= differs && k != v->slice;
        }
    }
    return other;
}

static struct val field_of(struct vctx *ctx, struct val packet, const char *name)
{
    struct val v = VAL_UNDEF;
    if (val_is_kind(packet, VK_RECORD)) {
        (void)record_get(ctx, packet, strtab_intern(ctx->strings, str_of(name)), &v);
    }
    return v;
}

static int64_t copies(struct vctx *ctx, struct val bag, struct val packet)
{
    struct val n;
    return fcn_try(ctx, bag, packet, &n) && val_is_small(n) ? val_small_get(n) : 0;
}

static void see_bag(struct looking *l, struct vctx *ctx)
{
    struct testing *t = l->t;
    struct monitor *m = t->m;
    struct val was = t->now[m->net.var], is = l->step->vals[m->net.var];
    struct val self = m->nodes[m->self].value;
    if (m->actions[l->step->action].role == ROLE_NEVER) {
        return;
    }
    for (int sending = 0; sending < 2; sending++) {
        struct val from = sending ? is : was, other = sending ? was : is;
        size_t n = fcn_size(ctx, from);
        for (size_t i = 0; i < n; i++) {
            struct val p = fcn_key(ctx, from, i);
            bool ours = val_same(field_of(ctx, p, sending ? "from" : "to"), self);
            for (int64_t c = copies(ctx, from, p) - copies(ctx, other, p); ours && c > 0; c--) {
                see(t, sending ? MONITOR_SEND : MONITOR_RECEIVE, MONITOR_ANY_PEER, p);
            }
        }
    }
}

static void see_set(struct looking *l, struct vctx *ctx)
{
    struct testing *t = l->t;
    struct monitor *m = t->m;
    struct val was = t->now[m->net.var], is = l->step->vals[m->net.var];
    struct val fresh = set_force(ctx, set_diff(ctx, is, was));
    bool own = false, other = other_part_changes(t, l->step, &own);
    const struct vobj *s = val_obj(fresh);
    for (uint32_t i = 0; i < s->n; i++) {
        see(t, own && !other ? MONITOR_SEND : MONITOR_RECEIVE, MONITOR_ANY_PEER,
            vpool_intern(&m->pool, ctx, s->v[i]));
    }
}

static void run_look(struct vctx *ctx, void *arg)
{
    struct looking *l = arg;
    const struct monitor *m = l->t->m;
    bool own = false, other = other_part_changes(l->t, l->step, &own);
    if (l->step->inputs && own && !other) {
        struct monitor_event e = {.kind = MONITOR_INPUT,
                                  .peer = MONITOR_ANY_PEER,
                                  .action = l->step->action,
                                  .msg = l->step->args};
        VEC_PUSH(&l->t->b.v, e);
    }
    switch (m->net.kind) {
    case NET_QUEUE: see_queues(l, ctx); break;
    case NET_BAG: see_bag(l, ctx); break;
    default: see_set(l, ctx); break;
    }
}

/* One behaviour, in t->b. */
static int walk(struct testing *t)
{
    struct monitor *m = t->m;
    uint32_t n = m->o.model->nvar;
    t->b.v.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        t->now[i] = m->vars[i].initial;
    }
    for (uint32_t p = 0; p < m->n_nodes && m->net.record; p++) {
        if (p != m->self) {
            see(t, MONITOR_UP, p, VAL_UNDEF);
        }
    }
    for (uint64_t depth = 0; depth < t->o->depth; depth++) {
        arena_reset(&t->arena);
        t->next.n = 0;
        model_at(m->worker, t->now, depth + 1);
        if (m->o.model->ops->next(m->worker, sink_next, t) < 0) {
            return monitor_failed(m);
        }
        if (t->next.n == 0) {
            break;
        }
        struct looking l = {t, choose(t)};
        if (model_with_values(m->worker, run_look, &l) != MODEL_OK) {
            return monitor_failed(m);
        }
        memcpy(t->now, l.step->vals, n * sizeof t->now[0]);
        t->ret->steps++;
    }
    return 0;
}

/* ---- changes ---- */

struct changing {
    struct testing *t;
    enum mutation kind;
    size_t at; /* the event that is changed */
    struct val ret;
    uint64_t pick;
};

/* The same record with another value in one of the fields that can be changed in that way. */
static void run_change(struct vctx *ctx, void *arg)
{
    struct changing *c = arg;
    struct testing *t = c->t;
    struct val msg = t->b.v.v[c->at].msg;
    c->ret = VAL_UNDEF;
    if (!val_is_kind(msg, VK_RECORD)) {
        return;
    }
    const struct vobj *r = val_obj(msg);
    struct val fields[64];
    if (r->n > 64) {
        return;
    }
    memcpy(fields, r->v + r->n, r->n * sizeof fields[0]);
    for (uint32_t k = 0; k < r->n; k++) {
        uint32_t i = (uint32_t)((c->pick + k) % r->n);
        struct val old = fields[i], new = old;
        bool number = val_is_small(old);
        if (c->kind == MUTATION_HIGHER && number) {
            new = val_small(val_small_get(old) + 1);
        } else if (c->kind == MUTATION_LOWER && number && val_small_get(old) > 0) {
            new = val_small(val_small_get(old) - 1);
        } else if (c->kind == MUTATION_TURNED && val_is_bool(old)) {
            new = val_bool(val_same(old, VAL_FALSE));
        } else if (c->kind == MUTATION_OTHER || c->kind == MUTATION_MISHEARD) {
            const struct monitor_event *other = &t->b.v.v[(c->pick / 7 + k) % t->b.v.n];
            if (other->kind <= MONITOR_SEND && val_is_kind(other->msg, VK_RECORD) &&
                val_obj(other->msg)->n == r->n && val_same(val_obj(other->msg)->v[i], r->v[i])) {
                new = val_obj(other->msg)->v[r->n + i];
            }
        }
        if (!val_same(new, old) && val_tag(new) == val_tag(old)) {
            fields[i] = new;
            c->ret = vpool_intern(&t->m->pool, ctx, record_make(ctx, r->v, fields, r->n));
            return;
        }
    }
}

static void insert(struct behaviour *b, size_t at, struct monitor_event e)
{
    VEC_PUSH(&b->v, e);
    memmove(&b->v.v[at + 1], &b->v.v[at], (b->v.n - at - 1) * sizeof e);
    b->v.v[at] = e;
}

static void erase(struct behaviour *b, size_t at)
{
    memmove(&b->v.v[at], &b->v.v[at + 1], (b->v.n - at - 1) * sizeof b->v.v[0]);
    b->v.n--;
}

static bool swap_next(struct behaviour *b, size_t at)
{
    for (size_t i = at + 1; i < b->v.n; i++) {
        struct monitor_event *x = &b->v.v[at], *y = &b->v.v[i];
        if (y->kind == MONITOR_SEND && y->peer == x->peer) {
            struct val msg = x->msg;
            if (val_same(msg, y->msg)) {
                return false;
            }
            x->msg = y->msg;
            y->msg = msg;
            return true;
        }
        if (y->kind != MONITOR_SEND) {
            return false; /* what it has received since may be why */
        }
    }
    return false;
}

static bool earlier_instead(struct behaviour *b, size_t at, uint64_t pick)
{
    for (size_t k = 0; k < at; k++) {
        const struct monitor_event *e = &b->v.v[(pick + k) % at];
        if (e->kind == MONITOR_SEND && !val_same(e->msg, b->v.v[at].msg) &&
            e->peer == b->v.v[at].peer) {
            b->v.v[at].msg = e->msg;
            return true;
        }
    }
    return false;
}

/* The event before it, when it is what this answers: the next thing after a message came. */
static bool unask(struct behaviour *b, size_t at)
{
    if (at == 0 || b->v.v[at - 1].kind != MONITOR_RECEIVE) {
        return false;
    }
    erase(b, at - 1);
    return true;
}

static bool astray(struct testing *t, size_t at)
{
    struct monitor_event *e = &t->b.v.v[at];
    for (uint32_t p = 0; p < t->m->n_nodes && t->m->net.kind == NET_QUEUE; p++) {
        if (p != t->m->self && p != e->peer) {
            e->peer = p;
            return true;
        }
    }
    return false;
}

/* Changes t->b; false: there is nothing to be changed in that way. */
static bool change(struct testing *t, enum mutation kind)
{
    struct behaviour *b = &t->b;
    enum monitor_kind wanted = kind == MUTATION_MISHEARD ? MONITOR_RECEIVE : MONITOR_SEND;
    if (b->v.n == 0) {
        return false;
    }
    size_t tail = t->o->tail < b->v.n / 2 ? t->o->tail : b->v.n / 2;
    uint64_t first = rng_next(&t->rng), pick = rng_next(&t->rng);
    size_t n = b->v.n - tail;
    for (size_t k = 0; k < n; k++) {
        size_t at = (size_t)((first + k) % n);
        struct changing c = {.t = t, .kind = kind, .at = at, .ret = VAL_UNDEF, .pick = pick};
        if (b->v.v[at].kind != wanted) {
            continue;
        }
        switch (kind) {
        case MUTATION_TWICE: insert(b, at, b->v.v[at]); return true;
        case MUTATION_LOST: erase(b, at); return true;
        case MUTATION_ASTRAY: return astray(t, at);
        case MUTATION_SWAPPED:
            if (swap_next(b, at)) {
                return true;
            }
            break;
        case MUTATION_STALE:
            if (at != 0 && earlier_instead(b, at, pick)) {
                return true;
            }
            break;
        case MUTATION_UNASKED:
            if (unask(b, at)) {
                return true;
            }
            break;
        default:
            if (model_with_values(t->m->worker, run_change, &c) == MODEL_OK &&
                !val_is_undef(c.ret)) {
                b->v.v[at].msg = c.ret;
                return true;
            }
        }
    }
    return false;
}

/* ---- judging ---- */

static int judge(struct testing *t, enum monitor_verdict *ret, bool tell, struct err *err)
{
    struct monitor *m = NULL;
    struct monitor_options o = t->o->monitor;
    o.connections = t->m->net.record;
    int status = monitor_new(&o, &m, err);
    for (size_t i = 0; status == 0 && i < t->b.v.n; i++) {
        struct monitor_event e = t->b.v.v[i];
        e.place = i + 1;
        status = monitor_event(m, &e, err);
    }
    status = status != 0 ? status : monitor_flush(m, err);
    if (status == 0) {
        *ret = monitor_verdict(m);
        if (tell && *ret != MONITOR_OK && t->ret->failure.n == 0) {
            monitor_explain(m, &t->ret->failure);
            strbuf_adds(&t->ret->failure, "the behaviour:\n");
            for (size_t i = 0; i < t->b.v.n; i++) {
                monitor_line_write(t->m, &t->b.v.v[i], &t->ret->failure);
            }
        }
    }
    monitor_free(m);
    return status;
}

static int try_mutations(struct testing *t, struct err *err)
{
    VEC(struct monitor_event) whole = {0};
    int status = 0;
    for (size_t i = 0; i < t->b.v.n; i++) {
        VEC_PUSH(&whole, t->b.v.v[i]);
    }
    for (int kind = MUTATION_NONE + 1; status == 0 && kind < MUTATIONS; kind++) {
        enum monitor_verdict verdict = MONITOR_OK;
        t->b.v.n = 0;
        for (size_t i = 0; i < whole.n; i++) {
            VEC_PUSH(&t->b.v, whole.v[i]);
        }
        if (!change(t, (enum mutation)kind)) {
            continue;
        }
        status = judge(t, &verdict, false, err);
        t->ret->mutations[kind].made++;
        t->ret->mutations[kind].alarms += verdict == MONITOR_ALARM ? 1 : 0;
        t->ret->mutations[kind].undecided += verdict == MONITOR_UNRESOLVED ? 1 : 0;
    }
    VEC_DONE(&whole);
    return status;
}

int selftest_run(const struct selftest_options *options, struct selftest_result *ret,
                 struct err *err)
{
    struct testing t = {.o = options, .ret = ret};
    memset(ret, 0, sizeof *ret);
    arena_init(&t.arena, 0);
    int status = monitor_new(&options->monitor, &t.m, err);
    size_t cap = 0;
    t.now = vec_grow(NULL, &cap, options->monitor.model->nvar + 1, sizeof *t.now);
    for (uint64_t i = 0; status == 0 && i < options->behaviours; i++) {
        enum monitor_verdict verdict = MONITOR_OK;
        rng_seed(&t.rng, hash_combine(options->seed, i));
        t.m->err = err;
        status = walk(&t);
        status = status != 0 ? status : judge(&t, &verdict, true, err);
        ret->behaviours++;
        ret->events += t.b.v.n;
        ret->accepted += verdict == MONITOR_OK ? 1 : 0;
        ret->undecided += verdict == MONITOR_UNRESOLVED ? 1 : 0;
        if (status == 0 && verdict == MONITOR_OK) {
            status = try_mutations(&t, err);
        }
    }
    VEC_DONE(&t.next);
    VEC_DONE(&t.b.v);
    vec_release(t.now);
    arena_done(&t.arena);
    monitor_free(t.m);
    return status;
}

void selftest_done(struct selftest_result *result)
{
    strbuf_done(&result->failure);
}
