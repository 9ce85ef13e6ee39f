/* Comparing: what every observation of the mapping gives now, and whether it is what the
 * specification says. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "conform/conform_int.h"
#include "decode/decode.h"
#include "map/map.h"
#include "model/model.h"
#include "value/value.h"
#include "world/world.h"

enum { DIFFERENCES = 6 };

struct val *observed_at(const struct conform *c, struct val *observed, size_t observe, size_t node)
{
    return &observed[observe * (c->who.n_nodes + 1) + node];
}

/* ---- logs ---- */

/* Looks at lines that came since it last looked. */
static void scan_log(struct conform *c, size_t observe, uint32_t node)
{
    struct seen_log *seen = &c->see.logs[observe * c->cluster->n_nodes + node];
    const struct output *out = &c->run.output[node];
    if (seen->start != out->start || seen->scanned < out->start) {
        seen->start = out->start;
        seen->scanned = out->start;
        seen->found = false;
        VEC_RESET(&seen->all);
    }
    while (seen->scanned < out->text.n) {
        const char *begin = out->text.p + seen->scanned;
        const char *end = memchr(begin, '\n', out->text.n - seen->scanned);
        if (end == NULL) {
            return; /* the line goes on */
        }
        struct str line = {begin, (size_t)(end - begin)};
        if (decode_matches(c->see.decode, observe, line)) {
            seen->found = true;
            seen->begin = seen->scanned;
            seen->end = seen->scanned + line.n;
            VEC_PUSH(&seen->all, seen->begin);
            VEC_PUSH(&seen->all, seen->end);
        }
        seen->scanned += line.n + 1;
    }
}

struct sequence {
    struct val *v;
    size_t n;
    struct val ret;
};

static void run_sequence(struct vctx *ctx, void *arg)
{
    struct sequence *s = arg;
    s->ret = tuple_make(ctx, s->v, s->n);
}

static int log_lines(struct conform *c, size_t observe, uint32_t node, struct val *ret)
{
    const struct map_observe *o = &c->map->observes[observe];
    const struct seen_log *seen = &c->see.logs[observe * c->cluster->n_nodes + node];
    const char *text = c->run.output[node].text.p;
    SCOPED_STRBUF why = {0};
    size_t cap = 0, n = seen->all.n / 2;
    struct sequence s = {.v = vec_grow(NULL, &cap, n + 1, sizeof(struct val)), .n = n};
    int status = 0;
    for (size_t i = 0; status == 0 && i < n; i++) {
        size_t begin = seen->all.v[2 * i], end = seen->all.v[2 * i + 1];
        status = decode_value(c->see.decode, &o->decode, observe,
                              (struct str){text + begin, end - begin}, &s.v[i], &why, c->err);
    }
    status = status != 0 ? status : run_values(c, run_sequence, &s);
    vec_release(s.v);
    *ret = s.ret;
    return status == 1 ? mapping_error(c, o->at_begin, o->at_end, "a line does not fit: %s",
                                       strbuf_cstr(&why))
                       : status;
}

/* The end of what a node has printed since its start, for people. */
static struct str last_lines(const struct conform *c, uint32_t node)
{
    const struct output *out = &c->run.output[node];
    size_t begin = out->text.n - out->start > 200 ? out->text.n - 200 : out->start;
    return (struct str){out->text.p + begin, out->text.n - begin};
}

static int log_value(struct conform *c, size_t observe, uint32_t node, struct val *ret)
{
    const struct map_observe *o = &c->map->observes[observe];
    const struct seen_log *seen = &c->see.logs[observe * c->cluster->n_nodes + node];
    SCOPED_STRBUF why = {0};
    scan_log(c, observe, node);
    size_t printed = c->run.output[node].text.n - c->run.output[node].start;
    if (o->all) {
        tell_how(c, "%zu lines match '%.*s'", seen->all.n / 2, STR_ARG(o->text));
        return log_lines(c, observe, node, ret);
    }
    if (!seen->found) {
        tell_how(c, "no line matches '%.*s' of the %zu bytes that it has printed since its start",
                 STR_ARG(o->text), printed);
        tell_text(c, "they end with", last_lines(c, node));
        return 0;
    }
    struct str line = {c->run.output[node].text.p + seen->begin, seen->end - seen->begin};
    tell_text(c, "the last line that matches", line);
    int status = decode_value(c->see.decode, &o->decode, observe, line, ret, &why, c->err);
    return status == 1 ? mapping_error(c, o->at_begin, o->at_end, "'%.*s': %s", STR_ARG(line),
                                       strbuf_cstr(&why))
                       : status;
}

