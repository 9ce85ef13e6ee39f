/* Runs along a path and on.
 *
 * The policies: WALK_WINDOW is the heuristic of "Applying a deterministic approach for distributed
 * systems black-box testing" (Lee and Levchenko, section 4): what a node's turn does, by its system
 * calls, is an event; the more often the last few were seen in this order, the likelier a fault.
 * WALK_POS is partial order sampling (Yuan, Yang, Gu, 2018). WALK_PCT is PCT on chains of causally
 * ordered events (Ozkan and others, 2018): the chains are found as the run goes on, a delivery
 * continues the chain that its packet was sent from if nothing else has. */
#include "explore/walk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/pack.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/space.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "world/world.h"

enum { MILLION = 1000000, FAULT_PPM = 50000, WINDOW_PPM_MOST = 500000, DOUBLES_MOST = 32 };
enum { NONE = -1 };

void xwalk_task_done(struct walk_task *task)
{
    VEC_DONE(&task->path);
    VEC_DONE(&task->sleep);
    VEC_DONE(&task->visits);
    xpackets_done(&task->mail);
}

void xwalk_done(struct walk *walk)
{
    for (size_t i = 0; i < walk->steps.n; i++) {
        VEC_DONE(&walk->steps.v[i].sent);
    }
    VEC_DONE(&walk->steps);
    VEC_DONE(&walk->possible);
    VEC_DONE(&walk->from);
    VEC_DONE(&walk->windows);
    xpackets_done(&walk->posted);
    strbuf_done(&walk->text);
}

/* ---- policies ---- */

struct chain {
    uint64_t priority;
    uint64_t last; /* name of its last event */
};
struct walker {
    struct space *space;
    const struct cluster *cluster;
    const struct walk_task *task;
    struct walk *walk;
    struct rng rng;
    VEC(struct xevent) sleep;
    struct u64map priorities; /* pos: of events, by name */
    struct u64map visits;     /* window: how often */
    struct u64map chain_of;   /* pct: event -> chain */
    VEC(struct chain) chains;
    VEC(uint64_t) changes; /* pct: after so many events, sorted */
};

static void walker_begin(struct walker *k)
{
    const struct walk_task *task = k->task;
    rng_seed(&k->rng, task->seed);
    for (size_t i = 0; i < task->sleep.n; i++) {
        VEC_PUSH(&k->sleep, task->sleep.v[i]);
    }
    for (size_t i = 0; i < task->visits.n; i++) {
        u64map_put(&k->visits, task->visits.v[i].key, task->visits.v[i].value);
    }
    uint32_t d = k->cluster->explore.pct_depth;
    for (uint32_t i = 1; task->policy == WALK_PCT && i < d && task->span != 0; i++) {
        VEC_PUSH(&k->changes, rng_below(&k->rng, task->span));
    }
}

static void walker_done(struct walker *k)
{
    VEC_DONE(&k->sleep);
    VEC_DONE(&k->chains);
    VEC_DONE(&k->changes);
    u64map_done(&k->priorities);
    u64map_done(&k->visits);
    u64map_done(&k->chain_of);
}

/* Any of those that are faults, or that are none; NONE: there is no such. */
static int any(struct walker *k, const struct xevent *list, size_t n, bool faults)
{
    int found = NONE;
    size_t seen = 0;
    for (size_t i = 0; i < n; i++) {
        if (xevent_is_fault(&list[i]) == faults && rng_below(&k->rng, ++seen) == 0) {
            found = (int)i;
        }
    }
    return found;
}

static int pick_random(struct walker *k, const struct xevent *list, size_t n, uint64_t fault_ppm)
{
    bool fault = rng_below(&k->rng, MILLION) < fault_ppm;
    int found = any(k, list, n, fault);
    return found != NONE ? found : any(k, list, n, !fault);
}

static int pick_first(const struct walker *k, const struct xevent *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool asleep = false;
        for (size_t j = 0; j < k->sleep.n; j++) {
            asleep = asleep || k->sleep.v[j].name == list[i].name;
        }
        if (!asleep) {
            return (int)i;
        }
    }
    return NONE;
}

/* The last events of the run, each by the calls that it led to. */
static uint64_t window_hash(const struct walker *k)
{
    size_t n = space_depth(k->space), length = k->cluster->explore.window;
    uint64_t hash = 1;
    for (size_t i = n > length ? n - length : 0; i < n; i++) {
        const struct xstep *step = space_step(k->space, i);
        hash = hash_combine(hash_combine(hash, step->event.node[0]), step->calls);
    }
    return hash;
}

