/* Finding variables and definitions of structures by name.
 *
 * libdw has no index by name that all compilers fill, so the entries of all units are walked once,
 * at the first question: namespaces and classes, and only when nothing is found there, functions
 * too (for variables that are static in a function). Names are kept with their scopes
 * (`a::b::name`); a question may leave out the outer scopes, and anonymous namespaces have no name
 * to leave out.
 *
 * Damaged information must not lead us round in circles: the walk only goes forwards, and scopes
 * are only so deep. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"
#include "dwarf/dwarf_int.h"

struct ddef {
    Dwarf_Die die;
};
struct pending {
    Dwarf_Die die;
    Dwarf_Die origin;
};
struct scan {
    struct dwarf *bin;
    int lang;
    bool locals;
    const char *last;            /* the entry visited last: the walk only goes forwards */
    VEC(struct pending) pending; /* definitions whose scope is that of a declaration elsewhere */
};

bool die_next(Dwarf_Die *die)
{
    Dwarf_Die next;
    if (dwarf_siblingof(die, &next) != 0 || (char *)next.addr <= (char *)die->addr) {
        return false;
    }
    *die = next;
    return true;
}

static uint64_t die_key(const Dwarf_Die *die)
{
    return (uint64_t)(uintptr_t)die->addr;
}

static struct str last_component(struct str name)
{
    for (size_t i = name.n; i-- > 1;) {
        if (name.p[i] == ':' && name.p[i - 1] == ':') {
            return (struct str){name.p + i + 1, name.n - i - 1};
        }
        if (name.p[i] == '>') { /* a name with template arguments: scopes within do not count */
            break;
        }
    }
    return name;
}

static void add_var(struct scan *s, Dwarf_Die die, struct str qualified)
{
    struct dvar *var = ARENA_NEW(&s->bin->arena, struct dvar);
    var->qualified = qualified;
    var->die = die;
    var->lang = s->lang;
    struct str last = last_component(qualified);
    var->next = strmap_get(&s->bin->vars, last);
    (void)strmap_put(&s->bin->vars, last, var);
}

static struct str qualify(struct scan *s, struct str scope, const char *name)
{
    if (scope.n == 0) {
        return str_of(name);
    }
    char *text = arena_printf(&s->bin->arena, "%.*s::%s", STR_ARG(scope), name);
    return str_of(text);
}

static void scan_variable(struct scan *s, Dwarf_Die *die, struct str scope)
{
    Dwarf_Attribute attr;
    Dwarf_Die origin;
    bool defined =
        dwarf_hasattr(die, DW_AT_location) != 0 || dwarf_hasattr(die, DW_AT_const_value) != 0;
    if (dwarf_attr(die, DW_AT_specification, &attr) && dwarf_formref_die(&attr, &origin)) {
        if (defined) {
            VEC_PUSH(&s->pending, (struct pending){*die, origin});
        }
        return;
    }
    const char *name = name_of(s->bin, die);
    if (!name) {
        return;
    }
    struct str qualified = qualify(s, scope, name);
    if (defined) {
        add_var(s, *die, qualified);
        return;
    }
    u64map_put(&s->bin->decls, die_key(die), s->bin->declared.n);
    VEC_PUSH(&s->bin->declared, qualified);
    /* A definition without a place was optimised away: keep it, to be able to say so. */
    if (!dwarf_hasattr(die, DW_AT_declaration) && dwarf_tag(die) == DW_TAG_variable && !s->locals) {
        add_var(s, *die, qualified);
    }
}

static void add_definition(struct scan *s, struct strmap *to, Dwarf_Die *die, struct str qualified)
{
    if (!dwarf_hasattr(die, DW_AT_declaration) && !strmap_has(to, qualified)) {
        struct ddef *def = ARENA_NEW(&s->bin->arena, struct ddef);
        def->die = *die;
        (void)strmap_put(to, qualified, def);
    }
}

