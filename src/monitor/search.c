/* The search: best first over where the node could be.
 *
 * A spot costs what nobody saw: steps without a cause, emissions that were never seen to leave,
 * messages that were not handled when they came. Of two spots the one with less cost for its
 * number of events comes first, so the search runs along the plain explanation and looks back only
 * when that ends. A spot is expanded in stages, each later one dearer: what is in the inbox, the
 * next event, steps of the node's own, and the first and third again without the arguments that
 * were learned. Spots that are more than a window behind are given up. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/vec.h"
#include "eval/eval.h"
#include "map/map.h"
#include "model/model.h"
#include "monitor/limits.h"
#include "monitor/monitor.h"
#include "monitor/monitor_int.h"
#include "value/value.h"

uint64_t msearch_end(const struct monitor *m)
{
    return m->first + m->events.n;
}

/* ---- the heap ---- */

static bool before(const struct monitor *m, const struct spot *a, const struct spot *b)
{
    if (m->o.exact && a->i != b->i) {
        return a->i < b->i;
    }
    if (a->rank != b->rank) {
        return a->rank < b->rank;
    }
    return a->i != b->i ? a->i > b->i : a->seq > b->seq;
}

static void heap_push(struct monitor *m, struct spot *x)
{
    x->seq = m->seq++;
    x->rank = (int64_t)x->cost * COST_WEIGHT - (int64_t)x->i;
    VEC_PUSH(&m->heap, x);
    size_t k = m->heap.n - 1;
    for (; k > 0 && before(m, x, m->heap.v[(k - 1) / 2]); k = (k - 1) / 2) {
        m->heap.v[k] = m->heap.v[(k - 1) / 2];
    }
    m->heap.v[k] = x;
}

static struct spot *heap_pop(struct monitor *m)
{
    struct spot *top = m->heap.v[0], *x = VEC_POP(&m->heap);
    size_t k = 0;
    for (;;) {
        size_t c = 2 * k + 1;
        if (c >= m->heap.n) {
            break;
        }
        c += c + 1 < m->heap.n && before(m, m->heap.v[c + 1], m->heap.v[c]) ? 1 : 0;
        if (!before(m, m->heap.v[c], x)) {
            break;
        }
        m->heap.v[k] = m->heap.v[c];
        k = c;
    }
    if (m->heap.n != 0) {
        m->heap.v[k] = x;
    }
    return top;
}

static bool too_far_back(const struct monitor *m, const struct spot *x)
{
    return x->i + m->o.window < m->best;
}

/* What is so much odder than the best explanation is none: a node does not send a dozen messages
 * that nobody sees while it is connected. Steps that nobody could see are odd only in numbers. */
static bool too_dear(const struct monitor *m, const struct spot *x)
{
    const struct spot *best = m->last;
    if (best == NULL) {
        return false;
    }
    return m->o.exact ? x->cost > best->cost + EXACT_COST
                      : x->odd > best->odd + ODD_MOST || x->cost > best->cost + COST_MOST;
}

/* Gives up what is more than a window behind. */
void msearch_sweep(struct monitor *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->heap.n; i++) {
        struct spot *x = m->heap.v[i];
        if (too_far_back(m, x)) {
            vec_release(x);
            m->lost++;
        } else {
            m->heap.v[n++] = x;
        }
    }
    m->heap.n = 0;
    for (size_t i = 0; i < n; i++) {
        struct spot *x = m->heap.v[i];
        uint64_t seq = x->seq;
        heap_push(m, x);
        x->seq = seq;
    }
}

/* ---- what was seen ---- */

static uint64_t pend_hash(const struct pend *p)
{
    uint64_t word = val_is_obj(p->v) ? val_obj(p->v)->hash : p->v.w;
    return hash_combine(word, p->peer + ((uint64_t)p->action << 8));
}

/* Emissions to peers without a connection are no difference. */
static bool matters(const struct spot *x, const struct pend *p)
{
    return !(p->flags & PEND_MAYBE) || (p->peer < 64 && (x->fresh >> p->peer & 1) != 0);
}

