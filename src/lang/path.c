/* Paths into the objects of a runtime: the grammar, and following them. What a name, an element or
 * a value is, each runtime says itself (struct lang_ops). */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"
#include "lang/lang.h"
#include "lang/lang_int.h"

enum { LIST_MOST = 65536 };

/* ---- the grammar ---- */

struct lparser {
    struct arena *arena;
    struct str text;
    size_t at;
    struct err *err;
};

static char peek(const struct lparser *p)
{
    return p->at < p->text.n ? p->text.p[p->at] : '\0';
}

static bool accept(struct lparser *p, const char *token)
{
    size_t n = strlen(token);
    if (p->text.n - p->at < n || memcmp(p->text.p + p->at, token, n) != 0) {
        return false;
    }
    p->at += n;
    return true;
}

static int fail_at(struct lparser *p, const char *what)
{
    return err_set(p->err, ERR_INVALID, 0, "`%.*s', character %zu: %s", STR_ARG(p->text), p->at + 1,
                   what);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}

static int parse_word(struct lparser *p, struct str *ret)
{
    size_t begin = p->at;
    while (is_word(peek(p))) {
        p->at++;
    }
    *ret = (struct str){p->text.p + begin, p->at - begin};
    return ret->n != 0 ? 0 : fail_at(p, "a name is missing");
}

static int parse_number(struct lparser *p, int64_t *ret)
{
    int64_t n = 0;
    bool minus = accept(p, "-");
    if (!isdigit((unsigned char)peek(p))) {
        return fail_at(p, "a number is missing");
    }
    for (; isdigit((unsigned char)peek(p)); p->at++) {
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, peek(p) - '0', &n)) {
            return fail_at(p, "the number is too large");
        }
    }
    *ret = minus ? -n : n;
    return 0;
}

static int parse_text(struct lparser *p, char quote, struct str *ret)
{
    const char *begin = p->text.p + p->at;
    const char *end = memchr(begin, quote, p->text.n - p->at);
    if (end == NULL) {
        return fail_at(p, "the text has no end");
    }
    *ret = (struct str){begin, (size_t)(end - begin)};
    p->at += ret->n + 1;
    return 0;
}

/* After [ */
static int parse_bracket(struct lparser *p, struct lstep *step)
{
    int status = 0;
    if (accept(p, "*")) {
        step->kind = LSTEP_RANGE;
        step->hi = INT64_MAX;
    } else if (peek(p) == '"' || peek(p) == '\'') {
        step->kind = LSTEP_KEY;
        status = parse_text(p, p->text.p[p->at++], &step->name);
    } else {
        step->kind = LSTEP_INDEX;
        status = parse_number(p, &step->lo);
        if (status == 0 && accept(p, "..")) {
            step->kind = LSTEP_RANGE;
            step->hi = INT64_MAX;
            status = peek(p) == ']' ? 0 : parse_number(p, &step->hi);
        }
    }
    if (status == 0 && !accept(p, "]")) {
        status = fail_at(p, "] is missing");
    }
    return status;
}

/* *ret stays NULL at the end. */
static int parse_step(struct lparser *p, bool first, struct lstep **ret)
{
    struct lstep step = {.at = p->at, .kind = LSTEP_NAME};
    int status = 0;
    if (p->at == p->text.n) {
        return first ? fail_at(p, "a name is missing") : 0;
    }
    if (first || accept(p, ".")) {
        status = parse_word(p, &step.name);
        step.maybe = !first && status == 0 && accept(p, "?");
    } else if (accept(p, "[")) {
        status = parse_bracket(p, &step);
    } else if (accept(p, "@")) {
        step.kind = LSTEP_LIST;
        status = parse_word(p, &step.name);
    } else if (accept(p, "()")) {
        step.kind = LSTEP_CALL;
    } else {
        status = fail_at(p, "this was not expected here");
    }
    if (status == 0) {
        *ret = ARENA_NEW(p->arena, struct lstep);
        **ret = step;
    }
    return status;
}

/* function() only at the beginning, and in Python only. */
static int check_calls(struct lparser *p, const struct lang_path *path)
{
    bool names = path->instance.n == 0;
    for (const struct lstep *s = path->steps; s != NULL; s = s->next) {
        if (s->kind == LSTEP_CALL && (!names || path->lang != LANG_PYTHON)) {
            p->at = s->at;
            return fail_at(p, path->lang == LANG_PYTHON
                                  ? "() belongs to the function that the path begins with"
                                  : "Java's local variables cannot be read");
        }
        names = names && s->kind == LSTEP_NAME;
    }
    return 0;
}

