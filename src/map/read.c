/* Mapping files: from TOML to struct map. A name that nobody understands is a mistake. */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/limits.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/near.h"
#include "base/str.h"
#include "base/toml.h"
#include "map/map.h"
#include "map/map_int.h"
#include "syntax/diag.h"
#include "syntax/source.h"

const char *const map_names_value[] = {"value", "self", "obs", "nodes", "before", NULL};
const char *const map_names_self[] = {"self", "nodes", NULL};
const char *const map_names_message[] = {"value", "src", "dst", "nodes", NULL};
const char *const map_names_none[] = {NULL};

struct span map_span(const struct map *map, size_t begin, size_t end)
{
    return (struct span){map->file->id, (uint32_t)begin, (uint32_t)end};
}

struct diag *map_fail(struct reading *r, size_t begin, size_t end, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return diag_add(r->diags, DIAG_CFG_SYNTAX, map_span(r->map, begin, end), "%s", text);
}

const struct toml_pair *map_pair(const struct reading *r, const char *key)
{
    return toml_find(r->table, key);
}

struct toml_value *map_want(struct reading *r, const char *key, enum toml_kind kind)
{
    static const char *const names[] = {"a string", "a number", "true or false", "an array",
                                        "a table in braces"};
    struct toml_pair *pair = toml_find(r->table, key);
    if (pair == NULL) {
        return NULL;
    }
    if (pair->value.kind != kind) {
        map_fail(r, pair->value.begin, pair->value.end, "%s must be %s", key, names[kind]);
        return NULL;
    }
    return &pair->value;
}

/* ---- expressions ---- */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The end of a string or a comment that begins at text[at]; `at` when none does. */
static size_t skip_text(struct str text, size_t at)
{
    size_t i = at;
    if (text.p[at] == '"') {
        for (i++; i < text.n && text.p[i] != '"'; i++) {
            i += text.p[i] == '\\' ? 1 : 0;
        }
        return i < text.n ? i + 1 : text.n;
    }
    if (at + 1 < text.n && text.p[at] == '(' && text.p[at + 1] == '*') {
        while (i + 1 < text.n && !(text.p[i] == '*' && text.p[i + 1] == ')')) {
            i++;
        }
        return i + 1 < text.n ? i + 2 : text.n;
    }
    if (at + 1 < text.n && text.p[at] == '\\' && text.p[at + 1] == '*') {
        while (i < text.n && text.p[i] != '\n') {
            i++;
        }
    }
    return i;
}

/* Whether the word at text[begin..end] is the name of a field: r.value, [value |-> 1]. */
static bool is_field(struct str text, size_t begin, size_t end)
{
    while (begin > 0 && isspace((unsigned char)text.p[begin - 1])) {
        begin--;
    }
    while (end < text.n && isspace((unsigned char)text.p[end])) {
        end++;
    }
    bool selected =
        begin > 0 && text.p[begin - 1] == '.' && (begin < 2 || text.p[begin - 2] != '.');
    return selected || (end + 3 <= text.n && memcmp(text.p + end, "|->", 3) == 0);
}

/* Only where a name stands as a name is it a parameter: a specification may have it for something
 * else, and so may a record. */
size_t map_mention(struct str text, const char *name, size_t from)
{
    for (size_t i = from; i < text.n;) {
        size_t begin = i;
        i = skip_text(text, i);
        if (i != begin) {
            continue;
        }
        while (i < text.n && is_word(text.p[i])) {
            i++;
        }
        if (str_is((struct str){text.p + begin, i - begin}, name) && !is_field(text, begin, i)) {
            return begin;
        }
        i += i == begin ? 1 : 0;
    }
    return text.n;
}

struct map_expr *map_expr_new(struct reading *r, struct str text, size_t begin,
                              const char *const *offered)
{
    struct map *map = r->map;
    struct map_expr *expr = ARENA_NEW(r->arena, struct map_expr);
    *expr = (struct map_expr){.text = text, .begin = begin, .offered = offered};
    expr->no_state =
        offered == map_names_value || offered == map_names_message || offered == map_names_none;
    for (size_t i = 0; offered[i] != NULL && i < MAP_PARAMS_MAX; i++) {
        if (map_mention(text, offered[i], 0) < text.n) {
            expr->used[expr->n_used++] = (uint8_t)i;
        }
    }
    expr->op = map->n_exprs;
    if (map->n_exprs == map->cap_exprs) {
        map->cap_exprs = map->cap_exprs * 2 + 32;
        struct map_expr **more = ARENA_ARRAY(r->arena, struct map_expr *, map->cap_exprs);
        if (map->n_exprs != 0) {
            memcpy((void *)more, (void *)map->exprs, map->n_exprs * sizeof *more);
        }
        map->exprs = more;
    }
    map->exprs[map->n_exprs++] = expr;
    return expr;
}