static int pick_window(struct walker *k, const struct xevent *list, size_t n)
{
    uint64_t window = window_hash(k), visits = 0;
    (void)u64map_get(&k->visits, window, &visits);
    u64map_put(&k->visits, window, visits + 1);
    VEC_PUSH(&k->walk->windows, window);
    uint64_t doubles = visits < DOUBLES_MOST ? visits : DOUBLES_MOST;
    uint64_t chance = (uint64_t)k->cluster->explore.window_ppm << doubles;
    return pick_random(k, list, n, chance < WINDOW_PPM_MOST ? chance : WINDOW_PPM_MOST);
}

static uint64_t priority_of(struct walker *k, const struct xevent *x)
{
    uint64_t priority = 0;
    if (!u64map_get(&k->priorities, x->name, &priority)) {
        priority = rng_next(&k->rng);
        priority = xevent_is_fault(x) && rng_below(&k->rng, MILLION) >= FAULT_PPM
                       ? priority >> 32 /* faults are rare */
                       : priority;
        u64map_put(&k->priorities, x->name, priority);
    }
    return priority;
}

static int pick_pos(struct walker *k, const struct xevent *list, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++) {
        best = priority_of(k, &list[i]) > priority_of(k, &list[best]) ? i : best;
    }
    for (size_t i = 0; i < n; i++) { /* those that race with it get another chance */
        if (i == best || xevent_dependent(k->cluster, &list[i], &list[best])) {
            u64map_put(&k->priorities, list[i].name,
                       rng_next(&k->rng) >> (xevent_is_fault(&list[i]) ? 8 : 0));
        }
    }
    return (int)best;
}

/* The chain that an event continues: of the event that has sent it, if that was the last of it. */
static size_t chain_of(struct walker *k, const struct xevent *x)
{
    uint64_t chain = 0;
    if (u64map_get(&k->chain_of, x->name, &chain)) {
        return (size_t)chain;
    }
    for (size_t i = space_depth(k->space); x->event.kind == EV_DELIVER && i > 0; i--) {
        const struct xstep *step = space_step(k->space, i - 1);
        for (size_t j = 0; j < step->sent.n; j++) {
            if (step->sent.v[j].id == x->event.id &&
                u64map_get(&k->chain_of, step->event.name, &chain) &&
                k->chains.v[chain].last == step->event.name) {
                k->chains.v[chain].last = x->name;
                u64map_put(&k->chain_of, x->name, chain);
                return (size_t)chain;
            }
        }
    }
    VEC_PUSH(&k->chains, (struct chain){rng_next(&k->rng) | UINT64_C(1) << 63, x->name});
    u64map_put(&k->chain_of, x->name, k->chains.n - 1);
    return k->chains.n - 1;
}

static int pick_pct(struct walker *k, const struct xevent *list, size_t n)
{
    size_t best = 0, depth = space_depth(k->space);
    for (size_t i = 0; i < n; i++) {
        size_t chain = chain_of(k, &list[i]);
        best =
            k->chains.v[chain].priority > k->chains.v[chain_of(k, &list[best])].priority ? i : best;
    }
    for (size_t i = 0; i < k->changes.n; i++) {
        if (k->changes.v[i] == depth && n > 1) { /* its chain comes last from now on */
            k->chains.v[chain_of(k, &list[best])].priority = i;
            k->changes.v[i] = UINT64_MAX;
            return pick_pct(k, list, n);
        }
    }
    return (int)best;
}

/* NONE: whatever is possible is asleep. */
static int pick(struct walker *k, const struct xevent *list, size_t n)
{
    switch (k->task->policy) {
    case WALK_FIRST: return pick_first(k, list, n);
    case WALK_RANDOM: return pick_random(k, list, n, FAULT_PPM);
    case WALK_WINDOW: return pick_window(k, list, n);
    case WALK_POS: return pick_pos(k, list, n);
    case WALK_PCT: return pick_pct(k, list, n);
    case WALK_STAY: break;
    }
    return NONE;
}

/* ---- doing it ---- */

static void note_possible(struct walker *k)
{
    const struct xevent *list = NULL;
    size_t n = space_events(k->space, &list);
    VEC_PUSH(&k->walk->from, k->walk->possible.n);
    for (size_t i = 0; k->task->possible && i < n; i++) {
        VEC_PUSH(&k->walk->possible, list[i]);
    }
}