/* Go has no enumerations: constants of a type stand for them. They are variables, too. */
static void scan_constant(struct scan *s, Dwarf_Die *die, struct str scope)
{
    Dwarf_Attribute attr;
    Dwarf_Die type;
    Dwarf_Sword value = 0;
    const char *name = name_of(s->bin, die);
    scan_variable(s, die, scope);
    if (s->lang == DW_LANG_Go && !s->locals && name && dwarf_attr(die, DW_AT_type, &attr) &&
        dwarf_formref_die(&attr, &type) && dwarf_attr(die, DW_AT_const_value, &attr) &&
        dwarf_formsdata(&attr, &value) == 0) {
        const char *dot = strrchr(name, '.');
        struct dconst constant = {die_key(&type), str_of(dot ? dot + 1 : name), value};
        VEC_PUSH(&s->bin->consts, constant);
    }
}

static void scan_name(struct scan *s, Dwarf_Die *die, struct str scope)
{
    const char *name = name_of(s->bin, die);
    if (name) {
        add_definition(s, &s->bin->names, die, qualify(s, scope, name));
    }
}

static void scan_children(struct scan *s, Dwarf_Die *parent, struct str scope, unsigned depth)
{
    Dwarf_Die die;
    if (depth > DWARF_SCOPE_MAX || dwarf_child(parent, &die) != 0) {
        return;
    }
    do {
        const char *name = NULL;
        if ((const char *)die.addr <= s->last) {
            return;
        }
        s->last = die.addr;
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
        case DW_TAG_member: scan_variable(s, &die, scope); break;
        case DW_TAG_constant: scan_constant(s, &die, scope); break;
        case DW_TAG_typedef:
        case DW_TAG_base_type: scan_name(s, &die, scope); break;
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type:
        case DW_TAG_enumeration_type:
            name = name_of(s->bin, &die);
            if (name) {
                struct str inner = qualify(s, scope, name);
                add_definition(s, &s->bin->types, &die, inner);
                scan_children(s, &die, inner, depth + 1);
            }
            break;
        case DW_TAG_namespace:
        case DW_TAG_module:
            name = name_of(s->bin, &die);
            scan_children(s, &die, name ? qualify(s, scope, name) : scope, depth + 1);
            break;
        case DW_TAG_subprogram:
            name = s->locals ? name_of(s->bin, &die) : NULL;
            if (s->locals) {
                scan_children(s, &die, name ? qualify(s, scope, name) : scope, depth + 1);
            }
            break;
        case DW_TAG_lexical_block:
            if (s->locals) {
                scan_children(s, &die, scope, depth + 1);
            }
            break;
        default: break;
        }
    } while (die_next(&die));
}

static void scan_units(struct dwarf *bin, bool locals)
{
    struct scan s = {.bin = bin, .locals = locals};
    Dwarf_CU *cu = NULL;
    Dwarf_Half version = 0;
    uint8_t unit_type = 0;
    Dwarf_Die die, sub;
    while (dwarf_get_units(bin->dw, cu, &cu, &version, &unit_type, &die, &sub) == 0) {
        Dwarf_Die *unit = unit_type == DW_UT_skeleton && sub.addr ? &sub : &die;
        s.lang = dwarf_srclang(unit);
        s.last = NULL;
        scan_children(&s, unit, STR(""), 0);
    }
    for (size_t i = 0; i < s.pending.n; i++) {
        uint64_t kept = 0;
        Dwarf_Die *die_i = &s.pending.v[i].die;
        const char *name = name_of(bin, die_i);
        if (u64map_get(&bin->decls, die_key(&s.pending.v[i].origin), &kept)) {
            add_var(&s, *die_i, bin->declared.v[kept]);
        } else if (name) {
            add_var(&s, *die_i, str_of(name));
        }
    }
    VEC_DONE(&s.pending);
}

static void index_make(struct dwarf *bin, bool locals)
{
    if (!bin->indexed) {
        scan_units(bin, false);
        bin->indexed = true;
    }
    if (locals && !bin->locals_indexed) {
        /* The second walk meets everything again, so it starts with empty tables. */
        strmap_done(&bin->vars);
        u64map_done(&bin->decls);
        scan_units(bin, true);
        bin->locals_indexed = true;
    }
}

bool index_definition(struct dwarf *bin, struct str qualified, Dwarf_Die *ret)
{
    index_make(bin, false);
    struct ddef *def = strmap_get(&bin->types, qualified);
    if (def) {
        *ret = def->die;
    }
    return def != NULL;
}