static struct map_expr *want_expr(struct reading *r, const char *key, const char *const *offered)
{
    struct toml_value *v = map_want(r, key, TOML_STRING);
    return v != NULL ? map_expr_new(r, v->text, v->begin, offered) : NULL;
}

/* ---- simple values ---- */

/* {dir} is the directory of the file. */
static const char *expand(struct reading *r, struct str text)
{
    SCOPED_STRBUF out = {0};
    for (size_t i = 0; i < text.n; i++) {
        if (text.n - i >= 5 && memcmp(text.p + i, "{dir}", 5) == 0) {
            strbuf_adds(&out, r->dir);
            i += 4;
        } else {
            strbuf_addc(&out, text.p[i]);
        }
    }
    return arena_strndup(r->arena, strbuf_cstr(&out), out.n);
}

const char *const *map_list(struct reading *r, const struct toml_value *value)
{
    if (value == NULL) {
        return NULL;
    }
    const char **list = ARENA_ARRAY(r->arena, const char *, value->n + 1);
    for (size_t i = 0; i < value->n; i++) {
        if (value->items[i].kind != TOML_STRING) {
            map_fail(r, value->items[i].begin, value->items[i].end, "a string is expected here");
            return NULL;
        }
        list[i] = expand(r, value->items[i].text);
    }
    return list;
}

static const char *want_path(struct reading *r, const char *key)
{
    struct toml_value *v = map_want(r, key, TOML_STRING);
    if (v == NULL) {
        return NULL;
    }
    const char *text = arena_strndup(r->arena, v->text.p, v->text.n);
    return text[0] == '/' ? text : path_join(r->arena, r->dir, text);
}

static const struct {
    const char *name;
    enum map_type type;
} type_names[] = {
    {"auto",   TYPE_AUTO  },
    {"int",    TYPE_INT   },
    {"string", TYPE_STRING},
    {"bool",   TYPE_BOOL  },
    {"node",   TYPE_NODE  },
    {"json",   TYPE_JSON  },
};

static enum map_type type_of(struct reading *r, const struct toml_value *v)
{
    for (size_t i = 0; i < sizeof type_names / sizeof type_names[0]; i++) {
        if (v->kind == TOML_STRING && str_is(v->text, type_names[i].name)) {
            return type_names[i].type;
        }
    }
    map_fail(r, v->begin, v->end, "there are the types auto, int, string, bool, node and json");
    return TYPE_AUTO;
}

/* ---- decoding: shared by observations and messages ---- */

static void read_types(struct reading *r, struct map_decode *d)
{
    const struct toml_pair *pair = map_pair(r, "type");
    if (pair != NULL) {
        d->type = type_of(r, &pair->value);
    }
    struct toml_value *v = map_want(r, "types", TOML_TABLE);
    if (v == NULL) {
        return;
    }
    d->groups = ARENA_ARRAY(r->arena, struct map_group, v->table->n + 1);
    for (size_t i = 0; i < v->table->n; i++) {
        const struct toml_pair *type = &v->table->pairs[i];
        d->groups[d->n_groups++] = (struct map_group){type->key, type_of(r, &type->value)};
    }
}

/* Names of the table that would mean nothing here. */
static void refuse(struct reading *r, const char *const *names, const char *why)
{
    for (size_t i = 0; names[i] != NULL; i++) {
        const struct toml_pair *pair = map_pair(r, names[i]);
        if (pair != NULL) {
            map_fail(r, pair->begin, pair->end, "%s means nothing here: %s", names[i], why);
        }
    }
}

static const char *const decode_names[] = {"match", "fields", "json", "decoder",
                                           "type",  "types",  NULL};

