/* Paths: parsing, finding their variables, and checking their members against types.
 *
 *     path  = "*" path | "(" type ")" path | term step*
 *     term  = "(" path ")" | [file ":"] name | "`" any "`"
 *     step  = "." name | "->" name | "@" name | "[" "*" "]" | "[" sum "]" | "[" sum ".." sum "]"
 *     sum   = item (("+" | "-") item)*         item = number | "'" text "'" | '"' text '"' | path
 *
 * A name may have dots of its own (Go's main.state): the longest beginning that is a variable is
 * taken for it, and the rest are members. "*" binds less than the steps, as in C, so it becomes the
 * last step. So does a cast; but what lies behind a pointer to nothing in particular has no
 * members, so a cast belongs to the first of these on the path: (struct raft *)self.impl->term. */
#include <ctype.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/near.h"
#include "base/str.h"
#include "dwarf/dwarf.h"
#include "dwarf/dwarf_int.h"

#define NESTING_MAX 32

struct parser {
    struct dwarf *bin;
    struct arena *arena;
    struct str text;
    size_t pos;
    unsigned nesting;
    struct err *err;
};

static int parse_path(struct parser *p, struct dwarf_path **ret);
static struct step **cast_position(struct dwarf_path *path);

static char peek(const struct parser *p, size_t ahead)
{
    return p->pos + ahead < p->text.n ? p->text.p[p->pos + ahead] : 0;
}

static void skip_space(struct parser *p)
{
    while (peek(p, 0) == ' ' || peek(p, 0) == '\t') {
        p->pos++;
    }
}

static bool accept(struct parser *p, const char *token)
{
    skip_space(p);
    size_t n = strlen(token);
    if (p->text.n - p->pos < n || memcmp(p->text.p + p->pos, token, n) != 0) {
        return false;
    }
    p->pos += n;
    return true;
}

static int fail_at(struct parser *p, size_t at, const char *what)
{
    return err_set(p->err, ERR_INVALID, 0, "`%.*s', character %zu: %s", STR_ARG(p->text), at + 1,
                   what);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}

static int parse_word(struct parser *p, struct str *ret)
{
    skip_space(p);
    size_t begin = p->pos;
    while (is_word(peek(p, 0))) {
        p->pos++;
    }
    *ret = (struct str){p->text.p + begin, p->pos - begin};
    return ret->n ? 0 : fail_at(p, begin, "a name is missing");
}

/* "raft-log.c:" in front of a name: one colon, and only what file names consist of. */
static struct str parse_file(struct parser *p)
{
    size_t n = 0;
    while (is_word(peek(p, n)) || strchr("./-+", peek(p, n) ? peek(p, n) : ' ')) {
        n++;
    }
    if (n == 0 || peek(p, n) != ':' || peek(p, n + 1) == ':') {
        return STR("");
    }
    struct str file = {p->text.p + p->pos, n};
    p->pos += n + 1;
    return file;
}

/* The end of word(sep word)*, where sep is "::", or one of those in `more`. */
static size_t name_end(const struct parser *p, const char *more)
{
    size_t n = 0;
    for (;;) {
        while (is_word(peek(p, n))) {
            n++;
        }
        char c = peek(p, n);
        if (c == ':' && peek(p, n + 1) == ':' && is_word(peek(p, n + 2))) {
            n += 2;
        } else if (c && strchr(more, c) && is_word(peek(p, n + 1))) {
            n++;
        } else {
            return n;
        }
    }
}

static int parse_name(struct parser *p, bool has_file, struct str *ret)
{
    const char *begin = p->text.p + p->pos;
    if (accept(p, "`")) {
        begin = p->text.p + p->pos;
        const char *end = memchr(begin, '`', p->text.n - p->pos);
        if (!end || end == begin) {
            return fail_at(p, p->pos, "a name between backquotes is missing");
        }
        *ret = (struct str){begin, (size_t)(end - begin)};
        p->pos += ret->n + 1;
        return 0;
    }
    size_t shortest = name_end(p, ""), n = has_file ? shortest : name_end(p, "./-");
    while (n > shortest && !index_has(p->bin, (struct str){begin, n})) {
        do {
            n--;
        } while (n > shortest && begin[n] != '.');
    }
    *ret = (struct str){begin, n};
    p->pos += n;
    return n ? 0 : fail_at(p, p->pos, "the name of a variable is missing");
}

