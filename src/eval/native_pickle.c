/* IOUtils: values in files, for other runs and for TLC.
 *
 * IOSerialize writes what TLC writes, compressed (gzip) if asked: a byte for the kind, then numbers
 * with the high byte first. Collections and strings may be repeated by their number in the order of
 * appearance; that is only read. TLC has no form for integers beyond 32 bits and for strings beyond
 * ASCII (it writes Latin-1 and reads it back as something else), and writes model values as numbers
 * that mean something in one run only. Such values are written in a form of our own: a line that
 * names it, then the value in prefix form, for example F2 s1:a i7; m2:p1 b1 for (a :> 7 @@ p1 :>
 * TRUE). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zconf.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "eval/native.h"
#include "eval/native_int.h"
#include "value/value.h"

enum { FILE_MAX = 1 << 30, DEPTH_MAX = 1000 };

/* ---- our own form ---- */
#define VALUE_HEAD "assay value 1\n"

static void put_count(struct text *out, char tag, size_t n)
{
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    native_text_addc(out, tag);
    native_text_add(out, digits + at, sizeof digits - at);
}

static void put_value(struct ev *ev, struct text *out, struct val v)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val part;
    if (val_is_str(v) || val_is_model(v)) {
        struct str s = strtab_text(ctx->strings, val_str_id(v));
        put_count(out, val_is_str(v) ? 's' : 'm', s.n);
        native_text_addc(out, ':');
        native_text_addstr(out, s);
    } else if (val_is_bool(v)) {
        native_text_adds(out, val_same(v, VAL_TRUE) ? "b1" : "b0");
    } else if (val_is_int(v)) {
        native_text_addc(out, 'i');
        native_text_addval(out, ev, v);
        native_text_addc(out, ';');
    } else if (native_as_fcn(ev, v, &part)) {
        size_t n = fcn_size(ctx, part);
        put_count(out, 'F', n);
        native_text_addc(out, ' ');
        for (size_t i = 0; i < n; i++) {
            put_value(ev, out, fcn_key(ctx, part, i));
            put_value(ev, out, fcn_value(ctx, part, i));
        }
    } else {
        const struct vobj *set = native_need_set(ev, v, "first", "IOSerialize");
        put_count(out, 'S', set->n);
        native_text_addc(out, ' ');
        for (uint32_t i = 0; i < set->n; i++) {
            put_value(ev, out, set->v[i]);
        }
    }
}

struct value_reader {
    struct ev *ev;
    const char *path;
    const char *at, *end;
    unsigned depth;
    struct vals seen; /* TLC's form: what can be repeated */
};

__attribute__((noreturn, cold)) static void fail_value(struct value_reader *r)
{
    native_fail_outside(r->ev, "IODeserialize",
                        "%s: the file does not hold a value that IOSerialize wrote", r->path);
}

static size_t get_count(struct value_reader *r, char stop)
{
    size_t n = 0;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && n < FILE_MAX) {
        n = n * 10 + (size_t)(*r->at++ - '0');
    }
    bool stops = r->at < r->end && *r->at == stop;
    r->at += stops;
    if (!stops || n > (size_t)(r->end - r->at)) {
        fail_value(r);
    }
    return n;
}

static struct val get_value(struct value_reader *r);

static struct val get_collection(struct value_reader *r, bool is_function)
{
    struct vctx *ctx = ev_vctx(r->ev);
    size_t n = get_count(r, ' ');
    struct vals keys, values;
    native_vals_init(&keys, r->ev, n);
    native_vals_init(&values, r->ev, is_function ? n : 0);
    for (size_t i = 0; i < n; i++) {
        native_push(&keys, get_value(r));
        if (is_function) {
            native_push(&values, get_value(r));
        }
    }
    return is_function ? fcn_make(ctx, keys.v, values.v, n) : set_make(ctx, keys.v, n);
}

