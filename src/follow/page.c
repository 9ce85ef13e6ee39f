/* What is known of the node over time, for a page that is looked at while it is followed, and for a
 * file. The page's thread sees only what was noted here, under the lock. */
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "follow/follow.h"
#include "follow/follow_int.h"
#include "monitor/feed.h"
#include "monitor/monitor.h"
#include "report/report.h"
#include "tap/tap.h"
#include "view/view.h"

/* A row each second; when there are more than these, every second one is left out. */
enum { ROWS_MAX = 2000, ALARMS_MAX = 200 };
#define ROW_NS UINT64_C(1000000000)

struct row {
    double t, lag_s, states; /* states: of the search, on average since the row before */
    uint64_t events, bytes, lost;
    bool blind;
};

struct alarm {
    double t;
    bool certain;
    struct strbuf text;
};

struct follow_page {
    pthread_mutex_t lock;
    struct view_live *live;
    const char *node, *map, *spec;
    uint64_t begin_ns, row_ns, every_ns;
    uint64_t events, states_sum; /* at the last row */
    VEC(struct row) rows;
    VEC(struct alarm) alarms;
    uint64_t n_alarms, n_undecided;
    struct monitor_counts counts;
    struct feed_counts feed;
    struct tap_counts tap;
    const char *verdict; /* NULL: it goes on */
};

static void document(void *arg, struct strbuf *out);

int follow_page_open(struct follow *cmd, struct err *err)
{
    size_t cap = 0;
    if (!cmd->page_wanted) {
        return 0;
    }
    struct follow_page *p = vec_grow(NULL, &cap, 1, sizeof *p);
    memset(p, 0, sizeof *p);
    (void)pthread_mutex_init(&p->lock, NULL);
    p->node = cmd->node;
    p->map = cmd->o.map;
    p->spec = cmd->bridge.spec.model->name;
    p->begin_ns = p->row_ns = clock_mono_ns();
    p->every_ns = ROW_NS;
    cmd->page = p;
    int status = cmd->page_out != NULL ? file_probe(cmd->page_out, err) : 0;
    status = status == 0 ? view_live_open(0, p->node, document, p, &p->live, err) : status;
    if (status == 0) {
        (void)fprintf(cmd->o.teller.err, "%s\n", view_live_url(p->live));
    }
    return status;
}

/* ---- what is noted ---- */

static void halve(struct follow_page *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->rows.n; i += 2) {
        p->rows.v[n++] = p->rows.v[i];
    }
    p->rows.n = n;
    p->every_ns *= 2;
}

static void add_row(struct follow *cmd, uint64_t now)
{
    struct follow_page *p = cmd->page;
    monitor_counts(cmd->monitor, &p->counts);
    if (cmd->feed != NULL) {
        feed_counts(cmd->feed, &p->feed);
    }
    if (cmd->tap != NULL) {
        tap_counts(cmd->tap, &p->tap);
    }
    uint64_t events = p->counts.events - p->events;
    struct row row = {
        .t = (double)(now - p->begin_ns) * 1e-9,
        .lag_s = (double)cmd->metrics.lag_ns * 1e-9,
        .states = events != 0 ? (double)(p->counts.states_sum - p->states_sum) / (double)events : 0,
        .events = p->counts.events,
        .bytes = p->counts.bytes,
        .lost = p->tap.missed + cmd->metrics.shed,
        .blind = monitor_blind(cmd->monitor)};
    p->events = p->counts.events;
    p->states_sum = p->counts.states_sum;
    p->row_ns = now;
    VEC_PUSH(&p->rows, row);
    if (p->rows.n >= ROWS_MAX) {
        halve(p);
    }
}

void follow_page_note(struct follow *cmd)
{
    struct follow_page *p = cmd->page;
    uint64_t now = p != NULL ? clock_mono_ns() : 0;
    if (p == NULL) {
        return;
    }
    if (now - p->row_ns >= p->every_ns || p->rows.n == 0) {
        (void)pthread_mutex_lock(&p->lock);
        add_row(cmd, now);
        (void)pthread_mutex_unlock(&p->lock);
    }
}

void follow_page_alarm(struct follow *cmd)
{
    struct follow_page *p = cmd->page;
    if (p == NULL) {
        return;
    }
    struct alarm alarm = {.t = (double)(clock_mono_ns() - p->begin_ns) * 1e-9,
                          .certain = monitor_verdict(cmd->monitor) == MONITOR_ALARM};
    follow_explain(cmd, &alarm.text);
    (void)pthread_mutex_lock(&p->lock);
    p->n_alarms += alarm.certain ? 1 : 0;
    p->n_undecided += alarm.certain ? 0 : 1;
    if (p->alarms.n < ALARMS_MAX) {
        VEC_PUSH(&p->alarms, alarm);
    } else {
        strbuf_done(&alarm.text);
    }
    (void)pthread_mutex_unlock(&p->lock);
}