static uint64_t spot_key(const struct monitor *m, const struct spot *x)
{
    uint64_t key = hash_combine(x->i, val_obj(x->state)->hash);
    key = hash_combine(key, x->down * 4 + (x->unsynced ? 2 : 0) + (x->crashed ? 1 : 0));
    if (m->net.kind == NET_SET && val_is_obj(x->sent)) {
        key = hash_combine(key, val_obj(x->sent)->hash);
    }
    key = x->bad != 0 ? hash_combine(key, x->bad) : key;
    for (size_t d = 0; d < m->judge.n_deadlines; d++) {
        key = hash_combine(key, x->since[d]);
    }
    for (uint32_t i = 0; i < x->n_out + x->n_in; i++) {
        if (i >= x->n_out || matters(x, &x->p[i])) {
            key = hash_combine(key, pend_hash(&x->p[i]) + (i >= x->n_out));
        }
    }
    return key + (key == 0);
}

static bool seen_add(struct monitor *m, uint64_t key)
{
    if (2 * m->n_seen >= m->cap_seen) {
        uint64_t *old = m->seen;
        size_t n = m->cap_seen, cap = 0;
        bool forget = n >= SEEN_MOST;
        m->cap_seen = forget ? n : n != 0 ? 2 * n : 4096;
        m->seen = vec_grow(NULL, &cap, m->cap_seen, sizeof *m->seen);
        memset(m->seen, 0, m->cap_seen * sizeof *m->seen);
        m->n_seen = 0;
        for (size_t i = 0; i < n && !forget; i++) {
            if (old[i] != 0) {
                (void)seen_add(m, old[i]);
            }
        }
        vec_release(old);
    }
    size_t k = key & (m->cap_seen - 1);
    for (; m->seen[k] != 0; k = (k + 1) & (m->cap_seen - 1)) {
        if (m->seen[k] == key) {
            return false;
        }
    }
    m->seen[k] = key;
    m->n_seen++;
    return true;
}

void msearch_offer(struct monitor *m, struct spot *x)
{
    if (too_far_back(m, x) || too_dear(m, x) || !seen_add(m, spot_key(m, x))) {
        m->counts.duplicates++;
        vec_release(x);
        return;
    }
    m->counts.nodes++;
    heap_push(m, x);
}

void msearch_guess(struct monitor *m, struct spot *x)
{
    (void)seen_add(m, spot_key(m, x));
    heap_push(m, x);
}

/* ---- what the next events say ---- */

static bool goes_to(const struct monitor *m, const struct kept_event *e, uint32_t peer)
{
    return e->kind == MONITOR_SEND && (m->net.kind != NET_QUEUE || e->peer == peer);
}

/* Queues keep their order: the emission must be what leaves next, after those before it. */
static uint32_t misfit_queue(struct monitor *m, const struct spot *x, size_t from, bool own)
{
    uint64_t at[MONITOR_PEERS_MAX], end = msearch_end(m);
    uint64_t limit = end - x->i > m->o.look ? x->i + m->o.look : end;
    bool full = limit == x->i + m->o.look;
    uint32_t bad = 0;
    for (uint32_t p = 0; p < m->n_nodes; p++) {
        at[p] = x->i;
    }
    for (uint32_t k = 0; k < x->n_out; k++) {
        const struct pend *o = &x->p[k];
        if (o->flags & PEND_MAYBE) {
            continue;
        }
        uint64_t *e = &at[o->peer];
        while (*e < limit && !goes_to(m, mevent_at(m, *e), o->peer)) {
            (*e)++;
        }
        if (*e >= limit) {
            bad += k < from ? 0 : own ? NOT_SEEN : full ? 1 : 0;
        } else if (val_same(mevent_at(m, *e)->msg, o->v)) {
            (*e)++;
        } else {
            bad += k >= from ? MISFIT : 0;
        }
    }
    return bad;
}

static uint32_t misfit_any(struct monitor *m, const struct spot *x, size_t from, bool own)
{
    uint64_t end = msearch_end(m), limit = end - x->i > m->o.look ? x->i + m->o.look : end;
    bool full = limit == x->i + m->o.look;
    uint32_t bad = 0;
    for (size_t k = from; k < x->n_out; k++) {
        uint64_t e = x->i;
        while (e < limit && !(mevent_at(m, e)->kind == MONITOR_SEND &&
                              val_same(mevent_at(m, e)->msg, x->p[k].v))) {
            e++;
        }
        bad += e < limit ? 0 : own ? NOT_SEEN : full ? 1 : 0;
    }
    return bad;
}

