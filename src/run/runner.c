/* One run. The policy is simple on purpose: what the plan says for this time, else the event that
 * is due first, else (with reordering) any that is possible. A replay takes the recorded choices
 * and stops where the world differs. Oracles look after each event. */
#include "run/runner.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/boot.h"
#include "run/checks.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "run/failure.h"
#include "run/journal.h"
#include "run/oracle.h"
#include "run/plan.h"
#include "run/preempt.h"
#include "run/record.h"
#include "run/saw.h"
#include "run/sometimes.h"
#include "world/world.h"

#define OVERRUN_NS UINT64_C(2000000000) /* and a tenth of the time */

struct run {
    const struct run_options *o;
    const struct cluster *cluster;
    struct world *world;
    struct journal *journal;
    struct run_result *result;
    struct oracle oracle;
    struct rng rng;
    struct preempt preempt;
    enum settle_result settled;
    struct event event; /* the last one */
    uint64_t threads;   /* of the events: choices of threads */
    size_t planned;     /* next of the plan */
    bool violated;
    struct sometimes *sometimes;
    size_t boot, boots; /* of the times at which its state is written down: the next, how many */
    struct computation longer; /* for which it must be made again; ns = 0: it need not */
};

void run_result_done(struct run_result *result)
{
    strbuf_done(&result->text);
    strbuf_done(&result->boot);
    record_done(&result->record);
    VEC_DONE(&result->nodes);
}

__attribute__((format(printf, 3, 4))) static void verdict(struct run *r, enum run_verdict what,
                                                          const char *fmt, ...)
{
    if (r->result->verdict != RUN_OK) {
        return; /* the first reason counts */
    }
    r->result->verdict = what;
    va_list ap;
    va_start(ap, fmt);
    strbuf_reset(&r->result->text);
    strbuf_vprintf(&r->result->text, fmt, ap);
    va_end(ap);
}

/* ---- oracles ---- */

/* An oracle says no: before the verdict, since the first one counts. */
static void failure(struct run *r, struct failure what)
{
    if (r->result->verdict == RUN_OK) {
        r->result->failure = what;
    }
}

/* What was found while the run went on. */
static void take_found(struct run *r)
{
    if (r->oracle.failure.kind != FAILURE_NONE) {
        failure(r, r->oracle.failure);
        verdict(r, RUN_VIOLATION, "%s", strbuf_cstr(&r->oracle.text));
    }
}

static void on_output(void *arg, uint32_t node, int fd, const char *text, size_t n)
{
    struct run *r = arg;
    oracle_output(&r->oracle, node, fd, text, n);
    take_found(r);
}

static void on_line(void *arg, uint32_t node, struct str line)
{
    struct run *r = arg;
    sometimes_line(r->sometimes, node, line);
}

static void check_ends(struct run *r)
{
    oracle_ends(&r->oracle, r->world);
    take_found(r);
}

/* What others do between two events may read the clock. */
static void hold(struct run *r, bool on)
{
    if (r->o->watch == NULL && r->o->choose == NULL) {
        world_hold(r->world, on);
    }
}

/* Commands of the user, in the run's directory. */
static void run_checks(struct run *r, bool end)
{
    struct checks checks = {r->cluster, r->o->dir, r->o->interrupted, r->result->events, end};
    SCOPED_STRBUF text = {0};
    struct failure found = {0};
    struct err err = {0};
    if (r->result->verdict != RUN_OK || !checks_due(&checks)) {
        return;
    }
    hold(r, false);
    int status = checks_run(&checks, r->world, &found, &text, &err);
    hold(r, !end);
    if (status < 0) {
        verdict(r, RUN_FAILED, "%s", err.text);
    } else if (status != 0) {
        failure(r, found);
        verdict(r, RUN_VIOLATION, "%s", strbuf_cstr(&text));
    }
}

/* The worst anomaly is named first. Fewer operations may show fewer of the others. */
static uint64_t worst_class(const struct strbuf *names)
{
    struct words words;
    words_split(strbuf_str(names), &words);
    return words.n != 0 ? failure_text_class(words.v[0]) : 0;
}

