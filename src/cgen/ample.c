/* Partial-order reduction in compiled code.
 *
 * What can be shown (eval/por.c): variables are private when an element is read and written by its
 * own process only; which steps a process can take, and whether they are local, then depends on its
 * own elements and on variables that never change. So the answer of the interpreter
 * (worker_processes) is remembered by the bytes of just these, and since processes are in few
 * states of their own, it is asked rarely.
 *
 * The steps themselves are made by compiled code, all of a state at once. Those of a process that
 * goes alone are local: they change its own elements, and nobody else's steps do. So they are told
 * by the bytes that they change. (A step that changes nothing but variables outside of the
 * fingerprint leads back to the same state and is left out.)
 *
 * Equal values of one type have equal bytes, so what predicates see of an element (por.h: whether
 * it is in some constant sets) is decided on bytes too. */
#include "cgen/ample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "cgen/csource.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "eval/por.h"
#include "value/value.h"

enum { MEMORY = 1 << 12 }; /* answers for each process; a newer one takes the place of an older */
enum { KNOWN = 1, READY = 2, BLOCKED = 4 };

struct stretch {
    uint32_t at, size; /* bytes of the state */
};

/* An element that belongs to a process. */
struct own {
    struct stretch piece;
    enum por_sight sight;
    const struct sets *sets;
};

/* Sets of values, as bytes of one type. */
struct sets {
    uint32_t size; /* of a value */
    VEC(uint8_t) values;
    VEC(uint32_t) ends; /* of each set, in values */
};

struct process {
    VEC(struct own) own;
    VEC(struct stretch) key; /* what its answers depend on */
    uint32_t key_size;
    uint8_t *keys; /* [MEMORY * key_size] */
    uint8_t *answers;
    uint32_t slot; /* of the state at hand */
    uint8_t answer;
};

struct ample {
    struct process *v;
    size_t n;
    VEC(uint8_t) key; /* scratch */
    VEC(struct sets *) sets;
};

/* ---- where elements are ---- */

static bool same_value(struct vctx *ctx, struct val a, struct val b)
{
    return val_same(a, b) || val_hash(ctx, a) == val_hash(ctx, b);
}

/* The element of a function of this type that belongs to `self`. */
static bool element(const struct ty *ty, struct vctx *ctx, struct val self, struct stretch *ret,
                    const struct ty **ret_ty)
{
    int64_t i = 0;
    bool number = val_is_int(self) && int_to_i64(self, &i);
    if (ty->kind == TY_FUN) {
        for (uint32_t k = 0; k < ty->n; k++) {
            if (same_value(ctx, ty->names[k], self)) {
                *ret = (struct stretch){k * ty->elem->size, ty->elem->size};
                *ret_ty = ty->elem;
                return true;
            }
        }
    }
    if (ty->kind == TY_SEQ && number && i >= 1 && i <= ty->cap) {
        uint32_t head = ty->size - ty->cap * ty->elem->size;
        *ret = (struct stretch){head + (uint32_t)(i - 1) * ty->elem->size, ty->elem->size};
        *ret_ty = ty->elem;
        return true;
    }
    int field = -1;
    if (ty->kind == TY_TUP && number && i >= 1 && i <= ty->n) {
        field = (int)i - 1;
    } else if (ty->kind == TY_REC && ty->nvariant == 1) {
        field = ty_field(ty, self);
    }
    if (field >= 0) {
        *ret = (struct stretch){ty->offset[field], ty->field[field]->size};
        *ret_ty = ty->field[field];
    }
    return field >= 0;
}

/* ---- making it ---- */

static const struct sets *sets_new(struct ample *a, const struct csource *source, struct vctx *ctx,
                                   const struct por_visible *visible, const struct ty *ty)
{
    struct sets *sets = vec_grow(NULL, &(size_t){0}, 1, sizeof *sets);
    *sets = (struct sets){.size = ty->size};
    VEC_PUSH(&a->sets, sets);
    size_t i = 0;
    for (size_t set = 0; set < visible->ends.n; set++) {
        for (; i < visible->ends.v[set]; i++) {
            size_t at = sets->values.n;
            VEC_RESERVE(&sets->values, at + ty->size);
            memset(sets->values.v + at, 0, ty->size);
            if (ty_encode(&source->tys, ctx, ty, visible->classes.v[i], sets->values.v + at)) {
                sets->values.n += ty->size; /* otherwise no element has that value */
            }
        }
        VEC_PUSH(&sets->ends, (uint32_t)sets->values.n);
    }
    return sets;
}

static void key_add(struct process *p, struct stretch piece)
{
    VEC_PUSH(&p->key, piece);
    p->key_size += piece.size;
}