static void note_step(struct walker *k)
{
    const struct xstep *step = space_step(k->space, space_depth(k->space) - 1);
    struct xstep copy = *step;
    memset(&copy.sent, 0, sizeof copy.sent);
    for (size_t i = 0; i < step->sent.n; i++) {
        VEC_PUSH(&copy.sent, step->sent.v[i]);
    }
    VEC_PUSH(&k->walk->steps, copy);
}

static void wake(struct walker *k, const struct xevent *done)
{
    size_t kept = 0;
    for (size_t i = 0; i < k->sleep.n; i++) {
        if (!xevent_dependent(k->cluster, &k->sleep.v[i], done)) {
            k->sleep.v[kept++] = k->sleep.v[i];
        }
    }
    k->sleep.n = kept;
}

static void note_failure(struct walker *k)
{
    struct walk *walk = k->walk;
    if (walk->failure.kind == FAILURE_NONE && space_failure(k->space)->kind != FAILURE_NONE) {
        walk->failure = *space_failure(k->space);
        walk->failed = space_depth(k->space);
        strbuf_addstr(&walk->text, space_failure_text(k->space));
    }
}

/* The rest of the path that is not known; then on. */
static int walk_on(struct walker *k, struct err *err)
{
    const struct walk_task *task = k->task;
    struct walk *walk = k->walk;
    for (;;) {
        const struct xevent *list = NULL;
        size_t n = space_events(k->space, &list), depth = space_depth(k->space);
        note_possible(k);
        note_failure(k);
        if (walk->failure.kind != FAILURE_NONE && n == 0) {
            walk->end = WALK_FAILURE;
            return 0;
        }
        uint64_t name = depth < task->path.n ? task->path.v[depth] : 0;
        if (depth >= task->path.n) {
            int i = n != 0 ? pick(k, list, n) : NONE;
            bool long_enough = task->length != 0 && depth >= task->length;
            walk->end = n == 0        ? WALK_COMPLETE
                        : i == NONE   ? WALK_BLOCKED
                        : long_enough ? WALK_LONG
                                      : walk->end;
            if (n == 0 || i == NONE || long_enough) {
                return 0;
            }
            name = list[i].name;
        }
        int status = space_do(k->space, name, err);
        if (status == -ERR_NOT_FOUND) {
            walk->end = WALK_STUCK;
            return 0;
        }
        if (status != 0) {
            return status;
        }
        note_step(k);
        if (depth >= task->path.n) {
            wake(k, &VEC_LAST(&walk->steps).event);
        }
    }
}

int xwalk_do(struct space *space, const struct cluster *cluster, const struct walk_task *task,
             struct walk *ret, struct err *err)
{
    *ret = (struct walk){0};
    struct walker k = {.space = space, .cluster = cluster, .task = task, .walk = ret};
    walker_begin(&k);
    space_only(space, task->only, &task->mail);
    size_t done = 0, known = task->known < task->path.n ? task->known : task->path.n;
    int status = space_go(space, task->path.v, known, &done, err);
    if (status == 0 && done < known) {
        ret->end = WALK_STUCK;
    } else if (status == 0) {
        status = walk_on(&k, err);
    }
    bool over = ret->end == WALK_COMPLETE || ret->end == WALK_LONG;
    if (status == 0 && over && task->only == 0) {
        status = space_finish(space, err);
        note_failure(&k);
    }
    if (status != 0) {
        ret->end = WALK_BROKEN;
        strbuf_reset(&ret->text);
        strbuf_adds(&ret->text, err->text);
    }
    for (size_t i = 0;
         status == 0 && task->only != 0 && ret->steps.n != 0 && i < space_posted(space)->v.n; i++) {
        xpackets_add(&ret->posted, &space_posted(space)->v.v[i]);
    }
    space_only(space, 0, NULL);
    walker_done(&k);
    return status;
}

/* ---- as bytes ---- */

static void xevent_pack(const struct xevent *x, struct strbuf *out)
{
    uint64_t where = (uint64_t)x->event.kind | (uint64_t)x->event.node << 8 |
                     (uint64_t)x->event.peer << 20 | (uint64_t)x->node[0] << 32 |
                     (uint64_t)x->node[1] << 44;
    pack_u64(out, where);
    pack_u64(out, x->name);
    pack_u64(out, x->event.id);
    pack_u64(out, (uint64_t)x->event.arg);
    pack_u64(out, x->event.at_ns);
    pack_u64(out, x->chan);
    pack_u64(out, x->data);
    pack_bytes(out, x->thread, strnlen(x->thread, sizeof x->thread));
}