/* What all clients saw, together. */
static void judge_history(struct run *r)
{
    bool interrupted = r->o->interrupted != NULL && *r->o->interrupted != 0;
    if (!r->cluster->history.on || interrupted || r->o->until != 0) {
        return;
    }
    struct saw_verdict saw = {0};
    struct err err = {0};
    if (saw_judge(&r->cluster->history, r->o->dir, strbuf_str(&r->oracle.history),
                  r->o->interrupted, &saw, &err) != 0) {
        verdict(r, RUN_FAILED, "%s", err.text);
    } else if (saw.violated) {
        failure(r, (struct failure){FAILURE_HISTORY, FAILURE_NOBODY, 0, worst_class(&saw.names)});
        verdict(r, RUN_VIOLATION, "what the clients saw: %s; see history.txt",
                strbuf_cstr(&saw.names));
    }
    saw_verdict_done(&saw);
}

/* Invariants over variables of programs. */
static void check_judge(struct run *r)
{
    const struct cluster_judge *judge = r->cluster->judge;
    SCOPED_STRBUF text = {0};
    struct err err = {0};
    uint32_t number = 0;
    if (judge == NULL || r->result->verdict != RUN_OK || r->settled == SETTLE_CHOICE ||
        r->settled == SETTLE_DUE) {
        return;
    }
    int status = judge->check(judge->arg, r->world, &number, &text, &err);
    if (status < 0) {
        verdict(r, RUN_FAILED, "%s", err.text);
    } else if (status != 0) {
        SCOPED_STRBUF event = {0};
        event_print(r->cluster, &r->event, &event);
        failure(r, (struct failure){FAILURE_INVARIANT, FAILURE_NOBODY, number, 0});
        verdict(r, RUN_VIOLATION, "%s; after event %llu, %s", strbuf_cstr(&text),
                (unsigned long long)r->result->events, strbuf_cstr(&event));
    }
}

/* ---- policy ---- */

/* A datagram for faults that need one. */
static bool pick_datagram(struct run *r, struct event *event)
{
    struct event list[256];
    size_t n = world_events(r->world, list, 256), found = 0;
    n = n < 256 ? n : 256;
    for (size_t i = 0; i < n; i++) {
        struct event try = list[i];
        try.kind = event->kind;
        if (list[i].kind == EV_DELIVER && world_enabled(r->world, &try)) {
            found++;
            if (rng_below(&r->rng, found) == 0) {
                *event = try;
            }
        }
    }
    return found != 0;
}

/* What the plan has for the time before the next natural event. */
static bool planned_event(struct run *r, const struct event *next, bool have_next,
                          struct event *ret)
{
    const struct plan *plan = r->o->plan;
    while (plan != NULL && r->planned < plan->events.n) {
        const struct timed_event *timed = &plan->events.v[r->planned];
        uint64_t base = world_now_ns(r->world);
        uint64_t next_ns = have_next ? world_event_ns(next) : UINT64_MAX;
        if (timed->at_ns > base && timed->at_ns > next_ns) {
            return false;
        }
        if (!have_next && timed->at_ns > r->cluster->time_ns) {
            return false;
        }
        r->planned++;
        struct event event = timed->event;
        event.at_ns = world_at(timed->at_ns);
        r->result->planned[event.kind]++;
        bool datagram = event.kind == EV_DROP || event.kind == EV_DUPLICATE;
        bool possible = (!datagram || event.id != 0) && world_enabled(r->world, &event);
        possible = possible || (datagram && pick_datagram(r, &event));
        if (possible) {
            event.at_ns = world_at(timed->at_ns);
            r->result->fired[event.kind]++;
            *ret = event;
            return true;
        }
        if (r->cluster->work) { /* threads were stopped for it: a replay must do the same */
            *ret = (struct event){
                .kind = EV_WAIT, .at_ns = world_at(timed->at_ns), .arg = (int64_t)timed->at_ns};
            return true;
        }
    }
    return false;
}

static bool same_event(const struct event *a, const struct event *b)
{
    return a->kind == b->kind && a->node == b->node && a->peer == b->peer && a->id == b->id &&
           a->arg == b->arg;
}