int lang_path_new(enum lang lang, struct arena *arena, struct str text, struct lang_path **ret,
                  struct err *err)
{
    struct lparser p = {.arena = arena, .text = str_dup(arena, text), .err = err};
    struct lang_path *path = ARENA_NEW(arena, struct lang_path);
    path->lang = lang;
    path->text = p.text;
    if (accept(&p, "<")) {
        size_t begin = p.at;
        while (is_word(peek(&p)) || peek(&p) == '.') {
            p.at++;
        }
        path->instance = (struct str){p.text.p + begin, p.at - begin};
        if (path->instance.n == 0 || !accept(&p, ">")) {
            return fail_at(&p, "the name of a class and > are missing");
        }
    }
    struct lstep **next = &path->steps;
    for (bool first = path->instance.n == 0;; first = false) {
        int status = parse_step(&p, first, next);
        if (status != 0) {
            return status;
        }
        if (*next == NULL) {
            break;
        }
        next = &(*next)->next;
    }
    int status = check_calls(&p, path);
    *ret = status == 0 ? path : NULL;
    return status;
}

/* ---- reading ---- */

int lread(struct lreader *rd, uint64_t addr, void *buf, size_t n)
{
    return rd->memory->read(rd->memory->arg, addr, buf, n) == 0
               ? 0
               : err_set(rd->err, ERR_IO, 0, "cannot read %zu bytes at 0x%" PRIx64, n, addr);
}

int lread_word(struct lreader *rd, uint64_t addr, uint64_t *ret)
{
    return lread(rd, addr, ret, sizeof *ret);
}

int lread_limit(struct lreader *rd, uint64_t more)
{
    if (more > rd->limits.values || rd->values > rd->limits.values - more) {
        return err_set(rd->err, ERR_LIMIT, 0,
                       "more than %zu values: choose a smaller part, for example [0..10]",
                       rd->limits.values);
    }
    rd->values += more;
    return 0;
}

uint64_t lfound_get(const struct lreader *rd, struct str name)
{
    for (size_t i = 0; i < FOUND_MOST && rd->memory->moment != 0; i++) {
        const struct lfound *f = &rd->runtime->found[i];
        if (f->moment == rd->memory->moment && str_eq(f->name, name)) {
            return f->addr;
        }
    }
    return 0;
}

void lfound_put(struct lreader *rd, struct str name, uint64_t addr)
{
    struct lang_runtime *r = rd->runtime;
    size_t at = 0;
    while (at < FOUND_MOST && !str_eq(r->found[at].name, name)) {
        at++;
    }
    if (at == FOUND_MOST) {
        at = r->next_found++ % FOUND_MOST;
        r->found[at].name = str_dup(r->arena, name);
    }
    r->found[at].moment = rd->memory->moment;
    r->found[at].addr = addr;
}

void lrefs_add(struct lreader *rd, struct lrefs *refs, struct lref ref)
{
    if (refs->n == refs->cap) {
        size_t cap = refs->cap * 2 + 16;
        struct lref *v = ARENA_ARRAY(rd->arena, struct lref, cap);
        if (refs->n != 0) {
            memcpy(v, refs->v, refs->n * sizeof *v);
        }
        refs->v = v;
        refs->cap = cap;
    }
    refs->v[refs->n++] = ref;
}

void lread_utf8(struct strbuf *out, uint32_t c)
{
    if (c < 0x80) {
        strbuf_addc(out, (char)c);
    } else if (c < 0x800) {
        strbuf_addc(out, (char)(0xc0 | c >> 6));
        strbuf_addc(out, (char)(0x80 | (c & 63)));
    } else if (c < 0x10000) {
        strbuf_addc(out, (char)(0xe0 | c >> 12));
        strbuf_addc(out, (char)(0x80 | (c >> 6 & 63)));
        strbuf_addc(out, (char)(0x80 | (c & 63)));
    } else {
        strbuf_addc(out, (char)(0xf0 | (c >> 18 & 7)));
        strbuf_addc(out, (char)(0x80 | (c >> 12 & 63)));
        strbuf_addc(out, (char)(0x80 | (c >> 6 & 63)));
        strbuf_addc(out, (char)(0x80 | (c & 63)));
    }
}

int lread_none(struct lreader *rd, const char *what, struct str name)
{
    return err_set(rd->err, ERR_NOT_FOUND, 0, "%s %.*s", what, STR_ARG(name));
}

void lread_tell(struct lreader *rd, const char *what, struct str name, struct lref at)
{
    if (rd->steps == NULL) {
        return;
    }
    strbuf_printf(rd->steps, "%s%.*s: ", what, STR_ARG(name));
    struct err before = *rd->err;
    rd->runtime->ops->type(rd, at, rd->steps);
    *rd->err = before; /* that is for people only */
    if (at.prim == 0 && at.addr != 0) {
        strbuf_printf(rd->steps, " at 0x%" PRIx64, at.addr);
    }
    strbuf_adds(rd->steps, "\n");
}