uint32_t msearch_loose(struct monitor *m, const struct spot *x, size_t from)
{
    uint64_t end = msearch_end(m), limit = end - x->i > m->o.look ? x->i + m->o.look : end;
    for (size_t k = from; k < x->n_out; k++) {
        const struct pend *o = &x->p[k];
        if (o->peer >= 64 || (x->fresh >> o->peer & 1) == 0) {
            continue;
        }
        uint64_t e = x->i;
        while (e < limit &&
               !(goes_to(m, mevent_at(m, e), o->peer) && val_same(mevent_at(m, e)->msg, o->v))) {
            e++;
        }
        if (e == limit) {
            return NOT_SEEN;
        }
    }
    return 0;
}

uint32_t msearch_misfit(struct monitor *m, const struct spot *x, size_t from, bool own)
{
    if (from >= x->n_out) {
        return 0;
    }
    return m->net.kind == NET_QUEUE ? misfit_queue(m, x, from, own) : misfit_any(m, x, from, own);
}

/* ---- the next event ---- */

static struct spot *after_event(struct monitor *m, const struct spot *x, size_t more_in)
{
    struct spot *y = spot_new(m, x, 0, more_in);
    y->i++;
    y->depth = 0;
    y->stage = STAGE_INBOX;
    return y;
}

static void arrive(struct monitor *m, const struct spot *x, const struct kept_event *e)
{
    struct spot *y = after_event(m, x, 1);
    y->p[y->n_out + y->n_in++] = (struct pend){
        .v = e->msg,
        .action = e->action,
        .since = (uint32_t)x->i,
        .peer = (uint8_t)(e->peer < m->n_nodes ? e->peer : MONITOR_ANY_PEER),
        .flags = e->kind == MONITOR_INPUT ? PEND_INPUT : 0,
    };
    if (m->net.kind == NET_SET && e->kind == MONITOR_RECEIVE) {
        y->state = mstep_join(m, y->state, e->msg);
    }
    msearch_offer(m, y);
}

static bool must_be_synced(struct monitor *m, struct val msg)
{
    struct val yes = VAL_FALSE;
    if (m->o.map->watch.synced == NULL || !m->syncs) {
        return false;
    }
    return map_apply(m->worker, m->o.map->watch.synced, &msg, &yes) == MODEL_OK &&
           val_same(yes, VAL_TRUE);
}

enum { AROUND = 32 };

/* While blind: it may be of what was not seen. What is far from where a guess began speaks against
 * it. */
static void pass_over(struct monitor *m, const struct spot *x)
{
    struct spot *y = after_event(m, x, 0);
    y->cost += PASSED_OVER;
    y->proof = 0;
    y->proof_from = y->i;
    y->sure = y->sure && y->i <= y->born + AROUND;
    msearch_offer(m, y);
}

static void remove_out(struct spot *y, size_t k)
{
    memmove(&y->p[k], &y->p[k + 1], (y->n_out + y->n_in - k - 1) * sizeof y->p[0]);
    y->n_out--;
}

/* The message leaves: it must be outstanding. In a queue what stands before it never left. */
static void leave(struct monitor *m, const struct spot *x, const struct kept_event *e)
{
    uint32_t skipped = 0;
    bool queue = m->net.kind == NET_QUEUE;
    for (uint32_t k = 0; k < x->n_out; k++) {
        const struct pend *o = &x->p[k];
        if (queue && o->peer != e->peer) {
            continue;
        }
        if (!val_same(o->v, e->msg)) {
            skipped += queue && !(o->flags & PEND_MAYBE) ? 1 : 0;
            continue;
        }
        if ((o->flags & PEND_UNSYNCED) && must_be_synced(m, e->msg)) {
            skipped += queue ? 1 : 0;
            continue;
        }
        struct spot *y = after_event(m, x, 0);
        remove_out(y, k);
        for (uint32_t q = k; queue && q-- > 0;) {
            if (y->p[q].peer == e->peer) {
                remove_out(y, q);
            }
        }
        uint32_t odd = SKIPPED * skipped < SKIPPED_MOST ? SKIPPED * skipped : SKIPPED_MOST;
        y->cost += odd;
        y->odd += odd;
        y->proof++;
        m->counts.unseen += skipped;
        if (e->peer < 64) {
            y->down &= ~(UINT64_C(1) << e->peer) | y->broken; /* into the void */
            y->fresh &= ~(UINT64_C(1) << e->peer);
        }
        msearch_offer(m, y);
        return;
    }
    if (m->blind) {
        pass_over(m, x);
    }
}

struct member_run {
    struct val v, set;
    bool yes;
};

