/* From text and bytes to values: regular expressions, JSON, binary layouts. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "decode/decode.h"

#include <pcre2.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "decode/decode_int.h"
#include "eval/eval.h"
#include "map/map.h"
#include "model/model.h"
#include "trace/trace.h"
#include "value/value.h"

__attribute__((format(printf, 2, 3))) static void tell_how(const struct decode *d, const char *fmt,
                                                           ...)
{
    va_list ap;
    if (d->o.tell != NULL) {
        va_start(ap, fmt);
        d->o.tell(d->o.tell_arg, fmt, ap);
        va_end(ap);
    }
}

/* ---- regular expressions ---- */

struct pattern {
    pcre2_code *code;
    pcre2_match_data *data;
    uint32_t n_names, name_size;
    const unsigned char *names; /* each: number of the group in two bytes, then the name */
    bool single;                /* one group, called value */
};

/* plain: what it matches has no parts, since `as` needs none. */
static int pattern_new(struct decode *c, const struct map_decode *decode, bool plain,
                       struct pattern **ret)
{
    int code = 0;
    size_t at = 0, cap = 0;
    pcre2_code *re =
        pcre2_compile((PCRE2_SPTR)decode->match.p, decode->match.n, PCRE2_DOTALL, &code, &at, NULL);
    if (re == NULL) {
        unsigned char text[200];
        (void)pcre2_get_error_message(code, text, sizeof text);
        return map_error(c->o.map, c->err, decode->match_begin + at, decode->match_begin + at + 1,
                         "the regular expression is wrong here: %s", (const char *)text);
    }
    struct pattern *p = vec_grow(NULL, &cap, 1, sizeof *p);
    *p = (struct pattern){.code = re, .data = pcre2_match_data_create_from_pattern(re, NULL)};
    (void)pcre2_jit_compile(re, PCRE2_JIT_COMPLETE); /* slower, not wrong, without */
    (void)pcre2_pattern_info(re, PCRE2_INFO_NAMECOUNT, &p->n_names);
    (void)pcre2_pattern_info(re, PCRE2_INFO_NAMEENTRYSIZE, &p->name_size);
    (void)pcre2_pattern_info(re, PCRE2_INFO_NAMETABLE, (void *)&p->names);
    p->single = p->n_names == 1 && strcmp((const char *)p->names + 2, "value") == 0;
    *ret = p;
    if (p->n_names == 0 && !plain) {
        return map_error(c->o.map, c->err, decode->match_begin,
                         decode->match_begin + decode->match.n,
                         "the regular expression has no named group: (?<%s>...)", "value");
    }
    return 0;
}

static int patterns_compile(struct decode *c)
{
    const struct map *map = c->o.map;
    size_t n = map->n_observes + map->n_messages;
    int status = 0;
    c->patterns = ARENA_ARRAY(&c->arena, struct pattern *, n + 1);
    for (size_t i = 0; status == 0 && i < n; i++) {
        const struct map_decode *decode = i < map->n_observes
                                              ? &map->observes[i].decode
                                              : &map->messages[i - map->n_observes].decode;
        const struct map_expr *as =
            i < map->n_observes ? NULL : map->messages[i - map->n_observes].as;
        if (decode->format == FORMAT_MATCH) {
            bool plain = as != NULL && !map_uses(as, MAP_VALUE_VALUE);
            status = pattern_new(c, decode, plain, &c->patterns[i]);
        }
    }
    return status;
}

static void patterns_free(struct decode *c)
{
    size_t n = c->o.map->n_observes + c->o.map->n_messages;
    for (size_t i = 0; c->patterns != NULL && i < n; i++) {
        if (c->patterns[i] != NULL) {
            pcre2_match_data_free(c->patterns[i]->data);
            pcre2_code_free(c->patterns[i]->code);
            vec_release(c->patterns[i]);
        }
    }
}

static bool pattern_matches(const struct pattern *p, struct str text)
{
    return pcre2_match(p->code, (PCRE2_SPTR)text.p, text.n, 0, 0, p->data, NULL) > 0;
}

/* ---- text ---- */

struct decoding {
    const struct decode *c;
    const struct map_decode *decode;
    const struct pattern *pattern;
    struct str bytes;
    struct val ret;
    bool good;
    struct strbuf *why;
};

static const struct decode_node *node_by_name(const struct decode *d, struct str name)
{
    for (size_t i = 0; i < d->o.n_nodes; i++) {
        if (str_is(name, d->o.nodes[i].name)) {
            return &d->o.nodes[i];
        }
    }
    return NULL;
}

