/* Samples of what variables hold: random walks with the interpreter.
 *
 * The walks end when they have shown nothing new for a while. New is what a type could depend on:
 * an atom, a small number, a field, a length, each at its place in a variable. */
#include "cgen/profile.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/csource.h"
#include "eval/code.h"
#include "eval/worker.h"
#include "model/model.h"
#include "value/value.h"

#define SEEN_SLOTS  4096
#define SAMPLES_MAX 3000
#define WALK_DEPTH  160
#define STARTS_MAX  64
#define STATES_MAX  20000 /* looked at */
#define TRAIT_SLOTS 16384 /* a power of two */
#define QUIET_MIN   2000  /* states without anything new, and half of all, are enough */

struct walk {
    uint64_t most; /* states to look at */
    struct spec_worker *w;
    struct samples *samples;
    uint64_t *seen;   /* [nvar * SEEN_SLOTS] */
    uint64_t *traits; /* [TRAIT_SLOTS] hashes of what was seen; 0 = free */
    uint32_t ntrait;
    uint64_t news_at; /* samples->nstate when the last one was new */
    struct rng rng;
    struct strbuf pick; /* bytes of the successor chosen so far */
    uint64_t n;         /* successors inside the model */
    double weight;      /* of all of them */
    uint64_t *taken;    /* [naction] how often the walks went that way */
    uint32_t action;    /* of the successor chosen */
    struct strbuf starts[STARTS_MAX];
    uint32_t nstart;
    uint64_t init_deadline;
    const volatile sig_atomic_t *stop; /* not zero: nobody waits for the samples any more */
};

static bool unwanted(const struct walk *walk)
{
    return walk->stop != NULL && __atomic_load_n(walk->stop, __ATOMIC_RELAXED) != 0;
}

void samples_init(struct samples *samples, uint32_t nvar)
{
    *samples = (struct samples){.nvar = nvar};
    arena_init(&samples->arena, 1 << 16);
    samples->of = ARENA_ARRAY(&samples->arena, struct sample_list, nvar + 1);
}

void samples_done(struct samples *samples)
{
    for (uint32_t i = 0; i < samples->nvar; i++) {
        VEC_DONE(&samples->of[i].v);
    }
    arena_done(&samples->arena);
}

void samples_add(struct samples *samples, struct vctx *ctx, uint32_t var, struct val v)
{
    VEC_PUSH(&samples->of[var].v, val_freeze(ctx, &samples->arena, val_force(ctx, v)));
}

/* ---- what is new ---- */
static void trait_note(struct walk *walk, uint64_t hash)
{
    hash |= 1;
    size_t at = hash_mix(hash) % TRAIT_SLOTS;
    while (walk->traits[at] != 0 && walk->traits[at] != hash) {
        at = (at + 1) % TRAIT_SLOTS;
    }
    if (walk->traits[at] == 0 && walk->ntrait < TRAIT_SLOTS / 2) {
        walk->traits[at] = hash;
        walk->ntrait++;
        walk->news_at = walk->samples->nstate;
    }
}

/* Exact while it is small: types have room to grow. */
static uint64_t size_class(uint64_t n)
{
    return n < 16 ? n : 80 - (uint64_t)__builtin_clzll(n);
}

/* Keys that are fields of a record, or names and small numbers, not too many: which ones there are
 * together makes a type of its own. */
static bool only_words(const struct vobj *o)
{
    bool words = o->n <= 16;
    for (uint32_t i = 0; i < o->n && words && o->kind == VK_FCN; i++) {
        words = !val_is_obj(o->v[i]);
    }
    return words;
}

static uint64_t keys_hash(uint64_t place, const struct vobj *o)
{
    uint64_t h = hash_combine(place, 3);
    for (uint32_t i = 0; i < o->n; i++) {
        h = hash_combine(h, o->v[i].w);
    }
    return h;
}

/* Notes what a type depends on; `place` says where the value stands. */
static void traits_of(struct walk *walk, uint64_t place, struct val v)
{
    if (val_is_small(v)) {
        int64_t i = val_small_get(v);
        trait_note(
            walk, hash_combine(place, i < 0 ? ~size_class((uint64_t)-i) : size_class((uint64_t)i)));
        return;
    }
    if (!val_is_obj(v)) {
        trait_note(walk, hash_combine(place, v.w));
        return;
    }
    const struct vobj *o = val_obj(v);
    trait_note(walk, hash_combine(hash_combine(place, o->kind), size_class(o->n)));
    bool pairs = o->kind == VK_RECORD || o->kind == VK_FCN;
    if (o->kind != VK_SET && o->kind != VK_TUPLE && !pairs) {
        return;
    }
    if (pairs && only_words(o)) {
        trait_note(walk, keys_hash(place, o));
    }
    for (uint32_t i = 0; i < o->n; i++) {
        uint64_t inside = hash_combine(place, 1);
        if (o->kind == VK_RECORD) {
            inside = hash_combine(place, o->v[i].w);
            trait_note(walk, inside);
        } else if (pairs) {
            traits_of(walk, hash_combine(place, 2), o->v[i]);
        }
        traits_of(walk, inside, o->v[pairs ? o->n + i : i]);
    }
}

static bool well_known(const struct walk *walk)
{
    uint64_t n = walk->samples->nstate;
    return n - walk->news_at >= QUIET_MIN + n / 2;
}

