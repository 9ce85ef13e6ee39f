/* A cluster as something to search.
 *
 * What may come next is in space_events.c; here it is done, and what came of it is noted.
 *
 * Going to a path goes back to the deepest snapshot that lies on it. Snapshots can only be taken
 * where all threads wait, so there is none where a choice of threads is open. */
#include "explore/space.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/cover.h"
#include "explore/cuts.h"
#include "explore/space_int.h"
#include "run/checks.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "run/failure.h"
#include "run/oracle.h"
#include "run/record.h"
#include "run/runner.h"
#include "run/saw.h"
#include "world/world.h"

enum { OTHER_NUMBER = 1 << 20 };

/* ---- marks ---- */

uint64_t xmark(enum xmark_kind kind, uint64_t hash)
{
    return hash_mix(hash + (uint64_t)kind) / XMARK_KINDS * XMARK_KINDS + (uint64_t)kind;
}

enum xmark_kind xmark_kind(uint64_t mark)
{
    return (enum xmark_kind)(mark % XMARK_KINDS);
}

static void mark(struct space *s, enum xmark_kind kind, uint64_t hash)
{
    VEC_PUSH(&VEC_LAST(&s->steps).marks, xmark(kind, hash));
}

static void mark_lines(struct space *s, struct str text)
{
    while (text.n != 0) {
        const char *end = memchr(text.p, '\n', text.n);
        size_t n = end != NULL ? (size_t)(end - text.p) : text.n, next = end != NULL ? n + 1 : n;
        if (n != 0) {
            mark(s, XMARK_LINE, failure_text_class((struct str){text.p, n}));
        }
        text = (struct str){text.p + next, text.n - next};
    }
}

static void on_branch(void *arg, uint64_t branch)
{
    mark(arg, XMARK_COVER, branch);
}

/* What is seen after the last step; what it logged was marked as it came. */
static int mark_step(struct space *s, struct err *err)
{
    const struct xstep *step = &VEC_LAST(&s->steps);
    const struct cluster_judge *judge = s->cluster->judge;
    uint64_t state = 0; /* hashes of memory are not the same in two workers */
    for (size_t i = 0; i < s->cluster->n_nodes; i++) {
        struct node_view view;
        world_node_view(s->world, i, &view);
        state = hash_combine(hash_combine(state, view.calls), (uint64_t)view.state);
    }
    mark(s, XMARK_STATE, state);
    if (judge != NULL) {
        mark(s, XMARK_SEEN, judge->hash(judge->arg));
    }
    return xcover_read(s->cover, s->world, step->event.node[0], on_branch, s, err);
}

/* ---- packets with their bytes ---- */

void xpackets_done(struct xpackets *packets)
{
    for (size_t i = 0; i < packets->v.n; i++) {
        strbuf_done(&packets->v.v[i].bytes);
    }
    VEC_DONE(&packets->v);
}

static void xpackets_reset(struct xpackets *packets)
{
    for (size_t i = 0; i < packets->v.n; i++) {
        strbuf_done(&packets->v.v[i].bytes);
    }
    packets->v.n = 0;
}

void xpackets_add(struct xpackets *packets, const struct xpacket *packet)
{
    struct xpacket copy = *packet;
    copy.bytes = (struct strbuf){0};
    strbuf_addstr(&copy.bytes, strbuf_str(&packet->bytes));
    VEC_PUSH(&packets->v, copy);
}

void space_only(struct space *s, uint32_t component, const struct xpackets *mail)
{
    s->only = component;
    s->mail = mail;
    s->listed = false;
}

const struct xpackets *space_posted(const struct space *s)
{
    return &s->posted;
}

uint64_t space_printed(const struct space *s)
{
    return s->printed;
}

uint64_t space_files(struct space *s)
{
    uint64_t hash = 1;
    for (uint32_t i = 0; i < s->cluster->n_nodes; i++) {
        hash = space_inside(s, i) ? hash_combine(hash, world_disk_hash(s->world, i)) : hash;
    }
    return hash;
}