static int parse_variable(struct parser *p, struct dwarf_path *path)
{
    struct str name = STR("");
    struct dvar *var = NULL;
    skip_space(p);
    size_t at = p->pos;
    struct str file = parse_file(p);
    int status = parse_name(p, file.n > 0, &name);
    status = status ? status : index_find(p->bin, name, file, &var, p->err);
    status = status ? status : var_locate(p->bin, var, path, p->err);
    if (status != 0) {
        return status;
    }
    path->at = at;
    path->name = name;
    path->type = type_of(p->bin, &var->die, var->lang);
    Dwarf_Attribute attr;
    Dwarf_Die origin;
    if (!path->type && dwarf_attr(&var->die, DW_AT_specification, &attr) &&
        dwarf_formref_die(&attr, &origin)) {
        path->type = type_of(p->bin, &origin, var->lang);
    }
    return path->type ? 0 : fail_at(p, at, "the variable has no type in the debug information");
}

static int parse_number(struct parser *p, struct bound *item)
{
    size_t begin = p->pos;
    int64_t value = 0;
    while (isdigit((unsigned char)peek(p, 0))) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, peek(p, 0) - '0', &value)) {
            return fail_at(p, begin, "the number is too large");
        }
        p->pos++;
    }
    item->number = value;
    return 0;
}

static int parse_item(struct parser *p, struct bound **ret)
{
    struct bound *item = ARENA_NEW(p->arena, struct bound);
    skip_space(p);
    char quote = peek(p, 0);
    *ret = item;
    if (isdigit((unsigned char)quote)) {
        return parse_number(p, item);
    }
    if (quote == '"' || quote == '\'') {
        const char *begin = p->text.p + p->pos + 1;
        const char *end = memchr(begin, quote, p->text.n - p->pos - 1);
        if (!end) {
            return fail_at(p, p->pos, "the text has no end");
        }
        item->is_text = true;
        item->text = (struct str){begin, (size_t)(end - begin)};
        p->pos += item->text.n + 2;
        return 0;
    }
    return parse_path(p, &item->path);
}

static int parse_sum(struct parser *p, struct bound **ret)
{
    struct bound **next = ret;
    bool minus = false;
    do {
        int status = parse_item(p, next);
        if (status != 0) {
            return status;
        }
        (*next)->minus = minus;
        next = &(*next)->next;
        skip_space(p);
        minus = peek(p, 0) == '-';
    } while (accept(p, "+") || accept(p, "-"));
    return 0;
}

static int parse_bracket(struct parser *p, struct step *step)
{
    step->kind = STEP_INDEX;
    skip_space(p);
    if (peek(p, 0) == '*') { /* [*], but [*p] is an index */
        size_t begin = p->pos++;
        if (accept(p, "]")) {
            step->kind = STEP_ALL;
            return 0;
        }
        p->pos = begin;
    }
    int status = parse_sum(p, &step->lo);
    if (status == 0 && accept(p, "..")) {
        step->kind = STEP_RANGE;
        status = parse_sum(p, &step->hi);
    }
    if (status == 0 && !accept(p, "]")) {
        status = fail_at(p, p->pos, "] is missing");
    }
    return status;
}

/* *ret is NULL when no step follows. */
static int parse_step(struct parser *p, struct step **ret)
{
    struct step *step = ARENA_NEW(p->arena, struct step);
    skip_space(p);
    step->at = p->pos;
    *ret = step;
    if (accept(p, "[")) {
        return parse_bracket(p, step);
    }
    step->kind = STEP_MEMBER;
    if (accept(p, "->")) {
        return parse_word(p, &step->name);
    }
    if (peek(p, 0) == '.' && peek(p, 1) != '.') {
        p->pos++;
        return parse_word(p, &step->name);
    }
    if (accept(p, "@")) {
        step->kind = STEP_LIST;
        return parse_word(p, &step->name);
    }
    *ret = NULL;
    return 0;
}