static bool typed(struct vctx *ctx, struct decoding *d, enum map_type type, struct str text,
                  struct val *ret)
{
    const struct decode_node *node = NULL;
    struct err err;
    bool yes = str_is(text, "true") || str_is(text, "TRUE") || str_is(text, "1");
    bool no = str_is(text, "false") || str_is(text, "FALSE") || str_is(text, "0");
    switch (type) {
    case TYPE_INT:
    case TYPE_AUTO:
        if (int_parse(ctx, text, 10, ret)) {
            return true;
        }
        if (type == TYPE_AUTO) {
            *ret = val_str(ctx, text);
            return true;
        }
        strbuf_printf(d->why, "'%.*s' is no whole number", STR_ARG(text));
        return false;
    case TYPE_STRING: *ret = val_str(ctx, text); return true;
    case TYPE_BOOL:
        *ret = val_bool(yes);
        if (!yes && !no) {
            strbuf_printf(d->why, "'%.*s' is neither true nor false", STR_ARG(text));
        }
        return yes || no;
    case TYPE_NODE:
        node = node_by_name(d->c, text);
        if (node == NULL) {
            strbuf_printf(d->why, "'%.*s' is no node", STR_ARG(text));
            return false;
        }
        *ret = node->value;
        return true;
    case TYPE_JSON:
        if (json_read_message(ctx, text, ret, &err) == 0) {
            return true;
        }
        strbuf_adds(d->why, err.text);
        return false;
    }
    return false;
}

static enum map_type group_type(const struct map_decode *decode, struct str name)
{
    for (size_t i = 0; i < decode->n_groups; i++) {
        if (str_eq(decode->groups[i].name, name)) {
            return decode->groups[i].type;
        }
    }
    return decode->type;
}

static bool groups(struct vctx *ctx, struct decoding *d)
{
    const struct pattern *p = d->pattern;
    if (!pattern_matches(p, d->bytes)) {
        strbuf_adds(d->why, "the regular expression does not match");
        return false;
    }
    const size_t *at = pcre2_get_ovector_pointer(p->data);
    struct val *names = arena_alloc(ctx->arena, (p->n_names + 1) * sizeof *names);
    struct val *vals = arena_alloc(ctx->arena, (p->n_names + 1) * sizeof *vals);
    size_t n = 0;
    for (uint32_t i = 0; i < p->n_names; i++) {
        const unsigned char *entry = p->names + (size_t)i * p->name_size;
        size_t group = (size_t)entry[0] << 8 | entry[1];
        struct str name = str_of((const char *)entry + 2);
        if (at[2 * group] == PCRE2_UNSET) {
            continue; /* took no part in the match */
        }
        struct str text = {d->bytes.p + at[2 * group], at[2 * group + 1] - at[2 * group]};
        tell_how(d->c, "group %.*s: '%.*s'", STR_ARG(name), STR_ARG(text));
        if (!typed(ctx, d, group_type(d->decode, name), text, &vals[n])) {
            return false;
        }
        names[n++] = val_str(ctx, name);
    }
    d->ret = p->single && n == 1 ? vals[0] : record_make(ctx, names, vals, n);
    return true;
}

/* ---- binary layouts ---- */

struct layout {
    struct vctx *ctx;
    const uint8_t *p, *end;
    struct strbuf *why;
    struct { /* whole numbers read so far, for counts */
        struct str name;
        uint64_t value;
    } known[64];
    size_t n_known;
};

static bool short_of(struct layout *l, const struct map_field *f)
{
    strbuf_printf(l->why, "it ends before field %.*s", STR_ARG(f->name));
    return false;
}

static bool count_of(struct layout *l, const struct map_field *f, uint64_t *ret)
{
    if (f->count_name.n == 0) {
        *ret = f->count;
        return true;
    }
    for (size_t i = l->n_known; i-- > 0;) {
        if (str_eq(l->known[i].name, f->count_name)) {
            *ret = l->known[i].value;
            return true;
        }
    }
    strbuf_printf(l->why, "there is no field %.*s before %.*s", STR_ARG(f->count_name),
                  STR_ARG(f->name));
    return false;
}

