/* Runs along a path and on, as a policy says (policy.h). */
#include "explore/walk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/pack.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/cuts.h"
#include "explore/policy.h"
#include "explore/space.h"
#include "explore/walk_int.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "world/world.h"

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
        VEC_DONE(&walk->steps.v[i].marks);
    }
    VEC_DONE(&walk->steps);
    VEC_DONE(&walk->possible);
    VEC_DONE(&walk->from);
    VEC_DONE(&walk->unmet);
    VEC_DONE(&walk->windows);
    for (size_t i = 0; i < walk->states.v.n; i++) {
        strbuf_done(&walk->states.v.v[i].bytes);
    }
    VEC_DONE(&walk->states.v);
    VEC_DONE(&walk->seen);
    VEC_DONE(&walk->order);
    xpackets_done(&walk->posted);
    strbuf_done(&walk->saw);
    strbuf_done(&walk->text);
}

int xwalk_know(const struct walk *walk, const struct cluster *cluster, struct err *err)
{
    const struct cluster_judge *judge = cluster->judge;
    int status = 0;
    for (size_t i = 0; judge != NULL && status == 0 && i < walk->states.v.n; i++) {
        const struct xstate *state = &walk->states.v.v[i];
        status = judge->unpack(judge->arg, state->state, strbuf_str(&state->bytes), err);
    }
    return status;
}

struct walker {
    struct space *space;
    const struct walk_task *task;
    struct walk *walk;
    struct policy policy;
    struct u64map marked; /* marks that this walk has had */
};

static void walker_begin(struct walker *k, const struct cluster *cluster)
{
    const struct walk_task *task = k->task;
    struct policy_options o = {.kind = task->policy,
                               .cluster = cluster,
                               .seed = task->seed,
                               .expected = task->expected,
                               .sleep = task->sleep.v,
                               .n_sleep = task->sleep.n,
                               .visits = task->visits.v,
                               .n_visits = task->visits.n};
    policy_begin(&k->policy, &o);
}

static void walker_done(struct walker *k)
{
    for (size_t i = 0; i < k->policy.windows.n; i++) {
        VEC_PUSH(&k->walk->windows, k->policy.windows.v[i]);
    }
    policy_done(&k->policy);
    u64map_done(&k->marked);
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
    k->walk->unmet.n = 0;
    n = k->task->possible ? space_unmet(k->space, &list) : 0;
    for (size_t i = 0; i < n; i++) {
        VEC_PUSH(&k->walk->unmet, list[i]);
    }
}

static void note_step(struct walker *k)
{
    const struct xstep *step = space_step(k->space, space_depth(k->space) - 1);
    struct xstep copy = *step;
    memset(&copy.sent, 0, sizeof copy.sent);
    memset(&copy.marks, 0, sizeof copy.marks);
    for (size_t i = 0; i < step->sent.n; i++) {
        VEC_PUSH(&copy.sent, step->sent.v[i]);
    }
    for (size_t i = 0; i < step->marks.n; i++) { /* each where it was first */
        uint64_t before = 0;
        if (!u64map_get(&k->marked, step->marks.v[i], &before)) {
            u64map_put(&k->marked, step->marks.v[i], 1);
            VEC_PUSH(&copy.marks, step->marks.v[i]);
        }
    }
    VEC_PUSH(&k->walk->steps, copy);
}

