/* One step of the specification, at one spot: the network variable is given the message that the
 * node takes, and what the action sends is taken out of it again. The rest of the variable is as at
 * the start, always, so that states are small and equal. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/eval.h"
#include "model/model.h"
#include "monitor/monitor_int.h"
#include "value/value.h"

struct kept_event *mevent_at(struct monitor *m, uint64_t i)
{
    ASSERT(i >= m->first && i - m->first < m->events.n);
    return &m->events.v[i - m->first];
}

struct spot *spot_new(const struct monitor *m, const struct spot *like, size_t more_out,
                      size_t more_in)
{
    size_t cap = 0, old = like != NULL ? like->n_out + (size_t)like->n_in : 0;
    (void)m;
    struct spot *x =
        vec_grow(NULL, &cap, 1, sizeof *x + (old + more_out + more_in) * sizeof x->p[0]);
    if (like == NULL) {
        memset(x, 0, sizeof *x);
        return x;
    }
    memcpy((void *)x, like, sizeof *x + like->n_out * sizeof x->p[0]);
    memcpy(x->p + like->n_out + more_out, like->p + like->n_out, like->n_in * sizeof x->p[0]);
    return x; /* the caller fills p[n_out .. n_out + more_out) and adds to n_out */
}

/* ---- the network with one message in it ---- */

/* These objects live for one step: nobody but the evaluator sees them. */
static struct vobj *draft(struct monitor *m, uint8_t kind, uint32_t n, size_t words)
{
    struct vobj *obj = arena_alloc(&m->step, sizeof *obj + words * sizeof obj->v[0]);
    *obj = (struct vobj){.kind = kind, .n = n};
    return obj;
}

static struct val queue_with(struct monitor *m, struct val net, uint32_t peer, struct val msg)
{
    const struct network *w = &m->net;
    const struct vobj *empty = val_obj(w->empty);
    struct vobj *queues = draft(m, VK_FCN, empty->n, 2 * (size_t)empty->n);
    struct vobj *one = draft(m, VK_TUPLE, 1, 1);
    one->v[0] = msg;
    memcpy(queues->v, empty->v, 2 * (size_t)empty->n * sizeof empty->v[0]);
    for (uint32_t i = 0; i < w->n_channels; i++) {
        if (w->channels[i].from == peer && w->channels[i].to == m->self) {
            queues->v[empty->n + i] = val_of_obj(one);
        }
    }
    if (!w->record) {
        return val_of_obj(queues);
    }
    const struct vobj *old = val_obj(net);
    struct vobj *record = draft(m, VK_RECORD, old->n, 2 * (size_t)old->n);
    memcpy(record->v, old->v, 2 * (size_t)old->n * sizeof old->v[0]);
    record->v[w->queue_at] = val_of_obj(queues);
    return val_of_obj(record);
}

struct joining {
    struct monitor *m;
    const struct vobj *state;
    struct val msg, ret;
};

static void run_join(struct vctx *ctx, void *arg)
{
    struct joining *j = arg;
    struct monitor *m = j->m;
    struct val one = set_make(ctx, &j->msg, 1);
    memcpy(m->cur, j->state->v, m->o.model->nvar * sizeof m->cur[0]);
    m->cur[m->net.var] = set_cup(ctx, m->cur[m->net.var], one);
    j->ret = vpool_intern(&m->pool, ctx, tuple_make(ctx, m->cur, m->o.model->nvar));
    m->cur[m->net.var] = m->net.empty;
}

struct val mstep_join(struct monitor *m, struct val state, struct val msg)
{
    struct joining j = {m, val_obj(state), msg, state};
    model_at(m->worker, j.state->v, 1);
    if (model_with_values(m->worker, run_join, &j) != MODEL_OK) {
        (void)monitor_failed(m);
    }
    return j.ret;
}

