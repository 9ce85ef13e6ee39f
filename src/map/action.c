/* [actions]: labels with the names of their parameters, and the events that they stand for; and the
 * layout of binary messages (`fields`). */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/toml.h"
#include "map/map.h"
#include "map/map_int.h"

static const char *const verbs[] = {"deliver", "drop",   "duplicate", "timer", "advance",
                                    "crash",   "kill",   "restart",   "start", "pause",
                                    "resume",  "cut",    "heal",      "reset", "partition",
                                    "isolate", "client", "disk",      "jump",  NULL};

/* ---- steps ---- */

/* The end of {...}, braces inside counted; n when it is not closed. */
static size_t brace_end(struct str text, size_t at)
{
    int depth = 0;
    for (size_t i = at; i < text.n; i++) {
        depth += text.p[i] == '{' ? 1 : text.p[i] == '}' ? -1 : 0;
        if (depth == 0) {
            return i;
        }
    }
    return text.n;
}

static size_t find_where(struct str text)
{
    for (size_t i = 0; i + 7 <= text.n; i++) {
        if (text.p[i] == '{') {
            i = brace_end(text, i);
        } else if (memcmp(text.p + i, " where ", 7) == 0) {
            return i;
        }
    }
    return text.n;
}

static void step_pieces(struct reading *r, struct map_step *step, struct str text,
                        const char *const *offered)
{
    step->pieces = ARENA_ARRAY(r->arena, struct map_piece, text.n + 1);
    for (size_t i = 0; i < text.n;) {
        size_t begin = i;
        if (text.p[i] == '{') {
            size_t end = brace_end(text, i);
            if (end == text.n) {
                map_fail(r, step->begin + i, step->end, "{ is not closed");
                return;
            }
            struct str inside = {text.p + i + 1, end - i - 1};
            if (str_is(inside, "cluster")) {
                step->pieces[step->n++].cluster_dir = true;
                i = end + 1;
                continue;
            }
            if (str_is(inside, "dir")) {
                step->pieces[step->n].dir = true;
                step->pieces[step->n++].text = str_of(r->dir);
                i = end + 1;
                continue;
            }
            step->pieces[step->n++].expr = map_expr_new(r, inside, step->begin + i + 1, offered);
            i = end + 1;
            continue;
        }
        while (i < text.n && text.p[i] != '{') {
            i++;
        }
        step->pieces[step->n++].text = (struct str){text.p + begin, i - begin};
    }
}

/* Quotes of a command line are closed; what {...} stands for does not count. */
static void check_quotes(struct reading *r, const struct map_step *step)
{
    char state = '\0';
    for (size_t i = 0; i < step->n; i++) {
        const struct map_piece *piece = &step->pieces[i];
        bool plain = piece->expr == NULL && !piece->cluster_dir && !piece->dir;
        if (plain) {
            state = command_state(state, piece->text);
        } else if (state == '\\') {
            break;
        }
    }
    if (state == '\\') {
        map_fail(r, step->begin, step->end, "\\ must stand before the character that it quotes");
    } else if (state != '\0') {
        map_fail(r, step->begin, step->end, "the command has a %c that is not closed", state);
    }
}

static void one_step(struct reading *r, const struct toml_value *value, const char *const *offered,
                     struct map_step *ret)
{
    struct str text = value->text;
    *ret = (struct map_step){.text = text, .begin = value->begin, .end = value->end};
    size_t word = 0;
    while (word < text.n && text.p[word] != ' ') {
        word++;
    }
    for (size_t i = 0; verbs[i] != NULL; i++) {
        if (str_is((struct str){text.p, word}, verbs[i])) {
            ret->verb = verbs[i];
        }
    }
    if (ret->verb == NULL) {
        map_fail(r, value->begin, value->begin + word,
                 "there is no event '%.*s'; see docs/MAPPING.md", (int)word, text.p);
        return;
    }
    size_t where = find_where(text);
    bool message = strcmp(ret->verb, "deliver") == 0 || strcmp(ret->verb, "drop") == 0 ||
                   strcmp(ret->verb, "duplicate") == 0;
    if (where < text.n && message) {
        struct str condition = {text.p + where + 7, text.n - where - 7};
        ret->where = map_expr_new(r, condition, value->begin + where + 7, offered);
        text.n = where;
    }
    step_pieces(r, ret, text, offered);
    if (strcmp(ret->verb, "client") == 0) {
        check_quotes(r, ret);
    }
}