/* The text of a type in parentheses, when what follows is a path: "(a)->b" is no cast. */
static bool cast_ahead(const struct parser *p, struct str *ret)
{
    if (peek(p, 0) != '(') {
        return false;
    }
    const char *begin = p->text.p + p->pos + 1, *end = memchr(begin, ')', p->text.n - p->pos - 1);
    size_t after = end ? (size_t)(end - p->text.p) + 1 : p->text.n;
    while (after < p->text.n && p->text.p[after] == ' ') {
        after++;
    }
    char next = after < p->text.n ? p->text.p[after] : 0;
    if (!end || memchr(begin, '(', (size_t)(end - begin)) ||
        !(is_word(next) || next == '(' || next == '*' || next == '`')) {
        return false;
    }
    *ret = (struct str){begin, (size_t)(end - begin)};
    return true;
}

/* "struct raft *": a name, perhaps with what C puts in front of it, and stars. */
static struct dtype *cast_type(struct dwarf *bin, struct str text)
{
    static const char *const words[] = {"const ", "struct ", "union ", "enum ", "class "};
    bool tagged = false;
    size_t stars = 0;
    Dwarf_Die die, unit;
    text = str_trim(text);
    for (; text.n > 0 && text.p[text.n - 1] == '*'; stars++) {
        text = str_trim((struct str){text.p, text.n - 1});
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t n = strlen(words[i]);
        if (text.n > n && memcmp(text.p, words[i], n) == 0) {
            tagged = tagged || i > 0;
            text = str_trim((struct str){text.p + n, text.n - n});
        }
    }
    if (text.n == 0 || stars > DWARF_PEEL_MAX || !index_type(bin, text, tagged, &die)) {
        return NULL;
    }
    int lang = dwarf_diecu(&die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : 0;
    struct dtype *type = type_from(bin, die, lang);
    for (; type && stars > 0; stars--) {
        type = type_pointer(bin, type);
    }
    return type;
}

static int parse_cast(struct parser *p, struct str text, struct dwarf_path **ret)
{
    size_t at = p->pos;
    struct dtype *type = cast_type(p->bin, text);
    if (!type) {
        return err_set(p->err, ERR_NOT_FOUND, 0, "`%.*s', character %zu: there is no type `%.*s'",
                       STR_ARG(p->text), at + 2, STR_ARG(text));
    }
    p->pos += text.n + 2;
    int status = parse_path(p, ret);
    if (status != 0 || !*ret) {
        return status;
    }
    struct step *cast = ARENA_NEW(p->arena, struct step);
    *cast = (struct step){.kind = STEP_CAST, .at = at, .type = type};
    struct step **next = cast_position(*ret);
    cast->next = *next;
    *next = cast;
    return 0;
}

static int parse_path(struct parser *p, struct dwarf_path **ret)
{
    size_t at = p->pos, stars = 0;
    int status = 0;
    struct str type;
    if (p->nesting >= NESTING_MAX) {
        return fail_at(p, p->pos, "nested too deeply");
    }
    p->nesting++;
    for (; accept(p, "*"); stars++) {
    }
    skip_space(p);
    struct dwarf_path *path = NULL;
    if (cast_ahead(p, &type)) {
        status = parse_cast(p, type, &path);
    } else if (accept(p, "(")) {
        status = parse_path(p, &path);
        if (status == 0 && !accept(p, ")")) {
            status = fail_at(p, p->pos, ") is missing");
        }
    } else {
        path = ARENA_NEW(p->arena, struct dwarf_path);
        path->bin = p->bin;
        status = parse_variable(p, path);
    }
    if (status != 0 || !path) {
        return status;
    }
    struct step **next = &path->steps;
    while (*next) {
        next = &(*next)->next;
    }
    for (;;) {
        struct step *step = NULL;
        status = parse_step(p, &step);
        if (status != 0 || !step) {
            break;
        }
        *next = step;
        next = &step->next;
    }
    for (; stars > 0; stars--) {
        *next = ARENA_NEW(p->arena, struct step);
        (*next)->kind = STEP_DEREF;
        (*next)->at = at;
        next = &(*next)->next;
    }
    p->nesting--;
    *ret = path;
    return status;
}

/* ---- checking against types -------------------------------------------------------------------
 */

/* What a message calls a type. */
static struct str called(const struct dtype *type)
{
    return type->name.n               ? type->name
           : type->kind == TY_STRUCT  ? STR("a structure without a name")
           : type->kind == TY_UNION   ? STR("a union without a name")
           : type->kind == TY_POINTER ? STR("a pointer")
                                      : STR("a type without a name");
}

/* The names that may follow a type: also those of anonymous members and bases, which are used as if
 * they were its own. `budget` as in type.c. */
static void list_members(struct dwarf *bin, struct dtype *type, unsigned *budget, struct near *near,
                         struct strbuf *out)
{
    if (*budget == 0 || (type->kind != TY_STRUCT && type->kind != TY_UNION)) {
        return;
    }
    --*budget;
    type_load(bin, type);
    for (size_t i = 0; i < type->nfields; i++) {
        const struct dfield *field = &type->fields[i];
        if (field->name.n == 0 || field->base) {
            list_members(bin, field->type, budget, near, out);
            continue;
        }
        near_try(near, field->name);
        if (out->n < 160) {
            strbuf_printf(out, "%s%.*s", out->n ? ", " : "", STR_ARG(field->name));
        }
    }
}

static int no_member(struct dwarf_path *path, const struct step *step, struct dtype *type,
                     struct err *err)
{
    SCOPED_STRBUF names = {0};
    SCOPED_STRBUF hint = {0};
    struct near near = near_to(step->name);
    unsigned budget = 256;
    list_members(path->bin, type, &budget, &near, &names);
    near_add(&near, &hint, "; did you mean ", "?");
    return err_set(err, ERR_NOT_FOUND, 0,
                   "`%.*s', character %zu: %.*s has no member %.*s (it has %s)%s",
                   STR_ARG(path->text), step->at + 1, STR_ARG(called(type)), STR_ARG(step->name),
                   names.n ? strbuf_cstr(&names) : "none", strbuf_cstr(&hint));
}

/* Through pointers and wrappers, to something with members; NULL when types do not tell. */
static struct dtype *holder(struct dwarf *bin, struct dtype *type, struct str name)
{
    for (int i = 0; type && i < DWARF_PEEL_MAX; i++) {
        struct dfield field;
        if (type->kind == TY_POINTER) {
            type = type_target(bin, type);
        } else if ((type->kind == TY_STRUCT || type->kind == TY_UNION) &&
                   !type_member(bin, type, name, &field) && shape_of(bin, type) != SHAPE_PLAIN) {
            return NULL;
        } else {
            return type;
        }
    }
    return NULL;
}

static bool is_blank(struct dwarf *bin, struct dtype *type)
{
    return type->kind == TY_POINTER &&
           (!type_target(bin, type) || type_target(bin, type)->kind == TY_VOID);
}

/* The same bytes, seen as another type: a pointer as another, a number as an enumeration. */
static int check_cast(struct dwarf_path *path, const struct step *step, struct dtype *type,
                      struct dtype **ret, struct err *err)
{
    uint64_t from = type_size(path->bin, type), to = type_size(path->bin, step->type);
    if (to == 0 || from < to) {
        return err_set(err, ERR_INVALID, 0,
                       "`%.*s', character %zu: %.*s has %" PRIu64 " bytes and cannot be seen as "
                       "%.*s, which has %" PRIu64,
                       STR_ARG(path->text), step->at + 1, STR_ARG(called(type)), from,
                       STR_ARG(called(step->type)), to);
    }
    *ret = step->type;
    return 0;
}

/* The type after a step; *ret NULL when it cannot be known before reading. */
static int check_step(struct dwarf_path *path, const struct step *step, struct dtype *type,
                      struct dtype **ret, struct err *err)
{
    struct dwarf *bin = path->bin;
    struct dfield field;
    *ret = NULL;
    if (step->kind == STEP_DEREF) {
        if (type->kind != TY_POINTER && shape_of(bin, type) != SHAPE_WRAPPER) {
            return err_set(err, ERR_INVALID, 0, "`%.*s', character %zu: %.*s is not a pointer",
                           STR_ARG(path->text), step->at + 1, STR_ARG(called(type)));
        }
        *ret = type->kind == TY_POINTER ? type_target(bin, type) : NULL;
        return 0;
    }
    if (step->kind == STEP_CAST) {
        return check_cast(path, step, type, ret, err);
    }
    if (step->kind == STEP_MEMBER || step->kind == STEP_LIST) {
        struct dtype *at = holder(bin, type, step->name);
        if (!at) {
            return 0;
        }
        type_load(bin, at);
        if (!type_member(bin, at, step->name, &field)) {
            bool maybe = at->nvariants > 0 || isdigit((unsigned char)step->name.p[0]);
            return maybe ? 0 : no_member(path, step, at, err);
        }
        *ret = step->kind == STEP_LIST ? at : field.type;
        return 0;
    }
    if (map_is(bin, type) || shape_of(bin, type) == SHAPE_WRAPPER ||
        (type->kind == TY_POINTER && (type->lang == DW_LANG_Go || type->lang == DW_LANG_Rust))) {
        return 0;
    }
    *ret = shape_element(bin, type);
    if (!*ret) {
        return err_set(err, ERR_INVALID, 0, "`%.*s', character %zu: %.*s has no elements",
                       STR_ARG(path->text), step->at + 1, STR_ARG(called(type)));
    }
    return 0;
}

static int check_path(struct dwarf_path *path, struct err *err);

static int check_bound(struct bound *bound, struct str text, struct err *err)
{
    int status = 0;
    for (; bound && status == 0; bound = bound->next) {
        if (bound->path) {
            bound->path->text = text;
            status = check_path(bound->path, err);
        }
    }
    return status;
}

static int check_path(struct dwarf_path *path, struct err *err)
{
    struct dtype *type = path->type;
    for (struct step *step = path->steps; step; step = step->next) {
        int status = check_bound(step->lo, path->text, err);
        status = status ? status : check_bound(step->hi, path->text, err);
        if (status == 0 && type) {
            status = check_step(path, step, type, &type, err);
        }
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

/* Where a cast belongs: after the first step that gives a pointer to nothing in particular, or at
 * the end. */
static struct step **cast_position(struct dwarf_path *path)
{
    struct dtype *type = path->type;
    struct step **next = &path->steps;
    while (*next && ((*next)->kind == STEP_CAST || !type || !is_blank(path->bin, type))) {
        struct err ignored = {0};
        if (type && check_step(path, *next, type, &type, &ignored) != 0) {
            type = NULL;
        }
        next = &(*next)->next;
    }
    return next;
}

int dwarf_path_new(struct dwarf *bin, struct arena *arena, struct str text, struct dwarf_path **ret,
                   struct err *err)
{
    struct parser p = {.bin = bin, .arena = arena, .text = str_dup(arena, text), .err = err};
    struct dwarf_path *path = NULL;
    int status = parse_path(&p, &path);
    skip_space(&p);
    if (status == 0 && p.pos < p.text.n) {
        status = fail_at(&p, p.pos, "this was not expected here");
    }
    if (status == 0) {
        path->text = p.text;
        status = check_path(path, err);
    }
    if (status == 0) {
        *ret = path;
    }
    return status;
}