static void add_packet(struct xpackets *to, const struct packet_view *p)
{
    struct xpacket x = {
        .id = p->id,
        .data = space_data(p),
        .chan = space_chan(p),
        .from = p->from,
        .to = p->to,
        .src_port = p->src_port,
        .dst_port = p->dst_port,
        .kind = (uint8_t)p->kind,
        .part = p->part,
        .conn = p->conn != 0,
    };
    strbuf_add(&x.bytes, (const char *)p->bytes, p->n);
    VEC_PUSH(&to->v, x);
}

void space_inbound(struct space *s, uint32_t component, struct xpackets *ret)
{
    VEC(struct packet_view) list = {0};
    VEC_RESERVE(&list, world_packets(s->world, NULL, 0) + 1);
    ASSERT(list.v != NULL);
    list.n = world_packets(s->world, list.v, list.cap);
    for (size_t i = 0; i < list.n; i++) {
        const uint32_t *components = s->cluster->explore.component;
        if (components[list.v[i].to] == component && components[list.v[i].from] != component) {
            add_packet(ret, &list.v[i]);
        }
    }
    VEC_DONE(&list);
}

/* ---- what the world tells ---- */

static void on_output(void *arg, uint32_t node, int fd, const char *text, size_t n)
{
    struct space *s = arg;
    oracle_output(&s->oracle, node, fd, text, n);
    if (s->doing) {
        s->printed = hash_bytes(text, n, hash_combine(s->printed + 1, (uint64_t)node)) | 1;
    }
    if (s->doing && s->o.marks) {
        mark_lines(s, (struct str){text, n});
    }
}

static void on_packet(void *arg, bool sent, const struct packet_view *p)
{
    struct space *s = arg;
    if (sent && s->doing) {
        VEC_PUSH(&VEC_LAST(&s->steps).sent, (struct xsent){p->id});
        if (s->only != 0 && !space_inside(s, p->to)) {
            add_packet(&s->posted, p);
        }
    }
}

static bool on_choice(void *arg, const struct world_choice *choice)
{
    const struct space *s = arg;
    const struct cluster_explore *b = &s->cluster->explore;
    return s->doing && space_changes(s, choice->node) < b->preemptions;
}

/* ---- doing ---- */

/* Invariants over variables of programs. */
static int judge(struct space *s, struct err *err)
{
    const struct cluster_judge *judge = s->cluster->judge;
    bool quiet = s->settled == SETTLE_QUIET || s->settled == SETTLE_OVER;
    if (judge == NULL || !quiet || s->only != 0 || s->oracle.failure.kind != FAILURE_NONE) {
        return 0;
    }
    SCOPED_STRBUF text = {0};
    uint32_t number = 0;
    int status = judge->check(judge->arg, s->world, &number, &text, err);
    if (status == 1) {
        s->oracle.failure = (struct failure){FAILURE_INVARIANT, FAILURE_NOBODY, number, 0};
        strbuf_reset(&s->oracle.text);
        strbuf_addstr(&s->oracle.text, strbuf_str(&text));
    }
    return status < 0 ? status : 0;
}

/* Commands of the file; end: the run is over. */
static int check(struct space *s, bool end, struct err *err)
{
    struct checks checks = {s->cluster, s->o.dir, s->o.interrupted, s->boot.n + s->steps.n, end};
    bool quiet = s->settled == SETTLE_QUIET || s->settled == SETTLE_OVER;
    if (!quiet || s->oracle.failure.kind != FAILURE_NONE || !checks_due(&checks)) {
        return 0;
    }
    SCOPED_STRBUF text = {0};
    struct failure failure = {0};
    int status = checks_run(&checks, s->world, &failure, &text, err);
    if (status == 1) {
        s->oracle.failure = failure;
        strbuf_reset(&s->oracle.text);
        strbuf_addstr(&s->oracle.text, strbuf_str(&text));
        s->listed = false;
    }
    return status < 0 ? status : 0;
}

static int settle(struct space *s, struct err *err)
{
    int status = world_settle(s->world, &s->settled, err);
    if (status == 0) {
        oracle_ends(&s->oracle, s->world);
        status = judge(s, err);
    }
    status = status != 0 ? status : check(s, false, err);
    if (status == 0 && s->o.look != NULL && s->oracle.failure.kind == FAILURE_NONE &&
        s->settled != SETTLE_CHOICE) {
        status = s->o.look(s->o.look_arg, s->world, &s->oracle.failure, &s->oracle.text, err);
    }
    s->listed = false;
    return status;
}

