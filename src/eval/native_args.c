/* What the native operators share: arguments and how they are refused, text and arrays in the
 * arena. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "eval/native_int.h"

/* ---- refusing ---- */

void native_fail_argument(struct ev *ev, const char *which, const char *op, const char *want,
                          struct val got)
{
    struct vctx *ctx = ev_vctx(ev);
    vctx_fail(ctx, CODE_ARGUMENT, "The %s argument of %s should be a %s, but instead it is:\n%s",
              which, op, want, val_ppr(ctx, got));
}

void native_fail_argument_an(struct ev *ev, const char *which, const char *op, const char *want,
                             struct val got)
{
    struct vctx *ctx = ev_vctx(ev);
    vctx_fail(ctx, CODE_ARGUMENT_AN,
              "The %s argument of %s should be an %s, but instead it is:\n%s", which, op, want,
              val_ppr(ctx, got));
}

void native_fail_only_argument(struct ev *ev, const char *op, const char *want, struct val got)
{
    struct vctx *ctx = ev_vctx(ev);
    vctx_fail(ctx, CODE_ONE_ARGUMENT, "The argument of %s should be a %s, but instead it is:\n%s",
              op, want, val_ppr(ctx, got));
}

void native_fail_wrong_value(struct ev *ev, const char *op, const char *want, struct val got)
{
    struct vctx *ctx = ev_vctx(ev);
    vctx_fail(ctx, CODE_WRONG_VALUE, "Applying %s to the following value,\nwhich is not %s:\n%s",
              op, want, val_ppr(ctx, got));
}

void native_fail_evaluating(struct ev *ev, const char *form, const char *want, struct val got)
{
    struct vctx *ctx = ev_vctx(ev);
    vctx_fail(ctx, CODE_EVALUATING,
              "Evaluating an expression of the form %s when s is not a %s:\n%s", form, want,
              val_ppr(ctx, got));
}

void native_fail_not_in_domain(struct ev *ev, const char *which, const char *op, const char *of,
                               struct val fcn, struct val got)
{
    struct vctx *ctx = ev_vctx(ev);
    vctx_fail(ctx, CODE_NOT_IN_DOMAIN,
              "The %s argument of %s must be in the domain of its %s argument:\n%s\n, but instead "
              "it is\n%s",
              which, op, of, val_ppr(ctx, fcn), val_ppr(ctx, got));
}

void native_fail_domain(struct ev *ev, struct val got)
{
    vctx_fail(ev_vctx(ev), 0, "Attempted to apply the operator DOMAIN to a non-function\n(%s)",
              val_kind_text(got));
}

void native_need_exec(struct ev *ev, const char *op)
{
    if (!ev_may_exec(ev)) {
        native_fail_outside(ev, op,
                            "--no-exec: a specification must not run programs or write files");
    }
}

void native_fail_outside(struct ev *ev, const char *op, const char *fmt, ...)
{
    struct vctx *ctx = ev_vctx(ev);
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int len = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    size_t size = len > 0 ? (size_t)len + 1 : 1;
    char *what = arena_alloc(ctx->arena, size);
    (void)vsnprintf(what, size, fmt, again);
    va_end(again);
    vctx_fail(ctx, CODE_OVERRIDE,
              "Attempted to apply the operator %s,\nbut it produced the following error:\n%s", op,
              what);
}

/* ---- arguments ---- */

const struct vobj *native_need_seq(struct ev *ev, struct val v, const char *which, const char *op)
{
    const struct vobj *seq = seq_of(ev_vctx(ev), v);
    if (seq == NULL) {
        native_fail_argument(ev, which, op, "sequence", v);
    }
    return seq;
}

const struct vobj *native_need_only_seq(struct ev *ev, struct val v, const char *op)
{
    const struct vobj *seq = seq_of(ev_vctx(ev), v);
    if (seq == NULL) {
        native_fail_only_argument(ev, op, "sequence", v);
    }
    return seq;
}

