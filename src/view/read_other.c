/* Histories and state graphs. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "graph/graph.h"
#include "history/history.h"
#include "report/report.h"
#include "view/docs_int.h"
#include "view/view.h"

/* A row is [process, what, called at, ended at or null, how it ended, line of the call, of the
 * end]: moments are places of the events in the file. */
int view_read_history(struct view_docs *docs, const char *path, struct str text, struct err *err)
{
    struct arena arena;
    struct history *history = NULL;
    SCOPED_STRBUF out = {0};
    arena_init(&arena, 0);
    int status = history_parse(&arena, path, text, false, &history, err);
    if (status == 0) {
        view_field(&out, "file", str_of(path));
        strbuf_adds(&out, ",\"operations\":[");
        for (size_t i = 0; i < history_count(history); i++) {
            struct hist_told told;
            SCOPED_STRBUF what = {0};
            SCOPED_STRBUF process = {0};
            history_tell(history, i, &told, &process, &what);
            strbuf_adds(&out, i != 0 ? ",\n[" : "[");
            report_json(strbuf_str(&process), &out);
            strbuf_addc(&out, ',');
            report_json(strbuf_str(&what), &out);
            strbuf_printf(&out, told.returned ? ",%u,%u" : ",%u,null", told.call, told.ret);
            strbuf_printf(&out, ",\"%s\",%u,%u]", told.end, told.call_line, told.ret_line);
        }
        strbuf_addc(&out, ']');
        bool any = history_count(history) != 0;
        if (any) {
            view_add(docs, "history", strbuf_str(&out));
        }
        status = any ? 1 : 0;
        history_free(history);
    }
    arena_done(&arena);
    return status;
}

enum { GRAPH_MAX = 2000000 };

/* Steps are [from, to, label]; states and labels are numbers. */
int view_read_graph(struct view_docs *docs, const char *path, struct str text, struct err *err)
{
    struct graph *graph = NULL;
    bool dot =
        text.n > 7 && (memcmp(text.p, "digraph", 7) == 0 || memcmp(text.p, "strict ", 7) == 0);
    struct err why = {0};
    if (dot && !graph_is_dot(path)) {
        return err_set(err, ERR_INVALID, 0, "%s: the name of a graph in DOT ends in .dot", path);
    }
    int status = dot ? graph_read_dot(path, &graph, &why) : graph_read(path, &graph, &why);
    if (status != 0) {
        return dot || why.code == ERR_CORRUPT ? err_set(err, why.code, 0, "%s", why.text) : 0;
    }
    SCOPED_STRBUF out = {0};
    uint32_t *levels = graph_levels(graph);
    view_field(&out, "file", str_of(path));
    view_field(&out, "spec", graph->spec);
    strbuf_printf(&out, ",\"n_states\":%u,\"n_steps\":%u,\"labels\":[", graph->n_states,
                  graph->n_edges);
    for (uint32_t i = 0; i < graph->n_labels; i++) {
        strbuf_adds(&out, i != 0 ? "," : "");
        report_json(graph->labels[i].text, &out);
    }
    strbuf_adds(&out, "],\"levels\":[");
    for (uint32_t i = 0; i < graph->n_states; i++) {
        strbuf_printf(&out, i != 0 ? ",%d" : "%d", levels[i] == GRAPH_NONE ? -1 : (int)levels[i]);
    }
    strbuf_adds(&out, "],\"steps\":[");
    for (uint32_t s = 0; graph->n_edges <= GRAPH_MAX && s < graph->n_states; s++) {
        for (uint32_t e = graph->first[s]; e < graph->first[s + 1]; e++) {
            strbuf_printf(&out, e != 0 ? ",[%u,%u,%u]" : "[%u,%u,%u]", s, graph->to[e],
                          graph->label[e]);
        }
    }
    strbuf_addc(&out, ']');
    vec_release(levels);
    graph_free(graph);
    view_add(docs, "graph", strbuf_str(&out));
    return 1;
}