/* Somebody else chooses. What is planned stays so until it is chosen. */
static bool choose_outside(struct run *r, const struct event *natural, bool have, struct event *ret)
{
    struct run_result before = *r->result;
    size_t at = r->planned;
    struct event due = *natural;
    bool planned = planned_event(r, natural, have, &due);
    if (!r->o->choose(r->o->choose_arg, r->world, planned || have ? &due : NULL, ret)) {
        return false;
    }
    if (ret->kind == EV_THREAD && ret->arg == 0) {
        ret->arg = natural->arg; /* a recording names the choice */
    }
    if (planned && !same_event(ret, &due)) {
        r->planned = at;
        memcpy(r->result->planned, before.planned, sizeof before.planned);
        memcpy(r->result->fired, before.fired, sizeof before.fired);
    }
    return true;
}

/* Of the event that comes now. Choices of threads do not count, so that leaving some out changes
 * no other number. */
static uint64_t order_number(const struct run *r)
{
    return r->result->events - r->threads + 1;
}

/* Whether the event that comes now may be another than the one that is due. */
static bool order_allowed(const struct run *r)
{
    const struct run_orders *orders = r->o->orders;
    bool found = orders == NULL;
    for (size_t i = 0; !found && i < orders->n; i++) {
        found = orders->v[i] == order_number(r);
    }
    return found;
}

/* Chooses the next event; false when there is none. */
static bool choose(struct run *r, struct event *ret)
{
    if (r->o->replay != NULL) {
        size_t i = (size_t)r->result->events;
        if (i >= r->o->replay->choices.n) {
            return false;
        }
        *ret = r->o->replay->choices.v[i].event;
        return true;
    }
    struct event next = {0};
    bool have = world_next(r->world, &next);
    if (r->settled == SETTLE_CHOICE && r->o->choose == NULL) {
        *ret = preempt_event(&r->preempt, r->world);
        return true;
    }
    if (r->o->choose != NULL) {
        return choose_outside(r, &next, have, ret);
    }
    if (planned_event(r, &next, have, ret)) {
        return true;
    }
    uint32_t reorder = r->cluster->faults.reorder_ppm;
    if (have && reorder != 0 && rng_below(&r->rng, 1000000) < reorder) {
        struct event list[64];
        size_t n = world_events(r->world, list, 64);
        struct event other = list[rng_below(&r->rng, n < 64 ? n : 64)];
        if (!same_event(&other, &next) && order_allowed(r)) {
            VEC_PUSH(&r->result->record.orders, order_number(r));
            next = other;
        }
    }
    *ret = next;
    return have;
}

static bool clients_ended(const struct run *r)
{
    bool any = false;
    for (uint32_t i = 0; i < r->cluster->n_nodes; i++) {
        struct node_view view;
        world_node_view(r->world, i, &view);
        bool waits = r->cluster->nodes[i].manual && view.state == NODE_NEW;
        if (view.client && !waits) {
            any = true;
            if (!view.ended) {
                return false;
            }
        }
    }
    return any;
}

/* ---- the loop ---- */

/* Until when nothing but what is due will be chosen. */
static uint64_t sure_until(const struct run *r)
{
    const struct plan *plan = r->o->plan;
    if (r->o->replay != NULL || r->o->choose != NULL || r->o->watch != NULL ||
        r->cluster->faults.reorder_ppm != 0 || r->sometimes != NULL || r->boot < r->boots ||
        r->cluster->judge != NULL) {
        return 0;
    }
    uint64_t end = r->cluster->time_ns;
    bool planned = plan != NULL && r->planned < plan->events.n;
    return planned && plan->events.v[r->planned].at_ns < end ? plan->events.v[r->planned].at_ns
                                                             : end;
}

/* When threads that run are stopped for what does not come from the world: what is planned, or was
 * recorded, and the end. */
static uint64_t stop_at(const struct run *r)
{
    const struct record *replay = r->o->replay;
    uint64_t end = r->cluster->time_ns;
    if (replay != NULL) {
        size_t i = (size_t)r->result->events;
        const struct event *next = i < replay->choices.n ? &replay->choices.v[i].event : NULL;
        bool outside = next != NULL && next->kind != EV_DELIVER && next->kind != EV_TIMER &&
                       next->kind != EV_THREAD;
        uint64_t at = outside ? world_event_ns(next) : end;
        return at < end ? at : end;
    }
    const struct plan *plan = r->o->plan;
    bool planned = plan != NULL && r->planned < plan->events.n;
    return planned && plan->events.v[r->planned].at_ns < end ? plan->events.v[r->planned].at_ns
                                                             : end;
}

