/* Objects of Java as values: fields by name, texts, boxes, arrays, and the collections of java.util
 * by what they mean. Their fields are found by their names, as in every other class. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "dwarf/dwarf.h"
#include "lang/java_int.h"
#include "lang/lang_int.h"

enum { SUPERS_MOST = 200, TREE_DEPTH = 64, WRAPS_MOST = 16, FIELDS_SHOWN = 4096 };

/* ---- fields ---- */

/* 1; 0: none of that name. */
static int try_member(struct lreader *rd, struct lref at, struct str name, struct lref *ret)
{
    uint64_t klass = 0;
    struct jfield field;
    if (at.prim != 0 || at.addr == 0) {
        return 0;
    }
    int status = java_class_of(rd, at.addr, &klass);
    for (int i = 0; status == 0 && klass != 0 && i < SUPERS_MOST; i++) {
        int there = java_field(rd, klass, name, false, &field);
        if (there == 1) {
            status = java_load(rd, at.addr + field.offset, field.type, ret);
            return status != 0 ? status : 1;
        }
        status = there != 0 ? there : java_super(rd, klass, &klass);
    }
    return status;
}

static int class_name(struct lreader *rd, struct lref at, struct str *ret)
{
    uint64_t klass = 0;
    if (at.prim != 0 || at.addr == 0) {
        *ret = at.prim != 0 ? STR("a number") : STR("null");
        return 0;
    }
    int status = java_class_of(rd, at.addr, &klass);
    return status != 0 ? status : java_klass_name(rd, klass, ret);
}

int java_member(struct lreader *rd, struct lref at, struct str name, struct lref *ret)
{
    struct str class;
    int there = try_member(rd, at, name, ret);
    if (there != 0) {
        return there == 1 ? 0 : there;
    }
    int status = class_name(rd, at, &class);
    if (status != 0) {
        return status;
    }
    /* A reference that is null now may lead somewhere later. */
    return err_set(rd->err, str_is(class, "null") ? ERR_NOT_FOUND : ERR_INVALID, 0,
                   "%.*s has no field %.*s", STR_ARG(class), STR_ARG(name));
}

static int whole_member(struct lreader *rd, struct lref at, const char *name, int64_t *ret)
{
    struct lref ref = {0};
    int status = java_member(rd, at, str_of(name), &ref);
    *ret = ref.prim == 'J' ? (int64_t)ref.bits : (int32_t)ref.bits;
    return status;
}

/* ---- arrays ---- */

static int array_items(struct lreader *rd, struct lref at, struct str class, struct lrefs *ret)
{
    static const char types[] = "ZBCSIJFD";
    static const uint8_t widths[] = {1, 1, 2, 2, 4, 8, 4, 8};
    const struct java *java = (const struct java *)rd->runtime;
    char type = class.n > 1 ? class.p[1] : 'L';
    const char *known = strchr(types, type);
    uint64_t width = known != NULL ? widths[known - types] : java->narrow_oops ? 4 : 8;
    uint64_t length_at = java->narrow_klasses ? 12 : 16, base = java->narrow_klasses ? 16 : 24;
    int32_t n = 0;
    int status = lread(rd, at.addr + length_at, &n, sizeof n);
    if (status == 0 && n < 0) {
        return err_set(rd->err, ERR_CORRUPT, 0, "an array of %d elements", n);
    }
    status = status != 0 ? status : lread_limit(rd, (uint64_t)n);
    for (int32_t i = 0; status == 0 && i < n; i++) {
        struct lref item = {0};
        status =
            java_load(rd, at.addr + base + width * (uint64_t)i, known != NULL ? type : 'L', &item);
        if (status == 0) {
            lrefs_add(rd, ret, item);
        }
    }
    return status;
}

/* An array in a field, and how many of its elements count. */
static int held_items(struct lreader *rd, struct lref at, const char *field, const char *count,
                      struct lrefs *ret)
{
    struct lref array = {0};
    struct str class;
    int64_t n = INT64_MAX;
    int status = java_member(rd, at, str_of(field), &array);
    status = status != 0 || count == NULL ? status : whole_member(rd, at, count, &n);
    if (status != 0 || array.addr == 0) {
        return status;
    }
    status = class_name(rd, array, &class);
    status = status != 0 ? status : array_items(rd, array, class, ret);
    ret->n = n >= 0 && (uint64_t)n < ret->n ? (size_t)n : ret->n;
    return status;
}

