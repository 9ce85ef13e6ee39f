/* The context, words and constructors.
 *
 * Every constructor keeps the canonical forms of value.h. Sorting follows TLC: a binary insertion
 * in the order of the given elements, because the comparisons that it makes decide which error a
 * set of incomparable elements gives, and small sets are the rule. Input that is ascending already
 * costs one comparison for each element. Large input of plain words, and what is left of large
 * input after a long insertion, is merge-sorted. */
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/str.h"
#include "value/value.h"
#include "value/value_int.h"

/* ---- context ---- */

void vctx_fail(struct vctx *ctx, int code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    va_list again;
    va_copy(again, ap);
    int len = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    ASSERT(len >= 0);
    char *text = arena_alloc(ctx->arena, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, fmt, again);
    va_end(again);
    ctx->fail(ctx, code, text);
    UNREACHABLE();
}

void vctx_poll_now(struct vctx *ctx)
{
    if (ctx->poll && ctx->poll(ctx)) {
        vctx_fail(ctx, 0, "interrupted");
    }
}

enum {
    STACK_MARGIN = 256 << 10,   /* what must stay free */
    FOREIGN_WINDOW = 128 << 10, /* taken as usable on stacks that we know nothing of */
    FIRST_WINDOW =
        16
        << 10 /* usable without asking: finding the limits of the first thread takes some 100 us */
};

/* Finds the limits of the thread's stack and keeps them in ctx. True when `here` is within the
 * margin at its end. */
bool vctx_stack_is_low_slow(struct vctx *ctx, uintptr_t here)
{
    if (ctx->stack_span == 0) { /* first call: flat values never come here again */
        ctx->stack_lo = here - FIRST_WINDOW;
        ctx->stack_span = 2 * (size_t)FIRST_WINDOW;
        return false;
    }
    pthread_attr_t attr;
    void *addr = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attr) == 0) {
        pthread_attr_getstack(&attr, &addr, &size);
        pthread_attr_destroy(&attr);
    }
    uintptr_t lo = (uintptr_t)addr;
    if (here - lo < size) {
        size_t margin = size / 4 < STACK_MARGIN ? size / 4 : STACK_MARGIN;
        ctx->stack_lo = lo + margin;
        ctx->stack_span = size - margin;
        return here < ctx->stack_lo;
    }
    /* A stack that we know nothing of: its owner should have set the limits. */
    ctx->stack_lo = here - FOREIGN_WINDOW;
    ctx->stack_span = 2 * (size_t)FOREIGN_WINDOW;
    return false;
}

void vctx_stack_check_slow(struct vctx *ctx, uintptr_t here)
{
    if (vctx_stack_is_low_slow(ctx, here)) {
        vctx_fail(ctx, 1005, VAL_STACK_TEXT);
    }
}

void val_fail_set_too_big(struct vctx *ctx, uint64_t limit)
{
    vctx_fail(ctx, 0, "Attempted to construct a set with too many elements (>%" PRIu64 ").", limit);
}

/* ---- words ---- */

struct val val_str(struct vctx *ctx, struct str text)
{
    return val_strid(strtab_intern(ctx->strings, text));
}

struct str val_str_text(struct vctx *ctx, struct val v)
{
    return strtab_text(ctx->strings, val_str_id(v));
}

struct val val_model(struct strtab *strings, struct str name)
{
    uint64_t type = name.n > 2 && name.p[1] == '_' ? (uint8_t)name.p[0] : 0;
    return (struct val){(uint64_t)strtab_intern(strings, name) << 32 | type << 8 | VTAG_MODEL};
}

/* ---- objects ---- */

struct vlazy *vlazy_new(struct vctx *ctx, enum vkind kind, size_t n, size_t words)
{
    ASSERT(n <= UINT32_MAX / 2);
    struct vlazy *lazy = arena_alloc(ctx->arena, sizeof *lazy + words * sizeof lazy->op[0]);
    lazy->kind = (uint8_t)kind;
    lazy->flags = 0;
    lazy->pad = 0;
    lazy->n = (uint32_t)n;
    lazy->hash = 0;
    lazy->ops = NULL;
    lazy->forced = VAL_UNDEF;
    return lazy;
}

static struct val lazy_val(struct vlazy *lazy)
{
    return val_of_obj((struct vobj *)lazy);
}