static int take_place(struct space *s, struct place *place, struct err *err)
{
    int status = world_snapshot(s->world, &place->snapshot, err);
    if (status == 0) {
        oracle_init(&place->oracle, s->cluster);
        oracle_copy(&place->oracle, &s->oracle);
    }
    return status;
}

static void place_done(struct space *s, struct place *place)
{
    if (place->snapshot != NULL) {
        snapshot_free(s->world, place->snapshot);
        oracle_done(&place->oracle);
    }
    *place = (struct place){0};
}

static void drop_steps(struct space *s, size_t n)
{
    while (s->steps.n > n) {
        place_done(s, &s->places.v[s->steps.n]);
        VEC_DONE(&VEC_LAST(&s->steps).sent);
        VEC_DONE(&VEC_LAST(&s->steps).marks);
        s->places.n--;
        s->steps.n--;
    }
    s->listed = false;
}

/* What is observed of the nodes of the last step. */
static int see_step(struct space *s, struct err *err)
{
    const struct cluster_judge *judge = s->cluster->judge;
    struct xstep *step = &VEC_LAST(&s->steps);
    bool quiet = s->settled == SETTLE_QUIET || s->settled == SETTLE_OVER;
    int status = quiet ? judge->look(judge->arg, s->world, err) : 0;
    for (int k = 0; status == 0 && k < 2; k++) {
        step->seen[k] = CUTS_SAME;
        status = quiet ? judge->keep(judge->arg, step->event.node[k], &step->seen[k], err) : status;
    }
    return status;
}

static int see_root(struct space *s, struct err *err)
{
    const struct cluster_judge *judge = s->cluster->judge;
    int status = judge->look(judge->arg, s->world, err);
    for (uint32_t i = 0; status == 0 && i < s->cluster->n_nodes; i++) {
        uint64_t state = 0;
        status = judge->keep(judge->arg, i, &state, err);
        VEC_PUSH(&s->root_seen, state);
    }
    return status;
}

static int finish_step(struct space *s, struct err *err)
{
    struct xstep *step = &VEC_LAST(&s->steps);
    struct node_view view;
    step->hash = world_hash(s->world);
    world_node_view(s->world, step->event.node[0], &view);
    step->calls = view.calls;
    step->saw = s->oracle.history.n;
    bool quiet = s->settled == SETTLE_QUIET || s->settled == SETTLE_OVER;
    int status = 0;
    if (s->o.snapshots && quiet) {
        status = take_place(s, &VEC_LAST(&s->places), err);
    }
    if (status == 0 && s->o.states && quiet) {
        struct state_options o = {.no_clocks = true};
        status = world_state_hash(s->world, &o, &step->state, err);
        if (s->cluster->history.on) { /* what clients saw is a part of what can go wrong */
            step->state = hash_bytes(s->oracle.history.p, s->oracle.history.n, step->state);
        }
    }
    status = status == 0 && s->o.seen ? see_step(s, err) : status;
    return status == 0 && s->o.marks && quiet ? mark_step(s, err) : status;
}

int space_keep(struct space *s, struct err *err)
{
    struct place *place = &VEC_LAST(&s->places);
    bool quiet = s->settled == SETTLE_QUIET || s->settled == SETTLE_OVER;
    if (place->snapshot != NULL || !quiet || s->places.v[0].snapshot == NULL) {
        return 0;
    }
    return take_place(s, place, err);
}

