/* Json: values as JSON text and back.
 *
 * Writing follows TLC: records and functions become objects (keys of other kinds than strings are
 * printed), tuples and sets become arrays, strings and model values strings. Reading gives records
 * for objects, tuples for arrays; fractions are cut to whole numbers, null is an error. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "eval/native_int.h"

enum { FILE_MAX = 1 << 30 };

/* ---- writing ---- */

static void json_string(struct text *out, struct str s)
{
    static const char hex[] = "0123456789abcdef";
    native_text_addc(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '"' || c == '\\') {
            native_text_addc(out, '\\');
            native_text_addc(out, (char)c);
        } else if (c == '\n') {
            native_text_adds(out, "\\n");
        } else if (c == '\t') {
            native_text_adds(out, "\\t");
        } else if (c == '\r') {
            native_text_adds(out, "\\r");
        } else if (c == '\b') {
            native_text_adds(out, "\\b");
        } else if (c == '\f') {
            native_text_adds(out, "\\f");
        } else if (c < 0x20) {
            native_text_adds(out, "\\u00");
            native_text_addc(out, hex[c >> 4]);
            native_text_addc(out, hex[c & 15]);
        } else {
            native_text_addc(out, (char)c);
        }
    }
    native_text_addc(out, '"');
}

static void json_node(struct ev *ev, struct text *out, struct val v);

static void json_list(struct ev *ev, struct text *out, const struct val *v, size_t n)
{
    native_text_addc(out, '[');
    for (size_t i = 0; i < n; i++) {
        if (i > 0) {
            native_text_addc(out, ',');
        }
        json_node(ev, out, v[i]);
    }
    native_text_addc(out, ']');
}

/* A canonical function as an object; positions of a tuple count from 0 here, as in TLC. */
static void json_object(struct ev *ev, struct text *out, struct val fcn)
{
    struct vctx *ctx = ev_vctx(ev);
    size_t n = fcn_size(ctx, fcn);
    bool is_tuple = val_is_kind(fcn, VK_TUPLE);
    native_text_addc(out, '{');
    for (size_t i = 0; i < n; i++) {
        if (i > 0) {
            native_text_addc(out, ',');
        }
        json_string(
            out, native_unquoted(ev, is_tuple ? val_int(ctx, (int64_t)i) : fcn_key(ctx, fcn, i)));
        native_text_addc(out, ':');
        json_node(ev, out, fcn_value(ctx, fcn, i));
    }
    native_text_addc(out, '}');
}

__attribute__((noreturn, cold)) static void fail_json(struct ev *ev, struct val v)
{
    native_fail_outside(ev, "ToJson", "Cannot convert value: unsupported value type %s",
                        val_kind_text(v));
}

static void json_node(struct ev *ev, struct text *out, struct val v)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val part;
    if (val_is_str(v) || val_is_model(v)) {
        json_string(out, strtab_text(ctx->strings, val_str_id(v)));
    } else if (val_is_bool(v)) {
        native_text_adds(out, val_same(v, VAL_TRUE) ? "true" : "false");
    } else if (val_is_int(v)) {
        native_text_addval(out, ev, v);
    } else if (native_as_fcn(ev, v, &part)) {
        if (val_is_kind(part, VK_TUPLE)) {
            json_list(ev, out, val_obj(part)->v, val_obj(part)->n);
        } else {
            json_object(ev, out, part);
        }
    } else if (native_as_set(ev, v, &part)) {
        json_list(ev, out, val_obj(part)->v, val_obj(part)->n);
    } else {
        fail_json(ev, v);
    }
}

struct val native_json_text(struct ev *ev, struct val v)
{
    struct text out;
    native_text_init(&out, ev);
    json_node(ev, &out, v);
    return native_text_val(&out, ev);
}

struct val native_to_json(struct ev *ev, const struct val *args)
{
    return native_json_text(ev, args[0]);
}