struct str native_need_string(struct ev *ev, struct val v, const char *which, const char *op)
{
    if (!val_is_str(v)) {
        native_fail_argument(ev, which, op, "string", v);
    }
    return val_str_text(ev_vctx(ev), v);
}

const char *native_need_path(struct ev *ev, struct val v, const char *which, const char *op)
{
    struct str text = native_need_string(ev, v, which, op);
    if (memchr(text.p, 0, text.n) != NULL) {
        native_fail_outside(ev, op, "the file name contains a NUL character");
    }
    return arena_strndup(ev_vctx(ev)->arena, text.p, text.n);
}

struct val native_need_int(struct ev *ev, struct val v, const char *which, const char *op)
{
    if (!val_is_int(v)) {
        native_fail_argument_an(ev, which, op, "integer", v);
    }
    return v;
}

bool native_need_bool(struct ev *ev, struct val v, const char *which, const char *op)
{
    if (!val_is_bool(v)) {
        native_fail_argument(ev, which, op, "Boolean", v);
    }
    return val_same(v, VAL_TRUE);
}

const struct vobj *native_need_set(struct ev *ev, struct val v, const char *which, const char *op)
{
    struct val set;
    if (!native_as_set(ev, v, &set)) {
        native_fail_argument(ev, which, op, "set", v);
    }
    return val_obj(set);
}

bool native_as_set(struct ev *ev, struct val v, struct val *ret)
{
    if (!val_is_set(v) || !set_is_enumerable(v)) {
        return false;
    }
    *ret = set_force(ev_vctx(ev), v);
    return true;
}

bool native_as_fcn(struct ev *ev, struct val v, struct val *ret)
{
    if (!val_is_fcn(v)) {
        return false;
    }
    *ret = fcn_force(ev_vctx(ev), v);
    return true;
}

bool native_as_record(struct ev *ev, struct val v, struct val *ret)
{
    return native_as_fcn(ev, v, ret) &&
           (val_is_kind(*ret, VK_RECORD) || fcn_size(ev_vctx(ev), *ret) == 0);
}

/* By text, so that asking for a name makes no string. */
bool native_field(struct ev *ev, struct val record, const char *name, struct val *ret)
{
    if (!val_is_kind(record, VK_RECORD)) {
        return false;
    }
    const struct vobj *obj = val_obj(record);
    for (uint32_t i = 0; i < obj->n; i++) {
        if (str_is(val_str_text(ev_vctx(ev), obj->v[i]), name)) {
            *ret = obj->v[obj->n + i];
            return true;
        }
    }
    return false;
}

struct val native_pair_xy(struct ev *ev, int64_t x, int64_t y)
{
    struct vctx *ctx = ev_vctx(ev);
    const struct val names[2] = {val_str(ctx, STR("x")), val_str(ctx, STR("y"))};
    const struct val values[2] = {val_int(ctx, x), val_int(ctx, y)};
    return record_make(ctx, names, values, 2);
}

struct val native_call1(struct ev *ev, struct val oper, struct val a)
{
    return ev_call(ev, oper, &a, 1);
}

struct val native_call2(struct ev *ev, struct val oper, struct val a, struct val b)
{
    const struct val args[2] = {a, b};
    return ev_call(ev, oper, args, 2);
}

/* ---- text ---- */

void native_text_init(struct text *text, struct ev *ev)
{
    *text = (struct text){.arena = ev_vctx(ev)->arena};
}

void native_text_add(struct text *text, const char *p, size_t n)
{
    if (text->cap - text->n <= n) {
        size_t cap = (text->n + n + 64) * 2;
        char *grown = arena_alloc(text->arena, cap);
        if (text->n > 0) {
            memcpy(grown, text->p, text->n);
        }
        text->p = grown;
        text->cap = cap;
    }
    if (n > 0) {
        memcpy(text->p + text->n, p, n);
        text->n += n;
    }
}

void native_text_adds(struct text *text, const char *s)
{
    native_text_add(text, s, strlen(s));
}

void native_text_addstr(struct text *text, struct str s)
{
    native_text_add(text, s.p, s.n);
}

