/* Oracles that look on while a run goes on. */
#include "run/oracle.h"

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/str.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "run/saw.h"
#include "world/world.h"

enum { STREAM_OUT, STREAM_ERR, STREAMS };

struct oracle_node {
    struct strbuf line[STREAMS]; /* the line that it is printing */
    struct strbuf said[STREAMS]; /* the last one that was not empty */
    struct strbuf summary;       /* of a sanitizer's report that it has printed */
    bool reported;               /* its end was looked at */
    uint32_t starts;
};

void oracle_init(struct oracle *o, const struct cluster *cluster)
{
    size_t cap = 0;
    *o = (struct oracle){.cluster = cluster};
    o->nodes = vec_grow(NULL, &cap, cluster->n_nodes + 1, sizeof o->nodes[0]);
    memset(o->nodes, 0, (cluster->n_nodes + 1) * sizeof o->nodes[0]);
}

void oracle_texts(struct oracle *o, uint32_t node, struct strbuf *ret[ORACLE_TEXTS])
{
    struct oracle_node *seen = &o->nodes[node];
    for (int k = 0; k < STREAMS; k++) {
        ret[k] = &seen->line[k];
        ret[STREAMS + k] = &seen->said[k];
    }
    ret[ORACLE_TEXTS - 1] = &seen->summary;
}

void oracle_done(struct oracle *o)
{
    for (uint32_t i = 0; o->nodes != NULL && i < o->cluster->n_nodes; i++) {
        struct strbuf *texts[ORACLE_TEXTS];
        oracle_texts(o, i, texts);
        for (int k = 0; k < ORACLE_TEXTS; k++) {
            strbuf_done(texts[k]);
        }
    }
    vec_release(o->nodes);
    strbuf_done(&o->history);
    strbuf_done(&o->text);
}

static void copy_text(struct strbuf *to, const struct strbuf *from)
{
    strbuf_reset(to);
    strbuf_addstr(to, strbuf_str(from));
}

void oracle_copy(struct oracle *to, const struct oracle *from)
{
    for (uint32_t i = 0; i < from->cluster->n_nodes; i++) {
        struct oracle_node *a = &to->nodes[i];
        const struct oracle_node *b = &from->nodes[i];
        for (int k = 0; k < STREAMS; k++) {
            copy_text(&a->line[k], &b->line[k]);
            copy_text(&a->said[k], &b->said[k]);
        }
        copy_text(&a->summary, &b->summary);
        a->reported = b->reported;
        a->starts = b->starts;
    }
    copy_text(&to->history, &from->history);
    copy_text(&to->text, &from->text);
    to->failure = from->failure;
}

void oracle_begin(struct oracle *o, const struct world *world)
{
    for (uint32_t i = 0; i < o->cluster->n_nodes; i++) {
        struct node_view view;
        world_node_view(world, i, &view);
        o->nodes[i].starts = view.starts;
        o->nodes[i].reported = view.ended; /* well, or it would not have begun */
    }
}

/* The first reason counts. */
__attribute__((format(printf, 3, 4))) static void found(struct oracle *o, struct failure what,
                                                        const char *fmt, ...)
{
    if (o->failure.kind != FAILURE_NONE) {
        return;
    }
    o->failure = what;
    va_list ap;
    va_start(ap, fmt);
    strbuf_reset(&o->text);
    strbuf_vprintf(&o->text, fmt, ap);
    va_end(ap);
}