struct val native_to_json_array(struct ev *ev, const struct val *args)
{
    bool is_record = val_is_kind(args[0], VK_RECORD) && !(val_obj(args[0])->flags & VF_MAP);
    if (is_record || (!val_is_fcn(args[0]) && !val_is_set(args[0]))) {
        fail_json(ev, args[0]);
    }
    return native_json_text(ev, args[0]);
}

struct val native_to_json_object(struct ev *ev, const struct val *args)
{
    struct val fcn;
    if (!native_as_fcn(ev, args[0], &fcn)) {
        fail_json(ev, args[0]);
    }
    struct text out;
    native_text_init(&out, ev);
    json_object(ev, &out, fcn);
    return native_text_val(&out, ev);
}

/* ---- reading ---- */

struct reader {
    struct ev *ev;
    const char *op;
    const char *path;
    const char *at, *end;
    unsigned depth;
};

__attribute__((noreturn, cold)) static void fail_read(struct reader *r, const char *what)
{
    native_fail_outside(r->ev, r->op, "%s: %s", r->path, what);
}

static void skip_space(struct reader *r)
{
    while (r->at < r->end && strchr(" \t\r\n", *r->at) != NULL && *r->at != '\0') {
        r->at++;
    }
}

static bool accept(struct reader *r, char c)
{
    skip_space(r);
    if (r->at < r->end && *r->at == c) {
        r->at++;
        return true;
    }
    return false;
}

static bool accept_word(struct reader *r, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(r->end - r->at) >= n && memcmp(r->at, word, n) == 0) {
        r->at += n;
        return true;
    }
    return false;
}

static uint32_t read_hex4(struct reader *r)
{
    uint32_t code = 0;
    for (unsigned i = 0; i < 4; i++) {
        char c = r->at < r->end ? *r->at++ : '\0';
        uint32_t digit = 16;
        if (c >= '0' && c <= '9') {
            digit = (uint32_t)(c - '0');
        } else if ((c | 32) >= 'a' && (c | 32) <= 'f') {
            digit = (uint32_t)((c | 32) - 'a') + 10;
        }
        if (digit > 15) {
            fail_read(r, "bad \\u escape in a string");
        }
        code = code * 16 + digit;
    }
    return code;
}

static void add_utf8(struct text *out, uint32_t code)
{
    if (code < 0x80) {
        native_text_addc(out, (char)code);
    } else if (code < 0x800) {
        native_text_addc(out, (char)(0xc0 | code >> 6));
        native_text_addc(out, (char)(0x80 | (code & 63)));
    } else if (code < 0x10000) {
        native_text_addc(out, (char)(0xe0 | code >> 12));
        native_text_addc(out, (char)(0x80 | (code >> 6 & 63)));
        native_text_addc(out, (char)(0x80 | (code & 63)));
    } else {
        native_text_addc(out, (char)(0xf0 | code >> 18));
        native_text_addc(out, (char)(0x80 | (code >> 12 & 63)));
        native_text_addc(out, (char)(0x80 | (code >> 6 & 63)));
        native_text_addc(out, (char)(0x80 | (code & 63)));
    }
}

static void read_escape(struct reader *r, struct text *out)
{
    static const char from[] = "\"\\/bfnrt'", to[] = "\"\\/\b\f\n\r\t'";
    char c = r->at < r->end ? *r->at++ : '\0';
    if (c == 'u') {
        uint32_t code = read_hex4(r);
        if (code >= 0xd800 && code < 0xdc00 && accept_word(r, "\\u")) {
            code = 0x10000 + ((code - 0xd800) << 10) + ((read_hex4(r) - 0xdc00) & 0x3ff);
        }
        add_utf8(out, code);
        return;
    }
    const char *known = c != '\0' ? strchr(from, c) : NULL;
    if (known == NULL) {
        fail_read(r, "bad escape in a string");
    }
    native_text_addc(out, to[known - from]);
}