static void run_member(struct vctx *ctx, void *arg)
{
    struct member_run *r = arg;
    r->yes = set_member(ctx, r->v, r->set);
}

/* In a set a message stays, and may be seen again. */
static void leave_again(struct monitor *m, const struct spot *x, const struct kept_event *e)
{
    struct member_run r = {e->msg, x->sent, false};
    if (model_with_values(m->worker, run_member, &r) == MODEL_OK && r.yes) {
        struct spot *y = after_event(m, x, 0);
        for (uint32_t k = 0; k < y->n_out; k++) {
            if (val_same(y->p[k].v, e->msg)) {
                remove_out(y, k);
                break;
            }
        }
        y->proof++;
        msearch_offer(m, y);
    } else if (m->blind) {
        pass_over(m, x);
    }
}

static void connect_peer(struct monitor *m, const struct spot *x, const struct kept_event *e)
{
    struct spot *y = after_event(m, x, 0);
    uint64_t bit = e->peer < 64 ? UINT64_C(1) << e->peer : 0;
    if (e->kind == MONITOR_UP) {
        y->down &= ~bit;
        y->fresh |= bit;
        y->broken &= ~bit;
    } else {
        y->broken |= bit;
        y->down |= bit;
        y->fresh &= ~bit;
        for (uint32_t k = 0; k < y->n_out; k++) {
            if (y->p[k].peer == e->peer) {
                y->p[k].flags |= PEND_MAYBE;
            }
        }
    }
    msearch_offer(m, y);
}

static void sync_done(struct monitor *m, const struct spot *x)
{
    struct spot *y = after_event(m, x, 0);
    y->unsynced = false;
    for (uint32_t k = 0; k < y->n_out; k++) {
        y->p[k].flags &= (uint8_t)~PEND_UNSYNCED;
    }
    msearch_offer(m, y);
}

static int take_event(struct monitor *m, struct spot *x)
{
    const struct kept_event *e = mevent_at(m, x->i);
    switch (e->kind) {
    case MONITOR_RECEIVE:
    case MONITOR_INPUT: arrive(m, x, e); break;
    case MONITOR_SEND:
        if (m->net.kind == NET_SET) {
            leave_again(m, x, e);
        } else {
            leave(m, x, e);
        }
        break;
    case MONITOR_UP:
    case MONITOR_DOWN: connect_peer(m, x, e); break;
    case MONITOR_SYNC: sync_done(m, x); break;
    case MONITOR_CRASH: return mstep_crash(m, x, ROLE_CRASH);
    case MONITOR_RESTART: return mstep_crash(m, x, ROLE_RESTART);
    case MONITOR_GAP:
    case MONITOR_OBSERVED: break; /* never kept */
    }
    return 0;
}

/* ---- steps of the node ---- */

/* Of a queue only the first message of each peer can be taken. */
static bool is_first(const struct monitor *m, const struct spot *x, uint32_t entry)
{
    const struct pend *in = x->p + x->n_out;
    for (uint32_t i = 0; i < entry; i++) {
        bool same_peer = m->net.kind == NET_QUEUE && in[i].peer == in[entry].peer &&
                         !((in[i].flags | in[entry].flags) & PEND_INPUT);
        bool same = val_same(in[i].v, in[entry].v) && in[i].action == in[entry].action;
        if (same_peer || same) {
            return false;
        }
    }
    return true;
}

/* `late`: only what clients have asked for, and was not done then. */
static int take_inbox(struct monitor *m, struct spot *x, bool wide, bool late, bool *ret_any)
{
    struct pend *in = x->p + x->n_out;
    int status = 0;
    *ret_any = false;
    for (uint32_t i = 0; status == 0 && i < x->n_in; i++) {
        bool input = (in[i].flags & PEND_INPUT) != 0;
        if ((in[i].flags & PEND_TRIED) && !wide && !late) {
            continue;
        }
        if (late && !input) {
            continue;
        }
        in[i].flags |= PEND_TRIED;
        if (!is_first(m, x, i)) {
            continue;
        }
        for (uint32_t a = 0; status == 0 && a < m->o.model->naction; a++) {
            enum role role = m->actions[a].role;
            struct taking t = {
                .from = x, .action = a, .entry = i, .wide = wide, .cost = late ? LATE : 0};
            if (input ? a == in[i].action : role == ROLE_RECEIVE) {
                status = mstep_make(m, &t);
                *ret_any |= t.made != 0;
            }
        }
    }
    return status;
}