static void copy_words(struct val *to, const struct val *from, size_t n)
{
    if (n && from) {
        memcpy(to, from, n * sizeof *to);
    }
}

static const struct vobj empty_set = {.kind = VK_SET, .flags = VF_FROZEN};
static const struct vobj empty_tuple = {.kind = VK_TUPLE, .flags = VF_FROZEN};

struct val set_empty(void)
{
    return val_of_obj(&empty_set);
}

struct val tuple_empty(void)
{
    return val_of_obj(&empty_tuple);
}

void val_push(struct vctx *ctx, struct vals *vals, struct val v)
{
    if (vals->n == vals->cap) {
        uint64_t limit = set_limit(ctx);
        if (vals->n >= limit) {
            val_fail_set_too_big(ctx, limit);
        }
        size_t cap = vals->cap ? vals->cap * 2 : 16;
        if (cap > limit) {
            cap = limit;
        }
        struct val *grown = arena_alloc(ctx->arena, cap * sizeof *grown);
        copy_words(grown, vals->v, vals->n);
        vals->v = grown;
        vals->cap = cap;
    }
    vals->v[vals->n++] = v;
}

/* ---- sorting ---- */

enum { INSERTION_MAX = 512 }; /* above it moving the elements costs more than merging */

/* Merges two ascending runs without equal elements inside a run; of equal elements the one from `a`
 * stays. Carries `values` along when there are any. Returns the number of elements written. */
struct run {
    struct val *keys;
    struct val *values; /* may be NULL */
    size_t n;
};

static void run_put(struct run *out, const struct run *from, size_t i)
{
    out->keys[out->n] = from->keys[i];
    if (out->values) {
        out->values[out->n] = from->values[i];
    }
    out->n++;
}

static void merge_runs(struct vctx *ctx, const struct run *a, const struct run *b, struct run *out)
{
    size_t i = 0;
    size_t j = 0;
    while (i < a->n && j < b->n) {
        int cmp = val_compare(ctx, b->keys[j], a->keys[i]);
        if (cmp < 0) {
            run_put(out, b, j++);
        } else {
            run_put(out, a, i++);
            j += cmp == 0;
        }
    }
    while (i < a->n) {
        run_put(out, a, i++);
    }
    while (j < b->n) {
        run_put(out, b, j++);
    }
}

/* Binary insertion of elements [from, n) into the ascending prefix [0, from); returns the new
 * number of elements. */
static size_t insert_rest(struct vctx *ctx, struct run *run, size_t from)
{
    size_t count = from;
    for (size_t i = from; i < run->n; i++) {
        struct val key = run->keys[i];
        size_t lo = 0;
        size_t hi = count;
        bool found = false;
        while (lo < hi) {
            size_t mid = (lo + hi) / 2;
            int cmp = val_compare(ctx, key, run->keys[mid]);
            if (cmp == 0) {
                found = true;
                break;
            }
            if (cmp < 0) {
                hi = mid;
            } else {
                lo = mid + 1;
            }
        }
        if (found) {
            continue;
        }
        memmove(run->keys + lo + 1, run->keys + lo, (count - lo) * sizeof key);
        run->keys[lo] = key;
        if (run->values) {
            struct val value = run->values[i];
            memmove(run->values + lo + 1, run->values + lo, (count - lo) * sizeof value);
            run->values[lo] = value;
        }
        count++;
    }
    return count;
}

static void merge_sort(struct vctx *ctx, struct run *run, struct run *spare)
{
    if (run->n <= INSERTION_MAX / 8) {
        run->n = insert_rest(ctx, run, 1);
        return;
    }
    vctx_poll(ctx);
    size_t half = run->n / 2;
    struct run left = {run->keys, run->values, half};
    struct run right = {run->keys + half, run->values ? run->values + half : NULL, run->n - half};
    struct run spare_left = {spare->keys, spare->values, 0};
    struct run spare_right = {spare->keys + half, spare->values ? spare->values + half : NULL, 0};
    merge_sort(ctx, &left, &spare_left);
    merge_sort(ctx, &right, &spare_right);
    struct run out = {spare->keys, spare->values, 0};
    merge_runs(ctx, &left, &right, &out);
    copy_words(run->keys, out.keys, out.n);
    if (run->values) {
        copy_words(run->values, out.values, out.n);
    }
    run->n = out.n;
}