/* The delivery of a packet from elsewhere: it may be there, else it is put there. */
static int take_mail(struct space *s, uint64_t name, struct xevent *ret, struct err *err)
{
    for (size_t i = 0; s->mail != NULL && i < s->mail->v.n; i++) {
        const struct xpacket *x = &s->mail->v.v[i];
        struct packet_view view;
        if (x->name != name) {
            continue;
        }
        int status = 0;
        uint64_t id = x->id;
        bool there = world_packet(s->world, id, &view);
        if (there && (space_chan(&view) != x->chan || space_data(&view) != x->data)) {
            there = false; /* another one that has this number in this run */
            id += OTHER_NUMBER;
        }
        if (!there) {
            view = (struct packet_view){.id = id,
                                        .conn = x->conn ? 1 : 0,
                                        .bytes = (const uint8_t *)x->bytes.p,
                                        .n = x->bytes.n,
                                        .from = x->from,
                                        .to = x->to,
                                        .kind = (enum packet_kind)x->kind,
                                        .src_port = x->src_port,
                                        .dst_port = x->dst_port,
                                        .part = x->part};
            status = world_inject(s->world, &view, err);
        }
        *ret = space_named(
            s, (struct event){.kind = EV_DELIVER, .node = x->to, .peer = x->from, .id = id});
        ret->name = name;
        if (status == 0 && (!world_enabled(s->world, &ret->event) || !space_within(s, ret))) {
            return err_set(err, ERR_NOT_FOUND, 0, "a packet cannot arrive now");
        }
        return status;
    }
    return err_set(err, ERR_NOT_FOUND, 0, "an event is not possible now");
}

int space_do(struct space *s, uint64_t name, struct err *err)
{
    const struct xevent *list = NULL;
    size_t n = space_events(s, &list), i = 0;
    while (i < n && list[i].name != name) {
        i++;
    }
    struct xstep step = {0};
    if (i < n) {
        step.event = list[i];
    } else {
        int status = take_mail(s, name, &step.event, err);
        if (status != 0) {
            return status;
        }
    }
    xpackets_reset(&s->posted);
    s->printed = 0;
    VEC_PUSH(&s->steps, step);
    VEC_PUSH(&s->places, (struct place){0});
    s->doing = true;
    int status = world_do(s->world, &step.event.event, err);
    status = status != 0 ? status : settle(s, err);
    s->doing = false;
    return status != 0 ? status : finish_step(s, err);
}

static int start(struct space *s, struct err *err);

static int go_back(struct space *s, size_t n, struct err *err)
{
    while (n > 0 && s->places.v[n].snapshot == NULL) {
        n--;
    }
    if (n == s->steps.n) {
        return 0;
    }
    drop_steps(s, n);
    if (s->places.v[n].snapshot == NULL) { /* the root of what cannot be copied */
        world_close(s->world);
        s->world = NULL;
        oracle_done(&s->oracle);
        return start(s, err);
    }
    struct place *place = &s->places.v[n];
    int status = world_restore(s->world, place->snapshot, err);
    if (s->cluster->judge != NULL) {
        s->cluster->judge->anew(s->cluster->judge->arg);
    }
    oracle_copy(&s->oracle, &place->oracle);
    s->settled = SETTLE_QUIET;
    return status;
}

int space_go(struct space *s, const uint64_t *names, size_t n, size_t *ret_done, struct err *err)
{
    size_t same = 0;
    while (same < n && same < s->steps.n && s->steps.v[same].event.name == names[same]) {
        same++;
    }
    int status = same < s->steps.n ? go_back(s, same, err) : 0;
    while (status == 0 && s->steps.n < n) {
        struct err why;
        int did = space_do(s, names[s->steps.n], &why);
        if (did == -ERR_NOT_FOUND) {
            break;
        }
        if (did != 0) {
            *err = why;
            status = did;
        }
    }
    *ret_done = s->steps.n;
    return status;
}

/* Within the bounds of a search a run may end before any operation has. */
static bool operations_ended(const struct space *s)
{
    static const char ok[] = "\"ok\"";
    return memmem(s->oracle.history.p, s->oracle.history.n, ok, sizeof ok - 1) != NULL;
}

bool space_judged(const struct space *s)
{
    return !s->cluster->history.on || operations_ended(s);
}