/* ---- values ---- */

static int compare(const struct dwarf_value *a, const struct dwarf_value *b)
{
    return dwarf_value_cmp(a, b);
}

static int compare_items(const void *a, const void *b)
{
    return compare(a, b); /* of a map the keys come first */
}

void lvalue_sort(struct dwarf_value *value)
{
    size_t each = value->kind == DWARF_MAP ? 2 : 1;
    if (value->n > each) {
        qsort(value->items, value->n / each, each * sizeof value->items[0], compare_items);
    }
}

int lvalue_opaque(struct lreader *rd, struct dwarf_value *ret, struct str name, const char *why)
{
    ret->kind = DWARF_OPAQUE;
    ret->text = str_of(arena_printf(rd->arena, "%.*s%s", STR_ARG(name), why));
    return 0;
}

/* ---- following a path ---- */

static int steps_read(struct lreader *rd, struct lref at, const struct lstep *step,
                      struct dwarf_value *ret);

static int range_read(struct lreader *rd, const struct lrefs *refs, const struct lstep *step,
                      struct dwarf_value *ret)
{
    int64_t n = (int64_t)refs->n, lo = step->lo, hi = step->hi == INT64_MAX ? n : step->hi;
    if (lo < 0 || hi < lo || hi > n) {
        return err_set(rd->err, ERR_INVALID, 0,
                       "[%" PRId64 "..%" PRId64 "] of %" PRId64 " elements", lo, hi, n);
    }
    ret->kind = DWARF_ARRAY;
    ret->n = (size_t)(hi - lo);
    ret->items = ARENA_ARRAY(rd->arena, struct dwarf_value, ret->n + 1);
    struct strbuf *steps = rd->steps;
    if (steps != NULL) {
        strbuf_printf(steps, "%zu element%s%s\n", ret->n, ret->n == 1 ? "" : "s",
                      ret->n > 1 && step->next != NULL ? "; of the first:" : "");
    }
    int status = 0;
    for (int64_t i = lo; status == 0 && i < hi; i++) {
        status = steps_read(rd, refs->v[i], step->next, &ret->items[i - lo]);
        rd->steps = NULL;
    }
    rd->steps = steps;
    return status;
}

/* All values of a map, with what follows applied to each. */
static int map_read(struct lreader *rd, const struct lrefs *keys, const struct lrefs *values,
                    const struct lstep *step, struct dwarf_value *ret)
{
    int status = 0;
    struct strbuf *steps = rd->steps;
    ret->kind = DWARF_MAP;
    ret->n = 2 * keys->n;
    ret->items = ARENA_ARRAY(rd->arena, struct dwarf_value, ret->n + 1);
    for (size_t i = 0; status == 0 && i < keys->n; i++) {
        status = rd->runtime->ops->value(rd, keys->v[i], 1, rd->limits.follow, &ret->items[2 * i]);
        if (status == 0) {
            status = steps_read(rd, values->v[i], step->next, &ret->items[2 * i + 1]);
        }
        rd->steps = NULL;
    }
    rd->steps = steps;
    if (status == 0) {
        lvalue_sort(ret);
    }
    return status;
}

/* A list by a member: nodes until there is none, or the first again. */
static int list_items(struct lreader *rd, struct lref at, struct str name, struct lrefs *ret)
{
    uint64_t first = at.addr;
    struct dwarf_value nothing = {0};
    while (at.addr != 0) {
        int status = lread_limit(rd, 1);
        if (status != 0 || ret->n > LIST_MOST) {
            return status != 0 ? status : err_set(rd->err, ERR_LIMIT, 0, "the list has no end");
        }
        lrefs_add(rd, ret, at);
        status = rd->runtime->ops->member(rd, at, name, &at);
        if (status != 0) {
            return status;
        }
        if (rd->runtime->ops->value(rd, at, 0, 0, &nothing) == 0 && nothing.kind == DWARF_NULL) {
            return 0; /* Python's None is an object */
        }
        if (at.addr == first) {
            return 0;
        }
    }
    return 0;
}

static bool key_is(const struct dwarf_value *key, const struct lstep *step)
{
    if (step->kind == LSTEP_KEY) {
        return (key->kind == DWARF_STRING || key->kind == DWARF_ENUM) &&
               str_eq(key->text, step->name);
    }
    return (key->kind == DWARF_INT && key->i == step->lo) ||
           (key->kind == DWARF_UINT && step->lo >= 0 && key->u == (uint64_t)step->lo);
}