static struct xevent xevent_unpack(struct unpack *in)
{
    enum { NODE_MASK = 0xfff };
    struct xevent x = {0};
    uint64_t where = unpack_u64(in);
    uint64_t kind = where & 0xff;
    x.event.kind = kind < EV_KINDS ? (enum event_kind)kind : EV_WAIT;
    x.event.node = where >> 8 & NODE_MASK;
    x.event.peer = where >> 20 & NODE_MASK;
    x.node[0] = where >> 32 & NODE_MASK;
    x.node[1] = where >> 44 & NODE_MASK;
    x.name = unpack_u64(in);
    x.event.id = unpack_u64(in);
    x.event.arg = (int64_t)unpack_u64(in);
    x.event.at_ns = unpack_u64(in);
    x.chan = unpack_u64(in);
    x.data = unpack_u64(in);
    struct str thread = unpack_bytes(in);
    memcpy(x.thread, thread.p, thread.n < sizeof x.thread ? thread.n : sizeof x.thread - 1);
    return x;
}

static void xpackets_pack(const struct xpackets *packets, struct strbuf *out)
{
    pack_u64(out, packets->v.n);
    for (size_t i = 0; i < packets->v.n; i++) {
        const struct xpacket *x = &packets->v.v[i];
        pack_u64(out, x->name);
        pack_u64(out, x->id);
        pack_u64(out, x->data);
        pack_u64(out, x->chan);
        pack_u64(out, (uint64_t)x->from << 32 | x->to);
        pack_u64(out, (uint64_t)x->src_port << 32 | (uint64_t)x->dst_port << 16 |
                          (uint64_t)x->kind << 8 | (x->part ? 2U : 0U) | (x->conn ? 1U : 0U));
        pack_bytes(out, x->bytes.p, x->bytes.n);
    }
}

static void xpackets_unpack(struct unpack *in, struct xpackets *ret)
{
    for (uint64_t n = unpack_u64(in); n > 0 && !in->cut; n--) {
        struct xpacket x = {.name = unpack_u64(in)};
        x.id = unpack_u64(in);
        x.data = unpack_u64(in);
        x.chan = unpack_u64(in);
        uint64_t ends = unpack_u64(in), rest = unpack_u64(in);
        x.from = (uint32_t)(ends >> 32);
        x.to = (uint32_t)ends;
        x.src_port = (uint16_t)(rest >> 32);
        x.dst_port = (uint16_t)(rest >> 16);
        x.kind = (uint8_t)(rest >> 8);
        x.part = (rest & 2) != 0;
        x.conn = (rest & 1) != 0;
        strbuf_addstr(&x.bytes, unpack_bytes(in));
        VEC_PUSH(&ret->v, x);
    }
}

void xwalk_task_pack(const struct walk_task *task, struct strbuf *out)
{
    pack_u64(out, (uint64_t)task->policy);
    pack_u64(out, task->seed);
    pack_u64(out, task->length);
    pack_u64(out, task->span);
    pack_u64(out, task->known);
    pack_u64(out, task->possible);
    pack_u64(out, task->only);
    xpackets_pack(&task->mail, out);
    pack_bytes(out, task->path.v, task->path.n * sizeof task->path.v[0]);
    pack_u64(out, task->sleep.n);
    for (size_t i = 0; i < task->sleep.n; i++) {
        xevent_pack(&task->sleep.v[i], out);
    }
    pack_u64(out, task->visits.n);
    for (size_t i = 0; i < task->visits.n; i++) {
        pack_u64(out, task->visits.v[i].key);
        pack_u64(out, task->visits.v[i].value);
    }
}