/* A program that polls the clock moves it. Where that went far beyond the time that was asked for,
 * little of what should happen in that time has. */
static void check_time(struct run *r)
{
    uint64_t now = world_now_ns(r->world), most = r->cluster->time_ns;
    const struct record *replay = r->o->replay;
    if (replay != NULL && replay->failure.kind != FAILURE_NONE) {
        return; /* of a search, which does not end with the time: it goes on to its failure */
    }
    if (r->o->choose == NULL && now > most && now - most > most / 10 + OVERRUN_NS) {
        verdict(r, RUN_FAILED,
                "the time overran: it is %.1f s after %llu events, and %.1f s were asked for; a "
                "program polls the clock, or never waits",
                (double)now * 1e-9, (unsigned long long)r->result->events, (double)most * 1e-9);
    }
}

/* A cluster that never came to use its network has shown nothing, if that was because it could not.
 */
static void check_network(struct run *r)
{
    struct node_view first = {0};
    for (uint32_t i = 0; i < r->cluster->n_nodes; i++) {
        struct node_view view;
        world_node_view(r->world, i, &view);
        if (view.net_used) {
            return;
        }
        first = first.net_failed == NULL ? view : first;
    }
    if (first.net_failed != NULL) {
        verdict(r, RUN_FAILED, "no node has opened a socket; node %s: %s failed: %s", first.name,
                first.net_failed, strerror(first.net_errno));
    }
}

static bool settle(struct run *r)
{
    struct err err;
    world_sure_until(r->world, sure_until(r));
    world_stop_at(r->world, stop_at(r));
    if (world_settle(r->world, &r->settled, &err) != 0) {
        if (world_computation(r->world, &r->longer)) {
            return false;
        }
        verdict(r, RUN_FAILED, "%s", err.text);
        return false;
    }
    check_ends(r);
    check_time(r);
    check_judge(r);
    if (r->cluster->n_checks != 0) {
        run_checks(r, false);
    }
    return r->result->verdict == RUN_OK; /* when all is over, there is no event left to choose */
}

/* Compares with the recording, and goes on recording. */
static bool note(struct run *r, const struct event *event)
{
    const struct cluster_judge *judge = r->cluster->judge;
    uint64_t hash = world_hash(r->world);
    if (judge != NULL && journal_wants_seen(r->journal)) {
        SCOPED_STRBUF lines = {0};
        judge->print(judge->arg, &lines);
        journal_seen(r->journal, strbuf_str(&lines));
    }
    journal_hash(r->journal, hash);
    VEC_PUSH(&r->result->record.choices, (struct choice){*event, hash});
    const struct record *replay = r->o->replay;
    size_t i = (size_t)r->result->events - 1;
    if (replay != NULL && i < replay->choices.n && replay->choices.v[i].hash != 0 &&
        replay->choices.v[i].hash != hash) {
        SCOPED_STRBUF what = {0};
        event_print(r->cluster, event, &what);
        verdict(r, RUN_DIVERGED, "event %zu (%s) gave another result than recorded", i + 1,
                strbuf_cstr(&what));
        return false;
    }
    return true;
}

/* Whoever looks on may end the run. */
static bool watch(struct run *r)
{
    struct err err;
    if (r->o->watch == NULL ||
        r->o->watch(r->o->watch_arg, r->world, r->result->events, &err) == 0) {
        return true;
    }
    if (err.code != ERR_INTERRUPTED) {
        verdict(r, RUN_FAILED, "%s", err.text);
    }
    return false;
}

