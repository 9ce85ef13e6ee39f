/* State graphs: TLC's plain list of states and its DOT graph.
 *
 * The checker reports states and edges while it searches, under a lock. Labels of states come from
 * a worker of our own. An edge is reported with its action only, so for labels with arguments the
 * successors of its source are enumerated once more, in the same order, and the labels handed out
 * in turn. Edges of different sources come mixed when there are several workers, so which labels
 * are left is kept for each source until all are handed out. Graphs that people look at are small;
 * this is not on anybody's fast path. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/lock.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "job/job.h"
#include "job/load.h"
#include "model/again.h"
#include "model/model.h"

struct known_state {
    uint64_t fp;
    uint64_t level;
    const void *bytes;
    size_t len;
};

struct edge_label {
    uint64_t fp;
    uint32_t action;
    const char *text;
    bool used;
};

/* A state some of whose edges were reported; with action constraints some never are. */
struct edges_of {
    uint64_t fp;
    size_t left; /* labels */
    VEC(struct edge_label) labels;
};
enum { SOURCES_MOST = 4096 }; /* many times the workers */

struct dump {
    struct dump_options options;
    FILE *out;
    const struct spec *spec;
    struct model *model;
    struct mworker *worker;
    struct arena arena;
    uint64_t count; /* states written */
    VEC(struct known_state) states;
    struct u64map index;          /* fingerprint -> number in states */
    struct u64map ranked;         /* fingerprints that stand in a rank already */
    struct u64map edges;          /* strict: fp ^ fp2 written */
    VEC(const char *) names;      /* actions in order of first use */
    VEC(struct edges_of) sources; /* the one asked for last comes last */
    uint64_t last_source;
    bool skip_target; /* the last edge was left out */
};

int dump_open(const struct dump_options *options, const struct spec *spec, struct dump **ret_dump,
              struct err *err)
{
    struct dump *dump = vec_grow(NULL, &(size_t){0}, 1, sizeof *dump);
    memset(dump, 0, sizeof *dump);
    dump->options = *options;
    dump->spec = spec;
    dump->model = spec->model;
    arena_init(&dump->arena, 0);
    int fd = -1;
    int rc = file_create_locked(options->path, &fd, err);
    dump->out = rc == 0 ? fdopen(fd, "w") : NULL;
    if (dump->out == NULL) {
        if (fd >= 0) {
            rc = err_set(err, ERR_IO, errno, "cannot write %s", options->path);
            (void)close(fd);
        }
        arena_done(&dump->arena);
        vec_release(dump);
        return rc;
    }
    if (options->dot) {
        (void)fprintf(dump->out,
                      "strict digraph DiskGraph {\nnode "
                      "[shape=box,style=rounded]\n%snodesep=0.35;\nsubgraph cluster_graph {\n"
                      "color=\"white\";\n",
                      options->colorize ? "edge [colorscheme=\"paired12\"]\n" : "");
    }
    *ret_dump = dump;
    return 0;
}

/* ---- text of states and labels ---- */
static bool ready(struct dump *dump)
{
    struct err err = {0};
    return dump->worker != NULL ||
           dump->model->ops->worker_new(dump->model, 0, 0, &dump->worker, &err) == 0;
}

static void state_text(struct dump *dump, const void *bytes, size_t len, uint64_t level,
                       struct strbuf *out)
{
    const struct model_ops *ops = dump->model->ops;
    if (!ready(dump) || ops->load(dump->worker, bytes, len, level) != MODEL_OK) {
        strbuf_adds(out, "?");
        return;
    }
    size_t before = out->n;
    if (ops->print(dump->worker, true, false, out) != MODEL_OK) {
        out->n = before;
        (void)ops->print(dump->worker, false, false, out);
    }
}

static void write_escaped(FILE *out, struct str text)
{
    while (text.n > 0 && (text.p[text.n - 1] == '\n' || text.p[text.n - 1] == ' ')) {
        text.n--;
    }
    for (size_t i = 0; i < text.n; i++) {
        switch (text.p[i]) {
        case '\\': (void)fputs("\\\\", out); break;
        case '"': (void)fputs("\\\"", out); break;
        case '\n': (void)fputs("\\n", out); break;
        default: (void)putc(text.p[i], out);
        }
    }
}

static int collect_label(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct dump *dump = arg;
    SCOPED_STRBUF text = {0};
    if (dump->options.tlc_labels) {
        struct mvalues args = {0};
        worker->model->ops->args(worker, &args);
        job_tlc_label(dump->spec, worker->model, cand->action, &args, &text);
    } else {
        worker->model->ops->label(worker, &text);
    }
    struct edge_label label = {cand->fp, cand->action,
                               arena_strndup(&dump->arena, strbuf_cstr(&text), text.n), false};
    struct edges_of *source = &VEC_LAST(&dump->sources);
    VEC_PUSH(&source->labels, label);
    source->left++;
    return 0;
}

