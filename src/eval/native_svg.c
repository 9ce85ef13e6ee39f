/* SVG: elements as text. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "eval/native_int.h"

static struct val need_field(struct ev *ev, struct val elem, const char *name)
{
    struct val record, value;
    if (!native_as_record(ev, elem, &record) || !native_field(ev, record, name, &value)) {
        native_fail_argument(ev, "first", "SVGElemToString",
                             "record with name, attrs, children and innerText", elem);
    }
    return value;
}

static struct str need_text(struct ev *ev, struct val elem, const char *name)
{
    struct val value = need_field(ev, elem, name);
    if (!val_is_str(value)) {
        native_fail_argument(ev, "first", "SVGElemToString",
                             "record whose name, innerText and attributes are strings", elem);
    }
    return val_str_text(ev_vctx(ev), value);
}

/* Underscores in names stand for hyphens, which TLA+ names cannot have. */
static void put_attributes(struct ev *ev, struct text *out, struct val elem)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val attrs;
    if (!native_as_record(ev, need_field(ev, elem, "attrs"), &attrs)) {
        native_fail_argument(ev, "first", "SVGElemToString", "record whose attrs are a record",
                             elem);
    }
    size_t n = fcn_size(ctx, attrs);
    for (size_t i = 0; i < n; i++) {
        struct val value = fcn_value(ctx, attrs, i);
        if (!val_is_str(value)) {
            native_fail_argument(ev, "first", "SVGElemToString",
                                 "record whose name, innerText and attributes are strings", elem);
        }
        struct str name = native_unquoted(ev, fcn_key(ctx, attrs, i));
        native_text_addc(out, ' ');
        for (size_t k = 0; k < name.n; k++) {
            native_text_addc(out, name.p[k] == '_' ? '-' : name.p[k]);
        }
        native_text_adds(out, "='");
        native_text_addstr(out, val_str_text(ctx, value));
        native_text_addc(out, '\'');
    }
}

/* The brackets of tuples would be taken for tags. */
static void put_inner_text(struct text *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        bool twice = i + 1 < s.n && s.p[i + 1] == s.p[i];
        if (twice && (s.p[i] == '<' || s.p[i] == '>')) {
            native_text_adds(out, s.p[i] == '<' ? "&lt;&lt;" : "&gt;&gt;");
            i++;
        } else {
            native_text_addc(out, s.p[i]);
        }
    }
}

static void put_element(struct ev *ev, struct text *out, struct val elem, unsigned depth)
{
    struct vctx *ctx = ev_vctx(ev);
    struct str name = need_text(ev, elem, "name");
    if (depth > 1000) {
        native_fail_outside(ev, "SVGElemToString", "the elements are nested too deeply");
    }
    native_text_addc(out, '<');
    native_text_addstr(out, name);
    put_attributes(ev, out, elem);
    native_text_addc(out, '>');
    put_inner_text(out, need_text(ev, elem, "innerText"));
    struct val children;
    if (!native_as_fcn(ev, need_field(ev, elem, "children"), &children)) {
        native_fail_argument(ev, "first", "SVGElemToString",
                             "record whose children are a sequence or a function", elem);
    }
    size_t n = fcn_size(ctx, children);
    for (size_t i = 0; i < n; i++) {
        put_element(ev, out, fcn_value(ctx, children, i), depth + 1);
    }
    native_text_adds(out, "</");
    native_text_addstr(out, name);
    native_text_addc(out, '>');
}

struct val native_svg_elem_to_string(struct ev *ev, const struct val *args)
{
    struct text out;
    native_text_init(&out, ev);
    put_element(ev, &out, args[0], 0);
    return native_text_val(&out, ev);
}