/* ---- what is shown ---- */

static void add_rows(const struct follow_page *p, struct strbuf *out)
{
    strbuf_adds(out, ",\"rows\":[");
    for (size_t i = 0; i < p->rows.n; i++) {
        const struct row *r = &p->rows.v[i];
        strbuf_printf(out,
                      "%s{\"t\":%.3f,\"events\":%" PRIu64
                      ",\"lag\":%.6f,\"states\":%.2f,\"bytes\":%" PRIu64 ",\"lost\":%" PRIu64
                      ",\"blind\":%s}",
                      i > 0 ? "," : "", r->t, r->events, r->lag_s, r->states, r->bytes, r->lost,
                      r->blind ? "true" : "false");
    }
    strbuf_adds(out, "],\"alarms\":[");
    for (size_t i = 0; i < p->alarms.n; i++) {
        const struct alarm *a = &p->alarms.v[i];
        strbuf_printf(out, "%s{\"t\":%.3f,\"certain\":%s,\"text\":", i > 0 ? "," : "", a->t,
                      a->certain ? "true" : "false");
        report_json(strbuf_str(&a->text), out);
        strbuf_adds(out, "}");
    }
    strbuf_adds(out, "]");
}

static void document(void *arg, struct strbuf *out)
{
    struct follow_page *p = arg;
    (void)pthread_mutex_lock(&p->lock);
    strbuf_printf(out, "{\"kind\":\"watch\",\"schema\":1,\"live\":%s,\"file\":",
                  p->verdict == NULL ? "true" : "false");
    report_json(str_of(p->map), out);
    strbuf_adds(out, ",\"node\":");
    report_json(str_of(p->node), out);
    strbuf_adds(out, ",\"spec\":");
    report_json(str_of(p->spec), out);
    strbuf_printf(out,
                  ",\"verdict\":\"%s\",\"n_alarms\":%" PRIu64 ",\"n_undecided\":%" PRIu64
                  ",\"counts\":{\"events\":%" PRIu64 ",\"steps\":%" PRIu64 ",\"messages\":%" PRIu64
                  ",\"unseen\":%" PRIu64 ",\"bytes_read\":%" PRIu64 ",\"gaps\":%" PRIu64
                  ",\"lost_records\":%" PRIu64 ",\"blind_times\":%" PRIu64
                  ",\"blind_events\":%" PRIu64 ",\"states_most\":%" PRIu64 ",\"bytes\":%zu}",
                  p->verdict == NULL ? "running" : p->verdict, p->n_alarms, p->n_undecided,
                  p->counts.events, p->counts.steps, p->feed.messages, p->counts.unseen,
                  (uint64_t)p->tap.bytes, (uint64_t)p->tap.gaps, (uint64_t)p->tap.missed,
                  p->counts.blind_times, p->counts.blind_events, p->counts.states_most,
                  p->counts.bytes);
    add_rows(p, out);
    strbuf_adds(out, "}");
    (void)pthread_mutex_unlock(&p->lock);
}

int follow_page_end(struct follow *cmd, struct err *err)
{
    struct follow_page *p = cmd->page;
    static const char *const verdicts[] = {[MONITOR_OK] = "explained",
                                           [MONITOR_ALARM] = "alarm",
                                           [MONITOR_UNRESOLVED] = "not decided"};
    if (p == NULL) {
        return 0;
    }
    if (monitor_verdict(cmd->monitor) != MONITOR_OK) {
        follow_page_alarm(cmd);
    }
    (void)pthread_mutex_lock(&p->lock);
    add_row(cmd, clock_mono_ns());
    p->verdict = p->n_alarms != 0              ? "alarm"
                 : monitor_blind(cmd->monitor) ? "not decided"
                                               : verdicts[monitor_verdict(cmd->monitor)];
    (void)pthread_mutex_unlock(&p->lock);
    if (cmd->page_out == NULL) {
        return 0;
    }
    SCOPED_STRBUF out = {0};
    document(p, &out);
    strbuf_adds(&out, "\n");
    return file_write(cmd->page_out, strbuf_str(&out), err);
}

void follow_page_close(struct follow *cmd)
{
    struct follow_page *p = cmd->page;
    if (p != NULL) {
        view_live_close(p->live);
        for (size_t i = 0; i < p->alarms.n; i++) {
            strbuf_done(&p->alarms.v[i].text);
        }
        VEC_DONE(&p->rows);
        VEC_DONE(&p->alarms);
        (void)pthread_mutex_destroy(&p->lock);
        vec_release(p);
        cmd->page = NULL;
    }
}
