/* What invariants over observed variables cost: a cluster runs by what is due, and the time of each
 * look at it is taken.
 *
 * usage: observe_bench CLUSTER.toml [EVENTS] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "observe/observe.h"
#include "run/cluster.h"
#include "run/runner.h"
#include "world/world.h"

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void must(int status, const struct err *err)
{
    if (status != 0) {
        fprintf(stderr, "%s\n", err->text);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    struct err err = {0};
    struct arena arena;
    struct cluster cluster;
    struct observer *observer = NULL;
    struct strbuf text = {0};
    char dir[] = "/tmp/observe-bench.XXXXXX";
    size_t most = argc > 2 ? strtoul(argv[2], NULL, 10) : 2000, n = 0;
    uint64_t *ns = calloc(most + 1, sizeof *ns), total = 0;
    if (argc < 2 || mkdtemp(dir) == NULL) {
        fprintf(stderr, "usage: observe_bench CLUSTER.toml [EVENTS]\n");
        return 2;
    }
    arena_init(&arena, 0);
    must(cluster_read(&arena, argv[1], &cluster, &err), &err);
    must(observer_open(&cluster, &observer, &text, &err), &err);
    struct run_options options = {.cluster = &cluster, .seed = 1, .dir = dir, .trace_fd = -1};
    struct world_spec spec = run_world_spec(&options);
    struct world *world = NULL;
    must(world_open(&spec, &world, &err), &err);
    struct event event;
    for (;; n++) {
        enum settle_result settled = SETTLE_QUIET;
        uint32_t number = 0;
        must(world_settle(world, &settled, &err), &err);
        uint64_t begin = clock_mono_ns();
        int status = observer_check(observer, world, &number, &text, &err);
        ns[n] = clock_mono_ns() - begin;
        total += ns[n];
        must(status < 0 ? status : 0, &err);
        if (status == 1 || n + 1 == most || !world_next(world, &event)) {
            break;
        }
        must(world_do(world, &event, &err), &err);
    }
    n++;
    qsort(ns, n, sizeof *ns, by_size);
    printf("%zu events; one look: median %.1f us, 90 of 100 below %.1f us, mean %.1f us\n", n,
           (double)ns[n / 2] * 1e-3, (double)ns[n * 9 / 10] * 1e-3,
           (double)total * 1e-3 / (double)n);
    world_close(world);
    observer_free(observer);
    strbuf_done(&text);
    arena_done(&arena);
    free(ns);
    return 0;
}