/* Of a set the message is a member since it came. */
static struct val net_with(struct monitor *m, struct val net, uint32_t peer, struct val msg)
{
    if (m->net.kind == NET_QUEUE) {
        return queue_with(m, net, peer, msg);
    }
    if (m->net.kind == NET_SET) {
        return net;
    }
    struct vobj *bag = draft(m, VK_FCN, 1, 2);
    bag->v[0] = msg;
    bag->v[1] = val_small(1);
    return val_of_obj(bag);
}

/* ---- what a step made ---- */

struct making {
    struct monitor *m;
    struct taking *t;
    enum role role;
    uint32_t peer;  /* whose message is taken, or MONITOR_ANY_PEER */
    struct val msg; /* that message, or VAL_UNDEF */
    VEC(struct pend) sent;
    struct val *vals; /* [nvar] */
    struct val net;   /* of the state after it */
};

static bool send_all(struct making *k, struct vctx *ctx, uint32_t to, struct val seq)
{
    const struct vobj *s = seq_of(ctx, seq);
    for (uint32_t i = 0; s != NULL && i < s->n; i++) {
        struct val v = vpool_intern(&k->m->pool, ctx, s->v[i]);
        VEC_PUSH(&k->sent, (struct pend){.v = v, .peer = (uint8_t)to});
    }
    return s != NULL;
}

/* Queues: what is new in those of the node has been sent; all else must be as it was. */
static bool split_queues(struct making *k, struct vctx *ctx, struct val queues, bool crash)
{
    const struct network *w = &k->m->net;
    if (!val_is_kind(queues, VK_FCN) || val_obj(queues)->n != w->n_channels) {
        queues = val_force(ctx, queues);
    }
    const struct vobj *f = val_obj(queues);
    if (f->kind != VK_FCN || f->n != w->n_channels) {
        return false;
    }
    for (uint32_t i = 0; i < w->n_channels; i++) {
        struct val q = f->v[f->n + i];
        if (val_same(q, tuple_empty())) {
            continue;
        }
        const struct vobj *s = seq_of(ctx, q);
        if (s == NULL || s->n == 0) {
            continue;
        }
        if (w->channels[i].from != k->m->self || crash || !send_all(k, ctx, w->channels[i].to, q)) {
            return crash;
        }
    }
    return true;
}

static bool same_word(struct vctx *ctx, struct val a, struct val b)
{
    return val_same(a, b) || val_equal(ctx, a, b);
}

/* The network after the step; false: it is no step of this kind. */
static bool split_tcp(struct making *k, struct vctx *ctx, struct val now, struct val next)
{
    const struct network *w = &k->m->net;
    bool crash = k->role == ROLE_CRASH || k->role == ROLE_RESTART;
    if (!w->record) {
        k->net = w->empty;
        return split_queues(k, ctx, next, crash);
    }
    if (!val_is_kind(next, VK_RECORD) || val_obj(next)->n != 3) {
        return false;
    }
    const struct vobj *a = val_obj(now), *b = val_obj(next);
    struct val self = k->m->nodes[k->m->self].value;
    bool falls =
        crash && set_member(ctx, self, a->v[w->down_at]) != set_member(ctx, self, b->v[w->down_at]);
    if (!same_word(ctx, a->v[w->cut_at], b->v[w->cut_at]) ||
        (!falls && (crash || !same_word(ctx, a->v[w->down_at], b->v[w->down_at]))) ||
        !split_queues(k, ctx, b->v[w->queue_at], crash)) {
        return false;
    }
    struct vobj *record = draft(k->m, VK_RECORD, 3, 6);
    memcpy(record->v, b->v, 6 * sizeof b->v[0]);
    record->v[w->queue_at] = w->empty;
    k->net = vpool_intern(&k->m->pool, ctx, val_of_obj(record));
    return true;
}