static struct val get_value(struct value_reader *r)
{
    struct vctx *ctx = ev_vctx(r->ev);
    struct val v = VAL_UNDEF;
    r->depth++;
    if (r->at == r->end || r->depth > DEPTH_MAX) {
        fail_value(r);
    }
    char tag = *r->at++;
    if (tag == 's' || tag == 'm') {
        size_t n = get_count(r, ':');
        struct str s = {r->at, n};
        r->at += n;
        v = tag == 's' ? val_str(ctx, s) : val_model(ctx->strings, s);
    } else if (tag == 'b' && r->at < r->end) {
        v = val_bool(*r->at++ == '1');
    } else if (tag == 'i') {
        const char *stop = memchr(r->at, ';', (size_t)(r->end - r->at));
        if (stop == NULL || !int_parse(ctx, (struct str){r->at, (size_t)(stop - r->at)}, 10, &v)) {
            fail_value(r);
        }
        r->at = stop + 1;
    } else if (tag == 'F' || tag == 'S') {
        v = get_collection(r, tag == 'F');
    } else {
        fail_value(r);
    }
    r->depth--;
    return v;
}

/* ---- TLC's form ---- */
enum kind {
    KIND_BOOL = 0,
    KIND_INT = 1,
    KIND_STRING = 3,
    KIND_RECORD = 4,
    KIND_SET = 5,
    KIND_TUPLE = 7,
    KIND_FCN = 9,
    KIND_MODEL = 21,
    KIND_INTERVAL = 23,
    KIND_AGAIN = 26
};

static void put_int(struct text *out, int64_t i)
{
    for (int shift = 24; shift >= 0; shift -= 8) {
        native_text_addc(out, (char)((uint64_t)i >> shift & 0xff));
    }
}

/* A size: two bytes, or four of its negative. */
static void put_size(struct text *out, size_t n)
{
    if (n > INT16_MAX) {
        put_int(out, -(int64_t)n);
    } else {
        native_text_addc(out, (char)(n >> 8));
        native_text_addc(out, (char)(n & 0xff));
    }
}

/* False: TLC would read another string. */
static bool put_ascii(struct text *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if ((unsigned char)s.p[i] >= 0x80) {
            return false;
        }
    }
    put_int(out, 0); /* two numbers of the run that wrote it */
    put_int(out, -1);
    put_int(out, (int64_t)s.n);
    native_text_addstr(out, s);
    return true;
}

static bool put_tlc(struct ev *ev, struct text *out, struct val v);

static bool put_tlc_fcn(struct ev *ev, struct text *out, struct val fcn)
{
    struct vctx *ctx = ev_vctx(ev);
    size_t n = fcn_size(ctx, fcn);
    bool tuple = val_is_kind(fcn, VK_TUPLE);
    bool record = val_is_kind(fcn, VK_RECORD);
    native_text_addc(out, tuple ? KIND_TUPLE : record ? KIND_RECORD : KIND_FCN);
    if (record) {
        put_int(out, -(int64_t)n); /* negative: the order of the names is not TLC's */
    } else {
        put_size(out, n);
        if (!tuple) {
            native_text_addc(out, 2); /* keys are given, in any order */
        }
    }
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        ok = (tuple || put_tlc(ev, out, fcn_key(ctx, fcn, i))) &&
             put_tlc(ev, out, fcn_value(ctx, fcn, i));
    }
    return ok;
}

/* False: TLC has no form for it. */
static bool put_tlc(struct ev *ev, struct text *out, struct val v)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val part;
    if (val_is_bool(v)) {
        native_text_addc(out, KIND_BOOL);
        native_text_addc(out, val_same(v, VAL_TRUE));
        return true;
    }
    if (val_is_int(v)) {
        if (!val_is_small(v) || val_small_get(v) != (int32_t)val_small_get(v)) {
            return false;
        }
        native_text_addc(out, KIND_INT);
        put_int(out, val_small_get(v));
        return true;
    }
    if (val_is_str(v)) {
        native_text_addc(out, KIND_STRING);
        return put_ascii(out, strtab_text(ctx->strings, val_str_id(v)));
    }
    if (val_is_model(v)) {
        return false;
    }
    if (native_as_fcn(ev, v, &part)) {
        return put_tlc_fcn(ev, out, part);
    }
    const struct vobj *set = native_need_set(ev, v, "first", "IOSerialize");
    native_text_addc(out, KIND_SET);
    put_int(out, -(int64_t)set->n); /* negative: the order is not TLC's */
    bool ok = true;
    for (uint32_t i = 0; ok && i < set->n; i++) {
        ok = put_tlc(ev, out, set->v[i]);
    }
    return ok;
}