static bool one_event(struct run *r)
{
    struct event event = {0};
    struct err err;
    if (!watch(r) || !choose(r, &event)) {
        return false;
    }
    if (r->o->replay == NULL && event.at_ns > world_at(r->cluster->time_ns)) {
        return false; /* the time is over */
    }
    uint64_t at = world_event_ns(&event), now = world_now_ns(r->world);
    if (r->o->replay == NULL && event.at_ns == 0) {
        event.at_ns = world_at(now); /* it happens now: the recording says when that was */
    }
    journal_clock(r->journal, at > now ? at : now);
    r->result->events++;
    r->threads += event.kind == EV_THREAD ? 1 : 0;
    journal_event(r->journal, r->world, &event, r->result->events);
    if (sometimes_event(r->sometimes, r->world, &event, &err) != 0) {
        verdict(r, RUN_FAILED, "%s", err.text);
        return false;
    }
    if (world_do(r->world, &event, &err) != 0) {
        verdict(r, r->o->replay != NULL && err.code == ERR_INVALID ? RUN_DIVERGED : RUN_FAILED,
                "event %llu: %s", (unsigned long long)r->result->events, err.text);
        return false;
    }
    r->event = event;
    bool go_on = settle(r);
    if (go_on && sometimes_event(r->sometimes, r->world, NULL, &err) != 0) {
        verdict(r, RUN_FAILED, "%s", err.text);
        return false;
    }
    journal_clock(r->journal, world_now_ns(r->world));
    return r->longer.ns == 0 && note(r, &event) && go_on;
}

/* ---- the boot cache ---- */

static void add_said(struct boot *boot, struct str text)
{
    struct strbuf copy = {0};
    strbuf_addstr(&copy, text);
    VEC_PUSH(&boot->said, copy);
}

/* What became of the cache; of which time is said if there are several. */
__attribute__((format(printf, 3, 4))) static void boot_says(struct run *r, uint64_t at_ns,
                                                            const char *fmt, ...)
{
    struct strbuf *text = &r->result->boot;
    va_list ap;
    va_start(ap, fmt);
    strbuf_adds(text, text->n != 0 ? "; " : "");
    if (r->o->n_boots > 1 && at_ns != 0) {
        strbuf_printf(text, "%g s ", (double)at_ns * 1e-9);
    }
    strbuf_vprintf(text, fmt, ap);
    va_end(ap);
}

/* The run is the same whether that can be done or not. */
static void boot_keep(struct run *r)
{
    struct boot boot = {.at_ns = r->o->boots[r->boot++],
                        .events = r->result->events,
                        .planned = r->planned,
                        .rng = r->rng};
    struct err err = {0};
    memcpy(boot.asked, r->result->planned, sizeof boot.asked);
    memcpy(boot.fired, r->result->fired, sizeof boot.fired);
    for (size_t i = 0; i < r->result->record.choices.n; i++) {
        VEC_PUSH(&boot.choices, r->result->record.choices.v[i]);
    }
    bool good = journal_so_far(r->journal, r->o->dir, &boot.journal);
    for (size_t i = 0; i < r->cluster->n_nodes; i++) {
        struct strbuf *texts[ORACLE_TEXTS];
        oracle_texts(&r->oracle, (uint32_t)i, texts);
        for (int k = 0; k < ORACLE_TEXTS; k++) {
            add_said(&boot, strbuf_str(texts[k]));
        }
    }
    add_said(&boot, strbuf_str(&r->oracle.history));
    if (good) {
        hold(r, false);
        int status = boot_store(r->o, r->world, &boot, &err);
        hold(r, true);
        boot_says(r, boot.at_ns, status == 0 ? "written" : "not written: %s", err.text);
    } else {
        boot_says(r, boot.at_ns, "not written: events.txt cannot be read");
    }
    boot_done(&boot);
}

/* Whether all has happened until the next of the times, and more comes. */
static bool boot_is_here(const struct run *r)
{
    struct event next;
    if (r->boot >= r->boots || !world_next(r->world, &next)) {
        return false;
    }
    uint64_t at_ns = r->o->boots[r->boot];
    const struct plan *plan = r->o->plan;
    bool planned = plan != NULL && r->planned < plan->events.n;
    return world_event_ns(&next) > at_ns && (!planned || plan->events.v[r->planned].at_ns > at_ns);
}

static void boot_apply(struct run *r, const struct boot *boot)
{
    size_t at = 0;
    r->result->events = boot->events;
    r->planned = boot->planned;
    r->rng = boot->rng;
    memcpy(r->result->planned, boot->asked, sizeof boot->asked);
    memcpy(r->result->fired, boot->fired, sizeof boot->fired);
    while (r->boot < r->boots && r->o->boots[r->boot] <= boot->at_ns) {
        r->boot++;
    }
    for (size_t i = 0; i < boot->choices.n; i++) {
        VEC_PUSH(&r->result->record.choices, boot->choices.v[i]);
    }
    journal_resume(r->journal, strbuf_str(&boot->journal));
    oracle_begin(&r->oracle, r->world);
    for (size_t i = 0; i < r->cluster->n_nodes; i++) {
        struct strbuf *texts[ORACLE_TEXTS];
        oracle_texts(&r->oracle, (uint32_t)i, texts);
        for (int k = 0; k < ORACLE_TEXTS && at < boot->said.n; k++) {
            strbuf_addstr(texts[k], strbuf_str(&boot->said.v[at++]));
        }
    }
    if (at < boot->said.n) {
        strbuf_addstr(&r->oracle.history, strbuf_str(&boot->said.v[at]));
    }
}