/* Sorts by key and drops later elements with an equal key. */
static void run_sort(struct vctx *ctx, struct run *run)
{
    size_t sorted = run->n ? 1 : 0;
    while (sorted < run->n && val_compare(ctx, run->keys[sorted], run->keys[sorted - 1]) > 0) {
        sorted++;
    }
    if (sorted == run->n) {
        return;
    }
    if (run->n <= INSERTION_MAX) {
        run->n = insert_rest(ctx, run, sorted);
        return;
    }
    struct run spare = {arena_alloc(ctx->arena, run->n * sizeof *spare.keys), NULL, 0};
    if (run->values) {
        spare.values = arena_alloc(ctx->arena, run->n * sizeof *spare.values);
    }
    merge_sort(ctx, run, &spare);
}

/* ---- sets ---- */

struct val set_from_sorted(struct vctx *ctx, const struct val *elems, size_t n)
{
    if (n == 0) {
        return set_empty();
    }
    struct vobj *obj = vobj_new(ctx, VK_SET, n, n);
    copy_words(obj->v, elems, n);
    return val_of_obj(obj);
}

struct val set_make(struct vctx *ctx, const struct val *elems, size_t n)
{
    if (n == 0) {
        return set_empty();
    }
    struct vobj *obj = vobj_new(ctx, VK_SET, n, n);
    copy_words(obj->v, elems, n);
    struct run run = {obj->v, NULL, n};
    run_sort(ctx, &run);
    obj->n = (uint32_t)run.n;
    return val_of_obj(obj);
}

struct val set_interval(struct vctx *ctx, struct val lo, struct val hi)
{
    for (int i = 0; i < 2; i++) {
        struct val arg = i ? hi : lo;
        if (!val_is_int(arg)) {
            vctx_fail(ctx, CODE_ARGUMENT,
                      "The %s argument of .. should be an integer, but instead it is:\n%s",
                      i ? "second" : "first", val_ppr(ctx, arg));
        }
    }
    if (int_cmp(lo, hi) > 0) {
        return set_empty();
    }
    if (!val_is_small(lo) || !val_is_small(hi)) {
        vctx_fail(ctx, 0, "Size of interval value exceeds the maximum representable size: %s..%s.",
                  val_ppr(ctx, lo), val_ppr(ctx, hi));
    }
    struct vlazy *lazy = vlazy_new(ctx, VK_INTERVAL, 2, 2);
    lazy->op[0] = lo;
    lazy->op[1] = hi;
    return lazy_val(lazy);
}

static struct val lazy_unary(struct vctx *ctx, enum vkind kind, struct val operand)
{
    struct vlazy *lazy = vlazy_new(ctx, kind, 1, 1);
    lazy->op[0] = operand;
    return lazy_val(lazy);
}

struct val set_subset(struct vctx *ctx, struct val base)
{
    return lazy_unary(ctx, VK_SUBSET, base);
}

struct val set_seqset(struct vctx *ctx, struct val base)
{
    return lazy_unary(ctx, VK_SEQSET, base);
}

struct val set_ksubset(struct vctx *ctx, struct val base, struct val size)
{
    struct val canonical = set_force(ctx, base);
    if (int_sign(size) < 0 || int_cmp(size, val_small(val_obj(canonical)->n)) > 0) {
        return set_empty();
    }
    struct vlazy *lazy = vlazy_new(ctx, VK_KSUBSET, 2, 2);
    lazy->op[0] = canonical;
    lazy->op[1] = size;
    return lazy_val(lazy);
}

struct val set_fcnset(struct vctx *ctx, struct val domain, struct val range)
{
    struct vlazy *lazy = vlazy_new(ctx, VK_FCNSET, 2, 2);
    lazy->op[0] = domain;
    lazy->op[1] = range;
    return lazy_val(lazy);
}

struct val set_product(struct vctx *ctx, const struct val *sets, size_t n)
{
    struct vlazy *lazy = vlazy_new(ctx, VK_PRODUCT, n, n);
    copy_words(lazy->op, sets, n);
    return lazy_val(lazy);
}

/* Sorts fields by name, in place. Field names are strings, so that nothing can fail but a name that
 * occurs twice. */