void map_steps(struct reading *r, const struct toml_value *value, const char *const *offered,
               struct map_step **ret, size_t *ret_n)
{
    size_t n = value->kind == TOML_ARRAY ? value->n : 1;
    *ret = ARENA_ARRAY(r->arena, struct map_step, n + 1);
    *ret_n = 0;
    for (size_t i = 0; i < n; i++) {
        const struct toml_value *v = value->kind == TOML_ARRAY ? &value->items[i] : value;
        if (v->kind != TOML_STRING) {
            map_fail(r, v->begin, v->end, "an event is text, such as \"timer {i}\"");
            continue;
        }
        if (v->text.n != 0) {
            one_step(r, v, offered, &(*ret)[(*ret_n)++]);
        }
    }
}

/* ---- labels ---- */

/* The names between the parentheses of a label. */
static bool parameters(struct reading *r, const struct toml_pair *pair, struct str list,
                       struct map_action *action)
{
    for (size_t i = 0, begin = 0; i <= list.n; i++) {
        if (i < list.n && list.p[i] != ',') {
            continue;
        }
        struct str name = str_trim((struct str){list.p + begin, i - begin});
        if (name.n == 0 || action->n_params + 1 == MAP_PARAMS_MAX) {
            map_fail(r, pair->begin, pair->end, "the parameters are names, at most 15");
            return false;
        }
        action->params[action->n_params++] = arena_strndup(r->arena, name.p, name.n);
        begin = i + 1;
    }
    return true;
}

/* "Receive(i, j)": the name and the parameters' names. */
static bool label(struct reading *r, const struct toml_pair *pair, struct map_action *action)
{
    struct str text = str_trim(pair->key);
    const char *open = memchr(text.p, '(', text.n);
    action->name = str_trim(open != NULL ? (struct str){text.p, (size_t)(open - text.p)} : text);
    action->params = ARENA_ARRAY(r->arena, const char *, MAP_PARAMS_MAX + 2);
    if (open != NULL) {
        if (text.p[text.n - 1] != ')') {
            map_fail(r, pair->begin, pair->end, ") is missing");
            return false;
        }
        struct str list = {open + 1, text.n - (size_t)(open + 1 - text.p) - 1};
        if (!parameters(r, pair, list, action)) {
            return false;
        }
    }
    action->params[action->n_params] = "msg";
    return true;
}

/* { do = ..., weight = 3 }: the events, or NULL. */
static const struct toml_value *action_table(struct reading *r, struct map_action *action)
{
    const struct toml_value *weight = map_want(r, "weight", TOML_NUMBER);
    if (weight != NULL && !(weight->number >= 0 && weight->number <= 1e9)) {
        map_fail(r, weight->begin, weight->end, "a weight is a number from 0 to 1000000000");
    }
    action->weight = weight != NULL ? weight->number : 1;
    const struct toml_pair *events = map_pair(r, "do");
    for (size_t i = 0; i < r->table->n; i++) {
        if (!r->table->pairs[i].used) {
            map_fail(r, r->table->pairs[i].begin, r->table->pairs[i].end,
                     "unknown name '%.*s': an action has do and weight",
                     STR_ARG(r->table->pairs[i].key));
        }
    }
    return events != NULL ? &events->value : NULL;
}

void map_actions(struct reading *r, struct toml_table *table)
{
    r->map->actions = ARENA_ARRAY(r->arena, struct map_action, table->n + 1);
    r->map->labels = ARENA_ARRAY(r->arena, struct str, table->n + 1);
    for (size_t i = 0; i < table->n; i++) {
        struct toml_pair *pair = &table->pairs[i];
        struct map_action *action = &r->map->actions[r->map->n_actions];
        *action = (struct map_action){.weight = 1, .begin = pair->begin, .end = pair->end};
        pair->used = true;
        if (!label(r, pair, action)) {
            continue;
        }
        r->map->labels[r->map->n_actions++] = action->name;
        const struct toml_value *what = &pair->value;
        if (what->kind == TOML_TABLE) {
            struct toml_table *outer = r->table;
            r->table = what->table;
            what = action_table(r, action);
            r->table = outer;
        }
        action->automatic = what == NULL;
        if (what != NULL) {
            map_steps(r, what, action->params, &action->steps, &action->n);
        }
    }
}

/* ---- layouts ---- */

struct layout {
    struct reading *r;
    struct str text;
    size_t at, begin;
    unsigned depth;
};

enum { LAYOUT_DEPTH = 16 };

static bool layout_fail(struct layout *l, const char *what)
{
    size_t at = l->begin + l->at;
    map_fail(l->r, at, at + 1, "%s", what);
    return false;
}

static void skip(struct layout *l)
{
    while (l->at < l->text.n && isspace((unsigned char)l->text.p[l->at])) {
        l->at++;
    }
}

static bool see(struct layout *l, char c)
{
    skip(l);
    if (l->at < l->text.n && l->text.p[l->at] == c) {
        l->at++;
        return true;
    }
    return false;
}

