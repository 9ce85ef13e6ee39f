/* Branches: a cluster is brought to some time, snapshotted, and run on from there several times.
 * Each branch must end with the hash of the straight run; how long it takes is measured. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "run/runner.h"
#include "world/world.h"

static int run_on(struct world *world, uint64_t until_ns, struct err *err)
{
    for (;;) {
        enum settle_result settled = SETTLE_QUIET;
        struct event event;
        int status = world_settle(world, &settled, err);
        if (status != 0) {
            return status;
        }
        if (!world_next(world, &event) || world_event_ns(&event) > until_ns) {
            return 0;
        }
        status = world_do(world, &event, err);
        if (status != 0) {
            return status;
        }
    }
}

/* Runs on by what is due next, until the time. */
static int run_to(struct world *world, uint64_t until_ns, struct err *err)
{
    world_hold(world, true);
    int status = run_on(world, until_ns, err);
    world_hold(world, false);
    return status;
}

static double ms_since(uint64_t begin_ns)
{
    return (double)(clock_mono_ns() - begin_ns) * 1e-6;
}

static int branch(struct world *world, const struct branch_options *o, struct branch_result *ret,
                  struct err *err)
{
    struct snapshot *snapshot = NULL;
    int status = run_to(world, o->at_ns, err);
    uint64_t begin = clock_mono_ns();
    status = status != 0 ? status : world_snapshot(world, &snapshot, err);
    ret->take_ms = ms_since(begin);
    for (uint32_t i = 0; i < world_nodes(world); i++) {
        struct node_view view;
        world_node_view(world, i, &view);
        ret->threads += view.threads;
        ret->processes += view.processes;
    }
    status = status != 0 ? status : run_to(world, o->at_ns + o->for_ns, err);
    uint64_t straight = world_hash(world);
    for (uint32_t i = 0; status == 0 && i < o->branches; i++) {
        begin = clock_mono_ns();
        status = world_restore(world, snapshot, err);
        ret->restore_ms += ms_since(begin) / o->branches;
        begin = clock_mono_ns();
        status = status != 0 ? status : run_to(world, o->at_ns + o->for_ns, err);
        ret->run_ms += ms_since(begin) / o->branches;
        ret->equal += status == 0 && world_hash(world) == straight ? 1 : 0;
    }
    snapshot_free(world, snapshot);
    return status;
}

int run_branches(const struct run_options *options, const struct branch_options *o,
                 struct branch_result *ret, struct err *err)
{
    struct world_spec spec = run_world_spec(options);
    struct world *world = NULL;
    *ret = (struct branch_result){0};
    int status = world_open(&spec, &world, err);
    status = status != 0 ? status : branch(world, o, ret, err);
    world_close(world);
    return status;
}
