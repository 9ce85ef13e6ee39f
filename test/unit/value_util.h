/* What the tests of the room `value` share: a context whose errors can be caught, shorthands to
 * build values, and random values. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"
#include "base/str.h"
#include "test.h"
#include "value/value.h"

#ifndef __clang__
#pragma GCC diagnostic ignored "-Wclobbered" /* tests change nothing between FAILS and its error   \
                                              */
#endif

struct world {
    struct vctx ctx; /* first: fail gets a pointer to it */
    struct arena arena;
    jmp_buf jump;
    bool catching;
    int code;
    char error[4000];
};

__attribute__((noreturn)) static void world_fail(struct vctx *ctx, int code, const char *text)
{
    struct world *w = (struct world *)ctx;
    if (!w->catching) {
        fprintf(stderr, "unexpected error: %s\n", text);
        exit(1);
    }
    w->code = code;
    snprintf(w->error, sizeof w->error, "%s", text);
    longjmp(w->jump, 1);
}

static inline struct world *world_new(void)
{
    struct world *w = calloc(1, sizeof *w);
    CHECK(w != NULL);
    arena_init(&w->arena, 0);
    w->ctx = (struct vctx){
        .arena = &w->arena, .strings = strtab_new(), .set_size_max = 1000000, .fail = world_fail};
    return w;
}

static inline void world_free(struct world *w)
{
    strtab_free(w->ctx.strings);
    arena_done(&w->arena);
    free(w);
}

/* FAILS(w, expr): evaluates expr, which must fail; the text is then in w->error. */
#define FAILS(w, ...)                                                                              \
    do {                                                                                           \
        (w)->catching = true;                                                                      \
        if (setjmp((w)->jump) == 0) {                                                              \
            (void)(__VA_ARGS__);                                                                   \
            fprintf(stderr, "%s:%d: %s did not fail\n", __FILE__, __LINE__, #__VA_ARGS__);         \
            exit(1);                                                                               \
        }                                                                                          \
        (w)->catching = false;                                                                     \
    } while (0)

static inline struct val I(int64_t i) {
    return val_small(i);
} static inline struct val STRV(struct world *w, const char *text) {
    return val_str(&w->ctx, str_of(text));
} static inline struct val MODEL(struct world *w, const char *text) {
    return val_model(w->ctx.strings, str_of(text));
}
#define ARGS(...)                                                                                  \
    ((struct val[]){__VA_ARGS__}), sizeof((struct val[]){__VA_ARGS__}) / sizeof(struct val)
#define SET(w, ...)   set_make(&(w)->ctx, ARGS(__VA_ARGS__))
#define TUPLE(w, ...) tuple_make(&(w)->ctx, ARGS(__VA_ARGS__))
static inline struct val
RANGE(struct world *w, int64_t lo, int64_t hi) {
    return set_interval(&w->ctx, I(lo), I(hi));
} static inline const char *TEXT(struct world *w, struct val v)
{
    return val_line(&w->ctx, v);
}

/* A random value of a shape that decides which values can be compared with each other: two values
 * of one shape always can. */
enum { SHAPES = 12 };
static inline struct val random_shaped(struct world *w, struct rng *rng, unsigned shape,
                                       unsigned depth)
{
    static const char *const names[] = {"alpha", "beta", "gamma", "delta", "eps"};
    struct vctx *ctx = &w->ctx;
    struct val v[6];
    struct val k[6];
    size_t n = rng_below(rng, 5);
    switch (depth == 0 ? shape % 4 : shape % SHAPES) {
    case 0: return I((int64_t)rng_below(rng, 9) - 4);
    case 1: return STRV(w, names[rng_below(rng, 5)]);
    case 2:
        return rng_below(rng, 4) ? I((int64_t)rng_below(rng, 5))
                                 : MODEL(w, rng_below(rng, 2) ? "m1" : "m2");
    case 3: { /* large integers, around the border of the small form, too */
        int64_t i = (int64_t)(rng_next(rng) >> rng_below(rng, 8));
        return val_int(ctx, rng_below(rng, 2) ? i : -i);
    }
    case 4:
    case 5:
        for (size_t i = 0; i < n; i++) {
            v[i] = random_shaped(w, rng, shape / 3, depth - 1);
        }
        return shape % 2 ? set_make(ctx, v, n) : tuple_make(ctx, v, n);
    case 6:
        for (size_t i = 0; i < n; i++) {
            k[i] = STRV(w, names[i]);
            v[i] = random_shaped(w, rng, shape / 3, depth - 1);
        }
        return record_make(ctx, k, v, n);
    case 7:
        for (size_t i = 0; i < n; i++) {
            k[i] = I((int64_t)rng_below(rng, 5));
            v[i] = random_shaped(w, rng, shape / 3, depth - 1);
        }
        return fcn_make(ctx, k, v, n);
    case 8: return RANGE(w, (int64_t)rng_below(rng, 3), (int64_t)rng_below(rng, 5));
    case 9: return set_subset(ctx, RANGE(w, 1, (int64_t)rng_below(rng, 4)));
    case 10:
        return set_fcnset(ctx, RANGE(w, 1, 1 + (int64_t)rng_below(rng, 2)),
                          RANGE(w, 0, (int64_t)rng_below(rng, 3)));
    default:
        v[0] = RANGE(w, 0, (int64_t)rng_below(rng, 3));
        v[1] = SET(w, I(7), I((int64_t)rng_below(rng, 9)));
        return set_product(ctx, v, 2);
    }
}

/* Prints the seed, so that a failure can be repeated: VALUE_SEED=n. */
static inline uint64_t test_seed(void)
{
    const char *text = getenv("VALUE_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : 20240607;
    printf("# seed %llu\n", (unsigned long long)seed);
    return seed;
}
