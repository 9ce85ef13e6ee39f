/* Types: what the debug information says, in the form that reading needs.
 *
 * A type is made from its entry once and kept; members, targets and enumerators are loaded when
 * first asked for, so that a small path into a big program touches little. Qualifiers and typedefs
 * are taken off. A structure that is only declared in one unit is looked up by name among the
 * definitions of the others. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "dwarf/dwarf_int.h"

static bool attr_word(Dwarf_Die *die, unsigned name, uint64_t *ret)
{
    Dwarf_Attribute attr;
    Dwarf_Word word = 0;
    if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &word) != 0) {
        return false;
    }
    *ret = word;
    return true;
}

/* A constant whose sign is told by its form: compilers use sdata for those that may be negative. */
static bool attr_const(Dwarf_Die *die, unsigned name, int64_t *ret)
{
    Dwarf_Attribute attr;
    Dwarf_Sword sword = 0;
    Dwarf_Word word = 0;
    if (!dwarf_attr_integrate(die, name, &attr)) {
        return false;
    }
    unsigned form = dwarf_whatform(&attr);
    if (form == DW_FORM_sdata || form == DW_FORM_implicit_const) {
        if (dwarf_formsdata(&attr, &sword) != 0) {
            return false;
        }
        *ret = sword;
        return true;
    }
    if (dwarf_formudata(&attr, &word) != 0) {
        return false;
    }
    *ret = (int64_t)word;
    return true;
}

static bool attr_die(Dwarf_Die *die, unsigned name, Dwarf_Die *ret)
{
    Dwarf_Attribute attr;
    return dwarf_attr_integrate(die, name, &attr) && dwarf_formref_die(&attr, ret);
}

static struct str die_name(struct dwarf *bin, Dwarf_Die *die)
{
    const char *name = name_of(bin, die);
    return str_of(name ? name : "");
}

static struct dtype *type_new(struct dwarf *bin, enum dtype_kind kind, struct str name,
                              uint64_t size)
{
    struct dtype *type = ARENA_NEW(&bin->arena, struct dtype);
    type->kind = kind;
    type->name = name;
    type->size = size;
    type->loaded = true;
    return type;
}

static void make_base(struct dtype *type, Dwarf_Die *die)
{
    uint64_t encoding = 0;
    attr_word(die, DW_AT_encoding, &encoding);
    type->loaded = true;
    switch (encoding) {
    case DW_ATE_boolean: type->kind = TY_BOOL; break;
    case DW_ATE_float: type->kind = TY_FLOAT; break;
    case DW_ATE_signed: type->kind = TY_INT; break;
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
        type->kind = str_is(type->name, "char")       ? TY_CHAR
                     : encoding == DW_ATE_signed_char ? TY_INT
                                                      : TY_UINT;
        break;
    case DW_ATE_UTF: type->kind = TY_CHAR; break;
    case DW_ATE_unsigned:
    case DW_ATE_address: type->kind = TY_UINT; break;
    default: type->kind = TY_OTHER; break;
    }
}

/* Number of elements; false when it is not said (a flexible member, an extern array). */
static bool array_dimension(Dwarf_Die *die, uint64_t *ret)
{
    int64_t upper = 0, lower = 0;
    if (attr_const(die, DW_AT_count, &upper)) {
        *ret = upper > 0 ? (uint64_t)upper : 0;
        return true;
    }
    if (!attr_const(die, DW_AT_upper_bound, &upper)) {
        return false;
    }
    if (upper == UINT32_MAX) { /* -1 in four bytes: no elements */
        upper = -1;
    }
    (void)attr_const(die, DW_AT_lower_bound, &lower);
    *ret = upper < lower ? 0 : (uint64_t)upper - (uint64_t)lower + 1;
    return true;
}