static struct val read_string(struct reader *r)
{
    struct text out;
    native_text_init(&out, r->ev);
    for (;;) {
        if (r->at == r->end) {
            fail_read(r, "a string does not end");
        }
        char c = *r->at++;
        if (c == '"') {
            return native_text_val(&out, r->ev);
        }
        if (c == '\\') {
            read_escape(r, &out);
        } else {
            native_text_addc(&out, c);
        }
    }
}

/* The whole part of a number: its digits, with the point moved by the exponent. */
static struct val number_of(struct reader *r, struct str whole, struct str fraction, int exponent)
{
    struct vctx *ctx = ev_vctx(r->ev);
    struct text digits;
    native_text_init(&digits, r->ev);
    native_text_addstr(&digits, whole);
    native_text_addstr(&digits, fraction);
    int64_t point = (int64_t)whole.n + exponent;
    for (int64_t i = (int64_t)digits.n; i < point; i++) {
        native_text_addc(&digits, '0');
    }
    struct val n;
    bool negative = whole.n > 0 && whole.p[0] == '-';
    if (point <= (negative ? 1 : 0)) {
        return val_small(0);
    }
    if (!int_parse(ctx, (struct str){digits.p, (size_t)point}, 10, &n)) {
        fail_read(r, "unexpected text where a value should stand");
    }
    return n;
}

static struct str read_digits(struct reader *r)
{
    const char *begin = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9') {
        r->at++;
    }
    return (struct str){begin, (size_t)(r->at - begin)};
}

static struct val read_number(struct reader *r)
{
    const char *begin = r->at;
    r->at += *r->at == '-';
    if (read_digits(r).n == 0) {
        fail_read(r, "unexpected text where a value should stand");
    }
    struct str whole = {begin, (size_t)(r->at - begin)}, fraction = {"", 0};
    if (r->at < r->end && *r->at == '.') {
        r->at++;
        fraction = read_digits(r);
    }
    int exponent = 0;
    if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
        r->at++;
        bool negative = r->at < r->end && *r->at == '-';
        r->at += r->at < r->end && (*r->at == '-' || *r->at == '+');
        struct str digits = read_digits(r);
        for (size_t i = 0; i < digits.n; i++) {
            exponent = exponent * 10 + (digits.p[i] - '0');
            if (exponent > 10000) {
                fail_read(r, "a number is too large");
            }
        }
        exponent = negative ? -exponent : exponent;
    }
    return number_of(r, whole, fraction, exponent);
}

static struct val read_value(struct reader *r);

static struct val read_array(struct reader *r)
{
    struct vals elems;
    native_vals_init(&elems, r->ev, 8);
    if (!accept(r, ']')) {
        do {
            native_push(&elems, read_value(r));
        } while (accept(r, ','));
        if (!accept(r, ']')) {
            fail_read(r, "expected , or ] in an array");
        }
    }
    return tuple_make(ev_vctx(r->ev), elems.v, elems.n);
}

static struct val read_object(struct reader *r)
{
    struct vals names, values;
    native_vals_init(&names, r->ev, 8);
    native_vals_init(&values, r->ev, 8);
    if (!accept(r, '}')) {
        do {
            if (!accept(r, '"')) {
                fail_read(r, "expected a name in an object");
            }
            struct val name = read_string(r);
            if (!accept(r, ':')) {
                fail_read(r, "expected : after a name in an object");
            }
            struct val value = read_value(r);
            size_t i = 0;
            while (i < names.n && !val_same(names.v[i], name)) {
                i++;
            }
            if (i < names.n) { /* the last one counts */
                values.v[i] = value;
            } else {
                native_push(&names, name);
                native_push(&values, value);
            }
        } while (accept(r, ','));
        if (!accept(r, '}')) {
            fail_read(r, "expected , or } in an object");
        }
    }
    return record_make(ev_vctx(r->ev), names.v, values.v, names.n);
}