/* The last line of the text that matches; false: none does. */
static bool last_match(const struct conform *c, size_t observe, struct str text, struct str *ret)
{
    bool any = false;
    while (text.n != 0) {
        const char *end = memchr(text.p, '\n', text.n);
        struct str line = {text.p, end != NULL ? (size_t)(end - text.p) : text.n};
        if (end != NULL && decode_matches(c->see.decode, observe, line)) {
            *ret = line;
            any = true;
        }
        text.p += line.n + (end != NULL ? 1 : 0);
        text.n -= line.n + (end != NULL ? 1 : 0);
    }
    return any;
}

/* What the client commands have printed, in the order in which they were begun. */
static int clients_value(struct conform *c, size_t observe, struct val *ret)
{
    const struct map_observe *o = &c->map->observes[observe];
    SCOPED_STRBUF why = {0};
    size_t cap = 0, n = c->run.commands.n;
    struct sequence s = {.v = vec_grow(NULL, &cap, n + 1, sizeof(struct val)), .n = n};
    const struct val self[2] = {c->who.nodes[0].value, c->who.node_list};
    int status = 0;
    for (size_t i = 0; status == 0 && i < n; i++) {
        struct str line;
        if (last_match(c, observe, client_output(c, i), &line)) {
            tell_how(c, "command %zu: '%.*s'", i + 1, STR_ARG(line));
            status = decode_value(c->see.decode, &o->decode, observe, line, &s.v[i], &why, c->err);
            continue;
        }
        tell_text(c, "a command that has printed no line that matches", client_output(c, i));
        if (map_apply(c->spec.after, o->initial, self, &s.v[i]) != MODEL_OK) {
            status = evaluation_error(c, c->spec.after, o->initial->begin,
                                      o->initial->begin + o->initial->text.n);
        }
    }
    status = status != 0 ? status : run_values(c, run_sequence, &s);
    vec_release(s.v);
    *ret = s.ret;
    return status == 1 ? mapping_error(c, o->at_begin, o->at_end, "a line does not fit: %s",
                                       strbuf_cstr(&why))
                       : status;
}

/* ---- files ---- */

static int file_value(struct conform *c, size_t observe, const struct decode_place *node,
                      struct val *ret)
{
    const struct map_observe *o = &c->map->observes[observe];
    struct arena arena;
    struct str text;
    struct err err;
    SCOPED_STRBUF why = {0};
    arena_init(&arena, 0);
    const char *path = arena_strndup(&arena, o->text.p, o->text.n);
    int status = world_read_file(c->run.world, node->index, path, &arena, &text, &err);
    if (status != 0) {
        tell_how(c, "file %s of node %s: %s", path, node->name, err.text);
        arena_done(&arena);
        return err.code == ERR_NOT_FOUND ? 0
                                         : mapping_error(c, o->at_begin, o->at_end, "%s", err.text);
    }
    tell_how(c, "file %s of node %s, %zu bytes", path, node->name, text.n);
    tell_text(c, "it begins with", text);
    status = decode_value(c->see.decode, &o->decode, observe, text, ret, &why, c->err);
    arena_done(&arena);
    return status == 1 ? mapping_error(c, o->at_begin, o->at_end, "file %.*s of node %s: %s",
                                       STR_ARG(o->text), node->name, strbuf_cstr(&why))
                       : status;
}

/* ---- conversions ---- */

struct naming {
    struct conform *c;
    const struct map_observe *o;
    struct val value;
    bool unknown; /* no entry for it: `text` */
    const char *text;
};