/* int a[2][3] is one entry with two dimensions; here an array of arrays. */
static void make_array(struct dwarf *bin, struct dtype *type, Dwarf_Die *die)
{
    struct {
        uint64_t count;
        bool known;
    } dims[16];
    size_t n = 0;
    Dwarf_Die child;
    if (dwarf_child(die, &child) == 0) {
        do {
            if (dwarf_tag(&child) == DW_TAG_subrange_type && n < 16) {
                dims[n].known = array_dimension(&child, &dims[n].count);
                dims[n].count = dims[n].known ? dims[n].count : 0;
                n++;
            }
        } while (die_next(&child));
    }
    type->kind = TY_ARRAY;
    type->loaded = true;
    struct dtype *outer = type;
    for (size_t i = 0; i < n; i++) {
        outer->count = dims[i].count;
        outer->count_known = dims[i].known;
        if (i + 1 < n) {
            struct dtype *inner = type_new(bin, TY_ARRAY, type->name, 0);
            inner->lang = type->lang;
            inner->die = *die;
            inner->has_die = true;
            outer->target = inner;
            outer->targeted = true;
            outer->size = 0;
            outer = inner;
        }
    }
    if (n == 1) {
        outer->size = type->size;
    }
}

static void make_enum(struct dwarf *bin, struct dtype *type, Dwarf_Die *die)
{
    type->kind = TY_ENUM;
    struct dtype *under = type_of(bin, die, type->lang);
    type->is_signed = under && under->kind == TY_INT;
    if (type->size == 0 && under) {
        type->size = under->size;
    }
}

/* The entry that says more: the definition of a declaration, the unit of a signature. */
static void complete(struct dwarf *bin, Dwarf_Die *die)
{
    Dwarf_Die other;
    if (attr_die(die, DW_AT_signature, &other)) {
        *die = other;
    } else if (dwarf_hasattr(die, DW_AT_declaration)) {
        Dwarf_Die *scopes = NULL;
        SCOPED_STRBUF name = {0};
        int n = dwarf_getscopes_die(die, &scopes);
        for (int i = n - 1; i >= 0; i--) {
            const char *part =
                dwarf_tag(&scopes[i]) == DW_TAG_compile_unit ? NULL : name_of(bin, &scopes[i]);
            if (part) {
                strbuf_printf(&name, "%s%s", name.n ? "::" : "", part);
            }
        }
        vec_release(n > 0 ? scopes : NULL);
        struct str key = strbuf_str(&name);
        if (index_definition(bin, key, &other)) {
            *die = other;
        }
    }
}

/* Moves the contents of a vector to where types live. */
static void *keep_list(struct dwarf *bin, void *list, size_t n, size_t bytes)
{
    void *kept = arena_zalloc_array(&bin->arena, n + 1, bytes);
    if (n > 0) {
        memcpy(kept, list, n * bytes);
    }
    vec_release(list);
    return kept;
}

/* A number of a type of its own, in Go, for whose values 0, 1, 2 and so on (from anywhere) there
 * are constants, is an enumeration. Where they are not in a row (time.Second) it is a number after
 * all.
 */
static void make_go_enum(struct dwarf *bin, struct dtype *type, Dwarf_Die *die)
{
    uint64_t key = (uint64_t)(uintptr_t)die->addr;
    VEC(struct denumerator) list = {0};
    int64_t min = INT64_MAX, max = INT64_MIN;
    for (size_t i = 0; i < bin->consts.n && list.n < DWARF_FIELD_MAX; i++) {
        const struct dconst *c = &bin->consts.v[i];
        bool again = c->type != key;
        for (size_t k = 0; k < list.n && !again; k++) {
            again = list.v[k].value == c->value; /* the first name counts */
        }
        if (!again) {
            VEC_PUSH(&list, (struct denumerator){c->name, c->value});
            min = c->value < min ? c->value : min;
            max = c->value > max ? c->value : max;
        }
    }
    if (list.n < 2 || (uint64_t)max - (uint64_t)min != list.n - 1) {
        VEC_DONE(&list);
        return;
    }
    type->is_signed = type->kind == TY_INT;
    type->kind = TY_ENUM;
    type->nenumerators = list.n;
    type->enumerators = keep_list(bin, list.v, list.n, sizeof *list.v);
}

static void make_type(struct dwarf *bin, struct dtype *type, Dwarf_Die *die)
{
    attr_word(die, DW_AT_byte_size, &type->size);
    switch (dwarf_tag(die)) {
    case DW_TAG_base_type:
        make_base(type, die);
        if (type->lang == DW_LANG_Go && (type->kind == TY_INT || type->kind == TY_UINT) &&
            memchr(type->name.p, '.', type->name.n)) {
            make_go_enum(bin, type, die);
        }
        break;
    case DW_TAG_enumeration_type: make_enum(bin, type, die); break;
    case DW_TAG_structure_type:
    case DW_TAG_class_type: type->kind = TY_STRUCT; break;
    case DW_TAG_union_type: type->kind = TY_UNION; break;
    case DW_TAG_array_type: make_array(bin, type, die); break;
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        type->kind = TY_POINTER;
        type->size = 8;
        type->loaded = true;
        break;
    default:
        type->kind = TY_OTHER;
        type->loaded = true;
        break;
    }
}