/* A value that shows nothing new is not kept: types are joined value by value. */
static void sample_if_new(struct walk *walk, struct vctx *ctx, uint32_t var, struct val v)
{
    struct samples *samples = walk->samples;
    struct arena_mark mark = arena_mark(&samples->arena);
    uint32_t known = walk->ntrait;
    samples_add(samples, ctx, var, v);
    traits_of(walk, var, VEC_LAST(&samples->of[var].v));
    if (walk->ntrait == known && known < TRAIT_SLOTS / 2) {
        samples->of[var].v.n--;
        arena_rewind(&samples->arena, mark);
    }
}

static void observe(struct walk *walk)
{
    struct spec_worker *w = walk->w;
    struct vctx *ctx = &w->ev.vctx;
    walk->samples->nstate++;
    for (uint32_t i = 0; i < w->spec->nvar; i++) {
        struct val v = w->cand[i];
        if (w->loaded && val_same(v, w->cur[i])) {
            continue;
        }
        uint64_t h = val_hash(ctx, v) | 1;
        uint64_t *slot = &walk->seen[(size_t)i * SEEN_SLOTS + h % SEEN_SLOTS];
        if (*slot == h || walk->samples->of[i].v.n >= SAMPLES_MAX) {
            continue;
        }
        *slot = h;
        sample_if_new(walk, ctx, i, v);
    }
}

static int start_sink(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct walk *walk = arg;
    (void)cand;
    observe(walk);
    if (worker->model->ops->in_model(worker) == 1) {
        uint32_t at = walk->nstart < STARTS_MAX ? walk->nstart++
                                                : (uint32_t)rng_below(&walk->rng, STARTS_MAX);
        strbuf_reset(&walk->starts[at]);
        worker->model->ops->save(worker, &walk->starts[at]);
    }
    return walk->samples->nstate > walk->most / 2 || unwanted(walk) ||
           (walk->samples->nstate >= STARTS_MAX && clock_thread_ns() >= walk->init_deadline);
}

static int step_sink(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct walk *walk = arg;
    observe(walk);
    if (worker->model->ops->in_model(worker) != 1) {
        return 0;
    }
    /* Actions that were seldom taken are preferred: they lead to values not seen yet. */
    double weight = 1.0 / (double)(1 + walk->taken[cand->action]);
    walk->n++;
    walk->weight += weight;
    if ((double)(rng_next(&walk->rng) >> 11) * 0x1p-53 * walk->weight < weight) {
        walk->action = cand->action;
        strbuf_reset(&walk->pick);
        worker->model->ops->save(worker, &walk->pick);
    }
    return 0;
}

static void walk_once(struct walk *walk, uint64_t deadline)
{
    const struct model_ops *ops = walk->w->pub.model->ops;
    struct strbuf *start = &walk->starts[rng_below(&walk->rng, walk->nstart)];
    strbuf_reset(&walk->pick);
    strbuf_addstr(&walk->pick, strbuf_str(start));
    SCOPED_STRBUF at = {0};
    for (uint64_t depth = 1; depth < WALK_DEPTH && walk->samples->nstate < walk->most &&
                             clock_thread_ns() < deadline && !unwanted(walk);
         depth++) {
        strbuf_reset(&at);
        strbuf_addstr(&at, strbuf_str(&walk->pick));
        walk->n = 0;
        walk->weight = 0;
        if (ops->load(&walk->w->pub, at.p, at.n, depth) != MODEL_OK ||
            ops->next(&walk->w->pub, step_sink, walk) != MODEL_OK || walk->n == 0) {
            return;
        }
        walk->taken[walk->action]++;
    }
}

void profile_run(struct spec_worker *w, struct samples *samples,
                 const struct profile_limits *limits)
{
    struct walk *walk = vec_grow(NULL, &(size_t){0}, 1, sizeof *walk);
    *walk = (struct walk){.w = w, .samples = samples, .stop = limits->stop};
    walk->most = limits->states ? limits->states : STATES_MAX;
    rng_seed(&walk->rng, limits->seed);
    w->pub.quiet = true;
    w->no_fp = true;
    walk->seen = vec_grow(NULL, &(size_t){0}, (size_t)w->spec->nvar * SEEN_SLOTS + 1, 8);
    memset(walk->seen, 0, ((size_t)w->spec->nvar * SEEN_SLOTS + 1) * 8);
    walk->traits = vec_grow(NULL, &(size_t){0}, TRAIT_SLOTS, sizeof *walk->traits);
    memset(walk->traits, 0, TRAIT_SLOTS * sizeof *walk->traits);
    walk->taken = vec_grow(NULL, &(size_t){0}, w->pub.model->naction + 1, sizeof *walk->taken);
    memset(walk->taken, 0, sizeof *walk->taken * (w->pub.model->naction + 1));
    walk->init_deadline = clock_thread_ns() + limits->budget_ns / 3;
    int status = w->pub.model->ops->init(&w->pub, start_sink, walk);
    uint64_t deadline = clock_thread_ns() + limits->budget_ns;
    for (int i = 0; status != MODEL_ERROR && walk->nstart > 0 && i < 400; i++) {
        if (clock_thread_ns() >= deadline || samples->nstate >= walk->most || unwanted(walk) ||
            well_known(walk)) {
            break;
        }
        walk_once(walk, deadline);
    }
    for (uint32_t i = 0; i < STARTS_MAX; i++) {
        strbuf_done(&walk->starts[i]);
    }
    strbuf_done(&walk->pick);
    vec_release(walk->seen);
    vec_release(walk->traits);
    vec_release(walk->taken);
    vec_release(walk);
}