static struct val rename_value(struct vctx *ctx, struct naming *n, struct val v)
{
    if (val_is_kind(v, VK_TUPLE)) {
        const struct vobj *seq = val_obj(v);
        struct val *elems = arena_alloc(ctx->arena, (seq->n + 1) * sizeof *elems);
        for (uint32_t i = 0; i < seq->n; i++) {
            elems[i] = rename_value(ctx, n, seq->v[i]);
        }
        return tuple_make(ctx, elems, seq->n);
    }
    if (!val_is_str(v) && !val_is_int(v)) {
        return v;
    }
    struct str text = val_is_str(v) ? val_str_text(ctx, v) : str_of(val_line(ctx, v));
    for (size_t i = 0; i < n->o->n_enums; i++) {
        struct val to;
        if (str_eq(n->o->enums[i].name, text)) {
            return map_apply(n->c->spec.after, n->o->enums[i].value, NULL, &to) == MODEL_OK ? to
                                                                                            : v;
        }
    }
    n->unknown = true;
    n->text = arena_strndup(ctx->arena, text.p, text.n);
    return v;
}

static void run_rename(struct vctx *ctx, void *arg)
{
    struct naming *n = arg;
    struct val to = rename_value(ctx, n, n->value);
    n->value = n->unknown ? n->value : to;
}

struct gathering {
    struct conform *c;
    struct val *observed;
    size_t observe, node;
    struct strbuf *out; /* NULL: into ret */
    struct val ret;
};

/* What the first observations of the file saw, as a record: `obs`. */
static void run_gather(struct vctx *ctx, void *arg)
{
    struct gathering *g = arg;
    const struct map *map = g->c->map;
    struct val *names = arena_alloc(ctx->arena, (map->n_observes + 1) * sizeof *names);
    struct val *vals = arena_alloc(ctx->arena, (map->n_observes + 1) * sizeof *vals);
    size_t n = 0;
    for (size_t i = 0; i < g->observe; i++) {
        struct val v = *observed_at(g->c, g->observed, i, map->observes[i].per_node ? g->node : 0);
        if (!val_is_undef(v)) {
            names[n] = val_str(ctx, map->observes[i].name);
            vals[n++] = v;
        }
    }
    g->ret = record_make(ctx, names, vals, n);
    if (g->out != NULL) {
        val_encode(ctx, g->ret, g->out);
    }
}

/* ---- what was before ---- */

struct recalling {
    const struct strbuf *from;
    struct val ret;
    bool good;
};

static void run_recall(struct vctx *ctx, void *arg)
{
    struct recalling *r = arg;
    const uint8_t *at = (const uint8_t *)r->from->p;
    r->good = val_decode(ctx, &at, at + r->from->n, &r->ret);
}

/* Keeps all that was observed for `before` of the next state: for each node that is up, and, behind
 * the nodes, for what is observed once for all. */
static int keep_past(struct conform *c, struct val *observed)
{
    int status = 0;
    for (size_t k = 0; status == 0 && k <= c->who.n_nodes; k++) {
        bool global = k == c->who.n_nodes;
        if (!global && !node_is_up(c, c->who.nodes[k].index)) {
            continue; /* what was seen of it last stays */
        }
        struct gathering g = {
            c, observed, c->map->n_observes, global ? 0 : k, &c->see.past[k], VAL_UNDEF};
        strbuf_reset(&c->see.past[k]);
        status = run_values(c, run_gather, &g);
    }
    return status;
}

static int initial_value(struct conform *c, const struct map_observe *o,
                         const struct decode_place *node, struct val *ret)
{
    struct val self[2] = {node->value, c->who.node_list};
    return map_apply(c->spec.after, o->initial, self, ret) == MODEL_OK
               ? 0
               : evaluation_error(c, c->spec.after, o->initial->begin,
                                  o->initial->begin + o->initial->text.n);
}