static void read_decode(struct reading *r, struct map_decode *d)
{
    size_t ways = 0;
    for (size_t i = 0; i < 4; i++) {
        ways += map_pair(r, decode_names[i]) != NULL ? 1 : 0;
    }
    if (ways > 1) {
        map_fail(r, r->table->begin, r->table->end,
                 "there is one way to read it: match, fields, json or decoder");
    }
    struct toml_value *v = map_want(r, "match", TOML_STRING);
    if (v != NULL) {
        d->format = FORMAT_MATCH;
        d->match = v->text;
        d->match_begin = v->begin;
    }
    v = map_want(r, "fields", TOML_STRING);
    if (v != NULL && map_fields(r, v, &d->fields, &d->n_fields)) {
        d->format = FORMAT_FIELDS;
    }
    v = map_want(r, "json", TOML_BOOL);
    if (v != NULL && v->boolean) {
        d->format = FORMAT_JSON;
    }
    v = map_want(r, "decoder", TOML_ARRAY);
    if (v != NULL) {
        d->format = FORMAT_COMMAND;
        d->command = map_list(r, v);
    }
    read_types(r, d);
}

/* ---- tables ---- */

/* nodes = "Server", perhaps with names = { n1 = "s1" }; or nodes = { n1 = "expression" }. */
static void read_nodes(struct reading *r)
{
    struct map *map = r->map;
    const struct toml_pair *nodes = map_pair(r, "nodes");
    bool set = nodes != NULL && nodes->value.kind == TOML_STRING;
    if (set) {
        map->nodes = map_expr_new(r, nodes->value.text, nodes->value.begin, map_names_none);
    } else if (nodes == NULL || nodes->value.kind != TOML_TABLE) {
        map_fail(
            r, 0, 0,
            "the file must say which TLA+ values are the nodes: nodes = \"Server\", or nodes = "
            "{ n1 = \"expression\", ... }");
        return;
    }
    const struct toml_value *names = set ? map_want(r, "names", TOML_TABLE) : &nodes->value;
    const struct toml_table *t = names != NULL ? names->table : NULL;
    map->node_table = ARENA_ARRAY(r->arena, struct map_node, (t != NULL ? t->n : 0) + 1);
    for (size_t i = 0; t != NULL && i < t->n; i++) {
        const struct toml_pair *pair = &t->pairs[i];
        struct map_node *node = &map->node_table[map->n_node_table++];
        node->name = arena_strndup(r->arena, pair->key.p, pair->key.n);
        if (pair->value.kind != TOML_STRING) {
            map_fail(r, pair->value.begin, pair->value.end, "text in quotes is expected");
            map->n_node_table--;
        } else if (set) {
            node->printed = pair->value.text;
        } else {
            node->value = map_expr_new(r, pair->value.text, pair->value.begin, map_names_none);
        }
    }
}

static void read_top(struct reading *r)
{
    struct map *map = r->map;
    map->spec = want_path(r, "spec");
    map->config = want_path(r, "config");
    map->cluster = want_path(r, "cluster");
    if (map->spec == NULL || map->cluster == NULL) {
        map_fail(r, 0, 0, "the file must say spec = \"...\" and cluster = \"...\" at its top");
    }
    read_nodes(r);
    struct toml_value *v = map_want(r, "auxiliary", TOML_ARRAY);
    map->auxiliary = ARENA_ARRAY(r->arena, struct map_name, (v != NULL ? v->n : 0) + 1);
    for (size_t i = 0; v != NULL && i < v->n; i++) {
        const struct toml_value *item = &v->items[i];
        if (item->kind != TOML_STRING) {
            map_fail(r, item->begin, item->end, "the name of a variable is expected here");
            continue;
        }
        map->auxiliary[map->n_auxiliary++] = (struct map_name){item->text, item->begin, item->end};
    }
    const struct toml_pair *boot = map_pair(r, "boot");
    if (boot != NULL) {
        static const char *const none[] = {"msg", NULL};
        map_steps(r, &boot->value, none, &map->boot, &map->n_boot);
    }
}