static int take_own(struct monitor *m, struct spot *x, bool wide)
{
    int status = 0;
    for (uint32_t a = 0; status == 0 && a < m->o.model->naction; a++) {
        const struct own_action *action = &m->actions[a];
        bool own = action->role == ROLE_OWN || (action->role == ROLE_INPUT && !action->inputs);
        bool late = m->net.kind == NET_SET && action->role == ROLE_RECEIVE;
        if (own || late) {
            struct taking t = {.from = x, .action = a, .entry = SIZE_MAX, .cost = 1, .wide = wide};
            status = mstep_make(m, &t);
        }
    }
    return status;
}

/* What only the node's own steps could explain. */
static bool wants_own(const struct monitor *m, const struct spot *x, const struct kept_event *e)
{
    return e->kind == MONITOR_SEND || e->kind == MONITOR_INPUT || e->kind == MONITOR_CRASH ||
           (e->kind == MONITOR_SYNC && !x->unsynced) ||
           (e->kind == MONITOR_UP && x->down == m->peers); /* what it did alone */
}

/* What clients have asked for and was not done is not done any more: the node did not lead, say.
 * Messages of bags get lost. */
enum { WAITS_MOST = 32 };

static void drop_old(const struct monitor *m, struct spot *x)
{
    struct pend *in = x->p + x->n_out;
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n_in; i++) {
        bool may = m->net.kind != NET_QUEUE || (in[i].flags & PEND_INPUT) != 0;
        if (!may || (uint32_t)x->i - in[i].since < WAITS_MOST) {
            in[n++] = in[i];
        }
    }
    x->n_in = n;
}

/* Emissions that nobody will see any more. */
static void drop_out(struct spot *x)
{
    if (x->n_out > OUT_MOST) {
        remove_out(x, 0);
    }
}

static int expand(struct monitor *m, struct spot *x)
{
    bool any = false;
    int status = 0;
    switch ((enum stage)x->stage) {
    case STAGE_INBOX:
        if (m->judge.n + m->judge.n_deadlines != 0) {
            uint32_t cost = x->cost;
            status = mjudge_spot(m, x);
            if (status != 0 || x->cost != cost) { /* it is looked at again when its turn comes */
                heap_push(m, x);
                return status;
            }
        }
        drop_old(m, x);
        drop_out(x);
        if (x->n_in > IN_MOST && (m->blind || m->doubt)) {
            x->n_in = 0; /* a guess that does not take what comes is none for long */
        } else if (x->n_in > IN_MOST && m->net.kind == NET_QUEUE) {
            m->uncertain_until = m->best + m->o.window;
            vec_release(x);
            return 0;
        }
        if (x->n_in != 0 && !x->crashed) {
            status = take_inbox(m, x, false, false, &any);
        }
        if (m->net.kind == NET_SET && !m->any_input) {
            x->n_in = 0; /* they are in the state, and can be taken at any time */
        }
        if (any && !x->behind) { /* not to take what has come is odd, the first time */
            x->cost++;
            x->odd++;
            x->behind = true;
        }
        break;
    case STAGE_EVENT:
        if (x->i == m->best &&
            (m->shown == NULL || m->shown->i < x->i || m->shown->n_out < x->n_out)) {
            vec_release(m->shown);
            m->shown = spot_new(m, x, 0, 0);
        }
        status = take_event(m, x);
        break;
    case STAGE_OWN:
        if (!x->crashed && wants_own(m, x, mevent_at(m, x->i))) {
            status = take_own(m, x, false);
            status = status == 0 && m->any_input ? take_inbox(m, x, false, true, &any) : status;
        }
        x->cost += 2;
        break;
    case STAGE_WIDE:
        if (m->restricted && !x->crashed) {
            status = take_inbox(m, x, true, false, &any);
            status =
                status == 0 && wants_own(m, x, mevent_at(m, x->i)) ? take_own(m, x, true) : status;
        }
        vec_release(x);
        return status;
    }
    x->stage++;
    if (too_dear(m, x)) {
        vec_release(x);
    } else {
        heap_push(m, x);
    }
    return status;
}

/* ---- running ---- */

static void keep_last(struct monitor *m, const struct spot *x)
{
    vec_release(m->last);
    m->last = spot_new(m, x, 0, 0);
}