static bool read_int(struct layout *l, const struct map_field *f, struct val *ret)
{
    uint64_t u = 0;
    if ((size_t)(l->end - l->p) < f->width) {
        return short_of(l, f);
    }
    for (uint8_t i = 0; i < f->width; i++) {
        u |= (uint64_t)l->p[f->big ? f->width - 1 - i : i] << (8 * i);
    }
    l->p += f->width;
    ASSERT(f->width >= 1 && f->width <= 8);
    unsigned shift = 64 - 8U * f->width;
    int64_t i = f->is_signed ? (int64_t)(u << shift) >> shift : (int64_t)u;
    if (f->has_const && i != f->constant) {
        strbuf_printf(l->why, "field %.*s is %lld, not %lld", STR_ARG(f->name), (long long)i,
                      (long long)f->constant);
        return false;
    }
    if (l->n_known < sizeof l->known / sizeof l->known[0]) {
        l->known[l->n_known].name = f->name;
        l->known[l->n_known++].value = u;
    }
    *ret = val_int(l->ctx, i);
    return true;
}

static bool read_record(struct layout *l, const struct map_field *fields, size_t n,
                        struct val *ret);
static bool read_field(struct layout *l, const struct map_field *f, struct val *ret);

static bool read_array(struct layout *l, const struct map_field *f, struct val *ret)
{
    uint64_t n = 0;
    if (!count_of(l, f, &n)) {
        return false;
    }
    if (n > (uint64_t)(l->end - l->p)) {
        return short_of(l, f);
    }
    struct val *elems = arena_alloc(l->ctx->arena, (n + 1) * sizeof *elems);
    for (uint64_t i = 0; i < n; i++) {
        bool good = f->plain ? read_field(l, f->fields, &elems[i])
                             : read_record(l, f->fields, f->n, &elems[i]);
        if (!good) {
            return false;
        }
    }
    *ret = tuple_make(l->ctx, elems, n);
    return true;
}

static bool read_field(struct layout *l, const struct map_field *f, struct val *ret)
{
    uint64_t n = 0;
    if (f->kind == FIELD_INT) {
        return read_int(l, f, ret);
    }
    if (f->kind == FIELD_ARRAY) {
        return read_array(l, f, ret);
    }
    if (f->kind == FIELD_REST) {
        n = (uint64_t)(l->end - l->p);
    } else if (!count_of(l, f, &n)) {
        return false;
    }
    if (n > (uint64_t)(l->end - l->p)) {
        return short_of(l, f);
    }
    struct str text = {(const char *)l->p, n};
    if (f->kind == FIELD_CHARS) {
        text.n = strnlen(text.p, n);
    }
    l->p += n;
    *ret = val_str(l->ctx, text);
    return true;
}

static bool read_record(struct layout *l, const struct map_field *fields, size_t n, struct val *ret)
{
    struct val *names = arena_alloc(l->ctx->arena, (n + 1) * sizeof *names);
    struct val *vals = arena_alloc(l->ctx->arena, (n + 1) * sizeof *vals);
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        if (!read_field(l, &fields[i], &vals[m])) {
            return false;
        }
        bool kept = fields[i].kind != FIELD_SKIP && !str_is(fields[i].name, "_");
        if (kept) {
            names[m++] = val_str(l->ctx, fields[i].name);
        }
    }
    *ret = record_make(l->ctx, names, vals, m);
    return true;
}

static bool layout(struct vctx *ctx, struct decoding *d)
{
    struct layout l = {.ctx = ctx,
                       .p = (const uint8_t *)d->bytes.p,
                       .end = (const uint8_t *)d->bytes.p + d->bytes.n,
                       .why = d->why};
    if (!read_record(&l, d->decode->fields, d->decode->n_fields, &d->ret)) {
        return false;
    }
    if (l.p != l.end) {
        strbuf_printf(d->why, "%zu bytes are left after the last field", (size_t)(l.end - l.p));
        return false;
    }
    return true;
}

/* ---- all of them ---- */

static void run_decode(struct vctx *ctx, void *arg)
{
    struct decoding *d = arg;
    struct err err;
    switch (d->decode->format) {
    case FORMAT_TEXT: d->good = typed(ctx, d, d->decode->type, str_trim(d->bytes), &d->ret); break;
    case FORMAT_MATCH: d->good = groups(ctx, d); break;
    case FORMAT_FIELDS: d->good = layout(ctx, d); break;
    case FORMAT_COMMAND:
    case FORMAT_JSON:
        d->good = json_read_message(ctx, str_trim(d->bytes), &d->ret, &err) == 0;
        if (!d->good) {
            strbuf_adds(d->why, err.text);
        }
        break;
    }
}