int space_finish(struct space *s, struct err *err)
{
    const struct cluster_history *history = &s->cluster->history;
    int checked = check(s, true, err);
    bool good = history->on && s->oracle.failure.kind == FAILURE_NONE && operations_ended(s);
    if (checked != 0 || !good) {
        return checked;
    }
    struct saw_verdict saw = {0};
    int status =
        saw_judge(history, s->o.dir, strbuf_str(&s->oracle.history), s->o.interrupted, &saw, err);
    if (status == 0 && saw.violated) {
        struct words words;
        words_split(strbuf_str(&saw.names), &words);
        s->oracle.failure = (struct failure){FAILURE_HISTORY, FAILURE_NOBODY, 0,
                                             words.n != 0 ? failure_text_class(words.v[0]) : 0};
        strbuf_reset(&s->oracle.text);
        strbuf_printf(&s->oracle.text, "what the clients saw: %s; see history.txt",
                      strbuf_cstr(&saw.names));
        s->listed = false;
    }
    saw_verdict_done(&saw);
    return status;
}

/* ---- looking ---- */

struct world *space_world(struct space *s)
{
    return s->world;
}

size_t space_boot(const struct space *s)
{
    return s->boot.n;
}

size_t space_depth(const struct space *s)
{
    return s->steps.n;
}

const struct xstep *space_step(const struct space *s, size_t i)
{
    return &s->steps.v[i];
}

const uint64_t *space_root_seen(const struct space *s)
{
    return s->root_seen.v;
}

void space_history(const struct space *s, size_t i, struct str *ret)
{
    size_t begin = i == 0 ? 0 : i == 1 ? s->root_saw : s->steps.v[i - 2].saw;
    size_t end = i == 0 ? s->root_saw : s->steps.v[i - 1].saw;
    *ret = (struct str){end > begin ? s->oracle.history.p + begin : "", end - begin};
}

struct u64map *space_good(struct space *s)
{
    return &s->good;
}

/* The step that has sent a packet, before step `at`. */
static size_t sender_of(const struct space *s, const struct xevent *x, size_t at)
{
    enum event_kind kind = x->event.kind;
    bool packet = kind == EV_DELIVER || kind == EV_DROP || kind == EV_DUPLICATE;
    for (size_t i = packet ? at : 0; i-- > 0;) {
        for (size_t k = 0; k < s->steps.v[i].sent.n; k++) {
            if (s->steps.v[i].sent.v[k].id == x->event.id) {
                return i;
            }
        }
    }
    return CUTS_NONE;
}

void space_cuts(const struct space *s, struct cuts *ret)
{
    *ret = (struct cuts){.n_nodes = s->root_seen.n, .root = s->root_seen.v};
    for (size_t i = 0; i < s->steps.n; i++) {
        const struct xstep *step = &s->steps.v[i];
        struct cuts_event e = {
            .node = {step->event.node[0], step->event.node[1]},
            .seen = {step->seen[0],       step->seen[1]      },
            .sender = sender_of(s, &step->event, i)
        };
        VEC_PUSH(&ret->events, e);
    }
}

const struct failure *space_failure(const struct space *s)
{
    return &s->oracle.failure;
}

struct str space_failure_text(const struct space *s)
{
    return strbuf_str(&s->oracle.text);
}

int space_record(struct space *s, const char *path, struct err *err)
{
    const struct cluster *c = s->cluster;
    struct record record = {.seed = s->o.seed,
                            .digest = c->digest,
                            .cluster = c->path,
                            .allow = c->allow,
                            .time_ns = c->time_ns,
                            .events_most = c->events_most,
                            .escape_ms = c->limits.escape_ms,
                            .chosen = c->explore.preemptions != 0 || c->preemptions != 0,
                            .independent = !s->o.dependent,
                            .failure = s->oracle.failure,
                            .outcome = strbuf_cstr(&s->oracle.text)};
    for (size_t i = 0; i < s->boot.n; i++) {
        VEC_PUSH(&record.choices, s->boot.v[i]);
    }
    for (size_t i = 0; i < s->steps.n; i++) {
        VEC_PUSH(&record.choices, (struct choice){s->steps.v[i].event.event, s->steps.v[i].hash});
    }
    int status = record_write(&record, c, path, err);
    record_done(&record);
    return status;
}

/* ---- making ---- */