static void sort_fields(struct vctx *ctx, struct val *names, struct val *values, size_t n,
                        const char *where)
{
    for (size_t i = 1; i < n; i++) {
        struct val name = names[i];
        struct val value = values[i];
        size_t j = i;
        while (j > 0 && names[j - 1].w > name.w) {
            names[j] = names[j - 1];
            values[j] = values[j - 1];
            j--;
        }
        if (j > 0 && names[j - 1].w == name.w) {
            struct str text = val_str_text(ctx, name);
            vctx_fail(ctx, 0, "Field name %.*s occurs multiple times in %s.", STR_ARG(text), where);
        }
        names[j] = name;
        values[j] = value;
    }
}

struct val set_recset(struct vctx *ctx, const struct val *names, const struct val *sets, size_t n)
{
    struct vlazy *lazy = vlazy_new(ctx, VK_RECSET, n, 2 * n);
    copy_words(lazy->op, names, n);
    copy_words(lazy->op + n, sets, n);
    sort_fields(ctx, lazy->op, lazy->op + n, n, "set of records");
    return lazy_val(lazy);
}

struct val set_union_lazy(struct vctx *ctx, struct val base)
{
    if (val_is_kind(base, VK_SET)) {
        const struct vobj *obj = val_obj(base);
        uint32_t i = 0;
        while (i < obj->n && val_is_kind(obj->v[i], VK_SET)) {
            i++;
        }
        if (i == obj->n) {
            return set_flatten(ctx, base);
        }
    }
    return lazy_unary(ctx, VK_UNION, base);
}

/* ---- functions ---- */

struct val tuple_new(struct vctx *ctx, size_t n, struct val **ret_elems)
{
    if (n == 0) {
        *ret_elems = NULL;
        return tuple_empty();
    }
    struct vobj *obj = vobj_new(ctx, VK_TUPLE, n, n);
    *ret_elems = obj->v;
    return val_of_obj(obj);
}

struct val tuple_make(struct vctx *ctx, const struct val *elems, size_t n)
{
    struct val *to;
    struct val tuple = tuple_new(ctx, n, &to);
    copy_words(to, elems, n);
    return tuple;
}

struct val record_make(struct vctx *ctx, const struct val *names, const struct val *values,
                       size_t n)
{
    if (n == 0) {
        return tuple_empty();
    }
    struct vobj *obj = vobj_new(ctx, VK_RECORD, n, 2 * n);
    copy_words(obj->v, names, n);
    copy_words(obj->v + n, values, n);
    sort_fields(ctx, obj->v, obj->v + n, n, "record");
    return val_of_obj(obj);
}

bool keys_are_contiguous(const struct val *keys, size_t n)
{
    /* Ascending and distinct: the ends decide, once it is known that all are integers. Integers
     * come after model values and mix with nothing else, so the first one tells. */
    return n > 0 && val_is_small(keys[0]) && val_is_small(keys[n - 1]) &&
           (uint64_t)(val_small_get(keys[n - 1]) - val_small_get(keys[0])) == n - 1;
}

bool keys_are_strings(const struct val *keys, size_t n)
{
    return n > 0 && val_is_str(keys[0]) && val_is_str(keys[n - 1]);
}

struct val fcn_from_sorted(struct vctx *ctx, const struct val *keys, const struct val *values,
                           size_t n)
{
    if (n == 0) {
        return tuple_empty();
    }
    if (keys_are_contiguous(keys, n) && val_small_get(keys[0]) == 1) {
        return tuple_make(ctx, values, n);
    }
    bool record = keys_are_strings(keys, n);
    struct vobj *obj = vobj_new(ctx, record ? VK_RECORD : VK_FCN, n, 2 * n);
    obj->flags = record ? VF_MAP : 0;
    copy_words(obj->v, keys, n);
    copy_words(obj->v + n, values, n);
    return val_of_obj(obj);
}

struct val fcn_make(struct vctx *ctx, const struct val *keys, const struct val *values, size_t n)
{
    if (n == 0) {
        return tuple_empty();
    }
    struct run run = {arena_alloc(ctx->arena, n * sizeof *keys),
                      arena_alloc(ctx->arena, n * sizeof *values), n};
    copy_words(run.keys, keys, n);
    copy_words(run.values, values, n);
    run_sort(ctx, &run);
    return fcn_from_sorted(ctx, run.keys, run.values, run.n);
}