static void read_network(struct reading *r)
{
    struct map *map = r->map;
    struct toml_value *v = map_want(r, "variable", TOML_STRING);
    if (v != NULL) {
        map->network = (struct map_name){v->text, v->begin, v->end};
    }
    v = map_want(r, "kind", TOML_STRING);
    if (v != NULL) {
        map->network_udp = str_is(v->text, "udp");
        if (!map->network_udp && !str_is(v->text, "tcp")) {
            map_fail(r, v->begin, v->end, "kind must be \"tcp\" or \"udp\"");
        }
    }
    v = map_want(r, "handshake", TOML_NUMBER);
    if (v != NULL) {
        if (v->number < 0 || v->number > 16) {
            map_fail(r, v->begin, v->end, "handshake is a number of messages up to 16");
        } else {
            map->handshake = (uint32_t)v->number;
        }
    }
    v = map_want(r, "quiet_ports", TOML_ARRAY);
    if (v != NULL) {
        uint16_t *ports = ARENA_ARRAY(r->arena, uint16_t, v->n + 1);
        for (size_t i = 0; i < v->n; i++) {
            if (v->items[i].kind != TOML_NUMBER || v->items[i].number < 1 ||
                v->items[i].number > 65535) {
                map_fail(r, v->items[i].begin, v->items[i].end, "the number of a port");
            } else {
                ports[map->n_quiet_ports++] = (uint16_t)v->items[i].number;
            }
        }
        map->quiet_ports = ports;
    }
}

static void read_message(struct reading *r)
{
    struct map_message *m = &r->map->messages[r->map->n_messages++];
    *m = (struct map_message){.begin = r->table->begin, .end = r->table->end};
    read_decode(r, &m->decode);
    struct toml_value *v = map_want(r, "port", TOML_NUMBER);
    if (v != NULL && (v->number < 1 || v->number > 65535)) {
        map_fail(r, v->begin, v->end, "the number of a port");
    } else if (v != NULL) {
        m->port = (uint16_t)v->number;
    }
    m->as = want_expr(r, "as", map_names_message);
    m->from = want_expr(r, "from", map_names_message);
    m->to = want_expr(r, "to", map_names_message);
    v = map_want(r, "input", TOML_STRING);
    if (v != NULL) {
        m->input = v->text;
        if (m->as == NULL) {
            map_fail(r, v->begin, v->end, "input needs as: the arguments of the action, a tuple");
        }
    }
}

static void read_enums(struct reading *r, struct map_observe *o)
{
    struct toml_value *v = map_want(r, "enum", TOML_TABLE);
    if (v == NULL) {
        return;
    }
    o->enums = ARENA_ARRAY(r->arena, struct map_enum, v->table->n + 1);
    for (size_t i = 0; i < v->table->n; i++) {
        const struct toml_pair *pair = &v->table->pairs[i];
        if (pair->value.kind != TOML_STRING) {
            map_fail(r, pair->value.begin, pair->value.end, "a TLA+ expression in quotes");
            continue;
        }
        o->enums[o->n_enums++] = (struct map_enum){
            pair->key, map_expr_new(r, pair->value.text, pair->value.begin, map_names_none)};
    }
}

static void read_engine(struct reading *r, struct map_observe *o, const struct toml_value *v)
{
    static const struct {
        const char *name;
        enum map_engine engine;
        bool per_node;
    } kinds[] = {
        {"messages",    ENGINE_MESSAGES,    false},
        {"packets",     ENGINE_PACKETS,     false},
        {"tcp",         ENGINE_TCP,         false},
        {"up",          ENGINE_UP,          false},
        {"down",        ENGINE_DOWN,        false},
        {"cut",         ENGINE_CUT,         false},
        {"connections", ENGINE_CONNECTIONS, false},
    };
    o->source = FROM_ENGINE;
    o->per_node = false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (str_is(v->text, kinds[i].name)) {
            o->engine = kinds[i].engine;
            return;
        }
    }
    map_fail(r, v->begin, v->end,
             "the engine knows messages, packets, tcp, up, down, cut and connections");
}