/* ---- collections ---- */

struct jkeys {
    struct lrefs *keys, *values;
};

/* A chain of nodes of a hash table. */
static int chain_items(struct lreader *rd, struct lref node, const char *value, struct jkeys *to)
{
    int status = 0;
    while (status == 0 && node.addr != 0) {
        struct lref key = {0}, val = {0}, first = {0};
        status = lread_limit(rd, 1);
        int there = status != 0 ? status : try_member(rd, node, STR("first"), &first);
        if (there == 1) { /* a tree in the place of a long chain: it is a chain as well */
            node = first;
            continue;
        }
        status = there != 0 ? there : java_member(rd, node, STR("key"), &key);
        status = status != 0 ? status : java_member(rd, node, str_of(value), &val);
        if (status == 0) {
            lrefs_add(rd, to->keys, key);
            lrefs_add(rd, to->values, val);
            status = java_member(rd, node, STR("next"), &node);
        }
    }
    return status;
}

static int hash_items(struct lreader *rd, struct lref at, const char *value, struct jkeys *to)
{
    struct lrefs nodes = {0};
    int status = held_items(rd, at, "table", NULL, &nodes);
    for (size_t i = 0; status == 0 && i < nodes.n; i++) {
        status = chain_items(rd, nodes.v[i], value, to);
    }
    return status;
}

static int tree_items(struct lreader *rd, struct lref node, unsigned depth, struct jkeys *to)
{
    struct lref left = {0}, right = {0}, key = {0}, value = {0};
    if (node.addr == 0) {
        return 0;
    }
    int status = depth > TREE_DEPTH ? err_set(rd->err, ERR_CORRUPT, 0, "a tree is damaged")
                                    : lread_limit(rd, 1);
    status = status != 0 ? status : java_member(rd, node, STR("left"), &left);
    status = status != 0 ? status : java_member(rd, node, STR("right"), &right);
    status = status != 0 ? status : java_member(rd, node, STR("key"), &key);
    status = status != 0 ? status : java_member(rd, node, STR("value"), &value);
    status = status != 0 ? status : tree_items(rd, left, depth + 1, to);
    if (status == 0) {
        lrefs_add(rd, to->keys, key);
        lrefs_add(rd, to->values, value);
    }
    return status != 0 ? status : tree_items(rd, right, depth + 1, to);
}

/* Map.of(): keys and values in turn. */
static int pairs_items(struct lreader *rd, struct lref at, struct jkeys *to)
{
    struct lrefs all = {0};
    int status = held_items(rd, at, "table", NULL, &all);
    for (size_t i = 0; status == 0 && i + 1 < all.n; i += 2) {
        if (all.v[i].addr != 0) {
            lrefs_add(rd, to->keys, all.v[i]);
            lrefs_add(rd, to->values, all.v[i + 1]);
        }
    }
    return status;
}

static int linked_items(struct lreader *rd, struct lref at, struct lrefs *ret)
{
    struct lref node = {0};
    int status = java_member(rd, at, STR("first"), &node);
    while (status == 0 && node.addr != 0) {
        struct lref item = {0};
        status = lread_limit(rd, 1);
        status = status != 0 ? status : java_member(rd, node, STR("item"), &item);
        if (status == 0) {
            lrefs_add(rd, ret, item);
            status = java_member(rd, node, STR("next"), &node);
        }
    }
    return status;
}

/* A circle in an array, from head to tail. */
static int circle_items(struct lreader *rd, struct lref at, struct lrefs *ret)
{
    struct lrefs all = {0};
    int64_t head = 0, tail = 0;
    int status = held_items(rd, at, "elements", NULL, &all);
    status = status != 0 ? status : whole_member(rd, at, "head", &head);
    status = status != 0 ? status : whole_member(rd, at, "tail", &tail);
    if (status == 0 && (head < 0 || tail < 0 || (size_t)head >= all.n || (size_t)tail >= all.n)) {
        return all.n == 0 ? 0 : err_set(rd->err, ERR_CORRUPT, 0, "a deque is damaged");
    }
    for (int64_t i = head; status == 0 && i != tail; i = (i + 1) % (int64_t)all.n) {
        lrefs_add(rd, ret, all.v[i]);
    }
    return status;
}

