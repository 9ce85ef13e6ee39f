/* How fast the checker itself is: a model whose successors cost next to nothing, so that the time
 * is that of the fingerprint set, the queue and the log.
 *
 * The model is a grid of counters: `digits` of them, each counting up to base - 1, so base^digits
 * states and digits * (base - 1) * base^(digits - 1) steps. Fingerprints are scattered, as those of
 * any model.
 *
 * usage: check_bench [-b BASE] [-d DIGITS] [-w WORKERS] [-m MEBIBYTES] [-s] [-i] [-l] [-p SECONDS]
 *   -s  one successor at a time, without batches     -i  with an invariant
 *   -l  with a temporal property                     -p  progress, to see the cost of a state over
 * time */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/resource.h>

#include "base/hash.h"
#include "base/str.h"
#include "check/check.h"
#include "model/model.h"

enum { DIGITS_MAX = 8, SLOTS = 32 };

struct grid {
    struct model model;
    uint32_t base, digits;
    uint64_t weight[DIGITS_MAX + 1];
};

struct batch {
    uint64_t state;
    uint64_t next[DIGITS_MAX];
    struct candidate cands[DIGITS_MAX];
};

struct grid_worker {
    struct mworker head;
    uint64_t current, candidate;
    uint32_t last; /* batch */
    struct batch batches[SLOTS];
};

static struct grid *grid_of(const struct mworker *head)
{
    return (struct grid *)(void *)head->model;
}

static int worker_new(struct model *model, unsigned index, uint64_t seed, struct mworker **ret,
                      struct err *err)
{
    (void)index;
    (void)seed;
    (void)err;
    struct grid_worker *w = aligned_alloc(128, (sizeof *w + 127) / 128 * 128);
    memset(w, 0, sizeof *w);
    w->head.model = model;
    *ret = &w->head;
    return 0;
}

static void worker_free(struct mworker *head)
{
    free(head);
}

static int init(struct mworker *head, model_sink sink, void *arg)
{
    struct grid_worker *w = (void *)head;
    struct candidate cand = {.fp = hash_mix(1)};
    w->candidate = 0;
    return sink(arg, head, &cand) ? MODEL_STOPPED : MODEL_OK;
}

static int load(struct mworker *head, const void *bytes, size_t len, uint64_t level)
{
    struct grid_worker *w = (void *)head;
    (void)len;
    (void)level;
    memcpy(&w->current, bytes, sizeof w->current);
    return MODEL_OK;
}

static int next_batch(struct mworker *head, struct mbatch *ret)
{
    struct grid_worker *w = (void *)head;
    const struct grid *grid = grid_of(head);
    w->last = (w->last + 1) % SLOTS;
    struct batch *b = &w->batches[w->last];
    uint64_t rest = w->current;
    uint32_t n = 0;
    b->state = w->current;
    for (uint32_t i = 0; i < grid->digits; i++) {
        if (rest % 256 + 1 < grid->base) { /* a digit is a byte, whatever the base */
            b->next[n] = w->current + (UINT64_C(1) << 8 * i);
            b->cands[n] = (struct candidate){.fp = hash_mix(b->next[n] + 1), .action = i};
            n++;
        }
        rest >>= 8;
    }
    *ret = (struct mbatch){.n = n, .cands = b->cands, .slot = w->last};
    return MODEL_OK;
}

static void grid_select(struct mworker *head, uint32_t i)
{
    struct grid_worker *w = (void *)head;
    w->candidate = w->batches[w->last].next[i];
}

static void recall(struct mworker *head, uint32_t slot)
{
    struct grid_worker *w = (void *)head;
    w->last = slot;
    w->current = w->batches[slot].state;
}

static int next(struct mworker *head, model_sink sink, void *arg)
{
    struct mbatch batch;
    (void)next_batch(head, &batch);
    for (uint32_t i = 0; i < batch.n; i++) {
        grid_select(head, i);
        if (sink(arg, head, &batch.cands[i])) {
            return MODEL_STOPPED;
        }
    }
    return MODEL_OK;
}