/* What the file plans for a time before the root, if it comes before what is due by itself. */
static bool planned(const struct space *s, size_t *at, const struct event *due, bool is_due,
                    struct event *ret)
{
    const struct cluster *c = s->cluster;
    for (; *at < c->n_events && c->events[*at].at_ns <= c->explore.from_ns; (*at)++) {
        uint64_t at_ns = c->events[*at].at_ns;
        if (is_due && at_ns > world_now_ns(s->world) && at_ns > world_event_ns(due)) {
            return false;
        }
        *ret = c->events[*at].event;
        ret->at_ns = world_at(at_ns);
        if (world_enabled(s->world, ret)) {
            (*at)++;
            return true;
        }
    }
    return false;
}

/* Only what is due and what the file plans, up to the time where the search begins. */
static int boot(struct space *s, struct err *err)
{
    size_t at = 0;
    int status = settle(s, err);
    while (status == 0) {
        struct event event, plan;
        bool due =
            world_next(s->world, &event) && world_event_ns(&event) <= s->cluster->explore.from_ns;
        if (planned(s, &at, &event, due, &plan)) {
            event = plan;
        } else if (!due) {
            break;
        }
        VEC_PUSH(&s->boot, (struct choice){.event = event});
        status = world_do(s->world, &event, err);
        status = status != 0 ? status : settle(s, err);
        VEC_LAST(&s->boot).hash = world_hash(s->world);
    }
    return status;
}

/* From the beginning to the root. */
static int start(struct space *s, struct err *err)
{
    const struct space_options *o = &s->o;
    if (o->cluster->judge != NULL) {
        o->cluster->judge->begin(o->cluster->judge->arg);
    }
    struct run_options run = {.cluster = o->cluster,
                              .seed = o->seed,
                              .dir = o->dir,
                              .interrupted = o->interrupted,
                              .independent = !o->dependent,
                              .choices = o->cluster->explore.preemptions != 0,
                              .trace_fd = -1};
    struct world_spec spec = run_world_spec(&run);
    oracle_init(&s->oracle, o->cluster);
    s->boot.n = 0;
    s->listed = false;
    int status = world_open(&spec, &s->world, err);
    if (status == 0) {
        world_on_output(s->world, on_output, s);
        world_on_packet(s->world, on_packet, s);
        world_on_choice(s->world, on_choice, s);
        status = boot(s, err);
    }
    if (status == 0) {
        world_sleepers(s->world, !o->dependent);
    }
    s->root_saw = s->oracle.history.n;
    return status;
}

int space_open(const struct space_options *o, struct space **ret, struct err *err)
{
    size_t cap = 0;
    struct space *s = vec_grow(NULL, &cap, 1, sizeof *s);
    memset(s, 0, sizeof *s);
    s->o = *o;
    s->cluster = o->cluster;
    strbuf_adds(&s->dir, o->dir);
    s->o.dir = strbuf_cstr(&s->dir);
    s->cover = o->marks ? xcover_new() : NULL;
    s->o.seen = o->seen && o->cluster->judge != NULL;
    int status = start(s, err);
    status = status == 0 && s->o.seen ? see_root(s, err) : status;
    if (status == 0) {
        struct err why;
        VEC_PUSH(&s->places, (struct place){0});
        int taken = take_place(s, &s->places.v[0], &why);
        if (taken != 0 && (o->snapshots || why.code != ERR_UNSUPPORTED)) {
            *err = why;
            status = taken;
        }
    }
    if (status != 0) {
        space_close(s);
        return status;
    }
    *ret = s;
    return 0;
}

void space_close(struct space *s)
{
    if (s == NULL) {
        return;
    }
    drop_steps(s, 0);
    if (s->places.n != 0) {
        place_done(s, &s->places.v[0]);
    }
    world_close(s->world);
    if (s->oracle.cluster != NULL) {
        oracle_done(&s->oracle);
    }
    strbuf_done(&s->dir);
    xcover_free(s->cover);
    xpackets_done(&s->posted);
    VEC_DONE(&s->root_seen);
    u64map_done(&s->good);
    VEC_DONE(&s->boot);
    VEC_DONE(&s->steps);
    VEC_DONE(&s->places);
    VEC_DONE(&s->events);
    VEC_DONE(&s->unmet);
    VEC_DONE(&s->due);
    vec_release(s);
}