static bool split_bag(struct making *k, struct vctx *ctx, struct val next)
{
    next = val_force(ctx, next);
    k->net = k->m->net.empty;
    if (val_same(next, tuple_empty())) {
        return true;
    }
    if (!val_is_kind(next, VK_FCN)) {
        return false;
    }
    const struct vobj *bag = val_obj(next);
    for (uint32_t i = 0; i < bag->n; i++) {
        int64_t copies = val_is_small(bag->v[bag->n + i]) ? val_small_get(bag->v[bag->n + i]) : -1;
        struct val v = vpool_intern(&k->m->pool, ctx, bag->v[i]);
        if (copies < 0 || copies > 1000) {
            return false;
        }
        if (val_same(v, k->msg)) { /* it was not taken, or sent once more */
            copies = copies > 0 ? copies - 1 : 0;
        }
        for (int64_t c = 0; c < copies; c++) {
            VEC_PUSH(&k->sent, (struct pend){.v = v, .peer = MONITOR_ANY_PEER});
        }
    }
    return true;
}

static bool split_set(struct making *k, struct vctx *ctx, struct val now, struct val next)
{
    next = val_force(ctx, next);
    if (!val_is_kind(next, VK_SET)) {
        return false;
    }
    struct val fresh = set_force(ctx, set_diff(ctx, next, now));
    const struct vobj *s = val_obj(fresh);
    for (uint32_t i = 0; i < s->n; i++) {
        struct val v = vpool_intern(&k->m->pool, ctx, s->v[i]);
        VEC_PUSH(&k->sent, (struct pend){.v = v, .peer = MONITOR_ANY_PEER});
    }
    k->net = vpool_intern(&k->m->pool, ctx, next);
    return true;
}

static bool split(struct making *k, struct vctx *ctx, struct val now, struct val next)
{
    switch (k->m->net.kind) {
    case NET_QUEUE: return split_tcp(k, ctx, now, next);
    case NET_BAG: return split_bag(k, ctx, next);
    default: return split_set(k, ctx, now, next);
    }
}

static size_t all_words(const struct vobj *f)
{
    return f->kind == VK_TUPLE ? f->n : 2 * (size_t)f->n;
}

/* Nothing changes at other nodes. */
static bool own_slice_only(struct vctx *ctx, const struct own_var *v, struct val now,
                           struct val next)
{
    const struct vobj *a = val_obj(now);
    if (!val_is_obj(next) || vkind_is_lazy(val_obj(next)->kind)) {
        next = val_force(ctx, next);
    }
    const struct vobj *b = val_is_obj(next) ? val_obj(next) : NULL;
    if (b == NULL || a->kind != b->kind || a->n != b->n) {
        return false;
    }
    size_t words = all_words(a);
    for (size_t i = 0; i < words; i++) {
        if (i != v->slice && !same_word(ctx, a->v[i], b->v[i])) {
            return false;
        }
    }
    return true;
}

/* The variables after the step, in the pool; false: it is another node's. */
static bool own_step(struct making *k, const struct step_view *view, bool *ret_unsynced)
{
    struct monitor *m = k->m;
    *ret_unsynced = false;
    for (uint32_t i = 0; i < m->o.model->nvar; i++) {
        const struct own_var *v = &m->vars[i];
        struct val now = view->now[i], next = view->next[i];
        if ((int)i == m->net.var) {
            k->vals[i] = k->net;
        } else if (v->forget) {
            k->vals[i] = v->initial;
        } else if (val_same(now, next)) {
            k->vals[i] = now;
        } else if (v->sliced && !own_slice_only(view->ctx, v, now, next)) {
            return false;
        } else {
            k->vals[i] = vpool_intern(&m->pool, view->ctx, next);
            *ret_unsynced |= v->persist && !val_same(k->vals[i], now);
        }
    }
    return true;
}

static struct val state_of(struct monitor *m, struct vctx *ctx, const struct val *vals)
{
    return vpool_intern(&m->pool, ctx, tuple_make(ctx, vals, m->o.model->nvar));
}