int decode_value(struct decode *c, const struct map_decode *decode, size_t number, struct str bytes,
                 struct val *ret, struct strbuf *why, struct err *err)
{
    struct decoding d = {.c = c,
                         .decode = decode,
                         .pattern = c->patterns[number],
                         .bytes = bytes,
                         .ret = VAL_UNDEF,
                         .why = why};
    c->err = err;
    if (decode->format == FORMAT_COMMAND) {
        tell_how(c, "the decoder %s is given it", decode->command[0]);
        int status = decoder_run(c, number, bytes, &d.bytes);
        if (status != 0) {
            return status;
        }
    }
    static const char *const formats[] = {"text", "JSON", "the regular expression", "fields",
                                          "JSON of the decoder"};
    if (decode->format == FORMAT_MATCH) {
        tell_how(c, "regular expression '%.*s'", STR_ARG(decode->match));
    } else {
        tell_how(c, "read as %s", formats[decode->format]);
    }
    if (model_with_values(c->o.worker, run_decode, &d) != MODEL_OK) {
        return map_evaluation_error(c->o.map, err, c->o.worker, 0, 0);
    }
    *ret = d.ret;
    if (!d.good) {
        tell_how(c, "it does not fit: %s", strbuf_cstr(why));
    }
    return d.good ? 0 : 1;
}

bool decode_matches(const struct decode *d, size_t number, struct str text)
{
    return pattern_matches(d->patterns[number], text);
}

/* ---- messages ---- */

static bool is_tried(const struct map_message *m, const struct decode_message *about)
{
    bool port = m->port == 0 || m->port == about->dst_port || m->port == about->src_port;
    bool from_client = val_is_undef(about->src), to_client = val_is_undef(about->dst);
    if (m->input.n != 0) {
        return port && about->inputs && from_client;
    }
    return port && (!from_client || m->from != NULL) && (!to_client || m->to != NULL);
}

static int apply(struct decode *d, const struct map_expr *expr, const struct val *offered,
                 struct val *ret, struct err *err)
{
    return map_apply(d->o.worker, expr, offered, ret) == MODEL_OK
               ? 0
               : map_evaluation_error(d->o.map, err, d->o.worker, expr->begin,
                                      expr->begin + expr->text.n);
}

/* What a message that fits says: who it is from, and its value. */
static int say(struct decode *d, const struct map_message *m, struct decode_message *about,
               struct val *ret, struct err *err)
{
    struct val offered[4] = {*ret, about->src, about->dst, d->o.node_list};
    int status = 0;
    if (val_is_undef(about->src) && m->from != NULL) {
        status = apply(d, m->from, offered, &about->src, err);
    }
    if (status == 0 && val_is_undef(about->dst) && m->to != NULL) {
        status = apply(d, m->to, offered, &about->dst, err);
    }
    offered[1] = val_is_undef(about->src) ? tuple_empty() : about->src;
    offered[2] = val_is_undef(about->dst) ? tuple_empty() : about->dst;
    return status != 0 || m->as == NULL ? status : apply(d, m->as, offered, ret, err);
}

int decode_bytes(struct decode *d, struct decode_message *about, struct str bytes, struct val *ret,
                 size_t *ret_index, struct strbuf *why, struct err *err)
{
    for (size_t i = 0; i < d->o.map->n_messages; i++) {
        const struct map_message *m = &d->o.map->messages[i];
        if (!is_tried(m, about)) {
            continue;
        }
        strbuf_reset(why);
        int status = decode_value(d, &m->decode, d->o.map->n_observes + i, bytes, ret, why, err);
        status = status != 0 ? status : say(d, m, about, ret, err);
        if (status <= 0) {
            *ret_index = i;
            return status;
        }
    }
    return 1;
}

/* ---- life ---- */

int decode_new(const struct decode_options *options, struct decode **ret, struct err *err)
{
    size_t cap = 0, n = options->map->n_observes + options->map->n_messages;
    struct decode *d = vec_grow(NULL, &cap, 1, sizeof *d);
    memset(d, 0, sizeof *d);
    *ret = d;
    d->o = *options;
    d->err = err;
    arena_init(&d->arena, 0);
    d->decoders = ARENA_ARRAY(&d->arena, struct decoder *, n + 1);
    return patterns_compile(d);
}

void decode_free(struct decode *d)
{
    if (d != NULL) {
        patterns_free(d);
        decoders_free(d);
        arena_done(&d->arena);
        vec_release(d);
    }
}

void decode_nodes_moved(struct decode *d, struct val node_list)
{
    d->o.node_list = node_list;
}