static struct str word(struct layout *l)
{
    skip(l);
    size_t begin = l->at;
    while (l->at < l->text.n &&
           (isalnum((unsigned char)l->text.p[l->at]) || l->text.p[l->at] == '_')) {
        l->at++;
    }
    return (struct str){l->text.p + begin, l->at - begin};
}

/* [n] or [name of an earlier field] */
static bool count_of(struct layout *l, struct map_field *f)
{
    struct str name = word(l);
    if (name.n == 0 || !see(l, ']')) {
        return layout_fail(l, "expected a number or the name of a field, and ]");
    }
    if (isdigit((unsigned char)name.p[0])) {
        f->count = strtoull(arena_strndup(l->r->arena, name.p, name.n), NULL, 0);
    } else {
        f->count_name = name;
    }
    return true;
}

static bool int_type(struct str type, struct map_field *f)
{
    static const char *const widths[] = {"8", "16", "32", "64"};
    if (type.n < 2 || (type.p[0] != 'u' && type.p[0] != 'i')) {
        return false;
    }
    f->is_signed = type.p[0] == 'i';
    struct str rest = {type.p + 1, type.n - 1};
    if (rest.n > 2 && memcmp(rest.p + rest.n - 2, "be", 2) == 0) {
        f->big = true;
        rest.n -= 2;
    } else if (rest.n > 2 && memcmp(rest.p + rest.n - 2, "le", 2) == 0) {
        rest.n -= 2;
    }
    for (uint8_t i = 0; i < 4; i++) {
        if (str_is(rest, widths[i])) {
            f->kind = FIELD_INT;
            f->width = (uint8_t)(1U << i);
            return true;
        }
    }
    return false;
}

static bool constant_of(struct layout *l, struct map_field *f)
{
    skip(l);
    char *end = NULL;
    f->constant = strtoll(l->text.p + l->at, &end, 0);
    if (end == l->text.p + l->at) {
        return layout_fail(l, "expected a number after =");
    }
    l->at = (size_t)(end - l->text.p);
    f->has_const = true;
    return true;
}

static bool layout_fields(struct layout *l, char close, struct map_field **ret, size_t *ret_n);

static bool layout_type(struct layout *l, struct map_field *f);

/* After [. */
static bool layout_array(struct layout *l, struct map_field *f)
{
    f->kind = FIELD_ARRAY;
    if (!count_of(l, f)) {
        return false;
    }
    if (see(l, '{')) {
        return layout_fields(l, '}', &f->fields, &f->n);
    }
    f->plain = true;
    f->n = 1;
    f->fields = ARENA_NEW(l->r->arena, struct map_field);
    return layout_type(l, f->fields);
}

static bool layout_type(struct layout *l, struct map_field *f)
{
    if (see(l, '[')) {
        if (++l->depth > LAYOUT_DEPTH) {
            return layout_fail(l, "sequences are nested too deeply");
        }
        bool good = layout_array(l, f);
        l->depth--;
        return good;
    }
    struct str type = word(l);
    if (int_type(type, f)) {
        return see(l, '=') ? constant_of(l, f) : true;
    }
    bool chars = str_is(type, "char"), text = str_is(type, "str"), skipped = str_is(type, "skip");
    if (chars || text || skipped) {
        f->kind = chars ? FIELD_CHARS : text ? FIELD_TEXT : FIELD_SKIP;
        return see(l, '[') ? count_of(l, f) : layout_fail(l, "expected [length]");
    }
    if (str_is(type, "rest")) {
        f->kind = FIELD_REST;
        return true;
    }
    return layout_fail(l, "expected a type: u8 u16 u32 u64 i8 ... (le, be), char[N], str[N], "
                          "skip[N], rest, [N]type or [N]{...}");
}

static bool layout_fields(struct layout *l, char close, struct map_field **ret, size_t *ret_n)
{
    *ret = ARENA_ARRAY(l->r->arena, struct map_field, l->text.n / 2 + 2);
    for (;;) {
        skip(l);
        if (l->at == l->text.n) {
            return close == '\0' ? true : layout_fail(l, "} is missing");
        }
        if (close != '\0' && see(l, close)) {
            return true;
        }
        struct map_field *f = &(*ret)[(*ret_n)++];
        f->name = word(l);
        if (f->name.n == 0 || !see(l, ':')) {
            return layout_fail(l, "expected name:type");
        }
        if (!layout_type(l, f)) {
            return false;
        }
    }
}

bool map_fields(struct reading *r, const struct toml_value *value, struct map_field **ret,
                size_t *ret_n)
{
    struct layout l = {r, value->text, 0, value->begin, 0};
    *ret_n = 0;
    return layout_fields(&l, '\0', ret, ret_n);
}