static int check(struct mworker *head, unsigned kinds, int from, int *ret_prop)
{
    const struct grid_worker *w = (void *)head;
    (void)kinds;
    (void)from;
    *ret_prop = w->candidate == UINT64_MAX ? 0 : -1;
    return MODEL_OK;
}

static void save(struct mworker *head, struct strbuf *out)
{
    const struct grid_worker *w = (void *)head;
    strbuf_add(out, (const char *)&w->candidate, sizeof w->candidate);
}

static void label(struct mworker *head, struct strbuf *out)
{
    strbuf_printf(out, "To(%" PRIu64 ")", ((struct grid_worker *)(void *)head)->candidate);
}

/* Leaf 0: the first counter is at its end. */
static uint64_t at_end(const struct grid *grid, uint64_t state)
{
    return state % 256 + 1 == grid->base;
}
static int live_current(struct mworker *head, uint64_t *ret_bits)
{
    *ret_bits = at_end(grid_of(head), ((struct grid_worker *)(void *)head)->current);
    return MODEL_OK;
}
static int live_state(struct mworker *head, uint64_t *ret_bits)
{
    *ret_bits = at_end(grid_of(head), ((struct grid_worker *)(void *)head)->candidate);
    return MODEL_OK;
}
/* Leaf 0: something changes. */
static int live_action(struct mworker *head, uint64_t *ret_bits)
{
    (void)head;
    *ret_bits = 1;
    return MODEL_OK;
}
static int live_stutter(struct mworker *head, uint64_t *ret_bits)
{
    (void)head;
    *ret_bits = 0;
    return MODEL_OK;
}

static const struct maction actions[DIGITS_MAX] = {{.name = "Up"}, {.name = "Up"}, {.name = "Up"},
                                                   {.name = "Up"}, {.name = "Up"}, {.name = "Up"},
                                                   {.name = "Up"}, {.name = "Up"}};
static const struct mprop invariant = {.kind = MPROP_INVARIANT, .name = "Inv"};

/* Weak fairness of the next-state action, whose <<Next>>_v is enabled below the last state; the
 * property: the first counter is at its end for ever in the end. */
struct live_spec {
    struct tform leaf_end, leaf_step, always_end, eventually_end, eventually_step, always_step;
    struct tform *kids[4];
    struct mlive_prop prop;
    struct mlive live;
};

static void live_spec(struct live_spec *l)
{
    *l = (struct live_spec){.leaf_end = {.kind = TF_STATE}, .leaf_step = {.kind = TF_ACTION}};
    l->kids[0] = &l->leaf_end;
    l->always_end = (struct tform){.kind = TF_ALWAYS, .n = 1, .kid = &l->kids[0]};
    l->kids[1] = &l->always_end;
    l->eventually_end = (struct tform){.kind = TF_EVENTUALLY, .n = 1, .kid = &l->kids[1]};
    l->kids[2] = &l->leaf_step;
    l->eventually_step = (struct tform){.kind = TF_EVENTUALLY, .n = 1, .kid = &l->kids[2]};
    l->kids[3] = &l->eventually_step;
    l->always_step = (struct tform){.kind = TF_ALWAYS, .n = 1, .kid = &l->kids[3]};
    l->prop = (struct mlive_prop){.name = "Ends", .formula = &l->eventually_end};
    l->live = (struct mlive){.fairness = &l->always_step,
                             .props = &l->prop,
                             .nprop = 1,
                             .nstate_leaf = 1,
                             .naction_leaf = 1};
}

static double peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