void xwalk_task_unpack(struct unpack *in, struct walk_task *ret)
{
    *ret = (struct walk_task){.policy = (enum walk_policy)unpack_u64(in)};
    ret->seed = unpack_u64(in);
    ret->length = unpack_u64(in);
    ret->span = unpack_u64(in);
    ret->known = unpack_u64(in);
    ret->possible = unpack_u64(in) != 0;
    ret->only = (uint32_t)unpack_u64(in);
    xpackets_unpack(in, &ret->mail);
    struct str path = unpack_bytes(in);
    for (size_t i = 0; i + sizeof(uint64_t) <= path.n; i += sizeof(uint64_t)) {
        uint64_t name = 0;
        memcpy(&name, path.p + i, sizeof name);
        VEC_PUSH(&ret->path, name);
    }
    for (uint64_t n = unpack_u64(in); n > 0 && !in->cut; n--) {
        VEC_PUSH(&ret->sleep, xevent_unpack(in));
    }
    for (uint64_t n = unpack_u64(in); n > 0 && !in->cut; n--) {
        struct u64map_entry entry = {.key = unpack_u64(in)};
        entry.value = unpack_u64(in);
        VEC_PUSH(&ret->visits, entry);
    }
}

static void xstep_pack(const struct xstep *step, struct strbuf *out)
{
    xevent_pack(&step->event, out);
    pack_u64(out, step->hash);
    pack_u64(out, step->state);
    pack_u64(out, step->calls);
    pack_u64(out, step->sent.n);
    for (size_t i = 0; i < step->sent.n; i++) {
        const struct xsent *sent = &step->sent.v[i];
        pack_u64(out, sent->id);
        pack_u64(out, sent->data);
        pack_u64(out, sent->chan);
        pack_u64(out, (uint64_t)sent->from << 32 | sent->to);
    }
}

static struct xstep xstep_unpack(struct unpack *in)
{
    struct xstep step = {.event = xevent_unpack(in)};
    step.hash = unpack_u64(in);
    step.state = unpack_u64(in);
    step.calls = unpack_u64(in);
    for (uint64_t n = unpack_u64(in); n > 0 && !in->cut; n--) {
        struct xsent sent = {.id = unpack_u64(in)};
        sent.data = unpack_u64(in);
        sent.chan = unpack_u64(in);
        uint64_t ends = unpack_u64(in);
        sent.from = (uint32_t)(ends >> 32);
        sent.to = (uint32_t)ends;
        VEC_PUSH(&step.sent, sent);
    }
    return step;
}

void xwalk_pack(const struct walk *walk, struct strbuf *out)
{
    pack_u64(out, (uint64_t)walk->end);
    pack_u64(out, (uint64_t)walk->failure.kind << 32 | (uint32_t)walk->failure.node);
    pack_u64(out, walk->failure.number);
    pack_u64(out, walk->failure.text_class);
    pack_u64(out, walk->failed);
    pack_bytes(out, walk->text.p, walk->text.n);
    pack_u64(out, walk->steps.n);
    for (size_t i = 0; i < walk->steps.n; i++) {
        xstep_pack(&walk->steps.v[i], out);
    }
    pack_u64(out, walk->possible.n);
    for (size_t i = 0; i < walk->possible.n; i++) {
        xevent_pack(&walk->possible.v[i], out);
    }
    pack_u64(out, walk->from.n);
    for (size_t i = 0; i < walk->from.n; i++) {
        pack_u64(out, walk->from.v[i]);
    }
    xpackets_pack(&walk->posted, out);
    pack_u64(out, walk->windows.n);
    for (size_t i = 0; i < walk->windows.n; i++) {
        pack_u64(out, walk->windows.v[i]);
    }
}

void xwalk_unpack(struct unpack *in, struct walk *ret)
{
    *ret = (struct walk){.end = (enum walk_end)unpack_u64(in)};
    uint64_t failure = unpack_u64(in);
    ret->failure.kind = (enum failure_kind)(failure >> 32);
    ret->failure.node = (int32_t)(uint32_t)failure;
    ret->failure.number = (uint32_t)unpack_u64(in);
    ret->failure.text_class = unpack_u64(in);
    ret->failed = unpack_u64(in);
    strbuf_addstr(&ret->text, unpack_bytes(in));
    for (uint64_t n = unpack_u64(in); n > 0 && !in->cut; n--) {
        VEC_PUSH(&ret->steps, xstep_unpack(in));
    }
    for (uint64_t n = unpack_u64(in); n > 0 && !in->cut; n--) {
        VEC_PUSH(&ret->possible, xevent_unpack(in));
    }
    for (uint64_t n = unpack_u64(in); n > 0 && !in->cut; n--) {
        VEC_PUSH(&ret->from, unpack_u64(in));
    }
    xpackets_unpack(in, &ret->posted);
    for (uint64_t n = unpack_u64(in); n > 0 && !in->cut; n--) {
        VEC_PUSH(&ret->windows, unpack_u64(in));
    }
}