static void check_line(struct oracle *o, uint32_t node, int stream)
{
    struct strbuf *line = &o->nodes[node].line[stream];
    for (size_t i = 0; i < o->cluster->n_fail_on; i++) {
        if (line->n != 0 &&
            memmem(line->p, line->n, o->cluster->fail_on[i].p, o->cluster->fail_on[i].n) != NULL) {
            struct failure what = {FAILURE_OUTPUT, (int32_t)node, (uint32_t)i,
                                   failure_text_class(strbuf_str(line))};
            found(o, what, "node %s printed: %.*s", o->cluster->nodes[node].name,
                  (int)(line->n < 200 ? line->n : 200), line->p);
        }
    }
    if (o->cluster->history.on && o->cluster->nodes[node].client && stream == STREAM_OUT) {
        saw_line(o->cluster->nodes[node].name, strbuf_str(line), &o->history);
    }
    if (o->on_line != NULL) {
        o->on_line(o->line_arg, node, strbuf_str(line));
    }
    if (str_trim(strbuf_str(line)).n != 0) {
        struct strbuf *said = &o->nodes[node].said[stream];
        strbuf_reset(said);
        strbuf_add(said, line->p, line->n < 400 ? line->n : 400);
    }
    static const char summary[] = "SUMMARY: ";
    if (line->n > sizeof summary && memcmp(line->p, summary, sizeof summary - 1) == 0 &&
        memmem(line->p, line->n, "Sanitizer: ", 11) != NULL) {
        strbuf_reset(&o->nodes[node].summary);
        strbuf_add(&o->nodes[node].summary, line->p, line->n < 400 ? line->n : 400);
    }
    strbuf_reset(line);
}

void oracle_output(struct oracle *o, uint32_t node, int fd, const char *text, size_t n)
{
    int stream = fd == STDERR_FILENO ? STREAM_ERR : STREAM_OUT;
    struct strbuf *line = &o->nodes[node].line[stream];
    while (n > 0) {
        const char *end = memchr(text, '\n', n);
        size_t part = end != NULL ? (size_t)(end - text) : n;
        strbuf_add(line, text, part);
        if (end == NULL) {
            if (line->n > 65536) {
                check_line(o, node, stream);
            }
            return;
        }
        check_line(o, node, stream);
        text = end + 1;
        n -= part + 1;
    }
}

/* What a program said about its end. A signal says it all, except the one by which programs end
 * themselves. */
static struct failure end_failure(const struct oracle *o, uint32_t node, int status)
{
    const struct oracle_node *seen = &o->nodes[node];
    const struct strbuf *said = seen->summary.n != 0            ? &seen->summary
                                : seen->said[STREAM_ERR].n != 0 ? &seen->said[STREAM_ERR]
                                                                : &seen->said[STREAM_OUT];
    bool signal = WIFSIGNALED(status);
    return (struct failure){
        .kind = signal ? FAILURE_SIGNAL : FAILURE_STATUS,
        .node = (int32_t)node,
        .number = (uint32_t)(signal ? WTERMSIG(status) : WEXITSTATUS(status)),
        .text_class =
            signal && WTERMSIG(status) != SIGABRT ? 0 : failure_text_class(strbuf_str(said)),
    };
}

/* A process that ended by itself must have ended well. */
void oracle_ends(struct oracle *o, const struct world *world)
{
    for (uint32_t i = 0; i < o->cluster->n_nodes; i++) {
        struct node_view view;
        world_node_view(world, i, &view);
        struct oracle_node *seen = &o->nodes[i];
        if (seen->starts != view.starts) {
            seen->starts = view.starts;
            seen->reported = false;
        }
        if (!view.ended || seen->reported) {
            continue;
        }
        seen->reported = true;
        check_line(o, i, STREAM_OUT);
        check_line(o, i, STREAM_ERR);
        if (view.status != 0 && !o->cluster->may_fail[i]) {
            struct failure what = end_failure(o, i, view.status);
            if (WIFSIGNALED(view.status)) {
                found(o, what, "%s %s was ended by signal %d (%s)", view.client ? "client" : "node",
                      view.name, WTERMSIG(view.status), strsignal(WTERMSIG(view.status)));
            } else {
                found(o, what, "%s %s ended with status %d%s%s", view.client ? "client" : "node",
                      view.name, WEXITSTATUS(view.status), seen->summary.n != 0 ? ": " : "",
                      strbuf_cstr(&seen->summary));
            }
        }
    }
}