static bool is_qualifier(int tag)
{
    return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
           tag == DW_TAG_atomic_type || tag == DW_TAG_typedef || tag == DW_TAG_immutable_type ||
           tag == DW_TAG_packed_type || tag == DW_TAG_shared_type || tag == DW_TAG_subrange_type;
}

/* Go says of a type what it is, whatever its name (type Index map[string]int). */
static bool is_go_map(struct dwarf *bin, Dwarf_Die *die)
{
    enum { DW_AT_GO_KIND = 0x2900, GO_KIND_MAP = 21 };
    uint64_t kind = 0;
    struct str name = die_name(bin, die);
    return dwarf_tag(die) == DW_TAG_typedef &&
           ((attr_word(die, DW_AT_GO_KIND, &kind) && kind == GO_KIND_MAP) ||
            (name.n > 4 && memcmp(name.p, "map[", 4) == 0));
}

static struct dtype *go_map(struct dwarf *bin, Dwarf_Die *die, struct str name, int lang)
{
    struct dtype *pointer = type_of(bin, die, lang);
    struct dtype *type = type_new(bin, TY_GO_MAP, name, 8);
    type->lang = lang;
    type->targeted = true;
    type->target = pointer && pointer->kind == TY_POINTER ? type_target(bin, pointer) : NULL;
    return type;
}

static void type_keep(struct dwarf *bin, uint64_t key, struct dtype *type)
{
    u64map_put(&bin->made, key, bin->types_made.n);
    VEC_PUSH(&bin->types_made, type);
}

struct dtype *type_from(struct dwarf *bin, Dwarf_Die die, int lang)
{
    struct str name = STR("");
    uint64_t kept = 0, key = (uint64_t)(uintptr_t)die.addr;
    if (u64map_get(&bin->made, key, &kept)) {
        return bin->types_made.v[kept];
    }
    for (int i = 0; is_qualifier(dwarf_tag(&die)); i++) {
        Dwarf_Die next;
        name = name.n ? name : die_name(bin, &die);
        if (lang == DW_LANG_Go && is_go_map(bin, &die)) {
            struct dtype *map = go_map(bin, &die, name, lang);
            type_keep(bin, key, map);
            return map;
        }
        if (i >= DWARF_PEEL_MAX) {
            return type_new(bin, TY_OTHER, name, 0);
        }
        if (!attr_die(&die, DW_AT_type, &next)) {
            return type_new(bin, TY_VOID, name, 0);
        }
        die = next;
    }
    complete(bin, &die);
    uint64_t bare = (uint64_t)(uintptr_t)die.addr;
    if (bare != key && u64map_get(&bin->made, bare, &kept)) {
        u64map_put(&bin->made, key, kept);
        return bin->types_made.v[kept];
    }
    struct dtype *type = ARENA_NEW(&bin->arena, struct dtype);
    type_keep(bin, bare, type); /* before its parts: they may be it */
    if (bare != key) {
        type_keep(bin, key, type);
    }
    struct str own = die_name(bin, &die);
    type->name = own.n ? own : name;
    type->lang = lang;
    type->die = die;
    type->has_die = true;
    make_type(bin, type, &die);
    return type;
}

struct dtype *type_of(struct dwarf *bin, Dwarf_Die *die, int lang)
{
    Dwarf_Die target;
    return attr_die(die, DW_AT_type, &target) ? type_from(bin, target, lang) : NULL;
}

struct dtype *type_target(struct dwarf *bin, struct dtype *type)
{
    if (!type->targeted) {
        type->targeted = true;
        type->target = type->has_die ? type_of(bin, &type->die, type->lang) : NULL;
    }
    return type->target;
}

struct dtype *type_pointer(struct dwarf *bin, struct dtype *target)
{
    struct dtype *type = type_new(bin, TY_POINTER, STR(""), 8);
    type->lang = target->lang;
    type->target = target;
    type->targeted = true;
    type->name = str_of(arena_printf(&bin->arena, "%.*s *", STR_ARG(target->name)));
    return type;
}