/* The fields of List.of(a, b), Set.of(a, b): what is missing refers to something else. */
static int few_items(struct lreader *rd, struct lref at, struct lrefs *ret)
{
    static const char *const names[] = {"e0", "e1"};
    int status = 0;
    for (size_t i = 0; status == 0 && i < 2; i++) {
        struct lref item = {0};
        struct str class;
        status = java_member(rd, at, str_of(names[i]), &item);
        status = status != 0 || item.addr == 0 ? status : class_name(rd, item, &class);
        if (status == 0 && item.addr != 0 && !str_is(class, "java/lang/Object")) {
            lrefs_add(rd, ret, item);
        }
    }
    return status;
}

enum jshape {
    J_PLAIN,
    J_WRAP, /* what it wraps counts: `field` */
    J_HELD, /* an array in `field`, of which `count` count */
    J_HASH, /* `count`: the name of a node's value */
    J_TREE,
    J_PAIRS,
    J_LINKED,
    J_CIRCLE,
    J_FEW,
    J_ONE_PAIR,
    J_TEXT,
    J_BOX,
    J_ENUM,
    J_EMPTY
};
struct jform {
    const char *name;
    enum jshape shape;
    const char *field, *count;
    bool set; /* in no order: it is sorted */
};
/* The first that a class, or one above it, is. */
static const struct jform forms[] = {
    {"java/lang/String",                                  J_TEXT,     NULL,          NULL,           false},
    {"java/lang/Enum",                                    J_ENUM,     NULL,          NULL,           false},
    {"java/lang/Integer",                                 J_BOX,      "value",       NULL,           false},
    {"java/lang/Long",                                    J_BOX,      "value",       NULL,           false},
    {"java/lang/Short",                                   J_BOX,      "value",       NULL,           false},
    {"java/lang/Byte",                                    J_BOX,      "value",       NULL,           false},
    {"java/lang/Character",                               J_BOX,      "value",       NULL,           false},
    {"java/lang/Boolean",                                 J_BOX,      "value",       NULL,           false},
    {"java/lang/Double",                                  J_BOX,      "value",       NULL,           false},
    {"java/lang/Float",                                   J_BOX,      "value",       NULL,           false},
    {"java/util/concurrent/atomic/AtomicInteger",         J_BOX,      "value",       NULL,           false},
    {"java/util/concurrent/atomic/AtomicLong",            J_BOX,      "value",       NULL,           false},
    {"java/util/concurrent/atomic/AtomicReference",       J_BOX,      "value",       NULL,           false},
    {"java/util/concurrent/atomic/AtomicBoolean",         J_BOX,      "value",       "Z",            false},
    {"java/util/Optional",                                J_BOX,      "value",       NULL,           false},
    {"java/util/ArrayList",                               J_HELD,     "elementData", "size",         false},
    {"java/util/Vector",                                  J_HELD,     "elementData", "elementCount", false},
    {"java/util/Arrays$ArrayList",                        J_HELD,     "a",           NULL,           false},
    {"java/util/concurrent/CopyOnWriteArrayList",         J_HELD,     "array",       NULL,           false},
    {"java/util/ImmutableCollections$ListN",              J_HELD,     "elements",    NULL,           false},
    {"java/util/ImmutableCollections$List12",             J_FEW,      NULL,          NULL,           false},
    {"java/util/ImmutableCollections$Set12",              J_FEW,      NULL,          NULL,           true },
    {"java/util/ImmutableCollections$SetN",               J_HELD,     "elements",    NULL,           true },
    {"java/util/ImmutableCollections$MapN",               J_PAIRS,    NULL,          NULL,           false},
    {"java/util/ImmutableCollections$Map1",               J_ONE_PAIR, NULL,          NULL,           false},
    {"java/util/LinkedList",                              J_LINKED,   NULL,          NULL,           false},
    {"java/util/ArrayDeque",                              J_CIRCLE,   NULL,          NULL,           false},
    {"java/util/HashMap",                                 J_HASH,     NULL,          "value",        false},
    {"java/util/concurrent/ConcurrentHashMap",            J_HASH,     NULL,          "val",          false},
    {"java/util/TreeMap",                                 J_TREE,     NULL,          NULL,           false},
    {"java/util/HashSet",                                 J_WRAP,     "map",         NULL,           true },
    {"java/util/TreeSet",                                 J_WRAP,     "m",           NULL,           true },
    {"java/util/concurrent/ConcurrentHashMap$KeySetView", J_WRAP,     "map",         NULL,           true },
    {"java/util/Collections$UnmodifiableCollection",      J_WRAP,     "c",           NULL,           false},
    {"java/util/Collections$UnmodifiableMap",             J_WRAP,     "m",           NULL,           false},
    {"java/util/Collections$SynchronizedCollection",      J_WRAP,     "c",           NULL,           false},
    {"java/util/Collections$SynchronizedMap",             J_WRAP,     "m",           NULL,           false},
    {"java/util/Collections$SetFromMap",                  J_WRAP,     "m",           NULL,           true },
    {"java/util/Collections$EmptyList",                   J_EMPTY,    NULL,          NULL,           false},
    {"java/util/Collections$EmptySet",                    J_EMPTY,    NULL,          NULL,           false},
};