void xwalk_note_failure(const struct space *space, struct walk *walk)
{
    if (walk->failure.kind == FAILURE_NONE && space_failure(space)->kind != FAILURE_NONE) {
        walk->failure = *space_failure(space);
        walk->failed = space_depth(space);
        strbuf_addstr(&walk->text, space_failure_text(space));
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
        xwalk_note_failure(k->space, walk);
        if (walk->failure.kind != FAILURE_NONE && n == 0) {
            walk->end = WALK_FAILURE;
            return 0;
        }
        uint64_t name = depth < task->path.n ? task->path.v[depth] : 0;
        if (depth >= task->path.n) {
            int i = n != 0 ? policy_pick(&k->policy, list, n) : POLICY_NONE;
            bool long_enough = task->length != 0 && depth >= task->length;
            walk->end = n == 0             ? WALK_COMPLETE
                        : i == POLICY_NONE ? WALK_BLOCKED
                        : long_enough      ? WALK_LONG
                                           : walk->end;
            if (n == 0 || i == POLICY_NONE || long_enough) {
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
        if (depth >= task->path.n || task->policy != WALK_FIRST) { /* the path wakes nobody */
            policy_did(&k->policy, &VEC_LAST(&walk->steps));
        }
    }
}

/* ---- what was observed ---- */

static int add_state(struct walker *k, const struct cluster_judge *judge, uint64_t state,
                     struct err *err)
{
    struct xstates *states = &k->walk->states;
    bool known = state == 0 || state == CUTS_SAME;
    for (size_t i = 0; !known && i < states->v.n; i++) {
        known = states->v.v[i].state == state;
    }
    if (known) {
        return 0;
    }
    VEC_PUSH(&states->v, (struct xstate){.state = state});
    return judge->pack(judge->arg, state, &VEC_LAST(&states->v).bytes, err);
}

/* Before the first step of the answer, and of its steps. */
static int note_seen(struct walker *k, const struct cluster *cluster, size_t known, struct err *err)
{
    int status = 0;
    const uint64_t *root = space_root_seen(k->space);
    struct walk *walk = k->walk;
    for (size_t i = 0; i < cluster->n_nodes; i++) {
        VEC_PUSH(&walk->seen, root[i]);
    }
    for (size_t i = 0; i < known; i++) {
        const struct xstep *step = space_step(k->space, i);
        for (int e = 0; e < 2; e++) {
            uint64_t *now = &walk->seen.v[step->event.node[e]];
            *now = step->seen[e] != CUTS_SAME ? step->seen[e] : *now;
        }
    }
    for (size_t i = 0; status == 0 && i < walk->seen.n; i++) {
        status = add_state(k, cluster->judge, walk->seen.v[i], err);
    }
    for (size_t i = 0; status == 0 && i < 2 * walk->steps.n; i++) {
        status = add_state(k, cluster->judge, walk->steps.v[i / 2].seen[i % 2], err);
    }
    return status;
}

/* Of a component that runs alone: what others see of its last step, and whoever judges. */
static void note_component(struct space *space, const struct cluster *cluster, struct walk *walk)
{
    walk->files = cluster->n_checks != 0 ? space_files(space) : 0;
    if (walk->steps.n == 0) {
        return;
    }
    struct str lines;
    space_history(space, space_depth(space), &lines);
    strbuf_addstr(&walk->saw, lines);
    walk->printed = space_printed(space);
    for (size_t i = 0; i < space_posted(space)->v.n; i++) {
        xpackets_add(&walk->posted, &space_posted(space)->v.v[i]);
    }
}

int xwalk_do(struct space *space, const struct cluster *cluster, const struct walk_task *task,
             struct walk *ret, struct err *err)
{
    *ret = (struct walk){0};
    struct walker k = {.space = space, .task = task, .walk = ret};
    walker_begin(&k, cluster);
    space_only(space, task->only, &task->mail);
    size_t done = 0, known = task->known < task->path.n ? task->known : task->path.n;
    int status = space_go(space, task->path.v, known, &done, err);
    status = status == 0 && done == known && task->keep ? space_keep(space, err) : status;
    if (status == 0 && done < known) {
        ret->end = WALK_STUCK;
    } else if (status == 0) {
        for (size_t i = 0; task->policy != WALK_FIRST && i < known; i++) {
            policy_did(&k.policy, space_step(space, i));
        }
        status = walk_on(&k, err);
    }
    bool over = ret->end == WALK_COMPLETE || ret->end == WALK_LONG;
    if (status == 0 && over && task->only == 0) {
        status = space_finish(space, err);
        ret->unjudged = !space_judged(space);
        xwalk_note_failure(space, ret);
    }
    bool sees = status == 0 && space_root_seen(space) != NULL;
    if (sees && task->seen && done == known) {
        status = note_seen(&k, cluster, known, err);
    }
    if (status == 0 && task->cuts && task->only == 0) {
        struct xwalk_judging judging = {space, cluster, task, ret};
        status = xwalk_judge_orders(&judging, err);
    }
    if (status != 0) {
        ret->end = WALK_BROKEN;
        strbuf_reset(&ret->text);
        strbuf_adds(&ret->text, err->text);
    }
    if (status == 0 && task->only != 0) {
        note_component(space, cluster, ret);
    }
    space_only(space, 0, NULL);
    walker_done(&k);
    return status;
}

/* ---- as bytes ---- */

/* A list of 64-bit words that was packed as bytes. */
#define UNPACK_WORDS(in, list)                                                                     \
    do {                                                                                           \
        struct str bytes_ = unpack_bytes(in);                                                      \
        for (size_t i_ = 0; i_ + sizeof(uint64_t) <= bytes_.n; i_ += sizeof(uint64_t)) {           \
            uint64_t word_ = 0;                                                                    \
            memcpy(&word_, bytes_.p + i_, sizeof word_);                                           \
            VEC_PUSH(list, word_);                                                                 \
        }                                                                                          \
    } while (0)

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
    pack_u64(out, task->expected);
    pack_u64(out, task->known);
    pack_u64(out, (task->possible ? 1U : 0U) | (task->keep ? 2U : 0U) | (task->seen ? 4U : 0U) |
                      (task->cuts ? 8U : 0U));
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
    *ret = (struct walk_task){.policy = (enum policy_kind)unpack_u64(in)};
    ret->seed = unpack_u64(in);
    ret->length = unpack_u64(in);
    ret->expected = unpack_u64(in);
    ret->known = unpack_u64(in);
    uint64_t flags = unpack_u64(in);
    ret->possible = (flags & 1) != 0;
    ret->keep = (flags & 2) != 0;
    ret->seen = (flags & 4) != 0;
    ret->cuts = (flags & 8) != 0;
    ret->only = (uint32_t)unpack_u64(in);
    xpackets_unpack(in, &ret->mail);
    UNPACK_WORDS(in, &ret->path);
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
    pack_u64(out, step->seen[0]);
    pack_u64(out, step->seen[1]);
    pack_u64(out, step->sent.n);
    for (size_t i = 0; i < step->sent.n; i++) {
        pack_u64(out, step->sent.v[i].id);
    }
    pack_u64(out, step->marks.n);
    for (size_t i = 0; i < step->marks.n; i++) {
        pack_u64(out, step->marks.v[i]);
    }
}

static struct xstep xstep_unpack(struct unpack *in)
{
    struct xstep step = {.event = xevent_unpack(in)};
    step.hash = unpack_u64(in);
    step.state = unpack_u64(in);
    step.calls = unpack_u64(in);
    step.seen[0] = unpack_u64(in);
    step.seen[1] = unpack_u64(in);
    for (uint64_t n = unpack_u64(in); n > 0 && !in->cut; n--) {
        VEC_PUSH(&step.sent, (struct xsent){unpack_u64(in)});
    }
    for (uint64_t n = unpack_u64(in); n > 0 && !in->cut; n--) {
        VEC_PUSH(&step.marks, unpack_u64(in));
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
    pack_u64(out, walk->unmet.n);
    for (size_t i = 0; i < walk->unmet.n; i++) {
        xevent_pack(&walk->unmet.v[i], out);
    }
    pack_u64(out, walk->from.n);
    for (size_t i = 0; i < walk->from.n; i++) {
        pack_u64(out, walk->from.v[i]);
    }
    xpackets_pack(&walk->posted, out);
    pack_bytes(out, walk->saw.p, walk->saw.n);
    pack_u64(out, walk->printed);
    pack_u64(out, walk->files);
    pack_u64(out, walk->windows.n);
    for (size_t i = 0; i < walk->windows.n; i++) {
        pack_u64(out, walk->windows.v[i]);
    }
    pack_u64(out, (walk->partly ? 1U : 0U) | (walk->unjudged ? 2U : 0U));
    pack_bytes(out, walk->order.v, walk->order.n * sizeof walk->order.v[0]);
    pack_bytes(out, walk->seen.v, walk->seen.n * sizeof walk->seen.v[0]);
    pack_u64(out, walk->states.v.n);
    for (size_t i = 0; i < walk->states.v.n; i++) {
        pack_u64(out, walk->states.v.v[i].state);
        pack_bytes(out, walk->states.v.v[i].bytes.p, walk->states.v.v[i].bytes.n);
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
        VEC_PUSH(&ret->unmet, xevent_unpack(in));
    }
    for (uint64_t n = unpack_u64(in); n > 0 && !in->cut; n--) {
        VEC_PUSH(&ret->from, unpack_u64(in));
    }
    xpackets_unpack(in, &ret->posted);
    strbuf_addstr(&ret->saw, unpack_bytes(in));
    ret->printed = unpack_u64(in);
    ret->files = unpack_u64(in);
    for (uint64_t n = unpack_u64(in); n > 0 && !in->cut; n--) {
        VEC_PUSH(&ret->windows, unpack_u64(in));
    }
    uint64_t flags = unpack_u64(in);
    ret->partly = (flags & 1) != 0;
    ret->unjudged = (flags & 2) != 0;
    UNPACK_WORDS(in, &ret->order);
    UNPACK_WORDS(in, &ret->seen);
    for (uint64_t n = unpack_u64(in); n > 0 && !in->cut; n--) {
        struct xstate state = {.state = unpack_u64(in)};
        strbuf_addstr(&state.bytes, unpack_bytes(in));
        VEC_PUSH(&ret->states.v, state);
    }
}