static void drop_source(struct dump *dump, size_t at)
{
    VEC_DONE(&dump->sources.v[at].labels);
    dump->sources.n--;
    memmove(dump->sources.v + at, dump->sources.v + at + 1,
            (dump->sources.n - at) * sizeof *dump->sources.v);
}

/* NULL: its labels are not to be had. */
static struct edges_of *source_of(struct dump *dump, uint64_t fp)
{
    size_t i = dump->sources.n;
    while (i > 0 && dump->sources.v[i - 1].fp != fp) {
        i--;
    }
    if (i > 0) {
        struct edges_of found = dump->sources.v[i - 1];
        memmove(dump->sources.v + i - 1, dump->sources.v + i,
                (dump->sources.n - i) * sizeof *dump->sources.v);
        VEC_LAST(&dump->sources) = found;
        return &VEC_LAST(&dump->sources);
    }
    uint64_t at;
    if (!u64map_get(&dump->index, fp, &at) || !ready(dump)) {
        return NULL;
    }
    if (dump->sources.n == SOURCES_MOST) {
        drop_source(dump, 0);
    }
    VEC_PUSH(&dump->sources, (struct edges_of){.fp = fp});
    const struct known_state *state = &dump->states.v[at];
    struct model_before before = {.bytes = state->bytes,
                                  .len = state->len,
                                  .level = state->level,
                                  .action = MODEL_ANY_ACTION};
    if (model_again(dump->worker, &before, collect_label, dump) != MODEL_OK) {
        drop_source(dump, dump->sources.n - 1);
        return NULL;
    }
    return &VEC_LAST(&dump->sources);
}

static const char *edge_label(struct dump *dump, uint64_t fp, uint64_t fp2, uint32_t action)
{
    const char *plain = action < dump->model->naction ? dump->model->actions[action].name : "";
    struct edges_of *source = source_of(dump, fp);
    for (size_t i = 0; source != NULL && i < source->labels.n; i++) {
        struct edge_label *label = &source->labels.v[i];
        if (!label->used && label->fp == fp2 && label->action == action) {
            const char *text = label->text;
            label->used = true;
            if (--source->left == 0) {
                drop_source(dump, dump->sources.n - 1);
            }
            return text;
        }
    }
    return plain;
}

/* ---- graph ---- */
static uint64_t color_of(struct dump *dump, const char *name)
{
    for (size_t i = 0; i < dump->names.n; i++) {
        if (strcmp(dump->names.v[i], name) == 0) {
            return i + 2;
        }
    }
    VEC_PUSH(&dump->names, name);
    return dump->names.n + 1;
}

static void remember(struct dump *dump, uint64_t fp, const void *bytes, size_t len, uint64_t level)
{
    uint64_t at;
    if (u64map_get(&dump->index, fp, &at)) {
        return;
    }
    struct known_state state = {fp, level, arena_strndup(&dump->arena, bytes, len), len};
    u64map_put(&dump->index, fp, dump->states.n);
    VEC_PUSH(&dump->states, state);
}

static uint64_t level_of(const struct dump *dump, uint64_t fp)
{
    uint64_t at;
    return u64map_get(&dump->index, fp, &at) ? dump->states.v[at].level : 1;
}

static void on_state(void *arg, uint64_t fp, const void *bytes, size_t len, bool initial,
                     bool in_model)
{
    struct dump *dump = arg;
    if (!in_model && !(dump->options.dot && dump->options.constrained)) {
        return;
    }
    SCOPED_STRBUF text = {0};
    if (!dump->options.dot) {
        state_text(dump, bytes, len, 1, &text);
        (void)fprintf(dump->out, "State %" PRIu64 ":\n%s%s\n", ++dump->count, strbuf_cstr(&text),
                      text.n > 0 && text.p[text.n - 1] == '\n' ? "" : "\n");
        return;
    }
    if (!initial && dump->skip_target) {
        return;
    }
    uint64_t level = initial ? 1 : level_of(dump, dump->last_source) + 1;
    remember(dump, fp, bytes, len, level);
    state_text(dump, bytes, len, level, &text);
    (void)fprintf(dump->out, "%" PRId64 " [label=\"", (int64_t)fp);
    write_escaped(dump->out, strbuf_str(&text));
    if (initial) {
        (void)fputs("\",style = filled]\n", dump->out);
        u64map_put(&dump->ranked, fp, level);
        return;
    }
    (void)fputs("\",tooltip=\"", dump->out);
    write_escaped(dump->out, strbuf_str(&text));
    (void)fputs(in_model ? "\"];\n" : "\",style = filled, fillcolor=lightyellow];\n", dump->out);
}

