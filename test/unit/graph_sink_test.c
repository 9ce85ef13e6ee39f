/* Graphs from searches, in files, and from DOT: the same for any number of workers; damaged files
 * are refused. */
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/rng.h"
#include "check_toy.h"
#include "graph/graph.h"
#include "test.h"

static struct graph *collect(struct toy *toy, unsigned workers, struct graph_limits limits)
{
    struct graph_sink *sink = NULL;
    struct graph *graph = NULL;
    struct check_result *result = NULL;
    struct err err = {0};
    graph_sink_new(&toy->model, &limits, &sink);
    struct check_options options = {.workers = workers, .sink = graph_sink_check(sink)};
    CHECK_EQ(check_run(&toy->model, &options, &result, &err), 0);
    CHECK_EQ(graph_sink_take(sink, result, &graph, &err), 0);
    check_result_free(result);
    graph_sink_free(sink);
    return graph;
}

static void same(const struct graph *a, const struct graph *b)
{
    CHECK_EQ(a->n_states, b->n_states);
    CHECK_EQ(a->n_edges, b->n_edges);
    CHECK_EQ(a->n_initial, b->n_initial);
    CHECK_EQ(a->n_labels, b->n_labels);
    CHECK_EQ(a->left.outside, b->left.outside);
    CHECK_EQ(a->left.deeper, b->left.deeper);
    CHECK_EQ(a->left.sampled, b->left.sampled);
    CHECK(memcmp(a->first, b->first, (a->n_states + (size_t)1) * sizeof *a->first) == 0);
    CHECK(memcmp(a->to, b->to, a->n_edges * sizeof *a->to) == 0);
    for (uint32_t e = 0; e < a->n_edges; e++) {
        CHECK(str_eq(a->labels[a->label[e]].text, b->labels[b->label[e]].text));
    }
}

TEST(any_number_of_workers_gives_the_same)
{
    for (uint32_t batch = 0; batch < 4; batch += 3) {
        struct toy toy = toy_graph(3000, 6, 40);
        toy.ninit = 3;
        toy.outside = 7;
        toy.batch = batch;
        toy_ready(&toy);
        struct graph *one = collect(&toy, 1, (struct graph_limits){0});
        CHECK(one->n_edges > one->n_states);
        CHECK(one->left.outside > 0);
        for (unsigned workers = 2; workers < 6; workers++) {
            struct graph *other = collect(&toy, workers, (struct graph_limits){0});
            same(one, other);
            graph_free(other);
        }
        graph_free(one);
    }
}

/* Every step of the toy is there, once, in its order, and leads where it should. */
TEST(steps_are_those_of_the_model)
{
    struct toy toy = toy_graph(500, 5, 30);
    toy.ninit = 1;
    toy_ready(&toy);
    struct graph *g = collect(&toy, 1, (struct graph_limits){0});
    uint32_t *state = malloc(g->n_states * sizeof *state);
    state[0] = 0;
    CHECK_EQ(g->n_initial, 1);
    for (uint32_t s = 0; s < g->n_states; s++) {
        uint32_t e = g->first[s], seen[8], n = 0;
        for (uint32_t k = 0; k < toy.degree; k++) {
            uint32_t to = toy_succ(&toy, state[s], k);
            bool again = to == TOY_NONE;
            for (uint32_t i = 0; i < n; i++) {
                again = again || seen[i] == to;
            }
            if (again) {
                continue;
            }
            seen[n++] = to;
            char label[32];
            (void)snprintf(label, sizeof label, "To(%u)", to);
            CHECK(e < g->first[s + 1]);
            CHECK(str_is(g->labels[g->label[e]].text, label));
            state[g->to[e]] = to;
            e++;
        }
        CHECK_EQ(e, g->first[s + 1]);
    }
    free(state);
    graph_free(g);
}

/* Without arguments all labels are "To": steps to the same state are one. With the labels of a
 * model that does not tell its steps apart, they get numbers. */
static void one_label(struct mworker *worker, struct strbuf *out)
{
    (void)worker;
    strbuf_adds(out, "To");
}

TEST(steps_with_one_label_get_numbers)
{
    struct toy toy = toy_graph(100, 4, 20);
    toy_ready(&toy);
    struct model_ops ops = *toy.model.ops;
    ops.label = one_label;
    toy.model.ops = &ops;
    struct graph *g = collect(&toy, 1, (struct graph_limits){0});
    struct graph *plain = collect(&toy, 1, (struct graph_limits){.plain = true});
    CHECK_EQ(g->n_edges, plain->n_edges);
    CHECK_EQ(plain->n_labels, 1);
    for (uint32_t s = 0; s < g->n_states; s++) {
        for (uint32_t e = g->first[s]; e < g->first[s + 1]; e++) {
            char label[32];
            uint32_t nth = e - g->first[s] + 1;
            (void)snprintf(label, sizeof label, nth == 1 ? "To" : "To #%u", nth);
            CHECK(str_is(g->labels[g->label[e]].text, label));
        }
    }
    graph_free(g);
    graph_free(plain);
}