void native_text_addc(struct text *text, char c)
{
    native_text_add(text, &c, 1);
}

void native_text_addval(struct text *text, struct ev *ev, struct val v)
{
    struct strbuf out = {.arena = ev_vctx(ev)->arena};
    val_print(ev_vctx(ev), v, &out);
    native_text_addstr(text, strbuf_str(&out));
}

const char *native_text_cstr(struct text *text)
{
    native_text_add(text, "", 0);
    text->p[text->n] = '\0';
    return text->p;
}

struct val native_text_val(struct text *text, struct ev *ev)
{
    return val_str(ev_vctx(ev), native_text_str(text));
}

struct str native_unquoted(struct ev *ev, struct val v)
{
    if (val_is_str(v)) {
        return val_str_text(ev_vctx(ev), v);
    }
    struct text text;
    native_text_init(&text, ev);
    native_text_addval(&text, ev, v);
    return native_text_str(&text);
}

/* Appends `s` in a field of `width` (negative: to the left). */
static void format_field(struct text *out, struct str s, int width)
{
    size_t want = (size_t)(width < 0 ? -width : width);
    for (size_t i = s.n; width > 0 && i < want; i++) {
        native_text_addc(out, ' ');
    }
    native_text_addstr(out, s);
    for (size_t i = s.n; width < 0 && i < want; i++) {
        native_text_addc(out, ' ');
    }
}

static size_t format_number(struct str t, size_t at, unsigned *ret)
{
    *ret = 0;
    while (at < t.n && t.p[at] >= '0' && t.p[at] <= '9' && *ret < 10000) {
        *ret = *ret * 10 + (unsigned)(t.p[at++] - '0');
    }
    return at;
}

struct str native_format_template(struct ev *ev, const char *op, struct str template,
                                  const struct str *params, size_t n)
{
    struct text out;
    native_text_init(&out, ev);
    size_t next = 0;
    for (size_t i = 0; i < template.n; i++) {
        if (template.p[i] != '%') {
            native_text_addc(&out, template.p[i]);
            continue;
        }
        size_t at = i + 1;
        unsigned number = 0, width = 0;
        bool left = false;
        size_t after = format_number(template, at, &number);
        if (after > at && after < template.n && template.p[after] == '$') {
            at = after + 1;
        } else {
            number = 0;
        }
        if (at < template.n && template.p[at] == '-') {
            left = true;
            at++;
        }
        at = format_number(template, at, &width);
        char conversion = '\0';
        if (at < template.n) {
            conversion = template.p[at];
        }
        i = at;
        if (conversion == 'n' || conversion == '%') {
            native_text_addc(&out, conversion == 'n' ? '\n' : '%');
            continue;
        }
        size_t index = number > 0 ? number - 1 : next++;
        if (conversion != 's' && conversion != 'd' && conversion != 'S') {
            native_fail_outside(ev, op, "the template has an unknown conversion: %.*s",
                                STR_ARG(template));
        }
        if (index >= n) {
            native_fail_outside(ev, op, "the template asks for a parameter that is not there: %.*s",
                                STR_ARG(template));
        }
        format_field(&out, params[index], left ? -(int)width : (int)width);
    }
    return native_text_str(&out);
}

/* ---- arrays ---- */

void native_vals_init(struct vals *vals, struct ev *ev, size_t cap)
{
    *vals = (struct vals){.arena = ev_vctx(ev)->arena, .cap = cap};
    vals->v = arena_alloc(vals->arena, (cap > 0 ? cap : 1) * sizeof *vals->v);
}

void native_push(struct vals *vals, struct val v)
{
    if (vals->n == vals->cap) {
        size_t cap = vals->cap * 2 + 8;
        struct val *grown = arena_alloc(vals->arena, cap * sizeof *grown);
        memcpy(grown, vals->v, vals->n * sizeof *grown);
        vals->v = grown;
        vals->cap = cap;
    }
    vals->v[vals->n++] = v;
}