static uint32_t get_bytes(struct value_reader *r, unsigned n)
{
    if ((size_t)(r->end - r->at) < n) {
        fail_value(r);
    }
    uint32_t bits = 0;
    while (n-- > 0) {
        bits = bits << 8 | (unsigned char)*r->at++;
    }
    return bits;
}

static int64_t get_int(struct value_reader *r)
{
    return (int32_t)get_bytes(r, 4);
}

/* How many follow, of at least a byte each. */
static size_t get_size(struct value_reader *r, bool is_int)
{
    int64_t n;
    if (is_int) {
        n = get_int(r);
        n = n < 0 ? -n : n;
    } else {
        n = get_bytes(r, 2);
        n = n <= INT16_MAX ? n : -(int64_t)(int32_t)((uint32_t)n << 16 | get_bytes(r, 2));
    }
    if (n < 0 || n > r->end - r->at) {
        fail_value(r);
    }
    return (size_t)n;
}

static struct val get_latin1(struct value_reader *r)
{
    (void)get_bytes(r, 4);
    (void)get_bytes(r, 4);
    size_t n = get_size(r, true);
    struct text text;
    native_text_init(&text, r->ev);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)*r->at++;
        if (c >= 0x80) {
            native_text_addc(&text, (char)(0xc0 | c >> 6));
            c = 0x80 | (c & 0x3f);
        }
        native_text_addc(&text, (char)c);
    }
    return native_text_val(&text, r->ev);
}

/* The number of what begins here, in the order of appearance. */
static size_t seen_new(struct value_reader *r)
{
    native_push(&r->seen, VAL_UNDEF);
    return r->seen.n - 1;
}

static struct val get_again(struct value_reader *r)
{
    uint32_t at = get_bytes(r, 2);
    at = at <= INT16_MAX ? at : 0 - (at << 16 | get_bytes(r, 2));
    if (at >= r->seen.n || val_same(r->seen.v[at], VAL_UNDEF)) {
        fail_value(r);
    }
    return r->seen.v[at];
}

static struct val get_name(struct value_reader *r)
{
    if (get_bytes(r, 1) == KIND_AGAIN) {
        struct val name = get_again(r);
        if (!val_is_str(name)) {
            fail_value(r);
        }
        return name;
    }
    size_t at = seen_new(r);
    return r->seen.v[at] = get_latin1(r);
}

static struct val get_tlc(struct value_reader *r);

static struct val get_tlc_many(struct value_reader *r, enum kind kind)
{
    struct vctx *ctx = ev_vctx(r->ev);
    size_t at = seen_new(r);
    size_t n = get_size(r, kind == KIND_RECORD || kind == KIND_SET);
    bool keys_follow = kind == KIND_FCN && get_bytes(r, 1) != 0;
    int64_t low = 0;
    if (kind == KIND_FCN && !keys_follow) {
        low = get_int(r);
        (void)get_int(r);
    }
    struct vals keys, values;
    native_vals_init(&keys, r->ev, n);
    native_vals_init(&values, r->ev, n);
    for (size_t i = 0; i < n; i++) {
        if (kind == KIND_RECORD) {
            native_push(&keys, get_name(r));
        } else if (kind == KIND_FCN) {
            native_push(&keys, keys_follow ? get_tlc(r) : val_int(ctx, low + (int64_t)i));
        }
        native_push(&values, get_tlc(r));
    }
    struct val v = kind == KIND_SET     ? set_make(ctx, values.v, n)
                   : kind == KIND_TUPLE ? tuple_make(ctx, values.v, n)
                                        : fcn_make(ctx, keys.v, values.v, n);
    return r->seen.v[at] = v;
}