static void loop(struct run *r)
{
    if (!settle(r)) {
        return;
    }
    for (;;) {
        if (r->result->events >= r->cluster->events_most ||
            (r->o->until != 0 && r->result->events >= r->o->until) ||
            (r->cluster->stop_with_clients && r->o->replay == NULL && clients_ended(r))) {
            return;
        }
        if (r->o->progress != NULL && r->result->events % 512 == 0) {
            hold(r, false);
            r->o->progress(r->o->progress_arg, world_now_ns(r->world), r->result->events);
            hold(r, true);
        }
        while (boot_is_here(r)) {
            boot_keep(r);
        }
        if (!one_event(r)) {
            return;
        }
    }
}

static bool thread_choices(const struct run_options *o)
{
    return o->replay != NULL ? o->replay->chosen : o->choices || o->cluster->preemptions != 0;
}

struct world_spec run_world_spec(const struct run_options *o)
{
    return (struct world_spec){
        .nodes = o->cluster->nodes,
        .n_nodes = o->cluster->n_nodes,
        .net = o->cluster->net,
        .limits = o->cluster->limits,
        .seed = o->seed,
        .order = o->cluster->seeded_threads ? SCHED_SEEDED : SCHED_FIFO_ORDER,
        .hwrand = o->cluster->hwrand,
        .strict_disk = o->cluster->strict_disk,
        .writeback_ns = o->cluster->writeback_ns,
        .work = o->cluster->work,
        .independent = o->cluster->independent ||
                       (o->replay != NULL ? o->replay->independent : o->independent),
        .local_clocks = o->replay != NULL ? o->replay->local_clocks : o->local_clocks,
        .choices = thread_choices(o),
        .dir = o->dir,
        .allow = o->cluster->allow,
        .interrupted = o->interrupted,
        .trace_fd = o->trace_fd,
        .bare = o->cluster->bare,
    };
}

/* From the cache, if it has it; else as it begins. */
static int open_world(struct run *r, const struct world_spec *spec, struct err *err)
{
    int status = world_open(spec, &r->world, err);
    r->boots = boot_possible(r->o);
    if (status != 0 || r->boots == 0) {
        if (r->o->n_boots != 0) {
            boot_says(r, 0, "not used: every event is looked at, or the run ends before");
        }
        return status;
    }
    struct boot boot = {0};
    struct err why;
    bool used = boot_load(r->o, r->world, &boot, &why) == 0;
    if (used) {
        boot_apply(r, &boot);
        boot_says(r, boot.at_ns, "used");
    } else {
        boot_says(r, 0, "not used: %s", why.text);
    }
    if (!used && boot.touched) {
        world_close(r->world);
        r->world = NULL;
        status = world_open(spec, &r->world, err);
    }
    boot_done(&boot);
    return status;
}

static int run_begin(struct run *r, struct err *err)
{
    const struct run_options *o = r->o;
    struct world_spec spec = run_world_spec(o);
    spec.computations = r->result->record.computations.v;
    spec.n_computations = r->result->record.computations.n;
    struct journal_options journal = {o->cluster, o->dir, o->pcap, o->shiviz, o->jsonl, o->capture};
    int status = journal_new(&journal, &r->journal, err);
    status = status != 0 ? status : open_world(r, &spec, err);
    if (status == 0) {
        world_on_output(r->world, on_output, r);
        world_on_packet(r->world, journal_packet, r->journal);
        world_on_sync(r->world, journal_sync, r->journal);
        if (spec.choices && o->choose == NULL) {
            world_on_choice(r->world, preempt_here, &r->preempt);
        }
    }
    return status;
}