static int step_index(struct lreader *rd, struct lref at, const struct lstep *step,
                      struct lref *ret)
{
    struct lrefs keys = {0}, values = {0};
    bool map = false;
    int status = rd->runtime->ops->items(rd, at, &keys, &values, &map);
    for (size_t i = 0; status == 0 && map && i < keys.n; i++) {
        struct dwarf_value key = {0};
        status = rd->runtime->ops->value(rd, keys.v[i], 1, 0, &key);
        if (status == 0 && key_is(&key, step)) {
            *ret = values.v[i];
            return 0;
        }
    }
    if (status != 0) {
        return status;
    }
    if (step->kind == LSTEP_KEY) {
        return lread_none(rd, map ? "there is no key" : "it is no map, and has no key", step->name);
    }
    if (map) {
        return err_set(rd->err, ERR_NOT_FOUND, 0, "there is no key %" PRId64, step->lo);
    }
    int64_t i = step->lo < 0 ? step->lo + (int64_t)values.n : step->lo;
    if (i < 0 || i >= (int64_t)values.n) {
        return err_set(rd->err, ERR_INVALID, 0, "[%" PRId64 "] of %zu elements", step->lo,
                       values.n);
    }
    *ret = values.v[i];
    return 0;
}

static int spread(struct lreader *rd, struct lref at, const struct lstep *step,
                  struct dwarf_value *ret)
{
    struct lrefs keys = {0}, values = {0};
    bool map = false;
    if (step->kind == LSTEP_LIST) {
        struct lstep all = {.hi = INT64_MAX, .next = step->next};
        int status = list_items(rd, at, step->name, &values);
        return status != 0 ? status : range_read(rd, &values, &all, ret);
    }
    int status = rd->runtime->ops->items(rd, at, &keys, &values, &map);
    if (status != 0) {
        return status;
    }
    if (map && step->lo == 0 && step->hi == INT64_MAX) {
        return map_read(rd, &keys, &values, step, ret);
    }
    return map ? err_set(rd->err, ERR_INVALID, 0, "a map has keys, no positions")
               : range_read(rd, &values, step, ret);
}

static int steps_read(struct lreader *rd, struct lref at, const struct lstep *step,
                      struct dwarf_value *ret)
{
    for (; step != NULL; step = step->next) {
        int status = 0;
        switch (step->kind) {
        case LSTEP_NAME:
            status = rd->runtime->ops->member(rd, at, step->name, &at);
            if (status == 0) {
                lread_tell(rd, ".", step->name, at);
            } else if (status == -ERR_INVALID && step->maybe) {
                rd->err->code = ERR_NOT_FOUND;
                status = -ERR_NOT_FOUND;
            }
            break;
        case LSTEP_INDEX:
        case LSTEP_KEY:
            status = step_index(rd, at, step, &at);
            if (status == 0) {
                lread_tell(rd, "the element", STR(""), at);
            }
            break;
        case LSTEP_RANGE:
        case LSTEP_LIST: return spread(rd, at, step, ret);
        case LSTEP_CALL: status = err_set(rd->err, ERR_INVALID, 0, "no function here"); break;
        }
        if (status != 0) {
            return status;
        }
    }
    return rd->runtime->ops->value(rd, at, 0, rd->limits.follow, ret);
}

int lang_open(enum lang lang, const struct lang_memory *memory, struct arena *arena,
              struct lang_runtime **ret, struct err *err)
{
    return lang == LANG_PYTHON ? python_open(memory, arena, ret, err)
                               : java_open(memory, arena, ret, err);
}

int lang_read(struct lang_runtime *runtime, const struct lang_path *path,
              const struct lang_memory *memory, struct arena *arena, struct dwarf_value **ret,
              struct err *err)
{
    struct err local = {0};
    struct lreader rd = {.runtime = runtime,
                         .memory = memory,
                         .arena = arena,
                         .err = &local,
                         .steps = memory->steps};
    if (memory->limits != NULL) {
        rd.limits = *memory->limits;
    }
    rd.limits.values = rd.limits.values != 0 ? rd.limits.values : 65536;
    rd.limits.string_bytes = rd.limits.string_bytes != 0 ? rd.limits.string_bytes : 1U << 20;
    rd.limits.depth = rd.limits.depth != 0 ? rd.limits.depth : 64;
    rd.limits.follow = rd.limits.follow != 0 ? rd.limits.follow : 1;
    struct dwarf_value *value = ARENA_NEW(arena, struct dwarf_value);
    const struct lstep *rest = NULL;
    struct lref at = {0};
    int status = runtime->ops->root(&rd, path, &rest, &at);
    status = status != 0 ? status : steps_read(&rd, at, rest, value);
    if (status != 0) {
        if (err != NULL) {
            *err = local;
        }
        return err_wrap(err, "%.*s", STR_ARG(path->text));
    }
    *ret = value;
    return 0;
}