static void count_states(struct monitor *m)
{
    uint64_t n = 0;
    for (size_t i = 0; m->o.exact && i < m->heap.n; i++) {
        n += m->heap.v[i]->i == m->best ? 1 : 0;
    }
    n = m->o.exact ? n + 1 : m->heap.n + 1;
    m->counts.states_sum += n;
    m->counts.states_most = n > m->counts.states_most ? n : m->counts.states_most;
    m->counts.one_state += n == 1 ? 1 : 0;
}

/* The first to have got that far. */
static int progress(struct monitor *m, const struct spot *x)
{
    m->best = x->i;
    m->pops = 0;
    keep_last(m, x);
    mblind_progress(m, x);
    count_states(m);
    if (m->heap.n > m->sweep_at) {
        msearch_sweep(m);
        m->sweep_at = 2 * m->heap.n > HEAP_SWEEP ? 2 * m->heap.n : HEAP_SWEEP;
    }
    return 0;
}

/* A guess that ends is none; only what is known can end with a verdict. */
static void ended(struct monitor *m, enum monitor_verdict verdict)
{
    if (m->blind || m->doubt) {
        m->violated = 0;
        mblind_lost(m, verdict == MONITOR_UNRESOLVED);
    } else {
        m->verdict = verdict;
    }
}

/* No explanation is left that keeps what must hold. */
static void break_off(struct monitor *m, struct spot *x)
{
    m->violated = x->bad;
    keep_last(m, x);
    vec_release(x);
    ended(m, m->best < m->uncertain_until ? MONITOR_UNRESOLVED : MONITOR_ALARM);
}

static int search_run(struct monitor *m, uint64_t until)
{
    int status = 0;
    while (status == 0 && m->heap.n != 0 && m->verdict == MONITOR_OK) {
        const struct spot *top = m->heap.v[0];
        if (top->i >= until && (m->last != NULL || top->i >= msearch_end(m))) {
            if (top->i > m->best || m->last == NULL) {
                status = progress(m, top);
            }
            break;
        }
        struct spot *x = heap_pop(m);
        if (too_far_back(m, x)) {
            m->lost++;
            vec_release(x);
            continue;
        }
        if (x->i > m->best || m->last == NULL) {
            status = progress(m, x);
        }
        if (x->bad != 0 && mjudge_all_bad(m, x)) {
            break_off(m, x);
            break;
        }
        uint32_t blind = msearch_end(m) <= m->trust_until ? TRUST_POPS : BLIND_POPS;
        uint32_t most = m->blind && m->o.pops_most > blind ? blind : m->o.pops_most;
        if (++m->pops > most || m->pool.full ||
            (m->o.exact && m->heap.n > EXACT_MOST * (size_t)m->o.window)) {
            vec_release(x);
            ended(m, MONITOR_UNRESOLVED);
            break;
        }
        if (x->i >= msearch_end(m)) { /* others before it may still be cheaper */
            heap_push(m, x);
            break;
        }
        status = expand(m, x);
        if (m->heap.n > PLACES_MOST || m->pops % BYTES_EVERY == BYTES_EVERY - 1) {
            msearch_give_up(m);
        }
        if (m->pool.used > m->move_at && status == 0) {
            status = msearch_move(m);
        }
    }
    if (status == 0 && m->heap.n == 0 && m->verdict == MONITOR_OK) {
        ended(m, m->best < m->uncertain_until ? MONITOR_UNRESOLVED : MONITOR_ALARM);
    }
    msearch_forget(m);
    return status;
}

/* ---- the public side ---- */

int monitor_new(const struct monitor_options *options, struct monitor **ret, struct err *err)
{
    size_t cap = 0;
    struct monitor *m = vec_grow(NULL, &cap, 1, sizeof *m);
    memset(m, 0, sizeof *m);
    *ret = m;
    m->o = *options;
    m->o.window = m->o.window != 0 ? m->o.window : WINDOW;
    m->o.look = m->o.look != 0 ? m->o.look : LOOK;
    m->o.pops_most = m->o.pops_most != 0 ? m->o.pops_most : POPS_MOST;
    m->move_at = msearch_move_at(m);
    m->err = err;
    arena_init(&m->arena, 0);
    arena_init(&m->step, 0);
    int status = vpool_init(&m->pool, err);
    status = status != 0 ? status : m->o.model->ops->worker_new(m->o.model, 0, 1, &m->worker, err);
    if (status == 0) {
        m->worker->quiet = true;
        model_counting(m->worker, false);
        status = monitor_spec(m, err);
    }
    status = status != 0 ? status : mjudge_new(m, err);
    status = status != 0 ? status : mstep_initial(m);
    if (status == 0) {
        mblind_begin(m);
    }
    return status;
}