static struct val get_tlc(struct value_reader *r)
{
    struct vctx *ctx = ev_vctx(r->ev);
    struct val v = VAL_UNDEF;
    if (++r->depth > DEPTH_MAX) {
        fail_value(r);
    }
    enum kind kind = get_bytes(r, 1);
    switch (kind) {
    case KIND_BOOL: v = val_bool(get_bytes(r, 1) != 0); break;
    case KIND_INT: v = val_int(ctx, get_int(r)); break;
    case KIND_STRING:
        v = get_latin1(r);
        r->seen.v[seen_new(r)] = v;
        break;
    case KIND_RECORD:
    case KIND_SET:
    case KIND_TUPLE:
    case KIND_FCN: v = get_tlc_many(r, kind); break;
    case KIND_INTERVAL: {
        struct val low = val_int(ctx, get_int(r));
        v = set_interval(ctx, low, val_int(ctx, get_int(r)));
        break;
    }
    case KIND_AGAIN: v = get_again(r); break;
    case KIND_MODEL:
        native_fail_outside(
            r->ev, "IODeserialize",
            "%s: TLC wrote a model value there, which means something to that run only", r->path);
    default: fail_value(r);
    }
    r->depth--;
    return v;
}

/* ---- gzip ---- */
static struct str squeezed(struct ev *ev, struct str plain)
{
    z_stream z = {0};
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        native_fail_outside(ev, "IOSerialize", "no memory to compress it");
    }
    size_t cap = deflateBound(&z, plain.n);
    char *p = arena_alloc(ev_vctx(ev)->arena, cap);
    z.next_in = (Bytef *)plain.p;
    z.avail_in = (uInt)plain.n;
    z.next_out = (Bytef *)p;
    z.avail_out = (uInt)cap;
    (void)deflate(&z, Z_FINISH);
    struct str out = {p, z.total_out};
    (void)deflateEnd(&z);
    return out;
}

static struct str spread(struct value_reader *r, struct str packed)
{
    z_stream z = {.next_in = (Bytef *)packed.p, .avail_in = (uInt)packed.n};
    struct text out;
    native_text_init(&out, r->ev);
    char buffer[1 << 14];
    int status = inflateInit2(&z, MAX_WBITS + 16);
    while (status == Z_OK && out.n < FILE_MAX) {
        z.next_out = (Bytef *)buffer;
        z.avail_out = sizeof buffer;
        status = inflate(&z, Z_NO_FLUSH);
        native_text_add(&out, buffer, sizeof buffer - z.avail_out);
    }
    (void)inflateEnd(&z);
    if (status != Z_STREAM_END) {
        fail_value(r);
    }
    return native_text_str(&out);
}

/* ---- the operators ---- */
struct val native_io_serialize(struct ev *ev, const struct val *args)
{
    const char *op = "IOSerialize";
    const char *path = native_need_path(ev, args[1], "second", op);
    native_need_exec(ev, op);
    bool compress = native_need_bool(ev, args[2], "third", op);
    struct text out;
    native_text_init(&out, ev);
    if (!put_tlc(ev, &out, args[0])) {
        native_text_init(&out, ev);
        native_text_adds(&out, VALUE_HEAD);
        put_value(ev, &out, args[0]);
    }
    struct err err = {0};
    if (file_write(path, compress ? squeezed(ev, native_text_str(&out)) : native_text_str(&out),
                   &err) != 0) {
        native_fail_outside(ev, op, "%s", err.text);
    }
    return VAL_TRUE;
}

struct val native_io_deserialize(struct ev *ev, const struct val *args)
{
    const char *op = "IODeserialize";
    struct value_reader r = {.ev = ev, .path = native_need_path(ev, args[0], "first", op)};
    native_vals_init(&r.seen, ev, 16);
    (void)native_need_bool(ev, args[1], "second", op);
    struct str text;
    struct err err = {0};
    if (file_read(ev_vctx(ev)->arena, r.path, FILE_MAX, &text, &err) != 0) {
        native_fail_outside(ev, op, "%s", err.text);
    }
    if (text.n > 2 && memcmp(text.p, "\x1f\x8b", 2) == 0) { /* whatever the second argument says */
        text = spread(&r, text);
    }
    size_t head = sizeof VALUE_HEAD - 1;
    bool own = text.n >= head && memcmp(text.p, VALUE_HEAD, head) == 0;
    r.at = text.p + (own ? head : 0);
    r.end = text.p + text.n;
    struct val v = own ? get_value(&r) : get_tlc(&r);
    if (r.at != r.end) {
        fail_value(&r);
    }
    return v;
}