static double cpu_s(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

struct last {
    struct check_progress progress;
    double cpu_s;
};

static void on_event(void *arg, enum check_event event, const struct check_progress *p,
                     const struct check_result *result)
{
    struct last *last = arg;
    (void)result;
    if (event == CHECK_EV_PROGRESS) {
        double states = (double)(p->distinct - last->progress.distinct);
        double ns = (double)(p->elapsed_ns - last->progress.elapsed_ns);
        double cpu = cpu_s();
        states = states > 0 ? states : 1;
        printf("%12" PRIu64 " states  %6.1f ns/state  %6.1f CPU ns/state  %6.2f GiB held  "
               "%6.2f GiB on disk\n",
               p->distinct, ns / states, (cpu - last->cpu_s) * 1e9 / states,
               (double)p->memory_bytes / (1 << 30), (double)p->disk_bytes / (1 << 30));
        (void)fflush(stdout);
        *last = (struct last){*p, cpu};
    }
}

static int run(struct grid *grid, const struct check_options *options)
{
    struct check_result *result = NULL;
    struct err err = {0};
    if (check_run(&grid->model, options, &result, &err) < 0) {
        printf("failed: %s\n", err.text);
        return 1;
    }
    double s = (double)result->elapsed_ns / 1e9;
    double distinct = (double)result->distinct;
    bool right = result->distinct == grid->weight[grid->digits] && result->complete;
    printf("workers %u  distinct %" PRIu64 "  generated %" PRIu64 "  %s\n", options->workers,
           result->distinct, result->generated, right ? "complete" : "WRONG");
    printf("%.2f s  %.2f CPU s  %.2f M distinct/s  %.2f M generated/s  peak %.2f GiB resident  "
           "%.2f B/state: memory %.2f, disk %.2f\n",
           s, cpu_s(), distinct / s / 1e6, (double)result->generated / s / 1e6,
           peak_bytes() / (1 << 30),
           ((double)result->memory_peak_bytes + (double)result->disk_bytes) / distinct,
           (double)result->memory_peak_bytes / distinct, (double)result->disk_bytes / distinct);
    check_result_free(result);
    return !right;
}

int main(int argc, char **argv)
{
    struct grid grid = {.base = 100, .digits = 4};
    struct model_ops ops = {
        .worker_new = worker_new,
        .worker_free = worker_free,
        .init = init,
        .load = load,
        .next = next,
        .check = check,
        .save = save,
        .label = label,
        .live_state = live_state,
        .live_action = live_action,
        .live_current = live_current,
        .live_stutter = live_stutter,
    };
    struct last last = {0};
    struct live_spec live;
    struct check_options options = {
        .mode = CHECK_BFS, .workers = 1, .event = on_event, .event_arg = &last};
    bool batches = true;
    live_spec(&live);
    grid.model = (struct model){
        .ops = &ops, .name = "Grid", .actions = actions, .state_size = sizeof(uint64_t)};
    for (int c = 0; (c = getopt(argc, argv, "b:d:w:m:silp:")) != -1;) {
        unsigned long value = optarg ? strtoul(optarg, NULL, 10) : 0;
        switch (c) {
        case 'b': grid.base = (uint32_t)value; break;
        case 'd': grid.digits = (uint32_t)value; break;
        case 'w': options.workers = (unsigned)value; break;
        case 'm': options.memory_bytes = (uint64_t)value << 20; break;
        case 's': batches = false; break;
        case 'i': grid.model.props = &invariant; break;
        case 'l': grid.model.live = &live.live; break;
        case 'p': options.progress_s = (double)value; break;
        default: return 2;
        }
    }
    if (grid.base < 2 || grid.base > 256 || grid.digits < 1 || grid.digits > DIGITS_MAX) {
        return 2;
    }
    if (batches) {
        ops.next_batch = next_batch;
        ops.select = grid_select;
        ops.recall = recall;
        grid.model.batch_slots = SLOTS;
    }
    grid.model.naction = grid.digits;
    grid.model.nprop = grid.model.props ? 1 : 0;
    grid.weight[0] = 1;
    for (uint32_t i = 0; i < grid.digits; i++) {
        grid.weight[i + 1] = grid.weight[i] * grid.base;
    }
    return run(&grid, &options);
}