/* `as` cannot be evaluated: perhaps because something in `obs` has no value. */
static int as_error(struct conform *c, struct val *observed, size_t observe, size_t node)
{
    const struct map *map = c->map;
    const struct map_expr *as = map->observes[observe].as;
    SCOPED_STRBUF missing = {0};
    for (size_t i = 0; map_uses(as, MAP_VALUE_OBS) && i < observe; i++) {
        const struct map_observe *o = &map->observes[i];
        if (val_is_undef(*observed_at(c, observed, i, o->per_node ? node : 0))) {
            strbuf_printf(&missing, "%s%.*s (%s)", missing.n == 0 ? "" : ", ", STR_ARG(o->name),
                          o->source == FROM_FILE  ? "there is no such file"
                          : o->source == FROM_LOG ? "no line has matched"
                                                  : "it has no value");
        }
    }
    if (missing.n != 0) {
        return mapping_error(c, as->begin, as->begin + as->text.n,
                             "this cannot be evaluated; at node %s obs does not have %s",
                             c->who.nodes[node].name, strbuf_cstr(&missing));
    }
    return evaluation_error(c, c->spec.after, as->begin, as->begin + as->text.n);
}

/* The value of `as`. */
static int convert_as(struct conform *c, struct val *observed, size_t observe, size_t node,
                      struct val *value)
{
    const struct map_observe *o = &c->map->observes[observe];
    struct val offered[5] = {*value, c->who.nodes[node].value, VAL_UNDEF, c->who.node_list,
                             VAL_UNDEF};
    int status = 0;
    if (map_uses(o->as, MAP_VALUE_BEFORE)) {
        struct recalling r = {.from = &c->see.past[o->per_node ? node : c->who.n_nodes]};
        if (r.from->n == 0) {
            return initial_value(c, o, &c->who.nodes[node], value);
        }
        status = run_values(c, run_recall, &r);
        ASSERT(status != 0 || r.good);
        offered[MAP_VALUE_BEFORE] = r.ret;
        tell_value(c, "before", r.ret);
    }
    if (status == 0 && map_uses(o->as, MAP_VALUE_OBS)) {
        struct gathering g = {c, observed, observe, node, NULL, VAL_UNDEF};
        status = run_values(c, run_gather, &g);
        offered[MAP_VALUE_OBS] = g.ret;
        tell_value(c, "obs", g.ret);
    }
    tell_text(c, "as", o->as->text);
    if (status == 0 && map_apply(c->spec.after, o->as, offered, value) != MODEL_OK) {
        status = as_error(c, observed, observe, node);
    }
    return status;
}

static int convert(struct conform *c, struct val *observed, size_t observe, size_t node,
                   struct val *value)
{
    const struct map_observe *o = &c->map->observes[observe];
    if (o->n_enums != 0 && !val_is_undef(*value)) {
        struct naming n = {.c = c, .o = o, .value = *value};
        int status = run_values(c, run_rename, &n);
        if (status != 0) {
            return status;
        }
        if (n.unknown) {
            return mapping_error(c, o->begin, o->end,
                                 "enum has no entry for %s, which was observed", n.text);
        }
        *value = n.value;
        tell_value(c, "enum", *value);
    }
    bool none = o->as == NULL || (val_is_undef(*value) && map_uses(o->as, MAP_VALUE_VALUE));
    return none ? 0 : convert_as(c, observed, observe, node, value);
}

static int raw_value(struct conform *c, size_t observe, const struct decode_place *node,
                     struct val *ret)
{
    const struct map_observe *o = &c->map->observes[observe];
    int status = 0;
    *ret = VAL_UNDEF;
    switch (o->source) {
    case FROM_NOTHING: break;
    case FROM_MEMORY: status = memory_value(c, observe, node->index, ret); break;
    case FROM_LOG:
        status =
            o->clients ? clients_value(c, observe, ret) : log_value(c, observe, node->index, ret);
        break;
    case FROM_FILE: status = file_value(c, observe, node, ret); break;
    case FROM_QUERY: status = query_value(c, observe, node, ret); break;
    case FROM_ENGINE: status = network_value(c, o->engine, ret); break;
    }
    if (status == 0 && !val_is_undef(*ret)) {
        c->see.seen[observe]++;
    }
    if (status == 0 && val_is_undef(*ret) && o->initial != NULL && o->source != FROM_NOTHING) {
        status = initial_value(c, o, node, ret);
        return status != 0 ? status : 2; /* no conversion */
    }
    return status;
}