/* 2: the name itself; 1: without outer scopes; 0: another. */
static int name_match(struct str qualified, struct str name)
{
    if (str_eq(qualified, name)) {
        return 2;
    }
    size_t n = qualified.n - name.n;
    return qualified.n > name.n + 2 && qualified.p[n - 1] == ':' && qualified.p[n - 2] == ':' &&
           memcmp(qualified.p + n, name.p, name.n) == 0;
}

/* The name itself, or the least of those that have it without outer scopes. */
static const struct ddef *find_named(const struct strmap *map, struct str name)
{
    const struct ddef *best = strmap_get(map, name);
    struct str least = {0};
    for (size_t i = 0; !best && i < map->n; i++) {
        struct str key = map->entries[i].key;
        if (name_match(key, name) && (least.n == 0 || str_cmp(key, least) < 0)) {
            least = key;
        }
    }
    return best ? best : least.n ? strmap_get(map, least) : NULL;
}

bool index_type(struct dwarf *bin, struct str name, bool tagged, Dwarf_Die *ret)
{
    index_make(bin, false);
    const struct ddef *def = tagged ? NULL : find_named(&bin->names, name);
    def = def ? def : find_named(&bin->types, name);
    if (def) {
        *ret = def->die;
    }
    return def != NULL;
}

/* The file of a declaration. libdw's own function for this aborts on split debug information. */
static const char *die_file(Dwarf_Die *die)
{
    Dwarf_Attribute attr;
    Dwarf_Word number = 0;
    Dwarf_Die unit;
    Dwarf_Files *files = NULL;
    size_t n = 0;
    if (!dwarf_attr_integrate(die, DW_AT_decl_file, &attr) ||
        dwarf_formudata(&attr, &number) != 0 || !dwarf_diecu(die, &unit, NULL, NULL) ||
        dwarf_getsrcfiles(&unit, &files, &n) != 0 || number >= n) {
        return NULL;
    }
    return dwarf_filesrc(files, number, NULL, NULL);
}

static bool file_matches(Dwarf_Die *die, struct str file)
{
    if (file.n == 0) {
        return true;
    }
    const char *decl = die_file(die);
    struct str path = str_of(decl ? decl : "");
    return str_eq(path, file) || (path.n > file.n && path.p[path.n - file.n - 1] == '/' &&
                                  memcmp(path.p + path.n - file.n, file.p, file.n) == 0);
}

static bool same_place(struct dwarf *bin, struct dvar *a, struct dvar *b)
{
    struct dwarf_path pa = {0}, pb = {0};
    return var_locate(bin, a, &pa, NULL) == 0 && var_locate(bin, b, &pb, NULL) == 0 &&
           pa.is_const == pb.is_const && (pa.is_const || pa.addr == pb.addr);
}

/* Those that have a place before those that have none, exact names before others. */
static int rank_of(struct dwarf *bin, struct dvar *var, struct str name)
{
    struct dwarf_path path = {0};
    int match = name_match(var->qualified, name);
    return match == 0 ? 0 : match + (var_locate(bin, var, &path, NULL) == 0 ? 2 : 0);
}

static int ambiguous(struct str name, struct dvar *a, struct dvar *b, struct err *err)
{
    const char *file_a = die_file(&a->die), *file_b = die_file(&b->die);
    return err_set(err, ERR_INVALID, 0,
                   "%.*s is ambiguous: %.*s of %s and %.*s of %s; write the scopes, or file.c:name",
                   STR_ARG(name), STR_ARG(a->qualified), file_a ? file_a : "an unknown file",
                   STR_ARG(b->qualified), file_b ? file_b : "an unknown file");
}

static struct dvar *best_match(struct dwarf *bin, struct str name, struct str file,
                               struct dvar **ret_other)
{
    struct dvar *best = NULL, *other = NULL;
    int rank = 0;
    for (struct dvar *v = strmap_get(&bin->vars, last_component(name)); v; v = v->next) {
        int r = rank_of(bin, v, name);
        if (r == 0 || r < rank || !file_matches(&v->die, file)) {
            continue;
        }
        if (r > rank) {
            best = v;
            other = NULL;
            rank = r;
        } else if (!same_place(bin, best, v)) {
            other = v;
        }
    }
    *ret_other = other;
    return best;
}

bool index_has(struct dwarf *bin, struct str name)
{
    struct dvar *other = NULL;
    index_make(bin, false);
    return best_match(bin, name, STR(""), &other) != NULL;
}