static bool process_new(struct ample *a, struct process *p, const struct spec *spec,
                        const struct csource *source, struct vctx *ctx, struct val self)
{
    const struct por *por = spec->por;
    for (uint32_t v = 0; v < spec->nvar; v++) {
        const struct ty *ty = source->var_ty[v];
        uint32_t base = source->var_offset[v];
        if (por->fixed[v]) {
            key_add(p, (struct stretch){base, ty->size});
            continue;
        }
        if (!por->mine[v] || por->ignored[v]) {
            continue;
        }
        struct own own = {.sight = por->visible[v].sight};
        const struct ty *elem = NULL;
        if (!element(ty, ctx, self, &own.piece, &elem)) {
            return false;
        }
        if (ty->kind == TY_SEQ) {
            key_add(p, (struct stretch){base, ty->size - ty->cap * ty->elem->size});
        }
        own.piece.at += base;
        key_add(p, own.piece);
        if (own.sight == SEEN_CLASSES) {
            own.sets = sets_new(a, source, ctx, &por->visible[v], elem);
        }
        VEC_PUSH(&p->own, own);
    }
    p->keys = vec_grow(NULL, &(size_t){0}, MEMORY * ((size_t)p->key_size + 1), 1);
    p->answers = vec_grow(NULL, &(size_t){0}, MEMORY, 1);
    memset(p->answers, 0, MEMORY);
    return true;
}

struct ample *ample_new(const struct spec *spec, const struct csource *source, struct vctx *ctx,
                        const struct por_process *processes, size_t n)
{
    struct ample *a = vec_grow(NULL, &(size_t){0}, 1, sizeof *a);
    *a = (struct ample){.v = vec_grow(NULL, &(size_t){0}, n + 1, sizeof *a->v), .n = n};
    memset(a->v, 0, n * sizeof *a->v);
    for (size_t i = 0; i < n; i++) {
        if (!process_new(a, &a->v[i], spec, source, ctx, processes[i].self)) {
            ample_free(a);
            return NULL;
        }
        VEC_RESERVE(&a->key, a->v[i].key_size);
    }
    return a;
}

void ample_free(struct ample *a)
{
    if (!a) {
        return;
    }
    for (size_t i = 0; i < a->n; i++) {
        VEC_DONE(&a->v[i].own);
        VEC_DONE(&a->v[i].key);
        vec_release(a->v[i].keys);
        vec_release(a->v[i].answers);
    }
    for (size_t i = 0; i < a->sets.n; i++) {
        VEC_DONE(&a->sets.v[i]->values);
        VEC_DONE(&a->sets.v[i]->ends);
        vec_release(a->sets.v[i]);
    }
    VEC_DONE(&a->sets);
    VEC_DONE(&a->key);
    vec_release(a->v);
    vec_release(a);
}

size_t ample_count(const struct ample *a)
{
    return a->n;
}

/* ---- in a state ---- */

static void key_of(struct ample *a, const struct process *p, const uint8_t *state)
{
    uint8_t *out = a->key.v;
    for (size_t i = 0; i < p->key.n; i++) {
        memcpy(out, state + p->key.v[i].at, p->key.v[i].size);
        out += p->key.v[i].size;
    }
}

bool ample_recall(struct ample *a, const uint8_t *state)
{
    bool all = true;
    for (size_t i = 0; i < a->n; i++) {
        struct process *p = &a->v[i];
        key_of(a, p, state);
        p->slot = (uint32_t)hash_bytes(a->key.v, p->key_size, 0) % MEMORY;
        p->answer = p->answers[p->slot];
        if (p->answer &&
            memcmp(p->keys + (size_t)p->slot * p->key_size, a->key.v, p->key_size) != 0) {
            p->answer = 0;
        }
        all = all && p->answer;
    }
    return all;
}

void ample_learn(struct ample *a, const uint8_t *state, const struct por_process *processes)
{
    for (size_t i = 0; i < a->n; i++) {
        struct process *p = &a->v[i];
        key_of(a, p, state);
        memcpy(p->keys + (size_t)p->slot * p->key_size, a->key.v, p->key_size);
        p->answer = (uint8_t)(KNOWN | (processes[i].ready ? READY : 0) |
                              (processes[i].blocked ? BLOCKED : 0));
        p->answers[p->slot] = p->answer;
    }
}

bool ample_alone(const struct ample *a, size_t process)
{
    return a->v[process].answer == (KNOWN | READY);
}

/* Is one of the values in a set that the other is not in. */
static bool sets_differ(const struct sets *sets, const uint8_t *now, const uint8_t *next)
{
    uint32_t i = 0;
    for (size_t set = 0; set < sets->ends.n; set++) {
        bool in_now = false;
        bool in_next = false;
        for (; i < sets->ends.v[set]; i += sets->size) {
            in_now = in_now || memcmp(sets->values.v + i, now, sets->size) == 0;
            in_next = in_next || memcmp(sets->values.v + i, next, sets->size) == 0;
        }
        if (in_now != in_next) {
            return true;
        }
    }
    return false;
}

enum ample_step ample_step(const struct ample *a, size_t process, const uint8_t *now,
                           const uint8_t *next)
{
    const struct process *p = &a->v[process];
    enum ample_step step = STEP_OTHER;
    for (size_t i = 0; i < p->own.n; i++) {
        const struct own *own = &p->own.v[i];
        const uint8_t *before = now + own->piece.at;
        const uint8_t *after = next + own->piece.at;
        if (memcmp(before, after, own->piece.size) == 0) {
            continue;
        }
        if (own->sight == SEEN_WHOLE ||
            (own->sight == SEEN_CLASSES && sets_differ(own->sets, before, after))) {
            return STEP_SEEN;
        }
        step = STEP_HIDDEN;
    }
    return step;
}