static void read_source(struct reading *r, struct map_observe *o)
{
    static const char *const keys[] = {"memory", "python", "java", "log", "file"};
    static const enum map_source sources[] = {FROM_MEMORY, FROM_MEMORY, FROM_MEMORY, FROM_LOG,
                                              FROM_FILE};
    size_t found = 0;
    for (size_t i = 0; i < 5; i++) {
        const struct toml_value *v = map_want(r, keys[i], TOML_STRING);
        if (v != NULL) {
            found++;
            o->source = sources[i];
            o->language = i == 1 ? MAP_PYTHON : i == 2 ? MAP_JAVA : MAP_NATIVE;
            o->text = v->text;
            o->at_begin = v->begin;
            o->at_end = v->end;
        }
    }
    const struct toml_value *v = map_want(r, "query", TOML_ARRAY);
    if (v != NULL) {
        found++;
        o->source = FROM_QUERY;
        o->argv = map_list(r, v);
        o->at_begin = v->begin;
        o->at_end = v->end;
    }
    v = map_want(r, "http", TOML_STRING);
    if (v != NULL) {
        const char **argv = ARENA_ARRAY(r->arena, const char *, 4);
        found++;
        o->source = FROM_QUERY;
        argv[0] = "{assay}";
        argv[1] = "http-get";
        argv[2] = expand(r, v->text);
        o->argv = argv;
        o->at_begin = v->begin;
        o->at_end = v->end;
    }
    v = map_want(r, "engine", TOML_STRING);
    if (v != NULL) {
        found++;
        o->at_begin = v->begin;
        o->at_end = v->end;
        read_engine(r, o, v);
    }
    if (found > 1 || (found == 0 && map_pair(r, "as") == NULL)) {
        map_fail(
            r, o->begin, o->end,
            "an observation has one of memory, python, java, log, file, query, http and engine (or "
            "only as)");
    }
}

/* What is said beside a source that it has no use for. */
static void check_source(struct reading *r, const struct map_observe *o)
{
    static const char *const log_only[] = {"all", "clients", NULL};
    static const char *const enums[] = {"enum", NULL}, *const nodes[] = {"nodes", NULL};
    static const char *const global[] = {"global", NULL};
    static const char *const match[] = {"match", "fields", "json", "decoder", NULL};
    if (o->source == FROM_NOTHING || o->source == FROM_MEMORY || o->source == FROM_ENGINE) {
        refuse(r, decode_names,
               "it is about text or bytes, as log, file, query and http have them");
    } else if (o->source == FROM_LOG) {
        refuse(r, match, "a log is read by its own expression");
    }
    if (o->source != FROM_LOG) {
        refuse(r, log_only, "it is about a log");
    }
    if (o->source == FROM_NOTHING) {
        refuse(r, enums, "it is about what is observed, and with as alone nothing is");
    } else {
        refuse(r, global, "it is for as alone");
    }
    if (!o->per_node) {
        refuse(r, nodes, "there is one value for the whole cluster");
    }
}

static void read_observe(struct reading *r, struct str name)
{
    struct map_observe *o = &r->map->observes[r->map->n_observes++];
    *o = (struct map_observe){.name = name,
                              .begin = r->table->begin,
                              .end = r->table->end,
                              .per_node = true,
                              .compare = true};
    read_source(r, o);
    read_decode(r, &o->decode);
    if (o->source == FROM_LOG) {
        o->decode.format = FORMAT_MATCH;
        o->decode.match = o->text;
        o->decode.match_begin = o->at_begin;
    }
    read_enums(r, o);
    o->initial = want_expr(r, "initial", map_names_self);
    if (o->initial != NULL) {
        o->initial->no_state = true;
    }
    o->as = want_expr(r, "as", map_names_value);
    o->spec = want_expr(r, "spec", map_names_self);
    struct toml_value *v = map_want(r, "compare", TOML_BOOL);
    o->compare = v == NULL || v->boolean;
    v = map_want(r, "all", TOML_BOOL);
    o->all = v != NULL && v->boolean;
    v = map_want(r, "clients", TOML_BOOL);
    o->clients = v != NULL && v->boolean;
    if (o->clients && (o->source != FROM_LOG || o->initial == NULL)) {
        map_fail(r, v->begin, v->end,
                 "clients is for log, and needs initial: the value of a command "
                 "that has printed nothing yet");
    }
    if (o->as != NULL && map_uses(o->as, MAP_VALUE_BEFORE) && o->initial == NULL) {
        map_fail(r, o->as->begin, o->as->begin + o->as->text.n,
                 "before needs initial: the value in the first state");
    }
    o->per_node = o->per_node && !o->clients;
    v = map_want(r, "global", TOML_BOOL);
    o->per_node = o->per_node && (v == NULL || !v->boolean);
    o->nodes = map_list(r, map_want(r, "nodes", TOML_ARRAY));
    check_source(r, o);
}

