/* JSON text to values, through jansson, which bounds nesting (2048 levels) and refuses bad UTF-8
 * and trailing text.
 *
 * As with TLC's Json module an object is a record, an array a sequence, and a number with a
 * fraction loses it. `null` has no counterpart and is refused. Integers beyond 64 bits are refused
 * by jansson with a clear text ("too big integer"). */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "trace/trace.h"
#include "trace/trace_int.h"
#include "value/value.h"

static int json_parse(struct str text, json_t **ret_root, struct err *err)
{
    json_error_t problem;
    json_t *root = json_loadb(text.p, text.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, &problem);
    if (root == NULL) {
        return err_set(err, ERR_INVALID, 0, "JSON, line %d, column %d: %s", problem.line,
                       problem.column, problem.text);
    }
    *ret_root = root;
    return 0;
}

static struct str json_str(const json_t *json)
{
    return (struct str){json_string_value(json), json_string_length(json)};
}

static int read_real(struct vctx *ctx, double real, struct val *ret, struct err *err)
{
    double whole = trunc(real);
    if (!(fabs(whole) < 9.0e18)) {
        return err_set(err, ERR_INVALID, 0, "the number %g is too large", real);
    }
    *ret = val_int(ctx, (int64_t)whole);
    return 0;
}

/* How elements are read: one of the two dialects. */
typedef int (*read_fn)(struct vctx *ctx, json_t *json, struct val *ret, struct err *err);

static int read_array(struct vctx *ctx, const json_t *json, read_fn each, struct val **ret_elems,
                      struct err *err)
{
    size_t n = json_array_size(json);
    struct val *elems = ARENA_ARRAY(ctx->arena, struct val, n + 1);
    for (size_t i = 0; i < n; i++) {
        int rc = each(ctx, json_array_get(json, i), &elems[i], err);
        if (rc != 0) {
            return rc;
        }
    }
    *ret_elems = elems;
    return 0;
}

static int read_object(struct vctx *ctx, json_t *json, read_fn each, struct val *ret,
                       struct err *err)
{
    size_t n = json_object_size(json);
    struct val *names = ARENA_ARRAY(ctx->arena, struct val, n + 1);
    struct val *values = ARENA_ARRAY(ctx->arena, struct val, n + 1);
    size_t i = 0;
    const char *key;
    json_t *value;
    json_object_foreach(json, key, value)
    {
        names[i] = val_str(ctx, str_of(key));
        int rc = each(ctx, value, &values[i], err);
        if (rc != 0) {
            return rc;
        }
        i++;
    }
    *ret = fcn_make(ctx, names, values, n);
    return 0;
}

int json_to_val(struct vctx *ctx, json_t *json, struct val *ret, struct err *err)
{
    struct val *elems;
    int rc;
    if (json == NULL) {
        return err_set(err, ERR_INVALID, 0, "a JSON value is missing");
    }
    switch (json_typeof(json)) {
    case JSON_TRUE: *ret = VAL_TRUE; return 0;
    case JSON_FALSE: *ret = VAL_FALSE; return 0;
    case JSON_STRING: *ret = val_str(ctx, json_str(json)); return 0;
    case JSON_INTEGER: *ret = val_int(ctx, json_integer_value(json)); return 0;
    case JSON_REAL: return read_real(ctx, json_real_value(json), ret, err);
    case JSON_OBJECT: return read_object(ctx, json, json_to_val, ret, err);
    case JSON_ARRAY:
        rc = read_array(ctx, json, json_to_val, &elems, err);
        if (rc == 0) {
            *ret = tuple_make(ctx, elems, json_array_size(json));
        }
        return rc;
    case JSON_NULL: break;
    }
    return err_set(err, ERR_INVALID, 0, "Cannot convert value: unsupported JSON value null");
}

/* ---- ITF ---- */
static int read_bigint(struct vctx *ctx, const json_t *json, struct val *ret, struct err *err)
{
    if (!json_is_string(json)) {
        return err_set(err, ERR_INVALID, 0, "ITF: #bigint needs a string of digits");
    }
    struct str digits = json_str(json);
    size_t sign = digits.n > 0 && digits.p[0] == '-';
    bool good = digits.n > sign && digits.n <= ITF_DIGITS_MAX;
    for (size_t i = sign; good && i < digits.n; i++) {
        good = digits.p[i] >= '0' && digits.p[i] <= '9';
    }
    if (!good || !int_parse(ctx, digits, 10, ret)) {
        return err_set(err, ERR_INVALID, 0, "ITF: bad number in #bigint");
    }
    return 0;
}

static int read_map(struct vctx *ctx, const json_t *json, struct val *ret, struct err *err)
{
    size_t n = json_array_size(json);
    struct val *keys = ARENA_ARRAY(ctx->arena, struct val, n + 1);
    struct val *values = ARENA_ARRAY(ctx->arena, struct val, n + 1);
    for (size_t i = 0; i < n; i++) {
        const json_t *pair = json_array_get(json, i);
        if (!json_is_array(pair) || json_array_size(pair) != 2) {
            return err_set(err, ERR_INVALID, 0, "ITF: #map needs pairs [key, value]");
        }
        int rc = itf_to_val(ctx, json_array_get(pair, 0), &keys[i], err);
        if (rc == 0) {
            rc = itf_to_val(ctx, json_array_get(pair, 1), &values[i], err);
        }
        if (rc != 0) {
            return rc;
        }
    }
    *ret = fcn_make(ctx, keys, values, n);
    return 0;
}