TEST(limits_say_what_they_left_out)
{
    struct toy toy = toy_graph(5000, 5, 50);
    toy_ready(&toy);
    struct graph *all = collect(&toy, 1, (struct graph_limits){0});
    struct graph *near = collect(&toy, 3, (struct graph_limits){.depth_max = 6});
    uint32_t *level = graph_levels(all), n = 0, *levels = graph_levels(near);
    while (n < all->n_states && level[n] <= 6) {
        n++;
    }
    CHECK_EQ(near->n_states, n);
    CHECK_EQ(levels[near->n_states - 1], 6);
    CHECK(near->left.deeper > 0);
    uint32_t edges = 0;
    for (uint32_t e = 0; e < all->first[n]; e++) {
        edges += all->to[e] < n ? 1 : 0;
    }
    CHECK_EQ(near->n_edges, edges);
    CHECK_EQ(near->n_edges + near->left.deeper, all->first[n]);
    struct graph *some = collect(&toy, 1, (struct graph_limits){.sample_ppm = 700000, .seed = 5});
    struct graph *again = collect(&toy, 4, (struct graph_limits){.sample_ppm = 700000, .seed = 5});
    same(some, again);
    CHECK(some->n_states < all->n_states);
    CHECK(some->left.sampled > 0);
    free(level);
    free(levels);
    graph_free(all);
    graph_free(near);
    graph_free(some);
    graph_free(again);
}

struct files {
    struct arena arena;
    char dir[64];
    const char *path;
};

static void files_open(struct files *f, const char *name)
{
    arena_init(&f->arena, 0);
    (void)snprintf(f->dir, sizeof f->dir, "/tmp/assay-test-XXXXXX");
    CHECK(mkdtemp(f->dir) != NULL);
    f->path = path_join(&f->arena, f->dir, name);
}

static void files_close(struct files *f)
{
    struct err err = {0};
    CHECK_EQ(dir_remove(f->dir, &err), 0);
    arena_done(&f->arena);
}

TEST(files_hold_the_whole_graph)
{
    struct toy toy = toy_graph(300, 5, 30);
    toy.outside = 11;
    toy_ready(&toy);
    struct files f;
    struct err err = {0};
    struct graph *g = collect(&toy, 2, (struct graph_limits){.depth_max = 20}), *back = NULL;
    files_open(&f, "toy.graph");
    g->digest = 99;
    CHECK_EQ(graph_write(g, f.path, &err), 0);
    CHECK_EQ(graph_read(f.path, &back, &err), 0);
    same(g, back);
    CHECK_EQ(back->digest, 99);
    CHECK(str_eq(g->spec, back->spec));
    graph_free(back);
    struct str text;
    CHECK_EQ(file_read(&f.arena, f.path, SIZE_MAX / 2, &text, &err), 0);
    for (size_t n = 0; n < text.n; n += n < 200 ? 1 : 97) { /* cut off anywhere */
        CHECK_EQ(file_write(f.path, (struct str){text.p, n}, &err), 0);
        int status = graph_read(f.path, &back, &err);
        CHECK(status == -ERR_CORRUPT || (n < 12 && status == -ERR_INVALID));
    }
    char *copy = arena_strndup(&f.arena, text.p, text.n);
    for (size_t i = 0; i < text.n; i += i < 100 ? 1 : 61) { /* another byte anywhere */
        copy[i] = (char)(copy[i] ^ 0x40);
        CHECK_EQ(file_write(f.path, (struct str){copy, text.n}, &err), 0);
        CHECK(graph_read(f.path, &back, &err) < 0);
        copy[i] = (char)(copy[i] ^ 0x40);
    }
    CHECK(graph_write(g, "/nowhere/at/all.graph", &err) < 0);
    CHECK_EQ(graph_read("/nowhere", &back, &err), -ERR_NOT_FOUND);
    graph_free(g);
    files_close(&f);
}

static const char dot[] =
    "strict digraph DiskGraph {\n"
    "nodesep=0.35;\n"
    "subgraph cluster_graph {\n"
    "color=\"white\";\n"
    "-7 [label=\"/\\\\ x = \\\"a -> b\\\"\",style = filled]\n"
    "-7 -> 12 [label=\"Go(\\\"x\\\")\",color=\"2\",fontcolor=\"2\"];\n"
    "12 [label=\"/\\\\ x = 1\",tooltip=\"/\\\\ x = 1\"];\n"
    "-7 -> 12 [label=\"Go(\\\"x\\\")\",color=\"2\",fontcolor=\"2\"];\n"
    "-7 -> 12 [label=\"Stay\",color=\"3\",fontcolor=\"3\"];\n"
    "12 -> -7 [label=\"Back\",color=\"4\",fontcolor=\"4\"];\n"
    "{rank = same; -7;}\n"
    "}\n"
    "subgraph cluster_legend {graph[style=bold];label = \"Next State Actions\"\n"
    "Go [label=\"Go\",fillcolor=2]\n"
    "}}\n";

TEST(dot_files_of_tlc)
{
    struct files f;
    struct err err = {0};
    struct graph *g = NULL;
    files_open(&f, "toy.dot");
    CHECK(graph_is_dot(f.path));
    CHECK_EQ(file_write(f.path, STR(dot), &err), 0);
    CHECK_EQ(graph_read_dot(f.path, &g, &err), 0);
    CHECK_EQ(g->n_states, 2);
    CHECK_EQ(g->n_edges, 3);
    CHECK_EQ(g->n_initial, 1);
    CHECK(str_is(g->labels[g->label[0]].text, "Go(\"x\")"));
    CHECK(str_is(g->actions[g->labels[g->label[0]].action], "Go"));
    CHECK(str_is(g->labels[g->label[2]].text, "Back"));
    graph_free(g);
    for (size_t n = 0; n + 2 < sizeof dot; n++) {
        CHECK_EQ(file_write(f.path, (struct str){dot, n}, &err), 0);
        CHECK(graph_read_dot(f.path, &g, &err) < 0);
    }
    CHECK_EQ(file_write(f.path, STR("hello\n"), &err), 0);
    CHECK_EQ(graph_read_dot(f.path, &g, &err), -ERR_INVALID);
    files_close(&f);
}
