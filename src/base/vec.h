/* A growing array of any type, for objects on the heap:
 *
 *     VEC(struct token) tokens = {0};
 *     VEC_PUSH(&tokens, token);
 *     for (size_t i = 0; i < tokens.n; i++) use(tokens.v[i]);
 *     VEC_DONE(&tokens);
 */
#pragma once

#include <stddef.h>

#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *v;                                                                                   \
        size_t n;                                                                                  \
        size_t cap;                                                                                \
    }

/* Makes room for at least `need` elements; returns the new block and updates *cap. Stops the
 * process when there is no memory. */
void *vec_grow(void *block, size_t *cap, size_t need, size_t elem_bytes);
void vec_release(void *block);

#define VEC_RESERVE(vec, need)                                                                     \
    ((vec)->cap >= (need) ? (void)0                                                                \
                          : (void)((vec)->v = (__typeof__((vec)->v))vec_grow(                      \
                                       (void *)(vec)->v, &(vec)->cap, (need), sizeof *(vec)->v)))
#define VEC_PUSH(vec, ...)                                                                         \
    (VEC_RESERVE((vec), (vec)->n + 1), (void)((vec)->v[(vec)->n++] = (__VA_ARGS__)))
#define VEC_POP(vec)   ((vec)->v[--(vec)->n])
#define VEC_LAST(vec)  ((vec)->v[(vec)->n - 1])
#define VEC_RESET(vec) ((void)((vec)->n = 0))
#define VEC_DONE(vec)  (vec_release((void *)(vec)->v), (vec)->v = NULL, (vec)->n = 0, (vec)->cap = 0)
