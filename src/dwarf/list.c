/* What a program's debug information offers: its variables and their members as paths that
 * dwarf_path_new takes, for whoever wants to propose some. Pointers to structures are followed, a
 * pointer with a count beside it is an array of that many. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "dwarf/dwarf.h"
#include "dwarf/dwarf_int.h"

enum { LIST_DEPTH = 4 };

struct listing {
    struct dwarf *bin;
    struct arena *arena;
    dwarf_item_fn fn;
    void *arg;
    size_t left;
    const struct dtype *within[LIST_DEPTH + 1]; /* structures around */
};

static void emit(struct listing *l, enum dwarf_kind kind, struct dtype *type, struct str path)
{
    struct dwarf_item item = {.kind = kind, .path = path, .type = type->name};
    if (kind == DWARF_ENUM) {
        struct str *names = ARENA_ARRAY(l->arena, struct str, type->nenumerators + 1);
        for (size_t i = 0; i < type->nenumerators; i++) {
            names[i] = type->enumerators[i].name;
        }
        item.names = names;
        item.n_names = type->nenumerators;
    }
    if (l->left > 0) {
        l->left--;
        l->fn(l->arg, &item);
    }
}

static bool is_whole(const struct dtype *type)
{
    return type->kind == TY_INT || type->kind == TY_UINT;
}

/* The member that says how many `name` has: n_name, nname, num_name, name_n, name_count, ... */
static bool find_count(struct listing *l, struct dtype *owner, struct str name, struct str *ret)
{
    static const char *const before[] = {"n_", "n", "num_", "count_", "nr_", "len_"};
    static const char *const after[] = {"_n", "_count", "_len", "_size", "_num", "Count", "Len"};
    struct dfield field;
    for (size_t i = 0; owner != NULL && i < 13; i++) {
        const char *text = i < 6 ? arena_printf(l->arena, "%s%.*s", before[i], STR_ARG(name))
                                 : arena_printf(l->arena, "%.*s%s", STR_ARG(name), after[i - 6]);
        if (type_member(l->bin, owner, str_of(text), &field) && is_whole(field.type)) {
            *ret = str_of(text);
            return true;
        }
    }
    return false;
}

static void list_type(struct listing *l, struct dtype *type, struct str path, unsigned depth);

/* Members; `path` is that of the structure. */
static void list_members(struct listing *l, struct dtype *type, struct str path, unsigned depth)
{
    type_load(l->bin, type);
    for (unsigned i = 0; i < depth; i++) {
        if (l->within[i] == type) {
            return;
        }
    }
    l->within[depth] = type;
    for (size_t i = 0; i < type->nfields && l->left > 0; i++) {
        const struct dfield *field = &type->fields[i];
        bool inlined = field->name.n == 0 || field->base;
        struct str count;
        struct str inner =
            inlined
                ? path
                : str_of(arena_printf(l->arena, "%.*s.%.*s", STR_ARG(path), STR_ARG(field->name)));
        struct dtype *target = field->type->kind == TY_POINTER || field->type->kind == TY_ARRAY
                                   ? type_target(l->bin, field->type)
                                   : NULL;
        if (!inlined && target != NULL && target->kind != TY_CHAR &&
            find_count(l, type, field->name, &count)) {
            emit(l, DWARF_ARRAY, target,
                 str_of(arena_printf(l->arena, "%.*s[0..%.*s.%.*s]", STR_ARG(inner), STR_ARG(path),
                                     STR_ARG(count))));
            continue;
        }
        list_type(l, field->type, inner, depth + 1);
    }
}

static void list_struct(struct listing *l, struct dtype *type, struct str path, unsigned depth)
{
    enum shape shape = shape_of(l->bin, type);
    struct dfield field;
    if (shape == SHAPE_WRAPPER && type_walk(l->bin, type, shape_wrapped(l->bin, type), &field)) {
        list_type(l, field.type, path, depth + 1);
    } else if (shape == SHAPE_GO_STRING || shape == SHAPE_CXX_STRING ||
               shape == SHAPE_RUST_STRING || shape == SHAPE_RUST_STR) {
        emit(l, DWARF_STRING, type, path);
    } else if (map_is(l->bin, type)) {
        emit(l, DWARF_MAP, type, path);
    } else if (shape_is_sequence(shape)) {
        emit(l, DWARF_ARRAY, type, path);
    } else {
        emit(l, DWARF_STRUCT, type, path);
        list_members(l, type, path, depth);
    }
}

static void list_pointer(struct listing *l, struct dtype *type, struct str path, unsigned depth)
{
    struct dtype *target = type_target(l->bin, type);
    if (target != NULL && target->kind == TY_CHAR) {
        emit(l, DWARF_STRING, target, path);
    } else if (target != NULL && (target->kind == TY_STRUCT || target->kind == TY_UNION)) {
        list_struct(l, target, path, depth);
    } else {
        emit(l, DWARF_POINTER, type, path);
    }
}

static void list_type(struct listing *l, struct dtype *type, struct str path, unsigned depth)
{
    if (type == NULL || depth > LIST_DEPTH || l->left == 0) {
        return;
    }
    type_load(l->bin, type);
    switch (type->kind) {
    case TY_INT: emit(l, DWARF_INT, type, path); break;
    case TY_UINT: emit(l, DWARF_UINT, type, path); break;
    case TY_BOOL: emit(l, DWARF_BOOL, type, path); break;
    case TY_CHAR: emit(l, DWARF_CHAR, type, path); break;
    case TY_ENUM: emit(l, DWARF_ENUM, type, path); break;
    case TY_STRUCT:
    case TY_UNION: list_struct(l, type, path, depth); break;
    case TY_GO_MAP: emit(l, DWARF_MAP, type, path); break;
    case TY_POINTER: list_pointer(l, type, path, depth); break;
    case TY_ARRAY: {
        struct dtype *target = type_target(l->bin, type);
        emit(l, target != NULL && target->kind == TY_CHAR ? DWARF_STRING : DWARF_ARRAY,
             target != NULL ? target : type, path);
        break;
    }
    default: break;
    }
}

/* A name that is no plain one stands between backquotes. */
static struct str root_path(struct listing *l, struct str name)
{
    for (size_t i = 0; i < name.n; i++) {
        unsigned char c = (unsigned char)name.p[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '_' || c == ':' || c == '.';
        if (!word) {
            return str_of(arena_printf(l->arena, "`%.*s`", STR_ARG(name)));
        }
    }
    return name;
}

int dwarf_list(struct dwarf *bin, struct arena *arena, size_t most, dwarf_item_fn fn, void *arg,
               struct err *err)
{
    struct listing l = {.bin = bin, .arena = arena, .fn = fn, .arg = arg, .left = most};
    (void)index_has(bin, STR("")); /* makes the index */
    for (size_t i = 0; i < bin->vars.n && l.left > 0; i++) {
        for (struct dvar *var = bin->vars.entries[i].value; var != NULL; var = var->next) {
            struct dwarf_path path = {.bin = bin};
            struct err ignored = {0};
            struct dwarf_path *known = NULL;
            struct str text = root_path(&l, var->qualified);
            if (var_locate(bin, var, &path, NULL) != 0 || path.is_const ||
                dwarf_path_new(bin, arena, text, &known, &ignored) != 0) {
                continue; /* it has no place, or its name is that of several */
            }
            list_type(&l, known->type, text, 0);
        }
    }
    return l.left > 0 ? 0
                      : err_set(err, ERR_LIMIT, 0, "%s has more than %zu variables and members",
                                bin->path, most);
}