/* Whether a table above has the same name. */
static bool again(const struct reading *r)
{
    const struct toml_table *t = r->toml.tables;
    while (t < r->table && (t->element || !str_eq(t->name, r->table->name))) {
        t++;
    }
    return t < r->table && !r->table->element;
}

static void hint_near(struct reading *r, struct diag *diag, const struct near *near,
                      const char *before, const char *after)
{
    if (near->best.n != 0) {
        diag_hint(r->diags, diag, "did you mean %s%.*s%s?", before, STR_ARG(near->best), after);
    }
}

static void unknown_table(struct reading *r, const struct toml_table *t)
{
    static const char *const names[] = {"actions",  "network", "budget",
                                        "instance", "rank",    "watch"};
    struct near near = near_to(t->name), element = near;
    near_try_all(&near, names, sizeof names / sizeof names[0]);
    near_try(&element, STR("message"));
    struct diag *diag =
        map_fail(r, t->begin, t->end,
                 "unknown table: there are [actions], [observe.NAME], [network], [watch] and "
                 "[[message]]; [budget], [instance] and [rank] are for `assay rank`");
    /* observe.NAME: the part before the dot */
    const char *dot = memchr(t->name.p, '.', t->name.n);
    if (dot != NULL) {
        struct str head = {t->name.p, (size_t)(dot - t->name.p)};
        near = near_to(head);
        near_try(&near, STR("observe"));
        hint_near(r, diag, &near, "[",
                  arena_printf(r->arena, "%.*s]", (int)(t->name.n - head.n), dot));
    } else if (element.best.n != 0) {
        hint_near(r, diag, &element, "[[", "]]");
    } else {
        hint_near(r, diag, &near, "[", "]");
    }
}

static bool is_observe(const struct toml_table *t)
{
    return t->name.n > 8 && memcmp(t->name.p, "observe.", 8) == 0 && !t->element;
}

static void unknown_names(struct reading *r)
{
    const struct toml_table *t = r->table;
    for (size_t i = 0; i < t->n; i++) {
        if (!t->pairs[i].used) {
            struct diag *diag = map_fail(r, t->pairs[i].begin, t->pairs[i].end,
                                         "unknown name '%.*s'", STR_ARG(t->pairs[i].key));
            hint_near(r, diag, &t->pairs[i].near, "", "");
        }
    }
}

static void read_table(struct reading *r)
{
    struct toml_table *t = r->table;
    if (again(r)) {
        map_fail(r, t->begin, t->end, "the table [%.*s] is there already", STR_ARG(t->name));
        return;
    }
    if (t->name.n == 0) {
        read_top(r);
    } else if (str_is(t->name, "actions") && !t->element) {
        map_actions(r, t);
    } else if (str_is(t->name, "network") && !t->element) {
        read_network(r);
    } else if (str_is(t->name, "watch") && !t->element) {
        map_read_watch(r);
    } else if (str_is(t->name, "message") && t->element) {
        read_message(r);
    } else if (is_observe(t)) {
        read_observe(r, (struct str){t->name.p + 8, t->name.n - 8});
    } else if (str_is(t->name, "budget") || str_is(t->name, "instance") ||
               str_is(t->name, "rank")) {
        return; /* for `assay rank`, which reads them itself */
    } else {
        unknown_table(r, t);
        return;
    }
    unknown_names(r);
}

int map_parse(struct arena *arena, const struct source *source, const char *dir,
              struct diags *diags, struct map **ret, struct err *err)
{
    struct map *map = ARENA_NEW(arena, struct map);
    struct reading r = {.arena = arena, .diags = diags, .map = map, .dir = dir};
    map->arena = arena;
    map->file = source;
    if (toml_parse(arena, source->text, &r.toml, err) != 0) {
        (void)err_wrap(err, "%s", source->path);
        return -1;
    }
    map->observes = ARENA_ARRAY(arena, struct map_observe, r.toml.n + 2);
    map->messages = ARENA_ARRAY(arena, struct map_message, r.toml.n + 1);
    size_t before = diags->errors;
    for (size_t i = 0; i < r.toml.n; i++) {
        r.table = &r.toml.tables[i];
        read_table(&r);
    }
    *ret = map;
    return diags->errors == before ? 0 : -1;
}