static struct val read_value(struct reader *r)
{
    if (++r->depth > 1000) {
        fail_read(r, "nested too deeply");
    }
    struct val v;
    if (accept(r, '{')) {
        v = read_object(r);
    } else if (accept(r, '[')) {
        v = read_array(r);
    } else if (accept(r, '"')) {
        v = read_string(r);
    } else if (accept_word(r, "true")) {
        v = VAL_TRUE;
    } else if (accept_word(r, "false")) {
        v = VAL_FALSE;
    } else if (accept_word(r, "null")) {
        fail_read(r, "Cannot convert value: unsupported JSON value null");
    } else if (r->at < r->end) {
        v = read_number(r);
    } else {
        fail_read(r, "ends where a value should stand");
    }
    r->depth--;
    return v;
}

static struct str read_file_text(struct ev *ev, struct val path, const char *op,
                                 const char **ret_path)
{
    struct str text;
    struct err err = {0};
    *ret_path = native_need_path(ev, path, "first", op);
    if (file_read(ev_vctx(ev)->arena, *ret_path, FILE_MAX, &text, &err) != 0) {
        native_fail_outside(ev, op, "%s", err.text);
    }
    return text;
}

struct val native_json_deserialize(struct ev *ev, const struct val *args)
{
    struct reader r = {.ev = ev, .op = "JsonDeserialize"};
    struct str text = read_file_text(ev, args[0], r.op, &r.path);
    r.at = text.p;
    r.end = text.p + text.n;
    struct val v = read_value(&r);
    skip_space(&r);
    if (r.at < r.end) {
        fail_read(&r, "more text after the value");
    }
    return v;
}

struct val native_nd_json_deserialize(struct ev *ev, const struct val *args)
{
    struct reader r = {.ev = ev, .op = "ndJsonDeserialize"};
    struct str text = read_file_text(ev, args[0], r.op, &r.path);
    const char *end = text.p + text.n;
    struct vals values;
    native_vals_init(&values, ev, 64);
    for (const char *line = text.p; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        r.at = line;
        r.end = stop != NULL ? stop : end;
        line = r.end + 1;
        skip_space(&r);
        if (r.at < r.end) {
            native_push(&values, read_value(&r));
            skip_space(&r);
            if (r.at < r.end) {
                fail_read(&r, "more text after the value of a line");
            }
        }
    }
    return tuple_make(ev_vctx(ev), values.v, values.n);
}

/* ---- files ---- */

static void write_file_text(struct ev *ev, struct val path, struct text *text, const char *op)
{
    struct err err = {0};
    const char *name = native_need_path(ev, path, "first", op);
    native_need_exec(ev, op);
    struct str dir = path_dir(str_of(name));
    if (dir_make(arena_strndup(ev_vctx(ev)->arena, dir.p, dir.n), &err) != 0 ||
        file_write(name, native_text_str(text), &err) != 0) {
        native_fail_outside(ev, op, "%s", err.text);
    }
}

struct val native_json_serialize(struct ev *ev, const struct val *args)
{
    struct val fcn;
    struct text out;
    native_text_init(&out, ev);
    if (seq_of(ev_vctx(ev), args[1]) == NULL && !native_as_record(ev, args[1], &fcn)) {
        native_fail_argument(ev, "second", "JsonSerialize", "sequence or record", args[1]);
    }
    json_node(ev, &out, args[1]);
    write_file_text(ev, args[0], &out, "JsonSerialize");
    return VAL_TRUE;
}

struct val native_nd_json_serialize(struct ev *ev, const struct val *args)
{
    struct text out;
    native_text_init(&out, ev);
    const struct vobj *seq = native_need_seq(ev, args[1], "second", "ndJsonSerialize");
    for (uint32_t i = 0; i < seq->n; i++) {
        json_node(ev, &out, seq->v[i]);
        native_text_addc(&out, '\n');
    }
    write_file_text(ev, args[0], &out, "ndJsonSerialize");
    return VAL_TRUE;
}