void monitor_free(struct monitor *m)
{
    if (m == NULL) {
        return;
    }
    for (size_t i = 0; i < m->heap.n; i++) {
        vec_release(m->heap.v[i]);
    }
    vec_release(m->last);
    vec_release(m->shown);
    VEC_DONE(&m->heap);
    VEC_DONE(&m->events);
    vec_release(m->seen);
    if (m->worker != NULL) {
        m->o.model->ops->worker_free(m->worker);
    }
    vpool_done(&m->pool);
    arena_done(&m->step);
    arena_done(&m->arena);
    vec_release(m);
}

struct keeping {
    struct monitor *m;
    struct val v;
};

static void run_keep(struct vctx *ctx, void *arg)
{
    struct keeping *k = arg;
    k->v = vpool_intern(&k->m->pool, ctx, k->v);
}

enum { SETTLE_MOST = 200 };

/* All that was given, and what has come is handled where it can be. */
static int run_to_end(struct monitor *m)
{
    uint64_t end = msearch_end(m);
    int status = search_run(m, end);
    for (int k = 0; status == 0 && m->verdict == MONITOR_OK && k < SETTLE_MOST; k++) {
        const struct spot *top = m->heap.n != 0 ? m->heap.v[0] : NULL;
        if (top == NULL || top->i != end) {
            break;
        }
        keep_last(m, top);
        if (top->bad != 0 && mjudge_all_bad(m, top)) {
            break_off(m, heap_pop(m));
            break;
        }
        if (top->stage != STAGE_INBOX || top->n_in == 0) {
            break;
        }
        status = expand(m, heap_pop(m));
    }
    return status;
}

/* What says something of the seeing, not of the node. */
static int about_seeing(struct monitor *m, const struct monitor_event *event, struct val values)
{
    if (event->kind == MONITOR_OBSERVED) {
        return mblind_observed(m, values);
    }
    int status = run_to_end(m);
    if (status == 0 && m->verdict == MONITOR_OK) {
        mblind_gap(m);
    }
    return status;
}

int monitor_event(struct monitor *m, const struct monitor_event *event, struct err *err)
{
    struct keeping k = {m, event->msg};
    m->err = err;
    m->counts.events++;
    m->now_ns = event->time_ns;
    if (m->verdict != MONITOR_OK) {
        return 0;
    }
    bool has_msg = event->kind <= MONITOR_INPUT || event->kind == MONITOR_OBSERVED;
    if (has_msg && model_with_values(m->worker, run_keep, &k) != MODEL_OK) {
        return monitor_failed(m);
    }
    if (event->kind == MONITOR_GAP || event->kind == MONITOR_OBSERVED) {
        return about_seeing(m, event, k.v);
    }
    m->syncs |= event->kind == MONITOR_SYNC;
    m->o.connections |= event->kind == MONITOR_UP || event->kind == MONITOR_DOWN;
    struct kept_event kept = {.kind = event->kind,
                              .peer = event->peer,
                              .action = event->action,
                              .msg = has_msg ? k.v : VAL_UNDEF,
                              .place = event->place,
                              .time_ns = event->time_ns};
    VEC_PUSH(&m->events, kept);
    if (m->blind) {
        mblind_next(m, event->kind);
        if (mblind_rests(m, event->kind)) {
            msearch_forget(m);
            return 0;
        }
    }
    uint64_t end = msearch_end(m);
    return end > m->o.look ? search_run(m, end - m->o.look) : 0;
}

/* Other explanations than the best one keep what it breaks: that is not decided. */
static void doubt_end(struct monitor *m)
{
    if (m->verdict == MONITOR_OK && m->last != NULL && m->last->bad != 0 && !m->blind &&
        !m->doubt) {
        m->violated = m->last->bad;
        m->verdict = MONITOR_UNRESOLVED;
    }
}

int monitor_flush(struct monitor *m, struct err *err)
{
    m->err = err;
    int status = m->verdict == MONITOR_OK ? run_to_end(m) : 0;
    if (status == 0) {
        doubt_end(m);
    }
    return status;
}

int monitor_catch_up(struct monitor *m, struct err *err)
{
    m->err = err;
    return m->verdict == MONITOR_OK ? search_run(m, msearch_end(m)) : 0;
}