/* Which parameters were the node, and which the peer: the next time they are given. */
static void learn(struct making *k, struct mworker *worker)
{
    struct monitor *m = k->m;
    struct own_action *a = &m->actions[k->t->action];
    struct mvalues args;
    if (a->seen == OBSERVED_ENOUGH || !k->t->wide) {
        return;
    }
    m->o.model->ops->args(worker, &args);
    for (uint32_t i = 0; i < PARAMS_MAX; i++) {
        bool self = i < args.n && val_same(args.vals[i], m->nodes[m->self].value);
        bool peer =
            i < args.n && k->peer < m->n_nodes && val_same(args.vals[i], m->nodes[k->peer].value);
        a->self_at &= self ? UINT32_MAX : ~(UINT32_C(1) << i);
        a->peer_at &= peer ? UINT32_MAX : ~(UINT32_C(1) << i);
    }
    a->seen++;
}

/* ---- the spot after it ---- */

/* The inbox without an entry, or all of it, to be tried again. */
static void copy_inbox(struct spot *y, const struct spot *x, size_t without)
{
    struct pend *to = y->p + y->n_out;
    y->n_in = 0;
    for (uint32_t i = 0; i < x->n_in; i++) {
        if (i != without) {
            to[y->n_in] = x->p[x->n_out + i];
            bool input = (to[y->n_in].flags & PEND_INPUT) != 0;
            to[y->n_in++].flags &= (uint8_t)~(input ? 0 : PEND_TRIED);
        }
    }
}

/* What is sent to a peer without a connection is gone, unless it stands at that very moment. When
 * a connection has been made the program may not know it yet: until something leaves over it,
 * what it sends may be gone, too. */
enum { MAYBE_MOST = 8, FRESH_MOST = 128 };

/* Whether one of them, the oldest, was dropped. */
static bool drop_maybes(struct spot *y, uint32_t peer)
{
    bool fresh = (y->fresh >> peer & 1) != 0;
    size_t n = 0, first = SIZE_MAX;
    for (uint32_t i = 0; i < y->n_out; i++) {
        if (y->p[i].peer == peer && (y->p[i].flags & PEND_MAYBE)) {
            first = n++ == 0 ? i : first;
        }
    }
    if (n <= (fresh ? FRESH_MOST : MAYBE_MOST)) {
        return false;
    }
    memmove(&y->p[first], &y->p[first + 1], (y->n_out - first - 1) * sizeof y->p[0]);
    y->n_out--;
    return true;
}

static struct spot *spot_after(struct making *k, struct val state, bool unsynced)
{
    struct monitor *m = k->m;
    const struct spot *x = k->t->from;
    struct spot *y = spot_new(m, x, k->sent.n, 0);
    uint32_t old = y->n_out, firm = 0;
    y->fresh_state = !val_same(state, x->state);
    y->from = x->state;
    y->state = state;
    y->unsynced = x->unsynced || unsynced;
    y->cost = x->cost + k->t->cost;
    y->depth = x->depth + 1;
    y->stage = 0;
    for (size_t i = 0; i < k->sent.n; i++) {
        struct pend p = k->sent.v[i];
        bool down = p.peer < 64 && ((x->down | x->fresh) >> p.peer & 1) != 0;
        p.flags = (uint8_t)((down ? PEND_MAYBE : 0) | (y->unsynced ? PEND_UNSYNCED : 0));
        y->p[y->n_out++] = p;
        firm += down ? 0 : 1;
        if (down && drop_maybes(y, p.peer) && old > 0) {
            old--;
        }
    }
    copy_inbox(y, x, k->t->entry);
    y->behind = x->behind && y->n_in != 0;
    uint32_t misfit =
        msearch_misfit(m, y, old <= y->n_out ? old : y->n_out, k->t->entry == SIZE_MAX);
    if (misfit == 0 && firm != 0 && k->t->cost > 0 && k->t->entry == SIZE_MAX) {
        y->cost--; /* it explains what is seen next */
    }
    y->cost += misfit;
    y->odd += misfit;
    if (k->t->entry == SIZE_MAX && m->net.kind == NET_QUEUE && y->fresh != 0) {
        uint32_t loose = msearch_loose(m, y, old <= y->n_out ? old : y->n_out);
        y->cost += loose;
        y->odd += loose;
    }
    return y;
}