uint64_t type_size(struct dwarf *bin, struct dtype *type)
{
    uint64_t n = 1;
    for (int i = 0; i < DWARF_PEEL_MAX && type; i++) {
        uint64_t size = 0;
        if (type->kind != TY_ARRAY || (type->size && type->count == 0)) {
            return __builtin_mul_overflow(n, type->size, &size) ? 0 : size;
        }
        if (__builtin_mul_overflow(n, type->count, &n)) {
            return 0;
        }
        type = type_target(bin, type);
    }
    return 0;
}

static bool member_offset(Dwarf_Die *die, uint64_t *ret)
{
    Dwarf_Attribute attr;
    Dwarf_Op *ops = NULL;
    size_t n = 0;
    Dwarf_Word word = 0;
    *ret = 0;
    if (!dwarf_attr_integrate(die, DW_AT_data_member_location, &attr)) {
        return true;
    }
    if (dwarf_formudata(&attr, &word) == 0) {
        *ret = word;
        return true;
    }
    if (dwarf_getlocation(&attr, &ops, &n) == 0 && n == 1 && ops[0].atom == DW_OP_plus_uconst) {
        *ret = ops[0].number;
        return true;
    }
    return false; /* a virtual base class: only the object knows where it is */
}

static bool make_field(struct dwarf *bin, Dwarf_Die *die, int lang, struct dfield *ret)
{
    struct dfield field = {.name = die_name(bin, die),
                           .base = dwarf_tag(die) == DW_TAG_inheritance};
    if (dwarf_hasattr(die, DW_AT_declaration) || dwarf_hasattr(die, DW_AT_external) ||
        !member_offset(die, &field.offset)) {
        return false;
    }
    field.type = type_of(bin, die, lang);
    if (!field.type) {
        return false;
    }
    uint64_t bits = 0, at = 0, storage = 0;
    if (attr_word(die, DW_AT_bit_size, &bits) && bits > 0 && bits <= 64) {
        field.bit_size = (unsigned)bits;
        if (attr_word(die, DW_AT_data_bit_offset, &at)) {
            field.bit_offset = at;
        } else if (attr_word(die, DW_AT_bit_offset, &at)) {
            /* DWARF 3: counted from the most significant bit of the storage unit. */
            if (!attr_word(die, DW_AT_byte_size, &storage)) {
                storage = type_size(bin, field.type);
            }
            field.bit_offset = field.offset * 8 + storage * 8 - at - bits;
        } else {
            field.bit_offset = field.offset * 8;
        }
        field.offset = 0;
    }
    *ret = field;
    return true;
}

static void load_variants(struct dwarf *bin, struct dtype *type, Dwarf_Die *part)
{
    Dwarf_Die child, discr;
    VEC(struct dvariant) list = {0};
    if (attr_die(part, DW_AT_discr, &discr) &&
        make_field(bin, &discr, type->lang, &type->discriminant)) {
        type->has_discriminant = true;
    }
    if (dwarf_child(part, &child) != 0) {
        return;
    }
    do {
        struct dvariant variant = {0};
        Dwarf_Die member;
        if (dwarf_tag(&child) != DW_TAG_variant || dwarf_child(&child, &member) != 0) {
            continue;
        }
        variant.otherwise = !attr_const(&child, DW_AT_discr_value, &variant.value);
        if (list.n < DWARF_FIELD_MAX && make_field(bin, &member, type->lang, &variant.field)) {
            VEC_PUSH(&list, variant);
        }
    } while (die_next(&child));
    type->nvariants = list.n;
    type->variants = keep_list(bin, list.v, list.n, sizeof *list.v);
}

static void load_struct(struct dwarf *bin, struct dtype *type)
{
    Dwarf_Die child;
    VEC(struct dfield) list = {0};
    if (dwarf_child(&type->die, &child) != 0) {
        return;
    }
    do {
        struct dfield field;
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_variant_part && type->nvariants == 0) {
            load_variants(bin, type, &child);
        } else if ((tag == DW_TAG_member || tag == DW_TAG_inheritance) &&
                   list.n < DWARF_FIELD_MAX && make_field(bin, &child, type->lang, &field)) {
            VEC_PUSH(&list, field);
        }
    } while (die_next(&child));
    type->nfields = list.n;
    type->fields = keep_list(bin, list.v, list.n, sizeof *list.v);
}

