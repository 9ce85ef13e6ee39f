/* How a value comes about, step by step: conform_explain. Whoever makes a value says what it does;
 * it is written down only while the value is one that was asked about. Each comparison begins anew,
 * so that what there is at the end is about the last state, or ends where something failed. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/near.h"
#include "base/str.h"
#include "conform/conform.h"
#include "conform/conform_int.h"
#include "dwarf/dwarf.h"
#include "map/map.h"
#include "model/model.h"
#include "value/value.h"

enum { TEXT_MOST = 300 };

/* Marks an observation, and those above it that its `as` takes from obs or before. */
static void mark(struct conform *c, size_t observe)
{
    const struct map_expr *as = c->map->observes[observe].as;
    c->why.of[observe] = true;
    for (size_t i = 0; as != NULL && i < observe; i++) {
        struct str name = c->map->observes[i].name;
        const char *at = memmem(as->text.p, as->text.n, "obs.", 4);
        for (; at != NULL && !c->why.of[i];) {
            size_t left = as->text.n - (size_t)(at + 4 - as->text.p);
            if (left >= name.n && memcmp(at + 4, name.p, name.n) == 0) {
                mark(c, i);
            }
            at = memmem(at + 4, left, "obs.", 4);
        }
    }
}

static int no_such(const struct conform *c, const char *variable, struct err *err)
{
    SCOPED_STRBUF hint = {0};
    struct near near = near_to(str_of(variable));
    for (size_t i = 0; i < c->map->n_observes; i++) {
        near_try(&near, c->map->observes[i].name);
    }
    near_add(&near, &hint, "; did you mean ", "?");
    for (size_t i = 0; i < c->map->n_auxiliary; i++) {
        if (str_is(c->map->auxiliary[i].name, variable)) {
            return err_set(err, ERR_NOT_FOUND, 0,
                           "%s is auxiliary: it is not observed, and compared with nothing",
                           variable);
        }
    }
    return err_set(err, ERR_NOT_FOUND, 0, "there is no [observe.%s]%s", variable,
                   strbuf_cstr(&hint));
}

int conform_explain(struct conform *c, const char *variable, struct strbuf *out, struct err *err)
{
    bool any = false;
    c->why.text = NULL;
    if (out == NULL) {
        return 0;
    }
    c->why.of = ARENA_ARRAY(&c->arena, bool, c->map->n_observes + 1);
    for (size_t i = 0; i < c->map->n_observes; i++) {
        if (str_is(c->map->observes[i].name, variable)) {
            mark(c, i);
            any = true;
        }
    }
    struct mvalues values;
    c->why.net = c->net.observe &&
                 c->spec.model->ops->values(c->spec.after, false, &values) == MODEL_OK &&
                 strcmp(values.names[c->net.var], variable) == 0;
    if (!any && !c->why.net) {
        return no_such(c, variable, err);
    }
    c->why.text = out;
    return 0;
}

void tell_begin(struct conform *c)
{
    if (c->why.text != NULL) {
        strbuf_reset(c->why.text);
        c->why.on = false;
    }
}

void tell_about(struct conform *c, size_t observe, const struct decode_place *node)
{
    static const char *const sources[] = {
        "made from what was observed", "a variable in memory", "a log", "a file", "a query",
        "what the engine knows"};
    c->why.on = c->why.text != NULL && c->why.of[observe];
    if (c->why.on) {
        const struct map_observe *o = &c->map->observes[observe];
        strbuf_printf(c->why.text, "%.*s%s%s: %s\n", STR_ARG(o->name),
                      node != NULL ? " at node " : "", node != NULL ? node->name : "",
                      sources[o->source]);
    }
}

void tell_down(struct conform *c, size_t observe, const struct decode_place *node)
{
    if (c->why.text != NULL && !node_is_up(c, node->index)) {
        tell_about(c, observe, node);
        tell_how(c, "the node is down: it is not observed");
        tell_end(c);
    }
}

void tell_network(struct conform *c, struct str variable)
{
    c->why.on = c->why.text != NULL && c->why.net;
    if (c->why.on) {
        strbuf_printf(c->why.text, "%.*s: messages on their way, read by [[message]]\n",
                      STR_ARG(variable));
    }
}

void tell_end(struct conform *c)
{
    c->why.on = false;
}

bool tell_asked(const struct conform *c)
{
    return c->why.on;
}

void tell_how(struct conform *c, const char *fmt, ...)
{
    va_list ap;
    if (c->why.on) {
        strbuf_adds(c->why.text, "    ");
        va_start(ap, fmt);
        strbuf_vprintf(c->why.text, fmt, ap);
        va_end(ap);
        strbuf_addc(c->why.text, '\n');
    }
}

void tell_lines(struct conform *c, struct str lines)
{
    while (c->why.on && lines.n != 0) {
        const char *end = memchr(lines.p, '\n', lines.n);
        size_t n = end != NULL ? (size_t)(end - lines.p) : lines.n;
        tell_how(c, "  %.*s", (int)n, lines.p);
        n += end != NULL ? 1 : 0;
        lines.p += n;
        lines.n -= n;
    }
}

void tell_text(struct conform *c, const char *what, struct str text)
{
    SCOPED_STRBUF out = {0};
    if (!c->why.on) {
        return;
    }
    for (size_t i = 0; i < text.n && i < TEXT_MOST; i++) {
        char byte = text.p[i];
        if (byte == '\n') {
            strbuf_adds(&out, i + 1 < text.n ? "\\n" : "");
        } else if ((byte >= 0 && byte < ' ') || byte == 127) {
            strbuf_printf(&out, "\\x%02x", (unsigned)(unsigned char)byte);
        } else {
            strbuf_addc(&out, byte);
        }
    }
    tell_how(c, "%s: %s%s", what, strbuf_cstr(&out), text.n > TEXT_MOST ? " ..." : "");
}

struct telling {
    struct conform *c;
    const char *what;
    struct val value;
};

static void run_tell(struct vctx *ctx, void *arg)
{
    struct telling *t = arg;
    tell_how(t->c, "%s: %s", t->what,
             val_is_undef(t->value) ? "there is none, and nothing is compared"
                                    : val_line(ctx, t->value));
}

void tell_value(struct conform *c, const char *what, struct val value)
{
    struct telling t = {c, what, value};
    if (c->why.on && run_values(c, run_tell, &t) != 0) {
        tell_how(c, "%s: it cannot be printed", what);
    }
}

void tell_memory(struct conform *c, const struct dwarf_value *value)
{
    SCOPED_STRBUF out = {0};
    if (c->why.on) {
        dwarf_value_print(&out, value);
        tell_text(c, "read", strbuf_str(&out));
    }
}