static void on_edge(void *arg, uint64_t fp, uint64_t fp2, uint32_t action, bool seen_before)
{
    struct dump *dump = arg;
    (void)seen_before;
    uint64_t unused;
    bool stutter = action == CHECK_ACTION_STUTTER;
    dump->last_source = fp;
    dump->skip_target = false;
    if (!dump->options.dot || (stutter && !dump->options.stuttering)) {
        return;
    }
    if (dump->options.strict) {
        if (u64map_get(&dump->edges, fp ^ fp2, &unused)) {
            dump->skip_target = true;
            return;
        }
        u64map_put(&dump->edges, fp ^ fp2, 1);
    }
    (void)fprintf(dump->out, "%" PRId64 " -> %" PRId64, (int64_t)fp, (int64_t)fp2);
    if (stutter) {
        (void)fputs(" [style=\"dashed\",color=\"lightgray\"];\n", dump->out);
    } else {
        char color[24] = "black";
        if (dump->options.colorize && action < dump->model->naction) {
            (void)snprintf(color, sizeof color, "%" PRIu64,
                           color_of(dump, dump->model->actions[action].name));
        }
        (void)fputs(" [label=\"", dump->out);
        if (dump->options.actionlabels) {
            write_escaped(dump->out, str_of(edge_label(dump, fp, fp2, action)));
        }
        (void)fprintf(dump->out, "\",color=\"%s\",fontcolor=\"%s\"];\n", color, color);
    }
    if (!u64map_get(&dump->ranked, fp, &unused)) {
        u64map_put(&dump->ranked, fp, level_of(dump, fp));
    }
}

void dump_install(struct dump *dump, struct check_options *check)
{
    check->on_state = on_state;
    check->on_edge = on_edge;
    check->dump_arg = dump;
}

/* ---- the end of the file ---- */
static void write_ranks(struct dump *dump)
{
    uint64_t top = 0;
    for (size_t i = 0; i < dump->ranked.n; i++) {
        top = dump->ranked.entries[i].value > top ? dump->ranked.entries[i].value : top;
    }
    for (uint64_t level = 1; level <= top; level++) {
        (void)fputs("{rank = same; ", dump->out);
        for (size_t i = 0; i < dump->ranked.n; i++) {
            if (dump->ranked.entries[i].value == level) {
                (void)fprintf(dump->out, "%" PRId64 ";", (int64_t)dump->ranked.entries[i].key);
            }
        }
        (void)fputs("}\n", dump->out);
    }
}

static void write_legend(struct dump *dump)
{
    (void)fputs("subgraph cluster_legend {graph[style=bold];label = \"Next State Actions\" "
                "style=\"solid\"\n"
                "node [ labeljust=\"l\",colorscheme=\"paired12\",style=filled,shape=record ]\n",
                dump->out);
    for (size_t i = 0; i < dump->names.n; i++) {
        SCOPED_STRBUF id = {0};
        for (const char *p = dump->names.v[i]; *p != '\0'; p++) {
            strbuf_addc(&id, *p == '!' ? ':' : *p);
        }
        (void)fprintf(dump->out, "%s [label=\"%s\",fillcolor=%zu]\n", strbuf_cstr(&id),
                      dump->names.v[i], i + 2);
    }
    (void)fputs("}", dump->out);
}

int dump_close(struct dump *dump, struct err *err)
{
    if (dump == NULL) {
        return 0;
    }
    if (dump->options.dot) {
        write_ranks(dump);
        (void)fputs("}\n", dump->out);
        if (dump->options.colorize && dump->names.n > 1) {
            write_legend(dump);
        }
        (void)fputs("}", dump->out);
    }
    errno = 0;
    bool bad = ferror(dump->out) != 0;
    bad = fclose(dump->out) != 0 || bad;
    int rc = bad ? err_set(err, ERR_IO, errno, "cannot write %s", dump->options.path) : 0;
    if (dump->worker != NULL) {
        dump->model->ops->worker_free(dump->worker);
    }
    VEC_DONE(&dump->states);
    VEC_DONE(&dump->names);
    while (dump->sources.n != 0) {
        drop_source(dump, dump->sources.n - 1);
    }
    VEC_DONE(&dump->sources);
    u64map_done(&dump->index);
    u64map_done(&dump->ranked);
    u64map_done(&dump->edges);
    arena_done(&dump->arena);
    vec_release(dump);
    return rc;
}
