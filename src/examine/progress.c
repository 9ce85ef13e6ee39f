/* The numbers of a search over time, for a page that shows them while it runs and for those that
 * look at them later. */
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "examine/examine.h"
#include "trace/trace.h"

/* When there are more, every second one is left out. */
enum { ROWS_MAX = 2000 };

struct examine_progress *examine_progress_new(void)
{
    size_t cap = 0;
    struct examine_progress *p = vec_grow(NULL, &cap, 1, sizeof *p);
    memset(p, 0, sizeof *p);
    (void)pthread_mutex_init(&p->lock, NULL);
    return p;
}

void examine_progress_free(struct examine_progress *p)
{
    if (p != NULL) {
        VEC_DONE(&p->rows);
        strbuf_done(&p->name);
        (void)pthread_mutex_destroy(&p->lock);
        vec_release(p);
    }
}

void examine_progress_begin(struct examine_progress *p, const char *name, unsigned workers)
{
    (void)pthread_mutex_lock(&p->lock);
    VEC_RESET(&p->rows);
    strbuf_reset(&p->name);
    strbuf_adds(&p->name, name);
    p->workers = workers;
    p->verdict = NULL;
    p->status = 0;
    p->every = 1;
    p->skipped = 0;
    (void)pthread_mutex_unlock(&p->lock);
}

void examine_progress_note(struct examine_progress *p, const struct check_progress *row)
{
    (void)pthread_mutex_lock(&p->lock);
    p->skipped++;
    if (p->skipped >= p->every) {
        p->skipped = 0;
        VEC_PUSH(&p->rows, *row);
    }
    if (p->rows.n >= ROWS_MAX) {
        size_t n = 0;
        for (size_t i = 0; i < p->rows.n; i += 2) {
            p->rows.v[n++] = p->rows.v[i];
        }
        p->rows.n = n;
        p->every *= 2;
    }
    (void)pthread_mutex_unlock(&p->lock);
}

void examine_progress_last(struct examine_progress *p, const struct check_result *r)
{
    struct check_progress row = {.generated = r->generated,
                                 .distinct = r->distinct,
                                 .queued = r->queued,
                                 .depth = r->depth,
                                 .traces = r->traces,
                                 .elapsed_ns = r->elapsed_ns,
                                 .memory_bytes = r->memory_peak_bytes,
                                 .disk_bytes = r->disk_bytes};
    (void)pthread_mutex_lock(&p->lock);
    VEC_PUSH(&p->rows, row);
    (void)pthread_mutex_unlock(&p->lock);
}

void examine_progress_end(struct examine_progress *p, const char *verdict, int status)
{
    (void)pthread_mutex_lock(&p->lock);
    p->verdict = verdict;
    p->status = status;
    (void)pthread_mutex_unlock(&p->lock);
}

static void add_rows(const struct examine_progress *p, struct strbuf *out)
{
    strbuf_adds(out, ",\"progress\":[");
    for (size_t i = 0; i < p->rows.n; i++) {
        const struct check_progress *r = &p->rows.v[i];
        strbuf_printf(out,
                      "%s{\"t\":%.3f,\"generated\":%" PRIu64 ",\"distinct\":%" PRIu64
                      ",\"queued\":%" PRIu64 ",\"depth\":%" PRIu64 ",\"memory\":%" PRIu64
                      ",\"disk\":%" PRIu64 "}",
                      i > 0 ? "," : "", (double)r->elapsed_ns * 1e-9, r->generated, r->distinct,
                      r->queued, r->depth, r->memory_bytes, r->disk_bytes);
    }
    strbuf_adds(out, "]");
}

void examine_progress_json(struct examine_progress *p, struct strbuf *out)
{
    (void)pthread_mutex_lock(&p->lock);
    if (p->rows.n > 1) {
        add_rows(p, out);
    }
    (void)pthread_mutex_unlock(&p->lock);
}

void examine_progress_document(void *progress, struct strbuf *out)
{
    struct examine_progress *p = progress;
    static const struct check_progress none;
    (void)pthread_mutex_lock(&p->lock);
    const struct check_progress *last = p->rows.n > 0 ? &VEC_LAST(&p->rows) : &none;
    strbuf_printf(out, "{\"kind\":\"statistics\",\"schema\":1,\"live\":%s,\"file\":",
                  p->verdict == NULL ? "true" : "false");
    json_write_string(strbuf_str(&p->name), out);
    strbuf_printf(out,
                  ",\"verdict\":\"%s\",\"exit\":%d,\"states\":{\"generated\":%" PRIu64
                  ",\"distinct\":%" PRIu64 ",\"queued\":%" PRIu64 "},\"depth\":%" PRIu64
                  ",\"time_s\":%.3f,\"memory_bytes\":%" PRIu64 ",\"workers\":%u",
                  p->verdict == NULL ? "running" : p->verdict, p->status, last->generated,
                  last->distinct, last->queued, last->depth, (double)last->elapsed_ns * 1e-9,
                  last->memory_bytes, p->workers);
    add_rows(p, out);
    strbuf_adds(out, "}");
    (void)pthread_mutex_unlock(&p->lock);
}