static int form_of(struct lreader *rd, struct lref at, const struct jform **ret)
{
    uint64_t klass = 0;
    int status = java_class_of(rd, at.addr, &klass);
    *ret = NULL;
    for (int i = 0; status == 0 && klass != 0 && i < SUPERS_MOST; i++) {
        struct str name;
        status = java_klass_name(rd, klass, &name);
        for (size_t k = 0; status == 0 && k < sizeof forms / sizeof forms[0]; k++) {
            if (str_is(name, forms[k].name)) {
                *ret = &forms[k];
                return 0;
            }
        }
        status = status != 0 ? status : java_super(rd, klass, &klass);
    }
    return status;
}

static int one_pair(struct lreader *rd, struct lref at, struct jkeys *to)
{
    struct lref key = {0}, value = {0};
    int status = java_member(rd, at, STR("k0"), &key);
    status = status != 0 ? status : java_member(rd, at, STR("v0"), &value);
    lrefs_add(rd, to->keys, key);
    lrefs_add(rd, to->values, value);
    return status;
}

static void drop_null(struct lrefs *refs)
{
    size_t n = 0;
    for (size_t i = 0; i < refs->n; i++) {
        if (refs->v[i].addr != 0 || refs->v[i].prim != 0) {
            refs->v[n++] = refs->v[i];
        }
    }
    refs->n = n;
}

static int form_items(struct lreader *rd, struct lref at, const struct jform *form,
                      struct jkeys *to, bool *map)
{
    struct lref root = {0};
    int status = 0;
    *map = form->shape == J_HASH || form->shape == J_TREE || form->shape == J_PAIRS ||
           form->shape == J_ONE_PAIR;
    switch (form->shape) {
    case J_HELD:
        status = held_items(rd, at, form->field, form->count, to->values);
        if (form->set) {
            drop_null(to->values);
        }
        return status;
    case J_HASH: return hash_items(rd, at, form->count, to);
    case J_TREE:
        status = java_member(rd, at, STR("root"), &root);
        return status != 0 ? status : tree_items(rd, root, 0, to);
    case J_PAIRS: return pairs_items(rd, at, to);
    case J_ONE_PAIR: return one_pair(rd, at, to);
    case J_LINKED: return linked_items(rd, at, to->values);
    case J_CIRCLE: return circle_items(rd, at, to->values);
    case J_FEW: return few_items(rd, at, to->values);
    case J_EMPTY: return 0;
    default: return lread_none(rd, "it has no elements:", str_of(form->name));
    }
}

/* ret_set: in no order. */
static int all_items(struct lreader *rd, struct lref at, struct jkeys *to, bool *map, bool *ret_set)
{
    const struct jform *form = NULL;
    struct str class;
    *map = *ret_set = false;
    for (int i = 0; i < WRAPS_MOST; i++) {
        int status = class_name(rd, at, &class);
        if (status != 0 || at.addr == 0) {
            return status != 0 ? status : lread_none(rd, "it has no elements:", class);
        }
        if (class.p[0] == '[') {
            return array_items(rd, at, class, to->values);
        }
        status = form_of(rd, at, &form);
        if (status != 0 || form == NULL) {
            return status != 0 ? status : lread_none(rd, "it has no elements:", class);
        }
        *ret_set = *ret_set || form->set;
        if (form->shape != J_WRAP) {
            status = form_items(rd, at, form, to, map);
            if (*ret_set && *map) { /* a set is the keys of a map */
                *map = false;
                *to->values = *to->keys;
            }
            return status;
        }
        status = java_member(rd, at, str_of(form->field), &at);
        if (status != 0) {
            return status;
        }
    }
    return err_set(rd->err, ERR_LIMIT, 0, "a collection in a collection in a collection ...");
}