static void run_end(struct run *r)
{
    if (r->world == NULL) {
        return;
    }
    if (r->longer.ns != 0) {
        world_close(r->world);
        return;
    }
    judge_history(r);
    run_checks(r, true);
    if (r->o->until == 0) {
        check_network(r);
    }
    struct run_result *result = r->result;
    result->sometimes = sometimes_seen(r->sometimes);
    result->hash = world_hash(r->world);
    result->now_ns = world_now_ns(r->world);
    world_counts(r->world, &result->counts);
    int unwritten = world_write_error(r->world);
    if (unwritten != 0) {
        verdict(r, RUN_FAILED, "cannot write what was printed or traced: %s", strerror(unwritten));
    }
    for (size_t i = 0; i < r->cluster->n_nodes; i++) {
        struct node_view view;
        world_node_view(r->world, i, &view);
        view.name = r->cluster->nodes[i].name;
        VEC_PUSH(&result->nodes, view);
    }
    world_close(r->world);
}

/* What is known before it begins. */
static void record_begin(const struct run_options *o, struct run_result *ret)
{
    ret->record.seed = o->seed;
    ret->record.digest = o->cluster->digest;
    ret->record.cluster = o->cluster->path;
    ret->record.allow = o->cluster->allow;
    ret->record.time_ns = o->replay != NULL ? o->replay->time_ns : o->cluster->time_ns;
    ret->record.events_most = o->replay != NULL ? o->replay->events_most : o->cluster->events_most;
    ret->record.only_orders = o->orders != NULL;
    ret->record.escape_ms = o->cluster->limits.escape_ms;
    ret->record.chosen = thread_choices(o);
    ret->record.independent = o->replay != NULL ? o->replay->independent : o->independent;
    ret->record.local_clocks = o->replay != NULL ? o->replay->local_clocks : o->local_clocks;
}

static int run_once(const struct run_options *o, struct run_result *ret,
                    struct computation *ret_longer, struct err *err)
{
    struct run r = {.o = o, .cluster = o->cluster, .result = ret};
    record_begin(o, ret);
    preempt_begin(&r.preempt, o);
    rng_seed(&r.rng, hash_combine(o->seed, 0x72756e));
    oracle_init(&r.oracle, o->cluster);
    r.oracle.on_line = on_line;
    r.oracle.line_arg = &r;
    if (o->cluster->judge != NULL) {
        o->cluster->judge->begin(o->cluster->judge->arg);
    }
    r.sometimes = sometimes_new(o->cluster);
    int status = run_begin(&r, err);
    if (status == 0) {
        hold(&r, true);
        loop(&r);
        hold(&r, false);
    }
    run_end(&r);
    struct err unwritten = {0};
    if (journal_close(r.journal, &unwritten) != 0) {
        verdict(&r, RUN_FAILED, "%s (in %s)", unwritten.text, o->dir);
    }
    oracle_done(&r.oracle);
    sometimes_free(r.sometimes);
    preempt_done(&r.preempt);
    ret->record.outcome = strbuf_cstr(&ret->text);
    ret->record.failure = ret->verdict == RUN_VIOLATION ? ret->failure : (struct failure){0};
    *ret_longer = r.longer;
    return status;
}

/* Puts a computation where it belongs, by stint. */
static void keep_computation(struct record *record, struct computation c)
{
    for (size_t i = 0; i < record->computations.n; i++) {
        if (record->computations.v[i].stint == c.stint) {
            record->computations.v[i] = c;
            return;
        }
    }
    VEC_PUSH(&record->computations, c);
}

int run_cluster(const struct run_options *o, struct run_result *ret, struct err *err)
{
    *ret = (struct run_result){0};
    for (size_t i = 0; o->replay != NULL && i < o->replay->computations.n; i++) {
        keep_computation(&ret->record, o->replay->computations.v[i]);
    }
    for (;;) {
        struct computation longer = {0};
        int status = run_once(o, ret, &longer, err);
        if (longer.ns == 0) {
            return status;
        }
        /* A computation needs time from its beginning on, which is past. */
        struct record known = {.computations = {0}};
        for (size_t i = 0; i < ret->record.computations.n; i++) {
            keep_computation(&known, ret->record.computations.v[i]);
        }
        keep_computation(&known, longer);
        run_result_done(ret);
        *ret = (struct run_result){.record = known};
    }
}