static void tell(struct making *k, struct mworker *worker, struct vctx *ctx)
{
    struct strbuf *out = k->t->told;
    SCOPED_STRBUF label = {0};
    k->m->o.model->ops->label(worker, &label);
    for (size_t i = 0; i < k->sent.n && out->n < 6000; i++) {
        const struct pend *p = &k->sent.v[i];
        strbuf_printf(out, "    %s sends%s%s ", strbuf_cstr(&label), p->peer < 64 ? " " : "",
                      p->peer < 64 ? k->m->nodes[p->peer].name : "");
        val_print(ctx, p->v, out);
        strbuf_addc(out, '\n');
    }
    if (k->sent.n == 0 && out->n < 6000) {
        strbuf_printf(out, "    %s sends nothing\n", strbuf_cstr(&label));
    }
}

static int sink_step(void *arg, struct mworker *worker, const struct candidate *cand)
{
    (void)cand;
    struct making *k = arg;
    struct monitor *m = k->m;
    struct step_view view;
    bool unsynced = false;
    model_step(worker, &view);
    k->sent.n = 0;
    if (!split(k, view.ctx, view.now[m->net.var], view.next[m->net.var]) ||
        !own_step(k, &view, &unsynced)) {
        return 0;
    }
    learn(k, worker);
    m->counts.steps++;
    k->t->made++;
    if (k->t->probe) {
        tell(k, worker, view.ctx);
        return 0;
    }
    struct spot *y = spot_after(k, state_of(m, view.ctx, k->vals), unsynced);
    if (m->net.kind == NET_SET) { /* what it has sent it may send again */
        for (size_t i = 0; i < k->sent.n; i++) {
            y->sent =
                vpool_intern(&m->pool, view.ctx,
                             set_cup(view.ctx, y->sent, set_make(view.ctx, &k->sent.v[i].v, 1)));
        }
    }
    msearch_offer(m, y);
    return 0;
}

/* ---- making it ---- */

static void stand_at(struct monitor *m, const struct spot *x)
{
    const struct vobj *state = val_obj(x->state);
    memcpy(m->cur, state->v, m->o.model->nvar * sizeof m->cur[0]);
    arena_reset(&m->step);
    model_at(m->worker, m->cur, 2);
}

static int run_action(struct monitor *m, struct making *k)
{
    struct val args[PARAMS_MAX];
    const struct own_action *a = &m->actions[k->t->action];
    size_t n = 0;
    for (size_t i = 0; i < PARAMS_MAX; i++) {
        args[i] = VAL_UNDEF;
    }
    if (k->role == ROLE_INPUT && !val_is_undef(k->msg) && val_is_kind(k->msg, VK_TUPLE)) {
        const struct vobj *given = val_obj(k->msg);
        n = given->n < PARAMS_MAX ? given->n : PARAMS_MAX;
        memcpy(args, given->v, n * sizeof args[0]);
    } else if (!k->t->wide && a->seen != 0) {
        n = PARAMS_MAX;
        for (size_t i = 0; i < n; i++) {
            bool peer = (a->peer_at >> i & 1) != 0 && k->peer < m->n_nodes;
            bool self = (a->self_at >> i & 1) != 0;
            args[i] = self ? m->nodes[m->self].value : peer ? m->nodes[k->peer].value : VAL_UNDEF;
            m->restricted |= self || peer;
        }
    } else {
        k->t->wide = true;
    }
    int status = model_next_with(m->worker, k->t->action, args, n, sink_step, k);
    return status < 0 ? monitor_failed(m) : 0;
}

int mstep_make(struct monitor *m, struct taking *t)
{
    const struct spot *x = t->from;
    struct making k = {.m = m,
                       .t = t,
                       .role = m->actions[t->action].role,
                       .peer = MONITOR_ANY_PEER,
                       .msg = VAL_UNDEF};
    t->made = 0;
    stand_at(m, x);
    k.vals = arena_alloc(&m->step, (m->o.model->nvar + 1) * sizeof k.vals[0]);
    if (t->entry != SIZE_MAX) {
        const struct pend *p = &x->p[x->n_out + t->entry];
        k.msg = p->v;
        k.peer = p->peer;
        if (!(p->flags & PEND_INPUT)) {
            struct val *net = &m->cur[m->net.var];
            *net = net_with(m, *net, p->peer, p->v);
            model_at(m->worker, m->cur, 2);
        }
    }
    int status = run_action(m, &k);
    VEC_DONE(&k.sent);
    return status;
}