int java_items(struct lreader *rd, struct lref at, struct lrefs *keys, struct lrefs *values,
               bool *map)
{
    struct jkeys to = {keys, values};
    bool set = false;
    return all_items(rd, at, &to, map, &set);
}

/* ---- values ---- */

/* Bytes of one character each, or of UTF-16. */
static int text_value(struct lreader *rd, struct lref at, struct dwarf_value *ret)
{
    struct lrefs bytes = {0};
    int64_t coder = 0;
    struct strbuf out = {.arena = rd->arena};
    size_t before = rd->values;
    int status = held_items(rd, at, "value", NULL, &bytes);
    status = status != 0 ? status : whole_member(rd, at, "coder", &coder);
    rd->values = before; /* a text is one value */
    ret->kind = DWARF_STRING;
    for (size_t i = 0; status == 0 && i < bytes.n; i++) {
        uint32_t c = (uint32_t)bytes.v[i].bits & 255;
        if ((coder & 1) != 0 && i + 1 < bytes.n) {
            c |= ((uint32_t)bytes.v[++i].bits & 255) << 8;
            if ((c & 0xfc00) == 0xd800 && i + 2 < bytes.n) {
                uint32_t low = ((uint32_t)bytes.v[i + 1].bits & 255) |
                               ((uint32_t)bytes.v[i + 2].bits & 255) << 8;
                c = 0x10000 + ((c & 0x3ff) << 10) + (low & 0x3ff);
                i += 2;
            }
        }
        lread_utf8(&out, c);
    }
    ret->text = strbuf_str(&out);
    return status;
}

static int prim_value(struct lreader *rd, struct lref at, struct dwarf_value *ret)
{
    float f = 0;
    struct strbuf out = {.arena = rd->arena};
    ret->kind = DWARF_INT;
    switch (at.prim) {
    case 'Z':
        ret->kind = DWARF_BOOL;
        ret->u = (at.bits & 255) != 0 ? 1 : 0;
        break;
    case 'B': ret->i = (int8_t)at.bits; break;
    case 'S': ret->i = (int16_t)at.bits; break;
    case 'I': ret->i = (int32_t)at.bits; break;
    case 'J': ret->i = (int64_t)at.bits; break;
    case 'C': /* a text of one character */
        lread_utf8(&out, (uint32_t)at.bits & 0xffff);
        ret->kind = DWARF_STRING;
        ret->text = strbuf_str(&out);
        break;
    case 'F':
        memcpy(&f, &at.bits, sizeof f);
        ret->kind = DWARF_FLOAT;
        ret->f = (double)f;
        break;
    default:
        memcpy(&ret->f, &at.bits, sizeof ret->f);
        ret->kind = DWARF_FLOAT;
        break;
    }
    return 0;
}

static int items_value(struct lreader *rd, struct lref at, unsigned depth, unsigned follow,
                       struct dwarf_value *ret)
{
    struct lrefs keys = {0}, values = {0};
    struct jkeys to = {&keys, &values};
    bool map = false, set = false;
    int status = all_items(rd, at, &to, &map, &set);
    size_t each = map ? 2 : 1;
    ret->kind = map ? DWARF_MAP : DWARF_ARRAY;
    ret->n = each * values.n;
    ret->items = ARENA_ARRAY(rd->arena, struct dwarf_value, ret->n + 1);
    for (size_t i = 0; status == 0 && i < values.n; i++) {
        if (map) {
            status = java_value(rd, keys.v[i], depth + 1, follow, &ret->items[2 * i]);
        }
        status = status != 0 ? status
                             : java_value(rd, values.v[i], depth + 1, follow,
                                          &ret->items[each * i + each - 1]);
    }
    if (status == 0 && (map || set)) {
        lvalue_sort(ret);
    }
    return status;
}

