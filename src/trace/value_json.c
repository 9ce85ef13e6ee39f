/* Values as JSON, in the two dialects people read.
 *
 * TLC's (module Json): records and functions are objects, sequences and sets are arrays, strings
 * and model values are strings. It loses information - a set and a sequence look alike - but every
 * front-end knows it. ITF: {"#set": [...]}, {"#map": [[k, v], ...]}, {"#bigint": "5"}; only model
 * values and strings stay alike.
 *
 * Text of strings comes from source files, which may hold anything; json_write_string repairs bytes
 * that are no UTF-8. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "trace/trace.h"
#include "value/value.h"

/* Length of the well-formed UTF-8 sequence at p (at most n bytes), or 0. */
static size_t utf8_len(const unsigned char *p, size_t n)
{
    static const struct {
        unsigned char lo, hi, second_lo, second_hi, len;
    } rows[] = {
        {0x00, 0x7f, 0,    0,    1},
        {0xc2, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3},
        {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        if (p[0] < rows[row].lo || p[0] > rows[row].hi) {
            continue;
        }
        size_t len = rows[row].len;
        if (len > n || (len > 1 && (p[1] < rows[row].second_lo || p[1] > rows[row].second_hi))) {
            return 0;
        }
        for (size_t i = 2; i < len; i++) {
            if (p[i] < 0x80 || p[i] > 0xbf) {
                return 0;
            }
        }
        return len;
    }
    return 0;
}

/* One ASCII character inside a JSON string. */
static void write_ascii(unsigned char c, struct strbuf *out)
{
    switch (c) {
    case '"': strbuf_adds(out, "\\\""); break;
    case '\\': strbuf_adds(out, "\\\\"); break;
    case '\n': strbuf_adds(out, "\\n"); break;
    case '\r': strbuf_adds(out, "\\r"); break;
    case '\t': strbuf_adds(out, "\\t"); break;
    case '\b': strbuf_adds(out, "\\b"); break;
    case '\f': strbuf_adds(out, "\\f"); break;
    default:
        if (c < 0x20) {
            strbuf_printf(out, "\\u%04x", c);
        } else {
            strbuf_addc(out, (char)c);
        }
    }
}

void json_write_string(struct str text, struct strbuf *out)
{
    strbuf_addc(out, '"');
    const unsigned char *p = (const unsigned char *)text.p;
    for (size_t i = 0; i < text.n;) {
        size_t len = utf8_len(p + i, text.n - i);
        if (len == 1) {
            write_ascii(p[i], out);
        } else if (len == 0) {
            strbuf_adds(out, "\xef\xbf\xbd");
            len = 1;
        } else {
            strbuf_add(out, text.p + i, len);
        }
        i += len;
    }
    strbuf_addc(out, '"');
}

/* The key of an object: the text of a string, else the value as TLC prints it. */
static void write_key(struct vctx *ctx, struct val key, struct strbuf *out)
{
    if (val_is_str(key) || val_is_model(key)) {
        json_write_string(val_str_text(ctx, key), out);
        return;
    }
    SCOPED_STRBUF text = {0};
    val_print(ctx, key, &text);
    json_write_string(strbuf_str(&text), out);
}

typedef void (*write_fn)(struct vctx *ctx, struct val v, struct strbuf *out);

static void write_array(struct vctx *ctx, const struct vobj *obj, write_fn each, struct strbuf *out)
{
    strbuf_addc(out, '[');
    for (uint32_t i = 0; i < obj->n; i++) {
        if (i > 0) {
            strbuf_addc(out, ',');
        }
        each(ctx, obj->v[i], out);
    }
    strbuf_addc(out, ']');
}

static void write_object(struct vctx *ctx, const struct vobj *obj, write_fn each,
                         struct strbuf *out)
{
    strbuf_addc(out, '{');
    for (uint32_t i = 0; i < obj->n; i++) {
        if (i > 0) {
            strbuf_addc(out, ',');
        }
        write_key(ctx, obj->v[i], out);
        strbuf_addc(out, ':');
        each(ctx, obj->v[obj->n + i], out);
    }
    strbuf_addc(out, '}');
}

/* Values that look the same in both dialects. False when v is none of them. */
static bool write_simple(struct vctx *ctx, struct val v, struct strbuf *out)
{
    if (val_is_bool(v)) {
        strbuf_adds(out, v.w == VAL_TRUE.w ? "true" : "false");
        return true;
    }
    if (val_is_str(v) || val_is_model(v)) {
        json_write_string(val_str_text(ctx, v), out);
        return true;
    }
    return false;
}

/* The canonical form of a set or function; other values as they are. */
static struct val canonical(struct vctx *ctx, struct val v)
{
    if (val_is_set(v)) {
        return set_force(ctx, v);
    }
    return val_is_fcn(v) ? fcn_force(ctx, v) : v;
}

void json_write_val(struct vctx *ctx, struct val v, struct strbuf *out)
{
    if (write_simple(ctx, v, out)) {
        return;
    }
    v = canonical(ctx, v);
    if (val_is_kind(v, VK_SET) || val_is_kind(v, VK_TUPLE)) {
        write_array(ctx, val_obj(v), json_write_val, out);
    } else if (val_is_kind(v, VK_RECORD) || val_is_kind(v, VK_FCN)) {
        write_object(ctx, val_obj(v), json_write_val, out);
    } else if (val_is_int(v)) {
        val_print(ctx, v, out);
    } else {
        SCOPED_STRBUF text = {0};
        val_print(ctx, v, &text);
        json_write_string(strbuf_str(&text), out);
    }
}

static void write_itf_map(struct vctx *ctx, const struct vobj *obj, struct strbuf *out)
{
    strbuf_adds(out, "{\"#map\":[");
    for (uint32_t i = 0; i < obj->n; i++) {
        strbuf_adds(out, i > 0 ? ",[" : "[");
        itf_write_val(ctx, obj->v[i], out);
        strbuf_addc(out, ',');
        itf_write_val(ctx, obj->v[obj->n + i], out);
        strbuf_addc(out, ']');
    }
    strbuf_adds(out, "]}");
}

/* Integers, and what has no form of its own. */
static void write_itf_other(struct vctx *ctx, struct val v, struct strbuf *out)
{
    SCOPED_STRBUF text = {0};
    val_print(ctx, v, &text);
    strbuf_adds(out, val_is_int(v) ? "{\"#bigint\":" : "{\"#unserializable\":");
    json_write_string(strbuf_str(&text), out);
    strbuf_addc(out, '}');
}

void itf_write_val(struct vctx *ctx, struct val v, struct strbuf *out)
{
    if (write_simple(ctx, v, out)) {
        return;
    }
    if (val_is_set(v) && !set_is_finite(ctx, v)) {
        write_itf_other(ctx, v, out);
        return;
    }
    v = canonical(ctx, v);
    if (val_is_kind(v, VK_SET)) {
        strbuf_adds(out, "{\"#set\":");
        write_array(ctx, val_obj(v), itf_write_val, out);
        strbuf_addc(out, '}');
    } else if (val_is_kind(v, VK_TUPLE)) {
        write_array(ctx, val_obj(v), itf_write_val, out);
    } else if (val_is_kind(v, VK_RECORD)) {
        write_object(ctx, val_obj(v), itf_write_val, out);
    } else if (val_is_kind(v, VK_FCN)) {
        write_itf_map(ctx, val_obj(v), out);
    } else {
        write_itf_other(ctx, v, out);
    }
}