/* ---- initial states, crashes ---- */

static int sink_first(void *arg, struct mworker *worker, const struct candidate *cand)
{
    (void)cand;
    struct monitor *m = arg;
    struct step_view view;
    struct val vals[512];
    model_step(worker, &view);
    if (m->o.model->nvar > 512 || m->heap.n >= 1000) {
        return 1;
    }
    for (uint32_t i = 0; i < m->o.model->nvar; i++) {
        vals[i] = vpool_intern(&m->pool, view.ctx, view.next[i]);
    }
    struct spot *x = spot_new(m, NULL, 0, 0);
    x->state = state_of(m, view.ctx, vals);
    x->sent = set_empty();
    x->down = m->o.connections ? m->peers : 0;
    x->sure = x->fresh_state = true;
    x->from = VAL_UNDEF;
    m->initial = x->state;
    msearch_offer(m, x);
    return 0;
}

int mstep_initial(struct monitor *m)
{
    return m->o.model->ops->init(m->worker, sink_first, m) < 0 ? monitor_failed(m) : 0;
}

struct reviving {
    struct monitor *m;
    const struct spot *from;
    struct val state;
};

/* Without an action of its own a crash leaves what persists; all else is as at the start. */
static void run_revive(struct vctx *ctx, void *arg)
{
    struct reviving *r = arg;
    struct monitor *m = r->m;
    const struct vobj *old = val_obj(r->from->state);
    for (uint32_t i = 0; i < m->o.model->nvar; i++) {
        const struct own_var *v = &m->vars[i];
        m->cur[i] =
            v->persist || (m->net.kind == NET_SET && (int)i == m->net.var) ? old->v[i] : v->initial;
    }
    r->state = state_of(m, ctx, m->cur);
}

/* Nothing that waited is left: neither what had arrived, nor what was to be sent, nor
 * connections. */
static struct spot *spot_empty(struct monitor *m, const struct spot *x)
{
    struct spot bare = *x;
    bare.n_out = bare.n_in = 0;
    struct spot *y = spot_new(m, &bare, 0, 0);
    y->down = m->o.connections ? m->peers : 0;
    y->fresh = y->broken = 0;
    y->from = VAL_UNDEF;
    y->fresh_state = false;
    memset(y->since, 0, sizeof y->since);
    y->unsynced = y->behind = false;
    y->stage = 0;
    y->depth = 0;
    return y;
}

int mstep_crash(struct monitor *m, struct spot *x, enum role role)
{
    bool any = false;
    int status = 0;
    struct spot *bare = spot_empty(m, x);
    bare->i++;
    bare->crashed = role == ROLE_CRASH;
    if (x->crashed == bare->crashed) { /* it is down, or up, already */
        msearch_offer(m, bare);
        return 0;
    }
    for (uint32_t a = 0; status == 0 && a < m->o.model->naction; a++) {
        if (m->actions[a].role == role) {
            struct taking t = {.from = bare, .action = a, .entry = SIZE_MAX};
            any = true;
            status = mstep_make(m, &t);
        }
    }
    if (!any && status == 0) {
        struct reviving r = {m, x, VAL_UNDEF};
        if (role == ROLE_CRASH && model_with_values(m->worker, run_revive, &r) != MODEL_OK) {
            status = monitor_failed(m);
        } else {
            struct spot *y = spot_new(m, bare, 0, 0);
            y->state = role == ROLE_CRASH ? r.state : x->state;
            y->fresh_state = true;
            msearch_offer(m, y);
        }
    }
    vec_release(bare);
    return status;
}