struct showing {
    struct dwarf_value *value;
    struct lref at;
    unsigned depth, follow;
    size_t most; /* fields */
};

static int show_field(struct lreader *rd, void *arg, const struct jfield *field)
{
    struct showing *s = arg;
    struct lref ref = {0};
    if (s->value->n == s->most) { /* memory has changed meanwhile */
        return err_set(rd->err, ERR_CORRUPT, 0, "a class is damaged");
    }
    int status = java_load(rd, s->at.addr + field->offset, field->type, &ref);
    struct dwarf_field *to = &s->value->fields[s->value->n++];
    to->name = field->name;
    return status != 0 ? status : java_value(rd, ref, s->depth + 1, s->follow - 1, &to->value);
}

static int count_field(struct lreader *rd, void *arg, const struct jfield *field)
{
    size_t *n = arg;
    (void)field;
    return ++*n > FIELDS_SHOWN ? err_set(rd->err, ERR_LIMIT, 0, "too many fields") : 0;
}

/* Fields of the classes above come first. */
static int show_class(struct lreader *rd, struct showing *s, uint64_t klass, int left)
{
    uint64_t above = 0;
    int status = java_super(rd, klass, &above);
    if (status == 0 && above != 0 && left > 0) {
        status = show_class(rd, s, above, left - 1);
    }
    return status != 0 ? status : java_each_field(rd, klass, show_field, s);
}

static int object_value(struct lreader *rd, struct lref at, unsigned depth, unsigned follow,
                        struct dwarf_value *ret)
{
    struct showing s = {.value = ret, .at = at, .depth = depth, .follow = follow};
    uint64_t klass = 0;
    if (follow == 0) {
        return lvalue_opaque(rd, ret, ret->type, ": an object; name its field");
    }
    ret->kind = DWARF_STRUCT;
    size_t n = 0;
    int status = java_class_of(rd, at.addr, &klass);
    uint64_t above = klass;
    for (int i = 0; status == 0 && above != 0 && i <= SUPERS_MOST; i++) {
        status = java_each_field(rd, above, count_field, &n);
        status = status != 0 ? status : java_super(rd, above, &above);
    }
    ret->fields = ARENA_ARRAY(rd->arena, struct dwarf_field, n + 1);
    s.most = n;
    return status != 0 ? status : show_class(rd, &s, klass, SUPERS_MOST);
}

static int box_value(struct lreader *rd, struct lref at, const struct jform *form, unsigned depth,
                     unsigned follow, struct dwarf_value *ret)
{
    struct lref inner = {0};
    int status = java_member(rd, at, str_of(form->field), &inner);
    if (form->count != NULL) {
        inner.prim = form->count[0]; /* an AtomicBoolean keeps a number */
    }
    return status != 0 ? status : java_value(rd, inner, depth + 1, follow, ret);
}

int java_value(struct lreader *rd, struct lref at, unsigned depth, unsigned follow,
               struct dwarf_value *ret)
{
    const struct jform *form = NULL;
    struct lref name = {0};
    *ret = (struct dwarf_value){0};
    int status = lread_limit(rd, 1);
    if (status != 0 || at.prim != 0) {
        return status != 0 ? status : prim_value(rd, at, ret);
    }
    if (at.addr == 0) {
        ret->kind = DWARF_NULL;
        return 0;
    }
    if (depth > rd->limits.depth) {
        return lvalue_opaque(rd, ret, STR(""), "nested too deeply");
    }
    status = class_name(rd, at, &ret->type);
    status = status != 0 ? status : form_of(rd, at, &form);
    if (status != 0) {
        return status;
    }
    if (form == NULL) {
        return ret->type.n > 0 && ret->type.p[0] == '[' ? items_value(rd, at, depth, follow, ret)
                                                        : object_value(rd, at, depth, follow, ret);
    }
    switch (form->shape) {
    case J_TEXT: return text_value(rd, at, ret);
    case J_BOX: return box_value(rd, at, form, depth, follow, ret);
    case J_ENUM:
        status = java_member(rd, at, STR("name"), &name);
        return status != 0 ? status : text_value(rd, name, ret);
    default: return items_value(rd, at, depth, follow, ret);
    }
}