static bool applies(const struct conform *c, const struct map_observe *o,
                    const struct decode_place *node)
{
    if (!node_is_up(c, node->index)) {
        return false;
    }
    for (size_t i = 0; o->nodes != NULL && o->nodes[i] != NULL; i++) {
        if (strcmp(o->nodes[i], node->name) == 0) {
            return true;
        }
    }
    return o->nodes == NULL;
}

/* ---- comparing ---- */

struct comparing {
    struct conform *c;
    const struct map_observe *o;
    struct str name;
    size_t node;
    struct val spec, real;
    bool has_spec, elsewhere; /* the variable has no value for the node */
    unsigned differ;          /* enum difference */
    struct strbuf *out;
};

/* What the specification says, unless an expression has told: the variable, at the node. */
static void run_compare(struct vctx *ctx, void *arg)
{
    struct comparing *x = arg;
    const struct conform *c = x->c;
    struct mvalues values;
    SCOPED_STRBUF lines = {0};
    if (!x->has_spec && c->spec.model->ops->values(c->spec.after, false, &values) == MODEL_OK) {
        for (uint32_t i = 0; i < values.n; i++) {
            if (str_is(x->name, values.names[i])) {
                x->spec = values.vals[i];
                x->has_spec = true;
            }
        }
        if (x->has_spec && x->o != NULL && x->o->per_node) {
            struct val all = x->spec;
            if (!val_is_fcn(all) || !fcn_try(ctx, all, c->who.nodes[x->node].value, &x->spec)) {
                x->elsewhere = true;
                return;
            }
        }
    }
    tell_how(x->c, "the specification says %s", val_line(ctx, x->spec));
    x->differ = value_diff(ctx, x->spec, x->real, &lines, DIFFERENCES);
    if (x->differ == 0) {
        return;
    }
    if (x->o != NULL && x->o->per_node) {
        strbuf_printf(x->out, "%.*s at node %s\n", STR_ARG(x->name), c->who.nodes[x->node].name);
    } else {
        strbuf_printf(x->out, "%.*s\n", STR_ARG(x->name));
    }
    strbuf_printf(x->out, "    specification:  %s\n    implementation: %s\n",
                  val_line(ctx, x->spec), val_line(ctx, x->real));
    if (val_is_obj(x->spec) && val_is_obj(x->real)) {
        const char *at = strbuf_cstr(&lines);
        while (*at != '\0') {
            size_t n = strcspn(at, "\n");
            strbuf_printf(x->out, "    %.*s\n", (int)n, at);
            at += n + (at[n] == '\n' ? 1 : 0);
        }
    }
}

static int compare_one(struct conform *c, const struct map_observe *o, size_t node, struct val real,
                       struct strbuf *out, unsigned *ret_differ)
{
    struct comparing x = {.c = c, .o = o, .name = o->name, .node = node, .real = real, .out = out};
    if (o->spec != NULL) {
        struct val self[2] = {c->who.nodes[node].value, c->who.node_list};
        if (map_apply(c->spec.after, o->spec, self, &x.spec) != MODEL_OK) {
            return evaluation_error(c, c->spec.after, o->spec->begin,
                                    o->spec->begin + o->spec->text.n);
        }
        x.has_spec = true;
    }
    int status = run_values(c, run_compare, &x);
    *ret_differ = x.differ;
    if (status == 0 && x.elsewhere) {
        return mapping_error(
            c, o->at_begin, o->at_end,
            "`%.*s' has no value for node %s in the specification: say which nodes "
            "it is about, nodes = [\"...\"], or with spec = \"%.*s\" that it is one "
            "value",
            STR_ARG(o->name), c->who.nodes[node].name, STR_ARG(o->name));
    }
    return status;
}