int index_find(struct dwarf *bin, struct str name, struct str file, struct dvar **ret,
               struct err *err)
{
    struct dvar *other = NULL, *best = NULL;
    for (int locals = 0; locals < 2 && !best; locals++) {
        index_make(bin, locals != 0);
        best = best_match(bin, name, file, &other);
    }
    if (!best) {
        return err_set(err, ERR_NOT_FOUND, 0, "%s has no global or static variable %.*s%s%.*s",
                       bin->path, STR_ARG(name), file.n ? " in a file " : "", STR_ARG(file));
    }
    if (other) {
        return ambiguous(name, best, other, err);
    }
    *ret = best;
    return 0;
}

static int locate_const(struct dwarf *bin, Dwarf_Attribute *attr, struct dwarf_path *path)
{
    Dwarf_Block block;
    Dwarf_Sword word = 0;
    Dwarf_Word unsigned_word = 0;
    path->is_const = true;
    path->bytes = arena_zalloc(&bin->arena, 16);
    path->nbytes = 16;
    if (dwarf_formblock(attr, &block) == 0) {
        path->bytes = arena_zalloc(&bin->arena, block.length + 16);
        path->nbytes = block.length;
        memcpy(path->bytes, block.data, block.length);
    } else if (dwarf_whatform(attr) == DW_FORM_sdata && dwarf_formsdata(attr, &word) == 0) {
        memcpy(path->bytes, &word, sizeof word);
        memset(path->bytes + 8, word < 0 ? 0xff : 0, 8);
    } else if (dwarf_formudata(attr, &unsigned_word) == 0) {
        memcpy(path->bytes, &unsigned_word, sizeof unsigned_word);
    } else {
        return -1;
    }
    return 0;
}

static int unlocated(struct dvar *var, const char *why, struct err *err)
{
    return err_set(err, ERR_UNSUPPORTED, 0, "%.*s %s", STR_ARG(var->qualified), why);
}

/* DW_OP_addr alone: by far the most. Go writes it in a form that libdw takes only from old versions
 * of DWARF, so its bytes are read here. */
static bool plain_address(Dwarf_Attribute *attr, uint64_t *ret)
{
    Dwarf_Block block;
    if (dwarf_formblock(attr, &block) != 0 || block.length != 9 || block.data[0] != DW_OP_addr) {
        return false;
    }
    memcpy(ret, block.data + 1, 8);
    return true;
}

int var_locate(struct dwarf *bin, struct dvar *var, struct dwarf_path *path, struct err *err)
{
    Dwarf_Attribute attr, address;
    Dwarf_Op *ops = NULL;
    size_t n = 0;
    Dwarf_Addr addr = 0;
    if (dwarf_attr(&var->die, DW_AT_const_value, &attr) && locate_const(bin, &attr, path) == 0) {
        return 0;
    }
    if (!dwarf_attr(&var->die, DW_AT_location, &attr)) {
        return unlocated(var, "was optimised away: compile with -O0 or -Og, or make it volatile",
                         err);
    }
    if (plain_address(&attr, &path->addr)) {
        return 0;
    }
    if (dwarf_getlocation(&attr, &ops, &n) != 0 || n == 0) {
        return unlocated(var, "has no place that is the same all the time", err);
    }
    for (size_t i = 0; i < n; i++) {
        if (ops[i].atom == DW_OP_form_tls_address || ops[i].atom == DW_OP_GNU_push_tls_address) {
            return unlocated(
                var, "is thread-local: it has a value for each thread, and is not read", err);
        }
    }
    if (ops[0].atom == DW_OP_addr) {
        addr = ops[0].number;
    } else if ((ops[0].atom != DW_OP_addrx && ops[0].atom != DW_OP_GNU_addr_index) ||
               dwarf_getlocation_attr(&attr, &ops[0], &address) != 0 ||
               dwarf_formaddr(&address, &addr) != 0) {
        return unlocated(var, "has a place that is computed, which is not supported", err);
    }
    if (n == 2 && ops[1].atom == DW_OP_plus_uconst) {
        addr += ops[1].number;
    } else if (n != 1) {
        return unlocated(var, "has a place that is computed, which is not supported", err);
    }
    path->addr = addr;
    return 0;
}