static void load_enum(struct dwarf *bin, struct dtype *type)
{
    Dwarf_Die child;
    VEC(struct denumerator) list = {0};
    if (dwarf_child(&type->die, &child) != 0) {
        return;
    }
    do {
        struct denumerator e = {.name = die_name(bin, &child)};
        if (dwarf_tag(&child) == DW_TAG_enumerator && list.n < DWARF_FIELD_MAX &&
            attr_const(&child, DW_AT_const_value, &e.value)) {
            type->is_signed |= e.value < 0;
            VEC_PUSH(&list, e);
        }
    } while (die_next(&child));
    type->nenumerators = list.n;
    type->enumerators = keep_list(bin, list.v, list.n, sizeof *list.v);
}

void type_load(struct dwarf *bin, struct dtype *type)
{
    if (type->loaded || !type->has_die) {
        return;
    }
    type->loaded = true;
    if (type->kind == TY_STRUCT || type->kind == TY_UNION) {
        load_struct(bin, type);
    } else if (type->kind == TY_ENUM) {
        load_enum(bin, type);
    }
}

struct dtype *type_parameter(struct dwarf *bin, struct dtype *type, unsigned index)
{
    Dwarf_Die child;
    if (!type->has_die || dwarf_child(&type->die, &child) != 0) {
        return NULL;
    }
    do {
        if (dwarf_tag(&child) == DW_TAG_template_type_parameter && index-- == 0) {
            return type_of(bin, &child, type->lang);
        }
    } while (die_next(&child));
    return NULL;
}

/* `budget` counts structures looked into: damaged information may nest one in itself. */
static bool find_member(struct dwarf *bin, struct dtype *type, struct str name, unsigned *budget,
                        struct dfield *ret)
{
    if (*budget == 0 || (type->kind != TY_STRUCT && type->kind != TY_UNION)) {
        return false;
    }
    --*budget;
    type_load(bin, type);
    for (size_t i = 0; i < type->nfields; i++) {
        if (type->fields[i].name.n && !type->fields[i].base && str_eq(type->fields[i].name, name)) {
            *ret = type->fields[i];
            return true;
        }
    }
    for (size_t i = 0; i < type->nfields; i++) {
        struct dfield *outer = &type->fields[i];
        if ((outer->name.n == 0 || outer->base) &&
            find_member(bin, outer->type, name, budget, ret)) {
            ret->offset += ret->bit_size ? 0 : outer->offset;
            ret->bit_offset += ret->bit_size ? outer->offset * 8 : 0;
            return true;
        }
    }
    return false;
}

bool type_member(struct dwarf *bin, struct dtype *type, struct str name, struct dfield *ret)
{
    unsigned budget = 256;
    return find_member(bin, type, name, &budget, ret);
}

static bool find_base(struct dwarf *bin, struct dtype *type, struct str prefix, unsigned *budget,
                      struct dfield *ret)
{
    type_load(bin, type);
    for (size_t i = 0; i < type->nfields && *budget > 0; i++) {
        struct dfield *base = &type->fields[i];
        if (!base->base) {
            continue;
        }
        --*budget;
        if (base->type->name.n >= prefix.n && memcmp(base->type->name.p, prefix.p, prefix.n) == 0) {
            *ret = *base;
            return true;
        }
        if (find_base(bin, base->type, prefix, budget, ret)) {
            ret->offset += base->offset;
            return true;
        }
    }
    return false;
}

bool type_base(struct dwarf *bin, struct dtype *type, struct str prefix, struct dfield *ret)
{
    unsigned budget = 256;
    return find_base(bin, type, prefix, &budget, ret);
}

bool type_walk(struct dwarf *bin, struct dtype *type, const char *path, struct dfield *ret)
{
    uint64_t offset = 0;
    struct dfield field = {.type = type};
    while (*path) {
        struct str name = {path, strcspn(path, ".")};
        bool found = *path == '{'
                         ? type_base(bin, field.type, (struct str){path + 1, name.n - 1}, &field)
                         : type_member(bin, field.type, name, &field);
        if (!found || field.bit_size) {
            return false;
        }
        offset += field.offset;
        path += name.n + (path[name.n] == '.');
    }
    *ret = field;
    ret->offset = offset;
    return true;
}