int map_read(struct arena *arena, struct sources *sources, struct diags *diags, const char *path,
             struct map **ret, struct err *err)
{
    struct source *source = NULL;
    char real[PATH_MAX];
    struct str dir = path_dir(str_of(realpath(path, real) != NULL ? real : path));
    if (sources_load(sources, path, &source, err) != 0) {
        return -1;
    }
    return map_parse(arena, source, arena_strndup(arena, dir.p, dir.n), diags, ret, err);
}

/* ---- observations and invariants without a specification ---- */

/* Of the names that an invariant may use, those that it does: Node and variables. */
static const char *const *invariant_names(struct reading *r, const struct toml_value *v)
{
    const struct map *map = r->map;
    const char **names = ARENA_ARRAY(r->arena, const char *, map->n_observes + 2);
    size_t n = 0;
    names[n++] = "Node";
    for (size_t i = 0; i < map->n_observes; i++) {
        struct str name = map->observes[i].name;
        const char *text = arena_strndup(r->arena, name.p, name.n);
        if (map_mention(v->text, text, 0) < v->text.n) {
            names[n++] = text;
        }
    }
    if (n > MAP_PARAMS_MAX) {
        map_fail(r, v->begin, v->end, "an invariant reads %d variables at most",
                 MAP_PARAMS_MAX - 1);
        names[MAP_PARAMS_MAX] = NULL;
    }
    return names;
}

static void read_invariants(struct reading *r)
{
    struct map *map = r->map;
    const struct toml_table *t = r->table;
    map->invariants = ARENA_ARRAY(r->arena, struct map_invariant, t->n + 1);
    for (size_t i = 0; i < t->n; i++) {
        const struct toml_pair *pair = &t->pairs[i];
        if (pair->value.kind != TOML_STRING) {
            map_fail(r, pair->value.begin, pair->value.end, "a TLA+ expression in quotes");
            continue;
        }
        map->invariants[map->n_invariants++] = (struct map_invariant){
            {pair->key, pair->begin, pair->end},
            map_expr_new(r, pair->value.text, pair->value.begin, invariant_names(r, &pair->value)),
        };
    }
}

/* Nothing but what a state of the world shows: it may be gone back to. */
static void check_plain(struct reading *r, const struct map_observe *o)
{
    if (o->source != FROM_MEMORY && o->source != FROM_NOTHING) {
        map_fail(r, o->at_begin, o->at_end,
                 "an invariant is about variables: memory, python, java, or as alone");
    }
    if (o->as != NULL && map_uses(o->as, MAP_VALUE_BEFORE)) {
        map_fail(r, o->as->begin, o->as->begin + o->as->text.n,
                 "an invariant is about one state: there is no before");
    }
}

static int parse_observes(struct reading *r, struct err *err)
{
    struct map *map = r->map;
    size_t before = r->diags->errors;
    if (toml_parse(r->arena, map->file->text, &r->toml, err) != 0) {
        return err_wrap(err, "%s", map->file->path);
    }
    map->observes = ARENA_ARRAY(r->arena, struct map_observe, r->toml.n + 2);
    for (size_t i = 0; i < r->toml.n; i++) {
        r->table = &r->toml.tables[i];
        if (is_observe(r->table)) {
            read_table(r);
            check_plain(r, &map->observes[map->n_observes - 1]);
        }
    }
    for (size_t i = 0; i < r->toml.n; i++) {
        r->table = &r->toml.tables[i];
        if (str_is(r->table->name, "invariants") && !r->table->element) {
            read_invariants(r);
        }
    }
    return r->diags->errors == before ? 0 : -1;
}

int map_read_observes(struct arena *arena, struct sources *sources, struct diags *diags,
                      const char *path, struct map **ret, struct err *err)
{
    struct source *source = NULL;
    struct reading r = {.arena = arena, .diags = diags, .map = ARENA_NEW(arena, struct map)};
    int status = sources_load(sources, path, &source, err);
    if (status != 0) {
        return status;
    }
    r.map->arena = arena;
    r.map->file = source;
    r.dir = ".";
    *ret = r.map;
    return parse_observes(&r, err);
}