/* An object of one field whose name starts with #. */
static int read_special(struct vctx *ctx, const char *key, json_t *json, struct val *ret,
                        struct err *err)
{
    if (strcmp(key, "#bigint") == 0) {
        return read_bigint(ctx, json, ret, err);
    }
    bool set = strcmp(key, "#set") == 0;
    bool tup = strcmp(key, "#tup") == 0;
    bool map = strcmp(key, "#map") == 0;
    if (!set && !tup && !map) {
        return err_set(err, ERR_INVALID, 0, "ITF: cannot read a value of kind %.40s", key);
    }
    if (!json_is_array(json)) {
        return err_set(err, ERR_INVALID, 0, "ITF: %s needs an array", key);
    }
    if (map) {
        return read_map(ctx, json, ret, err);
    }
    struct val *elems;
    int rc = read_array(ctx, json, itf_to_val, &elems, err);
    if (rc == 0) {
        size_t n = json_array_size(json);
        *ret = set ? set_make(ctx, elems, n) : tuple_make(ctx, elems, n);
    }
    return rc;
}

int itf_to_val(struct vctx *ctx, json_t *json, struct val *ret, struct err *err)
{
    if (json_is_object(json)) {
        const char *key = json_object_iter_key(json_object_iter(json));
        if (key != NULL && key[0] == '#' && json_object_size(json) == 1) {
            return read_special(ctx, key, json_object_get(json, key), ret, err);
        }
        return read_object(ctx, json, itf_to_val, ret, err);
    }
    if (json_is_array(json)) {
        struct val *elems;
        int rc = read_array(ctx, json, itf_to_val, &elems, err);
        if (rc == 0) {
            *ret = tuple_make(ctx, elems, json_array_size(json));
        }
        return rc;
    }
    return json_to_val(ctx, json, ret, err);
}

/* ---- guarded reading ----
 * Building a set compares its elements, and comparing 1 with "a" is reported through vctx.fail,
 * which does not return. The text is not ours, so that is a malformed file here and not an error of
 * the spec: catch it, and free what jansson holds. */
struct guard {
    struct vctx ctx;
    jmp_buf jump;
    struct err *err;
};

__attribute__((noreturn)) static void guard_fail(struct vctx *ctx, int code, const char *text)
{
    (void)code;
    struct guard *guard = ctx->owner;
    (void)err_set(guard->err, ERR_INVALID, 0, "%s", text);
    longjmp(guard->jump, 1); /* NOLINT(cert-err52-cpp): see above */
}

int json_read_guarded(struct vctx *ctx, struct str text, json_reader read, void *arg,
                      struct err *err)
{
    json_t *root = NULL;
    int rc = json_parse(text, &root, err);
    if (rc != 0) {
        return rc;
    }
    struct guard guard = {.ctx = *ctx, .err = err};
    guard.ctx.fail = guard_fail;
    guard.ctx.owner = &guard;
    guard.ctx.poll = NULL;
    json_t *volatile held = root; /* read again after a jump */
    if (setjmp(guard.jump) == 0) {
        int got = read(&guard.ctx, root, arg, err);
        json_decref(held);
        return got;
    }
    json_decref(held);
    return -(int)ERR_INVALID;
}

static int read_json_root(struct vctx *ctx, json_t *root, void *arg, struct err *err)
{
    return json_to_val(ctx, root, arg, err);
}

static int message_to_val(struct vctx *ctx, json_t *json, struct val *ret, struct err *err)
{
    if (json_is_null(json)) {
        *ret = val_str(ctx, STR("null"));
        return 0;
    }
    if (json_is_object(json)) {
        return read_object(ctx, json, message_to_val, ret, err);
    }
    if (json_is_array(json)) {
        struct val *elems;
        int rc = read_array(ctx, json, message_to_val, &elems, err);
        if (rc == 0) {
            *ret = tuple_make(ctx, elems, json_array_size(json));
        }
        return rc;
    }
    return json_to_val(ctx, json, ret, err);
}

static int read_message_root(struct vctx *ctx, json_t *root, void *arg, struct err *err)
{
    return message_to_val(ctx, root, arg, err);
}

static int read_itf_root(struct vctx *ctx, json_t *root, void *arg, struct err *err)
{
    return itf_to_val(ctx, root, arg, err);
}

int json_read_val(struct vctx *ctx, struct str text, struct val *ret, struct err *err)
{
    struct val got = VAL_UNDEF;
    int rc = json_read_guarded(ctx, text, read_json_root, &got, err);
    if (rc == 0) {
        *ret = got;
    }
    return rc;
}

int json_read_message(struct vctx *ctx, struct str text, struct val *ret, struct err *err)
{
    struct val got = VAL_UNDEF;
    int rc = json_read_guarded(ctx, text, read_message_root, &got, err);
    if (rc == 0) {
        *ret = got;
    }
    return rc;
}

int itf_read_val(struct vctx *ctx, struct str text, struct val *ret, struct err *err)
{
    struct val got = VAL_UNDEF;
    int rc = json_read_guarded(ctx, text, read_itf_root, &got, err);
    if (rc == 0) {
        *ret = got;
    }
    return rc;
}