struct outcome {
    struct strbuf text;
    struct str first;     /* what differs first */
    bool messages;        /* nothing but messages on their way differs, */
    unsigned differences; /* in these ways */
};

static void note(struct outcome *x, struct str name, bool messages, unsigned differ)
{
    x->messages = x->first.n == 0 ? messages : x->messages && messages;
    x->first = x->first.n == 0 ? name : x->first;
    x->differences |= differ;
}

static bool shows_messages(const struct map_observe *o)
{
    return o->source == FROM_ENGINE &&
           (o->engine == ENGINE_MESSAGES || o->engine == ENGINE_PACKETS || o->engine == ENGINE_TCP);
}

static int observe_all(struct conform *c, struct val *observed, struct outcome *x)
{
    for (size_t i = 0; i < c->map->n_observes; i++) {
        const struct map_observe *o = &c->map->observes[i];
        size_t n = o->per_node ? c->who.n_nodes : 1;
        for (size_t k = 0; k < n; k++) {
            struct val *value = observed_at(c, observed, i, k);
            unsigned differ = 0;
            if (o->per_node && !applies(c, o, &c->who.nodes[k])) {
                tell_down(c, i, &c->who.nodes[k]);
                continue;
            }
            tell_about(c, i, o->per_node ? &c->who.nodes[k] : NULL);
            int status = raw_value(c, i, &c->who.nodes[k], value);
            if (status == 0) {
                status = convert(c, observed, i, k, value);
            } else if (status == 2) {
                status = 0;
                tell_how(c, "there is none yet: initial");
            }
            if (status == 0) {
                tell_value(c, "value", *value);
            }
            if (status == 0 && o->compare && !val_is_undef(*value)) {
                status = compare_one(c, o, k, *value, &x->text, &differ);
            }
            if (status != 0) {
                return status;
            }
            tell_end(c);
            if (differ != 0) {
                note(x, o->name, shows_messages(o), differ);
            }
        }
    }
    return 0;
}

/* The variable of a network module, when no table says how to observe it. */
static int observe_network(struct conform *c, struct outcome *x)
{
    struct mvalues values;
    if (!c->net.observe) {
        return 0;
    }
    if (c->spec.model->ops->values(c->spec.after, false, &values) != MODEL_OK) {
        return evaluation_error(c, c->spec.after, 0, 0);
    }
    struct comparing y = {.c = c,
                          .name = str_of(values.names[c->net.var]),
                          .spec = values.vals[c->net.var],
                          .has_spec = true,
                          .out = &x->text};
    struct str name = str_dup(&c->arena, y.name);
    y.name = name;
    tell_network(c, name);
    int status = network_value(c, c->net.udp ? ENGINE_PACKETS : ENGINE_TCP, &y.real);
    if (status == 0) {
        tell_value(c, "value", y.real);
    }
    status = status != 0 ? status : run_values(c, run_compare, &y);
    tell_end(c);
    if (status == 0 && y.differ != 0) {
        note(x, name, true, y.differ);
    }
    return status;
}

int compare_state(struct conform *c)
{
    size_t cap = 0, n = c->map->n_observes * (c->who.n_nodes + 1);
    struct val *observed = vec_grow(NULL, &cap, n + 1, sizeof *observed);
    struct outcome x = {0};
    tell_begin(c);
    for (size_t i = 0; i < n; i++) {
        observed[i] = VAL_UNDEF;
    }
    int status = observe_all(c, observed, &x);
    status = status != 0 ? status : observe_network(c, &x);
    if (status == 0 && x.first.n != 0) {
        bool unexpected = x.messages && (x.differences & DIFF_MORE) != 0;
        found(c, unexpected ? FINDING_UNEXPECTED : FINDING_DIFFERENCE, x.first, "%s",
              strbuf_cstr(&x.text));
        status = 1;
    }
    if (status == 0 && c->see.past != NULL) {
        status = keep_past(c, observed);
    }
    if (status == 0 && c->see.keep_state) {
        status = judge_keep(c, observed);
    }
    strbuf_done(&x.text);
    vec_release(observed);
    return status;
}
